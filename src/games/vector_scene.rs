//! Describes a scene as vectors, for clients that draw it themselves.
//!
//! The drawings of a [`VectorScene`] are symbols of *sheets*, which clients fetch by name. The
//! crate `render` converts a scene of [`super::scene`] into one.

use serde::Serialize;

/// A scene to be drawn with sheets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VectorScene {
    /// The width in units.
    pub width: u16,
    /// The height in units.
    pub height: u16,
    /// The background colour, as a CSS colour.
    pub ground: String,
    /// The names of the sheets with its drawings.
    pub sheets: Vec<String>,
    /// The items, from the bottom to the top.
    pub items: Vec<VectorItem>,
}

/// An item of a [`VectorScene`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum VectorItem {
    /// A drawing: its name (several with `+` between are stacked, the lowest first), width, height,
    /// and the centres (x, y, x, y …) of its consecutive copies.
    Upright(String, u16, u16, Vec<i16>),
    /// A drawing that is rotated clockwise around its centre, in degrees.
    Turned(String, u16, u16, [i16; 2], i16),
    /// A line of text.
    Letters {
        /// The text.
        text: String,
        /// The x coordinate of the part that `anchor` names.
        x: i16,
        /// The y coordinate of the base line.
        y: f64,
        /// The font size.
        size: f64,
        /// The width of the line: another font is stretched or squeezed to it.
        long: f64,
        /// `start`, `middle` or `end`, as in SVG.
        anchor: &'static str,
        /// Whether the font is bold.
        bold: bool,
        /// The colour, as a CSS colour.
        ink: String,
    },
    /// A line with round corners.
    Trail {
        /// The line as an SVG path.
        d: String,
        /// The arrow head as a filled SVG path; empty if there is none.
        head: String,
        /// The thickness of the line.
        thick: u16,
        /// The colour, as a CSS colour.
        ink: String,
    },
}
