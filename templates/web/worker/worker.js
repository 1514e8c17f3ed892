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
  const texts = await loadedTexts();
  // The page itself is fetched again: a browser may still have that of the previous version.
  const page = await fetch(new Request("/", { cache: "no-cache" }));
  if (!(await page.clone().text()).includes(`/web/${VERSION}/`)) throw new Error("another version");
  await cache.put("/", page);
  await Promise.all(FILES.map(it => cacheFile(cache, it)));
  await Promise.allSettled(texts.map(it => cacheFile(cache, it)));
}

/**
 * Fetches and caches a file of this version; fails if the server answers with that of another one.
 * @param {Cache} cache
 * @param {string} path
 */
async function cacheFile(cache, path) {
  const answer = await fetch(path);
  if (!isLasting(answer)) throw new Error(`no ${path} of this version`);
  await cache.put(path, answer);
}

/** Whether an answer may be kept: one of another version is valid for this request only.
 * @param {Response} answer */
const isLasting = answer =>
  answer.ok && !answer.headers.get("cache-control")?.includes("no-store");

/** The paths of the translations that this browser has loaded in any version. */
async function loadedTexts() {
  const kept = await Promise.all((await caches.keys()).map(it => caches.open(it)));
  const requests = (await Promise.all(kept.map(it => it.keys()))).flat();
  const names = requests.map(it => /\/(words-[^/]+\.js)$/.exec(it.url)?.[1] ?? "");
  return [...new Set(names)].filter(Boolean).map(it => `/web/${VERSION}/${it}`);
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

/** How long the page may take: a connection may be dead without an error. */
const PAGE_MS = 4000;

/**
 * Fetches the page; falls back to the cached one without a connection.
 * @param {Request} request
 */
async function respondPage(request) {
  const cached = async () => (await caches.open(CACHE)).match("/"),
    answer = fetch(request),
    good = answer.then(it => (it.status < 500 ? it : cached())),
    late = new Promise(done => setTimeout(done, PAGE_MS)).then(cached);
  return (await Promise.race([good, late]).catch(cached)) ?? answer;
}

/**
 * Returns a file from the cache, or fetches and caches it: a versioned path always means one file.
 * @param {Request} request
 */
async function respondFile(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (isLasting(answer)) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

// A press on a notification focuses the open page, or opens one.
worker.addEventListener("notificationclick", e => {
  e.notification.close();
  const { data } = e.notification;
  // The previous version has stored only the address.
  const isAddress = typeof data === "string";
  e.waitUntil(openRoom(isAddress ? { address: data, person: "", isRemembered: true } : data));
});

/** How long pages may take to say whose they are. */
const ANSWER_MS = 1000;

/**
 * Shows a table in an open page of the notified person, or in a new page. Skips pages of other
 * people, because opening the room there would make them members of it. A notification of the
 * previous version names no person: then any open page is used.
 * @param {{ address: string, person: string, isRemembered: boolean }} data
 */
async function openRoom({ address, person, isRemembered }) {
  const open = await worker.clients.matchAll({ type: "window" });
  /** @type {Promise<null>} */
  const late = new Promise(done => setTimeout(() => done(null), ANSWER_MS));
  const found = await Promise.race([late, ...open.map(it => whenPageOf(it, person))]);
  // A new page continues as the person whom the browser remembers.
  if (!found) return void (await worker.clients.openWindow(isRemembered ? `/${address}` : "/"));
  found.postMessage({ address });
  await found.focus();
}

/**
 * Resolves to a page once it says that it is one of this person.
 * @param {WindowClient} page
 * @param {string} person
 * @returns {Promise<WindowClient>}
 */
const whenPageOf = (page, person) =>
  new Promise(done => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(page);
    page.postMessage({ person }, [port2]);
  });
