//! Caches finished pictures, so that showing a board again costs nothing.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use caravanserai_games::scene::Scene;

/// The inputs of a picture, apart from the scene itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureKey {
    scene_hash: u64,
    theme: String,
    width: u32,
}

impl PictureKey {
    /// The key of this scene in this theme and width.
    pub fn for_scene(scene: &Scene, theme: &str, width: u32) -> Self {
        let mut hasher = DefaultHasher::new();
        scene.hash(&mut hasher);
        Self { scene_hash: hasher.finish(), theme: theme.to_owned(), width }
    }
}

struct CachedPicture {
    /// The scene, compared on every hit: two scenes with equal hashes must not exchange their
    /// pictures.
    scene: Scene,
    png: Arc<Vec<u8>>,
    last_used: u64,
}

/// The most recently used pictures.
pub struct PictureCache {
    limit: usize,
    use_counter: u64,
    pictures: HashMap<PictureKey, CachedPicture>,
}

impl PictureCache {
    /// Creates a cache for at most `limit` pictures.
    pub fn new(limit: usize) -> Self {
        Self { limit, use_counter: 0, pictures: HashMap::new() }
    }

    /// Returns the picture, if it is still cached.
    pub fn get(&mut self, key: &PictureKey, scene: &Scene) -> Option<Arc<Vec<u8>>> {
        self.use_counter += 1;
        let kept = self.pictures.get_mut(key).filter(|kept| kept.scene == *scene)?;
        kept.last_used = self.use_counter;
        Some(Arc::clone(&kept.png))
    }

    /// Stores a picture, and evicts the least recently used one if the cache is full.
    pub fn put(&mut self, key: PictureKey, scene: &Scene, png: Arc<Vec<u8>>) {
        self.use_counter += 1;
        self.pictures
            .insert(key, CachedPicture { scene: scene.clone(), png, last_used: self.use_counter });
        if self.pictures.len() > self.limit {
            let oldest = self.pictures.iter().min_by_key(|(_, kept)| kept.last_used);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.pictures.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_not_used_for_longest_gives_way() {
        let mut cache = PictureCache::new(2);
        let scenes: Vec<Scene> = (1..=3).map(|width| Scene::new(width, 1)).collect();
        let keys: Vec<PictureKey> =
            scenes.iter().map(|scene| PictureKey::for_scene(scene, "wood", 1)).collect();
        cache.put(keys[0].clone(), &scenes[0], Arc::default());
        cache.put(keys[1].clone(), &scenes[1], Arc::default());
        assert!(cache.get(&keys[0], &scenes[0]).is_some());
        cache.put(keys[2].clone(), &scenes[2], Arc::default());
        assert!(cache.get(&keys[0], &scenes[0]).is_some());
        assert!(cache.get(&keys[1], &scenes[1]).is_none());
        assert!(cache.get(&keys[2], &scenes[0]).is_none(), "same key, another scene");
    }
}
