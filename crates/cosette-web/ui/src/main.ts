// The page: views behind tabs, each with its own URL fragment.

import "./style/base.css";
import "./style/controls.css";
import "./style/notices.css";
import "./style/net.css";
import "./style/player.css";
import "./style/goals.css";
import "./style/answer.css";
import "./style/tables.css";
import "./style/api.css";
import "./style/share.css";
import "./style/fmc.css";
import "./style/step-view.css";
import "./style/writeup-panel.css";
import "./style/glossary.css";
import { edition } from "#edition";
import { paintPage } from "./cube/appearance";
import { h, setAll } from "./dom";
import type { View } from "./edition/edition";
import { SolveView } from "./solve/view";
import { themeButton } from "./theme";

paintPage();

const solve = new SolveView(edition.notices(), edition.listHelp);
const views: Record<string, { name: string; view: View }> = {
  solve: { name: "Solve", view: solve },
  ...edition.views(() => solve.metric),
};

const links = Object.entries(views).map(([address, { name }]) =>
  h("a", { href: `#${address}` }, name),
);
const main = h(
  "main",
  { id: "main", tabindex: -1 },
  ...Object.values(views).map(({ view }) => view.element),
);
document.body.append(
  h(
    "header",
    {},
    h(
      "a",
      {
        class: "skip",
        href: "#main",
        onclick: (event: Event) => (event.preventDefault(), main.focus()),
      },
      "Skip to content",
    ),
    h("h1", {}, "Cosette"),
    h("nav", { "aria-label": "Views" }, ...links),
    ...edition.buttons(),
    themeButton(),
  ),
  main,
  h("footer", {}, ...edition.footer()),
);

let shown: string | undefined;

function show(): void {
  // The part after an equals sign is the content of the view.
  const fragment = location.hash.slice(1).split("=")[0]!;
  const address = fragment in views ? fragment : "solve";
  if (address === shown) return;
  const isLeft = shown !== undefined && views[shown]!.view.element.contains(document.activeElement);
  shown = address;
  for (const [each, { view }] of Object.entries(views)) view.element.hidden = each !== address;
  for (const link of links)
    setAll(link, { "aria-current": link.hash === `#${address}` ? "page" : null });
  document.title = `${views[address]!.name} · Cosette`;
  if (isLeft) main.focus();
  void views[address]!.view.refresh?.();
}

// Not `hashchange`: going back may change more than the fragment.
window.addEventListener("popstate", () => {
  // The dialog belongs to the entry that is left, and would block everything else.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
  show();
});
show();
