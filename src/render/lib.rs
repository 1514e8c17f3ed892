//! Renders a [`Scene`] as a PNG picture.
//!
//! Themes are in `templates/art/<theme>/`: one SVG file for each sprite, and `theme.toml` with the
//! colours. The renderer turns each drawing into a sprite of the required size once. It then
//! composes a picture of sprites, cached letters and lines, reduces it to 255 colours and encodes
//! it. A theme states which drawings are seen together: each game has colours of its own.
//!
//! Nothing here knows a game. Every scene results in a picture: a drawing that the theme lacks is
//! shown as a neutral placeholder and logged.
//!
//! Start reading at [`Renderer::draw`]; then `canvas`, `theme`, `text`, `palette`.

mod animation;
mod builtin_themes;
mod canvas;
mod palette;
mod picture_cache;
mod sketch;
mod sprites;
mod text;
mod text_shaping;
mod theme;
mod theme_preview;
mod trail;
mod vector;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use canvas::{Background, Canvas, CanvasBuffers};
use caravanserai_games::scene::{Scene, SceneItem};
use caravanserai_games::vector_scene::VectorScene;
use palette::Palette;
use picture_cache::PictureCache;
use sprites::Sprites;
use vector::SpriteSheet;

pub use animation::{ANIMATION_WIDTHS, Animation, animation_width};
pub use builtin_themes::THEMES;
pub use sketch::sketch;
pub use text::{FittedLabel, Fonts, NAME_PLACEHOLDER};
pub use theme::{Ink, Theme, ThemeError, ThemeFiles};

/// The default theme of every chat.
pub const DEFAULT_THEME: &str = "wood";

/// The width in pixels of an ordinary board: about the largest that chat programs show without
/// loss.
pub const STANDARD_WIDTH: u32 = 1080;

/// The number of pixels of a picture at [`standard_width`]: as many as can be drawn in 4 ms.
const STANDARD_PIXELS: f64 = 720_000.0;

/// The width in pixels of a hand of cards, which has to be ready in half the time of a board.
pub const HAND_WIDTH: u32 = 720;

/// The minimum and maximum width and height of pictures, in pixels.
const SIDE_LIMITS: (u32, u32) = (16, 4096);

/// The maximum number of finished pictures in the cache.
const CACHED_PICTURES_MAX: usize = 256;

/// The maximum number of buffers kept for reuse by the next pictures.
const SPARE_BUFFERS_MAX: usize = 4;

/// Draws scenes. It is cheap to share and safe to use from many threads at once.
pub struct Renderer {
    theme_renderers: BTreeMap<String, ThemeRenderer>,
    fonts: Fonts,
    cache: Mutex<PictureCache>,
    spare_buffers: Mutex<Vec<CanvasBuffers>>,
    permits: Arc<Semaphore>,
    /// Whether async callers get text sketches instead of pictures, see
    /// [`Renderer::with_sketches`].
    is_sketching: bool,
}

/// A theme that is ready to draw with.
struct ThemeRenderer {
    theme: Theme,
    /// The drawings for browsers, made at the first request.
    sheets: OnceLock<Vec<SpriteSheet>>,
    /// The sprites for each of the theme's palettes, made when a picture first needs them.
    palettes: Vec<OnceLock<PaletteSprites>>,
}

/// A palette, and the sprites drawn with it.
struct PaletteSprites {
    sprites: Sprites,
    palette: Palette,
}

impl Renderer {
    /// Creates a renderer with the built-in themes.
    ///
    /// # Errors
    /// When a drawing or a colour file of the templates cannot be parsed.
    pub fn embedded() -> Result<Self, ThemeError> {
        let read = |files| Theme::read(files, builtin_themes::THEMES);
        Self::new(builtin_themes::THEMES.iter().map(read).collect::<Result<_, _>>()?)
    }

