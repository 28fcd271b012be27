// The page: four views behind tabs, each with its own URL fragment.

import "./style/base.css";
import "./style/controls.css";
import "./style/cube.css";
import "./style/views.css";
import { isLocal } from "./api";
import { h, setAll } from "./dom";
import { sharingButton } from "./sharing";
import { SolveView } from "./solve/view";
import { themeButton } from "./theme";
import { ApiView } from "./views/api";
import { BatchView } from "./views/batch";
import { TablesView } from "./views/tables";

interface View {
  element: HTMLElement;
  refresh?: () => Promise<void>;
}

const views: Record<string, { name: string; view: View }> = {
  solve: { name: "Solve", view: new SolveView() },
  batch: { name: "Batch", view: new BatchView() },
  tables: { name: "Tables", view: new TablesView() },
  api: { name: "API", view: new ApiView() },
};

const links = Object.entries(views).map(([address, { name }]) => h("a", { href: `#${address}` }, name));
const main = h("main", { id: "main", tabindex: -1 }, ...Object.values(views).map(({ view }) => view.element));
document.body.append(
  h("header", {}, h("a", { class: "skip", href: "#main", onclick: (event: Event) => (event.preventDefault(), main.focus()) }, "Skip to content"), h("h1", {}, "Cosette"), h("nav", { "aria-label": "Views" }, ...links), sharingButton(), themeButton()),
  main,
  h("footer", {}, `Everything runs on ${isLocal ? "this machine" : "the machine that serves this page"}. `, h("a", { href: "/licences.txt" }, "Third-party licences")),
);

function show(): void {
  const fragment = location.hash.slice(1);
  const address = fragment in views ? fragment : "solve";
  for (const [each, { view }] of Object.entries(views)) view.element.hidden = each !== address;
  for (const link of links) setAll(link, { "aria-current": link.hash === `#${address}` ? "page" : null });
  document.title = `${views[address]!.name} · Cosette`;
  void views[address]!.view.refresh?.();
}

window.addEventListener("hashchange", show);
show();
