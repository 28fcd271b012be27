// The presentation, in which the player fills the window, and its keys.

import { effect, signal, untracked } from "@preact/signals";
import { createRef } from "preact";
import { enterPresentation, leavePresentation } from "../solve/address";
import { player } from "./player";
import { answered } from "./search";

export const isPresenting = signal(false);

/** The play button, which has the focus during a presentation. */
export const play = createRef<HTMLButtonElement>();

/** `true` if the history has an entry for the presentation, which "back" leaves. */
let hasEntry = false;

effect(() => void document.documentElement.classList.toggle("presenting", isPresenting.value));

// Without a solution, there is nothing to present.
effect(() => {
  if (!answered.value) untracked(endPresentation);
});

const focusPlay = (): void => play.current!.focus({ preventScroll: true });

/** Begins a presentation. */
export function present(): void {
  isPresenting.value = true;
  enterPresentation();
  hasEntry = true;
  focusPlay();
  // A browser may refuse the full screen; the window is filled anyway.
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

/** Ends the presentation, if there is one. */
export function endPresentation(): void {
  if (!isPresenting.value) return;
  isPresenting.value = false;
  if (document.fullscreenElement) void document.exitFullscreen();
  if (hasEntry) history.back();
}

/** Returns `true` if keys lead the presentation: there is one, and no dialog above it. */
const isLed = (): boolean => isPresenting.value && !document.querySelector("dialog[open]");

// Captured before the shortcuts of the page, to which the other keys are left.
document.addEventListener("keydown", (event) => isLed() && onKey(event), { capture: true });
// Some browsers press a button when the key is released.
document.addEventListener("keyup", (event) => isLed() && isSpace(event) && event.preventDefault());
document.addEventListener(
  "fullscreenchange",
  () => document.fullscreenElement === null && endPresentation(),
);
// The history is back at the entry before the presentation, with the same position.
window.addEventListener("popstate", (event) => {
  if (!hasEntry) return;
  event.stopImmediatePropagation();
  hasEntry = false;
  endPresentation();
  leavePresentation();
});

function onKey(event: KeyboardEvent): void {
  const { key, target } = event;
  // Sliders and the speed selection handle arrow keys, Home and End themselves.
  const isOwn = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (key === "Escape") endPresentation();
  else if (isSpace(event)) player.toggle();
  else if (key === "PageDown" || (key === "ArrowRight" && !isOwn)) player.step(1);
  else if (key === "PageUp" || (key === "ArrowLeft" && !isOwn)) player.step(-1);
  else if (key === "Home" && !isOwn) player.goTo(0);
  else if (key === "End" && !isOwn) player.goTo(player.count.value);
  else return;
  event.preventDefault();
  // The next space plays, even if another button was clicked before.
  if (key !== " " && target instanceof HTMLButtonElement) focusPlay();
}

/**
 * Returns `true` if a key plays: the space bar, unless a control focused by keyboard handles it.
 */
function isSpace({ key, target }: KeyboardEvent): boolean {
  return (
    key === " " &&
    !(target instanceof Element && target.matches("select, a, summary, button:focus-visible"))
  );
}
