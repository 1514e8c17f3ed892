//! A match at a table: deals, rounds, totals, and the view of each viewer.

use super::action::{BlotAction, Deal};
use super::auction::{AuctionCall, Bid, ContractLevel};
use super::card::{Card, each};
use super::illegal::BlotIllegal;
use super::options::{BlotOptions, House};
use super::parse_move;
use super::round::{BlotFact, CardPhase, Round, Summary};
use super::score::winner;
use super::tricks::Trick;
use super::view::{AnnouncedMelds, BlotStage, BlotView, OwnHand};
use crate::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use crate::vocabulary::WordLists;

/// A match in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blot {
    options: BlotOptions,
    house: House,
    /// The next dealer; drawn with the first deal.
    dealer: Option<u8>,
    round: Option<Round>,
    totals: [u16; 2],
    sheet: Vec<Summary>,
    /// The last trick of the last round.
    ended: Option<Trick>,
    winner: Option<u8>,
    /// The facts since the earliest of the four seats' last decisions.
    recent_facts: Vec<BlotFact>,
    /// The index in `recent_facts` of the first fact since the last decision of each seat.
    seen_facts: [usize; 4],
    /// The seat that decided last.
    last_decider: Seat,
    /// The number of calls and cards.
    moves: u32,
}

impl Blot {
    /// Checks that each of the 32 cards is in one hand, on the table or in one trick, that all
    /// hands have the right length, and that the points are those of the tricks.
    pub(super) fn check_invariants(&self) -> Option<String> {
        let round = self.round.as_ref()?;
        let hands = round.hands();
        let Some(tricks) = round.play().map(|play| &play.tricks) else {
            return (!are_all(hands.into_iter())).then(|| format!("dealt were {hands:x?}"));
        };
        let past = &round.play()?.past;
        let table = tricks.table().iter().map(|card| card.bit());
        let taken = past.iter().flat_map(|trick| trick.cards).map(|card| card.bit());
        if !are_all(hands.into_iter().chain(table).chain(taken)) {
            return Some(format!("hands {hands:x?}, tricks {past:x?}"));
        }
        let put = |seat: u8| (seat + 4 - tricks.leader()) % 4 < tricks.table().len() as u8;
        let long = |seat: u8| 8 - tricks.tricks_played() - u8::from(put(seat));
        let wrong = |seat: &u8| hands[usize::from(*seat)].count_ones() != u32::from(long(*seat));
        if let Some(seat) = (0..4).find(wrong) {
            return Some(format!(
                "the hand of seat {} is {:x}",
                seat + 1,
                hands[usize::from(seat)]
            ));
        }
        let mut points = [0; 2];
        past.iter().for_each(|it| points[usize::from(it.winner & 1)] += u16::from(it.points));
        (points != tricks.points()).then(|| format!("{points:?} is not {:?}", tricks.points()))
    }

    /// A match in the middle of this round, with these points of both sides.
    pub(super) fn from_round(
        options: &BlotOptions,
        totals: [u16; 2],
        dealer: u8,
        round: Round,
    ) -> Self {
        Self {
            options: *options,
            house: options.house(),
            dealer: Some(dealer),
            round: Some(round),
            totals,
            sheet: Vec::new(),
            ended: None,
            winner: None,
            recent_facts: Vec::new(),
            seen_facts: [0; 4],
            last_decider: Seat(0),
            moves: 0,
        }
    }

    /// The round in progress; none while cards are to be dealt and when the match is over.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// The house rules.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Points of both sides.
    pub fn totals(&self) -> [u16; 2] {
        self.totals
    }

    /// The rounds so far.
    pub fn sheet(&self) -> &[Summary] {
        &self.sheet
    }

    /// The side that has won: 0 for seats 0 and 2.
    pub fn winner(&self) -> Option<u8> {
        self.winner
    }

    /// The next dealer; none before the first deal.
    pub fn next_dealer(&self) -> Option<u8> {
        self.dealer
    }

    /// The number of calls and cards, where they are not all that players do: they may announce and
    /// show combinations in their turn, or cut off the turn of another player.
    pub(super) fn move_number(&self) -> Option<u32> {
        (self.house.manual_melds || self.house.kuansh_any_time).then_some(self.moves)
    }

