//! A match at a table: deals, rounds, totals, and who may know what.

use super::action::{Action, Deal};
use super::auction::{Bid, Call, Level};
use super::card::{Card, each};
use super::guess;
use super::illegal::Illegal;
use super::options::{House, Options};
use super::round::{Fact, Play, Round, Summary};
use super::score::winner;
use super::tricks::Trick;
use super::view::{Own, Stage, Told, View};
use crate::input::Words;
use crate::rules::{Entropy, Node, Rules, Seat, Token, Viewer};

/// A match in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blot {
    options: Options,
    house: House,
    /// Who deals next; drawn with the first deal.
    dealer: Option<u8>,
    round: Option<Round>,
    totals: [u16; 2],
    sheet: Vec<Summary>,
    /// The last trick of the last round.
    ended: Option<Trick>,
    winner: Option<u8>,
    /// What happened since the seat that has been silent longest decided.
    news: Vec<Fact>,
    /// Where in it the last decision of each seat stands.
    since: [usize; 4],
    /// Who decided last.
    decided: Seat,
}

impl Blot {
    /// Each of the 32 cards is in one hand, on the table or in one trick, all hands are as long as
    /// they should be, and the points are those of the tricks.
    pub(super) fn missing(&self) -> Option<String> {
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
        let long = |seat: u8| 8 - tricks.done() - u8::from(put(seat));
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

    /// In the middle of this round, with these points of both sides.
    pub(super) fn within(options: &Options, totals: [u16; 2], dealer: u8, round: Round) -> Self {
        Self {
            options: *options,
            house: options.house(),
            dealer: Some(dealer),
            round: Some(round),
            totals,
            sheet: Vec::new(),
            ended: None,
            winner: None,
            news: Vec::new(),
            since: [0; 4],
            decided: Seat(0),
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

    /// Who deals next; none before the first deal.
    pub fn next_dealer(&self) -> Option<u8> {
        self.dealer
    }

    fn turn(&self) -> Option<u8> {
        self.round.as_ref().and_then(Round::turn)
    }

    /// Why this seat cannot do this, if it cannot.
    fn refusal(&self, seat: Seat, action: &Action) -> Option<Illegal> {
        if self.winner.is_some() {
            return Some(Illegal::MatchIsOver);
        }
        let Some(round) = &self.round else { return Some(Illegal::NotDealt) };
        let on_turn = self.turn() == Some(seat.0);
        let why = match (action, round.play()) {
            (Action::Call(call), None) => {
                if seat.0 < 4 && round.auction().allows(seat.0, *call, &self.house) {
                    return None;
                }
                if on_turn { self.call_refusal(round, seat.0, *call) } else { Illegal::NotYourTurn }
            }
            _ if !on_turn => Illegal::NotYourTurn,
            (Action::Call(_), Some(_)) => Illegal::AuctionIsOver,
            (Action::Card(card), Some(play)) => card_refusal(play, *card)?,
            (Action::Card(_), None) => Illegal::AuctionFirst,
            (Action::Announce | Action::AnnounceOther | Action::Show, _) => {
                if round.meld_actions(&self.house).contains(action) {
                    return None;
                }
                if self.house.manual_melds {
                    Illegal::NoCombination
                } else {
                    Illegal::CombinationsShowThemselves
                }
            }
        };
        Some(why)
    }

    fn call_refusal(&self, round: &Round, seat: u8, call: Call) -> Illegal {
        let standing = round.auction().standing();
        let level = standing.map_or(Level::Plain, |it| it.level);
        let own = standing.is_some_and(|it| it.team() == usize::from(seat & 1));
        match call {
            Call::Bid(bid) => self.bid_refusal(round, bid),
            Call::Kuansh if standing.is_none() => Illegal::NothingToDoubt,
            Call::Kuansh if own => Illegal::OwnBid,
            Call::Kuansh => Illegal::KuanshTwice,
            Call::Sur if level != Level::Kuansh => Illegal::NoKuansh,
            Call::Sur if own => Illegal::OnlyTheBidder,
            Call::Sur => Illegal::OnlyTheBidders,
            Call::Pass => Illegal::NotYourTurn,
        }
    }

    fn bid_refusal(&self, round: &Round, bid: Bid) -> Illegal {
        let sharpened = round.auction().standing().is_some_and(|it| it.level != Level::Plain);
        let Some(bounds) = round.auction().bounds(&self.house) else {
            return if sharpened { Illegal::KuanshWasSaid } else { Illegal::NothingHigher };
        };
        if bid.x > bounds.highest {
            Illegal::BidTooHigh
        } else if bid.x < bounds.lowest {
            Illegal::BidTooLow
        } else if bounds.kaput_only && !bid.kaput {
            Illegal::OnlyKaput
        } else {
            Illegal::KaputTooLow
        }
    }

    /// Everything that a seat may say now.
    fn calls(&self, round: &Round, seat: u8) -> Vec<Action> {
        let auction = round.auction();
        let bounds = auction.bounds(&self.house).filter(|_| auction.turn() == Some(seat));
        let bids = bounds.into_iter().flat_map(|bounds| bounds.bids()).map(Call::Bid);
        let words = [Call::Kuansh, Call::Pass, Call::Sur].into_iter();
        let words = words.filter(|call| auction.allows(seat, *call, &self.house));
        bids.chain(words).map(Action::Call).collect()
    }

    /// Writes a finished round down and goes on to the next or to the end.
    fn finish(&mut self, facts: &mut Vec<Fact>) {
        let Some(Fact::Scored(summary)) = facts.last() else { return };
        self.totals = summary.totals;
        let bidders = summary.played.contract.team();
        self.sheet.push(*summary);
        self.ended = facts.iter().rev().find_map(|it| match it {
            Fact::Took(trick) => Some(*trick),
            _ => None,
        });
        self.round = None;
        self.dealer = self.dealer.map(|dealer| (dealer + 1) & 3);
        if let Some(team) = winner(self.totals, bidders, &self.house) {
            let team = u8::from(team == 1);
            self.winner = Some(team);
            facts.push(Fact::Won { team, totals: self.totals });
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

    fn apply(&mut self, seat: Seat, action: &Action, facts: &mut Vec<Fact>) {
        let Some(round) = &mut self.round else { return };
        match action {
            Action::Call(call) => {
                round.call(seat.0, *call, &self.house, facts);
                if facts.last() == Some(&Fact::ThrownIn) {
                    self.round = None;
                    let step = u8::from(!self.house.redeal_same);
                    self.dealer = self.dealer.map(|dealer| (dealer + step) & 3);
                }
            }
            Action::Card(card) => {
                if let Some((played, score)) = round.put(*card, &self.house, facts) {
                    let totals = [0, 1].map(|side| self.totals[side] + score.points[side]);
                    facts.push(Fact::Scored(Summary { played, score, totals }));
                    self.finish(facts);
                }
            }
            Action::Announce | Action::AnnounceOther | Action::Show => {
                round.meld(*action, &self.house, facts);
            }
        }
    }

    fn own(&self, seat: Seat) -> Option<Own> {
        let round = self.round.as_ref().filter(|_| seat.0 < 4)?;
        let on_turn = self.turn() == Some(seat.0);
        let cards = round.hands()[seat.index()];
        let play = round.play().filter(|_| on_turn);
        Some(Own {
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

/// Why this card cannot be put, if it cannot: the rule by name.
fn card_refusal(play: &Play, card: Card) -> Option<Illegal> {
    let tricks = &play.tricks;
    let hand = tricks.hands()[usize::from(tricks.turn())];
    if hand & card.bit() == 0 {
        return Some(Illegal::NotHeld);
    }
    if tricks.legal() & card.bit() != 0 {
        return None;
    }
    let led = tricks.table().first()?.suit();
    let trump = tricks.trump();
    let is_trump = Some(card.suit()) == trump.suit();
    Some(if trump.suit() == Some(led) {
        if is_trump { Illegal::MustOvertrump } else { Illegal::MustFollowTrump }
    } else if hand & led.cards() != 0 {
        Illegal::MustFollow
    } else if is_trump {
        Illegal::MustOvercut
    } else {
        Illegal::MustCut
    })
}

impl Rules for Blot {
    type Options = Options;
    type Action = Action;
    type Chance = Deal;
    type View = View;
    type Fact = Fact;
    type Illegal = Illegal;

    const REVISION: u16 = 1;

    fn start(options: &Options, seats: u8) -> Result<Self, Illegal> {
        if seats != 4 {
            return Err(Illegal::NotFourSeats);
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
            news: Vec::new(),
            since: [0; 4],
            decided: Seat(0),
        })
    }

    fn node(&self) -> Node {
        match (self.winner, self.turn()) {
            (Some(team), _) => Node::Over(self.scores(team)),
            (None, Some(turn)) => Node::Act(Seat(turn)),
            (None, None) => Node::Chance,
        }
    }

    fn actions(&self, seat: Seat) -> Vec<Action> {
        let Some(round) = self.round.as_ref().filter(|_| seat.0 < 4) else { return Vec::new() };
        let actions: Vec<Action> = match round.play() {
            None => self.calls(round, seat.0),
            Some(_) if self.turn() != Some(seat.0) => Vec::new(),
            Some(play) => {
                let cards = each(play.tricks.legal()).map(Action::Card);
                round.meld_actions(&self.house).into_iter().chain(cards).collect()
            }
        };
        let mut tokens: Vec<(String, Action)> =
            actions.into_iter().map(|action| (action.write(), action)).collect();
        tokens.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        tokens.into_iter().map(|(_, action)| action).collect()
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Vec<Fact>) -> Result<(), Illegal> {
        if let Some(illegal) = self.refusal(seat, action) {
            return Err(illegal);
        }
        if self.forced().as_ref() != Some(action) {
            self.decide(seat);
        }
        let mut happened = Vec::new();
        self.apply(seat, action, &mut happened);
        self.news.extend_from_slice(&happened);
        facts.append(&mut happened);
        Ok(())
    }

    fn draw(&self, entropy: &mut dyn Entropy) -> Deal {
        Deal::draw(entropy, self.dealer.is_none())
    }

    fn settle(&mut self, outcome: &Deal, facts: &mut Vec<Fact>) -> Result<(), Illegal> {
        let expected = self.winner.is_none() && self.round.is_none();
        if !expected || !outcome.is_whole() || outcome.dealer.is_some() == self.dealer.is_some() {
            return Err(Illegal::NotDealt);
        }
        let Some(dealer) = outcome.dealer.or(self.dealer).filter(|it| *it < 4) else {
            return Err(Illegal::NotDealt);
        };
        self.dealer = Some(dealer);
        self.round = Some(Round::new(dealer, outcome));
        let dealt = Fact::Dealt { dealer: Seat(dealer) };
        self.news.push(dealt.clone());
        facts.push(dealt);
        Ok(())
    }

    fn view(&self, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => self.own(seat),
            Viewer::Public => None,
        };
        let round = self.round.as_ref();
        let play = round.and_then(Round::play);
        let tricks = play.map(|play| &play.tricks);
        let table = tricks.map_or(&[][..], |tricks| tricks.table());
        let leader = tricks.map_or(0, |tricks| tricks.leader());
        let seats = (leader..).map(|seat| Seat(seat & 3));
        View {
            options: self.options,
            own,
            stage: match (self.winner, round) {
                (Some(team), _) => Stage::Over(team),
                (None, None) => Stage::Deal,
                (None, Some(_)) if play.is_some() => Stage::Play,
                (None, Some(_)) => Stage::Auction,
            },
            turn: self.turn().map(Seat),
            dealer: self.dealer.map(Seat),
            calls: round.map_or_else(Vec::new, |round| {
                round.auction().calls().iter().map(|(seat, call)| (Seat(*seat), *call)).collect()
            }),
            bounds: round.and_then(|round| round.auction().bounds(&self.house)),
            contract: round.and_then(|round| round.auction().standing()),
            table: seats.zip(table.iter().copied()).collect(),
            holding: tricks.and_then(|tricks| tricks.holding()).map(|(seat, _)| Seat(seat)),
            last: play.and_then(|play| play.past.last().copied()),
            ended: self.ended.filter(|_| play.is_none_or(|play| play.past.is_empty())),
            tricks: play.map_or_else(Vec::new, |play| play.past.clone()),
            taken: tricks.map_or([0; 2], |tricks| tricks.taken()),
            cards_left: round.map_or([0; 4], |round| round.hands().map(|it| it.count_ones() as u8)),
            gone: round.map_or(0, |round| !round.hands().iter().fold(0, |held, hand| held | hand)),
            told: play.map_or_else(Default::default, told),
            counting: play.and_then(|play| self.counting(play)),
            blots: play.map_or([false; 4], |play| play.blots),
            totals: self.totals,
            sheet: self.sheet.clone(),
            news: self.news[self.since[self.turn().map_or(self.decided, Seat).index()]..].to_vec(),
        }
    }

    /// The only card left of the one on turn: the eighth trick plays itself. A hand that happens
    /// to have a single legal card earlier is not played by itself, for that would tell its cards.
    fn forced(&self) -> Option<Action> {
        let play = self.round.as_ref().and_then(Round::play)?;
        play.tricks.last_card().map(Action::Card)
    }

    fn guess(&self, _seat: Seat, text: &str, words: &Words) -> Option<Action> {
        guess::guess(self, text, words)
    }
}

impl Blot {
    /// This seat decides something: what everybody has lived through by then is old.
    fn decide(&mut self, seat: Seat) {
        self.decided = seat;
        self.since[seat.index()] = self.news.len();
        let old = self.since.into_iter().min().unwrap_or_default();
        self.news.drain(..old);
        self.since = self.since.map(|it| it - old);
    }

    /// Whose combinations count, told when all that count were shown.
    fn counting(&self, play: &Play) -> Option<(u8, u8)> {
        let team = play.counting.filter(|_| play.tricks.done() >= 2)?;
        Some((u8::from(team == 1), play.meld_points(&self.house)[team]))
    }
}

/// What everybody was told of combinations.
fn told(play: &Play) -> [Told; 4] {
    play.held.each_ref().map(|held| Told {
        kinds: match held.announced {
            true => held.melds.iter().map(|meld| meld.kind).collect(),
            false => Vec::new(),
        },
        melds: if held.shown { held.melds.iter().collect() } else { Vec::new() },
    })
}

/// Whether these sets hold each of the 32 cards once.
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
        Blot::within(&Options::default(), [0; 2], 3, round)
    }

    #[test]
    fn a_card_that_is_lost_or_there_twice_is_missed() {
        let whole = [0xff, 0xff00, 0xff_0000, 0xff00_0000];
        assert_eq!(dealt(whole).missing(), None);
        assert!(dealt([0x7f, 0xff00, 0xff_0000, 0xff00_0000]).missing().is_some());
        assert!(dealt([0x1ff, 0xff00, 0xff_0000, 0xff00_0000]).missing().is_some());
    }
}
