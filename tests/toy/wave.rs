//! A command that the program does not know: one file with its texts and its script.

use async_trait::async_trait;
use caravanserai_bot::commands::{ButtonCode, ChatAction, CommandFile, CommandSpec, Request};
use caravanserai_bot::handlers::{HandlerResult, Handlers, RequestContext};
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

#[async_trait]
impl ChatAction for Wave {
    async fn run(&self, _handlers: &Handlers, _context: &mut RequestContext<'_>) -> HandlerResult {
        let again = ButtonSpec::new(Text::new("button-wave"), "wv");
        let texts = vec![Text::new("answer-wave")];
        Ok(vec![View { texts, keys: vec![vec![again]], ..View::default() }])
    }
}
