//! The board of Togyzkumalak for an upright screen: the same picture a quarter turn anticlockwise.
//!
//! The side of the viewer is on the right and is sown upwards, so sowing still goes round
//! anticlockwise. Names and scores are above and below, the kazans between the rows. Text and marks
//! are not turned.

use super::scene::SHEET;
use crate::scene::{Point, Scene, SceneItem, SceneLabel, Sprite, TouchArea};

/// The y range, on the wide board, of the strip with names, scores and kazans.
const STRIP: (i16, i16) = (270, 390);

/// Middles of the plates, the upper one first.
const PLATE_Y: (i16, i16) = (61, 1019);

/// How far plates are moved to the left, and scores, which are further right on the wide board.
const PLATE_SHIFT: i16 = 15;
const SCORE_SHIFT: i16 = 402;

/// The x position on the wide board from which on scores follow.
const SCORES_FROM: i16 = 850;

/// Positions along a row on the wide board: the middle, the distance of two pits, and how far from
/// the middle the path of a move turns at the ends of the rows.
const ALONG: (i16, i16, i16) = (540, 109, 498);

/// The size of the counts of pits.
const COUNT_SIZE: u16 = 44;

/// The distance of two pits here, and how far from the middle the path turns.
const STEP: i16 = 100;
const TURNING: i16 = 450;

/// The layout for an upright screen of a picture of the wide board.
pub fn upright_scene(wide: Scene) -> Scene {
    let items = wide.items.into_iter().map(|item| match item {
        SceneItem::Sprite(it) => SceneItem::Sprite(upright_sprite(it)),
        SceneItem::Label(it) => SceneItem::Label(upright_label(it)),
        SceneItem::Trail(mut it) => {
            it.points.iter_mut().for_each(|point| *point = turned(*point));
            SceneItem::Trail(it)
        }
    });
    Scene { items: items.collect(), width: SHEET.1, height: SHEET.0 }
}

/// The same for an area of it.
pub fn upright_area(wide: &TouchArea) -> TouchArea {
    let along = (f32::from(wide.width) * f32::from(STEP) / f32::from(ALONG.1)).round();
    TouchArea::new(turned(wide.at), wide.height, along as u16)
}

/// A position in a row, or on the path that goes round the rows.
fn turned(at: Point) -> Point {
    let from_middle = at.x - ALONG.0;
    let along = match from_middle.abs() {
        it if it >= ALONG.2 => TURNING,
        it => (f32::from(it) * f32::from(STEP) / f32::from(ALONG.1)).round() as i16,
    };
    Point { x: at.y, y: SHEET.0 as i16 / 2 - from_middle.signum() * along }
}

/// A position in the strip that belongs to a plate: names, marks, scores.
fn beside_plate(at: Point) -> Point {
    let shift = if at.x >= SCORES_FROM { SCORE_SHIFT } else { PLATE_SHIFT };
    let is_upper = at.y < SHEET.1 as i16 / 2;
    Point { x: at.x - shift, y: if is_upper { PLATE_Y.0 } else { PLATE_Y.1 } }
}

fn is_in_strip(at: Point) -> bool {
    (STRIP.0..STRIP.1).contains(&at.y)
}

/// A quarter turn without any change of distances.
fn exactly_turned(at: Point) -> Point {
    Point { x: at.y, y: SHEET.0 as i16 - at.x }
}

fn upright_sprite(mut it: Sprite) -> Sprite {
    match &*it.name {
        "togyz-kazan" => Sprite { at: exactly_turned(it.at), turn: -90, ..it },
        "stone-small" if is_in_strip(it.at) => Sprite { at: exactly_turned(it.at), ..it },
        "togyz-row-turn" => {
            // The row is shorter here than on the wide board, and ends before the plates.
            it.width = 2 * TURNING as u16 + 10;
            Sprite { at: turned(it.at), turn: -90, ..it }
        }
        "togyz-board" | "veil" => Sprite { at: turned(it.at), turn: -90, ..it },
        "togyz-pit" | "togyz-from" | "togyz-to" | "togyz-tuzdyk-0" | "togyz-tuzdyk-1" => {
            it.width = it.width.min(STEP as u16 - 6);
            Sprite { at: turned(it.at), turn: -90, ..it }
        }
        "stone" => Sprite { at: turned_in_pit(it.at), ..it },
        _ if is_in_strip(it.at) => Sprite { at: beside_plate(it.at), ..it },
        _ => Sprite { at: turned(it.at), ..it },
    }
}

