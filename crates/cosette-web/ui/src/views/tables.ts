// The pruning tables: what is on disk, filling with progress, removing.

import { ask, follow, refusalOf } from "../api";
import { fill, h, say } from "../dom";
import { bytes, time } from "../format";
import type { FillEvent, Metric, Refusal, Table } from "../protocol";
import { notice } from "../solve/notice";

const METRICS: Record<Metric, string> = { htm: "Half-turn metric", qtm: "Quarter-turn metric" };

/** The manager of tables. */
export class TablesView {
  private readonly lists = h("div", { class: "stack" });
  private readonly trouble = h("div", { "aria-live": "assertive" });
  private readonly folder = h("code");
  private readonly followed = new Map<string, string>();
  readonly element = h(
    "section",
    { class: "card" },
    h("h2", {}, "Pruning tables"),
    h("p", {}, "The search asks such a table for lower bounds. Each is twice the one before it and halves the time of a solve; the largest one here that fits in memory is used. They are in ", this.folder, "."),
    this.trouble,
    this.lists,
  );

  /** Shows how things stand now. */
  async refresh(): Promise<void> {
    try {
      const { folder, tables } = await ask<{ folder: string; tables: Table[] }>("GET", "/tables");
      say(this.folder, folder);
      const focused = (document.activeElement as HTMLElement | null)?.dataset.action;
      fill(this.lists, ...(["htm", "qtm"] as Metric[]).map((metric) => this.list(metric, tables.filter((table) => table.metric === metric))));
      if (focused) this.lists.querySelector<HTMLElement>(`[data-action="${focused}"]`)?.focus();
      for (const table of tables) if (table.state === "filling") void this.follow(table.name);
    } catch (error) {
      this.refuse(refusalOf(error));
    }
  }

  private list(metric: Metric, tables: Table[]): HTMLElement {
    const head = ["Table", "Size", "On disk", "To fill", "Random cube", ""];
    return h(
      "table",
      { class: "tables" },
      h("caption", {}, METRICS[metric]),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name || h("span", { class: "hidden" }, "Actions"))))),
      h("tbody", {}, ...tables.map((table) => this.row(table))),
    );
  }

  private row(table: Table): HTMLElement {
    const cell = (label: string, ...children: (Node | string)[]): HTMLElement => h("td", { "data-label": label }, ...children);
    const estimate = (seconds: number | null): string => (seconds === null ? "–" : `≈ ${time(seconds)}`);
    return h(
      "tr",
      { "data-table": table.name },
      h("th", { scope: "row" }, table.name),
      cell("Size", bytes(table.bytes)),
      cell("On disk", ...this.state(table)),
      cell("To fill", estimate(table.fill_seconds)),
      cell("Random cube", estimate(table.cube_seconds)),
      h("td", { class: "actions" }, ...this.actions(table)),
    );
  }

  private state(table: Table): (Node | string)[] {
    const percent = table.percent ?? 0;
    switch (table.state) {
      case "ready":
        return [h("span", { class: "badge good" }, table.in_use ? "in use" : "ready")];
      case "filling":
        return [h("progress", { max: 100, value: percent, "aria-label": `${table.name} filled` }), h("span", { class: "left" }, this.followed.get(table.name) ?? `${percent} %`)];
      case "partial":
        return [`${percent} % filled`];
      case "faulty":
        return [h("span", { class: "badge bad", title: table.fault ?? "" }, "faulty")];
      case "absent":
        return [h("span", { class: "faint" }, table.fits ? "no" : "no; larger than the memory")];
    }
  }

  private actions(table: Table): HTMLElement[] {
    const button = (name: string, act: (button: HTMLButtonElement) => void): HTMLButtonElement => {
      const made: HTMLButtonElement = h("button", { type: "button", class: "quiet", "aria-label": `${name} ${table.name}`, "data-action": `${name} ${table.name}`, onclick: () => act(made) }, name);
      return made;
    };
    const remove = button("Remove", (made) => this.confirm(made, table));
    switch (table.state) {
      case "ready":
        return [remove];
      case "faulty":
        return [button("Fill", () => void this.fill(table.name)), remove];
      case "filling":
        return [button("Stop", () => void this.act("DELETE", `/tables/${table.name}/filling`))];
      case "partial":
        return [button("Go on", () => void this.fill(table.name)), remove];
      case "absent":
        return table.fits ? [button("Fill", () => void this.fill(table.name))] : [];
    }
  }

  /** The first click asks, the second one removes. */
  private confirm(button: HTMLButtonElement, table: Table): void {
    if (button.dataset.sure) return void this.act("DELETE", `/tables/${table.name}`);
    button.dataset.sure = "yes";
    button.classList.add("danger");
    button.textContent = `Remove ${bytes(table.bytes)}?`;
    button.addEventListener("blur", () => void this.refresh(), { once: true });
  }

  private async fill(name: string): Promise<void> {
    fill(this.trouble);
    const filling = this.follow(name);
    setTimeout(() => void this.refresh(), 150);
    await filling;
  }

  /** Follows a filling, begun here or elsewhere, to its end. Leaving the page does not stop it. */
  private async follow(name: string): Promise<void> {
    if (this.followed.has(name)) return;
    this.followed.set(name, "");
    try {
      await follow<FillEvent>("POST", `/tables/${name}`, undefined, new AbortController().signal, (event) => {
        if (event.event === "refused") this.refuse(event);
        if (event.event === "progress") this.show(name, event.percent, event.seconds_left);
      });
    } catch (error) {
      this.refuse(refusalOf(error));
    } finally {
      this.followed.delete(name);
      await this.refresh();
    }
  }

  private show(name: string, percent: number, remaining: number | null): void {
    const text = `${percent} %${remaining === null ? "" : `, ${time(remaining)} left`}`;
    this.followed.set(name, text);
    const row = this.lists.querySelector(`[data-table="${name}"]`);
    const bar = row?.querySelector("progress");
    if (bar) bar.value = percent;
    const left = row?.querySelector(".left");
    if (left) say(left, text);
  }

  private async act(method: string, path: string): Promise<void> {
    fill(this.trouble);
    try {
      await ask(method, path);
    } catch (error) {
      this.refuse(refusalOf(error));
    }
    await this.refresh();
  }

  private refuse(refusal: Refusal | undefined): void {
    if (refusal) fill(this.trouble, notice(refusal));
  }
}
