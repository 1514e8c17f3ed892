//! `/settings`: show and change the settings of a person, a chat or a server.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::ArgumentKind;
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::settings;
use crate::settings::{SettingScope, SettingsReply, SettingsRequest};
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
                Request::chat(ChangeSettings { request, reply: SettingsReply::Page, chat: None })
            })
        }]
    },
    buttons: &[
        ButtonCode::Chat(SettingsReply::Page.callback_prefix(), |rest| {
            decode_button(rest, SettingsReply::Page)
        }),
        ButtonCode::Chat(SettingsReply::Message.callback_prefix(), |rest| {
            decode_button(rest, SettingsReply::Message)
        }),
    ],
    ..CommandFile::EMPTY
};

fn decode_button(rest: &str, reply: SettingsReply) -> Option<Request> {
    let (request, chat) = settings::parse_callback_data(rest)?;
    Some(Request::chat(ChangeSettings { request, reply, chat }))
}

/// Shows or changes settings of a person, a chat or a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSettings {
    /// The request.
    pub request: SettingsRequest,
    /// How it is answered.
    pub reply: SettingsReply,
    /// The chat that is meant, if the page is read in private.
    pub chat: Option<ChatId>,
}

impl ChatAction for ChangeSettings {
    fn needs_admin(&self) -> bool {
        match &self.request {
            SettingsRequest::Page(scope) => *scope != SettingScope::Person,
            SettingsRequest::Set(change) => change.scope != SettingScope::Person,
            SettingsRequest::Choices(scope, setting) => {
                let choice =
                    setting.definition().choice.filter(|_| self.reply == SettingsReply::Message);
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
            let request = self.request.clone();
            let chat = self.chat.clone();
            handlers.settings.handle_settings(context, request, self.reply, chat).await
        })
    }
}
