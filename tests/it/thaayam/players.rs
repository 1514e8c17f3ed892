//! Computer players: legal under all house rules, as strong as measured, true odds.

use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::{
    ComputerLevel, Player, PlayerEvaluation, PlayerQuestion, ThinkBudget,
};
use caravanserai_games::thaayam::engine::lookahead::ENDS_MAX;
use caravanserai_games::thaayam::engine::net::Nets;
use caravanserai_games::thaayam::engine::odds::{CHANCES, ODDS, Reach};
use caravanserai_games::thaayam::engine::{PLAYERS, ThaayamLearnSettings, chances, learn, player};
use caravanserai_games::thaayam::options::SWITCHES;
use caravanserai_games::thaayam::view::ThaayamViewStage;
use caravanserai_games::thaayam::{
    Colour, PlayerPieces, Series, Thaayam, ThaayamAction, ThaayamOptions, ThaayamPosition,
    ThaayamTurn, ThaayamView,
};

use crate::game_conformance::Seeded;

type Bot = Box<dyn Player<Thaayam>>;

fn bot(name: &str) -> Bot {
    player(name).unwrap_or_else(|| panic!("{name}"))
}

fn options(text: &str) -> ThaayamOptions {
    ThaayamOptions::read(text).expect("options")
}

fn ask(
    bot: &mut Bot,
    view: &ThaayamView,
    actions: &[ThaayamAction],
    entropy: &mut Seeded,
) -> PlayerEvaluation<ThaayamAction> {
    let question = PlayerQuestion { view, actions, budget: &ThinkBudget::OF_LEVEL };
    bot.think(&question, entropy, &mut |_| {})
}

/// Plays a game to its end, calling `heard` with every thought of a real choice; gives scores.
fn play(
    options: &ThaayamOptions,
    bots: &mut [Bot],
    seed: u64,
    mut heard: impl FnMut(Seat, &ThaayamView, &PlayerEvaluation<ThaayamAction>),
) -> Vec<i32> {
    let seats = u8::try_from(bots.len()).expect("a few");
    let mut game = Thaayam::start(options, seats).expect("a game for so many");
    let mut dice = Seeded(seed);
    let mut entropy = Seeded(seed ^ 0x5eed);
    let mut facts = Vec::new();
    for _ in 0..40_000 {
        facts.clear();
        match game.node() {
            Node::Over(scores) => return scores,
            Node::Chance => {
                let series = game.draw_chance(&mut dice);
                game.apply_chance(&series, &mut facts).expect("drawn");
            }
            Node::Act(seat) => {
                let action = game.forced_action().unwrap_or_else(|| {
                    let actions = game.actions(seat);
                    let view = game.view(Viewer::Seat(seat));
                    let thought = ask(&mut bots[seat.index()], &view, &actions, &mut entropy);
                    assert!(actions.contains(&thought.action), "{:?}", thought.action);
                    assert_ne!(thought.action, ThaayamAction::Undo);
                    assert!(thought.chance <= 1000 && thought.line[0] == thought.action);
                    heard(seat, &view, &thought);
                    thought.action
                });
                game.apply_action(seat, &action, &mut facts).expect("legal");
            }
        }
    }
    panic!("a game without end");
}

/// The share of games that A wins against B on all other seats, in percent.
fn wins(rules: &str, a: &str, b: &str, seats: usize, rounds: u64) -> f64 {
    let options = options(rules);
    let mut won = 0;
    for round in 0..rounds {
        for own in 0..seats {
            let name = |seat| if seat == own { a } else { b };
            let mut bots: Vec<Bot> = (0..seats).map(|seat| bot(name(seat))).collect();
            let scores = play(&options, &mut bots, round * 7 + 1, |_, _, _| {});
            won += u32::from(scores[own] == 1);
        }
    }
    f64::from(won) / (rounds as f64 * seats as f64) * 100.0
}

#[test]
fn every_level_and_opponent_has_a_name() {
    let levels = ComputerLevel::ALL.map(ComputerLevel::code);
    assert!(levels.iter().chain(PLAYERS).all(|name| player(name).is_some()));
    assert!(player("nobody").is_none());
}

