//! Draws hands of the other seats that agree with everything public.
//!
//! Refused cards exclude other cards: a seat that did not follow has none of the suit, and one that
//! did not cut or overtrump had no trump that would have done it (rules R15 to R20). Shown
//! combinations are known cards; combinations that were only announced, or not announced, are
//! checked against the hand as it was dealt. [`Worlds::draw`] gives every remaining hand the same
//! probability: the hidden cards are grouped into classes by possible owners, the ways to deal out
//! a class are counted, and one is drawn in proportion to its count. Inference from bids is a
//! weight on top of that.

use super::super::card::{Card, Trump, each};
use super::super::melds::{Meld, MeldKind, Melds, counting_team};
use super::super::options::House;
use super::super::view::{AnnouncedMelds, BlotView, OwnHand};
use super::card_distributions::{Share, Shares};
use crate::rules::{Entropy, Seat};
use crate::search::SeededRng;

/// Everything that one seat knows about the cards of the others.
#[derive(Clone, Debug)]
pub struct KnownCards {
    /// The seat that knows this.
    pub seat: usize,
    /// Its cards.
    pub own: u32,
    /// The trump, once there is a contract.
    pub trump: Option<Trump>,
    /// The cards that every seat has played so far.
    pub played: [u32; 4],
    house: House,
    left: [u32; 4],
    /// Cards that a seat cannot hold.
    never: [u32; 4],
    /// Cards that a seat must hold.
    always: [u32; 4],
    announced: [AnnouncedMelds; 4],
    /// Finished tricks.
    done: usize,
    /// The seat that is first among equal combinations.
    first: u8,
}

impl KnownCards {
    /// Collects the knowledge from the view of a seat.
    pub fn new(view: &BlotView, own: &OwnHand) -> KnownCards {
        let trump = view.contract.filter(|_| view.is_play()).map(|it| it.bid.trump);
        let leader = view.dealer.map_or(0, |dealer| (dealer.0 + 1) & 3);
        let house = view.options.house();
        let second = view.tricks.first().map_or(leader, |trick| trick.winner);
        let mut known = KnownCards {
            seat: own.seat.index() & 3,
            own: own.cards,
            trump,
            played: [0; 4],
            house,
            left: view.cards_left.map(u32::from),
            never: [0; 4],
            always: [0; 4],
            announced: view.announced_melds.clone(),
            done: view.tricks.len(),
            first: if house.tie_trick2 { second } else { leader },
        };
        if let Some(trump) = trump {
            for trick in &view.tricks {
                let seats = (trick.leader..).map(|seat| Seat(seat & 3));
                let cards: Vec<(Seat, Card)> = seats.zip(trick.cards).collect();
                known.learn(&cards, trump);
            }
            known.learn(&view.table, trump);
        }
        known.always = [0, 1, 2, 3].map(|seat| {
            let shown =
                view.announced_melds[seat].melds.iter().fold(0, |all, meld| all | meld.cards());
            shown & !known.played[seat]
        });
        known
    }

    /// The cards of the others.
    pub fn hidden(&self) -> u32 {
        !(self.played.iter().fold(self.own, |all, cards| all | cards))
    }

    /// Adds the knowledge from one trick, finished or not.
    fn learn(&mut self, cards: &[(Seat, Card)], trump: Trump) {
        let Some((_, led)) = cards.first().copied() else { return };
        let mut best = led;
        let mut best_at = 0;
        for (at, (seat, card)) in cards.iter().copied().enumerate() {
            let seat = seat.index() & 3;
            self.played[seat] |= card.bit();
            let is_trump = Some(card.suit()) == trump.suit();
            let best_is_trump = Some(best.suit()) == trump.suit();
            let over = best.beaten_in_suit_by(trump);
            let higher = if best_is_trump { over } else { trump.cards() };
            let beats = if card.suit() == best.suit() { over & card.bit() != 0 } else { is_trump };
            if at > 0 && Some(led.suit()) == trump.suit() {
                self.never[seat] |= match (is_trump, beats) {
                    (true, true) => 0,
                    (true, false) => higher,
                    (false, _) => trump.cards(),
                };
            } else if at > 0 && card.suit() != led.suit() {
                let partner_holds = at >= 2 && best_at + 2 == at;
                self.never[seat] |= led.suit().cards();
                if !partner_holds && !beats {
                    let none = self.house.undertrump && !is_trump;
                    self.never[seat] |= if none { trump.cards() } else { higher };
                }
            }
            if at > 0 && beats {
                (best, best_at) = (card, at);
            }
        }
    }

