//! Decides the actions that need the consent of other players: draws, takebacks, rematches, joint
//! resignations, pauses, and replacing a player.

use super::clock::{ClockEvent, TimeControl};
use super::command::Actor;
use super::decide::{
    DecideResult, Decision, Refusal, begin_decision, decide_all, decide_and_advance, decide_one,
    game_in_play, refuse, refuse_stale, require_unfinished, resignation_event, seat_of,
};
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{DEFAULT_LEVEL, EndReason, Event, PlayerOffer, computer_id};
use super::offer_state::{PendingOffer, Proposer, ShownOffer, SilentWait};
use super::people::{Invitee, SeatNewcomer};
use super::state::Table;
use caravanserai_games::ids::PersonId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::time_units::{DAY_MS, MINUTE_MS};

/// The shortest time to object to being replaced at a table with a clock, in milliseconds. If the
/// initial time of the clock is longer, the player has that time.
const OBJECTION_MIN_MS: u64 = 10 * MINUTE_MS;

/// The time to object to being replaced at a table without a clock, in milliseconds: players sleep
/// at night.
const OBJECTION_UNTIMED_MS: u64 = DAY_MS;

/// How long a pause can be kept against the wish of another player, in milliseconds, and how long
/// before the end of the pause that player has to say so: nobody's clock runs without notice.
const PAUSE_MIN_MS: u64 = DAY_MS;
const RESUME_NOTICE_MS: u64 = DAY_MS;

/// The age up to which an accepted rematch offer or challenge starts a game at once, in
/// milliseconds.
pub const REMATCH_START_MS: u64 = 15 * MINUTE_MS;

/// The seats whose answer the pending offer waits for.
pub fn seats_yet_to_agree(table: &Table) -> Vec<u8> {
    let Some(pending) = table.offers.pending else { return Vec::new() };
    let all = required_seats(table, pending.proposer_seat(), pending.offer);
    all.into_iter().filter(|it| !table.offers.agreed_seats.contains(it)).collect()
}

fn person_of_seat(table: &Table, seat: u8) -> Option<&PersonId> {
    table.seating.occupant(seat).map(|it| &it.person)
}

/// The seats that have to agree, one for each person. Computers have no say.
fn required_seats(table: &Table, by: Option<u8>, offer: PlayerOffer) -> Vec<u8> {
    let mut seats = table.seating.people_seats();
    if table.is_open() {
        // Offers do not wait for the answer of players who are away.
        seats.retain(|&seat| !table.is_away(seat));
    }
    if let Some(by) = by {
        seats.retain(|&seat| person_of_seat(table, seat) != person_of_seat(table, by));
    }
    match offer {
        PlayerOffer::Draw
        | PlayerOffer::Takeback { .. }
        | PlayerOffer::Rematch
        | PlayerOffer::Pause
        | PlayerOffer::Resume => {}
        PlayerOffer::Resign => {
            seats.retain(|&seat| by.is_some_and(|by| table.setup.are_partners(by, seat)))
        }
        // A player who is to be replaced may object, see [`objection_window`]. Their silence does
        // not count.
        PlayerOffer::Replace { seat: other } => seats.retain(|&seat| seat != other),
    }
    seats
}

/// Whether `seats` is not empty and all of its players are away.
fn are_all_away(table: &Table, seats: impl Iterator<Item = u8>) -> bool {
    let mut seats = seats.peekable();
    seats.peek().is_some() && seats.all(|it| table.is_away(it))
}

/// Whether the other people at the table are all away, so that nobody can agree to anything.
fn are_all_others_away(table: &Table, seat: u8) -> bool {
    let own = person_of_seat(table, seat);
    let people = table.seating.people_seats().into_iter();
    are_all_away(table, people.filter(|it| person_of_seat(table, *it) != own))
}

/// Whether the others could all agree that the player of this seat gives it up, as far as the
/// rating of the game depends on it. Among three or four single players one who is away could lose
/// a win that way, so then nobody may be away.
pub(super) fn can_others_agree(table: &Table, seat: u8) -> bool {
    let own = person_of_seat(table, seat);
    let mut others = table.seating.people_seats().into_iter();
    match table.goes_on_without_leavers() {
        true => others.all(|it| person_of_seat(table, it) == own || !table.is_away(it)),
        false => !are_all_others_away(table, seat),
    }
}

