// The view for fewest moves: a scramble, the tree of the steps that were tried, and the selected
// step.

import { useLayoutEffect, useRef } from "preact/hooks";
import { plural } from "../format";
import {
  arrival,
  arrive,
  isBegun,
  openAsked,
  restorable,
  selection,
  undo,
} from "../stores/attempt";
import type { StoredAttempt } from "../stores/saved-attempts";
import { News } from "../ui/notice";
import { allFrom, bestOf, isSolved, totalOf } from "./attempt";
import { Glossary } from "./glossary";
import { decoded } from "./link";
import { Playback } from "./playback";
import { SavedAttempts } from "./saved-attempts";
import { ScrambleInput } from "./scramble";
import { StepDetails } from "./step-details";
import { StepView } from "./step-view";
import { Tree } from "./tree";
import "./view.css";
import { useWanted } from "./wanted";
import { Welcome } from "./welcome";
import { WriteupPanel } from "./writeup-panel";

/** The view. */
export function FewestMoves({ hidden }: { hidden: boolean }) {
  useLayoutEffect(() => void (hidden || arrive()), [hidden]);
  return (
    <div class="fmc" hidden={hidden}>
      <ScrambleInput>
        <Arrival />
        <SavedAttempts />
      </ScrambleInput>
      {isBegun.value ? <Work /> : <Welcome />}
      <Glossary />
      <Playback />
    </div>
  );
}

/** The attempt; after a solution comes its write-up. */
function Work() {
  const others = [<StepDetails key="details" />, <WriteupPanel key="write-up" />];
  return (
    <div class="work">
      <Steps />
      <StepView />
      {isSolved(selection.value!.step) ? others.reverse() : others}
    </div>
  );
}

/** News about the attempt. */
function Arrival() {
  const news = arrival.value;
  const isEarlier = typeof news === "object" && "id" in news;
  return <News of={isEarlier ? undefined : news}>{isEarlier && <Earlier attempt={news} />}</News>;
}

/** An earlier attempt on the same scramble. */
function Earlier({ attempt: kept }: { attempt: StoredAttempt }) {
  const best = bestOf(decoded(kept.text)!);
  return (
    <p class="notice">
      {`You have an attempt${best ? ` with ${plural(totalOf(best), "move")}` : ""} on this scramble. `}
      <button type="button" class="link" onClick={() => openAsked(kept)}>
        Open it
      </button>
    </p>
  );
}

function Steps() {
  const step = restorable.value;
  const undoButton = useRef<HTMLButtonElement>(null);
  useWanted("undo", () => undoButton.current?.focus());
  return (
    <section class="card steps" aria-label="Steps">
      <h2>Steps</h2>
      <Tree />
      {step && (
        <div class="row undo">
          <span role="status">{`Deleted ${plural(allFrom(step).length, "step")}`}</span>
          <button ref={undoButton} type="button" class="quiet" onClick={undo}>
            Undo
          </button>
        </div>
      )}
      <p class="keys">
        <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> move, <kbd>Delete</kbd> removes
      </p>
    </section>
  );
}
