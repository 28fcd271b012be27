// The patterns to try.

import { computed } from "@preact/signals";
import { svg } from "../cube/drawing";
import { scrambled } from "../cube/scramble";
import * as position from "../stores/position";
import { movesOf } from "./notation";
import "./pattern-gallery.css";
import { PATTERNS } from "./patterns";
import { look } from "./stage";

/** The moves of the entered pattern. */
const chosen = computed(
  () => PATTERNS.find(([, moves]) => moves === position.text.value)?.[1] ?? "",
);

/** The patterns; `onChoose` is called with the moves of the clicked one. */
export function PatternGallery({ onChoose }: { onChoose: (moves: string) => void }) {
  return (
    <>
      <p class="label">Choose a pattern to solve it.</p>
      <div class="gallery" role="group" aria-label="Patterns to try">
        {PATTERNS.map(([name, moves]) => (
          <button
            type="button"
            aria-pressed={moves === chosen.value}
            onClick={() => onChoose(moves)}
          >
            <span
              class="pattern"
              aria-hidden="true"
              dangerouslySetInnerHTML={{ __html: svg(scrambled(movesOf(moves)), look) }}
            />
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
