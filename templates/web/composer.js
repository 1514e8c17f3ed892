// The input line: suggestions, replies, drafts, sending in order with retries.

import { get, keepUnsent, newRequestKey, post, postToRoom, roomPath, session } from "./api.js";
import { all, byId } from "./dom.js";
import { authorName, excerpt, createElement } from "./messages.js";
import { room } from "./rooms.js";
import { errorText, showError } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").Suggestion} Suggestion */
/** @typedef {import("./types").OutgoingMessage} OutgoingMessage */

const text = byId("text"),
  suggestionList = byId("offers"),
  form = byId("composer");

/** Set by `start`.
 * @type {{ focusMessages(): void, focusBoard(): void,
 *   onOutgoingChanged(room: string, isNew: boolean): void,
 *   onReplies(replies: import("./types").PrivateReply[]): void }} */
let hooks;
/** @type {import("./types").Message | null} */
let reply = null;
/** @type {Suggestion[]} */
let suggestions = [];
/**
 * Mentioned people and the positions of their names, because names are not unique.
 * @type {{ person: string, from: number, to: number }[]}
 */
let mentions = [];
/** The text to which the positions in `mentions` belong. */
let mentionsText = "";
let currentRoom = "",
  selected = -1,
  requestNumber = 0,
  typedAt = 0;
let sendQueue = Promise.resolve();

/**
 * `onOutgoingChanged` is called when the list of outgoing messages changes, `focusMessages` and
 * `focusBoard` move the focus, `onReplies` gets the private replies to a message.
 * @param {typeof hooks} newHooks
 */
export function start(newHooks) {
  hooks = newHooks;
  form.addEventListener("submit", e => {
    e.preventDefault();
    submit();
  });
  text.addEventListener("input", () => {
    moveMentions(text.value);
    keepDraft(currentRoom, text.value);
    resize();
    fetchSuggestions();
    reportTyping();
  });
  text.addEventListener("click", fetchSuggestions);
  text.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement !== text) hideSuggestions();
    }, 150),
  );
  text.addEventListener("keydown", onKeydown);
  byId("reply-stop").addEventListener("click", () => {
    stopReply();
    text.focus();
  });
  // A closed dialog restores the focus, but in Chromium not the cursor.
  const restoreCursor = () => {
    if (document.activeElement !== text) return;
    text.blur();
    text.focus();
  };
  document.addEventListener("close", restoreCursor, true);
  byId("slash").addEventListener("click", () => {
    if (!text.value.startsWith("/")) setText("/", []);
    text.focus();
    fetchSuggestions();
  });
}

/**
 * Switches to a room and its draft.
 * @param {string} name
 */
export function enterRoom(name) {
  currentRoom = name;
  setText(draft(name), draftMentions(name));
  stopReply();
  hideSuggestions();
  resize();
}

/**
 * Replaces the text and its mentions.
 * @param {string} value
 * @param {typeof mentions} people
 */
function setText(value, people) {
  text.value = mentionsText = value;
  mentions = people;
}

/**
 * Updates the positions of mentions after an edit: those behind it move, edited ones are dropped.
 * @param {string} now
 */
