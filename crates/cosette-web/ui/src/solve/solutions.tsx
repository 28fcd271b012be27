// The solutions found: one is shown with the player; several can be listed, filtered, sorted,
// chosen, copied and downloaded.

import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { count, plural } from "../format";
import { chosen, solutions, type Solution } from "../stores/search";
import { download } from "../transfer";
import { CopyButton } from "../ui/copy-button";
import { Field, SelectField, VERBATIM } from "../ui/field";
import "./solutions.css";

/**
 * Number of solutions listed at first, and added each time; copying and downloading include all.
 */
const LISTED = 200;

/** Number of solutions seen at a glance; longer lists can be filtered. */
const FEW = 8;

type Order = "length" | "moves";

/** Any length. */
const ANY = "";

/** The list of several solutions. */
export function Solutions() {
  const all = solutions.value;
  const wanted = useSignal("");
  const length = useSignal(ANY);
  const order = useSignal<Order>("length");
  const listed = useSignal(LISTED);
  const list = useRef<HTMLOListElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const found = useComputed(() =>
    inOrder(solutions.value.filter(matching(wanted.value, length.value)), order.value),
  ).value;
  useLayoutEffect(() => {
    wanted.value = "";
    length.value = ANY;
  }, [all]);
  useLayoutEffect(() => {
    listed.value = LISTED;
    if (list.current) list.current.scrollTop = 0;
  }, [found]);
  const left = found.length - listed.value;
  // If the focused button is gone, the focus moves to the first solution that it listed.
  const isGone = left <= 0 && more.current !== null && document.activeElement === more.current;
  useLayoutEffect(() => {
    if (isGone) list.current?.children[listed.value - LISTED]?.querySelector("input")?.focus();
  }, [listed.value]);
  if (all.length < 2) return <div class="solutions" />;
  const counts = new Map<number, number>();
  for (const { length } of all)
    if (length !== undefined) counts.set(length, (counts.get(length) ?? 0) + 1);
  const haveLengths = counts.size > 1;
  const haveVariants = new Set(all.map(({ variant }) => variant)).size > 1;
  const text = (): string => found.map(({ moves }) => `${moves}\n`).join("");
  const total = plural(all.length, "solution");
  return (
    <div class="solutions">
      <div class="row">
        <h3>
          <span role="status">
            {found.length === all.length ? total : `${count(found.length)} of ${total}`}
          </span>
        </h3>
        <span class="row tight">
          <CopyButton
            name="Copy list"
            title="Copy the listed solutions, one per line"
            text={text}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => download("solutions.txt", "text/plain", text())}
          >
            Download
          </button>
        </span>
      </div>
      <div class="filters" role="group" aria-label="Filters" hidden={all.length <= FEW}>
        <Field label="Contains moves">
          {(ids) => (
            <input
              {...ids}
              type="search"
              class="code-text"
              {...VERBATIM}
              placeholder="R U R'"
              value={wanted.value}
              onInput={(event) => (wanted.value = event.currentTarget.value)}
            />
          )}
        </Field>
        {haveLengths && (
          <SelectField
            label="Length"
            value={length}
            options={[
              [ANY, "any"],
              ...[...counts].map(([length, number]): [string, string] => [
                String(length),
                `${length} (${count(number)})`,
              ]),
            ]}
          />
        )}
        <SelectField
          label="Sort"
          value={order}
          options={[
            ["length", haveLengths ? "by length" : "as found"],
            ["moves", "by moves"],
          ]}
        />
      </div>
      <ol class="list" ref={list}>
        {found.slice(0, listed.value).map(({ moves, length, variant }) => {
          const beside = [haveLengths && length, haveVariants && variant]
            .filter(Boolean)
            .join(", ");
          return (
            <li>
              <label class="choice">
                <input
                  type="radio"
                  name="solution"
                  value={moves}
                  checked={moves === chosen.value}
                  onChange={() => (chosen.value = moves)}
                />
                <span class="solution">{moves || "(no moves)"}</span>
                {beside && <span class="beside">{beside}</span>}
              </label>
            </li>
          );
        })}
      </ol>
      <button
        ref={more}
        type="button"
        class="quiet"
        hidden={left <= 0}
        onClick={() => (listed.value += LISTED)}
      >
        {`Show ${count(Math.min(left, LISTED))} more of ${count(left)}`}
      </button>
    </div>
  );
}

/** Returns the test whether a solution contains these moves and has this length. */
function matching(wanted: string, length: string): (solution: Solution) => boolean {
  const moves = wanted.trim().replace(/\s+/g, " ");
  return (solution) =>
    ` ${solution.moves} `.includes(moves && ` ${moves} `) &&
    [ANY, String(solution.length)].includes(length);
}

/** Sorts solutions; the engine sorts by length. */
const inOrder = (found: Solution[], order: Order): Solution[] =>
  order === "moves" ? found.sort((a, b) => (a.moves < b.moves ? -1 : 1)) : found;
