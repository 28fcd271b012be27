// The page: views behind tabs, each with its own URL fragment.

import "./style/base.css";
import "./style/controls.css";
import "./style/notices.css";
import "./style/goals.css";
import "./style/answer.css";
import "./style/tables.css";
import { edition } from "#edition";
import { effect } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { paintPage } from "./cube/appearance";
import type { View } from "./edition/edition";
import { FewestMoves } from "./fmc/view";
import { Review } from "./review/review";
import { headline } from "./solve/bounds";
import { Solve } from "./solve/view";
import { route } from "./stores/route";
import { bounds, chosen, isRequested } from "./stores/search";
import { begin } from "./stores/solve";
import { ShortcutsButton } from "./ui/shortcut-list";
import { ThemeButton } from "./ui/theme-button";
import { Wordmark } from "./ui/wordmark";

const views: Record<string, View> = {
  solve: { name: "Solve", View: Solve },
  fmc: { name: "Fewest moves", View: FewestMoves },
  review: { name: "Review", View: Review },
  ...edition.views,
};

/** The links to the views; the row scrolls to the shown one. */
function Navigation() {
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { offsetLeft, offsetWidth } = row.current!.querySelector<HTMLElement>("[aria-current]")!;
    row.current!.scrollTo({ left: offsetLeft + (offsetWidth - row.current!.clientWidth) / 2 });
  }, [route.value]);
  return (
    <nav ref={row} aria-label="Views">
      {Object.entries(views).map(([address, { name }]) => (
        <a href={`#${address}`} aria-current={route.value === address ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function App() {
  const main = useRef<HTMLElement>(null);
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current!.focus();
  };
  return (
    <>
      <header>
        <a class="skip" href="#main" onClick={skip}>
          Skip to content
        </a>
        <h1>
          <Wordmark />
        </h1>
        <Navigation />
        <edition.Buttons />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {Object.entries(views).map(([address, { View }]) => (
          <View hidden={route.value !== address} />
        ))}
      </main>
      <footer>
        <edition.Footer /> <ShortcutsButton />
      </footer>
    </>
  );
}

/** Shows the view in the address. */
function show(): void {
  // The part after an equals sign is the content of the view.
  const fragment = location.hash.slice(1).split("=")[0]!;
  const address = fragment in views ? fragment : "solve";
  if (address === route.value) return;
  const main = document.querySelector("main");
  const isLeft = document.activeElement !== main && main?.contains(document.activeElement);
  route.value = address;
  // The place in the view before says nothing of this one.
  scrollTo({ top: 0, behavior: "instant" });
  if (isLeft) main!.focus();
}

/** The title says what is shown, so that the entries of the history differ. */
effect(() => {
  const name = views[route.value]?.name ?? "";
  const known = route.value === "solve" && isRequested.value ? bounds.value : undefined;
  const solution = chosen.value ?? "";
  const result = known?.answer?.length ? `${headline(known)}: ${solution}` : name;
  document.title = `${result} · Cosette`;
});

/** Time, in milliseconds, for which the first view stays hidden so that nothing in it moves later. */
const PATIENCE = 1000;

/** Waits for a part of the first view, but not for long. */
const within = (part: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    part.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE)),
  ]);

paintPage();
const begun = begin();
// Not `hashchange`: going back may change more than the fragment.
window.addEventListener("popstate", () => {
  // The dialog belongs to the entry that is left, and would block everything else.
  for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
  show();
});
show();
const root = document.querySelector<HTMLElement>("#app")!;
root.style.visibility = "hidden";
render(<App />, root);
await Promise.all([within(document.fonts.load("1em Inter")), within(begun)]);
root.style.visibility = "";
