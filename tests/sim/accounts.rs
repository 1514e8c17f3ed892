//! People with accounts on two platforms: a code from one is given on the other.

use super::Sim;
use super::people::{Act, Soul, words};
use super::world::lock;
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::RichSpan;
use caravanserai_protocol::{OutgoingMessage, UpdateKind};

/// How many steps somebody waits for a code or a question before they let it be.
const STEPS: u32 = 6;

/// How often, out of a thousand, whoever has two accounts wants to be two people again.
const OFTEN_APART: u64 = 400;

/// Two accounts that are to become one person.
#[derive(Clone, Debug)]
pub struct Joining {
    /// The one that asks for the code.
    of: PersonId,
    /// The one that gives it.
    with: PersonId,
    /// Whether the code was given.
    given: bool,
    /// So many steps were made since.
    steps: u32,
}

impl Sim {
    /// Somebody asks for a code, or does not want to be one person on two platforms any more.
    pub(super) fn link(&mut self) {
        let chance = &self.sociable;
        let Some(of) = chance.pick(&self.souls).map(|it| it.person.id.clone()) else { return };
        let others: Vec<&PersonId> = self
            .souls
            .iter()
            .map(|it| &it.person.id)
            .filter(|it| it.platform() != of.platform())
            .collect();
        let Some(with) = chance.pick(&others).copied().cloned() else { return };
        let is_one = self.world.behind(&of) != of
            || self
                .souls
                .iter()
                .any(|it| it.person.id != of && self.world.behind(&it.person.id) == of);
        if is_one && chance.happens(OFTEN_APART) {
            return self.privately(&of, words("/unlink"));
        }
        self.privately(&of, words("/link"));
        self.joining = Some(Joining { of, with, given: false, steps: 0 });
    }

    /// They go on with what they had begun: whether somebody did something.
    pub(super) fn goes_on_linking(&mut self) -> bool {
        let Some(mut joining) = self.joining.take() else { return false };
        joining.steps += 1;
        let found = if joining.given {
            self.shown(&joining.with, |message| {
                let all = message.buttons.iter().flatten();
                all.map(|it| it.press.clone()).find(|it| it.starts_with("0."))
            })
        } else {
            self.shown(&joining.of, |message| message.text.0.iter().find_map(code_in))
        };
        let Some(found) = found else {
            self.joining = Some(joining).filter(|it| it.steps < STEPS);
            return false;
        };
        let with = joining.with.clone();
        if joining.given {
            self.privately(&with, UpdateKind::Press { callback_data: found, message: None });
        } else {
            self.privately(&with, words(&found));
            self.joining = Some(Joining { given: true, steps: 0, ..joining });
        }
        true
    }

    /// What an account sees in its private chat, the newest first.
    fn shown(
        &self,
        account: &PersonId,
        what: impl Fn(&OutgoingMessage) -> Option<String>,
    ) -> Option<String> {
        let place = &self.soul(account)?.private()?.id;
        let chats = lock(&self.world.chats);
        let told = chats.told.get(account).into_iter().flatten().rev().map(|it| &it.message);
        let posted = chats.places.get(place).into_iter().flatten().rev().map(|it| &it.message);
        told.chain(posted).find_map(what)
    }

    fn soul(&self, account: &PersonId) -> Option<&Soul> {
        self.souls.iter().find(|it| it.person.id == *account)
    }

    /// Somebody does this in their private chat with the bot.
    fn privately(&mut self, account: &PersonId, body: UpdateKind) {
        let Some(soul) = self.soul(account) else { return };
        let Some(place) = soul.private().cloned() else { return };
        let person = soul.person.clone();
        let late_ms = self.sociable.between(0, 300);
        self.does(Act { person, place, body }, late_ms);
    }
}

/// The command with a code that somebody was told, if these are words about one.
fn code_in(span: &RichSpan) -> Option<String> {
    match span {
        RichSpan::Code(text) if text.starts_with("/link ") => Some(text.clone()),
        _ => None,
    }
}
