// What is reached at a step, and what is left there.

import { engine } from "#engine";
import type { ApiError, Here } from "../protocol";

const looks = new Map<string, Here>();
const keyOf = (position: string, from: string): string => `${position}\n${from}`;

/** What is left after these moves, if that was asked before. */
export function seenAt(position: string, from: string): Here | undefined {
  return looks.get(keyOf(position, from));
}

/** What is reached after these moves, and what is left; or why the engine has refused to look. */
export async function lookAt(position: string, from: string, signal: AbortSignal): Promise<Here | ApiError> {
  const seen = seenAt(position, from);
  if (seen) return seen;
  let here: Here | undefined;
  let refused: ApiError | undefined;
  await engine.fewest({ position, from, steps: "eo[max=0]", count: 1 }, { signal, stopSignal: signal }, (event) => {
    if (event.event === "answer") ({ here } = event);
    else if (event.event === "refused") refused = event;
  });
  if (!here) return refused ?? { error: "the engine has no answer", help: "select the step again" };
  looks.set(keyOf(position, from), here);
  return here;
}
