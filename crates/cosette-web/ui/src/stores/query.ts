// The fields of a query about a position, with their errors.

import { computed, effect } from "@preact/signals";
import { CheckedEntry } from "../goals/checked-text";
import type { SolveRequest } from "../protocol";
import { OPTIONS, requestOf, type Options } from "../solve/option-values";
import { NumberEntry, areAllValid } from "../ui/field";
import { option, options } from "./options";

export const maxLength = new NumberEntry(OPTIONS.maxLength, option("maxLength"));
export const timeout = new NumberEntry(OPTIONS.timeout, option("timeout"));
export const slack = new NumberEntry(OPTIONS.slack, option("slack"));

/** Creates the entry of a text, which is checked together with these other options. */
const entry = (name: keyof Options, ...beside: (keyof Options)[]): CheckedEntry =>
  new CheckedEntry(option(name), (text): Partial<SolveRequest> => {
    const { value } = options;
    const others = Object.fromEntries(beside.map((other) => [other, value[other]]));
    const request = requestOf({ ...others, [name]: text });
    return name === "goal" ? request : { metric: value.metric, ...request };
  });

/** Costs apply to allowed moves only, and a rotation with a cost is an allowed move. */
export const texts = {
  goal: entry("goal"),
  moves: entry("moves", "costs"),
  startsWith: entry("startsWith"),
  endsWith: entry("endsWith"),
  avoid: entry("avoid"),
  costs: entry("costs", "moves"),
};

const others = [texts.startsWith, texts.endsWith, texts.avoid, texts.costs];
effect(() => (void texts.moves.text.value, texts.costs.checkSoon()));
effect(() => {
  void [options.value.metric, ...others.map(({ text }) => text.value)];
  texts.moves.checkSoon();
});

/** The folded part with an invalid value; empty if there is none. */
export const faulty = computed(() => {
  const isWrong = ({ error }: CheckedEntry): boolean => error.value !== undefined;
  if (maxLength.wrong.value || timeout.wrong.value) return "options";
  if (isWrong(texts.goal)) return "goal";
  return slack.wrong.value || [texts.moves, ...others].some(isWrong) ? "moves" : "";
});

/** Returns `true` if everything is valid; otherwise shows the errors and focuses the first one. */
export async function isValid(): Promise<boolean> {
  return areAllValid(maxLength, timeout, slack) && (await areRight((text) => text.settle()));
}

/**
 * Searches the texts for the one that the engine has rejected; returns `true` if it is found, with
 * the error shown there.
 */
export async function findsFault(): Promise<boolean> {
  return !(await areRight((text) => (text.check(), text.settle())));
}

async function areRight(isRight: (text: CheckedEntry) => Promise<boolean>): Promise<boolean> {
  const all = Object.values(texts);
  const right = await Promise.all(all.map(isRight));
  const wrong = all[right.indexOf(false)];
  wrong?.focus();
  return wrong === undefined;
}
