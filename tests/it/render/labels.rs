//! Words and numbers on pictures: whole, on the sheet, and clear of each other.

use caravanserai_bot::results::queries::all_lists;
use caravanserai_bot::results::row_formats::{HistoryEntry, RatingChange};
use caravanserai_bot::views::rating_curve::RatingCurve;
use caravanserai_bot::views::{computer_views, result_views::list_name};
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Entropy, Node, Seat, Viewer};
use caravanserai_games::scene::{Align, Scene, SceneItem, SceneLabel, Sprite};
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::Arg;
use caravanserai_games::{GameId, GameInfo, blot, chart};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_render::{Fonts, Renderer};
use caravanserai_results::{GameOutcome, RatingList};

use super::positions::pictures;
use super::renderer;
use crate::game_conformance::Seeded;

/// Left, top, right, bottom.
type Area = [f32; 4];

/// Half the height of a digit as part of the size of its font.
const DIGIT_HALF: f32 = 0.37;

/// So little is not seen, in units.
const HAIR: f32 = 2.0;

fn area(fonts: &Fonts, label: &SceneLabel) -> Area {
    let seen = fonts.fit_label(label);
    let left = f32::from(label.at.x)
        - match label.align {
            Align::Start => 0.0,
            Align::Middle => seen.width / 2.0,
            Align::End => seen.width,
        };
    let (y, half) = (f32::from(label.at.y), seen.size * DIGIT_HALF);
    [left, y - half, left + seen.width, y + half]
}

fn area_of(sprite: &Sprite) -> Area {
    let (x, y) = (f32::from(sprite.at.x), f32::from(sprite.at.y));
    let (width, height) = (f32::from(sprite.width) / 2.0, f32::from(sprite.height) / 2.0);
    [x - width, y - height, x + width, y + height]
}

fn meet(a: Area, b: Area) -> bool {
    let apart = |from: usize, to: usize| a[to] - HAIR <= b[from] || b[to] - HAIR <= a[from];
    !apart(0, 2) && !apart(1, 3)
}

/// What is wrong with the words and numbers of a picture.
fn faults(renderer: &Renderer, scene: &Scene) -> Vec<String> {
    let fonts = renderer.fonts();
    let labels: Vec<(&SceneLabel, Area)> = scene
        .items
        .iter()
        .filter_map(|it| match it {
            SceneItem::Label(label) => Some((label, area(fonts, label))),
            SceneItem::Sprite(_) | SceneItem::Trail(_) => None,
        })
        .filter(|(_, [left, _, right, _])| left < right)
        .collect();
    let plates = scene.items.iter().filter_map(|it| match it {
        SceneItem::Sprite(sprite) if sprite.name.starts_with("plate") => Some(area_of(sprite)),
        SceneItem::Sprite(_) | SceneItem::Label(_) | SceneItem::Trail(_) => None,
    });
    let plates: Vec<Area> = plates.collect();
    let mut faults = Vec::new();
    for (n, (label, area)) in labels.iter().enumerate() {
        let [left, top, right, bottom] = *area;
        let seen = fonts.fit_label(label).text;
        let digits = label.text.chars().any(|it| it.is_ascii_digit());
        if digits && !label.text.chars().any(char::is_alphabetic) && seen.contains('…') {
            faults.push(format!("the number {} is cut to {seen}", label.text));
        }
        let (width, height) = (f32::from(scene.width), f32::from(scene.height));
        if left < 0.0 || top < 0.0 || right > width || bottom > height {
            faults.push(format!("{seen} runs out of the picture"));
        }
        for (other, there) in &labels[n + 1..] {
            if meet(*area, *there) {
                faults.push(format!("{seen} and {} lie on each other", other.text));
            }
        }
        let middle = [(left + right) / 2.0 - HAIR, top, (left + right) / 2.0 + HAIR, bottom];
        for plate in plates.iter().filter(|it| meet(*area, **it)) {
            if !meet(middle, *plate) || left < plate[0] || right > plate[2] {
                faults.push(format!("{seen} runs over the edge of a plate"));
            }
        }
    }
    faults
}

