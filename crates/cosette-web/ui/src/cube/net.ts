// The unfolded cube: 54 facelets, which can be painted with the pointer or with keys.
//
//          U                    U
//        L F R B     or       L F R
//          D                    D
//                               B   on narrow screens, turned as it hangs together

import { h, setAll } from "../dom";
import { colorName, faceOfKey, onAppearance } from "./appearance";
import { FACES, NAMES, SOLVED, UNFOLDED, type Face, type Facelet } from "./colors";

/** Arrangement of the faces. */
type Layout = "wide" | "narrow";
const SIZE: Record<Layout, [columns: number, rows: number]> = { wide: [12, 9], narrow: [9, 12] };

/** Screens with the narrow layout; the style sheet has the same limit. */
const NARROW = matchMedia("(max-width: 30rem)");

const STEPS: Record<string, [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The facelets of an impossible piece, its error, and the sign on the facelets. */
interface Mark {
  facelet_indices: number[];
  error: string;
  sign: string;
}

/** The paintable net. */
export class Net {
  readonly element: HTMLElement;
  private readonly cells: HTMLButtonElement[] = [];
  private readonly colors: Facelet[];
  private readonly faults: (string | undefined)[] = [];
  private at = 0;
  private painting = false;

  /**
   * `brush` returns the color that the pointer paints; `onPaint` is called with all facelets after
   * each change. `shows` describes the subject of the painting, and `blank` an unpainted facelet.
   */
  constructor(
    private readonly brush: () => Facelet,
    private readonly onPaint: (facelets: string) => void,
    shows = "The 54 facelets of the cube, unfolded",
    private readonly blank?: string,
  ) {
    this.colors = [...SOLVED] as Facelet[];
    this.element = h("div", {
      class: "net",
      role: "group",
      "aria-label": shows,
      onkeydown: (event: KeyboardEvent) => this.onKey(event),
      onpointerdown: (event: PointerEvent) => event.button === 0 && this.onPointer(event, true),
      onpointermove: (event: PointerEvent) => {
        // A menu or the system may have consumed the release.
        this.painting &&= (event.buttons & 1) !== 0;
        if (this.painting) this.onPointer(event, false);
      },
    });
    window.addEventListener("pointerup", () => (this.painting = false));
    for (let place = 0; place < 54; place += 1) this.cells.push(this.cell(place));
    this.element.append(...this.cells);
    this.moveTo(0, false);
    this.show(SOLVED);
    onAppearance(() => this.cells.forEach((_, place) => this.label(place)));
  }

  /** Shows these facelets. */
  show(facelets: string): void {
    for (let place = 0; place < 54; place += 1) this.color(place, facelets[place] as Facelet);
  }

  /** The facelets shown. */
  get facelets(): string {
    return this.colors.join("");
  }

  /** Marks the impossible pieces. */
  mark(marks: Mark[]): void {
    for (let place = 0; place < 54; place += 1) {
      const mark = marks.find((mark) => mark.facelet_indices.includes(place));
      this.faults[place] = mark?.error;
      this.cells[place]!.dataset.sign = mark?.sign ?? "";
      this.cells[place]!.classList.toggle("fault", this.faults[place] !== undefined);
      this.label(place);
    }
  }

  private cell(place: number): HTMLButtonElement {
    const face = FACES[Math.floor(place / 9)]!;
    const isCenter = place % 9 === 4;
    const cell = h("button", {
      type: "button",
      class: `facelet face-${face}${isCenter ? " center" : ""}`,
      "data-place": place,
      tabindex: -1,
      "aria-disabled": isCenter,
      onclick: (event: MouseEvent) => event.detail === 0 && this.paint(place, this.brush()),
      onfocus: () => this.moveTo(place, false),
    });
    for (const layout of ["wide", "narrow"] as const) {
      const [column, row] = position(place, layout);
      cell.style.setProperty(`--${layout}`, `${row + 1} / ${column + 1}`);
    }
    return cell;
  }

  private color(place: number, facelet: Facelet): void {
    this.colors[place] = facelet;
    this.cells[place]!.dataset.color = facelet;
    this.label(place);
  }

  private label(place: number): void {
    const fault = this.faults[place];
    const facelet = this.colors[place]!;
    const label = `${nameOf(place)} ${facelet === "." && this.blank ? this.blank : colorName(facelet)}${fault ? `; ${fault}` : ""}`;
    setAll(this.cells[place]!, { "aria-label": label, title: fault ?? null });
  }

  private paint(place: number, facelet: Facelet): void {
    if (place % 9 === 4 || this.colors[place] === facelet) return;
    this.color(place, facelet);
    this.onPaint(this.facelets);
  }

  private onPointer(event: PointerEvent, isDown: boolean): void {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const place = under instanceof HTMLElement ? Number(under.dataset.place ?? NaN) : NaN;
    if (isDown) {
      this.painting = true;
      // A touch is captured by its first target unless it is released.
      if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) {
        event.target.releasePointerCapture(event.pointerId);
      }
    }
    if (Number.isInteger(place)) this.paint(place, this.brush());
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const painted: Facelet | undefined = ["Backspace", "Delete", "."].includes(event.key)
      ? "."
      : faceOfKey(event.key);
    if (step) this.moveTo(beside(this.at, step), true);
    else if (event.key === "Home") this.moveTo(0, true);
    else if (event.key === "End") this.moveTo(53, true);
    else if (painted) {
      this.paint(this.at, painted);
      this.moveTo(event.key === "Backspace" ? before(this.at) : after(this.at), true);
    } else return;
    event.preventDefault();
  }

  /** Moves the tab stop; only one facelet is one, and arrow keys move between facelets. */
  private moveTo(place: number, focus: boolean): void {
    this.cells[this.at]!.tabIndex = -1;
    this.at = place;
    this.cells[place]!.tabIndex = 0;
    if (focus) this.cells[place]!.focus();
  }
}

