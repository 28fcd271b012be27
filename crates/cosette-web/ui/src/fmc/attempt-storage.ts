// The attempts that the browser stores. Each page writes only its own, so that two open pages do
// not overwrite each other's attempts.

import { Stored } from "../browser-storage";
import type { Attempt } from "./attempt";
import { encoded } from "./link";

/** A stored attempt. */
export interface StoredAttempt {
  id: string;
  /** The attempt in the format of links. */
  text: string;
  /** Time of the last change, in milliseconds. */
  at: number;
}

/** Maximum number of stored attempts: the latest ones. */
const MAX_STORED = 50;

const all = new Stored<{ attempts: StoredAttempt[] }>(
  "attempts",
  { attempts: [] },
  () => localStorage,
);
/** The attempt and the step shown by this tab, also after a reload. */
const shown = new Stored<{ id: string; step: number }>("attempt", { id: "", step: -1 });

/** All stored attempts, the latest first. */
export function storedAttempts(): StoredAttempt[] {
  const { attempts } = all.get();
  return Array.isArray(attempts) ? attempts.sort((a, b) => b.at - a.at) : [];
}

/** Returns the attempt last shown by this tab, or the latest one. */
export function lastAttempt(): StoredAttempt | undefined {
  const kept = storedAttempts();
  return kept.find(({ id }) => id === shown.get().id) ?? kept[0];
}

/** Stores an attempt, and returns `true` if the browser accepts it. */
export function storeAttempt(id: string, attempt: Attempt): boolean {
  const text = encoded(attempt);
  const [before, others] = [
    storedAttempts().find((each) => each.id === id),
    storedAttempts().filter((each) => each.id !== id),
  ];
  const at = before?.text === text ? before.at : Date.now();
  return all.set({ attempts: [{ id, text, at }, ...others].slice(0, MAX_STORED) });
}

/** Stores an attempt again, unchanged. */
export function restoreAttempt(kept: StoredAttempt): void {
  all.set({ attempts: [kept, ...storedAttempts()] });
}

/** Stores the shown step, as its index in the list of all steps. */
export function storeShownStep(id: string, step: number): void {
  shown.set({ id, step });
}

/** Returns the index of the step that this tab last showed. */
export function shownStep(id: string): number {
  return shown.get().id === id ? shown.get().step : -1;
}

/** Calls `listener` whenever another page stores a different value under this name. */
export function onStoredElsewhere(listener: () => void): void {
  window.addEventListener("storage", ({ key }) => key === "attempts" && listener());
}

/** Removes a stored attempt. */
export function forgetAttempt(id: string): void {
  all.set({ attempts: storedAttempts().filter((each) => each.id !== id) });
}

/** Returns a name for a new attempt. */
export function newAttemptId(): string {
  return Math.random().toString(36).slice(2, 10);
}
