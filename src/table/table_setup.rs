//! Keeps the settings with which a table opens, and answers what follows from them alone.

use super::event::FirstMover;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::{GameId, Switch};

/// The settings with which a table opens. The `Debug` output omits the seed.
#[derive(Clone, PartialEq, Eq)]
pub struct TableSetup {
    /// The log format of this log.
    pub format: u16,
    /// The game.
    pub game: GameId,
    /// The revision of the game's rules, which gives its moves their meaning.
    pub revision: u16,
    /// The token of the game's options.
    pub options: String,
    /// The number of seats.
    pub seats: u8,
    /// The rule for the first move.
    pub begin: FirstMover,
    /// The table's home chat.
    pub chat: ChatId,
    /// Whether other people read the home chat.
    pub kind: ChatKind,
    /// The seed of all chance. Its hash is published at once, the seed itself only after the end.
    pub seed: [u8; 32],
    /// The person who opened the table.
    pub opener: PersonId,
    /// Whether it is the opener's first game: the bot then explains the game, and every move may be
    /// taken back.
    pub coached: bool,
}

impl TableSetup {
    /// Whether the rules of its game have changed since it opened: its log is then kept as a
    /// record, and nothing in it is interpreted.
    pub fn is_outdated(&self) -> bool {
        self.revision < self.game.info().revision
    }

    /// Whether these seats play together.
    pub fn are_partners(&self, a: u8, b: u8) -> bool {
        self.has_partners() && a % 2 == b % 2
    }

    /// Whether players at opposite chats are partners.
    pub fn has_partners(&self) -> bool {
        let info = self.game.info();
        // A game may also have partners by a house rule of that name.
        let chosen = || info.switch_values(&self.options).unwrap_or_default();
        let by_rule = |(switch, value): (&Switch, usize)| switch.name == "partners" && value != 0;
        let by_rule = || info.switches.iter().zip(chosen()).any(by_rule);
        self.seats == 4 && (info.partners || by_rule())
    }

    /// Whether this game knows draws: games for more than two end in chats instead.
    pub fn can_be_drawn(&self) -> bool {
        self.game.info().seats.most == 2
    }

    /// Whether a waiting player may end the game because of a late one: in a game for two nobody
    /// else can continue.
    pub fn is_claimable(&self) -> bool {
        self.game.info().seats.most == 2
    }
}

#[cfg(test)]
impl TableSetup {
    /// The setup of a table by standard rules in a group, for tests.
    pub(crate) fn for_test(game: GameId, seats: u8, opener: PersonId) -> Self {
        TableSetup {
            format: super::event::LOG_FORMAT,
            game,
            revision: game.info().revision,
            options: game.info().default_options(),
            seats,
            begin: FirstMover::Opener,
            chat: ChatId("tg:-1".to_owned()),
            kind: ChatKind::Group,
            seed: [7; 32],
            opener,
            coached: false,
        }
    }
}
