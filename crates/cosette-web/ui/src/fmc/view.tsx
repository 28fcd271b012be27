// The view for fewest moves: a scramble, the tree of the steps that were tried, and the selected
// step.

import { elementOf } from "../bridge";
import { selection } from "../stores/attempt";
import { h, setChildren, setText } from "../dom";
import { plural } from "../format";
import { notice, showError } from "../ui/notice";
import { ONE_COLUMN } from "../breakpoints";
import {
  add,
  allFrom,
  attemptOn,
  bestOf,
  childLike,
  doneBy,
  furthestOf,
  pathTo,
  remove,
  totalOf,
  type Attempt,
  type Step,
  type StepResult,
} from "./attempt";
import { SavedAttempts } from "./saved-attempts";
import { SearchForm } from "./search-form";
import { Glossary, Welcome, foldGlossary, openGlossary } from "./glossary";
import {
  forgetAttempt,
  lastAttempt,
  newAttemptId,
  onStoredElsewhere,
  shownStep,
  storeAttempt,
  storeShownStep,
  storedAttempts,
  type StoredAttempt,
} from "./attempt-storage";
import { asClaimed, decoded, encoded, isSame } from "./link";
import { inspect } from "./inspect";
import { written } from "./moves";
import { WriteupPanel } from "./writeup-panel";
import { Playback } from "./playback";
import { ScrambleInput } from "./scramble";
import { StepView } from "./step-view";
import { furthestReduction, isReached } from "./steps";
import { Tree } from "./tree";
import type { WriteUp } from "./writeup";

/** URL fragments of the view and of an attempt. */
const FRAGMENT = /^#fmc(?:=(.*))?$/s;

/** The view. */
export class FmcView {
  private id = "";
  /** The current attempt; without a scramble until one is entered. */
  private attempt = attemptOn("");
  private selected = this.attempt.root;
  /** The deleted steps, last one at the end, with functions that restore them. */
  private deleted: { step: Step; restore: () => void }[] = [];
  private looking = new AbortController();
  private readonly scramble = new ScrambleInput(
    (writeUp) => this.begin(writeUp),
    () => this.prove(),
  );
  private readonly tree = new Tree({
    select: (step) => this.select(step),
    open: (step) => (this.select(step), this.lead()),
    remove: (step) => this.remove(step),
    undo: () => this.undo(),
  });
  private readonly find = new SearchForm(
    (steps) => (this.add(this.selected, steps), this.lead()),
    (step, rest) => ((step.rest = rest), this.changed()),
    () => this.showOptimum(),
    openGlossary,
  );
  private readonly step = new StepView(this.find, {
    add: (writeUp) => this.paste(writeUp),
    edit: (part, text) => this.edit(part, text),
    remove: () => this.remove(this.selected),
    play: () => void this.play.show(this.attempt, this.selected),
  });
  private readonly play = new Playback();
  private readonly earlier = new SavedAttempts((kept) => this.open(kept));
  private readonly undoButton = h(
    "button",
    { type: "button", class: "quiet", onclick: () => this.undo() },
    "Undo",
  );
  private readonly undoText = h("span", { role: "status" });
  private readonly undoRow = h(
    "div",
    { class: "row undo", hidden: true },
    this.undoText,
    this.undoButton,
  );
  private readonly arrival = h("div", { "aria-live": "polite" });
  private readonly unkept = h(
    "p",
    { class: "notice" },
    "This browser cannot store the attempt. To keep it, copy the link.",
  );
  private readonly steps = h(
    "section",
    { class: "card steps", "aria-label": "Steps" },
    h("h2", {}, "Steps"),
    this.tree.element,
    this.undoRow,
    h(
      "p",
      { class: "keys" },
      "Keyboard: ",
      h("kbd", {}, "↑"),
      " ",
      h("kbd", {}, "↓"),
      " ",
      h("kbd", {}, "←"),
      " ",
      h("kbd", {}, "→"),
      " move between steps, ",
      h("kbd", {}, "Delete"),
      " removes one.",
    ),
  );
  private readonly work = h(
    "div",
    { class: "work", hidden: true },
    this.steps,
    this.step.element,
    elementOf(<WriteupPanel />),
  );
  private readonly welcome = elementOf(<Welcome />);
  readonly element = h(
    "div",
    { class: "fmc", hidden: true },
    this.scramble.card(this.arrival, this.earlier.element),
    this.welcome,
    this.work,
    elementOf(<Glossary />),
    this.play.element,
  );

