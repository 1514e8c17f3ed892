// The HTML of the viewer, inserted on first use.

import { translateDom } from "./words.js";

const TEMPLATE = `
  <div id="look-says" aria-live="polite"></div>
  <div id="look-chart" class="picture"></div>
  <div id="look-board" class="picture"></div>
  <div id="look-hand" class="picture" hidden></div>
  <div id="look-keys" class="keys"></div>
  <div id="look-bar" role="toolbar" data-t-label="viewer_bar">
    <button id="look-first" type="button" data-t-label="viewer_first">«</button>
    <button id="look-back" type="button" data-t-label="viewer_back">‹</button>
    <button id="look-play" type="button" data-t-label="viewer_play">▶</button>
    <button id="look-on" type="button" data-t-label="viewer_on">›</button>
    <button id="look-last" type="button" data-t-label="viewer_last">»</button>
    <div class="track">
      <input id="look-at" type="range" min="0" value="0" data-t-label="viewer_at" />
      <div id="look-ticks"></div>
    </div>
    <span id="look-count" aria-hidden="true"></span>
    <button id="look-speed" type="button" data-t-label="viewer_speed">×1</button>
    <button id="look-film" type="button" data-t-label="viewer_film" hidden>GIF</button>
    <button id="look-close" type="button" data-t-label="close">✕</button>
  </div>
`;

/** Inserts the viewer after the board. */
export function insertViewer() {
  const view = document.createElement("section");
  view.id = "look";
  view.hidden = true;
  view.dataset.tLabel = "viewer";
  view.innerHTML = TEMPLATE;
  document.getElementById("table")?.after(view);
  translateDom(document);
}
