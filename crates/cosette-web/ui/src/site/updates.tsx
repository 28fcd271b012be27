// A new release: its service worker waits until the user reloads the page, so that no page mixes
// files of two releases.

import { signal } from "@preact/signals";

const { serviceWorker } = navigator;

/**
 * The worker of a release that has been fetched; "active" if another tab has activated it: then the
 * files of this page's release are gone.
 */
const release = signal<ServiceWorker | "active" | undefined>(undefined);

function offer(worker: ServiceWorker | null): void {
  // Without an active worker, this is the first visit.
  if (worker && serviceWorker.controller) release.value = worker;
}

function activate(): void {
  if (!(release.value instanceof ServiceWorker)) return location.reload();
  serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  release.value.postMessage("activate");
}

if (serviceWorker?.controller)
  serviceWorker.addEventListener("controllerchange", () => (release.value = "active"));
void serviceWorker?.ready.then((registration) => {
  offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const found = registration.installing;
    found?.addEventListener("statechange", () => found.state === "installed" && offer(found));
  });
});

/** A button that appears once a new release has been fetched. */
export function UpdateButton() {
  return (
    <div role="status">
      <button type="button" class="strong" hidden={!release.value} onClick={activate}>
        Update
      </button>
    </div>
  );
}
