//! What a table plays, shows and says: typed rules joined once, for all games, to text in and
//! neutral values out.

use std::error::Error;
use std::fmt;

use super::Info;
use super::id::Match;
use super::pack::{LaidOpen, Pack, Panel};
use crate::input::Vocabulary;
use crate::rules::{Entropy, Node, Reason, Rules, Seat, Token, Viewer};
use crate::scene::{Scene, Spot};
use crate::words::{Arg, Text};

/// What lobbies, menus and tables ask of a game.
pub trait TableGame {
    /// What lobbies and menus need to know.
    fn info(&self) -> &'static Info;
    /// Sets up a game.
    ///
    /// # Errors
    /// When the options are unknown or do not go with so many seats.
    fn open(&'static self, options: &str, seats: u8) -> Result<Box<dyn Match>, Refused>;
}

/// Why a game at a table refused something, whichever game it is. As an error it says so in plain
/// English, for logs and tools.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// The key of what people are told.
    pub key: &'static str,
    /// The value of the game, or of what stands between it and the table.
    pub why: &'static (dyn Error + Send + Sync),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.why, f)
    }
}

impl Error for Refused {}

crate::rules::reasons! {
    /// Why the rules were not even asked.
    pub enum Unasked {
        NoSuchHouseRules = "there are no such house rules in this game",
        NoSuchToken = "nothing in this game is spelled so",
        NotNow = "this cannot happen at this time of a table's life",
    }
}

