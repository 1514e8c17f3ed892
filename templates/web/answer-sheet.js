// What the bot answers one person while they play: a sheet over the board, where they look, and not
// in the chat. It never changes the size of the board. It is fetched with the first answer.

import { post, roomPath } from "./api.js";
import { followedTable, shownPhase } from "./board.js";
import { all, byId, first, loadStylesheet } from "./dom.js";
import { updateMessage, createMessage, createElement } from "./messages.js";
import { showError } from "./toasts.js";
import { translateDom } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").MessageActions} MessageActions */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** The size of a sheet at most, and of one that can well be read, in pixels. */
const WIDTH = 576,
  HEIGHT_MAX = 544,
  WIDTH_MIN = 200,
  HEIGHT = 320;
/** The distance to the edges, in pixels. */
const GAP = 8;

/** The message that is shown.
 * @type {Message | null} */
let shownMessage = null;
/** @type {MessageActions | null} */
let messageActions = null;
/** Table and phase in which the sheet was opened. */
let openedFor = "";

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

/** Called with an answer that is in the chat again.
 * @type {(m: Message) => void} */
let onReturnedToChat = () => {};

/**
 * @param {MessageActions} acts what the parts of a message can do
 * @param {(m: Message) => void} onReturned called with an answer that is in the chat again
 */
export function start(acts, onReturned) {
  onReturnedToChat = onReturned;
  messageActions = { ...acts, isOnBoard: () => false, onPressAnswered: onPressAnswered };
  byId("note-close").addEventListener("click", closeAndRefocus);
  document.addEventListener("keydown", closeOnEscape, true);
  document.addEventListener("pointerdown", hideOnPressOutside, true);
  const sizes = new ResizeObserver(() => shownMessage && positionSheet());
  for (const it of [byId("table"), byId("games")]) sizes.observe(it);
}

/** Where the chat is in front nothing is seen of a sheet. */
const isVisible = () => sheet.getClientRects().length > 0;

/** @param {KeyboardEvent} e */
function closeOnEscape(e) {
  const isElsewhere = !byId("offers").hidden || first(document, "dialog[open]");
  if (e.key !== "Escape" || !isVisible() || isElsewhere) return;
  e.stopPropagation();
  e.preventDefault();
  closeAndRefocus();
}

/** What is pressed beside the sheet does what it does: the board can be played under a sheet. The
 * answer stays in the chat. The buttons of the head open something of their own.
 * @param {PointerEvent} e */
function hideOnPressOutside(e) {
  if (!isVisible() || !(e.target instanceof Element)) return;
  if (!e.target.closest("#note, #toasts, dialog, #top button")) hide();
}

/** What was pressed on the sheet is done: what it said is in the toast or on the board. A question
 * and pages that turn stay.
 * @param {{ id: number | null, room: string }} m
 * @param {import("./types").PrivateReply[]} whispers */
function onPressAnswered({ id, room }, whispers) {
  const isShown = shownMessage?.id === id && shownMessage.room === room;
  if (isShown && whispers.every(it => it.brief && !it.again)) closeAndRefocus();
}

function closeAndRefocus() {
  const isInside = sheet.contains(document.activeElement);
  close();
  if (isInside) byId("table").focus({ preventScroll: true });
}

/** Whether a message is shown here and not in the chat.
 * @param {Message} m */
export const isMessageShown = m => shownMessage?.id === m.id && shownMessage.room === m.room;

const tableAndPhase = () => `${followedTable()} ${shownPhase()}`;

/**
 * Shows an answer, or how it has changed.
 * @param {Message} m
 */
export function show(m) {
  // What would lie under the chat stays in the chat.
  if (m.gone || !messageActions || !visiblePart()) return hide();
  const same = isMessageShown(m) && !sheet.hidden ? first(sheet, ".message") : null;
  shownMessage = m;
  if (same) {
    // Buttons stay where they are while their answers change the words above them.
    const text = first(sheet, ".text");
    if (text) text.style.minHeight = `${text.offsetHeight}px`;
    return updateMessage(same, m, messageActions);
  }
  const element = createMessage(m, messageActions);
  element.id = "";
  byId("note-text").replaceChildren(element);
  openedFor = tableAndPhase();
  sheet.hidden = false;
  void styleLoaded.then(positionSheet, () => {});
  positionSheet();
}

/** Shows nothing any more; the answer is in the chat again. */
export function hide() {
  const m = shownMessage;
  shownMessage = null;
  sheet.hidden = true;
  byId("note-text").replaceChildren();
  if (m) onReturnedToChat(m);
}

/** Shows nothing any more if the chat is in front now. */
export function hideIfCovered() {
  if (shownMessage && !isVisible()) hide();
}

/** Puts the answer away; it is gone from the chat, too. */
export function close() {
  const m = shownMessage;
  hide();
  if (m) void post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(() => {});
}

/** The table has changed: a sheet of another table or of a phase that has passed has no use, and one
 * that lies over what its reader may do now gives way. */
export function onTableChanged() {
  if (!shownMessage) return;
  // Who looks at another table or room finds the answer in the chat again.
  if (!openedFor.startsWith(`${followedTable()} `)) return hide();
  if (openedFor !== tableAndPhase()) return close();
  const needed = neededArea();
  if (needed && overlaps(sheet.getBoundingClientRect(), needed)) positionSheet();
}

// ---- where it lies -----------------------------------------------------------------------

/** @param {Box} a @param {Box} b */
const overlaps = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * What the player needs: what can be touched on the board, the hand and the buttons beside it.
 * @returns {Box | null}
 */
function neededArea() {
  const table = byId("table"),
    spots = all(table, ".spot rect");
  // Where spots can be touched, the keys say the same once more, except beside a hand.
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

/** What is in the place of the board, unless the chat is: there may be games, or something to look
 * at. */
const visiblePart = () =>
  all(byId("main"), "#table, #look, #games").find(it => it.getClientRects().length);

/** Lays the sheet where it covers least of what its reader needs. */
function positionSheet() {
  const below = visiblePart();
  if (!below) return;
  const table = below.getBoundingClientRect();
  const { left, top, right, bottom } = table,
    needed = below.id === "table" ? neededArea() : null;
  if (!needed) return setPosition(table, "bottom", 0.7 * table.height);
  // Below it is nearest to the thumb.
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

/** How much of a sheet has room in a box.
 * @param {Box} box */
function usableArea({ left, top, right, bottom }) {
  const wide = Math.min(right - left - 2 * GAP, WIDTH);
  return wide < WIDTH_MIN ? 0 : wide * Math.min(bottom - top - 2 * GAP, HEIGHT);
}

/**
 * @param {Box} box
 * @param {"top" | "bottom"} edge
 * @param {number} maxHeight what it may take at most
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
