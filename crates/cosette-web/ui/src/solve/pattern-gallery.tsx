// The patterns to try.

import "./pattern-gallery.css";
import { PATTERNS } from "./patterns";

/** The patterns; `onChoose` is called with the moves of the clicked one. */
export function PatternGallery({ onChoose }: { onChoose: (moves: string) => void }) {
  return (
    <div class="gallery" role="group" aria-label="Patterns to try">
      {PATTERNS.map(([name, moves, front]) => (
        <button type="button" onClick={() => onChoose(moves)}>
          <span class="front" aria-hidden="true">
            {[...front].map((color) => (
              <span class="facelet" data-color={color} />
            ))}
          </span>
          {name}
        </button>
      ))}
    </div>
  );
}
