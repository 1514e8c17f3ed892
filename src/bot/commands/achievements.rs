//! `/achievements`: list the achievements of the person and those that are still possible, and turn
//! achievements on or off.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use super::spec::{CommandSpec, MenuGroup};
use crate::handlers::{Handlers, RequestContext};
use crate::settings::Setting;
use crate::views::achievement_views;
use caravanserai_results::RatingScope;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile = CommandFile {
    commands: || {
        vec![CommandSpec {
            menu_group: Some(MenuGroup::Analysis),
            is_answered_privately: true,
            ..CommandSpec::new("achievements", |input| input.without_words(ShowAchievements))
        }]
    },
    buttons: &[ButtonCode::Chat(ACHIEVEMENTS_CODE, |rest| {
        rest.is_empty().then(|| Request::chat(ShowAchievements))
    })],
    ..CommandFile::EMPTY
};

/// The code of the button that shows the achievements.
const ACHIEVEMENTS_CODE: &str = "ah";

/// Shows the achievements of the sender.
#[derive(Clone, Copy, Debug)]
pub struct ShowAchievements;

impl ShowAchievements {
    /// The callback data of its button.
    pub fn callback_data() -> String {
        format!("{ACHIEVEMENTS_CODE}.")
    }
}

impl ChatAction for ShowAchievements {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            let own = &context.update.person.id;
            if !Setting::shows_achievements(&context.person) {
                return Ok(vec![achievement_views::hidden_view()]);
            }
            let records = handlers.repository.results().records(&RatingScope::OVERALL, own).await?;
            Ok(vec![achievement_views::achievements_view(&records)])
        })
    }
}
