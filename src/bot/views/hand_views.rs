//! Builds the view of a hidden hand for its owner, and the numbered buttons under a board, which
//! reveal nothing.

use crate::commands::action::ExecuteCommand;
use crate::commands::hand::ShowHand;
use crate::commands::make_move::PlayNumberedCard;
use crate::views::board_view::{table_callback_data, with_player_names};
use crate::views::coach_views;
use crate::views::panel_views;
use caravanserai_games::HandCard;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_table::command::{Command, MoveChoice};
use caravanserai_table::state::{Table, TablePhase};

/// How many cards stand side by side.
const CARDS_PER_ROW: usize = 4;

/// How a platform can show a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandDelivery {
    /// In a private message with buttons of its own.
    Buttons,
    /// In a passing note of few words; cards are played by numbered buttons under the board.
    NumberedButtons,
}

/// What replaces an earlier showing of the hand at this table.
pub fn hand_slot(table: &Table) -> String {
    hand_slot_of_id(&table.id)
}

/// The same by the code of the table.
pub fn hand_slot_of_id(table: &TableId) -> String {
    format!("hand {}", table.0)
}

/// Whether this table has hands to show now.
pub fn has_hands(table: &Table) -> bool {
    table.game_id().info().hidden && table.phase == TablePhase::Playing
}

/// Whether hands were shown at this table that are of no use any more: it has ended.
pub fn has_stale_hands(table: &Table) -> bool {
    table.game_id().info().hidden && matches!(table.phase, TablePhase::Over { .. })
}

/// What takes the place of somebody's hand when the game is over.
fn game_over_hand_view(table: &Table) -> View {
    let texts = vec![Text::new("hand-laid-down")];
    let picture = Some(PictureRef::Board { table: table.id.0.clone() });
    View { texts, picture, slot: Some(hand_slot(table)), ..View::default() }
}

/// The hand of a seat, for the person who plays it and for nobody else. The cards come first: a
/// passing note may be cut after them.
pub fn hand_view(table: &Table, seat: u8, means: HandDelivery) -> View {
    let Some(game) = table.game.as_deref() else { return View::default() };
    if has_stale_hands(table) {
        return game_over_hand_view(table);
    }
    let held = game.hand(Seat(seat));
    let mut texts = vec![cards_text(&held, means)];
    texts.extend(game.caption(Viewer::Seat(Seat(seat))).pop());
    texts.extend(coach_views::hand_advice(table, seat));
    let mut keys = Vec::new();
    // Out of turn only what may really be done then: a kuansh, where the house rules have it so.
    if !game.choices(Seat(seat)).is_empty() {
        keys.extend(panel_views::panel_buttons(table, game.panel(Seat(seat), 0)));
    }
    if keys.is_empty() || held.iter().any(|it| it.legal) {
        let cards: Vec<ButtonSpec> = held.into_iter().map(|it| card_button(table, it)).collect();
        keys.extend(cards.chunks(CARDS_PER_ROW).map(<[ButtonSpec]>::to_vec));
    }
    let picture = Some(PictureRef::Hand { table: table.id.0.clone(), seat });
    let (slot, to_move) = (Some(hand_slot(table)), table.seat_to_move() == Some(seat));
    with_player_names(table, View { texts, picture, keys, slot, to_move, ..View::default() })
}

/// The cards in words: numbered where numbers play them, with what may be played marked.
fn cards_text(held: &[HandCard], means: HandDelivery) -> Text {
    if held.is_empty() {
        return Text::new("hand-empty");
    }
    let any = held.iter().any(|it| it.legal);
    let card = |(n, it): (usize, &HandCard)| {
        let mark = if any && it.legal { "✓" } else { "" };
        let number = match means {
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
    let cards = Arg::List(held.iter().enumerate().map(card).collect());
    let key = if any { "hand-to-play" } else { "hand-cards" };
    Text::new(key).with("cards", cards)
}

/// The same hand with other buttons: further choices of a seat on turn that does not play a card.
pub(crate) fn hand_view_with_buttons(table: &Table, seat: u8, keys: Vec<Vec<ButtonSpec>>) -> View {
    View { keys, ..hand_view(table, seat, HandDelivery::Buttons) }
}

fn card_button(table: &Table, held: HandCard) -> ButtonSpec {
    let HandCard { choice, legal } = held;
    let command =
        Command::Play { position: Some(table.position), choice: MoveChoice::Token(choice.token) };
    let key = ButtonSpec::new(choice.label, table_callback_data(table, &ExecuteCommand(command)));
    if legal { key.with_tone(ButtonTone::Good) } else { key }
}

/// What stands under the board of a game with hidden hands while cards are played, where hands
/// cannot be shown with buttons: as many numbers as the one on turn has cards.
pub(crate) fn numbered_card_buttons(table: &Table) -> Vec<Vec<ButtonSpec>> {
    let (Some(turn), Some(game)) = (table.seat_to_move(), table.game.as_deref()) else {
        return Vec::new();
    };
    let held = game.hand(Seat(turn));
    if !held.iter().any(|it| it.legal) {
        return Vec::new();
    }
    let position = table.position;
    let key = |n: u8| {
        let label = Arg::Plain(n.to_string());
        ButtonSpec::new(label, table_callback_data(table, &PlayNumberedCard { position, n }))
    };
    let count = u8::try_from(held.len()).unwrap_or(u8::MAX);
    let keys: Vec<ButtonSpec> = (1..=count).map(key).collect();
    keys.chunks(CARDS_PER_ROW).map(<[ButtonSpec]>::to_vec).collect()
}

/// The buttons that lead to a hand.
pub(crate) fn hand_buttons(table: &Table, means: HandDelivery) -> Vec<ButtonSpec> {
    if !has_hands(table) {
        return Vec::new();
    }
    let mut keys =
        vec![ButtonSpec::new(Text::new("button-hand"), table_callback_data(table, &ShowHand))];
    if means == HandDelivery::NumberedButtons {
        let begins = Some(format!("{} ", table.id.0));
        keys.push(ButtonSpec {
            begins,
            ..ButtonSpec::new(Text::new("button-cards"), table_callback_data(table, &ShowHand))
        });
    }
    keys
}

/// What this person may play now at a table, as they would say it in the chat: for choosing while
/// typing. Only cards that may be played. What is said is read by everybody before it is decided,
/// so it names a place in the hand and no card.
pub fn typeable_cards(table: &Table, person: &PersonId) -> Vec<(HandCard, String)> {
    let own = table.seat_to_move().filter(|it| table.seats_of(person).any(|own| own == *it));
    let (Some(seat), Some(game)) = (own, table.game.as_deref()) else { return Vec::new() };
    let say = |(n, it): (usize, HandCard)| {
        let said = format!("/move {} {}.{}", table.id.0, table.position, n + 1);
        it.legal.then_some((it, said))
    };
    game.hand(Seat(seat)).into_iter().enumerate().filter_map(say).collect()
}
