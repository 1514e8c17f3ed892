//! Properties of every deal.

use caravanserai_games::blot::card::each;
use caravanserai_games::blot::melds::{Melds, blot, blot_cards};
use caravanserai_games::blot::round::BlotFact;
use caravanserai_games::blot::{Blot, BlotOptions, Deal, House, Tricks, Trump};
use caravanserai_games::rules::{Entropy, Node, Rules, Viewer};

use super::{choose, random_game, step};
use crate::game_conformance::Seeded;

#[test]
fn card_points_are_162_and_every_card_is_taken_once() {
    let mut random = Seeded(5);
    for n in 0..2_000 {
        let hands = Deal::draw(&mut random, false).hands;
        let trump = Trump::ALL[n % 5];
        let mut tricks = Tricks::new(hands, trump, 2, n % 2 == 0);
        let (mut seen, mut sum) = (0, [0; 2]);
        while !tricks.is_over() {
            let legal: Vec<_> = each(tricks.legal()).collect();
            let card = legal[random.below(legal.len() as u32) as usize];
            if let Some(trick) = tricks.play(card) {
                for card in trick.cards {
                    assert_eq!(seen & card.bit(), 0);
                    seen |= card.bit();
                }
                sum[usize::from(trick.winner & 1)] += u16::from(trick.points);
            }
        }
        assert_eq!((seen, sum), (u32::MAX, tricks.points()));
        assert_eq!(sum[0] + sum[1], 162);
    }
}

#[test]
fn the_best_card_wins_the_trick() {
    let mut random = Seeded(17);
    for n in 0..500 {
        let hands = Deal::draw(&mut random, false).hands;
        let mut tricks = Tricks::new(hands, Trump::ALL[n % 5], (n % 4) as u8, n % 2 == 0);
        while !tricks.is_over() {
            let (before, turn) = (tricks.winning_card(), tricks.turn());
            let legal: Vec<_> = each(tricks.legal()).collect();
            let card = legal[random.below(legal.len() as u32) as usize];
            let ended = tricks.play(card);
            let after = tricks.winning_card();
            assert_eq!(after.is_none(), ended.is_some(), "nobody holds a trick that is taken");
            let holds = ended.map_or_else(|| after.map(|it| it.0), |it| Some(it.winner));
            // The holder stays the same, or it is the player of the card.
            assert!(holds == Some(turn) || holds == before.map(|it| it.0), "{before:?} {holds:?}");
            if let Some((seat, best)) = after {
                assert_eq!(hands[usize::from(seat)] & best.bit(), best.bit(), "it was theirs");
            }
        }
    }
}

#[test]
fn combinations_of_a_hand_do_not_intersect_and_are_held() {
    let mut random = Seeded(11);
    let strength = BlotOptions::default().with("meld_choice", "strength").unwrap().house();
    for n in 0..20_000 {
        let hands = Deal::draw(&mut random, false).hands;
        let trump = Trump::ALL[n % 5];
        for hand in hands {
            let best = Melds::best(hand, trump, &House::default());
            let cards: u32 = best.iter().map(|meld| meld.cards().count_ones()).sum();
            assert_eq!(best.cards().count_ones(), cards, "no card twice");
            assert_eq!(best.cards() & !hand, 0, "all held");
            assert!(
                best.iter()
                    .zip(best.iter().skip(1))
                    .all(|(a, b)| { a.strength(trump) >= b.strength(trump) })
            );
            let other = Melds::best(hand, trump, &strength);
            assert!(other.value(trump, &strength) <= best.value(trump, &strength));
            assert!(blot(hand, trump) == 0 || trump != Trump::Boy);
        }
    }
}

#[test]
fn only_the_second_of_trump_queen_and_king_is_a_blot() {
    let mut found = 0;
    for seed in 0..30 {
        let mut random = Seeded(seed);
        let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
        let mut put = [0; 4];
        for _ in 0..120 {
            let Node::Act(seat) = game.node() else {
                put = [0; 4];
                if !step(&mut game, &mut random) {
                    break;
                }
                continue;
            };
            let trump = game.view(Viewer::Public).contract.map(|it| it.bid.trump);
            let action = choose(&game, &game.actions(seat), &mut random);
            let mut facts = Vec::new();
            game.apply_action(seat, &action, &mut facts).unwrap();
            let told = facts.iter().any(|it| matches!(it, BlotFact::Blot { .. }));
            let card = facts.iter().find_map(|it| match it {
                BlotFact::Put { card, .. } => Some(card.bit()),
                _ => None,
            });
            let own = &mut put[seat.index()];
            *own |= card.unwrap_or(0);
            let pair = trump.map_or(0, blot_cards);
            let is_second = pair & card.unwrap_or(0) != 0 && *own & pair == pair;
            assert_eq!(told, is_second, "{facts:?}");
            found += u32::from(told);
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn a_match_ends_with_the_totals_of_its_score_sheet() {
    for seed in 0..8 {
        let mut random = Seeded(1_000 + seed);
        let mut game = random_game(&BlotOptions::default(), seed, 0);
        while step(&mut game, &mut random) {}
        let Node::Over(scores) = game.node() else { panic!("over") };
        let mut sums = [0; 2];
        for row in game.sheet() {
            let points = row.score.points;
            sums = [sums[0] + points[0], sums[1] + points[1]];
            assert_eq!(row.totals, sums);
            assert_eq!(row.played.cards[0] + row.played.cards[1], 162);
            assert!(matches!(row.score.units[0] + row.score.units[1], 16 | 25));
        }
        assert!(sums.iter().any(|total| *total >= 301));
        assert_eq!(scores, [sums[0], sums[1], sums[0], sums[1]].map(i32::from));
        assert!(scores[0] != scores[1]);
    }
}
