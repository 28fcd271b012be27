// <cosette-cube>: a player of a position and its solution, and the proof of its length. The solver
// is loaded only when a visitor asks for the proof.

import { apply, isSolved, parseMoves, SOLVED } from "./cube.js";
import { addStyle } from "./element-style.js";
import { html, Player } from "./player.js";

const NAME = "cosette-cube";
/** Address of the web app, if the element has no other. */
const DEFAULT_APP = "https://cosette-solver.github.io/cosette/";
/** The options of a solver for positions of up to eight moves, which needs no table. */
const WITHOUT_TABLE = { table: null, sharedMemory: false };
/** The options of a solver with the smallest table, which is generated in seconds. */
const WITH_TABLE = { table: "24M" };
/** Time limit of a search in seconds: longer ones are for the larger tables of the web app. */
const TIMEOUT = 60;
/** The largest distance of a position. */
const MAX_LENGTH = 20;

/** The solvers that all elements of the page share, by their options, once they are needed. */
const solvers = new Map();
const progressListeners = new Set();

function onProgress(progress) {
  for (const listener of progressListeners) listener(progress);
}

/** Returns a solver; the first call loads it and generates its table. */
async function openSolver(options, listener) {
  progressListeners.add(listener);
  try {
    if (!solvers.has(options)) {
      const module = import("./index.js");
      solvers.set(
        options,
        module.then(({ Solver }) => Solver.open({ ...options, onProgress })),
      );
    }
    return await solvers.get(options);
  } catch (error) {
    solvers.delete(options);
    throw error;
  } finally {
    progressListeners.delete(listener);
  }
}

/** The complete model of the cube, once it is needed. */
let model;

/** Calls a function of the complete model of the cube, which also explains errors in the text. */
async function callModel(attribute, call) {
  model ??= import("./index.js").then(({ loadCubeModel }) => loadCubeModel());
  const loaded = await model;
  try {
    return call(loaded);
  } catch (error) {
    throw new Error(`Error in ${attribute}: ${error.message}`);
  }
}

