// Detection of a pending reload by the service worker that isolates the page; until it is settled,
// no table is opened.

/**
 * Maximum time to wait for the installation of the service worker before the page works without
 * it, in milliseconds.
 */
const PATIENCE = 15_000;

/** The key under which isolation.js remembers its reload. */
const TRIED = "cosette-isolation";

let settled: Promise<void> | undefined;

/** Returns a promise that is fulfilled once the page is isolated, or will not be. */
export function isolationSettled(): Promise<void> {
  return (settled ??= settle());
}

async function settle(): Promise<void> {
  if (crossOriginIsolated || !isSecureContext || !("serviceWorker" in navigator) || wasTried())
    return;
  // The page is about to be reloaded, unless there is no service worker.
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE));
  const refused = navigator.serviceWorker.getRegistration().then(async (registration) => {
    // A service worker does not control a page that was reloaded with the shift key.
    if (registration?.active && !navigator.serviceWorker.controller) return;
    if (registration) return new Promise<void>(() => undefined);
    // isolation.js has already requested registration; if it is refused, there is still none a
    // little later.
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
