// The moves of the solution, with the next one marked.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Player } from "../stores/player";
import "./moves.css";
import { movesOf } from "./notation";

/** Width of a move, in em. */
const WIDTH = 2.1;

/** Arranges the moves of a solution in as few rows as have room, of about equal length. */
function balance(moves: HTMLElement): void {
  const { fontSize } = getComputedStyle(moves);
  const most = Math.max(1, Math.floor(moves.clientWidth / (WIDTH * parseFloat(fontSize))));
  const { childElementCount: count } = moves;
  const rows = Math.ceil(count / most);
  moves.style.gridTemplateColumns = `repeat(${Math.ceil(count / rows)}, ${WIDTH}em)`;
}

/**
 * The moves. They are not tab stops: the slider and the buttons have the same function for the
 * keyboard.
 */
export function Moves({ player }: { player: Player }) {
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    balance(group.current!);
    const observer = new ResizeObserver(() => balance(group.current!));
    observer.observe(group.current!);
    return () => observer.disconnect();
  }, [player.moves.value]);
  return (
    <div ref={group} class="moves" role="group" aria-label="Solution; click a move to go to it">
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
