// The games of a room: a new one in three presses, tables that wait for players, games to watch.

import { newKey, picture, postSurely, roomPath, self } from "./api.js";
import { all, byId, style, update } from "./dom.js";
import { refuse, toast } from "./toasts.js";
import { face, make } from "./messages.js";
import { boards, isOpen, plays, room, tableLink } from "./rooms.js";
import { ownTables } from "./view.js";
import { t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").Member} Member */

/** The games, and the command that opens a table of each. */
const GAMES = [
  { code: "togyzkumalak", command: "togyz" },
  { code: "thaayam", command: "thaayam" },
  { code: "blot", command: "blot" },
];
const LEVELS = ["beginner", "easy", "medium", "strong", "master"];
/** Clocks to choose from, as the command understands them. */
const CLOCKS = ["", "3+2", "5+5", "15+10", "1 day"];
/** Over so many cards of one kind a room has no overview. */
const CARDS = 12;

let game = GAMES[0],
  /** `computer LEVEL`, `link`, `here`, or `person ID`. */
  opponent = "computer beginner",
  clock = "",
  here = "",
  starting = false;

/** Called before a command is sent.
 * @type {() => void} */
let beforeCommand = () => {};

/**
 * Begins to answer presses.
 * @param {() => void} onCommand called before a command is sent
 */
export async function start(onCommand) {
  beforeCommand = onCommand;
  await style(new URL("./games.css", import.meta.url));
  byId("game-start").addEventListener("click", () => void open());
  byId("game-learn").addEventListener("click", () => void command(`/rules ${game?.command}`, null));
}

/**
 * Shows the games of a room.
 * @param {string} name
 */
export function draw(name) {
  here = name;
  const online = (room(name).info?.people ?? []).filter(it => it.online && it.id !== self()?.id);
  if (opponent.startsWith("person ") && !online.some(it => opponent === `person ${it.id}`)) {
    opponent = "here";
  }
  drawGames();
  drawOpponents(online);
  drawClocks();
  byId("game-start").textContent = t(starting ? "sending" : "game_start");
  drawTables(name);
}

/**
 * A choice of which one is taken, in a group of them.
 * @param {string} label
 * @param {string} className
 * @param {() => void} does
 */
function choice(label, className, does) {
  const it = make("button", className);
  it.type = "button";
  it.setAttribute("role", "radio");
  it.setAttribute("aria-label", label);
  it.addEventListener("click", () => {
    does();
    draw(here);
  });
  it.addEventListener("keydown", e => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    const every = all(it.parentElement ?? document, "[role=radio]");
    const next = step && every[(every.indexOf(it) + step + every.length) % every.length];
    if (!next) return;
    e.preventDefault();
    next.focus();
    next.click();
  });
  return it;
}

/** @param {HTMLElement} it @param {boolean} on */
function check(it, on) {
  it.setAttribute("aria-checked", String(on));
  it.tabIndex = on ? 0 : -1;
}

/** The address of a drawing by name: all are in one file. */
const drawing = (/** @type {string} */ name) =>
  `${new URL("./choices.svg", import.meta.url).pathname}#${name}`;

function drawGames() {
  const create = (/** @type {typeof GAMES[0]} */ it) => {
    const button = choice(t(`game_${it.code}`), "game", () => (game = it));
    const icon = make("img");
    icon.src = drawing(`game-${it.code}`);
    icon.alt = "";
    button.append(icon, make("b"), make("small"));
    return button;
  };
  update(byId("game-list"), GAMES, it => it.code, create, (button, it) => {
    const [, name, about] = button.children;
    if (name) name.textContent = t(`game_${it.code}`);
    if (about) about.textContent = t(`game_${it.code}_about`);
    button.setAttribute("aria-label", `${t(`game_${it.code}`)}: ${t(`game_${it.code}_about`)}`);
    check(button, game === it);
  });
}

/** @param {Member[]} online */
function drawOpponents(online) {
  const others = here === "@" ? ["link"] : ["link", "here"];
  const every = [
    ...LEVELS.map(it => ({ key: `computer ${it}`, name: t(`level_${it}`), about: t(`level_${it}_about`) })),
    ...others.map(it => ({ key: it, name: t(`game_${it}`), about: t(`game_${it}_about`) })),
    ...online.map(it => ({ key: `person ${it.id}`, name: it.name, about: t("game_person_about") })),
  ];
  const create = (/** @type {typeof every[0]} */ it) => {
    const button = choice(it.name, "opponent", () => (opponent = it.key));
    button.append(portrait(it.key, it.name), make("span", "", make("b"), make("small")));
    return button;
  };
  update(byId("game-opponents"), every, it => it.key, create, (button, it) => {
    const [name, about] = all(button, "b, small");
    if (name) name.textContent = it.name;
    if (about) about.textContent = it.about;
    button.setAttribute("aria-label", `${it.name}: ${it.about}`);
    check(button, opponent === it.key);
  });
}

