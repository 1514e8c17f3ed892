//! Draws a game of Thaayam: the cloth with the white player below, plates with the pieces in hand
//! and borne off at the corners, the throws of the turn on the right.
//!
//! Nothing is shown by colour alone: each colour's pieces have a sign, the plate of the player to
//! move has a pointer, the dice of used throws are crossed out, lost ones are also in brackets, and
//! those that can be used have a frame.

use super::action::ThaayamAction;
use super::board::{CENTRE, Colour, FORTRESS, HAND, OFF, PALACES, read_square};
use super::caption::off;
use super::position::square_of;
use super::turn::ThrowUse;
use super::turn_history::{PlayedThrow, TurnRecord, Use};
use super::view::{ThaayamView, ThaayamViewStage};
use super::wording;
use crate::rules::Seat;
use crate::scene::{
    Align, PiecePath, Point, Scene, SceneItem, SceneLabel, Sprite, TouchArea, TouchSpot, Trail,
};

/// Size of the sheet in units.
pub(super) const SHEET: (u16, u16) = (1080, 1130);
/// Side of a square of the board.
const SQUARE: u16 = 150;
/// The middle of the board, which is that of the fortress.
pub(super) const MIDDLE: (i16, i16) = (445, 565);
/// Side of the cloth with its border, and how far from its middle the border is written on.
pub(super) const CLOTH: u16 = 850;
const EDGE: i16 = 393;
/// Middles of the plates: of the player below, then counted anticlockwise.
const PLATES: [(i16, i16); 4] = [(275, 1060), (805, 1060), (805, 75), (275, 75)];
/// The column of throws: middle, the first one's height, and how far the next one is.
pub(super) const THROW_X: i16 = 975;
pub(super) const THROW_Y: i16 = 195;
const THROW_STEP: i16 = 121;
/// The most throws below each other in full size; more become smaller, down to half of it, and
/// still more form two columns.
const THROWS_FULL: usize = 7;
const THROWS_COLUMN: usize = 14;
/// Of longer series only the last ones are drawn.
const THROWS_MAX: usize = 28;
/// The most turns whose ways are drawn when several were played automatically.
const WAYS_MAX: usize = 4;

/// Pieces of one colour on a square, as offsets of 35 from its middle; one alone is larger.
const TOGETHER: [&[(i16, i16)]; 4] = [
    &[(0, 0)],
    &[(-35, 0), (35, 0)],
    &[(-35, 32), (35, 32), (0, -34)],
    &[(-35, -35), (35, -35), (-35, 35), (35, 35)],
];
/// The quarter of each colour on a shared square: below, right, above, left.
const QUARTERS: [(i16, i16); 4] = [(0, 44), (44, 0), (0, -44), (-44, 0)];
/// Positions of their number: outside, away from the other quarters.
const BADGES: [(i16, i16); 4] = [(28, 54), (54, -28), (-28, -54), (-54, 28)];

const PIECES: [&str; 4] =
    ["thaayam-piece-0", "thaayam-piece-1", "thaayam-piece-2", "thaayam-piece-3"];
const PALACE_SPRITES: [&str; 4] =
    ["thaayam-palace-0", "thaayam-palace-1", "thaayam-palace-2", "thaayam-palace-3"];

/// The mark of each colour in a chart, and the colour of its line.
pub const LINES: [(&str, &str); 4] =
    [(PIECES[0], "line-0"), (PIECES[1], "line-1"), (PIECES[2], "line-2"), (PIECES[3], "line-3")];

/// The colour of each one's arrows.
const WAYS: [&str; 4] = ["way-0", "way-1", "way-2", "way-3"];

/// The board with the players' names by seat. `result` holds points by seat when the game ended
/// otherwise than by its rules.
pub fn scene(view: &ThaayamView, names: &[String], result: Option<&[i32]>) -> Scene {
    scene_seen_from(view, names, result, Seat(0))
}

