// The selected step: its moves, and what may follow, typed or found.

import { useRef } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { plural } from "../format";
import { deleteStep, inspection, selection, wanted } from "../stores/attempt";
import { News } from "../ui/notice";
import { Adding } from "./adding";
import { doneBy, isSolved, totalOf, type Step } from "./attempt";
import { solutionOf } from "./moves";
import { playing } from "./playback";
import { SearchForm } from "./search-form";
import "./step-view.css";
import { Badges } from "./tree";
import { useWanted } from "./wanted";

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
          {step.parent ? plural(totalOf(step), "move") : "Add the first step"} <Badges of={step} />
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
      <Adding hidden={isSolved(step)} />
      {!isSolved(step) && <SearchForm />}
    </section>
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
