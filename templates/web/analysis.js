// A board on which one analyses: moves for both sides, any position, and what a strong player thinks
// of it. It takes the place of the games of a room; nothing of it is kept.

import { post, Refused, wait } from "./api.js";
import { lay, walk } from "./board.js";
import { all, byId, style, target, update } from "./dom.js";
import { GAMES } from "./games.js";
import { arrow } from "./marks.js";
import { keyboard, make } from "./messages.js";
import { addWords } from "./more-words.js";
import { hidePanel, isPanel, showPanel } from "./panels.js";
import { Drawn, drawings, upright } from "./picture.js";
import { refuse, toast } from "./toasts.js";
import { onLanguage, spell, t } from "./words.js";

/** @typedef {import("./types").Analysed} Analysed */
/** @typedef {import("./types").Evaluation} Evaluation */
/** @typedef {import("./types").SetupPart} SetupPart */
/** @typedef {import("./types").Area} Area */
/** @typedef {import("./types").AnalysisRoot} Root */
/** @typedef {{ label: string, press: string, at: Area }} Place */

/** How long a move is seen to happen, in ms. */
const STEP = 450,
  /** How often an evaluation is asked for again when there is no room for it, and after how long. */
  ASKED = 4,
  PAUSE = 900,
  /** So many evaluations are remembered. */
  REMEMBERED = 200;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const PARTS = `
  <header>
    <button id="analysis-close" class="icon" type="button" data-t-label="analysis_back">←</button>
    <h2 id="analysis-title" tabindex="-1" data-t="analysis"></h2>
    <div id="analysis-which" role="group" data-t-label="analysis_which"></div>
  </header>
  <div class="main">
    <div id="analysis-meter" role="meter" aria-valuemin="0" aria-valuemax="100">
      <i></i><b aria-hidden="true"></b><b aria-hidden="true"></b>
    </div>
    <div id="analysis-board" class="picture"></div>
  </div>
  <div class="side">
    <div id="analysis-tools" role="toolbar" data-t-label="analysis">
      <button id="analysis-start" class="quiet" type="button" data-t-label="analysis_start">«</button>
      <button id="analysis-undo" class="quiet" type="button" data-t-label="analysis_undo">‹</button>
      <button id="analysis-redo" class="quiet" type="button" data-t-label="analysis_redo">›</button>
      <button id="analysis-turn" class="quiet" type="button" data-t-label="analysis_turn">⇅</button>
      <button id="analysis-setup" class="quiet" type="button" data-t="analysis_setup"></button>
    </div>
    <p id="analysis-says" role="status"></p>
    <div id="analysis-lines" role="group" data-t-label="analysis_lines"></div>
    <div id="analysis-outcomes" role="group" data-t-label="analysis_outcome" hidden></div>
    <div id="analysis-keys" class="keys"></div>
    <div id="analysis-edit" hidden>
      <p id="analysis-fault" role="status"></p>
      <div id="analysis-number" role="group" aria-labelledby="analysis-part-name" hidden>
        <b id="analysis-part-name"></b>
        <button id="analysis-less" class="quiet" type="button" data-t-label="analysis_less">−</button>
        <input id="analysis-value" type="number" min="0" inputmode="numeric"
          aria-labelledby="analysis-part-name" />
        <button id="analysis-more" class="quiet" type="button" data-t-label="analysis_more">+</button>
      </div>
      <div id="analysis-values" role="group"></div>
      <div id="analysis-parts" role="group" data-t-label="analysis_part"></div>
      <p class="hint" data-t="analysis_part"></p>
      <div class="row">
        <button id="analysis-done" class="good" type="button" data-t="analysis_done"></button>
        <button id="analysis-empty" class="quiet" type="button" data-t="analysis_empty"></button>
        <button id="analysis-leave" class="quiet" type="button" data-t="cancel"></button>
      </div>
    </div>
    <form id="analysis-form">
      <label><span data-t="analysis_text"></span>
        <input id="analysis-text" maxlength="400" spellcheck="false" autocomplete="off"
          autocapitalize="off" /></label>
      <div class="row">
        <button id="analysis-copy" class="quiet" type="button" data-t="analysis_copy"></button>
        <button class="quiet" type="submit" data-t="analysis_show"></button>
      </div>
    </form>
  </div>
`;

