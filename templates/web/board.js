// Renders the current table and handles pointer, keyboard and screen-reader input. Everything on
// the board comes from the state of the table, see src/bot/client_state/state.md.

import { delay, getDelta, local, RefusalError, roomPath, sendPress } from "./api.js";
import { all, byId, first, focusedElement, focusIfScrollable, targetOf, update } from "./dom.js";
import {
  splitTimes,
  createElement,
  drawIcons,
  renderKeyboard,
  markUnsent,
  renderSpans,
} from "./messages.js";
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
import { showError, toast } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").TableStateView} TableStateView */
/** @typedef {import("./types").VectorScene} VectorScene */
/** @typedef {import("./types").ActionState} ActionState */
/** @typedef {import("./types").KeyboardButton} KeyboardButton */

/** The duration of the animation of one step, and the pause after it. */
const STEP_MS = 600,
  REST_MS = 250,
  /** The longest animation of all steps of one update. */
  ALL_STEPS_MAX_MS = 4000,
  /** The same for the turns of all computers between two turns of a person. */
  COMPUTER_STEPS_MAX_MS = 2300,
  /** Clicks are ignored for this long after targets appear: they may move under a finger. */
  CLICK_GUARD_MS = 250,
  /** How long the server waits for the second press of an action. */
  CONFIRMATION_MS = 60000,
  /** How often, and after what pause, a state is fetched again that got no answer. While the server
   * answers that it cannot read the state now, it is asked without end, after longer pauses. */
  REFETCHES_MAX = 5,
  REFETCH_PAUSE_MS = 1000,
  REFETCH_PAUSE_MAX_MS = 8000;

/** Targets closer than this, in scene units, are in one line for reading order. */
const LINE_HEIGHT = 90;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} Hooks
 * @property {(there: boolean) => void} onTableChanged called when a table is shown or removed
 * @property {(text: string) => void} announce reads a text to screen readers
 * @property {() => void} [onLeave] moves the focus from the board to the chat
 * @property {() => void} [onRender] called after the current state was rendered
 * @property {(address: string, ask?: string) => void} [openViewer] opens the viewer
 * @property {(replies: import("./types").PrivateReply[], room?: string) => void} [onReplies] called
 *   with private replies, and with the room of the press
 * @property {() => void} [onTableGone] called when the user may not see the table
 * @property {() => void} [onPress] called before a press is sent
 * @property {(code: string) => string} [tableUrl] the address of a table for other people
 */
/** @type {Hooks} */
let hooks = { onTableChanged: () => {}, announce: () => {} };
const table = new SceneView(byId("table-board")),
  hand = new SceneView(byId("table-hand"));
/** @type {TableStateView | null} */
let shownState = null;
/**
 * Position of the focus when its target was removed; restored on the next turn.
 * @type {{ label: string, x: number, y: number } | null}
 */
let savedFocus = null;
/** The press that awaits its response, the moment for which it was made, and the pressed element.
 * @typedef {{ table: NonNullable<typeof currentTable>, moment: number | undefined, where: Element,
 *   isLate?: boolean }} PendingPress */
/** @type {PendingPress | null} */
let pendingPress = null;
/** The press that awaits confirmation by a second press. */
let pressToConfirm = "",
  confirmationTimer = 0;
/** The hint for the shown moment, and its text.
 * @type {{ hint: import("./types").HintedAction, text: string } | null} */
let currentHint = null;
let actionPage = 0,
  skipAnimation = () => {},
  animationEndedAt = 0;
/** @type {{ room: string, table: string } | null} */
let currentTable = null;
/** The refresh that is under way, then its table.
 * @type {Promise<boolean> | null} */
let pendingRefresh = null;
/** @type {{ room: string, table: string } | null} */
let refreshedTable = null;
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
    } else if (
      // On a keyboard of another alphabet the place of R counts: its letters come after "z".
      (e.key > "z" ? e.code === "KeyR" : e.key === "r") &&
      currentTable &&
      !(e.ctrlKey || e.metaKey || e.altKey)
    ) {
      // It is no character for the chat.
      e.preventDefault();
      e.stopPropagation();
      hooks.openViewer?.(`tables/${currentTable.table}/replay`);
    }
  });
  uprightScreen.addEventListener("change", () => void refresh());
  window.addEventListener("resize", () => {
    byId("table-text").style.minHeight = "";
    if (shownState) renderText(shownState, true);
  });
  byId("table").addEventListener("focusin", e => {
    const focused = targetOf(e);
    if (!focused.matches(".spots [role=button]")) return;
    const targets = all(byId("table"), ".spots [role=button]");
    targets.forEach(it => it.setAttribute("tabindex", it === focused ? "0" : "-1"));
  });
}

