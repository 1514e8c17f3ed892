//! One table in several places: brought to another chat, played in private, taken away again.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::external_query::ExternalQuery;
use super::open_table::TABLES_PER_PLACE_MAX;
use crate::repository::{Failure, TableGuard};
use crate::views::ack::posting_ack_views;
use crate::views::board_view;
use crate::views::board_view::BoardContext;
use crate::views::lobby_view;
use caravanserai_games::ids::{PlaceId, PlaceKind};
use caravanserai_games::text::Text;
use caravanserai_protocol::SendError;
use caravanserai_protocol::view::View;
use caravanserai_store::Space;
use caravanserai_table::command::Command;
use caravanserai_table::state::{AttachedChat, Table, TablePhase};

impl Handlers {
    /// The table is to stand where somebody asks for it too. Whoever knows the code of a table that
    /// was opened in a group may bring it: people of one table are not known to each other's
    /// platforms.
    pub(crate) async fn attach_table(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        watches: bool,
    ) -> HandlerResult {
        let place = visit.update.chat.id.clone();
        if let Some(notes) = self.opening_refusal(visit)? {
            return Ok(notes);
        }
        if let Some(note) = self.private_table_refusal(visit, held.table()) {
            return Ok(vec![note]);
        }
        if held.table().location_in(&place).is_none()
            && let Some(notes) = self.place_limit_refusal(visit).await?
        {
            return Ok(notes);
        }
        let (kind, by) = (visit.update.chat.kind, visit.update.person.id.clone());
        let notes = match kind {
            PlaceKind::Group => posting_ack_views("done-brought"),
            PlaceKind::Private if watches => brief_note("answer-watching"),
            PlaceKind::Private => brief_note("answer-brought"),
        };
        let to = AttachedChat { chat: place, kind, attached_by: by, is_watch_only: watches };
        self.execute_command(visit, held, Command::Attach(to), &|_| notes.clone()).await
    }

    /// What somebody is told who wants to look on where only those are to who play or are invited.
    /// Who comes to a table that has not begun was handed its code to play.
    fn private_table_refusal(&self, visit: &RequestContext<'_>, table: &Table) -> Option<View> {
        let plays = table.seats_of(&visit.update.person.id).next().is_some();
        if plays || self.delivery.can_see(table, &visit.update.chat.id) {
            return None;
        }
        Some(View { brief: true, ..board_view::closed_to_spectators_view(table) })
    }

    /// Whoever plays is to have a board of their own in their private chat with the bot.
    pub(crate) async fn play_in_private(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let person = visit.update.person.id.clone();
        let plays = held.table().seats_of(&person).next().is_some();
        if visit.update.chat.kind == PlaceKind::Private {
            if plays && matches!(held.table().phase, TablePhase::Over { .. }) {
                // Where the game was played there may be no room for all that is left of it.
                let place = &visit.update.chat.id;
                let sight = BoardContext::plain(place, self.delivery.hand_delivery(place));
                return Ok(vec![board_view::board_view(held.table(), sight)]);
            }
            let watches = !plays && held.table().phase != TablePhase::Lobby;
            return self.attach_table(visit, held, watches).await;
        }
        if !plays {
            let code = held.table().id.0.as_str();
            let text = Text::new("refuse-private-seat").with("table", code);
            return Ok(vec![View::brief(text)]);
        }
        let own = |table: &Table| {
            table.locations().any(|it| it.reader == Some(&person) && !it.is_watch_only)
        };
        if own(held.table()) {
            return Ok(brief_note("refuse-already-private"));
        }
        let place = match visit.query_results.private_place(&visit.account).cloned() {
            None => {
                return visit.suspend_for_query(ExternalQuery::PrivatePlace(visit.account.clone()));
            }
            Some(Ok(place)) => place,
            Some(Err(SendError::Refused(_))) => return Ok(brief_note("refuse-private-none")),
            Some(Err(SendError::NotAllowed | SendError::ChatGone)) => {
                return Ok(vec![self.start_private_chat_note(&held.id().0, &visit.update.chat.id)]);
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "a private chat could not be asked for");
                return Ok(brief_note("refuse-trouble"));
            }
        };
        let to = AttachedChat {
            chat: place,
            kind: PlaceKind::Private,
            attached_by: person,
            is_watch_only: false,
        };
        self.execute_command(visit, held, Command::Attach(to), &|_| brief_note("answer-private"))
            .await
    }

    /// What somebody has to do to whom the bot cannot write yet.
    fn start_private_chat_note(&self, code: &str, place: &PlaceId) -> View {
        let text = match self.delivery.private_invite_link(place, code) {
            Some(link) => Text::new("refuse-private-closed-link").with("link", link),
            None => Text::new("refuse-private-closed"),
        };
        View::persistent(vec![text.with("table", code)])
    }

    /// How others come to a table that has not begun, for whoever wants to ask them.
    pub(crate) fn invite_links_note(&self, table: &Table) -> View {
        if table.phase != TablePhase::Lobby || table.is_solo() {
            return View::brief(Text::new("refuse-none-waiting"));
        }
        let doors = self.delivery.invite_links(&table.id.0);
        let title = Text::new("answer-invite").with("table", &*table.id.0);
        View::persistent(
            [title].into_iter().chain(lobby_view::invite_link_lines(table, &doors)).collect(),
        )
    }

    /// The table is not to stand any more where somebody asks for it.
    pub(crate) async fn detach_table(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
    ) -> HandlerResult {
        let place = visit.update.chat.id.clone();
        self.execute_command(visit, held, Command::Detach(place), &|_| brief_note("answer-stopped"))
            .await
    }

    /// Why no more tables may stand in a place, if so.
    async fn place_limit_refusal(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let (place, person) = (&visit.update.chat.id, &visit.update.person.id);
        let most = self.repository.limits().tables_per_place;
        let prefix = format!("{} ", place.0);
        let rows =
            self.repository.read_rows(Space::PlaceTable, &prefix, TABLES_PER_PLACE_MAX).await?;
        let mut here = rows.len();
        if (most..TABLES_PER_PLACE_MAX).contains(&here) {
            (here, _) = self.count_open_tables(&rows, person, visit.now_ms).await?;
        }
        let text = || Text::new("refuse-too-many-tables-here").with("count", here as i64);
        Ok((here >= most).then(|| vec![View::brief(text())]))
    }
}
