// Inside Discord: the few messages of its protocol that an Activity needs, over postMessage
// (discord.com/developers/docs/activities, "How Activities Work"). Nothing of another host is
// loaded for it.

const HANDSHAKE = 0,
  FRAME = 1,
  CLOSE = 2;
const HOSTS = /^https:\/\/((ptb|canary)\.)?discord(app)?\.com$/;
/** Discord answers so soon, or not at all; people are asked for their consent in between. */
const RESPONSE_TIMEOUT_MS = 120_000;

const query = new URLSearchParams(location.search);
const frameId = query.get("frame_id");

/** Whether Discord opened this. */
export const isActivity = frameId !== null;

/** Which window of several people this is. */
export const instanceId = query.get("instance_id");

/** Requests go through Discord's proxy there. */
export const prefix = location.hostname.endsWith(".discordsays.com") ? "/.proxy" : "";

/** The number of the application is the name of the host by which it is shown. */
const clientId = query.get("client_id") ?? location.hostname.split(".")[0];

const peer = window.parent.opener ?? window.parent;
/** Where Discord is: known once it has spoken. */
let origin = HOSTS.test(referrer()) ? referrer() : "*";

/** @type {Map<string, { done: (data: any) => void, failed: (e: Error) => void }>} */
const pendingRequests = new Map();

function referrer() {
  try {
    return new URL(document.referrer).origin;
  } catch {
    return "";
  }
}

/**
 * @param {number} kind
 * @param {object} body
 */
function send(kind, body) {
  peer.postMessage([kind, body], origin);
}

/**
 * Asks for something and waits for the answer.
 * @param {string} cmd
 * @param {object} args
 */
function request(cmd, args) {
  const nonce = crypto.randomUUID();
  return waitFor(nonce, () => send(FRAME, { cmd, args, nonce }));
}

/**
 * @param {string} name
 * @param {() => void} begin
 * @returns {Promise<any>}
 */
function waitFor(name, begin) {
  return new Promise((done, failed) => {
    pendingRequests.set(name, { done, failed });
    setTimeout(() => failed(new Error("Discord does not answer")), RESPONSE_TIMEOUT_MS);
    begin();
  });
}

/** @param {MessageEvent} e */
function onMessage(e) {
  const isTrusted = HOSTS.test(e.origin) || e.origin === location.origin;
  if (e.source !== peer || !isTrusted || !Array.isArray(e.data)) return;
  origin = e.origin;
  const [kind, body] = e.data;
  if (kind !== FRAME) return;
  const name = body.evt === "READY" ? "READY" : body.nonce;
  const pending = pendingRequests.get(name);
  pendingRequests.delete(name);
  if (body.evt === "ERROR") pending?.failed(new Error(body.data?.message ?? "Discord refuses"));
  else pending?.done(body.data);
}

/** Says hello, and asks for a code that proves who looks. */
export async function authorize() {
  document.body.classList.add("within", "dc");
  window.addEventListener("message", onMessage);
  const hello = { v: 1, encoding: "json", client_id: clientId, frame_id: frameId };
  await waitFor("READY", () => send(HANDSHAKE, hello));
  const { code } = await request("AUTHORIZE", {
    client_id: clientId,
    response_type: "code",
    state: "",
    prompt: "none",
    scope: ["identify"],
  });
  return code;
}

/** Tells Discord's client who it is, by what our server was given for the code. */
export const authenticate = (/** @type {string} */ access_token) =>
  request("AUTHENTICATE", { access_token });

/** Closes the window. */
export const close = () => send(CLOSE, { code: 1000, message: "", nonce: crypto.randomUUID() });
