//! Parses typed words and callback data into requests. Updates that are not for the bot give none.

use crate::commands;
use crate::commands::callback_data::{TableAction, TableCallback};
use crate::commands::inline_challenge;
pub use crate::commands::new_table::NewTable;
use crate::commands::new_table::{QUOTED_CHARS_MAX, is_computer_word, parse_new_table};
use crate::commands::table_command_parser;
use crate::commands::table_command_parser::TrailingWords;
use crate::commands::themes;
use crate::commands::{CommandSpec, Verb};
use crate::settings;
use crate::settings::{Setting, SettingChange, SettingsRequest};
use crate::views::course_views;
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{MessageId, PlaceId, PlaceKind};
use caravanserai_games::search::ComputerLevel;
use caravanserai_i18n::{Lang, vocabulary};
use caravanserai_protocol::{Mention, UpdateKind};
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::event::FirstMover;

/// What somebody wants of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Something of one table.
    Table {
        /// Which.
        which: TableRef,
        /// What.
        ask: TableAction,
        /// Whether it was typed out: deliberate, so it is not asked back.
        typed: bool,
    },
    /// A new table.
    Open(NewTable),
    /// The choice of games.
    Play,
    /// A person's tables.
    Games,
    /// To play alone: which game, against which computer.
    Alone {
        /// Which, if it was chosen.
        game: Option<GameId>,
    },
    /// `/start`, which clients send when a person opens a chat with the bot or adds it to a group.
    Start,
    /// What the bot can do: in short, or all of it from page 1 on.
    Help {
        /// From 1; 0 is the short one.
        page: u8,
    },
    /// The course of a game.
    Rules {
        /// Of which game; `None` means that of the table, and asks back if there are several.
        game: Option<GameId>,
        /// Name of the page; the first if it is not said.
        page: Option<String>,
        /// What was answered there, or tried.
        answer: Option<String>,
    },
    /// A word behind the command that opens a table was not understood: nothing is opened.
    Misread {
        /// Which game was to be played.
        game: GameId,
        /// The word.
        word: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// A clock that is not valid.
    UnclearClock,
    /// Something of the settings of a person or a chat.
    Settings {
        /// What.
        wish: SettingsRequest,
        /// Whether it was asked on the page of settings, which then turns; else it is told.
        paged: bool,
        /// Which chat is meant, if that is said: the page may be read in private.
        chat: Option<PlaceId>,
    },
    /// To be told once when somebody wants to play here.
    Await {
        /// Which game: whether it is awaited turns over. `None` asks back.
        game: Option<GameId>,
    },
    /// To play somebody who has posed a challenge where the bot is no member.
    Meet {
        /// What they want to play, and how.
        wanted: Box<NewTable>,
        /// The code of that challenge, see [`inline_challenge::challenge_callback_data`].
        code: String,
    },
    /// To have a table stand in the message by which somebody who plays has shared it.
    Shared {
        /// Which.
        table: TableId,
        /// What stands for whoever has shared it.
        code: String,
        /// Whether people there only look on.
        watches: bool,
    },
    /// Something of the accounts of one person.
    Link(AccountLinking),
    /// A board in a browser: of the table that is played here, if none is named.
    Page(Option<TableId>),
    /// Nobody is signed in as this person in any browser any more.
    PageOff,
    /// A board in a window of the platform, of the table that is played here.
    Launch,
    /// How it is whether moves want a second press.
    Confirm,
    /// A command that does not exist, and the one that was probably meant.
    Unknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        near: Option<&'static str>,
    },
    /// Lessons of a game that does not exist: the choice of lessons is shown.
    Lessons,
    /// A command that takes no words, with words: it does nothing.
    Unsure {
        /// The name of the command.
        command: &'static str,
        /// The words.
        words: String,
    },
    /// "No" behind a command: cancels what waits for a second message to confirm it.
    Disarm,
    /// A button of no known kind.
    OldButton,
    /// Words where only the bot listens: a move perhaps ("7", "pass", "throw").
    Chatter(String),
}

/// What somebody wants of their accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountLinking {
    /// A code to be given by another account.
    Code,
    /// To be the person who was given this code. `sure`: they were asked back.
    With {
        /// The code, in small letters.
        code: String,
        /// Whether they have confirmed it.
        sure: bool,
    },
    /// To have one person for each account again.
    Apart,
}

