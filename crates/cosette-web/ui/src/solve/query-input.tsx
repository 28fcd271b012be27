// The query about a position: options, the goal, the moves.

import { GoalInput } from "../goals/goal-input";
import { MovesInput } from "../goals/moves-input";
import { agree } from "../stores/options";
import { OptionsInput } from "./options-input";
import { question } from "./places";

/** The controls, each folded behind a summary; `onChange` is called after each change by the user. */
export function QueryInput({ onChange }: { onChange: () => void }) {
  const change = (): void => {
    agree();
    onChange();
  };
  return (
    <div class="question" ref={question}>
      <OptionsInput onChange={change} />
      <GoalInput onChange={change} />
      <MovesInput onChange={change} />
    </div>
  );
}
