//! Draws the private picture: a hand as a fan with the legal cards raised, contract and trick above
//! it.

use super::action::BlotAction;
use super::card::Card;
use super::panel::sorted;
use super::scene::{card_name, contract, short_name};
use super::view::{BlotView, OwnHand};
use crate::rules::Seat;
use crate::scene::{Fan, Point, Scene, SceneLabel, Sprite, TouchArea, TouchSpot};

/// Size of the sheet in units.
pub const SHEET: (u16, u16) = (1080, 620);

const FAN: Fan = Fan { middle: Point { x: 540, y: 392 }, radius: 1000, size: (200, 280) };
const RAISED: u16 = 34;

/// The hand of the viewer. Without a hand, only the cloth.
pub fn scene(view: &BlotView, names: &[String]) -> Scene {
    let mut scene = Scene::new(SHEET.0, SHEET.1);
    scene.add(Sprite::new("blot-hand", 540, 310, SHEET.0, SHEET.1));
    let Some(own) = &view.own else { return scene };
    if let Some(it) = &view.contract {
        contract(&mut scene, view, it, (76, 118), 84);
    }
    trick(&mut scene, view, names);
    fan(&mut scene, view, own);
    scene
}

/// The cards on the table in the order of play, the winning one larger.
fn trick(scene: &mut Scene, view: &BlotView, names: &[String]) {
    for (n, (seat, card)) in (0..).zip(&view.table) {
        let x = 600 + 150 * n;
        let holds = view.holding == Some(*seat);
        let (width, height) = if holds { (86, 120) } else { (74, 104) };
        scene.add(Sprite::new(card_name(*card), x, 122, width, height));
        let name = short_name(names, seat.index());
        scene.add(SceneLabel::new(name, x, 196, 26, "name").fitted(140));
    }
}

/// Draws the hand: all cards at the same height unless some of them are legal now.
fn fan(scene: &mut Scene, view: &BlotView, own: &OwnHand) {
    let trump = view.contract.map(|it| it.bid.trump).filter(|_| view.is_play());
    let cards = sorted(own.cards, trump);
    let count = u8::try_from(cards.len()).unwrap_or(8);
    let on_turn = view.is_play() && view.turn == Some(Seat(own.seat.0));
    for (n, card) in (0..count).zip(cards) {
        let legal = on_turn && own.legal & card.bit() != 0;
        let raised = if legal { RAISED } else { 0 };
        scene.add(FAN.card(card_name(card), n, count, raised));
        if on_turn && !legal {
            scene.add(FAN.card("card-dim", n, count, raised));
        }
    }
}

/// The touch areas of the legal cards in the hand.
pub fn spots(
    view: &BlotView,
    actions: &[BlotAction],
    _bottom_seat: Seat,
) -> Vec<TouchSpot<BlotAction>> {
    let Some(own) = &view.own else { return Vec::new() };
    let trump = view.contract.map(|it| it.bid.trump).filter(|_| view.is_play());
    let cards = sorted(own.cards, trump);
    let count = u8::try_from(cards.len()).unwrap_or(8);
    let spot = |(n, card): (u8, Card)| {
        let action = BlotAction::Card(card);
        let at = TouchArea::from_sprite(&FAN.card(card_name(card), n, count, RAISED));
        actions.contains(&action).then_some(TouchSpot {
            action,
            at,
            to: None,
            is_capture: false,
            has_button: false,
        })
    };
    (0..count).zip(cards).filter_map(spot).collect()
}
