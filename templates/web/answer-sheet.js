// A sheet over the board with a private reply of the bot, which the chat does not show meanwhile.
// It never changes the size of the board. The reply to a press on the board is dismissed with the
// sheet; any other reply returns to the chat. Loaded on first use.

import { post, roomPath } from "./api.js";
import { followedTable, shownPhase } from "./board.js";
import { all, byId, first, loadStylesheet } from "./dom.js";
import { updateMessage, createMessage, createElement, drawIcons } from "./messages.js";
import { showError } from "./toasts.js";
import { translateDom } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").MessageActions} MessageActions */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** The maximum size of a sheet, and the size of a readable one, in pixels. */
const WIDTH = 576,
  HEIGHT_MAX = 544,
  WIDTH_MIN = 200,
  HEIGHT = 320;
/** The distance to the edges, in pixels. */
const GAP = 8;
/** A table that comes into view this soon after a reply was opened by the same press. */
const NEW_TABLE_MS = 8000;
/** A column beside the board, where a sheet covers no part of it: its minimum height, and the
 * maximum height of the windows that have one, see table.css. */
const COLUMN_HEIGHT_MIN = 160,
  LOW_WINDOW = 560;

/** The shown message.
 * @type {Message | null} */
let shownMessage = null;
/** Whether the shown message replies to a press on the board. */
let isPressReply = false;
/** @type {MessageActions | null} */
let messageActions = null;
/** The table of the sheet, and its phase: `null` until its state is loaded.
 * @type {{ table: string | null, phase: string | null }} */
let openedFor = { table: null, phase: null };
/** Until when a new table is that of the press that the shown message answers. */
let newTableUntil = -Infinity;

const TEMPLATE = `
  <button id="note-close" class="icon" type="button" data-t-label="dismiss">✕</button>
  <div id="note-text"></div>
`;
const sheet = createElement("div");
sheet.id = "note";
sheet.hidden = true;
sheet.setAttribute("role", "group");
sheet.dataset.tLabel = "only_you";
sheet.innerHTML = TEMPLATE;
byId("table").after(sheet);
translateDom(byId("main"));
const styleLoaded = loadStylesheet(new URL("./answer-sheet.css", import.meta.url));
styleLoaded.catch(showError);

/** Called with a reply that returns to the chat.
 * @type {(m: Message) => void} */
let onReturnedToChat = () => {};

/**
 * @param {MessageActions} acts callbacks of the parts of a message
 * @param {(m: Message) => void} onReturned called with a reply that returns to the chat
 */
export function start(acts, onReturned) {
  onReturnedToChat = onReturned;
  const beforePress = () => {
    // What this press opens replaces the sheet.
    newTableUntil = -Infinity;
    acts.beforePress?.();
  };
  messageActions = { ...acts, isOnBoard: () => false, beforePress, onPressAnswered };
  byId("note-close").addEventListener("click", closeAndRefocus);
  document.addEventListener("keydown", closeOnEscape, true);
  document.addEventListener("pointerdown", hideOnPressOutside, true);
  // A table that a person goes to is not that of their press.
  window.addEventListener("hashchange", () => (newTableUntil = -Infinity));
  const sizes = new ResizeObserver(() => shownMessage && positionSheet());
  for (const it of [byId("table"), byId("games")]) sizes.observe(it);
}

/** Whether the sheet is visible; the chat may cover it. */
const isVisible = () => sheet.getClientRects().length > 0;

/** @param {KeyboardEvent} e */
function closeOnEscape(e) {
  const isElsewhere = !byId("offers").hidden || first(document, "dialog[open]");
  if (e.key !== "Escape" || !isVisible() || isElsewhere) return;
  e.stopPropagation();
  e.preventDefault();
  closeAndRefocus();
}

/** Hides the sheet on a press outside, which has its own effect. Buttons of the header do not hide
 * the sheet.
 * @param {PointerEvent} e */
function hideOnPressOutside(e) {
  if (!isVisible() || !(e.target instanceof Element)) return;
  if (!e.target.closest("#note, #toasts, dialog, #top button")) hide();
}

/** Closes the sheet after a press on it, unless there is more to read or to confirm.
 * @param {{ id: number | null, room: string }} m
 * @param {import("./types").PrivateReply[]} replies */
