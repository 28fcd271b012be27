// Many positions: a file or pasted lines as input, results as they are found, files as output.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isOneColumn, ONE_COLUMN } from "../breakpoints";
import { left, plural } from "../format";
import { METRICS } from "../solve/option-values";
import * as store from "../stores/batch";
import { Field, NumberInput, SelectField, VERBATIM } from "../ui/field";
import { Errors } from "../ui/notice";
import { Prose } from "../ui/prose";
import { RunButton } from "../ui/run-button";
import { Distribution } from "./distribution";
import { FORMATS } from "./files";
import { LengthCell, Results } from "./results";

/** An example that any table solves at once. */
const EXAMPLE =
  "# Scrambles, one per line; text after # is a comment\nR U R' U' R' F R2 U' R' U' R U R' F'\nF2 D L' B U2\nM2 U M2 U2 M2 U M2\n";

/** The begin of the list, in formats that it may have. */
const PLACEHOLDER = "R U2 F' L D\n12.34 F2 D L' B U2\nT-perm: R U R' U' R' F …\n…";

/** Counts the lines, or says what to enter. */
const countOf = (lines: number): string =>
  lines === 0 ? "Paste scrambles, one per line, or the list of a timer." : plural(lines, "line");

/** Lines of the specimen: a solution, or the error of a line without a length. */
const SPECIMEN: [line: string, entered: string, length: string, result: string][] = [
  ["1", "R U2 F", "3", "F' U2 R'"],
  ["2", "F2 D L' B U2", "5", "U2 B' L D' F2"],
  ["3", "(R U", "–", "this `(` is never closed; close it with `)`"],
];

/** The kinds of lines. */
const LINES: [line: string, what: string][] = [
  ["R U2 F' L D", "a scramble"],
  ["3. 12.34 R U2 F' L D", "an entry of a timer list; csTimer and TNoodle headings are skipped"],
  [
    "BUUBUUDRRBLLDRRLFFFDDFFFFUUUBBDDLBBLLLRLLRUBRFFDUBDDRR",
    "54 facelets; also Reid notation or Speffz cycles",
  ],
  [
    "T-perm: R U R' U' R' F R2 U' R' U' R U R' F'",
    "a named scramble; also JSON, and tables with a header line such as name,alg",
  ],
  ["# my cubes", "a comment"],
];