/** Focuses the first target; without one the table, until there are targets. */
export function focus() {
  const [first] = all(byId("table"), "[role=button][tabindex='0'], .key[tabindex='0']");
  savedFocus ??= { label: "", x: 0, y: 0 };
  (first ?? byId("table")).focus({ preventScroll: true });
}

/**
 * Marks the action that a hint recommends, and shows its text until the next move. Returns whether
 * the hint is for the shown moment.
 * @param {import("./types").PrivateReply} reply
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
 * Plays a sound if sounds are on. Loads the module only then.
 * @param {import("./notifications.js").Sound | undefined} what
 */
function playSound(what) {
  if (what && local.getItem("sounds") === "on") {
    void import("./notifications.js").then(it => it.playSound(what));
  }
}

/** Whether it is the viewer's turn. */
const isViewersTurn = (/** @type {TableStateView | null} */ it) =>
  it !== null && it.turn === it.you && it.you !== null;

/** Keeps the text area's height so the board does not jump. */
function lockHeight() {
  const told = byId("table-text"),
    high = `${told.offsetHeight}px`;
  if (told.style.minHeight !== high) told.style.minHeight = high;
}

/**
 * Sets the layout for a board and a hand. A new layout unlocks the height of the text area.
 * @param {VectorScene | null} board
 * @param {VectorScene | null} held
 */
function setLayout(board, held) {
  const place = byId("table"),
    hasHand = Boolean(held),
    before = place.className;
  place.classList.toggle("with-hand", hasHand);
  place.classList.toggle("square", Boolean(board && !hasHand && board.width < 1.2 * board.height));
  place.classList.toggle("waiting", !board);
  const ratio = (/** @type {VectorScene | null} */ it) => String(it ? it.width / it.height : 1);
  place.style.setProperty("--ratio", ratio(board));
  place.style.setProperty("--hand-ratio", ratio(held));
  byId("table-board").hidden = !board;
  byId("table-hand").hidden = !hasHand;
  if (place.className !== before) byId("table-text").style.minHeight = "";
}

/** Whether this table is the current one. */
export const isFollowing = (/** @type {string} */ code) => currentTable?.table === code;

/** The current table, if its game has started. */
export const startedTable = () =>
  shownState && shownState.phase !== "lobby" ? currentTable : null;

/** The code of the current table, rendered or not. */
export const followedTable = () => currentTable?.table ?? null;

/** The shown moment of the game, and whether it is the viewer's turn then. */
export const shownMoment = () => shownState?.moment ?? null;
export const isOnTurn = () => isViewersTurn(shownState);

/** The phase of the shown table. */
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
  savedFocus = null;
  currentHint = null;
  actionPage = 0;
  showClocks(null);
  showRound(null, null);
  skipAnimation();
  table.clear();
  hand.clear();
  byId("table").hidden = !currentTable;
  setLayout(null, null);
  showLobby(null);
  byId("table-text").replaceChildren();
  byId("table-keys").replaceChildren();
  hooks.onTableChanged(Boolean(currentTable));
  if (currentTable) void refresh();
}

/**
 * Fetches the state of the current table again, after a change or in another language. Resolves
 * when the board shows it, or no more attempts are made; only in the first case to true.
 * @returns {Promise<boolean>}
 */
export function refresh() {
  if (!currentTable) return Promise.resolve(false);
  if (pendingRefresh && refreshedTable === currentTable) {
    mustRefetch = true;
    return pendingRefresh;
  }
  // The request for another table may hang: this one does not wait for it.
  refreshedTable = currentTable;
  const own = refetch(currentTable).finally(() => {
    if (pendingRefresh === own) pendingRefresh = null;
  });
  return (pendingRefresh = own);
}

/**
 * Fetches the state until no change was reported meanwhile, or another table is current.
 * @param {{ room: string, table: string }} requested
 */
