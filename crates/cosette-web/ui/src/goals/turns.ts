// The allowed turns: as text in the syntax of the engine (`R U2 F+`), and as a set.

import type { TurnMetric } from "../protocol";

/** The turnable layers, by kind. */
export const LAYERS = {
  faces: [..."URFDLB"],
  slices: [..."MES"],
  wide: [..."urfdlb"],
  rotations: [..."xyz"],
};

/** The turns of a layer: a quarter, a half, a quarter back. */
const AMOUNTS = ["", "2", "'"];

/** The turns of a layer. */
export const turnsOf = (layer: string): string[] => AMOUNTS.map((amount) => layer + amount);

/** Default turns of each metric; copied from `turns.rs` of the library, which a test compares. */
export const DEFAULT_TURNS: Record<TurnMetric, string> = {
  htm: "U R F D L B",
  qtm: "U R F D L B",
  stm: "U R F D L B M E S",
  qstm: "U R F D L B M E S",
  etm: "U R F D L B M E S u r f d l b x y z",
};

/** Named sets of turns, in the notation of cubers. */
export const PRESETS: [name: string, turns: string, title: string][] = [
  ["⟨R, U⟩", "R U", "Two faces"],
  ["⟨R, U, F⟩", "R U F", "Three faces"],
  ["⟨M, U⟩", "M U", "Last six edges (Roux)"],
  ["Domino", "U D R2 F2 L2 B2", "U, D and half turns of the other faces"],
  ["Half turns", "U2 R2 F2 D2 L2 B2", "Half turns of all faces"],
];

/**
 * Parses the turns in a text. A name alone denotes all three turns of its layer, with a plus only
 * the first one. Invalid words are ignored.
 */
export function readTurns(text: string): Set<string> {
  const turns = new Set<string>();
  for (const [, layer, wide, amount] of text.matchAll(
    /([URFDLB](?=w)|[URFDLBMESurfdlbxyz])(w?)(2|3|['’]|\+)?/g,
  )) {
    const name = wide ? layer!.toLowerCase() : layer!;
    for (const turn of amount === undefined
      ? turnsOf(name)
      : [name + (amount === "+" ? "" : amount === "2" ? "2" : "'")])
      turns.add(turn);
  }
  return turns;
}

/** Formats a set of turns. */
export function writeTurns(turns: Set<string>): string {
  return Object.values(LAYERS)
    .flat()
    .flatMap((layer) => {
      const chosen = turnsOf(layer).filter((turn) => turns.has(turn));
      return chosen.length === 3
        ? [layer]
        : chosen.map((turn) => (turn === layer ? `${turn}+` : turn));
    })
    .join(" ");
}
