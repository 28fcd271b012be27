// The results of a batch as files.

import type { BatchLine } from "../protocol";
import { download } from "../transfer";

export interface Format {
  name: string;
  suffix: string;
  type: string;
  write(lines: BatchLine[]): string;
}

/** Returns a solution of the line that is proven optimal, if it has one. */
export function solutionOf(line: BatchLine): { length: number; solution: string } | undefined {
  if (!("solutions" in line) || line.length === null) return undefined;
  return { length: line.length, solution: line.solutions[0] ?? "" };
}

/**
 * Explains why a line has no solution: the error and how to fix it, with code between back-ticks.
 */
export function whyNot(line: BatchLine): string {
  if ("error" in line) return [line.error, line.help].filter(Boolean).join("; ");
  return line.stop_reason === "max-length"
    ? `longer than the limit: at least ${line.lower_bound}`
    : "not proven";
}

/** Returns the bounds and the best known solution of an unproven line, if it has any. */
export function boundsOf(line: BatchLine): { range: string; best: string } | undefined {
  if ("error" in line || line.length !== null || line.best_known === null) return undefined;
  const { lower_bound: lower, upper_bound: upper, best_known: best } = line;
  return { range: `${lower}–${upper}`, best };
}

/** Explains why a line has no solution, as plain text. */
const plainly = (line: BatchLine): string => whyNot(line).replaceAll("`", "");

/** Returns the solution, with the name of the position as a comment. */
function solved(line: BatchLine): string | undefined {
  const solution = solutionOf(line)?.solution;
  return solution === undefined || !line.name ? solution : `${solution}  // ${line.name}`;
}

/**
 * The formats: text with one solution per line, in the order of the input; CSV; JSON Lines as from
 * `cosette solve --json`.
 */
export const FORMATS: Format[] = [
  {
    name: "Text",
    suffix: "txt",
    type: "text/plain",
    write: (lines) =>
      lines
        .map(
          (line) =>
            `${solved(line) ?? `# line ${line.line}${line.name ? `, ${line.name}` : ""}: ${plainly(line)}`}\n`,
        )
        .join(""),
  },
  {
    name: "CSV",
    suffix: "csv",
    type: "text/csv",
    write: (lines) => `${COLUMNS}\n${lines.map(row).join("")}`,
  },
  {
    name: "JSON Lines",
    suffix: "jsonl",
    type: "application/x-ndjson",
    write: (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  },
];

/** Downloads these results in this format. */
export function save(lines: BatchLine[], format: Format): void {
  download(`solutions.${format.suffix}`, format.type, format.write(lines));
}

/** The columns of the CSV, as of `cosette batch --csv`; batches of the app have no explanations. */
const COLUMNS =
  "line,input,format,facelets,metric,optimal,length,lower_bound,upper_bound,solutions,solution_count,stop_reason,best_known,symmetries,nodes,probes,seconds,table,engine,equivalent_to_line,explanation,error,goal,allowed_moves,costs,variants,unreachable,optimal_moves,neighbor_distances,name";

function row(line: BatchLine): string {
  const cells: Record<string, unknown> = {
    optimal: false,
    solution_count: 0,
    ...line,
    ...("error" in line && { error: plainly(line) }),
  };
  // Unknown bounds are empty.
  for (const bound of ["lower_bound", "upper_bound"]) if (cells[bound] === 255) cells[bound] = null;
  return `${COLUMNS.split(",")
    .map((column) => quoted(cells[column]))
    .join(",")}\n`;
}

/** Quotes a cell. Several solutions are separated by semicolons. */
function quoted(value: unknown): string {
  const text = Array.isArray(value) ? value.join("; ") : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
