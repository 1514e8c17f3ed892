//! The duplicate benchmark: deals with a fixed contract for card play alone.
//!
//! Each deal is drawn from its number. Deals in which a hand holds a combination are drawn again,
//! so that programs that do not know combinations can take part. The contract is the one of
//! [`duel::auction`]: the best hand by a simple count bids the lowest number in its best trump, all
//! others pass. The file also has the card points of seats 1 and 3 with best play of all and open
//! cards; taking all tricks gives 162 points, as in [`duel::card_points`].

use super::action::{BlotAction, Deal};
use super::auction::AuctionCall;
use super::definition::ID;
use super::duel;
use super::engine::solver::{ALL, Solver};
use super::melds::Melds;
use super::options::BlotOptions;
use super::rules::Blot;
use super::seat_notation::{read_hand, write_hand};
use crate::benchmark::{Benchmark, BenchmarkEntry, BenchmarkTask};
use crate::rules::{Node, Rules, Token};
use crate::search::SeededRng;

/// The benchmark of 1,000 deals.
pub const BENCHMARK: Benchmark = Benchmark { file: include_str!("benchmark.txt"), write, read };

/// The measure that counts: that of [`duel::card_points`].
pub(super) const CARD_POINTS: &str = "card points over 81";

/// Distinguishes the deals of the benchmark from others.
const SEED: u64 = 0x6265_6e63_6865_7321;

const HEADING: &str = "\
# Deals for card play, written by
# caravanserai-tools benchmark blot --first N
# House rules standard. Fields are separated by tabs: number, dealer (seats count from 1), the
# hands of seats 1 to 4, the calls from the seat after the dealer on, the card points of seats 1
# and 3 of 162 with best play of all and open cards. The seat after the dealer leads.
";

fn write(count: u32) -> String {
    let mut text = HEADING.to_owned();
    let mut solver = Solver::default();
    for number in 1..=count {
        let (deal, game) = draw(number);
        let round = game.round().expect("the auction has given a contract");
        let play = round.play().expect("the auction has given a contract");
        let hands = deal.hands.map(write_hand).join("\t");
        let calls: Vec<String> =
            round.auction().calls().iter().map(|(_, call)| call.write()).collect();
        let value = solver.value(&play.tricks, false);
        let dealer = round.dealer() + 1;
        let calls = calls.join(" ");
        text.push_str(&format!("{number}\t{dealer}\t{hands}\t{calls}\t{value}\n"));
    }
    text
}

/// The deal of this number, and the match after its auction.
fn draw(number: u32) -> (Deal, Blot) {
    let mut rng = SeededRng::new(SEED ^ u64::from(number) << 20);
    loop {
        let deal = Deal::draw(&mut rng, true);
        let game = after_auction(&deal, None).expect("the count always finds a bid");
        let play = game.round().and_then(|round| round.play());
        let trump = play.expect("the count always finds a bid").contract.bid.trump;
        let is_plain = |hand: &u32| Melds::best(*hand, trump, game.house()).is_empty();
        if deal.hands.iter().all(is_plain) {
            return (deal, game);
        }
    }
}

/// The match after these calls, or after those of the count. `None` if one is not legal, or if
/// there is no contract after them.
fn after_auction(deal: &Deal, calls: Option<&[AuctionCall]>) -> Option<Blot> {
    let mut game = Blot::start(&BlotOptions::default(), 4).ok()?;
    let mut facts = Vec::new();
    game.apply_chance(deal, &mut facts).ok()?;
    let mut calls = calls.map(<[AuctionCall]>::iter);
    loop {
        let action = match &mut calls {
            Some(left) => left.next().map(|call| BlotAction::Call(*call)),
            None => duel::auction(&game),
        };
        let (Some(action), Node::Act(seat)) = (action, game.node()) else { break };
        game.apply_action(seat, &action, &mut facts).ok()?;
    }
    let has_contract = game.round().is_some_and(|round| round.play().is_some());
    has_contract.then_some(game)
}

fn read(line: &str) -> Option<BenchmarkEntry> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [number, dealer, first, second, third, fourth, calls, value] = fields[..] else {
        return None;
    };
    let dealer: u8 = dealer.parse().ok().filter(|it| (1..=4).contains(it))?;
    let hands = [first, second, third, fourth].map(read_hand);
    let [Some(first), Some(second), Some(third), Some(fourth)] = hands else { return None };
    let deal = Deal { dealer: Some(dealer - 1), hands: [first, second, third, fourth] };
    let calls = calls.split(' ').map(AuctionCall::read).collect::<Option<Vec<_>>>()?;
    after_auction(&deal, Some(&calls)).filter(|_| deal.is_whole())?;
    value.parse::<i16>().ok().filter(|it| (0..=ALL).contains(it))?;
    let mut start = ID.start_match(&BlotOptions::default().write(), 4).ok()?;
    start.apply_chance(&deal.write()).ok()?;
    for call in calls {
        let Node::Act(seat) = start.node() else { return None };
        start.apply_action(seat, &call.write()).ok()?;
    }
    let task = BenchmarkTask::Round { measure: CARD_POINTS };
    Some(BenchmarkEntry { number: number.parse().ok()?, start, task })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hand_has_a_combination_and_the_bid_is_the_lowest() {
        for number in 1..=40 {
            let (deal, game) = draw(number);
            let contract = game.round().unwrap().play().unwrap().contract;
            assert_eq!(contract.bid.x, game.house().min_bid);
            for hand in deal.hands {
                assert!(Melds::best(hand, contract.bid.trump, game.house()).is_empty());
            }
        }
    }
}
