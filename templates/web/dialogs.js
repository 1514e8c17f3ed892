// The dialogs: welcome, new room, people and settings, oneself. They are fetched when one is opened.

import {
  dropSelf,
  get,
  keepSelf,
  known,
  left as formerSelves,
  post,
  remembered,
  roomPath,
  self,
} from "./api.js";
import { all, byId, first, say, style, update } from "./dom.js";
import { known as isRoom, room } from "./rooms.js";
import { currentLanguage, LANGUAGES, onLanguage, setLanguage, spell, t } from "./words.js";
import { face, make } from "./messages.js";
import { copied, refuse, said } from "./toasts.js";

style(new URL("./room-dialogs.css", import.meta.url)).catch(refuse);

/** The dialogs that nobody needs to see the page. */
const PARTS = `
  <dialog id="room-new" aria-labelledby="room-new-title">
    <form id="room-new-form" method="dialog">
      <h2 id="room-new-title" data-t="new_room"></h2>
      <label
        ><span data-t="room_name"></span
        ><input id="room-new-name" maxlength="40" required autocomplete="off"
      /></label>
      <p class="hint" data-t="room_hint"></p>
      <p class="error" id="room-new-error" role="alert"></p>
      <div id="room-others"></div>
      <div class="row">
        <button class="quiet" type="button" data-close data-t="cancel"></button
        ><button class="good" type="submit" data-t="open_room"></button>
      </div>
    </form>
  </dialog>
  <dialog id="people" aria-labelledby="people-title">
    <h2 id="people-title"></h2>
    <ul id="people-list"></ul>
    <p class="hint" id="bot-state"></p>
    <p class="hint" id="room-closed" data-t="room_closed" hidden></p>
    <div class="stack">
      <button id="copy-link" class="quiet" type="button" data-t="copy_link"></button>
      <button id="door" class="quiet" type="button"></button>
      <button id="bot-toggle" class="quiet" type="button"></button>
      <button id="leave" class="quiet danger" type="button" data-t="leave"></button>
      <button class="good" type="button" data-close data-t="close"></button>
    </div>
  </dialog>
`;
const parts = make("div");
parts.innerHTML = PARTS;
spell(parts);
document.body.append(...parts.children);

/** @typedef {import("./types").Self} Self */
/** @typedef {import("./types").DisciplineAct} DisciplineAct */

for (const it of all(document, "dialog [data-close]")) {
  it.addEventListener("click", () => it.closest("dialog")?.close());
}
for (const it of document.querySelectorAll("dialog")) {
  if (it.id === "welcome") continue;
  it.addEventListener("click", e => {
    if (e.target === it) it.close();
  });
}

/** Updates every language switch. */
function languages() {
  const codes = Object.entries(LANGUAGES);
  for (const box of document.querySelectorAll(".languages")) {
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", t("language"));
    update(box, codes, ([code]) => code, languageButton, (it, [code]) =>
      it.setAttribute("aria-pressed", String(code === currentLanguage())),
    );
  }
}

/** @param {[string, string]} language its code and its name */
function languageButton([code, name]) {
  const it = make("button", "quiet", name);
  it.type = "button";
  it.lang = code;
  it.addEventListener("click", () => {
    localStorage.setItem("language", code);
    void setLanguage(code);
    if (self()) void changeLocale(code).catch(refuse);
  });
  return it;
}

/**
 * Tells the bot the language. What it says in the open settings is in that language from then on.
 * @param {string} locale
 */
async function changeLocale(locale) {
  await post("/api/me", { locale });
  if (byId("mine").open) await (await import("./settings.js")).show();
}

languages();
onLanguage(languages);

/**
 * Asks for a name until there is one, and makes a person of it: the first one in a browser is
 * remembered there, later tabs offer to go on as that person, or to be someone else.
 */
export function welcome(name = "") {
  const dialog = byId("welcome");
  const kept = known();
  const before = [...(kept ? [kept] : []), ...formerSelves().filter(it => it.id !== kept?.id)];
  byId("welcome-name").value = name;
  byId("welcome-keep").checked = !kept;
  byId("welcome-keep").closest("label")?.toggleAttribute("hidden", Boolean(kept));
  byId("welcome-known").hidden = !before.length;
  byId("welcome-text").hidden = before.length > 0;
  dialog.addEventListener("cancel", e => e.preventDefault());
  /** @type {Promise<void>} */
  const named = new Promise(done => {
    const create = (/** @type {Self} */ { name }) => {
      const as = make("span", "", t("continue_as"));
      // Translated again when the language changes.
      as.dataset.t = "continue_as";
      const go = make("button", "good", as, " ", make("b", "", name));
      go.type = "button";
      return go;
    };
    update(byId("continue"), before, it => `${it.id} ${it.name}`, create, (go, it) => {
      go.onclick = () => {
        keepSelf(it, it === kept);
        dialog.close();
        done();
      };
    });
    byId("welcome-form").onsubmit = async e => {
      e.preventDefault();
      const name = byId("welcome-name").value.trim();
      if (!name) return byId("welcome-name").focus();
      try {
        const me = await post("/api/people", { name, locale: currentLanguage() });
        keepSelf(me, !known() && byId("welcome-keep").checked);
        dialog.close();
        done();
      } catch (e) {
        byId("welcome-error").textContent = said(e);
      }
    };
    dialog.showModal();
    (first(byId("continue"), "button") ?? byId("welcome-name")).focus();
  });
  return named;
}

