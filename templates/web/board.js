// The living board: the table of a room as its viewer may see it, to be played by touch, by keys
// and by ear. Everything on it comes from the state of the table (README).

import { getDelta, RefusalError, roomPath, sendPress } from "./api.js";
import { all, byId, focusedElement, focusIfScrollable, targetOf, update } from "./dom.js";
import { splitTimes, createElement, renderKeyboard, markUnsent, renderSpans } from "./messages.js";
import {
  ARROWS,
  createArea,
  attachPreview,
  nextInDirection,
  SceneView,
  loadSheets,
  consumeLongPress,
  labelTarget,
  showTooltip,
  uprightScreen,
} from "./svg-scene.js";
import { copyLink, showError, toast } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").TableStateView} TableStateView */
/** @typedef {import("./types").VectorScene} VectorScene */
/** @typedef {import("./types").ActionState} ActionState */
/** @typedef {import("./types").KeyboardButton} KeyboardButton */

/** How long one step is seen, and how long it is looked at then, in ms. */
const STEP_MS = 600,
  REST_MS = 250,
  /** All that happened at once is seen in so much time at most. */
  ALL_STEPS_MAX_MS = 4000,
  /** The turns of all computers together, between two turns of a person, the same. */
  COMPUTER_STEPS_MAX_MS = 2300,
  /** What has just appeared under a finger is not meant by it. */
  CLICK_GUARD_MS = 250;

/** What is less far apart than this, in units, lies in one line. */
const LINE_HEIGHT = 90;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} Hooks
 * @property {(there: boolean) => void} onTableChanged called when a table comes or goes
 * @property {(text: string) => void} announce with what happened
 * @property {() => void} [onLeave] when the focus is to go from the board to the chat
 * @property {() => void} [onRender] when the present state of the table is drawn
 * @property {(address: string, ask?: string) => void} [openViewer] something is to be looked at
 * @property {(whispers: import("./types").PrivateReply[]) => void} [onReplies] with private replies
 * @property {() => void} [onTableGone] when the table that was wanted cannot be seen
 * @property {() => void} [onPress] when something of the table was pressed
 * @property {(code: string) => string} [tableUrl] the address that leads others to a table
 */
/** @type {Hooks} */
let hooks = { onTableChanged: () => {}, announce: () => {} };
const table = new SceneView(byId("table-board")),
  hand = new SceneView(byId("table-hand"));
/** @type {TableStateView | null} */
let shownState = null;
/** @type {SVGElement | HTMLElement | null} */
let chosenTarget = null;
/**
 * Where the focus was when what can be done went: it comes back there with the next turn.
 * @type {{ label: string, x: number, y: number } | null}
 */
let savedFocus = null;
/** The press that is on its way, and the moment for which it is.
 * @type {{ table: NonNullable<typeof currentTable>, moment: number | undefined } | null} */
let pendingPress = null;
/** The press that waits for its second one. */
let pressToConfirm = "";
/** The hint for the moment that is shown, and its words.
 * @type {{ hint: import("./types").HintedAction, text: string } | null} */
let currentHint = null;
let actionPage = 0,
  skipAnimation = () => {},
  animationEndedAt = 0;
/** @type {{ room: string, table: string } | null} */
let currentTable = null;
/** The looking at the table that is under way.
 * @type {Promise<void> | null} */
let pendingRefresh = null;
let mustRefetch = false;

