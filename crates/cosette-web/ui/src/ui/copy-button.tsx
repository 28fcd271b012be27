// A button that copies a text and confirms it.

import { useState } from "preact/hooks";
import { copy } from "../transfer";

/** Time for which the confirmation is shown, in milliseconds. */
const SHOWN = 1500;

export function CopyButton(props: { name: string; title: string; text: () => string }) {
  const [said, say] = useState<string>();
  const act = async (): Promise<void> => {
    say((await copy(props.text())) ? "Copied" : "Copy failed");
    setTimeout(() => say(undefined), SHOWN);
  };
  return (
    <button type="button" class="quiet" title={props.title} onClick={() => void act()}>
      <span aria-live="polite">{said ?? props.name}</span>
    </button>
  );
}
