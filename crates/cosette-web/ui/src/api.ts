// Requests to the server that this page comes from, and to no other.

import type { Refusal } from "./protocol";

const ROOT = "/api/v1";

/** The server says no, or does not answer. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.help ? `${refusal.error}; ${refusal.help}` : refusal.error);
  }
}

/** Asks and waits for the whole answer. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Asks and hands over each event of the answer as it comes, until the end or until the signal cuts it off. */
export async function follow<E>(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
  onEvent: (event: E) => void,
): Promise<void> {
  const response = await send(method, path, body, signal);
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

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
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
    throw new Refused({ error: "the server does not answer", help: "start it again with `cosette-web`" });
  }
  if (response.ok) return response;
  const refusal = await response.json().catch(() => ({ error: `the server answers ${response.status}` }));
  throw new Refused(refusal as Refusal);
}

/** What to tell the user of an error; nothing where he broke off the work himself. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  if (error instanceof TypeError) return { error: "the connection to the server was lost", help: "start it again with `cosette-web`" };
  throw error;
}
