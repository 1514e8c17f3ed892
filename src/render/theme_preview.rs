//! Draws one scene in several themes side by side, as a preview for the choice of a theme.

use std::sync::Arc;

use super::{DEFAULT_THEME, Renderer, SIDE_LIMITS};
use caravanserai_games::scene::{Scene, SceneLabel};

/// The number of previews per row.
const PREVIEW_COLUMNS: u32 = 2;
/// The width of each preview in pixels.
const TILE_WIDTH: u32 = 400;
/// The height of the line with a theme's name, as part of the width of the scene.
const NAME_LINE_HEIGHT: u16 = 12;

impl Renderer {
    /// Draws a scene in several themes as a PNG file, in rows of two, each with its name below.
    /// Takes pairs of theme and displayed name.
    pub fn themes_side_by_side(&self, scene: &Scene, themes: &[(String, String)]) -> Vec<u8> {
        let tiles: Vec<(Vec<u8>, u32, u32)> = themes
            .iter()
            .map(|(theme, name)| self.pixels(&with_name_below(scene, name), theme, TILE_WIDTH))
            .collect();
        let high = tiles.iter().map(|it| it.2).max().unwrap_or(SIDE_LIMITS.0);
        let rows = u32::try_from(tiles.len()).unwrap_or(1).div_ceil(PREVIEW_COLUMNS).max(1);
        let width = TILE_WIDTH * PREVIEW_COLUMNS;
        let height = high * rows;
        let mut all = vec![u8::MAX; (width * height * 3) as usize];
        for (n, (pixels, wide, _)) in (0..).zip(&tiles) {
            let left = n % PREVIEW_COLUMNS * TILE_WIDTH;
            let top = n / PREVIEW_COLUMNS * high;
            for (y, row) in (top..).zip(pixels.chunks_exact(*wide as usize * 4)) {
                let start = ((y * width + left) * 3) as usize;
                let to = all[start..].chunks_exact_mut(3);
                to.zip(row.chunks_exact(4)).for_each(|(to, from)| to.copy_from_slice(&from[..3]));
            }
        }
        encode_png(&all, width, height)
    }

    /// Does the same off the async threads.
    pub async fn themes_side_by_side_async(
        self: &Arc<Self>,
        scene: Scene,
        themes: Vec<(String, String)>,
    ) -> Arc<Vec<u8>> {
        if self.is_sketching {
            return self.draw_async(scene, DEFAULT_THEME.to_owned(), TILE_WIDTH).await;
        }
        let this = Arc::clone(self);
        let drawn = self.run_blocking(move || this.themes_side_by_side(&scene, &themes)).await;
        Arc::new(drawn.unwrap_or_else(|error| {
            tracing::error!(%error, "failed to draw the theme preview");
            self.draw_uncached(&Scene::new(16, 9), DEFAULT_THEME, SIDE_LIMITS.0)
        }))
    }
}

/// Adds a line of text below the scene.
fn with_name_below(scene: &Scene, name: &str) -> Scene {
    let line = scene.width / NAME_LINE_HEIGHT;
    let mut named = Scene { height: scene.height + line, ..scene.clone() };
    let x = scene.width / 2;
    let y = scene.height + line / 2;
    let [x, y] = [x, y].map(|it| i16::try_from(it).unwrap_or(i16::MAX));
    named.add(SceneLabel::new(name, x, y, line * 2 / 3, "name").bold().fitted(scene.width));
    named
}

fn encode_png(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut it| it.write_image_data(pixels));
    written.expect("writing to memory cannot fail");
    bytes
}
