// One position: typed, painted with the pointer and with keys, solved, played, stopped, reloaded during a search.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./browser.mjs";
import {
  ask,
  facelet,
  faults,
  headline,
  openTab,
  scrambleField,
  site,
  solve,
  type,
} from "./support.mjs";

const server = site();
const { open } = server;

const EASY = "R U R' U' F2 D L B2 R D";
/** Twenty moves, which take the smallest table hours. */
const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/** The headline of a search. */
const BOUNDS = /^(At least|\d+ to) \d+ moves?$/;

const stop = (page) => page.getByRole("button", { name: "Stop", exact: true });
/** The button in the place of Solve after a search that was stopped. */
const searchAgain = (page) => page.locator(".act").getByRole("button", { name: "Search again" });
/** The numbers of the line of lengths that are wider than their cells. */
const cutNumbers = (page) =>
  page
    .locator(".lengths span:visible")
    .evaluateAll((numbers) =>
      numbers
        .filter((number) => number.offsetWidth > number.parentElement.clientWidth)
        .map((number) => number.textContent),
    );
const shown = (page) =>
  page
    .locator(".net .facelet")
    .evaluateAll((cells) => cells.map((cell) => cell.dataset.color).join(""));
/** The facelet with this number on the stage, while the cube is painted there. */
const onStage = (page, place) => page.locator(`.solid [data-place="${place}"]`);
/** Waits until this is said of the painting, beside the palette. */
const paintingState = (page, text) =>
  page.locator(".brushes [role=status]").getByText(text, { exact: true }).waitFor();
/** The moves of the solution shown. */
const moves = (page) =>
  page
    .locator("twisty-player")
    .evaluate(async (player) =>
      (await player.experimentalModel.alg.get()).alg.toString().split(" "),
    );
/** The position of the player in the solution, from 0 to 1. */
const place = (page) =>
  page.getByLabel("Position in the solution").evaluate((slider) => slider.value / slider.max);

test("a scramble is solved and its solution played", () =>
  open(async (page) => {
    await ask(page, EASY);
    await headline(page, "10 moves, proven optimal");
    await page.locator("twisty-player").scrollIntoViewIfNeeded();
    assert.equal(await place(page), 0);
    await page.getByText("Hold the cube with white on top, green in front.").waitFor();
    const words = page.locator(".move-words");
    const [first, second] = await moves(page);
    assert.match(await words.textContent(), new RegExp(`^${first}: \\w+ side `));
    // What appears with the solution is not read out.
    assert.equal(await words.getAttribute("aria-live"), "off");
    const { height } = await words.boundingBox();
    // It is in the middle, below how the cube is held.
    const centers = await page.evaluate(() =>
      [".stage", ".holding", ".move-words"].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(`.result ${part}`));
        const { left, right } = range.getBoundingClientRect();
        return (left + right) / 2;
      }),
    );
    assert.ok(Math.max(...centers) - Math.min(...centers) < 2, String(centers));
    await page.getByRole("button", { name: "Next move" }).click();
    await page.waitForFunction(() => document.querySelector(".controls input").value === "1");
    assert.match(await words.textContent(), new RegExp(`^${second}: `));
    assert.equal(await words.getAttribute("aria-live"), "polite");
    await page.getByRole("button", { name: "Go to start" }).click();
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => {
      const slider = document.querySelector(".controls input");
      return slider.value === slider.max;
    });
    assert.ok(await page.getByRole("button", { name: "Go to end" }).isDisabled());
    assert.equal(await words.textContent(), "Solved.");
    assert.equal((await words.boundingBox()).height, height);
  }));

test("all solutions are listed, chosen and downloaded", () =>
  open(async (page) => {
    await type(page, "R2 L2 U2 D2");
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    await page.getByLabel("Optimal solutions").selectOption("all");
    await solve(page).click();
    await headline(page, "4 moves, proven");
    const choices = page.locator(".choice");
    assert.ok((await choices.count()) > 1);
    await choices.nth(1).click();
    // All can be seen, and what is special comes after them.
    const [list, special] = [
      await page.locator(".list").boundingBox(),
      await page.locator(".special").boundingBox(),
    ];
    assert.ok(list.y + list.height <= special.y);
    assert.equal(
      await page.locator(".list").evaluate((list) => list.scrollHeight - list.clientHeight),
      0,
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "solutions.txt");
  }));

test("a cube is painted with the pointer, and an impossible piece is marked", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start solved", exact: true }).click();
    await page.getByRole("radio", { name: /yellow/ }).check({ force: true });
    await facelet(page, 19).click();
    // In passing, a piece is not marked until the user wants the cube solved.
    await paintingState(page, "Each color needs nine stickers.");
    assert.equal(await page.locator(".net .fault").count(), 0);
    await page.getByText("The solution will appear here.").waitFor();
    await solve(page).click();
    await page
      .locator(".notice", { hasText: "No edge is white and yellow." })
      .filter({ hasText: "Check these two stickers." })
      .waitFor();
    await page.locator(".notice", { hasText: "Up 8 white, front 2 yellow" }).waitFor();
    const marked = await page
      .locator(".net .fault")
      .evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.place)));
    assert.deepEqual(marked, [7, 19]);
    await paintingState(page, "1 impossible piece.");
    const paint = async (number, color) => {
      await page.getByRole("radio", { name: color }).check({ force: true });
      await facelet(page, number).click();
    };
    await paint(7, /green/);
    await paint(19, /white/);
    // Solve leads to what is wrong with it.
    await page
      .locator("#messages .notice", { hasText: "One edge is flipped, so this cube is unsolvable." })
      .filter({ hasText: "Check all edges, and if they match your cube, flip any edge." })
      .waitFor();
    await openTab(page, "Scramble");
    await solve(page).click();
    await page.waitForFunction(() =>
      document.activeElement.textContent.startsWith("One edge is flipped"),
    );
    await page.waitForFunction(
      () => document.activeElement.getBoundingClientRect().bottom <= innerHeight,
    );
    // The edges UF and UB both flipped, which is a position.
    await paint(1, /blue/);
    await paint(46, /white/);
    await page.waitForFunction(() => !document.querySelector(".net .fault, .notice"));
    const [painted, undo] = [await shown(page), page.getByRole("button", { name: "Undo" })];
    await paint(0, /red/);
    await paint(2, /red/);
    await undo.click();
    await facelet(page, 0).press("Control+z");
    assert.equal(await shown(page), painted);
    await page.waitForFunction(() => !document.querySelector(".net .fault, .notice"));
    await solve(page).click();
    await headline(page, BOUNDS);
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
  }));

test("a side that is painted turned is named, and turned with one button", () =>
  open(async (page) => {
    // The cube after R U F, and the same with its green side turned counterclockwise.
    const cube = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
    const painted = "UUUUUULLDFBBFRRFRRRRRFFDFFDRRUDDBDDBFFDLLDLLBLLLUBBUBB";
    await type(page, painted);
    const notice = page.locator("#messages .notice");
    await notice.filter({ hasText: "The side with the F center seems turned." }).waitFor();
    await solve(page).click();
    await notice.filter({ hasText: "The side with the green center seems turned." }).waitFor();
    await page.getByRole("button", { name: "Turn it clockwise" }).click();
    await notice.waitFor({ state: "hidden" });
    assert.equal(await shown(page), cube);
    assert.equal(await page.evaluate(() => document.activeElement.id), "messages");
    assert.equal(await page.locator(".net .fault").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await shown(page), painted);
    await page.getByRole("button", { name: "Turn it clockwise" }).click();
    await solve(page).click();
    await headline(page, "3 moves, proven optimal");
  }));

test("54 stickers are checked at once, and moves once the user has typed the last one", () =>
  open(async (page) => {
    const notice = page.locator("#messages .notice");
    await page.clock.install();
    await type(page, "R U X");
    await page.clock.runFor(300);
    assert.equal(await notice.count(), 0);
    const place = await solve(page).boundingBox();
    await type(page, `${"U".repeat(8)}${"R".repeat(10)}FFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB`);
    await page.clock.runFor(300);
    // In letters, as they are typed.
    await notice.filter({ hasText: "10 R, 8 U: each color needs nine stickers." }).waitFor();
    await notice.filter({ hasText: "Up 9 R, right 1 R, front 3 F." }).waitFor();
    // Solve stays in its place.
    assert.deepEqual(await solve(page).boundingBox(), place);
  }));

test("on a phone, the palette stays beside the cube, and with the net, Solve and the message", async () => {
  for (const viewport of [
    { width: 390, height: 664 },
    { width: 320, height: 568 },
  ])
    await open(
      async (page) => {
        await openTab(page, "Paint");
        await page.getByRole("button", { name: "Start blank", exact: true }).click();
        await paintingState(page, "48 stickers left.");
        const palette = page.locator(".brushes");
        const bottom = async (part) => {
          const { y, height } = await part.boundingBox();
          return y + height;
        };
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        assert.ok((await bottom(palette)) <= viewport.height);
        const net = page.locator("#paint-panel .net");
        const { y } = await net.boundingBox();
        const { height } = await palette.boundingBox();
        await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), y - height);
        assert.ok((await palette.boundingBox()).y >= 0);
        assert.ok((await bottom(palette)) <= (await net.boundingBox()).y + 1);
        assert.ok((await bottom(solve(page))) <= viewport.height);
      },
      { viewport },
    );
});

test("the key P leads to the stickers, which the next key paints", () =>
  open(async (page) => {
    await page.keyboard.press("p");
    await page.keyboard.press("r");
    assert.equal(await facelet(page, 0).getAttribute("data-color"), "R");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("tabpanel", { name: "Paint" }).waitFor();
  }));

test("the palette covers nothing of the Paint tab", async () => {
  for (const [width, height] of [
    [320, 568],
    [320, 640],
    [390, 664],
    [390, 844],
    [844, 390],
  ])
    await open(
      async (page) => {
        await openTab(page, "Paint");
        const covered = await page.locator("#paint-panel > .row").evaluate((row) =>
          [...row.querySelectorAll("summary, .tight > button")]
            .filter((part) => {
              part.scrollIntoView({ block: "nearest", behavior: "instant" });
              const { x, y, width, height } = part.getBoundingClientRect();
              return !part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            })
            .map((part) => part.textContent),
        );
        assert.deepEqual(covered, []);
      },
      { viewport: { width, height }, hasTouch: true, isMobile: true },
    );
});

test("Solve says how many stickers of a painted cube are left, and leads to the first", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start blank", exact: true }).click();
    await paintingState(page, "48 stickers left.");
    const isFaulty = () => page.locator(".brushes > .faulty").isVisible();
    assert.ok(!(await isFaulty()));
    await solve(page).click();
    await paintingState(page, "✕ 48 stickers are still unpainted.");
    assert.ok(await isFaulty());
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "0");
    await facelet(page, 0).click();
    await paintingState(page, "47 stickers left.");
    assert.ok(!(await isFaulty()));
  }));

