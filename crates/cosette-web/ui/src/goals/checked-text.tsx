// A text field that the engine checks, with the error below it.

import { engine } from "#engine";
import { effect, signal } from "@preact/signals";
import { createRef } from "preact";
import type { ApiError, SolveRequest } from "../protocol";
import { Field, VERBATIM, useNewId } from "../ui/field";
import { Notice } from "../ui/notice";
import { Prose } from "../ui/prose";

/** Delay of the check after the last key, in milliseconds. */
const CHECK_DELAY = 300;

/** The text of an option as it is entered, and its error. */
export class CheckedEntry {
  readonly text = signal("");
  readonly error = signal<ApiError | undefined>(undefined);
  readonly input = createRef<HTMLInputElement>();
  private timer = 0;
  private checks = 0;
  private lastCheck = Promise.resolve(true);

  /** `requestAbout` returns the request that checks the text. */
  constructor(
    private readonly option: { value: string },
    private readonly requestAbout: (text: string) => Partial<SolveRequest>,
  ) {
    effect(() => {
      if (option.value === this.text.peek().trim()) return;
      this.text.value = option.value;
      this.checkSoon();
    });
  }

  /** Enters a text. */
  enter(text: string): void {
    this.text.value = text;
    this.option.value = text.trim();
    this.checkSoon();
  }

  /** Focuses the field, where it is visible. */
  focus(): void {
    const input = this.input.current!;
    for (let fold = input.closest("details"); fold; fold = fold.parentElement!.closest("details"))
      fold.open = true;
    input.focus();
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
    const { value } = this.text;
    const number = (this.checks += 1);
    const error =
      value.trim() === ""
        ? undefined
        : await engine.checkRequest(this.requestAbout(value)).catch(() => undefined);
    if (number !== this.checks) return this.lastCheck;
    this.error.value = error;
    return error === undefined;
  }
}

/** The field; `placeholder` is the meaning of the empty one. */
export function CheckedText(props: {
  label: string;
  hint: string;
  entry: CheckedEntry;
  placeholder?: string | undefined;
  onChange?: () => void;
}) {
  const { entry } = props;
  const error = entry.error.value;
  const errorId = useNewId();
  return (
    <div class="checked" onChange={props.onChange}>
      <Field label={props.label} hint={<Prose text={props.hint} />}>
        {(ids) => (
          <input
            {...ids}
            ref={entry.input}
            type="text"
            class="code-text"
            {...VERBATIM}
            placeholder={props.placeholder}
            aria-describedby={`${ids["aria-describedby"]} ${errorId}`}
            aria-invalid={error ? true : undefined}
            value={entry.text.value}
            onInput={(event) => entry.enter(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="said" id={errorId} aria-live="polite">
        {error && <Notice of={error} text={entry.text.value} />}
      </div>
    </div>
  );
}
