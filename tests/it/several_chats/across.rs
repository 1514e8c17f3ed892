//! One table on Telegram, on Discord and in the built-in chat at once, by one bot.

use std::sync::Arc;

use caravanserai_games::rules::Seat;
use caravanserai_games::text::Arg;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};
use caravanserai_table::Table;
use caravanserai_table::TableId;

use crate::stage::discord::DiscordStage;
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

/// A bot on three platforms: Ann and Bek are on Telegram, Cyd and Dan on Discord, Eve reads along
/// in the built-in chat.
struct World {
    tg: TelegramStage,
    dc: DiscordStage,
    web: WebStage,
    store: Arc<dyn Store>,
}

impl World {
    async fn new() -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let mut tg = TelegramStage::new(store.clone()).await;
        let mut dc = DiscordStage::on(tg.host.beside()).await;
        let mut web = WebStage::on(tg.host.beside()).await;
        play("tg", "people Ann Bek", &mut tg).await;
        play("dc", "people Cyd Dan", &mut dc).await;
        play("web", "people Eve", &mut web).await;
        World { tg, dc, web, store }
    }

    async fn on_telegram(&mut self, script: &str) {
        play("on Telegram", &self.coded(script).await, &mut self.tg).await;
    }

    async fn on_discord(&mut self, script: &str) {
        play("on Discord", &self.coded(script).await, &mut self.dc).await;
    }

    async fn on_the_page(&mut self, script: &str) {
        play("on the page", &self.coded(script).await, &mut self.web).await;
    }

    /// The script with the code of the one table in it.
    async fn coded(&self, script: &str) -> String {
        let heads = self.store.scan(Space::Head, "", None, 1).await.unwrap();
        let code = heads.first().map(|it| it.0.clone()).unwrap_or_default();
        script.replace("{table}", &code)
    }

    /// The code with which a person who requested it links their accounts.
    async fn link_code(&self) -> String {
        let rows = self.store.scan(Space::Meta, "linking ", None, 1).await.unwrap();
        rows[0].0.strip_prefix("linking ").unwrap().to_owned()
    }

    /// Cyd of Discord asks to be one person with Ann of Telegram, by this code of hers.
    async fn links(&mut self) -> String {
        self.on_telegram("Ann writes privately /link\nAnn gets reply /link").await;
        let code = self.link_code().await;
        let both = format!("Cyd writes privately /link {code}\nCyd presses Yes, both accounts");
        self.on_discord(&both).await;
        code
    }

    async fn table(&self) -> Table {
        let heads = self.store.scan(Space::Head, "", None, 1).await.unwrap();
        let id = TableId(heads[0].0.clone());
        Table::from_log(&id, &self.store.read_log(&id.0, 0).await.unwrap()).unwrap()
    }
}

#[tokio::test]
async fn a_game_is_joined_from_another_platform_and_played_from_both() {
    let mut world = World::new().await;
    world.on_telegram("Ann says /togyz me\nAnn has buttons Join").await;
    world.on_discord("Cyd says /bring {table}\nCyd has buttons Join\nCyd presses Join").await;
    world.on_the_page("Eve says /watch {table}\nEve sees Ann (TG) is to move").await;
    world.on_telegram("Ann has buttons 1 | 9\nAnn presses 7\nAnn sees Cyd (DC) is to move").await;
    world.on_discord("Cyd sees Cyd (DC) is to move\nCyd presses 7\nCyd sees Ann (TG)").await;
    world.on_the_page("Eve sees Ann (TG) is to move\nEve has no button 1").await;
    world.on_telegram("Ann says /private\nAnn presses 1").await;
    world.on_discord("Cyd has buttons 2 | 9\nCyd says /private\nCyd presses 2").await;
    assert_eq!(world.table().await.history.steps.len(), 4);
    world.on_the_page("Eve says /stop\nEve sees isn’t shown here any more").await;
}

