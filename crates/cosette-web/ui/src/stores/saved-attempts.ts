// The attempts that the browser stores. Each page writes only its own, so that two open pages do
// not overwrite each other's attempts.

import { signal } from "@preact/signals";
import { Stored } from "../browser-storage";
import type { Attempt } from "../fmc/attempt";
import { encoded } from "../fmc/link";

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
export const saved = signal(storedAttempts());

/** The attempts that were removed, the last one at the end. */
export const forgotten = signal<StoredAttempt[]>([]);

/** Returns what is stored now; another page may have changed it. */
function storedAttempts(): StoredAttempt[] {
  const { attempts } = all.get();
  return Array.isArray(attempts) ? attempts.sort((a, b) => b.at - a.at) : [];
}

/** Returns the attempt last shown by this tab, or the latest one. */
export function lastAttempt(): StoredAttempt | undefined {
  const kept = storedAttempts();
  return kept.find(({ id }) => id === shown.get().id) ?? kept[0];
}

function store(attempts: StoredAttempt[]): boolean {
  const isStored = all.set({ attempts });
  saved.value = storedAttempts();
  return isStored;
}

/** Stores an attempt, and returns `true` if the browser accepts it. */
export function storeAttempt(id: string, attempt: Attempt): boolean {
  const text = encoded(attempt);
  const before = storedAttempts().find((each) => each.id === id);
  const others = storedAttempts().filter((each) => each.id !== id);
  const at = before?.text === text ? before.at : Date.now();
  return store([{ id, text, at }, ...others].slice(0, MAX_STORED));
}

/** Removes a stored attempt. */
export function dropAttempt(id: string): void {
  store(storedAttempts().filter((each) => each.id !== id));
}

/** Removes a stored attempt, which can be restored. */
export function forgetAttempt(kept: StoredAttempt): void {
  forgotten.value = [...forgotten.value, kept];
  dropAttempt(kept.id);
}

/** Restores the attempt that was removed last. */
export function restoreAttempt(): void {
  const kept = forgotten.value.at(-1)!;
  forgotten.value = forgotten.value.slice(0, -1);
  store([kept, ...storedAttempts()]);
}

/** Stores the shown step, as its index in the list of all steps. */
export function storeShownStep(id: string, step: number): void {
  shown.set({ id, step });
}

/** Returns the index of the step that this tab last showed. */
export function shownStep(id: string): number {
  return shown.get().id === id ? shown.get().step : -1;
}

/** Calls `listener` whenever another page stores attempts. */
export function onStoredElsewhere(listener: () => void): void {
  window.addEventListener("storage", ({ key }) => {
    if (key !== "attempts") return;
    saved.value = storedAttempts();
    listener();
  });
}

/** Returns a name for a new attempt. */
export function newAttemptId(): string {
  return Math.random().toString(36).slice(2, 10);
}
