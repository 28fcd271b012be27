// Many positions: a file or pasted lines as input, results as they are found, files as output.

import { stopSolve, streamEvents } from "../api";
import { field, h, select, setAll, setChildren, setText } from "../dom";
import { capital, count, left, plural, waitingFor } from "../format";
import { linesOf } from "../text-lines";
import { notice, showError } from "../notice";
import type { BatchEvent, BatchLine, Metric } from "../protocol";
import { NumberField, areValid } from "../solve/number-field";
import { positionNamed } from "../solve/patterns";
import { DEFAULTS, METRICS, type Options } from "../solve/option-values";
import { ONE_COLUMN } from "../breakpoints";
import { Stored } from "../browser-storage";
import { Distribution } from "./distribution";
import { FORMATS, type Format, save, solutionOf } from "./files";
import { Results } from "./results";

/**
 * Delay between the first new result and drawing, in milliseconds; all results that have arrived
 * by then are drawn together.
 */
const DRAW_DELAY = 100;

/**
 * Time during which the duration of a batch is unknown, in milliseconds: easy positions come
 * first.
 */
const UNKNOWN = 3000;

/** An example that any table solves at once. */
const EXAMPLE =
  "# Scrambles, one per line; text after # is a comment\nR U R' U' R' F R2 U' R' U' R U R' F'\nF2 D L' B U2\nM2 U M2 U2 M2 U M2\n";

/** The kinds of lines. */
const LINES: [line: string, what: string][] = [
  ["R U2 F' L D", "a scramble"],
  ["3. 12.34 R U2 F' L D", "an entry of a timer list; csTimer and TNoodle headings are skipped"],
  [
    "BUUBUUDRRBLLDRRLFFFDDFFFFUUUBBDDLBBLLLRLLRUBRFFDUBDDRR",
    "54 facelets; also Reid notation or Speffz cycles",
  ],
  [
    "T-perm: R U R' U' R' F R2 U' R' U' R U R' F'",
    "a named scramble; also JSON, and tables with a header line such as name,alg",
  ],
  ["# my cubes", "a comment"],
];

/** The view in which a batch is solved. */
export class BatchView {
  private readonly text = h("textarea", {
    rows: 8,
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: "One position per line, in any format",
    oninput: () => this.countLines(),
  });
  private readonly metric = select(METRICS, "htm");
  private readonly maxLength = new NumberField("Max. moves", "maxLength");
  private readonly timeout = new NumberField("Time limit each (s)", "timeout");
  private readonly lines = h("span", { class: "label" });
  private readonly example = h(
    "button",
    { type: "button", class: "quiet", onclick: () => this.fill(EXAMPLE) },
    "Load an example",
  );
  /** The lines, `true` if they are those of the last run, and its results. */
  private readonly kept = new Stored<{
    text: string;
    isSolved: boolean;
    said: string;
    chosen: Options;
    results: BatchLine[];
  }>("batch", { text: "", isSolved: false, said: "", chosen: DEFAULTS, results: [] });
  /** The lines of the last run. */
  private solved = "";
  /** The content shown before the first run. */
  private readonly expected = h(
    "section",
    { class: "card", "aria-label": "Input formats" },
    h("h2", {}, "Results appear here"),
    h(
      "p",
      { class: "label" },
      "Each line gets a shortest solution or an error message. Download the results as text, CSV or JSON Lines.",
    ),
    h("h3", {}, "Line formats"),
    h(
      "dl",
      { class: "needs" },
      ...LINES.flatMap(([line, what]) => [h("dt", { class: "solution" }, line), h("dd", {}, what)]),
    ),
    h("div", {}, this.example),
  );
  private readonly start = h(
    "button",
    { type: "button", class: "strong", onclick: () => void this.run() },
    "Solve all",
  );
  private readonly stop = h(
    "button",
    { type: "button", class: "strong", hidden: true, onclick: () => this.askToStop() },
    "Stop",
  );
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly headline = h("p", { class: "headline", role: "status" });
  /** Numbers that change too often to be read aloud. */
  private readonly counts = h("span");
  private readonly pace = h("span");
  private readonly details = h("p", { class: "details row" }, this.counts, this.pace);
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Batch progress" });
  private readonly results = new Results();
  private readonly distribution = new Distribution();
  private readonly result: HTMLElement;
  readonly element: HTMLElement;
  private outdated = 0;
  /** `true` if there are results that have not been downloaded. */
  private isUnsaved = false;
  private batch:
    | { abort: AbortController; id?: number; begun: number; timer: number; total: number }
    | undefined;

