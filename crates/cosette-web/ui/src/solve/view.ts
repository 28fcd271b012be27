// The view in which one position is solved.

import { fetchJson, streamEvents } from "../api";
import { h, setChildren } from "../dom";
import { notice, showError } from "../notice";
import type { Answer, PositionCheck, SolveEvent } from "../protocol";
import { Stored } from "../stored";
import { after, nothingKnown, type Bounds } from "./bounds";
import { DEFAULTS, OptionsInput, type Options } from "./options";
import { Player } from "./player";
import { PositionInput } from "./position";
import { Solutions } from "./solutions";
import { Status } from "./status";

/** What survives a reload: the text, the options, and whether a search was under way, which is then started again. */
interface Saved {
  text: string;
  chosen: Options;
  solving: boolean;
}

/** Position, options, live bounds, the cube and its solutions. */
export class SolveView {
  private readonly saved = new Stored<Saved>("solve", { text: "", chosen: DEFAULTS, solving: false });
  private readonly position: PositionInput;
  private readonly options: OptionsInput;
  private readonly player = new Player();
  private readonly status = new Status();
  private readonly solutions = new Solutions(
    (solution) => this.player.load(solution),
    () => this.player.play(),
  );
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly start = h("button", { type: "submit", class: "strong" }, "Solve");
  private readonly stop = h("button", { type: "button", class: "strong", hidden: true, onclick: () => this.askToStop() }, "Stop");
  private search: { abort: AbortController; id?: number } | undefined;
  private checked: PositionCheck | undefined;
  private readonly result: HTMLElement;
  readonly element: HTMLElement;

  constructor() {
    const { text, chosen, solving } = this.saved.get();
    this.options = new OptionsInput(chosen);
    this.position = new PositionInput(
      (checkedText, checked) => this.onCheck(checkedText, checked),
      () => void this.solve(),
    );
    const form = h(
      "form",
      {
        class: "card",
        "aria-label": "Position and options",
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.solve();
        },
      },
      this.position.element,
      h("div", { class: "bar" }, this.options.element, this.stop, this.start),
    );
    this.result = h("section", { class: "card result", "aria-label": "Solution" }, this.player.element, this.errors, this.status.element, this.solutions.element);
    this.element = h("div", { class: "columns" }, form, this.result);
    this.status.show(undefined);
    this.begin(text, solving);
  }

  private begin(text: string, solving: boolean): void {
    this.player.show("");
    if (text === "") return;
    this.resume = solving;
    this.position.setText(text);
  }

  /** Whether to solve as soon as the position is checked, because a reload interrupted the search. */
  private resume = false;

  private onCheck(text: string, checked: PositionCheck | undefined): void {
    const isDifferent = !(checked?.ok && this.checked?.ok && checked.facelets === this.checked.facelets);
    this.checked = checked;
    if (isDifferent) {
      this.search?.abort.abort();
      this.status.show(undefined);
      this.solutions.clear();
      setChildren(this.errors);
      this.player.show(checked === undefined ? "" : checked.ok ? checked.setup : undefined);
    }
    this.save(text, this.resume);
    if (this.resume) {
      this.resume = false;
      void this.solve();
    }
  }

  private save(text: string, solving: boolean): void {
    this.saved.set({ text, chosen: this.options.chosen, solving });
  }

  private async solve(): Promise<void> {
    await this.position.settle();
    const text = this.position.value;
    if (this.search || !this.options.isValid()) return;
    if (text.trim() === "") {
      setChildren(this.errors, notice({ error: "there is no position", help: "enter a scramble, or paint the cube" }));
      return;
    }
    const request = this.options.request(text);
    const search = { abort: new AbortController() } as NonNullable<SolveView["search"]>;
    this.search = search;
    this.save(text, true);
    this.setBusy(true);
    let bounds: Bounds = nothingKnown(request.metric);
    setChildren(this.errors);
    this.solutions.clear();
    this.status.show(bounds);
    if (isBelow(this.result)) this.result.scrollIntoView({ behavior: "smooth" });
    // A search reports hundreds of times a second; draw once per frame.
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      this.draw(bounds);
    };
    try {
      await streamEvents<SolveEvent>("POST", "/solve", request, search.abort.signal, (event) => {
        if (event.event === "queued") search.id = event.id;
        if (event.event === "refused") setChildren(this.errors, notice(event, text));
        bounds = after(bounds, event);
        frame ||= requestAnimationFrame(draw);
      });
      if (!bounds.answer && !this.errors.hasChildNodes()) setChildren(this.errors, notice({ error: "the server stopped before it answered" }));
    } catch (error) {
      showError(this.errors, error, text);
    } finally {
      cancelAnimationFrame(frame);
      if (!search.abort.signal.aborted) {
        this.draw(bounds);
        if (!bounds.answer) this.status.show(undefined);
      }
      this.search = undefined;
      this.setBusy(false);
      this.save(this.position.value, false);
    }
  }

  private draw(bounds: Bounds): void {
    this.status.show(bounds);
    const { answer, best } = bounds;
    if (answer) this.solutions.show(...result(answer));
    else if (best !== null) this.solutions.show([best], "Best so far");
  }

  /** Asks the server to stop the search; it then answers with what is proven. */
  private askToStop(): void {
    const { id, abort } = this.search ?? {};
    if (id) fetchJson("DELETE", `/solves/${id}`).catch(() => abort?.abort());
    else abort?.abort();
  }

  private setBusy(busy: boolean): void {
    const hadFocus = document.activeElement === this.start || document.activeElement === this.stop;
    this.start.hidden = busy;
    this.stop.hidden = !busy;
    this.element.setAttribute("aria-busy", String(busy));
    if (hadFocus) (busy ? this.stop : this.start).focus();
  }
}

/** Whether an element is below the visible part of the page. */
function isBelow(element: HTMLElement): boolean {
  return element.getBoundingClientRect().top > innerHeight;
}

function result(answer: Answer): [solutions: string[], label: string] {
  if (answer.solutions.length > 0) {
    const all = answer.complete && answer.solutions.length > 1 ? "all proven shortest" : "proven shortest";
    return [answer.solutions, answer.solutions.length > 1 ? all : "A shortest solution"];
  }
  return answer.best_known === null ? [[], ""] : [[answer.best_known], "Best known, not proven shortest"];
}
