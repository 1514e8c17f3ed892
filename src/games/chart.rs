//! Draws the chart of a game: a line for each side over its moves, turns or rounds.
//!
//! A chart has numbers and names but no words, so it is the same in every language. Lines differ in
//! their mark, which is repeated beside the name, never in colour alone.

use crate::scene::{Align, Point, Scene, SceneItem, SceneLabel, Sprite, TouchArea, Trail};

/// The values of all sides at one moment of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartSample {
    /// The line of each side.
    pub lines: Vec<ChartLine>,
    /// The value that wins, if it is a number: drawn as a horizontal line.
    pub goal: Option<i32>,
}

/// One side of a game in a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartLine {
    /// The seats on this side.
    pub seats: Vec<u8>,
    /// The sprite that marks it.
    pub mark: &'static str,
    /// The colour of its line.
    pub ink: &'static str,
    /// Its value.
    pub value: i32,
}

impl ChartSample {
    /// The values of the lines, in their order.
    pub fn values(&self) -> Vec<i32> {
        self.lines.iter().map(|line| line.value).collect()
    }
}

/// Size of the sheet in units.
pub(super) const SHEET: (u16, u16) = (1080, 720);
/// Left, right and bottom of the plot.
const PLOT: (i16, i16, i16) = (150, 984, 614);
/// The first row of names, the distance of rows, and the free height above the lines.
const NAMES_Y: i16 = 72;
const NAMES_STEP: i16 = 62;
const GAP: i16 = 66;
/// The left and right end of names and values; two fit beside each other.
const NAMES: (i16, i16) = (72, 1006);
const BESIDE: i16 = 490;
/// Font sizes; 40 units are 12 pixels on a picture 320 pixels wide.
pub(super) const NAME: u16 = 42;
pub(super) const NUMBER: u16 = 40;
/// Size of the marks beside names and on lines.
const MARK: u16 = 50;
const ON_LINE: u16 = 38;
/// The number of a marked moment: its size, and its distance above or below its line.
const BADGE: i16 = 46;
const BADGE_UP: i16 = 52;
const MOMENT: &str = "chart-moment";
/// Width of a line and of its dark edge.
const LINE: u16 = 9;
const EDGE: u16 = 15;
/// Largest number of corners of a line: about one for two pixels of an ordinary picture.
const CORNERS: usize = 440;
/// Number of ticks beside and below the lines.
const TICKS_Y: i32 = 4;
const TICKS_X: i32 = 8;

/// Scales of ratings begin at a multiple of this.
pub(super) const CURVE_ROUND: i32 = 50;

/// A numbered moment of a chart: its index in the values, and the side whose move it was.
type ChartMark = (usize, u8);

/// Draws the chart of a game. `now` describes the lines, `values` are their values at the beginning
/// and after each move.
pub fn chart_scene(now: &ChartSample, names: &[String], values: &[Vec<i32>]) -> Scene {
    let low = values.iter().flatten().copied().min().unwrap_or(0).min(0);
    draw_chart(now, names, values, low, &[])
}

/// Draws lines far above zero, such as ratings: the scale begins a little below the lowest value.
/// The arguments are those of [`chart_scene`], with a name for each line.
pub fn curve_scene(now: &ChartSample, names: &[String], values: &[Vec<i32>]) -> Scene {
    let low = values.iter().flatten().copied().min().unwrap_or(0);
    draw_chart(now, names, values, (low - CURVE_ROUND).div_euclid(CURVE_ROUND) * CURVE_ROUND, &[])
}

/// Draws the chances to win of each side, in hundredths, with the final values in the legend. Two
/// sides share one line: the space below it is the chance of the other side. `standing` describes
/// the sides. `marks` are numbered in their order, each with its index in the values and the side
/// whose move it was. Returns the scene and the positions of the numbers.
pub fn chances_scene(
    standing: ChartSample,
    names: &[String],
    values: &[Vec<i32>],
    marks: &[(usize, u8)],
) -> (Scene, Vec<ChartLine>, Vec<TouchArea>) {
    let last = |n: usize| values.last().and_then(|it| it.get(n)).copied().unwrap_or_default();
    let lines = standing.lines.into_iter().enumerate();
    let lines: Vec<_> = lines.map(|(n, it)| ChartLine { value: last(n), ..it }).collect();
    // Two sides are even at one half.
    let goal = (lines.len() == 2).then_some(50);
    let now = ChartSample { lines, goal };
    let mut whole = values.to_vec();
    // The scale goes from 0 to certainty.
    whole.iter_mut().for_each(|it| it.iter_mut().for_each(|it| *it = (*it).clamp(0, 100)));
    let scene = draw_chart(&now, names, &whole, 0, marks);
    let badge = |it: &SceneItem| match it {
        SceneItem::Sprite(it) if it.name == MOMENT && it.width == BADGE as u16 => {
            Some(TouchArea::from_sprite(it))
        }
        SceneItem::Sprite(_) | SceneItem::Label(_) | SceneItem::Trail(_) => None,
    };
    let badges = scene.items.iter().filter_map(badge).collect();
    (scene, now.lines, badges)
}

