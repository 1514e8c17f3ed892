// The dialogs: welcome, new room, people, settings. Loaded on first use.

import {
  get,
  setIdentity,
  rememberedIdentity,
  post,
  isIdentityRemembered,
  latestIdentity,
  roomPath,
  currentIdentity,
  session,
  timeLimit,
} from "./api.js";
import { copyLink } from "./copy-link.js";
import { all, byId, first, setText, loadStylesheet, update } from "./dom.js";
import {
  forgetInBrowser,
  newToken,
  previousIdentities,
  rememberInBrowser,
  renewToken,
  signOut,
  wasRemembered,
} from "./identity.js";
import { loadTranslations } from "./lazy-translations.js";
import { noteChooser, noteSent, sendLanguage, storeChoice } from "./own-language.js";
import { room } from "./rooms.js";
import {
  currentLanguage,
  LANGUAGES,
  onLanguage,
  preferredLanguage,
  setLanguage,
  translateDom,
  t,
} from "./words.js";
import { avatar, createElement } from "./messages.js";
import { showError, errorText, toast } from "./toasts.js";

loadStylesheet(new URL("./room-dialogs.css", import.meta.url)).catch(showError);

/**
 * A link to a document in the reader's language.
 * @param {string} name its path, and the key of its title
 * @param {string} [style] the classes of the link
 */
const documentLink = (name, style = "") =>
  `<a
    class="${style}"
    href="/${name}"
    data-document="/${name}"
    target="_blank"
    rel="noopener"
    data-t="${name}"
  ></a>`;

/** All dialogs: none is part of the first view of a person who has been here before. */
const TEMPLATE = `
  <dialog id="welcome" aria-labelledby="welcome-title">
    <form id="welcome-form" method="dialog">
      <img src="${new URL("./icon.svg", import.meta.url).pathname}" alt="" width="64" height="64" />
      <h2 id="welcome-title" data-t="welcome"></h2>
      <p id="welcome-text" data-t="welcome_text"></p>
      <div id="welcome-known" class="stack" hidden>
        <div id="continue" class="stack"></div>
        <p data-t="new_name"></p>
      </div>
      <label
        ><span data-t="your_name"></span>
        <input
          id="welcome-name"
          name="name"
          maxlength="32"
          required
          autocomplete="nickname"
          autofocus
      /></label>
      <label class="check"
        ><input id="welcome-keep" type="checkbox" /> <span data-t="remember"></span
      ></label>
      <p class="error" id="welcome-error" role="alert"></p>
      <button id="welcome-enter" class="good" type="submit" data-t="enter"></button>
      <div class="languages"></div>
      <p class="documents">
        ${documentLink("manual")}
        ${documentLink("privacy")}
      </p>
    </form>
  </dialog>
  <dialog id="mine" aria-labelledby="mine-title">
    <form id="mine-form" method="dialog">
      <h2 id="mine-title" data-t="about_you"></h2>
      <label
        ><span data-t="your_name"></span
        ><input id="mine-name" maxlength="32" required autocomplete="nickname"
      /></label>
      <label class="check"
        ><input id="mine-keep" type="checkbox" /> <span data-t="remember"></span
      ></label>
      <label class="check"
        ><input id="mine-sounds" type="checkbox" /> <span data-t="sounds"></span
      ></label>
      <label class="check"
        ><input id="mine-notices" type="checkbox" /> <span data-t="notices"></span
      ></label>
      <p class="label" data-t="language"></p>
      <div class="languages"></div>
      <p class="label" data-t="boards"></p>
      <div id="mine-settings"></div>
      <p class="hint" id="keys-help" data-t="keys"></p>
      <p class="error" id="mine-error" role="alert"></p>
      <div class="stack">
        <button class="good" type="submit" data-t="save"></button>
        <button id="shortcuts-open" class="quiet" type="button" data-t="shortcuts"></button>
        <button id="other" class="quiet" type="button" data-t="other_name"></button>
        <button id="sign-out" class="quiet" type="button" data-t="sign_out"></button>
        ${documentLink("manual", "quiet button")}
        ${documentLink("privacy", "quiet button")}
        <a
          class="quiet button"
          href="/api"
          target="_blank"
          rel="noopener"
          data-t="for_scripts"
        ></a>
        <button class="quiet" type="button" data-close data-t="close"></button>
      </div>
    </form>
  </dialog>
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
    <p class="hint" id="room-closed" hidden></p>
    <div class="stack">
      <button id="copy-link" class="quiet" type="button" data-t="copy_link"></button>
      <button id="door" class="quiet" type="button"></button>
      <button id="bot-toggle" class="quiet" type="button"></button>
      <button id="leave" class="quiet danger" type="button" data-t="leave"></button>
      <button class="good" type="button" data-close data-t="close"></button>
    </div>
  </dialog>
`;
const parts = createElement("div");
parts.innerHTML = TEMPLATE;
const dialogs = [...parts.children];
document.body.append(...dialogs);
// Most texts are those of the page, which are there.
dialogs.forEach(it => translateDom(it));
byId("shortcuts-open").addEventListener("click", () => {
  import("./shortcuts.js").then(it => it.openShortcuts()).catch(showError);
});