  constructor() {
    this.earlier.show("");
    window.addEventListener("popstate", () => this.arrive());
    onStoredElsewhere(() => this.part());
  }

  /** Shows the attempt of the link, or the last one. */
  arrive(): void {
    const link = FRAGMENT.exec(location.hash);
    if (!link) return;
    const text = link[1];
    if (text === undefined) return this.openLast();
    // The link is consumed: later changes are not in it.
    history.replaceState(history.state, "", "#fmc");
    this.follow(text);
  }

  /** Opens the last attempt, unless one is open. */
  private openLast(): void {
    const last = this.attempt.scramble === "" ? lastAttempt() : undefined;
    if (last) this.open(last, false);
  }

  /** Opens the attempt of a link, in addition to the stored ones. */
  private follow(text: string): void {
    const attempt = decoded(text);
    if (!attempt) {
      this.openLast();
      return setChildren(
        this.arrival,
        notice({
          error: "this link does not contain an attempt",
          help: "copy it again; part of it may be missing",
        }),
      );
    }
    const last = lastAttempt();
    const same = storedAttempts().find((kept) => isSame(kept.text, text));
    // Facts proven here are kept; claims of a link may be false.
    const opened = decoded(same?.text ?? "") ?? attempt;
    const selected = furthestOf(opened);
    this.show(
      same?.id ?? newAttemptId(),
      opened === attempt ? asClaimed(attempt) : opened,
      selected,
    );
    const hasOther = storedAttempts().some(({ id }) => id === last?.id && id !== this.id);
    setChildren(
      this.arrival,
      hasOther &&
        h(
          "p",
          { class: "notice" },
          "This attempt is from the link. Yours is under Saved attempts.",
        ),
    );
  }

  private open({ id, text }: StoredAttempt, isAsked = true): void {
    const attempt = decoded(text);
    if (!attempt) return;
    setChildren(this.arrival);
    this.show(id, attempt, allFrom(attempt.root)[shownStep(id)] ?? furthestOf(attempt));
    if (isAsked) this.step.focus();
  }

  /** Begins an attempt on a scramble, with the text pasted with it. */
  private begin(writeUp: WriteUp): void {
    setChildren(this.arrival);
    if (writeUp.scramble !== this.attempt.scramble) {
      this.show(newAttemptId(), attemptOn(writeUp.scramble));
      this.offerEarlier();
    }
    if (writeUp.steps.length > 0) this.selected = this.attempt.root;
    this.paste(writeUp);
    this.lead();
  }

  /** Offers the earlier attempt on the same scramble. */
  private offerEarlier(): void {
    const isOther = ({ id, text }: StoredAttempt): boolean =>
      id !== this.id && decoded(text)?.scramble === this.attempt.scramble;
    const kept = storedAttempts().find(isOther);
    if (!kept) return;
    const best = bestOf(decoded(kept.text)!);
    setChildren(
      this.arrival,
      h(
        "p",
        { class: "notice" },
        `You have an attempt${best ? ` with ${plural(totalOf(best), "move")}` : ""} on this scramble. `,
        h("button", { type: "button", class: "link", onclick: () => this.open(kept) }, "Open it"),
      ),
    );
  }

  /** Continues under a new name if another page has changed the same attempt. */
  private part(): void {
    const kept = storedAttempts().find(({ id }) => id === this.id);
    if (kept && kept.text !== encoded(this.attempt)) {
      this.id = newAttemptId();
      this.changed();
    } else this.earlier.show(this.id);
  }

  private show(id: string, attempt: Attempt, selected = attempt.root): void {
    // A scramble without steps is not worth storing.
    if (
      id !== this.id &&
      allFrom(this.attempt.root).every(
        ({ parent, note, rest }) => !parent && note === "" && rest === null,
      )
    )
      forgetAttempt(this.id);
    this.id = id;
    this.attempt = attempt;
    this.selected = selected;
    this.deleted = [];
    if (!this.welcome.hidden) foldGlossary();
    this.welcome.hidden = true;
    this.work.hidden = false;
    this.scramble.value = attempt.scramble;
    this.look();
    this.changed();
  }

  /** Shows a step. */
  private select(step: Step): void {
    this.selected = step;
    this.look();
    this.draw();
  }

  /** Adds the steps one after the other, and selects the last one. */
  private add(parent: Step, results: StepResult[]): void {
    this.selected = results.reduce(add, parent);
    this.look();
    this.changed();
  }

