// Writing: suggestions, replies, sending surely and in order.

import { get, newKey, post, postSurely, roomPath } from "./api.js";
import { all, byId } from "./dom.js";
import { brief, make } from "./messages.js";
import { room } from "./rooms.js";
import { refuse } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").Offer} Offer */
/** @typedef {import("./types").Sending} Sending */

const text = byId("text"),
  offers = byId("offers"),
  form = byId("composer");

/** @type {{ up(): void, away(): void, sending(room: string): void,
 *   told(whispers: import("./types").Whisper[]): void }} */
let hooks = { up: () => {}, away: () => {}, sending: () => {}, told: () => {} };
/** @type {import("./types").Message | null} */
let reply = null;
/** @type {Offer[]} */
let shown = [];
/**
 * The people chosen from the suggestions and the positions of their names: two people may have the
 * same name.
 * @type {{ person: string, from: number, to: number }[]}
 */
let named = [];
/** The text to which the positions in `named` belong. */
let before = "";
let here = "",
  chosen = -1,
  asked = 0,
  typedAt = 0;
let line = Promise.resolve();

/**
 * `on.sending(room)` is called when the list of unsent messages changes, `on.up()` when the focus
 * is to go into the messages, `on.away()` when it is to go to the board, `on.told(whispers)` with
 * what a message was answered in private.
 * @param {typeof hooks} on
 */
export function start(on) {
  hooks = on;
  form.addEventListener("submit", e => {
    e.preventDefault();
    submit();
  });
  text.addEventListener("input", () => {
    moveNamed(text.value);
    keepDraft(here, text.value);
    grow();
    suggest();
    tellTyping();
  });
  text.addEventListener("click", suggest);
  text.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement !== text) hide();
    }, 150),
  );
  text.addEventListener("keydown", keys);
  byId("reply-stop").addEventListener("click", () => {
    stopReply();
    text.focus();
  });
  // A closed dialog gives the focus back, but (in Chromium) not the cursor.
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", () => {
      if (document.activeElement !== text) return;
      text.blur();
      text.focus();
    });
  }
  byId("slash").addEventListener("click", () => {
    if (!text.value.startsWith("/")) write("/", []);
    text.focus();
    suggest();
  });
}

/**
 * Moves to a room; what was typed in the old one is kept there.
 * @param {string} name
 */
export function enter(name) {
  here = name;
  write(draft(name), draftNamed(name));
  stopReply();
  hide();
  grow();
}

/**
 * Replaces the text and the people who are named in it.
 * @param {string} value
 * @param {typeof named} people
 */
function write(value, people) {
  text.value = before = value;
  named = people;
}

/**
 * Updates positions after a change at one place of the text: names behind it move, and a name that
 * was changed is no longer bound to a person.
 * @param {string} now
 */
