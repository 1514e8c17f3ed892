//! Reviews of games between strong players name every move that cost ten points of a hundred or
//! more, and the most costly one first: six games of the championship of Kazakhstan, Kyzylorda,
//! January 2022, as far as they were written down.
//!
//! The reference is the chance before and after each move by a search of 600,000 positions each
//! way, every search by itself with nothing remembered from the others. Where a move cost ten
//! points by that, a second opinion was asked from 1,500,000 positions: two searches of the same
//! position may differ by as much in the end of a wild game, where nobody can say what a move cost.
//! What both call ten points must be named. The reference was made by
//! `cargo test --release --test it -- --ignored writes_the_reference_of_reviews`, which
//! writes `tests/data/games/falls.txt`: game, move, chances before and after in thousandths, and
//! what the move cost by the second opinion, if one was asked.
//!
//! With `GAMES_DIR` set to a folder of other records,
//! `cargo test --release --test it -- --ignored reviews_of_other_games_are_measured --nocapture`
//! prints how many of the moves that cost so much are named there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use caravanserai_bot::views::review_views::{luck_view, review_view};
use caravanserai_bot::workers::game_analysis::{AnalysisEffort, GameAnalysis};
use caravanserai_bot::workers::{GameReview, ReviewedMove};
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::search::{SeededRng, ThinkBudget};
use caravanserai_games::{GameId, blot, thaayam, togyzkumalak};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_results::result_shares;
use caravanserai_table::review::{
    DecisionVerdict, GameDecision, chart_sides, decisions, decisions_to_judge, game_after_steps,
    judged_table, largest_falls, result_shares as table_result_shares, reviewed_decisions,
    table_decisions, turning_points, win_chances,
};
use caravanserai_table::state::Table;

use crate::archive::Played;

/// Positions of a search for the reference.
const REFERENCE: u64 = 600_000;

/// The same for the second opinion.
const SECOND: u64 = 1_500_000;

/// From which drop on the reference lists a move, in thousandths.
const LISTED: i32 = 50;

/// A drop that no review may miss, in thousandths.
const TURNED: i32 = 100;

/// What the first of a review and the most costly move of the reference may differ in, in
/// thousandths: two that cost the same may change places.
const APART: i32 = 30;

/// The longest time for a review on one core of an ordinary computer, in seconds.
const SECONDS: u64 = 5;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/games")
}

/// The decisions of a recorded game.
fn turns(file: &Path) -> Vec<GameDecision> {
    let text = std::fs::read_to_string(file).unwrap();
    let game: GameId = togyzkumalak::ID;
    let replay = game.read_record(&text, None).unwrap();
    let steps = replay.steps.iter();
    decisions(replay.start.clone_box(), steps.map(|(seat, token)| (seat.map(|it| it.0), &**token)))
}

const GAMES: [&str; 6] = [
    "batyrbek-zkriyayev",
    "kabiyev-bostandykov",
    "kabiyev-kaiyrzhanov",
    "kaidarov-daken",
    "temirbayev-aitbayev",
    "zhandarbek-bostandykov",
];

/// What each move of a game cost: its number and the chances before and after. Searches only the
/// moves with these numbers, if there are any.
fn measured(file: &Path, nodes: u64, only: &[u32]) -> Vec<(u32, u16, u16)> {
    let turns = turns(file);
    let mut computer = togyzkumalak::ID.computer(togyzkumalak::ID.info().reviewer).unwrap();
    let mut chances: BTreeMap<u32, u16> = BTreeMap::new();
    for turn in &turns {
        if only.is_empty() || only.contains(&turn.step) || only.contains(&(turn.step + 1)) {
            computer.forget();
            let (budget, mut random) = (ThinkBudget::OF_LEVEL.nodes(nodes), SeededRng::new(0));
            let thought = computer.think(&turn.asked, &budget, &mut random, &mut |_| {});
            chances.insert(turn.step, thought.unwrap().chance);
        }
    }
    let followed = chances.iter().filter(|it| only.is_empty() || only.contains(&(it.0 + 1)));
    followed
        .filter_map(|(step, before)| Some((step + 1, *before, 1_000 - chances.get(&(step + 1))?)))
        .collect()
}

