//! `/settings`: show and change the settings of a person, a chat or a server.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::ArgumentKind;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::settings;
use crate::settings::{SettingScope, SettingsRequest};
use caravanserai_games::ids::ChatId;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Settings),
            arguments: vec![argument::optional(
                "scope",
                ArgumentKind::Choice(&["me", "chat", "server"]),
            )],
            in_short_menu: true,
            is_answered_privately: true,
            ..CommandSpec::new("settings", |input| {
                let request = settings::parse_settings_command(input.words, input.chat_kind);
                Request::chat(ChangeSettings { request, is_page: true, chat: None })
            })
        }]
    },
    buttons: &[
        ButtonCode::Chat(settings::PAGED_PREFIX, |rest| decode_button(rest, true)),
        ButtonCode::Chat(settings::ANSWERED_PREFIX, |rest| decode_button(rest, false)),
    ],
    ..CommandFile::EMPTY
};

fn decode_button(rest: &str, is_page: bool) -> Option<Request> {
    let (request, chat) = settings::parse_callback_data(rest)?;
    Some(Request::chat(ChangeSettings { request, is_page, chat }))
}

/// Shows or changes settings of a person, a chat or a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSettings {
    /// The request.
    pub request: SettingsRequest,
    /// Whether the answer is a settings page that replaces the pressed page.
    pub is_page: bool,
    /// The chat that is meant, if the page is read in private.
    pub chat: Option<ChatId>,
}

impl ChatAction for ChangeSettings {
    fn needs_admin(&self) -> bool {
        match &self.request {
            SettingsRequest::Page(scope) => *scope != SettingScope::Person,
            SettingsRequest::Set(change) => change.scope != SettingScope::Person,
            SettingsRequest::Choices(scope, setting) => {
                let choice = setting.definition().choice.filter(|_| !self.is_page);
                *scope != SettingScope::Person || choice.is_some_and(|it| it.is_also_for_chat)
            }
            SettingsRequest::Rules { .. } | SettingsRequest::GuardedGames => true,
            SettingsRequest::InvalidValue(_) => false,
        }
    }

    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let (request, chat) = (self.request.clone(), self.chat.clone());
            handlers.settings.handle_settings(context, request, self.is_page, chat).await
        })
    }
}
