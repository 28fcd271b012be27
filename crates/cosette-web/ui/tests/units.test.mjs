// What needs no browser: notation, colors, words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { solves } from "../../../cosette-js/npm/test/model.mjs";

/** A module of the page. */
const load = async (name) =>
  (await runnerImport(fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)))).module;

/** Random moves in which no face turns twice running. */
function randomMoves(length) {
  const moves = [];
  while (moves.length < length) {
    const move =
      "URFDLB"[Math.floor(6 * Math.random())] + ["", "2", "'"][Math.floor(3 * Math.random())];
    if (moves.at(-1)?.[0] !== move[0]) moves.push(move);
  }
  return moves.join(" ");
}

test("slices, wide moves and the inverse lead to the same position", async () => {
  const { asHeld, inverse, movesOf, withSlices, withWideMoves } = await load("solve/notation");
  // After x, what was in front is up; after a further y, what was below is at the left.
  assert.equal(asHeld("URFDLB", "x"), "FRDBLU");
  assert.equal(asHeld("URFDLB", "x y"), "FURBDL");
  assert.equal(asHeld("URFDLB", "x2 x2"), "URFDLB");
  assert.equal(withSlices("R L'"), "M");
  assert.equal(withSlices("U2 D2 F' B R"), "E2 S' D");
  assert.equal(withSlices("R L F"), "R L F");
  assert.equal(movesOf(withSlices("U D' R L' F B' U D'")).length, 4);
  assert.equal(withWideMoves("L U D2"), "r f F2");
  assert.equal(withSlices(""), "");
  for (let number = 0; number < 200; number += 1) {
    const moves = randomMoves(20);
    const scramble = inverse(moves);
    assert.ok(solves(scramble, moves), moves);
    const written = [withSlices(moves), withWideMoves(moves)];
    for (const each of written) assert.ok(solves(scramble, each), `${moves}: ${each}`);
    assert.ok(movesOf(written[0]).length <= 20);
    assert.doesNotMatch(written[1], /[LDBldb]/);
  }
});

test("moves are put in words", async () => {
  const { wordsOf } = await load("solve/move-words");
  for (const [move, words] of [
    ["R'", "right side counterclockwise"],
    ["U2", "top side half turn"],
    ["U2'", "top side half turn"],
    ["L", "left side clockwise, seen from the left"],
    ["D'", "bottom side counterclockwise, seen from below"],
    ["B2", "back side half turn"],
    ["M", "middle slice down"],
    ["E'", "equator slice to the left"],
    ["S2", "standing slice half turn"],
    ["r'", "two right layers counterclockwise"],
    ["Dw", "two bottom layers clockwise"],
    ["x'", "whole cube like R′"],
    ["y2", "whole cube like U2"],
    ["(R", ""],
  ])
    assert.equal(wordsOf(move), words, move);
});

test("a maximum is named as it was asked for, and what else is ruled out beside it", async () => {
  const { after, claim, headline, nothingKnown } = await load("solve/bounds");
  const said = (maxLength, lower, best_known = null) => {
    const answer = {
      event: "answer",
      metric: "htm",
      length: null,
      lower_bound: lower,
      best_known,
      stop_reason: "max-length",
      solutions: [],
    };
    const bounds = after(nothingKnown({ metric: "htm", count: "1", maxLength }), answer);
    return [headline(bounds), claim(bounds)];
  };
  assert.deepEqual(said("5", 7), ["No solution within 5 moves", "At least 7 moves"]);
  assert.deepEqual(said("1", 2), ["No solution within 1 move", ""]);
  assert.deepEqual(said("1", 3, "R U F D"), [
    "No solution within 1 move",
    "At least 3 moves. Best known: 4 moves, unproven",
  ]);
});

test("once the length is proven, a search finds more solutions and rules nothing out", async () => {
  const { after, details, headline, nothingKnown } = await load("solve/bounds");
  const events = [
    { event: "iteration-started", length: 3 },
    { event: "progress", length: 3, done: 1, total: 4 },
    { event: "solution", length: 3, moves: "R U F" },
  ];
  const known = [];
  events.reduce(
    (before, event) => {
      known.push(after(before, event));
      return known.at(-1);
    },
    nothingKnown({ metric: "htm", count: "10", maxLength: "" }),
  );
  assert.deepEqual(
    known.slice(1).map((bounds) => [headline(bounds), details(bounds)]),
    [
      ["At least 3 moves", "Ruling out 3 moves: 25 %"],
      ["3 moves, proven optimal", "Finding more solutions of 3 moves: 25 %"],
    ],
  );
});

test("an answer without a table names none", async () => {
  const { after, details, nothingKnown } = await load("solve/bounds");
  const said = (table) =>
    details(
      after(nothingKnown({ metric: "htm", count: "1", maxLength: "" }), {
        event: "answer",
        length: 1,
        lower_bound: 1,
        nodes: 2,
        seconds: 3,
        table,
      }),
    );
  assert.deepEqual(["no table", "goal", "", "htm-24M"].map(said), [
    "2 nodes, 3 s",
    "2 nodes, 3 s",
    "2 nodes, 3 s",
    "2 nodes, 3 s, table htm-24M",
  ]);
});

test("a proof without a searched node says that the table gave the bound", async () => {
  const { after, details, nothingKnown } = await load("solve/bounds");
  const said = (answer) =>
    details(
      after(nothingKnown({ metric: "htm", count: "1", maxLength: "" }), {
        event: "answer",
        best_known: null,
        nodes: 0,
        seconds: 3,
        table: "htm-24M",
        ...answer,
      }),
    );
  assert.equal(said({ length: 5 }), "Lower bound read from the table, 3 s, table htm-24M");
  for (const answer of [{ length: 0 }, { length: null }, { length: 5, table: "no table" }])
    assert.match(said(answer), /^0 nodes, 3 s/);
});

