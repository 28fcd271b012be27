// The edition of the offline web app: the engine runs in workers of the browser.

import { FmcView } from "../fmc/view";
import { engine } from "../engine/browser";
import { h } from "../dom";
import { installButton } from "../site/install";
import { noticesOf } from "../site/notices";
import { ProgramsView, README } from "../site/programs";
import { updateButton } from "../site/updates";
import { TablesView } from "../views/tables";
import type { Edition } from "./edition";

export const edition: Edition = {
  views: (metric) => ({
    fmc: { name: "Fewest moves", view: new FmcView() },
    tables: { name: "Tables", view: new TablesView(metric) },
    programs: { name: "Programs", view: new ProgramsView() },
  }),
  buttons: () => [updateButton(), installButton()],
  listHelp: () =>
    h(
      "p",
      {},
      "This app solves one position at a time. To solve a list, use one of the ",
      h("a", { href: "#programs" }, "programs"),
      ".",
    ),
  notices: () => noticesOf(engine),
  footer: () => [
    "Everything runs in this browser; no data is sent. ",
    h("a", { href: README }, "Documentation"),
    ", third-party licenses: ",
    h("a", { href: "licenses.txt" }, "web app"),
    ", ",
    h("a", { href: "third-party.txt" }, "engine"),
  ],
};
