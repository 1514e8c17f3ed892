//! `caravanserai-tools engine`: other programs talk to our players, line by line.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::Arc;
use std::thread::JoinHandle;

use caravanserai_games::GameId;
use caravanserai_games::blot::{self, Blot, BlotView};
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::SeededRng;
use caravanserai_games::togyzkumalak;
use caravanserai_tools::engine;
use parking_lot::Mutex;
use proptest::prelude::*;

/// An engine at the other end of two pipes, as a board program has it.
struct Engine {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    thread: JoinHandle<()>,
}

impl Engine {
    fn start(lines: &[&str]) -> Self {
        let (from_us, input) = pipe().unwrap();
        let (output, to_us) = pipe().unwrap();
        let thread = std::thread::spawn(move || {
            engine::run_engine(None, BufReader::new(from_us), Box::new(to_us)).unwrap();
        });
        let mut engine = Self { input, output: BufReader::new(output), thread };
        lines.iter().for_each(|line| engine.say(line));
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine is gone");
        line.trim_end().to_owned()
    }

    /// Says a line and reads up to the answer that begins so; gives the rest of it.
    fn ask(&mut self, line: &str, answer: &str) -> String {
        self.say(line);
        loop {
            let heard = self.hear();
            if let Some(rest) = heard.strip_prefix(answer) {
                return rest.trim().to_owned();
            }
            assert!(heard.starts_with("info "), "{line}: {heard}");
        }
    }

