// Controls for the appearance of the cube.

import { SelectField, useNewId } from "../ui/field";
import {
  DEFAULT_APPEARANCE,
  appearance,
  frontsOf,
  holding,
  schemeOf,
  setAppearance,
  type Appearance,
  type Scheme,
} from "./appearance";
import "./appearance-input.css";
import { FACES, NAMES, type Face } from "./colors";

const SCHEMES: [value: Scheme, text: string][] = [
  ["western", "Western"],
  ["japanese", "Japanese (blue opposite white)"],
  ["own", "Custom"],
];

/** Changes a part of the appearance. The up color cannot also be in front. */
function change(part: Partial<Appearance>): void {
  const before = appearance();
  const wanted = { ...before, ...part };
  const fronts = frontsOf(wanted.up);
  const front = [wanted.front, before.up].find((face) => fronts.includes(face)) ?? fronts[0]!;
  setAppearance({ ...wanted, front });
}

/** A part of the appearance, to be read and written like a signal. */
const part = <N extends keyof Appearance>(name: N): { value: Appearance[N] } => ({
  get value() {
    return appearance()[name];
  },
  set value(value) {
    change({ [name]: value });
  },
});

const scheme = part("scheme");
const up = part("up");
const front = part("front");

/** The controls, folded behind a summary of the orientation of the cube. */
export function AppearanceInput() {
  const now = appearance();
  const lettersId = useNewId();
  const colors = schemeOf(now);
  const named = (faces: readonly Face[]): [Face, string][] =>
    faces.map((face) => [face, colors[face].name]);
  return (
    <details class="options look">
      <summary>{`Colors: ${holding()}${now.letters ? ", with letters" : ""}`}</summary>
      <fieldset class="fields" aria-label="Appearance of the cube">
        <div class="whole">
          <SelectField label="Colors" options={SCHEMES} value={scheme} />
        </div>
        <SelectField label="Up" options={named(FACES)} value={up} />
        <SelectField label="Front" options={named(frontsOf(now.up))} value={front} />
        <div class="own" role="group" aria-label="Custom colors" hidden={now.scheme !== "own"}>
          {FACES.map((face) => (
            <label>
              <input
                type="color"
                aria-label={`Color ${NAMES[face]}`}
                title={`${NAMES[face]}, in the default orientation`}
                value={now.own[face]}
                onChange={(event) =>
                  change({ own: { ...now.own, [face]: event.currentTarget.value } })
                }
              />
              {face}
            </label>
          ))}
        </div>
        <div class="check">
          <input
            type="checkbox"
            id={lettersId}
            checked={now.letters}
            onChange={(event) => change({ letters: event.currentTarget.checked })}
          />
          <label for={lettersId}>Show face letters on facelets</label>
          <button
            type="button"
            class="quiet"
            hidden={JSON.stringify(now) === JSON.stringify(DEFAULT_APPEARANCE)}
            onClick={() => setAppearance(DEFAULT_APPEARANCE)}
          >
            Reset to default
          </button>
        </div>
      </fieldset>
    </details>
  );
}
