//! `/block`: keep a person from challenging oneself and from sharing a table; without a name, the
//! list of blocked people.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::input::CommandInput;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::trailing_words::TrailingWords;
use caravanserai_protocol::Mention;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::FRIEND],
            is_answered_privately: true,
            is_confidential: true,
            ..CommandSpec::new("block", parse)
        }]
    },
    buttons: &[ButtonCode::Chat(BLOCK_CODE, decode_button)],
    ..CommandFile::EMPTY
};

/// The code of the buttons of the list.
const BLOCK_CODE: &str = "bk";

/// The mark of a button that shows a page, in front of its number.
const PAGE_MARK: &str = "p.";

/// The callback data of the button that shows a page of the list.
pub(crate) fn page_callback_data(page: u8) -> String {
    format!("{BLOCK_CODE}.{PAGE_MARK}{page}")
}

/// The callback data of the button that unblocks the person with this tag.
pub(crate) fn unblock_callback_data(tag: u64) -> String {
    format!("{BLOCK_CODE}.{tag:x}")
}

fn decode_button(rest: &str) -> Option<Request> {
    match rest.strip_prefix(PAGE_MARK) {
        Some(page) => Some(Request::chat(ShowBlockList { page: page.parse().ok()? })),
        None => {
            let tag = u64::from_str_radix(rest, 16).ok()?;
            Some(Request::chat(UnblockListed { tag }))
        }
    }
}

fn parse(input: &CommandInput<'_>) -> Request {
    parse_person(input, |person| Request::chat(BlockPerson { person }))
}

/// The request about the person who is named, or for the list.
pub(super) fn parse_person(input: &CommandInput<'_>, act: fn(Mention) -> Request) -> Request {
    match (input.trailing_words_without_mentions(), input.mentions) {
        (TrailingWords::Nothing, []) => Request::chat(ShowBlockList { page: 0 }),
        (TrailingWords::Nothing, [person]) => act(person.clone()),
        _ => input.refuse_words(&input.trailing_words()),
    }
}

/// Blocks a person.
#[derive(Clone, Debug)]
pub struct BlockPerson {
    /// The person, as they were mentioned.
    pub person: Mention,
}

impl ChatAction for BlockPerson {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.block_lists.block(context, &self.person).await })
    }
}

/// Shows whom the person has blocked.
#[derive(Clone, Copy, Debug)]
pub struct ShowBlockList {
    /// The page, from 0.
    pub page: u8,
}

impl ChatAction for ShowBlockList {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.block_lists.list(context, self.page).await })
    }
}

/// Unblocks a person of the list.
#[derive(Clone, Copy, Debug)]
pub struct UnblockListed {
    /// The tag of the person.
    pub tag: u64,
}

impl ChatAction for UnblockListed {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.block_lists.unblock_tag(context, self.tag).await })
    }
}
