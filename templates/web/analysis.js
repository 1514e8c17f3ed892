// The analysis board, in place of the games panel: moves for both sides, any position, engine
// evaluations. Nothing of it is stored. Loaded on first use.

import { post, RefusalError, delay, timeLimit } from "./api.js";
import { placeTargets, handleArrowKeys } from "./board.js";
import { all, byId, loadStylesheet, targetOf, update } from "./dom.js";
import { GAMES } from "./games.js";
import { createMark } from "./board-overlay.js";
import { renderKeyboard, createElement } from "./messages.js";
import { loadTranslations } from "./lazy-translations.js";
import { hidePanel, isPanel, showPanel } from "./panels.js";
import { isUpright, onShape } from "./screen-shape.js";
import { SceneView, loadSheets } from "./svg-scene.js";
import { showError, toast } from "./toasts.js";
import { onLanguage, translateDom, t } from "./words.js";

/** @typedef {import("./types").AnalysisBoard} AnalysisBoard */
/** @typedef {import("./types").PositionEvaluation} PositionEvaluation */
/** @typedef {import("./types").SetupPartState} SetupPartState */
/** @typedef {import("./types").Area} Area */
/** @typedef {import("./types").AnalysisRoot} AnalysisRoot */
/** @typedef {{ label: string, press: string, at: Area }} SetupTarget */

