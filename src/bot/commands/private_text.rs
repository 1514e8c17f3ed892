//! Text in a private chat that is no command: perhaps a move ("7", "pass", "throw").

use async_trait::async_trait;

use super::action::ChatAction;
use crate::handlers::{HandlerResult, Handlers, RequestContext};

/// Plays the move that the text means, or explains that it means none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateText(pub String);

#[async_trait]
impl ChatAction for PrivateText {
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        handlers.handle_private_text(context, self.0.clone()).await
    }
}
