//! The commands that open a table, one for each game, with friends, computers and rules as
//! arguments.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::{ArgumentKind, CommandArgument};
use super::input::CommandInput;
use super::learn::ShowLesson;
use super::play::ChooseGame;
use super::play_alone::CASUAL;
use super::refusals::{RefuseClock, RefuseOldButton, RefuseWord};
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, Suggestions};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::new_table::{NewTable, NewTableWords, parse_new_table};
use crate::views::course_views;
use caravanserai_games::GameId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::event::FirstMover;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || GameId::all().iter().copied().map(command_of_game).collect(),
    buttons: &[ButtonCode::Chat("o", decode_button)],
    ..CommandFile::EMPTY
};

const LEVEL: CommandArgument = argument::optional(
    "level",
    ArgumentKind::Choice(&["beginner", "easy", "medium", "strong", "master"]),
);

const OPPONENT: CommandArgument =
    argument::optional("against", ArgumentKind::Choice(&["computer"]));

/// A game for two players has arguments for the opponent, the rules and the player who begins.
fn command_of_game(game: GameId) -> CommandSpec {
    let info = game.info();
    let mut arguments = vec![argument::FRIEND];
    if info.seats.most == 2 {
        if let [variant] = info.switches {
            arguments.push(argument::optional("variant", ArgumentKind::Choice(variant.values)));
        }
        let begin = ArgumentKind::Choice(&["lot", "me", "friend"]);
        arguments.push(argument::optional("begin", begin));
    } else {
        let friend = |name| argument::optional(name, ArgumentKind::Person);
        arguments.extend(["second", "third"].map(friend));
    }
    arguments.extend([OPPONENT, LEVEL, argument::CLOCK]);
    CommandSpec {
        arguments,
        in_short_menu: true,
        posts_board: true,
        suggestions: Suggestions::Clocks,
        ..CommandSpec::of_game(game, parse)
    }
}

fn parse(input: &CommandInput<'_>) -> Request {
    match input.spec.game {
        Some(game) if !input.options.is_empty() => request(NewTable::from_options(game, input)),
        Some(game) => request(parse_new_table(game, input.words, input.mentions)),
        None => Request::chat(RefuseOldButton),
    }
}

/// The request for the words behind the command of a game.
pub(crate) fn request(words: NewTableWords) -> Request {
    match words {
        NewTableWords::Table(wanted) => Request::chat(OpenTable(wanted)),
        NewTableWords::Rules(game) => Request::chat(ShowLesson::for_game(Some(game))),
        NewTableWords::InvalidClock => Request::chat(RefuseClock),
        NewTableWords::Unknown { game, word, near } => {
            Request::chat(RefuseWord { game, word, near })
        }
    }
}

/// The callback data of the button that opens a table. `how` says who else plays: `here` for
/// anybody who joins, `both` for one person on both sides, `coached` for a first game, `link` for
/// people who get a link, or the level of a computer. Then follow the player who begins and the
/// house rules.
pub fn new_game_callback_data(
    game: GameId,
    how: &str,
    begin: Option<FirstMover>,
    options: &str,
) -> String {
    let begin = begin.map_or("-", FirstMover::encode);
    format!("o.{}.{how}.{begin}.{options}", game.info().code)
}

/// The callback data of the button that opens the same table for a game just for fun.
pub fn casual_game_callback_data(data: String) -> String {
    data + "." + CASUAL
}

/// Decodes the choice of games if there are no arguments, else a new table.
fn decode_button(rest: &str) -> Option<Request> {
    if rest.is_empty() {
        return Some(Request::chat(ChooseGame));
    }
    let mut parts = rest.split('.');
    let game = GameId::from_code(parts.next()?)?;
    let how = parts.next();
    let begin = parts.next();
    let options = parts.next();
    let mut is_casual = false;
    let mut clock = None;
    for part in parts {
        match part {
            CASUAL => is_casual = true,
            other => clock = TimeControl::parse(other),
        }
    }
    let is_coached = how == Some(course_views::COACHED_TABLE);
    let level = match is_coached {
        true => Some(course_views::COACHED_OPPONENT_LEVEL),
        false => how.and_then(ComputerLevel::read),
    };
    Some(Request::chat(OpenTable(NewTable {
        options: options.map(str::to_owned),
        begin: begin.and_then(FirstMover::parse),
        // The learner knows the board of the course, from the side of its learner.
        seats: is_coached.then(|| game.course_seats()),
        computers: level.map(|it| vec![it]),
        reuses_message: how == Some("here"),
        plays_all_sides: how == Some("both"),
        has_invite_link: how == Some("link"),
        is_coached,
        rated: is_casual.then_some(false),
        clock,
        ..NewTable::for_game(game)
    })))
}

/// Opens a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable(pub NewTable);

impl ChatAction for OpenTable {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.opener.handle_open(context, self.0.clone()).await })
    }
}
