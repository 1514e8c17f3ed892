//! Draws the first places of a list of ratings: a row for each player, with a mark at the rating.
//!
//! Ratings have no natural zero, so places are marks on a scale and not bars.

use crate::chart::{CURVE_ROUND, NAME as TEXT, NUMBER, SHEET, sheet, value_ticks};
use crate::scene::{Align, Point, Scene, SceneLabel, Sprite, Trail};

/// One place of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingRow {
    /// The name of the player.
    pub name: String,
    /// The rating.
    pub value: i32,
    /// The rating as it is written.
    pub label: String,
}

/// The fewest and the most rows of a picture.
const ROWS: std::ops::RangeInclusive<usize> = 2..=10;
/// The free height above and below the rows, and the least height of a row.
const TOP: i16 = 62;
const BOTTOM: i16 = 122;
const ROW: i16 = 62;
/// The right end of ranks, the ends of names, of the scale and of ratings.
const RANK: i16 = 106;
const NAME: (i16, i16) = (128, 470);
const SCALE: (i16, i16) = (500, 850);
const RATING: i16 = 1010;
/// The size of marks.
const MARK: u16 = 46;

/// Draws the first places of a list, the best first, with this sprite as the mark. `None` if there
/// are fewer than two. Places behind the tenth are left out. The sheet is that of a chart, and
/// higher with more rows than fit.
pub fn ranking_scene(mark: &'static str, rows: &[RankingRow]) -> Option<Scene> {
    let rows = &rows[..rows.len().min(*ROWS.end())];
    if !ROWS.contains(&rows.len()) {
        return None;
    }
    let count = rows.len() as i16;
    let step_y = ROW.max((SHEET.1 as i16 - TOP - BOTTOM) / count);
    let end = TOP + step_y * count;
    let mut scene = sheet((end + BOTTOM) as u16);
    let values = || rows.iter().map(|it| it.value);
    let low = values().min()?.div_euclid(CURVE_ROUND) * CURVE_ROUND;
    let high = (values().max()?.div_euclid(CURVE_ROUND) + 1) * CURVE_ROUND;
    let x = |value: i32| {
        let length = i32::from(SCALE.1 - SCALE.0);
        SCALE.0 + ((value - low) * length / (high - low)) as i16
    };
    let line = |points: [Point; 2], width: u16, ink: &'static str| Trail {
        points: points.to_vec(),
        width,
        ink: ink.into(),
        arrow: false,
    };
    for tick in value_ticks(low, high) {
        let at = x(tick);
        scene.add(line([Point { x: at, y: TOP }, Point { x: at, y: end }], 3, "chart-grid"));
        scene.add(SceneLabel::new(tick.to_string(), at, end + 40, NUMBER, "chart-text"));
    }
    for (rank, row) in (1_i16..).zip(rows) {
        let at = x(row.value);
        let y = TOP + step_y * rank - step_y / 2;
        scene.add(line([Point { x: SCALE.0, y }, Point { x: at, y }], 5, "chart-grid"));
        scene.add(Sprite::new(mark, at, y, MARK, MARK));
        let number = SceneLabel::new(rank.to_string(), RANK, y, TEXT, "chart-text");
        scene.add(number.aligned(Align::End));
        let name = SceneLabel::new(row.name.clone(), NAME.0, y, TEXT, "chart-text");
        scene.add(name.aligned(Align::Start).fitted((NAME.1 - NAME.0) as u16));
        let rating = SceneLabel::new(row.label.clone(), RATING, y, TEXT, "chart-text").bold();
        scene.add(rating.aligned(Align::End).fitted(140));
    }
    Some(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneItem;

    fn rows(values: &[i32]) -> Vec<RankingRow> {
        let row = |value: &i32| RankingRow {
            name: format!("P{value}"),
            value: *value,
            label: format!("{value}?"),
        };
        values.iter().map(row).collect()
    }

    fn marks(scene: &Scene) -> Vec<Point> {
        let mark = |it: &SceneItem| match it {
            SceneItem::Sprite(it) if it.name == "stone" => Some(it.at),
            SceneItem::Sprite(_) | SceneItem::Label(_) | SceneItem::Trail(_) => None,
        };
        scene.items.iter().filter_map(mark).collect()
    }

    #[test]
    fn better_places_are_higher_and_farther_right() {
        let scene = ranking_scene("stone", &rows(&[1732, 1500, 1499, 640])).unwrap();
        let found = marks(&scene);
        assert_eq!(found.len(), 4);
        assert!(found.windows(2).all(|it| it[0].y < it[1].y && it[0].x >= it[1].x), "{found:?}");
        assert!(found.iter().all(|it| (SCALE.0..=SCALE.1).contains(&it.x)), "{found:?}");
    }

    #[test]
    fn a_list_of_one_has_no_picture_and_a_long_one_is_cut() {
        assert_eq!(ranking_scene("stone", &rows(&[1500])), None);
        assert_eq!(marks(&ranking_scene("stone", &rows(&[1500; 14])).unwrap()).len(), 10);
    }
}
