// The games of a room: a new one in three presses, tables that wait for players, games to watch.

import { newKey, picture, postSurely, roomPath, self, sendPress } from "./api.js";
import { all, byId, style, update } from "./dom.js";
import { refuse, toast } from "./toasts.js";
import { face, make } from "./messages.js";
import { boards, isAsked, isOpen, plays, room, tableLink } from "./rooms.js";
import { lastFinished, ownTables } from "./view.js";
import { spell, t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").Member} Member */

/** The games, the command that opens a table of each, how many friends can be asked, and where
 * hands are hidden. */
export const GAMES = [
  { code: "togyzkumalak", command: "togyz", friends: 1 },
  { code: "thaayam", command: "thaayam", friends: 3 },
  { code: "blot", command: "blot", friends: 3, hidden: true },
];
const CODES = GAMES.map(it => it.code);
const LEVELS = ["beginner", "easy", "medium", "strong", "master"];
/** Clocks to choose from, as the command understands them. */
const CLOCKS = ["", "3+2", "5+5", "15+10", "1 day"];
/** Over so many cards of one kind a room has no overview. */
const CARDS = 12;

const PARTS = `
  <div id="tables-own" class="tables" hidden>
    <h2 data-t="own_tables"></h2>
    <div id="tables-own-list" class="cards"></div>
  </div>
  <div id="tables-waiting" class="tables" hidden>
    <h2 data-t="tables_waiting"></h2>
    <div id="tables-waiting-list" class="cards"></div>
  </div>
  <div id="new-game">
    <div class="title">
      <h2 data-t="game_new"></h2>
      <button id="analysis-open" class="quiet" type="button" data-t="analysis"></button>
      <button id="ratings-open" class="quiet" type="button" data-t="ratings"></button>
      <button id="history-open" class="quiet" type="button" data-t="games_over"></button>
    </div>
    <div id="game-list" role="radiogroup" data-t-label="game_which"></div>
    <h3 id="game-against" data-t="game_against"></h3>
    <div id="game-opponents" role="radiogroup" aria-labelledby="game-against"></div>
    <div id="game-people" hidden>
      <h3 id="game-friends-title" data-t="game_friends"></h3>
      <div id="game-friends" role="group" aria-labelledby="game-friends-title"></div>
    </div>
    <p id="game-about" class="hint"></p>
    <div class="row">
      <div id="game-clocks" role="radiogroup" data-t-label="clock"></div>
      <button id="game-start" class="good" type="button"></button>
      <button id="game-learn" class="quiet" type="button" data-t="hint_learn"></button>
    </div>
  </div>
  <div id="tables-playing" class="tables" hidden>
    <h2 data-t="tables_playing"></h2>
    <div id="tables-playing-list" class="cards"></div>
  </div>
`;

let game = GAMES[0],
  /** `computer LEVEL`, `link`, `here`, or `friends`. */
  opponent = "computer beginner",
  /** The ids of the friends who are asked, in the order in which they were named.
   * @type {string[]} */
  friends = [],
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
  byId("games").innerHTML = PARTS;
  spell(byId("games"));
  byId("game-start").addEventListener("click", () => void open());
  byId("history-open").addEventListener("click", () => {
    const back = () => byId("history-open").focus();
    import("./history.js").then(it => it.open(CODES, back)).catch(refuse);
  });
  byId("ratings-open").addEventListener("click", () => {
    import("./ratings.js").then(it => it.open(here, CODES, challenge)).catch(refuse);
  });
  byId("analysis-open").addEventListener("click", () => {
    import("./analysis.js").then(it => it.open()).catch(refuse);
  });
  byId("game-learn").addEventListener("click", () => void command([`/rules ${game?.command}`], []));
}

/**
 * Shows the games of a room.
 * @param {string} name
 */