/** Returns the facelets of a position. The most common one, turns of faces, needs no module. */
async function faceletsOf(scramble) {
  const moves = parseMoves(scramble);
  if (moves?.length > 0 && moves.every(({ text }) => /^[URFDLB]\d?'?$/.test(text)))
    return moves.reduce(apply, SOLVED);
  return callModel("scramble", (model) => model.apply(scramble, ""));
}

/** Returns the moves of a solution, with groups expanded. */
async function movesOf(solution) {
  const moves = parseMoves(solution);
  if (moves) return moves;
  return parseMoves(await callModel("solution", ({ inverse }) => inverse(inverse(solution))));
}

const lengthOf = (moves) => moves.reduce((sum, { length }) => sum + length, 0);
const plural = (count) => (count === 1 ? "1 move" : `${count} moves`);

/** Describes the length of a shortest solution; an upper bound above all lengths is unknown. */
function boundsText(lower, upper) {
  if (upper > MAX_LENGTH) return `at least ${plural(lower)}`;
  return lower === upper ? plural(lower) : `${lower} to ${plural(upper)}`;
}

// On a server, where there are no elements, the module has no effect.
export class CosetteCube extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["scramble", "solution", "length", "app"];

  #player = new Player();
  #facts = html("p", { class: "facts", role: "status" });
  #error = html("p", { class: "error", role: "alert" });
  #progress = html("progress", { "aria-label": "Preparing the table", hidden: "" });
  #button = html("button", { type: "button", click: () => this.#onButton() });
  #link = html("a", {}, "Open in Cosette");
  #actions = html("p", { class: "actions" }, this.#button, this.#link);
  #isReadScheduled = false;
  /** Aborted when the attributes change or the element leaves the page. */
  #content = new AbortController();
  /** Stops the search; undefined if there is none. */
  #search;
  /** The moves of the attribute `solution`, if they solve the position. */
  #solution;
  /** The length of a shortest solution by the attribute `length`. */
  #length;

  constructor() {
    super();
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    addStyle(root);
    root.replaceChildren(
      this.#player.element,
      this.#facts,
      this.#progress,
      this.#error,
      this.#actions,
    );
  }

  connectedCallback() {
    this.#scheduleRead();
  }

  disconnectedCallback() {
    this.#leave();
  }

  attributeChangedCallback() {
    this.#scheduleRead();
  }

  /** Reads the attributes, once after several changes. */
  #scheduleRead() {
    if (this.#isReadScheduled) return;
    this.#isReadScheduled = true;
    queueMicrotask(() => {
      this.#isReadScheduled = false;
      if (this.isConnected) void this.#read();
    });
  }

  /** Ends what belongs to the attributes as they were. */
  #leave() {
    this.#content.abort();
    this.#search?.abort();
    this.#search = undefined;
    this.#player.pause();
  }

  #attribute(name) {
    return this.getAttribute(name)?.trim() ?? "";
  }

  async #read() {
    this.#leave();
    this.#content = new AbortController();
    const { signal } = this.#content;
    this.#player.element.hidden = this.#actions.hidden = true;
    this.#facts.textContent = this.#error.textContent = "";
    this.#solution = this.#length = undefined;
    try {
      const scramble = this.#attribute("scramble");
      if (scramble === "")
        throw new Error(`scramble is missing; write <${NAME} scramble="R U F2">`);
      const facelets = await faceletsOf(scramble);
      if (signal.aborted) return;
      this.#player.load(facelets, []);
      this.#link.href = this.#address(scramble);
      this.#player.element.hidden = this.#actions.hidden = false;
      this.#showIdle();
      const moves = await movesOf(this.#attribute("solution"));
      if (signal.aborted) return;
      this.#readSolution(facelets, moves);
    } catch (error) {
      if (!signal.aborted) this.#showError(error);
    }
  }

  /** Shows the given solution and length; throws an error if they contradict each other. */
  #readSolution(facelets, moves) {
    this.#player.load(facelets, moves);
    if (moves.length > 0 && !isSolved(this.#player.end))
      throw new Error(
        "The solution does not solve the cube; hold the cube the same way for scramble and solution",
      );
    if (moves.length > 0) this.#solution = moves;
    this.#showIdle();
    const length = this.#attribute("length");
    if (length === "") return;
    if (!/^\d+$/.test(length) || Number(length) > MAX_LENGTH)
      throw new Error(`length is '${length}'; it must be a whole number from 0 to ${MAX_LENGTH}`);
    if (this.#givenLength < Number(length))
      throw new Error(`length is ${length}, but the solution has ${plural(this.#givenLength)}`);
    this.#length = Number(length);
    this.#showIdle();
  }

  /** Returns the address of the position in the web app. */
  #address(scramble) {
    const address = new URL(this.#attribute("app") || DEFAULT_APP, document.baseURI);
    address.search = String(new URLSearchParams({ position: scramble }));
    return address.href;
  }

  /** The length of the given solution; infinite if there is none. */
  get #givenLength() {
    return this.#solution ? lengthOf(this.#solution) : Infinity;
  }

  /** Shows what is known without a search. */
  #showIdle() {
    this.#progress.hidden = true;
    this.#button.hidden = false;
    this.#button.textContent = this.#solution ? "Prove" : "Solve";
    if (this.#length !== undefined)
      this.#showLength(this.#length, "optimal according to this page");
    else this.#facts.textContent = this.#solution ? plural(this.#givenLength) : "";
  }

  /** Shows the length of a shortest solution, beside that of the given one. */
  #showLength(length, claim) {
    const isLonger = this.#solution && this.#givenLength > length;
    this.#facts.textContent =
      `${plural(length)}, ${claim}` +
      (isLonger ? `; the given solution has ${this.#givenLength}` : "");
  }

  #showError(error) {
    this.#error.textContent = error.message;
  }

  #onButton() {
    if (this.#search) this.#search.abort();
    else void this.#prove();
  }

  async #prove() {
    const content = this.#content.signal;
    const search = new AbortController();
    this.#search = search;
    this.#error.textContent = "";
    this.#button.textContent = "Stop";
    this.#facts.textContent = "Searching";
    try {
      const answer = await this.#solve(search.signal);
      if (content.aborted) return;
      this.#showIdle();
      if (answer) this.#showAnswer(answer);
    } catch (error) {
      if (content.aborted) return;
      this.#showIdle();
      this.#showError(error);
    } finally {
      if (this.#search === search) this.#search = undefined;
    }
  }

  /**
   * Solves the position, with a table only if it is needed. Returns undefined if that is stopped
   * before the search begins.
   */
  async #solve(stopSignal) {
    try {
      return await this.#solveWith(WITHOUT_TABLE, stopSignal);
    } catch (error) {
      if (error.kind !== "table") throw error;
    }
    if (stopSignal.aborted) return undefined;
    this.#facts.textContent = "Preparing the table";
    this.#progress.removeAttribute("value");
    this.#progress.hidden = false;
    return this.#solveWith(WITH_TABLE, stopSignal);
  }

  async #solveWith(options, stopSignal) {
    const stopped = new Promise((resolve) => stopSignal.addEventListener("abort", resolve));
    const listener = ({ done, total }) => {
      this.#progress.value = done / total;
    };
    const solver = await Promise.race([openSolver(options, listener), stopped]);
    if (stopSignal.aborted) return undefined;
    this.#progress.hidden = true;
    let upper = this.#givenLength;
    const onEvent = ({ event, length }) => {
      if (stopSignal.aborted) return;
      if (event === "solution") upper = Math.min(upper, length);
      if (event === "iteration-started")
        this.#facts.textContent = `Searching: ${boundsText(length, upper)}`;
    };
    try {
      const scramble = this.#attribute("scramble");
      return await solver.solve(scramble, { timeout: TIMEOUT, stopSignal, onEvent });
    } catch (error) {
      // The next search begins with a new engine.
      if (error.kind === "engine" || error.kind === "closed") solvers.delete(options);
      throw error;
    }
  }

  #showAnswer({ optimal, length, lower_bound, upper_bound, solutions, best_known }) {
    const found = solutions[0] ?? best_known;
    if (found !== null && lengthOf(parseMoves(found)) < this.#givenLength)
      this.#player.load(this.#player.start, parseMoves(found));
    if (!optimal) {
      const bounds = boundsText(lower_bound, Math.min(upper_bound, this.#givenLength));
      this.#facts.textContent =
        `Not proven: a shortest solution has ${bounds}. ` +
        "The larger tables of the web app are faster.";
      return;
    }
    this.#showLength(length, "proven shortest");
    if (this.#length !== undefined && this.#length !== length)
      this.#error.textContent = `length is ${this.#length}, but a shortest solution has ${plural(length)}`;
    const hadFocus = this.shadowRoot.activeElement === this.#button;
    this.#button.hidden = true;
    if (hadFocus) this.#player.focus();
  }
}

if (globalThis.customElements && !customElements.get(NAME))
  customElements.define(NAME, CosetteCube);