    fn turn(&self) -> Option<u8> {
        self.round.as_ref().and_then(Round::turn)
    }

    /// The reason why this seat cannot do this; `None` if it can.
    fn refusal(&self, seat: Seat, action: &BlotAction) -> Option<BlotIllegal> {
        if self.winner.is_some() {
            return Some(BlotIllegal::MatchIsOver);
        }
        let Some(round) = &self.round else { return Some(BlotIllegal::NotDealt) };
        let on_turn = self.turn() == Some(seat.0);
        let why = match (action, round.play()) {
            (BlotAction::Call(call), None) => {
                if seat.0 < 4 && round.auction().allows(seat.0, *call, &self.house) {
                    return None;
                }
                if on_turn {
                    self.call_refusal(round, seat.0, *call)
                } else {
                    BlotIllegal::NotYourTurn
                }
            }
            _ if !on_turn => BlotIllegal::NotYourTurn,
            (BlotAction::Call(_), Some(_)) => BlotIllegal::AuctionIsOver,
            (BlotAction::Card(card), Some(play)) => card_refusal(play, *card)?,
            (BlotAction::Card(_), None) => BlotIllegal::AuctionFirst,
            (BlotAction::Announce | BlotAction::AnnounceOther | BlotAction::Show, _) => {
                if round.meld_actions(&self.house).contains(action) {
                    return None;
                }
                if self.house.manual_melds {
                    BlotIllegal::NoCombination
                } else {
                    BlotIllegal::CombinationsShowThemselves
                }
            }
        };
        Some(why)
    }

    fn call_refusal(&self, round: &Round, seat: u8, call: AuctionCall) -> BlotIllegal {
        let standing = round.auction().standing();
        let level = standing.map_or(ContractLevel::Plain, |it| it.level);
        let own = standing.is_some_and(|it| it.team() == usize::from(seat & 1));
        match call {
            AuctionCall::Bid(bid) => self.bid_refusal(round, own, bid),
            AuctionCall::Kuansh if standing.is_none() => BlotIllegal::NothingToDoubt,
            AuctionCall::Kuansh if own => BlotIllegal::OwnBid,
            AuctionCall::Kuansh => BlotIllegal::KuanshTwice,
            AuctionCall::Sur if level != ContractLevel::Kuansh => BlotIllegal::NoKuansh,
            AuctionCall::Sur if own => BlotIllegal::OnlyTheBidder,
            AuctionCall::Sur => BlotIllegal::OnlyTheBidders,
            AuctionCall::Pass => BlotIllegal::NotYourTurn,
        }
    }

    fn bid_refusal(&self, round: &Round, is_own: bool, bid: Bid) -> BlotIllegal {
        let Some(bounds) = round.auction().bounds(&self.house) else {
            return match round.auction().standing() {
                Some(it) if it.level == ContractLevel::Plain => match is_own {
                    true => BlotIllegal::NoBidLeft,
                    false => BlotIllegal::NothingHigher,
                },
                Some(_) if !self.house.bid_after_kuansh => BlotIllegal::KuanshWasSaid,
                Some(_) | None => BlotIllegal::NoBidLeft,
            };
        };
        if bid.x > bounds.highest {
            BlotIllegal::BidTooHigh
        } else if bid.x < bounds.lowest_in(bid.trump) {
            BlotIllegal::BidTooLow
        } else if bounds.kaput_only && !bid.kaput {
            BlotIllegal::OnlyKaput
        } else if bounds.kaput_from > bounds.highest {
            BlotIllegal::NoKaput
        } else {
            BlotIllegal::KaputTooLow
        }
    }

    /// All calls that a seat may make now.
    fn calls(&self, round: &Round, seat: u8) -> Vec<BlotAction> {
        let auction = round.auction();
        let bounds = auction.bounds(&self.house).filter(|_| auction.turn() == Some(seat));
        let bids = bounds.into_iter().flat_map(|bounds| bounds.bids()).map(AuctionCall::Bid);
        let words = [AuctionCall::Kuansh, AuctionCall::Pass, AuctionCall::Sur].into_iter();
        let words = words.filter(|call| auction.allows(seat, *call, &self.house));
        bids.chain(words).map(BlotAction::Call).collect()
    }