  /**
   * Adds pasted steps after the selected step, or after the scramble if the text includes it; a
   * different scramble begins another attempt.
   */
  private paste(writeUp: WriteUp): void {
    const { scramble, root } = this.attempt;
    if (!["", scramble].includes(writeUp.scramble)) return void this.scramble.enter(writeUp);
    root.note ||= writeUp.notes;
    this.add(writeUp.scramble === "" ? this.selected : root, writeUp.steps);
  }

  /** Focuses the selected step, at the control that continues it. */
  private lead(): void {
    if (ONE_COLUMN.matches || this.step.element.getBoundingClientRect().top < 0)
      this.step.element.scrollIntoView();
    this.step.focus();
  }

  private edit(part: "name" | "note", text: string): void {
    this.selected[part] = text;
    this.changed();
  }

  private remove(step: Step): void {
    if (!step.parent) return;
    this.find.forget(allFrom(step));
    this.deleted.push({ step, restore: remove(step) });
    const isInTree = this.tree.element.contains(document.activeElement);
    this.selected = step.parent;
    this.look();
    this.changed();
    if (isInTree) this.tree.focus();
    else this.undoButton.focus();
  }

  private undo(): void {
    const last = this.deleted.pop();
    if (!last) return;
    last.restore();
    this.selected = last.step;
    this.look();
    this.changed();
    this.tree.focus();
  }

  /** Proves the shortest solution of the scramble, stops the search, or shows the solution. */
  private prove(): void {
    const { attempt, find } = this;
    const search = find.shortest(attempt.root);
    if (search?.isRunning) search.stop();
    else if (!search?.results.length) find.prove(attempt);
    else {
      this.select(attempt.root);
      find.showShortest();
      this.lead();
    }
    this.showOptimum();
  }

  /** Stores the attempt, and shows the changes. */
  private changed(): void {
    // If it were set again with each key, screen readers would repeat it.
    if (!storeAttempt(this.id, this.attempt) && !this.arrival.contains(this.unkept))
      setChildren(this.arrival, this.unkept);
    this.earlier.show(this.id);
    this.draw();
  }

  private draw(): void {
    const { attempt, selected } = this;
    storeShownStep(this.id, allFrom(attempt.root).indexOf(selected));
    this.tree.show(attempt.root, selected);
    this.step.show(attempt, selected);
    selection.value = { attempt, step: selected };
    this.showUndo();
    this.showOptimum();
  }

  /** Offers to restore the last deleted step, unless it has been added again. */
  private showUndo(): void {
    const all = allFrom(this.attempt.root);
    const isGone = ({ parent, ...result }: Step): boolean =>
      !all.includes(parent!) || childLike(parent!, result) !== undefined;
    while (this.deleted.length > 0 && isGone(this.deleted.at(-1)!.step)) this.deleted.pop();
    const last = this.deleted.at(-1);
    this.undoRow.hidden = !last;
    setText(this.undoText, last ? `Deleted ${plural(allFrom(last.step).length, "step")}` : "");
  }

  private showOptimum(): void {
    this.scramble.showOptimum(this.attempt.root, this.find.shortest(this.attempt.root));
  }

  /**
   * Inspects the selected step, its ancestors, and the steps whose reductions are unknown or that
   * seem to lose some.
   */
  private look(): void {
    this.looking.abort();
    this.looking = new AbortController();
    setChildren(this.step.looking);
    void this.lookAt(this.selected, this.looking.signal);
  }

  private async lookAt(step: Step, signal: AbortSignal): Promise<void> {
    const { attempt } = this;
    const path = pathTo(step).reverse();
    const isClear = ({ reduction, parent }: Step): boolean =>
      reduction !== "" && isReached({ reductions: [reduction] }, parent?.reduction || reduction);
    try {
      for (const each of new Set([...path, ...allFrom(attempt.root)])) {
        if (each.status || (isClear(each) && !path.includes(each))) continue;
        const status = await inspect(
          attempt.scramble,
          written(doneBy(each)),
          signal,
          this.step.looking,
        );
        if (signal.aborted) return;
        if ("error" in status && each === step)
          return setChildren(this.step.looking, notice(status));
        if ("error" in status) continue;
        // Steps of links and write-ups may have false claims.
        const isNews =
          !status.reductions.includes(each.reduction) &&
          each.reduction !== furthestReduction(status);
        if (isNews) each.reduction = furthestReduction(status);
        each.status = status;
        if (isNews) this.changed();
        else this.draw();
      }
    } catch (error) {
      if (signal.aborted) return;
      showError(this.step.looking, error);
    }
  }
}