test("only the plain question is asked without a table", async () => {
  const { isPlain } = await load("goals/goal-options");
  const isAskedSo = (request) => isPlain({ position: "R", metric: "htm", count: 1, ...request });
  assert.ok(
    [{}, { metric: "qtm" }, { count: "all", explain: true, timeout: 1, niss: true }].every(
      isAskedSo,
    ),
  );
  const others = [
    { metric: "stm" },
    { metric: "etm" },
    { goal: "cross" },
    { moves: "R U" },
    { costs: "R=2" },
    { slack: 1 },
    { starts_with: "R" },
    { ends_with: "R" },
    { avoid: "R" },
    { unique_up_to: "inverse" },
    { max_length: 9 },
  ];
  assert.deepEqual(others.filter(isAskedSo), []);
});

test("the way back is a solution at once, and a longer one is no news", async () => {
  const { after, claim, headline, solutionKnown, withoutEngine } = await load("solve/bounds");
  const known = solutionKnown({ metric: "qtm", count: "1", maxLength: "" }, "R U2 F'");
  assert.deepEqual(
    [known.best, headline(known), claim(known)],
    ["F U2 R'", "Starting …", "Best so far: 4 quarter turns"],
  );
  const longer = after(known, { event: "solution", moves: "F U2 R' D D'", length: 6 });
  assert.deepEqual([longer.best, headline(longer)], ["F U2 R'", "At most 4 quarter turns"]);
  assert.equal(after(longer, { event: "solution", moves: "x", length: 3 }).upper, 3);
  // A stop before there is a table loses nothing.
  const stopped = withoutEngine(known);
  assert.deepEqual(
    [headline(stopped), claim(stopped)],
    ["At most 4 quarter turns", "Best known: 4 quarter turns, unproven"],
  );
  // What is proven stays proven.
  const lost = withoutEngine({
    ...after(known, { event: "iteration-started", length: 4 }),
    requestedCount: "all",
  });
  assert.deepEqual(
    [headline(lost), claim(lost)],
    ["4 quarter turns, proven optimal", "There may be more optimal solutions"],
  );
});

test("no solution longer than the way back of a scramble is shown", async () => {
  const { solutionKnown } = await load("solve/bounds");
  const { faceTurnsIn } = await load("solve/notation");
  assert.equal(faceTurnsIn("R U2’\nF'"), "R U2 F'");
  for (const other of ["", "UUU", "R (U)", "x R", "r", "M", "cross: R"])
    assert.equal(faceTurnsIn(other), undefined, other);
  const options = { metric: "htm", count: "1", maxLength: "" };
  const known = solutionKnown(options, "U D R L F B", faceTurnsIn("R U2 F'"));
  assert.deepEqual([known.best, known.upper], ["F U2 R'", 3]);
  assert.equal(solutionKnown(options, "R U", "R R R U").best, "U' R'");
});

test("the facelets of a scramble are known without an engine", async () => {
  const { scrambled } = await load("cube/scramble");
  const { PATTERNS } = await load("solve/patterns");
  const { inverse, movesOf } = await load("solve/notation");
  const [, checkerboard] = PATTERNS.find(([name]) => name === "Checkerboard");
  const [, superflip] = PATTERNS.find(([name]) => name === "Superflip");
  assert.equal(scrambled(movesOf(checkerboard)).slice(18, 27), "FBFBFBFBF");
  assert.equal(scrambled(movesOf(superflip)).slice(18, 27), "FUFLFRFDF");
  const turns = [..."URFDLB"].flatMap((face) => [face, `${face}2`, `${face}'`]);
  const all = turns.join(" ");
  assert.equal(scrambled(movesOf(`${all} ${inverse(all)}`)), scrambled([]));
  assert.equal(scrambled(["R"]), "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB");
});

test("a side that is painted turned is found if nothing else explains the cube", async () => {
  const { turnedSideOf } = await load("cube/turned-side");
  const { scrambled } = await load("cube/scramble");
  const cube = scrambled("R U2 F' L D B2".split(" "));
  const green = cube.slice(18, 27);
  const turned = [...green].map((_, at) => green[[2, 5, 8, 1, 4, 7, 0, 3, 6][at]]).join("");
  const painted = cube.slice(0, 18) + turned + cube.slice(27);
  const sideIn = (possible) => turnedSideOf(painted, async (facelets) => possible(facelets));
  assert.deepEqual(await sideIn((facelets) => facelets === cube), {
    face: "F",
    turn: "clockwise",
    facelets: cube,
  });
  assert.equal(await sideIn(() => true), undefined);
  assert.equal(await sideIn(() => false), undefined);
  // Sides of one color look the same turned.
  const solved = scrambled([]);
  assert.equal(await turnedSideOf(solved, async () => true), undefined);
});

test("a list that a limit has cut is not said to be whole", async () => {
  const { after, claim, nothingKnown } = await load("solve/bounds");
  const answer = {
    event: "answer",
    length: 11,
    lower_bound: 11,
    best_known: null,
    complete: false,
    stop_reason: "max-length",
  };
  const said = (count) =>
    claim(after(nothingKnown({ metric: "htm", count, maxLength: "10" }), answer));
  const beyond = "Proven without searching beyond 10 moves";
  assert.deepEqual(["all", "1"].map(said), [
    `${beyond}. There may be more optimal solutions`,
    beyond,
  ]);
});

test("a table that was generated says how long the others take", async () => {
  const { workOf } = await load("engine/estimate");
  const native = readFileSync(
    new URL("../../../cosette-app/src/estimate.rs", import.meta.url),
    "utf8",
  );
  for (const [metric, name] of [
    ["htm", "GENERATE_SECONDS"],
    ["qtm", "GENERATE_SECONDS_QTM"],
  ]) {
    const known = native
      .match(new RegExp(`${name}: \\[f64; 10\\] =\\s+\\[([^\\]]*)\\]`))[1]
      .split(",")
      .map(Number);
    assert.deepEqual(
      ["24M", "47M", "94M", "190M", "375M", "750M", "1.5G"].map((size) => workOf(metric, size)),
      known.slice(0, 7),
    );
  }
  assert.equal(workOf("htm", "3G"), null);
});

