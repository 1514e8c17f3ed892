//! Draws lines along points: the path of a move, an arrow.

use resvg::tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, PixmapMut, Stroke, Transform,
};

use caravanserai_games::scene::Trail;

/// The maximum number of corners, more than any trail needs.
const TRAIL_CORNERS_MAX: usize = 1_000;

/// The length of an arrow head, in thicknesses of its line.
const HEAD_LENGTH: f32 = 2.6;

/// Half the width of an arrow head, as part of its length.
const HEAD_HALF_WIDTH: f32 = 0.62;

/// A trail in pixels.
pub struct TrailShape {
    points: Vec<(f32, f32)>,
    thickness: f32,
    arrow: bool,
}

impl TrailShape {
    /// Scales the trail to this number of pixels per unit.
    pub fn from_trail(trail: &Trail, scale: f32) -> Self {
        let points = trail.points.iter().take(TRAIL_CORNERS_MAX);
        let mut points: Vec<(f32, f32)> =
            points.map(|point| (f32::from(point.x) * scale, f32::from(point.y) * scale)).collect();
        points.dedup();
        let thickness = (f32::from(trail.width) * scale).max(1.0);
        Self { points, thickness, arrow: trail.arrow }
    }

    /// The rectangles (left, top, right, bottom) that contain everything drawn.
    pub fn bounding_boxes(&self) -> impl Iterator<Item = (f32, f32, f32, f32)> {
        let around = |(ax, ay): (f32, f32), (bx, by): (f32, f32), reach: f32| {
            (ax.min(bx) - reach, ay.min(by) - reach, ax.max(bx) + reach, ay.max(by) + reach)
        };
        let thin = self.thickness / 2.0 + 2.0;
        let head = self.thickness * HEAD_LENGTH + 2.0;
        let line = self.points.windows(2).map(move |pair| around(pair[0], pair[1], thin));
        line.chain(self.points.last().map(move |&tip| around(tip, tip, head)))
    }

    /// Draws the trail in a colour.
    pub fn draw(mut self, pixmap: &mut PixmapMut, [r, g, b, a]: [u8; 4]) {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(Color::from_rgba8(r, g, b, a));
        let head = if self.arrow { self.cut_arrow_head() } else { None };
        if let Some(path) = build_path(&self.points) {
            let stroke = Stroke {
                width: self.thickness,
                line_cap: if self.arrow { LineCap::Butt } else { LineCap::Round },
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            pixmap.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
        if let Some(head) = head.and_then(|corners| build_path(&corners)) {
            pixmap.fill_path(&head, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Returns the line and its head as SVG paths, in whole units; the path of the head is empty if
    /// there is none.
    pub fn into_svg_paths(mut self) -> (String, String) {
        let head = if self.arrow { self.cut_arrow_head() } else { None };
        let path = |points: &[(f32, f32)]| {
            let point = |it: &(f32, f32)| format!("{:.0} {:.0}", it.0, it.1);
            let all: Vec<String> = points.iter().map(point).collect();
            if all.is_empty() { String::new() } else { format!("M{}", all.join("L")) }
        };
        (path(&self.points), head.map_or_else(String::new, |it| path(&it)))
    }

    /// Shortens the line to make room for an arrow head, and returns the corners of the head.
    fn cut_arrow_head(&mut self) -> Option<[(f32, f32); 3]> {
        let [.., from, tip] = self.points.as_mut_slice() else { return None };
        let dx = tip.0 - from.0;
        let dy = tip.1 - from.1;
        let length = dx.hypot(dy);
        let head = (self.thickness * HEAD_LENGTH).min(length);
        let ux = dx / length;
        let uy = dy / length;
        let base = (tip.0 - ux * head, tip.1 - uy * head);
        let half = head * HEAD_HALF_WIDTH;
        let left = (base.0 - uy * half, base.1 + ux * half);
        let right = (base.0 + uy * half, base.1 - ux * half);
        let corners = [*tip, left, right];
        *tip = base;
        Some(corners)
    }
}

fn build_path(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (&(x, y), rest) = points.split_first()?;
    path.move_to(x, y);
    for &(x, y) in rest {
        path.line_to(x, y);
    }
    path.finish()
}
