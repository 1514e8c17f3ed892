//! The one table of commands: parser, `/help`, platform menus and suggestions come from it.
//!
//! To add a command: a variant of [`Verb`], a row here, its arm in `parse`, its description
//! `command-<name>` and its other spellings (list `command`) in the folders of the languages. A
//! test says what is missing.

use std::sync::LazyLock;

pub(super) use super::command_names::one_slip;
pub use super::command_names::{begins, find, near};
use caravanserai_games::GameId;
use caravanserai_games::input::Vocabulary;
use caravanserai_games::words::Text;
use caravanserai_i18n::{Lang, vocabulary, vocabulary_of};

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Choose a game.
    Play,
    /// Open a table of this game.
    Open(GameId),
    /// Make a move.
    Move,
    /// Settle moves before it is the turn.
    Foresee,
    /// Bring the board down.
    Board,
    /// The board in words.
    Text,
    /// The board for one's own eyes, and whether one's own side is below.
    Flip,
    /// The looks of boards.
    Theme,
    /// The own hand.
    Hand,
    /// The hands of a deal that is over.
    Hands,
    /// The score sheet.
    Score,
    /// What was played last.
    Last,
    /// The house rules of a table.
    Options,
    /// Whether cards want a second press.
    Confirm,
    /// A person's tables.
    Games,
    /// Be told when somebody wants to play.
    Notify,
    /// Sit down.
    Join,
    /// Accept a challenge or an offer.
    Accept,
    /// Decline an invitation or an offer.
    Decline,
    /// Offer a draw, or agree to one.
    Draw,
    /// Ask for the last move back.
    TakeBack,
    /// Give up the game.
    Resign,
    /// Give up the table before the second move.
    Abort,
    /// Stand up before the start.
    Leave,
    /// Begin with those who are there.
    Begin,
    /// Send somebody away before the start.
    Kick,
    /// Let somebody take over a seat.
    Substitute,
    /// How much time people have.
    Clock,
    /// All clocks stand.
    Pause,
    /// All clocks go on.
    Resume,
    /// Take the win, for the opponent's time has run out.
    Claim,
    /// Play again after having been away.
    ComeBack,
    /// Remind whoever is on turn.
    Nudge,
    /// Not to be there for some days.
    Vacation,
    /// Play again with sides exchanged.
    Rematch,
    /// The record of the last game.
    Record,
    /// How chance can be checked.
    Verify,
    /// The last game as a moving picture.
    Replay,
    /// The score over a game.
    Chart,
    /// What a strong player would do.
    Hint,
    /// Where the last game turned.
    Review,
    /// How quickly computers go on.
    Pace,
    /// The rules in pictures.
    Rules,
    /// Choose a language.
    Language,
    /// All that a person or a chat may choose for itself.
    Settings,
    /// Be one person on several platforms.
    Link,
    /// Be one no longer.
    Unlink,
    /// The own board in the private chat.
    Private,
    /// Have a table stand here too.
    Bring,
    /// The same to look on only.
    Watch,
    /// Take a table away from here that was brought.
    Stop,
    /// A board in a browser.
    Page,
    /// A board in a window of the platform.
    Launch,
    /// What the bot can do.
    Help,
    /// Begin a private chat.
    Start,
}

/// An argument of a command, in the order it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name in menus, and key `argument-<name>`.
    pub name: &'static str,
    /// What may stand there.
    pub kind: ArgumentKind,
    /// Whether the command means nothing without it.
    pub required: bool,
}

/// What may stand in an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A person.
    Person,
    /// One of these words; what people see has the key `choice-<word>`.
    Choice(&'static [&'static str]),
    /// Words that depend on the table: offered while typing.
    Offered,
    /// One of our languages, by its code.
    Language,
    /// One of our games, by its command.
    Game,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Name: `a-z` only, at most 32 characters, as both platforms demand.
    pub name: &'static str,
    /// Other spellings that are understood, in all languages.
    pub aliases: &'static [String],
    /// What it is for.
    pub verb: Verb,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Whether menus of groups list it.
    pub in_groups: bool,
    /// Whether menus of private chats list it.
    pub in_private: bool,
}

const fn argument(name: &'static str, kind: ArgumentKind, required: bool) -> Argument {
    Argument { name, kind, required }
}

impl Spec {
    /// Spellings in one language.
    pub fn aliases_in(&self, lang: Lang) -> &'static [String] {
        aliases(vocabulary_of(lang), self.name, self.verb)
    }
}

