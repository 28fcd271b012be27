// The HTTP API, rendered from the OpenAPI document that the server generates.

import { engine } from "#engine";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ROOT, fetchJson } from "../api";
import { isOneColumn } from "../breakpoints";
import type { ApiError } from "../protocol";
import { Notice } from "../ui/notice";
import { Prose } from "../ui/prose";
import "./api.css";
import { ExampleRequest, rank, subjectOf } from "./examples";

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

/** The document, or the reason why there is none. */
const api = signal<OpenApi | undefined>(undefined);
const error = signal<ApiError | undefined>(undefined);

/** Fetches the document once. */
async function load(): Promise<void> {
  if (api.value) return;
  try {
    api.value = await fetchJson<OpenApi>("GET", "/openapi.json");
  } catch (exception) {
    error.value = engine.errorOf(exception) ?? error.value;
  }
}

/** The page of the API. */
export function Api({ hidden }: { hidden: boolean }) {
  useEffect(() => void (hidden || load()), [hidden]);
  return (
    <section class="card api" hidden={hidden}>
      {api.value ? <Contents api={api.value} /> : error.value && <Notice of={error.value} />}
    </section>
  );
}

function Contents({ api: { info, paths, components } }: { api: OpenApi }) {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      METHODS.flatMap((method) =>
        methods[method] ? [{ method, path, operation: methods[method] }] : [],
      ),
    )
    .sort((a, b) => rank(a.method, a.path) - rank(b.method, b.path));
  const sections = useRef<HTMLDivElement>(null);
  const go = (index: number): void => {
    const section = sections.current!.children[index]!;
    section.scrollIntoView();
    section.querySelector("button")?.focus({ preventScroll: true });
  };
  return (
    <>
      <h2>API</h2>
      <p>
        All paths, with examples. Also available{" "}
        <a href="/api/v1/openapi.json">as an OpenAPI document</a>
        {` (version ${info.version}).`}
      </p>
      <Index operations={operations} onChoose={go} />
      <div class="operations" ref={sections}>
        {operations.map((each) => (
          <OperationSection {...each} />
        ))}
      </div>
      <details>
        <summary>
          <h3>General rules</h3>
        </summary>
        <p>
          <Prose text={info.description ?? ""} />
        </p>
      </details>
      <details>
        <summary>
          <h3>Schemas</h3>
        </summary>
        {Object.entries(components?.schemas ?? {}).map(([name, schema]) => (
          <details id={`schema-${name}`}>
            <summary>
              <code>{name}</code>
            </summary>
            {schema.description && (
              <p>
                <Prose text={schema.description} />
              </p>
            )}
            <Fields schema={schema} />
          </details>
        ))}
      </details>
    </>
  );
}

/** Opens the description of a schema, and the list of schemas around it. */
function openSchema(name: string): void {
  const schema = document.querySelector<HTMLDetailsElement>(`#schema-${CSS.escape(name)}`);
  if (!schema) return;
  schema.open = schema.parentElement!.closest("details")!.open = true;
  schema.scrollIntoView({ block: "center" });
  schema.querySelector("summary")!.focus();
}

/** The paths by subject, each of which leads to its description; folded where there is no room. */
function Index(props: {
  operations: { method: string; path: string }[];
  onChoose: (index: number) => void;
}) {
  const entries = props.operations.map((operation, index) => ({ ...operation, index }));
  const subjects = [...new Set(entries.map(({ path }) => subjectOf(path)))];
  return (
    <details class="index" open={!isOneColumn.value}>
      <summary>
        <h3>Paths</h3>
      </summary>
      {subjects.map((subject) => (
        <div>
          <p class="label">{subject}</p>
          <ul aria-label={`Paths: ${subject}`}>
            {entries
              .filter(({ path }) => subjectOf(path) === subject)
              .map(({ method, path, index }) => (
                <li>
                  <button type="button" class="link" onClick={() => props.onChoose(index)}>
                    <Method name={method} /> <code>{path}</code>
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </details>
  );
}

/** The name of a method, in its color. */
function Method({ name }: { name: string }) {
  return <span class={`method ${name}`}>{name.toUpperCase()}</span>;
}

function OperationSection(props: { method: string; path: string; operation: Operation }) {
  const { method, path } = props;
  const { summary, description, parameters = [], requestBody, responses } = props.operation;
  const name = method.toUpperCase();
  return (
    <section class="operation">
      <h3>
        <Method name={method} /> <code>{ROOT + path}</code>
      </h3>
      <p>{summary}</p>
      <ExampleRequest method={method} path={path} />
      <details>
        <summary class="label">
          Parameters and responses<span class="hidden">{` of ${name} ${path}`}</span>
        </summary>
        {description && (
          <p>
            <Prose text={description} />
          </p>
        )}
        {parameters.length > 0 && (
          <Rows
            caption="Parameters"
            cells={parameters.map(({ name, in: place, required, schema, description }) => [
              <code>{name}</code>,
              `${place}${required ? ", required" : ""}`,
              <Type of={schema} />,
              <Prose text={description ?? ""} />,
            ])}
          />
        )}
        {requestBody && (
          <Rows
            caption="Body"
            cells={Object.entries(requestBody.content).map(([type, { schema, example }]) => [
              <code>{type}</code>,
              <Type of={schema} />,
              example !== undefined && <code>{JSON.stringify(example)}</code>,
            ])}
          />
        )}
        <Rows
          caption="Responses"
          cells={Object.entries(responses).map(([status, { description, content = {} }]) => [
            <code>{status}</code>,
            <div>
              <Prose text={description} />
              {Object.entries(content).map(([type, { schema }]) => (
                <div>
                  <code>{type}</code> <Type of={schema} />
                </div>
              ))}
            </div>,
          ])}
        />
      </details>
    </section>
  );
}

function Rows({ caption, cells }: { caption: string; cells: ComponentChildren[][] }) {
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {cells.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Fields({ schema }: { schema: Schema }) {
  const properties = [schema, ...(schema.allOf ?? [])].flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, of]) => [
      <code>{name}</code>,
      <Type of={of} />,
      part.required?.includes(name) ? "" : "optional",
      <Prose text={of.description ?? ""} />,
    ]),
  );
  const variants = variantsOf(schema);
  return (
    <div>
      {properties.length > 0 ? <Rows caption="" cells={properties} /> : <Type of={schema} />}
      {variants.length > 0 && (
        <ul>
          {variants.map((variant) => (
            <li>
              <Prose text={variant.description ?? ""} />{" "}
              {variant.properties ? <Fields schema={variant} /> : <Type of={variant} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const variantsOf = ({ oneOf = [], anyOf = [] }: Schema): Schema[] => [...oneOf, ...anyOf];

/** The type of a schema; a schema with a name is a link to its description. */
function Type({ of: schema }: { of: Schema | undefined }): ComponentChildren {
  if (!schema) return null;
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop()!;
    return (
      <button type="button" class="link" onClick={() => openSchema(name)}>
        {name}
      </button>
    );
  }
  if (schema.items)
    return (
      <>
        list of <Type of={schema.items} />
      </>
    );
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const variants = variantsOf(schema);
  if (variants.length > 0 && !schema.properties)
    return variants.map((variant, at) => (
      <>
        {at > 0 && " or "}
        <Type of={variant} />
      </>
    ));
  return [schema.type].flat().filter(Boolean).join(" or ");
}