impl From<Unasked> for Refused {
    fn from(why: Unasked) -> Self {
        match why {
            Unasked::NoSuchHouseRules => {
                Refused { key: "refuse-unknown-variant", why: &Unasked::NoSuchHouseRules }
            }
            Unasked::NoSuchToken => {
                Refused { key: "refuse-not-understood", why: &Unasked::NoSuchToken }
            }
            Unasked::NotNow => Refused { key: "refuse-not-started", why: &Unasked::NotNow },
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

/// What a table asks of the game that is played at it.
pub trait AtTable {
    /// What the game waits for.
    fn node(&self) -> Node;
    /// Plays an action by its token, silently: for folding logs.
    ///
    /// # Errors
    /// When the token is unknown or not legal; nothing has changed.
    fn act(&mut self, seat: Seat, token: &str) -> Result<(), Refused>;
    /// Applies an outcome of chance by its token.
    ///
    /// # Errors
    /// When the token is unknown or cannot arise; nothing has changed.
    fn settle(&mut self, token: &str) -> Result<(), Refused>;
    /// Draws an outcome of chance without applying it. Only at [`Node::Chance`].
    fn draw(&self, entropy: &mut dyn Entropy) -> String;
    /// The token that the table plays by itself for the seat on turn.
    fn forced(&self) -> Option<String>;
    /// What a seat may do now, sorted by token.
    fn choices(&self, seat: Seat) -> Vec<Choice>;
    /// Rows of buttons that may stand under the board for everybody to see: what this seat may
    /// do. Page 0 stands there, further pages are shown on demand.
    fn panel(&self, seat: Seat, page: u8) -> Panel<Choice>;
    /// What this seat may do where it is on the picture that it sees: of its hand where hands are
    /// hidden, else of the board with the side of `below` below. As secret as its hand.
    fn spots(&self, seat: Seat, below: Seat) -> Vec<Spot<Choice>>;
    /// What would come of what this seat may do, by tokens; nothing where labels say it all. As
    /// secret as its hand.
    fn would(&self, seat: Seat) -> Vec<(String, Vec<Text>)>;
    /// What this seat holds, in the order of people's hands. Secret.
    fn hand(&self, seat: Seat) -> Vec<Held>;
    /// The token of what a person typed in any of these words; it need not be legal.
    fn guess(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String>;
    /// Why this is not possible, in helpful words.
    fn refuse(&self, seat: Seat, token: &str, refused: Refused) -> Text;
    /// What happened last, score and, as the last line, turn or end in words, for those who
    /// cannot see the picture.
    fn caption(&self, viewer: Viewer) -> Vec<Text>;
    /// What this seat has just done, in a few words that everybody may read; `label` is that of
    /// its action.
    fn done(&self, seat: Seat, label: Arg) -> Vec<Arg>;
    /// The whole board in words.
    fn board_text(&self, viewer: Viewer) -> Vec<Text>;
    /// The whole board in rows of signs, where a message can hold no picture; nothing where
    /// [`AtTable::board_text`] shows it as well.
    fn sketch(&self, viewer: Viewer) -> Vec<Text>;
    /// What else can be read of this game: names of sheets.
    fn sheets(&self) -> Vec<&'static str>;
    /// A sheet by name, for whoever looks.
    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>>;
    /// The board as something to draw, with the side of the viewer below. `result` holds points by
    /// seat when the game ended in another way than by its rules: resignation, agreement.
    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene {
        self.scene_seen_from(viewer, below(viewer), names, result)
    }
    /// The same with the side of this seat below.
    fn scene_seen_from(
        &self,
        viewer: Viewer,
        below: Seat,
        names: &[String],
        result: Option<&[i32]>,
    ) -> Scene;
    /// Whether those who sit opposite each other play together, by these house rules.
    fn partners(&self) -> bool;
    /// What is worth seeing for this seat on turn, the best first. As secret as its hand.
    fn advice(&self, seat: Seat) -> Vec<Text>;
    /// All hands of a deal by its token, if the last step has ended that deal, or the table the
    /// whole game (`ended`); `None` otherwise, and where nothing is dealt.
    fn laid_open(&self, deal: &str, ended: bool, names: &[String]) -> Option<LaidOpen>;
    /// The number of the turn as the caption tells it, if it does.
    fn number(&self) -> Option<u32>;
}

/// A game that is being played, with those who show it.
pub(super) struct Live<R: Rules> {
    pub(super) rules: R,
    pub(super) pack: &'static Pack<R>,
    pub(super) seats: u8,
    /// What the last step did.
    pub(super) facts: Vec<R::Fact>,
}

/// The seat whose side a viewer has below: their own, or that of the board for everybody.
pub(super) fn below(viewer: Viewer) -> Seat {
    match viewer {
        Viewer::Public => Seat(0),
        Viewer::Seat(seat) => seat,
    }
}

impl<R: Rules> TableGame for Pack<R> {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn open(&'static self, options: &str, seats: u8) -> Result<Box<dyn Match>, Refused> {
        let options = R::Options::read(options).ok_or(Unasked::NoSuchHouseRules)?;
        let rules = R::start(&options, seats).map_err(|it| self.refused(it))?;
        Ok(Box::new(Live::new(rules, self, seats)))
    }
}

impl<R: Rules> Pack<R> {
    /// What the rules say, for those who do not know which game it is.
    fn refused(&self, illegal: R::Illegal) -> Refused {
        let known = R::Illegal::ALL.iter().find(|it| **it == illegal);
        let why = known.expect("every reason stands in the list of all");
        Refused { key: (self.table.reason)(illegal), why }
    }
}

impl<R: Rules> Match for Live<R> {
    fn copy(&self) -> Box<dyn Match> {
        let Live { rules, pack, seats, .. } = self;
        Box::new(Live::new(rules.clone(), pack, *seats))
    }
}

impl<R: Rules> Live<R> {
    pub(super) fn new(rules: R, pack: &'static Pack<R>, seats: u8) -> Self {
        Self { rules, pack, seats, facts: Vec::new() }
    }

    fn choice(&self, view: &R::View, action: &R::Action) -> Choice {
        Choice { token: action.write(), label: (self.pack.table.label)(view, action) }
    }
}

impl<R: Rules> AtTable for Live<R> {
    fn node(&self) -> Node {
        self.rules.node()
    }

    fn act(&mut self, seat: Seat, token: &str) -> Result<(), Refused> {
        let action = R::Action::read(token).ok_or(Unasked::NoSuchToken)?;
        self.facts.clear();
        self.rules.act(seat, &action, &mut self.facts).map_err(|it| self.pack.refused(it))
    }

    fn settle(&mut self, token: &str) -> Result<(), Refused> {
        let outcome = R::Chance::read(token).ok_or(Unasked::NoSuchToken)?;
        self.facts.clear();
        self.rules.settle(&outcome, &mut self.facts).map_err(|it| self.pack.refused(it))
    }

    fn draw(&self, entropy: &mut dyn Entropy) -> String {
        self.rules.draw(entropy).write()
    }

    fn forced(&self) -> Option<String> {
        self.rules.forced().map(|action| action.write())
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        let view = self.rules.view(Viewer::Seat(seat));
        self.rules.actions(seat).iter().map(|action| self.choice(&view, action)).collect()
    }

    fn panel(&self, seat: Seat, page: u8) -> Panel<Choice> {
        let view = self.rules.view(Viewer::Seat(seat));
        let Panel { rows, pages } = (self.pack.table.panel)(&view, &self.rules.actions(seat), page);
        let row = |row: &Vec<R::Action>| row.iter().map(|it| self.choice(&view, it)).collect();
        Panel { rows: rows.iter().map(row).collect(), pages }
    }

    fn spots(&self, seat: Seat, below: Seat) -> Vec<Spot<Choice>> {
        let view = self.rules.view(Viewer::Seat(seat));
        let spots = (self.pack.table.spots)(&view, &self.rules.actions(seat), below);
        let spot = |it: &Spot<R::Action>| Spot {
            action: self.choice(&view, &it.action),
            at: it.at,
            to: it.to,
            takes: it.takes,
            besides: it.besides,
        };
        spots.iter().map(spot).collect()
    }

    fn would(&self, seat: Seat) -> Vec<(String, Vec<Text>)> {
        let view = self.rules.view(Viewer::Seat(seat));
        let would = |it: &R::Action| (it.write(), (self.pack.table.would)(&view, it));
        self.rules.actions(seat).iter().map(would).collect()
    }

    fn hand(&self, seat: Seat) -> Vec<Held> {
        let view = self.rules.view(Viewer::Seat(seat));
        let legal = self.rules.actions(seat);
        let held = |action: &R::Action| Held {
            choice: self.choice(&view, action),
            legal: legal.contains(action),
        };
        (self.pack.table.hand)(&view).iter().map(held).collect()
    }

    fn guess(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String> {
        let words = words.of(self.pack.info.code);
        self.rules.guess(seat, text, words).map(|action| action.write())
    }

    fn refuse(&self, seat: Seat, token: &str, refused: Refused) -> Text {
        let view = self.rules.view(Viewer::Seat(seat));
        match (R::Action::read(token), refused.why.downcast_ref::<R::Illegal>()) {
            (Some(action), Some(why)) => (self.pack.table.refuse)(&view, seat, &action, *why),
            _ => Text::new(refused.key),
        }
    }

    fn caption(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.table.caption)(&self.rules.view(viewer))
    }

    fn done(&self, seat: Seat, label: Arg) -> Vec<Arg> {
        (self.pack.table.done)(&self.rules.view(Viewer::Public), seat, label)
    }

    fn board_text(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.table.board_text)(&self.rules.view(viewer))
    }

    fn sketch(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.table.sketch)(&self.rules.view(viewer))
    }

    fn sheets(&self) -> Vec<&'static str> {
        self.pack.table.sheets.iter().map(|it| it.name).collect()
    }

    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>> {
        let sheet = self.pack.table.sheets.iter().find(|it| it.name == name)?;
        Some((sheet.text)(&self.rules.view(viewer)))
    }

    fn scene_seen_from(
        &self,
        viewer: Viewer,
        below: Seat,
        names: &[String],
        result: Option<&[i32]>,
    ) -> Scene {
        (self.pack.table.scene)(&self.rules.view(viewer), names, result, below)
    }

    fn partners(&self) -> bool {
        (self.pack.table.partners)(&self.rules)
    }

    fn advice(&self, seat: Seat) -> Vec<Text> {
        (self.pack.course.advice)(&self.rules.view(Viewer::Seat(seat)), seat)
    }

    fn laid_open(&self, deal: &str, ended: bool, names: &[String]) -> Option<LaidOpen> {
        let deal = R::Chance::read(deal)?;
        let facts = if ended { None } else { Some(self.facts.as_slice()) };
        (self.pack.table.lay_open)(&self.rules.view(Viewer::Public), facts, &deal, names)
    }

    fn number(&self) -> Option<u32> {
        (self.pack.table.number)(&self.rules)
    }
}
