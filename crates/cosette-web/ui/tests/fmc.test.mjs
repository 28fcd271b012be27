// Fewest moves: steps found, typed and pasted, deleted and brought back; what is kept and linked to; keys, phones, paper.

import assert from "node:assert/strict";
import { test } from "./browser.mjs";
import { faults, site } from "./support.mjs";

const server = site({ webgl: false });
const open = (run, options = {}) => server.open(run, { hash: "#fmc", ...options });

const SCRAMBLE = "R' U' F D2 L2 F R2 U2 R2 B D2 L B2 D' B2 L' R' B D2 B U2 L U2 R' U' F";
/** Ten moves. */
const EASY = "R U R' U' F2 D L B2 R D";
/** After F R U2 L, three corners are left. */
const CORNERS = "R' D' R U R' D R U' L' U2 R' F'";

const field = (page) => page.locator(".fmc").getByLabel("Your scramble");
const moves = (page) => page.getByLabel("Add moves");
const button = (page, name) => page.locator(".fmc").getByRole("button", { name, exact: true });
const found = (page, text) => page.locator(".found").filter({ hasText: text }).waitFor();
/** The steps in the tree, as they are read. */
const steps = (page) => page.locator(".tree .step .solution").allTextContents();
const selected = (page) => page.locator(".step[aria-current]");
const paper = (page) => page.locator(".writeup-panel li").allTextContents();
/** Waits until it is known what is left at the step that is selected. */
const looked = (page) => page.locator('.bad-pieces[aria-busy="false"]').waitFor();

async function start(page, scramble) {
  await field(page).fill(scramble);
  await field(page).press("Enter");
  await looked(page);
}

async function type(page, text) {
  await moves(page).fill(text);
  await moves(page).press("Enter");
  await looked(page);
}

/** Pastes a text into a field. */
const paste = (element, text) =>
  element.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    element.dispatchEvent(
      new ClipboardEvent("paste", {
        clipboardData,
        // Firefox takes the text from these instead.
        data: text,
        dataType: "text/plain",
        cancelable: true,
        bubbles: true,
      }),
    );
  }, text);

/** What the button for this copies. */
async function copied(page, name) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(page, name).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

test("all ways to a step are listed, and a click adds one", () =>
  open(async (page) => {
    await start(page, SCRAMBLE);
    await page.locator(".choice-of-step", { hasText: "EO FB" }).getByText("4 edges").waitFor();
    assert.equal(await page.locator(".flat .bad").count(), 8);
    await button(page, "Find").click();
    await found(page, "16 ways to do EO in at most 4 moves");
    await page
      .getByText(
        "1 with 3 moves, 15 with 4 moves. No NISS inside the step. A final quarter turn also means its inverse.",
        { exact: true },
      )
      .waitFor();
    await page.locator(".finding").first().click();
    await looked(page);
    assert.deepEqual(await steps(page), ["Scramble", "(R L B)"]);
    assert.equal(await selected(page).textContent(), "(R L B)EO FB3 moves");
    assert.deepEqual(await page.locator(".sides dd").allTextContents(), ["(R L B)", "–", "R L B"]);
    assert.deepEqual(await paper(page), ["(R L B) // EO (3/3)"]);
    // The next step is offered, with the fewest moves that it takes.
    await button(page, "Find").click();
    await found(page, "6 ways to do DR in 7 moves");
    await page.getByLabel("Filter by axis").selectOption("UD");
    // What is listed goes on, not what the form says by now; then the form says the same.
    const maxMoves = page.locator(".fmc").getByLabel("Max. moves");
    await maxMoves.selectOption("12");
    await button(page, "Search up to 8 moves").click();
    assert.equal(await maxMoves.inputValue(), "8");
    await found(page, "84 ways to do DR in at most 8 moves");
    assert.equal(await page.getByLabel("Filter by axis").inputValue(), "UD");
    await page
      .getByText(
        "6 with 7 moves, 78 with 8 moves. No NISS inside the step; EO kept. A final quarter turn also means its inverse.",
        { exact: true },
      )
      .waitFor();
    // What was found before is still there.
    await page.locator(".step", { hasText: "Scramble" }).click();
    await found(page, "16 ways to do EO in at most 4 moves");
    await page.locator(".step").last().click();
    await found(page, "84 ways to do DR in at most 8 moves");
    assert.equal(await maxMoves.inputValue(), "8");
    await page.locator(".step", { hasText: "Scramble" }).click();
    assert.equal(await page.locator(".finding", { hasText: "added" }).count(), 1);
    await page.locator(".finding").nth(1).click();
    assert.equal((await steps(page)).length, 3);
    // One axis alone, and one side.
    await page.locator(".step", { hasText: "Scramble" }).click();
    assert.ok(await page.getByLabel("Axis", { exact: true }).isHidden());
    await page.getByText("More options").click();
    await page.getByLabel("Axis", { exact: true }).selectOption("RL");
    await page.getByLabel("NISS", { exact: true }).selectOption("none");
    await button(page, "Find").click();
    await found(page, "ways to do EO on RL in 4 moves");
    // What is not as at first stays unfolded.
    await page.locator(".step").last().click();
    await page.locator(".step", { hasText: "Scramble" }).click();
    await page.getByLabel("Axis", { exact: true }).waitFor();
    await page.locator("label", { hasText: /^Full solutions$/ }).click();
    await page.getByRole("heading", { name: "Find full solutions" }).waitFor();
    await page.locator("label", { hasText: /^Next step$/ }).click();
    assert.ok(
      (await page.locator(".finding").allTextContents()).every(
        (way) => way.includes("EO RL") && !way.includes("("),
      ),
    );
  }));

