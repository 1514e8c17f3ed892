//! The games: the only place that names every one of them.
//!
//! Rules are typed ([`Rules`]); tables see a [`Match`], text in and neutral values out. [`Live`]
//! joins the two once for all games. To add a game: a folder beside `togyzkumalak`, a variant of
//! [`GameId`], an arm in [`GameId::open`] and [`GameId::info`].

pub mod blot;
pub mod chart;
mod computer;
pub mod duel;
pub mod given;
mod live;
mod pack;
pub mod replay;
pub mod switches;
pub mod thaayam;
pub mod togyzkumalak;

pub use self::chart::{Standing, StandingLine, chances};
pub use self::computer::{Asked, Computer};
pub use self::duel::{Dueling, Measured};
pub use self::given::Seen;
pub use self::pack::{Draw, Learning, Pack, Panel, Recorded, Sheet, Step, in_rows, no_hand};
pub use self::replay::{Pace, Replay, shorter};
pub use self::switches::Switch;

use crate::rules::{Entropy, Illegal, Node, Seat, Viewer};
use crate::scene::Scene;
use crate::words::{Arg, Text};

/// A game by name: storage key, template folder and command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameId {
    /// Kazakh mancala for two.
    Togyzkumalak,
    /// Race round a cloth of 25 squares for two to four.
    Thaayam,
    /// Armenian card game for two pairs.
    Blot,
}

/// What lobbies and menus need to know of a game.
#[derive(Debug)]
pub struct Info {
    /// Stored in logs: never changes.
    pub code: &'static str,
    /// The command that opens a table.
    pub command: &'static str,
    /// How many people play: fewest and most.
    pub seats: (u8, u8),
    /// The house rules to choose from.
    pub switches: &'static [Switch],
    /// How many teaching pictures `/rules` has.
    pub lessons: u8,
    /// `Rules::REVISION`.
    pub revision: u16,
    /// Whether players hold cards that nobody else may see.
    pub hidden: bool,
    /// Whether those who sit opposite each other play together: seats 0 and 2 against 1 and 3.
    pub partners: bool,
}

impl Info {
    /// Token of the options when nobody chose any.
    pub fn default_options(&self) -> String {
        switches::write(&vec![0; self.switches.len()], self.switches)
    }

    /// Token of the options after one setting was changed: `pieces=2`, or a value alone where it
    /// says enough. `None` when there is no such setting.
    pub fn change(&self, options: &str, setting: &str) -> Option<String> {
        switches::change(options, setting, self.switches)
    }

    /// What each switch is set to, in the order of [`Info::switches`].
    pub fn chosen(&self, options: &str) -> Option<Vec<usize>> {
        switches::read(options, self.switches)
    }
}

impl GameId {
    /// Every game, in the order of menus.
    pub const ALL: [GameId; 3] = [GameId::Togyzkumalak, GameId::Thaayam, GameId::Blot];

    /// What lobbies and menus need to know.
    pub fn info(self) -> &'static Info {
        match self {
            GameId::Togyzkumalak => &togyzkumalak::INFO,
            GameId::Thaayam => &thaayam::INFO,
            GameId::Blot => &blot::INFO,
        }
    }

    /// The game with this code.
    pub fn read(code: &str) -> Option<GameId> {
        Self::ALL.into_iter().find(|game| game.info().code == code)
    }

    /// Sets up a game.
    ///
    /// # Errors
    /// When the options are unknown or do not go with so many seats.
    pub fn open(self, options: &str, seats: u8) -> Result<Box<dyn Match>, Illegal> {
        match self {
            GameId::Togyzkumalak => live::open(&togyzkumalak::PACK, options, seats),
            GameId::Thaayam => live::open(&thaayam::PACK, options, seats),
            GameId::Blot => live::open(&blot::PACK, options, seats),
        }
    }

    /// Reads a record of this game; `options` overrules what it says of its own.
    ///
    /// # Errors
    /// One sentence, with the line if one is to blame.
    pub fn read_record(self, text: &str, options: Option<&str>) -> Result<Replay, String> {
        match self {
            GameId::Togyzkumalak => live::read(&togyzkumalak::PACK, text, options),
            GameId::Thaayam => live::read(&thaayam::PACK, text, options),
            GameId::Blot => live::read(&blot::PACK, text, options),
        }
    }

    /// A game that begins with a position in writing, where nothing is hidden.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn position(self, options: &str, seats: u8, text: &str) -> Result<Box<dyn Match>, String> {
        match self {
            GameId::Togyzkumalak => given::position(&togyzkumalak::PACK, options, seats, text),
            GameId::Thaayam => given::position(&thaayam::PACK, options, seats, text),
            GameId::Blot => given::position(&blot::PACK, options, seats, text),
        }
    }

    /// What a seat knows, in writing, where hands are hidden; `moves` are the tokens of what was
    /// said and done.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn seen(self, options: &str, text: &str, moves: &[&str]) -> Result<Seen, String> {
        match self {
            GameId::Togyzkumalak => given::seen(&togyzkumalak::PACK, options, text, moves),
            GameId::Thaayam => given::seen(&thaayam::PACK, options, text, moves),
            GameId::Blot => given::seen(&blot::PACK, options, text, moves),
        }
    }

    /// A computer player of this game: a level by its code, or one of [`GameId::opponents`].
    pub fn computer(self, name: &str) -> Option<Box<dyn Computer>> {
        match self {
            GameId::Togyzkumalak => computer::computer(&togyzkumalak::PACK, name),
            GameId::Thaayam => computer::computer(&thaayam::PACK, name),
            GameId::Blot => computer::computer(&blot::PACK, name),
        }
    }

    /// What the players besides the levels are called: those that strength is measured by. `N`
    /// stands for a number.
    pub fn opponents(self) -> &'static [&'static str] {
        match self {
            GameId::Togyzkumalak => togyzkumalak::PACK.opponents,
            GameId::Thaayam => thaayam::PACK.opponents,
            GameId::Blot => blot::PACK.opponents,
        }
    }

    /// How what the players of this game have learned is made anew.
    pub fn learning(self) -> Learning {
        match self {
            GameId::Togyzkumalak => togyzkumalak::PACK.learning,
            GameId::Thaayam => thaayam::PACK.learning,
            GameId::Blot => blot::PACK.learning,
        }
    }

    /// How matches between computers are played in this game.
    pub fn dueling(self) -> Dueling {
        match self {
            GameId::Togyzkumalak => duel::dueling(&togyzkumalak::PACK),
            GameId::Thaayam => duel::dueling(&thaayam::PACK),
            GameId::Blot => duel::dueling(&blot::PACK),
        }
    }

    /// Picture `n` (from 0) of the rules, with no names of players on it.
    pub fn lesson(self, n: u8) -> Option<Scene> {
        match self {
            GameId::Togyzkumalak => {
                togyzkumalak::lesson::lesson(n.checked_add(1)?).map(|it| it.scene)
            }
            GameId::Thaayam => thaayam::lesson::lesson(n.checked_add(1)?).map(|it| it.scene),
            GameId::Blot => blot::lesson::lesson(n.checked_add(1)?),
        }
    }
}

