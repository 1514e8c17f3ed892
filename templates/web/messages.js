// One message as people see it, and how it changes in place.

import { download, newKey, picture, postSurely, Refused, roomPath, self } from "./api.js";
import { mine, room } from "./rooms.js";
import { currentLanguage, t } from "./words.js";
import { refuse, toast } from "./dialogs.js";

/** A new element; children may be strings. */
export function make(tag, className = "", ...children) {
  const it = document.createElement(tag);
  if (className) it.className = className;
  it.append(...children);
  return it;
}

/** A round letter for a person, always in the same colour. */
export function face(id, name) {
  const hue = [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 997, 7) % 8;
  const it = make("span", `face hue-${hue}`, [...name][0]?.toUpperCase() ?? "?");
  it.setAttribute("aria-hidden", "true");
  return it;
}

function botFace() {
  const it = make("img", "face");
  it.src = "/web/icon.svg";
  it.alt = "";
  return it;
}

export const clock = ms =>
  new Date(ms).toLocaleTimeString(currentLanguage(), { hour: "2-digit", minute: "2-digit" });

/** A day, as it is where the reader lives. */
const day = ({ time }) =>
  new Date(time).toLocaleDateString(currentLanguage(), { day: "numeric", month: "long" });

/** Until when, in the reader's zone: with the day where that is another one. */
function until(ms) {
  const at = new Date(ms);
  const soon = ms - Date.now() < 600_000;
  const otherDay = at.toDateString() !== new Date().toDateString();
  const time = at.toLocaleString(currentLanguage(), {
    hour: "2-digit",
    minute: "2-digit",
    ...(soon && { second: "2-digit" }),
    ...(otherDay && { weekday: "short", day: "numeric", month: "short" }),
  });
  return t("until", { time });
}

/** Fills an element with styled words; addresses become links. */
export function write(to, spans) {
  const parts = spans.flatMap(span => {
    if (span.kind === "bold") return [make("strong", "", span.text)];
    if (span.kind === "code") return [make("code", span.text.length > 40 ? "long" : "", span.text)];
    if (span.kind === "mention") {
      return [make("span", span.person === self()?.id ? "mention me" : "mention", span.text)];
    }
    if (span.kind === "time") {
      const time = make("time", "", until(span.time));
      time.dataset.until = span.time;
      time.title = span.text;
      return [time];
    }
    if (span.kind === "day") return [make("time", "", day(span))];
    return linked(span.text);
  });
  to.replaceChildren(...parts);
}

