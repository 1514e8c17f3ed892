//! Every conversation script on every platform.

use std::sync::Arc;

use caravanserai::store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::play;

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

#[tokio::test]
async fn the_bare_platform_plays_every_script() {
    let mut playing = tokio::task::JoinSet::new();
    for (name, script) in scripts() {
        playing.spawn(async move {
            let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
            play(&name, &script, &mut stage).await;
        });
    }
    let played = playing.join_all().await;
    assert!(!played.is_empty());
}
