//! The list of games, and the handle by which other code uses one of them.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::OnceLock;

use super::arena::{ArenaGame, ArenaMatch};
use super::course::CourseGame;
use super::records::{RecordGame, RecordMatch};
use super::setup::{SetupGame, SetupMatch};
use super::statistics::{StatisticsGame, StatisticsMatch};
use super::table_match::{TableGame, TableMatch};

/// A game as tables, courses, arenas and analyses use it.
///
/// # Examples
///
/// ```
/// use caravanserai_games::{Game, GameId};
///
/// fn default_rules(game: &dyn Game) -> String {
///     game.info().default_options()
/// }
///
/// for game in GameId::all() {
///     let most_seats = game.info().seats.most;
///     assert!(game.start_match(&default_rules(**game), most_seats).is_ok());
///     assert_eq!(GameId::from_code(game.info().code), Some(*game));
/// }
/// ```
pub trait Game:
    TableGame + CourseGame + ArenaGame + RecordGame + StatisticsGame + SetupGame + Send + Sync
{
}

impl<G> Game for G where
    G: TableGame + CourseGame + ArenaGame + RecordGame + StatisticsGame + SetupGame + Send + Sync
{
}

/// A running game, independent of its typed rules.
///
/// # Examples
///
/// ```
/// use caravanserai_games::rules::{Node, Seat};
/// use caravanserai_games::togyzkumalak;
///
/// let game = togyzkumalak::ID;
/// let mut running = game.start_match(&game.info().default_options(), 2)?;
/// let tokens: Vec<String> =
///     running.choices(Seat(0)).into_iter().map(|it| it.token).collect();
/// assert_eq!(tokens, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
///
/// running.apply_action(Seat(0), "7")?;
/// assert_eq!(running.node(), Node::Act(Seat(1)));
///
/// // A refusal names the text for the player.
/// let refused = running.apply_action(Seat(0), "7").unwrap_err();
/// let text = running.explain_refusal(Seat(0), "7", refused);
/// assert_eq!(text.key, "togyzkumalak-not-your-turn");
/// # Ok::<(), caravanserai_games::GameRefusal>(())
/// ```
pub trait Match:
    TableMatch + ArenaMatch + RecordMatch + StatisticsMatch + SetupMatch + Send + Sync
{
    /// An independent copy.
    fn clone_box(&self) -> Box<dyn Match>;
}

/// The handle of a game: storage key, template folder and command. Two handles are equal when their
/// codes are.
#[derive(Clone, Copy)]
pub struct GameId(&'static dyn Game);

/// The list, with the games that were registered before it was first read.
static LIST: OnceLock<Vec<GameId>> = OnceLock::new();

impl GameId {
    /// The handle of this game.
    pub const fn of(game: &'static dyn Game) -> Self {
        Self(game)
    }

    /// Every game, in the order of menus.
    pub fn all() -> &'static [GameId] {
        LIST.get_or_init(|| super::GAMES.to_vec())
    }

    /// Appends games to those of the program for the life of the process. Tests use it to show that
    /// a game needs nothing but its folder.
    ///
    /// # Errors
    /// When the list was already read.
    pub fn register(more: &[GameId]) -> Result<(), GameListFrozen> {
        LIST.set([super::GAMES, more].concat()).map_err(|_| GameListFrozen)
    }

    /// The game with this code.
    pub fn from_code(code: &str) -> Option<GameId> {
        Self::all().iter().copied().find(|game| game.info().code == code)
    }
}

/// The list of games was read before a game was registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameListFrozen;

impl Deref for GameId {
    type Target = &'static dyn Game;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl PartialEq for GameId {
    fn eq(&self, other: &Self) -> bool {
        self.info().code == other.info().code
    }
}

impl Eq for GameId {}

impl Hash for GameId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.info().code.hash(state);
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().code)
    }
}