fn draw_chart(
    now: &ChartSample,
    names: &[String],
    values: &[Vec<i32>],
    low: i32,
    marked: &[ChartMark],
) -> Scene {
    let mut scene = sheet(SHEET.1);
    // Partners need a row for their names.
    let columns = if now.lines.iter().any(|line| line.seats.len() > 1) { 1 } else { 2 };
    for (n, line) in now.lines.iter().enumerate() {
        legend(&mut scene, line, names, n % columns, n / columns, columns);
    }
    let rows = now.lines.len().div_ceil(columns) as i16;
    let mirrored = now.lines.len() == 2 && now.goal == Some(50) && !values.is_empty();
    let mirrored = mirrored && values.iter().all(|it| is_zero_sum(it));
    let most = values.iter().flatten().copied().chain(now.goal).max().unwrap_or(0).max(1);
    let plot = ChartPlot {
        top: NAMES_Y + NAMES_STEP * (rows - 1) + GAP,
        low,
        high: if mirrored { 100 } else { most },
        count: values.len().saturating_sub(1).max(1),
    };
    grid(&mut scene, &plot, now.goal);
    let shown = if mirrored { 1 } else { now.lines.len() };
    let tracks: Vec<Vec<Point>> = (0..shown).map(|n| track(&plot, values, n)).collect();
    for (line, points) in now.lines.iter().zip(&tracks) {
        for (ink, width) in [("chart-edge", EDGE), (line.ink, LINE)] {
            scene.add(Trail { points: points.clone(), width, ink: ink.into(), arrow: false });
        }
    }
    match now.lines.as_slice() {
        [above, below] if mirrored => {
            // Shows which side is above and which is below.
            for (line, value) in [(above, 100), (below, 0)] {
                let y = plot.y(value);
                scene.add(Sprite::new(line.mark, PLOT.1 + 28, y, ON_LINE, ON_LINE));
            }
        }
        _ => marks(&mut scene, now, &tracks),
    }
    numbers(&mut scene, now, &plot, values, marked);
    scene
}

/// Whether the chances of two sides add up to 100, up to rounding.
fn is_zero_sum(values: &[i32]) -> bool {
    matches!(values, [one, other] if (99..=101).contains(&(one + other)))
}

/// Draws the numbers of marked moments above the line, or below it where another one is near.
fn numbers(
    scene: &mut Scene,
    now: &ChartSample,
    plot: &ChartPlot,
    values: &[Vec<i32>],
    marked: &[ChartMark],
) {
    let line_of = |seat: u8| now.lines.iter().position(|it| it.seats.contains(&seat)).unwrap_or(0);
    let one = now.lines.len() == 2 && plot.high == 100;
    let mut taken: Vec<Point> = Vec::new();
    for (n, (at, seat)) in (1..).zip(marked.iter().copied()) {
        let line = if one { 0 } else { line_of(seat) };
        let Some(value) = values.get(at).and_then(|it| it.get(line)) else { continue };
        let on = Point { x: plot.x(at), y: plot.y(*value) };
        let free = |at: &Point| {
            taken.iter().all(|it| (it.x - at.x).abs() > BADGE || (it.y - at.y).abs() > BADGE)
        };
        let height = |up: i16| (on.y + up).clamp(plot.top, PLOT.2);
        let places = [-1, 1, -2, 2, -3, 3, -4, 4];
        let places = places.map(|up| Point { x: on.x, y: height(up * BADGE_UP) });
        let badge = places.into_iter().find(free).unwrap_or(places[0]);
        taken.push(badge);
        scene.add(Trail {
            points: vec![on, badge],
            width: 4,
            ink: "chart-edge".into(),
            arrow: false,
        });
        scene.add(Sprite::new(MOMENT, on.x, on.y, 18, 18));
        scene.add(Sprite::new(MOMENT, badge.x, badge.y, BADGE as u16, BADGE as u16));
        scene.add(SceneLabel::new(n.to_string(), badge.x, badge.y, 32, "count").bold());
    }
}

