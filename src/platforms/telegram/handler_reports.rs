//! Reports to the handler events that are not updates: calls that the adapter makes by itself, and
//! chats in which hands must be shown in another way.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::parse_update::{UpdateAuthor, UpdateOrigin};
use super::send::to_chat_id;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_platform_shared::task_limit::TaskLimit;
use caravanserai_protocol::{
    AdapterMessageTask, Chat, EphemeralReply, HandPriority, ParentChats, Person, PersonKind,
    UpdateHandler, UpdateKind,
};

/// The handler of the updates, once it is known.
pub(super) struct HandlerReports {
    handler_ref: Mutex<Option<Weak<dyn UpdateHandler>>>,
    reply_tasks: Arc<TaskLimit>,
}

impl HandlerReports {
    /// Knows no handler yet; reports run on these tasks.
    pub(super) fn new(reply_tasks: Arc<TaskLimit>) -> Self {
        Self { handler_ref: Mutex::new(None), reply_tasks }
    }

    /// Sets the handler. It is not kept alive, because it refers to the adapter itself.
    pub(super) fn set(&self, handler: &Arc<dyn UpdateHandler>) {
        *self.handler_ref.lock() = Some(Arc::downgrade(handler));
    }

    /// Whether the answer to this depends on whether the sender is an admin of the group.
    pub(super) fn needs_admin(&self, kind: &UpdateKind) -> bool {
        self.handler().is_none_or(|it| it.needs_admin(kind, ChatKind::Group))
    }

    fn handler(&self) -> Option<Arc<dyn UpdateHandler>> {
        let handler_ref = self.handler_ref.lock();
        handler_ref.as_ref().and_then(Weak::upgrade)
    }

    /// Reports a call in a chat that the service does not know of, for its rate limit.
    pub(super) fn report_call(&self, chat: i64) {
        let handler = self.handler();
        if let Some(reports) = handler.as_ref().and_then(|it| it.delivery_reports()) {
            reports.record_call(&to_chat_id(chat, None));
        }
    }

    /// Reports that Telegram refuses calls in a chat for `wait_ms` milliseconds.
    pub(super) fn report_rate_limit(&self, chat: i64, wait_ms: u64) {
        let handler = self.handler();
        if let Some(reports) = handler.as_ref().and_then(|it| it.delivery_reports()) {
            reports.apply_retry_after(&to_chat_id(chat, None), wait_ms);
        }
    }

    /// Reports that the rights of the bot in a chat have changed, and that it may write there.
    pub(super) async fn report_changed_rights(&self, chat: i64) {
        let handler = self.handler();
        if let Some(reports) = handler.as_ref().and_then(|it| it.chat_reports()) {
            reports.report_changed_rights(&to_chat_id(chat, None)).await;
        }
    }

    /// Reports a call that showed a message to one person only.
    pub(super) fn report_private_call(&self, chat: i64) {
        let handler = self.handler();
        if let Some(reports) = handler.as_ref().and_then(|it| it.delivery_reports()) {
            reports.record_ephemeral_call(&to_chat_id(chat, None));
        }
    }

    /// Whether a public message in this chat delays no board now.
    pub(super) fn has_message_budget(&self, chat: i64) -> bool {
        let handler = self.handler();
        let reports = handler.as_ref().and_then(|it| it.delivery_reports());
        reports.is_none_or(|it| it.has_message_budget(&to_chat_id(chat, None)))
    }

    /// Runs a task that sends a public message in this chat, once it delays no board.
    pub(super) fn run_after_boards(&self, chat: i64, task: AdapterMessageTask) {
        let handler = self.handler();
        match handler.as_ref().and_then(|it| it.delivery_reports()) {
            Some(reports) => reports.run_after_boards(&to_chat_id(chat, None), task),
            None => self.reply_tasks.spawn(task),
        }
    }

    /// Whether the rate limit leaves room to show a hand in this chat now.
    pub(super) fn has_hand_budget(&self, chat: i64, priority: HandPriority) -> bool {
        let handler = self.handler();
        let reports = handler.as_ref().and_then(|it| it.delivery_reports());
        chat >= 0 || reports.is_none_or(|it| it.has_hand_budget(&to_chat_id(chat, None), priority))
    }

    /// Whether the chat is rate limited, so that cards are played by numbers for some time.
    pub(super) fn are_hands_limited(&self, chat: i64) -> bool {
        let handler = self.handler();
        let reports = handler.as_ref().and_then(|it| it.delivery_reports());
        chat < 0 && reports.is_some_and(|it| it.are_hands_limited(&to_chat_id(chat, None)))
    }

    /// Renders a hand for an alert, with the numbers that play its cards: the given text may have
    /// been made for a message with buttons.
    pub(super) async fn with_card_numbers(
        &self,
        origin: &UpdateOrigin,
        reply: EphemeralReply,
    ) -> EphemeralReply {
        let (UpdateAuthor::Person(person), Some(handler)) = (origin.author, self.handler()) else {
            return reply;
        };
        let Some(note) = reply.view.clone().filter(|_| !origin.private) else { return reply };
        let here = Chat {
            id: to_chat_id(origin.chat, origin.thread),
            kind: ChatKind::Group,
            title: String::new(),
            locale: None,
            parents: ParentChats::default(),
        };
        let person = Person {
            id: PersonId(format!("tg:{person}")),
            name: origin.name.clone(),
            username: None,
            locale: origin.locale.clone(),
            kind: PersonKind::Human,
            admin: false,
        };
        match handler.reply_renderer() {
            Some(renderer) => renderer.render_brief(&here, &person, *note).await.unwrap_or(reply),
            None => reply,
        }
    }

    /// Lets the board show numbers for the cards, if it has none yet; the press does not wait for
    /// that.
    pub(super) fn report_capabilities_changed(&self, origin: &UpdateOrigin) {
        if let Some(handler) = self.handler() {
            let here = to_chat_id(origin.chat, origin.thread);
            self.reply_tasks.spawn(async move {
                if let Some(reports) = handler.delivery_reports() {
                    reports.capabilities_changed(&here).await;
                }
            });
        }
    }
}
