//! The interface of games for tables: wraps typed rules so that tables use text and neutral values.

use std::error::Error;
use std::fmt;

use super::GameInfo;
use super::definition::{ButtonPanel, FinishedRound, GameDefinition, RevealedDeal, UprightLayout};
use super::game_id::Match;
use crate::rules::{Entropy, IllegalReason, Node, Rules, Seat, Token, Viewer};
use crate::scene::{PiecePath, Scene, TouchSpot};
use crate::text::{Arg, Text};
use crate::vocabulary::Vocabulary;

/// A game as lobbies, menus and tables use it.
pub trait TableGame {
    /// Data for lobbies and menus.
    fn info(&self) -> &'static GameInfo;
    /// Sets up a game.
    ///
    /// # Errors
    /// When the options are unknown or do not fit this number of seats.
    fn start_match(&'static self, options: &str, seats: u8) -> Result<Box<dyn Match>, GameRefusal>;
}

/// The reason why a game refused an input, independent of the game. Its `Display` is plain English,
/// for logs and tools.
#[derive(Clone, Copy, Debug)]
pub struct GameRefusal {
    /// The key of the text for players.
    pub key: &'static str,
    /// The reason as the game, or the wrapper around it, gives it.
    pub why: &'static (dyn Error + Send + Sync),
}

impl fmt::Display for GameRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.why, f)
    }
}

impl Error for GameRefusal {}

/// The key of the refusal of house rules that do not exist.
pub(crate) const UNKNOWN_HOUSE_RULE: &str = "refuse-unknown-variant";

crate::rules::reasons! {
    /// An input that was refused before it reached the rules.
    pub enum MatchInputError {
        NoSuchHouseRules = "there are no such house rules in this game",
        NoSuchToken = "the game has no such action",
        NotNow = "this is not possible in this phase of the table",
    }
}

impl From<MatchInputError> for GameRefusal {
    fn from(why: MatchInputError) -> Self {
        match why {
            MatchInputError::NoSuchHouseRules => {
                GameRefusal { key: UNKNOWN_HOUSE_RULE, why: &MatchInputError::NoSuchHouseRules }
            }
            MatchInputError::NoSuchToken => {
                GameRefusal { key: "refuse-not-understood", why: &MatchInputError::NoSuchToken }
            }
            MatchInputError::NotNow => {
                GameRefusal { key: "refuse-not-started", why: &MatchInputError::NotNow }
            }
        }
    }
}

/// An action as a button shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionChoice {
    /// The canonical token of the action.
    pub token: String,
    /// A few characters or a text.
    pub label: Arg,
}

/// A card in the hand of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    /// The action that plays it.
    pub choice: ActionChoice,
    /// Whether it may be played now.
    pub legal: bool,
}

