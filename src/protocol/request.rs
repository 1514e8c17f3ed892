//! Text and presses in, requests out. What is not for the bot gives nothing.

use super::commands::{self, Spec, Verb};
use super::course;
use super::looks;
pub use super::opening::Opening;
use super::opening::{SHOWN_CHARS, is_computer, read_open};
use super::posed;
use super::press::{Ask, TablePress};
use super::settings::{self, Change, Row, Wish};
use super::table_commands::{self, Behind};
use super::{Body, Mention};
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{MessageId, PlaceId, PlaceKind};
use caravanserai_games::search::Level;
use caravanserai_i18n::{Lang, vocabulary};
use caravanserai_table::command::{Choice, Command};
use caravanserai_table::event::Begin;

/// What somebody wants of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Something of one table.
    Table {
        /// Which.
        which: Which,
        /// What.
        ask: Ask,
        /// Whether it was typed out: deliberate, so it is not asked back.
        typed: bool,
    },
    /// A new table.
    Open(Opening),
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
        wish: Wish,
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
        wanted: Box<Opening>,
        /// What stands for them, see [`posed::meeting_press`].
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
    Link(Linking),
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
pub enum Linking {
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
pub enum Which {
    /// This one.
    Id(TableId),
    /// The one whose board this message is; the words are not for the bot if it is none.
    Message(MessageId),
    /// The person's own here; asked back if there are several.
    Own,
}

/// Whom a setting is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
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
pub fn words(text: &str) -> &str {
    let text = text.trim();
    text.char_indices().nth(WORDS_MAX).map_or(text, |(end, _)| text[..end].trim_end())
}

/// What an update asks for. `None` when it is not for the bot.
pub fn read(body: &Body, kind: PlaceKind) -> Option<Request> {
    match body {
        Body::Text { text, mentions, reply_to } => {
            let text = words(text);
            match text.strip_prefix('/') {
                Some(command) => read_command(command, mentions, reply_to.as_ref(), kind),
                None => read_words(text, reply_to.as_ref(), kind),
            }
        }
        Body::Press { press, .. } => Some(read_press(press)),
        Body::Added
        | Body::Removed
        | Body::Left { .. }
        | Body::Came { .. }
        | Body::Deleted
        | Body::Moved { .. } => None,
    }
}

fn read_words(text: &str, reply_to: Option<&MessageId>, kind: PlaceKind) -> Option<Request> {
    let ask = Ask::Do(typed_move(text));
    match (reply_to, kind) {
        (Some(message), _) => {
            Some(Request::Table { which: Which::Message(message.clone()), ask, typed: true })
        }
        (None, PlaceKind::Private) if text.is_empty() => None,
        (None, PlaceKind::Private) => Some(Request::Chatter(text.to_owned())),
        (None, PlaceKind::Group) => None,
    }
}

/// A move in words.
pub(super) fn typed_move(words: &str) -> Command {
    Command::Play { position: None, choice: Choice::Typed(words.to_owned()) }
}

fn read_command(
    command: &str,
    mentions: &[Mention],
    reply_to: Option<&MessageId>,
    kind: PlaceKind,
) -> Option<Request> {
    let Some((spec, rest)) = commands::begins(command) else {
        let name = command.split_whitespace().next().unwrap_or_default();
        let near = commands::near(name).map(|it| it.name);
        // In a group it may well be meant for another bot.
        let ours = kind == PlaceKind::Private || near.is_some();
        let name = name.chars().take(SHOWN_CHARS).collect();
        return ours.then_some(Request::Unknown { name, near });
    };
    let which = match rest.split_whitespace().find_map(table_code) {
        Some(table) => Which::Id(table),
        None => reply_to.map_or(Which::Own, |it| Which::Message(it.clone())),
    };
    let table = |ask| Request::Table { which: which.clone(), ask, typed: true };
    Some(match spec.verb {
        Verb::Play if rest.split_whitespace().any(is_computer) => Request::Alone { game: None },
        Verb::Play => Request::Play,
        Verb::Open(game) => read_open(game, rest, mentions),
        Verb::Games => Request::Games,
        Verb::Rules => read_rules(rest),
        Verb::Help => Request::Help {
            page: u8::from(rest.split_whitespace().any(|it| said("help", it) == Some("all"))),
        },
        Verb::Text => switch_or(rest, Row::Boards, || table(Ask::Text)),
        Verb::Flip => switch_or(rest, Row::Side, || table(Ask::View)),
        Verb::Clock => table_commands::read_clock(rest).map_or(Request::UnclearClock, table),
        Verb::Start if rest == PAGE || rest.starts_with(PAGE_OF) => {
            Request::Page(rest.strip_prefix(PAGE_OF).and_then(table_code))
        }
        // The way to the private chat may say of which table it is.
        Verb::Start if matches!(which, Which::Id(_)) => table(match kind {
            PlaceKind::Private => Ask::Private,
            PlaceKind::Group => Ask::Bring { watches: false },
        }),
        Verb::Start => Request::Start,
        _ => match table_commands::read(spec, rest, mentions) {
            Some(Ok(ask)) => table(ask),
            Some(Err(behind)) => table_commands::answer(spec, &behind),
            None => read_own(spec, rest, kind),
        },
    })
}

/// A command about whoever gives it, or about the chat; of no table.
fn read_own(spec: &Spec, rest: &str, kind: PlaceKind) -> Request {
    match spec.verb {
        Verb::Theme => told(looks::read_theme(rest, kind)),
        Verb::Language => read_language(rest, kind),
        Verb::Pace => told(looks::read_pace(rest)),
        Verb::Vacation => told(settings::read_vacation(rest)),
        Verb::Confirm => switch_or(rest, Row::Press, || Request::Confirm),
        Verb::Notify => match Behind::read(rest, &[]) {
            Behind::Nothing => Request::Await { game: None },
            Behind::Words(game) if named_game(&game).is_some() && !game.contains(' ') => {
                Request::Await { game: named_game(&game) }
            }
            behind => table_commands::answer(spec, &behind),
        },
        Verb::Page => match (Behind::read(rest, &[]), table_commands::switch(rest)) {
            (Behind::Nothing, _) => Request::Page(rest.split_whitespace().find_map(table_code)),
            (Behind::Words(_), Ok(Some(false))) => Request::PageOff,
            // "No" takes nothing away.
            (behind, _) => table_commands::answer(spec, &behind),
        },
        Verb::Launch => Request::Launch,
        Verb::Link if rest.is_empty() => Request::Link(Linking::Code),
        Verb::Link => {
            // What is no code is none that is known.
            let code = link_code(rest).unwrap_or_default();
            Request::Link(Linking::With { code, sure: false })
        }
        Verb::Unlink => match Behind::read(rest, &[]) {
            Behind::Nothing => Request::Link(Linking::Apart),
            behind => table_commands::answer(spec, &behind),
        },
        _ => {
            let wish = settings::read_page(rest, kind);
            Request::Settings { wish, paged: true, chat: None }
        }
    }
}

/// A wish whose answer is told.
fn told(wish: Wish) -> Request {
    Request::Settings { wish, paged: false, chat: None }
}

/// A setting of the person with two values.
fn switched(row: Row, on: bool) -> Request {
    let value = match (row, on) {
        (Row::Boards, true) => "words",
        (Row::Boards, false) => "pictures",
        (Row::Press, true) => "twice",
        (Row::Press, false) => "once",
        (Row::Pace, true) => "quick",
        (Row::Pace, false) => "calm",
        (_, true) => "own",
        (_, false) => "all",
    };
    told(Wish::Set(Change { scope: Scope::Person, row, value: value.to_owned() }))
}

/// A setting for “on” or “off”, an action if no words follow, else the choice of values.
fn switch_or(rest: &str, row: Row, now: impl FnOnce() -> Request) -> Request {
    match table_commands::switch(rest) {
        Ok(Some(on)) => switched(row, on),
        Ok(None) => now(),
        Err(_) => told(Wish::Choices(Scope::Person, row)),
    }
}

/// “On” or “off”, in any of our languages.
pub(super) fn read_switch(word: &str) -> Option<bool> {
    match said("switch", word)? {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Whom a setting is for, if this word says it.
pub(super) fn scope_of(word: &str, kind: PlaceKind) -> Option<Scope> {
    match said("scope", word)? {
        "chat" if kind == PlaceKind::Group => Some(Scope::Chat),
        "server" if kind == PlaceKind::Group => Some(Scope::Server),
        "me" => Some(Scope::Person),
        _ => None,
    }
}

/// What a word means of a list that is no game's, in any of our languages.
pub(super) fn said(list: &str, word: &str) -> Option<&'static str> {
    vocabulary().general.exactly(list, &word.to_lowercase())
}

/// Whose rules: `/rules blot`. Without a name those of the table that is played here.
fn read_rules(rest: &str) -> Request {
    match named_game(rest) {
        None if !rest.is_empty() => Request::Lessons,
        game => Request::Rules { game, page: None, answer: None },
    }
}

/// The first game that is named.
fn named_game(rest: &str) -> Option<GameId> {
    let game = |word: &str| match commands::find(word)?.verb {
        Verb::Open(game) => Some(game),
        _ => None,
    };
    rest.split_whitespace().find_map(game)
}

/// To be spoken with in this language.
fn spoken(lang: Lang, scope: Scope) -> Wish {
    Wish::Set(Change { scope, row: Row::Language, value: lang.code().to_owned() })
}

fn read_language(rest: &str, kind: PlaceKind) -> Request {
    let mut scope = Scope::Person;
    let mut lang = None;
    let (mut foreign, mut denied) = (false, false);
    for word in rest.split_whitespace() {
        match scope_of(word, kind) {
            Some(other) => scope = other,
            None => {
                let word = word.to_lowercase();
                lang = lang.or(Lang::guess(&word));
                foreign |= Lang::guess(&word).is_none();
                denied |= said("refusal", &word).is_some();
            }
        }
    }
    told(match lang {
        _ if denied => Wish::Foreign(Row::Language),
        Some(lang) => spoken(lang, scope),
        None if foreign => Wish::Foreign(Row::Language),
        None => Wish::Choices(scope, Row::Language),
    })
}

/// A word that can be the code of a table: `#7k3fxb2`, or without the mark if a digit is in it.
pub(super) fn table_code(word: &str) -> Option<TableId> {
    let marked = word.strip_prefix('#');
    let code = marked.unwrap_or(word).to_lowercase();
    let fits =
        CODE_LENGTHS.contains(&code.len()) && code.bytes().all(|it| CODE_LETTERS.contains(&it));
    (fits && (marked.is_some() || code.bytes().any(|it| it.is_ascii_digit())))
        .then_some(TableId(code))
}

/// How long a code is that links accounts: nobody finds one by trying while it lives.
pub const LINK_LENGTH: usize = 10;

/// A word that can be such a code, with or without strokes in it.
fn link_code(rest: &str) -> Option<String> {
    let letters = rest.chars().filter(|it| !matches!(it, '-' | ' '));
    let code: String = letters.flat_map(char::to_lowercase).collect();
    let wrong = |it: u8| !CODE_LETTERS.contains(&it);
    (code.len() == LINK_LENGTH && !code.bytes().any(wrong)).then_some(code)
}

/// What somebody begins the private chat with who wants their board in a browser.
const PAGE: &str = "web";
/// The same with the code of a table behind it.
const PAGE_OF: &str = "web_";

/// The word by which the private chat is begun for that, see [`super::Platform::private_door`].
pub fn page_word(table: Option<&TableId>) -> String {
    table.map_or_else(|| PAGE.to_owned(), |it| format!("{PAGE_OF}{}", it.0))
}

/// Letters of table codes: none that look alike, none that make words.
pub const CODE_LETTERS: &[u8] = b"23456789bcdfghjkmnpqrstvwxz";

/// The button that shows the tables of whoever presses it.
pub const GAMES: &str = "gm";

/// How long the codes of new tables are: ten thousand million codes, short enough to be typed.
pub const NEW_CODE_LENGTH: usize = 7;

/// How long codes of tables are: earlier programs gave shorter ones, which stay.
pub const CODE_LENGTHS: [usize; 2] = [5, NEW_CODE_LENGTH];

/// A new table by button: `o.<game>`, with who else plays (`here` with whoever comes, `both` sides
/// oneself, `coached` for a first game, a computer's level), who begins and the house rules behind
/// it, as far as they are set.
fn pressed_open(
    game: GameId,
    how: Option<&str>,
    begin: Option<&str>,
    options: Option<&str>,
) -> Request {
    let coached = how == Some(course::COACHED);
    let level = if coached { Some(course::COACHED_AGAINST) } else { how.and_then(Level::read) };
    Request::Open(Opening {
        options: options.map(str::to_owned),
        begin: begin.and_then(Begin::read),
        // A first game is the shortest there is.
        seats: coached.then_some(game.info().seats.0),
        computers: level.map(|it| vec![it]),
        adopt: how == Some("here"),
        both: how == Some("both"),
        linked: how == Some("link"),
        coached,
        ..Opening::of(game)
    })
}

/// The button that opens such a table.
pub fn opening_press(game: GameId, how: &str, begin: Option<Begin>, options: &str) -> String {
    let begin = begin.map_or("-", Begin::write);
    format!("o.{}.{how}.{begin}.{options}", game.info().code)
}

fn read_press(press: &str) -> Request {
    if let Some(TablePress { table, ask }) = TablePress::read(press) {
        return Request::Table { which: Which::Id(table), ask, typed: false };
    }
    let mut parts = press.split('.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("o"), Some(game), how) => match GameId::read(game) {
            Some(game) => pressed_open(game, how, parts.next(), parts.next()),
            None => Request::OldButton,
        },
        (Some("o"), None, None) => Request::Play,
        (Some(GAMES), None, None) => Request::Games,
        (Some("1"), game, None) => Request::Alone { game: game.and_then(GameId::read) },
        (Some(letter @ (posed::MEETS | posed::SHARES)), Some(what), Some(code)) => {
            posed::read(letter, what, code, parts.next()).unwrap_or(Request::OldButton)
        }
        (Some("0"), Some(code), None) => match link_code(code) {
            Some(code) => Request::Link(Linking::With { code, sure: true }),
            None => Request::OldButton,
        },
        (Some("9"), Some(game), None) => match GameId::read(game) {
            Some(game) => Request::Await { game: Some(game) },
            None => Request::OldButton,
        },
        (Some("q"), None, None) => Request::Rules { game: None, page: None, answer: None },
        (Some("?"), Some(page), None) => {
            page.parse().map_or(Request::OldButton, |page| Request::Help { page })
        }
        (Some("q"), Some(game), Some(page)) => match GameId::read(game) {
            Some(game) => {
                let (page, answer) = (Some(page.to_owned()), parts.next().map(str::to_owned));
                Request::Rules { game: Some(game), page, answer }
            }
            None => Request::OldButton,
        },
        (Some(letter @ (settings::PAGED | settings::TOLD)), Some(_), _) => {
            let read = press.split_once('.').and_then(|(_, rest)| settings::read_press(rest));
            let paged = letter == settings::PAGED;
            read.map_or(Request::OldButton, |(wish, chat)| Request::Settings { wish, paged, chat })
        }
        (Some(letter), Some(value), None) => {
            setting_press(letter, value).unwrap_or(Request::OldButton)
        }
        _ => Request::OldButton,
    }
}

/// A setting by a button that stands under something else than the page of settings.
fn setting_press(letter: &str, value: &str) -> Option<Request> {
    let theme = |scope| {
        let value = looks::theme(value)?.to_owned();
        Some(told(Wish::Set(Change { scope, row: Row::Theme, value })))
    };
    let lang = |scope| Some(told(spoken(Lang::of_locale(value)?, scope)));
    match letter {
        "s" => lang(Scope::Person),
        "S" => lang(Scope::Chat),
        "T" => theme(Scope::Person),
        "U" => theme(Scope::Chat),
        "F" => Some(switched(Row::Side, read_switch(value)?)),
        "X" => Some(switched(Row::Boards, read_switch(value)?)),
        "Q" => Some(switched(Row::Press, read_switch(value)?)),
        "y" => Some(switched(Row::Pace, read_switch(value)?)),
        _ => None,
    }
}
