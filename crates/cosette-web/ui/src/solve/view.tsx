// The view in which one position is solved.

import { edition } from "#edition";
import { useLayoutEffect } from "preact/hooks";
import { isOneColumn } from "../breakpoints";
import { isPainting, tab } from "../stores/input";
import { areFixed } from "../stores/options";
import { player } from "../stores/player";
import { play } from "../stores/presentation";
import * as position from "../stores/position";
import {
  bounds,
  checked,
  example,
  isRequested,
  isSearching,
  isUnfinished,
  problem,
  stop,
} from "../stores/search";
import { allowAll, expected, onOptions, solve, wantsMoves } from "../stores/solve";
import { Errors } from "../ui/notice";
import { RunButton } from "../ui/run-button";
import { Actions } from "./actions";
import { Controls } from "./controls";
import { Moves } from "./moves";
import { OtherNotations } from "./other-notations";
import { PaintedCube } from "./painting";
import * as places from "./places";
import { EnteredPosition, InputFormats, Messages, PositionInput } from "./position";
import { QueryInput } from "./query-input";
import { Solutions } from "./solutions";
import { Stage } from "./stage";
import { Proof } from "./proof";
import { Headline, SpecialProperties } from "./status";
import { CostAdvice, LargerTableAdvice } from "./table-advice";
import "./view.css";

/** The view: position, options, live bounds, the cube and its solutions. */
export function Solve({ hidden }: { hidden: boolean }) {
  // The page is as tall as a search needs it, and can be scrolled.
  useLayoutEffect(() => {
    if (!areFixed.value) return;
    places.showResult();
    return places.leaveStop;
  }, [areFixed.value]);
  return (
    <div
      class={isRequested.value ? "solve" : "solve unanswered"}
      hidden={hidden}
      aria-busy={areFixed.value}
    >
      {/* Another input takes its place, since the cube in the result cannot be moved. */}
      {!isOneColumn.value && <Input key="before" />}
      <Result />
      {isOneColumn.value && <Input key="after" />}
      <Proof onVerify={solve} />
    </div>
  );
}

/** The position and the options. */
function Input() {
  return (
    <form
      ref={places.input}
      class="card input"
      aria-label="Position and options"
      // Errors in the options are shown once they are unfolded.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void solve();
      }}
    >
      <h2 class="hidden">Position</h2>
      <PositionInput />
      <SolveButton />
      <Messages />
      <QueryInput onChange={onOptions} />
      {tab.value === "scramble" && <InputFormats />}
      <CostAdvice />
      {edition.Notices && <edition.Notices />}
    </form>
  );
}

/**
 * The button that solves the position, stops the search while it runs, and repeats one that ended
 * early. Random and Patterns solve at once, and have it only for a position that is not solved.
 */
function SolveButton() {
  const isRunning = areFixed.value;
  const solvesAtOnce = !isRunning && (tab.value === "random" || tab.value === "patterns");
  const isSolved = isRequested.value && bounds.value?.answer?.length != null;
  const isReady = checked.value?.ok === true && position.text.value !== "";
  const isNeedless = solvesAtOnce && (isSolved || !isReady);
  const isNext = isRequested.value
    ? isUnfinished.value && !isOneColumn.value
    : !isRunning && !solvesAtOnce;
  return (
    <div class={solvesAtOnce ? "act again" : "act"} hidden={isNeedless}>
      <RunButton
        button={places.start}
        name={isUnfinished.value ? "Search again" : "Solve"}
        isRunning={isRunning}
        isNext={isNext}
        stop={stop}
      />
    </div>
  );
}

/** The cube, the answer and its solutions; before there is a position, an example. */
function Result() {
  const isEntered = position.shown.value.text !== "";
  return (
    <section
      ref={places.result}
      class={`card result${example.value ? " unasked" : ""}${isPainting.value ? " painting" : ""}`}
      aria-label="Solution"
      tabIndex={-1}
    >
      <h2 class="hidden">Solution</h2>
      <EnteredPosition />
      <Stage player={player}>{isPainting.value && <PaintedCube />}</Stage>
      <p class="lead" hidden={isEntered}>
        The shortest solution to any scramble. Proven.
      </p>
      <p class="label expected" hidden={expected.value === ""}>
        {expected}
      </p>
      <Errors of={problem.value?.of} text={problem.value?.text} />
      <p class="label example-label" hidden={example.value === ""}>
        Example
        <span>
          : <span class="solution">{example}</span>
        </span>
      </p>
      <Headline />
      <button type="button" class="allowing" hidden={!wantsMoves.value} onClick={allowAll}>
        Allow all moves
      </button>
      <Moves player={player} />
      <Controls
        player={player}
        play={play}
        end={bounds.value?.goal?.words ? "Goal reached." : "Solved."}
        isStrong={isRequested.value && !isSearching.value && !isUnfinished.value}
      />
      {/* On a phone, below the player, which must not move; the one of the form is below the answer. */}
      <button
        type="button"
        class="allowing strong"
        hidden={!isUnfinished.value || !isOneColumn.value}
        onClick={() => void solve()}
      >
        Search again
      </button>
      <Actions />
      <Solutions />
      <OtherNotations />
      <SpecialProperties />
      <LargerTableAdvice />
    </section>
  );
}
