//! Buttons of earlier versions stay in chats, so their callback data keeps its meaning.

use caravanserai_bot::commands::{Request, RequestOrigin, TableRef};
use caravanserai_bot::parsing::parse_request;
use caravanserai_games::ids::ChatKind;
use caravanserai_protocol::UpdateKind;

/// Lines of `tests/data/presses.txt`: callback data, a space, and what it means: the data of
/// the button that a table has today, or the request.
const PRESSES: &str = include_str!("../data/presses.txt");

fn meaning(callback_data: &str) -> String {
    let callback_data = callback_data.to_owned();
    let kind = UpdateKind::Press { callback_data, message: None };
    match parse_request(&kind, ChatKind::Group) {
        Some(Request::Table {
            table: TableRef::Id(table),
            action,
            origin: RequestOrigin::Pressed,
        }) => action.callback_data(&table),
        Some(Request::Chat(action)) => format!("{action:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn presses_of_every_version_keep_their_meaning() {
    let mut wrong = Vec::new();
    let lines = PRESSES.lines().filter(|it| !it.starts_with('#') && !it.is_empty());
    for line in lines {
        let (press, wanted) = line.split_once(' ').unwrap();
        let found = meaning(press);
        if found != wanted {
            wrong.push(format!("{press} {found}"));
        }
    }
    assert!(wrong.is_empty(), "these have another meaning now:\n{}", wrong.join("\n"));
}
