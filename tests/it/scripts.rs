//! Every conversation script on every platform.

use std::sync::Arc;

use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use futures::future::BoxFuture;

#[cfg(feature = "discord")]
use crate::stage::discord::DiscordStage;
use crate::stage::memory::MemoryStage;
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};

fn scripts() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/scripts");
    let mut scripts: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty());
    scripts
}

/// Makes a stage with a bot on this store.
type New = fn(Arc<dyn Store>) -> BoxFuture<'static, Box<dyn Stage>>;

/// Plays all scripts at the same time, each on a stage of its own.
async fn play_all(new: New) {
    let mut playing = tokio::task::JoinSet::new();
    for (name, script) in scripts() {
        playing.spawn(async move {
            let mut stage = new(Arc::new(MemoryStore::default())).await;
            play(&name, &script, stage.as_mut()).await;
        });
    }
    let mut failed = 0;
    while let Some(played) = playing.join_next().await {
        failed += usize::from(played.is_err());
    }
    assert_eq!(failed, 0, "scripts failed; what was expected stands above");
}

#[tokio::test]
async fn the_bare_platform_plays_every_script() {
    play_all(|store| Box::pin(async { Box::new(MemoryStage::new(store).await) as _ })).await;
}

#[tokio::test]
async fn the_built_in_chat_plays_every_script() {
    play_all(|store| Box::pin(async { Box::new(WebStage::new(store).await) as _ })).await;
}

#[cfg(feature = "telegram")]
#[tokio::test]
async fn telegram_plays_every_script() {
    play_all(|store| Box::pin(async { Box::new(TelegramStage::new(store).await) as _ })).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn discord_plays_every_script() {
    play_all(|store| Box::pin(async { Box::new(DiscordStage::new(store).await) as _ })).await;
}

#[cfg(feature = "discord")]
#[tokio::test]
async fn discord_that_posts_its_interactions_plays_every_script() {
    play_all(|store| Box::pin(async { Box::new(DiscordStage::by_post(store).await) as _ })).await;
}

const READ: &str = "
people Ann Bek
Ann says /rules togyz
Ann presses Next
Ann gets reply 2 of 14
Ann has private buttons Next
";

/// Nobody else could ever see private content of one person: the stages record all of it.
async fn is_read_by_ann_alone(stage: &mut dyn Stage) {
    play("read", READ, stage).await;
    let seen = stage.received_content_by_person().await;
    let read = |who: &str, words: &str| {
        seen[who].iter().any(|it| it.words.iter().any(|it| it.contains(words)))
    };
    let name = stage.name();
    for page in ["1 of 14", "2 of 14"] {
        assert!(read("Ann", page), "{name}: {page}");
        assert!(!read("Bek", page), "{name}: {page}");
    }
    play("board", "Ann says /togyz @Bek\nBek has buttons Accept", stage).await;
    let seen = stage.received_content_by_person().await;
    let board = |who: &str| {
        let labels = seen[who].iter().flat_map(|it| &it.words);
        labels.filter(|it| it.contains("Accept")).count()
    };
    assert!(board("Ann") > 0 && board("Bek") > 0, "{name}: all see what is for all");
}

#[tokio::test]
async fn stages_know_who_could_look_at_what() {
    let store = || Arc::new(MemoryStore::default()) as Arc<dyn Store>;
    is_read_by_ann_alone(&mut MemoryStage::new(store()).await).await;
    is_read_by_ann_alone(&mut WebStage::new(store()).await).await;
    #[cfg(feature = "telegram")]
    is_read_by_ann_alone(&mut TelegramStage::new(store()).await).await;
    #[cfg(feature = "discord")]
    is_read_by_ann_alone(&mut DiscordStage::new(store()).await).await;
}
