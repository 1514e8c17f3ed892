//! Loads a theme: drawings and colours from a folder of `templates/art`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use resvg::usvg::{Options, Tree};
use serde::Deserialize;

/// The prefix of files that are not drawings: they have shapes that several drawings share.
pub const PARTS_PREFIX: &str = "parts/";

/// The drawings and colours of a theme.
pub struct Theme {
    /// The name of its folder.
    pub name: String,
    /// The background colour; also the colour with which transparent drawings are mixed when the
    /// 255 colours are chosen.
    pub ground: [u8; 3],
    inks: BTreeMap<String, Ink>,
    drawings: BTreeMap<String, Tree>,
    /// The SVG sources of the drawings, with borrowed parts inlined and in the colours of this
    /// theme.
    sources: BTreeMap<String, String>,
    /// For each palette, the name prefixes of drawings that are seen with no other palette.
    palettes: Vec<Vec<String>>,
}

/// The colour of a role of labels and trails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Red, green, blue, opacity.
    pub colour: [u8; 4],
}

/// The reason why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// There is no theme at all.
    #[error("no theme was given")]
    NoTheme,
    /// `theme.toml` is missing or invalid.
    #[error("theme {theme}: {reason}")]
    Config {
        /// The name of the theme.
        theme: String,
        /// A description of the problem.
        reason: String,
    },
    /// A drawing is not a valid SVG picture.
    #[error("theme {theme}, drawing {drawing}: {source}")]
    Drawing {
        /// The name of the theme.
        theme: String,
        /// The file.
        drawing: String,
        /// The parser's error.
        source: resvg::usvg::Error,
    },
}

/// The contents of a theme's folder.
pub struct ThemeFiles<'a> {
    /// The name of the folder.
    pub name: &'a str,
    /// The contents of `theme.toml`.
    pub colours: &'a str,
    /// Names (paths without `.svg`) and contents of the drawings and of the `PARTS_PREFIX` files.
    pub drawings: &'a [(&'a str, &'a str)],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeConfig {
    /// The base theme, which provides drawings and colours that this theme lacks.
    base: Option<String>,
    ground: Option<String>,
    #[serde(default)]
    palettes: BTreeMap<String, Vec<String>>,
    /// Recolouring by the names of inherited drawings, with `*` for any text: from colour to
    /// colour.
    #[serde(default)]
    recolour: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    ink: BTreeMap<String, String>,
}

impl Theme {
    /// Parses a theme from the contents of its files; it may inherit drawings and colours from
    /// `others`.
    ///
    /// # Errors
    /// When a file is invalid.
    pub fn read(files: &ThemeFiles<'_>, others: &[ThemeFiles<'_>]) -> Result<Self, ThemeError> {
        let own = ThemeConfig::parse(files)?;
        let base = match &own.base {
            Some(name) => {
                let base = others.iter().find(|it| it.name == name);
                Some(base.ok_or_else(|| files.config_error(format!("there is no theme {name:?}")))?)
            }
            None => None,
        };
        let lent = base.map(ThemeConfig::parse).transpose()?;
        let mut inks = BTreeMap::new();
        for ink in lent.iter().chain([&own]).flat_map(|it| &it.ink) {
            inks.insert(ink.0.clone(), Ink { colour: files.parse_colour(ink.1)? });
        }
        let ground = own.ground.as_ref().or_else(|| lent.as_ref()?.ground.as_ref());
        let ground = ground.ok_or_else(|| files.config_error("it has no ground".into()))?;
        let [r, g, b, _] = files.parse_colour(ground)?;
        let mut trees = BTreeMap::new();
        let mut sources = BTreeMap::new();
        for (drawing, svg) in merge_drawings(files, base, &own.recolour) {
            let tree = Tree::from_str(&svg, &Options::default());
            let tree = tree.map_err(|source| ThemeError::Drawing {
                theme: files.name.to_owned(),
                drawing: drawing.to_owned(),
                source,
            })?;
            trees.insert(drawing.to_owned(), tree);
            sources.insert(drawing.to_owned(), svg);
        }
        let palettes = lent.filter(|_| own.palettes.is_empty()).map(|it| it.palettes);
        let palettes = palettes.unwrap_or(own.palettes).into_values().collect();
        let name = files.name.to_owned();
        Ok(Self { name, ground: [r, g, b], inks, drawings: trees, sources, palettes })
    }

    /// The number of palettes that its pictures need: at least one.
    pub(super) fn palette_count(&self) -> usize {
        self.palettes.len().max(1)
    }

    /// The only palette with which a drawing is seen; `None` when it is seen with all of them.
    pub(super) fn palette_of(&self, drawing: &str) -> Option<usize> {
        let owns = |beginnings: &Vec<String>| beginnings.iter().any(|it| drawing.starts_with(it));
        self.palettes.iter().position(owns)
    }

    /// The colour of a role; a readable grey when the theme does not define it.
    pub fn ink(&self, role: &str) -> Ink {
        self.inks.get(role).copied().unwrap_or_else(|| {
            tracing::debug!(role, theme = self.name, "the theme lacks an ink");
            Ink { colour: [128, 128, 128, 255] }
        })
    }

    /// The roles that have a colour.
    pub fn inks(&self) -> impl Iterator<Item = (&str, Ink)> {
        self.inks.iter().map(|(role, &ink)| (role.as_str(), ink))
    }

    /// The names of all drawings.
    pub fn drawings(&self) -> impl Iterator<Item = &str> {
        self.drawings.keys().map(String::as_str)
    }

    /// The source of a drawing as SVG that needs no other file.
    pub(super) fn drawing_source(&self, name: &str) -> Option<&str> {
        self.sources.get(name).map(String::as_str)
    }

    /// The parsed drawing of a sprite.
    pub(super) fn drawing(&self, name: &str) -> Option<&Tree> {
        self.drawings.get(name)
    }
}

