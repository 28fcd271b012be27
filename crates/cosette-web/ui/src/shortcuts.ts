// Shortcuts: keys that press the visible buttons of the page, unless the focus is in a field.

/** The element that each key presses, as a selector. */
const KEYS: Record<string, string> = {
  Escape: ".running button, dialog[open] .close",
  " ": ".controls .play",
  ArrowLeft: '.controls [aria-label="Previous move"]',
  ArrowRight: '.controls [aria-label="Next move"]',
  r: ".random",
  p: ".paint > summary",
  s: ".share-answer",
  "/": "textarea",
};

/** Fields, and other elements that handle keys themselves. */
const OWN_KEYS = "input, textarea, select, .net, .tree, .presenting *, [contenteditable]";

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  const selector = KEYS[key];
  if (selector === undefined || event.defaultPrevented || ctrlKey || altKey || metaKey) return;
  const isOwn = target instanceof Element && target.closest(OWN_KEYS) !== null;
  const presses = target instanceof Element && target.matches("button, a, summary");
  // Escape stops a search even from a field.
  if (key !== "Escape" && (isOwn || (key === " " && presses))) return;
  const element = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
    each.checkVisibility(),
  );
  if (!element) return;
  event.preventDefault();
  element.focus({ preventScroll: key === " " });
  if (element.tagName !== "TEXTAREA") element.click();
});
