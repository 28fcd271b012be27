// The position to solve: a text in any format and the painted net, two views of the same position.

import { engine } from "#engine";
import { faceColours, holding, onAppearance } from "../cube/appearance";
import { appearanceInput } from "../cube/appearance-input";
import { BLANK, FACES, SOLVED } from "../cube/colours";
import { Net, described } from "../cube/net";
import { Palette } from "../cube/palette";
import { field, h, setAll, setChildren } from "../dom";
import { capital, plural } from "../format";
import { notice, showError } from "../notice";
import type { NotAPosition, PositionCheck } from "../protocol";

/** The text is checked this many milliseconds after the last key. */
const CHECK_DELAY = 120;

/** How many impossible pieces are explained at a time; all are marked. */
const EXPLAINED_MARKS = 3;

/** Screens with one column, on which painting is folded away at first. */
export const NARROW = matchMedia("(max-width: 56rem)");

/** The text, the net and their errors. */
export class PositionInput {
  /** The text. */
  readonly element: HTMLElement;
  /** The net. */
  readonly painting: HTMLDetailsElement;
  private readonly text: HTMLTextAreaElement;
  private readonly palette = new Palette();
  private readonly net: Net;
  private readonly undo: HTMLButtonElement;
  /** The texts before what was painted, the latest last. */
  private painted: string[] = [];
  private readonly textErrors = h("div", { id: "text-errors", class: "said", "aria-live": "polite" });
  // Below the net, which must not move while it is painted.
  private readonly netErrors = h("div", { class: "said", tabindex: -1, "aria-live": "polite" });
  /** Where the position was entered last: errors are shown there. */
  private source: "text" | "net" = "text";
  private timer = 0;
  private checks = 0;
  private lastCheck = Promise.resolve();
  /** Whether the last check had no answer. */
  private hasFailed = false;

