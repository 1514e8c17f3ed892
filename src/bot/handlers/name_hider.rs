//! Hides displayed names at the request of admins of a chat, and tells the person why.
//!
//! A hidden name is never shown again automatically: a person who has chosen another name asks an
//! admin.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::mention_resolver::MentionResolver;
use super::request_error::RequestError;
use crate::admin::AdminActor;
use crate::admin::audit_log::audit_put;
use crate::repository::hidden_names::{
    HIDDEN_NAMES_MAX, HiddenNameRow, HiddenScope, HideOutcome, UnnotifiedHiddenName,
};
use crate::repository::stored_rows::put_json;
use crate::repository::{CommitOutcome, Failure, Repository};
use crate::views::block_views::secret_note;
use caravanserai_games::ids::{ChatKind, PersonId, hidden_name};
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::View;
use caravanserai_store::{Commit, Expect, Put, Space};
use caravanserai_table::people::displayed_name;

/// The longest reason, in characters.
const REASON_CHARS_MAX: usize = 200;

/// Hides and shows displayed names.
pub(crate) struct NameHider {
    repository: Arc<Repository>,
    mentions: Arc<MentionResolver>,
}

impl NameHider {
    /// Creates the part with these dependencies.
    pub(crate) fn new(repository: Arc<Repository>, mentions: Arc<MentionResolver>) -> Self {
        Self { repository, mentions }
    }

    /// Hides the name of a person who was mentioned, in this chat.
    pub(crate) async fn hide(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
        reason: &str,
    ) -> HandlerResult {
        let (person, name) = self.find_person(context, mention).await?;
        let reason: String = reason.chars().take(REASON_CHARS_MAX).collect();
        let scope = HiddenScope::Chat(context.update.chat.id.without_topic());
        let audit = self.audit(context, "hide name", &person, &reason);
        let outcome = self.repository.hide_name(scope, &person, &reason, audit).await?;
        let (key, shown) = match outcome {
            HideOutcome::Hidden(shown) => ("answer-name-hidden", shown),
            HideOutcome::AlreadyHidden(shown) => ("answer-name-hidden-already", shown),
            HideOutcome::ListFull => {
                let text = Text::new("refuse-hidename-full");
                return Ok(vec![secret_note(text.with("count", HIDDEN_NAMES_MAX as i64))]);
            }
            HideOutcome::Conflict => return Ok(brief_views("refuse-busy")),
        };
        let text = Text::new(key).with("name", name).with("shown", displayed_name(&shown));
        Ok(vec![View { secret: true, ..View::persistent(vec![text]) }])
    }

    /// Shows the name of a person who was mentioned again, in this chat.
    pub(crate) async fn show(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
    ) -> HandlerResult {
        let (person, name) = self.find_person(context, mention).await?;
        let scope = HiddenScope::Chat(context.update.chat.id.without_topic());
        let audit = self.audit(context, "show name", &person, "");
        let key = match self.repository.show_name(scope, &person, audit).await? {
            Some(true) => "answer-name-shown",
            Some(false) => "refuse-name-not-hidden",
            None => return Ok(brief_views("refuse-busy")),
        };
        Ok(vec![secret_note(Text::new(key).with("name", displayed_name(&name)))])
    }

    /// The person who was mentioned.
    ///
    /// # Errors
    /// When the sender may not hide names, or names nobody that is known.
    async fn find_person(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
    ) -> Result<(PersonId, String), RequestError> {
        if context.update.chat.kind == ChatKind::Private {
            return Err(RequestError::refuse(Text::new("refuse-hidename-private")));
        }
        if !context.update.person.admin {
            return Err(RequestError::refuse(Text::new("refuse-hidename-admin")));
        }
        Ok(self.mentions.find_known(context, mention, "refuse-hidename-unknown").await?)
    }

    /// The row for the log of what admins did.
    fn audit(
        &self,
        context: &RequestContext<'_>,
        action: &str,
        person: &PersonId,
        reason: &str,
    ) -> Put {
        let name = context.account.0.clone();
        let cause = context.update.id.clone();
        let note = format!("in {} {reason}", context.update.chat.id.without_topic());
        let actor = AdminActor { name, cause };
        audit_put(&self.repository, &actor, (action, &person.0), note.trim_end())
    }

    /// Tells a person once that their name is hidden here, why, and what they can do.
    pub(crate) async fn add_notice(
        &self,
        context: &RequestContext<'_>,
        views: &mut Vec<View>,
    ) -> Result<(), Failure> {
        if !context.has_hidden_name {
            return Ok(());
        }
        let chat = context.update.chat.id.without_topic();
        let person = &context.update.person.id;
        let Some(UnnotifiedHiddenName { key, stored, row, is_everywhere }) =
            self.repository.unnotified_hidden_name(chat, person).await?
        else {
            return Ok(());
        };
        let notified = HiddenNameRow { is_notified: true, ..row.clone() };
        let commit = Commit {
            expect: vec![Expect::equals(Space::Meta, key.clone(), stored)],
            ..Commit::from_puts(vec![put_json(Space::Meta, key, &notified)])
        };
        // Of two updates at the same moment only one is answered with the notice.
        if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
            views.push(notice_view(&row, is_everywhere));
        }
        Ok(())
    }
}

/// Tells a person that their name is hidden.
fn notice_view(row: &HiddenNameRow, is_everywhere: bool) -> View {
    let key = match is_everywhere {
        true => "answer-name-hidden-everywhere",
        false => "answer-name-hidden-here",
    };
    let shown = displayed_name(&hidden_name(&row.code));
    let mut texts = vec![Text::new(key).with("name", shown)];
    if !row.reason.is_empty() {
        texts.push(Text::new("answer-name-hidden-reason").with("reason", row.reason.as_str()));
    }
    View { secret: true, ..View::persistent(texts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_i18n::{I18n, Lang};

    #[test]
    fn a_notice_names_the_shown_name_and_the_reason_in_every_language() {
        let row = HiddenNameRow {
            code: "7F2A".to_owned(),
            reason: "insults".to_owned(),
            ..HiddenNameRow::default()
        };
        let i18n = I18n::new();
        for lang in Lang::all() {
            for is_everywhere in [false, true] {
                let view = notice_view(&row, is_everywhere);
                assert!(view.secret);
                let lines = view.texts.iter().map(|it| i18n.translate_plain(*lang, it));
                let text = lines.collect::<Vec<_>>().join("\n");
                for word in ["7F2A", "insults"] {
                    assert!(text.contains(word), "{lang:?} lacks {word}: {text}");
                }
            }
        }
    }
}
