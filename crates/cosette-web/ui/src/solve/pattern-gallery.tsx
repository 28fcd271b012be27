// The patterns to try before there is a position.

import "./pattern-gallery.css";
import { PATTERNS } from "./patterns";

/** The patterns; `onChoose` is called with the moves of the clicked one. */
export function PatternGallery(props: { hidden: boolean; onChoose: (moves: string) => void }) {
  return (
    <div class="welcome" hidden={props.hidden}>
      <p class="label">Enter a scramble, paint your cube, or try a pattern:</p>
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
    </div>
  );
}
