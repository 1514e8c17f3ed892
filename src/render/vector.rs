//! Converts scenes to vectors for browsers: the same drawings, letters and lines as in pictures, in
//! units of the scene.
//!
//! A [`VectorScene`] lists the positions of items; the drawings themselves are in *sheets*, one for
//! each palette of a theme and one for drawings that all palettes share, as SVG with a `<symbol>`
//! for each drawing. The name of a sheet changes with its contents, so it can be cached
//! permanently.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::text::{FittedLabel, Fonts};
use super::theme::Theme;
use super::trail::TrailShape;
use caravanserai_games::scene::{
    Align, FontWeight, LAYER_SEPARATOR, Scene, SceneItem, SceneLabel, Sprite,
};
use caravanserai_games::vector_scene::{VectorItem, VectorScene};

/// The prefix of drawing names where they are ids in a document.
pub const ID_PREFIX: &str = "art-";

/// The drawings of a theme that are seen with one palette, or with all of them (`None`).
pub struct SpriteSheet {
    /// The name: `<theme>-<palette>-<hash>`.
    pub name: String,
    /// An SVG with a symbol for each drawing.
    pub svg: String,
}

/// Converts a scene in a theme with these sheets, in the order of [`build_sheets`].
pub fn vector_scene(
    scene: &Scene,
    theme: &Theme,
    fonts: &Fonts,
    sheets: &[SpriteSheet],
) -> VectorScene {
    let mut needed = vec![false; sheets.len()];
    let mut items: Vec<VectorItem> = Vec::new();
    for item in &scene.items {
        let mark = match item {
            SceneItem::Sprite(it) => {
                for name in it.name.split(LAYER_SEPARATOR) {
                    needed[sheet_index(theme, name)] = true;
                }
                let turn = it.turn.rem_euclid(360);
                if turn != 0 {
                    let at = [it.at.x, it.at.y];
                    VectorItem::Turned(it.name.to_string(), it.width, it.height, at, turn)
                } else if extend_last(items.last_mut(), it) {
                    continue;
                } else {
                    let at = vec![it.at.x, it.at.y];
                    VectorItem::Upright(it.name.to_string(), it.width, it.height, at)
                }
            }
            SceneItem::Label(label) => letters_item(label, theme, fonts),
            SceneItem::Trail(trail) => {
                let (d, head) = TrailShape::from_trail(trail, 1.0).into_svg_paths();
                let ink = css_colour(theme.ink(&trail.ink).colour);
                VectorItem::Trail { d, head, thick: trail.width, ink }
            }
        };
        items.push(mark);
    }
    let sheets = sheets.iter().zip(needed).filter(|it| it.1).map(|it| it.0.name.clone());
    let [r, g, b] = theme.ground;
    VectorScene {
        width: scene.width,
        height: scene.height,
        ground: css_colour([r, g, b, 255]),
        sheets: sheets.collect(),
        items,
    }
}

/// Adds a copy to the previous item, if that is the same drawing at another position.
fn extend_last(last: Option<&mut VectorItem>, sprite: &Sprite) -> bool {
    let Some(VectorItem::Upright(name, width, height, at)) = last else { return false };
    let same = *name == sprite.name && (*width, *height) == (sprite.width, sprite.height);
    if same {
        at.extend([sprite.at.x, sprite.at.y]);
    }
    same
}

fn letters_item(label: &SceneLabel, theme: &Theme, fonts: &Fonts) -> VectorItem {
    let FittedLabel { text, size, width } = fonts.fit_label(label);
    VectorItem::Letters {
        text,
        x: label.at.x,
        y: round_to_tenth(f32::from(label.at.y) + Fonts::baseline_offset(size)),
        size: round_to_tenth(size),
        long: round_to_tenth(width),
        anchor: match label.align {
            Align::Start => "start",
            Align::Middle => "middle",
            Align::End => "end",
        },
        bold: label.weight == FontWeight::Bold,
        ink: css_colour(theme.ink(&label.ink).colour),
    }
}

/// Rounds to a tenth of a unit: smaller differences are invisible.
fn round_to_tenth(units: f32) -> f64 {
    (f64::from(units) * 10.0).round() / 10.0
}

fn css_colour([r, g, b, a]: [u8; 4]) -> String {
    match a {
        255 => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => format!("#{r:02x}{g:02x}{b:02x}{a:02x}"),
    }
}

/// Returns the index of the sheet with a drawing; the first sheet is that of all palettes.
fn sheet_index(theme: &Theme, drawing: &str) -> usize {
    theme.palette_of(drawing).map_or(0, |palette| palette + 1)
}

/// Builds the sheets of a theme: the one that all palettes share, then one for each palette.
pub fn build_sheets(theme: &Theme) -> Vec<SpriteSheet> {
    let mut bodies = vec![String::new(); theme.palette_count() + 1];
    for name in theme.drawings() {
        if let Some(svg) = theme.drawing_source(name) {
            bodies[sheet_index(theme, name)].push_str(&svg_symbol(name, svg));
        }
    }
    let sheet = |(n, body): (usize, String)| {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{body}</svg>");
        let mut hasher = DefaultHasher::new();
        svg.hash(&mut hasher);
        SpriteSheet { name: format!("{}-{n}-{:016x}", theme.name, hasher.finish()), svg }
    };
    bodies.into_iter().enumerate().map(sheet).collect()
}

/// Embeds a drawing in a larger document, with ids of its own.
fn svg_symbol(name: &str, svg: &str) -> String {
    let bare = without_comments(svg);
    let start = bare.find("<svg").map_or(0, |at| at + "<svg".len());
    let end = bare.rfind("</svg>").unwrap_or(bare.len());
    let inner = bare[start..end].replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    let own = format!("{ID_PREFIX}{name}.");
    let inner = inner
        .replace(" id=\"", &format!(" id=\"{own}"))
        .replace("href=\"#", &format!("href=\"#{own}"))
        .replace("url(#", &format!("url(#{own}"));
    let mut symbol = String::with_capacity(inner.len() + 80);
    // Writing to a string cannot fail.
    let _ = write!(
        symbol,
        "<symbol id=\"{ID_PREFIX}{name}\" preserveAspectRatio=\"none\"{inner}</symbol>"
    );
    symbol
}

/// Removes comments, which are for the artists only.
fn without_comments(svg: &str) -> String {
    let mut rest = svg;
    let mut bare = String::with_capacity(svg.len());
    while let Some((before, after)) = rest.split_once("<!--") {
        bare.push_str(before);
        rest = after.split_once("-->").map_or("", |it| it.1);
    }
    bare.push_str(rest);
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_a_drawing_stay_its_own() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 3 3\"><!-- a\nb --><g \
                   id=\"s\" fill=\"url(#t)\"/><use href=\"#s\"/></svg>";
        let expected = "<symbol id=\"art-stone\" preserveAspectRatio=\"none\" viewBox=\"0 0 3 3\">\
                        <g id=\"art-stone.s\" fill=\"url(#art-stone.t)\"/>\
                        <use href=\"#art-stone.s\"/></symbol>";
        assert_eq!(svg_symbol("stone", svg), expected);
    }
}
