//! What players achieve in whole games.

use caravanserai_games::GameId;
use caravanserai_games::rules::{Entropy, Node, Seat};
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget};

/// A seat and its token; `None` is chance.
type GameStep = (Option<Seat>, String);

/// Who chooses the actions of a game.
#[derive(Clone, Copy, PartialEq)]
enum Players {
    Random,
    Computers(ComputerLevel),
}

/// The steps of a game to its end.
fn whole_game(game: GameId, seats: u8, players: Players, seed: u64) -> Vec<GameStep> {
    let mut entropy = SeededRng::new(seed);
    let level = match players {
        Players::Random => ComputerLevel::Beginner,
        Players::Computers(level) => level,
    };
    let mut computer = game.computer(level.code()).unwrap();
    let mut running = game.start_match(&game.info().default_options(), seats).unwrap();
    let mut steps = Vec::new();
    loop {
        match running.node() {
            Node::Over(_) => return steps,
            Node::Chance => {
                let outcome = running.draw_chance(&mut entropy);
                running.apply_chance(&outcome).unwrap();
                steps.push((None, outcome));
            }
            Node::Act(seat) => {
                let question = running.engine_question(seat).unwrap();
                let tokens = question.tokens();
                let mut random = SeededRng::new(seed + steps.len() as u64);
                let budget = ThinkBudget::OF_LEVEL;
                let thought = match players {
                    Players::Random => None,
                    Players::Computers(_) => {
                        computer.think(&question, &budget, &mut random, &mut |_| {})
                    }
                };
                let at = entropy.below(u32::try_from(tokens.len()).unwrap()) as usize;
                let token = thought.map_or_else(|| tokens[at].clone(), |it| it.action);
                running.apply_action(seat, &token).unwrap();
                steps.push((Some(seat), token));
            }
        }
    }
}

#[test]
fn each_count_and_each_achievement_comes_up_in_some_game() {
    for game in GameId::all() {
        let seats = game.info().seats.most;
        let start = game.start_match(&game.info().default_options(), seats).unwrap();
        let (mut totals, mut achieved, mut favourites) = (Vec::new(), Vec::new(), Vec::new());
        let random = (0..40).map(|seed| (Players::Random, seed));
        for (players, seed) in
            random.chain((0..8).map(|seed| (Players::Computers(ComputerLevel::Easy), seed)))
        {
            let steps = whole_game(*game, seats, players, seed);
            let counts =
                start.count_steps(&mut steps.iter().map(|it| (it.0, it.1.as_str()))).unwrap();
            for seat in (0..seats).map(Seat) {
                let lookup = |name: &str| i64::from(counts.get(seat, name));
                totals.extend(game.totals().iter().filter(|it| lookup(it) > 0));
                let reached =
                    game.achievements().iter().filter(|it| (it.is_reached)(&lookup, true));
                achieved.extend(reached.map(|it| it.code));
                for choice in game.play_choices().iter().flat_map(|it| it.choices) {
                    let successes = choice.success.map_or(0, lookup);
                    assert!(successes <= lookup(choice.count), "{game:?}: {choice:?}");
                    let is_chosen = lookup(choice.count) > 0;
                    favourites.extend(is_chosen.then_some(choice.count));
                }
            }
        }
        for total in game.totals() {
            assert!(totals.contains(&total), "{game:?}: {total}");
        }
        for achievement in game.achievements() {
            assert!(achieved.contains(&achievement.code), "{game:?}: {}", achievement.code);
        }
        for group in game.play_choices() {
            let found = group.choices.iter().filter(|it| favourites.contains(&it.count));
            assert!(found.count() > 1, "{game:?}: {}", group.code);
        }
    }
}

#[test]
#[ignore = "prints what the players of each level lose by their decisions in a game"]
fn the_mistakes_of_computers_are_measured() {
    for (game, seats) in [(caravanserai_games::thaayam::ID, 2), (caravanserai_games::blot::ID, 4)] {
        for level in [ComputerLevel::Master, ComputerLevel::Medium, ComputerLevel::Beginner] {
            for seed in 0..3 {
                let steps = whole_game(game, seats, Players::Computers(level), seed);
                let start = game.start_match(&game.info().default_options(), seats).unwrap();
                let given = steps.iter().map(|it| (it.0.map(|seat| seat.0), it.1.as_str()));
                let turns = caravanserai_table::review::decisions(start, given);
                let count = turns.len();
                let mut analysis =
                    caravanserai_bot::workers::game_analysis::GameAnalysis::new(game, turns)
                        .unwrap();
                let stop = std::sync::atomic::AtomicBool::new(false);
                while analysis.analyse_next(&stop) {}
                let (turns, verdicts) = analysis.verdicts();
                let mut lost = [0, 0];
                for (turn, verdict) in turns.iter().zip(verdicts) {
                    if let Some(it) = verdict {
                        lost[usize::from(turn.seat % 2)] += i32::from(it.chance_drop());
                    }
                }
                println!("{game:?} {level:?} {count} decisions: {lost:?} thousandths");
            }
        }
    }
}
