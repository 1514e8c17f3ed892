//! Computer players: the solver is exact, worlds agree with what is public, answers are legal.

use caravanserai_games::blot::card::{each, nth};
use caravanserai_games::blot::engine::sampled_hands::{KnownCards, Worlds};
use caravanserai_games::blot::engine::solver::{NONE, SWEEP, Solver};
use caravanserai_games::blot::engine::{self, playouts::Playouts};
use caravanserai_games::blot::options::CHOICES;
use caravanserai_games::blot::{
    Blot, BlotAction, BlotOptions, BlotView, Card, Deal, Tricks, Trump,
};
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::{
    Player, PlayerEvaluation, PlayerQuestion, SeededRng, ThinkBudget,
};

use super::choose;
use crate::game_conformance::Seeded;

/// Fewer where nothing is optimised.
const POSITIONS: u32 = if cfg!(debug_assertions) { 250 } else { 6_000 };

/// Every line to the end.
fn minimax(tricks: &Tricks, kaput: bool) -> i16 {
    if tricks.is_over() {
        return match tricks.taken() {
            [8, _] if kaput => SWEEP,
            [_, 8] if kaput => NONE,
            _ => tricks.points()[0] as i16,
        };
    }
    let values = each(tricks.legal()).map(|card| {
        let mut after = *tricks;
        after.play(card);
        minimax(&after, kaput)
    });
    if tricks.turn() & 1 == 0 { values.max().unwrap() } else { values.min().unwrap() }
}

/// A round with few cards left; every second one much better for side 0.
fn late(rng: &mut SeededRng) -> Tricks {
    let mut hands = Deal::draw(rng, false).hands;
    let trump = Trump::ALL[rng.below(5) as usize];
    if rng.below(2) == 0 {
        lopsided(&mut hands, trump);
    }
    let undertrump = rng.below(3) == 0;
    let mut tricks = Tricks::new(hands, trump, 2 * rng.below(2) as u8, undertrump);
    let left = 1 + rng.below(if cfg!(debug_assertions) { 3 } else { 4 });
    for _ in 0..4 * (8 - left) + rng.below(4) {
        let legal = tricks.legal();
        tricks.play(nth(legal, rng.below(legal.count_ones())).unwrap());
    }
    tricks
}

/// Side 0 gets the better card of every pair.
fn lopsided(hands: &mut [u32; 4], trump: Trump) {
    for (a, b) in [(0, 1), (2, 3)] {
        let strength = |card: &Card| (Some(card.suit()) == trump.suit(), card.strength(trump));
        let mut cards: Vec<Card> = each(hands[a] | hands[b]).collect();
        cards.sort_by_key(strength);
        let set = |cards: &[Card]| cards.iter().fold(0, |all, card| all | card.bit());
        (hands[b], hands[a]) = (set(&cards[..8]), set(&cards[8..]));
    }
}

#[test]
fn the_solver_agrees_with_plain_minimax() {
    let mut rng = SeededRng::new(11);
    // A small table that is overwritten all the time.
    let mut solver = Solver::with_table(6);
    let mut swept = 0;
    for n in 0..POSITIONS {
        let tricks = late(&mut rng);
        for kaput in [false, true] {
            let value = minimax(&tricks, kaput);
            assert_eq!(solver.value(&tricks, kaput), value, "{n} {kaput} {tricks:?}");
            let ask = rng.below(200) as i16 - 20;
            assert_eq!(solver.at_least(&tricks, ask, kaput), value >= ask, "{n} {tricks:?}");
            swept += u32::from(value == SWEEP || value == NONE);
        }
        let sides = [minimax(&tricks, true) == SWEEP, minimax(&tricks, true) == NONE];
        assert_eq!([0, 1].map(|side| solver.sweeps(&tricks, side)), sides, "{n} {tricks:?}");
    }
    assert!(swept > POSITIONS / 20, "{swept}");
}