  constructor() {
    const input = h("input", {
      type: "file",
      accept: ".txt,.csv,.tsv,.md,.json,.jsonl,text/*,application/json",
      onclick: () => (input.value = ""),
      onchange: () => void this.read(input.files?.[0]),
    });
    const form = h(
      "section",
      {
        class: "card",
        "aria-label": "Positions",
        ondragover: (event: DragEvent) =>
          event.dataTransfer?.types.includes("Files") && event.preventDefault(),
        ondrop: (event: DragEvent) => {
          // A text is dropped into the field.
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          void this.read(event.dataTransfer.files[0]);
        },
      },
      h("h2", {}, "Batch"),
      field(
        "File with one position per line",
        input,
        h("small", { class: "with-mouse" }, "You can also drop a file here."),
      ),
      field("Positions", this.text),
      h(
        "div",
        { class: "fields wide-first" },
        field("Metric", this.metric, "R2 is one move in HTM, two in QTM."),
        this.maxLength.element,
        this.timeout.element,
      ),
      h("div", { class: "row" }, this.lines, this.start),
      this.errors,
    );
    const downloads = FORMATS.map((format) =>
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => this.save(format) },
        format.name,
      ),
    );
    this.result = h(
      "section",
      { class: "card", "aria-label": "Results", hidden: true },
      h("h2", { class: "hidden" }, "Results"),
      this.headline,
      h("div", { class: "running" }, this.bar, this.stop),
      this.details,
      h(
        "div",
        { class: "row downloads" },
        h("span", { class: "label" }, "Download"),
        h("span", { class: "row tight" }, ...downloads),
      ),
      this.results.element,
      this.distribution.element,
    );
    this.element = h(
      "div",
      { class: "columns" },
      form,
      h("div", { class: "stack" }, this.expected, this.result),
    );
    window.addEventListener("pagehide", () => this.keep());
    window.addEventListener(
      "beforeunload",
      (event) => (!this.keep() || this.batch || this.isUnsaved) && event.preventDefault(),
    );
    this.bringBack();
  }

  /** Restores the state before a reload. */
  private bringBack(): void {
    const { text, isSolved, said, chosen, results } = this.kept.get();
    this.fill(text);
    if (results.length === 0) return;
    this.begin(chosen);
    if (isSolved) this.solved = this.text.value;
    this.metric.value = chosen.metric;
    this.maxLength.value = chosen.maxLength;
    this.timeout.value = chosen.timeout;
    for (const line of results) this.add(line);
    this.results.draw();
    this.distribution.draw();
    setText(this.headline, said);
    this.bar.hidden = this.details.hidden = true;
  }

  private async read(file: File | undefined): Promise<void> {
    if (!file) return;
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (!bytes)
      return setChildren(
        this.errors,
        notice({
          error: `the file \`${file.name}\` cannot be read`,
          help: "choose a file, not a folder",
        }),
      );
    const text = textOf(bytes);
    if (text === undefined)
      return setChildren(
        this.errors,
        notice({
          error: `the file \`${file.name}\` is not a text file`,
          help: "choose a UTF-8 file with one position per line",
        }),
      );
    setChildren(this.errors);
    this.fill(text);
  }

  private fill(text: string): void {
    this.text.value = text;
    this.countLines();
  }

  /**
   * Stores the lines and the results for a reload, or at least the lines; returns `true` if the
   * browser stores the results.
   */
  private keep(): boolean {
    const [text, said, chosen] = [
      this.text.value,
      (this.batch ? this.counts : this.headline).textContent,
      this.results.chosen,
    ];
    const isSolved = text === this.solved;
    return (
      [this.results.sorted, []].some((results) =>
        this.kept.set({ text, isSolved, said, chosen, results }),
      ) || text === ""
    );
  }

  /** Shows these lines, after those that are not solved yet. */
  take(text: string): void {
    this.fill(
      this.text.value.trim() === "" || this.text.value === this.solved
        ? text
        : `${this.text.value.trimEnd()}\n${text}`,
    );
    window.addEventListener("popstate", () => this.start.focus(), { once: true });
    location.hash = "batch";
  }

  /**
   * Returns the number of entered lines. Some may be headings, or expand to several positions: the
   * server decides.
   */
  private get count(): number {
    return linesOf(this.text.value).length;
  }

  private countLines(): void {
    const { count } = this;
    setText(this.lines, plural(count, "line"));
    this.start.disabled = count === 0;
    this.example.disabled = this.text.value.trim() !== "";
  }

  private async run(): Promise<void> {
    if (this.batch || !areValid(this.maxLength, this.timeout)) return;
    const batch: NonNullable<BatchView["batch"]> = {
      abort: new AbortController(),
      begun: performance.now(),
      timer: 0,
      total: this.count,
    };
    this.batch = batch;
    const metric = this.metric.value as Metric;
    const chosen: Options = {
      ...DEFAULTS,
      metric,
      maxLength: this.maxLength.value,
      timeout: this.timeout.value,
    };
    const { maxLength, timeout } = chosen;
    const parameters = new URLSearchParams({
      metric,
      ...(maxLength && { max_length: maxLength }),
      ...(timeout && { timeout }),
    });
    setChildren(this.errors);
    this.begin(chosen);
    this.solved = this.text.value;
    this.setBusy(true);
    if (ONE_COLUMN.matches) this.result.scrollIntoView();
    setText(this.headline, "Connecting …");
    for (const each of [this.counts, this.pace]) setText(each, "");
    let [ended, isOver] = [false, false];
    try {
      await streamEvents<BatchEvent>(
        "POST",
        `/batch?${parameters}`,
        withoutNames(this.text.value),
        batch.abort.signal,
        (event) => {
          isOver ||= event.event === "end";
          ended ||= isOver || event.event === "refused";
          this.onEvent(batch, event);
        },
      );
      if (!ended)
        setChildren(
          this.errors,
          notice({
            error: "the server stopped before the end of the batch",
            help: "download the results found so far",
          }),
        );
    } catch (error) {
      showError(this.errors, error);
    } finally {
      if (batch.timer !== 0) this.drawProgress(batch);
      if (!ended) setText(this.headline, this.counts.textContent);
      this.batch = undefined;
      this.setBusy(false);
      this.result.hidden = this.results.sorted.length === 0 && !isOver;
      this.expected.hidden = !this.result.hidden;
    }
  }

  private onEvent(batch: NonNullable<BatchView["batch"]>, event: BatchEvent): void {
    switch (event.event) {
      case "queued":
        batch.id = event.id;
        return event.ahead > 0
          ? setText(this.headline, waitingFor(event.ahead))
          : this.drawProgress(batch);
      case "preparing":
        setText(this.headline, capital(event.doing));
        return setText(this.counts, `${event.percent} %`);
      case "answer":
      case "failure":
        this.add(event);
        // The next event may take long: the next position may be hard.
        batch.timer ||= window.setTimeout(() => this.drawProgress(batch), DRAW_DELAY);
        return;
      case "progress": {
        batch.total = event.total;
        // The first position may be hard.
        if (this.results.sorted.length === 0) this.drawProgress(batch);
        if (performance.now() - batch.begun < UNKNOWN) return;
        const rate = event.rate === null ? [] : [`${Number(event.rate.toPrecision(2))} per second`];
        // An estimate without further events is outdated: a position is hard.
        clearTimeout(this.outdated);
        this.outdated = window.setTimeout(
          () => setText(this.pace, ""),
          1000 * Math.max(2, 5 / (event.rate ?? 1)),
        );
        return setText(
          this.pace,
          [...rate, ...(event.seconds_left === null ? [] : [left(event.seconds_left)])].join(", "),
        );
      }
      case "end":
        batch.total = event.total;
        this.drawProgress(batch);
        this.bar.hidden = true;
        setText(
          this.headline,
          `${event.stopped ? "Stopped: " : ""}${count(this.results.solved)} of ${count(event.total)} solved${this.unsolved}${this.unreached(event.total)}`,
        );
        return;
      case "refused":
        return setChildren(this.errors, notice(event));
    }
  }

  private add(line: BatchLine): void {
    this.results.add(line);
    this.isUnsaved = true;
    const solved = solutionOf(line);
    if (solved) this.distribution.add(solved.length);
  }

  /** Draws the current results. */
  private drawProgress(batch: NonNullable<BatchView["batch"]>): void {
    clearTimeout(batch.timer);
    batch.timer = 0;
    const done = this.results.solved + this.results.unsolved;
    setAll(this.bar, { max: batch.total || 1, value: done });
    setText(this.headline, "Solving …");
    setText(this.counts, `${count(done)} of ${count(batch.total)}${this.unsolved}`);
    this.results.draw();
    this.distribution.draw();
  }

  /** Describes the results without a proven solution. */
  private get unsolved(): string {
    const { unread, unsolved } = this.results;
    return told(unread, "invalid") + told(unsolved - unread, "not proven");
  }

  /** Describes the positions, out of `total`, that a stopped batch has no answer to. */
  private unreached(total: number): string {
    return told(total - this.results.solved - this.results.unsolved, "not solved");
  }

  private save(format: Format): void {
    save(this.results.sorted, format);
    this.isUnsaved = false;
  }

  private askToStop(): void {
    const { id, abort } = this.batch ?? {};
    if (id) stopSolve(id).catch(() => abort?.abort());
    else abort?.abort();
  }

  private setBusy(busy: boolean): void {
    const hasFocus = [this.start, this.stop].some((button) => button === document.activeElement);
    setAll(this.result, { "aria-busy": busy });
    this.start.hidden = busy;
    this.stop.hidden = this.details.hidden = !busy;
    if (hasFocus) (busy ? this.stop : this.start).focus({ preventScroll: true });
  }

  /** Shows the empty result table. */
  private begin(chosen: Options): void {
    this.results.clear(chosen);
    this.isUnsaved = false;
    this.distribution.clear(chosen.metric as Metric);
    this.expected.hidden = true;
    this.result.hidden = this.bar.hidden = false;
  }
}

/** Formats another part of a headline, if the number is not zero. */
const told = (number: number, what: string): string =>
  number > 0 ? `, ${count(number)} ${what}` : "";

/** Replaces names of patterns by their moves or facelets. */
function withoutNames(text: string): string {
  return text
    .split("\n")
    .map((line) => positionNamed(line) ?? line)
    .join("\n");
}

/** Decodes the text of a file; undefined if it is not UTF-8. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
