// The list of suggestions of the input line. Loaded on first use.

import { byId, setText, loadStylesheet, update } from "./dom.js";
import { avatar, createElement, uniqueNames } from "./messages.js";
import { messagesInOrder, room } from "./rooms.js";
import { showError } from "./toasts.js";

/** @typedef {import("./types").Suggestion} Suggestion */

const listElement = byId("offers");

// Waits for the style before the list is shown.
await loadStylesheet(new URL("./suggestions.css", import.meta.url)).catch(showError);

/**
 * Shows suggestions; unchanged ones keep their elements.
 * @param {Suggestion[]} all
 * @param {string} here the current room
 * @param {(n: number) => void} accept called when one is clicked
 */
export function show(all, here, accept) {
  const key = uniqueNames();
  const lines = all.map((it, n) => ({ it, n, key: key(`${it.person ?? ""} ${it.text}`) }));
  update(listElement, lines, it => it.key, create, (line, { it, n }) => {
    line.id = `offer${n}`;
    line.onclick = () => accept(n);
    updateLine(line, it, it.about ?? lastMessageOf(it, all, here));
  });
  const isNew = listElement.hidden;
  listElement.hidden = false;
  // A list that opens is scrolled to its start.
  if (isNew) listElement.scrollTop = 0;
}

function create() {
  const line = createElement("li");
  line.setAttribute("role", "option");
  line.addEventListener("mousedown", e => e.preventDefault());
  return line;
}

/**
 * @param {HTMLElement} line
 * @param {Suggestion} offer
 * @param {string} about
 */
function updateLine(line, { person, label, arguments: rest }, about) {
  /** @type {{ key: string, create: () => HTMLElement, text?: string }[]} */
  const parts = [
    // Avatars distinguish people with the same name.
    ...(person ? [{ key: `face ${label}`, create: () => avatar(person, label) }] : []),
    { key: "label", create: () => createElement("b"), text: label },
    ...(rest ? [{ key: "arguments", create: () => createElement("code"), text: rest }] : []),
    ...(about ? [{ key: "about", create: () => createElement("span", "about"), text: about }] : []),
  ];
  update(line, parts, it => it.key, it => it.create(), (it, { text }) => {
    if (text !== undefined) setText(it, text);
  });
}

/**
 * An excerpt of a person's last message, if another person has the same name.
 * @param {Suggestion} offer
 * @param {Suggestion[]} all
 * @param {string} here
 */
function lastMessageOf({ person, label }, all, here) {
  const same = (/** @type {Suggestion} */ it) => it.label.toLowerCase() === label.toLowerCase();
  if (!person || all.filter(same).length < 2) return "";
  const theirs = messagesInOrder(room(here)).findLast(m => m.author?.id === person);
  if (!theirs?.text) return "";
  const firstLine = [...(theirs.text.split("\n")[0] ?? "")];
  return `“${firstLine.slice(0, 40).join("")}${firstLine.length > 40 ? "…" : ""}”`;
}
