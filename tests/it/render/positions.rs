//! The positions whose pictures are looked at.

use caravanserai_games::GameId;
use caravanserai_games::chart;
use caravanserai_games::rules::Seat;
use caravanserai_games::scene::Scene;
use caravanserai_games::togyzkumalak::scene::{scene, scene_seen_from};
use caravanserai_games::togyzkumalak::view::{LastMove, Pit, TogyzkumalakEnd, TogyzkumalakView};
use caravanserai_games::{blot, thaayam, togyzkumalak};
use caravanserai_i18n::vocabulary;

pub const NAMES: [&str; 2] = ["Aigerim", "Բագրատ"];

pub fn start() -> TogyzkumalakView {
    TogyzkumalakView {
        variant: Default::default(),
        pits: [[9; 9]; 2],
        kazans: [0, 0],
        tuzdyks: [None, None],
        turn: Some(Seat(0)),
        extra: false,
        plies: 0,
        last: None,
        end: None,
        before: None,
        earlier: Vec::new(),
    }
}

fn last(seat: u8, from: u8, stones: u8, to: (u8, u8), captured: u8) -> Option<LastMove> {
    Some(LastMove {
        seat: Seat(seat),
        from: from - 1,
        stones,
        to: Pit { side: Seat(to.0), index: to.1 - 1 },
        captured,
        tuzdyk: false,
        through: [0, 0],
    })
}

/// The positions that are looked at, with the names they are stored under.
pub fn pictures() -> Vec<(&'static str, Scene)> {
    let long = ["Абылайхан Құнанбайұлы Жолдасбеков", "🌸 Mihranuhi Ter-Hovhannisyan 🌸"];
    let mut pictures = vec![
        ("start", scene(&start(), NAMES)),
        ("first-move", scene(&first_move(), NAMES)),
        ("tabiya", scene(&tabiya(), ["Ғани Әбдіқұлов", "Արամ"])),
        ("heaps", scene(&heaps(), NAMES)),
        ("majority", scene(&majority(), NAMES)),
        ("draw", scene(&draw(), NAMES)),
        ("extra", scene(&extra(), ["🌸🌸🌸", "李雷"])),
        ("names", scene(&tabiya(), long)),
        ("turned", scene_seen_from(&first_move(), NAMES, None, Seat(1))),
        ("scripts", scene(&tabiya(), ["علي بن سينا", "அருண் குமார்"])),
        ("full", scene(&full(), NAMES)),
    ];
    pictures.extend(lessons());
    pictures.extend(charts());
    pictures.extend(super::thaayam::pictures());
    pictures.extend(super::blot::pictures());
    pictures
}

/// Some pages of courses.
fn lessons() -> Vec<(&'static str, Scene)> {
    let pages = [
        ("lesson-tuzdyk", togyzkumalak::ID, "tuzdyk"),
        ("lesson-end", togyzkumalak::ID, "end"),
        ("thaayam-lesson-kill", thaayam::ID, "kill"),
        ("thaayam-lesson-guests", thaayam::ID, "guests"),
        ("blot-lesson-trick", blot::ID, "trick"),
        ("blot-lesson-cut", blot::ID, "cut"),
    ];
    let names = ["Aigerim", "Բագրատ", "Lakshmi", "Bo"].map(str::to_owned);
    let shown = |(name, game, page): (&'static str, GameId, &str)| {
        (name, game.page_view(page, None, vocabulary(), &names).unwrap().scene)
    };
    pages.into_iter().map(shown).collect()
}

/// Charts of made-up games.
fn charts() -> Vec<(&'static str, Scene)> {
    let names = ["Aigerim", "Բագրատ", "Lakshmi", "Bo"].map(str::to_owned);
    let games = [
        ("chart-togyz", togyzkumalak::ID, 2),
        ("chart-thaayam", thaayam::ID, 4),
        ("chart-blot", blot::ID, 4),
    ];
    let chart = |(name, game, seats): (&'static str, GameId, u8)| {
        let now = game.start_match(&game.info().default_options(), seats).unwrap().chart_sample();
        let lines = now.lines.len() as i32;
        let row = |n: i32| (0..lines).map(|line| n * (7 - line) / 4 + n % (line + 2)).collect();
        (name, chart::chart_scene(&now, &names, &(0..30).map(row).collect::<Vec<Vec<i32>>>()))
    };
    games.map(chart).to_vec()
}

fn first_move() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[9, 9, 9, 9, 9, 9, 1, 10, 10], [10, 10, 10, 10, 10, 0, 9, 9, 9]],
        kazans: [10, 0],
        turn: Some(Seat(1)),
        plies: 1,
        last: last(0, 7, 9, (1, 6), 10),
        ..start()
    }
}

fn tabiya() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[1, 2, 20, 7, 19, 0, 1, 2, 0], [0, 0, 6, 18, 6, 7, 5, 1, 1]],
        kazans: [42, 24],
        tuzdyks: [Some(0), Some(5)],
        turn: Some(Seat(0)),
        plies: 20,
        last: last(1, 2, 1, (1, 3), 0),
        ..start()
    }
}

fn heaps() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[0, 1, 2, 48, 12, 3, 4, 16, 5], [6, 7, 8, 0, 24, 11, 1, 13, 1]],
        kazans: [0, 0],
        turn: Some(Seat(0)),
        plies: 31,
        last: last(1, 7, 19, (1, 7), 0),
        ..start()
    }
}

fn majority() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[1, 0, 3, 0, 2, 0, 1, 2, 0], [1, 1, 5, 7, 0, 6, 6, 0, 0]],
        kazans: [84, 43],
        tuzdyks: [Some(4), Some(1)],
        turn: None,
        plies: 120,
        last: last(0, 9, 2, (1, 1), 8),
        end: Some(TogyzkumalakEnd::Majority),
        ..start()
    }
}

fn draw() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[0; 9]; 2],
        kazans: [81, 81],
        tuzdyks: [Some(2), Some(6)],
        turn: None,
        plies: 140,
        last: last(1, 9, 1, (0, 1), 0),
        end: Some(TogyzkumalakEnd::Atsyrau { collected: 13 }),
        ..start()
    }
}

fn extra() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[0; 9], [0, 4, 0, 0, 0, 2, 3, 4, 3]],
        kazans: [71, 75],
        tuzdyks: [None, Some(3)],
        turn: Some(Seat(1)),
        extra: true,
        plies: 110,
        last: last(1, 9, 4, (0, 3), 4),
        ..start()
    }
}

/// More stones than there are: the largest picture that could be asked for.
fn full() -> TogyzkumalakView {
    TogyzkumalakView {
        pits: [[255; 9], [48; 9]],
        kazans: [255, 162],
        turn: Some(Seat(1)),
        extra: true,
        plies: 99,
        last: last(0, 5, 48, (1, 9), 48),
        ..start()
    }
}
