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
