//! Shows people the list of those whom they have blocked. Nobody else may see it.

use super::panel_views::page_buttons;
use crate::commands::block;
use crate::repository::block_lists::BlockedPerson;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::hash_texts;

/// The number of people on a page of the list.
const PEOPLE_PER_PAGE: usize = 8;

/// A short answer that only its reader may know.
pub(crate) fn secret_note(text: Text) -> View {
    View { secret: true, ..View::brief(text) }
}

/// Confirms that a person is blocked, with the button that ends it.
pub(crate) fn blocked_view(person: &PersonId, texts: Vec<Text>) -> View {
    let unblock = ButtonSpec::new(Text::new("button-unblock"), unblock_press(person));
    View { secret: true, button_rows: vec![vec![unblock]], ..View::persistent(texts) }
}

/// A page of the blocked people, each with the button that ends it.
pub(crate) fn list_view(listed: &[BlockedPerson], page: u8) -> View {
    if listed.is_empty() {
        return View { secret: true, ..View::persistent(vec![Text::new("answer-block-none")]) };
    }
    let pages = listed.len().div_ceil(PEOPLE_PER_PAGE) as u8;
    let page = page.min(pages - 1);
    let shown = listed.chunks(PEOPLE_PER_PAGE).nth(usize::from(page)).unwrap_or_default();
    let button = |it: &BlockedPerson| {
        let label = Text::new("button-unblock-named").with("name", it.name.as_str());
        vec![ButtonSpec::new(label, unblock_press(&it.person))]
    };
    let mut keys: Vec<Vec<ButtonSpec>> = shown.iter().map(button).collect();
    keys.extend(page_buttons(page, pages, block::page_callback_data));
    let texts = vec![Text::new("answer-block-list").with("count", listed.len() as i64)];
    View { secret: true, button_rows: keys, ..View::persistent(texts) }
}

fn unblock_press(person: &PersonId) -> String {
    block::unblock_callback_data(person_tag(person))
}

/// A number for a person in the callback data of buttons, which name no accounts.
pub(crate) fn person_tag(person: &PersonId) -> u64 {
    hash_texts([person.0.as_str()])
}
