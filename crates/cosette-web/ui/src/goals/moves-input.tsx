// The allowed moves and the constraints on solutions, folded behind a summary.

import { plural } from "../format";
import type { TurnMetric } from "../protocol";
import { EQUIVALENCES, GOAL_OPTIONS, type Options } from "../solve/option-values";
import { Question } from "../solve/question";
import { areFixed, option, options } from "../stores/options";
import * as query from "../stores/query";
import { NumberInput, SelectField } from "../ui/field";
import { CheckedText } from "./checked-text";
import { turnWords } from "./describe";
import { TurnToggles } from "./toggles";
import { DEFAULT_TURNS, LAYERS, PRESETS, readTurns, writeTurns } from "./turns";

/** The options of this part: those of solutions, but for the goal. */
const NAMES = Object.keys(GOAL_OPTIONS).filter((name) => name !== "goal") as (keyof Options)[];

/** The text fields next to the moves: their labels and hints. */
const TEXTS: [name: "startsWith" | "endsWith" | "avoid" | "costs", label: string, hint: string][] =
  [
    ["startsWith", "Required prefix", "for example `R U`"],
    ["endsWith", "Required suffix", "for example `F2`"],
    ["avoid", "Excluded sequences", "comma-separated, for example `F2, R L`"],
    ["costs", "Move costs", "override the metric, for example `R2=2 B=3`"],
  ];

/** Names of the kinds of layers. */
const KINDS = {
  faces: "Face turns",
  slices: "Slice moves",
  wide: "Wide moves",
  rotations: "Rotations",
};

/** The default moves in words. */
const DEFAULT_TURNS_TEXT: Record<TurnMetric, string> = {
  htm: "all faces",
  qtm: "all faces",
  stm: "all faces and slices",
  qstm: "all faces and slices",
  etm: "all moves",
};

const uniqueUpTo = option("uniqueUpTo");

/** The controls; `onChange` is called after each change by the user. */
export function MovesInput({ onChange }: { onChange: () => void }) {
  const { metric, moves } = options.value;
  const turns = readTurns(moves || DEFAULT_TURNS[metric]);
  const defaultText = writeTurns(readTurns(DEFAULT_TURNS[metric]));
  const choose = (turns: Set<string>): void => {
    const written = writeTurns(turns);
    query.texts.moves.enter(written === defaultText ? "" : written);
    onChange();
  };
  const toggles = (kind: keyof typeof LAYERS) => (
    <TurnToggles name={KINDS[kind]} layers={LAYERS[kind]} chosen={turns} onChange={choose} />
  );
  return (
    <Question kind="Allowed moves" summary={summary()} names={NAMES} onChange={onChange}>
      <fieldset class="stacked" aria-label="Moves" disabled={areFixed.value} onChange={onChange}>
        <div class="presets" role="group" aria-label="Move sets">
          {[["All faces", "", "The default moves of the metric"] as const, ...PRESETS].map(
            ([name, preset, title]) => (
              <button
                type="button"
                class="quiet"
                title={title}
                aria-pressed={(writeTurns(readTurns(preset)) || defaultText) === writeTurns(turns)}
                onClick={() => choose(readTurns(preset))}
              >
                {name}
              </button>
            ),
          )}
        </div>
        {toggles("faces")}
        <details class="options">
          <summary>Slices, wide moves, rotations</summary>
          {toggles("slices")}
          {toggles("wide")}
          {toggles("rotations")}
        </details>
        <CheckedText
          label="Moves as text"
          hint="`R` means `R`, `R2` and `R'`; `R+` means `R` only"
          entry={query.texts.moves}
          placeholder={DEFAULT_TURNS[metric]}
        />
        <details class="options">
          <summary>Filter solutions</summary>
          <div class="fields">
            <NumberInput label="Extra moves allowed" entry={query.slack} />
            <SelectField label="Equivalent solutions" options={EQUIVALENCES} value={uniqueUpTo} />
            {TEXTS.map(([name, label, hint]) => (
              <CheckedText label={label} hint={hint} entry={query.texts[name]} />
            ))}
          </div>
        </details>
      </fieldset>
    </Question>
  );
}

function summary(): string {
  const { metric, moves, slack, uniqueUpTo, startsWith, endsWith, avoid, costs } = options.value;
  return [
    turnWords(moves) || DEFAULT_TURNS_TEXT[metric],
    slack && `up to ${plural(Number(slack), "extra move")}`,
    [uniqueUpTo, startsWith, endsWith, avoid, costs].some(Boolean) && "with constraints",
  ]
    .filter(Boolean)
    .join(", ");
}
