// Information for other machines, as in a classroom: the address and the token, in large letters
// and as a code for cameras.

import { fetchJson } from "../api";
import { h, setChildren } from "../dom";
import type { Sharing } from "../protocol";
import { setOrigin } from "../solve/address";
import { code } from "./qr";

/**
 * Creates a button that shows the address and the token; hidden if other machines cannot use the
 * server.
 */
export function sharingButton(): HTMLElement {
  const dialog = h("dialog", { class: "sharing", "aria-label": "Connect other devices" });
  const button = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => dialog.showModal() },
    "Connect other devices",
  );
  void show(dialog, button);
  return h("div", {}, button, dialog);
}

async function show(dialog: HTMLDialogElement, button: HTMLElement): Promise<void> {
  const { address, token } = await fetchJson<Sharing>("GET", "/sharing").catch(() => ({
    address: null,
    token: null,
  }));
  if (address === null || token === null) return;
  setOrigin(address);
  setChildren(
    dialog,
    h(
      "div",
      { class: "row" },
      h("h2", {}, "Connect other devices"),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close"),
    ),
    h(
      "div",
      { class: "how" },
      await code(`${address}/?token=${token}`, "QR code of the address and the token"),
      h(
        "dl",
        {},
        h("dt", {}, "Address"),
        h("dd", {}, address),
        h("dt", {}, "Token"),
        h("dd", { class: "token" }, token),
      ),
    ),
    h(
      "p",
      {},
      "On the same network, scan the code, or open the address and enter the token. The connection is not encrypted.",
    ),
  );
  button.hidden = false;
}