#[track_caller]
fn is_clear(renderer: &Renderer, scene: &Scene, what: &str) {
    let faults = faults(renderer, scene);
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

/// The longest that people and computers are called in a language.
fn long_names(i18n: &I18n, lang: Lang) -> Vec<String> {
    let computers = ComputerLevel::ALL.map(|it| Arg::from(computer_views::level_name(it)));
    let longest = computers.iter().map(|it| caravanserai_bot::workers::label_text(i18n, lang, it));
    let longest = longest.max_by_key(|it| it.chars().count()).unwrap_or_default();
    vec![
        "Абылайхан Құнанбайұлы Жолдасбеков".to_owned(),
        longest.clone(),
        "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW".to_owned(),
        format!("{longest} 2"),
    ]
}

#[test]
fn every_picture_of_every_game_shows_its_numbers_whole() {
    let (renderer, i18n) = (renderer(), I18n::new());
    for game in GameId::all() {
        let GameInfo { code, seats, .. } = game.info();
        for lang in Lang::all() {
            let names = long_names(&i18n, *lang);
            let mut table = game.start_match(&game.info().default_options(), seats.most).unwrap();
            let mut random = Seeded(u64::from(seats.most));
            for step in 0..250 {
                let what = format!("{code} in {}, step {step}", lang.code());
                for viewer in [Viewer::Public, Viewer::Seat(Seat(1))] {
                    is_clear(&renderer, &table.scene(viewer, &names, None), &what);
                }
                match table.node() {
                    Node::Over(_) => break,
                    Node::Chance => {
                        let token = table.draw_chance(&mut random);
                        table.apply_chance(&token).unwrap();
                    }
                    Node::Act(seat) => {
                        let choices = table.choices(seat);
                        let n = random.below(choices.len() as u32) as usize;
                        table.apply_action(seat, &choices[n].token).unwrap();
                    }
                }
            }
            let result: Vec<i32> = (0..i32::from(seats.most)).collect();
            is_clear(&renderer, &table.scene(Viewer::Public, &names, Some(&result)), code);
        }
    }
}

#[test]
fn scores_of_four_digits_and_the_highest_bids_are_whole() {
    use blot::{Blot, BlotAction, BlotOptions};
    use caravanserai_games::rules::{Rules, Token};
    let (renderer, i18n) = (renderer(), I18n::new());
    for lang in Lang::all() {
        let names = long_names(&i18n, *lang);
        for steps in ["", "8h", "8h 47d pass 48b", "8h 84bk kuansh", "84bk kuansh sur"] {
            let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
            let deal = game.draw_chance(&mut Seeded(7));
            game.apply_chance(&deal, &mut Vec::new()).unwrap();
            for token in steps.split_whitespace() {
                let Node::Act(seat) = game.node() else { panic!("{token} comes too late") };
                game.apply_action(seat, &BlotAction::read(token).unwrap(), &mut Vec::new())
                    .unwrap();
            }
            for totals in [[0, 0], [301, 299], [1048, 1234]] {
                for viewer in [Viewer::Public, Viewer::Seat(Seat(2))] {
                    let mut view = game.view(viewer);
                    (view.totals, view.taken) = (totals, [8, 8]);
                    let what = format!("blot {steps} {totals:?} in {}", lang.code());
                    let scene = match viewer {
                        Viewer::Public => blot::scene::scene(&view, &names, None),
                        Viewer::Seat(_) => blot::hand_scene::scene(&view, &names),
                    };
                    is_clear(&renderer, &scene, &what);
                    let over = blot::scene::scene(&view, &names, Some(&[1, 0, 1, 0]));
                    is_clear(&renderer, &over, &what);
                }
            }
        }
    }
}

#[test]
fn charts_show_their_numbers_whole() {
    let (renderer, i18n) = (renderer(), I18n::new());
    for (game, lang) in
        GameId::all().iter().flat_map(|it| Lang::all().iter().map(move |lang| (it, lang)))
    {
        let names = long_names(&i18n, *lang);
        let GameInfo { seats, .. } = game.info();
        let mut now =
            game.start_match(&game.info().default_options(), seats.most).unwrap().chart_sample();
        let lines = now.lines.len();
        now.lines.iter_mut().for_each(|it| it.value = 1_234);
        let rows: Vec<Vec<i32>> = (0..300).map(|n| vec![n * 4; lines]).collect();
        let what = format!("chart of {} in {}", game.info().code, lang.code());
        is_clear(&renderer, &chart::chart_scene(&now, &names, &rows), &what);
    }
}

/// A hundred rated games, of all lists in turn.
fn rating_curve() -> RatingCurve {
    let lists = all_lists();
    let game = |n: i32| HistoryEntry {
        table: TableId(format!("t{n}")),
        game: "any".to_owned(),
        list: lists[n as usize % lists.len()].code(),
        ended_ms: 0,
        chat: String::new(),
        seat: 0,
        outcome: GameOutcome::Win,
        players: Vec::new(),
        rating: RatingChange { before: 2_400 - n * 9, after: 2_400 - n * 9, is_provisional: true },
        casual: Vec::new(),
        options: String::new(),
        clock: String::new(),
    };
    let games: Vec<HistoryEntry> = (0..100).map(game).collect();
    RatingCurve::of_games(&games).expect("all are rated")
}

/// The chart of ratings, with the codes of the lists as their names.
pub fn ratings_chart() -> Scene {
    let curve = rating_curve();
    let names: Vec<String> = curve.lists.iter().map(RatingList::code).collect();
    chart::curve_scene(&curve.sample, &names, &curve.values)
}

#[test]
fn the_rating_chart_shows_names_and_whole_numbers() {
    let (renderer, i18n, curve) = (renderer(), I18n::new(), rating_curve());
    for lang in Lang::all() {
        let names: Vec<String> =
            curve.lists.iter().map(|it| i18n.translate_plain(*lang, &list_name(it))).collect();
        let scene = chart::curve_scene(&curve.sample, &names, &curve.values);
        is_clear(&renderer, &scene, &format!("ratings in {}", lang.code()));
    }
}

#[test]
fn the_pictures_that_are_looked_at_are_clear() {
    let renderer = renderer();
    for (name, scene) in pictures() {
        is_clear(&renderer, &scene, name);
    }
}
