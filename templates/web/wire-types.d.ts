// The JSON between the server and the page. Do not edit: written from the Rust types by
// cargo test -p caravanserai-webchat write_wire_types -- --ignored

/** An achievement, and whether a person has it. */
export type AchievementState = {
  /** The code of the game. */
  game: string,
  /** The name, in the language of the reader. */
  name: string,
  /** What has to be done for it, in the language of the reader. */
  rule: string,
  /** When it was first reached, in milliseconds since 1970; `null` if it was not. */
  at_ms: number | null,
};

/** An action that the viewer may make. */
export type ActionState = {
  /** The action, in record notation. */
  token: string,
  /** The label, in the viewer's language. */
  label: string,
  /** The callback data that makes it. */
  press: string,
  /** Its area on the picture of the hand, or else of the board: middle, width, height, rotation. */
  at?: [number, number, number, number, number],
  /** The area of an action that also has a button. */
  also?: [number, number, number, number, number],
  /** The area of its target. */
  to?: [number, number, number, number, number],
  /** Whether it captures something there. */
  takes?: boolean,
  /** The moves of pieces that it makes, if it is only a button. */
  paths?: Array<PathState>,
  /** Its consequences, as far as the label does not name them. */
  would?: string,
};

/** An analysed position, for the person who analyses it. */
export type AnalysisBoard = {
  /** [`STATE_VERSION`]. */
  version: number,
  /** The code of the game. */
  game: string,
  /** Its house rules, in record notation. */
  options: string,
  /** The position in writing; `null` where the notation cannot express it. */
  position: string | null,
  /** The names of the seats. */
  names: Array<string>,
  /** The seat to move; `null` for chance, at the end, and while a position is set up. */
  turn: number | null,
  /** How to choose the next outcome of chance, if the game waits for one. */
  outcomes: OutcomeChoice | null,
  /** Points by seat when the game is over. */
  scores: Array<number> | null,
  /** The actions of the seat to move; `press` is the token. */
  actions: Array<ActionState>,
  /** Tokens in rows of buttons. */
  rows: Array<Array<string>>,
  /** The last events and the state as text. */
  says: Array<string>,
  /** The board as text. */
  board: Array<string>,
  /** The picture. */
  picture: StatePicture,
  /** The parts of the position, to be set up. */
  setup: Array<SetupPartState>,
  /** Why a position that is being set up is not possible yet. */
  fault: string | null,
};

/**
 * The position that is analysed, see [`AnalysisQuery`]: `setup` comes before `position`, without
 * either it is the beginning of the game.
 */
export type AnalysisRequest = {
  /** The code of the game. */
  game: string,
  /** Its house rules in record notation; the usual ones without it. */
  options?: string | null,
  /** The position in writing. */
  position?: string | null,
  /** The values of the parts of a position that is being set up. */
  setup?: Array<string> | null,
  /** The actions and outcomes of chance since then, in record notation. */
  steps?: Array<string>,
  /** The seat whose side is at the bottom. */
  below?: number,
  /** Whether the picture is for an upright screen. */
  upright?: boolean,
};

/** A request of a new person. */
export type ArriveRequest = {
  /** The name. */
  name: string,
  /** The language of the browser. */
  locale?: string | null,
  /**
   * The token of the person: 64 digits of a random number, `0-9a-f`; without it the server makes
   * one. A request with the token of a person creates nobody.
   */
  token?: string | null,
};

/** The best game that a person has won. */
export type BestWinStatistics = {
  /** The day, the opponents and their rating, in the language of the reader. */
  says: string,
  /** The code of the table, for its replay; `null` if the game is not kept any longer. */
  table: TableId | null,
};

/** What a board shows, for platforms that list the tables of a chat themselves. */
export type BoardSummary = {
  /** The code of the game. */
  game: string,
  /** The phase of the table. */
  phase: PhaseName,
  /** The accounts on this platform of people who play there; others are left out. */
  players: Array<PersonId>,
  /** The displayed names of all players, in the order of the seats. */
  names: Array<string>,
  /** The number of seats that are still open. */
  open_seats: number,
  /** The accounts on this platform of people who are asked to play and have not answered. */
  invited?: Array<PersonId>,
  /** Before the start: the callback data with which people accept and decline. */
  answers?: InvitationAnswers,
};

/** A request to add the bot to a room, or to remove it. */
export type BotPresenceRequest = {
  /** Whether the bot is in the room from now on. */
  present: boolean,
};

/** A button. */
export type ButtonState = {
  /** The label, in the viewer's language. */
  label: string,
  /** The callback data of a press. */
  press: string,
  /** Its appearance. */
  tone: ButtonTone,
  /**
   * The address of the page that shows this instead of a post, see
   * [`ViewerPage::url_path`].
   */
  look?: string,
};

/** The appearance of a button. */
export type ButtonTone = "plain" | "good" | "danger";

