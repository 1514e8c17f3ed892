//! Small pictures that teach the key rules, for `/rules`: each shows a moment of a round that a
//! caption (`blot-lesson-1` and so on in the templates) explains.

use super::action::{Action, Deal};
use super::card::Card;
use super::options::Options;
use super::rules::Blot;
use super::{hand, scene};
use crate::rules::{Node, Rules, Seat, Token, Viewer};
use crate::scene::Scene;

/// How many lessons there are; they are counted from 1.
pub const LESSONS: u8 = 6;

/// The hands of all lessons, by seat; seat 3 deals, seat 0 speaks and leads first.
const HANDS: [&str; 4] = [
    "JH 9H 7H AS KS QS JD 8C",
    "AH 8H 10S 9S AC 9C 7C KD",
    "QH KH 10H AD 10D 7D KC 10C",
    "7S 8S JS 9D 8D QD JC QC",
];

/// The picture of the lesson with this number, if there is one. Players are called by the
/// letters of the rule text.
pub fn lesson(number: u8) -> Option<Scene> {
    let (steps, viewer) = match number {
        1 => ("8h pass", Viewer::Public),
        2 => ("8h pass 12h kuansh", Viewer::Public),
        3 => ("8h pass 12h pass pass pass AS 10S", Viewer::Public),
        4 => ("8h pass 12h pass pass pass AS 10S 10H", Viewer::Seat(Seat(3))),
        5 => ("8h pass 12h pass pass pass JH 8H QH 7S 9H AH", Viewer::Seat(Seat(2))),
        6 => ("8h pass 12h pass pass pass JH 8H QH 7S 9H AH KH QD", Viewer::Public),
        _ => return None,
    };
    let game = played(steps)?;
    let view = game.view(viewer);
    let names = ["A", "B", "C", "D"].map(str::to_owned);
    Some(match viewer {
        Viewer::Public => scene::scene(&view, &names, None),
        Viewer::Seat(_) => hand::scene(&view, &names),
    })
}

fn played(steps: &str) -> Option<Blot> {
    let set =
        |cards: &str| cards.split(' ').try_fold(0, |set, card| Some(set | Card::read(card)?.bit()));
    let [a, b, c, d] = HANDS.map(set);
    let deal = Deal { dealer: Some(3), hands: [a?, b?, c?, d?] };
    let mut game = Blot::start(&Options::default(), 4).ok()?;
    game.settle(&deal, &mut Vec::new()).ok()?;
    for token in steps.split(' ') {
        let Node::Act(seat) = game.node() else { return None };
        game.act(seat, &Action::read(token)?, &mut Vec::new()).ok()?;
    }
    Some(game)
}
