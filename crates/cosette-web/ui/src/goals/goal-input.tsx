// The goal: a picture to choose, a text and a net, three views of one text. They are folded behind
// a summary.

import { Question } from "../solve/question";
import { areFixed, options } from "../stores/options";
import { texts } from "../stores/query";
import { CheckedText } from "./checked-text";
import { goalWords } from "./describe";
import { GoalPicker, VariantSelect } from "./goal-picker";
import { PaintedGoal } from "./painted-goal";

/** The controls; `onChange` is called after each change by the user. */
export function GoalInput({ onChange }: { onChange: () => void }) {
  const { goal } = options.value;
  const choose = (text: string): void => {
    texts.goal.enter(text);
    onChange();
  };
  return (
    <Question
      kind="Solve"
      summary={goalWords(goal, goal) || "whole cube"}
      names={["goal"]}
      onChange={onChange}
    >
      <fieldset class="stacked" aria-label="Goal" disabled={areFixed.value}>
        <GoalPicker text={goal} onChoose={choose} />
        <div class="variant">
          <VariantSelect text={goal} onChoose={choose} />
          <CheckedText
            label="Goal as text"
            hint="for example `cross:D`, `UF UR DFR`, `oriented(edges)`, moves, or 54 facelets with dots"
            entry={texts.goal}
            placeholder="solved cube"
            onChange={onChange}
          />
        </div>
        <PaintedGoal text={goal} onPaint={choose} />
      </fieldset>
    </Question>
  );
}
