//! `caravanserai doctor` against simulated servers of both platforms.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Redirect;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use caravanserai::config::Environment;
use caravanserai::doctor::{DoctorFinding, FindingSeverity, examine};
use caravanserai::health::HealthCheck;
use caravanserai_store::encrypted::key_file::StoreKeys;
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Commit, Put, Space};
use tempfile::TempDir;

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::signed::Signing;
use crate::fake_telegram::{FakeTelegram, Standing, TOKEN};

async fn findings(folder: &Path, settings: &[(&str, String)]) -> (bool, Vec<DoctorFinding>) {
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
fn has(found: &[DoctorFinding], weight: FindingSeverity, words: &str) {
    let hit = found.iter().any(|it| it.severity == weight && it.message.contains(words));
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
    has(&found, FindingSeverity::Good, "the token is that of @");
    has(&found, FindingSeverity::Good, "the token is that of the application");
    has(&found, FindingSeverity::Good, "no webhook is in the way");
    has(&found, FindingSeverity::Good, "is not there yet and will be made");
    assert!(!folder.path().join("data").exists(), "the doctor makes nothing");
}

#[tokio::test]
async fn the_chat_for_pictures_has_to_be_one_of_the_bot() {
    let (tg, folder) = (FakeTelegram::start().await, TempDir::new().unwrap());
    let chat = tg.channel("Pictures", &[]);
    let settings = [
        ("TELEGRAM_TOKEN", TOKEN.to_owned()),
        ("TELEGRAM_API_URL", tg.url()),
        ("TELEGRAM_PICTURE_CHAT", chat.to_string()),
    ];
    let (well, found) = findings(folder.path(), &settings).await;
    assert!(well, "{found:#?}");
    has(&found, FindingSeverity::Good, "TELEGRAM_PICTURE_CHAT was found");
    tg.set_standing(chat, Standing::Kicked);
    let (well, found) = findings(folder.path(), &settings).await;
    assert!(!well);
    has(&found, FindingSeverity::Failed, "TELEGRAM_PICTURE_CHAT");
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
    has(&found, FindingSeverity::Failed, "TELEGRAM_TOKEN is refused");
    has(&found, FindingSeverity::Failed, "DISCORD_TOKEN is refused");
    assert!(found.iter().all(|it| !it.message.contains("another-token")));
}

#[tokio::test]
async fn unencrypted_backups_of_platform_users_give_a_warning() {
    let (tg, folder) = (FakeTelegram::start().await, TempDir::new().unwrap());
    let key = "age137xuzwzuwejfsg5ada8vdphqrvp75xj62dam96r66hx29dq9w9ksk2mtcy".to_owned();
    let telegram = [("TELEGRAM_TOKEN", TOKEN.to_owned()), ("TELEGRAM_API_URL", tg.url())];
    let (_, found) = findings(folder.path(), &[]).await;
    has(&found, FindingSeverity::Good, "as BACKUP_RECIPIENTS is not set");
    let (well, found) = findings(folder.path(), &telegram).await;
    assert!(well, "{found:#?}");
    has(&found, FindingSeverity::Warning, "new-backup-key FILE` makes a key, BACKUP_RECIPIENTS");
    let encrypted = [&telegram[..], &[("BACKUP_RECIPIENTS", key.clone())]].concat();
    let (_, found) = findings(folder.path(), &encrypted).await;
    has(&found, FindingSeverity::Good, &format!("are encrypted to {key}"));
}

#[tokio::test]
async fn missing_members_intent_is_reported_with_advice() {
    let (dc, folder) = (FakeDiscord::start().await, TempDir::new().unwrap());
    let settings = [
        ("DISCORD_TOKEN", dc.token()),
        ("DISCORD_API_URL", dc.api_url()),
        ("DISCORD_MEMBERS", "on".to_owned()),
    ];
    let (_, found) = findings(folder.path(), &settings).await;
    has(&found, FindingSeverity::Warning, "switch on Server Members Intent");
    dc.tells_members(true);
    let (_, found) = findings(folder.path(), &settings).await;
    has(&found, FindingSeverity::Good, "Discord sends events of members who leave");
}

/// All files of a folder with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[tokio::test]
async fn a_store_that_the_bot_cannot_open_is_reported_and_not_changed() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let key = |n: u8| format!("1 {}", STANDARD.encode([n; 32]));
    let keys = Some(Arc::new(StoreKeys::parse(&key(1)).unwrap()));
    let store = StoreAddress::Folder(data.clone()).with_keys(keys).open().await.unwrap();
    let id = Put::new(Space::Meta, "store id", "0123456789abcdef");
    store.commit(Commit::from_puts(vec![id])).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let before = files(&data);
    let with = async |key: &str| findings(folder.path(), &[("STORE_KEY", key.to_owned())]).await;
    let (well, found) = with(&key(1)).await;
    assert!(well, "{found:#?}");
    has(&found, FindingSeverity::Good, "can be read, its format is current");
    let (well, found) = with(&key(2)).await;
    assert!(!well);
    has(&found, FindingSeverity::Failed, "is not the key 1 that this store is encrypted with");
    let (_, found) = findings(folder.path(), &[]).await;
    has(&found, FindingSeverity::Failed, "this store is encrypted and no key is given");
    assert!(files(&data) == before, "the doctor changes nothing");
    std::fs::write(data.join("store-id"), "fedcba9876543210\n").unwrap();
    has(&with(&key(1)).await.1, FindingSeverity::Failed, "is another store than before");
    std::fs::remove_dir_all(data.join("store")).unwrap();
    has(&with(&key(1)).await.1, FindingSeverity::Failed, "is empty and was not before");
}

