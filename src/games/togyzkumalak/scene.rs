//! Draws a game of Togyzkumalak: the board with the first player below.
//!
//! Each side's pits run from the owner's left to right, so the second player's, above, run from
//! right to left: sowing goes round anticlockwise. Between the rows are the kazans, each next to
//! its owner's row. Nothing is shown by colour alone: seats have a round and a pointed mark, the
//! row to move has a frame and a pointer, the last move a dashed and a full outline.

use std::cmp::Ordering;

use super::position::TogyzkumalakPosition;
use super::rules::Sow;
use super::view::{LastMove, PITS, Pit, TogyzkumalakEnd, TogyzkumalakView};
use crate::rules::{Seat, Token};
use crate::scene::{Align, Point, Scene, SceneLabel, Sprite, TouchArea, TouchSpot, Trail};

/// Size of the sheet in units.
pub(super) const SHEET: (u16, u16) = (1080, 660);

/// Middle of the first player's first pit; the next one is [`PIT_STEP`] further.
const PIT_X: i16 = 104;
const PIT_STEP: i16 = 109;
const PIT_SIZE: (u16, u16) = (92, 146);

/// Outlines are a little larger than pits.
const RING_SIZE: (u16, u16) = (100, 154);

/// The x positions where the path of the last move turns round the ends of the rows.
const TURNING: (i16, i16) = (42, 1038);

/// Middles of the second player's rows, from the top; the first player's mirror them.
const NUMBER_Y: i16 = 46;
const PIT_Y: i16 = 136;
const COUNT_Y: i16 = 238;
const KAZAN_Y: i16 = 299;

const STONE: u16 = 29;
const STONE_STEP: i16 = 27;
const SMALL_STONE: u16 = 17;

/// Stones beside each other in a kazan; three rows hold 84, hardly more than the 82 that win.
const KAZAN_COLUMNS: i16 = 28;
const KAZAN_X: i16 = 388;
const KAZAN_WIDTH: i16 = 440;

/// Positions of stones that do not fit beside each other in a pit: on top of ten, as offsets from
/// the pit's middle. Beyond these only the number shows the count.
const HEAP: [(i16, i16); 16] = [
    (0, 41),
    (0, 14),
    (0, -14),
    (0, -41),
    (-24, 28),
    (24, 0),
    (-24, -28),
    (24, 54),
    (22, -50),
    (-25, 2),
    (25, 28),
    (2, 29),
    (-3, 1),
    (3, -28),
    (-26, 54),
    (24, -26),
];

/// The result of a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneOutcome {
    /// This seat won.
    Won(Seat),
    /// A draw.
    Drawn,
}

/// The board with the players' names, the first player's first.
pub fn scene(view: &TogyzkumalakView, names: [&str; 2]) -> Scene {
    scene_seen_from(view, names, None, Seat(0))
}

/// The board with the side of a seat below. `ended` is the result of a game that the rules did not
/// end: by resignation, agreement or time.
pub fn scene_seen_from(
    view: &TogyzkumalakView,
    names: [&str; 2],
    ended: Option<SceneOutcome>,
    bottom_seat: Seat,
) -> Scene {
    let stopped = ended.map(|_| TogyzkumalakView { turn: None, extra: false, ..view.clone() });
    let view = stopped.as_ref().unwrap_or(view);
    let outcome = ended.or_else(|| outcome(view));
    if bottom_seat == Seat(0) {
        return draw(view, names, outcome, bottom_seat);
    }
    let outcome = outcome.map(|it| match it {
        SceneOutcome::Won(seat) => SceneOutcome::Won(other(seat)),
        SceneOutcome::Drawn => SceneOutcome::Drawn,
    });
    draw(&turned(view), [names[1], names[0]], outcome, bottom_seat)
}

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

