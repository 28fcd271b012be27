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
  listHelp: () => h("p", {}, "Here they are solved one at a time; ", h("a", { href: "#programs" }, "programs"), " solve lists."),
  notices: () => noticesOf(engine),
  footer: () => [
    "Everything runs in this browser; nothing is sent. ",
    h("a", { href: README }, "Documentation"),
    ", third-party licenses of ",
    h("a", { href: "licenses.txt" }, "the page"),
    " and ",
    h("a", { href: "third-party.txt" }, "the engine"),
  ],
};
