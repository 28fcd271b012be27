// The pruning tables: list, generation with progress, removal.

import { engine } from "#engine";
import { h, setAll, setChildren, setText } from "../dom";
import { bytes, capital, left, time } from "../format";
import type { Metric, Table } from "../protocol";
import { notice, showError } from "../notice";

const METRICS: Record<Metric, string> = { htm: "Half-turn metric", qtm: "Quarter-turn metric" };

/** Size in bytes from which the generation of a table must be confirmed. */
const LARGE = 3e9;

/** Estimated costs of a table, if known for any. */
const ESTIMATES: { name: string; of: (table: Table) => number | null }[] = [
  { name: "To generate", of: (table) => table.generation_seconds },
  { name: "To solve", of: (table) => table.cube_seconds },
];

/** The view of the tables. */
export class TablesView {
  private readonly halves = h("div");
  private readonly quarters = h("div");
  /** The tables of the less common metric. */
  private readonly fold = h(
    "details",
    { class: "fold", hidden: true },
    h("summary", {}, METRICS.qtm),
    this.quarters,
  );
  private readonly lists = h("div", { class: "stack" }, this.halves, this.fold);
  /** The metric chosen when the tables were last shown. */
  private shownMetric: Metric | undefined;
  private readonly errors = h("div", { "aria-live": "assertive" });
  private readonly place = h("span");
  private readonly progress = new Map<string, string>();
  private refreshes = 0;
  /** Estimates that were known for some table before: their columns stay. */
  private readonly known = new Set<(typeof ESTIMATES)[number]>();
  /** `true` if the shown error is that of the list. */
  private isListError = false;
  readonly element = h(
    "section",
    { class: "card" },
    h("h2", {}, "Pruning tables"),
    h(
      "p",
      {},
      `Doubling the table size halves the time for a random cube; above 2 GB the gain is smaller. ${capital(engine.rule)}. `,
      this.place,
    ),
    this.errors,
    this.lists,
  );

  /** `metric` returns the metric chosen for solving. */
  constructor(private readonly metric: () => Metric) {
    engine.onTableChange?.(() => void (this.element.hidden || this.refresh()));
  }

  /**
   * Fetches and shows the current state. A response that is overtaken by a later request is
   * ignored: a generation that it reports as running may have ended, and following it would start
   * it again.
   */
  async refresh(): Promise<void> {
    const number = (this.refreshes += 1);
    try {
      const { place, tables } = await engine.tables();
      if (number !== this.refreshes) return;
      if (this.isListError) setChildren(this.errors);
      this.isListError = false;
      this.place.replaceChildren(...place);
      const focused = (document.activeElement as HTMLElement | null)?.dataset.action;
      const [halves, quarters] = (["htm", "qtm"] as Metric[]).map((metric) =>
        tables.filter((table) => table.metric === metric),
      );
      setChildren(this.halves, this.list("htm", halves!));
      setChildren(this.quarters, this.list("qtm", quarters!));
      this.fold.hidden = quarters!.length === 0;
      if (this.metric() !== this.shownMetric)
        this.fold.open =
          this.metric() === "qtm" || quarters!.some(({ state }) => state === "generating");
      this.shownMetric = this.metric();
      // The pressed button may have been replaced by another action on the same table.
      const places = focused
        ? [`[data-action="${focused}"]`, `[data-table="${focused.split(" ").at(-1)}"] button`]
        : [];
      places
        .map((place) => this.lists.querySelector<HTMLElement>(place))
        .find(Boolean)
        ?.focus();
      // A page on another machine may not follow it; the list then shows its progress.
      for (const table of tables)
        if (table.state === "generating") void this.follow(table.name).catch(() => undefined);
    } catch (error) {
      // Shown once, not at each attempt.
      if (!this.isListError) showError(this.errors, error);
      this.isListError = true;
      // The server may be available again.
      setTimeout(
        () => void (this.element.hidden || (number === this.refreshes && this.refresh())),
        3000,
      );
    }
  }

