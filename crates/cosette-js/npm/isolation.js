// Threads on hosts that cannot set headers: a service worker adds those with which workers may share memory.
//
// Copy this file beside the page, and load it before all else: <script src="isolation.js"></script>. On the first visit it
// registers itself as the service worker of the page and loads the page once more. It does nothing where the page is isolated
// already, or where there are no service workers (pages without HTTPS); then one thread is used.
//
// A page has one service worker. One that does more, such as to keep files for visits without a network, contains this file and
// sets `self.answer`, a function of a request, before; it takes care of its own installation. The page names it:
// <script src="isolation.js" data-worker="my-worker.js"></script>. It is then registered on isolated pages as well.
//
// With these headers, the page may load from other origins only what they allow it to (CORS, or Cross-Origin-Resource-Policy).

if (typeof window === 'undefined') {
    const answer = self.answer ?? (request => fetch(request));
    if (!self.answer) {
        self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
    }
    self.addEventListener('fetch', event => {
        const { request } = event;
        // What developer tools ask for; it cannot be fetched.
        if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return;
        event.respondWith(Promise.resolve(answer(request)).then(isolated));
    });

    function isolated(response) {
        // An answer of another origin that scripts must not see.
        if (response.type === 'opaque' || response.type === 'opaqueredirect' || response.type === 'error') return response;
        const headers = new Headers(response.headers);
        headers.set('Cross-Origin-Opener-Policy', 'same-origin');
        headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
        return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
    }
} else if (window.isSecureContext && 'serviceWorker' in navigator) {
    const { src, dataset } = document.currentScript;
    // Only once: where the headers do not help, the page works with one thread.
    const TRIED = 'cosette-isolation';
    let storage = null;
    try {
        storage = window.sessionStorage;
    } catch {
        // The browser refuses to store anything.
    }
    const reload = () => {
        if (window.crossOriginIsolated || !storage || storage.getItem(TRIED)) return;
        storage.setItem(TRIED, 'yes');
        location.reload();
    };
    if (window.crossOriginIsolated) storage?.removeItem(TRIED);
    if (!window.crossOriginIsolated || dataset.worker) {
        navigator.serviceWorker.addEventListener('controllerchange', reload);
        navigator.serviceWorker
            .register(dataset.worker ?? src, { updateViaCache: 'none' })
            .then(() => navigator.serviceWorker.controller && reload())
            .catch(error => console.warn(`no service worker, so without a host that isolates the page one thread is used: ${error.message}`));
    }
}
