// What is reached at a step, and what is left there.

import { engine } from "#engine";
import { h, setChildren } from "../dom";
import { waitingFor } from "../format";
import type { ApiError, Here } from "../protocol";
import { inverse } from "../solve/notation";
import { written, type Sides } from "./moves";

const looks = new Map<string, Here>();

/** What is reached after these moves, and what is left; or why the engine has refused to look. What it waits for is said at `place`. */
export async function lookAt(position: string, from: string, signal: AbortSignal, place: Element): Promise<Here | ApiError> {
  const key = `${position}\n${from}`;
  const seen = looks.get(key);
  if (seen) return seen;
  let here: Here | undefined;
  let refused: ApiError | undefined;
  await engine.fewest({ position, from, steps: "eo[max=0]", count: 1 }, { signal, stopSignal: signal }, (event) => {
    if (event.event === "answer") ({ here } = event);
    else if (event.event === "refused") refused = event;
    else if (event.event === "queued") setChildren(place, event.ahead > 0 && h("p", { class: "notice" }, `${waitingFor(event.ahead)}.`));
  });
  setChildren(place);
  if (!here) return refused ?? { error: "the engine has no answer", help: "select the step again" };
  looks.set(key, here);
  return here;
}

/** The same on the inverse, where the sides change places. */
export async function lookAtInverse(scramble: string, done: Sides, signal: AbortSignal, place: Element): Promise<Here | ApiError> {
  const checked = await engine.check(scramble, false);
  return checked.ok ? lookAt(inverse(checked.setup), written({ normal: done.inverse, inverse: done.normal }), signal, place) : checked;
}
