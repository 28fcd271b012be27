// What is wrong and what mends it, with the place in the text where there is one.

import { h } from "../dom";
import { capital } from "../format";
import type { Refusal } from "../protocol";

/** How much of a long text is quoted on either side of the place. */
const AROUND = 40;

/** A refusal as the user sees it; `where` says in words what it is about. */
export function notice(refusal: Refusal, text = "", where = ""): HTMLElement {
  const quote = refusal.span && quoted(text, refusal.span);
  return h(
    "div",
    { class: "notice bad" },
    h("p", {}, h("strong", {}, sentence(refusal.error))),
    quote,
    where !== "" && h("p", {}, sentence(where)),
    refusal.help && h("p", {}, sentence(refusal.help)),
  );
}

/** The text with the bytes of the span marked; nothing where the span is all of it. */
function quoted(text: string, [start, end]: [number, number]): HTMLElement | null {
  const bytes = new TextEncoder().encode(text);
  const part = (from: number, to: number): string => new TextDecoder().decode(bytes.slice(from, to));
  if (start >= end || part(start, end) === text.trim()) return null;
  const before = part(0, start);
  const after = part(end, bytes.length);
  return h(
    "code",
    { class: "quote" },
    before.length > AROUND ? `…${before.slice(-AROUND)}` : before,
    h("mark", {}, part(start, end)),
    after.length > AROUND ? `${after.slice(0, AROUND)}…` : after,
  );
}

function sentence(text: string): string {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}