/// A running game as a table uses it.
pub trait TableMatch {
    /// The next input that the game needs.
    fn node(&self) -> Node;
    /// Plays an action by its token without making texts: for replaying logs.
    ///
    /// # Errors
    /// When the token is unknown or not legal; nothing has changed.
    fn apply_action(&mut self, seat: Seat, token: &str) -> Result<(), GameRefusal>;
    /// Applies an outcome of chance by its token.
    ///
    /// # Errors
    /// When the token is unknown or cannot arise; nothing has changed.
    fn apply_chance(&mut self, token: &str) -> Result<(), GameRefusal>;
    /// Draws an outcome of chance without applying it. Only at [`Node::Chance`].
    fn draw_chance(&self, entropy: &mut dyn Entropy) -> String;
    /// Whether the last outcome of chance is still hidden from all players.
    fn is_chance_hidden(&self) -> bool;
    /// The token of the action that the table plays automatically for the seat to move.
    fn forced_action(&self) -> Option<String>;
    /// The legal actions of a seat, sorted by token.
    fn choices(&self, seat: Seat) -> Vec<ActionChoice>;
    /// Public rows of buttons for the board: the legal actions of this seat. Page 0 is below the
    /// board, further pages are shown on demand.
    fn panel(&self, seat: Seat, page: u8) -> ButtonPanel<ActionChoice>;
    /// The touch areas of this seat's legal actions on the picture that it sees: its hand where
    /// hands are hidden, else the board with `bottom_seat` at the bottom. As secret as its hand.
    fn spots(&self, seat: Seat, bottom_seat: Seat) -> Vec<TouchSpot<ActionChoice>>;
    /// The moves of pieces of this seat's legal actions that [`Self::spots`] does not show, by
    /// token, on the picture with `bottom_seat` at the bottom. As secret as its hand.
    fn paths(&self, seat: Seat, bottom_seat: Seat) -> Vec<(String, Vec<PiecePath>)>;
    /// The results of this seat's legal actions, by token; empty where labels already say them. As
    /// secret as its hand.
    fn previews(&self, seat: Seat) -> Vec<(String, Vec<Text>)>;
    /// The cards of this seat, in the usual order of a hand. Secret.
    fn hand(&self, seat: Seat) -> Vec<HandCard>;
    /// The token of a typed move in any of these words; it need not be legal.
    fn parse_move(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String>;
    /// Explains to a player why this is not possible.
    fn explain_refusal(&self, seat: Seat, token: &str, refused: GameRefusal) -> Text;
    /// The last events, the score and, as the last line, the turn or the end in words, for players
    /// who cannot see the picture.
    fn caption(&self, viewer: Viewer) -> Vec<Text>;
    /// Summarises the last action of this seat in words that are safe for all viewers; `label` is
    /// the label of the action.
    fn describe_action(&self, seat: Seat, label: Arg) -> Vec<Arg>;
    /// The whole board in words.
    fn board_text(&self, viewer: Viewer) -> Vec<Text>;
    /// The whole board in rows of characters, where a message cannot hold a picture; empty where
    /// [`TableMatch::board_text`] shows it as well.
    fn sketch(&self, viewer: Viewer) -> Vec<Text>;
    /// The names of the texts that can be read on demand.
    fn sheets(&self) -> Vec<&'static str>;
    /// The layout of its pictures for an upright screen; `None` if that is no other.
    fn upright_layout(&self) -> Option<UprightLayout>;
    /// The points that each seat got in every finished round, in order; empty for games without
    /// rounds.
    fn round_points(&self) -> Vec<Vec<i32>>;
    /// The last finished round, in games that are played in rounds.
    fn last_round(&self) -> Option<FinishedRound>;
    /// The text with this name, for this viewer.
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
        bottom_seat: Seat,
        names: &[String],
        result: Option<&[i32]>,
    ) -> Scene;
    /// Whether players who sit opposite each other are partners under these house rules.
    fn has_partners(&self) -> bool;
    /// Hints for this seat when it is to move, the best first. As secret as its hand.
    fn advice(&self, seat: Seat) -> Vec<Text>;
    /// All hands of a deal by its token, if the last step ended that deal or the table ended the
    /// whole game (`ended`); `None` otherwise, and in games without deals.
    fn revealed_deal(&self, deal: &str, ended: bool, names: &[String]) -> Option<RevealedDeal>;
    /// The number of the turn as the caption shows it, if it does.
    fn turn_number(&self) -> Option<u32>;
    /// The number of moves so far, in a game where a seat may do more in its turn than make its
    /// move: what comes before the move belongs to the same turn.
    fn move_number(&self) -> Option<u32>;
    /// The place that a seat has got, from 1, while the others play on.
    fn place(&self, seat: Seat) -> Option<u8>;
}

/// A running game with its definition.
pub(super) struct TypedMatch<R: Rules> {
    pub(super) rules: R,
    pub(super) definition: &'static GameDefinition<R>,
    pub(super) seats: u8,
    /// The facts of the last step.
    pub(super) facts: Vec<R::Fact>,
}

/// The seat whose side a viewer has below: their own, or that of the public board.
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
    /// Wraps a refusal of the rules so that its type does not depend on the game.
    pub(super) fn game_refusal(&self, illegal: R::Illegal) -> GameRefusal {
        let known = R::Illegal::ALL.iter().find(|it| **it == illegal);
        let why = known.expect("`IllegalReason::ALL` has every reason");
        GameRefusal { key: (self.table.refusal_key)(illegal), why }
    }
}

impl<R: Rules> Match for TypedMatch<R> {
    fn clone_box(&self) -> Box<dyn Match> {
        let TypedMatch { rules, definition, seats, .. } = self;
        Box::new(TypedMatch::new(rules.clone(), definition, *seats))
    }
}

impl<R: Rules> TypedMatch<R> {
    pub(super) fn new(rules: R, definition: &'static GameDefinition<R>, seats: u8) -> Self {
        Self { rules, definition, seats, facts: Vec::new() }
    }

    fn choice(&self, view: &R::View, action: &R::Action) -> ActionChoice {
        ActionChoice { token: action.write(), label: (self.definition.table.label)(view, action) }
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
            .map_err(|it| self.definition.game_refusal(it))
    }

    fn apply_chance(&mut self, token: &str) -> Result<(), GameRefusal> {
        let outcome = R::Chance::read(token).ok_or(MatchInputError::NoSuchToken)?;
        self.facts.clear();
        self.rules
            .apply_chance(&outcome, &mut self.facts)
            .map_err(|it| self.definition.game_refusal(it))
    }

    fn draw_chance(&self, entropy: &mut dyn Entropy) -> String {
        self.rules.draw_chance(entropy).write()
    }

    fn is_chance_hidden(&self) -> bool {
        self.rules.is_chance_hidden()
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
            (self.definition.table.panel)(&view, &self.rules.actions(seat), page);
        let row = |row: &Vec<R::Action>| row.iter().map(|it| self.choice(&view, it)).collect();
        ButtonPanel { rows: rows.iter().map(row).collect(), pages }
    }

