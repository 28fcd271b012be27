// Buttons, a slider and the speed of the player, in the style of the page, with its next move in
// words.

import type { RefObject } from "preact";
import { appearance, colorName } from "../cube/appearance";
import { SOLVED, type Face } from "../cube/colors";
import { plural } from "../format";
import type { Player } from "../stores/player";
import { Select } from "../ui/field";
import { IconSign, type Icon } from "../ui/icon";
import "./controls.css";
import { wordsOf } from "./move-words";
import { asHeld, movesOf } from "./notation";

const SPEEDS: [value: string, text: string][] = [
  ["0.5", "slow"],
  ["1.5", "normal"],
  ["4", "fast"],
  ["12", "very fast"],
];

/**
 * The controls of a player; the play button is highlighted if it is the next action, and `end` says
 * what the moves have reached.
 */
export function Controls(props: {
  player: Player;
  end: string;
  isStrong: boolean;
  play?: RefObject<HTMLButtonElement | null>;
}) {
  const { player } = props;
  const count = player.count.value;
  const done = player.done.value;
  const isPlaying = player.isPlaying.value;
  // With the attribute `disabled`, a button would lose the focus.
  const button = (sign: Icon, name: string, isOff: boolean, act: () => void) => (
    <button
      type="button"
      class="quiet icon"
      aria-label={name}
      title={name}
      aria-disabled={isOff || undefined}
      onClick={act}
    >
      <IconSign name={sign} />
    </button>
  );
  return (
    <div class="controls" role="group" aria-label="Player" hidden={player.moves.value === ""}>
      <Guide player={player} end={props.end} />
      {button("start", "Go to start", player.isAtStart.value, () => player.goTo(0))}
      {button("back", "Previous move", player.isAtStart.value, () => player.step(-1))}
      <button
        ref={props.play}
        type="button"
        class={props.isStrong ? "play strong" : "play"}
        onClick={() => player.toggle()}
      >
        <IconSign name={isPlaying ? "pause" : "play"} />
        {isPlaying ? " Pause" : " Play"}
      </button>
      {button("forth", "Next move", player.isAtEnd.value, () => player.step(1))}
      {button("end", "Go to end", player.isAtEnd.value, () => player.goTo(count))}
      <input
        type="range"
        min={0}
        max={count}
        step={1}
        aria-label="Position in the solution"
        aria-valuetext={`${done} of ${plural(count, "move")}`}
        value={done}
        onInput={(event) => player.goTo(event.currentTarget.valueAsNumber)}
      />
      <Select aria-label="Speed" options={SPEEDS} value={player.speed} />
    </div>
  );
}

/** The orientation of the cube in the user's hands, and the next move in words, or the end. */
function Guide({ player, end }: { player: Player; end: string }) {
  const done = player.done.value;
  const move = movesOf(player.moves.value)[done];
  return (
    <div class="guide">
      <p class="holding">{holdingOf(player)}</p>
      {/* A solution that appears is not read out, but each step in it is. */}
      <p class="move-words" aria-live={done > 0 ? "polite" : "off"}>
        {move === undefined ? (
          <b>{end}</b>
        ) : (
          <>
            <strong>{move}</strong>: {wordsOf(move)}
          </>
        )}
      </p>
    </div>
  );
}

/** Describes how to hold the cube; only at the start, if moves turn it as a whole. */
function holdingOf(player: Player): string {
  // The user's own colors have no names.
  if (appearance().scheme === "own") return "";
  const setup = movesOf(player.setup.value ?? "");
  const rotations = setup.filter((move) => /[xyz]/.test(move)).join(" ");
  const held = asHeld(SOLVED, rotations);
  const top = colorName(held[4] as Face);
  const front = colorName(held[22] as Face);
  const begin = /[^URFDLB2' ]/.test(player.moves.value) ? "Start" : "Hold the cube";
  return `${begin} with ${top} on top, ${front} in front.`;
}
