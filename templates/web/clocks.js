// The clocks of a table, which run on in the page: who has how much time left, from the moments that
// the bot named.

import { byId, style, update } from "./dom.js";
import { make } from "./messages.js";
import { t } from "./words.js";

style(new URL("./clocks.css", import.meta.url)).catch(() => {});

/** Below this a clock is red, and is heard once, in ms. */
const HURRY = 20_000;
/** From this on whole minutes are enough. */
const LONG = 3_600_000;

/** @typedef {import("./types").TableState} TableState */
/** @typedef {{ seat: number, name: string, left: number, turn: boolean, you: boolean }} Clock */

/** @type {{ clocks: Clock[], running: number | null, at: number } | null} */
let known = null;
let timer = 0,
  /** The turn that has been heard to be short of time. */
  heard = "",
  turn = "";

/**
 * Shows the clocks of a table from now on, or none.
 * @param {TableState | null} state
 */
export function show(state) {
  clearInterval(timer);
  const clock = state?.clock;
  byId("table-clocks").hidden = !clock;
  known = null;
  if (!state || !clock) return;
  const clocks = state.seats.flatMap(({ name, you }, seat) => {
    const left = clock.left[seat];
    if (left === null || left === undefined) return [];
    return [{ seat, name, left, turn: state.turn === seat, you }];
  });
  known = { clocks, running: clock.paused ? null : clock.running, at: performance.now() };
  turn = `${state.table} ${state.moment}`;
  draw();
  if (known.running !== null) timer = setInterval(draw, 250);
}

function draw() {
  if (!known) return;
  const { clocks, running, at } = known;
  const passed = performance.now() - at;
  update(byId("table-clocks"), clocks, it => String(it.seat), chip, (chip, it) => {
    const left = Math.max(0, it.left - (it.seat === running ? passed : 0));
    const hurries = it.seat === running && left < HURRY;
    chip.className = ["clock", it.turn && "turn", hurries && "hurry"].filter(Boolean).join(" ");
    const [name, time] = chip.children;
    if (name) name.textContent = it.name;
    if (time) time.textContent = written(left);
    if (hurries && it.you) hurry();
  });
}

const chip = () => {
  const it = make("span", "clock", make("span", "name"), make("time"));
  it.setAttribute("role", "timer");
  it.setAttribute("aria-label", t("clock"));
  return it;
};

/** The own clock is about to run out: it is heard once in a turn. */
function hurry() {
  if (heard === turn) return;
  heard = turn;
  if (localStorage.getItem("sounds") === "on") {
    void import("./signals.js").then(it => it.sound("hurry"));
  }
}

/**
 * What is left, as on a clock.
 * @param {number} ms
 */
export function written(ms) {
  const seconds = Math.ceil(ms / 1000),
    two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (ms >= 48 * LONG) return t("clock_days", Math.floor(ms / LONG / 24));
  if (ms >= LONG) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)} h`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
