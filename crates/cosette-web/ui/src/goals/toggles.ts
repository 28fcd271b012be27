// Turns as toggle buttons, by layer; the name of a layer toggles all of its turns. One of them is a
// tab stop; arrow keys move between them.

import { NAMES, type Face } from "../cube/colors";
import { h, setAll } from "../dom";
import { LAYERS, turnsOf } from "./turns";

/** Number of buttons in a row: a layer and its turns. */
const COLUMNS = 4;

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

/** The buttons for some layers. */
export class TurnToggles {
  private readonly buttons: HTMLButtonElement[];
  readonly element: HTMLElement;
  private chosen = new Set<string>();

  /** `onChange` is called with all turns after each change. */
  constructor(
    name: string,
    layers: string[],
    private readonly onChange: (turns: Set<string>) => void,
  ) {
    const rows = layers.map((layer) => {
      const turns = turnsOf(layer);
      const face = LAYERS.faces.includes(layer) ? layer : null;
      const all = this.button(
        `All ${layer} turns`,
        h("span", { class: "facelet", "data-color": face }, face ? "" : layer),
        turns,
        face ? NAMES[face as Face] : "",
      );
      return h(
        "div",
        { class: "layer" },
        all,
        ...turns.map((turn) => this.button(turn, turn, [turn])),
      );
    });
    this.element = h(
      "div",
      {
        class: "toggles",
        role: "group",
        "aria-label": name,
        onkeydown: (event: KeyboardEvent) => this.onKey(event),
      },
      ...rows,
    );
    this.buttons = [...this.element.querySelectorAll("button")];
    this.buttons[0]!.tabIndex = 0;
  }

  /** Shows the chosen turns. */
  show(chosen: Set<string>): void {
    this.chosen = chosen;
    for (const button of this.buttons) {
      const turns = button.dataset.turns!.split(" ");
      const count = turns.filter((turn) => chosen.has(turn)).length;
      setAll(button, {
        "aria-pressed": count === turns.length ? "true" : count > 0 ? "mixed" : "false",
      });
    }
  }

  private button(
    name: string,
    shown: string | Node,
    turns: string[],
    title = "",
  ): HTMLButtonElement {
    return h(
      "button",
      {
        type: "button",
        class: "toggle",
        tabindex: -1,
        "aria-label": name,
        title: title || null,
        "data-turns": turns.join(" "),
        onclick: () => this.toggle(turns),
      },
      shown,
    );
  }

  private toggle(turns: string[]): void {
    const isOn = turns.every((turn) => this.chosen.has(turn));
    const rest = new Set([...this.chosen].filter((turn) => !turns.includes(turn)));
    this.onChange(isOn ? rest : new Set([...rest, ...turns]));
  }

  private onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const at = this.buttons.indexOf(event.target as HTMLButtonElement);
    const next = step === undefined ? undefined : this.buttons[at + step];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    if (!next) return;
    for (const button of this.buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  }
}
