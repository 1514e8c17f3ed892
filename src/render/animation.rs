//! Renders scenes as an animated GIF.
//!
//! All frames use the colours of the game, so one colour table serves all of them. A frame has only
//! the rectangle that changed, with its unchanged pixels transparent: this gives long runs of one
//! number, which compress well.

use std::borrow::Cow;
use std::sync::Arc;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::canvas::CanvasBuffers;
use super::{PaletteSprites, Renderer, ThemeRenderer, size_px, standard_width};
use caravanserai_games::scene::{Scene, SceneFrame};

/// The number that means "unchanged": the number of [`super::palette::UNKNOWN`] while a picture is
/// drawn.
const UNCHANGED: u8 = 255;

/// The widths in pixels of animations: for the longest ones, and for those that are short enough
/// for the larger width. Both are legible on a phone.
pub const ANIMATION_WIDTHS: (u32, u32) = (400, 640);

/// The maximum number of frames in full width. Longer animations have the same total of pixels,
/// which keeps the file below 3 MB.
const FULL_WIDTH_FRAMES_MAX: usize = 120;

/// The number of frames drawn before other pictures get a turn.
const FRAMES_PER_TASK: usize = 8;

/// The width in pixels of an animation with this many frames.
pub fn animation_width(scene: &Scene, stills: usize) -> u32 {
    let (narrow, wide) = ANIMATION_WIDTHS;
    let share = (FULL_WIDTH_FRAMES_MAX as f64 / stills.max(FULL_WIDTH_FRAMES_MAX) as f64).sqrt();
    standard_width(scene).min(((f64::from(wide) * share) as u32).max(narrow))
}

/// An animation under construction.
pub struct Animation {
    theme: String,
    /// The palette of the first frame, used for all frames.
    palette_number: usize,
    /// The size of the first frame, and so of the animation, in pixels.
    size: (u32, u32),
    encoder: Encoder<Vec<u8>>,
    /// The colour numbers that are visible now.
    shown: Vec<u8>,
    buffers: CanvasBuffers,
    /// The last frame, whose duration can still be extended.
    last: Option<Frame<'static>>,
}

impl Renderer {
    /// Begins an animation whose first scene looks like this, `width` pixels wide.
    pub fn begin_animation(&self, first: &Scene, theme: &str, width: u32) -> Animation {
        let theme_renderer = self.theme_renderer(theme);
        let palette_number = theme_renderer.palette_number(first);
        let (width, height, _) = size_px(first, width);
        let colours = theme_renderer.palette_sprites(palette_number).palette.colour_table();
        let size = |side: u32| u16::try_from(side).expect("the sides of a picture are limited");
        let mut encoder = Encoder::new(Vec::new(), size(width), size(height), &colours)
            .expect("writing to memory cannot fail and there are at most 256 colours");
        encoder.set_repeat(Repeat::Infinite).expect("writing to memory cannot fail");
        Animation {
            theme: theme.to_owned(),
            palette_number,
            size: (width, height),
            encoder,
            shown: Vec::new(),
            buffers: self.spare_buffers.lock().pop().unwrap_or_default(),
            last: None,
        }
    }

    /// Renders all scenes as an animated GIF that loops. `drawn` receives the number of finished
    /// frames.
    ///
    /// Takes up to seconds of computing: async code calls [`Renderer::animate_async`].
    pub fn animate(
        &self,
        stills: &[SceneFrame],
        theme: &str,
        width: u32,
        mut drawn: impl FnMut(usize),
    ) -> Vec<u8> {
        let Some(first) = stills.first() else { return Vec::new() };
        let mut film = self.begin_animation(&first.scene, theme, width);
        for (n, still) in stills.iter().enumerate() {
            self.add_frame(&mut film, still);
            drawn(n + 1);
        }
        film.finish()
    }

    /// Does the same as [`Renderer::animate`] off the async threads, a few frames at a time, so
    /// that boards are drawn in between. Returns `None` after a panic, which is logged.
    pub async fn animate_async(
        self: &Arc<Self>,
        stills: Vec<SceneFrame>,
        theme: String,
        width: u32,
    ) -> Option<Vec<u8>> {
        if self.is_sketching {
            let all = stills.iter().map(|still| super::sketch(&still.scene, &theme));
            return Some(all.collect::<String>().into_bytes());
        }
        let mut film = self.begin_animation(&stills.first()?.scene, &theme, width);
        let mut stills = stills.into_iter();
        loop {
            let part: Vec<SceneFrame> = stills.by_ref().take(FRAMES_PER_TASK).collect();
            if part.is_empty() {
                return Some(film.finish());
            }
            let turn = Arc::clone(&self.permits).acquire_owned().await;
            let this = Arc::clone(self);
            let shot = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                part.iter().for_each(|still| this.add_frame(&mut film, still));
                film
            });
            match shot.await {
                Ok(more) => film = more,
                Err(error) => {
                    tracing::error!(%error, "failed to draw a replay");
                    return None;
                }
            }
        }
    }

    /// Adds a frame. A frame equal to the previous one extends that one.
    pub fn add_frame(&self, film: &mut Animation, still: &SceneFrame) {
        let theme_renderer = self.theme_renderer(&film.theme);
        let palette_sprites = theme_renderer.palette_sprites(film.palette_number);
        self.compose_frame(film, &still.scene, theme_renderer, palette_sprites);
        let (_, numbers) = &film.buffers;
        let (width, height) = film.size;
        let whole = film.shown.is_empty();
        let changed = if whole {
            Some(ChangedRect { left: 0, top: 0, right: width as usize, bottom: height as usize })
        } else {
            changed_rect(&film.shown, numbers, width as usize)
        };
        let Some(area) = changed else {
            if let Some(last) = &mut film.last {
                last.delay = last.delay.saturating_add(still.hold_cs);
            }
            return;
        };
        let frame = area.encode_frame(&film.shown, numbers, width as usize, still.hold_cs);
        film.shown.clone_from(numbers);
        film.write_frame(frame);
    }

    /// Draws a scene scaled to the size of the animation, centred if its shape differs.
    fn compose_frame(
        &self,
        film: &mut Animation,
        scene: &Scene,
        theme_renderer: &ThemeRenderer,
        palette_sprites: &PaletteSprites,
    ) {
        let (width, height) = film.size;
        let narrow = u64::from(height) * u64::from(scene.width.max(1));
        let fitting = (narrow / u64::from(scene.height.max(1))).clamp(1, u64::from(width)) as u32;
        let (_, natural, _) = size_px(scene, width);
        let drawn = if natural <= height { width } else { fitting };
        let buffers = std::mem::take(&mut film.buffers);
        let (canvas, w, h) = self.compose(scene, theme_renderer, palette_sprites, drawn, buffers);
        let (pixels, mut numbers) = canvas.into_buffers();
        palette_sprites.palette.resolve(&pixels, &mut numbers);
        if (w, h) != film.size {
            let background = palette_sprites.palette.nearest_number(theme_renderer.theme.ground);
            numbers = center_numbers(&numbers, (w as usize, h as usize), film.size, background);
        }
        film.buffers = (pixels, numbers);
    }
}