test("colors follow the scheme and how the cube is held", async () => {
  globalThis.localStorage = { getItem: () => null, setItem() {} };
  const { DEFAULT_APPEARANCE, colorsOf, faceOfKey, frontsOf, inkOn, setAppearance } =
    await load("cube/appearance");
  const names = (changes) =>
    Object.values(colorsOf({ ...DEFAULT_APPEARANCE, ...changes }))
      .map(({ name }) => name)
      .join(" ");
  assert.equal(names({}), "white red green yellow orange blue");
  // Yellow up and green in front has orange on the right.
  assert.equal(names({ up: "D" }), "yellow orange green white red blue");
  assert.equal(names({ up: "F", front: "D" }), "green red yellow blue orange white");
  assert.equal(names({ scheme: "japanese" }), "white red green blue orange yellow");
  for (const up of "URFDLB")
    for (const front of frontsOf(up))
      assert.equal(new Set(names({ up, front }).split(" ")).size, 6);
  // A key means a color first: with blue in front, B paints it, not the back.
  setAppearance({ ...DEFAULT_APPEARANCE, front: "B" });
  assert.deepEqual(["b", "g", "u", "w", "x"].map(faceOfKey), ["F", "B", "U", "U", undefined]);
  assert.deepEqual(
    [inkOn("#ffe135"), inkOn("#2a6fdb"), inkOn("#000000")],
    ["#1b1e24", "#ffffff", "#ffffff"],
  );
});

/** The palette of the light theme. */
const PALETTE = {
  paper: "#f6f5f1",
  ink: "#1b1e24",
  faint: "#5d636e",
  line: "#dcdad2",
  edge: "#8b8982",
  accent: "#175e8c",
  good: "#186c3b",
  bad: "#b3261e",
  body: "#23262c",
  U: "#f5f5f2",
  R: "#d93a2b",
  F: "#22b24c",
  D: "#ffe135",
  L: "#ff8a1f",
  B: "#2a6fdb",
};

/** Number of occurrences of a text. */
const occurrences = (text, part) => text.split(part).length - 1;

/** The lengths whose cells are of a kind in the line of a picture. */
const cellsOf = (svg, kind) =>
  [
    ...svg.matchAll(new RegExp(`<rect class="${kind}"(?:(?!class=).)*?<text[^>]*>(\\d+)<`, "g")),
  ].map(([, length]) => Number(length));

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const ANSWER = {
  facelets: "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB",
  position: "R <&>",
  solution: "R'",
  headline: "1 move, proven optimal",
  claim: "The only optimal solution",
  link: "https://example.org/cube/?position=R",
};

test("a picture has the facelets, the number with its seal, and all moves", async () => {
  const { picture } = await load("share/picture");
  const { wrapped } = await load("share/frame");
  const known = { metric: "htm", goal: null, lower: 1, upper: 1, answer: { length: 1 } };
  const svg = picture(ANSWER, known, { palette: PALETTE, letters: true });
  for (const part of [
    "<title>R &lt;&amp;&gt;: 1 move, proven optimal; R'</title>",
    ">R &lt;&amp;&gt;</text>",
    ">R'<",
    ">1</tspan>",
    ">move</tspan>",
    ">PROVEN OPTIMAL<",
    ANSWER.claim,
    ">Cosette<",
    ">example.org/cube<",
  ])
    assert.ok(svg.includes(part), part);
  assert.deepEqual(cellsOf(svg, "ruled-out"), [0]);
  assert.deepEqual(cellsOf(svg, "proven"), [1]);
  assert.deepEqual(cellsOf(svg, "unneeded"), range(2, 20));
  // Three faces are seen: of U, six white facelets and three green; of F, three yellow.
  assert.deepEqual(
    ['stroke="#f5f5f2"', 'stroke="#22b24c"', 'stroke="#ffe135"', ">R</text>"].map((part) =>
      occurrences(svg, part),
    ),
    [6, 9, 3, 9],
  );
  assert.deepEqual(wrapped("R U F D L B R", 11, 3), ["R U F D", "L B R"]);
  assert.deepEqual(wrapped("abcdefgh ij kl mn", 4, 2), ["abcd", "ef …"]);
});

test("a picture has the colors of the theme, and no address that only this machine has", async () => {
  const { picture } = await load("share/picture");
  const known = { metric: "htm", goal: null, lower: 1, upper: 1, answer: { length: 1 } };
  const dark = { ...PALETTE, paper: "#14161a", ink: "#e9eaec", good: "#6fcf97" };
  const answer = { ...ANSWER, link: "http://127.0.0.1:7217/?position=R" };
  const svg = picture(answer, known, { palette: dark, letters: false });
  for (const part of [
    'height="630" fill="#14161a"',
    'role="img" fill="#e9eaec"',
    'stroke="#6fcf97"',
  ])
    assert.ok(svg.includes(part), part);
  for (const color of [PALETTE.paper, PALETTE.ink, PALETTE.good])
    assert.ok(!svg.includes(color), color);
  assert.ok(!svg.includes("127.0.0.1"));
});

test("a picture without a proof has its bounds and no seal", async () => {
  const { picture } = await load("share/picture");
  const answer = { ...ANSWER, headline: "17 to 19 moves", claim: "Best known: 19 moves, unproven" };
  const known = { metric: "htm", goal: null, lower: 17, upper: 19, answer: { length: null } };
  const svg = picture(answer, known, { palette: PALETTE, letters: false });
  for (const part of [">17 to 19</tspan>", ">moves</tspan>", answer.claim])
    assert.ok(svg.includes(part), part);
  assert.doesNotMatch(svg, /class="(seal|proven)"/);
  assert.deepEqual(cellsOf(svg, "ruled-out"), range(0, 16));
  assert.deepEqual(cellsOf(svg, "open"), [17, 18]);
  assert.deepEqual(cellsOf(svg, "known"), [19]);
  assert.deepEqual(cellsOf(svg, "unneeded"), [20]);
});