/// The same position with the players exchanged.
fn turned(view: &TogyzkumalakView) -> TogyzkumalakView {
    let swap = |[first, second]: [u8; 2]| [second, first];
    let last = view.last.as_ref().map(|last| LastMove {
        seat: other(last.seat),
        to: Pit { side: other(last.to.side), index: last.to.index },
        through: swap(last.through),
        ..*last
    });
    TogyzkumalakView {
        pits: [view.pits[1], view.pits[0]],
        kazans: swap(view.kazans),
        tuzdyks: [view.tuzdyks[1], view.tuzdyks[0]],
        turn: view.turn.map(other),
        last,
        before: None,
        earlier: Vec::new(),
        ..view.clone()
    }
}

/// The result if the rules ended the game. A repetition is a draw with any kazans.
fn outcome(view: &TogyzkumalakView) -> Option<SceneOutcome> {
    let [first, second] = view.kazans;
    match (view.turn, view.end) {
        (Some(_), None) => None,
        (_, Some(TogyzkumalakEnd::Repetition)) => Some(SceneOutcome::Drawn),
        (None, None) | (_, Some(TogyzkumalakEnd::Majority | TogyzkumalakEnd::Atsyrau { .. })) => {
            Some(match first.cmp(&second) {
                Ordering::Greater => SceneOutcome::Won(Seat(0)),
                Ordering::Less => SceneOutcome::Won(Seat(1)),
                Ordering::Equal => SceneOutcome::Drawn,
            })
        }
    }
}

/// Draws a view whose seat 0 is at the bottom; that seat is really `bottom_seat`, and has its mark.
fn draw(
    view: &TogyzkumalakView,
    names: [&str; 2],
    outcome: Option<SceneOutcome>,
    bottom_seat: Seat,
) -> Scene {
    let mut scene = Scene::new(SHEET.0, SHEET.1);
    scene.add(Sprite::new("togyz-board", 540, 330, SHEET.0, SHEET.1));
    if let Some(seat) = view.turn {
        let y = mirror(seat, 148);
        scene.add(Sprite::new("togyz-row-turn", 540, y, 1020, 236));
    }
    if let Some(last) = &view.last {
        path(&mut scene, last);
    }
    for side in [Seat(0), Seat(1)] {
        row(&mut scene, view, side, bottom_seat);
    }
    if let Some(last) = &view.last {
        ring(&mut scene, "togyz-from", Pit { side: last.seat, index: last.from });
        ring(&mut scene, "togyz-to", last.to);
    }
    if let Some(outcome) = outcome {
        result(&mut scene, outcome);
    }
    for seat in [Seat(0), Seat(1)] {
        let won = outcome == Some(SceneOutcome::Won(seat));
        owner(&mut scene, view, seat, names[seat.index()], won);
        mark(&mut scene, seat, bottom_seat);
        kazan(&mut scene, view, seat);
    }
    scene
}

/// The height for a seat of an item that is at `y` for the second player.
fn mirror(seat: Seat, y: i16) -> i16 {
    if seat == Seat(1) { y } else { SHEET.1 as i16 - y }
}

/// The middle of a pit.
fn middle(pit: Pit) -> Point {
    let place = i16::from(pit.index.min(PITS as u8 - 1));
    let column = if pit.side == Seat(0) { place } else { PITS as i16 - 1 - place };
    Point { x: PIT_X + PIT_STEP * column, y: mirror(pit.side, PIT_Y) }
}

/// One side: pits, stones, numbers.
fn row(scene: &mut Scene, view: &TogyzkumalakView, side: Seat, bottom_seat: Seat) {
    let other = other(side);
    for index in 0..PITS as u8 {
        let at = middle(Pit { side, index });
        let number = (index + 1).to_string();
        scene.add(SceneLabel::new(number, at.x, mirror(side, NUMBER_Y), 28, "pit").bold());
        if view.tuzdyks[other.index()] == Some(index) {
            let name = if other == bottom_seat { "togyz-tuzdyk-0" } else { "togyz-tuzdyk-1" };
            scene.add(Sprite::new(name, at.x, at.y, PIT_SIZE.0, PIT_SIZE.1));
            continue;
        }
        scene.add(Sprite::new("togyz-pit", at.x, at.y, PIT_SIZE.0, PIT_SIZE.1));
        let stones = view.pits[side.index()][usize::from(index)];
        lay_stones(scene, at, stones);
        let ink = if stones == 0 { "count-empty" } else { "count" };
        let y = mirror(side, COUNT_Y);
        let count = SceneLabel::new(stones.to_string(), at.x, y, 50, ink).bold();
        scene.add(count.fitted(PIT_SIZE.0));
    }
}

