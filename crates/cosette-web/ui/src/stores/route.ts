// The view that is shown, by its URL fragment.

import { signal } from "@preact/signals";

export const route = signal("");
