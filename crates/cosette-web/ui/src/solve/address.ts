// The position and its options in the address, so that they can be linked to and are part of the browser's history.

import type { Bounds } from "./bounds";
import { DEFAULTS, type Options } from "./options";

/** Longer texts stay out of the address: servers limit its length. */
const LONGEST = 4000;

/** The names of the options in the address; they are those of the API. */
const NAMES: Record<keyof Options, string> = { metric: "metric", count: "count", maxLength: "max_length", timeout: "timeout", niss: "niss" };

/** What an entry of the history remembers; null where a link was followed. */
export interface Visit {
  solving?: boolean;
  bounds?: Bounds;
}

/** The position in the address, if it has one, and the options. */
export function read(): { text: string; chosen: Options } {
  const parameters = new URLSearchParams(location.search);
  const chosen = { ...DEFAULTS };
  for (const [option, name] of Object.entries(NAMES)) chosen[option as keyof Options] = (parameters.get(name) ?? DEFAULTS[option as keyof Options]) as never;
  return { text: parameters.get("position") ?? "", chosen };
}

/** The address of a position with these options; those that are as usual are left out. */
export function addressOf(text: string, chosen: Options): string {
  if (text.trim() === "" || text.length > LONGEST) return "/";
  const parameters = new URLSearchParams({ position: text });
  for (const [option, name] of Object.entries(NAMES)) {
    const value = chosen[option as keyof Options];
    if (value !== DEFAULTS[option as keyof Options]) parameters.set(name, value);
  }
  return `/?${parameters}`;
}

/** What the current entry of the history remembers. */
export function visit(): Visit | null {
  return history.state as Visit | null;
}

/** Goes to an address: in a new entry if the current one has an answer, so that "back" leads there. */
export function go(address: string): void {
  if (location.pathname + location.search === address) return;
  const isAnswered = visit()?.bounds !== undefined || visit()?.solving;
  if (isAnswered) history.pushState({}, "", address);
  else history.replaceState({}, "", address);
}

/** Remembers this in the current entry. */
export function remember(visit: Visit): void {
  try {
    history.replaceState(visit, "");
  } catch {
    // More solutions than a browser keeps: they are found again.
    history.replaceState({}, "");
  }
}
