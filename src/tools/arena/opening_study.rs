//! Measures every first move of a game: a player plays the same number of games against itself
//! after each of them.
//!
//! A player without randomness would play one game again and again. So the moves after the first
//! one are *drawn*: the player values each legal move by a search of its own, and a move is drawn
//! with a weight that halves for every [`COST_THAT_HALVES`] of the chance to win that it costs. A
//! move that costs more than [`COST_MAX`] is never drawn. After these moves (`--plies`) the player
//! decides alone, so the drawn moves, the *line*, determine the game: a line that is drawn again
//! has the same game, which is played once and counted each time. Draws are independent, so the
//! interval is that of the mean over independent games.
//!
//! Players have a limit of positions or the effort of their level, and weights are whole numbers,
//! so that the file is the same on every machine and with any number of threads.
//!
//! Measured on one core of a virtual machine shared with other work: `arena togyzkumalak --openings
//! --games 100 --seed 1` plays 900 games in 31 s of processor time, 29 a second; of 100 lines after
//! a first move 79 to 98 were different. With 8 drawn moves of a player with 2,000 positions only
//! 72 to 137 of 200 were.
//!
//! Each line of the file has the words of [`OpeningResult`]; lines that begin with `#` are
//! comments.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{bail, ensure};

use super::game_runner::{
    ArenaEffort, ArenaEntrant, ArenaSetup, DecisionLimit, GameExtent, STEPS_MAX, derive_seed,
    make_computer, outcome_index, share_of_first, think,
};
use super::statistics::MeanEstimate;
use super::{ArenaProgress, ArenaReport, parse_entrant, report, run_units};
use crate::args::ArenaArgs;
use crate::records::find_game;
use crate::stopwatch::Stopwatch;
use caravanserai_games::rules::{Entropy, Node, Seat};
use caravanserai_games::search::{PlayerEvaluation, SeededRng};
use caravanserai_games::{Computer, GameId, Match, SeatLimits};

/// The loss of the chance to win, in thousandths, that halves the weight of a move.
const COST_THAT_HALVES: u16 = 20;
/// The largest loss of a move that can be drawn, in thousandths.
const COST_MAX: u16 = 159;
/// The player of a study: the strongest level whose fixed effort allows 18,000 games in minutes.
const PLAYER: &str = "strong";
/// The number of drawn moves: with fewer, most games of a study are the same.
const PLIES: u16 = 12;

/// The result of one first move.
#[derive(Clone, Debug, PartialEq)]
struct OpeningResult {
    /// The first move, as records write it.
    first_move: String,
    /// Different lines that were drawn.
    lines: usize,
    /// Games won, drawn and lost by the seat that moves first.
    games: [usize; 3],
    /// Its mean share of the games.
    share: MeanEstimate,
    /// The mean difference of the final scores: those of the first seat less those of the other.
    difference: MeanEstimate,
    /// The reply that was drawn most often, and how often.
    reply: (String, usize),
}

/// The end of a game for the first seat.
#[derive(Clone, Copy)]
struct GameEnd {
    share: f64,
    difference: f64,
}

/// Plays all games after each first move and prints the file with the results.
///
/// # Errors
/// One sentence about the invalid argument, or about the first game that failed.
pub fn run_opening_study(
    args: &ArenaArgs,
    threads: usize,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<ArenaReport> {
    let game = find_game(&args.game)?;
    let setup = study_setup(game, args)?;
    let entrant = parse_entrant(game, args.a.as_deref().unwrap_or(PLAYER))?;
    ensure!(
        !matches!(entrant.limit, DecisionLimit::Time(_)),
        "a study is the same on every machine: give the player positions (4000n) instead of a time"
    );
    let start = game.start_match(&setup.options, setup.seats).map_err(|it| anyhow::anyhow!(it))?;
    let Node::Act(seat) = start.node() else { bail!("the game does not begin with a move") };
    let moves: Vec<String> = start.choices(seat).into_iter().map(|it| it.token).collect();
    let first_moves = FirstMoves { setup: &setup, entrant: &entrant, games: args.games, seat };
    let worker = || {
        let mut player = make_computer(game, &entrant.name);
        let moves = &moves;
        let first_moves = &first_moves;
        move |unit: u64| {
            let player = player.as_deref_mut().map_err(|why| why.clone())?;
            let first = &moves[usize::try_from(unit).unwrap_or(usize::MAX)];
            first_moves.study(first, player)
        }
    };
    let total = moves.len() as u64;
    let results = run_units(total, threads, &worker, &mut |done, (found, _)| {
        let label = found.first_move.as_str();
        let share = found.share.value;
        report_progress(&ArenaProgress { played: done, total, label, share });
    })?;
    let mut effort = ArenaEffort::default();
    results.iter().for_each(|it| effort.add(&it.1));
    let results: Vec<OpeningResult> = results.into_iter().map(|it| it.0).collect();
    Ok(ArenaReport {
        result: write_study(&setup, &entrant, &results, args),
        times: report::times_text(&[super::entrant_label(&entrant)], &[effort]),
    })
}

/// The rules of a study. Only in games of two where nothing is hidden and nothing is drawn does a
/// first move have one result.
fn study_setup(game: GameId, args: &ArenaArgs) -> anyhow::Result<ArenaSetup> {
    let info = game.info();
    let duel = game.duel_info();
    ensure!(
        duel.opening > 0 && !info.hidden && info.seats == SeatLimits::exactly(2),
        "{} has no opening study: it needs two seats, and a start without dice or hidden cards",
        info.code
    );
    let options = args.options.clone().unwrap_or_else(|| info.default_options());
    if game.start_match(&options, info.seats.fewest).is_err() {
        bail!("there are no house rules {options} in {}", info.code);
    }
    Ok(ArenaSetup {
        game,
        options,
        seats: info.seats.fewest,
        plies: args.plies.unwrap_or(PLIES),
        extent: GameExtent::Whole,
        seed: args.seed,
    })
}

/// The games after every first move.
struct FirstMoves<'a> {
    setup: &'a ArenaSetup,
    entrant: &'a ArenaEntrant,
    games: u64,
    seat: Seat,
}

