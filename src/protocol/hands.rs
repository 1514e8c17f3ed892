//! Hidden hands: what one seat alone is shown, and the marks under the board that tell nothing.

use super::note::{Key, Note, Picture};
use super::panels;
use super::present::{named, press};
use super::press::Ask;
use super::{Tone, coach};
use caravanserai_games::Held;
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::command::{Choice, Command};
use caravanserai_table::fold::{Phase, Table};

/// How many cards stand side by side.
const CARDS_IN_A_ROW: usize = 4;

/// How a platform can show a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// In a private message with buttons of its own.
    Buttons,
    /// In a passing note of few words; cards are played by numbered buttons under the board.
    Slots,
}

/// What replaces an earlier showing of the hand at this table.
pub fn slot(table: &Table) -> String {
    slot_of(&table.id)
}

/// The same by the code of the table.
pub fn slot_of(table: &TableId) -> String {
    format!("hand {}", table.0)
}

/// Whether this table has hands to show now.
pub fn are_dealt(table: &Table) -> bool {
    table.game_id().info().hidden && table.phase == Phase::Playing
}

/// Whether hands were shown at this table that are of no use any more: it has ended.
pub fn are_down(table: &Table) -> bool {
    table.game_id().info().hidden && matches!(table.phase, Phase::Over { .. })
}

/// What takes the place of somebody's hand when the game is over.
fn laid_down(table: &Table) -> Note {
    let texts = vec![Text::new("hand-laid-down")];
    let picture = Some(Picture::Board { table: table.id.0.clone() });
    Note { texts, picture, slot: Some(slot(table)), ..Note::default() }
}

/// The hand of a seat, for the person who plays it and for nobody else. The cards come first: a
/// passing note may be cut after them.
pub fn hand(table: &Table, seat: u8, means: Means) -> Note {
    let Some(game) = table.game.as_deref() else { return Note::default() };
    if are_down(table) {
        return laid_down(table);
    }
    let held = game.hand(Seat(seat));
    let mut texts = vec![held_text(&held, means)];
    texts.extend(game.caption(Viewer::Seat(Seat(seat))).pop());
    texts.extend(coach::for_hand(table, seat));
    let mut keys = Vec::new();
    // Out of turn only what may really be done then: a kuansh, where the house rules have it so.
    if !game.choices(Seat(seat)).is_empty() {
        keys.extend(panels::rows(table, game.panel(Seat(seat), 0)));
    }
    if keys.is_empty() || held.iter().any(|it| it.legal) {
        let cards: Vec<Key> = held.into_iter().map(|it| card_key(table, it)).collect();
        keys.extend(cards.chunks(CARDS_IN_A_ROW).map(<[Key]>::to_vec));
    }
    let picture = Some(Picture::Hand { table: table.id.0.clone(), seat });
    let (slot, to_move) = (Some(slot(table)), table.turn() == Some(seat));
    named(table, Note { texts, picture, keys, slot, to_move, ..Note::default() })
}

/// The cards in words: numbered where numbers play them, with what may be played marked.
fn held_text(held: &[Held], means: Means) -> Text {
    if held.is_empty() {
        return Text::new("hand-empty");
    }
    let any = held.iter().any(|it| it.legal);
    let card = |(n, it): (usize, &Held)| {
        let mark = if any && it.legal { "✓" } else { "" };
        let number = match means {
            Means::Buttons => String::new(),
            Means::Slots => format!("{}) ", n + 1),
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
pub(super) fn with_keys(table: &Table, seat: u8, keys: Vec<Vec<Key>>) -> Note {
    Note { keys, ..hand(table, seat, Means::Buttons) }
}

fn card_key(table: &Table, held: Held) -> Key {
    let Held { choice, legal } = held;
    let command =
        Command::Play { position: Some(table.position), choice: Choice::Token(choice.token) };
    let key = Key::new(choice.label, press(table, Ask::Do(command)));
    if legal { key.tone(Tone::Good) } else { key }
}

/// What stands under the board of a game with hidden hands while cards are played, where hands
/// cannot be shown with buttons: as many numbers as the one on turn has cards.
pub(super) fn slots(table: &Table) -> Vec<Vec<Key>> {
    let (Some(turn), Some(game)) = (table.turn(), table.game.as_deref()) else {
        return Vec::new();
    };
    let held = game.hand(Seat(turn));
    if !held.iter().any(|it| it.legal) {
        return Vec::new();
    }
    let position = table.position;
    let key = |n: u8| {
        let label = Arg::Plain(n.to_string());
        Key::new(label, press(table, Ask::Slot { position, n }))
    };
    let count = u8::try_from(held.len()).unwrap_or(u8::MAX);
    let keys: Vec<Key> = (1..=count).map(key).collect();
    keys.chunks(CARDS_IN_A_ROW).map(<[Key]>::to_vec).collect()
}

/// The buttons that lead to a hand.
pub(super) fn hand_keys(table: &Table, means: Means) -> Vec<Key> {
    if !are_dealt(table) {
        return Vec::new();
    }
    let mut keys = vec![Key::new(Text::new("button-hand"), press(table, Ask::Hand))];
    if means == Means::Slots {
        let begins = Some(format!("{} ", table.id.0));
        keys.push(Key { begins, ..Key::new(Text::new("button-cards"), press(table, Ask::Hand)) });
    }
    keys
}

/// What this person may play now at a table, as they would say it in the chat: for choosing while
/// typing. Only cards that may be played. What is said is read by everybody before it is decided,
/// so it names a place in the hand and no card.
pub fn sayings(table: &Table, person: &PersonId) -> Vec<(Held, String)> {
    let own = table.turn().filter(|it| table.seats_of(person).any(|own| own == *it));
    let (Some(seat), Some(game)) = (own, table.game.as_deref()) else { return Vec::new() };
    let say = |(n, it): (usize, Held)| {
        let said = format!("/move {} {}.{}", table.id.0, table.position, n + 1);
        it.legal.then_some((it, said))
    };
    game.hand(Seat(seat)).into_iter().enumerate().filter_map(say).collect()
}
