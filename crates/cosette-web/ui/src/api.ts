// Requests to the server of this page.

import { isOfThisMachine } from "./hostname";
import type { ApiError } from "./protocol";

/** Path of the API. */
export const ROOT = "/api/v1";

/** `true` if the server runs on this machine. */
export const isLocal = isOfThisMachine(location.hostname);

/** Advice for a server that does not respond. Only a user at its machine can restart it. */
const UNREACHABLE = isLocal
  ? "restart it with `cosette-web`"
  : "check the network connection, or ask the owner of the server";

/** The error of a search during which the server was stopped. */
export const SERVER_STOPPED: ApiError = { error: "the server was stopped", help: UNREACHABLE };

/** The error of a server that does not know the token of this page. */
const SERVER_RESTARTED: ApiError = {
  error: "the server was restarted",
  help: "open the address that cosette-web printed, or enter its token",
  needsToken: true,
};

/** Error of a request that the server rejects or does not respond to. */
export class RequestError extends Error {
  /** `status` is the status of the response, if there was one. */
  constructor(
    readonly apiError: ApiError,
    readonly status?: number,
  ) {
    super(apiError.error);
  }
}

/**
 * Returns an error in a text with a span in UTF-16 units, as the page counts; the server counts
 * characters.
 */
export function inUnits<E extends Pick<ApiError, "span">>(error: E, text: string): E {
  if (!error.span) return error;
  const characters = [...text];
  const units = (index: number): number => characters.slice(0, index).join("").length;
  return { ...error, span: error.span.map(units) as [number, number] };
}

/** Sends a request and returns the JSON of its response. */
export async function fetchJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/**
 * Stops a search or a batch, which then ends with its results up to this point. Rejects if the
 * server cannot be reached. A search that has just ended no longer exists on the server, and its
 * last events are on their way.
 */
export async function stopSolve(id: number): Promise<void> {
  try {
    await fetchJson("DELETE", `/solves/${id}`);
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 404)) throw error;
  }
}

/** Posts a request and passes on each event of its response, until it ends or is aborted. */
export async function streamEvents<E>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  onEvent: (event: E) => void,
): Promise<void> {
  const response = await send("POST", path, body, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = block.split("\n").filter((line) => line.startsWith("data:"));
      if (data.length > 0) onEvent(JSON.parse(data.map((line) => line.slice(5)).join("\n")) as E);
    }
  }
}

async function send(
  method: string,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const isText = typeof body === "string";
  const init: RequestInit = { method };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = isText ? body : JSON.stringify(body);
    init.headers = { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(ROOT + path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError({ error: "the server does not respond", help: UNREACHABLE });
  }
  if (response.ok) return response;
  if (response.status === 401) throw new RequestError(SERVER_RESTARTED, response.status);
  const apiError: ApiError = await response
    .json()
    .catch(() => ({ error: `the server responded with status ${response.status}` }));
  // The span is in the field that the error names, otherwise in the position.
  const [, field = "position"] = /^`(\w+)`: /.exec(apiError.error) ?? [];
  const text = (body as Record<string, unknown> | undefined)?.[field];
  const isString = typeof text === "string";
  throw new RequestError(isString ? inUnits(apiError, text) : apiError, response.status);
}

/** Returns the error to show for an exception; undefined if the user aborted the request. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof RequestError) return error.apiError;
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  if (error instanceof TypeError)
    return { error: "the connection to the server was lost", help: UNREACHABLE };
  throw error;
}