function moveNamed(now) {
  const most = Math.min(before.length, now.length);
  let start = 0,
    end = 0;
  while (start < most && before[start] === now[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changedTo = before.length - end,
    by = now.length - before.length;
  named = named.flatMap(it => {
    if (it.to <= start) return [it];
    return it.from >= changedTo ? [{ ...it, from: it.from + by, to: it.to + by }] : [];
  });
  before = now;
}

// What is half written outlives a reload, in this tab.
/** @param {string} name */
const draft = name => sessionStorage.getItem(`draft ${name}`) ?? "";

/**
 * @param {string} name
 * @returns {typeof named}
 */
const draftNamed = name => JSON.parse(sessionStorage.getItem(`named ${name}`) ?? "[]");

/**
 * @param {string} name
 * @param {string} value
 */
function keepDraft(name, value) {
  sessionStorage.removeItem(`draft ${name}`);
  sessionStorage.removeItem(`named ${name}`);
  if (value) sessionStorage.setItem(`draft ${name}`, value);
  if (value && named.length) sessionStorage.setItem(`named ${name}`, JSON.stringify(named));
}

export const focus = () => text.focus();

/** @param {import("./types").Message} message */
export function startReply(message) {
  const whose = message.bot ? "Caravanserai" : (message.author?.name ?? "");
  reply = message;
  byId("reply-text").replaceChildren(
    make("b", "", t("reply_to", { name: whose })),
    " ",
    brief(message),
  );
  byId("reply").hidden = false;
  text.focus();
}

function stopReply() {
  reply = null;
  byId("reply").hidden = true;
}

function grow() {
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight + 2, 160)}px`;
}

function tellTyping() {
  const now = Date.now();
  if (here === "@" || !text.value || text.value.startsWith("/") || now - typedAt < 4000) return;
  typedAt = now;
  post(roomPath(here, "/typing"), {}).catch(() => {});
}

/** @param {KeyboardEvent} e */
function keys(e) {
  if (e.isComposing) return;
  const open = !offers.hidden;
  if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
    e.preventDefault();
    const step = e.key === "ArrowDown" ? 1 : -1;
    choose(
      chosen < 0 && step < 0 ? shown.length - 1 : (chosen + step + shown.length) % shown.length,
    );
  } else if (open && e.key === "Tab" && !e.shiftKey) {
    e.preventDefault();
    accept(Math.max(chosen, 0));
  } else if (open && e.key === "Escape") {
    e.preventDefault();
    hide();
  } else if (e.key === "Escape" && reply) {
    e.preventDefault();
    stopReply();
  } else if (e.key === "Escape" && !text.value) {
    e.preventDefault();
    hooks.away();
  } else if (e.key === "Enter" && !e.shiftKey) {
    e.preventDefault();
    if (open && chosen >= 0) accept(chosen);
    else submit();
  } else if (e.key === "ArrowUp" && !text.value) {
    e.preventDefault();
    hooks.up();
  }
}

async function suggest() {
  const typed = text.value.slice(0, text.selectionStart),
    mark = ++asked,
    room = here;
  if (!typed.startsWith("/") && !/(^|[^\p{L}\p{N}])@[^@]{0,32}$/u.test(typed)) return hide();
  const query = new URLSearchParams({ room, text: typed });
  const list = await import("./suggestions.js").catch(() => null);
  /** @type {{ suggestions: Offer[] }} */
  const found = await get(`/api/suggest?${query}`).catch(() => ({ suggestions: [] }));
  if (mark !== asked || room !== here || document.activeElement !== text) return;
  shown = found.suggestions.filter(it => it.text.trimEnd() !== typed.trimEnd() || it.arguments);
  if (!list || !shown.length) return hide();
  list.show(shown, room, accept);
  // A whole command can be sent at once; what is only begun is completed by Enter.
  const whole = found.suggestions.some(it => it.text.trimEnd() === typed.trimEnd());
  const begun = /^\/\S*$/.test(typed) ? !whole && typed.length > 1 : shown[0]?.person;
  choose(begun ? 0 : -1);
}

/** @param {number} n */
function choose(n) {
  chosen = n;
  all(offers, "li").forEach((it, i) => it.setAttribute("aria-selected", String(i === n)));
  if (n < 0) return text.removeAttribute("aria-activedescendant");
  text.setAttribute("aria-activedescendant", `offer${n}`);
  offers.children[n]?.scrollIntoView({ block: "nearest" });
}

/** @param {number} n */
function accept(n) {
  const it = shown[n],
    rest = text.value.slice(text.selectionStart);
  if (!it) return;
  text.value = it.text + rest;
  moveNamed(text.value);
  if (it.person) {
    // The name is at the end of the offered text, before a space.
    const to = it.text.trimEnd().length,
      from = to - it.label.length - 1;
    named = named.filter(other => other.to <= from || other.from >= to);
    named.push({ person: it.person, from, to });
  }
  keepDraft(here, text.value);
  text.setSelectionRange(it.text.length, it.text.length);
  hide();
  grow();
  text.focus();
  if (it.text.endsWith(" ")) suggest();
}

function hide() {
  asked++;
  shown = [];
  chosen = -1;
  offers.hidden = true;
  text.removeAttribute("aria-activedescendant");
}

function submit() {
  const said = text.value.trim();
  if (!said) return text.focus();
  const people = named,
    skipped = text.value.length - text.value.trimStart().length;
  const message = {
    room: here,
    text: said,
    key: newKey(),
    reply_to: reply?.id ?? null,
    mentions: people.map(it => ({ person: it.person, at: it.from - skipped })),
  };
  write("", []);
  keepDraft(here, "");
  stopReply();
  hide();
  grow();
  send(message);
}

/**
 * Sends after whatever was sent before; the message shows as unsent until it is there.
 * @param {Sending} message
 */
function send(message) {
  const it = room(message.room);
  const { room: where, ...body } = message;
  it.sending.push(message);
  hooks.sending(where);
  line = line.then(async () => {
    try {
      const { id, whispers } = await postSurely(roomPath(where, "/messages"), body);
      message.id = id;
      hooks.told(whispers);
    } catch (e) {
      it.sending = it.sending.filter(other => other !== message);
      if (here === where && !text.value) {
        const people = message.mentions.map(({ person, at }) => {
          const to = message.text.indexOf(" ", at);
          return { person, from: at, to: to < 0 ? message.text.length : to };
        });
        write(message.text, people);
        keepDraft(here, text.value);
        grow();
      }
      refuse(e);
    }
    settle(where);
  });
}

/**
 * Drops from the unsent what has arrived, and commands that nobody in the room reads.
 * @param {string} name
 */
export function settle(name) {
  const it = room(name);
  const left = it.sending.filter(m => m.id !== null && !(m.id && it.messages.has(m.id)));
  if (left.length !== it.sending.length || it.sending.some(m => m.id)) {
    it.sending = left;
    hooks.sending(name);
  }
}

