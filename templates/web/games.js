// The games panel of a room: new game, own tables, lobbies, games to watch.

import {
  newRequestKey,
  postToRoom,
  currentIdentity,
  sendPress,
} from "./api.js";
import { all, byId, focusedElement, loadStylesheet, update } from "./dom.js";
import { imageUrl } from "./files.js";
import { loadTranslations } from "./lazy-translations.js";
import { showError, toast } from "./toasts.js";
import { avatar, createElement, drawIcons, markUnsent } from "./messages.js";
import { tableMessages, isInvited, isTableOpen, isPlayer, room, tableLink } from "./rooms.js";
import { lastFinished, ownTables, waitsForMe } from "./visible-table.js";
import { translateDom, t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").RoomMember} RoomMember */

/** The games: command, most friends that can be invited, and whether hands are hidden. */
export const GAMES = [
  { code: "togyzkumalak", command: "togyz", friends: 1 },
  { code: "thaayam", command: "thaayam", friends: 3 },
  { code: "blot", command: "blot", friends: 3, hidden: true },
];
const CODES = GAMES.map(it => it.code);
const LEVELS = ["beginner", "easy", "medium", "strong", "master"];
/** The clocks as arguments of the command. */
const CLOCKS = ["", "3+2", "5+5", "15+10", "1 day"];
/** The most cards in a list. */
const CARDS_MAX = 12;
/** The opponent that is chosen at first. */
const FIRST_OPPONENT = "computer beginner";

const TEMPLATE = `
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
    <p id="game-about" class="hint"></p>
    <div id="game-people" hidden>
      <h3 id="game-friends-title" data-t="game_friends"></h3>
      <div id="game-friends" role="group" aria-labelledby="game-friends-title"></div>
    </div>
    <div class="choices">
      <div id="game-clocks" role="radiogroup" data-t-label="clock"></div>
      <div id="game-counts" role="radiogroup" data-t-label="game_counts"></div>
    </div>
    <div class="row">
      <button id="game-start" class="good" type="button"></button>
      <button id="game-learn" class="quiet" type="button">
        <span aria-hidden="true">📖</span> <span data-t="hint_learn"></span>
      </button>
    </div>
  </div>
  <div id="tables-playing" class="tables" hidden>
    <h2 data-t="tables_playing"></h2>
    <div id="tables-playing-list" class="cards"></div>
  </div>
`;

let selectedGame = GAMES[0],
  /** `computer LEVEL`, `link`, `here`, or `friends`. */
  opponent = FIRST_OPPONENT,
  /** The ids of the invited friends, in the order in which they were chosen.
   * @type {string[]} */
  friends = [],
  clock = "",
  /** The word for a game just for fun, or an empty string: it counts if it can. */
  casual = "",
  here = "",
  starting = false;

/** Called before a command is sent.
 * @type {() => void} */
let beforeCommand = () => {};

/**
 * Inserts the panel.
 * @param {() => void} onCommand called before a command is sent
 */
export async function start(onCommand) {
  beforeCommand = onCommand;
  await Promise.all([
    loadStylesheet(new URL("./games.css", import.meta.url)),
    loadTranslations("games"),
  ]);
  byId("games").innerHTML = TEMPLATE;
  translateDom(byId("games"));
  drawIcons(byId("game-learn"));
  byId("game-start").addEventListener("click", () => void startGame());
  byId("history-open").addEventListener("click", () => {
    const back = () => byId("history-open").focus();
    import("./history.js").then(it => it.open(CODES, back)).catch(showError);
  });
  byId("ratings-open").addEventListener("click", () => {
    import("./ratings.js").then(it => it.open(here, CODES, challengeFriend)).catch(showError);
  });
  byId("analysis-open").addEventListener("click", () => {
    import("./analysis.js").then(it => it.open()).catch(showError);
  });
  byId("game-learn").addEventListener(
    "click",
    () => void sendCommand([`/rules ${selectedGame?.command}`], [], t("hint_learn")),
  );
}

/**
 * Draws the games panel of a room.
 * @param {string} name
 */
export function drawGamesPanel(name) {
  const isElsewhere = name !== here;
  here = name;
  // Where only one friend can be invited, the last chosen one is. A friend who reloads the page is
  // offline for a moment, and stays chosen.
  const members = namedMembers(friends).slice(-(selectedGame?.friends ?? 1));
  friends = members.map(it => it.id);
  if (isElsewhere && opponent === "friends" && !friends.length) opponent = FIRST_OPPONENT;
  if (here === "@" && opponent === "here") opponent = "link";
  drawGames();
  drawOpponents();
  drawFriends();
  drawClocks();
  drawCounts();
  const start = byId("game-start");
  start.textContent = t(starting ? "sending" : "game_start");
  // The chosen friends have left the room: an open table would be for anybody.
  start.toggleAttribute("disabled", opponent === "friends" && !friends.length);
  drawTables(name);
}

/**
 * Creates a radio button.
 * @param {string} label
 * @param {string} className
 * @param {() => void} onSelect
 */
function createRadio(label, className, onSelect) {
  const it = createElement("button", className);
  it.type = "button";
  it.setAttribute("role", "radio");
  it.setAttribute("aria-label", label);
  it.addEventListener("click", () => {
    onSelect();
    drawGamesPanel(here);
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
function setChecked(it, on) {
  it.setAttribute("aria-checked", String(on));
  it.tabIndex = on ? 0 : -1;
}

/** The URL of an icon; all are in one file. */
const iconUrl = (/** @type {string} */ name) =>
  `${new URL("./choices.svg", import.meta.url).pathname}#${name}`;

function drawGames() {
  const create = (/** @type {typeof GAMES[0]} */ it) => {
    const button = createRadio(t(`game_${it.code}`), "game", () => (selectedGame = it));
    const icon = createElement("img");
    icon.src = iconUrl(`game-${it.code}`);
    icon.alt = "";
    button.append(icon, createElement("b"), createElement("small"));
    return button;
  };
  update(byId("game-list"), GAMES, it => it.code, create, (button, it) => {
    const [, name, about] = button.children;
    if (name) name.textContent = t(`game_${it.code}`);
    if (about) about.textContent = t(`game_${it.code}_about`);
    button.setAttribute("aria-label", `${t(`game_${it.code}`)}: ${t(`game_${it.code}_about`)}`);
    setChecked(button, selectedGame === it);
  });
}

function drawOpponents() {
  const others = here === "@" ? ["link"] : ["link", "here"];
  const every = [
    ...LEVELS.map(it => ({ key: `computer ${it}`, word: `level_${it}` })),
    ...others.map(it => ({ key: it, word: `game_${it}` })),
  ];
  const create = (/** @type {typeof every[0]} */ it) => {
    const button = createRadio(t(it.word), "opponent", () => {
      opponent = it.key;
      friends = [];
    });
    button.append(opponentImage(it.key, ""), createElement("b"));
    return button;
  };
  const list = byId("game-opponents");
  update(list, every, it => it.key, create, (button, it) => {
    const [name] = all(button, "b");
    if (name) name.textContent = t(it.word);
    button.title = t(`${it.word}_about`);
    button.setAttribute("aria-label", `${t(it.word)}: ${t(`${it.word}_about`)}`);
    setChecked(button, opponent === it.key);
  });
  // Keeps a tab stop while friends are chosen.
  if (opponent === "friends") all(list, "[role=radio]")[0]?.setAttribute("tabindex", "0");
  const chosen = every.find(it => it.key === opponent);
  byId("game-about").textContent = chosen
    ? t(`${chosen.word}_about`)
    : t("game_friends_about", { n: String(selectedGame?.friends ?? 1) });
}

/** The other people of the room. */
const otherMembers = () =>
  (room(here).info?.people ?? []).filter(it => it.id !== currentIdentity()?.id);

/**
 * The people with these ids who are in the room, in the order of the ids.
 * @param {string[]} ids
 */
const namedMembers = ids => ids.flatMap(id => otherMembers().find(it => it.id === id) ?? []);

/** Draws the online people of the room, and those who are chosen, as friends to invite. */
function drawFriends() {
  const shown = otherMembers().filter(it => it.online || friends.includes(it.id));
  byId("game-people").hidden = !shown.length;
  const create = (/** @type {RoomMember} */ it) => {
    const button = createElement("button", "opponent");
    button.type = "button";
    button.setAttribute("role", "checkbox");
    button.append(opponentImage(`person ${it.id}`, it.name), createElement("b"));
    button.addEventListener("click", () => {
      const isNamed = friends.includes(it.id);
      friends = isNamed ? friends.filter(id => id !== it.id) : [...friends, it.id];
      if (friends.length) opponent = "friends";
      else if (opponent === "friends") opponent = here === "@" ? "link" : "here";
      drawGamesPanel(here);
    });
    return button;
  };
  update(byId("game-friends"), shown, it => it.id, create, (button, it) => {
    const [name] = all(button, "b");
    if (name) name.textContent = it.name;
    button.setAttribute("aria-checked", String(friends.includes(it.id)));
  });
}

/**
 * Creates the image of an opponent.
 * @param {string} key
 * @param {string} name
 */
function opponentImage(key, name) {
  const [kind, who = ""] = key.split(" ");
  if (kind === "person") return avatar(who, name);
  const it = createElement("img", "portrait");
  it.src = iconUrl(`opponent-${kind === "computer" ? who : kind}`);
  it.alt = "";
  return it;
}

function drawClocks() {
  // Games against computers have no clock.
  const isAlone = opponent.startsWith("computer");
  const create = (/** @type {string} */ it) => createRadio(it, "pill", () => (clock = it));
  update(byId("game-clocks"), CLOCKS, it => it || "none", create, (button, it) => {
    const [game, increment] = it.split("+");
    button.textContent = it === "" ? t("clock_none") : increment ? it : t("clock_days", 1);
    const label = increment ? t("clock_game", { minutes: game ?? "", seconds: increment }) : "";
    button.setAttribute("aria-label", label || (button.textContent ?? ""));
    button.toggleAttribute("disabled", isAlone && it !== "");
    setChecked(button, isAlone ? it === "" : clock === it);
  });
}

/** Draws the choice between a rated and a casual game. */
function drawCounts() {
  const create = (/** @type {string} */ it) => createRadio(it, "pill", () => (casual = it));
  update(byId("game-counts"), ["", "casual"], it => it || "rated", create, (button, it) => {
    const label = t(it ? "game_casual" : "game_rated");
    button.textContent = label;
    button.setAttribute("aria-label", label);
    setChecked(button, casual === it);
  });
}

/**
 * Draws the tables of the room, own tables first.
 * @param {string} name
 */
function drawTables(name) {
  const open = tableMessages(name).filter(isTableOpen).reverse();
  const own = ownTables(name);
  const last = lastFinished(name);
  const asked = (/** @type {Message} */ m) => Number(isInvited(m));
  const others = open.filter(m => !isPlayer(m)).sort((a, b) => asked(b) - asked(a));
  const lists = /** @type {const} */ ([
    ["own", !last || own.includes(last) ? own : [...own, last]],
    ["waiting", others.filter(m => m.board?.phase === "lobby")],
    ["playing", others.filter(m => m.board?.phase !== "lobby")],
  ]);
  const focused = focusedElement();
  for (const [id, tables] of lists) {
    byId(`tables-${id}`).hidden = tables.length === 0;
    const list = byId(`tables-${id}-list`);
    update(
      list,
      tables.slice(0, CARDS_MAX),
      it => it.table ?? "",
      createTableCard,
      updateTableCard,
    );
  }
  // The focused button or card was removed.
  if (focused && !focused.isConnected) byId("games").focus({ preventScroll: true });
}

function createTableCard() {
  const image = createElement("img");
  image.alt = "";
  const link = createElement(
    "a",
    "open",
    image,
    createElement("b"),
    createElement("span", "who"),
    createElement("span", "state"),
  );
  return createElement("div", "card", link, createElement("div", "answers"));
}

/** Creates a button that joins a table or answers an invitation.
 * @param {Message} m @param {string} word @param {string} press */
function answerButton(m, word, press) {
  const it = createElement("button", word === "table_decline" ? "quiet" : "good", t(word));
  it.type = "button";
  it.addEventListener("click", async () => {
    // A disabled button would lose the focus.
    if (it.ariaBusy) return;
    it.ariaBusy = "true";
    beforeCommand();
    try {
      /** @type {import("./api.js").OnDelay} */
      const onDelay = withdraw => markUnsent(it, t(word), withdraw);
      const replies = await sendPress(m.room, { message: m.id, press }, onDelay, t(word));
      replies.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
    } catch (e) {
      showError(e);
    } finally {
      it.ariaBusy = null;
      it.classList.remove("late");
    }
  });
  return it;
}

/**
 * @param {HTMLElement} it
 * @param {Message} m
 */
function updateTableCard(it, m) {
  const [link, answers] = /** @type {[HTMLElement, HTMLElement]} */ ([...it.children]);
  link.setAttribute("href", tableLink(m.room, m.table ?? ""));
  const [image, game, who, state] = link.children;
  if (image instanceof HTMLImageElement && image.dataset.src !== (m.image?.src ?? "")) {
    const src = (image.dataset.src = m.image?.src ?? "");
    image.hidden = !src;
    const isCurrent = () => image.dataset.src === src;
    // Keeps the previous image until the next one is loaded.
    if (src)
      imageUrl(src).then(
        url => isCurrent() && (image.src = url),
        () => {
          // The previous image is of another position. The next update tries again.
          if (!isCurrent()) return;
          image.hidden = true;
          delete image.dataset.src;
        },
      );
  }
  const board = m.board;
  if (game) game.textContent = board ? t(`game_${board.game}`) : (m.table ?? "");
  if (who) who.textContent = board?.names.join(", ") ?? "";
  const asks = isInvited(m) ? board?.answers : undefined;
  const yours = Boolean(asks) || (isPlayer(m) && waitsForMe(m));
  const key = yours && board?.phase !== "over" ? "your_turn" : cardTextKey(m);
  const words = () =>
    asks
      ? t("table_asked", { name: board?.names[0] ?? "" })
      : t(key, { n: String(board?.open_seats ?? 0) });
  if (state) state.textContent = words();
  it.classList.toggle("yours", yours);
  const buttons = asks
    ? { table_accept: asks.accept, table_decline: asks.decline }
    : canJoin(m) && board?.answers
      ? { table_join: board.answers.accept }
      : {};
  answers.hidden = !Object.keys(buttons).length;
  // The board may have been posted again, with another number.
  const drawn = JSON.stringify([m.id, buttons, t("table_accept")]);
  if (answers.dataset.drawn === drawn) return;
  answers.dataset.drawn = drawn;
  answers.replaceChildren(
    ...Object.entries(buttons).map(([word, press]) => answerButton(m, word, press)),
  );
}

/** Whether the user can take a free seat.
 * @param {Message} m */
const canJoin = m => m.board?.phase === "lobby" && !isPlayer(m) && Boolean(m.board.open_seats);

/** The text key of what the user can do at a table.
 * @param {Message} m */
function cardTextKey(m) {
  const phase = m.board?.phase;
  if (phase === "over") return waitsForMe(m) ? "table_again" : "table_last";
  if (isPlayer(m)) return phase === "lobby" ? "table_waits" : "table_back";
  return canJoin(m) ? "table_free" : "table_watch";
}

/** Selects an online friend for a new game.
 * @param {string} id */
function challengeFriend(id) {
  [friends, opponent] = [[id], "friends"];
  drawGamesPanel(here);
  byId("game-start").focus();
}

/** Opens a table with the selected game, opponent and clock. */
async function startGame() {
  if (!selectedGame || starting) return;
  const [kind, level = ""] = opponent.split(" ");
  const named = namedMembers(friends);
  const command = `/${selectedGame.command}`;
  const options = `${clock} ${casual}`.trim();
  starting = true;
  drawGamesPanel(here);
  try {
    if (kind === "computer") await sendCommand([`${command} computer ${level} ${casual}`], []);
    else if (kind !== "friends")
      await sendCommand([`${command} ${kind === "link" ? "link" : "me"} ${options}`], []);
    else if (named.length)
      await sendCommand([command, ...named.map(it => `@${it.name}`), options], named);
  } finally {
    starting = false;
    drawGamesPanel(here);
  }
}

/**
 * Sends a command that only the bot reads; its result is public.
 * @param {string[]} parts the first one names the command, those after it people
 * @param {RoomMember[]} people
 * @param {string} label the text of the pressed button
 */
async function sendCommand(parts, people, label = t("game_start")) {
  beforeCommand();
  const text = parts.join(" ").trim();
  const positionOf = (/** @type {number} */ n) => parts.slice(0, n + 1).join(" ").length + 1;
  const mentions = people.map((it, n) => ({ person: it.id, at: positionOf(n) }));
  try {
    const body = { text, key: newRequestKey(), mentions, silent: true };
    const request = { room: here, rest: "/messages", body, label };
    /** @type {{ whispers: import("./types").PrivateReply[] }} */
    const { whispers: replies } = await postToRoom(request, withdraw =>
      markUnsent(null, label, withdraw),
    );
    replies.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  } catch (e) {
    showError(e);
  }
}

/**
 * Joins the table of a link in the private chat, unless the person has gone elsewhere since.
 * @param {string} code
 */
export async function joinLinkedTable(code) {
  if (!location.hash.includes(code)) return;
  const body = { text: `/private ${code}`, key: newRequestKey() },
    joined = postToRoom({ room: "@", rest: "/messages", body });
  // From here on a reload repeats the request, not the link.
  history.replaceState(null, "", "#/@");
  await joined;
}
