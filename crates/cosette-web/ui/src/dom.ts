// Elements made and changed in few words.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element: `on…` properties become listeners, all others attributes; `true` is the bare attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAll(element, props);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets attributes and listeners, as `h` does. */
export function setAll(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Puts text where other text is; nothing is done where it is the same, so that screen readers keep quiet. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts these children in the place of all others. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

let numbers = 0;

/** A new id, for labels. */
export function newId(name: string): string {
  numbers += 1;
  return `${name}-${numbers}`;
}

/** A labelled control, the label above. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id ||= newId("field");
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, hint && h("small", {}, hint));
}

/** A select of these values, each with what is shown. */
export function select(options: [value: string, shown: string][], value: string): HTMLSelectElement {
  return h("select", {}, ...options.map(([name, shown]) => h("option", { value: name, selected: name === value }, shown)));
}

/** Gives the user a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
