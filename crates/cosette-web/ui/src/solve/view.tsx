// The view in which one position is solved.

import { engine } from "#engine";
import { createRef } from "preact";
import { elementOf } from "../bridge";
import { BLANK, SOLVED } from "../cube/colors";
import { h, setChildren, setText } from "../dom";
import { hasGoalOptions } from "../goals/goal-options";
import { notice, showError } from "../ui/notice";
import type { ApiError, PositionCheck, SolveRequest } from "../protocol";
import { ONE_COLUMN } from "../breakpoints";
import type { SharedAnswer } from "../share/picture";
import { areFixed, metric, options, setOptions } from "../stores/options";
import * as query from "../stores/query";
import * as store from "../stores/search";
import { Actions } from "./actions";
import { addressOf, go, isShown, isTooLong, linkTo, read, remember, show, visit } from "./address";
import { CostAdvice, LargerTableAdvice, showCost } from "./table-advice";
import {
  after,
  claim,
  headline,
  headlineOfLonger,
  solutionKnown,
  withoutEngine,
  type Bounds,
} from "./bounds";
import { asHeld } from "./notation";
import { requestFor } from "./options";
import { PatternGallery } from "./pattern-gallery";
import { example } from "./patterns";
import { Player } from "./player";
import { PositionInput } from "./position";
import { QueryInput } from "./query-input";
import { Solutions } from "./solutions";
import { Headline, SearchStatus, SpecialProperties } from "./status";
import { OtherNotations } from "./other-notations";

/** Id of the form, which a button next to the net submits. */
const FORM = "position-form";

/** The view: position, options, live bounds, the cube and its solutions. */
export class SolveView {
  private readonly position: PositionInput;
  private readonly question = elementOf(<QueryInput onChange={() => this.onOptions()} />);
  private readonly player = new Player();
  private readonly actions = new Actions(this.player.controls, (error) =>
    showError(this.errors, error),
  );
  private readonly start = h("button", { type: "submit", class: "strong" }, "Solve");
  /** A second Solve button, below the net, for layouts in which the first one is far away. */
  private readonly below = h("button", { type: "submit", form: FORM, class: "below" }, "Solve");
  private readonly stop = createRef<HTMLButtonElement>();
  private readonly lead = h(
    "p",
    { class: "lead" },
    "Finds a shortest solution of your cube and proves that no shorter one exists.",
  );
  private readonly expected = h("p", { class: "label expected", hidden: true });
  private readonly welcome = elementOf(
    <PatternGallery
      onChoose={(moves) => {
        this.position.setText(moves);
        void this.solve();
      }}
    />,
  );
  private readonly exampleShown = h("span", { class: "solution" });
  private readonly exampleLabel = h(
    "p",
    { class: "label example-label" },
    "Example: ",
    this.exampleShown,
  );
  /** Offered if the allowed moves cannot reach the goal. */
  private readonly allowing = h(
    "button",
    { type: "button", class: "allowing", hidden: true, onclick: () => this.allowAll() },
    "Allow all moves",
  );
  private readonly errors = h("div", { "aria-live": "assertive" });
  private search: { abort: AbortController; stop: AbortController } | undefined;
  private checked: PositionCheck | undefined;
  private readonly result: HTMLElement;
  readonly element: HTMLElement;

