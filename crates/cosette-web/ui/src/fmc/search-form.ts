// The form that searches for steps that may follow a step: all solutions of the next step, full
// skeletons, insertions, the shortest finish.

import { field, h, newId, select, setAll, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice } from "../ui/notice";
import type { ApiError, AttemptStatus } from "../protocol";
import { doneBy, isSolved, type Attempt, type Step, type StepResult } from "./attempt";
import { ResultList } from "./result-list";
import { written } from "./moves";
import {
  MAX_MOVES,
  findFinish,
  findInsertions,
  findSkeletons,
  findStepSolutions,
  type Search,
  type StepQuery,
} from "./search";
import {
  AXES,
  DEFAULT_MAX_MOVES,
  NAMES,
  defaultStepsAfter,
  furthestReduction,
  insertionCase,
  mayFollow,
  stepsAfter,
  type StepKind,
} from "./steps";

type Mode = "next" | "skeletons" | "insertions" | "finish";

const MODES: Record<Mode, string> = {
  next: "Next step",
  skeletons: "Full solutions",
  insertions: "Insertions",
  finish: "Shortest finish",
};

/** The sides, with the names of the engine. */
const SIDES: [value: string, text: string][] = [
  ["linear", "either side"],
  ["mixed", "NISS within the step"],
  ["none", "same side"],
];

/** The time limits for skeletons. */
const TIMES: [value: string, text: string][] = [
  ["10", "10 seconds"],
  ["60", "1 minute"],
];