/** @param {Hooks} newHooks */
export function start(newHooks) {
  hooks = newHooks;
  byId("table").addEventListener("click", () => skipAnimation());
  byId("table").addEventListener("keydown", e => {
    if (handleArrowKeys(e)) return;
    if (e.key === "Escape") {
      skipAnimation();
      hooks.onLeave?.();
      e.stopPropagation();
    } else if (e.key === "r" && currentTable && !(e.ctrlKey || e.metaKey || e.altKey)) {
      hooks.openViewer?.(`tables/${currentTable.table}/replay`);
    }
  });
  uprightScreen.addEventListener("change", () => void refresh());
  window.addEventListener("resize", () => {
    byId("table-says").style.minHeight = "";
    if (shownState) renderText(shownState, true);
  });
  byId("table").addEventListener("focusin", e => {
    const focused = targetOf(e);
    if (!focused.matches(".spots [role=button]")) return;
    const targets = all(byId("table"), ".spots [role=button]");
    targets.forEach(it => it.setAttribute("tabindex", it === focused ? "0" : "-1"));
  });
}

/** Brings the focus to what can be done here; without it to the table, to be there in time. */
export function focus() {
  const [first] = all(byId("table"), "[role=button][tabindex='0'], .key[tabindex='0']");
  savedFocus ??= { label: "", x: 0, y: 0 };
  (first ?? byId("table")).focus({ preventScroll: true });
}

/**
 * Marks what a hint recommends on the board, and adds its words to those of the table. They stay
 * until a move is made.
 * @param {import("./types").PrivateReply} whisper
 */
export function markHint({ hint, text }) {
  if (
    !hint ||
    !shownState ||
    hint.table !== currentTable?.table ||
    hint.moment !== shownState.moment
  )
    return false;
  currentHint = { hint, text };
  renderText(shownState);
  renderTargets(shownState);
  hooks.announce(text);
  return true;
}

/**
 * Plays a sound if sounds are on; else nothing of them is even fetched.
 * @param {import("./notifications.js").Sound | undefined} what
 */
function playSound(what) {
  if (what && localStorage.getItem("sounds") === "on") {
    void import("./notifications.js").then(it => it.playSound(what));
  }
}

/** Whether this viewer is to do something. */
const isViewersTurn = (/** @type {TableStateView | null} */ it) =>
  it !== null && it.turn === it.you && it.you !== null;

/** What once took so much room keeps it: a board that changes its size at each move is hard to
 * follow, and is redrawn as a whole. */
function lockHeight() {
  const told = byId("table-says"),
    high = `${told.offsetHeight}px`;
  if (told.style.minHeight !== high) told.style.minHeight = high;
}

/**
 * Lays out the table for what is on it. Room that was kept in another layout is given back.
 * @param {VectorScene | null} board
 * @param {boolean} hasHand
 */
function setLayout(board, hasHand) {
  const place = byId("table"),
    before = place.className;
  place.classList.toggle("with-hand", hasHand);
  place.classList.toggle("square", Boolean(board && !hasHand && board.width < 1.2 * board.height));
  place.classList.toggle("waiting", !board);
  place.style.setProperty("--ratio", String(board ? board.width / board.height : 1));
  byId("table-board").hidden = !board;
  byId("table-hand").hidden = !hasHand;
  if (place.className !== before) byId("table-says").style.minHeight = "";
}

/** Whether this is the table that is shown. */
export const isFollowing = (/** @type {string} */ code) => currentTable?.table === code;

/** The table that is shown, if its game has begun. */
export const startedTable = () =>
  shownState && shownState.phase !== "lobby" ? currentTable : null;

/** The table that is wanted, whether it is drawn yet or not. */
export const followedTable = () => currentTable?.table ?? null;

/** The moment of the game that is shown, and whether this viewer is to act then. */
export const shownMoment = () => shownState?.moment ?? null;
export const isOnTurn = () => isViewersTurn(shownState);

/** The phase of the table that is shown. */
export const shownPhase = () => shownState?.phase ?? null;

/**
 * Shows the table of a room, or none.
 * @param {string} room
 * @param {string | null} code
 */