  /** `onChange` is called with the result of each check, `onEnter` when the text is to be solved. `isNiss` says how to read it. */
  constructor(
    private readonly onChange: (text: string, checked: PositionCheck | undefined) => void,
    onEnter: () => void,
    private readonly isNiss: () => boolean,
  ) {
    this.text = h("textarea", {
      rows: 2,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      enterkeyhint: "go",
      placeholder: "R U2 F' …",
      "aria-describedby": this.textErrors.id,
      oninput: () => {
        this.forgetPainted();
        this.source = "text";
        this.checkSoon();
      },
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onEnter();
      },
    });
    this.net = new Net(
      () => this.palette.brush,
      (facelets) => this.setText(facelets, "net"),
    );
    const button = (name: string, act: () => void): HTMLButtonElement => h("button", { type: "button", class: "quiet", onclick: act }, name);
    this.element = h("div", { class: "position" }, field("Scramble, facelets, pieces or Speffz cycles", this.text), this.textErrors);
    this.undo = button("Undo", () => this.takeBack());
    this.undo.disabled = true;
    this.painting = h(
      "details",
      { class: "card paint", open: !NARROW.matches, onkeydown: (event: KeyboardEvent) => this.onKey(event) },
      h("summary", {}, h("h2", {}, "Paint")),
      h(
        "div",
        { class: "row" },
        appearanceInput(),
        h("span", { class: "row tight" }, this.undo, button("Solved", () => this.setText(SOLVED, "net")), button("Clear", () => this.setText(BLANK, "net"))),
      ),
      this.palette.element,
      this.net.element,
      this.netErrors,
      keys(),
    );
    this.palette.count(SOLVED);
  }

  /** The current text. */
  get value(): string {
    return this.text.value;
  }

  /** What the empty field shows. */
  set placeholder(example: string) {
    this.text.placeholder = example;
  }

  /** Leads to what is wrong, or to the text. */
  focus(): void {
    if (this.netErrors.hasChildNodes()) this.netErrors.focus();
    else this.text.focus();
  }

  /** Replaces the text and checks it at once. */
  setText(text: string, source: "text" | "net" = "text"): void {
    if (source === "text") {
      this.forgetPainted();
    } else {
      this.painted.push(this.text.value);
      this.undo.disabled = false;
    }
    this.replace(text, source);
  }

  private replace(text: string, source: "text" | "net"): void {
    this.text.value = text;
    this.source = source;
    if (/^[URFDLB.]{54}$/.test(text)) {
      this.net.show(text);
      this.palette.count(text);
    }
    void this.check();
  }

  private onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z") return;
    event.preventDefault();
    this.takeBack();
  }

  /** Takes back what was painted last. */
  private takeBack(): void {
    const before = this.painted.pop();
    if (this.painted.length === 0) this.undo.disabled = true;
    if (before !== undefined) this.replace(before, "net");
  }

  private forgetPainted(): void {
    this.painted = [];
    this.undo.disabled = true;
  }

  private checkSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), CHECK_DELAY);
  }

  /** Waits until the current text has been checked. */
  async settle(): Promise<void> {
    if (this.timer !== 0 || this.hasFailed) void this.check();
    await this.lastCheck;
  }

  /** Shows the scramble of a random position; false if something else was entered meanwhile. */
  async random(): Promise<boolean> {
    const { checks, value } = this;
    try {
      const { scramble } = await engine.random();
      // What was entered meanwhile stays.
      if (checks !== this.checks || value !== this.value) return false;
      this.setText(scramble);
      return true;
    } catch (error) {
      showError(this.textErrors, error);
      return false;
    }
  }

  /** Has the engine check the text. Only the result of the last check is used. */
  check(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    this.lastCheck = this.checkNow();
    return this.lastCheck;
  }

  private async checkNow(): Promise<void> {
    const text = this.text.value;
    const number = (this.checks += 1);
    this.hasFailed = false;
    if (text.trim() === "") {
      this.show(text, SOLVED);
      this.onChange(text, undefined);
      return;
    }
    try {
      const checked = await engine.check(text, this.isNiss());
      if (number !== this.checks) return;
      // Otherwise the net would show another position than that of the text.
      this.show(text, checked.facelets ?? (this.source === "text" ? BLANK : undefined), checked);
      this.onChange(text, checked);
    } catch (error) {
      if (number !== this.checks) return;
      this.hasFailed = true;
      if (this.source === "text") this.show(text, BLANK);
      showError(this.textErrors, error);
      this.onChange(text, undefined);
    }
  }

  private show(text: string, facelets?: string, checked?: PositionCheck): void {
    if (facelets) {
      this.net.show(facelets);
      this.palette.count(facelets);
    }
    const wrong = checked?.ok === false ? checked : undefined;
    const isPainting = wrong?.facelets !== undefined;
    const isFault = wrong !== undefined && wrong.blank === 0;
    this.net.mark(wrong?.marks ?? []);
    this.text.classList.toggle("fault", isFault);
    setAll(this.text, { "aria-invalid": isFault ? "true" : null });
    // Where the net is folded away, nobody would see what is said below it.
    const isBelow = isPainting && this.source === "net" && this.painting.open;
    const errors = wrong ? (isPainting ? paintingErrors(wrong) : [notice(wrong, text)]) : [];
    const rotation = checked?.ok ? checked.rotation : undefined;
    const hint = checked?.ok && checked.hint !== undefined && h("p", { class: "notice" }, `${capital(checked.hint)}.`);
    setChildren(this.textErrors, ...(isBelow ? [] : errors), hint, rotation !== undefined && h("p", { class: "notice" }, `The moves turn the whole cube (${rotation}). The 3D cube is held as it is after them; Paint shows it with ${holding()}.`));
    setChildren(this.netErrors, ...(isBelow ? errors : []));
  }
}

/** What is wrong with a painted cube: first impossible pieces, then blank facelets, then the position as a whole. */
function paintingErrors({ marks, blank, facelets = "", ...whole }: NotAPosition): HTMLElement[] {
  if (marks.length > 0) return marks.slice(0, EXPLAINED_MARKS).map((mark) => notice(mark, "", described(mark.places, facelets)));
  if (blank > 0) return [h("p", { class: "notice" }, `${plural(blank, "facelet")} to paint.`)];
  return [notice({ error: whole.error, ...(whole.help && { help: whole.help }) }, "", "nothing is marked, for any of them may be the one that is wrong")];
}

function keys(): HTMLElement {
  const element = h("p", { class: "keys" });
  onAppearance(() => setChildren(element, "Keys: arrows move, ", ...FACES.flatMap((face) => [h("kbd", {}, faceColours()[face].key), " "]), "paint, Backspace clears."));
  return element;
}