/** A person whom the author has chosen from the suggestions, by id. */
export type ChosenMention = {
  /** The id. */
  person: string,
  /** The position. */
  at: number,
} | string;

/** The clocks of a table, as they are at one moment. */
export type ClocksState = {
  /** The moment in milliseconds since 1970, by the clock of the bot. */
  now: number,
  /**
   * The milliseconds that each seat has left; `null` if it has no clock of its own now: a
   * computer, or a seat whose turn has not begun where each turn has its own time.
   */
  left: Array<number | null>,
  /** The seat whose clock runs. */
  running: number | null,
  /** Whether all clocks are paused by agreement. */
  paused: boolean,
};

/**
 * The strength of a computer player. The lower levels overlook things as people do; they do not
 * play at random.
 */
export type ComputerLevel = "beginner" | "easy" | "medium" | "strong" | "master";

/** A deleted message. */
export type DeletedMessage = {
  /** Always true. */
  gone: true,
  /** The author; missing for the bot. */
  author?: ListedPerson,
  /** Whether it is from the bot. */
  bot: boolean,
  /** The id, counted up within its room. */
  id: number,
  /** Whether only the reader sees it. */
  only: boolean,
  /** The id of the message to which it replies. */
  reply_to: number | null,
  /** The room. */
  room: string,
  /** The number of its last change among all changes of the chat. */
  seq: number,
  /** When it was posted, in milliseconds since 1970. */
  time: number,
};

/** A part of a difference. */
export type DeltaPiece = [number, number] | string;

/** A request to dismiss a message. */
export type DismissRequest = {
  /** The id of the message. */
  message: number,
};

/** An answer that tells only that the request was carried out. */
export type EmptyAnswer = Record<string, never>;

/** An action with its evaluation. */
export type EvaluatedAction = {
  /** The action, in record notation. */
  token: string,
  /** Its label, in the language of the person. */
  label: string,
  /** The chance that the first seat wins after it, in thousandths. */
  chance: number,
  /** Its area on the picture, if it has one. */
  at: [number, number, number, number, number] | null,
  /** The area of its target. */
  to: [number, number, number, number, number] | null,
  /** The moves of pieces that it makes, if it is only a button. */
  paths?: Array<PathState>,
};

/** How a game ended for one player. */
export type FinishedOutcome = "won" | "drawn" | "lost";

/** A rating before and after a game. */
export type FinishedRating = {
  /** The rating before. */
  before: number,
  /** The rating after. */
  after: number,
  /** Whether the rating after is still uncertain. */
  provisional: boolean,
};

/** The pace of one picture of a replay. */
export type FramePace = "quick" | "move" | "slow";

/** The record of a finished game. */
export type GameRecordAnswer = {
  /** The name of its file. */
  name: string,
  /** Its text. */
  text: string,
};

/** A page of games, as it is sent. */
export type GamesPage = {
  /** The games, the latest first. */
  games: Array<ListedGame>,
  /** Where the next page begins; `null` if there are no older games. */
  next: string | null,
};

/** A person who has signed in from another platform. */
export type GuestAnswer = {
  /** The code of the language they read. */
  lang: string,
  /** The name. */
  name: string,
  /** The theme of their pictures. */
  theme: string,
};

/** A file inside an answer. */
export type GuestFile = {
  /** The contents in base64. */
  bytes: string,
  /** The name. */
  name: string,
};

/** A picture inside an answer. */
export type GuestImage = {
  /** The alternative text. */
  alt: string,
  /** The picture as PNG in base64. */
  png: string,
};

/** A request to press a button of a table. */
export type GuestPressRequest = {
  /** The callback data. */
  press: string,
  /** Chosen by the client: the same key acts once. */
  key: string,
};

/** The answer to a press of a person who has signed in from another platform. */
export type GuestRepliesAnswer = {
  /** The private replies. */
  whispers: Array<GuestReplyView>,
};

/**
 * A private reply to a person who has signed in from another platform. No chat stores it, so it
 * includes its picture and its file.
 */
export type GuestReplyView = {
  /** Whether a press has to be repeated. */
  again?: boolean,
  /** Whether it is short enough to be shown only for a moment. */
  brief: boolean,
  /** Rows of buttons. */
  buttons: Array<Array<ButtonState>>,
  /** The file. */
  file: GuestFile | null,
  /** The action that a hint recommends, to be marked on the board. */
  hint?: HintedAction,
  /** The picture. */
  image: GuestImage | null,
  /** Whether it only acknowledges what the board shows, too. */
  passing: boolean,
  /** The parts of the text. */
  spans: Array<SpanView>,
  /** The text without markup. */
  text: string,
};

