// A painted goal: the facelets that must have a certain color. Unpainted ones may have any color.

import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { BLANK, isPainted, type Facelet } from "../cube/colors";
import { Net } from "../cube/net";
import { Palette } from "../cube/palette";
import { paintingOf } from "./picker";

/** The facelets of the goal in a text; `onPaint` is called with the facelets after each change. */
interface PaintedProps {
  text: string;
  onPaint: (facelets: string) => void;
}

/** The net, folded; it is created when it is unfolded. */
export function PaintedGoal(props: PaintedProps) {
  const [isMade, make] = useState(false);
  return (
    <details class="options painted" onToggle={() => make(true)}>
      <summary>Paint the goal</summary>
      {isMade && <Painting {...props} />}
    </details>
  );
}

function Painting({ text, onPaint }: PaintedProps) {
  const brush = useSignal<Facelet>("U");
  const facelets = isPainted(text) ? text : (paintingOf(text) ?? BLANK);
  return (
    <>
      <div class="row">
        <small>Blank facelets may have any color.</small>
        <button type="button" class="quiet" onClick={() => onPaint(BLANK)}>
          Clear
        </button>
      </div>
      <Palette facelets={facelets} brush={brush} blank="any color" />
      <Net
        facelets={facelets}
        brush={brush}
        onPaint={onPaint}
        label="The 54 facelets of the goal, unfolded"
        blank="any color"
      />
    </>
  );
}
