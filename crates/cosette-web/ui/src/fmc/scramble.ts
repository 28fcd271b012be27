// The scramble of an attempt, and its shortest solution.

import { engine } from "#engine";
import { field, h, newId, onEnter, setAll, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice, showError } from "../ui/notice";
import type { Step } from "./attempt";
import { wideTurnsIn } from "./moves";
import type { Search } from "./search";
import { partsOf, readWriteUp, type WriteUp } from "./writeup";

/** The field of the scramble. */
export class ScrambleInput {
  private readonly errors = h("div", {
    id: newId("scramble"),
    class: "said",
    "aria-live": "polite",
  });
  private readonly text = h("textarea", {
    rows: 1,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    enterkeyhint: "go",
    placeholder: "R' U' F …",
  });
  private readonly start = h("button", { type: "submit", class: "strong" }, "Start");
  private readonly optimum = h("span");
  private readonly proving = h("button", { type: "button", class: "quiet" }, "Find and prove");
  private readonly remark = h("p", { class: "label", hidden: true });
  private readonly optimumRow = h(
    "div",
    { class: "optimum", hidden: true },
    h("span", { class: "label" }, "Shortest solution of the scramble: "),
    this.optimum,
    " ",
    this.proving,
  );

  /** The scramble of the attempt. */
  private started = "";

  /**
   * `onStart` is called with a scramble and the text pasted with it; `onProve` when the button
   * next to its optimum is pressed.
   */
  constructor(
    private readonly onStart: (writeUp: WriteUp) => void,
    onProve: () => void,
  ) {
    setAll(this.text, {
      "aria-describedby": this.errors.id,
      oninput: () => this.mark(false),
    });
    onEnter(this.text, () => void this.begin());
    setAll(this.proving, { onclick: onProve });
  }

  /** Creates the card, with these elements below the field. */
  card(...below: HTMLElement[]): HTMLElement {
    return h(
      "form",
      {
        class: "card scramble",
        "aria-label": "Attempt",
        novalidate: true,
        onsubmit: (event: Event) => (event.preventDefault(), void this.begin()),
      },
      h("h2", { class: "hidden" }, "Scramble"),
      h(
        "div",
        { class: "entry" },
        field("Your scramble", this.text),
        this.start,
        h("button", { type: "button", onclick: () => void this.random() }, "Random"),
      ),
      this.errors,
      this.remark,
      this.optimumRow,
      ...below,
    );
  }

  /** Sets the shown scramble. */
  set value(scramble: string) {
    this.text.value = this.started = scramble;
    setChildren(this.errors);
    this.mark(false);
    const wide = wideTurnsIn(scramble);
    this.remark.hidden = wide.length === 0;
    setText(
      this.remark,
      `Read as wide moves: ${wide.join(", ")}. Use capital letters for face turns.`,
    );
  }

  /**
   * Shows what is known about the shortest solution; the button finds it, stops the search, or
   * shows the solution.
   */
  showOptimum({ rest, claimed }: Step, search: Search | undefined): void {
    const isRunning = search?.isRunning === true;
    const hasFound = !isRunning && search !== undefined && search.results.length > 0;
    this.optimumRow.hidden = false;
    setText(
      this.proving,
      isRunning ? "Stop" : hasFound ? "Show" : rest !== null ? "Find again" : "Find and prove",
    );
    setText(
      this.optimum,
      rest !== null
        ? `${plural(rest, "move")}, proven`
        : (search?.said ??
            (claimed === null
              ? "unknown"
              : `${plural(claimed, "move")} according to the link, not proven`)),
    );
  }

  private async begin(): Promise<void> {
    const text = this.text.value.trim();
    const link = /#fmc=\S+/.exec(text);
    if (link) return void (location.hash = link[0]);
    const [first = "", ...rest] = text.split("\n");
    const own = readWriteUp(first);
    const scramble = ("error" in own ? "" : own.scramble) || partsOf(first)[0];
    const whole = [`scramble: ${scramble}`, ...rest].join("\n");
    const pasted = readWriteUp(whole);
    setChildren(this.errors);
    if (scramble === "")
      return this.refuse(
        { error: "the scramble is empty", help: "enter a scramble, or press Random" },
        text,
      );
    if ("error" in pasted) return this.refuse(pasted, whole);
    await this.enter({ ...pasted, scramble });
  }

  /** Starts an attempt if the text is a scramble. */
  async enter(writeUp: WriteUp): Promise<void> {
    const { scramble } = writeUp;
    try {
      const checked = await engine.check(scramble, false);
      // Not every reader of a write-up knows addresses.
      if (checked.ok)
        return this.onStart(
          scramble.includes("://") ? { ...writeUp, scramble: checked.setup } : writeUp,
        );
      this.text.value = scramble;
      this.refuse(checked, scramble);
    } catch (error) {
      showError(this.errors, error);
    }
  }

  /** Starts an attempt with a random scramble between R' U' F and R' U' F, as at competitions. */
  private async random(): Promise<void> {
    try {
      let middle: string;
      do middle = (await engine.random()).scramble;
      while (/^[FB]|[RL][2']?$/.test(middle)); // A move would cancel.
      this.onStart({ scramble: `R' U' F ${middle} R' U' F`, notes: "", steps: [] });
    } catch (error) {
      showError(this.errors, error);
    }
  }

  private refuse(
    error: { error: string; help?: string; span?: [number, number] },
    text: string,
  ): void {
    setChildren(this.errors, notice(error, text));
    this.mark(true);
    this.text.focus();
  }

  private mark(isWrong: boolean): void {
    setAll(this.text, { "aria-invalid": isWrong ? "true" : null });
    // Only the button of the next action is highlighted.
    this.start.classList.toggle("strong", this.text.value !== this.started);
    if (!isWrong) setChildren(this.errors);
  }
}
