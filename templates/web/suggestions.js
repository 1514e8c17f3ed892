// The list of suggestions for what is being written. It is fetched with the first of them.

import { byId, say, style, update } from "./dom.js";
import { face, make, unlike } from "./messages.js";
import { inOrder, room } from "./rooms.js";
import { refuse } from "./toasts.js";

/** @typedef {import("./types").Offer} Offer */

const offers = byId("offers");

// The list is not seen without its look.
await style(new URL("./suggestions.css", import.meta.url)).catch(refuse);

/**
 * Shows suggestions; those that were shown before keep their elements.
 * @param {Offer[]} all
 * @param {string} here the room in which something is being written
 * @param {(n: number) => void} accept called when one is clicked
 */
export function show(all, here, accept) {
  const key = unlike();
  const lines = all.map((it, n) => ({ it, n, key: key(`${it.person ?? ""} ${it.text}`) }));
  update(offers, lines, it => it.key, create, (line, { it, n }) => {
    line.id = `offer${n}`;
    line.onclick = () => accept(n);
    fill(line, it, it.about ?? lastSaid(it, all, here));
  });
  const isNew = offers.hidden;
  offers.hidden = false;
  // A list that was closed is read from its beginning.
  if (isNew) offers.scrollTop = 0;
}

function create() {
  const line = make("li");
  line.setAttribute("role", "option");
  line.addEventListener("mousedown", e => e.preventDefault());
  return line;
}

/**
 * @param {HTMLElement} line
 * @param {Offer} offer
 * @param {string} about
 */
function fill(line, { person, label, arguments: rest }, about) {
  /** @type {{ key: string, create: () => HTMLElement, text?: string }[]} */
  const parts = [
    // Two people may have the same name: they look as they do in the chat.
    ...(person ? [{ key: `face ${label}`, create: () => face(person, label) }] : []),
    { key: "label", create: () => make("b"), text: label },
    ...(rest ? [{ key: "arguments", create: () => make("code"), text: rest }] : []),
    ...(about ? [{ key: "about", create: () => make("span", "about"), text: about }] : []),
  ];
  update(line, parts, it => it.key, it => it.create(), (it, { text }) => {
    if (text !== undefined) say(it, text);
  });
}

/**
 * The last message of a person, if another one has the same name.
 * @param {Offer} offer
 * @param {Offer[]} all
 * @param {string} here
 */
function lastSaid({ person, label }, all, here) {
  const same = (/** @type {Offer} */ it) => it.label.toLowerCase() === label.toLowerCase();
  if (!person || all.filter(same).length < 2) return "";
  const theirs = inOrder(room(here)).findLast(m => m.author?.id === person);
  if (!theirs?.text) return "";
  const said = [...(theirs.text.split("\n")[0] ?? "")];
  return `“${said.slice(0, 40).join("")}${said.length > 40 ? "…" : ""}”`;
}
