// The client of the server's API: identity and what else is stored, requests with retries, live
// events, images.

/** @typedef {import("./types").Identity} Identity */
/** @typedef {import("./types").ServerEvent} ServerEvent */

/**
 * Opens a storage of the browser. What it refuses is kept in memory: all in a browser that blocks
 * the storage, or what exceeds its size.
 * @param {"localStorage" | "sessionStorage"} kind
 */
function openStorage(kind) {
  /** @type {Map<string, string>} */
  const memory = new Map();
  /** @template T @param {(storage: Storage) => T} use @returns {T | undefined} */
  const attempt = use => {
    try {
      return use(window[kind]);
    } catch {
      return undefined;
    }
  };
  return {
    isKept: attempt(it => it.length) !== undefined,
    getItem: (/** @type {string} */ key) =>
      memory.get(key) ?? attempt(it => it.getItem(key)) ?? null,
    setItem(/** @type {string} */ key, /** @type {string} */ value) {
      memory.set(key, value);
      if (attempt(it => (it.setItem(key, value), true))) memory.delete(key);
    },
    removeItem(/** @type {string} */ key) {
      memory.delete(key);
      attempt(it => it.removeItem(key));
    },
    clear() {
      memory.clear();
      attempt(it => it.clear());
    },
  };
}
/** The storage of the browser, and that of this tab. */
export const local = openStorage("localStorage"),
  session = openStorage("sessionStorage");

/** @type {Identity | null} */
let identity = parseStored(session.getItem("me"));

export const currentIdentity = () => identity;

/**
 * Parses what a storage holds; null if there is nothing, or nothing readable.
 * @param {string | null} json
 */
export function parseStored(json) {
  try {
    return json ? JSON.parse(json) : null;
  } catch {
    return null;
  }
}

/** The identity that this browser remembers; a new tab offers to continue with it.
 * @returns {Identity | null} */
export const rememberedIdentity = () => parseStored(local.getItem("me"));

/**
 * Stores the identity for this tab, and for the browser if `isRemembered`.
 * @param {Identity | null} next
 * @param {boolean} isRemembered
 */
export function setIdentity(next, isRemembered) {
  identity = next;
  session.setItem("me", JSON.stringify(next));
  if (isRemembered) local.setItem("me", JSON.stringify(next));
  else if (isIdentityRemembered()) local.removeItem("me");
}

/** The current identity as it is stored: another tab may have stored another token. */
export const latestIdentity = () => (isIdentityRemembered() ? rememberedIdentity() : identity);

/** Stores the name that the server has for the current identity; another tab may have changed it.
 * @param {string} name */
export function updateName(name) {
  const me = latestIdentity();
  if (me && identity?.name !== name) setIdentity({ ...me, name }, isIdentityRemembered());
}

/** Whether this browser remembers the current identity. */
export function isIdentityRemembered() {
  return identity !== null && rememberedIdentity()?.id === identity.id;
}

export function newRequestKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, it => it.toString(16).padStart(2, "0")).join("");
}

/** An error response of the server: `error` is its code, `say` its text. */
export class RefusalError extends Error {
  /**
   * @param {number} status
   * @param {Partial<import("./types").RefusalAnswer>} body
   */
  constructor(status, body) {
    super(body.say ?? `HTTP ${status}`);
    this.status = status;
    this.error = body.error ?? "";
    this.waitMs = body.wait_ms ?? 0;
  }

  /** Whether the same request may succeed later. */
  get isTransient() {
    return this.status >= 500 || this.status === 429;
  }
}

/**
 * How requests are sent: the prefix of paths, the token, and the paths of a room.
 * @typedef {{ prefix: string, token(): string, room(room: string, rest: string): string }}
 *   Transport
 */
/** @type {Transport} */
let transport = {
  prefix: "",
  token: () => identity?.token ?? "",
  room: (room, rest) => `/api/rooms/${encodeURIComponent(room)}${rest}`,
};

/**
 * Replaces parts of the transport, for users signed in from another platform.
 * @param {Partial<Transport>} changes
 */
export function setTransport(changes) {
  transport = { ...transport, ...changes };
}

/** The URL of a path with the prefix of the transport. */
export const urlOf = (/** @type {string} */ path) => transport.prefix + path;

/**
 * @param {Record<string, string>} extra
 * @returns {Record<string, string>}
 */