impl ThemeFiles<'_> {
    fn config_error(&self, reason: String) -> ThemeError {
        ThemeError::Config { theme: self.name.to_owned(), reason }
    }

    fn parse_colour(&self, text: &str) -> Result<[u8; 4], ThemeError> {
        let read = parse_hex_colour(text);
        read.ok_or_else(|| self.config_error(format!("{text:?} is not a colour like #aabbcc")))
    }
}

impl ThemeConfig {
    fn parse(files: &ThemeFiles<'_>) -> Result<Self, ThemeError> {
        toml::from_str(files.colours).map_err(|error| files.config_error(error.to_string()))
    }
}

/// Returns the drawings of a theme: its own, and recoloured ones of its base that it lacks. Own
/// drawings may borrow parts of the base too.
fn merge_drawings<'a>(
    files: &ThemeFiles<'a>,
    base: Option<&ThemeFiles<'a>>,
    recolour: &BTreeMap<String, BTreeMap<String, String>>,
) -> BTreeMap<&'a str, String> {
    let mut parts: BTreeMap<&str, &str> = BTreeMap::new();
    let mut drawn: BTreeMap<&str, (&str, bool)> = BTreeMap::new();
    for (from, is_lent) in base.map(|it| (it, true)).into_iter().chain([(files, false)]) {
        for &(name, svg) in from.drawings {
            if name.starts_with(PARTS_PREFIX) {
                parts.insert(name, svg);
            } else {
                drawn.insert(name, (svg, is_lent));
            }
        }
    }
    let whole = |(name, (svg, is_lent)): (&'a str, (&str, bool))| {
        let whole = inline_parts(svg, &parts);
        let colours = if is_lent { recolour_map(name, recolour) } else { BTreeMap::new() };
        (name, recolour_svg(&whole, &colours))
    };
    drawn.into_iter().map(whole).collect()
}

/// Returns the recolouring of an inherited drawing; the pattern that matches more of its name takes
/// precedence.
fn recolour_map<'a>(
    drawing: &str,
    recolour: &'a BTreeMap<String, BTreeMap<String, String>>,
) -> BTreeMap<&'a str, &'a str> {
    let mut tables: Vec<_> =
        recolour.iter().filter(|(names, _)| matches_pattern(drawing, names)).collect();
    tables.sort_by_key(|(names, _)| names.len());
    let colours = tables.into_iter().flat_map(|(_, colours)| colours);
    colours.map(|(from, to)| (from.as_str(), to.as_str())).collect()
}

/// Whether a name matches a pattern, in which one `*` may match any text.
fn matches_pattern(name: &str, names: &str) -> bool {
    match names.split_once('*') {
        Some((start, end)) => name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => name == names,
    }
}

/// Replaces colours in a drawing, written like `#aabbcc` or `#abc`.
fn recolour_svg(svg: &str, colours: &BTreeMap<&str, &str>) -> String {
    let mut pieces = svg.split('#');
    let mut all = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, rest) = piece.split_at(digits);
        let from = format!("#{digits}");
        all.push_str(colours.get(from.as_str()).unwrap_or(&from.as_str()));
        all.push_str(rest);
    }
    all
}

