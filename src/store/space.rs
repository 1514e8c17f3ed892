//! The only list of the spaces, the named parts of a store.

/// Defines the spaces: each line has the contents, the name and the letter of a space. Names and
/// letters are stored forms and never change; a new space is a new line.
macro_rules! spaces {
    ($($(#[$about:meta])* $space:ident $name:literal $letter:literal,)*) => {
        /// A named part of the store. Keys are ordered by bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Space {
            $($(#[$about])* $space,)*
        }

        impl Space {
            /// Every space.
            pub const ALL: &[Space] = &[$(Space::$space),*];

            /// The name in database tables and backups.
            pub fn name(self) -> &'static str {
                match self { $(Space::$space => $name,)* }
            }

            /// The first byte of its keys in stores that keep all spaces in one tree.
            pub fn letter(self) -> u8 {
                match self { $(Space::$space => $letter,)* }
            }
        }
    };
}

spaces! {
    /// Table code → code of its game: the tables that have a log. A hash of the lines follows once
    /// people were replaced in them.
    Head "head" b'h',
    /// Update id → its time and its answer (JSON).
    Seen "seen" b's',
    /// `<time, 16 hexadecimal digits> <table>` → the action that is due then (JSON).
    Due "due" b'd',
    /// `<chat> <kind> <table> <version>` → a message that is not sent yet (JSON).
    Outbox "outbox" b'o',
    /// `<table> <chat>` → the permanent messages of a table in a chat (JSON).
    Board "board" b'b',
    /// `<chat> <message>` → table code.
    Message "message" b'm',
    /// `<chat> <table>` → empty: open tables of a chat.
    ChatTable "place_table" b'p',
    /// `<person> <table>` → empty: open tables of a person.
    PersonTable "person_table" b'q',
    /// Chat → settings (JSON).
    ChatProfile "place" b'c',
    /// Person → settings and last known name (JSON).
    Person "person" b'u',
    /// Small data of the service itself.
    Meta "meta" b'x',
    /// Small data that adapters remember for a while: each row expires.
    Keep "keep" b'k',
    /// Data of the built-in chat: people, rooms, messages, pieces of pictures.
    Webchat "chat" b'w',
    /// Table code → the record of a finished game in its shortest form.
    Archive "archive" b'a',
    /// `<end, 16 hexadecimal digits> <table>` → the result of a finished game (JSON).
    Result "result" b'r',
    /// Ratings, lists and histories that are computed from the results (JSON).
    Rating "rating" b'g',
}

impl Space {
    /// The space with this name.
    pub fn from_name(name: &str) -> Option<Space> {
        Space::ALL.iter().copied().find(|space| space.name() == name)
    }

    /// Whether a scan returns a row that is damaged with an empty value, so that the rows after it
    /// are read. The reader acts on that: a deadline is quarantined, a record is reported, and the
    /// value of a head is not read.
    pub fn scans_damaged_rows(self) -> bool {
        matches!(self, Space::Due | Space::Head | Space::Archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_spaces_share_a_name_or_a_letter() {
        for (at, space) in Space::ALL.iter().enumerate() {
            assert_eq!(Space::from_name(space.name()), Some(*space));
            assert!(space.letter().is_ascii_lowercase() && space.letter() != b'l');
            for other in &Space::ALL[..at] {
                assert_ne!(space.letter(), other.letter(), "{space:?} and {other:?}");
            }
        }
    }
}
