//! Simulates inline results that people send in chats where the bot is not a member. A press on the
//! button of such a message turns it into the board of a table; the message is the whole chat.

use super::Sim;
use super::chats::{Chats, PLATFORM_KINDS, PlatformKind};
use super::fault_rates::SimFeature;
use super::people::{Act, SimPerson, button};
use super::processes::Process;
use super::secrets::{self, Rights};
use super::world::World;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::{InlineQueries, InlineResult, OutgoingMessage, UpdateKind};
use caravanserai_table::event::{Event, LogLine};

/// Per thousand steps: a person sends an inline result.
const POSED: u64 = 15;

/// The same, or a press on a button of such a message.
const PRESSED: u64 = POSED + 70;

/// The same, or the deletion of such a message.
const TAKEN_BACK: u64 = PRESSED + 2;

/// The number of recent inline messages that people still look at.
const SEEN: usize = 8;

/// The text of an inline query: nothing, or what follows the name of a game.
const TYPED: [&str; 8] = ["", "", "", " ", " ", " computer", " players=2", " ꙮ"];

/// The number of the message that is a chat of its own, in a chat where the bot is not a member.
pub fn only(chat: &ChatId) -> Option<u64> {
    chat.0.split_once(":~")?.1.parse().ok()
}

/// The link to the private chat with the bot about a table.
pub fn private_chat_link(platform: &str, code: &str) -> Option<String> {
    PlatformKind::named(platform)
        .filter(|it| it.has_inline_mode)
        .map(|_| format!("sim://door/{code}"))
}

/// The sender of the inline message of a chat, if it is one.
pub fn poser(world: &World, chat: &ChatId) -> Option<PersonId> {
    let person = world.chats.lock().posers.get(chat).cloned()?;
    Some(world.behind(&person))
}

/// Checks the people of a table that was opened in an inline message: a challenge is a game between
/// its sender and the person who accepts it. The sender of an old challenge is invited first.
///
/// # Errors
/// When other people play it.
pub fn is_opened_by(world: &World, lines: &[LogLine], by: &PersonId) -> Result<(), String> {
    let Some(Event::Opened(setup)) = lines.first().map(|it| &it.event) else { return Ok(()) };
    let Some(poser) = poser(world, &setup.chat) else { return Ok(()) };
    let sits = |who: &PersonId| {
        let mut seated = lines.iter().filter_map(|it| match &it.event {
            Event::Seated { person, .. } => Some(person),
            _ => None,
        });
        seated.any(|it| it == who)
    };
    // Once it is a board, the next game there has the same players.
    let chats = world.chats.lock();
    let shown_message = chats.chats.get(&setup.chat).and_then(|it| it.front());
    let is_posed = shown_message.is_some_and(|it| it.message.nonce.is_empty());
    let invites =
        |it: &LogLine| matches!(&it.event, Event::Invited { person: Some(it), .. } if *it == poser);
    let starts = |it: &LogLine| matches!(it.event, Event::Started { .. });
    let plays = setup.opener == poser && sits(&poser);
    let is_asked = setup.opener == *by && lines.iter().any(invites) && !lines.iter().any(starts);
    if !sits(by) || (is_posed && !plays && !is_asked) {
        return Err(format!("{} opened what {} has posed", by.0, poser.0));
    }
    Ok(())
}

impl Chats {
    /// A person sends an inline result in a chat that the bot does not know.
    fn pose(
        &mut self,
        kind: &PlatformKind,
        by: &PersonId,
        result: &InlineResult,
    ) -> (ChatId, OutgoingMessage) {
        let text = RichText(vec![RichSpan::Plain(result.message.clone())]);
        let message =
            OutgoingMessage { text, buttons: result.buttons.clone(), ..OutgoingMessage::default() };
        let chat = self.new_only(kind, message.clone());
        if self.posed.len() == SEEN {
            self.posed.pop_front();
        }
        self.posed.push_back(chat.clone());
        self.posers.insert(chat.clone(), by.clone());
        (chat, message)
    }

    /// Deletes the only message of a chat.
    pub fn take_back(&mut self, chat: &ChatId) {
        self.posed.retain(|it| it != chat);
        self.chats.remove(chat);
        self.vanished.insert(chat.clone());
    }
}

impl Sim {
    /// Sometimes lets people act where the bot is not a member.
    pub(super) fn meet_elsewhere(&mut self) {
        if !self.world.happens(SimFeature::InlineChallenges) {
            return;
        }
        match self.elsewhere.below(1000) {
            0..POSED => self.pose(),
            POSED..PRESSED => self.press_posed(),
            PRESSED..TAKEN_BACK => self.take_back(),
            _ => {}
        }
    }

