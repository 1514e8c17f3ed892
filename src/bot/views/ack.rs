//! Builds the short acknowledgement of a button press: what it did, and what is next.

use crate::views::board_view;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::View;
use caravanserai_table::Decision;
use caravanserai_table::clock::ClockEvent;
use caravanserai_table::event::Event;
use caravanserai_table::state::{Table, TablePhase};

/// What somebody is told at once of what they did: that, and what is next. Nothing in it is
/// secret, and it is left out where the board itself is the answer. `None` for what is shown in
/// another way.
pub fn ack_view(before: &Table, decision: &Decision, person: &PersonId) -> Option<View> {
    let next = &decision.table;
    // A game that begins with fewer seats begins.
    let begins = decision.events().any(|it| matches!(it, Event::Started { .. }));
    let counts = |it: &&Event| !(begins && matches!(it, Event::SeatCountSet { .. }));
    let mut what =
        decision.events().filter(counts).find_map(|it| event_phrase(before, next, it, person))?;
    if let Some(then) = next_turn_text(before, next, person) {
        what = join_phrases(what, then);
    }
    let text = Text::new("done-told").with("what", what);
    Some(board_view::with_player_names(next, View { passing: true, ..View::brief(text) }))
}

/// What somebody is told whose wish is being posted for everybody: the table they opened, the board
/// they wanted below.
pub fn posting_ack_views(what: &'static str) -> Vec<View> {
    let text = Text::new("done-told").with("what", Text::new(what));
    vec![View { passing: true, posts: true, ..View::brief(text) }]
}

fn join_phrases(first: Arg, second: impl Into<Arg>) -> Arg {
    Text::new("done-and").with("first", first).with("second", second).into()
}

/// The first thing that somebody did, in words.
fn event_phrase(before: &Table, next: &Table, event: &Event, person: &PersonId) -> Option<Arg> {
    let own = |who: &PersonId| who == person;
    let key = match event {
        Event::Stepped { seat, token } => return step_phrase(before, next, *seat, token),
        Event::Seated { person, .. } if own(person) => "done-joined",
        Event::Seated { .. } | Event::Invited { .. } | Event::ComputerRemoved { .. } => {
            "done-seats"
        }
        Event::Kicked { .. } | Event::InvitationEnded { .. } => "done-seats",
        Event::PlaceChanged { .. } | Event::SeatCountSet { .. } => "done-seats",
        Event::Left { .. } => "done-left",
        Event::HouseRulesSet { .. } | Event::FirstMoverSet { .. } | Event::HintsSet { .. } => {
            "done-settled"
        }
        Event::PublicSet { .. } => "done-settled",
        Event::Started { .. } => "done-started",
        Event::MovesTakenBack { .. } => "done-back",
        Event::SeatReplaced { .. } | Event::SubstituteAgreed { .. } => "done-replaced",
        Event::OfferDeclined { .. } => "done-declined",
        Event::TableClosed { .. } if before.phase == TablePhase::Lobby => "done-closed",
        // The end says itself why.
        Event::GameOver { .. } | Event::TableClosed { .. } => "done-over",
        Event::Opened(_)
        | Event::InviteeIdentified { .. }
        | Event::DeclineExplained { .. }
        | Event::KeptOpen
        | Event::InviteesReminded
        | Event::HintGiven { .. }
        | Event::ConditionalMovesSet { .. }
        | Event::ChanceDrawn { .. }
        | Event::OfferMade { .. }
        | Event::OfferAgreed { .. }
        | Event::SubstituteProposed { .. }
        | Event::ChatMoved { .. }
        | Event::Attached(_)
        | Event::Detached { .. }
        | Event::PlayerChatChanged { .. }
        | Event::AccountsMerged { .. }
        | Event::SeedCommitted(_)
        | Event::ContinuedAt { .. }
        | Event::MisplacedLinesMoved(_) => return None,
        Event::Clock(timed) => clock_event_phrase(timed)?,
    };
    Some(Text::new(key).into())
}

/// What somebody did about time.
fn clock_event_phrase(timed: &ClockEvent) -> Option<&'static str> {
    match timed {
        ClockEvent::ControlSet(_) | ClockEvent::SubstituteLevelSet(_) => Some("done-settled"),
        ClockEvent::PersonReturned { .. } | ClockEvent::VacationEnded { .. } => {
            Some("done-returned")
        }
        ClockEvent::Nudged { .. } => Some("done-nudged"),
        ClockEvent::Paused => Some("done-paused"),
        ClockEvent::Resumed => Some("done-resumed"),
        ClockEvent::ClocksChanged(_)
        | ClockEvent::Refunded { .. }
        | ClockEvent::TimeRanOut { .. }
        | ClockEvent::PersonLeft { .. }
        | ClockEvent::VacationStarted { .. } => None,
    }
}

/// A step by the label of its button, and what the game says came of it.
fn step_phrase(before: &Table, next: &Table, seat: u8, token: &str) -> Option<Arg> {
    let seat = caravanserai_games::rules::Seat(seat);
    let choices = before.game.as_deref()?.choices(seat);
    let label = choices.into_iter().find(|it| it.token == token)?.label;
    next.game.as_deref()?.describe_action(seat, label).into_iter().reduce(join_phrases)
}

/// Whose turn it is then, or how it ended.
fn next_turn_text(before: &Table, next: &Table, person: &PersonId) -> Option<Text> {
    match &next.phase {
        TablePhase::Over { scores, reason } => Some(board_view::result_text(next, scores, *reason)),
        TablePhase::Playing => {
            let turn = next.seat_to_move()?;
            let name = |key: &'static str| Text::new(key).with("name", Arg::Seat(turn));
            Some(if next.computer_level_of(turn).is_some() {
                name("computer-thinks")
            } else if next.seats_of(person).any(|it| it == turn) && !next.is_solo() {
                Text::new("done-your-turn")
            } else {
                name("done-turn")
            })
        }
        TablePhase::Lobby => None,
        TablePhase::Closed { .. } => {
            (before.phase == TablePhase::Playing).then(|| Text::new("done-closed"))
        }
    }
}
