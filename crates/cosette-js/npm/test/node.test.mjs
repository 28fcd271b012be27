// The package in Node, with both engines, with one thread and with more, beside what the native program says.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { after, test } from "node:test";
import { CosetteError, Reader, Solver, TABLES, loadCubeModel } from "../index.js";
import { instantiate } from "../module.js";
import { nativeAddon } from "../native.js";
import { compile, defaultFolder } from "../platform.js";
import { CASES, FILE_24M, LONGER, SUPERFLIP } from "./cases.mjs";
import { INDEX, filesThatFill, run } from "./helpers.mjs";
import { solves } from "./model.mjs";

const ENGINES = nativeAddon().refused ? ["wasm"] : ["native", "wasm"];
/** Both engines, and the module without threads. */
const VARIANTS = [
  ...ENGINES.map((engine) => ({ engine })),
  { engine: "wasm", sharedMemory: false },
];
const named = (options) => JSON.stringify(options);

const home = mkdtempSync(join(tmpdir(), "cosette-"));
after(() => rmSync(home, { recursive: true }));

const file = (folder = home) => join(folder, "htm-24M.table");
const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const open = (options) => Solver.open({ table: "24M", folder: home, ...options });
const isOf = (kind) => (error) =>
  error instanceof CosetteError && error.kind === kind && error.message.length > 10;
const sorted = (list) => [...list].sort();

test("the engine is the native one where it lies beside, unless the other is asked for", async () => {
  const addons = existsSync(new URL("../native", import.meta.url))
    ? readdirSync(new URL("../native", import.meta.url))
    : [];
  const isBeside = addons.some((name) =>
    name.startsWith(`cosette.${process.platform}-${process.arch}`),
  );
  assert.equal(ENGINES[0], isBeside ? "native" : "wasm", nativeAddon().refused);
  for (const [engine, used] of [
    [undefined, ENGINES[0]],
    ...ENGINES.map((engine) => [engine, engine]),
  ]) {
    const solver = await open({ engine });
    assert.equal(solver.engine, used);
    solver.close();
  }
  await assert.rejects(open({ engine: "other" }), isOf("request"));
  await assert.rejects(Solver.open("24M"), isOf("request"));
  assert.throws(() => new Solver(), isOf("request"));
  if (!isBeside) await assert.rejects(open({ engine: "native" }), isOf("engine"));
});

for (const engine of ENGINES) {
  test(`a table is generated into the file of the native program: ${engine}`, async () => {
    rmSync(file(), { force: true });
    const progress = [];
    const solver = await open({ engine, threads: 2, onProgress: (event) => progress.push(event) });
    assert.equal(solver.table, "htm-24M");
    assert.equal(solver.threads, 2);
    assert.equal(solver.isStored, true);
    solver.close();
    assert.equal(hash(file()), FILE_24M);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith("htm-24M")),
      ["htm-24M.table"],
    );
    const generating = progress.filter(({ event }) => event === "generating");
    // The native engine loads what it has generated.
    const rest = progress.slice(generating.length);
    assert.ok(
      engine === "native"
        ? rest.length > 0 && rest.every(({ event }) => event === "loading")
        : rest.length === 0,
    );
    for (const part of engine === "native" ? [generating, rest] : [generating]) {
      assert.ok(part.every(({ done }, i) => i === 0 || done >= part[i - 1].done));
      assert.equal(part.at(-1).done, part.at(-1).total);
    }
  });

  test(`it is loaded the next time: ${engine}`, async () => {
    const progress = [];
    const solver = await open({
      engine,
      table: "HTM-24m",
      metric: "htm",
      threads: 1,
      onProgress: (event) => progress.push(event),
    });
    assert.ok(progress.length > 0 && progress.every(({ event }) => event === "loading"));
    assert.deepEqual([solver.isStored, solver.table], [true, "htm-24M"]);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith("htm-")),
      ["htm-24M.table"],
    );
    solver.close();
  });
}

