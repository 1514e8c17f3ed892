//! `/hidename`: admins of a chat hide the displayed name of a person there, or show it again.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument::{self, ArgumentKind};
use super::input::CommandInput;
use super::registry::CommandFile;
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::handlers::{Handlers, RequestContext};
use crate::parsing::trailing_words::{TrailingWords, parse_switch_words};
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::View;

/// The commands of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![
                argument::FRIEND,
                argument::optional("reason", ArgumentKind::Suggested),
            ],
            in_private: false,
            is_answered_privately: true,
            is_confidential: true,
            suggestions: Suggestions::None,
            ..CommandSpec::understood("hidename", parse)
        }]
    },
    ..CommandFile::EMPTY
};

fn parse(input: &CommandInput<'_>) -> Request {
    let [person] = input.mentions else {
        return match (input.trailing_words_without_mentions(), input.mentions) {
            (TrailingWords::Nothing, []) => Request::chat(ExplainHiddenNames),
            _ => input.refuse_words(&input.trailing_words()),
        };
    };
    let person = person.clone();
    if parse_switch_words(input.words) == Ok(Some(false)) {
        return Request::chat(ShowName { person });
    }
    let reason = match input.trailing_words_without_mentions() {
        TrailingWords::Nothing => String::new(),
        TrailingWords::No => return Request::chat(ShowName { person }),
        TrailingWords::Words(reason) => reason,
    };
    Request::chat(HideName { person, reason })
}

/// Hides the name of a person.
#[derive(Clone, Debug)]
pub struct HideName {
    /// The person, as they were mentioned.
    pub person: Mention,
    /// The reason, for the person; may be empty.
    pub reason: String,
}

impl ChatAction for HideName {
    fn needs_admin(&self) -> bool {
        true
    }

    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.name_hider.hide(context, &self.person, &self.reason).await })
    }
}

/// Shows the name of a person again.
#[derive(Clone, Debug)]
pub struct ShowName {
    /// The person, as they were mentioned.
    pub person: Mention,
}

impl ChatAction for ShowName {
    fn needs_admin(&self) -> bool {
        true
    }

    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.name_hider.show(context, &self.person).await })
    }
}

/// Explains how names are hidden.
#[derive(Clone, Copy, Debug)]
pub struct ExplainHiddenNames;

impl ChatAction for ExplainHiddenNames {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![View::persistent(vec![Text::new("answer-hidename")])]) })
    }
}
