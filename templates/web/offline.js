// The page as an installable app: registers the service worker, which makes it available offline.

import { currentIdentity } from "./api.js";
import { openAddress } from "./back-button.js";
import { byId } from "./dom.js";
import { createElement } from "./messages.js";
import * as visiblePage from "./visible-page.js";
import { translateDom, t } from "./words.js";

const UPDATE_TEMPLATE = `
  <span data-t="new_version"></span>
  <button id="renew" class="quiet" type="button" data-t="reload"></button>
`;
let started = false,
  /** Whether the connection was lost since the last check. */
  wasLost = false;

// The banner says it as long as there is no connection.
new MutationObserver(() => {
  wasLost ||= !byId("offline").hidden;
}).observe(byId("offline"), { attributeFilter: ["hidden"] });

/** Registers the worker on the first connection; checks for a newer version after a lost one. A tab
 * without a stream of its own connects every second. */
export async function onConnected() {
  if (!started) {
    started = true;
    visiblePage.start();
    return registerWorker();
  }
  if (!wasLost) return;
  wasLost = false;
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update().catch(() => {});
  if (registration) await cacheLoadedFiles();
}

/** Registers the worker and offers updates. */
async function registerWorker() {
  // No worker in frames and insecure contexts.
  if (!navigator.serviceWorker || !isSecureContext || window.top !== window) return;
  const workers = navigator.serviceWorker;
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("./app.webmanifest", import.meta.url).pathname;
  document.head.append(manifest);
  let hadController = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    // The first worker needs no reload. A newer one was requested here or in another tab, and has
    // replaced the files that this page may still load.
    if (hadController) location.reload();
    hadController = true;
  });
  workers.addEventListener("message", ({ data, ports }) => {
    // The worker looks for the page of a notified person, then sends it the address of the table.
    // A notification of the previous version names nobody, and its worker sends just the address.
    const { person, address = data } = data;
    if (person && person !== currentIdentity()?.id) return;
    ports[0]?.postMessage(true);
    if (String(address).startsWith("#/")) openAddress(address);
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

/** Caches the files that were loaded before the worker was active. */
async function cacheLoadedFiles() {
  const workers = navigator.serviceWorker;
  await workers.ready;
  if (!workers.controller) await new Promise(done => (workers.oncontrollerchange = done));
  const names = new Set(performance.getEntriesByType("resource").map(it => it.name));
  const loaded = [...names].map(it => new URL(it));
  const ours = loaded.filter(it => /^\/(web\/[0-9a-f]+|art)\//.test(it.pathname));
  for (const it of ours) if (it.origin === location.origin) await fetch(it).catch(() => {});
}

/**
 * Marks a press that waits for a connection, and lists it in the offline banner, where it can be
 * withdrawn. One that has reached the server still counts.
 * @param {Element | null} where
 * @param {string} label
 * @param {() => void} withdraw
 */
export function markUnsent(where, label, withdraw) {
  where?.classList.add("late");
  // Omits the count in brackets.
  const short = label.replace(/ \(\d+\)$/, "");
  const button = createElement("button", "icon", "✕");
  button.type = "button";
  button.setAttribute("aria-label", `${t("cancel")}: ${short}`);
  const it = createElement("b", "unsent", ` ${short} – ${t("queued")} `, button);
  button.addEventListener("click", () => {
    withdraw();
    it.remove();
  });
  document.getElementById("offline")?.append(it);
}
