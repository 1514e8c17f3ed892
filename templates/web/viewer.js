// The viewer in place of the board: replays a game step by step, shows its review, or a page of a
// course.

import { get, roomPath, currentIdentity, sendPress } from "./api.js";
import { placeTargets, handleArrowKeys } from "./board.js";
import { focusIfScrollable, loadStylesheet } from "./dom.js";
import { insertViewer } from "./viewer-template.js";
import { createMark } from "./board-overlay.js";
import { renderKeyboard, createElement, drawIcons, renderSpans } from "./messages.js";
import { loadTranslations } from "./lazy-translations.js";
import { isPlayer } from "./rooms.js";
import { showError, toast } from "./toasts.js";
import { isUpright, onShape } from "./screen-shape.js";
import { SceneView, loadSheets } from "./svg-scene.js";
import { Replay } from "./replay.js";
import { t } from "./words.js";

/** @typedef {import("./replay.js").ReplayStep} ReplayStep */
/** @typedef {import("./replay.js").StatePicture} Picture */
/** @typedef {import("./replay.js").ReviewState} Review */
/** @typedef {import("./replay.js").PictureMark} Mark */
/** @typedef {{ press: string, label: string, tone: string }} MessageButton */
/** @typedef {{ id: number, room: string, look?: string, gone?: boolean, only?: boolean,
 *   author?: { id: string }, spans: import("./types").SpanView[], buttons: MessageButton[][] }}
 *   Message */
/** @typedef {{ label: string, press: string, tone: string, onPress: () => void }} ViewerButton */

/** The duration of the animation of a step, and the pause after it by its pace. */
const STEP_MS = 450,
  /** @type {Record<string, number>} */
  REST_MS = { quick: 350, move: 1000, slow: 2000 },
  SPEEDS = [0.5, 1, 2, 4],
  /** A message this soon after a press is its result. */
  PRESS_EFFECT_MS = 4000,
  /** The numbers of moments that fit in a line on a phone. */
  MOMENTS_PER_LINE = 9;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} id */
const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));
const stepSlider = () => /** @type {HTMLInputElement} */ (byId("viewer-slider"));

/** @type {import("./viewer-loader.js").Hooks | null} */
let hooks = null;
/** The scenes of the viewer; made by `start`.
 * @type {Record<"board" | "hand" | "chart", SceneView>} */
let scenes;

/** The shown page, if any.
 * @type {{ room: string, address: string } | null} */
let viewed = null;
/** @type {Message | null} */
let lessonMessage = null;
/** @type {Replay | null} */
let replay = null;
/** @type {Review | null} */
let review = null;
/** The shown moment of the review, and the shown step of its better line.
 * @type {{ n: number, line: number | null } | null} */
let moment = null;
let step = 0,
  speed = 1,
  playing = false,
  pressedAt = -Infinity,
  /** Identifies the current playback. */
  playbackNumber = 0,
  /** The request during which a review was requested. */
  reviewRequest = -1,
  /** Identifies the latest request. Drops responses to superseded requests. */
  requestNumber = 0;
/** @type {HTMLElement | null} */
let previousFocus = null;

/** @param {import("./viewer-loader.js").Hooks} newHooks */
export async function start(newHooks) {
  hooks = newHooks;
  await loadStylesheet(new URL("./viewer.css", import.meta.url));
  insertViewer();
  scenes = {
    board: new SceneView(byId("viewer-board")),
    hand: new SceneView(byId("viewer-hand")),
    chart: new SceneView(byId("viewer-chart")),
  };
  byId("viewer").addEventListener("keydown", onKeydown);
  new ResizeObserver(() => focusIfScrollable(byId("viewer-text"))).observe(byId("viewer-text"));
  byId("viewer-keys").addEventListener("click", () => (pressedAt = performance.now()), true);
  stepSlider().addEventListener("input", () => void goToStep(Number(stepSlider().value)));
  /** @type {[string, () => void][]} */
  const listeners = [
    ["viewer-first", () => void goToStep(0)],
    ["viewer-back", () => stepManually(-1)],
    ["viewer-play", togglePlayback],
    ["viewer-next", () => stepManually(1)],
    ["viewer-last", () => void goToStep(replay?.last ?? 0)],
    ["viewer-speed", cycleSpeed],
    ["viewer-gif", () => void requestPost(replay?.about?.film).catch(showError)],
    ["viewer-close", close],
  ];
  for (const [id, it] of listeners) byId(id).addEventListener("click", it);
  onShape(() => void refresh(null));
}

