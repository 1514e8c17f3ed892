//! Deletes what is stored about a person or a chat, for those who cannot do it themselves: people
//! who have lost their account, and admins of a chat that the bot has left.

use super::admin_command::ConfirmationStep;
use super::audit_log::audit_put;
use super::bans::{BanKind, BanTarget, KnownId};
use super::{AdminActor, AdminCommand, AdminReply, OperatorCommands, time_text};
use crate::personal_data::chat_deletion;
use crate::personal_data::deletion_requests::{DeletionCause, DeletionRequests};
use crate::repository::profiles::ChatProfile;
use crate::repository::row_update::TypedRowKey;
use crate::repository::stored_rows::parse_json_or_default;
use crate::repository::{CommitOutcome, Failure};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::ParentChats;
use caravanserai_store::Space;

/// The most chats inside another one that are named.
const NAMED_MAX: usize = 10;

impl OperatorCommands {
    /// Deletes the data of a person or a chat, after two questions.
    pub(super) async fn delete_data(
        &self,
        target: &BanTarget,
        step: ConfirmationStep,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        if target.is_tag() {
            return Ok(AdminReply::refusal("the id is missing; it looks like telegram:123"));
        }
        let next_step = match step {
            ConfirmationStep::Ask => ConfirmationStep::AskAgain,
            ConfirmationStep::AskAgain => ConfirmationStep::Confirm,
            ConfirmationStep::Confirm => {
                return match target.kind {
                    BanKind::Person => self.delete_person(target, actor).await,
                    BanKind::Chat => self.delete_chat(target, actor).await,
                };
            }
        };
        let refusal = match target.kind {
            BanKind::Person => self.person_refusal(target).await?,
            BanKind::Chat => self.chat_refusal(target).await?,
        };
        if let Some(why) = refusal {
            return Ok(AdminReply::refusal(why));
        }
        let lines = match step {
            ConfirmationStep::Ask => self.deletion_lines(target).await?,
            _ => vec![format!(
                "Press the button again to delete {} {}.",
                target.kind.name(),
                target.id
            )],
        };
        let next_step = Some(AdminCommand::Delete(target.clone(), next_step));
        Ok(AdminReply { next_step, ..AdminReply::lines(lines) })
    }

    /// Cancels the deletion of a person that has not begun.
    pub(super) async fn keep_person(
        &self,
        account: &PersonId,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let audit = audit_put(&self.repository, actor, ("keep person", &person.0), "");
        let requests = DeletionRequests::new(&self.repository);
        Ok(match requests.cancel_with(&person, vec![audit]).await? {
            true => AdminReply::line(format!("the deletion of person {} is cancelled", account.0)),
            false => AdminReply::refusal(format!(
                "person {} has no deletion that can still be cancelled",
                account.0
            )),
        })
    }

    /// The lines that an operator reads before a deletion.
    async fn deletion_lines(&self, target: &BanTarget) -> Result<Vec<String>, Failure> {
        let kind = target.kind.name();
        let id = &target.id;
        let mut lines = Vec::new();
        match target.kind {
            BanKind::Person => {
                let account = PersonId(id.clone());
                let accounts = self.repository.profiles().all_accounts(&account).await?;
                let accounts: Vec<String> = accounts.into_iter().map(|it| it.0).collect();
                lines.push(format!("person {id} with the accounts {}", accounts.join(", ")));
                if let KnownId::None = self.known_id(target).await? {
                    lines.push(
                        "No such person is known here: only games that name them change.".into(),
                    );
                }
                lines.push(
                    "In a week their name, settings, ratings and history are deleted. Games and \
                     results stay, without the name. Until then they can cancel it."
                        .to_owned(),
                );
            }
            BanKind::Chat => {
                let chat = ChatId(id.clone());
                let profile = self.repository.read_row(TypedRowKey::chat(&chat)).await?;
                lines.push(format!("chat {id} {}", profile.value().title).trim_end().to_owned());
                let ids = self.repository.chats().ids_of(&chat).await?;
                let earlier: Vec<&str> = ids.iter().skip(1).map(|it| it.0.as_str()).collect();
                if !earlier.is_empty() {
                    lines.push(format!("With its games under earlier ids: {}", earlier.join(", ")));
                }
                let inside = self.chats_inside(&chat).await?;
                if !inside.is_empty() {
                    let named: Vec<&str> =
                        inside.iter().take(NAMED_MAX).map(|it| it.0.as_str()).collect();
                    let others = match inside.len() - named.len() {
                        0 => String::new(),
                        more => format!(" and {more} more"),
                    };
                    let ids = named.join(", ");
                    lines.push(format!("With the chats inside it: {ids}{others}"));
                }
                lines.push(
                    "Its settings, wishes and finished games are deleted, and open games end. \
                     Results stay: ratings follow from them. This cannot be cancelled."
                        .to_owned(),
                );
            }
        }
        lines.push(format!("To request that, press twice or write: delete {kind} {id} yes"));
        Ok(lines)
    }

