// What can be done with a solution: copy it, link to it, open it elsewhere, present it.

import { copy, h, setAll } from "../dom";
import type { Controls } from "./controls";

/** The buttons below the player. */
export class Actions {
  private solution = "";
  private link = "";
  private readonly twizzle = h("a", { class: "button", target: "_blank", rel: "noreferrer" }, "Twizzle", h("span", { class: "hidden" }, " (another site, in a new tab)"));
  private readonly present = h("button", { type: "button", class: "quiet", "aria-pressed": false, onclick: () => this.setPresenting(!this.isPresenting) }, "Present");
  readonly element: HTMLElement;

  /** The player fills the window while it is presented. */
  constructor(private readonly controls: Controls) {
    this.element = h(
      "div",
      { class: "actions" },
      this.copying("Copy", "Copy the moves", () => this.solution),
      this.copying("Link", "Copy a link to this position and its options", () => this.link),
      this.twizzle,
      this.present,
    );
    document.addEventListener("keydown", (event) => this.isPresenting && this.onKey(event));
    document.addEventListener("fullscreenchange", () => document.fullscreenElement === null && this.setPresenting(false));
  }

  /** Shows the actions for a solution; hides them if there is none. */
  show(solution: string | undefined, link = "", twizzle = ""): void {
    this.element.hidden = solution === undefined;
    if (solution === undefined) return this.setPresenting(false);
    this.solution = solution;
    this.link = link;
    setAll(this.twizzle, { href: twizzle });
  }

  private get isPresenting(): boolean {
    return document.documentElement.classList.contains("presenting");
  }

  private setPresenting(presenting: boolean): void {
    if (presenting === this.isPresenting) return;
    document.documentElement.classList.toggle("presenting", presenting);
    setAll(this.present, { "aria-pressed": presenting });
    this.present.textContent = presenting ? "Leave" : "Present";
    // A browser may refuse the full screen; the window is filled anyway.
    if (presenting) document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) void document.exitFullscreen();
  }

  private onKey(event: KeyboardEvent): void {
    const isInSlider = event.target instanceof HTMLInputElement;
    if (event.key === "Escape") this.setPresenting(false);
    else if (event.key === "ArrowRight" && !isInSlider) this.controls.step(1);
    else if (event.key === "ArrowLeft" && !isInSlider) this.controls.step(-1);
    else return;
    event.preventDefault();
  }

  private copying(name: string, title: string, text: () => string): HTMLElement {
    const said = h("span", { "aria-live": "polite" }, name);
    const button = h("button", { type: "button", class: "quiet", title }, said);
    button.addEventListener("click", () => {
      void copy(text()).then((done) => {
        said.textContent = done ? "Copied" : "Not allowed";
        setTimeout(() => (said.textContent = name), 1500);
      });
    });
    return button;
  }
}