/// The position of a stone: its pit is moved, and the stone keeps its distance from the middle.
fn turned_in_pit(at: Point) -> Point {
    let first = ALONG.0 - 4 * ALONG.1;
    let column = (f32::from(at.x - first) / f32::from(ALONG.1)).round() as i16;
    let middle = first + column * ALONG.1;
    let pit = turned(Point { x: middle, y: at.y });
    Point { x: pit.x, y: pit.y - (at.x - middle) }
}

fn upright_label(it: SceneLabel) -> SceneLabel {
    let at = if is_in_strip(it.at) { beside_plate(it.at) } else { turned(it.at) };
    // Counts are beside their pits, where there is less room than above them.
    let size = if it.ink.starts_with("count") { COUNT_SIZE } else { it.size };
    SceneLabel { at, size, ..it }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Sow;
    use super::super::scene::{scene_seen_from, spots};
    use super::super::view::{PITS, TogyzkumalakView};
    use super::*;
    use crate::rules::Seat;

    /// The start, with the pictures and areas that the player below has.
    fn start(bottom_seat: Seat) -> (Scene, Vec<TouchArea>) {
        let view = TogyzkumalakView {
            variant: Default::default(),
            pits: [[9; PITS]; 2],
            kazans: [0, 0],
            tuzdyks: [None, None],
            turn: Some(bottom_seat),
            extra: false,
            plies: 0,
            last: None,
            end: None,
            before: None,
            earlier: Vec::new(),
        };
        let actions: Vec<Sow> = (0..PITS as u8).map(Sow).collect();
        let areas = spots(&view, &actions, bottom_seat);
        let areas = areas.iter().map(|it| upright_area(&it.at)).collect();
        (upright_scene(scene_seen_from(&view, ["Ann", "Bek"], None, bottom_seat)), areas)
    }

    fn sprites(scene: &Scene, name: &str) -> Vec<Point> {
        let is = |item: &SceneItem| match item {
            SceneItem::Sprite(it) => (it.name == name).then_some(it.at),
            SceneItem::Label(_) | SceneItem::Trail(_) => None,
        };
        scene.items.iter().filter_map(is).collect()
    }

    #[test]
    fn own_pits_are_on_the_right_from_below_and_each_is_touched_in_its_place() {
        for bottom_seat in [Seat(0), Seat(1)] {
            let (scene, areas) = start(bottom_seat);
            let pits = sprites(&scene, "togyz-pit");
            assert_eq!((pits.len(), areas.len()), (2 * PITS, PITS));
            let covers = |area: &TouchArea, at: &Point| {
                (area.at.x - at.x).unsigned_abs() * 2 < area.width
                    && (area.at.y - at.y).unsigned_abs() * 2 < area.height
            };
            for area in &areas {
                assert_eq!(pits.iter().filter(|it| covers(area, it)).count(), 1);
                assert!(area.at.x > SHEET.1 as i16 / 2);
            }
            assert!(areas.is_sorted_by(|a, b| a.at.y > b.at.y));
        }
    }

    #[test]
    fn everything_is_on_the_sheet_and_stones_are_in_their_pits() {
        let (scene, _) = start(Seat(0));
        for item in &scene.items {
            let at = match item {
                SceneItem::Sprite(it) => it.at,
                SceneItem::Label(it) => it.at,
                SceneItem::Trail(_) => continue,
            };
            assert!((0..scene.width as i16).contains(&at.x), "{item:?}");
            assert!((0..scene.height as i16).contains(&at.y), "{item:?}");
        }
        let pits = sprites(&scene, "togyz-pit");
        for stone in sprites(&scene, "stone") {
            let near = |it: &&Point| (it.x - stone.x).abs() < 73 && (it.y - stone.y).abs() < 46;
            assert_eq!(pits.iter().filter(near).count(), 1, "{stone:?}");
        }
    }
}