/// The same with the side of a seat at the bottom: the cloth lies turned, the plates change places.
pub fn scene_seen_from(
    view: &ThaayamView,
    names: &[String],
    result: Option<&[i32]>,
    bottom_seat: Seat,
) -> Scene {
    let turns = if bottom_seat == Seat(0) { 0 } else { view.colour(bottom_seat).index() };
    let winners = winners(view, result);
    let is_over = view.stage == ThaayamViewStage::Over || result.is_some();
    let mut scene = Scene::new(SHEET.0, SHEET.1);
    scene.add(Sprite::new("thaayam-board", 540, 565, SHEET.0, SHEET.1));
    if turns > 0 {
        let (x, y) = MIDDLE;
        let cloth = Sprite::new("thaayam-cloth", x, y, CLOTH, CLOTH);
        scene.add(cloth.turned(90 * turns as i16));
    }
    let board = scene.items.len();
    coordinates(&mut scene);
    for (name, square) in PALACE_SPRITES.into_iter().zip(PALACES) {
        put_sprite(&mut scene, name, square, SQUARE);
    }
    put_sprite(&mut scene, "thaayam-fortress", CENTRE, SQUARE);
    ways(&mut scene, view);
    for square in 0..25 {
        pieces(&mut scene, view, square);
    }
    turn(&mut scene.items[board..], turns);
    if is_over {
        end(&mut scene, view, &winners);
    }
    for seat in view.seats() {
        let is_light = if is_over { winners.contains(&seat) } else { view.turn == Some(seat) };
        let name = names.get(seat.index()).map_or("", String::as_str);
        let place = (view.colour(seat).index() + 4 - turns) % 4;
        plate(&mut scene, view, seat, name, is_light, PLATES[place]);
        if is_light && !is_over {
            pointer(&mut scene, PLATES[place]);
        }
    }
    throws(&mut scene, view, is_over);
    scene
}

/// Moves a point a quarter turn clockwise round the middle of the board.
fn quarter(at: &mut Point) {
    let x = at.x - MIDDLE.0;
    let y = at.y - MIDDLE.1;
    *at = Point { x: MIDDLE.0 - y, y: MIDDLE.1 + x };
}

/// Moves items a quarter turn clockwise round the middle of the board, `turns` times.
fn turn(items: &mut [SceneItem], turns: usize) {
    for _ in 0..turns {
        for item in items.iter_mut() {
            match item {
                SceneItem::Sprite(sprite) => quarter(&mut sprite.at),
                SceneItem::Label(label) => quarter(&mut label.at),
                SceneItem::Trail(trail) => trail.points.iter_mut().for_each(quarter),
            }
        }
    }
}

/// The touch area of an answer's square on a page of the course.
pub fn answer_area(page: &str, _: &ThaayamView, token: &str) -> Option<TouchArea> {
    let is_square = matches!(page, "board" | "move" | "inside");
    is_square.then(|| read_square(token)).flatten().map(self::square)
}

/// The area of a square, seen with the first player below.
pub fn square(square: u8) -> TouchArea {
    TouchArea::new(middle(square), SQUARE, SQUARE)
}

/// The touch areas: the cup, each piece that can move with the target of a throw, and the piece
/// that moved last, to take that back. Pieces in hand or off are on the plate.
pub fn spots(
    view: &ThaayamView,
    actions: &[ThaayamAction],
    bottom_seat: Seat,
) -> Vec<TouchSpot<ThaayamAction>> {
    let Some(seat) = view.turn else { return Vec::new() };
    let colour = view.colour(seat);
    let on = |step: i8| step_area(view, colour, step, bottom_seat);
    let spot = |action: &ThaayamAction| {
        let (at, to, takes) = match *action {
            ThaayamAction::Throw => {
                (TouchArea::new(Point { x: THROW_X, y: THROW_Y }, 170, 110), None, false)
            }
            ThaayamAction::Use { throw, piece } => {
                let from = piece.step(colour)?;
                let to = view.sharing()?.target(ThrowUse { throw, from })?;
                let enemies = view.position.enemies(seat);
                let takes = square_of(colour.path(), to).is_some_and(|it| enemies >> it & 1 == 1);
                (on(from), Some(on(to)), takes)
            }
            ThaayamAction::Undo => (on(view.recent_turns.last()?.plays.last()?.to), None, false),
            ThaayamAction::Whole(_) | ThaayamAction::Done => return None,
        };
        Some(TouchSpot {
            action: *action,
            at,
            to,
            is_capture: takes,
            has_button: *action == ThaayamAction::Undo,
        })
    };
    actions.iter().filter_map(spot).collect()
}

