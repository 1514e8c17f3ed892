// Follows what the user changes in other tabs of this browser: the language. Loaded after the first
// view.

import { currentIdentity } from "./api.js";
import { LANGUAGES, setLanguage } from "./words.js";

const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("language") : null;
let languageChange = Promise.resolve();

export function start() {
  channel?.addEventListener("message", ({ data: { person, language } }) => {
    // Another person keeps the language of their tab.
    if (!person || person !== currentIdentity()?.id || !(language in LANGUAGES)) return;
    languageChange = languageChange.then(() => setLanguage(language)).catch(() => {});
  });
}

/**
 * Tells the other tabs of the current person that they have chosen a language. They fetch the texts
 * of the bot again, so it has to know the language already.
 * @param {string} language
 */
export function tellLanguage(language) {
  channel?.postMessage({ person: currentIdentity()?.id, language });
}
