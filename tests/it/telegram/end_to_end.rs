//! Behaviour that exists only on Telegram, tested with the whole bot.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use caravanserai_store::faulty::{Fault, FaultyStore};
use caravanserai_store::memory::MemoryStore;

use crate::fake_telegram::Spot;
use crate::stage::telegram::TelegramStage;
use crate::stage::{Stage, play};

const BEGUN: &str = "
people Ann Bek
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 7
Bek has buttons 1 | 9
";

async fn begun() -> TelegramStage {
    let mut stage = TelegramStage::basic(Arc::new(MemoryStore::default())).await;
    play("begun", BEGUN, &mut stage).await;
    stage
}

#[tokio::test]
async fn a_group_that_becomes_a_supergroup_goes_on_playing() {
    let mut stage = begun().await;
    stage.spot = stage.tg.migrate(stage.spot.chat, stage.first()).into();
    let after = "
        Bek has buttons 1 | 9
        Bek presses 7
        Ann has buttons 1 | 9
        Ann says /move 1
        Bek has buttons 2 | 9
        restart
        Bek replies 1
        Ann says /games
        Ann gets reply https://t.me/c/
    ";
    play("after", after, &mut stage).await;
}

#[tokio::test]
async fn a_group_that_becomes_a_supergroup_is_not_greeted_again() {
    for joins_first in [true, false] {
        let mut stage = begun().await;
        // It was greeted long ago.
        play("time", "11 minutes pass", &mut stage).await;
        let (old, ann) = (stage.spot.chat, stage.people["Ann"].clone());
        let new = match joins_first {
            true => stage.tg.migrate_joining_first(old, &ann),
            false => stage.tg.migrate_without_join(old, &ann),
        };
        stage.spot = new.into();
        stage.quiet().await;
        if !joins_first {
            stage.tg.report_join(new, &ann);
            stage.quiet().await;
        }
        play("on", "Bek presses 7\nAnn has buttons 1 | 9", &mut stage).await;
        let mut sent = stage.tg.calls_of("sendMessage");
        sent.retain(|it| it.params["chat_id"].to_string().contains(&new.to_string()));
        let buttons = sent.iter().map(|it| it.params["reply_markup"].to_string());
        assert_eq!(buttons.filter(|it| it.contains("Play")).count(), 0);
    }
}

#[tokio::test]
async fn a_silently_migrated_group_is_found_by_the_next_call() {
    let mut stage = begun().await;
    stage.spot = stage.tg.migrate_silently(stage.spot.chat).into();
    let after = "
        3 minutes pass
        Bek sees Bek, it’s your turn
        Bek has buttons 1 | 9
        Bek presses 7
        Ann has buttons 1 | 9
        Ann sees no Bek, it’s your turn
    ";
    play("after", after, &mut stage).await;
}

#[tokio::test]
async fn a_ban_follows_a_group_that_becomes_a_supergroup() {
    let mut stage = TelegramStage::basic(Arc::new(MemoryStore::default())).await;
    let banned = "
        people Ann Bek
        Ann runs the bot
        Ann writes privately /admin ban chat {chat} noise
        Ann gets reply it gets no answers any more
    ";
    play("banned", banned, &mut stage).await;
    stage.spot = stage.tg.migrate(stage.spot.chat, stage.first()).into();
    play("asked", "Bek says /blot\nBek sees no 3 seats are free", &mut stage).await;
    assert!(stage.private_replies("Bek").await.is_empty());
    let after = "
        Ann writes privately /admin bans
        Ann gets reply chat {chat} since
        Ann writes privately /admin unban chat {chat}
        Ann gets reply is not banned any more
        Ann writes privately /admin bans
        Ann gets reply nobody is banned
        Bek says /blot
        Bek sees 3 seats are free for anyone
    ";
    play("after", after, &mut stage).await;
}

const BEGUN_IN_TOPIC: &str = "
people Ann Bek
enter Games
Ann says /togyz @Bek me
Bek presses Accept
Ann presses 7
Bek has buttons 1 | 9
";

