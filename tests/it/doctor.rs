//! What the doctor finds, before independent servers of both platforms.

use std::path::Path;

use caravanserai::host::config::Environment;
use caravanserai::host::doctor::{Finding, Weight, examine};
use tempfile::TempDir;

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::signed::Signing;
use crate::fake_telegram::{FakeTelegram, TOKEN};

async fn findings(folder: &Path, settings: &[(&str, String)]) -> (bool, Vec<Finding>) {
    let mut environment: Environment =
        settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    environment.insert("DATA_DIR".into(), folder.join("data").display().to_string());
    let mut found = Vec::new();
    let well = examine(&environment, None, folder, |it| found.push(it.clone())).await;
    for it in &found {
        let line = it.to_string();
        assert!(!line.contains('\n') && !line.contains(TOKEN), "{line}");
    }
    (well, found)
}

#[track_caller]
fn has(found: &[Finding], weight: Weight, words: &str) {
    let hit = found.iter().any(|it| it.weight == weight && it.words.contains(words));
    assert!(hit, "no {weight:?} with {words:?} in {found:#?}");
}

#[tokio::test]
async fn with_right_tokens_all_is_well() {
    let (tg, dc) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let folder = TempDir::new().unwrap();
    let (well, found) = findings(
        folder.path(),
        &[
            ("TELEGRAM_TOKEN", TOKEN.to_owned()),
            ("TELEGRAM_API_URL", tg.url()),
            ("DISCORD_TOKEN", dc.token()),
            ("DISCORD_API_URL", dc.api_url()),
        ],
    )
    .await;
    assert!(well, "{found:#?}");
    has(&found, Weight::Fine, "the token is that of @");
    has(&found, Weight::Fine, "the token is that of the application");
    has(&found, Weight::Fine, "no webhook is in the way");
    has(&found, Weight::Fine, "is not there yet and will be made");
    assert!(!folder.path().join("data").exists(), "the doctor makes nothing");
}

#[tokio::test]
async fn wrong_tokens_are_told_with_what_to_do() {
    let (tg, dc) = (FakeTelegram::start().await, FakeDiscord::start().await);
    let folder = TempDir::new().unwrap();
    let (well, found) = findings(
        folder.path(),
        &[
            ("TELEGRAM_TOKEN", "700000001:another-token".to_owned()),
            ("TELEGRAM_API_URL", tg.url()),
            ("DISCORD_TOKEN", "another-token".to_owned()),
            ("DISCORD_API_URL", dc.api_url()),
        ],
    )
    .await;
    assert!(!well);
    has(&found, Weight::Wrong, "TELEGRAM_TOKEN is refused");
    has(&found, Weight::Wrong, "DISCORD_TOKEN is refused");
    assert!(found.iter().all(|it| !it.words.contains("another-token")));
}

#[tokio::test]
async fn whether_discord_tells_who_leaves_is_told_with_what_to_do() {
    let (dc, folder) = (FakeDiscord::start().await, TempDir::new().unwrap());
    let settings = [
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("DISCORD_MEMBERS", "on".to_owned()),
    ];
    let (_, found) = findings(folder.path(), &settings).await;
    has(&found, Weight::Look, "switch on Server Members Intent");
    dc.tells_members(true);
    let (_, found) = findings(folder.path(), &settings).await;
    has(&found, Weight::Fine, "who leaves a server is told");
}

#[tokio::test]
async fn a_wrong_setting_is_told_first() {
    let folder = TempDir::new().unwrap();
    let (well, found) = findings(folder.path(), &[("WEB", "perhaps".to_owned())]).await;
    assert!(!well && found.len() == 1, "{found:#?}");
    has(&found, Weight::Wrong, "WEB is \"perhaps\"");
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_others_can_read_and_a_taken_port_should_be_looked_at() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let (_, found) = findings(folder.path(), &[("WEB_LISTEN", listen)]).await;
    has(&found, Weight::Look, "chmod 700");
    has(&found, Weight::Look, "is in use");
}

#[tokio::test]
async fn interactions_that_go_another_way_are_told_with_what_to_do() {
    let (dc, folder) = (FakeDiscord::start().await, TempDir::new().unwrap());
    let signing = Signing::new("https://play.example.org/discord", 7);
    let look_at = async |settings: &[(&str, String)]| {
        let mut all = vec![("DISCORD_TOKEN", dc.token()), ("DISCORD_API_URL", dc.api_url())];
        all.extend_from_slice(settings);
        findings(folder.path(), &all).await.1
    };
    let posted = |key: String| {
        let listen = ("HTTP_LISTEN", "127.0.0.1:0".to_owned());
        [("DISCORD_INTERACTIONS", "http".to_owned()), ("DISCORD_PUBLIC_KEY", key), listen]
    };
    has(&look_at(&[]).await, Weight::Fine, "over the gateway");
    let found = look_at(&posted("01".repeat(32))).await;
    has(&found, Weight::Look, "no Interactions Endpoint URL");
    dc.post_interactions(&signing);
    has(&look_at(&[]).await, Weight::Wrong, "take it out there, or set DISCORD_INTERACTIONS=http");
    let found = look_at(&posted(signing.public_key())).await;
    has(&found, Weight::Fine, "posted to https://play.example.org/discord");
    let found = look_at(&posted("02".repeat(32))).await;
    has(&found, Weight::Wrong, "DISCORD_PUBLIC_KEY is that of another application");
    let found = look_at(&posted("not a key".to_owned())).await;
    has(&found, Weight::Wrong, "DISCORD_PUBLIC_KEY is \"not a key\"");
}
