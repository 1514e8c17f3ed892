// Translations of the page, generated from page.toml of each language. Texts of the bot arrive
// translated.

import { local } from "./api.js";
import { all } from "./dom.js";
// The server inlines this module.
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
 * Registers a callback for language changes.
 * @param {() => void} callback
 */
export function onLanguage(callback) {
  listeners.push(callback);
}

/** Loaders of the translations of lazy-loaded parts, by language.
 * @type {((language: string) => Promise<void>)[]} */
export const extraLoaders = [];

/** The chosen language, otherwise the first supported one of the browser. */
export function preferredLanguage() {
  const wanted = [local.getItem("language") ?? "", ...navigator.languages];
  return wanted.map(it => it.slice(0, 2)).find(it => it in LANGUAGES) ?? DEFAULT_LANGUAGE;
}

/**
 * Switches the language and loads its translations.
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
 * Translates the elements of a part of the page that name a text key.
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
 * Returns a text by key. `args` replaces `{name}`, or chooses the plural form if it is a number.
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

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates right-to-left text from the text around it.
 * @param {string} text
 */
const isolateRtl = text => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