#[tokio::test]
async fn players_of_cards_find_a_link_that_makes_the_bot_an_admin() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    let script = "
        people Ann Bek
        Ann writes privately /play computer
        Ann presses Blot
        Ann gets reply ?startgroup=play&admin=delete_messages
    ";
    play("link", script, &mut stage).await;
}

/// Nobody ends a game by deleting its topic or by switching off topics.
#[tokio::test]
async fn a_game_goes_on_in_the_group_of_its_topic() {
    for is_deleted in [true, false] {
        let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
        play("begun", BEGUN_IN_TOPIC, &mut stage).await;
        let topic = stage.spot;
        match is_deleted {
            true => stage.tg.delete_topic(topic),
            false => stage.tg.topics_off(topic.chat),
        }
        stage.spot = topic.chat.into();
        let after = "
            3 minutes pass
            Bek sees Bek, it’s your turn
            Bek has buttons 1 | 9
            Bek presses 7
            Ann has buttons 1 | 9
            Ann sees no Bek, it’s your turn
            restart
            Ann says /move 1
            Bek has buttons 2 | 9
        ";
        play("after", after, &mut stage).await;
        let messages = stage.tg.messages(topic.chat);
        let mut old = messages.iter().filter(|it| it.from_bot && it.thread == topic.thread);
        assert!(old.all(|it| it.buttons.is_empty()), "the old board has buttons");
    }
}

/// Bots cannot post to old topics of busy groups, in which people still write.
#[tokio::test]
async fn requests_in_a_topic_without_posts_are_answered_in_the_group() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek\nenter Games", &mut stage).await;
    let topic = stage.spot;
    stage.tg.lose_topic(topic);
    play("refused", "Bek says /move 1\nBek gets reply table", &mut stage).await;
    for _ in 0..2 {
        stage.spot = topic;
        play("asked", "Ann says /togyz", &mut stage).await;
        stage.spot = topic.chat.into();
        let shown = "
            Bek sees Ann is waiting
            Bek presses Join
            Ann presses 7
            Bek has buttons 1 | 9
            Bek says /resign
            Bek says /resign
            everyone sees Bek resigned
        ";
        play("shown", shown, &mut stage).await;
    }
}

#[tokio::test]
async fn an_anonymous_admin_is_asked_to_write_as_themselves() {
    let mut stage = begun().await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let chat = stage.spot.chat;
    ann.say_anonymously(chat, "/move 1");
    stage.quiet().await;
    let answer = bek.awaits(chat, "an envelope", |it| it.text.contains("An answer")).await;
    let refused = bek.press(chat, answer.id, "Show the answer").await;
    assert!(refused.text.contains("someone else"), "{refused:?}");
    let told = ann.press(chat, answer.id, "Show the answer").await;
    assert!(told.text.contains("can’t see who you are"), "{told:?}");
    // The game is as it was.
    play("after", "Bek has buttons 1 | 9\nBek presses 7\nAnn has buttons 1 | 9", &mut stage).await;
}

#[tokio::test]
async fn an_admin_chooses_the_theme_of_the_group_and_others_do_not() {
    let mut stage = begun().await;
    let ann = stage.people["Ann"].clone();
    stage.tg.promote(stage.spot.chat, &ann);
    let after = "
        Bek says /theme chat night
        Bek gets reply Only admins can choose this
        Ann says /theme chat night
        Ann gets reply Night
        Ann says /theme
        Ann presses 🖨 Print for this chat
        Ann gets reply Print
    ";
    play("after", after, &mut stage).await;
}

/// While nothing can be stored, people get a reply that says so, and their requests act later.
#[tokio::test]
async fn unstored_requests_act_after_the_outage() {
    let left = AtomicUsize::new(3);
    let store = FaultyStore::with_chooser(MemoryStore::default(), move |commit| {
        let fewer = |it: usize| it.checked_sub(1);
        let fails = !commit.appends.is_empty()
            && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer).is_ok();
        if fails { Fault::Fail } else { Fault::None }
    });
    let mut stage = TelegramStage::basic(Arc::new(store)).await;
    let script = "
        people Ann Bek
        Ann says /togyz
        Bek presses Join
        Ann presses 7
        Bek has buttons 1 | 9
    ";
    play("later", script, &mut stage).await;
    stage.tg.wait_until("all is confirmed", |tg| tg.waiting().is_empty()).await;
}

