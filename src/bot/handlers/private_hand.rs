//! Shows hidden hands to their players and handles presses on numbered cards.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::guests::PageLinks;
use super::update_committer::UpdateCommitter;
use crate::commands::action::RequestOrigin;
use crate::delivery::Delivery;
use crate::repository::outbox_entry::{BoardTask, OutboxEntry};
use crate::repository::profiles::PersonProfile;
use crate::repository::{Failure, TableGuard};
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use crate::views::panel_views::{PlayerPrefs, SpectatorInfo};
use crate::views::{board_view, panel_views, viewer_buttons};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::Refusal;
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

/// The viewer for a person at a table.
pub(crate) fn viewer_at_table(table: &Table, context: &RequestContext<'_>) -> Viewer {
    let seat = table.seating.seats_of(&context.update.person.id).next();
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// The meaning of a numbered button for the person who presses it.
pub(crate) enum NumberedCardPress {
    /// It plays a card, or is refused.
    Card(Result<Command, Refusal>),
    /// The person has not seen this numbering yet: their hand, to press again.
    Unknown(Box<View>),
}

/// The cards of a seat, in the order of their numbers.
pub(crate) fn numbered_cards(table: &Table, seat: u8) -> Vec<String> {
    let hand = table.game.as_deref().map(|it| it.hand(Seat(seat))).unwrap_or_default();
    hand.into_iter().map(|it| it.choice.token).collect()
}

/// Shows hands and boards to one person.
pub(crate) struct PrivateHands {
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
    page_links: Arc<PageLinks>,
}

impl PrivateHands {
    pub(crate) fn new(
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
        page_links: Arc<PageLinks>,
    ) -> Self {
        Self { delivery, committer, page_links }
    }

    /// The hand of the sender.
    pub(crate) async fn own_hand_views(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> Vec<View> {
        if !table.game_id().info().hidden {
            return brief_views("refuse-nothing-hidden");
        }
        if table.phase != TablePhase::Playing {
            return brief_views("refuse-no-hand");
        }
        match table.seating.seats_of(&context.update.person.id).next() {
            Some(seat) => {
                let method = self.hand_delivery(context, table);
                vec![self.shown_hand_view(context, table, seat, method).await]
            }
            None => brief_views("refuse-not-your-table"),
        }
    }

    /// The hand of a seat for the sender, shown in the given way.
    async fn shown_hand_view(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
        seat: u8,
        method: HandDelivery,
    ) -> View {
        if method == HandDelivery::NumberedButtons {
            let person = &context.update.person.id;
            let cards = numbered_cards(table, seat);
            self.delivery.record_shown_numbers(person, &table.id, cards).await;
        }
        hand_views::hand_view(table, seat, method)
    }

    /// How hands can be shown to the sender.
    pub(crate) fn hand_delivery(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> HandDelivery {
        // In a private chat the message with the hand has its own buttons on every platform.
        let here = context.is_table_here(table).then_some(&context.update.chat.id);
        here.map_or(HandDelivery::Buttons, |chat| self.delivery.hand_delivery(chat))
    }

    /// The menu of a table, as the sender sees it.
    pub(crate) async fn table_menu(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
    ) -> HandlerResult {
        let PersonProfile { confirms_moves, has_quick_computers, .. } = context.person;
        let is_player = table.seating.is_seated(&context.update.person.id);
        let spectator_count = self.delivery.count_spectators(table).await?;
        let spectator_info = SpectatorInfo {
            spectators: spectator_count,
            is_public: self.delivery.is_public(table),
        };
        let player_prefs = PlayerPrefs {
            is_player,
            confirms_cards: confirms_moves,
            has_quick_pace: has_quick_computers,
        };
        let chat = &context.update.chat.id;
        let page_buttons = self.page_links.open_board_buttons(context, table);
        let mut view =
            panel_views::menu_view(table, chat, player_prefs, spectator_info, page_buttons);
        view.button_rows =
            viewer_buttons::buttons_for_viewer(view.button_rows, table, &context.actor());
        Ok(vec![view])
    }

    /// More choices for the player to move. If the board is the only message of the chat, they are
    /// shown under it.
    pub(crate) async fn further_choices(
        &self,
        context: &mut RequestContext<'_>,
        guard: TableGuard,
        page: u8,
    ) -> HandlerResult {
        let table = guard.table();
        let Some(turn) = table.seat_to_move() else { return Ok(brief_views("refuse-not-started")) };
        if !table.seating.has_seat(&context.update.person.id, turn) {
            let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
            return Ok(vec![View::brief(board_view::insert_player_names(table, text))]);
        }
        let here = context.update.chat.id.clone();
        if !self.delivery.is_single_message_chat(&here) {
            return Ok(vec![panel_views::more_choices_view(table, turn, page)]);
        }
        let task = BoardTask { page, ..BoardTask::default() };
        let entry = OutboxEntry::board(&here, table, task).encode();
        drop(guard);
        let _ = self
            .committer
            .commit_changes(context, Vec::new(), Commit::from_puts(vec![entry]), &[])
            .await?;
        Ok(Vec::new())
    }

    /// The card that the person was shown under a number, else their hand with its numbers. A typed
    /// number comes from the suggestions while typing, which include their position.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn resolve_numbered_card(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
        (position, n): (u64, u8),
        origin: RequestOrigin,
    ) -> Result<NumberedCardPress, Failure> {
        let refuse = |key, is_stale| {
            Ok(NumberedCardPress::Card(Err(Refusal { text: Text::new(key), is_stale })))
        };
        let person = &context.update.person.id;
        let Some(seat) = table.seating.seats_of(person).next() else {
            return refuse("refuse-not-your-table", false);
        };
        if table.phase != TablePhase::Playing || table.game.is_none() {
            return refuse("refuse-not-started", false);
        }
        let cards = numbered_cards(table, seat);
        if origin == RequestOrigin::Typed && position != table.history.position {
            return refuse("refuse-old-button", true);
        }
        if origin == RequestOrigin::Pressed
            && !self.delivery.has_shown_numbers(person, &table.id, &cards).await?
        {
            let method = HandDelivery::NumberedButtons;
            let hand = self.shown_hand_view(context, table, seat, method).await;
            return Ok(NumberedCardPress::Unknown(Box::new(hand)));
        }
        let Some(token) = cards.into_iter().nth(usize::from(n).wrapping_sub(1)) else {
            return refuse("refuse-no-such-card", false);
        };
        // A number of an older position is valid, because the order of the cards is the same.
        Ok(NumberedCardPress::Card(Ok(Command::Move {
            position: Some(position),
            choice: MoveChoice::Token(token),
        })))
    }

    /// The hand that the sender is shown after their own move, if they played from a hand.
    pub(crate) async fn hand_after_move(
        &self,
        context: &RequestContext<'_>,
        guard: &TableGuard,
        next: &Table,
    ) -> Result<Option<(u8, View)>, Failure> {
        let needs_hand = hand_views::has_hands(next)
            || (hand_views::has_stale_hands(next) && guard.table().is_open());
        // A guest of the web page sees the hand on the board there.
        let is_guest = context.update.is_by_guest();
        if !needs_hand || next.is_solo() || !context.is_press() || is_guest {
            return Ok(None);
        }
        let here = context.update.chat.id.clone();
        if next.chats.location_in(&here).is_some_and(|it| it.reader.is_some()) {
            // The board shows the hand.
            return Ok(None);
        }
        let board =
            self.delivery.live_board(guard.table(), context.table_chat(guard.table())).await?;
        if board.is_some() && context.pressed_message() == board.as_ref() {
            return Ok(None);
        }
        if context.is_table_here(next) && !self.delivery.has_spare_calls(&here) {
            // The short acknowledgement is enough; the hand is updated on the player's turn.
            return Ok(None);
        }
        let seat = next.seating.seats_of(&context.update.person.id).next();
        let method = self.hand_delivery(context, next);
        let Some(seat) = seat else { return Ok(None) };
        Ok(Some((seat, self.shown_hand_view(context, next, seat, method).await)))
    }
}
