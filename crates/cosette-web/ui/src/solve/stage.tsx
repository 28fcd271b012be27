// The 3D cube that plays a solution, in the colors of the net.

import { engine } from "#engine";
import { effect, useSignal, type Signal } from "@preact/signals";
import { cube3x3x3 } from "cubing/puzzles";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { appearance, faceColors, inkOn } from "../cube/appearance";
import type { Face, Facelet } from "../cube/colors";
import { svg } from "../cube/drawing";
import type { ApiError } from "../protocol";
import { hasWebGl, type Player } from "../stores/player";
import { isDark } from "../stores/theme";
import { Notice } from "../ui/notice";
import "./stage.css";

/** The colors of the player, and the faces of a solved cube that have them; the body is black. */
const COLORS: Record<number, Face | "body"> = {
  0x000000: "body",
  0xffffff: "U",
  0xff0000: "R",
  0x00ff00: "F",
  0xffff00: "D",
  0xff9900: "L",
  0x2266ff: "B",
};

/**
 * The colors of the flat cube, which is shown without WebGL; they are replaced by those of the
 * net.
 */
const FLAT: Record<string, Face> = {
  white: "U",
  red: "R",
  limegreen: "F",
  yellow: "D",
  orange: "L",
  "#26f": "B",
};
const { svg: flat } = cube3x3x3;
cube3x3x3.svg = async () =>
  (await flat()).replace(/fill: ([#\w]+)/g, (fill, color: string) =>
    FLAT[color] ? `fill: var(--${FLAT[color]})` : fill,
  );

/** The used part of the player's materials. */
interface Material {
  color: { r: number; g: number; b: number; set(color: string): { convertLinearToSRGB(): void } };
  opacity: number;
  map: unknown;
  needsUpdate: boolean;
}

/** The cube of a player; `children` are shown in its place. */
export function Stage({ player, children }: { player: Player; children?: ComponentChildren }) {
  const stage = useRef<HTMLDivElement>(null);
  const isReady = useSignal(!hasWebGl);
  const error = useSignal<ApiError | undefined>(undefined);
  useLayoutEffect(() => {
    stage.current!.prepend(player.twisty);
    if (hasWebGl) void paint(player, error).then(() => (isReady.value = true));
  }, [player]);
  const isIdle = player.setup.value === undefined || Boolean(children);
  const isStill = !children && (isIdle || !isReady.value);
  return (
    <div ref={stage} class={isIdle ? "stage idle" : hasWebGl ? "stage" : "stage unfolded"}>
      <div
        class="still"
        aria-hidden="true"
        hidden={!isStill}
        dangerouslySetInnerHTML={{ __html: isStill ? svg(player.facelets.value, look) : "" }}
      />
      {children}
      <div aria-live="polite">{error.value && <Notice of={error.value} />}</div>
    </div>
  );
}

/** The look of the cube that is shown until the 3D cube is loaded, and if no position is known. */
export const look = (facelet: Facelet): { fill: string; ink?: string } =>
  facelet === "."
    ? { fill: "var(--unpainted)" }
    : {
        fill: `var(--${facelet})`,
        ...(appearance().letters && { ink: `var(--on-${facelet})` }),
      };

/** Gives the cube the colors of the net, and letters if they are enabled, until it is drawn. */
async function paint({ twisty }: Player, error: Signal<ApiError | undefined>): Promise<void> {
  const cube = await twisty.experimentalCurrentThreeJSPuzzleObject();
  const materials = new Map<Material, Face | "body">();
  cube.traverse((part) => {
    const { material } = part as { material?: Material };
    if (!material || materials.has(material)) return;
    const { r, g, b } = material.color;
    const painted = COLORS[[r, g, b].reduce((hex, part) => 256 * hex + Math.round(255 * part), 0)];
    if (painted) materials.set(material, painted);
  });
  const { scheduleRenderCallback } = cube as { scheduleRenderCallback?: () => void };
  effect(() => {
    // The body has another color in the dark theme.
    void isDark.value;
    void color(materials, error).then(scheduleRenderCallback);
  });
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())));
}

async function color(
  materials: Map<Material, Face | "body">,
  error: Signal<ApiError | undefined>,
): Promise<void> {
  error.value = undefined;
  const letters = appearance().letters
    ? await import("./face-letters").catch(
        (exception: unknown) => void (error.value = engine.errorOf(exception)),
      )
    : undefined;
  const colors = faceColors();
  const body = getComputedStyle(document.documentElement).getPropertyValue("--body");
  for (const [material, face] of materials) {
    const value = face === "body" ? body : colors[face].value;
    material.opacity = 1;
    material.map = face === "body" || !letters ? null : letters.lettered(face, value, inkOn(value));
    material.color.set(material.map ? "#ffffff" : value).convertLinearToSRGB();
    material.needsUpdate = true;
  }
}
