//! The bot as a user-installed app in chats where it is not a member: it answers only interactions.

use std::collections::BTreeMap;

use caravanserai_store::memory::MemoryStore;

use super::*;
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, play};

const GAME: &str = "
Ann says /togyz me
Bek sees is waiting for an opponent
Bek presses Join
Ann has buttons 1 | 9
Ann presses 7
Bek has buttons 1 | 9
Bek presses 7
Ann sees Ann is to move
Bek presses 1
Bek gets reply It’s Ann’s turn
Ann presses ⋯
Ann has private buttons Board as text
restart
Ann presses 1
Bek has buttons 2 | 9
Bek says /resign
Bek says /resign
Ann sees Bek resigned
Ann presses 🔁 Rematch
Bek presses Accept
Ann sees Bek is to move
";

#[tokio::test]
async fn two_play_where_the_bot_is_no_member() {
    for in_guild in [true, false] {
        let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
        play("abroad", "people Ann Bek", &mut stage).await;
        stage.abroad(in_guild);
        play(&format!("in a guild: {in_guild}"), GAME, &mut stage).await;
        // A press after a long time shows the present state.
        stage.pass_ms(20 * 60_000).await;
        play("later", "Bek presses 7\nAnn sees Ann is to move", &mut stage).await;
    }
}

#[tokio::test]
async fn hands_are_dealt_where_the_bot_is_no_member() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("abroad", "people Ann Bek", &mut stage).await;
    stage.abroad(false);
    let cards = "
Ann says /blot @Bek computer
Bek presses Accept
Ann presses ▶ Start
Ann presses My hand
Ann gets picture Your hand:
Bek presses My hand
Bek gets picture Your hand:
Ann sees no Your hand:
";
    play("cards", cards, &mut stage).await;
}

/// All hands that the bot has shown to each person so far. No two people have seen the same one,
/// and Eve, who does not play, has seen none.
async fn hands_seen(stage: &mut DiscordStage) -> BTreeMap<String, Vec<String>> {
    stage.quiet().await;
    let mut all = BTreeMap::new();
    for (who, reached) in stage.received_content_by_person().await {
        let lines = reached.into_iter().flat_map(|it| it.words).map(|it| it.replace('\\', ""));
        let mut hands: Vec<String> = lines
            .flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>())
            .filter(|it| it.contains("Your hand:"))
            .collect();
        hands.dedup();
        all.insert(who, hands);
    }
    for (who, own) in &all {
        for (other, theirs) in all.iter().filter(|(it, _)| *it != who) {
            let both: Vec<_> = own.iter().filter(|it| theirs.contains(it)).collect();
            assert!(both.is_empty(), "{who} and {other} have both seen {both:?}");
        }
    }
    assert!(all["Eve"].is_empty(), "{:?}", all["Eve"]);
    all
}

#[tokio::test]
async fn expired_tokens_never_make_a_hand_public() {
    for players in [&["Ann", "Bek"][..], &["Ann", "Bek", "Cyd", "Dan"]] {
        let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
        play("abroad", "people Ann Bek Cyd Dan Eve", &mut stage).await;
        stage.abroad(false);
        let fourth = players.len() == 4;
        let opened = match fourth {
            true => "Ann says /blot\nBek presses Join\nCyd presses Join",
            false => "Ann says /blot @Bek computer\nBek presses Accept",
        };
        play("opened", opened, &mut stage).await;
        // Only Eve, who does not play, has a token that is valid.
        stage.pass_ms(16 * 60_000).await;
        play("elsewhere", "Eve says /help", &mut stage).await;
        let dealt = match fourth {
            true => "Dan presses Join\nAnn presses ▶ Start\nAnn sees press “My hand”",
            false => "Ann presses ▶ Start\nBek sees press “My hand”",
        };
        play("dealt", dealt, &mut stage).await;
        hands_seen(&mut stage).await;
        for who in players {
            let shown = format!("{who} presses My hand\n{who} gets picture Your hand:");
            play("shown", &shown, &mut stage).await;
        }
        // Once more, while the game goes on: only Eve and Ann have tokens, since they act.
        stage.pass_ms(16 * 60_000).await;
        play("elsewhere", "Eve says /help\nAnn presses My hand", &mut stage).await;
        let hands = hands_seen(&mut stage).await;
        for who in players {
            assert!(!hands[*who].is_empty(), "{who} was shown nothing");
        }
    }
}

