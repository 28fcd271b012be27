// The status of an attempt after moves: the reductions reached, and the bad pieces.

import { engine } from "#engine";
import { waitingFor } from "../format";
import type { ApiError, AttemptStatus } from "../protocol";
import { inverse } from "../solve/notation";
import { written, type NissMoves } from "./moves";

const statuses = new Map<string, AttemptStatus>();

/**
 * Returns the status after these moves, or the error of the engine. `onWait` is called with the
 * reason why it waits, empty if it does not.
 */
export async function inspect(
  position: string,
  from: string,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<AttemptStatus | ApiError> {
  const key = `${position}\n${from}`;
  const seen = statuses.get(key);
  if (seen) return seen;
  let status: AttemptStatus | undefined;
  let refused: ApiError | undefined;
  await engine.fmc(
    { position, from, steps: "eo[max=0]", count: 1 },
    { signal, stopSignal: signal },
    (event) => {
      if (event.event === "answer") ({ status } = event);
      else if (event.event === "refused") refused = event;
      else if (event.event === "queued") onWait(waitingFor(event.ahead));
    },
  );
  if (signal.aborted) return { error: "aborted" };
  onWait("");
  if (!status)
    return refused ?? { error: "the engine did not respond", help: "select the step again" };
  statuses.set(key, status);
  return status;
}

/** Returns the status on the inverse, where the sides are swapped. */
export async function inspectInverse(
  scramble: string,
  done: NissMoves,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<AttemptStatus | ApiError> {
  const checked = await engine.check(scramble, false);
  const swapped = written({ normal: done.inverse, inverse: done.normal });
  return checked.ok ? inspect(inverse(checked.setup), swapped, signal, onWait) : checked;
}
