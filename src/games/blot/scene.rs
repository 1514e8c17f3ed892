//! Draws the public table: the trick with each card before its player, contract, score, player to
//! move. It shows no hand.
//!
//! One seat is below, by default seat 0, and the others follow clockwise: the next on the left, its
//! partner above. The side of seats 0 and 2 comes first in the score.

use super::action::BlotAction;
use super::auction::{AuctionCall, Contract, ContractLevel};
use super::card::{Card, Trump, each};
use super::hand_scene;
use super::melds::MeldKind;
use super::panel::times;
use super::round::BlotFact;
use super::tricks::Trick;
use super::view::{BlotStage, BlotView};
use crate::rules::{Seat, Token};
use crate::scene::{Align, Point, Scene, SceneLabel, Sprite, TouchArea};

/// Size of the sheet in units.
pub const SHEET: (u16, u16) = (1080, 760);

/// Positions of a seat's items.
#[derive(Clone, Copy)]
struct SeatLayout {
    plate: (i16, i16),
    card: (i16, i16),
    melds: (i16, i16),
    /// The pointer beside the plate: position and angle.
    pointer: (i16, i16, i16),
}

const PLACES: [SeatLayout; 4] = [
    SeatLayout { plate: (540, 664), card: (540, 512), melds: (662, 582), pointer: (362, 664, 90) },
    SeatLayout { plate: (200, 380), card: (407, 380), melds: (96, 462), pointer: (200, 326, 180) },
    SeatLayout { plate: (540, 96), card: (540, 248), melds: (662, 236), pointer: (362, 96, 90) },
    SeatLayout { plate: (880, 380), card: (673, 380), melds: (776, 462), pointer: (880, 326, 180) },
];

/// Width of the plates beside the table and above and below it.
const PLATE_WIDTH: u16 = 264;
const CARD: (u16, u16) = (122, 171);
const HOLDING: (u16, u16) = (143, 200);
const SMALL: (u16, u16) = (80, 112);
const MELD: (u16, u16) = (66, 92);
const MELD_STEP: i16 = 40;

/// The mark of each side in a chart, and the colour of its line.
pub const SIDES: [(&str, &str); 2] = [("blot-side-0", "line-0"), ("blot-side-1", "line-1")];

/// The item of a seat, if `bottom_seat` is at the bottom.
fn of<T: Copy>(all: &[T; 4], seat: Seat, bottom_seat: Seat) -> T {
    all[(seat.index() + 4 - (bottom_seat.index() & 3)) & 3]
}

/// The table with names by seat. `result` holds points by seat when the table ended the match.
pub fn scene(view: &BlotView, names: &[String], result: Option<&[i32]>) -> Scene {
    scene_seen_from(view, names, result, Seat(0))
}

/// The same with this seat below.
pub fn scene_seen_from(
    view: &BlotView,
    names: &[String],
    result: Option<&[i32]>,
    bottom_seat: Seat,
) -> Scene {
    let mut scene = Scene::new(SHEET.0, SHEET.1);
    scene.add(Sprite::new("blot-table", 540, 380, SHEET.0, SHEET.1));
    let winner = winner(view, result);
    let over = result.is_some() || winner.is_some();
    if let Some(contract) = view.contract.filter(|_| !over) {
        contract_corner(&mut scene, view, &contract);
    }
    score(&mut scene, view, names);
    piles(&mut scene, view, bottom_seat);
    for seat in (0..4).map(Seat) {
        let place = of(&PLACES, seat, bottom_seat);
        plate(&mut scene, view, (seat, place), names, (over, winner));
    }
    if over {
        totals(&mut scene, view);
        return scene;
    }
    match view.stage {
        BlotStage::Deal => round(&mut scene, view),
        BlotStage::Over(_) => {}
        BlotStage::Auction => calls(&mut scene, view, bottom_seat),
        BlotStage::Play => {
            trick(&mut scene, view, bottom_seat);
            melds(&mut scene, view, bottom_seat);
        }
    }
    scene
}

