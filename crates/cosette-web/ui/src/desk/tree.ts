// The tree of steps: nested lists of buttons, of which one is a tab stop and arrow keys lead to the others.

import { arrange, h, setAll, setChildren } from "../dom";
import { plural } from "../format";
import { ONE_COLUMN } from "../screen";
import { allFrom, isSolved, totalOf, type Step } from "./attempt";
import { isReached, leftFew, meaningOf, titleOf } from "./steps";

/** What is asked of a step in the tree. */
interface TreeActions {
  /** Shows it. */
  select: (step: Step) => void;
  /** Shows it and leads to it. */
  open: (step: Step) => void;
  remove: (step: Step) => void;
  undo: () => void;
}

/** What a step is shown with. */
interface Item {
  element: HTMLElement;
  button: HTMLElement;
  children: HTMLElement;
}

/** Shows the steps and which one is selected. */
export class Tree {
  readonly element = h("ul", { class: "tree", "aria-label": "Steps", onkeydown: (event: KeyboardEvent) => this.onKey(event) });
  private root: Step | undefined;
  private selected: Step | undefined;
  private readonly items = new WeakMap<Step, Item>();

  constructor(private readonly actions: TreeActions) {}

  /** Shows these steps. The focus stays at the selected one if it is in the tree. */
  show(root: Step, selected: Step): void {
    const hasFocus = this.element.contains(document.activeElement);
    this.root = root;
    this.selected = selected;
    arrange(this.element, [this.shown(root)]);
    if (hasFocus) this.focus();
  }

  /** Leads to the selected step. */
  focus(): void {
    this.items.get(this.selected!)?.button.focus();
  }

  /** A step as it is now. What becomes known comes one by one, so that nothing is moved that may be about to be clicked. */
  private shown(step: Step): HTMLElement {
    const { element, button, children } = this.items.get(step) ?? this.item(step);
    const isSelected = step === this.selected;
    const total = totalOf(step);
    setAll(button, { tabindex: isSelected ? 0 : -1, "aria-current": isSelected ? "true" : null });
    const contents = h(
      "span",
      {},
      h("span", { class: "solution" }, step.parent ? step.moves || "no moves" : "Scramble"),
      ...badges(step),
      step.note !== "" && h("span", { class: "has-note", title: step.note }, "✎", h("span", { class: "hidden" }, "has a note")),
      step.parent && h("span", { class: "total" }, String(total), h("span", { class: "hidden" }, total === 1 ? " move" : " moves")),
      !isSolved(step) && rest(step, total),
    );
    if (contents.innerHTML !== button.innerHTML) setChildren(button, ...contents.childNodes);
    arrange(children, step.children.map((child) => this.shown(child)));
    children.hidden = step.children.length === 0;
    return element;
  }

  private item(step: Step): Item {
    const button = h("button", { type: "button", class: "step", onclick: (event: MouseEvent) => this.onClick(step, event) });
    const children = h("ul");
    const item = { element: h("li", {}, button, children), button, children };
    this.items.set(step, item);
    return item;
  }

  /** Who presses a key on a step goes on to it; with the pointer, only where it is out of sight. */
  private onClick(step: Step, { detail }: MouseEvent): void {
    if (detail === 0 || ONE_COLUMN.matches) this.actions.open(step);
    else this.actions.select(step);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.actions.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "Delete" || event.key === "Backspace") this.actions.remove(this.selected!);
    else {
      const next = this.beside(event.key);
      if (!next) return;
      this.actions.select(next);
    }
    event.preventDefault();
  }

  /** Where a key leads. */
  private beside(key: string): Step | undefined {
    const all = allFrom(this.root!);
    const at = all.indexOf(this.selected!);
    switch (key) {
      case "ArrowUp":
        return all[Math.max(at - 1, 0)];
      case "ArrowDown":
        return all[Math.min(at + 1, all.length - 1)];
      case "ArrowLeft":
        return this.selected!.parent ?? this.selected;
      case "ArrowRight":
        return this.selected!.children[0] ?? this.selected;
      case "Home":
        return all[0];
      case "End":
        return all.at(-1);
      default:
        return undefined;
    }
  }
}

/** What a step is called, or reaches, and what is lost by it. */
export function badges(step: Step): HTMLElement[] {
  const { here, name, parent, reached } = step;
  if (reached === "" && !here) return [h("span", { class: "label", title: "What it reaches is not known yet" }, "…")];
  const before = parent?.reached ?? "";
  const few = here ? leftFew(here) : "";
  const text = name || few || (reached === before ? "" : titleOf(reached));
  const lost = here && before !== "" && !isReached(here, before) ? titleOf(before) : "";
  return [
    text !== "" && h("span", { class: isSolved(step) ? "badge good" : "badge", title: name ? null : meaningOf(reached) }, text),
    lost !== "" && h("span", { class: "badge bad", title: `${lost} was reached before this step` }, `${lost} lost`),
  ].filter((badge) => badge !== false);
}

/** What the shortest finish from a step makes of it, as it is proven or as a link says. */
function rest({ rest, claimed, parent }: Step, total: number): HTMLElement | null {
  const number = rest ?? claimed;
  if (number === null) return null;
  const length = parent ? `${number} more: ${total + number}, or less if moves cancel` : `${number} at best`;
  return h("span", { class: "rest", title: `The shortest finish from here takes ${plural(number, "move")}, ${rest === null ? "says the link; not proven here" : "proven"}` }, length, rest === null && ", says the link");
}
