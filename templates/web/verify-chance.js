// Recomputes the throws and deals of a finished game from its seed. src/table/fair_random.rs
// describes the method; the outcomes are those of each game's `draw_chance`.

/** Draws a number below a limit.
 * @typedef {(limit: number) => Promise<number>} Draw */

/** The draws of a game by its code, for the revision of its rules that this page knows. Each returns
 * the outcome as it is written in the log; `logged` is the outcome in the record.
 * @type {Record<string, { revision: string, draw: (draw: Draw, logged: string) => Promise<string> }>} */
const GAMES = {
  thaayam: { revision: "r1", draw: drawSeries },
  blot: { revision: "r1", draw: drawDeal },
};

/** The most throws of one series. */
const SERIES_MAX = 63;

/**
 * Prepares the draws of the lines of a log.
 * @param {Uint8Array} seed
 * @param {string} table
 * @param {string} people
 * @returns {Promise<(line: string) => Draw>}
 */
export async function createDraws(seed, table, people) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", seed, algorithm, false, ["sign"]);
  const most = 2n ** 64n - 1n;
  return line => {
    let drawn = 0;
    return async limit => {
      // Rejects values beyond the last full range, which would bias the result.
      const fair = most - (most % BigInt(limit));
      for (;;) {
        const text = new TextEncoder().encode(`${table}/${line}/${drawn++}/${people}`);
        const value = new DataView(await crypto.subtle.sign("HMAC", key, text)).getBigUint64(0);
        if (value < fair) return Number(value % BigInt(limit));
      }
    };
  };
}

/**
 * Compares the throws and deals of a log with those that follow from its seed. Returns the number
 * of the first line with another outcome, `null` if there is none, "open" if the rules of the game
 * are not known here.
 * @param {string[][]} log
 * @param {(line: string) => Draw} drawsOf
 * @returns {Promise<string | null>}
 */
export async function checkChance(log, drawsOf) {
  const [, , , , , code = "", revision] = log[0] ?? [];
  const game = GAMES[code];
  // Lines of another table, or those of other rules, draw in another way.
  if (!game || game.revision !== revision) return "open";
  if (log.some((it, n) => Number(it[0]) !== n)) return "open";
  for (const [line = "", , , kind, logged = ""] of log) {
    if (kind !== "chance") continue;
    if ((await game.draw(drawsOf(line), logged)) !== logged) return line;
  }
  return null;
}

/**
 * Throws four dice, each with three white and three black faces, until 2 or 3 comes.
 * @param {Draw} draw
 */
async function drawSeries(draw) {
  let throws = "";
  for (;;) {
    const black = [...(await draw(16)).toString(2)].filter(it => it === "1").length;
    if (black === 2 || black === 3) return throws + black;
    if (throws.length < SERIES_MAX - 1) throws += black === 0 ? 8 : black;
  }
}

/**
 * Shuffles the pack and deals eight cards to each seat; the first deal of a match also draws the
 * dealer. Sixteen hexadecimal digits name the owners, two bits a card.
 * @param {Draw} draw
 * @param {string} logged
 */
async function drawDeal(draw, logged) {
  const dealer = logged.includes("-") ? `${await draw(4)}-` : "";
  const pack = Array.from({ length: 32 }, (_, n) => n);
  for (let n = 31; n > 0; n--) {
    const other = await draw(n + 1);
    [pack[n], pack[other]] = [pack[other] ?? 0, pack[n] ?? 0];
  }
  const owners = pack.map((_, card) => Math.floor(pack.indexOf(card) / 8));
  return dealer + owners.reduce((all, it) => all * 4n + BigInt(it), 0n).toString(16).padStart(16, "0");
}