test("a picture names the goal above the number, and what the number is among below", async () => {
  const { picture } = await load("share/picture");
  const known = { metric: "htm", goal: {}, lower: 3, upper: 3, answer: { length: 3 } };
  const drawn = (headline, bounds = known) =>
    picture({ ...ANSWER, headline, claim: "Reached on DLF" }, bounds, {
      palette: PALETTE,
      letters: false,
    });
  const svg = drawn("2×2×2 block: 3 moves (M counts as two), proven optimal with these moves");
  for (const part of [
    ">2×2×2 block</text>",
    ">3</tspan>",
    ">moves</tspan>",
    ">PROVEN OPTIMAL<",
    ">M counts as two · with these moves · Reached on DLF</text>",
  ])
    assert.ok(svg.includes(part), part);
  assert.deepEqual([cellsOf(svg, "ruled-out"), cellsOf(svg, "proven")], [[0, 1, 2], [3]]);
  assert.ok(drawn("19 moves, 1 more than optimal").includes(">1 more than optimal · Reached"));
  // A long note has two lines.
  const long = drawn("11 moves, proven optimal with these moves and constraints (of 1,234,567)");
  assert.match(
    long,
    />with these moves and [^<]*<\/text><\/g><g [^>]*><text [^>]*>[^<]*Reached on DLF</,
  );
  assert.ok(drawn("Already reached").includes(">Already reached</text>"));
  // Costs may be too large for a line of lengths.
  const costly = drawn("Cross: cost 120, proven optimal", { ...known, lower: 120, upper: 120 });
  assert.ok(costly.includes(">Cross: cost</text>") && costly.includes(">120</tspan>"));
  assert.ok(!costly.includes('id="lengths"'));
});

test("a picture of a review has its curve, and a dot where a move lost ground", async () => {
  const { reviewPicture } = await load("review/picture");
  const at = (length, distance, change = null) => ({
    length,
    change,
    lower_bound: distance,
    upper_bound: distance,
  });
  const review = {
    input: "R <U>",
    metric: "htm",
    is_solved: true,
    length: 4,
    start: { ...at(0, 2), distance: 2 },
    moves: [at(1, 3, 1), at(2, 2, -1), at(3, 1, -1), at(4, 0, -1)],
  };
  const link = "https://example.org/cube/#review=…";
  const svg = reviewPicture(review, link, PALETTE);
  for (const part of [
    "<title>R &lt;U&gt;: 2 moves longer than optimal</title>",
    ">R &lt;U&gt;</text>",
    ">2</tspan>",
    ">moves longer than optimal</tspan>",
    ">4 moves, optimal 2</text>",
    ">lost 1</text>",
    ">example.org/cube<",
  ])
    assert.ok(svg.includes(part), part);
  assert.equal(occurrences(svg, "<circle"), 1);
  assert.match(svg, /points="100,\d.* 1144,482"/);
});

test("a review says how far from optimal a solution is, and what was reached, in words", async () => {
  const { comparisonOf, headlineOf, lengthsOf } = await load("review/words");
  const saidOf = (review) => {
    const whole = { metric: "htm", is_solved: true, moves: [], steps: [], ...review };
    return [headlineOf(whole), lengthsOf(whole)];
  };
  const known = (distance) => ({ distance, lower_bound: distance, upper_bound: distance });
  const between = (lower_bound, upper_bound) => ({ distance: null, lower_bound, upper_bound });
  assert.deepEqual(saidOf({ length: 24, start: known(17) }), [
    "7 moves longer than optimal",
    "24 moves, optimal 17",
  ]);
  assert.deepEqual(saidOf({ length: 18, start: known(17), metric: "qtm" }), [
    "1 quarter turn longer than optimal",
    "18 quarter turns, optimal 17",
  ]);
  assert.deepEqual(saidOf({ length: 24, start: between(16, 18) }), [
    "6 to 8 moves longer than optimal",
    "24 moves, optimal 16 to 18",
  ]);
  assert.deepEqual(saidOf({ length: 17, start: known(17) }), ["17 moves, proven optimal", ""]);
  const unsolved = { length: 5, start: known(6), is_solved: false };
  const lengths = "Not solved: 5 moves so far, optimal 6";
  assert.deepEqual(saidOf({ ...unsolved, steps: [{ after: 1 }] }), ["1 move from solved", lengths]);
  assert.deepEqual(saidOf({ ...unsolved, steps: [{ after: null }] }), ["Not solved", lengths]);
  const comparison = (goal, length) => comparisonOf({ goal, length: 4, moves: "" }, length, "htm");
  assert.equal(comparison("cross:D", 5), "Cross on D in 5 moves; the best takes 4");
  assert.equal(comparison("xcross:DFR", 4), "X-cross on DFR in 4 moves, proven optimal");
  assert.equal(comparison("2x2x3:DL", 9), "2×2×3 block on DL in 9 moves; the best takes 4");
  assert.equal(comparison("eo:FB", 6), "EO on FB in 6 moves; the best takes 4");
  assert.equal(comparison("htr", 6), "HTR in 6 moves; the best takes 4");
});

test("the curve begins where distances are proven, after an area between the bounds", async () => {
  const { plotOf } = await load("review/plot");
  const at = (length, lower_bound, upper_bound) => ({ length, lower_bound, upper_bound });
  const edges = { left: 0, right: 20, top: 0, bottom: 10 };
  const plot = (start, moves) => plotOf({ start, moves, steps: [], length: moves.length }, edges);
  const stopped = plot(at(0, 2, 9), [at(1, 1, 1), at(2, 0, 0)]);
  assert.equal(stopped.proven, "10,9 20,10");
  assert.equal(stopped.open, "0,1 10,9 10,9 0,8");
  const finished = plot(at(0, 2, 2), [at(1, 1, 1)]);
  assert.equal(finished.open, "");
  assert.equal(finished.proven.split(" ").length, 2);
});

