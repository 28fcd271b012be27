// What is wrong and how to fix it, with the part of the text that is wrong.

import { engine } from "#engine";
import { h, prose, setChildren } from "./dom";
import { capital } from "./format";
import type { ApiError } from "./protocol";

/** How many characters are quoted on either side. */
const CONTEXT = 40;

/** Shows an error; `where` says in words what it is about. */
export function notice({ error, help, span }: ApiError, text = "", where = ""): HTMLElement {
  const quote = span && quoted(text, span);
  return h(
    "div",
    { class: "notice bad" },
    h("p", {}, h("strong", {}, ...prose(sentence(error)))),
    quote,
    where !== "" && h("p", {}, sentence(where)),
    help && h("p", {}, ...prose(sentence(help))),
  );
}

/** Shows an exception in an element, unless the user aborted the request. */
export function showError(element: Element, exception: unknown, text = ""): void {
  const error = engine.errorOf(exception);
  if (error) setChildren(element, notice(error, text));
}

/** The text with the bytes of the span marked; null if the span is the whole text. */
function quoted(text: string, [start, end]: [number, number]): HTMLElement | null {
  const bytes = new TextEncoder().encode(text);
  const part = (from: number, to: number): string => new TextDecoder().decode(bytes.slice(from, to));
  if (start >= end || part(start, end) === text.trim()) return null;
  const before = part(0, start);
  const after = part(end, bytes.length);
  return h(
    "code",
    { class: "quote" },
    before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before,
    h("mark", {}, part(start, end)),
    after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after,
  );
}

function sentence(text: string): string {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}
