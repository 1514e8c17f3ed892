// Creates and updates the elements of messages, and keyboards of buttons.

import { RefusalError, currentIdentity, sendPress } from "./api.js";
import { all, reorderChildren, first, focusedElement, update } from "./dom.js";
import { attachPreview, consumeLongPress } from "./svg-scene.js";
import { isInvited, isOwnMessage, isPlayer, room, tableLink } from "./rooms.js";
import { currentLanguage, t } from "./words.js";
import { showError, toast } from "./toasts.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {import("./types").MessageImage} MessageImage */
/** @typedef {import("./types").MessageActions} MessageActions */
/** @typedef {import("./types").KeyboardButton} KeyboardButton */
/** @typedef {import("./types").SpanView} SpanView */

/**
 * Creates an element; children may be strings.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
export function createElement(tag, className = "", ...children) {
  const it = document.createElement(tag);
  if (className) it.className = className;
  it.append(...children);
  return it;
}

/**
 * Creates the avatar of a person: a letter in a colour that depends on the id.
 * @param {string} id
 * @param {string} name
 */
export function avatar(id, name) {
  const hue = [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 997, 7) % 8;
  const it = createElement("span", `face hue-${hue}`);
  // The letter is no text, so that screen readers skip it.
  it.dataset.letter = [...name][0]?.toUpperCase() ?? "?";
  it.setAttribute("aria-hidden", "true");
  return it;
}

function botAvatar() {
  const it = createElement("img", "face");
  it.src = "/web/icon.svg";
  it.alt = "";
  return it;
}

/** @param {number} ms */
const timeOfDay = ms =>
  new Date(ms).toLocaleTimeString(currentLanguage(), { hour: "2-digit", minute: "2-digit" });

/**
 * A day in the language of the page.
 * @param {{ time: number }} span
 */
export const dayOf = ({ time }) =>
  new Date(time).toLocaleDateString(currentLanguage(), { day: "numeric", month: "long" });

/**
 * Formats a deadline in the reader's time zone, with the day if it is not today.
 * @param {number} ms
 */
function untilText(ms) {
  const at = new Date(ms);
  const isSoon = ms - Date.now() < 600_000;
  const isToday = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleString(currentLanguage(), {
    hour: "2-digit",
    minute: "2-digit",
    ...(isSoon && { second: "2-digit" }),
    ...(!isToday && { weekday: "short", day: "numeric", month: "short" }),
  });
  return t("until", { time });
}

/**
 * Splits a line of text into spans at the times that it names.
 * @param {string} line
 * @param {import("./types").TableStateView["times"]} times
 */
export function splitTimes(line, times) {
  /** @type {SpanView[]} */
  let spans = [{ kind: "plain", text: line }];
  for (const { text, time, day } of times) {
    spans = spans.flatMap(span => {
      const at = span.kind === "plain" ? span.text.indexOf(text) : -1;
      if (at < 0) return [span];
      return [
        { kind: "plain", text: span.text.slice(0, at) },
        { kind: day ? "day" : "time", text, time },
        { kind: "plain", text: span.text.slice(at + text.length) },
      ];
    });
  }
  return spans;
}

/**
 * Renders spans into an element; URLs become links.
 * @param {Element} to
 * @param {SpanView[]} spans
 */
export function renderSpans(to, spans) {
  /** @returns {(string | Node)[]} */
  const spanNodes = (/** @type {SpanView} */ span) => {
    if (span.kind === "bold") return [createElement("strong", "", span.text)];
    if (span.kind === "code")
      return [createElement("code", span.text.length > 40 ? "long" : "", span.text)];
    if (span.kind === "mention") {
      return [
        createElement(
          "span",
          span.person === currentIdentity()?.id ? "mention me" : "mention",
          span.text,
        ),
      ];
    }
    if (span.kind === "time") {
      const time = createElement("time", "", untilText(span.time));
      time.dataset.until = String(span.time);
      time.title = span.text;
      return [time];
    }
    if (span.kind === "day") return [createElement("time", "", dayOf(span))];
    return linkify(span.text);
  };
  to.replaceChildren(...spans.flatMap(spanNodes));
}

