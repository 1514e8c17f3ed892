//! How strong a computer plays.

/// The strength of a computer player as people know it. The lower ones overlook things as people
/// do; they do not play at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plays a first game.
    Beginner,
    /// Knows the rules and sees what lies on the table.
    Easy,
    /// Plays a decent game.
    Medium,
    /// Hard to beat for people who play a lot.
    Strong,
    /// All the program has.
    Master,
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Level; 5] =
        [Level::Beginner, Level::Easy, Level::Medium, Level::Strong, Level::Master];

    /// The spelling in logs, buttons and commands.
    pub fn code(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Strong => "strong",
            Level::Master => "master",
        }
    }

    /// Reads what [`Level::code`] writes.
    pub fn read(code: &str) -> Option<Level> {
        Self::ALL.into_iter().find(|level| level.code() == code)
    }
}