impl FirstMoves<'_> {
    /// Plays all games after one first move.
    fn study(
        &self,
        first: &str,
        player: &mut dyn Computer,
    ) -> Result<(OpeningResult, ArenaEffort), String> {
        let setup = self.setup;
        let mut start =
            setup.game.start_match(&setup.options, setup.seats).map_err(|it| it.to_string())?;
        start.apply_action(self.seat, first).map_err(|it| it.to_string())?;
        let mut tree = DrawnLines {
            player,
            limit: self.entrant.limit,
            seed: derive_seed(&[setup.seed, text_seed(first)]),
            weights: BTreeMap::new(),
            ends: BTreeMap::new(),
            effort: ArenaEffort::default(),
        };
        let (mut games, mut replies) = ([0; 3], BTreeMap::<String, usize>::new());
        let mut shares = Vec::new();
        let mut differences = Vec::new();
        for number in 0..self.games {
            let mut rng = SeededRng::new(derive_seed(&[tree.seed, number]));
            let (line, position) = tree.draw_line(&*start, setup.plies, &mut rng)?;
            let GameEnd { share, difference } = tree.end(&line, position, self.seat)?;
            games[outcome_index(share)] += 1;
            shares.push(share);
            differences.push(difference);
            if let Some(reply) = line.first() {
                *replies.entry(reply.clone()).or_default() += 1;
            }
        }
        let none = ("-".to_owned(), 0);
        let result = OpeningResult {
            first_move: first.to_owned(),
            lines: tree.ends.len(),
            games,
            share: MeanEstimate::from_values(&shares),
            difference: MeanEstimate::from_values(&differences),
            // Of equally frequent replies the one that comes first.
            reply: replies.into_iter().rev().max_by_key(|it| it.1).unwrap_or(none),
        };
        Ok((result, tree.effort))
    }
}

/// The lines that were drawn after one first move.
struct DrawnLines<'a> {
    player: &'a mut dyn Computer,
    limit: DecisionLimit,
    seed: u64,
    /// The moves after a line with their weights.
    weights: BTreeMap<Vec<String>, Vec<(String, u32)>>,
    /// The ends of the games after the lines that were drawn.
    ends: BTreeMap<Vec<String>, GameEnd>,
    effort: ArenaEffort,
}

