// The result of a review, to which the page scrolls.

import { createRef } from "preact";
import { ONE_COLUMN } from "../breakpoints";

export const result = createRef<HTMLElement>();

/**
 * Shows the result when a review begins or ends: if it is below the form, the page scrolls to it
 * and focuses it. At the end, a user who has moved elsewhere is not interrupted.
 */
export function showResult(begins: boolean): void {
  const focused = document.activeElement;
  const card = result.current!;
  const hasFocus = card.contains(focused);
  if (ONE_COLUMN.matches && (begins || hasFocus || focused === document.body)) {
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  } else if (hasFocus && !begins) card.focus({ preventScroll: true });
}
