// What comes over the wire, and what the scripts of the page hand to each other. The interface for
// scripts (/api) and README describe the same in words.

// ---- what the server says -----------------------------------------------------------------

/** Somebody as the page knows them: `token` is the secret that says who asks. */
export interface Self {
  id: string;
  name: string;
  token: string;
}

/** A person to themselves. */
export interface Me {
  id: string;
  name: string;
  locale: string | null;
  rooms: string[];
  seq: number;
}

/** A part of a text. */
export type Span =
  | { kind: "plain" | "bold" | "code"; text: string }
  | { kind: "mention"; text: string; person: string }
  | { kind: "time" | "day"; text: string; time: number };

/** A button. `does` is what it does where the page and not the bot made it. */
export interface Key {
  label: string;
  press: string;
  tone: string;
  does?: (where: Element, key: Key) => unknown;
  /** Shows on the board what it would do, or no longer. */
  previews?: (isShown: boolean) => unknown;
  /** What it leads to that can be looked at on the board itself. */
  look?: string;
}

export interface Image {
  src: string;
  alt: string;
  width: number;
  height: number;
}

export interface Attached {
  src: string;
  name: string;
  bytes: number;
  width: number;
  height: number;
}

/** A message; of one that is gone nothing but its head is left. */
export interface Message {
  room: string;
  id: number;
  seq: number;
  time: number;
  bot: boolean;
  reply_to: number | null;
  only: boolean;
  gone: boolean;
  author?: { id: string; name: string };
  text: string;
  spans: Span[];
  loud: boolean;
  edited: boolean;
  waits_for: string | null;
  table: string | null;
  /** Of a board: what it shows. */
  board?: Board;
  image: Image | null;
  file: Attached | null;
  buttons: Key[][];
  /** What of it can be looked at on the board. */
  look?: string;
}

/** What the board of a table shows. */
export interface Board {
  game: string;
  phase: "lobby" | "playing" | "over" | "closed";
  /** Ids of the people who play there. */
  players: string[];
  /** Names of all who play there. */
  names: string[];
  open_seats: number;
  /** Ids of the people who are asked to play and have not answered. */
  invited?: string[];
  /** Before the start: what people press to take a seat, and to decline. */
  answers?: { accept: string; decline: string };
}

/** Somebody in a room. */
export interface Member {
  id: string;
  name: string;
  online: boolean;
  muted: boolean;
}

/** A room as one of its people sees it. */
export interface RoomInfo {
  room: string;
  bot: boolean;
  admin: boolean;
  closed: boolean;
  people: Member[];
  seq: number;
  removed?: { id: string; name: string }[];
  invite?: string | null;
}

/** A room with its newest messages. */
export interface RoomPage extends RoomInfo {
  messages: Message[];
  more: boolean;
  /** Boards of open tables that are older than these messages. */
  boards?: Message[];
}

/** Who writes, or comes and goes, just now. */
export interface Busy {
  room: string;
  person: string;
  name: string;
}
export interface Presence {
  room: string;
  person: string;
  online: boolean;
}

/** What comes as a live update, by name. */
export type Update =
  | { name: "message"; data: Message }
  | { name: "room"; data: RoomInfo }
  | { name: "me"; data: Me }
  | { name: "busy"; data: Busy }
  | { name: "presence"; data: Presence }
  | { name: "ready"; data: { seq: number } }
  | { name: "table"; data: { change: number } }
  | { name: "reset" | "stranger" | "gone"; data: Record<string, never> };

/** What a press or a message was answered in private. */
export interface Whisper {
  text: string;
  spans: Span[];
  brief: boolean;
  passing: boolean;
  id: number | null;
  /** Whether it asks for the same press once more. */
  again?: boolean;
  /** What a hint recommends, to be marked on the board. */
  hint?: HintedAction;
}

/** An action of a table at a moment. */
export interface HintedAction {
  table: string;
  moment: number;
  token: string;
}

/** The same where no chat keeps it: it brings its picture and its file along, in base64. */
export interface GuestWhisper extends Whisper {
  image: { png: string; alt: string } | null;
  file: { name: string; bytes: string } | null;
  buttons: Key[][];
}

/** Somebody who has signed in from another platform. */
export interface Guest {
  name: string;
  lang: string;
  table: string | null;
  token?: string;
  key?: string;
}

