// One example request for each path of the API, as a command and executable on the page.

import { useState } from "preact/hooks";
import { ROOT } from "../api";
import { CopyButton } from "../ui/copy-button";

interface Example {
  path: string;
  /** The request body: JSON, or text. */
  body?: unknown;
  accept?: string;
  /** `true` if the request destroys or reveals something, so that it is only shown. */
  isShownOnly?: boolean;
}

/** Maximum length of a command in one line; a longer one has a line for each option. */
const LINE = 80;

/** Maximum number of characters shown of a response. */
const SHOWN = 4000;

/** Examples by method and path, in the order in which they are shown. */
const EXAMPLES: Record<string, Example> = {
  "post /solve": { path: "/solve", body: { position: "R U2 F" }, accept: "application/json" },
  "get /solves": { path: "/solves" },
  "get /solves/{id}": { path: "/solves/1" },
  "delete /solves/{id}": { path: "/solves/1" },
  "post /batch": {
    path: "/batch?metric=htm",
    body: "R U2 F\nL D2 B\n",
    accept: "application/x-ndjson",
  },
  "post /fmc": {
    path: "/fmc",
    body: { position: "R U2 F", steps: "eo[max=2]", count: "all" },
    accept: "application/json",
  },
  "post /fmc/insertions": {
    path: "/fmc/insertions",
    body: { position: "D2 R U R' D2 R U' R2", from: "R" },
    accept: "application/json",
  },
  "post /review": {
    path: "/review",
    body: { position: "R U2 F", solution: "F' U R U // detour\nR' U' R'" },
    accept: "application/json",
  },
  "post /position": { path: "/position", body: { position: "R U2 F" } },
  "get /random": { path: "/random?seed=5" },
  "post /scrambles": { path: "/scrambles", body: { case: "R U R' U'", count: 2, seed: 5 } },
  "get /tables": { path: "/tables" },
  "get /tables/{name}": { path: "/tables/htm-24M" },
  "post /tables/{name}": { path: "/tables/htm-24M", accept: "application/x-ndjson" },
  "delete /tables/{name}": { path: "/tables/htm-24M", isShownOnly: true },
  "delete /tables/{name}/generation": { path: "/tables/htm-24M/generation" },
  "get /health": { path: "/health" },
  "get /sharing": { path: "/sharing", isShownOnly: true },
};

/** Subjects of paths, by their first part. */
const SUBJECTS: Record<string, string> = {
  solve: "Solve",
  solves: "Solve",
  batch: "Batch",
  fmc: "Fewest moves",
  review: "Review",
  position: "Positions",
  random: "Positions",
  scrambles: "Positions",
  tables: "Tables",
};

/** Returns the subject of a path. */
export const subjectOf = (path: string): string => SUBJECTS[path.split("/")[1]!] ?? "Server";

/** Returns the rank of an operation among the examples; operations without one come last. */
export function rank(method: string, path: string): number {
  const place = Object.keys(EXAMPLES).indexOf(`${method} ${path}`);
  return place < 0 ? Infinity : place;
}

/** The example of an operation, if it has one, and its response once it has been run. */
export function ExampleRequest({ method, path }: { method: string; path: string }) {
  const [output, show] = useState<string>();
  const example = EXAMPLES[`${method} ${path}`];
  if (!example) return null;
  const command = commandOf(method, example);
  const run = async (): Promise<void> => {
    show("…");
    show(await responseTo(method, example).catch(() => "The server does not respond."));
  };
  return (
    <div class="example">
      <pre>
        <code>{command}</code>
      </pre>
      <span class="row tight">
        {!example.isShownOnly && (
          <button type="button" class="quiet" onClick={() => void run()}>
            Run
          </button>
        )}
        <CopyButton name="Copy" title="Copy the command" text={() => command} />
      </span>
      <pre
        class="output"
        hidden={output === undefined}
        tabIndex={0}
        role="region"
        aria-label={`Response of ${method.toUpperCase()} ${path}`}
      >
        {output}
      </pre>
    </div>
  );
}

/** Formats the request as a command for a terminal. */
function commandOf(method: string, { path, body, accept }: Example): string {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  const quoted = (text: string): string => (/['\n]/.test(text) ? escaped(text) : `'${text}'`);
  const escaped = (text: string): string =>
    `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
  const option = ["get", "post"].includes(method) ? "" : ` -X ${method.toUpperCase()}`;
  const parts = [
    `curl${option} '${location.origin}${ROOT}${path}'`,
    '-H "authorization: Bearer $COSETTE_TOKEN"',
    accept && `-H 'accept: ${accept}'`,
    body !== undefined && `-H 'content-type: ${type}'`,
    body !== undefined &&
      `--data-binary ${quoted(typeof body === "string" ? body : JSON.stringify(body))}`,
    method === "post" && body === undefined && "-X POST",
  ].filter(Boolean);
  const command = parts.join(" ");
  return command.length > LINE ? parts.join(" \\\n  ") : command;
}

/** Sends the request, and returns the status and the text of its response. */
async function responseTo(
  method: string,
  { path, body, accept = "application/json" }: Example,
): Promise<string> {
  const isText = typeof body === "string";
  const response = await fetch(ROOT + path, {
    method: method.toUpperCase(),
    headers: {
      accept,
      ...(body !== undefined && { "content-type": isText ? "text/plain" : "application/json" }),
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return `${response.status}\n${shown.length > SHOWN ? `${shown.slice(0, SHOWN)}\n…` : shown}`;
}