#[test]
fn players_keep_to_the_rules_in_all_variants_and_finish() {
    // The master looks so far ahead that it has its own, shorter games below.
    let levels = ComputerLevel::ALL.map(ComputerLevel::code);
    let names: Vec<&str> = levels[..4].iter().chain(PLAYERS).copied().collect();
    let mut rules = vec!["standard".to_owned(), "pieces=2,play_on=yes,partners=yes".to_owned()];
    rules.push("capture=final,obligation=max,kill_again=yes,play_on=yes".to_owned());
    for (name, values) in SWITCHES {
        rules.extend(values[1..].iter().map(|value| format!("{name}={value}")));
    }
    for (n, text) in rules.iter().enumerate() {
        let rules = options(text);
        for seats in 2..=4 {
            if rules.partners && seats < 4 {
                continue;
            }
            let name = |seat: usize| names[(n * 3 + seats + seat * 3) % names.len()];
            let mut bots: Vec<Bot> = (0..seats).map(|seat| bot(name(seat))).collect();
            let scores = play(&rules, &mut bots, n as u64, |_, _, _| {});
            assert!(scores.iter().any(|it| *it > 0), "{text}");
        }
    }
}

#[test]
fn the_master_plays_whole_games_under_house_rules() {
    for (n, (text, seats)) in [
        ("pieces=1,finish=fortress", 2),
        ("pieces=1,finish=fortress,partners=yes,block_on_path=yes", 4),
    ]
    .into_iter()
    .enumerate()
    {
        let mut bots: Vec<Bot> = (0..seats).map(|_| bot("master")).collect();
        let scores = play(&options(text), &mut bots, n as u64, |_, _, _| {});
        assert!(scores.iter().any(|it| *it > 0), "{text}");
    }
}

/// Within three standard errors of so many games, and a little.
fn near(what: &str, ours: f64, measured: f64, games: f64) {
    let error = 100.0 * (0.25 / games).sqrt();
    assert!((ours - measured).abs() < 3.0 * error + 1.0, "{what}: {ours:.1}, not {measured}");
}

#[test]
fn simple_opponents_are_as_strong_as_measured() {
    let anchors = [
        ("runner", "random", 4, 34.6),
        ("hunter", "random", 4, 44.8),
        ("bold", "random", 4, 56.8),
        ("greedy", "random", 4, 68.4),
        ("greedy", "bold", 4, 36.6),
        ("greedy", "random", 2, 88.4),
        ("runner", "random", 2, 50.0),
    ];
    for (a, b, seats, measured) in anchors {
        let share = wins("throw=auto", a, b, seats, 30);
        println!("{a} against {b}, {seats} seats: {share:.1} ({measured})");
        near(a, share, measured, 30.0 * seats as f64);
    }
}

#[test]
fn the_learned_player_beats_the_greedy_one() {
    let (greedy, random) = (
        wins("throw=auto", "learned", "greedy", 4, 30),
        wins("throw=auto", "learned", "random", 4, 10),
    );
    println!("learned: {greedy:.1} % against three greedy, {random:.1} % against three random");
    assert!(greedy > 25.0, "{greedy:.1} % against three greedy, 25 % is even");
    assert!(random > 55.0, "{random:.1} % against three random");
}

#[test]
fn learned_chances_come_true_as_often_as_they_say() {
    for (seats, games) in [(2, 50), (3, 30), (4, 25)] {
        // Sums of chances, of wins, and how many there were, by fifths of the chance.
        let mut bins = [(0.0f64, 0.0f64, 0.0f64); 5];
        for seed in 0..games {
            let mut bots: Vec<Bot> = (0..seats).map(|_| bot("learned")).collect();
            let mut said: Vec<(Seat, u16)> = Vec::new();
            let options = options("throw=auto");
            let hear = |seat, _: &ThaayamView, it: &PlayerEvaluation<ThaayamAction>| {
                said.push((seat, it.chance))
            };
            let scores = play(&options, &mut bots, 100 + seed, hear);
            for (seat, chance) in said {
                let bin = &mut bins[usize::from(chance / 200).min(4)];
                bin.0 += f64::from(chance) / 1000.0;
                bin.1 += f64::from(scores[seat.index()]);
                bin.2 += 1.0;
            }
        }
        for (said, won, count) in bins.into_iter().filter(|it| it.2 > 150.0) {
            let (said, won) = (said / count, won / count);
            println!("{seats} seats: said {said:.3}, won {won:.3} of {count}");
            // The thoughts of a game are not independent: about one in ten counts.
            let error = (said * (1.0 - said) / (count / 10.0)).sqrt();
            assert!((said - won).abs() < 3.0 * error + 0.03, "{said:.3} {won:.3} of {count}");
        }
    }
}

