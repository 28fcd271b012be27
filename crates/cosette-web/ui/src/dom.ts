// Short functions that create and modify elements.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/**
 * Creates an element. Properties named `on…` become listeners, all others attributes; `true` sets
 * an attribute without a value, or an ARIA attribute to "true".
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAll(element, props);
  setChildren(element, ...children);
  return element;
}

/** Creates an SVG element, like `h` for HTML. */
export function svgElement(tag: string, props: Props, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(element, props);
  setChildren(element, ...children);
  return element;
}

/** Sets attributes and listeners, like `h`. */
export function setAll(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === false || value === null || value === undefined)
      element.removeAttribute(name);
    else
      element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** Sets the text of an element if it differs, so that screen readers do not repeat it. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the children of an element. */
export function setChildren(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter(
      (child): child is Node | string => child !== null && child !== undefined && child !== false,
    ),
  );
}

let lastId = 0;

/** Returns a new element id. */
export function newId(name: string): string {
  lastId += 1;
  return `${name}-${lastId}`;
}

/** Creates a control with a label above it, and a hint or an error below it. */
export function field(
  label: string,
  control: HTMLElement,
  hint?: string | HTMLElement,
): HTMLElement {
  control.id ||= newId("field");
  const below = typeof hint === "string" ? h("small", {}, hint) : hint;
  if (below) {
    below.id ||= newId("hint");
    setAll(control, {
      "aria-describedby": [below.id, control.getAttribute("aria-describedby")]
        .filter(Boolean)
        .join(" "),
    });
  }
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, below);
}

/** Creates a select element with these values and texts. */
export function select(options: [value: string, text: string][], value: string): HTMLSelectElement {
  return h(
    "select",
    {},
    ...options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
  );
}

/** Calls `act` when Enter is pressed in a text field; Shift+Enter begins a new line. */
export function onEnter(field: HTMLElement, act: () => void): void {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    act();
  });
}

/**
 * Replaces the children of an element without touching those that stay: one of them may have the
 * focus, or be about to be clicked.
 */
export function arrange(element: Element, children: Element[]): void {
  for (const [at, child] of children.entries()) {
    const there = element.children[at] ?? null;
    if (there !== child) element.insertBefore(child, there);
  }
  while (element.children.length > children.length) element.lastChild!.remove();
}