#[tokio::test]
async fn hands_stay_private_on_each_platform() {
    let mut world = World::new().await;
    world.on_telegram("Ann says /blot\nAnn has buttons Join\nBek presses Join").await;
    world.on_discord("Cyd says /bring {table}\nCyd presses Join\nDan presses Join").await;
    world.on_the_page("Eve says /watch {table}\nEve sees Dan (DC)").await;
    world.on_telegram("Ann presses Start\nAnn sees or more, or pass").await;
    world
        .on_discord("Cyd says /private\nCyd gets reply in our private chat now\nCyd sees Your hand")
        .await;
    world.on_telegram("Ann says /private\nAnn gets reply in our private chat now").await;
    world.on_telegram("Ann sees Your hand\nBek sees no Your hand").await;
    let table = world.table().await;
    let everybody = ["Ann", "Bek", "Cyd", "Dan", "Eve"];
    for reader in everybody {
        let seen = match reader {
            "Ann" | "Bek" => world.tg.received_content(reader).await,
            "Cyd" | "Dan" => world.dc.received_content(reader).await,
            _ => world.web.received_content(reader).await,
        };
        let words: Vec<String> = seen.into_iter().flat_map(|it| it.words).collect();
        for (seat, name) in (0..).zip(table.record_names()) {
            if name.starts_with(reader) {
                continue;
            }
            let held = table.game.as_deref().unwrap().hand(Seat(seat)).into_iter();
            for card in held {
                let Arg::Plain(card) = card.choice.label else { continue };
                // Other cards are spelled like bids.
                let told = card.starts_with(['J', 'Q', 'K', 'A'])
                    && words.iter().any(|it| it.contains(&card));
                assert!(!told, "{reader} was told {card} of {name}");
            }
        }
    }
}

#[tokio::test]
async fn linked_accounts_are_one_person_at_every_table() {
    let mut world = World::new().await;
    // Cyd plays on Discord and becomes Ann of Telegram in the middle of a casual game.
    world
        .on_discord("Cyd says /togyz @Dan casual me\nDan presses Accept\nCyd has buttons 1 | 9")
        .await;
    world.on_telegram("Ann writes privately /link\nAnn gets reply /link").await;
    let code = world.link_code().await;
    world
        .on_discord(&format!(
            "Cyd writes privately /link {code}\nCyd gets reply This code was given to Ann"
        ))
        .await;
    world.on_discord("Cyd presses Yes, both accounts\nCyd gets reply here you are Ann").await;
    world.on_telegram("Ann sees Your code was used: Cyd").await;
    // It works once.
    world
        .on_discord(&format!(
            "Dan writes privately /link {code}\nDan gets reply don’t know this code"
        ))
        .await;
    // The seat is Ann's now, from both sides, and the name is told with where she is.
    world.on_discord("Cyd presses 7\nDan has buttons 1 | 9\nDan presses 7").await;
    world.on_telegram("Ann writes privately /games\nAnn gets reply with Dan").await;
    world
        .on_telegram("Ann writes privately /private {table}\nAnn has buttons 1 | 9\nAnn presses 1")
        .await;
    world.on_discord("Dan has buttons 2 | 9").await;
    assert_eq!(world.table().await.seating.people().len(), 2);
    assert!(world.table().await.seating.people().iter().any(|it| it.platform() == "tg"));
    // Apart again: the seat stays where the code was given.
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
    world.on_discord("Dan presses 2\nCyd says /move 2\nCyd gets reply don’t play").await;
    world.on_telegram("Ann has buttons 9").await;
}

/// Otherwise a player who is about to lose would leave the loss to another account.
#[tokio::test]
async fn a_rated_game_ends_under_the_account_with_which_it_began() {
    let mut world = World::new().await;
    world.on_discord("Cyd says /togyz @Dan me\nDan presses Accept\nCyd has buttons 1 | 9").await;
    world.on_telegram("Ann writes privately /link\nAnn gets reply /link").await;
    let code = world.link_code().await;
    let refused = format!("Cyd writes privately /link {code}\nCyd gets reply the other way round");
    world.on_discord(&refused).await;
    // The other way round, the seat stays as it is.
    world.on_discord("Cyd writes privately /link\nCyd gets reply It works once").await;
    let rows = world.store.scan(Space::Meta, "linking ", None, 2).await.unwrap();
    let codes = rows.iter().filter_map(|it| it.0.strip_prefix("linking "));
    let of_cyd = codes.into_iter().find(|it| **it != code).unwrap().to_owned();
    let both = format!("Ann writes privately /link {of_cyd}\nAnn presses Yes, both accounts");
    world.on_telegram(&both).await;
    world.on_telegram("Ann gets reply here you are Cyd").await;
    let table = world.table().await;
    let people = table.seating.people();
    assert!(people.iter().all(|it| it.platform() == "dc"), "{people:?}");
    assert_eq!(table.casual_reasons(), []);
    world
        .on_telegram("Ann writes privately /private {table}\nAnn has buttons 1 | 9\nAnn presses 7")
        .await;
    world.on_discord("Dan has buttons 1 | 9").await;
}

