// The types of TypeScript have the fields that the OpenAPI document of the server describes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { startServer } from "./support.mjs";

const types = fileURLToPath(new URL("../../../cosette-js/npm/protocol.js", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));

/** Schemas of the document, and the type of each; of a stream, its events are compared one by one. */
const PAIRS = {
  SolveRequest: "Request & { position: string }",
  SolveResult: "Answer",
  SolveEvent: "SolveEvent",
  Explanation: "Explanation",
  CheckRequest: "Pick<Request, 'niss' | 'format' | 'face_order'> & { position: string }",
  PositionCheck: "Check",
  ScrambleRequest: "ScrambleOptions & { case: string }",
  ScrambleList: "ScrambleList",
  ScrambledPosition: "ScrambledPosition",
  FmcRequest: "FmcRequest & { position: string }",
  FmcResult: "FmcAnswer",
  FmcEvent: "QueueEvent | ({ event: 'skeleton' } & Skeleton) | ({ event: 'answer' } & FmcAnswer)",
  InsertionsRequest: "Pick<FmcRequest, 'count'> & { position: string; from: string }",
  InsertionsResult: "InsertionsResult",
  ReviewRequest: "ReviewRequest & { position: string; solution: string }",
  Review: "Review",
  ReviewEvent: "QueueEvent | ReviewProgress | ({ event: 'answer' } & Review)",
  BatchEvent: "BatchEvent",
  ApiError: "ApiError",
  Tables: "Tables",
  TableInfo: "Table",
  GenerationEvent: "GenerationEvent",
  Sharing: "Sharing",
};

/** The fields of other programs and of lists, which no answer to one position has; the failure of a line of a list. */
const OMITTED = ["line", "equivalent_to_line", "optimal_moves", "neighbor_distances"];
const isOmitted = (schema, event) => schema === "SolveEvent" && event === "failure";

/** What two types do not share: names of fields, and those with values that cannot be equal. */
const COMPARISON = `
type Keys<T> = T extends unknown ? keyof T : never;
type Value<T, K> = T extends unknown ? (K extends keyof T ? NonNullable<T[K]> : never) : never;
type Fits<A, B> = [A] extends [B] ? true : [B] extends [A] ? true : false;
type Difference<T, S> = Exclude<Keys<T>, keyof S> | Exclude<keyof S, Keys<T> | ${OMITTED.map((name) => `"${name}"`).join(" | ")}>
  | { [K in keyof S]-?: Fits<Value<T, K>, NonNullable<S[K]>> extends true ? never : [K, Value<T, K>, S[K]] }[keyof S & Keys<T>];
`;

/** Returns the alternatives of a schema, each with all its fields, as the properties of an object. */
function variants(document, schema) {
  if (schema.$ref)
    return variants(document, document.components.schemas[schema.$ref.split("/").pop()]);
  if (schema.oneOf) return schema.oneOf.flatMap((each) => variants(document, each));
  if (!schema.allOf) return [schema.properties];
  return schema.allOf
    .map((each) => variants(document, each))
    .reduce((all, more) => all.flatMap((some) => more.map((others) => ({ ...some, ...others }))));
}

/** Returns a schema as a type. */
function typeOf(document, schema) {
  if (schema.$ref)
    return typeOf(document, document.components.schemas[schema.$ref.split("/").pop()]);
  if (schema.oneOf) return schema.oneOf.map((each) => typeOf(document, each)).join(" | ");
  if (schema.allOf) return schema.allOf.map((each) => typeOf(document, each)).join(" & ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const named = (type) => {
    if (type === "array") return `(${typeOf(document, schema.items)})[]`;
    if (type === "object") return object(document, schema.properties, schema.required);
    return type === "integer" ? "number" : type;
  };
  return [schema.type].flat().map(named).join(" | ");
}

const object = (document, properties, required = []) =>
  `{ ${Object.entries(properties)
    .map(
      ([name, schema]) =>
        `${name}${required.includes(name) ? "" : "?"}: ${typeOf(document, schema)}`,
    )
    .join("; ")} }`;

/** Returns a program in which a type that is not that of the document is an error. */
function comparison(document) {
  const lines = Object.entries(PAIRS).flatMap(([name, type]) =>
    variants(document, document.components.schemas[name]).flatMap((properties) => {
      const event = properties.event?.enum[0];
      if (isOmitted(name, event)) return [];
      const ours = event ? `Extract<${type}, { event: "${event}" }>` : type;
      return `export const ${name}_${(event ?? "").replace("-", "_")}: never[] = [] as Difference<${ours}, ${object(document, properties)}>[];`;
    }),
  );
  const names = [
    "Answer",
    "ApiError",
    "BatchEvent",
    "Check",
    "Explanation",
    "FmcAnswer",
    "FmcRequest",
    "GenerationEvent",
    "InsertionsResult",
    "QueueEvent",
    "Request",
    "Review",
    "ReviewProgress",
    "ReviewRequest",
    "ScrambleList",
    "ScrambleOptions",
    "ScrambledPosition",
    "Sharing",
    "Skeleton",
    "SolveEvent",
    "Table",
    "Tables",
  ];
  return `import type { ${names.join(", ")} } from ${JSON.stringify(types)};\n${COMPARISON}\n${lines.join("\n")}\n`;
}

/** Returns the errors of a program. */
function errorsOf(program) {
  const folder = mkdtempSync(join(tmpdir(), "cosette-types-"));
  try {
    const file = join(folder, "comparison.ts");
    writeFileSync(file, program);
    return spawnSync(
      tsc,
      [
        "--ignoreConfig",
        "--noEmit",
        "--strict",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "--types",
        "",
        file,
      ],
      { encoding: "utf8" },
    ).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the types are those of the OpenAPI document", async () => {
  const { address, stop } = await startServer(["--table", "24M"]);
  const document = await (await fetch(`${address}/api/v1/openapi.json`)).json();
  await stop();
  assert.equal(errorsOf(comparison(document)), "");
  // A field of another name, or with other values, is an error.
  document.components.schemas.TableInfo.properties.size = { type: "integer" };
  document.components.schemas.Sharing.properties.token.type = "integer";
  const errors = errorsOf(comparison(document));
  for (const name of ["size", "token"]) assert.match(errors, new RegExp(`"${name}"`));
});
