//! Rasterises the drawings of a theme, each size once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;
use resvg::tiny_skia::{Color, Paint, Pixmap, Rect, Transform};

use super::palette::Palette;
use super::theme::Theme;
use caravanserai_games::scene::{LAYER_SEPARATOR, Sprite};

/// The maximum of pixels of all cached sprites together.
const PIXELS_MAX: usize = 24_000_000;

/// The maximum number of unknown names that are logged, to protect the log.
const WARNINGS_MAX: usize = 100;

/// A drawing rasterised in one size.
pub struct SpriteBitmap {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Premultiplied red, green and blue, and opacity, row by row.
    pixels: Vec<u8>,
    /// The palette number of each opaque pixel.
    numbers: Vec<u8>,
    /// For each row, the range from the first to the last visible pixel, and its longest run of
    /// opaque pixels.
    runs: Vec<RowRuns>,
}

/// The relevant parts of a row: rotated cards are half empty, and processing all their pixels each
/// time would be too slow.
#[derive(Clone)]
pub struct RowRuns {
    /// The range from the first to the last visible pixel.
    pub visible: Range<usize>,
    /// The longest run of opaque pixels.
    pub opaque: Range<usize>,
}

impl SpriteBitmap {
    fn new(pixmap: Pixmap) -> Self {
        let width = pixmap.width();
        let height = pixmap.height();
        let pixels = pixmap.take();
        let runs = pixels.chunks_exact(4 * width as usize).map(row_runs).collect();
        Self { width, height, pixels, numbers: Vec::new(), runs }
    }

    fn with_palette_numbers(mut self, palette: &Palette) -> Self {
        let number = |pixel: &[u8]| palette.nearest_number([pixel[0], pixel[1], pixel[2]]);
        self.numbers = self.pixels.chunks_exact(4).map(number).collect();
        self
    }

    /// Returns the pixels and colour numbers of one row, and its visible range.
    pub fn row(&self, row: u32) -> (&[u8], &[u8], RowRuns) {
        let width = self.width as usize;
        let start = row as usize * width;
        let pixels = &self.pixels[4 * start..4 * (start + width)];
        (pixels, &self.numbers[start..start + width], self.runs[row as usize].clone())
    }

    /// Whether the sprite hides everything below it.
    pub fn is_opaque(&self) -> bool {
        self.runs.iter().all(|runs| runs.opaque.len() == self.width as usize)
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }
}

fn row_runs(row: &[u8]) -> RowRuns {
    let mut solid = 0..0;
    let mut start = 0;
    let mut first = usize::MAX;
    let mut end = 0;
    for (x, pixel) in row.chunks_exact(4).enumerate() {
        if pixel[3] > 0 {
            (first, end) = (first.min(x), x + 1);
        }
        if pixel[3] < 255 {
            start = x + 1;
        } else if x + 1 - start > solid.len() {
            solid = start..x + 1;
        }
    }
    RowRuns { visible: first.min(end)..end, opaque: solid }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct SpriteSize {
    width: u32,
    height: u32,
    turn: i16,
}

/// The sprites of one theme that were rasterised so far.
#[derive(Default)]
pub struct Sprites {
    store: Mutex<SpriteStore>,
}

#[derive(Default)]
struct SpriteStore {
    stamps: HashMap<String, Vec<(SpriteSize, Arc<SpriteBitmap>)>>,
    pixels: usize,
    warned: HashSet<String>,
}

impl Sprites {
    /// Returns the sprite in the size that the scene requires; `None` when its size is zero or many
    /// times larger than the picture, whose longer side is `side` pixels.
    pub fn get(
        &self,
        theme: &Theme,
        palette: &Palette,
        sprite: &Sprite,
        scale: f32,
        side: u32,
    ) -> Option<Arc<SpriteBitmap>> {
        let px = |units: u16| (f32::from(units) * scale).round() as u32;
        let size = SpriteSize {
            width: px(sprite.width),
            height: px(sprite.height),
            turn: sprite.turn.rem_euclid(360),
        };
        let sane = 1..=side.saturating_mul(2);
        if !sane.contains(&size.width) || !sane.contains(&size.height) {
            return None;
        }
        {
            let made = self.store.lock();
            let sizes = made.stamps.get(sprite.name.as_ref());
            if let Some((_, bitmap)) =
                sizes.and_then(|sizes| sizes.iter().find(|(known, _)| *known == size))
            {
                return Some(Arc::clone(bitmap));
            }
        }
        let bitmap = Arc::new(self.make(theme, &sprite.name, &size)?.with_palette_numbers(palette));
        let mut made = self.store.lock();
        if made.pixels > PIXELS_MAX {
            made.stamps.clear();
            made.pixels = 0;
        }
        made.pixels += bitmap.pixels.len() / 4;
        made.stamps.entry(sprite.name.to_string()).or_default().push((size, Arc::clone(&bitmap)));
        Some(bitmap)
    }

    fn make(&self, theme: &Theme, name: &str, size: &SpriteSize) -> Option<SpriteBitmap> {
        if name.split(LAYER_SEPARATOR).any(|name| theme.drawing(name).is_none()) {
            let mut made = self.store.lock();
            if made.warned.len() < WARNINGS_MAX && made.warned.insert(name.to_owned()) {
                tracing::warn!(name, theme = theme.name, "the theme lacks a sprite");
            }
        }
        rasterise(theme, name, size.width, size.height, size.turn)
    }
}

/// Rasterises a drawing, or a placeholder if the theme lacks it.
pub fn rasterise(
    theme: &Theme,
    name: &str,
    width: u32,
    height: u32,
    turn: i16,
) -> Option<SpriteBitmap> {
    let w = width as f32;
    let h = height as f32;
    let (sin, cos) = f32::from(turn).to_radians().sin_cos();
    let mut pixmap = if turn == 0 {
        Pixmap::new(width, height)?
    } else {
        let across = (w * cos.abs() + h * sin.abs()).ceil() as u32;
        let down = (w * sin.abs() + h * cos.abs()).ceil() as u32;
        Pixmap::new(across.max(1), down.max(1))?
    };
    let middle = (pixmap.width() as f32 / 2.0, pixmap.height() as f32 / 2.0);
    let place = Transform::from_translate(-w / 2.0, -h / 2.0)
        .post_concat(Transform::from_rotate(f32::from(turn)))
        .post_translate(middle.0, middle.1);
    for name in name.split(LAYER_SEPARATOR) {
        match theme.drawing(name) {
            Some(tree) => {
                let fill = place.pre_scale(w / tree.size().width(), h / tree.size().height());
                resvg::render(tree, fill, &mut pixmap.as_mut());
            }
            None => draw_placeholder(&mut pixmap, w, h, place),
        }
    }
    Some(SpriteBitmap::new(pixmap))
}

/// Draws a grey frame with a lighter middle, in place of a drawing that the theme lacks.
fn draw_placeholder(pixmap: &mut Pixmap, width: f32, height: f32, place: Transform) {
    let edge = (width.min(height) / 8.0).max(1.0);
    let boxes =
        [(0.0, Color::from_rgba8(96, 96, 96, 255)), (edge, Color::from_rgba8(200, 200, 200, 255))];
    for (inset, colour) in boxes {
        let mut paint = Paint::default();
        paint.set_color(colour);
        let w = width - 2.0 * inset;
        let h = height - 2.0 * inset;
        if let Some(rect) = Rect::from_xywh(inset, inset, w, h) {
            pixmap.fill_rect(rect, &paint, place, None);
        }
    }
}
