// Controls for the appearance of the cube.

import { field, h, newId, select, setAll, setChildren, setText } from "../dom";
import {
  DEFAULT_APPEARANCE,
  appearance,
  frontsOf,
  holding,
  mapFaces,
  onAppearance,
  schemeOf,
  setAppearance,
  type Appearance,
  type Scheme,
} from "./appearance";
import { FACES, NAMES, type Face } from "./colors";

const SCHEMES: [value: Scheme, text: string][] = [
  ["western", "Western"],
  ["japanese", "Japanese (blue opposite white)"],
  ["own", "Custom"],
];

/** The controls, folded behind a summary of the orientation of the cube. */
export function appearanceInput(): HTMLElement {
  const summary = h("summary");
  const scheme = select(SCHEMES, appearance().scheme);
  const up = h("select");
  const front = h("select");
  const letters = h("input", { type: "checkbox", id: newId("letters") });
  const own = mapFaces((face) =>
    h("input", {
      type: "color",
      "aria-label": `Color ${NAMES[face]}`,
      title: `${NAMES[face]}, in the default orientation`,
    }),
  );
  const ownRow = h(
    "div",
    { class: "own", role: "group", "aria-label": "Custom colors" },
    ...FACES.map((face) => h("label", {}, own[face], face)),
  );
  const fill = (control: HTMLSelectElement, faces: readonly Face[], value: Face): void => {
    const names = schemeOf(appearance());
    setChildren(
      control,
      ...faces.map((face) =>
        h("option", { value: face, selected: face === value }, names[face].name),
      ),
    );
    control.value = value;
  };
  const read = (): Appearance => {
    const wanted = {
      scheme: scheme.value as Scheme,
      own: mapFaces((face) => own[face].value),
      up: up.value as Face,
      front: front.value as Face,
      letters: letters.checked,
    };
    // The up color cannot also be in front.
    return frontsOf(wanted.up).includes(wanted.front)
      ? wanted
      : {
          ...wanted,
          front:
            frontsOf(wanted.up).find((face) => face === appearance().up) ?? frontsOf(wanted.up)[0]!,
        };
  };
  const reset = h(
    "button",
    { type: "button", class: "quiet", onclick: () => setAppearance(DEFAULT_APPEARANCE) },
    "Reset to default",
  );
  onAppearance(() => {
    const now = appearance();
    setText(summary, `Colors: ${holding()}${now.letters ? ", with letters" : ""}`);
    scheme.value = now.scheme;
    fill(up, FACES, now.up);
    fill(front, frontsOf(now.up), now.front);
    for (const face of FACES) own[face].value = now.own[face];
    ownRow.hidden = now.scheme !== "own";
    letters.checked = now.letters;
    setAll(reset, { hidden: JSON.stringify(now) === JSON.stringify(DEFAULT_APPEARANCE) });
  });
  const fields = h(
    "fieldset",
    {
      class: "fields",
      "aria-label": "Appearance of the cube",
      onchange: () => setAppearance(read()),
    },
    h("div", { class: "whole" }, field("Colors", scheme)),
    field("Up", up),
    field("Front", front),
    ownRow,
    h(
      "div",
      { class: "check" },
      letters,
      h("label", { for: letters.id }, "Show face letters on facelets"),
      reset,
    ),
  );
  return h("details", { class: "options look" }, summary, fields);
}