test("a cube is painted with keys alone", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start blank", exact: true }).focus();
    await page.keyboard.press("Enter");
    await paintingState(page, "48 stickers left.");
    // The tab key leads from the palette to the net.
    await page.getByRole("radio", { name: /white/ }).focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "0");
    // The cube after R, without centers.
    for (const key of "UUFUFUUF" + "RRRRRRRR" + "FFDFDFFD" + "DDBDBDDB" + "LLLLLLLL" + "UBBUBUBB")
      await page.keyboard.press(key);
    assert.equal(await shown(page), "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB");
    await solve(page).press("Enter");
    await headline(page, "1 move, proven");
  }));

test("arrows lead around the net, and Backspace clears", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    await facelet(page, 0).focus();
    for (const [key, number] of [
      ["ArrowLeft", "2"],
      ["ArrowDown", "5"],
      ["ArrowRight", "3"],
      ["End", "53"],
      ["Home", "0"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.place), number);
    }
    await page.keyboard.press("Backspace");
    await paintingState(page, "1 sticker left.");
    // Solve leads to it.
    await openTab(page, "Scramble");
    assert.equal(await page.locator("#messages").textContent(), "");
    await solve(page).click();
    await paintingState(page, "✕ 1 sticker is still unpainted.");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "0");
  }));

test("Undo brings back what was painted before something else was drawn or typed", () =>
  open(async (page) => {
    const undo = page.getByRole("button", { name: "Undo" });
    const text = scrambleField(page);
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start blank", exact: true }).click();
    await facelet(page, 0).click();
    const painted = await shown(page);
    await openTab(page, "Random");
    await page.getByRole("button", { name: "Random cube" }).click();
    await page.locator(".answer:visible").waitFor();
    await openTab(page, "Paint");
    await undo.click();
    assert.deepEqual([await shown(page), await text.inputValue()], [painted, painted]);
    await paintingState(page, "47 stickers left.");
    await type(page, "R");
    await text.pressSequentially(" U");
    await text.press("Tab");
    await text.fill("D");
    // What was typed before is a step, too.
    await openTab(page, "Paint");
    await undo.click();
    assert.equal(await text.inputValue(), "R U");
    await undo.click();
    assert.equal(await text.inputValue(), painted);
    await openTab(page, "Scramble");
    // With keys too, after which the browser has nothing to take back.
    await text.press("Control+z");
    assert.equal((await shown(page))[0], ".");
    await text.press("Control+z");
    await openTab(page, "Paint");
    assert.deepEqual([await text.inputValue(), await undo.isDisabled()], ["", true]);
  }));

test("Undo takes back a stroke of the pointer", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start blank", exact: true }).click();
    const blank = await shown(page);
    const boxes = await Promise.all([0, 1, 2, 5].map((at) => facelet(page, at).boundingBox()));
    const [first, ...others] = boxes.map(({ x, y, width }) => [x + width / 2, y + width / 2]);
    await page.mouse.move(...first);
    await page.mouse.down();
    for (const each of others) await page.mouse.move(...each);
    await page.mouse.up();
    assert.equal((await shown(page)).slice(0, 9), "UUU.UU...");
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await shown(page), blank);
  }));

test("the cube on the stage is painted and turned, and undo takes back a stroke on it", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    const middle = async (number) => {
      const { x, y, width, height } = await onStage(page, number).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const drag = async (...points) => {
      await page.mouse.move(...points[0]);
      await page.mouse.down();
      for (const point of points) await page.mouse.move(...point, { steps: 3 });
      await page.mouse.up();
    };
    await page.getByRole("radio", { name: /yellow/ }).check({ force: true });
    const [left, center, right] = await Promise.all([21, 22, 23].map(middle));
    await drag(left, center, right);
    const solved = [..."URFDLB"].map((face) => face.repeat(9)).join("");
    const painted = solved.replace("FFFFFFFFF", "FFFDFDFFF");
    assert.equal(await shown(page), painted);
    assert.equal(await scrambleField(page).inputValue(), painted);
    assert.equal(await page.locator('.solid [data-color="D"]').count(), 2);
    // Wrong pieces are marked as on the net.
    await solve(page).click();
    await page.locator(".solid .fault").first().waitFor();
    const faults = (selector) =>
      page.locator(selector).evaluateAll((all) => all.map(({ dataset }) => Number(dataset.place)));
    assert.deepEqual(
      await faults(".solid .fault .cell"),
      (await faults(".net .fault")).filter((number) => number < 27),
    );
    const isWithin = await page.locator(".solid .fault .ring").evaluateAll((rings) =>
      rings.every((ring) => {
        const box = ring.getBBox();
        const sticker = ring.parentNode.querySelector(".sticker").getBBox();
        return box.x >= sticker.x && box.width <= sticker.width;
      }),
    );
    assert.ok(isWithin);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await shown(page), solved);
    assert.equal(await page.locator('.solid [data-color="D"]').count(), 0);
    // A drag beside the cube or on a center turns it, and paints nothing.
    const { x, y } = await page.locator(".surface").boundingBox();
    await drag([x + 20, y + 20], [x + 170, y + 20]);
    const [side, front] = await middle(40);
    await drag([side, front], [side, front - 110]);
    await onStage(page, 31).waitFor();
    assert.equal(await shown(page), solved);
    // Keys, after a click, and buttons turn the cube too.
    await onStage(page, 36).click();
    assert.equal((await shown(page))[36], "D");
    await page.keyboard.press("ArrowDown");
    await onStage(page, 4).waitFor();
    await page.getByRole("button", { name: "Turn the cube left" }).dblclick();
    await onStage(page, 14).waitFor();
    await page.keyboard.press("Control+z");
    assert.equal(await shown(page), solved);
  }));

test("a stranger paints all stickers and has the cube solved, from a blank cube or a solved one", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    // The solved cube that is shown is what Solve refers to.
    await solve(page).click();
    await headline(page, /^0 moves|solved/i);
    await page.getByRole("button", { name: "Start blank", exact: true }).click();
    const wanted = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
    for (const [color, name] of Object.entries({
      U: /white/,
      R: /red/,
      F: /green/,
      D: /yellow/,
      L: /orange/,
      B: /blue/,
    })) {
      await page.getByRole("radio", { name }).check({ force: true });
      for (const [number, face] of [...wanted].entries())
        if (face === color && number % 9 !== 4) {
          const sticker = onStage(page, number);
          await ((await sticker.count()) ? sticker : facelet(page, number)).click();
        }
    }
    assert.equal(await shown(page), wanted);
    await page.getByText("Solve finds the shortest solution and proves it.").waitFor();
    await solve(page).click();
    await headline(page, "1 move, proven");
    // The cube on the stage plays it, until another one is painted.
    assert.ok(!(await page.locator(".solid").isVisible()));
    await facelet(page, 0).click();
    await page.locator(".solid").waitFor();
    // A painted cube comes back as one.
    await page.goBack();
    await page.reload();
    await page.getByRole("tabpanel", { name: "Paint" }).waitFor();
  }));

test("where no position is known, the cube is shown as far as it is, and where the solution will be", () =>
  open(async (page) => {
    const expected = page.getByText("The solution will appear here.");
    const colors = () =>
      page
        .locator(".solid .sticker")
        .evaluateAll((paths) => paths.map((path) => path.parentNode.dataset.color));
    assert.ok(!(await expected.isVisible()));
    await openTab(page, "Paint");
    await page.getByRole("button", { name: "Start blank", exact: true }).click();
    await facelet(page, 0).click();
    await paintingState(page, "47 stickers left.");
    await expected.waitFor();
    assert.deepEqual((await colors()).slice(0, 5), ["U", ".", ".", ".", "U"]);
    await type(page, "R U Q2");
    await page.locator(".notice").waitFor();
    await page.getByText("Fix the scramble first.").waitFor();
    // The cube is the one before what is wrong.
    await page.locator("twisty-player").waitFor();
    const beforeError = await shown(page);
    await type(page, "R U");
    await page.locator("#messages .notice").waitFor({ state: "detached" });
    assert.equal(await shown(page), beforeError);
    // Nothing is known of a text that begins with what is wrong.
    await type(page, "Q2 R U");
    await page.locator(".stage.idle .still").waitFor();
    assert.match(await shown(page), /^(\.{4}[URFDLB]\.{4}){6}$/);
    await type(page, "R U F");
    await page.locator("twisty-player").waitFor();
    await solve(page).click();
    await headline(page, "3 moves, proven optimal");
    assert.ok(!(await expected.isVisible()));
  }));

test("a list of positions is not taken for one, and leads to Batch", () =>
  open(async (page) => {
    const toBatch = page.getByRole("button", { name: "Solve them in Batch" });
    const lines = page.getByLabel("Positions", { exact: true }).last();
    const list = "1. R U F2 L D\n2. L2 U D2 F\n3. B2 U";
    await type(page, list);
    await page.getByText("This looks like a list of 3 positions.").waitFor();
    await toBatch.click();
    await page.waitForFunction(() => document.activeElement.textContent === "Solve all");
    assert.equal(await lines.inputValue(), list);
    // What else is there stays, unless it is solved.
    await page.goBack();
    await type(page, "R U F\nR2 U2 F2");
    await page.getByText("The 2 lines are read as one scramble.").waitFor();
    await toBatch.click();
    assert.equal(await lines.inputValue(), `${list}\nR U F\nR2 U2 F2`);
    await page.getByRole("button", { name: "Solve all" }).click();
    await headline(page, "5 of 5 solved");
    await page.goBack();
    const solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    await type(page, `${solved}\n${solved}`);
    await page.getByText("This looks like a list of 2 positions.").waitFor();
    await toBatch.click();
    assert.equal(await lines.inputValue(), `${solved}\n${solved}`);
    await page.goBack();
    await type(page, "R U F\nF2 D\nsuperflip");
    await page.getByText("This looks like a list of 3 positions.").waitFor();
    // Nor does a slip make a list with numbers one scramble.
    await type(page, "1. R U F2\n2. F2 Uq\n3. L D B");
    await page.getByText("This looks like a list of 3 positions.").waitFor();
    // A slip in one scramble is none.
    await type(page, "R U F\nR Q2");
    await page.getByText("is not a valid move").waitFor();
    assert.equal(await toBatch.count(), 0);
    const paste = (text) =>
      scrambleField(page).evaluate(
        (area, text) => ((area.value = text), area.dispatchEvent(new Event("input"))),
        text,
      );
    await paste("R U F\n".repeat(3000));
    await page.getByText("This looks like a list of 3,000 positions.").waitFor();
    await paste("R U ".repeat(5000));
    await page
      .locator(".notice", { hasText: "This text is too long for one position." })
      .filter({ hasText: "Enter at most 16,000 characters, or a list with one position per line." })
      .waitFor();
  }));

