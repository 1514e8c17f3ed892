//! `/substitute`: let a person or a computer take over a seat of a running game.

use super::action::{
    ActionFuture, ButtonData, ExecuteCommand, Request, TableAction, TableCandidate, TableFit,
    TableRequest, execute, without_arguments,
};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use crate::parsing::new_table::{is_computer_word, is_filler_word, parse_level};
use crate::parsing::trailing_words::{TrailingWords, words_without_table_codes};
use crate::views::pending_offers;
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_table::Refusal;
use caravanserai_table::command::Command;
use caravanserai_table::event::{DEFAULT_LEVEL, computer_id, computer_level};
use caravanserai_table::people::Invitee;
use caravanserai_table::state::Table;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::FRIEND],
            in_private: false,
            ..CommandSpec::new("substitute", parse)
        }]
    },
    buttons: &[
        ButtonCode::Table("A", |arguments| without_arguments(arguments, ShowSubstituteChoice)),
        ButtonCode::Table("B", |arguments| {
            let (seat, level) = match arguments {
                // The first version of the button had no level.
                [seat] => (seat, DEFAULT_LEVEL),
                [seat, level] => (seat, ComputerLevel::read(level)?),
                _ => return None,
            };
            let seat = Some(seat.parse().ok()?);
            let newcomer = computer_newcomer(level);
            Some(execute(Command::ProposeSubstitute { seat, newcomer }))
        }),
        ButtonCode::Table("Y", |arguments| match arguments {
            [seat] => Some(execute(Command::TakeOver { seat: Some(seat.parse().ok()?) })),
            _ => None,
        }),
    ],
    table_commands: &[
        TableCommandSpec::new(encode_proposal, |it| it.fit_for_seated()),
        TableCommandSpec {
            no_table_key: Some("refuse-nothing-to-join"),
            ..TableCommandSpec::new(
                |it| match it {
                    Command::TakeOver { seat: Some(seat) } => Some(ButtonData::with("Y", seat)),
                    Command::TakeOver { seat: None } => Some(ButtonData::new("j")),
                    _ => None,
                },
                |it| TableFit::likely_if(!it.is_seated && it.is_playing),
            )
        },
    ],
};

fn encode_proposal(command: &Command) -> Option<ButtonData> {
    match command {
        Command::ProposeSubstitute { seat: Some(seat), newcomer } if newcomer.is_computer() => {
            let level = newcomer.person.as_ref().and_then(computer_level).unwrap_or(DEFAULT_LEVEL);
            Some(ButtonData::with("B", format!("{seat}.{}", level.code())))
        }
        // Names may be long, so the button shows the list to choose from.
        Command::ProposeSubstitute { .. } => Some(ShowSubstituteChoice.button()),
        _ => None,
    }
}

/// A computer as the new player of a seat.
pub fn computer_newcomer(level: ComputerLevel) -> Invitee {
    Invitee { person: Some(computer_id(level)), username: None, name: String::new() }
}

fn parse(input: &CommandInput<'_>) -> Request {
    let words = words_without_table_codes(input.words);
    let is_known =
        |word: &&str| is_computer_word(word) || parse_level(word).is_some() || is_filler_word(word);
    match (input.trailing_words_without_mentions(), input.mentions) {
        (TrailingWords::Nothing, []) => input.about_table(ShowSubstituteChoice),
        (TrailingWords::Nothing, people) => {
            input.about_table(SubstituteMentioned { people: people.to_vec() })
        }
        (TrailingWords::Words(_), []) if words.iter().all(is_known) => {
            let level = words.iter().find_map(|it| parse_level(it));
            let newcomer = computer_newcomer(level.unwrap_or(DEFAULT_LEVEL));
            let command = Command::ProposeSubstitute { seat: None, newcomer };
            input.about_table(ExecuteCommand(command))
        }
        (words, _) => input.refuse_words(&words),
    }
}

/// Shows who can take over each seat.
#[derive(Clone, Copy, Debug)]
pub struct ShowSubstituteChoice;

impl TableAction for ShowSubstituteChoice {
    fn button(&self) -> ButtonData {
        ButtonData::new("A")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let person = &request.context.update.person.id;
            Ok(vec![pending_offers::substitutes_view(request.guard.table(), person)])
        })
    }
}

/// Lets the mentioned person take over the seat of the sender. If two people are mentioned, the
/// second takes over from the first. A player who is mentioned alone is replaced by a computer, or
/// asked for the seat if the sender does not play.
#[derive(Clone, Debug)]
pub struct SubstituteMentioned {
    /// The mentioned people, in this order.
    pub people: Vec<Mention>,
}

impl TableAction for SubstituteMentioned {
    fn button(&self) -> ButtonData {
        ShowSubstituteChoice.button()
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_while_playing()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, origin } = request;
            let mentions = &handlers.mentions;
            let sender = context.update.person.id.clone();
            let people = mentions.resolve_mentions(context, guard.table(), &self.people);
            let command = match people.await {
                Ok((first, second)) => substitute_command(guard.table(), &sender, first, second),
                Err(error) => Err(Refusal::new(error.refusal()?)),
            };
            handlers.execute_or_refuse(context, guard, command, origin).await
        })
    }
}

/// The command of this person for one or two mentioned people.
///
/// # Errors
/// A refusal if nobody was mentioned, or if two were mentioned and the first does not play.
fn substitute_command(
    table: &Table,
    sender: &PersonId,
    first: Option<Invitee>,
    second: Option<Invitee>,
) -> Result<Command, Refusal> {
    let refuse = |text| Err(Refusal::new(text));
    let seat = |it: &Invitee| it.person.as_ref().and_then(|it| table.seating.seats_of(it).next());
    let Some(first) = first else { return refuse(Text::new("refuse-nobody-named")) };
    match (seat(&first), second) {
        (Some(seat), Some(newcomer)) => {
            Ok(Command::ProposeSubstitute { seat: Some(seat), newcomer })
        }
        (None, Some(_)) => refuse(Text::new("refuse-not-here").with("name", &*first.name)),
        (Some(seat), None) if !table.seating.is_seated(sender) => {
            Ok(Command::TakeOver { seat: Some(seat) })
        }
        (Some(seat), None) => {
            let newcomer = computer_newcomer(DEFAULT_LEVEL);
            Ok(Command::ProposeSubstitute { seat: Some(seat), newcomer })
        }
        (None, None) => Ok(Command::ProposeSubstitute { seat: None, newcomer: first }),
    }
}
