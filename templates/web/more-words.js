// Words that the page fetches only with the part that says them.

import { currentLanguage } from "./words.js";

/**
 * Adds the words of a part to those of the page, in the language of the page.
 * @param {string} part
 */
export async function addWords(part) {
  const language = currentLanguage();
  const [page, own] = await Promise.all([
    import(`./words-${language}.js`),
    import(`./words-${part}-${language}.js`),
  ]);
  Object.assign(page.WORDS, own.WORDS);
}