/// Whether all who play against this seat are away, in a game of partners that counts: a partner
/// alone must not agree to what undoes a loss of both.
fn are_opponents_away(table: &Table, seat: u8) -> bool {
    if !table.setup.has_partners() || !table.casual_reasons().is_empty() {
        return false;
    }
    let people = table.seating.people_seats().into_iter();
    are_all_away(table, people.filter(|it| !table.setup.are_partners(*it, seat)))
}

/// Whether this offer would give its player an advantage over others who cannot object because they
/// are away: an undone move makes the game casual, and a pause needs another player to end it.
fn needs_present_player(offer: PlayerOffer) -> bool {
    matches!(offer, PlayerOffer::Takeback { .. } | PlayerOffer::Pause)
}

/// Whether this offer would keep a game from counting while players who may win it are away: those
/// who are losing must not agree to it among themselves.
fn undoes_win_of_absent(table: &Table, by: u8, offer: PlayerOffer) -> bool {
    let undoes_result = match offer {
        // It aborts the game, see [`offer_abort`].
        PlayerOffer::Draw => !table.setup.can_be_drawn(),
        PlayerOffer::Takeback { .. } => true,
        PlayerOffer::Rematch
        | PlayerOffer::Pause
        | PlayerOffer::Resume
        | PlayerOffer::Resign
        | PlayerOffer::Replace { .. } => false,
    };
    undoes_result
        && table.casual_reasons().is_empty()
        && (are_opponents_away(table, by) || !can_others_agree(table, by))
}

/// Whether this seat has made the pending offer.
fn is_own_offer(table: &Table, pending: PendingOffer, seat: u8) -> bool {
    let by = pending.proposer_seat();
    by.is_some_and(|by| person_of_seat(table, by) == person_of_seat(table, seat))
}

/// Whether an offer of this seat replaces the pending one: a person who does not play asks for a
/// seat, and each player may decline that; or an opponent wants to resign, and only their partner
/// can answer.
fn may_replace_offer(table: &Table, pending: PendingOffer, seat: u8) -> bool {
    match (pending.proposer, pending.offer) {
        (Proposer::NewcomerFor(_), _) => true,
        (Proposer::Seat(_), PlayerOffer::Resign) => {
            !is_own_offer(table, pending, seat)
                && !required_seats(table, pending.proposer_seat(), pending.offer).contains(&seat)
        }
        (Proposer::Seat(_), _) => false,
    }
}

/// Whether a player can make an offer now: there is no pending one, or one that theirs replaces.
pub fn can_somebody_offer(table: &Table) -> bool {
    let seats = table.seating.people_seats();
    seats.into_iter().any(|seat| blocking_offer(table, seat).is_none())
}

/// The pending offer that keeps this seat from making another one.
fn blocking_offer(table: &Table, seat: u8) -> Option<PendingOffer> {
    table.offers.pending.filter(|it| !may_replace_offer(table, *it, seat))
}

/// The refusal of what has to wait for the pending offer: its answer is for the player of `seat`,
/// or for others. `seat` is `None` for a person who does not play.
fn pending_refusal(table: &Table, seat: Option<u8>) -> Refusal {
    let objecting = objecting_seat(table).filter(|it| !table.is_away(*it));
    let seats: Vec<u8> = seats_yet_to_agree(table).into_iter().chain(objecting).collect();
    let newcomer = table.offers.newcomer.as_ref().filter(|it| !it.has_agreed);
    let newcomer_name = newcomer.map(|it| Arg::Plain(it.invitee.name.clone()));
    let is_asked = seat.is_some_and(|it| seats.contains(&it));
    let names: Vec<Arg> = seats.into_iter().map(Arg::Seat).chain(newcomer_name).collect();
    if is_asked || names.is_empty() {
        return refuse("refuse-answer-first");
    }
    Refusal::new(Text::new("refuse-others-answer").with("names", Arg::Names(names)))
}

