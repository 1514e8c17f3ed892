// The HTML of the viewer, inserted on first use.

import { translateDom } from "./words.js";

const TEMPLATE = `
  <div id="viewer-text" aria-live="polite"></div>
  <div id="viewer-chart" class="picture"></div>
  <div id="viewer-board" class="picture"></div>
  <div id="viewer-hand" class="picture" hidden></div>
  <div id="viewer-keys" class="keys"></div>
  <div id="viewer-bar" role="toolbar" data-t-label="viewer_bar">
    <button id="viewer-first" type="button" data-t-label="viewer_first">«</button>
    <button id="viewer-back" type="button" data-t-label="viewer_back">‹</button>
    <button id="viewer-play" type="button" data-t-label="viewer_play">▶</button>
    <button id="viewer-next" type="button" data-t-label="viewer_on">›</button>
    <button id="viewer-last" type="button" data-t-label="viewer_last">»</button>
    <div class="track">
      <input id="viewer-slider" type="range" min="0" value="0" data-t-label="viewer_at" />
      <div id="viewer-ticks"></div>
    </div>
    <span id="viewer-count" aria-hidden="true"></span>
    <button id="viewer-speed" type="button" data-t-label="viewer_speed">×1</button>
    <button id="viewer-gif" type="button" data-t-label="viewer_film" hidden>GIF</button>
    <button id="viewer-close" type="button" data-t-label="close">✕</button>
  </div>
`;

/** Inserts the viewer after the board. */
export function insertViewer() {
  const view = document.createElement("section");
  view.id = "viewer";
  view.hidden = true;
  view.dataset.tLabel = "viewer";
  view.innerHTML = TEMPLATE;
  document.getElementById("table")?.after(view);
  translateDom(document);
}
