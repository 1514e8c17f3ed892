//! Draws text: embedded fonts, a cache of glyph shapes, and names in any script.
//!
//! Names may have any characters. A name is drawn with the letters of the fonts (Latin, Greek,
//! Cyrillic with Kazakh, Armenian, Georgian, signs; Hebrew, Arabic and the scripts of India are
//! shaped by `text_shaping`). Ornamental variants of Latin letters become plain ones. Other
//! characters (emoji, other scripts) are omitted; a name without drawable characters becomes a
//! neutral mark.
//! Missing-glyph boxes are never drawn.

use std::collections::HashMap;
use std::sync::Arc;

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathElement};
use harfrust::{Font, GlyphId};
use parking_lot::Mutex;

use super::text_shaping::{self, INDIC_BLOCKS, LineFont, PlacedGlyph};
use caravanserai_games::scene::{Align, FontWeight, SceneLabel};

const REGULAR: &[u8] = include_bytes!("../../templates/fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../templates/fonts/DejaVuSans-Bold.ttf");

/// The fonts for the scripts of India, in the order of [`text_shaping::INDIC_BLOCKS`].
const INDIC: [&[u8]; INDIC_BLOCKS.len()] = [
    include_bytes!("../../templates/fonts/Lohit-Devanagari.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Bengali.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Gurmukhi.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Gujarati.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Odia.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Tamil.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Telugu.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Kannada.ttf"),
    include_bytes!("../../templates/fonts/Lohit-Malayalam.ttf"),
];

/// Replaces a name without any drawable character.
pub const NAME_PLACEHOLDER: &str = "•";

/// The maximum number of characters of a label that are processed.
const LABEL_CHARS_MAX: usize = 200;

/// The maximum number of cached glyph shapes.
const CACHED_GLYPHS_MAX: usize = 4_000;

/// The maximum number of cached lines: numbers and names are drawn repeatedly.
const CACHED_LINES_MAX: usize = 4_000;

/// The height of a digit in DejaVu Sans as part of its em: 1493 of 2048.
const DIGIT_HEIGHT: f32 = 0.729;

/// The factor by which a text that is too wide shrinks before it is cut.
const SHRINK_MIN: f32 = 0.8;

/// Tolerance, so that rounding does not cut a text that just fits.
const ROUNDING_TOLERANCE: f32 = 1.001;

/// The maximum size of letters, in pixels; larger ones are drawn in this size.
const EM_PX_MAX: f32 = 2_000.0;

/// A glyph mask: how much of each pixel it covers.
pub struct GlyphMask {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    left: i64,
    top: i64,
    cover: Vec<u8>,
}

impl GlyphMask {
    /// A part of one row.
    pub fn row(&self, row: u32, skip: usize, columns: usize) -> &[u8] {
        let start = row as usize * self.width as usize + skip;
        &self.cover[start..start + columns]
    }
}

/// A glyph in a size and at a subpixel offset, both in quarters of a pixel.
type GlyphKey = (FontFace, GlyphId, u16, u8);

/// The glyphs of a text with their positions, and its width, in parts of the em.
type ShapedLine = Arc<(Vec<PlacedGlyph>, f32)>;

/// The font that a letter is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum FontFace {
    /// The default font in this weight.
    Usual(FontWeight),
    /// The font for a script of India, which has one weight.
    Indic(usize),
}

/// A label as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedLabel {
    /// The drawn letters; they end with `…` where the label was cut.
    pub text: String,
    /// The font size in units.
    pub size: f32,
    /// The width of the label in units.
    pub width: f32,
}

/// The fonts of all pictures.
pub struct Fonts {
    regular: Font,
    bold: Font,
    indic: Vec<Font>,
    shapes: Mutex<HashMap<GlyphKey, Option<Arc<GlyphMask>>>>,
    lines: Mutex<HashMap<(FontWeight, String), ShapedLine>>,
}

