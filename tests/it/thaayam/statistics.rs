//! Random games against the figures that an independent program measured (rule notes, section
//! 7). Seeds are fixed, so these never fail by chance.

use caravanserai_games::rules::{Entropy, Seat, Token};
use caravanserai_games::thaayam::{ThaayamOptions, ThaayamPosition, ThaayamTurn};

use crate::game_conformance::Seeded;

/// Sums over many games.
#[derive(Default)]
struct Sums {
    games: f64,
    turns: f64,
    turns_squared: f64,
    kills: f64,
    turns_with_a_kill: f64,
    nothing_possible: f64,
    throws: f64,
    lost: f64,
    unusable: f64,
    final_stage: f64,
    wins: [f64; 4],
}

fn throw(random: &mut Seeded) -> u8 {
    [8, 1, 2, 3, 4][random.below(16).count_ones() as usize]
}

fn series(random: &mut Seeded) -> Vec<u8> {
    let mut throws = Vec::new();
    loop {
        throws.push(throw(random));
        if matches!(throws.last(), Some(2 | 3)) {
            return throws;
        }
    }
}

/// Plays any legal use of any throw until the turn is over.
fn share_out(mut turn: ThaayamTurn, random: &mut Seeded) -> (ThaayamTurn, u32) {
    let mut used = 0;
    while !turn.is_done() {
        let plays = turn.plays();
        let Ok(n @ 1..) = u32::try_from(plays.as_slice().len()) else { break };
        let play = plays.as_slice()[random.below(n) as usize];
        turn = turn.after(play).expect("a play of the list");
        used += 1;
    }
    (turn, used)
}

fn play(options: ThaayamOptions, seats: u8, random: &mut Seeded, sums: &mut Sums) {
    let mut position = ThaayamPosition::start(options, seats).expect("a game for so many");
    let mut turns = 0.0;
    for seat in (0..seats).cycle().map(Seat) {
        loop {
            // A further series for a kill counts like a turn, as in the figures.
            turns += 1.0;
            let throws = series(random);
            let turn = ThaayamTurn::new(&position, seat, &throws);
            let kept = f64::from(turn.left().count());
            sums.throws += throws.len() as f64;
            sums.lost += throws.len() as f64 - kept;
            sums.final_stage += f64::from(u8::from(turn.own().is_home()));
            let (turn, used) = share_out(turn, random);
            let is_done = turn.is_done();
            sums.nothing_possible += f64::from(u8::from(used == 0));
            sums.unusable += if is_done { 0.0 } else { kept - f64::from(used) };
            let (after, killed) = turn.end(position);
            position = after;
            let killed: u8 = killed.iter().sum();
            sums.kills += f64::from(killed);
            sums.turns_with_a_kill += f64::from(u8::from(killed > 0));
            if is_done {
                sums.wins[seat.index()] += 1.0;
                sums.games += 1.0;
                sums.turns += turns;
                sums.turns_squared += turns * turns;
                return;
            }
            if killed == 0 || !options.kill_again {
                break;
            }
        }
        assert!(turns < 3_000.0, "a game without end");
    }
}

fn sums(options: &str, seats: u8, games: u32, seed: u64) -> Sums {
    let options = ThaayamOptions::read(options).expect("options");
    let mut random = Seeded(seed);
    let mut sums = Sums::default();
    for _ in 0..games {
        play(options, seats, &mut random, &mut sums);
    }
    sums
}

/// Within four standard errors of ours and theirs together.
fn near(what: &str, ours: f64, theirs: f64, error: f64) {
    assert!((ours - theirs).abs() < 4.0 * error, "{what}: {ours:.2} instead of {theirs}");
}

