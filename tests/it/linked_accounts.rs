//! People with many tables, and with accounts on several platforms: what changes for a person
//! changes at each of their tables, and each linked account is that person everywhere.

use std::sync::Arc;

use caravanserai_bot::personal_data::deletion_requests::DeletionRequests;
use caravanserai_bot::repository::{DAY_MS, MINUTE_MS, keys};
use caravanserai_bot::service::{BotLimits, TimeSource as _};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_protocol::{
    EphemeralReply, InlineQueries, Mention, SendError, Update, UpdateHandler, UpdateKind,
};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::{Table, TablePhase};

use crate::admin::{answer, other_process, wait_for_ratings};
use crate::stage::memory::{MemoryStage, counted, limits, text};
use crate::stage::{Stage, play};

/// More tables than one page of rows, and than one person may sit at.
const MANY: usize = 210;

/// An account on another platform that Bek is linked with.
const ELSEWHERE: &str = "tg:7";

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::new())).await
}

/// Ann and Bek play so many slow games just for fun, each in a chat of its own.
async fn games(stage: &mut MemoryStage, count: usize) {
    stage.restart_with(counted(1), BotLimits { tables_per_person: 10_000, ..limits() }).await;
    for n in 0..count {
        stage.group = ChatId(format!("mem:g{n}"));
        stage.send_group_message("Ann", "/togyz @Bek casual me 3 days").await;
        stage.send_group_message("Bek", "/accept").await;
    }
    stage.restart_with(counted(1_000_000), limits()).await;
}

/// The rated games that an account began against Bek, as a list of a day.
fn pair_games(day: u64, account: &str, chat: &str, tables: std::ops::Range<u32>) -> Put {
    let [one, other] = [account, "mem:Bek"].map(|it| PersonId(it.to_owned()));
    let games: Vec<_> =
        tables.map(|n| serde_json::json!({ "chat": chat, "table": format!("7k3f{n}") })).collect();
    let value = serde_json::to_vec(&games).unwrap();
    Put::new(Space::Meta, keys::pair_games(day, &one, &other), value)
}

/// The people at a table.
fn people(table: &Table) -> Vec<String> {
    table.seating.people().iter().map(|it| it.0.clone()).collect()
}

/// An update of an account on another platform.
fn by(stage: &mut MemoryStage, account: &str, chat: &str, body: UpdateKind) -> Update {
    let private = chat.contains('@');
    let mut update = stage.update("Cem", private, body);
    update.person.id = PersonId(account.into());
    update.chat.id = ChatId(chat.into());
    update
}

async fn hears(
    stage: &mut MemoryStage,
    account: &str,
    chat: &str,
    body: UpdateKind,
) -> Vec<EphemeralReply> {
    let update = by(stage, account, chat, body);
    stage.service.handle(update).await
}

fn words(told: &[EphemeralReply]) -> String {
    told.iter().map(|it| it.message.text().to_plain()).collect::<Vec<_>>().join("\n")
}

/// The link code in an answer of the bot.
pub fn link_code(answer: &str) -> String {
    let found = answer.split_whitespace().find(|it| it.len() == 11 && it.contains('-'));
    found.unwrap_or_else(|| panic!("no code in {answer}")).replace('-', "")
}

/// A new link code of an account.
async fn code_of(stage: &mut MemoryStage, account: &str) -> String {
    link_code(&words(&hears(stage, account, "mem:@elsewhere", text("/link")).await))
}

/// Links Bek with the account that has this code; returns the answer to him.
async fn bek_links(stage: &mut MemoryStage, code: &str) -> Vec<EphemeralReply> {
    stage.send_private_message("Bek", &format!("/link {code}")).await;
    let update = stage.update(
        "Bek",
        true,
        UpdateKind::Press { callback_data: format!("0.{code}"), message: None },
    );
    stage.service.handle(update).await
}

#[tokio::test]
async fn vacations_and_links_apply_to_every_table() {
    let mut stage = stage().await;
    games(&mut stage, MANY).await;
    stage.send_private_message("Bek", "/vacation 5").await;
    stage.service.wait_until_idle().await;
    let all = stage.tables().await;
    assert_eq!(all.len(), MANY);
    for (table, lines) in &all {
        assert!(lines.iter().any(|it| it.contains(" vacation mem:Bek ")), "{:?}", table.id);
    }
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    stage.service.wait_until_idle().await;
    for (table, _) in stage.tables().await {
        let people = people(&table);
        assert!(people.contains(&ELSEWHERE.to_owned()), "{:?}: {people:?}", table.id);
        assert!(!people.contains(&"mem:Bek".to_owned()), "{:?}", table.id);
    }
}