test("what is proven stays when the server is lost", () =>
  open(async (page) => {
    const events = [
      { event: "queued", id: 1, ahead: 0 },
      { event: "solution", length: 19, moves: `${"R U ".repeat(9)}R` },
      { event: "iteration-started", length: 15 },
    ];
    await page.route("**/solve", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
      }),
    );
    await ask(page, SUPERFLIP);
    await page.getByText("The search ended without a result.").waitFor();
    await headline(page, "15 to 19 moves");
    await page.getByText("Best known: 19 moves, unproven").waitFor();
    assert.ok(!(await stop(page).isVisible()));
    await page.reload();
    await page.getByText("Best known: 19 moves, unproven").waitFor();
    // Before that, nothing is known but the way back.
    await page.route("**/solve", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: "" }),
    );
    await ask(page, EASY);
    await page.getByText("The search ended without a result.").waitFor();
    assert.equal(await page.locator(".moves button").count(), 0);
  }));

test("a search that the server ends is told from one that was stopped", () =>
  open(async (page) => {
    const answer = {
      event: "answer",
      metric: "htm",
      length: null,
      lower_bound: 17,
      best_known: SUPERFLIP,
      solutions: [],
      solution_count: 0,
      complete: false,
      stop_reason: "interrupt",
      nodes: 1,
      seconds: 1,
      table: "htm-24M",
    };
    await page.route("**/solve", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `data: ${JSON.stringify(answer)}\n\n`,
      }),
    );
    await ask(page, SUPERFLIP);
    await page
      .locator(".result .notice", { hasText: "The server was stopped." })
      .filter({ hasText: "Restart it with cosette-web." })
      .waitFor();
    await headline(page, "17 to 20 moves");
  }));

test("without motion, moves are jumps", () =>
  open(
    async (page) => {
      await ask(page, EASY);
      await headline(page, "10 moves, proven optimal");
      await page.evaluate(() =>
        document
          .querySelector("twisty-player")
          .experimentalModel.coarseTimelineInfo.addFreshListener(
            ({ playing }) => (globalThis.hasTurned ||= playing),
          ),
      );
      const at = (done) =>
        page.waitForFunction(
          (done) => document.querySelector(".controls input").value === done,
          String(done),
        );
      await page.getByLabel("Speed").selectOption("12");
      await page.getByRole("button", { name: "Next move" }).click();
      await at(1);
      await page.getByRole("button", { name: "Previous move" }).click();
      await at(0);
      await page.getByRole("button", { name: "Play" }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await at(10);
      await page.getByLabel("Speed").selectOption("1.5");
      await page.getByRole("button", { name: "Play" }).click();
      await at(1);
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Play" }).waitFor();
      assert.ok(!(await page.evaluate(() => globalThis.hasTurned)));
    },
    { reducedMotion: "reduce" },
  ));

test("one button is the strong one, and none during a search", () =>
  open(async (page) => {
    const strong = () =>
      page
        .locator("button.strong:visible")
        .evaluateAll((buttons) => buttons.map(({ textContent }) => textContent.trim()));
    assert.deepEqual(await strong(), ["Solve"]);
    await ask(page, SUPERFLIP);
    await headline(page, BOUNDS);
    assert.deepEqual(await strong(), []);
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    // The search ends a moment after it has told what it knows.
    await searchAgain(page).waitFor();
    assert.deepEqual(await strong(), ["Search again"]);
    await type(page, "R U");
    await page.locator(".solve .answer").waitFor({ state: "hidden" });
    assert.deepEqual(await strong(), ["Solve"]);
    await openTab(page, "Random");
    assert.deepEqual(await strong(), ["Random cube"]);
    await page.route("**/random", (route) => route.fulfill({ json: { scramble: SUPERFLIP } }));
    await page.keyboard.press("r");
    await headline(page, BOUNDS);
    await page.getByRole("button", { name: "Another random cube" }).waitFor();
    assert.deepEqual(await strong(), []);
  }));

test("a cube that no moves reach is told why", () =>
  open(async (page) => {
    await type(page, "UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB");
    await page.locator(".notice", { hasText: "One edge is flipped" }).waitFor();
    assert.equal(await page.locator(".net .fault").count(), 0);
    await type(page, "R U Q2");
    await page.locator(".quote mark", { hasText: "Q" }).waitFor();
  }));

test("Solve without a position says so at the field, and leads there", () =>
  open(async (page) => {
    for (let times = 0; times < 2; times += 1) {
      await solve(page).click();
      await page.locator("#messages", { hasText: "No position entered" }).waitFor();
      assert.ok(await scrambleField(page).evaluate((field) => field === document.activeElement));
      assert.equal(await page.locator(".notice:visible").count(), 1);
    }
    await page.keyboard.type("R U");
    await page.locator(".notice").waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await headline(page, "2 moves, proven optimal");
  }));

test("white space alone is an empty field", () =>
  open(
    async (page) => {
      await headline(page, "proven optimal");
      const example = await scrambleField(page).getAttribute("placeholder");
      await scrambleField(page).fill(" \n");
      await headline(page, "proven optimal");
      await solve(page).click();
      await page.waitForURL(/position=/);
      assert.equal(await scrambleField(page).inputValue(), example);
    },
    { saveData: false },
  ));

test("a search is stopped, and says what is proven", () =>
  open(async (page) => {
    await ask(page, SUPERFLIP);
    await headline(page, BOUNDS);
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    await page.locator(".claim", { hasText: /^Best known: .* unproven$/ }).waitFor();
    // The upper bound is the length of the solution shown, and of no other; one above twenty would be no news.
    const { length } = await moves(page);
    assert.equal(
      await page.locator(".claim").textContent(),
      `Best known: ${length} moves, unproven`,
    );
    assert.match(
      await page.locator(".answer .headline").textContent(),
      length > 20 ? /^At least \d+ moves$/ : new RegExp(`^\\d+ to ${length} moves$`),
    );
    // A new search begins from the start.
    await searchAgain(page).click();
    await stop(page).waitFor();
    await headline(page, BOUNDS);
  }));

test("during a search, Stop is in the place of Solve, and on a phone beside the result", async () => {
  await open(async (page) => {
    await type(page, SUPERFLIP);
    const place = await solve(page).boundingBox();
    // The second click does not stop the search.
    await solve(page).dblclick();
    await headline(page, BOUNDS);
    assert.deepEqual(await stop(page).boundingBox(), place);
    await page.keyboard.press("Enter");
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    await searchAgain(page).waitFor();
    assert.deepEqual(await searchAgain(page).boundingBox(), place);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Search again");
  });
  await open(
    async (page) => {
      await ask(page, SUPERFLIP);
      await headline(page, BOUNDS);
      await page.waitForFunction(
        () => Math.abs(document.querySelector(".result").getBoundingClientRect().top) < 20,
      );
      const { y, height } = await stop(page).boundingBox();
      assert.ok(height >= 44 && y > 0 && y + height <= 844, `${y}, ${height}`);
      // The page ends above it.
      const covered = await page.evaluate(() => {
        scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
        const [footer, bar] = ["footer", ".act"].map((part) =>
          document.querySelector(part).getBoundingClientRect(),
        );
        return footer.bottom - bar.top;
      });
      assert.ok(covered <= 0, String(covered));
      // The moves and the player stay in their places.
      const distances = () =>
        page.evaluate(() => {
          const [lengths, moves, controls] = [".lengths", ".moves", ".controls"].map((part) =>
            document.querySelector(part).getBoundingClientRect(),
          );
          return [moves.top - lengths.bottom, controls.top - moves.bottom].map(Math.round);
        });
      await page.locator(".controls").waitFor();
      const before = await distances();
      await stop(page).click();
      await page.locator(".details", { hasText: "Stopped" }).waitFor();
      assert.deepEqual(await distances(), before);
      await page.waitForFunction(() => document.activeElement.className === "card result");
      // The way on is beside the result.
      await page.locator(".result").getByRole("button", { name: "Search again" }).click();
      await stop(page).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.className), "card result");
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  );
});

test("after a reload in the middle the search goes on", () =>
  open(async (page) => {
    await ask(page, SUPERFLIP);
    await headline(page, BOUNDS);
    await page.reload();
    await headline(page, BOUNDS);
    assert.equal(await scrambleField(page).inputValue(), SUPERFLIP);
    await stop(page).click();
    await page.locator(".details", { hasText: "Stopped" }).waitFor();
    // A stopped search stays stopped.
    await page.reload();
    await searchAgain(page).waitFor();
    await page.waitForTimeout(500);
    assert.ok(await searchAgain(page).isEnabled());
    // The search of the closed page has ended.
    const { searches } = await page.evaluate(async () => (await fetch("/api/v1/health")).json());
    assert.equal(searches, 0);
  }));

test("another position ends the search of the one before", () =>
  open(async (page) => {
    await ask(page, SUPERFLIP);
    await headline(page, BOUNDS);
    await type(page, "R U");
    await page.locator(".solve .answer").waitFor({ state: "hidden" });
    await solve(page).click();
    await headline(page, "2 moves, proven");
  }));

test("the slider counts moves, and says so", () =>
  open(async (page) => {
    await type(page, EASY);
    await scrambleField(page).press("Enter");
    await headline(page, "10 moves, proven optimal");
    const slider = page.getByLabel("Position in the solution");
    for (const said of ["1 of 10 moves", "2 of 10 moves", "3 of 10 moves"]) {
      await slider.press("ArrowRight");
      await page.locator(`input[aria-valuetext="${said}"]`).waitFor();
    }
    await slider.press("End");
    await page.locator('input[aria-valuetext="10 of 10 moves"]').waitFor();
    // A click on a move goes there, and the next move is marked.
    await page.locator(".moves button").nth(4).click();
    await page.locator('input[aria-valuetext="4 of 10 moves"]').waitFor();
    assert.deepEqual(await page.locator(".moves .next").allTextContents(), [
      (await moves(page))[4],
    ]);
    // Each click is a move, though the one before is still turning.
    for (const name of ["Next move", "Next move", "Next move", "Previous move"])
      await page.getByRole("button", { name }).click();
    await page.locator('input[aria-valuetext="6 of 10 moves"]').waitFor();
    await slider.press("End");
    await page.locator('input[aria-valuetext="10 of 10 moves"]').waitFor();
    // With keys, Play is reached without a stop at each move.
    await page.locator("summary", { hasText: "Other input formats" }).focus();
    await page.keyboard.press("Tab");
    assert.equal(
      await page.evaluate(() => document.activeElement.closest(".controls") !== null),
      true,
    );
    assert.ok(await page.getByRole("button", { name: "Go to end" }).isDisabled());
  }));