/** The games that can be analysed, by code. */
const CODES = GAMES.filter(it => !it.hidden).map(it => it.code);
/** @type {Root} */
let root = { game: "", options: null, position: null };
/** What was chosen since then, and what was taken back of it.
 * @type {string[]} */
let steps = [],
  /** @type {string[]} */
  ahead = [];
/** The throws that were chosen of an outcome that is not complete. */
let outcome = "";
/** The values of a position that is being set up.
 * @type {string[] | null} */
let setup = null;
/** The part whose value is chosen. */
let selected = -1;
let below = 0;
/** What is shown.
 * @type {Analysed | null} */
let shown = null;
/** @type {Evaluation | null} */
let found = null;
/** The number of the last request for a position: the answers of earlier ones come too late. */
let latest = 0;
/** The request that a press has made and that has no answer yet; 0 if there is none. Other presses
 * are ignored meanwhile. */
let awaited = 0;
/** Counts how often the board was opened and left. */
let visits = 0;
/** @type {Map<string, Evaluation>} */
const remembered = new Map();
/** @type {any} */
let drawn = null;
/** @type {Promise<void> | null} */
let placed = null;
/** What had the focus before. */
let before = "";

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * Opens the board.
 * @param {Root} [from] where to begin; the first game if it is not said
 */
export async function open(from) {
  before = document.activeElement?.id ?? "";
  const visit = ++visits;
  placed ??= place().catch(e => {
    placed = null;
    throw e;
  });
  await placed;
  // Who went elsewhere meanwhile stays there.
  if (visit !== visits) return;
  if (from) restore();
  showPanel("analysis");
  byId("analysis-title").focus();
  const first = { game: CODES[0] ?? "", options: null, position: null };
  await (from || !shown ? begin(from ?? first) : show(0));
}

const isOpen = () => isPanel("analysis");

function close() {
  visits++;
  if (!isOpen()) return;
  restore();
  hidePanel("analysis");
}

/** Waits for no answer any more: what is shown counts. */
function restore() {
  latest++;
  awaited = 0;
  setState(shownState);
}

/** Puts the board into the page. */
async function place() {
  // Who presses for a new game, or goes to another room, is no longer here.
  byId("games-open").addEventListener("click", close);
  window.addEventListener("hashchange", close);
  await Promise.all([style(new URL("./analysis.css", import.meta.url)), addWords("analysis")]);
  // The games of the room come first: they fill the place.
  while (!document.getElementById("new-game")) await wait(30);
  const section = make("div");
  section.id = "analysis";
  section.innerHTML = PARTS;
  byId("games").append(section);
  spell(section);
  drawn = new Drawn(byId("analysis-board"));
  onLanguage(() => {
    const shownAgain = addWords("analysis").then(() => {
      spell(section);
      if (isOpen()) return show(0);
    });
    void shownAgain.catch(refuse);
  });
  upright.addEventListener("change", () => {
    if (isOpen()) void show(0).catch(refuse);
  });
  section.addEventListener("keydown", keys);
  /** @type {[string, () => unknown][]} */
  const does = [
    ["analysis-close", leave],
    ["analysis-start", () => begin({ ...root, position: null })],
    ["analysis-undo", undo],
    ["analysis-redo", redo],
    ["analysis-turn", turnBoard],
    ["analysis-setup", beginSetup],
    ["analysis-done", endSetup],
    ["analysis-empty", empty],
    ["analysis-leave", leaveSetup],
    ["analysis-less", () => add(-1)],
    ["analysis-more", () => add(1)],
    ["analysis-copy", copy],
  ];
  for (const [id, it] of does) {
    byId(id).addEventListener("click", () => void Promise.resolve(it()).catch(refuse));
  }
  input("analysis-value").addEventListener("change", () => {
    void change(selected, input("analysis-value").value.trim()).catch(refuse);
  });
  byId("analysis-form").addEventListener("submit", e => {
    e.preventDefault();
    const position = input("analysis-text").value.trim();
    // In the middle of a turn there may be no text: it does not lead back to the beginning.
    if (position) void begin({ ...root, position }).catch(refuse);
  });
}

function leave() {
  close();
  const back = document.getElementById(before);
  (back?.offsetParent ? back : byId("analysis-open")).focus();
}

