// The page's own words. The bot's words come from the bot, in its languages. Both lie in the folders
// of the languages: those of the page in page.toml.

import { all } from "./dom.js";
// What comes from there is put in their place when this file is served.
import { DIRECTIONS, LANGUAGES } from "./languages.js";
export { LANGUAGES } from "./languages.js";

const DEFAULT_LANGUAGE = Object.keys(LANGUAGES)[0] ?? "en";

let language = DEFAULT_LANGUAGE;
/** @type {import("./types").Translations} */
let words = {};
/** @type {(() => void)[]} */
const listeners = [];

export const currentLanguage = () => language;

/**
 * Calls back whenever the language changes.
 * @param {() => void} callback
 */
export function onLanguage(callback) {
  listeners.push(callback);
}

/** Each fetches the words of a later part in a language.
 * @type {((language: string) => Promise<void>)[]} */
export const extraLoaders = [];

/** The best language of this browser, or the one chosen before. */
export function preferredLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages];
  return wanted.map(it => it.slice(0, 2)).find(it => it in LANGUAGES) ?? DEFAULT_LANGUAGE;
}

/**
 * Speaks another language from now on; its words are fetched when it is first spoken.
 * @param {string} next
 */
export async function setLanguage(next) {
  const page = await import(`./words-${next}.js`);
  await Promise.allSettled(extraLoaders.map(it => it(next)));
  words = page.WORDS;
  language = next;
  document.documentElement.lang = next;
  document.documentElement.dir = DIRECTIONS[next] ?? "ltr";
  translateDom(document);
  listeners.forEach(it => it());
}

/**
 * Puts the words of the language where they belong in a part of the page.
 * @param {ParentNode} part
 */
export function translateDom(part) {
  for (const it of all(part, "[data-t]")) it.textContent = t(it.dataset.t ?? "");
  for (const it of all(part, "[data-t-label]")) {
    const label = t(it.dataset.tLabel ?? "");
    it.setAttribute("aria-label", label);
    if (it.tagName === "BUTTON") it.title = label;
  }
  for (const it of all(part, "[data-t-placeholder]")) {
    it.setAttribute("placeholder", t(it.dataset.tPlaceholder ?? ""));
  }
  for (const it of all(part, "[data-document]")) {
    it.setAttribute("href", `${it.dataset.document}?lang=${language}`);
  }
}

/**
 * A text by key; `{name}` is replaced from `args`, a number chooses the plural form.
 * @param {string} key
 * @param {number | Record<string, string>} args
 * @returns {string}
 */
export function t(key, args = {}) {
  const text = words[key] ?? key;
  if (typeof args === "number") {
    const forms = typeof text === "string" ? { other: text } : text;
    const form = forms[new Intl.PluralRules(language).select(args)] ?? forms.other ?? key;
    return form.replaceAll("{n}", String(args));
  }
  if (typeof text !== "string") return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => isolateRtl(args[name] ?? whole));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Keeps right-to-left text from changing places with the text beside it.
 * @param {string} text
 */
const isolateRtl = text => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
