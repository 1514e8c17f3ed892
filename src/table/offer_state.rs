//! Keeps the offers of players: the pending one with its answers, and those that were declined.

use super::event::{LogLine, PlayerOffer, is_update_id};
use super::people::{Invitee, SeatNewcomer};
use caravanserai_games::ids::PersonId;

/// The offer that waits for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingOffer {
    /// What is offered.
    pub offer: PlayerOffer,
    /// Who offers it.
    pub proposer: Proposer,
}

/// An offer as a board shows it, to answer this one and no later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownOffer {
    /// What is offered.
    pub offer: PlayerOffer,
    /// The number of the line by which a newcomer was proposed; `None` for other offers, which do
    /// not differ by their line. Buttons of earlier versions name none.
    pub line: Option<u64>,
}

/// Who makes an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposer {
    /// The player of this seat.
    Seat(u8),
    /// A newcomer, who asks for this seat.
    NewcomerFor(u8),
}

impl PendingOffer {
    /// The seat that made the offer; `None` when a newcomer asks.
    pub fn proposer_seat(self) -> Option<u8> {
        match self.proposer {
            Proposer::Seat(seat) => Some(seat),
            Proposer::NewcomerFor(_) => None,
        }
    }

    /// The seat by which lines of the log name the offer.
    pub fn logged_seat(self) -> u8 {
        match self.proposer {
            Proposer::Seat(seat) | Proposer::NewcomerFor(seat) => seat,
        }
    }
}

/// The offers at a table.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// The pending offer.
    pub pending: Option<PendingOffer>,
    /// The seats that have agreed to it.
    pub agreed_seats: Vec<u8>,
    /// The time at which it was made, in milliseconds since 1970.
    pub offered_ms: u64,
    /// The number of the line by which it was made.
    offered_line: u64,
    /// The time of the first offer to resume in the present pause that was neither declined nor
    /// withdrawn, in milliseconds since 1970; `None` without one. A move ends the offer, but does
    /// not change this: otherwise a player could keep the clocks from going on by moves.
    pub(super) resume_offered_ms: Option<u64>,
    /// The proposed newcomer for a seat, while that offer is pending.
    pub newcomer: Option<SeatNewcomer>,
    /// How long the player who may object to being replaced has been silent.
    pub(super) silent_wait: SilentWait,
    /// The seat that declined another player's offer last, in the present position.
    pub declined_by: Option<u8>,
    /// The offers that were declined in the present position: they cannot be made again there.
    declined: Vec<(u8, PlayerOffer)>,
    /// The newcomers who have withdrawn their request for a seat in the present position: they
    /// cannot ask again there.
    withdrawn_by: Vec<PersonId>,
}

impl Offers {
    /// The seat that a newcomer takes over if all agree to the pending offer.
    pub(super) fn seat_to_replace(&self) -> Option<u8> {
        match self.pending_kind() {
            Some(PlayerOffer::Replace { seat }) => Some(seat),
            _ => None,
        }
    }

    /// What is offered now.
    pub fn pending_kind(&self) -> Option<PlayerOffer> {
        self.pending.map(|it| it.offer)
    }

    /// The pending offer as the board shows it.
    pub fn shown(&self) -> Option<ShownOffer> {
        let offer = self.pending_kind()?;
        let line = self.seat_to_replace().map(|_| self.offered_line);
        Some(ShownOffer { offer, line })
    }

    /// Whether the newcomer agrees.
    pub(super) fn has_newcomer_agreed(&self) -> bool {
        self.newcomer.as_ref().is_some_and(|it| it.has_agreed)
    }

    /// Whether this offer of a seat was declined in the present position.
    pub(super) fn was_declined(&self, seat: u8, offer: PlayerOffer) -> bool {
        self.declined.contains(&(seat, offer))
    }

    /// Whether an offer to replace the player of this seat was declined in the present position.
    pub(super) fn was_replacement_declined(&self, seat: u8) -> bool {
        self.declined.iter().any(|it| it.1 == PlayerOffer::Replace { seat })
    }

    /// Whether the pending offer stays after a step of a seat, or of chance. `is_decided` is true
    /// if a person decided the step.
    pub(super) fn outlasts_step(&self, seat: Option<u8>, is_decided: bool) -> bool {
        let Some(PendingOffer { offer: PlayerOffer::Replace { seat: replaced }, proposer }) =
            self.pending
        else {
            // Any other offer is pending until the game moves on.
            return false;
        };
        // A player who is to be replaced and makes a move is present after all.
        seat.is_none_or(|it| it != replaced || proposer == Proposer::Seat(it) || !is_decided)
    }

    /// Makes an offer by this line; it replaces the pending one.
    pub(super) fn make(&mut self, proposer: Proposer, offer: PlayerOffer, line: &LogLine) {
        let at_ms = line.at_ms;
        self.end();
        self.declined_by = None;
        self.pending = Some(PendingOffer { offer, proposer });
        self.offered_ms = at_ms;
        self.offered_line = line.number;
        if offer == PlayerOffer::Resume {
            self.resume_offered_ms.get_or_insert(at_ms);
        }
        self.silent_wait = SilentWait::starting_at(at_ms);
    }

