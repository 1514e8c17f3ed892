// Sounds and browser notifications. Both are off until the user turns them on in this browser.

import { currentIdentity, delay, isIdentityRemembered, local } from "./api.js";
import { openAddress } from "./back-button.js";
import { roomLink, tableLink } from "./rooms.js";
import { isAnyPageVisible } from "./visible-page.js";
import { t } from "./words.js";

/** @typedef {"turn" | "step" | "deal" | "capture" | "end" | "hurry"} Sound */

/** @param {string} what */
const isOn = what => local.getItem(what) === "on";

/** Whether sounds are on. */
export const areSoundsOn = () => isOn("sounds");

/** @param {boolean} on */
export function setSounds(on) {
  local.setItem("sounds", on ? "on" : "off");
  if (on) playSound("turn");
}

/** @type {AudioContext | null} */
let audio = null;

/**
 * The tones of a sound: shape, pitch in Hz, start and duration in seconds, loudness.
 * @type {Record<Sound, [OscillatorType, number, number, number, number][]>}
 */
const TONES = {
  step: [["triangle", 320, 0, 0.07, 0.5]],
  deal: [
    ["triangle", 520, 0, 0.04, 0.3],
    ["triangle", 580, 0.06, 0.04, 0.3],
    ["triangle", 640, 0.12, 0.04, 0.3],
  ],
  capture: [
    ["triangle", 300, 0, 0.08, 0.6],
    ["sine", 190, 0.07, 0.16, 0.8],
  ],
  turn: [
    ["sine", 660, 0, 0.22, 0.5],
    ["sine", 880, 0.13, 0.3, 0.5],
  ],
  hurry: [
    ["square", 880, 0, 0.06, 0.25],
    ["square", 880, 0.14, 0.06, 0.25],
  ],
  end: [
    ["sine", 523, 0, 0.25, 0.5],
    ["sine", 659, 0.16, 0.25, 0.5],
    ["sine", 784, 0.32, 0.5, 0.5],
  ],
};
const LOUDNESS = 0.16;

/**
 * Plays a sound, if sounds are on.
 * @param {Sound | undefined} what
 */
export function playSound(what) {
  if (!what || !areSoundsOn()) return;
  audio ??= new AudioContext();
  // Browsers suspend audio before the first press.
  if (audio.state === "suspended") void audio.resume();
  for (const [type, pitch, after, long, loud] of TONES[what]) {
    const tone = audio.createOscillator(),
      swell = audio.createGain(),
      from = audio.currentTime + after;
    tone.type = type;
    tone.frequency.value = pitch;
    swell.gain.setValueAtTime(0, from);
    swell.gain.linearRampToValueAtTime(loud * LOUDNESS, from + 0.008);
    swell.gain.exponentialRampToValueAtTime(0.0001, from + long);
    tone.connect(swell).connect(audio.destination);
    tone.start(from);
    tone.stop(from + long);
  }
}

/** Whether this browser supports notifications. */
export const canNotify = () => "Notification" in window && isSecureContext;

/** Whether notifications are on and permitted. */
export const areNotificationsOn = () =>
  canNotify() && isOn("notices") && Notification.permission === "granted";

/**
 * Turns notifications on or off; the browser may ask. Returns whether they are on.
 * @param {boolean} on
 */
export async function setNotifications(on) {
  const may = on && (await Notification.requestPermission()) === "granted";
  local.setItem("notices", may ? "on" : "off");
  return may;
}

/** How long a tab that alerts the user keeps the other ones from doing the same. */
const ALERT_MS = 10000;
/** How long a tab that may not play sounds leaves the alert to others. */
const SILENT_TAB_MS = 500;

/**
 * Whether this tab is the first one of the current person that alerts them of a message.
 * @param {import("./types").ShownMessage} m
 * @returns {Promise<boolean>}
 */
function isFirstAlert({ room, id, seq }) {
  const name = `alert ${currentIdentity()?.id} ${room} ${id} ${seq}`;
  return new Promise(done => {
    if (!navigator.locks) return done(true);
    const hold = (/** @type {Lock | null} */ lock) => {
      done(lock !== null);
      return lock && delay(ALERT_MS);
    };
    // Browsers refuse locks where they block the storage.
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => done(true));
  });
}

/**
 * Alerts the user that it is their turn at a table, in one of their tabs. A shown board plays its
 * own sound, and a page that the user sees in another tab alerts them itself.
 * @param {import("./types").ShownMessage} m
 * @param {boolean} isShown
 */
export async function alertTurn(m, isShown) {
  const isSeen = await isAnyPageVisible();
  // A tab in which nothing was pressed may not play sounds: another one may come first.
  if (navigator.userActivation?.hasBeenActive === false) await delay(SILENT_TAB_MS);
  if ((isSeen && document.hidden) || !(await isFirstAlert(m))) return;
  if (!isShown) playSound("turn");
  if (!isSeen) await notifyTurn(m);
}

/**
 * Notifies a user who does not see the page that it is their turn at a table.
 * @param {import("./types").ShownMessage} m
 */
async function notifyTurn({ room, table, text }) {
  if (!areNotificationsOn()) return;
  const address = table ? tableLink(room, table) : roomLink(room),
    person = currentIdentity()?.id ?? "",
    data = { address, person, isRemembered: isIdentityRemembered() };
  // A turn replaces the notification of the one before at its table, and is heard again.
  const tag = `${person} ${address}`,
    body = text.trim().split("\n").at(-1) ?? "",
    notice = { body, icon: "/web/icon.svg", tag, renotify: true, data };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(t("your_turn"), notice);
  const shown = new Notification(t("your_turn"), notice);
  shown.onclick = () => {
    window.focus();
    openAddress(address);
    shown.close();
  };
}

/** Closes the notifications of the current person, who has returned to the page. */
export async function closeNotices() {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const it of (await worker?.getNotifications()) ?? []) {
    if (it.data?.person === currentIdentity()?.id) it.close();
  }
}
