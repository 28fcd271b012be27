// The typefaces of the page inside a picture, because an SVG that is an image loads no other files.

import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import mono from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import prime from "../fonts/prime.woff2?url";

/** The typefaces as in fonts.css, and their files. */
const TYPEFACES = [
  { descriptors: "font-family:Inter;font-weight:100 900", file: inter },
  { descriptors: "font-family:JetBrains Mono;font-weight:100 800", file: mono },
  { descriptors: "font-family:Prime;font-weight:100 800;unicode-range:U+27", file: prime },
];

/** Adds the typefaces to the style of a picture; without the files, it has those of the system. */
export async function withTypefaces(picture: string): Promise<string> {
  try {
    const rules = await Promise.all(
      TYPEFACES.map(
        async ({ descriptors, file }) =>
          `@font-face{${descriptors};src:url("${await dataUrl(file)}") format("woff2")}`,
      ),
    );
    return picture.replace("<style>", `<style>${rules.join("")}`);
  } catch {
    return picture;
  }
}

/** Returns a file as a data URL. */
async function dataUrl(file: string): Promise<string> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(blob);
  });
}
