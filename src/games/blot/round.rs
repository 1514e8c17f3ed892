//! One round from the deal to its score: auction, combinations, tricks.

use super::action::{BlotAction, Deal};
use super::auction::{Auction, AuctionCall, Contract};
use super::card::{Card, Trump};
use super::melds::{self, Meld, MeldKind, Melds};
use super::options::House;
use super::score::{RoundResult, RoundScore, score};
use super::tricks::{Trick, Tricks};
use super::view::{AnnouncedMelds, may_anybody_show_late, may_show_late};
use crate::rules::Seat;

/// An event of a match; public, never a secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlotFact {
    /// Cards were dealt.
    Dealt {
        /// The dealer.
        dealer: Seat,
    },
    /// A player made a call.
    Called {
        /// The player.
        seat: Seat,
        /// The call.
        call: AuctionCall,
    },
    /// All players passed; the cards were thrown in.
    ThrownIn,
    /// The auction is over.
    Decided(Contract),
    /// A player announced combinations; only their kinds become public.
    Announced {
        /// The player.
        seat: Seat,
        /// The strongest first.
        kinds: Vec<MeldKind>,
    },
    /// A player showed combinations.
    Shown {
        /// The player.
        seat: Seat,
        /// The strongest first.
        melds: Vec<Meld>,
    },
    /// A card was played.
    Put {
        /// The player.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A player played the second of queen and king of trumps, both from their hand.
    Blot {
        /// The player.
        seat: Seat,
    },
    /// A trick was taken.
    Took(Trick),
    /// A round was scored.
    Scored(Summary),
    /// The match is over.
    Won {
        /// The side, 0 for seats 0 and 2.
        team: u8,
        /// Points of both sides.
        totals: [u16; 2],
    },
}

/// A round on the score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Summary {
    /// The values that the score was computed from.
    pub played: RoundResult,
    /// The score.
    pub score: RoundScore,
    /// Points of both sides after it.
    pub totals: [u16; 2],
}

/// The combinations of one seat during a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatMelds {
    /// The combinations in the hand, as announced or to be announced.
    pub melds: Melds,
    /// Whether their kinds were announced.
    pub announced: bool,
    /// Whether their cards were shown.
    pub shown: bool,
}

impl SeatMelds {
    /// Whether they were announced and not shown.
    fn is_owed(&self) -> bool {
        self.announced && !self.shown
    }
}

/// A round in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    dealer: u8,
    dealt: [u32; 4],
    auction: Auction,
    play: Option<CardPhase>,
}

/// The second part of a round: playing the cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardPhase {
    /// The contract.
    pub contract: Contract,
    /// Cards, turns, points.
    pub tricks: Tricks,
    /// Combinations by seat.
    pub held: [SeatMelds; 4],
    /// The tricks before the one on the table, in their order.
    pub past: Vec<Trick>,
    /// The leader of the second trick (house rule `tie_turn`).
    second_leader: u8,
    /// The side whose combinations count, as soon as that is settled.
    pub counting: Option<usize>,
    /// The seats that showed queen and king of trumps by playing both.
    pub blots: [bool; 4],
}

impl Round {
    /// A round after the deal; the player after the dealer calls first.
    pub fn new(dealer: u8, deal: &Deal) -> Self {
        Self { dealer, dealt: deal.hands, auction: Auction::new(dealer), play: None }
    }

    /// The dealer.
    pub fn dealer(&self) -> u8 {
        self.dealer
    }

    /// The hands as they were dealt.
    pub fn dealt(&self) -> [u32; 4] {
        self.dealt
    }

    /// The current hands.
    pub fn hands(&self) -> [u32; 4] {
        self.play.as_ref().map_or(self.dealt, |play| play.tricks.hands())
    }

    /// The auction, running or finished.
    pub fn auction(&self) -> &Auction {
        &self.auction
    }

    /// The card phase, once the auction has given a contract.
    pub fn play(&self) -> Option<&CardPhase> {
        self.play.as_ref()
    }