/**
 * The picture of an opponent.
 * @param {string} key
 * @param {string} name
 */
function portrait(key, name) {
  const [kind, who = ""] = key.split(" ");
  if (kind === "person") return face(who, name);
  const it = make("img", "portrait");
  it.src = drawing(`opponent-${kind === "computer" ? who : kind}`);
  it.alt = "";
  return it;
}

function drawClocks() {
  // A person who plays alone has unlimited time.
  byId("game-clock").hidden = opponent.startsWith("computer");
  const create = (/** @type {string} */ it) => choice(it, "pill", () => (clock = it));
  update(byId("game-clocks"), CLOCKS, it => it || "none", create, (button, it) => {
    const [game, increment] = it.split("+");
    button.textContent = it === "" ? t("clock_none") : increment ? it : t("clock_days", 1);
    const label = increment ? t("clock_game", { minutes: game ?? "", seconds: increment }) : "";
    button.setAttribute("aria-label", label || (button.textContent ?? ""));
    check(button, clock === it);
  });
}

/**
 * The tables of the room, those of this person first.
 * @param {string} name
 */
function drawTables(name) {
  const open = boards(name).filter(isOpen).reverse();
  const own = ownTables(name);
  const others = open.filter(m => !plays(m));
  const lists = /** @type {const} */ ([
    ["own", own],
    ["waiting", others.filter(m => m.board?.phase === "lobby")],
    ["playing", others.filter(m => m.board?.phase !== "lobby")],
  ]);
  for (const [id, tables] of lists) {
    byId(`tables-${id}`).hidden = tables.length === 0;
    const list = byId(`tables-${id}-list`);
    update(list, tables.slice(0, CARDS), it => it.table ?? "", card, change);
  }
}

function card() {
  const image = make("img");
  image.alt = "";
  return make("a", "card", image, make("b"), make("span", "who"), make("span", "state"));
}

/**
 * @param {HTMLElement} it
 * @param {Message} m
 */
function change(it, m) {
  it.setAttribute("href", tableLink(m.room, m.table ?? ""));
  const [image, game, who, state] = it.children;
  if (image instanceof HTMLImageElement && image.dataset.src !== (m.image?.src ?? "")) {
    const src = (image.dataset.src = m.image?.src ?? "");
    image.hidden = !src;
    // The picture before stays until the next one is there.
    if (src) picture(src).then(url => image.dataset.src === src && (image.src = url), () => {});
  }
  const board = m.board;
  if (game) game.textContent = board ? t(`game_${board.game}`) : (m.table ?? "");
  if (who) who.textContent = board?.names.join(", ") ?? "";
  const mine = plays(m);
  const yours = mine && m.waits_for === self()?.id;
  const key = board?.phase === "lobby" ? (mine ? "table_waits" : "table_join") : mine ? "table_back" : "table_watch";
  if (state) state.textContent = t(yours ? "your_turn" : key);
  it.classList.toggle("yours", yours);
}

/** Opens a table as it was chosen. */
async function open() {
  if (!game || starting) return;
  const [kind, who = ""] = opponent.split(" ");
  const rest = kind === "computer" ? "" : clock;
  const person = room(here).info?.people.find(it => it.id === who);
  const text = {
    computer: `/${game.command} computer ${who}`,
    person: `/${game.command} @${person?.name ?? ""} ${rest}`,
  }[kind ?? ""];
  await command((text ?? `/${game.command} me ${rest}`).trim(), person ?? null);
}

/**
 * Sends a command that only the bot reads; its result is public.
 * @param {string} text
 * @param {Member | null} person who is named in it
 */
async function command(text, person) {
  starting = true;
  beforeCommand();
  draw(here);
  const mentions = person ? [{ person: person.id, at: text.indexOf("@") }] : [];
  try {
    const body = { text, key: newKey(), mentions, silent: true };
    /** @type {{ whispers: import("./types").Whisper[] }} */
    const { whispers } = await postSurely(roomPath(here, "/messages"), body);
    whispers.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  } catch (e) {
    refuse(e);
  } finally {
    starting = false;
    draw(here);
  }
}
