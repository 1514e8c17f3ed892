//! Forged callback data: of another table, another chat, another person, or made up. It changes
//! nothing, and deletes no board.

use std::collections::BTreeMap;
use std::sync::Arc;

use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::commands::board::ShowBoard;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::Command;

use crate::stage::memory::MemoryStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, VisibleMessage, play};

/// A table in the group at which Eve does not sit, and one that is only in the private chats of its
/// players.
const TABLES: &str = "people Ann Bek Eve
Eve writes privately /help
Ann says /togyz me
Bek presses Join
Ann has buttons 1 | 9
on web,telegram,discord: Ann writes privately /togyz
on web,telegram,discord: Ann presses 🔗 By link
on mem: Ann writes privately /togyz link
Ann sees is waiting for an opponent
Bek writes privately /private {table}
Bek presses Join
Bek has buttons ⬇";

/// What may follow the letters and the table of a press.
const ENDINGS: [&str; 24] = [
    "", ".0", ".1", ".2", ".on", ".off", ".-", ".d", ".m", ".r", ".p", ".s0", ".u1", ".lot",
    ".free", ".master", ".foal", ".score", ".last", ".1.0", ".0.x=1", ".-.foal", ".0.foal", ".3.7",
];

/// One press of each kind and each spelling that asks something of a table.
fn presses(table: &str) -> Vec<String> {
    let single = (b'!'..=b'~').map(|it| char::from(it).to_string()).filter(|it| it != ".");
    let pair = |a: u8| (b'a'..=b'z').map(move |b| format!("{}{}", char::from(a), char::from(b)));
    let letters: Vec<String> = single.chain((b'a'..=b'z').flat_map(pair)).collect();
    let mut kinds = BTreeMap::new();
    for letters in letters {
        for ending in ENDINGS {
            let press = format!("{letters}.{table}{ending}");
            let Some(read) = TableCallback::decode(&press) else { continue };
            // Any person in the chat may ask for a new board, and may ask the players for a seat.
            let takes_over =
                matches!(read.action.command(), Some(Command::TakeOver { .. } | Command::Join));
            if !read.action.is::<ShowBoard>() && !takes_over {
                let kind = format!("{:?}", read.action).replace(|it: char| it.is_ascii_digit(), "");
                kinds.entry((letters.clone(), kind)).or_insert(press);
            }
        }
    }
    kinds.into_values().collect()
}

/// Made-up data that is of no table.
fn made_up(board: &VisibleMessage) -> Vec<String> {
    let mut all: Vec<String> =
        ["w.0000000000000000", "w.1", "w.", "w", ".", "S.ru", "U.dark"].map(str::to_owned).to_vec();
    all.push(format!("w.{}", board.id));
    all.push("0.aaaaaa".to_owned());
    all.push("!.togyz.aaaaaaaa".to_owned());
    all.push("&.aaaaa.aaaaaaaa.watch".to_owned());
    all
}

/// The messages with buttons that a person sees.
async fn boards(stage: &mut dyn Stage, who: &str) -> Vec<VisibleMessage> {
    let mut seen = stage.visible_messages(who).await;
    seen.retain(|it| !it.buttons.is_empty());
    seen
}

/// The boards that both players see, with their texts, but for the line that counts spectators: Eve
/// may watch.
async fn standing(stage: &mut dyn Stage) -> Vec<(String, String)> {
    let mut all = boards(stage, "Ann").await;
    all.extend(boards(stage, "Bek").await);
    let said = |text: &str| {
        let lines = text.lines().filter(|it| !it.starts_with('👁'));
        lines.collect::<Vec<_>>().join("\n")
    };
    all.into_iter().map(|it| (it.id, said(&it.text))).collect()
}

