// The tree of steps: nested lists of buttons. One of them is a tab stop, and arrow keys move
// between them.

import { arrange, h, setAll, setChildren } from "../dom";
import { plural } from "../format";
import { ONE_COLUMN } from "../breakpoints";
import { allFrom, isSolved, totalOf, type Step } from "./attempt";
import { insertionCase, isReached, meaningOf, titleOf } from "./steps";

/** Actions on a step in the tree. */
interface TreeActions {
  /** Shows the step. */
  select: (step: Step) => void;
  /** Shows the step and focuses it. */
  open: (step: Step) => void;
  remove: (step: Step) => void;
  undo: () => void;
}

/** The elements of a step. */
interface Item {
  element: HTMLElement;
  button: HTMLElement;
  children: HTMLElement;
}

/** The tree, with one step selected. */
export class Tree {
  readonly element = h("ul", {
    class: "tree",
    "aria-label": "Steps",
    onkeydown: (event: KeyboardEvent) => this.onKey(event),
  });
  private root: Step | undefined;
  private selected: Step | undefined;
  private readonly items = new WeakMap<Step, Item>();

  constructor(private readonly actions: TreeActions) {}

  /** Shows these steps. If the focus is in the tree, it stays at the selected step. */
  show(root: Step, selected: Step): void {
    const hasFocus = this.element.contains(document.activeElement);
    this.root = root;
    this.selected = selected;
    arrange(this.element, [this.shown(root)]);
    if (hasFocus) this.focus();
  }

  /** Focuses the selected step. */
  focus(): void {
    this.items.get(this.selected!)?.button.focus();
  }

  /**
   * Updates a step. Facts become known one by one, so elements that may be about to be clicked
   * must not move.
   */
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
      step.note !== "" &&
        h(
          "span",
          { class: "has-note", title: step.note },
          "✎",
          h("span", { class: "hidden" }, "has a note"),
        ),
      step.parent &&
        h(
          "span",
          { class: "total" },
          String(total),
          h("span", { class: "hidden" }, total === 1 ? " move" : " moves"),
        ),
      !isSolved(step) && rest(step, total),
    );
    if (contents.innerHTML !== button.innerHTML) setChildren(button, ...contents.childNodes);
    arrange(
      children,
      step.children.map((child) => this.shown(child)),
    );
    children.hidden = step.children.length === 0;
    return element;
  }

  private item(step: Step): Item {
    const button = h("button", {
      type: "button",
      class: "step",
      onclick: (event: MouseEvent) => this.onClick(step, event),
    });
    const children = h("ul");
    const item = { element: h("li", {}, button, children), button, children };
    this.items.set(step, item);
    return item;
  }

  /** With a key, the view follows the step; with the pointer, only if it is out of sight. */
  private onClick(step: Step, { detail }: MouseEvent): void {
    if (detail === 0 || ONE_COLUMN.matches) this.actions.open(step);
    else this.actions.select(step);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.actions.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "Delete" || event.key === "Backspace")
      this.actions.remove(this.selected!);
    else {
      const next = this.beside(event.key);
      if (!next) return;
      this.actions.select(next);
    }
    event.preventDefault();
  }

  /** Returns the step to which a key moves. */
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

/** Describes a step: its name or its reduction, and the reductions that it loses. */
export function badges(step: Step): HTMLElement[] {
  const { status, name, parent, reduction } = step;
  if (reduction === "" && !status)
    return [h("span", { class: "label", title: "Not analyzed yet" }, "…")];
  const before = parent?.reduction ?? "";
  const few = status ? insertionCase(status) : "";
  const text = name || few || (reduction === before ? "" : titleOf(reduction));
  const lost = status && before !== "" && !isReached(status, before) ? titleOf(before) : "";
  return [
    text !== "" &&
      h(
        "span",
        {
          class: isSolved(step) ? "badge good" : "badge",
          title: name ? null : meaningOf(reduction),
        },
        text,
      ),
    lost !== "" &&
      h(
        "span",
        { class: "badge bad", title: `${lost} was reached before this step` },
        `${lost} lost`,
      ),
  ].filter((badge) => badge !== false);
}

/** Describes the total with the shortest finish from a step, as proven or as claimed by a link. */
function rest({ rest, claimed, parent }: Step, total: number): HTMLElement | null {
  const number = rest ?? claimed;
  if (number === null) return null;
  const length = parent
    ? `${number} more: ${total + number}, or fewer if moves cancel`
    : `${number} at best`;
  return h(
    "span",
    {
      class: "rest",
      title: `The shortest finish from here takes ${plural(number, "move")}, ${rest === null ? "according to the link, not proven" : "proven"}`,
    },
    length,
    rest === null && ", according to the link",
  );
}
