// Fetches images and files of messages. Loaded on first use.
import { RefusalError, authHeaders, timeLimit } from "./api.js";
import { createElement } from "./messages.js";
import { currentLanguage, t } from "./words.js";

// Images need the token, so they are fetched and shown as object URLs.
/** @type {Map<string, Promise<string>>} */
const imageUrls = new Map();
const IMAGE_URLS_MAX = 60;
/** How long the URL of an evicted image stays valid after it has arrived: those who wait for it have
 * to load it first. */
const EVICTED_MS = 60000;
/** The longest time in which a file arrives: a connection may be dead without an error. */
const FILE_MS = 60000;

/**
 * Returns an object URL of an image for an <img>.
 * @param {string} src
 */
export function imageUrl(src) {
  let found = imageUrls.get(src);
  imageUrls.delete(src);
  found ??= fetchImageUrl(src).catch(e => {
    imageUrls.delete(src);
    throw e;
  });
  imageUrls.set(src, found);
  if (imageUrls.size > IMAGE_URLS_MAX) {
    const [[oldest, url]] = /** @type {[[string, Promise<string>]]} */ ([...imageUrls]);
    imageUrls.delete(oldest);
    url.then(it => setTimeout(URL.revokeObjectURL, EVICTED_MS, it), () => {});
  }
  return found;
}

/** @param {string} src */
async function fetchImageUrl(src) {
  const response = await fetch(src, { headers: authHeaders(), signal: timeLimit(FILE_MS) });
  if (!response.ok) throw new RefusalError(response.status, {});
  return URL.createObjectURL(await response.blob());
}

/**
 * Labels the button that downloads a file.
 * @param {HTMLButtonElement} button
 * @param {import("./types").MessageFile} file
 */
export function labelFile(button, { name, bytes }) {
  button.type = "button";
  const sign = createElement("span", "", "↓ ");
  sign.setAttribute("aria-hidden", "true");
  const unit = new Intl.NumberFormat(currentLanguage(), { style: "unit", unit: "kilobyte" });
  const size = createElement("small", "", ` ${unit.format(Math.ceil(bytes / 1000))}`);
  button.replaceChildren(sign, name, size);
  button.setAttribute("aria-label", t("file", { name }));
}

/**
 * Downloads a file.
 * @param {import("./types").MessageFile} file
 */
export async function downloadFile(file) {
  const link = document.createElement("a");
  link.href = await fetchImageUrl(file.src);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
