// The types of the page's scripts. The JSON of the server has its types in wire-types.d.ts, which
// is generated from the Rust types; this file re-exports them and adds the types of the page.

import {
  AnalysisRequest,
  ArriveRequest,
  BotPresenceRequest,
  ButtonState,
  DeletedMessage,
  ModerationRequest,
  DismissRequest,
  GuestAnswer,
  GuestPressRequest,
  GuestReplyView,
  GuestSignInAnswer,
  JoinRequest,
  LessonTarget,
  NewPersonAnswer,
  NewTokenRequest,
  OwnPerson,
  PresenceEvent,
  PressRequest,
  ReadyEvent,
  RenameRequest,
  ReplyView,
  RoomAccessRequest,
  RoomView,
  SayRequest,
  ShownMessage,
  SignInRequest,
  TableChangeEvent,
  TypingEvent,
  VectorItem,
} from "./wire-types";

// ---- generated types ----------------------------------------------------------------------

export {
  ActionState,
  AnalysisBoard,
  BoardSummary,
  ClocksState,
  ModerationAction,
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

// ---- types derived from them --------------------------------------------------------------

/** A person as the page keeps them. */
export type Identity = NewPersonAnswer & {
  /** Tokens that may be valid instead, because a request for a new token may have got no answer. */
  spare?: string[];
  /** When the server refused the token, in milliseconds since 1970, if it did. */
  refusedAt?: number;
};

/** A press or a message, and its path in the room. */
export interface RoomRequest {
  room: string;
  rest: string;
  body: PressRequest | SayRequest;
  /** The text of the button. */
  label?: string | undefined;
}

/** A request without a response, of a person and a moment in milliseconds since 1970. */
export type UnsentRequest = RoomRequest & { person: string; at: number };

/** All request bodies; which path takes which one is not in any Rust type. */
export type RequestBody =
  | AnalysisRequest
  | ArriveRequest
  | BotPresenceRequest
  | ModerationRequest
  | DismissRequest
  | GuestPressRequest
  | JoinRequest
  | NewTokenRequest
  | PressRequest
  | RenameRequest
  | RoomAccessRequest
  | SayRequest
  | SignInRequest;

/** `Some` with the other fields of `All` as undefined, so that both can be read alike. */
type MissingIn<Some, All> = Some & { [K in Exclude<keyof All, keyof Some>]?: undefined };

/** A message; a deleted one has only its metadata. */
export type Message = ShownMessage | MissingIn<DeletedMessage, ShownMessage>;

/** A private reply to a press or a message, also to a user signed in from another platform. */
export type PrivateReply = ReplyView | MissingIn<GuestReplyView, ReplyView>;

/** A user signed in from another platform. */
export type Guest = GuestSignInAnswer | MissingIn<GuestAnswer, GuestSignInAnswer>;

/** A live event: the name of the server-sent event and its JSON. */
export type ServerEvent =
  | { name: "message"; data: Message }
  | { name: "room"; data: RoomView }
  | { name: "me"; data: OwnPerson }
  | { name: "busy"; data: TypingEvent }
  | { name: "presence"; data: PresenceEvent }
  | { name: "ready"; data: ReadyEvent }
  | { name: "table"; data: TableChangeEvent }
  | { name: "reset" | "stranger" | "gone" | "crowded"; data: Record<string, never> };

/** A button of the server, or of the page itself with a handler. */
export interface KeyboardButton extends Omit<ButtonState, "tone"> {
  /** The page has more tones than the server. */
  tone: string;
  /** The handler of a button of the page. */
  onPress?: (where: Element, key: KeyboardButton) => unknown;
  /** Shows or hides a preview on the board. */
  onPreview?: (isShown: boolean) => unknown;
}

/** Centre x and y, width, height and rotation in degrees of a part of a scene. */
export type Area = LessonTarget["at"];

/** Drawings of a sheet: upright ones at several places, or a rotated one. */
export type SpriteItem = Extract<VectorItem, unknown[]>;
export type TextItem = Extract<VectorItem, { text: string }>;
export type PathItem = Extract<VectorItem, { d: string }>;

/** The start of an analysis: house rules and position as text, null for the defaults. */
export interface AnalysisRoot {
  game: string;
  options: string | null;
  position: string | null;
}

// ---- state of the page --------------------------------------------------------------------

/** A message that is being sent. */
export interface OutgoingMessage {
  room: string;
  text: string;
  key: string;
  reply_to: number | null;
  /** Mentioned people, and the positions of their `@` in the text. */
  mentions: { person: string; at: number }[];
  /** The id of the posted message; `null` if it is not shown in the room. */
  id?: number | null;
  /** Why the server has refused it, if it has. */
  refused?: string | undefined;
}

export interface Room {
  name: string;
  info: RoomView | null;
  messages: Map<number, Message>;
  /** Boards older than the loaded messages. */
  olderBoards: Map<number, Message>;
  /** The first id from which on all messages are loaded. */
  loadedFrom: number;
  outgoing: OutgoingMessage[];
  hasEarlier: boolean;
  loaded: boolean;
  typing: Map<string, { who: string; timer: number }>;
  /** The id of the first message in sight; empty at the end of the chat. */
  readFrom: string;
  /** Ids of private replies that changed while the chat was not visible. */
  changedReplies: Set<number>;
}

/** The state of the page for the parts around the chat. */
export interface PageState {
  currentRoom: string;
  joinedRooms: string[];
  atEnd: boolean;
  /** The code of the table on the board. */
  table: string | null;
}

/** Callbacks of the parts of a message. */
export interface MessageActions {
  startReply(m: Message): void;
  jumpToMessage(id: number): unknown;
  dismiss(m: Message): unknown;
  isOnBoard(m: Message): boolean;
  openInViewer?(m: ShownMessage): unknown;
  /** Called before a press is sent. */
  beforePress?(): unknown;
  onReplies?(replies: PrivateReply[], room: string): unknown;
  /** Marks a hint on the board; returns whether its table is shown there. */
  markHint?(reply: PrivateReply): boolean;
  /** Called with the private replies to a press. */
  onPressAnswered?(m: { id: number | null; room: string }, replies: PrivateReply[]): unknown;
}

/** An item of a scene; a drawing has name, centre, width, height and rotation. */
export type DrawnItem = [string, number, number, number, number, number?] | TextItem | PathItem;

/** Translations by key; counts have plural forms. */
export type Translations = Record<string, string | Record<string, string>>;

// ---- elements of the page -----------------------------------------------------------------

/** Elements by id that are used with a more specific type. */
interface TypedElements {
  text: HTMLTextAreaElement;
  composer: HTMLFormElement;
  welcome: HTMLDialogElement;
  people: HTMLDialogElement;
  mine: HTMLDialogElement;
  "room-new": HTMLDialogElement;
  "welcome-name": HTMLInputElement;
  "welcome-keep": HTMLInputElement;
  "welcome-enter": HTMLButtonElement;
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

export type ElementOf<Id extends string> = Id extends keyof TypedElements
  ? TypedElements[Id]
  : HTMLElement;

declare global {
  interface Array<T> {
    findLast(fits: (it: T) => unknown): T | undefined;
  }
  interface Navigator {
    readonly userActivation?: { readonly hasBeenActive: boolean };
  }
}