/** @param {string} text */
function linkify(text) {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]|\/#\/[^\s<>"]+)/)
    .filter(Boolean)
    .map(part => {
      if (!/^(https?:\/\/|\/#\/)/.test(part)) return part;
      const link = createElement("a", "", part);
      link.href = part;
      if (part.startsWith("http")) {
        link.target = "_blank";
        link.rel = "noopener noreferrer";
      }
      return link;
    });
}

/** @param {Message} m */
export const authorName = m => (m.bot ? "Caravanserai" : (m.author?.name ?? ""));

/**
 * A short excerpt for quotes and announcements.
 * @param {Message} m
 */
export const excerpt = m => {
  const text = (m.text || m.image?.alt || m.file?.name || "").replace(/\s+/g, " ");
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
};

/**
 * Creates the element of a message; `actions` are the callbacks of its parts.
 * @param {ShownMessage} m
 * @param {MessageActions} actions
 */
export function createMessage(m, actions) {
  const it = createElement("article", "message");
  it.id = `m${m.id}`;
  it.tabIndex = -1;
  it.dataset.id = String(m.id);
  if (m.bot) it.classList.add("bot");
  if (m.only) it.classList.add("only");
  if (isOwnMessage(m)) it.classList.add("mine");
  const head = createElement("header", "", createElement("b", "who", authorName(m)));
  if (m.bot) head.append(createElement("span", "tag", t("bot")));
  const time = createElement("time", "", timeOfDay(m.time));
  time.dateTime = new Date(m.time).toISOString();
  head.append(time);
  const bubble = createElement("div", "bubble", head, createElement("div", "body"));
  it.append(
    m.author ? avatar(m.author.id, m.author.name) : botAvatar(),
    bubble,
    createTools(m, actions),
  );
  updateMessage(it, m, actions);
  return it;
}

/**
 * @param {Message} m
 * @param {MessageActions} actions
 */
function createTools(m, actions) {
  const row = createElement("div", "tools");
  const add = (
    /** @type {string} */ sign,
    /** @type {string} */ label,
    /** @type {() => void} */ does,
  ) => {
    const it = createElement("button", "icon", sign);
    it.type = "button";
    it.title = label;
    it.setAttribute("aria-label", label);
    // Tab reaches the tools of the focused message only.
    it.tabIndex = -1;
    it.addEventListener("click", does);
    row.append(it);
  };
  add("↩", t("reply_to", { name: authorName(m) }), () => actions.startReply(m));
  if (m.only) add("✕", t("dismiss"), () => actions.dismiss(m));
  return row;
}

/**
 * Updates the element of a message; unchanged parts are not touched.
 * @param {HTMLElement} it
 * @param {ShownMessage} m
 * @param {MessageActions} actions
 */
export function updateMessage(it, m, actions) {
  const body = first(it, ".body");
  if (!body) return;
  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {string} className
   * @param {unknown} wanted
   */
  const part = (tag, className, wanted) => {
    const found = first(body, `:scope > .${className}`);
    if (!wanted) {
      found?.remove();
      return null;
    }
    const it = /** @type {HTMLElementTagNameMap[Tag]} */ (found ?? createElement(tag, className));
    if (!found) body.append(it);
    return it;
  };
  it.classList.toggle(
    "loud",
    m.loud && m.spans.some(s => s.kind === "mention" && s.person === currentIdentity()?.id),
  );
  // The board shows the image; the text stays in the chat.
  const isOnBoard = actions.isOnBoard?.(m) ?? false;
  it.classList.toggle("lives", isOnBoard);
  // A hand is shown at its table, not in the chat.
  const isHand = m.only && m.table !== null && !m.look;
  const shown = isOnBoard || isHand ? null : m.image || animationOf(m);
  it.classList.toggle("picture-message", !!(m.image || shown));
  const quoted = m.reply_to ? room(m.room).messages.get(m.reply_to) : undefined;
  const quote = part("button", "quote", quoted && !quoted.gone);
  if (quote && quoted) {
    quote.type = "button";
    quote.replaceChildren(createElement("b", "", authorName(quoted)), " ", excerpt(quoted));
    quote.onclick = () => actions.jumpToMessage(quoted.id);
  }
  const only = part("p", "only-note", m.only);
  if (only) only.textContent = t("only_you");
  const frame = part("div", "frame", shown);
  if (frame && shown) void loadMessageImage().then(it => it.show(frame, shown), showError);
  const toggle = part("button", "halt", frame && animationOf(m));
  if (toggle && frame) void loadMessageImage().then(it => it.showToggle(frame, toggle), showError);
  const text = part("div", "text", m.text);
  if (text && text.dataset.said !== JSON.stringify(m.spans)) {
    text.dataset.said = JSON.stringify(m.spans);
    renderSpans(text, m.spans);
  }
  const attached = m.file;
  const file = part("button", "file", attached);
  if (file && attached) {
    const files = import("./files.js");
    void files.then(it => it.labelFile(file, attached), showError);
    file.onclick = () => void files.then(it => it.downloadFile(attached)).catch(showError);
  }
  const onBoard = part("button", "on-board", m.look && !isOnBoard);
  if (onBoard instanceof HTMLButtonElement) {
    onBoard.type = "button";
    onBoard.textContent = t("viewer_open");
    onBoard.onclick = () => actions.openInViewer?.(m);
  }
  // A running or finished game gets a link to its board.
  const game = m.table && (m.board?.phase === "playing" || m.board?.phase === "over");
  const visit = part("a", "visit", !isOnBoard && (isHand || (game && !m.only)));
  if (visit) {
    visit.classList.add("quiet");
    const continues = isHand || (isPlayer(m) && m.board?.phase === "playing");
    visit.textContent = t(continues ? "table_back" : "table_watch");
    visit.href = tableLink(m.room, m.table ?? "");
  }
  const buttons = usableButtons(m);
  const keys = part("div", "keys", buttons.length && !isOnBoard && !visit);
  if (keys) renderKeyboard(keys, { ...m, buttons }, actions);
  reorderChildren(
    body,
    [quote, only, frame, toggle, text, file, onBoard, visit, keys].flatMap(it => it ?? []),
  );
}

/**
 * The buttons of a message that the user can use: joining needs an open seat or an invitation,
 * declining an invitation.
 * @param {ShownMessage} m
 */
function usableButtons(m) {
  const { answers, open_seats: open } = m.board ?? {};
  if (!answers || m.only) return m.buttons;
  const canJoin = isInvited(m) || (open && !isPlayer(m));
  const isUsable = (/** @type {KeyboardButton} */ { press }) =>
    press === answers.decline ? isInvited(m) : press !== answers.accept || canJoin;
  return m.buttons.map(row => row.filter(isUsable)).filter(row => row.length);
}

/** Marks a press that waits for a connection.
 * @param {Element | null} where @param {string} label @param {() => void} withdraw */
export const markUnsent = (where, label, withdraw) =>
  void import("./offline.js").then(it => it.markUnsent(where, label, withdraw), () => {});

/** Replaces the emoji of a button by icons, in other text only where there is no font for them.
 * @param {HTMLElement} it @param {boolean} [isText] */
export const drawIcons = (it, isText = false) => {
  if (/\p{Extended_Pictographic}/u.test(it.textContent ?? ""))
    void import("./icons.js").then(icons => icons.drawIcons(it, isText), () => {});
};

/** Loaded on first use: most boards are drawn, not shown as images. */
const loadMessageImage = () => import("./message-image.js");

/**
 * An animation: a file with a size in pixels, shown as an image.
 * @param {Message} m
 * @returns {MessageImage | null}
 */
function animationOf({ file, text }) {
  if (!file?.width) return null;
  return { src: file.src, alt: text || file.name, width: file.width, height: file.height };
}

/** The handlers of buttons by element; an element outlives its handler.
 * @type {WeakMap<Element,
 *   { key: KeyboardButton, press(it: Element, key: KeyboardButton): unknown }>} */
const buttonHandlers = new WeakMap();
/** A label such as "7 (12)": the number is the move, the count in brackets a help. */
const COUNTED_LABEL = /^(\d+)( \(\d+\))$/;

/** Returns a function that makes repeated names unique. */
export function uniqueNames() {
  /** @type {Map<string, number>} */
  const times = new Map();
  return (/** @type {string} */ name) => {
    const n = times.get(name) ?? 0;
    times.set(name, n + 1);
    return n ? `${name}\t${n}` : name;
  };
}

/**
 * Renders buttons in rows: one tab stop, arrow keys move inside.
 * @param {HTMLElement} container
 * @param {{ id: number | null, room: string, buttons: KeyboardButton[][] }} m
 * @param {Partial<import("./types").MessageActions>} actions
 */
export function renderKeyboard(container, m, actions) {
  const focused = focusedElement();
  const focusedKey = focused && container.contains(focused) ? { ...focused.dataset } : null;
  const pressKey = (/** @type {Element} */ it, /** @type {KeyboardButton} */ key) =>
    onPress(it, m, key, actions);
  let n = 0;
  // Short labels (pits, dice) are aligned in columns across rows.
  const isShortRow = (/** @type {KeyboardButton[]} */ row) =>
    row.every(key => [...key.label].length <= 3 || COUNTED_LABEL.test(key.label));
  const columns = Math.max(0, ...m.buttons.filter(isShortRow).map(row => row.length));
  container.setAttribute("role", "group");
  container.setAttribute("aria-label", t("buttons"));
  // The key of a button is its label without the count.
  const name = (/** @type {KeyboardButton} */ { label, onPreview }) =>
    (COUNTED_LABEL.exec(label)?.[1] ?? label) + (onPreview ? " ~" : "");
  const rowName = uniqueNames();
  const rows = m.buttons.map(row => {
    const keyName = uniqueNames();
    const gaps = isShortRow(row) ? Math.max(0, columns - row.length) : 0;
    /** @type {{ name: string, key?: KeyboardButton }[]} */
    const parts = row.map(key => ({ name: keyName(name(key)), key }));
    for (let gap = 0; gap < gaps; gap++) parts.push({ name: `gap ${gap}` });
    return { name: rowName(row.map(name).join()), parts };
  });
  update(
    container,
    rows,
    it => it.name,
    () => createElement("div", "key-row"),
    (line, { parts }) =>
      update(line, parts, it => it.name, createButton, (it, { key }) => {
        if (key) updateButton(it, key, n++, pressKey);
      }),
  );
  const every = all(container, ".key");
  if (!every.some(it => it.tabIndex === 0)) setTabStop(container, every[0] ?? null);
  if (!container.onkeydown)
    container.addEventListener("focusin", e => setTabStop(container, e.target));
  container.onkeydown = e => moveFocus(container, e);
  if (focusedKey && !container.contains(focusedElement())) {
    const same = every.find(it => it.dataset.label === focusedKey.label);
    const nearest = every[Math.min(Number(focusedKey.n), every.length - 1)];
    (same ?? nearest)?.focus({ preventScroll: true });
  }
}

/**
 * Creates a button or a gap.
 * @param {{ key?: KeyboardButton }} part
 * @returns {HTMLElement}
 */
function createButton({ key }) {
  if (!key) return createElement("span", "gap");
  const it = createElement("button", "key");
  it.type = "button";
  it.tabIndex = -1;
  it.addEventListener("click", () => {
    const handler = buttonHandlers.get(it);
    if (handler && !consumeLongPress(it)) (handler.key.onPress ?? handler.press)(it, handler.key);
  });
  const preview = (/** @type {boolean} */ isShown) =>
    buttonHandlers.get(it)?.key.onPreview?.(isShown);
  if (key.onPreview) attachPreview(it, () => preview(true), () => preview(false));
  return it;
}

/**
 * @param {HTMLElement} it
 * @param {KeyboardButton} key
 * @param {number} n
 * @param {(it: Element, key: KeyboardButton) => unknown} press
 */
function updateButton(it, key, n, press) {
  buttonHandlers.set(it, { key, press });
  const { label = "", tone = "" } = it.dataset;
  // Keeps temporary classes (pending press, confirmation).
  if (tone !== key.tone) {
    if (tone) it.classList.remove(tone);
    if (key.tone) it.classList.add(key.tone);
  }
  if (label !== key.label || !it.firstChild) {
    const [, number = "", count = ""] = COUNTED_LABEL.exec(key.label) ?? [];
    // Keeps a sign on the line of a short first word.
    const words = key.label.replace(/^(\P{L}+?) (?=\S{1,6}(\s|$))/u, "$1\u00a0");
    it.replaceChildren(...(count ? [number, createElement("small", "", count)] : [words]));
    drawIcons(it);
  }
  Object.assign(it.dataset, { press: key.press, label: key.label, tone: key.tone, n });
}

/**
 * @param {HTMLElement} container
 * @param {EventTarget | null} chosen
 */
function setTabStop(container, chosen) {
  for (const it of all(container, ".key")) it.tabIndex = it === chosen ? 0 : -1;
}

/**
 * @param {HTMLElement} container
 * @param {KeyboardEvent} e
 */
function moveFocus(container, e) {
  const every = all(container, ".key");
  const here = every.findIndex(it => it === document.activeElement);
  const focused = every[here];
  if (!focused) return;
  const at = focused.getBoundingClientRect(),
    middle = at.left + at.width / 2;
  const rows = [...container.children],
    row = rows.findIndex(it => it === focused.parentElement);
  const nearest = (/** @type {Element | undefined} */ line) =>
    line &&
    all(line, ".key")
      .map(it => ({ it, box: it.getBoundingClientRect() }))
      .sort(
        (a, b) =>
          Math.abs(a.box.left + a.box.width / 2 - middle) -
          Math.abs(b.box.left + b.box.width / 2 - middle),
      )[0]?.it;
  /** @type {Record<string, () => HTMLElement | undefined>} */
  const targets = {
    ArrowRight: () => every[here + 1],
    ArrowLeft: () => every[here - 1],
    Home: () => every[0],
    End: () => every.at(-1),
    ArrowDown: () => nearest(rows[row + 1]),
    ArrowUp: () => nearest(rows[row - 1]),
  };
  const next = targets[e.key]?.();
  if (next) {
    e.preventDefault();
    e.stopPropagation();
    next.focus();
  }
}

/**
 * @param {Element} button
 * @param {{ id: number | null, room: string }} m
 * @param {KeyboardButton} key
 * @param {Partial<import("./types").MessageActions>} actions
 */
async function onPress(button, m, key, actions) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  actions.beforePress?.();
  try {
    const press = { message: m.id, press: key.press };
    const replies = await sendPress(
      m.room,
      press,
      withdraw => markUnsent(button, key.label, withdraw),
      key.label,
    );
    const isMarkedOnBoard = (/** @type {import("./types").PrivateReply} */ it) =>
      it.hint && actions.markHint?.(it);
    // The button itself asks for the confirmation.
    const confirmation = replies.find(it => it.again);
    if (confirmation)
      void import("./confirm-button.js").then(it => it.askToConfirm(button, confirmation.text));
    replies
      .filter(it => it.brief && !isMarkedOnBoard(it) && it !== confirmation)
      .forEach(it => toast(it.text, it.passing));
    actions.onReplies?.(replies, m.room);
    actions.onPressAnswered?.(m, replies);
  } catch (e) {
    if (e instanceof RefusalError && e.status === 404) toast(t("gone"));
    else showError(e);
  } finally {
    button.removeAttribute("aria-busy");
    button.classList.remove("late");
  }
}
