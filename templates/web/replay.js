// The steps of a game as the viewer may see them, fetched in parts and cached.

import { get, roomPath } from "./api.js";

/** @typedef {import("./types").StatePicture} StatePicture */
/** A cached step: one that looks as before has the earlier picture and pace `none`, and is skipped.
 * @typedef {Omit<import("./types").StepState, "pace"> &
 *   { pace: import("./types").StepState["pace"] | "none" }} ReplayStep */
/** @typedef {import("./types").ReplayState} ReplayState */
/** @typedef {import("./types").PictureMark} PictureMark */
/** @typedef {import("./types").ReviewState} ReviewState */

/** A game from the side of one seat. */
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
    /** How often steps were found to be taken back. */
    this.takebacks = 0;
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
    // Answers may arrive in another order.
    if (this.about && part.moment < this.about.moment) return this.about;
    if (this.isTakenBack(part, from)) {
      this.steps.clear();
      this.takebacks += 1;
    }
    /** @type {StatePicture | null} */
    let picture = null;
    for (const it of part.stood) {
      // The server omits unchanged pictures.
      picture = it.picture ?? picture;
      this.steps.set(it.step, it);
      if (picture && !it.picture) this.steps.set(it.step, { ...it, pace: "none", picture });
    }
    this.about = part;
    return part;
  }

  /** Whether cached steps were taken back; others may have followed.
   * @param {ReplayState} part what was fetched @param {number} from the first wanted step */
  isTakenBack(part, from) {
    if (!this.about) return false;
    if (part.from < from || part.steps < this.last) return true;
    if (part.moment === this.about.moment) return false;
    const [known, now] = [this.steps.get(part.from), part.stood[0]];
    // Hands that are shown after a deal change the board of an earlier step, too.
    const isOther = part.hand === null && known && `${known.board}` !== `${now?.board}`;
    return part.steps === this.last || Boolean(isOther);
  }

  /** The state after a step; fetches it with its successors, or with its predecessors if `back`.
   * @param {number} step @param {boolean} [back] @returns {Promise<ReplayStep | undefined>} */
  async stepAt(step, back = false) {
    if (!this.steps.has(step)) await this.fetchFrom(back ? Math.max(0, step - 39) : step);
    return this.steps.get(step);
  }

  /** The next visible step in a direction; the last one if there is none.
   * @param {number} step @param {1 | -1} by */
  async nextVisibleStep(step, by) {
    for (let n = step + by; n >= 0 && n <= this.last; n += by) {
      const it = await this.stepAt(n, by < 0);
      if (!it) break;
      if (it.pace !== "none" || n === this.last || n === 0) return n;
    }
    return step;
  }

  /** The review, if the game is over and has one.
   * @returns {Promise<ReviewState | null>} */
  async fetchReview() {
    if (this.about?.phase !== "over") return null;
    const path = `/tables/${encodeURIComponent(this.table)}/review`;
    /** @type {ReviewState} */
    const review = await get(roomPath(this.room, path));
    if (!review.chart) return null;
    // Beside the chart a wide board is larger on every screen.
    if (this.isUpright) this.steps.clear();
    this.isUpright = false;
    return review;
  }

  /** Fetches the steps since the last known one. */
  async fetchNewSteps() {
    return this.fetchFrom(Math.max(0, this.last));
  }
}