test("moves are typed, on both sides, and added up", () =>
  open(
    async (page) => {
      await start(page, EASY);
      await type(page, "U2 (F R) L");
      await type(page, "L2 (R' D)");
      assert.deepEqual(await steps(page), ["Scramble", "U2 L (F R)", "L2 (R' D)"]);
      assert.deepEqual(await page.locator(".sides dd").allTextContents(), [
        "L2 (R' D)",
        "U2 L'",
        "F D",
      ]);
      assert.deepEqual(await paper(page), ["U2 L (F R) // (4/4)", "L2 (R' D) // (3-3/4)"]);
      // Who types goes on typing.
      assert.equal(
        await page.evaluate(() => document.activeElement.labels[0].textContent),
        "Add moves",
      );
      // Of the inverse another cube is seen, with as many pieces to go.
      const seen = () =>
        page
          .locator(".bad-pieces")
          .evaluate((left) => [
            [...left.querySelectorAll(".flat g")].map((each) => each.dataset.color).join(""),
            left.querySelector(".choice-of-step:last-child .label").textContent,
          ]);
      const [before, toGo] = await seen();
      await button(page, "Show the inverse").click();
      await page.locator(".bad-pieces").getByText("On the inverse").waitFor();
      await looked(page);
      const [after, toGoThere] = await seen();
      assert.deepEqual([after === before, toGoThere], [false, toGo]);
      await button(page, "Show the scramble").click();
      assert.deepEqual(await seen(), [before, toGo]);
      // What fails is said, also when it is drawn again, and the scramble is shown again.
      await type(page, "D");
      await page.route("**/api/v1/fmc", (route) => route.abort());
      await button(page, "Show the inverse").click();
      await page
        .locator(".bad-pieces .notice", { hasText: "The server does not respond." })
        .waitFor();
      await page.getByLabel("Step name").fill("none");
      assert.deepEqual(
        [
          await page.locator(".bad-pieces .notice").count(),
          await page.locator(".bad-pieces .row").textContent(),
          await page.locator(".bad-pieces legend").textContent(),
        ],
        [1, "Bad piecesShow the inverse", "On the scramble, highlighted on the cube"],
      );
      await page.unroute("**/api/v1/fmc");
      await button(page, "Delete").click();
      await looked(page);
      assert.equal(await page.locator(".bad-pieces .notice").count(), 0);
      for (const [wrong, error] of [
        ["U Rw", "`Rw` is not a face turn."],
        ["U (F", "Unclosed parenthesis."],
        ["U) F", "Unmatched parenthesis."],
      ]) {
        await moves(page).fill(wrong);
        await moves(page).press("Enter");
        await page.locator(".adding .notice", { hasText: error.replaceAll("`", "") }).waitFor();
        assert.equal(await moves(page).inputValue(), wrong);
      }
      await moves(page).fill("");
      await button(page, "Add").click();
      await page.locator(".adding .notice", { hasText: "No moves entered." }).waitFor();
      // The same step is there once.
      await page.locator(".step").first().click();
      await type(page, "U2L(FR)");
      assert.equal((await steps(page)).length, 3);
      // What solves the cube is a solution.
      await page.locator(".step").first().click();
      await type(page, "D' R' B2 L' (R U R' U' F2 D)");
      assert.equal(await selected(page).locator(".badge").textContent(), "solved");
      assert.equal(
        await page.locator(".final").textContent(),
        "10 moves D' R' B2 L' D' F2 U R U' R'",
      );
      assert.ok(await page.locator(".find").isHidden());
      await button(page, "Play").click();
      await page.getByRole("dialog").getByRole("button", { name: "R'" }).first().waitFor();
      assert.equal(
        await page.getByRole("dialog").locator(".moves").textContent(),
        "D' R' B2 L' D' F2 U R U' R' ",
      );
      await page.keyboard.press("Escape");
      assert.ok(await page.getByRole("dialog").isHidden());
      // Left open, it would have the page behind it take no input.
      await button(page, "Play").click();
      await page.evaluate(() => (history.pushState(null, "", location.href), history.back()));
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    },
    { expected: /ERR_FAILED/ },
  ));

