// Threads on hosts that cannot set headers: a service worker adds those with which workers may share memory.
//
// Copy this file beside the page, and load it before all else: <script src="isolation.js"></script>. On the first visit it
// registers itself as the service worker of the page and loads the page once more. It does nothing where the page is isolated
// already, or where there are no service workers (pages without HTTPS); then one thread is used.
//
// With these headers, the page may load from other origins only what they allow it to (CORS, or Cross-Origin-Resource-Policy).

if (typeof window === 'undefined') {
    self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
    self.addEventListener('fetch', event => {
        const { request } = event;
        // What developer tools ask for; it cannot be fetched.
        if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return;
        event.respondWith(fetch(request).then(isolated));
    });

    function isolated(response) {
        // An answer of another origin that scripts must not see.
        if (response.type === 'opaque' || response.type === 'opaqueredirect' || response.type === 'error') return response;
        const headers = new Headers(response.headers);
        headers.set('Cross-Origin-Opener-Policy', 'same-origin');
        headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
        return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
    }
} else if (!window.crossOriginIsolated && window.isSecureContext && 'serviceWorker' in navigator) {
    // Only once: where the headers do not help, the page works with one thread.
    const TRIED = 'cosette-isolation';
    const reload = () => {
        if (sessionStorage.getItem(TRIED)) return;
        sessionStorage.setItem(TRIED, 'yes');
        location.reload();
    };
    navigator.serviceWorker.addEventListener('controllerchange', reload);
    navigator.serviceWorker
        .register(document.currentScript.src)
        .then(() => navigator.serviceWorker.controller && reload())
        .catch(error => console.warn(`only one thread will be used: ${error.message}`));
} else {
    sessionStorage.removeItem('cosette-isolation');
}
