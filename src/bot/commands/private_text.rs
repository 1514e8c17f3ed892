//! Text in a private chat that is not a command, such as a move ("7", "pass", "throw").

use super::action::{ActionFuture, ChatAction};
use crate::handlers::{Handlers, RequestContext};

/// Plays the move that the text describes, or explains that it describes none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateText(pub String);

impl ChatAction for PrivateText {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move { handlers.handle_private_text(context, self.0.clone()).await })
    }
}
