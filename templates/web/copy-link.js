// Copies links to the clipboard. Loaded with the parts of the page that offer them.

import { toast } from "./toasts.js";
import { t } from "./words.js";

/**
 * Copies a link to the clipboard; shows it where the browser does not allow that.
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
