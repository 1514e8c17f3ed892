//! Togyzkumalak as a whole: the mistakes that other programs make, records, random play.

use caravanserai_games::RecordHeading;
use caravanserai_games::rules::{Entropy, IllegalReason, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::togyzkumalak;
use caravanserai_games::togyzkumalak::notation::moves::play_written;
use caravanserai_games::togyzkumalak::notation::position::{
    Diagram, read_position, write_playstrategy, write_position,
};
use caravanserai_games::togyzkumalak::notation::{
    Form, MoveFault, NotatedMove, read_games, replay, write_record,
};
use caravanserai_games::togyzkumalak::record_commands::{perft, replay_text};
use caravanserai_games::togyzkumalak::{
    Sow, Sown, TogyzkumalakIllegal, TogyzkumalakPhase, TogyzkumalakPosition,
};
use caravanserai_games::togyzkumalak::{Togyzkumalak, Variant, caption};
use caravanserai_i18n::vocabulary;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use proptest::prelude::*;

use crate::game_conformance::Seeded;

mod engine;

/// Plays pits from a position and compares what comes of it.
fn check(variant: Variant, before: &str, pits: &[u8], after: &str) {
    let (mut position, mut plies) = read_position(before, variant).expect("a position");
    for pit in pits {
        assert!(position.moves() >> (pit - 1) & 1 == 1, "pit {pit} of {before}");
        position.play(pit - 1);
        plies += 1;
    }
    assert_eq!(write_position(&position, plies), after, "{before} {pits:?}");
}

fn check_all(before: &str, pits: &[u8], after: &str) {
    for variant in Variant::ALL {
        check(variant, before, pits, after);
    }
}

#[test]
fn an_empty_pit_and_a_forbidden_extra_move_are_distinct_errors() {
    let before = "0,0,0,37,1,0,0,0,1/2,3,3,3,3,3,3,3,2 55 43 f 0";
    let (mut position, _) = read_position(before, Variant::Seed).unwrap();
    let wrong = play_written(&mut position, &NotatedMove::read("1").unwrap());
    assert_eq!(wrong.unwrap_err(), MoveFault::EmptyPit { side: 0, extra: false, pit: 0 });
    assert_eq!(write_position(&position, 0), before, "nothing was played");
}

#[test]
fn thirty_seven_stones_go_round_twice() {
    let before = "0,0,0,37,1,0,0,0,1/2,3,3,3,3,3,3,3,2 55 43 f 0";
    check_all(before, &[4], "2,2,2,3,3,2,2,2,3/4,5,5,5,5,5,5,5,4 55 43 s 1");
}

#[test]
fn thirty_six_stones_end_behind_the_start_pit() {
    let before = "0,0,0,36,2,0,0,0,1/2,3,3,3,3,3,3,3,2 55 43 f 0";
    check_all(before, &[4], "2,2,2,2,4,2,2,2,3/4,5,5,5,5,5,5,5,4 55 43 s 1");
}

#[test]
fn a_pile_of_nearly_all_stones_goes_round_eight_times() {
    let before = "160,0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0,0 1 0 f 0";
    let after = "9,9,9,9,9,9,9,9,9/10,9,9,9,9,9,9,8,8 1 0 s 1";
    check_all(before, &[1], after);
}

#[test]
fn a_last_stone_in_a_tuzdyk_does_nothing_else() {
    let before = "1,0,0,0,0,0,0,0,5/3,3,3,T,3,3,3,3,3 60 72 f 0";
    check_all(before, &[9], "1,0,0,0,0,0,0,0,1/4,4,4,T,3,3,3,3,3 61 72 s 1");
    let before = "0,0,2,T,0,0,0,0,5/3,3,3,3,3,3,3,3,3 60 68 f 0";
    check_all(before, &[3], "0,0,1,T,0,0,0,0,5/3,3,3,3,3,3,3,3,3 60 69 s 1");
}

#[test]
fn pit_nine_never_becomes_a_tuzdyk() {
    let before = "0,0,0,0,0,0,0,0,10/3,3,3,3,3,3,3,3,2 60 66 f 0";
    check_all(before, &[9], "0,0,0,0,0,0,0,0,1/4,4,4,4,4,4,4,4,3 60 66 s 1");
}

#[test]
fn the_number_of_the_others_tuzdyk_cannot_be_taken() {
    let before = "3,3,3,3,11,T,3,3,3/3,3,3,3,3,2,3,3,3 50 54 f 0";
    check_all(before, &[5], "3,3,3,3,1,T,4,4,4/4,4,4,4,4,3,3,3,3 50 55 s 1");
    let facing = "3,3,3,T,3,3,3,3,7/3,3,3,3,3,2,3,3,3 50 58 f 0";
    // Pit 6 faces pit 4, which does not matter.
    check_all(facing, &[9], "3,3,3,T,3,3,3,3,1/4,4,4,4,4,T,3,3,3 53 58 s 1");
}

#[test]
fn a_single_stone_captures_and_makes_a_tuzdyk() {
    let before = "3,0,0,0,0,0,0,0,1/3,9,9,9,9,9,9,9,9 40 43 f 0";
    check_all(before, &[9], "3,0,0,0,0,0,0,0,0/0,9,9,9,9,9,9,9,9 44 43 s 1");
    let before = "3,0,0,0,0,0,0,0,1/2,9,9,9,9,9,9,9,9 40 44 f 0";
    check_all(before, &[9], "3,0,0,0,0,0,0,0,0/T,9,9,9,9,9,9,9,9 43 44 s 1");
}

#[test]
fn emptying_the_own_side_does_not_end_the_game() {
    let before = "0,0,0,0,0,0,0,0,2/0,0,0,0,0,0,0,0,1 78 81 s 0";
    check_all(before, &[9], "1,0,0,0,0,0,0,0,2/0,0,0,0,0,0,0,0,0 78 81 f 1");
    check_all(before, &[9, 9], "1,0,0,0,0,0,0,0,1/1,0,0,0,0,0,0,0,0 78 81 s 2");
}

#[test]
fn the_one_with_stones_left_collects_them() {
    let before = "0,0,0,0,0,2,0,0,0/0,0,0,0,0,0,0,0,1 80 79 s 0";
    let after = "0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0 83 79 - 2";
    check(Variant::Seed, before, &[9, 6], after);
    check(Variant::Short, before, &[9, 6], after);
}

#[test]
fn random_play_looks_like_that_of_other_programs() {
    let mut random = Seeded(2026);
    let games = 20_000;
    let (mut plies, mut moves) = (0_u64, 0_u64);
    let mut results = [0_u32; 3];
    let mut majority = 0_u32;
    for _ in 0..games {
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        while !position.is_over() {
            let n = position.moves_len();
            moves += u64::from(n);
            plies += 1;
            position.play(position.nth_move(random.below(u32::from(n)) as u8));
        }
        let [first, second] = position.kazans();
        let chat = match first.cmp(&second) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        results[chat] += 1;
        majority += u32::from(position.phase() == TogyzkumalakPhase::Majority);
    }
    let share = |count: u32| f64::from(count) / f64::from(games);
    let near = |value: f64, target: f64, within: f64| {
        assert!((value - target).abs() < within, "{value} is not near {target}");
    };
    near(plies as f64 / f64::from(games), 124.4, 1.2);
    near(moves as f64 / plies as f64, 7.0, 0.02);
    near(share(results[2]), 0.5314, 0.012);
    near(share(results[1]), 0.0218, 0.004);
    near(share(majority), 0.858, 0.01);
}

const FEDERATION: &str = "\
1. 76 98  2. 66 87  3. 12 76  4. 25 78  5. 48 36x
6. 94 16  7. 84 82  8. 91x 97  9. 18 26  10. 91 23
24 | 1 1 5 7 6 18 6 - X | 1 2 20 7 19 X 1 2 - | 42
0,5-0,5
";

const PLAYOK: &str = "\
[Event \"?\"]
[Site \"PlayOK\"]
[Result \"1-0\"]
[TimeControl \"300\"]

1. 76(10) 98 2. 66 87(4) 3. 12(22) 76(8) 4. 25(34) 78 5. 48(38) 36X
";

fn last_line_of_positions(record: &str) -> String {
    let text = replay_text(record, None).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len() - 2].to_owned()
}

#[test]
fn a_federation_record_replays_with_its_diagram() {
    let line = last_line_of_positions(FEDERATION);
    assert!(line.ends_with("1,2,20,7,19,T,1,2,0/T,0,6,18,6,7,5,1,1 42 24 f 20"), "{line}");
}

#[test]
fn a_playok_record_replays_with_its_kazans() {
    assert!(replay_text(PLAYOK, None).unwrap().starts_with("variant short\n"));
    let gains = PLAYOK.replace("12(22)", "12(12)").replace("87(4)", "87(4)!");
    assert!(replay_text(&gains, None).is_ok(), "a gain instead of the kazan");
}

#[test]
fn comments_and_logs_are_passed_over() {
    let record =
        "[White \"{\"]\n% {\"a\": 1\n# {\n76 {zero {} 98\n% s1 {\n{ over\n 11 lines } 66 *\n";
    assert_eq!(last_line_of_positions(record), last_line_of_positions("76 98 66"));
    let two = "[White \"A\"]\n76 98 *\n[White \"B\"]\n54 *\n";
    assert!(replay_text(two, None).unwrap().contains("game 2\n"));
    let unnamed = replay_text("76 98 1-0\n54 1/2-1/2 1. 76 - 98 +-", None).unwrap();
    assert!(unnamed.contains("game 3\n"), "{unnamed}");
}

#[test]
fn the_record_of_a_table_replays() {
    let mut game = togyzkumalak::ID.start_match("seed", 2).unwrap();
    let mut tokens = Vec::new();
    for token in ["7", "9", "6", "8"] {
        let Node::Act(seat) = game.node() else { panic!("the game goes on") };
        game.apply_action(seat, token).unwrap();
        tokens.push((Some(seat), token));
    }
    let heading = RecordHeading {
        names: vec!["Ann \"A\"".into(), "Боб".into()],
        date: "2026.11.21".into(),
        site: "here".into(),
        result: Some(vec![0, 1]),
    };
    let record = game.write_record(&heading, "seed", &tokens);
    assert!(record.contains("1. 76(10) 98"), "{record}");
    assert!(record.ends_with(" 0-1\n"), "{record}");
    assert_eq!(last_line_of_positions(&record), last_line_of_positions("7 9 6 8"));
}

#[test]
fn letters_digits_and_bare_pits_tell_the_same_game() {
    let letters = last_line_of_positions("g1d2 a2h1");
    assert_eq!(letters, last_line_of_positions("76 98"));
    assert_eq!(letters, last_line_of_positions("7 9"));
    assert_eq!(letters, last_line_of_positions("1.76 98 *"));
}

#[test]
fn a_false_claim_is_refused_with_its_line() {
    let cases = [
        ("76\n98\n65", 3, "move 3: the last of 10 stones from pit 6 falls into pit 6, not 5"),
        ("76\n\n6 9 hello", 3, "\"hello\" is not a move"),
        ("76(11)", 1, "move 1: the kazan holds 10 after gaining 10, not 11"),
        ("7 9 7X", 1, "move 3: no tuzdyk is made in pit 8"),
        ("7 g1d2", 1, "move 2: it is the second player's turn"),
        ("+76", 1, "move 1: this is not an extra move"),
        ("76\n10 | 9 9 9 | 9 | 0", 2, "this diagram is not two kazans and two rows of nine"),
        ("98 22 87 12 76 25 65 13 93 25 54 0-1", 1, "the game ended 88-10, not so"),
        (
            "98 22 87 12 76 25 65 13 93 25 54\n11",
            2,
            "move 12 comes after the end of the game: a player had 82 stones or more with move 11",
        ),
        (
            "[White \"A\"]\n[Result \"0-1\"]\n\n98 22 87 12 76 25 65 13 93 25 54",
            2,
            "the game ended 88-10, not so",
        ),
        ("1. 76 98\n3. 65", 2, "the number of the next move is 2, not 3"),
        ("1. 76 2. 98", 1, "the number of the next move is 1, not 2"),
        ("2.76 98", 1, "the number of the next move is 1, not 2"),
        ("76 98 1-0\n2. 76 98", 2, "the number of the next move is 1, not 2"),
        ("[Variant \"sxed\"]\n\n76", 1, "there is no variant \"sxed\""),
        ("{ never closed", 1, "a comment is never closed"),
        ("", 1, "there is no game in this"),
    ];
    for (record, line, message) in cases {
        let refused = replay_text(record, None).unwrap_err();
        assert_eq!(
            (refused.line, refused.kind.to_string().as_str()),
            (line, message),
            "{record:?}"
        );
    }
    let wrong_diagram = FEDERATION.replace("24 | 1 1", "24 | 2 -");
    assert_eq!(replay_text(&wrong_diagram, None).unwrap_err().line, 3);
}

#[test]
fn numbers_count_the_moves_of_the_first_player() {
    for right in ["1. 76 1... 98 2. 6 9 *", "1.76 98 2.6", "76 98 2. 6", "1. 76 98 *\n2. 6"] {
        assert!(replay_text(right, None).is_ok(), "{right}");
    }
    // A record from a written position may count from an earlier game.
    let from = |side: &str, moves: &str| {
        let pits = "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0";
        replay_text(&format!("[Position \"{pits} {side} 0\"]\n{moves}"), None)
    };
    assert!(from("s", "7... 7 8. 9 6").is_ok());
    assert!(from("f", "7. 7 9 8. 6").is_ok());
    assert!(from("f", "7. 7 8. 9").is_err());
}

/// A game in which both sides walk round with one stone, and its moves.
fn walk_round(plies: usize) -> String {
    let pits = [[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0]];
    let variant = Variant::Seed;
    let mut position =
        TogyzkumalakPosition::new(pits, [80, 80], [None; 2], 0, false, variant).unwrap();
    let mut record = format!("[Position \"{}\"]\n", write_position(&position, 0));
    for _ in 0..plies {
        let pit = position.each_move().last().unwrap();
        position.play(pit);
        record.push_str(&format!("{}\n", pit + 1));
    }
    record
}

#[test]
fn a_record_ends_with_the_third_occurrence_of_a_position() {
    let drawn = walk_round(36);
    assert!(replay_text(&walk_round(35), None).unwrap().contains("\nnot finished, "));
    for result in ["", "1/2-1/2", "81-81", "*"] {
        let text = replay_text(&format!("{drawn}{result}"), None).unwrap();
        assert!(text.ends_with("\ndraw 81-81 by repetition\n"), "{text}");
    }
    for result in ["1-0", "0-1", "82-80"] {
        let wrong = replay_text(&format!("{drawn}{result}"), None).unwrap_err();
        assert_eq!(wrong.to_string(), "line 38: the game ended 81-81, not so");
    }
}

#[test]
fn moves_after_a_threefold_repetition_are_refused() {
    let record = walk_round(38);
    let said = "line 38: move 37 comes after the end of the game: it was drawn when the same \
                position came up for the third time with move 36";
    assert_eq!(replay_text(&record, None).unwrap_err().to_string(), said);
    let Err(drawn) = togyzkumalak::ID.read_record(&record, None) else {
        panic!("a record for pictures is read by the same rules")
    };
    assert_eq!(drawn.to_string(), said);
    let replay = togyzkumalak::ID.read_record(&walk_round(36), None).unwrap();
    assert_eq!(replay.result, None, "the game was played out");
    assert_eq!(replay.stills(Viewer::Public).unwrap().len(), 37);
}

#[test]
fn the_shortest_game_replays_to_its_score() {
    let text = replay_text("98 22 87 12 76 25 65 13 93 25 54 1-0", None).unwrap();
    assert!(text.ends_with("first wins 88-10 by majority\n"), "{text}");
}

#[test]
fn positions_of_other_programs_are_read() {
    let playstrategy = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
    let (position, plies) = read_position(playstrategy, Variant::Short).unwrap();
    let ours = "12,2,13,13,T,3,12,12,1/12,12,0,1,2,3,12,2,13 22 15 f 6";
    assert_eq!(write_position(&position, plies), ours);
    assert_eq!(write_playstrategy(&position, plies), playstrategy);
    let engine = "12,2,13,13,0,3,12,12,1/12,12,0,1,2,3,12,2,13/22,15/-1,4/0";
    assert_eq!(read_position(engine, Variant::Short).unwrap().0, position);
    let diagram = Diagram::from_position(&position).write();
    assert_eq!(read_position(&diagram, Variant::Short).unwrap().0, position);
    assert_eq!(perft(Some(ours), 1, Variant::Seed), Ok(8));
    assert_eq!(perft(None, 4, Variant::Seed), Ok(5_199));
}

#[test]
fn impossible_positions_are_refused_in_words() {
    let cases = [
        ("9,9/9,9 0 0 f 0", "is not a position"),
        ("9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,8 0 0 f 0", "161 stones"),
        ("0,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,T 9 9 f 0", "pit 9 of the second player"),
        ("9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0 f+ 0", "empty other side"),
        ("9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0 - 0", "marked as finished"),
        ("0,0,0,0,0,0,0,0,0/5,5,5,5,5,5,5,5,0 70 52 f 0", "first player has no stones"),
        ("5,5,5,5,5,5,5,5,0/0,0,0,0,0,0,0,0,0 70 52 s 0", "second player has no stones"),
        ("0,0,0,0,0,0,0,0,0/5,5,5,5,5,5,5,5,0 70 52 - 0", "marked as finished"),
    ];
    for variant in Variant::ALL {
        for (text, part) in cases {
            let refused = read_position(text, variant).unwrap_err();
            assert!(refused.to_string().contains(part), "{text}: {refused}");
        }
    }
}

#[test]
fn a_side_without_stones_is_never_to_move() {
    let over = |text: &str| read_position(text, Variant::Seed).unwrap().0.is_over();
    assert!(!over("0,0,0,0,0,0,0,0,0/5,5,5,5,5,5,5,5,0 70 52 s 0"));
    assert!(!over("0,0,0,0,0,0,0,0,0/5,5,5,5,5,5,5,5,0 70 52 s+ 0"));
    // Finished games.
    assert!(over("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,80 82 0 - 60"));
    assert!(over("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,80 82 0 f 60"));
    assert!(over("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0 83 79 - 2"));
    // A diagram does not say who is to move.
    let diagram = "52 | - 5 5 5 5 5 5 5 5 | - - - - - - - - - | 70";
    assert_eq!(read_position(diagram, Variant::Seed).unwrap().0.side(), 1);
}

/// The pits of a random game, cut at a length.
fn random_game(variant: Variant, seed: u64, plies_max: usize) -> Vec<Sow> {
    let mut random = Seeded(seed);
    let mut game = Togyzkumalak::start(&variant, 2).unwrap();
    let mut moves = Vec::new();
    while let Node::Act(seat) = game.node()
        && moves.len() < plies_max
    {
        let n = random.below(u32::from(game.position().moves_len()));
        let sow = Sow(game.position().nth_move(n as u8));
        game.apply_action(seat, &sow, &mut Vec::new()).unwrap();
        moves.push(sow);
    }
    moves
}

#[test]
fn capture_counts_of_other_notations_are_accepted() {
    let mut after = TogyzkumalakPosition::start(Variant::Seed);
    let real = after.play(6);
    assert_eq!((real.captured, after.kazans()), (10, [10, 0]));
    // As if three stones had fallen into the mover's own tuzdyk on the way.
    let sown = Sown { through: [3, 0], ..real };
    let says = |count| {
        let written = NotatedMove { count: Some(count), from: 6, ..NotatedMove::default() };
        written.contradiction(&sown, &after)
    };
    for fine in [0, 10, 13] {
        assert_eq!(says(fine), None, "{fine}");
    }
    for wrong in [3, 7, 11, 20] {
        assert!(matches!(says(wrong), Some(MoveFault::OtherCount { .. })), "{wrong}");
    }
}

#[test]
fn the_moves_of_a_record_decide_its_format_before_the_headers() {
    let form = |text: &str| read_games(text).unwrap()[0].form;
    assert_eq!(form("[White \"A\"]\n\n1. g1d2 *"), Form::PlayStrategy);
    assert_eq!(form("[Site \"playok.com\"]\n\n1. g1d2 *"), Form::PlayStrategy);
    assert_eq!(form("[Site \"playok.com\"]\n\n1. 76 *"), Form::PlayOk);
    assert_eq!(form("[White \"A\"]\n\n1. 76 *"), Form::Federation);
    assert_eq!(form("1. 76 *"), Form::Plain);
}

#[test]
fn a_tuzdyk_lies_where_it_can_and_its_pit_is_empty() {
    let position = |pits: [[u8; 9]; 2], tuzdyks| {
        let kazan = 162 - pits.as_flattened().iter().sum::<u8>();
        TogyzkumalakPosition::new(
            pits,
            [kazan / 2, kazan - kazan / 2],
            tuzdyks,
            0,
            false,
            Variant::Seed,
        )
    };
    let but = |pit: usize| {
        let mut row = [7; 9];
        row[pit] = 0;
        row
    };
    assert!(position([[7; 9], but(3)], [Some(3), None]).is_ok());
    assert!(position([but(4), but(3)], [Some(3), Some(4)]).is_ok());
    for (pits, tuzdyks, why) in [
        ([[7; 9], but(8)], [Some(8), None], "nobody may own the ninth pit"),
        ([[7; 9], [7; 9]], [Some(3), None], "stones lie there"),
        ([but(3), but(3)], [Some(3), Some(3)], "the other has that one already"),
    ] {
        assert!(position(pits, tuzdyks).is_err(), "{why}");
    }
}

#[test]
fn a_record_that_begins_with_the_second_player_says_so() {
    let mut start = TogyzkumalakPosition::start(Variant::Seed);
    start.play(6);
    let moves = [Sow(6), Sow(0)];
    let text = write_record(Form::Plain, &[], &start, &moves, None).unwrap();
    let line = text.lines().last().unwrap();
    assert!(line.starts_with("1... 7"), "{text}");
    assert!(line.contains(" 2. 1"), "{text}");
    let ordinary = TogyzkumalakPosition::start(Variant::Seed);
    let text = write_record(Form::Plain, &[], &ordinary, &moves, None).unwrap();
    assert!(!text.contains("1..."), "{text}");
}

#[test]
fn a_record_without_moves_has_no_line_that_begins_with_a_space() {
    for form in [Form::Federation, Form::PlayOk, Form::PlayStrategy, Form::Plain] {
        for headers in [&[][..], &[("White", "Ann")]] {
            let start = TogyzkumalakPosition::start(form.variant());
            let text = write_record(form, headers, &start, &[], None).unwrap();
            assert!(!text.lines().any(|line| line.starts_with(' ')), "{form:?}: {text:?}");
        }
    }
}

proptest! {
    #[test]
    fn records_read_back_what_was_written(seed: u64, plies_max in 0_usize..300, v in 0_usize..3) {
        let variant = Variant::ALL[v];
        let moves = random_game(variant, seed, plies_max);
        let start = TogyzkumalakPosition::start(variant);
        let mut end = start;
        for sow in &moves {
            end.play(sow.0);
        }
        let out_of_moves = end.phase() == TogyzkumalakPhase::Atsyrau;
        for form in [Form::Federation, Form::PlayOk, Form::PlayStrategy, Form::Plain] {
            let headers = [("White", "Ann \"A\" {x}"), ("Black", "Боб"), ("Site", "here")];
            let text = write_record(form, &headers, &start, &moves, None).unwrap();
            // As PlayOK marks a side that had no move left; nobody else does.
            prop_assert_eq!(text.contains("{zero}"), form == Form::PlayOk && out_of_moves);
            prop_assert!(!text.contains("Position"), "every game begins so: {text}");
            // Who has won is written although nobody has said so.
            prop_assert_eq!(text.trim_end().ends_with('*'), !end.is_over(), "{}", text);
            prop_assert_eq!(text.contains("[Result"), form == Form::PlayOk);
            // Which rules are meant goes without saying where there is one habit.
            let habit = variant == Variant::Seed && form.variant() == Variant::Seed;
            prop_assert_eq!(text.contains("Variant"), !habit);
            let games = read_games(&text).unwrap();
            prop_assert_eq!(games.len(), 1);
            let replayed = replay(&games[0], None).unwrap();
            prop_assert_eq!(replayed.variant, variant);
            let again: Vec<Sow> = replayed.moves.iter().map(|(sown, _)| Sow(sown.from)).collect();
            prop_assert_eq!(&again, &moves);
        }
    }

    #[test]
    fn positions_read_back_what_was_written(seed: u64, plies in 0_usize..200) {
        let mut position = TogyzkumalakPosition::start(Variant::Seed);
        let mut count = 0;
        for sow in random_game(Variant::Seed, seed, plies) {
            position.play(sow.0);
            count += 1;
        }
        let text = write_position(&position, count);
        let (again, plies) = read_position(&text, Variant::Seed).unwrap();
        prop_assert_eq!(write_position(&again, plies), text);
        prop_assert_eq!(again.is_over(), position.is_over());
        if !position.is_over() {
            prop_assert_eq!(again, position);
            let text = write_playstrategy(&position, count);
            if position.phase() == TogyzkumalakPhase::Turn {
                prop_assert_eq!(read_position(&text, Variant::Seed).unwrap().0, position);
            }
        }
    }

    #[test]
    fn no_text_makes_the_readers_panic(
        text in "\\PC{0,80}",
        line in "[0-9a-iTtXx+(){}|/,. SNfs\\n-]{0,120}",
    ) {
        for text in [text, line] {
            let _ = replay_text(&text, None);
            let _ = read_position(&text, Variant::Seed);
            let _ = NotatedMove::read(&text);
            let game = Togyzkumalak::start(&Variant::Seed, 2).unwrap();
            let _ = game.parse_move(Seat(0), &text, vocabulary().game_words("togyzkumalak"));
            let _ = Sow::read(&text);
        }
    }
}

#[test]
fn every_text_has_its_words_with_its_arguments() {
    let words = Words::new();
    for variant in Variant::ALL {
        for seed in 0..60 {
            let mut game = Togyzkumalak::start(&variant, 2).unwrap();
            let mut facts = Vec::new();
            for sow in random_game(variant, seed, 1_000) {
                let Node::Act(seat) = game.node() else { break };
                game.apply_action(seat, &sow, &mut facts).unwrap();
                let view = game.view(Viewer::Public);
                for text in caption::caption(&view).iter().chain(&caption::text_board(&view)) {
                    words.check(text);
                }
            }
            let view = game.view(Viewer::Public);
            let mut refused = Togyzkumalak::start(&variant, 2).unwrap();
            for (seat, pit) in [(1, 0), (0, 9)] {
                let illegal = refused.apply_action(Seat(seat), &Sow(pit), &mut facts).unwrap_err();
                words.check(&caption::refuse(&view, Seat(seat), &Sow(pit), illegal));
            }
            for illegal in TogyzkumalakIllegal::ALL {
                words.check(&caption::refuse(&view, Seat(0), &Sow(0), *illegal));
            }
        }
    }
}

/// The English messages, to see that each text fits one.
struct Words(FluentBundle<FluentResource>);

impl Words {
    fn new() -> Self {
        let text = include_str!("../../../templates/en/togyzkumalak.ftl");
        let resource = FluentResource::try_new(text.to_owned()).expect("well-formed messages");
        let mut bundle = FluentBundle::new(vec!["en".parse().expect("a language")]);
        bundle.add_resource(resource).expect("no message twice");
        Words(bundle)
    }

    fn check(&self, text: &Text) {
        let message = self.0.get_message(&text.key);
        let message = message.unwrap_or_else(|| panic!("no message {}", text.key));
        let mut args = FluentArgs::new();
        for (name, arg) in &text.args {
            match arg {
                Arg::Number(number) => args.set(name.as_ref(), *number),
                _ => args.set(name.as_ref(), "Ann"),
            }
        }
        let mut errors = Vec::new();
        let pattern = message.value().expect("a message has words");
        self.0.format_pattern(pattern, Some(&args), &mut errors);
        assert!(errors.is_empty(), "{text:?}: {errors:?}");
    }
}

#[test]
fn the_words_of_a_position_fit_it() {
    let mut game = Togyzkumalak::start(&Variant::Seed, 2).unwrap();
    game.apply_action(Seat(0), &Sow(6), &mut Vec::new()).unwrap();
    let view = game.view(Viewer::Public);
    assert_eq!(game.node(), Node::Act(Seat(1)));
    let keys: Vec<String> =
        caption::caption(&view).iter().map(|text| text.key.to_string()).collect();
    let expected = [
        "togyzkumalak-moved-other",
        "togyzkumalak-captured",
        "togyzkumalak-score",
        "togyzkumalak-turn",
    ];
    assert_eq!(keys, expected);
    assert_eq!(caption::label(&view, &Sow(0)), "1 (10)");
    let illegal = game.apply_action(Seat(1), &Sow(5), &mut Vec::new()).unwrap_err();
    assert_eq!(illegal, TogyzkumalakIllegal::PitIsEmpty);
    let refusal = caption::refuse(&view, Seat(1), &Sow(5), illegal);
    assert_eq!(refusal.key, "togyzkumalak-empty-pit");
    assert_eq!(refusal.args.len(), 2);
    assert_eq!(caption::text_board(&view).len(), 3);
    assert_eq!(Variant::read(&Variant::Seed.write()), Some(Variant::Seed));
}