function onPressAnswered({ id, room }, replies) {
  const isShown = shownMessage?.id === id && shownMessage.room === room;
  if (isShown && replies.every(it => it.brief && !it.again)) closeAndRefocus();
}

const closeAndRefocus = () => refocusAfter(close);

/** Focuses the table after a focused sheet was emptied.
 * @param {() => unknown} empty */
function refocusAfter(empty) {
  const isInside = sheet.contains(document.activeElement);
  empty();
  if (isInside) byId("table").focus({ preventScroll: true });
}

/** Whether the sheet shows a message.
 * @param {Message} m */
export const isMessageShown = m => shownMessage?.id === m.id && shownMessage.room === m.room;

const tableAndPhase = () => ({ table: followedTable(), phase: shownPhase() });

/**
 * Shows a reply, or its new version.
 * @param {Message} m
 * @param {boolean} isForPress whether a new reply answers a press on the board
 * @param {boolean} isAwaited whether a new reply answers any press outside the chat
 */
export function show(m, isForPress = false, isAwaited = false) {
  // Where the chat covers the sheet, the reply stays in the chat.
  if (m.gone || !messageActions || !visiblePart()) return hide();
  const isShown = isMessageShown(m);
  // A menu became the hand again, which the table shows.
  if (isShown && m.table) return refocusAfter(remove);
  const same = isShown && !sheet.hidden ? first(sheet, ".message") : null;
  if (!isShown) {
    hide();
    isPressReply = isForPress;
    newTableUntil = isAwaited ? performance.now() + NEW_TABLE_MS : -Infinity;
  }
  // The sheet is no live region: buttons in it would be read, too.
  if (!isShown || shownMessage?.text !== m.text)
    byId("said").textContent = m.text || (m.image?.alt ?? "");
  shownMessage = m;
  if (same) {
    // Buttons keep their place when the text above them changes.
    const text = first(sheet, ".text");
    if (text) text.style.minHeight = `${text.offsetHeight}px`;
    updateMessage(same, m, messageActions);
    return drawIcons(same, true);
  }
  const element = createMessage(m, messageActions);
  element.id = "";
  byId("note-text").replaceChildren(element);
  drawIcons(element, true);
  openedFor = tableAndPhase();
  sheet.hidden = false;
  void styleLoaded.then(positionSheet, () => {});
  positionSheet();
}

/** Hides the sheet: dismisses a reply to a press on the board, returns any other reply to the chat. */
export function hide() {
  const m = remove();
  if (!m) return;
  if (isPressReply) dismiss(m);
  else onReturnedToChat(m);
}

/** Removes the reply from the sheet. */
function remove() {
  const m = shownMessage;
  shownMessage = null;
  sheet.hidden = true;
  byId("note-text").replaceChildren();
  return m;
}

/** @param {Message} m */
const dismiss = m => void post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(() => {});

/** Hides the sheet if the chat covers it. */
export function hideIfCovered() {
  if (shownMessage && !isVisible()) hide();
}

/** Hides the sheet and dismisses its reply. */
export function close() {
  const m = remove();
  if (m) dismiss(m);
}

/** Whether the sheet belongs to the table in view: the one that it was opened for, or the one that
 * the same press has opened. */
function isForTable() {
  const { table, phase } = tableAndPhase();
  if (table === openedFor.table) return phase === openedFor.phase || openedFor.phase === null;
  return table !== null && performance.now() < newTableUntil;
}

/** Hides a sheet of an earlier phase or of another table, and moves one that covers the targets of
 * the player. */
export function onTableChanged() {
  if (!shownMessage) return;
  if (!isForTable()) return hide();
  const before = openedFor;
  openedFor = tableAndPhase();
  if (openedFor.table !== before.table) newTableUntil = -Infinity;
  if (openedFor.phase !== before.phase) return positionSheet();
  const needed = neededArea();
  // The column ends where the buttons begin, whose number changes.
  if (freeColumn() || (needed && overlaps(sheet.getBoundingClientRect(), needed))) positionSheet();
}

// ---- position ----------------------------------------------------------------------------