/// Draws stones as players place them: in pairs up to ten, so that they are easy to count, and
/// heaped on top beyond that.
fn lay_stones(scene: &mut Scene, at: Point, stones: u8) {
    let stones = i16::from(stones);
    let paired = stones.min(10);
    let lines = (paired + 1) / 2;
    for n in 0..paired {
        let alone = n == paired - 1 && paired % 2 == 1;
        let x = if alone { 0 } else { (n % 2) * 30 - 15 };
        let y = (n / 2) * STONE_STEP - (lines - 1) * STONE_STEP / 2;
        scene.add(Sprite::new("stone", at.x + x, at.y + y, STONE, STONE));
    }
    for (x, y) in HEAP.iter().take(usize::try_from(stones - paired).unwrap_or(0)) {
        scene.add(Sprite::new("stone", at.x + x, at.y + y, STONE, STONE));
    }
}

/// The path of the stones of the last move; it passes below the pits and shows between them.
fn path(scene: &mut Scene, last: &LastMove) {
    let mut pit = Pit { side: last.seat, index: last.from };
    let steps = if last.stones == 1 { 1 } else { u16::from(last.stones).saturating_sub(1) };
    let mut points = vec![middle(pit)];
    for _ in 0..steps.min(2 * PITS as u16) {
        let before = middle(pit);
        pit = next(pit);
        let after = middle(pit);
        if before.y != after.y {
            let x = if before.x > 540 { TURNING.1 } else { TURNING.0 };
            points.push(Point { x, y: before.y });
            points.push(Point { x, y: after.y });
        }
        points.push(after);
    }
    if let [.., before, tip] = points.as_mut_slice() {
        let edge = PIT_SIZE.0 as i16 / 2;
        tip.x += if before.x < tip.x { -edge } else { edge };
    }
    scene.add(Trail { points, width: 7, ink: "path".into(), arrow: true });
}

fn next(pit: Pit) -> Pit {
    if usize::from(pit.index) + 1 < PITS {
        Pit { index: pit.index + 1, ..pit }
    } else {
        Pit { side: Seat(1 - pit.side.0), index: 0 }
    }
}

fn ring(scene: &mut Scene, name: &'static str, pit: Pit) {
    let at = middle(pit);
    scene.add(Sprite::new(name, at.x, at.y, RING_SIZE.0, RING_SIZE.1));
}

/// Draws the end: the board is veiled, the winner gets a laurel.
fn result(scene: &mut Scene, outcome: SceneOutcome) {
    scene.add(Sprite::new("veil", 540, 330, 1024, 604));
    match outcome {
        SceneOutcome::Won(seat) => {
            scene.add(Sprite::new("laurel", 540, mirror(seat, 148), 288, 216));
        }
        SceneOutcome::Drawn => {
            for seat in [Seat(0), Seat(1)] {
                scene.add(Sprite::new("draw", 540, mirror(seat, PIT_Y), 150, 150));
            }
        }
    }
}

/// The plate with a player's name, and a pointer for each move that is due.
fn owner(scene: &mut Scene, view: &TogyzkumalakView, seat: Seat, name: &str, won: bool) {
    let y = mirror(seat, KAZAN_Y);
    let on_turn = view.turn == Some(seat);
    let (plate, ink) = match (on_turn, won) {
        (true, _) => ("plate-turn", "name-turn"),
        (false, true) => ("plate-won", "name-turn"),
        (false, false) => ("plate", "name"),
    };
    scene.add(Sprite::new(plate, 215, y, 328, 52));
    let pointers = if on_turn { 1 + i16::from(view.extra) } else { 0 };
    let room = 264 - 36 * pointers as u16;
    let name = SceneLabel::new(name, 104, y, 30, ink).bold().aligned(Align::Start);
    scene.add(name.fitted(room));
    for n in 0..pointers {
        let turn = if seat == Seat(0) { 180 } else { 0 };
        scene.add(Sprite::new("turn-pointer", 351 - 36 * n, y, 32, 27).turned(turn));
    }
}