impl DrawnLines<'_> {
    /// Draws so many moves, and gives the position after them.
    fn draw_line(
        &mut self,
        start: &dyn Match,
        plies: u16,
        rng: &mut SeededRng,
    ) -> Result<(Vec<String>, Box<dyn Match>), String> {
        let mut line = Vec::new();
        let mut game = start.clone_box();
        for _ in 0..plies {
            let Node::Act(seat) = game.node() else { break };
            if !self.weights.contains_key(&line) {
                let weights = self.weigh_moves(&*game, seat, &line)?;
                self.weights.insert(line.clone(), weights);
            }
            let token = draw_move(&self.weights[&line], rng);
            game.apply_action(seat, &token).map_err(|it| it.to_string())?;
            line.push(token);
        }
        Ok((line, game))
    }

    fn weigh_moves(
        &mut self,
        game: &dyn Match,
        seat: Seat,
        line: &[String],
    ) -> Result<Vec<(String, u32)>, String> {
        self.player.forget();
        let mut rng = self.line_rng(line);
        let tokens: Vec<String> = game.choices(seat).into_iter().map(|it| it.token).collect();
        let mut chances = Vec::new();
        for token in &tokens {
            chances.push(self.think(game, seat, Some(token), &mut rng)?.chance);
        }
        Ok(tokens.into_iter().zip(move_weights(&chances)).collect())
    }

    /// The end of the game after a line.
    fn end(
        &mut self,
        line: &[String],
        game: Box<dyn Match>,
        first: Seat,
    ) -> Result<GameEnd, String> {
        if let Some(known) = self.ends.get(line) {
            return Ok(*known);
        }
        let end = self.play(game, line, first)?;
        self.ends.insert(line.to_vec(), end);
        Ok(end)
    }

    fn play(
        &mut self,
        mut game: Box<dyn Match>,
        line: &[String],
        first: Seat,
    ) -> Result<GameEnd, String> {
        self.player.forget();
        let mut rng = self.line_rng(line);
        for _ in 0..STEPS_MAX {
            match game.node() {
                Node::Over(scores) => return Ok(game_end(&scores, first)),
                Node::Chance => return Err("the game has chance".to_owned()),
                Node::Act(seat) => {
                    let token = match game.forced_action() {
                        Some(token) => token,
                        None => self.think(&*game, seat, None, &mut rng)?.action,
                    };
                    game.apply_action(seat, &token).map_err(|it| it.to_string())?;
                }
            }
        }
        Err(format!("a game did not end within {STEPS_MAX} steps"))
    }

    /// Lets the player choose, or value one move.
    fn think(
        &mut self,
        game: &dyn Match,
        seat: Seat,
        only: Option<&str>,
        rng: &mut SeededRng,
    ) -> Result<PlayerEvaluation<String>, String> {
        let mut question = game.engine_question(seat).ok_or("no seat is on turn")?;
        if let Some(token) = only {
            question = question.restricted_to(&[token]).ok_or("a legal move is refused")?;
        }
        let watch = Stopwatch::start();
        let evaluation = think(self.player, &question, self.limit, watch, rng)?;
        let time = watch.elapsed();
        let nodes = evaluation.nodes;
        self.effort.add(&ArenaEffort { decisions: 1, nodes, time, longest: time });
        Ok(evaluation)
    }

    /// The random numbers of the player after a line.
    fn line_rng(&self, line: &[String]) -> SeededRng {
        let parts: Vec<u64> =
            std::iter::once(self.seed).chain(line.iter().map(|it| text_seed(it))).collect();
        SeededRng::new(derive_seed(&parts))
    }
}

/// A number that depends on the letters of a token.
fn text_seed(token: &str) -> u64 {
    derive_seed(&token.bytes().map(u64::from).collect::<Vec<_>>())
}

/// The weights of moves after which the mover has these chances to win, in thousandths.
fn move_weights(chances: &[u16]) -> Vec<u32> {
    let best = chances.iter().max().copied().unwrap_or(0);
    let weight = |chance: &u16| match best - chance {
        cost if cost > COST_MAX => 0,
        cost => 1 << ((COST_MAX - cost) / COST_THAT_HALVES),
    };
    chances.iter().map(weight).collect()
}

/// Draws a move by the weights; the weights of a position are never all 0.
fn draw_move(moves: &[(String, u32)], rng: &mut SeededRng) -> String {
    let mut left = rng.below(moves.iter().map(|it| it.1).sum::<u32>().max(1));
    for (token, weight) in moves {
        if left < *weight {
            return token.clone();
        }
        left -= weight;
    }
    moves.last().map(|it| it.0.clone()).unwrap_or_default()
}

fn game_end(scores: &[i32], first: Seat) -> GameEnd {
    let own = scores.get(first.index()).copied().unwrap_or_default();
    let other = scores.iter().sum::<i32>() - own;
    let is_first: Vec<bool> = (0..scores.len()).map(|it| it == first.index()).collect();
    let share = share_of_first(scores, &is_first);
    GameEnd { share, difference: f64::from(own - other) }
}

