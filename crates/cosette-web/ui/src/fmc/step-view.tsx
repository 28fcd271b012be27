// The selected step: its moves, the bad pieces, and the note.

import { useSignal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { plural } from "../format";
import type { ApiError } from "../protocol";
import { deleteStep, edit, inspection, paste, selection, wanted } from "../stores/attempt";
import { Field, VERBATIM, useNewId } from "../ui/field";
import { News, Notice } from "../ui/notice";
import { onEnter } from "../ui/on-enter";
import { doneBy, isSolved, totalOf, type Step } from "./attempt";
import { BadPiecesView } from "./bad-pieces";
import { solutionOf } from "./moves";
import { playing } from "./playback";
import "./step-view.css";
import { Badges } from "./tree";
import { useWanted } from "./wanted";
import { readWriteUp } from "./writeup";

/** The selected step. */
export function StepView() {
  const { step } = selection.value!;
  const section = useRef<HTMLElement>(null);
  useWanted("step", () => {
    const { top } = section.current!.getBoundingClientRect();
    if (ONE_COLUMN.matches || top < 0) section.current!.scrollIntoView();
    section.current!.focus({ preventScroll: true });
  });
  const onDelete = (): void => {
    deleteStep(step);
    wanted.value = "undo";
  };
  return (
    <section ref={section} class="card step-view" aria-label="Selected step" tabIndex={-1}>
      <div class="row">
        <h2>
          {step.parent ? plural(totalOf(step), "move") : "Scramble"} <Badges of={step} />
        </h2>
        {step.parent && (
          <div class="row tight">
            <button type="button" class="quiet" onClick={() => (playing.value = true)}>
              Play
            </button>
            <button type="button" class="quiet" onClick={onDelete}>
              Delete
            </button>
          </div>
        )}
      </div>
      {step.parent && <Sides of={step} />}
      <News of={inspection.value} />
      <BadPiecesView />
      <Adding hidden={isSolved(step)} />
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

/** The field for notes; on small screens folded if there are none. */
function Notes({ of: step }: { of: Step }) {
  const label = useNewId();
  const [isOpen] = useState(!ONE_COLUMN.matches || step.note !== "");
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

/** The moves on both sides. */
function Sides({ of: step }: { of: Step }) {
  const done = doneBy(step);
  const sides = isSolved(step)
    ? [["Solution", solutionOf(done)] as const]
    : ([
        ["On the scramble", done.normal],
        ["On the inverse", done.inverse],
      ] as const);
  return (
    <dl class="sides">
      {[["This step", [step.moves]] as const, ...sides].map(([name, moves]) => (
        <div>
          <dt class="label">{name}</dt>
          <dd class="solution">{moves.join(" ") || "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The field for moves or a write-up. */
function Adding({ hidden }: { hidden: boolean }) {
  const text = useSignal("");
  const error = useSignal<ApiError | undefined>(undefined);
  const said = useNewId();
  const add = (): void => {
    const found = readWriteUp(text.value);
    error.value =
      "error" in found
        ? found
        : found.steps.length === 0 && found.scramble === ""
          ? { error: "no moves entered", help: "enter moves, for example `F2 (R' D)`" }
          : undefined;
    if ("error" in found || error.value) return;
    text.value = "";
    paste(found);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (!pasted.trim().includes("\n")) return;
    event.preventDefault();
    text.value = pasted;
    add();
  };
  return (
    <div class="adding" hidden={hidden}>
      <Field
        label="Add moves"
        hint="Put moves on the inverse in parentheses. You can also paste a whole write-up."
      >
        {(ids) => (
          <textarea
            {...ids}
            aria-describedby={`${ids["aria-describedby"]} ${said}`}
            aria-invalid={error.value ? true : undefined}
            rows={1}
            {...VERBATIM}
            enterkeyhint="done"
            placeholder="F2 (R' D)"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              error.value = undefined;
            }}
            onKeyDown={onEnter(add)}
            onPaste={onPaste}
          />
        )}
      </Field>
      <button type="button" onClick={add}>
        Add
      </button>
      <div class="said" id={said} aria-live="polite">
        {error.value && <Notice of={error.value} text={text.value} />}
      </div>
    </div>
  );
}