/** Loads the texts of these dialogs. */
async function loadTexts() {
  await loadTranslations("rooms");
  dialogs.forEach(it => translateDom(it));
}

/** Says what is lost in a browser that stores nothing. */
export async function warnAboutStorage() {
  await loadTexts();
  toast(t("no_storage"));
}

/** @typedef {import("./types").Identity} Identity */
/** @typedef {import("./types").ModerationAction} ModerationAction */

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
function updateLanguageButtons() {
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
  const it = createElement("button", "quiet", name);
  it.type = "button";
  it.lang = code;
  it.addEventListener("click", () => {
    storeChoice(code);
    pressedLanguage = code;
    languageChange = languageChange.then(() => changeLanguage(code)).catch(showError);
  });
  return it;
}

let languageChange = Promise.resolve();
/** The language that was pressed in the open dialog; empty if none was. */
let pressedLanguage = "";

/**
 * Sends the language to the bot, whose texts the page then fetches again, and changes that of the
 * page.
 * @param {string} code
 */
async function changeLanguage(code) {
  const sent = currentIdentity() ? sendLanguage(code) : null;
  await sent?.catch(showError);
  await setLanguage(code);
  if (sent) void import("./other-tabs.js").then(it => it.tellLanguage(code), () => {});
  if (sent && byId("mine").open) await (await import("./settings.js")).show();
}

updateLanguageButtons();
onLanguage(updateLanguageButtons);

/** The longest time of the request that creates a person. */
const ARRIVE_MS = 20000;

/**
 * Asks for a name and creates a person, or continues as an earlier one. The browser remembers its
 * first person if they want that.
 */