fn drop_of(it: &(u32, u16, u16)) -> i32 {
    i32::from(it.1) - i32::from(it.2)
}

#[test]
#[ignore = "takes minutes: only to make the reference again"]
fn writes_the_reference_of_reviews() {
    let mut text = String::new();
    for name in GAMES {
        let file = folder().join(format!("{name}.txt"));
        let costs = measured(&file, REFERENCE, &[]);
        let turned: Vec<u32> =
            costs.iter().filter(|it| drop_of(it) >= TURNED).map(|it| it.0).collect();
        let second: BTreeMap<u32, i32> =
            measured(&file, SECOND, &turned).iter().map(|it| (it.0, drop_of(it))).collect();
        for it in costs.iter().filter(|it| drop_of(it) >= LISTED) {
            let (number, before, after) = it;
            let second = second.get(number).map(|it| format!(" {it}")).unwrap_or_default();
            writeln!(text, "{name} {number} {before} {after}{second}").unwrap();
        }
    }
    std::fs::write(folder().join("falls.txt"), text).unwrap();
}

#[test]
#[ignore = "takes minutes: to measure reviews of other games"]
fn reviews_of_other_games_are_measured() {
    let Ok(other) = std::env::var("GAMES_DIR") else { return };
    let files = std::fs::read_dir(other).unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|it| it.extension().is_some_and(|it| it == "txt")).collect();
    files.sort();
    let (mut all, mut found, mut listed, mut first, mut with_any) = (0, 0, 0, 0, 0);
    for file in &files {
        let costs: BTreeMap<u32, i32> =
            measured(file, REFERENCE, &[]).iter().map(|it| (it.0, drop_of(it))).collect();
        let named = named(&analysed(file));
        let turned: Vec<u32> = costs.iter().filter(|it| *it.1 >= TURNED).map(|it| *it.0).collect();
        let missed: Vec<_> =
            turned.iter().filter(|it| named.iter().all(|(n, _)| n != *it)).collect();
        println!("{}: {turned:?}, missed {missed:?}", file.display());
        all += turned.len();
        found += turned.len() - missed.len();
        listed += named.len();
        with_any += usize::from(!turned.is_empty());
        let largest = turned.iter().max_by_key(|it| costs[*it]);
        first += usize::from(largest.is_some_and(|it| named.first().is_some_and(|n| n.0 == *it)));
    }
    println!("{found} of {all} named, {listed} listed; the largest first in {first} of {with_any}");
}

/// What moves cost by the reference and by the second opinion, by their numbers.
fn reference(name: &str) -> BTreeMap<u32, (i32, i32)> {
    let text = std::fs::read_to_string(folder().join("falls.txt")).unwrap();
    let own = text.lines().map(|it| it.split(' ').collect::<Vec<_>>());
    own.filter(|it| it[0] == name)
        .map(|it| {
            let number = |n: usize| it.get(n).map_or(0, |it| it.parse::<i32>().unwrap());
            (number(1) as u32, (number(2) - number(3), number(4)))
        })
        .collect()
}

/// A finished analysis.
fn analysed(file: &Path) -> GameAnalysis {
    analysis(togyzkumalak::ID, turns(file))
}

fn analysis(game: GameId, turns: Vec<GameDecision>) -> GameAnalysis {
    let stop = AtomicBool::new(false);
    let mut analysis = GameAnalysis::new(game, turns).unwrap();
    let mut progress = 0;
    while analysis.analyse_next(&stop) {
        let now = analysis.progress_percent();
        assert!((progress..=100).contains(&now), "{progress} to {now} percent");
        progress = now;
    }
    analysis
}

