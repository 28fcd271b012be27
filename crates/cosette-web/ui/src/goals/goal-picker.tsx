// Pictures of the named goals, to choose a goal and its variant.

import { useRef, useState } from "preact/hooks";
import { colorName } from "../cube/appearance";
import type { Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import { capital } from "../format";
import { Field, useNewId } from "../ui/field";
import { GROUPS, NAMED_GOALS, SOLVED_GOAL, namedIn, type NamedGoal } from "./names";
import { ANY, textOf } from "./picker";
import { ORIENTED, pictureOf, variantNamed, variantsOf } from "./picture";

/** The goals that are always shown; the others are folded. */
const COMMON = [SOLVED_GOAL, "cross", "xcross", "f2l", "2x2x2", "2x2x3", "eo", "oll"].map((name) =>
  NAMED_GOALS.find((goal) => goal.name === name)!,
);

/** The text of the goal, and a function that is called with the text of another one. */
interface GoalProps {
  text: string;
  onChoose: (text: string) => void;
}

/** Returns the name of the variant in a text; an invalid variant is reported where it is written. */
function variantIn(text: string): string {
  const named = namedIn(text);
  return (named && variantNamed(named)?.names[0]) ?? ANY;
}

/** The pictures. */
export function GoalPicker({ text, onChoose }: GoalProps) {
  const group = useNewId();
  const named = namedIn(text);
  // Once it has shown the chosen goal, it stays.
  const isUnfolded = useRef(false);
  isUnfolded.current ||= named !== undefined && !COMMON.includes(named.goal);
  const choose = (goal: NamedGoal): void => {
    // The chosen variant stays, if the goal also has it.
    const variant = variantIn(text);
    const isShared = variantsOf(goal).some(({ names }) => names[0] === variant);
    onChoose(textOf(goal, isShared ? variant : ANY));
  };
  const pictures = (goals: NamedGoal[]) => (
    <div class="goals">
      {goals.map((goal) => (
        <label class="pick goal" title={capital(goal.description)}>
          <input
            type="radio"
            name={group}
            value={goal.name}
            checked={goal === named?.goal}
            onChange={() => choose(goal)}
          />
          <Picture goal={goal} />
          {goal.title}
        </label>
      ))}
    </div>
  );
  return (
    <div class="picker">
      {pictures(COMMON)}
      <details class="options" open={isUnfolded.current}>
        <summary>More goals</summary>
        <div class="groups">
          {GROUPS.map(({ title, goals }) => (
            <fieldset>
              <legend class="label">{title}</legend>
              {pictures(goals.filter((goal) => !COMMON.includes(goal)))}
            </fieldset>
          ))}
        </div>
      </details>
      <p class="label" hidden={!named || named.goal.name === SOLVED_GOAL}>
        {named && (
          <>
            {named.variant !== named.goal.defaultVariant && "For example, "}
            <code>{textOf(named.goal, named.goal.defaultVariant)}</code>
            {` is ${named.goal.description}.`}
          </>
        )}
      </p>
    </div>
  );
}

/** The variants of the goal, if it has several. */
export function VariantSelect({ text, onChoose }: GoalProps) {
  const goal = namedIn(text)?.goal;
  const variants = goal ? variantsOf(goal).map(({ names }) => names[0]!) : [];
  return (
    <Field label="Variant">
      {(ids) => (
        // The space is kept, so that nothing moves while the user types.
        <select
          {...ids}
          disabled={variants.length < 2}
          value={variantIn(text)}
          onChange={(event) => onChoose(textOf(goal!, event.currentTarget.value))}
        >
          <option value={ANY}>any</option>
          {variants.map((variant) => (
            <option value={variant}>
              {variant.length === 1 ? `${variant}, ${colorName(variant as Facelet)}` : variant}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A goal: the facelets that it fixes. */
function Picture({ goal }: { goal: NamedGoal }) {
  const [drawing] = useState(() =>
    svg(pictureOf(goal, goal.shownVariant ?? goal.defaultVariant), look, [], goal.view),
  );
  return <span class="picture" aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawing }} />;
}

const look = (facelet: Facelet | typeof ORIENTED): { fill: string; ink?: string } =>
  facelet === "."
    ? { fill: "var(--unconstrained)" }
    : facelet === ORIENTED
      ? { fill: "var(--oriented)", ink: "var(--on-oriented)" }
      : { fill: `var(--${facelet})` };