/// Linking and parting accounts gives no new days.
#[tokio::test]
async fn linked_accounts_share_vacation_days_also_after_unlinking() {
    let mut world = World::new().await;
    world.on_telegram("Ann writes privately /vacation 3 days\nAnn gets reply away until").await;
    world.tg.pass_ms(3 * 3_600_000).await;
    world.on_telegram("Ann writes privately /vacation off\nAnn gets reply You’re here").await;
    world.on_discord("Cyd says /togyz @Dan casual me 1 day\nDan presses Accept").await;
    world.on_discord("Cyd writes privately /vacation 7 days\nDan sees Cyd is away until").await;
    world.tg.pass_ms(60_000).await;
    world.links().await;
    // Linking accounts ends a vacation.
    world.on_discord("Dan sees no is away until").await;
    world.on_telegram("Ann writes privately /vacation 45\nAnn gets reply 29 are left").await;
    world.on_telegram("Ann writes privately /vacation 2 days\nAnn gets reply away until").await;
    world.on_discord("Dan sees is away until").await;
    world.tg.pass_ms(60_000).await;
    world.on_telegram("Ann writes privately /vacation off\nAnn gets reply You’re here").await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
    world.on_discord("Cyd writes privately /vacation 45\nCyd gets reply 28 are left").await;
    world.on_telegram("Ann writes privately /vacation 45\nAnn gets reply 28 are left").await;
}

/// Cyd of Discord is Ann of Telegram from now on.
async fn linked() -> World {
    let mut world = World::new().await;
    world.links().await;
    world.on_discord("Cyd gets reply here you are Ann").await;
    world
}

#[tokio::test]
async fn unlinked_accounts_see_no_hand_of_each_other() {
    for who_ends_it in ["dc", "tg"] {
        let mut world = linked().await;
        world
            .on_discord("Cyd says /blot @Dan computer\nDan presses Accept\nCyd presses ▶ Start")
            .await;
        world.on_discord("Cyd writes privately /private {table}").await;
        world.on_telegram("Ann writes privately /private {table}").await;
        let read_on = |table: &Table, platform: &str| {
            table.chats.locations().any(|it| it.reader.is_some() && it.chat.platform() == platform)
        };
        let table = world.table().await;
        assert!(read_on(&table, "dc") && read_on(&table, "tg"));
        if who_ends_it == "dc" {
            world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
        } else {
            world
                .on_telegram("Ann writes privately /unlink\nAnn gets reply no longer linked")
                .await;
        }
        let table = world.table().await;
        assert!(!read_on(&table, "dc") && read_on(&table, "tg"), "{who_ends_it}");
        assert!(table.seating.people().iter().any(|it| it.platform() == "tg"), "the seat stays");
    }
}

/// The deletion was asked for all of their accounts.
#[tokio::test]
async fn accounts_that_will_be_deleted_are_not_unlinked() {
    let mut world = linked().await;
    world.on_discord("Cyd writes privately /account delete\nCyd presses Delete it in a week").await;
    world.on_discord("Cyd gets reply will be deleted on").await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply One of these accounts").await;
    world.on_telegram("Ann writes privately /unlink\nAnn gets reply One of these accounts").await;
    world.on_telegram("Ann writes privately /account\nAnn presses Keep my account").await;
    world.on_telegram("Ann gets reply Your account stays").await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
}

#[tokio::test]
async fn unlinking_keeps_a_private_table_with_the_account_of_its_chat() {
    let mut world = linked().await;
    world.on_discord("Cyd writes privately /blot").await;
    let table = world.table().await;
    assert!(table.seating.people().iter().any(|it| it.platform() == "tg"));
    world.on_telegram("Ann writes privately /unlink\nAnn gets reply no longer linked").await;
    let table = world.table().await;
    assert!(table.is_open());
    let people = table.seating.people();
    let people: Vec<&str> = people.iter().map(|it| it.platform()).collect();
    assert_eq!(people, ["dc"]);
}