/** @param {Box} a @param {Box} b */
const overlaps = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * The area that the player needs: targets, hand and buttons.
 * @returns {Box | null}
 */
function neededArea() {
  const table = byId("table"),
    spots = all(table, ".spot rect");
  // Buttons repeat the targets, except beside a hand.
  const isHand = !byId("table-hand").hidden;
  const others = isHand ? "#table-hand, #table-keys" : "#table-keys";
  const found = isHand || !spots.length ? [...spots, ...all(table, others)] : spots;
  const boxes = found.map(it => it.getBoundingClientRect()).filter(it => it.height);
  if (!boxes.length) return null;
  return {
    left: Math.min(...boxes.map(it => it.left)),
    top: Math.min(...boxes.map(it => it.top)),
    right: Math.max(...boxes.map(it => it.right)),
    bottom: Math.max(...boxes.map(it => it.bottom)),
  };
}

/** The visible element in the place of the board: table, viewer or games. */
const visiblePart = () =>
  all(byId("main"), "#table, #viewer, #games").find(it => it.getClientRects().length);

/**
 * The column beside the board in a low window, above the hand and the buttons. A message with a
 * picture needs more.
 * @returns {Box | null}
 */
function freeColumn() {
  const board = byId("table-board").getBoundingClientRect(),
    { left, right } = byId("table-text").getBoundingClientRect();
  if (innerHeight > LOW_WINDOW || !board.height || left < board.right) return null;
  if (first(sheet, ".picture-message")) return null;
  const { top } = byId("table").getBoundingClientRect(),
    below = all(byId("table"), "#table-hand, #table-keys").map(it => it.getBoundingClientRect()),
    tops = below.filter(it => it.height && it.right > left).map(it => it.top),
    bottom = Math.min(innerHeight, ...tops);
  const isLarge = right - left >= WIDTH_MIN && bottom - top >= COLUMN_HEIGHT_MIN;
  return isLarge ? { left, right, top, bottom } : null;
}

/** Positions the sheet where it covers least of the needed area. */
function positionSheet() {
  const below = visiblePart();
  if (!below) return;
  const column = below.id === "table" ? freeColumn() : null;
  if (column) return setPosition(column, "bottom", column.bottom - column.top - 2 * GAP);
  const table = below.getBoundingClientRect();
  const { left, top, right, bottom } = table,
    needed = below.id === "table" ? neededArea() : null;
  if (!needed) return setPosition(table, "bottom", 0.7 * table.height);
  // The bottom is preferred because the thumb reaches it.
  /** @type {[Box, "top" | "bottom"][]} */
  const sides = [
    [{ left, right, top: needed.bottom, bottom }, "bottom"],
    [{ left, right, top, bottom: needed.top }, "top"],
    [{ left, right: needed.left, top, bottom }, "bottom"],
    [{ left: needed.right, right, top, bottom }, "bottom"],
  ];
  const [box, edge] = sides.sort((a, b) => usableArea(b[0]) - usableArea(a[0]))[0] ?? [
    table,
    "bottom",
  ];
  setPosition(box, edge, Math.max(box.bottom - box.top - 2 * GAP, 0.4 * table.height));
}

/** The area of a sheet that fits in a box.
 * @param {Box} box */
function usableArea({ left, top, right, bottom }) {
  const wide = Math.min(right - left - 2 * GAP, WIDTH);
  return wide < WIDTH_MIN ? 0 : wide * Math.min(bottom - top - 2 * GAP, HEIGHT);
}

/**
 * @param {Box} box
 * @param {"top" | "bottom"} edge
 * @param {number} maxHeight the maximum height
 */
function setPosition(box, edge, maxHeight) {
  const wide = Math.min(box.right - box.left - 2 * GAP, WIDTH),
    px = (/** @type {number} */ it) => `${Math.round(it)}px`;
  Object.assign(sheet.style, {
    left: px((box.left + box.right - wide) / 2),
    width: px(wide),
    maxHeight: px(Math.min(maxHeight, HEIGHT_MAX)),
    top: edge === "top" ? px(box.top + GAP) : "",
    bottom: edge === "bottom" ? px(innerHeight - box.bottom + GAP) : "",
  });
}
