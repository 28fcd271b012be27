// Sharing an answer: an image to copy or save, its link, the QR code of the link, and the share
// sheet of the system.

import { useState } from "preact/hooks";
import { appearance } from "../cube/appearance";
import { isOfThisMachine } from "../hostname";
import { headline } from "../solve/bounds";
import { bounds } from "../stores/search";
import { copy, download } from "../transfer";
import { Dialog, openDialog } from "../ui/dialog";
import "./dialog.css";
import { HEIGHT, WIDTH } from "./frame";
import { pagePalette } from "./palette";
import { picture, type SharedAnswer } from "./picture";
import { QrCodeImage, useCode } from "./qr";
import { withTypefaces } from "./typefaces";

/** Number of PNG pixels per unit of the picture. */
const SCALE = 2;

/** The parts of a shared answer that the dialog names or copies. */
type Shared = Pick<SharedAnswer, "position" | "solution" | "headline" | "link">;

/** Shares the shown answer, with its picture; while a search waits, its bounds are the headline. */
export function shareAnswer(answer: SharedAnswer): Promise<void> {
  const known = bounds.value!;
  const shown = known.waiting
    ? { ...answer, headline: headline({ ...known, waiting: null }) }
    : answer;
  const look = { palette: pagePalette(), letters: appearance().letters };
  return share(shown, picture(shown, known, look));
}

/** Shows the dialog for a picture until the user closes it. */
export async function share(answer: Shared, drawing: string): Promise<void> {
  const svg = await withTypefaces(drawing);
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const png = rasterized(url);
  // The promise is awaited where it is needed.
  png.catch(() => undefined);
  openDialog((close) => {
    const onClose = (): void => {
      close();
      URL.revokeObjectURL(url);
    };
    return <ShareDialog {...{ answer, svg, url, png, onClose }} />;
  });
}

function ShareDialog(props: {
  answer: Shared;
  svg: string;
  url: string;
  png: Promise<Blob>;
  onClose: () => void;
}) {
  const { answer, svg, url, png } = props;
  const [said, say] = useState("");
  const isLocal = isOfThisMachine(new URL(answer.link).hostname);
  const act = (done: string, run: () => Promise<unknown>) => () =>
    void run().then(
      () => say(done),
      (error: unknown) => say(failure(error)),
    );
  const canShare = typeof navigator.share === "function";
  const canCopy = "ClipboardItem" in globalThis && navigator.clipboard !== undefined;
  const copyImage = (): Promise<void> =>
    navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
  return (
    <Dialog title="Share this answer" class="share card" onClose={props.onClose}>
      <img
        src={url}
        width={WIDTH}
        height={HEIGHT}
        alt={`The picture to share: ${answer.headline}`}
      />
      {isLocal && (
        <p class="label">
          The link works only on this machine: send others the image, or copy the scramble for them.
        </p>
      )}
      <div class="bar">
        {canShare && (
          <button
            type="button"
            class="strong"
            onClick={act("", async () => navigator.share(await sheet(answer, png)))}
          >
            Share …
          </button>
        )}
        {canCopy && (
          <button
            type="button"
            class={canShare ? "quiet" : "strong"}
            onClick={act("Image copied.", copyImage)}
          >
            Copy image
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={act("", async () => download("cosette.png", "image/png", await png))}
        >
          Save PNG
        </button>
        <button
          type="button"
          class="quiet"
          onClick={act("", async () => download("cosette.svg", "image/svg+xml", svg))}
        >
          Save SVG
        </button>
        <button
          type="button"
          class="quiet"
          onClick={act("Link copied.", () => copied(answer.link))}
        >
          Copy link
        </button>
        <button
          type="button"
          class="quiet"
          onClick={act("Scramble copied.", () => copied(answer.position))}
        >
          Copy scramble
        </button>
      </div>
      <p class="label" role="status">
        {said}
      </p>
      {!isLocal && <LinkCode link={answer.link} />}
    </Dialog>
  );
}

/** The code of a link, if it is not too long for one. */
function LinkCode({ link }: { link: string }) {
  const code = useCode(link);
  if (!code) return null;
  return (
    <div class="how">
      <QrCodeImage code={code} label="QR code of the link" />
      <p>
        Scan this code to open the position on another device. A server with a token prompts for it.
      </p>
    </div>
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
async function sheet({ headline, solution, link }: Shared, png: Promise<Blob>): Promise<ShareData> {
  const told = { title: headline, text: `${headline}: ${solution}`, url: link };
  const files = [new File([await png], "cosette.png", { type: "image/png" })];
  return navigator.canShare?.({ ...told, files }) ? { ...told, files } : told;
}

async function rasterized(url: string): Promise<Blob> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * WIDTH;
  canvas.height = SCALE * HEIGHT;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot render the image"))),
      "image/png",
    ),
  );
}
