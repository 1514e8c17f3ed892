//! Requests that change nothing: they explain to a person why their input is not accepted.

use super::action::{ActionFuture, ChatAction};
use crate::handlers::context::brief_views;
use crate::handlers::help::unknown_word_view;
use crate::handlers::{Handlers, RequestContext};
use crate::views::clock_views;
use caravanserai_games::GameId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;

/// An unknown command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuseUnknownCommand {
    /// The name that was typed.
    pub name: String,
    /// The command that was probably meant.
    pub near: Option<&'static str>,
}

impl ChatAction for RefuseUnknownCommand {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let text = match self.near {
                Some(near) => Text::new("refuse-unknown-command-near").with("near", near),
                None => Text::new("refuse-unknown-command"),
            };
            Ok(vec![View::brief(text.with("name", &*self.name))])
        })
    }
}

/// An unknown word behind the command of a game: no table is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuseWord {
    /// The game of the command.
    pub game: GameId,
    /// The word.
    pub word: String,
    /// The word that was probably meant.
    pub near: Option<String>,
}

impl ChatAction for RefuseWord {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            Ok(vec![unknown_word_view(self.game, self.word.clone(), self.near.clone())])
        })
    }
}

/// Words behind a command without arguments: the command does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuseWords {
    /// The name of the command.
    pub command: &'static str,
    /// The words.
    pub words: String,
}

impl ChatAction for RefuseWords {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let text = Text::new("refuse-words-behind").with("command", self.command);
            Ok(vec![View::brief(text.with("words", &*self.words))])
        })
    }
}

/// An invalid clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuseClock;

impl ChatAction for RefuseClock {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { Ok(vec![clock_views::invalid_clock_view()]) })
    }
}

/// A button that no version knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefuseOldButton;

impl ChatAction for RefuseOldButton {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { Ok(brief_views("refuse-old-button")) })
    }
}

/// "No" behind a command: cancels pending confirmations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelConfirmations;

impl ChatAction for CancelConfirmations {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.confirmations.clear_confirmations(context).await })
    }
}
