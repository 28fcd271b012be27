// A part of the query, folded behind a chip with its summary, which is tinted if something other
// than the defaults is chosen.

import type { ComponentChildren } from "preact";
import { areFixed, options, setOptions } from "../stores/options";
import { DEFAULTS, type Options } from "./option-values";

/** The part with these options; `onChange` is called after they have been reset. */
export function Question(props: {
  kind: string;
  summary: string;
  names: (keyof Options)[];
  onChange: () => void;
  children: ComponentChildren;
}) {
  const { kind, summary, names, onChange } = props;
  const { value } = options;
  const isChanged = names.some((name) => value[name] !== DEFAULTS[name]);
  const reset = (): void => {
    if (!isChanged) return;
    setOptions({ ...value, ...Object.fromEntries(names.map((name) => [name, DEFAULTS[name]])) });
    onChange();
  };
  return (
    <details class="options" name="question">
      <summary
        class={isChanged ? "changed" : undefined}
        title={isChanged ? "Not the default" : undefined}
      >
        <span class="kind">{`${kind}: `}</span>
        <span>{summary}</span>
      </summary>
      {props.children}
      {/* With the attribute `disabled`, the button would lose the focus. */}
      <button
        type="button"
        class="quiet reset"
        disabled={areFixed.value}
        aria-disabled={!isChanged || undefined}
        onClick={reset}
      >
        Reset
      </button>
    </details>
  );
}