test("the time left of a review is estimated from its last positions, once they took a second", async () => {
  const { Pace } = await load("review/pace");
  const pace = new Pace(20);
  pace.record(4, 0);
  assert.equal(pace.secondsLeft(30), undefined);
  pace.record(10, 0.1);
  assert.equal(pace.secondsLeft(0.2), undefined);
  // The position that is being searched counts, however long it takes.
  assert.equal(pace.secondsLeft(6), 10);
  pace.record(15, 2.1);
  assert.equal(pace.secondsLeft(2.1), 2);
  pace.record(20, 4);
  assert.equal(pace.secondsLeft(4), undefined);
});

test("of the moves that lost ground, the stretches that lost the most are marked", async () => {
  const { largestClimbs } = await load("review/plot");
  const marked = (...changes) =>
    largestClimbs(changes.map((change) => ({ change }))).map(({ begin, end, rise }) => [
      begin,
      end,
      rise,
    ]);
  // Moves that kept the distance are within a climb, not before or after it.
  assert.deepEqual(marked(0, 1, 0, 1, 0, -1, 1, 1, 1, -1, 1), [
    [6, 9, 3],
    [1, 4, 2],
  ]);
  // Of three that are as large, none is worse than the others.
  assert.deepEqual(marked(2, -1, 1, -1, 1, -1, 1), [[0, 1, 2]]);
  // An unknown change may be larger.
  assert.deepEqual(marked(1, null, 1, -1, -1), []);
  assert.deepEqual(marked(-1, 0, null), []);
});

test("a headline has a number if it is a word of its own, a proof, and the rest", async () => {
  const { partsOf } = await load("ui/headline");
  const parts = (text) => Object.values(partsOf(text)).join("|");
  assert.deepEqual(
    [
      "18 moves, proven optimal",
      "17 to 19 moves",
      "2×2×2 block: 3 moves (M counts as two), proven optimal with these moves",
      "Cross: cost 120, proven optimal",
      "27 moves; the optimum has 16 to 18",
      "Not reachable with ⟨R2, U2⟩",
      "Generating htm-24M",
    ].map(parts),
    [
      "|18| moves||, |proven optimal|",
      "|17 to 19| moves||||",
      "2×2×2 block: |3| moves |M counts as two|, |proven optimal| with these moves",
      "Cross: cost |120|||, |proven optimal|",
      "|27| moves||; ||the optimum has 16 to 18",
      "Not reachable with ⟨R2, U2⟩||||||",
      "Generating htm-24M||||||",
    ],
  );
});

test("the time is estimated of the length that is searched, with the last of which the proof is complete", async () => {
  const { after, details, nothingKnown } = await load("solve/bounds");
  let known = nothingKnown({ metric: "htm", count: "1", maxLength: "" });
  const said = (event) => {
    known = after(known, event);
    return details(known).replace(/^Ruling out \d+ moves: /, "");
  };
  const progress = (length, done, seconds_left, proof_seconds_left) =>
    said({ event: "progress", length, done, total: 100, seconds_left, proof_seconds_left });
  // Without a solution, only the length is known.
  assert.equal(progress(11, 40, 200, undefined), "40 %, about 3 min for this length");
  said({ event: "solution", length: 20, moves: "" });
  // Later lengths are left, whose times are unknown.
  assert.equal(progress(15, 3, 23, 6000), "3 %");
  assert.equal(progress(15, 12, 20, 5000), "12 %, about 20 s for this length");
  assert.equal(progress(15, 60, 6, 3900), "60 %");
  said({ event: "solution", length: 17, moves: "" });
  assert.equal(said({ event: "iteration-started", length: 16 }), "0 %");
  assert.equal(progress(16, 5, 90, 90), "5 %");
  assert.equal(progress(16, 20, 80, 80), "20 %, about 1 min for the proof");
  // All solutions are searched for.
  assert.equal(progress(17, 50, 40, 0), "50 %, about 40 s left");
});

test("moves on two sides are read, added up, and make a solution", async () => {
  const { joined, lengthOf, read, solutionOf, written } = await load("fmc/moves");
  const added = (one, other) => written(joined(read(one), read(other)));
  assert.equal(written(read("U2’R3(F2' l)".replace("l", "L"))), "U2 R' (F2 L)");
  assert.equal(added("U D", "U'"), "D");
  assert.equal(added("R U D", "U2 D' R"), "R U' R");
  assert.equal(added("U (F R)", "U (R2 F')"), "U2 (F R' F')");
  assert.deepEqual(
    ["Rw", "x", "M2", "U2R U3 f"].map((text) => "error" in read(text)),
    [true, true, true, true],
  );
  assert.equal(lengthOf(read("U (F R)")), 3);
  for (let number = 0; number < 100; number += 1) {
    const [normal, inverse, more] = [5, 6, 7].map(randomMoves);
    const solution = solutionOf(joined(read(`${normal} (${inverse})`), read(more))).join(" ");
    // What undoes them all: the position that they solve.
    const { inverse: back } = await load("solve/notation");
    assert.ok(solves(back(`${normal} ${more} ${back(inverse)}`), solution));
  }
});

