// The bridge of a Telegram Mini App: launch parameters and events of the client
// (core.telegram.org/bots/webapps, "Web events"). Loads nothing from other hosts.

const WEB = "https://web.telegram.org";

/** The window with the objects of the client. */
const host = /** @type {any} */ (window);

const launchParams = new URLSearchParams(location.hash.slice(1));

/** The signed data about the user; null outside of Telegram. */
export const initData = launchParams.get("tgWebAppData");

/** @type {Record<string, ((data: any) => void)[]>} */
const listeners = {};

/**
 * Sends an event to the client.
 * @param {string} event
 */
function postEvent(event, data = {}) {
  const { TelegramWebviewProxy: proxy, external, parent } = host;
  if (proxy) proxy.postEvent(event, JSON.stringify(data));
  else if (external && "notify" in external) {
    external.notify(JSON.stringify({ eventType: event, eventData: data }));
  } else if (parent !== window) {
    // The message has no secrets; several of Telegram's pages may enclose this one.
    parent.postMessage(JSON.stringify({ eventType: event, eventData: data }), "*");
  }
}

/**
 * Registers a listener for an event of the client.
 * @param {string} event
 * @param {(data: any) => void} listener
 */
function addListener(event, listener) {
  (listeners[event] ??= []).push(listener);
}

/**
 * @param {string} event
 * @param {object} data
 */
function dispatchEvent(event, data) {
  listeners[event]?.forEach(it => it(data ?? {}));
}

/** Receives events: native clients call these functions, web clients post messages. */
function receiveEvents() {
  const view = { receiveEvent: dispatchEvent };
  host.Telegram = { WebView: view };
  host.TelegramGameProxy = view;
  host.TelegramGameProxy_receiveEvent = dispatchEvent;
  window.addEventListener("message", e => {
    const trusted = e.origin === WEB || e.origin.endsWith(".telegram.org");
    if (e.source !== window.parent || !trusted || typeof e.data !== "string") return;
    try {
      const { eventType, eventData } = JSON.parse(e.data);
      dispatchEvent(eventType, eventData);
    } catch {
      /* not for us */
    }
  });
}

const COLOURS = {
  "--ground": ["secondary_bg_color", "bg_color"],
  "--panel": ["bg_color"],
  "--raised": ["section_bg_color", "bg_color"],
  "--text": ["text_color"],
  "--soft": ["hint_color"],
  "--accent": ["accent_text_color", "link_color"],
};

/**
 * Applies the colours of the client; missing ones keep their defaults.
 * @param {Record<string, string> | undefined} params
 */
function applyTheme(params) {
  const root = document.documentElement;
  const themeColour = (/** @type {string} */ it) => params?.[it] ?? "";
  const isHexColour = (/** @type {string} */ it) => /^#[0-9a-f]{6}$/i.test(themeColour(it));
  for (const [name, from] of Object.entries(COLOURS)) {
    const found = from.find(isHexColour);
    if (found) root.style.setProperty(name, themeColour(found));
  }
  if (!isHexColour("bg_color")) return;
  const ground = themeColour("bg_color");
  const channel = (/** @type {number} */ at) => parseInt(ground.slice(at, at + 2), 16);
  const [r, g, b] = [channel(1), channel(3), channel(5)];
  root.style.colorScheme = r * 0.3 + g * 0.59 + b * 0.11 < 128 ? "dark" : "light";
}

/** @type {Record<"safe" | "content", Record<string, number>>} */
const insets = { safe: {}, content: {} };

/**
 * Applies the insets of the device and of the client's buttons.
 * @param {"safe" | "content"} kind
 * @param {Record<string, number>} data
 */
function applyInsets(kind, data) {
  insets[kind] = data;
  for (const side of ["top", "right", "bottom", "left"]) {
    const px = (Number(insets.safe[side]) || 0) + (Number(insets.content[side]) || 0);
    document.documentElement.style.setProperty(`--safe-${side}`, `${px}px`);
  }
}

/**
 * Connects to the client. `back` is called by its back button.
 * @param {() => void} back
 */
export function start(back) {
  receiveEvents();
  document.body.classList.add("within", "tg");
  try {
    applyTheme(JSON.parse(launchParams.get("tgWebAppThemeParams") ?? "{}"));
  } catch {
    /* our own colours then */
  }
  addListener("theme_changed", it => applyTheme(it.theme_params));
  addListener("safe_area_changed", it => applyInsets("safe", it));
  addListener("content_safe_area_changed", it => applyInsets("content", it));
  addListener("viewport_changed", it => {
    if (it.height) document.documentElement.style.setProperty("--height", `${it.height}px`);
  });
  addListener("back_button_pressed", back);
  addListener("reload_iframe", () => location.reload());
  for (const it of ["theme", "viewport", "safe_area", "content_safe_area"]) {
    postEvent(`web_app_request_${it}`);
  }
  // Swipes down on the board must not close the window.
  postEvent("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
  postEvent("web_app_expand");
  postEvent("web_app_ready");
}

/** Shows or hides the back button. */
export const showBack = (/** @type {boolean} */ is_visible) =>
  postEvent("web_app_setup_back_button", { is_visible });

/**
 * Vibrates: for a press, or for a result.
 * @param {boolean} isResult
 */
export function vibrate(isResult) {
  postEvent(
    "web_app_trigger_haptic_feedback",
    isResult
      ? { type: "notification", notification_type: "success" }
      : { type: "impact", impact_style: "light" },
  );
}

/** Closes the window. */
export const close = () => postEvent("web_app_close");
