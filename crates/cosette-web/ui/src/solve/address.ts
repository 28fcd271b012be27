// The position and its options in the address, for links and for the history of the browser.

import type { Bounds } from "./bounds";
import { DEFAULTS, OPTION_ENTRIES, parametersOf, type Options } from "./option-values";

/** Path of the page: the root on the server; the offline web app may be at any path. */
const HOME = import.meta.env.BASE_URL === "/" ? "/" : location.pathname;

/** Origin of links: that of this page, or its address for other machines. */
let origin = location.origin;

/** Sets the origin of links to another address of this page. */
export function setOrigin(address: string): void {
  origin = address;
}

/** Maximum length of a text in the address: servers limit the length of addresses. */
const MAX_TEXT = 4000;

/** State stored in an entry of the history; null if a link was followed. */
interface Visit {
  solving?: boolean;
  bounds?: Bounds;
}

/**
 * Reads the position in the address, if there is one, the options, and their errors. Other
 * parameters are ignored, because sites where a link is posted add theirs.
 */
export function read(): { text: string; chosen: Options; faults: string[] } {
  const parameters = new URLSearchParams(location.search);
  const chosen = { ...DEFAULTS };
  const faults: string[] = [];
  for (const [key, { name, initial, takes }] of OPTION_ENTRIES) {
    const value = parameters.get(name) ?? initial;
    const accepted = takes(value);
    if (accepted === undefined) chosen[key] = value as never;
    else faults.push(`\`${name}\` must be ${accepted}`);
  }
  return { text: parameters.get("position") ?? "", chosen, faults };
}

/** Returns `true` if a text is too long for the address. */
export function isTooLong(text: string): boolean {
  return text.length > MAX_TEXT;
}

/** Returns the address of a position with these options; default options are omitted. */
export function addressOf(text: string, chosen: Options): string {
  if (text.trim() === "" || isTooLong(text)) return HOME;
  const parameters = new URLSearchParams({ position: text, ...parametersOf(chosen) });
  return `${HOME}?${parameters}`;
}

/** Returns a link to a position with these options. */
export function linkTo(text: string, chosen: Options): string {
  return origin + addressOf(text, chosen);
}

/** Returns a link to another view and its content. */
export function linkToView(fragment: string): string {
  return `${origin}${HOME}#${fragment}`;
}

/** Returns the state stored in the current entry of the history. */
export function visit(): Visit | null {
  return history.state as Visit | null;
}

/** The query of the shown address, and the state of its entry. */
let shown: { query: string; visit: Visit | null } | undefined;

/**
 * Returns `true` if the page shows the current address. The input and the chosen options may be
 * ahead of it. A link to another view begins an entry with the state of the entry before.
 */
export function isShown(): boolean {
  if (shown?.query !== location.search) return false;
  const now = visit();
  // The search of the entry may have ended in another view.
  const isOfOthers = now === null || now.solving === true;
  if (isOfOthers && shown.visit) remember(shown.visit);
  // The same query occurs twice: with its answer, and requested again later.
  return isOfOthers || (now.bounds === undefined) === (shown.visit?.bounds === undefined);
}

/** Marks the current address as shown. */
export function show(): void {
  shown = { query: location.search, visit: visit() };
}

/**
 * Navigates to an address: in a new entry if the current one has an answer, so that "back" returns
 * to it.
 */
export function go(address: string): void {
  if (location.pathname + location.search !== address) {
    const isAnswered = visit()?.bounds !== undefined || visit()?.solving;
    try {
      if (isAnswered) history.pushState({}, "", address);
      else history.replaceState({}, "", address);
    } catch {
      // Some browsers refuse when the address changes too often; the next change counts.
    }
  }
  show();
}

/** Follows a link of the page without reloading it; the entry stores this state. */
export function follow(event: MouseEvent, address: string, visit: Visit): void {
  // Other tabs or windows are left to the browser.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(visit, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** The state of the entry of the presentation, while there is one. */
let presented: Visit | null = null;

/** Begins an entry for the presentation of the same position. */
export function enterPresentation(): void {
  presented = visit();
  history.pushState(presented, "");
}

/**
 * Facts that became known during the presentation are stored in the entry before, which is the
 * current one again.
 */
export function leavePresentation(): void {
  const known = presented;
  presented = null;
  if (known) remember(known);
}

/** Stores this state in the current entry. */
export function remember(visit: Visit): void {
  if (presented) presented = visit;
  shown = { query: location.search, visit };
  // Solutions beyond the limit of the browser are found again. Some browsers refuse even that,
  // after many changes.
  for (const each of [visit, { solving: true }]) {
    try {
      return history.replaceState(each, "");
    } catch {}
  }
}