test("a solution that plays is kept if the answer has an equally short one", () =>
  open(async (page) => {
    let release;
    await page.route("**/solve", async (route) => {
      await new Promise((resolve) => (release = resolve));
      const response = await route.fetch();
      // The answer has the two turns in the other order.
      const body = (await response.text()).replace(/\b(\w'?) (\w'?)(?=")/g, "$2 $1");
      await route.fulfill({ response, body });
    });
    await ask(page, "R L'");
    await page.locator(".controls").waitFor();
    const before = await moves(page);
    await page.getByRole("button", { name: "Go to end" }).click();
    while (!release) await page.waitForTimeout(20);
    release();
    await headline(page, "2 moves, proven optimal");
    assert.deepEqual(await moves(page), before);
    assert.equal(await place(page), 1);
  }));

test("an only shortest solution is called so", () =>
  open(async (page) => {
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    await page.getByLabel("Optimal solutions").selectOption("all");
    await type(page, "R U F");
    await scrambleField(page).press("Enter");
    await headline(page, "3 moves, proven optimal");
    await page.getByText("The only optimal solution").waitFor();
    await type(page, "R2 L2 U2 D2");
    await scrambleField(page).press("Enter");
    await page.getByText(/^One of \d+ optimal solutions$/).waitFor();
  }));

test("a position and its options are in the address, and in the history with their answers", () =>
  open(async (page) => {
    await page.goto(`${server.address}/?position=R+U+F&count=all`);
    await headline(page, "3 moves, proven optimal");
    await page.getByText("The only optimal solution").waitFor();
    await type(page, "R U");
    await page.waitForURL(/position=R\+U&count=all$/);
    await solve(page).click();
    await headline(page, "2 moves, proven optimal");
    await page.goBack();
    await headline(page, "3 moves, proven optimal");
    assert.deepEqual(
      [await scrambleField(page).inputValue(), new URL(page.url()).search],
      ["R U F", "?position=R+U+F&count=all"],
    );
    await page.goForward();
    await headline(page, "2 moves, proven optimal");
    // A reload has the answer without another search.
    await page.route("**/solve", (route) => route.abort());
    await page.reload();
    await headline(page, "2 moves, proven optimal");
    // What is entered before the position is checked again has another.
    const held = [];
    await page.route("**/position", (route) => void held.push(route));
    await page.reload();
    await type(page, "R U F");
    while (held.length < 2) await page.waitForTimeout(20);
    for (const route of held) await route.continue();
    await page.unroute("**/position");
    await page.waitForURL(/position=R\+U\+F&count=all$/);
    assert.ok(!(await page.locator(".answer").isVisible()));
    // The address has no place for a text so long, nor for its answer.
    await page.unroute("**/solve");
    await ask(page, "R2 R2 ".repeat(700));
    await headline(page, "Already solved");
    assert.equal(await page.locator(".proof").count(), 0);
    await page.reload();
    await page.getByText("The shortest solution to any scramble").waitFor();
    assert.ok(!(await page.locator(".answer").isVisible()));
  }));

test("going back shows the tab of the entry", () =>
  open(async (page) => {
    await ask(page, "R U2 F' L2 D");
    await headline(page, "5 moves, proven optimal");
    await page.route("**/random", (route) => route.fulfill({ json: { scramble: "R U F" } }));
    await openTab(page, "Paint");
    await page.keyboard.press("r");
    await headline(page, "3 moves, proven optimal");
    await page.goBack();
    await headline(page, "5 moves, proven optimal");
    assert.equal(await scrambleField(page).inputValue(), "R U2 F' L2 D");
    assert.ok(await scrambleField(page).isVisible());
    await page.goForward();
    await headline(page, "3 moves, proven optimal");
    await page.getByRole("tabpanel", { name: "Random" }).waitFor();
  }));

test("other views leave the search, the options and the history as they are", () =>
  open(async (page) => {
    const visit = (name) => page.getByRole("link", { name, exact: true }).click();
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    const metric = page.getByLabel("Metric").first();
    await metric.selectOption("qtm");
    await page.getByText("Metric and limits: QTM, one solution").waitFor();
    await visit("Tables");
    await visit("Solve");
    assert.equal(await metric.inputValue(), "qtm");
    await metric.selectOption("htm");
    await ask(page, SUPERFLIP);
    await headline(page, BOUNDS);
    await visit("Tables");
    await visit("Solve");
    await stop(page).click();
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    // What is stopped stays stopped.
    await visit("Tables");
    await visit("Solve");
    await page.reload();
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    await page.waitForTimeout(300);
    assert.ok(await searchAgain(page).isEnabled());
    // An answer that comes while another view is shown is there on the way back.
    let release;
    await page.route("**/solve", (route) => (release = () => route.continue()));
    await ask(page, "R2 L2 U2 D2");
    await page.getByText("Starting …").waitFor();
    await visit("Tables");
    release();
    await page.unroute("**/solve");
    await page.waitForFunction(
      () => document.querySelector(".headline")?.textContent === "4 moves, proven optimal",
    );
    await page.goBack();
    await headline(page, "4 moves, proven optimal");
    assert.ok(await solve(page).isEnabled());
    // Back leads through the views as well.
    await ask(page, EASY);
    await headline(page, "10 moves, proven optimal");
    await page.goBack();
    await headline(page, "4 moves, proven optimal");
    await page.goBack();
    await page.locator(".details", { hasText: /^Stopped; / }).waitFor();
    await page.goBack();
    await page.locator("[data-table]").first().waitFor();
  }));

test("an answer is shown with the options of its search alone", () =>
  open(async (page) => {
    let release;
    await page.route("**/solve", (route) => (release = () => route.continue()));
    await type(page, "R2 L2 U2 D2");
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    const count = page.getByLabel("Optimal solutions");
    await page.getByLabel("Search up to (moves)").first().press("Enter");
    await page.getByText("Starting …").waitFor();
    assert.ok(await count.isDisabled());
    // Who has asked from there can stop it.
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Stop");
    release();
    await headline(page, "4 moves, proven optimal");
    assert.equal(await page.locator(".claim").textContent(), "");
    await count.selectOption("all");
    await page.locator(".solve .answer").waitFor({ state: "hidden" });
    await page.waitForURL(/count=all$/);
    await page.goBack();
    await headline(page, "4 moves, proven optimal");
    assert.equal(await count.inputValue(), "1");
    // Also where the same was chosen again in between.
    await count.selectOption("all");
    await page.waitForURL(/count=all$/);
    await count.selectOption("1");
    await page.waitForURL((url) => !url.search.includes("count"));
    await page.locator(".solve .answer").waitFor({ state: "hidden" });
    await page.goBack();
    await headline(page, "4 moves, proven optimal");
    // A search that is refused leaves no solution of the one before.
    await page.unroute("**/solve");
    await page.route("**/solve", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: 'data: {"event":"refused","error":"there is too little memory"}\n\n',
      }),
    );
    await solve(page).click();
    await page.locator(".notice", { hasText: "too little memory" }).waitFor();
    assert.equal(await page.locator(".moves button").count(), 0);
  }));

