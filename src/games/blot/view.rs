//! The view of one viewer: the public table, and the own hand of a player.

use super::action::BlotAction;
use super::auction::{AuctionCall, BidRange, Contract};
use super::card::Card;
use super::melds::{Meld, MeldKind};
use super::options::BlotOptions;
use super::round::{BlotFact, Summary};
use super::tricks::Trick;
use crate::rules::Seat;

/// The stage of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlotStage {
    /// Cards are about to be dealt.
    Deal,
    /// The auction runs.
    Auction,
    /// Cards are played.
    Play,
    /// A side has won the match: 0 for seats 0 and 2.
    Over(u8),
}

/// The public knowledge of the combinations of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnnouncedMelds {
    /// The kinds, once announced.
    pub kinds: Vec<MeldKind>,
    /// The combinations, once shown.
    pub melds: Vec<Meld>,
}

impl AnnouncedMelds {
    /// Whether combinations were announced and not shown.
    pub fn is_owed(&self) -> bool {
        !self.kinds.is_empty() && self.melds.is_empty()
    }
}

/// Whether this seat may show with its third card: it has announced and not shown, and neither has
/// an opponent (R49). `owed` has the seats that announced and have not shown.
pub fn may_show_late(owed: [bool; 4], seat: usize) -> bool {
    owed[seat] && (owed[(seat + 1) & 3] || owed[(seat + 3) & 3])
}

/// Whether any seat may show with its third card, see [`may_show_late`].
pub fn may_anybody_show_late(owed: [bool; 4]) -> bool {
    (0..4).any(|seat| may_show_late(owed, seat))
}

/// The knowledge that only the owner of a hand has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnHand {
    /// The owner.
    pub seat: Seat,
    /// The cards held, as a set.
    pub cards: u32,
    /// The cards that may be put now; none when it is not this seat's turn to put one.
    pub legal: u32,
    /// Combinations of the hand as dealt, once there is a contract.
    pub melds: Vec<Meld>,
    /// The legal actions about combinations (`manual_melds`).
    pub meld_actions: Vec<BlotAction>,
}

/// The game as one viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlotView {
    /// The house rules.
    pub options: BlotOptions,
    /// The viewer's hand; none for the public.
    pub own: Option<OwnHand>,
    /// The stage of the match.
    pub stage: BlotStage,
    /// The player to move.
    pub turn: Option<Seat>,
    /// The dealer of this deal, or of the next one; unknown before the first deal.
    pub dealer: Option<Seat>,
    /// The auction of this round.
    pub calls: Vec<(Seat, AuctionCall)>,
    /// The bids that the player to call may make.
    pub bounds: Option<BidRange>,
    /// Whether the player to call may answer a kuansh with a sur.
    pub may_answer: bool,
    /// The highest bid so far; during the play the contract.
    pub contract: Option<Contract>,
    /// The trick on the table in the order of play.
    pub table: Vec<(Seat, Card)>,
    /// The seat whose card wins it so far.
    pub holding: Option<Seat>,
    /// The trick before, in this round.
    pub last: Option<Trick>,
    /// The last trick of the round before, until the first one of this round is taken.
    pub ended: Option<Trick>,
    /// All tricks of this round before the one on the table, in their order.
    pub tricks: Vec<Trick>,
    /// Tricks taken in this round, by side.
    pub taken: [u8; 2],
    /// Cards still held, by seat.
    pub cards_left: [u8; 4],
    /// Cards put so far in this round, those on the table included, as a set.
    pub gone: u32,
    /// Combinations, by seat.
    pub announced_melds: [AnnouncedMelds; 4],
    /// The side whose combinations count and their points, once all are shown.
    pub counting: Option<(u8, u8)>,
    /// The seats that played both queen and king of trumps.
    pub blots: [bool; 4],
    /// Points in the match, by side.
    pub totals: [u16; 2],
    /// The rounds so far.
    pub sheet: Vec<Summary>,
    /// The facts since the last decision of the seat to move, that decision included; after the
    /// end, since the last decision of any seat.
    pub recent_facts: Vec<BlotFact>,
}

impl BlotView {
    /// Whether the contract is settled and cards are played.
    pub fn is_play(&self) -> bool {
        self.stage == BlotStage::Play
    }

    /// The side of a seat: 0 for seats 0 and 2.
    pub fn team(seat: Seat) -> usize {
        seat.index() & 1
    }
}