    /// The threads of a channel, or the channels and threads of a server, that are chats of their
    /// own.
    pub(super) async fn chats_inside(&self, chat: &ChatId) -> Result<Vec<ChatId>, Failure> {
        let mut inside = Vec::new();
        let add = |(id, value)| {
            let profile: ChatProfile = parse_json_or_default(Some(value));
            let ParentChats { channel, server } = profile.parents;
            if [channel, server].iter().flatten().any(|it| it == chat) {
                inside.push(ChatId(id));
            }
        };
        self.repository.for_each_row(Space::ChatProfile, "", add).await?;
        Ok(inside)
    }

    /// Why the deletion of a person cannot be requested.
    async fn person_refusal(&self, target: &BanTarget) -> Result<Option<String>, Failure> {
        let account = PersonId(target.id.clone());
        let person = self.repository.profiles().resolve_person(&account).await?;
        let requests = DeletionRequests::new(&self.repository);
        if requests.is_running(&person).await? {
            return Ok(Some(format!("the data of person {} is being deleted", target.id)));
        }
        let due_ms = requests.due_ms(&person).await?;
        Ok(due_ms.map(|due_ms| scheduled_line(&target.id, due_ms)))
    }

    /// Why the data of a chat cannot be deleted.
    async fn chat_refusal(&self, target: &BanTarget) -> Result<Option<String>, Failure> {
        let id = &target.id;
        let chat = ChatId(id.clone());
        if chat_deletion::is_requested(&self.repository, &chat).await? {
            return Ok(Some(format!("the data of chat {id} is being deleted")));
        }
        let profile = self.repository.read_row(TypedRowKey::chat(&chat)).await?;
        let as_account = TypedRowKey::person(&PersonId(id.clone()));
        let is_private = profile.value().reader.is_some()
            || self.repository.read_row(as_account).await?.exists();
        if is_private {
            return Ok(Some(format!("chat {id} is a private chat; use: delete person ID")));
        }
        Ok(match self.known_id(target).await? {
            KnownId::Itself => None,
            KnownId::None if chat_deletion::has_games(&self.repository, &chat).await? => None,
            KnownId::None => Some(format!("no chat {id} is known here")),
            KnownId::Others(ids) => {
                Some(format!("no chat {id} is known here; there are {}", ids.join(", ")))
            }
        })
    }

    async fn delete_person(
        &self,
        target: &BanTarget,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        if let Some(why) = self.person_refusal(target).await? {
            return Ok(AdminReply::refusal(why));
        }
        let account = PersonId(target.id.clone());
        let person = self.repository.profiles().resolve_person(&account).await?;
        let audit = audit_put(&self.repository, actor, ("delete person", &person.0), "");
        let requests = DeletionRequests::new(&self.repository);
        let cause = DeletionCause::Operator;
        let due_ms = requests.request_with(&person, None, cause, vec![audit]).await?;
        Ok(AdminReply::line(scheduled_line(&target.id, due_ms)))
    }

    async fn delete_chat(
        &self,
        target: &BanTarget,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        if let Some(why) = self.chat_refusal(target).await? {
            return Ok(AdminReply::refusal(why));
        }
        let id = &target.id;
        let audit = audit_put(&self.repository, actor, ("delete chat", id), "");
        let chat = ChatId(id.clone());
        for inside in self.chats_inside(&chat).await? {
            let audit = audit_put(&self.repository, actor, ("delete chat", &inside.0), "");
            // After a conflict it is being deleted already.
            let _ = chat_deletion::request(&self.repository, &inside, audit).await?;
        }
        Ok(AdminReply::line(match chat_deletion::request(&self.repository, &chat, audit).await? {
            CommitOutcome::Committed => {
                format!(
                    "the data of chat {id} will be deleted within minutes, while the bot is running"
                )
            }
            CommitOutcome::Conflict => format!("the data of chat {id} is being deleted"),
        }))
    }
}

fn scheduled_line(id: &str, due_ms: u64) -> String {
    let at = time_text(due_ms);
    format!("person {id} will be deleted from {at} on; to cancel that: keep person {id}")
}