for (const reducedMotion of ["no-preference", "reduce"])
  test(`the moves of a step are played at once, with reduced motion: ${reducedMotion}`, () =>
    open(
      async (page) => {
        await start(page, EASY);
        await type(page, "D' R' B2");
        await button(page, "Play").click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Speed").selectOption("slow");
        await dialog.getByRole("button", { name: "Pause" }).waitFor();
        await page.waitForFunction(
          (place) => place.ariaValueText === "1 of 3 moves",
          await dialog.getByLabel("Position in the solution").elementHandle(),
        );
      },
      { reducedMotion },
    ));

test("what is no scramble is refused where it was entered", () =>
  open(async (page) => {
    await field(page).fill("R U Q");
    await button(page, "Start").click();
    await page.locator(".scramble .notice", { hasText: "not a valid move" }).waitFor();
    assert.equal(await field(page).getAttribute("aria-invalid"), "true");
    assert.ok(await page.locator(".work").isHidden());
    await button(page, "Random").click();
    await looked(page);
    assert.match(await field(page).inputValue(), /^R' U' F ([URFDLB][2']? )+R' U' F$/);
    assert.equal(await page.locator(".scramble .notice").count(), 0);
    // The attempt stays, and is not taken for one on the refused scramble.
    const attempted = await field(page).inputValue();
    await type(page, "U");
    await field(page).fill("R U Q");
    await field(page).press("Enter");
    await page.locator(".scramble .notice", { hasText: "not a valid move" }).waitFor();
    assert.ok(await page.locator(".optimum").isHidden());
    assert.equal(await page.locator(".other-scramble .solution").textContent(), attempted);
    assert.equal((await steps(page)).length, 2);
    await button(page, "Back to it").click();
    assert.equal(await field(page).inputValue(), attempted);
    await page.locator(".optimum").waitFor();
    assert.equal(await page.locator(".scramble .notice").count(), 0);
    await start(page, "r U f'");
    await page
      .getByText("Read as wide moves: r, f'. Use capital letters for face turns.")
      .waitFor();
  }));

test("one button is highlighted: that of the next action", () =>
  open(async (page) => {
    const highlighted = () => page.locator(".fmc button.strong").allTextContents();
    assert.deepEqual(await highlighted(), ["Random"]);
    await field(page).fill(EASY);
    assert.deepEqual(await highlighted(), ["Start"]);
    await field(page).press("Enter");
    await looked(page);
    assert.deepEqual(await highlighted(), ["Find"]);
    await field(page).fill(SCRAMBLE);
    assert.deepEqual(await highlighted(), ["Start"]);
    await field(page).fill("");
    assert.deepEqual(await highlighted(), ["Random"]);
  }));

test("whole skeletons are found, and added step by step", () =>
  open(
    async (page) => {
      await start(page, EASY);
      await page.locator(".modes").getByText("Full solutions", { exact: true }).click();
      await page
        .getByRole("textbox", { name: "Steps" })
        .fill("eo[max=3] > dr[max=4] > htr > finish[max=5]");
      await button(page, "Find").click();
      await found(
        page,
        /^(No such skeleton exists, proven|No skeleton (found|within)|\d+ moves, (proven|the best found))/,
      );
      await page.getByRole("textbox", { name: "Steps" }).fill("eo > cross");
      await button(page, "Find").click();
      await page.locator(".find .notice", { hasText: "is not a step" }).waitFor();
      await page.getByRole("textbox", { name: "Steps" }).fill("");
      await button(page, "Find").click();
      await found(page, /^\d+ moves, (proven|the best found)/);
      await page.locator(".finding").first().click();
      await looked(page);
      assert.equal(await selected(page).locator(".badge").textContent(), "solved");
      assert.ok((await paper(page)).length > 1);
      assert.match((await paper(page)).at(-1), / \/\/ finish \(\d+(-\d+)?\/\d+\)$/);
      assert.match(await page.locator(".final").textContent(), /^\d+ moves [URFDLB]/);
    },
    { expected: /status of 422/ },
  ));

test("a search is stopped", () =>
  open(async (page) => {
    await start(page, SCRAMBLE);
    await page.locator(".modes").getByText("Full solutions", { exact: true }).click();
    await page.getByLabel("Time limit", { exact: true }).selectOption("60");
    await button(page, "Find").focus();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(1500);
    // The focus is where it was pressed: now it stops.
    await page.keyboard.press("Enter");
    await button(page, "Find").waitFor();
    assert.match(
      await page.locator(".found").textContent(),
      /^(Stopped|No skeleton found|\d+ moves, (proven|the best found))/,
    );
    assert.equal(await page.locator(".find .notice").count(), 0);
  }));

test("a list that was stopped claims what is complete", () =>
  open(async (page) => {
    const way = (moves) => ({
      length: moves.split(" ").length,
      moves,
      steps: [{ step: "eo:FB", moves, total: moves.split(" ").length, bad_pieces: "dr:UD 4c2e" }],
      solution: null,
    });
    const ways = (number) => ({
      step: "eo:FB",
      from_reduction: null,
      counts: Array(number).fill(0).with(2, 1),
    });
    let answer = {};
    await page.route("**/api/v1/fmc", async (route) => {
      const { steps } = route.request().postDataJSON();
      if (steps === "eo[max=0]") return route.continue();
      await route.fulfill({
        contentType: "text/event-stream",
        body: `data: ${JSON.stringify({ event: "answer", optimal: false, stop_reason: "timeout", seconds: 60, ...answer })}\n\n`,
      });
    });
    await start(page, SCRAMBLE);
    // One list is complete up to three moves, the other up to two.
    answer = { step_counts: [ways(4), ways(3)], skeletons: [way("R L"), way("F B U")] };
    await button(page, "Find").click();
    await found(page, "The only way to do EO in 2 moves");
    await page
      .getByText(
        "No NISS inside the step. A final quarter turn also means its inverse. Stopped after 60 s; longer solutions were not searched.",
        { exact: true },
      )
      .waitFor();
    assert.deepEqual(await page.locator(".finding").allTextContents(), ["2R LEO FBDR UD 4c2e"]);
    answer = { step_counts: [], skeletons: [] };
    await button(page, "Find").click();
    await found(page, "Stopped without a result");
  }));

test("three corners are finished by an insertion", () =>
  open(async (page) => {
    await start(page, CORNERS);
    assert.ok(await page.getByText("Insertions", { exact: true }).isHidden());
    await type(page, "F R U2 L");
    assert.equal(await selected(page).locator(".badge").textContent(), "3 corners left");
    assert.deepEqual(await paper(page), ["F R U2 L // EO (4/4), 3 corners left"]);
    assert.ok(await page.getByLabel("Insertions").isChecked());
    // Who comes back finds what was searched.
    await page.getByText("Shortest finish", { exact: true }).click();
    await button(page, "Prove").click();
    await found(page, /proven optimal/);
    await page.locator(".step").first().click();
    await page.locator(".step").last().click();
    await looked(page);
    assert.ok(await page.getByLabel("Shortest finish").isChecked());
    await page.locator("label", { hasText: /^Insertions$/ }).click();
    await button(page, "Find").click();
    await found(page, /^\d+ moves, the fewest with one insertion of an optimal algorithm/);
    await page.getByText(/^Three corners left; \d+ insertions/).waitFor();
    const [length] = await page.locator(".finding .total").allTextContents();
    await page.locator(".finding").first().click();
    await looked(page);
    assert.equal(await selected(page).locator(".total").textContent(), `${length} moves`);
    // Each move is there once.
    assert.equal((await paper(page))[0], " // F R U2 L // EO, 3 corners left");
    assert.match(
      (await paper(page))[1],
      new RegExp(`\\[.*\\].* // insertion \\(${length}/${length}\\)$`),
    );
    assert.equal(
      (await page.locator(".final .solution").textContent()).split(" ").length,
      Number(length),
    );
  }));

test("what is reached is what the engine says", () =>
  open(async (page) => {
    // All facelets are those of HTR, but half turns do not solve it.
    await start(page, "R2 U R2 D R2 U R2");
    const text = (step) =>
      page.locator(".choice-of-step", { hasText: step }).locator(".label").textContent();
    assert.equal(await text("DR UD"), "✓ reached");
    assert.equal(await text("EO FB"), "✓ reached");
    assert.notEqual(await text("HTR"), "✓ reached");
    // What is lost is said.
    await type(page, "F");
    assert.deepEqual(await selected(page).locator(".badge").allTextContents(), [
      "EO RL",
      "DR UD lost",
    ]);
    // A link claims what is not so, and what is not proven here.
    await page.goto(`${server.address}/#fmc=RUF....17_1F-.finish._1F-U-R-`);
    await page.locator(".step .badge.good", { hasText: "solved" }).waitFor();
    assert.deepEqual(await page.locator(".step").allTextContents(), [
      "Scrambleoptimal: 17, according to the link",
      "F'EO FB1 move",
      "F' U' R'solved3 moves",
    ]);
    await page
      .locator(".optimum", { hasText: "17 moves according to the link, not proven" })
      .waitFor();
    // The axes that may follow are offered, and the nearest of them is marked.
    await page.locator(".step").nth(1).click();
    await looked(page);
    assert.deepEqual(
      await page.getByLabel("Axis", { exact: true }).locator("option").allTextContents(),
      ["any", "RL", "UD"],
    );
    assert.match(await page.locator(".choice-of-step:has(:checked)").textContent(), /^DR (RL|UD)/);
  }));

test("the shortest solution is proven, of the scramble and from a step", () =>
  open(async (page) => {
    await start(page, EASY);
    await type(page, "D' R' B2");
    // What is known when it is stopped is shown.
    const stopped = {
      event: "answer",
      metric: "htm",
      length: null,
      lower_bound: 9,
      best_known: "D' R' B2 L' D' F2 U R U' R'",
      solutions: [],
      solution_count: 0,
      complete: false,
      stop_reason: "interrupt",
      nodes: 1,
      probes: 1,
      seconds: 1,
      table: "htm-24M",
    };
    await page.route("**/api/v1/solve", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `data: ${JSON.stringify(stopped)}\n\n`,
      }),
    );
    // It stays when the page has heard of the table.
    const table = page.waitForResponse("**/api/v1/tables/htm-24M");
    await button(page, "Find and prove").click();
    await (await table).finished();
    await page
      .locator(".optimum", { hasText: "9 to 10 moves; best known: 10 moves, unproven" })
      .waitFor();
    assert.equal(await selected(page).locator(".solution").textContent(), "D' R' B2");
    await button(page, "Show").click();
    await page.locator(".finding", { hasText: stopped.best_known }).waitFor();
    await page.unroute("**/api/v1/solve");
    await button(page, "Prove").click();
    await page.locator(".optimum", { hasText: "10 moves, proven" }).waitFor();
    await page
      .locator(".writeup-panel", { hasText: "Shortest solution 10 moves, proven" })
      .waitFor();
    await page.locator(".step", { hasText: "optimal: 10" }).waitFor();
    await page.locator(".step", { hasText: "D' R' B2" }).click();
    await page.getByText("Shortest finish", { exact: true }).click();
    await button(page, "Prove").click();
    await page.locator(".step", { hasText: "7 more: 10, or fewer if moves cancel" }).waitFor();
    await page.locator(".finding").click();
    await looked(page);
    assert.equal(await page.locator(".final strong").textContent(), "10 moves");
    // A solution is compared with it, and shown at the scramble too.
    await page.locator(".final", { hasText: "10 moves, proven optimal " }).waitFor();
    await page.locator(".step").first().click();
    await page.locator(".final", { hasText: "10 moves, proven optimal " }).waitFor();
    await type(page, `D' R' B2 L' D' F2 U R U' R' ${"R2 U2 ".repeat(6)}`);
    await page.locator(".final", { hasText: "21 moves, 11 more than the optimum " }).waitFor();
    // After a reload its length is known.
    await page.reload();
    await button(page, "Find again").click();
    await button(page, "Show").waitFor();
  }));

const WRITE_UP = `${EASY}
// EO first
D' R' // my start (2/2)
// a note: 50 % “sure”, _really_. Yes!
B2 L' (R) // (3/5)
D' F2 U R U' R' (R') // end (7-2/10)
`;

test("a write-up is pasted, and copied as it was", () =>
  open(async (page) => {
    await field(page).fill(`Scramble: ${EASY}\n${WRITE_UP.split("\n").slice(2).join("\n")}`);
    await button(page, "Start").click();
    await selected(page).getByText("end").waitFor();
    await looked(page);
    await page.locator(".final").waitFor();
    assert.deepEqual(await steps(page), ["Scramble", "D' R'", "B2 L' (R)", "D' F2 U R U' R' (R')"]);
    assert.equal(await field(page).inputValue(), EASY);
    await page.locator(".step").first().click();
    await page.getByLabel("Notes").fill("EO first");
    await page.locator(".step").last().click();
    const text = await copied(page, "Copy");
    assert.equal(text, `${WRITE_UP}// 10 moves: D' R' B2 L' D' F2 U R U' R'\n`);
    // Pasted among the moves, with the same scramble, wherever that is: the steps are there already.
    await paste(moves(page), text);
    assert.equal((await steps(page)).length, 4);
    // One with an error is not added in part.
    await page.locator(".step").first().click();
    await paste(moves(page), "U2 // one\nM2 // two\n");
    await page.locator(".adding mark", { hasText: "M2" }).waitFor();
    assert.equal((await steps(page)).length, 4);
    // One of no scramble is refused.
    await paste(moves(page), "// scramble: R Q\nF' U' R' // all\n");
    await page.locator(".scramble .notice", { hasText: "not a valid move" }).waitFor();
    assert.equal((await steps(page)).length, 4);
    // One of another scramble is another attempt.
    await paste(moves(page), "// scramble: R U F\nF' U' R' // all\n");
    await page.locator(".final", { hasText: "3 moves F' U' R'" }).waitFor();
    assert.equal(await field(page).inputValue(), "R U F");
    await page.getByText("Saved attempts").click();
    await page.locator(".saved-attempts .link", { hasText: EASY }).click();
    assert.equal((await steps(page)).length, 4);
    // The scramble may be an address.
    await field(page).fill("https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-");
    await field(page).press("Enter");
    await page.waitForFunction(
      (input) => input.value === "F U2 R'",
      await field(page).elementHandle(),
    );
  }));

test("a step is named, deleted and brought back", () =>
  open(async (page) => {
    await start(page, EASY);
    await type(page, "D'");
    await type(page, "R'");
    const shown = await page.locator(".step").nth(1).elementHandle();
    await shown.click();
    await page.getByLabel("Step name").fill("good");
    // What becomes known of the steps does not take them away from under the pointer.
    assert.ok(await shown.evaluate((step) => step.isConnected));
    await page.getByLabel("Notes").fill("try more here");
    assert.equal(await page.locator(".step").nth(1).locator(".badge").textContent(), "good");
    await page.locator(".step .has-note").waitFor();
    await button(page, "Delete").click();
    await page.getByText("Deleted 2 steps").waitFor();
    assert.deepEqual(await steps(page), ["Scramble"]);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo");
    await page.keyboard.press("Enter");
    assert.deepEqual(await steps(page), ["Scramble", "D'", "R'"]);
    assert.equal(await page.getByLabel("Notes").inputValue(), "try more here");
    assert.ok(await page.locator(".steps .undo").isHidden());
    // What was added again is not brought back.
    await button(page, "Delete").click();
    await type(page, "D'");
    assert.ok(await page.locator(".steps .undo").isHidden());
    // The fields are those of the step that is shown, even where one has the focus.
    await page.getByLabel("Notes").focus();
    await page.evaluate(() => document.querySelector(".step").click());
    await page.getByLabel("Notes").fill("on the scramble");
    assert.deepEqual(await paper(page), []);
    assert.equal(await page.locator(".writeup-panel .note-line").textContent(), "on the scramble");
  }));

test("an attempt is kept, and a link holds all of it", () =>
  open(async (page) => {
    await start(page, EASY);
    await type(page, "D' R' (F2)");
    await page.getByLabel("Notes").fill("a “note”\nof 2_lines. (Yes)");
    await page.locator(".step").first().click();
    await type(page, "U");
    const link = await copied(page, "Copy link");
    assert.match(link, /^http:\/\/[^#]*\/#fmc=[\w.~%+:-]+$/);
    await page.reload();
    await looked(page);
    const all = ["Scramble", "D' R' (F2)", "U"];
    assert.deepEqual(await steps(page), all);
    assert.equal(await selected(page).locator(".solution").textContent(), "U");
    await page.getByText("The link works only on this machine.").waitFor();
    // Where nothing is kept, it opens what it holds.
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    await page.goto("about:blank");
    await page.goto(link);
    await looked(page);
    assert.deepEqual(await steps(page), all);
    assert.deepEqual(await paper(page), ["D' R' (F2) // (3/3)a “note”\nof 2_lines. (Yes)"]);
    assert.equal(await page.getByLabel("Notes").inputValue(), "a “note”\nof 2_lines. (Yes)");
    assert.ok(page.url().endsWith("#fmc"), "what is changed from now on is not in the address");
    // Beside another one, that one stays.
    await start(page, "R U F");
    await type(page, "F'");
    await page.goto(link);
    await page.getByText("This attempt is from the link. Yours is under Saved attempts.").waitFor();
    assert.deepEqual(await steps(page), all);
    await page.getByText("Saved attempts", { exact: true }).click();
    await page.locator(".saved-attempts .link", { hasText: "R U F" }).click();
    assert.deepEqual(await steps(page), ["Scramble", "F'"]);
    await page.goto(`${server.address}/#fmc=2zz_q`);
    await page.locator(".notice", { hasText: "This link does not contain an attempt." }).waitFor();
    assert.deepEqual(await steps(page), ["Scramble", "F'"]);
    // Two pages keep two attempts.
    const other = await page.context().newPage();
    await other.goto(`${server.address}/#fmc`);
    await looked(other);
    await start(other, "L D B");
    await type(page, "U'");
    await other.reload();
    await looked(other);
    assert.equal(await field(other).inputValue(), "L D B");
    await page.reload();
    await looked(page);
    assert.deepEqual(await steps(page), ["Scramble", "F'", "U'"]);
    // Two pages of one attempt go on with two.
    const third = await page.context().newPage();
    await third.goto(`${server.address}/#fmc`);
    await looked(third);
    assert.deepEqual(await steps(third), ["Scramble", "F'", "U'"]);
    await type(third, "R'");
    await type(page, "D'");
    await third.reload();
    await looked(third);
    assert.deepEqual(await steps(third), ["Scramble", "F'", "U'", "R'"]);
    await page.reload();
    await looked(page);
    assert.deepEqual(await steps(page), ["Scramble", "F'", "U'", "D'"]);
    // Who forgets one goes on to the next.
    await page.getByText("Saved attempts", { exact: true }).click();
    await page.locator(".saved-attempts li").first().waitFor();
    const others = await page.locator(".saved-attempts li").count();
    await page.locator(".saved-attempts .quiet").first().click();
    assert.equal(await page.locator(".saved-attempts li").count(), others - 1);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".saved-attempts .quiet")));
    await page.getByText("Deleted 1 attempt").waitFor();
    await button(page, "Undo").click();
    assert.equal(await page.locator(".saved-attempts li").count(), others);
    // There is one on this scramble; and a link is opened where the scramble is entered.
    await start(page, "L D B");
    await page.getByText("You have an attempt on this scramble.").waitFor();
    await button(page, "Open it").click();
    assert.equal(await field(page).inputValue(), "L D B");
    await field(page).fill(link);
    await field(page).press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".step").length === 3);
    assert.deepEqual(await steps(page), all);
  }));

