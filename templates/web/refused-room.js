// Handles a refused attempt to enter a room: tries again, asks for another name, or goes back to
// the lobby. Loaded on first use.

import { delay, RefusalError } from "./api.js";
import { HOME } from "./app-shell.js";
import { byId } from "./dom.js";
import { loadTranslations } from "./lazy-translations.js";
import { roomLink } from "./rooms.js";
import { errorText, showError, toast } from "./toasts.js";
import { t } from "./words.js";

/** The shortest pauses before an attempt is repeated that failed for a moment, or was refused. */
const PAUSE_MS = 3000,
  REFUSED_PAUSE_MS = 30000;

const goToRoom = (/** @type {string} */ name) => {
  location.hash = roomLink(name);
};

/**
 * Repeats an attempt to enter that failed for a moment. A refusal leads to another name, to the
 * lobby, or from the lobby to the private chat, which always opens.
 * @param {unknown} e
 * @param {string} name
 * @param {() => Promise<void>} enter enters the room of the address
 */
export async function onRefused(e, name, enter) {
  const { hash } = location;
  if (!(e instanceof RefusalError) || mayEnterLater(e)) {
    await delay(Math.max(PAUSE_MS, e instanceof RefusalError ? e.waitMs : 0));
    if (location.hash === hash) await enter();
  } else if (name === "@") {
    showError(e);
    await delay(REFUSED_PAUSE_MS);
    if (location.hash === hash) await enter();
  } else if (e.error === "name_alike") {
    await askForName(e, enter);
  } else {
    await loadTranslations("rooms").catch(() => {});
    if (name !== HOME) {
      toast(reasonText(e, {}));
      return goToRoom(HOME);
    }
    toast(`${reasonText(e, { full: "room_full" })} ${t("room_instead")}`);
    goToRoom("@");
  }
}

/** @param {RefusalError} e @param {Record<string, string>} keys the text keys of other refusals */
function reasonText(e, keys) {
  const key = { many_rooms: "rooms_many", ...keys }[e.error];
  return key ? t(key) : errorText(e);
}

/** Whether an attempt may succeed later although nothing has changed.
 * @param {RefusalError} e */
function mayEnterLater({ isTransient, status, error }) {
  // A refused token is checked elsewhere.
  return (isTransient && error !== "full") || [401, 408].includes(status);
}

/**
 * Opens the settings, where the user can take another name, and tries again.
 * @param {RefusalError} e
 * @param {() => Promise<void>} enter enters the room of the address
 */
async function askForName(e, enter) {
  const { openSettings } = await import("./dialogs.js");
  await openSettings();
  byId("mine-error").textContent = errorText(e);
  byId("mine-name").focus();
  const dialog = byId("mine"),
    { hash } = location;
  let isSaved = false;
  // Settings of boards, which are in this dialog too, are saved at once.
  const onSaved = (/** @type {Event} */ e) => (isSaved ||= e.target === dialog);
  dialog.addEventListener("saved", onSaved);
  dialog.addEventListener(
    "close",
    () => {
      dialog.removeEventListener("saved", onSaved);
      if (isSaved) void enter();
      else if (location.hash === hash) goToRoom("@");
    },
    { once: true },
  );
}
