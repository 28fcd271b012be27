// The palette: the colors to paint with, each with the number of facelets that have it.

import { useNewId } from "../ui/field";
import { colorName } from "./appearance";
import { FACES, countOf, type Facelet } from "./colors";
import "./palette.css";

/** The palette; `brush` is the chosen color, and `blank` describes a facelet without a color. */
export function Palette(props: { facelets: string; brush: { value: Facelet }; blank?: string }) {
  const { facelets, brush, blank = "no color" } = props;
  const group = useNewId();
  return (
    <fieldset class="palette">
      <legend class="hidden">Paint color</legend>
      {([...FACES, "."] as Facelet[]).map((facelet) => {
        const name = facelet === "." ? blank : `${colorName(facelet)} (${facelet})`;
        const painted = countOf(facelet, facelets);
        const state = facelet === "." || painted < 9 ? "" : painted === 9 ? " full" : " fault";
        return (
          <label class="pick swatch" title={name}>
            <input
              type="radio"
              name={group}
              value={facelet}
              aria-label={name}
              checked={facelet === brush.value}
              onChange={() => (brush.value = facelet)}
            />
            <span class="facelet" data-color={facelet} />
            <span class={`count${state}`}>{facelet === "." ? painted || "" : painted}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
