// The service worker: caches the page, its files and drawings for offline use. Never caches
// responses of /api.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE = `page-${VERSION}`;

worker.addEventListener("install", e => e.waitUntil(precache()));
worker.addEventListener("activate", e => e.waitUntil(activate()));
worker.addEventListener("message", e => {
  if (e.data === "begin") void worker.skipWaiting();
});

async function precache() {
  const cache = await caches.open(CACHE);
  // The page itself is fetched again: a browser may still have that of the previous version.
  await cache.addAll([new Request("/", { cache: "no-cache" }), ...FILES]);
}

/** Deletes the caches of older versions. */
async function activate() {
  const old = (await caches.keys()).filter(it => it !== CACHE);
  await Promise.all(old.map(it => caches.delete(it)));
  await worker.clients.claim();
}

worker.addEventListener("fetch", e => {
  const { request } = e;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate" && pathname === "/") e.respondWith(respondPage(request));
  else if (/^\/(web\/[0-9a-f]+|art)\//.test(pathname)) e.respondWith(respondFile(request));
});

/**
 * Fetches the page; falls back to the cached one without a connection.
 * @param {Request} request
 */
async function respondPage(request) {
  const cached = async () => (await caches.open(CACHE)).match("/");
  try {
    const answer = await fetch(request);
    return (answer.status < 500 ? null : await cached()) ?? answer;
  } catch (e) {
    const found = await cached();
    if (!found) throw e;
    return found;
  }
}

/**
 * Returns a file from the cache, or fetches and caches it: versioned paths never change.
 * @param {Request} request
 */
async function respondFile(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

// A press on a notification focuses the open page, or opens one.
worker.addEventListener("notificationclick", e => {
  e.notification.close();
  e.waitUntil(openRoom(String(e.notification.data)));
});

/** @param {string} address */
async function openRoom(address) {
  const [open] = await worker.clients.matchAll({ type: "window" });
  if (!open) return void (await worker.clients.openWindow(`/${address}`));
  open.postMessage(address);
  await open.focus();
}
