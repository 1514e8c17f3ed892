//! The worked cases of the rule notes (2.7), the house rules, and what holds always (2.5).

use caravanserai_games::rules::{Entropy, Seat, Token};
use caravanserai_games::thaayam::board::{FORTRESS, HAND, OFF, SAFE};
use caravanserai_games::thaayam::position::square_of;
use caravanserai_games::thaayam::{ThaayamOptions, ThaayamPosition, ThaayamTurn, TurnOutcome};
use proptest::prelude::*;

use crate::game_conformance::Seeded;

/// How a turn of the first seat can end, as texts.
fn ends(options: &str, state: &str, throws: &[u8]) -> Vec<String> {
    let options = ThaayamOptions::read(options).expect("options");
    let position = ThaayamPosition::read(options, state).expect("a state");
    let turn = ThaayamTurn::new(&position, Seat(0), throws);
    let mut ends = Vec::new();
    for outcome in turn.outcomes(usize::MAX) {
        let route = turn.route(&outcome).expect("a way there");
        let end = route.iter().fold(turn, |turn, play| turn.after(*play).expect("possible"));
        ends.push(end.end(position).0.write());
    }
    ends.sort();
    ends
}

#[test]
fn the_example_of_rule_3_has_one_result() {
    assert_eq!(ends("standard", "----/----", &[8, 4, 1, 4, 2]), ["---g/----"]);
}

#[test]
fn the_example_of_rule_4_has_ten_or_21_results() {
    let throws = [1, 4, 1, 4, 1, 3];
    let ten = ends("standard", "----/----", &throws);
    let expected = "---n --am --bl --dj --ei --fh -aal -adi -aeh -dee";
    assert_eq!(ten, expected.split(' ').map(|it| format!("{it}/----")).collect::<Vec<_>>());
    assert_eq!(ends("standard", "---a/----", &throws).len(), 21);
}

#[test]
fn the_order_may_waste_a_throw_unless_most_must_be_used() {
    // Step 22 is w.
    assert_eq!(ends("standard", "wFFF/----", &[1, 2]), ["FFFO/----", "xFFF/----"]);
    assert_eq!(ends("obligation=max", "wFFF/----", &[1, 2]), ["FFFO/----"]);
    assert_eq!(ends("same_turn_bear_off=no", "wFFF/----", &[1, 2]), ["FFFF/----", "xFFF/----"]);
}

#[test]
fn a_win_counts_as_the_use_of_all_throws() {
    let options = ThaayamOptions::read("pieces=1,finish=fortress,obligation=max").unwrap();
    let position = ThaayamPosition::read(options, "w/-").unwrap();
    // The 2 wins at once and leaves two throws; two 1s win with the second and leave one.
    let turn = ThaayamTurn::new(&position, Seat(0), &[1, 1, 2]);
    let throws: Vec<u8> = turn.plays().as_slice().iter().map(|play| play.throw).collect();
    assert_eq!(throws, [2, 1]);
}

#[test]
fn in_the_final_stage_each_1_takes_off_one_piece() {
    assert_eq!(ends("standard", "FFFF/----", &[1, 1, 1, 1, 1, 2]), ["OOOO/----"]);
    assert_eq!(ends("standard", "FFFF/----", &[4, 8, 3]), ["FFFF/----"]);
    assert_eq!(ends("standard", "-FFF/----", &[1, 3]), ["dFFF/----"]);
}

#[test]
fn house_rules_change_what_they_say() {
    // WHITE's d5 (step 7) is RED's step 15.
    assert_eq!(ends("standard", "---d/---p", &[4, 2]), ["---j/----", "---j/---p"]);
    assert_eq!(ends("capture=final", "---d/---p", &[4, 2]), ["---j/---p"]);
    assert_eq!(ends("block_on_path=yes", "---d/---p", &[4, 2]), ["---f/---p", "---j/----"]);
    assert_eq!(ends("block_on_path=yes", "---d/---p", &[8, 2]), ["---f/---p"]);
    assert_eq!(ends("standard", "---x/----", &[2]), ["---x/----"]);
    assert_eq!(ends("exact=no", "---x/----", &[2]), ["---F/----"]);
    assert_eq!(ends("standard", "-FFF/----", &[4, 1, 2]), ["cFFF/----", "gFFF/----"][1..]);
    assert_eq!(ends("lost_before_one=track", "-FFF/----", &[4, 1, 2]), ["cFFF/----"]);
    assert_eq!(ends("lost_before_one=never", "----/----", &[4, 1, 2]), ["---g/----"]);
    assert_eq!(ends("kill_to_go_in=yes", "---o/----", &[3]), ["---o/----"]);
    // RED on a1 (step 6 of RED, 14 of WHITE) is killed by the 1, which opens the way.
    assert_eq!(ends("kill_to_go_in=yes", "---n/---g", &[1, 3]), ["---r/----", "--dn/---g"]);
    assert_eq!(ends("finish=fortress", "wFFF/----", &[1, 2]), ["FFFF/----", "xFFF/----"]);
    assert_eq!(ends("pieces=2", "--/--", &[1, 1, 1, 2]), ["-e/--", "ad/--", "bc/--"]);
}

