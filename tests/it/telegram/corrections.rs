//! People correct what they mistyped by editing their message.

use std::sync::Arc;

use caravanserai_store::memory::MemoryStore;

use crate::fake_telegram::{Person, VisibleMessage};
use crate::stage::telegram::TelegramStage;
use crate::stage::{Stage, play};

async fn staged(script: &str) -> (TelegramStage, Person, Person) {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("before", &format!("people Ann Bek\n{script}"), &mut stage).await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek) = (person("Ann"), person("Bek"));
    (stage, ann, bek)
}

/// The newest board or lobby in the group.
async fn board(stage: &mut TelegramStage) -> VisibleMessage {
    stage.quiet().await;
    let chat = stage.spot.chat;
    let mut messages = stage.tg.messages(chat).into_iter();
    messages.rfind(|it| it.text.contains("Togyzkumalak") || it.text.contains("to move")).unwrap()
}

async fn has_table(stage: &mut TelegramStage) -> bool {
    stage.quiet().await;
    let chat = stage.spot.chat;
    stage.tg.messages(chat).iter().any(|it| it.buttons.iter().flatten().any(|it| it.0 == "Join"))
}

#[tokio::test]
async fn a_mistyped_command_counts_when_it_is_corrected() {
    for mistyped in ["/togyzz me", "/togyz me 0 min", "/tgzklmk me"] {
        let (mut stage, ann, _) = staged("").await;
        let chat = stage.spot.chat;
        let message = ann.say(chat, mistyped);
        assert!(!has_table(&mut stage).await, "{mistyped}");
        stage.pass_ms(90_000).await;
        ann.edits(chat, message, "/togyz me 3 min");
        assert!(has_table(&mut stage).await, "{mistyped}");
        assert_eq!(stage.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_edit_without_a_command_and_a_second_mistake_may_be_corrected_again() {
    let (mut stage, ann, _) = staged("").await;
    let chat = stage.spot.chat;
    let message = ann.say(chat, "/togyzz me");
    for again in ["/togyzz me", "/togyzz  me!", "/togyz me 0 min"] {
        stage.pass_ms(20_000).await;
        ann.edits(chat, message, again);
        assert!(!has_table(&mut stage).await, "{again}");
    }
    stage.pass_ms(20_000).await;
    ann.edits(chat, message, "/togyz me");
    assert!(has_table(&mut stage).await);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_old_message_is_not_corrected() {
    let (mut stage, ann, _) = staged("").await;
    let chat = stage.spot.chat;
    let message = ann.say(chat, "/togyzz me");
    stage.quiet().await;
    stage.pass_ms(121_000).await;
    ann.edits(chat, message, "/togyz me");
    assert!(!has_table(&mut stage).await);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A move is made once, however often its message is edited.
#[tokio::test]
async fn an_edit_never_moves_a_second_time() {
    let (mut stage, ann, bek) = staged("Ann says /togyz @Bek me\nBek presses Accept").await;
    let chat = stage.spot.chat;
    let shown = board(&mut stage).await;
    let reply = ann.reply(chat, shown.id, "77");
    assert!(board(&mut stage).await.text.contains("Ann is to move"));
    stage.tg.deliver_twice();
    ann.edits(chat, reply, "7");
    assert!(board(&mut stage).await.text.contains("Bek is to move"), "the correction moves");
    let typed = bek.say(chat, "/move 7");
    assert!(board(&mut stage).await.text.contains("Ann is to move"));
    ann.edits(chat, reply, "5");
    assert!(board(&mut stage).await.text.contains("Ann is to move"), "it has moved already");
    ann.say(chat, "/move 5");
    assert!(board(&mut stage).await.text.contains("Bek is to move"));
    bek.edits(chat, typed, "/move 6");
    assert!(board(&mut stage).await.text.contains("Bek is to move"), "it was no mistake");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}