/// The side that has won, by the rules or because the table ended the match.
fn winner(view: &BlotView, result: Option<&[i32]>) -> Option<usize> {
    match (view.stage, result) {
        (_, Some([first, second, ..])) if first != second => Some(usize::from(second > first)),
        (BlotStage::Over(team), None) => Some(usize::from(team)),
        (BlotStage::Deal | BlotStage::Auction | BlotStage::Play | BlotStage::Over(_), _) => None,
    }
}

/// Name of the drawing of a card.
pub fn card_name(card: Card) -> String {
    format!("card-{}", card.write())
}

/// Name of the drawing of a trump.
pub fn suit_name(trump: Trump) -> String {
    format!("suit-{}", trump.suit().map_or('N', |suit| suit.letter()))
}

/// Suit and number, with the doubling below: `×2` and `×4` for kuansh and sur, `8/8` for kaput,
/// which promises all tricks.
pub fn contract(
    scene: &mut Scene,
    view: &BlotView,
    contract: &Contract,
    at: (i16, i16),
    size: u16,
) {
    let (x, y) = at;
    let half = size as i16 / 2;
    scene.add(Sprite::new(suit_name(contract.bid.trump), x + half, y, size, size));
    let number = contract.bid.x.to_string();
    let x = x + size as i16 + half / 3;
    let label = SceneLabel::new(number, x, y, size, "score").bold();
    scene.add(label.aligned(Align::Start));
    let besides = besides(view, contract);
    if !besides.is_empty() {
        let y = y + size as i16 * 9 / 10;
        let label = SceneLabel::new(besides, at.0, y, size * 3 / 5, "gain").bold();
        scene.add(label.aligned(Align::Start));
    }
}

fn besides(view: &BlotView, contract: &Contract) -> String {
    let kaput = if contract.bid.kaput { "8/8" } else { "" };
    match times(contract, &view.options.house()) {
        1 => kaput.to_owned(),
        times => {
            let space = if kaput.is_empty() { "" } else { " " };
            format!("{kaput}{space}×{times}")
        }
    }
}

fn contract_corner(scene: &mut Scene, view: &BlotView, it: &Contract) {
    contract(scene, view, it, (74, 118), 92);
}

/// Names and points of both sides.
fn score(scene: &mut Scene, view: &BlotView, names: &[String]) {
    for (side, y) in [(0, 98), (1, 152)] {
        let both = format!("{} · {}", short_name(names, side), short_name(names, side + 2));
        let both = if both.trim() == "·" { ["A · C", "B · D"][side].to_owned() } else { both };
        let label = SceneLabel::new(both, 694, y, 30, "name").aligned(Align::Start);
        scene.add(label.fitted(206));
        let points = SceneLabel::new(view.totals[side].to_string(), 1006, y, 50, "score").bold();
        scene.add(points.aligned(Align::End).fitted(96));
    }
}

/// The tricks of both sides, beside one of their plates.
fn piles(scene: &mut Scene, view: &BlotView, bottom_seat: Seat) {
    let own = BlotView::team(bottom_seat);
    let piles = [(own, (726, 664)), (1 - own, (98, 316))];
    for (side, (x, y)) in piles.into_iter().filter(|(side, _)| view.taken[*side] > 0) {
        scene.add(Sprite::new("blot-trick", x, y, 62, 52));
        let tricks = SceneLabel::new(view.taken[side].to_string(), x + 42, y, 44, "count").bold();
        scene.add(tricks.aligned(Align::Start));
    }
}

fn name(names: &[String], seat: usize) -> &str {
    names.get(seat).map_or("", String::as_str)
}

/// One word of a name, where there is little room: the first, or the last where another name at the
/// table begins with the same one, as the computers of one level do.
pub fn short_name(names: &[String], seat: usize) -> &str {
    let readable = |word: &&str| word.chars().any(char::is_alphanumeric);
    let words = |seat: usize| name(names, seat).split_whitespace().filter(readable);
    let first = words(seat).next();
    let shared = (0..names.len()).any(|other| other != seat && words(other).next() == first);
    let word = if shared { words(seat).next_back() } else { first };
    word.unwrap_or_default()
}

