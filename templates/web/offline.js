// The page as an app of its own, also without a connection: a worker keeps what it is made of, where
// browsers allow that.

import { byId } from "./dom.js";
import { createElement } from "./messages.js";
import { translateDom, t } from "./words.js";

const UPDATE_TEMPLATE = `
  <span data-t="renewed"></span>
  <button id="renew" class="quiet" type="button" data-t="renew"></button>
`;
let started = false;

/** There is a connection, perhaps again, and then perhaps to a newer program. */
export async function onConnected() {
  if (!started) {
    started = true;
    return registerWorker();
  }
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update().catch(() => {});
  if (registration) await cacheLoadedFiles();
}

/** Has the worker keep the page, and says when there is a newer one. */
async function registerWorker() {
  // Inside other programs, and without a secure connection, there is no worker.
  if (!navigator.serviceWorker || !isSecureContext || window.top !== window) return;
  const workers = navigator.serviceWorker;
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("./app.webmanifest", import.meta.url).pathname;
  document.head.append(manifest);
  let hadController = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    // The first worker of a browser takes nothing away; a newer one was asked for, here or in
    // another tab, and what this page has yet to fetch is gone.
    if (hadController) location.reload();
    hadController = true;
  });
  workers.addEventListener("message", e => {
    if (typeof e.data === "string" && e.data.startsWith("#/")) location.hash = e.data;
  });
  const registration = await workers.register("/worker.js").catch(() => null);
  if (!registration) return;
  const offerUpdate = () => {
    if (!workers.controller || !registration.waiting || document.getElementById("renewed")) return;
    const renewed = createElement("p");
    renewed.id = "renewed";
    renewed.setAttribute("role", "status");
    renewed.innerHTML = UPDATE_TEMPLATE;
    byId("offline").after(renewed);
    translateDom(renewed);
    byId("renew").onclick = () => registration.waiting?.postMessage("begin");
  };
  offerUpdate();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offerUpdate);
  });
  await cacheLoadedFiles();
}

/** Also keeps what was fetched before the worker was there: words, drawings. */
async function cacheLoadedFiles() {
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
export function markUnsent(where, label) {
  where.classList.add("late");
  // The count in brackets is a help of the button.
  const short = label.replace(/ \(\d+\)$/, "");
  document
    .getElementById("offline")
    ?.append(createElement("b", "unsent", ` ${short} – ${t("to_be_sent")}`));
}