/// The touch areas: each pit that can be sown from, with its number and count, and the pit of its
/// last stone.
pub fn spots(view: &TogyzkumalakView, actions: &[Sow], bottom_seat: Seat) -> Vec<TouchSpot<Sow>> {
    let (Some(seat), Ok(position)) = (view.turn, TogyzkumalakPosition::try_from(view)) else {
        return Vec::new();
    };
    let side = |it: Seat| if bottom_seat == Seat(0) { it } else { other(it) };
    let spot = |action: &Sow| {
        let sown = { position }.play(action.0);
        let to = middle(Pit { side: side(Seat(sown.to_side)), index: sown.to });
        TouchSpot {
            action: *action,
            at: pit(Pit { side: side(seat), index: action.0 }),
            to: Some(TouchArea::new(to, RING_SIZE.0, RING_SIZE.1)),
            is_capture: sown.captured > 0,
            has_button: false,
        }
    };
    actions.iter().map(spot).collect()
}

/// The touch area of an answer's pit on a page of the course: one to sow from, or one where the
/// last stone falls.
pub fn answer_area(page: &str, _: &TogyzkumalakView, token: &str) -> Option<TouchArea> {
    let pit = match page {
        "sow" => {
            let place: u8 = token.parse().ok()?;
            Pit { side: Seat(place % 18 / 9), index: place % 9 }
        }
        "even" | "tuzdyk" | "names" => Pit { side: Seat(0), index: Sow::read(token)?.0 },
        _ => return None,
    };
    Some(self::pit(pit))
}

/// The area of a pit, with its number and its count, seen with the first player below.
pub fn pit(pit: Pit) -> TouchArea {
    let at = Point { x: middle(pit).x, y: mirror(pit.side, 148) };
    TouchArea::new(at, PIT_STEP as u16, 236)
}

/// The area of a kazan and its score, seen with the first player below.
pub fn kazan_area(seat: Seat) -> TouchArea {
    TouchArea::new(Point { x: 710, y: mirror(seat, KAZAN_Y) }, 660, 60)
}

/// A player's mark on their plate.
fn mark(scene: &mut Scene, seat: Seat, bottom_seat: Seat) {
    let name = if seat == bottom_seat { "togyz-mark-0" } else { "togyz-mark-1" };
    scene.add(Sprite::new(name, 76, mirror(seat, KAZAN_Y), 38, 38));
}

/// Draws a kazan with its stones, their number, and the gain of the last move.
fn kazan(scene: &mut Scene, view: &TogyzkumalakView, seat: Seat) {
    let y = mirror(seat, KAZAN_Y);
    let stones = view.kazans[seat.index()];
    let trough = KAZAN_X + KAZAN_WIDTH / 2;
    scene.add(Sprite::new("togyz-kazan", trough, y, KAZAN_WIDTH as u16, 56));
    for n in 0..i16::from(stones) {
        // A second layer covers the gaps of the first.
        let layer = n / (KAZAN_COLUMNS * 3);
        let n = n % (KAZAN_COLUMNS * 3);
        let x = KAZAN_X + 17 + 15 * (n / 3) + 7 * layer;
        let y = y - 17 + 16 * (n % 3) + 2 * layer;
        scene.add(Sprite::new("stone-small", x, y, SMALL_STONE, SMALL_STONE));
    }
    let score = SceneLabel::new(stones.to_string(), 942, y, 60, "score").bold();
    scene.add(score.aligned(Align::End).fitted(108));
    let gained = gained(view, seat);
    if gained > 0 {
        scene.add(Sprite::new("badge-gain", 990, y, 84, 44));
        scene.add(SceneLabel::new(format!("+{gained}"), 990, y, 31, "gain").bold());
    }
}

