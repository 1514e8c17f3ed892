//! What a table plays, shows and says: typed rules joined once, for all games, to text in and
//! neutral values out.

use std::error::Error;
use std::fmt;

use super::GameInfo;
use super::definition::{ButtonPanel, GameDefinition, RevealedDeal};
use super::game_id::Match;
use crate::rules::{Entropy, IllegalReason, Node, Rules, Seat, Token, Viewer};
use crate::scene::{Scene, TouchSpot};
use crate::text::{Arg, Text};
use crate::vocabulary::Vocabulary;

/// What lobbies, menus and tables ask of a game.
pub trait TableGame {
    /// What lobbies and menus need to know.
    fn info(&self) -> &'static GameInfo;
    /// Sets up a game.
    ///
    /// # Errors
    /// When the options are unknown or do not go with so many seats.
    fn start_match(&'static self, options: &str, seats: u8) -> Result<Box<dyn Match>, GameRefusal>;
}

/// Why a game at a table refused something, whichever game it is. As an error it says so in plain
/// English, for logs and tools.
#[derive(Clone, Copy, Debug)]
pub struct GameRefusal {
    /// The key of what people are told.
    pub key: &'static str,
    /// The value of the game, or of what stands between it and the table.
    pub why: &'static (dyn Error + Send + Sync),
}

impl fmt::Display for GameRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.why, f)
    }
}

impl Error for GameRefusal {}

crate::rules::reasons! {
    /// Why the rules were not even asked.
    pub enum MatchInputError {
        NoSuchHouseRules = "there are no such house rules in this game",
        NoSuchToken = "nothing in this game is spelled so",
        NotNow = "this cannot happen at this time of a table's life",
    }
}

impl From<MatchInputError> for GameRefusal {
    fn from(why: MatchInputError) -> Self {
        match why {
            MatchInputError::NoSuchHouseRules => GameRefusal {
                key: "refuse-unknown-variant",
                why: &MatchInputError::NoSuchHouseRules,
            },
            MatchInputError::NoSuchToken => {
                GameRefusal { key: "refuse-not-understood", why: &MatchInputError::NoSuchToken }
            }
            MatchInputError::NotNow => {
                GameRefusal { key: "refuse-not-started", why: &MatchInputError::NotNow }
            }
        }
    }
}

/// Something to do as a button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionChoice {
    /// The canonical token of the action.
    pub token: String,
    /// A few characters or a text.
    pub label: Arg,
}

/// A card in somebody's hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    /// Playing it.
    pub choice: ActionChoice,
    /// Whether it may be played now.
    pub legal: bool,
}