/** A person who signs in from another platform. */
export type GuestSignInAnswer = {
  /** The token that the platform's own client expects. */
  key: string | null,
  /** The code of the table for which they opened the page. */
  table: string | null,
  /** The token of later requests, where cookies do not persist. */
  token?: string,
  /** The code of the language they read. */
  lang: string,
  /** The name. */
  name: string,
  /** The theme of their pictures. */
  theme: string,
};

/** The games between two people, as the reader ended them. */
export type HeadToHead = {
  /** Games that the reader won. */
  won: number,
  /** Games drawn. */
  drawn: number,
  /** Games that the other one won. */
  lost: number,
  /**
   * The games won by the reader and by the other one before the first game, and after each.
   * Empty for few games.
   */
  curve: Array<Array<number>>,
  /** Says, in the language of the reader, that older games were not searched. */
  searched: string | null,
};

/** An action that a hint recommends: pages mark it on the board. */
export type HintedAction = {
  /** Table code. */
  table: string,
  /** The position for which it was computed, as `moment` of the table's state. */
  moment: number,
  /** The action, as `token` of the actions of the table's state. */
  token: string,
};

/** The callback data with which people answer an invitation to a table. */
export type InvitationAnswers = {
  /** Takes a seat, also without an invitation. */
  accept: string,
  /** Declines. */
  decline: string,
};

/** A request to join a room, or to create it. */
export type JoinRequest = {
  /** The name of the room. */
  name: string,
  /** The code of the invitation, if the room is closed. */
  invite?: string | null,
};

/** An action of a seat. */
export type LastAction = {
  /** The seat that acted. */
  seat: number,
  /** The action, in record notation. */
  token: string,
};

/** A rating list. */
export type LeaderboardList = {
  /** Its code. */
  code: string,
  /** Its name, in the language of the reader. */
  name: string,
};

/** The shown month and those that can be turned to, for example `2026-11`. */
export type LeaderboardMonths = {
  /** The shown month. */
  shown: string,
  /** The last month with games before it. */
  earlier: string | null,
  /** The next month with games after it; from the last one that is the current month. */
  later: string | null,
};

/** A page of a course. */
export type LessonState = {
  /** [`STATE_VERSION`]. */
  version: number,
  /** The code of the game. */
  game: string,
  /** The name of the page. */
  page: string,
  /** The picture as text. */
  board: Array<string>,
  /** The picture. */
  picture: StatePicture,
  /** The areas that can be touched, each with the last part of its callback data. */
  spots: Array<LessonTarget>,
};

/** An answer, or a move to try, on the picture of a page. */
export type LessonTarget = {
  /** The last part of its callback data. */
  token: string,
  /** Its area on the picture: middle, width, height, rotation. */
  at: [number, number, number, number, number],
  /** The area of its target. */
  to: [number, number, number, number, number] | null,
};

/** The statistics of a person in one rating list. */
export type ListStatistics = {
  /** The code of the list. */
  code: string,
  /** Its name, in the language of the reader. */
  name: string,
  /** The displayed rating; `null` before the first rated game. */
  rating: number | null,
  /** Whether the rating is still uncertain. */
  provisional: boolean,
  /** The best rating that was certain. */
  best: number | null,
  /** Games won. */
  won: number,
  /** Games drawn. */
  drawn: number,
  /** Games lost. */
  lost: number,
  /** Wins in a row, or minus the losses in a row; 0 after a draw. */
  streak: number,
  /** What the person did in all these games together, in the language of the reader. */
  totals: Array<string>,
  /**
   * How well the person plays, free of luck, in the language of the reader; empty where play is
   * not judged, or too little was.
   */
  play: Array<string>,
  /**
   * What the person chooses most often and how often that went well, in the language of the
   * reader; empty after few games.
   */
  favourites: Array<string>,
  /** The best game that the person has won; `null` before the first. */
  best_win: BestWinStatistics | null,
  /**
   * How much luck the person had in their last games, in the language of the reader; `null` in a
   * game without luck.
   */
  luck: string | null,
  /**
   * The rating before the first of the last games, and after each of them that was rated. Empty
   * for few games, and for other people.
   */
  curve: Array<number>,
};

/**
 * A game with the room where it was played: `@` if it was private, `null` if it was played in a
 * chat of another platform.
 */
export type ListedGame = {
  /** The room. */
  room: string | null,
  /** The code of the table. */
  table: TableId,
  /** The code of the game. */
  game: string,
  /** The names of the opponents, in the person's language. */
  opponents: Array<string>,
  /** The result for the person. */
  outcome: FinishedOutcome,
  /** When it ended, in milliseconds since 1970. */
  ended_ms: number,
  /** How the person's rating changed; `null` if the game was not rated. */
  rating: FinishedRating | null,
  /** Why it was not rated, in the person's language. */
  casual: string | null,
  /** The press that requests its review. */
  review: string,
  /** Why it can no longer be watched or saved, in the person's language; `null` if it can. */
  removed: string | null,
};

/** A person by id and name. */
export type ListedPerson = {
  /** The id. */
  id: string,
  /** The name. */
  name: string,
};