test("what is entered during a search on a phone keeps the focus", () =>
  open(
    async (page) => {
      await page.route("**/solve", () => undefined);
      await ask(page, SUPERFLIP);
      await page.getByText("Starting …").waitFor();
      // The numbers of the bounds fit.
      const scale = page.locator(".lengths li");
      assert.equal(await scale.count(), 21);
      assert.deepEqual(await cutNumbers(page), []);
      const text = scrambleField(page);
      await text.fill("");
      await text.pressSequentially("R U F", { delay: 250 });
      assert.deepEqual(
        [await text.inputValue(), await page.evaluate(() => document.activeElement.tagName)],
        ["R U F", "TEXTAREA"],
      );
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ));

test("after a check without an answer, the next one is asked for", () =>
  open(
    async (page, context) => {
      // Older browsers cannot join two signals.
      await context.addInitScript(() => delete AbortSignal.any);
      await page.reload();
      await page.route("**/position", (route) => route.abort());
      await type(page, EASY);
      await page.getByText("The server does not respond.").waitFor();
      // A scramble is drawn without a server.
      const drawn = await shown(page);
      assert.equal(drawn, "UDFBUFRDRDLLFRRRLRUFFUFUUBULUFUDDDDDFLBRLLLRBDRLFBBBBB");
      assert.ok(await page.locator("twisty-player").isVisible());
      // No other cube is shown as that of another text.
      await type(page, "M E S");
      await page.locator(".stage.idle .still").waitFor();
      assert.match(await shown(page), /^(\.{4}[URFDLB]\.{4}){6}$/);
      assert.ok(!(await page.locator("twisty-player").isVisible()));
      await type(page, EASY);
      await page.locator("twisty-player").waitFor();
      await page.unroute("**/position");
      await solve(page).click();
      await headline(page, "10 moves, proven optimal");
      assert.equal(await shown(page), drawn);
      // A random position that comes late does not replace what was entered.
      let release;
      await page.route("**/random", (route) => (release = () => route.continue()));
      await openTab(page, "Random");
      await page.getByRole("button", { name: "Random cube" }).click();
      await type(page, "R U");
      release();
      await page.waitForTimeout(300);
      assert.equal(await scrambleField(page).inputValue(), "R U");
    },
    { expected: /ERR_FAILED/ },
  ));

test("a search that has just ended is not given up when it is stopped, and only the first button paints", () =>
  open(
    async (page) => {
      await openTab(page, "Paint");
      await facelet(page, 0).click({ button: "right" });
      assert.equal((await shown(page))[0], "U");
      await page.getByRole("radio", { name: /yellow/ }).check({ force: true });
      await facelet(page, 0).click({ button: "right" });
      assert.equal((await shown(page))[0], "U");
      await facelet(page, 0).click();
      assert.equal((await shown(page))[0], "D");
      await page.route("**/solves/*", (route) =>
        route.fulfill({
          status: 404,
          contentType: "application/json",
          body: '{"error":"there is no such search"}',
        }),
      );
      await ask(page, SUPERFLIP);
      await headline(page, BOUNDS);
      await stop(page).click();
      await page.waitForTimeout(500);
      await headline(page, BOUNDS);
      await type(page, "R");
      await page.locator(".headline", { hasText: BOUNDS }).waitFor({ state: "hidden" });
    },
    { expected: /status of 404/ },
  ));

test("an answer is copied, linked to, opened at Twizzle and presented", () =>
  open(
    async (page) => {
      await ask(page, EASY);
      await headline(page, "10 moves, proven optimal");
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByText("Copied").waitFor();
      assert.equal(await clipboard(), (await moves(page)).join(" "));
      await page.getByRole("button", { name: "Share" }).click();
      const dialog = page.getByRole("dialog", { name: "Share this answer" });
      // Nobody else can open that link.
      await dialog
        .getByText(
          "The link works only on this machine: send others the image, or copy the scramble for them.",
        )
        .waitFor();
      assert.equal(await dialog.getByRole("img", { name: /QR/ }).count(), 0);
      for (const [name, expected] of [
        ["link", page.url()],
        ["scramble", EASY],
      ]) {
        await dialog.getByRole("button", { name: `Copy ${name}` }).click();
        await dialog.getByText(`${name[0].toUpperCase()}${name.slice(1)} copied.`).waitFor();
        assert.equal(await clipboard(), expected);
      }
      await page.keyboard.press("Escape");
      const twizzle = new URL(
        await page.getByRole("link", { name: /^Twizzle/ }).getAttribute("href"),
      );
      assert.deepEqual(
        [twizzle.host, twizzle.searchParams.get("alg")],
        ["alpha.twizzle.net", (await moves(page)).join(" ")],
      );
      assert.ok(twizzle.searchParams.get("setup-alg").length > 0);
      await page.getByRole("button", { name: "Full screen" }).click();
      const [cube, window] = [
        await page.locator("twisty-player").boundingBox(),
        await page.evaluate(() => ({ width: innerWidth, height: innerHeight })),
      ];
      assert.ok(
        cube.height > window.height / 2 && cube.width > 0.8 * window.width,
        JSON.stringify(cube),
      );
      assert.ok(!(await scrambleField(page).isVisible()));
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.querySelector(".controls input").value === "1");
      await page.keyboard.press("Escape");
      await scrambleField(page).waitFor();
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("on small phones, the buttons of the net are one row, and the cube fills a presentation", () =>
  open(
    async (page) => {
      await openTab(page, "Paint");
      const tops = await page
        .locator(".look + .row button")
        .evaluateAll((buttons) => buttons.map((each) => each.getBoundingClientRect().y));
      assert.equal(tops.length, 3);
      assert.equal(new Set(tops).size, 1);
      await ask(page, EASY);
      await headline(page, "10 moves, proven optimal");
      await page.getByRole("button", { name: "Full screen" }).click();
      const cube = page.locator("twisty-player");
      assert.ok((await cube.boundingBox()).height > 150);
      await page.setViewportSize({ width: 844, height: 390 });
      const [play, slider] = await Promise.all(
        [".play", "input"].map((part) => page.locator(`.controls ${part}`).boundingBox()),
      );
      assert.equal(play.y + play.height / 2, slider.y + slider.height / 2);
      assert.ok(await page.locator(".controls select").isHidden());
      assert.ok((await cube.boundingBox()).height > 300);
    },
    { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  ));

test("a presentation is led with the keys of a clicker, and left with back", () =>
  open(async (page) => {
    await ask(page, EASY);
    await headline(page, "10 moves, proven optimal");
    await ask(page, "R U F2 L");
    await headline(page, "4 moves, proven optimal");
    const address = page.url();
    const at = (done) =>
      page.waitForFunction(
        (done) => document.querySelector(".controls input").value === done,
        String(done),
      );
    const isPresented = () =>
      page.evaluate(() => document.documentElement.classList.contains("presenting"));
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    await page.keyboard.press("f");
    for (const [key, done] of [
      ["PageDown", 1],
      ["PageDown", 2],
      ["PageUp", 1],
      ["End", 4],
      ["Home", 0],
    ]) {
      await page.keyboard.press(key);
      await at(done);
    }
    // The space bar plays, even after a click on another button.
    await page.keyboard.press("Space");
    await at(4);
    await page.getByRole("button", { name: "Go to start" }).click();
    await at(0);
    await page.keyboard.press("ArrowRight");
    await at(1);
    await page.keyboard.press("Space");
    await at(4);
    assert.ok(await isPresented());
    // The cube and the moves have the window to themselves.
    assert.ok(!(await page.locator(".special").isVisible()));
    // The list of keys is above them, and its keys do not lead them.
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Full screen, and back").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await at(4);
    assert.ok(await isPresented());
    await page.goBack();
    assert.deepEqual(
      [await isPresented(), page.url(), await scrambleField(page).inputValue()],
      [false, address, "R U F2 L"],
    );
    // "Exit", which F presses, takes its own entry out of the history; a slider handles no letters.
    await page.getByRole("button", { name: "Full screen" }).click();
    await page.getByRole("button", { name: "Exit" }).waitFor();
    await page.locator(".controls input").focus();
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "Full screen" }).waitFor();
    await page.waitForTimeout(200);
    await page.goBack();
    await headline(page, "10 moves, proven optimal");
  }));

test("options that are not possible are shown, also those of a link", () =>
  open(async (page) => {
    const options = page.locator("summary", { hasText: "Metric and limits" });
    await type(page, "R U");
    await options.click();
    await page.getByLabel("Search up to (moves)").first().fill("27");
    await options.click();
    await solve(page).click();
    assert.equal(await page.evaluate(() => document.activeElement.max), "26");
    const wrong = page.getByText("Enter a number of moves from 0 to 26.");
    await wrong.waitFor();
    await page.getByLabel("Search up to (moves)").first().fill("");
    await wrong.waitFor({ state: "hidden" });
    await solve(page).click();
    await headline(page, "2 moves, proven optimal");
    for (const [parameters, said] of [
      ["max_length=-4", "ax_length must be a number of moves from 0 to 26"],
      [
        "metric=xyz&count=foo",
        "etric must be one of htm, qtm, stm, qstm, etm; count must be one of 1, 10, 100, 1000, all, prefer",
      ],
      ["timeout=0", "imeout must be a number of seconds, at least 0.1"],
    ]) {
      await page.goto(`${server.address}/?position=R+U+F2&${parameters}`);
      // Sentences begin with a capital letter.
      await page
        .locator(".notice", { hasText: "Invalid option in the address" })
        .filter({ hasText: `${said}; Solve ignores it` })
        .waitFor();
      assert.ok(!(await page.locator(".answer").isVisible()));
      await solve(page).click();
      await headline(page, "3 moves, proven optimal");
      assert.equal(page.url(), `${server.address}/?position=R+U+F2`);
    }
  }));

test("what is wrong with facelets is said in letters beside the text, and in colors beside the net", () =>
  open(async (page) => {
    const notice = page.locator("#messages .notice").first();
    await type(page, "UUUUUUUUFRRRRRRRRRUFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB");
    await notice.filter({ hasText: "URF" }).waitFor();
    // Solve leads to the marks.
    await solve(page).click();
    await page.getByRole("tabpanel", { name: "Paint" }).waitFor();
    await notice.filter({ hasText: "these three stickers" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "messages");
  }));

test("errors name what can be done on the page, not options of programs", () =>
  open(async (page) => {
    for (const [text, remedy] of [
      [
        "UUUUUUUU",
        "Write all 54 facelets without spaces, or repeated moves with amounts, as in U2.",
      ],
      [
        "UUUUUUUUUFFFLLLLLLRRRFFFFFFDDDDDDDDDBBBRRRRRRLLLBBBBBB",
        "Write colors instead of letters of faces.",
      ],
    ]) {
      await type(page, text);
      await page.locator("#messages .notice", { hasText: remedy }).waitFor();
      assert.doesNotMatch(await page.locator("#messages").textContent(), /--|programs/);
    }
    await type(page, "U2 U2 U2 U2");
    await page.locator("#messages .notice").waitFor({ state: "detached" });
  }));

test("moves on several lines are one scramble, which is said", () =>
  open(async (page) => {
    await type(page, "R U # two moves\n\n// and one more\nF2");
    await page.getByText("The 2 lines are read as one scramble.").waitFor();
    await solve(page).click();
    await headline(page, "3 moves, proven optimal");
    await type(page, "R U F2 # three moves");
    await page.getByText("are read as one scramble").waitFor({ state: "hidden" });
    await type(page, "(UR UF)(URF UFL)");
    await page.getByText("may be cycles of pieces or single moves").first().waitFor();
  }));

test("after moves that turn the whole cube, it is shown as it is held", () =>
  open(async (page) => {
    await type(page, "x2 R U");
    await page.getByText("The moves rotate the whole cube (x2).").waitFor();
    const setup = () =>
      page
        .locator("twisty-player")
        .evaluate(async (player) => (await player.experimentalModel.setupAlg.get()).alg.toString());
    assert.match(await setup(), /^x2 /);
    await solve(page).click();
    await headline(page, "2 moves, proven optimal");
    await page.getByText("Hold the cube with yellow on top, blue in front.").waitFor();
    assert.deepEqual(await moves(page), ["U'", "R'"]);
    await type(page, "R U");
    await page.getByText("The moves rotate the whole cube").waitFor({ state: "hidden" });
    assert.doesNotMatch(await setup(), /x/);
  }));

test("what is special is said in whole words", () =>
  open(async (page) => {
    const special = page.locator(".special li");
    for (const [text, expected] of [
      [
        "U2 R2",
        [
          "2 symmetries: the identity, 1 mirror image",
          "order 6: repeat the scramble 6 times and the cube is solved",
          "every solution has an even number of quarter turns",
        ],
      ],
      [
        "R U F",
        [
          "order 80: repeat the scramble 80 times and the cube is solved",
          "every solution has an odd number of quarter turns",
        ],
      ],
    ]) {
      await ask(page, text);
      await special.filter({ hasText: expected[1] }).waitFor();
      const said = await special.allTextContents();
      assert.deepEqual(
        said.filter((text) => !text.startsWith("same as its own inverse")),
        expected,
      );
    }
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    await page.getByLabel("Optimal solutions").selectOption("all");
    await solve(page).click();
    await ask(page, "R2 U2 R2 U2 R2");
    await special.filter({ hasText: "both optimal solutions begin with one of R2 L2" }).waitFor();
  }));

test("other machines are shown the address and the token, and linked to that address", () =>
  open(
    async (page) => {
      const button = page.getByRole("button", { name: "Connect other devices" });
      await page.waitForLoadState("networkidle");
      assert.ok(!(await button.isVisible()), "this server is for its own machine");
      await page.route("**/api/v1/sharing", (route) =>
        route.fulfill({ json: { address: "http://192.168.1.5:7217", token: "class-room-5" } }),
      );
      await page.reload();
      await button.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("http://192.168.1.5:7217", { exact: true }).waitFor();
      await dialog.getByText("class-room-5", { exact: true }).waitFor();
      const code = await dialog.getByRole("img").boundingBox();
      assert.ok(code.width > 300 && Math.abs(code.width - code.height) < 2, JSON.stringify(code));
      await page.keyboard.press("Escape");
      await ask(page, "R U");
      await headline(page, "2 moves, proven optimal");
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByText("Link copied.").waitFor();
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        "http://192.168.1.5:7217/?position=R+U",
      );
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("with colors of the user's, facelets and bounds are told apart", () =>
  open(
    async (page) => {
      const backgrounds = (selector) =>
        page
          .locator(selector)
          .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
      assert.equal(new Set(await backgrounds(".net .facelet")).size, 6);
      assert.equal(new Set(await backgrounds(".swatch .facelet")).size, 7);
      await ask(page, "R U F");
      await headline(page, "3 moves, proven optimal");
      const cells = await backgrounds(".lengths li");
      assert.equal(new Set(cells.slice(0, 3)).size, 1);
      assert.notEqual(cells[2], cells[3]);
      const [text, behind] = await solve(page).evaluate((button) => [
        getComputedStyle(button).color,
        getComputedStyle(button).backgroundColor,
      ]);
      assert.notEqual(text, behind);
    },
    { forcedColors: "active" },
  ));

test("the cube has the colors of the net, in either theme", () =>
  open(async (page) => {
    await page.locator("twisty-player").waitFor();
    const bodies = new Set();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`[data-theme="${colorScheme}"]`).waitFor();
      const expected = await page.evaluate(() =>
        ["--U", "--F", "--R", "--body"].map((name) =>
          getComputedStyle(document.documentElement).getPropertyValue(name),
        ),
      );
      bodies.add(expected.at(-1));
      await page.waitForFunction(async (expected) => {
        const player = document.querySelector("twisty-player");
        const cube = await player.experimentalCurrentThreeJSPuzzleObject();
        const colors = new Set();
        cube.traverse(
          (part) =>
            part.material &&
            colors.add(
              `#${[part.material.color.r, part.material.color.g, part.material.color.b]
                .map((c) =>
                  Math.round(255 * c)
                    .toString(16)
                    .padStart(2, "0"),
                )
                .join("")}`,
            ),
        );
        return expected.every((color) => colors.has(color));
      }, expected);
    }
    // On dark paper, the body is lighter.
    assert.equal(bodies.size, 2);
  }));

test("the empty page has patterns that look as they are painted, and are solved", () =>
  open(async (page) => {
    const [entered, asked] = [new Set(), []];
    await page.route(
      "**/solve",
      (route) => void asked.push(route.request().postDataJSON().position),
    );
    await openTab(page, "Patterns");
    const patterns = await page
      .getByRole("tabpanel", { name: "Patterns" })
      .getByRole("button")
      .all();
    for (const pattern of patterns) {
      // After the body come the upper, the right and the front side.
      const drawn = await pattern
        .locator("path")
        .evaluateAll(([, ...all]) => all.map((path) => path.getAttribute("fill").at(-2)).join(""));
      await pattern.click();
      await page.waitForFunction(
        (drawn) =>
          [...document.querySelectorAll("#paint-panel .net .facelet")]
            .map(({ dataset }) => dataset.color)
            .join("")
            .startsWith(drawn),
        drawn,
      );
      assert.equal(drawn.length, 27);
      const pressed = page.locator(".gallery [aria-pressed=true]");
      assert.equal(await pressed.textContent(), await pattern.textContent());
      await page.getByText("Starting …").waitFor();
      entered.add(await scrambleField(page).inputValue());
    }
    assert.equal(entered.size, 10);
    // A name that is typed means the pattern.
    await type(page, "superflip");
    await page.waitForFunction(
      (moves) => document.querySelector("textarea").value === moves,
      [...entered].at(-1),
    );
    for (const moves of entered) assert.ok(asked.includes(moves), moves);
  }));

test("on the empty page an example is proven, which Solve enters and which gives way to what is entered", () =>
  open(
    async (page) => {
      // Once the table is ready.
      await page.waitForFunction(async () =>
        (await (await fetch("/api/v1/tables")).json()).tables.some(
          ({ next, state }) => next && state === "ready",
        ),
      );
      await page.reload();
      const text = scrambleField(page);
      await headline(page, /^1\d moves, proven optimal$/);
      const example = await text.getAttribute("placeholder");
      assert.deepEqual(
        [await text.inputValue(), example.split(" ").length, new URL(page.url()).search],
        ["", 14, ""],
      );
      await page.getByText("The shortest solution to any scramble").waitFor();
      assert.equal(await page.locator(".proof").count(), 0);
      // It is solved as the options say.
      await page.locator("summary", { hasText: "Solve: " }).click();
      await page.locator("summary", { hasText: "More goals" }).click();
      await page.getByRole("radio", { name: "EOLine" }).check({ force: true });
      await headline(page, /^EOLine: \d moves, proven optimal$/);
      assert.equal(await text.getAttribute("placeholder"), example);
      await page.getByRole("radio", { name: "Solved", exact: true }).check({ force: true });
      await headline(page, /^1\d moves, proven optimal$/);
      await type(page, "R U");
      await page.locator(".solve .answer").waitFor({ state: "hidden" });
      await solve(page).click();
      await headline(page, "2 moves, proven optimal");
      await page.goto(server.address);
      await headline(page, /^1\d moves, proven optimal$/);
      await solve(page).click();
      await page.locator(".actions").waitFor();
      assert.equal((await text.inputValue()).split(" ").length, 14);
      await page.waitForURL(/position=/);
    },
    { saveData: false },
  ));

test("nothing moves while the page is loaded and its example is proven", async () => {
  for (const width of [390, 1440])
    await open(
      async (page) => {
        // The table is ready then.
        await ask(page, EASY);
        await headline(page, "10 moves, proven optimal");
        await page.addInitScript(() => {
          globalThis.shift = 0;
          new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) globalThis.shift += value;
          }).observe({ type: "layout-shift", buffered: true });
        });
        await page.goto(server.address);
        await headline(page, /^1\d moves, proven optimal$/);
        await page.locator(".still").waitFor({ state: "hidden" });
        const shift = await page.evaluate(() => globalThis.shift);
        assert.ok(shift < 0.02, `${shift} at ${width} px`);
      },
      { viewport: { width, height: 844 }, saveData: false },
    );
});