async function refetch(requested) {
  let failures = 0,
    pause = REFETCH_PAUSE_MS;
  do {
    mustRefetch = false;
    try {
      await fetchState(failures);
    } catch (e) {
      if (requested !== currentTable) return false;
      const refusal = e instanceof RefusalError ? e : null;
      if (refusal?.status === 404) {
        // Without access to its state the table is played in the chat.
        followTable(requested.room, null);
        hooks.onTableGone?.();
        return false;
      }
      // No answer, none in time, or a refusal that may pass.
      if (refusal ? !refusal.isTransient : ++failures > REFETCHES_MAX) return false;
      await delay(Math.max(pause, refusal?.waitMs ?? 0));
      if (refusal) pause = Math.min(pause * 2, REFETCH_PAUSE_MAX_MS);
      mustRefetch = true;
    }
  } while (mustRefetch && requested === currentTable);
  return requested === currentTable;
}

/**
 * Fetches and renders the state. Drops it if another table became current meanwhile.
 * @param {number} failures the attempts before this one
 */
async function fetchState(failures) {
  const requested = currentTable;
  if (!requested) return;
  const isCurrent = () => requested === currentTable;
  const { room, table: code } = requested;
  const since = shownState ? `&since=${shownState.moment}` : "";
  const shape = uprightScreen.matches ? "&upright=1" : "";
  const query = `?drawn=1${shape}&page=${actionPage}${since}`;
  /** @type {TableStateView} */
  const state = await getDelta(
    roomPath(room, `/tables/${encodeURIComponent(code)}`),
    query,
    failures,
  );
  const arrivedAt = performance.now();
  if (!isCurrent()) return;
  if (!state.picture) return renderWithoutBoard(state);
  // Clocks run on while drawings are fetched and moves are animated.
  if (!shownState || shownState.change <= state.change) showClocks(state, arrivedAt);
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
  // A choice stays while the actions do, until one is pressed.
  if (
    !chosenIn(byId("table")) ||
    pendingPress ||
    JSON.stringify(old?.actions) !== JSON.stringify(state.actions)
  )
    renderTargets(state);
  showRound(old, state);
  hooks.onRender?.();
  if (old && state.phase !== "playing" && old.phase === "playing") playSound("end");
  else if (old && isViewersTurn(state) && !isViewersTurn(old)) playSound("turn");
  const hasNews = old && says !== old.says.join("\n");
  const announcement = hasNews ? stateLines(state).map(it => it.textContent ?? "") : [];
  // Announces new cards to screen readers.
  const cards = old?.picture?.hand?.items.length ?? 0;
  if (held && held.items.length > cards) announcement.push(...state.hand);
  if (announcement.length) hooks.announce(announcement.join("\n"));
}

/**
 * Shows the result of the last round until the user has closed it.
 * @param {TableStateView | null} old
 * @param {TableStateView | null} state
 */
function showRound(old, state) {
  if (!state?.round && !all(byId("table"), "#round").length) return;
  void import("./round.js").then(it => {
    if (state?.table === shownState?.table) it.showLast(old, state);
  });
}

/**
 * Shows the seats of a lobby, or removes them.
 * @param {TableStateView | null} state
 */
function showLobby(state) {
  if (!state?.lobby || !currentTable) return removeSeats();
  const { room, table: code } = currentTable;
  const lobby = { room, link: hooks.tableUrl?.(code), actions: messageActions() };
  void import("./lobby.js").then(async it => {
    await it.load();
    if (shownState !== state) return;
    const isFirst = !areSeatsShown();
    it.show(byId("table"), state, lobby);
    if (!isFirst) return;
    // What is at the seats was among the text and the buttons until now.
    renderText(state);
    renderButtons(state);
  }).catch(showError);
}

/** Whether the seats of a lobby are shown: before they are loaded, text and buttons name them. */
export const areSeatsShown = () => document.getElementById("seats") !== null;

/** Removes the seats of a lobby; a focus on one of them moves to the table. */
function removeSeats() {
  const seats = document.getElementById("seats"),
    active = focusedElement();
  if (active && seats?.contains(active)) saveFocus(active);
  seats?.remove();
}

/** Whether clocks were shown before: only then they may have to be removed. */
let timed = false;
/** The state whose clocks are shown.
 * @type {TableStateView | null} */
let clockState = null;

/**
 * Shows the clocks of a table, or none.
 * @param {TableStateView | null} state
 * @param {number} [arrivedAt] when the state arrived
 */
function showClocks(state, arrivedAt) {
  timed ||= Boolean(state?.clock);
  clockState = state;
  if (timed)
    void import("./clocks.js").then(it => state === clockState && it.show(state, arrivedAt));
}

/**
 * Renders text and buttons of a table without a board: a lobby, or one that closed before its game.
 * @param {TableStateView} state
 */
