// The page as an app of its own, also without a connection: a worker keeps what it is made of, where
// browsers allow that.

import { byId } from "./dom.js";
import { make } from "./messages.js";
import { spell, t } from "./words.js";

const RENEWED = `
  <span data-t="renewed"></span>
  <button id="renew" class="quiet" type="button" data-t="renew"></button>
`;
let started = false;

/** There is a connection, perhaps again, and then perhaps to a newer program. */
export async function connected() {
  if (!started) {
    started = true;
    return start();
  }
  const known = await navigator.serviceWorker?.getRegistration();
  await known?.update().catch(() => {});
  if (known) await keep();
}

/** Has the worker keep the page, and says when there is a newer one. */
async function start() {
  // Inside other programs, and without a secure connection, there is no worker.
  if (!navigator.serviceWorker || !isSecureContext || window.top !== window) return;
  const workers = navigator.serviceWorker;
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("./app.webmanifest", import.meta.url).pathname;
  document.head.append(manifest);
  let had = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    // The first worker of a browser takes nothing away; a newer one was asked for, here or in
    // another tab, and what this page has yet to fetch is gone.
    if (had) location.reload();
    had = true;
  });
  workers.addEventListener("message", e => {
    if (typeof e.data === "string" && e.data.startsWith("#/")) location.hash = e.data;
  });
  const known = await workers.register("/worker.js").catch(() => null);
  if (!known) return;
  const offer = () => {
    if (!workers.controller || !known.waiting || document.getElementById("renewed")) return;
    const renewed = make("p");
    renewed.id = "renewed";
    renewed.setAttribute("role", "status");
    renewed.innerHTML = RENEWED;
    byId("offline").after(renewed);
    spell(renewed);
    byId("renew").onclick = () => known.waiting?.postMessage("begin");
  };
  offer();
  known.addEventListener("updatefound", () => {
    known.installing?.addEventListener("statechange", offer);
  });
  await keep();
}

/** Also keeps what was fetched before the worker was there: words, drawings. */
async function keep() {
  const workers = navigator.serviceWorker;
  await workers.ready;
  if (!workers.controller) await new Promise(done => (workers.oncontrollerchange = done));
  const loaded = performance.getEntriesByType("resource").map(it => new URL(it.name));
  const ours = loaded.filter(it => /^\/(web\/[0-9a-f]+|art)\//.test(it.pathname));
  for (const it of ours) if (it.origin === location.origin) await fetch(it).catch(() => {});
}

/**
 * Something that was pressed waits for a connection: it is marked, and named beside the reason.
 * @param {Element} where
 * @param {string} label
 */
export function unsent(where, label) {
  where.classList.add("late");
  // The count in brackets is a help of the button.
  const short = label.replace(/ \(\d+\)$/, "");
  document.getElementById("offline")?.append(make("b", "unsent", ` ${short} – ${t("to_be_sent")}`));
}