/// Makes an offer, agrees to the same offer of another player, or acts at once if nobody has to
/// agree.
fn propose(table: &Table, actor: &Actor, seat: u8, offer: PlayerOffer) -> DecideResult {
    let is_own = |it: PendingOffer| is_own_offer(table, it, seat);
    match blocking_offer(table, seat) {
        Some(pending) if is_same_offer(pending.offer, offer) && !is_own(pending) => {
            answer_offer(table, actor, table.offers.shown(), true)
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

/// Whether making this proposal agrees to the pending offer: taking back different moves is not the
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
    propose(table, actor, seat, PlayerOffer::Draw)
}

/// Whether the next answer can make a draw agreed: it is offered and lacks no other answer, or
/// nobody else who is present has to agree. `actor` is the player who answers, where that is known.
pub(super) fn can_draw_be_agreed(table: &Table, actor: Option<&PersonId>) -> bool {
    if !table.setup.can_be_drawn() {
        return false;
    }
    match table.offers.pending {
        Some(it) if it.offer == PlayerOffer::Draw => {
            let is_own = actor.is_some() && actor == person_of_seat(table, it.logged_seat());
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
    propose(table, actor, seat, PlayerOffer::Draw)
}

/// Whether a rematch that is accepted now starts at once. Otherwise its players are invited again.
pub fn starts_rematch(table: &Table, now_ms: u64) -> bool {
    let is_fresh = table.offers.pending.is_none()
        || now_ms < table.offers.offered_ms.saturating_add(REMATCH_START_MS);
    is_fresh
        && table.seating.people_seats().into_iter().all(|seat| table.departure_of(seat).is_none())
}

/// The seats whose players have offered the rematch of a finished game, or agreed to it.
fn rematch_seats(table: &Table) -> impl Iterator<Item = u8> {
    let is_over = table.is_over();
    let pending = table.offers.pending.filter(|it| is_over && it.offer == PlayerOffer::Rematch);
    let proposer = pending.map(PendingOffer::logged_seat);
    proposer.into_iter().flat_map(|by| table.offers.agreed_seats.iter().copied().chain([by]))
}

/// The people who have offered the rematch of a finished game, or agreed to it.
pub fn rematch_seekers(table: &Table) -> Vec<&PersonId> {
    rematch_seats(table).filter_map(|seat| person_of_seat(table, seat)).collect()
}

/// Withdraws the rematch of a finished game that a person offered or agreed to, when they leave.
pub fn withdraw_rematch(table: &Table, person_left: &PersonId) -> Option<Event> {
    let mut own = rematch_seats(table).filter(|it| person_of_seat(table, *it) == Some(person_left));
    own.next().map(|seat| Event::OfferDeclined { seat })
}

/// Withdraws or declines the rematch of a finished game where two people have seats, because the
/// first has blocked the second: nobody could accept it. Each comes with all accounts.
pub fn blocked_rematch_event(
    table: &Table,
    blocker: &[PersonId],
    blocked: &[PersonId],
) -> Option<Event> {
    rematch_seats(table).next()?;
    let seat_of = |people: &[PersonId]| {
        let mut seats = table.seating.people_seats().into_iter();
        seats.find(|seat| person_of_seat(table, *seat).is_some_and(|it| people.contains(it)))
    };
    seat_of(blocked)?;
    seat_of(blocker).map(|seat| Event::OfferDeclined { seat })
}

/// Whether one person plays all seats.
fn is_played_by_one_person(table: &Table) -> bool {
    table.seating.people_seats().len() == 1
        && table.seating.occupants.iter().all(|it| !it.is_computer())
}

pub(super) fn offer_takeback(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    let steps = takeback_target(table, actor)?;
    propose(table, actor, seat, PlayerOffer::Takeback { steps })
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

/// Offers to pause all clocks.
pub(super) fn offer_pause(table: &Table, actor: &Actor) -> DecideResult {
    let seat = seat_at_timed_table(table, actor)?;
    match table.clocks.paused {
        true => Err(refuse("refuse-paused-already")),
        false if is_turn_late(table) => Err(refuse("refuse-pause-late")),
        false => propose(table, actor, seat, PlayerOffer::Pause),
    }
}

/// Whether the time of this turn has run out: a pause does not restore it.
fn is_turn_late(table: &Table) -> bool {
    table.seat_to_move().is_some_and(|turn| table.is_late(turn))
}

/// Offers to resume the clocks. An offer to end a long pause cannot be declined, and each player
/// can resume a day after it was made: otherwise a player could keep a game from ending.
pub(super) fn offer_resume(table: &Table, actor: &Actor) -> DecideResult {
    let seat = seat_at_timed_table(table, actor)?;
    if !table.clocks.paused {
        return Err(refuse("refuse-not-paused"));
    }
    if !is_long_pause(table, actor.now_ms) {
        return propose(table, actor, seat, PlayerOffer::Resume);
    }
    let offered_ms = table.offers.resume_offered_ms;
    if offered_ms.is_some_and(|it| actor.now_ms >= it.saturating_add(RESUME_NOTICE_MS)) {
        return execute_offer(table, actor, seat, PlayerOffer::Resume);
    }
    match blocking_offer(table, seat) {
        // Nobody has to answer, so it does not help to wait for an answer.
        Some(it) if it.offer == PlayerOffer::Resume && is_own_offer(table, it, seat) => {
            Err(refuse("refuse-pause-long"))
        }
        // It may have been declined while the pause was short.
        None if !required_seats(table, Some(seat), PlayerOffer::Resume).is_empty() => {
            decide_one(table, actor, Event::OfferMade { seat, offer: PlayerOffer::Resume })
        }
        _ => propose(table, actor, seat, PlayerOffer::Resume),
    }
}

/// Whether the clocks have been paused for so long that nobody has to agree to the end of the
/// pause.
fn is_long_pause(table: &Table, now_ms: u64) -> bool {
    table.clocks.paused_since_ms().is_some_and(|it| now_ms >= it.saturating_add(PAUSE_MIN_MS))
}

/// Returns the actor's seat at a table that is played by a clock.
fn seat_at_timed_table(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    if table.is_timed() { Ok(seat) } else { Err(refuse("refuse-no-clock")) }
}

pub(super) fn offer_rematch(table: &Table, actor: &Actor) -> DecideResult {
    if !table.is_over() {
        return Err(refuse("refuse-not-over"));
    }
    let seat = seat_of(table, actor)?;
    if let Some(TableId(next)) = &table.next_table {
        let text = Text::new("refuse-rematch-exists").with("table", next.as_str());
        return Err(Refusal { text, is_stale: true });
    }
    // Nobody can change the position by a move any more: the offer may be made again.
    let turned_down =
        table.offers.pending.is_none() && table.offers.was_declined(seat, PlayerOffer::Rematch);
    if turned_down && !required_seats(table, Some(seat), PlayerOffer::Rematch).is_empty() {
        return decide_one(table, actor, Event::OfferMade { seat, offer: PlayerOffer::Rematch });
    }
    propose(table, actor, seat, PlayerOffer::Rematch)
}

/// Resigns together with the partner, who has to agree if it is a person.
pub(super) fn offer_resignation(table: &Table, actor: &Actor, seat: u8) -> DecideResult {
    propose(table, actor, seat, PlayerOffer::Resign)
}

pub(super) fn answer_offer(
    table: &Table,
    actor: &Actor,
    seen: Option<ShownOffer>,
    accept: bool,
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
        return answer_newcomer(table, actor, pending, accept);
    };
    let proposer = pending.proposer_seat();
    if proposer.is_some_and(|it| person_of_seat(table, it) == Some(&actor.person)) {
        // Declining one's own offer withdraws it.
        return match accept {
            true => Err(refuse("refuse-own-offer")),
            false => decide_one(table, actor, Event::OfferDeclined { seat }),
        };
    }
    let leaves = offer == PlayerOffer::Replace { seat };
    if !leaves && !required_seats(table, proposer, offer).contains(&seat) {
        return Err(refuse("refuse-not-your-answer"));
    }
    if !accept {
        if offer == PlayerOffer::Resume && is_long_pause(table, actor.now_ms) {
            return Err(refuse("refuse-pause-long"));
        }
        return decide_one(table, actor, Event::OfferDeclined { seat });
    }
    if table.offers.agreed_seats.contains(&seat) {
        return Err(refuse("refuse-already-agreed"));
    }
    let mut agreed = table.offers.agreed_seats.clone();
    agreed.push(seat);
    let welcome = table.offers.newcomer.as_ref().is_none_or(|it| it.has_agreed);
    if is_settled(table, &agreed, welcome, actor.now_ms) {
        return execute_offer(table, actor, pending.logged_seat(), offer);
    }
    decide_one(table, actor, Event::OfferAgreed { seat })
}

/// Answers for the newcomer who is to take over a seat.
fn answer_newcomer(
    table: &Table,
    actor: &Actor,
    pending: PendingOffer,
    accept: bool,
) -> DecideResult {
    let home = table.chats.home().platform();
    let own = table.offers.newcomer.as_ref().filter(|it| actor.is_invited_as(&it.invitee, home));
    let newcomer = own.ok_or_else(|| refuse("refuse-not-your-table"))?;
    if !accept {
        return match pending.proposer {
            Proposer::NewcomerFor(seat) => {
                decide_all(table, actor, Event::request_withdrawal(seat))
            }
            Proposer::Seat(seat) => decide_one(table, actor, Event::OfferDeclined { seat }),
        };
    }
    if newcomer.has_agreed {
        return Err(refuse(match pending.proposer {
            Proposer::NewcomerFor(_) => "refuse-own-offer",
            Proposer::Seat(_) => "refuse-already-agreed",
        }));
    }
    require_not_losing_to_computers(table)?;
    if let Some(seat) = table.offers.seat_to_replace() {
        require_unfinished(table, seat, "refuse-seat-finished")?;
        require_no_other_hand(table, &actor.person, &actor.name, seat)?;
    }
    let welcomed =
        Event::SubstituteAgreed { person: actor.person.clone(), name: actor.name.clone() };
    let draft = begin_decision(table, actor, [welcomed]);
    if is_settled(&draft.table, &draft.table.offers.agreed_seats, true, actor.now_ms) {
        return Ok(finish_replacement(draft));
    }
    Ok(draft.finish())
}

/// Whether everybody has given the required answers.
fn is_settled(table: &Table, agreed: &[u8], welcome: bool, now_ms: u64) -> bool {
    let Some(pending) = table.offers.pending else { return false };
    let proposer = pending.proposer_seat();
    let all = required_seats(table, proposer, pending.offer);
    let PlayerOffer::Replace { seat } = pending.offer else {
        return all.iter().all(|it| agreed.contains(it));
    };
    if are_opponents_away(table, seat) {
        return false;
    }
    let objects = can_object(table, proposer, seat) && !agreed.contains(&seat);
    let has_say = !all.is_empty() || proposer.is_some();
    let is_silent = table.is_away(seat)
        || (is_expected_to_act(table, seat) && now_ms >= silence_ends_ms(table, seat));
    welcome
        && all.iter().all(|it| agreed.contains(it))
        // Silence alone gives no seat away: a player at the table has to want it.
        && (!objects || (has_say && is_silent))
}

/// Whether silence of this player counts: the game waits for their move. It waits for nobody during
/// an agreed pause, a player on vacation has announced not to look at the table, and one whose last
/// route others closed cannot answer.
fn is_expected_to_act(table: &Table, seat: u8) -> bool {
    table.seat_to_move() == Some(seat)
        && !table.clocks.paused
        && table.vacation_until(seat).is_none()
        && table.involuntary_departure(seat).is_none()
}

/// Whether the answers given until now suffice.
fn is_currently_settled(table: &Table, now_ms: u64) -> bool {
    let welcome = table.offers.has_newcomer_agreed();
    is_settled(table, &table.offers.agreed_seats, welcome, now_ms)
}

/// Whether a person who did not propose the replacement has the seat.
fn can_object(table: &Table, by: Option<u8>, seat: u8) -> bool {
    !table.seating.is_computer(seat)
        && by.is_none_or(|by| person_of_seat(table, by) != person_of_seat(table, seat))
}

/// The seat of a player who may still object to being replaced.
fn objecting_seat(table: &Table) -> Option<u8> {
    let pending = table.offers.pending?;
    let seat = table.offers.seat_to_replace()?;
    let may_object = can_object(table, pending.proposer_seat(), seat)
        && !table.offers.agreed_seats.contains(&seat);
    may_object.then_some(seat)
}

/// A window in which a player may object to being replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectionWindow {
    /// The seat of the player who may object.
    pub seat: u8,
    /// The end of the window, in milliseconds since 1970.
    pub until_ms: u64,
    /// The length of the window, in milliseconds.
    pub lasts_ms: u64,
}

/// Returns the player who may still object to being replaced, and the end of the window. They
/// decide at once by agreeing or declining. If they do not answer while the game waits for their
/// move, the others may continue without them, but not before the window ends: a quick agreement of
/// the others must not push out a player who only looked away.
pub fn objection_window(table: &Table) -> Option<ObjectionWindow> {
    let seat = objecting_seat(table)?;
    // The consent of a player who is away is not needed.
    if table.is_away(seat) || !is_expected_to_act(table, seat) {
        return None;
    }
    let until_ms = silence_ends_ms(table, seat);
    Some(ObjectionWindow { seat, until_ms, lasts_ms: objection_window_ms(table) })
}

/// The time at which silence alone decides a replacement, in milliseconds since 1970: `None` as
/// long as another player has not agreed.
pub(super) fn objection_deadline(table: &Table) -> Option<u64> {
    let until_ms = silence_decides_ms(table)?;
    is_currently_settled(table, until_ms).then_some(until_ms)
}

/// The time from which on the silence of a player who may object decides, in milliseconds since
/// 1970. They may have gone away after the others agreed: then it decides at once.
fn silence_decides_ms(table: &Table) -> Option<u64> {
    let seat = objecting_seat(table)?;
    match table.is_away(seat) {
        true => Some(table.offers.offered_ms),
        false => objection_window(table).map(|it| it.until_ms),
    }
}

/// How long the player of this seat has been silent about the offer, in milliseconds.
fn silent_wait(table: &Table, seat: u8) -> SilentWait {
    table.offers.silent_wait.after_action(table.seating.last_action_ms(seat))
}

fn silence_ends_ms(table: &Table, seat: u8) -> u64 {
    silent_wait(table, seat).ends_ms(objection_window_ms(table))
}

/// The time since which a player who may object has been silent, in milliseconds since 1970.
pub(super) fn silent_since_ms(table: &Table) -> Option<u64> {
    Some(silent_wait(table, objection_window(table)?.seat).since_ms())
}

/// Extends the wait by a time in which nobody could object.
pub(super) fn extend_silent_wait(table: &mut Table, ms: u64, at_ms: u64) {
    let Some(ObjectionWindow { seat, .. }) = objection_window(table) else { return };
    table.offers.silent_wait = silent_wait(table, seat).extended(ms, at_ms);
}

/// The time after which a silent player may be passed over, in milliseconds.
pub(super) fn objection_window_ms(table: &Table) -> u64 {
    match table.clocks.control {
        TimeControl::Unlimited => OBJECTION_UNTIMED_MS,
        control => control.initial_ms().max(OBJECTION_MIN_MS),
    }
}

/// Returns the events after all have agreed.
fn execute_offer(table: &Table, actor: &Actor, by: u8, offer: PlayerOffer) -> DecideResult {
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
        PlayerOffer::Pause if is_turn_late(table) => Err(refuse("refuse-pause-late")),
        PlayerOffer::Pause => decide_one(table, actor, Event::Clock(ClockEvent::Paused)),
        PlayerOffer::Resume => decide_one(table, actor, Event::Clock(ClockEvent::Resumed)),
        PlayerOffer::Replace { seat } => {
            require_unfinished(table, seat, "refuse-seat-finished")?;
            require_not_losing_to_computers(table)?;
            decide_and_advance(table, actor, replacement_event(table))
        }
    }
}

/// Refuses a substitute who would save a person from a loss to computers.
fn require_not_losing_to_computers(table: &Table) -> Result<(), Refusal> {
    match table.is_losing_to_computers() {
        true => Err(refuse("refuse-substitute-rated")),
        false => Ok(()),
    }
}

/// Refuses a newcomer who has seen another hand of the running deal, because they gave up its seat.
fn require_no_other_hand(
    table: &Table,
    person: &PersonId,
    name: &str,
    seat: u8,
) -> Result<(), Refusal> {
    if table.game_id().info().hidden && table.seating.has_given_up_other_seat(person, seat) {
        let text = Text::new("refuse-other-hand").with("name", name);
        return Err(Refusal::new(text));
    }
    Ok(())
}

/// Applies the agreed change.
fn replacement_event(table: &Table) -> Option<Event> {
    let seat = table.offers.seat_to_replace()?;
    let SeatNewcomer { invitee: who, .. } = table.offers.newcomer.clone()?;
    Some(Event::SeatReplaced { seat, person: who.person?, name: who.name })
}

/// Applies the agreed change, then the automatic events of the game.
fn finish_replacement(mut draft: DecisionBuilder) -> Decision {
    if let Some(event) = replacement_event(&draft.table) {
        draft.add(event);
    }
    draft.advance_and_finish()
}

/// The event by which a computer takes this seat.
pub(super) fn computer_replacement_event(seat: u8) -> Event {
    Event::SeatReplaced { seat, person: computer_id(DEFAULT_LEVEL), name: String::new() }
}

/// Proposes, for a person at the table, that another player takes over a seat.
pub(super) fn propose_substitute(
    table: &Table,
    actor: &Actor,
    seat: Option<u8>,
    newcomer: &Invitee,
) -> DecideResult {
    game_in_play(table)?;
    let by = seat_of(table, actor)?;
    let seat = seat.unwrap_or(by);
    if newcomer.is_computer() && table.seating.is_computer(seat) {
        return Err(refuse("refuse-computer-there"));
    }
    propose_newcomer(table, actor, newcomer, (seat, Some(by)))
}

/// Requests a seat that is free for a person who wants to join: they may not know that the game has
/// begun, so it is never that of a player who is present.
pub(super) fn join_running_game(table: &Table, actor: &Actor) -> DecideResult {
    if table.seating.is_seated(&actor.person) {
        return Err(refuse("refuse-already-seated"));
    }
    match free_seat(table) {
        None if !table.is_solo() => Err(refuse("refuse-join-started")),
        seat => take_over(table, actor, seat),
    }
}

/// A seat whose player is away, else that of a computer.
fn free_seat(table: &Table) -> Option<u8> {
    let plays_on = |seat: &u8| table.finishing_rank(*seat).is_none();
    let is_computer = |seat: &u8| table.seating.is_computer(*seat) && plays_on(seat);
    let deserted = table.away_seats().into_iter().find(plays_on);
    deserted.or_else(|| (0..table.setup.seats).find(is_computer))
}

/// Requests a seat for a person who does not play: one that is free, else that of the player for
/// whom the others wait.
pub(super) fn take_over(table: &Table, actor: &Actor, seat: Option<u8>) -> DecideResult {
    game_in_play(table)?;
    if table.is_solo() {
        return Err(refuse("refuse-not-your-table"));
    }
    let newcomer = Invitee {
        person: Some(actor.person.clone()),
        username: actor.username.clone(),
        name: actor.name.clone(),
    };
    let seat =
        seat.or_else(|| free_seat(table)).or_else(|| table.seat_to_move()).unwrap_or_default();
    propose_newcomer(table, actor, &newcomer, (seat, None))
}

/// Proposes a newcomer for a seat; `by`: the seat of the player who proposes, `None` if the
/// newcomer asks.
fn propose_newcomer(
    table: &Table,
    actor: &Actor,
    newcomer: &Invitee,
    (seat, by): (u8, Option<u8>),
) -> DecideResult {
    if seat >= table.setup.seats {
        return Err(refuse("refuse-unknown-seat"));
    }
    let is_own = table.seating.has_seat(&actor.person, seat);
    let key = if is_own { "refuse-own-place" } else { "refuse-seat-finished" };
    require_unfinished(table, seat, key)?;
    require_not_losing_to_computers(table)?;
    if newcomer.person.as_ref().is_some_and(|it| table.seating.is_seated(it)) {
        let text = Text::new("refuse-seated-already").with("name", &*newcomer.name);
        return Err(Refusal::new(text));
    }
    if let Some(person) = &newcomer.person {
        require_no_other_hand(table, person, &newcomer.name, seat)?;
    }
    if by.is_none() && table.is_away(seat) && table.may_take_absent_seats() {
        return take_absent_seat(table, actor, seat);
    }
    let home = table.chats.home().platform();
    let own = table.offers.newcomer.as_ref().filter(|it| actor.is_invited_as(&it.invitee, home));
    let own = own.filter(|_| by.is_none());
    match by.map_or(table.offers.pending, |by| blocking_offer(table, by)) {
        Some(pending) if by.is_some_and(|by| is_own_offer(table, pending, by)) => {
            return Err(refuse("refuse-offer-waits"));
        }
        Some(_) if own.is_some_and(|it| it.has_agreed) => {
            return Err(refuse("refuse-already-offered"));
        }
        Some(_) if own.is_some() => return Err(refuse("refuse-answer-first")),
        Some(_) => return Err(pending_refusal(table, by)),
        None => {}
    }
    let has_withdrawn =
        newcomer.person.as_ref().is_some_and(|it| table.offers.has_withdrawn_request(it));
    if by.is_none() && (has_withdrawn || table.offers.was_replacement_declined(seat)) {
        return Err(refuse("refuse-turned-down"));
    }
    if are_opponents_away(table, seat) {
        let plays = by.is_some();
        return Err(refuse(if plays { "refuse-others-away" } else { "refuse-opponents-away" }));
    }
    if table.is_solo() && !newcomer.is_computer() {
        return Err(refuse("refuse-private-invite"));
    }
    let event = Event::SubstituteProposed {
        seat,
        by,
        person: newcomer.person.clone(),
        username: newcomer.username.clone(),
        name: newcomer.name.clone(),
    };
    let draft = begin_decision(table, actor, [event]);
    let next = &draft.table;
    let welcome = next.offers.has_newcomer_agreed();
    if is_settled(next, &[], welcome, actor.now_ms) {
        // A table without people would play to its end by itself.
        if newcomer.is_computer() && next.seating.people_seats() == [seat] {
            return Err(refuse("refuse-last-person"));
        }
        return Ok(finish_replacement(draft));
    }
    Ok(draft.finish())
}

/// Gives a person the seat of a player who is away, where nobody has to agree, see
/// [`Table::may_take_absent_seats`]. An open offer of that player ends first: what others have
/// agreed to was another exchange.
fn take_absent_seat(table: &Table, actor: &Actor, seat: u8) -> DecideResult {
    if table.invitations.is_kicked(&actor.person) {
        return Err(refuse("refuse-kicked"));
    }
    let pending = table.offers.pending.filter(|it| it.offer == PlayerOffer::Replace { seat });
    let withdrawn = match pending.map(|it| it.proposer) {
        Some(Proposer::NewcomerFor(asked)) => Event::request_withdrawal(asked).to_vec(),
        Some(Proposer::Seat(seat)) => vec![Event::OfferDeclined { seat }],
        None => Vec::new(),
    };
    let person = actor.person.clone();
    let name = actor.name.clone();
    let replaced = Event::SeatReplaced { seat, person, name };
    decide_and_advance(table, actor, withdrawn.into_iter().chain([replaced]))
}

/// Passes on a seat whose player was silent until the objection window ended.
pub(super) fn expire_offer(table: &Table, now_ms: u64) -> Option<Decision> {
    let settled = silence_decides_ms(table).is_some() && is_currently_settled(table, now_ms);
    settled.then(|| finish_replacement(DecisionBuilder::new(table, EventMeta::of_timer(now_ms))))
}

/// Withdraws the pending replacement of a player because it cannot be carried out any more.
pub fn withdraw_replacement(table: &Table, now_ms: u64) -> Option<Decision> {
    let pending = table.offers.pending.filter(|_| table.offers.seat_to_replace().is_some())?;
    let mut draft = DecisionBuilder::new(table, EventMeta::of_timer(now_ms));
    draft.add(Event::OfferDeclined { seat: pending.logged_seat() });
    Some(draft.finish())
}