/** The form and its results. */
export class SearchForm {
  private attempt: Attempt | undefined;
  private step: Step | undefined;
  private status: AttemptStatus | undefined;
  private mode: Mode = "next";
  private frame = 0;
  private error: ApiError | undefined;
  private readonly searches = new Map<Step, Partial<Record<Mode, Search>>>();
  private readonly modes = Object.fromEntries(
    Object.keys(MODES).map((mode) => [mode, this.modeChoice(mode as Mode)]),
  ) as Record<Mode, HTMLLabelElement>;
  private readonly kind = select([], "");
  private readonly maxMoves = select(
    [
      ["fewest", "minimum"],
      ...Array.from({ length: MAX_MOVES }, (_, i): [string, string] => [
        String(i + 1),
        String(i + 1),
      ]),
    ],
    "fewest",
  );
  private readonly axis = select([], "");
  private readonly niss = select(SIDES, "linear");
  private readonly steps = h("input", {
    type: "text",
    class: "solution",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
  });
  private readonly time = select(TIMES, "10");
  private readonly start = h("button", { type: "submit", class: "strong" }, "Find");
  private readonly stop = h(
    "button",
    { type: "button", class: "strong", onclick: () => this.search?.stop() },
    "Stop",
  );
  private readonly longer = h(
    "button",
    { type: "button", class: "quiet", onclick: () => this.findLonger() },
    "Search one move deeper",
  );
  private readonly headline = h("p", { class: "found", role: "status" });
  private readonly details = h("p", { class: "label" });
  private readonly bar = h("progress", { max: 100, "aria-label": "Search progress" });
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly results = new ResultList((steps) => this.onAdd(steps));
  private readonly hint = h(
    "p",
    { class: "label" },
    "New here? ",
    h(
      "button",
      { type: "button", class: "link", onclick: () => ((this.mode = "skeletons"), this.draw()) },
      "Full solutions",
    ),
    " searches all remaining steps at once.",
  );
  private readonly fields: Record<Mode, HTMLElement> = {
    next: h(
      "div",
      {},
      h(
        "div",
        { class: "fields four" },
        field("Step", this.kind),
        field("Max. moves", this.maxMoves),
        field("Axis", this.axis),
        field("Sides", this.niss),
      ),
      this.hint,
    ),
    skeletons: h(
      "div",
      { class: "fields skeletons" },
      field("Steps", this.steps),
      field("Time limit", this.time),
    ),
    insertions: h(
      "p",
      { class: "label" },
      "Inserts a short algorithm for the remaining pieces at every point of the " +
        "skeleton to find the most cancellations.",
    ),
    finish: h(
      "p",
      { class: "label" },
      "The shortest finish from here, regardless of steps. The proof may take a while.",
    ),
  };
  readonly element = h(
    "form",
    {
      class: "find",
      "aria-label": "Find",
      novalidate: true,
      onsubmit: (event: Event) => (event.preventDefault(), this.find()),
    },
    h(
      "div",
      { class: "row" },
      h("h3", {}, "Find the next step"),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": "Glossary",
          title: "Glossary",
          onclick: () => this.onHelp(this.mode === "next" ? this.kind.value : this.mode),
        },
        "?",
      ),
    ),
    h(
      "fieldset",
      { class: "modes" },
      h("legend", { class: "hidden" }, "Search type"),
      ...Object.values(this.modes),
    ),
    ...Object.values(this.fields),
    h("div", { class: "running" }, this.start, this.bar, this.stop),
    this.errors,
    this.headline,
    this.details,
    this.results.arranging,
    this.results.list,
    h("div", { class: "bar" }, this.results.more, this.longer),
  );

  /**
   * `onAdd` is called with the steps of a chosen result, `onRest` when a shortest finish is
   * proven, `onDraw` when more is known, `onHelp` to explain the terms.
   */
  constructor(
    private readonly onAdd: (steps: StepResult[]) => void,
    private readonly onRest: (step: Step, rest: number) => void,
    private readonly onDraw: () => void,
    private readonly onHelp: (about: string) => void,
  ) {
    setAll(this.kind, { onchange: () => this.onKind() });
  }

  /** Shows the results at a step, once its status is known. */
  show(attempt: Attempt, step: Step): void {
    const { status } = step;
    if (attempt !== this.attempt) {
      this.forget([...this.searches.keys()]);
      this.mode = "next";
    }
    const isNews = status !== undefined && status !== this.status;
    this.attempt = attempt;
    this.step = step;
    this.status = status;
    this.element.hidden = isSolved(step);
    this.hint.hidden = step.parent !== null;
    this.start.disabled = status === undefined;
    if (isNews) this.offer(status);
    this.draw();
  }

  /** Proves the shortest solution of a scramble. */
  prove({ scramble, root }: Attempt): void {
    this.begin(root, "finish", (onChange) => findFinish(scramble, onChange));
  }

  /** Shows the shortest finish from the current step. */
  showShortest(): void {
    this.mode = "finish";
    this.draw();
  }

  /** Returns the search for the shortest finish from a step. */
  shortest(step: Step): Search | undefined {
    return this.searches.get(step)?.finish;
  }

  private get search(): Search | undefined {
    return this.step && this.searches.get(this.step)?.[this.mode];
  }

  /** Forgets all searches at these steps. */
  forget(steps: Step[]): void {
    for (const step of steps) {
      for (const search of Object.values(this.searches.get(step) ?? {})) search.forget();
      this.searches.delete(step);
    }
  }

  /** Offers the possible next steps. */
  private offer(status: AttemptStatus): void {
    const reduction = furthestReduction(status);
    setChildren(
      this.kind,
      ...stepsAfter(reduction).map((kind) => h("option", { value: kind }, NAMES[kind][1])),
    );
    this.steps.value = defaultStepsAfter(reduction);
    this.steps.placeholder = defaultStepsAfter(reduction);
    const canInsert = insertionCase(status) !== "";
    this.modes.insertions.hidden = !canInsert;
    const known = Object.keys(this.searches.get(this.step!) ?? {}) as Mode[];
    if (canInsert && !known.includes(this.mode)) this.mode = known.at(-1) ?? "insertions";
    else if (!canInsert && this.mode === "insertions") this.mode = "next";
    this.onKind();
  }

  private onKind(): void {
    const kind = this.kind.value as StepKind;
    this.maxMoves.value = String(DEFAULT_MAX_MOVES[kind] ?? "fewest");
    const axes = AXES.filter((axis) => kind === "eo" || mayFollow(this.status!, `${kind}:${axis}`));
    setChildren(
      this.axis,
      ...["", ...axes].map((axis) => h("option", { value: axis }, axis || "any")),
    );
    this.axis.disabled = kind === "htr" || kind === "finish";
    this.niss.disabled = kind === "finish";
  }

  private modeChoice(mode: Mode): HTMLLabelElement {
    const input = h("input", {
      type: "radio",
      name: "mode",
      id: newId("mode"),
      onchange: () => ((this.mode = mode), this.draw()),
    });
    return h("label", {}, input, h("span", {}, MODES[mode]));
  }

  private find(query = this.query): void {
    const { attempt, step, status, mode } = this;
    if (!attempt || !step || !status) return;
    const from = written(doneBy(step));
    const asked: Record<Mode, (onChange: () => void) => Search> = {
      next: (onChange) =>
        findStepSolutions({ position: attempt.scramble, from, status }, query, onChange),
      skeletons: (onChange) =>
        findSkeletons(
          { position: attempt.scramble, from, status },
          this.steps.value.trim() || this.steps.placeholder,
          Number(this.time.value),
          onChange,
        ),
      insertions: (onChange) => findInsertions(attempt.scramble, from, onChange),
      finish: (onChange) => findFinish(status.facelets, onChange),
    };
    this.begin(step, mode, asked[mode]);
  }

  private begin(step: Step, mode: Mode, ask: (onChange: () => void) => Search): void {
    this.searches.get(step)?.[mode]?.forget();
    const search = ask(() => {
      if (search.rest !== null && step.rest === null) this.onRest(step, search.rest);
      this.drawSoon();
    });
    this.searches.set(step, { ...this.searches.get(step), [mode]: search });
    this.draw();
  }

  /** Returns the step to search for. */
  private get query(): StepQuery {
    const maxMoves = this.maxMoves.value === "fewest" ? "fewest" : Number(this.maxMoves.value);
    return {
      kind: this.kind.value as StepKind,
      axis: this.axis.value,
      maxMoves,
      niss: this.niss.value,
    };
  }

  /** Searches one move deeper. */
  private findLonger(): void {
    const { query, maxMoves } = this.search!;
    this.find({ ...query!, maxMoves: maxMoves! + 1 });
  }

  /** Draws once per frame: a search reports many times a second. */
  private drawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      this.onDraw();
    });
  }

  /** Shows an error, once. */
  private showError(error: ApiError | undefined): void {
    if (error === this.error) return;
    this.error = error;
    setChildren(this.errors, error && notice(error));
  }

  private draw(): void {
    const focused = document.activeElement;
    for (const [mode, choice] of Object.entries(this.modes))
      choice.querySelector("input")!.checked = mode === this.mode;
    for (const [mode, fields] of Object.entries(this.fields)) fields.hidden = mode !== this.mode;
    const { search } = this;
    const isRunning = search?.isRunning === true;
    this.start.hidden = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    setText(this.start, this.mode === "finish" ? "Prove" : "Find");
    setAll(this.bar, { value: search?.percent ?? null });
    const maxMoves = isRunning || search?.error ? undefined : search?.maxMoves;
    this.longer.hidden = maxMoves === undefined || maxMoves >= MAX_MOVES;
    setText(this.longer, `Search up to ${plural((maxMoves ?? 0) + 1, "move")}`);
    setText(this.headline, search?.said ?? "");
    setText(this.details, search?.details ?? "");
    this.showError(search?.error);
    if (this.step) this.results.show(search?.results ?? [], this.step);
    // If the focused button is gone, the focus moves to its result.
    const isGone = [this.start, this.stop, this.longer].some(
      (button) => button === focused && button.hidden,
    );
    if (isGone) (isRunning ? this.stop : (this.results.first ?? this.start)).focus();
  }
}
