//! Decides offers and their answers: draws, agreed aborts, takebacks, resignations of partners.

use super::clock::ClockEvent;
use super::command::{Actor, OfferAnswer};
use super::consent::{
    are_all_others_away, blocking_offer, is_own_offer, is_settled, needs_present_player,
    pending_refusal, required_seats, seats_yet_to_agree, undoes_win_of_absent,
};
use super::decide::{
    DecideResult, Decision, Refusal, decide_and_advance, decide_one, game_in_play, refuse,
    refuse_stale, require_unfinished, resignation_event, seat_of,
};
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{EndReason, Event, PlayerOffer};
use super::offer_state::{PendingOffer, ShownOffer};
use super::seat_replacement::{
    answer_newcomer, replacement_event, require_not_losing_to_computers,
};
use super::state::Table;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Seat;

/// Makes an offer, agrees to the same offer of another player, or acts at once if nobody has to
/// agree.
pub(super) fn make_offer(
    table: &Table,
    actor: &Actor,
    seat: u8,
    offer: PlayerOffer,
) -> DecideResult {
    let is_own = |it: PendingOffer| is_own_offer(table, it, seat);
    match blocking_offer(table, seat) {
        Some(pending) if is_same_offer(pending.offer, offer) && !is_own(pending) => {
            answer_offer(table, actor, table.offers.shown(), OfferAnswer::Accept)
        }
        Some(pending) if is_own(pending) => {
            let same = std::mem::discriminant(&pending.offer) == std::mem::discriminant(&offer);
            Err(refuse(if same { "refuse-already-offered" } else { "refuse-offer-waits" }))
        }
        Some(_) => Err(pending_refusal(table, Some(seat))),
        None if table.offers.was_declined(seat, offer) => Err(refuse("refuse-turned-down")),
        None if needs_present_player(offer) && are_all_others_away(table, seat) => {
            Err(refuse("refuse-others-away"))
        }
        None if undoes_win_of_absent(table, seat, offer) => Err(refuse("refuse-others-away")),
        None if required_seats(table, Some(seat), offer).is_empty() => {
            execute_offer(table, actor, seat, offer)
        }
        None => decide_one(table, actor, Event::OfferMade { seat, offer }),
    }
}

/// Whether making this offer agrees to the pending offer: taking back different moves is not the
/// same.
fn is_same_offer(a: PlayerOffer, b: PlayerOffer) -> bool {
    a == b && !matches!(a, PlayerOffer::Takeback { .. })
}

pub(super) fn offer_draw(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    if !table.setup.can_be_drawn() {
        return Err(refuse("refuse-no-draws"));
    }
    if table.seating.people_seats().len() == 1 && !is_played_by_one_person(table) {
        return Err(refuse("refuse-draw-computer"));
    }
    make_offer(table, actor, seat, PlayerOffer::Draw)
}

/// Whether the next answer can make a draw agreed: it is offered and lacks no other answer, or
/// nobody else who is present has to agree. `actor` is the player who answers, where that is known.
pub(super) fn can_draw_be_agreed(table: &Table, actor: Option<&PersonId>) -> bool {
    if !table.setup.can_be_drawn() {
        return false;
    }
    match table.offers.pending {
        Some(it) if it.offer == PlayerOffer::Draw => {
            let is_own = actor.is_some() && actor == table.seating.person(it.logged_seat());
            !is_own && seats_yet_to_agree(table).len() <= 1
        }
        _ => {
            let people = table.seating.people_seats();
            let is_among_people = people.len() > 1 || is_played_by_one_person(table);
            let decides_alone = |seat: &u8| {
                blocking_offer(table, *seat).is_none()
                    && required_seats(table, Some(*seat), PlayerOffer::Draw).is_empty()
            };
            is_among_people && people.iter().any(decides_alone)
        }
    }
}

/// Whether one person plays all seats.
fn is_played_by_one_person(table: &Table) -> bool {
    table.seating.people_seats().len() == 1
        && table.seating.occupants.iter().all(|it| !it.is_computer())
}

/// Offers to abort the game when it is no longer early, or when an outcome of chance was shown:
/// all have to agree. Games with draws use a draw instead. In the logs of other games
/// [`PlayerOffer::Draw`] means this offer.
pub(super) fn offer_abort(table: &Table, actor: &Actor, seat: u8) -> DecideResult {
    if table.would_count_as_loss_to_computers() {
        return Err(refuse("refuse-abort-rated"));
    }
    if table.is_winner_known() {
        // The player with the chat may be away, and the others would agree that it does not count.
        return Err(refuse("refuse-abort-place"));
    }
    if table.setup.can_be_drawn() || required_seats(table, Some(seat), PlayerOffer::Draw).is_empty()
    {
        return Err(refuse("refuse-too-late-to-abort"));
    }
    make_offer(table, actor, seat, PlayerOffer::Draw)
}

pub(super) fn offer_takeback(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    let steps = takeback_target(table, actor)?;
    make_offer(table, actor, seat, PlayerOffer::Takeback { steps })
}