/// Something to do as a button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The canonical token of the action.
    pub token: String,
    /// A few characters or a text.
    pub label: Arg,
}

/// A card in somebody's hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Playing it.
    pub choice: Choice,
    /// Whether it may be played now.
    pub legal: bool,
}

/// What a record of a finished game says besides its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Names by seat.
    pub names: Vec<String>,
    /// Date of the beginning, `2026.11.21`.
    pub date: String,
    /// Where it was played.
    pub site: String,
    /// Whether the game ended without being played out (resignation, agreement).
    pub result: Option<Vec<i32>>,
}

/// One step of a finished or running game as it stands in the log.
pub type Logged<'a> = (Option<Seat>, &'a str);

/// A game as a table sees it.
pub trait Match: Send + Sync {
    /// What the game waits for.
    fn node(&self) -> Node;
    /// Plays an action by its token, silently: for folding logs.
    ///
    /// # Errors
    /// When the token is unknown or not legal; nothing has changed.
    fn act(&mut self, seat: Seat, token: &str) -> Result<(), Illegal>;
    /// Applies an outcome of chance by its token.
    ///
    /// # Errors
    /// When the token is unknown or cannot arise; nothing has changed.
    fn settle(&mut self, token: &str) -> Result<(), Illegal>;
    /// Draws an outcome of chance without applying it. Only at [`Node::Chance`].
    fn draw(&self, entropy: &mut dyn Entropy) -> String;
    /// The token that the table plays by itself for the seat on turn.
    fn forced(&self) -> Option<String>;
    /// What a computer player on this seat is asked now: what the seat may know and do. `None` when
    /// the seat has nothing to do.
    fn ask(&self, seat: Seat) -> Option<Asked>;
    /// What a seat may do now, sorted by token.
    fn choices(&self, seat: Seat) -> Vec<Choice>;
    /// Rows of buttons that may stand under the board for everybody to see: what this seat may
    /// do. Page 0 stands there, further pages are shown on demand.
    fn panel(&self, seat: Seat, page: u8) -> Panel<Choice>;
    /// What this seat holds, in the order of people's hands. Secret.
    fn hand(&self, seat: Seat) -> Vec<Held>;
    /// The token of what a person typed; it need not be legal.
    fn guess(&self, seat: Seat, text: &str) -> Option<String>;
    /// Why this is not possible, in helpful words.
    fn refuse(&self, seat: Seat, token: &str, illegal: Illegal) -> Text;
    /// What happened last, score and, as the last line, turn or end in words, for those who
    /// cannot see the picture.
    fn caption(&self, viewer: Viewer) -> Vec<Text>;
    /// The whole board in words.
    fn board_text(&self, viewer: Viewer) -> Vec<Text>;
    /// What else can be read of this game: names of sheets.
    fn sheets(&self) -> Vec<&'static str>;
    /// A sheet by name, for whoever looks.
    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>>;
    /// The board as something to draw. `result` holds points by seat when the game ended in
    /// another way than by its rules: resignation, agreement.
    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene;
    /// The pictures of a replay that belong to the last step: none, one, or several after each
    /// other. A copy has forgotten its last step.
    fn frames(&self, viewer: Viewer, names: &[String]) -> Vec<(Scene, Pace)>;
    /// Whether those who sit opposite each other play together, by these house rules.
    fn partners(&self) -> bool;
    /// What is measured in matches between computers besides who has won, as it stands now.
    fn measured(&self) -> Vec<Measured>;
    /// The token that is played for the seat on turn where only the rest of a round is measured.
    fn scripted(&self) -> Option<String>;
    /// What the chart counts, as it stands now.
    fn standing(&self) -> Standing;
    /// Whether the last step ended what the chart goes by: a move, a turn, a round.
    fn counts(&self) -> bool;
    /// The game as a text that people and other programs can read.
    fn record(&self, heading: &Heading, options: &str, steps: &[Logged<'_>]) -> String;
    /// An independent copy.
    fn copy(&self) -> Box<dyn Match>;
}