/** A room in a list. */
export type ListedRoom = {
  /** Whether the person is in the room. */
  joined: boolean,
  /** The name. */
  name: string,
  /** The number of people in the room. */
  people: number,
};

/** A seat before the start. The callback data is that of buttons among the `keys` of the table. */
export type LobbySeatState = {
  /** Whether nobody has it yet. */
  free: boolean,
  /** The displayed name of an invited person for whom it is reserved. */
  invited?: string,
  /**
   * The callback data with which the viewer takes the seat, moves to it, or changes places with
   * its player.
   */
  sit?: string,
  /** The callback data that seats a computer there. */
  add_computer?: string,
};

/** The seats of a table before its game starts. */
export type LobbyState = {
  /** The seats, in the order of `seats` of the table. */
  seats: Array<LobbySeatState>,
  /** The indices of the lines of `says` that only name the players of seats. */
  seat_lines: Array<number>,
};

/** The file of a message. */
export type MessageFile = {
  /** The length in bytes. */
  bytes: number,
  /** The height in pixels of an animation, which the chat shows; else 0. */
  height: number,
  /** The name. */
  name: string,
  /** The address. */
  src: string,
  /** The width in pixels of an animation; else 0. */
  width: number,
};

/** The picture of a message. */
export type MessageImage = {
  /** The alternative text. */
  alt: string,
  /** The height in pixels. */
  height: number,
  /** The address. */
  src: string,
  /** The width in pixels. */
  width: number,
};

/** A message for its readers. */
export type MessageView = ShownMessage | DeletedMessage;

/** An action of a room's admin on a person. */
export type ModerationAction = "mute" | "unmute" | "remove" | "allow";

/** A request to moderate a person. */
export type ModerationRequest = {
  /** The id of the person. */
  person: string, act: ModerationAction,
};

/** A time, as it appears in the text. */
export type NamedTime = {
  /** The part of the text that names it. */
  text: string,
  /** The time in milliseconds since 1970. */
  time: number,
  /** Whether only its day matters. */
  day: boolean,
};

/** A new person, with the secret by which later requests are theirs. */
export type NewPersonAnswer = {
  /** The id. */
  id: string,
  /** The name. */
  name: string,
  /** The secret. */
  token: string,
};

/** A request to sign out everywhere else. */
export type NewTokenRequest = {
  /** The new token: 64 digits of a random number, `0-9a-f`; without it the server makes one. */
  token?: string | null,
};

/** Outcomes of chance: some of the first parts, then one of the last, without spaces. */
export type OutcomeChoice = {
  /** The parts after which another one follows. */
  first: Array<string>,
  /** The parts that end an outcome. */
  last: Array<string>,
  /** The most parts of an outcome. */
  most: number,
};

/** A person for themselves. */
export type OwnPerson = {
  /** The id. */
  id: string,
  /** The language of their browser. */
  locale: string | null,
  /** The name. */
  name: string,
  /** The names of their rooms, in the order of joining. */
  rooms: Array<string>,
  /** The number of the change that is described. */
  seq: number,
};

/** A setting of a person. */
export type OwnSetting = {
  /** Its code, which never changes. */
  code: string,
  /** Its name, in the person's language. */
  label: string,
  /** The code of the present value; `null` if it is none of the values. */
  value: string | null,
  /** The values to choose from. */
  values: Array<OwnSettingValue>,
};

/** A value of a setting. */
export type OwnSettingValue = {
  /** Its code. */
  value: string,
  /** Its name, in the person's language. */
  label: string,
  /** The callback data of a press that chooses it, in the private chat. */
  press: string,
};

/** The settings of a person, in the order in which they are shown. */
export type OwnSettings = {
  /** The settings. */
  settings: Array<OwnSetting>,
};

/** An open table of a person. */
export type OwnTable = {
  /** The code of the game. */
  game: string,
  /** An address that opens its board, if it has one. */
  link: string | null,
  /** The table in a line of text, in the person's language. */
  says: string,
  /** The code of the table. */
  table: string,
  /** Whether the person is to move. */
  your_turn: boolean,
};

/** The open tables of a person, those that wait for the person first. */
export type OwnTables = {
  /** The tables. */
  tables: Array<OwnTable>,
};

/** The move of one piece on the picture. */
export type PathState = {
  /** The area of the piece: middle, width, height, rotation. */
  at: [number, number, number, number, number],
  /** The area where it leads. */
  to: [number, number, number, number, number],
  /** Whether it captures something there. */
  takes?: boolean,
};

/**
 * A person on one platform, spelled `<platform>:<id>`.
 *
 * The person of a deleted account is [`PersonId::deleted`].
 */
export type PersonId = string;

/**
 * The statistics of a person, as a reader may see them: one's own of all chats, those of others
 * in the chat of the reader.
 */
