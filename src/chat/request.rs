//! Text and presses in, requests out. What is not for the bot gives nothing.

use super::commands::{self, Verb};
use super::course;
use super::looks::{self, Looks};
pub use super::opening::Opening;
use super::opening::{is_computer, read_level, read_open};
use super::press::{Ask, Deed, TablePress, a_computer};
use super::{Body, Mention, clocks, shown};
use crate::games::GameId;
use crate::i18n::{Lang, vocabulary};
use crate::ids::TableId;
use crate::ids::{MessageId, PlaceKind};
use crate::search::Level;
use crate::table::command::{Choice, Command, Proposal};
use crate::table::event::{Begin, DEFAULT_LEVEL};

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
    /// The choice of languages, or the choice made.
    Language {
        /// The language, if one was named that we speak.
        lang: Option<Lang>,
        /// Whether something was named that is no language of ours.
        foreign: bool,
        /// For whom.
        scope: Scope,
    },
    /// Whether cards want a second press; `None` asks how it is.
    Confirm(Option<bool>),
    /// How boards look.
    Looks(Looks),
    /// A command that does not exist, and the one that was probably meant.
    Unknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        near: Option<&'static str>,
    },
    /// A button of no known kind.
    OldButton,
    /// Words without a number, where only the bot listens: a move perhaps ("pass", "throw").
    Chatter(String),
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
}

/// What an update asks for. `None` when it is not for the bot.
pub fn read(body: &Body, kind: PlaceKind) -> Option<Request> {
    match body {
        Body::Text { text, mentions, reply_to } => {
            let text = text.trim();
            match text.strip_prefix('/') {
                Some(command) => read_command(command, mentions, reply_to.as_ref(), kind),
                None => read_words(text, reply_to.as_ref(), kind),
            }
        }
        Body::Press { press, .. } => Some(read_press(press)),
        Body::Added | Body::Removed | Body::Left { .. } | Body::Deleted | Body::Moved { .. } => {
            None
        }
    }
}

fn read_words(text: &str, reply_to: Option<&MessageId>, kind: PlaceKind) -> Option<Request> {
    let ask = Ask::Do(typed_move(text));
    match (reply_to, kind) {
        (Some(message), _) => {
            Some(Request::Table { which: Which::Message(message.clone()), ask, typed: true })
        }
        (None, PlaceKind::Private) if text.is_empty() => None,
        (None, PlaceKind::Private) if text.chars().any(|it| it.is_ascii_digit()) => {
            Some(Request::Table { which: Which::Own, ask, typed: true })
        }
        (None, PlaceKind::Private) => Some(Request::Chatter(text.to_owned())),
        (None, PlaceKind::Group) => None,
    }
}

/// What `/move` asks: words for the game, or `14.3`, a place in the own hand at a position, as it
/// is chosen while typing.
fn moved(rest: &str) -> Ask {
    let words: Vec<_> = rest.split_whitespace().filter(|it| table_code(it).is_none()).collect();
    if let [only] = words.as_slice()
        && let Some((position, n)) = only.split_once('.')
        && let (Ok(position), Ok(n)) = (position.parse(), n.parse())
    {
        return Ask::Slot { position, n };
    }
    Ask::Do(typed_move(&words.join(" ")))
}

fn typed_move(words: &str) -> Command {
    Command::Play { position: None, choice: Choice::Typed(words.to_owned()) }
}

/// Who is to play in somebody's place.
fn read_substitute(rest: &str, mentions: &[Mention]) -> Ask {
    match mentions {
        [] if rest.split_whitespace().any(|it| is_computer(it) || read_level(it).is_some()) => {
            let level = rest.split_whitespace().find_map(read_level);
            let newcomer = a_computer(level.unwrap_or(DEFAULT_LEVEL));
            Ask::Do(Command::Substitute { seat: None, newcomer })
        }
        [] => Ask::StandIns,
        who => Ask::Named { deed: Deed::Substitute, who: who.to_vec() },
    }
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
        let name = name.chars().take(32).collect();
        return ours.then_some(Request::Unknown { name, near });
    };
    let which = match rest.split_whitespace().find_map(table_code) {
        Some(table) => Which::Id(table),
        None => reply_to.map_or(Which::Own, |it| Which::Message(it.clone())),
    };
    let table = |ask| Request::Table { which: which.clone(), ask, typed: true };
    Some(match spec.verb {
        Verb::Play => Request::Play,
        Verb::Open(game) => read_open(game, rest, mentions),
        Verb::Move => table(moved(rest)),
        Verb::Board => table(Ask::Board),
        Verb::Text => switch_or(rest, Looks::Words, || table(Ask::Text)),
        Verb::Flip => switch_or(rest, Looks::Turned, || table(Ask::View)),
        Verb::Theme => Request::Looks(looks::read_theme(rest, kind)),
        Verb::Record => table(Ask::Record),
        Verb::Verify => table(Ask::Verify),
        Verb::Replay => table(Ask::Replay),
        Verb::Chart => table(Ask::Chart),
        Verb::Hint => table(Ask::Hint),
        Verb::Review => table(Ask::Review),
        Verb::Games => Request::Games,
        Verb::Join => table(Ask::Do(Command::Join)),
        Verb::Accept => table(Ask::Do(Command::Answer { offer: None, accept: true })),
        Verb::Decline => table(Ask::Do(Command::Answer { offer: None, accept: false })),
        Verb::Draw => table(Ask::Do(Command::Propose(Proposal::Draw))),
        Verb::TakeBack => table(Ask::Do(Command::Propose(Proposal::TakeBack))),
        Verb::Rematch => table(Ask::Do(Command::Propose(Proposal::Rematch))),
        Verb::Resign => table(Ask::Do(Command::Resign)),
        Verb::Abort => table(Ask::Do(Command::Abort)),
        Verb::Leave => table(Ask::Do(Command::Leave)),
        Verb::Begin => table(Ask::Do(Command::Start)),
        Verb::Kick => table(match mentions {
            [] => Ask::Guests,
            who => Ask::Named { deed: Deed::Kick, who: who.to_vec() },
        }),
        Verb::Substitute => table(read_substitute(rest, mentions)),
        Verb::Rules => read_rules(rest),
        Verb::Language => read_language(rest, kind),
        Verb::Hand => table(Ask::Hand),
        Verb::Score => table(Ask::Sheet("score".into())),
        Verb::Last => table(Ask::Sheet("last".into())),
        Verb::Options => table(Ask::Options { page: 0 }),
        Verb::Confirm => Request::Confirm(rest.split_whitespace().find_map(read_switch)),
        Verb::Help => Request::Help {
            page: u8::from(rest.split_whitespace().any(|it| said("help", it) == Some("all"))),
        },
        Verb::Private => table(Ask::Private),
        Verb::Bring => table(Ask::Bring { watches: false }),
        Verb::Watch => table(Ask::Bring { watches: true }),
        Verb::Stop => table(Ask::Stop),
        // The way to the private chat may say of which table it is.
        Verb::Start if matches!(which, Which::Id(_)) => table(Ask::Private),
        Verb::Start => Request::Help { page: 0 },
        about_time => table(timing(about_time, rest)?),
    })
}

