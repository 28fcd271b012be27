// Finding what may come after a step: all ways to the next one, whole skeletons, insertions, the shortest finish.

import { field, h, newId, select, setAll, setChildren, setText } from "../dom";
import { notice } from "../notice";
import { plural } from "../format";
import type { Here } from "../protocol";
import { childLike, doneBy, isSolved, type Attempt, type Made, type Step } from "./attempt";
import { written } from "./moves";
import { findFinish, findInsertions, findSkeletons, findWays, type Finding, type Search } from "./search";
import { AXES, NAMES, USUAL_MOST, mostOf, stepsAfter, titleOf, usualAfter, type Kind } from "./steps";

type Mode = "ways" | "skeletons" | "insertions" | "finish";

const MODES: Record<Mode, string> = { ways: "Next step", skeletons: "Whole skeletons", insertions: "Insertions", finish: "Shortest finish" };

/** The sides, as the engine names them. */
const SIDES: [value: string, text: string][] = [["before", "either side"], ["always", "some on each"], ["none", "this side only"]];

/** For how long skeletons are searched. */
const TIMES: [value: string, text: string][] = [["10", "10 seconds"], ["60", "a minute"]];

/** How many findings are listed at first. */
const LISTED = 100;

/** The most moves of a step that can be asked for. */
const MOST = 15;

