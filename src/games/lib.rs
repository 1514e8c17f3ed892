//! Rules, notation and computer players of all games, and the interfaces through which other crates
//! use them.
//!
//! This crate knows no chat, store or platform, so its tests build in seconds. It is always
//! optimised, because engines search and rules are replayed by the million.
//!
//! Rules are typed ([`Rules`](crate::rules::Rules)). All other code uses a [`Match`], which takes
//! text and gives neutral values, and a [`Game`] for the game itself. Both are split by reader:
//! [`table_match`] serves tables, [`course`] lessons, [`arena`] matches between computers, and
//! [`records`] serves records, positions, replays and charts. A game implements all of them with
//! one [`GameDefinition`].
//!
//! To add a game: a folder beside `togyzkumalak` with a [`GameDefinition`], its line in `GAMES`,
//! its words in the folders of the languages, its drawings in the folders of the themes.
//!
//! Start reading at [`rules`], then [`togyzkumalak`].

pub mod arena;
pub mod benchmark;
pub mod blot;
pub mod chart;
mod computer;
pub mod computer_ratings;
pub mod course;
mod definition;
pub mod game_id;
mod game_info;
pub mod ids;
#[cfg(test)]
mod ladder;
pub mod play_quality;
pub mod ranking;
pub mod records;
pub mod replay;
pub mod rules;
pub mod scene;
pub mod search;
pub mod setup;
pub mod solving;
pub mod statistics;
pub mod switches;
pub mod table_match;
pub mod text;
pub mod thaayam;
pub mod time_units;
pub mod togyzkumalak;
pub mod vector_scene;
pub mod vocabulary;

pub use self::arena::{DuelInfo, MeasuredValue};
pub use self::chart::{ChartLine, ChartSample, chances_scene};
pub use self::computer::{Computer, EngineQuestion};
pub use self::course::{
    Course, CourseAnswer, CourseLesson, CoursePage, CoursePart, CourseTask, CourseView, TriedMove,
};
pub use self::definition::{
    ArenaFunctions, ButtonPanel, DrawSceneFn, FinishedRound, GameDefinition, Learning,
    RevealedDeal, UprightLayout,
};
pub use self::definition::{
    GameStep, InfoSheet, RecordFunctions, RecordedMatch, StepSound, TableFunctions,
};
pub use self::definition::{
    no_hand, no_paths, no_revealed_deal, no_round_points, no_rounds, no_sketch, no_spots,
    panel_in_rows,
};
pub use self::game_id::{Game, GameId, Match};
pub use self::game_info::{GameInfo, SeatLimits};
pub use self::records::{LoggedStep, NotationError, RecordHeading, SeatKnowledge};
pub use self::replay::{FramePace, GameReplay, shorten_stills};
pub use self::setup::{
    DrawnDraft, OutcomeParts, SetupChoice, SetupDraft, SetupFunctions, SetupPart, SetupValues,
};
pub use self::statistics::{
    Achievement, GameCounts, PlayChoice, PlayChoiceGroup, StatisticsFunctions,
};
pub use self::switches::Switch;
pub use self::table_match::{ActionChoice, GameRefusal, HandCard, MatchInputError};

/// Every game of the program, in the order of menus.
const GAMES: &[GameId] = &[togyzkumalak::ID, thaayam::ID, blot::ID];
