// Passing notes: what a press has done, why something did not work.

import { Refused } from "./api.js";
import { byId } from "./dom.js";
import { make } from "./messages.js";
import { t } from "./words.js";

/**
 * A passing note. It stays as long as it takes to read. Of those that only say what a press has
 * done, which the board shows as well, the newest is enough.
 * @param {string} text
 * @param {boolean} done
 */
export function toast(text, done = false) {
  const it = make("p", done ? "toast done" : "toast", text);
  const place = bring();
  if (done) place.querySelectorAll(".done").forEach(old => old.remove());
  place.append(it);
  while (place.children.length > 3) place.firstChild?.remove();
  setTimeout(() => it.remove(), (done ? 1500 : 3500) + text.length * (done ? 20 : 60));
}

/** Brings the notes to the front: an open dialog covers all that is not part of it. */
function bring() {
  const place = byId("toasts"),
    front = document.querySelector("dialog[open]") ?? document.body;
  if (place.parentElement !== front) front.append(place);
  return place;
}
// What a dialog led to is read after it has closed.
document.addEventListener("close", bring, true);

/**
 * Tells why something did not work.
 * @param {unknown} e
 */
export function refuse(e) {
  toast(said(e));
}

/**
 * Copies an address for others; where the browser does not allow it, it is shown.
 * @param {string} link
 */
export async function copied(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(t("copied"));
  } catch {
    toast(link);
  }
}

/** @type {Record<string, string>} */
const SAID = {
  too_fast: "too_fast",
  no_bot: "no_bot",
  by_invitation: "by_invitation",
  removed: "removed",
  muted: "muted_you",
  bad_name: "bad_name",
  name_alike: "name_alike",
};

/**
 * A refusal in the reader's language, as far as it is known.
 * @param {unknown} e
 */
export function said(e) {
  // What was not answered did not arrive, and is not sent again.
  if (!(e instanceof Refused)) return t("not_reached");
  const known = SAID[e.error];
  return known ? t(known) : t("failed", { text: e.message });
}
