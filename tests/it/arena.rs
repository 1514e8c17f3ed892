//! `caravanserai-tools arena`: reproducible results, seats that cancel out, error messages.

use caravanserai_games::blot;
use caravanserai_games::computer_ratings::{LevelRating, read_ratings};
use caravanserai_games::rules::{Node, Viewer};
use caravanserai_games::search::{ComputerLevel, SeededRng};
use caravanserai_tools::arena::{self, ArenaReport};
use caravanserai_tools::args::{ArenaArgs, ToolsCli, ToolsCommand};
use clap::Parser;

fn args(line: &str) -> ArenaArgs {
    let words = ["caravanserai-tools", "arena"].into_iter().chain(line.split(' '));
    match ToolsCli::try_parse_from(words).unwrap().command {
        ToolsCommand::Arena(args) => args,
        _ => panic!("{line}"),
    }
}

fn played(line: &str) -> ArenaReport {
    arena::run_arena(&args(line), &mut |_| {}).unwrap_or_else(|wrong| panic!("{line}: {wrong:#}"))
}

fn refused(line: &str) -> String {
    format!("{:#}", arena::run_arena(&args(line), &mut |_| {}).unwrap_err())
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for line in [
        "togyzkumalak --a easy --b beginner --games 8 --seed 5",
        "thaayam --a easy --b beginner --games 6 --seats 3",
        "blot --a easy --b beginner --games 12 --seed 9",
        "blot --a easy --b beginner --games 12 --contract",
    ] {
        let one = played(&format!("{line} --threads 1"));
        let three = played(&format!("{line} --threads 3"));
        assert_eq!(one.result, three.result, "{line}");
        assert!(one.result.contains("games with errors: 0"));
        assert!(one.times.contains("ms a decision"));
    }
    let one = played("blot --a easy --b beginner --games 12 --seed 1 --threads 1");
    let other = played("blot --a easy --b beginner --games 12 --seed 2 --threads 1");
    assert_ne!(one.result, other.result);
}

#[test]
fn a_player_is_exactly_as_strong_as_itself() {
    let result = played("togyzkumalak --a easy --b easy --games 6 --threads 2").result;
    assert!(result.contains("score 50.0 % (95 %: 12.5 to 87.5), Elo 0 (95 %: -"), "{result}");
    let result = played("thaayam --a easy --b easy --games 8 --threads 2").result;
    assert!(result.contains("won 2, drawn 0, lost 6\nscore 25.0 % (95 %: "), "{result}");
    assert!(result.contains("even would be 25.0 %"), "{result}");
    let result = played("thaayam --a easy --b easy --games 2 --options partners=yes").result;
    assert!(result.contains("won 1, drawn 0, lost 1"), "{result}");
    let result = played("blot --a easy --b easy --games 8 --threads 2").result;
    assert!(result.contains("match points more than the others: +0.00 (standard error 0.00)"));
    assert!(result.contains("card points over 81: +0.00 (standard error 0.00)"), "{result}");
}

/// An hour of games is not needed to see that beginner is weaker than medium.
#[test]
fn a_sequential_test_ends_the_match_when_the_games_decide() {
    let line = "togyzkumalak --a medium --b beginner --games 400 --seed 3 --sprt 0:100";
    let one = played(&format!("{line} --threads 1")).result;
    assert_eq!(one, played(&format!("{line} --threads 3")).result);
    assert!(one.contains("SPRT of Elo 0 and 100 (5 % errors): 100 accepted"), "{one}");
    let games: u64 = one.lines().nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(games < 100 && games.is_multiple_of(16), "{one}");
    let equal = "togyzkumalak --a beginner --b beginner --games 16 --sprt -10:10";
    let open = played(equal).result;
    assert!(open.contains("-10 and 10 (5 % errors): not decided, log-likelihood ratio 0.00"));
    let alone = refused("thaayam --a easy --b easy --games 8 --sprt 0:10");
    assert_eq!(alone, "--sprt compares two sides: take --seats 2");
}

#[test]
fn whole_matches_of_blot_end() {
    let result = played("blot --a easy --b beginner --games 2 --match --options target=101").result;
    assert!(result.contains("2 games of 1 streams of deals"), "{result}");
}

