// Talking to the bot: who we are, requests that may be repeated, live events, pictures.

/** @typedef {import("./types").Self} Self */
/** @typedef {import("./types").Update} Update */

let me = load();

export const self = () => me;

function load() {
  return parsed(sessionStorage.getItem("me"));
}

/**
 * @param {string | null} kept
 * @returns {Self | null}
 */
function parsed(kept) {
  try {
    return kept ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

/**
 * Earlier identities of this tab that the browser does not remember. Only the tab has their tokens,
 * so the user can return to them as long as it is open.
 * @returns {Self[]}
 */
export function left() {
  try {
    return JSON.parse(sessionStorage.getItem(LEFT) ?? "[]");
  } catch {
    return [];
  }
}
const LEFT = "left",
  LEFT_MAX = 8;

/** Whom this browser remembers; a new tab may go on as this person or be someone else. */
export const known = () => parsed(localStorage.getItem("me"));

/**
 * Keeps who we are: for this tab, or for the browser.
 * @param {Self} next
 * @param {boolean} inBrowser
 */
export function keepSelf(next, inBrowser) {
  me = next;
  sessionStorage.setItem("me", JSON.stringify(next));
  if (inBrowser) localStorage.setItem("me", JSON.stringify(next));
  else if (remembered()) localStorage.removeItem("me");
}

/** Whether this browser remembers just this person. */
export function remembered() {
  return me !== null && known()?.id === me.id;
}

/**
 * Signs out in this tab; the browser may still remember an identity. The user can return to an
 * identity that they left. `everywhere`: the server refuses the token.
 * @param {boolean} everywhere
 */
export function dropSelf(everywhere) {
  const kept = known();
  if (everywhere && remembered() && kept && kept.token !== me?.token) {
    // Another tab has signed out everywhere else: this one goes on with the new token.
    keepSelf(kept, true);
    return;
  }
  if (everywhere && remembered()) localStorage.removeItem("me");
  const gone = me;
  const others = left().filter(it => it.id !== gone?.id);
  if (gone && !everywhere && !remembered()) others.unshift(gone);
  sessionStorage.clear();
  if (others.length) sessionStorage.setItem(LEFT, JSON.stringify(others.slice(0, LEFT_MAX)));
  me = null;
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, it => it.toString(16).padStart(2, "0")).join("");
}

/** A refusal of the server: `error` is its code, `say` its words. */
export class Refused extends Error {
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
}

/**
 * How the server is reached: by which addresses, and with which token.
 * @typedef {{ prefix: string, token(): string, room(room: string, rest: string): string }} Way
 */
/** @type {Way} */
let way = {
  prefix: "",
  token: () => me?.token ?? "",
  room: (room, rest) => `/api/rooms/${encodeURIComponent(room)}${rest}`,
};

/**
 * Reaches it in another way from now on, for those who are no people of this chat.
 * @param {Partial<Way>} other
 */
export function goBy(other) {
  way = { ...way, ...other };
}

/** A path as it is asked for here. */
export const address = (/** @type {string} */ path) => way.prefix + path;

/**
 * @param {Record<string, string>} more
 * @returns {Record<string, string>}
 */
function headers(more = {}) {
  const token = way.token();
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const wait = ms => new Promise(done => setTimeout(done, ms));

/** @param {string} path */
export async function get(path) {
  return answer(await fetch(address(path), { headers: headers() }));
}

/** The last answer, and what it was the answer to.
 * @type {{ path: string, tag: string, text: string } | null} */
let kept = null;

/** An answer in JSON of which only what is new comes over the wire; `path` names what it is of,
 * `query` how it is asked for. `platforms/webchat/delta.rs` says how much that saves.
 * @param {string} path @param {string} query @returns {Promise<any>} */
export async function getKnown(path, query) {
  const old = kept?.path === path ? kept : null;
  const response = await fetch(address(path) + query + (old?.tag ? `&known=${old.tag}` : ""), {
    headers: headers(),
  });
  if (!response.ok) return answer(response);
  const tag = (response.headers.get("etag") ?? "").replace(/^W\/|"/g, "");
  const text = await response.text();
  const told = JSON.parse(text);
  const whole = old && told.patch ? patched(old.text, told.patch) : text;
  kept = { path, tag, text: whole };
  return told.patch ? JSON.parse(whole) : told;
}

/** The new text: pieces of the old one, [where, how long], and new text between them.
 * @param {string} old @param {import("./types").TextDelta["patch"]} patch */
const patched = (old, patch) =>
  patch.map(it => (typeof it === "string" ? it : old.slice(it[0], it[0] + it[1]))).join("");

/**
 * Gets something as soon as there is a connection; tells meanwhile that there is none.
 * @param {string} path
 * @param {(connected: boolean) => void} state
 */
export async function getSurely(path, state) {
  for (let pause = 300; ; pause = Math.min(pause * 2, 5000)) {
    try {
      return await get(path);
    } catch (e) {
      if (e instanceof Refused && e.status < 500) throw e;
      state(false);
      await wait(pause);
    }
  }
}

/**
 * @param {string} path
 * @param {import("./types").RequestBody} body
 */
export async function post(path, body) {
  const sent = {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
  };
  return answer(await fetch(address(path), sent));
}

/** Called when the server is found not to answer, and when it answers again.
 * @type {(connected: boolean) => void} */
let reach = () => {};
/** After this time without an answer, in ms, another request checks whether the server is there: the
 * answer may take long because an engine thinks. */
const SLOW = 3000;

/**
 * Tells at once when the connection is lost, also by what the browser knows of it.
 * @param {(connected: boolean) => void} state
 */
export function onReach(state) {
  reach = state;
  window.addEventListener("offline", () => reach(false));
  window.addEventListener("online", () => {
    get("/api/me").then(() => reach(true), () => {});
  });
}

/** Whether the server answers at all. */
function answers() {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), SLOW);
  return fetch(address("/api/me"), { headers: headers(), signal: late.signal })
    .then(
      () => true,
      () => false,
    )
    .finally(() => clearTimeout(timer));
}

/**
 * Posts something that carries a key, again and again until it is answered.
 * @param {string} path
 * @param {import("./types").RequestBody} body
 * @param {() => void} [onMiss] called when it has to wait for a connection
 */
export async function postSurely(path, body, onMiss) {
  let missed = false;
  for (let pause = 300, refused = 0; ; pause = Math.min(pause * 2, 5000)) {
    const miss = () => {
      if (!missed) onMiss?.();
      missed = true;
      reach(false);
    };
    const timer = setTimeout(() => answers().then(it => it || miss()), SLOW);
    try {
      const answer = await post(path, body);
      clearTimeout(timer);
      if (missed) reach(true);
      return answer;
    } catch (e) {
      clearTimeout(timer);
      if (!(e instanceof Refused)) miss();
      const answer = e instanceof Refused ? e : null;
      const mayPass =
        !answer || answer.status >= 500 || (answer.status === 429 && answer.waitMs < 3000);
      if (!mayPass || (answer && ++refused > 4)) throw e;
      await wait(Math.max(pause, answer?.waitMs ?? 0));
    }
  }
}

/**
 * Presses a button, again and again until that is answered.
 * @param {string} room
 * @param {{ press: string, message?: number | null }} what
 * @param {() => void} [onMiss] called when it has to wait for a connection
 * @returns {Promise<import("./types").Whisper[]>}
 */
export async function sendPress(room, what, onMiss) {
  const path = roomPath(room, "/press");
  return (await postSurely(path, { ...what, key: newKey() }, onMiss)).whispers;
}

/** @param {Response} response */
async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/** @param {string} room */
export const roomPath = (room, rest = "") => way.room(room, rest);

// A browser opens few connections to one host, so only so many tabs hold one; others poll.
const STREAMS = 4;
const POLL_MS = 1000;
const SILENCE_MS = 40000;

/**
 * Follows events until the page is closed. `on(update)` gets each one, `state(connected)` every
 * change of the connection.
 * @param {number} after
 * @param {(update: Update) => void} on
 * @param {(connected: boolean) => void} state
 */
export async function follow(after, on, state) {
  let last = after,
    pause = 300;
  /** @type {See} */
  const see = (id, update) => {
    if (id) last = id;
    on(update);
  };
  for (;;) {
    try {
      await withSlot(async free => {
        await read(last, !free, see, () => {
          state(true);
          pause = 300;
        });
        if (!free) await wait(POLL_MS);
      });
    } catch (e) {
      if (e instanceof Refused && e.status === 401) return on({ name: "stranger", data: {} });
      state(false);
      await wait(pause);
      pause = Math.min(pause * 2, 5000);
    }
  }
}

/** @typedef {(id: number | null, update: Update) => void} See */

/**
 * Works while one of the connections that this browser has for us is kept free for it, if one is.
 * @param {(free: boolean) => Promise<void>} work
 */
async function withSlot(work) {
  if (!navigator.locks) return work(true);
  const attempt = (/** @type {number} */ n) =>
    n >= STREAMS
      ? work(false)
      : navigator.locks.request(`stream-${n}`, { ifAvailable: true }, lock =>
          lock ? work(true) : NONE,
        );
  for (let n = 0; ; n++) {
    const result = await attempt(n);
    if (result !== NONE) return result;
  }
}
const NONE = Symbol("none");

/**
 * @param {number} after
 * @param {boolean} once
 * @param {See} see
 * @param {() => void} opened
 */
async function read(after, once, see, opened) {
  await readFrom(`/api/events?after=${after}${once ? "&once=1" : ""}`, see, opened);
  if (!once) throw new Error("the stream has ended");
}

/**
 * Reads a stream of events to its end, or until `signal` ends it: a browser opens few connections
 * to one host, and each unread stream would keep one.
 * @param {string} path
 * @param {See} see
 * @param {() => void} opened
 * @param {AbortSignal} [signal]
 */
export async function readFrom(path, see, opened, signal) {
  const stop = new AbortController();
  const end = () => stop.abort();
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  let timer = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    const response = await fetch(address(path), {
      headers: headers({ Accept: "text/event-stream" }),
      signal: stop.signal,
    });
    if (!response.ok) await answer(response);
    opened();
    if (!response.body) throw new Error("the stream has no body");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      blocks.forEach(it => parse(it, see));
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
 * @param {See} see
 */
function parse(block, see) {
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
  see(id, /** @type {Update} */ ({ name, data: JSON.parse(data.join("\n")) }));
}

// Pictures need our token, so they are fetched and shown from memory.
/** @type {Map<string, Promise<string>>} */
const pictures = new Map();
const PICTURES = 60;

/**
 * An address of this picture that an <img> can show.
 * @param {string} src
 */
export function picture(src) {
  let found = pictures.get(src);
  pictures.delete(src);
  found ??= fetchPicture(src).catch(e => {
    pictures.delete(src);
    throw e;
  });
  pictures.set(src, found);
  if (pictures.size > PICTURES) {
    const [[oldest, url]] = /** @type {[[string, Promise<string>]]} */ ([...pictures]);
    pictures.delete(oldest);
    url.then(URL.revokeObjectURL, () => {});
  }
  return found;
}

/** @param {string} src */
async function fetchPicture(src) {
  const response = await fetch(src, { headers: headers() });
  if (!response.ok) throw new Refused(response.status, {});
  return URL.createObjectURL(await response.blob());
}

/**
 * Saves a file to the person's downloads.
 * @param {import("./types").Attached} file
 */
export async function download(file) {
  const link = document.createElement("a");
  link.href = await fetchPicture(file.src);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