/// How many messages were sent to the group so far.
fn sent(stage: &TelegramStage) -> usize {
    let here = |it: &&crate::fake_telegram::Call| it.params["chat_id"] == stage.spot.chat;
    stage.tg.calls_of("sendMessage").iter().filter(here).count()
}

#[tokio::test]
async fn talk_under_a_board_is_left_alone() {
    let mut stage = begun().await;
    let before = sent(&stage);
    let smileys = ["<3", ":3", "8)", "+1", "7?", "why 7?"];
    let talk = ["lol", "😀", "hurry up!", "Неужели?", "👍👍", "well played"];
    for talk in talk.into_iter().chain(smileys) {
        play("talk", &format!("Bek replies {talk}\nnobody gets a reply"), &mut stage).await;
    }
    assert_eq!(sent(&stage), before, "nothing is said for everybody to see");
    // What looks like a move is answered, and the cover names nobody: names may be hidden here.
    play("move", "Bek replies 12\nBek gets reply 12", &mut stage).await;
    let cover = stage.tg.calls_of("sendMessage").pop().unwrap();
    assert_eq!(cover.params["text"], "An answer for you: tap to read.");
    assert_eq!(sent(&stage), before + 1);
    play("still", "Bek replies 1\neveryone sees Ann is to move", &mut stage).await;
}

/// A picture above the words would show an earlier position.
#[tokio::test]
async fn a_board_in_words_keeps_no_picture() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    let script = "
        people Ann Bek
        Ann writes privately /togyz me
        Ann presses ♟ Both sides
        Ann presses 7
        Ann writes privately /text on
        Ann gets reply describe boards in words
        Ann writes privately 7
    ";
    play("in words", script, &mut stage).await;
    let seen = stage.visible_messages("Ann").await;
    let boards: Vec<_> = seen
        .iter()
        .filter(|it| it.buttons.iter().any(|(label, _)| label.starts_with('9')))
        .collect();
    assert_eq!(boards.len(), 1, "{seen:?}");
    assert!(seen.iter().all(|it| !it.picture), "{seen:?}");
}

#[tokio::test]
async fn a_board_that_is_asked_for_below_a_post_is_shown_there() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek", &mut stage).await;
    let (chat, ann) = (stage.spot.chat, stage.people["Ann"].clone());
    let post = stage.people["Bek"].say(chat, "a post of the channel");
    let asked = ann.say(Spot { chat, thread: Some(post) }, "/togyz");
    stage.quiet().await;
    let board = stage.tg.messages(chat).into_iter().rfind(|it| it.from_bot);
    assert_eq!(board.and_then(|it| it.reply_to), Some(asked));
}

#[tokio::test]
async fn a_group_is_greeted_once() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek", &mut stage).await;
    let ann = stage.people["Ann"].clone();
    stage.tg.kick_bot(stage.spot.chat, &ann);
    stage.quiet().await;
    let before = sent(&stage);
    // When a link adds the bot, the client of the person who followed it sends this.
    stage.tg.add_bot(stage.spot.chat, &ann);
    for text in ["/start@caravan_bot play", "/start"] {
        play("start", &format!("Ann says {text}\nnobody gets a reply"), &mut stage).await;
    }
    assert!(sent(&stage) <= before + 1, "one greeting and no covers");
    play("later", "11 minutes pass\nBek says /start\nnobody gets a reply", &mut stage).await;
    let greeting = stage.tg.calls_of("sendMessage").pop().unwrap();
    assert!(greeting.params["reply_markup"].to_string().contains("Play"), "{greeting:?}");
    let again = sent(&stage);
    play("again", "Ann says /start\nnobody gets a reply", &mut stage).await;
    assert_eq!(sent(&stage), again);
}