function moveMentions(now) {
  const most = Math.min(mentionsText.length, now.length);
  let start = 0,
    end = 0;
  while (start < most && mentionsText[start] === now[start]) start += 1;
  while (end < most - start && mentionsText.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changedTo = mentionsText.length - end,
    by = now.length - mentionsText.length;
  mentions = mentions.flatMap(it => {
    if (it.to <= start) return [it];
    return it.from >= changedTo ? [{ ...it, from: it.from + by, to: it.to + by }] : [];
  });
  mentionsText = now;
}

// Drafts survive a reload, in this tab.
/** @param {string} name */
const draft = name => session.getItem(`draft ${name}`) ?? "";

/**
 * @param {string} name
 * @returns {typeof mentions}
 */
const draftMentions = name => JSON.parse(session.getItem(`named ${name}`) ?? "[]");

/**
 * @param {string} name
 * @param {string} value
 */
function keepDraft(name, value) {
  session.removeItem(`draft ${name}`);
  session.removeItem(`named ${name}`);
  if (value) session.setItem(`draft ${name}`, value);
  if (value && mentions.length) session.setItem(`named ${name}`, JSON.stringify(mentions));
}

export const focus = () => text.focus();

/** @param {import("./types").Message} message */
export function startReply(message) {
  reply = message;
  byId("reply-text").replaceChildren(
    createElement("b", "", t("reply_to", { name: authorName(message) })),
    " ",
    excerpt(message),
  );
  byId("reply").hidden = false;
  text.focus();
}

function stopReply() {
  reply = null;
  byId("reply").hidden = true;
}

function resize() {
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight + 2, 160)}px`;
}

function reportTyping() {
  const now = Date.now();
  if (currentRoom === "@" || !text.value || text.value.startsWith("/") || now - typedAt < 4000)
    return;
  typedAt = now;
  post(roomPath(currentRoom, "/typing"), {}).catch(() => {});
}

/** @param {KeyboardEvent} e */
function onKeydown(e) {
  if (e.isComposing) return;
  const open = !suggestionList.hidden;
  if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
    e.preventDefault();
    const step = e.key === "ArrowDown" ? 1 : -1;
    select(
      selected < 0 && step < 0
        ? suggestions.length - 1
        : (selected + step + suggestions.length) % suggestions.length,
    );
  } else if (open && e.key === "Tab" && !e.shiftKey) {
    e.preventDefault();
    accept(Math.max(selected, 0));
  } else if (open && e.key === "Escape") {
    e.preventDefault();
    hideSuggestions();
  } else if (e.key === "Escape" && reply) {
    e.preventDefault();
    stopReply();
  } else if (e.key === "Escape" && !text.value) {
    e.preventDefault();
    hooks.focusBoard();
  } else if (e.key === "Enter" && !e.shiftKey) {
    e.preventDefault();
    if (open && selected >= 0) accept(selected);
    else submit();
  } else if (e.key === "ArrowUp" && !text.value) {
    e.preventDefault();
    hooks.focusMessages();
  }
}

async function fetchSuggestions() {
  const typed = text.value.slice(0, text.selectionStart),
    request = ++requestNumber,
    room = currentRoom;
  if (!typed.startsWith("/") && !/(^|[^\p{L}\p{N}])@[^@]{0,32}$/u.test(typed))
    return hideSuggestions();
  const query = new URLSearchParams({ room, text: typed });
  const list = await import("./suggestions.js").catch(() => null);
  /** @type {{ suggestions: Suggestion[] }} */
  const found = await get(`/api/suggest?${query}`).catch(() => ({ suggestions: [] }));
  if (request !== requestNumber || room !== currentRoom || document.activeElement !== text) return;
  suggestions = found.suggestions.filter(
    it => it.text.trimEnd() !== typed.trimEnd() || it.arguments,
  );
  if (!list || !suggestions.length) return hideSuggestions();
  list.show(suggestions, room, accept);
  // Enter sends a complete command, and completes a partial one.
  const isComplete = found.suggestions.some(it => it.text.trimEnd() === typed.trimEnd());
  const isPartial = /^\/\S*$/.test(typed)
    ? !isComplete && typed.length > 1
    : suggestions[0]?.person;
  select(isPartial ? 0 : -1);
}

/** @param {number} n */
function select(n) {
  selected = n;
  all(suggestionList, "li").forEach((it, i) => it.setAttribute("aria-selected", String(i === n)));
  if (n < 0) return text.removeAttribute("aria-activedescendant");
  text.setAttribute("aria-activedescendant", `offer${n}`);
  suggestionList.children[n]?.scrollIntoView({ block: "nearest" });
}

/** @param {number} n */
function accept(n) {
  const it = suggestions[n],
    rest = text.value.slice(text.selectionStart);
  if (!it) return;
  text.value = it.text + rest;
  moveMentions(text.value);
  if (it.person) {
    // The name is at the end of the suggested text, before a space.
    const to = it.text.trimEnd().length,
      from = to - it.label.length - 1;
    mentions = mentions.filter(other => other.to <= from || other.from >= to);
    mentions.push({ person: it.person, from, to });
  }
  keepDraft(currentRoom, text.value);
  text.setSelectionRange(it.text.length, it.text.length);
  hideSuggestions();
  resize();
  text.focus();
  if (it.text.endsWith(" ")) fetchSuggestions();
}

function hideSuggestions() {
  requestNumber++;
  suggestions = [];
  selected = -1;
  suggestionList.hidden = true;
  text.removeAttribute("aria-activedescendant");
}

function submit() {
  const trimmed = text.value.trim();
  if (!trimmed) return text.focus();
  const people = mentions,
    skipped = text.value.length - text.value.trimStart().length;
  const message = {
    room: currentRoom,
    text: trimmed,
    key: newRequestKey(),
    reply_to: reply?.id ?? null,
    mentions: people.map(it => ({ person: it.person, at: it.from - skipped })),
  };
  setText("", []);
  keepDraft(currentRoom, "");
  stopReply();
  hideSuggestions();
  resize();
  send(message);
}

/**
 * Queues a message; it is shown as outgoing until it is delivered.
 * @param {OutgoingMessage} message
 */
export function send(message) {
  const it = room(message.room);
  const { room: where, ...body } = message;
  const request = { room: where, rest: "/messages", body };
  // It may wait behind others.
  keepUnsent(request);
  it.outgoing.push(message);
  hooks.onOutgoingChanged(where, true);
  sendQueue = sendQueue.then(async () => {
    try {
      const { id, whispers: replies } = await postToRoom(request);
      message.id = id;
      hooks.onReplies(replies);
    } catch (e) {
      const replied = it.messages.get(message.reply_to ?? -1);
      if (currentRoom === where && !text.value && !reply) {
        removeOutgoing(message);
        const people = message.mentions.map(({ person, at }) => {
          const to = message.text.indexOf(" ", at);
          return { person, from: at, to: to < 0 ? message.text.length : to };
        });
        setText(message.text, people);
        keepDraft(currentRoom, text.value);
        resize();
        if (replied && !replied.gone) startReply(replied);
      } else {
        // The user writes something else by now.
        message.refused = errorText(e);
        hooks.onOutgoingChanged(where, false);
      }
      showError(e);
    }
    removeDelivered(where);
  });
}

/**
 * Removes a message from the outgoing ones.
 * @param {OutgoingMessage} message
 */
export function removeOutgoing(message) {
  const it = room(message.room);
  it.outgoing = it.outgoing.filter(other => other !== message);
  hooks.onOutgoingChanged(message.room, false);
}

/**
 * Removes delivered messages from the outgoing ones, and commands that the room does not show.
 * @param {string} name
 */
export function removeDelivered(name) {
  const it = room(name);
  const left = it.outgoing.filter(m => m.id !== null && !(m.id && it.messages.has(m.id)));
  if (left.length !== it.outgoing.length || it.outgoing.some(m => m.id)) {
    it.outgoing = left;
    hooks.onOutgoingChanged(name, false);
  }
}

