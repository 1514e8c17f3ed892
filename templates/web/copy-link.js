// Copies links to the clipboard. Loaded with the parts of the page that offer them.

import { focusedElement } from "./dom.js";
import { toast } from "./toasts.js";
import { t } from "./words.js";

/**
 * Copies a link to the clipboard; shows it where the browser does not allow that.
 * @param {string} link
 */
export async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    if (!copySelected(link)) return void prompt("", link);
  }
  toast(t("copied"));
}

/**
 * Copies a text as a user would: pages without TLS have no clipboard. Returns whether that worked.
 * @param {string} text
 */
function copySelected(text) {
  const focused = focusedElement(),
    field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  // Opens no keyboard on a touch screen.
  field.readOnly = true;
  // Nothing outside an open dialog can have the focus.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
