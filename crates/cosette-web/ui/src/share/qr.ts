// QR codes of texts, for the cameras of other machines.

import { svgElement } from "../dom";

/** The width of the margin of a code, in its modules. */
const MARGIN = 4;

/** Creates a code; undefined if the text is too long for one. */
export async function code(text: string, label: string): Promise<SVGElement | undefined> {
  const { encode } = await import("uqr");
  let encoded: ReturnType<typeof encode>;
  try {
    encoded = encode(text, { border: MARGIN });
  } catch {
    return undefined;
  }
  const { data, size } = encoded;
  const modules = data.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return svgElement(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, class: "code", role: "img", "aria-label": label },
    svgElement("path", { d: modules.join("") }),
  );
}