export const isOpen = () => viewed !== null;

/** Whether the viewer shows this message.
 * @param {import("./types").Message} m */
export const isMessageShown = m =>
  lessonMessage !== null && viewed?.room === m.room && lessonMessage.id === m.id;

/** Opens a page.
 * @param {string} room @param {string} address the path below that of the room
 * @param {Message | null} [message] the message with the page
 * @param {string} [requestPress] the press that requests the page if it does not exist
 * @param {number | null} [seat] from whose side a game is shown that is not open yet */
export async function open(room, address, message = null, requestPress = "", seat = null) {
  const request = ++requestNumber;
  if (!viewed) previousFocus = /** @type {HTMLElement | null} */ (document.activeElement);
  playing = false;
  viewed = { room, address };
  lessonMessage = address.startsWith("lessons/") ? message : null;
  moment = null;
  try {
    await load(viewed, request, requestPress, seat);
  } catch (e) {
    if (request === requestNumber) {
      close();
      showError(e);
    }
  }
}

/** Loads and shows a page.
 * @param {{ room: string, address: string }} page @param {number} request
 * @param {string} requestPress @param {number | null} seat */
async function load({ room, address }, request, requestPress, seat) {
  const { path, query } = parseAddress(address);
  if (path[0] === "lessons") {
    replay = null;
    review = null;
    return showLesson(request);
  }
  if (canAnalyse()) await loadTranslations("analysis");
  if (request !== requestNumber) return;
  if (replay?.room !== room || replay.table !== path[1]) {
    [replay, review] = [new Replay(room, path[1] ?? "", seat, isUpright()), null];
    step = 0;
    await replay.fetchFrom(0);
  } else await replay.fetchNewSteps();
  if (request !== requestNumber) return;
  if (path[2] === "review") {
    const at = query.has("step") ? Number(query.get("step")) : null;
    return fetchReview(request, requestPress, at);
  }
  const found = review ?? (await replay.fetchReview().catch(() => null));
  if (request !== requestNumber) return;
  review = found;
  reveal();
  await goToStep(step);
}

/** @param {string} address */
function parseAddress(address) {
  const [path = "", query] = address.split("?");
  return { path: path.split("/"), query: new URLSearchParams(query) };
}

/** Makes the viewer visible. */
function reveal() {
  const section = byId("viewer");
  const wasVisible = !section.hidden;
  section.hidden = false;
  document.body.classList.add("looking");
  section.classList.toggle("with-bar", replay !== null);
  section.classList.toggle("with-chart", Boolean(review?.chart));
  if (!wasVisible) {
    hooks?.onViewerChanged();
    if (replay) byId("viewer-play").focus();
  }
}

export function close() {
  if (!viewed) return;
  requestNumber++;
  playing = false;
  viewed = lessonMessage = replay = review = moment = null;
  byId("viewer").hidden = true;
  document.body.classList.remove("looking");
  for (const it of Object.values(scenes)) it.clear();
  hooks?.onViewerChanged();
  if (previousFocus?.isConnected) previousFocus.focus();
}

/** Handles a new or changed message: opens a requested page of a course.
 * @param {import("./types").Message} m @param {boolean} isNew */
export function onMessage(m, isNew) {
  const isShown = isMessageShown(m);
  if (isNew && m.author?.id === currentIdentity()?.id) pressedAt = performance.now();
  if (m.gone && isShown) return close();
  void onReviewReady(m.look).catch(showError);
  const hasOpenedTable = isNew && m.table && isPlayer(m) && !m.only && m.buttons.length > 0;
  // A press here has opened a table.
  if (lessonMessage && hasOpenedTable && performance.now() - pressedAt < PRESS_EFFECT_MS)
    return close();
  if (m.look?.startsWith("lessons/") && m.only && (isNew || isShown)) {
    void open(m.room, m.look, m).then(() => isNew && hooks?.onOpened());
  } else if (isShown) close();
}

/** Shows a requested review if this address is its page.
 * @param {string} [address] */
export async function onReviewReady(address) {
  if (replay && !review && address === `tables/${replay.table}/review`) await loadReadyReview();
}

