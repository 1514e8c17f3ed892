// Sends presses and messages of this tab that a reload interrupted. Loaded on first use.

import { currentIdentity, postToRoom, RefusalError, session, unsentRequests } from "./api.js";
import { send } from "./composer.js";
import { markUnsent } from "./offline.js";
import { showError, toast } from "./toasts.js";

/** How long after it was made a press or a message is sent without being asked for again. */
const FRESH_MS = 600000;

/**
 * Sends them again: their keys let each count once. Old messages are added to the drafts, old
 * presses are dropped.
 * @param {() => unknown} onPressed called after the response to a press
 */
export async function resend(onPressed) {
  const all = unsentRequests().filter(it => it.person === currentIdentity()?.id),
    fresh = all.filter(it => Date.now() - it.at < FRESH_MS);
  // These keep their place and their time.
  session.setItem("unsent", JSON.stringify(fresh));
  for (const it of all) {
    const { room, body } = it,
      isFresh = fresh.includes(it);
    if (!("text" in body)) {
      if (isFresh) void sendAgain(it).then(onPressed);
    } else if (isFresh) {
      const { text, key, reply_to = null, mentions = [] } = body;
      const chosen = /** @type {import("./types").OutgoingMessage["mentions"]} */ (mentions);
      send({ room, text, key, reply_to, mentions: chosen });
    } else {
      const draft = session.getItem(`draft ${room}`);
      session.setItem(`draft ${room}`, draft ? `${draft}\n${body.text}` : body.text);
    }
  }
}

/** @param {import("./types").UnsentRequest} request */
async function sendAgain({ at: _, person: __, ...request }) {
  try {
    const { whispers } = await postToRoom(request, withdraw =>
      markUnsent(null, request.label ?? "", withdraw),
    );
    for (const it of /** @type {import("./types").PrivateReply[]} */ (whispers))
      if (it.brief) toast(it.text, it.passing);
  } catch (e) {
    // Its message may be gone by now.
    if (!(e instanceof RefusalError && e.status === 404)) showError(e);
  }
}