for (const options of VARIANTS) {
  test(`fewest moves, without a table: ${named(options)}`, async () => {
    const solver = await Solver.open({ ...options, table: null, threads: 1 });
    const scramble = "R2 U2 F2 D R2 U F";
    const heard = [];
    const asked = {
      steps: "eo[max=1] > dr[max=2] > htr[max=3] > finish[max=6]",
      onEvent: (event) => heard.push(event),
    };
    const { skeletons, optimal, status } = await solver.fmc(scramble, asked);
    assert.ok(optimal && solves(scramble, skeletons[0].solution));
    assert.deepEqual([heard.at(-1).event, heard.at(-1).length], ["skeleton", skeletons[0].length]);
    assert.deepEqual(
      [status.reductions, status.bad_pieces[0].step, status.bad_pieces[0].edges],
      [["eo:RL"], "eo:FB", 4],
    );
    const listed = await solver.fmc(scramble, { steps: "eo[max=1]", count: "all" });
    assert.equal(
      listed.skeletons.length,
      listed.step_counts[0].counts.reduce((sum, count) => sum + count),
    );
    await assert.rejects(solver.fmc(scramble, { step: "eo" }), /unknown field `step`.*`steps`/);
    const from = "D // é\nU (R";
    await assert.rejects(
      solver.fmc(scramble, { from }),
      (error) => isOf("request")(error) && from.slice(...error.span) === "(",
    );
    await assert.rejects(solver.fmc(scramble, { position: scramble }), /first argument/);
    await assert.rejects(solver.fmc("R Q"), isOf("position"));
    assert.equal((await solver.solve("R U F", { goal: "cross:D" })).length, 2);
    // A position near solved needs none.
    const near = await solver.solve(scramble, { count: "all" });
    assert.deepEqual([near.length, near.table, solver.table], [7, "no table", "no table"]);
    await assert.rejects(solver.solve(scramble, { max_length: 3 }), isOf("table"));
    await assert.rejects(
      solver.solve("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"),
      isOf("table"),
    );
    await assert.rejects(solver.insertions("D2 R U R' D2 R U' R2", { from: "R" }), isOf("table"));
    await assert.rejects(solver.review("R U", "U' R'"), isOf("table"));
    solver.close();
  });

  test(`insertions: ${named(options)}`, async () => {
    const solver = await open({ ...options, threads: 1 });
    const { case: kind, insertions } = await solver.insertions("D2 R U R' D2 R U' R2", {
      from: "R",
      count: "all",
    });
    assert.deepEqual([kind, insertions[0].length], ["three corners", 8]);
    await assert.rejects(solver.insertions("R U F", { from: "R" }), isOf("request"));
    await assert.rejects(
      solver.insertions("R U F", {}),
      /^CosetteError: from is undefined; .*\{ from: /,
    );
    solver.close();
  });
}

for (const options of VARIANTS) {
  test(`reviews: ${named(options)}`, async () => {
    const solver = await open({ ...options, threads: options.sharedMemory === false ? 1 : 2 });
    const heard = [];
    const review = await solver.review("D F2 U", "x2 // inspection\nR R' D' B2 // cross\nU'", {
      onEvent: (event) => heard.push(event),
    });
    assert.deepEqual(
      review.moves.map(({ move, distance, change }) => [move, distance, change]),
      [
        ["x2", 3, 0],
        ["R", 4, 1],
        ["R'", 3, -1],
        ["D'", 2, -1],
        ["B2", 1, -1],
        ["U'", 0, -1],
      ],
    );
    const { label, before, after, best } = review.steps[1];
    assert.deepEqual([label, before, after, best.length], ["cross", 3, 1, 2]);
    assert.ok(review.is_solved && review.table === solver.table && review.stop_reason === null);
    assert.ok(heard.every(({ event, total }) => event === "progress" && total === 5));
    assert.equal(heard.at(-1).done, 5);
    const stopped = await solver.review(SUPERFLIP, "R", { timeout: 0 });
    assert.deepEqual([stopped.stop_reason, stopped.start.distance], ["timeout", null]);
    const wrong = "U' // 🟦\nR' Q";
    await assert.rejects(
      solver.review("R U", wrong),
      (error) =>
        isOf("request")(error) &&
        error.message.includes("line 2: `Q`") &&
        wrong.slice(...error.span) === "Q",
    );
    await assert.rejects(solver.review("R Q", "R"), isOf("position"));
    await assert.rejects(solver.review("R U", ["U'"]), /the solution is .* must be a string/);
    await assert.rejects(solver.review("R", "R'", { count: 2 }), /unknown field `count`/);
    await assert.rejects(solver.review("R", "R'", { metric: "qtm" }), isOf("request"));
    const signal = AbortSignal.abort();
    await assert.rejects(solver.review("R", "R'", { signal }), { name: "AbortError" });
    solver.close();
  });
}

const COUNTS = ENGINES.flatMap((engine) => [1, 2, 4].map((threads) => ({ engine, threads })));
for (const options of [...COUNTS, ...ENGINES.map((engine) => ({ engine, sharedMemory: false }))]) {
  test(`solutions, with ${named(options)}`, async () => {
    const solver = await open(options);
    assert.equal(solver.engine, options.engine);
    assert.equal(solver.threads, options.threads ?? 1);
    for (const { position, length, one, all, solutions } of CASES) {
      const first = await solver.solve(position);
      assert.ok(first.optimal && first.complete);
      assert.deepEqual(
        [first.length, first.lower_bound, first.upper_bound, first.solution_count],
        [length, length, length, 1],
      );
      assert.ok(solutions.includes(first.solutions[0]));
      assert.ok(solves(position, first.solutions[0]));
      const every = await solver.solveAll(position);
      assert.deepEqual(sorted(every.solutions), sorted(solutions));
      assert.ok(every.solutions.every((solution) => solves(position, solution)));
      if (solver.threads === 1) {
        assert.deepEqual([first.nodes, first.probes], one, position);
        assert.deepEqual([every.nodes, every.probes], all, position);
      }
    }
    const { position, length, one, solutions } = LONGER;
    const answer = await solver.solve(position);
    assert.equal(answer.length, length);
    assert.deepEqual(answer.solutions, solutions);
    if (solver.threads === 1) assert.deepEqual([answer.nodes, answer.probes], one);
    solver.close();
  });
}

const QUESTIONS = JSON.parse(
  readFileSync(
    new URL("../../../cosette-app/tests/questions/questions.json", import.meta.url),
    "utf8",
  ),
);
for (const variant of VARIANTS) {
  test(`the questions that every front end is asked, with ${named(variant)}`, async () => {
    const solvers = {
      htm: await open({ ...variant, threads: 2 }),
      qtm: await open({ ...variant, threads: 2, metric: "qtm" }),
    };
    const inOrder = (value) => (Array.isArray(value) ? sorted(value) : value);
    for (const { about, request, answer, refused, says } of QUESTIONS) {
      const { position, ...options } = request;
      const asked = (solvers[options.metric] ?? solvers.htm).solve(position, options);
      if (refused) {
        await assert.rejects(
          asked,
          (error) => isOf(refused)(error) && error.message.includes(says),
          about,
        );
        continue;
      }
      const found = await asked;
      for (const [name, value] of Object.entries(answer))
        assert.deepEqual(inOrder(found[name]), inOrder(value), `${about}: ${name}`);
    }
    Object.values(solvers).forEach((solver) => solver.close());
  });
}

/** Returns all results of an iteration. */
async function collected(iteration) {
  const results = [];
  for await (const result of iteration) results.push(result);
  return results;
}

for (const variant of VARIANTS) {
  test(`many positions, with ${named(variant)}`, async () => {
    const solver = await open({ ...variant, threads: 2 });
    const texts = CASES.map(({ position }) => position);
    const lengths = CASES.map(({ length }) => length);
    const answers = await collected(solver.solveMany(texts));
    assert.deepEqual(
      answers.map(({ index, length }) => [index, length]),
      [...lengths.entries()],
    );
    for (const { index, input, solutions, optimal, complete } of answers) {
      assert.deepEqual([input, optimal, complete], [texts[index], true, true]);
      assert.ok(solves(input, solutions[0]));
    }
    const every = await collected(
      solver.solveMany(new Set(texts), { count: "all", ordered: false }),
    );
    assert.equal(every.length, CASES.length);
    for (const { index, solutions } of every)
      assert.deepEqual(sorted(solutions), sorted(CASES[index].solutions));
    const [timed, bounded] = await collected(
      solver.solveMany([SUPERFLIP, texts[0]], { timeout: 0.3 }),
    );
    assert.deepEqual([timed.stop_reason, bounded.length], ["timeout", lengths[0]]);
    const crosses = await collected(solver.solveMany(["R U F", "U"], { goal: "cross:D" }));
    assert.deepEqual(
      crosses.map(({ length }) => length),
      [2, 0],
    );
    assert.deepEqual(await collected(solver.solveMany([])), []);
    // A source that pauses: the positions before the pause are solved in it.
    let resume;
    const pause = new Promise((resolve) => (resume = resolve));
    async function* source() {
      yield* texts;
      await pause;
      yield "R U";
    }
    const found = [];
    for await (const { index, length } of solver.solveMany(source())) {
      found.push([index, length]);
      if (index === texts.length - 1) resume();
    }
    assert.deepEqual(
      found,
      [...lengths, 2].map((length, index) => [index, length]),
    );
    async function* faulty() {
      yield "R";
      throw new Error("no more");
    }
    await assert.rejects(collected(solver.solveMany(faulty())), { message: "no more" });
    solver.close();
  });

  test(`texts of a list that are not positions, with ${named(variant)}`, async () => {
    const solver = await open({ ...variant, threads: 2 });
    const list = ["R U", "R’ Q", undefined, "U"];
    const results = await collected(solver.solveMany(list, { errors: "return" }));
    assert.deepEqual(
      results.map((result) => [result.index, result.length ?? result.kind]),
      [
        [0, 2],
        [1, "position"],
        [2, "request"],
        [3, 1],
      ],
    );
    const [, wrong, missing] = results;
    assert.ok(wrong instanceof CosetteError && wrong.message.startsWith("positions[1]: "));
    assert.equal(list[1].slice(...wrong.span), "Q");
    assert.equal(missing.message, "positions[2]: the position is undefined; it must be a string");
    const heard = [];
    await assert.rejects(
      async () => {
        for await (const { length } of solver.solveMany(list)) heard.push(length);
      },
      (error) => isOf("position")(error) && error.index === 1,
    );
    assert.deepEqual(heard, [2]);
    for (const [positions, options, says] of [
      ["R U", {}, "the positions are 'R U'; they must be an array of strings, or another iterable"],
      [["R"], { ordered: 1 }, "ordered is 1; it must be true or false"],
      [["R"], { errors: "raise" }, "errors is 'raise'; it must be 'throw' or 'return'"],
    ])
      await assert.rejects(
        collected(solver.solveMany(positions, options)),
        (error) => isOf("request")(error) && error.message === says,
      );
    for (const options of [{ count: 0 }, { onEvent() {} }, { slack: 1 }])
      await assert.rejects(collected(solver.solveMany(["R"], options)), isOf("request"));
    solver.close();
  });

  test(`a list is solved until it is stopped, with ${named(variant)}`, async () => {
    const solver = await open({ ...variant, threads: 2 });
    // Without an end.
    function* positions() {
      for (;;) yield* [CASES[0].position, SUPERFLIP];
    }
    for await (const { length } of solver.solveMany(positions())) {
      assert.equal(length, CASES[0].length);
      break;
    }
    const stop = new AbortController();
    const list = [CASES[0].position, SUPERFLIP];
    await assert.rejects(
      async () => {
        for await (const { index } of solver.solveMany(list, { signal: stop.signal })) {
          assert.equal(index, 0);
          setTimeout(() => stop.abort(new Error("enough")), 100);
        }
      },
      { message: "enough" },
    );
    await assert.rejects(collected(solver.solveMany(["R"], { signal: stop.signal })), {
      message: "enough",
    });
    // The source has no more positions, and does not end.
    let hasReturned = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => (hasReturned = true),
      }),
    };
    const end = new AbortController();
    setTimeout(() => end.abort(), 100);
    await assert.rejects(collected(solver.solveMany(source, { signal: end.signal })), {
      name: "AbortError",
    });
    assert.ok(hasReturned);
    // A text is checked while the list is solved.
    for await (const { index } of solver.solveMany([CASES[0].position, SUPERFLIP])) {
      assert.equal(index, 0);
      assert.equal((await solver.check("R’ Q")).error, "`Q` is not a valid move");
      break;
    }
    // The solver still works, also within an iteration.
    for await (const { solutions } of solver.solveMany(["R U"]))
      assert.equal((await solver.solve(solutions[0])).length, 2);
    solver.close();
    await assert.rejects(collected(solver.solveMany(["R"])), isOf("closed"));
  });
}