export function followTable(room, code) {
  if (code === (currentTable?.table ?? null) && (!code || room === currentTable?.room)) return;
  currentTable = code ? { room, table: code } : null;
  shownState = null;
  chosenTarget = null;
  savedFocus = null;
  currentHint = null;
  actionPage = 0;
  showClocks(null);
  showRound(null, null);
  skipAnimation();
  table.clear();
  hand.clear();
  byId("table").hidden = !currentTable;
  setLayout(null, false);
  byId("table-says").replaceChildren();
  byId("table-keys").replaceChildren();
  hooks.onTableChanged(Boolean(currentTable));
  if (currentTable) void refresh();
}

/**
 * Something happened at the table that is shown, or its words are to be in another language. It is
 * done when the board shows it.
 * @returns {Promise<void>}
 */
export function refresh() {
  if (!currentTable) return Promise.resolve();
  if (pendingRefresh) mustRefetch = true;
  else pendingRefresh = refetch().finally(() => (pendingRefresh = null));
  return pendingRefresh;
}

/** Looks at the table until nothing happened meanwhile. */
async function refetch() {
  do {
    mustRefetch = false;
    const requested = currentTable;
    await fetchState().catch(e => {
      // A table that cannot be looked at is played in the chat.
      if (
        e instanceof RefusalError &&
        e.status === 404 &&
        requested &&
        requested === currentTable
      ) {
        followTable(requested.room, null);
        hooks.onTableGone?.();
      }
    });
  } while (mustRefetch);
}

/** After each await another table may be wanted. */
async function fetchState() {
  const requested = currentTable;
  if (!requested) return;
  const isCurrent = () => requested === currentTable;
  const { room, table: code } = requested;
  const since = shownState ? `&since=${shownState.moment}` : "";
  const shape = uprightScreen.matches ? "&upright=1" : "";
  const query = `?drawn=1${shape}&page=${actionPage}${since}`;
  /** @type {TableStateView} */
  const state = await getDelta(roomPath(room, `/tables/${encodeURIComponent(code)}`), query);
  if (!isCurrent()) return;
  if (!state.picture) return renderWithoutBoard(state);
  const { board, hand: held, before } = state.picture;
  await loadSheets([...new Set([board, held, ...before].flatMap(it => it?.sheets ?? []))]);
  if (!isCurrent()) return;
  const says = state.says.join("\n"),
    old = shownState;
  if (old && old.change > state.change) return;
  shownState = state;
  if (old && old.moment === state.moment) {
    render(state, state.picture, 0);
  } else {
    renderTargets(null);
    await animateSteps(
      !old || reducedMotion.matches ? [] : before,
      state,
      state.picture,
      isCurrent,
    );
    if (!isCurrent()) return;
  }
  renderTargets(state);
  showClocks(state);
  showRound(old, state);
  hooks.onRender?.();
  if (old && state.phase !== "playing" && old.phase === "playing") playSound("end");
  else if (old && isViewersTurn(state) && !isViewersTurn(old)) playSound("turn");
  const hasNews = old && says !== old.says.join("\n");
  const announcement = hasNews ? stateLines(state).map(it => it.textContent ?? "") : [];
  // New cards are read out for people who cannot see them.
  const cards = old?.picture?.hand?.items.length ?? 0;
  if (held && held.items.length > cards) announcement.push(...state.hand);
  if (announcement.length) hooks.announce(announcement.join("\n"));
}

/**
 * Shows the result of a round that has just ended, and that of no other table.
 * @param {TableStateView | null} old
 * @param {TableStateView | null} state
 */
function showRound(old, state) {
  const plays = state?.phase === "playing" ? state : null;
  const { round } = plays ?? {};
  const isNew = old && round && round.number > (old.round?.number ?? 0);
  if (!isNew && !all(byId("table"), "#round").length) return;
  void import("./round.js").then(it => {
    if (!plays) it.hide();
    else if (!isNew) it.collapseIfMoved(plays.moment);
    else if (plays.table === currentTable?.table) it.show(round, plays.moment);
  });
}

/** Whether clocks have been seen here: only then there is something to take away. */
let timed = false;

