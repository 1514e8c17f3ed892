// Identities that the page keeps besides the current one, and what it does when the server refuses
// a token. Nobody can make another token for a person, so the last copy is never erased. Loaded on
// first use.

import {
  currentIdentity,
  delay,
  isIdentityRemembered,
  local,
  newRequestKey,
  postWithRetry,
  RefusalError,
  rememberedIdentity,
  session,
  setIdentity,
  timeLimit,
  urlOf,
} from "./api.js";
import { loadTranslations } from "./lazy-translations.js";
import { createElement } from "./messages.js";
import { t } from "./words.js";

/** @typedef {import("./types").Identity} Identity */
/** @typedef {typeof import("./api.js").local} KeptStorage */

/** Earlier identities: of this tab in its storage, of the browser in that of the browser. */
const PREVIOUS_KEY = "left",
  PREVIOUS_MAX = 8;
/** How long a refused identity is offered: the server may know it again after a repair, but a deleted
 * person must not stay on the device. */
const REFUSED_MS = 7 * 86400000;
/** The pause before a refused token is tried again, and the longest one. */
const PAUSE_MS = 1500,
  PAUSE_MAX_MS = 10000;
/** How long an answer may take. */
const ANSWER_MS = 10000;
/** What `statusOf` returns for a banned address. */
const BANNED = -1;
/** How many times a new token is asked for. */
const RENEWALS_MAX = 3;

/**
 * Identities to which the user can return: those that the browser does not remember, and those that
 * the server has refused.
 * @returns {Identity[]}
 */
export function previousIdentities() {
  const all = [...load(session), ...load(local)];
  return all.filter((it, n) => all.findIndex(other => other.id === it.id) === n);
}

/**
 * @param {KeptStorage} storage
 * @returns {Identity[]}
 */
function load(storage) {
  try {
    /** @type {Identity[]} */
    const all = JSON.parse(storage.getItem(PREVIOUS_KEY) ?? "[]"),
      isValid = (/** @type {Identity} */ it) => !it.refusedAt || it.refusedAt + REFUSED_MS > Date.now();
    if (!all.every(isValid)) storage.setItem(PREVIOUS_KEY, JSON.stringify(all.filter(isValid)));
    return all.filter(isValid);
  } catch {
    return [];
  }
}

/**
 * @param {KeptStorage} storage
 * @param {Identity} identity
 */
function keep(storage, identity) {
  const others = load(storage).filter(it => it.id !== identity.id);
  const kept = [identity, ...others].slice(0, PREVIOUS_MAX);
  storage.setItem(PREVIOUS_KEY, JSON.stringify(kept));
}

/** Whether the browser remembered an identity before the server refused it. */
export const wasRemembered = (/** @type {string} */ id) =>
  load(local).some(it => it.id === id);

/**
 * Stores the current identity with another token, also where it is kept to be offered again.
 * @param {Identity} next
 */
function storeToken(next) {
  setIdentity(next, isIdentityRemembered());
  for (const storage of [session, local]) {
    const kept = load(storage).map(it => (it.id === next.id ? next : it));
    if (kept.includes(next)) storage.setItem(PREVIOUS_KEY, JSON.stringify(kept));
  }
}

/**
 * Forgets the earlier copy of an identity that the browser must not remember.
 * @param {string} id
 */
export function forgetInBrowser(id) {
  const others = load(local).filter(it => it.id !== id);
  local.setItem(PREVIOUS_KEY, JSON.stringify(others));
}

/**
 * Makes the browser remember an identity; another one that it remembered is offered from then on.
 * @param {Identity} next
 */
export function rememberInBrowser(next) {
  const old = rememberedIdentity();
  if (old && old.id !== next.id) keep(local, old);
  setIdentity(next, true);
}

/** Signs out in this tab; the user can return to the identity. */
export function signOut() {
  const old = currentIdentity();
  if (old && !isIdentityRemembered()) keep(session, old);
  clearTab();
}

