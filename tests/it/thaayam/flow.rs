//! How a turn goes at a table: the cup, what plays itself, undo, the end, records.

use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::text::Arg;
use caravanserai_games::thaayam::notation_errors::ThaayamPositionFault;
use caravanserai_games::thaayam::view::ThaayamViewStage;
use caravanserai_games::thaayam::{
    Series, Thaayam, ThaayamAction, ThaayamOptions, ThaayamPosition, ThrowUse,
};
use caravanserai_games::thaayam::{
    ThaayamFact, ThaayamIllegal, caption, position_notation, record,
};
use caravanserai_i18n::{I18n, Lang};

use crate::game_conformance::Seeded;

/// A game in some state, the first seat on turn.
fn game(options: &str, state: &str) -> Thaayam {
    let options = ThaayamOptions::read(options).expect("options");
    Thaayam::from_position(ThaayamPosition::read(options, state).expect("a state"), Seat(0))
}

/// A series lies under the cup, where there is one; then what the table does by itself.
fn cup(game: &mut Thaayam, series: &str) {
    game.apply_chance(&Series::read(series).expect("a series"), &mut Vec::new())
        .expect("time to throw");
    by_itself(game, &mut Vec::new());
}

/// A player throws, then the table acts by itself. Returns the events since the throw was due.
fn throw(game: &mut Thaayam, series: &str) -> Vec<ThaayamFact> {
    cup(game, series);
    act(game, "throw").expect("there is a cup")
}

fn by_itself(game: &mut Thaayam, facts: &mut Vec<ThaayamFact>) {
    while let Some(action) = game.forced_action() {
        let Node::Act(seat) = game.node() else { panic!("forced without a turn") };
        game.apply_action(seat, &action, facts).expect("what is forced is legal");
    }
}

fn act(game: &mut Thaayam, token: &str) -> Result<Vec<ThaayamFact>, &'static str> {
    let Node::Act(seat) = game.node() else { panic!("nobody is on turn") };
    let action = ThaayamAction::read(token).expect("a token");
    let mut facts = Vec::new();
    let done = game.apply_action(seat, &action, &mut facts);
    by_itself(game, &mut facts);
    done.map(|()| facts).map_err(caption::refusal_key)
}

fn tokens(game: &Thaayam) -> String {
    let Node::Act(seat) = game.node() else { return String::new() };
    game.actions(seat).iter().map(Token::write).collect::<Vec<_>>().join(" ")
}

#[test]
fn players_open_their_own_throws_and_forced_moves_are_automatic() {
    let mut game = game("standard", "----/----/----/----");
    for (series, state) in [
        ("2", "----/----/----/----"),
        ("84142", "----/---g/----/----"),
        ("13", "----/---g/---d/----"),
        ("482", "----/---g/---d/----"),
        ("1112", ""),
    ] {
        assert_eq!(game.node(), Node::Chance);
        cup(&mut game, series);
        assert_eq!(tokens(&game), "throw", "{series}");
        if !state.is_empty() {
            act(&mut game, "throw").unwrap();
            assert_eq!(game.position().write(), state, "{series}");
        }
    }
    assert_eq!(game.node(), Node::Act(Seat(0)));
    assert_eq!(tokens(&game), "throw");
    let view = game.view(Viewer::Public);
    assert_eq!(view.stage, ThaayamViewStage::Cup);
    assert_eq!(view.recent_turns.len(), 4, "nobody sees the fifth series");
    assert_eq!(view.number, 5);
}

#[test]
fn the_cup_hides_the_throws_from_everybody() {
    let with = |series: &str| {
        let mut game = game("standard", "--ag/----");
        cup(&mut game, series);
        game
    };
    let (one, other) = (with("43"), with("812"));
    assert_eq!(tokens(&one), "throw");
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))] {
        assert_eq!(one.view(viewer), other.view(viewer));
    }
    assert_ne!(one, other);
    let mut open = game("throw=auto", "--ag/----");
    cup(&mut open, "43");
    assert!(matches!(open.view(Viewer::Public).stage, ThaayamViewStage::Sharing(_)));
}

