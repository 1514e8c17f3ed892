//! One table in several places: brought to another chat, played in private, taken away again.

use super::Desk;
use super::opening::ROWS_MAX;
use super::questions::Question;
use super::visit::{Notes, Visit, brief};
use crate::ledger::{Failure, Held};
use caravanserai_games::ids::{PlaceId, PlaceKind};
use caravanserai_games::words::Text;
use caravanserai_protocol::done::posted;
use caravanserai_protocol::note::Note;
use caravanserai_protocol::present::{self, Sight};
use caravanserai_protocol::{SendError, lobby};
use caravanserai_store::Space;
use caravanserai_table::command::Command;
use caravanserai_table::fold::{Attached, Phase, Table};

impl Desk {
    /// The table is to stand where somebody asks for it too. Whoever knows the code of a table that
    /// was opened in a group may bring it: people of one table are not known to each other's
    /// platforms.
    pub(super) async fn bring(&self, visit: &mut Visit<'_>, held: Held, watches: bool) -> Notes {
        let place = visit.update.place.id.clone();
        if let Some(notes) = self.not_here(visit)? {
            return Ok(notes);
        }
        if let Some(note) = self.private_matter(visit, held.table()) {
            return Ok(vec![note]);
        }
        if held.table().spot(&place).is_none()
            && let Some(notes) = self.too_many_here(visit).await?
        {
            return Ok(notes);
        }
        let (kind, by) = (visit.update.place.kind, visit.update.person.id.clone());
        let notes = match kind {
            PlaceKind::Group => posted("done-brought"),
            PlaceKind::Private if watches => brief("answer-watching"),
            PlaceKind::Private => brief("answer-brought"),
        };
        let to = Attached { place, kind, by, watches };
        self.command(visit, held, Command::Attach(to), &|_| notes.clone()).await
    }

    /// What somebody is told who wants to look on where only those are to who play or are invited.
    /// Who comes to a table that has not begun was handed its code to play.
    fn private_matter(&self, visit: &Visit<'_>, table: &Table) -> Option<Note> {
        let plays = table.seats_of(&visit.update.person.id).next().is_some();
        if plays || self.post.may_see(table, &visit.update.place.id) {
            return None;
        }
        Some(Note { brief: true, ..present::not_public(table) })
    }

    /// Whoever plays is to have a board of their own in their private chat with the bot.
    pub(super) async fn play_in_private(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let person = visit.update.person.id.clone();
        let plays = held.table().seats_of(&person).next().is_some();
        if visit.update.place.kind == PlaceKind::Private {
            if plays && matches!(held.table().phase, Phase::Over { .. }) {
                // Where the game was played there may be no room for all that is left of it.
                let place = &visit.update.place.id;
                let sight = Sight::plain(place, self.post.means(place));
                return Ok(vec![present::board_at(held.table(), sight)]);
            }
            let watches = !plays && held.table().phase != Phase::Lobby;
            return self.bring(visit, held, watches).await;
        }
        if !plays {
            let code = held.table().id.0.as_str();
            let text = Text::new("refuse-private-seat").with("table", code);
            return Ok(vec![Note::brief(text)]);
        }
        let own = |table: &Table| table.spots().any(|it| it.reader == Some(&person) && !it.watches);
        if own(held.table()) {
            return Ok(brief("refuse-already-private"));
        }
        let place = match visit.findings.private_place(&visit.account).cloned() {
            None => return visit.ask(Question::PrivatePlace(visit.account.clone())),
            Some(Ok(place)) => place,
            Some(Err(SendError::Refused(_))) => return Ok(brief("refuse-private-none")),
            Some(Err(SendError::NotAllowed | SendError::PlaceGone)) => {
                return Ok(vec![self.knock(&held.id().0, &visit.update.place.id)]);
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "a private chat could not be asked for");
                return Ok(brief("refuse-trouble"));
            }
        };
        let to = Attached { place, kind: PlaceKind::Private, by: person, watches: false };
        self.command(visit, held, Command::Attach(to), &|_| brief("answer-private")).await
    }

    /// What somebody has to do to whom the bot cannot write yet.
    fn knock(&self, code: &str, place: &PlaceId) -> Note {
        let text = match self.post.private_door(place, code) {
            Some(link) => Text::new("refuse-private-closed-link").with("link", link),
            None => Text::new("refuse-private-closed"),
        };
        Note::lasting(vec![text.with("table", code)])
    }

    /// How others come to a table that has not begun, for whoever wants to ask them.
    pub(super) fn ways_in(&self, table: &Table) -> Note {
        if table.phase != Phase::Lobby || table.is_solo() {
            return Note::brief(Text::new("refuse-none-waiting"));
        }
        let doors = self.post.doors(&table.id.0);
        let title = Text::new("answer-invite").with("table", &*table.id.0);
        Note::lasting([title].into_iter().chain(lobby::ways_in(table, &doors)).collect())
    }

    /// The table is not to stand any more where somebody asks for it.
    pub(super) async fn stop_here(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let place = visit.update.place.id.clone();
        self.command(visit, held, Command::Detach(place), &|_| brief("answer-stopped")).await
    }

    /// Why no more tables may stand in a place, if so.
    async fn too_many_here(&self, visit: &Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let (place, person) = (&visit.update.place.id, &visit.update.person.id);
        let most = self.ledger.limits().tables_per_place;
        let prefix = format!("{} ", place.0);
        let rows = self.ledger.rows(Space::PlaceTable, &prefix, ROWS_MAX).await?;
        let mut here = rows.len();
        if (most..ROWS_MAX).contains(&here) {
            (here, _) = self.taking_room(&rows, person, visit.now_ms).await?;
        }
        let text = || Text::new("refuse-too-many-tables-here").with("count", here as i64);
        Ok((here >= most).then(|| vec![Note::brief(text())]))
    }
}