export async function welcome() {
  const dialog = byId("welcome");
  pressedLanguage = "";
  const remembered = rememberedIdentity();
  const identities = [
    ...(remembered ? [remembered] : []),
    ...previousIdentities().filter(it => it.id !== remembered?.id),
  ];
  const refused = remembered ? undefined : identities.find(it => it.refusedAt);
  byId("welcome-name").value = refused?.name ?? "";
  if (refused) {
    await loadTexts().catch(() => {});
    byId("welcome-error").textContent = t("name_refused", { name: refused.name });
  }
  byId("welcome-keep").checked = !remembered;
  byId("welcome-keep").closest("label")?.toggleAttribute("hidden", Boolean(remembered));
  byId("welcome-known").hidden = !identities.length;
  byId("welcome-text").hidden = identities.length > 0;
  const ask = () => {
    dialog.showModal();
    (first(byId("continue"), "button") ?? byId("welcome-name")).focus();
  };
  dialog.addEventListener("cancel", e => e.preventDefault());
  // Browsers close it all the same on a second Escape, or Back on a phone.
  dialog.onclose = () => currentIdentity() ?? ask();
  /** @type {Promise<void>} */
  const signedIn = new Promise(done => {
    const create = (/** @type {Identity} */ { name }) => {
      const as = createElement("span", "", t("continue_as"));
      // Translated again when the language changes.
      as.dataset.t = "continue_as";
      const go = createElement("button", "good", as, " ", createElement("b", "", name));
      go.type = "button";
      return go;
    };
    update(byId("continue"), identities, it => `${it.id} ${it.name}`, create, (go, it) => {
      go.onclick = () => {
        const { refusedAt: _, ...chosen } = it;
        setIdentity(chosen, it === remembered || (!remembered && wasRemembered(it.id)));
        if (pressedLanguage) noteChooser(chosen.id);
        dialog.close();
        done();
      };
    });
    // A repeated request creates the same person.
    const token = newToken();
    byId("welcome-form").onsubmit = async e => {
      e.preventDefault();
      const name = byId("welcome-name").value.trim();
      if (!name) return byId("welcome-name").focus();
      if (byId("welcome-enter").disabled) return;
      byId("welcome-enter").disabled = true;
      try {
        const request = { name, locale: preferredLanguage(), token };
        const me = await post("/api/people", request, timeLimit(ARRIVE_MS));
        // The user may have continued as an earlier person meanwhile.
        if (currentIdentity()) return;
        setIdentity(me, !rememberedIdentity() && byId("welcome-keep").checked);
        dialog.close();
        done();
      } catch (e) {
        byId("welcome-error").textContent = errorText(e);
      } finally {
        byId("welcome-enter").disabled = false;
      }
    };
    ask();
  });
  await signedIn;
}

/**
 * Opens the dialog that asks for the name of a room.
 * @param {(name: string) => void} enter
 */
export async function openNewRoom(enter) {
  await loadTexts();
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
    const name = input.value.trim().toLowerCase().normalize().replace(/\s+/g, "-");
    // A letter may have marks: those of Tamil are characters of their own.
    if (/^(?=.{1,40}$)(\p{L}\p{M}*|[\p{N}_-])+$/u.test(name)) go(name);
    else byId("room-new-error").textContent = t("room_bad");
  };
  dialog.showModal();
  /** @type {{ rooms: { name: string, people: number, joined: boolean }[] }} */
  const { rooms } = await get("/api/rooms").catch(() => ({ rooms: [] }));
  const others = rooms.filter(it => !it.joined).slice(0, 12);
  /** @type {(typeof others[0] | null)[]} */
  const lines = others.length ? [null, ...others] : [];
  update(byId("room-others"), lines, it => it?.name ?? "", otherRoomLine, (line, it) => {
    if (!it) return setText(line, t("other_rooms"));
    const [count] = all(line, "small");
    if (count) setText(count, t("people", it.people));
    line.onclick = () => go(it.name);
  });
}

/**
 * Creates the line of a room, or the heading of the list.
 * @param {{ name: string } | null} room
 * @returns {HTMLElement}
 */
function otherRoomLine(room) {
  if (!room) return createElement("p", "label");
  const it = createElement("button", "quiet", `# ${room.name} `, createElement("small"));
  it.type = "button";
  return it;
}

/** The room whose people are shown, and the callback after the user has left it.
 * @type {{ name: string, onLeft: (name: string) => void } | null} */
let shownRoom = null;

/**
 * Opens the dialog with the people and the actions of a room.
 * @param {string} name
 * @param {(name: string) => void} onLeft
 */
export async function openPeople(name, onLeft) {
  await loadTexts();
  const dialog = byId("people");
  delete byId("leave").dataset.room;
  shownRoom = { name, onLeft };
  if (!drawPeople(name, onLeft)) return;
  if (!dialog.open) dialog.showModal();
}

/** Updates the open dialog; closes it if the user is no longer in the room. */
export function refreshPeople() {
  const dialog = byId("people");
  if (!shownRoom || !dialog.open) return;
  if (!drawPeople(shownRoom.name, shownRoom.onLeft)) dialog.close();
}