/// Other spellings of a command: those of general commands stand together, those for opening a
/// table with the words of the game.
fn aliases(words: &'static Vocabulary, name: &str, verb: Verb) -> &'static [String] {
    if let Verb::Open(game) = verb {
        return words.of(game.info().code).of("command", "open");
    }
    words.general.of("command", name)
}

fn spec(name: &'static str, verb: Verb) -> Spec {
    let (aliases, arguments) = (aliases(vocabulary(), name, verb), Vec::new());
    Spec { name, aliases, verb, arguments, in_groups: true, in_private: true }
}

const TABLE: Argument = argument("table", ArgumentKind::Offered, false);
const SWITCH: Argument = argument("switch", ArgumentKind::Choice(&["on", "off"]), false);

const LEVEL: Argument = argument(
    "level",
    ArgumentKind::Choice(&["beginner", "easy", "medium", "strong", "master"]),
    false,
);

const CLOCK: Argument = argument("clock", ArgumentKind::Offered, false);

const AGAINST: Argument = argument("against", ArgumentKind::Choice(&["computer"]), false);

/// The command that opens a table of a game. What two play is asked for in one line: with whom,
/// by which rules, who begins.
fn opens(game: GameId) -> Spec {
    let info = game.info();
    let friend = |name| argument(name, ArgumentKind::Person, false);
    let mut arguments = vec![friend("friend")];
    if info.seats.1 == 2 {
        if let [variant] = info.switches {
            arguments.push(argument("variant", ArgumentKind::Choice(variant.values), false));
        }
        arguments.push(argument("begin", ArgumentKind::Choice(&["lot", "me", "friend"]), false));
    } else {
        arguments.extend(["second", "third"].map(friend));
    }
    arguments.extend([AGAINST, LEVEL, CLOCK]);
    Spec { arguments, ..spec(info.command, Verb::Open(game)) }
}

/// Every command, in the order of menus.
pub static COMMANDS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
    let [first, rest @ ..] = &general()[..] else { return Vec::new() };
    let games = GameId::all().iter().copied().map(opens);
    [first.clone()].into_iter().chain(games).chain(rest.iter().cloned()).collect()
});

/// The commands that are of no game. That for choosing a game comes first.
fn general() -> Vec<Spec> {
    [playing(), placing(), consenting(), timing(), looking_back(), settings(), unlisted()].concat()
}

/// What is asked for while a game is on.
fn playing() -> Vec<Spec> {
    [
        spec("play", Verb::Play),
        Spec {
            arguments: vec![argument("move", ArgumentKind::Offered, true)],
            ..spec("move", Verb::Move)
        },
        Spec {
            arguments: vec![argument("plan", ArgumentKind::Offered, false)],
            ..spec("if", Verb::Foresee)
        },
        Spec { arguments: vec![TABLE], ..spec("board", Verb::Board) },
        Spec { arguments: vec![TABLE], ..spec("hand", Verb::Hand) },
        Spec { arguments: vec![TABLE], ..spec("score", Verb::Score) },
        Spec { arguments: vec![TABLE], ..spec("last", Verb::Last) },
        Spec { arguments: vec![TABLE], ..spec("hint", Verb::Hint) },
        spec("games", Verb::Games),
        Spec {
            arguments: vec![argument("game", ArgumentKind::Game, false)],
            in_private: false,
            ..spec("notify", Verb::Notify)
        },
    ]
    .into()
}

/// One table in several places.
fn placing() -> Vec<Spec> {
    let code = argument("table", ArgumentKind::Offered, true);
    [
        Spec { arguments: vec![TABLE], ..spec("private", Verb::Private) },
        Spec { arguments: vec![TABLE], ..spec("web", Verb::Page) },
        Spec { arguments: vec![code], ..spec("bring", Verb::Bring) },
        Spec { arguments: vec![code], ..spec("watch", Verb::Watch) },
        Spec { arguments: vec![TABLE], ..spec("stop", Verb::Stop) },
    ]
    .into()
}

/// What others have to agree to, or are told of.
fn consenting() -> Vec<Spec> {
    [
        spec("draw", Verb::Draw),
        spec("takeback", Verb::TakeBack),
        spec("resign", Verb::Resign),
        spec("abort", Verb::Abort),
        spec("leave", Verb::Leave),
        spec("begin", Verb::Begin),
        Spec {
            arguments: vec![argument("friend", ArgumentKind::Person, false)],
            in_private: false,
            ..spec("kick", Verb::Kick)
        },
        Spec {
            arguments: vec![argument("friend", ArgumentKind::Person, false)],
            in_private: false,
            ..spec("substitute", Verb::Substitute)
        },
        spec("rematch", Verb::Rematch),
    ]
    .into()
}

/// How much time there is, and what becomes of those who let it pass.
fn timing() -> Vec<Spec> {
    [
        Spec { arguments: vec![CLOCK], ..spec("clock", Verb::Clock) },
        Spec { arguments: vec![TABLE], ..spec("pause", Verb::Pause) },
        Spec { arguments: vec![TABLE], ..spec("resume", Verb::Resume) },
        Spec { arguments: vec![TABLE], ..spec("claim", Verb::Claim) },
        Spec { arguments: vec![TABLE], ..spec("return", Verb::ComeBack) },
        Spec { arguments: vec![TABLE], ..spec("nudge", Verb::Nudge) },
        Spec {
            arguments: vec![argument("days", ArgumentKind::Offered, false)],
            ..spec("vacation", Verb::Vacation)
        },
    ]
    .into()
}