/**
 * Shows the clocks of a table, or none.
 * @param {TableStateView | null} state
 */
function showClocks(state) {
  timed ||= Boolean(state?.clock);
  if (timed) void import("./clocks.js").then(it => it.show(state === shownState ? state : null));
}

/**
 * A table that waits for players, or was closed before its game began, has no board: its words and
 * buttons are all there is.
 * @param {TableStateView} state
 */
function renderWithoutBoard(state) {
  if (shownState && shownState.change > state.change) return;
  const hasNews = shownState && shownState.says.join() !== state.says.join();
  shownState = state;
  renderTargets(null);
  table.clear();
  hand.clear();
  setLayout(null, false);
  renderText(state);
  renderButtons(state);
  hooks.onRender?.();
  if (hasNews) hooks.announce(state.says.join("\n"));
}

/**
 * Shows what happened, a step after the other, and then the present state.
 * @param {import("./types").PictureFrame[]} frames
 * @param {TableStateView} state
 * @param {{ board: VectorScene, hand: VectorScene | null, sound?: import("./types").StepSound }} last
 * @param {() => boolean} isCurrent whether this table is still the one to be shown
 */
async function animateSteps(frames, state, last, isCurrent) {
  byId("table").classList.add("moving");
  let skipped = document.hidden;
  skipAnimation = () => {
    skipped = true;
    table.finishAnimations();
    hand.finishAnimations();
  };
  const computers = state.seats.filter(it => it.computer).length;
  const maxMs = computers ? COMPUTER_STEPS_MAX_MS / computers : ALL_STEPS_MAX_MS;
  const speedFactor = Math.min(1, maxMs / ((frames.length + 1) * (STEP_MS + REST_MS)));
  const moves = frames.length || table.things.length;
  // What has left the hand is on its way to the table.
  if (last.hand && !byId("table-hand").hidden) hand.show(last.hand, 0);
  const ms = () => (skipped || reducedMotion.matches || !moves ? 0 : STEP_MS * speedFactor);
  for (const picture of frames) {
    if (skipped) break;
    table.show(picture, ms());
    playSound(picture.sound);
    await waitUnless(ms() + REST_MS * speedFactor, () => skipped);
  }
  if (isCurrent()) {
    render(state, last, ms());
    playSound(last.sound);
  }
  if (!skipped && !reducedMotion.matches && moves)
    await waitUnless(STEP_MS * speedFactor, () => skipped);
  skipAnimation = () => {};
  byId("table").classList.remove("moving");
  animationEndedAt = performance.now();
}

/**
 * Waits until the time or the animation is over.
 * @param {number} ms
 * @param {() => boolean} isOver
 * @returns {Promise<void>}
 */
function waitUnless(ms, isOver) {
  const end = performance.now() + ms;
  return new Promise(done => {
    const check = () => (isOver() || performance.now() >= end ? done() : setTimeout(check, 30));
    check();
  });
}

/**
 * The lines about the state, with times in the reader's zone.
 * @param {TableStateView} state
 */
export const stateLines = ({ says, times }) =>
  says.map(it => {
    const line = createElement("p");
    renderSpans(line, splitTimes(it, times));
    return line;
  });

/**
 * Shows the present state.
 * @param {TableStateView} state
 * @param {{ board: VectorScene, hand: VectorScene | null }} picture
 * @param {number} ms
 */
function render(state, { board, hand: held }, ms) {
  // What is said takes room: the board has its size before anything moves on it.
  setLayout(board, Boolean(held));
  // The hand is the lower part of the table.
  table.alignVertically(held ? 1 : 0.5);
  hand.alignVertically(0);
  renderText(state);
  lockHeight();
  renderButtons(state);
  table.show(board, ms);
  table.svg.setAttribute("aria-label", state.board.join("\n"));
  if (held) {
    hand.show(held, ms);
    hand.svg.setAttribute("aria-label", state.hand.join("\n"));
  }
}