test("all is done with keys alone", () =>
  open(async (page) => {
    const tabTo = async (name, key = "Tab") => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press(key);
        if (
          await page.evaluate(
            (name) =>
              document.activeElement.textContent === name ||
              document.activeElement.labels?.[0]?.textContent === name ||
              document.activeElement.closest(name.startsWith(".") ? name : "no"),
            name,
          )
        )
          return;
      }
      assert.fail(`no way to ${name}`);
    };
    await tabTo("Your scramble");
    await page.keyboard.type(SCRAMBLE);
    await page.keyboard.press("Enter");
    await looked(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".step-view")));
    await tabTo("Find");
    await page.keyboard.press("Enter");
    await found(page, "16 ways to do EO");
    await page.waitForFunction(() => document.activeElement.matches(".finding"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await looked(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".step-view")));
    assert.deepEqual(await steps(page), ["Scramble", "U D R U"]);
    await tabTo("Add moves");
    await page.keyboard.type("F2");
    await page.keyboard.press("Enter");
    await tabTo(".tree", "Shift+Tab");
    const at = () =>
      page.evaluate(() => document.activeElement.querySelector(".solution").textContent);
    assert.equal(await at(), "F2");
    for (const [key, step] of [
      ["ArrowUp", "U D R U"],
      ["Home", "Scramble"],
      ["ArrowLeft", "Scramble"],
      ["ArrowRight", "U D R U"],
      ["ArrowDown", "F2"],
      ["ArrowDown", "F2"],
      ["ArrowLeft", "U D R U"],
      ["End", "F2"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await at(), step, key);
      assert.equal(await selected(page).locator(".solution").textContent(), step);
    }
    await page.keyboard.press("Delete");
    assert.deepEqual([await at(), (await steps(page)).length], ["U D R U", 2]);
    await page.keyboard.press("Control+z");
    assert.deepEqual([await at(), (await steps(page)).length], ["F2", 3]);
    // Enter goes on to the step.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.matches(".step-view")));
  }));

