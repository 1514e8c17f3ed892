// Passing notes: what a press has done, why something did not work.

import { RefusalError } from "./api.js";
import { byId } from "./dom.js";
import { createElement } from "./messages.js";
import { t } from "./words.js";

/**
 * A passing note. It stays as long as it takes to read. Of those that only say what a press has
 * done, which the board shows as well, the newest is enough.
 * @param {string} text
 * @param {boolean} isAcknowledgement
 */
export function toast(text, isAcknowledgement = false) {
  const it = createElement("p", isAcknowledgement ? "toast done" : "toast", text);
  const place = bringToFront();
  if (isAcknowledgement) place.querySelectorAll(".done").forEach(old => old.remove());
  place.append(it);
  while (place.children.length > 3) place.firstChild?.remove();
  setTimeout(
    () => it.remove(),
    (isAcknowledgement ? 1500 : 3500) + text.length * (isAcknowledgement ? 20 : 60),
  );
}

/** Brings the notes to the front: an open dialog covers all that is not part of it. */
function bringToFront() {
  const place = byId("toasts"),
    front = document.querySelector("dialog[open]") ?? document.body;
  if (place.parentElement !== front) front.append(place);
  return place;
}
// What a dialog led to is read after it has closed.
document.addEventListener("close", bringToFront, true);

/**
 * Tells why something did not work.
 * @param {unknown} e
 */
export function showError(e) {
  toast(errorText(e));
}

/**
 * Copies an address for others; where the browser does not allow it, it is shown.
 * @param {string} link
 */
export async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(t("copied"));
  } catch {
    toast(link);
  }
}

/** @type {Record<string, string>} */
const TEXT_KEYS = {
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
export function errorText(e) {
  // What was not answered did not arrive, and is not sent again.
  if (!(e instanceof RefusalError)) return t("not_reached");
  const known = TEXT_KEYS[e.error];
  return known ? t(known) : t("failed", { text: e.message });
}
