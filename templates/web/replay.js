// A game step by step, as its viewer may know it: fetched in parts, each kept as long as one looks.

import { get, roomPath } from "./api.js";

/** @typedef {import("./types").StatePicture} Picture */
/** A step as it is kept here: one that looks as before has the earlier picture, and is passed over.
 * @typedef {Omit<import("./types").StepState, "pace"> &
 *   { pace: import("./types").StepState["pace"] | "none" }} Stood */
/** @typedef {import("./types").ReplayState} Part */
/** @typedef {import("./types").PictureMark} Mark */
/** @typedef {import("./types").ReviewState} Review */

/** One game from one side. */
export class Replay {
  /** @param {string} room @param {string} table @param {number | null} seat
   * @param {boolean} isUpright whether boards are drawn for an upright screen */
  constructor(room, table, seat, isUpright) {
    this.room = room;
    this.table = table;
    this.seat = seat;
    this.isUpright = isUpright;
    /** @type {Map<number, Stood>} */
    this.stood = new Map();
    /** @type {Part | null} */
    this.about = null;
  }

  get last() {
    return this.about?.steps ?? 0;
  }

  /** @param {number} from */
  async fetch(from) {
    const seat = this.seat === null ? "" : `&seat=${this.seat}`;
    const shape = this.isUpright ? "&upright=1" : "";
    const path = `/tables/${encodeURIComponent(this.table)}/replay?from=${from}${seat}${shape}`;
    /** @type {Part} */
    const part = await get(roomPath(this.room, path));
    /** @type {Picture | null} */
    let picture = null;
    for (const it of part.stood) {
      // What looks as before is left out.
      picture = it.picture ?? picture;
      this.stood.set(it.step, it);
      if (picture && !it.picture) this.stood.set(it.step, { ...it, pace: "none", picture });
    }
    this.about = part;
    return part;
  }

  /** How it stood after a step, fetched with those that follow, or came before.
   * @param {number} step @param {boolean} [back] @returns {Promise<Stood | undefined>} */
  async at(step, back = false) {
    if (!this.stood.has(step)) await this.fetch(back ? Math.max(0, step - 39) : step);
    return this.stood.get(step);
  }

  /** The next step that is seen from one on, in this direction; the end if there is none.
   * @param {number} step @param {1 | -1} by */
  async next(step, by) {
    for (let n = step + by; n >= 0 && n <= this.last; n += by) {
      const it = await this.at(n, by < 0);
      if (!it) break;
      if (it.pace !== "none" || n === this.last || n === 0) return n;
    }
    return step;
  }

  /** Where the game turned, if it is over and its review is made.
   * @returns {Promise<Review | null>} */
  async review() {
    if (this.about?.phase !== "over") return null;
    const path = `/tables/${encodeURIComponent(this.table)}/review`;
    /** @type {Review} */
    const told = await get(roomPath(this.room, path));
    if (!told.chart) return null;
    // Beside its chart a wide board is the larger one on every screen.
    if (this.isUpright) this.stood.clear();
    this.isUpright = false;
    return told;
  }

  /** The game goes on: what comes after what is known is fetched when it is wanted. */
  async more() {
    return this.fetch(Math.max(0, this.last));
  }
}
