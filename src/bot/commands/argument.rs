//! Arguments of commands, as menus describe them.

/// An argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandArgument {
    /// Name in menus. Its description has the key `argument-<name>`.
    pub name: &'static str,
    /// The kind of the argument.
    pub kind: ArgumentKind,
    /// Whether the command has no meaning without it.
    pub required: bool,
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A person.
    Person,
    /// One of these words; their labels have the keys `choice-<word>`.
    Choice(&'static [&'static str]),
    /// Values that depend on the table, suggested while typing.
    Suggested,
    /// A language, by its code.
    Language,
    /// A game, by its command.
    Game,
}

/// An argument that may be omitted.
pub(crate) const fn optional(name: &'static str, kind: ArgumentKind) -> CommandArgument {
    CommandArgument { name, kind, required: false }
}

/// An argument that must be present.
pub(crate) const fn required(name: &'static str, kind: ArgumentKind) -> CommandArgument {
    CommandArgument { name, kind, required: true }
}

/// The code of a table.
pub(crate) const TABLE: CommandArgument = optional("table", ArgumentKind::Suggested);
/// "On" or "off".
pub(crate) const SWITCH: CommandArgument = optional("switch", ArgumentKind::Choice(&["on", "off"]));
/// A clock: `3+2`, `1 day`.
pub(crate) const CLOCK: CommandArgument = optional("clock", ArgumentKind::Suggested);
/// A friend in the chat.
pub(crate) const FRIEND: CommandArgument = optional("friend", ArgumentKind::Person);
/// A game.
pub(crate) const GAME: CommandArgument = optional("game", ArgumentKind::Game);