export type PersonStatistics = {
  /** The displayed name. */
  name: string,
  /** Whether the reader asks about themselves. */
  own: boolean,
  /** The lists in which the person has finished a game, in the order of the games. */
  lists: Array<ListStatistics>,
  /**
   * The achievements, also those that were not reached. `null` for other people, and if the
   * reader has turned them off.
   */
  achievements: Array<AchievementState> | null,
  /** The games in this chat against the reader, as the reader ended them; `null` without games. */
  against: HeadToHead | null,
};

/** The phase of a table. */
export type PhaseName = "lobby" | "playing" | "over" | "closed";

/** A board between an earlier state and the current one. */
export type PictureFrame = {
  /** The sound of the step that led to it. */
  sound?: StepSound,
  /**
   * The text of the board, of which the last line says whose turn it is; empty if it is the same
   * as before.
   */
  says?: Array<string>,
  /** The width in units. */
  width: number,
  /** The height in units. */
  height: number,
  /** The background colour, as a CSS colour. */
  ground: string,
  /** The names of the sheets with its drawings. */
  sheets: Array<string>,
  /** The items, from the bottom to the top. */
  items: Array<VectorItem>,
};

/** The position of an action on a picture, and its target. */
export type PictureMark = {
  /** The area of the action: middle, width, height, rotation. */
  at: [number, number, number, number, number],
  /** The area of its target. */
  to: [number, number, number, number, number] | null,
};

/** The evaluation of a position by a computer player. */
export type PositionEvaluation = {
  /**
   * The chance that the first seat wins, in thousandths; `null` if it cannot be told, or `why`
   * says why it is not told.
   */
  chance: number | null,
  /** The best actions of the seat to move, the best first; at most four. */
  lines: Array<EvaluatedAction>,
  /** Why there is no evaluation, in the language of the person. */
  why: string | null,
  /** Whether asking again in a moment may help. */
  busy: boolean,
};

/** The event `presence`: a person is online or offline now. */
export type PresenceEvent = {
  /** Whether the person is online. */
  online: boolean,
  /** The id of the person. */
  person: string,
  /** The room. */
  room: string,
};

/** A request to press a button. */
export type PressRequest = {
  /** The id of the message with the button. */
  message?: number | null,
  /** The callback data. */
  press: string,
  /** Chosen by the client: the same key acts once. */
  key: string,
};

/** A place with the id of its person, if their statistics are shown in this room. */
export type RatedPlace = {
  /** The id of the person. */
  person: string | null,
  /** The rank, from 1. */
  rank: number,
  /** The displayed name of the person in their last game. */
  name: string,
  /** The displayed rating. */
  rating: number,
  /** Whether the rating is still uncertain. */
  provisional: boolean,
  /** Games won. */
  won: number,
  /** Games drawn. */
  drawn: number,
  /** Games lost. */
  lost: number,
  /** Whether it is the place of the reader. */
  own: boolean,
};

/** A page of a list, as it is sent. */
export type RatingsPage = {
  /** Its places, the best first. */
  places: Array<RatedPlace>,
  /** The lists that have a place, in the order of the games. */
  lists: Array<LeaderboardList>,
  /** The code of the shown list; `null` if no list has a place. */
  list: string | null,
  /** The shown month and those beside it; `null` for all time. */
  months: LeaderboardMonths | null,
  /**
   * Why a lower rating may be above a higher one, in the language of the reader; `null` if the
   * places are in the order of the shown ratings.
   */
  order: string | null,
  /** Where the next page begins; `null` if no place follows that can be shown. */
  next: number | null,
};

/** The event `ready`: all changes so far were sent. */
export type ReadyEvent = {
  /** The number of the last change. */
  seq: number,
};

/** Why a request was refused. */
export type RefusalAnswer = {
  /** The code, which never changes. */
  error: string,
  /** The reason for people. */
  say: string,
  /** How many milliseconds to wait, if there were too many requests. */
  wait_ms?: number,
};

/** A request to change the name or the language. */
export type RenameRequest = {
  /** The new name. */
  name?: string | null,
  /** The new language. */
  locale?: string | null,
};

/** A part of a game, step by step. */
export type ReplayState = {
  /** [`STATE_VERSION`]. */
  version: number,
  /** The code of the table. */
  table: string,
  /** The code of the game. */
  game: string,
  /** Its house rules, in record notation. */
  options: string,
  /** The phase of the table. */
  phase: PhaseName,
  /** Increases with each step of the game. */
  moment: number,
  /** The player on each seat. */
  seats: Array<SeatState>,
  /** The number of steps of the game. */
  steps: number,
  /** The first step in this answer. */
  from: number,
  /** The seat whose side is at the bottom. */
  below: number,
  /** The seat whose hand is shown; `null` if nothing is hidden. */
  hand: number | null,
  /** The callback data of the button that posts the game as an animation, if that is possible. */
  film: string | null,
  /** The state after each step, and before the first one. */
  stood: Array<StepState>,
};