// ---- the position ------------------------------------------------------------------------

/**
 * Shows another position; the present one stays if that is refused.
 * @param {Root} next
 */
async function begin(next) {
  await attempt({ root: next, steps: [], ahead: [], outcome: "", setup: null, selected: -1 }, 0);
}

/** @typedef {{ root: Root, steps: string[], ahead: string[], outcome: string,
 *   setup: string[] | null, selected: number, below: number }} BoardState */

/** @returns {BoardState} */
const currentState = () => ({ root, steps, ahead, outcome, setup, selected, below });

/** The state of what is shown: a refusal leads back to it. */
let shownState = currentState();

/** @param {BoardState} state */
function setState(state) {
  ({ root, steps, ahead, outcome, setup, selected, below } = state);
}

/**
 * Goes to another position, and back if it is refused. Does nothing while another one is on its way.
 * @param {Partial<BoardState>} next
 * @param {number} ms how long what moves is seen to move
 */
async function attempt(next, ms) {
  if (awaited) return;
  const request = latest + 1;
  awaited = request;
  setState({ ...currentState(), ...next });
  try {
    await show(ms);
  } finally {
    if (awaited === request) awaited = 0;
  }
}

/** @param {BoardState} state */
function bodyOf(state) {
  const { game, options, position } = state.root;
  const at = { game, options, below: state.below, upright: upright.matches };
  return state.setup
    ? { ...at, setup: state.setup }
    : { ...at, position, steps: state.steps };
}

/**
 * Fetches the present position and draws it, then its evaluation. What was shown stays if that
 * fails.
 * @param {number} ms
 */
async function show(ms) {
  const request = ++latest;
  const state = currentState();
  /** @type {Analysed} */
  let answer;
  try {
    answer = await post("/api/analysis", bodyOf(state));
    await drawings(answer.picture.board.sheets);
  } catch (e) {
    if (request === latest) {
      setState(shownState);
      // The evaluation that was on its way is no longer waited for.
      if (shown && !setup && (!found || found.busy)) void evaluate(request).catch(refuse);
    }
    throw e;
  }
  if (request !== latest) return;
  shown = answer;
  setState({ ...state, root: { ...state.root, options: answer.options } });
  found = null;
  const { board } = answer.picture;
  byId("analysis").style.setProperty("--ratio", String(board.width / board.height));
  drawn.show(board, calm.matches ? 0 : ms);
  drawn.svg.setAttribute("aria-label", answer.board.join("\n"));
  draw();
  if (!setup) void evaluate(request).catch(refuse);
}

/** What is around the picture. */
function draw() {
  if (!shown) return;
  shownState = currentState();
  byId("analysis").classList.toggle("with-setup", setup !== null);
  drawWhich();
  input("analysis-text").value = shown.position ?? "";
  byId("analysis-copy").toggleAttribute("disabled", !shown.position);
  for (const [id, on] of /** @type {[string, boolean][]} */ ([
    ["analysis-undo", steps.length > 0 || outcome !== ""],
    ["analysis-redo", ahead.length > 0],
  ])) {
    byId(id).setAttribute("aria-disabled", String(!on));
  }
  byId("analysis-edit").hidden = !setup;
  for (const id of ["says", "lines", "keys", "tools"]) byId(`analysis-${id}`).hidden = setup !== null;
  byId("analysis-outcomes").hidden = setup !== null || !shown.outcomes;
  byId("analysis-meter").hidden = setup !== null;
  if (setup) return drawSetup();
  byId("analysis-says").textContent = shown.says.join("\n");
  lay(drawn, shown.actions, (_, it) => void play(it.press).catch(refuse));
  drawKeys();
  drawOutcomes();
  drawEvaluation();
}

function drawWhich() {
  const create = (/** @type {string} */ code) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      if (code !== root.game) void begin({ game: code, options: null, position: null }).catch(refuse);
    });
    return it;
  };
  update(byId("analysis-which"), CODES, it => it, create, (it, code) => {
    it.textContent = t(`game_${code}`);
    it.setAttribute("aria-pressed", String(root.game === code));
  });
}

