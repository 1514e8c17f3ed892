//! For which updates it matters whether an admin of the place caused them.

use super::Body;
use super::press::Ask;
use super::request::{self, Request, Scope};
use super::settings::{Row, Wish};
use caravanserai_games::ids::PlaceKind;
use caravanserai_table::command::Command;

/// Whether the answer to an update depends on [`super::Person::admin`]. Platforms that have to ask
/// who is an admin ask only then: the others need not wait for it.
pub fn needs_admin(body: &Body, kind: PlaceKind) -> bool {
    kind == PlaceKind::Group && request::read(body, kind).is_some_and(|it| depends(&it))
}

fn depends(request: &Request) -> bool {
    match request {
        Request::Settings { wish, paged, .. } => match wish {
            Wish::Page(scope) => *scope != Scope::Person,
            Wish::Set(change) => change.scope != Scope::Person,
            // Asked for by their own commands, they are offered for the chat too, to its admins.
            Wish::Choices(scope, Row::Language | Row::Theme) => *scope != Scope::Person || !paged,
            Wish::Choices(scope, _) => *scope != Scope::Person,
            Wish::Rules { .. } => true,
            Wish::Foreign(_) => false,
        },
        Request::Table { ask, .. } => asked(ask),
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
fn asked(ask: &Ask) -> bool {
    matches!(ask, Ask::Stop | Ask::Do(Command::Cancel | Command::Leave | Command::Abort))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Body {
        Body::Text { text: text.to_owned(), mentions: Vec::new(), reply_to: None }
    }

    fn pressed(press: &str) -> Body {
        Body::Press { press: press.to_owned(), message: None }
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
            Body::Added,
        ] {
            assert!(!needs_admin(&body, PlaceKind::Group), "{body:?}");
        }
    }
}