test("an attempt is written as a link and read again", async () => {
  const { add, allFrom, attemptOn } = await load("fmc/attempt");
  const { decoded, encoded } = await load("fmc/link");
  for (const scramble of [
    "R' U' F2",
    "R U 12.3_x (y)",
    "(R U)2 F D",
    "(R U F)' D",
    "BUUBUUDRRBLLDRRLFFFDDFFFFUUUBBDDLBBLLLRLLRUBRFFDUBDDRR",
    "R2' U",
  ]) {
    const attempt = attemptOn(scramble);
    const eo = add(attempt.root, {
      moves: "F2 (R' D)",
      reduction: "eo:FB",
      name: "good, 50 %",
      note: "a.b_c\n+ “d” (e)",
    });
    add(eo, { moves: "U [R U R'] D", solution: "U R U R' D" });
    add(add(eo, { moves: "" }), { moves: "(L)" }).rest = 12;
    add(attempt.root, { moves: "B" });
    attempt.root.rest = 17;
    const text = encoded(attempt);
    assert.match(text, /^[\w.~%+:=-]+$/);
    const parts = (from) =>
      allFrom(from.root).map(({ parent, children, ...step }) => ({
        ...step,
        after: parent?.moves,
        before: children.length,
      }));
    const again = decoded(text);
    assert.equal(again.scramble, scramble);
    assert.deepEqual(parts(again), parts(attempt));
    assert.equal(encoded(again), text);
  }
  for (const text of ["", "_", "R_", "R_5U", "%", "R_1%zz"])
    assert.equal(decoded(text), undefined, text);
});

test("what a link claims stays its claim, and its attempt is still the same", async () => {
  const { asClaimed, decoded, encoded, isSame } = await load("fmc/link");
  const [bare, claiming] = ["RUF_1F-", "RUF....17_1F-.finish.name.note.3"];
  assert.ok(isSame(bare, "RUF....17_1F-.finish...3"));
  assert.ok(!isSame(bare, claiming) && !isSame(bare, "RUF_1F") && !isSame("_", "_"));
  const claimed = "RUF....17-_1F-..name.note.3-";
  assert.equal(encoded(asClaimed(decoded(claiming))), claimed);
  assert.equal(encoded(asClaimed(decoded(claimed))), claimed);
  assert.deepEqual(
    [decoded(claimed).root.rest, decoded(claimed).root.claimed, isSame(claimed, claiming)],
    [null, 17, true],
  );
});

test("an attempt is opened at its best solution, or where it has come furthest", async () => {
  const { add, attemptOn, furthestOf } = await load("fmc/attempt");
  const attempt = attemptOn("R U F");
  assert.equal(furthestOf(attempt), attempt.root);
  const first = add(attempt.root, { moves: "F'" });
  add(attempt.root, { moves: "U" });
  const deeper = add(first, { moves: "D" });
  assert.equal(furthestOf(attempt), deeper);
  assert.equal(
    furthestOf((add(first, { moves: "U' R'", reduction: "finish" }), attempt)).moves,
    "U' R'",
  );
});

test("at the scramble the best solution is written up, compared with the shortest one", async () => {
  const { add, attemptOn } = await load("fmc/attempt");
  const { comparison, lastOf } = await load("fmc/writeup");
  const attempt = attemptOn("R U F");
  assert.equal(lastOf(attempt, attempt.root), attempt.root);
  const step = add(attempt.root, { moves: "F'" });
  const best = add(step, { moves: "U' R'", reduction: "finish" });
  const longer = add(step, { moves: "L U' R' L'", reduction: "finish" });
  assert.deepEqual(
    [attempt.root, step, longer].map((selected) => lastOf(attempt, selected)),
    [best, step, longer],
  );
  assert.equal(comparison(attempt, longer), "");
  attempt.root.rest = 3;
  assert.deepEqual(
    [best, longer].map((solution) => comparison(attempt, solution)),
    [", proven optimal", ", 2 more than the optimum"],
  );
});

test("wide turns in a scramble are named", async () => {
  const { wideTurnsIn } = await load("fmc/moves");
  assert.deepEqual(
    ["r U2 f' d2", "R U F'", "rrrr u", "UUFRwr"].map((text) => wideTurnsIn(text).join(" ")),
    ["r f' d2", "", "u", ""],
  );
});

test("step solutions are listed by bad pieces, and along an axis", async () => {
  const { arranged } = await load("fmc/results");
  const results = [
    ["dr:UD", "htr 4c4e"],
    ["dr:RL", "htr 2c2e"],
    ["dr:UD", "htr 0c2e"],
  ].map(([reduction, badPieces], at) => ({
    steps: [{ moves: String(at), reduction }],
    lengths: "",
    badPieces,
  }));
  const listed = (...how) =>
    arranged(results, ...how)
      .map(({ steps }) => steps[0].moves)
      .join("");
  assert.deepEqual(
    [
      listed("moves", ""),
      listed("bad-pieces", ""),
      listed("bad-pieces", "UD"),
      listed("moves", "RL"),
    ],
    ["012", "210", "20", "1"],
  );
});

test("what is reached includes what comes before it", async () => {
  const { includes, insertionCase, mayFollow } = await load("fmc/steps");
  const all = ["eo:FB", "eo:RL", "eo:UD", "dr:FB", "dr:RL", "dr:UD", "htr", "finish"];
  const includedIn = (reduction) => all.filter((step) => includes(reduction, step)).join(" ");
  assert.equal(includedIn("eo:FB"), "eo:FB");
  assert.equal(includedIn("dr:UD"), "eo:FB eo:RL dr:UD");
  assert.equal(includedIn("htr"), all.slice(0, -1).join(" "));
  assert.equal(includedIn("finish"), all.join(" "));
  // After EO along an axis, a DR along that one does not keep it.
  const after = (...reductions) =>
    all.filter((step) => step.startsWith("dr") && mayFollow({ reductions }, step)).join(" ");
  assert.deepEqual(
    [after(), after("eo:FB"), after("eo:FB", "eo:RL")],
    ["dr:FB dr:RL dr:UD", "dr:RL dr:UD", "dr:FB dr:RL dr:UD"],
  );
  const left = (corners, edges) =>
    insertionCase({ bad_pieces: [{ step: "finish", corners, edges }] });
  assert.deepEqual(
    [left(3, 0), left(2, 2), left(0, 0), left(3, 2)],
    ["3 corners left", "2 corners and 2 edges left", "", ""],
  );
});

