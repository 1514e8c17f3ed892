// One message as people see it, and how it changes in place.

import { download, Refused, self, sendPress } from "./api.js";
import { all, arrange, first, focused, update } from "./dom.js";
import { asks, isHeld } from "./picture.js";
import { isAsked, mine, plays, room, tableLink } from "./rooms.js";
import { currentLanguage, t } from "./words.js";
import { refuse, toast } from "./toasts.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {import("./types").Image} Image */
/** @typedef {import("./types").Acts} Acts */
/** @typedef {import("./types").Key} Key */
/** @typedef {import("./types").Span} Span */

/**
 * A new element; children may be strings.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
export function make(tag, className = "", ...children) {
  const it = document.createElement(tag);
  if (className) it.className = className;
  it.append(...children);
  return it;
}

/**
 * A round letter for a person, always in the same colour.
 * @param {string} id
 * @param {string} name
 */
export function face(id, name) {
  const hue = [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 997, 7) % 8;
  const it = make("span", `face hue-${hue}`);
  // No text: what has a name is not read letter by letter.
  it.dataset.letter = [...name][0]?.toUpperCase() ?? "?";
  it.setAttribute("aria-hidden", "true");
  return it;
}

function botFace() {
  const it = make("img", "face");
  it.src = "/web/icon.svg";
  it.alt = "";
  return it;
}

/** @param {number} ms */
export const clock = ms =>
  new Date(ms).toLocaleTimeString(currentLanguage(), { hour: "2-digit", minute: "2-digit" });

/**
 * A day, as it is where the reader lives.
 * @param {{ time: number }} span
 */
const day = ({ time }) =>
  new Date(time).toLocaleDateString(currentLanguage(), { day: "numeric", month: "long" });

/**
 * Until when, in the reader's zone: with the day where that is another one.
 * @param {number} ms
 */
function until(ms) {
  const at = new Date(ms);
  const soon = ms - Date.now() < 600_000;
  const otherDay = at.toDateString() !== new Date().toDateString();
  const time = at.toLocaleString(currentLanguage(), {
    hour: "2-digit",
    minute: "2-digit",
    second: soon ? "2-digit" : undefined,
    weekday: otherDay ? "short" : undefined,
    day: otherDay ? "numeric" : undefined,
    month: otherDay ? "short" : undefined,
  });
  return t("until", { time });
}

/**
 * A line in which moments are named, in parts.
 * @param {string} line
 * @param {import("./types").TableState["times"]} times
 */