/**
 * Asks for the name of a room to enter.
 * @param {(name: string) => void} enter
 */
export async function newRoom(enter) {
  const dialog = byId("room-new"),
    input = byId("room-new-name");
  input.value = "";
  byId("room-new-error").textContent = "";
  const go = (/** @type {string} */ name) => {
    dialog.close();
    enter(name);
  };
  byId("room-new-form").onsubmit = e => {
    e.preventDefault();
    const name = input.value.trim().toLowerCase().replace(/\s+/g, "-");
    if (/^[\p{L}\p{N}_-]{1,40}$/u.test(name)) go(name);
    else byId("room-new-error").textContent = t("room_bad");
  };
  dialog.showModal();
  /** @type {{ rooms: { name: string, people: number, joined: boolean }[] }} */
  const { rooms } = await get("/api/rooms").catch(() => ({ rooms: [] }));
  const others = rooms.filter(it => !it.joined).slice(0, 12);
  /** @type {(typeof others[0] | null)[]} */
  const lines = others.length ? [null, ...others] : [];
  update(byId("room-others"), lines, it => it?.name ?? "", otherRoom, (line, it) => {
    if (!it) return say(line, t("other_rooms"));
    const [count] = all(line, "small");
    if (count) say(count, t("people", it.people));
    line.onclick = () => go(it.name);
  });
}

/**
 * A room to enter, or the line above all of them.
 * @param {{ name: string } | null} room
 * @returns {HTMLElement}
 */
function otherRoom(room) {
  if (!room) return make("p", "label");
  const it = make("button", "quiet", `# ${room.name} `, make("small"));
  it.type = "button";
  return it;
}

/** The room whose people are shown, and what is done once one has left it.
 * @type {{ name: string, left: (name: string) => void } | null} */
let peopled = null;

/**
 * Shows who is here, and what can be done with the room.
 * @param {string} name
 * @param {(name: string) => void} left
 */
export function people(name, left) {
  const dialog = byId("people");
  peopled = { name, left };
  if (!drawPeople(name, left)) return;
  if (!dialog.open) dialog.showModal();
}

/** Brings the people up to date while they are shown. Those of a room that one is no longer in are
 * not shown. */
export function refreshPeople() {
  const dialog = byId("people");
  if (!peopled || !dialog.open) return;
  if (!isRoom(peopled.name) || !drawPeople(peopled.name, peopled.left)) dialog.close();
}

/**
 * Draws the people of a room, if they are known.
 * @param {string} name
 * @param {(name: string) => void} left
 */
function drawPeople(name, left) {
  const { info } = room(name);
  if (!info) return false;
  const isPrivate = name === "@";
  const act = (/** @type {Promise<unknown>} */ doing) =>
    doing.then(() => byId("people").close(), refuse);
  say(byId("people-title"), isPrivate ? t("private") : `# ${name}`);
  const discipline = (/** @type {string} */ person, /** @type {DisciplineAct} */ what) =>
    act(post(roomPath(name, "/people"), { person, act: what }));
  update(byId("people-list"), personLines(name, info), it => it.key, () => make("li"), (line, it) =>
    changePerson(line, it, discipline),
  );
  const door = byId("door");
  door.hidden = !info.admin || isPrivate;
  say(door, t(info.closed ? "door_open" : "door_close"));
  door.onclick = () => act(post(roomPath(name, "/door"), { closed: !info.closed }));
  byId("room-closed").hidden = !info.closed;
  say(byId("bot-state"), t(info.bot ? "bot_here" : "bot_away"));
  const toggle = byId("bot-toggle");
  toggle.hidden = !info.admin;
  say(toggle, t(info.bot ? "bot_remove" : "bot_invite"));
  toggle.onclick = () => act(post(roomPath(name, "/bot"), { present: !info.bot }));
  byId("leave").hidden = isPrivate;
  byId("leave").onclick = () => act(post(roomPath(name, "/leave"), {}).then(() => left(name)));
  byId("copy-link").hidden = isPrivate;
  byId("copy-link").onclick = async () => {
    const invite = info.invite ? `?i=${info.invite}` : "";
    await copied(`${location.origin}/#/${encodeURIComponent(name)}${invite}`);
  };
  return true;
}

