// Pictures of the named goals, to choose a goal and its variant.

import { colorName, onAppearance } from "../cube/appearance";
import type { Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { field, h, newId, select, setChildren } from "../dom";
import { capital } from "../format";
import { GROUPS, SOLVED_GOAL, namedIn, type NamedGoal } from "./names";
import { ORIENTED, SPECIAL, pictureOf, variantNamed, variantsOf } from "./picture";

/** Any variant. */
const ANY = "";

/** The pictures and the variants. */
export class GoalPicker {
  private readonly group = newId("goal");
  private readonly variants = select([], ANY);
  /** The variants of the goal, if it has several. */
  readonly variant: HTMLElement;
  private readonly description = h("p", { class: "label" });
  readonly element: HTMLElement;
  /** The goal whose variants are listed. */
  private listed: NamedGoal | undefined;
  private shown = "";

  /** `onChoose` is called with the text of the goal. */
  constructor(onChoose: (text: string) => void) {
    this.variants.addEventListener("change", () =>
      onChoose(textOf(this.listed!, this.variants.value)),
    );
    this.variant = field("Variant", this.variants);
    const choice = (goal: NamedGoal): HTMLElement =>
      h(
        "label",
        { class: "goal", title: capital(goal.description) },
        h("input", {
          type: "radio",
          name: this.group,
          value: goal.name,
          onchange: () => onChoose(textOf(goal, this.variantFor(goal))),
        }),
        picture(goal),
        goal.title,
      );
    this.element = h(
      "div",
      { class: "picker" },
      ...GROUPS.map(({ title, goals }) =>
        h(
          "fieldset",
          {},
          h("legend", {}, title),
          h("div", { class: "goals" }, ...goals.map(choice)),
        ),
      ),
      this.description,
    );
    // Variants are named with their colors.
    onAppearance(() => {
      this.listed = undefined;
      this.show(this.shown);
    });
  }

  /** Selects the goal in a text, if it is a named goal; otherwise none. */
  show(text: string): void {
    this.shown = text;
    const named = namedIn(text);
    for (const radio of this.element.querySelectorAll("input"))
      radio.checked = radio.value === named?.goal.name;
    const goal = named?.goal;
    if (goal !== this.listed) {
      const variants = goal ? variantsOf(goal).map(({ names }) => names[0]!) : [];
      setChildren(
        this.variants,
        h("option", { value: ANY }, "any"),
        ...variants.map((variant) =>
          h(
            "option",
            { value: variant },
            variant.length === 1 ? `${variant}, ${colorName(variant as Facelet)}` : variant,
          ),
        ),
      );
      this.listed = goal;
    }
    // An invalid variant is reported where it is written.
    this.variants.value = (named && variantNamed(named)?.names[0]) ?? ANY;
    // The space is kept, so that nothing moves while the user types.
    this.variants.disabled = this.variants.options.length < 3;
    this.description.hidden = !goal || goal.name === SOLVED_GOAL;
    if (goal)
      setChildren(
        this.description,
        named.variant !== goal.defaultVariant && "For example, ",
        h("code", {}, textOf(goal, goal.defaultVariant)),
        ` is ${goal.description}.`,
      );
  }

  /** Returns the chosen variant, if the goal also has it. */
  private variantFor(goal: NamedGoal): string {
    const { value } = this.variants;
    return variantsOf(goal).some(({ names }) => names[0] === value) ? value : ANY;
  }
}

/** Returns the text of a variant of a goal; empty for the solved cube. */
function textOf({ name }: NamedGoal, variant: string): string {
  return name === SOLVED_GOAL ? "" : `${name}${variant && `:${variant}`}`;
}

/** Draws a goal: the facelets that it fixes. */
function picture(goal: NamedGoal): HTMLElement {
  const look = (facelet: Facelet | typeof ORIENTED): { fill: string; ink?: string } =>
    facelet === "."
      ? { fill: "var(--unconstrained)" }
      : facelet === ORIENTED
        ? { fill: "var(--oriented)", ink: "var(--on-oriented)" }
        : { fill: `var(--${facelet})` };
  const element = h("span", { class: "picture", "aria-hidden": true });
  element.innerHTML = svg(
    pictureOf(goal, goal.shownVariant ?? goal.defaultVariant),
    look,
    [],
    goal.view,
  );
  return element;
}

/**
 * Returns the fixed facelets of the named goal in a text, for its variant or the default one;
 * undefined if several variants are meant, or for another text.
 */
export function paintingOf(text: string): string | undefined {
  const named = namedIn(text);
  if (!named || named.goal.name in SPECIAL) return undefined;
  return variantNamed({
    ...named,
    variant: named.variant || named.goal.defaultVariant,
  })?.facelets.replaceAll(ORIENTED, ".");
}
