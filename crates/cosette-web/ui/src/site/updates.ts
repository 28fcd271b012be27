// A new release: its service worker waits until the user reloads the page, so that no page mixes
// files of two releases.

import { h } from "../dom";

/** Creates a button that appears once a new release has been fetched. */
export function updateButton(): HTMLElement {
  const { serviceWorker } = navigator;
  let waiting: ServiceWorker | undefined;
  const button = h(
    "button",
    { type: "button", class: "strong", hidden: true, onclick: () => activate() },
    "Update",
  );
  const offer = (worker: ServiceWorker | null): void => {
    // Without an active worker, this is the first visit.
    if (!worker || !serviceWorker.controller) return;
    waiting = worker;
    button.hidden = false;
  };
  const activate = (): void => {
    if (!waiting) return location.reload();
    serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("activate");
  };
  // Another tab has activated the new release: the files of this page's release are gone.
  const replaced = (): void => {
    waiting = undefined;
    button.hidden = false;
  };
  if (serviceWorker?.controller) serviceWorker.addEventListener("controllerchange", replaced);
  void serviceWorker?.ready.then((registration) => {
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const found = registration.installing;
      found?.addEventListener("statechange", () => found.state === "installed" && offer(found));
    });
  });
  return h("div", { role: "status" }, button);
}
