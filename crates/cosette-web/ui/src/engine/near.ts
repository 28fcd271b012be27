// Positions a few moves from solved need no table, which may take seconds to come. Two sets of positions meet: those that moves lead to
// from the position, and those from the solved cube. They grow in turn by a move, so the first that meet are on a shortest way.

import { FACES, SOLVED, type Face } from "../cube/colours";
import { turnsOf } from "../goals/turns";
import type { Answer, SolveRequest } from "../protocol";
import { inverse, lengthInSliceTurns } from "../solve/notation";

/** The longest solutions that are found, in half turns: in some hundredths of a second. */
const MOST = 6;

type Vector = [x: number, y: number, z: number];

/** Each face: where it is, and where its columns and rows lead. */
const SIDES: Record<Face, [normal: Vector, column: Vector, row: Vector]> = {
  U: [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
  R: [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
  F: [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
  D: [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
  L: [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
  B: [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
};

const dot = (a: Vector, b: Vector): number => a.reduce((sum, part, axis) => sum + part * b[axis]!, 0);

/** Where each facelet is: twice as far out as the middle of its face, which no two facelets share. */
const PLACES = FACES.flatMap((face) => {
  const [normal, column, row] = SIDES[face];
  return Array.from({ length: 9 }, (_, number) => normal.map((part, axis) => 2 * part + ((number % 3) - 1) * column[axis]! + (Math.floor(number / 3) - 1) * row[axis]!) as Vector);
});

/** For each turn and facelet, which facelet comes there. */
const TURNS = FACES.flatMap((face) => {
  const [normal] = SIDES[face];
  const [x, y, z] = normal;
  const numbers = new Map(PLACES.map((place, number) => [String(place), number]));
  // Back by a quarter: what is on the axis stays, all else goes on by a right angle.
  const back = PLACES.map((place, number) => {
    const [a, b, c] = place;
    const along = dot(normal, place);
    if (along < 1) return number;
    const across = [y * c - z * b, z * a - x * c, x * b - y * a];
    return numbers.get(String(normal.map((part, axis) => along * part + across[axis]!)))!;
  });
  const [twice, thrice] = [back.map((from) => back[from]!), back.map((from) => back[back[from]!]!)];
  return [back, twice, thrice].map((from, amount) => ({ move: turnsOf(face)[amount]!, from }));
});

/** The answer, if one shortest solution in half turns is all that is asked for, and this is near enough. */
export function nearAnswer({ metric, count, ...asked }: SolveRequest, facelets: string): Answer | undefined {
  if (metric !== "htm" || count !== 1 || Object.keys(asked).some((name) => !["position", "niss", "timeout"].includes(name))) return undefined;
  const start = performance.now();
  const found = nearSolution(facelets);
  if (!found) return undefined;
  const length = lengthInSliceTurns(found.moves);
  const seconds = (performance.now() - start) / 1000;
  return { facelets, metric, optimal: true, length, lower_bound: length, upper_bound: length, solutions: [found.moves], solution_count: 1, complete: true, stopped: null, best_known: found.moves, nodes: found.nodes, seconds, table: "" };
}

/** A shortest solution in half turns, and how many positions were seen; undefined if it is longer than these few moves. */
function nearSolution(facelets: string): { moves: string; nodes: number } | undefined {
  const [ways, ends] = [new Map([[facelets, ""]]), new Map([[SOLVED, ""]])];
  let newest: [string[], string[]] = [[facelets], [SOLVED]];
  for (let length = 0; length <= MOST; length += 1) {
    const met = newest[length % 2 ? 0 : 1].find((position) => ways.has(position) && ends.has(position));
    if (met !== undefined) return { moves: `${ways.get(met)!} ${inverse(ends.get(met)!)}`.trim(), nodes: ways.size + ends.size };
    const grown = length % 2;
    const known = grown ? ends : ways;
    const next: string[] = [];
    for (const position of length < MOST ? newest[grown]! : []) {
      for (const { move, from } of TURNS) {
        const after = from.map((place) => position[place]).join("");
        if (known.has(after)) continue;
        known.set(after, `${known.get(position)!} ${move}`.trim());
        next.push(after);
      }
    }
    newest = grown ? [newest[0], next] : [next, newest[1]];
  }
  return undefined;
}
