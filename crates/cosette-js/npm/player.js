// A player of moves: the cube, the moves, buttons and a slider.

import { apply, SOLVED } from "./cube.js";
import { draw, newDrawing, svgElement } from "./drawing.js";

/** Time of a quarter turn, and between two moves, in milliseconds. */
const QUARTER = 350;
const PAUSE = 150;

const ICONS = {
  back: "M18 5 9 12l9 7zM5 5h3v14H5z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M6 5l9 7-9 7zM16 5h3v14h-3z",
  over:
    "M12 3a9 9 0 0 1 8.5 6H23l-4 5-4-5h2.9A6.5 6.5 0 0 0 6 9.5L3.7 8.4A9 9 0 0 1 12 3z" +
    "M12 21a9 9 0 0 1-8.5-6H1l4-5 4 5H6.1A6.5 6.5 0 0 0 18 14.5l2.3 1.1A9 9 0 0 1 12 21z",
};

/** Creates an element of HTML with these attributes; functions are listeners. */
export function html(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function setIcon(button, icon, label) {
  const path = svgElement("path", { d: ICONS[icon] });
  button.replaceChildren(svgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, path));
  button.setAttribute("aria-label", label);
  button.title = label;
}

function iconButton(icon, label, click) {
  const button = html("button", { type: "button", click });
  setIcon(button, icon, label);
  return button;
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

export class Player {
  #drawing = newDrawing();
  #isTurnedOver = false;
  #moves = [];
  /** The facelets before the first move and after each one. */
  #positions = [SOLVED];
  /** Number of moves done; those of an animation count from its beginning. */
  #done = 0;
  #isPlaying = false;
  /** Number of the last animation: an earlier one ends when it is no longer the last. */
  #animation = 0;
  #back = iconButton("back", "Previous move", () => this.#step(-1));
  #toggle = iconButton("play", "Play", () => (this.#isPlaying ? this.pause() : this.#play()));
  #next = iconButton("next", "Next move", () => this.#step(1));
  #slider = html("input", {
    type: "range",
    min: "0",
    "aria-label": "Position in the solution",
    input: () => this.#goTo(this.#slider.valueAsNumber),
  });
  #over = iconButton("over", "Other side", () => this.#turnOver());
  /** The moves are not tab stops: the slider and the buttons have their function. */
  #list = html("div", { class: "moves", role: "group", "aria-label": "Solution" });
  #controls = html(
    "div",
    { class: "controls", role: "group", "aria-label": "Player" },
    this.#back,
    this.#toggle,
    this.#next,
    this.#slider,
  );
  element = html(
    "div",
    { keydown: (event) => this.#onKey(event) },
    html("div", { class: "stage" }, this.#drawing, this.#over),
    this.#controls,
    this.#list,
  );

  constructor() {
    this.#over.setAttribute("aria-pressed", "false");
  }

  /** Shows a position, and moves from it. */
  load(facelets, moves) {
    this.#moves = moves;
    this.#positions = [facelets];
    for (const move of moves) this.#positions.push(apply(this.#positions.at(-1), move));
    this.#controls.hidden = moves.length === 0;
    this.#slider.max = String(moves.length);
    const buttons = moves.map(({ text }, index) =>
      html("button", { type: "button", tabindex: "-1", click: () => this.#goTo(index) }, text),
    );
    this.#list.hidden = moves.length === 0;
    this.#list.replaceChildren(...buttons);
    this.#goTo(0);
  }

  /** Returns the facelets before the first move. */
  get start() {
    return this.#positions[0];
  }

  /** Returns the facelets after the last move. */
  get end() {
    return this.#positions.at(-1);
  }

  /** Focuses the button that plays. */
  focus() {
    this.#toggle.focus({ preventScroll: true });
  }

  pause() {
    this.#goTo(this.#done);
  }

  /** Shows the cube after this many moves, without animation. */
  #goTo(done) {
    this.#animation++;
    this.#done = done;
    this.#setPlaying(false);
    this.#draw();
  }

  /** Makes a move, or takes it back. A move that is still turning is completed at once. */
  #step(direction) {
    const next = this.#done + direction;
    if (next < 0 || next > this.#moves.length) return;
    this.#setPlaying(false);
    void this.#animate(next);
  }

  async #play() {
    if (this.#done === this.#moves.length) this.#goTo(0);
    this.#setPlaying(true);
    while (this.#done < this.#moves.length) {
      if (!(await this.#animate(this.#done + 1))) return;
      const animation = this.#animation;
      await wait(PAUSE);
      if (animation !== this.#animation) return;
    }
    this.#setPlaying(false);
  }

  /**
   * Turns to the position after `next` moves, one more or one fewer than now. Returns `false` if
   * something else was shown meanwhile.
   */
  async #animate(next) {
    const animation = ++this.#animation;
    const isForward = next > this.#done;
    const move = this.#moves[Math.min(next, this.#done)];
    const before = this.#positions[this.#done];
    const angle = ((isForward ? move.quarters : -move.quarters) * Math.PI) / 2;
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const duration = QUARTER * Math.sqrt(Math.abs(move.quarters));
    this.#done = next;
    this.#showProgress();
    const start = performance.now();
    // Reduced motion jumps to the next position, at the same pace.
    if (isReduced) {
      this.#draw();
      if (this.#isPlaying) await wait(duration);
    }
    for (let share = 0; share < 1 && !isReduced;) {
      if (animation !== this.#animation) return false;
      const eased = share * share * (3 - 2 * share);
      draw(this.#drawing, before, {
        ...move,
        isTurnedOver: this.#isTurnedOver,
        angle: angle * eased,
      });
      await nextFrame();
      share = (performance.now() - start) / duration;
    }
    if (animation !== this.#animation) return false;
    this.#draw();
    return true;
  }

  #turnOver() {
    this.#isTurnedOver = !this.#isTurnedOver;
    this.#over.setAttribute("aria-pressed", String(this.#isTurnedOver));
    this.#draw();
  }

  #onKey(event) {
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // The slider has its own keys.
    if (!isPlain || direction === undefined || event.target === this.#slider) return;
    event.preventDefault();
    this.#step(direction);
  }

  #setPlaying(isPlaying) {
    this.#isPlaying = isPlaying;
    setIcon(this.#toggle, isPlaying ? "pause" : "play", isPlaying ? "Pause" : "Play");
  }

  /** Draws the position after the moves done. */
  #draw() {
    draw(this.#drawing, this.#positions[this.#done], { isTurnedOver: this.#isTurnedOver });
    this.#showProgress();
  }

  /** Shows the number of moves done in the slider, the list and the label of the drawing. */
  #showProgress() {
    const [done, count] = [this.#done, this.#moves.length];
    this.#slider.value = String(done);
    this.#slider.setAttribute("aria-valuetext", `${done} of ${count}`);
    // With the attribute `disabled`, a button would lose the focus.
    this.#back.setAttribute("aria-disabled", String(done === 0));
    this.#next.setAttribute("aria-disabled", String(done === count));
    for (const [index, button] of [...this.#list.children].entries())
      button.classList.toggle("next", index === done);
    const label = count === 0 ? "Rubik's Cube" : `Rubik's Cube after ${done} of ${count} moves`;
    this.#drawing.setAttribute("aria-label", label);
  }
}