    fn spots(&self, seat: Seat, bottom_seat: Seat) -> Vec<TouchSpot<ActionChoice>> {
        let view = self.rules.view(Viewer::Seat(seat));
        let spots = (self.definition.table.spots)(&view, &self.rules.actions(seat), bottom_seat);
        let spot = |it: &TouchSpot<R::Action>| TouchSpot {
            action: self.choice(&view, &it.action),
            at: it.at,
            to: it.to,
            is_capture: it.is_capture,
            has_button: it.has_button,
        };
        spots.iter().map(spot).collect()
    }

    fn paths(&self, seat: Seat, bottom_seat: Seat) -> Vec<(String, Vec<PiecePath>)> {
        let view = self.rules.view(Viewer::Seat(seat));
        let paths = |it: &R::Action| (self.definition.table.paths)(&view, it, bottom_seat);
        self.rules.actions(seat).iter().map(|it| (it.write(), paths(it))).collect()
    }

    fn previews(&self, seat: Seat) -> Vec<(String, Vec<Text>)> {
        let view = self.rules.view(Viewer::Seat(seat));
        let would = |it: &R::Action| (it.write(), (self.definition.table.preview)(&view, it));
        self.rules.actions(seat).iter().map(would).collect()
    }

    fn hand(&self, seat: Seat) -> Vec<HandCard> {
        let view = self.rules.view(Viewer::Seat(seat));
        let legal = self.rules.actions(seat);
        let held = |action: &R::Action| HandCard {
            choice: self.choice(&view, action),
            legal: legal.contains(action),
        };
        (self.definition.table.hand)(&view).iter().map(held).collect()
    }

    fn parse_move(&self, seat: Seat, text: &str, words: &Vocabulary) -> Option<String> {
        let words = words.game_words(self.definition.info.code);
        self.rules.parse_move(seat, text, words).map(|action| action.write())
    }

    fn explain_refusal(&self, seat: Seat, token: &str, refused: GameRefusal) -> Text {
        let view = self.rules.view(Viewer::Seat(seat));
        match (R::Action::read(token), refused.why.downcast_ref::<R::Illegal>()) {
            (Some(action), Some(why)) => {
                (self.definition.table.explain_refusal)(&view, seat, &action, *why)
            }
            _ => Text::new(refused.key),
        }
    }

    fn caption(&self, viewer: Viewer) -> Vec<Text> {
        (self.definition.table.caption)(&self.rules.view(viewer))
    }

    fn describe_action(&self, seat: Seat, label: Arg) -> Vec<Arg> {
        (self.definition.table.describe_action)(&self.rules.view(Viewer::Public), seat, label)
    }

    fn board_text(&self, viewer: Viewer) -> Vec<Text> {
        (self.definition.table.board_text)(&self.rules.view(viewer))
    }

    fn sketch(&self, viewer: Viewer) -> Vec<Text> {
        (self.definition.table.sketch)(&self.rules.view(viewer))
    }

    fn upright_layout(&self) -> Option<UprightLayout> {
        self.definition.table.upright
    }

    fn round_points(&self) -> Vec<Vec<i32>> {
        (self.definition.table.round_points)(&self.rules.view(Viewer::Public))
    }

    fn last_round(&self) -> Option<FinishedRound> {
        (self.definition.table.last_round)(&self.rules.view(Viewer::Public))
    }

    fn sheets(&self) -> Vec<&'static str> {
        self.definition.table.sheets.iter().map(|it| it.name).collect()
    }

    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>> {
        let sheet = self.definition.table.sheets.iter().find(|it| it.name == name)?;
        Some((sheet.text)(&self.rules.view(viewer)))
    }

    fn scene_seen_from(
        &self,
        viewer: Viewer,
        bottom_seat: Seat,
        names: &[String],
        result: Option<&[i32]>,
    ) -> Scene {
        (self.definition.table.scene)(&self.rules.view(viewer), names, result, bottom_seat)
    }

    fn has_partners(&self) -> bool {
        (self.definition.table.has_partners)(&self.rules)
    }

    fn advice(&self, seat: Seat) -> Vec<Text> {
        (self.definition.course.advice)(&self.rules.view(Viewer::Seat(seat)), seat)
    }

    fn revealed_deal(&self, deal: &str, ended: bool, names: &[String]) -> Option<RevealedDeal> {
        let deal = R::Chance::read(deal)?;
        let facts = if ended { None } else { Some(self.facts.as_slice()) };
        (self.definition.table.reveal_deal)(&self.rules.view(Viewer::Public), facts, &deal, names)
    }

    fn turn_number(&self) -> Option<u32> {
        (self.definition.table.turn_number)(&self.rules)
    }

    fn move_number(&self) -> Option<u32> {
        (self.definition.table.move_number)(&self.rules)
    }

    fn place(&self, seat: Seat) -> Option<u8> {
        (self.definition.table.place)(&self.rules, seat)
    }
}
