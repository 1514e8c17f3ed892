// One's own settings of boards and games, as the bot keeps them: each is a list to choose from. It is
// fetched when the dialog is opened.

import { get, postSurely, sendPress } from "./api.js";
import { byId } from "./dom.js";
import { make } from "./messages.js";
import { refuse, toast } from "./toasts.js";

/** @typedef {import("./types").OwnSettingValue} Value */
/** @typedef {import("./types").OwnSetting} Setting */

/** Shows the settings in their place of the dialog; the language has a place of its own. */
export async function show() {
  /** @type {{ settings: Setting[] }} */
  const { settings } = await get("/api/settings");
  const shown = settings.filter(it => it.code !== "language");
  byId("mine-settings").replaceChildren(...shown.map(line));
}

/** @param {Setting} setting */
function line({ code, label, value, values }) {
  const select = make("select");
  select.name = code;
  for (const it of values) {
    const option = make("option", "", it.label);
    option.value = it.value;
    option.selected = it.value === value;
    select.append(option);
  }
  // The present value may be none of those to choose from.
  if (value !== null && !values.some(it => it.value === value)) select.selectedIndex = -1;
  select.addEventListener("change", () => {
    const chosen = values.find(it => it.value === select.value);
    // What was refused is not shown as chosen.
    if (chosen) void choose(chosen).catch(e => (refuse(e), show())).catch(refuse);
  });
  return make("label", "", make("span", "", label), select);
}

/** @param {Value} value */
async function choose({ press }) {
  // The private chat begins when it is first used.
  await postSurely("/api/rooms", { name: "@", invite: null });
  const whispers = await sendPress("@", { press });
  whispers.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  byId("mine").dispatchEvent(new Event("saved"));
}
