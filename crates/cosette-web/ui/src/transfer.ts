// Texts and files that leave the page.

/** Copies a text, and returns `true` if the browser allows it. */
export async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  // Browsers offer the clipboard only to pages of this machine or of encrypted connections.
  const area = document.createElement("textarea");
  area.className = "hidden";
  area.value = text;
  const focused = document.activeElement;
  // Nothing outside an open dialog can be selected.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

/** Downloads a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
