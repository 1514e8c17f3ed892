// Words that the page fetches only with the part that says them.

import { currentLanguage, more } from "./words.js";

/** The parts whose words come with each other language. */
const known = new Set();

/**
 * Adds words to those of the page.
 * @param {string} part the name of the file with the words, between `words-` and the language
 * @param {string} [language] that of the page, or the one that it speaks next
 */
export async function addWords(part, language = currentLanguage()) {
  await fetchWords(part, language);
  if (known.has(part)) return;
  known.add(part);
  more.push(language => fetchWords(part, language));
}

/**
 * @param {string} part
 * @param {string} language
 */
async function fetchWords(part, language) {
  const [page, own] = await Promise.all([
    import(`./words-${language}.js`),
    import(`./words-${part}-${language}.js`),
  ]);
  Object.assign(page.WORDS, own.WORDS);
}
