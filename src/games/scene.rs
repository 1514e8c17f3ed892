//! Pictures as data: sprites, labels and trails, without the words of a game and without pixels.
//!
//! A game lays out sprites, labels and trails on a sheet of logical units; `render` turns the sheet
//! into a PNG picture of any width in any theme. Units are whole numbers without a fixed size: a
//! board 1,080 units wide may become a picture 320 or 1,280 pixels wide. The origin is the top left
//! corner, x grows to the right and y downwards. Later items are on top.
//!
//! Equal scenes give equal pictures, so a scene (it is hashable) is a cache key.
//!
//! ```
//! use caravanserai_games::scene::{SceneLabel, Scene, Sprite};
//!
//! let mut scene = Scene::new(200, 100);
//! scene.add(Sprite::new("stone", 50, 50, 40, 40));
//! scene.add(SceneLabel::new("7", 150, 50, 60, "count").bold());
//! assert_eq!(scene.items.len(), 2);
//! ```

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A picture: a sheet with items in drawing order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scene {
    /// Width in units.
    pub width: u16,
    /// Height in units.
    pub height: u16,
    /// The items, the lowest first.
    pub items: Vec<SceneItem>,
}

impl Scene {
    /// An empty sheet.
    pub fn new(width: u16, height: u16) -> Self {
        Self { width, height, items: Vec::new() }
    }

    /// Adds an item on top.
    pub fn add(&mut self, item: impl Into<SceneItem>) {
        self.items.push(item.into());
    }
}

/// One frame of an animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneFrame {
    /// The picture.
    pub scene: Scene,
    /// Its duration in hundredths of a second.
    pub hold_cs: u16,
}

/// One item on a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SceneItem {
    /// A drawing of the theme.
    Sprite(Sprite),
    /// Words or digits.
    Label(SceneLabel),
    /// A line along points.
    Trail(Trail),
}

/// A position on the sheet, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// Distance from the left.
    pub x: i16,
    /// Distance from the top.
    pub y: i16,
}

/// Separates the names of drawings that form one sprite in layers.
pub const LAYER_SEPARATOR: char = '+';

/// A drawing of the theme: a board, a stone, a die, a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sprite {
    /// File name in the theme's folder without its ending, such as `stone`; or several with `+`
    /// between them, the lowest first: `card-7C+card-dim` is drawn faster than two sprites.
    pub name: Cow<'static, str>,
    /// Its centre.
    pub at: Point,
    /// Width before turning. The drawing is stretched to fill width and height.
    pub width: u16,
    /// Height before turning.
    pub height: u16,
    /// Degrees clockwise around the centre.
    pub turn: i16,
}

impl Sprite {
    /// A drawing with its centre at (`x`, `y`).
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        x: i16,
        y: i16,
        width: u16,
        height: u16,
    ) -> Self {
        Self { name: name.into(), at: Point { x, y }, width, height, turn: 0 }
    }

    /// Turns it clockwise by this number of degrees.
    #[must_use]
    pub fn turned(mut self, degrees: i16) -> Self {
        self.turn = degrees;
        self
    }
}

/// The layout of cards in a hand: they form an arc, each turned a little more than the one before
/// it, later ones on top.
///
/// The angles are always odd multiples of [`Fan::HALF`], for any number of cards, so that a
/// renderer needs few turned sprites: seven cards are placed like the first seven of eight, moved
/// to the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fan {
    /// The centre of an upright card in the middle.
    pub middle: Point,
    /// The distance from that centre down to the point around which the cards turn.
    pub radius: u16,
    /// Width and height of each card.
    pub size: (u16, u16),
}

impl Fan {
    /// Half the angle between two neighbours, in degrees.
    pub const HALF: i16 = 3;

    /// Card number `n` of `count`, counted from the left, raised out of the hand by `raised`
    /// units, with extra layers such as a veil over a card that is not legal.
    pub fn card(
        &self,
        name: impl Into<Cow<'static, str>>,
        n: u8,
        count: u8,
        raised: u16,
    ) -> Sprite {
        let twice = 2 * i32::from(n) - i32::from(count);
        let steps = if count.is_multiple_of(2) { twice + 1 } else { twice };
        let turn = steps as i16 * Self::HALF;
        let shift =
            if count.is_multiple_of(2) { 0.0 } else { f64::from(Self::HALF).to_radians().sin() };
        let (sin, cos) = f64::from(turn).to_radians().sin_cos();
        let radius = f64::from(self.radius);
        let arm = f64::from(self.radius) + f64::from(raised);
        let x = f64::from(self.middle.x) + arm * sin + radius * shift;
        let y = f64::from(self.middle.y) + radius - arm * cos;
        let (width, height) = self.size;
        Sprite::new(name, x.round() as i16, y.round() as i16, width, height).turned(turn)
    }
}

