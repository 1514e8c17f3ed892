//! Hidden hands: who is shown theirs, when, and what they ask of it.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::ledger::profiles::PersonProfile;
use crate::ledger::rows::BoardTask;
use crate::ledger::{Failure, Held};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::hands::{self, Means};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::panels::{Habits, Onlookers};
use caravanserai_protocol::{panels, present};
use caravanserai_store::Commit;
use caravanserai_table::Refusal;
use caravanserai_table::command::{Choice, Command};
use caravanserai_table::fold::{Phase, Table};

/// The viewer that a person is at a table.
pub(super) fn viewer(table: &Table, visit: &Visit<'_>) -> Viewer {
    let seat = table.seats_of(&visit.update.person.id).next();
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// What a numbered button means to the person who presses it.
pub(super) enum SlotPress {
    /// It plays a card, or nothing.
    Card(Result<Command, Refusal>),
    /// The person has not seen yet which card it means now: their hand, to press again.
    Unknown(Note),
}

/// The cards of a seat, in the order of their numbers.
pub(super) fn numbered(table: &Table, seat: u8) -> Vec<String> {
    let held = table.game.as_deref().map(|it| it.hand(Seat(seat))).unwrap_or_default();
    held.into_iter().map(|it| it.choice.token).collect()
}

impl Desk {
    /// The hand of whoever asks.
    pub(super) fn own_hand(&self, visit: &Visit<'_>, table: &Table) -> Vec<Note> {
        if !table.game_id().info().hidden {
            return brief("refuse-nothing-hidden");
        }
        if table.phase != Phase::Playing {
            return brief("refuse-no-hand");
        }
        match table.seats_of(&visit.update.person.id).next() {
            Some(seat) => vec![self.hand_by(visit, table, seat, self.means(visit, table))],
            None => brief("refuse-not-your-table"),
        }
    }

    /// The hand of a seat for the person who asks, shown by these means.
    fn hand_by(&self, visit: &Visit<'_>, table: &Table, seat: u8, means: Means) -> Note {
        if means == Means::Slots {
            self.post.show_numbers(&visit.update.person.id, &table.id, numbered(table, seat));
        }
        hands::hand(table, seat, means)
    }

    /// How hands can be shown to whoever asks.
    pub(super) fn means(&self, visit: &Visit<'_>, table: &Table) -> Means {
        // In a private chat the message of the hand has buttons of its own everywhere.
        let here = visit.is_at(table).then_some(&visit.update.place.id);
        here.map_or(Means::Buttons, |place| self.post.means(place))
    }

    /// What else can be done at a table, as whoever asks sees it.
    pub(super) async fn menu(&self, visit: &Visit<'_>, table: &Table) -> Notes {
        let PersonProfile { confirm, quick, .. } = visit.person;
        let plays = table.seats_of(&visit.update.person.id).next().is_some();
        let watching = self.post.watching(table).await?;
        let onlookers = Onlookers { watching, public: self.post.is_public(table) };
        let habits = Habits { plays, confirm, quick };
        let (place, ways) = (&visit.update.place.id, self.ways_out(visit, table));
        Ok(vec![panels::menu(table, place, habits, onlookers, ways)])
    }

    /// The further choices of whoever asks: under the board itself where that is all there is.
    pub(super) async fn more(&self, visit: &mut Visit<'_>, held: Held, page: u8) -> Notes {
        let table = held.table();
        let Some(turn) = table.turn() else { return Ok(brief("refuse-not-started")) };
        if !table.seats_of(&visit.update.person.id).any(|it| it == turn) {
            let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
            return Ok(vec![Note::brief(present::seated(table, text))]);
        }
        let here = visit.update.place.id.clone();
        if !self.post.is_sole(&here) {
            return Ok(vec![panels::more(table, turn, page)]);
        }
        let task = BoardTask { page, ..BoardTask::default() }.put(table, &here);
        drop(held);
        let _ = self.enter(visit, Vec::new(), Commit::of(vec![task]), &[]).await?;
        Ok(Vec::new())
    }

    /// The card that this person was shown under a number, else their hand with its numbers.
    /// `typed`: the number comes from the suggestions while typing, which name their position.
    pub(super) fn slot_play(
        &self,
        visit: &Visit<'_>,
        table: &Table,
        (position, n): (u64, u8),
        typed: bool,
    ) -> SlotPress {
        let refused = |key, stale| SlotPress::Card(Err(Refusal { text: Text::new(key), stale }));
        let person = &visit.update.person.id;
        let Some(seat) = table.seats_of(person).next() else {
            return refused("refuse-not-your-table", false);
        };
        if table.phase != Phase::Playing || table.game.is_none() {
            return refused("refuse-not-started", false);
        }
        let cards = numbered(table, seat);
        if typed && position != table.position {
            return refused("refuse-old-button", true);
        }
        if !typed && !self.post.has_shown_numbers(person, &table.id, &cards) {
            return SlotPress::Unknown(self.hand_by(visit, table, seat, Means::Slots));
        }
        let Some(token) = cards.into_iter().nth(usize::from(n).wrapping_sub(1)) else {
            return refused("refuse-no-such-card", false);
        };
        // A number of an older position is valid, because the order of the cards is the same.
        SlotPress::Card(Ok(Command::Play {
            position: Some(position),
            choice: Choice::Token(token),
        }))
    }

    /// What a person who asked is shown after their own move: the hand, if they played from it.
    pub(super) async fn hand_after(
        &self,
        visit: &Visit<'_>,
        held: &Held,
        next: &Table,
    ) -> Result<Option<(u8, Note)>, Failure> {
        let shown = hands::are_dealt(next) || (hands::are_down(next) && held.table().is_open());
        // On the page the board shows it; where the table stands it is told beside that.
        let elsewhere = visit.update.is_by_guest();
        if !shown || next.is_solo() || !visit.is_press() || elsewhere {
            return Ok(None);
        }
        let here = visit.update.place.id.clone();
        if next.spot(&here).is_some_and(|it| it.reader.is_some()) {
            // The board shows it.
            return Ok(None);
        }
        let board = self.post.live_board(held.table(), visit.place_of(held.table())).await?;
        if board.is_some() && visit.pressed() == board.as_ref() {
            return Ok(None);
        }
        if visit.is_at(next) && !self.post.has_plenty(&here) {
            // A passing note says what was done; the hand is updated when it is their turn.
            return Ok(None);
        }
        let seat = next.seats_of(&visit.update.person.id).next();
        let means = self.means(visit, next);
        Ok(seat.map(|seat| (seat, self.hand_by(visit, next, seat, means))))
    }
}
