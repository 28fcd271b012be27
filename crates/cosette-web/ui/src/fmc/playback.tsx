// Playback of the moves up to a step on the scramble, which begins at once. Moves on the inverse
// are played as premoves, inverted, until the cube is solved; without other moves, they are played
// on the inverse.

import { engine } from "#engine";
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApiError } from "../protocol";
import { Controls } from "../solve/controls";
import { Moves } from "../solve/moves";
import { inverse } from "../solve/notation";
import { Stage } from "../solve/stage";
import { selection } from "../stores/attempt";
import { Player } from "../stores/player";
import { Dialog } from "../ui/dialog";
import { Errors } from "../ui/notice";
import { doneBy, isSolved } from "./attempt";
import { solutionOf } from "./moves";
import "./playback.css";

/** `true` if the moves up to the selected step are played. */
export const playing = signal(false);

/** The player, once it has been needed. */
let made: Player | undefined;

/** The dialog, while it is open. */
export function Playback() {
  return playing.value ? <OpenPlayback /> : null;
}

function OpenPlayback() {
  const { attempt, step } = selection.value!;
  const error = useSignal<ApiError | undefined>(undefined);
  const player = (made ??= new Player());
  const done = doneBy(step);
  const isOfInverse = !isSolved(step) && done.normal.length === 0 && done.inverse.length > 0;
  const premoves = isSolved(step) || isOfInverse ? "" : inverse(done.inverse.join(" "));
  const moves = isSolved(step) ? solutionOf(done) : isOfInverse ? done.inverse : done.normal;
  const load = async (): Promise<void> => {
    const scrambled = await engine.check(attempt.scramble, false);
    if (!scrambled.ok) return void (error.value = scrambled);
    const setup = isOfInverse ? inverse(scrambled.setup) : `${premoves} ${scrambled.setup}`.trim();
    const from = await engine.check(setup, false);
    if (!from.ok) return void (error.value = from);
    player.show(from.setup, from.facelets);
    player.load(moves.join(" "));
    if (playing.value) player.toggle();
  };
  useEffect(() => {
    load().catch((exception: unknown) => (error.value = engine.errorOf(exception)));
    return () => player.pause();
  }, []);
  return (
    <Dialog title="Play" class="card play-step" onClose={() => (playing.value = false)}>
      <p class="label">
        {`From the ${isOfInverse ? "inverse " : ""}scramble`}
        {premoves !== "" && (
          <>
            {" with premoves "}
            <span class="solution">{premoves}</span>
          </>
        )}
        .
      </p>
      <Errors of={error.value} />
      <div class="played">
        <Stage player={player} />
        <Moves player={player} />
        <Controls player={player} end={isSolved(step) ? "Solved." : "All moves done."} isStrong />
      </div>
    </Dialog>
  );
}