#[test]
fn every_card_of_a_position_has_its_value() {
    let mut rng = SeededRng::new(12);
    let mut solver = Solver::default();
    for _ in 0..60 {
        let tricks = late(&mut rng);
        let values = solver.cards(&tricks, true);
        assert_eq!(values.len() as u32, tricks.legal().count_ones());
        for (card, value) in values {
            let mut after = tricks;
            after.play(card);
            assert_eq!(value, minimax(&after, true), "{card:?} {tricks:?}");
        }
    }
}

#[test]
fn turning_the_table_and_renaming_plain_suits_changes_nothing() {
    let mut rng = SeededRng::new(13);
    let mut solver = Solver::default();
    for _ in 0..if cfg!(debug_assertions) { 3 } else { 60 } {
        let hands = Deal::draw(&mut rng, false).hands;
        let mut tricks = Tricks::new(hands, Trump::ALL[0], 1, false);
        let turned = [hands[3], hands[0], hands[1], hands[2]];
        let mut other = Tricks::new(turned.map(renamed), Trump::ALL[0], 2, false);
        for _ in 0..8 {
            let card = each(tricks.legal()).next().unwrap();
            tricks.play(card);
            other.play(each(renamed(card.bit())).next().unwrap());
        }
        let value = solver.value(&tricks, true);
        assert_eq!(solver.value(&other, true), 162 - value);
        solver.forget();
        assert_eq!(solver.value(&tricks, true), value);
    }
}

/// The three suits beside the first go round.
fn renamed(cards: u32) -> u32 {
    cards & 0xff | (cards & 0x00ff_ff00) << 8 | cards >> 16 & 0xff00
}

#[test]
fn playouts_end_with_all_points() {
    let mut rng = SeededRng::new(14);
    let playouts = Playouts::default();
    for _ in 0..200 {
        let tricks = late(&mut rng);
        let end = playouts.finish(&tricks, 0);
        assert_eq!(end.points[0] + end.points[1], 162);
        assert_eq!(end.taken[0] + end.taken[1], 8);
        assert!((0..2).all(|side| end.points[side] >= tricks.points()[side] as i16));
    }
}

/// Rounds with every switch somewhere, as the one on turn sees them.
fn rounds(each: u64, mut look: impl FnMut(&Blot, Seat, &BlotView)) {
    for (seed, options) in (0..).zip(variants()) {
        for n in 0..each {
            let mut random = Seeded(1_000 * seed + n);
            let mut game = Blot::start(&options, 4).unwrap();
            let deal = game.draw_chance(&mut random);
            game.apply_chance(&deal, &mut Vec::new()).unwrap();
            while let Node::Act(seat) = game.node() {
                let view = game.view(Viewer::Seat(seat));
                look(&game, seat, &view);
                let action = choose(&game, &game.actions(seat), &mut random);
                game.apply_action(seat, &action, &mut Vec::new()).unwrap();
            }
        }
    }
}

/// The standard rules, and those with one switch set, or with some that belong together.
fn variants() -> Vec<BlotOptions> {
    let switched = CHOICES.iter().flat_map(|(name, values)| {
        values[1..].iter().map(|value| BlotOptions::default().with(name, value).unwrap())
    });
    let together =
        ["manual_melds=true,undertrump=true,tie_turn=trick2", "undertrump=true,show_melds=all"];
    let together = together.map(read);
    [BlotOptions::default()].into_iter().chain(switched).chain(together).collect()
}

fn read(text: &str) -> BlotOptions {
    text.split(',').fold(BlotOptions::default(), |options, part| {
        let (name, value) = part.split_once('=').unwrap();
        options.with(name, value).unwrap()
    })
}