#[tokio::test]
async fn a_ban_of_one_account_is_a_ban_of_all() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let (_, commands) = other_process(&stage);
    let admin = async |words: &str| answer(&commands, words).await;
    let elsewhere = by(&mut stage, ELSEWHERE, "mem:@elsewhere", text("")).person;
    let people = [stage.person("Bek"), elsewhere];
    for (named, other) in [("mem:Bek", ELSEWHERE), (ELSEWHERE, "mem:Bek")] {
        for person in &people {
            assert!(!stage.service.inline_results(person, "togyz").await.is_empty());
        }
        let told = admin(&format!("ban person {named}")).await;
        assert!(told.contains(&format!("person {named} is banned: ")), "{told}");
        for person in &people {
            assert!(stage.service.inline_results(person, "togyz").await.is_empty(), "{named}");
        }
        let told = admin(&format!("ban person {other}")).await;
        assert!(told.contains(&format!("person {other} is banned already")), "{told}");
        let told = admin(&format!("unban person {other}")).await;
        assert!(told.contains(&format!("person {other} is not banned any more")), "{told}");
        assert_eq!(admin("bans").await, "nobody is banned");
    }
}

#[tokio::test]
async fn all_accounts_of_a_person_share_the_limit_of_tables() {
    let mut stage = stage().await;
    let most = limits().tables_per_person;
    games(&mut stage, most).await;
    stage.group = ChatId("mem:more".into());
    stage.send_group_message("Dan", "/togyz").await;
    let (lobby, _) =
        stage.tables().await.into_iter().find(|(it, _)| it.phase == TablePhase::Lobby).unwrap();
    let update = stage.update("Bek", false, text("/join"));
    let told = words(&stage.service.handle(update).await);
    assert!(told.contains("/games") && told.contains(&most.to_string()), "{told}");
    // By another account of the same person it is no different.
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let told = words(&hears(&mut stage, ELSEWHERE, "mem:more", text("/join")).await);
    assert!(told.contains("/games"), "{told}");
    let now = stage.tables().await.into_iter().find(|(it, _)| it.id == lobby.id).unwrap().0;
    assert_eq!(now.seating.people().len(), 1);
    // A game that is over makes room.
    stage.group = ChatId("mem:g0".into());
    for _ in 0..2 {
        stage.send_group_message("Ann", "/resign").await;
    }
    let told = hears(&mut stage, ELSEWHERE, "mem:more", text("/join")).await;
    let now = stage.tables().await.into_iter().find(|(it, _)| it.id == lobby.id).unwrap().0;
    assert_eq!(now.seating.people().len(), 2, "{}", words(&told));
    // A rematch would seat both of them again: the limit refuses it.
    stage.group = ChatId("mem:g0".into());
    stage.send_group_message("Ann", "/rematch").await;
    let told = words(&hears(&mut stage, ELSEWHERE, "mem:g0", text("/rematch")).await);
    assert!(told.contains(&most.to_string()), "{told}");
}

/// Ann invites Bek, who is linked with another account, by a username that the bot does not know.
#[tokio::test]
async fn a_linked_person_accepts_for_the_invited_account() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let mut ask = stage.update("Ann", false, text("/togyz me"));
    if let UpdateKind::Text { mentions, .. } = &mut ask.kind {
        mentions.push(Mention::Username("newname".into()));
    }
    stage.service.handle(ask).await;
    // An account on another platform has the same username.
    let mut other = by(&mut stage, "dc:5", "mem:group", text("/accept"));
    other.person.username = Some("newname".into());
    stage.service.handle(other).await;
    assert_eq!(
        stage.newest_table().await.0.seating.people().len(),
        1,
        "another account was invited"
    );
    let mut own = stage.update("Bek", false, text("/accept"));
    own.person.username = Some("NewName".into());
    let told = stage.service.handle(own).await;
    let people = people(&stage.newest_table().await.0);
    assert!(people.contains(&ELSEWHERE.to_owned()), "{people:?} {}", words(&told));
}

