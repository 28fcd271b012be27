// The results of a batch as files.

import { download } from "../dom";
import type { BatchLine } from "../protocol";

interface Format {
  name: string;
  suffix: string;
  type: string;
  write(lines: BatchLine[]): string;
}

/** A proven shortest solution of the line, if it has one. */
export function solutionOf(line: BatchLine): { length: number; solution: string } | undefined {
  if (!("solutions" in line) || line.length === null) return undefined;
  return { length: line.length, solution: line.solutions[0] ?? "" };
}

/** Text with one solution per line, in the order of the input; CSV; JSON lines as from `cosette solve --json`. */
export const FORMATS: Format[] = [
  {
    name: "Text",
    suffix: "txt",
    type: "text/plain",
    write: (lines) => lines.map((line) => `${solutionOf(line)?.solution ?? `# line ${line.line}: ${"error" in line ? line.error : "not proven"}`}\n`).join(""),
  },
  {
    name: "CSV",
    suffix: "csv",
    type: "text/csv",
    write: (lines) => `line,input,length,solution,error\n${lines.map(row).join("")}`,
  },
  {
    name: "JSON lines",
    suffix: "jsonl",
    type: "application/x-ndjson",
    write: (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  },
];

/** Downloads these results in this format. */
export function save(lines: BatchLine[], format: Format): void {
  download(`solutions.${format.suffix}`, format.type, format.write(lines));
}

function row(line: BatchLine): string {
  const solved = solutionOf(line);
  const error = "error" in line ? line.error : "";
  return `${[line.line, line.input, solved?.length ?? "", solved?.solution ?? "", error].map(quoted).join(",")}\n`;
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
