// The image of a message: fades in over the previous one; an animation can be stopped. Loaded on
// first use.

import { delay, RefusalError } from "./api.js";
import { imageUrl } from "./files.js";
import { first, loadStylesheet } from "./dom.js";
import { createElement, drawIcons } from "./messages.js";
import { showError } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").MessageImage} MessageImage */

/** The pause before a failed image is loaded again. Each failure doubles it, up to the second. */
const RETRY_MS = 5000,
  RETRY_MAX_MS = 60_000;

const styleLoaded = loadStylesheet(new URL("./message-image.css", import.meta.url)).catch(showError);

/**
 * Makes a button stop an animation, or play it again.
 * @param {HTMLElement} frame
 * @param {HTMLButtonElement} button
 */
export function showToggle(frame, button) {
  button.type = "button";
  labelToggle(frame, button);
  button.onclick = () => toggleAnimation(frame, button);
}

/**
 * @param {HTMLElement} frame
 * @param {HTMLElement} button
 */
function labelToggle(frame, button) {
  button.textContent = t(first(frame, "canvas") ? "picture_play" : "picture_stop");
  drawIcons(button);
}

/**
 * Stops an animation at its first frame, or plays it again.
 * @param {HTMLElement} frame
 * @param {HTMLElement} button
 */
function toggleAnimation(frame, button) {
  const img = /** @type {HTMLImageElement | null} */ (first(frame, "img:last-of-type"));
  const canvas = frame.querySelector("canvas");
  if (canvas) {
    canvas.remove();
  } else if (img) {
    const canvas = createElement("canvas");
    [canvas.width, canvas.height] = [img.naturalWidth, img.naturalHeight];
    canvas.getContext("2d")?.drawImage(img, 0, 0);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", img.alt);
    frame.append(canvas);
  }
  if (img) img.hidden = !canvas;
  labelToggle(frame, button);
}

/**
 * Shows an image in its frame; it fades in over the previous one. If it cannot be loaded, the frame
 * says so until another attempt succeeds.
 * @param {HTMLElement} frame
 * @param {MessageImage} image
 */
export async function show(frame, image) {
  if (frame.dataset.src === image.src) {
    frame.querySelector("img:last-child")?.setAttribute("alt", image.alt);
    return;
  }
  const isFirst = !frame.dataset.shown;
  frame.dataset.src = image.src;
  const img = createElement("img");
  img.width = image.width;
  img.height = image.height;
  img.alt = image.alt;
  if (isFirst) frame.replaceChildren(img);
  try {
    [img.src] = await Promise.all([imageUrl(image.src), styleLoaded]);
    await img.decode();
  } catch (e) {
    return onFailed(frame, image, e);
  }
  if (frame.dataset.src !== image.src) return;
  delete frame.dataset.pause;
  const old = [...frame.children].filter(it => it !== img);
  old.forEach(it => it.setAttribute("aria-hidden", "true"));
  if (!isFirst) {
    // A hidden page runs no animations.
    if (!document.hidden) img.classList.add("coming");
    frame.append(img);
    await Promise.all(img.getAnimations().map(it => it.finished.catch(() => {})));
    img.classList.remove("coming");
  }
  old.forEach(it => it.remove());
  frame.dataset.shown = image.src;
}

/**
 * Reports an image that could not be loaded, in place of the previous one, which shows another
 * position. Tries again later unless the server has refused it.
 * @param {HTMLElement} frame
 * @param {MessageImage} image
 * @param {unknown} e
 */
async function onFailed(frame, image, e) {
  // A newer image may have replaced this one meanwhile.
  if (frame.dataset.src !== image.src) return;
  delete frame.dataset.src;
  delete frame.dataset.shown;
  const failed = String(performance.now());
  frame.dataset.failed = failed;
  frame.replaceChildren(createElement("p", "error", t("image_failed")));
  if (e instanceof RefusalError && !e.isTransient) return;
  const pause = Number(frame.dataset.pause ?? RETRY_MS);
  frame.dataset.pause = String(Math.min(2 * pause, RETRY_MAX_MS));
  await delay(pause);
  // A redraw may have begun another attempt meanwhile.
  if (frame.isConnected && !frame.dataset.src && frame.dataset.failed === failed)
    await show(frame, image);
}
