//! The button under statistics that shows how a person plays: favourites, best wins and luck.
//!
//! As `/me` and `/stats` do, it shows a reader everything about themselves, and of others the games
//! of a chat that both share.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::{Handlers, RequestContext};
use crate::repository::Failure;
use crate::results::row_formats::StoredRecord;
use crate::settings;
use crate::views::play_detail_views::{DetailsContext, details_view};
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_results::{RatingList, RatingScope};

/// The button of this file.
pub(super) const FILE: CommandFile =
    CommandFile { buttons: &[ButtonCode::Chat(DETAILS_CODE, decode_button)], ..CommandFile::EMPTY };

/// The code of the button.
const DETAILS_CODE: &str = "sd";

/// Shows how a person plays.
#[derive(Clone, Debug, Default)]
pub struct ShowDetails {
    /// An account of the person; `None` for the sender.
    pub of: Option<PersonId>,
    /// The chat that the button names: it counts only where the button is pressed in a private
    /// chat.
    pub chat: Option<String>,
}

impl ShowDetails {
    /// How this person plays in this group. The button carries the account of the person on this
    /// platform: clients can read what a button carries.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn for_person_in_chat(
        handlers: &Handlers,
        context: &RequestContext<'_>,
        person: &PersonId,
    ) -> Result<Self, Failure> {
        let here = &context.update.chat.id;
        let profiles = handlers.repository.profiles();
        let account = profiles.account_on_platform(person, here.platform()).await?;
        Ok(ShowDetails { of: Some(account), chat: Some(here.without_topic().to_owned()) })
    }

    /// The callback data of its button. It names the chat, because the answer may be read in
    /// private, unless the name does not fit or has characters that buttons cannot carry.
    pub fn callback_data(&self) -> String {
        let Some(account) = &self.of else { return format!("{DETAILS_CODE}.") };
        if let Some(chat) = &self.chat {
            let with_chat = format!("{DETAILS_CODE}.{chat}.{}", account.0);
            if settings::can_name_chat(&with_chat, chat) {
                return with_chat;
            }
        }
        format!("{DETAILS_CODE}..{}", account.0)
    }
}

fn decode_button(rest: &str) -> Option<Request> {
    if rest.is_empty() {
        return Some(Request::chat(ShowDetails::default()));
    }
    let (chat, account) = rest.split_once('.')?;
    let of = (!account.is_empty()).then(|| PersonId(account.to_owned()))?;
    let chat = (!chat.is_empty()).then(|| chat.to_owned());
    Some(Request::chat(ShowDetails { of: Some(of), chat }))
}

impl ChatAction for ShowDetails {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let own = context.update.person.id.clone();
            let is_group = context.update.chat.kind == ChatKind::Group;
            let Some(account) = &self.of else {
                let name = &context.update.person.name;
                let shown = DetailsContext { name, is_own: true, shows_replays: true };
                let scope = RatingScope::OVERALL;
                let records = handlers.repository.results().played_records(&scope, &own).await?;
                return Ok(vec![load_view(handlers, shown, &own, &scope, &records).await?]);
            };
            // Otherwise presses could find out which account elsewhere is whose.
            if account.platform() != context.update.chat.id.platform() {
                return Ok(vec![View::brief(Text::new("refuse-old-button"))]);
            }
            let chat = match context.chat_of_shared_games(self.chat.as_deref()) {
                Ok(Some(chat)) => chat,
                Ok(None) => return Ok(vec![View::brief(Text::new("refuse-stats-private"))]),
                Err(query) => return Err(context.suspend_for_query(query)),
            };
            let person = handlers.repository.profiles().resolve_person(account).await?;
            let scope = RatingScope::of_chat(&chat);
            let records = handlers.repository.results().played_records(&scope, &person).await?;
            let Some(mut name) = last_name(&records) else {
                return Ok(vec![View::brief(Text::new("answer-stats-empty"))]);
            };
            handlers.repository.hidden_names().await?.replace(&chat, &person, &mut name);
            let shown =
                DetailsContext { name: &name, is_own: person == own, shows_replays: is_group };
            Ok(vec![load_view(handlers, shown, &person, &scope, &records).await?])
        })
    }
}

/// The name of a person in the last game of these records; `None` without records.
fn last_name(records: &[(RatingList, StoredRecord)]) -> Option<String> {
    let last = records.iter().max_by_key(|(_, it)| it.record.last_ms)?;
    Some(last.1.name.clone())
}

/// How a person plays, by their records in a scope.
async fn load_view(
    handlers: &Handlers,
    context: DetailsContext<'_>,
    person: &PersonId,
    scope: &RatingScope,
    records: &[(RatingList, StoredRecord)],
) -> Result<View, Failure> {
    let found = handlers.repository.results().play_details(person, scope, records).await?;
    Ok(details_view(context, records, &found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_carries_the_person_and_the_chat() {
        let account = PersonId("tg:5".to_owned());
        let shown = |chat: &str| {
            ShowDetails { of: Some(account.clone()), chat: Some(chat.to_owned()) }.callback_data()
        };
        assert_eq!(ShowDetails::default().callback_data(), "sd.");
        assert_eq!(shown("tg:-100"), "sd.tg:-100.tg:5");
        assert_eq!(shown("a.b"), "sd..tg:5");
        for data in ["", "tg:-100.tg:5", ".tg:5"] {
            assert!(decode_button(data).is_some(), "{data}");
        }
        for data in ["tg:5", "tg:-100."] {
            assert!(decode_button(data).is_none(), "{data}");
        }
    }
}
