// A number that may be left out, such as a limit. What is wrong with it is said below it.

import { field, h, newId, setAll, setText } from "../dom";
import { LIMITS, takesOf } from "./options";

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
      // While it is being corrected, nothing new is found wrong with it.
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

  /** Puts the focus here, where it is seen. */
  focus(): void {
    this.element.closest("details")?.setAttribute("open", "");
    this.input.focus();
  }

  /** Whether the value is valid; if not, that is said. */
  isValid(): boolean {
    // Of what is no number, the browser tells nothing else.
    const takes = takesOf(this.option, this.input.validity.badInput ? "?" : this.value);
    setText(this.wrong, takes ? `Enter ${takes}.` : "");
    setAll(this.input, { "aria-invalid": takes ? "true" : null });
    return takes === undefined;
  }
}

/** Whether all are valid; if not, the first that is not has the focus. */
export function areValid(...fields: NumberField[]): boolean {
  const wrong = fields.filter((each) => !each.isValid());
  wrong[0]?.focus();
  return wrong.length === 0;
}