test("a claim says among what it is proven, and up to what", async () => {
  const { claim, goalOf, headline } = await load("goals/result-text");
  const answer = { length: 3, costs: [3, 3, 4], variants: [], complete: true };
  const said = (asked) => [
    headline(goalOf({ metric: "htm", ...asked }), answer, (length) => `${length} moves`),
    claim(goalOf({ metric: "htm", ...asked }), answer, "all"),
  ];
  assert.deepEqual(said({ slack: "1" }), [
    "3 moves, proven optimal",
    "One of 2 solutions of this length",
  ]);
  assert.deepEqual(said({ moves: "R U", uniqueUpTo: "symmetry" }), [
    "3 moves, proven optimal with these moves",
    "One of 2 solutions of this length, up to symmetry",
  ]);
  assert.deepEqual(
    said({ goal: "cross", moves: "R U", avoid: "F2", uniqueUpTo: "symmetry,inverse" }),
    [
      "Cross: 3 moves, proven optimal with these moves and constraints",
      "One of 2 solutions of this length, up to symmetry and inversion",
    ],
  );
});

test("what is built for a search is not counted as its time", async () => {
  const { after, details, nothingKnown } = await load("solve/bounds");
  const events = [
    { event: "building", doing: "building the pattern databases of the goal", percent: 3 },
    { event: "iteration-started", length: 6 },
    {
      event: "answer",
      length: 6,
      lower_bound: 6,
      nodes: 72,
      seconds: 8.7,
      table: "goal",
      iterations: [{ seconds: 0.1 }, { seconds: 0.4 }],
    },
  ];
  const known = (events) =>
    events.reduce(after, nothingKnown({ metric: "htm", count: "1", maxLength: "" }));
  assert.equal(details(known(events)), "72 nodes, 0.5 s after 8.2 s of preparation");
  assert.equal(details(known(events.slice(1))), "72 nodes, 8.7 s");
});

test("a proof says how many sequences it ruled out", async () => {
  const { nothingKnown, exclusion, sequences } = await load("solve/bounds");
  const total = (counts) => counts.reduce((sum, count) => sum + count);
  for (const [metric, counts] of [
    ["htm", [1, 18, 243, 3240, 43_254]],
    ["qtm", [1, 12, 114, 1068, 10_011]],
  ])
    assert.deepEqual(
      counts.map((_, length) => sequences(metric, length)),
      counts.map((_, length) => total(counts.slice(0, length + 1))),
    );
  const bounds = { ...nothingKnown({ metric: "htm", count: "1", maxLength: "" }), lower: 16 };
  assert.equal(exclusion(bounds), "1.1 × 10¹⁷ sequences of up to 15 moves ruled out");
  assert.equal(exclusion({ ...bounds, metric: "stm" }), "");
});

test("turns of slices are said to count as two, where they do", async () => {
  const { after, headline, headlineOfLonger, nothingKnown } = await load("solve/bounds");
  const longer = after(nothingKnown({ metric: "htm", slack: "1", count: "all", maxLength: "" }), {
    event: "answer",
    length: 3,
    lower_bound: 3,
  });
  assert.deepEqual(
    [headlineOfLonger(longer, 4), headlineOfLonger(longer, 3)],
    ["4 moves, 1 more than optimal", ""],
  );
  const said = (metric, moves) =>
    headline(
      after(nothingKnown({ metric, moves, count: "1", maxLength: "" }), {
        event: "answer",
        length: 11,
        lower_bound: 11,
      }),
    );
  assert.equal(said("htm", "M U"), "11 moves (M counts as two), proven optimal with these moves");
  assert.equal(
    said("qtm", "M2 S U"),
    "11 quarter turns (slices count as two), proven optimal with these moves",
  );
  for (const [metric, moves] of [
    ["stm", "M U"],
    ["htm", "R U"],
  ])
    assert.equal(said(metric, moves), "11 moves, proven optimal with these moves");
});