/// Words or digits in one line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SceneLabel {
    /// The text. Characters that no font has are left out, see `render::text`.
    pub text: String,
    /// The position of the point that `align` chooses; vertically always the middle of a digit.
    pub at: Point,
    /// Size of the font (its em) in units; a digit is about 0.73 of it high.
    pub size: u16,
    /// The weight of the strokes.
    pub weight: FontWeight,
    /// The part of the line that is at the point.
    pub align: Align,
    /// Role of the colour in the theme, such as `count` or `name`.
    pub ink: Cow<'static, str>,
    /// If not 0: the largest width in units. A longer text becomes a little smaller, then it is cut
    /// with `…`.
    pub fit: u16,
    /// A shorter text to show instead of cutting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
}

impl SceneLabel {
    /// A centred line in the regular weight.
    pub fn new(
        text: impl Into<String>,
        x: i16,
        y: i16,
        size: u16,
        ink: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            text: text.into(),
            at: Point { x, y },
            size,
            weight: FontWeight::Regular,
            align: Align::Middle,
            ink: ink.into(),
            fit: 0,
            short: None,
        }
    }

    /// The same in the bold weight.
    #[must_use]
    pub fn bold(mut self) -> Self {
        self.weight = FontWeight::Bold;
        self
    }

    /// Puts another part of the line at the point.
    #[must_use]
    pub fn aligned(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    /// Makes it smaller or cuts it if it is wider than this number of units.
    #[must_use]
    pub fn fitted(mut self, width: u16) -> Self {
        self.fit = width;
        self
    }

    /// Shows this text where the other one would be cut.
    #[must_use]
    pub fn with_short_text(mut self, short: impl Into<String>) -> Self {
        self.short = Some(short.into());
        self
    }
}

/// The weight of the strokes of a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FontWeight {
    /// Ordinary strokes.
    #[default]
    Regular,
    /// Heavy: digits that must be read on a phone.
    Bold,
}

/// The part of a label that is at its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Align {
    /// The left end.
    Start,
    /// The middle.
    #[default]
    Middle,
    /// The right end.
    End,
}

/// A line along points: a path, an arrow, an outline.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trail {
    /// Corners; they are drawn round.
    pub points: Vec<Point>,
    /// Thickness in units.
    pub width: u16,
    /// Role of the colour in the theme.
    pub ink: Cow<'static, str>,
    /// Whether the last point has an arrow head.
    pub arrow: bool,
}

/// A part of the sheet that can be touched: a rectangle, turned as a [`Sprite`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TouchArea {
    /// Its centre.
    pub at: Point,
    /// Width before turning.
    pub width: u16,
    /// Height before turning.
    pub height: u16,
    /// Degrees clockwise around the centre.
    pub turn: i16,
}

impl TouchArea {
    /// An upright rectangle with its centre here.
    pub fn new(at: Point, width: u16, height: u16) -> Self {
        Self { at, width, height, turn: 0 }
    }

    /// The area that a drawing covers.
    pub fn from_sprite(sprite: &Sprite) -> Self {
        let Sprite { at, width, height, turn, .. } = *sprite;
        Self { at, width, height, turn }
    }
}

/// An action that can be chosen by a touch on the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchSpot<A> {
    /// The action.
    pub action: A,
    /// The area to touch: a pit, a piece, a card.
    pub at: TouchArea,
    /// The area where the action leads, if the picture shows it.
    pub to: Option<TouchArea>,
    /// Whether the action captures something.
    pub is_capture: bool,
    /// Whether the action also has a button.
    pub has_button: bool,
}

/// The move of one piece, to be shown before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PiecePath {
    /// The area of the piece.
    pub from: TouchArea,
    /// The area where it leads.
    pub to: TouchArea,
    /// Whether it captures something there.
    pub is_capture: bool,
}

impl From<Sprite> for SceneItem {
    fn from(sprite: Sprite) -> Self {
        SceneItem::Sprite(sprite)
    }
}

impl From<SceneLabel> for SceneItem {
    fn from(label: SceneLabel) -> Self {
        SceneItem::Label(label)
    }
}

impl From<Trail> for SceneItem {
    fn from(trail: Trail) -> Self {
        SceneItem::Trail(trail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAN: Fan = Fan { middle: Point { x: 540, y: 300 }, radius: 1000, size: (200, 280) };

    #[test]
    fn a_fan_has_few_angles_and_a_middle() {
        for count in 1..=8 {
            let cards: Vec<Sprite> = (0..count).map(|n| FAN.card("card-7C", n, count, 0)).collect();
            assert!(cards.iter().all(|card| [3, 9, 15, 21].contains(&card.turn.abs())));
            assert!(cards.windows(2).all(|pair| pair[1].turn - pair[0].turn == 2 * Fan::HALF));
            let middle =
                cards.iter().map(|card| i32::from(card.at.x)).sum::<i32>() / i32::from(count);
            assert!((535..=545).contains(&middle), "{count} cards around {middle}");
        }
    }

    #[test]
    fn a_raised_card_leaves_along_its_own_axis() {
        let low = FAN.card("card-7C", 7, 8, 0);
        let high = FAN.card("card-7C", 7, 8, 40);
        assert!(high.at.x > low.at.x && high.at.y < low.at.y && high.turn == low.turn);
    }
}