#[test]
fn random_games_are_as_long_and_as_bloody_as_measured() {
    // Seats, games, mean and deviation of turns, kills and their deviation.
    let anchors = [
        (4, 1_200, 210.9, 46.9, 23.2, 7.8),
        (3, 1_200, 148.8, 32.4, 12.2, 5.0),
        (2, 1_500, 92.8, 19.8, 4.2, 2.6),
    ];
    for (seats, games, turns, turns_sd, kills, kills_sd) in anchors {
        let sums = sums("standard", seats, games, u64::from(seats));
        let mean = sums.turns / sums.games;
        let root = sums.games.sqrt();
        // The figures themselves have errors of about a third of ours.
        near("turns", mean, turns, turns_sd / root * 1.1);
        near("kills", sums.kills / sums.games, kills, kills_sd / root * 1.1);
        let sd = (sums.turns_squared / sums.games - mean * mean).sqrt();
        near("deviation", sd, turns_sd, turns_sd / root);
    }
}

#[test]
fn shares_of_turns_and_throws_are_as_measured() {
    let sums = sums("standard", 4, 1_000, 44);
    let percent = |part: f64, whole: f64| part / whole * 100.0;
    // Errors are a little larger than those of independent turns: games differ.
    near("turns with a kill", percent(sums.turns_with_a_kill, sums.turns), 10.3, 0.15);
    near("nothing possible", percent(sums.nothing_possible, sums.turns), 27.4, 0.25);
    near("final stage", percent(sums.final_stage, sums.turns), 5.5, 0.2);
    near("lost throws", percent(sums.lost, sums.throws), 6.6, 0.15);
    near("unusable throws", percent(sums.unusable, sums.throws), 16.5, 0.2);
    for (wins, share) in sums.wins.into_iter().zip([25.6, 24.9, 25.0, 24.6]) {
        near("wins of a seat", percent(wins, sums.games), share, 1.4);
    }
}

#[test]
fn house_rules_change_the_length_as_measured() {
    // Mean turns and kills of random games of four.
    let anchors = [
        ("exact=no", 176.3, 17.6),
        ("capture=final", 196.6, 18.6),
        ("lost_before_one=track", 210.1, 23.1),
        ("lost_before_one=never", 208.5, 22.9),
        ("same_turn_bear_off=no", 212.4, 23.2),
        ("kill_to_go_in=yes", 219.4, 25.6),
        ("kill_again=yes", 199.6, 20.9),
        ("clockwise=yes", 210.5, 23.3),
        ("pieces=3", 148.0, f64::NAN),
        ("pieces=2", 88.0, f64::NAN),
        ("pieces=1", 38.0, f64::NAN),
        ("finish=fortress", 176.0, f64::NAN),
        ("pieces=3,finish=fortress", 119.0, f64::NAN),
        ("pieces=2,finish=fortress", 71.0, f64::NAN),
    ];
    for (options, turns, kills) in anchors {
        let sums = sums(options, 4, 250, 7);
        let mean = sums.turns / sums.games;
        let sd = (sums.turns_squared / sums.games - mean * mean).sqrt();
        near(options, mean, turns, sd / sums.games.sqrt() + 0.6);
        if !kills.is_nan() {
            near(options, sums.kills / sums.games, kills, 8.0 / sums.games.sqrt() + 0.1);
        }
        println!("{options}: {mean:.1} turns, {:.1} kills", sums.kills / sums.games);
    }
}

#[test]
fn chances_of_throws_are_those_of_four_coins() {
    let mut random = Seeded(11);
    let mut counts = [0u32; 9];
    let games = 64_000;
    for _ in 0..games {
        counts[usize::from(throw(&mut random))] += 1;
    }
    for (value, sixteenths) in [(1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0), (8, 1.0)] {
        let share = f64::from(counts[value]) / f64::from(games) * 16.0;
        near("a throw", share, sixteenths, 0.03);
    }
    let fours = |random: &mut Seeded| {
        let (mut ones, mut turns) = (0, 0);
        while ones < 4 {
            ones += series(random).iter().filter(|it| **it == 1).count();
            turns += 1;
        }
        f64::from(turns)
    };
    let mean = (0..10_000).map(|_| fours(&mut random)).sum::<f64>() / 10_000.0;
    near("turns to four ones", mean, 11.0, 0.06);
}