/// The moves of a choice of a whole turn, to be shown before it is made.
pub fn paths(view: &ThaayamView, action: &ThaayamAction, bottom_seat: Seat) -> Vec<PiecePath> {
    let (ThaayamAction::Whole(whole), Some(seat)) = (action, view.turn) else { return Vec::new() };
    let colour = view.colour(seat);
    let change = wording::turn_change(view, colour, whole);
    let path = |(from, to): (i8, i8)| PiecePath {
        from: step_area(view, colour, from, bottom_seat),
        to: step_area(view, colour, to, bottom_seat),
        is_capture: square_of(colour.path(), to).is_some_and(|it| change.kills >> it & 1 == 1),
    };
    change.moves.into_iter().map(path).collect()
}

/// The area of a step of a colour's path with the side of a seat at the bottom; pieces in hand or
/// off are on the plate of their player.
pub(super) fn step_area(
    view: &ThaayamView,
    colour: Colour,
    step: i8,
    bottom_seat: Seat,
) -> TouchArea {
    let turns = if bottom_seat == Seat(0) { 0 } else { view.colour(bottom_seat).index() };
    match square_of(colour.path(), step) {
        Some(square) => {
            let mut at = middle(square);
            (0..turns).for_each(|_| quarter(&mut at));
            TouchArea::new(at, SQUARE, SQUARE)
        }
        None => {
            let (x, y) = PLATES[(colour.index() + 4 - turns) % 4];
            TouchArea::new(Point { x, y }, 510, 110)
        }
    }
}

/// The letters of the files and the numbers of the ranks, on the border of the cloth.
fn coordinates(scene: &mut Scene) {
    for (n, (file, rank)) in (0..).zip([("a", "1"), ("b", "2"), ("c", "3"), ("d", "4"), ("e", "5")])
    {
        let file_x = middle(n).x;
        let rank_y = middle(5 * n).y;
        scene.add(SceneLabel::new(file, file_x, MIDDLE.1 + EDGE, 27, "square"));
        scene.add(SceneLabel::new(rank, MIDDLE.0 - EDGE, rank_y, 27, "square"));
    }
}

fn winners(view: &ThaayamView, result: Option<&[i32]>) -> Vec<Seat> {
    let Some(scores) = result else {
        let count = if view.position.options().partners { 2 } else { 1 };
        return view.places.iter().copied().take(count).collect();
    };
    let most = scores.iter().max();
    (0..).zip(scores).filter(|(_, score)| Some(*score) == most).map(|(at, _)| Seat(at)).collect()
}

fn middle(square: u8) -> Point {
    let file = i16::from(square % 5);
    let rank = i16::from(square / 5);
    let side = SQUARE as i16;
    Point { x: MIDDLE.0 + side * (file - 2), y: MIDDLE.1 - side * (rank - 2) }
}

fn put_sprite(scene: &mut Scene, name: &'static str, square: u8, size: u16) {
    let at = middle(square);
    scene.add(Sprite::new(name, at.x, at.y, size, size));
}

/// Everything on a square.
fn pieces(scene: &mut Scene, view: &ThaayamView, square: u8) {
    let standing: Vec<(usize, u8)> = view
        .seats()
        .filter_map(|seat| {
            let colour = view.colour(seat);
            let count = view.position.side(seat).count(colour.step_of(square)?);
            (count > 0).then_some((colour.index(), count))
        })
        .collect();
    let at = middle(square);
    let is_shared = square == CENTRE || PALACES.contains(&square) || standing.len() > 1;
    for (colour, count) in standing {
        if !is_shared {
            let places = TOGETHER[usize::from(count.clamp(1, 4)) - 1];
            let size = if count == 1 { 100 } else { 70 };
            for (x, y) in places {
                scene.add(Sprite::new(PIECES[colour], at.x + x, at.y + y, size, size));
            }
            continue;
        }
        let (x, y) = QUARTERS[colour];
        scene.add(Sprite::new(PIECES[colour], at.x + x, at.y + y, 60, 60));
        if count > 1 {
            let x = at.x + BADGES[colour].0;
            let y = at.y + BADGES[colour].1;
            scene.add(Sprite::new("thaayam-badge", x, y, 40, 40));
            scene.add(SceneLabel::new(count.to_string(), x, y, 30, "count").bold());
        }
    }
}

