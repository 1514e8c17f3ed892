//! Hides displayed names in all chats.

use super::audit_log::audit_put;
use super::bans::{BanKind, BanTarget, KnownId};
use super::{AdminActor, AdminReply, LIST_PAGE_ROWS, OperatorCommands, rows_before, time_text};
use crate::repository::Failure;
use crate::repository::hidden_names::{HIDDEN_NAMES_MAX, HiddenScope, HideOutcome};
use caravanserai_games::ids::{PersonId, hidden_name};

/// The answer when another change came first.
const CONFLICT: &str = "another name was hidden or shown at this moment: please repeat";

impl OperatorCommands {
    /// Hides the name of a person in all chats.
    pub(super) async fn hide_name(
        &self,
        account: &PersonId,
        reason: &str,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let named = BanTarget { kind: BanKind::Person, id: account.0.clone() };
        let is_known = matches!(self.known_id(&named).await?, KnownId::Itself);
        let audit = audit_put(&self.repository, actor, ("hide name", &person.0), reason);
        let scope = HiddenScope::Everywhere;
        let outcome = self.repository.hide_name(scope, &person, reason, audit).await?;
        Ok(match outcome {
            HideOutcome::Hidden(shown) if is_known => AdminReply::line(format!(
                "others see {} as “{shown}”; I tell the person the reason",
                person.0
            )),
            // The id may be mistyped.
            HideOutcome::Hidden(shown) => AdminReply::line(format!(
                "others see {} as “{shown}”. No such person is known here: the name is hidden \
                 in advance",
                person.0
            )),
            HideOutcome::AlreadyHidden(shown) => {
                AdminReply::line(format!("others see {} as “{shown}” already", person.0))
            }
            HideOutcome::ListFull => {
                AdminReply::refusal(format!("{HIDDEN_NAMES_MAX} names are hidden already"))
            }
            HideOutcome::Conflict => AdminReply::refusal(CONFLICT),
        })
    }

    /// Shows the name of a person again.
    pub(super) async fn show_name(
        &self,
        account: &PersonId,
        actor: &AdminActor,
    ) -> Result<AdminReply, Failure> {
        let person = self.repository.profiles().resolve_person(account).await?;
        let audit = audit_put(&self.repository, actor, ("show name", &person.0), "");
        let shown = self.repository.show_name(HiddenScope::Everywhere, &person, audit).await?;
        Ok(match shown {
            Some(true) => AdminReply::line(format!("the name of {} is shown again", person.0)),
            Some(false) => {
                AdminReply::refusal(format!("the name of {} is not hidden everywhere", person.0))
            }
            None => AdminReply::refusal(CONFLICT),
        })
    }

    /// Lists a page of the names that are hidden in all chats. The first page has the number 1.
    pub(super) async fn list_hidden_names(&self, page: usize) -> Result<AdminReply, Failure> {
        let skipped = rows_before(page);
        let rows = self.repository.hidden_name_rows(HiddenScope::Everywhere).await?;
        let lines = rows.iter().skip(skipped).take(LIST_PAGE_ROWS).map(|(account, row)| {
            let why =
                if row.reason.is_empty() { String::new() } else { format!(": {}", row.reason) };
            let shown = hidden_name(&row.code);
            let since = time_text(row.at_ms);
            format!("{} as “{shown}” since {since}{why}", account.0)
        });
        let none = match skipped {
            0 => "no name is hidden everywhere",
            _ => "there are no more hidden names",
        };
        let has_more = rows.len() > skipped.saturating_add(LIST_PAGE_ROWS);
        let next = has_more.then(|| format!("hidden-names {}", page.saturating_add(1)));
        Ok(AdminReply::page(lines.collect(), next, none))
    }
}
