//! Computer players of Togyzkumalak: that they look ahead rightly and play as they should.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Viewer};
use caravanserai_games::search::alpha_beta::PLAIN_WON;
use caravanserai_games::search::pvs::{Pruning, SearchLimits, WON};
use caravanserai_games::search::{
    Board, ComputerLevel, Evaluator, PlainSearch, Player, PlayerEvaluation, PlayerQuestion, Pvs,
    SeededRng, ThinkBudget,
};
use caravanserai_games::togyzkumalak::engine::learn::{TogyzkumalakLearnSettings, learn};
use caravanserai_games::togyzkumalak::engine::net::TogyzkumalakNet;
use caravanserai_games::togyzkumalak::engine::{counting_evaluator, player};
use caravanserai_games::togyzkumalak::notation::position::read_position;
use caravanserai_games::togyzkumalak::{Sow, Togyzkumalak, TogyzkumalakPosition, Variant};

type Computer = Box<dyn Player<Togyzkumalak>>;

/// A position after so many random moves from the start that still goes on.
fn random_position(rng: &mut SeededRng, variant: Variant, plies: u32) -> TogyzkumalakPosition {
    loop {
        let mut position = TogyzkumalakPosition::start(variant);
        let mut left = plies;
        while left > 0 && !position.is_over() {
            let n = rng.below(u32::from(position.moves_len()));
            position.play(position.nth_move(n as u8));
            left -= 1;
        }
        if !position.is_over() {
            return position;
        }
    }
}

/// A position with hardly any stones left and nobody the winner yet.
fn late_position(rng: &mut SeededRng, variant: Variant) -> TogyzkumalakPosition {
    loop {
        let stones = 1 + rng.below(7) as u8;
        let mut pits = [[0; 9]; 2];
        for _ in 0..stones {
            pits[rng.below(2) as usize][rng.below(9) as usize] += 1;
        }
        let first = 81 - rng.below(u32::from(stones)) as u8;
        let second = 162 - first - stones;
        let tuzdyk = |rng: &mut SeededRng| Some(rng.below(8) as u8).filter(|_| rng.below(2) == 0);
        let tuzdyks = [tuzdyk(rng), tuzdyk(rng)];
        let side = rng.below(2) as u8;
        let found = TogyzkumalakPosition::new(pits, [first, second], tuzdyks, side, false, variant);
        if let Some(position) = found.ok().filter(|it| !it.is_over()) {
            return position;
        }
    }
}

fn positions(seed: u64, each: usize) -> Vec<TogyzkumalakPosition> {
    let mut rng = SeededRng::new(seed);
    let mut all = Vec::new();
    for variant in Variant::ALL {
        for _ in 0..each {
            let plies = 2 + rng.below(130);
            all.push(random_position(&mut rng, variant, plies));
            all.push(late_position(&mut rng, variant));
        }
    }
    all
}

/// Every line to the end of the depth, nothing left out. `won` is what a finished game counts:
/// the difference for the side that asks, and how many plies it took.
fn minimax(position: &TogyzkumalakPosition, depth: u32, ply: i32, won: fn(i32, i32) -> i32) -> i32 {
    if position.is_over() {
        let [first, second] = position.kazans().map(i32::from);
        let ahead = if position.side() == 0 { first - second } else { second - first };
        return won(ahead, ply);
    }
    if depth == 0 {
        return counting_evaluator::plain(position);
    }
    let value = |pit| {
        let next = position.after(pit);
        let value = minimax(&next, depth - 1, ply + 1, won);
        if next.side() == position.side() { value } else { -value }
    };
    position.each_move().map(value).max().expect("a game that goes on has moves")
}

const NEVER: &dyn Fn() -> bool = &|| false;

fn to_depth(depth: i32) -> SearchLimits<'static> {
    SearchLimits { depth, nodes: u64::MAX, stop: NEVER }
}

fn searched<J: Evaluator<TogyzkumalakPosition>>(
    pvs: &mut Pvs<J>,
    position: &TogyzkumalakPosition,
    depth: i32,
) -> i32 {
    let moves = u32::from(position.moves());
    pvs.search(position, moves, &[], &to_depth(depth), &mut |_| ()).score
}

#[test]
fn plain_search_finds_what_minimax_finds() {
    let won = |ahead: i32, _: i32| ahead + PLAIN_WON * ahead.signum();
    for position in positions(1, 60) {
        for depth in 1..=4 {
            let expected = minimax(&position, depth, 0, won);
            let mut plain = PlainSearch::new(counting_evaluator::plain);
            let value = plain.value(&position, depth, -2 * PLAIN_WON, 2 * PLAIN_WON);
            assert_eq!(value, expected, "{position:?} depth {depth}");
            let (chat, best) = plain.best(&position, position.moves().into(), depth).unwrap();
            assert_eq!(best, expected);
            assert!(position.moves() >> chat & 1 == 1);
        }
    }
}