/// What is left of a game.
fn looking_back() -> Vec<Spec> {
    [
        Spec { arguments: vec![TABLE], ..spec("record", Verb::Record) },
        Spec { arguments: vec![TABLE], ..spec("verify", Verb::Verify) },
        Spec { arguments: vec![TABLE], ..spec("replay", Verb::Replay) },
        Spec { arguments: vec![TABLE], ..spec("chart", Verb::Chart) },
        Spec { arguments: vec![TABLE], ..spec("review", Verb::Review) },
        Spec { arguments: vec![TABLE], ..spec("hands", Verb::Hands) },
    ]
    .into()
}

/// How things look and what can be read.
fn settings() -> Vec<Spec> {
    [
        Spec { arguments: vec![TABLE, SWITCH], ..spec("text", Verb::Text) },
        Spec { arguments: vec![TABLE, SWITCH], ..spec("flip", Verb::Flip) },
        Spec {
            arguments: vec![
                argument("theme", ArgumentKind::Choice(super::looks::THEMES), false),
                argument("scope", ArgumentKind::Choice(&["me", "chat"]), false),
            ],
            ..spec("theme", Verb::Theme)
        },
        Spec { arguments: vec![TABLE], ..spec("options", Verb::Options) },
        Spec {
            arguments: vec![argument("switch", ArgumentKind::Choice(&["on", "off"]), false)],
            ..spec("confirm", Verb::Confirm)
        },
        Spec {
            arguments: vec![argument("pace", ArgumentKind::Choice(&["calm", "quick"]), false)],
            ..spec("pace", Verb::Pace)
        },
        Spec {
            arguments: vec![argument("game", ArgumentKind::Game, false)],
            ..spec("rules", Verb::Rules)
        },
        Spec {
            arguments: vec![
                argument("language", ArgumentKind::Language, false),
                argument("scope", ArgumentKind::Choice(&["me", "chat"]), false),
            ],
            ..spec("language", Verb::Language)
        },
        Spec {
            arguments: vec![argument(
                "scope",
                ArgumentKind::Choice(&["me", "chat", "server"]),
                false,
            )],
            ..spec("settings", Verb::Settings)
        },
        Spec {
            arguments: vec![argument("code", ArgumentKind::Offered, false)],
            ..spec("link", Verb::Link)
        },
        spec("unlink", Verb::Unlink),
        spec("help", Verb::Help),
    ]
    .into()
}

/// What is understood and stands in no menu.
fn unlisted() -> Vec<Spec> {
    [
        Spec { in_groups: false, in_private: false, ..spec("start", Verb::Start) },
        Spec { in_groups: false, in_private: false, ..spec("launch", Verb::Launch) },
        Spec { in_groups: false, in_private: false, ..spec("join", Verb::Join) },
        Spec { in_groups: false, in_private: false, ..spec("accept", Verb::Accept) },
        Spec { in_groups: false, in_private: false, ..spec("decline", Verb::Decline) },
    ]
    .into()
}

/// What may follow a command, for people: `<pit>`, `[@friend] [rules]`. `say` puts a text into
/// the words of whoever reads it.
pub fn arguments(spec: &Spec, say: &dyn Fn(&Text) -> String) -> String {
    let argument = |it: &Argument| {
        let name = say(&Text::new(format!("argument-{}", it.name)));
        let at = if it.kind == ArgumentKind::Person { "@" } else { "" };
        if it.required { format!("<{at}{name}>") } else { format!("[{at}{name}]") }
    };
    spec.arguments.iter().map(argument).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_both_platforms_and_no_spelling_means_two_things() {
        let mut seen = std::collections::HashMap::new();
        for spec in COMMANDS.iter() {
            assert!(spec.name.len() <= 32 && spec.name.bytes().all(|it| it.is_ascii_lowercase()));
            let aliases = spec.aliases.iter().map(String::as_str);
            for known in std::iter::once(spec.name).chain(aliases) {
                // Languages may share a word for the same thing.
                let before = seen.insert(known, spec.name);
                assert!(before.is_none_or(|it| it == spec.name), "{known} twice");
                assert_eq!(known.to_lowercase(), known);
            }
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        for (typed, meant) in [("togys", "togyz"), ("boadr", "board"), ("halp", "help")] {
            assert_eq!(near(typed).map(|it| it.name), Some(meant), "{typed}");
        }
        assert_eq!(near("poll"), None);
    }
}