function linked(text) {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]|\/#\/[^\s<>"]+)/)
    .filter(Boolean)
    .map((part, n) => {
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

const name = m => (m.bot ? "Caravanserai" : m.author.name);

/** A short form for quotes and announcements. */
export const brief = m => {
  const text = (m.text || m.image?.alt || m.file?.name || "").replace(/\s+/g, " ");
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
};

/** Builds the element of a message. `act` holds what its parts can do. */
export function draw(m, act) {
  const it = make("article", "message");
  it.id = `m${m.id}`;
  it.tabIndex = -1;
  it.dataset.id = m.id;
  if (m.bot) it.classList.add("bot");
  if (m.only) it.classList.add("only");
  if (mine(m)) it.classList.add("mine");
  const head = make("header", "", make("b", "who", name(m)));
  if (m.bot) head.append(make("span", "tag", t("bot")));
  const time = make("time", "", clock(m.time));
  time.dateTime = new Date(m.time).toISOString();
  head.append(time);
  const bubble = make("div", "bubble", head, make("div", "body"));
  it.append(m.bot ? botFace() : face(m.author.id, m.author.name), bubble, tools(m, act));
  change(it, m, act);
  return it;
}

function tools(m, act) {
  const row = make("div", "tools");
  const add = (sign, label, does) => {
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

/** Brings an element up to date; what has not changed stays untouched. */
export function change(it, m, act) {
  const body = it.querySelector(".body");
  const part = (className, wanted, build) => {
    let found = body.querySelector(`:scope > .${className}`);
    if (!wanted) {
      found?.remove();
      return null;
    }
    if (!found) body.append((found = build()));
    return found;
  };
  it.classList.toggle(
    "loud",
    m.loud && m.spans.some(s => s.kind === "mention" && s.person === self()?.id),
  );
  // The living board shows it better; what it says stays to be read.
  const lives = act.lives?.(m) ?? false;
  it.classList.toggle("lives", lives);
  const shown = lives ? null : m.image || moving(m);
  it.classList.toggle("picture-message", !!(m.image || shown));
  const quoted = m.reply_to && room(m.room).messages.get(m.reply_to);
  const quote = part("quote", quoted && !quoted.gone, () => make("button", "quote"));
  if (quote) {
    quote.type = "button";
    quote.replaceChildren(make("b", "", name(quoted)), " ", brief(quoted));
    quote.onclick = () => act.jump(m.reply_to);
  }
  const only = part("only-note", m.only, () => make("p", "only-note"));
  if (only) only.textContent = t("only_you");
  const frame = part("frame", shown, () => make("div", "frame"));
  if (frame) show(frame, shown);
  const halt = part("halt", moving(m), () => make("button", "halt"));
  if (halt) {
    halt.type = "button";
    halt.textContent = t(frame.querySelector("canvas") ? "picture_play" : "picture_stop");
    halt.onclick = () => stopOrPlay(frame, halt);
  }
  const text = part("text", m.text, () => make("div", "text"));
  if (text && text.dataset.said !== JSON.stringify(m.spans)) {
    text.dataset.said = JSON.stringify(m.spans);
    write(text, m.spans);
  }
  const file = part("file", m.file, () => make("button", "file"));
  if (file) {
    file.type = "button";
    const sign = make("span", "", "↓ ");
    sign.setAttribute("aria-hidden", "true");
    file.replaceChildren(
      sign,
      m.file.name,
      make("small", "", ` ${Math.ceil(m.file.bytes / 1024)} KB`),
    );
    file.setAttribute("aria-label", t("file", { name: m.file.name }));
    file.onclick = () => download(m.file).catch(refuse);
  }
  const keys = part("keys", m.buttons.length && !lives, () => make("div", "keys"));
  if (keys && keys.dataset.keys !== JSON.stringify(m.buttons)) {
    keys.dataset.keys = JSON.stringify(m.buttons);
    keyboard(keys, m, act);
  }
  // Moving a part would take the focus out of it.
  const parts = [quote, only, frame, text, file, keys].filter(Boolean);
  if (parts.some((it, n) => body.children[n] !== it)) body.append(...parts);
}

/** A file that is shown as a picture: one that has a size in pixels. */
function moving({ file, text }) {
  if (!file?.width) return null;
  return { src: file.src, alt: text || file.name, width: file.width, height: file.height };
}

/** What moves can be stopped: its first picture stands then. */
function stopOrPlay(frame, button) {
  const img = frame.querySelector("img:last-of-type");
  const still = frame.querySelector("canvas");
  if (still) {
    still.remove();
  } else if (img) {
    const canvas = make("canvas");
    [canvas.width, canvas.height] = [img.naturalWidth, img.naturalHeight];
    canvas.getContext("2d").drawImage(img, 0, 0);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", img.alt);
    frame.append(canvas);
  }
  if (img) img.hidden = !still;
  button.textContent = t(still ? "picture_stop" : "picture_play");
}

/** Puts a picture into its frame; the next one fades in over the last. */
async function show(frame, image) {
  if (frame.dataset.src === image.src) {
    frame.querySelector("img:last-child")?.setAttribute("alt", image.alt);
    return;
  }
  const first = !frame.dataset.src;
  frame.dataset.src = image.src;
  const img = make("img");
  img.width = image.width;
  img.height = image.height;
  img.alt = image.alt;
  if (first) frame.replaceChildren(img);
  try {
    img.src = await picture(image.src);
    await img.decode();
  } catch {
    // A newer picture may have replaced this one before it was fetched.
    if (frame.dataset.src === image.src && first)
      frame.append(make("p", "error", t("image_failed")));
    return;
  }
  if (frame.dataset.src !== image.src) return;
  const old = [...frame.children].filter(it => it !== img);
  old.forEach(it => it.setAttribute("aria-hidden", "true"));
  if (!first) {
    // A hidden page plays nothing, so nothing must be waited for.
    if (!document.hidden) img.classList.add("coming");
    frame.append(img);
    await Promise.all(img.getAnimations().map(it => it.finished.catch(() => {})));
    img.classList.remove("coming");
  }
  old.forEach(it => it.remove());
  frame.dataset.shown = image.src;
}

/** Buttons in rows: one stop for Tab, arrows move inside. */
export function keyboard(keys, m, act) {
  const held = keys.contains(document.activeElement) ? document.activeElement.dataset : null;
  const place = held ? { press: held.press, label: held.label, n: Number(held.n) } : null;
  let n = 0;
  // Short labels (pits, dice) stand in columns, whatever the length of their rows.
  const counted = /^(\d+)( \(\d+\))$/;
  const short = row => row.every(key => [...key.label].length <= 3 || counted.test(key.label));
  const columns = Math.max(0, ...m.buttons.filter(short).map(row => row.length));
  keys.setAttribute("role", "group");
  keys.setAttribute("aria-label", t("buttons"));
  keys.replaceChildren(
    ...m.buttons.map(row => {
      const line = make("div", "key-row");
      for (const key of row) {
        // "7 (12)": the number is what one plays, the count in brackets is a help.
        const [, number, count] = counted.exec(key.label) ?? [];
        const label = count ? [number, make("small", "", count)] : [key.label];
        const it = make("button", `key ${key.tone}`, ...label);
        it.type = "button";
        it.tabIndex = n === 0 ? 0 : -1;
        Object.assign(it.dataset, { press: key.press, label: key.label, n: n++ });
        it.addEventListener("click", () => (key.does ? key.does(it, key) : press(it, m, key, act)));
        line.append(it);
      }
      if (short(row))
        for (let gap = row.length; gap < columns; gap++) line.append(make("span", "gap"));
      return line;
    }),
  );
  keys.onkeydown = move;
  keys.onfocusin = e => stop(keys, e.target);
  if (place) {
    const all = [...keys.querySelectorAll(".key")];
    const same =
      all.find(it => it.dataset.label === place.label) ?? all[Math.min(place.n, all.length - 1)];
    same?.focus({ preventScroll: true });
  }
}

function stop(keys, chosen) {
  for (const it of keys.querySelectorAll(".key")) it.tabIndex = it === chosen ? 0 : -1;
}

function move(e) {
  const all = [...this.querySelectorAll(".key")];
  const here = all.indexOf(document.activeElement);
  if (here < 0) return;
  const at = all[here].getBoundingClientRect(),
    middle = at.left + at.width / 2;
  const rows = [...this.children],
    row = rows.indexOf(all[here].parentElement);
  const nearest = line =>
    line &&
    [...line.querySelectorAll(".key")]
      .map(it => ({ it, box: it.getBoundingClientRect() }))
      .sort(
        (a, b) =>
          Math.abs(a.box.left + a.box.width / 2 - middle) -
          Math.abs(b.box.left + b.box.width / 2 - middle),
      )[0].it;
  const next = {
    ArrowRight: () => all[here + 1],
    ArrowLeft: () => all[here - 1],
    Home: () => all[0],
    End: () => all.at(-1),
    ArrowDown: () => nearest(rows[row + 1]),
    ArrowUp: () => nearest(rows[row - 1]),
  }[e.key]?.();
  if (next) {
    e.preventDefault();
    e.stopPropagation();
    next.focus();
  }
}

async function press(button, m, key, act) {
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    const body = { message: m.id, press: key.press, key: newKey() };
    const { whispers } = await postSurely(roomPath(m.room, "/press"), body);
    whispers.filter(it => it.brief).forEach(it => toast(it.text, it.passing));
  } catch (e) {
    if (e instanceof Refused && e.status === 404) toast(t("gone"));
    else refuse(e);
  } finally {
    button.removeAttribute("aria-busy");
    act.pressed?.();
  }
}
