//! Builds the view of a hidden hand for its owner, and the numbered buttons under a board, which
//! reveal nothing.

use crate::commands::action::ExecuteCommand;
use crate::commands::hand::ShowHand;
use crate::commands::make_move::PlayNumberedCard;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::coach_views;
use crate::views::panel_views;
use crate::views::viewer_buttons;
use caravanserai_games::HandCard;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_protocol::{ButtonTone, HandPriority};
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

/// The number of cards in a row of buttons.
const CARDS_PER_ROW: usize = 4;

/// How a platform can show a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandDelivery {
    /// In a private message with buttons.
    Buttons,
    /// In a short notification; cards are played by numbered buttons under the board.
    NumberedButtons,
}

/// The slot in which a new view of the hand replaces the older one.
pub fn hand_slot(table: &Table) -> String {
    hand_slot_of_id(&table.id)
}

/// The slot of the hand at the table with this code.
pub fn hand_slot_of_id(table: &TableId) -> String {
    format!("hand {}", table.0)
}

/// Whether this table has hands to show now.
pub fn has_hands(table: &Table) -> bool {
    table.game_id().info().hidden && table.phase == TablePhase::Playing
}

/// Whether hands were shown at this table that are outdated because the game has ended.
pub fn has_stale_hands(table: &Table) -> bool {
    table.game_id().info().hidden && table.is_over()
}

/// The view that replaces a hand when the game is over.
fn game_over_hand_view(table: &Table) -> View {
    let texts = vec![Text::new("hand-laid-down")];
    let picture = Some(PictureRef::Board { table: table.id.0.clone() });
    View { texts, picture, slot: Some(hand_slot(table)), ..View::default() }
}

/// The hand of a seat, for its player only. The cards come first, because a notification may be cut
/// after them.
pub fn hand_view(table: &Table, seat: u8, hand_delivery: HandDelivery) -> View {
    let Some(game) = table.game.as_deref() else { return View::default() };
    if has_stale_hands(table) {
        return game_over_hand_view(table);
    }
    let cards = game.hand(Seat(seat));
    let mut texts = vec![cards_text(&cards, hand_delivery)];
    texts.extend(match table.is_frozen() {
        true => Some(Text::new("board-frozen")),
        false => game.caption(Viewer::Seat(Seat(seat))).pop(),
    });
    texts.extend(coach_views::hand_advice(table, seat));
    let mut keys = Vec::new();
    // Out of turn only actions that are legal then are shown: a kuansh, if the house rules allow
    // it.
    if !game.choices(Seat(seat)).is_empty() {
        keys.extend(panel_views::panel_buttons(table, game.panel(Seat(seat), 0)));
    }
    if keys.is_empty() || cards.iter().any(|it| it.legal) {
        let buttons: Vec<ButtonSpec> = cards.into_iter().map(|it| card_button(table, it)).collect();
        keys.extend(buttons.chunks(CARDS_PER_ROW).map(<[ButtonSpec]>::to_vec));
    }
    if table.is_frozen() {
        keys = viewer_buttons::buttons_while_frozen(keys);
    }
    let picture = Some(PictureRef::Hand { table: table.id.0.clone(), seat });
    let slot = Some(hand_slot(table));
    let priority = HandPriority::to_move_if(table.seat_to_move() == Some(seat));
    with_player_names(
        table,
        View { texts, picture, button_rows: keys, slot, priority, ..View::default() },
    )
}

/// The cards in words: numbered if numbers play them, with a mark on those that are legal.
fn cards_text(cards: &[HandCard], hand_delivery: HandDelivery) -> Text {
    if cards.is_empty() {
        return Text::new("hand-empty");
    }
    let has_legal = cards.iter().any(|it| it.legal);
    let card = |(n, it): (usize, &HandCard)| {
        let mark = if has_legal && it.legal { "✓" } else { "" };
        let number = match hand_delivery {
            HandDelivery::Buttons => String::new(),
            HandDelivery::NumberedButtons => format!("{}) ", n + 1),
        };
        match &it.choice.label {
            Arg::Plain(label) => Arg::Plain(format!("{number}{label}{mark}")),
            label => Text::new("hand-held")
                .with("number", number)
                .with("what", label.clone())
                .with("mark", mark)
                .into(),
        }
    };
    let card_list = Arg::List(cards.iter().enumerate().map(card).collect());
    let key = if has_legal { "hand-to-play" } else { "hand-cards" };
    Text::new(key).with("cards", card_list)
}

/// The hand with other buttons: more choices of a seat to move that does not play a card.
pub(crate) fn hand_view_with_buttons(table: &Table, seat: u8, keys: Vec<Vec<ButtonSpec>>) -> View {
    View { button_rows: keys, ..hand_view(table, seat, HandDelivery::Buttons) }
}

fn card_button(table: &Table, card: HandCard) -> ButtonSpec {
    let HandCard { choice, legal } = card;
    let command = Command::Move {
        position: Some(table.history.position),
        choice: MoveChoice::Token(choice.token),
    };
    let key = ButtonSpec::new(choice.label, table_callback_data(table, &ExecuteCommand(command)));
    if legal { key.with_tone(ButtonTone::Good) } else { key }
}

/// The numbered buttons under the board of a game with hidden hands, for chats that cannot show
/// hands with buttons: as many as the player to move has cards.
pub(crate) fn numbered_card_buttons(table: &Table) -> Vec<Vec<ButtonSpec>> {
    let (Some(turn), Some(game)) = (table.seat_to_move(), table.game.as_deref()) else {
        return Vec::new();
    };
    let cards = game.hand(Seat(turn));
    if !cards.iter().any(|it| it.legal) {
        return Vec::new();
    }
    let position = table.history.position;
    let key = |n: u8| {
        let label = Arg::Plain(n.to_string());
        ButtonSpec::new(label, table_callback_data(table, &PlayNumberedCard { position, n }))
    };
    let count = u8::try_from(cards.len()).unwrap_or(u8::MAX);
    let keys: Vec<ButtonSpec> = (1..=count).map(key).collect();
    keys.chunks(CARDS_PER_ROW).map(<[ButtonSpec]>::to_vec).collect()
}

/// The buttons that open a hand.
pub(crate) fn hand_buttons(table: &Table, hand_delivery: HandDelivery) -> Vec<ButtonSpec> {
    if !has_hands(table) {
        return Vec::new();
    }
    let mut keys =
        vec![ButtonSpec::new(Text::new("button-hand"), table_callback_data(table, &ShowHand))];
    if hand_delivery == HandDelivery::NumberedButtons {
        let inline_query = Some(format!("{} ", table.id.0));
        keys.push(ButtonSpec {
            inline_query,
            ..ButtonSpec::new(Text::new("button-cards"), table_callback_data(table, &ShowHand))
        });
    }
    keys
}

/// The cards that this person can play now at a table, each with the command that plays it, for
/// suggestions while typing. Everybody in the chat can read the command before it is handled, so it
/// names a chat in the hand and not a card.
pub fn typeable_cards(table: &Table, person: &PersonId) -> Vec<(HandCard, String)> {
    let own_seat =
        table.seat_to_move().filter(|it| table.seating.seats_of(person).any(|seat| seat == *it));
    let (Some(seat), Some(game)) = (own_seat, table.game.as_deref()) else { return Vec::new() };
    let say = |(n, it): (usize, HandCard)| {
        let command = format!("/move {} {}.{}", table.id.0, table.history.position, n + 1);
        it.legal.then_some((it, command))
    };
    game.hand(Seat(seat)).into_iter().enumerate().filter_map(say).collect()
}