test("the number of an example is in the middle until its seal comes, which is played once", () =>
  open(
    async (page) => {
      await headline(page, /^1\d moves, proven optimal$/);
      const motions = () =>
        page
          .locator(".answer")
          .evaluate((answer) => answer.getAnimations({ subtree: true }).length);
      const offset = await page.locator(".answer").evaluate((answer) => {
        for (const motion of answer.getAnimations({ subtree: true })) {
          motion.pause();
          motion.currentTime = 0;
        }
        const number = document.createRange();
        number.setStart(answer.querySelector(".headline"), 0);
        number.setEndBefore(answer.querySelector(".headline .hidden"));
        const [box, line] = [number, answer.querySelector(".lengths")].map((part) =>
          part.getBoundingClientRect(),
        );
        return (box.left + box.right - line.left - line.right) / 2;
      });
      assert.ok(Math.abs(offset) < 4, String(offset));
      assert.ok((await motions()) > 0);
      for (const view of ["batch", "solve"]) {
        await page.evaluate((view) => (location.hash = view), view);
        await page.locator(`nav [href="#${view}"][aria-current]`).waitFor();
      }
      await headline(page, /^1\d moves, proven optimal$/);
      assert.equal(await motions(), 0);
    },
    { saveData: false, viewport: { width: 390, height: 844 } },
  ));

test("the player stays in its place while the search waits, runs and ends", async () => {
  for (const width of [320, 390, 1440])
    await open(
      async (page) => {
        await page.evaluate(() => {
          globalThis.tops = { before: new Set(), after: new Set() };
          new MutationObserver(() => {
            const player = document.querySelector(".controls");
            if (!player.checkVisibility()) return;
            const { top } = document.querySelector(".result").getBoundingClientRect();
            const when = document.querySelector(".answer.proven") ? "after" : "before";
            globalThis.tops[when].add(Math.round(player.getBoundingClientRect().top - top));
          }).observe(document.querySelector(".result"), {
            childList: true,
            subtree: true,
            characterData: true,
          });
        });
        await ask(page, "F R2 F D2 L' B2 L2 F L' B L2 B' D' F");
        await headline(page, "14 moves, proven optimal");
        const [before, after] = await page.evaluate(() =>
          [globalThis.tops.before, globalThis.tops.after].map((tops) => [...tops]),
        );
        assert.equal(before.length, 1, String(before));
        assert.deepEqual(after, before);
      },
      { viewport: { width, height: 844 } },
    );
});

test("an example is shown without moves until it is proven", () =>
  open(
    async (page) => {
      let release;
      await page.route("**/tables", async (route) => {
        const response = await route.fetch();
        const tables = await response.json();
        for (const table of tables.tables) if (table.next) table.state = "ready";
        await route.fulfill({ json: tables });
      });
      await page.route("**/solve", (route) => (release = () => route.continue()));
      await page.addInitScript(() => {
        // What is shown at any time.
        globalThis.labels = new Set();
        new MutationObserver(() => {
          for (const label of document.querySelectorAll(".example-label"))
            if (label.checkVisibility()) globalThis.labels.add(label.textContent);
        }).observe(document, { childList: true, subtree: true, attributes: true });
      });
      await page.reload();
      await page.locator(".example-label", { hasText: /^Example: (\S+ ){13}\S+$/ }).waitFor();
      // Its inverse is known, though no more.
      const known = await page.locator(".moves button").count();
      assert.ok(known > 0 && known <= 14, String(known));
      assert.ok(!(await page.locator(".moves").isVisible()));
      assert.ok(!(await page.getByRole("button", { name: "Play" }).isVisible()));
      while (!release) await page.waitForTimeout(20);
      release();
      await headline(page, /^1\d moves, proven optimal$/);
      assert.ok(await page.locator(".moves").isVisible());
      assert.equal(await page.evaluate(() => globalThis.labels.size), 1);
    },
    { saveData: false },
  ));

