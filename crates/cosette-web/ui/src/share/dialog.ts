// Sharing an answer: an image to copy or save, its link, the QR code of the link, and the share
// sheet of the system.

import { appearance, faceColors } from "../cube/appearance";
import { copy, download, h, setChildren } from "../dom";
import { isOfThisMachine } from "../hostname";
import { code } from "./qr";
import { HEIGHT, WIDTH, picture, type SharedAnswer } from "./picture";

/** Number of PNG pixels per unit of the picture. */
const SCALE = 2;

/** Shows the dialog until the user closes it. */
export async function share(answer: SharedAnswer): Promise<void> {
  const svg = picture(answer, { colors: faceColors(), letters: appearance().letters });
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const png = rasterized(url);
  // The promise is awaited where it is needed.
  png.catch(() => undefined);
  const said = h("p", { class: "label", role: "status" });
  const act = (name: string, done: string, run: () => Promise<unknown>, look = ""): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: look,
        onclick: () =>
          void run().then(
            () => (said.textContent = done),
            (error: unknown) => (said.textContent = failure(error)),
          ),
      },
      name,
    );
  const canCopy = "ClipboardItem" in globalThis && navigator.clipboard !== undefined;
  const dialog = h("dialog", {
    class: "share card",
    "aria-label": "Share this answer",
    onclose: () => (dialog.remove(), URL.revokeObjectURL(url)),
  });
  setChildren(
    dialog,
    h(
      "div",
      { class: "row" },
      h("h2", {}, "Share this answer"),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close"),
    ),
    h("img", {
      src: url,
      width: WIDTH,
      height: HEIGHT,
      alt: `The cube, its scramble and its solution: ${answer.headline}`,
    }),
    h(
      "div",
      { class: "bar" },
      typeof navigator.share === "function" &&
        act("Share …", "", async () => navigator.share(await sheet(answer, png))),
      canCopy &&
        act(
          "Copy image",
          "Image copied.",
          () => navigator.clipboard.write([new ClipboardItem({ "image/png": png })]),
          "strong",
        ),
      act("Save PNG", "", async () => download("cosette.png", "image/png", await png)),
      act("Save SVG", "", async () => download("cosette.svg", "image/svg+xml", svg)),
      act("Copy scramble", "Scramble copied.", async () => copied(answer.position)),
      act("Copy link", "Link copied.", async () => copied(answer.link)),
    ),
    said,
  );
  document.body.append(dialog);
  dialog.showModal();
  if (isOfThisMachine(new URL(answer.link).hostname))
    return dialog.append(
      h(
        "p",
        { class: "label" },
        "The link works only on this machine. To share with others, send the image or the scramble.",
      ),
    );
  const shown = await code(answer.link, "QR code of the link");
  if (shown)
    dialog.append(
      h(
        "div",
        { class: "how" },
        shown,
        h(
          "p",
          {},
          "Scan this code to open the position on another device. A server with a token prompts for it.",
        ),
      ),
    );
}

async function copied(text: string): Promise<void> {
  if (!(await copy(text))) throw new Error("the browser blocked it");
}

function failure(error: unknown): string {
  if (error instanceof DOMException && error.name === "AbortError") return "";
  return `Failed: ${error instanceof Error ? error.message : String(error)}.`;
}

/** Returns the data for the share sheet, including the picture if the sheet accepts files. */
async function sheet(
  { headline, solution, link }: SharedAnswer,
  png: Promise<Blob>,
): Promise<ShareData> {
  const told = { title: headline, text: `${headline}: ${solution}`, url: link };
  const files = [new File([await png], "cosette.png", { type: "image/png" })];
  return navigator.canShare?.({ ...told, files }) ? { ...told, files } : told;
}

async function rasterized(url: string): Promise<Blob> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = h("canvas", { width: SCALE * WIDTH, height: SCALE * HEIGHT });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot render the image"))),
      "image/png",
    ),
  );
}