/// Maps values to points on the sheet.
struct ChartPlot {
    top: i16,
    low: i32,
    high: i32,
    /// Number of moves from the left to the right end.
    count: usize,
}

impl ChartPlot {
    fn y(&self, value: i32) -> i16 {
        let height = i32::from(PLOT.2 - self.top);
        PLOT.2 - ((value - self.low) * height / (self.high - self.low)) as i16
    }

    fn x(&self, at: usize) -> i16 {
        let width = (PLOT.1 - PLOT.0) as usize;
        PLOT.0 + (at * width / self.count) as i16
    }
}

/// Draws the mark, the names and the value of a side.
fn legend(
    scene: &mut Scene,
    line: &ChartLine,
    names: &[String],
    column: usize,
    row: usize,
    columns: usize,
) {
    let x = NAMES.0 + BESIDE * column as i16;
    let end = NAMES.1 - BESIDE * (columns - 1 - column) as i16;
    let y = NAMES_Y + NAMES_STEP * row as i16;
    scene.add(Sprite::new(line.mark, x + MARK as i16 / 2, y, MARK, MARK));
    let of = |seat: &u8| names.get(usize::from(*seat)).map_or("", String::as_str);
    let names = line.seats.iter().map(of).collect::<Vec<_>>().join(" · ");
    let name = SceneLabel::new(names, x + 66, y, NAME, "chart-text").aligned(Align::Start);
    scene.add(name.fitted((end - x - 172) as u16));
    let value = SceneLabel::new(line.value.to_string(), end, y, NAME + 6, "chart-text");
    scene.add(value.bold().aligned(Align::End).fitted(90));
}

/// Draws horizontal lines with their values, the numbers of moves below, and the goal.
fn grid(scene: &mut Scene, plot: &ChartPlot, goal: Option<i32>) {
    let across = |scene: &mut Scene, y: i16, width: u16, ink: &'static str| {
        let points = vec![Point { x: PLOT.0, y }, Point { x: PLOT.1, y }];
        scene.add(Trail { points, width, ink: ink.into(), arrow: false });
    };
    for tick in value_ticks(plot.low, plot.high) {
        let y = plot.y(tick);
        // The goal has a line and a number of its own.
        if goal.is_some_and(|goal| (plot.y(goal) - y).abs() <= NUMBER as i16) {
            continue;
        }
        let width = if tick == 0 { 5 } else { 3 };
        across(scene, y, width, "chart-grid");
        let number = SceneLabel::new(tick.to_string(), PLOT.0 - 18, y, NUMBER, "chart-text");
        scene.add(number.aligned(Align::End).fitted(90));
    }
    if let Some(goal) = goal {
        let y = plot.y(goal);
        across(scene, y, 6, "chart-goal");
        let number = SceneLabel::new(goal.to_string(), PLOT.0 - 18, y, NUMBER, "chart-goal").bold();
        scene.add(number.aligned(Align::End).fitted(90));
    }
    let count = i32::try_from(plot.count).unwrap_or(i32::MAX);
    let step = self::step(count, TICKS_X);
    for tick in (1..=count / step).map(|n| n * step) {
        let x = plot.x(tick as usize);
        scene.add(SceneLabel::new(tick.to_string(), x, PLOT.2 + 42, NUMBER, "chart-text"));
    }
}

/// An empty sheet of the width of a chart.
pub(super) fn sheet(height: u16) -> Scene {
    let mut scene = Scene::new(SHEET.0, height);
    let x = SHEET.0 as i16 / 2;
    let y = height as i16 / 2;
    scene.add(Sprite::new("chart", x, y, SHEET.0, height));
    scene
}

/// Round values on a scale between these two.
pub(super) fn value_ticks(low: i32, high: i32) -> impl Iterator<Item = i32> {
    let step = step(high - low, TICKS_Y);
    let first = low.div_euclid(step) * step;
    let ticks = (0..).map(move |n| first + n * step).take_while(move |tick| *tick <= high);
    ticks.filter(move |tick| *tick >= low)
}

/// A round distance of ticks that gives at most `ticks` ticks.
fn step(range: i32, ticks: i32) -> i32 {
    let round = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i32.pow(power)));
    round.into_iter().find(|step| range / step <= ticks).unwrap_or(range).max(1)
}

/// The corners of a line.
fn track(plot: &ChartPlot, values: &[Vec<i32>], line: usize) -> Vec<Point> {
    let end = values.len().saturating_sub(1);
    let every = values.len().div_ceil(CORNERS).max(1);
    let shown = (0..values.len()).filter(|at| at % every == 0 || *at == end);
    let value = |at: usize| values[at].get(line).copied().unwrap_or(0);
    let mut points: Vec<Point> =
        shown.map(|at| Point { x: plot.x(at), y: plot.y(value(at)) }).collect();
    if let [only] = points[..] {
        points.push(only);
    }
    points
}