test("an answer is shared as a picture, a link and a code, and written otherwise", () =>
  open(
    async (page) => {
      await page.route("**/api/v1/sharing", (route) =>
        route.fulfill({ json: { address: "http://192.168.1.5:7217", token: "class-room-5" } }),
      );
      await page.addInitScript(() => {
        // The share sheet of a system that takes files.
        navigator.canShare = () => true;
        navigator.share = async (told) =>
          void (globalThis.told = {
            ...told,
            files: told.files.map(({ name, type, size }) => [name, type, size > 10_000]),
          });
      });
      await page.reload();
      await ask(page, "R L' U");
      await headline(page, "3 moves, proven optimal");
      await page.locator("summary", { hasText: "Other notations" }).click();
      await page.getByText("2 moves in the slice-turn metric").waitFor();
      await page.getByRole("button", { name: "Share" }).click();
      const dialog = page.getByRole("dialog", { name: "Share this answer" });
      await dialog.getByRole("img", { name: "QR code of the link" }).waitFor();
      const size = await dialog
        .getByRole("img", { name: /^The picture to share/ })
        .evaluate(
          async (image) => (await image.decode(), [image.naturalWidth, image.naturalHeight]),
        );
      assert.deepEqual(size, [1200, 630]);
      for (const name of ["png", "svg"]) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          dialog.getByRole("button", { name: `Save ${name.toUpperCase()}` }).click(),
        ]);
        assert.equal(download.suggestedFilename(), `cosette.${name}`);
        if (name === "png") continue;
        // The picture has the typefaces of the page, and its colors.
        const svg = readFileSync(await download.path(), "utf8");
        for (const family of ["Inter", "JetBrains Mono", "Prime"])
          assert.match(
            svg,
            new RegExp(`@font-face{font-family:${family};[^}]*url\\("data:font/woff2;base64,d09GM`),
          );
        assert.match(svg, /height="630" fill="#f6f5f1"/);
      }
      await dialog.getByRole("button", { name: "Copy image" }).click();
      await dialog.getByText("Image copied.").waitFor();
      assert.deepEqual(
        await page.evaluate(async () => (await navigator.clipboard.read())[0].types),
        ["image/png"],
      );
      const strong = await dialog.locator(".strong").allTextContents();
      assert.deepEqual(strong, ["Share …"]);
      await dialog.getByRole("button", { name: "Share …" }).click();
      await page.waitForFunction(() => globalThis.told);
      const { title, url, files } = await page.evaluate(() => globalThis.told);
      assert.deepEqual(
        [title, url, files],
        [
          "3 moves, proven optimal",
          "http://192.168.1.5:7217/?position=R+L%27+U",
          [["cosette.png", "image/png", true]],
        ],
      );
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("the cube is shown in the colors, the holding and with the letters that were chosen, also at the next visit", () =>
  open(async (page) => {
    await openTab(page, "Paint");
    const look = page.locator("summary", { hasText: "Colors: white up, green front" });
    await look.click();
    await page.getByLabel("Colors", { exact: true }).selectOption("japanese");
    await page.getByLabel("Up", { exact: true }).selectOption("D");
    await page.getByLabel("Show face letters").check();
    await page.reload();
    await openTab(page, "Paint");
    await page.getByText("Blue up, green front, with letters").waitFor();
    const first = await facelet(page, 0).evaluate((cell) => [
      cell.getAttribute("aria-label"),
      getComputedStyle(cell).backgroundColor,
      getComputedStyle(cell, "::before").content,
    ]);
    assert.deepEqual(first.slice(0, 2), ["up 1 blue", "rgb(42, 111, 219)"]);
    assert.match(first[2], /^"U"/);
    // The 3D cube has textures with letters.
    await page.waitForFunction(async () => {
      const cube = await document
        .querySelector("twisty-player")
        .experimentalCurrentThreeJSPuzzleObject();
      const lettered = new Set();
      cube.traverse((part) => part.material?.map && lettered.add(part.material));
      return lettered.size === 6;
    });
    await facelet(page, 0).focus();
    await page.keyboard.press("w");
    await page.locator('[data-place="0"][data-color="D"]').waitFor();
  }));

test("a random position is a scramble that is solved, and NISS is read", () =>
  open(async (page) => {
    await openTab(page, "Random");
    // Without a position, only Random cube is pressed.
    assert.ok(!(await solve(page).isVisible()));
    await page.getByRole("button", { name: "Random cube" }).click();
    await page.waitForFunction(() =>
      /^[URFDLB][2']?( [URFDLB][2']?)+$/.test(document.querySelector("textarea").value),
    );
    await page.locator(".headline:visible").waitFor();
    await type(page, "R (U) F");
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    await page.getByLabel(/NISS/).check();
    await solve(page).click();
    await headline(page, "3 moves, proven optimal");
    assert.match(page.url(), /niss=true/);
  }));

test("what a table costs is said before it is generated, and a larger one is suggested where it pays", () =>
  open(async (page) => {
    const table = (name, over) => ({
      name,
      metric: name.slice(0, 3),
      bytes: 24e6,
      state: "absent",
      percent: null,
      fault: null,
      in_use: false,
      next: false,
      fits: true,
      generation_seconds: 2,
      cube_seconds: null,
      ...over,
    });
    const tables = [
      table("htm-24M", { state: "ready", next: true, in_use: true, cube_seconds: 80 }),
      table("htm-1.5G", { bytes: 1.5e9, generation_seconds: 20, cube_seconds: 1.25 }),
      table("qtm-24M", { next: true, generation_seconds: 9 }),
    ];
    let named = false;
    await page.route("**/api/v1/tables", (route) =>
      route.fulfill({ json: { folder: "/tables", named, tables } }),
    );
    await page.reload();
    await page.locator("summary", { hasText: "Metric and limits" }).click();
    await page.getByLabel("Metric").first().selectOption("qtm");
    await page
      .getByText("The first solve in quarter turns builds a 24 MB table (about 9 s, once).")
      .waitFor();
    await page.getByLabel("Metric").first().selectOption("htm");
    await page.getByText("The first solve in quarter turns").waitFor({ state: "hidden" });
    const answer = {
      event: "answer",
      metric: "htm",
      length: 2,
      lower_bound: 2,
      solutions: ["U' R'"],
      solution_count: 1,
      complete: true,
      stop_reason: null,
      best_known: null,
      nodes: 1,
      table: "htm-24M",
    };
    const answerWith = (seconds) =>
      page.route("**/solve", (route) =>
        route.fulfill({
          contentType: "text/event-stream",
          body: `data: ${JSON.stringify({ ...answer, seconds })}\n\n`,
        }),
      );
    // An answer needs no table any more.
    await page.getByLabel("Metric").first().selectOption("qtm");
    await page.getByText("The first solve in quarter turns").waitFor();
    await answerWith(0);
    await ask(page, "U D");
    await headline(page, "2 quarter turns, proven optimal");
    await page.getByText("The first solve in quarter turns").waitFor({ state: "hidden" });
    await page.getByLabel("Metric").first().selectOption("htm");
    const advice = page.getByText(
      "A larger table is about 64 times as fast: htm-1.5G, 1.5 GB, generated in about 20 s.",
    );
    // A server that was started with a table would not use a larger one.
    for (const [position, seconds] of [
      ["R U", 300],
      ["R U R", 24],
      ["R U R2", 0.000078],
      ["R U F", 300],
    ]) {
      if (position === "R U F") {
        named = true;
        await Promise.all([page.waitForResponse("**/api/v1/tables"), page.reload()]);
      }
      await answerWith(seconds);
      await ask(page, position);
      await headline(page, "2 moves, proven optimal");
      await advice.waitFor({ state: seconds === 300 && !named ? "visible" : "hidden" });
      if (seconds < 1)
        await page.locator(".proof dd", { hasText: "1 node, under 0.01 s" }).waitFor();
    }
    await answerWith(900);
    await ask(page, "R U F2");
    await page
      .getByText("about 64 times as fast, but the server was started with htm-24M.")
      .waitFor();
  }));

test("on a phone the cube comes first, and the result is scrolled to and focused", () =>
  open(
    async (page) => {
      const [cube, input] = await Promise.all(
        [".stage", ".input"].map((part) => page.locator(part).first().boundingBox()),
      );
      assert.ok(cube.y + cube.height < input.y);
      await ask(page, EASY);
      await headline(page, "10 moves, proven optimal");
      assert.equal(await page.evaluate(() => document.activeElement.className), "card result");
      await page.waitForFunction(() => {
        const { top } = document.querySelector(".result").getBoundingClientRect();
        const { bottom } = document.querySelector(".actions").getBoundingClientRect();
        return top >= 0 && top < 20 && bottom <= innerHeight;
      });
      // The input follows, before the proof, in the document as on the screen.
      const cards = await page
        .locator(".solve > *")
        .evaluateAll((cards) =>
          cards.map((card) => [card.className, card.getBoundingClientRect().top]),
        );
      assert.deepEqual(
        cards.map(([name]) => name),
        ["card result", "card input", "card proof"],
      );
      assert.ok(cards[0][1] < cards[1][1] && cards[1][1] < cards[2][1], JSON.stringify(cards));
      // On a wide screen, the input comes before the result, which stays in its place.
      await page.evaluate(() => {
        globalThis.added = [];
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            for (const { className } of addedNodes) globalThis.added.push(className);
        }).observe(document.querySelector(".solve"), { childList: true });
      });
      const { width, height } = page.viewportSize();
      for (const wide of [1000, width]) {
        await page.setViewportSize({ width: wide, height });
        const before = wide === width ? ".result + .input" : ".input + .result";
        await page.locator(before).waitFor();
      }
      const added = await page.evaluate(() => globalThis.added);
      assert.deepEqual(added, ["card input", "card input"]);
      // The answer says what it is about, and leads there.
      assert.equal(await page.locator(".entered-position .solution").textContent(), EASY);
      await page.getByRole("button", { name: "Edit" }).click();
      assert.ok(await scrambleField(page).evaluate((field) => field === document.activeElement));
      await page.waitForFunction(() => {
        const { top } = document.querySelector(".input").getBoundingClientRect();
        return top >= 0 && top < 20;
      });
      await openTab(page, "Paint");
      await solve(page).click();
      await page.waitForFunction(() => document.activeElement.className === "card result");
      const small = await page
        .locator(
          "button:visible, select:visible, input:visible, summary:visible, nav a:visible, .button:visible",
        )
        .evaluateAll((controls) =>
          controls
            .map((control) => [control.closest("label") ?? control, control])
            .map(([target, control]) => [
              target.getBoundingClientRect(),
              control.outerHTML.slice(0, 90),
            ])
            .filter(([{ width, height }]) => Math.min(width, height) < 32)
            .map(([{ width, height }, html]) => `${width} × ${height}: ${html}`),
        );
      assert.deepEqual(small, []);
      // The back hangs below: under the middle of D comes the last row of B, turned.
      const [d, b] = await page
        .locator(".net .facelet")
        .evaluateAll((cells) =>
          [34, 52].map((place) => cells[place].getBoundingClientRect().toJSON()),
        );
      assert.ok(
        Math.abs(d.x - b.x) < 2 && b.y > d.y && b.y - d.y < 1.5 * d.height,
        JSON.stringify([d, b]),
      );
      await type(page, "R U Q2");
      await page.locator(".notice").waitFor();
      assert.equal(await page.locator(".notice").count(), 1);
      assert.ok(!(await page.locator(".notice").textContent()).includes("`"));
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ));

