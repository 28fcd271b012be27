// The details of the selected step: its bad pieces, its name and its notes.

import { useMemo } from "preact/hooks";
import { isOneColumn } from "../breakpoints";
import { edit, selection } from "../stores/attempt";
import { Field, useNewId } from "../ui/field";
import type { Step } from "./attempt";
import { BadPiecesView } from "./bad-pieces";
import "./step-details.css";

/** The details. */
export function StepDetails() {
  const { step } = selection.value!;
  return (
    <section class="card step-details" aria-label="Step details">
      <BadPiecesView />
      <div class="fields noting">
        {step.parent && (
          <Field label="Step name">
            {(ids) => (
              <input
                {...ids}
                type="text"
                autocomplete="off"
                value={step.name}
                onInput={(event) => edit("name", event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Notes key={step} of={step} />
      </div>
    </section>
  );
}

/** The field for notes; on one column folded if there are none. */
function Notes({ of: step }: { of: Step }) {
  const label = useNewId();
  const isOpen = useMemo(() => !isOneColumn.value || step.note !== "", [isOneColumn.value]);
  return (
    <details class="notes" open={isOpen}>
      <summary id={label} class="label">
        Notes
      </summary>
      <textarea
        rows={2}
        class="note"
        aria-labelledby={label}
        value={step.note}
        onInput={(event) => edit("note", event.currentTarget.value)}
      />
    </details>
  );
}