/**
 * Draws the people of a room; returns false if they are not loaded.
 * @param {string} name
 * @param {(name: string) => void} onLeft
 */
function drawPeople(name, onLeft) {
  const { info } = room(name);
  if (!info) return false;
  const isPrivate = name === "@";
  const closeAfter = (/** @type {Promise<unknown>} */ request) =>
    request.then(() => byId("people").close(), showError);
  setText(byId("people-title"), isPrivate ? t("private") : `# ${name}`);
  const moderate = (/** @type {string} */ person, /** @type {ModerationAction} */ what) =>
    closeAfter(
      post(roomPath(name, "/people"), { person, act: what }).then(() => {
        // The removed person knows the old link.
        if (what === "remove" && info.closed) toast(t("link_renewed"));
      }),
    );
  update(
    byId("people-list"),
    personLines(name, info),
    it => it.key,
    () => createElement("li"),
    (line, it) => updatePerson(line, it, moderate),
  );
  const accessButton = byId("door");
  accessButton.hidden = !info.admin || isPrivate;
  setText(accessButton, t(info.closed ? "make_public" : "make_invite_only"));
  accessButton.onclick = () => closeAfter(post(roomPath(name, "/door"), { closed: !info.closed }));
  // Only the admin has the code of the invitation, without which the link opens nothing.
  const canInvite = !info.closed || info.admin;
  byId("room-closed").hidden = !info.closed;
  setText(byId("room-closed"), t(canInvite ? "room_closed" : "room_closed_member"));
  setText(byId("bot-state"), t(info.bot ? "bot_here" : "bot_absent"));
  const toggle = byId("bot-toggle");
  toggle.hidden = !info.admin;
  setText(toggle, t(info.bot ? "bot_remove" : "bot_invite"));
  toggle.onclick = () => closeAfter(post(roomPath(name, "/bot"), { present: !info.bot }));
  const leave = byId("leave"),
    isLast = info.closed && info.people.length === 1;
  leave.hidden = isPrivate;
  // The only member of a closed room deletes it by leaving, so that needs a second press.
  if (!isLast || leave.dataset.room !== name) delete leave.dataset.room;
  setText(leave, t(leave.dataset.room ? "leave_last" : "leave"));
  leave.onclick = () => {
    if (!isLast || leave.dataset.room)
      return closeAfter(post(roomPath(name, "/leave"), {}).then(() => onLeft(name)));
    leave.dataset.room = name;
    setText(leave, t("leave_last"));
  };
  byId("copy-link").hidden = isPrivate || !canInvite;
  byId("copy-link").onclick = async () => {
    const invite = info.invite ? `?i=${info.invite}` : "";
    await copyLink(`${location.origin}/#/${encodeURIComponent(name)}${invite}`);
  };
  return true;
}

/** A person in the list: their notes, and how the user may moderate them.
 * @typedef {{ key: string, id: string, name: string, look: string, notes: string[],
 *   acts: ModerationAction[] }} PersonLine */

/**
 * @param {string} name
 * @param {import("./types").RoomView} info
 * @returns {PersonLine[]}
 */
function personLines(name, info) {
  const isGroup = name !== "@";
  const people = info.people.map(({ id, name, online, muted }, n) => {
    const isMe = id === currentIdentity()?.id;
    /** @type {[string, unknown][]} */
    const notes = [
      ["you", isMe],
      ["admin", n === 0 && isGroup],
      ["online", online],
      ["muted", muted],
    ];
    /** @type {ModerationAction[]} */
    const acts = info.admin && isGroup && !isMe ? [muted ? "unmute" : "mute", "remove"] : [];
    const words = notes.flatMap(([word, isTrue]) => (isTrue ? [word] : []));
    return { key: id, id, name, look: online ? "here" : "", notes: words, acts };
  });
  /** @type {ModerationAction[]} */
  const acts = ["allow"];
  const removed = (info.removed ?? []).map(({ id, name }) => {
    return { key: `removed ${id}`, id, name, look: "away", notes: [], acts };
  });
  return [...people, ...removed];
}