/** Updates the viewer after a change at a table, or without a table in another language.
 * @param {string | null} table */
export async function refresh(table) {
  if (!viewed) return;
  if (table === null) await reload(viewed);
  else if (replay?.table === table) {
    const current = replay,
      end = step === current.last,
      { takebacks } = current;
    await current.fetchNewSteps().catch(() => {});
    if (current !== replay) return;
    // The shown position may have been taken back.
    if (current.takebacks !== takebacks) return goToStep(step);
    await (end && !moment ? advance(1) : updateBar());
  }
}

/** Loads the shown page again, in another language or for another shape of the screen. If that
 * fails, it stays as it is.
 * @param {{ room: string, address: string }} page */
async function reload(page) {
  const old = { replay, review, moment, step },
    isSame = () => viewed?.room === page.room && viewed.address === page.address,
    wasPlaying = playing && step < (replay?.last ?? 0);
  playing = false;
  replay = moment = null;
  try {
    await load(page, ++requestNumber, "", old.replay?.seat ?? null);
  } catch (e) {
    if (!isSame()) return;
    ({ replay, review, moment, step } = old);
    showError(e);
    updateBar();
    if (wasPlaying) togglePlayback();
    return;
  }
  // Something else may have been opened meanwhile.
  if (!replay || !isSame()) return;
  if (old.moment && review?.moments[old.moment.n]) {
    await showMoment(old.moment.n);
    if (old.moment.line) await showBetterLine(old.moment.line);
  } else await goToStep(old.step);
  if (wasPlaying && !playing) togglePlayback();
}

// ---- a game step by step -----------------------------------------------------------------

/** Shows a step without animation.
 * @param {number} target */
async function goToStep(target) {
  if (!replay) return;
  const request = ++requestNumber;
  playing = false;
  moment = null;
  const found = await replay.stepAt(Math.min(target, replay.last)).catch(showError);
  if (request !== requestNumber || !found) return;
  step = found.step;
  await showStep(found, found.picture, 0);
}

/** Shows the next or previous visible step. Returns whether there was one.
 * @param {1 | -1} direction
 * @returns {Promise<boolean>} */
async function advance(direction) {
  if (!replay) return false;
  if (moment?.line !== null && moment) return showBetterLine(moment.line + direction);
  const request = ++requestNumber;
  const next = await replay.nextVisibleStep(step, direction).catch(showError);
  if (request !== requestNumber || next === undefined || next === step) {
    if (next === step) updateBar();
    return false;
  }
  const found = await replay.stepAt(next);
  if (request !== requestNumber || !found) return false;
  moment = null;
  step = next;
  const ms = direction < 0 || reducedMotion.matches ? 0 : STEP_MS / speed;
  for (const it of direction > 0 && ms ? (found.picture?.before ?? []) : []) {
    await loadSheets(it.sheets);
    if (request !== requestNumber) return false;
    scenes.board.show(it, ms);
    await pause(ms * 1.6, request);
  }
  if (request !== requestNumber) return false;
  await showStep(found, found.picture, ms);
  return true;
}

/** Steps on request of the user, which stops the playback.
 * @param {1 | -1} direction */
function stepManually(direction) {
  playing = false;
  void advance(direction);
}

/** Starts or stops the playback. */
function togglePlayback() {
  playing = !playing;
  updateBar();
  if (playing) void runPlayback(++playbackNumber);
}

/** @param {number} playback */
async function runPlayback(playback) {
  if (replay && step >= replay.last && !moment) {
    await goToStep(0);
    playing = true;
  }
  while (playing && playback === playbackNumber && (await advance(1))) {
    const pace = replay?.steps.get(step)?.pace ?? "move";
    await pause((REST_MS[pace] ?? 1000) / speed, requestNumber);
  }
  if (playback !== playbackNumber) return;
  playing = false;
  updateBar();
}

function cycleSpeed() {
  speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  updateBar();
}

/** Waits, unless the request is superseded.
 * @param {number} ms
 * @param {number} request */
function pause(ms, request) {
  const end = performance.now() + ms;
  return new Promise(done => {
    const wait = () =>
      request !== requestNumber || performance.now() >= end ? done(null) : setTimeout(wait, 30);
    wait();
  });
}