/// Which table is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRef {
    /// This one.
    Id(TableId),
    /// The one whose board this message is; the words are not for the bot if it is none.
    Message(MessageId),
    /// The person's own here; asked back if there are several.
    Own,
}

/// Whom a setting is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingScope {
    /// The person who asks.
    Person,
    /// Everybody in this chat.
    Chat,
    /// Every channel and thread of this server.
    Server,
}

/// Longer messages are cut: each is compared with many spellings.
const WORDS_MAX: usize = 500;

/// What is read of what somebody says.
pub fn truncate_words(text: &str) -> &str {
    let text = text.trim();
    text.char_indices().nth(WORDS_MAX).map_or(text, |(end, _)| text[..end].trim_end())
}

/// What an update asks for. `None` when it is not for the bot.
pub fn parse_request(body: &UpdateKind, kind: PlaceKind) -> Option<Request> {
    match body {
        UpdateKind::Text { text, mentions, reply_to } => {
            let text = truncate_words(text);
            match text.strip_prefix('/') {
                Some(command) => parse_command(command, mentions, reply_to.as_ref(), kind),
                None => parse_text(text, reply_to.as_ref(), kind),
            }
        }
        UpdateKind::Press { callback_data: press, .. } => Some(parse_callback_data(press)),
        UpdateKind::BotAdded
        | UpdateKind::BotRemoved
        | UpdateKind::MemberLeft { .. }
        | UpdateKind::MembersJoined { .. }
        | UpdateKind::ChatDeleted
        | UpdateKind::ChatMoved { .. } => None,
    }
}

fn parse_text(text: &str, reply_to: Option<&MessageId>, kind: PlaceKind) -> Option<Request> {
    let ask = TableAction::Do(move_command(text));
    match (reply_to, kind) {
        (Some(message), _) => {
            Some(Request::Table { which: TableRef::Message(message.clone()), ask, typed: true })
        }
        (None, PlaceKind::Private) if text.is_empty() => None,
        (None, PlaceKind::Private) => Some(Request::Chatter(text.to_owned())),
        (None, PlaceKind::Group) => None,
    }
}

/// A move in words.
pub(crate) fn move_command(words: &str) -> Command {
    Command::Play { position: None, choice: MoveChoice::Typed(words.to_owned()) }
}

fn parse_command(
    command: &str,
    mentions: &[Mention],
    reply_to: Option<&MessageId>,
    kind: PlaceKind,
) -> Option<Request> {
    let Some((spec, rest)) = commands::split_command(command) else {
        let name = command.split_whitespace().next().unwrap_or_default();
        let near = commands::suggest_command(name).map(|it| it.name);
        // In a group it may well be meant for another bot.
        let ours = kind == PlaceKind::Private || near.is_some();
        let name = name.chars().take(QUOTED_CHARS_MAX).collect();
        return ours.then_some(Request::Unknown { name, near });
    };
    let which = match rest.split_whitespace().find_map(parse_table_code) {
        Some(table) => TableRef::Id(table),
        None => reply_to.map_or(TableRef::Own, |it| TableRef::Message(it.clone())),
    };
    let table = |ask| Request::Table { which: which.clone(), ask, typed: true };
    Some(match spec.verb {
        Verb::Play if rest.split_whitespace().any(is_computer_word) => {
            Request::Alone { game: None }
        }
        Verb::Play => Request::Play,
        Verb::Open(game) => parse_new_table(game, rest, mentions),
        Verb::Games => Request::Games,
        Verb::Rules => parse_rules_command(rest),
        Verb::Help => Request::Help {
            page: u8::from(
                rest.split_whitespace().any(|it| lookup_word("help", it) == Some("all")),
            ),
        },
        Verb::Text => parse_switch_or(rest, Setting::BoardFormat, || table(TableAction::Text)),
        Verb::Flip => parse_switch_or(rest, Setting::BoardSide, || table(TableAction::View)),
        Verb::Clock => {
            table_command_parser::parse_clock_command(rest).map_or(Request::UnclearClock, table)
        }
        Verb::Start if rest == PAGE_START_WORD || rest.starts_with(PAGE_START_PREFIX) => {
            Request::Page(rest.strip_prefix(PAGE_START_PREFIX).and_then(parse_table_code))
        }
        // The way to the private chat may say of which table it is.
        Verb::Start if matches!(which, TableRef::Id(_)) => table(match kind {
            PlaceKind::Private => TableAction::Private,
            PlaceKind::Group => TableAction::Bring { watches: false },
        }),
        Verb::Start => Request::Start,
        _ => match table_command_parser::parse_table_command(spec, rest, mentions) {
            Some(Ok(ask)) => table(ask),
            Some(Err(behind)) => table_command_parser::trailing_words_request(spec, &behind),
            None => parse_own_command(spec, rest, kind),
        },
    })
}

