// The patterns to try before there is a position.

import { useState } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import "./pattern-gallery.css";
import { PATTERNS } from "./patterns";

/** The patterns; `onChoose` is called with the moves of the clicked one. */
export function PatternGallery(props: { hidden: boolean; onChoose: (moves: string) => void }) {
  const [isOpen] = useState(!ONE_COLUMN.matches);
  return (
    <details class="options welcome" open={isOpen} hidden={props.hidden}>
      <summary>Patterns to try</summary>
      <div class="gallery" role="group" aria-label="Patterns">
        {PATTERNS.map(([name, moves, front]) => (
          <button type="button" onClick={() => props.onChoose(moves)}>
            <span class="front" aria-hidden="true">
              {[...front].map((color) => (
                <span class="facelet" data-color={color} />
              ))}
            </span>
            {name}
          </button>
        ))}
      </div>
    </details>
  );
}