    /// Creates a renderer with the built-in themes and additional drawings, by the name of the
    /// theme.
    ///
    /// # Errors
    /// When a drawing or a colour file cannot be parsed.
    pub fn embedded_with(more: &[ThemeFiles<'_>]) -> Result<Self, ThemeError> {
        let with = |files: &ThemeFiles<'static>| {
            let more = more.iter().filter(|it| it.name == files.name);
            files.drawings.iter().chain(more.flat_map(|it| it.drawings)).copied().collect()
        };
        let drawings: Vec<Vec<_>> = builtin_themes::THEMES.iter().map(with).collect();
        let joined: Vec<ThemeFiles<'_>> = builtin_themes::THEMES
            .iter()
            .zip(&drawings)
            .map(|(files, drawings)| ThemeFiles { drawings, ..*files })
            .collect();
        Self::new(joined.iter().map(|it| Theme::read(it, &joined)).collect::<Result<_, _>>()?)
    }

    /// Creates a renderer with these themes; the first one replaces a theme that does not exist.
    ///
    /// # Errors
    /// When there is no theme.
    pub fn new(themes: Vec<Theme>) -> Result<Self, ThemeError> {
        if themes.is_empty() {
            return Err(ThemeError::NoTheme);
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            theme_renderers: themes
                .into_iter()
                .map(|it| (it.name.clone(), ThemeRenderer::new(it)))
                .collect(),
            fonts: Fonts::embedded(),
            cache: Mutex::new(PictureCache::new(CACHED_PICTURES_MAX)),
            spare_buffers: Mutex::default(),
            // One core stays free for deciding and committing, for which users wait.
            permits: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
            is_sketching: false,
        })
    }

    /// Changes the renderer for simulations: async callers get text boards instead of pictures,
    /// and all work runs on the calling thread, so that a simulated world has the same result each
    /// time.
    #[must_use]
    pub fn with_sketches(self) -> Self {
        Self { is_sketching: true, ..self }
    }

    /// Runs a long computation off the async threads.
    ///
    /// # Errors
    /// When it panicked.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, tokio::task::JoinError> {
        if self.is_sketching {
            return Ok(work());
        }
        tokio::task::spawn_blocking(work).await
    }

    /// Computes the palettes of a theme now, so that its first pictures need not wait. Takes a
    /// tenth of a second of computing.
    pub fn warm_up(&self, theme: &str) {
        let theme_renderer = self.theme_renderer(theme);
        std::thread::scope(|scope| {
            for number in 0..theme_renderer.palettes.len() {
                scope.spawn(move || theme_renderer.palette_sprites(number));
            }
        });
    }

    /// The themes, by name.
    pub fn themes(&self) -> impl Iterator<Item = &Theme> {
        self.theme_renderers.values().map(|theme_renderer| &theme_renderer.theme)
    }

    /// The fonts that it draws text with.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Draws the scene as a PNG file, `width` pixels wide and as high as its shape requires.
    ///
    /// Takes milliseconds of computing: async code calls [`Renderer::draw_async`].
    pub fn draw(&self, scene: &Scene, theme: &str, width: u32) -> Arc<Vec<u8>> {
        let key = picture_cache::PictureKey::for_scene(scene, theme, width);
        if let Some(png) = self.cache.lock().get(&key, scene) {
            return png;
        }
        let png = Arc::new(self.draw_uncached(scene, theme, width));
        self.cache.lock().put(key, scene, Arc::clone(&png));
        png
    }

    /// Draws the scene without the picture cache, for measuring.
    pub fn draw_uncached(&self, scene: &Scene, theme: &str, width: u32) -> Vec<u8> {
        let buffers = self.spare_buffers.lock().pop().unwrap_or_default();
        let theme_renderer = self.theme_renderer(theme);
        let palette_sprites = theme_renderer.palette_sprites_for(scene);
        let (canvas, width, height) =
            self.compose(scene, theme_renderer, palette_sprites, width, buffers);
        let (pixels, mut numbers) = canvas.into_buffers();
        let palette = &palette_sprites.palette;
        palette.resolve(&pixels, &mut numbers);
        let png = palette.encode(&numbers, width, height);
        let mut spare = self.spare_buffers.lock();
        if spare.len() < SPARE_BUFFERS_MAX {
            spare.push((pixels, numbers));
        }
        png
    }

    /// Draws the scene as full-colour pixels (RGBA, row by row), before the reduction to the
    /// colours of the theme, with its width and height: for animations and for tests.
    pub fn pixels(&self, scene: &Scene, theme: &str, width: u32) -> (Vec<u8>, u32, u32) {
        let theme_renderer = self.theme_renderer(theme);
        let palette_sprites = theme_renderer.palette_sprites_for(scene);
        let buffers = CanvasBuffers::default();
        let (canvas, width, height) =
            self.compose(scene, theme_renderer, palette_sprites, width, buffers);
        (canvas.into_buffers().0, width, height)
    }

    /// Returns the scene as vectors, for browsers that draw it.
    pub fn vector(&self, scene: &Scene, theme: &str) -> VectorScene {
        let theme_renderer = self.theme_renderer(theme);
        vector::vector_scene(scene, &theme_renderer.theme, &self.fonts, theme_renderer.sheets())
    }

    /// Returns a sheet that a [`VectorScene`] names: an SVG with a symbol for each drawing.
    pub fn sheet(&self, name: &str) -> Option<&str> {
        let theme = name.split('-').next()?;
        let sheets = self.theme_renderers.get(theme)?.sheets();
        sheets.iter().find(|it| it.name == name).map(|it| it.svg.as_str())
    }

    fn compose(
        &self,
        scene: &Scene,
        theme_renderer: &ThemeRenderer,
        palette_sprites: &PaletteSprites,
        width: u32,
        buffers: CanvasBuffers,
    ) -> (Canvas, u32, u32) {
        let (width, height, scale) = size_px(scene, width);
        let background = theme_renderer.background(scene, palette_sprites, scale, (width, height));
        let mut canvas = Canvas::new(buffers, (width, height), background);
        for item in &scene.items {
            theme_renderer.draw_item(item, palette_sprites, &self.fonts, scale, &mut canvas);
        }
        (canvas, width, height)
    }

    /// Does the same as [`Renderer::draw`] off the async threads. One core always stays free, so
    /// that a burst of pictures cannot block everything else.
    pub async fn draw_async(
        self: &Arc<Self>,
        scene: Scene,
        theme: String,
        width: u32,
    ) -> Arc<Vec<u8>> {
        if self.is_sketching {
            return Arc::new(sketch(&scene, &theme).into_bytes());
        }
        let key = picture_cache::PictureKey::for_scene(&scene, &theme, width);
        if let Some(png) = self.cache.lock().get(&key, &scene) {
            return png;
        }
        let turn = Arc::clone(&self.permits).acquire_owned().await;
        let this = Arc::clone(self);
        let drawn = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            this.draw(&scene, &theme, width)
        });
        match drawn.await {
            Ok(png) => png,
            Err(error) => {
                tracing::error!(%error, "failed to draw a picture");
                Arc::new(self.draw_uncached(&Scene::new(16, 9), DEFAULT_THEME, SIDE_LIMITS.0))
            }
        }
    }

    fn theme_renderer(&self, theme: &str) -> &ThemeRenderer {
        self.theme_renderers
            .get(theme)
            .or_else(|| self.theme_renderers.get(DEFAULT_THEME))
            .or_else(|| self.theme_renderers.values().next())
            .expect("a renderer has at least one theme")
    }
}

