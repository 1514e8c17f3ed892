//! Chooses the buttons of a board that are of use to one viewer.
//!
//! A group has one message for everybody. A page that draws the board for each viewer, and a
//! private chat, have the buttons of that viewer only: a player who offers a draw can withdraw it,
//! the other player can answer it, and a spectator sees neither.

use crate::commands::action::TableCallback;
use crate::commands::hint::AskHint;
use crate::commands::make_move::{PlayNumberedCard, ShowMoreMoves};
use crate::commands::private::PlayInPrivate;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::ButtonSpec;
use caravanserai_table::command::{Actor, Command, OfferAnswer, OfferKind};
use caravanserai_table::decide::decide;
use caravanserai_table::offer_state::PendingOffer;
use caravanserai_table::state::Table;

/// The buttons whose press would do something for this person now, in the same rows.
///
/// A button that gives a command to the table stays if the table would accept that command. The
/// answer with which a person withdraws their own offer is labelled as such.
pub(crate) fn buttons_for_viewer(
    rows: Vec<Vec<ButtonSpec>>,
    table: &Table,
    viewer: &Actor,
) -> Vec<Vec<ButtonSpec>> {
    let plays = table.seating.is_seated(&viewer.person);
    let keep = |button: ButtonSpec| {
        let Some(TableCallback { action, .. }) = TableCallback::decode(&button.callback_data)
        else {
            return Some(button);
        };
        if !plays && (action.is::<AskHint>() || action.is::<PlayInPrivate>()) {
            return None;
        }
        let Some(command) = action.command() else { return Some(button) };
        if !plays && matches!(command, Command::Leave) {
            // Invited people decline; they have nothing to leave.
            return None;
        }
        decide(table, viewer, command).ok()?;
        Some(with_own_label(button, table, &viewer.person, command))
    };
    let rows = rows.into_iter().map(|row| row.into_iter().filter_map(keep).collect());
    rows.filter(|row: &Vec<ButtonSpec>| !row.is_empty()).collect()
}

/// The buttons that still do something while the operator has frozen the table, in the same rows:
/// all commands and hints are refused.
pub(crate) fn buttons_while_frozen(rows: Vec<Vec<ButtonSpec>>) -> Vec<Vec<ButtonSpec>> {
    let is_refused = |button: &ButtonSpec| {
        TableCallback::decode(&button.callback_data).is_some_and(|it| {
            let action = it.action;
            action.command().is_some()
                || action.is::<AskHint>()
                || action.is::<PlayNumberedCard>()
                || action.is::<ShowMoreMoves>()
        })
    };
    let rows = rows.into_iter().map(|row| row.into_iter().filter(|it| !is_refused(it)).collect());
    rows.filter(|row: &Vec<ButtonSpec>| !row.is_empty()).collect()
}

/// The buttons that answer an offer, for one person: if the offer is their own, they can withdraw
/// it and nothing else.
pub(crate) fn own_offer_buttons(
    buttons: Vec<ButtonSpec>,
    table: &Table,
    person: &PersonId,
) -> Vec<ButtonSpec> {
    if !is_own_offer(table, person) {
        return buttons;
    }
    let withdraw = |button: ButtonSpec| {
        let action = TableCallback::decode(&button.callback_data)?.action;
        let command = action
            .command()
            .filter(|it| !matches!(it, Command::AnswerOffer { answer: OfferAnswer::Accept, .. }))?;
        Some(with_own_label(button, table, person, command))
    };
    buttons.into_iter().filter_map(withdraw).collect()
}

/// The buttons of a board in a private chat that are of use to its reader: a player whose own time
/// is up claims no victory, one who is present does not return, and one who waits for the answer to
/// an offer makes no other. Only what an event changes counts, because the board is not rendered
/// again at a certain time.
pub(crate) fn own_board_buttons(
    buttons: Vec<ButtonSpec>,
    table: &Table,
    person: &PersonId,
) -> Vec<ButtonSpec> {
    let has_seat = |fits: &dyn Fn(u8) -> bool| table.seating.seats_of(person).any(fits);
    let has_claim =
        has_seat(&|it| table.claimable_from(it).is_some() || table.cut_off_opponent(it).is_some());
    let is_absent = table.clocks.recorded_vacation(person).is_some()
        || has_seat(&|it| {
            table.is_away(it) || table.has_left(it) || table.is_played_by_substitute(it)
        });
    let waits = is_own_offer(table, person);
    let is_refused = |command: &Command| match command {
        Command::ClaimVictory => !has_claim,
        Command::Abort => !has_claim && !table.can_be_aborted() && table.setup.can_be_drawn(),
        Command::Return => !is_absent,
        Command::Offer(OfferKind::Draw | OfferKind::Takeback) => waits,
        _ => false,
    };
    let is_useful = |button: &ButtonSpec| {
        let read = TableCallback::decode(&button.callback_data);
        !read.is_some_and(|it| it.action.command().is_some_and(is_refused))
    };
    buttons.into_iter().filter(is_useful).collect()
}

/// Whether the pending offer was made by this person.
fn is_own_offer(table: &Table, person: &PersonId) -> bool {
    let proposer = table.offers.pending.and_then(PendingOffer::proposer_seat);
    proposer.is_some_and(|seat| table.seating.has_seat(person, seat))
}

/// The button with the label that it has for this person: declining one's own offer withdraws it.
fn with_own_label(
    button: ButtonSpec,
    table: &Table,
    person: &PersonId,
    command: &Command,
) -> ButtonSpec {
    match command {
        Command::AnswerOffer { answer: OfferAnswer::Decline, .. }
            if is_own_offer(table, person) =>
        {
            ButtonSpec { label: Text::new("button-withdraw").into(), ..button }
        }
        _ => button,
    }
}