test("more positions than one request to the engine has", async () => {
  const solver = await open({ threads: 2 });
  const list = Array.from({ length: 1500 }, (_, i) => (i % 2 ? "R U" : "R"));
  const answers = await collected(solver.solveMany(list));
  assert.ok(answers.every(({ index, length }, i) => index === i && length === 1 + (i % 2)));
  assert.equal(answers.length, list.length);
  solver.close();
});

test("the memory does not grow while threads run", async () => {
  const { Memory } = WebAssembly;
  let memory;
  WebAssembly.Memory = function (descriptor) {
    return (memory = new Memory(descriptor));
  };
  const folder = mkdtempSync(join(home, "memory-"));
  try {
    for (const [event, threads] of [
      ["generating", 2],
      ["loading", 2],
      ["loading", 8],
      ["generating", 8],
    ]) {
      if (event === "generating") rmSync(file(folder), { force: true });
      const pages = [];
      const onProgress = (progress) =>
        pages.push(memory.grow(0)) && assert.equal(progress.event, event);
      const solver = await open({ engine: "wasm", threads, folder, onProgress });
      for (const { position } of [...CASES, LONGER]) await solver.solveAll(position);
      await solver.solve(SUPERFLIP, { timeout: 0.5 });
      const list = Array.from({ length: 40 }, () => LONGER.position);
      for await (const { length } of solver.solveMany([SUPERFLIP, ...list], { timeout: 0.1 }))
        assert.ok(length === null || length === LONGER.length);
      assert.ok(
        pages[0] * 65536 > TABLES["24M"] && memory.grow(0) === pages[0],
        `${event}: ${memory.grow(0)} pages, before ${pages}`,
      );
      solver.close();
    }
  } finally {
    WebAssembly.Memory = Memory;
  }
});

