//! Games that begin with one press are played with the seed whose hash was shown before it.

use std::sync::Arc;

use caravanserai_protocol::InlineQueries;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::fair_random::hash_seed;
use caravanserai_table::verify::verify_record;
use caravanserai_table::{Table, TablePhase};

use crate::stage::memory::MemoryStage;
use crate::stage::play;

/// What `verify` says of a record with this log.
fn verified(table: &Table, log: &[String], hash: &str) -> Result<String, String> {
    let log: Vec<String> = log.iter().map(|it| format!("% {it}")).collect();
    let (id, log) = (&table.id.0, log.join("\n"));
    let report = verify_record(&format!("% table {id}\n% commitment {hash}\n% log\n{log}\n"));
    report.map(|it| it.text)
}

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::default())).await
}

/// The hash in this text.
fn hash_in(text: &str) -> Option<&str> {
    let is_hash = |it: &&str| it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit());
    text.split_whitespace().find(is_hash)
}

#[tokio::test]
async fn the_chance_of_a_rematch_is_fixed_when_it_is_offered() {
    let mut stage = stage().await;
    let offered = "people Ann Bek
                   Ann says /thaayam @Bek 2
                   Bek presses Accept
                   Ann says /resign
                   Ann says /resign
                   Ann says /rematch
                   everyone sees wants to play again
                   everyone sees SHA-256";
    play("is offered", offered, &mut stage).await;
    let seen = stage.platform.messages(&stage.group);
    let shown = seen.iter().rev().find_map(|it| hash_in(&it.text)).expect("a hash").to_owned();
    // Declined and offered again it is the same: nobody can try several.
    play("once more", "Bek says /decline\nBek says /rematch", &mut stage).await;
    stage.ticks(1_000).await;
    play("is accepted", "Ann presses Accept\neveryone sees is to move", &mut stage).await;
    let all = stage.tables().await;
    let ((old, old_log), (new, log)) = (&all[0], &all[1]);
    assert_eq!(hash_seed(&new.setup.seed), shown);
    assert_eq!(old.commitments.next.as_ref().and_then(|it| it.table.as_ref()), Some(&new.id));
    let report = verified(new, log, &shown).unwrap();
    assert!(report.contains("with the offer of a rematch at table"), "{report}");
    let report = verified(old, old_log, &hash_seed(&old.setup.seed)).unwrap();
    assert!(report.contains(&format!("table {} is promised", new.id.0)), "{report}");
    // A log that names another hash than the seed has is refused.
    let promise = log.iter().position(|it| it.contains(" promise ")).unwrap();
    let mut forged = log.clone();
    forged[promise] = forged[promise].replace(&shown, &hash_seed(&old.setup.seed));
    let found = verified(new, &forged, &shown).unwrap_err();
    assert!(found.contains("was promised"), "{found}");
}

#[tokio::test]
async fn the_seed_of_a_challenge_is_fixed_when_it_is_sent() {
    let mut stage = stage().await;
    play("people", "people Ann Bek", &mut stage).await;
    let offers = stage.service.inline_results(&stage.person("Ann"), "thaayam players=2").await;
    let shown = hash_in(&offers[0].message).expect("a hash").to_owned();
    let press = offers[0].buttons[0][0].callback_data.clone();
    // A challenge is accepted once, in whichever message its button is pressed.
    for (message, is_refused) in [("posted", false), ("another", true)] {
        let accepts = stage.press_inline("Bek", message, &press);
        let told = stage.hear(accepts).await;
        let told: Vec<String> = told.iter().map(|it| it.message.text().to_plain()).collect();
        let refusal = told.iter().find(|it| it.contains("has already been accepted"));
        assert_eq!(refusal.is_some(), is_refused, "{told:?}");
        stage.ticks(1_000).await;
    }
    let all = stage.tables().await;
    let [(first, log)] = all.as_slice() else { panic!("{} tables", all.len()) };
    assert_eq!(first.phase, TablePhase::Playing);
    assert_eq!(hash_seed(&first.setup.seed), shown);
    let report = verified(first, log, &shown).unwrap();
    assert!(report.contains("with the challenge, before anybody accepted"), "{report}");
    // Each challenge has its own seed.
    let again = stage.service.inline_results(&stage.person("Ann"), "thaayam players=2").await;
    assert_ne!(hash_in(&again[0].message), Some(shown.as_str()));
}

/// People in a lobby can see the hash there.
#[tokio::test]
async fn a_game_that_begins_in_a_lobby_needs_no_promise() {
    let mut stage = stage().await;
    let script = "people Ann Bek\nAnn says /thaayam @Bek 2\nBek presses Accept";
    play("begins", script, &mut stage).await;
    stage.ticks(0).await;
    let (table, log) = stage.newest_table().await;
    let report = verified(&table, &log, &hash_seed(&table.setup.seed)).unwrap();
    assert!(
        !report.contains("nobody could see") && report.contains("what could be checked agrees"),
        "{report}"
    );
}