#[tokio::test]
async fn a_game_goes_on_after_tokens_expire_and_no_hand_is_public() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("abroad", "people Ann Bek Eve", &mut stage).await;
    stage.abroad(false);
    let begun = "
Ann says /blot @Bek computer
Bek presses Accept
Ann presses ▶ Start
Ann presses My hand
Bek presses My hand
";
    play("begun", begun, &mut stage).await;
    for _ in 0..3 {
        stage.pass_ms(16 * 60_000).await;
        play("elsewhere", "Eve says /help", &mut stage).await;
        for who in ["Ann", "Bek"] {
            // The player to move passes; the other one is refused.
            play("passes", &format!("{who} says /move pass"), &mut stage).await;
            stage.quiet().await;
        }
        hands_seen(&mut stage).await;
    }
}

#[tokio::test]
async fn a_hand_is_posted_only_in_a_verified_direct_channel() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let (direct, group) = (scene.dc.dm(&ann), scene.dc.among(&[&ann, &bob]));
    let hand = board("Your hand: J♠").into();
    let person = |it: &Actor| PersonId(format!("dc:{}", it.id));
    let guest = ChatId(format!("dc:~{}", group.id));
    // The adapter does not know these channels yet: it asks Discord.
    let told = scene.discord.show_ephemeral(&chat(&direct), &person(&ann), "hand k7", &hand).await;
    told.expect("nobody else reads there");
    for (n, (chat, who)) in (0..).zip([
        (chat(&direct), &bob),
        (chat(&group), &ann),
        (guest.clone(), &ann),
        (chat(&scene.dc.channel("games", &[&ann, &bob])), &ann),
    ]) {
        let slot = format!("hand {n}");
        let told = scene.discord.show_ephemeral(&chat, &person(who), &slot, &hand).await;
        assert_eq!(told, Err(SendError::NotAllowed), "{chat:?}");
    }
    for chat in [chat(&group), guest] {
        assert_eq!(
            (&scene.discord as &dyn Platform).post_private(&chat, &hand).await,
            Err(SendError::NotAllowed)
        );
        assert_eq!(scene.discord.sole_reader(&chat).await.unwrap(), None);
    }
    assert_eq!(scene.discord.sole_reader(&chat(&direct)).await.unwrap(), Some(person(&ann)));
    (&scene.discord as &dyn Platform)
        .post_private(&chat(&direct), &hand)
        .await
        .expect("nobody else reads there");
    assert!(scene.dc.visible_to(&bob, &group).is_empty());
    scene.end();
}

/// The chat of a channel where the bot is no member.
fn guest_chat(channel: &Channel) -> ChatId {
    ChatId(format!("dc:~{}", channel.id))
}

#[tokio::test]
async fn no_table_is_opened_where_only_its_opener_would_see_it() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.foreign_channel("games", &[&ann, &bob]);
    scene.heard(1).await;
    ann.member(&channel, None, may::USUAL);
    ann.slash(&channel, "togyz", &[]);
    let seen = scene.sees(&ann, &channel, 1).await;
    assert!(seen[0].ephemeral && seen[0].content == "others would not see it", "{seen:?}");
    scene.will_answer(&["pit 3 is empty"]);
    ann.slash(&channel, "move", &[("pit", "3")]);
    let seen = scene.sees(&ann, &channel, 2).await;
    assert_eq!(seen[1].content, "pit 3 is empty", "what is only for her works");
    let heard = scene.heard(2).await;
    assert_eq!((heard.len(), command_of(&heard[1]).as_str()), (2, "/move 3"));
    scene.end();
}

#[tokio::test]
async fn all_see_the_board_of_a_command_that_takes_long() {
    let scene = Scene::with_watchdog(Duration::ZERO).await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.among(&[&ann, &bob]);
    scene.script.gate.forget_permits(1000);
    let slash = ann.slash(&channel, "togyz", &[]);
    assert_eq!(scene.dc.answered(slash).await, 5);
    let (here, table) = (guest_chat(&channel), board("move 1"));
    let handled = async { scene.script.gate.add_permits(1) };
    let (posted, ()) = tokio::join!(scene.discord.post(&here, &table), handled);
    posted.expect("posted with the token of the command");
    let seen = scene.dc.visible_to(&bob, &channel);
    assert!(seen.len() == 1 && seen[0].content == "move 1" && !seen[0].ephemeral, "{seen:?}");
    scene.end();
}

