// The view in which one position is solved.

import { ask, follow, refusalOf } from "../api";
import { fill, h } from "../dom";
import { Remembered } from "../memory";
import type { Answer, Checked, SolveEvent } from "../protocol";
import { after, nothingKnown, type Bounds } from "./bounds";
import { notice } from "./notice";
import { OptionsInput, PLAIN, type Chosen } from "./options";
import { Player } from "./player";
import { PositionInput } from "./position";
import { Solutions } from "./solutions";
import { Status } from "./status";

/** What outlives a reload: the text, the options, and whether a search was under way, which then begins anew. */
interface Work {
  text: string;
  chosen: Chosen;
  solving: boolean;
}

/** Position, options, live bounds, the cube and its solutions. */
export class SolveView {
  private readonly work = new Remembered<Work>("solve", { text: "", chosen: PLAIN, solving: false });
  private readonly position: PositionInput;
  private readonly options: OptionsInput;
  private readonly player = new Player();
  private readonly status = new Status();
  private readonly solutions = new Solutions(
    (solution) => this.player.lay(solution),
    () => this.player.play(),
  );
  private readonly trouble = h("div", { "aria-live": "assertive" });
  private readonly start = h("button", { type: "submit", class: "strong" }, "Solve");
  private readonly stop = h("button", { type: "button", class: "strong", hidden: true, onclick: () => this.askToStop() }, "Stop");
  private search: { abort: AbortController; id?: number } | undefined;
  private checked: Checked | undefined;
  private readonly result: HTMLElement;
  readonly element: HTMLElement;

  constructor() {
    const { text, chosen, solving } = this.work.get();
    this.options = new OptionsInput(chosen);
    this.position = new PositionInput(
      (read, checked) => this.onPosition(read, checked),
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
    this.result = h("section", { class: "card result", "aria-label": "Solution" }, this.player.element, this.trouble, this.status.element, this.solutions.element);
    this.element = h("div", { class: "columns" }, form, this.result);
    this.status.show(undefined);
    this.begin(text, solving);
  }

  private begin(text: string, solving: boolean): void {
    this.player.show("");
    if (text === "") return;
    this.resume = solving;
    this.position.take(text);
  }

  /** Whether to solve as soon as the position is read: a reload came in the middle. */
  private resume = false;

  private onPosition(text: string, checked: Checked | undefined): void {
    const isOther = !(checked?.ok && this.checked?.ok && checked.facelets === this.checked.facelets);
    this.checked = checked;
    if (isOther) {
      this.search?.abort.abort();
      this.status.show(undefined);
      this.solutions.clear();
      fill(this.trouble);
      this.player.show(checked === undefined ? "" : checked.ok ? checked.setup : undefined);
    }
    this.remember(text, this.resume);
    if (this.resume) {
      this.resume = false;
      void this.solve();
    }
  }

  private remember(text: string, solving: boolean): void {
    this.work.set({ text, chosen: this.options.chosen, solving });
  }

  private async solve(): Promise<void> {
    await this.position.settle();
    const text = this.position.value;
    if (this.search || !this.options.isValid()) return;
    if (text.trim() === "") {
      fill(this.trouble, notice({ error: "there is no position yet", help: "write a scramble, or paint the cube" }));
      return;
    }
    const request = this.options.request(text);
    const search = { abort: new AbortController() } as NonNullable<SolveView["search"]>;
    this.search = search;
    this.remember(text, true);
    this.setBusy(true);
    let bounds: Bounds = nothingKnown(request.metric);
    fill(this.trouble);
    this.solutions.clear();
    this.status.show(bounds);
    if (isBelow(this.result)) this.result.scrollIntoView({ behavior: "smooth" });
    // A search reports hundreds of times a second; the eye wants one picture a frame.
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      this.draw(bounds);
    };
    try {
      await follow<SolveEvent>("POST", "/solve", request, search.abort.signal, (event) => {
        if (event.event === "queued") search.id = event.id;
        if (event.event === "refused") fill(this.trouble, notice(event, text));
        bounds = after(bounds, event);
        frame ||= requestAnimationFrame(draw);
      });
      if (!bounds.answer && !this.trouble.hasChildNodes()) fill(this.trouble, notice({ error: "the server stopped before the answer" }));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) fill(this.trouble, notice(refusal, text));
    } finally {
      cancelAnimationFrame(frame);
      if (!search.abort.signal.aborted) {
        this.draw(bounds);
        if (!bounds.answer) this.status.show(undefined);
      }
      this.search = undefined;
      this.setBusy(false);
      this.remember(this.position.value, false);
    }
  }

  private draw(bounds: Bounds): void {
    this.status.show(bounds);
    const { answer, best } = bounds;
    if (answer) this.solutions.show(...result(answer));
    else if (best !== null) this.solutions.show([best], "Best so far");
  }

  /** Asks the server to stop; it then answers with what is proven. */
  private askToStop(): void {
    const { id, abort } = this.search ?? {};
    if (id) ask("DELETE", `/solves/${id}`).catch(() => abort?.abort());
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

/** Whether nothing of it can be seen without scrolling. */
function isBelow(element: HTMLElement): boolean {
  return element.getBoundingClientRect().top > innerHeight;
}

function result(answer: Answer): [solutions: string[], are: string] {
  if (answer.solutions.length > 0) {
    const all = answer.complete && answer.solutions.length > 1 ? "all proven shortest" : "proven shortest";
    return [answer.solutions, answer.solutions.length > 1 ? all : "A shortest solution"];
  }
  return answer.best_known === null ? [[], ""] : [[answer.best_known], "Best known, not proven shortest"];
}