    /// Whether these hands agree with everything public.
    pub fn allows(&self, hands: &[u32; 4]) -> bool {
        let all = hands.iter().fold(0, |all, hand| all | hand);
        let played = self.played.iter().fold(0, |all, cards| all | cards);
        let each_fits = (0..4).all(|seat| {
            let hand = hands[seat];
            let never = self.never[seat];
            let always = self.always[seat];
            let others = seat == self.seat || (hand & never == 0 && always & !hand == 0);
            hand.count_ones() == self.left[seat] && others
        });
        hands[self.seat] == self.own && all == !played && each_fits && self.melds_fit(hands)
    }

    /// The hands as they were dealt.
    pub fn dealt(&self, hands: &[u32; 4]) -> [u32; 4] {
        [0, 1, 2, 3].map(|seat| hands[seat] | self.played[seat])
    }

    /// Whether every seat would have announced what it did announce with these hands.
    fn melds_fit(&self, hands: &[u32; 4]) -> bool {
        let Some(trump) = self.trump else { return true };
        let dealt = self.dealt(hands);
        if self.house.manual_melds {
            return (0..4).all(|seat| self.agrees_with_announcements(seat, dealt[seat], trump));
        }
        let melds_by_seat = dealt.map(|hand| Melds::best(hand, trump, &self.house));
        let kinds_fit = (0..4).filter(|seat| *seat != self.seat).all(|seat| {
            let has_not_played = self.played[seat] == 0;
            has_not_played || is_of_kinds(&melds_by_seat[seat], &self.announced[seat].kinds)
        });
        kinds_fit && (self.done == 0 || self.shown_fit(&melds_by_seat, trump))
    }

    /// Whether the shown combinations agree: without manual announcements, a combination is shown
    /// with the second card if it counts.
    fn shown_fit(&self, held: &[Melds; 4], trump: Trump) -> bool {
        if self.announced.iter().all(|announced| announced.kinds.is_empty()) {
            return true;
        }
        let counting = counting_team(held.each_ref(), self.first, trump);
        (0..4).all(|seat| {
            if self.played[seat].count_ones() < 2 || held[seat].is_empty() {
                return true;
            }
            let shown = &self.announced[seat].melds;
            let shows = self.house.show_all || counting == Some(seat & 1);
            shows != shown.is_empty() && (!shows || held[seat].iter().eq(shown.iter().copied()))
        })
    }

    fn agrees_with_announcements(&self, seat: usize, hand: u32, trump: Trump) -> bool {
        let announced = &self.announced[seat];
        if seat == self.seat || announced.kinds.is_empty() {
            return true;
        }
        let fits = |melds: Melds| {
            let shown =
                announced.melds.is_empty() || melds.iter().eq(announced.melds.iter().copied());
            is_of_kinds(&melds, &announced.kinds) && shown
        };
        fits(Melds::best(hand, trump, &self.house)) || fits(Melds::other(hand, trump, &self.house))
    }

    /// The possible combinations that a seat announced without showing them: all sets of cards that
    /// it must then hold or have played.
    fn guesses(&self, seat: usize) -> Vec<u32> {
        let announced = &self.announced[seat];
        if seat == self.seat || announced.kinds.is_empty() || !announced.melds.is_empty() {
            return vec![0];
        }
        let may_hold = self.played[seat] | self.hidden() & !self.never[seat];
        let mut sets = vec![(0u32, 0usize)];
        for (n, kind) in announced.kinds.iter().enumerate() {
            let all = of_kind(*kind, may_hold);
            let same_before = n > 0 && announced.kinds[n - 1] == *kind;
            sets = sets
                .iter()
                .flat_map(|(taken, from)| {
                    let from = if same_before { *from } else { 0 };
                    let free = all.iter().copied().enumerate().skip(from);
                    let free = free.filter(|(_, cards)| cards & taken == 0);
                    free.map(|(at, cards)| (taken | cards, at + 1)).collect::<Vec<_>>()
                })
                .collect();
        }
        sets.into_iter().map(|(cards, _)| cards & !self.played[seat]).collect()
    }
}

fn is_of_kinds(melds: &Melds, kinds: &[MeldKind]) -> bool {
    melds.iter().map(|meld| meld.kind).eq(kinds.iter().copied())
}

