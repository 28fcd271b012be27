// The position to solve: a text in any format and the painted net, two views of the same position.

import { engine } from "#engine";
import { colorName, faceColors, holding, onAppearance } from "../cube/appearance";
import { appearanceInput } from "../cube/appearance-input";
import { BLANK, FACES, SOLVED, isPainted, type Face } from "../cube/colors";
import { Net, described, inColors } from "../cube/net";
import { Palette } from "../cube/palette";
import { field, h, onEnter, setAll, setChildren, setText } from "../dom";
import { capital, count, plural } from "../format";
import { linesOf } from "../text-lines";
import { notice, showError } from "../ui/notice";
import type { NotAPosition, PositionCheck } from "../protocol";
import { ONE_COLUMN } from "../breakpoints";
import { positionNamed } from "./patterns";

/** Delay of the check after the last key, in milliseconds. */
const CHECK_DELAY = 120;

/**
 * Delay of an error at the end of the text, which may be an incomplete word, in milliseconds after
 * the last key.
 */
const PATIENCE = 800;

/** Maximum number of characters of a text. Lists are longer, and servers accept at most 64 kB. */
const MAX_LENGTH = 16_000;

/** Number of last lines examined to detect a list; the first lines may be headings. */
const SEEN = 5;

/** Maximum number of impossible pieces explained at a time; all are marked. */
const EXPLAINED_MARKS = 3;