/// One search for all positions: what the table kept of others does no harm.
#[test]
fn the_table_changes_nothing_when_nothing_is_cut_short() {
    // A further move of the same side costs no depth there: only games without one are compared.
    let won = |ahead: i32, ply: i32| (WON - ply) * ahead.signum();
    let mut warm = Pvs::new(counting_evaluator::plain, Pruning::NONE, 8);
    for position in positions(2, 50).iter().filter(|it| it.variant() == Variant::Short) {
        for depth in 1..=4 {
            let expected = minimax(position, depth, 0, won);
            assert_eq!(searched(&mut warm, position, depth as i32), expected, "{position:?}");
            let mut cold = Pvs::new(counting_evaluator::plain, Pruning::NONE, 0);
            assert_eq!(searched(&mut cold, position, depth as i32), expected, "{position:?}");
        }
    }
}

fn position(text: &str, variant: Variant) -> TogyzkumalakPosition {
    read_position(text, variant).expect("a position").0
}

/// What each variant makes of a side that was emptied by the other (rule R16).
#[test]
fn the_search_sees_final_collections() {
    let text = "0,0,0,0,0,0,0,0,2/1,0,0,0,0,0,0,0,0 79 80 f 0";
    let score = |text: &str, variant| {
        let mut pvs = Pvs::new(counting_evaluator::plain, Pruning::NONE, 4);
        searched(&mut pvs, &position(text, variant), 6)
    };
    // At once 82 to 80, or one stone must be given away and comes back to the other: 81 each.
    assert_eq!(score(text, Variant::Short), WON - 1);
    assert_eq!(score(text, Variant::Seed), 0);
    // Nothing can be fed any more: who has the stones has them all.
    let collects = "0,0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0,3 77 81 s 0";
    for variant in [Variant::Short, Variant::Seed] {
        assert_eq!(score(collects, variant), WON - 1, "{variant:?}");
    }
}

fn ask(
    computer: &mut Computer,
    game: &Togyzkumalak,
    budget: &ThinkBudget<'_>,
) -> PlayerEvaluation<Sow> {
    let Node::Act(seat) = game.node() else { panic!("the game is over") };
    let (view, actions) = (game.view(Viewer::Seat(seat)), game.actions(seat));
    let question = PlayerQuestion { view: &view, actions: &actions, budget };
    let thought = computer.think(&question, &mut SeededRng::new(5), &mut |_| ());
    assert!(actions.contains(&thought.action), "{thought:?}");
    assert_eq!(thought.line.first(), Some(&thought.action));
    thought
}

/// A clock that advances by a millisecond at each reading: time that load cannot change.
struct Looks(AtomicU32);

impl Looks {
    fn ask(computer: &mut Computer, game: &Togyzkumalak, looks: u32) -> PlayerEvaluation<Sow> {
        let clock = Looks(AtomicU32::new(0));
        let read = || clock.0.fetch_add(1, Ordering::Relaxed);
        ask(computer, game, &ThinkBudget::time(&read, looks))
    }
}

#[test]
fn every_level_takes_the_win_that_lies_before_it() {
    // Eighty and two in the pit that a single stone reaches; quiet moves are there as well.
    let text = "0,0,0,0,0,0,0,0,1/1,0,0,0,0,0,0,30,50 80 0 f 0";
    for level in ComputerLevel::ALL {
        let mut computer = player(level.code()).unwrap();
        let game = Togyzkumalak::from_position(position(text, Variant::Seed));
        let thought = Looks::ask(&mut computer, &game, 1);
        assert_eq!(thought.action, Sow(8));
        assert!(thought.chance > 900, "{level:?} {thought:?}");
    }
}

#[test]
fn a_win_in_three_plies_is_found() {
    let mut rng = SeededRng::new(11);
    let won = |ahead: i32, ply: i32| (WON - ply) * ahead.signum();
    let mut master = player("master").unwrap();
    let mut found = 0;
    while found < 10 {
        let plies = 60 + rng.below(60);
        let position = random_position(&mut rng, Variant::Seed, plies);
        if minimax(&position, 3, 0, won) != WON - 3 || minimax(&position, 1, 0, won) == WON - 1 {
            continue;
        }
        found += 1;
        let game = Togyzkumalak::from_position(position);
        let thought = Looks::ask(&mut master, &game, 3);
        assert!(thought.chance >= 990 && thought.score > 0, "{position:?} {thought:?}");
    }
}

/// The other is far ahead; only a position that was there twice already saves the game.
#[test]
fn a_third_time_is_seen_as_a_draw() {
    let before = position("0,0,0,0,0,0,0,1,0/1,1,1,1,1,1,0,0,3 72 80 f 0", Variant::Seed);
    let after = before.after(7);
    let search = |earlier: &[u64]| {
        let mut pvs = Pvs::new(counting_evaluator::plain, Pruning::NONE, 4);
        pvs.search(&before, 1 << 7, earlier, &to_depth(1), &mut |_| ()).score
    };
    let filler = |key: u64| [key, 1, 2, 3, key, 4, 5, 6];
    assert!(search(&filler(7)) < 0);
    assert!(search(&[after.key(), 1, 2, 3, 4, 5]) < 0, "the second time is none");
    assert_eq!(search(&filler(after.key())), 0);
}

