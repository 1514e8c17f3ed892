//! Answers operators, and refuses or ignores the updates of people and chats that they banned.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_views};
use super::request_error::RequestError;
use crate::admin::bans::{BanKind, ban_of_person};
use crate::admin::operator_switches::read_switches;
use crate::admin::{AdminActor, AdminCommand, AdminReply, BanEffect, parse_admin_command};
use crate::commands::account::{DeleteAccount, ExportAccount, ShowAccount};
use crate::commands::action::Request;
use crate::commands::admin::step_button;
use crate::repository::Failure;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{ButtonTone, ChatLookup, Person};

impl Handlers {
    /// Whether an operator sends the update.
    pub(crate) fn is_from_operator(&self, context: &RequestContext<'_>) -> bool {
        self.operator_commands.is_operator(accounts_of(context))
    }

    /// Whether all commands in the chat of the update are for this bot.
    pub(crate) fn is_only_bot(&self, context: &RequestContext<'_>) -> bool {
        self.delivery.capabilities(&context.update.chat.id).is_only_bot
    }

    /// Runs the words behind `/admin` for an operator in a private chat.
    pub(crate) async fn run_admin_words(
        &self,
        context: &RequestContext<'_>,
        words: &str,
    ) -> HandlerResult {
        match parse_admin_command(words) {
            Ok(command) => self.run_admin_command(context, command).await,
            Err(why) => Ok(vec![lines_view(&[why])]),
        }
    }

    /// Runs a command for an operator. In a group the answer only names the private chat.
    pub(crate) async fn run_admin_command(
        &self,
        context: &RequestContext<'_>,
        command: AdminCommand,
    ) -> HandlerResult {
        if context.update.chat.kind != ChatKind::Private {
            return Ok(brief_views("refuse-admin-group"));
        }
        let name = context.account.0.clone();
        let actor = AdminActor { name, cause: format!("host:{}", context.update.id) };
        Ok(vec![reply_view(&self.answer_operator(command, &actor).await?)])
    }

    /// Runs a command of an operator and returns the answer, also for one at the command line.
    pub(crate) async fn answer_operator(
        &self,
        command: AdminCommand,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        match self.resolve_named_chat(command).await {
            Ok(command) => self.operator_commands.run(command, actor).await,
            Err(error) => Ok(AdminReply::refusal(error.refusal()?)),
        }
    }

    /// The command with the id of the chat that its platform means by a name.
    async fn resolve_named_chat(
        &self,
        command: AdminCommand,
    ) -> Result<AdminCommand, RequestError<String>> {
        let Some(target) = command.ban_target().filter(|it| it.kind == BanKind::Chat) else {
            return Ok(command);
        };
        let is_ban = matches!(command, AdminCommand::Ban(..));
        // A ban of a chat that is gone can still be ended.
        if matches!(command, AdminCommand::Unban(_))
            && self.operator_commands.is_banned(target).await?
        {
            return Ok(command);
        }
        match self.delivery.find_chat(&ChatId(target.id.clone())) {
            ChatLookup::Known(chat) => Ok(command.with_target_id(chat.without_topic())),
            ChatLookup::Unknown if is_ban => {
                let why = format!("there is no chat {}, so nothing is banned", target.id);
                Err(RequestError::Refused(why))
            }
            ChatLookup::Unknown | ChatLookup::Unsupported => Ok(command),
        }
    }

    /// Returns what bans do to the update. Everybody may see and delete what is stored about them.
    pub(super) async fn ban_effect(
        &self,
        context: &RequestContext<'_>,
        request: Option<&Request>,
    ) -> Result<BanEffect, Failure> {
        let is_private = context.update.chat.kind == ChatKind::Private;
        let is_about_own_data = is_private && request.is_some_and(is_about_own_data);
        if !context.operator_switches.has_bans || is_about_own_data {
            return Ok(BanEffect::None);
        }
        let accounts: Vec<&PersonId> = accounts_of(context).collect();
        let chat = &context.update.chat;
        // An update may name fewer parents than the stored profile.
        let parents = chat.parents.clone().or_known(context.chat_settings.parents.clone());
        self.operator_commands.apply_ban(&accounts, &chat.id, &parents).await
    }

    /// Whether a person is banned, by this account or by any that it is linked with.
    pub(crate) async fn is_banned(&self, person: &Person) -> Result<bool, Failure> {
        let (_, switches) = read_switches(&self.repository).await?;
        if !switches.has_bans {
            return Ok(false);
        }
        let accounts = self.repository.profiles().all_accounts(&person.id).await?;
        if self.operator_commands.is_operator(&accounts) {
            return Ok(false);
        }
        Ok(ban_of_person(&self.repository, &accounts).await?.is_some())
    }
}

/// All accounts of the person who sends the update.
fn accounts_of<'a>(context: &'a RequestContext<'_>) -> impl Iterator<Item = &'a PersonId> {
    [&context.update.person.id, &context.account].into_iter().chain(&context.person.accounts)
}

/// Whether a request is about what is stored about the person.
fn is_about_own_data(request: &Request) -> bool {
    request.chat_action::<ShowAccount>().is_some()
        || request.chat_action::<ExportAccount>().is_some()
        || request.chat_action::<DeleteAccount>().is_some()
}

fn reply_view(reply: &AdminReply) -> View {
    let mut view = lines_view(&reply.lines);
    if let Some((label, callback_data)) = reply.next_step.as_ref().and_then(step_button) {
        let button = ButtonSpec::new(Text::new(label), callback_data).with_tone(ButtonTone::Danger);
        view.button_rows = vec![vec![button]];
    }
    view
}

/// An answer that only its operator reads.
fn lines_view(lines: &[String]) -> View {
    let line = |it: &String| Text::new("answer-admin").with("text", it.as_str());
    View { secret: true, ..View::persistent(lines.iter().map(line).collect()) }
}
