//! Checks one game by random play: its rules, and its behaviour at a table.

use std::fmt::Debug;

use caravanserai_games::GameId;
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::{I18n, Lang};

/// A small generator, so that a failure can be repeated from its seed.
pub struct Seeded(pub u64);

impl Entropy for Seeded {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from(((mixed >> 32) * u64::from(n)) >> 32).expect("it is below n")
    }
}

/// A log line: who decided, or chance, and the token of what.
type Line = (Option<Seat>, String);

/// Plays one random game and checks all along.
pub fn conform<R: Rules>(
    options: &R::Options,
    seats: u8,
    seed: u64,
    steps_max: usize,
    conserves: fn(&R),
) {
    let mut random = Seeded(seed);
    let mut game = R::start(options, seats).expect("a game for so many");
    let mut log: Vec<Line> = Vec::new();
    let mut facts = Vec::new();
    let mut known: Vec<R::Action> = Vec::new();
    loop {
        conserves(&game);
        check_views(&game, seats);
        let facts_before = facts.len();
        match game.node() {
            Node::Over(scores) => {
                assert_eq!(scores.len(), usize::from(seats), "seed {seed}");
                assert!((0..seats).all(|seat| game.actions(Seat(seat)).is_empty()));
                break;
            }
            Node::Chance => {
                let outcome = game.draw_chance(&mut random);
                let token = check_token(&outcome, usize::MAX);
                game.apply_chance(&outcome, &mut facts).expect("what was drawn can be settled");
                log.push((None, token));
            }
            Node::Act(turn) => {
                let actions = check_actions(&game, turn, seats);
                check_wrong_seats(&mut game, &actions, turn, seats);
                known.retain(|action| !actions.contains(action));
                check_refused(&mut game, turn, &known);
                known.extend_from_slice(&actions);
                let n = u32::try_from(actions.len()).expect("not so many");
                let action = &actions[random.below(n) as usize];
                game.apply_action(turn, action, &mut facts).expect("a listed action is legal");
                assert!(facts.len() > facts_before, "seed {seed}: nothing happened");
                log.push((Some(turn), action.write()));
            }
        }
        assert!(log.len() <= steps_max, "seed {seed}: {options:?} does not end");
    }
    check_replay(&game, options, seats, &log, &facts);
}

/// Turn and actions go together; tokens are sorted, unique and read back.
fn check_actions<R: Rules>(game: &R, turn: Seat, seats: u8) -> Vec<R::Action> {
    let actions = game.actions(turn);
    assert!(!actions.is_empty(), "whose turn it is has something to do");
    for seat in (0..seats).map(Seat).filter(|seat| *seat != turn) {
        check_out_of_turn(game, seat);
    }
    let tokens: Vec<String> = actions.iter().map(|action| check_token(action, 16)).collect();
    assert!(tokens.windows(2).all(|pair| pair[0] < pair[1]), "sorted and unique: {tokens:?}");
    actions
}

/// What a seat may do that nobody waits for, it may really do.
fn check_out_of_turn<R: Rules>(game: &R, seat: Seat) {
    for action in game.actions(seat) {
        let acted = game.clone().apply_action(seat, &action, &mut Vec::new());
        assert_eq!(acted, Ok(()), "{seat:?} may act out of turn");
    }
}

fn check_token<T: Token + Eq + Debug>(value: &T, bytes_max: usize) -> String {
    let token = value.write();
    assert_eq!(T::read(&token).as_ref(), Some(value), "{token} must read back");
    assert!(token.len() <= bytes_max, "{token} is too long");
    assert!(token.bytes().all(|b| b.is_ascii_graphic()), "{token} must be plain");
    assert!(T::read(&format!("{token} ")).is_none(), "only the canonical spelling is read");
    token
}

/// Everybody else is refused, and a refusal changes nothing.
fn check_wrong_seats<R: Rules>(game: &mut R, actions: &[R::Action], turn: Seat, seats: u8) {
    let before = game.clone();
    let mut facts = Vec::new();
    for seat in (0..=seats).map(Seat).filter(|seat| *seat != turn) {
        let own = game.actions(seat);
        let Some(action) = actions.iter().find(|action| !own.contains(action)) else { continue };
        let refused = game.apply_action(seat, action, &mut facts);
        assert!(refused.is_err(), "{seat:?} is not on turn");
    }
    assert!(facts.is_empty(), "a refusal pushes no facts");
    assert_eq!(*game, before, "a refusal changes nothing");
}

