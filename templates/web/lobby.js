// The seats of a table before its game starts, around a picture of the table: the viewer below, the
// others clockwise, so that partners face each other. Loaded with the first lobby.

import { copyLink } from "./copy-link.js";
import { all, first, focusedElement, loadStylesheet, setText, update } from "./dom.js";
import { loadTranslations } from "./lazy-translations.js";
import { avatar, createElement, renderKeyboard } from "./messages.js";
import { room } from "./rooms.js";
import { t } from "./words.js";

/** @typedef {import("./types").TableStateView} TableStateView */
/** @typedef {import("./types").KeyboardButton} KeyboardButton */
/** @typedef {{ room: string, link?: string, actions: Partial<import("./types").MessageActions> }}
 *   Lobby */

/** The sides of the table by the number of seats, clockwise from the viewer. */
const SIDES = {
  2: ["below", "above"],
  3: ["below", "left", "right"],
  4: ["below", "left", "above", "right"],
};

/** @typedef {import("./wire-types").LobbySeatState} LobbySeatState */
/** @typedef {import("./wire-types").SeatState} SeatState */
/** A seat with its number, its player, and what the viewer can do there.
 * @typedef {LobbySeatState & SeatState & { n: number }} Seat */

/** @type {Promise<unknown> | null} */
let resources = null;

/** Loads the style and the texts. */
export async function load() {
  resources ??= Promise.all([
    loadStylesheet(new URL("./lobby.css", import.meta.url)),
    loadTranslations("lobby"),
  ]).catch(e => {
    resources = null;
    throw e;
  });
  await resources;
}

/**
 * Shows the seats in a part of the page; requires `load`.
 * @param {HTMLElement} place
 * @param {TableStateView} state
 * @param {Lobby} lobby
 */
export function show(place, state, lobby) {
  const found = document.getElementById("seats");
  if (!state.lobby) return found?.remove();
  const container = found ?? createElement("div");
  if (!found) first(place, ":scope > .keys")?.before(container);
  container.id = "seats";
  container.setAttribute("role", "group");
  container.setAttribute("aria-label", t("lobby_seats"));
  /** @type {Seat[]} */
  const seats = state.lobby.seats.flatMap((it, n) => {
    const player = state.seats[n];
    return player ? [{ ...player, ...it, n }] : [];
  });
  const focused = focusedLabel(container);
  const picture = first(container, ".middle") ?? container.appendChild(createElement("img", "middle"));
  picture.setAttribute("src", `${iconUrl()}#game-${state.game}`);
  picture.setAttribute("alt", "");
  const sides = /** @type {Record<number, string[]>} */ (SIDES)[seats.length] ?? SIDES[4];
  showShare(container, state, lobby);
  const below = state.you ?? 0;
  update(container, seats, it => String(it.n), createSeat, (element, it) => {
    const side = sides[(it.n - below + seats.length) % seats.length] ?? "";
    const look = ["seat", side, it.free && "free", it.you && "own"];
    element.className = look.filter(Boolean).join(" ");
    element.dataset.number = String(it.n + 1);
    updateSeat(element, it, state.you !== null, lobby);
  });
  keepFocus(container, focused, place);
}

/** The label of the focused button, or null.
 * @param {HTMLElement} container */
function focusedLabel(container) {
  const active = focusedElement();
  return active && container.contains(active) ? active.dataset.label ?? "" : null;
}

/**
 * Keeps the focus on a button with the same label, here or at another seat: a press on another one
 * would do something else. Without one it moves to the table.
 * @param {HTMLElement} container
 * @param {string | null} label
 * @param {HTMLElement} place
 */
function keepFocus(container, label, place) {
  if (label === null || focusedLabel(container) === label) return;
  const same = all(container, ".key").find(it => it.dataset.label === label && it.offsetParent);
  (same ?? place).focus({ preventScroll: true });
}

/**
 * Shows a button with the link to the table, unless the viewer invites others at a free seat.
 * @param {HTMLElement} container
 * @param {TableStateView} state
 * @param {Lobby} lobby
 */
