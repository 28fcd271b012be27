// Actions on a solution: copy it, share it, open it elsewhere, present it.

import { elementOf } from "../bridge";
import { h, setAll, setText } from "../dom";
import type { SharedAnswer } from "../share/picture";
import { CopyButton } from "../ui/copy-button";
import { enterPresentation, leavePresentation } from "./address";
import type { Controls } from "./controls";

/** The buttons below the player. */
export class Actions {
  private shared: (() => SharedAnswer) | undefined;
  private readonly twizzle = h(
    "a",
    { class: "button", target: "_blank", rel: "noreferrer" },
    "Twizzle",
    h("span", { class: "hidden" }, " (external site, opens in a new tab)"),
  );
  private readonly present = h(
    "button",
    {
      type: "button",
      class: "quiet present",
      onclick: () => this.setPresenting(!this.isPresenting),
    },
    "Present",
  );
  readonly element: HTMLElement;

  /** `true` if the history has an entry for the presentation, which "back" leaves. */
  private hasEntry = false;

  /** The player fills the window during a presentation. `onError` is called if sharing fails. */
  constructor(
    private readonly controls: Controls,
    onError: (error: unknown) => void,
  ) {
    this.element = h(
      "div",
      { class: "actions" },
      elementOf(
        <CopyButton name="Copy" title="Copy the moves" text={() => this.shared!().solution} />,
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          title: "Image, link, other apps",
          onclick: () => void this.share().catch(onError),
        },
        "Share",
      ),
      this.twizzle,
      this.present,
    );
    document.addEventListener("keydown", (event) => this.isPresenting && this.onKey(event));
    // Some browsers press a button when the key is released.
    document.addEventListener(
      "keyup",
      (event) => this.isPresenting && isSpace(event) && event.preventDefault(),
    );
    document.addEventListener(
      "fullscreenchange",
      () => document.fullscreenElement === null && this.setPresenting(false),
    );
    window.addEventListener("popstate", (event) => this.hasEntry && this.onBack(event));
  }

  /** Shows the actions for a solution; hides them if there is none. */
  show(shared: (() => SharedAnswer) | undefined, twizzle = ""): void {
    this.shared = shared;
    this.element.hidden = shared === undefined;
    if (shared === undefined) return this.setPresenting(false);
    setAll(this.twizzle, { href: twizzle });
  }

  private async share(): Promise<void> {
    const { share } = await import("../share/dialog");
    if (this.shared) await share(this.shared());
  }

  private get isPresenting(): boolean {
    return document.documentElement.classList.contains("presenting");
  }

  private setPresenting(presenting: boolean): void {
    if (presenting === this.isPresenting) return;
    document.documentElement.classList.toggle("presenting", presenting);
    setText(this.present, presenting ? "Exit" : "Present");
    if (presenting) {
      enterPresentation();
      this.hasEntry = true;
      this.controls.focus();
      // A browser may refuse the full screen; the window is filled anyway.
      document.documentElement.requestFullscreen?.().catch(() => undefined);
    } else {
      if (document.fullscreenElement) void document.exitFullscreen();
      if (this.hasEntry) history.back();
    }
  }

  /** The history is back at the entry before the presentation, with the same position. */
  private onBack(event: Event): void {
    event.stopImmediatePropagation();
    this.hasEntry = false;
    this.setPresenting(false);
    leavePresentation();
  }

  private onKey(event: KeyboardEvent): void {
    const { key, target } = event;
    // Sliders and the speed selection handle arrow keys, Home and End themselves.
    const isOwn = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (key === "Escape") this.setPresenting(false);
    else if (isSpace(event)) this.controls.toggle();
    else if (key === "PageDown" || (key === "ArrowRight" && !isOwn)) this.controls.step(1);
    else if (key === "PageUp" || (key === "ArrowLeft" && !isOwn)) this.controls.step(-1);
    else if (key === "Home" && !isOwn) this.controls.goToStart();
    else if (key === "End" && !isOwn) this.controls.goToEnd();
    else return;
    event.preventDefault();
    // The next space plays, even if another button was clicked before.
    if (key !== " " && target instanceof HTMLButtonElement) this.controls.focus();
  }
}

/**
 * Returns `true` if a key plays: the space bar, unless a control focused by keyboard handles it.
 */
function isSpace({ key, target }: KeyboardEvent): boolean {
  return (
    key === " " &&
    !(target instanceof Element && target.matches("select, a, summary, button:focus-visible"))
  );
}
