// Talking to the bot: who we are, requests that may be repeated, live events, pictures.

let me = load();

export const self = () => me;

function load() {
  return parsed(sessionStorage.getItem("me"));
}

function parsed(kept) {
  try {
    return kept ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

/** Whom this browser remembers; a new tab may go on as this person or be somebody else. */
export const known = () => parsed(localStorage.getItem("me"));

/** Keeps who we are: for this tab, or for the browser. */
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

/** Becomes nobody in this tab; the browser may still remember somebody. */
export function dropSelf(everywhere) {
  const kept = known();
  if (everywhere && remembered() && kept.token !== me.token) {
    // Another tab has signed out everywhere else: this one goes on with the new token.
    keepSelf(kept, true);
    return;
  }
  if (everywhere && remembered()) localStorage.removeItem("me");
  sessionStorage.clear();
  me = null;
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, it => it.toString(16).padStart(2, "0")).join("");
}

/** A refusal of the server: `error` is its code, `say` its words. */
export class Refused extends Error {
  constructor(status, body) {
    super(body.say ?? `HTTP ${status}`);
    this.status = status;
    this.error = body.error ?? "";
    this.waitMs = body.wait_ms ?? 0;
  }
}

/** How the server is reached: by which addresses, and with which token. */
let way = {
  prefix: "",
  token: () => me?.token ?? "",
  room: (room, rest) => `/api/rooms/${encodeURIComponent(room)}${rest}`,
};

/** Reaches it in another way from now on, for those who are no people of this chat. */
export function goBy(other) {
  way = { ...way, ...other };
}

/** A path as it is asked for here. */
export const address = path => way.prefix + path;

function headers(more = {}) {
  const token = way.token();
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

export const wait = ms => new Promise(done => setTimeout(done, ms));

export async function get(path) {
  return answer(await fetch(address(path), { headers: headers() }));
}

/** The last answer, and what it was the answer to.
 * @type {{ path: string, tag: string, text: string } | null} */
let kept = null;

/** An answer in JSON of which only what is new comes over the wire; `path` names what it is of,
 * `query` how it is asked for.
 * @param {string} path @param {string} query @returns {Promise<any>} */
export async function getKnown(path, query) {
  const old = kept?.path === path ? kept : null;
  const response = await fetch(path + query + (old ? `&known=${old.tag}` : ""), {
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

/** The new text: pieces of the old one, [where, how long], and what stands between them.
 * @param {string} old @param {(string | [number, number])[]} patch */
const patched = (old, patch) =>
  patch.map(it => (typeof it === "string" ? it : old.slice(it[0], it[0] + it[1]))).join("");

export async function post(path, body) {
  const sent = {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
  };
  return answer(await fetch(address(path), sent));
}

/** Posts something that carries a key, again and again until it is answered. */
export async function postSurely(path, body) {
  for (let pause = 300, refused = 0; ; pause = Math.min(pause * 2, 5000)) {
    try {
      return await post(path, body);
    } catch (e) {
      const answered = e instanceof Refused;
      const mayPass = !answered || e.status >= 500 || (e.status === 429 && e.waitMs < 3000);
      if (!mayPass || (answered && ++refused > 4)) throw e;
      await wait(Math.max(pause, e.waitMs ?? 0));
    }
  }
}

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

export const roomPath = (room, rest = "") => way.room(room, rest);

// A browser opens few connections to one host, so only so many tabs hold one; others poll.
const STREAMS = 4;
const POLL_MS = 1000;
const SILENCE_MS = 40000;

/** Follows events for ever. `on(name, data)` gets each; `state(connected)` tells of trouble. */
export async function follow(after, on, state) {
  let last = after,
    pause = 300;
  const see = (id, name, data) => {
    if (id) last = id;
    on(name, data);
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
      if (e instanceof Refused && e.status === 401) return on("stranger", {});
      state(false);
      await wait(pause);
      pause = Math.min(pause * 2, 5000);
    }
  }
}

async function withSlot(work) {
  if (!navigator.locks) return work(true);
  const attempt = n =>
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

async function read(after, once, see, opened) {
  await readFrom(`/api/events?after=${after}${once ? "&once=1" : ""}`, see, opened);
  if (!once) throw new Error("the stream has ended");
}

/** Reads a stream of events to its end: `see(id, name, data)` gets each. */
export async function readFrom(path, see, opened) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    const response = await fetch(address(path), {
      headers: headers({ Accept: "text/event-stream" }),
      signal: stop.signal,
    });
    if (!response.ok) await answer(response);
    opened();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      blocks.forEach(it => parse(it, see));
    }
  } finally {
    clearTimeout(timer);
  }
}

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
  if (data.length) see(id, name, JSON.parse(data.join("\n")));
}

// Pictures need our token, so they are fetched and shown from memory.
const pictures = new Map();
const PICTURES = 60;

/** An address of this picture that an <img> can show. */
export function picture(src) {
  let found = pictures.get(src);
  pictures.delete(src);
  found ??= fetchPicture(src).catch(e => {
    pictures.delete(src);
    throw e;
  });
  pictures.set(src, found);
  if (pictures.size > PICTURES) {
    const [oldest, url] = pictures.entries().next().value;
    pictures.delete(oldest);
    url.then(URL.revokeObjectURL, () => {});
  }
  return found;
}

async function fetchPicture(src) {
  const response = await fetch(src, { headers: headers() });
  if (!response.ok) throw new Refused(response.status, {});
  return URL.createObjectURL(await response.blob());
}

/** Saves a file to the person's downloads. */
export async function download(file) {
  const link = document.createElement("a");
  link.href = await fetchPicture(file.src);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