#[test]
fn a_given_contract_is_the_same_for_all_players() {
    let mut game = blot::ID.start_match("standard", 4).unwrap();
    let mut rng = SeededRng::new(3);
    let mut rounds = 0;
    while rounds < 20 {
        let token = game.draw_chance(&mut rng);
        game.apply_chance(&token).unwrap();
        let mut calls = Vec::new();
        while let Some(token) = game.scripted_action() {
            let Node::Act(seat) = game.node() else { panic!() };
            game.apply_action(seat, &token).unwrap();
            calls.push(token);
        }
        let bids: Vec<_> = calls.iter().filter(|it| *it != "pass").collect();
        assert!(matches!(&bids[..], [bid] if bid.starts_with('8')), "{calls:?}");
        while let Node::Act(seat) = game.node() {
            let token = game.engine_question(seat).unwrap().tokens().remove(0);
            game.apply_action(seat, &token).unwrap();
        }
        rounds += 1;
        let measured = game.measured_values();
        assert_eq!(measured[0].by_seat[0], -measured[0].by_seat[1]);
        assert_eq!(measured[1].by_seat[2], -measured[1].by_seat[3]);
        if matches!(game.node(), Node::Over(_)) {
            game = blot::ID.start_match("standard", 4).unwrap();
        }
    }
    assert!(!game.board_text(Viewer::Public).is_empty());
}

#[test]
fn a_table_has_a_row_for_everybody() {
    let outcome = played("thaayam --table --games 2 --options pieces=1 --threads 2");
    let rows: Vec<&str> = outcome.result.lines().collect();
    assert_eq!(rows[0].matches('|').count(), 10, "{}", outcome.result);
    assert!(rows[2].starts_with("| beginner | 0 | 0 | 8 | |"), "{}", outcome.result);
    assert!(rows[6].starts_with("| master |"));
    assert_eq!(outcome.times.lines().count(), 5);
}

#[test]
fn ratings_are_written_as_the_games_read_them() {
    let line = "blot --ratings --games 4 --master-games 2 --seed 3";
    let text = played(&format!("{line} --threads 2")).result;
    assert_eq!(text, played(&format!("{line} --threads 1")).result);
    assert!(text.contains(&format!("\n# caravanserai-tools arena {line}\n")), "{text}");
    let ratings: Vec<LevelRating> = read_ratings(&text).collect();
    let levels: Vec<ComputerLevel> = ratings.iter().map(|it| it.level).collect();
    assert_eq!(levels, ComputerLevel::ALL);
    assert!(ratings.iter().all(|it| it.list == "pairs"), "{text}");
    let medium = &ratings[2];
    // Two neighbours, and two others with one unit each.
    assert_eq!((medium.points, medium.interval, medium.games), (1500, 0, 12));
}

#[test]
fn progress_is_reported_unit_by_unit() {
    let mut seen = Vec::new();
    let args = args("blot --a easy --b easy --games 9 --threads 2");
    arena::run_arena(&args, &mut |it| seen.push((it.played, it.total))).unwrap();
    assert_eq!(seen, [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]);
}

#[test]
fn mistakes_are_answered_with_a_sentence() {
    for (line, said) in [
        ("chess --a easy --b easy", "there is no game chess; there is togyzkumalak, thaayam, blot"),
        ("blot --a genius --b easy", "there is no player genius of blot; there is beginner, easy"),
        ("blot --b easy", "--a PLAYER is missing"),
        ("blot --a easy:soon --b easy", "expected a number of milliseconds after the colon"),
        ("blot --a easy:0 --b easy", "expected a number of milliseconds after the colon"),
        ("blot --a easy:0n --b easy", "or of positions and an n"),
        ("blot --a easy --b easy --games 0", "--games is at least 1"),
        ("blot --a easy --b easy --threads 0", "--threads is at least 1"),
        ("blot --a easy --b easy --seats 3", "blot is played on 4 to 4 seats"),
        ("blot --a easy --b easy --options x=1", "there are no house rules x=1 in blot"),
        ("blot --a easy --b easy --plies 3", "chance makes games of blot differ"),
        ("togyz --a easy --b easy --contract", "there are no contracts in togyzkumalak"),
        ("blot --a easy --b easy --contract --match", "--contract is of one round"),
        ("thaayam --table --seats 4", "a table compares two sides"),
    ] {
        let answer = refused(line);
        assert!(answer.contains(said), "{line}: {answer}");
    }
}
