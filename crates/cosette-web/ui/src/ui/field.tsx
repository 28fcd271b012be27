// Fields: a label above a control, and a hint or an error below it.

import { signal, type Signal } from "@preact/signals";
import { createRef, type ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { LIMITS, takesOf } from "../solve/option-values";

/** The attributes that connect a control with its label and its hint. */
interface Ids {
  id: string;
  "aria-describedby"?: string;
}

/** A control, made by `children`, with its label and its hint. */
export function Field(props: {
  label: string;
  hint?: ComponentChildren;
  children: (ids: Ids) => ComponentChildren;
}) {
  const id = useId();
  const hint = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(props.hint ? { id, "aria-describedby": hint } : { id })}
      {props.hint && <small id={hint}>{props.hint}</small>}
    </div>
  );
}

/** A selection from values with texts. */
export function Select<T extends string>(
  props: Ids & { options: [value: T, text: string][]; value: Signal<T> },
) {
  const { options, value, ...ids } = props;
  return (
    <select
      {...ids}
      value={value.value}
      onChange={(event) => (value.value = event.currentTarget.value as T)}
    >
      {options.map(([name, text]) => (
        <option value={name}>{text}</option>
      ))}
    </select>
  );
}

/** An optional number, such as a limit, as it is entered. */
export class NumberEntry {
  readonly text = signal("");
  readonly wrong = signal("");
  readonly input = createRef<HTMLInputElement>();

  constructor(readonly option: keyof typeof LIMITS) {}

  /** Returns `true` if the value is valid; otherwise shows the error. */
  isValid(): boolean {
    // For a text that is not a number, the browser reports nothing else.
    const isBad = this.input.current?.validity.badInput ?? false;
    const takes = takesOf(this.option, isBad ? "?" : this.text.value);
    this.wrong.value = takes ? `Enter ${takes}.` : "";
    return takes === undefined;
  }
}

/** Returns `true` if all are valid; otherwise focuses the first invalid one. */
export function areAllValid(...entries: NumberEntry[]): boolean {
  const wrong = entries.filter((entry) => !entry.isValid());
  const first = wrong[0]?.input.current;
  first?.closest("details")?.setAttribute("open", "");
  first?.focus();
  return wrong.length === 0;
}

/** The field of an optional number, with its error below it. */
export function NumberInput({ label, entry }: { label: string; entry: NumberEntry }) {
  const { text, wrong, input, option } = entry;
  const id = useId();
  const error = `${id}-error`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="number"
        inputMode="decimal"
        placeholder="none"
        {...LIMITS[option]}
        value={text.value}
        aria-describedby={error}
        aria-invalid={wrong.value !== "" || undefined}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          // While it is being corrected, no new error is shown.
          if (wrong.value !== "") entry.isValid();
        }}
        onChange={() => entry.isValid()}
      />
      <small class="wrong" id={error} role="alert">
        {wrong}
      </small>
    </div>
  );
}
