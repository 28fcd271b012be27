// A painted goal: the facelets that must have a certain color. Unpainted ones may have any color.

import { useEffect, useRef, useState } from "preact/hooks";
import { Embedded } from "../bridge";
import { BLANK, isPainted } from "../cube/colors";
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
  const paint = useRef(onPaint);
  paint.current = onPaint;
  const [{ net, palette }] = useState(() => {
    const palette = new Palette("any color");
    const shows = "The 54 facelets of the goal, unfolded";
    const onPaint = (facelets: string): void => paint.current(facelets);
    return { palette, net: new Net(() => palette.brush, onPaint, shows, "any color") };
  });
  const facelets = isPainted(text) ? text : (paintingOf(text) ?? BLANK);
  useEffect(() => {
    net.show(facelets);
    palette.count(facelets);
  }, [facelets]);
  return (
    <>
      <div class="row">
        <small>Blank facelets may have any color.</small>
        <button type="button" class="quiet" onClick={() => onPaint(BLANK)}>
          Clear
        </button>
      </div>
      <Embedded element={palette.element} hidden={false} />
      <Embedded element={net.element} hidden={false} />
    </>
  );
}
