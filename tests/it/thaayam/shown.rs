//! Thaayam as tables see it: buttons, words, computer players, records.

use std::collections::BTreeSet;

use caravanserai_bot::workers::label_text;
use caravanserai_games::rules::{Entropy, Node, Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::thaayam;
use caravanserai_games::{LoggedStep, Match, RecordHeading, StepSound};
use caravanserai_i18n::{I18n, Lang};

use crate::game_conformance::Seeded;
use crate::test_computers::beginner;

const NAMES: [&str; 4] = ["Arun", "Ғани", "Բագրատ", "Lakshmi"];

/// Who did what, or chance.
type Log = Vec<(Option<Seat>, String)>;

fn said(i18n: &I18n, lang: Lang, text: Text) -> String {
    let seated = text.with_seat_names(&|seat| Arg::Plain(NAMES[usize::from(seat)].to_owned()));
    i18n.translate_plain(lang, &seated)
}

fn all(i18n: &I18n, lang: Lang, texts: Vec<Text>) -> String {
    texts.into_iter().map(|text| said(i18n, lang, text)).collect::<Vec<_>>().join("\n")
}

/// What the table does: throws by chance and what is forced.
fn by_itself(game: &mut dyn Match, random: &mut Seeded, log: &mut Log) {
    loop {
        match game.node() {
            Node::Over(_) => return,
            Node::Chance => {
                let token = game.draw_chance(random);
                game.apply_chance(&token).expect("time to throw");
                log.push((None, token));
            }
            Node::Act(seat) => {
                let Some(token) = game.forced_action() else { return };
                game.apply_action(seat, &token).expect("what is forced is legal");
                log.push((Some(seat), token));
            }
        }
    }
}

/// Plays a game to its end; `choose` gives the token of a decision.
fn whole_game(
    options: &str,
    seats: u8,
    seed: u64,
    mut choose: impl FnMut(&dyn Match, Seat, &mut Seeded) -> String,
) -> (Box<dyn Match>, Log) {
    let mut random = Seeded(seed);
    let mut game = thaayam::ID.start_match(options, seats).expect("a game");
    let mut log = Vec::new();
    by_itself(&mut *game, &mut random, &mut log);
    while let Node::Act(seat) = game.node() {
        let token = choose(&*game, seat, &mut random);
        game.apply_action(seat, &token).expect("a legal token");
        log.push((Some(seat), token));
        by_itself(&mut *game, &mut random, &mut log);
    }
    (game, log)
}

fn anything(game: &dyn Match, seat: Seat, random: &mut Seeded) -> String {
    let choices = game.choices(seat);
    choices[random.below(choices.len() as u32) as usize].token.clone()
}

fn simple(game: &dyn Match, seat: Seat, random: &mut Seeded) -> String {
    beginner(thaayam::ID, game, seat, random)
}

#[test]
fn buttons_offer_every_choice_and_words_stay_short() {
    let i18n = I18n::new();
    for (options, seats, seed) in
        [("pieces=2", 4, 1), ("standard", 2, 2), ("pieces=3,throw=auto,play_on=yes", 3, 3)]
    {
        whole_game(options, seats, seed, |game, seat, random| {
            check_buttons(&i18n, game, seat);
            for lang in Lang::all().iter().copied() {
                let caption = all(&i18n, lang, game.caption(Viewer::Public));
                assert!(caption.chars().count() <= 1_000, "{caption}");
                let board = all(&i18n, lang, game.board_text(Viewer::Public));
                for text in [caption, board] {
                    assert!(!text.contains("thaayam-"), "{text}");
                    assert!(!text.contains('{'), "{text}");
                }
            }
            anything(game, seat, random)
        });
    }
}

/// What is pointed at says what it kills, and what has moved takes itself back.
#[test]
fn places_on_the_board_say_what_they_do() {
    let (mut kills, mut undone) = (0, 0);
    whole_game("pieces=2", 2, 5, |game, seat, random| {
        let spots = game.spots(seat, seat);
        let would = game.previews(seat);
        for spot in &spots {
            let token = &spot.action.token;
            let says = would.iter().find(|it| it.0 == *token).is_some_and(|it| !it.1.is_empty());
            assert_eq!(says, spot.is_capture, "{token}");
            let mut after = game.clone_box();
            after.apply_action(seat, token).expect("what can be touched is legal");
            assert!(spot.is_capture || after.sound() != Some(StepSound::Capture), "{token}");
            kills += usize::from(spot.is_capture);
        }
        let back = spots.iter().find(|it| it.action.token == "undo");
        let offered = game.choices(seat).iter().any(|it| it.token == "undo");
        assert_eq!(back.is_some(), offered);
        undone += usize::from(back.is_some_and(|it| it.has_button));
        anything(game, seat, random)
    });
    assert!(kills > 0 && undone > 0, "{kills} kills, {undone} times back");
}

/// A choice of a whole turn says its moves in words, and shows each as a way on the board.
#[test]
fn choices_of_a_whole_turn_say_and_show_their_moves() {
    let i18n = I18n::new();
    let (mut choices, mut kills) = (0, 0);
    whole_game("pieces=2", 2, 5, |game, seat, random| {
        let (paths, would) = (game.paths(seat, seat), game.previews(seat));
        let on_board = game.spots(seat, seat);
        for (token, moves) in paths.iter().filter(|it| !it.1.is_empty()) {
            assert!(on_board.iter().all(|it| it.action.token != *token), "{token} is shown twice");
            let says = &would.iter().find(|it| it.0 == *token).expect("it says what it does").1;
            let takes = moves.iter().any(|it| it.is_capture);
            let kills_said = says.iter().filter(|it| it.key == "thaayam-whole-kill").count();
            assert_eq!(says.len() - kills_said, moves.len(), "{token}");
            assert!(!takes || kills_said == 1, "{token}");
            for lang in Lang::all().iter().copied() {
                assert!(!all(&i18n, lang, says.clone()).contains("thaayam-"), "{token}");
            }
            choices += 1;
            kills += kills_said;
        }
        anything(game, seat, random)
    });
    assert!(choices > 0 && kills > 0, "{choices} choices, {kills} kills");
}

fn check_buttons(i18n: &I18n, game: &dyn Match, seat: Seat) {
    let choices: BTreeSet<String> = game.choices(seat).into_iter().map(|it| it.token).collect();
    let mut shown = BTreeSet::new();
    let pages = game.panel(seat, 0).pages;
    for page in 0..pages {
        let panel = game.panel(seat, page);
        assert!(panel.rows.len() <= 5 && panel.rows.iter().all(|row| row.len() <= 5));
        assert!(panel.rows.iter().all(|row| !row.is_empty()));
        for choice in panel.rows.into_iter().flatten() {
            for lang in Lang::all().iter().copied() {
                let label = label_text(i18n, lang, &choice.label);
                assert!(!label.is_empty() && label.chars().count() <= 36, "{label}");
            }
            shown.insert(choice.token);
        }
    }
    assert_eq!(shown, choices, "all pages together offer all that is possible");
}

#[test]
fn sheets_tell_the_last_turns_and_the_odds() {
    let i18n = I18n::new();
    let (game, _) = whole_game("pieces=1", 3, 9, simple);
    assert_eq!(game.sheets(), ["turns", "odds"]);
    for lang in Lang::all().iter().copied() {
        let turns = all(&i18n, lang, game.sheet("turns", Viewer::Public).unwrap());
        assert!(turns.lines().count() > 5 && turns.contains(NAMES[0]), "{turns}");
        let odds = all(&i18n, lang, game.sheet("odds", Viewer::Public).unwrap());
        assert!(odds.contains("28,6") || odds.contains("28.6"), "{odds}");
        let distance = ["11 – 7", "11 — 7", "11՝ 7"];
        assert!(distance.iter().any(|it| odds.contains(it)), "{odds}");
    }
    assert!(game.sheet("score", Viewer::Public).is_none());
}

#[test]
fn captions_describe_what_happened() {
    let i18n = I18n::new();
    let mut game = thaayam::ID.start_match("pieces=2", 2).unwrap();
    let mut by_hand = |tokens: &str| {
        for token in tokens.split(' ') {
            match game.node() {
                Node::Act(seat) => game.apply_action(seat, token).unwrap(),
                Node::Chance => game.apply_chance(token).unwrap(),
                Node::Over(_) => panic!("it is over"),
            }
            while let (Some(token), Node::Act(seat)) = (game.forced_action(), game.node()) {
                game.apply_action(seat, &token).unwrap();
            }
        }
        all(&i18n, Lang::default(), game.caption(Viewer::Public))
    };
    let said = by_hand("2 throw 8413 throw 1142");
    let expected = "Arun throws (2) — no move.\n\
                    Ғани throws (8 4) 1 3 — enters on c5, 3: c5 → a4.\n\
                    Home (of 2) — Arun: 0, Ғани: 0\n\
                    👉 Turn 3: Arun throws the dice.";
    assert_eq!(said, expected);
    let said = by_hand("throw 1:in");
    let expected = "Home (of 2) — Arun: 0, Ғани: 0\n\
                    Arun throws 1 1 4 2 — enters on c1.\n\
                    Not used: 1 4 2\n\
                    👉 Turn 3: Arun plays.";
    assert_eq!(said, expected);
    let said = by_hand("4:c1 1:in 2:e3");
    assert!(said.ends_with("👉 Turn 3: no further move. Arun presses Done or Undo."));
    let said = by_hand("done");
    // Ғани has decided nothing yet: all is news to them.
    let whole = "Arun throws 1 1 4 2 — enters on c1, 4: c1 → e3, enters on c1, 2: e3";
    assert!(said.contains(whole), "{said}");
}

#[test]
fn turns_in_which_nothing_could_be_done_share_a_line() {
    let i18n = I18n::new();
    let mut game = thaayam::ID.start_match("standard", 4).unwrap();
    for series in ["2", "83", "3", "2", "13", "2", "1113"] {
        game.apply_chance(series).unwrap();
        if let (Node::Act(seat), false) = (game.node(), series == "1113") {
            game.apply_action(seat, "throw").unwrap();
        }
        while let (Some(token), Node::Act(seat)) = (game.forced_action(), game.node()) {
            game.apply_action(seat, &token).unwrap();
        }
    }
    let said = all(&i18n, Lang::default(), game.caption(Viewer::Public));
    let expected = "No move — Բագրատ: (3), Lakshmi: (2).\n\
                    Arun throws 1 3 — enters on c1, 3: c1 → e2.\n\
                    Ғани throws (2) — no move.\n\
                    Home (of 4) — Arun: 0, Ғани: 0, Բագրատ: 0, Lakshmi: 0\n\
                    👉 Turn 7: Բագրատ throws the dice.";
    assert_eq!(said, expected);
}

#[test]
fn a_beginner_beats_a_careless_player() {
    let mut wins = 0;
    let games = 24;
    for seed in 0..games {
        let simple_seat = Seat((seed % 2) as u8);
        let (game, _) = whole_game("pieces=2", 2, seed, |game, seat, random| {
            if seat == simple_seat {
                simple(game, seat, random)
            } else {
                anything(game, seat, random)
            }
        });
        let Node::Over(scores) = game.node() else { panic!("a whole game") };
        wins += scores[simple_seat.index()];
    }
    assert!(wins * 2 > games as i32, "{wins} of {games}");
}

#[test]
fn the_record_of_a_table_replays() {
    let options = "pieces=2,finish=fortress,kill_again=yes";
    let (game, log) = whole_game(options, 4, 5, simple);
    let heading = RecordHeading {
        names: NAMES.map(str::to_owned).to_vec(),
        date: "2026.11.21".to_owned(),
        site: "here".to_owned(),
        result: None,
    };
    let steps: Vec<LoggedStep<'_>> =
        log.iter().map(|(seat, token)| (*seat, token.as_str())).collect();
    let record = game.write_record(&heading, options, &steps);
    assert!(record.starts_with("[Game \"Thaayam\"]\n"), "{record}");
    let replayed = caravanserai_games::thaayam::record::replay_text(&record, None).unwrap();
    assert!(replayed.trim_end().ends_with("wins"), "{replayed}");
    let result = record.lines().position(|it| it.starts_with("[Result ")).unwrap();
    let true_line = record.lines().nth(result).unwrap();
    let false_line =
        if true_line.contains("WHITE") { "[Result \"RED\"]" } else { "[Result \"WHITE\"]" };
    let false_record = record.replace(true_line, false_line);
    let wrong = caravanserai_games::thaayam::record::read(&false_record).unwrap_err();
    assert_eq!(wrong.line, result + 1);
    assert!(wrong.to_string().contains("names another winner"), "{wrong}");
    let resigned = RecordHeading { result: Some(vec![0, 1, 0, 0]), ..heading };
    let record = game.write_record(&resigned, options, &steps[..30]);
    assert!(record.contains("[Result \"BLACK\"]"), "{record}");
}

#[test]
fn refusals_are_said_in_every_language() {
    let i18n = I18n::new();
    let mut game = thaayam::ID.start_match("standard", 2).unwrap();
    game.apply_chance("1114483").unwrap();
    game.apply_action(Seat(0), "throw").unwrap();
    for token in ["2:c1", "4:in", "4:a1", "undo", "done", "throw", "=a1a1a1a1"] {
        let illegal = game.apply_action(Seat(0), token).unwrap_err();
        for lang in Lang::all().iter().copied() {
            let said = said(&i18n, lang, game.explain_refusal(Seat(0), token, illegal));
            assert!(!said.contains("thaayam-") && !said.contains('{'), "{said}");
        }
    }
}