/// The view tells what came up before, the board it shows not counted.
#[test]
fn a_view_knows_the_positions_that_may_come_again() {
    let mut game = Togyzkumalak::from_position(position(
        "1,0,0,0,0,0,0,0,0/0,1,0,0,0,0,0,0,0 80 80 f 0",
        Variant::Seed,
    ));
    for expected in 0..8 {
        let Node::Act(seat) = game.node() else { panic!("too early") };
        let view = game.view(Viewer::Public);
        assert_eq!(view.earlier.len(), expected);
        assert!(!view.earlier.contains(game.position()));
        let last = *game.actions(seat).last().unwrap();
        let kazans = game.position().kazans();
        game.apply_action(seat, &last, &mut Vec::new()).unwrap();
        assert_eq!(game.position().kazans(), kazans, "nothing is taken in this loop");
    }
}

#[test]
fn every_player_answers_with_one_of_the_actions_asked_about() {
    let names = ["beginner", "easy", "medium", "strong", "master", "random", "plain-3"];
    let mut rng = SeededRng::new(3);
    for name in names {
        let mut computer = player(name).unwrap();
        for position in positions(4, 2) {
            let game = Togyzkumalak::from_position(position);
            Looks::ask(&mut computer, &game, 1);
            let view = game.view(Viewer::Public);
            let actions = game.actions(Seat(position.side()));
            let one = [actions[rng.below(actions.len() as u32) as usize]];
            let read = || 1;
            let budget = ThinkBudget::time(&read, 1);
            let question = PlayerQuestion { view: &view, actions: &one, budget: &budget };
            let thought = computer.think(&question, &mut rng, &mut |_| ());
            assert_eq!(thought.action, one[0], "{name}");
        }
    }
    assert!(player("plain-0").is_none() && player("plain-99").is_none() && player("x").is_none());
}

#[test]
fn a_stopped_search_answers_at_once() {
    let stop = AtomicBool::new(true);
    let budget = ThinkBudget::OF_LEVEL.until(&stop);
    let game = Togyzkumalak::start(&Variant::Seed, 2).unwrap();
    let thought = ask(&mut player("master").unwrap(), &game, &budget);
    assert!(thought.nodes < 10_000, "{thought:?}");
}

/// The same question, the same numbers, nothing remembered: the same answer, told on the way.
#[test]
fn thoughts_can_be_had_again() {
    let game = Togyzkumalak::start(&Variant::Seed, 2).unwrap();
    for name in ["beginner", "easy", "medium", "strong"] {
        let mut computer = player(name).unwrap();
        let first = ask(&mut computer, &game, &ThinkBudget::OF_LEVEL);
        computer.forget();
        assert_eq!(ask(&mut computer, &game, &ThinkBudget::OF_LEVEL), first, "{name}");
    }
}

fn play(players: &mut [Computer; 2], from: TogyzkumalakPosition, rng: &mut SeededRng) -> i32 {
    let mut game = Togyzkumalak::from_position(from);
    while let Node::Act(seat) = game.node() {
        let (view, actions) = (game.view(Viewer::Seat(seat)), game.actions(seat));
        let looks = Cell::new(0);
        let clock = Looks(AtomicU32::new(looks.get()));
        let read = || clock.0.fetch_add(1, Ordering::Relaxed);
        let budget = ThinkBudget::time(&read, 1);
        let question = PlayerQuestion { view: &view, actions: &actions, budget: &budget };
        let thought = players[seat.index()].think(&question, rng, &mut |_| ());
        game.apply_action(seat, &thought.action, &mut Vec::new()).unwrap();
    }
    let [first, second] = game.scores().map(i32::from);
    (first - second).signum()
}

#[test]
fn the_master_beats_the_beginner() {
    let mut rng = SeededRng::new(6);
    let mut score = 0;
    for game in 0..4 {
        let from = random_position(&mut rng, Variant::Seed, 4);
        let mut pair = [player("master").unwrap(), player("beginner").unwrap()];
        if game % 2 == 1 {
            pair.swap(0, 1);
        }
        let ahead = play(&mut pair, from, &mut rng);
        score += if game % 2 == 1 { -ahead } else { ahead };
    }
    assert!(score >= 3, "{score} of 4");
}

#[test]
fn learning_gives_the_same_network_on_any_number_of_threads() {
    let (mut said, mut nets) = (0, 0);
    let settings = TogyzkumalakLearnSettings {
        seed: 9,
        generations: 1,
        games: 3,
        nodes: 30,
        deep_generations: 1,
        deep_games: 4,
        deep_nodes: 60,
        passes: 1,
        threads: 1,
        ..TogyzkumalakLearnSettings::STANDARD
    };
    let one = learn(&settings, None, &mut |_| said += 1, &mut |_| nets += 1);
    let two = learn(
        &TogyzkumalakLearnSettings { threads: 2, ..settings },
        None,
        &mut |_| (),
        &mut |_| (),
    );
    assert!(one == two, "the games must not depend on threads");
    assert!(said >= 4 && nets == 2);
    let net: TogyzkumalakNet = TogyzkumalakNet::read(&one).expect("it was just written");
    assert!(net.write() == one);
    assert!(TogyzkumalakNet::<64>::read(&one[1..]).is_none());
}