#[test]
fn the_truth_is_always_possible_and_so_is_every_world() {
    let mut rng = SeededRng::new(15);
    let mut drawn = 0;
    rounds(if cfg!(debug_assertions) { 2 } else { 40 }, |game, _, view| {
        let own = view.own.as_ref().unwrap();
        let known = KnownCards::new(view, own);
        let hands = game.round().unwrap().hands();
        assert!(known.allows(&hands), "{view:?}");
        let worlds = Worlds::new(known, &mut rng);
        for _ in 0..4 {
            let world = worlds.draw(&mut rng);
            assert!(worlds.known().allows(&world), "{world:?} {view:?}");
            drawn += 1;
        }
    });
    assert!(drawn > 3_000, "{drawn}");
}

#[test]
fn worlds_are_drawn_evenly() {
    // Late in a round few worlds are left: all of them come, about equally often.
    let mut rng = SeededRng::new(16);
    let mut looked = 0;
    rounds(1, |_, _, view| {
        let left: u8 = view.cards_left.iter().sum();
        if !view.is_play() || !(9..=12).contains(&left) || looked > 4 {
            return;
        }
        looked += 1;
        let worlds = Worlds::new(KnownCards::new(view, view.own.as_ref().unwrap()), &mut rng);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..20_000 {
            *counts.entry(worlds.draw(&mut rng)).or_insert(0u32) += 1;
        }
        let mean = 20_000 / counts.len() as u32;
        let near = |count: u32| mean < 40 || (mean / 2..=mean * 2).contains(&count);
        assert!(counts.values().all(|count| near(*count)), "{counts:?}");
    });
    assert!(looked > 0);
}

fn ask(
    player: &mut dyn Player<Blot>,
    view: &BlotView,
    actions: &[BlotAction],
    seed: u64,
) -> PlayerEvaluation<BlotAction> {
    let question = PlayerQuestion { view, actions, budget: &ThinkBudget::OF_LEVEL };
    player.think(&question, &mut Seeded(seed), &mut |_| ())
}

#[test]
fn answers_are_among_what_was_offered_in_every_variant() {
    let names = ["beginner", "easy", "medium", "random", "greedy", "playouts-3"];
    let mut players = names.map(|name| engine::player(name).unwrap());
    let mut n = 0;
    rounds(1, |game, seat, view| {
        n += 1;
        let actions = game.actions(seat);
        let player = &mut players[n % names.len()];
        let thought = ask(&mut **player, view, &actions, n as u64);
        assert!(actions.contains(&thought.action), "{thought:?} {view:?}");
        // A review asks for one of them.
        let one = &actions[n % actions.len()..][..1];
        assert_eq!(ask(&mut **player, view, one, n as u64).action, one[0]);
    });
    assert!(n > 500, "{n}");
}

#[test]
fn the_upper_levels_answer_late_in_a_round_and_again_the_same() {
    for name in ["strong", "master", "cards"] {
        let mut used = engine::player(name).unwrap();
        let mut n = 0;
        rounds(1, |game, seat, view| {
            let few = view.cards_left[seat.index()] <= 3 && view.is_play();
            n += u64::from(few);
            if !few || n > if cfg!(debug_assertions) { 12 } else { 200 } {
                return;
            }
            let actions = game.actions(seat);
            let thought = ask(&mut *used, view, &actions, n);
            assert!(actions.contains(&thought.action));
            assert!(thought.chance <= 1_000 && thought.nodes > 0, "{thought:?}");
            let mut fresh = engine::player(name).unwrap();
            let again = ask(&mut *fresh, view, &actions, n);
            assert_eq!((again.action, again.score), (thought.action, thought.score), "{name}");
        });
    }
}

#[test]
fn players_have_names() {
    for name in ["nobody", "playouts-", "playouts-0", "playouts-x", "Master", ""] {
        assert!(engine::player(name).is_none(), "{name}");
    }
    assert!(
        engine::PLAYERS
            .iter()
            .filter(|name| !name.ends_with("-N"))
            .all(|name| engine::player(name).is_some())
    );
    assert_eq!(BlotOptions::default().write(), "standard");
}
