// Installing the page as an app, if the browser offers it.

import { signal } from "@preact/signals";

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const offered = signal<InstallPrompt | undefined>(undefined);
window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offered.value = event as InstallPrompt;
});
window.addEventListener("appinstalled", () => (offered.value = undefined));

/** A button that installs the page. */
export function InstallButton() {
  return (
    <button
      type="button"
      class="quiet"
      hidden={!offered.value}
      onClick={() => void offered.value?.prompt()}
    >
      Install
    </button>
  );
}
