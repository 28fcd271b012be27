// The HTTP API, rendered from the OpenAPI document that the server generates.

import { ROOT, fetchJson } from "../api";
import { h, prose, setChildren } from "../dom";
import { showError } from "../notice";
import { example, rank } from "./examples";

interface Schema {
  type?: string | string[];
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  format?: string;
  additionalProperties?: Schema | boolean;
}

interface Operation {
  summary?: string;
  description?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>;
}

interface OpenApi {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const METHODS = ["get", "post", "put", "delete"];

/** The page of the API. */
export class ApiView {
  readonly element = h("section", { class: "card api" });

  private isShown = false;

  /** Fetches the document once. */
  async refresh(): Promise<void> {
    if (this.isShown) return;
    try {
      const api = await fetchJson<OpenApi>("GET", "/openapi.json");
      if (!this.isShown) this.show(api);
      this.isShown = true;
    } catch (error) {
      showError(this.element, error);
    }
  }

  private show(api: OpenApi): void {
    const operations = Object.entries(api.paths)
      .flatMap(([path, methods]) =>
        METHODS.flatMap((method) =>
          methods[method] ? [{ method, path, described: methods[method] }] : [],
        ),
      )
      .sort((a, b) => rank(a.method, a.path) - rank(b.method, b.path))
      .map(({ method, path, described }) => ({
        name: `${method.toUpperCase()} ${path}`,
        section: operation(method, path, described),
      }));
    const contents = operations.map(({ name, section }) => {
      const go = (): void => {
        section.scrollIntoView();
        section.querySelector("button")?.focus({ preventScroll: true });
      };
      return h("li", {}, h("button", { type: "button", class: "link", onclick: go }, name));
    });
    const listed = Object.entries(api.components?.schemas ?? {}).map(([name, schema]) =>
      h(
        "details",
        { id: `schema-${name}` },
        h("summary", {}, h("code", {}, name)),
        schema.description ? h("p", {}, ...prose(schema.description)) : null,
        fields(schema),
      ),
    );
    const schemas = h("details", {}, h("summary", {}, h("h3", {}, "Schemas")), ...listed);
    setChildren(
      this.element,
      h("h2", {}, "API"),
      h(
        "p",
        {},
        "All paths, with examples. Also available ",
        h("a", { href: "/api/v1/openapi.json" }, "as an OpenAPI document"),
        ` (version ${api.info.version}).`,
      ),
      h("ul", { class: "contents", "aria-label": "Paths" }, ...contents),
      ...operations.map(({ section }) => section),
      h(
        "details",
        {},
        h("summary", {}, h("h3", {}, "General rules")),
        h("p", {}, ...prose(api.info.description ?? "")),
      ),
      schemas,
    );
    // A link to a schema opens it.
    this.element.addEventListener("click", (event) => {
      const name = (event.target as HTMLElement).dataset.schema;
      const schema =
        name && this.element.querySelector<HTMLDetailsElement>(`#schema-${CSS.escape(name)}`);
      if (!schema) return;
      schemas.open = schema.open = true;
      schema.scrollIntoView({ block: "center" });
      schema.querySelector("summary")?.focus();
    });
  }
}

function operation(
  method: string,
  path: string,
  { summary, description, parameters, requestBody, responses }: Operation,
): HTMLElement {
  const heading = h(
    "h3",
    {},
    h("span", { class: `method ${method}` }, method.toUpperCase()),
    " ",
    h("code", {}, ROOT + path),
  );
  const described = h(
    "details",
    {},
    h(
      "summary",
      {},
      "Parameters and responses",
      h("span", { class: "hidden" }, ` of ${method.toUpperCase()} ${path}`),
    ),
    description ? h("p", {}, ...prose(description)) : null,
    parameters?.length
      ? rows(
          "Parameters",
          parameters.map(({ name, in: place, required, schema, description: text }) => [
            h("code", {}, name),
            `${place}${required ? ", required" : ""}`,
            typeOf(schema),
            h("span", {}, ...prose(text ?? "")),
          ]),
        )
      : null,
    requestBody
      ? rows(
          "Body",
          Object.entries(requestBody.content).map(([type, { schema, example }]) => [
            h("code", {}, type),
            typeOf(schema),
            example === undefined ? "" : h("code", {}, JSON.stringify(example)),
          ]),
        )
      : null,
    rows(
      "Responses",
      Object.entries(responses).map(([status, answer]) => [
        h("code", {}, status),
        h(
          "div",
          {},
          ...prose(answer.description),
          ...Object.entries(answer.content ?? {}).map(([type, { schema }]) =>
            h("div", {}, h("code", {}, type), " ", typeOf(schema)),
          ),
        ),
      ]),
    ),
  );
  return h(
    "section",
    { class: "operation" },
    heading,
    h("p", {}, summary ?? ""),
    example(method, path),
    described,
  );
}

function rows(caption: string, cells: (Node | string)[][]): HTMLElement {
  return h(
    "table",
    {},
    h("caption", {}, caption),
    h("tbody", {}, ...cells.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))),
  );
}

function fields(schema: Schema): HTMLElement {
  const parts = [schema, ...(schema.allOf ?? [])];
  const properties = parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, of]) => [
      h("code", {}, name),
      typeOf(of),
      part.required?.includes(name) ? "" : "optional",
      h("span", {}, ...prose(of.description ?? "")),
    ]),
  );
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map((variant) =>
    h(
      "li",
      {},
      ...prose(variant.description ?? ""),
      " ",
      variant.properties ? fields(variant) : typeOf(variant),
    ),
  );
  return h(
    "div",
    {},
    properties.length ? rows("", properties) : typeOf(schema),
    variants.length ? h("ul", {}, ...variants) : null,
  );
}

function typeOf(schema: Schema | undefined): Node {
  if (!schema) return document.createTextNode("");
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop()!;
    return h("button", { type: "button", class: "link", "data-schema": name }, name);
  }
  if (schema.items) return h("span", {}, "list of ", typeOf(schema.items));
  if (schema.enum)
    return h("span", {}, schema.enum.map((value) => JSON.stringify(value)).join(" | "));
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (variants.length && !schema.properties)
    return h(
      "span",
      {},
      ...variants.flatMap((variant, i) => (i ? [" or ", typeOf(variant)] : [typeOf(variant)])),
    );
  return document.createTextNode([schema.type].flat().filter(Boolean).join(" or "));
}