/** The form and what was found with it. */
export class Find {
  private attempt: Attempt | undefined;
  private step: Step | undefined;
  private here: Here | undefined;
  private mode: Mode = "ways";
  private frame = 0;
  /** What the list has: these findings, beside so many steps that were added, the first of them. */
  private shown = { findings: [] as Finding[], children: 0, listed: 0 };
  private readonly searches = new Map<Step, Partial<Record<Mode, Search>>>();
  private readonly modes = Object.fromEntries(Object.keys(MODES).map((mode) => [mode, this.modeChoice(mode as Mode)])) as Record<Mode, HTMLLabelElement>;
  private readonly kind = select([], "");
  private readonly most = select(Array.from({ length: MOST }, (_, i) => [String(i + 1), String(i + 1)]), "4");
  private readonly axis = select([["", "any"], ...AXES.map((axis): [string, string] => [axis, axis])], "");
  private readonly niss = select(SIDES, "before");
  private readonly steps = h("input", { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  private readonly time = select(TIMES, "10");
  private readonly explained = h("p", { class: "label" });
  private readonly start = h("button", { type: "submit", class: "strong" }, "Find");
  private readonly stop = h("button", { type: "button", onclick: () => this.search?.stop() }, "Stop");
  private readonly more = h("button", { type: "button", class: "quiet", onclick: () => this.findMore() });
  private readonly headline = h("p", { class: "found", role: "status" });
  private readonly details = h("p", { class: "label" });
  private readonly bar = h("progress", { max: 100, "aria-label": "progress of the search" });
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly list = h("ol", { class: "findings" });
  private readonly fields: Record<Mode, HTMLElement> = {
    ways: h("div", { class: "fields four" }, field("Step", this.kind), field("Moves, at most", this.most), field("Axis", this.axis), field("Sides", this.niss)),
    skeletons: h("div", { class: "fields skeletons" }, field("Steps", this.steps), field("For", this.time)),
    insertions: this.explained,
    finish: h("p", { class: "label" }, "The true optimum from here, whatever its steps. It may take a while to prove."),
  };
  readonly element = h(
    "form",
    { class: "find", "aria-label": "Find", novalidate: true, onsubmit: (event: Event) => (event.preventDefault(), this.find()) },
    h("h3", {}, "Find what comes next"),
    h("fieldset", { class: "modes" }, h("legend", { class: "hidden" }, "What to find"), ...Object.values(this.modes)),
    ...Object.values(this.fields),
    h("div", { class: "running" }, this.start, this.bar, this.stop),
    this.errors,
    this.headline,
    this.details,
    this.list,
    h("div", {}, this.more),
  );

  /** `onAdd` is called with the steps of a finding that is chosen, `onRest` when a shortest finish is proven. */
  constructor(
    private readonly onAdd: (made: Made[]) => void,
    private readonly onRest: (step: Step, rest: number) => void,
  ) {
    setAll(this.kind, { onchange: () => this.onKind() });
  }

  /** Shows what was found at a step, once it is known what is left there. */
  show(attempt: Attempt, step: Step, here: Here | undefined): void {
    if (attempt !== this.attempt) this.forget();
    const isOther = step !== this.step || (here !== undefined && this.here === undefined);
    this.attempt = attempt;
    this.step = step;
    this.here = here;
    this.element.hidden = isSolved(step);
    this.start.disabled = here === undefined;
    if (here && isOther) this.offer(here);
    this.draw();
  }

  /** Proves the shortest finish from the step that is shown. */
  findShortest(): void {
    this.mode = "finish";
    if (!this.search?.isRunning) this.find();
  }

  /** What is known of the shortest finish from a step. */
  shortest(step: Step): Search | undefined {
    return this.searches.get(step)?.finish;
  }

  private get search(): Search | undefined {
    return this.step && this.searches.get(this.step)?.[this.mode];
  }

  /** Forgets all searches of the attempt before. */
  private forget(): void {
    for (const searches of this.searches.values()) for (const search of Object.values(searches)) search.forget();
    this.searches.clear();
    this.mode = "ways";
  }

  /** Offers what makes sense where this is reached. */
  private offer(here: Here): void {
    const reached = mostOf(here);
    setChildren(this.kind, ...stepsAfter(reached).map((kind) => h("option", { value: kind }, NAMES[kind][1])));
    this.steps.value = usualAfter(reached);
    this.steps.placeholder = usualAfter(reached);
    const left = here.bad.find(({ step }) => step === "finish");
    const canInsert = left !== undefined && ["3,0", "0,3", "2,2", "4,0", "0,4"].includes(`${left.corners},${left.edges}`);
    setText(this.explained, "A short sequence for the pieces that are left, tried at every place among the moves, so that some moves cancel.");
    this.modes.insertions.hidden = !canInsert;
    if (!canInsert && this.mode === "insertions") this.mode = "ways";
    this.onKind();
  }

  private onKind(): void {
    const kind = this.kind.value as Kind;
    this.most.value = String(USUAL_MOST[kind]);
    this.axis.value = "";
    this.axis.disabled = kind === "htr" || kind === "finish";
    this.niss.disabled = kind === "finish";
  }

  private modeChoice(mode: Mode): HTMLLabelElement {
    const input = h("input", { type: "radio", name: "mode", id: newId("mode"), onchange: () => ((this.mode = mode), this.draw()) });
    return h("label", {}, input, h("span", {}, MODES[mode]));
  }

  private find(): void {
    const { attempt, step, here, mode } = this;
    if (!attempt || !step || !here) return;
    const from = written(doneBy(step));
    const onChange = (): void => {
      if (search.rest !== null && step.rest === null) this.onRest(step, search.rest);
      this.drawSoon();
    };
    const kind = this.kind.value as Kind;
    const begin: Record<Mode, () => Search> = {
      ways: () => findWays(attempt.scramble, from, { kind, axis: this.axis.disabled ? "" : this.axis.value, most: Number(this.most.value), niss: this.niss.value }, onChange),
      skeletons: () => findSkeletons(attempt.scramble, from, this.steps.value.trim() || this.steps.placeholder, Number(this.time.value), onChange),
      insertions: () => findInsertions(attempt.scramble, from, onChange),
      finish: () => findFinish(here.facelets, onChange),
    };
    this.search?.forget();
    const search = begin[mode]();
    this.searches.set(step, { ...this.searches.get(step), [mode]: search });
    if (document.activeElement === this.start) this.draw(() => this.stop.focus());
    else this.draw();
  }

  /** Lists the rest, or allows one move more. */
  private findMore(): void {
    if (!this.search?.isShort) return this.drawList(Infinity);
    this.most.value = String(Math.min(Number(this.most.value) + 1, MOST));
    this.find();
  }

  /** A search tells of itself many times a second; it is drawn once per frame. */
  private drawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(then?: () => void): void {
    for (const [mode, choice] of Object.entries(this.modes)) choice.querySelector("input")!.checked = mode === this.mode;
    for (const [mode, fields] of Object.entries(this.fields)) fields.hidden = mode !== this.mode;
    const { search } = this;
    const isRunning = search?.isRunning === true;
    const hadFocus = document.activeElement === this.stop;
    this.start.hidden = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    setText(this.start, this.mode === "finish" ? "Prove" : "Find");
    setAll(this.bar, { value: search?.percent ?? null });
    setText(this.headline, search?.said ?? "");
    setText(this.details, search?.details ?? "");
    setChildren(this.errors, search?.error && notice(search.error));
    this.drawList(LISTED);
    then?.();
    // Who waits with the Stop button is led to what was found.
    if (hadFocus && !isRunning) (this.list.querySelector("button") ?? this.start).focus();
  }

  private drawList(most: number): void {
    const findings = this.search?.findings ?? [];
    const children = this.step?.children.length ?? 0;
    const isSame = this.shown.findings === findings && this.shown.children === children;
    const listed = isSame ? Math.max(this.shown.listed, most) : most;
    this.more.hidden = findings.length <= listed && this.search?.isShort !== true;
    setText(this.more, this.search?.isShort ? "Allow one move more" : `List all ${plural(findings.length, "way")}`);
    // Drawn again, a list would lose the focus.
    if (isSame && this.shown.listed === listed) return;
    this.shown = { findings, children, listed };
    setChildren(this.list, ...findings.slice(0, listed).map((finding) => this.item(finding)));
    this.list.classList.toggle("skeletons", findings[0] !== undefined && findings[0].made.length > 1);
  }

  private item(finding: Finding): HTMLElement {
    const { made, count } = finding;
    const isThere = childLike(this.step!, made[0]!) !== undefined && made.length === 1;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "finding", onclick: () => this.onAdd(made) },
        h("span", { class: "total" }, count),
        h("span", { class: "lines" }, ...made.map(({ moves, reached = "" }) => h("span", { class: "line" }, h("span", { class: "solution" }, moves || "no moves"), h("span", { class: "badge" }, titleOf(reached))))),
        isThere && h("span", { class: "label" }, "added"),
      ),
    );
  }
}