/// A command about whoever gives it, or about the chat; of no table.
fn parse_own_command(spec: &CommandSpec, rest: &str, kind: PlaceKind) -> Request {
    match spec.verb {
        Verb::Theme => settings_request(themes::parse_theme_command(rest, kind)),
        Verb::Language => parse_language_command(rest, kind),
        Verb::Pace => settings_request(themes::parse_pace_command(rest)),
        Verb::Vacation => settings_request(settings::parse_vacation_command(rest)),
        Verb::Confirm => parse_switch_or(rest, Setting::MoveConfirmation, || Request::Confirm),
        Verb::Notify => match TrailingWords::parse(rest, &[]) {
            TrailingWords::Nothing => Request::Await { game: None },
            TrailingWords::Words(game)
                if find_named_game(&game).is_some() && !game.contains(' ') =>
            {
                Request::Await { game: find_named_game(&game) }
            }
            behind => table_command_parser::trailing_words_request(spec, &behind),
        },
        Verb::Page => {
            match (TrailingWords::parse(rest, &[]), table_command_parser::parse_switch_words(rest))
            {
                (TrailingWords::Nothing, _) => {
                    Request::Page(rest.split_whitespace().find_map(parse_table_code))
                }
                (TrailingWords::Words(_), Ok(Some(false))) => Request::PageOff,
                // "No" takes nothing away.
                (behind, _) => table_command_parser::trailing_words_request(spec, &behind),
            }
        }
        Verb::Launch => Request::Launch,
        Verb::Link if rest.is_empty() => Request::Link(AccountLinking::Code),
        Verb::Link => {
            // What is no code is none that is known.
            let code = parse_link_code(rest).unwrap_or_default();
            Request::Link(AccountLinking::With { code, sure: false })
        }
        Verb::Unlink => match TrailingWords::parse(rest, &[]) {
            TrailingWords::Nothing => Request::Link(AccountLinking::Apart),
            behind => table_command_parser::trailing_words_request(spec, &behind),
        },
        _ => {
            let wish = settings::parse_settings_command(rest, kind);
            Request::Settings { wish, paged: true, chat: None }
        }
    }
}

/// A wish whose answer is told.
fn settings_request(wish: SettingsRequest) -> Request {
    Request::Settings { wish, paged: false, chat: None }
}

/// A setting of the person with two values.
fn switch_request(row: Setting, on: bool) -> Request {
    let value = match (row, on) {
        (Setting::BoardFormat, true) => "words",
        (Setting::BoardFormat, false) => "pictures",
        (Setting::MoveConfirmation, true) => "twice",
        (Setting::MoveConfirmation, false) => "once",
        (Setting::Pace, true) => "quick",
        (Setting::Pace, false) => "calm",
        (_, true) => "own",
        (_, false) => "all",
    };
    settings_request(SettingsRequest::Set(SettingChange {
        scope: SettingScope::Person,
        setting: row,
        value: value.to_owned(),
    }))
}

/// A setting for “on” or “off”, an action if no words follow, else the choice of values.
fn parse_switch_or(rest: &str, row: Setting, now: impl FnOnce() -> Request) -> Request {
    match table_command_parser::parse_switch_words(rest) {
        Ok(Some(on)) => switch_request(row, on),
        Ok(None) => now(),
        Err(_) => settings_request(SettingsRequest::Choices(SettingScope::Person, row)),
    }
}