#[tokio::test]
async fn hands_and_pings_reach_the_linked_account_of_the_chat() {
    let mut world = linked().await;
    world.on_discord("Cyd says /blot @Dan computer\nDan presses Accept\nCyd presses ▶ Start").await;
    world.on_discord("Cyd presses My hand\nCyd gets picture Your hand:").await;
    assert!(world.table().await.seating.people().iter().any(|it| it.platform() == "tg"));
}

#[tokio::test]
async fn accounts_that_sit_at_one_table_are_not_linked() {
    let mut world = World::new().await;
    world.on_telegram("Ann says /togyz casual me\nAnn has buttons Join").await;
    world.on_discord("Cyd says /bring {table}\nCyd presses Join\nCyd sees Ann (TG)").await;
    let code = world.links().await;
    world.on_discord("Cyd gets reply Both accounts sit at table").await;
    world
        .on_telegram(&format!(
            "Bek writes privately /link {code}\nBek gets reply don’t know this code"
        ))
        .await;
}

#[tokio::test]
async fn a_link_code_of_an_account_that_was_linked_since_is_invalid() {
    let mut world = World::new().await;
    world.on_the_page("Eve writes privately /link\nEve gets reply /link").await;
    let of_eve = world.link_code().await;
    world.on_telegram("Ann writes privately /link\nAnn gets reply /link").await;
    let rows = world.store.scan(Space::Meta, "linking ", None, 2).await.unwrap();
    let codes = rows.iter().filter_map(|it| it.0.strip_prefix("linking "));
    let of_ann = codes.into_iter().find(|it| **it != of_eve).unwrap().to_owned();
    world
        .on_discord(&format!(
            "Cyd writes privately /link {of_eve}\nCyd gets reply was given to Eve"
        ))
        .await;
    world.on_the_page(&format!("Eve writes privately /link {of_ann}\nEve presses Yes, both")).await;
    world.on_the_page("Eve gets reply here you are Ann").await;
    world.on_discord("Cyd presses Yes, both accounts\nCyd gets reply don’t know this code").await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply aren’t linked").await;
}

#[tokio::test]
async fn linking_also_updates_spectators_and_invitations() {
    let mut world = World::new().await;
    world.on_discord("Dan says /togyz @Cyd me\nCyd has buttons Accept").await;
    world.on_discord("Cyd writes privately /watch {table}").await;
    world.links().await;
    world.on_discord("Cyd gets reply here you are Ann").await;
    let table = world.table().await;
    let reads =
        table.chats.locations().find_map(|it| it.reader.cloned()).expect("Cyd reads in private");
    assert_eq!(reads.platform(), "tg");
    assert_eq!(table.invitations.invited[0].person.as_ref(), Some(&reads));
    // Unlinked accounts see nothing of each other there.
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
    let table = world.table().await;
    assert_eq!(table.chats.locations().find_map(|it| it.reader.cloned()), None);
}

/// The profile row of a person.
async fn profile(world: &World, name: &str) -> (String, Vec<u8>) {
    let rows = world.store.scan(Space::Person, "", None, 50).await.unwrap();
    let named = format!("\"name\":\"{name}\"");
    let is_theirs = |row: &Vec<u8>| String::from_utf8_lossy(row).contains(&named);
    rows.into_iter().find(|(_, row)| is_theirs(row)).unwrap()
}

/// Writes a profile that was read before, as a concurrent change of settings does.
async fn written_late(world: &World, (key, row): (String, Vec<u8>)) {
    let commit = Commit::from_puts(vec![Put::new(Space::Person, key, row)]);
    world.store.commit(commit).await.unwrap();
}

#[tokio::test]
async fn a_concurrent_settings_change_keeps_account_links() {
    let mut world = World::new().await;
    world.on_discord("Cyd writes privately /games").await;
    let apart = (profile(&world, "Cyd").await, profile(&world, "Ann").await);
    world.links().await;
    world.on_discord("Cyd gets reply here you are Ann").await;
    let one = (profile(&world, "Cyd").await, profile(&world, "Ann").await);
    written_late(&world, apart.0).await;
    written_late(&world, apart.1).await;
    world.on_discord("Cyd writes privately /link\nCyd gets reply accounts are linked on").await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply no longer linked").await;
    written_late(&world, one.0).await;
    written_late(&world, one.1).await;
    world.on_discord("Cyd writes privately /unlink\nCyd gets reply aren’t linked").await;
    world.on_telegram("Ann writes privately /unlink\nAnn gets reply aren’t linked").await;
}