#[test]
fn a_decision_can_be_taken_back_until_it_is_confirmed() {
    let mut game = game("standard", "--ag/----");
    throw(&mut game, "43");
    let before = game.clone();
    assert_eq!(
        tokens(&game),
        "3:c1 3:e5 4:c1 4:e5 =c1a5 =e2c5 =e3d5 =e4e5"
            .replace("=c1a5 =e2c5 =e3d5 =e4e5", &wholes(&game))
    );
    // After the 4 of e5 the 3 is a choice still; after that nothing more, but undo is possible.
    act(&mut game, "4:e5").unwrap();
    assert_eq!(game.position_now().write(), "--ak/----");
    act(&mut game, "3:c1").unwrap();
    assert_eq!(tokens(&game), "done undo");
    assert_eq!(game.forced_action(), None, "a person who chose confirms");
    act(&mut game, "undo").unwrap();
    assert_eq!(game.position_now().write(), "--ak/----");
    act(&mut game, "undo").unwrap();
    assert_eq!(game.position_now(), before.position_now());
    assert_eq!(tokens(&game), tokens(&before));
    assert_eq!(act(&mut game, "undo"), Err("thaayam-nothing-to-undo"));
    assert_eq!(act(&mut game, "done"), Err("thaayam-still-to-play"));
    // A whole result is one decision.
    let whole = wholes(&game).split(' ').next().unwrap().to_owned();
    act(&mut game, &whole).unwrap();
    assert_eq!(tokens(&game), "done undo");
    act(&mut game, "undo").unwrap();
    act(&mut game, &whole).unwrap();
    act(&mut game, "done").unwrap();
    assert_eq!(game.node(), Node::Chance);
}

fn wholes(game: &Thaayam) -> String {
    let all = tokens(game);
    all.split(' ').filter(|it| it.starts_with('=')).collect::<Vec<_>>().join(" ")
}

#[test]
fn forced_plays_after_a_choice_need_a_confirmation() {
    // One piece may enter or the other move with the 1; the 8 then fits only one piece.
    let mut game = game("standard", "-wFF/----");
    throw(&mut game, "12");
    act(&mut game, "1:c2").err();
    act(&mut game, "2:d2").err();
    act(&mut game, "1:in").err();
    assert_eq!(game.forced_action(), None);
    assert!(tokens(&game).contains("undo"), "{}", tokens(&game));
}

#[test]
fn players_waiting_for_ones_only_throw_and_win_at_once() {
    let mut game = game("standard", "FFFF/FFFF");
    for series in ["2", "3", "12", "482", "1112"] {
        assert_eq!(game.node(), Node::Chance, "{series}");
        throw(&mut game, series);
    }
    assert_eq!(game.node(), Node::Over(vec![1, 0]));
    assert_eq!(game.recent_turns().last().unwrap().place, Some(1));
    assert_eq!(game.position().write(), "OOOO/FFFF");
}

#[test]
fn partners_end_with_as_many_pieces_as_they_have() {
    let mut game = game("pieces=1,partners=yes", "F/-/F/-");
    for series in ["12", "2", "12"] {
        throw(&mut game, series);
    }
    assert_eq!(game.node(), Node::Over(vec![1, 0, 1, 0]));
    let last = caption::caption(&game.view(Viewer::Public)).pop().unwrap();
    let last = last.with_seat_names(&|seat| Arg::Plain(format!("Seat{seat}")));
    let said = I18n::new().translate_plain(Lang::default(), &last);
    assert!(said.starts_with("All their pieces are home: Seat0"), "{said}");
}

#[test]
fn refusals_name_the_reason() {
    let mut game = game("standard", "--ag/---d");
    cup(&mut game, "842");
    assert_eq!(act(&mut game, "8:c1"), Err("thaayam-throw-first"));
    let other = game.apply_action(Seat(1), &ThaayamAction::Throw, &mut Vec::new());
    assert_eq!(other, Err(ThaayamIllegal::NotYourTurn));
    act(&mut game, "throw").unwrap();
    for (token, why) in [
        ("throw", "thaayam-already-thrown"),
        ("1:in", "thaayam-no-such-throw"),
        ("4:in", "thaayam-enter-needs-one"),
        ("4:a1", "thaayam-no-piece"),
        ("4:off", "thaayam-no-piece"),
        ("=a1", "thaayam-no-such-end"),
    ] {
        assert_eq!(act(&mut game, token), Err(why), "{token}");
    }
    act(&mut game, "8:c1").unwrap();
    assert_eq!(act(&mut game, "8:e5"), Err("thaayam-throw-spent"));
    let why = |options: &str, state: &str, series: &str, token: &str| {
        let mut game = self::game(options, state);
        game.apply_chance(&Series::read(series).unwrap(), &mut Vec::new()).unwrap();
        act_bare(&mut game, "throw").ok();
        act_bare(&mut game, token)
    };
    assert_eq!(why("standard", "---v/----", "82", "8:d2"), Err("thaayam-no-piece"));
    assert_eq!(why("standard", "---w/----", "82", "8:d2"), Err("thaayam-exact"));
    assert_eq!(why("standard", "--wF/----", "12", "1:off"), Err("thaayam-not-all-home"));
    assert_eq!(why("standard", "FFFF/----", "42", "4:off"), Err("thaayam-off-needs-one"));
    assert_eq!(why("standard", "----/----", "812", "8:in"), Err("thaayam-throw-lost"));
    assert_eq!(why("standard", "dddd/----", "12", "1:in"), Err("thaayam-none-in-hand"));
    assert_eq!(why("kill_to_go_in=yes", "---p/----", "12", "2:b1"), Err("thaayam-kill-first"));
    assert_eq!(why("block_on_path=yes", "---d/---o", "43", "4:e2"), Err("thaayam-blocked"));
    let same_turn = "same_turn_bear_off=no";
    assert_eq!(why(same_turn, "wFFF/----", "12", "1:off"), Err("thaayam-not-all-home"));
    assert_eq!(why("obligation=max", "wFFF/----", "12", "1:d2"), Err("thaayam-use-most"));
}

