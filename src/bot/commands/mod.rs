//! The list of commands. Parser, `/help`, menus of the platforms and suggestions are made from it.
//!
//! To add a command: a variant of [`Verb`], a row here, its arm in `parse`, its description
//! `command-<name>` and its other spellings (list `command`) in the folders of the languages. A
//! test names what is missing.

pub mod admin_rights;
pub mod callback_data;
pub mod command_lookup;
pub mod inline_challenge;
pub mod new_table;
pub mod phrases;
pub mod request_parser;
pub mod table_command_parser;
pub mod themes;

use std::sync::LazyLock;

pub(crate) use crate::commands::command_lookup::is_one_edit_apart;
pub use crate::commands::command_lookup::{find_command, split_command, suggest_command};
use caravanserai_games::GameId;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::Vocabulary;
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
pub struct CommandArgument {
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
    Suggested,
    /// One of our languages, by its code.
    Language,
    /// One of our games, by its command.
    Game,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    /// Name: `a-z` only, at most 32 characters, as both platforms demand.
    pub name: &'static str,
    /// Other spellings that are understood, in all languages.
    pub aliases: &'static [String],
    /// What it is for.
    pub verb: Verb,
    /// Its arguments.
    pub arguments: Vec<CommandArgument>,
    /// Whether menus of groups list it.
    pub in_groups: bool,
    /// Whether menus of private chats list it.
    pub in_private: bool,
}

const fn argument(name: &'static str, kind: ArgumentKind, required: bool) -> CommandArgument {
    CommandArgument { name, kind, required }
}

impl CommandSpec {
    /// Spellings in one language.
    pub fn aliases_of_language(&self, lang: Lang) -> &'static [String] {
        find_aliases(vocabulary_of(lang), self.name, self.verb)
    }
}

/// Other spellings of a command: those of general commands stand together, those for opening a
/// table with the words of the game.
fn find_aliases(words: &'static Vocabulary, name: &str, verb: Verb) -> &'static [String] {
    if let Verb::Open(game) = verb {
        return words.game_words(game.info().code).spellings("command", "open");
    }
    words.general.spellings("command", name)
}

fn command_spec(name: &'static str, verb: Verb) -> CommandSpec {
    let (aliases, arguments) = (find_aliases(vocabulary(), name, verb), Vec::new());
    CommandSpec { name, aliases, verb, arguments, in_groups: true, in_private: true }
}

const TABLE_ARGUMENT: CommandArgument = argument("table", ArgumentKind::Suggested, false);
const SWITCH_ARGUMENT: CommandArgument =
    argument("switch", ArgumentKind::Choice(&["on", "off"]), false);

const LEVEL_ARGUMENT: CommandArgument = argument(
    "level",
    ArgumentKind::Choice(&["beginner", "easy", "medium", "strong", "master"]),
    false,
);

const CLOCK_ARGUMENT: CommandArgument = argument("clock", ArgumentKind::Suggested, false);

const OPPONENT_ARGUMENT: CommandArgument =
    argument("against", ArgumentKind::Choice(&["computer"]), false);

/// The command that opens a table of a game. What two play is asked for in one line: with whom,
/// by which rules, who begins.
fn game_command(game: GameId) -> CommandSpec {
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
    arguments.extend([OPPONENT_ARGUMENT, LEVEL_ARGUMENT, CLOCK_ARGUMENT]);
    CommandSpec { arguments, ..command_spec(info.command, Verb::Open(game)) }
}

/// Every command, in the order of menus.
pub static COMMANDS: LazyLock<Vec<CommandSpec>> = LazyLock::new(|| {
    let [first, rest @ ..] = &general_commands()[..] else { return Vec::new() };
    let games = GameId::all().iter().copied().map(game_command);
    [first.clone()].into_iter().chain(games).chain(rest.iter().cloned()).collect()
});

/// The commands that are of no game. That for choosing a game comes first.
fn general_commands() -> Vec<CommandSpec> {
    [
        game_play_commands(),
        location_commands(),
        consent_commands(),
        clock_commands(),
        review_commands(),
        settings_commands(),
        unlisted_commands(),
    ]
    .concat()
}

/// What is asked for while a game is on.
fn game_play_commands() -> Vec<CommandSpec> {
    [
        command_spec("play", Verb::Play),
        CommandSpec {
            arguments: vec![argument("move", ArgumentKind::Suggested, true)],
            ..command_spec("move", Verb::Move)
        },
        CommandSpec {
            arguments: vec![argument("plan", ArgumentKind::Suggested, false)],
            ..command_spec("if", Verb::Foresee)
        },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("board", Verb::Board) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("hand", Verb::Hand) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("score", Verb::Score) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("last", Verb::Last) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("hint", Verb::Hint) },
        command_spec("games", Verb::Games),
        CommandSpec {
            arguments: vec![argument("game", ArgumentKind::Game, false)],
            in_private: false,
            ..command_spec("notify", Verb::Notify)
        },
    ]
    .into()
}