#[tokio::test]
async fn an_empty_store_is_fine_and_a_database_that_does_not_answer_is_not() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let store = StoreAddress::Folder(data.clone()).open().await.unwrap();
    let (_, found) = findings(folder.path(), &[]).await;
    has(&found, FindingSeverity::Warning, "fine if that is the running bot");
    store.close().await.unwrap();
    drop(store);
    let (well, found) = findings(folder.path(), &[]).await;
    assert!(well, "{found:#?}");
    has(&found, FindingSeverity::Good, "can be read, its format is current");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("postgres://user:secret@{closed}/games?sslmode=disable");
    let (well, found) = findings(folder.path(), &[("STORE", url)]).await;
    assert!(!well);
    has(&found, FindingSeverity::Failed, "the database cannot be reached");
    assert!(found.iter().all(|it| !it.message.contains("secret")), "{found:#?}");
}

#[tokio::test]
async fn a_wrong_setting_is_reported_first() {
    let folder = TempDir::new().unwrap();
    let (well, found) = findings(folder.path(), &[("WEB", "perhaps".to_owned())]).await;
    assert!(!well && found.len() == 1, "{found:#?}");
    has(&found, FindingSeverity::Failed, "WEB is \"perhaps\"");
}

#[cfg(unix)]
#[tokio::test]
async fn a_readable_data_folder_and_a_used_port_give_warnings() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let (_, found) = findings(folder.path(), &[("WEB_LISTEN", listen)]).await;
    has(&found, FindingSeverity::Warning, "chmod 700");
    has(&found, FindingSeverity::Warning, "is in use");
}

#[tokio::test]
async fn a_different_interaction_endpoint_is_reported_with_advice() {
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
    has(&look_at(&[]).await, FindingSeverity::Good, "over the gateway");
    let found = look_at(&posted("01".repeat(32))).await;
    has(&found, FindingSeverity::Warning, "no Interactions Endpoint URL");
    dc.post_interactions(&signing);
    has(
        &look_at(&[]).await,
        FindingSeverity::Failed,
        "take it out there, or set DISCORD_INTERACTIONS=http",
    );
    let found = look_at(&posted(signing.public_key())).await;
    has(&found, FindingSeverity::Good, "posted to https://play.example.org/discord");
    let found = look_at(&posted("02".repeat(32))).await;
    has(&found, FindingSeverity::Failed, "DISCORD_PUBLIC_KEY is that of another application");
    let found = look_at(&posted("not a key".to_owned())).await;
    has(&found, FindingSeverity::Failed, "DISCORD_PUBLIC_KEY is \"not a key\"");
}

/// Something that answers every path like this, and its address.
async fn answering(router: Router) -> String {
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
    format!("http://{address}")
}

async fn of_page(url: &str) -> (bool, Vec<DoctorFinding>) {
    let folder = TempDir::new().unwrap();
    let (well, found) = findings(folder.path(), &[("PUBLIC_URL", url.to_owned())]).await;
    (well, found.into_iter().filter(|it| it.about == "public page").collect())
}

#[tokio::test]
async fn missing_public_url_is_reported_with_its_effects() {
    let (well, found) = of_page("").await;
    assert!(well);
    has(&found, FindingSeverity::Good, "no Mini App, no Activity and no link");
}

#[tokio::test]
async fn a_public_address_is_asked_for_our_own_page() {
    let health = Arc::new(HealthCheck::new(Arc::new(MemoryStore::new())));
    let (well, found) = of_page(&answering(health.health_route()).await).await;
    assert!(well, "{found:#?}");
    has(&found, FindingSeverity::Good, "leads to this bot's page");
    has(&found, FindingSeverity::Warning, "set PUBLIC_URL to the https address of a proxy");
}

#[tokio::test]
async fn a_public_address_that_leads_elsewhere_is_reported_with_advice() {
    let says =
        |status: StatusCode| answering(Router::new().fallback(move || async move { status }));
    let (well, found) = of_page(&says(StatusCode::BAD_GATEWAY).await).await;
    assert!(well);
    has(&found, FindingSeverity::Warning, "a proxy that finds no bot behind it (502");
    for status in [StatusCode::OK, StatusCode::NOT_FOUND] {
        let (well, found) = of_page(&says(status).await).await;
        assert!(!well);
        has(&found, FindingSeverity::Failed, "let the proxy forward all paths");
    }
    let away = Router::new().fallback(|| async { Redirect::permanent("https://example.org/") });
    let (well, found) = of_page(&answering(away).await).await;
    assert!(!well);
    has(&found, FindingSeverity::Failed, "leads on to https://example.org/: set PUBLIC_URL");
    let ill = (StatusCode::SERVICE_UNAVAILABLE, "the store accepts no writes\n");
    let ill = Router::new().fallback(move || async move { ill });
    has(
        &of_page(&answering(ill).await).await.1,
        FindingSeverity::Warning,
        "its store is in trouble",
    );
}

#[tokio::test]
async fn a_public_address_without_a_server_is_reported_with_advice() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (well, found) = of_page(&format!("https://{closed}")).await;
    assert!(well, "it may open from elsewhere");
    has(&found, FindingSeverity::Warning, "does not answer from here");
    // A name that is longer than names may be is looked for nowhere.
    let (well, found) = of_page(&format!("https://{}.example.org", "x".repeat(64))).await;
    assert!(!well);
    has(&found, FindingSeverity::Failed, "is not known from here: give it a DNS record");
}

#[tokio::test]
async fn a_public_page_without_a_proxy_gives_a_warning() {
    let folder = TempDir::new().unwrap();
    let name = format!("https://{}.example.org", "x".repeat(64));
    let (_, found) = findings(folder.path(), &[("PUBLIC_URL", name)]).await;
    has(&found, FindingSeverity::Warning, "PUBLIC_URL is set, but WEB_PROXIES is not");
}
