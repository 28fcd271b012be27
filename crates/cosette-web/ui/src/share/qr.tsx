// QR codes of texts, for the cameras of other machines.

import { useEffect, useState } from "preact/hooks";
import "./qr.css";

/** The width of the margin of a code, in its modules. */
const MARGIN = 4;

/** A code: the path of its dark modules, and its width and height in modules. */
export interface QrCode {
  path: string;
  size: number;
}

/** Returns the code of a text; undefined if the text is too long for one. */
export async function codeOf(text: string): Promise<QrCode | undefined> {
  const { encode } = await import("uqr");
  try {
    const { data, size } = encode(text, { border: MARGIN });
    const modules = data.flatMap((row, y) =>
      row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")),
    );
    return { path: modules.join(""), size };
  } catch {
    return undefined;
  }
}

/** Returns the code of a text that is not empty once it is encoded. */
export function useCode(text: string): QrCode | undefined {
  const [code, setCode] = useState<QrCode>();
  useEffect(() => void (text && codeOf(text).then(setCode)), [text]);
  return code;
}

export function QrCodeImage({ code, label }: { code: QrCode; label: string }) {
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} class="code" role="img" aria-label={label}>
      <path d={code.path} />
    </svg>
  );
}