/// One table in several places.
fn location_commands() -> Vec<CommandSpec> {
    let code = argument("table", ArgumentKind::Suggested, true);
    [
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("private", Verb::Private) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("web", Verb::Page) },
        CommandSpec { arguments: vec![code], ..command_spec("bring", Verb::Bring) },
        CommandSpec { arguments: vec![code], ..command_spec("watch", Verb::Watch) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("stop", Verb::Stop) },
    ]
    .into()
}

/// What others have to agree to, or are told of.
fn consent_commands() -> Vec<CommandSpec> {
    [
        command_spec("draw", Verb::Draw),
        command_spec("takeback", Verb::TakeBack),
        command_spec("resign", Verb::Resign),
        command_spec("abort", Verb::Abort),
        command_spec("leave", Verb::Leave),
        command_spec("begin", Verb::Begin),
        CommandSpec {
            arguments: vec![argument("friend", ArgumentKind::Person, false)],
            in_private: false,
            ..command_spec("kick", Verb::Kick)
        },
        CommandSpec {
            arguments: vec![argument("friend", ArgumentKind::Person, false)],
            in_private: false,
            ..command_spec("substitute", Verb::Substitute)
        },
        command_spec("rematch", Verb::Rematch),
    ]
    .into()
}

/// How much time there is, and what becomes of those who let it pass.
fn clock_commands() -> Vec<CommandSpec> {
    [
        CommandSpec { arguments: vec![CLOCK_ARGUMENT], ..command_spec("clock", Verb::Clock) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("pause", Verb::Pause) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("resume", Verb::Resume) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("claim", Verb::Claim) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("return", Verb::ComeBack) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("nudge", Verb::Nudge) },
        CommandSpec {
            arguments: vec![argument("days", ArgumentKind::Suggested, false)],
            ..command_spec("vacation", Verb::Vacation)
        },
    ]
    .into()
}

/// What is left of a game.
fn review_commands() -> Vec<CommandSpec> {
    [
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("record", Verb::Record) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("verify", Verb::Verify) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("replay", Verb::Replay) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("chart", Verb::Chart) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("review", Verb::Review) },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("hands", Verb::Hands) },
    ]
    .into()
}

/// How things look and what can be read.
fn settings_commands() -> Vec<CommandSpec> {
    [
        CommandSpec {
            arguments: vec![TABLE_ARGUMENT, SWITCH_ARGUMENT],
            ..command_spec("text", Verb::Text)
        },
        CommandSpec {
            arguments: vec![TABLE_ARGUMENT, SWITCH_ARGUMENT],
            ..command_spec("flip", Verb::Flip)
        },
        CommandSpec {
            arguments: vec![
                argument("theme", ArgumentKind::Choice(crate::commands::themes::THEMES), false),
                argument("scope", ArgumentKind::Choice(&["me", "chat"]), false),
            ],
            ..command_spec("theme", Verb::Theme)
        },
        CommandSpec { arguments: vec![TABLE_ARGUMENT], ..command_spec("options", Verb::Options) },
        CommandSpec {
            arguments: vec![argument("switch", ArgumentKind::Choice(&["on", "off"]), false)],
            ..command_spec("confirm", Verb::Confirm)
        },
        CommandSpec {
            arguments: vec![argument("pace", ArgumentKind::Choice(&["calm", "quick"]), false)],
            ..command_spec("pace", Verb::Pace)
        },
        CommandSpec {
            arguments: vec![argument("game", ArgumentKind::Game, false)],
            ..command_spec("rules", Verb::Rules)
        },
        CommandSpec {
            arguments: vec![
                argument("language", ArgumentKind::Language, false),
                argument("scope", ArgumentKind::Choice(&["me", "chat"]), false),
            ],
            ..command_spec("language", Verb::Language)
        },
        CommandSpec {
            arguments: vec![argument(
                "scope",
                ArgumentKind::Choice(&["me", "chat", "server"]),
                false,
            )],
            ..command_spec("settings", Verb::Settings)
        },
        CommandSpec {
            arguments: vec![argument("code", ArgumentKind::Suggested, false)],
            ..command_spec("link", Verb::Link)
        },
        command_spec("unlink", Verb::Unlink),
        command_spec("help", Verb::Help),
    ]
    .into()
}

/// What is understood and stands in no menu.
fn unlisted_commands() -> Vec<CommandSpec> {
    [
        CommandSpec { in_groups: false, in_private: false, ..command_spec("start", Verb::Start) },
        CommandSpec { in_groups: false, in_private: false, ..command_spec("launch", Verb::Launch) },
        CommandSpec { in_groups: false, in_private: false, ..command_spec("join", Verb::Join) },
        CommandSpec { in_groups: false, in_private: false, ..command_spec("accept", Verb::Accept) },
        CommandSpec {
            in_groups: false,
            in_private: false,
            ..command_spec("decline", Verb::Decline)
        },
    ]
    .into()
}

/// What may follow a command, for people: `<pit>`, `[@friend] [rules]`. `say` puts a text into
/// the words of whoever reads it.
pub fn arguments_text(spec: &CommandSpec, say: &dyn Fn(&Text) -> String) -> String {
    let argument = |it: &CommandArgument| {
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
            assert_eq!(suggest_command(typed).map(|it| it.name), Some(meant), "{typed}");
        }
        assert_eq!(suggest_command("poll"), None);
    }
}