#[tokio::test]
async fn a_player_who_is_linked_after_a_game_plays_its_rematch() {
    let mut stage = stage().await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.send_group_message(who, text).await;
    }
    for _ in 0..2 {
        stage.send_group_message("Bek", "/resign").await;
    }
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    stage.send_group_message("Ann", "/rematch").await;
    stage.send_group_message("Bek", "/rematch").await;
    let all = stage.tables().await;
    assert_eq!(all.len(), 2, "{:?}", all.last());
    let next = all.iter().find(|(it, _)| it.is_open()).unwrap();
    let people = people(&next.0);
    assert!(people.contains(&ELSEWHERE.to_owned()), "{people:?}");
    // A stop after this line must not make the repeated update look like one that has acted.
    let ended = all.iter().find(|(it, _)| !it.is_open()).unwrap();
    let merged = ended.1.iter().find(|it| it.contains(" same ")).unwrap();
    assert!(merged.contains(" linked same "), "{merged}");
}

/// Bek takes a seat in the same moment in which his account is linked.
#[tokio::test]
async fn joining_while_linking_seats_the_linked_person() {
    for joins_first in [false, true] {
        let mut stage = stage().await;
        stage.send_group_message("Ann", "/togyz casual").await;
        let code = code_of(&mut stage, ELSEWHERE).await;
        stage.send_private_message("Bek", &format!("/link {code}")).await;
        let press = UpdateKind::Press { callback_data: format!("0.{code}"), message: None };
        let (link, join) =
            (stage.update("Bek", true, press), stage.update("Bek", false, text("/join")));
        let service = stage.service.clone();
        match joins_first {
            true => tokio::join!(service.handle(join), service.handle(link)),
            false => tokio::join!(service.handle(link), service.handle(join)),
        };
        stage.service.wait_until_idle().await;
        stage.send_group_message("Bek", "/join").await;
        let people = people(&stage.newest_table().await.0);
        assert_eq!(people, ["mem:Ann", ELSEWHERE], "{joins_first}");
    }
}

/// Else one person would have two seats once the newcomer sits down.
#[tokio::test]
async fn a_newcomer_cannot_be_linked_with_a_player_of_the_table() {
    let mut stage = stage().await;
    for (who, text) in [("Ann", "/togyz @Bek casual me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.send_group_message(who, text).await;
    }
    let (table, _) = stage.newest_table().await;
    let callback_data = format!("Y.{}.1", table.id.0);
    let asks = UpdateKind::Press { callback_data, message: None };
    hears(&mut stage, ELSEWHERE, "mem:group", asks).await;
    let (table, _) = stage.newest_table().await;
    let newcomer = table.offers.newcomer.clone().unwrap();
    assert_eq!(newcomer.invitee.person, Some(PersonId(ELSEWHERE.into())));
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains(&table.id.0), "{told}");
}

/// Otherwise a player who is about to lose would leave the loss to another account, or link one
/// whose games do not count.
#[tokio::test]
async fn an_account_enters_no_code_during_a_rated_game() {
    let mut stage = stage().await;
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept"), ("Ann", "/move 7")] {
        stage.send_group_message(who, text).await;
    }
    let (table, _) = stage.newest_table().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains(&table.id.0) && told.contains("rated"), "{told}");
    assert_eq!(people(&stage.newest_table().await.0), ["mem:Ann", "mem:Bek"]);
    // After the game it is linked.
    for _ in 0..2 {
        stage.send_group_message("Bek", "/resign").await;
    }
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains("linked"), "{told}");
}

