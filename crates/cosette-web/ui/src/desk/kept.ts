// The attempts that the browser keeps. Each page writes its own one only, so that two that are open do not overwrite each other.

import { Stored } from "../stored";
import type { Attempt } from "./attempt";
import { encoded } from "./link";

/** An attempt that is kept. */
export interface KeptAttempt {
  id: string;
  /** As a link has it. */
  text: string;
  /** When it was changed last, in milliseconds. */
  at: number;
}

/** How many attempts are kept: the latest ones. */
const MOST_KEPT = 50;

const all = new Stored<{ attempts: KeptAttempt[] }>("attempts", { attempts: [] }, () => localStorage);
/** Which one a page shows, and which of its steps: of this tab, also after a reload. */
const shown = new Stored<{ id: string; step: number }>("attempt", { id: "", step: -1 });

/** All that are kept, the latest first. */
export function keptAttempts(): KeptAttempt[] {
  const { attempts } = all.get();
  return Array.isArray(attempts) ? attempts.sort((a, b) => b.at - a.at) : [];
}

/** The one that this tab showed, or the latest. */
export function lastAttempt(): KeptAttempt | undefined {
  const kept = keptAttempts();
  return kept.find(({ id }) => id === shown.get().id) ?? kept[0];
}

/** Keeps an attempt, and returns whether the browser does. */
export function keepAttempt(id: string, attempt: Attempt): boolean {
  const text = encoded(attempt);
  const [before, others] = [keptAttempts().find((each) => each.id === id), keptAttempts().filter((each) => each.id !== id)];
  const at = before?.text === text ? before.at : Date.now();
  return all.set({ attempts: [{ id, text, at }, ...others].slice(0, MOST_KEPT) });
}

/** Keeps one again, as it was. */
export function keepAgain(kept: KeptAttempt): void {
  all.set({ attempts: [kept, ...keptAttempts()] });
}

/** Keeps which step is shown, as the number of it in the list of all. */
export function keepShown(id: string, step: number): void {
  shown.set({ id, step });
}

/** Which step of an attempt this tab showed. */
export function shownStep(id: string): number {
  return shown.get().id === id ? shown.get().step : -1;
}

/** Calls this whenever another page keeps something else under this name. */
export function onKeptElsewhere(listener: () => void): void {
  window.addEventListener("storage", ({ key }) => key === "attempts" && listener());
}

/** Keeps one no longer. */
export function forgetAttempt(id: string): void {
  all.set({ attempts: keptAttempts().filter((each) => each.id !== id) });
}

/** A name for a new one. */
export function newAttemptId(): string {
  return Math.random().toString(36).slice(2, 10);
}