/// Inlines the parts that a drawing borrows with `<use href="parts/name.svg#id"/>`: the SVG
/// renderer does not read other files, while browsers and drawing programs do.
fn inline_parts<'a>(svg: &'a str, parts: &BTreeMap<&str, &str>) -> Cow<'a, str> {
    let mut whole = Cow::Borrowed(svg);
    for (name, part) in parts {
        let file = format!("\"{name}.svg#");
        let (Some(place), true) = (root_content_start(&whole), whole.contains(&file)) else {
            continue;
        };
        let borrowed =
            root_content_start(part).and_then(|start| part.get(start..part.rfind("</svg>")?));
        let (head, tail) = whole.split_at(place);
        let tail = tail.replace(&file, "\"#");
        whole = Cow::Owned([head, borrowed.unwrap_or_default(), &tail].concat());
    }
    whole
}

/// Returns the offset at which the content of the root element begins.
fn root_content_start(svg: &str) -> Option<usize> {
    let root = svg.find("<svg")?;
    svg[root..].find('>').map(|end| root + end + 1)
}

/// Parses `#rrggbb` or `#rrggbbaa`.
fn parse_hex_colour(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some((value << 8 | 0xff).to_be_bytes()),
        8 => Some(value.to_be_bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_with_and_without_opacity() {
        assert_eq!(parse_hex_colour("#102030"), Some([16, 32, 48, 255]));
        assert_eq!(parse_hex_colour("#10203040"), Some([16, 32, 48, 64]));
        assert_eq!(parse_hex_colour("102030"), None);
        assert_eq!(parse_hex_colour("#12345"), None);
        assert_eq!(parse_hex_colour("#+12345"), None);
    }

    fn reason(colours: &str, svg: &str) -> String {
        let files = ThemeFiles { name: "t", colours, drawings: &[("stone", svg)] };
        match Theme::read(&files, &[]) {
            Ok(_) => String::from("none"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn drawings_borrow_parts() {
        let part = r#"<svg xmlns="x"><defs><path id="a"/></defs></svg>"#;
        let parts = BTreeMap::from([("parts/p", part), ("parts/q", "")]);
        let borrow = r#"<svg xmlns="x"><use href="parts/p.svg#a"/></svg>"#;
        let whole = r##"<svg xmlns="x"><defs><path id="a"/></defs><use href="#a"/></svg>"##;
        assert_eq!(inline_parts(borrow, &parts), whole);
        assert_eq!(inline_parts("<svg/>", &parts), "<svg/>");
        let unknown = r#"<svg><use href="parts/none.svg#a"/></svg>"#;
        assert_eq!(inline_parts(unknown, &parts), unknown);
    }

    #[test]
    fn a_theme_that_cannot_be_used_says_why() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#;
        let good = "ground = \"#102030\"\n[ink]\ncount = \"#ffffff80\"\n";
        assert_eq!(reason(good, svg), "none");
        assert!(reason(good, "<svg").starts_with("theme t, drawing stone: "));
        let bad = good.replace("#ffffff80", "white");
        assert_eq!(reason(&bad, svg), "theme t: \"white\" is not a colour like #aabbcc");
        assert!(reason("ground = 1", svg).starts_with("theme t: "));
        assert_eq!(reason("base = \"u\"", svg), "theme t: there is no theme \"u\"");
        assert_eq!(reason("", svg), "theme t: it has no ground");
    }

    #[test]
    fn a_theme_lends_another_its_drawings_in_its_colours() {
        let lent = [("a", "#111/#111222/#1112"), ("a-b", "#111"), ("c", "#111")];
        let base = ThemeFiles { name: "base", colours: "", drawings: &lent };
        let own = ThemeFiles { name: "own", colours: "", drawings: &[("c", "#111 own")] };
        let table = |name: &str, from: &str, to: &str| {
            (name.to_owned(), BTreeMap::from([(from.to_owned(), to.to_owned())]))
        };
        let recolour = BTreeMap::from([table("*", "#111", "#222"), table("a*b", "#111", "#333")]);
        let drawn: Vec<_> = merge_drawings(&own, Some(&base), &recolour).into_iter().collect();
        let expected = [("a", "#222/#111222/#1112"), ("a-b", "#333"), ("c", "#111 own")];
        assert_eq!(drawn, expected.map(|(name, svg)| (name, svg.to_owned())));
    }
}
