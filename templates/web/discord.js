// The bridge of a Discord Activity: the messages of its protocol over postMessage
// (discord.com/developers/docs/activities, "How Activities Work"). Loads nothing from other hosts.

const HANDSHAKE = 0,
  FRAME = 1,
  CLOSE = 2;
const HOSTS = /^https:\/\/((ptb|canary)\.)?discord(app)?\.com$/;
/** The longest wait for a response, in which Discord may ask the user for consent. */
const RESPONSE_TIMEOUT_MS = 120_000;

const query = new URLSearchParams(location.search);
const frameId = query.get("frame_id");

/** Whether Discord opened this page. */
export const isActivity = frameId !== null;

/** The id of a window shared by several people. */
export const instanceId = query.get("instance_id");

/** Requests go through Discord's proxy there. */
export const prefix = location.hostname.endsWith(".discordsays.com") ? "/.proxy" : "";

/** The application id, which is also the first part of the host name. */
const clientId = query.get("client_id") ?? location.hostname.split(".")[0];

const peer = window.parent.opener ?? window.parent;
/** The origin of Discord, known after its first message. */
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
 * Sends a command and waits for its response.
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

/** The handshake, which Discord answers once.
 * @type {Promise<unknown> | undefined} */
let handshake;

function greet() {
  document.body.classList.add("within", "dc");
  window.addEventListener("message", onMessage);
  const hello = { v: 1, encoding: "json", client_id: clientId, frame_id: frameId };
  return waitFor("READY", () => send(HANDSHAKE, hello));
}

/** Performs the handshake, if that was not done, and returns an authorization code of the user,
 * which is valid once. */
export async function authorize() {
  await (handshake ??= greet());
  const { code } = await request("AUTHORIZE", {
    client_id: clientId,
    response_type: "code",
    state: "",
    prompt: "none",
    scope: ["identify"],
  });
  return code;
}

/** Authenticates with the token that the server got for the code. */
export const authenticate = (/** @type {string} */ access_token) =>
  request("AUTHENTICATE", { access_token });

/** Closes the window. */
export const close = () => send(CLOSE, { code: 1000, message: "", nonce: crypto.randomUUID() });
