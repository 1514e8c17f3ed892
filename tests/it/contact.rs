//! Commands that name the operator's contact.

use std::sync::Arc;

use caravanserai_bot::service::{BotLimits, Service, ServiceDeps};
use caravanserai_i18n::I18n;
use caravanserai_protocol::UpdateHandler;
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::{MemoryStage, renderer, text};

/// The answers of a bot with this contact to some commands.
async fn answers<const N: usize>(contact: Option<&str>, commands: [&str; N]) -> [String; N] {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let service = Service::new(ServiceDeps {
        store: stage.store.clone(),
        i18n: Arc::new(I18n::new()),
        renderer: renderer(),
        clock: stage.clock.clone(),
        randomness: Box::new(|bytes| bytes.fill(7)),
        limits: BotLimits::default(),
        contact: contact.map(str::to_owned),
        operator_settings: Default::default(),
    });
    let mut told = commands.map(str::to_owned);
    for it in &mut told {
        let update = stage.update("Ann", false, text(it));
        let replies = service.handle(update).await;
        *it = replies[0].message.text().to_plain();
    }
    told
}

const COMMANDS: [&str; 4] = ["/about", "/privacy", "/feedback", "/contact"];

#[tokio::test]
async fn the_operators_contact_is_named_where_players_look_for_it() {
    for (command, answer) in COMMANDS.iter().zip(answers(Some("@ann <3"), COMMANDS).await) {
        assert!(answer.contains("the person who runs this bot: @ann <3"), "{command}: {answer}");
    }
}

#[tokio::test]
async fn without_a_contact_faults_go_to_the_person_who_added_the_bot() {
    let [about, privacy, feedback, contact] = answers(None, COMMANDS).await;
    for answer in [&about, &privacy, &feedback] {
        assert!(!answer.contains("runs this bot"), "{answer}");
    }
    assert!(feedback.contains("Tell the person who added me here."), "{feedback}");
    assert_eq!(contact, feedback);
    assert!(about.contains("Togyzkumalak"), "{about}");
}