/// Otherwise a person could play rated games as another account, and return without the losses.
#[tokio::test]
async fn games_after_unlinking_do_not_count_if_rated_games_stay_with_the_other_account() {
    // With the game over, or still in play.
    for (opens, ends, counts) in [
        ("/togyz @Bek me", true, false),
        ("/togyz @Bek me", false, false),
        ("/togyz @Bek casual me", true, true),
    ] {
        let mut stage = stage().await;
        // Ann is no newcomer, whose short wins do not count.
        let first = "people Ann Cyd\nAnn says /togyz @Cyd casual me\nCyd presses Accept\n\
                     Ann says /move 7\nCyd says /move 7\nCyd says /resign\nCyd says /resign";
        play("first", first, &mut stage).await;
        stage.clock.pass_ms(8 * 24 * 60 * MINUTE_MS);
        let code = code_of(&mut stage, ELSEWHERE).await;
        bek_links(&mut stage, &code).await;
        stage.clock.pass_ms(MINUTE_MS);
        for (who, text) in [("Ann", opens), ("Bek", "/accept"), ("Ann", "/move 7")] {
            stage.send_group_message(who, text).await;
        }
        stage.clock.pass_ms(30 * MINUTE_MS);
        stage.send_group_message("Bek", "/move 7").await;
        for _ in 0..if ends { 2 } else { 0 } {
            stage.send_group_message("Bek", "/resign").await;
        }
        stage.service.wait_until_idle().await;
        let unlink = stage.update("Bek", true, text("/unlink"));
        let told = words(&stage.service.handle(unlink).await);
        assert!(told.contains("no longer linked"), "{told}");
        assert_eq!(!told.contains("count for ratings until"), counts, "{told}");
        for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept")] {
            stage.send_group_message(who, text).await;
        }
        let reasons = stage.newest_table().await.0.casual_reasons();
        assert_eq!(reasons.is_empty(), counts, "{reasons:?}");
        // Linked again, the account has its games again, and leaves them behind a second time.
        for _ in 0..if counts { 0 } else { 2 } {
            let code = code_of(&mut stage, ELSEWHERE).await;
            bek_links(&mut stage, &code).await;
            stage.clock.pass_ms(MINUTE_MS);
            let unlink = stage.update("Bek", true, text("/unlink"));
            let told = words(&stage.service.handle(unlink).await);
            assert!(told.contains("count for ratings until"), "{told}");
        }
        let code = code_of(&mut stage, ELSEWHERE).await;
        bek_links(&mut stage, &code).await;
        for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept")] {
            stage.send_group_message(who, text).await;
        }
        assert_eq!(stage.newest_table().await.0.casual_reasons(), []);
    }
}

/// Bek's account was linked with the other one; now that one joins his.
#[tokio::test]
async fn accounts_that_are_linked_again_from_the_other_side_play_rated_games() {
    let mut stage = stage().await;
    let first = "people Ann Cyd\nAnn says /togyz @Cyd casual me\nCyd presses Accept\n\
                 Ann says /move 7\nCyd says /move 7\nCyd says /resign\nCyd says /resign";
    play("first", first, &mut stage).await;
    stage.clock.pass_ms(8 * 24 * 60 * MINUTE_MS);
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    stage.clock.pass_ms(MINUTE_MS);
    let game = ["/togyz @Bek me", "/accept", "/move 7", "/move 7", "/resign", "/resign"];
    for (who, text) in ["Ann", "Bek", "Ann", "Bek", "Bek", "Bek"].into_iter().zip(game) {
        stage.send_group_message(who, text).await;
    }
    stage.service.wait_until_idle().await;
    let unlink = stage.update("Bek", true, text("/unlink"));
    let told = words(&stage.service.handle(unlink).await);
    assert!(told.contains("count for ratings until"), "{told}");

    let asks = stage.update("Bek", true, text("/link"));
    let code = link_code(&words(&stage.service.handle(asks).await));
    let press = UpdateKind::Press { callback_data: format!("0.{code}"), message: None };
    for body in [text(&format!("/link {code}")), press] {
        hears(&mut stage, ELSEWHERE, "mem:@elsewhere", body).await;
    }
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept")] {
        stage.send_group_message(who, text).await;
    }
    assert_eq!(stage.newest_table().await.0.casual_reasons(), []);

    // Without the other account, the games that Bek left behind are not his again.
    let unlink = stage.update("Bek", true, text("/unlink"));
    let told = words(&stage.service.handle(unlink).await);
    assert!(told.contains("no longer linked"), "{told}");
    for (who, text) in [("Ann", "/togyz @Bek me"), ("Bek", "/accept")] {
        stage.send_group_message(who, text).await;
    }
    assert_ne!(stage.newest_table().await.0.casual_reasons(), []);
}

/// The list of Bek's games is made again after he is linked.
#[tokio::test]
async fn an_export_waits_until_the_games_of_linked_accounts_are_listed_again() {
    let mut stage = stage().await;
    let game = "people Ann Bek\nAnn says /togyz @Bek casual me\nBek presses Accept\n\
                Ann says /move 7\nBek says /move 7\nBek says /resign\nBek says /resign";
    play("game", game, &mut stage).await;
    wait_for_ratings(&stage).await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let export = stage.update("Bek", true, text("/account export"));
    let told = words(&stage.service.handle(export).await);
    assert!(told.contains("list of games is being rebuilt"), "{told}");
    for _ in 0..30 {
        stage.ticks(MINUTE_MS).await;
    }
    let export = stage.update("Bek", true, text("/account export"));
    let told = words(&stage.service.handle(export).await);
    assert!(told.contains("account.json"), "{told}");
}

