// Whether the user sees a page of theirs in this browser: each visible page holds a lock. A page
// that becomes visible closes the notifications. Loaded after the first view.

import { currentIdentity, local } from "./api.js";

const lockName = () => `visible ${currentIdentity()?.id}`;

/** Holds the lock of the current person while this page is visible. */
export function start() {
  document.addEventListener("visibilitychange", onVisibilityChange);
  if (!document.hidden) holdLock();
}

function onVisibilityChange() {
  if (document.hidden) return;
  holdLock();
  if (local.getItem("notices") === "on")
    void import("./notifications.js").then(it => it.closeNotices(), () => {});
}

function holdLock() {
  const untilHidden = () =>
    new Promise(done => document.addEventListener("visibilitychange", done, { once: true }));
  // Browsers refuse locks where they block the storage.
  void navigator.locks?.request(lockName(), { mode: "shared" }, untilHidden).catch(() => {});
}

/** Whether the user sees a page, in this tab or another one. */
export async function isAnyPageVisible() {
  if (!document.hidden) return true;
  const all = await navigator.locks?.query().catch(() => null);
  return Boolean(all?.held?.some(it => it.name === lockName()));
}