test("what the engine refuses is said at the step", () =>
  open(
    async (page) => {
      await page.route("**/api/v1/fmc", (route) => route.abort());
      await field(page).fill(EASY);
      await field(page).press("Enter");
      await page
        .locator(".step-view .notice", { hasText: "The server does not respond." })
        .waitFor();
      await page.unroute("**/api/v1/fmc");
      await page.locator(".step").first().click();
      await looked(page);
      assert.equal(await page.locator(".step-view .notice").count(), 0);
      // As what it waits for is.
      await page.evaluate(() => {
        const { fetch } = globalThis;
        const queued = new TextEncoder().encode('data: {"event":"queued","id":1,"ahead":2}\n\n');
        globalThis.fetch = async (...request) => (
          (globalThis.fetch = fetch),
          request[0].endsWith("/fmc")
            ? new Response(new ReadableStream({ start: (body) => body.enqueue(queued) }))
            : fetch(...request)
        );
      });
      await moves(page).fill("U");
      await moves(page).press("Enter");
      await page
        .locator(".step-view .notice", { hasText: "Waiting for 2 other searches." })
        .waitFor();
      await page.locator(".step").first().click();
      await looked(page);
      assert.equal(await page.locator(".step-view .notice").count(), 0);
    },
    { expected: /Failed to load resource|ERR_FAILED/ },
  ));