impl Animation {
    fn write_frame(&mut self, frame: Frame<'static>) {
        if let Some(last) = self.last.replace(frame) {
            self.encoder.write_frame(&last).expect("writing to memory cannot fail");
        }
    }

    /// Finishes the file and returns its bytes.
    pub fn finish(mut self) -> Vec<u8> {
        if let Some(last) = self.last.take() {
            self.encoder.write_frame(&last).expect("writing to memory cannot fail");
        }
        self.encoder.into_inner().expect("writing to memory cannot fail")
    }
}

/// Centres the colour numbers of a picture in a larger one.
fn center_numbers(
    numbers: &[u8],
    (width, height): (usize, usize),
    (whole_width, whole_height): (u32, u32),
    background: u8,
) -> Vec<u8> {
    let whole_width = whole_width as usize;
    let whole_height = whole_height as usize;
    let mut whole = vec![background; whole_width * whole_height];
    let left = whole_width.saturating_sub(width) / 2;
    let top = whole_height.saturating_sub(height) / 2;
    let columns = width.min(whole_width);
    let rows = whole.chunks_exact_mut(whole_width).skip(top);
    for (to, from) in rows.zip(numbers.chunks_exact(width)) {
        to[left..left + columns].copy_from_slice(&from[..columns]);
    }
    whole
}

/// The rectangle in which two frames differ.
struct ChangedRect {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// Returns the rectangle in which two frames differ; `None` when they are equal.
fn changed_rect(before: &[u8], after: &[u8], width: usize) -> Option<ChangedRect> {
    let rows = || before.chunks_exact(width).zip(after.chunks_exact(width)).enumerate();
    let differs = |(y, (before, after)): (usize, (&[u8], &[u8]))| (before != after).then_some(y);
    let top = rows().find_map(differs)?;
    let bottom = rows().filter_map(differs).next_back()? + 1;
    let mut left = width;
    let mut right = 0;
    for (_, (before, after)) in rows().skip(top).take(bottom - top) {
        let unlike = |x: &usize| before[*x] != after[*x];
        left = (0..left).find(unlike).unwrap_or(left);
        right = (right..width).rev().find(unlike).map_or(right, |x| x + 1);
    }
    Some(ChangedRect { left, top, right, bottom })
}

impl ChangedRect {
    fn encode_frame(
        &self,
        before: &[u8],
        after: &[u8],
        width: usize,
        hold_cs: u16,
    ) -> Frame<'static> {
        let size = |side: usize| u16::try_from(side).expect("the sides of a picture are limited");
        let mut buffer = Vec::with_capacity((self.right - self.left) * (self.bottom - self.top));
        for y in self.top..self.bottom {
            let row = y * width + self.left..y * width + self.right;
            match before.get(row.clone()) {
                None => buffer.extend_from_slice(&after[row]),
                Some(before) => {
                    let pixels = before.iter().zip(&after[row]);
                    buffer
                        .extend(pixels.map(|(old, new)| if old == new { UNCHANGED } else { *new }));
                }
            }
        }
        Frame {
            delay: hold_cs,
            dispose: DisposalMethod::Keep,
            transparent: (!before.is_empty()).then_some(UNCHANGED),
            left: size(self.left),
            top: size(self.top),
            width: size(self.right - self.left),
            height: size(self.bottom - self.top),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_films_are_smaller() {
        let scene = Scene::new(1080, 660);
        let widths = [2, 120, 151, 300, 400].map(|stills| animation_width(&scene, stills));
        assert_eq!(widths, [640, 640, 570, 404, 400]);
    }

    #[test]
    fn the_changed_rectangle_is_tight() {
        let before = [0; 20];
        let mut after = before;
        (after[7], after[13]) = (1, 2);
        let area = changed_rect(&before, &after, 5).unwrap();
        assert_eq!((area.left, area.top, area.right, area.bottom), (2, 1, 4, 3));
        let frame = area.encode_frame(&before, &after, 5, 7);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (2, 1, 2, 2));
        assert_eq!(frame.buffer.as_ref(), [1, UNCHANGED, UNCHANGED, 2]);
        assert!(changed_rect(&before, &before, 5).is_none());
    }

    #[test]
    fn a_smaller_picture_lies_in_the_middle() {
        let whole = center_numbers(&[1, 2, 3, 4], (2, 2), (4, 4), 9);
        assert_eq!(whole, [9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9]);
    }
}
