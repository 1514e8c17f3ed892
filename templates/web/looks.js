// What opens the view of look.js: most who come only play, so it is fetched when it is wanted.

/** @typedef {import("./look.js")} View */
/** @typedef {import("./look.js").Message} Message */
/** @typedef {{ changed(): void, opened(): void, pressed(): void }} Hooks */

/** @type {View | null} */
let view = null;
/** @type {Promise<View> | null} */
let coming = null;
/** @type {Hooks | null} */
let hooks = null;
/** Counts requests: a view that comes late must not open over something else. */
let wish = 0;

/** `changed` is called when something comes to be looked at or goes, `opened` when what was asked
 * for is there, `pressed` after each press.
 * @param {Hooks} on */
export function start(on) {
  hooks = on;
}

function fetched() {
  coming ??= import("./look.js").then(
    async it => {
      if (hooks) await it.start(hooks);
      view = it;
      return it;
    },
    e => {
      coming = null;
      throw e;
    },
  );
  return coming;
}

/** Looks at something, see [`look`] there.
 * @param {string} room @param {string} address @param {Message | null} [m] @param {string} [ask] */
export async function look(room, address, m, ask) {
  const mine = ++wish;
  const it = await fetched();
  if (mine !== wish) return;
  await it.look(room, address, m, ask);
  hooks?.opened();
}

/** A message has come, or changed in what it shows.
 * @param {import("./types").Message} m
 * @param {boolean} fresh */
export function heard(m, fresh) {
  if (view) view.heard(m, fresh);
  else if (fresh && m.only && m.look?.startsWith("lessons/")) void look(m.room, m.look, m);
}

/** What was asked for may have been made.
 * @param {string} address */
export const made = async address => view?.made(address);

export const isOpen = () => view?.isOpen() ?? false;
/** @param {import("./types").Message} m */
export const shows = m => view?.shows(m) ?? false;
export function close() {
  wish += 1;
  view?.close();
}
/** @param {string | null} table */
export const refresh = table => view?.refresh(table);