test("the write-up alone is printed", () =>
  open(async (page) => {
    await start(page, EASY);
    await type(page, "D' R'");
    await page.getByLabel("Notes").fill("a note");
    await page.emulateMedia({ media: "print" });
    assert.deepEqual(
      await page
        .locator("header, footer, .scramble, .steps, .step-view, .step-details, .help, button")
        .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length),
      0,
    );
    assert.equal(
      await page
        .locator(".writeup-panel")
        .innerText()
        .then((text) => text.replaceAll(/\s+/g, " ")),
      `Write-up Scramble ${EASY} D' R' // (2/2) a note`,
    );
  }));

test("the glossary and an empty write-up are folded beside an attempt", () =>
  open(async (page) => {
    const words = page.locator(".words");
    const lines = page.locator(".writeup-panel .lines");
    await words.waitFor();
    await start(page, SCRAMBLE);
    assert.ok(await words.isHidden());
    assert.ok(await lines.isHidden());
    // A question about a step leads into the glossary, and Escape back.
    await page.locator(".find").getByRole("button", { name: "Glossary" }).click();
    await words.waitFor();
    assert.ok(await page.evaluate(() => document.activeElement.matches(".word[open] summary")));
    await page.keyboard.press("Escape");
    await words.waitFor({ state: "hidden" });
    await type(page, "D'");
    await lines.waitFor();
    // A write-up that is folded stays so.
    await page.locator("summary", { hasText: "Write-up" }).click();
    await type(page, "R'");
    assert.ok(await lines.isHidden());
  }));

