// The scramble of an attempt, and its shortest solution.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { plural } from "../format";
import {
  isOtherScramble,
  keepScramble,
  random,
  refusal,
  scramble,
  selection,
  start,
} from "../stores/attempt";
import { optimum, prove } from "../stores/step-search";
import { Field, VERBATIM, useNewId } from "../ui/field";
import { Notice } from "../ui/notice";
import { onEnter } from "../ui/on-enter";
import { wideTurnsIn } from "./moves";
import "./scramble.css";
import { said } from "./search";
import { useWanted } from "./wanted";

/** The field of the scramble, with `children` below it. */
export function ScrambleInput({ children }: { children: ComponentChildren }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const errors = useNewId();
  useWanted("scramble", () => input.current!.focus());
  const begun = selection.value?.attempt.scramble ?? "";
  const isEmpty = scramble.value.trim() === "";
  const wide = wideTurnsIn(begun);
  return (
    <form
      class="card scramble"
      aria-label="Attempt"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2 class="hidden">Scramble</h2>
      <div class="entry">
        <Field label="Your scramble">
          {(ids) => (
            <textarea
              {...ids}
              ref={input}
              rows={1}
              {...VERBATIM}
              enterkeyhint="go"
              placeholder="R' U' F …"
              aria-describedby={errors}
              aria-invalid={refusal.value?.text !== undefined || undefined}
              value={scramble.value}
              onInput={(event) => {
                scramble.value = event.currentTarget.value;
                refusal.value = undefined;
              }}
              onKeyDown={onEnter(() => void start())}
            />
          )}
        </Field>
        {/* Only the button of the next action is highlighted. */}
        <button type="submit" class={isOtherScramble.value && !isEmpty ? "strong" : undefined}>
          Start
        </button>
        <button type="button" class={isEmpty ? "strong" : undefined} onClick={() => void random()}>
          Random
        </button>
      </div>
      <div class="said" id={errors} aria-live="polite">
        {refusal.value && <Notice {...refusal.value} />}
      </div>
      {wide.length > 0 && !isOtherScramble.value && (
        <p class="label">
          {`Read as wide moves: ${wide.join(", ")}. Use capital letters for face turns.`}
        </p>
      )}
      {selection.value && (isOtherScramble.value ? <OtherScramble /> : <Optimum />)}
      {children}
    </form>
  );
}

/** The scramble of the shown attempt, while another one is entered; the button returns to it. */
function OtherScramble() {
  return (
    <div class="other-scramble">
      <span class="label">The attempt below is on another scramble:</span>
      <span class="solution">{selection.value!.attempt.scramble}</span>
      <button type="button" class="quiet" onClick={keepScramble}>
        Back to it
      </button>
    </div>
  );
}

/**
 * The bounds on the shortest solution; the button finds it, stops the search, or shows the
 * solution.
 */
function Optimum() {
  const { rest, claimed } = selection.value!.attempt.root;
  const state = optimum.value?.state.value;
  const hasFound = state !== undefined && state.results.length > 0;
  const unproven =
    claimed === null ? "unknown" : `${plural(claimed, "move")} according to the link, not proven`;
  return (
    <div class="optimum">
      <span class="label">Shortest solution of the scramble: </span>
      <span>
        {rest !== null ? `${plural(rest, "move")}, proven` : state ? said(state) : unproven}
      </span>{" "}
      <button type="button" class="quiet" onClick={prove}>
        {state?.isRunning
          ? "Stop"
          : hasFound
            ? "Show"
            : rest !== null
              ? "Find again"
              : "Find and prove"}
      </button>
    </div>
  );
}