test("names of patterns and lists of pieces are recognized", async () => {
  const { positionNamed } = await load("solve/patterns");
  assert.deepEqual([" CUBE in a cube", "Solved", "R U", "cube", "tetris\nR U"].map(positionNamed), [
    "F L F U' R U F2 L2 U' L' B D' B' L2 U",
    "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB",
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(
    ["1. Checkerboard", "12) checkerboard // mine", "Checkerboard  # my favorite"].map(
      positionNamed,
    ),
    Array(3).fill("U2 D2 R2 L2 F2 B2"),
  );
});

test("where the browser refuses to remember anything, a search ends all the same", async () => {
  Object.assign(globalThis, {
    location: new URL("http://127.0.0.1/"),
    history: {
      replaceState: () => {
        throw new Error("too often");
      },
    },
  });
  const { remember } = await load("solve/address");
  remember({ solving: true });
});

test("a write-up is read as it was written", async () => {
  const { add, attemptOn } = await load("fmc/attempt");
  const { readWriteUp, textOf } = await load("fmc/writeup");
  const attempt = attemptOn("R U F");
  const last = [
    { moves: "F2 (R' D)", name: "mine" },
    { moves: "D2 (D')", name: "", note: "one\ntwo" },
    { moves: "U [R F R'] D", reduction: "finish", solution: "U R F R' D" },
  ].reduce(add, attempt.root);
  const text = textOf(attempt, last);
  assert.equal(
    text,
    "R U F\n// F2 (R' D) // mine\n// D2 (D') //\n// one\n// two\nU [R F R'] D // insertion (5/5)\n// 5 moves: U R F R' D\n",
  );
  const { scramble, steps: made } = readWriteUp(text);
  assert.equal(scramble, "R U F");
  assert.equal(made[0].name, "mine");
  assert.deepEqual(
    made.map(({ moves }) => moves),
    ["F2 (R' D)", "D2 (D')", "U [R F R'] D"],
  );
  assert.deepEqual([made[1].note, made[2].solution], ["one\ntwo", "U R F R' D"]);
  // What steps reach is for the engine to say; all else is a name or a note.
  const pasted = readWriteUp(
    "// scramble: R U F\n// a note\n// another\nF // so far (1)\nU // eo:UD (3/3), dr:RL 5c3e\nR // eo: mine (1/4)\nD // htr\nL [B] // a trick (1/5)\n",
  );
  assert.equal(pasted.notes, "a note\nanother");
  assert.deepEqual(
    pasted.steps.map(({ name }) => name),
    [undefined, undefined, "eo: mine", undefined, "a trick"],
  );
  // Without an insertion each line has its counts; the first line may be said to be the scramble, and a line may be the solution.
  assert.equal(
    textOf(attempt, attempt.root.children[0].children[0]),
    "R U F\nF2 (R' D) // mine (3/3)\nD2 (D') // (2-2/3)\n// one\n// two\n",
  );
  // Moves of one step that meet are one.
  assert.equal(
    textOf(attempt, [{ moves: "R R" }, { moves: "L2 L2" }].reduce(add, attempt.root)),
    "R U F\nR R // (1/1)\nL2 L2 // (0/1)\n",
  );
  assert.deepEqual(
    readWriteUp("Scramble: R U F\nF' U' // end (2/2)\nSolution (3): F' U' R'\n// solution: F'"),
    { scramble: "R U F", notes: "", steps: [{ moves: "F' U'", name: "end" }] },
  );
  assert.deepEqual(
    readWriteUp("R U F\nF'").steps.map(({ moves }) => moves),
    ["R U F", "F'"],
  );
  // What is left for an insertion is said of the step that leaves it, and left out again.
  attempt.root.children[0].status = {
    reductions: [],
    bad_pieces: [{ step: "finish", corners: 3, edges: 0 }],
    facelets: "",
  };
  attempt.root.children[0].name = "";
  assert.equal(
    textOf(attempt, attempt.root.children[0]),
    "R U F\nF2 (R' D) // 3 corners left (3/3)\n",
  );
  assert.deepEqual(
    readWriteUp("U // 3 corners left (18/18)\nD // 2 corners and 2 edges left").steps,
    [{ moves: "U" }, { moves: "D" }],
  );
  // Beside what it reaches; what is left beside a name is not said.
  const htr = add(attempt.root.children[0], { moves: "D2", reduction: "htr" });
  htr.status = attempt.root.children[0].status;
  assert.equal(
    textOf(attempt, htr),
    "R U F\nF2 (R' D) // 3 corners left (3/3)\nD2 // HTR (1/4), 3 corners left\n",
  );
  assert.deepEqual(
    readWriteUp(
      "U // htr (1/1), 3 corners left\n// D // dr:UD, 2 corners and 2 edges left\nU [D] // insertion (2/2)",
    ).steps.map(({ moves, name }) => [moves, name]),
    [
      ["U", undefined],
      ["D", undefined],
      ["U [D]", undefined],
    ],
  );
  // Steps without moves come back, before an insertion too, and notes that read as moves are no steps.
  const empty = attemptOn("R U F");
  const path = [
    { moves: "F'", note: "R2" },
    { moves: "", reduction: "htr", note: "U" },
    { moves: "F' [U' R']", reduction: "finish", solution: "F' U' R'" },
  ];
  for (const length of [2, 3]) {
    const text = textOf(empty, path.slice(0, length).reduce(add, empty.root));
    assert.deepEqual(
      readWriteUp(text).steps.map(({ moves, note }) => [moves, note]),
      path.slice(0, length).map(({ moves, note }) => [moves, note]),
      text,
    );
  }
  // Whatever notes read as, they come back.
  const notes =
    "Scramble: hard\nB2 // alternative\n// B2 // twice\n2 moves: cancelled later\n2 moves: U R\nskip (0/3)\nSolution: best so far\nsolution (2): U R";
  const noted = attemptOn("R U F");
  noted.root.note = notes;
  const steps = [
    { moves: "F' R", note: notes },
    { moves: "F' [U'] R'", solution: "F' U' R'", reduction: "finish", note: notes },
  ];
  const again = readWriteUp(textOf(noted, steps.reduce(add, noted.root)));
  assert.deepEqual(
    [again.scramble, again.notes, ...again.steps.map(({ note }) => note)],
    ["R U F", notes, notes, notes],
  );
  // An address is no comment.
  const address = "https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-";
  assert.equal(readWriteUp(`Scramble: ${address} // mine\nF'`).scramble, address);
  // Steps alone are no write-up, though the first one has no comment.
  assert.deepEqual(
    ["R\nU // eo (1/2)", "R\nU // eo (1/9)", "R\nU // eo (1/1)"].map(
      (text) => readWriteUp(text).scramble,
    ),
    ["", "", "R"],
  );
  assert.deepEqual(
    ["U\n U’ Mw // x", "U (F", "U) F"].map((text) => readWriteUp(text).span),
    [
      [6, 8],
      [2, 3],
      [1, 2],
    ],
  );
});

test("the drawing shows the faces before the viewpoint, and no others", async () => {
  const { VIEWPOINTS, cellsFrom } = await load("cube/drawing");
  const faces = (from) =>
    [...new Set(cellsFrom(from).map(({ place }) => "URFDLB"[Math.floor(place / 9)]))].join("");
  assert.equal(faces(VIEWPOINTS.above), "URF");
  assert.equal(faces(VIEWPOINTS.below), "RFD");
  assert.equal(faces({ longitude: Math.PI, latitude: 0 }), "B");
  assert.equal(faces({ longitude: -2, latitude: 0.5 }), "ULB");
  for (const { cell, sticker } of cellsFrom(VIEWPOINTS.above))
    for (const axis of [0, 1]) {
      const [inner, outer] = [sticker, cell].map((corners) =>
        corners.map((corner) => corner[axis]),
      );
      assert.ok(Math.min(...outer) < Math.min(...inner) && Math.max(...inner) < Math.max(...outer));
    }
});
