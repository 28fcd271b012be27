// What differs between the page of the server and the static page, beside the engine. A build has one of them, under the name
// `#edition`.

import type { Metric } from "../protocol";

/** A view behind a tab. */
export interface View {
  element: HTMLElement;
  refresh?: () => Promise<void>;
}

export interface Edition {
  /** The views after the first one, by their URL fragments, where the first one has chosen this metric. */
  views: (metric: () => Metric) => Record<string, { name: string; view: View }>;
  /** Buttons of the header. */
  buttons: () => HTMLElement[];
  /** What to do with a text that is a list of positions. */
  listHelp: (text: string) => HTMLElement;
  /** What is said about the engine where a position is entered. */
  notices: () => HTMLElement | null;
  footer: () => (Node | string)[];
}