/// Returns the number of steps that remain when this person takes back their last decision. A
/// forced step is not a decision, no matter who played it.
fn takeback_target(table: &Table, actor: &Actor) -> Result<u32, Refusal> {
    let coached = table.is_coached(&actor.person);
    if table.game_id().info().hidden && !coached {
        return Err(refuse("refuse-back-hidden"));
    }
    let own: Vec<u8> = table.seating.seats_of(&actor.person).collect();
    let mut last = None;
    let mut game = table.initial_game().map_err(|_| refuse("refuse-nothing-to-take-back"))?;
    for (n, step) in table.history.steps.iter().enumerate() {
        let seat = step.seat.filter(|seat| own.contains(seat));
        let only = |seat| game.choices(Seat(seat)).len() == 1;
        let forced = || game.forced_action().as_deref() == Some(step.token);
        if seat.is_some_and(|seat| !only(seat) && !forced()) {
            last = Some(n);
        }
        step.apply_to(&mut *game).expect("the steps of a table follow from each other");
    }
    let last = last.ok_or_else(|| refuse("refuse-nothing-to-take-back"))?;
    if !coached && table.history.steps.iter().skip(last).any(|it| it.seat.is_none()) {
        return Err(refuse("refuse-back-chance"));
    }
    Ok(last as u32)
}

/// Resigns together with the partner, who has to agree if it is a person.
pub(super) fn offer_resignation(table: &Table, actor: &Actor, seat: u8) -> DecideResult {
    make_offer(table, actor, seat, PlayerOffer::Resign)
}

/// Accepts or declines an offer of another player, or withdraws the own one. `seen` is the offer
/// that the person saw; `None` means the pending one.
pub(super) fn answer_offer(
    table: &Table,
    actor: &Actor,
    seen: Option<ShownOffer>,
    answer: OfferAnswer,
) -> DecideResult {
    let Some(pending) = table.offers.pending else {
        return Err(refuse_stale("refuse-nothing-offered"));
    };
    let offer = pending.offer;
    if seen.is_some_and(|seen| seen.offer != offer) {
        return Err(refuse_stale("refuse-nothing-offered"));
    }
    if seen.is_some() && seen != table.offers.shown() {
        // Another newcomer was proposed for the same seat.
        return Err(refuse_stale("refuse-lobby-changed"));
    }
    let Some(seat) = table.seating.seats_of(&actor.person).next() else {
        return answer_newcomer(table, actor, pending, answer);
    };
    let proposer = pending.proposer_seat();
    if proposer.is_some_and(|it| table.seating.person(it) == Some(&actor.person)) {
        // Declining one's own offer withdraws it.
        return match answer {
            OfferAnswer::Accept => Err(refuse("refuse-own-offer")),
            OfferAnswer::Decline => decide_one(table, actor, Event::OfferDeclined { seat }),
        };
    }
    let leaves = offer == PlayerOffer::Replace { seat };
    if !leaves && !required_seats(table, proposer, offer).contains(&seat) {
        return Err(refuse("refuse-not-your-answer"));
    }
    if answer == OfferAnswer::Decline {
        if offer == PlayerOffer::Resume && table.clocks.is_long_pause(actor.now_ms) {
            return Err(refuse("refuse-pause-long"));
        }
        return decide_one(table, actor, Event::OfferDeclined { seat });
    }
    if table.offers.agreed_seats.contains(&seat) {
        return Err(refuse("refuse-already-agreed"));
    }
    let mut agreed = table.offers.agreed_seats.clone();
    agreed.push(seat);
    if is_settled(table, &agreed, actor.now_ms) {
        return execute_offer(table, actor, pending.logged_seat(), offer);
    }
    decide_one(table, actor, Event::OfferAgreed { seat })
}

/// Returns the events after all have agreed.
pub(super) fn execute_offer(
    table: &Table,
    actor: &Actor,
    by: u8,
    offer: PlayerOffer,
) -> DecideResult {
    if undoes_win_of_absent(table, by, offer) {
        return Err(refuse("refuse-others-away"));
    }
    match offer {
        PlayerOffer::Draw if !table.setup.can_be_drawn() => {
            decide_one(table, actor, Event::TableClosed { reason: EndReason::Aborted })
        }
        PlayerOffer::Draw => {
            let scores = vec![0; usize::from(table.setup.seats)];
            decide_one(table, actor, Event::GameOver { scores, reason: EndReason::DrawAgreed })
        }
        PlayerOffer::Takeback { steps } => {
            decide_and_advance(table, actor, [Event::MovesTakenBack { steps }])
        }
        PlayerOffer::Rematch => Ok(Decision {
            opens_rematch: true,
            ..DecisionBuilder::new(table, EventMeta::of_actor(actor)).finish()
        }),
        PlayerOffer::Resign => decide_one(table, actor, resignation_event(table, by)),
        PlayerOffer::Pause if table.is_turn_late() => Err(refuse("refuse-pause-late")),
        PlayerOffer::Pause => decide_one(table, actor, Event::Clock(ClockEvent::Paused)),
        PlayerOffer::Resume => decide_one(table, actor, Event::Clock(ClockEvent::Resumed)),
        PlayerOffer::Replace { seat } => {
            require_unfinished(table, seat, "refuse-seat-finished")?;
            require_not_losing_to_computers(table)?;
            decide_and_advance(table, actor, replacement_event(table))
        }
    }
}