/// The gain of a kazan by the last move. At the end by atsyrau the player who moved last collects
/// what is left: only a player who still has stones can move then (rules R15 and R16).
fn gained(view: &TogyzkumalakView, seat: Seat) -> u8 {
    let Some(last) = &view.last else { return 0 };
    let collected = match view.end {
        Some(TogyzkumalakEnd::Atsyrau { collected }) => collected,
        Some(TogyzkumalakEnd::Majority | TogyzkumalakEnd::Repetition) | None => 0,
    };
    let own = if last.seat == seat { last.captured.saturating_add(collected) } else { 0 };
    own.saturating_add(last.through[seat.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneItem;

    fn view(kazans: [u8; 2], turn: Option<Seat>, end: Option<TogyzkumalakEnd>) -> TogyzkumalakView {
        TogyzkumalakView {
            variant: Default::default(),
            pits: [[1; PITS]; 2],
            kazans,
            tuzdyks: [None, None],
            turn,
            extra: false,
            plies: 9,
            last: None,
            end,
            before: None,
            earlier: Vec::new(),
        }
    }

    #[test]
    fn a_repetition_is_a_draw_with_any_kazans() {
        assert_eq!(
            outcome(&view([70, 30], None, Some(TogyzkumalakEnd::Repetition))),
            Some(SceneOutcome::Drawn)
        );
        assert_eq!(
            outcome(&view([70, 82], None, Some(TogyzkumalakEnd::Majority))),
            Some(SceneOutcome::Won(Seat(1)))
        );
        assert_eq!(outcome(&view([0, 0], Some(Seat(0)), None)), None);
    }

    #[test]
    fn no_seat_is_to_move_after_resigning() {
        let running = view([5, 5], Some(Seat(0)), None);
        let ended =
            scene_seen_from(&running, ["a", "b"], Some(SceneOutcome::Won(Seat(1))), Seat(0));
        let sprites = |name: &str| {
            let is = |item: &&SceneItem| matches!(item, SceneItem::Sprite(it) if it.name == name);
            ended.items.iter().filter(is).count()
        };
        assert_eq!((sprites("laurel"), sprites("plate-won")), (1, 1));
        assert_eq!((sprites("turn-pointer"), sprites("togyz-row-turn")), (0, 0));
    }

    #[test]
    fn a_turned_board_shows_the_same_to_the_other_player() {
        let mut view = view([5, 7], Some(Seat(1)), None);
        view.tuzdyks = [Some(3), None];
        let seen = |bottom_seat| scene_seen_from(&view, ["a", "b"], None, Seat(bottom_seat));
        let own = |scene: &Scene, name: &str| {
            let at = scene.items.iter().find_map(|item| match item {
                SceneItem::Sprite(sprite) => (sprite.name == name).then_some(sprite.at.y),
                SceneItem::Label(label) => (label.text == name).then_some(label.at.y),
                SceneItem::Trail(_) => None,
            });
            at.expect("the board shows it")
        };
        let half = SHEET.1 as i16;
        for what in ["togyz-mark-0", "togyz-mark-1", "togyz-tuzdyk-0", "togyz-row-turn", "a", "b"] {
            assert_eq!(own(&seen(0), what), half - own(&seen(1), what), "{what}");
        }
        assert_eq!(turned(&turned(&view)), view);
    }

    #[test]
    fn pits_run_anticlockwise() {
        let at = |side, index| middle(Pit { side: Seat(side), index });
        assert!(at(0, 0).x < at(0, 8).x && at(1, 0).x > at(1, 8).x);
        assert!(at(0, 0).y > at(1, 0).y);
        assert_eq!(at(0, 8).x, at(1, 0).x);
        assert_eq!(next(Pit { side: Seat(1), index: 8 }), Pit { side: Seat(0), index: 0 });
    }
}
