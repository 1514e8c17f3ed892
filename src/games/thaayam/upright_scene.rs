//! The board of Thaayam for an upright screen: the cloth is as wide as the sheet, because the
//! throws are in a row below it and not in a column beside it.
//!
//! The plates are above and below the cloth as on the wide board. The floor of the wide board is
//! left out: the ground of the theme has its colour.

use super::scene::{CLOTH, MIDDLE, SHEET, THROW_X, THROW_Y};
use crate::scene::{Point, Scene, SceneItem, SceneLabel, Sprite, TouchArea};

/// The height of the sheet.
const HEIGHT: u16 = 1424;
/// The middle of the cloth.
const CLOTH_MIDDLE: Point = Point { x: 540, y: 659 };
/// How far the upper plates are moved down, and the lower ones.
const PLATE_SHIFT: (i16, i16) = (-10, 193);
/// The middle of the first throw.
const FIRST_THROW: Point = Point { x: 82, y: 1368 };
/// How much larger the cloth is, and how much smaller a throw, as fractions.
const CLOTH_SCALE: Fraction = Fraction(5, 4);
const THROW_SCALE: Fraction = Fraction(17, 20);
/// How much further the throws are from each other in a row, and how much closer two rows.
const ALONG: Fraction = Fraction(5, 4);
const ACROSS: Fraction = Fraction(3, 5);

/// A ratio of two lengths.
#[derive(Clone, Copy)]
struct Fraction(i32, i32);

impl Fraction {
    fn of(self, length: i16) -> i16 {
        let Self(numerator, denominator) = self;
        let product = i32::from(length) * numerator;
        ((product + product.signum() * denominator / 2) / denominator) as i16
    }

    fn of_size(self, size: u16) -> u16 {
        self.of(size as i16) as u16
    }
}

/// A part of the wide board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Plates,
    Cloth,
    Throws,
}

fn part_at(at: Point) -> Part {
    let half = CLOTH as i16 / 2;
    if (at.y - MIDDLE.1).abs() > half {
        Part::Plates
    } else if at.x > MIDDLE.0 + half {
        Part::Throws
    } else {
        Part::Cloth
    }
}

/// The layout for an upright screen of a picture of the wide board.
pub fn upright_scene(wide: Scene) -> Scene {
    // The frame of each throw comes before its dice.
    let mut throw = Point { x: THROW_X, y: THROW_Y };
    let items = wide.items.into_iter().map(|item| match item {
        SceneItem::Sprite(it) => {
            if matches!(&*it.name, "thaayam-throw" | "thaayam-throw-ready") {
                throw = it.at;
            }
            SceneItem::Sprite(upright_sprite(it, throw))
        }
        SceneItem::Label(it) => SceneItem::Label(upright_label(it, throw)),
        SceneItem::Trail(mut it) => {
            it.points.iter_mut().for_each(|point| *point = on_cloth(*point));
            it.width = CLOTH_SCALE.of_size(it.width);
            SceneItem::Trail(it)
        }
    });
    Scene { items: items.collect(), width: SHEET.0, height: HEIGHT }
}

/// The same for an area of it.
pub fn upright_area(wide: &TouchArea) -> TouchArea {
    let (at, scale) = placed(wide.at, wide.at);
    TouchArea { at, width: scale.of_size(wide.width), height: scale.of_size(wide.height), ..*wide }
}

/// A point of the wide board here, and the scale of the drawing there. `throw` is the middle of the
/// throw to which it belongs, if it belongs to one.
fn placed(at: Point, throw: Point) -> (Point, Fraction) {
    match part_at(at) {
        Part::Plates => {
            let is_upper = at.y < MIDDLE.1;
            let shift = if is_upper { PLATE_SHIFT.0 } else { PLATE_SHIFT.1 };
            (Point { x: at.x, y: at.y + shift }, Fraction(1, 1))
        }
        Part::Cloth => (on_cloth(at), CLOTH_SCALE),
        Part::Throws => {
            let x = FIRST_THROW.x + ALONG.of(throw.y - THROW_Y) + THROW_SCALE.of(at.x - throw.x);
            let y = FIRST_THROW.y + ACROSS.of(throw.x - THROW_X) + THROW_SCALE.of(at.y - throw.y);
            (Point { x, y }, THROW_SCALE)
        }
    }
}

fn on_cloth(at: Point) -> Point {
    Point {
        x: CLOTH_MIDDLE.x + CLOTH_SCALE.of(at.x - MIDDLE.0),
        y: CLOTH_MIDDLE.y + CLOTH_SCALE.of(at.y - MIDDLE.1),
    }
}