  /**
   * `notices` are about the engine; `listHelp` is advice for a text that is a list of positions.
   */
  constructor(notices: HTMLElement | null, listHelp: (text: string) => HTMLElement) {
    this.position = new PositionInput(
      (text, checked) => this.onCheck(text, checked),
      () => void this.solve(),
      () => options.value.niss === "true",
      listHelp,
    );
    const form = h(
      "form",
      {
        id: FORM,
        class: "card input",
        "aria-label": "Position and options",
        // Errors in the options are shown once they are unfolded.
        novalidate: true,
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.solve();
        },
      },
      h("h2", { class: "hidden" }, "Position"),
      this.position.element,
      h(
        "div",
        { class: "bar" },
        this.start,
        h("button", { type: "button", onclick: () => void this.solveRandom() }, "Random"),
        h(
          "button",
          { type: "button", class: "to-paint", onclick: () => this.position.paint() },
          "Paint your cube",
        ),
      ),
      this.question,
      elementOf(<CostAdvice />),
      ...(notices ? [notices] : []),
    );
    this.result = h(
      "section",
      { class: "card result", "aria-label": "Solution", tabindex: -1 },
      h("h2", { class: "hidden" }, "Solution"),
      this.player.stage,
      this.lead,
      this.expected,
      this.errors,
      this.exampleLabel,
      elementOf(<Headline />),
      this.allowing,
      this.player.moves.element,
      this.player.controls.element,
      this.actions.element,
      elementOf(<SearchStatus stop={this.stop} onStop={() => this.askToStop()} />),
      elementOf(<Solutions />),
      elementOf(<OtherNotations />),
      elementOf(<SpecialProperties />),
      elementOf(<LargerTableAdvice />),
      this.welcome,
    );
    this.position.painting.append(this.below);
    this.element = h("div", { class: "solve" }, form, this.result, this.position.painting);
    query.faulty.subscribe(() => this.showExpected());
    engine.onTableChange?.(() => void this.showCost());
    this.player.show("", SOLVED);
    store.chosen.subscribe((solution) => this.choose(solution));
    window.addEventListener("popstate", () => this.arrive());
    this.arrive();
    if (this.position.value === "" && isSolveView()) void this.showExample();
  }

  /** Shows the table that a search must generate first. */
  private showCost(): Promise<void> {
    return showCost(hasGoalOptions(options.value) ? undefined : metric.value);
  }

  /**
   * The action once the position in the address has been checked, unless something else is entered
   * before.
   */
  private arrival: "solve" | Bounds | ApiError | undefined;

  /**
   * Shows the position in the address, with its answer if there is one. Otherwise solves it,
   * unless that was stopped.
   */
  private arrive(): void {
    if (isShown()) return;
    show();
    const { text, chosen, faults } = read();
    // A text that was too long for the address is lost, and so is its answer.
    const { solving, bounds } = (text === "" ? null : visit()) ?? {
      solving: text !== "" && isSolveView(),
    };
    const refused = {
      error: "invalid option in the address",
      help: `${faults.join("; ")}; Solve ignores it`,
    };
    this.arrival = faults.length > 0 ? refused : (bounds ?? (solving ? "solve" : undefined));
    this.forgetSearch();
    setOptions(chosen);
    this.checked = undefined;
    this.position.arrive(text);
    void this.showCost();
  }

  private onCheck(text: string, checked: PositionCheck | undefined): void {
    const isDifferent = !(
      checked?.ok &&
      this.checked?.ok &&
      checked.facelets === this.checked.facelets &&
      checked.rotation === this.checked.rotation
    );
    this.checked = checked;
    this.welcome.hidden = this.lead.hidden = text.trim() !== "";
    if (isDifferent) {
      if (text.trim() !== "") this.setExample("");
      this.forgetSearch();
      this.draw(undefined);
      setChildren(this.errors);
      // Without an answer, no known cube is the entered one.
      if (store.example.value) void this.showExample(store.example.value);
      else if (text.trim() === "") this.player.show("", SOLVED);
      else
        this.player.show(
          checked?.ok ? `${checked.rotation ?? ""} ${checked.setup}`.trim() : undefined,
          checked?.facelets ?? BLANK,
        );
    }
    const arrival = this.position.isAsArrived ? this.arrival : undefined;
    this.arrival = undefined;
    if (arrival === "solve") void this.solve();
    else if (arrival && "error" in arrival) setChildren(this.errors, notice(arrival));
    else if (arrival) this.draw(arrival);
    else if (isDifferent) go(addressOf(text, options.value));
  }

  private onOptions(): void {
    void this.showCost();
    // Other options are another query; the answer of the previous one is an entry back in the
    // history.
    this.checked = this.arrival = undefined;
    if (!store.example.value) {
      this.forgetSearch();
      this.draw(undefined);
    }
    void this.position.check();
  }

  private async solveRandom(): Promise<void> {
    if (await this.position.random()) await this.solve();
  }

  /**
   * Solves an example with the chosen options while nothing is entered; quarter turns have a
   * separate table.
   */
  private async showExample(scramble = example()): Promise<void> {
    // In the browser, an example causes a table to be generated, which takes work and storage.
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    const isWanted = !connection?.saveData && (await engine.isExampleWanted().catch(() => false));
    const checked = isWanted
      ? await engine.check(scramble, false).catch(() => undefined)
      : undefined;
    if (this.position.value !== "" || this.search) return;
    if (checked?.ok && metric.value === "htm") {
      this.checked = checked;
      this.setExample(scramble);
      this.player.show(checked.setup, checked.facelets);
      if (
        !(await this.run(requestFor(scramble, options.value), checked.setup, true)) ||
        store.bounds.value
      )
        return;
    }
    this.setExample("");
    this.player.show("", SOLVED);
  }

  private setExample(scramble: string): void {
    store.example.value = scramble;
    setText(this.exampleShown, scramble);
    this.exampleLabel.hidden = scramble === "";
    this.result.classList.toggle("unasked", scramble !== "");
    this.position.placeholder = scramble || "R U2 F' …";
  }

  private async solve(): Promise<void> {
    if (store.example.value) {
      const example = store.example.value;
      this.forgetSearch();
      this.checked = undefined;
      // On the empty page, Solve refers to the shown example.
      if (this.position.value.trim() === "") this.position.setText(example);
    }
    // The last input has already ended the search before.
    await this.position.settle();
    if (this.search) return;
    if (!(await query.isValid())) return;
    await this.position.settle();
    const text = this.position.value;
    if (this.search) return;
    if (!this.checked?.ok) {
      // Errors are shown where the text is entered.
      if (text.trim() === "")
        setChildren(
          this.errors,
          notice({ error: "no position entered", help: "enter a scramble, or paint the cube" }),
        );
      return this.position.focus();
    }
    go(addressOf(text, options.value));
    remember({ solving: true });
    const search = this.run(requestFor(text, options.value), this.checked.setup, false);
    // Done before the element with the focus is disabled.
    this.showResult(true);
    this.setBusy(true);
    await search;
  }

  /**
   * Searches and shows the bounds as they become known, unless the search is forgotten; returns
   * `true` if it was not.
   */
  private async run(request: SolveRequest, setup: string, isExample: boolean): Promise<boolean> {
    const text = request.position;
    const search = { abort: new AbortController(), stop: new AbortController() };
    // A rejection after the search was stopped is not worth showing.
    const isTold = (): boolean => !isExample && !search.stop.signal.aborted;
    this.search = search;
    let bounds: Bounds = solutionKnown(options.value, setup);
    setChildren(this.errors);
    this.draw(bounds);
    // A search reports hundreds of times a second; draw once per frame.
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      this.draw(bounds);
    };
    try {
      await engine.solve(
        request,
        { signal: search.abort.signal, stopSignal: search.stop.signal, isExample },
        (event) => {
          if (search.abort.signal.aborted) return;
          if (event.event === "refused" && isTold()) setChildren(this.errors, notice(event, text));
          // Bounds known when the search was stopped stay.
          bounds =
            event.event === "refused" && search.stop.signal.aborted
              ? withoutEngine(bounds)
              : after(bounds, event);
          frame ||= requestAnimationFrame(draw);
        },
      );
      if (
        !search.abort.signal.aborted &&
        isTold() &&
        !bounds.answer &&
        !this.errors.hasChildNodes()
      )
        setChildren(this.errors, notice({ error: "the search ended without a result" }));
    } catch (error) {
      if (!search.abort.signal.aborted && !isExample)
        await this.showRefusal(error, text, search.abort.signal);
    } finally {
      cancelAnimationFrame(frame);
      if (!search.abort.signal.aborted) {
        this.search = undefined;
        if (!isExample) this.showResult(false);
        // Bounds proven before the engine was lost stay.
        const isKnown =
          bounds.answer !== null ||
          (!isExample &&
            (bounds.lower > 0 || (bounds.best !== null && search.stop.signal.aborted)));
        if (!bounds.answer) bounds = withoutEngine(bounds);
        if (isKnown) this.draw(bounds);
        else this.draw(undefined);
        if (!isExample) remember(isKnown ? { bounds } : {});
        void this.showCost();
      }
      if (!this.search) this.setBusy(false);
    }
    return !search.abort.signal.aborted;
  }

  /**
   * Shows why a search was rejected: at the input, if the error is in one of the texts next to the
   * position.
   */
  private async showRefusal(error: unknown, text: string, signal: AbortSignal): Promise<void> {
    this.setBusy(false);
    const isShown = hasGoalOptions(options.value) && (await query.findsFault());
    if (!isShown && !signal.aborted) showError(this.errors, error, text);
  }

  /** Repeats the request with all default moves. */
  private allowAll(): void {
    // The button goes away.
    this.result.focus({ preventScroll: true });
    setOptions({ ...options.value, moves: "" });
    this.onOptions();
    void this.solve();
  }

  /** Forgets the running search. It ends a moment later, and another may begin at once. */
  private forgetSearch(): void {
    this.search?.abort.abort();
    this.search = undefined;
  }

  /** Shows what is known; nothing if no search has begun. */
  private draw(bounds: Bounds | undefined): void {
    store.setBounds(bounds);
    this.showExpected();
    this.showStrong();
    this.allowing.hidden = bounds?.answer?.unreachable === undefined || options.value.moves === "";
  }

  /** Shows the placeholder of the solution. */
  private showExpected(): void {
    this.expected.hidden = store.bounds.value !== undefined || !this.checked;
    const isFaulty =
      this.checked?.ok === false && (this.checked.blank === 0 || this.checked.marks.length > 0);
    // For example a twisted corner: each piece is possible, and none is marked.
    const isImpossible =
      isFaulty &&
      this.checked?.ok === false &&
      this.checked.facelets !== undefined &&
      this.checked.marks.length === 0;
    const first = isFaulty
      ? "fix the marked errors"
      : query.faulty.value && `fix the ${query.faulty.value}`;
    const none = isImpossible
      ? "Unsolvable: no moves produce this cube."
      : first && `No solution yet: first ${first}.`;
    setText(this.expected, none || "The solution will appear here.");
  }

  /** Highlights the button of the next action. */
  private showStrong(): void {
    const isAsked = store.isRequested.value;
    for (const button of [this.start, this.below]) button.classList.toggle("strong", !isAsked);
    this.player.controls.isStrong = isAsked && !this.search;
  }

  /** Plays a solution. */
  private choose(solution: string | undefined): void {
    this.player.load(solution ?? "");
    if (solution === undefined || !store.bounds.value || !this.checked?.ok)
      return this.actions.show(undefined);
    const { facelets, format, setup, rotation } = this.checked;
    const chosen = options.value;
    const text = this.position.value;
    // The query of this answer, even if other options are chosen later.
    const shared = (): SharedAnswer => {
      const bounds = store.bounds.value!;
      const length = bounds.answer
        ? store.solutions.value.find(({ moves }) => moves === solution)?.length
        : undefined;
      const longer = headlineOfLonger(bounds, length);
      return {
        facelets: asHeld(facelets, rotation ?? ""),
        // Other formats are of no use with a cube in hand, and moves on the inverse are not a
        // scramble.
        position: format === "moves" && chosen.niss !== "true" ? text : setup,
        solution,
        headline: longer || headline(bounds),
        claim: longer ? "" : claim(bounds),
        link: isTooLong(text) ? linkTo(setup, { ...chosen, niss: "false" }) : linkTo(text, chosen),
      };
    };
    this.actions.show(shared, this.player.twizzle(solution));
  }

  /** Stops the search, which then returns the bounds proven until then. */
  private askToStop(): void {
    this.search?.stop.abort();
  }

  private setBusy(busy: boolean): void {
    this.start.disabled = areFixed.value = busy;
    this.element.setAttribute("aria-busy", String(busy));
  }

  /**
   * Shows the result when a search begins or ends: if it is below the input, the page scrolls to
   * it and focuses it. At the end of the search, a user who has moved elsewhere is not
   * interrupted.
   */
  private showResult(begins: boolean): void {
    const focused = document.activeElement;
    const hasAsked = focused === this.start || this.question.contains(focused);
    const hasFocus = focused === this.stop.current || (begins && hasAsked);
    if (
      ONE_COLUMN.matches &&
      (begins || hasFocus || focused === this.result || focused === document.body)
    ) {
      this.result.scrollIntoView();
      this.result.focus({ preventScroll: true });
    } else if (hasFocus && begins)
      // The button is about to be rendered.
      setTimeout(() => this.stop.current!.focus({ preventScroll: true }));
    else if (hasFocus) this.result.focus({ preventScroll: true });
  }
}

/** Returns `true` if the address is that of this view. */
function isSolveView(): boolean {
  return ["", "#solve"].includes(location.hash);
}