for (const variant of VARIANTS) {
  test(`what a search tells, and how it ends early, with ${named(variant)}`, async () => {
    const solver = await open({ ...variant, threads: 2 });
    const events = [];
    const { position, length } = CASES[2];
    await solver.solve(position, { onEvent: (event) => events.push(event) });
    const of = (kind) => events.filter(({ event }) => event === kind);
    assert.ok(
      of("solution").some((event) => event.length === length && solves(position, event.moves)),
    );
    assert.ok(of("iteration-started").at(-1).length <= length);
    const searched = of("iteration-finished");
    assert.ok(
      searched.length > 0 &&
        searched.every(({ nodes, probes, exhausted }) => nodes > 0 && probes > 0 && exhausted),
    );

    // Not of one less: the inverse of the given moves is then proven to be shortest.
    const none = await solver.solve(position, { max_length: length - 2 });
    assert.deepEqual(
      [none.stop_reason, none.lower_bound, none.length, none.upper_bound],
      ["max-length", length - 1, null, length],
    );

    events.length = 0;
    const late = await solver.solve(SUPERFLIP, {
      timeout: 0.7,
      onEvent: (event) => events.push(event),
    });
    assert.deepEqual([late.stop_reason, late.length], ["timeout", null]);
    assert.ok(late.seconds > 0.3 && late.seconds < 5, String(late.seconds));
    assert.ok(late.lower_bound > 0 && late.lower_bound <= 20, String(late.lower_bound));
    assert.ok(solves(SUPERFLIP, late.best_known));
    const { length: last, exhausted } = of("iteration-finished").at(-1);
    assert.deepEqual([last, exhausted], [late.lower_bound, false]);
    // Over all slices of time.
    const isFurther = (now, before) =>
      now.length !== before.length || (now.done >= before.done && now.total >= before.total);
    if (variant.sharedMemory === false)
      assert.ok(of("progress").every((now, i, all) => i === 0 || isFurther(now, all[i - 1])));

    const stop = new AbortController();
    const onEvent = ({ event, length }) =>
      event === "iteration-finished" && length >= 9 && stop.abort();
    await assert.rejects(solver.solve(SUPERFLIP, { signal: stop.signal, onEvent }), {
      name: "AbortError",
    });
    await assert.rejects(solver.solve(SUPERFLIP, { signal: stop.signal }), { name: "AbortError" });

    // One after the other, and the solver still works.
    const answers = await Promise.all(CASES.slice(2).map(({ position }) => solver.solve(position)));
    assert.deepEqual(
      answers.map((answer) => answer.length),
      CASES.slice(2).map(({ length }) => length),
    );
    solver.close();
  });

  test(`a search is aborted when the one before it has ended, with ${named(variant)}`, async () => {
    const solver = await open({ ...variant, threads: 2 });
    // So many microtasks later: before the turn of the second search has come, and after.
    for (let steps = 0; steps <= 8; steps++) {
      const stop = new AbortController();
      const first = solver.solve(CASES[0].position);
      // If it is not aborted, it ends only after this time.
      const second = solver.solve(SUPERFLIP, { signal: stop.signal, timeout: 20 });
      const rejected = assert.rejects(second, { name: "AbortError" });
      await first;
      for (let step = 0; step < steps; step++) await null;
      stop.abort();
      const start = performance.now();
      await rejected;
      assert.ok(performance.now() - start < 5000, `it went on after ${steps} steps`);
    }
    solver.close();
  });

  test(`a generation that is aborted goes on later, with ${named(variant)}`, async () => {
    const folder = mkdtempSync(join(home, "aborted-"));
    const stop = new AbortController();
    let reached = 0;
    const onProgress = ({ done, total }) => {
      reached = done;
      if (done > total / 4) stop.abort();
    };
    const options = { ...variant, threads: 2, folder };
    await assert.rejects(open({ ...options, onProgress, signal: stop.signal }), {
      name: "AbortError",
    });
    // WebAssembly cannot lock the native program's.
    const kinds = variant.engine === "wasm" ? ["wasm-journal", "wasm-part"] : ["journal", "part"];
    assert.deepEqual(
      readdirSync(folder).sort(),
      kinds.map((kind) => `htm-24M.table.${kind}`),
    );
    let first;
    const solver = await open({ ...options, onProgress: (event) => (first ??= event) });
    assert.ok(
      first.event === "generating" && first.done >= reached,
      `${first.done} of ${reached} were kept`,
    );
    assert.equal((await solver.solve(CASES[0].position)).length, CASES[0].length);
    solver.close();
    assert.equal(hash(file(folder)), FILE_24M);
  });
}