function renderWithoutBoard(state) {
  if (shownState && shownState.change > state.change) return;
  const hasNews = shownState && shownState.says.join() !== state.says.join();
  shownState = state;
  renderTargets(null);
  table.clear();
  hand.clear();
  setLayout(null, null);
  renderText(state);
  renderButtons(state);
  showLobby(state);
  hooks.onRender?.();
  if (hasNews) hooks.announce(state.says.join("\n"));
}

/**
 * Animates the steps one after the other, then renders the current state.
 * @param {import("./types").PictureFrame[]} frames
 * @param {TableStateView} state
 * @param {{ board: VectorScene, hand: VectorScene | null, sound?: import("./types").StepSound }}
 *   last
 * @param {() => boolean} isCurrent whether the table is still the current one
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
  const moves = frames.length || table.nodes.length;
  // Cards leave the hand before they move on the table.
  if (last.hand && !byId("table-hand").hidden) hand.show(last.hand, 0);
  const ms = () => (skipped || reducedMotion.matches || !moves ? 0 : STEP_MS * speedFactor);
  for (const picture of frames) {
    if (skipped) break;
    const { says } = picture;
    if (says) renderText({ ...state, says, main: [says.length - 1] });
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
 * Waits for some ms, or until `isOver`.
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
 * The lines of the state as elements, with times in the reader's time zone.
 * @param {TableStateView} state
 */
export const stateLines = ({ says, times }) =>
  says.map(it => {
    const line = createElement("p");
    renderSpans(line, splitTimes(it, times));
    return line;
  });

/**
 * Renders the current state.
 * @param {TableStateView} state
 * @param {{ board: VectorScene, hand: VectorScene | null }} picture
 * @param {number} ms
 */