    /// Adds a finished round to the score sheet and goes on to the next round or to the end.
    fn finish(&mut self, facts: &mut Vec<BlotFact>) {
        let Some(BlotFact::Scored(summary)) = facts.last() else { return };
        self.totals = summary.totals;
        let bidders = summary.played.contract.team();
        self.sheet.push(*summary);
        self.ended = facts.iter().rev().find_map(|it| match it {
            BlotFact::Took(trick) => Some(*trick),
            _ => None,
        });
        self.round = None;
        self.dealer = self.dealer.map(|dealer| (dealer + 1) & 3);
        if let Some(team) = winner(self.totals, bidders, &self.house) {
            let team = u8::from(team == 1);
            self.winner = Some(team);
            facts.push(BlotFact::Won { team, totals: self.totals });
        }
    }

    /// The score of each seat. By the house rule `both_reach=bidder` a side may win with fewer
    /// points; the other then has one less here.
    fn scores(&self, team: u8) -> Vec<i32> {
        let mut totals = self.totals.map(i32::from);
        let [won, lost] = [usize::from(team), usize::from(1 - team)];
        totals[lost] = totals[lost].min(totals[won] - 1);
        [totals[0], totals[1], totals[0], totals[1]].to_vec()
    }

    fn apply(&mut self, seat: Seat, action: &BlotAction, facts: &mut Vec<BlotFact>) {
        let Some(round) = &mut self.round else { return };
        self.moves += u32::from(matches!(action, BlotAction::Call(_) | BlotAction::Card(_)));
        match action {
            BlotAction::Call(call) => {
                round.call(seat.0, *call, &self.house, facts);
                if facts.last() == Some(&BlotFact::ThrownIn) {
                    self.round = None;
                    let step = u8::from(!self.house.redeal_same);
                    self.dealer = self.dealer.map(|dealer| (dealer + step) & 3);
                }
            }
            BlotAction::Card(card) => {
                if let Some((played, score)) = round.put(*card, &self.house, facts) {
                    let totals = [0, 1].map(|side| self.totals[side] + score.points[side]);
                    facts.push(BlotFact::Scored(Summary { played, score, totals }));
                    self.finish(facts);
                }
            }
            BlotAction::Announce | BlotAction::AnnounceOther | BlotAction::Show => {
                round.meld(*action, &self.house, facts);
            }
        }
    }

    fn own_hand(&self, seat: Seat) -> Option<OwnHand> {
        let round = self.round.as_ref().filter(|_| seat.0 < 4)?;
        let on_turn = self.turn() == Some(seat.0);
        let cards = round.hands()[seat.index()];
        let play = round.play().filter(|_| on_turn);
        Some(OwnHand {
            seat,
            cards,
            legal: play.map_or(0, |play| play.tricks.legal()),
            melds: round
                .play()
                .map(|play| play.held[seat.index()].melds.iter().collect())
                .unwrap_or_default(),
            meld_actions: if on_turn { round.meld_actions(&self.house) } else { Vec::new() },
        })
    }
}

/// The reason why this card is not legal, by the rule; `None` if it is.
fn card_refusal(play: &CardPhase, card: Card) -> Option<BlotIllegal> {
    let tricks = &play.tricks;
    let hand = tricks.hands()[usize::from(tricks.turn())];
    if hand & card.bit() == 0 {
        return Some(BlotIllegal::NotHeld);
    }
    if tricks.legal() & card.bit() != 0 {
        return None;
    }
    let led = tricks.table().first()?.suit();
    let trump = tricks.trump();
    let is_trump = Some(card.suit()) == trump.suit();
    Some(if trump.suit() == Some(led) {
        if is_trump { BlotIllegal::MustOvertrump } else { BlotIllegal::MustFollowTrump }
    } else if hand & led.cards() != 0 {
        BlotIllegal::MustFollow
    } else if is_trump {
        BlotIllegal::MustOvercut
    } else {
        BlotIllegal::MustCut
    })
}

impl Rules for Blot {
    type Options = BlotOptions;
    type Action = BlotAction;
    type Chance = Deal;
    type View = BlotView;
    type Fact = BlotFact;
    type Illegal = BlotIllegal;