impl ThemeRenderer {
    fn new(theme: Theme) -> Self {
        let palettes = (0..theme.palette_count()).map(|_| OnceLock::new()).collect();
        Self { theme, sheets: OnceLock::new(), palettes }
    }

    fn sheets(&self) -> &[SpriteSheet] {
        self.sheets.get_or_init(|| vector::build_sheets(&self.theme))
    }

    /// Returns the sprites of a palette; computing its colours takes some 40 ms once.
    fn palette_sprites(&self, number: usize) -> &PaletteSprites {
        self.palettes[number].get_or_init(|| {
            let palette = Palette::of_theme(&self.theme, number);
            PaletteSprites { sprites: Sprites::default(), palette }
        })
    }

    /// Returns the palette sprites for a scene; its first drawing that belongs to one palette
    /// decides.
    fn palette_sprites_for(&self, scene: &Scene) -> &PaletteSprites {
        self.palette_sprites(self.palette_number(scene))
    }

    fn palette_number(&self, scene: &Scene) -> usize {
        let number = scene.items.iter().find_map(|item| match item {
            SceneItem::Sprite(sprite) => self.theme.palette_of(&sprite.name),
            SceneItem::Label(_) | SceneItem::Trail(_) => None,
        });
        number.unwrap_or(0)
    }

