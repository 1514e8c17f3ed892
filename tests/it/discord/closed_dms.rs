//! People whose direct messages are closed to the bot.

use caravanserai_store::memory::MemoryStore;

use super::*;
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, play};

#[tokio::test]
async fn a_person_with_closed_direct_messages_gets_instructions() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    let begun = "people Ann Bek
Ann says /togyz me
Bek presses Join
Ann sees is to move";
    play("begun", begun, &mut stage).await;
    stage.dc.shuts_direct(&stage.people["Bek"]);
    play("closed", "Bek says /private\nBek gets reply I can’t message you", &mut stage).await;
    let told = stage.private_replies("Bek").await;
    assert!(!told.iter().any(|it| it.text.contains("in our private chat now")), "{told:?}");
    let open = "Ann says /private
Ann gets reply Your own board is in our private chat now
Ann gets reply Your board opens here
Ann sees is to move";
    play("open", open, &mut stage).await;
}

#[tokio::test]
async fn an_invalid_clock_is_refused_with_the_valid_range() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("people", "people Ann Bek", &mut stage).await;
    let channel = stage.channel.clone().expect("people are there");
    for clock in ["5 s", "99 days", "banana"] {
        let ann = stage.people["Ann"].clone();
        let interaction = ann.slash(&channel, "togyz", &[("clock", clock)]);
        stage.dc.answered(interaction).await;
        stage.quiet().await;
        let told = stage.private_replies("Ann").await;
        let last = told.last().expect("an answer");
        assert!(last.text.contains("10 seconds to 30 days"), "{clock}: {}", last.text);
    }
    let played = "Ann says /togyz 3 min
Ann sees Clock: 3 minutes a move
Ann says /clock 5 s
Ann gets reply 10 seconds to 30 days
Ann says /clock 2 days
Ann sees Clock: 2 days a move";
    play("played", played, &mut stage).await;
}
