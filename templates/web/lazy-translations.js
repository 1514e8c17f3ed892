// Words that the page fetches only with the part that says them.

import { currentLanguage, extraLoaders } from "./words.js";

/** The parts whose words come with each other language. */
const loadedParts = new Set();

/**
 * Adds words to those of the page.
 * @param {string} part the name of the file with the words, between `words-` and the language
 * @param {string} [language] that of the page, or the one that it speaks next
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
