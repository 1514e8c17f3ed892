//! The levels of computer players.

/// The strength of a computer player. The lower levels overlook things as people do; they do not
/// play at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum ComputerLevel {
    /// Plays a first game.
    Beginner,
    /// Knows the rules and sees immediate gains.
    Easy,
    /// Plays a decent game.
    Medium,
    /// Hard to beat for people who play a lot.
    Strong,
    /// The full strength of the program.
    Master,
}

impl ComputerLevel {
    /// All of them, the weakest first.
    pub const ALL: [ComputerLevel; 5] = [
        ComputerLevel::Beginner,
        ComputerLevel::Easy,
        ComputerLevel::Medium,
        ComputerLevel::Strong,
        ComputerLevel::Master,
    ];

    /// The spelling in logs, buttons and commands.
    pub fn code(self) -> &'static str {
        match self {
            ComputerLevel::Beginner => "beginner",
            ComputerLevel::Easy => "easy",
            ComputerLevel::Medium => "medium",
            ComputerLevel::Strong => "strong",
            ComputerLevel::Master => "master",
        }
    }

    /// Reads the code that [`ComputerLevel::code`] gives.
    pub fn read(code: &str) -> Option<ComputerLevel> {
        Self::ALL.into_iter().find(|level| level.code() == code)
    }
}
