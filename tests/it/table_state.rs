//! The state of a table as JSON (`src/bot/client_state/state.md`): enough to play by it, and
//! nothing that its reader may not know.

use std::collections::BTreeSet;
use std::sync::Arc;

use caravanserai_bot::service::Service;
use caravanserai_games::ids::TableId;
use caravanserai_games::togyzkumalak::Variant;
use caravanserai_games::togyzkumalak::notation::read_position;
use caravanserai_protocol::{ClientQueries, PictureRequest, StateQuery};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Append, Commit, Store};
use caravanserai_table::Table;
use serde_json::Value;

use crate::stage::clock::TestClock;
use crate::stage::memory::{MemoryStage, service};
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};
use crate::whole_games::Dice;

pub const NAMES: [&str; 4] = ["Ann", "Bek", "Cyd", "Dan"];
pub const FOUR: &str = "Bek presses Join\nCyd presses Join\nDan presses Join\n";

pub async fn people(stage: &mut dyn Stage) {
    stage.people(&NAMES.map(str::to_owned)).await;
}

/// The whole script of a player: look whose turn it is, take one of the offered actions, again.
/// Gives how many actions that took and the last state.
pub async fn plays(stage: &mut WebStage, dice: &mut Dice) -> (usize, Value) {
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    for acts in 0..5_000 {
        if let Some(over) = acts_once(stage, &table, dice).await {
            return (acts, over);
        }
    }
    panic!("the game does not end");
}

/// One action of the player on turn; the state if nobody is.
pub async fn acts_once(stage: &mut WebStage, table: &str, dice: &mut Dice) -> Option<Value> {
    let seen = stage.state("Ann", table, "").await;
    let Some(turn) = seen["turn"].as_u64() else { return Some(seen) };
    let name = seen["seats"][turn as usize]["name"].as_str().unwrap().to_owned();
    let own = stage.state(&name, table, "").await;
    assert_eq!(own["you"], turn);
    let offered = own["actions"].as_array().unwrap();
    let offered: Vec<&Value> = offered.iter().filter(|it| it["token"] != "undo").collect();
    // Most of what is said in an auction is a pass, or it would never end.
    let pass = offered.iter().find(|it| it["token"] == "pass").filter(|_| !dice.one_in(4));
    let action = pass.unwrap_or(&offered[dice.below(offered.len())]);
    stage.acts(&name, action["press"].as_str().unwrap()).await;
    None
}

async fn whole(opening: &str, joining: &str, seed: u64) -> Value {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", &format!("Ann says {opening}\n{joining}"), &mut stage).await;
    let (acts, over) = plays(&mut stage, &mut Dice(seed)).await;
    eprintln!("{opening}: {acts} actions");
    assert_eq!(over["phase"], "over", "{over}");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
    over
}

