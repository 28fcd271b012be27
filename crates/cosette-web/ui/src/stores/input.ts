// The input of the position: the open tab, and the color to paint with.

import { computed, signal, type Signal } from "@preact/signals";
import type { Facelet } from "../cube/colors";
import { isRequested } from "./search";

export type Tab = "scramble" | "paint" | "random" | "patterns";

export const tab = signal<Tab>("scramble");

export const brush: Signal<Facelet> = signal("U");

/** `true` if the cube on the stage is there to be painted: until the user has its solution played. */
export const isPainting = computed(() => tab.value === "paint" && !isRequested.value);