/// The moves that a review names with what each cost, the first first.
fn named(analysis: &GameAnalysis) -> Vec<(u32, u16)> {
    let (turns, verdicts) = analysis.verdicts();
    let fall = |n: usize| (turns[n].step + 1, verdicts[n].as_ref().unwrap().chance_drop());
    largest_falls(turns, verdicts).into_iter().map(fall).collect()
}

fn every_turning_point_is_named(name: &str) -> Vec<(u32, u16)> {
    let analysis = analysed(&folder().join(format!("{name}.txt")));
    let (named, reference) = (named(&analysis), reference(name));
    let limit = SECONDS * togyzkumalak::ID.nodes_per_second();
    assert!(analysis.nodes() <= limit, "{} positions, at most {limit}", analysis.nodes());
    assert!(named.is_sorted_by(|a, b| a.1 >= b.1), "the largest drop first: {named:?}");
    let is_named = |number: &u32| named.iter().any(|(it, _)| it == number);
    let turned: Vec<_> = reference.iter().filter(|it| it.1.0 >= TURNED).collect();
    for (number, costs) in turned.iter().filter(|it| it.1.1 >= TURNED) {
        assert!(is_named(number), "move {number} cost {costs:?}: {named:?}");
    }
    if let Some(most) = turned.iter().map(|it| it.1.0).max() {
        let first = reference.get(&named[0].0).map_or(0, |it| it.0);
        assert!(first + APART >= most, "{named:?} begins with {first}, not {most}");
    }
    named
}

#[test]
fn a_review_names_where_batyrbek_and_zkriyayev_turned() {
    every_turning_point_is_named("batyrbek-zkriyayev");
}

#[test]
fn a_review_names_where_kabiyev_and_bostandykov_turned() {
    every_turning_point_is_named("kabiyev-bostandykov");
}

#[test]
fn a_review_names_where_kaidarov_and_daken_turned() {
    every_turning_point_is_named("kaidarov-daken");
}

#[test]
fn a_review_names_where_temirbayev_and_aitbayev_turned() {
    every_turning_point_is_named("temirbayev-aitbayev");
}

#[test]
fn a_review_names_all_the_moves_that_turned_a_wild_game() {
    let named = every_turning_point_is_named("zhandarbek-bostandykov");
    assert!(named.len() > 5, "{named:?}");
}

#[test]
fn the_same_game_always_turned_at_the_same_moves() {
    let named = every_turning_point_is_named("kabiyev-kaiyrzhanov");
    assert_eq!(named, every_turning_point_is_named("kabiyev-kaiyrzhanov"));
}

/// The decisions of a game with random actions.
fn random_turns(game: GameId, seats: u8, steps: usize) -> Vec<GameDecision> {
    let start = game.start_match(&game.info().default_options(), seats).unwrap();
    let (mut play, mut numbers) = (start.clone_box(), SeededRng::new(7));
    let mut log: Vec<(Option<u8>, String)> = Vec::new();
    while log.len() < steps {
        match play.node() {
            Node::Over(_) => break,
            Node::Chance => {
                let token = play.draw_chance(&mut numbers);
                play.apply_chance(&token).unwrap();
                log.push((None, token));
            }
            Node::Act(seat) => {
                let choices = play.choices(seat);
                let chosen = &choices[(numbers.bits() % choices.len() as u64) as usize].token;
                play.apply_action(seat, chosen).unwrap();
                log.push((Some(seat.0), chosen.clone()));
            }
        }
    }
    decisions(start, log.iter().map(|(seat, token)| (*seat, &**token)))
}

#[test]
fn games_of_chance_are_judged_the_same_every_time() {
    for (game, seats) in [(thaayam::ID, 2), (thaayam::ID, 4), (blot::ID, 4)] {
        let verdicts = || -> Vec<Option<DecisionVerdict>> {
            analysis(game, random_turns(game, seats, 30)).verdicts().1.to_vec()
        };
        let first = verdicts();
        assert!(first.iter().flatten().any(|it| it.is_sure && it.chance_drop() > 0));
        assert_eq!(first, verdicts());
    }
}

