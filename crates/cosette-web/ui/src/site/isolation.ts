// Whether the page will be loaded once more, because its service worker isolates it: until that is known, no table is opened.

/** How long the service worker may take to be installed before the page works without it, in milliseconds. */
const PATIENCE = 15_000;

/** What isolation.js remembers: it has loaded the page once more. */
const TRIED = "cosette-isolation";

let settled: Promise<void> | undefined;

/** Fulfilled once the page is isolated, or will not be. */
export function isolationSettled(): Promise<void> {
  return (settled ??= settle());
}

async function settle(): Promise<void> {
  if (crossOriginIsolated || !isSecureContext || !("serviceWorker" in navigator) || wasTried()) return;
  // The page is about to be loaded once more, unless there is no service worker.
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  const refused = navigator.serviceWorker.getRegistration().then(async (registration) => {
    // It does not control a page that was loaded anew with the shift key.
    if (registration?.active && !navigator.serviceWorker.controller) return;
    if (registration) return new Promise<void>(() => undefined);
    // isolation.js has asked for it before; if it is refused, there is none a little later either.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (await navigator.serviceWorker.getRegistration()) return new Promise<void>(() => undefined);
  });
  await Promise.race([late, refused.catch(() => undefined)]);
}

function wasTried(): boolean {
  try {
    return sessionStorage.getItem(TRIED) !== null;
  } catch {
    return true;
  }
}