/// The bot serves the platform of the main account no longer.
#[tokio::test]
async fn a_person_hears_of_a_deletion_at_the_account_that_can_be_written_to() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let (_, commands) = other_process(&stage);
    answer(&commands, &format!("delete person {ELSEWHERE} yes")).await;
    for _ in 0..10 {
        stage.ticks(MINUTE_MS).await;
    }
    let told = "people Ann Bek\nBek sees has requested that your account be deleted";
    play("told", told, &mut stage).await;
}

/// What the platform reports when it has deleted an account.
async fn account_gone(stage: &mut MemoryStage, account: &str) {
    let gone = by(stage, account, "mem:@elsewhere", UpdateKind::ChatDeleted);
    stage.service.handle(gone).await;
    stage.service.wait_until_idle().await;
}

/// Otherwise nobody could sign in as the account that has the seats, and nobody could delete it.
#[tokio::test]
async fn unlinking_leaves_nothing_with_an_account_that_no_longer_exists() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    for (who, text) in [("Bek", "/togyz @Ann casual me"), ("Ann", "/accept")] {
        stage.send_group_message(who, text).await;
    }
    account_gone(&mut stage, ELSEWHERE).await;
    let unlink = stage.update("Bek", true, text("/unlink"));
    let told = words(&stage.service.handle(unlink).await);
    assert!(told.contains("no longer exists"), "{told}");
    stage.send_group_message("Bek", "/move 7").await;
    let (_, lines) = stage.newest_table().await;
    assert!(lines.iter().any(|it| it.contains(" step 0 7")), "Bek plays on: {lines:?}");
    // It exists after all.
    code_of(&mut stage, ELSEWHERE).await;
    let unlink = stage.update("Bek", true, text("/unlink"));
    let told = words(&stage.service.handle(unlink).await);
    assert!(told.contains("no longer linked"), "{told}");
}

#[tokio::test]
async fn an_account_that_no_longer_exists_is_deleted_once_it_is_unlinked() {
    let mut stage = stage().await;
    stage.send_private_message("Bek", "/link").await;
    let code = link_code(&stage.private_replies("Bek").await.last().unwrap().text);
    let enter = text(&format!("/link {code}"));
    hears(&mut stage, ELSEWHERE, "mem:@elsewhere", enter).await;
    let yes = UpdateKind::Press { callback_data: format!("0.{code}"), message: None };
    hears(&mut stage, ELSEWHERE, "mem:@elsewhere", yes).await;
    account_gone(&mut stage, ELSEWHERE).await;
    let (repository, _) = other_process(&stage);
    let due_ms = async || {
        let requests = DeletionRequests::new(&repository);
        requests.due_ms(&PersonId(ELSEWHERE.into())).await.unwrap()
    };
    assert_eq!(due_ms().await, None, "the person goes on with the other account");
    stage.send_private_message("Bek", "/unlink").await;
    assert!(due_ms().await.is_some());
}

/// The loss counts only when the game ends, long after the person has left it.
#[tokio::test]
async fn a_person_who_gave_up_a_seat_cannot_leave_the_loss_to_the_other_account() {
    let mut stage = stage().await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let leaves = "people Ann Bek Cyd\nAnn says /thaayam @Bek @Cyd me\nBek presses Accept\n\
                  Cyd presses Accept\nBek says /resign\nBek says /resign\n\
                  Ann sees substitutes for Bek\nAnn presses 🎲 Throw";
    play("leaves", leaves, &mut stage).await;
    let unlink = stage.update("Bek", true, text("/unlink"));
    let told = words(&stage.service.handle(unlink).await);
    assert!(told.contains("count for ratings until"), "{told}");
}

