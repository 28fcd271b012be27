// The other attempts that the browser stores.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { plural } from "../format";
import { openAsked, selection } from "../stores/attempt";
import {
  forgetAttempt,
  forgotten,
  restoreAttempt,
  saved,
  type StoredAttempt,
} from "../stores/saved-attempts";
import { bestOf, totalOf } from "./attempt";
import { decoded } from "./link";
import "./saved-attempts.css";

const date = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** The list of stored attempts; a click opens one. */
export function SavedAttempts() {
  const isOpen = useSignal(false);
  const list = useRef<HTMLUListElement>(null);
  /** The button that is to be focused: one of these, at this place or the last. */
  const wanted = useRef<[selector: string, at: number] | undefined>(undefined);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const [selector, at] = wanted.current;
    const buttons = [...list.current!.querySelectorAll<HTMLElement>(selector)];
    wanted.current = undefined;
    (buttons[at] ?? buttons.at(-1) ?? document.querySelector("main"))?.focus();
  });
  const others = saved.value.filter(({ id }) => id !== selection.value?.id);
  const count = forgotten.value.length;
  const forget = (kept: StoredAttempt, at: number): void => {
    wanted.current = ["button.quiet", at];
    forgetAttempt(kept);
  };
  const undo = (): void => {
    wanted.current = ["button", 0];
    restoreAttempt();
  };
  return (
    <details
      class="options"
      hidden={others.length === 0 && count === 0}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>Saved attempts</summary>
      <ul ref={list} class="saved-attempts">
        {isOpen.value &&
          others.map((kept, at) => (
            <Item key={kept.id} of={kept} onForget={() => forget(kept, at)} />
          ))}
      </ul>
      <div class="row undo" hidden={count === 0}>
        <span role="status">{`Deleted ${plural(count, "attempt")}`}</span>
        <button type="button" class="quiet" onClick={undo}>
          Undo
        </button>
      </div>
    </details>
  );
}

function Item({ of: kept, onForget }: { of: StoredAttempt; onForget: () => void }) {
  const attempt = decoded(kept.text);
  if (!attempt) return null;
  const best = bestOf(attempt);
  return (
    <li class="row">
      <button type="button" class="link" onClick={() => openAsked(kept)}>
        <span class="solution">{attempt.scramble}</span>
      </button>
      <span class="label">
        {`${date.format(kept.at)}${best ? `, ${plural(totalOf(best), "move")}` : ""}`}
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete ${attempt.scramble}`}
        onClick={onForget}
      >
        Delete
      </button>
    </li>
  );
}
