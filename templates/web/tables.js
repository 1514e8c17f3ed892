// One's own tables, those that wait for their owner first.

import { get } from "./api.js";
import { byId } from "./dom.js";
import { make } from "./messages.js";
import { t } from "./words.js";

/** @typedef {import("./types").OwnTable} OwnTable */
/** So long lies between two requests for the list, in ms: it is never older than this. */
const PAUSE = 1500;
/** A request that failed is made again after so long, in ms. */
const RETRY = 3000;

let timer = 0,
  asked = -Infinity;

/**
 * Something happened at a table: the list is fetched, once for all that happens together.
 * @param {() => void} drawn
 */
export function stir(drawn) {
  if (timer) return;
  timer = setTimeout(() => void fetchList(drawn), Math.max(200, asked + PAUSE - performance.now()));
}

/** @param {() => void} drawn */
async function fetchList(drawn) {
  asked = performance.now();
  timer = 0;
  /** @type {{ tables: OwnTable[] | null }} */
  const { tables } = await get("/api/tables").catch(() => ({ tables: null }));
  if (!tables) {
    asked = performance.now() + RETRY - PAUSE;
    return stir(drawn);
  }
  draw(tables);
  drawn();
}

/** @param {OwnTable[]} tables */
function draw(tables) {
  const linked = tables.filter(it => it.link);
  byId("own-tables").hidden = linked.length === 0;
  byId("own-tables").replaceChildren(
    ...linked.map(it => {
      const link = make("a", it.your_turn ? "yours" : "", make("span", "name", it.says));
      link.href = it.link ?? "";
      if (it.your_turn) {
        const badge = make("span", "badge calls", "▶");
        badge.setAttribute("role", "img");
        badge.setAttribute("aria-label", t("your_turn"));
        link.prepend(badge);
      }
      return make("li", "", link);
    }),
  );
}