impl Fonts {
    /// Loads the fonts in `templates/fonts`.
    pub fn embedded() -> Self {
        let read = |bytes: &'static [u8]| {
            Font::new(bytes, 0).expect("the embedded fonts are read by a test")
        };
        Self {
            regular: read(REGULAR),
            bold: read(BOLD),
            indic: INDIC.into_iter().map(read).collect(),
            shapes: Mutex::default(),
            lines: Mutex::default(),
        }
    }

    /// Whether a name can be drawn recognisably: it is not only emoji or a script that no font here
    /// has.
    pub fn can_draw(&self, name: &str) -> bool {
        self.clean_text(name).chars().any(char::is_alphanumeric)
    }

    /// Returns the drawable characters of the text; [`NAME_PLACEHOLDER`] when there are none.
    pub fn clean_text(&self, text: &str) -> String {
        let mut clean = String::new();
        for c in text.chars().take(LABEL_CHARS_MAX) {
            if c.is_whitespace() {
                if !clean.is_empty() && !clean.ends_with(' ') {
                    clean.push(' ');
                }
                continue;
            }
            if let Some(whole) = clean.pop() {
                match compose_accent(whole, c) {
                    Some(joined) => {
                        clean.push(joined);
                        continue;
                    }
                    None => clean.push(whole),
                }
            }
            let c = plain_letter(c);
            if !c.is_control() && self.has_glyph(c) {
                clean.push(c);
            }
        }
        clean.truncate(clean.trim_end().len());
        if clean.is_empty() && !text.trim().is_empty() {
            NAME_PLACEHOLDER.to_owned()
        } else {
            clean
        }
    }

    fn has_glyph(&self, c: char) -> bool {
        let in_font = |font: &Font| font.charmap().map_unicode(c).is_some();
        match text_shaping::indic_script(c) {
            Some(script) => in_font(&self.indic[script]),
            None => in_font(&self.regular) && in_font(&self.bold),
        }
    }

    /// The width of a cleaned text in parts of the em.
    fn text_width(&self, text: &str, weight: FontWeight) -> f32 {
        self.shaped_line(text, weight).1
    }

    fn shaped_line(&self, text: &str, weight: FontWeight) -> ShapedLine {
        let key = (weight, text.to_owned());
        if let Some(known) = self.lines.lock().get(&key) {
            return known.clone();
        }
        let made = Arc::new(text_shaping::shape_line(
            text,
            self.font(FontFace::Usual(weight)),
            &self.indic,
        ));
        let mut lines = self.lines.lock();
        if lines.len() >= CACHED_LINES_MAX {
            lines.clear();
        }
        lines.insert(key, made.clone());
        made
    }

    /// Returns the text, cut to at most `width` parts of the em with `…` at its end.
    fn shorten(&self, text: String, weight: FontWeight, width: f32) -> String {
        if self.text_width(&text, weight) <= width {
            return text;
        }
        let mut chars: Vec<char> = text.chars().collect();
        while chars.pop().is_some() {
            let kept: String = chars.iter().collect();
            let shorter = format!("{}…", kept.trim_end());
            if self.text_width(&shorter, weight) <= width {
                return shorter;
            }
        }
        String::new()
    }

    /// Fits a label: returns the text, and the size and width of its letters in units. A name that
    /// is too wide becomes a little smaller and is then cut; a number shrinks as far as necessary,
    /// because a part of it would be another number.
    pub fn fit_label(&self, label: &SceneLabel) -> FittedLabel {
        let mut size = f32::from(label.size);
        let mut text = self.clean_text(&label.text);
        if label.fit > 0 {
            let room = f32::from(label.fit);
            let cut = |text: &str| {
                size * SHRINK_MIN * self.text_width(text, label.weight) > room * ROUNDING_TOLERANCE
            };
            if let Some(short) = label.short.as_ref().filter(|_| cut(&text)) {
                text = self.clean_text(short);
            }
            let least = if text.chars().any(char::is_alphabetic) { SHRINK_MIN } else { 0.0 };
            size *=
                (room / (size * self.text_width(&text, label.weight)).max(1.0)).clamp(least, 1.0);
            text = self.shorten(text, label.weight, room / size * ROUNDING_TOLERANCE);
        }
        let width = self.text_width(&text, label.weight) * size;
        FittedLabel { text, size, width }
    }

    /// The distance of the base line below the middle of a digit, in the unit of the size.
    pub fn baseline_offset(size: f32) -> f32 {
        size * DIGIT_HEIGHT / 2.0
    }

    /// Calls back with the mask of each glyph and the pixel of its top left corner.
    pub fn place_glyphs(
        &self,
        label: &SceneLabel,
        scale: f32,
        mut put: impl FnMut(&GlyphMask, i64, i64),
    ) {
        let FittedLabel { text, size, .. } = self.fit_label(label);
        let em = (size * scale).min(EM_PX_MAX);
        if em < 1.0 {
            return;
        }
        let line = self.shaped_line(&text, label.weight);
        let (letters, width) = &*line;
        let start = f32::from(label.at.x) * scale
            - match label.align {
                Align::Start => 0.0,
                Align::Middle => width * em / 2.0,
                Align::End => width * em,
            };
        let baseline = (f32::from(label.at.y) * scale + Self::baseline_offset(em)).round() as i64;
        for letter in letters {
            let quarters = ((start + letter.x * em) * 4.0).round() as i64;
            let pixel = quarters.div_euclid(4);
            let shift = quarters.rem_euclid(4);
            let cut = match letter.font {
                LineFont::Usual => FontFace::Usual(label.weight),
                LineFont::Indic(script) => FontFace::Indic(script),
            };
            if let Some(mask) = self.glyph_mask(cut, letter.id, em, shift as u8) {
                let up = (letter.y * em).round() as i64;
                put(&mask, pixel + mask.left, baseline + mask.top - up);
            }
        }
    }

    fn font(&self, cut: FontFace) -> &Font {
        match cut {
            FontFace::Usual(FontWeight::Regular) => &self.regular,
            FontFace::Usual(FontWeight::Bold) => &self.bold,
            FontFace::Indic(script) => &self.indic[script],
        }
    }

    fn glyph_mask(&self, cut: FontFace, id: GlyphId, em: f32, shift: u8) -> Option<Arc<GlyphMask>> {
        let size = (em * 4.0).round() as u16;
        let key = (cut, id, size, shift);
        if let Some(known) = self.shapes.lock().get(&key) {
            return known.clone();
        }
        let made = self.rasterise_glyph(cut, id, f32::from(size) / 4.0, f32::from(shift) / 4.0);
        let made = made.map(Arc::new);
        let mut shapes = self.shapes.lock();
        if shapes.len() >= CACHED_GLYPHS_MAX {
            shapes.clear();
        }
        shapes.insert(key, made.clone());
        made
    }

    fn rasterise_glyph(
        &self,
        cut: FontFace,
        id: GlyphId,
        em: f32,
        shift: f32,
    ) -> Option<GlyphMask> {
        let font = self.font(cut);
        let mut path: Vec<PathElement> = Vec::new();
        let outline = font.outline_glyphs().get(id)?;
        outline.draw(&DrawOptions::new(), DrawMemory::Scratch, &mut path).ok()?;
        let unit = em / f32::from(font.units_per_em());
        // Fonts count upwards from the base line, pixels downwards.
        let at = |x: f32, y: f32| point(x * unit + shift, -y * unit);
        let corners: Vec<Point> =
            path.iter().flat_map(|it| outline_points(*it)).map(|(x, y)| at(x, y)).collect();
        let least = |of: fn(&Point) -> f32| corners.iter().map(of).fold(f32::MAX, f32::min).floor();
        let most = |of: fn(&Point) -> f32| corners.iter().map(of).fold(f32::MIN, f32::max).ceil();
        if corners.is_empty() {
            return None;
        }
        let left = least(|it| it.x);
        let top = least(|it| it.y);
        let width = most(|it| it.x) - left;
        let height = most(|it| it.y) - top;
        let width = width as usize;
        let height = height as usize;
        let mut pixels = Rasterizer::new(width, height);
        let place = |x: f32, y: f32| at(x, y) - point(left, top);
        let mut here = point(0.0, 0.0);
        let mut start = point(0.0, 0.0);
        for element in path {
            let from = here;
            match element {
                PathElement::MoveTo { x, y } => (here, start) = (place(x, y), place(x, y)),
                PathElement::LineTo { x, y } => {
                    here = place(x, y);
                    pixels.draw_line(from, here);
                }
                PathElement::QuadTo { cx0, cy0, x, y } => {
                    here = place(x, y);
                    pixels.draw_quad(from, place(cx0, cy0), here);
                }
                PathElement::CurveTo { cx0, cy0, cx1, cy1, x, y } => {
                    here = place(x, y);
                    pixels.draw_cubic(from, place(cx0, cy0), place(cx1, cy1), here);
                }
                PathElement::Close => {
                    here = start;
                    pixels.draw_line(from, start);
                }
            }
        }
        let mut cover = vec![0; width * height];
        pixels.for_each_pixel(|at, share| {
            cover[at] = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
        });
        let width = width as u32;
        let height = height as u32;
        Some(GlyphMask { width, height, left: left as i64, top: top as i64, cover })
    }
}