/** A person in the list: the words of their notes, and what this person may do about them.
 * @typedef {{ key: string, id: string, name: string, look: string, notes: string[],
 *   acts: DisciplineAct[] }} PersonLine */

/**
 * @param {string} name
 * @param {import("./types").RoomInfo} info
 * @returns {PersonLine[]}
 */
function personLines(name, info) {
  const isGroup = name !== "@";
  const people = info.people.map(({ id, name, online, muted }, n) => {
    const isMe = id === self()?.id;
    /** @type {[string, unknown][]} */
    const notes = [
      ["you", isMe],
      ["admin", n === 0 && isGroup],
      ["on_line", online],
      ["muted", muted],
    ];
    /** @type {DisciplineAct[]} */
    const acts = info.admin && isGroup && !isMe ? [muted ? "unmute" : "mute", "remove"] : [];
    const words = notes.flatMap(([word, isTrue]) => (isTrue ? [word] : []));
    return { key: id, id, name, look: online ? "here" : "", notes: words, acts };
  });
  /** @type {DisciplineAct[]} */
  const acts = ["allow"];
  const removed = (info.removed ?? []).map(({ id, name }) => {
    return { key: `removed ${id}`, id, name, look: "away", notes: [], acts };
  });
  return [...people, ...removed];
}

/**
 * @param {HTMLElement} line
 * @param {PersonLine} person
 * @param {(person: string, what: DisciplineAct) => void} discipline
 */
function changePerson(line, { id, name, look, notes, acts }, discipline) {
  line.className = look;
  // The same button mutes and unmutes.
  const lines = acts.map((what, n) => ({ what, key: String(n) }));
  const create = () => Object.assign(make("button", "quiet small"), { type: "button" });
  const buttons = (/** @type {HTMLElement} */ place) =>
    update(place, lines, it => it.key, create, (it, { what }) => {
      say(it, t(what));
      it.setAttribute("aria-label", `${t(what)}: ${name}`);
      it.onclick = () => discipline(id, what);
    });
  /** @type {{ key: string, create: () => HTMLElement, change?: (it: HTMLElement) => void }[]} */
  const parts = [
    { key: `face ${name}`, create: () => face(id, name) },
    { key: "name", create: () => make("span"), change: it => say(it, name) },
    ...notes.map(word => ({
      key: word,
      create: () => make("small", word === "on_line" ? "dot" : ""),
      change: (/** @type {HTMLElement} */ it) => say(it, t(word)),
    })),
    ...(acts.length ? [{ key: "acts", create: () => make("div", "acts"), change: buttons }] : []),
  ];
  update(line, parts, it => it.key, it => it.create(), (it, { change }) => change?.(it));
}

/** One's own name, language, and who one is in this tab. */
export function mine() {
  const dialog = byId("mine");
  byId("mine-name").value = self()?.name ?? "";
  byId("mine-keep").checked = remembered();
  byId("mine-error").textContent = "";
  void import("./signals.js").then(signals => {
    byId("mine-sounds").checked = signals.sounds();
    byId("mine-sounds").onchange = () => signals.setSounds(byId("mine-sounds").checked);
    const notices = byId("mine-notices");
    notices.checked = signals.notifies();
    notices.closest("label")?.toggleAttribute("hidden", !signals.canNotify());
    notices.onchange = async () => {
      const wanted = notices.checked;
      notices.checked = await signals.setNotices(wanted);
      if (wanted && !notices.checked) byId("mine-error").textContent = t("notices_no");
    };
  });
  void import("./settings.js").then(it => it.show()).catch(refuse);
  byId("mine-form").onsubmit = async e => {
    e.preventDefault();
    try {
      const { name } = await post("/api/me", {
        name: byId("mine-name").value,
        locale: currentLanguage(),
      });
      keepSelf({ .../** @type {Self} */ (self()), name }, byId("mine-keep").checked);
      dialog.close();
      dialog.dispatchEvent(new Event("saved"));
    } catch (e) {
      byId("mine-error").textContent = said(e);
    }
  };
  byId("sign-out").onclick = async () => {
    try {
      const { token } = await post("/api/me/token", {});
      keepSelf({ .../** @type {Self} */ (self()), token }, remembered());
      // Everything that is open here goes on with the new token.
      location.reload();
    } catch (e) {
      byId("mine-error").textContent = said(e);
    }
  };
  byId("other").onclick = () => {
    dropSelf(false);
    sessionStorage.setItem("other-name", "1");
    location.reload();
  };
  dialog.showModal();
}