/** An example of each other format. */
const FORMATS: [text: string, what: string][] = [
  [
    "FUUFUULRRBLLDRRDRRBDDBFFUFFRLLDDBDDBRRULLULLFFFDUBBUBB",
    "54 facelets: faces in the order U R F D L B, any letter per color",
  ],
  [
    "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR",
    "Reid notation: for each slot, the piece in it, its stickers in the order of the " +
      "slot's name. Slots: UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL " +
      "DLB DBR",
  ],
  ["corners: (A B C D) edges: (A B C D)", "cycles of stickers in Speffz lettering"],
];

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
  /** Earlier texts, which Undo restores. */
  private before: string[] = [];
  /**
   * The text as last set by the program. Typing after it is one undo step, within which the
   * browser has its own undo.
   */
  private put = "";
  private isTyped = false;
  private readonly textErrors = h("div", {
    id: "text-errors",
    class: "said",
    "aria-live": "polite",
  });
  // Below the net, which must not move while it is painted.
  private readonly netErrors = h("div", { class: "said", tabindex: -1, "aria-live": "polite" });
  private readonly caption = h("p", { class: "label" });
  /** The place of the last input: errors are shown there. */
  private source: "text" | "net" = "text";
  private timer = 0;
  private checks = 0;
  private lastCheck = Promise.resolve();
  /** `true` if the last check had no answer. */
  private hasFailed = false;
  /** The shown content. */
  private shown: Parameters<PositionInput["show"]> | undefined;

  /**
   * `onChange` is called with the result of each check, `solve` when the text is to be solved.
   * `isNiss` returns `true` if moves in parentheses are on the inverse.
   */
  constructor(
    private readonly onChange: (text: string, checked: PositionCheck | undefined) => void,
    solve: () => void,
    private readonly isNiss: () => boolean,
    private readonly listHelp: (text: string) => HTMLElement,
  ) {
    this.text = h("textarea", {
      rows: 2,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      enterkeyhint: "go",
      "aria-describedby": this.textErrors.id,
      oninput: () => {
        if (!this.isTyped) this.addStep(this.put);
        this.isTyped = true;
        this.source = "text";
        this.checkSoon();
      },
      // Later typing is another undo step.
      onchange: () => this.endStep(),
      onkeydown: (event: KeyboardEvent) => !this.isTyped && this.onKey(event),
    });
    onEnter(this.text, () => {
      this.endStep();
      solve();
    });
    this.net = new Net(
      () => this.palette.brush,
      (facelets) => this.setText(facelets, "net"),
    );
    const button = (name: string, act: () => void): HTMLButtonElement =>
      h("button", { type: "button", class: "quiet", onclick: act }, name);
    this.element = h(
      "div",
      { class: "position" },
      field("Scramble", this.text),
      this.textErrors,
      formats((text) => this.setText(text)),
    );
    this.undo = button("Undo", () => this.takeBack());
    this.showUndo();
    this.painting = h(
      "details",
      {
        class: "card paint",
        open: !ONE_COLUMN.matches,
        onkeydown: (event: KeyboardEvent) => this.onKey(event),
      },
      h("summary", {}, h("h2", {}, "Paint your cube")),
      h(
        "div",
        { class: "row" },
        appearanceInput(),
        h(
          "span",
          { class: "row tight" },
          this.undo,
          button("Solved", () => this.setText(SOLVED, "net")),
          button("Clear", () => this.setText(BLANK, "net")),
        ),
      ),
      this.palette.element,
      this.net.element,
      this.netErrors,
      this.caption,
      keys(),
    );
    this.palette.count(SOLVED);
    // Messages include names of colors.
    onAppearance(() => this.shown && this.show(...this.shown));
  }

  /** The current text. */
  get value(): string {
    return this.text.value;
  }

  /** Sets the text of the empty field. */
  set placeholder(example: string) {
    this.text.placeholder = example;
  }

  /** Focuses the error, or the text. */
  focus(): void {
    if (this.netErrors.hasChildNodes()) this.netErrors.focus();
    else this.text.focus();
  }

  /** Unfolds the net and scrolls to it. */
  paint(): void {
    this.painting.open = true;
    this.painting.scrollIntoView();
    this.painting.querySelector("summary")!.focus({ preventScroll: true });
  }

  /** Replaces the text and checks it at once; Undo restores the text before. */
  setText(text: string, source: "text" | "net" = "text"): void {
    this.addStep(this.text.value);
    this.replace(text, source);
  }

  /**
   * Shows the text of another entry of the history; edits made in the entry before do not belong
   * to it.
   */
  arrive(text: string): void {
    this.before = [];
    this.showUndo();
    this.replace(text, "text");
  }

  /** Returns `true` if nothing has been entered since. */
  get isAsArrived(): boolean {
    return this.before.length === 0;
  }

  private replace(text: string, source: "text" | "net"): void {
    this.text.value = text;
    this.endStep();
    this.source = source;
    if (isPainted(text)) {
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

  private endStep(): void {
    this.put = this.text.value;
    this.isTyped = false;
  }

  private addStep(text: string): void {
    this.before.push(text);
    this.showUndo();
  }

  /** Shows or hides Undo. With the attribute `disabled`, the button would lose the focus. */
  private showUndo(): void {
    setAll(this.undo, { "aria-disabled": this.before.length === 0 });
  }

  /** Undoes the last painting, typing or drawing of a random position. */
  private takeBack(): void {
    const before = this.before.pop();
    this.showUndo();
    if (before !== undefined) this.replace(before, isPainted(before) ? "net" : "text");
  }

  private checkSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(true), CHECK_DELAY);
  }

  /** Waits until the current text has been checked. */
  async settle(): Promise<void> {
    if (this.timer !== 0 || this.hasFailed) void this.check();
    await this.lastCheck;
  }

  /**
   * Shows the scramble of a random position; returns `false` if something else was entered
   * meanwhile.
   */
  async random(): Promise<boolean> {
    const { checks, value } = this;
    try {
      const { scramble } = await engine.random();
      // Input entered meanwhile stays.
      if (checks !== this.checks || value !== this.value) return false;
      this.setText(scramble);
      return true;
    } catch (error) {
      showError(this.textErrors, error);
      return false;
    }
  }

  /**
   * Has the engine check the text, which may be incomplete while the user types. Only the result
   * of the last check is used.
   */
  check(isTyping = false): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    const named = positionNamed(this.value);
    if (named !== undefined) {
      this.text.value = named;
      this.endStep();
    }
    this.lastCheck = this.checkNow(isTyping);
    return this.lastCheck;
  }

  private async checkNow(isTyping: boolean): Promise<void> {
    const text = this.text.value;
    const number = (this.checks += 1);
    this.hasFailed = false;
    if (text.trim() === "") {
      this.show(text, SOLVED);
      this.onChange(text, undefined);
      return;
    }
    try {
      const checked = text.length > MAX_LENGTH ? TOO_LONG : await engine.check(text, this.isNiss());
      const isList = !checked.ok && (await this.areAllPositions(linesOf(text)));
      if (number !== this.checks) return;
      if (isTyping && !checked.ok && !isList && isAtEnd(checked, text)) {
        this.timer = window.setTimeout(() => void this.check(), PATIENCE);
        // The shown errors belong to another text.
        setChildren(this.textErrors);
        return;
      }
      const before = this.net.element.getBoundingClientRect().top;
      // Otherwise the net would show another position than the text.
      this.show(
        text,
        checked.facelets ?? (this.source === "text" ? BLANK : undefined),
        checked,
        isList,
      );
      this.onChange(text, checked);
      // Messages above the net must not move it while it is being painted.
      if (this.source === "net")
        window.scrollBy({
          top: this.net.element.getBoundingClientRect().top - before,
          behavior: "instant",
        });
    } catch (error) {
      if (number !== this.checks) return;
      this.hasFailed = true;
      if (this.source === "text") this.show(text, BLANK);
      showError(this.textErrors, error);
      this.onChange(text, undefined);
    }
  }

  /**
   * Returns `true` if there are several lines, and all have a number or all seem to be positions.
   */
  private async areAllPositions(lines: string[]): Promise<boolean> {
    if (lines.length < 2) return false;
    if (lines.every((line) => /^\s*\d+[.)]\s/.test(line))) return true;
    const seen = lines.slice(-SEEN).filter((line) => line.length <= MAX_LENGTH);
    return (
      await Promise.all(
        seen.map((line) => engine.check(positionNamed(line) ?? line, this.isNiss())),
      )
    ).every(({ ok }) => ok);
  }

  /** Describes a list. */
  private list(text: string): HTMLElement {
    return h(
      "div",
      { class: "notice" },
      h("p", {}, `This looks like a list of ${count(linesOf(text).length)} positions.`),
      this.listHelp(text),
    );
  }

  private show(text: string, facelets?: string, checked?: PositionCheck, isList = false): void {
    this.shown = [text, facelets, checked, isList];
    if (facelets) {
      this.net.show(facelets);
      this.palette.count(facelets);
    }
    setText(
      this.caption,
      `${text.trim() === "" ? "This is the solved cube. " : ""}Choose a color, then press or drag over the stickers that have it.`,
    );
    const wrong = checked?.ok === false ? checked : undefined;
    const isPainting = wrong?.facelets !== undefined;
    const isFault = wrong !== undefined && wrong.blank === 0;
    this.net.mark(
      wrong?.marks.map((mark, at, { length }) => ({
        ...mark,
        error: inColors(mark.error),
        sign: signOf(at, length),
      })) ?? [],
    );
    setAll(this.text, { "aria-invalid": isFault ? "true" : null });
    // If the net is folded, messages below it are invisible.
    const isBelow = isPainting && this.source === "net" && this.painting.open;
    const errors = wrong
      ? isPainting
        ? paintingErrors(wrong, this.source === "net")
        : [isList ? this.list(text) : notice(wrong, text)]
      : [];
    const rotation = checked?.ok ? checked.rotation : undefined;
    const hint =
      checked?.ok &&
      checked.hint !== undefined &&
      h(
        "div",
        { class: "notice" },
        h("p", {}, `${capital(checked.hint)}.`),
        linesOf(text).length > 1 && this.listHelp(text),
      );
    setChildren(
      this.textErrors,
      ...(isBelow ? [] : errors),
      hint,
      rotation !== undefined &&
        h(
          "p",
          { class: "notice" },
          `The moves rotate the whole cube (${rotation}). The 3D cube is shown in the resulting orientation; Paint shows it with ${holding()}.`,
        ),
    );
    setChildren(this.netErrors, ...(isBelow ? errors : []));
  }
}

