// The types of the page's scripts. What is in the JSON of the server is in wire-types.d.ts, which is
// written from the Rust types; here are the names that the scripts use for it, and what is not in
// that JSON.

import {
  AnalysisRequest,
  ArriveRequest,
  BotPresenceRequest,
  ButtonState,
  DeletedMessage,
  DisciplineRequest,
  DismissRequest,
  EmptyBody,
  GuestAnswer,
  GuestPressRequest,
  GuestReplyView,
  GuestSignInAnswer,
  JoinRequest,
  LessonTarget,
  OwnPerson,
  PresenceEvent,
  PressRequest,
  ReadyEvent,
  RenameRequest,
  ReplyView,
  RoomDoorRequest,
  RoomView,
  SayRequest,
  ShownMessage,
  SignInRequest,
  TableChangeEvent,
  TypingEvent,
  VectorItem,
} from "./wire-types";

// ---- names of what the server says --------------------------------------------------------

export {
  ActionState as Action,
  AnalysisBoard as Analysed,
  BoardSummary as Board,
  ClocksState as Clocks,
  DisciplineKind as DisciplineAct,
  GameRecordAnswer as GameRecord,
  GamesPage,
  GuestReplyView as GuestWhisper,
  HintedAction,
  LessonState as Lesson,
  ListedGame as FinishedGame,
  MessageFile as Attached,
  MessageImage as Image,
  NewPersonAnswer as Self,
  OwnPerson as Me,
  OwnSetting,
  OwnSettingValue,
  OwnTable,
  PersonStatistics,
  PictureFrame as Frame,
  PictureMark,
  PositionEvaluation as Evaluation,
  PresenceEvent as Presence,
  RatedPlace,
  RatingsPage as Leaderboard,
  RefusalAnswer,
  ReplayState,
  ReviewMomentState,
  ReviewState,
  RoomMember as Member,
  RoomPage,
  RoomView as RoomInfo,
  SeatState,
  SetupPartState as SetupPart,
  ShownMessage,
  SpanView as Span,
  StatePicture,
  StepSound as Sound,
  StepState,
  Suggestion as Offer,
  TableStateView as TableState,
  TextDelta,
  TypingEvent as Busy,
  VectorScene as Picture,
} from "./wire-types";

// ---- what is made of that -----------------------------------------------------------------

/** What can be posted: each path takes one of these, and which one is not in any Rust type. */
export type RequestBody =
  | AnalysisRequest
  | ArriveRequest
  | BotPresenceRequest
  | DisciplineRequest
  | DismissRequest
  | EmptyBody
  | GuestPressRequest
  | JoinRequest
  | PressRequest
  | RenameRequest
  | RoomDoorRequest
  | SayRequest
  | SignInRequest;

/** What can be read of something as if it were `All`: what only that has is missing. */
type MissingIn<Some, All> = Some & { [K in Exclude<keyof All, keyof Some>]?: undefined };

/** A message; of a deleted one only the head is left. */
export type Message = ShownMessage | MissingIn<DeletedMessage, ShownMessage>;

/** What a press or a message was answered in private, here or to a person of another platform. */
export type Whisper = ReplyView | MissingIn<GuestReplyView, ReplyView>;

/** Somebody who has signed in from another platform; what is known only then may be missing. */
export type Guest = GuestSignInAnswer | MissingIn<GuestAnswer, GuestSignInAnswer>;

/** What comes as a live update, by name: the name is that of the event, not part of its JSON. */
export type Update =
  | { name: "message"; data: Message }
  | { name: "room"; data: RoomView }
  | { name: "me"; data: OwnPerson }
  | { name: "busy"; data: TypingEvent }
  | { name: "presence"; data: PresenceEvent }
  | { name: "ready"; data: ReadyEvent }
  | { name: "table"; data: TableChangeEvent }
  | { name: "reset" | "stranger" | "gone"; data: Record<string, never> };

/** A button of the server or of the page itself, which gives it something to do. */
export interface Key extends Omit<ButtonState, "tone"> {
  /** Buttons of the page have tones of their own. */
  tone: string;
  /** What it does where the page and not the bot made it. */
  does?: (where: Element, key: Key) => unknown;
  /** Shows on the board what it would do, or no longer. */
  previews?: (isShown: boolean) => unknown;
}

/** Middle, width, height and degrees of turning of a part of a picture. */
export type Area = LessonTarget["at"];

/** Drawings: upright ones that follow each other, or one that is turned. */
export type Drawing = Extract<VectorItem, unknown[]>;
export type Letters = Extract<VectorItem, { text: string }>;
export type Trail = Extract<VectorItem, { d: string }>;

/** Where an analysis begins, as the address of the page names it: house rules and position as text,
 * none for the usual ones. */
export interface AnalysisRoot {
  game: string;
  options: string | null;
  position: string | null;
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
  info: RoomView | null;
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
  look?(m: ShownMessage): unknown;
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