/// The touch area of an answer on a page of the course: a player, or a card in the hand.
pub fn answer_area(page: &str, view: &BlotView, token: &str) -> Option<TouchArea> {
    match page {
        "partners" | "trick" | "lead" | "trumps" => Some(plate_of(Seat(token.parse().ok()?))),
        "follow" | "overtrump" | "cut" => {
            let card = BlotAction::read(token)?;
            hand_scene::spots(view, &[card], Seat(0)).first().map(|it| it.at)
        }
        _ => None,
    }
}

/// The area of a player's plate, seen with the first seat below.
pub fn plate_of(seat: Seat) -> TouchArea {
    let (x, y) = of(&PLACES, seat, Seat(0)).plate;
    TouchArea::new(Point { x, y }, PLATE_WIDTH, 72)
}

/// A player's plate: name, dealer's mark, the suit that the player bid.
fn plate(
    scene: &mut Scene,
    view: &BlotView,
    (seat, place): (Seat, SeatLayout),
    names: &[String],
    (over, winner): (bool, Option<usize>),
) {
    let (x, y) = place.plate;
    let on_turn = !over && view.turn == Some(seat);
    let (drawing, ink) = match (on_turn, winner == Some(BlotView::team(seat))) {
        (true, _) => ("plate-turn", "name-turn"),
        (false, true) => ("plate-won", "name-turn"),
        (false, false) => ("plate", "name"),
    };
    scene.add(Sprite::new(drawing, x, y, PLATE_WIDTH, 58));
    let mut left = x - 120;
    let mut right = x + 120;
    if view.dealer == Some(seat) && !over {
        scene.add(Sprite::new("blot-dealer", left + 20, y, 48, 48));
        left += 48;
    }
    if let Some(contract) = view.contract.filter(|it| it.seat == seat.0 && !over) {
        scene.add(Sprite::new(suit_name(contract.bid.trump), right - 18, y, 42, 42));
        right -= 44;
    }
    let label = SceneLabel::new(name(names, seat.index()), (left + right) / 2, y, 34, ink).bold();
    scene.add(label.fitted((right - left) as u16).with_short_text(short_name(names, seat.index())));
    if on_turn {
        let (x, y, turn) = place.pointer;
        scene.add(Sprite::new("blot-turn", x, y, 48, 48).turned(turn));
    }
}

/// The middle of a player's call: clear of the plates, with two digits too.
const CALLS: [(i16, i16); 4] = [(540, 512), (440, 380), (540, 248), (640, 380)];

/// The last call of each player, before them; until the first call, the trick that ended the round
/// before.
fn calls(scene: &mut Scene, view: &BlotView, bottom_seat: Seat) {
    if let ([], Some(last)) = (&view.calls[..], &view.ended) {
        last_trick(scene, last, bottom_seat);
        return;
    }
    for seat in (0..4).map(Seat) {
        let (x, y) = of(&CALLS, seat, bottom_seat);
        let said = view.calls.iter().rev().find(|(by, _)| *by == seat).map(|(_, call)| *call);
        let text = match said {
            None => continue,
            Some(AuctionCall::Pass) => "–",
            Some(AuctionCall::Kuansh) => "×2",
            Some(AuctionCall::Sur) => "×4",
            Some(AuctionCall::Bid(bid)) => {
                let bid = Contract { bid, seat: seat.0, level: ContractLevel::Plain };
                let digits = if bid.bid.x < 10 { 1 } else { 2 };
                contract(scene, view, &bid, (x - (84 + 46 * digits) / 2, y), 64);
                continue;
            }
        };
        scene.add(SceneLabel::new(text, x, y, 66, "score").bold());
    }
}