/** Shows a position with its text.
 * @param {ReplayStep | { says: string[], board: string[] }} position
 * @param {Picture | null} picture @param {number} ms */
async function showStep(position, picture, ms) {
  const request = requestNumber;
  if (picture && !(await drawScenes(picture, position.board, ms, request))) return;
  renderText(it => it.replaceChildren(...position.says.map(line => createElement("p", "", line))));
  drawMarks();
  updateBar();
  renderButtons();
}

/** Draws the scenes; returns false if the request was superseded while their sheets were loaded.
 * @param {Picture} picture @param {string[]} description
 * @param {number} ms @param {number} request */
async function drawScenes({ board, hand }, description, ms, request) {
  await loadSheets([...new Set([...board.sheets, ...(hand?.sheets ?? [])])]);
  if (request !== requestNumber) return false;
  byId("viewer").style.setProperty("--ratio", String(board.width / board.height));
  scenes.board.show(board, ms);
  scenes.board.svg.setAttribute("aria-label", description.join("\n"));
  scenes.board.overlay.replaceChildren();
  scenes.hand.overlay.replaceChildren();
  byId("viewer-hand").hidden = !hand;
  byId("viewer").classList.toggle("with-hand", Boolean(hand));
  if (hand) scenes.hand.show(hand, ms);
  return true;
}

/** Renders another text, scrolled to its start.
 * @param {(place: HTMLElement) => void} render */
function renderText(render) {
  const place = byId("viewer-text");
  render(place);
  place.scrollTop = 0;
  focusIfScrollable(place);
}

// ---- the review --------------------------------------------------------------------------

/** Shows the review, or requests it.
 * @param {number} request @param {string} requestPress @param {number | null} at */
async function fetchReview(request, requestPress, at) {
  const found = (await replay?.fetchReview()) ?? null;
  if (request !== requestNumber) return;
  review = found;
  reveal();
  if (review) return showReview(at);
  await goToStep(step);
  if (!viewed) return;
  reviewRequest = requestNumber;
  await requestPost(requestPress);
}

/** Sends a press whose result is posted in the room.
 * @param {string | null} [callback] */
async function requestPost(callback) {
  if (!callback || !viewed) return;
  // The result of a press on an own game of another room comes to the private chat.
  const isElsewhere = viewed.room === "@" && !/^#\/?(@|%40)([/?]|$)/.test(location.hash);
  const replies = await sendPress(viewed.room, { press: callback });
  for (const it of replies) {
    if (it.brief) toast(isElsewhere ? `${t("private")}: ${it.text}` : it.text, it.passing);
  }
}

/** Loads a review that is ready, and shows it if the user has not moved on since requesting it. */
async function loadReadyReview() {
  const current = replay,
    wasUpright = current?.isUpright;
  const found = (await current?.fetchReview()) ?? null;
  if (!found || current !== replay) return;
  review = found;
  reveal();
  if (reviewRequest === requestNumber) return showReview(null);
  await drawChart();
  if (wasUpright && current === replay) return goToStep(step);
  updateBar();
  renderButtons();
}

/** @param {number | null} at */
async function showReview(at) {
  const current = review;
  await drawChart();
  if (current !== review) return;
  const all = review?.moments ?? [];
  const n = all.findIndex(it => it.step === at);
  await (all.length ? showMoment(Math.max(n, 0)) : goToStep(0));
}

/** Draws the chart with a target for each moment. */
async function drawChart() {
  const current = review;
  if (!current?.chart) return;
  await loadSheets(current.chart.sheets);
  if (current !== review) return;
  scenes.chart.show(current.chart, 0);
  scenes.chart.svg.setAttribute("aria-label", current.words.join("\n"));
  const actions = current.moments.map((it, n) => ({
    at: it.badge,
    label: `${n + 1}. ${it.says[0]}`,
    press: "",
    n,
  }));
  const onTouch = (/** @type {Element} */ _, /** @type {{ n: number }} */ it) => showMoment(it.n);
  placeTargets(scenes.chart, actions, onTouch);
}

/** Shows a moment: the position before the move, with the played and the better move.
 * @param {number} index */
async function showMoment(index) {
  const it = review?.moments[index];
  if (!it) return;
  requestNumber++;
  playing = false;
  moment = { n: index, line: null };
  step = it.step;
  await showStep(it, it.picture, 0);
}

