// Numbers and times for display.

const whole = new Intl.NumberFormat("en");

/** Formats 1234567 as 1,234,567. */
export function count(number: number): string {
  return whole.format(Math.round(number));
}

/** Formats a large number to two digits: 950, 12,000, 1.3 × 10¹⁹. */
export function large(number: number): string {
  if (number < 1e6) return count(Number(number.toPrecision(2)));
  const [digits, exponent] = number.toExponential(1).split("e+");
  return `${digits} × 10${[...exponent!].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}

/** Formats a number of bytes in decimal units, to three digits. */
export function bytes(number: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? number : Number(number.toPrecision(3))} ${units[unit]}`;
}

/**
 * Formats a time to two digits: 0.35 s, 12 s, 4 min, 2.0 h. Shorter times are only described as
 * short.
 */
export function time(seconds: number): string {
  if (seconds < 0.01) return "under 0.01 s";
  if (seconds < 9.95) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats an estimate of the remaining time: "about 4 min left". */
export function left(seconds: number): string {
  return seconds < 1 ? "under 1 s left" : `about ${time(seconds)} left`;
}

/** Formats an estimate in coarse steps: 40 s, 4 min, 35 min, 1.5 h, 30 h, 12 days. */
export function roughTime(seconds: number): string {
  const rounded = (unit: number, step: number): number => step * Math.round(seconds / unit / step);
  if (seconds < 55) return `${Math.max(10, rounded(1, 10))} s`;
  if (seconds < 570) return `${rounded(60, 1)} min`;
  if (seconds < 3450) return `${rounded(60, 5)} min`;
  if (seconds < 5 * 3600) return `${rounded(3600, 0.5)} h`;
  if (seconds < 48 * 3600) return `${rounded(3600, 1)} h`;
  return `${count(rounded(24 * 3600, 1))} days`;
}

/** Describes what a search waits for; empty if it does not wait. */
export function waitingFor(ahead: number): string {
  return ahead > 0 ? `Waiting for ${plural(ahead, "other search", "other searches")}` : "";
}

/** Formats a count: "1 move", "2 moves". */
export function plural(number: number, noun: string, nouns = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : nouns}`;
}

/** Capitalizes the first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