/// Actions that were legal at another time and are not now are refused without a trace.
fn check_refused<R: Rules>(game: &mut R, turn: Seat, others: &[R::Action]) {
    let before = game.clone();
    let mut facts = Vec::new();
    for action in others {
        assert!(game.apply_action(turn, action, &mut facts).is_err(), "{action:?} is not legal");
        assert!(facts.is_empty(), "a refusal pushes no facts");
        assert_eq!(*game, before, "a refusal changes nothing");
    }
}

fn check_views<R: Rules>(game: &R, seats: u8) {
    for viewer in (0..seats).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Public]) {
        assert_eq!(game.view(viewer), game.view(viewer), "a view depends on the state alone");
    }
}

/// The log alone leads to an equal state and equal facts.
fn check_replay<R: Rules>(
    game: &R,
    options: &R::Options,
    seats: u8,
    log: &[Line],
    facts: &[R::Fact],
) {
    let options = R::Options::read(&options.write()).expect("options read back");
    let mut again = R::start(&options, seats).expect("a game for so many");
    let mut facts_again = Vec::new();
    for (by, token) in log {
        match by {
            Some(seat) => {
                let action = R::Action::read(token).expect("a token of the log");
                again.apply_action(*seat, &action, &mut facts_again).expect("an action of the log");
            }
            None => {
                let outcome = R::Chance::read(token).expect("a token of the log");
                again.apply_chance(&outcome, &mut facts_again).expect("an outcome of the log");
            }
        }
    }
    assert_eq!(again, *game);
    assert_eq!(facts_again, facts);
}

/// Plays one random game as a table does and checks what it shows and says.
pub fn plays_at_a_table(game: GameId, options: &str, seats: u8, seed: u64) {
    let code = game.info().code;
    let i18n = I18n::new();
    let mut random = Seeded(seed);
    let mut board = game.start_match(options, seats).expect("a game for so many");
    let mut steps: Vec<Line> = Vec::new();
    let viewers = (0..seats).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Public]);
    let viewers: Vec<Viewer> = viewers.collect();
    for _ in 0..400 {
        for viewer in &viewers {
            let said = [board.caption(*viewer), board.board_text(*viewer)].concat();
            assert!(!said.is_empty(), "{code} says nothing");
            said.iter().for_each(|text| is_said(&i18n, text));
            assert!(!board.scene(*viewer, &[], None).items.is_empty(), "{code} shows nothing");
        }
        match board.node() {
            Node::Over(scores) => {
                assert_eq!(scores.len(), usize::from(seats));
                break;
            }
            Node::Chance => {
                let token = board.draw_chance(&mut random);
                board.apply_chance(&token).expect("what was drawn can be settled");
                steps.push((None, token));
            }
            Node::Act(seat) => {
                let choices = board.choices(seat);
                let n = u32::try_from(choices.len()).expect("not so many");
                let token = choices[random.below(n) as usize].token.clone();
                let shown = board.panel(seat, 0).rows.into_iter().flatten();
                let is_listed = |it: &String| choices.iter().any(|known| known.token == *it);
                assert!(shown.map(|it| it.token).all(|it| is_listed(&it)), "{code}: a dead button");
                board.apply_action(seat, &token).expect("a listed action is legal");
                steps.push((Some(seat), token));
            }
        }
        assert_eq!(board.check_invariants(), None, "{code} after {steps:?}");
        let lines = &board.chart_sample().lines;
        assert!(lines.iter().flat_map(|line| &line.seats).all(|seat| *seat < seats));
    }
    let mut again = game.start_match(options, seats).expect("a game for so many");
    for (seat, token) in &steps {
        match seat {
            Some(seat) => again.apply_action(*seat, token).expect("a token of the log"),
            None => again.apply_chance(token).expect("an outcome of the log"),
        }
    }
    for viewer in viewers {
        assert_eq!(again.caption(viewer), board.caption(viewer));
        assert_eq!(again.scene(viewer, &[], None), board.scene(viewer, &[], None));
    }
}

/// There are words for a text and for all that is in it.
fn is_said(i18n: &I18n, text: &Text) {
    assert!(i18n.has_message(Lang::default(), &text.key), "no words for {}", text.key);
    text.args.iter().for_each(|(_, arg)| is_arg_said(i18n, arg));
}

fn is_arg_said(i18n: &I18n, arg: &Arg) {
    match arg {
        Arg::Text(text) => is_said(i18n, text),
        Arg::List(items) | Arg::Row(items) | Arg::Names(items) => {
            items.iter().for_each(|it| is_arg_said(i18n, it));
        }
        Arg::Number(_) | Arg::Plain(_) | Arg::Mention { .. } | Arg::Seat(_) | Arg::Time(_) => {}
    }
}
