//! Simulates people who link accounts on two platforms: a code from one is typed on the other.

use super::Sim;
use super::people::{Act, SimPerson, words};
use caravanserai_games::ids::PersonId;
use caravanserai_games::text::RichSpan;
use caravanserai_protocol::{OutgoingMessage, UpdateKind};

/// The number of steps that a person waits for a code or a question.
const STEPS: u32 = 6;

/// Per thousand: a person with two accounts unlinks them instead.
const APART_PER_1000: u64 = 400;

/// A link of two accounts in progress.
#[derive(Clone, Debug)]
pub struct LinkInProgress {
    /// The account that requests the code.
    of: PersonId,
    /// The account that types it.
    with: PersonId,
    /// Whether the code was given.
    given: bool,
    /// The number of steps since then.
    steps: u32,
}

impl Sim {
    /// A person requests a link code, or unlinks their accounts.
    pub(super) fn link(&mut self) {
        let chance = &self.sociable;
        let Some(of) = chance.pick(&self.sim_people).map(|it| it.person.id.clone()) else { return };
        let others: Vec<&PersonId> = self
            .sim_people
            .iter()
            .map(|it| &it.person.id)
            .filter(|it| it.platform() != of.platform())
            .collect();
        let Some(with) = chance.pick(&others).copied().cloned() else { return };
        let is_one = self.world.behind(&of) != of
            || self
                .sim_people
                .iter()
                .any(|it| it.person.id != of && self.world.behind(&it.person.id) == of);
        if is_one && chance.happens(APART_PER_1000) {
            return self.send_privately(&of, words("/unlink"));
        }
        self.send_privately(&of, words("/link"));
        self.account_linking = Some(LinkInProgress { of, with, given: false, steps: 0 });
    }

    /// Continues the link in progress; returns whether a person acted.
    pub(super) fn goes_on_linking(&mut self) -> bool {
        let Some(mut account_linking) = self.account_linking.take() else { return false };
        account_linking.steps += 1;
        let found = if account_linking.given {
            self.find_in_private_chat(&account_linking.with, |message| {
                let all = message.buttons.iter().flatten();
                all.map(|it| it.callback_data.clone()).find(|it| it.starts_with("0."))
            })
        } else {
            self.find_in_private_chat(&account_linking.of, |message| {
                message.text.0.iter().find_map(code_in)
            })
        };
        let Some(found) = found else {
            self.account_linking = Some(account_linking).filter(|it| it.steps < STEPS);
            return false;
        };
        let with = account_linking.with.clone();
        if account_linking.given {
            self.send_privately(&with, UpdateKind::Press { callback_data: found, message: None });
        } else {
            self.send_privately(&with, words(&found));
            self.account_linking =
                Some(LinkInProgress { given: true, steps: 0, ..account_linking });
        }
        true
    }

    /// The first match in the messages that an account sees in its private chat, the newest first.
    fn find_in_private_chat(
        &self,
        account: &PersonId,
        find: impl Fn(&OutgoingMessage) -> Option<String>,
    ) -> Option<String> {
        let chat = &self.sim_person(account)?.private()?.id;
        let chats = self.world.chats.lock();
        let ephemeral = chats.told.get(account).into_iter().flatten().rev().map(|it| &it.message);
        let posted = chats.chats.get(chat).into_iter().flatten().rev().map(|it| &it.message);
        ephemeral.chain(posted).find_map(find)
    }

    fn sim_person(&self, account: &PersonId) -> Option<&SimPerson> {
        self.sim_people.iter().find(|it| it.person.id == *account)
    }

    /// A person does this in their private chat with the bot.
    fn send_privately(&mut self, account: &PersonId, body: UpdateKind) {
        let Some(sim_person) = self.sim_person(account) else { return };
        let Some(chat) = sim_person.private().cloned() else { return };
        let person = sim_person.person.clone();
        let late_ms = self.sociable.between(0, 300);
        self.send_update(Act { person, chat, body }, late_ms);
    }
}

/// The link command with its code, if this span has one.
fn code_in(span: &RichSpan) -> Option<String> {
    match span {
        RichSpan::Code(text) if text.starts_with("/link ") => Some(text.clone()),
        _ => None,
    }
}