export function draw(name) {
  here = name;
  const online = (room(name).info?.people ?? []).filter(it => it.online && it.id !== self()?.id);
  const isHere = (/** @type {string} */ id) => online.some(it => it.id === id);
  // The friend who was named last is meant where only one can be.
  friends = friends.filter(isHere).slice(-(game?.friends ?? 1));
  const isGone = opponent === "friends" ? !friends.length : name === "@" && opponent === "here";
  if (isGone) opponent = name === "@" ? "link" : "here";
  drawGames();
  drawOpponents();
  drawFriends(online);
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

function drawOpponents() {
  const others = here === "@" ? ["link"] : ["link", "here"];
  const every = [
    ...LEVELS.map(it => ({ key: `computer ${it}`, word: `level_${it}` })),
    ...others.map(it => ({ key: it, word: `game_${it}` })),
  ];
  const create = (/** @type {typeof every[0]} */ it) => {
    const button = choice(t(it.word), "opponent", () => {
      opponent = it.key;
      friends = [];
    });
    button.append(portrait(it.key, ""), make("b"));
    return button;
  };
  const list = byId("game-opponents");
  update(list, every, it => it.key, create, (button, it) => {
    const [name] = all(button, "b");
    if (name) name.textContent = t(it.word);
    button.title = t(`${it.word}_about`);
    button.setAttribute("aria-label", `${t(it.word)}: ${t(`${it.word}_about`)}`);
    check(button, opponent === it.key);
  });
  // One of them can be reached by keys also while friends are chosen.
  if (opponent === "friends") all(list, "[role=radio]")[0]?.setAttribute("tabindex", "0");
  const chosen = every.find(it => it.key === opponent);
  byId("game-about").textContent = chosen
    ? t(`${chosen.word}_about`)
    : t("game_friends_about", { n: String(game?.friends ?? 1) });
}

/**
 * The people of the room who are here: as many can be asked as have seats.
 * @param {Member[]} online
 */
function drawFriends(online) {
  byId("game-people").hidden = !online.length;
  const create = (/** @type {Member} */ it) => {
    const button = make("button", "opponent");
    button.type = "button";
    button.setAttribute("role", "checkbox");
    button.append(portrait(`person ${it.id}`, it.name), make("b"));
    button.addEventListener("click", () => {
      const isNamed = friends.includes(it.id);
      friends = isNamed ? friends.filter(id => id !== it.id) : [...friends, it.id];
      if (friends.length) opponent = "friends";
      draw(here);
    });
    return button;
  };
  update(byId("game-friends"), online, it => it.id, create, (button, it) => {
    const [name] = all(button, "b");
    if (name) name.textContent = it.name;
    button.setAttribute("aria-checked", String(friends.includes(it.id)));
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
  const isAlone = opponent.startsWith("computer");
  const create = (/** @type {string} */ it) => choice(it, "pill", () => (clock = it));
  update(byId("game-clocks"), CLOCKS, it => it || "none", create, (button, it) => {
    const [game, increment] = it.split("+");
    button.textContent = it === "" ? t("clock_none") : increment ? it : t("clock_days", 1);
    const label = increment ? t("clock_game", { minutes: game ?? "", seconds: increment }) : "";
    button.setAttribute("aria-label", label || (button.textContent ?? ""));
    button.toggleAttribute("disabled", isAlone && it !== "");
    check(button, isAlone ? it === "" : clock === it);
  });
}

/**
 * The tables of the room, those of this person first.
 * @param {string} name
 */
function drawTables(name) {
  const open = boards(name).filter(isOpen).reverse();
  const own = ownTables(name);
  const last = lastFinished(name);
  const asked = (/** @type {Message} */ m) => Number(isAsked(m));
  const others = open.filter(m => !plays(m)).sort((a, b) => asked(b) - asked(a));
  const lists = /** @type {const} */ ([
    ["own", last ? [...own, last] : own],
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
  const link = make("a", "open", image, make("b"), make("span", "who"), make("span", "state"));
  return make("div", "card", link, make("div", "answers"));
}

/** An answer to a challenge, on its card.
 * @param {Message} m @param {string} word @param {string} press */
function answer(m, word, press) {
  const it = make("button", word === "table_accept" ? "good" : "quiet", t(word));
  it.type = "button";
  it.addEventListener("click", async () => {
    it.disabled = true;
    beforeCommand();
    try {
      const whispers = await sendPress(m.room, { message: m.id, press });
      whispers.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
    } catch (e) {
      refuse(e);
    } finally {
      it.disabled = false;
    }
  });
  return it;
}

/**
 * @param {HTMLElement} it
 * @param {Message} m
 */
function change(it, m) {
  const [link, answers] = /** @type {[HTMLElement, HTMLElement]} */ ([...it.children]);
  link.setAttribute("href", tableLink(m.room, m.table ?? ""));
  const [image, game, who, state] = link.children;
  if (image instanceof HTMLImageElement && image.dataset.src !== (m.image?.src ?? "")) {
    const src = (image.dataset.src = m.image?.src ?? "");
    image.hidden = !src;
    // The picture before stays until the next one is there.
    if (src) picture(src).then(url => image.dataset.src === src && (image.src = url), () => {});
  }
  const board = m.board;
  if (game) game.textContent = board ? t(`game_${board.game}`) : (m.table ?? "");
  if (who) who.textContent = board?.names.join(", ") ?? "";
  const asks = isAsked(m) ? board?.answers : undefined;
  const yours = Boolean(asks) || (plays(m) && m.waits_for === self()?.id);
  const words = () =>
    asks ? t("table_asked", { name: board?.names[0] ?? "" }) : t(yours ? "your_turn" : word(m));
  if (state) state.textContent = words();
  it.classList.toggle("yours", yours);
  answers.hidden = !asks;
  const drawn = JSON.stringify([asks, t("table_accept")]);
  if (!asks || answers.dataset.drawn === drawn) return;
  answers.dataset.drawn = drawn;
  answers.replaceChildren(
    answer(m, "table_accept", asks.accept),
    answer(m, "table_decline", asks.decline),
  );
}

/** What can be done with a table.
 * @param {Message} m */
function word(m) {
  const { phase, open_seats: open = 0 } = m.board ?? {};
  if (phase === "over") return "table_last";
  if (plays(m)) return phase === "lobby" ? "table_waits" : "table_back";
  return phase === "lobby" && open ? "table_join" : "table_watch";
}

/** Chooses the friend with this id, who is here, for a new game.
 * @param {string} id */
function challenge(id) {
  [friends, opponent] = [[id], "friends"];
  draw(here);
  byId("game-start").focus();
}

/** Opens a table as it was chosen. */
async function open() {
  if (!game || starting) return;
  const [kind, level = ""] = opponent.split(" ");
  const people = room(here).info?.people ?? [];
  const named = friends.flatMap(id => people.find(it => it.id === id) ?? []);
  if (kind === "computer") await command([`/${game.command} computer ${level}`], []);
  else if (kind !== "friends") await command([`/${game.command} me ${clock}`], []);
  else await command([`/${game.command}`, ...named.map(it => `@${it.name}`), clock], named);
}

/**
 * Sends a command that only the bot reads; its result is public.
 * @param {string[]} parts the first one names the command, those after it people
 * @param {Member[]} named
 */
async function command(parts, named) {
  starting = true;
  beforeCommand();
  draw(here);
  const text = parts.join(" ").trim();
  const place = (/** @type {number} */ n) => parts.slice(0, n + 1).join(" ").length + 1;
  const mentions = named.map((it, n) => ({ person: it.id, at: place(n) }));
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