    /// A person who can send inline results.
    fn poser(&self) -> Option<(PlatformKind, SimPerson)> {
        let kind = PLATFORM_KINDS.into_iter().find(|it| it.has_inline_mode)?;
        let are = |it: &&SimPerson| it.person.id.platform() == kind.name;
        let all: Vec<&SimPerson> = self.sim_people.iter().filter(are).collect();
        Some((kind, (*self.elsewhere.pick(&all)?).clone()))
    }

    fn pose(&self) {
        let chance = &self.elsewhere;
        let Some((kind, SimPerson { person, .. })) = self.poser() else { return };
        let more = chance.pick(&TYPED).copied().unwrap_or_default();
        let game = chance.pick(GameId::all()).map_or("", |it| it.info().command);
        let typed = if more.is_empty() { String::new() } else { format!("{game}{more}") };
        let (is_summons, n) = (chance.happens(250), chance.bits() as usize);
        let late_ms = chance.between(0, 300);
        let Some(Process { process_run, service }) = chance.pick(&self.processes) else { return };
        let (world, service, process_run) =
            (self.world.clone(), service.clone(), process_run.clone());
        tokio::spawn(async move {
            world.time.sleep(late_ms).await;
            process_run.goes_on().await;
            let offers: Vec<InlineResult> = match is_summons {
                true => service.mention_reply(&person, &typed).await.into_iter().collect(),
                false => service.inline_results(&person, &typed).await,
            };
            process_run.goes_on().await;
            let Some(result) = offers.get(n % offers.len().max(1)) else { return };
            let who = world.behind(&person.id);
            let (chat, message) = world.chats.lock().pose(&kind, &who, result);
            world.note(|| format!("{} sends {} inline in {}", person.id.0, result.message, chat.0));
            world.count("inline challenges sent");
            secrets::check_no_leak(&world, None, &Rights::default(), &message);
        });
    }

    /// A person presses a button of an inline message, sometimes twice.
    fn press_posed(&mut self) {
        let Some((_, sim_person)) = self.poser() else { return };
        let chats = self.world.chats.lock();
        let all: Vec<&ChatId> = chats.posed.iter().collect();
        let Some(chat) = self.elsewhere.pick(&all).and_then(|it| sim_person.at(it)) else {
            return;
        };
        let shown_message = chats.chats.get(&chat.id).and_then(|it| it.front());
        let found = shown_message
            .and_then(|it| Some((it.id, button(&it.message, &self.elsewhere, false)?)));
        drop(chats);
        let Some((id, press)) = found else { return };
        let body =
            UpdateKind::Press { callback_data: press, message: Some(MessageId(id.to_string())) };
        let act = Act { person: sim_person.person.clone(), chat, body };
        let late_ms = self.elsewhere.between(0, 300);
        self.world.count("presses on inline challenges");
        self.send_update(act.clone(), late_ms);
        if self.elsewhere.happens(sim_person.impatience) {
            let later_ms = late_ms + self.elsewhere.between(0, 400);
            self.send_update(act, later_ms);
        }
    }

    /// A person deletes an inline message.
    fn take_back(&self) {
        let mut chats = self.world.chats.lock();
        let all: Vec<ChatId> = chats.posed.iter().cloned().collect();
        let Some(chat) = self.elsewhere.pick(&all) else { return };
        chats.take_back(chat);
        drop(chats);
        self.world.note(|| format!("{} is deleted", chat.0));
        self.world.count("inline challenges deleted");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inline_message_is_the_only_message_of_its_place() {
        let mut chats = Chats::new(1);
        let kind = PLATFORM_KINDS.into_iter().find(|it| it.has_inline_mode).unwrap();
        let result = InlineResult {
            title: String::new(),
            description: String::new(),
            message: "Ann plays".to_owned(),
            buttons: Vec::new(),
        };
        let (chat, message) = chats.pose(&kind, &PersonId("tg:1".to_owned()), &result);
        let shown_message = &chats.chats[&chat];
        assert_eq!(shown_message.len(), 1);
        assert_eq!(Some(shown_message[0].id), only(&chat));
        assert_eq!(message.text.to_plain(), "Ann plays");
        assert_eq!(only(&ChatId("tg:-100/7".to_owned())), None);
    }
}
