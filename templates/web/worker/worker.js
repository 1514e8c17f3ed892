// Keeps the page for when there is no connection: itself, its files and drawings, in their
// versions. Nothing of what people say or hold is kept: no answer to /api is looked at here.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const KEPT = `page-${VERSION}`;

worker.addEventListener("install", e => e.waitUntil(keep()));
worker.addEventListener("activate", e => e.waitUntil(begin()));
worker.addEventListener("message", e => {
  if (e.data === "begin") void worker.skipWaiting();
});

async function keep() {
  const kept = await caches.open(KEPT);
  // The page itself is fetched again: a browser may still have that of the previous version.
  await kept.addAll([new Request("/", { cache: "no-cache" }), ...FILES]);
}

/** What pages of older versions needed goes when none of them is open any longer. */
async function begin() {
  const old = (await caches.keys()).filter(it => it !== KEPT);
  await Promise.all(old.map(it => caches.delete(it)));
  await worker.clients.claim();
}

worker.addEventListener("fetch", e => {
  const { request } = e;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate" && pathname === "/") e.respondWith(page(request));
  else if (/^\/(web\/[0-9a-f]+|art)\//.test(pathname)) e.respondWith(file(request));
});

/**
 * The page as it is now; without a connection as it was.
 * @param {Request} request
 */
async function page(request) {
  const kept = async () => (await caches.open(KEPT)).match("/");
  try {
    const answer = await fetch(request);
    return (answer.status < 500 ? null : await kept()) ?? answer;
  } catch (e) {
    const found = await kept();
    if (!found) throw e;
    return found;
  }
}

/**
 * What has its version or its contents in its name never changes.
 * @param {Request} request
 */
async function file(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

// A notice was pressed: to the page that is open, or to a new one.
worker.addEventListener("notificationclick", e => {
  e.notification.close();
  e.waitUntil(show(String(e.notification.data)));
});

/** @param {string} address */
async function show(address) {
  const [open] = await worker.clients.matchAll({ type: "window" });
  if (!open) return void (await worker.clients.openWindow(`/${address}`));
  open.postMessage(address);
  await open.focus();
}