/** What can be done and is nowhere on the picture. */
function drawKeys() {
  const bare = new Map((shown?.actions ?? []).filter(it => !it.at).map(it => [it.token, it]));
  const key = (/** @type {import("./types").Action} */ it) => ({
    label: (it.paths && it.would) || it.label,
    press: it.press,
    tone: "plain",
    does: () => void play(it.press).catch(refuse),
  });
  const rows = (shown?.rows ?? []).map(row => row.flatMap(it => bare.get(it) ?? []).map(key));
  const buttons = rows.filter(row => row.length);
  keyboard(byId("analysis-keys"), { id: null, room: "", buttons }, {});
}

/** What chance may give next: throws, one after the other. */
function drawOutcomes() {
  const first = isFull() ? [] : (shown?.outcomes?.first ?? []);
  const parts = [...first, ...(shown?.outcomes?.last ?? [])].sort();
  const create = (/** @type {string} */ part) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => void thrown(part).catch(refuse));
    return it;
  };
  update(byId("analysis-outcomes"), parts, it => it, create, (it, part) => {
    it.textContent = `${outcome.split("").join(" ")} ${part}`.trim();
    it.setAttribute("aria-label", `${t("analysis_outcome")}: ${it.textContent}`);
  });
}

/** Whether only the last part of an outcome can be chosen. */
function isFull() {
  const parts = shown?.outcomes;
  return parts !== null && parts !== undefined && outcome.length + 1 >= parts.most;
}

/** @param {string} part */
async function thrown(part) {
  if (awaited) return;
  if (shown?.outcomes?.last.includes(part)) return play(outcome + part);
  outcome += part;
  draw();
}

/** @param {string} step */
async function play(step) {
  const same = ahead[0] === step ? ahead.slice(1) : [];
  await attempt({ steps: [...steps, step], ahead: same, outcome: "" }, STEP);
}

async function undo() {
  if (awaited) return;
  if (outcome) {
    outcome = "";
    return draw();
  }
  const last = steps.at(-1);
  if (last === undefined) return;
  await attempt({ steps: steps.slice(0, -1), ahead: [last, ...ahead] }, 0);
}

async function redo() {
  const [next, ...rest] = ahead;
  if (next === undefined) return;
  await attempt({ steps: [...steps, next], ahead: rest, outcome: "" }, STEP);
}

async function turnBoard() {
  await attempt({ below: 1 - below }, 0);
}

async function copy() {
  const text = shown?.position;
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    toast(t("analysis_copied"), true);
  } catch {
    // Where the browser does not allow it, it is ready to be copied by hand.
    input("analysis-text").select();
  }
}

// ---- what a strong player thinks ---------------------------------------------------------

/**
 * Asks for the evaluation of the position that is shown.
 * @param {number} request the last one for a position
 */
async function evaluate(request) {
  const asked = bodyOf(shownState),
    key = JSON.stringify(asked) + document.documentElement.lang;
  const known = remembered.get(key);
  if (known) {
    found = known;
    return drawEvaluation();
  }
  /** @type {Evaluation} */
  const unavailable = { chance: null, lines: [], why: t("analysis_unavailable"), busy: true };
  for (let n = 0; n < ASKED && request === latest; n++) {
    /** @type {Evaluation | null} */
    const answer = await post("/api/analysis/evaluation", asked).catch(e => {
      if (!(e instanceof Refused) || e.status === 429) return null;
      if (request === latest) {
        found = unavailable;
        drawEvaluation();
      }
      throw e;
    });
    if (request !== latest) return;
    found = answer ?? unavailable;
    if (!found.busy) {
      // What is refused now may be answered later.
      if (!found.why) remember(key, found);
      break;
    }
    if (n + 1 < ASKED) await wait(PAUSE);
  }
  if (request === latest) drawEvaluation();
}

/**
 * @param {string} key
 * @param {Evaluation} it
 */
