// A text as a QR code, for the cameras of other machines.

/** The width of the margin of a code, in its modules. */
const MARGIN = 4;

/** A code; undefined if the text is longer than one can be. */
export async function code(text: string, label: string): Promise<SVGElement | undefined> {
  const { encode } = await import("uqr");
  let encoded: ReturnType<typeof encode>;
  try {
    encoded = encode(text, { border: MARGIN });
  } catch {
    return undefined;
  }
  const { data, size } = encoded;
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  const modules = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  path.setAttribute("d", modules.join(""));
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("class", "code");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.append(path);
  return svg;
}