/// Writes the file with the command that gives it.
fn write_study(
    setup: &ArenaSetup,
    entrant: &ArenaEntrant,
    results: &[OpeningResult],
    args: &ArenaArgs,
) -> String {
    let code = setup.game.info().code;
    let options = &setup.options;
    let plies = setup.plies;
    let player = match entrant.limit {
        DecisionLimit::Positions(count) => format!("{}:{count}n", entrant.name),
        DecisionLimit::OfLevel | DecisionLimit::Time(_) => entrant.name.clone(),
    };
    let mut text = String::new();
    let _ = writeln!(text, "# Opening study of {code} by the rules {options}, written by");
    let _ = writeln!(
        text,
        "# caravanserai-tools arena {code} --openings --a {player} --games {} --options {options} \
         --plies {plies} --seed {}",
        args.games, setup.seed
    );
    let _ = writeln!(
        text,
        "# After each first move the player plays against itself. The next {plies} moves are \
         drawn: the\n# weight of a move halves for every {} % of the chance to win that it costs. \
         Won, drawn, lost,\n# share (in percent, with its 95 % interval) and difference (of the \
         final scores) are those of\n# the side that moves first.",
        f32::from(COST_THAT_HALVES) / 10.0
    );
    let _ = writeln!(
        text,
        "# move, games, different lines, won, drawn, lost, share, from, to, difference, \
         its standard error, most frequent reply, its games"
    );
    for it in results {
        let [won, drawn, lost] = it.games;
        let (low, high) = it.share.confidence_interval();
        let [share, low, high] = [it.share.value, low, high].map(|it| 100.0 * it);
        let difference = it.difference.value;
        let error = it.difference.error;
        let (reply, replied) = &it.reply;
        let _ = writeln!(
            text,
            "{} {} {} {won} {drawn} {lost} {share:.2} {low:.2} {high:.2} {difference:.2} \
             {error:.2} {reply} {replied}",
            it.first_move, it.share.count, it.lines
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arena::run_arena;
    use crate::args::{ToolsCli, ToolsCommand};

    fn study(line: &str) -> anyhow::Result<String> {
        let words = ["caravanserai-tools", "arena"].into_iter().chain(line.split(' '));
        let ToolsCommand::Arena(args) = ToolsCli::try_parse_from(words)?.command else {
            panic!("{line}")
        };
        Ok(run_arena(&args, &mut |_| {})?.result)
    }

    #[test]
    fn every_first_move_has_all_its_games_with_any_number_of_threads() {
        let line = "togyzkumalak --openings --a easy --games 6 --plies 3 --seed 4";
        let one = study(&format!("{line} --threads 1")).unwrap();
        assert_eq!(one, study(&format!("{line} --threads 3")).unwrap());
        let rows: Vec<Vec<&str>> = one
            .lines()
            .filter(|it| !it.starts_with('#'))
            .map(|it| it.split(' ').collect())
            .collect();
        assert_eq!(rows.len(), 9);
        for (row, first) in rows.iter().zip(1..) {
            let number = |at: usize| row[at].parse::<usize>().unwrap();
            assert_eq!((row.len(), number(0), number(1)), (13, first, 6), "{row:?}");
            assert_eq!(number(3) + number(4) + number(5), 6, "{row:?}");
            assert!((1..=6).contains(&number(2)) && (1..=6).contains(&number(12)), "{row:?}");
        }
        let command = "--openings --a easy --games 6 --options seed --plies 3 --seed 4";
        assert!(one.contains(&format!("\n# caravanserai-tools arena togyzkumalak {command}\n")));
        assert_ne!(one, study(&line.replace("--seed 4", "--seed 5")).unwrap());
    }

    #[test]
    fn games_with_dice_or_hidden_cards_have_no_study() {
        for (line, said) in [
            ("thaayam --openings", "thaayam has no opening study: it needs two seats"),
            ("blot --openings", "blot has no opening study"),
            ("togyzkumalak --openings --a strong:5", "give the player positions (4000n)"),
            ("togyzkumalak --openings --options x=1", "there are no house rules x=1"),
            ("togyzkumalak --openings --a genius", "there is no player genius"),
            ("togyzkumalak --openings --games 0", "--games is at least 1"),
        ] {
            let refused = format!("{:#}", study(line).unwrap_err());
            assert!(refused.contains(said), "{line}: {refused}");
        }
    }

    #[test]
    fn a_move_that_costs_two_hundredths_is_drawn_half_as_often() {
        assert_eq!(move_weights(&[500, 481, 480, 440, 341, 340]), [128, 128, 64, 16, 1, 0]);
        assert_eq!(move_weights(&[0, 0]), [128, 128]);
    }

    #[test]
    fn moves_without_weight_are_never_drawn() {
        let moves = [("a", 0), ("b", 3), ("c", 1), ("d", 0)].map(|it| (it.0.to_owned(), it.1));
        let mut rng = SeededRng::new(1);
        let drawn: Vec<String> = (0..400).map(|_| draw_move(&moves, &mut rng)).collect();
        let count = |token: &str| drawn.iter().filter(|it| *it == token).count();
        assert_eq!(count("a") + count("d"), 0);
        assert!((260..340).contains(&count("b")), "{}", count("b"));
    }

    #[test]
    fn the_side_that_moves_first_wins_with_more() {
        let of = |scores: &[i32]| {
            let end = game_end(scores, Seat(0));
            (end.share, end.difference)
        };
        assert_eq!(of(&[88, 74]), (1.0, 14.0));
        assert_eq!(of(&[81, 81]), (0.5, 0.0));
        assert_eq!(of(&[60, 102]), (0.0, -42.0));
    }
}