function remember(key, it) {
  remembered.set(key, it);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

const percent = (/** @type {number} */ chance) => Math.round(chance / 10);

function drawEvaluation() {
  if (!shown || setup) return;
  drawMeter();
  drawLines();
  drawn.over.querySelectorAll(".mark").forEach((/** @type {Element} */ it) => it.remove());
  const lines = found?.lines ?? [];
  // The best one lies above the others.
  for (const [n, it] of [...lines.entries()].reverse()) {
    const marks = it.paths?.length ? it.paths : it.at ? [{ at: it.at, to: it.to }] : [];
    const kind = n ? `other nr${n}` : "better";
    drawn.over.append(...marks.map((mark, k) => arrow(kind, k ? "" : String(n + 1), mark, false)));
  }
}

function drawMeter() {
  const meter = byId("analysis-meter"),
    [first, second] = all(meter, "b"),
    [fill] = all(meter, "i"),
    names = shown?.names ?? [];
  const chance = found?.chance ?? null;
  const share = chance === null ? 50 : percent(chance);
  meter.classList.toggle("unknown", chance === null);
  if (fill) fill.style.width = `${share}%`;
  const said = (/** @type {number} */ n, /** @type {number} */ value) =>
    chance === null ? (names[n] ?? "") : `${names[n]} ${value} %`;
  if (first) first.textContent = said(0, share);
  if (second) second.textContent = said(1, 100 - share);
  meter.setAttribute("aria-label", t("analysis_meter", { name: names[0] ?? "" }));
  meter.setAttribute("aria-valuenow", String(share));
  const words = { name: names[0] ?? "", percent: String(share) };
  const text = chance === null ? t("analysis_no_chance") : t("analysis_chance", words);
  meter.setAttribute("aria-valuetext", text);
}

/** The best moves as buttons, and why there are none. */
function drawLines() {
  const place = byId("analysis-lines");
  const create = () => {
    const it = make("button", "line", make("b"), make("span"), make("i"));
    it.type = "button";
    it.addEventListener("click", () => void play(it.dataset.key ?? "").catch(refuse));
    return it;
  };
  const lines = found?.lines ?? [];
  // It is the chance of who moves that is compared.
  const own = (/** @type {number} */ chance) => percent(shown?.turn === 1 ? 1000 - chance : chance);
  update(place, lines, it => it.token, create, (it, line) => {
    const n = lines.indexOf(line);
    const [number, label, chance] = all(it, "*");
    it.classList.toggle("best", n === 0);
    if (number) number.textContent = String(n + 1);
    if (label) label.textContent = actionOf(line.token) ?? line.label;
    if (chance) chance.textContent = `${own(line.chance)} %`;
  });
  all(place, "p").forEach(it => it.remove());
  const over = shown?.scores ? "" : null;
  const text = over ?? (found ? (found.why ?? (lines.length ? "" : none())) : t("analysis_thinking"));
  if (text) place.append(make("p", "hint", text));
}

const none = () => (found?.chance === null ? t("analysis_no_chance") : "");

/**
 * An action in words: what comes of it says more than its name.
 * @param {string} token
 */
function actionOf(token) {
  const action = shown?.actions.find(it => it.token === token);
  return action && (action.would || action.label);
}

// ---- setting up a position ---------------------------------------------------------------

/** Begins with the position that is shown. */
async function beginSetup() {
  if (!shown) return;
  await attempt({ setup: shown.setup.map(it => it.value), selected: -1 }, 0);
  byId("analysis-parts").querySelector("button")?.focus({ preventScroll: true });
}

async function endSetup() {
  if (!shown || shown.fault || !setup) return;
  await begin({ ...root, position: shown.position });
  byId("analysis-setup").focus({ preventScroll: true });
}

async function leaveSetup() {
  await attempt({ setup: null, selected: -1 }, 0);
  byId("analysis-setup").focus({ preventScroll: true });
}

/** Nothing lies anywhere. */
async function empty() {
  if (!setup || !shown) return;
  const parts = shown.setup;
  await attempt({ setup: setup.map((it, n) => (parts[n]?.most == null ? it : "0")) }, 0);
}

/**
 * Chooses another value of a part.
 * @param {number} n
 * @param {string} value
 */
async function change(n, value) {
  if (!setup || n < 0) return;
  const part = shown?.setup[n];
  const most = part?.most ?? null;
  const next = most === null ? value : String(Math.min(most, Math.max(0, Number(value) || 0)));
  const values = setup.map((it, at) => (at === n ? next : it));
  await attempt({ setup: values, selected: most === null ? -1 : n }, STEP / 2);
}

/** @param {number} by */
async function add(by) {
  const value = Number(setup?.[selected] ?? 0);
  await change(selected, String(value + by));
}

/**
 * Begins or ends to choose the value of a part.
 * @param {number} n
 */
function select(n) {
  if (awaited) return;
  selected = selected === n ? -1 : n;
  shownState = currentState();
  drawSetup();
}

/**
 * The value of a part in words.
 * @param {SetupPart} part
 */
const valueOf = part => part.values.find(it => it.value === part.value)?.label ?? part.value;

function drawSetup() {
  if (!shown) return;
  const parts = shown.setup;
  const part = parts[selected];
  byId("analysis-fault").textContent = shown.fault ?? "";
  byId("analysis-done").toggleAttribute("disabled", shown.fault !== null);
  byId("analysis-empty").hidden = !parts.some(it => it.most !== null);
  const create = (/** @type {{ n: number }} */ { n }) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => select(n));
    return it;
  };
  // Numbers are touched on the board itself.
  const listed = parts.map((it, n) => ({ ...it, n })).filter(it => it.most === null);
  update(byId("analysis-parts"), listed, it => String(it.n), create, (it, { n, ...part }) => {
    it.textContent = `${part.label}: ${valueOf(part)}`;
    it.setAttribute("aria-pressed", String(n === selected));
  });
  drawNumber(part);
  drawValues(part);
  touchSetup(part);
}

