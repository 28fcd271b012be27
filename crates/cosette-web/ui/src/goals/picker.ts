// The named goals as pictures, of which one is chosen, and its place.

import { colourName, onAppearance } from "../cube/appearance";
import type { Facelet } from "../cube/colours";
import { svg } from "../cube/drawing";
import { field, h, newId, select, setChildren } from "../dom";
import { capital } from "../format";
import { GROUPS, SOLVED_GOAL, namedIn, type Named } from "./names";
import { ORIENTED, SPECIAL, pictureOf, placeNamed, placesOf } from "./picture";

/** Any place. */
const ANY = "";

/** The pictures and the places. */
export class GoalPicker {
  private readonly group = newId("goal");
  private readonly places = select([], ANY);
  /** The places of the goal, where it has several. */
  readonly place: HTMLElement;
  private readonly meaning = h("p", { class: "label" });
  readonly element: HTMLElement;
  /** The goal of which the places are listed. */
  private listed: Named | undefined;
  private shown = "";

  /** `onChoose` is called with the text of the goal. */
  constructor(onChoose: (text: string) => void) {
    this.places.addEventListener("change", () => onChoose(textOf(this.listed!, this.places.value)));
    this.place = field("Place", this.places);
    const choice = (goal: Named): HTMLElement =>
      h(
        "label",
        { class: "goal", title: capital(goal.meaning) },
        h("input", { type: "radio", name: this.group, value: goal.name, onchange: () => onChoose(textOf(goal, this.placeFor(goal))) }),
        picture(goal),
        goal.title,
      );
    this.element = h(
      "div",
      { class: "picker" },
      ...GROUPS.map(({ title, goals }) => h("fieldset", {}, h("legend", {}, title), h("div", { class: "goals" }, ...goals.map(choice)))),
      this.meaning,
    );
    // Places are named with their colours.
    onAppearance(() => {
      this.listed = undefined;
      this.show(this.shown);
    });
  }

  /** Chooses what a text says, if that is a named goal; else none is chosen. */
  show(text: string): void {
    this.shown = text;
    const named = namedIn(text);
    for (const radio of this.element.querySelectorAll("input")) radio.checked = radio.value === named?.goal.name;
    const goal = named?.goal;
    if (goal !== this.listed) {
      const places = goal ? placesOf(goal).map(({ names }) => names[0]!) : [];
      setChildren(this.places, h("option", { value: ANY }, "any"), ...places.map((place) => h("option", { value: place }, place.length === 1 ? `${place}, ${colourName(place as Facelet)}` : place)));
      this.listed = goal;
    }
    // A place that the goal does not have is said to be wrong where it is written.
    this.places.value = (named && placeNamed(named)?.names[0]) ?? ANY;
    // It keeps its seat, so that nothing moves under who types.
    this.places.disabled = this.places.options.length < 3;
    this.meaning.hidden = !goal || goal.name === SOLVED_GOAL;
    if (goal) setChildren(this.meaning, named.place !== goal.place && "For example, ", h("code", {}, textOf(goal, goal.place)), ` is ${goal.meaning}.`);
  }

  /** The chosen place, if the goal has it too. */
  private placeFor(goal: Named): string {
    const { value } = this.places;
    return placesOf(goal).some(({ names }) => names[0] === value) ? value : ANY;
  }
}

/** The text of a goal at a place; empty for the solved cube. */
function textOf({ name }: Named, place: string): string {
  return name === SOLVED_GOAL ? "" : `${name}${place && `:${place}`}`;
}

/** What is seen of a goal: the facelets that it fixes. */
function picture(goal: Named): HTMLElement {
  const look = (facelet: Facelet | typeof ORIENTED): { fill: string; ink?: string } =>
    facelet === "." ? { fill: "var(--unasked)" } : facelet === ORIENTED ? { fill: "var(--oriented)", ink: "var(--on-oriented)" } : { fill: `var(--${facelet})` };
  const element = h("span", { class: "picture", "aria-hidden": true });
  element.innerHTML = svg(pictureOf(goal, goal.seen ?? goal.place), look, [], goal.view);
  return element;
}

/** The facelets of a named goal that have one colour, at its place or the usual one; none if there are several places, or of another text. */
export function paintingOf(text: string): string | undefined {
  const named = namedIn(text);
  if (!named || named.goal.name in SPECIAL) return undefined;
  return placeNamed({ ...named, place: named.place || named.goal.place })?.facelets.replaceAll(ORIENTED, ".");
}

