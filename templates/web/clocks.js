// The clocks of a table, which run in the page between updates.

import { local } from "./api.js";
import { byId, loadStylesheet, update } from "./dom.js";
import { createElement } from "./messages.js";
import { t } from "./words.js";

loadStylesheet(new URL("./clocks.css", import.meta.url)).catch(() => {});

/** Below this a clock is red, and a sound warns the player once. */
const LOW_TIME_MS = 20_000;
/** From this on clocks show hours. */
const HOUR_MS = 3_600_000;

/** @typedef {import("./types").TableStateView} TableStateView */
/** @typedef {{ seat: number, name: string, left: number, turn: boolean, you: boolean }} Clock */

/** @type {{ clocks: Clock[], running: number | null, at: number } | null} */
let shownClocks = null;
let timer = 0,
  /** The turn for which the warning was played. */
  warnedTurn = "",
  currentTurn = "";

/**
 * Shows the clocks of a table, or none.
 * @param {TableStateView | null} state
 * @param {number} [arrivedAt] the moment to which the times of the state belong
 */
export function show(state, arrivedAt = performance.now()) {
  clearInterval(timer);
  const clock = state?.clock;
  byId("table-clocks").hidden = !clock;
  shownClocks = null;
  if (!state || !clock) return;
  const clocks = state.seats.flatMap(({ name, you }, seat) => {
    const left = clock.left[seat];
    if (left === null || left === undefined) return [];
    return [{ seat, name, left, turn: state.turn === seat, you }];
  });
  shownClocks = { clocks, running: clock.paused ? null : clock.running, at: arrivedAt };
  currentTurn = `${state.table} ${state.moment}`;
  draw();
  if (shownClocks.running !== null) timer = setInterval(draw, 250);
}

function draw() {
  if (!shownClocks) return;
  const { clocks, running, at } = shownClocks;
  const passed = performance.now() - at;
  update(byId("table-clocks"), clocks, it => String(it.seat), createClock, (chip, it) => {
    const left = Math.max(0, it.left - (it.seat === running ? passed : 0));
    const isLow = it.seat === running && left < LOW_TIME_MS;
    chip.className = ["clock", it.turn && "turn", isLow && "hurry"].filter(Boolean).join(" ");
    const [name, time] = chip.children;
    if (name) name.textContent = it.name;
    if (time) time.textContent = formatTime(left);
    if (isLow && it.you) warnOnce();
  });
}

const createClock = () => {
  const it = createElement("span", "clock", createElement("span", "name"), createElement("time"));
  it.setAttribute("role", "timer");
  it.setAttribute("aria-label", t("clock"));
  return it;
};

/** Plays the low-time warning once per turn. */
function warnOnce() {
  if (warnedTurn === currentTurn) return;
  warnedTurn = currentTurn;
  if (local.getItem("sounds") === "on") {
    void import("./notifications.js").then(it => it.playSound("hurry"));
  }
}

/**
 * Formats the time left.
 * @param {number} ms
 */
function formatTime(ms) {
  const seconds = Math.ceil(ms / 1000),
    two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (ms >= 48 * HOUR_MS) return t("clock_days", Math.floor(ms / HOUR_MS / 24));
  const minutes = Math.floor(seconds / 60),
    hours = Math.floor(minutes / 60);
  const shown = hours ? `${hours}:${two(minutes % 60)}` : String(minutes);
  return `${shown}:${two(seconds % 60)}`;
}