fn upright_sprite(it: Sprite, throw: Point) -> Sprite {
    if it.name == "thaayam-board" {
        let size = CLOTH_SCALE.of_size(CLOTH);
        return Sprite::new("thaayam-cloth", CLOTH_MIDDLE.x, CLOTH_MIDDLE.y, size, size);
    }
    let (at, scale) = placed(it.at, throw);
    Sprite { at, width: scale.of_size(it.width), height: scale.of_size(it.height), ..it }
}

fn upright_label(it: SceneLabel, throw: Point) -> SceneLabel {
    let (at, scale) = placed(it.at, throw);
    SceneLabel { at, size: scale.of_size(it.size), fit: scale.of_size(it.fit), ..it }
}

#[cfg(test)]
mod tests {
    use super::super::action::{Series, ThaayamAction};
    use super::super::options::ThaayamOptions;
    use super::super::position::ThaayamPosition;
    use super::super::rules::Thaayam;
    use super::super::scene::{scene_seen_from, spots};
    use super::super::view::ThaayamView;
    use super::*;
    use crate::rules::{Node, Rules, Seat, Token, Viewer};

    /// After these throws of the first player, with all actions there.
    fn thrown(series: &str) -> (ThaayamView, Vec<ThaayamAction>) {
        let options = ThaayamOptions::read("standard").expect("options");
        let position = ThaayamPosition::read(options, "--dd/--bc/--kk/---x").expect("a position");
        let mut game = Thaayam::from_position(position, Seat(0));
        let facts = &mut Vec::new();
        let series = Series::read(series).expect("throws");
        game.apply_chance(&series, facts).expect("throws that are possible");
        game.apply_action(Seat(0), &ThaayamAction::Throw, facts).expect("the cup is lifted");
        assert!(matches!(game.node(), Node::Act(_)));
        (game.view(Viewer::Public), game.actions(Seat(0)))
    }

    fn upright(view: &ThaayamView, bottom_seat: Seat) -> Scene {
        let names = ["Ann", "Bek", "Cyd", "Dan"].map(str::to_owned);
        upright_scene(scene_seen_from(view, &names, None, bottom_seat))
    }

    fn sprites(scene: &Scene) -> Vec<&Sprite> {
        fn sprite(item: &SceneItem) -> Option<&Sprite> {
            match item {
                SceneItem::Sprite(it) => Some(it),
                SceneItem::Label(_) | SceneItem::Trail(_) => None,
            }
        }
        scene.items.iter().filter_map(sprite).collect()
    }

    fn covers(at: Point, (width, height): (u16, u16), point: Point) -> bool {
        (at.x - point.x).unsigned_abs() * 2 < width && (at.y - point.y).unsigned_abs() * 2 < height
    }

    #[test]
    fn everything_is_on_the_sheet_for_any_number_of_throws() {
        for series in ["2", "142", "1811113", "1484184113", "1484148414814111412"] {
            let (view, _) = thrown(series);
            for seat in [0, 1, 2, 3] {
                let scene = upright(&view, Seat(seat));
                for it in sprites(&scene) {
                    let x = it.width as i16 / 2;
                    let y = it.height as i16 / 2;
                    let left = it.at.x - x;
                    let right = it.at.x + x;
                    assert!(left >= 0 && right <= scene.width as i16, "{series}: {it:?}");
                    let top = it.at.y - y;
                    let bottom = it.at.y + y;
                    assert!(top >= 0 && bottom <= scene.height as i16, "{series}: {it:?}");
                }
            }
        }
    }

    #[test]
    fn throws_do_not_overlap_and_keep_their_dice() {
        for series in ["142", "1811113", "1484184113", "1484148414814111412"] {
            let (view, _) = thrown(series);
            let scene = upright(&view, Seat(0));
            let all = sprites(&scene);
            let named = |name: &'static str| all.iter().filter(move |it| it.name.starts_with(name));
            assert_eq!(named("thaayam-throw").count(), series.len());
            for die in named("thaayam-die") {
                let frames = named("thaayam-throw");
                let around = frames.filter(|it| covers(it.at, (it.width, it.height), die.at));
                assert_eq!(around.count(), 1, "{series}: {die:?}");
            }
        }
    }

    #[test]
    fn pieces_are_touched_where_they_are_drawn() {
        let (view, actions) = thrown("142");
        for seat in [0, 1, 2, 3] {
            let scene = upright(&view, Seat(seat));
            let all = sprites(&scene);
            for spot in spots(&view, &actions, Seat(seat)) {
                let area = upright_area(&spot.at);
                let is_inside = |it: &&Sprite| {
                    it.name == "thaayam-piece-0"
                        && covers(area.at, (area.width, area.height), it.at)
                };
                assert!(all.iter().any(is_inside), "{:?} at {area:?}", spot.action);
            }
        }
    }
}