    const REVISION: u16 = 1;

    fn start(options: &BlotOptions, seats: u8) -> Result<Self, BlotIllegal> {
        if seats != 4 {
            return Err(BlotIllegal::NotFourSeats);
        }
        Ok(Self {
            options: *options,
            house: options.house(),
            dealer: None,
            round: None,
            totals: [0; 2],
            sheet: Vec::new(),
            ended: None,
            winner: None,
            recent_facts: Vec::new(),
            seen_facts: [0; 4],
            last_decider: Seat(0),
            moves: 0,
        })
    }

    fn node(&self) -> Node {
        match (self.winner, self.turn()) {
            (Some(team), _) => Node::Over(self.scores(team)),
            (None, Some(turn)) => Node::Act(Seat(turn)),
            (None, None) => Node::Chance,
        }
    }

    fn actions(&self, seat: Seat) -> Vec<BlotAction> {
        let Some(round) = self.round.as_ref().filter(|_| seat.0 < 4) else { return Vec::new() };
        let actions: Vec<BlotAction> = match round.play() {
            None => self.calls(round, seat.0),
            Some(_) if self.turn() != Some(seat.0) => Vec::new(),
            Some(play) => {
                let cards = each(play.tricks.legal()).map(BlotAction::Card);
                round.meld_actions(&self.house).into_iter().chain(cards).collect()
            }
        };
        let mut tokens: Vec<(String, BlotAction)> =
            actions.into_iter().map(|action| (action.write(), action)).collect();
        tokens.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        tokens.into_iter().map(|(_, action)| action).collect()
    }

    fn apply_action(
        &mut self,
        seat: Seat,
        action: &BlotAction,
        facts: &mut Vec<BlotFact>,
    ) -> Result<(), BlotIllegal> {
        if let Some(illegal) = self.refusal(seat, action) {
            return Err(illegal);
        }
        if self.forced_action().as_ref() != Some(action) {
            self.note_decision(seat);
        }
        let mut happened = Vec::new();
        self.apply(seat, action, &mut happened);
        self.recent_facts.extend_from_slice(&happened);
        facts.append(&mut happened);
        Ok(())
    }

    fn draw_chance(&self, entropy: &mut dyn Entropy) -> Deal {
        Deal::draw(entropy, self.dealer.is_none())
    }

    fn apply_chance(
        &mut self,
        outcome: &Deal,
        facts: &mut Vec<BlotFact>,
    ) -> Result<(), BlotIllegal> {
        let expected = self.winner.is_none() && self.round.is_none();
        if !expected || !outcome.is_whole() || outcome.dealer.is_some() == self.dealer.is_some() {
            return Err(BlotIllegal::NotDealt);
        }
        let Some(dealer) = outcome.dealer.or(self.dealer).filter(|it| *it < 4) else {
            return Err(BlotIllegal::NotDealt);
        };
        self.dealer = Some(dealer);
        self.round = Some(Round::new(dealer, outcome));
        let dealt = BlotFact::Dealt { dealer: Seat(dealer) };
        self.recent_facts.push(dealt.clone());
        facts.push(dealt);
        Ok(())
    }