/// Acts without what the table does by itself.
fn act_bare(game: &mut Thaayam, token: &str) -> Result<(), &'static str> {
    let Node::Act(seat) = game.node() else { panic!("nobody is on turn") };
    let action = ThaayamAction::read(token).expect("a token");
    game.apply_action(seat, &action, &mut Vec::new()).map_err(caption::refusal_key)
}

#[test]
fn a_kill_gives_another_series_where_that_is_wanted() {
    // WHITE's step 5 (e4) is RED's 13.
    let mut game = game("kill_again=yes", "---d/---n");
    throw(&mut game, "2");
    assert_eq!(game.position().write(), "---f/----");
    assert_eq!(game.view(Viewer::Public).turn, Some(Seat(0)));
    throw(&mut game, "3");
    assert_eq!(game.position().write(), "---i/----");
    assert!(game.recent_turns().last().unwrap().is_further_series);
    assert_eq!(game.view(Viewer::Public).turn, Some(Seat(1)));
}

#[test]
fn another_series_bears_nothing_off_in_the_turn_of_arrival() {
    let mut game = game("kill_again=yes,same_turn_bear_off=no", "vFFF/aaas");
    throw(&mut game, "12");
    act(&mut game, "1:d3").unwrap();
    act(&mut game, "done").unwrap();
    assert_eq!(game.position().write(), "FFFF/-aaa");
    assert_eq!(game.view(Viewer::Public).turn, Some(Seat(0)), "the kill gives another series");
    let mut earlier = game.clone();
    throw(&mut game, "12");
    assert_eq!(game.position().write(), "FFFF/-aaa");
    assert!(
        game.recent_turns().last().unwrap().is_further_series
            && game.recent_turns().last().unwrap().plays.is_empty()
    );
    assert_eq!(game.view(Viewer::Public).turn, Some(Seat(1)));
    throw(&mut game, "2");
    throw(&mut game, "12");
    assert_eq!(game.position().write(), "FFFO/-aac", "the next turn begins with all at home");
    // Earlier versions bore off in the same turn: their logs are still read.
    earlier.apply_chance(&Series::read("12").unwrap(), &mut Vec::new()).unwrap();
    act_bare(&mut earlier, "throw").unwrap();
    assert_eq!(tokens(&earlier), "done");
    act_bare(&mut earlier, "1:off").unwrap();
    act_bare(&mut earlier, "done").unwrap();
    assert_eq!(earlier.position().write(), "FFFO/-aaa");
}

#[test]
fn a_capture_on_the_final_step_is_reported_only_under_that_rule() {
    for (options, at_end) in [("standard", false), ("capture=final", true)] {
        // WHITE's step 5 (e4) is RED's 13, two further on; three is past it.
        for (series, kills) in [("2", true), ("3", false)] {
            let mut game = game(options, "---d/---n");
            let facts = throw(&mut game, series);
            let told = facts.iter().any(|it| matches!(it, ThaayamFact::KilledAtEnd { .. }));
            assert_eq!(told, at_end && kills, "{options} {series}: {facts:?}");
        }
    }
}

#[test]
fn a_throw_that_is_not_there_moves_nothing() {
    let mut game = game("throw=auto", "--bd/----");
    game.apply_chance(&Series::read("12").unwrap(), &mut Vec::new()).unwrap();
    let ThaayamViewStage::Sharing(turn) = game.view(Viewer::Public).stage else { panic!("a turn") };
    let steps = |throw| (-1..30).map(move |from| ThrowUse { throw, from });
    assert!([1, 2].into_iter().all(|throw| steps(throw).any(|play| turn.is_legal(play))));
    assert!(![3, 4, 8].into_iter().any(|throw| steps(throw).any(|play| turn.is_legal(play))));
}