/**
 * What matters stays in sight; the rest can be scrolled.
 * @param {TableStateView} state
 * @param {boolean} [isResized] whether other lines than before have room
 */
function renderText(state, isResized) {
  const { says: spectators } = state.watching,
    hint = hintOf(state),
    every = stateLines(state);
  const main = every.filter((_, n) => state.main.includes(n));
  const rest = [
    ...(spectators ? [createElement("p", "lookers", spectators)] : []),
    ...every.filter((_, n) => !state.main.includes(n)),
    ...(hint ? [createElement("p", "hint", hint.text)] : []),
  ];
  const place = byId("table-says");
  update(
    place,
    ["main", "rest"],
    it => it,
    it => createElement("div", it),
  );
  const [above, below] = /** @type {[HTMLElement, HTMLElement]} */ ([...place.children]);
  renderLines(above, main);
  // While the words stay the same, their reader scrolls as they like: a lobby is read from its
  // beginning, a game from its last move.
  if (renderLines(below, rest) || isResized) {
    below.scrollTop = state.phase === "playing" ? below.scrollHeight : 0;
  }
  focusIfScrollable(below);
}

/**
 * Lets a place say these lines, and tells whether it said something else before.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} lines
 */
function renderLines(place, lines) {
  const before = place.textContent;
  update(
    place,
    lines.map((line, n) => ({ line, key: `${n} ${line.className} ${line.textContent}` })),
    it => it.key,
    it => it.line,
  );
  return place.textContent !== before;
}

// ---- what can be touched -----------------------------------------------------------------

/**
 * Lays what can be done over the picture: each place once, with all that begins there.
 * @param {TableStateView | null} state
 */
function renderTargets(state) {
  chosenTarget = null;
  showTooltip(null);
  const on = state?.picture?.hand ? hand : table;
  const active = focusedElement();
  if (active?.closest(".spots")) saveFocus(active);
  table.overlay.replaceChildren();
  hand.overlay.replaceChildren();
  if (!state) return;
  placeTargets(on, state.actions, performAction);
  const action = state.actions.find(it => it.token === hintOf(state)?.hint.token);
  if (currentHint)
    void loadOverlay().then(it =>
      it.drawHint(on, on === hand, shownState === state ? action : null),
    );
  if (pressToConfirm) showConfirmation(state, on);
  restoreFocus(state);
}

/**
 * The hint for this moment, if one was given.
 * @param {TableStateView} state
 */
const hintOf = state =>
  state.phase === "playing" && currentHint?.hint.moment === state.moment ? currentHint : null;

/**
 * Something that can be touched, and what is said of it.
 * @typedef {object} Target
 * @property {string} label
 * @property {string} press
 * @property {import("./types").Area | null} [at]
 * @property {import("./types").Area | null} [also]
 * @property {import("./types").Area | null} [to]
 * @property {boolean} [takes]
 * @property {string} [would]
 */

/**
 * Lays what can be done over a picture: each place once, with all that begins there.
 * @template {Target} T
 * @param {SceneView} on
 * @param {T[]} actions
 * @param {(where: Element, action: T) => void} onChoose
 */
export function placeTargets(on, actions, onChoose) {
  clearChoice();
  on.overlay.setAttribute("aria-label", t("buttons"));
  on.overlay.replaceChildren(
    ...inReadingOrder(groupByPlace(actions), on).map(it => createTarget(it, on, onChoose)),
  );
  all(on.overlay, "[role=button]")[0]?.setAttribute("tabindex", "0");
}

/**
 * What begins at one place is together.
 * @template {Target} T
 * @param {T[]} actions
 */
function groupByPlace(actions) {
  /** @type {Map<string, (T & Placed)[]>} */
  const places = new Map();
  for (const action of actions) {
    const at = action.at ?? action.also;
    if (!at) continue;
    const here = places.get(at.join()) ?? [];
    places.set(at.join(), [...here, { ...action, at }]);
  }
  return places;
}

