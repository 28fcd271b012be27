// Error messages: the problem, how to fix it, and the invalid part of the text.

import { engine } from "#engine";
import { h, prose, setChildren } from "./dom";
import { capital } from "./format";
import type { ApiError } from "./protocol";

/** Number of characters quoted on either side. */
const CONTEXT = 40;

/** Shows an error; `where` describes its subject. */
export function notice(
  { error, help, span, needsToken }: ApiError,
  text = "",
  where = "",
): HTMLElement {
  const quote = span && quoted(text, span);
  return h(
    "div",
    { class: "notice bad" },
    h("p", {}, h("strong", {}, ...prose(sentence(error)))),
    quote,
    where !== "" && h("p", {}, sentence(where)),
    help && h("p", {}, ...prose(sentence(help))),
    needsToken && tokenForm(),
  );
}

/**
 * Creates a form that reopens the page with the entered token; the server removes the token from
 * the address and keeps everything else.
 */
function tokenForm(): HTMLElement {
  const token = h("input", {
    type: "text",
    "aria-label": "Token",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    required: true,
  });
  const open = (event: Event): void => {
    event.preventDefault();
    const parameters = new URLSearchParams(location.search);
    parameters.set("token", token.value.trim());
    location.search = String(parameters);
  };
  return h("form", { class: "token-form", onsubmit: open }, token, h("button", {}, "Open"));
}

/** Shows an exception in an element, unless the user aborted the request. */
export function showError(element: Element, exception: unknown, text = ""): void {
  const error = engine.errorOf(exception);
  if (error) setChildren(element, notice(error, text));
}

/** Returns the text with the span marked; null if the span is the whole text. */
function quoted(text: string, [start, end]: [number, number]): HTMLElement | null {
  const marked = text.slice(start, end);
  if (start >= end || marked === text.trim()) return null;
  const before = text.slice(0, start);
  const after = text.slice(end);
  return h(
    "code",
    { class: "quote" },
    before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before,
    h("mark", {}, marked),
    after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after,
  );
}

function sentence(text: string): string {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}
