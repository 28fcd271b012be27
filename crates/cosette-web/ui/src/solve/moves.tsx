// The moves of the solution, with the next one marked.

import type { Player } from "../stores/player";
import "./moves.css";
import { movesOf } from "./notation";

/**
 * The moves. They are not tab stops: the slider and the buttons have the same function for the
 * keyboard.
 */
export function Moves({ player }: { player: Player }) {
  return (
    <div class="moves" role="group" aria-label="Solution; click a move to go to it">
      {movesOf(player.moves.value).map((move, number) => (
        <>
          <button
            type="button"
            tabIndex={-1}
            class={number === player.done.value ? "next" : undefined}
            onClick={() => player.goTo(number)}
          >
            {move}
          </button>{" "}
        </>
      ))}
    </div>
  );
}