/// The trick on the table; while it is empty, the one before in small.
fn trick(scene: &mut Scene, view: &BlotView, bottom_seat: Seat) {
    if let ([], Some(last)) = (&view.table[..], &view.last) {
        last_trick(scene, last, bottom_seat);
        return;
    }
    for (seat, card) in &view.table {
        let (x, y) = of(&PLACES, *seat, bottom_seat).card;
        let holds = view.holding == Some(*seat) && view.table.len() > 1;
        let (width, height) = if holds { HOLDING } else { CARD };
        scene.add(Sprite::new(card_name(*card), x, y, width, height));
    }
    if let Some(turn) = view.turn {
        let (x, y) = of(&PLACES, turn, bottom_seat).card;
        scene.add(Sprite::new("card-slot", x, y, CARD.0, CARD.1));
    }
}

/// The positions of the cards of the last trick, by seat.
const LAST: [(i16, i16); 4] = [(540, 462), (446, 380), (540, 298), (634, 380)];

fn last_trick(scene: &mut Scene, last: &Trick, bottom_seat: Seat) {
    for seat in 0..4u8 {
        let (x, y) = of(&LAST, Seat(seat), bottom_seat);
        let (width, height) = if seat == last.winner { (100, 140) } else { SMALL };
        scene.add(Sprite::new(card_name(last.card_of(seat)), x, y, width, height));
    }
}

/// Combinations, while they are new: backs with their kind once announced, faces once shown.
fn melds(scene: &mut Scene, view: &BlotView, bottom_seat: Seat) {
    if view.taken.iter().sum::<u8>() > view.options.house().last_showing_card() {
        return;
    }
    for seat in (0..4).map(Seat) {
        let announced = &view.announced_melds[seat.index()];
        let (mut x, y) = of(&PLACES, seat, bottom_seat).melds;
        x += MELD.0 as i16 / 2;
        if announced.melds.is_empty() {
            for kind in &announced.kinds {
                x = announced_kind(scene, *kind, x, y);
            }
        }
        for meld in &announced.melds {
            let cards: Vec<Card> = each(meld.cards()).collect();
            let step = if announced.melds.len() > 1 { 30 } else { MELD_STEP };
            for (n, card) in (1..).zip(&cards) {
                scene.add(Sprite::new(card_name(*card), x, y, MELD.0, MELD.1));
                x += if n == cards.len() { 70 } else { step };
            }
        }
    }
}

/// The backs of an announced combination from the middle of the first one on, with its kind on the
/// last: a fifty and four of a kind are both four cards. Returns the middle of what follows.
fn announced_kind(scene: &mut Scene, kind: MeldKind, mut x: i16, y: i16) -> i16 {
    let (count, text) = match kind {
        MeldKind::Terz => (3, "3"),
        MeldKind::Fifty => (4, "50"),
        MeldKind::Hundred => (5, "100"),
        MeldKind::Four => (4, "×4"),
    };
    for n in 0..count {
        x += if n == 0 { 0 } else { 22 };
        scene.add(Sprite::new("card-back", x, y, MELD.0, MELD.1));
    }
    scene.add(Sprite::new("plate", x, y + 22, 66, 40));
    scene.add(SceneLabel::new(text, x, y + 22, 28, "name").bold().fitted(56));
    x + 74
}

/// The result of the round that is just over: the bid, whether it was made, points of both sides.
fn round(scene: &mut Scene, view: &BlotView) {
    let scored = |fact: &BlotFact| match fact {
        BlotFact::Scored(summary) => Some(*summary),
        _ => None,
    };
    let Some(summary) = view.recent_facts.iter().find_map(scored) else { return };
    contract_corner(scene, view, &summary.played.contract);
    let sign = if summary.score.made { "✓" } else { "✗" };
    scene.add(SceneLabel::new(sign, 540, 330, 150, "gain").bold());
    let [first, second] = summary.score.points;
    let label = SceneLabel::new(format!("+{first} : +{second}"), 540, 520, 100, "score").bold();
    scene.add(label.fitted(560));
}

/// The end of the match.
fn totals(scene: &mut Scene, view: &BlotView) {
    scene.add(Sprite::new("laurel", 540, 310, 360, 270));
    let [first, second] = view.totals;
    let label = SceneLabel::new(format!("{first} : {second}"), 540, 520, 110, "score").bold();
    scene.add(label.fitted(560));
}