/** Returns `true` if the error is in the last word. */
function isAtEnd({ span }: NotAPosition, text: string): boolean {
  return span[1] >= text.trimEnd().length;
}

/** The error of a text that is too long for any position. */
const TOO_LONG: NotAPosition = {
  ok: false,
  format: "moves",
  error: "this text is too long for one position",
  help: `enter at most ${count(MAX_LENGTH)} characters, or a list with one position per line`,
  span: [0, 0],
  blank: 0,
  marks: [],
};

/**
 * Returns the errors of a painted cube: first impossible pieces, then unpainted facelets, then the
 * position as a whole. A user who has typed face letters gets messages with face letters.
 */
function paintingErrors(
  { marks, blank, facelets = "", ...whole }: NotAPosition,
  inNames: boolean,
): HTMLElement[] {
  const said = ({
    error,
    help,
  }: {
    error: string;
    help: string;
  }): { error: string; help: string } => ({ error: inNames ? inColors(error) : error, help });
  // Help shared with the next error is shown once, for both.
  const helpOf = (at: number): string => {
    const { help } = marks[at]!;
    const isRepeated = at + 1 < EXPLAINED_MARKS && marks[at + 1]?.help === help;
    return isRepeated
      ? ""
      : help.replace(marks[at - 1]?.help === help ? /^check this slot: / : "", "");
  };
  if (marks.length > 0) {
    const each = marks.slice(0, EXPLAINED_MARKS).map((mark, at) =>
      notice(
        said({
          error: `${marks.length > 1 ? `${signOf(at, marks.length)}: ` : ""}${mark.error}`,
          help: helpOf(at),
        }),
        "",
        described(mark.facelet_indices, facelets),
      ),
    );
    const counts = blank === 0 ? unevenColors(facelets) : "";
    return [
      h(
        "div",
        { class: "notice bad" },
        counts !== "" &&
          h("p", {}, h("strong", {}, `${counts}: each color must have nine facelets.`)),
        ...each.flatMap(({ children }) => [...children]),
      ),
    ];
  }
  if (blank > 0) return [h("p", { class: "notice" }, `${plural(blank, "facelet")} to paint.`)];
  return [
    notice(
      said(whole),
      "",
      "no piece is marked, because the wrong one cannot be identified; check all pieces",
    ),
  ];
}