/** @param {SetupPart | undefined} part */
function drawNumber(part) {
  const isNumber = part !== undefined && part.most !== null;
  byId("analysis-number").hidden = !isNumber;
  if (!isNumber) return;
  byId("analysis-part-name").textContent = part.label;
  input("analysis-value").max = String(part.most);
  input("analysis-value").value = part.value;
}

/**
 * The values that are nowhere on the board.
 * @param {SetupPart | undefined} part
 */
function drawValues(part) {
  const place = byId("analysis-values");
  const values = (part?.values ?? []).filter(it => !it.at);
  place.hidden = !values.length;
  place.setAttribute("aria-label", part?.label ?? "");
  const create = (/** @type {SetupPart["values"][0]} */ { value }) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => void change(selected, value).catch(refuse));
    return it;
  };
  // Two parts may have equal values.
  const keyOf = (/** @type {SetupPart["values"][0]} */ it) => `${selected} ${it.value}`;
  update(place, values, keyOf, create, (it, { value, label }) => {
    it.textContent = label;
    it.setAttribute("aria-pressed", String(value === part?.value));
  });
}

/**
 * What can be touched: the parts, or the values of one.
 * @param {SetupPart | undefined} part
 */
function touchSetup(part) {
  /** @type {Place[]} */
  const values = (part?.values ?? []).flatMap(it =>
    it.at ? [{ label: `${part?.label}: ${it.label}`, press: it.value, at: it.at }] : [],
  );
  if (values.length) {
    lay(drawn, values, (_, it) => void change(selected, it.press).catch(refuse));
    return;
  }
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const [n, it] of (shown?.setup ?? []).entries()) {
    const place = it.at && { label: `${it.label}: ${valueOf(it)}`, press: String(n), at: it.at };
    // Of pieces that lie together each is like the others.
    if (place) places.set(place.at.join(), place);
  }
  lay(drawn, [...places.values()], (where, it) => {
    const byKey = where.matches(":focus-visible");
    select(Number(it.press));
    if (byKey && !byId("analysis-number").hidden) byId("analysis-more").focus();
  });
  const chosen = all(drawn.over, ".spot").find(it => it.dataset.press === String(selected));
  chosen?.classList.add("chosen");
}

// ---- keys --------------------------------------------------------------------------------

/** Arrows step, Escape goes back.
 * @param {KeyboardEvent} e */
function keys(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || walk(e)) return;
  const isText = target(e).matches("input");
  /** @type {Record<string, () => unknown>} */
  const does = {
    ...(!isText && !setup && { ArrowLeft: undo, ArrowRight: redo }),
    Escape: setup ? leaveSetup : leave,
  };
  const it = does[e.key];
  // The keys that move among buttons step through no moves.
  if (!it || (e.key !== "Escape" && target(e).closest(".keys"))) return;
  e.preventDefault();
  e.stopPropagation();
  void Promise.resolve(it()).catch(refuse);
}