#[tokio::test]
async fn a_script_plays_a_game_by_the_state_of_its_table() {
    let over = whole("/togyz me", "Bek presses Join", 7).await;
    let position = over["position"].as_str().unwrap();
    assert!(read_position(position, Variant::default()).unwrap().0.is_over(), "{position}");
    assert_eq!(over["scores"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_script_plays_a_race_by_the_state_of_its_table() {
    whole("/thaayam players=4 pieces=2", FOUR, 8).await;
}

#[tokio::test]
async fn a_script_plays_a_match_of_cards_by_the_state_of_its_table() {
    whole("/blot target=101", &format!("{FOUR}Ann presses ▶ Start"), 9).await;
}

#[tokio::test]
async fn conditional_moves_are_shown_to_their_player_who_can_drop_them() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    let script = "Ann says /togyz me\nBek presses Join\nBek says /premove 3 7\n\
                  Bek gets reply 3 → 7";
    play("plans", script, &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    for other in ["Ann", "Cyd"] {
        let seen = stage.state(other, &table, "").await.to_string();
        assert!(!seen.contains("3 → 7") && !seen.contains("Drop conditional"), "{other}: {seen}");
    }
    let own = stage.state("Bek", &table, "").await;
    assert!(own["says"].to_string().contains("3 → 7"), "{own}");
    let mut keys = own["keys"].as_array().unwrap().iter().flat_map(|it| it.as_array().unwrap());
    let drop = keys.find(|it| it["label"] == "Drop conditional moves").unwrap();
    stage.acts("Bek", drop["press"].as_str().unwrap()).await;
    let own = stage.state("Bek", &table, "").await.to_string();
    assert!(!own.contains("3 → 7") && !own.contains("Drop conditional"), "{own}");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// The same deal with the cards of two seats exchanged: a digit for two bits a card.
fn exchanged(token: &str, one: u64, other: u64) -> String {
    let (dealer, digits) = match token.split_once('-') {
        Some((dealer, digits)) => (format!("{dealer}-"), digits),
        None => (String::new(), token),
    };
    let owners = u64::from_str_radix(digits, 16).unwrap();
    let swap = |owner: u64| match owner {
        it if it == one => other,
        it if it == other => one,
        it => it,
    };
    let all = (0..32).fold(0, |all, n| all | swap(owners >> (2 * n) & 3) << (2 * n));
    format!("{dealer}{all:016x}")
}

/// A store with the same table but for its deal.
async fn with_another_deal(
    id: &TableId,
    lines: &[String],
    deal: &str,
    other: &str,
) -> Arc<MemoryStore> {
    let store = Arc::new(MemoryStore::default());
    let lines = lines.iter().map(|it| it.replace(deal, other)).collect();
    let appends = vec![Append { table: id.0.clone(), expect: 0, lines }];
    store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
    store
}

/// A round for four that has just been dealt.
pub struct Dealt {
    pub id: TableId,
    lines: Vec<String>,
    table: Table,
    deal: String,
}

impl Dealt {
    /// Four people sit down, and the cards are dealt.
    pub async fn at(stage: &mut MemoryStage) -> Self {
        people(stage).await;
        let seated = format!("Ann says /blot\n{FOUR}Ann presses ▶ Start");
        play("seated", &seated, stage).await;
        let board =
            stage.visible_messages("Ann").await.into_iter().rev().find(|it| it.is_board()).unwrap();
        let id = board.buttons.iter().find_map(|(_, it)| it.strip_prefix("i.")).unwrap();
        let id = TableId(id.to_owned());
        let lines = stage.store.read_log(&id.0, 0).await.unwrap();
        let table = Table::from_log(&id, &lines).unwrap();
        let deal =
            table.history.steps.iter().find(|it| it.seat.is_none()).unwrap().token.to_owned();
        Self { id, lines, table, deal }
    }

    /// The seat of a person, if they have one.
    pub fn seat_of(&self, who: &str) -> Option<u8> {
        (0..4u8).find(|it| self.table.seating.occupant(*it).is_some_and(|it| it.name == who))
    }

    /// A bot with which two seats hold each other's cards, both hidden from this seat; and all
    /// seats whose cards are hidden from it.
    pub async fn otherwise(&self, seat: Option<u8>, n: u64) -> (Service, Vec<u64>) {
        let others: Vec<u64> = (0..4).filter(|it| seat.map(u64::from) != Some(*it)).collect();
        let other = exchanged(&self.deal, others[0], others[2]);
        let store = with_another_deal(&self.id, &self.lines, &self.deal, &other).await;
        (service(store, Arc::new(TestClock::new()), 90 + n), others)
    }
}

#[tokio::test]
async fn exchanged_unseen_cards_change_nothing_in_the_states_of_others() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let dealt = Dealt::at(&mut stage).await;
    let id = dealt.id.clone();
    let looking =
        StateQuery { picture: PictureRequest::Draw, since: Some(0), ..StateQuery::default() };
    let chat = stage.group_or_private(None);
    let mut told = 0;
    for (n, who) in NAMES.into_iter().chain(["Eve"]).enumerate() {
        let seat = dealt.seat_of(who);
        let (bot, others) = dealt.otherwise(seat, n as u64).await;
        let person = stage.person(who);
        let one = stage.service.table_state(&chat, &person, &id, looking).await.unwrap().unwrap();
        let other = bot.table_state(&chat, &person, &id, looking).await.unwrap().unwrap();
        assert_eq!(one, other, "{who} learns something of the hands of {others:?}");
        told +=
            usize::from(serde_json::to_string(&one).unwrap().contains("card-") && seat.is_some());
    }
    assert_eq!(told, 4, "everybody at the table sees their own hand");
    let elsewhere = stage.group_or_private(Some("Eve"));
    let eve = stage.person("Eve");
    assert_eq!(stage.service.table_state(&elsewhere, &eve, &id, looking).await, Ok(None));
}

#[tokio::test]
async fn a_state_says_what_would_come_of_each_action() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /togyz me\nBek presses Join\nAnn says /confirm on", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    let ann = stage.state("Ann", &table, "").await;
    let third = &ann["actions"][2];
    assert_eq!(third["would"], "3 → pit 2, +10", "{third}");
    assert_eq!((&third["takes"], &ann["twice"]), (&Value::from(true), &Value::from(true)));
    assert_eq!(ann["actions"][0]["takes"], Value::Null, "nothing is taken on one's own side");
    let bek = stage.state("Bek", &table, "").await;
    assert_eq!(bek["twice"], false, "everybody chooses for themselves");
}

/// The name on the lit plate of a drawn board of Thaayam.
fn name_on_turn(board: &Value) -> &str {
    let items = board["items"].as_array().unwrap();
    let plate = items.iter().find(|it| it[0] == "thaayam-seat-turn").expect("a lit plate");
    let [x, y] = [0, 1].map(|n| plate[3][n].as_f64().unwrap());
    let is_there = |it: &&Value| {
        it["x"].as_f64().is_some_and(|at| (at - x).abs() < 255.0)
            && it["y"].as_f64().is_some_and(|at| (at - y).abs() < 55.0)
    };
    items.iter().find(is_there).and_then(|it| it["text"].as_str()).expect("a name")
}

#[tokio::test]
async fn each_new_board_comes_with_the_text_that_was_beside_it() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /thaayam players=2 pieces=2\nBek presses Join", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    let moment = stage.state("Ann", &table, "").await["moment"].as_u64().unwrap();
    let mut dice = Dice(11);
    for _ in 0..20 {
        acts_once(&mut stage, &table, &mut dice).await;
    }
    let state = stage.state("Ann", &table, &format!("?drawn=1&since={moment}")).await;
    let frames = state["picture"]["before"].as_array().unwrap();
    assert!(frames.len() > 8, "{}", frames.len());
    let (mut says, mut names) = ("", BTreeSet::new());
    for frame in frames {
        says = frame["says"].as_array().map_or(says, |it| it.last().unwrap().as_str().unwrap());
        let name = name_on_turn(frame);
        assert!(says.contains(name), "{name}: {says}");
        names.insert(name);
    }
    assert_eq!(names.len(), 2, "both had a turn");
}

/// The seats for a person: the name of a reserved one, and what can be pressed there.
async fn seats(stage: &mut WebStage, who: &str, table: &str) -> Vec<String> {
    let state = stage.state(who, table, "").await;
    let keys = state["keys"].to_string();
    let seat = |it: &Value| {
        let press = |name: &str| it[name].as_str().inspect(|it| assert!(keys.contains(*it)));
        let parts = [
            it["free"].as_bool().filter(|it| *it).map(|_| "free"),
            it["invited"].as_str(),
            press("sit").map(|_| "sit"),
            press("add_computer").map(|_| "computer"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    state["lobby"]["seats"].as_array().unwrap().iter().map(seat).collect()
}

#[tokio::test]
async fn before_the_start_the_state_tells_what_can_be_done_at_each_seat() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /blot", &mut stage).await;
    let table = stage.own_tables("Ann").await["tables"][0]["table"].clone();
    let table = table.as_str().unwrap().to_owned();
    let all = seats(&mut stage, "Ann", &table).await;
    assert_eq!(all, ["", "free sit computer", "free sit", "free sit"]);
    assert_eq!(seats(&mut stage, "Cyd", &table).await, ["", "free sit", "free sit", "free sit"]);
    let state = stage.state("Ann", &table, "").await;
    let lines: Vec<&str> = state["lobby"]["seat_lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| state["says"][it.as_u64().unwrap() as usize].as_str().unwrap())
        .collect();
    assert_eq!(lines, ["Seat 1: Ann", "Seat 2: free", "Seat 3: free", "Seat 4: free"]);
    // Only the opener may exchange players.
    play("sits", "Bek presses Join", &mut stage).await;
    let all = seats(&mut stage, "Ann", &table).await;
    assert_eq!(all, ["", "sit", "free sit computer", "free sit"]);
    assert_eq!(seats(&mut stage, "Bek", &table).await, ["", "", "free sit", "free sit"]);
    play("invites", "Dan says /togyz @Bek me", &mut stage).await;
    let tables = stage.own_tables("Dan").await["tables"].clone();
    let table = tables[0]["table"].as_str().unwrap().to_owned();
    assert_eq!(seats(&mut stage, "Bek", &table).await, ["", "free Bek sit"]);
    assert_eq!(seats(&mut stage, "Cyd", &table).await, ["", "free Bek"]);
    play("begins", "Bek presses Accept", &mut stage).await;
    assert_eq!(stage.state("Dan", &table, "").await["lobby"], Value::Null);
}

#[tokio::test]
async fn people_outside_the_room_get_no_table_state() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    people(&mut stage).await;
    play("opens", "Ann says /togyz me\nBek presses Join", &mut stage).await;
    let tables = stage.own_tables("Ann").await;
    assert_eq!(tables["tables"][0]["game"], "togyzkumalak");
    assert_eq!(stage.own_tables("Cyd").await["tables"].as_array().unwrap().len(), 0);
    let table = tables["tables"][0]["table"].as_str().unwrap().to_owned();
    let watching = stage.state("Cyd", &table, "?drawn=1").await;
    assert_eq!(
        (&watching["you"], watching["actions"].as_array().unwrap().len()),
        (&Value::Null, 0)
    );
    assert!(watching["picture"]["board"]["items"].as_array().unwrap().len() > 60);
    for address in [format!("rooms/@/tables/{table}"), "rooms/family/tables/zzzzz".to_owned()] {
        assert_eq!(stage.refused("Cyd", &address).await, 404, "{address}");
    }
}