/** The answer to a press. */
export type RepliesAnswer = {
  /** The private replies. */
  whispers: Array<ReplyView>,
};

/** A private reply to a press or a message. */
export type ReplyView = {
  /** Whether a press has to be repeated. */
  again?: boolean,
  /** Whether it is short enough to be shown only for a moment. */
  brief: boolean,
  /** The action that a hint recommends, to be marked on the board. */
  hint?: HintedAction,
  /** The id of the message as which it stays, if it does. */
  id: number | null,
  /** Whether it only acknowledges what the board shows, too. */
  passing: boolean,
  /** The parts of the text. */
  spans: Array<SpanView>,
  /** The text without markup. */
  text: string,
};

/** One of the moves of the review. */
export type ReviewMomentState = {
  /** The number of steps before the move. */
  step: number,
  /** The seat that made it. */
  seat: number,
  /** The number of the move as people see it. */
  number: number,
  /** The position of its number on the chart. */
  badge: [number, number, number, number, number] | null,
  /** The review of the move as text. */
  says: Array<string>,
  /** The position as text. */
  board: Array<string>,
  /** The position, from the viewer's side, with the hand of the seat. */
  picture: StatePicture,
  /** The position of the played move on the picture of the hand, or else of the board. */
  played: PictureMark | null,
  /** The position of the better move, in the same way. */
  better: PictureMark | null,
  /** The better move and a possible continuation, step by step. */
  line: Array<StepState>,
};

/** The review of a game with the moves that changed it most. */
export type ReviewState = {
  /** [`STATE_VERSION`]. */
  version: number,
  /** The code of the table. */
  table: string,
  /** The winning chance of each side; `null` while there is no review. */
  chart: VectorScene | null,
  /** The winning chances as text. */
  words: Array<string>,
  /** The moves. */
  moments: Array<ReviewMomentState>,
};

/** A request to close or open a room. */
export type RoomAccessRequest = {
  /** Whether an invitation is needed from now on. */
  closed: boolean,
};

/** The invitation of a closed room. */
export type RoomInvitationAnswer = {
  /** The code; `null` if the room is open. */
  invite: string | null,
};

/** The rooms that a person can join or is in. */
export type RoomListAnswer = {
  /** The rooms, the one with the latest message first. */
  rooms: Array<ListedRoom>,
};

/** A member of a room. */
export type RoomMember = {
  /** The id. */
  id: string,
  /** Whether the admin does not let them write. */
  muted: boolean,
  /** The name. */
  name: string,
  /** Whether they are online. */
  online: boolean,
};

/** A room with a page of its messages. */
export type RoomPage = {
  /** The boards that are older than the newest messages and still of use; only with these. */
  boards?: Array<ShownMessage>,
  /** The messages, the oldest first. */
  messages: Array<ShownMessage>,
  /** Whether there are earlier messages. */
  more: boolean,
  /** Whether the reader is the admin of the room. */
  admin: boolean,
  /** Whether the bot is in the room. */
  bot: boolean,
  /** Whether an invitation is needed to join. */
  closed: boolean,
  /** The code of the invitation, for the admin; null if the room is open. */
  invite?: string | null,
  /** The members, in the order of joining. */
  people: Array<RoomMember>,
  /** The people who may not come back, for the admin. */
  removed?: Array<ListedPerson>,
  /** The name; `@` for a private chat. */
  room: string,
  /** The number of the last change. */
  seq: number,
};

/** The settings and the members of a room, for one of them. */
export type RoomView = {
  /** Whether the reader is the admin of the room. */
  admin: boolean,
  /** Whether the bot is in the room. */
  bot: boolean,
  /** Whether an invitation is needed to join. */
  closed: boolean,
  /** The code of the invitation, for the admin; null if the room is open. */
  invite?: string | null,
  /** The members, in the order of joining. */
  people: Array<RoomMember>,
  /** The people who may not come back, for the admin. */
  removed?: Array<ListedPerson>,
  /** The name; `@` for a private chat. */
  room: string,
  /** The number of the last change. */
  seq: number,
};

/** A finished round of a game. */
export type RoundState = {
  /** Its number, from 1. */
  number: number,
  /** Its result in the viewer's language, line by line. */
  says: Array<string>,
};

/** The answer to a posted message. */
export type SayAnswer = {
  /** The id of the message; `null` if nobody in the room reads it. */
  id: number | null,
  /** The private replies. */
  whispers: Array<ReplyView>,
};

/** A request to post a message. */
export type SayRequest = {
  /** The text. */
  text: string,
  /** Chosen by the client: the same key acts once. */
  key: string,
  /** The id of the message to which it replies. */
  reply_to?: number | null,
  /** The people who were chosen from the suggestions. */
  mentions?: Array<ChosenMention>,
  /** Whether it is a command for the bot alone, which nobody reads in the room. */
  silent?: boolean,
};

