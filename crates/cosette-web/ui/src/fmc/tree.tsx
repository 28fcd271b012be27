// The tree of steps: nested lists of buttons. One of them is a tab stop, and arrow keys move
// between them.

import { useLayoutEffect, useRef } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { plural } from "../format";
import { deleteStep, select, selection, undo, wanted } from "../stores/attempt";
import { allFrom, isSolved, totalOf, type Step } from "./attempt";
import { insertionCase, isReached, meaningOf, titleOf } from "./steps";
import "./tree.css";

/** The tree, with one step selected. */
export function Tree() {
  const { attempt, step } = selection.value!;
  const tree = useRef<HTMLUListElement>(null);
  // If the focus is in the tree, it stays at the selected step.
  const hasFocus = tree.current?.contains(document.activeElement);
  const isWanted = wanted.value === "tree";
  useLayoutEffect(() => {
    if (hasFocus || isWanted) tree.current!.querySelector<HTMLElement>("[aria-current]")!.focus();
    if (isWanted) wanted.value = undefined;
  });
  return (
    <ul
      ref={tree}
      class="tree"
      aria-label="Steps"
      onKeyDown={(event) => onKey(event, attempt.root, step)}
    >
      <Item key={attempt} step={attempt.root} />
    </ul>
  );
}

/** A step and those after it; they have keys because one may be about to be clicked. */
export function Item({ step }: { step: Step }) {
  const isSelected = step === selection.value?.step;
  const total = totalOf(step);
  // With a key, the view follows the step; with the pointer, only if it is out of sight.
  const onClick = ({ detail }: MouseEvent): void => {
    select(step);
    if (detail === 0 || ONE_COLUMN.matches) wanted.value = "step";
  };
  return (
    <li>
      <button
        type="button"
        class="step"
        tabIndex={isSelected ? 0 : -1}
        aria-current={isSelected || undefined}
        onClick={onClick}
      >
        <span class="solution">{step.parent ? step.moves || "no moves" : "Scramble"}</span>
        <Badges of={step} />
        {step.note !== "" && (
          <span class="has-note" title={step.note}>
            ✎<span class="hidden">has a note</span>
          </span>
        )}
        {step.parent && (
          <span class="total">
            {total}
            <span class="hidden">{total === 1 ? " move" : " moves"}</span>
          </span>
        )}
        {!isSolved(step) && <Rest of={step} total={total} />}
      </button>
      {step.children.length > 0 && (
        <ul>
          {step.children.map((child) => (
            <Item key={child} step={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function onKey(event: KeyboardEvent, root: Step, selected: Step): void {
  if (event.key === "z" && (event.ctrlKey || event.metaKey)) undo();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "Delete" || event.key === "Backspace") deleteStep(selected);
  else {
    const next = beside(event.key, root, selected);
    if (!next) return;
    select(next);
  }
  event.preventDefault();
}

/** Returns the step to which a key moves. */
function beside(key: string, root: Step, selected: Step): Step | undefined {
  const all = allFrom(root);
  const at = all.indexOf(selected);
  const steps: Record<string, Step | undefined> = {
    ArrowUp: all[Math.max(at - 1, 0)],
    ArrowDown: all[at + 1] ?? selected,
    ArrowLeft: selected.parent ?? selected,
    ArrowRight: selected.children[0] ?? selected,
    Home: root,
    End: all.at(-1),
  };
  return steps[key];
}

/** Describes a step: its name or its reduction, and the reductions that it loses. */
export function Badges({ of: step }: { of: Step }) {
  const { status, name, parent, reduction } = step;
  if (reduction === "" && !status)
    return (
      <span class="label" title="Not analyzed yet">
        …
      </span>
    );
  const before = parent?.reduction ?? "";
  const few = status ? insertionCase(status) : "";
  const text = name || few || (reduction === before ? "" : titleOf(reduction));
  const lost = status && before !== "" && !isReached(status, before) ? titleOf(before) : "";
  return (
    <>
      {text !== "" && (
        <span
          class={isSolved(step) ? "badge good" : "badge"}
          title={name ? undefined : meaningOf(reduction)}
        >
          {text}
        </span>
      )}
      {lost !== "" && (
        <span class="badge bad" title={`${lost} was reached before this step`}>
          {`${lost} lost`}
        </span>
      )}
    </>
  );
}

/** The total with the shortest finish from a step, as proven or as claimed by a link. */
function Rest({ of: { rest, claimed, parent }, total }: { of: Step; total: number }) {
  const number = rest ?? claimed;
  if (number === null) return null;
  const length = parent
    ? `${number} more: ${total + number}, or fewer if moves cancel`
    : `optimal: ${number}`;
  const source = rest === null ? "according to the link, not proven" : "proven";
  return (
    <span
      class="label rest"
      title={`The shortest finish from here takes ${plural(number, "move")}, ${source}`}
    >
      {length}
      {rest === null && ", according to the link"}
    </span>
  );
}
