//! What every game must keep to, checked by random play.

use std::fmt::Debug;

use caravanserai::games::GameId;
use caravanserai::games::blot::{self, Blot};
use caravanserai::games::thaayam::{self, Thaayam};
use caravanserai::games::togyzkumalak::{Togyzkumalak, Variant};
use caravanserai::rules::{Entropy, Node, Rules, Seat, Token, Viewer};

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
fn conform<R: Rules>(
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
                let outcome = game.draw(&mut random);
                let token = check_token(&outcome, usize::MAX);
                game.settle(&outcome, &mut facts).expect("what was drawn can be settled");
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
                game.act(turn, action, &mut facts).expect("a listed action is legal");
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
        let acted = game.clone().act(seat, &action, &mut Vec::new());
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
        let refused = game.act(seat, action, &mut facts);
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
        assert!(game.act(turn, action, &mut facts).is_err(), "{action:?} is not legal");
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
                again.act(*seat, &action, &mut facts_again).expect("an action of the log");
            }
            None => {
                let outcome = R::Chance::read(token).expect("a token of the log");
                again.settle(&outcome, &mut facts_again).expect("an outcome of the log");
            }
        }
    }
    assert_eq!(again, *game);
    assert_eq!(facts_again, facts);
}

#[test]
fn togyzkumalak_conforms() {
    for variant in Variant::ALL {
        for seed in 0..150 {
            conform::<Togyzkumalak>(&variant, 2, seed, 2_000, |game| {
                let position = game.position();
                let pits = position.pits();
                let kazans = position.kazans();
                let stones = pits.as_flattened().iter().chain(&kazans).copied();
                assert_eq!(stones.map(u32::from).sum::<u32>(), 162);
            });
        }
    }
}

#[test]
fn thaayam_conforms() {
    let sets = [
        ("standard", 4),
        ("standard", 3),
        ("standard", 2),
        ("pieces=2,throw=auto,exact=no,capture=final", 4),
        ("pieces=3,finish=fortress,obligation=max,kill_again=yes,clockwise=yes", 3),
        ("pieces=1,lost_before_one=track,kill_to_go_in=yes,play_on=yes", 4),
        ("lost_before_one=never,same_turn_bear_off=no,partners=yes,block_on_path=yes", 4),
        ("pieces=2,capture=final,obligation=max,kill_again=yes,kill_to_go_in=yes", 2),
    ];
    for (options, seats) in sets {
        let options = thaayam::Options::read(options).expect("options");
        for seed in 0..2 {
            conform::<Thaayam>(&options, seats, seed, 40_000, |game| {
                let position = game.position_now();
                for seat in (0..position.seats()).map(Seat) {
                    let steps = position.side(seat).steps();
                    assert!(steps.is_sorted());
                    let pieces = usize::from(position.options().pieces);
                    let side = thaayam::Side::new(&steps[..pieces]);
                    assert_eq!(side, Some(*position.side(seat)));
                }
            });
        }
    }
}

#[test]
fn blot_conforms() {
    let sets = [
        "standard",
        "target=101,boy_multiplier=235,manual_melds=true,kuansh_any_time=true",
        "target=101,pass_final=true,redeal_dealer=same,min_bid=7,last_word=true,sur_by=bidder",
        "target=101,undertrump=true,suit_rank=true,kaput_min=26,kaput_sticky=other_team",
        "target=101,max_bid=16,bid_after_kuansh=true,rounding=independent,both_reach=bidder",
        "target=101,manual_melds=true,meld_choice=strength,tie_turn=trick2,show_melds=all",
    ];
    for (n, options) in (0..).zip(sets) {
        let options = blot::Options::read(options).expect("options");
        for seed in 0..4 {
            conform::<Blot>(&options, 4, 100 * n + seed, 5_000, |game| {
                let Some(round) = game.round() else { return };
                let all: u32 = round.hands().iter().map(|hand| hand.count_ones()).sum();
                let played = round.play().map_or(0, |play| {
                    4 * u32::from(play.tricks.done()) + play.tricks.table().len() as u32
                });
                assert_eq!(all + played, 32);
            });
        }
    }
}

#[test]
fn every_page_of_the_rules_has_its_own_picture() {
    for game in GameId::all() {
        let lessons: Vec<_> = (0..game.info().lessons).map(|n| game.lesson(n)).collect();
        assert!(lessons.iter().all(Option::is_some), "{game:?}");
        for (n, lesson) in lessons.iter().enumerate() {
            assert!(!lessons[..n].contains(lesson), "{game:?} shows lesson {n} twice");
        }
        assert!(game.lesson(game.info().lessons).is_none());
    }
}
