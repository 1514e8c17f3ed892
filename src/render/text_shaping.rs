//! Shapes lines of text, including scripts whose letters join, reorder or run from right to left:
//! Arabic, Hebrew, the scripts of India.
//!
//! A line is split into runs of one direction and one script, in visual order, and each run is
//! shaped by the rules in its font.

use std::ops::{Range, RangeInclusive};

use harfrust::{Buffer, Direction, Font, GlyphId, ShapeOptions, ShaperFont};
use unicode_bidi::BidiInfo;

/// A glyph on its line, in parts of the em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// The font of the glyph.
    pub font: LineFont,
    /// The glyph id in its font.
    pub id: GlyphId,
    /// The distance from the beginning of the line.
    pub x: f32,
    /// The distance upwards from the base line.
    pub y: f32,
}

/// A font of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineFont {
    /// The font of the line itself.
    Usual,
    /// The font of a script of India, by its place in [`INDIC_BLOCKS`].
    Indic(usize),
}

/// The blocks of characters of the scripts of India that have a font each.
pub const INDIC_BLOCKS: [RangeInclusive<char>; 9] = [
    '\u{900}'..='\u{963}',
    '\u{980}'..='\u{9ff}',
    '\u{a00}'..='\u{a7f}',
    '\u{a80}'..='\u{aff}',
    '\u{b00}'..='\u{b7f}',
    '\u{b80}'..='\u{bff}',
    '\u{c00}'..='\u{c7f}',
    '\u{c80}'..='\u{cff}',
    '\u{d00}'..='\u{d7f}',
];

/// The script of India that a character belongs to, by its place in [`INDIC_BLOCKS`].
pub fn indic_script(c: char) -> Option<usize> {
    INDIC_BLOCKS.iter().position(|it| it.contains(&c))
}

/// Writing systems that are shaped differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WritingScript {
    /// Letters that need no shaping.
    Plain,
    Hebrew,
    Arabic,
    /// A script of India, by its place in [`INDIC_BLOCKS`].
    Indic(usize),
}

impl WritingScript {
    fn font(self) -> LineFont {
        match self {
            WritingScript::Indic(script) => LineFont::Indic(script),
            WritingScript::Plain | WritingScript::Hebrew | WritingScript::Arabic => LineFont::Usual,
        }
    }
}

/// Returns the script of a character; `None` for characters that belong to the script around them:
/// spaces, digits, signs.
fn script_of(c: char) -> Option<WritingScript> {
    if let Some(script) = indic_script(c) {
        return Some(WritingScript::Indic(script));
    }
    match c {
        '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Some(WritingScript::Hebrew),
        '\u{600}'..='\u{6ff}' => Some(WritingScript::Arabic),
        _ if c.is_alphabetic() => Some(WritingScript::Plain),
        _ => None,
    }
}

/// Returns the glyphs of a line with their positions, and its width, in parts of the em. `indic`
/// has a font for each of [`INDIC_BLOCKS`].
pub fn shape_line(text: &str, font: &Font, indic: &[Font]) -> (Vec<PlacedGlyph>, f32) {
    let bidi = BidiInfo::new(text, None);
    let mut letters = Vec::new();
    let mut x = 0.0;
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_rtl = levels[run.start].is_rtl();
            let mut parts = split_by_script(text, run);
            if is_rtl {
                parts.reverse();
            }
            for (script, part) in parts {
                let face = match script.font() {
                    LineFont::Usual => font,
                    LineFont::Indic(script) => &indic[script],
                };
                x = shape_run(&text[part], face, script.font(), is_rtl, x, &mut letters);
            }
        }
    }
    (letters, x)
}

/// Splits a run where the script changes; the parts are in the order of the text.
fn split_by_script(text: &str, run: Range<usize>) -> Vec<(WritingScript, Range<usize>)> {
    let mut parts: Vec<(Option<WritingScript>, Range<usize>)> = Vec::new();
    for (at, c) in text[run.clone()].char_indices() {
        let here = run.start + at..run.start + at + c.len_utf8();
        // The fonts for the scripts of India have neither digits of others nor signs.
        let own = script_of(c).or((!c.is_whitespace()).then_some(WritingScript::Plain));
        match (parts.last_mut(), own) {
            (Some((last, range)), own) if *last == own || own.is_none() => range.end = here.end,
            (Some((last @ None, range)), own) => (*last, range.end) = (own, here.end),
            (_, own) => parts.push((own, here)),
        }
    }
    parts.into_iter().map(|(it, range)| (it.unwrap_or(WritingScript::Plain), range)).collect()
}

fn shape_run(
    text: &str,
    font: &Font,
    name: LineFont,
    is_rtl: bool,
    mut x: f32,
    letters: &mut Vec<PlacedGlyph>,
) -> f32 {
    let unit = 1.0 / f32::from(font.units_per_em());
    let mut buffer = Buffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    if let Err(why) = harfrust::shape(&ShaperFont::new(font), &mut buffer, ShapeOptions::default())
    {
        tracing::warn!(?why, "failed to shape a line of text");
        return x;
    }
    for (glyph, place) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
        let dx = place.x_offset as f32 * unit;
        let y = place.y_offset as f32 * unit;
        letters.push(PlacedGlyph { font: name, id: GlyphId::new(glyph.glyph_id), x: x + dx, y });
        x += place.x_advance as f32 * unit;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_the_script_changes() {
        let parts = |text: &str| {
            let parts = split_by_script(text, 0..text.len());
            parts.into_iter().map(|(it, range)| (it, text[range].to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(parts("Ann 7"), [(WritingScript::Plain, "Ann 7".into())]);
        let tamil = WritingScript::Indic(5);
        let mixed = [(tamil, "அருண் ".into()), (WritingScript::Plain, "7".into())];
        assert_eq!(parts("அருண் 7"), mixed);
        assert_eq!(parts("دان"), [(WritingScript::Arabic, "دان".into())]);
    }
}