/// What a table asks of the game that is played at it.
pub trait TableMatch {
    /// What the game waits for.
    fn node(&self) -> Node;
    /// Plays an action by its token, silently: for folding logs.
    ///
    /// # Errors
    /// When the token is unknown or not legal; nothing has changed.
    fn apply_action(&mut self, seat: Seat, token: &str) -> Result<(), GameRefusal>;
    /// Applies an outcome of chance by its token.
    ///
    /// # Errors
    /// When the token is unknown or cannot arise; nothing has changed.
    fn apply_chance(&mut self, token: &str) -> Result<(), GameRefusal>;
    /// Draws an outcome of chance without applying it. Only at [`SearchNode::Chance`].
    fn draw_chance(&self, entropy: &mut dyn Entropy) -> String;
    /// The token that the table plays by itself for the seat on turn.
    fn forced_action(&self) -> Option<String>;
    /// What a seat may do now, sorted by token.
    fn choices(&self, seat: Seat) -> Vec<ActionChoice>;
    /// Rows of buttons that may stand under the board for everybody to see: what this seat may
    /// do. Page 0 stands there, further pages are shown on demand.
    fn panel(&self, seat: Seat, page: u8) -> ButtonPanel<ActionChoice>;
    /// What this seat may do where it is on the picture that it sees: of its hand where hands are
    /// hidden, else of the board with the side of `below` below. As secret as its hand.
    fn spots(&self, seat: Seat, below: Seat) -> Vec<TouchSpot<ActionChoice>>;
    /// What would come of what this seat may do, by tokens; nothing where labels say it all. As
    /// secret as its hand.
    fn previews(&self, seat: Seat) -> Vec<(String, Vec<Text>)>;
    /// What this seat holds, in the order of people's hands. Secret.
    fn hand(&self, seat: Seat) -> Vec<HandCard>;
    /// The token of what a person typed in any of these words; it need not be legal.
    fn parse_move(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String>;
    /// Why this is not possible, in helpful words.
    fn explain_refusal(&self, seat: Seat, token: &str, refused: GameRefusal) -> Text;
    /// What happened last, score and, as the last line, turn or end in words, for those who
    /// cannot see the picture.
    fn caption(&self, viewer: Viewer) -> Vec<Text>;
    /// What this seat has just done, in a few words that everybody may read; `label` is that of
    /// its action.
    fn describe_action(&self, seat: Seat, label: Arg) -> Vec<Arg>;
    /// The whole board in words.
    fn board_text(&self, viewer: Viewer) -> Vec<Text>;
    /// The whole board in rows of signs, where a message can hold no picture; nothing where
    /// [`TableMatch::board_text_view`] shows it as well.
    fn sketch(&self, viewer: Viewer) -> Vec<Text>;
    /// What else can be read of this game: names of sheets.
    fn sheets(&self) -> Vec<&'static str>;
    /// A sheet by name, for whoever looks.
    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>>;
    /// The board as something to draw, with the side of the viewer below. `result` holds points by
    /// seat when the game ended in another way than by its rules: resignation, agreement.
    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene {
        self.scene_seen_from(viewer, bottom_seat(viewer), names, result)
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
    fn has_partners(&self) -> bool;
    /// What is worth seeing for this seat on turn, the best first. As secret as its hand.
    fn advice(&self, seat: Seat) -> Vec<Text>;
    /// All hands of a deal by its token, if the last step has ended that deal, or the table the
    /// whole game (`ended`); `None` otherwise, and where nothing is dealt.
    fn revealed_deal(&self, deal: &str, ended: bool, names: &[String]) -> Option<RevealedDeal>;
    /// The number of the turn as the caption tells it, if it does.
    fn turn_number(&self) -> Option<u32>;
}

/// A game that is being played, with those who show it.
pub(super) struct TypedMatch<R: Rules> {
    pub(super) rules: R,
    pub(super) pack: &'static GameDefinition<R>,
    pub(super) seats: u8,
    /// What the last step did.
    pub(super) facts: Vec<R::Fact>,
}

/// The seat whose side a viewer has below: their own, or that of the board for everybody.
pub(super) fn bottom_seat(viewer: Viewer) -> Seat {
    match viewer {
        Viewer::Public => Seat(0),
        Viewer::Seat(seat) => seat,
    }
}

impl<R: Rules> TableGame for GameDefinition<R> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn start_match(&'static self, options: &str, seats: u8) -> Result<Box<dyn Match>, GameRefusal> {
        let options = R::Options::read(options).ok_or(MatchInputError::NoSuchHouseRules)?;
        let rules = R::start(&options, seats).map_err(|it| self.game_refusal(it))?;
        Ok(Box::new(TypedMatch::new(rules, self, seats)))
    }
}

impl<R: Rules> GameDefinition<R> {
    /// What the rules say, for those who do not know which game it is.
    fn game_refusal(&self, illegal: R::Illegal) -> GameRefusal {
        let known = R::Illegal::ALL.iter().find(|it| **it == illegal);
        let why = known.expect("every reason stands in the list of all");
        GameRefusal { key: (self.table.refusal_key)(illegal), why }
    }
}

impl<R: Rules> Match for TypedMatch<R> {
    fn clone_box(&self) -> Box<dyn Match> {
        let TypedMatch { rules, pack, seats, .. } = self;
        Box::new(TypedMatch::new(rules.clone(), pack, *seats))
    }
}

impl<R: Rules> TypedMatch<R> {
    pub(super) fn new(rules: R, pack: &'static GameDefinition<R>, seats: u8) -> Self {
        Self { rules, pack, seats, facts: Vec::new() }
    }

    fn choice(&self, view: &R::View, action: &R::Action) -> ActionChoice {
        ActionChoice { token: action.write(), label: (self.pack.table.label)(view, action) }
    }
}

impl<R: Rules> TableMatch for TypedMatch<R> {
    fn node(&self) -> Node {
        self.rules.node()
    }

