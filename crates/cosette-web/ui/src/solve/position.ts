// The position to solve: a text in any format and the painted net, two views of one thing.

import { ask, refusalOf } from "../api";
import { BLANK, SOLVED } from "../cube/colours";
import { Net, described } from "../cube/net";
import { Palette } from "../cube/palette";
import { field, fill, h } from "../dom";
import { plural } from "../format";
import type { Checked, Fault, Refusal } from "../protocol";
import { notice } from "./notice";

/** So long after the last key the text is read. */
const PAUSE = 120;

/** So many impossible pieces are explained at a time; all are marked. */
const MARKS = 3;

/** The text, the net and what is said of them. */
export class PositionInput {
  readonly element: HTMLElement;
  private readonly text: HTMLTextAreaElement;
  private readonly palette = new Palette();
  private readonly net: Net;
  private readonly saidOfText = h("div", { class: "said", "aria-live": "polite" });
  // Below the net, which must not move while it is painted.
  private readonly saidOfNet = h("div", { class: "said", "aria-live": "polite" });
  private timer = 0;
  private reading = 0;
  private lastReading = Promise.resolve();

  /** `onChange` is told what the text shows, each time it was read. */
  constructor(
    private readonly onChange: (text: string, checked: Checked | undefined) => void,
    onEnter: () => void,
  ) {
    this.text = h("textarea", {
      rows: 2,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      placeholder: "R U2 F' …",
      oninput: () => this.readSoon(),
      onkeydown: (event: KeyboardEvent) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && onEnter(),
    });
    this.net = new Net(
      () => this.palette.brush,
      (facelets) => this.take(facelets),
    );
    const button = (name: string, act: () => void): HTMLElement => h("button", { type: "button", class: "quiet", onclick: act }, name);
    this.element = h(
      "div",
      { class: "position" },
      field("Scramble, facelets, Reid's pieces or Speffz cycles", this.text),
      this.saidOfText,
      h(
        "div",
        { class: "row" },
        h("span", { class: "label" }, "Or paint it, white up and green in front"),
        h("span", { class: "row tight" }, button("Random", () => void this.random()), button("Solved", () => this.take(SOLVED)), button("Clear", () => this.take(BLANK))),
      ),
      this.palette.element,
      this.net.element,
      this.saidOfNet,
      h("p", { class: "keys" }, "Keys on the net: arrows move, ", ...keys(), " paint by colour or by face, Backspace clears."),
    );
    this.palette.count(SOLVED);
  }

  /** The text as it stands. */
  get value(): string {
    return this.text.value;
  }

  /** Puts another text there and reads it at once. */
  take(text: string): void {
    this.text.value = text;
    if (/^[URFDLB.]{54}$/.test(text)) {
      this.net.show(text);
      this.palette.count(text);
    }
    void this.read();
  }

  private readSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.read(), PAUSE);
  }

  /** Waits until the text as it stands has been read. */
  async settle(): Promise<void> {
    if (this.timer !== 0) void this.read();
    await this.lastReading;
  }

  private async random(): Promise<void> {
    try {
      this.take((await ask<{ facelets: string }>("GET", "/random")).facelets);
    } catch (error) {
      this.refuse(refusalOf(error));
    }
  }

  /** Asks the server what the text shows; only the last question counts. */
  private read(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = 0;
    this.lastReading = this.check();
    return this.lastReading;
  }

  private async check(): Promise<void> {
    const text = this.text.value;
    const reading = (this.reading += 1);
    if (text.trim() === "") {
      this.show(text, SOLVED);
      this.onChange(text, undefined);
      return;
    }
    try {
      const checked = await ask<Checked>("POST", "/position", { text });
      if (reading !== this.reading) return;
      this.show(text, checked.facelets, checked);
      this.onChange(text, checked);
    } catch (error) {
      if (reading !== this.reading) return;
      this.refuse(refusalOf(error));
      this.onChange(text, undefined);
    }
  }

  private show(text: string, facelets?: string, checked?: Checked): void {
    if (facelets) {
      this.net.show(facelets);
      this.palette.count(facelets);
    }
    const fault = checked?.ok === false ? checked : undefined;
    const isPicture = fault?.facelets !== undefined;
    this.net.mark(fault?.marks ?? []);
    this.text.classList.toggle("fault", fault !== undefined && fault.blank === 0);
    fill(this.saidOfText, fault && !isPicture && notice(fault, text));
    fill(this.saidOfNet, ...(fault && isPicture ? ofPicture(fault) : []));
  }

  private refuse(refusal: Refusal | undefined): void {
    if (refusal) fill(this.saidOfText, notice(refusal));
  }
}

/** What is wrong with a picture: its impossible pieces first, then what is missing, then what only the whole shows. */
function ofPicture({ marks, blank, facelets = "", ...whole }: Fault): HTMLElement[] {
  if (marks.length > 0) return marks.slice(0, MARKS).map((mark) => notice(mark, "", described(mark.places, facelets)));
  return [blank > 0 ? h("p", { class: "notice" }, `${plural(blank, "facelet")} to paint.`) : notice({ error: whole.error, ...(whole.help && { help: whole.help }) })];
}

function keys(): (Node | string)[] {
  return ["W", "R", "G", "Y", "O", "B"].flatMap((key) => [h("kbd", {}, key), " "]);
}
