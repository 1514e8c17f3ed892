// One's own tables, those that wait for their owner first.

import { get } from "./api.js";
import { byId } from "./dom.js";
import { make } from "./messages.js";
import { t } from "./words.js";

/** @typedef {import("./types").OwnTable} OwnTable */
/** So long is waited for more news before the list is asked for again, in ms: of what is before
 * one's eyes, and of the rest. */
const BREATH = [2000, 400];

let timer = 0;

/**
 * Something happened at a table: the list is fetched soon, once for all that happens together.
 * @param {boolean} seen
 * @param {() => void} drawn
 */
export function stir(seen, drawn) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    /** @type {{ tables: OwnTable[] | null }} */
    const { tables } = await get("/api/tables").catch(() => ({ tables: null }));
    if (!tables) return;
    draw(tables);
    drawn();
  }, BREATH[seen ? 0 : 1]);
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
