// Notes where the user reads in a room above its newest messages, so that they find the place again
// when they come back. Loaded after the first view.

import { all, byId } from "./dom.js";
import { room } from "./rooms.js";

/** At less than this distance from its end, the chat is at its end. */
const END_PX = 60;

const log = byId("log");

/** @param {() => string} currentRoom */
export function start(currentRoom) {
  log.addEventListener("scroll", () => {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < END_PX,
      name = currentRoom();
    if (name) room(name).readFrom = isAtEnd ? "" : firstInSight();
  });
}

/** The id of the element of the first message in sight. */
function firstInSight() {
  const { top } = log.getBoundingClientRect();
  const isInSight = (/** @type {HTMLElement} */ it) => it.getBoundingClientRect().bottom > top;
  return all(log, ".message").find(isInSight)?.id ?? "";
}