/// The paths of the last plays: of the turn in progress, or of the turns since a player decided.
fn ways(scene: &mut Scene, view: &ThaayamView) {
    let now = view.recent_turns.last().filter(|record| !record.ended && !record.plays.is_empty());
    let turns: Vec<&TurnRecord> = match now {
        Some(record) => vec![record],
        None => view.news().filter(|record| !record.plays.is_empty()).collect(),
    };
    let from = turns.len().saturating_sub(WAYS_MAX);
    let turns = &turns[from..];
    for record in turns {
        for play in &record.plays {
            draw_path(scene, view.colour(record.seat), play);
        }
    }
    let Some(last) = turns.last() else { return };
    let colour = view.colour(last.seat);
    let squares = |step: fn(&PlayedThrow) -> i8| -> Vec<u8> {
        last.plays.iter().filter_map(|play| square_of(colour.path(), step(play))).collect()
    };
    let starts = squares(|play| play.from);
    let ends = squares(|play| play.to);
    let passed = |square: &u8| starts.contains(square) && ends.contains(square);
    for square in starts.iter().filter(|it| !ends.contains(it)) {
        put_sprite(scene, "thaayam-from", *square, SQUARE);
    }
    for (square, play) in ends.iter().zip(last.plays.iter().filter(|play| play.to != OFF)) {
        if play.killed != [0; 4] || (is_last_landing(last, play) && last.killed_at_end != [0; 4]) {
            put_sprite(scene, "thaayam-hit", *square, SQUARE - 10);
        }
    }
    for square in ends.iter().filter(|it| !passed(it)) {
        put_sprite(scene, "thaayam-to", *square, SQUARE);
    }
}

/// Whether no later play moved this piece on.
fn is_last_landing(record: &TurnRecord, play: &PlayedThrow) -> bool {
    record.plays.iter().all(|other| other.from != play.to)
}

/// An arrow over the squares of one play. Bearing off has none.
fn draw_path(scene: &mut Scene, colour: Colour, play: &PlayedThrow) {
    if play.from == HAND || play.to > FORTRESS {
        return;
    }
    let steps = play.from..=play.to;
    let mut points: Vec<Point> =
        steps.filter_map(|step| square_of(colour.path(), step)).map(middle).collect();
    if let [.., before, tip] = points.as_mut_slice() {
        // The arrow ends at the edge of the piece.
        tip.x += (before.x - tip.x).signum() * 46;
        tip.y += (before.y - tip.y).signum() * 46;
    }
    for (ink, width) in [("way-edge", 15), (WAYS[colour.index()], 9)] {
        scene.add(Trail { points: points.clone(), width, ink: ink.into(), arrow: true });
    }
}

/// Draws the end: the board is veiled, the winners' colours come forward.
fn end(scene: &mut Scene, view: &ThaayamView, winners: &[Seat]) {
    let (x, y) = MIDDLE;
    scene.add(Sprite::new("veil", x, y, 850, 850));
    if winners.len() == view.seats().count() {
        scene.add(Sprite::new("draw", x, y, 300, 300));
        return;
    }
    // The laurel has a crown in its middle, so the pieces are below it.
    scene.add(Sprite::new("laurel", x, y - 60, 440, 330));
    let count = winners.len() as i16;
    for (n, seat) in (0..).zip(winners) {
        let piece = PIECES[view.colour(*seat).index()];
        let x = x + 170 * n - 85 * (count - 1);
        scene.add(Sprite::new(piece, x, y + 185, 140, 140));
    }
}