for (const engine of ENGINES) {
  test(`a damaged file is generated again: ${engine}`, async () => {
    const damaged = openSync(file(), "r+");
    writeSync(damaged, "x", 12_345_678);
    closeSync(damaged);
    assert.notEqual(hash(file()), FILE_24M);
    const solver = await open({ engine, threads: 2 });
    assert.equal(solver.isStored, true);
    assert.equal(hash(file()), FILE_24M);
    solver.close();
  });

  test(`a file that is not the table is not replaced: ${engine}`, async () => {
    const folder = mkdtempSync(join(home, "other-"));
    const other = join(folder, "qtm-24M.table");
    writeFileSync(file(folder), "R U R' U'");
    writeFileSync(other, readFileSync(file()));
    for (const table of ["htm-24M", "qtm-24M"]) {
      const says = [join(folder, `${table}.table`), "move that file away"];
      const isRefused = (error) =>
        isOf("table")(error) && says.every((text) => error.message.includes(text));
      await assert.rejects(open({ engine, table, folder, threads: 2 }), isRefused);
    }
    assert.equal(readFileSync(file(folder), "utf8"), "R U R' U'");
    assert.equal(hash(other), FILE_24M);
    assert.deepEqual(sorted(readdirSync(folder)), ["htm-24M.table", "qtm-24M.table"]);
  });

  test(`a table is in memory only without a folder: ${engine}`, async () => {
    const inTheWay = join(home, "a file");
    writeFileSync(inTheWay, "");
    const isRefused = (error) => isOf("table")(error) && error.message.includes(inTheWay);
    await assert.rejects(open({ engine, folder: join(inTheWay, "folder") }), isRefused);
    const solver = await open({ engine, threads: 2, folder: null });
    assert.equal(solver.isStored, false);
    assert.equal((await solver.solve(CASES[0].position)).length, CASES[0].length);
    solver.close();
  });
}

test("the largest stored table is used", async () => {
  const folder = mkdtempSync(join(home, "auto-"));
  const isUsed = async (name, options) => {
    for (const engine of ENGINES) {
      const solver = await open({ engine, folder, ...options });
      assert.deepEqual([solver.table, solver.isStored], [name, true], engine);
      solver.close();
      await assert.rejects(open({ engine, folder, table: "stm-auto" }), isOf("table"));
    }
  };
  copyFileSync(file(), file(folder));
  await isUsed("htm-24M", { table: undefined });
  (await open({ table: "47M", folder })).close();
  await isUsed("htm-47M", { table: "HTM-Auto" });
  // None is stored in this metric.
  for (const engine of ENGINES) {
    const empty = mkdtempSync(join(home, "auto-"));
    const stop = new AbortController();
    const onProgress = ({ done }) => done > 0 && stop.abort();
    const options = { engine, folder: empty, table: "auto", metric: "qtm", onProgress };
    await assert.rejects(open({ ...options, signal: stop.signal }), { name: "AbortError" });
    const begun = readdirSync(empty);
    assert.ok(begun.length > 0 && begun.every((name) => name.startsWith("qtm-190M.table.")));
  }
});

test("the folder is that of the native program", () => {
  const folder = (platform, env, home) =>
    defaultFolder({ platform, env }, platform === "win32" ? win32 : posix, home);
  for (const platform of ["linux", "darwin"]) {
    assert.equal(folder(platform, {}, "/home/me"), "/home/me/.cache/cosette");
    assert.equal(
      folder(platform, { XDG_CACHE_HOME: "/cache", LOCALAPPDATA: "/local" }, "/home/me"),
      "/cache/cosette",
    );
    assert.equal(
      folder(platform, { XDG_CACHE_HOME: "relative" }, "/home/me"),
      "/home/me/.cache/cosette",
    );
    assert.equal(
      folder(platform, { XDG_CACHE_HOME: "/cache", COSETTE_TABLES: "tables" }, "/home/me"),
      "tables",
    );
  }
  const me = "C:\\Users\\me";
  assert.equal(
    folder("win32", { XDG_CACHE_HOME: "C:\\cache" }, me),
    `${me}\\AppData\\Local\\cosette`,
  );
  assert.equal(folder("win32", { LOCALAPPDATA: "D:\\local" }, me), "D:\\local\\cosette");
});

test("where the storage becomes full, the table is in memory", async () => {
  const files = filesThatFill(500);
  const engine = await instantiate(await compile(false), { files });
  engine.exports._initialize();
  assert.equal(engine.call({ do: "open", table: "htm-24M", threads: 1 }).stored, true);
  const state = engine.call({ do: "generate", milliseconds: 1e9 });
  assert.equal(files.writes, 500);
  assert.deepEqual(state, { ready: true, stored: false });
  const { position, length } = CASES[0];
  assert.equal(engine.call({ do: "solve", request: { position } }).answer.length, length);
});

