// Shortcuts: keys that press the buttons of the shown view, unless the focus is in a field.

/** The element that each key presses, as a selector. */
const KEYS: Record<string, string> = {
  Escape: ".running button, dialog[open] .close",
  " ": ".controls .play",
  ArrowLeft: '.controls [aria-label="Previous move"]',
  ArrowRight: '.controls [aria-label="Next move"]',
  r: ".random",
  p: "#paint-tab",
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
    (tabOf(each) ?? each).checkVisibility(),
  );
  if (!element) return;
  event.preventDefault();
  tabOf(element)?.click();
  element.focus({ preventScroll: key === " " });
  if (element.tagName !== "TEXTAREA") element.click();
});

/** The tab that an element is behind, if there is one. */
function tabOf(element: Element): HTMLElement | null {
  const panel = element.closest('[role="tabpanel"]');
  return panel && document.getElementById(panel.getAttribute("aria-labelledby")!);
}
