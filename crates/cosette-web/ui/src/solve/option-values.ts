// The options of a search: their names, defaults, accepted values, and values in requests.

import type { Metric, SolveRequest, TurnMetric } from "../protocol";

/** The metrics to choose from. */
export const METRICS: [value: Metric, text: string][] = [
  ["htm", "half-turn (HTM)"],
  ["qtm", "quarter-turn (QTM)"],
];

/** All metrics; the others are for goals. */
export const ALL_METRICS: [value: TurnMetric, text: string][] = [
  ...METRICS,
  ["stm", "slice-turn (STM)"],
  ["qstm", "slice-quarter-turn (QSTM)"],
  ["etm", "execution-turn (ETM)"],
];

/** The counts to choose from. */
export const CHOICES: [value: string, text: string][] = [
  ["1", "one"],
  ["10", "up to 10"],
  ["100", "up to 100"],
  ["1000", "up to 1000"],
  ["all", "all"],
  ["prefer", "one with fewest quarter turns"],
];

/** The equivalences, with the names of the engine. */
export const EQUIVALENCES: [value: string, text: string][] = [
  ["", "show all"],
  ["symmetry", "one per symmetry class"],
  ["inverse", "one per inverse pair"],
  ["symmetry,inverse", "one per symmetry and inverse class"],
];

/** An option, chosen as a text. */
interface Option {
  /** Its name in requests and in the address. */
  name: keyof SolveRequest;
  /** The default. */
  initial: string;
  /** Describes the accepted values, if this is not one of them. */
  takes: (text: string) => string | undefined;
  /** Returns the value in a request. */
  parse: (text: string) => unknown;
}

/** An optional number. */
export interface NumberOption extends Option {
  /** The attributes of its field. */
  limits: { min: number; max?: number; step: 1 | "any" };
}

/** Creates an optional text that the engine checks. */
function text(name: keyof SolveRequest): Option {
  return { name, initial: "", takes: () => undefined, parse: (text) => text };
}

/** Creates an option with these values, of which the first one is the default. */
function oneOf(name: keyof SolveRequest, values: string[]): Option {
  const description = `one of ${values.join(", ")}`;
  return {
    ...text(name),
    initial: values[0]!,
    takes: (text) => (values.includes(text) ? undefined : description),
  };
}

function number(
  name: keyof SolveRequest,
  limits: NumberOption["limits"],
  description: string,
): NumberOption {
  const { min, max = Number.MAX_VALUE, step } = limits;
  const isAccepted = (number: number): boolean =>
    number >= min && number <= max && (step === "any" || Number.isInteger(number));
  return {
    ...text(name),
    takes: (text) => (text === "" || isAccepted(Number(text)) ? undefined : description),
    parse: Number,
    limits,
  };
}

function numberOfMoves(name: keyof SolveRequest, max: number): NumberOption {
  return number(name, { min: 0, max, step: 1 }, `a number of moves from 0 to ${max}`);
}

const valuesOf = (choices: [value: string, text: string][]): string[] =>
  choices.map(([value]) => value);

/** The options with which a search is not just for the shortest solutions with face turns. */
export const GOAL_OPTIONS = {
  goal: text("goal"),
  /** The allowed moves. */
  moves: text("moves"),
  /** The costs of individual moves. */
  costs: text("costs"),
  /** The extra moves allowed beyond the shortest solutions. */
  slack: numberOfMoves("slack", 20),
  /** Required prefix and suffix of solutions. */
  startsWith: text("starts_with"),
  endsWith: text("ends_with"),
  /** Excluded sequences. */
  avoid: text("avoid"),
  /** The equivalence of which one solution per class is shown. */
  uniqueUpTo: oneOf("unique_up_to", valuesOf(EQUIVALENCES)),
};

/** All options, in the order of the address. */
export const OPTIONS = {
  metric: oneOf("metric", valuesOf(ALL_METRICS)),
  count: {
    ...oneOf("count", valuesOf(CHOICES)),
    parse: (text: string) => (text === "all" ? text : Number(text) || 1),
  },
  /** The length of the longest solutions to search for. */
  maxLength: numberOfMoves("max_length", 26),
  timeout: number("timeout", { min: 0.1, step: "any" }, "a number of seconds, at least 0.1"),
  /** `true` if moves in parentheses apply to the inverse. */
  niss: { ...oneOf("niss", ["false", "true"]), parse: (text: string) => text === "true" },
  ...GOAL_OPTIONS,
};

/** The chosen options. */
export type Options = Record<keyof typeof OPTIONS, string> & { metric: TurnMetric };

export const OPTION_ENTRIES = Object.entries(OPTIONS) as [keyof Options, Option][];

/** The defaults: one shortest solution in the half-turn metric, no limits. */
export const DEFAULTS = Object.fromEntries(
  OPTION_ENTRIES.map(([key, { initial }]) => [key, initial]),
) as Options;

/** Returns the parameters of an address with these options, without the defaults. */
export function parametersOf(options: Options): Record<string, string> {
  const chosen = OPTION_ENTRIES.filter(([key, { initial }]) => options[key] !== initial);
  return Object.fromEntries(chosen.map(([key, { name }]) => [name, options[key]]));
}

/** Returns the fields of a request with these options, without the defaults. */
export function requestOf(options: Partial<Options>): Partial<SolveRequest> {
  const request: Record<string, unknown> = {};
  for (const [key, { name, initial, parse }] of OPTION_ENTRIES) {
    const text = options[key] ?? initial;
    if (text.trim() !== initial) request[name] = parse(text);
  }
  return request;
}
