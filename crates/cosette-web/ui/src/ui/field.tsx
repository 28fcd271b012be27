// Fields: a label above a control, and a hint or an error below it.

import { computed, signal } from "@preact/signals";
import { createRef, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { NumberOption } from "../solve/option-values";

let lastId = 0;

/** An id of an element; those of `useId` are the same in each tree of components. */
export const useNewId = (): string => useState(() => `control-${(lastId += 1)}`)[0];

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
  const id = useNewId();
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
  props: Partial<Ids> & {
    "aria-label"?: string;
    options: [value: T, text: string][];
    value: { value: T };
    isDisabled?: (value: T) => boolean;
    disabled?: boolean;
  },
) {
  const { options, value, isDisabled, ...ids } = props;
  return (
    <select
      {...ids}
      value={value.value}
      onChange={(event) => (value.value = event.currentTarget.value as T)}
    >
      {options.map(([name, text]) => (
        <option value={name} disabled={isDisabled?.(name)}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A selection with its label, and a hint below it. */
export function SelectField<T extends string>({
  label,
  hint,
  ...select
}: { label: string; hint?: string } & Omit<Parameters<typeof Select<T>>[0], keyof Ids>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <Select {...ids} {...select} />}
    </Field>
  );
}

/** The attributes of a field for notation, which the browser does not correct. */
export const VERBATIM = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;

/** An optional number, such as a limit, as it is entered. */
export class NumberEntry {
  readonly input = createRef<HTMLInputElement>();
  private readonly isNoNumber = signal(false);
  private readonly isTold = signal(false);
  /** The error that is shown; empty if there is none. */
  readonly wrong = computed(() => {
    // For a text that is not a number, the browser reports nothing else.
    const isBad = this.text.value === "" && this.isNoNumber.value;
    const takes = this.option.takes(isBad ? "?" : this.text.value);
    return this.isTold.value && takes ? `Enter ${takes}.` : "";
  });

  constructor(
    readonly option: NumberOption,
    readonly text: { value: string } = signal(""),
  ) {}

  /** Reads the field. While an error is being corrected, no new one is shown. */
  read(): void {
    const { value, validity } = this.input.current!;
    if (this.wrong.value === "") this.isTold.value = false;
    this.isNoNumber.value = validity.badInput;
    this.text.value = value;
  }

  /** Returns `true` if the value is valid; otherwise shows the error. */
  isValid(): boolean {
    this.isTold.value = true;
    return this.wrong.value === "";
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
  const id = useNewId();
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
        {...option.limits}
        value={text.value}
        aria-describedby={error}
        aria-invalid={wrong.value !== "" || undefined}
        onInput={() => entry.read()}
        onChange={() => entry.isValid()}
      />
      <small class="wrong" id={error} role="alert">
        {wrong}
      </small>
    </div>
  );
}
