// Finding what may come after a step: all ways to the next one, all steps at once, insertions, the shortest finish.

import { field, h, newId, select, setAll, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice } from "../notice";
import type { ApiError, Here } from "../protocol";
import { doneBy, isSolved, type Attempt, type Made, type Step } from "./attempt";
import { Findings } from "./findings";
import { written } from "./moves";
import { MOST_MOVES, findFinish, findInsertions, findSkeletons, findWays, type Search, type Wanted } from "./search";
import { AXES, NAMES, USUAL_MOST, leftFew, mayFollow, mostOf, stepsAfter, usualAfter, type Kind } from "./steps";

type Mode = "ways" | "skeletons" | "insertions" | "finish";

const MODES: Record<Mode, string> = { ways: "Next step", skeletons: "All steps at once", insertions: "Insertions", finish: "Shortest finish" };

/** The sides, as the engine names them. */
const SIDES: [value: string, text: string][] = [["before", "either side"], ["always", "both mixed"], ["none", "as the last step"]];

/** For how long skeletons are searched. */
const TIMES: [value: string, text: string][] = [["10", "10 seconds"], ["60", "a minute"]];

/** The form and what was found with it. */
export class Find {
  private attempt: Attempt | undefined;
  private step: Step | undefined;
  private here: Here | undefined;
  private mode: Mode = "ways";
  private frame = 0;
  private error: ApiError | undefined;
  private readonly searches = new Map<Step, Partial<Record<Mode, Search>>>();
  private readonly modes = Object.fromEntries(Object.keys(MODES).map((mode) => [mode, this.modeChoice(mode as Mode)])) as Record<Mode, HTMLLabelElement>;
  private readonly kind = select([], "");
  private readonly most = select([["fewest", "fewest"], ...Array.from({ length: MOST_MOVES }, (_, i): [string, string] => [String(i + 1), String(i + 1)])], "fewest");
  private readonly axis = select([], "");
  private readonly niss = select(SIDES, "before");
  private readonly steps = h("input", { type: "text", class: "solution", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  private readonly time = select(TIMES, "10");
  private readonly start = h("button", { type: "submit", class: "strong" }, "Find");
  private readonly stop = h("button", { type: "button", class: "strong", onclick: () => this.search?.stop() }, "Stop");
  private readonly longer = h("button", { type: "button", class: "quiet", onclick: () => this.findLonger() }, "One move more");
  private readonly headline = h("p", { class: "found", role: "status" });
  private readonly details = h("p", { class: "label" });
  private readonly bar = h("progress", { max: 100, "aria-label": "progress of the search" });
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly findings = new Findings((made) => this.onAdd(made));
  private readonly hint = h("p", { class: "label" }, "New here? ", h("button", { type: "button", class: "link", onclick: () => ((this.mode = "skeletons"), this.draw()) }, "All steps at once"), " finds whole solutions.");
  private readonly fields: Record<Mode, HTMLElement> = {
    ways: h("div", {}, h("div", { class: "fields four" }, field("Step", this.kind), field("Moves, at most", this.most), field("Axis", this.axis), field("Sides", this.niss)), this.hint),
    skeletons: h("div", { class: "fields skeletons" }, field("Steps", this.steps), field("Time", this.time)),
    insertions: h("p", { class: "label" }, "A short sequence for the pieces that are left, tried at every place among the moves, so that some moves cancel."),
    finish: h("p", { class: "label" }, "The shortest finish from here, whatever its steps. It may take a while to prove."),
  };
  readonly element = h(
    "form",
    { class: "find", "aria-label": "Find", novalidate: true, onsubmit: (event: Event) => (event.preventDefault(), this.find()) },
    h("div", { class: "row" }, h("h3", {}, "Find what comes next"), h("button", { type: "button", class: "quiet", "aria-label": "What the words mean", title: "What the words mean", onclick: () => this.onHelp(this.mode === "ways" ? this.kind.value : this.mode) }, "?")),
    h("fieldset", { class: "modes" }, h("legend", { class: "hidden" }, "What to find"), ...Object.values(this.modes)),
    ...Object.values(this.fields),
    h("div", { class: "running" }, this.start, this.bar, this.stop),
    this.errors,
    this.headline,
    this.details,
    this.findings.arranging,
    this.findings.list,
    h("div", { class: "bar" }, this.findings.more, this.longer),
  );

  /** `onAdd` is called with the steps of a finding that is chosen, `onRest` when a shortest finish is proven, `onDraw` when more is known, `onHelp` when the words are to be explained. */
  constructor(
    private readonly onAdd: (made: Made[]) => void,
    private readonly onRest: (step: Step, rest: number) => void,
    private readonly onDraw: () => void,
    private readonly onHelp: (about: string) => void,
  ) {
    setAll(this.kind, { onchange: () => this.onKind() });
  }

  /** Shows what was found at a step, once it is known what is left there. */
  show(attempt: Attempt, step: Step): void {
    const { here } = step;
    if (attempt !== this.attempt) {
      this.forget([...this.searches.keys()]);
      this.mode = "ways";
    }
    const isNews = here !== undefined && here !== this.here;
    this.attempt = attempt;
    this.step = step;
    this.here = here;
    this.element.hidden = isSolved(step);
    this.hint.hidden = step.parent !== null;
    this.start.disabled = here === undefined;
    if (isNews) this.offer(here);
    this.draw();
  }

  /** Proves the shortest solution of a scramble. */
  prove({ scramble, root }: Attempt): void {
    this.begin(root, "finish", (onChange) => findFinish(scramble, onChange));
  }

  /** Shows the shortest finish from the step that is shown. */
  showShortest(): void {
    this.mode = "finish";
    this.draw();
  }

  /** What is known of the shortest finish from a step. */
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

  /** Offers what makes sense where this is reached. */
  private offer(here: Here): void {
    const reached = mostOf(here);
    setChildren(this.kind, ...stepsAfter(reached).map((kind) => h("option", { value: kind }, NAMES[kind][1])));
    this.steps.value = usualAfter(reached);
    this.steps.placeholder = usualAfter(reached);
    const canInsert = leftFew(here) !== "";
    this.modes.insertions.hidden = !canInsert;
    const known = Object.keys(this.searches.get(this.step!) ?? {}) as Mode[];
    if (canInsert && !known.includes(this.mode)) this.mode = known.at(-1) ?? "insertions";
    else if (!canInsert && this.mode === "insertions") this.mode = "ways";
    this.onKind();
  }

  private onKind(): void {
    const kind = this.kind.value as Kind;
    this.most.value = String(USUAL_MOST[kind] ?? "fewest");
    const axes = AXES.filter((axis) => kind === "eo" || mayFollow(this.here!, `${kind}:${axis}`));
    setChildren(this.axis, ...["", ...axes].map((axis) => h("option", { value: axis }, axis || "any")));
    this.axis.disabled = kind === "htr" || kind === "finish";
    this.niss.disabled = kind === "finish";
  }

  private modeChoice(mode: Mode): HTMLLabelElement {
    const input = h("input", { type: "radio", name: "mode", id: newId("mode"), onchange: () => ((this.mode = mode), this.draw()) });
    return h("label", {}, input, h("span", {}, MODES[mode]));
  }

  private find(wanted = this.wanted): void {
    const { attempt, step, here, mode } = this;
    if (!attempt || !step || !here) return;
    const from = written(doneBy(step));
    const asked: Record<Mode, (onChange: () => void) => Search> = {
      ways: (onChange) => findWays({ position: attempt.scramble, from, here }, wanted, onChange),
      skeletons: (onChange) => findSkeletons({ position: attempt.scramble, from, here }, this.steps.value.trim() || this.steps.placeholder, Number(this.time.value), onChange),
      insertions: (onChange) => findInsertions(attempt.scramble, from, onChange),
      finish: (onChange) => findFinish(here.facelets, onChange),
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

  /** The ways that are asked for. */
  private get wanted(): Wanted {
    const most = this.most.value === "fewest" ? "fewest" : Number(this.most.value);
    return { kind: this.kind.value as Kind, axis: this.axis.value, most, niss: this.niss.value };
  }

  /** Finds ways of one move more. */
  private findLonger(): void {
    const { wanted, most } = this.search!;
    this.find({ ...wanted!, most: most! + 1 });
  }

  /** A search tells of itself many times a second; it is drawn once per frame. */
  private drawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      this.onDraw();
    });
  }

  /** Says what is wrong, once. */
  private showError(error: ApiError | undefined): void {
    if (error === this.error) return;
    this.error = error;
    setChildren(this.errors, error && notice(error));
  }

  private draw(): void {
    const focused = document.activeElement;
    for (const [mode, choice] of Object.entries(this.modes)) choice.querySelector("input")!.checked = mode === this.mode;
    for (const [mode, fields] of Object.entries(this.fields)) fields.hidden = mode !== this.mode;
    const { search } = this;
    const isRunning = search?.isRunning === true;
    this.start.hidden = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    setText(this.start, this.mode === "finish" ? "Prove" : "Find");
    setAll(this.bar, { value: search?.percent ?? null });
    const most = isRunning || search?.error ? undefined : search?.most;
    this.longer.hidden = most === undefined || most >= MOST_MOVES;
    setText(this.longer, `Up to ${plural((most ?? 0) + 1, "move")}`);
    setText(this.headline, search?.said ?? "");
    setText(this.details, search?.details ?? "");
    this.showError(search?.error);
    if (this.step) this.findings.show(search?.findings ?? [], this.step);
    // Who has pressed a button that is gone is led to what comes of it.
    const isGone = [this.start, this.stop, this.longer].some((button) => button === focused && button.hidden);
    if (isGone) (isRunning ? this.stop : (this.findings.first ?? this.start)).focus();
  }
}
