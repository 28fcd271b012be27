// The elements of the view that are led to.

import { createRef } from "preact";
import { ONE_COLUMN } from "../breakpoints";
import { tab } from "../stores/input";
import { isUnfinishedFault, shown } from "../stores/position";

export const input = createRef<HTMLFormElement>();
export const scramble = createRef<HTMLTextAreaElement>();
export const messages = createRef<HTMLDivElement>();
export const start = createRef<HTMLButtonElement>();
export const question = createRef<HTMLDivElement>();
export const result = createRef<HTMLElement>();

const FIRST_BLANK = '#paint-panel .net [data-color="."]';

/**
 * Focuses the errors of a painted cube, where they are marked, or the first sticker that is left,
 * or the text.
 */
export function focusPosition(): void {
  const { checked } = shown.value;
  const isPainted = checked?.ok === false && checked.facelets !== undefined;
  tab.value = isPainted ? "paint" : "scramble";
  if (isUnfinishedFault.value)
    return input.current!.querySelector<HTMLElement>(FIRST_BLANK)!.focus();
  (isPainted ? messages : scramble).current!.focus();
  // The messages are shown with the next frame.
  requestAnimationFrame(() => messages.current!.scrollIntoView({ block: "nearest" }));
}

/** Leads from the answer to its input: to the net of a painted cube, or to the text. */
export function editPosition(): void {
  if (tab.value !== "paint") tab.value = "scramble";
  input.current!.scrollIntoView();
  const field = tab.value === "paint" ? "#paint-tab" : "textarea";
  input.current!.querySelector<HTMLElement>(field)!.focus({ preventScroll: true });
}

/** Moves the focus from the options, which cannot be changed during a search, to Stop. */
export function leaveOptions(): void {
  if (question.current!.contains(document.activeElement))
    start.current!.focus({ preventScroll: true });
}

/**
 * Leads to the result of a search that begins. Beside the input, it has only the focus, and only if
 * Enter began the search in the field, which would take the keys of the player.
 */
export function showResult(): void {
  if (ONE_COLUMN.matches) result.current!.scrollIntoView();
  else if (document.activeElement !== scramble.current) return;
  focusResult();
}

/** Focuses the result instead of Stop, which was shown beside it and becomes Solve elsewhere. */
export function leaveStop(): void {
  if (ONE_COLUMN.matches && document.activeElement === start.current) focusResult();
}

const focusResult = (): void => result.current!.focus({ preventScroll: true });