/// The main account may be on another platform than the chat: there the message reaches nobody.
#[tokio::test]
async fn a_linked_player_learns_that_a_move_counts_whose_board_cannot_be_shown() {
    for (failures, answer) in [
        (vec![SendError::NotAllowed], "not allowed to send messages"),
        (vec![SendError::Refused("400".into()); 3], "could not be posted here"),
    ] {
        let mut stage = stage().await;
        let code = code_of(&mut stage, ELSEWHERE).await;
        bek_links(&mut stage, &code).await;
        for (who, text) in [("Bek", "/togyz @Ann casual me"), ("Ann", "/accept")] {
            stage.send_group_message(who, text).await;
        }
        stage.service.wait_until_idle().await;
        stage.platform.fail_with(failures);
        stage.send_group_message("Bek", "/move 7").await;
        let told = stage.private_replies("Bek").await;
        assert!(told.iter().any(|it| it.text.contains(answer)), "{answer}: {told:?}");
    }
}

/// Otherwise the loss would count for the other account, also after the accounts are unlinked.
#[tokio::test]
async fn an_account_that_left_a_rated_game_enters_no_code() {
    let mut stage = stage().await;
    let leaves = "people Ann Bek Cyd\nBek says /thaayam @Ann @Cyd me\nAnn presses Accept\n\
                  Cyd presses Accept\nBek says /resign\nBek says /resign\n\
                  Ann sees substitutes for Bek";
    play("leaves", leaves, &mut stage).await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    let (table, lines) = stage.newest_table().await;
    assert!(told.contains("gave up") && told.contains(&table.id.0), "{told}");
    assert!(table.has_lost_by_leaving(&PersonId("mem:Bek".into())));
    assert!(!lines.iter().any(|it| it.contains(" same ")), "{lines:?}");
}

#[tokio::test]
async fn linking_brings_no_rating_block_into_a_game_that_has_begun() {
    let mut stage = stage().await;
    stage.send_group_message("Bek", "/thaayam easy me pieces=1").await;
    let (repository, _) = other_process(&stage);
    let account = PersonId(ELSEWHERE.into());
    let blocks = repository.rating_block_puts(std::iter::once(&account)).await.unwrap();
    repository.put_all(blocks).await.unwrap();
    let reasons = stage.newest_table().await.0.casual_reasons();
    let code = code_of(&mut stage, ELSEWHERE).await;
    bek_links(&mut stage, &code).await;
    let (table, _) = stage.newest_table().await;
    assert!(people(&table).contains(&ELSEWHERE.to_owned()), "{:?}", people(&table));
    assert_eq!(table.casual_reasons(), reasons);
}

/// Otherwise a loss could be undone with a second account.
#[tokio::test]
async fn an_unrated_person_who_takes_a_seat_in_play_does_not_change_whether_it_counts() {
    let mut stage = stage().await;
    let leaves = "people Ann Bek Cyd Dan\nBek says /thaayam @Ann @Cyd me\nAnn presses Accept\n\
                  Cyd presses Accept\nBek leaves the group\n11 minutes pass";
    play("leaves", leaves, &mut stage).await;
    assert_eq!(stage.newest_table().await.0.casual_reasons(), []);
    let (repository, _) = other_process(&stage);
    let dan = PersonId("mem:Dan".into());
    let blocks = repository.rating_block_puts(std::iter::once(&dan)).await.unwrap();
    repository.put_all(blocks).await.unwrap();
    play("comes", "Dan presses 🪑 Substitute", &mut stage).await;
    let (table, _) = stage.newest_table().await;
    assert!(people(&table).contains(&"mem:Dan".to_owned()), "{:?}", people(&table));
    assert_eq!(table.casual_reasons(), []);
}

/// Otherwise a hidden name would be shown again as that of a new account.
#[tokio::test]
async fn a_hidden_name_is_hidden_for_all_accounts_that_are_linked() {
    let mut stage = stage().await;
    stage.send_group_message("Bek", "/help").await;
    stage.send_group_message("Ann", "/hidename @Bek rude words").await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains("linked"), "{told}");
    stage.send_group_message("Bek", "/togyz").await;
    let seen = stage.visible_messages("Ann").await;
    assert!(seen.iter().any(|it| it.text.contains("Player ")), "{seen:?}");
    assert!(seen.iter().all(|it| !it.text.contains("Bek")), "{seen:?}");
    // They stay hidden when the accounts are unlinked.
    stage.send_private_message("Bek", "/unlink").await;
    for account in ["mem:Bek", ELSEWHERE] {
        let key = keys::hidden_name("mem:group", &PersonId(account.into()));
        let row = stage.store.get(Space::Meta, &key).await.unwrap();
        assert!(row.is_some(), "{account}");
    }
}

