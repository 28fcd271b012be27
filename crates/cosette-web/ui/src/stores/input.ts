// The input of the position: the open tab, and the color to paint with.

import { signal, type Signal } from "@preact/signals";
import type { Facelet } from "../cube/colors";

export type Tab = "scramble" | "paint" | "random" | "patterns";

export const tab = signal<Tab>("scramble");

export const brush: Signal<Facelet> = signal("U");