/** The duration of the animation of a move. */
const STEP_MS = 450,
  /** How often an evaluation is requested while the engine is busy, and the interval. */
  ATTEMPTS_MAX = 4,
  RETRY_MS = 900,
  /** The longest time of a request: a connection may be dead without an error. */
  ANSWER_MS = 30000,
  /** The number of cached evaluations. */
  CACHE_SIZE = 200;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const TEMPLATE = `
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
    <p id="analysis-status" role="status"></p>
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
/** @type {AnalysisRoot} */
let root = { game: "", options: null, position: null };
/** The steps since then, and the undone ones.
 * @type {string[]} */
let steps = [],
  /** @type {string[]} */
  undoneSteps = [];
/** The chosen throws of an incomplete outcome of chance. */
let outcome = "";
/** The values of the position that is being set up.
 * @type {string[] | null} */
let setup = null;
/** The part whose value is being chosen. */
let selected = -1;
let bottomSeat = 0;
/** The shown board.
 * @type {AnalysisBoard | null} */
let shownBoard = null;
/** @type {PositionEvaluation | null} */
let evaluation = null;
/** Identifies the latest request for a position. Drops responses to superseded requests. */
let requestNumber = 0;
/** The pending request of a press, 0 if there is none. Other presses are ignored meanwhile. */
let pendingRequest = 0;
/** Settles with the pending request of a press, to whether it succeeded. */
let pendingResult = Promise.resolve(true);
/** Counts how often the board was opened and left. */
let visits = 0;
/** @type {Map<string, PositionEvaluation>} */
const evaluationCache = new Map();
/** The scene of the board; made by `insertBoard`.
 * @type {SceneView} */
let scene;
/** @type {Promise<void> | null} */
let inserted = null;
/** The id of the previously focused element. */
let previousFocusId = "";

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * Opens the board.
 * @param {AnalysisRoot} [from] the start position; the first game by default
 */
export async function open(from) {
  previousFocusId = document.activeElement?.id ?? "";
  const visit = ++visits;
  inserted ??= insertBoard().catch(e => {
    inserted = null;
    throw e;
  });
  await inserted;
  // The user has gone elsewhere meanwhile.
  if (visit !== visits) return;
  if (from) cancelRequests();
  showPanel("analysis");
  byId("analysis-title").focus();
  const first = { game: CODES[0] ?? "", options: null, position: null };
  await (from || !shownBoard ? openPosition(from ?? first) : fetchPosition(0));
}

const isOpen = () => isPanel("analysis");

function close() {
  visits++;
  if (!isOpen()) return;
  cancelRequests();
  hidePanel("analysis");
}

/** Cancels pending requests and restores the shown state. */
function cancelRequests() {
  requestNumber++;
  pendingRequest = 0;
  setState(shownState);
}

/** Inserts the board into the page. */
async function insertBoard() {
  // Opening the games panel or another room closes the board.
  byId("games-open").addEventListener("click", close);
  window.addEventListener("hashchange", close);
  await Promise.all([
    loadStylesheet(new URL("./analysis.css", import.meta.url)),
    loadTranslations("analysis"),
  ]);
  // Waits for the games panel, which overwrites the container.
  while (!document.getElementById("new-game")) await delay(30);
  const section = createElement("div");
  section.id = "analysis";
  section.innerHTML = TEMPLATE;
  byId("games").append(section);
  translateDom(section);
  scene = new SceneView(byId("analysis-board"));
  onLanguage(() => {
    const shownAgain = loadTranslations("analysis").then(() => {
      translateDom(section);
      if (isOpen()) return fetchPosition(0);
    });
    void shownAgain.catch(showError);
  });
  onShape(() => {
    if (isOpen()) void fetchPosition(0).catch(showError);
  });
  section.addEventListener("keydown", onKeydown);
  /** @type {[string, () => unknown][]} */
  const listeners = [
    ["analysis-close", closeAndRefocus],
    ["analysis-start", () => openPosition({ ...root, position: null })],
    ["analysis-undo", undo],
    ["analysis-redo", redo],
    ["analysis-turn", flipBoard],
    ["analysis-setup", beginSetup],
    ["analysis-done", () => inTurn(endSetup)],
    ["analysis-empty", () => inTurn(clearSetup)],
    ["analysis-leave", () => inTurn(leaveSetup)],
    ["analysis-less", () => inTurn(() => addToValue(-1))],
    ["analysis-more", () => inTurn(() => addToValue(1))],
    ["analysis-copy", copyPosition],
  ];
  for (const [id, it] of listeners) {
    byId(id).addEventListener("click", () => void Promise.resolve(it()).catch(showError));
  }
  input("analysis-value").addEventListener("change", () => {
    submitField(input("analysis-value"));
    chooseValue(input("analysis-value").value.trim());
  });
  byId("analysis-form").addEventListener("submit", e => {
    e.preventDefault();
    submitField(input("analysis-text"));
    const position = input("analysis-text").value.trim();
    // In the middle of a turn the text is empty; that must not reset the position.
    if (position) void inTurn(() => openPosition({ ...root, position })).catch(showError);
  });
}

/**
 * Fills a field, unless a person is typing in it.
 * @param {HTMLInputElement} field
 * @param {string} value
 */
function fillField(field, value) {
  const isEdited = field.value !== (field.dataset.filled ?? "");
  if (isEdited && field === document.activeElement) return;
  field.value = field.dataset.filled = value;
}

/** Lets the answer replace what was typed. */
const submitField = (/** @type {HTMLInputElement} */ field) => (field.dataset.filled = field.value);

function closeAndRefocus() {
  close();
  const back = document.getElementById(previousFocusId);
  (back?.offsetParent ? back : byId("analysis-open")).focus();
}

// ---- the position ------------------------------------------------------------------------

/**
 * Opens another position; a refusal restores the current one.
 * @param {AnalysisRoot} next
 */
async function openPosition(next) {
  await tryState({ root: next, steps: [], ahead: [], outcome: "", setup: null, selected: -1 }, 0);
}

/** @typedef {{ root: AnalysisRoot, steps: string[], ahead: string[], outcome: string,
 *   setup: string[] | null, selected: number, below: number }} BoardState */

/** @returns {BoardState} */
const currentState = () => ({
  root,
  steps,
  ahead: undoneSteps,
  outcome,
  setup,
  selected,
  below: bottomSeat,
});

/** The state of the shown board, restored after a refusal. */
let shownState = currentState();

/** @param {BoardState} state */
function setState(state) {
  ({ root, steps, ahead: undoneSteps, outcome, setup, selected, below: bottomSeat } = state);
}

/**
 * Opens a new state; a refusal restores the shown one. Does nothing while a request is pending.
 * @param {Partial<BoardState>} next
 * @param {number} ms the duration of animations
 */
async function tryState(next, ms) {
  if (pendingRequest) return;
  const request = requestNumber + 1;
  pendingRequest = request;
  setState({ ...currentState(), ...next });
  const answered = fetchPosition(ms).finally(() => {
    if (pendingRequest === request) pendingRequest = 0;
  });
  pendingResult = answered.then(
    () => true,
    () => false,
  );
  await answered;
}

/** Settles when all presses that were made in turn are done. */
let lastInTurn = Promise.resolve();
/** How many of them have failed. */
let failedInTurn = 0;

/**
 * Does a press that must not be ignored, after those before it and their requests: leaving a number
 * with a press elsewhere changes it first. A press behind one that fails is not done.
 * @param {() => Promise<void>} press
 */
function inTurn(press) {
  const failedBefore = failedInTurn;
  const done = lastInTurn.then(async () => {
    while (pendingRequest) await pendingResult;
    if (failedInTurn === failedBefore) await press();
  });
  lastInTurn = done.catch(() => {
    failedInTurn++;
  });
  return done;
}

/** @param {BoardState} state */
function requestBody(state) {
  const { game, options, position } = state.root;
  const at = { game, options, below: state.below, upright: isUpright() };
  return state.setup
    ? { ...at, setup: state.setup }
    : { ...at, position, steps: state.steps };
}

/**
 * Fetches and draws the current position, then its evaluation. An error restores the shown state.
 * @param {number} ms
 */
async function fetchPosition(ms) {
  const request = ++requestNumber;
  const state = currentState();
  /** @type {AnalysisBoard} */
  let answer;
  try {
    answer = await post("/api/analysis", requestBody(state), timeLimit(ANSWER_MS));
    await loadSheets(answer.picture.board.sheets);
  } catch (e) {
    if (request === requestNumber) {
      setState(shownState);
      // Restarts the evaluation, whose request was superseded.
      if (shownBoard && !setup && (!evaluation || evaluation.busy))
        void evaluate(request).catch(showError);
    }
    throw e;
  }
  if (request !== requestNumber) return;
  shownBoard = answer;
  setState({ ...state, root: { ...state.root, options: answer.options } });
  evaluation = null;
  const { board } = answer.picture;
  byId("analysis").style.setProperty("--ratio", String(board.width / board.height));
  scene.show(board, reducedMotion.matches ? 0 : ms);
  scene.svg.setAttribute("aria-label", answer.board.join("\n"));
  renderAround();
  if (!setup) void evaluate(request).catch(showError);
}

/** Renders everything around the scene. */
function renderAround() {
  if (!shownBoard) return;
  shownState = currentState();
  byId("analysis").classList.toggle("with-setup", setup !== null);
  renderGameChoice();
  fillField(input("analysis-text"), shownBoard.position ?? "");
  byId("analysis-copy").toggleAttribute("disabled", !shownBoard.position);
  for (const [id, on] of /** @type {[string, boolean][]} */ ([
    ["analysis-undo", steps.length > 0 || outcome !== ""],
    ["analysis-redo", undoneSteps.length > 0],
  ])) {
    byId(id).setAttribute("aria-disabled", String(!on));
  }
  byId("analysis-edit").hidden = !setup;
  for (const id of ["status", "lines", "keys", "tools"])
    byId(`analysis-${id}`).hidden = setup !== null;
  byId("analysis-outcomes").hidden = setup !== null || !shownBoard.outcomes;
  byId("analysis-meter").hidden = setup !== null;
  if (setup) return drawSetup();
  byId("analysis-status").textContent = shownBoard.says.join("\n");
  placeTargets(scene, shownBoard.actions, (_, it) => void playStep(it.press).catch(showError));
  drawKeys();
  drawOutcomes();
  drawEvaluation();
}

function renderGameChoice() {
  const create = (/** @type {string} */ code) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      if (code !== root.game)
        void openPosition({ game: code, options: null, position: null }).catch(showError);
    });
    return it;
  };
  update(byId("analysis-which"), CODES, it => it, create, (it, code) => {
    it.textContent = t(`game_${code}`);
    it.setAttribute("aria-pressed", String(root.game === code));
  });
}

/** Renders buttons for actions without a place on the scene. */
function drawKeys() {
  const buttonActions = new Map(
    (shownBoard?.actions ?? []).filter(it => !it.at).map(it => [it.token, it]),
  );
  const key = (/** @type {import("./types").ActionState} */ it) => ({
    label: (it.paths && it.would) || it.label,
    press: it.press,
    tone: "plain",
    onPress: () => void playStep(it.press).catch(showError),
  });
  const rows = (shownBoard?.rows ?? []).map(row =>
    row.flatMap(it => buttonActions.get(it) ?? []).map(key),
  );
  const buttons = rows.filter(row => row.length);
  renderKeyboard(byId("analysis-keys"), { id: null, room: "", buttons }, {});
}

/** Renders the possible throws, one after the other. */
function drawOutcomes() {
  const first = isFull() ? [] : (shownBoard?.outcomes?.first ?? []);
  const parts = [...first, ...(shownBoard?.outcomes?.last ?? [])].sort();
  const create = (/** @type {string} */ part) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => void chooseOutcomePart(part).catch(showError));
    return it;
  };
  update(byId("analysis-outcomes"), parts, it => it, create, (it, part) => {
    it.textContent = `${outcome.split("").join(" ")} ${part}`.trim();
    it.setAttribute("aria-label", `${t("analysis_outcome")}: ${it.textContent}`);
  });
}

/** Whether only the last part of an outcome can be chosen. */
function isFull() {
  const parts = shownBoard?.outcomes;
  return parts !== null && parts !== undefined && outcome.length + 1 >= parts.most;
}

/** @param {string} part */
async function chooseOutcomePart(part) {
  if (pendingRequest) return;
  if (shownBoard?.outcomes?.last.includes(part)) return playStep(outcome + part);
  outcome += part;
  renderAround();
}

/** @param {string} step */
async function playStep(step) {
  const same = undoneSteps[0] === step ? undoneSteps.slice(1) : [];
  await tryState({ steps: [...steps, step], ahead: same, outcome: "" }, STEP_MS);
}

async function undo() {
  if (pendingRequest) return;
  if (outcome) {
    outcome = "";
    return renderAround();
  }
  const last = steps.at(-1);
  if (last === undefined) return;
  await tryState({ steps: steps.slice(0, -1), ahead: [last, ...undoneSteps] }, 0);
}

async function redo() {
  const [next, ...rest] = undoneSteps;
  if (next === undefined) return;
  await tryState({ steps: [...steps, next], ahead: rest, outcome: "" }, STEP_MS);
}

async function flipBoard() {
  await tryState({ below: 1 - bottomSeat }, 0);
}

async function copyPosition() {
  const text = shownBoard?.position;
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    toast(t("analysis_copied"), true);
  } catch {
    // Selects the text where the browser does not allow copying.
    input("analysis-text").select();
  }
}

// ---- evaluation --------------------------------------------------------------------------

/**
 * Requests the evaluation of the shown position.
 * @param {number} request the latest request for a position
 */
async function evaluate(request) {
  const path = "/api/analysis/evaluation",
    body = requestBody(shownState),
    key = JSON.stringify(body) + document.documentElement.lang;
  const cached = evaluationCache.get(key);
  if (cached) {
    evaluation = cached;
    return drawEvaluation();
  }
  /** @type {PositionEvaluation} */
  const unavailable = { chance: null, lines: [], why: t("analysis_unavailable"), busy: true };
  for (let n = 0; n < ATTEMPTS_MAX && request === requestNumber; n++) {
    /** @type {PositionEvaluation | null} */
    const answer = await post(path, body, timeLimit(ANSWER_MS)).catch(e => {
      if (!(e instanceof RefusalError) || e.status === 429) return null;
      if (request === requestNumber) {
        evaluation = unavailable;
        drawEvaluation();
      }
      throw e;
    });
    if (request !== requestNumber) return;
    evaluation = answer ?? unavailable;
    if (!evaluation.busy) {
      // Refusals are not cached.
      if (!evaluation.why) cacheEvaluation(key, evaluation);
      break;
    }
    if (n + 1 < ATTEMPTS_MAX) await delay(RETRY_MS);
  }
  if (request === requestNumber) drawEvaluation();
}

/**
 * @param {string} key
 * @param {PositionEvaluation} it
 */
function cacheEvaluation(key, it) {
  evaluationCache.set(key, it);
  const [oldest] = evaluationCache.keys();
  if (evaluationCache.size > CACHE_SIZE && oldest !== undefined) evaluationCache.delete(oldest);
}

const percent = (/** @type {number} */ chance) => Math.round(chance / 10);

function drawEvaluation() {
  if (!shownBoard || setup) return;
  drawMeter();
  drawLines();
  scene.overlay.querySelectorAll(".mark").forEach((/** @type {Element} */ it) => it.remove());
  const lines = evaluation?.lines ?? [];
  // The best line is drawn above the others.
  for (const [n, it] of [...lines.entries()].reverse()) {
    const marks = it.paths?.length ? it.paths : it.at ? [{ at: it.at, to: it.to }] : [];
    const kind = n ? `other nr${n}` : "better";
    scene.overlay.append(
      ...marks.map((mark, k) => createMark(kind, k ? "" : String(n + 1), mark, false)),
    );
  }
}

function drawMeter() {
  const meter = byId("analysis-meter"),
    [first, second] = all(meter, "b"),
    [fill] = all(meter, "i"),
    names = shownBoard?.names ?? [];
  const chance = evaluation?.chance ?? null;
  const share = chance === null ? 50 : percent(chance);
  meter.classList.toggle("unknown", chance === null);
  if (fill) fill.style.width = `${share}%`;
  const label = (/** @type {number} */ n, /** @type {number} */ value) =>
    chance === null ? (names[n] ?? "") : `${names[n]} ${value} %`;
  if (first) first.textContent = label(0, share);
  if (second) second.textContent = label(1, 100 - share);
  meter.setAttribute("aria-label", t("analysis_meter", { name: names[0] ?? "" }));
  meter.setAttribute("aria-valuenow", String(share));
  const words = { name: names[0] ?? "", percent: String(share) };
  const text = chance === null ? t("analysis_no_chance") : t("analysis_chance", words);
  meter.setAttribute("aria-valuetext", text);
}

/** Renders the best moves as buttons, or why there are none. */
function drawLines() {
  const place = byId("analysis-lines");
  const create = () => {
    const it = createElement(
      "button",
      "line",
      createElement("b"),
      createElement("span"),
      createElement("i"),
    );
    it.type = "button";
    it.addEventListener("click", () => void playStep(it.dataset.key ?? "").catch(showError));
    return it;
  };
  const lines = evaluation?.lines ?? [];
  // Lines show the chance of the player to move.
  const moverChance = (/** @type {number} */ chance) =>
    percent(shownBoard?.turn === 1 ? 1000 - chance : chance);
  update(place, lines, it => it.token, create, (it, line) => {
    const n = lines.indexOf(line);
    const [number, label, chance] = all(it, "*");
    it.classList.toggle("best", n === 0);
    if (number) number.textContent = String(n + 1);
    if (label) label.textContent = actionText(line.token) ?? line.label;
    if (chance) chance.textContent = `${moverChance(line.chance)} %`;
  });
  all(place, "p").forEach(it => it.remove());
  const over = shownBoard?.scores ? "" : null;
  const text =
    over ??
    (evaluation ? (evaluation.why ?? (lines.length ? "" : noLinesText())) : t("analysis_thinking"));
  if (text) place.append(createElement("p", "hint", text));
}

const noLinesText = () => (evaluation?.chance === null ? t("analysis_no_chance") : "");

/**
 * The text of an action: its consequences, otherwise its label.
 * @param {string} token
 */
function actionText(token) {
  const action = shownBoard?.actions.find(it => it.token === token);
  return action && (action.would || action.label);
}

// ---- setting up a position ---------------------------------------------------------------

/** Starts the setup with the shown position. */
async function beginSetup() {
  if (!shownBoard) return;
  await tryState({ setup: shownBoard.setup.map(it => it.value), selected: -1 }, 0);
  byId("analysis-parts").querySelector("button")?.focus({ preventScroll: true });
}

async function endSetup() {
  if (!shownBoard || shownBoard.fault || !setup) return;
  await openPosition({ ...root, position: shownBoard.position });
  byId("analysis-setup").focus({ preventScroll: true });
}

async function leaveSetup() {
  if (!setup) return;
  await tryState({ setup: null, selected: -1 }, 0);
  byId("analysis-setup").focus({ preventScroll: true });
}

/** Sets all numbers to zero. */
async function clearSetup() {
  if (!setup || !shownBoard) return;
  const parts = shownBoard.setup;
  await tryState({ setup: setup.map((it, n) => (parts[n]?.most == null ? it : "0")) }, 0);
}

/**
 * Chooses another value of a part.
 * @param {number} n
 * @param {string} value
 */
async function changeValue(n, value) {
  if (!setup || n < 0) return;
  const part = shownBoard?.setup[n];
  const most = part?.most ?? null;
  const next = most === null ? value : String(Math.min(most, Math.max(0, Number(value) || 0)));
  const values = setup.map((it, at) => (at === n ? next : it));
  await tryState({ setup: values, selected: most === null ? -1 : n }, STEP_MS / 2);
}

/**
 * Chooses another value of the part that is selected now.
 * @param {string} value
 */
function chooseValue(value) {
  const part = selected;
  void inTurn(() => changeValue(part, value)).catch(showError);
}

/** @param {number} by */
async function addToValue(by) {
  const value = Number(setup?.[selected] ?? 0);
  await changeValue(selected, String(value + by));
}

/**
 * Selects or deselects a part.
 * @param {number} n
 */
function selectPart(n) {
  if (!setup) return;
  selected = selected === n ? -1 : n;
  shownState = currentState();
  drawSetup();
}

/**
 * The label of the value of a part.
 * @param {SetupPartState} part
 */
const valueLabel = part => part.values.find(it => it.value === part.value)?.label ?? part.value;

function drawSetup() {
  if (!shownBoard) return;
  const parts = shownBoard.setup;
  const part = parts[selected];
  byId("analysis-fault").textContent = shownBoard.fault ?? "";
  // The press that leaves a number may come before its change has corrected the position.
  byId("analysis-done").setAttribute("aria-disabled", String(shownBoard.fault !== null));
  byId("analysis-empty").hidden = !parts.some(it => it.most !== null);
  const create = (/** @type {{ n: number }} */ { n }) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => void inTurn(async () => selectPart(n)));
    return it;
  };
  // Numbers have targets on the board.
  const listed = parts.map((it, n) => ({ ...it, n })).filter(it => it.most === null);
  update(byId("analysis-parts"), listed, it => String(it.n), create, (it, { n, ...part }) => {
    it.textContent = `${part.label}: ${valueLabel(part)}`;
    it.setAttribute("aria-pressed", String(n === selected));
  });
  drawNumber(part);
  drawValues(part);
  renderSetupTargets(part);
}

/** @param {SetupPartState | undefined} part */
function drawNumber(part) {
  const isNumber = part !== undefined && part.most !== null;
  byId("analysis-number").hidden = !isNumber;
  if (!isNumber) return;
  byId("analysis-part-name").textContent = part.label;
  input("analysis-value").max = String(part.most);
  fillField(input("analysis-value"), part.value);
}

/**
 * Renders the values without a place on the board.
 * @param {SetupPartState | undefined} part
 */
function drawValues(part) {
  const place = byId("analysis-values");
  const values = (part?.values ?? []).filter(it => !it.at);
  place.hidden = !values.length;
  place.setAttribute("aria-label", part?.label ?? "");
  const create = (/** @type {SetupPartState["values"][0]} */ { value }) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => chooseValue(value));
    return it;
  };
  // Values are unique within a part only.
  const keyOf = (/** @type {SetupPartState["values"][0]} */ it) => `${selected} ${it.value}`;
  update(place, values, keyOf, create, (it, { value, label }) => {
    it.textContent = label;
    it.setAttribute("aria-pressed", String(value === part?.value));
  });
}

/**
 * Places targets for the parts, or for the values of the selected part.
 * @param {SetupPartState | undefined} part
 */
function renderSetupTargets(part) {
  /** @type {SetupTarget[]} */
  const values = (part?.values ?? []).flatMap(it =>
    it.at ? [{ label: `${part?.label}: ${it.label}`, press: it.value, at: it.at }] : [],
  );
  if (values.length) {
    placeTargets(scene, values, (_, it) => chooseValue(it.press));
    return;
  }
  /** @type {Map<string, SetupTarget>} */
  const places = new Map();
  for (const [n, it] of (shownBoard?.setup ?? []).entries()) {
    const place = it.at && { label: `${it.label}: ${valueLabel(it)}`, press: String(n), at: it.at };
    // Pieces at the same place are interchangeable.
    if (place) places.set(place.at.join(), place);
  }
  placeTargets(scene, [...places.values()], (where, it) => {
    const byKey = where.matches(":focus-visible");
    void inTurn(async () => selectPart(Number(it.press))).then(() => {
      if (byKey && !byId("analysis-number").hidden) byId("analysis-more").focus();
    });
  });
  const chosen = all(scene.overlay, ".spot").find(it => it.dataset.press === String(selected));
  chosen?.classList.add("chosen");
}

// ---- keys --------------------------------------------------------------------------------

/** Handles keys: arrows undo and redo, Escape goes back.
 * @param {KeyboardEvent} e */
function onKeydown(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || handleArrowKeys(e)) return;
  const isText = targetOf(e).matches("input");
  /** @type {Record<string, () => unknown>} */
  const handlers = {
    ...(!isText && !setup && { ArrowLeft: undo, ArrowRight: redo }),
    Escape: setup ? leaveSetup : closeAndRefocus,
  };
  const it = handlers[e.key];
  // Among buttons arrow keys move the focus.
  if (!it || (e.key !== "Escape" && targetOf(e).closest(".keys"))) return;
  e.preventDefault();
  e.stopPropagation();
  void Promise.resolve(it()).catch(showError);
}
