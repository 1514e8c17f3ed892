//! The games: rules, notation, computer players, and what everybody else knows of them.
//!
//! This crate knows no chat, store or platform, so its tests build in seconds. It is always
//! optimised: engines search, and rules are replayed by the million.
//!
//! Rules are typed ([`Rules`](crate::rules::Rules)); everybody else sees a [`Match`], text in and
//! neutral values out, and of the game itself a [`Game`]. Both are split by who reads them:
//! [`table`] is what a table plays and shows, [`course`] how a game is learnt, [`arena`] what
//! matches between computers need, [`study`] records, positions, replays and charts. A game's
//! [`Pack`] is its side of all this.
//!
//! To add a game: a folder beside `togyzkumalak` with a [`Pack`], its line in [`GAMES`], its words
//! in the folders of the languages, its drawings in the folders of the themes.
//!
//! Start reading at [`rules`], then [`togyzkumalak`].

pub mod arena;
pub mod blot;
pub mod chart;
mod computer;
pub mod course;
pub mod id;
pub mod ids;
mod info;
pub mod input;
mod pack;
pub mod replay;
pub mod rules;
pub mod scene;
pub mod search;
pub mod study;
pub mod switches;
pub mod table;
pub mod thaayam;
pub mod togyzkumalak;
pub mod words;

pub use self::arena::{Dueling, Measured};
pub use self::chart::{Standing, StandingLine, chances};
pub use self::computer::{Asked, Computer};
pub use self::course::{Answer, Course, Lesson, Page, Part, Shown, Task};
pub use self::id::{Game, GameId, Match};
pub use self::info::Info;
pub use self::pack::{Arena, Draw, LaidOpen, Learning, Pack, Panel};
pub use self::pack::{Recorded, Sheet, Sound, Step, Study, Table};
pub use self::pack::{in_rows, no_deals, no_hand, no_sketch, no_spots};
pub use self::replay::{Pace, Replay, shorter};
pub use self::study::{Heading, Logged, Seen, Unreadable};
pub use self::switches::Switch;
pub use self::table::{Choice, Held, Refused, Unasked};

/// Every game of the program, in the order of menus.
const GAMES: &[GameId] = &[togyzkumalak::ID, thaayam::ID, blot::ID];
