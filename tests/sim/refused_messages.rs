//! Simulates messages that a platform refuses.

use super::chance::Chance;
use super::chats::{Chats, SimPlatform};
use super::inline_challenges::only;
use caravanserai_games::ids::{ChatId, MessageId};
use caravanserai_protocol::{OutgoingMessage, SendError};

/// The random refusals.
pub struct RefusedMessages {
    edits: Chance,
    posts: Chance,
}

impl RefusedMessages {
    /// The refusals of a world.
    pub fn new(seed: u64) -> Self {
        RefusedMessages {
            edits: Chance::new(seed, "refusing"),
            posts: Chance::new(seed, "refusing posts"),
        }
    }
}

fn refused() -> SendError {
    SendError::Refused("made to be refused".into())
}

impl SimPlatform {
    /// Sometimes refuses an edit. The older message may then stay as it was; where nothing else can
    /// be posted, until the table changes.
    pub(super) fn refuses_edit(
        &self,
        chats: &mut Chats,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let often = self.world.fault_rates().refused;
        if often == 0 || !chats.refusing.edits.happens(often) {
            return Ok(());
        }
        self.world.count("refused edits");
        chats.left.extend(id.0.parse::<u64>());
        let table = message.nonce.strip_prefix("board ").and_then(|it| it.split(' ').next());
        let log_checks = self.world.log_checks.lock();
        if let Some(tracked) =
            table.filter(|_| only(chat).is_some()).and_then(|it| log_checks.tables.get(it))
        {
            let table = &tracked.table;
            chats.bare.insert((chat.clone(), table.id.0.clone()), table.version);
        }
        Err(refused())
    }

    /// Sometimes refuses a picture, so that the bot must use text instead.
    pub(super) fn refuses_post(
        &self,
        chats: &mut Chats,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let often = self.world.fault_rates().refused;
        if message.image.is_none() || often == 0 || !chats.refusing.posts.happens(often) {
            return Ok(());
        }
        self.world.count("refused pictures");
        Err(refused())
    }
}