/// Otherwise linking one account after another would add rows without end.
#[tokio::test]
async fn a_hidden_name_is_not_shared_with_any_number_of_accounts() {
    let mut stage = stage().await;
    stage.send_group_message("Bek", "/help").await;
    stage.send_group_message("Ann", "/hidename @Bek rude words").await;
    let own = keys::hidden_name("mem:group", &PersonId("mem:Bek".into()));
    let row = stage.store.get(Space::Meta, &own).await.unwrap().expect("it is hidden");
    let earlier = (0..7).map(|n| PersonId(format!("web:{n}")));
    let earlier = earlier.map(|it| keys::hidden_name("mem:group", &it));
    let mut puts: Vec<Put> = earlier.map(|key| Put::new(Space::Meta, key, row.clone())).collect();
    puts.push(Put::new(Space::Meta, keys::HIDDEN_NAMES, "another version"));
    stage.store.commit(Commit::from_puts(puts)).await.unwrap();
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(told.contains("too many accounts have been linked"), "{told}");
    stage.send_group_message("Ann", "/hidename @Bek off").await;
    let code = code_of(&mut stage, ELSEWHERE).await;
    let told = words(&bek_links(&mut stage, &code).await);
    assert!(!told.contains("too many"), "{told}");
    let linked = PersonId(ELSEWHERE.into());
    let links = keys::linked_accounts(&linked);
    assert!(stage.store.get(Space::Person, &links).await.unwrap().is_some(), "{told}");
    let key = keys::hidden_name("mem:group", &linked);
    assert_eq!(stage.store.get(Space::Meta, &key).await.unwrap(), None);
}

#[tokio::test]
async fn a_press_of_a_guest_does_not_show_that_the_bot_is_in_the_chat() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.remove_bot().await;
    let gone = |bytes: Option<Vec<u8>>| {
        let profile: serde_json::Value = serde_json::from_slice(&bytes.unwrap()).unwrap();
        profile["gone"] == true
    };
    assert!(gone(stage.store.get(Space::ChatProfile, "mem:group").await.unwrap()));
    let mut press = stage.update("Ann", false, text("/board"));
    press.id = Update::guest_update_id(&press.person.id, "1");
    stage.service.handle(press).await;
    assert!(gone(stage.store.get(Space::ChatProfile, "mem:group").await.unwrap()));
}

#[tokio::test]
async fn a_request_to_be_notified_moves_with_its_chat() {
    let mut stage = stage().await;
    stage.send_group_message("Cem", "/notify togyz").await;
    let to = ChatId("mem:super".into());
    let update = stage.update("Ann", false, UpdateKind::ChatMoved { to: to.clone() });
    stage.service.handle(update).await;
    let waiting = stage.store.scan(Space::Meta, "awaiting ", None, 9).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].0, "awaiting mem:super togyzkumalak mem:Cem");
    stage.group = to;
    stage.send_group_message("Ann", "/togyz").await;
    let seen = stage.visible_messages("Cem").await;
    assert!(seen.iter().any(|it| it.text.contains("Cem")), "{seen:?}");
}

/// Otherwise they could begin as many again.
#[tokio::test]
async fn games_of_other_accounts_and_of_the_former_group_count_for_the_limit_of_a_pair() {
    let limit = "Not rated: the opponents have played five rated games in this chat today";
    for (begun, expected) in [(5, true), (4, false)] {
        let mut stage = stage().await;
        let group = stage.group.0.clone();
        let day = stage.clock.now_ms() / DAY_MS;
        let links = serde_json::json!({ "main": null, "accounts": [ELSEWHERE] });
        let puts = vec![
            pair_games(day, ELSEWHERE, &group, 0..3),
            pair_games(day, "mem:Ann", "mem:old", 3..begun),
            Put::new(Space::Person, "links mem:Ann", links.to_string().into_bytes()),
            Put::new(Space::Meta, keys::chat_successor("mem:old"), group.into_bytes()),
        ];
        stage.store.commit(Commit::from_puts(puts)).await.unwrap();
        let sees = if expected { "" } else { "no " };
        let script = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                      everyone sees Ann is to move";
        play("limit", &format!("{script}\neveryone sees {sees}{limit}"), &mut stage).await;
    }
}
