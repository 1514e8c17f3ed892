//! Decides for which updates it matters whether an admin of the chat caused them.

use crate::commands::callback_data::TableAction;
use crate::commands::request_parser;
use crate::commands::request_parser::{Request, SettingScope};
use crate::settings::{Setting, SettingsRequest};
use caravanserai_games::ids::PlaceKind;
use caravanserai_protocol::UpdateKind;
use caravanserai_table::command::Command;

/// Whether the answer to an update depends on [`caravanserai_protocol::Person::is_admin`].
/// Platforms that have to ask
/// who is an admin ask only then: the others need not wait for it.
pub fn needs_admin(body: &UpdateKind, kind: PlaceKind) -> bool {
    kind == PlaceKind::Group
        && request_parser::parse_request(body, kind).is_some_and(|it| request_needs_admin(&it))
}

fn request_needs_admin(request: &Request) -> bool {
    match request {
        Request::Settings { wish, paged, .. } => match wish {
            SettingsRequest::Page(scope) => *scope != SettingScope::Person,
            SettingsRequest::Set(change) => change.scope != SettingScope::Person,
            // Asked for by their own commands, they are offered for the chat too, to its admins.
            SettingsRequest::Choices(scope, Setting::Language | Setting::Theme) => {
                *scope != SettingScope::Person || !paged
            }
            SettingsRequest::Choices(scope, _) => *scope != SettingScope::Person,
            SettingsRequest::Rules { .. } => true,
            SettingsRequest::InvalidValue(_) => false,
        },
        Request::Table { ask, .. } => action_needs_admin(ask),
        Request::Open(_)
        | Request::Play
        | Request::Await { .. }
        | Request::Meet { .. }
        | Request::Shared { .. }
        | Request::Link(_)
        | Request::Games
        | Request::Alone { .. }
        | Request::Misread { .. }
        | Request::Start
        | Request::Help { .. }
        | Request::Rules { .. }
        | Request::Page(_)
        | Request::PageOff
        | Request::Launch
        | Request::Confirm
        | Request::Unknown { .. }
        | Request::Lessons
        | Request::Unsure { .. }
        | Request::Disarm
        | Request::OldButton
        | Request::UnclearClock
        | Request::Chatter(_) => false,
    }
}

/// Admins may take away what others have opened or brought.
fn action_needs_admin(ask: &TableAction) -> bool {
    matches!(
        ask,
        TableAction::Stop | TableAction::Do(Command::Cancel | Command::Leave | Command::Abort)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> UpdateKind {
        UpdateKind::Text { text: text.to_owned(), mentions: Vec::new(), reply_to: None }
    }

    fn pressed(press: &str) -> UpdateKind {
        UpdateKind::Press { callback_data: press.to_owned(), message: None }
    }

    #[test]
    fn it_matters_for_what_is_chosen_for_all_and_for_taking_tables_away() {
        for body in [
            typed("/theme chat night"),
            typed("/theme"),
            typed("/language"),
            typed("/language chat kk"),
            typed("/settings chat"),
            pressed("=.c"),
            pressed("=.c.opens.admins"),
            typed("/settings server"),
            pressed("=.s"),
            pressed("=.s.opens.nobody"),
            typed("/leave"),
            pressed("U.night"),
            pressed("S.ru"),
            pressed("x.7k3fx"),
        ] {
            assert!(needs_admin(&body, PlaceKind::Group), "{body:?}");
            assert!(!needs_admin(&body, PlaceKind::Private), "{body:?}");
        }
    }

    #[test]
    fn nobody_waits_for_it_to_play() {
        for body in [
            typed("/togyz"),
            typed("/move 7"),
            typed("/theme night"),
            typed("/language kk"),
            pressed("T.night"),
            pressed("s.ru"),
            pressed("j.7k3fx"),
            typed("/settings"),
            pressed("=.m.zone.+5"),
            UpdateKind::BotAdded,
        ] {
            assert!(!needs_admin(&body, PlaceKind::Group), "{body:?}");
        }
    }
}