/** Clears the storage of this tab except for its earlier identities. */
function clearTab() {
  const kept = session.getItem(PREVIOUS_KEY);
  session.clear();
  if (kept) session.setItem(PREVIOUS_KEY, kept);
  setIdentity(null, false);
}

/** @type {Promise<boolean> | null} */
let pendingCheck = null;

/**
 * Handles a refused request for the identity: it is tried again after a moment, as another process
 * of the server may not know the token yet, and so are the tokens that replace it. If the server
 * clearly refuses all, the identity is put aside. Returns whether a token is valid. Does not return
 * if the address is banned.
 */
export function onTokenRefused() {
  pendingCheck ??= findValidToken()
    .then(isValid => {
      if (!isValid) putAside();
      return isValid;
    })
    .finally(() => (pendingCheck = null));
  return pendingCheck;
}

async function findValidToken() {
  for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    await delay(pause);
    const statuses = [];
    for (const token of knownTokens()) {
      const status = await statusOf(token);
      const me = currentIdentity();
      if (status === 200 && me) {
        const spare = me.spare?.filter(it => it !== token);
        storeToken({ ...me, token, spare });
        return true;
      }
      statuses.push(status);
    }
    if (statuses.includes(BANNED)) await showBan();
    if (statuses.every(it => it === 401)) return false;
  }
}

/** Tells a person at a banned address why nothing works, until they reload the page.
 * @returns {Promise<never>} */
async function showBan() {
  await loadTranslations("rooms").catch(() => {});
  const dialog = createElement("dialog", "", createElement("p", "", t("banned")));
  dialog.addEventListener("cancel", e => e.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(() => {});
}

/** The tokens that this person may have: another tab may have renewed the token, or a request to
 * renew it may have got no answer. */
function knownTokens() {
  const me = currentIdentity(),
    all = [me, rememberedIdentity(), ...load(local)];
  return new Set(
    all.flatMap(it => (it && it.id === me?.id ? [it.token, ...(it.spare ?? [])] : [])),
  );
}

/**
 * The status of the answer to a token; 0 without an answer, `BANNED` if the address is banned.
 * @param {string} token
 */
async function statusOf(token) {
  const headers = { Authorization: `Bearer ${token}` },
    request = { headers, signal: timeLimit(ANSWER_MS) };
  try {
    const response = await fetch(urlOf("/api/me"), request);
    // A proxy may refuse in the same way for a moment.
    const isBanned = response.status === 403 && (await response.json()).error === "banned";
    return isBanned ? BANNED : response.status;
  } catch {
    return 0;
  }
}

/** Signs out in this tab and in the browser; keeps the refused identity among the earlier ones. */
function putAside() {
  const me = currentIdentity();
  if (!me) return;
  const isRemembered = isIdentityRemembered(),
    spare = [...knownTokens()].filter(it => it !== me.token);
  keep(isRemembered ? local : session, { ...me, spare, refusedAt: Date.now() });
  if (isRemembered) local.removeItem("me");
  clearTab();
}

/** A token for the server. */
export const newToken = () =>
  Array.from({ length: 3 }, newRequestKey).join("").slice(0, 64);

/**
 * Gives the current person a new token, so that all other devices are signed out. The token is
 * chosen and stored here before the server hears of it: whichever answer is lost, one of the stored
 * tokens is valid.
 */
export async function renewToken() {
  const me = () => /** @type {Identity} */ (currentIdentity());
  const next = newToken();
  storeToken({ ...me(), spare: [...(me().spare ?? []), next] });
  for (let n = 1; me().token !== next; n++) {
    try {
      const { token } = await postWithRetry("/api/me/token", { token: next });
      // Another token may have been asked for meanwhile.
      const spare = me().spare?.filter(it => it !== token);
      return storeToken({ ...me(), token, spare });
    } catch (e) {
      const isRefused = e instanceof RefusalError && e.status === 401;
      if (!isRefused || n === RENEWALS_MAX || !(await onTokenRefused())) throw e;
    }
  }
}
