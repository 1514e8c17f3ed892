//! Text in a private chat that is not a command, such as a move ("7", "pass", "throw").

use async_trait::async_trait;

use super::action::ChatAction;
use crate::handlers::{HandlerResult, Handlers, RequestContext};

/// Plays the move that the text describes, or explains that it describes none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateText(pub String);

#[async_trait]
impl ChatAction for PrivateText {
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult {
        handlers.handle_private_text(context, self.0.clone()).await
    }
}