/// All combinations of one kind that these cards contain, as sets.
fn of_kind(kind: MeldKind, cards: u32) -> Vec<u32> {
    use super::super::card::Suit;
    let suits = Suit::ALL.map(Some);
    let tops = (0..8).flat_map(|rank| match kind {
        MeldKind::Four => vec![Meld { kind, rank, suit: None }],
        MeldKind::Terz | MeldKind::Fifty | MeldKind::Hundred => {
            suits.map(|suit| Meld { kind, rank, suit }).to_vec()
        }
    });
    let lowest = match kind {
        MeldKind::Terz => 2,
        MeldKind::Fifty => 3,
        MeldKind::Hundred => 4,
        MeldKind::Four => 1,
    };
    let melds = tops.filter(|meld| meld.rank >= lowest).map(Meld::cards);
    melds.filter(|set| cards & set == *set).collect()
}

/// Draws hands that agree with the knowledge of a seat.
pub struct Worlds {
    known: KnownCards,
    shares: Shares,
}

/// The most sets of announced combinations that are considered.
const GUESSES: usize = 150;

/// Number of attempts to draw a world that agrees with all announcements, before one that does not
/// is accepted.
const TRIES: usize = 300;

impl Worlds {
    /// Prepares drawing for one decision.
    pub fn new(known: KnownCards, rng: &mut SeededRng) -> Worlds {
        let others = [1, 2, 3].map(|n| (known.seat + n) & 3);
        let lists = others.map(|seat| known.guesses(seat));
        let mut shares = Shares::default();
        let count = lists.iter().map(Vec::len).product::<usize>();
        for n in 0..count.min(GUESSES) {
            // All of them, or a random selection.
            let mut n = if count <= GUESSES {
                n
            } else {
                rng.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize
            };
            let guess = lists.each_ref().map(|list| {
                let cards = list[n % list.len()];
                n /= list.len();
                cards
            });
            let seats = [0, 1, 2].map(|at| {
                let seat = others[at];
                let must = known.always[seat] | guess[at];
                (known.left[seat], must, known.never[seat])
            });
            shares.add(known.hidden(), seats);
        }
        if shares.is_empty() {
            shares.add(known.hidden(), others.map(|seat| (known.left[seat], 0, 0)));
        }
        Worlds { known, shares }
    }

    /// The knowledge of the seat.
    pub fn known(&self) -> &KnownCards {
        &self.known
    }

    /// Draws one world: hands as they are now, all that agree equally likely.
    pub fn draw(&self, rng: &mut SeededRng) -> [u32; 4] {
        let mut hands = self.draw_any(rng);
        for _ in 0..TRIES {
            if self.known.melds_fit(&hands) {
                break;
            }
            hands = self.draw_any(rng);
        }
        hands
    }

    fn draw_any(&self, rng: &mut SeededRng) -> [u32; 4] {
        let Share(of_others) = self.shares.draw(rng);
        let mut hands = [self.known.own; 4];
        for (n, hand) in of_others.into_iter().enumerate() {
            hands[(self.known.seat + 1 + n) & 3] = hand;
        }
        hands
    }

    /// Draws `count` worlds in proportion to their weight from `choice` times as many. The weight
    /// is how well the hands as dealt agree with the calls of their owners.
    pub fn weighted(
        &self,
        count: usize,
        choice: usize,
        mut weight: impl FnMut(&[u32; 4]) -> f64,
        rng: &mut SeededRng,
    ) -> Vec<[u32; 4]> {
        let all: Vec<[u32; 4]> = (0..count * choice.max(1)).map(|_| self.draw(rng)).collect();
        if choice <= 1 {
            return all;
        }
        let weights: Vec<f64> = all.iter().map(|it| weight(&self.known.dealt(it))).collect();
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 || !sum.is_finite() {
            return all.into_iter().take(count).collect();
        }
        // Systematic resampling: evenly spaced places on the line of weights, from a random start.
        let step = sum / count as f64;
        let mut place = step * (f64::from(rng.below(1 << 16)) / 65_536.0);
        let mut chosen = Vec::with_capacity(count);
        let mut reached = 0.0;
        for (world, weight) in all.iter().zip(weights) {
            reached += weight;
            while place < reached && chosen.len() < count {
                chosen.push(*world);
                place += step;
            }
        }
        chosen
    }
}

/// Deals the hidden cards at random and respects only the numbers of cards, for opponents without
/// inference.
pub fn careless(known: &KnownCards, rng: &mut SeededRng) -> [u32; 4] {
    let mut cards: Vec<Card> = each(known.hidden()).collect();
    let mut hands = [0; 4];
    hands[known.seat] = known.own;
    for seat in (0..4).filter(|seat| *seat != known.seat) {
        for _ in 0..known.left[seat] {
            let of = u32::try_from(cards.len()).unwrap_or(1).max(1);
            let card = cards.swap_remove(rng.below(of) as usize);
            hands[seat] |= card.bit();
        }
    }
    hands
}
