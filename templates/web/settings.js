// One's own settings of boards and games, as the bot keeps them: each is a list to choose from. It is
// fetched when the dialog is opened.

import { get, postSurely, sendPress } from "./api.js";
import { byId, say, update } from "./dom.js";
import { make } from "./messages.js";
import { refuse, toast } from "./toasts.js";

/** @typedef {import("./types").OwnSettingValue} Value */
/** @typedef {import("./types").OwnSetting} Setting */

/** Shows the settings in their place of the dialog; the language has a place of its own. */
export async function show() {
  /** @type {{ settings: Setting[] }} */
  const { settings } = await get("/api/settings");
  const shown = settings.filter(it => it.code !== "language");
  update(byId("mine-settings"), shown, it => it.code, create, change);
}

/** @param {Setting} setting */
function create({ code }) {
  const select = make("select");
  select.name = code;
  return make("label", "", make("span"), select);
}

/**
 * @param {HTMLElement} line
 * @param {Setting} setting
 */
function change(line, { label, value, values }) {
  const [name, select] = line.children;
  if (!name || !(select instanceof HTMLSelectElement)) return;
  say(name, label);
  update(select, values, it => it.value, () => make("option"), (option, it) => {
    option.value = it.value;
    say(option, it.label);
  });
  // The present value may be none of those to choose from.
  if (select.value !== value) select.selectedIndex = values.findIndex(it => it.value === value);
  select.onchange = () => {
    const chosen = values.find(it => it.value === select.value);
    // What was refused is not shown as chosen.
    if (chosen) void choose(chosen).catch(e => (refuse(e), show())).catch(refuse);
  };
}

/** @param {Value} value */
async function choose({ press }) {
  // The private chat begins when it is first used.
  await postSurely("/api/rooms", { name: "@", invite: null });
  const whispers = await sendPress("@", { press });
  whispers.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  byId("mine").dispatchEvent(new Event("saved"));
}