#[test]
fn long_games_take_hardly_longer_than_short_ones() {
    let first_pass = |turns| AnalysisEffort::for_game(togyzkumalak::ID, turns).first_pass;
    assert!(first_pass(20) >= first_pass(100) && first_pass(100) > first_pass(400));
    for turns in [4, 50, 100, 200, 400] {
        let ms = AnalysisEffort::expected_ms(turns);
        assert!(ms <= SECONDS * 1_000, "{turns} decisions: {ms} ms");
    }
}

#[test]
fn a_review_lists_every_moment_within_the_caption_of_a_picture() {
    let played = Played::new(togyzkumalak::ID, 2, 1).played_out();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    let turns = table_decisions(&table);
    let i18n = I18n::new();
    for count in [0, 1, 5, 6, 12, 13, 24] {
        let lost = |turn: &GameDecision| {
            let other = turn.asked.tokens().into_iter().find(|it| *it != turn.played)?;
            let (line, before) = (vec![other.clone()], 999 - turn.step as u16);
            let verdict = DecisionVerdict {
                best: other,
                line,
                before,
                after: 600,
                answer: None,
                is_sure: true,
            };
            Some(verdict)
        };
        let verdicts: Vec<_> = turns[turns.len() - count..].iter().map(lost).collect();
        let moments = turning_points(&table, &turns[turns.len() - count..], &verdicts);
        assert_eq!(moments.len(), count);
        let moments: Vec<ReviewedMove> = moments.into_iter().map(ReviewedMove::from).collect();
        let numbers: Vec<String> = moments.iter().map(|it| it.shown_number().to_string()).collect();
        let mut review = GameReview::default();
        review.moments = moments;
        let view = review_view(&table, &review);
        assert_eq!(view.button_rows.iter().flatten().count(), count, "a button for each");
        let sides: Vec<Vec<u8>> = (0..4).map(|it| vec![it]).collect();
        review.shares = result_shares(&sides, &[-999; 4], &[0, 1, 2, 3]);
        let view = review_view(&table, &review);
        assert_eq!(view.button_rows.iter().flatten().count(), count + 1, "and one about luck");
        for lang in Lang::all() {
            let said: Vec<String> =
                view.texts.iter().map(|it| i18n.translate_plain(*lang, it)).collect();
            let said = said.join("\n");
            let length = said.encode_utf16().count();
            println!("{count} moments, {lang:?}: {length}\n{said}");
            assert!(length <= 1_000, "{count} moments, {lang:?}: {length}\n{said}");
            assert!(numbers.iter().all(|it| said.contains(it)), "{lang:?}: {numbers:?}\n{said}");
        }
    }
}

#[test]
fn luck_and_play_of_a_game_with_dice_add_up_to_its_result() {
    let played = Played::new(thaayam::ID, 2, 1).played_out();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    let mut analysis = GameAnalysis::new(thaayam::ID, reviewed_decisions(&table)).unwrap();
    assert!(!analysis.has_judged_all());
    while analysis.analyse_next(&AtomicBool::new(false)) {}
    assert!(analysis.has_judged_all());
    let (turns, verdicts) = analysis.verdicts();
    let shares = table_result_shares(&table, &[vec![0], vec![1]], turns, verdicts);
    let [one, other] = &shares[..] else { panic!("{shares:?}") };
    assert!(one.own_mistakes > 0 && other.own_mistakes > 0, "nobody plays at random that well");
    assert_eq!((one.own_mistakes, one.luck), (other.others_mistakes, -other.luck));
    for it in &shares {
        assert_eq!(it.start - it.own_mistakes + it.others_mistakes + it.luck, it.result);
    }
    let view = luck_view(&table, &shares);
    assert_eq!(view.texts.len(), 4, "a line for each side between the title and the explanation");
}