for (const engine of ENGINES) {
  test(`errors say of what they are: ${engine}`, async () => {
    await assert.rejects(open({ engine, table: "25M" }), isOf("table"));
    if (engine === "wasm")
      await assert.rejects(open({ engine, table: "3G", folder: null }), isOf("memory"));
    const says = (text) => (error) => isOf("request")(error) && error.message === text;
    await assert.rejects(
      open({ engine, folder: 7 }),
      says("folder is 7; it must be a path, or null"),
    );
    for (const metric of ["QTM", "stm"])
      await assert.rejects(
        open({ engine, metric }),
        says(`metric is '${metric}'; it must be 'htm' or 'qtm'`),
      );
    for (const options of [{ threds: 2 }, { table: "htm-24M", metric: "qtm" }, { onProgress: 1 }])
      await assert.rejects(open({ engine, ...options }), isOf("request"));
    await assert.rejects(
      open({ engine, threads: "2" }),
      (error) => isOf("threads")(error) && error.message.includes("threads is '2'"),
    );
    for (const threads of [0, 1.5, 1_000_000])
      await assert.rejects(open({ engine, threads }), isOf("threads"));
    const solver = await open({ engine, threads: 1 });
    await assert.rejects(solver.solve("R U Q'"), isOf("position"));
    for (const ask of [() => solver.solve(7), () => solver.check(7)])
      await assert.rejects(ask, says("the position is 7; it must be a string"));
    await assert.rejects(
      solver.check("R", { nis: true }),
      says("unknown option nis; index.d.ts lists all options"),
    );
    await assert.rejects(
      solver.check("R", { niss: 1 }),
      says("niss is 1; it must be true or false"),
    );
    await assert.rejects(
      solver.solve("R", null),
      says("the options are null; they must be an object, such as { count: 'all' }"),
    );
    await assert.rejects(
      solver.solve("R", { text: "F" }),
      says("text is not an option; the position is the first argument"),
    );
    await assert.rejects(
      solver.solve("R", { maxLength: 3 }),
      /unknown field `maxLength`, expected one of `metric`, .*`max_length`/,
    );
    await assert.rejects(solver.solve("R", { onProgress() {} }), ({ message }) =>
      /`onProgress`.*`count`.*`onEvent`, `signal`, `stopSignal`, `plain`$/.test(message),
    );
    await assert.rejects(
      solver.solve("R", { slack: 1 }),
      ({ message }) => message.includes("`count: 'all'`") && !message.includes("--all"),
    );
    const refused = [
      { max_length: -1 },
      { count: 0 },
      { timeout: NaN },
      { timeout: -1 },
      { niss: 1 },
      { maxLength: 3 },
      { onevent() {} },
    ];
    const named = {
      timeout: "10",
      count: 0,
      prefer: "foo",
      slack: -1,
      signal: {},
      stopSignal: "now",
      onEvent: 1,
    };
    for (const [name, value] of Object.entries(named)) {
      const isNamed = (error) =>
        isOf("request")(error) && new RegExp(`^${name}(:| is) `).test(error.message);
      await assert.rejects(solver.solve("R", { [name]: value }), isNamed, name);
    }
    for (const name of ["count", "prefer"])
      await assert.rejects(
        solver.solveAll("R", { [name]: 2 }),
        says(`${name} is an option of solve only; solveAll finds all solutions`),
      );
    for (const ask of [() => solver.solveAll("R", "all"), () => open({ engine, signal: 1 })])
      await assert.rejects(ask, isOf("request"));
    for (const options of [...refused, { metric: "qtm" }, { prefer: "qtm", count: 2 }])
      await assert.rejects(solver.solve("R", options), isOf("request"));
    await assert.rejects(solver.solve(""), isOf("position"));
    await assert.rejects(solver.solve("R", { onEvent: "none" }), isOf("request"));
    const onEvent = () => {
      throw new Error("not heard");
    };
    await assert.rejects(solver.solve(SUPERFLIP, { onEvent }), { message: "not heard" });
    // So does a promise, also if it is rejected after the answer.
    for (const [position, delay] of [
      [SUPERFLIP, 0],
      [CASES[0].position, 500],
    ]) {
      const rejects = async () => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        throw new Error("not heard");
      };
      await assert.rejects(solver.solve(position, { onEvent: rejects }), { message: "not heard" });
    }
    // A listener may wait for another search.
    const inner = [];
    const asks = async ({ event }) =>
      event === "iteration-finished" && inner.push((await solver.solve("R U")).length);
    await solver.solve(CASES[0].position, { onEvent: asks });
    assert.ok(inner.length > 0 && inner.every((length) => length === 2));
    const text = "R’ U’ Q";
    await assert.rejects(solver.solve(text), ({ kind, code, help, span, message }) => {
      assert.deepEqual([kind, code], ["position", "ERR_COSETTE_POSITION"]);
      assert.equal(text.slice(...span), "Q");
      assert.ok(help.length > 0 && message.endsWith(`; ${help}`), help);
      return true;
    });
    assert.equal((await solver.solve("R R'")).length, 0);
    assert.equal(
      (await solver.check("R")).facelets,
      "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB",
    );
    const running = solver.solve(SUPERFLIP);
    solver.close();
    await assert.rejects(running, isOf("closed"));
    await assert.rejects(solver.solve("R"), isOf("closed"));
  });

  const OPTIONS = JSON.stringify({ engine, table: "24M", folder: home, threads: 2 });
  const runWithSolver = (program) =>
    run(
      `import { Solver } from ${INDEX}; const solver = await Solver.open(${OPTIONS}); ${program}`,
    );
  const SEARCH = `solver.solve(${JSON.stringify(SUPERFLIP)}`;

  test(`a solver that does nothing does not keep the program running: ${engine}`, () => {
    const ended = runWithSolver("console.log((await solver.solve('R U')).length);");
    assert.deepEqual(ended, { status: 0, stdout: "2\n", stderr: "" });
  });

  test(`many calls wait for one signal, and leave it: ${engine}`, () => {
    const ended = runWithSolver(`
            const { signal } = new AbortController();
            (await Solver.open({ ...${OPTIONS}, signal })).close();
            await Promise.all(Array.from({ length: 12 }, () => solver.solve('R U', { signal })));
            const { getEventListeners } = await import('node:events');
            console.log(getEventListeners(signal, 'abort').length);`);
    assert.deepEqual(ended, { status: 0, stdout: "0\n", stderr: "" });
  });

  test(`a program can end during a search: ${engine}`, () => {
    assert.equal(runWithSolver(`${SEARCH}); setTimeout(() => process.exit(3), 300);`).status, 3);
    assert.equal(
      runWithSolver(`${SEARCH}).catch(() => {}); setTimeout(() => solver.close(), 300);`).status,
      0,
    );
  });

  test(`a worker of Node can end during a search: ${engine}`, () => {
    const text = `import { Solver } from ${INDEX}; const solver = await Solver.open(${OPTIONS});
            const { parentPort } = await import('node:worker_threads');
            ${SEARCH}, { onEvent: () => parentPort.postMessage('') });`;
    const url = `data:text/javascript,${encodeURIComponent(text)}`;
    const { status, stdout } = runWithSolver(`
            const { Worker } = await import('node:worker_threads');
            const worker = new Worker(new URL(${JSON.stringify(url)}));
            await new Promise(resolve => worker.once('message', resolve));
            await worker.terminate();
            console.log((await solver.solve('R U')).length);`);
    assert.deepEqual([status, stdout], [0, "2\n"]);
  });

  test(
    `two solvers that want the same table generate it once: ${engine}`,
    { skip: engine === "wasm" },
    async () => {
      const folder = mkdtempSync(join(home, "twice-"));
      const solvers = await Promise.all([1, 2].map(() => open({ engine, threads: 1, folder })));
      assert.deepEqual(
        solvers.map(({ isStored }) => isStored),
        [true, true],
      );
      const { position, length } = CASES[3];
      const reports = await Promise.all(solvers.map((solver) => solver.solve(position)));
      assert.deepEqual(
        reports.map((report) => report.length),
        [length, length],
      );
      for (const solver of solvers) solver.close();
      assert.equal(hash(file(folder)), FILE_24M);
    },
  );
}