/// A player: piece, name, pieces in hand and off, the place if there is one.
fn plate(
    scene: &mut Scene,
    view: &ThaayamView,
    seat: Seat,
    name: &str,
    is_light: bool,
    (x, y): (i16, i16),
) {
    let colour = view.colour(seat).index();
    let (plate, ink) =
        if is_light { ("thaayam-seat-turn", "name-turn") } else { ("thaayam-seat", "name") };
    scene.add(Sprite::new(plate, x, y, 510, 110));
    scene.add(Sprite::new(PIECES[colour], x - 206, y, 76, 76));
    let name = SceneLabel::new(name, x - 160, y - 27, 34, ink).bold().aligned(Align::Start);
    scene.add(name.fitted(345));
    let side = view.position.side(seat);
    let home = if view.position.options().ends_in_fortress {
        side.count(FORTRESS)
    } else {
        off(view, seat)
    };
    let rows = [("thaayam-in-hand", -140, side.count(HAND)), ("thaayam-home", 72, home)];
    for (icon, left, count) in rows {
        scene.add(Sprite::new(icon, x + left, y + 23, 32, 32));
        for n in 0..i16::from(count.min(4)) {
            let x = x + left + 34 + 33 * n;
            scene.add(Sprite::new(PIECES[colour], x, y + 23, 32, 32));
        }
    }
    let place = view.places.iter().position(|it| *it == seat);
    if let (Some(place), false) = (place, view.position.options().partners) {
        scene.add(Sprite::new("thaayam-badge", x + 220, y - 24, 50, 50));
        scene.add(SceneLabel::new((place + 1).to_string(), x + 220, y - 24, 36, "count").bold());
    }
}

/// From a plate towards the board.
fn pointer(scene: &mut Scene, (x, y): (i16, i16)) {
    let turn = if y > MIDDLE.1 { 0 } else { 180 };
    scene.add(Sprite::new("turn-pointer", x + 218, y - 24, 38, 32).turned(turn));
}

/// The throws of the turn in progress, or of the last one before the next throw.
fn throws(scene: &mut Scene, view: &ThaayamView, is_over: bool) {
    if view.stage == ThaayamViewStage::Cup && !is_over {
        scene.add(Sprite::new("thaayam-throw-ready", THROW_X, THROW_Y, 170, 110));
        dice(scene, (THROW_X, THROW_Y), 0, 1, 1);
        scene.add(SceneLabel::new("?", THROW_X + 49, THROW_Y, 66, "score").bold());
        return;
    }
    let Some(record) = view.recent_turns.last() else { return };
    let uses = record.uses();
    let shown = &uses[uses.len().saturating_sub(THROWS_MAX)..];
    // All throws keep to the height of seven.
    let (part, full_size) = match shown.len() {
        n if n > THROWS_COLUMN => (1, 2),
        n if n > THROWS_FULL => (THROWS_FULL as i16, n as i16),
        _ => (1, 1),
    };
    let size = |units: i16| (units * part / full_size) as u16;
    let place = |n: i16| {
        let in_column = if shown.len() > THROWS_COLUMN { THROWS_COLUMN as i16 } else { i16::MAX };
        let left = if shown.len() > THROWS_COLUMN { -44 } else { 0 };
        let y = THROW_Y - 55 + (55 + THROW_STEP * (n % in_column)) * part / full_size;
        (THROW_X + left + 88 * (n / in_column), y)
    };
    let plays = view.sharing().map(|turn| turn.plays());
    let plays = plays.as_ref().map_or(&[][..], |plays| plays.as_slice());
    let usable = |throw: u8| plays.iter().any(|play| play.throw == throw);
    for (n, (throw, what)) in (0..).zip(shown) {
        let at = place(n);
        let is_ready = *what == Use::Left && usable(*throw) && !is_over;
        let frame = if is_ready { "thaayam-throw-ready" } else { "thaayam-throw" };
        scene.add(Sprite::new(frame, at.0, at.1, size(170), size(110)));
        dice(scene, at, if *throw == 8 { 0 } else { i16::from(*throw) }, part, full_size);
        let (text, x, text_size) = match what {
            Use::Lost => (format!("({throw})"), 47, 44),
            Use::Spent | Use::Left => (throw.to_string(), 49, 66),
        };
        let x = at.0 + x * part / full_size;
        let value = SceneLabel::new(text, x, at.1, size(text_size), "score").fitted(size(62));
        scene.add(value.bold());
        if *what != Use::Left {
            scene.add(Sprite::new("thaayam-spent", at.0, at.1, size(170), size(110)));
        }
    }
}

/// Four dice, `white` of them white.
fn dice(scene: &mut Scene, at: (i16, i16), white: i16, part: i16, full_size: i16) {
    let size = (38 * part / full_size) as u16;
    for die in 0..4 {
        let name = if die < white { "thaayam-die-white" } else { "thaayam-die-black" };
        let x = at.0 + (42 * (die % 2) - 52) * part / full_size;
        let y = at.1 + (42 * (die / 2) - 21) * part / full_size;
        scene.add(Sprite::new(name, x, y, size, size));
    }
}
