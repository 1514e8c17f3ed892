// The user's settings of boards and games, stored by the bot; each is a list of values. Loaded on
// first use.

import { get, postWithRetry, sendPress } from "./api.js";
import { byId, setText, update } from "./dom.js";
import { createElement } from "./messages.js";
import { showError, toast } from "./toasts.js";

/** @typedef {import("./types").OwnSettingValue} OwnSettingValue */
/** @typedef {import("./types").OwnSetting} OwnSetting */

/** The changes so far: each is sent after the answer to the one before. */
let changes = Promise.resolve();

/** Shows the settings in the dialog, except the language, which is chosen elsewhere. */
export async function show() {
  /** @type {{ settings: OwnSetting[] }} */
  const { settings } = await get("/api/settings");
  const shown = settings.filter(it => it.code !== "language");
  update(byId("mine-settings"), shown, it => it.code, create, change);
}

/** @param {OwnSetting} setting */
function create({ code }) {
  const select = createElement("select");
  select.name = code;
  return createElement("label", "", createElement("span"), select);
}

/**
 * @param {HTMLElement} line
 * @param {OwnSetting} setting
 */
function change(line, { label, value, values }) {
  const [name, select] = line.children;
  if (!name || !(select instanceof HTMLSelectElement)) return;
  setText(name, label);
  update(select, values, it => it.value, () => createElement("option"), (option, it) => {
    option.value = it.value;
    setText(option, it.label);
  });
  // The current value may not be in the list.
  if (select.value !== value) select.selectedIndex = values.findIndex(it => it.value === value);
  select.onchange = () => {
    const chosen = values.find(it => it.value === select.value);
    // Restores the value after a refusal.
    const restore = (/** @type {unknown} */ e) => (showError(e), show());
    if (chosen) changes = changes.then(() => choose(chosen)).catch(restore).catch(showError);
  };
}

/** @param {OwnSettingValue} value */
async function choose({ press }) {
  // The press needs the private chat, which is created on first use.
  await postWithRetry("/api/rooms", { name: "@", invite: null });
  const replies = await sendPress("@", { press });
  replies.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  byId("mine-settings").dispatchEvent(new Event("saved", { bubbles: true }));
}
