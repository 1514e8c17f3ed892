//! Moments of a Blot match whose pictures are looked at.

use caravanserai_games::blot::card::each;
use caravanserai_games::blot::{
    Blot, BlotAction, BlotOptions, BlotView, Card, Deal, hand_scene, scene,
};
use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};
use caravanserai_games::scene::{Scene, SceneItem};

const NAMES: [&str; 4] = ["Ani", "Ғани Әбдіқұлов", "Բագրատ", "Владимир"];
const HANDS: [&str; 4] = [
    "JH 9H 7H AS KS QS JD 8C",
    "AH 8H 10S 9S AC 9C 7C KD",
    "QH KH 10H AD 10D 7D KC 10C",
    "7S 8S JS 9D 8D QD JC QC",
];

fn game(steps: &str) -> Blot {
    let set =
        |cards: &str| cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit());
    let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
    let deal = Deal { dealer: Some(3), hands: HANDS.map(set) };
    game.apply_chance(&deal, &mut Vec::new()).unwrap();
    for token in steps.split_whitespace() {
        let Node::Act(seat) = game.node() else { panic!("{token} comes too late") };
        let action = BlotAction::read(token).unwrap_or_else(|| panic!("what is {token}?"));
        game.apply_action(seat, &action, &mut Vec::new())
            .unwrap_or_else(|why| panic!("{token}: {why:?}"));
    }
    game
}

/// The heaviest hand there can be.
fn courts() -> BlotView {
    let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
    let courts = ["JC", "QC", "KC", "JD", "QD", "KD", "JH", "QS"];
    let courts = courts.iter().fold(0, |set, card| set | Card::read(card).unwrap().bit());
    let rest: Vec<u32> = each(!courts).map(Card::bit).collect();
    let rest: Vec<u32> = rest.chunks(8).map(|it| it.iter().sum()).collect();
    let deal = Deal { dealer: Some(3), hands: [courts, rest[0], rest[1], rest[2]] };
    game.apply_chance(&deal, &mut Vec::new()).unwrap();
    game.view(Viewer::Seat(Seat(0)))
}

/// What is looked at, with the names it is stored under.
pub fn pictures() -> Vec<(&'static str, Scene)> {
    let names = NAMES.map(str::to_owned);
    let long = ["🌸 Mihranuhi Ter-Hovhannisyan 🌸", "Абылайхан Құнанбайұлы", "李雷", "Bo"];
    let long = long.map(str::to_owned);
    let played = "8h pass 12h kuansh pass pass JH 8H QH 8S";
    let public = |steps: &str| scene::scene(&game(steps).view(Viewer::Public), &names, None);
    let own = |steps: &str, seat: u8| {
        hand_scene::scene(&game(steps).view(Viewer::Seat(Seat(seat))), &names)
    };
    vec![
        ("blot-deal", public("")),
        ("blot-auction", public("8h pass 9b")),
        ("blot-kaput", public("8h pass 26sk kuansh pass")),
        ("blot-lead", public("8h pass 12h kuansh pass pass")),
        ("blot-announced", public("8h pass pass pass AS 10S 10H")),
        ("blot-shown", public(&format!("{played} 9H AH KH"))),
        ("blot-between", public(&format!("{played} 9H AH KH QD"))),
        ("blot-names", scene::scene(&game(played).view(Viewer::Public), &long, None)),
        (
            "blot-over",
            scene::scene(&game(played).view(Viewer::Public), &names, Some(&[1, 0, 1, 0])),
        ),
        ("blot-hand-first", own("", 0)),
        ("blot-hand-auction", own("8h pass", 2)),
        ("blot-hand-follow", own("8h pass pass pass AS 10S 10H", 3)),
        ("blot-hand-lead", own("8h pass 12h kuansh pass pass", 0)),
        ("blot-hand-trumps", own(&format!("{played} 9H AH"), 2)),
        ("blot-hand-courts", hand_scene::scene(&courts(), &names)),
        ("blot-hand-boy", own("8b pass pass pass AS 10S", 2)),
    ]
}

#[test]
fn a_seat_sits_below_with_its_partner_across() {
    let names = NAMES.map(str::to_owned);
    let view = game("8h pass 12h kuansh pass pass JH 8H QH 8S").view(Viewer::Public);
    let name_at = |below: u8, name: &str| {
        let scene = scene::scene_seen_from(&view, &names, None, Seat(below));
        let named = |it: &SceneItem| match it {
            SceneItem::Label(label) if label.text == name => Some(label.at),
            _ => None,
        };
        scene.items.iter().find_map(named).expect("the name is there")
    };
    assert_eq!(
        scene::scene(&view, &names, None),
        scene::scene_seen_from(&view, &names, None, Seat(0))
    );
    for below in 0..4u8 {
        let at = |step: u8| name_at(below, NAMES[usize::from((below + step) % 4)]);
        assert!(at(0).y > at(1).y && at(1).y > at(2).y, "{below}");
        assert!(at(1).x < at(0).x && at(0).x < at(3).x, "{below}: clockwise");
    }
}