    /// The player to move; `None` when the round is over or thrown in.
    pub fn turn(&self) -> Option<u8> {
        match &self.play {
            None => self.auction.turn(),
            Some(play) => (!play.tricks.is_over()).then(|| play.tricks.turn()),
        }
    }

    /// Makes a call that the auction allows.
    pub fn call(&mut self, seat: u8, call: AuctionCall, house: &House, facts: &mut Vec<BlotFact>) {
        self.auction.call(seat, call, house);
        facts.push(BlotFact::Called { seat: Seat(seat), call });
        if self.auction.turn().is_some() {
            return;
        }
        let Some(contract) = self.auction.standing() else {
            facts.push(BlotFact::ThrownIn);
            return;
        };
        facts.push(BlotFact::Decided(contract));
        let trump = contract.bid.trump;
        let held = self.dealt.map(|hand| SeatMelds {
            melds: Melds::best(hand, trump, house),
            announced: false,
            shown: false,
        });
        let leader = (self.dealer + 1) & 3;
        self.play = Some(CardPhase {
            contract,
            tricks: Tricks::new(self.dealt, trump, leader, house.undertrump),
            held,
            past: Vec::with_capacity(8),
            second_leader: leader,
            counting: None,
            blots: [false; 4],
        });
    }

    /// The actions about combinations that the player to move may do (`manual_melds`).
    pub fn meld_actions(&self, house: &House) -> Vec<BlotAction> {
        let Some(play) = self.play.as_ref().filter(|_| house.manual_melds) else {
            return Vec::new();
        };
        let seat = usize::from(play.tricks.turn());
        let seat_melds = &play.held[seat];
        match play.tricks.tricks_played() {
            0 if !seat_melds.announced && !seat_melds.melds.is_empty() => {
                let other = Melds::other(self.dealt[seat], play.tricks.trump(), house);
                let mut actions = vec![BlotAction::Announce];
                actions.extend((other != seat_melds.melds).then_some(BlotAction::AnnounceOther));
                actions
            }
            1 if seat_melds.is_owed() => vec![BlotAction::Show],
            2 if may_show_late(play.owed(), seat) => vec![BlotAction::Show],
            _ => Vec::new(),
        }
    }

    /// Does one of [`Round::meld_actions`]; ignores other actions.
    pub fn meld(&mut self, action: BlotAction, house: &House, facts: &mut Vec<BlotFact>) {
        let first = (self.dealer + 1) & 3;
        let Some(play) = &mut self.play else { return };
        let seat = play.tricks.turn();
        let hand = self.dealt[usize::from(seat)];
        match action {
            BlotAction::Announce => play.announce(seat, facts),
            BlotAction::AnnounceOther => {
                let other = Melds::other(hand, play.tricks.trump(), house);
                play.held[usize::from(seat)].melds = other;
                play.announce(seat, facts);
            }
            BlotAction::Show => {
                play.show(seat, facts);
                play.settle_melds(first, house);
            }
            BlotAction::Call(_) | BlotAction::Card(_) => {}
        }
    }

    /// Takes over what the other seats have announced and shown, where their hands are unknown.
    pub fn assume_announced(&mut self, own: u8, announced: &[AnnouncedMelds; 4]) {
        let Some(play) = &mut self.play else { return };
        for (seat, (held, announced)) in (0..).zip(play.held.iter_mut().zip(announced)) {
            if seat != own {
                held.announced = !announced.kinds.is_empty();
                held.shown = !announced.melds.is_empty();
            }
        }
    }

