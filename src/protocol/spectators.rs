//! The number of spectators of a table. It is part of answers about the state of a table; boards
//! are not edited when spectators come or go.

use caravanserai_games::text::Text;

/// How many people and chats watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpectatorCount {
    /// People who are known to watch and do not play.
    pub people: u32,
    /// Chats besides the home in which others read along; their readers are not counted.
    pub chats: u32,
}

impl SpectatorCount {
    /// The same in a line; `None` without spectators.
    pub fn to_text(self) -> Option<Text> {
        let people = i64::from(self.people);
        let chats = i64::from(self.chats);
        Some(match (people, chats) {
            (0, 0) => return None,
            (people, 0) => Text::new("watching-people").with("people", people),
            (0, chats) => Text::new("places-also").with("count", chats),
            (people, chats) => {
                let people = Text::new("watching-people").with("people", people);
                let chats = Text::new("places-also").with("count", chats);
                Text::new("watching-both").with("people", people).with("places", chats)
            }
        })
    }

    /// A line of a list with it.
    pub fn append_to(self, line: Text) -> Text {
        match self.to_text() {
            Some(told) => Text::new("watching-both").with("people", line).with("places", told),
            None => line,
        }
    }
}
