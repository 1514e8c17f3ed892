// Line icons in place of signs that are no letters: a device without a font for emoji shows them as
// empty squares. Loaded after the first view.

import { all } from "./dom.js";

/** Paths that several icons share. */
const RING = "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  HEAD = "M16 7.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0z",
  MEDAL = "M17 15a5 5 0 1 1-10 0 5 5 0 0 1 10 0zM8.5 11 5 3h5l2 6M15.5 11 19 3h-5l-2 6",
  CYCLE = "M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5",
  CROSS = "M6 6l12 12M18 6 6 18",
  CHECK = "M4 12l5 5L20 6";

/** The path of each icon, of lines in a square of 24 units.
 * @type {Record<string, string>} */
const PATHS = {
  "☰": "M4 6h16M4 12h16M4 18h16",
  "⚙":
    "M18 12a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM12 2v4M12 18v4" +
    "M2 12h4M18 12h4M4.9 4.9l2.9 2.9M16.2 16.2l2.9 2.9M4.9 19.1l2.9-2.9M16.2 7.8l2.9-2.9",
  "⟲": "M4 12a8 8 0 1 0 2.4-5.7L4 9M4 4v5h5",
  "↺": "M4 12a8 8 0 1 0 2.4-5.7L4 9M4 4v5h5",
  "↻": "M20 12a8 8 0 1 1-2.4-5.7L20 9M20 4v5h-5",
  "▦": "M4 4h16v16H4zM4 12h16M12 4v16",
  "▣": "M4 4h16v16H4zM9 9h6v6H9z",
  "✎": "M4 20l1-5L16 4l4 4L9 19z",
  "✉": "M3 5h18v14H3zM3 7l9 6 9-6",
  "▶": "M7 4l13 8-13 8z",
  "⏸": "M8 5v14M16 5v14",
  "↩": "M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  "⬇": "M12 4v12M7 11l5 5 5-5M5 20h14",
  "✖": CROSS,
  "❌": CROSS,
  "✅": CHECK,
  "⏱": "M20 13a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 13V9M9 2h6",
  "⏳": "M6 3h12M6 21h12M7 3c0 5 4 6 5 9 1-3 5-4 5-9M7 21c0-5 4-6 5-9 1 3 5 4 5 9",
  "⚡": "M13 3 5 14h6l-1 7 8-11h-6z",
  "⌨": "M3 6h18v12H3zM7 10v.01M11 10v.01M15 10v.01M8 14h8",
  "♟": "M12 3a3 3 0 0 1 2 5.2c.3 3 1 5 3 7.8H7c2-2.8 2.7-4.8 3-7.8A3 3 0 0 1 12 3zM5 20h14",
  "⭐": "M12 3l2.8 5.9 6.2.9-4.5 4.5 1 6.4L12 17.6l-5.5 3.1 1-6.4L3 9.8l6.2-.9z",
  "⚔": "M4 4l13 13M14 19l5-5M17 17l3 3M20 4 7 17M10 19l-5-5M7 17l-3 3",
  "⚠": "M12 4 2.5 20h19zM12 10v5M12 17.5v.01",
  "🔗": "M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 0 1 0 10h-2M8 12h8",
  "📖": "M12 6v14c-2-1.5-5-2-9-2V4c4 0 7 .5 9 2 2-1.5 5-2 9-2v14c-4 0-7 .5-9 2",
  "💡":
    "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5a6 6 0 0 0-4-10.5z",
  "🤖": "M5 9h14v10H5zM12 9V4M9 13v1.5M15 13v1.5M2 12v4M22 12v4",
  "🎲": "M4 4h16v16H4zM8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01",
  "🏳": "M5 21V4c5-2 8 3 14 0v10c-6 3-9-2-14 0",
  "🤝": `${RING}M8 10h8M8 14h8`,
  "🔁": "M4 11V9a3 3 0 0 1 3-3h13M17 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H4M7 21l-3-3 3-3",
  "📄": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  "🏆": "M8 4h8v6a4 4 0 0 1-8 0zM8 5H4v2a4 4 0 0 0 4 4M16 5h4v2a4 4 0 0 1-4 4M12 14v5M8 20h8",
  "👋": "M4 12h12M11 7l5 5-5 5M20 4v16",
  "🚪": "M6 21V3h12v18M3 21h18M14 12v.01",
  "🪑": "M7 3v18M7 13h10v8M17 13V8H7",
  "🔔": "M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  "🃏": "M6 3h12v18H6zM12 8l3 4-3 4-3-4z",
  "👐": "M3 7l9-3v14l-9 3zM12 4l9 3v14l-9-3",
  "🔤": "M3 18 8 6l5 12M5 14h6M21 12v6M21 15a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  "👆":
    "M9 13V5a1.7 1.7 0 0 1 3.4 0v6l5 .8a2 2 0 0 1 1.6 2V16a5 5 0 0 1-5 5h-2a6 6 0 0 1-5-2.7" +
    "l-2.6-4a1.7 1.7 0 0 1 2.8-2z",
  "👉": "M4 12h15M13 6l6 6-6 6",
  "🔄": CYCLE,
  "🐢": "M4 16h14a6.5 6.5 0 0 0-13 0M18 16l3-4M7.5 16v3M14.5 16v3",
  "🐪": "M4 20v-8c1-3 3-3 4-1 1-4 4-4 6 0h2l2-6h3l-1 4-1 4-3 2v5M9 15v5",
  "🖼": "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M16 9v.01",
  "👁":
    "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  "🎬": "M3 9h18v11H3zM3 9l17-5 1 5M8 8l2-3M14 6l2-3",
  "📈": "M3 3v18h18M7 15l4-4 3 3 6-7",
  "🔍": "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM15 15l6 6",
  "🔒": "M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4",
  "👤": `${HEAD}M4 21c0-5 4-7 8-7s8 2 8 7`,
  "👥": `${HEAD}M4 21c0-5 4-7 8-7s8 2 8 7M19 4a4 4 0 0 1 0 7M22 19c0-2-.7-3.5-2-4.5`,
  "🌐": `${RING}M3 12h18M12 3c-5 6-5 12 0 18 5-6 5-12 0-18z`,
  "🗑": "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  "📋": "M5 5h14v16H5zM9 3h6v4H9zM9 12h6M9 16h6",
  "🗣": "M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5",
  "📜": "M7 4h12v13a3 3 0 0 1-3 3H5a2 2 0 0 1-2-2v-1h11M7 4a2 2 0 0 0-2 2v11M10 8h5M10 12h5",
  "🛡": "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  "🎖": MEDAL,
  "🏅": MEDAL,
  "🏛": "M3 9l9-6 9 6zM5 9v9M10 9v9M14 9v9M19 9v9M3 21h18",
  "🎯": `${RING}M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z`,
  "💬": "M4 5h16v11H10l-5 4v-4H4z",
};

