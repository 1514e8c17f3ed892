// A game step by step, as its viewer may know it: fetched in parts, each kept as long as one looks.

import { get, roomPath } from "./api.js";

/** @typedef {import("./types").StatePicture} StatePicture */
/** A step as it is kept here: one that looks as before has the earlier picture, and is passed over.
 * @typedef {Omit<import("./types").StepState, "pace"> &
 *   { pace: import("./types").StepState["pace"] | "none" }} ReplayStep */
/** @typedef {import("./types").ReplayState} ReplayState */
/** @typedef {import("./types").PictureMark} PictureMark */
/** @typedef {import("./types").ReviewState} ReviewState */

/** One game from one side. */
export class Replay {
  /** @param {string} room @param {string} table @param {number | null} seat
   * @param {boolean} isUpright whether boards are drawn for an upright screen */
  constructor(room, table, seat, isUpright) {
    this.room = room;
    this.table = table;
    this.seat = seat;
    this.isUpright = isUpright;
    /** @type {Map<number, ReplayStep>} */
    this.steps = new Map();
    /** @type {ReplayState | null} */
    this.about = null;
  }

  get last() {
    return this.about?.steps ?? 0;
  }

  /** @param {number} from */
  async fetchFrom(from) {
    const seat = this.seat === null ? "" : `&seat=${this.seat}`;
    const shape = this.isUpright ? "&upright=1" : "";
    const path = `/tables/${encodeURIComponent(this.table)}/replay?from=${from}${seat}${shape}`;
    /** @type {ReplayState} */
    const part = await get(roomPath(this.room, path));
    /** @type {StatePicture | null} */
    let picture = null;
    for (const it of part.stood) {
      // What looks as before is left out.
      picture = it.picture ?? picture;
      this.steps.set(it.step, it);
      if (picture && !it.picture) this.steps.set(it.step, { ...it, pace: "none", picture });
    }
    this.about = part;
    return part;
  }

  /** How it stood after a step, fetched with those that follow, or came before.
   * @param {number} step @param {boolean} [back] @returns {Promise<ReplayStep | undefined>} */
  async stepAt(step, back = false) {
    if (!this.steps.has(step)) await this.fetchFrom(back ? Math.max(0, step - 39) : step);
    return this.steps.get(step);
  }

  /** The next step that is seen from one on, in this direction; the end if there is none.
   * @param {number} step @param {1 | -1} by */
  async nextVisibleStep(step, by) {
    for (let n = step + by; n >= 0 && n <= this.last; n += by) {
      const it = await this.stepAt(n, by < 0);
      if (!it) break;
      if (it.pace !== "none" || n === this.last || n === 0) return n;
    }
    return step;
  }

  /** Where the game turned, if it is over and its review is made.
   * @returns {Promise<ReviewState | null>} */
  async fetchReview() {
    if (this.about?.phase !== "over") return null;
    const path = `/tables/${encodeURIComponent(this.table)}/review`;
    /** @type {ReviewState} */
    const review = await get(roomPath(this.room, path));
    if (!review.chart) return null;
    // Beside its chart a wide board is the larger one on every screen.
    if (this.isUpright) this.steps.clear();
    this.isUpright = false;
    return review;
  }

  /** The game goes on: what comes after what is known is fetched when it is wanted. */
  async fetchNewSteps() {
    return this.fetchFrom(Math.max(0, this.last));
  }
}