/**
 * What has the focus is going: the table has it until there is something to do again.
 * @param {HTMLElement} active
 */
function saveFocus(active) {
  savedFocus = focusPosition(active);
  byId("table").focus({ preventScroll: true });
}

/** @param {HTMLElement} it */
function focusPosition(it) {
  const { left, top, width, height } = it.getBoundingClientRect();
  return { label: it.dataset.label ?? "", x: left + width / 2, y: top + height / 2 };
}

/**
 * Puts the focus back where a player who uses keys was in their last turn.
 * @param {TableStateView} state
 */
function restoreFocus(state) {
  if (savedFocus === null || focusedElement() !== byId("table") || !isViewersTurn(state)) return;
  const was = savedFocus,
    every = all(byId("table"), ".spot, .goal, #table-keys .key");
  const far = (/** @type {HTMLElement} */ it) => {
    const { label, x, y } = focusPosition(it);
    return label === was.label ? 0 : Math.hypot(x - was.x, y - was.y);
  };
  every.sort((a, b) => far(a) - far(b))[0]?.focus({ preventScroll: true });
  savedFocus = null;
}

/**
 * Of what was pressed once and is to be pressed again the rest is out of the way.
 * @param {TableStateView} state
 * @param {SceneView} on
 */
function showConfirmation(state, on) {
  const places = groupByPlace(state.actions);
  if (!state.twice || !state.actions.some(it => it.press === pressToConfirm)) pressToConfirm = "";
  const here = [...places.values()].find(all => all.some(it => it.press === pressToConfirm));
  if (!here) return;
  const [from] = all(on.overlay, ".spot").slice(inReadingOrder(places, on).indexOf(here));
  if (!from) return;
  if (here.length > 1) chooseTarget(here, on, from, performAction);
  const again = all(on.overlay, "[role=button]").find(it => it.dataset.press === pressToConfirm);
  again?.classList.add("armed");
  again?.setAttribute("tabindex", "0");
  again?.focus({ preventScroll: true });
}

/**
 * Places as people read: line after line; of a hand from the left to the right.
 * @template {Placed} T
 * @param {Map<string, T[]>} places
 * @param {SceneView} on
 */
function inReadingOrder(places, on) {
  const line = (/** @type {Placed} */ it) => (on === hand ? 0 : Math.round(it.at[1] / LINE_HEIGHT));
  const firsts = [...places.values()].flatMap(all =>
    all.slice(0, 1).map(first => ({ first, all })),
  );
  firsts.sort((a, b) => line(a.first) - line(b.first) || a.first.at[0] - b.first.at[0]);
  return firsts.map(it => it.all);
}

/** Something that is seen on the picture.
 * @typedef {Target & { at: import("./types").Area }} Placed */

/**
 * Something to touch, for one action or several that begin at the same place.
 * @template {Placed} T
 * @param {T[]} actions
 * @param {SceneView} on
 * @param {(where: Element, action: T) => void} onChoose
 */
function createTarget(actions, on, onChoose) {
  const [only, ...others] = /** @type {[T, ...T[]]} */ (actions);
  const g = createArea(only.at, "spot");
  const label = actions.map(it => it.label).join(", ");
  labelTarget(g, label, others.length ? "" : only.press, others.length ? "" : only.would);
  const createLeads = () =>
    actions.flatMap(it => (it.to ? [createArea(it.to, it.takes ? "lead takes" : "lead")] : []));
  const show = () => {
    if (chosenTarget) return;
    clearPreview(on);
    on.overlay.prepend(...createLeads());
    showTooltip(g);
  };
  attachPreview(g, show, () => clearPreview(on));
  g.addEventListener("click", e => {
    if (isGuardedClick(e) || consumeLongPress(g)) return;
    if (!others.length) return void onChoose(g, only);
    if (chosenTarget === g) clearChoice();
    else chooseTarget(actions, on, g, onChoose);
  });
  return g;
}

