// Translations that are loaded with the part of the page that uses them.

import { currentLanguage, extraLoaders } from "./words.js";

/** The parts that are loaded with every language. */
const loadedParts = new Set();

/**
 * Loads the translations of a part, now and on every language change.
 * @param {string} part the part of the file name between `words-` and the language
 * @param {string} [language] the language of the page, or the next one
 */
export async function loadTranslations(part, language = currentLanguage()) {
  await fetchTranslations(part, language);
  if (loadedParts.has(part)) return;
  loadedParts.add(part);
  extraLoaders.push(language => fetchTranslations(part, language));
}

/**
 * @param {string} part
 * @param {string} language
 */
async function fetchTranslations(part, language) {
  const [page, extra] = await Promise.all([
    import(`./words-${language}.js`),
    import(`./words-${part}-${language}.js`),
  ]);
  Object.assign(page.WORDS, extra.WORDS);
}
