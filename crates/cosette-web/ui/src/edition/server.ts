// The edition of the server's page.

import { isLocal } from "../api";
import { FmcView } from "../fmc/view";
import { h } from "../dom";
import { sharingButton } from "../share/machines";
import { ApiView } from "../views/api";
import { BatchView } from "../views/batch";
import { TablesView } from "../views/tables";
import type { Edition } from "./edition";

const batch = new BatchView();

export const edition: Edition = {
  views: (metric) => ({
    fmc: { name: "Fewest moves", view: new FmcView() },
    batch: { name: "Batch", view: batch },
    tables: { name: "Tables", view: new TablesView(metric) },
    api: { name: "API", view: new ApiView() },
  }),
  buttons: () => [sharingButton()],
  listHelp: (text) =>
    h(
      "button",
      { type: "button", class: "quiet", onclick: () => batch.take(text) },
      "Solve them in Batch",
    ),
  notices: () => null,
  footer: () => [
    `Everything runs on ${isLocal ? "this machine" : "the server"}. `,
    h("a", { href: "/licenses.txt", target: "_blank" }, "Third-party licenses"),
  ],
};
