// What a message shows that the server has refused. Loaded on first use.

import { removeOutgoing, send } from "./composer.js";
import { all } from "./dom.js";
import { loadTranslations } from "./lazy-translations.js";
import { createElement } from "./messages.js";
import { t } from "./words.js";

/**
 * Says in the element of an outgoing message why it was refused, and offers to send it again.
 * @param {HTMLElement} element
 * @param {import("./types").OutgoingMessage} message
 */
export async function showRefused(element, message) {
  await loadTranslations("rooms");
  // It no longer looks like a message that is being sent.
  element.style.opacity = "1";
  all(element, "small").forEach(it => (it.textContent = message.refused ?? ""));
  const button = (/** @type {string} */ label, /** @type {() => void} */ onClick) => {
    const it = createElement("button", "quiet", label);
    it.type = "button";
    it.addEventListener("click", () => {
      removeOutgoing(message);
      onClick();
    });
    return it;
  };
  const repeat = () => send({ ...message, refused: undefined });
  const buttons = [button(t("try_again"), repeat), button(t("dismiss"), () => {})];
  all(element, ".body").forEach(it => it.append(createElement("div", "unsent", ...buttons)));
}
