//! Describes a scene as text, without drawing it.

use std::fmt::Write as _;

use caravanserai_games::scene::{Scene, SceneItem};

/// Describes the picture of this scene as text: the theme in the first line, then a line for each
/// item from the bottom to the top. Two scenes have equal sketches exactly if they are equal.
pub fn sketch(scene: &Scene, theme: &str) -> String {
    let mut text = format!("{theme}\n{}x{}\n", scene.width, scene.height);
    for item in &scene.items {
        // Writing to a string cannot fail.
        let _ = match item {
            SceneItem::Sprite(it) => writeln!(
                text,
                "{} {},{} {}x{} {}",
                it.name, it.at.x, it.at.y, it.width, it.height, it.turn
            ),
            SceneItem::Label(label) => writeln!(text, "{label:?}"),
            SceneItem::Trail(trail) => writeln!(text, "{trail:?}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_games::scene::{SceneLabel, Sprite};

    #[test]
    fn a_sketch_tells_scenes_apart() {
        let mut scene = Scene::new(200, 100);
        scene.add(Sprite::new("stone", 50, 50, 40, 40));
        let one = sketch(&scene, "wood");
        assert_eq!(one, sketch(&scene.clone(), "wood"));
        scene.add(SceneLabel::new("7", 150, 50, 60, "count"));
        assert_ne!(one, sketch(&scene, "wood"));
        assert!(one.contains("stone"));
    }
}