/** The view in which a batch is solved. */
export function Batch({ hidden }: { hidden: boolean }) {
  const isRunning = store.isRunning.value;
  const start = useRef<HTMLButtonElement>(null);
  const stop = useRef<HTMLButtonElement>(null);
  const result = useRef<HTMLElement>(null);
  const isFocused = stop.current !== null && document.activeElement === stop.current;
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (!isRunning && isFocused) start.current!.focus({ preventScroll: true });
    if (isRunning && isOneColumn.value) result.current!.scrollIntoView();
  }, [isRunning]);
  useEffect(() => {
    if (hidden || !store.areTaken.value) return;
    store.areTaken.value = false;
    start.current!.focus();
  }, [hidden, store.areTaken.value]);
  const dropped = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes("Files") === true;
  return (
    <div class="columns" hidden={hidden}>
      <form
        class="card"
        aria-label="A list of positions"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void store.run();
        }}
        onDragOver={(event) => dropped(event) && event.preventDefault()}
        onDrop={(event) => {
          // A text is dropped into the field.
          if (!dropped(event)) return;
          event.preventDefault();
          void store.read(event.dataTransfer!.files[0]);
        }}
      >
        <h2>Solve a list of cubes</h2>
        <Field label="Positions" hint={countOf(store.lineCount.value)}>
          {(ids) => (
            <textarea
              {...ids}
              {...VERBATIM}
              rows={8}
              placeholder={PLACEHOLDER}
              value={store.text.value}
              onInput={(event) => (store.text.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="File with one position per line"
          hint={<span class="with-mouse">You can also drop a file here.</span>}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".txt,.csv,.tsv,.md,.json,.jsonl,text/*,application/json"
              onClick={(event) => (event.currentTarget.value = "")}
              onChange={(event) => void store.read(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <div class="fields wide-first">
          <SelectField
            label="Metric"
            hint="R2 is one move in HTM, two in QTM."
            options={METRICS}
            value={store.metric}
          />
          <NumberInput label="Search up to (moves)" entry={store.maxLength} />
          <NumberInput label="Time limit each (s)" entry={store.timeout} />
        </div>
        <div class="bar">
          <RunButton
            button={start}
            name="Solve all"
            isRunning={isRunning}
            isOff={store.lineCount.value === 0}
            stop={store.stop}
          />
          <button
            type="button"
            disabled={store.text.value.trim() !== ""}
            onClick={() => (store.text.value = EXAMPLE)}
          >
            Example
          </button>
        </div>
        <Errors of={store.error.value} />
      </form>
      <div class="stack">
        {!store.hasBatch.value && <Expected />}
        <section
          ref={result}
          class="card"
          aria-label="Results"
          aria-busy={isRunning}
          hidden={!store.hasBatch.value}
        >
          <h2 class="hidden">Results</h2>
          <p class="headline" role="status">
            {store.headline}
          </p>
          <div class="running">
            <progress
              max={store.total.value || 1}
              value={store.results.value.length || undefined}
              aria-label="Batch progress"
              hidden={store.total.value === undefined}
            />
            {/* Where the form is out of sight. */}
            {isRunning && isOneColumn.value && (
              <button ref={stop} type="button" onClick={store.stop}>
                Stop
              </button>
            )}
          </div>
          {/* These numbers change too often to be read aloud. */}
          <p class="details row" hidden={!isRunning}>
            <span>{store.counts}</span>
            <span>{store.pace}</span>
          </p>
          <Searching />
          {store.results.value.length > 0 && <Downloads />}
          <Results />
          <Distribution />
        </section>
      </div>
    </div>
  );
}

/** The lines whose search takes long, or was stopped. */
function Searching() {
  const unit = store.chosen.value.metric === "qtm" ? "quarter turn" : "move";
  return (
    <ul class="searching">
      {store.searching.value.map(({ line, length, done, total, seconds_left }) => {
        const units = plural(length, unit);
        const percent = Math.floor((100 * done) / total);
        const time = seconds_left === null ? "" : `, ${left(seconds_left)}`;
        return (
          <li key={line}>
            {store.isRunning.value
              ? `Line ${line}: ruling out ${units}, ${percent} %${time}`
              : `Line ${line}: stopped, at least ${units}`}
          </li>
        );
      })}
    </ul>
  );
}

/** The content shown before the first batch. */
function Expected() {
  return (
    <section class="card" aria-label="Input formats">
      <h2>Your results will look like this</h2>
      <Specimen />
      <p class="label">
        Each line gets an optimal solution or an error message. Download the results as text, CSV or
        JSON Lines.
      </p>
      <details open={!ONE_COLUMN.matches}>
        <summary>
          <h3>Line formats</h3>
        </summary>
        <dl class="needs">
          {LINES.map(([line, what]) => (
            <>
              <dt class="solution">{line}</dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Results of three lines, as an example of the table. */
function Specimen() {
  return (
    <div class="specimen">
      <table class="results">
        <caption class="hidden">Example results</caption>
        <thead>
          <tr>
            {["Line", "Position", "Length", "Solution"].map((name) => (
              <th scope="col" class={name === "Line" || name === "Length" ? "number" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SPECIMEN.map(([line, entered, length, result]) => (
            <tr>
              <td class="number">{line}</td>
              <td class="entered">{entered}</td>
              <LengthCell length={length} unit="move" isProven />
              <td class={length === "–" ? "wrong" : "solution"}>
                <Prose text={result} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Downloads() {
  return (
    <div class="row downloads">
      <span class="label">Download</span>
      <span class="row tight">
        {FORMATS.map((format) => (
          <button type="button" class="quiet" onClick={() => store.download(format)}>
            {format.name}
          </button>
        ))}
      </span>
    </div>
  );
}
