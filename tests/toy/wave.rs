//! A command that the program does not know: one file with its texts and its script.

use caravanserai_bot::commands::{
    ActionFuture, ButtonCode, ChatAction, CommandFile, CommandSpec, Request,
};
use caravanserai_bot::handlers::{Handlers, RequestContext};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};

/// `/wave`, with a button that waves again.
pub const FILES: &[CommandFile] = &[CommandFile {
    commands: || vec![CommandSpec::new("wave", |_| Request::chat(Wave))],
    buttons: &[ButtonCode::Chat("wv", |rest| rest.is_empty().then(|| Request::chat(Wave)))],
    ..CommandFile::EMPTY
}];

/// Waves back.
#[derive(Clone, Copy, Debug)]
struct Wave;

impl ChatAction for Wave {
    fn run<'a>(
        &'a self,
        _handlers: &'a Handlers,
        _context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let again = ButtonSpec::new(Text::new("button-wave"), "wv");
            let texts = vec![Text::new("answer-wave")];
            Ok(vec![View { texts, button_rows: vec![vec![again]], ..View::default() }])
        })
    }
}