function showShare(container, state, { room: where, link, actions }) {
  const share = first(container, ".share") ?? container.appendChild(createElement("div", "share"));
  const isInviting = state.you !== null && state.lobby?.seats.some(it => it.free);
  share.hidden = isInviting || !link;
  if (share.hidden || !link) return;
  const copy = { label: t("table_link"), press: "", tone: "plain", onPress: () => copyLink(link) };
  renderKeyboard(share, { id: null, room: where, buttons: [[copy]] }, actions);
}

/** The address of the pictures of games and computers. */
const iconUrl = () => new URL("./choices.svg", import.meta.url).pathname;

function createSeat() {
  const player = createElement("div", "player", createElement("b"), createElement("small"));
  const it = createElement("div", "", player, createElement("div", "keys"));
  it.setAttribute("role", "group");
  return it;
}

/**
 * @param {HTMLElement} element
 * @param {Seat} seat
 * @param {boolean} isSeated whether the viewer has a seat
 * @param {Lobby} lobby
 */
function updateSeat(element, seat, isSeated, lobby) {
  const { n, invited } = seat;
  // A computer has its face here, and needs no sign before its name.
  const player = seat.computer ? seat.name.replace(/^\P{L}+/u, "") : seat.name;
  const name = invited ?? (seat.free ? t("lobby_free") : player);
  element.setAttribute("aria-label", t("lobby_seat", { n: String(n + 1), name }));
  const shown = /** @type {HTMLElement} */ (element.children[0]),
    buttons = /** @type {HTMLElement} */ (element.children[1]);
  /** @type {[string, string][]} */
  const faces = [[seat.free && !invited ? "" : seat.computer ?? "person", name]];
  const create = (/** @type {[string, string]} */ [kind]) => createFace(kind, name, lobby.room);
  update(shown, faces, it => it.join(" "), create);
  all(shown, "b").forEach(it => setText(it, name));
  const note = invited ? t("lobby_invited") : seat.you ? t("you") : "";
  all(shown, "small").forEach(it => setText(it, note));
  const keys = seatButtons(seat, isSeated, lobby.link);
  buttons.hidden = !keys.length;
  const { room: where, actions } = lobby;
  renderKeyboard(buttons, { id: null, room: where, buttons: keys.length ? [keys] : [] }, actions);
}

/**
 * The picture of a player, or of a free seat.
 * @param {string} kind `person`, the level of a computer, or empty for a free seat
 * @param {string} name
 * @param {string} where the room
 */
function createFace(kind, name, where) {
  if (kind === "person") {
    const member = room(where).info?.people.find(it => it.name === name);
    return avatar(member?.id ?? name, name);
  }
  if (!kind) {
    const it = createElement("span", "face vacant", "+");
    it.setAttribute("aria-hidden", "true");
    return it;
  }
  const it = createElement("img", "face");
  it.src = `${iconUrl()}#opponent-${kind}`;
  it.alt = "";
  return it;
}

/**
 * The buttons of a seat.
 * @param {Seat} seat
 * @param {boolean} isSeated whether the viewer has a seat
 * @param {string} [link] the address of the table for other people
 */
function seatButtons({ free, you, sit, add_computer: computer }, isSeated, link) {
  /** @type {(label: string, press: string, onPress?: () => unknown) => KeyboardButton} */
  const button = (label, press, onPress) => ({ label, press, tone: "plain", onPress });
  // A press on the own seat agrees to settings that were changed.
  const taken = you ? "lobby_agree" : "lobby_swap";
  const seatLabel = t(!free ? taken : isSeated ? "lobby_move" : "lobby_take");
  const invites = free && isSeated && link;
  return [
    ...(sit && !isSeated ? [button(seatLabel, sit)] : []),
    ...(invites ? [button(t("lobby_invite"), "", () => copyLink(link))] : []),
    ...(computer ? [button(t("lobby_computer"), computer)] : []),
    ...(sit && isSeated ? [button(seatLabel, sit)] : []),
  ];
}