test("the list of tables is that of the engine", async () => {
  const engine = await instantiate(await compile(false), {});
  engine.exports._initialize();
  const { sizes } = engine.call({ do: "tables" });
  const fit = sizes.filter(({ bytes }) => bytes < 2 ** 31);
  assert.deepEqual(TABLES, Object.fromEntries(fit.map(({ name, bytes }) => [name, bytes])));
});

test("a reader answers many questions at once before the program ends", () => {
  const text = `import { Reader } from ${INDEX};
        const reader = await Reader.open();
        const checks = await Promise.all(Array.from({ length: 20 }, () => reader.check('R U')));
        console.log(checks.filter(({ ok }) => ok).length);`;
  const { status, stdout } = run(text);
  assert.deepEqual([status, stdout], [0, "20\n"]);
});

test("a closed solver frees its memory", async () => {
  const text = `import { Solver } from ${INDEX};
        const { Memory } = WebAssembly;
        let memory;
        WebAssembly.Memory = function (descriptor) {
            const made = new Memory(descriptor);
            memory = new WeakRef(made);
            return made;
        };
        const solver = await Solver.open({ table: '24M', folder: ${JSON.stringify(home)}, engine: 'wasm' });
        solver.close();
        for (let i = 0; i < 100 && memory.deref(); i++) {
            await new Promise(resolve => setTimeout(resolve, 50));
            gc();
        }
        console.log(memory.deref() === undefined, solver.table);`;
  const { status, stdout } = run(text, "--expose-gc");
  assert.deepEqual([status, stdout], [0, "true htm-24M\n"]);
});

test("a reader checks and draws positions beside a solver", async () => {
  const reader = await Reader.open();
  const check = await reader.check("R U2 F' x");
  assert.deepEqual(
    [check.ok, check.format, check.rotation, check.symmetries, check.odd],
    [true, "moves", "x", 1, false],
  );
  assert.ok(solves(check.setup) === false && check.facelets.length === 54);
  assert.equal((await reader.check("(R) U", { niss: true })).ok, true);
  const wrong = await reader.check("R U Q2");
  assert.deepEqual([wrong.ok, wrong.span, wrong.marks], [false, [4, 5], []]);
  for (const [text, options, marked] of [
    ["R’ U’ Q", {}, "Q"],
    ["T-perm 🙂: R’ Q U", {}, "Q"],
    ["R’ Q", { format: "moves" }, "Q"],
  ])
    assert.equal(text.slice(...(await reader.check(text, options)).span), marked);
  // The edge UF, with a color of the opposite face.
  const solved = (await reader.check("R R3")).facelets;
  const painted = await reader.check(`${solved.slice(0, 19)}D${solved.slice(20)}`);
  assert.equal(painted.ok, false);
  assert.deepEqual(
    painted.marks.map((mark) => mark.facelet_indices),
    [[7, 19]],
  );
  assert.equal((await reader.check(`.${solved.slice(1)}`)).blank, 1);
  for (const ask of [
    () => reader.check(5),
    () => reader.check(),
    () => reader.check("R", { nis: true }),
  ])
    await assert.rejects(ask, isOf("request"));
  const { facelets, scramble } = await reader.random();
  assert.equal((await reader.check(scramble)).facelets, facelets);
  assert.notEqual((await reader.random()).facelets, facelets);
  const [first, second] = [await reader.random({ seed: 5 }), await reader.random({ seed: 5 })];
  assert.deepEqual(first, second);
  for (const options of [5, { seed: -1 }, { seed: "1" }, { sed: 1 }])
    await assert.rejects(reader.random(options), isOf("request"));
  const drawn = [1, 2].map(() => reader.scrambles("R", { seed: undefined }));
  assert.notDeepEqual(...(await Promise.all(drawn)));
  reader.close();
  await assert.rejects(reader.check("R"), isOf("closed"));
});