/**
 * @param {HTMLElement} line
 * @param {PersonLine} person
 * @param {(person: string, what: ModerationAction) => void} moderate
 */
function updatePerson(line, { id, name, look, notes, acts }, moderate) {
  line.className = look;
  // The same button mutes and unmutes.
  const lines = acts.map((what, n) => ({ what, key: String(n) }));
  const create = () => Object.assign(createElement("button", "quiet small"), { type: "button" });
  const buttons = (/** @type {HTMLElement} */ place) =>
    update(place, lines, it => it.key, create, (it, { what }) => {
      setText(it, t(what));
      it.setAttribute("aria-label", `${t(what)}: ${name}`);
      it.onclick = () => moderate(id, what);
    });
  /** @type {{ key: string, create: () => HTMLElement, change?: (it: HTMLElement) => void }[]} */
  const parts = [
    { key: `face ${name}`, create: () => avatar(id, name) },
    { key: "name", create: () => createElement("span"), change: it => setText(it, name) },
    ...notes.map(word => ({
      key: word,
      create: () => createElement("small", word === "online" ? "dot" : ""),
      change: (/** @type {HTMLElement} */ it) => setText(it, t(word)),
    })),
    ...(acts.length
      ? [{ key: "acts", create: () => createElement("div", "acts"), change: buttons }]
      : []),
  ];
  update(line, parts, it => it.key, it => it.create(), (it, { change }) => change?.(it));
}

/** Opens the settings: name, language, notifications, identity. */
export async function openSettings() {
  await loadTexts();
  const dialog = byId("mine");
  const oldName = currentIdentity()?.name ?? "";
  pressedLanguage = "";
  byId("mine-name").value = oldName;
  byId("mine-keep").checked = isIdentityRemembered();
  byId("mine-error").textContent = "";
  void import("./notifications.js").then(notifications => {
    byId("mine-sounds").checked = notifications.areSoundsOn();
    byId("mine-sounds").onchange = () => notifications.setSounds(byId("mine-sounds").checked);
    const notices = byId("mine-notices");
    notices.checked = notifications.areNotificationsOn();
    notices.closest("label")?.toggleAttribute("hidden", !notifications.canNotify());
    notices.onchange = async () => {
      const wanted = notices.checked;
      notices.checked = await notifications.setNotifications(wanted);
      if (wanted && !notices.checked) byId("mine-error").textContent = t("notices_no");
    };
  });
  void import("./settings.js").then(it => it.show()).catch(showError);
  byId("mine-form").onsubmit = async e => {
    e.preventDefault();
    try {
      const typed = byId("mine-name").value;
      // Another tab may have changed the name meanwhile, and another person of this browser its
      // language. The page may still change to the pressed one.
      const { name } = await post("/api/me", {
        ...(typed !== oldName && { name: typed }),
        ...(pressedLanguage !== "" && { locale: pressedLanguage }),
      });
      if (pressedLanguage) noteSent();
      const named = { .../** @type {Identity} */ (latestIdentity()), name };
      if (byId("mine-keep").checked) rememberInBrowser(named);
      else {
        setIdentity(named, false);
        forgetInBrowser(named.id);
      }
      dialog.close();
      dialog.dispatchEvent(new Event("saved", { bubbles: true }));
    } catch (e) {
      byId("mine-error").textContent = errorText(e);
    }
  };
  byId("sign-out").onclick = async () => {
    byId("sign-out").toggleAttribute("disabled", true);
    try {
      await renewToken();
      // The reload continues with the new token.
      location.reload();
    } catch (e) {
      byId("mine-error").textContent = errorText(e);
    }
    byId("sign-out").toggleAttribute("disabled", false);
  };
  byId("other").onclick = () => {
    signOut();
    session.setItem("other-name", "1");
    location.reload();
  };
  dialog.showModal();
}