    /// Offers that a newcomer takes over a seat. `by` is the seat that proposes it; `None` if they
    /// ask themselves.
    pub(super) fn propose_newcomer(
        &mut self,
        seat: u8,
        by: Option<u8>,
        invitee: Invitee,
        line: &LogLine,
    ) {
        let proposer = by.map_or(Proposer::NewcomerFor(seat), Proposer::Seat);
        let before = self.newcomer.take();
        self.make(proposer, PlayerOffer::Replace { seat }, line);
        let has_agreed = by.is_none() || invitee.is_computer();
        let newcomer = SeatNewcomer { invitee, has_agreed };
        if newcomer.is_nobody() {
            self.withdrawn_by.extend(before.and_then(|it| it.invitee.person));
        }
        self.newcomer = Some(newcomer);
    }

    /// Records that the newcomer agrees.
    pub(super) fn agree_as_newcomer(&mut self, person: &PersonId, name: &str) {
        if let Some(newcomer) = &mut self.newcomer {
            newcomer.invitee.person = Some(person.clone());
            name.clone_into(&mut newcomer.invitee.name);
            newcomer.has_agreed = true;
        }
    }

    /// Declines the pending offer for this seat, by a line with this cause. A seat that declines
    /// its own offer withdraws it.
    pub(super) fn decline(&mut self, seat: u8, cause: &str) {
        let is_refusal = self.is_refusal(seat, cause);
        self.declined_by = is_refusal.then_some(seat);
        // A newcomer who does not come keeps nobody else from asking.
        let is_kept = is_refusal || self.seat_to_replace().is_none();
        let declined = self.pending.filter(|_| is_kept).map(|it| (it.logged_seat(), it.offer));
        self.declined.extend(declined);
        if self.pending_kind() == Some(PlayerOffer::Resume) {
            self.resume_offered_ms = None;
        }
        self.end();
    }

    /// Whether the newcomer who asked for a seat has withdrawn, and the line that says so follows.
    pub(super) fn is_request_withdrawn(&self) -> bool {
        self.newcomer.as_ref().is_some_and(SeatNewcomer::is_nobody)
    }

    /// Whether a person has withdrawn a request for a seat in the present position.
    pub(super) fn has_withdrawn_request(&self, person: &PersonId) -> bool {
        self.withdrawn_by.contains(person)
    }

    /// Whether a line that declines the pending offer for this seat is the refusal of its player:
    /// otherwise the offer is withdrawn, or the newcomer does not want to come. The log names all
    /// of these by a seat.
    fn is_refusal(&self, seat: u8, cause: &str) -> bool {
        match self.pending.map(|it| it.proposer) {
            None => true,
            Some(Proposer::Seat(by)) => by != seat,
            // Nobody has pressed anything if the newcomer was banned, or the account deleted.
            Some(Proposer::NewcomerFor(_)) => is_update_id(cause) && !self.is_request_withdrawn(),
        }
    }

    /// Ends the pending offer, because the clocks are paused or go on.
    pub(super) fn end_with_pause(&mut self) {
        self.resume_offered_ms = None;
        self.end();
    }

    /// Ends the pending offer.
    pub(super) fn end(&mut self) {
        self.pending = None;
        self.agreed_seats.clear();
        self.newcomer = None;
    }

    /// Makes an account count as this person.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        let newcomer = self.newcomer.as_mut().and_then(|it| it.invitee.person.as_mut());
        newcomer.filter(|it| **it == *account).into_iter().for_each(|it| it.clone_from(person));
    }

    /// Forgets the declined offers, because there is a new position.
    pub(super) fn forget_declined(&mut self) {
        self.declined.clear();
        self.declined_by = None;
        self.withdrawn_by.clear();
    }
}

/// How long a player has been silent about an offer to replace them, while they could object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SilentWait {
    /// The start of the present wait, in milliseconds since 1970.
    since_ms: u64,
    /// The time of silence before that, in milliseconds.
    before_ms: u64,
}

impl SilentWait {
    /// Starts the wait.
    pub(super) fn starting_at(at_ms: u64) -> Self {
        SilentWait { since_ms: at_ms, before_ms: 0 }
    }

    /// The start of the present wait, in milliseconds since 1970.
    pub(super) fn since_ms(self) -> u64 {
        self.since_ms
    }

    /// The time at which the silence reaches this length, in milliseconds since 1970.
    pub(super) fn ends_ms(self, lasts_ms: u64) -> u64 {
        self.since_ms + lasts_ms.saturating_sub(self.before_ms)
    }

    /// The wait of a player who last acted at this time: it starts again with their action.
    pub(super) fn after_action(self, acted_ms: Option<u64>) -> Self {
        acted_ms.filter(|at| *at > self.since_ms).map_or(self, SilentWait::starting_at)
    }

    /// The wait without the last `ms` milliseconds before `at_ms`.
    pub(super) fn extended(self, ms: u64, at_ms: u64) -> Self {
        let silent_ms = at_ms.saturating_sub(self.since_ms).saturating_sub(ms);
        SilentWait { since_ms: at_ms, before_ms: self.before_ms + silent_ms }
    }
}