/// Returns the points that bound a part of an outline.
fn outline_points(element: PathElement) -> Vec<(f32, f32)> {
    match element {
        PathElement::MoveTo { x, y } | PathElement::LineTo { x, y } => vec![(x, y)],
        PathElement::QuadTo { cx0, cy0, x, y } => vec![(cx0, cy0), (x, y)],
        PathElement::CurveTo { cx0, cy0, cx1, cy1, x, y } => vec![(cx0, cy0), (cx1, cy1), (x, y)],
        PathElement::Close => Vec::new(),
    }
}

/// Letters that some systems send as a base letter and a combining mark.
fn compose_accent(letter: char, mark: char) -> Option<char> {
    Some(match (letter, mark) {
        ('и', '\u{306}') => 'й',
        ('И', '\u{306}') => 'Й',
        ('у', '\u{306}') => 'ў',
        ('У', '\u{306}') => 'Ў',
        ('е', '\u{308}') => 'ё',
        ('Е', '\u{308}') => 'Ё',
        ('і', '\u{308}') => 'ї',
        ('І', '\u{308}') => 'Ї',
        _ => return None,
    })
}

/// Returns the plain letter of an ornamental one: full-width forms, and the mathematical alphabets
/// that people use in names.
fn plain_letter(c: char) -> char {
    let code = u32::from(c);
    let plain = match code {
        0xff01..=0xff5e => code - 0xff01 + 0x21,
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            n @ 0..=25 => n + 0x41,
            n => n - 26 + 0x61,
        },
        0x1d7ce..=0x1d7ff => (code - 0x1d7ce) % 10 + 0x30,
        0x24b6..=0x24cf => code - 0x24b6 + 0x41,
        0x24d0..=0x24e9 => code - 0x24d0 + 0x61,
        _ => return c,
    };
    char::from_u32(plain).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, drawn: &str) {
        assert_eq!(Fonts::embedded().clean_text(name), drawn);
    }

    #[test]
    fn names_in_the_scripts_of_the_players_stay_as_they_are() {
        check("Ғани Әбдіқұлов", "Ғани Әбдіқұлов");
        check("Արամ Խաչատրյան", "Արամ Խաչատրյան");
        check("Zoë Nguyễn", "Zoë Nguyễn");
        check("გიორგი", "გიორგი");
        check("שלום Dan", "שלום Dan");
        check("علي بن سينا", "علي بن سينا");
        check("அருண் 7", "அருண் 7");
    }

    #[test]
    fn characters_without_a_glyph_are_left_out() {
        check("Anna 🌸🌸 B.", "Anna B.");
        check("👨‍👩‍👧", NAME_PLACEHOLDER);
        check("李雷", NAME_PLACEHOLDER);
        check("  a\u{202e}b\n c\t", "ab c");
        check("", "");
    }

    #[test]
    fn ornamental_and_split_letters_become_plain() {
        check("𝓐𝓷𝓷𝓪 𝟙", "Anna 1");
        check("Ｂｏｂ", "Bob");
        check("и\u{306}од", "йод");
        check("e\u{301}te\u{301}", "ete");
    }

    #[test]
    fn letters_join_and_run_from_right_to_left() {
        let fonts = Fonts::embedded();
        let line = |text: &str| fonts.shaped_line(text, FontWeight::Bold).0.clone();
        let ids = |text: &str| line(text).iter().map(|it| it.id).collect::<Vec<_>>();
        // Beh has three shapes: initial, medial and final; the final one is leftmost.
        let beh = ids("ببب");
        assert_eq!(beh.len(), 3);
        assert!(beh[0] != beh[1] && beh[1] != beh[2] && !beh.contains(&ids("ب")[0]));
        // Hebrew keeps its shapes; alef, the first letter, is the rightmost one.
        assert_eq!(ids("אב"), [ids("ב"), ids("א")].concat());
        // The sign of e follows ka in the text and precedes it in print.
        let e = ids("கெ");
        let ka = ids("க");
        assert_eq!((e.len(), e[1]), (2, ka[0]));
        assert!(
            line("அருண் குமார்")
                .iter()
                .all(|it| it.font == LineFont::Indic(5) && it.id != GlyphId::NOTDEF)
        );
        let mixed = line("Dan דן 7");
        assert!(mixed.windows(2).all(|pair| pair[0].x <= pair[1].x));
        assert!(mixed.iter().all(|it| it.id != GlyphId::NOTDEF));
    }

    #[test]
    fn a_number_is_never_cut_and_a_name_is() {
        let fonts = Fonts::embedded();
        let fitted =
            |text: &str| fonts.fit_label(&SceneLabel::new(text, 0, 0, 50, "score").fitted(60));
        let number = fitted("1234");
        assert_eq!(number.text, "1234");
        assert!(number.width <= 61.0 && number.size < 40.0, "{number:?}");
        assert!(fitted("Владимир").text.ends_with('…'));
        assert_eq!(fitted("7").size, 50.0);
    }

    #[test]
    fn a_name_that_would_be_cut_becomes_one_word_of_it() {
        let fonts = Fonts::embedded();
        let name =
            SceneLabel::new("Drover Ali", 0, 0, 50, "name").fitted(120).with_short_text("Ali");
        assert_eq!(fonts.fit_label(&name).text, "Ali");
        assert_eq!(fonts.fit_label(&name.clone().fitted(400)).text, "Drover Ali");
        assert!(fonts.fit_label(&name.with_short_text("Vladimir")).text.ends_with('…'));
    }

    #[test]
    fn a_name_that_cannot_be_drawn_is_known() {
        let fonts = Fonts::embedded();
        for name in ["李雷", "🌸🌸", "👨‍👩‍👧", "…", ""] {
            assert!(!fonts.can_draw(name), "{name}");
        }
        let indian = ["अनिल", "অনিল", "ਅਨਿਲ", "અનિલ", "ଅନିଲ", "அனில்", "అనిల్", "ಅನಿಲ್", "അനിൽ"];
        for name in ["Ann", "🌸 Anna", "7", "علي", "Բագրատ"].into_iter().chain(indian) {
            assert!(fonts.can_draw(name), "{name}");
        }
    }

    #[test]
    fn a_long_name_is_shortened() {
        let fonts = Fonts::embedded();
        let short = fonts.shorten("A very long name indeed".into(), FontWeight::Bold, 6.0);
        assert!(short.ends_with('…') && short.starts_with("A very"), "{short}");
        assert!(fonts.text_width(&short, FontWeight::Bold) <= 6.0);
        assert_eq!(fonts.shorten("Ann".into(), FontWeight::Bold, 6.0), "Ann");
        assert_eq!(fonts.shorten("Ann".into(), FontWeight::Bold, 0.1), "");
    }
}