#[tokio::test]
async fn a_board_is_posted_with_the_token_of_a_person_who_may_post() {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.foreign_channel("games", &[&ann, &bob]);
    bob.member(&channel, None, may::USUAL);
    for who in [&ann, &bob] {
        scene.will_answer(&["noted"]);
        let id = who.slash(&channel, "move", &[("pit", "1")]);
        scene.dc.answered(id).await;
        scene.discord.drain().await;
    }
    let here = guest_chat(&channel);
    scene.discord.post(&here, &board("move 1")).await.expect("posted with Ann's token");
    let seen = scene.dc.visible_to(&bob, &channel);
    assert!(seen.iter().any(|it| it.content == "move 1" && !it.ephemeral), "{seen:?}");
    // Meanwhile she may not post any more: a board that only she would see is taken back.
    ann.member(&channel, None, may::USUAL);
    let hidden = scene.discord.post(&here, &board("move 2")).await;
    assert!(matches!(hidden, Err(SendError::Refused(_))), "{hidden:?}");
    assert!(scene.dc.visible_to(&ann, &channel).iter().all(|it| it.content != "move 2"));
    scene.end();
}

/// Ann in a channel where the bot is no member, after a command of hers whose token posts there.
async fn ann_with_token(scene: &Scene) -> (Actor, Channel) {
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.among(&[&ann, &bob]);
    scene.will_answer(&["noted"]);
    let id = ann.slash(&channel, "move", &[("pit", "1")]);
    scene.dc.answered(id).await;
    scene.discord.drain().await;
    (ann, channel)
}

#[tokio::test]
async fn a_post_can_be_edited_with_its_token_where_the_bot_is_no_member() {
    let scene = Scene::set().await;
    let (ann, channel) = ann_with_token(&scene).await;
    let here = guest_chat(&channel);
    let id = scene.discord.post(&here, &board("10 %")).await.expect("posted");
    scene.discord.edit(&here, &id, &board("40 %")).await.expect("edited with the token");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert!(seen.iter().any(|it| it.content == "40 %"), "{seen:?}");
    scene.advance(Duration::from_secs(16 * 60));
    let edited = scene.discord.edit(&here, &id, &board("70 %")).await;
    assert_eq!(edited, Err(SendError::NotNow), "the token has expired");
    scene.end();
}

#[tokio::test]
async fn a_deleted_board_is_reported_as_gone_where_the_bot_is_no_member() {
    let scene = Scene::set().await;
    let (ann, channel) = ann_with_token(&scene).await;
    let here = guest_chat(&channel);
    let id = scene.discord.post(&here, &board("move 1")).await.expect("posted");
    let press = ann.press(&channel, &id.0, "p.2");
    scene.dc.answered(press).await;
    scene.discord.drain().await;
    scene.discord.edit(&here, &id, &board("move 2")).await.expect("edited with the token");
    scene.dc.delete(&id.0);
    let edited = scene.discord.edit(&here, &id, &board("move 3")).await;
    assert_eq!(edited, Err(SendError::MessageGone));
    scene.discord.post(&here, &board("move 3")).await.expect("posted with the newest token");
    let seen = scene.dc.visible_to(&ann, &channel);
    assert!(seen.iter().any(|it| it.content == "move 3"), "{seen:?}");
    scene.end();
}

#[tokio::test]
async fn a_game_goes_on_when_its_server_adds_the_bot() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("abroad", "people Ann Bek", &mut stage).await;
    stage.abroad(true);
    let begun = "
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 7
Bek has buttons 1 | 9
";
    play("begun", begun, &mut stage).await;
    let here = stage.channel.clone().expect("people are there");
    stage.dc.return_bot(&here);
    let on = "
Bek says /move 7
Ann sees Ann is to move
Ann presses 1
Bek has buttons 2 | 9
";
    play("on", on, &mut stage).await;
}

#[tokio::test]
async fn a_move_that_is_not_stored_is_made_again() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    *scene.script.moves.lock() = (0, 1);
    for count in 1..=3 {
        ann.slash(&channel, "move", &[("pit", "1")]);
        scene.heard(count).await;
    }
    assert_eq!(*scene.script.moves.lock(), (2, 0));
    scene.end();
}