  private list(metric: Metric, tables: Table[]): HTMLElement {
    for (const estimate of ESTIMATES)
      if (tables.some((table) => estimate.of(table) !== null)) this.known.add(estimate);
    const known = ESTIMATES.filter((estimate) => this.known.has(estimate));
    const head = ["Table", "Size", engine.storageTitle, ...known.map(({ name }) => name), ""];
    return h(
      "table",
      { class: "tables" },
      h("caption", { class: metric === "qtm" ? "hidden" : "" }, METRICS[metric]),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...head.map((name) =>
            h("th", { scope: "col" }, name || h("span", { class: "hidden" }, "Actions")),
          ),
        ),
      ),
      h("tbody", {}, ...tables.map((table) => this.row(table, known))),
    );
  }

  private row(table: Table, known: typeof ESTIMATES): HTMLElement {
    const cell = (text: string): HTMLElement => h("td", {}, text);
    const estimate = (seconds: number | null): string =>
      seconds === null ? "–" : `≈ ${time(seconds)}`.replaceAll(" ", "\u00a0");
    return h(
      "tr",
      { "data-table": table.name },
      h("th", { scope: "row" }, table.name),
      cell(bytes(table.bytes)),
      h("td", { class: "state" }, ...this.state(table)),
      ...known.map(({ of }) => cell(estimate(of(table)))),
      h("td", { class: "actions" }, ...this.actions(table)),
    );
  }

  private state(table: Table): (Node | string)[] {
    const percent = table.percent ?? 0;
    switch (table.state) {
      case "ready":
        return [
          h(
            "span",
            { class: table.in_use ? "badge good used" : "badge good" },
            table.in_use ? "in use" : "ready",
          ),
        ];
      case "generating":
        return [
          h("progress", { max: 100, value: percent, "aria-label": `Progress of ${table.name}` }),
          h("span", { class: "left" }, this.progress.get(table.name) ?? `${percent} %`),
        ];
      case "partial":
        return [table.percent === null ? "partial" : `${percent}\u00a0% generated`];
      case "corrupted":
        return [h("span", { class: "badge bad", title: table.fault ?? "" }, "corrupted")];
      case "absent":
        return [h("span", { class: "faint" }, table.fits ? "no" : "too large")];
    }
  }

  private actions(table: Table): HTMLElement[] {
    const button = (name: string, act: (button: HTMLButtonElement) => void): HTMLButtonElement => {
      const made: HTMLButtonElement = h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `${name} ${table.name}`,
          "data-action": `${name} ${table.name}`,
          onclick: () => act(made),
        },
        name,
      );
      return made;
    };
    const remove = button("Remove", (made) =>
      this.confirm(made, table, () => void this.act(engine.removeTable(table.name))),
    );
    const generate = button("Generate", (made) =>
      table.bytes > LARGE
        ? this.confirm(made, table, () => void this.generate(table.name))
        : void this.generate(table.name),
    );
    switch (table.state) {
      case "ready":
        return [
          ...(engine.useTable && !table.next
            ? [button("Use", () => void this.act(engine.useTable!(table.name)))]
            : []),
          remove,
        ];
      case "corrupted":
        return [generate, remove];
      case "generating":
        return [button("Stop", () => void this.act(engine.stopGenerating(table.name)))];
      case "partial":
        return [button("Resume", () => void this.generate(table.name)), remove];
      case "absent":
        return table.fits ? [generate] : [];
    }
  }

  /** Asks for confirmation at the first click, and acts at the second one. */
  private confirm(button: HTMLButtonElement, table: Table, act: () => void): void {
    if (button.dataset.confirmed) return act();
    const name = button.textContent;
    const ask = (isAsked: boolean): void => {
      button.dataset.confirmed = isAsked ? "yes" : "";
      button.classList.toggle(name === "Remove" ? "danger" : "strong", isAsked);
      button.textContent = isAsked ? `${name} ${bytes(table.bytes)}?` : name;
      setAll(button, { "aria-label": `${button.textContent} ${table.name}` });
    };
    ask(true);
    // Only this button: the one that takes the focus must still exist when the mouse button is
    // released.
    button.addEventListener("blur", () => ask(false), { once: true });
    button.onkeydown = ({ key }) => void (key === "Escape" && ask(false));
  }

  private async generate(name: string): Promise<void> {
    setChildren(this.errors);
    const generation = this.follow(name);
    setTimeout(() => void this.refresh(), 150);
    try {
      await generation;
    } catch (error) {
      await this.refresh();
      showError(this.errors, error);
      this.isListError = false;
    }
  }

  /** Shows the progress of a generation until it ends. Leaving the page does not stop it. */
  private async follow(name: string): Promise<void> {
    if (this.progress.has(name)) return;
    this.progress.set(name, "");
    try {
      await engine.generate(name, (event) => {
        if (event.event === "refused") setChildren(this.errors, notice(event));
        if (event.event === "progress") this.show(name, event.percent, event.seconds_left);
      });
    } finally {
      this.progress.delete(name);
    }
    await this.refresh();
  }

  private show(name: string, percent: number, remaining: number | null): void {
    const text = `${percent} %${remaining === null ? "" : `, ${left(remaining)}`}`;
    this.progress.set(name, text);
    const row = this.lists.querySelector(`[data-table="${name}"]`);
    const bar = row?.querySelector("progress");
    if (bar) bar.value = percent;
    const said = row?.querySelector(".left");
    if (said) setText(said, text);
  }

  private async act(done: Promise<void>): Promise<void> {
    setChildren(this.errors);
    try {
      await done;
    } catch (error) {
      showError(this.errors, error);
    }
    await this.refresh();
  }
}