/// “On” or “off”, in any of our languages.
pub(crate) fn parse_switch(word: &str) -> Option<bool> {
    match lookup_word("switch", word)? {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Whom a setting is for, if this word says it.
pub(crate) fn parse_scope(word: &str, kind: PlaceKind) -> Option<SettingScope> {
    match lookup_word("scope", word)? {
        "chat" if kind == PlaceKind::Group => Some(SettingScope::Chat),
        "server" if kind == PlaceKind::Group => Some(SettingScope::Server),
        "me" => Some(SettingScope::Person),
        _ => None,
    }
}

/// What a word means of a list that is no game's, in any of our languages.
pub(crate) fn lookup_word(list: &str, word: &str) -> Option<&'static str> {
    vocabulary().general.exact_meaning(list, &word.to_lowercase())
}

/// Whose rules: `/rules blot`. Without a name those of the table that is played here.
fn parse_rules_command(rest: &str) -> Request {
    match find_named_game(rest) {
        None if !rest.is_empty() => Request::Lessons,
        game => Request::Rules { game, page: None, answer: None },
    }
}

/// The first game that is named.
fn find_named_game(rest: &str) -> Option<GameId> {
    let game = |word: &str| match commands::find_command(word)?.verb {
        Verb::Open(game) => Some(game),
        _ => None,
    };
    rest.split_whitespace().find_map(game)
}

/// To be spoken with in this language.
fn language_request(lang: Lang, scope: SettingScope) -> SettingsRequest {
    SettingsRequest::Set(SettingChange {
        scope,
        setting: Setting::Language,
        value: lang.code().to_owned(),
    })
}

fn parse_language_command(rest: &str, kind: PlaceKind) -> Request {
    let mut scope = SettingScope::Person;
    let mut lang = None;
    let (mut foreign, mut denied) = (false, false);
    for word in rest.split_whitespace() {
        match parse_scope(word, kind) {
            Some(other) => scope = other,
            None => {
                let word = word.to_lowercase();
                lang = lang.or(Lang::find_by_name(&word));
                foreign |= Lang::find_by_name(&word).is_none();
                denied |= lookup_word("refusal", &word).is_some();
            }
        }
    }
    settings_request(match lang {
        _ if denied => SettingsRequest::InvalidValue(Setting::Language),
        Some(lang) => language_request(lang, scope),
        None if foreign => SettingsRequest::InvalidValue(Setting::Language),
        None => SettingsRequest::Choices(scope, Setting::Language),
    })
}

/// A word that can be the code of a table: `#7k3fxb2`, or without the mark if a digit is in it.
pub(crate) fn parse_table_code(word: &str) -> Option<TableId> {
    let marked = word.strip_prefix('#');
    let code = marked.unwrap_or(word).to_lowercase();
    let fits = TABLE_CODE_LENGTHS.contains(&code.len())
        && code.bytes().all(|it| TABLE_CODE_ALPHABET.contains(&it));
    (fits && (marked.is_some() || code.bytes().any(|it| it.is_ascii_digit())))
        .then_some(TableId(code))
}

/// How long a code is that links accounts: nobody finds one by trying while it lives.
pub const LINK_CODE_LENGTH: usize = 10;

/// A word that can be such a code, with or without strokes in it.
fn parse_link_code(rest: &str) -> Option<String> {
    let letters = rest.chars().filter(|it| !matches!(it, '-' | ' '));
    let code: String = letters.flat_map(char::to_lowercase).collect();
    let wrong = |it: u8| !TABLE_CODE_ALPHABET.contains(&it);
    (code.len() == LINK_CODE_LENGTH && !code.bytes().any(wrong)).then_some(code)
}

/// What somebody begins the private chat with who wants their board in a browser.
const PAGE_START_WORD: &str = "web";
/// The same with the code of a table behind it.
const PAGE_START_PREFIX: &str = "web_";

/// The word by which the private chat is begun for that, see
/// [`caravanserai_protocol::Platform::private_door`].
pub fn page_start_word(table: Option<&TableId>) -> String {
    table.map_or_else(|| PAGE_START_WORD.to_owned(), |it| format!("{PAGE_START_PREFIX}{}", it.0))
}

/// Letters of table codes: none that look alike, none that make words.
pub const TABLE_CODE_ALPHABET: &[u8] = b"23456789bcdfghjkmnpqrstvwxz";

/// The button that shows the tables of whoever presses it.
pub const OWN_TABLES_CALLBACK: &str = "gm";

/// How long the codes of new tables are: ten thousand million codes, short enough to be typed.
pub const NEW_TABLE_CODE_LENGTH: usize = 7;

/// How long codes of tables are: earlier programs gave shorter ones, which stay.
pub const TABLE_CODE_LENGTHS: [usize; 2] = [5, NEW_TABLE_CODE_LENGTH];

/// A new table by button: `o.<game>`, with who else plays (`here` with whoever comes, `both` sides
/// oneself, `coached` for a first game, a computer's level), who begins and the house rules behind
/// it, as far as they are set.
fn parse_opening_callback(
    game: GameId,
    how: Option<&str>,
    begin: Option<&str>,
    options: Option<&str>,
) -> Request {
    let coached = how == Some(course_views::COACHED_TABLE);
    let level = if coached {
        Some(course_views::COACHED_OPPONENT_LEVEL)
    } else {
        how.and_then(ComputerLevel::read)
    };
    Request::Open(NewTable {
        options: options.map(str::to_owned),
        begin: begin.and_then(FirstMover::parse),
        // A first game is the shortest there is.
        seats: coached.then_some(game.info().seats.0),
        computers: level.map(|it| vec![it]),
        reuses_message: how == Some("here"),
        plays_all_sides: how == Some("both"),
        has_invite_link: how == Some("link"),
        is_coached: coached,
        ..NewTable::of(game)
    })
}

/// The button that opens such a table.
pub fn opening_callback_data(
    game: GameId,
    how: &str,
    begin: Option<FirstMover>,
    options: &str,
) -> String {
    let begin = begin.map_or("-", FirstMover::encode);
    format!("o.{}.{how}.{begin}.{options}", game.info().code)
}

fn parse_callback_data(press: &str) -> Request {
    if let Some(TableCallback { table, action: ask }) = TableCallback::parse(press) {
        return Request::Table { which: TableRef::Id(table), ask, typed: false };
    }
    let mut parts = press.split('.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("o"), Some(game), how) => match GameId::from_code(game) {
            Some(game) => parse_opening_callback(game, how, parts.next(), parts.next()),
            None => Request::OldButton,
        },
        (Some("o"), None, None) => Request::Play,
        (Some(OWN_TABLES_CALLBACK), None, None) => Request::Games,
        (Some("1"), game, None) => Request::Alone { game: game.and_then(GameId::from_code) },
        (
            Some(letter @ (inline_challenge::ACCEPT_CHALLENGE | inline_challenge::SHARE_TABLE)),
            Some(what),
            Some(code),
        ) => inline_challenge::parse_inline_callback(letter, what, code, parts.next())
            .unwrap_or(Request::OldButton),
        (Some("0"), Some(code), None) => match parse_link_code(code) {
            Some(code) => Request::Link(AccountLinking::With { code, sure: true }),
            None => Request::OldButton,
        },
        (Some("9"), Some(game), None) => match GameId::from_code(game) {
            Some(game) => Request::Await { game: Some(game) },
            None => Request::OldButton,
        },
        (Some("q"), None, None) => Request::Rules { game: None, page: None, answer: None },
        (Some("?"), Some(page), None) => {
            page.parse().map_or(Request::OldButton, |page| Request::Help { page })
        }
        (Some("q"), Some(game), Some(page)) => match GameId::from_code(game) {
            Some(game) => {
                let (page, answer) = (Some(page.to_owned()), parts.next().map(str::to_owned));
                Request::Rules { game: Some(game), page, answer }
            }
            None => Request::OldButton,
        },
        (Some(letter @ (settings::PAGED_PREFIX | settings::ANSWERED_PREFIX)), Some(_), _) => {
            let read =
                press.split_once('.').and_then(|(_, rest)| settings::parse_callback_data(rest));
            let paged = letter == settings::PAGED_PREFIX;
            read.map_or(Request::OldButton, |(wish, chat)| Request::Settings { wish, paged, chat })
        }
        (Some(letter), Some(value), None) => {
            parse_setting_callback(letter, value).unwrap_or(Request::OldButton)
        }
        _ => Request::OldButton,
    }
}

/// A setting by a button that stands under something else than the page of settings.
fn parse_setting_callback(letter: &str, value: &str) -> Option<Request> {
    let theme = |scope| {
        let value = themes::parse_theme_word(value)?.to_owned();
        Some(settings_request(SettingsRequest::Set(SettingChange {
            scope,
            setting: Setting::Theme,
            value,
        })))
    };
    let lang = |scope| Some(settings_request(language_request(Lang::from_locale(value)?, scope)));
    match letter {
        "s" => lang(SettingScope::Person),
        "S" => lang(SettingScope::Chat),
        "T" => theme(SettingScope::Person),
        "U" => theme(SettingScope::Chat),
        "F" => Some(switch_request(Setting::BoardSide, parse_switch(value)?)),
        "X" => Some(switch_request(Setting::BoardFormat, parse_switch(value)?)),
        "Q" => Some(switch_request(Setting::MoveConfirmation, parse_switch(value)?)),
        "y" => Some(switch_request(Setting::Pace, parse_switch(value)?)),
        _ => None,
    }
}
