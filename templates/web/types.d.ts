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
  ActionState,
  AnalysisBoard,
  BoardSummary,
  ClocksState,
  DisciplineKind,
  GameRecordAnswer,
  GamesPage,
  GuestReplyView,
  HintedAction,
  LessonState,
  ListedGame,
  MessageFile,
  MessageImage,
  NewPersonAnswer,
  OwnPerson,
  OwnSetting,
  OwnSettingValue,
  OwnTable,
  PersonStatistics,
  PictureFrame,
  PictureMark,
  PositionEvaluation,
  PresenceEvent,
  RatedPlace,
  RatingsPage,
  RefusalAnswer,
  ReplayState,
  ReviewMomentState,
  ReviewState,
  RoomMember,
  RoomPage,
  RoomView,
  SeatState,
  SetupPartState,
  ShownMessage,
  SpanView,
  StatePicture,
  StepSound,
  StepState,
  Suggestion,
  TableStateView,
  TextDelta,
  TypingEvent,
  VectorScene,
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
export type PrivateReply = ReplyView | MissingIn<GuestReplyView, ReplyView>;

/** Somebody who has signed in from another platform; what is known only then may be missing. */
export type Guest = GuestSignInAnswer | MissingIn<GuestAnswer, GuestSignInAnswer>;

/** What comes as a live update, by name: the name is that of the event, not part of its JSON. */
export type ServerEvent =
  | { name: "message"; data: Message }
  | { name: "room"; data: RoomView }
  | { name: "me"; data: OwnPerson }
  | { name: "busy"; data: TypingEvent }
  | { name: "presence"; data: PresenceEvent }
  | { name: "ready"; data: ReadyEvent }
  | { name: "table"; data: TableChangeEvent }
  | { name: "reset" | "stranger" | "gone"; data: Record<string, never> };

/** A button of the server or of the page itself, which gives it something to do. */
export interface KeyboardButton extends Omit<ButtonState, "tone"> {
  /** Buttons of the page have tones of their own. */
  tone: string;
  /** What it does where the page and not the bot made it. */
  onPress?: (where: Element, key: KeyboardButton) => unknown;
  /** Shows on the board what it would do, or no longer. */
  onPreview?: (isShown: boolean) => unknown;
}

/** Middle, width, height and degrees of turning of a part of a picture. */
export type Area = LessonTarget["at"];

/** Drawings: upright ones that follow each other, or one that is turned. */
export type SpriteItem = Extract<VectorItem, unknown[]>;
export type TextItem = Extract<VectorItem, { text: string }>;
export type PathItem = Extract<VectorItem, { d: string }>;

/** Where an analysis begins, as the address of the page names it: house rules and position as text,
 * none for the usual ones. */
export interface AnalysisRoot {
  game: string;
  options: string | null;
  position: string | null;
}

// ---- what the page knows ------------------------------------------------------------------

/** A message of this page that is on its way. */
export interface OutgoingMessage {
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
  olderBoards: Map<number, Message>;
  /** The messages from this id on are loaded. */
  loadedFrom: number;
  outgoing: OutgoingMessage[];
  hasEarlier: boolean;
  loaded: boolean;
  typing: Map<string, { who: string; timer: number }>;
  scrollTop: number | null;
  /** Ids of private answers that changed while nobody could see them. */
  changedReplies: Set<number>;
}

/** What is before one's eyes. */
export interface PageState {
  currentRoom: string;
  joinedRooms: string[];
  atEnd: boolean;
}

/** What the parts of a message can do. */
export interface MessageActions {
  startReply(m: Message): void;
  jumpToMessage(id: number): unknown;
  dismiss(m: Message): unknown;
  afterPress(): void;
  isOnBoard(m: Message): boolean;
  openInViewer?(m: ShownMessage): unknown;
  /** A press begins. */
  beforePress?(): unknown;
  onReplies?(replies: PrivateReply[]): unknown;
  /** Marks a hint on the board, if its table is shown there. */
  markHint?(reply: PrivateReply): boolean;
  /** A press on a message was answered. */
  onPressAnswered?(m: { id: number | null; room: string }, replies: PrivateReply[]): unknown;
}

/** One thing of a picture as it is drawn: a drawing has its name, middle, size, and its turn. */
export type DrawnItem = [string, number, number, number, number, number?] | TextItem | PathItem;

/** What the page says, by key; what counts something has its plural forms. */
export type Translations = Record<string, string | Record<string, string>>;

// ---- elements of the page -----------------------------------------------------------------

/** Those of which more is used than what all elements have, by their ids. */
interface TypedElements {
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

export type ElementOf<Id extends string> = Id extends keyof TypedElements ? TypedElements[Id] : HTMLElement;

declare global {
  interface Array<T> {
    findLast(fits: (it: T) => unknown): T | undefined;
  }
}