    fn view(&self, viewer: Viewer) -> BlotView {
        let own = match viewer {
            Viewer::Seat(seat) => self.own_hand(seat),
            Viewer::Public => None,
        };
        let round = self.round.as_ref();
        let play = round.and_then(Round::play);
        let tricks = play.map(|play| &play.tricks);
        let table = tricks.map_or(&[][..], |tricks| tricks.table());
        let leader = tricks.map_or(0, |tricks| tricks.leader());
        let seats = (leader..).map(|seat| Seat(seat & 3));
        BlotView {
            options: self.options,
            own,
            stage: match (self.winner, round) {
                (Some(team), _) => BlotStage::Over(team),
                (None, None) => BlotStage::Deal,
                (None, Some(_)) if play.is_some() => BlotStage::Play,
                (None, Some(_)) => BlotStage::Auction,
            },
            turn: self.turn().map(Seat),
            dealer: self.dealer.map(Seat),
            calls: round.map_or_else(Vec::new, |round| {
                round.auction().calls().iter().map(|(seat, call)| (Seat(*seat), *call)).collect()
            }),
            bounds: round.and_then(|round| round.auction().bounds(&self.house)),
            may_answer: round.is_some_and(|round| round.auction().may_answer(&self.house)),
            contract: round.and_then(|round| round.auction().standing()),
            table: seats.zip(table.iter().copied()).collect(),
            holding: tricks.and_then(|tricks| tricks.winning_card()).map(|(seat, _)| Seat(seat)),
            last: play.and_then(|play| play.past.last().copied()),
            ended: self.ended.filter(|_| play.is_none_or(|play| play.past.is_empty())),
            tricks: play.map_or_else(Vec::new, |play| play.past.clone()),
            taken: tricks.map_or([0; 2], |tricks| tricks.taken()),
            cards_left: round.map_or([0; 4], |round| round.hands().map(|it| it.count_ones() as u8)),
            gone: round.map_or(0, |round| !round.hands().iter().fold(0, |held, hand| held | hand)),
            announced_melds: play.map_or_else(Default::default, announced_melds),
            counting: play.and_then(|play| self.counting(play)),
            blots: play.map_or([false; 4], |play| play.blots),
            totals: self.totals,
            sheet: self.sheet.clone(),
            recent_facts: self.recent_facts
                [self.seen_facts[self.turn().map_or(self.last_decider, Seat).index()]..]
                .to_vec(),
        }
    }

    /// The only card left of the player to move: the eighth trick is played automatically. A hand
    /// that happens to have a single legal card earlier is not, because that would reveal its
    /// cards.
    fn forced_action(&self) -> Option<BlotAction> {
        let play = self.round.as_ref().and_then(Round::play)?;
        play.tricks.last_card().map(BlotAction::Card)
    }

    fn parse_move(&self, _seat: Seat, text: &str, words: &WordLists) -> Option<BlotAction> {
        parse_move::parse_move(self, text, words)
    }
}

impl Blot {
    /// Records a decision of this seat: facts that all seats have seen by then are dropped.
    fn note_decision(&mut self, seat: Seat) {
        self.last_decider = seat;
        self.seen_facts[seat.index()] = self.recent_facts.len();
        let old = self.seen_facts.into_iter().min().unwrap_or_default();
        self.recent_facts.drain(..old);
        self.seen_facts = self.seen_facts.map(|it| it - old);
    }

    /// The side whose combinations count, with their value, once all that count were shown.
    fn counting(&self, play: &CardPhase) -> Option<(u8, u8)> {
        let team = play.counting.filter(|_| play.tricks.tricks_played() >= 2)?;
        Some((u8::from(team == 1), play.meld_points(&self.house)[team]))
    }
}

/// The public knowledge of combinations, by seat.
fn announced_melds(play: &CardPhase) -> [AnnouncedMelds; 4] {
    play.held.each_ref().map(|held| AnnouncedMelds {
        kinds: match held.announced {
            true => held.melds.iter().map(|meld| meld.kind).collect(),
            false => Vec::new(),
        },
        melds: if held.shown { held.melds.iter().collect() } else { Vec::new() },
    })
}

/// Whether these sets together have each of the 32 cards once.
fn are_all(sets: impl Iterator<Item = u32>) -> bool {
    let mut all = 0;
    let once = |set: u32| {
        let new = all & set == 0;
        all |= set;
        new
    };
    sets.map(once).fold(true, |a, b| a & b) && all == u32::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(hands: [u32; 4]) -> Blot {
        let round = Round::new(3, &Deal { dealer: None, hands });
        Blot::from_round(&BlotOptions::default(), [0; 2], 3, round)
    }

    #[test]
    fn missing_and_duplicate_cards_violate_the_invariants() {
        let whole = [0xff, 0xff00, 0xff_0000, 0xff00_0000];
        assert_eq!(dealt(whole).check_invariants(), None);
        assert!(dealt([0x7f, 0xff00, 0xff_0000, 0xff00_0000]).check_invariants().is_some());
        assert!(dealt([0x1ff, 0xff00, 0xff_0000, 0xff00_0000]).check_invariants().is_some());
    }
}
