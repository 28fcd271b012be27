// The position to solve: entered as a text in any format, painted, random, or a pattern.

import { edition } from "#edition";
import { isOneColumn } from "../breakpoints";
import { holding } from "../cube/appearance";
import { capital, count } from "../format";
import { tab, type Tab } from "../stores/input";
import * as position from "../stores/position";
import { example, isRequested } from "../stores/search";
import { solve, solvePosition, solveRandom } from "../stores/solve";
import { linesOf } from "../text-lines";
import { Field, VERBATIM } from "../ui/field";
import { Notice } from "../ui/notice";
import { TabPanel, Tabs } from "../ui/tabs";
import { Painting, PaintingErrors, undoWithKeys } from "./painting";
import { PatternGallery } from "./pattern-gallery";
import * as places from "./places";
import "./position.css";

const TABS: [tab: Tab, text: string][] = [
  ["scramble", "Scramble"],
  ["paint", "Paint"],
  ["random", "Random"],
  ["patterns", "Patterns"],
];

/** The other formats, each with an example. */
const FORMATS: [name: string, what: string, example: string][] = [
  [
    "54 facelets",
    "Faces in the order U R F D L B, any letter per color.",
    "FUUFUULRRBLLDRRDRRBDDBFFUFFRLLDDBDDBRRULLULLFFFDUBBUBB",
  ],
  [
    "Reid notation",
    "For each slot, the piece in it, its stickers in the order of the slot's name. " +
      "Slots: UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR.",
    "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR",
  ],
  ["Cycles", "Cycles of stickers in Speffz lettering.", "corners: (A B C D) edges: (A B C D)"],
];

/** The ways to enter a position, each behind a tab. */
export function PositionInput() {
  return (
    <>
      <Tabs label="Input" tabs={TABS} open={tab} />
      <TabPanel tab="scramble" open={tab}>
        <ScrambleInput />
      </TabPanel>
      <TabPanel tab="paint" open={tab} onKeyDown={undoWithKeys}>
        <Painting />
      </TabPanel>
      <TabPanel tab="random" open={tab}>
        <RandomInput />
      </TabPanel>
      <TabPanel tab="patterns" open={tab}>
        <PatternGallery onChoose={solvePosition} />
      </TabPanel>
    </>
  );
}

/** The text, in any format. */
function ScrambleInput() {
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
    <Field label="Scramble or facelets">
      {(ids) => (
        <textarea
          {...ids}
          ref={places.scramble}
          {...VERBATIM}
          rows={2}
          enterkeyhint="go"
          placeholder={example.value || "R U2 F' …"}
          aria-describedby="messages"
          aria-invalid={isWrong || undefined}
          value={position.text.value}
          onInput={(event) => position.enter(event.currentTarget.value)}
          onChange={position.endStep}
          onKeyDown={onKey}
        />
      )}
    </Field>
  );
}

/** Examples of the other formats of the text. */
export function InputFormats() {
  return (
    <details class="options formats">
      <summary>Other input formats</summary>
      <dl class="needs">
        {FORMATS.map(([name, what, text]) => (
          <>
            <dt>{name}</dt>
            <dd>
              {what}
              <button
                type="button"
                class="link solution"
                title="Try this example"
                onClick={() => position.setText(text)}
              >
                {text}
              </button>
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

/** A random position, and another one. */
function RandomInput() {
  const scramble = position.random.value;
  const isShown = scramble !== "" && position.text.value === scramble;
  return (
    <>
      <p class="label">Draws one of all 43 quintillion positions, equally likely, and solves it.</p>
      <p class={isShown ? "random-scramble solution" : "random-scramble label"}>
        {isShown ? scramble : "The scramble will appear here."}
      </p>
      <button
        type="button"
        class={isRequested.value ? "random" : "random strong"}
        title="A random cube (R)"
        onClick={() => void solveRandom()}
      >
        {isShown ? "Another random cube" : "Random cube"}
      </button>
    </>
  );
}

/** The position of the answer, where its input is not beside it, and a button that leads there. */
export function EnteredPosition() {
  return (
    <p class="entered-position" hidden={!isOneColumn.value || !isRequested.value}>
      <span class="solution">{position.text}</span>
      <button type="button" class="quiet" onClick={places.editPosition}>
        Edit
      </button>
    </p>
  );
}

/** The messages about the position: below what is painted or pressed, which must not move. */
export function Messages() {
  return (
    <div ref={places.messages} id="messages" class="said" tabIndex={-1} aria-live="polite">
      {!position.shown.value.isStale && <Message />}
    </div>
  );
}

function Message() {
  const { text, checked, isList, error } = position.shown.value;
  if (error) return <Notice of={error} text={text} />;
  const isEntered = tab.value === "scramble" || tab.value === "paint";
  if (!checked || !isEntered) return null;
  if (!checked.ok) {
    if (checked.facelets !== undefined) return <PaintingErrors of={checked} />;
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
      {rotation !== undefined && tab.value === "scramble" && (
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