/** The player on a seat. */
export type SeatState = {
  /** The displayed name. */
  name: string,
  /** Whether the viewer plays this seat. */
  you: boolean,
  /** The level of a computer. */
  computer: ComputerLevel | null,
};

/** A possible value of a part of a position. */
export type SetupChoiceState = {
  /** The value. */
  value: string,
  /** Its label. */
  label: string,
  /** Its area on the picture. */
  at: [number, number, number, number, number] | null,
};

/** A part of a position, to be set up. */
export type SetupPartState = {
  /** What it is. */
  label: string,
  /** Its present value. */
  value: string,
  /** The largest number that it can be; `null` if it is no number. */
  most: number | null,
  /** Its possible values; empty for a number. */
  values: Array<SetupChoiceState>,
  /** Its area on the picture: middle, width, height, rotation. */
  at: [number, number, number, number, number] | null,
};

/** A message that is there. */
export type ShownMessage = {
  /** Of a board: what it shows. */
  board?: BoardSummary,
  /** Rows of buttons. */
  buttons: Array<Array<ButtonState>>,
  /** Whether the content has changed since it was posted. */
  edited: boolean,
  /** The attached file. */
  file: MessageFile | null,
  /** Always false. */
  gone: false,
  /** The picture. */
  image: MessageImage | null,
  /**
   * The page that shows its content on a board, see
   * [`ViewerPage::url_path`].
   */
  look?: string,
  /** Whether devices may play a sound. */
  loud: boolean,
  /** The parts of the text. */
  spans: Array<SpanView>,
  /** Of a board or a hand: the code of its table. */
  table: string | null,
  /** The text without markup. */
  text: string,
  /** Of a board: the id of the person to move. */
  waits_for: string | null,
  /** The author; missing for the bot. */
  author?: ListedPerson,
  /** Whether it is from the bot. */
  bot: boolean,
  /** The id, counted up within its room. */
  id: number,
  /** Whether only the reader sees it. */
  only: boolean,
  /** The id of the message to which it replies. */
  reply_to: number | null,
  /** The room. */
  room: string,
  /** The number of its last change among all changes of the chat. */
  seq: number,
  /** When it was posted, in milliseconds since 1970. */
  time: number,
};

/** A request to sign in: with a code, or from the client of a platform. */
export type SignInRequest = {
  /** A code that the person received in private. */
  code?: string | null,
  /** The platform. */
  platform?: string | null,
  /** The data about the person from the platform's client. */
  data?: string | null,
  /** The id of a window shared by several people. */
  instance?: string | null,
  /** A random key of the client's window: with it the same code or data works again. */
  window?: string | null,
};

/** A part of a text. */
export type SpanView = {
  "kind": "plain",
  /** The text. */
  text: string,
} | {
  "kind": "bold",
  /** The text. */
  text: string,
} | {
  "kind": "code",
  /** The text. */
  text: string,
} | {
  "kind": "mention",
  /** The id of the person. */
  person: string,
  /** The name. */
  text: string,
} | {
  "kind": "time",
  /** How far away it is, in words. */
  text: string,
  /** The time in milliseconds since 1970. */
  time: number,
} | {
  "kind": "day",
  /** The day in words. */
  text: string,
  /** A time of that day in milliseconds since 1970. */
  time: number,
};

/** The number of spectators. */
export type SpectatorCounts = {
  /** The number of known spectators who do not play. */
  people: number,
  /** The number of other chats in which it is shown. */
  places: number,
  /** The known spectators as text, if there are any. */
  says: string | null,
};

/** The pictures for the viewer. */
export type StatePicture = {
  /** The board. */
  board: VectorScene,
  /** The viewer's hand, if hands are hidden. */
  hand: VectorScene | null,
  /** The sound of the step that led to the board, if that step is new. */
  sound?: StepSound,
  /** The boards after the steps in between, the oldest first; the last step leads to `board`. */
  before: Array<PictureFrame>,
};

/** The sound of a step, from the quietest to the loudest. */
export type StepSound = "step" | "deal" | "capture";

/** The state of a game after a step. */
export type StepState = {
  /** The number of steps before this state. */
  step: number,
  /** The seat that acted; `null` for chance, or before the first step. */
  seat: number | null,
  /** The action, in record notation; never an outcome of chance, which may be a deal. */
  token: string | null,
  /** The number of the move or turn as people see it. */
  number: number | null,
  /** The position in writing, where it can be analysed. */
  position: string | null,
  /** How long to show it. */
  pace: FramePace,
  /** The action and the state as text. */
  says: Array<string>,
  /** The board as text. */
  board: Array<string>,
  /** The picture; `null` if it is the same as before. */
  picture: StatePicture | null,
};

