//! Replays and charts: whole games played by the simple computer players, shown again.
//!
//! With `PICTURES=<folder>` the tests leave animations, charts and records there, for looking at.

mod command;
mod service;

use caravanserai_games::replay::LAST_CS;
use caravanserai_games::rules::{Node, Seat, Viewer};
use caravanserai_games::scene::SceneFrame;
use caravanserai_games::{GameId, GameReplay, LoggedStep, RecordHeading, shorten_stills};
use caravanserai_games::{blot, thaayam, togyzkumalak};
use caravanserai_render::{DEFAULT_THEME, animation_width};
use gif::{ColorOutput, DecodeOptions};

use super::game_conformance::Seeded;
use super::render::renderer;
use super::test_computers::beginner;

pub const NAMES: [&str; 4] = ["Айгерім", "Բագրատ", "Meena", "Chen"];

/// A game to its end or to so many steps.
pub fn played(game: GameId, options: &str, seats: u8, seed: u64, steps_max: usize) -> GameReplay {
    let start = game.start_match(options, seats).unwrap();
    let mut now = start.clone_box();
    let mut entropy = Seeded(seed);
    let mut steps = Vec::new();
    while steps.len() < steps_max {
        let (seat, token) = match now.node() {
            Node::Over(_) => break,
            Node::Chance => (None, now.draw_chance(&mut entropy)),
            Node::Act(seat) => {
                let token = now
                    .forced_action()
                    .unwrap_or_else(|| beginner(game, &*now, seat, &mut entropy));
                (Some(seat), token)
            }
        };
        match seat {
            Some(seat) => now.apply_action(seat, &token).unwrap(),
            None => now.apply_chance(&token).unwrap(),
        }
        steps.push((seat, token));
    }
    let names = NAMES.iter().take(usize::from(seats)).map(|it| (*it).to_owned()).collect();
    GameReplay { start, names, result: None, steps }
}

/// One of each, to the end.
pub fn games() -> Vec<(&'static str, GameId, String, GameReplay)> {
    let game = |name, game: GameId, options: &str, seats, seed| {
        (name, game, options.to_owned(), played(game, options, seats, seed, 20_000))
    };
    vec![
        game("togyz", togyzkumalak::ID, "seed", 2, 7),
        game("thaayam", thaayam::ID, "standard", 2, 3),
        game("thaayam-four", thaayam::ID, "pieces=2", 4, 4),
        game("blot", blot::ID, "target=101", 4, 5),
    ]
}

/// The record that a table would give.
pub fn record(options: &str, replay: &GameReplay) -> String {
    let heading = RecordHeading {
        names: replay.names.clone(),
        date: "2026.11.21".into(),
        site: "Caravanserai".into(),
        result: replay.result.clone(),
    };
    let steps: Vec<LoggedStep> =
        replay.steps.iter().map(|(seat, it)| (*seat, it.as_str())).collect();
    replay.start.write_record(&heading, options, &steps)
}

/// What people see of an animation: RGB pixels and the duration of each frame.
pub fn watch(file: &[u8]) -> (Vec<(Vec<u8>, u16)>, u16, u16) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (decoder.width(), decoder.height());
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut sheet = vec![0; usize::from(width) * usize::from(height) * 3];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (n, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|it| it.1[3] > 0) {
            let (x, y) = (n % usize::from(frame.width), n / usize::from(frame.width));
            let at =
                (y + usize::from(frame.top)) * usize::from(width) + x + usize::from(frame.left);
            sheet[3 * at..3 * at + 3].copy_from_slice(&pixel[..3]);
        }
        frames.push((sheet.clone(), frame.delay));
    }
    (frames, width, height)
}

fn rgb(png: &[u8]) -> Vec<u8> {
    image::load_from_memory(png).unwrap().to_rgb8().into_raw()
}

/// Pictures that look alike are one frame.
fn distinct(stills: &[SceneFrame]) -> usize {
    1 + stills.windows(2).filter(|pair| pair[0].scene != pair[1].scene).count()
}

#[test]
fn the_animation_shows_what_the_pictures_show() {
    let renderer = renderer();
    for (name, _, _, replay) in games() {
        let mut stills = shorten_stills(replay.stills(Viewer::Public).unwrap());
        stills.drain(7..stills.len() - 3);
        let width = 240;
        let file = renderer.animate(&stills, DEFAULT_THEME, width, |_| ());
        let (frames, w, _) = watch(&file);
        assert_eq!((frames.len(), u32::from(w)), (distinct(&stills), width), "{name}");
        let (first, last) = (&frames[0], &frames[frames.len() - 1]);
        let png = |still: &SceneFrame| rgb(&renderer.draw(&still.scene, DEFAULT_THEME, width));
        assert!(first.0 == png(&stills[0]), "{name}: the first frame");
        assert!(last.0 == png(&stills[stills.len() - 1]), "{name}: the last frame");
        assert_eq!(last.1, LAST_CS, "{name}");
        let mut seen = frames.iter();
        for still in &stills {
            let png = png(still);
            assert!(seen.clone().any(|it| it.0 == png), "{name}: a picture is missing");
            seen.next();
        }
    }
}