#[test]
fn clockwise_the_seats_have_their_colours_the_other_way_round() {
    let colours = |options: &str| {
        let position = ThaayamPosition::start(ThaayamOptions::read(options).unwrap(), 4).unwrap();
        [0, 1, 2, 3].map(|seat| position.colour(Seat(seat)))
    };
    let [first, second, third, last] = colours("standard");
    assert_eq!(colours("clockwise=yes"), [first, last, third, second]);
}

#[test]
fn a_record_says_which_pieces_were_killed() {
    let options = ThaayamOptions::read("pieces=1").unwrap();
    let kills = (0..20).any(|seed| {
        let (_, steps) = random_log(&options, 2, seed);
        let text = record::write(&[], &["A", "B"], &options, &steps, None);
        text.contains(" xRED") || text.contains(" xWHITE")
    });
    assert!(kills, "in so many games somebody kills");
}

/// Throws a 1 so often, then a 2.
struct Ones(usize);

impl Entropy for Ones {
    fn below(&mut self, _: u32) -> u32 {
        let more = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        if more { 0b0001 } else { 0b0011 }
    }
}

#[test]
fn only_throws_up_to_the_longest_drawn_one_are_readable() {
    let drawn = Series::draw(&mut Ones(1_000));
    assert_eq!(Series::read(&drawn.write()), Some(drawn.clone()));
    assert_eq!(Series::read(&format!("1{}", drawn.write())), None);
    assert_eq!(Series::draw(&mut Ones(3)).write(), "1112");
}

#[test]
fn a_position_in_writing_says_who_has_killed() {
    let options = ThaayamOptions::read("kill_to_go_in=yes").unwrap();
    let game = position_notation::read(&options, 2, "---d/---n 1 killed=2").unwrap();
    assert_eq!([Seat(0), Seat(1)].map(|it| game.position().has_killed(it)), [false, true]);
    let written = position_notation::write(&game.view(Viewer::Public)).unwrap();
    assert_eq!(written, "---d/---n 1 killed=2");
    // WHITE's step 5 and RED's 13 are one square, and no palace.
    let together = position_notation::read(&options, 2, "---f/---n 1");
    assert!(matches!(together, Err(ThaayamPositionFault::EnemiesTogether)));
}

/// Each step is a line of the log, so they cannot go on without end.
#[test]
fn a_turn_goes_back_only_so_often() {
    let mut game = game("standard", "--ag/----");
    throw(&mut game, "43");
    for _ in 0..40 {
        act(&mut game, "4:e5").unwrap();
        assert!(tokens(&game).contains("undo"), "{}", tokens(&game));
        act(&mut game, "undo").unwrap();
    }
    act(&mut game, "4:e5").unwrap();
    assert!(!tokens(&game).contains("undo"), "{}", tokens(&game));
    let view = game.view(Viewer::Public);
    assert!(!view.can_undo);
    // A log that an earlier program wrote may have more of them.
    act(&mut game, "undo").unwrap();
    act(&mut game, "4:e5").unwrap();
    act(&mut game, "3:c1").unwrap();
    assert_eq!(tokens(&game), "done");
    act(&mut game, "done").unwrap();
}

#[test]
fn the_others_play_on_for_the_places() {
    let mut game = game("play_on=yes", "FFFO/FFFF/FFOO/----");
    for series in ["1112", "2", "112", "2", "3", "2", "11113"] {
        throw(&mut game, series);
    }
    assert_eq!(game.node(), Node::Over(vec![3, 1, 2, 0]));
}

#[test]
fn partners_win_together() {
    let mut game = game("partners=yes", "FOOO/FFFF/FOOO/----");
    for series in ["12", "2", "2", "2", "2", "12"] {
        throw(&mut game, series);
    }
    assert_eq!(game.node(), Node::Over(vec![1, 0, 1, 0]));
    assert_eq!(game.places(), [Seat(0), Seat(2)]);
}

#[test]
fn a_player_without_a_possible_capture_may_enter() {
    let mut game = game("kill_to_go_in=yes", "pppp/oppp");
    // Step o is 14: one more step and nobody could ever move.
    throw(&mut game, "2");
    throw(&mut game, "13");
    assert!(game.recent_turns().last().unwrap().opened);
    throw(&mut game, "3");
    assert_eq!(game.position().write(), "ppps/pppp");
}

