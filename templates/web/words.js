// The page's own words. The bot's words come from the bot, in its languages. Both lie in the folders
// of the languages: those of the page in page.toml.

import { DIRECTIONS, LANGUAGES } from "./languages.js";

export { LANGUAGES };

const FIRST = Object.keys(LANGUAGES)[0];

let language = FIRST,
  words = {};
const listeners = [];

export const currentLanguage = () => language;

/** Calls back now and whenever the language changes. */
export function onLanguage(callback) {
  listeners.push(callback);
}

/** The best language of this browser, or the one chosen before. */
export function firstLanguage() {
  const wanted = [localStorage.getItem("language"), ...navigator.languages].filter(Boolean);
  return wanted.map(it => it.slice(0, 2)).find(it => it in LANGUAGES) ?? FIRST;
}

/** Speaks another language from now on; its words are fetched when it is first spoken. */
export async function setLanguage(next) {
  words = (await import(`./words-${next}.js`)).WORDS;
  language = next;
  document.documentElement.lang = next;
  document.documentElement.dir = DIRECTIONS[next];
  spell(document);
  listeners.forEach(it => it());
}

/** Puts the words of the language where they belong in a part of the page. */
export function spell(part) {
  for (const it of part.querySelectorAll("[data-t]")) it.textContent = t(it.dataset.t);
  for (const it of part.querySelectorAll("[data-t-label]")) {
    it.setAttribute("aria-label", t(it.dataset.tLabel));
    if (it.tagName === "BUTTON") it.title = t(it.dataset.tLabel);
  }
  for (const it of part.querySelectorAll("[data-t-placeholder]")) {
    it.placeholder = t(it.dataset.tPlaceholder);
  }
}

/** A text by key; `{name}` is replaced from `args`, a number chooses the plural form. */
export function t(key, args = {}) {
  const text = words[key] ?? key;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(language).select(args);
    return (text[form] ?? text.other).replaceAll("{n}", args);
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => isolated(args[name] ?? whole));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps what is written from right to left from changing places with what stands beside it. */
const isolated = text => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