export interface Offer {
  text: string;
  label: string;
  arguments?: string;
  about?: string;
  person?: string;
}

/** One of one's own tables. */
export interface OwnTable {
  table: string;
  game: string;
  your_turn: boolean;
  says: string;
  link: string | null;
}

/** One of one's own finished games. */
export interface FinishedGame {
  table: string;
  game: string;
  opponents: string[];
  outcome: "won" | "drawn" | "lost";
  ended_ms: number;
  /** Of a rated game. */
  rating: { before: number; after: number; provisional: boolean } | null;
  /** Why it was not rated. */
  casual: string | null;
  /** The press that has its review made. */
  review: string;
  /** `@` for a private game, none for one in a chat of another platform. */
  room: string | null;
}

/** Where an analysis begins: house rules and position as text, none for the usual ones. */
export interface AnalysisRoot {
  game: string;
  options: string | null;
  position: string | null;
}

/** A position that one analyses. */
export interface Analysed {
  game: string;
  options: string;
  position: string | null;
  names: string[];
  turn: number | null;
  outcomes: { first: string[]; last: string[]; most: number } | null;
  scores: number[] | null;
  actions: Action[];
  rows: string[][];
  says: string[];
  board: string[];
  picture: { board: Picture };
  setup: SetupPart[];
  fault: string | null;
}

/** A part of a position that is set up: a number up to `most`, or one of the `values`. */
export interface SetupPart {
  label: string;
  value: string;
  most: number | null;
  values: { value: string; label: string; at: Area | null }[];
  at: Area | null;
}

/** What a strong player thinks of a position: chances of the first player, in thousandths. */
export interface Evaluation {
  chance: number | null;
  lines: {
    token: string;
    label: string;
    chance: number;
    at: Area | null;
    to: Area | null;
    paths?: { at: Area; to: Area }[];
  }[];
  why: string | null;
  busy: boolean;
}

/** A place in a rating list. */
export interface RatedPlace {
  rank: number;
  name: string;
  rating: number;
  provisional: boolean;
  won: number;
  drawn: number;
  lost: number;
  own: boolean;
  /** Of those whose statistics are shown in this room. */
  person: string | null;
}

/** A page of a rating list. */
export interface Leaderboard {
  /** The lists that have a place. */
  lists: { code: string; name: string }[];
  list: string | null;
  /** Of a list of one month: that month, and those with games beside it. */
  months: { shown: string; earlier: string | null; later: string | null } | null;
  places: RatedPlace[];
  next: number | null;
}

/** The statistics of a person: one's own of all chats, those of others in a room. */
export interface PersonStatistics {
  name: string;
  own: boolean;
  lists: {
    code: string;
    name: string;
    rating: number | null;
    provisional: boolean;
    best: number | null;
    won: number;
    drawn: number;
    lost: number;
    /** Wins in a row, or minus the losses in a row. */
    streak: number;
    totals: string[];
    /** How well they play, free of luck. */
    play: string[];
    curve: number[];
  }[];
  /** Only the reader's own; none if they have turned them off. */
  achievements: { game: string; name: string; rule: string; at_ms: number | null }[] | null;
  /** The games in this room against the reader, and how many both had won after each. */
  against: { won: number; drawn: number; lost: number; curve: number[][] } | null;
}

/** Middle, width, height and degrees of turning of a part of a picture. */
export type Area = [number, number, number, number, number];

/** Something that can be done at a table. */
export interface Action {
  token: string;
  label: string;
  press: string;
  at?: Area;
  /** The same of what has its button too. */
  also?: Area;
  to?: Area;
  /** Whether something is taken where it leads. */
  takes?: boolean;
  /** Of a button: the moves of pieces that it makes. */
  paths?: { at: Area; to: Area; takes?: boolean }[];
  /** What would come of it, as far as the label does not say it. */
  would?: string;
}

/** Drawings: upright ones that follow each other, or one that is turned. */
export type Drawing = [string, number, number, number[]] | [string, number, number, number[], number];

export interface Letters {
  text: string;
  x: number;
  y: number;
  size: number;
  long: number;
  anchor: string;
  bold: boolean;
  ink: string;
}

export interface Trail {
  d: string;
  head: string;
  thick: number;
  ink: string;
}

/** A picture to be drawn as SVG. */
export interface Picture {
  width: number;
  height: number;
  ground: string;
  sheets: string[];
  items: (Drawing | Letters | Trail)[];
}