/**
 * Returns the sign on the facelets of an impossible piece: if there are several, the number of its
 * message.
 */
function signOf(at: number, count: number): string {
  return count > 1 && at < EXPLAINED_MARKS ? String(at + 1) : "✕";
}

/** Lists the colors that are not on nine facelets: "11 red, 7 white". */
function unevenColors(facelets: string): string {
  const counts = FACES.map((face): [number, Face] => [
    [...facelets].filter((facelet) => facelet === face).length,
    face,
  ]);
  return counts
    .filter(([number]) => number !== 9)
    .sort(([a], [b]) => b - a)
    .map(([number, face]) => `${number} ${colorName(face)}`)
    .join(", ");
}

/**
 * Lists the input formats other than a scramble, each with an example; `onChoose` is called with
 * the example that is pressed.
 */
function formats(onChoose: (text: string) => void): HTMLElement {
  const example = (text: string): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "link solution",
        title: "Try this example",
        onclick: () => onChoose(text),
      },
      text,
    );
  return h(
    "details",
    { class: "options formats" },
    h("summary", {}, "Other input formats"),
    h(
      "dl",
      { class: "needs" },
      ...FORMATS.flatMap(([text, what]) => [h("dt", {}, example(text)), h("dd", {}, what)]),
    ),
  );
}

function keys(): HTMLElement {
  const element = h("p", { class: "keys" });
  onAppearance(() =>
    setChildren(
      element,
      "Keyboard: arrow keys move, ",
      ...FACES.flatMap((face) => [h("kbd", {}, faceColors()[face].key), " "]),
      "paint, Backspace clears.",
    ),
  );
  return element;
}
