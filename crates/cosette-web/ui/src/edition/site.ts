// The static page: the engine is in workers of the browser.

import { DeskView } from "../desk/view";
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
    fewest: { name: "Fewest moves", view: new DeskView() },
    tables: { name: "Tables", view: new TablesView(metric) },
    programs: { name: "Programs", view: new ProgramsView() },
  }),
  buttons: () => [updateButton(), installButton()],
  listHelp: () => h("p", {}, "Here they are solved one at a time; ", h("a", { href: "#programs" }, "programs"), " solve lists."),
  notices: () => noticesOf(engine),
  footer: () => [
    "Everything runs in this browser; nothing is sent. ",
    h("a", { href: README }, "Documentation"),
    ", third-party licences of ",
    h("a", { href: "licences.txt" }, "the page"),
    " and ",
    h("a", { href: "third-party.txt" }, "the engine"),
  ],
};
