// Verifies the record of a finished game in the browser: that its seed matches the published hash,
// and that the lot for the first move follows from that seed. src/table/fair_random.rs describes
// the method. Throws and deals depend on the rules of each game; `caravanserai verify` recomputes
// them.

/** The result: `promise` is whether the hash shown in the lobby matches, `late` whether no hash was
 * shown before the start, `chance` the number of throws and deals.
 * @typedef {{ hash: string, seed: boolean, promise: boolean | null, late: boolean,
 *   lot: boolean | "open" | null, chance: number }} Check */

/** Lobby events other than `sit` that do not change the seating. */
const NEUTRAL_EVENTS = new Set(
  `open invite meet excuse explain extend remind vary begin hints rated unrated seats promise
   attach detach public place at clock whole-turns`.split(/\s+/),
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
  return {
    hash: field("commitment "),
    seed: seed.length === 32 && own === field("commitment "),
    promise: promise === null ? null : promise === own,
    late: promise === null && start > 0 && log[start]?.[2] === log[0]?.[2],
    lot: await checkLot(seed, field("table "), lobby, log[start] ?? []),
    chance: log.filter(it => it[3] === "chance").length,
  };
}

/**
 * Whether the order of the seats follows from the seed; null if it was not drawn, "open" if the
 * lobby has events that this check does not replay.
 * @param {Uint8Array} seed
 * @param {string} table
 * @param {string[][]} lobby
 * @param {string[]} start
 */
async function checkLot(seed, table, lobby, [number = "", , , , order]) {
  const begin = lobby.findLast(it => it[3] === "begin")?.[4] ?? lobby[0]?.[9];
  if (!order || begin !== "lot") return null;
  const sits = lobby.filter(it => it[3] === "sit");
  const people = sits.map(it => `${decodeWord(it[4])} ${decodeWord(it[2])}`);
  const isSimple = lobby.every(it => it[3] === "sit" || NEUTRAL_EVENTS.has(it[3] ?? ""));
  const isKnown = people.every(it => !it.startsWith("deleted:"));
  const seats = order.split(",").length;
  if (!isSimple || !isKnown || seats !== people.length) return "open";
  const drawn = await drawNumber(seed, `${table}/${number}`, people.join(","), seats);
  const seatOrder = [...people.keys()];
  // Two seats are swapped or not; of more seats the first one is drawn.
  const wanted =
    seats === 2
      ? drawn === 0
        ? [1, 0]
        : [0, 1]
      : seatOrder.map(it => (drawn + it) % seats);
  return wanted.join() === order;
}

/**
 * Draws a number below a limit for a line of the log.
 * @param {Uint8Array} seed
 * @param {string} line
 * @param {string} people
 * @param {number} limit
 */
async function drawNumber(seed, line, people, limit) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", seed, algorithm, false, ["sign"]);
  const most = 2n ** 64n - 1n;
  // Rejects values beyond the last full range, which would bias the result.
  const fair = most - (most % BigInt(limit));
  for (let n = 0; ; n++) {
    const text = new TextEncoder().encode(`${line}/${n}/${people}`);
    const value = new DataView(await crypto.subtle.sign("HMAC", key, text)).getBigUint64(0);
    if (value < fair) return Number(value % BigInt(limit));
  }
}

/** Decodes a word of the log.
 * @param {string} [word] */
const decodeWord = (word = "") => (word === "%" ? "" : decodeURIComponent(word));

/** @param {string} digits */
const bytesOf = digits => Uint8Array.from(digits.match(/../g) ?? [], it => parseInt(it, 16));

/** @param {ArrayBuffer} bytes */
const hex = bytes =>
  Array.from(new Uint8Array(bytes), it => it.toString(16).padStart(2, "0")).join("");
