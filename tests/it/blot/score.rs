//! Numbers that follow from the decisions.

use caravanserai_games::blot::score::{RoundResult, score};
use caravanserai_games::blot::{Bid, Contract, ContractLevel, House, Suit, Trump};

fn points(x: u8, level: ContractLevel, cards: u16, tricks: u8) -> [u16; 2] {
    let trump = Trump::Suit(Suit::Hearts);
    let bid = Bid { x, trump, kaput: tricks == 8 };
    let contract = Contract { bid, seat: 0, level };
    let cards = [cards, 162 - cards];
    let played =
        RoundResult { contract, cards, tricks: [tricks, 8 - tricks], melds: [0; 2], blot: [0; 2] };
    score(&played, &House::default()).unwrap().points
}

#[test]
fn numbers_that_follow_from_the_decisions() {
    assert_eq!(points(8, ContractLevel::Plain, 90, 5), [17, 7]);
    assert_eq!(points(9, ContractLevel::Plain, 89, 5), [0, 25]);
    assert_eq!(points(25, ContractLevel::Plain, 162, 8), [50, 0]);
    assert_eq!(points(10, ContractLevel::Kuansh, 89, 5), [0, 36]);
    assert_eq!(points(10, ContractLevel::Sur, 89, 5), [0, 56]);
    assert_eq!(points(10, ContractLevel::Sur, 110, 5), [56, 0]);
}

#[test]
fn the_largest_score_without_doubling_is_168() {
    let bid = Bid { x: 84, trump: Trump::Boy, kaput: true };
    let contract = Contract { bid, seat: 1, level: ContractLevel::Plain };
    let played =
        RoundResult { contract, cards: [0, 162], tricks: [0, 8], melds: [0, 59], blot: [0; 2] };
    assert_eq!(score(&played, &House::default()).unwrap().points, [0, 168]);
}

#[test]
fn both_sides_always_share_sixteen() {
    let trump = Trump::Suit(Suit::Clubs);
    let contract = |seat| Contract {
        bid: Bid { x: 8, trump, kaput: false },
        seat,
        level: ContractLevel::Plain,
    };
    for seat in [0, 1] {
        for first in 0..=162 {
            let played = RoundResult {
                contract: contract(seat),
                cards: [first, 162 - first],
                tricks: [4, 4],
                melds: [0; 2],
                blot: [0; 2],
            };
            let score = score(&played, &House::default()).unwrap();
            assert_eq!(score.units[0] + score.units[1], 16);
            let defenders = played.cards[1 - usize::from(seat)];
            assert_eq!(score.units[1 - usize::from(seat)], (defenders + 4) / 10);
        }
    }
}
