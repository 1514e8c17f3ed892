// Toasts: acknowledgements of presses, errors.

import { RefusalError, WithdrawnError } from "./api.js";
import { byId } from "./dom.js";
import { createElement } from "./messages.js";
import { t } from "./words.js";

/**
 * Shows a toast. A new acknowledgement replaces the previous one.
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

/** Moves the toasts into the open dialog, which covers everything outside it. */
function bringToFront() {
  const place = byId("toasts"),
    front = document.querySelector("dialog[open]") ?? document.body;
  if (place.parentElement !== front) front.append(place);
  return place;
}
// Toasts stay visible after their dialog has closed.
document.addEventListener("close", bringToFront, true);

/**
 * Shows an error as a toast.
 * @param {unknown} e
 */
export function showError(e) {
  if (!(e instanceof WithdrawnError)) toast(errorText(e));
}

/**
 * Shows or hides the offline banner.
 * @param {boolean} isConnected
 */
export function showConnection(isConnected) {
  const banner = byId("offline");
  // The banner also lists presses that wait to be sent, so it is not overwritten.
  if (banner.hidden !== isConnected) banner.textContent = isConnected ? "" : t("offline");
  banner.hidden = isConnected;
}

/** @type {Record<string, string>} */
const TEXT_KEYS = {
  too_fast: "too_fast",
  no_bot: "bot_absent",
  by_invitation: "by_invitation",
  removed: "removed",
  muted: "muted_you",
  bad_name: "bad_name",
  name_alike: "name_alike",
};

/** Whether a part of the page could not be loaded although there is a connection: it is of another
 * version. Browsers have no class for this error.
 * @param {unknown} e */
const isMissingPart = e => /module|import/i.test(String(e)) && byId("offline").hidden;

/**
 * Returns the text of an error in the language of the page.
 * @param {unknown} e
 */
export function errorText(e) {
  // Without a response the request failed and is not retried.
  if (!(e instanceof RefusalError)) return t(isMissingPart(e) ? "part_missing" : "not_reached");
  const known = TEXT_KEYS[e.error];
  return known ? t(known) : t("failed", { text: e.message });
}
