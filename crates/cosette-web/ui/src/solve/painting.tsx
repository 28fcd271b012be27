// The Paint tab: the net with its tools, and the errors of a painted cube.

import { computed } from "@preact/signals";
import { colorName, faceColors } from "../cube/appearance";
import { AppearanceInput } from "../cube/appearance-input";
import { BLANK, FACES, SOLVED, countOf, type Face, type Facelet } from "../cube/colors";
import { Net, described, inColors } from "../cube/net";
import { Palette } from "../cube/palette";
import { Solid } from "../cube/solid";
import type { Mark } from "../cube/stroke";
import type { TurnedSide } from "../cube/turned-side";
import { plural } from "../format";
import type { NotAPosition } from "../protocol";
import { brush, tab } from "../stores/input";
import * as position from "../stores/position";
import { Explanation, Notice } from "../ui/notice";
import "./painting.css";
import * as places from "./places";

/** Maximum number of impossible pieces explained at a time; all are marked. */
const EXPLAINED_MARKS = 3;

/** The impossible pieces. */
const marks = computed<Mark[]>(() => {
  const { checked, turnedSide } = position.shown.value;
  if (checked?.ok !== false || !position.areMarksShown.value) return [];
  return checked.marks.map((mark, at, { length }) => ({
    ...mark,
    error: inColors(mark.error),
    // Beside a side that is turned, the pieces have no messages.
    sign: turnedSide ? "✕" : signOf(at, length),
  }));
});

/** Undoes the last step with the keys that undo elsewhere. */
export function undoWithKeys(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "z") return;
  event.preventDefault();
  position.undo();
}

/** The properties that the net and the cube on the stage share. */
const painted = () => ({
  facelets: position.facelets.value,
  brush,
  onPaint: position.paint,
  marks: marks.value,
});

/** The cube on the stage while it is painted. */
export function PaintedCube() {
  return <Solid {...painted()} label="The cube" onKeyDown={undoWithKeys} />;
}

/** `true` if the painted cube cannot be completed, or is complete and cannot be solved. */
const isImpossible = computed(() => {
  const { checked } = position.shown.value;
  if (checked?.ok !== false || !position.areMarksShown.value) return false;
  return checked.blank === 0 || marks.value.length > 0;
});

/** The state of the painting; the reasons of what is impossible are in its errors. */
const state = computed(() => {
  const { text, checked } = position.shown.value;
  if (text === "") return "The solved cube. Pick a color to paint.";
  if (checked?.ok !== false) return "Pick a color, then drag across stickers.";
  const { blank } = checked;
  if (position.isUnfinishedFault.value)
    return `✕ ${plural(blank, "sticker is", "stickers are")} still unpainted.`;
  if (blank === 0 && marks.value.length === 0)
    return isImpossible.value ? "This cube is impossible." : "Each color needs nine stickers.";
  const parts = [
    blank > 0 && `${plural(blank, "sticker")} left`,
    marks.value.length > 0 && plural(marks.value.length, "impossible piece"),
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
});

/** The palette and the net with their tools. */
export function Painting() {
  const { facelets, canUndo } = position;
  const kind = position.isUnfinishedFault.value
    ? "faulty unfinished"
    : isImpossible.value
      ? "faulty"
      : "";
  const button = (name: string, act: () => void, isOff?: boolean) => (
    <button type="button" class="quiet" aria-disabled={isOff || undefined} onClick={act}>
      {name}
    </button>
  );
  return (
    <>
      <div class="row">
        <AppearanceInput />
        <span class="row tight">
          {/* With the attribute `disabled`, the button would lose the focus. */}
          {button("Undo", position.undo, !canUndo.value)}
          {button("Start solved", () => position.setText(SOLVED, "net"))}
          {button("Start blank", () => position.setText(BLANK, "net"))}
        </span>
      </div>
      <div class="brushes">
        <Palette facelets={facelets.value} brush={brush} />
        <p class={`label ${kind}`} role="status">
          {state}
        </p>
      </div>
      <Net {...painted()} label="The 54 facelets of the cube, unfolded" />
      <p class="keys">
        {"Keyboard: arrow keys move, "}
        {FACES.map((face) => (
          <>
            <kbd>{faceColors()[face].key}</kbd>{" "}
          </>
        ))}
        paint, Backspace clears.
      </p>
    </>
  );
}

/** The side that is painted turned, and a button that turns it. */
function TurnedSideNotice({ of: { face, turn, facelets } }: { of: TurnedSide }) {
  const name = tab.value === "scramble" ? face : colorName(face);
  const turnBack = (): void => {
    // The button goes away.
    places.messages.current!.focus({ preventScroll: true });
    position.setText(facelets, position.source.value);
  };
  return (
    <div class="notice bad">
      <p>
        <strong>{`The side with the ${name} center seems turned.`}</strong>
      </p>
      <button type="button" onClick={turnBack}>
        {`Turn it ${turn}`}
      </button>
    </div>
  );
}

/**
 * The errors of a painted cube: first a side that is turned, then impossible pieces, unless they
 * are wrong in passing, then the position as a whole. Beside a scramble they have face letters, as
 * the user has typed, and unpainted facelets are counted, as the palette does beside the net.
 */
export function PaintingErrors({ of }: { of: NotAPosition }) {
  const { marks, blank, facelets = "" } = of;
  const areMarksShown = position.areMarksShown.value;
  const isTyped = tab.value === "scramble";
  const said = (error: string): string => (isTyped ? error : inColors(error));
  const name = (facelet: Facelet): string => (isTyped ? facelet : colorName(facelet));
  const counts = blank === 0 ? unevenColors(facelets, name) : "";
  const { turnedSide } = position.shown.value;
  if (turnedSide) return <TurnedSideNotice of={turnedSide} />;
  if (marks.length > 0 && areMarksShown) {
    return (
      <div class="notice bad">
        {counts && (
          <p>
            <strong>{counts}</strong>
          </p>
        )}
        {marks.slice(0, EXPLAINED_MARKS).map((mark, at) => {
          const sign = marks.length > 1 ? `${signOf(at, marks.length)}: ` : "";
          return (
            <Explanation
              of={{ error: said(sign + mark.error), help: said(mark.help) }}
              where={described(mark.facelet_indices, facelets, name)}
            />
          );
        })}
      </div>
    );
  }
  if (blank > 0)
    return position.source.value === "text" ? (
      <p class="notice">{`${plural(blank, "sticker")} left.`}</p>
    ) : null;
  if (!areMarksShown) return null;
  return <Notice of={{ error: of.error, help: of.help }} />;
}

/**
 * Returns the sign on the facelets of an impossible piece: if there are several, the number of its
 * message.
 */
function signOf(at: number, count: number): string {
  return count > 1 && at < EXPLAINED_MARKS ? String(at + 1) : "✕";
}

/** Lists the colors that are not on nine facelets, if there are any, under these names. */
function unevenColors(facelets: string, name: (facelet: Facelet) => string): string {
  const counts = FACES.map((face): [number, Face] => [countOf(face, facelets), face])
    .filter(([number]) => number !== 9)
    .sort(([a], [b]) => b - a)
    .map(([number, face]) => `${number} ${name(face)}`);
  return counts.length > 0 ? `${counts.join(", ")}: each color needs nine stickers.` : "";
}
