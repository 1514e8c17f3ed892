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

/// Ani: a fifty and a terz. Then four kings, a fifty, and a hundred.
const COMBINED: [&str; 4] = [
    "7C 8C 9C 10C 7D 8D 9D AS",
    "KC KD KH KS 7H 8H QC QD",
    "JC AC AD 9H 10H JH QH AH",
    "7S 8S 9S 10S JS QS 10D JD",
];

fn game(steps: &str) -> Blot {
    game_with(HANDS, "standard", steps)
}

fn game_with(hands: [&str; 4], options: &str, steps: &str) -> Blot {
    let set =
        |cards: &str| cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit());
    let mut game = Blot::start(&BlotOptions::read(options).unwrap(), 4).unwrap();
    let deal = Deal { dealer: Some(3), hands: hands.map(set) };
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

/// All four have announced their combinations by hand.
fn all_announced() -> BlotView {
    let steps = "8h pass pass pass announce AS announce KS announce JC announce";
    game_with(COMBINED, "manual_melds=true", steps).view(Viewer::Public)
}

/// All four have shown their combinations.
fn all_shown() -> BlotView {
    let steps = "8h pass pass pass AS KS JC 7S 7C QC AC 10D";
    game_with(COMBINED, "show_melds=all", steps).view(Viewer::Public)
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
        ("blot-kinds", scene::scene(&all_announced(), &names, None)),
        ("blot-all-shown", scene::scene(&all_shown(), &names, None)),
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

/// The sprites of a picture whose names begin so, as left, top, right and bottom.
fn areas(scene: &Scene, name: &str, width: impl Fn(u16) -> bool) -> Vec<[i16; 4]> {
    let area = |it: &SceneItem| match it {
        SceneItem::Sprite(it) if it.name.starts_with(name) && width(it.width) => {
            let (width, height) = (it.width as i16 / 2, it.height as i16 / 2);
            Some([it.at.x - width, it.at.y - height, it.at.x + width, it.at.y + height])
        }
        SceneItem::Sprite(_) | SceneItem::Label(_) | SceneItem::Trail(_) => None,
    };
    scene.items.iter().filter_map(area).collect()
}

#[test]
fn no_card_lies_on_a_plate() {
    let names = NAMES.map(str::to_owned);
    let mut game = game("8h pass pass pass");
    let mut holders = std::collections::BTreeSet::new();
    while let Node::Act(seat) = game.node() {
        let view = game.view(Viewer::Public);
        for below in (0..4).map(Seat) {
            let scene = scene::scene_seen_from(&view, &names, None, below);
            for card in areas(&scene, "card-", |_| true) {
                let apart = |plate: &[i16; 4]| {
                    plate[0] > card[2]
                        || plate[2] < card[0]
                        || plate[1] > card[3]
                        || plate[3] < card[1]
                };
                let plates = areas(&scene, "plate", |width| width > 200);
                assert!(plates.iter().all(apart), "{card:?} of {plates:?}");
            }
        }
        holders.extend(view.holding.filter(|_| view.table.len() > 1).map(|it| it.0));
        let action = game.actions(seat)[0];
        game.apply_action(seat, &action, &mut Vec::new()).unwrap();
    }
    assert!(holders.len() > 1, "{holders:?} have held a trick");
}

#[test]
fn combinations_of_players_are_drawn_apart_with_their_kinds() {
    let names = NAMES.map(str::to_owned);
    for view in [all_announced(), all_shown()] {
        for below in (0..4).map(Seat) {
            let scene = scene::scene_seen_from(&view, &names, None, below);
            let cards = areas(&scene, "card-", |width| width == 66);
            assert!(cards.len() > 12, "{cards:?}");
            for [left, _, right, bottom] in &cards {
                let below = cards.iter().filter(|it| it[1] > bottom - 40 && it[3] > *bottom);
                for it in below.filter(|it| it[0] < *right && it[2] > *left) {
                    assert!(it[1] >= bottom + 15, "{it:?} is below {bottom}");
                }
            }
        }
    }
    let scene = scene::scene(&all_announced(), &names, None);
    let says = |text: &str| {
        let is = |it: &&SceneItem| matches!(it, SceneItem::Label(it) if it.text == text);
        scene.items.iter().filter(is).count()
    };
    assert_eq!(["3", "50", "100", "×4"].map(says), [1, 2, 1, 1]);
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
