// The button that starts something, and stops it while it runs.

import type { RefObject } from "preact";

/**
 * The button of a form that starts what its name says; `stop` stops it. It is highlighted if it is
 * the next action.
 */
export function RunButton(props: {
  name: string;
  isRunning: boolean;
  isNext?: boolean;
  isOff?: boolean;
  stop: () => void;
  button?: RefObject<HTMLButtonElement | null>;
}) {
  const { name, isRunning, isNext = true, isOff = false, stop, button } = props;
  const press = (event: MouseEvent): void => {
    // The second click of a double click would undo the first.
    if (event.detail > 1) event.preventDefault();
    else if (isRunning) stop();
  };
  return (
    <button
      ref={button}
      type={isRunning ? "button" : "submit"}
      class={isRunning ? "stop" : isNext ? "strong" : undefined}
      disabled={isOff && !isRunning}
      onClick={press}
    >
      {isRunning ? "Stop" : name}
    </button>
  );
}
