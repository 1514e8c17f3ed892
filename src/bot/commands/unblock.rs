//! `/unblock`: end the block of a person; without a name, the list of blocked people.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::block::parse_person;
use super::input::CommandInput;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use caravanserai_protocol::Mention;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::FRIEND],
            is_answered_privately: true,
            is_confidential: true,
            ..CommandSpec::understood("unblock", parse)
        }]
    },
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    parse_person(input, |person| Request::chat(UnblockPerson { person }))
}

/// Ends the block of a person.
#[derive(Clone, Debug)]
pub struct UnblockPerson {
    /// The person, as they were mentioned.
    pub person: Mention,
}

impl ChatAction for UnblockPerson {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.block_lists.unblock(context, &self.person).await })
    }
}