/** How a step sounds. */
export type Sound = "step" | "deal" | "capture";

/** A board on the way to how it stands now. */
export type Frame = Picture & { sound?: Sound };

/** The clocks of a table at the moment `now`; what seats have `left` is in ms. */
export interface Clocks {
  now: number;
  left: (number | null)[];
  running: number | null;
  paused: boolean;
}

/** What one viewer may know of a table. */
export interface TableState {
  version: number;
  table: string;
  game: string;
  options: string;
  phase: "lobby" | "playing" | "over" | "closed";
  change: number;
  moment: number;
  position: string | null;
  seats: { name: string; you: boolean; computer: string | null }[];
  turn: number | null;
  clock?: Clocks;
  you: number | null;
  twice: boolean;
  actions: Action[];
  rows: string[][];
  page: number;
  pages: number;
  keys: Key[][];
  last: { seat: number; token: string }[];
  says: string[];
  /** Which lines of it matter most. */
  main: number[];
  times: { text: string; time: number; day: boolean }[];
  board: string[];
  hand: string[];
  watching: { people: number; places: number; says: string | null };
  scores: number[] | null;
  /** Of a game in rounds: the last finished one. */
  round?: { number: number; says: string[] };
  picture?: { board: Picture; hand: Picture | null; sound?: Sound; before: Frame[] };
}

// ---- what the page knows ------------------------------------------------------------------

/** A message of this page that is on its way. */
export interface Sending {
  room: string;
  text: string;
  key: string;
  reply_to: number | null;
  /** Chosen people, and the positions of their `@` in the text. */
  mentions: { person: string; at: number }[];
  /** Its number, once it is there; `null` if nobody in the room reads it. */
  id?: number | null;
}

export interface Room {
  name: string;
  info: RoomInfo | null;
  messages: Map<number, Message>;
  /** Boards that are older than the loaded messages. */
  older: Map<number, Message>;
  /** The messages from this id on are loaded. */
  from: number;
  sending: Sending[];
  more: boolean;
  loaded: boolean;
  typing: Map<string, { who: string; timer: number }>;
  scroll: number | null;
  /** Ids of private answers that changed while nobody could see them. */
  changed: Set<number>;
}

/** What is before one's eyes. */
export interface View {
  here: string;
  joined: string[];
  atEnd: boolean;
}

/** What the parts of a message can do. */
export interface Acts {
  reply(m: Message): void;
  jump(id: number): unknown;
  dismiss(m: Message): unknown;
  pressed(): void;
  lives(m: Message): boolean;
  look?(m: Message): unknown;
  /** A press begins. */
  begins?(): unknown;
  told?(whispers: Whisper[]): unknown;
  /** Marks a hint on the board, if its table is shown there. */
  marks?(whisper: Whisper): boolean;
  /** A press on a message was answered. */
  used?(m: { id: number | null; room: string }, whispers: Whisper[]): unknown;
}

/** One thing of a picture as it is drawn: a drawing has its name, middle, size, and its turn. */
export type Single = [string, number, number, number, number, number?] | Letters | Trail;

/** What the page says, by key; what counts something has its plural forms. */
export type Words = Record<string, string | Record<string, string>>;

// ---- elements of the page -----------------------------------------------------------------

/** Those of which more is used than what all elements have, by their ids. */
interface Special {
  text: HTMLTextAreaElement;
  composer: HTMLFormElement;
  welcome: HTMLDialogElement;
  people: HTMLDialogElement;
  mine: HTMLDialogElement;
  "room-new": HTMLDialogElement;
  "welcome-name": HTMLInputElement;
  "welcome-keep": HTMLInputElement;
  "room-new-name": HTMLInputElement;
  "mine-name": HTMLInputElement;
  "mine-keep": HTMLInputElement;
  "mine-sounds": HTMLInputElement;
  "mine-notices": HTMLInputElement;
  shortcuts: HTMLDialogElement;
  card: HTMLDialogElement;
  "card-image": HTMLImageElement;
  "card-file": HTMLAnchorElement;
}

export type ElementOf<Id extends string> = Id extends keyof Special ? Special[Id] : HTMLElement;

declare global {
  interface Array<T> {
    findLast(fits: (it: T) => unknown): T | undefined;
  }
}
