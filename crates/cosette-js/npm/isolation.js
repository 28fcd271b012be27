// Threads on hosts that cannot set headers: a service worker adds the headers that allow workers to
// share memory.
//
// Copy this file next to the page, and load it first: <script src="isolation.js"></script>. On the
// first visit it registers itself as the service worker of the page and reloads the page. It does
// nothing if the page is already isolated, or without service workers (pages without HTTPS); then
// one thread is used.
//
// A page has one service worker. A service worker with other tasks, such as caching files for
// offline use, sets `self.answer`, a function of a request, and then includes this file; it handles
// its own installation. The page names it: <script src="isolation.js"
// data-worker="my-worker.js"></script>. It is then registered on isolated pages as well.
//
// With these headers, the page can load from other origins only the resources that they allow
// (CORS, or Cross-Origin-Resource-Policy).

if (typeof window === "undefined") {
  const answer = self.answer ?? ((request) => fetch(request));
  if (!self.answer) {
    self.addEventListener("install", () => self.skipWaiting());
    self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  }
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    // A request of developer tools, which cannot be fetched.
    if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
    event.respondWith(Promise.resolve(answer(request)).then(isolated));
  });

  function isolated(response) {
    // A response of another origin that scripts must not read.
    if (
      response.type === "opaque" ||
      response.type === "opaqueredirect" ||
      response.type === "error"
    )
      return response;
    const headers = new Headers(response.headers);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    return new Response(response.body, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  }
} else if (window.isSecureContext && "serviceWorker" in navigator) {
  const { src, dataset } = document.currentScript;
  // Only once: if the headers have no effect, the page works with one thread.
  const TRIED = "cosette-isolation";
  let storage = null;
  try {
    storage = window.sessionStorage;
  } catch {
    // The browser blocks storage.
  }
  const reload = () => {
    if (window.crossOriginIsolated || !storage || storage.getItem(TRIED)) return;
    storage.setItem(TRIED, "yes");
    location.reload();
  };
  if (window.crossOriginIsolated) storage?.removeItem(TRIED);
  if (!window.crossOriginIsolated || dataset.worker) {
    navigator.serviceWorker.addEventListener("controllerchange", reload);
    navigator.serviceWorker
      .register(dataset.worker ?? src, { updateViaCache: "none" })
      .then(() => navigator.serviceWorker.controller && reload())
      .catch((error) =>
        console.warn(
          `the service worker cannot be registered, so one thread is used unless the host isolates the page: ${error.message}`,
        ),
      );
  }
}