    fn apply_action(&mut self, seat: Seat, token: &str) -> Result<(), GameRefusal> {
        let action = R::Action::read(token).ok_or(MatchInputError::NoSuchToken)?;
        self.facts.clear();
        self.rules
            .apply_action(seat, &action, &mut self.facts)
            .map_err(|it| self.pack.game_refusal(it))
    }

    fn apply_chance(&mut self, token: &str) -> Result<(), GameRefusal> {
        let outcome = R::Chance::read(token).ok_or(MatchInputError::NoSuchToken)?;
        self.facts.clear();
        self.rules.apply_chance(&outcome, &mut self.facts).map_err(|it| self.pack.game_refusal(it))
    }

    fn draw_chance(&self, entropy: &mut dyn Entropy) -> String {
        self.rules.draw_chance(entropy).write()
    }

    fn forced_action(&self) -> Option<String> {
        self.rules.forced_action().map(|action| action.write())
    }

    fn choices(&self, seat: Seat) -> Vec<ActionChoice> {
        let view = self.rules.view(Viewer::Seat(seat));
        self.rules.actions(seat).iter().map(|action| self.choice(&view, action)).collect()
    }

    fn panel(&self, seat: Seat, page: u8) -> ButtonPanel<ActionChoice> {
        let view = self.rules.view(Viewer::Seat(seat));
        let ButtonPanel { rows, pages } =
            (self.pack.table.panel)(&view, &self.rules.actions(seat), page);
        let row = |row: &Vec<R::Action>| row.iter().map(|it| self.choice(&view, it)).collect();
        ButtonPanel { rows: rows.iter().map(row).collect(), pages }
    }

    fn spots(&self, seat: Seat, below: Seat) -> Vec<TouchSpot<ActionChoice>> {
        let view = self.rules.view(Viewer::Seat(seat));
        let spots = (self.pack.table.spots)(&view, &self.rules.actions(seat), below);
        let spot = |it: &TouchSpot<R::Action>| TouchSpot {
            action: self.choice(&view, &it.action),
            at: it.at,
            to: it.to,
            is_capture: it.is_capture,
            has_button: it.has_button,
        };
        spots.iter().map(spot).collect()
    }

    fn previews(&self, seat: Seat) -> Vec<(String, Vec<Text>)> {
        let view = self.rules.view(Viewer::Seat(seat));
        let would = |it: &R::Action| (it.write(), (self.pack.table.preview)(&view, it));
        self.rules.actions(seat).iter().map(would).collect()
    }

    fn hand(&self, seat: Seat) -> Vec<HandCard> {
        let view = self.rules.view(Viewer::Seat(seat));
        let legal = self.rules.actions(seat);
        let held = |action: &R::Action| HandCard {
            choice: self.choice(&view, action),
            legal: legal.contains(action),
        };
        (self.pack.table.hand)(&view).iter().map(held).collect()
    }

    fn parse_move(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String> {
        let words = words.game_words(self.pack.info.code);
        self.rules.parse_move(seat, text, words).map(|action| action.write())
    }

    fn explain_refusal(&self, seat: Seat, token: &str, refused: GameRefusal) -> Text {
        let view = self.rules.view(Viewer::Seat(seat));
        match (R::Action::read(token), refused.why.downcast_ref::<R::Illegal>()) {
            (Some(action), Some(why)) => {
                (self.pack.table.explain_refusal)(&view, seat, &action, *why)
            }
            _ => Text::new(refused.key),
        }
    }

    fn caption(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.table.caption)(&self.rules.view(viewer))
    }

    fn describe_action(&self, seat: Seat, label: Arg) -> Vec<Arg> {
        (self.pack.table.describe_action)(&self.rules.view(Viewer::Public), seat, label)
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

    fn has_partners(&self) -> bool {
        (self.pack.table.has_partners)(&self.rules)
    }

    fn advice(&self, seat: Seat) -> Vec<Text> {
        (self.pack.course.advice)(&self.rules.view(Viewer::Seat(seat)), seat)
    }

    fn revealed_deal(&self, deal: &str, ended: bool, names: &[String]) -> Option<RevealedDeal> {
        let deal = R::Chance::read(deal)?;
        let facts = if ended { None } else { Some(self.facts.as_slice()) };
        (self.pack.table.reveal_deal)(&self.rules.view(Viewer::Public), facts, &deal, names)
    }

    fn turn_number(&self) -> Option<u32> {
        (self.pack.table.turn_number)(&self.rules)
    }
}