function render(state, { board, hand: held }, ms) {
  // The text needs space: the board gets its size before anything moves on it.
  setLayout(board, held);
  showLobby(null);
  // The board touches the hand below it.
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
 * Renders the text: the main lines stay visible, the others scroll.
 * @param {TableStateView} state
 * @param {boolean} [isResized] whether the text area was resized
 */
function renderText(state, isResized) {
  const { says: spectators } = state.watching,
    hint = hintOf(state),
    every = stateLines(state);
  const main = every.filter((_, n) => state.main.includes(n)),
    atSeats = areSeatsShown() ? state.lobby?.seat_lines ?? [] : [],
    elsewhere = [...state.main, ...atSeats];
  const rest = [
    ...(spectators ? [createElement("p", "lookers", spectators)] : []),
    ...every.filter((_, n) => !elsewhere.includes(n)),
    ...(hint ? [createElement("p", "hint", hint.text)] : []),
  ];
  const place = byId("table-text");
  update(
    place,
    ["main", "rest"],
    it => it,
    it => createElement("div", it),
  );
  const [above, below] = /** @type {[HTMLElement, HTMLElement]} */ ([...place.children]);
  const isMainNew = renderLines(above, main),
    isRestNew = renderLines(below, rest);
  drawIcons(place, true);
  // Scrolls only when the text changes: a lobby to its start, a game to its last move.
  if (isMainNew || isRestNew || isResized) {
    below.scrollTop = state.phase === "playing" ? below.scrollHeight : 0;
  }
  focusIfScrollable(below);
}

/**
 * Renders lines and returns whether the text has changed.
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

// ---- targets -----------------------------------------------------------------------------

/**
 * Places the targets of a state, its hint and its pending confirmation over the scene.
 * @param {TableStateView | null} state
 */
function renderTargets(state) {
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
 * The hint for this moment, if there is one.
 * @param {TableStateView} state
 */
const hintOf = state =>
  state.phase === "playing" && currentHint?.hint.moment === state.moment ? currentHint : null;

/**
 * An action as a target on a scene.
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
 * Places targets over a scene: one per place, for all actions that start there.
 * @template {Target} T
 * @param {SceneView} on
 * @param {T[]} actions
 * @param {(where: Element, action: T) => void} onChoose
 */
export function placeTargets(on, actions, onChoose) {
  on.overlay.setAttribute("aria-label", t("buttons"));
  on.overlay.replaceChildren(
    ...inReadingOrder(groupByPlace(actions), on).map(it => createTarget(it, on, onChoose)),
  );
  all(on.overlay, "[role=button]")[0]?.setAttribute("tabindex", "0");
}

/**
 * Groups actions by the place where they start.
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
 * Saves the position of the focus before its target is removed, and focuses the table.
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
 * Restores the focus of a keyboard player near its position in their last turn.
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
 * Hides other targets while a confirmation is pending.
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
 * Places in reading order: line by line; in a hand from left to right.
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

/** A target with a place on the scene.
 * @typedef {Target & { at: import("./types").Area }} Placed */

/**
 * Creates the target of one place; several actions are chosen among by their goals.
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
  const show = () => {
    if (chosenIn(on.overlay)) return;
    clearPreview(on);
    on.overlay.prepend(
      ...actions.flatMap(it => (it.to ? createArea(it.to, it.takes ? "lead takes" : "lead") : [])),
    );
    showTooltip(g);
  };
  attachPreview(g, show, () => clearPreview(on));
  g.addEventListener("click", e => {
    if (isGuardedClick(e) || consumeLongPress(g)) return;
    if (!others.length) return void onChoose(g, only);
    if (g.matches(".chosen")) clearChoice(on.overlay);
    else chooseTarget(actions, on, g, onChoose);
  });
  return g;
}

/**
 * Marks a target as chosen and shows the goals of its actions.
 * @template {Placed} T
 * @param {T[]} actions
 * @param {SceneView} on
 * @param {SVGElement | HTMLElement} from
 * @param {(where: Element, action: T) => void} onChoose
 */
function chooseTarget(actions, on, from, onChoose) {
  clearChoice(on.overlay);
  clearPreview(on);
  from.classList.add("chosen");
  const goals = actions.map(it => {
    const g = createArea(it.to ?? it.at, it.takes ? "goal takes" : "goal");
    labelTarget(g, it.label, it.press, it.would);
    attachPreview(g, () => showTooltip(g), () => showTooltip(null));
    g.addEventListener("click", () => {
      if (!consumeLongPress(g)) onChoose(g, it);
    });
    return g;
  });
  on.overlay.append(...goals);
  goals[0]?.setAttribute("tabindex", "0");
  goals[0]?.focus();
}

/** The chosen target whose goals are shown within an element. Other boards have their own.
 * @param {ParentNode} within */
const chosenIn = within => first(within, ".goal") && first(within, ".chosen");

/** @param {ParentNode} within */
function clearChoice(within) {
  chosenIn(within)?.classList.remove("chosen");
  all(within, ".goal").forEach(it => it.remove());
}

const clearPreview = (/** @type {SceneView} */ on) => {
  all(on.overlay, ".lead").forEach(it => it.remove());
  showTooltip(null);
};
/** Whether a click comes while targets of the table move or too soon after. Key presses are never
 * guarded. */
const isGuardedClick = (/** @type {MouseEvent} */ e) =>
  byId("table").contains(targetOf(e)) &&
  (byId("table").classList.contains("moving") ||
    (e.detail > 0 && performance.now() - animationEndedAt < CLICK_GUARD_MS));

/**
 * Handles keys among targets: arrows move, Enter and Space press, Escape undoes a choice. Returns
 * whether the key was handled.
 * @param {KeyboardEvent} e
 */
export function handleArrowKeys(e) {
  /** @type {HTMLElement | null} */
  const here = targetOf(e).closest(".spots [role=button]");
  const board = /** @type {HTMLElement} */ (e.currentTarget);
  const from = chosenIn(board);
  if (e.key === "Escape" && from) {
    skipAnimation();
    clearChoice(board);
    from.focus();
    e.stopPropagation();
    return true;
  }
  const places = here?.closest(".spots");
  if (!here || !places) return false;
  const arrow = ARROWS[e.key];
  if (arrow) {
    const next = nextInDirection(here, all(places, from ? ".goal" : ".spot"), arrow);
    next?.focus();
  } else if (e.repeat) {
    // Ignores repeated events of a held key.
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
 * Sends the press of an action and refreshes the board.
 * @param {Element} where
 * @param {{ press: string, label: string }} action
 */
async function performAction(where, action) {
  if (!currentTable) return;
  // Only the first press of a moment counts; it may still wait for a connection.
  const isPending = pendingPress?.table.table === currentTable.table;
  if (isPending && pendingPress?.moment === shownState?.moment) {
    if (pendingPress?.isLate) toast(t("still_sending"));
    return;
  }
  where.classList.add("busy");
  hooks.onPress?.();
  const requested = currentTable,
    { room } = requested,
    /** @type {PendingPress} */
    sent = { table: requested, moment: shownState?.moment, where };
  pendingPress = sent;
  try {
    /** @type {import("./api.js").OnDelay} */
    const onDelay = withdraw => {
      sent.isLate = true;
      markUnsent(where, action.label, withdraw);
    };
    const replies = await sendPress(room, { press: action.press }, onDelay, action.label);
    const refusals = replies.filter(it => it.brief && !it.passing);
    refusals.forEach(it => toast(it.text));
    if (requested !== currentTable) return;
    pressToConfirm = replies.some(it => it.again) ? action.press : "";
    clearTimeout(confirmationTimer);
    if (pressToConfirm)
      confirmationTimer = setTimeout(endConfirmation, CONFIRMATION_MS, pressToConfirm);
    // The next press counts, also if the connection is lost before the board is refreshed.
    if ((pressToConfirm || refusals[0]) && pendingPress === sent) pendingPress = null;
    await refresh();
  } catch (e) {
    showError(e);
  } finally {
    if (pendingPress === sent) pendingPress = null;
    // The same button may have been pressed again in the next moment.
    if (pendingPress?.where !== where) where.classList.remove("busy", "late");
  }
}

/** Ends a confirmation that is still pending.
 * @param {string} press */
function endConfirmation(press) {
  if (press !== pressToConfirm) return;
  pressToConfirm = "";
  renderTargets(shownState);
}

/** The moves that are previewed.
 * @type {NonNullable<ActionState["paths"]>} */
let previewedPaths = [];

/** Loaded on first use. */
const loadOverlay = () => import("./board-overlay.js");

/**
 * Shows or hides the moves that an action would make.
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
 * Private replies may be about something that only this user sees on the board.
 * @param {import("./types").PrivateReply[]} replies
 * @param {string} [room] the room of the press
 */
export function onReplies(replies, room) {
  hooks.onReplies?.(replies, room);
  if (replies.length) void refresh();
}

/** The callbacks of buttons.
 * @returns {Partial<import("./types").MessageActions>} */
const messageActions = () => ({ onReplies, beforePress: hooks.onPress, markHint });

/**
 * The buttons of the table without those that are at the shown seats of a lobby.
 * @param {TableStateView} state
 */
export function tableKeys({ keys, lobby }) {
  const seats = areSeatsShown() ? lobby?.seats ?? [] : [],
    atSeats = seats.flatMap(it => [it.sit, it.add_computer]);
  return keys.map(row => row.filter(it => it.tone === "good" || !atSeats.includes(it.press)));
}

/**
 * Renders the buttons: actions without a place on the scene, then those of the table.
 * @param {TableStateView} state
 */
function renderButtons(state) {
  const buttonActions = new Map(state.actions.filter(it => !it.at).map(it => [it.token, it]));
  /** @returns {KeyboardButton} */
  const key = (/** @type {ActionState} */ it) => ({
    // An action that moves several pieces has a text and a preview.
    label: (it.paths && it.would) || it.label,
    press: it.press,
    tone: "plain",
    onPress: performAction,
    ...(it.paths && { onPreview: (/** @type {boolean} */ isShown) => previewPaths(it, isShown) }),
  });
  const rows = state.rows.map(row => row.flatMap(it => buttonActions.get(it) ?? []).map(key));
  // An only action also gets a button, beside its place on the board.
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
    // Page buttons do not fit beside many buttons or long ones.
    const isFull = last.length > 3 || state.actions.some(it => it.paths);
    rows.push(isFull ? last : [turn("◂", -1), ...last, turn("▸", 1)]);
    if (isFull) rows.push([turn("◂", -1), turn("▸", 1)]);
  }
  // Opens pages in the viewer instead of posting them.
  /** @type {(it: KeyboardButton) => KeyboardButton} */
  const withViewer = it =>
    it.look ? { ...it, onPress: () => hooks.openViewer?.(it.look ?? "", it.press) } : it;
  const others = tableKeys(state).map(row => row.map(withViewer));
  const buttons = [...rows, ...others].filter(row => row.length);
  byId("table").classList.toggle("with-many", buttons.length > 3);
  const container = byId("table-keys");
  const active = focusedElement();
  const was = active && container.contains(active) ? focusPosition(active) : null;
  const room = currentTable?.room ?? "";
  renderKeyboard(container, { id: null, room, buttons }, messageActions());
  if (was && !container.contains(focusedElement())) savedFocus = was;
  // The focused button was removed.
  if (savedFocus !== null && focusedElement() === document.body)
    byId("table").focus({ preventScroll: true });
}
