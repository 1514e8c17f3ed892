// Verifies the record of a finished game in the browser: that its seed matches the published hash,
// and that the lot for the first move, throws and deals follow from that seed.
// src/table/fair_random.rs describes the method. `caravanserai verify` also replays moves and result.

import { checkChance, createDraws } from "./verify-chance.js";

/** The result: `promise` is whether the hash shown in the lobby matches, `late` whether no hash was
 * shown before the start, `chance` the number of throws and deals, `wrong` the first line with
 * others than those that follow from the seed.
 * @typedef {{ hash: string, seed: boolean, promise: boolean | null, late: boolean,
 *   lot: boolean | "open" | null, chance: number, wrong: string | "open" | null }} Check */

/** Lobby events other than `sit` that do not change the seating. */
const NEUTRAL_EVENTS = new Set(
  `open invite meet excuse explain extend remind vary begin hints rated unrated seats promise
   attach detach public place at clock helper computers-rated whole-turns
   unrated-until guest`.split(/\s+/),
);

/** Whether this browser can compute hashes, which requires a secure context. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/**
 * Checks a record.
 * @param {string} text
 * @returns {Promise<Check>}
 */
export async function check(text) {
  const lines = text.split("\n").flatMap(it => (it.startsWith("% ") ? [it.slice(2)] : []));
  const field = (/** @type {string} */ name) =>
    lines.find(it => it.startsWith(name))?.slice(name.length).trim() ?? "";
  const log = lines.slice(lines.indexOf("log") + 1).map(it => it.split(" "));
  const seed = bytesOf(log[0]?.[12] ?? "");
  const own = hex(await crypto.subtle.digest("SHA-256", seed));
  const start = log.findIndex(it => it[3] === "start");
  const lobby = log.slice(0, Math.max(start, 0));
  const promise = lobby.findLast(it => it[3] === "promise")?.[5] ?? null;
  const [started = "", , , , order] = log[start] ?? [];
  const people = seatedPeople(lobby, order);
  const draws = people && (await createDraws(seed, field("table "), people.join(",")));
  return {
    hash: field("commitment "),
    seed: seed.length === 32 && own === field("commitment "),
    promise: promise === null ? null : promise === own,
    late: promise === null && start > 0 && log[start]?.[2] === log[0]?.[2],
    lot: await checkLot(lobby, order, draws && draws(started)),
    chance: log.filter(it => it[3] === "chance").length,
    wrong: draws ? await checkChance(log, draws) : "open",
  };
}

/**
 * The people whose seats the draws depend on; `null` if the lobby has events that this check does
 * not replay.
 * @param {string[][]} lobby
 * @param {string} [order] the order of the seats
 */
function seatedPeople(lobby, order = "") {
  const sits = lobby.filter(it => it[3] === "sit");
  const people = sits.map(it => `${decodeWord(it[4])} ${decodeWord(it[2])}`);
  const isSimple = lobby.every(it => it[3] === "sit" || NEUTRAL_EVENTS.has(it[3] ?? ""));
  // The id of the update by which they took the seat may name a linked account, too.
  const isKnown = people.every(it => !it.split(/[ /]/).some(id => id.startsWith("deleted:")));
  return isSimple && isKnown && order.split(",").length === people.length ? people : null;
}

/**
 * Whether the order of the seats follows from the seed; null if it was not drawn, "open" if the
 * lobby has events that this check does not replay.
 * @param {string[][]} lobby
 * @param {string | undefined} order
 * @param {import("./verify-chance.js").Draw | null} draw
 */
async function checkLot(lobby, order, draw) {
  const begin = lobby.findLast(it => it[3] === "begin")?.[4] ?? lobby[0]?.[9];
  if (!order || begin !== "lot") return null;
  if (!draw) return "open";
  const seats = order.split(",").length;
  const drawn = await draw(seats);
  const seatOrder = Array.from({ length: seats }, (_, n) => n);
  // Two seats are swapped or not; of more seats the first one is drawn.
  const wanted =
    seats === 2
      ? drawn === 0
        ? [1, 0]
        : [0, 1]
      : seatOrder.map(it => (drawn + it) % seats);
  return wanted.join() === order;
}

/** Decodes a word of the log.
 * @param {string} [word] */
const decodeWord = (word = "") => (word === "%" ? "" : decodeURIComponent(word));

/** @param {string} digits */
const bytesOf = digits => Uint8Array.from(digits.match(/../g) ?? [], it => parseInt(it, 16));

/** @param {ArrayBuffer} bytes */
const hex = bytes =>
  Array.from(new Uint8Array(bytes), it => it.toString(16).padStart(2, "0")).join("");