/** The signs, also with the mark that asks for a coloured picture. */
const SIGNS = new RegExp(`(${Object.keys(PATHS).join("|")})\ufe0f?`, "u");
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} path */
function createIcon(path) {
  const it = document.createElementNS(SVG, "svg");
  const look = { viewBox: "0 0 24 24", width: "1.15em", height: "1.15em", fill: "none" };
  const lines = { stroke: "currentColor", "stroke-width": "2", "aria-hidden": "true" };
  const ends = { "stroke-linecap": "round", "stroke-linejoin": "round" };
  for (const [name, value] of Object.entries({ ...look, ...lines, ...ends })) {
    it.setAttribute(name, value);
  }
  it.style.verticalAlign = "-0.2em";
  const line = it.appendChild(document.createElementNS(SVG, "path"));
  line.setAttribute("d", path);
  return it;
}

/**
 * Replaces the signs in the text of an element by icons.
 * @param {Node} place
 * @param {boolean} isText whether signs stay that this device can draw
 */
export function drawIcons(place, isText) {
  if (isText && hasEmoji()) return;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const found = [];
  while (walker.nextNode()) {
    const it = /** @type {Text} */ (walker.currentNode);
    if (SIGNS.test(it.data)) found.push(it);
  }
  for (const it of found) {
    // `split` with a group puts the signs at odd indices.
    const parts = it.data.split(SIGNS);
    it.replaceWith(...parts.map((part, n) => (n % 2 ? createIcon(PATHS[part] ?? "") : part)));
  }
}

/** Replaces the signs of the buttons around the board. */
export function drawPageIcons() {
  const buttons = all(document, ".only-small, #viewer-open, .part .sign, .myself .sign");
  buttons.forEach(it => drawIcons(it, false));
}

/** Whether this device has a font for emoji: without one it draws all of them as the same square.
 * @type {boolean | null} */
let emoji = null;

function hasEmoji() {
  const draw = (/** @type {string} */ sign) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [24, 24];
    const pen = canvas.getContext("2d");
    if (pen) pen.font = "16px sans-serif";
    pen?.fillText(sign, 2, 18);
    return canvas.toDataURL();
  };
  emoji ??= draw("🎲") !== draw("🤝");
  return emoji;
}
