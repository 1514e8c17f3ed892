//! Hidden hands: who is shown theirs, when, and what they ask of it.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use crate::repository::profiles::PersonProfile;
use crate::repository::stored_rows::BoardTask;
use crate::repository::{Failure, TableGuard};
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use crate::views::panel_views::{PlayerPrefs, SpectatorInfo};
use crate::views::{board_view, panel_views};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::Refusal;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

/// The viewer that a person is at a table.
pub(crate) fn viewer_at_table(table: &Table, visit: &RequestContext<'_>) -> Viewer {
    let seat = table.seats_of(&visit.update.person.id).next();
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// What a numbered button means to the person who presses it.
pub(crate) enum NumberedCardPress {
    /// It plays a card, or nothing.
    Card(Result<Command, Refusal>),
    /// The person has not seen yet which card it means now: their hand, to press again.
    Unknown(View),
}

/// The cards of a seat, in the order of their numbers.
pub(crate) fn numbered_cards(table: &Table, seat: u8) -> Vec<String> {
    let held = table.game.as_deref().map(|it| it.hand(Seat(seat))).unwrap_or_default();
    held.into_iter().map(|it| it.choice.token).collect()
}

impl Handlers {
    /// The hand of whoever asks.
    pub(crate) fn own_hand_notes(&self, visit: &RequestContext<'_>, table: &Table) -> Vec<View> {
        if !table.game_id().info().hidden {
            return brief_note("refuse-nothing-hidden");
        }
        if table.phase != TablePhase::Playing {
            return brief_note("refuse-no-hand");
        }
        match table.seats_of(&visit.update.person.id).next() {
            Some(seat) => {
                vec![self.hand_note(visit, table, seat, self.hand_delivery(visit, table))]
            }
            None => brief_note("refuse-not-your-table"),
        }
    }

    /// The hand of a seat for the person who asks, shown by these means.
    fn hand_note(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
        seat: u8,
        means: HandDelivery,
    ) -> View {
        if means == HandDelivery::NumberedButtons {
            self.delivery.record_shown_numbers(
                &visit.update.person.id,
                &table.id,
                numbered_cards(table, seat),
            );
        }
        hand_views::hand_view(table, seat, means)
    }

    /// How hands can be shown to whoever asks.
    pub(crate) fn hand_delivery(&self, visit: &RequestContext<'_>, table: &Table) -> HandDelivery {
        // In a private chat the message of the hand has buttons of its own everywhere.
        let here = visit.is_table_here(table).then_some(&visit.update.chat.id);
        here.map_or(HandDelivery::Buttons, |place| self.delivery.hand_delivery(place))
    }

    /// What else can be done at a table, as whoever asks sees it.
    pub(crate) async fn table_menu(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
    ) -> HandlerResult {
        let PersonProfile { confirm, quick, .. } = visit.person;
        let plays = table.seats_of(&visit.update.person.id).next().is_some();
        let watching = self.delivery.count_spectators(table).await?;
        let onlookers =
            SpectatorInfo { spectators: watching, is_public: self.delivery.is_public(table) };
        let habits =
            PlayerPrefs { is_player: plays, confirms_cards: confirm, has_quick_pace: quick };
        let (place, ways) = (&visit.update.chat.id, self.open_board_buttons(visit, table));
        Ok(vec![panel_views::menu_view(table, place, habits, onlookers, ways)])
    }

    /// The further choices of whoever asks: under the board itself where that is all there is.
    pub(crate) async fn further_choices(
        &self,
        visit: &mut RequestContext<'_>,
        held: TableGuard,
        page: u8,
    ) -> HandlerResult {
        let table = held.table();
        let Some(turn) = table.seat_to_move() else { return Ok(brief_note("refuse-not-started")) };
        if !table.seats_of(&visit.update.person.id).any(|it| it == turn) {
            let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
            return Ok(vec![View::brief(board_view::insert_player_names(table, text))]);
        }
        let here = visit.update.chat.id.clone();
        if !self.delivery.is_sole(&here) {
            return Ok(vec![panel_views::more_choices_view(table, turn, page)]);
        }
        let task = BoardTask { page, ..BoardTask::default() }.put(table, &here);
        drop(held);
        let _ = self.commit_changes(visit, Vec::new(), Commit::from_puts(vec![task]), &[]).await?;
        Ok(Vec::new())
    }

    /// The card that this person was shown under a number, else their hand with its numbers.
    /// `typed`: the number comes from the suggestions while typing, which name their position.
    pub(crate) fn resolve_numbered_card(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
        (position, n): (u64, u8),
        typed: bool,
    ) -> NumberedCardPress {
        let refused = |key, stale| {
            NumberedCardPress::Card(Err(Refusal { text: Text::new(key), is_stale: stale }))
        };
        let person = &visit.update.person.id;
        let Some(seat) = table.seats_of(person).next() else {
            return refused("refuse-not-your-table", false);
        };
        if table.phase != TablePhase::Playing || table.game.is_none() {
            return refused("refuse-not-started", false);
        }
        let cards = numbered_cards(table, seat);
        if typed && position != table.position {
            return refused("refuse-old-button", true);
        }
        if !typed && !self.delivery.has_shown_numbers(person, &table.id, &cards) {
            return NumberedCardPress::Unknown(self.hand_note(
                visit,
                table,
                seat,
                HandDelivery::NumberedButtons,
            ));
        }
        let Some(token) = cards.into_iter().nth(usize::from(n).wrapping_sub(1)) else {
            return refused("refuse-no-such-card", false);
        };
        // A number of an older position is valid, because the order of the cards is the same.
        NumberedCardPress::Card(Ok(Command::Play {
            position: Some(position),
            choice: MoveChoice::Token(token),
        }))
    }

    /// What a person who asked is shown after their own move: the hand, if they played from it.
    pub(crate) async fn hand_after_move(
        &self,
        visit: &RequestContext<'_>,
        held: &TableGuard,
        next: &Table,
    ) -> Result<Option<(u8, View)>, Failure> {
        let shown = hand_views::has_hands(next)
            || (hand_views::has_stale_hands(next) && held.table().is_open());
        // On the page the board shows it; where the table stands it is told beside that.
        let elsewhere = visit.update.is_by_guest();
        if !shown || next.is_solo() || !visit.is_press() || elsewhere {
            return Ok(None);
        }
        let here = visit.update.chat.id.clone();
        if next.location_in(&here).is_some_and(|it| it.reader.is_some()) {
            // The board shows it.
            return Ok(None);
        }
        let board = self.delivery.live_board(held.table(), visit.table_place(held.table())).await?;
        if board.is_some() && visit.pressed_message() == board.as_ref() {
            return Ok(None);
        }
        if visit.is_table_here(next) && !self.delivery.has_spare_calls(&here) {
            // A passing note says what was done; the hand is updated when it is their turn.
            return Ok(None);
        }
        let seat = next.seats_of(&visit.update.person.id).next();
        let means = self.hand_delivery(visit, next);
        Ok(seat.map(|seat| (seat, self.hand_note(visit, next, seat, means))))
    }
}
