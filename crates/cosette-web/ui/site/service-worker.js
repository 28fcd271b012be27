// The service worker of the offline web app. It isolates the page, and caches the files of one
// release, so that the app opens without a network. The build inserts the release and its files into
// the next two lines, and appends isolation.js of the npm package.
const RELEASE = "%RELEASE%";
const FILES = ["%FILES%"];

const SCOPE = self.registration.scope;
// Other pages of the same host have their own caches.
const OURS = `cosette ${SCOPE} `;
const CACHE = OURS + RELEASE;
const addresses = new Set(FILES.map((file) => new URL(file, SCOPE).href));

/** Time for the page to load before its files are cached, in milliseconds. */
const DELAY = 3000;

// On the first visit the page waits only to be isolated, and its files are cached behind it. A later
// release takes over only with all its files.
self.addEventListener("install", (event) => {
  if (self.registration.active) event.waitUntil(fill());
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const delay = new Promise((resolve) => setTimeout(resolve, DELAY));
  event.waitUntil(delay.then(fill).catch(() => undefined));
});

/** Caches all files, unless they are cached. */
async function fill() {
  const cache = await caches.open(CACHE);
  if (await cache.match(SCOPE)) return;
  // Each file is revalidated with the host, so that all are of the same release.
  const requests = FILES.map((file) => new Request(new URL(file, SCOPE), { cache: "no-cache" }));
  await cache.addAll(requests);
}

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys())
      if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

// A new release takes over when the page requests it, or when no page of the old one is open.
self.addEventListener("message", ({ data }) => data === "activate" && self.skipWaiting());

/** Responds to a request; called by isolation.js. */
self.answer = async (request) => {
  const url = new URL(request.url);
  url.search = url.hash = "";
  if (url.href === `${SCOPE}index.html`) url.href = SCOPE;
  if (request.method !== "GET") return fetch(request);
  // The documentation is not cached.
  if (!addresses.has(url.href))
    return fetch(request).catch((error) =>
      request.mode === "navigate" ? apology() : Promise.reject(error),
    );
  const cache = await caches.open(CACHE);
  return (await cache.match(url.href)) ?? fetch(request);
};

function apology() {
  const text = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cosette</title>
<p>You are offline, and the documentation is not stored in the browser. <a href="${SCOPE}">The solver works offline.</a>`;
  return new Response(text, {
    status: 503,
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
}
