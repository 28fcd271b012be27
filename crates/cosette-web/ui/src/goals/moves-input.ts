// The turns that may be made, and what else is asked of solutions. They are folded behind a summary.

import { field, h, select, setAll, setText } from "../dom";
import type { SolveRequest, TurnMetric } from "../protocol";
import { NumberField } from "../solve/number";
import { UP_TO, requestOf, type Asked } from "./asked";
import { CheckedText } from "./text";
import { TurnToggles } from "./toggles";
import { LAYERS, PRESETS, USUAL, readTurns, writeTurns } from "./turns";
import { turnWords } from "./words";

/** What is asked beside the goal. */
type Own = Omit<Asked, "to">;

/** The texts that are asked after beside the turns: their labels and hints. */
const TEXTS: [name: "starts" | "ends" | "avoid" | "cost", label: string, hint: string][] = [
  ["starts", "Solutions begin with", "moves, as R U"],
  ["ends", "Solutions end with", "moves, as F2"],
  ["avoid", "They do not contain", "sequences with commas between them, as F2, R L"],
  ["cost", "Costs of moves", "where not as the metric counts them, as R2=2 B=3"],
];

/** The controls. */
export class MovesInput {
  private readonly summary = h("span");
  private readonly text = new CheckedText("Moves as text", "R stands for R, R2 and R'; R+ for R alone", (moves) => this.questionAbout("moves", moves), () => (this.show(), this.more.cost.checkSoon()));
  private readonly toggles = (["faces", "slices", "wide", "rotations"] as const).map((kind) => new TurnToggles(KINDS[kind], LAYERS[kind], (turns) => this.choose(turns)));
  private readonly slack = new NumberField("Solutions may be longer by", "slack");
  private readonly upTo = select(UP_TO, "");
  private readonly more = Object.fromEntries(TEXTS.map(([name, label, hint]) => [name, new CheckedText(label, hint, (text) => this.questionAbout(name, text), () => this.text.checkSoon())])) as Record<(typeof TEXTS)[number][0], CheckedText>;
  /** The buttons of the sets that have names, by their turns; none stands for the usual ones. */
  private readonly presets = new Map(
    [["As usual", "", "All that are usual in the metric"] as const, ...PRESETS].map(([name, turns, title]) => [
      writeTurns(readTurns(turns)),
      h("button", { type: "button", class: "quiet", title, onclick: () => this.choose(readTurns(turns)) }, name),
    ]),
  );
  readonly fields: HTMLFieldSetElement;
  readonly element: HTMLDetailsElement;
  private usual: TurnMetric = "htm";

  /** `onChange` is called after each change by the user. */
  constructor(private readonly onChange: () => void) {
    const [faces, ...others] = this.toggles.map(({ element }) => element);
    this.fields = h(
      "fieldset",
      { class: "stacked", "aria-label": "Moves", onchange: () => (this.show(), this.onChange()) },
      h("div", { class: "presets", role: "group", "aria-label": "Sets of moves" }, ...this.presets.values()),
      faces!,
      h("details", { class: "options" }, h("summary", {}, "Slices, wide moves, rotations"), ...others),
      this.text.element,
      h("details", { class: "options" }, h("summary", {}, "More about the solutions"), h("div", { class: "fields" }, this.slack.element, field("Similar solutions", this.upTo), ...TEXTS.map(([name]) => this.more[name].element))),
    );
    this.element = h("details", { class: "options moves-input", name: "question" }, h("summary", {}, "Moves: ", this.summary), this.fields);
    this.show();
  }

  /** What is asked. */
  get chosen(): Own {
    const { starts, ends, avoid, cost } = this.more;
    return { moves: this.text.value.trim(), slack: this.slack.value, upTo: this.upTo.value, starts: starts.value, ends: ends.value, avoid: avoid.value, cost: cost.value };
  }

  set chosen({ moves, slack, upTo, ...texts }: Own) {
    this.text.value = moves;
    this.slack.value = slack;
    this.upTo.value = upTo;
    for (const [name] of TEXTS) this.more[name].value = texts[name];
    this.show();
  }

  /** The metric, which says what is usual. */
  set metric(metric: TurnMetric) {
    if (metric !== this.usual) this.text.checkSoon();
    this.usual = metric;
    this.show();
  }

  /** The texts that the engine checks. */
  get texts(): CheckedText[] {
    return [this.text, ...Object.values(this.more)];
  }

  /** The number that may be wrong. */
  get numbers(): NumberField[] {
    return [this.slack];
  }

  /** Costs are those of moves that are allowed, and with one of its own a rotation is. */
  private questionAbout(name: string, text: string): Partial<SolveRequest> {
    const { moves, cost } = this.chosen;
    return { metric: this.usual, ...requestOf({ ...(["moves", "cost"].includes(name) && { moves, cost }), [name]: text }) };
  }

  private get usualText(): string {
    return writeTurns(readTurns(USUAL[this.usual]));
  }

  private choose(turns: Set<string>): void {
    const written = writeTurns(turns);
    this.text.value = written === this.usualText ? "" : written;
    this.show();
    this.onChange();
  }

  private show(): void {
    const { moves, slack, ...others } = this.chosen;
    const turns = readTurns(moves || USUAL[this.usual]);
    this.text.placeholder = USUAL[this.usual];
    for (const toggles of this.toggles) toggles.show(turns);
    for (const [preset, button] of this.presets) setAll(button, { "aria-pressed": (preset || this.usualText) === writeTurns(turns) });
    const isMore = Object.values(others).some((text) => text.trim() !== "");
    const parts = [turnWords(moves) || USUAL_WORDS[this.usual], slack && `up to ${slack} longer`, isMore && "with conditions"];
    setText(this.summary, parts.filter(Boolean).join(", "));
  }
}

/** The names of the kinds of layers. */
const KINDS = { faces: "Turns of faces", slices: "Turns of slices", wide: "Wide turns", rotations: "Rotations" };

/** What is usual, in words. */
const USUAL_WORDS: Record<TurnMetric, string> = { htm: "turns of faces", qtm: "turns of faces", stm: "turns of faces and slices", qstm: "turns of faces and slices", etm: "all turns" };