/// A whole random game with undo, as a log.
fn random_log(
    options: &ThaayamOptions,
    seats: u8,
    seed: u64,
) -> (Thaayam, Vec<record::ThaayamRecordStep>) {
    let mut random = Seeded(seed);
    let mut game = Thaayam::start(options, seats).expect("a game");
    let mut steps = Vec::new();
    loop {
        match game.node() {
            Node::Over(_) => return (game, steps),
            Node::Chance => {
                let series = game.draw_chance(&mut random);
                game.apply_chance(&series, &mut Vec::new()).expect("time to throw");
                steps.push(record::ThaayamRecordStep::Chance(series));
            }
            Node::Act(seat) => {
                let actions = game.actions(seat);
                let any = actions[random.below(actions.len() as u32) as usize];
                let action = game.forced_action().unwrap_or(any);
                game.apply_action(seat, &action, &mut Vec::new()).expect("legal");
                steps.push(record::ThaayamRecordStep::Act(seat, action));
            }
        }
    }
}

#[test]
fn records_of_whole_games_are_read_back() {
    for (options, seats) in [
        ("standard", 4),
        ("pieces=2,throw=auto,capture=final,kill_again=yes", 3),
        ("pieces=2,finish=fortress,play_on=yes,clockwise=yes", 4),
        ("pieces=1,partners=yes", 4),
        ("exact=no,obligation=max", 2),
    ] {
        let options = ThaayamOptions::read(options).unwrap();
        let names = ["Ann \"A\"", "Bob", "Հայկ", "Д"];
        let names = &names[..usize::from(seats)];
        let (game, steps) = random_log(&options, seats, 5);
        let text = record::write(&[("Site", "here")], names, &options, &steps, None);
        let read = record::read(&text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        assert_eq!(read.game.position(), game.position());
        assert_eq!(read.game.places(), game.places());
        assert!(record::replay_text(&text, None).unwrap().trim_end().ends_with("wins"));
        // Cut anywhere, it is still a record of so much.
        for cut in [1, 2, 7, 40, steps.len() / 2] {
            let part = record::write(&[], names, &options, &steps[..cut], Some(&[0, 1, 0, 0]));
            if part.trim_end().ends_with(']') {
                continue;
            }
            let read = record::read(&part).unwrap_or_else(|wrong| panic!("{wrong}\n{part}"));
            assert!(read.turns.len() <= cut);
            // What the record states, for its turns do not say who has won.
            assert_eq!(read.scores().as_deref(), Some(&[0, 1, 0, 0][..usize::from(seats)]));
        }
    }
}

#[test]
fn switches_of_a_record_are_in_any_order() {
    let options = ThaayamOptions::read("pieces=2,exact=no").unwrap();
    let (_, steps) = random_log(&options, 2, 5);
    let text = record::write(&[], &["A", "B"], &options, &steps, None);
    let again = text.replace("pieces=2,exact=no", "exact=no,pieces=2");
    assert_eq!(record::read(&again).unwrap().steps, record::read(&text).unwrap().steps);
    let wrong = text.replace("exact=no", "exact=perhaps");
    let said = record::read(&wrong).unwrap_err().to_string();
    assert_eq!(said, "line 3: unknown options pieces=2,exact=perhaps");
}

#[test]
fn a_record_that_is_not_so_is_refused_with_its_line() {
    let head = "[White \"A\"]\n[Red \"B\"]\n\n";
    for (turns, why) in [
        ("1. WHITE 1 3: 1 in c1, 3 c1-e2\n2. RED (2): -\n", ""),
        ("1. WHITE 1 3: 1 in c1\n", "line 4: more can be played here"),
        (
            "1. WHITE 1 3: 1 in c1, 3 c1-e2\n3. RED (2): -\n",
            "line 5: the turn should be \"2. RED (2): -\"",
        ),
        ("1. RED 2: -\n", "line 4: it is the turn of WHITE"),
        ("1. WHITE 1 3: 1 in c1, 3 c1-e3\n", "line 4: the turn should be"),
        ("# talk\n1. WHITE 5: -\n", "line 5: a throw is"),
        ("1. WHITE 2 2: -\n", "line 4: a series is"),
        ("1. WHITE 8 4 2: -\n", "line 4: the turn should be \"1. WHITE (8 4 2): -\""),
        ("", "line 1: there is no turn in this"),
    ] {
        let said = record::read(&format!("{head}{turns}"))
            .map_or_else(|it| it.to_string(), |_| String::new());
        assert!(said.starts_with(why) && said.is_empty() == why.is_empty(), "{turns}: {said}");
    }
}
