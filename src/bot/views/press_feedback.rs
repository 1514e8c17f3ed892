//! Builds the short acknowledgement of a button press: its effect, and what comes next.

use crate::views::board_view;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ReplyPurpose;
use caravanserai_protocol::view::View;
use caravanserai_table::Decision;
use caravanserai_table::clock::ClockEvent;
use caravanserai_table::event::Event;
use caravanserai_table::state::{Table, TablePhase};

/// The acknowledgement of an action for the person who acted: its effect and what comes next. It
/// contains nothing secret. Returns `None` if the effect is shown in another way, for example on
/// the board.
pub fn feedback_view(before: &Table, decision: &Decision, person: &PersonId) -> Option<View> {
    let next = &decision.table;
    let mut phrases = decision.events().filter_map(|it| event_phrase(before, next, it, person));
    // If a change of the seats starts the game, the start counts.
    let begins = decision.events().any(|it| matches!(it, Event::Started { .. }));
    let seats = Arg::from(Text::new("done-seats"));
    let mut phrase = phrases.find(|it| !begins || *it != seats)?;
    if let Some(next_turn) = next_turn_text(before, next, person) {
        phrase = join_phrases(phrase, next_turn);
    }
    let text = Text::new("done-reply").with("what", phrase);
    let purpose = ReplyPurpose::Acknowledgement;
    Some(board_view::with_player_names(next, View { purpose, ..View::brief(text) }))
}

/// The acknowledgement for a person whose request is posted for everybody: a new table, or a board
/// at the bottom.
pub fn posting_feedback_views(phrase: &'static str) -> Vec<View> {
    let text = Text::new("done-reply").with("what", Text::new(phrase));
    vec![View { purpose: ReplyPurpose::BeingPosted, ..View::brief(text) }]
}

fn join_phrases(first: Arg, second: impl Into<Arg>) -> Arg {
    Text::new("done-and").with("first", first).with("second", second).into()
}

/// The effect of the first described event, in words.
fn event_phrase(before: &Table, next: &Table, event: &Event, person: &PersonId) -> Option<Arg> {
    let is_person = |who: &PersonId| who == person;
    let key = match event {
        Event::Stepped { seat, token } => return step_phrase(before, next, *seat, token),
        Event::Seated { person, .. } if is_person(person) => "done-joined",
        Event::Kicked { .. } => "done-removed",
        Event::InvitationEnded { .. } if is_person(&next.setup.opener) => "done-removed",
        Event::InvitationEnded { .. } => "done-declined",
        Event::Seated { .. }
        | Event::Invited { .. }
        | Event::ComputerRemoved { .. }
        | Event::SeatChanged { .. }
        | Event::SeatCountSet { .. } => "done-seats",
        Event::Left { .. } => "done-left",
        Event::HouseRulesSet { .. }
        | Event::FirstMoverSet { .. }
        | Event::HintsSet { .. }
        | Event::RatedSet { .. } => "done-saved",
        Event::PublicSet { .. } => "done-saved",
        Event::Started { .. } => "done-started",
        Event::MovesTakenBack { .. } => "done-back",
        Event::SeatReplaced { .. } | Event::SubstituteAgreed { .. } => "done-replaced",
        Event::OfferDeclined { .. } => "done-declined",
        Event::TableClosed { .. } if before.phase == TablePhase::Lobby => "done-closed",
        // The end of the game explains itself.
        Event::GameOver { .. } | Event::TableClosed { .. } => "done-over",
        Event::Opened(_)
        | Event::InviteeIdentified { .. }
        | Event::DeclineExplained { .. }
        | Event::KeptOpen
        | Event::InviteesReminded
        | Event::RatingBlocked { .. }
        | Event::RatingPaused { .. }
        | Event::GuestSeated { .. }
        | Event::ComputersRated
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
        Event::Clock(clock_event) => clock_event_phrase(clock_event)?,
    };
    Some(Text::new(key).into())
}

/// The text key for an event about time.
fn clock_event_phrase(clock_event: &ClockEvent) -> Option<&'static str> {
    match clock_event {
        ClockEvent::ControlSet(_) | ClockEvent::SubstituteLevelSet(_) => Some("done-saved"),
        ClockEvent::PersonReturned { .. } | ClockEvent::VacationEnded { .. } => {
            Some("done-returned")
        }
        ClockEvent::Nudged { .. } => Some("done-nudged"),
        ClockEvent::Paused => Some("done-paused"),
        ClockEvent::Resumed => Some("done-resumed"),
        ClockEvent::WholeTurnsTimed
        | ClockEvent::ClocksChanged(_)
        | ClockEvent::Refunded { .. }
        | ClockEvent::Frozen
        | ClockEvent::Unfrozen
        | ClockEvent::TimeRanOut { .. }
        | ClockEvent::PersonLeft { .. }
        | ClockEvent::VacationStarted { .. } => None,
    }
}

/// A move by the label of its button, and its effect as the game describes it.
fn step_phrase(before: &Table, next: &Table, seat: u8, token: &str) -> Option<Arg> {
    let seat = caravanserai_games::rules::Seat(seat);
    let choices = before.game.as_deref()?.choices(seat);
    let label = choices.into_iter().find(|it| it.token == token)?.label;
    next.game.as_deref()?.describe_action(seat, label).into_iter().reduce(join_phrases)
}

/// The next turn, or the result of the game.
fn next_turn_text(before: &Table, next: &Table, person: &PersonId) -> Option<Text> {
    match &next.phase {
        TablePhase::Over { scores, reason } => Some(board_view::result_text(next, scores, *reason)),
        TablePhase::Playing => {
            let turn = next.seat_to_move()?;
            let name = |key: &'static str| Text::new(key).with("name", Arg::Seat(turn));
            Some(if next.computer_level_of(turn).is_some() {
                name("computer-thinks")
            } else if next.seating.has_seat(person, turn) && !next.is_solo() {
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
