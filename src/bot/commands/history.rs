//! `/history`: the finished games of the person.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::views::result_views;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            is_answered_privately: true,
            ..CommandSpec::new("history", |input| input.without_words(ShowHistory { page: 0 }))
        }]
    },
    buttons: &[ButtonCode::Chat(HISTORY_CODE, |rest| {
        let page: usize = rest.parse().ok()?;
        (page < PAGES_MAX).then(|| Request::chat(ShowHistory { page }))
    })],
    ..CommandFile::EMPTY
};

/// The code of the buttons that show a page of the games.
pub(crate) const HISTORY_CODE: &str = "hi";

/// The number of games on a page.
const GAMES_PER_PAGE: usize = 8;

/// The most pages that can be turned to.
const PAGES_MAX: usize = 250;

/// Shows a page of the person's finished games.
#[derive(Clone, Copy, Debug)]
pub struct ShowHistory {
    /// The page, from 0: the latest games.
    pub page: usize,
}

impl ChatAction for ShowHistory {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let own = &context.update.person.id;
            let results = handlers.repository.results();
            let found = results.history(own, self.page, GAMES_PER_PAGE).await?;
            Ok(vec![result_views::history_view(self.page, &found)])
        })
    }
}
