// A text field that the engine checks, with the error below it.

import { engine } from "#engine";
import { field, h, newId, setAll, setChildren } from "../dom";
import { notice } from "../ui/notice";
import type { SolveRequest } from "../protocol";

/** Delay of the check after the last key, in milliseconds. */
const CHECK_DELAY = 300;

/** The field. */
export class CheckedText {
  private readonly input: HTMLInputElement;
  private readonly wrong = h("div", { class: "said", id: newId("wrong"), "aria-live": "polite" });
  readonly element: HTMLElement;
  private timer = 0;
  private checks = 0;
  private lastCheck = Promise.resolve(true);

  /**
   * `requestAbout` returns the request that checks the text; `onInput` is called after each key.
   */
  constructor(
    label: string,
    hint: string,
    private readonly requestAbout: (text: string) => Partial<SolveRequest>,
    onInput?: () => void,
  ) {
    this.input = h("input", {
      type: "text",
      class: "code-text",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-describedby": this.wrong.id,
      oninput: () => {
        this.checkSoon();
        onInput?.();
      },
    });
    this.element = h("div", { class: "checked" }, field(label, this.input, hint), this.wrong);
  }

  get value(): string {
    return this.input.value;
  }

  set value(value: string) {
    if (value === this.input.value) return;
    this.input.value = value;
    this.checkSoon();
  }

  /** Sets the meaning of the empty field. */
  set placeholder(text: string) {
    this.input.placeholder = text;
  }

  /** Focuses the field, where it is visible. */
  focus(): void {
    for (
      let fold = this.element.closest("details");
      fold;
      fold = fold.parentElement!.closest("details")
    )
      fold.open = true;
    this.input.focus();
  }

  /** Waits for the check of the text, and returns `true` if it is valid. */
  async settle(): Promise<boolean> {
    if (this.timer !== 0) this.check();
    return this.lastCheck;
  }

  /** Has the engine check the text again; it may not have been available before. */
  check(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.lastCheck = this.checkNow();
  }

  /** Schedules a check. */
  checkSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), CHECK_DELAY);
  }

  private async checkNow(): Promise<boolean> {
    const { value } = this;
    const number = (this.checks += 1);
    const error =
      value.trim() === ""
        ? undefined
        : await engine.checkRequest(this.requestAbout(value)).catch(() => undefined);
    if (number !== this.checks) return this.lastCheck;
    setAll(this.input, { "aria-invalid": error ? "true" : null });
    setChildren(this.wrong, error && notice(error, value));
    return error === undefined;
  }
}