/**
 * A piece was chosen: now where it goes.
 * @template {Placed} T
 * @param {T[]} actions
 * @param {SceneView} on
 * @param {SVGElement | HTMLElement} from
 * @param {(where: Element, action: T) => void} onChoose
 */
function chooseTarget(actions, on, from, onChoose) {
  clearChoice();
  clearPreview(on);
  chosenTarget = from;
  from.classList.add("chosen");
  const goals = actions.map(it => {
    const g = createArea(it.to ?? it.at, it.takes ? "goal takes" : "goal");
    labelTarget(g, it.label, it.press, it.would);
    const hide = () => showTooltip(null);
    attachPreview(g, () => showTooltip(g), hide);
    g.addEventListener("click", () => {
      if (!consumeLongPress(g)) onChoose(g, it);
    });
    return g;
  });
  on.overlay.append(...goals);
  goals[0]?.setAttribute("tabindex", "0");
  goals[0]?.focus();
}

function clearChoice() {
  chosenTarget?.classList.remove("chosen");
  chosenTarget = null;
  document.querySelectorAll(".goal").forEach(it => it.remove());
}

const clearPreview = (/** @type {SceneView} */ on) => {
  on.overlay.querySelectorAll(".lead").forEach(it => it.remove());
  showTooltip(null);
};
/** Keys go to what has the focus, whenever it has come. */
const isGuardedClick = (/** @type {MouseEvent} */ e) =>
  byId("table").classList.contains("moving") ||
  (e.detail > 0 && performance.now() - animationEndedAt < CLICK_GUARD_MS);

/**
 * One stop for Tab; arrows go from place to place, Enter does it, Escape takes a choice back.
 * Whether the key was meant for that.
 * @param {KeyboardEvent} e
 */