#[test]
fn chances_of_all_seats_add_up() {
    for (seats, rules) in
        [(2, "standard"), (3, "pieces=2"), (4, "kill_again=yes"), (4, "partners=yes")]
    {
        let position = ThaayamPosition::start(options(rules), seats).expect("so many can play");
        let all = chances(&position, Seat(1));
        assert!((all.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{all:?}");
        assert!(all[usize::from(seats)..].iter().all(|it| *it == 0.0), "{all:?}");
    }
}

#[test]
fn learning_can_be_repeated_and_is_read_back() {
    let settings = ThaayamLearnSettings { seed: 3, games: [4, 2, 2, 1], more: [2, 0, 1, 0] };
    let once = learn(&settings, &mut |_| {});
    assert_eq!(once, learn(&settings, &mut |_| {}));
    assert_eq!(Nets::read(&once).expect("a file of weights").write(), once);
    assert!(Nets::read(&once[..once.len() - 2]).is_none());
}

/// All series of at most so many throws and their chances.
fn all_series(longest: usize) -> Vec<(Vec<u8>, f64)> {
    let mut all = Vec::new();
    let mut open = vec![(Vec::new(), 1.0)];
    while let Some((before, chance)) = open.pop() {
        for (throw, sixteenths) in CHANCES {
            let throws: Vec<u8> = before.iter().copied().chain([throw]).collect();
            let chance = chance * f64::from(sixteenths) / 16.0;
            if matches!(throw, 2 | 3) {
                all.push((throws, chance));
            } else if throws.len() < longest {
                open.push((throws, chance));
            }
        }
    }
    all
}

/// White with these pieces is on turn; a red piece is on this step of White's.
fn hunted(white: &[i8], step: i8) -> (ThaayamPosition, u8) {
    let square = Colour::White.path()[usize::try_from(step).expect("on the board")];
    let red = Colour::Red.step_of(square).expect("all ways visit all squares");
    let position =
        ThaayamPosition::start(ThaayamOptions { pieces: 2, ..ThaayamOptions::default() }, 2)
            .expect("two");
    let side = |steps: &[i8]| PlayerPieces::new(steps).expect("steps");
    (position.with_side(Seat(0), side(white)).with_side(Seat(1), side(&[-1, red])), square)
}

#[test]
fn the_odds_of_being_hit_are_those_of_all_turns() {
    let series = all_series(6);
    let tail = 0.375f64.powi(6);
    // A piece on the palace alone; one in hand beside one in the fortress; nothing on the board.
    for (white, odds) in
        [(&[0i8][..], &ODDS.moving), (&[-1, 24], &ODDS.entering), (&[-1], &ODDS.starting)]
    {
        for step in [1i8, 2, 3, 5, 6, 7, 9, 11, 14, 17, 20, 23] {
            let (position, square) = hunted(white, step);
            let hits = |throws: &[u8]| {
                let ends = ThaayamTurn::new(&position, Seat(0), throws).outcomes(usize::MAX);
                ends.iter().any(|end| end.hits >> square & 1 == 1)
            };
            let chance: f64 = series.iter().filter(|it| hits(&it.0)).map(|it| it.1).sum();
            let table = f64::from(odds[usize::try_from(step).expect("on the board")]);
            assert!(chance <= table + 1e-6 && table <= chance + tail, "{white:?} {step}");
            let reach = Reach::from_position(&position, Seat(0)).chance(&ODDS, square);
            assert!((f64::from(reach) - table).abs() < 1e-6, "{white:?} {step}: {reach}");
        }
    }
}

#[test]
fn the_odds_are_those_of_the_rule_notes() {
    let notes = [28.6, 63.3, 57.1, 22.7, 8.0, 7.1, 6.5, 11.6, 5.4, 6.8, 6.8, 3.9, 1.8, 1.4];
    for (distance, percent) in (1..).zip(notes) {
        assert!((ODDS.moving[distance] * 100.0 - percent).abs() < 0.051, "{distance}");
    }
}

/// A view with these throws to be shared out.
fn sharing(position: &str, throws: &str) -> (Thaayam, ThaayamView) {
    let rules = options("throw=auto");
    let position = ThaayamPosition::read(rules, position).expect("a position");
    let mut game = Thaayam::from_position(position, Seat(0));
    let series = Series::read(throws).expect("a series");
    game.apply_chance(&series, &mut Vec::new()).expect("the game waits for throws");
    let view = game.view(Viewer::Seat(Seat(0)));
    (game, view)
}

#[test]
fn long_series_are_answered_soon() {
    for (position, throws) in
        [("--ei/-bcd", "11481148113"), ("abcd/-bcd/--gk/adjs", "1114811848114483")]
    {
        let (game, view) = sharing(position, throws);
        assert!(matches!(view.stage, ThaayamViewStage::Sharing(_)));
        let actions = game.actions(Seat(0));
        for name in ["strong", "greedy"] {
            let thought = ask(&mut bot(name), &view, &actions, &mut Seeded(1));
            println!("{name} at {position} {throws}: {} nodes", thought.nodes);
            assert!(actions.contains(&thought.action));
            assert!(thought.nodes <= ENDS_MAX as u64 + 1, "{} nodes", thought.nodes);
        }
    }
}

#[test]
fn the_same_numbers_give_the_same_answer() {
    let (game, view) = sharing("-aei/-bcd/--gk/adjs", "41183");
    let actions = game.actions(Seat(0));
    for name in ComputerLevel::ALL.map(ComputerLevel::code).into_iter().take(4) {
        let mut long_lived = bot(name);
        ask(&mut long_lived, &view, &actions, &mut Seeded(9));
        long_lived.forget();
        let again = ask(&mut long_lived, &view, &actions, &mut Seeded(5));
        assert_eq!(ask(&mut bot(name), &view, &actions, &mut Seeded(5)), again, "{name}");
    }
}

/// A review asks what one action was worth: only that one may be answered.
#[test]
fn a_player_answers_only_what_it_is_asked() {
    let (game, view) = sharing("-aei/-bcd/--gk/adjs", "4183");
    for action in game.actions(Seat(0)) {
        let thought = ask(&mut bot("learned"), &view, &[action], &mut Seeded(5));
        assert_eq!(thought.action, action);
        assert!(thought.chance > 0 && thought.chance < 1000);
    }
}

#[test]
fn a_turn_is_planned_once_and_played_to_its_end() {
    let (mut game, _) = sharing("-aei/-bcd/--gk/adjs", "1141183");
    let mut learned = bot("learned");
    let mut planned: Vec<ThaayamAction> = Vec::new();
    while let Node::Act(seat) = game.node() {
        if let Some(forced) = game.forced_action() {
            game.apply_action(seat, &forced, &mut Vec::new()).expect("legal");
            continue;
        }
        let (view, actions) = (game.view(Viewer::Seat(seat)), game.actions(seat));
        // Without whole results it has to go on throw by throw.
        let single: Vec<ThaayamAction> =
            actions.iter().filter(|it| !matches!(it, ThaayamAction::Whole(_))).copied().collect();
        let thought = ask(&mut learned, &view, &single, &mut Seeded(2));
        if let [first, rest @ ..] = &planned[..]
            && thought.action != ThaayamAction::Done
        {
            assert_eq!(*first, thought.action);
            assert_eq!(rest, &thought.line[1..]);
        }
        planned = thought.line[1..].to_vec();
        game.apply_action(seat, &thought.action, &mut Vec::new()).expect("legal");
    }
    assert_eq!(planned, []);
}
