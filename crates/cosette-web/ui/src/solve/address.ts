// The position and its options in the address, so that they can be linked to and are part of the browser's history.

import type { Bounds } from "./bounds";
import { DEFAULTS, takesOf, type Options } from "./options";

/** The path of the page: that of the server has the root, a static one may be anywhere. */
const HOME = import.meta.env.BASE_URL === "/" ? "/" : location.pathname;

/** Where links lead: to this page, or to its address for other machines. */
let origin = location.origin;

/** Has links lead to another address of this page. */
export function setOrigin(address: string): void {
  origin = address;
}

/** Longer texts stay out of the address: servers limit its length. */
const LONGEST = 4000;

const ASKED = { to: "to", moves: "moves", cost: "cost", slack: "slack", starts: "starts", ends: "ends", avoid: "avoid", upTo: "up_to" };

/** The names of the options in the address; they are those of the API. */
const NAMES: Record<keyof Options, string> = { metric: "metric", count: "count", maxLength: "max_length", timeout: "timeout", niss: "niss", ...ASKED };

/** What an entry of the history remembers; null where a link was followed. */
interface Visit {
  solving?: boolean;
  bounds?: Bounds;
}

/** The position in the address, if it has one, the options, and what is wrong with them. */
export function read(): { text: string; chosen: Options; faults: string[] } {
  const parameters = new URLSearchParams(location.search);
  const chosen = { ...DEFAULTS };
  const faults: string[] = [];
  for (const [key, name] of Object.entries(NAMES)) {
    const option = key as keyof Options;
    const value = parameters.get(name) ?? DEFAULTS[option];
    const takes = takesOf(option, value);
    if (takes === undefined) chosen[option] = value as never;
    else faults.push(`\`${name}\` is ${takes}`);
  }
  return { text: parameters.get("position") ?? "", chosen, faults };
}

/** Whether a text is too long for the address. */
export function isTooLong(text: string): boolean {
  return text.length > LONGEST;
}

/** The address of a position with these options; those that are as usual are left out. */
export function addressOf(text: string, chosen: Options): string {
  if (text.trim() === "" || isTooLong(text)) return HOME;
  const parameters = new URLSearchParams({ position: text });
  for (const [option, name] of Object.entries(NAMES)) {
    const value = chosen[option as keyof Options];
    if (value !== DEFAULTS[option as keyof Options]) parameters.set(name, value);
  }
  return `${HOME}?${parameters}`;
}

/** A link to a position with these options. */
export function linkTo(text: string, chosen: Options): string {
  return origin + addressOf(text, chosen);
}

/** A link to another view, and to what it shows. */
export function linkToView(fragment: string): string {
  return `${origin}${HOME}#${fragment}`;
}

/** What the current entry of the history remembers. */
export function visit(): Visit | null {
  return history.state as Visit | null;
}

/** The query of the address that is shown, and what its entry remembers. */
let shown: { query: string; visit: Visit | null } | undefined;

/**
 * Whether the page shows this address. What is entered and chosen may be ahead of it. A link to another view begins an entry, which
 * remembers what the one before does.
 */
export function isShown(): boolean {
  if (shown?.query !== location.search) return false;
  const now = visit();
  // Its search may have ended in another view.
  const isOfOthers = now === null || now.solving === true;
  if (isOfOthers && shown.visit) remember(shown.visit);
  // The same question was asked twice: with its answer, and after something else anew.
  return isOfOthers || (now.bounds === undefined) === (shown.visit?.bounds === undefined);
}

/** From now on, the page shows this address. */
export function show(): void {
  shown = { query: location.search, visit: visit() };
}

/** Goes to an address: in a new entry if the current one has an answer, so that "back" leads there. */
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

/** Follows a link of the page without loading it anew; the entry remembers this. */
export function follow(event: MouseEvent, address: string, visit: Visit): void {
  // Another tab or window is for the browser to open.
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(visit, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** What the entry of a presentation remembers, while there is one. */
let presented: Visit | null = null;

/** Begins an entry for the presentation of the same position. */
export function enterPresentation(): void {
  presented = visit();
  history.pushState(presented, "");
}

/** What became known during the presentation is remembered in the entry before, which is the current one again. */
export function leavePresentation(): void {
  const known = presented;
  presented = null;
  if (known) remember(known);
}

/** Remembers this in the current entry. */
export function remember(visit: Visit): void {
  if (presented) presented = visit;
  shown = { query: location.search, visit };
  // More solutions than a browser keeps are found again. Some browsers refuse that too, after many changes.
  for (const each of [visit, { solving: true }]) {
    try {
      return history.replaceState(each, "");
    } catch {}
  }
}