    /// Plays a legal card; returns the score after the last one.
    pub fn put(
        &mut self,
        card: Card,
        house: &House,
        facts: &mut Vec<BlotFact>,
    ) -> Option<(RoundResult, RoundScore)> {
        let first = (self.dealer + 1) & 3;
        let dealt = self.dealt;
        let play = self.play.as_mut()?;
        let seat = play.tricks.turn();
        if !house.manual_melds {
            play.announce_automatically(seat, house, facts);
        }
        let trick = play.tricks.play(card);
        facts.push(BlotFact::Put { seat: Seat(seat), card });
        let pair = melds::blot_cards(play.tricks.trump());
        let at = usize::from(seat);
        let played_pair = pair & dealt[at] == pair && pair & play.tricks.hands()[at] == 0;
        if pair & card.bit() != 0 && played_pair {
            play.blots[at] = true;
            facts.push(BlotFact::Blot { seat: Seat(seat) });
        }
        if let Some(trick) = trick {
            play.past.push(trick);
            facts.push(BlotFact::Took(trick));
            if play.tricks.tricks_played() == 1 {
                play.second_leader = play.tricks.leader();
            }
            play.settle_melds(first, house);
        }
        if !play.tricks.is_over() {
            return None;
        }
        let played = play.played(&dealt, house);
        score(&played, house).map(|score| (played, score))
    }
}

impl CardPhase {
    fn announce(&mut self, seat: u8, facts: &mut Vec<BlotFact>) {
        let seat_melds = &mut self.held[usize::from(seat)];
        seat_melds.announced = true;
        let kinds = seat_melds.melds.iter().map(|meld| meld.kind).collect();
        facts.push(BlotFact::Announced { seat: Seat(seat), kinds });
    }

    fn show(&mut self, seat: u8, facts: &mut Vec<BlotFact>) {
        let seat_melds = &mut self.held[usize::from(seat)];
        seat_melds.shown = true;
        facts.push(BlotFact::Shown { seat: Seat(seat), melds: seat_melds.melds.iter().collect() });
    }

    /// Announces with the first card, shows with the second (decision D23).
    fn announce_automatically(&mut self, seat: u8, house: &House, facts: &mut Vec<BlotFact>) {
        if self.held[usize::from(seat)].melds.is_empty() {
            return;
        }
        let counts = self.counting == Some(usize::from(seat & 1));
        match self.tricks.tricks_played() {
            0 => self.announce(seat, facts),
            1 if counts || house.show_all => self.show(seat, facts),
            _ => {}
        }
    }

    /// The seats that announced and have not shown.
    fn owed(&self) -> [bool; 4] {
        self.held.each_ref().map(SeatMelds::is_owed)
    }

    /// Settles whose combinations count: automatically after the first trick, by hand as soon as no
    /// player can show any more.
    fn settle_melds(&mut self, first: u8, house: &House) {
        let is_settled = match self.tricks.tricks_played() {
            1 => !house.manual_melds,
            2 => house.manual_melds && !may_anybody_show_late(self.owed()),
            3 => house.manual_melds,
            _ => false,
        };
        if !is_settled {
            return;
        }
        let none = Melds::default();
        let melds = |seat: usize| {
            let held: &SeatMelds = &self.held[seat];
            if held.shown || !house.manual_melds { &held.melds } else { &none }
        };
        let first = if house.tie_trick2 { self.second_leader } else { first };
        let shown = [0, 1, 2, 3].map(melds);
        self.counting = melds::counting_team(shown, first, self.tricks.trump());
    }

    /// The points of the combinations that count, by side, once that is settled.
    pub fn meld_points(&self, house: &House) -> [u8; 2] {
        let mut points = [0; 2];
        let Some(team) = self.counting else { return points };
        for seat in [team, team + 2] {
            if self.held[seat].shown || !house.manual_melds {
                points[team] += self.held[seat].melds.value(self.tricks.trump(), house);
            }
        }
        points
    }

    fn played(&self, dealt: &[u32; 4], house: &House) -> RoundResult {
        let trump = self.tricks.trump();
        RoundResult {
            contract: self.contract,
            cards: self.tricks.points(),
            tricks: self.tricks.taken(),
            melds: self.meld_points(house),
            blot: blots(dealt, trump),
        }
    }
}

/// Points of blot-reblots by side (rules R37, R39).
pub fn blots(dealt: &[u32; 4], trump: Trump) -> [u8; 2] {
    [0, 1].map(|side| melds::blot(dealt[side], trump) + melds::blot(dealt[side + 2], trump))
}
