//! Provides the pixel canvas on which sprites, letters and lines are drawn.

use std::ops::Range;

use image::RgbaImage;
use resvg::tiny_skia::PixmapMut;

use super::palette::UNKNOWN;
use super::sprites::{RowRuns, SpriteBitmap};
use super::text::GlyphMask;
use super::trail::TrailShape;
use caravanserai_games::scene::{Point, Trail};

/// The pixel and colour-number buffers of a canvas, kept for reuse.
pub type CanvasBuffers = (Vec<u8>, Vec<u8>);

/// The initial content of a canvas.
pub enum Background {
    /// One colour.
    Colour([u8; 3]),
    /// Any content: the first sprite covers all of it.
    Covered,
}

/// An opaque picture under construction.
///
/// Besides the colours it keeps the palette number of each pixel, where it is known: looking up
/// only the pixels that were blended saves most of the work.
pub struct Canvas {
    image: RgbaImage,
    numbers: Vec<u8>,
}

impl Canvas {
    /// Creates a canvas in the buffers of an older one.
    pub fn new(
        (mut pixels, mut numbers): CanvasBuffers,
        (width, height): (u32, u32),
        background: Background,
    ) -> Self {
        let size = width as usize * height as usize;
        pixels.resize(size * 4, 0);
        numbers.resize(size, UNKNOWN);
        if let Background::Colour([r, g, b]) = background {
            pixels.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&[r, g, b, 255]));
            numbers.fill(UNKNOWN);
        }
        let image = RgbaImage::from_raw(width, height, pixels)
            .expect("the buffer was resized to these dimensions");
        Self { image, numbers }
    }

    /// The longer side in pixels.
    pub fn longer_side(&self) -> u32 {
        self.image.width().max(self.image.height())
    }

    /// The pixels, row by row, four bytes each, and their colour numbers.
    pub fn into_buffers(self) -> CanvasBuffers {
        (self.image.into_raw(), self.numbers)
    }

    /// Draws a sprite with its centre at a point of the scene.
    pub fn draw_sprite(&mut self, bitmap: &SpriteBitmap, at: Point, scale: f32) {
        let corner =
            |centre: i16, side: u32| (f32::from(centre) * scale - side as f32 / 2.0).round() as i64;
        let left = corner(at.x, bitmap.width);
        let top = corner(at.y, bitmap.height);
        let Some(area) = self.overlap(left, top, bitmap.width, bitmap.height) else { return };
        let shown = area.skip_x..area.skip_x + area.columns;
        for row in area.rows() {
            let (from, from_numbers, RowRuns { visible: seen, opaque: solid }) = bitmap.row(row);
            let cut = |run: Range<usize>| {
                run.start.clamp(shown.start, shown.end)..run.end.clamp(shown.start, shown.end)
            };
            let seen = cut(seen);
            let solid = cut(solid);
            let solid = if solid.is_empty() { seen.end..seen.end } else { solid };
            let (to, numbers) = self.row_part(top + i64::from(row), area.left, area.columns);
            let on_sheet = solid.start - shown.start..solid.end - shown.start;
            to[4 * on_sheet.start..4 * on_sheet.end]
                .copy_from_slice(&from[4 * solid.start..4 * solid.end]);
            numbers[on_sheet].copy_from_slice(&from_numbers[solid.clone()]);
            for x in (seen.start..solid.start).chain(solid.end..seen.end) {
                let at = x - shown.start;
                let from = &from[4 * x..4 * x + 4];
                let to = &mut to[4 * at..4 * at + 4];
                match from[3] {
                    0 => {}
                    255 => {
                        to.copy_from_slice(from);
                        numbers[at] = from_numbers[x];
                    }
                    alpha => {
                        for channel in 0..3 {
                            to[channel] = from[channel]
                                .saturating_add(scale_channel(to[channel], 255 - alpha));
                        }
                        numbers[at] = UNKNOWN;
                    }
                }
            }
        }
    }

    /// Draws a glyph in a colour with palette number `number`; its top left corner is at a pixel.
    pub fn draw_glyph(
        &mut self,
        mask: &GlyphMask,
        left: i64,
        top: i64,
        colour: [u8; 4],
        number: u8,
    ) {
        let Some(area) = self.overlap(left, top, mask.width, mask.height) else { return };
        for row in area.rows() {
            let from = mask.row(row, area.skip_x, area.columns);
            let (to, numbers) = self.row_part(top + i64::from(row), area.left, area.columns);
            for ((to, below), &cover) in to.chunks_exact_mut(4).zip(numbers).zip(from) {
                let alpha = scale_channel(cover, colour[3]);
                if alpha > 0 {
                    for channel in 0..3 {
                        let kept = scale_channel(to[channel], 255 - alpha);
                        to[channel] = kept.saturating_add(scale_channel(colour[channel], alpha));
                    }
                    *below = if alpha == 255 { number } else { UNKNOWN };
                }
            }
        }
    }

    /// Draws a line along points, with round corners and an optional arrow head.
    pub fn draw_trail(&mut self, trail: &Trail, colour: [u8; 4], scale: f32) {
        let line = TrailShape::from_trail(trail, scale);
        for (left, top, right, bottom) in line.bounding_boxes() {
            self.clear_numbers(left, top, right, bottom);
        }
        let (width, height) = self.image.dimensions();
        if let Some(mut pixmap) = PixmapMut::from_bytes(&mut self.image, width, height) {
            line.draw(&mut pixmap, colour);
        }
    }

    /// Returns the part of a rectangle that is on the canvas.
    fn overlap(&self, left: i64, top: i64, width: u32, height: u32) -> Option<CanvasOverlap> {
        let right = left + i64::from(width);
        let bottom = top + i64::from(height);
        let x = left.max(0)..right.min(i64::from(self.image.width()));
        let y = top.max(0)..bottom.min(i64::from(self.image.height()));
        (!x.is_empty() && !y.is_empty()).then(|| CanvasOverlap {
            left: x.start as usize,
            skip_x: (x.start - left) as usize,
            columns: (x.end - x.start) as usize,
            first_row: (y.start - top) as u32,
            end_row: (y.end - top) as u32,
        })
    }

    /// Returns the pixels and colour numbers of a part of a row.
    fn row_part(&mut self, y: i64, left: usize, columns: usize) -> (&mut [u8], &mut [u8]) {
        let start = y as usize * self.image.width() as usize + left;
        let pixels: &mut [u8] = &mut self.image;
        let pixels = &mut pixels[4 * start..4 * (start + columns)];
        (pixels, &mut self.numbers[start..start + columns])
    }

    /// Clears the colour numbers in a rectangle.
    fn clear_numbers(&mut self, left: f32, top: f32, right: f32, bottom: f32) {
        let (width, height) = self.image.dimensions();
        let columns = (left.max(0.0) as usize)..(right.max(0.0) as usize).min(width as usize);
        let rows = (top.max(0.0) as usize)..(bottom.max(0.0) as usize).min(height as usize);
        if !columns.is_empty() {
            for row in rows {
                let start = row * width as usize;
                self.numbers[start + columns.start..start + columns.end].fill(UNKNOWN);
            }
        }
    }
}

/// The overlap of a rectangle with the canvas, in pixels.
struct CanvasOverlap {
    /// The left edge on the canvas.
    left: usize,
    /// The number of columns of the rectangle to the left of the canvas.
    skip_x: usize,
    columns: usize,
    /// The rows of the rectangle.
    first_row: u32,
    end_row: u32,
}

impl CanvasOverlap {
    fn rows(&self) -> std::ops::Range<u32> {
        self.first_row..self.end_row
    }
}

/// Returns `value` times `share` / 255, rounded.
fn scale_channel(value: u8, share: u8) -> u8 {
    let product = u32::from(value) * u32::from(share) + 128;
    ((product + (product >> 8)) >> 8) as u8
}