    /// Returns the background below the scene: none, if the scene begins with a board that fills
    /// the canvas.
    fn background(
        &self,
        scene: &Scene,
        palette_sprites: &PaletteSprites,
        scale: f32,
        (width, height): (u32, u32),
    ) -> Background {
        let colour = Background::Colour(self.theme.ground);
        let Some(SceneItem::Sprite(first)) = scene.items.first() else { return colour };
        let in_the_middle = i32::from(first.at.x) * 2 == i32::from(scene.width)
            && i32::from(first.at.y) * 2 == i32::from(scene.height);
        if !in_the_middle {
            return colour;
        }
        let side = width.max(height);
        match palette_sprites.sprites.get(&self.theme, &palette_sprites.palette, first, scale, side)
        {
            Some(it) if (it.width, it.height) == (width, height) && it.is_opaque() => {
                Background::Covered
            }
            Some(_) | None => colour,
        }
    }

    fn draw_item(
        &self,
        item: &SceneItem,
        palette_sprites: &PaletteSprites,
        fonts: &Fonts,
        scale: f32,
        canvas: &mut Canvas,
    ) {
        match item {
            SceneItem::Sprite(sprite) => {
                let side = canvas.longer_side();
                let bitmap = palette_sprites.sprites.get(
                    &self.theme,
                    &palette_sprites.palette,
                    sprite,
                    scale,
                    side,
                );
                if let Some(bitmap) = bitmap {
                    canvas.draw_sprite(&bitmap, sprite.at, scale);
                }
            }
            SceneItem::Label(label) => {
                let colour = self.theme.ink(&label.ink).colour;
                let number =
                    palette_sprites.palette.nearest_number([colour[0], colour[1], colour[2]]);
                fonts.place_glyphs(label, scale, |mask, x, y| {
                    canvas.draw_glyph(mask, x, y, colour, number)
                });
            }
            SceneItem::Trail(trail) => {
                canvas.draw_trail(trail, self.theme.ink(&trail.ink).colour, scale)
            }
        }
    }
}

/// The width in pixels of a board to send: [`STANDARD_WIDTH`], or less when the board is so high
/// that drawing and sending it would take too long.
pub fn standard_width(scene: &Scene) -> u32 {
    let shape = f64::from(scene.width.max(1)) / f64::from(scene.height.max(1));
    ((STANDARD_PIXELS * shape).sqrt() as u32).clamp(SIDE_LIMITS.0, STANDARD_WIDTH)
}

/// Returns the width and height of the picture, and the pixels per unit.
fn size_px(scene: &Scene, width: u32) -> (u32, u32, f32) {
    let width = width.clamp(SIDE_LIMITS.0, SIDE_LIMITS.1);
    let scale = width as f32 / f32::from(scene.width.max(1));
    let height = (f32::from(scene.height) * scale).round() as u32;
    (width, height.clamp(SIDE_LIMITS.0, SIDE_LIMITS.1), scale)
}
