// Follows what the user changes in other tabs of this browser: the language. Loaded after the first
// view.

import { isIdentityRemembered } from "./api.js";
import { preferredLanguage, setLanguage } from "./words.js";

let languageChange = Promise.resolve();

export function start() {
  window.addEventListener("storage", ({ key }) => {
    // Another person keeps the language of their tab.
    if (key !== "language" || !isIdentityRemembered()) return;
    languageChange = languageChange.then(() => setLanguage(preferredLanguage())).catch(() => {});
  });
}
