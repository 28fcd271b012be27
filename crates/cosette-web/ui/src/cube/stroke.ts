// Painting with the pointer: a stroke paints all facelets that it passes.

import { useRef } from "preact/hooks";
import type { Facelet } from "./colors";

/** The facelets of an impossible piece, its error, and the sign on the facelets. */
export interface Mark {
  facelet_indices: number[];
  error: string;
  sign: string;
}

/**
 * The subject of a painting. `onPaint` is called with all facelets after each change, and whether
 * it continues a stroke.
 */
export interface Paintable {
  facelets: string;
  brush: { value: Facelet };
  onPaint: (facelets: string, continues: boolean) => void;
  marks?: Mark[];
}

/** Returns the facelet index that an element stands for, if there is one. */
export function placeOf(element: EventTarget | null): number | undefined {
  const { place } = (element as HTMLElement | SVGElement | null)?.dataset ?? {};
  return place === undefined ? undefined : Number(place);
}

/** Returns `true` for a center, whose color is fixed. */
export const isCenter = (place: number): boolean => place % 9 === 4;

/** Handlers for an element whose facelets are elements with `data-place`. */
export function useStroke({ facelets, brush, onPaint }: Paintable) {
  /** The stroke of the pointer while it is down: `true` if it has painted. */
  const stroke = useRef<boolean | undefined>(undefined);
  /** Paints a facelet, and returns `true` if that changes it. */
  const paint = (place: number, facelet: Facelet, continues = false): boolean => {
    if (isCenter(place) || facelets[place] === facelet) return false;
    onPaint(facelets.slice(0, place) + facelet + facelets.slice(place + 1), continues);
    return true;
  };
  const paintUnder = ({ clientX, clientY, currentTarget }: PointerEvent): void => {
    const under = document.elementFromPoint(clientX, clientY);
    const place = (currentTarget as Element).contains(under) ? placeOf(under) : undefined;
    if (place !== undefined && paint(place, brush.value, stroke.current)) stroke.current = true;
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    stroke.current = false;
    window.addEventListener("pointerup", () => (stroke.current = undefined), {
      once: true,
    });
    // A touch is captured by its first target unless it is released.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId);
    paintUnder(event);
  };
  const onPointerMove = (event: PointerEvent): void => {
    // A menu or the system may have consumed the release.
    if ((event.buttons & 1) === 0) stroke.current = undefined;
    if (stroke.current !== undefined) paintUnder(event);
  };
  return { paint, onPointerDown, onPointerMove };
}