#[test]
fn a_replay_stops_at_every_move_turn_and_trick() {
    for (name, game, _, replay) in games() {
        let stills = replay.stills(Viewer::Public).unwrap();
        let expected = match game.info().code {
            "togyzkumalak" => replay.steps.len() + 1,
            "thaayam" => {
                // A series is thrown once for each picture but the first; the last may be open.
                let series = replay.steps.iter().filter(|(seat, _)| seat.is_none()).count();
                series + 1
            }
            _ => {
                let deals = replay.steps.iter().filter(|(seat, _)| seat.is_none()).count();
                let cards =
                    replay.steps.iter().filter(|(_, it)| it.ends_with(['C', 'D', 'H', 'S']));
                let tricks = cards.filter(|(_, it)| it.len() < 4).count() / 4;
                let rounds = tricks / 8;
                let thrown_in = deals - rounds;
                1 + tricks + 2 * rounds + thrown_in
            }
        };
        assert_eq!(stills.len(), expected, "{name}");
        let game = replay.start.clone_box();
        assert_eq!(stills[0].scene, game.scene(Viewer::Public, &replay.names, None));
        assert_eq!(stills[stills.len() - 1].hold_cs, LAST_CS);
    }
}

#[test]
fn a_replay_ends_with_the_result_and_refuses_what_cannot_be() {
    let mut replay = played(togyzkumalak::ID, "seed", 2, 1, 9);
    replay.result = Some(vec![0, 1]);
    let stills = replay.stills(Viewer::Public).unwrap();
    assert_eq!(stills.len(), 10);
    let mut game = replay.start.clone_box();
    for (seat, token) in &replay.steps {
        game.apply_action(seat.unwrap(), token).unwrap();
    }
    let ended = game.scene(Viewer::Public, &replay.names, Some(&[0, 1]));
    assert_eq!(stills[9].scene, ended);
    replay.steps.insert(4, (Some(Seat(1)), "1".into()));
    let wrong = replay.stills(Viewer::Public).unwrap_err();
    assert_eq!(wrong.number, 5);
    assert!(wrong.to_string().starts_with("step 5 (1) is not possible: "));
}

#[test]
fn a_hand_is_shown_only_to_its_owner() {
    let replay = played(blot::ID, "standard", 4, 11, 60);
    let seat = replay.stills(Viewer::Seat(Seat(2))).unwrap();
    let public = replay.stills(Viewer::Public).unwrap();
    assert!(seat.iter().any(|it| it.scene.height == 620), "a hand has a sheet of its own");
    assert!(public.iter().all(|it| it.scene.height == 760));
    // Sheets of two shapes make one film.
    let file = renderer().animate(&seat, DEFAULT_THEME, 320, |_| ());
    assert!(watch(&file).0.len() > 3);
}

#[test]
fn records_give_the_same_replay() {
    for (name, game, options, replay) in games() {
        let text = record(&options, &replay) + "\n% table 7k3fx\n% log\n% 1 2 3 {\n";
        let again = game.read_record(&text, None).unwrap_or_else(|it| panic!("{name}: {it}"));
        assert_eq!(again.names, replay.names, "{name}");
        let (one, other) = (replay.stills(Viewer::Public), again.stills(Viewer::Public));
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(one.len(), other.len(), "{name}");
        assert!(one.iter().zip(&other).all(|(a, b)| a.scene == b.scene), "{name}");
        assert_eq!(replay.chart().unwrap(), again.chart().unwrap(), "{name}");
    }
}

#[test]
fn pictures_can_be_left_for_looking() {
    let Some(folder) = std::env::var_os("PICTURES") else { return };
    let folder = std::path::Path::new(&folder);
    let renderer = renderer();
    for (name, _, options, replay) in games() {
        let stills = shorten_stills(replay.stills(Viewer::Public).unwrap());
        let width = animation_width(&stills[0].scene, stills.len());
        let file = renderer.animate(&stills, DEFAULT_THEME, width, |_| ());
        std::fs::write(folder.join(format!("{name}.gif")), file).unwrap();
        std::fs::write(folder.join(format!("{name}.txt")), record(&options, &replay)).unwrap();
        for width in [320, 640, 1280] {
            let png = renderer.draw(&replay.chart().unwrap(), DEFAULT_THEME, width);
            std::fs::write(folder.join(format!("chart-{name}-{width}.png")), &*png).unwrap();
        }
    }
}