/** Shows the position after the played move.
 * @param {number} n */
async function showPlayedMove(n) {
  await showMoment(n);
  await advance(1);
}

/** Shows the position after `n` steps of the better line.
 * @param {number} n */
async function showBetterLine(n) {
  const it = moment && review?.moments[moment.n];
  if (!moment || !it || n > it.line.length) return false;
  if (n <= 0) {
    await showMoment(moment.n);
    return true;
  }
  requestNumber++;
  moment = { n: moment.n, line: n };
  const state = it.line[n - 1];
  /** @type {Picture | null} */
  let picture = null;
  for (const other of it.line.slice(0, n)) picture = other.picture ?? picture;
  if (!state) return false;
  await showStep(state, picture, reducedMotion.matches ? 0 : STEP_MS / speed);
  return true;
}

/** Marks the played and the better move on the board. */
function drawMarks() {
  const it = moment?.line === null ? review?.moments[moment.n] : null;
  if (!it) return;
  const on = it.picture.hand ? scenes.hand : scenes.board;
  for (const [kind, sign, mark] of /** @type {[string, string, Mark | null][]} */ ([
    ["played", "✗", it.played],
    ["better", "✓", it.better],
  ])) {
    if (mark) on.overlay.append(createMark(kind, sign, mark, Boolean(it.picture.hand)));
  }
}

// ---- a page of a course ------------------------------------------------------------------

/** @param {number} request */
async function showLesson(request) {
  const m = lessonMessage;
  if (!viewed || !m) return;
  const shape = isUpright() ? `${viewed.address.includes("?") ? "&" : "?"}upright=1` : "";
  /** @type {import("./types").LessonState} */
  const lesson = await get(roomPath(viewed.room, `/${viewed.address}${shape}`));
  if (request !== requestNumber) return;
  reveal();
  const page = `${lesson.game} ${lesson.page}`;
  const isStatic = byId("viewer-board").dataset.page !== page || reducedMotion.matches;
  if (!(await drawScenes(lesson.picture, lesson.board, isStatic ? 0 : STEP_MS * 1.6, request)))
    return;
  // Text, targets and buttons change together with the board.
  byId("viewer-board").dataset.page = page;
  renderText(it => renderSpans(it, m.spans));
  const keys = m.buttons.flat();
  const actions = lesson.spots.flatMap(it => {
    // Game, page and answer, then the answers that were wrong.
    const key = keys.find(key => key.press.split(".")[3] === it.token);
    return key ? [{ ...it, label: key.label, press: key.press }] : [];
  });
  placeTargets(scenes.board, actions, pressLessonButton);
  updateBar();
  renderButtons();
}

/** Handles a target of a lesson: presses the button of the same answer.
 * @param {Element} _ @param {{ press: string }} key */
function pressLessonButton(_, key) {
  const all = /** @type {HTMLElement[]} */ ([...byId("viewer-keys").querySelectorAll(".key")]);
  all.find(it => it.dataset.press === key.press)?.click();
}

// ---- buttons and keys --------------------------------------------------------------------

/** Updates the bar: the step, and whether the playback runs. */
function updateBar() {
  if (!replay) return;
  const { last } = replay;
  const it = stepSlider();
  it.max = String(last);
  it.value = String(step);
  const number = replay.steps.get(step)?.number;
  const label = t("viewer_step", { n: String(step), all: String(last) });
  it.setAttribute("aria-valuetext", number ? `${label} (${number})` : label);
  byId("viewer-count").textContent = `${step} / ${last}`;
  byId("viewer-play").textContent = playing ? "⏸" : "▶";
  drawIcons(byId("viewer-play"));
  byId("viewer-play").setAttribute("aria-label", t(playing ? "viewer_pause" : "viewer_play"));
  byId("viewer-speed").textContent = `×${speed}`;
  byId("viewer-speed").setAttribute("aria-label", `${t("viewer_speed")} ×${speed}`);
  byId("viewer-gif").hidden = !replay.about?.film;
  const ticks = (review?.moments ?? []).map(({ step }) => {
    const tick = createElement("i");
    tick.style.insetInlineStart = `${(100 * step) / Math.max(last, 1)}%`;
    return tick;
  });
  byId("viewer-ticks").replaceChildren(...ticks);
}