export function inParts(line, times) {
  /** @type {Span[]} */
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
 * Fills an element with styled words; addresses become links.
 * @param {Element} to
 * @param {Span[]} spans
 */
export function write(to, spans) {
  /** @returns {(string | Node)[]} */
  const styled = (/** @type {Span} */ span) => {
    if (span.kind === "bold") return [make("strong", "", span.text)];
    if (span.kind === "code") return [make("code", span.text.length > 40 ? "long" : "", span.text)];
    if (span.kind === "mention") {
      return [make("span", span.person === self()?.id ? "mention me" : "mention", span.text)];
    }
    if (span.kind === "time") {
      const time = make("time", "", until(span.time));
      time.dataset.until = String(span.time);
      time.title = span.text;
      return [time];
    }
    if (span.kind === "day") return [make("time", "", day(span))];
    return linked(span.text);
  };
  to.replaceChildren(...spans.flatMap(styled));
}

/** @param {string} text */
function linked(text) {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]|\/#\/[^\s<>"]+)/)
    .filter(Boolean)
    .map(part => {
      if (!/^(https?:\/\/|\/#\/)/.test(part)) return part;
      const link = make("a", "", part);
      link.href = part;
      if (part.startsWith("http")) {
        link.target = "_blank";
        link.rel = "noopener noreferrer";
      }
      return link;
    });
}

/** @param {Message} m */
const name = m => (m.bot ? "Caravanserai" : (m.author?.name ?? ""));

/**
 * A short form for quotes and announcements.
 * @param {Message} m
 */
export const brief = m => {
  const text = (m.text || m.image?.alt || m.file?.name || "").replace(/\s+/g, " ");
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
};

/**
 * Builds the element of a message. `act` holds what its parts can do.
 * @param {ShownMessage} m
 * @param {Acts} act
 */
export function draw(m, act) {
  const it = make("article", "message");
  it.id = `m${m.id}`;
  it.tabIndex = -1;
  it.dataset.id = String(m.id);
  if (m.bot) it.classList.add("bot");
  if (m.only) it.classList.add("only");
  if (mine(m)) it.classList.add("mine");
  const head = make("header", "", make("b", "who", name(m)));
  if (m.bot) head.append(make("span", "tag", t("bot")));
  const time = make("time", "", clock(m.time));
  time.dateTime = new Date(m.time).toISOString();
  head.append(time);
  const bubble = make("div", "bubble", head, make("div", "body"));
  it.append(m.author ? face(m.author.id, m.author.name) : botFace(), bubble, tools(m, act));
  change(it, m, act);
  return it;
}

/**
 * @param {Message} m
 * @param {Acts} act
 */
function tools(m, act) {
  const row = make("div", "tools");
  const add = (
    /** @type {string} */ sign,
    /** @type {string} */ label,
    /** @type {() => void} */ does,
  ) => {
    const it = make("button", "icon", sign);
    it.type = "button";
    it.title = label;
    it.setAttribute("aria-label", label);
    // Only the message that has the focus lets Tab into its tools.
    it.tabIndex = -1;
    it.addEventListener("click", does);
    row.append(it);
  };
  add("↩", t("reply_to", { name: name(m) }), () => act.reply(m));
  if (m.only) add("✕", t("dismiss"), () => act.dismiss(m));
  return row;
}

/**
 * Brings an element up to date; what has not changed stays untouched.
 * @param {HTMLElement} it
 * @param {ShownMessage} m
 * @param {Acts} act
 */
export function change(it, m, act) {
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
    const it = /** @type {HTMLElementTagNameMap[Tag]} */ (found ?? make(tag, className));
    if (!found) body.append(it);
    return it;
  };
  it.classList.toggle(
    "loud",
    m.loud && m.spans.some(s => s.kind === "mention" && s.person === self()?.id),
  );
  // The living board shows it better; what it says stays to be read.
  const lives = act.lives?.(m) ?? false;
  it.classList.toggle("lives", lives);
  // A hand is played at its table, not beside another one.
  const isHand = m.only && m.table !== null && !m.look;
  const shown = lives || isHand ? null : m.image || moving(m);
  it.classList.toggle("picture-message", !!(m.image || shown));
  const quoted = m.reply_to ? room(m.room).messages.get(m.reply_to) : undefined;
  const quote = part("button", "quote", quoted && !quoted.gone);
  if (quote && quoted) {
    quote.type = "button";
    quote.replaceChildren(make("b", "", name(quoted)), " ", brief(quoted));
    quote.onclick = () => act.jump(quoted.id);
  }
  const only = part("p", "only-note", m.only);
  if (only) only.textContent = t("only_you");
  const frame = part("div", "frame", shown);
  if (frame && shown) void pictures().then(it => it.show(frame, shown), refuse);
  const halt = part("button", "halt", frame && moving(m));
  if (halt && frame) {
    halt.type = "button";
    halt.textContent = t(first(frame, "canvas") ? "picture_play" : "picture_stop");
    halt.onclick = () => void pictures().then(it => it.stopOrPlay(frame, halt), refuse);
  }
  const text = part("div", "text", m.text);
  if (text && text.dataset.said !== JSON.stringify(m.spans)) {
    text.dataset.said = JSON.stringify(m.spans);
    write(text, m.spans);
  }
  const attached = m.file;
  const file = part("button", "file", attached);
  if (file && attached) {
    file.type = "button";
    const sign = make("span", "", "↓ ");
    sign.setAttribute("aria-hidden", "true");
    file.replaceChildren(
      sign,
      attached.name,
      make("small", "", ` ${Math.ceil(attached.bytes / 1024)} KB`),
    );
    file.setAttribute("aria-label", t("file", { name: attached.name }));
    file.onclick = () => download(attached).catch(refuse);
  }
  const onBoard = part("button", "on-board", m.look && !lives);
  if (onBoard instanceof HTMLButtonElement) {
    onBoard.type = "button";
    onBoard.textContent = t("look_open");
    onBoard.onclick = () => act.look?.(m);
  }
  // A game that goes on is played, or watched, on its board.
  const game = m.table && (m.board?.phase === "playing" || m.board?.phase === "over");
  const visit = part("a", "visit", !lives && (isHand || (game && !m.only)));
  if (visit) {
    visit.classList.add("quiet");
    const goesOn = isHand || (plays(m) && m.board?.phase === "playing");
    visit.textContent = t(goesOn ? "table_back" : "table_watch");
    visit.href = tableLink(m.room, m.table ?? "");
  }
  const buttons = usable(m);
  const keys = part("div", "keys", buttons.length && !lives && !visit);
  if (keys) keyboard(keys, { ...m, buttons }, act);
  arrange(
    body,
    [quote, only, frame, halt, text, file, onBoard, visit, keys].flatMap(it => it ?? []),
  );
}

/**
 * The buttons of a message that do something for this person: a table that waits for players is
 * joined where there is a seat for them, and an invitation is answered by the invited.
 * @param {ShownMessage} m
 */
function usable(m) {
  const { answers, open_seats: open } = m.board ?? {};
  if (!answers || m.only) return m.buttons;
  const canJoin = isAsked(m) || (open && !plays(m));
  const isUsable = (/** @type {Key} */ { press }) =>
    press === answers.decline ? isAsked(m) : press !== answers.accept || canJoin;
  return m.buttons.map(row => row.filter(isUsable)).filter(row => row.length);
}

/** A press waits for a connection.
 * @param {Element} where @param {string} label */
export const unsent = (where, label) =>
  void import("./offline.js").then(it => it.unsent(where, label), () => {});

/** Most boards are drawn and not shown as pictures. */
const pictures = () => import("./message-picture.js");

/**
 * A file that is shown as a picture: one that has a size in pixels.
 * @param {Message} m
 * @returns {Image | null}
 */
function moving({ file, text }) {
  if (!file?.width) return null;
  return { src: file.src, alt: text || file.name, width: file.width, height: file.height };
}

/** What a button does when it is pressed or pointed at; a button outlives what it did before.
 * @type {WeakMap<Element, { key: Key, press(it: Element, key: Key): unknown }>} */
const deeds = new WeakMap();
/** "7 (12)": the number is what one plays, the count in brackets is a help. */
const COUNTED = /^(\d+)( \(\d+\))$/;

/** Each time something is named that was named before, its name is another one. */
export function unlike() {
  /** @type {Map<string, number>} */
  const times = new Map();
  return (/** @type {string} */ name) => {
    const n = times.get(name) ?? 0;
    times.set(name, n + 1);
    return n ? `${name}\t${n}` : name;
  };
}

/**
 * Buttons in rows: one stop for Tab, arrows move inside.
 * @param {HTMLElement} keys
 * @param {{ id: number | null, room: string, buttons: Key[][] }} m
 * @param {Partial<import("./types").Acts>} act
 */
export function keyboard(keys, m, act) {
  const now = focused();
  const held = now && keys.contains(now) ? { ...now.dataset } : null;
  const press = (/** @type {Element} */ it, /** @type {Key} */ key) => pressed(it, m, key, act);
  let n = 0;
  // Short labels (pits, dice) are shown in columns, whatever the length of their rows.
  const short = (/** @type {Key[]} */ row) =>
    row.every(key => [...key.label].length <= 3 || COUNTED.test(key.label));
  const columns = Math.max(0, ...m.buttons.filter(short).map(row => row.length));
  keys.setAttribute("role", "group");
  keys.setAttribute("aria-label", t("buttons"));
  // A button is known by what it shows, without the counts.
  const name = (/** @type {Key} */ { label, previews }) =>
    (COUNTED.exec(label)?.[1] ?? label) + (previews ? " ~" : "");
  const rowName = unlike();
  const rows = m.buttons.map(row => {
    const keyName = unlike();
    const gaps = short(row) ? Math.max(0, columns - row.length) : 0;
    /** @type {{ name: string, key?: Key }[]} */
    const parts = row.map(key => ({ name: keyName(name(key)), key }));
    for (let gap = 0; gap < gaps; gap++) parts.push({ name: `gap ${gap}` });
    return { name: rowName(row.map(name).join()), parts };
  });
  update(
    keys,
    rows,
    it => it.name,
    () => make("div", "key-row"),
    (line, { parts }) =>
      update(line, parts, it => it.name, button, (it, { key }) => {
        if (key) changeButton(it, key, n++, press);
      }),
  );
  const every = all(keys, ".key");
  if (!every.some(it => it.tabIndex === 0)) stop(keys, every[0] ?? null);
  if (!keys.onkeydown) keys.addEventListener("focusin", e => stop(keys, e.target));
  keys.onkeydown = e => move(keys, e);
  if (held && !keys.contains(focused())) {
    const same = every.find(it => it.dataset.label === held.label);
    const near = every[Math.min(Number(held.n), every.length - 1)];
    (same ?? near)?.focus({ preventScroll: true });
  }
}

/**
 * A button, or the place of one.
 * @param {{ key?: Key }} part
 * @returns {HTMLElement}
 */
function button({ key }) {
  if (!key) return make("span", "gap");
  const it = make("button", "key");
  it.type = "button";
  it.tabIndex = -1;
  it.addEventListener("click", () => {
    const deed = deeds.get(it);
    if (deed && !isHeld(it)) (deed.key.does ?? deed.press)(it, deed.key);
  });
  const preview = (/** @type {boolean} */ isShown) => deeds.get(it)?.key.previews?.(isShown);
  if (key.previews) asks(it, () => preview(true), () => preview(false));
  return it;
}

/**
 * @param {HTMLElement} it
 * @param {Key} key
 * @param {number} n
 * @param {(it: Element, key: Key) => unknown} press
 */
function changeButton(it, key, n, press) {
  deeds.set(it, { key, press });
  const { label = "", tone = "" } = it.dataset;
  // What marks a button for a while (a press on its way, a question) stays on it.
  if (tone !== key.tone) {
    if (tone) it.classList.remove(tone);
    if (key.tone) it.classList.add(key.tone);
  }
  if (label !== key.label || !it.firstChild) {
    const [, number = "", count = ""] = COUNTED.exec(key.label) ?? [];
    // A sign stays on the line of the first word, if that is short.
    const words = key.label.replace(/^(\P{L}+?) (?=\S{1,6}(\s|$))/u, "$1\u00a0");
    it.replaceChildren(...(count ? [number, make("small", "", count)] : [words]));
  }
  Object.assign(it.dataset, { press: key.press, label: key.label, tone: key.tone, n });
}

/**
 * @param {HTMLElement} keys
 * @param {EventTarget | null} chosen
 */
function stop(keys, chosen) {
  for (const it of all(keys, ".key")) it.tabIndex = it === chosen ? 0 : -1;
}

/**
 * @param {HTMLElement} keys
 * @param {KeyboardEvent} e
 */
function move(keys, e) {
  const every = all(keys, ".key");
  const here = every.findIndex(it => it === document.activeElement);
  const held = every[here];
  if (!held) return;
  const at = held.getBoundingClientRect(),
    middle = at.left + at.width / 2;
  const rows = [...keys.children],
    row = rows.findIndex(it => it === held.parentElement);
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
  const ways = {
    ArrowRight: () => every[here + 1],
    ArrowLeft: () => every[here - 1],
    Home: () => every[0],
    End: () => every.at(-1),
    ArrowDown: () => nearest(rows[row + 1]),
    ArrowUp: () => nearest(rows[row - 1]),
  };
  const next = ways[e.key]?.();
  if (next) {
    e.preventDefault();
    e.stopPropagation();
    next.focus();
  }
}

/**
 * @param {Element} button
 * @param {{ id: number | null, room: string }} m
 * @param {Key} key
 * @param {Partial<import("./types").Acts>} act
 */
async function pressed(button, m, key, act) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  act.begins?.();
  try {
    const miss = () => unsent(button, key.label);
    const whispers = await sendPress(m.room, { message: m.id, press: key.press }, miss);
    const isMarked = (/** @type {import("./types").Whisper} */ it) => it.hint && act.marks?.(it);
    // The button itself asks for a second press.
    const again = whispers.find(it => it.again);
    if (again) void import("./armed.js").then(it => it.arm(button, again.text));
    whispers
      .filter(it => it.brief && !isMarked(it) && it !== again)
      .forEach(it => toast(it.text, it.passing));
    act.told?.(whispers);
    act.used?.(m, whispers);
  } catch (e) {
    if (e instanceof Refused && e.status === 404) toast(t("gone"));
    else refuse(e);
  } finally {
    button.removeAttribute("aria-busy");
    button.classList.remove("late");
    act.pressed?.();
  }
}
