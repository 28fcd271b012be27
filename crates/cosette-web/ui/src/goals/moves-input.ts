// The allowed moves and the constraints on solutions, folded behind a summary.

import { field, h, select, setAll, setText } from "../dom";
import type { SolveRequest, TurnMetric } from "../protocol";
import { plural } from "../format";
import { NumberField } from "../solve/number-field";
import { EQUIVALENCES, requestOf, type GoalOptions } from "./goal-options";
import { CheckedText } from "./checked-text";
import { TurnToggles } from "./toggles";
import { DEFAULT_TURNS, LAYERS, PRESETS, readTurns, writeTurns } from "./turns";
import { turnWords } from "./describe";

/** The goal options apart from the goal itself. */
type Own = Omit<GoalOptions, "goal">;

/** The text fields next to the moves: their labels and hints. */
const TEXTS: [name: "startsWith" | "endsWith" | "avoid" | "costs", label: string, hint: string][] =
  [
    ["startsWith", "Required prefix", "for example R U"],
    ["endsWith", "Required suffix", "for example F2"],
    ["avoid", "Excluded sequences", "comma-separated, for example F2, R L"],
    ["costs", "Move costs", "override the metric, for example R2=2 B=3"],
  ];

/** The controls. */
export class MovesInput {
  private readonly summary = h("span");
  private readonly text = new CheckedText(
    "Moves as text",
    "R means R, R2 and R'; R+ means R only",
    (moves) => this.requestAbout("moves", moves),
    () => (this.show(), this.more.costs.checkSoon()),
  );
  private readonly toggles = (["faces", "slices", "wide", "rotations"] as const).map(
    (kind) => new TurnToggles(KINDS[kind], LAYERS[kind], (turns) => this.choose(turns)),
  );
  private readonly slack = new NumberField("Extra moves allowed", "slack");
  private readonly uniqueUpTo = select(EQUIVALENCES, "");
  private readonly more = Object.fromEntries(
    TEXTS.map(([name, label, hint]) => [
      name,
      new CheckedText(
        label,
        hint,
        (text) => this.requestAbout(name, text),
        () => this.text.checkSoon(),
      ),
    ]),
  ) as Record<(typeof TEXTS)[number][0], CheckedText>;
  /** The buttons of the named sets, by their moves; an empty set denotes the default. */
  private readonly presets = new Map(
    [["Default moves", "", "Default moves of the metric"] as const, ...PRESETS].map(
      ([name, turns, title]) => [
        writeTurns(readTurns(turns)),
        h(
          "button",
          { type: "button", class: "quiet", title, onclick: () => this.choose(readTurns(turns)) },
          name,
        ),
      ],
    ),
  );
  readonly fields: HTMLFieldSetElement;
  readonly element: HTMLDetailsElement;
  private currentMetric: TurnMetric = "htm";

  /** `onChange` is called after each change by the user. */
  constructor(private readonly onChange: () => void) {
    const [faces, ...others] = this.toggles.map(({ element }) => element);
    this.fields = h(
      "fieldset",
      { class: "stacked", "aria-label": "Moves", onchange: () => (this.show(), this.onChange()) },
      h(
        "div",
        { class: "presets", role: "group", "aria-label": "Move sets" },
        ...this.presets.values(),
      ),
      faces!,
      h(
        "details",
        { class: "options" },
        h("summary", {}, "Slices, wide moves, rotations"),
        ...others,
      ),
      this.text.element,
      h(
        "details",
        { class: "options" },
        h("summary", {}, "Filter solutions"),
        h(
          "div",
          { class: "fields" },
          this.slack.element,
          field("Equivalent solutions", this.uniqueUpTo),
          ...TEXTS.map(([name]) => this.more[name].element),
        ),
      ),
    );
    this.element = h(
      "details",
      { class: "options moves-input", name: "question" },
      h("summary", {}, "Moves: ", this.summary),
      this.fields,
    );
    this.show();
  }

  /** Returns the chosen options. */
  get chosen(): Own {
    const { startsWith, endsWith, avoid, costs } = this.more;
    return {
      moves: this.text.value.trim(),
      slack: this.slack.value,
      uniqueUpTo: this.uniqueUpTo.value,
      startsWith: startsWith.value,
      endsWith: endsWith.value,
      avoid: avoid.value,
      costs: costs.value,
    };
  }

  set chosen({ moves, slack, uniqueUpTo, ...texts }: Own) {
    this.text.value = moves;
    this.slack.value = slack;
    this.uniqueUpTo.value = uniqueUpTo;
    for (const [name] of TEXTS) this.more[name].value = texts[name];
    this.show();
  }

  /** Sets the metric, which determines the default. */
  set metric(metric: TurnMetric) {
    if (metric !== this.currentMetric) this.text.checkSoon();
    this.currentMetric = metric;
    this.show();
  }

  /** Returns the texts that the engine checks. */
  get texts(): CheckedText[] {
    return [this.text, ...Object.values(this.more)];
  }

  /** Returns the number fields, which may be invalid. */
  get numbers(): NumberField[] {
    return [this.slack];
  }

  /** Costs apply to allowed moves only, and a rotation with a cost is an allowed move. */
  private requestAbout(name: string, text: string): Partial<SolveRequest> {
    const { moves, costs } = this.chosen;
    return {
      metric: this.currentMetric,
      ...requestOf({ ...(["moves", "costs"].includes(name) && { moves, costs }), [name]: text }),
    };
  }

  private get defaultText(): string {
    return writeTurns(readTurns(DEFAULT_TURNS[this.currentMetric]));
  }

  private choose(turns: Set<string>): void {
    const written = writeTurns(turns);
    this.text.value = written === this.defaultText ? "" : written;
    this.show();
    this.onChange();
  }

  private show(): void {
    const { moves, slack, ...others } = this.chosen;
    const turns = readTurns(moves || DEFAULT_TURNS[this.currentMetric]);
    this.text.placeholder = DEFAULT_TURNS[this.currentMetric];
    for (const toggles of this.toggles) toggles.show(turns);
    for (const [preset, button] of this.presets)
      setAll(button, { "aria-pressed": (preset || this.defaultText) === writeTurns(turns) });
    const isMore = Object.values(others).some((text) => text.trim() !== "");
    const parts = [
      turnWords(moves) || DEFAULT_TURNS_TEXT[this.currentMetric],
      slack && `up to ${plural(Number(slack), "extra move")}`,
      isMore && "with constraints",
    ];
    setText(this.summary, parts.filter(Boolean).join(", "));
  }
}

/** Names of the kinds of layers. */
const KINDS = {
  faces: "Face turns",
  slices: "Slice moves",
  wide: "Wide moves",
  rotations: "Rotations",
};

/** The default moves in words. */
const DEFAULT_TURNS_TEXT: Record<TurnMetric, string> = {
  htm: "face turns",
  qtm: "face turns",
  stm: "face turns and slices",
  qstm: "face turns and slices",
  etm: "all moves",
};