    fn quit(mut self) {
        self.say("quit");
        self.thread.join().unwrap();
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

/// Everything that is answered to these lines.
fn answers(input: &[u8]) -> Vec<String> {
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);
    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let kept = Kept::default();
    engine::run_engine(None, input, Box::new(kept.clone())).unwrap();
    let said = String::from_utf8(kept.0.lock().clone()).unwrap();
    said.lines().map(str::to_owned).collect()
}

fn said(lines: &[&str]) -> Vec<String> {
    answers(lines.join("\n").as_bytes())
}

#[test]
fn the_handshake_names_every_game_and_player() {
    let said = said(&["uci", "isready", "caravanserai", "help", "quit", "isready"]);
    assert!(said[0].starts_with("id name Caravanserai "));
    for game in GameId::all() {
        let line = format!("game {} seats ", game.info().code);
        assert!(said.iter().any(|it| it.starts_with(&line) && it.contains("players beginner")));
    }
    assert_eq!(said[4..6], ["uciok", "readyok"]);
    assert!(said.iter().any(|it| it == "caravanseraiok"));
    assert!(said.last().unwrap().contains("the last thought is awaited"), "quit ends it");
}

/// Two engines play a game with or without dice; each gets all events.
fn play(game: &str, setup: &[&str]) -> Vec<String> {
    let lines = [&["game", game].join(" ")[..]];
    let lines: Vec<&str> = lines.iter().chain(setup).copied().collect();
    let mut engines = ["easy", "beginner"].map(|level| {
        let mut engine = Engine::start(&lines);
        engine.say(&format!("level {level}"));
        engine
    });
    let mut moves: Vec<String> = Vec::new();
    loop {
        let position = format!("position start moves {}", moves.join(" "));
        engines.iter_mut().for_each(|it| it.say(&position));
        let states = engines.each_mut().map(|it| it.ask("state", "state "));
        assert_eq!(states[0], states[1]);
        let state: Vec<&str> = states[0].split(' ').collect();
        moves.push(match state[..] {
            ["turn", seat] => {
                let legal = engines[0].ask("legal", "legal ");
                let on_turn = usize::from(seat.parse::<u8>().unwrap()) % 2;
                let best = engines[on_turn].ask("go", "bestmove ");
                assert!(legal.split(' ').any(|it| it == best), "{best} of {legal}");
                best
            }
            ["chance"] => engines[0].ask("draw", "drawn "),
            _ => break,
        });
        assert!(moves.len() < 3_000);
    }
    engines.into_iter().for_each(Engine::quit);
    moves
}

#[test]
fn two_engines_play_togyzkumalak() {
    let moves = play("togyzkumalak", &["options short"]);
    let mut game = togyzkumalak::ID.start_match("short", 2).unwrap();
    for token in &moves {
        let Node::Act(seat) = game.node() else { panic!() };
        game.apply_action(seat, token).unwrap();
    }
    assert!(matches!(game.node(), Node::Over(_)));
}

#[test]
fn two_engines_play_thaayam() {
    let moves = play("thaayam", &["options pieces=1", "seats 2"]);
    assert!(moves.len() > 20);
}

/// Each pair of seats is played by an engine that only ever hears what its seats know.
#[test]
fn two_engines_play_blot_and_never_need_the_other_hands() {
    let mut engines = ["easy", "beginner"].map(|level| {
        Engine::start(&["game blot", "options target=101", &format!("level {level}")])
    });
    let options = blot::BlotOptions::read("target=101").unwrap();
    let mut game = Blot::start(&options, 4).unwrap();
    let mut rng = SeededRng::new(5);
    let mut shown = false;
    loop {
        match game.node() {
            Node::Over(_) => break,
            Node::Chance => {
                let deal = game.draw_chance(&mut rng);
                game.apply_chance(&deal, &mut Vec::new()).unwrap();
            }
            Node::Act(seat) => {
                let engine = &mut engines[seat.index() % 2];
                let view = game.view(Viewer::Seat(seat));
                engine
                    .say(&format!("position seen {}", blot::seat_notation::write(&view).unwrap()));
                assert_eq!(engine.ask("state", "state turn "), (seat.0 + 1).to_string());
                if !shown {
                    assert!(!engine.ask("show", "board ").is_empty());
                    engine.say("isready");
                    while engine.hear() != "readyok" {}
                    shown = true;
                }
                let best = engine.ask("go", "bestmove ");
                game.apply_action(seat, &blot::BlotAction::read(&best).unwrap(), &mut Vec::new())
                    .unwrap();
            }
        }
    }
    engines.into_iter().for_each(Engine::quit);
}

#[test]
fn stop_and_isready_are_heard_while_thinking() {
    let mut engine = Engine::start(&["game togyz", "level master", "position start moves 7"]);
    engine.say("go infinite");
    engine.say("legal");
    engine.say("isready");
    let mut refused = false;
    loop {
        let heard = engine.hear();
        if heard == "readyok" {
            break;
        }
        refused |= heard == "error thinking: say stop first";
        assert!(refused || heard.starts_with("info "), "{heard}");
    }
    assert!(refused);
    assert!(!engine.ask("stop", "bestmove ").is_empty());
    // Right after the answer everything is heard again.
    assert!(!engine.ask("legal", "legal ").is_empty());
    engine.say("stop");
    engine.quit();
}

#[test]
fn go_takes_limits_and_the_end_of_the_input_awaits_the_thought() {
    for limit in ["", " movetime 20", " depth 1", " nodes 1"] {
        let said = said(&["game togyz", "level medium", &format!("go{limit}")]);
        assert!(said.last().unwrap().starts_with("bestmove "), "{limit}: {said:?}");
        let info = &said[said.len() - 2];
        for word in ["depth", "score", "chance", "nodes", "nps", "time", "pv"] {
            assert!(info.contains(&format!(" {word} ")), "{info}");
        }
    }
}

#[test]
fn the_same_lines_get_the_same_answers() {
    let lines = ["game thaayam", "level easy", "seed 7", "draw", "position start moves 143", "go"];
    let best = |said: Vec<String>| said.last().unwrap().clone();
    assert_eq!(best(said(&lines)), best(said(&lines)));
    assert!(said(&lines).iter().any(|it| it.starts_with("drawn ")));
}

#[test]
fn positions_are_read_and_shown() {
    let text = "position 9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 0 0 s 0";
    assert_eq!(said(&[text, "state", "legal"]), ["state turn 2", "legal 1 2 3 4 5 6 7 8 9"]);
    let lines = ["game thaayam", "seats 3", "position ----/aabF/FFFF 2", "state"];
    assert_eq!(said(&lines), ["state chance"]);
    let lines = [&lines[..3], &["position ----/aabF/FFFF 2 moves 3", "state"]].concat();
    assert_eq!(said(&lines), ["state turn 2"]);
    let shown = said(&["position start moves 7 9", "show"]);
    assert!(!shown.is_empty() && shown.iter().all(|it| it.starts_with("board ")));
}

#[test]
fn automatic_actions_may_be_omitted() {
    // 2 and 3 do nothing without a 1: the dice are opened and passed on by themselves.
    let with = said(&["game thaayam", "position start moves 2 throw done 3 throw done", "state"]);
    let without = said(&["game thaayam", "position start moves 2 throw done 3", "state"]);
    assert_eq!((&with[0][..], &without[0][..]), ("state chance", "state turn 2"));
}

#[test]
fn mistakes_are_answered_with_a_sentence_and_change_nothing() {
    let hand = "hand=7C,8C,9C,10C,JC,QC,KC,AC";
    let seen = format!("position seen seat=1 dealer=4 {hand}");
    for (game, line, sentence) in [
        ("togyz", "hurry", "\"hurry\" is not understood; help lists what is"),
        ("togyz", "game chess", "there is no game chess"),
        ("togyz", "options house", "house are not house rules of togyzkumalak on 2 seats"),
        ("togyz", "seats 3", "togyzkumalak is played on 2 to 2 seats"),
        ("togyz", "level genius", "there is no player genius of togyzkumalak"),
        ("togyz", "position nowhere", "\"nowhere\" is not a position"),
        ("togyz", "position start moves 7 1 2 5 x", "move 5 (x)"),
        ("togyz", "position seen x", "nothing is hidden in this game"),
        ("togyz", "draw", "no outcome of chance is awaited"),
        ("thaayam", "go", "an outcome of chance is awaited"),
        ("thaayam", "position start moves 5", "move 1 (5): this cannot come up here"),
        ("thaayam", "position ----/---- 3", "3 is not a seat from 1 to 2"),
        ("thaayam", "position OOOO/---- 1", "a player has already finished"),
        ("blot", "position ----", "hands are hidden in this game"),
        ("blot", "position seen seat=5", "seat= is the seat of the view, 1 to 4"),
        ("blot", "position seen seat=1 dealer=4 hand=7C", "hand= lists the eight cards"),
        ("blot", "position seen luck=1", "luck=1: a view is given by seat="),
        ("blot", &format!("{seen} totals=x"), "totals= are two numbers"),
        ("blot", &format!("{seen} told=2:flush"), "told= and shown= are such as"),
        ("blot", &format!("{seen} moves pass"), "it is the turn of seat 2"),
        ("blot", &format!("{seen} moves 7h"), "7h cannot be said then"),
        ("blot", &format!("{seen} moves AC"), "cards are put, but there is no contract"),
        ("blot", &format!("{seen} moves 8h AC"), "cards are put before the auction is over"),
        ("blot", &format!("{seen} moves 8c pass pass pass AC 8C"), "a card of the hand is put by"),
        ("blot", &format!("{seen} moves 8c pass pass pass AH"), "a card of the hand is put by"),
        ("blot", &format!("{seen} moves 8c pass pass pass AC AC"), "AC is put twice"),
        (
            "blot",
            &format!("{seen} moves 8d pass pass pass 7C 7H 8H 9H 8C 7D"),
            "seat 2 could not put 7H",
        ),
    ] {
        let answers = said(&[&format!("game {game}"), "new", line, "isready"]);
        assert!(answers[0].starts_with("error ") && answers[0].contains(sentence), "{answers:?}");
        assert_eq!(answers[1], "readyok");
    }
}

/// A view without what no player needs: news of the last turns, the sheet of earlier rounds.
fn bare(mut view: BlotView) -> BlotView {
    view.recent_facts.clear();
    view.sheet.clear();
    view.ended = None;
    view
}

/// Plays a match with any legal actions and compares every view with what is read back of it.
fn views_survive(options: &str, seed: u64) {
    let options = blot::BlotOptions::read(options).unwrap();
    let mut game = Blot::start(&options, 4).unwrap();
    let mut rng = SeededRng::new(seed);
    let mut rounds = 0;
    while rounds < 40 {
        match game.node() {
            Node::Over(_) => return,
            Node::Chance => {
                let deal = game.draw_chance(&mut rng);
                game.apply_chance(&deal, &mut Vec::new()).unwrap();
                rounds += 1;
            }
            Node::Act(seat) => {
                for seat in (0..4).map(Seat) {
                    let actions = game.actions(seat);
                    if actions.is_empty() {
                        continue;
                    }
                    let view = game.view(Viewer::Seat(seat));
                    let text = blot::seat_notation::write(&view).unwrap();
                    let (head, moves) = text.split_once(" moves ").unwrap();
                    let moves: Vec<&str> = moves.split_whitespace().collect();
                    let read = blot::seat_notation::read(&options, head, &moves);
                    assert_eq!(read, Ok((bare(view), actions)), "{text}");
                }
                let mut actions = game.actions(seat);
                // Low bids, so that there is much to say.
                let few = if game.round().is_some_and(|it| it.play().is_none()) { 14 } else { 99 };
                actions.truncate(few);
                let words = game.actions(seat);
                actions.extend(words.iter().rev().take(2));
                let at = rng.below(actions.len() as u32) as usize;
                game.apply_action(seat, &actions[at], &mut Vec::new()).unwrap();
            }
        }
    }
}

#[test]
fn every_view_of_blot_can_be_written_and_read() {
    for (seed, options) in (1..).zip([
        "standard",
        "manual_melds=true",
        "show_melds=all",
        "kuansh_any_time=true,bid_after_kuansh=true",
        "manual_melds=true,meld_choice=strength,tie_turn=trick2",
        "undertrump=true,pass_final=true,last_word=true,long_runs=single",
    ]) {
        views_survive(options, seed);
    }
}

/// Words that mean something somewhere in the protocol.
const WORDS: &[&str] = &[
    "position",
    "start",
    "moves",
    "seen",
    "game",
    "blot",
    "thaayam",
    "togyz",
    "options",
    "standard",
    "seats",
    "2",
    "4",
    "level",
    "beginner",
    "go",
    "depth",
    "1",
    "movetime",
    "5",
    "legal",
    "show",
    "state",
    "draw",
    "new",
    "stop",
    "isready",
    "7",
    "143",
    "throw",
    "1:in",
    "pass",
    "8h",
    "AC",
    "seat=1",
    "dealer=4",
    "hand=7C,8C,9C,10C,JC,QC,KC,AC",
    "totals=300:1",
    "told=1:terz",
    "shown=2:four-J",
    "kuansh",
    "sur",
    "84bk",
    "-1",
    "99999999999999999999",
    "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9",
    "0",
    "f",
    "f+",
    "----/aabF",
    "OOOO/----",
    "2-00000000000000000",
    "00005555aaaaffff",
    "0-00005555aaaaffff",
    "♥",
    "=",
    ":",
    "seed",
];

fn any_line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(WORDS);
    let known = prop::collection::vec(words, 0..9).prop_map(|words| words.join(" "));
    prop_oneof![4 => known, 1 => "\\PC{0,60}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_that_is_said_breaks_it(lines in prop::collection::vec(any_line(), 1..12)) {
        let lines = lines.join("\n") + "\nstop\nisready";
        let answers = answers(lines.as_bytes());
        let known = [
            "error ", "readyok", "bestmove ", "info ", "legal ", "board ", "state ", "drawn ",
        ];
        for line in &answers {
            prop_assert!(known.iter().any(|it| line.starts_with(it)), "{}", line);
            prop_assert!(!line.contains("broke down"), "{}", lines);
        }
        prop_assert!(answers.iter().any(|it| it == "readyok"));
    }

    #[test]
    fn bytes_that_are_no_text_do_not_break_it(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        answers(&bytes);
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let long = "x".repeat(3 << 20);
    let answers = answers(format!("{long}\nisready\n").as_bytes());
    assert_eq!(answers, ["error this line is too long", "readyok"]);
}

/// The pipes above are those of a process too; this is the program itself.
#[test]
fn the_program_itself_answers() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_caravanserai-tools"))
        .args(["engine", "blot"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let hand = "hand=7C,8C,9C,10C,JC,QC,KC,AC";
    let lines = format!("level easy\nposition seen seat=1 dealer=4 {hand} moves\ngo\n");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.lines().last().unwrap().starts_with("bestmove "), "{said}");
}
