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
import { all, byId, first, style } from "./dom.js";
import { room } from "./rooms.js";
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

for (const it of all(document, "dialog [data-close]")) {
  it.addEventListener("click", () => it.closest("dialog")?.close());
}
for (const it of document.querySelectorAll("dialog")) {
  if (it.id === "welcome") continue;
  it.addEventListener("click", e => {
    if (e.target === it) it.close();
  });
}

/** Fills every language switch. */
function languages() {
  for (const box of document.querySelectorAll(".languages")) {
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", t("language"));
    box.replaceChildren(
      ...Object.entries(LANGUAGES).map(([code, name]) => {
        const it = make("button", "quiet", name);
        it.type = "button";
        it.lang = code;
        it.setAttribute("aria-pressed", String(code === currentLanguage()));
        it.addEventListener("click", () => {
          localStorage.setItem("language", code);
          void setLanguage(code);
          first(document, `dialog[open] .languages [lang=${code}]`)?.focus();
          if (self()) post("/api/me", { locale: code }).catch(refuse);
        });
        return it;
      }),
    );
  }
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
    byId("continue").replaceChildren(
      ...before.map(it => {
        const as = make("span", "", t("continue_as"));
        // Translated again when the language changes.
        as.dataset.t = "continue_as";
        const go = make("button", "good", as, " ", make("b", "", it.name));
        go.type = "button";
        go.addEventListener("click", () => {
          keepSelf(it, it === kept);
          dialog.close();
          done();
        });
        return go;
      }),
    );
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
  byId("room-others").replaceChildren();
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
  if (!others.length) return;
  byId("room-others").replaceChildren(
    make("p", "label", t("other_rooms")),
    ...others.map(it => {
      const button = make(
        "button",
        "quiet",
        `# ${it.name} `,
        make("small", "", t("people", it.people)),
      );
      button.type = "button";
      button.addEventListener("click", () => go(it.name));
      return button;
    }),
  );
}

/**
 * Who is here, and what can be done with the room.
 * @param {string} name
 * @param {(name: string) => void} left
 */
export function people(name, left) {
  const { info } = room(name);
  if (!info) return;
  const dialog = byId("people");
  const deed = (/** @type {{ id: string, name: string }} */ person, /** @type {import("./types").DisciplineAct} */ what) => {
    const it = make("button", "quiet small", t(what));
    it.type = "button";
    it.setAttribute("aria-label", `${t(what)}: ${person.name}`);
    it.addEventListener("click", () =>
      act(post(roomPath(name, "/people"), { person: person.id, act: what })),
    );
    return it;
  };
  byId("people-title").textContent = name === "@" ? t("private") : `# ${name}`;
  byId("people-list").replaceChildren(
    ...info.people.map((it, n) => {
      const line = make(
        "li",
        it.online ? "here" : "",
        face(it.id, it.name),
        make("span", "", it.name),
      );
      if (it.id === self()?.id) line.append(make("small", "", t("you")));
      if (n === 0 && name !== "@") line.append(make("small", "", t("admin")));
      if (it.online) line.append(make("small", "dot", t("on_line")));
      if (it.muted) line.append(make("small", "", t("muted")));
      if (info.admin && name !== "@" && it.id !== self()?.id) {
        line.append(deed(it, it.muted ? "unmute" : "mute"), deed(it, "remove"));
      }
      return line;
    }),
    ...(info.removed ?? []).map(it =>
      make("li", "away", face(it.id, it.name), make("span", "", it.name), deed(it, "allow")),
    ),
  );
  const door = byId("door");
  door.hidden = !info.admin || name === "@";
  door.textContent = t(info.closed ? "door_open" : "door_close");
  door.onclick = () => act(post(roomPath(name, "/door"), { closed: !info.closed }));
  byId("room-closed").hidden = !info.closed;
  byId("bot-state").textContent = t(info.bot ? "bot_here" : "bot_away");
  const toggle = byId("bot-toggle");
  toggle.hidden = !info.admin;
  toggle.textContent = t(info.bot ? "bot_remove" : "bot_invite");
  toggle.onclick = () => act(post(roomPath(name, "/bot"), { present: !info.bot }));
  byId("leave").hidden = name === "@";
  byId("leave").onclick = () => act(post(roomPath(name, "/leave"), {}).then(() => left(name)));
  byId("copy-link").hidden = name === "@";
  byId("copy-link").onclick = async () => {
    const invite = info.invite ? `?i=${info.invite}` : "";
    await copied(`${location.origin}/#/${encodeURIComponent(name)}${invite}`);
  };
  const act = (/** @type {Promise<unknown>} */ doing) => doing.then(() => dialog.close(), refuse);
  if (!dialog.open) dialog.showModal();
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