/** A completion of a text. */
export type Suggestion = {
  /** What a command does. */
  about?: string,
  /** The arguments of a command. */
  arguments?: string,
  /** What is shown. */
  label: string,
  /** The id of a mentioned person. */
  person?: string,
  /** The whole text as it is after choosing it. */
  text: string,
};

/** What completes the text that a person types. */
export type SuggestionsAnswer = {
  /** The suggestions, the best first. */
  suggestions: Array<Suggestion>,
};

/** The event `table`: a table has changed, for people who have signed in from another platform. */
export type TableChangeEvent = {
  /**
   * The number of the change, see
   * [`TableStateView::change`].
   */
  change: number,
  /** The code of the table. */
  table: string,
};

/** The short code of a table, which people can type: seven characters, five for older tables. */
export type TableId = string;

/** The state of a table for one viewer. */
export type TableStateView = {
  /** [`STATE_VERSION`]. */
  version: number,
  /** The code of the table. */
  table: string,
  /** The code of the game. */
  game: string,
  /** The house rules, in log notation. */
  options: string,
  /** The phase of the table. */
  phase: PhaseName,
  /** Increases with each event at the table, chat messages included. */
  change: number,
  /** Increases with each step of the game; a press for an older moment does nothing. */
  moment: number,
  /**
   * The position in the game's own notation; if hands are hidden, the part that the viewer
   * knows.
   */
  position: string | null,
  /** The player on each seat. */
  seats: Array<SeatState>,
  /** The seat to move, from 0. */
  turn: number | null,
  /** The clocks, if people play each other by a clock. */
  clock?: ClocksState,
  /** The seat that the viewer plays now; if they play several, the one to move. */
  you: number | null,
  /** Whether the viewer wants to confirm actions: an action then counts on its second press. */
  twice: boolean,
  /** The actions that the viewer may make now. */
  actions: Array<ActionState>,
  /** The tokens of the actions in rows of buttons; one page of them. */
  rows: Array<Array<string>>,
  /** The page of rows, from 0. */
  page: number,
  /** The number of pages. */
  pages: number,
  /** The other buttons of the table, in rows. */
  keys: Array<Array<ButtonState>>,
  /** The actions of seats after the requested moment, else the last one. */
  last: Array<LastAction>,
  /** The text of the board, in the viewer's language. */
  says: Array<string>,
  /**
   * The indices of its lines that matter most: whose turn it is or how the game ended, and
   * pending offers.
   */
  main: Array<number>,
  /** The times that it names. */
  times: Array<NamedTime>,
  /** The board as text. */
  board: Array<string>,
  /** The viewer's hand as text. */
  hand: Array<string>,
  /** The number of spectators. */
  watching: SpectatorCounts,
  /** Points by seat when the game is over. */
  scores: Array<number> | null,
  /** Before the start: the seats, and what the viewer may do there. */
  lobby?: LobbyState,
  /** The last finished round, in games that are played in rounds. */
  round?: RoundState,
  /** The pictures, if they were requested. */
  picture?: StatePicture,
};

/** A text as its difference to a known one, as it is sent. */
export type TextDelta = {
  /** The tag of the known text. */
  known: string,
  /** The parts of the new text. */
  patch: Array<DeltaPiece>,
};

/** A new token; the one before is invalid. */
export type TokenAnswer = {
  /** The token. */
  token: string,
};

/** The event `busy`: a person writes. */
export type TypingEvent = {
  /** The name of the person. */
  name: string,
  /** The id of the person. */
  person: string,
  /** The room. */
  room: string,
};

/** An item of a [`VectorScene`]. */
export type VectorItem = [string, number, number, Array<number>] | [string, number, number, [number, number], number] | {
  /** The text. */
  text: string,
  /** The x coordinate of the part that `anchor` names. */
  x: number,
  /** The y coordinate of the base line. */
  y: number,
  /** The font size. */
  size: number,
  /** The width of the line: another font is stretched or squeezed to it. */
  long: number,
  /** `start`, `middle` or `end`, as in SVG. */
  anchor: string,
  /** Whether the font is bold. */
  bold: boolean,
  /** The colour, as a CSS colour. */
  ink: string,
} | {
  /** The line as an SVG path. */
  d: string,
  /** The arrow head as a filled SVG path; empty if there is none. */
  head: string,
  /** The thickness of the line. */
  thick: number,
  /** The colour, as a CSS colour. */
  ink: string,
};

/** A scene to be drawn with sheets. */
export type VectorScene = {
  /** The width in units. */
  width: number,
  /** The height in units. */
  height: number,
  /** The background colour, as a CSS colour. */
  ground: string,
  /** The names of the sheets with its drawings. */
  sheets: Array<string>,
  /** The items, from the bottom to the top. */
  items: Array<VectorItem>,
};

/** A [`ViewerPage`] as one viewer may see it. */
export type ViewerPageState = ReplayState | ReviewState | LessonState;
