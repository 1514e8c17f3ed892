//! `/account`: link the accounts of one person on several platforms, or unlink them; export or
//! delete what is stored about the person.

use super::action::{ActionFuture, ChatAction, Request};
use super::argument;
use super::argument::ArgumentKind;
use super::input::CommandInput;
use super::link;
use super::link::{AccountLinking, LinkAccounts};
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup, Suggestions};
use crate::handlers::{Handlers, RequestContext};
use crate::personal_data::deletion_requests::{DeletionCause, DeletionRequests};
use crate::personal_data::export_limit::{ExportReservation, reserve_export};
use crate::repository::MINUTE_MS;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::hash_texts;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Account),
            arguments: vec![argument::optional("code", ArgumentKind::Suggested)],
            is_answered_privately: true,
            suggestions: Suggestions::None,
            ..CommandSpec::new("account", parse)
        }]
    },
    buttons: &[ButtonCode::Chat("ac", |rest| match rest {
        "link" => Some(Request::chat(LinkAccounts(AccountLinking::Code))),
        "unlink" => Some(Request::chat(LinkAccounts(AccountLinking::Apart))),
        "export" => Some(Request::chat(ExportAccount)),
        "delete" => Some(Request::chat(DeleteAccount(AccountDeletion::Ask))),
        "keep" => Some(Request::chat(DeleteAccount(AccountDeletion::Cancel))),
        _ => {
            let (minute, tag) = rest.strip_prefix("sure.")?.split_once('.')?;
            let minute = minute.parse().ok()?;
            let tag = u64::from_str_radix(tag, 16).ok()?;
            Some(Request::chat(DeleteAccount(AccountDeletion::Confirm { minute, tag })))
        }
    })],
    ..CommandFile::EMPTY
};

/// How long the second press that deletes an account is accepted after the first, in minutes.
const CONFIRMATION_MINUTES: u64 = 10;

fn parse(input: &CommandInput<'_>) -> Request {
    match input.words {
        "" => Request::chat(ShowAccount),
        "export" => Request::chat(ExportAccount),
        "delete" => Request::chat(DeleteAccount(AccountDeletion::Ask)),
        _ => link::parse(input),
    }
}

/// Shows what the person can do with their accounts.
#[derive(Clone, Copy, Debug)]
pub struct ShowAccount;

impl ChatAction for ShowAccount {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let person = &context.update.person.id;
            let due_ms = DeletionRequests::new(&handlers.repository).due_ms(person).await?;
            let button = |key: &'static str, callback_data: &'static str| {
                ButtonSpec::new(Text::new(key), callback_data)
            };
            let mut texts = vec![Text::new("answer-account")];
            texts.extend(due_ms.map(deletion_text));
            let mut keys = vec![vec![button("button-link-start", "ac.link")]];
            let is_linked = !context.person.accounts.is_empty();
            keys.extend(is_linked.then(|| vec![button("button-unlink", "ac.unlink")]));
            keys.push(vec![button("button-export", "ac.export")]);
            keys.push(vec![match due_ms {
                Some(_) => keep_button(),
                None => button("button-delete-account", "ac.delete"),
            }]);
            Ok(vec![View { texts, button_rows: keys, ..View::default() }])
        })
    }
}

/// Sends the person everything that is stored about them, in a private chat.
#[derive(Clone, Copy, Debug)]
pub struct ExportAccount;

impl ChatAction for ExportAccount {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            if context.update.chat.kind != ChatKind::Private {
                return Ok(vec![View::brief(Text::new("refuse-export-private"))]);
            }
            let person = &context.update.person.id;
            let update = &context.update.id;
            if handlers.repository.results().is_listing_again(person).await? {
                // The games would be missing, as they may be in a history.
                return Ok(vec![View::brief(Text::new("answer-history-again"))]);
            }
            if let ExportReservation::TooSoon { until_ms } =
                reserve_export(&handlers.repository, person, update).await?
            {
                let minutes = until_ms.saturating_sub(context.now_ms).div_ceil(MINUTE_MS).max(1);
                let text = Text::new("refuse-export-soon").with("minutes", minutes as i64);
                return Ok(vec![View::brief(text)]);
            }
            let texts = vec![Text::new("answer-export")];
            let data_of = Some(person.clone());
            let data_chat = Some(context.update.chat.id.clone());
            Ok(vec![View { texts, data_of, data_chat, secret: true, ..View::default() }])
        })
    }
}

/// A step of deleting an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountDeletion {
    /// Explain it, and ask for the second press.
    Ask,
    /// The second press.
    Confirm {
        /// When it was asked for, in minutes since 1970.
        minute: u64,
        /// The person who was asked.
        tag: u64,
    },
    /// Keep the account.
    Cancel,
}

/// Deletes the person in a week, or cancels that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeleteAccount(pub AccountDeletion);

impl ChatAction for DeleteAccount {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let requests = DeletionRequests::new(&handlers.repository);
            let person = &context.update.person.id;
            let minute_now = context.now_ms / MINUTE_MS;
            match self.0 {
                AccountDeletion::Ask => match requests.due_ms(person).await? {
                    Some(due_ms) => Ok(vec![scheduled_view(due_ms)]),
                    None => Ok(vec![confirmation_view(person, minute_now)]),
                },
                AccountDeletion::Confirm { tag, .. } if tag != person_tag(person) => {
                    Ok(vec![View::brief(Text::new("refuse-delete-other"))])
                }
                AccountDeletion::Confirm { minute, .. }
                    if minute_now.abs_diff(minute) > CONFIRMATION_MINUTES =>
                {
                    Ok(vec![confirmation_view(person, minute_now)])
                }
                AccountDeletion::Confirm { .. } => {
                    let is_private = context.update.chat.kind == ChatKind::Private;
                    let chat = is_private.then(|| context.update.chat.id.clone());
                    let due_ms = requests.request(person, chat, DeletionCause::Person).await?;
                    Ok(vec![scheduled_view(due_ms)])
                }
                AccountDeletion::Cancel => {
                    let key = match requests.cancel(person).await? {
                        true => "answer-delete-cancelled",
                        false => "refuse-delete-none",
                    };
                    Ok(vec![View::brief(Text::new(key))])
                }
            }
        })
    }
}

/// Explains what a deletion does, with the button that requests it. The button works for some
/// minutes and for this person only.
fn confirmation_view(person: &PersonId, minute: u64) -> View {
    let callback_data = format!("ac.sure.{minute}.{:x}", person_tag(person));
    let sure = ButtonSpec::new(Text::new("button-delete-sure"), callback_data);
    let keys = vec![vec![sure.with_tone(ButtonTone::Danger)]];
    View { button_rows: keys, ..View::persistent(vec![Text::new("answer-delete-account")]) }
}

/// Tells when the account is deleted, with the button that cancels it.
fn scheduled_view(due_ms: u64) -> View {
    View { button_rows: vec![vec![keep_button()]], ..View::persistent(vec![deletion_text(due_ms)]) }
}

fn deletion_text(due_ms: u64) -> Text {
    Text::new("answer-account-deleted").with("day", Arg::day(due_ms))
}

fn keep_button() -> ButtonSpec {
    ButtonSpec::new(Text::new("button-keep-account"), "ac.keep")
}

/// A number for a person, so that a button works for nobody else.
fn person_tag(person: &PersonId) -> u64 {
    hash_texts([person.0.as_str()])
}
