// Shortcuts: keys that press the buttons of the shown view, unless the focus is in a field.

/** A shortcut. */
export interface Shortcut {
  /** Name of the key, on the page and as `KeyboardEvent.key`. */
  name: string;
  key: string;
  does: string;
  /** Selector of the element that the key presses; a field handles its keys itself. */
  target?: string;
  /** Selector of the element that has the focus then, if it is not the one that is pressed. */
  leadsTo?: string;
  /** `true` if the key works while the element is hidden. */
  isEverywhere?: true;
}

export const SHORTCUTS: Shortcut[] = [
  { name: "Enter", key: "Enter", does: "Solve, in a field" },
  {
    name: "Esc",
    key: "Escape",
    does: "Stop the search, leave a field, or close",
    target: '.stop, .running button:not([type="submit"])',
  },
  { name: "Space", key: " ", does: "Play or pause", target: ".controls .play" },
  {
    name: "←",
    key: "ArrowLeft",
    does: "Previous move",
    target: '.controls [aria-label="Previous move"]',
  },
  { name: "→", key: "ArrowRight", does: "Next move", target: '.controls [aria-label="Next move"]' },
  {
    name: "R",
    key: "r",
    does: "Random cube",
    target: ".random",
    leadsTo: ".solve > .result",
  },
  {
    name: "P",
    key: "p",
    does: "Paint your cube",
    target: "#paint-tab",
    leadsTo: '#paint-panel .net [tabindex="0"]',
  },
  { name: "S", key: "s", does: "Share the answer", target: ".share-answer" },
  { name: "F", key: "f", does: "Full screen, and back", target: ".present" },
  { name: "/", key: "/", does: "Enter a scramble", target: "textarea" },
  {
    name: "?",
    key: "?",
    does: "Keyboard shortcuts",
    target: ".shortcuts-button",
    isEverywhere: true,
  },
];

/** Fields, and other elements that handle keys themselves. */
const OWN_KEYS = "input, textarea, select, .net, .tree, [role=slider], [contenteditable]";

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  const shortcut = SHORTCUTS.find((each) => each.key === key);
  if (shortcut?.target === undefined || event.defaultPrevented || ctrlKey || altKey || metaKey)
    return;
  const isOwn = target instanceof Element && handles(target, key);
  const presses =
    target instanceof Element && target.matches("button, a, summary") && !isOfPlayer(target);
  // Escape stops a search even from a field.
  if (key !== "Escape" && (isOwn || (key === " " && presses))) return;
  // Nothing behind a dialog is pressed.
  const shown = document.querySelector("dialog[open]") ?? document;
  const element = [...shown.querySelectorAll<HTMLElement>(shortcut.target)].find(
    (each) => shortcut.isEverywhere || (tabOf(each) ?? each).checkVisibility(),
  );
  if (!element) {
    // Outside of a field, the other keys work.
    if (key === "Escape" && target instanceof HTMLElement && target.matches("input, textarea"))
      target.blur();
    return;
  }
  event.preventDefault();
  tabOf(element)?.click();
  element.focus({ preventScroll: key === " " });
  // A key that is held plays once.
  const isHeld = key === " " && event.repeat;
  if (element.tagName !== "TEXTAREA" && !isHeld) element.click();
  if (shortcut.leadsTo) document.querySelector<HTMLElement>(shortcut.leadsTo)!.focus();
});

// The space bar has played already; some browsers press a button when it is released.
document.addEventListener("keyup", (event) => {
  const { key, target } = event;
  if (key === " " && target instanceof Element && isOfPlayer(target)) event.preventDefault();
});

/** Returns `true` for the buttons of a player, on any of which the space bar plays. */
const isOfPlayer = (element: Element): boolean => element.matches(".controls button");

/**
 * Returns `true` if an element handles a key itself; a slider handles no letters, and only fields
 * handle the signs.
 */
function handles(element: Element, key: string): boolean {
  const isLetter = /^\S$/.test(key);
  const isSign = /^[/?]$/.test(key);
  const isFree =
    (isLetter && element.matches('[type="range"]')) ||
    (isSign && !element.matches("input, textarea, [contenteditable]"));
  return element.closest(OWN_KEYS) !== null && !isFree;
}

/** The tab that an element is behind, if there is one. */
function tabOf(element: Element): HTMLElement | null {
  const panel = element.closest('[role="tabpanel"]');
  return panel && document.getElementById(panel.getAttribute("aria-labelledby")!);
}
