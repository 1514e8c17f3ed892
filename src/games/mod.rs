//! The games: the only place that names every one of them.
//!
//! Rules are typed ([`Rules`]); tables see a [`Match`], text in and neutral values out. [`Live`]
//! joins the two once for all games. To add a game: a folder beside `togyzkumalak`, a variant of
//! [`GameId`], an arm in [`GameId::open`] and [`GameId::info`].

pub mod blot;
pub mod togyzkumalak;

use crate::rules::{Entropy, Illegal, Node, Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::words::Text;

/// A game by name: storage key, template folder and command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameId {
    /// Kazakh mancala for two.
    Togyzkumalak,
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
    /// Tokens of the variants, the default first.
    pub variants: &'static [&'static str],
    /// How many teaching pictures `/rules` has.
    pub lessons: u8,
    /// `Rules::REVISION`.
    pub revision: u16,
}

impl GameId {
    /// Every game, in the order of menus.
    pub const ALL: [GameId; 1] = [GameId::Togyzkumalak];

    /// What lobbies and menus need to know.
    pub fn info(self) -> &'static Info {
        match self {
            GameId::Togyzkumalak => &togyzkumalak::INFO,
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
            GameId::Togyzkumalak => live(&togyzkumalak::PACK, options, seats),
        }
    }

    /// Picture `n` (from 0) of the rules, with no names of players on it.
    pub fn lesson(self, n: u8) -> Option<Scene> {
        match self {
            GameId::Togyzkumalak => {
                togyzkumalak::lesson::lesson(n.checked_add(1)?).map(|it| it.scene)
            }
        }
    }
}

/// A legal choice as a button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The canonical token of the action.
    pub token: String,
    /// A few characters, the same in all languages.
    pub label: String,
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
    /// What a seat may do now, sorted.
    fn choices(&self, seat: Seat) -> Vec<Choice>;
    /// The token of what a person typed; it need not be legal.
    fn guess(&self, seat: Seat, text: &str) -> Option<String>;
    /// Why this is not possible, in helpful words.
    fn refuse(&self, seat: Seat, token: &str, illegal: Illegal) -> Text;
    /// Last move, score and, as the last line, turn or end in words, for those who cannot see the
    /// picture.
    fn caption(&self, viewer: Viewer) -> Vec<Text>;
    /// The whole board in words.
    fn board_text(&self, viewer: Viewer) -> Vec<Text>;
    /// The board as something to draw. `result` holds points by seat when the game ended in
    /// another way than by its rules: resignation, agreement.
    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene;
    /// The game as a text that people and other programs can read.
    fn record(&self, heading: &Heading, options: &str, tokens: &[String]) -> String;
    /// An independent copy.
    fn copy(&self) -> Box<dyn Match>;
}

/// Lays out a view: names by seat, points by seat if the table ended the game.
pub type Draw<V> = fn(&V, &[String], Option<&[i32]>) -> Scene;

/// The rules of a game with those who show it and tell of it.
pub struct Pack<R: Rules> {
    /// The board as something to draw.
    pub scene: Draw<R::View>,
    /// Last move, score, turn.
    pub caption: fn(&R::View) -> Vec<Text>,
    /// The whole board in words.
    pub board_text: fn(&R::View) -> Vec<Text>,
    /// Why this is not possible.
    pub refuse: fn(&R::View, Seat, &R::Action, Illegal) -> Text,
    /// A few characters for a button.
    pub label: fn(&R::View, &R::Action) -> String,
    /// A text record of the actions so far.
    pub record: fn(&Heading, &R::Options, &[R::Action]) -> String,
}

struct Live<R: Rules> {
    rules: R,
    pack: &'static Pack<R>,
    facts: Vec<R::Fact>,
}

fn live<R: Rules>(
    pack: &'static Pack<R>,
    options: &str,
    seats: u8,
) -> Result<Box<dyn Match>, Illegal> {
    let options = R::Options::read(options).ok_or(Illegal("refuse-unknown-variant"))?;
    Ok(Box::new(Live { rules: R::start(&options, seats)?, pack, facts: Vec::new() }))
}

/// What an unreadable token of an action is answered with.
const UNKNOWN: Illegal = Illegal("refuse-not-understood");

impl<R: Rules> Match for Live<R> {
    fn node(&self) -> Node {
        self.rules.node()
    }

    fn act(&mut self, seat: Seat, token: &str) -> Result<(), Illegal> {
        let action = R::Action::read(token).ok_or(UNKNOWN)?;
        self.facts.clear();
        self.rules.act(seat, &action, &mut self.facts)
    }

    fn settle(&mut self, token: &str) -> Result<(), Illegal> {
        let outcome = R::Chance::read(token).ok_or(UNKNOWN)?;
        self.facts.clear();
        self.rules.settle(&outcome, &mut self.facts)
    }

    fn draw(&self, entropy: &mut dyn Entropy) -> String {
        self.rules.draw(entropy).write()
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        let view = self.rules.view(Viewer::Seat(seat));
        self.rules
            .actions(seat)
            .iter()
            .map(|action| Choice { token: action.write(), label: (self.pack.label)(&view, action) })
            .collect()
    }

    fn guess(&self, seat: Seat, text: &str) -> Option<String> {
        self.rules.guess(seat, text).map(|action| action.write())
    }

    fn refuse(&self, seat: Seat, token: &str, illegal: Illegal) -> Text {
        let view = self.rules.view(Viewer::Seat(seat));
        match R::Action::read(token) {
            Some(action) => (self.pack.refuse)(&view, seat, &action, illegal),
            None => Text::new(illegal.0),
        }
    }

    fn caption(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.caption)(&self.rules.view(viewer))
    }

    fn board_text(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.board_text)(&self.rules.view(viewer))
    }

    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene {
        (self.pack.scene)(&self.rules.view(viewer), names, result)
    }

    fn record(&self, heading: &Heading, options: &str, tokens: &[String]) -> String {
        let options = R::Options::read(options).unwrap_or_default();
        let actions: Vec<_> = tokens.iter().filter_map(|token| R::Action::read(token)).collect();
        (self.pack.record)(heading, &options, &actions)
    }

    fn copy(&self) -> Box<dyn Match> {
        Box::new(Live { rules: self.rules.clone(), pack: self.pack, facts: Vec::new() })
    }
}