for (const [name, options] of [
  ["a desktop", { viewport: { width: 1440, height: 900 } }],
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
])
  test(`the next step is typed or searched for without scrolling on ${name}`, () =>
    open(async (page) => {
      const isInSight = (element) =>
        element.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await start(page, EASY);
      await type(page, "D' R'");
      await page.locator(".step").last().click();
      assert.ok(await isInSight(moves(page)));
      assert.ok(await isInSight(button(page, "Find")));
      // A solution is followed by its write-up.
      await type(page, "B2 L' D' F2 U R U' R'");
      const places = await page
        .locator(".work > section")
        .evaluateAll((all) => all.map((each) => each.ariaLabel));
      assert.deepEqual(places, ["Steps", "Selected step", "Write-up", "Step details"]);
    }, options));

test("in a window that becomes one column, keys are not listed, and notes are folded", () =>
  open(async (page) => {
    await start(page, EASY);
    const areShown = async () => [
      await page.locator(".fmc .keys").isVisible(),
      await page.getByLabel("Notes").isVisible(),
    ];
    assert.deepEqual(await areShown(), [true, true]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel("Notes").waitFor({ state: "hidden" });
    assert.deepEqual(await areShown(), [false, false]);
  }));

test("on a phone, notes are folded until there are some, and keys are not listed", () =>
  open(
    async (page) => {
      await start(page, EASY);
      assert.ok(await page.locator(".fmc .keys").isHidden());
      const notes = page.getByLabel("Notes");
      assert.ok(await notes.isHidden());
      await page.locator("summary", { hasText: "Notes" }).click();
      await notes.fill("a note");
      await type(page, "D'");
      assert.ok(await notes.isHidden());
      await page.locator(".step").first().click();
      await notes.waitFor();
      assert.equal(await notes.inputValue(), "a note");
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ));

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  [
    "phone",
    { colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ],
]) {
  test(`the view of fewest moves fits and axe-core finds nothing wrong: ${name}`, () =>
    open(async (page) => {
      const check = async (what) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${what} is ${wide} pixels too wide`);
        assert.deepEqual(await faults(page), [], what);
      };
      await check("the empty view");
      await start(page, SCRAMBLE);
      await button(page, "Find").click();
      await found(page, "16 ways to do EO");
      await check("the ways to a step");
      await page.locator(".finding").first().click();
      await looked(page);
      // Where it is below the tree, the step is scrolled to.
      await page.waitForFunction(
        () => document.querySelector(".step-view").getBoundingClientRect().top < innerHeight / 2,
      );
      await page.locator(".modes").getByText("Full solutions", { exact: true }).click();
      await button(page, "Find").click();
      await found(page, /the best found|proven/);
      await check("skeletons");
      await page.locator(".finding").first().click();
      await looked(page);
      await page.locator("summary", { hasText: "Glossary" }).click();
      await page.locator(".word summary").first().click();
      await button(page, "Delete").click();
      await check("a deletion");
      const narrow = { ...page.viewportSize(), width: 320 };
      await page.setViewportSize(narrow);
      await check("a narrow view");
    }, options));
}
