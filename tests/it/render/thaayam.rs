//! Positions of Thaayam whose pictures are looked at: all of them really played.

use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};
use caravanserai_games::scene::Scene;
use caravanserai_games::thaayam::scene::{scene, scene_seen_from};
use caravanserai_games::thaayam::{
    Series, Thaayam, ThaayamAction, ThaayamOptions, ThaayamPosition, ThaayamView,
};

const NAMES: [&str; 4] = ["Arun", "Ғани Әбдіқұлов", "Բագրատ", "Lakshmi"];

/// Plays turns from a state: a series of throws and tokens after it; what is forced plays itself.
fn played(options: &str, state: &str, turns: &[&str]) -> ThaayamView {
    let options = ThaayamOptions::read(options).unwrap();
    let mut game = Thaayam::from_position(ThaayamPosition::read(options, state).unwrap(), Seat(0));
    let facts = &mut Vec::new();
    for step in turns.iter().flat_map(|turn| turn.split(' ')) {
        match game.node() {
            Node::Chance => game.apply_chance(&Series::read(step).unwrap(), facts).unwrap(),
            Node::Act(seat) => {
                game.apply_action(seat, &ThaayamAction::read(step).unwrap(), facts).unwrap()
            }
            Node::Over(_) => panic!("the game is over before {step}"),
        }
        while let (Some(action), Node::Act(seat)) = (game.forced_action(), game.node()) {
            game.apply_action(seat, &action, facts).unwrap();
        }
    }
    game.view(Viewer::Public)
}

fn drawn(view: &ThaayamView, names: [&str; 4]) -> Scene {
    scene(view, &names.map(str::to_owned), None)
}

fn turned(view: &ThaayamView, seat: u8) -> Scene {
    scene_seen_from(view, &NAMES.map(str::to_owned), None, Seat(seat))
}

pub fn pictures() -> Vec<(&'static str, Scene)> {
    let long =
        ["Абылайхан Құнанбайұлы Жолдасбеков", "🌸 Mihranuhi Ter-Hovhannisyan 🌸", "李雷", ""];
    let sharing = played("standard", "--cg/-akm/-ahu/--ex", &["142 throw 4:e1"]);
    let crowded = played("standard", "aaci/eeks/imww/aamm", &["1811113 throw 1:c1"]);
    let series = ["1484148414814111412 throw"];
    let ten = ["1484184113 throw 8:e2 4:a4"];
    vec![
        ("thaayam-start", drawn(&played("standard", "----/----/----/----", &[]), NAMES)),
        ("thaayam-cup", drawn(&played("standard", "--cg/-akm/-ahu/--ex", &["42"]), NAMES)),
        ("thaayam-sharing", drawn(&sharing, NAMES)),
        ("thaayam-crowded", drawn(&crowded, long)),
        ("thaayam-series", drawn(&played("standard", "--dd/--bc/--kk/---x", &series), NAMES)),
        ("thaayam-ten", drawn(&played("standard", "--dd/--bc/--kk/---x", &ten), NAMES)),
        ("thaayam-turned", turned(&sharing, 1)),
        ("thaayam-turned-far", turned(&sharing, 2)),
        ("thaayam-alone", drawn(&forced(), NAMES)),
        ("thaayam-won", drawn(&won(), NAMES)),
        ("thaayam-partners", drawn(&partners(), NAMES)),
        ("thaayam-two", drawn(&played("pieces=2", "-g/-k", &["12 throw"]), NAMES)),
        ("thaayam-places", drawn(&chats(), NAMES)),
        ("thaayam-resigned", scene(&sharing, &NAMES.map(str::to_owned), Some(&[0, 0, 1, 0]))),
        ("thaayam-agreed", scene(&sharing, &NAMES.map(str::to_owned), Some(&[1; 4]))),
    ]
}

/// Three turns since the fourth player's own, each with arrows of its colour.
fn forced() -> ThaayamView {
    played("standard", "---c/---c/---c/--sx", &["2 throw", "3 throw", "2 throw", "43"])
}

fn won() -> ThaayamView {
    played("standard", "FFOO/-akF/--dx/-FFF", &["112 throw"])
}

fn partners() -> ThaayamView {
    const THROWS: &[&str] =
        &["12 throw", "2 throw", "2 throw", "2 throw 2:a3 done", "2 throw", "12 throw"];
    played("partners=yes", "FOOO/FFFF/FOOO/--ac", THROWS)
}

fn chats() -> ThaayamView {
    played("play_on=yes", "FOOO/FFFF/FFOO/--ac", &["12 throw", "2 throw", "2 throw"])
}