#[test]
fn partners_do_not_kill_each_other() {
    // BLACK on e4 is WHITE's step 5 and BLACK's 1; RED there is RED's 13.
    let state = "---d/---b/---n/----";
    assert_eq!(ends("partners=yes", state, &[2]), ["---f/----/---n/----"]);
}

/// A series as the dice give it, from a seed.
fn series(random: &mut Seeded) -> Vec<u8> {
    let mut throws = Vec::new();
    loop {
        let throw = [8, 1, 2, 3, 4][random.below(16).count_ones() as usize];
        throws.push(throw);
        if matches!(throw, 2 | 3) {
            return throws;
        }
    }
}

/// Pieces somewhere, without two colours on one square that is not safe.
fn position(random: &mut Seeded) -> ThaayamPosition {
    loop {
        let mut side = |_| {
            let mut steps = [0; 4].map(|_: i8| i8::try_from(random.below(27)).unwrap() - 1);
            steps.sort_unstable();
            if steps[0] < FORTRESS {
                steps.iter_mut().filter(|step| **step == OFF).for_each(|step| *step = FORTRESS);
            }
            steps.sort_unstable();
            caravanserai_games::thaayam::PlayerPieces::new(&steps).expect("steps")
        };
        let sides = [0, 1, 2, 3].map(&mut side);
        let mut position = ThaayamPosition::start(ThaayamOptions::default(), 4).unwrap();
        for (seat, side) in (0..).zip(sides) {
            position = position.with_side(Seat(seat), side);
        }
        if holds_one_colour_a_square(&position) && !position.is_done(Seat(0)) {
            return position;
        }
    }
}

fn holds_one_colour_a_square(position: &ThaayamPosition) -> bool {
    let squares = |seat: Seat| {
        let path = position.colour(seat).path();
        let on = position.side(seat).steps().iter().filter_map(|step| square_of(path, *step));
        on.fold(0u32, |all, square| all | 1 << square) & !SAFE
    };
    (0..4).all(|seat| (0..seat).all(|other| squares(Seat(seat)) & squares(Seat(other)) == 0))
}

/// Own steps, a piece in hand counting as −1 and one borne off as 25.
fn progress(position: &ThaayamPosition) -> i32 {
    position.side(Seat(0)).steps().iter().map(|step| i32::from(*step)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn invariants_of_the_rules_hold_for_every_play(seed in any::<u64>()) {
        let mut random = Seeded(seed);
        let position = position(&mut random);
        let throws = series(&mut random);
        let mut turn = ThaayamTurn::new(&position, Seat(0), &throws);
        let mut used = 0;
        while let Some(play) = {
            let plays = turn.plays();
            let n = plays.as_slice().len();
            let done = n == 0 || turn.is_done();
            (!done).then(|| plays.as_slice()[random.below(n as u32) as usize])
        } {
            prop_assert!(turn.is_legal(play));
            turn = turn.after(play).unwrap();
            used += i32::from(play.throw);
        }
        let (end, killed) = turn.end(position);
        prop_assert_eq!(progress(&end) - progress(&position), used);
        prop_assert!(holds_one_colour_a_square(&end));
        prop_assert_eq!(killed[0], 0);
        for seat in 1..4 {
            let (before, after) = (position.side(Seat(seat)), end.side(Seat(seat)));
            prop_assert_eq!(after.count(HAND), before.count(HAND) + killed[usize::from(seat)]);
            for step in [0, 4, 8, 12, 24, 25] {
                prop_assert_eq!(after.count(step), before.count(step), "safe on {}", step);
            }
        }
        let outcome = TurnOutcome { own: *turn.own(), hits: turn.hits() };
        if throws.len() < 9 {
            prop_assert!(turn_at_start(&position, &throws).outcomes(usize::MAX).contains(&outcome));
        }
        let read = ThaayamPosition::read(ThaayamOptions::default(), &end.write());
        prop_assert_eq!(read.map(|it| it.write()), Some(end.write()));
    }
}

fn turn_at_start(position: &ThaayamPosition, throws: &[u8]) -> ThaayamTurn {
    ThaayamTurn::new(position, Seat(0), throws)
}

#[test]
fn a_very_long_series_is_enumerated_all_the_same() {
    let state = "---a/--bf/-cgk/--dh";
    let mut throws = vec![1, 4, 1, 8, 1, 4, 1, 1, 4, 8, 1, 1, 4, 1, 1];
    throws.push(3);
    assert!(ends_count(state, &throws) > 100);
    // The search stops as soon as it has found enough.
    throws.splice(0..0, [1; 40]);
    let position = ThaayamPosition::read(ThaayamOptions::default(), state).unwrap();
    assert!(ThaayamTurn::new(&position, Seat(0), &throws).outcomes(8).len() == 9);
}

fn ends_count(state: &str, throws: &[u8]) -> usize {
    let position = ThaayamPosition::read(ThaayamOptions::default(), state).unwrap();
    ThaayamTurn::new(&position, Seat(0), throws).outcomes(usize::MAX).len()
}
