// Goals: by picture, by text and painted; moves as toggles; many solutions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { headline, site, solve, type } from "./support.mjs";

const server = site({ webgl: false });
const { open } = server;

/** A module of the page. */
const load = async (name) =>
  (await runnerImport(fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)))).module;
/** A source of the library. */
const source = (name) =>
  readFileSync(new URL(`../../../cosette/src/goal/${name}.rs`, import.meta.url), "utf8");

/** Six moves from a cross on D, five from one on another face. */
const SCRAMBLE = "D2 F R' B U L'";

const unfold = (page, name) => page.locator("summary", { hasText: name }).click();
const goal = (page) => page.getByLabel("Goal as text");
const allowed = (page) => page.getByLabel("Moves as text");
const picture = (page, name) => page.getByRole("radio", { name, exact: true });

test("named goals, their variants and default turns are those of the library", async () => {
  const { NAMED_GOALS } = await load("goals/names");
  const names = source("definition");
  const texts = Object.fromEntries(
    [...names.matchAll(/^(?:pub\(super\) )?const (\w+): &str =\s+"(.*)";$/gm)].map(
      ([, name, text]) => [name, text],
    ),
  );
  const rust = [
    ...names.matchAll(/^ {4}named\(\s*(\S+),\s+"(\w*)",\s+("[^"]*"|\w+),\s+"[^"]*",?\s*\),$/gm),
  ].map(([, name, defaultVariant, definition]) => ({
    name: texts[name] ?? name.slice(1, -1),
    defaultVariant,
    definition: texts[definition] ?? definition.slice(1, -1),
  }));
  assert.equal(rust.length, Number(/NAMED_GOALS: \[NamedGoal; (\d+)\]/.exec(names)[1]));
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  assert.deepEqual(
    NAMED_GOALS.map(({ name, defaultVariant, definition }) => ({
      name,
      defaultVariant,
      definition,
    })).sort(byName),
    rust.sort(byName),
  );
  const { DEFAULT_TURNS } = await load("goals/turns");
  const turns = source("turns");
  const lists = Object.fromEntries(
    [...turns.matchAll(/^const (\w+): &str = "(.*)";$/gm)].map(([, name, list]) => [name, list]),
  );
  const rows = [...turns.matchAll(/^ {4}\(TurnMetric::\w+, "(\w+)", Metric::\w+, (\w+)\),$/gm)];
  assert.deepEqual(
    DEFAULT_TURNS,
    Object.fromEntries(rows.map(([, metric, list]) => [metric, lists[list]])),
  );
});

test("pictures have the facelets of the pieces", async () => {
  globalThis.localStorage = { getItem: () => null, setItem() {} };
  const [{ NAMED_GOALS, namedIn }, { pictureOf, variantNamed, variantsOf }] = [
    await load("goals/names"),
    await load("goals/picture"),
  ];
  const named = (name) => NAMED_GOALS.find((goal) => goal.name === name);
  assert.equal(
    pictureOf(named("cross"), "D"),
    "....U........R..R.....F..F..D.DDD.D.....L..L.....B..B.",
  );
  assert.equal(
    pictureOf(named("2x2x2"), "DFR"),
    "....U.......RR.RR.....FF.FF.DD.DD.......L........B....",
  );
  assert.equal(
    pictureOf(named("solved"), ""),
    [..."URFDLB"].map((face) => face.repeat(9)).join(""),
  );
  const { goalWords } = await load("goals/describe");
  assert.deepEqual(
    ["eo:BF", "2x2x2:frd", "cross:Q"].map((to) => goalWords(to)),
    ["EO on BF", "2×2×2 block on FRD", "goal"],
  );
  // A variant is meant by its name, its letters in another order, or a beginning that no other has.
  const meant = (text) => variantNamed(namedIn(text))?.names[0];
  assert.deepEqual(
    [
      "eo:LR",
      "eo:DU",
      "dr:LR",
      "eoline:DB",
      "blocks:LF",
      "2x2x3:LD",
      "2x2x2:RFD",
      "xcross:FRD",
      "xcross:DRF",
    ].map(meant),
    ["RL", "UD", "RL", "DF", "LB", "DL", "DFR", "FRD", "DFR"],
  );
  assert.deepEqual(
    ["cross", "xcross:U", "xcross:UF", "2x2x2:U", "2x2x2:DF", "cross:Q"].map(meant),
    [undefined, undefined, "UFL", undefined, "DFR", undefined],
  );
  // Where one net cannot show what is searched, it shows nothing.
  const { paintingOf } = await load("goals/picker");
  assert.equal(paintingOf("2x2x2:rfd"), pictureOf(named("2x2x2"), "DFR"));
  assert.equal(paintingOf("cross"), pictureOf(named("cross"), "D"));
  assert.deepEqual(["2x2x2:U", "auf:R", "htr"].map(paintingOf), [undefined, undefined, undefined]);
  // What is asked below is drawn below.
  const level = (variant) => variant.replace(/[^UD]/g, "");
  for (const { shownVariant, defaultVariant } of NAMED_GOALS)
    assert.equal(level(shownVariant ?? defaultVariant), level(defaultVariant));
  const counts = Object.fromEntries(
    NAMED_GOALS.map((goal) => [goal.name, variantsOf(goal).length]),
  );
  assert.deepEqual(counts, {
    cross: 6,
    xcross: 24,
    "2x2x2": 8,
    "2x2x3": 12,
    "1x2x3": 24,
    blocks: 12,
    f2l: 6,
    "f2l-1": 24,
    oll: 6,
    auf: 6,
    layer: 6,
    eo: 3,
    eoline: 12,
    eocross: 12,
    dr: 3,
    htr: 1,
    solved: 1,
    corners: 1,
    edges: 1,
  });
});

test("the facelets outside of a goal are gray on the cube, and its place is named by colors", async () => {
  const [{ maskOf }, { placeOf }] = [await load("goals/mask"), await load("goals/describe")];
  const colored = (...asked) => {
    const { EDGES, CORNERS } = maskOf(...asked).orbits;
    const isColored = ({ facelets }) => facelets.every((look) => look === "regular");
    return [EDGES, CORNERS].map(({ pieces }) =>
      pieces.flatMap((piece, number) => (isColored(piece) ? [number] : [])),
    );
  };
  // In the order of the player: UF UR UB UL DF DR DB DL FR FL BR BL.
  assert.deepEqual(colored("cross", "D", ""), [[4, 5, 6, 7], []]);
  assert.deepEqual(colored("xcross", "DFR", ""), [[4, 5, 6, 7, 8], [4]]);
  assert.deepEqual(colored("cross", "U D", ""), [[0, 1, 2, 3, 4, 5, 6, 7], []]);
  // After x, the back of the cube is down.
  assert.deepEqual(colored("cross", "D", "x"), [[2, 6, 10, 11], []]);
  assert.deepEqual(maskOf("eo", "FB", "").orbits.EDGES.pieces[8].facelets, ["oriented", "ignored"]);
  assert.deepEqual(colored(`${".".repeat(45)}...BBBBBB`, "", ""), [[], []]);
  for (const goal of ["auf", "htr", "UF UR", "R".repeat(54)])
    assert.equal(maskOf(goal, "U", ""), undefined);
  assert.equal(placeOf("xcross", "LFD", ""), "on orange, green–yellow pair");
  assert.equal(placeOf("cross", "D", "x"), "on blue");
  assert.equal(placeOf("2x2x3", "DL", ""), "along yellow–orange");
});

test("variants are those of the engine", () =>
  open(
    async (page) => {
      globalThis.localStorage = { getItem: () => null, setItem() {} };
      const [{ NAMED_GOALS }, { variantsOf }] = [
        await load("goals/names"),
        await load("goals/picture"),
      ];
      const ask = (to) =>
        page.evaluate(async (to) => {
          const body = JSON.stringify({ position: "R", moves: "U", goal: to, timeout: 0 });
          const response = await fetch("/api/v1/solve", {
            method: "POST",
            headers: { "content-type": "application/json", accept: "application/json" },
            body,
          });
          return response.json();
        }, to);
      for (const goal of NAMED_GOALS.filter(({ defaultVariant }) => defaultVariant !== "")) {
        const variants = variantsOf(goal).map(({ names }) => names[0]);
        const { help } = await ask(`${goal.name}:none`);
        assert.deepEqual(
          help
            .replace(/^use one of /, "")
            .split(", ")
            .sort(),
          [...variants].sort(),
          goal.name,
        );
        assert.equal(
          (await ask(`${goal.name}:${variants.at(-1)}`)).goal,
          `${goal.name}:${variants.at(-1)}`,
        );
      }
    },
    { expected: /422/ },
  ));

test("turns are read and written as the engine does", async () => {
  const { readTurns, writeTurns } = await load("goals/turns");
  const again = (text) => writeTurns(readTurns(text));
  assert.equal(again("R U"), "U R");
  assert.equal(again("U D R2 F2 L2 B2"), "U R2 F2 D L2 B2");
  assert.equal(again("R+ R' Rw M2 x+"), "R+ R' M2 r x+");
  assert.equal(again("R+ R2 R'"), "R");
  assert.equal(again(""), "");
});

test("a goal is chosen by its picture and variant, reached, and kept in the address", () =>
  open(async (page) => {
    await type(page, SCRAMBLE);
    await page.getByText("Solve: whole cube").click();
    assert.equal(await page.locator('[aria-hidden=""]').count(), 0);
    await picture(page, "Cross").check();
    assert.equal(await goal(page).inputValue(), "cross");
    await page.getByText("Solve: cross", { exact: true }).waitFor();
    await solve(page).click();
    await headline(page, "Cross: 5 moves, proven optimal");
    await page
      .locator(".claim", { hasText: /^Reached on (white|red|green|yellow|orange|blue)$/ })
      .waitFor();
    assert.equal(new URL(page.url()).search, "?position=D2+F+R%27+B+U+L%27&goal=cross");
    await page.getByLabel("Variant").selectOption("D");
    await page.locator(".solve .answer").waitFor({ state: "hidden" });
    assert.equal(await goal(page).inputValue(), "cross:D");
    await solve(page).click();
    await headline(page, "Cross on D: 6 moves, proven optimal");
    assert.equal(await page.locator(".claim").textContent(), "");
    assert.equal(await page.locator(".moves button").count(), 6);
    await page.getByRole("button", { name: "Go to end" }).click();
    await page.locator(".move-words", { hasText: "Goal reached." }).waitFor();
    await page.goBack();
    await headline(page, "Cross: 5 moves");
    assert.deepEqual(
      [await goal(page).inputValue(), await page.getByLabel("Variant").inputValue()],
      ["cross", ""],
    );
    // A link has the goal, in any case of letters.
    await page.goto(`${server.address}/?position=R+U+F&goal=CROSS:d&moves=R+U+F`);
    await headline(page, "Cross on D: 2 moves, proven optimal");
    await unfold(page, "Solve:");
    assert.ok(await picture(page, "Cross").isChecked());
    assert.equal(await page.getByLabel("Variant").inputValue(), "D");
    await goal(page).fill("eo:LR");
    assert.equal(await page.getByLabel("Variant").inputValue(), "RL");
    // Of the folded goals, the chosen one is shown.
    assert.ok(!(await picture(page, "EOLine").isVisible()));
    await goal(page).fill("eoline");
    await picture(page, "EOLine").waitFor();
    assert.ok(await picture(page, "EOLine").isChecked());
  }));

test("what is wrong with a goal is said where it is entered", () =>
  open(
    async (page) => {
      await type(page, "R U F");
      await unfold(page, "Solve:");
      await goal(page).fill("nonsense");
      await page
        .locator(".checked .notice", { hasText: "nonsense is not a goal, a piece or a position" })
        .waitFor();
      assert.equal(await goal(page).getAttribute("aria-invalid"), "true");
      assert.equal(await page.locator(".goal :checked").count(), 0);
      await page.getByText("Solve: nonsense").waitFor();
      // Solve leads there.
      await unfold(page, "Solve:");
      await solve(page).click();
      await page.waitForFunction(() => document.activeElement.value === "nonsense");
      await goal(page).fill("UF UR DFR");
      await page.locator(".checked .notice").waitFor({ state: "detached" });
      await solve(page).click();
      await headline(page, "Goal: 3 moves, proven optimal");
    },
    { expected: /422/ },
  ));

test("a goal is painted, and what is blank may have any color", () =>
  open(async (page) => {
    await type(page, SCRAMBLE);
    await unfold(page, "Solve:");
    await picture(page, "Cross").check();
    await unfold(page, "Paint the goal");
    const net = page.getByRole("group", { name: "The 54 facelets of the goal, unfolded" });
    const facelet = (place) => net.locator(`[data-place="${place}"]`);
    // The net shows the goal that was chosen.
    assert.equal(await facelet(28).getAttribute("aria-label"), "down 2 yellow");
    assert.equal(await facelet(0).getAttribute("aria-label"), "up 1 any color");
    await facelet(35).focus();
    await page.keyboard.press("y");
    assert.match(await goal(page).inputValue(), /^[.URFDLB]{35}D/);
    await page.getByText("Solve: painted goal").waitFor();
    await page.getByTitle("any color").click();
    await facelet(35).click();
    await solve(page).click();
    await headline(page, "Painted goal: 6 moves, proven optimal");
    assert.equal(await page.locator(".goal :checked").count(), 0);
  }));

test("moves are toggled, alone and by face, in step with the text", () =>
  open(
    async (page) => {
      await type(page, "R U R' U'");
      await page.getByText("Allowed moves: all faces").click();
      const toggle = (name) => page.getByRole("button", { name, exact: true });
      await toggle("⟨R, U⟩").click();
      assert.equal(await allowed(page).inputValue(), "U R");
      assert.deepEqual(
        await Promise.all(
          ["R2", "F", "All F turns"].map((name) => toggle(name).getAttribute("aria-pressed")),
        ),
        ["true", "false", "false"],
      );
      await toggle("R2").click();
      await toggle("All F turns").click();
      assert.equal(await allowed(page).inputValue(), "U R+ R' F");
      assert.equal(await toggle("All R turns").getAttribute("aria-pressed"), "mixed");
      // With keys: one tab stop, and arrows.
      await toggle("F").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Space");
      assert.equal(await allowed(page).inputValue(), "U R+ R' F+ F'");
      await allowed(page).fill("R U");
      await solve(page).click();
      await headline(page, "4 moves, proven optimal");
      await page.getByText("Allowed moves: U R").waitFor();
      // With all default moves, the option stays empty.
      await toggle("All faces").click();
      assert.equal(await allowed(page).inputValue(), "");
      await allowed(page).fill("U2 D2");
      await solve(page).click();
      await headline(page, "Not solvable with ⟨U2, D2⟩");
      assert.match(
        await page.locator(".claim").textContent(),
        /^U2 and D2 alone cannot solve the (corner|edge) [URFDLB]+\.$/,
      );
      await page.getByRole("button", { name: "Allow all moves" }).click();
      await headline(page, "4 moves, proven optimal");
      await page.getByText("Solve: whole cube").waitFor();
      // A variant that a goal does not have is none of its words, and what is wrong is said where it is folded.
      await page.locator("summary", { hasText: "Solve: " }).click();
      await page.getByLabel("Goal as text").fill("cross:Q");
      await page.getByText("Solve: cross:Q").waitFor();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
    { expected: /422/ },
  ));

test("a chip tells that its options are not the defaults, and resets them", () =>
  open(async (page) => {
    await type(page, "R U F");
    const changed = page.locator(".question .changed");
    const reset = page.getByRole("button", { name: "Reset", exact: true });
    await unfold(page, "Allowed moves:");
    assert.equal(await changed.count(), 0);
    assert.equal(await reset.getAttribute("aria-disabled"), "true");
    await page.getByRole("button", { name: "⟨R, U⟩" }).click();
    await page.waitForURL(/moves=U\+R$/);
    await page.reload();
    await changed.filter({ hasText: "Allowed moves: U R" }).waitFor();
    assert.equal(await changed.count(), 1);
    assert.equal(await changed.getAttribute("title"), "Not the default");
    await unfold(page, "Allowed moves:");
    await reset.click();
    await page.locator("summary", { hasText: "all faces" }).waitFor();
    assert.equal(await changed.count(), 0);
    assert.equal(await allowed(page).inputValue(), "");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Reset");
    await solve(page).click();
    await headline(page, "3 moves, proven optimal");
  }));

test("slice turns count one in their metric", () =>
  open(async (page) => {
    await page.goto(`${server.address}/?position=M+U2+M%27&metric=stm&moves=M+U`);
    await headline(page, "3 moves, proven optimal");
    await page.getByText("Metric and limits: STM, one solution").waitFor();
    assert.deepEqual(await page.locator(".moves button").allTextContents(), ["M", "U2", "M'"]);
  }));

test("many solutions are searched, sorted, chosen, copied and downloaded", () =>
  open(
    async (page) => {
      await page.goto(
        `${server.address}/?position=${encodeURIComponent(SCRAMBLE)}&goal=cross:D&count=1000&slack=2`,
      );
      await headline(page, "Cross on D: 6 moves, proven optimal");
      const heading = page.locator(".solutions h3");
      const rows = page.locator(".list li");
      const all = Number((await heading.textContent()).replace(/\D/g, ""));
      assert.ok(all > 200, `${all} solutions`);
      assert.equal(await rows.count(), 200);
      await page.getByRole("button", { name: /^Show \d+ more of/ }).click();
      assert.ok((await rows.count()) > 200);
      await page.getByLabel("Length", { exact: true }).selectOption("6");
      const shortest = (await rows.locator(".solution").allTextContents()).map(
        (moves) => moves.split(" ").length,
      );
      assert.ok(shortest.length > 0 && shortest.every((length) => length === 6));
      await page.getByLabel("Length", { exact: true }).selectOption("");
      await page.getByLabel("Contains moves").fill("F R'");
      const found = await rows.locator(".solution").allTextContents();
      assert.ok(
        found.length > 0 && found.length < all && found.every((moves) => moves.includes("F R'")),
      );
      assert.match(await heading.textContent(), /^\d+ of [\d,]+ solutions$/);
      await page.getByLabel("Sort", { exact: true }).selectOption("moves");
      const sorted = await rows.locator(".solution").allTextContents();
      assert.deepEqual(sorted, [...sorted].sort());
      await rows.locator("input").last().check();
      assert.equal(
        (await page.locator(".moves button").allTextContents()).join(" "),
        sorted.at(-1),
      );
      await page.getByRole("button", { name: "Copy list" }).click();
      assert.deepEqual(
        (await page.evaluate(() => navigator.clipboard.readText()))
          .trim()
          .split("\n")
          .slice(0, 200),
        sorted,
      );
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ]);
      assert.ok((await readFile(await download.path(), "utf8")).startsWith(`${sorted[0]}\n`));
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("ten thousand solutions do not freeze the page", () =>
  open(async (page) => {
    const solutions = Array.from(
      { length: 10_000 },
      (_, number) =>
        [..."URFDL"]
          .map((face, at) => face + ["", "2", "'"][Math.floor(number / 3 ** at) % 3])
          .join(" ") + ` B ${number}`,
    );
    const answer = {
      event: "answer",
      metric: "htm",
      goal: "cross",
      length: 6,
      lower_bound: 6,
      upper_bound: 6,
      solutions,
      costs: solutions.map(() => 6),
      variants: solutions.map(() => "D"),
      solution_count: 10_000,
      complete: true,
      stop_reason: null,
      best_known: null,
      nodes: 1,
      probes: 1,
      seconds: 1,
      table: "goal",
    };
    await page.route("**/solve", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `data: ${JSON.stringify(answer)}\n\n`,
      }),
    );
    await page.goto(`${server.address}/?position=R+U+F&goal=cross&count=all`);
    await page.locator(".solutions h3", { hasText: "10,000 solutions" }).waitFor();
    const took = await page.evaluate(() => {
      const input = document.querySelector(".filters input");
      const start = performance.now();
      input.value = "U2";
      input.dispatchEvent(new Event("input"));
      return performance.now() - start;
    });
    assert.ok(took < 1000, `${took} ms`);
    assert.equal(await page.locator(".list li").count(), 200);
  }));

test("longer solutions are found beside others, and what cannot be counted is not offered", () =>
  open(async (page) => {
    await unfold(page, "Moves:");
    await unfold(page, "Filter solutions");
    await page.getByLabel("Extra moves allowed").fill("1");
    await page.getByLabel("Required prefix").fill("R");
    await page.getByLabel("Equivalent solutions").selectOption("symmetry");
    await page.getByText("Metric and limits: HTM, all solutions").waitFor();
    await page
      .getByText("Allowed moves: all faces, up to 1 extra move, with constraints")
      .waitFor();
    await unfold(page, "Metric and limits:");
    assert.ok(
      await page.locator("option", { hasText: "one with fewest quarter turns" }).isDisabled(),
    );
    await type(page, "R' U'");
    await page.waitForURL(/slack=1&starts_with=R&unique_up_to=symmetry$/);
  }));

test("on a phone the pictures and toggles fit", () =>
  open(
    async (page) => {
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await unfold(page, "Solve:");
      await unfold(page, "More goals");
      await unfold(page, "Paint the goal");
      assert.ok(await fits());
      // One of them is open at a time.
      await unfold(page, "Moves:");
      assert.ok(!(await goal(page).isVisible()));
      await unfold(page, "Slices, wide moves, rotations");
      await unfold(page, "Filter solutions");
      assert.ok(await fits());
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ));