/// Puts the mark of each line at its end and at intervals along it, staggered between lines.
fn marks(scene: &mut Scene, now: &ChartSample, tracks: &[Vec<Point>]) {
    let all = now.lines.len();
    for (n, (line, points)) in now.lines.iter().zip(tracks).enumerate() {
        let end = points.len() - 1;
        let parts = 3 * all;
        let on_way = (0..3).map(|turn| (turn * all + n + 1) * end / (parts + 1));
        for at in on_way.filter(|at| *at > 0 && end >= 2 * parts).chain([end]) {
            let Point { x, y } = points[at];
            scene.add(Sprite::new(line.mark, x, y, ON_LINE, ON_LINE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_have_round_distances() {
        assert_eq!(step(81, TICKS_Y), 20);
        assert_eq!(step(162, TICKS_Y), 50);
        assert_eq!(step(3, TICKS_Y), 1);
        assert_eq!(step(0, TICKS_Y), 1);
        assert_eq!(step(301, TICKS_Y), 100);
        assert_eq!(step(150, TICKS_X), 20);
    }

    #[test]
    fn every_corner_is_on_the_sheet() {
        let line = |value| ChartLine { seats: vec![0], mark: "stone", ink: "line-0", value };
        let now = ChartSample { lines: vec![line(90), line(-3)], goal: Some(82) };
        for count in [1, 2, 50, 3000] {
            let values: Vec<Vec<i32>> = (0..count).map(|n| vec![n * 90 / count, -3]).collect();
            let scene = chart_scene(&now, &[], &values);
            for item in &scene.items {
                if let SceneItem::Trail(trail) = item {
                    assert!(trail.points.len() <= CORNERS + 1);
                    let on = |it: &Point| (0..1080).contains(&it.x) && (0..720).contains(&it.y);
                    assert!(trail.points.iter().all(on), "{count}");
                }
            }
        }
    }

    fn side(seats: &[u8], mark: &'static str) -> ChartLine {
        ChartLine { seats: seats.to_vec(), mark, ink: "line-0", value: 0 }
    }

    fn trails(scene: &Scene) -> usize {
        let whole =
            |it: &&SceneItem| matches!(it, SceneItem::Trail(trail) if trail.points.len() > 3);
        scene.items.iter().filter(whole).count() / 2
    }

    fn labels_with(scene: &Scene, text: &str) -> Vec<Point> {
        let label = |it: &SceneItem| match it {
            SceneItem::Label(label) if label.text == text && label.ink == "count" => Some(label.at),
            _ => None,
        };
        scene.items.iter().filter_map(label).collect()
    }

    #[test]
    fn two_sides_share_one_line_with_marked_moments() {
        let standing =
            ChartSample { lines: vec![side(&[0, 2], "a"), side(&[1, 3], "b")], goal: None };
        let values: Vec<Vec<i32>> = [50, 55, 80, 20, 25].map(|it| vec![it, 100 - it]).to_vec();
        let marks = [(3, 0), (2, 1)];
        let (scene, lines, _) = chances_scene(standing, &[], &values, &marks);
        assert_eq!(trails(&scene), 1);
        assert_eq!(lines.iter().map(|it| it.value).collect::<Vec<_>>(), [25, 75]);
        let one = labels_with(&scene, "1")[0];
        let two = labels_with(&scene, "2")[0];
        assert!(one.x > two.x, "{one:?} {two:?}");
    }

    #[test]
    fn three_sides_have_a_line_each_and_near_numbers_do_not_overlap() {
        let lines = (0..3).map(|it| side(&[it], "a")).collect();
        let values = vec![vec![40, 30, 30]; 60];
        let marks = [10, 11, 12, 10].map(|at| (at, 0));
        let (scene, _, badges) =
            chances_scene(ChartSample { lines, goal: None }, &[], &values, &marks);
        assert_eq!(trails(&scene), 3);
        let all: Vec<Point> = ["1", "2", "3", "4"].map(|it| labels_with(&scene, it)[0]).to_vec();
        for (n, a) in all.iter().enumerate() {
            let far = |b: &Point| (a.x - b.x).abs() > BADGE || (a.y - b.y).abs() > BADGE;
            assert!(all[n + 1..].iter().all(far), "{all:?}");
        }
        assert_eq!(badges.iter().map(|it| it.at).collect::<Vec<_>>(), all);
    }
}
