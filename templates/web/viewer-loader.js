// Loads viewer.js on first use and forwards calls to it.

/** @typedef {import("./viewer.js")} Viewer */
/** @typedef {import("./viewer.js").Message} Message */
/** @typedef {{ onViewerChanged(): void, onOpened(): void, onPress(): void }} Hooks */

/** @type {Viewer | null} */
let viewer = null;
/** @type {Promise<Viewer> | null} */
let loading = null;
/** @type {Hooks | null} */
let hooks = null;
/** Identifies the latest request. Drops a viewer that loads after the user has moved on. */
let requestNumber = 0;

/** `onViewerChanged` is called when the viewer opens or closes, `onOpened` when a requested page is
 * shown, `onPress` before each press of a button in a lesson.
 * @param {Hooks} newHooks */
export function start(newHooks) {
  hooks = newHooks;
}

function loadViewer() {
  loading ??= import("./viewer.js").then(async it => {
    if (hooks) await it.start(hooks);
    viewer = it;
    return it;
  }).catch(e => {
    loading = null;
    throw e;
  });
  return loading;
}

/** Opens a page, see `open` of viewer.js.
 * @param {string} room @param {string} address
 * @param {Message | null} [message] @param {string} [requestPress] */
export async function open(room, address, message, requestPress) {
  const request = ++requestNumber;
  const it = await loadViewer();
  if (request !== requestNumber) return;
  await it.open(room, address, message, requestPress);
  hooks?.onOpened();
}

/** Forwards a message; one with a requested lesson loads the viewer.
 * @param {import("./types").Message} m
 * @param {boolean} isNew */
export function onMessage(m, isNew) {
  if (viewer) viewer.onMessage(m, isNew);
  else if (isNew && m.only && m.look?.startsWith("lessons/")) void open(m.room, m.look, m);
}

/** Shows a requested review if this address is its page.
 * @param {string} address */
export const onReviewReady = async address => viewer?.onReviewReady(address);

export const isOpen = () => viewer?.isOpen() ?? false;
/** @param {import("./types").Message} m */
export const isMessageShown = m => viewer?.isMessageShown(m) ?? false;
export function close() {
  requestNumber += 1;
  viewer?.close();
}
/** @param {string | null} table */
export const refresh = table => viewer?.refresh(table);