test("on a small screen, the field is on the first screen with the example, and Solve where there is room", async () => {
  for (const [width, height, ...parts] of [
    [320, 640],
    [390, 844, ".act"],
    [844, 390, ".act"],
  ])
    await open(
      async (page) => {
        await headline(page, /^1\d moves, proven optimal$/);
        for (const part of [
          ".lead",
          ".stage",
          ".example-label",
          ".lengths",
          "textarea",
          ...parts,
        ]) {
          const { y, height: own } = await page.locator(`.solve ${part}`).first().boundingBox();
          assert.ok(y > 0 && y + own <= height, `${part}: ${y}, ${own}`);
        }
        assert.deepEqual(await cutNumbers(page), []);
      },
      { viewport: { width, height }, hasTouch: true, isMobile: true, saveData: false },
    );
});

test("where a line of lengths has few cells, all have their numbers", () =>
  open(
    async (page) => {
      await ask(page, EASY);
      await headline(page, "Cross: 4 moves, proven optimal");
      assert.equal(await page.locator(".lengths span:visible").count(), 5);
    },
    { hash: "&goal=cross", viewport: { width: 320, height: 640 } },
  ));

test("beside a long answer, the last card on its left stays in sight", () =>
  open(async (page) => {
    const top = (card) =>
      page.evaluate((card) => {
        document.querySelector(".result").style.minHeight = "200rem";
        scrollTo({ top: 1500, behavior: "instant" });
        return document.querySelector(card).getBoundingClientRect().top;
      }, card);
    assert.equal(await top(".input"), 16);
    await ask(page, EASY);
    await headline(page, "10 moves, proven optimal");
    assert.equal(await top(".proof"), 16);
  }));

test("on a phone, the field, Solve and the whole message about it are on one screen", async () => {
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ])
    await open(
      async (page) => {
        await ask(page, "R U Q2");
        await page.locator("#messages .notice").waitFor();
        await page.waitForFunction(() =>
          ["textarea", ".act", "#messages .notice"].every((part) => {
            const { top, bottom } = document.querySelector(part).getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          }),
        );
      },
      { viewport: { width, height }, hasTouch: true, isMobile: true },
    );
});

test("on a phone held sideways, the cube, the moves and the player are on one screen", async () => {
  for (const [width, height] of [
    [667, 375],
    [844, 390],
  ])
    await open(
      async (page) => {
        await ask(page, EASY);
        await headline(page, "10 moves, proven optimal");
        await page.waitForFunction(() =>
          [".stage", ".moves", ".controls"].every((part) => {
            const { top, bottom } = document.querySelector(part).getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          }),
        );
        // They scroll as one.
        const distances = await page.evaluate(() =>
          [0, 250].map((top) => {
            scrollTo({ top, behavior: "instant" });
            const [cube, controls] = [".stage", ".controls"].map((part) =>
              document.querySelector(part).getBoundingClientRect(),
            );
            return Math.round(controls.top - cube.bottom);
          }),
        );
        assert.ok(distances[0] >= 0, String(distances));
        assert.equal(distances[1], distances[0]);
        assert.deepEqual(await faults(page), []);
        await page.getByRole("button", { name: "Full screen" }).click();
        const [exit, proof] = await Promise.all(
          [".actions .present", ".answer .headline"].map((part) =>
            page.locator(part).boundingBox(),
          ),
        );
        assert.ok(exit.x + exit.width < proof.x, JSON.stringify([exit, proof]));
      },
      { viewport: { width, height }, hasTouch: true, isMobile: true },
    );
});

test("keys press the buttons of the page, but not while one types", () =>
  open(async (page) => {
    await page.keyboard.press("p");
    await page.keyboard.press("/");
    await page.keyboard.type("R U F r");
    assert.equal(await scrambleField(page).inputValue(), "R U F r");
    await type(page, SUPERFLIP);
    await scrambleField(page).press("Enter");
    await headline(page, BOUNDS);
    await page.keyboard.press("Escape");
    await page.locator(".details", { hasText: /^Stopped/ }).waitFor();
    await scrambleField(page).focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.locator('input[aria-valuetext^="1 of"]').waitFor();
    // The space bar plays on each button of the player, and presses the others.
    const next = page.getByRole("button", { name: "Next move" });
    assert.ok(await next.evaluate((button) => button === document.activeElement));
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector(".controls input").value >= 3);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByRole("button", { name: "Share" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("dialog", { name: "Share this answer" }).waitFor();
    await page.keyboard.press("Escape");
    assert.ok(await page.getByRole("button", { name: "Play" }).isVisible());
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: "Share this answer" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.waitForFunction(
      (before) => document.querySelector("textarea").value !== before,
      SUPERFLIP,
    );
    await page.getByRole("tabpanel", { name: "Random" }).waitFor();
    // The space bar plays then, as after Enter, but presses the button for who pressed it.
    const focused = () => page.evaluate(() => document.activeElement.className);
    assert.equal(await focused(), "card result");
    await page.locator(".random").press("Space");
    assert.match(await focused(), /^random/);
  }));

test("after Enter in the field, keys lead the player", () =>
  open(async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await type(page, EASY);
    await scrambleField(page).focus();
    await page.keyboard.press("Enter");
    await headline(page, "10 moves, proven optimal");
    assert.deepEqual([await focused(), await page.evaluate(() => scrollY)], ["Solution", 0]);
    await page.keyboard.press("ArrowRight");
    await page.locator('input[aria-valuetext="1 of 10 moves"]').waitFor();
    assert.equal(await scrambleField(page).inputValue(), EASY);
    // Who presses Solve stays there.
    await type(page, "R U");
    await solve(page).press("Enter");
    await headline(page, "2 moves, proven optimal");
    await page.waitForFunction(() => document.activeElement.textContent === "Solve");
  }));

test("the tabs of the input are led through with keys", () =>
  open(async (page) => {
    const opened = () => page.locator('[role="tab"][aria-selected="true"]:focus').textContent();
    await page.getByRole("tab", { name: "Scramble" }).focus();
    for (const [key, name] of [
      ["ArrowRight", "Paint"],
      ["End", "Patterns"],
      ["ArrowRight", "Scramble"],
      ["ArrowLeft", "Patterns"],
      ["ArrowLeft", "Random"],
      ["Home", "Scramble"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await opened(), name);
      await page.getByRole("tabpanel", { name }).waitFor();
      assert.equal(await page.locator('[role="tabpanel"]:visible').count(), 1);
    }
    // Only the open one is a stop of the tab key.
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  }));

test("a question mark lists the keys, and presses nothing behind the list", () =>
  open(async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("?");
    assert.equal(await scrambleField(page).inputValue(), "?");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await type(page, "");
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Stop the search, leave a field, or close").waitFor();
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press("r");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    assert.equal(await scrambleField(page).inputValue(), "");
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await list.waitFor();
  }));

test("the speed has no signs: they lead to the scramble and to the keys", () =>
  open(async (page) => {
    await ask(page, EASY);
    await headline(page, "10 moves, proven optimal");
    const speed = page.getByRole("combobox", { name: "Speed" });
    await speed.press("/");
    await page.waitForFunction(() => document.activeElement.tagName === "TEXTAREA");
    assert.equal(await scrambleField(page).inputValue(), EASY);
    await speed.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  }));

test("titles say the result", () =>
  open(
    async (page) => {
      await headline(page, "2 moves, proven optimal");
      await page.waitForFunction(() => document.title.startsWith("2 moves, proven optimal: U'"));
      await page.goto(page.url().split("?")[0] + "#review");
      await page.waitForFunction(() => document.title === "Review · Cosette");
    },
    { hash: "&position=R+U&fbclid=2" },
  ));

test("a proof names the machine that searched, and its address is a code, also on paper", () =>
  open(async (page) => {
    await page.route("**/api/v1/sharing", (route) =>
      route.fulfill({ json: { address: "http://192.168.1.5:7217", token: "class-room" } }),
    );
    await page.route("**/api/v1/health", (route) =>
      route.fulfill({ json: { version: "9.8.7", threads: 5 } }),
    );
    await page.route("**/api/v1/tables/htm-24M", (route) =>
      route.fulfill({ json: { checksum: "8f3a07c2d51be694" } }),
    );
    await page.reload();
    await ask(page, EASY);
    const proof = page.getByRole("region", { name: "Proof" });
    await proof.getByText("The shortest solution of this scramble has 10 moves").waitFor();
    const solution = await page.locator(".moves button").allInnerTexts();
    for (const [name, moves] of [
      ["Scramble", EASY],
      ["Solution", solution.join(" ")],
    ])
      await proof
        .locator("dl > div", { has: page.getByText(name, { exact: true }) })
        .getByText(moves, { exact: true })
        .waitFor();
    for (const fact of [
      /^Lower bound read from the table, /,
      "The solution was applied to the scrambled cube: it is solved",
      "htm-24M, checksum 8f3a07c2d51be694",
      "Cosette 9.8.7",
      "Server on this machine, 5 threads",
    ])
      await proof.locator("dd").filter({ hasText: fact }).waitFor();
    await proof.getByRole("img", { name: "QR code of the address" }).waitFor();
    assert.equal(
      await proof.getByRole("link", { name: "192.168.1.5:7217" }).getAttribute("href"),
      "http://192.168.1.5:7217/?position=R+U+R%27+U%27+F2+D+L+B2+R+D",
    );
    // The card has the details, so they do not stand below the headline.
    assert.ok(!(await page.locator(".details:visible").count()));
    assert.deepEqual(await faults(page), []);
    await page.emulateMedia({ media: "print" });
    for (const [selector, isPrinted] of [
      [".proof dl", true],
      [".answer", true],
      [".moves", true],
      [".proof button", false],
      [".input", false],
      [".stage", false],
    ])
      assert.equal(await page.locator(selector).first().isVisible(), isPrinted, selector);
    await page.emulateMedia({ media: "screen" });
    // The facts belong to the answer, not to the server of a later visit.
    await page.unroute("**/api/v1/health");
    await page.reload();
    await proof.getByText("Cosette 9.8.7").waitFor();
    await proof.getByRole("button", { name: "Verify again" }).click();
    await proof.getByText("Cosette 9.8.7").waitFor({ state: "detached" });
    await proof.getByText("Server on this machine").waitFor();
    await proof.getByText("✓ Verified again").waitFor();
  }));
