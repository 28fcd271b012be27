// The position to solve: a text in any format and the painted net, with their errors.

import { edition } from "#edition";
import { effect, signal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { ONE_COLUMN } from "../breakpoints";
import { colorName, faceColors, holding } from "../cube/appearance";
import { AppearanceInput } from "../cube/appearance-input";
import { BLANK, FACES, SOLVED, type Face, type Facelet } from "../cube/colors";
import { Net, described, inColors } from "../cube/net";
import { Palette } from "../cube/palette";
import { capital, count, plural } from "../format";
import type { NotAPosition } from "../protocol";
import * as position from "../stores/position";
import { example } from "../stores/search";
import { solve } from "../stores/solve";
import { linesOf } from "../text-lines";
import { Field } from "../ui/field";
import { Explanation, Notice } from "../ui/notice";
import * as places from "./places";
import "./position.css";

/** Maximum number of impossible pieces explained at a time; all are marked. */
const EXPLAINED_MARKS = 3;

/** An example of each other format. */
const FORMATS: [text: string, what: string][] = [
  [
    "FUUFUULRRBLLDRRDRRBDDBFFUFFRLLDDBDDBRRULLULLFFFDUBBUBB",
    "54 facelets: faces in the order U R F D L B, any letter per color",
  ],
  [
    "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR",
    "Reid notation: for each slot, the piece in it, its stickers in the order of the " +
      "slot's name. Slots: UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL " +
      "DLB DBR",
  ],
  ["corners: (A B C D) edges: (A B C D)", "cycles of stickers in Speffz lettering"],
];

const brush: Signal<Facelet> = signal("U");

/** `true` if the net is unfolded. */
const isUnfolded = signal(!ONE_COLUMN.matches);

/** The text, and the errors in it. */
export function PositionText() {
  const { shown } = position;
  const { checked } = shown.value;
  const isWrong = checked?.ok === false && checked.blank === 0;
  const onKey = (event: KeyboardEvent): void => {
    if (!position.isTyped.value) undoWithKeys(event);
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    position.endStep();
    void solve();
  };
  return (
    <div class="position">
      <Field label="Scramble">
        {(ids) => (
          <textarea
            {...ids}
            ref={places.scramble}
            rows={2}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            enterkeyhint="go"
            placeholder={example.value || "R U2 F' …"}
            aria-describedby="text-errors"
            aria-invalid={isWrong || undefined}
            value={position.text.value}
            onInput={(event) => position.enter(event.currentTarget.value)}
            onChange={position.endStep}
            onKeyDown={onKey}
          />
        )}
      </Field>
      <div id="text-errors" class="said" aria-live="polite">
        {!shown.value.isStale && <TextMessages />}
      </div>
      <details class="options formats">
        <summary>Other input formats</summary>
        <dl class="needs">
          {FORMATS.map(([text, what]) => (
            <>
              <dt>
                <button
                  type="button"
                  class="link solution"
                  title="Try this example"
                  onClick={() => position.setText(text)}
                >
                  {text}
                </button>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
      </details>
    </div>
  );
}

function undoWithKeys(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "z") return;
  event.preventDefault();
  position.undo();
}

/** Returns `true` if errors are shown below the net; they are invisible there if it is folded. */
const areBelow = (): boolean => position.source.value === "net" && isUnfolded.value;

/** The messages about the text. */
function TextMessages() {
  const { text, checked, isList, error } = position.shown.value;
  if (error) return <Notice of={error} text={text} />;
  if (!checked) return null;
  if (!checked.ok) {
    if (checked.facelets !== undefined) return areBelow() ? null : <PaintingErrors of={checked} />;
    return isList ? <List text={text} /> : <Notice of={checked} text={text} />;
  }
  const { hint, rotation } = checked;
  return (
    <>
      {hint !== undefined && (
        <div class="notice">
          <p>{`${capital(hint)}.`}</p>
          {linesOf(text).length > 1 && <edition.ListHelp text={text} />}
        </div>
      )}
      {rotation !== undefined && (
        <p class="notice">
          {`The moves rotate the whole cube (${rotation}). `}
          {`The 3D cube is shown in the resulting orientation; Paint shows it with ${holding()}.`}
        </p>
      )}
    </>
  );
}

/** A text that is a list of positions. */
function List({ text }: { text: string }) {
  return (
    <div class="notice">
      <p>{`This looks like a list of ${count(linesOf(text).length)} positions.`}</p>
      <edition.ListHelp text={text} />
    </div>
  );
}

/** The net with its tools; the children are below it. */
export function Painting({ children }: { children: ComponentChildren }) {
  const { text, checked } = position.shown.value;
  useLayoutEffect(keepInPlace, []);
  const wrong = checked?.ok === false ? checked : undefined;
  const marks = wrong?.marks.map((mark, at, { length }) => ({
    ...mark,
    error: inColors(mark.error),
    sign: signOf(at, length),
  }));
  const button = (name: string, act: () => void, isOff?: boolean) => (
    <button type="button" class="quiet" aria-disabled={isOff || undefined} onClick={act}>
      {name}
    </button>
  );
  return (
    <details
      ref={places.painting}
      class="card paint"
      open={isUnfolded.value}
      onToggle={(event) => (isUnfolded.value = event.currentTarget.open)}
      onKeyDown={undoWithKeys}
    >
      <summary>
        <h2>Paint your cube</h2>
      </summary>
      <div class="row">
        <AppearanceInput />
        <span class="row tight">
          {/* With the attribute `disabled`, the button would lose the focus. */}
          {button("Undo", position.undo, !position.canUndo.value)}
          {button("Solved", () => position.setText(SOLVED, "net"))}
          {button("Clear", () => position.setText(BLANK, "net"))}
        </span>
      </div>
      <Palette facelets={position.facelets.value} brush={brush} />
      <Net
        facelets={position.facelets.value}
        brush={brush}
        onPaint={position.paint}
        label="The 54 facelets of the cube, unfolded"
        marks={marks}
      />
      {/* Below the net, which must not move while it is painted. */}
      <div ref={places.paintingErrors} class="said" tabIndex={-1} aria-live="polite">
        {wrong?.facelets !== undefined && areBelow() && <PaintingErrors of={wrong} />}
      </div>
      <p class="label">
        {`${text.trim() === "" ? "This is the solved cube. " : ""}Pick a color, then click or drag across stickers.`}
      </p>
      <p class="keys">
        {"Keyboard: arrow keys move, "}
        {FACES.map((face) => (
          <>
            <kbd>{faceColors()[face].key}</kbd>{" "}
          </>
        ))}
        paint, Backspace clears.
      </p>
      {children}
    </details>
  );
}

/** Keeps messages above the net from moving it while it is painted. */
const keepInPlace = (): (() => void) =>
  effect(() => {
    if (position.shown.value.text === "" || position.source.peek() === "text") return;
    const top = (): number => places.painting.current!.getBoundingClientRect().top;
    const before = top();
    requestAnimationFrame(() => window.scrollBy({ top: top() - before, behavior: "instant" }));
  });

/**
 * The errors of a painted cube: first impossible pieces, then unpainted facelets, then the position
 * as a whole. A user who has typed face letters gets messages with face letters.
 */
function PaintingErrors({ of }: { of: NotAPosition }) {
  const { marks, blank, facelets = "" } = of;
  const said = (error: string): string =>
    position.source.value === "net" ? inColors(error) : error;
  // Help shared with the next error is shown once, for both.
  const helpOf = (at: number): string => {
    const { help } = marks[at]!;
    const isRepeated = at + 1 < EXPLAINED_MARKS && marks[at + 1]?.help === help;
    return isRepeated
      ? ""
      : help.replace(marks[at - 1]?.help === help ? /^check this slot: / : "", "");
  };
  if (marks.length > 0) {
    const counts = blank === 0 ? unevenColors(facelets) : "";
    return (
      <div class="notice bad">
        {counts && (
          <p>
            <strong>{`${counts}: each color must have nine facelets.`}</strong>
          </p>
        )}
        {marks.slice(0, EXPLAINED_MARKS).map((mark, at) => {
          const sign = marks.length > 1 ? `${signOf(at, marks.length)}: ` : "";
          return (
            <Explanation
              of={{ error: said(sign + mark.error), help: helpOf(at) }}
              where={described(mark.facelet_indices, facelets)}
            />
          );
        })}
      </div>
    );
  }
  if (blank > 0) return <p class="notice">{`${plural(blank, "sticker")} left.`}</p>;
  return (
    <Notice
      of={{ error: said(of.error), help: of.help }}
      where="no piece is marked, because the wrong one cannot be identified; check all pieces"
    />
  );
}

/**
 * Returns the sign on the facelets of an impossible piece: if there are several, the number of its
 * message.
 */
function signOf(at: number, count: number): string {
  return count > 1 && at < EXPLAINED_MARKS ? String(at + 1) : "✕";
}

/** Lists the colors that are not on nine facelets: "11 red, 7 white". */
function unevenColors(facelets: string): string {
  const counts = FACES.map((face): [number, Face] => [
    [...facelets].filter((facelet) => facelet === face).length,
    face,
  ]);
  return counts
    .filter(([number]) => number !== 9)
    .sort(([a], [b]) => b - a)
    .map(([number, face]) => `${number} ${colorName(face)}`)
    .join(", ");
}
