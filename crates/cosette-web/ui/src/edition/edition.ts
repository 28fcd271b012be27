// The differences, apart from the engine, between the page of the server and the offline web app.
// Each build has one of the two editions, under the name `#edition`.

import type { FunctionComponent } from "preact";

/** A view behind a tab. */
export interface View {
  name: string;
  View: FunctionComponent<{ hidden: boolean }>;
}

export interface Edition {
  /** The views after the first two, by their URL fragments. */
  views: Record<string, View>;
  /** Buttons of the header. */
  Buttons: FunctionComponent;
  /** Advice for a text that is a list of positions. */
  ListHelp: FunctionComponent<{ text: string }>;
  /** Notices about the engine, shown where a position is entered. */
  Notices: FunctionComponent | null;
  Footer: FunctionComponent;
}