export function authHeaders(extra = {}) {
  const token = transport.token();
  return token ? { Authorization: `Bearer ${token}`, ...extra } : extra;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const delay = ms => new Promise(done => setTimeout(done, ms));

/**
 * A signal that aborts a request after some ms, also while its answer arrives.
 * @param {number} ms
 */
export function timeLimit(ms, limit = new AbortController()) {
  setTimeout(() => limit.abort(), ms);
  return limit.signal;
}

/** @param {string} path */
export async function get(path, ms = READ_MS) {
  const request = { headers: authHeaders(), signal: timeLimit(ms) };
  return parseResponse(await fetch(urlOf(path), request));
}
/** The longest time of a request: a connection may be dead without an error. Engines compute for
 * some reads; an action is repeated with the same key. */
const READ_MS = 30000,
  ANSWER_MS = 10000;
/** The time limit of the next attempt: on a slow connection a response needs longer. */
const slower = (/** @type {number} */ ms) => Math.min(ms * 2, 160000);

/** The last response of `getDelta` and its path.
 * @type {{ path: string, tag: string, text: string } | null} */
let lastResponse = null;

/** Gets JSON; the server sends only the difference to the last response for this path, see
 * `platforms/webchat/delta.rs`. Each failed attempt doubles the time limit of the next one.
 * @param {string} path @param {string} query @param {number} failures @returns {Promise<any>} */
export async function getDelta(path, query, failures) {
  const known = lastResponse?.path === path ? lastResponse : null;
  const response = await fetch(urlOf(path) + query + (known?.tag ? `&known=${known.tag}` : ""), {
    headers: authHeaders(),
    signal: timeLimit(ANSWER_MS * 2 ** failures),
  });
  if (!response.ok) return parseResponse(response);
  const tag = (response.headers.get("etag") ?? "").replace(/^W\/|"/g, "");
  const text = await response.text();
  const received = JSON.parse(text);
  const full = known && received.patch ? applyPatch(known.text, received.patch) : text;
  lastResponse = { path, tag, text: full };
  return received.patch ? JSON.parse(full) : received;
}

/** Applies a patch: its pieces are new text, or [start, length] of the old text.
 * @param {string} old @param {import("./types").TextDelta["patch"]} patch */
const applyPatch = (old, patch) =>
  patch.map(it => (typeof it === "string" ? it : old.slice(it[0], it[0] + it[1]))).join("");

/**
 * Gets a path; retries without limit while the server is unreachable.
 * @param {string} path
 * @param {(connected: boolean) => void} onConnection
 */
export async function getWithRetry(path, onConnection) {
  for (let pause = 300, ms = ANSWER_MS; ; pause = Math.min(pause * 2, 5000), ms = slower(ms)) {
    try {
      return await get(path, ms);
    } catch (e) {
      if (e instanceof RefusalError && e.status < 500) throw e;
      onConnection(false);
      await delay(pause);
    }
  }
}

/**
 * @param {string} path
 * @param {import("./types").RequestBody} body
 * @param {AbortSignal} [signal]
 */
export async function post(path, body, signal) {
  const request = {
    signal,
    method: "POST",
    headers: authHeaders({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
  };
  return parseResponse(await fetch(urlOf(path), request));
}

/** Called when the server becomes unreachable or reachable.
 * @type {(connected: boolean) => void} */
let onReachable = () => {};
/** After this time without a response another request checks whether the server is reachable: a
 * response may be slow because an engine computes. */
const SLOW_MS = 3000;

/**
 * Registers the callback for changes of the connection, including those the browser reports and
 * those that a device notices when it wakes up.
 * @param {(connected: boolean) => void} callback
 */
export function onConnectionChange(callback) {
  onReachable = callback;
  window.addEventListener("offline", () => onReachable(false));
  window.addEventListener("online", checkConnection);
  document.addEventListener("visibilitychange", () => document.hidden || checkConnection());
}

let isChecking = false;

/** Reports whether the server is reachable; until it is, asks again. */
async function checkConnection() {
  if (isChecking) return;
  isChecking = true;
  while (!(await isServerReachable())) {
    onReachable(false);
    await delay(POLL_MS);
  }
  isChecking = false;
  onReachable(true);
}

/** The attempts to send something that have had no response for some time. They end when the
 * connection returns: theirs may be dead.
 * @type {Set<AbortController>} */
const slowAttempts = new Set();

/** Whether the server responds in time. */
function isServerReachable() {
  return get("/api/me", SLOW_MS).then(
    () => true,
    e => e instanceof RefusalError,
  );
}

/** The user no longer wants a request that has no response yet. */
export class WithdrawnError extends Error {}

/** Called once when a request is delayed, with a function that withdraws it.
 * @typedef {(withdraw: () => void) => void} OnDelay */

/**
 * Posts an idempotent request; retries until there is a response.
 * @param {string} path
 * @param {import("./types").RequestBody} body
 * @param {OnDelay} [onDelay]
 */
export async function postWithRetry(path, body, onDelay) {
  let isDelayed = false;
  let isDone = false;
  let refused = 0;
  let withdraw = () => {};
  let limit = new AbortController();
  /** @type {Promise<never>} */
  const withdrawn = new Promise((_, fail) => (withdraw = () => fail(new WithdrawnError())));
  withdrawn.catch(() => {
    isDone = true;
    limit.abort();
    void checkConnection();
  });
  const reportDelay = (isReachable = false) => {
    if (isDone) return;
    if (!isDelayed) onDelay?.(withdraw);
    isDelayed = true;
    if (!isReachable) onReachable(false);
  };
  const end = () => {
    isDone = true;
    if (isDelayed) onReachable(true);
  };
  for (let pause = 300, ms = ANSWER_MS; ; pause = Math.min(pause * 2, 5000)) {
    const attempt = (limit = new AbortController());
    const timer = setTimeout(() => {
      slowAttempts.add(attempt);
      isServerReachable().then(it => it || reportDelay());
    }, SLOW_MS);
    try {
      const result = await Promise.race([post(path, body, timeLimit(ms, attempt)), withdrawn]);
      end();
      return result;
    } catch (e) {
      if (isDone) throw e;
      if (attempt.signal.aborted) ms = slower(ms);
      let waitMs = 0;
      if (e instanceof RefusalError) {
        ({ waitMs } = e);
        if (!e.isTransient || (e.status === 429 && waitMs >= 3000) || ++refused > 4) {
          end();
          throw e;
        }
      } else reportDelay(attempt.signal.aborted);
      await Promise.race([delay(Math.max(pause, waitMs)), withdrawn]);
    } finally {
      clearTimeout(timer);
      slowAttempts.delete(attempt);
    }
  }
}

/** The presses and messages of this tab that have no response yet.
 * @returns {import("./types").UnsentRequest[]} */
export const unsentRequests = () => JSON.parse(session.getItem("unsent") ?? "[]");

/**
 * Keeps a press or a message over a reload, until the returned function is called. One that is
 * already kept keeps its place and its time.
 * @param {import("./types").RoomRequest} request
 */
export function keepUnsent(request) {
  const person = identity?.id;
  const all = unsentRequests();
  // Users of other platforms sign in again after a reload.
  const store = (/** @type {import("./types").UnsentRequest[]} */ kept) =>
    person && session.setItem("unsent", JSON.stringify(kept));
  const isOther = (/** @type {import("./types").UnsentRequest} */ it) =>
    it.body.key !== request.body.key;
  if (person && all.every(isOther)) store([...all, { ...request, person, at: Date.now() }]);
  return () => store(unsentRequests().filter(isOther));
}

/**
 * Posts a press or a message; retries until there is a response, also after a reload.
 * @param {import("./types").RoomRequest} request
 * @param {OnDelay} [onDelay]
 */
export async function postToRoom(request, onDelay) {
  const forget = keepUnsent(request);
  try {
    return await postWithRetry(roomPath(request.room, request.rest), request.body, onDelay);
  } finally {
    forget();
  }
}

/**
 * Sends the press of a button; retries until there is a response.
 * @param {string} room
 * @param {{ press: string, message?: number | null }} press
 * @param {OnDelay} [onDelay]
 * @param {string} [label] the text of the button
 * @returns {Promise<import("./types").PrivateReply[]>}
 */
export async function sendPress(room, press, onDelay, label) {
  const body = { ...press, key: newRequestKey() };
  return (await postToRoom({ room, rest: "/press", body, label }, onDelay)).whispers;
}

/** @param {Response} response */
async function parseResponse(response) {
  const body = await response.json().catch(e => (response.ok ? Promise.reject(e) : {}));
  // A proxy answers so while it reaches no server.
  if ([502, 503, 504].includes(response.status) && !body.error) throw new Error("no server");
  if (!response.ok) throw new RefusalError(response.status, body);
  return body;
}

/** @param {string} room */
export const roomPath = (room, rest = "") => transport.room(room, rest);

// Browsers limit the connections to one host, so only this many tabs stream; others poll.
const STREAMS_MAX = 4;
const POLL_MS = 1000;
/** The longest silence of a stream: the server writes something every 15 seconds. */
const SILENCE_MS = 20000;

/**
 * Receives live events until the page is closed. `onConnection` is called on every change of the
 * connection.
 * @param {number} after
 * @param {(update: ServerEvent) => void} onEvent
 * @param {(connected: boolean) => void} onConnection
 */
export async function followEvents(after, onEvent, onConnection) {
  let last = after,
    pause = 300,
    isLost = false,
    isStale = true;
  /** @type {OnEvent} */
  const receive = (id, update) => {
    if (id) last = id;
    // Another stream at once would end that of another tab, which would do the same: this tab
    // polls for five minutes.
    if (update.name === "crowded") {
      firstSlot = STREAMS_MAX;
      setTimeout(() => (firstSlot = 0), 15 * SILENCE_MS);
    }
    const isReady = update.name === "ready";
    // A poll without news changes nothing.
    if (!isReady || isStale) onEvent(update);
    isStale = !isReady;
  };
  for (;;) {
    try {
      await withStreamSlot(async hasSlot => {
        await readEvents(last, !hasSlot, receive, () => {
          if (isLost) slowAttempts.forEach(it => it.abort());
          isLost = false;
          onConnection(true);
          pause = 300;
        });
        if (!hasSlot) await delay(POLL_MS);
      });
    } catch (e) {
      // The token is unknown, or the address is banned. A proxy gives no code.
      if (e instanceof RefusalError && e.error && !e.isTransient)
        return onEvent({ name: "stranger", data: {} });
      onConnection(false);
      isLost = isStale = true;
      await delay(pause);
      pause = Math.min(pause * 2, 5000);
    }
  }
}

/** @typedef {(id: number | null, update: ServerEvent) => void} OnEvent */

/**
 * Runs `work` while it holds one of the browser's stream slots, if one is free.
 * @param {(free: boolean) => Promise<void>} work
 */
async function withStreamSlot(work) {
  if (!navigator.locks) return work(!firstSlot && !document.hidden);
  const attempt = (/** @type {number} */ n) =>
    n >= STREAMS_MAX
      ? work(false)
      : navigator.locks.request(`stream-${n}`, { ifAvailable: true }, lock =>
          lock ? work(true) : SLOT_TAKEN,
        ).catch(e => (e.name === "SecurityError" ? work(true) : Promise.reject(e)));
  for (let n = firstSlot; ; n++) {
    const result = await attempt(n);
    if (result !== SLOT_TAKEN) return result;
  }
}
const SLOT_TAKEN = Symbol();
/** The first slot that this tab tries: after the server has ended its stream it only polls. */
let firstSlot = 0;

/**
 * @param {number} after
 * @param {boolean} once
 * @param {OnEvent} onEvent
 * @param {() => void} onOpen
 */
async function readEvents(after, once, onEvent, onOpen) {
  await readEventStream(`/api/events?after=${after}${once ? "&once=1" : ""}`, onEvent, onOpen);
  if (!once && !firstSlot) throw new Error("ended");
}

/**
 * Reads an event stream to its end, or until `signal` aborts it: a stream that nobody reads would
 * occupy one of the browser's few connections.
 * @param {string} path
 * @param {OnEvent} onEvent
 * @param {() => void} onOpen
 * @param {AbortSignal} [signal]
 */
export async function readEventStream(path, onEvent, onOpen, signal) {
  const stop = new AbortController();
  const end = () => stop.abort();
  // Without locks hidden tabs poll.
  if (!navigator.locks) document.onvisibilitychange = () => document.hidden && end();
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  let timer = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    const response = await fetch(urlOf(path), {
      headers: authHeaders({ Accept: "text/event-stream" }),
      signal: stop.signal,
    });
    if (!response.ok) await parseResponse(response);
    onOpen();
    if (!response.body) throw new Error("no body");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      blocks.forEach(it => parseEvent(it, onEvent));
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    // Closes the connection after an exception, too.
    stop.abort();
  }
}

/**
 * @param {string} block
 * @param {OnEvent} onEvent
 */
function parseEvent(block, onEvent) {
  let id = null,
    name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    const value = line.slice(at + 1).replace(/^ /, "");
    if (line.startsWith("id:")) id = Number(value);
    else if (line.startsWith("event:")) name = value;
    else if (line.startsWith("data:")) data.push(value);
  }
  if (!data.length) return;
  onEvent(id, /** @type {ServerEvent} */ ({ name, data: JSON.parse(data.join("\n")) }));
}
