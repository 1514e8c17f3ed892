// What opens the view of look.js: most who come only play, so it is fetched when it is wanted.

/** @typedef {import("./viewer.js")} Viewer */
/** @typedef {import("./viewer.js").Message} Message */
/** @typedef {{ onViewerChanged(): void, onOpened(): void, onPress(): void }} Hooks */

/** @type {Viewer | null} */
let viewer = null;
/** @type {Promise<Viewer> | null} */
let loading = null;
/** @type {Hooks | null} */
let hooks = null;
/** Counts requests: a view that comes late must not open over something else. */
let requestNumber = 0;

/** `changed` is called when something comes to be looked at or goes, `opened` when what was asked
 * for is there, `pressed` after each press.
 * @param {Hooks} newHooks */
export function start(newHooks) {
  hooks = newHooks;
}

function loadViewer() {
  loading ??= import("./viewer.js").then(
    async it => {
      if (hooks) await it.start(hooks);
      viewer = it;
      return it;
    },
    e => {
      loading = null;
      throw e;
    },
  );
  return loading;
}

/** Looks at something, see [`look`] there.
 * @param {string} room @param {string} address @param {Message | null} [message] @param {string} [requestPress] */
export async function open(room, address, message, requestPress) {
  const request = ++requestNumber;
  const it = await loadViewer();
  if (request !== requestNumber) return;
  await it.open(room, address, message, requestPress);
  hooks?.onOpened();
}

/** A message has come, or changed in what it shows.
 * @param {import("./types").Message} m
 * @param {boolean} isNew */
export function onMessage(m, isNew) {
  if (viewer) viewer.onMessage(m, isNew);
  else if (isNew && m.only && m.look?.startsWith("lessons/")) void open(m.room, m.look, m);
}

/** What was asked for may have been made.
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
