// The differences, apart from the engine, between the page of the server and the offline web app.
// Each build has one of the two editions, under the name `#edition`.

import type { Metric } from "../protocol";

/** A view behind a tab. */
export interface View {
  element: HTMLElement;
  refresh?: () => Promise<void>;
}

export interface Edition {
  /**
   * The views after the first one, by their URL fragments; `metric` returns the metric chosen in
   * the first view.
   */
  views: (metric: () => Metric) => Record<string, { name: string; view: View }>;
  /** Buttons of the header. */
  buttons: () => HTMLElement[];
  /** Advice for a text that is a list of positions. */
  listHelp: (text: string) => HTMLElement;
  /** Notices about the engine, shown where a position is entered. */
  notices: () => HTMLElement | null;
  footer: () => (Node | string)[];
}
