// Information for other machines, as in a classroom: the address and the token, in large letters
// and as a code for cameras.

import { signal } from "@preact/signals";
import { fetchJson } from "../api";
import type { Sharing } from "../protocol";
import { setOrigin } from "../solve/address";
import { Dialog } from "../ui/dialog";
import "./machines.css";
import { QrCodeImage, codeOf, type QrCode } from "./qr";

/** The way for other machines to this server; undefined if they cannot use it. */
const sharing = signal<{ address: string; token: string; code: QrCode | undefined } | undefined>(
  undefined,
);
const isShown = signal(false);

async function load(): Promise<void> {
  const { address, token } = await fetchJson<Sharing>("GET", "/sharing");
  if (address === null || token === null) return;
  setOrigin(address);
  sharing.value = { address, token, code: await codeOf(`${address}/?token=${token}`) };
}
void load().catch(() => undefined);

/**
 * A button that shows the address and the token; hidden if other machines cannot use the server.
 */
export function SharingButton() {
  if (!sharing.value) return <div />;
  const { address, token, code } = sharing.value;
  return (
    <div>
      <button type="button" class="quiet" onClick={() => (isShown.value = true)}>
        Connect other devices
      </button>
      {isShown.value && (
        <Dialog
          title="Connect other devices"
          class="sharing"
          onClose={() => (isShown.value = false)}
        >
          <div class="how">
            {code && <QrCodeImage code={code} label="QR code of the address and the token" />}
            <dl>
              <dt>Address</dt>
              <dd>{address}</dd>
              <dt>Token</dt>
              <dd class="token">{token}</dd>
            </dl>
          </div>
          <p>
            On the same network, scan the code, or open the address and enter the token. The
            connection is not encrypted.
          </p>
        </Dialog>
      )}
    </div>
  );
}