async fn forged_data_changes_nothing(stage: &mut dyn Stage) {
    play("tables", TABLES, stage).await;
    let seen = boards(stage, "Ann").await;
    let mut codes: Vec<String> = seen
        .iter()
        .flat_map(|it| it.buttons.iter().filter_map(|(_, press)| TableCallback::decode(press)))
        .map(|it| it.table.0)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), 2, "{seen:?}");
    let kinds = presses(&codes[0]).len();
    assert!(kinds > 60, "only {kinds} kinds of presses are tried");
    let group = boards(stage, "Eve").await.into_iter().rfind(VisibleMessage::is_board);
    let group = group.expect("the board of the group");
    // An answer of the bot in her private chat.
    let private = stage.private_messages("Eve").await.pop();
    let before = standing(stage).await;
    for message in [Some(group.clone()), private].into_iter().flatten() {
        let tables = codes.iter().flat_map(|it| presses(it));
        for press in tables.chain(made_up(&group)) {
            stage.press_button("Eve", &message, &press).await;
            assert_eq!(
                standing(stage).await,
                before,
                "{press} under {} on {}",
                message.id,
                stage.name()
            );
        }
    }
    // A player presses made-up data under her own board.
    for press in made_up(&group) {
        stage.press_button("Ann", &group, &press).await;
        let after = boards(stage, "Bek").await;
        assert!(after.iter().any(|it| it.id == group.id), "{press} on {}", stage.name());
    }
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// The callback data of a challenge that a person posts now.
#[cfg(feature = "telegram")]
async fn posted(author: &crate::fake_telegram::Person, query: &str) -> (String, String) {
    let results = author.inline(query).await;
    let button = &results[0]["reply_markup"]["inline_keyboard"][0][0];
    let data = button["callback_data"].as_str().expect("a button").to_owned();
    (author.send_inline_result(&results[0]), data)
}

/// A challenge is accepted on its own terms, once, and nowhere but in posted messages.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn a_challenge_with_changed_terms_opens_nothing() {
    use caravanserai_store::{Space, Store};
    let store = Arc::new(MemoryStore::default());
    let mut stage = crate::stage::telegram::TelegramStage::new(store.clone()).await;
    play("people", "people Ann Bek Cyd\nBek writes privately /help", &mut stage).await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek, cyd) = (person("Ann"), person("Bek"), person("Cyd"));
    let (_, data) = posted(&ann, "togyz 1 day").await;
    let (_, for_cyd) = posted(&ann, "togyz @cyd_2").await;
    // Bek posts messages of his own and sends her data from them.
    let (own, _) = posted(&bek, "togyz").await;
    let faster = data.replace("clock=turn-86400", "clock=turn-10");
    let first = format!("{data}+me");
    assert!(faster != data && for_cyd.contains("@cyd_2"), "{data} {for_cyd}");
    let for_all = for_cyd.replace(".@cyd_2", "");
    for forged in [&faster, &first, &for_all, &data.replace("togyzkumalak", "thaayam")] {
        let told = bek.press_via_with(&own, forged).await;
        assert!(told.text.contains("too old"), "{forged}: {}", told.text);
    }
    let help = bek.awaits(bek.id, "the help", |it| it.from_bot).await;
    let told = bek.press_stale(bek.id, help.id, &data).await;
    assert!(told.text.contains("too old"), "{}", told.text);
    assert!(store.scan(Space::Head, "", None, 9).await.unwrap().is_empty());
    // Her own terms count in any message, but once.
    bek.press_via_with(&own, &data).await;
    ann.awaits_via(&own, "is to move").await;
    let (another, _) = posted(&cyd, "togyz").await;
    let told = bek.press_via_with(&another, &data).await;
    assert!(told.text.contains("has already been accepted"), "{}", told.text);
    assert_eq!(store.scan(Space::Head, "", None, 9).await.unwrap().len(), 1);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A button that an earlier version has posted, whose word proves no terms, begins no game.
#[cfg(feature = "telegram")]
#[tokio::test]
async fn a_challenge_of_an_earlier_version_asks_its_author_first() {
    let store = Arc::new(MemoryStore::default());
    let mut stage = crate::stage::telegram::TelegramStage::new(store).await;
    play("people", "people Ann Bek", &mut stage).await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let (message, data) = posted(&ann, "togyz 1 min").await;
    // Its words were shorter.
    let (before, words) = data.rsplit_once('.').expect("words");
    let earlier = format!("{}.{words}", &before[..before.len() - 2]);
    let told = bek.press_via_with(&message, &earlier).await;
    assert!(told.text.contains("when the challenger accepts"), "{}", told.text);
    ann.awaits_via(&message, "Bek challenges Ann").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn made_up_callback_data_changes_nothing_in_memory() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    forged_data_changes_nothing(&mut stage).await;
}

#[tokio::test]
async fn made_up_callback_data_changes_nothing_on_the_page() {
    let mut stage = WebStage::new(Arc::new(MemoryStore::default())).await;
    forged_data_changes_nothing(&mut stage).await;
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn made_up_callback_data_changes_nothing_on_telegram() {
    let store = Arc::new(MemoryStore::default());
    let mut stage = crate::stage::telegram::TelegramStage::new(store).await;
    forged_data_changes_nothing(&mut stage).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn made_up_callback_data_changes_nothing_on_discord() {
    let store = Arc::new(MemoryStore::default());
    let mut stage = crate::stage::discord::DiscordStage::new(store).await;
    forged_data_changes_nothing(&mut stage).await;
}
