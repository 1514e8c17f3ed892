//! `/kick`: remove a person from a table before the game starts.

use super::action::{
    ActionFuture, ButtonData, Request, TableAction, TableCandidate, TableFit, TableRequest,
    execute, without_arguments,
};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile, TableCommandSpec};
use super::spec::{CommandSpec, MenuGroup};
use crate::parsing::trailing_words::TrailingWords;
use crate::views::lobby_view;
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_table::Refusal;
use caravanserai_table::command::{Command, KickTarget};

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Table),
            arguments: vec![argument::FRIEND],
            in_private: false,
            ..CommandSpec::new("kick", parse)
        }]
    },
    buttons: &[
        ButtonCode::Table("W", |arguments| without_arguments(arguments, ShowKickChoice)),
        ButtonCode::Table("K", |arguments| match arguments {
            [version, seat] => Some(execute(Command::Kick(KickTarget::Seat {
                version: version.parse().ok()?,
                seat: seat.parse().ok()?,
            }))),
            _ => None,
        }),
        ButtonCode::Table("Q", |arguments| match arguments {
            [version, n] => Some(execute(Command::Kick(KickTarget::Friend {
                version: version.parse().ok()?,
                n: n.parse().ok()?,
            }))),
            _ => None,
        }),
    ],
    table_commands: &[TableCommandSpec::new(encode_kick, |it| it.fit_in_lobby())],
};

fn encode_kick(command: &Command) -> Option<ButtonData> {
    let Command::Kick(target) = command else { return None };
    Some(match target {
        KickTarget::Seat { version, seat } => ButtonData::with("K", format!("{version}.{seat}")),
        KickTarget::Friend { version, n } => ButtonData::with("Q", format!("{version}.{n}")),
        // Names may be long, so the button shows the list to choose from.
        KickTarget::Named(_) => ShowKickChoice.button(),
    })
}

fn parse(input: &CommandInput<'_>) -> Request {
    match input.trailing_words_without_mentions() {
        TrailingWords::Nothing if input.mentions.is_empty() => input.about_table(ShowKickChoice),
        TrailingWords::Nothing => {
            input.about_table(KickMentioned { people: input.mentions.to_vec() })
        }
        words => input.refuse_words(&words),
    }
}

/// Shows the opener the people who can be removed.
#[derive(Clone, Copy, Debug)]
pub struct ShowKickChoice;

impl TableAction for ShowKickChoice {
    fn button(&self) -> ButtonData {
        ButtonData::new("W")
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_in_lobby()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        Some("refuse-none-waiting")
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![lobby_view::kick_view(request.guard.table())]) })
    }
}

/// Removes the first person who was mentioned.
#[derive(Clone, Debug)]
pub struct KickMentioned {
    /// The mentioned people, in this order.
    pub people: Vec<Mention>,
}

impl TableAction for KickMentioned {
    fn button(&self) -> ButtonData {
        ShowKickChoice.button()
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        candidate.fit_in_lobby()
    }

    fn no_table_key(&self) -> Option<&'static str> {
        ShowKickChoice.no_table_key()
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, origin } = request;
            let mentions = &handlers.mentions;
            let people = mentions.resolve_mentions(context, guard.table(), &self.people);
            let command = match people.await {
                Ok((Some(person), _)) => Ok(Command::Kick(KickTarget::Named(person))),
                Ok((None, _)) => Err(Text::new("refuse-nobody-named")),
                Err(error) => Err(error.refusal()?),
            };
            let command = command.map_err(Refusal::new);
            handlers.execute_or_refuse(context, guard, command, origin).await
        })
    }
}