export function handleArrowKeys(e) {
  /** @type {HTMLElement | null} */
  const here = targetOf(e).closest(".spots [role=button]");
  if (e.key === "Escape" && chosenTarget) {
    const from = chosenTarget;
    skipAnimation();
    clearChoice();
    from.focus();
    e.stopPropagation();
    return true;
  }
  const places = here?.closest(".spots");
  if (!here || !places) return false;
  const arrow = ARROWS[e.key];
  if (arrow) {
    const next = nextInDirection(here, all(places, chosenTarget ? ".goal" : ".spot"), arrow);
    next?.focus();
  } else if (e.repeat) {
    // A key that is held down is one wish.
  } else if (e.key === "Enter" || e.key === " ") {
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else {
    return false;
  }
  e.preventDefault();
  e.stopPropagation();
  return true;
}

/**
 * Does something. What follows is seen at once, and then what the others answer.
 * @param {Element} where
 * @param {{ press: string, label: string }} action
 */
async function performAction(where, action) {
  if (!currentTable || where.classList.contains("busy")) return;
  // Of one moment, what was pressed first counts; it may wait for a connection.
  if (pendingPress?.table === currentTable && pendingPress.moment === shownState?.moment) {
    if (all(byId("table"), ".late").length) toast(t("still_sending"));
    return;
  }
  where.classList.add("busy");
  hooks.onPress?.();
  const requested = currentTable,
    { room } = requested,
    sent = { table: requested, moment: shownState?.moment };
  pendingPress = sent;
  try {
    const reportDelay = () => markUnsent(where, action.label);
    const replies = await sendPress(room, { press: action.press }, reportDelay);
    replies.filter(it => it.brief && !it.passing).forEach(it => toast(it.text, it.passing));
    if (requested !== currentTable) return;
    pressToConfirm = pressToConfirm !== action.press ? action.press : "";
    await refresh();
    if (requested === currentTable && shownState?.moment !== sent.moment) pressToConfirm = "";
  } catch (e) {
    showError(e);
  } finally {
    where.classList.remove("busy", "late");
    if (pendingPress === sent) pendingPress = null;
  }
}

/** The moves that are shown before they are made.
 * @type {NonNullable<ActionState["paths"]>} */
let previewedPaths = [];

/** What is drawn above the board is fetched when it is needed. */
const loadOverlay = () => import("./board-overlay.js");

/**
 * Shows on the board which moves an action would make, or no longer.
 * @param {ActionState} action
 * @param {boolean} isShown
 */
function previewPaths({ paths = [] }, isShown) {
  clearPreview(table);
  previewedPaths = isShown && !byId("table").classList.contains("moving") ? paths : [];
  if (previewedPaths.length)
    void loadOverlay().then(it => previewedPaths === paths && it.drawPreview(table, paths));
}

// ---- buttons -----------------------------------------------------------------------------

/**
 * What can be done and is nowhere on the picture, then what concerns the table.
 * @param {TableStateView} state
 */
function renderButtons(state) {
  const buttonActions = new Map(state.actions.filter(it => !it.at).map(it => [it.token, it]));
  /** @returns {KeyboardButton} */
  const key = (/** @type {ActionState} */ it) => ({
    // What moves several pieces is said in words, and shown before it is done.
    label: (it.paths && it.would) || it.label,
    press: it.press,
    tone: "plain",
    onPress: performAction,
    ...(it.paths && { onPreview: (/** @type {boolean} */ isShown) => previewPaths(it, isShown) }),
  });
  const rows = state.rows.map(row => row.flatMap(it => buttonActions.get(it) ?? []).map(key));
  // What is all there is to do has a word, too, and not only its place on the board.
  const [only, ...more] = state.actions;
  if (only?.at && !more.length && !state.hand.length)
    rows.unshift([{ ...key(only), tone: "good" }]);
  if (buttonActions.size && state.pages > 1) {
    /** @returns {KeyboardButton} */
    const turn = (/** @type {string} */ sign, /** @type {number} */ by) => ({
      label: sign,
      press: "",
      tone: "turn",
      onPress: async () => {
        actionPage = (state.page + by + state.pages) % state.pages;
        await refresh();
      },
    });
    const last = rows.pop() ?? [];
    // Beside many buttons, or words, there is no room for these.
    const isFull = last.length > 3 || state.actions.some(it => it.paths);
    rows.push(isFull ? last : [turn("◂", -1), ...last, turn("▸", 1)]);
    if (isFull) rows.push([turn("◂", -1), turn("▸", 1)]);
  }
  // What can be looked at on the board itself need not be posted first.
  const withViewer = (/** @type {KeyboardButton} */ it) =>
    it.look ? { ...it, does: () => hooks.openViewer?.(it.look ?? "", it.press) } : it;
  const others = state.keys.map(row => row.map(withViewer));
  const link =
    state.phase === "lobby" && currentTable ? hooks.tableUrl?.(currentTable.table) : undefined;
  /** @type {KeyboardButton[]} */
  const share = link
    ? [{ label: t("table_link"), press: "", tone: "plain", onPress: () => copyLink(link) }]
    : [];
  const buttons = [...rows, ...others, share].filter(row => row.length);
  byId("table").classList.toggle("with-many", buttons.length > 3);
  const container = byId("table-keys");
  const active = focusedElement();
  const was = active && container.contains(active) ? focusPosition(active) : null;
  /** @type {Partial<import("./types").MessageActions>} */
  const actions = { onReplies: hooks.onReplies, beforePress: hooks.onPress, markHint };
  renderKeyboard(container, { id: null, room: currentTable?.room ?? "", buttons }, actions);
  if (was && !container.contains(focusedElement())) savedFocus = was;
  // The focus was on a button that is gone.
  if (savedFocus !== null && focusedElement() === document.body)
    byId("table").focus({ preventScroll: true });
}
