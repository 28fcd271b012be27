// The keys of the whole page, for who is not typing: they press the buttons that are on the screen.

/** What each key presses, by selector. */
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

/** Fields, and elements that have keys of their own. */
const OWN_KEYS = "input, textarea, select, .net, .tree, .presenting *, [contenteditable]";

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  const selector = KEYS[key];
  if (selector === undefined || event.defaultPrevented || ctrlKey || altKey || metaKey) return;
  const isOwn = target instanceof Element && target.closest(OWN_KEYS) !== null;
  const presses = target instanceof Element && target.matches("button, a, summary");
  // A search is stopped from wherever one is.
  if (key !== "Escape" && (isOwn || (key === " " && presses))) return;
  const element = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
    each.checkVisibility(),
  );
  if (!element) return;
  event.preventDefault();
  element.focus({ preventScroll: key === " " });
  if (element.tagName !== "TEXTAREA") element.click();
});
