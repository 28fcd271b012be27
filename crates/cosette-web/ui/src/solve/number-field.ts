// An optional number, such as a limit, with its error below it.

import { field, h, newId, setAll, setText } from "../dom";
import { LIMITS, takesOf } from "./option-values";

/** The field of an option. */
export class NumberField {
  private readonly input: HTMLInputElement;
  private readonly wrong = h("small", { class: "wrong", id: newId("wrong"), role: "alert" });
  readonly element: HTMLElement;

  constructor(
    label: string,
    private readonly option: keyof typeof LIMITS,
  ) {
    this.input = h("input", {
      type: "number",
      inputmode: "decimal",
      placeholder: "none",
      ...LIMITS[option],
      onchange: () => this.isValid(),
      // While it is being corrected, no new error is shown.
      oninput: () => this.wrong.textContent !== "" && this.isValid(),
    });
    this.element = field(label, this.input, this.wrong);
  }

  get value(): string {
    return this.input.value;
  }

  set value(value: string) {
    this.input.value = value;
    this.isValid();
  }

  /** Focuses the field, where it is visible. */
  focus(): void {
    this.element.closest("details")?.setAttribute("open", "");
    this.input.focus();
  }

  /** Returns `true` if the value is valid; otherwise shows the error. */
  isValid(): boolean {
    // For a text that is not a number, the browser reports nothing else.
    const takes = takesOf(this.option, this.input.validity.badInput ? "?" : this.value);
    setText(this.wrong, takes ? `Enter ${takes}.` : "");
    setAll(this.input, { "aria-invalid": takes ? "true" : null });
    return takes === undefined;
  }
}

/** Returns `true` if all are valid; otherwise focuses the first invalid one. */
export function areValid(...fields: NumberField[]): boolean {
  const wrong = fields.filter((each) => !each.isValid());
  wrong[0]?.focus();
  return wrong.length === 0;
}
