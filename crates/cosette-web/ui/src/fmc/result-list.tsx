// The list of search results at a step; a click adds one.

import { useSignal, signal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { count } from "../format";
import { addSteps, wanted } from "../stores/attempt";
import { SelectField } from "../ui/field";
import { childLike, type Step, type StepResult } from "./attempt";
import "./result-list.css";
import { arranged, axisOf, type Order, type SearchResult } from "./results";
import { AXES, meaningOf, titleOf } from "./steps";

/** Number of results listed at first. */
const LISTED = 100;

/** The sort orders. */
const ORDERS: [value: Order, text: string][] = [
  ["moves", "fewest moves"],
  ["bad-pieces", "fewest bad pieces"],
];

const order = signal<Order>("moves");

/** The results at a step; `children` is beside the button that lists the rest. */
export function ResultList(props: {
  list: RefObject<HTMLOListElement | null>;
  results: SearchResult[];
  step: Step;
  children: ComponentChildren;
}) {
  const { list, results, step } = props;
  const chosen = useSignal("");
  const isWhole = useSignal(false);
  const axes = AXES.filter((axis) => results.some((result) => axisOf(result) === axis));
  const axis = axes.includes(chosen.value) ? chosen.value : "";
  const listed = arranged(results, order.value, axis);
  // A search that has only begun does not reset the choice.
  useLayoutEffect(() => void (results.length > 0 && (chosen.value = axis)), [results]);
  useLayoutEffect(() => void (isWhole.value = false), [results, order.value, axis]);
  useLayoutEffect(() => {
    if (isWhole.value) list.current?.querySelectorAll("button")[LISTED]?.focus();
  }, [isWhole.value]);
  const isMore = listed.length > LISTED && !isWhole.value;
  const isArranged = results.length > 1 && results.some(({ badPieces }) => badPieces !== "");
  return (
    <>
      {isArranged && (
        <div class="bar">
          <SelectField label="Sort by" options={ORDERS} value={order} />
          {axes.length > 1 && (
            <SelectField
              label="Filter by axis"
              options={["", ...axes].map((axis) => [axis, axis || "all"])}
              value={chosen}
            />
          )}
        </div>
      )}
      {results.length > 0 && (
        <ol ref={list} class="findings">
          {listed.slice(0, isWhole.value ? undefined : LISTED).map((result) => (
            <Item result={result} step={step} />
          ))}
        </ol>
      )}
      <div class="bar">
        {isMore && (
          <button type="button" class="quiet" onClick={() => (isWhole.value = true)}>
            {`Show all ${count(listed.length)}`}
          </button>
        )}
        {props.children}
      </div>
    </>
  );
}

function Item({ result, step }: { result: SearchResult; step: Step }) {
  const { steps, lengths, badPieces } = result;
  const isAdded = steps.length === 1 && childLike(step, steps[0]!) !== undefined;
  const act = (): void => {
    addSteps(steps);
    wanted.value = "step";
  };
  return (
    <li>
      <button type="button" class="finding" onClick={act}>
        <span
          class="total"
          title={lengths.includes("/") ? "Moves of this step / moves so far" : undefined}
        >
          {lengths}
        </span>
        <span class="lines">
          {steps.map((each) => (
            <Line {...each} />
          ))}
        </span>
        {badPieces !== "" && (
          <span class="label" title="Bad pieces: corners (c) and edges (e)">
            {badPieces.replace(/^\S+/, titleOf)}
          </span>
        )}
        {isAdded && <span class="label">added</span>}
      </button>
    </li>
  );
}

function Line({ moves, reduction = "" }: StepResult) {
  return (
    <span class="line">
      <span class="solution">{moves || "no moves"}</span>
      <span class="badge" title={meaningOf(reduction)}>
        {titleOf(reduction)}
      </span>
    </span>
  );
}
