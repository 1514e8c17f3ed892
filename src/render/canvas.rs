//! The sheet of pixels: sprites, letters and lines are laid on it.

use image::RgbaImage;
use resvg::tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, PixmapMut, Stroke, Transform,
};

use super::sprites::Stamp;
use super::text::Mask;
use crate::scene::{Point, Trail};

/// More corners than any trail needs.
const CORNERS_MAX: usize = 1_000;

/// An opaque picture in the making.
pub struct Canvas {
    image: RgbaImage,
}

impl Canvas {
    /// A sheet in one colour that uses the memory of an older one.
    pub fn new(mut memory: Vec<u8>, width: u32, height: u32, ground: [u8; 3]) -> Self {
        let [r, g, b] = ground;
        let size = width as usize * height as usize * 4;
        memory.resize(size, 0);
        memory.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&[r, g, b, 255]));
        let image = RgbaImage::from_raw(width, height, memory)
            .expect("the memory has been brought to this size");
        Self { image }
    }

    /// The longer side in pixels.
    pub fn side(&self) -> u32 {
        self.image.width().max(self.image.height())
    }

    /// The pixels, row by row, four bytes each.
    pub fn into_pixels(self) -> Vec<u8> {
        self.image.into_raw()
    }

    /// Lays a sprite with its centre at a point of the scene.
    pub fn stamp(&mut self, stamp: &Stamp, at: Point, scale: f32) {
        let corner =
            |centre: i16, side: u32| (f32::from(centre) * scale - side as f32 / 2.0).round() as i64;
        let (left, top) = (corner(at.x, stamp.width), corner(at.y, stamp.height));
        let Some(area) = self.overlap(left, top, stamp.width, stamp.height) else { return };
        for row in area.rows() {
            let from = stamp.row(row, area.skip_x, area.columns);
            let to = self.row(top + i64::from(row), area.left, area.columns);
            if stamp.opaque {
                to.copy_from_slice(from);
                continue;
            }
            for (to, from) in to.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
                match from[3] {
                    0 => {}
                    255 => to.copy_from_slice(from),
                    alpha => {
                        for channel in 0..3 {
                            to[channel] =
                                from[channel].saturating_add(part(to[channel], 255 - alpha));
                        }
                    }
                }
            }
        }
    }

    /// Lays the shape of a letter in a colour, with its corner at a pixel.
    pub fn tint(&mut self, mask: &Mask, left: i64, top: i64, colour: [u8; 4]) {
        let Some(area) = self.overlap(left, top, mask.width, mask.height) else { return };
        for row in area.rows() {
            let from = mask.row(row, area.skip_x, area.columns);
            let to = self.row(top + i64::from(row), area.left, area.columns);
            for (to, &cover) in to.chunks_exact_mut(4).zip(from) {
                let alpha = part(cover, colour[3]);
                if alpha > 0 {
                    for channel in 0..3 {
                        let kept = part(to[channel], 255 - alpha);
                        to[channel] = kept.saturating_add(part(colour[channel], alpha));
                    }
                }
            }
        }
    }

    /// Draws a line along points, with round corners and perhaps an arrow head.
    pub fn trail(&mut self, trail: &Trail, colour: [u8; 4], scale: f32) {
        let mut points: Vec<(f32, f32)> = trail
            .points
            .iter()
            .take(CORNERS_MAX)
            .map(|point| (f32::from(point.x) * scale, f32::from(point.y) * scale))
            .collect();
        points.dedup();
        let thickness = (f32::from(trail.width) * scale).max(1.0);
        let (width, height) = self.image.dimensions();
        let Some(mut pixmap) = PixmapMut::from_bytes(&mut self.image, width, height) else {
            return;
        };
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        let [r, g, b, a] = colour;
        paint.set_color(Color::from_rgba8(r, g, b, a));
        let head = if trail.arrow { arrow_head(&mut points, thickness) } else { None };
        let mut line = PathBuilder::new();
        for (n, &(x, y)) in points.iter().enumerate() {
            if n == 0 { line.move_to(x, y) } else { line.line_to(x, y) }
        }
        if let Some(line) = line.finish() {
            let stroke = Stroke {
                width: thickness,
                line_cap: if trail.arrow { LineCap::Butt } else { LineCap::Round },
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            pixmap.stroke_path(&line, &paint, &stroke, Transform::identity(), None);
        }
        if let Some([a, b, c]) = head {
            let mut shape = PathBuilder::new();
            shape.move_to(a.0, a.1);
            shape.line_to(b.0, b.1);
            shape.line_to(c.0, c.1);
            shape.close();
            if let Some(shape) = shape.finish() {
                pixmap.fill_path(&shape, &paint, FillRule::Winding, Transform::identity(), None);
            }
        }
    }

    /// The part of a rectangle that lies on the sheet.
    fn overlap(&self, left: i64, top: i64, width: u32, height: u32) -> Option<Area> {
        let (right, bottom) = (left + i64::from(width), top + i64::from(height));
        let x = left.max(0)..right.min(i64::from(self.image.width()));
        let y = top.max(0)..bottom.min(i64::from(self.image.height()));
        (!x.is_empty() && !y.is_empty()).then(|| Area {
            left: x.start as usize,
            skip_x: (x.start - left) as usize,
            columns: (x.end - x.start) as usize,
            first_row: (y.start - top) as u32,
            end_row: (y.end - top) as u32,
        })
    }

    fn row(&mut self, y: i64, left: usize, columns: usize) -> &mut [u8] {
        let start = (y as usize * self.image.width() as usize + left) * 4;
        let pixels: &mut [u8] = &mut self.image;
        &mut pixels[start..start + columns * 4]
    }
}

/// Where a rectangle and the sheet overlap, in pixels.
struct Area {
    /// On the sheet.
    left: usize,
    /// Columns of the rectangle that are left of the sheet.
    skip_x: usize,
    columns: usize,
    /// Rows of the rectangle.
    first_row: u32,
    end_row: u32,
}

impl Area {
    fn rows(&self) -> std::ops::Range<u32> {
        self.first_row..self.end_row
    }
}

/// Shortens the line to make room for a head and gives the corners of the head.
fn arrow_head(points: &mut [(f32, f32)], thickness: f32) -> Option<[(f32, f32); 3]> {
    let [.., from, tip] = points else { return None };
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let length = dx.hypot(dy);
    let head = (thickness * 2.6).min(length);
    let (ux, uy) = (dx / length, dy / length);
    let base = (tip.0 - ux * head, tip.1 - uy * head);
    let half = head * 0.62;
    let corners =
        [*tip, (base.0 - uy * half, base.1 + ux * half), (base.0 + uy * half, base.1 - ux * half)];
    *tip = base;
    Some(corners)
}

/// `value` times `share` / 255, rounded.
fn part(value: u8, share: u8) -> u8 {
    let product = u32::from(value) * u32::from(share) + 128;
    ((product + (product >> 8)) >> 8) as u8
}