/** Renders the buttons of the page. */
function renderButtons() {
  const container = byId("viewer-keys");
  /** @type {ViewerButton[][]} */
  const rows = [];
  if (lessonMessage) {
    renderKeyboard(container, lessonMessage, { beforePress: hooks?.onPress });
    return;
  }
  /** @param {string} label @param {boolean} on @param {() => void} does @returns {ViewerButton} */
  const key = (label, on, does) => ({
    label,
    press: label,
    tone: on ? "good" : "plain",
    onPress: does,
  });
  const it = moment && review?.moments[moment.n];
  if (it && moment) {
    const { n, line } = moment;
    const here = [
      key(t("viewer_position"), line === null, () => void showMoment(n)),
      key(`✗ ${t("viewer_played")}`, false, () => void showPlayedMove(n)),
    ];
    const better = key(`✓ ${t("viewer_better")}`, line !== null, () => void showBetterLine(1));
    if (it.line.length) here.push(better);
    rows.push(here);
  }
  const count = review?.moments.length ?? 0;
  if (review && count > (it ? 1 : 0)) {
    const all = review.moments.map((_, n) =>
      key(String(n + 1), n === moment?.n, () => void showMoment(n)),
    );
    // More numbers do not fit in a line of a phone.
    const most = isUpright() ? MOMENTS_PER_LINE : all.length;
    for (let from = 0; from < all.length; from += most) rows.push(all.slice(from, from + most));
  }
  const about = replay?.about;
  const position = moment === null ? replay?.steps.get(step)?.position : null;
  if (about && position && canAnalyse()) {
    const from = { game: about.game, options: about.options, position };
    rows.push([key(t("analysis_from"), false, () => void openAnalysis(from).catch(showError))]);
  }
  if (about && about.hand !== null) {
    rows.push(
      about.seats.map(({ name }, n) => key(name, n === about.below, () => void showFromSeat(n))),
    );
  }
  renderKeyboard(container, { id: null, room: viewed?.room ?? "", buttons: rows }, {});
}

/** Whether this page has the analysis board. */
const canAnalyse = () => document.getElementById("games-open") !== null;

/** Opens a position on the analysis board.
 * @param {import("./types").AnalysisRoot} root */
async function openAnalysis(root) {
  byId("games-open").click();
  await (await import("./analysis.js")).open(root);
}

/** Shows the game from the side of another seat, with its hand if it is public.
 * @param {number} seat */
async function showFromSeat(seat) {
  if (!replay) return;
  const request = ++requestNumber;
  const other = new Replay(replay.room, replay.table, seat, replay.isUpright);
  await other.fetchFrom(Math.max(0, step - 5)).catch(showError);
  if (request !== requestNumber || !other.about) return;
  replay = other;
  await goToStep(step);
}

/** Shows the next moment of the review in a direction.
 * @param {1 | -1} direction */
function jumpToMoment(direction) {
  const all = review?.moments ?? [];
  const sorted = all.map((it, n) => ({ at: it.step, n })).sort((a, b) => a.at - b.at);
  const on = sorted.filter(it => (direction > 0 ? it.at > step : it.at < step));
  const next = direction > 0 ? on[0] : on.at(-1);
  if (next) void showMoment(next.n);
}

/** Handles keys: arrows step, Space plays, Escape closes; among targets arrows move the focus.
 * @param {KeyboardEvent} e */
function onKeydown(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || handleArrowKeys(e)) return;
  const inButtons = /** @type {HTMLElement} */ (e.target).closest(".keys");
  /** @type {Record<string, () => void>} */
  const all = replay
    ? {
        ArrowRight: () => stepManually(1),
        ArrowLeft: () => stepManually(-1),
        Home: () => void goToStep(0),
        End: () => void goToStep(replay?.last ?? 0),
        PageDown: () => jumpToMoment(1),
        PageUp: () => jumpToMoment(-1),
        "+": cycleSpeed,
        p: togglePlayback,
      }
    : {};
  const isButton = /** @type {HTMLElement} */ (e.target).closest("button, [role=button]");
  if (e.key === " " && replay && !isButton) all[" "] = togglePlayback;
  all.Escape = close;
  const handler = inButtons && /^Arrow|Home|End/.test(e.key) ? undefined : all[e.key];
  if (!handler) return;
  e.preventDefault();
  e.stopPropagation();
  handler();
}