function position(place: number, layout: Layout): [column: number, row: number] {
  const face = FACES[Math.floor(place / 9)]!;
  const [column, row] = [place % 3, Math.floor(place / 3) % 3];
  if (face === "B" && layout === "narrow") return [5 - column, 11 - row];
  return [UNFOLDED[face][0] + column, UNFOLDED[face][1] + row];
}

/** The facelet at each position of a layout. */
const placesIn = (layout: Layout): Map<string, number> =>
  new Map(Array.from({ length: 54 }, (_, place) => [position(place, layout).join(), place]));
const PLACES: Record<Layout, Map<string, number>> = {
  wide: placesIn("wide"),
  narrow: placesIn("narrow"),
};

/** The next facelet in this direction of the net, which wraps around. */
function beside(place: number, [right, down]: [number, number]): number {
  const layout = NARROW.matches ? "narrow" : "wide";
  const [columns, rows] = SIZE[layout];
  let [column, row] = position(place, layout);
  for (;;) {
    column = (column + right + columns) % columns;
    row = (row + down + rows) % rows;
    const found = PLACES[layout].get([column, row].join());
    if (found !== undefined) return found;
  }
}

/** The next facelet to paint, skipping centers. */
const after = (place: number): number => (place + (place % 9 === 3 ? 2 : 1)) % 54;
const before = (place: number): number => (place - (place % 9 === 5 ? 2 : 1) + 54) % 54;

/** Returns the names and colors of these facelets. */
export function described(places: number[], facelets: string): string {
  return places
    .map((place) => `${nameOf(place)} ${colorName(facelets[place] as Facelet)}`)
    .join(", ");
}

/**
 * Rewrites an error of the engine about painted pieces with color names in place of face letters.
 */
export function inColors(error: string): string {
  const names = (letters: string): string =>
    [...letters]
      .filter((letter) => letter !== ".")
      .map((letter) => colorName(letter as Face))
      .join("-");
  return error
    .replace(/slot [URFDLB]+/, "this slot")
    .replace(/facelets `(\w)`/g, (_, letter: string) => `${names(letter)} facelets`)
    .replace(/`?\b([URFDLB]{2,3})\b`?|`([URFDLB.]+)`/g, (_, plain?: string, quoted?: string) =>
      names(plain ?? quoted!),
    );
}

function nameOf(place: number): string {
  const face = FACES[Math.floor(place / 9)]!;
  return `${NAMES[face]} ${(place % 9) + 1}`;
}