test("a model of the cube applies moves and inverts them", async () => {
  const { apply, inverse, isSolved } = await loadCubeModel();
  const reader = await Reader.open();
  const facelets = async (text) => (await reader.check(text)).facelets;
  assert.equal(apply("R U", "F2 r"), await facelets("R U F2 r"));
  assert.equal(apply(apply("R U", "x y'"), "M2 D"), await facelets("R U x y' M2 D"));
  assert.equal(apply("R U", ""), await facelets("R U"));
  assert.equal(inverse("R U2 (M x')2 f"), "f' x M' x M' U2 R'");
  assert.equal(inverse(""), "");
  assert.equal(apply("", "R U"), await facelets("R U"));
  assert.ok(isSolved(inverse("")));
  for (const moves of ["R U2 F'", "r M E' y x2 S2", "[R, U]"]) {
    assert.ok(!isSolved(`${moves} R`));
    assert.ok(isSolved(apply(`${moves} R R'`, inverse(moves))));
  }
  assert.ok(isSolved("x y2"));
  for (const [ask, kind] of [
    [() => apply("R’ Q", "R"), "position"],
    [() => apply("R", "R’ Q"), "moves"],
    [() => inverse("R’ Q"), "moves"],
    [() => isSolved("R’ Q"), "position"],
  ])
    assert.throws(ask, (error) => isOf(kind)(error) && "R’ Q".slice(...error.span) === "Q");
  for (const ask of [() => apply("R", apply("", "R")), () => inverse(apply("", ""))])
    assert.throws(ask, (error) => isOf("moves")(error) && error.message.includes("54 facelets"));
  for (const ask of [() => apply(1, "R"), () => apply("R"), () => inverse(["R"])])
    assert.throws(ask, isOf("request"));
  reader.close();
});

test("a solver and a reader are closed at the end of a block", async () => {
  for (const opened of [await open({ threads: 1 }), await Reader.open()]) {
    opened[Symbol.dispose]();
    await assert.rejects(opened.check("R"), isOf("closed"));
    await opened[Symbol.asyncDispose]();
  }
});

test("scrambles of a case lead to it", async () => {
  const reader = await Reader.open();
  const { facelets, scrambles } = await reader.scrambles("R U R' U'", { count: 5, seed: 1 });
  assert.deepEqual([scrambles.length, new Set(scrambles.map(({ moves }) => moves)).size], [5, 5]);
  for (const { moves } of scrambles) {
    assert.ok(moves.split(" ").length >= 21 && solves(moves, "U R U' R'"), moves);
    assert.equal((await reader.check(moves)).facelets, facelets);
  }
  assert.deepEqual(
    (await reader.scrambles("R U R' U'", { count: 5, seed: 1 })).scrambles,
    scrambles,
  );
  const options = { count: 3, min_length: 25, pre_auf: true, post_auf: true };
  for (const { moves, pre_auf = "", post_auf = "" } of (
    await reader.scrambles("R U R' U'", options)
  ).scrambles) {
    assert.ok(
      moves.split(" ").length >= 25 && solves(moves, `${pre_auf} U R U' R' ${post_auf}`),
      moves,
    );
  }
  await assert.rejects(reader.scrambles("R Q"), isOf("position"));
  for (const wrong of [{ count: 0 }, { count: 101 }, { min_length: 256 }, { auf: true }])
    await assert.rejects(reader.scrambles("R", wrong), isOf("request"));
  reader.close();
});

test("a search answers with what is proven when it is stopped, and with as many solutions as were asked for", async () => {
  for (const sharedMemory of [true, false]) {
    const solver = await open({ engine: "wasm", threads: 2, sharedMemory });
    const stop = new AbortController();
    const onEvent = ({ event, length, exhausted }) =>
      event === "iteration-finished" && exhausted && length >= 8 && stop.abort();
    const { stop_reason, lower_bound, best_known } = await solver.solve(SUPERFLIP, {
      stopSignal: stop.signal,
      onEvent,
    });
    assert.equal(stop_reason, "interrupt");
    assert.ok(lower_bound >= 9 && solves(SUPERFLIP, best_known));
    const { solutions } = await solver.solve("U2 D2 F2 B2 R2 L2", { count: 3 });
    assert.equal(new Set(solutions).size, 3);
    const { explanation } = await solver.solve("U2 D2 F2 B2 R2 L2", { explain: true });
    assert.deepEqual(
      [explanation.rotations, explanation.mirrors, explanation.inverting, explanation.order],
      [24, 24, 48, 2],
    );
    assert.equal(explanation.solutions.count, 6);
    assert.ok((await solver.solve("R (U)", { niss: true })).length === 2);
    const found = [];
    const onFound = ({ event, moves }) => event === "solution" && found.push(moves);
    const crosses = await solver.solve("R U F", {
      goal: "cross:D",
      slack: 1,
      count: 100,
      onEvent: onFound,
    });
    assert.ok(crosses.solutions.length > 1);
    assert.deepEqual(found.toSorted(), crosses.solutions.toSorted());
    solver.close();
  }
});

test("the element can be imported in Node, and its moves are those of the model", async () => {
  await import("../element.js");
  const { SOLVED, apply, parseMoves } = await import("../cube.js");
  const model = await loadCubeModel();
  const text = "U R2 F' D L3 B Lw Rw2 u r' f d l b M E2 S' x y2 z'";
  for (const moves of [text, ...text.split(" ")]) {
    const facelets = parseMoves(moves).reduce(apply, SOLVED);
    // The model names each face by its place.
    const names = Object.fromEntries([..."URFDLB"].map((face, i) => [facelets[9 * i + 4], face]));
    const named = [...facelets].map((facelet) => names[facelet]).join("");
    assert.equal(named, model.apply(SOLVED, moves), moves);
  }
  assert.equal(parseMoves("R (U)"), null);
});
