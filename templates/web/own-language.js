// Keeps the language of the page, which belongs to the browser, and that of the bot, which belongs
// to the person, the same. Loaded after the first view.

import { currentIdentity, local, post, timeLimit } from "./api.js";
import { currentLanguage, LANGUAGES, preferredLanguage, setLanguage } from "./words.js";

/** The storage keys of the language that was chosen in this browser, and of the person who has
 * chosen it, until the bot knows it. */
const CHOSEN_KEY = "language",
  UNSENT_KEY = "unsent-language";
/** The longest time that the language of the page waits for the bot. */
const LOCALE_MS = 10000;

/**
 * Stores the language that a person has chosen; before a name was given, nobody has.
 * @param {string} code
 */
export function storeChoice(code) {
  local.setItem(CHOSEN_KEY, code);
  noteChooser(currentIdentity()?.id ?? "");
}

/**
 * Notes whose choice the language of this browser is.
 * @param {string} id
 */
export const noteChooser = id => local.setItem(UNSENT_KEY, id);

/** Notes that the bot knows the language. */
export const noteSent = () => local.removeItem(UNSENT_KEY);

/**
 * Sends the language of the current person to the bot.
 * @param {string} code
 */
export async function sendLanguage(code) {
  await post("/api/me", { locale: code }, timeLimit(LOCALE_MS));
  if (code === preferredLanguage()) noteSent();
}

/** Sends a choice that did not reach the bot, and fetches its texts again.
 * @returns {Promise<void>} */
async function sendUnsent() {
  if (local.getItem(UNSENT_KEY) !== currentIdentity()?.id) return;
  const code = preferredLanguage();
  await sendLanguage(code);
  // Another language may have been pressed meanwhile.
  if (code !== preferredLanguage()) return sendUnsent();
  await setLanguage(code);
}

/**
 * Sends the language if it did not reach the bot; in a browser in which none was chosen, the page
 * takes that of the person.
 * @param {string} locale the language that the bot knows
 */
export async function start(locale) {
  window.addEventListener("online", () => void sendUnsent().catch(() => {}));
  const known = locale.slice(0, 2);
  if (local.getItem(CHOSEN_KEY)) return sendUnsent();
  if (known in LANGUAGES && known !== currentLanguage()) await setLanguage(known);
}
