// Keyboard shortcuts: moving through messages, to the input line, and the list of shortcuts.

import * as composer from "./composer.js";
import { all, byId, first, focusedElement, targetOf } from "./dom.js";
import { room } from "./rooms.js";
import { loadTranslations } from "./lazy-translations.js";
import { showError } from "./toasts.js";
import { translateDom } from "./words.js";

const log = byId("log"),
  list = byId("messages");

const SHORTCUTS = `
  <h2 id="shortcuts-title" data-t="shortcuts"></h2>
  <dl>
    <div><dt>?</dt><dd data-t="key_help"></dd></div>
    <div><dt>Esc</dt><dd data-t="key_escape"></dd></div>
    <div><dt>← ↑ ↓ →</dt><dd data-t="key_arrows"></dd></div>
    <div><dt>Enter</dt><dd data-t="key_enter"></dd></div>
    <div><dt>↑</dt><dd data-t="key_up"></dd></div>
    <div><dt>R</dt><dd data-t="key_reply"></dd></div>
    <div><dt>Tab</dt><dd data-t="key_tab"></dd></div>
  </dl>
  <div class="stack">
    <button class="good" type="button" data-close data-t="close"></button>
  </div>
`;

/** `focusChat` focuses the input line, `closeSide` returns whether the sidebar was open, `locale`
 * is the language that the bot knows.
 * @type {{ currentRoom(): string, focusChat(): void, closeSide(): boolean,
 *   locale?: string | null | undefined }} */
let hooks = { currentRoom: () => "", focusChat: () => {}, closeSide: () => false };

/** @param {typeof hooks} on */
export function start(on) {
  hooks = on;
  list.addEventListener("keydown", onMessageKeydown);
  list.addEventListener("focusin", e => {
    const now = targetOf(e).closest(".message");
    for (const it of all(list, ".tools .icon")) {
      it.tabIndex = now?.contains(it) ? 0 : -1;
    }
  });
  document.addEventListener("keydown", onDocumentKeydown);
  for (const it of ["side-close", "veil"])
    byId(it).addEventListener("click", () => byId("side-open").focus());
  void import("./other-tabs.js").then(it => it.start(), () => {});
  void import("./reading-place.js").then(it => it.start(on.currentRoom), () => {});
  void import("./own-language.js").then(it => it.start(on.locale ?? "")).catch(() => {});
  void import("./icons.js").then(it => it.drawPageIcons(), () => {});
  void import("./fit-text.js").then(it => it.start(), () => {});
}

/** Focuses the last message. */
export function focusLastMessage() {
  all(list, ".message:not(.sending)").at(-1)?.focus();
}

/** @param {KeyboardEvent} e */
function onMessageKeydown(e) {
  /** @type {HTMLElement | null} */
  const it = targetOf(e).closest(".message");
  if (!it) return;
  const every = all(list, ".message:not(.sending)"),
    n = every.indexOf(it),
    step = e.key === "ArrowUp" ? -1 : e.key === "ArrowDown" ? 1 : 0,
    message = room(hooks.currentRoom()).messages.get(Number(it.dataset.id));
  if (step) {
    e.preventDefault();
    if (n + step >= every.length) return composer.focus();
    every[Math.max(n + step, 0)]?.focus();
  } else if (e.key === "Escape") {
    composer.focus();
  } else if (e.target === it && e.key === "Enter") {
    e.preventDefault();
    const keys = first(it, ".key[tabindex='0']");
    if (keys) keys.focus();
    else if (message) composer.startReply(message);
  } else if (
    e.target === it &&
    // On a keyboard of another alphabet the place of R counts: its letters come after "z".
    (e.key > "z" ? e.code === "KeyR" : e.key.toLowerCase() === "r") &&
    !e.ctrlKey &&
    !e.metaKey
  ) {
    e.preventDefault();
    if (message) composer.startReply(message);
  }
}

export async function openShortcuts() {
  await loadTranslations("shortcuts");
  let list = /** @type {HTMLDialogElement | null} */ (document.getElementById("shortcuts"));
  if (!list) {
    const dialog = (list = document.createElement("dialog"));
    dialog.id = "shortcuts";
    dialog.setAttribute("aria-labelledby", "shortcuts-title");
    dialog.innerHTML = SHORTCUTS;
    // Its button and a press outside close it.
    dialog.addEventListener("click", e => {
      if (e.target === dialog || targetOf(e).closest("[data-close]")) dialog.close();
    });
    document.body.append(dialog);
    void import("./dialogs.js");
  }
  translateDom(list);
  list.showModal();
}

/** @param {KeyboardEvent} e */
function onDocumentKeydown(e) {
  const isTyping = focusedElement()?.matches("textarea, input");
  if (e.key === "?" && !isTyping && !first(document, "dialog[open]")) {
    e.preventDefault();
    openShortcuts().catch(showError);
    return;
  }
  // A character typed anywhere goes to the input line; digits too, as they are moves.
  const acceptsTyping = [document.body, log, byId("table")].includes(focusedElement() ?? log);
  if (
    acceptsTyping &&
    e.key.length === 1 &&
    e.key !== " " &&
    !e.ctrlKey &&
    !e.metaKey &&
    !e.altKey
  ) {
    if (hooks.currentRoom()) hooks.focusChat();
  }
  if (e.key === "Escape" && hooks.closeSide()) byId("side-open").focus();
}