/// What a command about time asks.
fn timing(verb: Verb, rest: &str) -> Option<Ask> {
    Some(Ask::Do(match verb {
        Verb::Clock => return Some(read_clock(rest)),
        Verb::Claim => Command::Claim,
        Verb::ComeBack => Command::ComeBack,
        Verb::Pause => Command::Propose(Proposal::Pause),
        Verb::Resume => Command::Propose(Proposal::Resume),
        Verb::Nudge => Command::Nudge,
        _ => return None,
    }))
}

/// How much time people are to have, if that is said, else the choice.
fn read_clock(rest: &str) -> Ask {
    let words = shown::words(rest);
    let said = (0..words.len()).find_map(|from| clocks::read(&words[from..]));
    said.map_or(Ask::Clocks(None), |(control, _)| Ask::Do(Command::Clock(control)))
}

/// A setting of looks if “on” or “off” is said, else something for now.
fn switch_or(rest: &str, looks: fn(bool) -> Looks, now: impl FnOnce() -> Request) -> Request {
    let switch = rest.split_whitespace().find_map(read_switch);
    switch.map_or_else(now, |on| Request::Looks(looks(on)))
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
    let game = |word: &str| match commands::find(word)?.verb {
        Verb::Open(game) => Some(game),
        _ => None,
    };
    let game = rest.split_whitespace().find_map(game);
    Request::Rules { game, page: None, answer: None }
}

fn read_language(rest: &str, kind: PlaceKind) -> Request {
    let mut scope = Scope::Person;
    let mut lang = None;
    let mut foreign = false;
    for word in rest.split_whitespace() {
        match scope_of(word, kind) {
            Some(other) => scope = other,
            None => {
                let word = word.to_lowercase();
                lang = lang.or(Lang::guess(&word));
                foreign |= Lang::guess(&word).is_none();
            }
        }
    }
    Request::Language { lang, foreign: foreign && lang.is_none(), scope }
}

/// A word that can be the code of a table: `#7k3fx` or five characters with a letter and a digit.
fn table_code(word: &str) -> Option<TableId> {
    let marked = word.strip_prefix('#');
    let code = marked.unwrap_or(word).to_lowercase();
    let fits = code.len() == CODE_LENGTH && code.bytes().all(|it| CODE_LETTERS.contains(&it));
    (fits && (marked.is_some() || code.bytes().any(|it| it.is_ascii_digit())))
        .then_some(TableId(code))
}

/// Letters of table codes: none that look alike, none that make words.
pub const CODE_LETTERS: &[u8] = b"23456789bcdfghjkmnpqrstvwxz";

/// How long a table code is.
pub const CODE_LENGTH: usize = 5;

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
        (Some("1"), game, None) => Request::Alone { game: game.and_then(GameId::read) },
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
        (Some("Q"), Some(on), None) => Request::Confirm(read_switch(on)),
        (Some("s"), Some(lang), None) => {
            let lang = Lang::of_locale(lang);
            Request::Language { lang, foreign: false, scope: Scope::Person }
        }
        (Some("S"), Some(lang), None) => {
            let lang = Lang::of_locale(lang);
            Request::Language { lang, foreign: false, scope: Scope::Chat }
        }
        (Some(letter), Some(value), None) => {
            looks::read_press(letter, value).map_or(Request::OldButton, Request::Looks)
        }
        _ => Request::OldButton,
    }
}