/// A game that is judged for the quality of play needs no review to know its luck.
#[test]
fn luck_is_known_where_the_decisions_of_all_seats_are_judged() {
    let played = Played::new(thaayam::ID, 2, 1).played_out_with_undos();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    let verdicts = |turns: &[GameDecision]| -> Vec<Option<DecisionVerdict>> {
        let verdict = |turn: &GameDecision| DecisionVerdict {
            best: turn.played.clone(),
            line: Vec::new(),
            before: 500,
            after: 500 - u16::from(turn.seat),
            answer: None,
            is_sure: true,
        };
        turns.iter().map(|it| Some(verdict(it))).collect()
    };
    let (judged, reviewed) = (decisions_to_judge(&table), reviewed_decisions(&table));
    assert!(judged.len() > reviewed.len(), "some were taken back");
    let shares = judged_table(&table, &judged, &verdicts(&judged)).unwrap().shares;
    let sides = chart_sides(&table);
    assert_eq!(shares, table_result_shares(&table, &sides, &reviewed, &verdicts(&reviewed)));
    assert_eq!(shares.len(), 2);
}

#[test]
fn moves_that_were_taken_back_are_not_reviewed() {
    let played = Played::new(thaayam::ID, 2, 1).played_out_with_undos();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    let (all, reviewed) = (table_decisions(&table), reviewed_decisions(&table));
    let is_among = |turns: &[GameDecision], step: u32| turns.iter().any(|it| it.step == step);
    assert!(played.undone.len() > 10, "{:?}", played.undone);
    for step in played.undone {
        assert!(is_among(&all, step) && !is_among(&reviewed, step), "step {step}");
    }
    assert!(all.iter().any(|it| it.played == "undo"));
    assert!(reviewed.iter().all(|it| it.played != "undo"));
    assert!(reviewed.len() > 20, "{}", reviewed.len());
}

#[test]
fn a_game_without_chance_has_no_luck() {
    let played = Played::new(togyzkumalak::ID, 2, 1).played_out();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    assert!(table_result_shares(&table, &[vec![0], vec![1]], &[], &[]).is_empty());
}

/// In a game for the places, what the others do after the winner has finished changes nothing for
/// who wins: it is neither a turning point nor on the chart.
#[test]
fn a_review_ends_when_the_winner_has_finished() {
    let played = Played::by_house_rules(thaayam::ID, 3, 1, "pieces=2,play_on=yes").played_out();
    let table = Table::from_log(&TableId("7k3fx".into()), &played.lines).unwrap();
    let mut game = game_after_steps(&table, 0).unwrap();
    let (mut winner, mut changes, mut after) = (None, Vec::new(), 0);
    for (step, it) in (0..).zip(table.history.steps.iter()) {
        match it.seat {
            Some(seat) => game.apply_action(Seat(seat), it.token).unwrap(),
            None => game.apply_chance(it.token).unwrap(),
        }
        if winner.is_none() {
            winner = (0..3).find(|seat| game.place(Seat(*seat)).is_some());
            changes.push(step);
        }
        after += usize::from(winner.is_some() && game.ends_chart_step());
    }
    let winner = usize::from(winner.expect("somebody finished first"));
    assert!(after > 3, "the others played on");
    let (all, turns) = (table_decisions(&table), reviewed_decisions(&table));
    assert!(turns.len() > 5 && turns.iter().all(|it| changes.contains(&it.step)));
    assert!(all.iter().any(|it| !changes.contains(&it.step)), "they decided, too");

    // Each decision leaves 40 of 100 chances.
    let verdict = |it: &GameDecision| {
        let (best, line) = (it.played.clone(), vec![it.played.clone()]);
        let (before, after) = (400, 400);
        Some(DecisionVerdict { best, line, before, after, answer: None, is_sure: true })
    };
    let verdicts: Vec<_> = turns.iter().map(verdict).collect();
    let chances = win_chances(&table, &chart_sides(&table), &turns, &verdicts);
    let won: Vec<i32> = (0..3).map(|it| if it == winner { 100 } else { 0 }).collect();
    let (before, since) = chances.split_at(chances.len() - after - 1);
    assert!(since.iter().all(|it| *it == won), "{since:?}");
    assert!(before.iter().all(|it| *it != won), "{before:?}");
}
