// The elements of the view that are led to.

import { createRef } from "preact";
import { ONE_COLUMN } from "../breakpoints";
import { tab } from "../stores/input";
import { shown } from "../stores/position";

export const scramble = createRef<HTMLTextAreaElement>();
export const messages = createRef<HTMLDivElement>();
export const start = createRef<HTMLButtonElement>();
export const stop = createRef<HTMLButtonElement>();
export const question = createRef<HTMLDivElement>();
export const result = createRef<HTMLElement>();

/** Focuses the errors of a painted cube, where they are marked, or the text. */
export function focusPosition(): void {
  const { checked } = shown.value;
  const isPainted = checked?.ok === false && checked.facelets !== undefined;
  tab.value = isPainted ? "paint" : "scramble";
  (isPainted ? messages : scramble).current!.focus();
}

/**
 * Shows the result when a search begins or ends: if it is below the input, the page scrolls to it
 * and focuses it. At the end of the search, a user who has moved elsewhere is not interrupted.
 */
export function showResult(begins: boolean): void {
  const focused = document.activeElement;
  const card = result.current!;
  const hasAsked = focused === start.current || question.current!.contains(focused);
  const hasFocus = focused === stop.current || (begins && hasAsked);
  const isFree = begins || hasFocus || focused === card || focused === document.body;
  if (ONE_COLUMN.matches && isFree) {
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  } else if (hasFocus && begins)
    // The button is about to be rendered.
    setTimeout(() => stop.current!.focus({ preventScroll: true }));
  else if (hasFocus) card.focus({ preventScroll: true });
}
