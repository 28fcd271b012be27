// The form that searches for steps that may follow the selected step, and its results.

import { useLayoutEffect, useRef } from "preact/hooks";
import { plural } from "../format";
import { isOtherScramble, selection } from "../stores/attempt";
import * as store from "../stores/step-search";
import type { Mode } from "../stores/step-search";
import { Field, SelectField, VERBATIM } from "../ui/field";
import { Errors } from "../ui/notice";
import { RunButton } from "../ui/run-button";
import { openGlossary } from "./glossary";
import { ResultList } from "./result-list";
import { MAX_MOVES, said } from "./search";
import "./search-form.css";
import { NAMES } from "./steps";

const MODES: Record<Mode, string> = {
  next: "Next step",
  skeletons: "Full solutions",
  insertions: "Insertions",
  finish: "Shortest finish",
};

/** The task of each mode. */
const TASKS: Record<Mode, string> = {
  next: "Find the next step",
  skeletons: "Find full solutions",
  insertions: "Find insertions",
  finish: "Find the shortest finish",
};

/** The sides, with the names of the engine. */
const SIDES: [value: string, text: string][] = [
  ["linear", "normal or inverse"],
  ["mixed", "both"],
  ["none", "same as last step"],
];

/** The time limits for skeletons. */
const TIMES: [value: string, text: string][] = [
  ["10", "10 seconds"],
  ["60", "1 minute"],
];

const LENGTHS: [value: string, text: string][] = [
  ["fewest", "fewest"],
  ...Array.from({ length: MAX_MOVES }, (_, i): [string, string] => [String(i + 1), String(i + 1)]),
];

/** The form and its results. */
export function SearchForm() {
  const { step } = selection.value!;
  const mode = store.mode.value;
  const state = store.search.value?.state.value;
  const { isRunning = false, results = [], error, maxMoves } = state ?? {};
  const act = useRef<HTMLButtonElement>(null);
  const longer = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const focused = document.activeElement;
  const hasFocus = focused !== null && [act.current, longer.current].includes(focused as never);
  // From the button that began a search, the focus moves to the one that stops it, then to the
  // result.
  useLayoutEffect(() => {
    if (hasFocus) ((!isRunning && list.current?.querySelector("button")) || act.current!).focus();
  }, [isRunning]);
  const isLonger = !isRunning && !error && maxMoves !== undefined && maxMoves < MAX_MOVES;
  return (
    <form
      class="find"
      aria-label="Find"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        store.find();
      }}
    >
      <div class="row">
        <h3>{TASKS[mode]}</h3>
        <button
          type="button"
          class="quiet"
          onClick={() => openGlossary(mode === "next" ? store.kind.value : mode)}
        >
          Glossary
        </button>
      </div>
      <Modes />
      <Fields mode={mode} isFirst={step.parent === null} />
      <div class="running">
        {isRunning && (
          <progress
            key="bar"
            max={100}
            aria-label="Search progress"
            value={state!.percent ?? undefined}
          />
        )}
        <RunButton
          key="act"
          button={act}
          name={mode === "finish" ? "Prove" : "Find"}
          isRunning={isRunning}
          isNext={!isOtherScramble.value}
          isOff={!store.isReady.value}
          stop={() => store.search.value!.stop()}
        />
      </div>
      <Errors of={error} />
      <p class="found" role="status">
        {state && said(state)}
      </p>
      <p class="label fine">{state?.details}</p>
      <ResultList key={step} list={list} results={results} step={step}>
        {isLonger && (
          <button ref={longer} type="button" class="quiet" onClick={store.findLonger}>
            {`Search up to ${plural(maxMoves + 1, "move")}`}
          </button>
        )}
      </ResultList>
    </form>
  );
}

function Modes() {
  return (
    <fieldset class="modes">
      <legend class="hidden">Search type</legend>
      {Object.entries(MODES).map(([mode, text]) => (
        <label class="pick" hidden={mode === "insertions" && !store.canInsert.value}>
          <input
            type="radio"
            name="mode"
            checked={mode === store.mode.value}
            onChange={() => (store.mode.value = mode as Mode)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The fields of a mode; at the scramble with a hint. */
function Fields({ mode, isFirst }: { mode: Mode; isFirst: boolean }) {
  switch (mode) {
    case "next":
      return (
        <div>
          <NextStep />
          {isFirst && (
            <p class="label">
              New here?{" "}
              <button type="button" class="link" onClick={() => (store.mode.value = "skeletons")}>
                Full solutions
              </button>{" "}
              searches all remaining steps at once.
            </p>
          )}
        </div>
      );
    case "skeletons":
      return (
        <div class="fields skeletons">
          <Field label="Steps">
            {(ids) => (
              <input
                {...ids}
                type="text"
                class="solution"
                {...VERBATIM}
                placeholder={store.defaultSteps.value}
                value={store.steps.value}
                onInput={(event) => (store.steps.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <SelectField label="Time limit" options={TIMES} value={store.time} />
        </div>
      );
    case "insertions":
      return (
        <p class="label">
          Inserts a short algorithm for the remaining pieces at every point of the skeleton to find
          the most cancellations.
        </p>
      );
    case "finish":
      return (
        <p class="label">
          The shortest finish from here, regardless of steps. The proof may take a while.
        </p>
      );
  }
}

function NextStep() {
  const { kind, kinds, axes } = store;
  const isLast = kind.value === "finish";
  // A choice that is taken back leaves the fields where they are.
  const isUnfolded = useRef(false);
  isUnfolded.current ||= store.niss.value !== store.DEFAULT_NISS || store.axis.value !== "";
  return (
    <>
      <div class="fields next">
        <SelectField
          label="Step"
          options={kinds.value.map((kind) => [kind, NAMES[kind][1]])}
          value={kind}
        />
        <SelectField label="Max. moves" options={LENGTHS} value={store.maxMoves} />
      </div>
      <details class="options" open={isUnfolded.current}>
        <summary>More options</summary>
        <div class="fields next">
          <SelectField label="NISS" options={SIDES} value={store.niss} disabled={isLast} />
          <SelectField
            label="Axis"
            options={["", ...axes.value].map((axis) => [axis, axis || "any"])}
            value={store.axis}
            disabled={isLast || kind.value === "htr"}
          />
        </div>
      </details>
    </>
  );
}
