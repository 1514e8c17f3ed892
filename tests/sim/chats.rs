//! The platforms of a simulated world: what stands in their chats, what they refuse, and when.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;

use super::between::Call;
use super::chance::Chance;
use super::lives::Life;
use super::posed::{only, private_door};
use super::refusing::Refusing;
use super::secrets::{self, Rights};
use super::weather::Trouble;
use super::world::{World, lock};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId};
use caravanserai_protocol::{OutgoingMessage, Platform, PrivateMessage, SendError, SingleReader};
use caravanserai_table::state::Table;

/// How many messages of a place are kept; older ones cannot be edited any more.
const KEPT: usize = 60;

/// How many private messages of a person are kept.
const TOLD: usize = 12;

/// Why a call failed that was made.
const LOST: &str = "made to lose the answer";

/// A kind of platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The prefix of its ids.
    pub name: &'static str,
    /// How many calls a minute the adapter tells the service that a group stands.
    pub per_minute: u32,
    /// How many calls it really stands in a group within a minute.
    pub stands: usize,
    /// Whether a second copy of a message is recognised by its nonce.
    pub knows_copies: bool,
    /// Whether private answers have buttons of their own.
    pub buttons: bool,
    /// Whether what was not confirmed is delivered again after a restart.
    pub again: bool,
    /// Whether the bot is told of a group or topic that is no more.
    pub tells_deletions: bool,
    /// Whether people can pose what it offers where the bot is no member, and begin to speak with
    /// it alone by a link.
    pub poses: bool,
}

impl Kind {
    /// The one whose ids begin so.
    pub fn named(platform: &str) -> Option<Self> {
        KINDS.into_iter().find(|it| it.name == platform)
    }
}

/// Like Telegram, like Discord, like the page.
pub const KINDS: [Kind; 3] = [
    Kind {
        name: "tg",
        per_minute: 15,
        stands: 20,
        knows_copies: false,
        buttons: false,
        again: true,
        tells_deletions: false,
        poses: true,
    },
    Kind {
        name: "dc",
        per_minute: 60,
        stands: 300,
        knows_copies: true,
        buttons: true,
        again: false,
        tells_deletions: true,
        poses: false,
    },
    Kind {
        name: "web",
        per_minute: 60_000,
        stands: 1_000_000,
        knows_copies: true,
        buttons: true,
        again: true,
        tells_deletions: false,
        poses: false,
    },
];

/// A message of the bot or, without a nonce, of somebody.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its number.
    pub id: u64,
    /// The nonce it was posted with.
    pub posted: String,
    /// What it shows.
    pub message: OutgoingMessage,
}

/// What one person was told alone.
#[derive(Clone, Debug)]
pub struct Private {
    /// What it replaces.
    pub slot: Option<String>,
    /// Where the person was.
    pub place: PlaceId,
    /// What it shows.
    pub message: OutgoingMessage,
}

/// What stands in all chats of all platforms.
pub struct Chats {
    chance: Chance,
    /// What is taken for wrong.
    pub(super) refusing: Refusing,
    /// By place, oldest first.
    pub places: BTreeMap<PlaceId, VecDeque<Standing>>,
    /// The newest places that are one message each, see [`only`].
    pub posed: VecDeque<PlaceId>,
    /// Who has posed them, and all before.
    pub posers: BTreeMap<PlaceId, PersonId>,
    /// By person, oldest first.
    pub told: BTreeMap<PersonId, VecDeque<Private>>,
    /// Chats where the bot may not write.
    pub closed: BTreeSet<String>,
    /// Chats that have another id now.
    pub moved: BTreeMap<String, PlaceId>,
    /// Topics, chats and private chats that are no more.
    pub vanished: BTreeSet<PlaceId>,
    /// Boards that somebody took away: where, of which table, and its version then.
    pub bare: BTreeMap<(PlaceId, String), u64>,
    /// What may stand twice: the answer to its post was lost.
    pub doubled: BTreeSet<String>,
    /// Messages that the bot tried in vain to take away.
    pub left: BTreeSet<u64>,
    /// When each chat was spoken to during the last minute.
    calls: BTreeMap<String, VecDeque<u64>>,
    next: u64,
}

impl Chats {
    /// Empty ones.
    pub fn new(seed: u64) -> Self {
        Chats {
            chance: Chance::new(seed, "chats"),
            refusing: Refusing::new(seed),
            places: BTreeMap::new(),
            posed: VecDeque::new(),
            posers: BTreeMap::new(),
            told: BTreeMap::new(),
            closed: BTreeSet::new(),
            moved: BTreeMap::new(),
            vanished: BTreeSet::new(),
            bare: BTreeMap::new(),
            doubled: BTreeSet::new(),
            left: BTreeSet::new(),
            calls: BTreeMap::new(),
            next: 0,
        }
    }

    /// Puts a message at the bottom of a place.
    pub fn put(&mut self, place: &PlaceId, message: OutgoingMessage) -> u64 {
        self.next += 1;
        let standing = self.places.entry(place.clone()).or_default();
        let posted = message.nonce.clone();
        standing.push_back(Standing { id: self.next, posted, message });
        if standing.len() > KEPT {
            // Talk is forgotten first: what the bot said can be edited for ever.
            let talk = standing.iter().position(|it| it.message.nonce.is_empty());
            standing.remove(talk.unwrap_or_default());
        }
        self.next
    }

    /// A new place that consists of this message.
    pub fn new_only(&mut self, kind: &Kind, message: OutgoingMessage) -> PlaceId {
        let place = PlaceId(format!("{}:~{}", kind.name, self.next + 1));
        self.put(&place, message);
        place
    }

    /// Somebody is told something alone; what was told under the same slot goes.
    pub fn tell(&mut self, person: &PersonId, private: Private) {
        let told = self.told.entry(person.clone()).or_default();
        told.retain(|it| it.slot.is_none() || it.slot != private.slot);
        told.push_back(private);
        if told.len() > TOLD {
            told.pop_front();
        }
    }

    /// The board of a table in a place: the newest message that says it is.
    pub fn board(&self, place: &PlaceId, table: &str) -> Option<&Standing> {
        let begins = format!("board {table} ");
        let all = self.places.get(place)?;
        all.iter().rev().find(|it| it.message.nonce.starts_with(&begins))
    }

    /// The process was killed or could not keep what it did: what was said last may be said again.
    pub fn may_repeat(&mut self) {
        let last = self.places.values().flat_map(|all| all.iter().rev().take(8));
        let nonces: Vec<String> = last.map(|it| it.posted.clone()).collect();
        self.doubled.extend(nonces);
    }

    /// Whether the bot may write there, and it is still called so.
    pub fn is_open(&self, place: &PlaceId) -> bool {
        let elsewhere = self.closed.contains(place.chat()) || self.moved.contains_key(place.chat());
        !elsewhere && !self.has_vanished(place)
    }

    /// Whether the place, or all of its chat, is no more.
    pub fn has_vanished(&self, place: &PlaceId) -> bool {
        self.vanished.iter().any(|it| it == place || it.0 == place.chat())
    }

    /// Two boards of one table in a place that both can be pressed, without a reason.
    pub fn two_boards(&self, place: &PlaceId, table: &str) -> Option<(u64, u64)> {
        let begins = format!("board {table} ");
        let mut live = self.places.get(place)?.iter().filter(|it| {
            it.message.nonce.starts_with(&begins)
                && !it.message.buttons.is_empty()
                && !self.doubled.contains(&it.posted)
                && !self.left.contains(&it.id)
        });
        Some((live.next()?.id, live.next()?.id))
    }

    /// A board of a table that can be pressed where the table does not stand any more, without a
    /// reason.
    pub fn left_behind(&self, table: &Table) -> Option<(&PlaceId, u64)> {
        let begins = format!("board {} ", table.id.0);
        let gone = |place: &PlaceId| table.location_in(place).is_none() && self.is_open(place);
        let mut all = self.places.iter().filter(|(place, _)| gone(place));
        all.find_map(|(place, all)| {
            let live = all.iter().find(|it| {
                it.message.nonce.starts_with(&begins)
                    && !it.message.buttons.is_empty()
                    && !self.doubled.contains(&it.posted)
                    && !self.left.contains(&it.id)
            });
            live.map(|it| (place, it.id))
        })
    }

    /// The tables whose boards stand anywhere.
    pub fn codes(&self) -> BTreeSet<&str> {
        let nonces = self.places.values().flatten().map(|it| it.message.nonce.as_str());
        nonces.filter_map(|it| it.strip_prefix("board ")?.split(' ').next()).collect()
    }

    /// Something of the bot that stands twice in a place without a reason.
    pub fn said_twice(&self, place: &PlaceId) -> Option<&str> {
        let mut seen = BTreeSet::new();
        let own = self.places.get(place)?.iter().map(|it| it.posted.as_str());
        own.filter(|it| !it.is_empty() && !self.doubled.contains(*it)).find(|it| !seen.insert(*it))
    }

    /// Counts a call; how long to wait when the chat stands no more.
    fn spend(&mut self, chat: &str, stands: usize, now_ms: u64) -> Option<u64> {
        let calls = self.calls.entry(chat.to_owned()).or_default();
        while calls.front().is_some_and(|at| at + 60_000 <= now_ms) {
            calls.pop_front();
        }
        if calls.len() >= stands {
            return calls.front().map(|at| (at + 60_000).saturating_sub(now_ms).max(1_000));
        }
        calls.push_back(now_ms);
        None
    }

    /// Takes a message away.
    pub fn delete(&mut self, place: &PlaceId, id: u64) {
        if let Some(all) = self.places.get_mut(place) {
            all.retain(|it| it.id != id);
        }
    }
}

/// Proof that a message has a single reader: the simulation checks that.
pub struct Alone;

impl SingleReader for Alone {}

/// A platform as one process knows it.
pub struct SimPlatform {
    /// Which.
    pub kind: Kind,
    /// Where.
    pub world: Arc<World>,
    /// Whose.
    pub life: Arc<Life>,
}

impl SimPlatform {
    /// Waits as the network has it, meets what the weather has in store, and does it.
    async fn call<T>(
        &self,
        what: &'static str,
        place: &PlaceId,
        words: String,
        act: impl FnOnce(&mut Chats) -> Result<T, SendError> + Send,
    ) -> Result<T, SendError> {
        let weather = self.world.weather();
        let (ms, fails, waits, hangs, loses) = {
            let chats = lock(&self.world.chats);
            let chance = &chats.chance;
            (
                chance.between(20, 300),
                chance.happens(weather.call_fails),
                chance.happens(weather.told_to_wait),
                chance.happens(weather.hang),
                chance.happens(weather.call_lost),
            )
        };
        self.world.time.sleep(ms).await;
        self.life.goes_on().await;
        self.world.count("calls");
        if hangs {
            self.world.time.sleep(30_000).await;
            self.life.goes_on().await;
            return Err(SendError::Temporary("made to hang".into()));
        }
        if fails {
            return Err(SendError::Temporary("made to fail".into()));
        }
        if waits {
            return Err(SendError::RateLimited(ms * 20));
        }
        let now_ms = self.world.steady_ms();
        let done = self.done(what, place, now_ms, act);
        self.world.note(|| {
            let result = done.as_ref().map_or_else(ToString::to_string, |_| "ok".to_owned());
            format!("{what} {} {result} {words}", place.0)
        });
        self.world.time.sleep(ms / 4).await;
        self.life.goes_on().await;
        if loses && done.is_ok() {
            self.world.count("lost answers of platforms");
            return Err(SendError::Temporary(LOST.into()));
        }
        done
    }

    /// Does it, if the platform lets the bot.
    fn done<T>(
        &self,
        what: &str,
        place: &PlaceId,
        now_ms: u64,
        act: impl FnOnce(&mut Chats) -> Result<T, SendError>,
    ) -> Result<T, SendError> {
        let alone = what == "whisper";
        let mut chats = lock(&self.world.chats);
        let is_gone = match only(place) {
            // Whether the message still stands is known by editing it.
            Some(_) => what == "post",
            None => chats.has_vanished(place),
        };
        if is_gone {
            let standing = chats.places.get(place).filter(|_| only(place).is_some());
            let stands = standing.is_some_and(|it| !it.is_empty());
            drop(chats);
            if stands {
                let only = &place.0;
                self.world.broke(format!("something was posted beside the only message of {only}"));
            }
            if !alone {
                lock(&self.world.vanished).answered(&self.world, place);
            }
            return Err(SendError::ChatGone);
        }
        if chats.closed.contains(place.chat()) {
            return Err(SendError::NotAllowed);
        }
        if let Some(to) = chats.moved.get(place.chat()) {
            return Err(SendError::ChatMoved(to.clone()));
        }
        // What one person alone is shown is counted apart.
        let counted = format!("{}{}", place.chat(), if alone { " alone" } else { "" });
        if let Some(ms) = chats.spend(&counted, self.kind.stands, now_ms) {
            drop(chats);
            self.world.count("limits of a platform reached");
            // A start knows nothing of what was said before it.
            if self.world.up_ms() > 120_000 {
                let stands = self.kind.stands;
                self.world
                    .broke(format!("{} was called more than {stands} times a minute", place.0));
            }
            return Err(SendError::RateLimited(ms));
        }
        act(&mut chats)
    }

    /// Somebody, or everybody in a place, is shown this; they had these rights when it was said.
    fn shown(&self, reader: Option<&PersonId>, rights: &Rights, message: &OutgoingMessage) {
        secrets::look(&self.world, reader, rights, message);
    }

    fn rights(&self, reader: Option<&PersonId>) -> Rights {
        reader.map(|it| Rights::of(&self.world, it)).unwrap_or_default()
    }
}

/// The only one who reads a private chat.
pub fn reader(place: &PlaceId) -> Option<PersonId> {
    let (platform, rest) = place.0.split_once(':')?;
    Some(PersonId(format!("{platform}:{}", rest.strip_prefix('@')?)))
}

/// What a message says, in short, for the journal.
fn short(message: &OutgoingMessage) -> String {
    let text = message.text.to_plain();
    let line: String = text.replace('\n', " / ").chars().take(160).collect();
    let buttons: Vec<&str> = message.buttons.iter().flatten().map(|it| it.press.as_str()).collect();
    format!("{} | {line} | {}", message.nonce, buttons.join(" "))
}

#[async_trait]
impl Platform for SimPlatform {
    fn name(&self) -> &'static str {
        self.kind.name
    }

    fn call_limit_per_minute(&self, _place: &PlaceId) -> u32 {
        self.world.between.per_minute(self.kind.per_minute)
    }

    async fn post(
        &self,
        place: &PlaceId,
        message: &OutgoingMessage,
    ) -> Result<MessageId, SendError> {
        let mut message = message.clone();
        let rights = self.rights(reader(place).as_ref());
        let planted = self.world.between.call("post", place, &mut message);
        if planted == Call::Pretended {
            return Ok(MessageId("0".to_owned()));
        }
        let knows = self.kind.knows_copies && self.world.happens(Trouble::Copies);
        let id = self
            .call("post", place, short(&message), |chats| {
                self.refuses_post(chats, &message)?;
                let knows = knows && !message.nonce.is_empty();
                let all = chats.places.get_mut(place).filter(|_| knows).into_iter().flatten();
                let mut copies = all.filter(|it| it.posted == message.nonce);
                let copy = copies.next().map(|it| {
                    it.message = message.clone();
                    it.id
                });
                if planted == Call::Doubled {
                    chats.put(place, message.clone());
                }
                Ok(copy.unwrap_or_else(|| chats.put(place, message.clone())))
            })
            .await;
        let lost = matches!(&id, Err(SendError::Temporary(why)) if why == LOST);
        if lost {
            lock(&self.world.chats).doubled.insert(message.nonce.clone());
        }
        let id = id?;
        let late = lock(&self.world.truth).said(&self.world, &message.nonce);
        late.into_iter().for_each(|what| self.world.broke(what));
        self.shown(reader(place).as_ref(), &rights, &message);
        Ok(MessageId(id.to_string()))
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let mut message = message.clone();
        let rights = self.rights(reader(place).as_ref());
        if self.world.between.call("edit", place, &mut message) == Call::Pretended {
            return Ok(());
        }
        self.call("edit", place, format!("#{} {}", id.0, short(&message)), |chats| {
            self.refuses_edit(chats, place, id, &message)?;
            let all = chats.places.entry(place.clone()).or_default();
            match all.iter_mut().find(|it| it.id.to_string() == id.0) {
                Some(standing) => standing.message = message.clone(),
                None => return Err(SendError::MessageGone),
            }
            Ok(())
        })
        .await?;
        self.shown(reader(place).as_ref(), &rights, &message);
        Ok(())
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        let planted = self.world.between.call("delete", place, &mut OutgoingMessage::default());
        if planted == Call::Pretended {
            return Ok(());
        }
        let number = id.0.parse().unwrap_or_default();
        let done = self
            .call("delete", place, format!("#{number}"), |chats| {
                // Only whoever said it takes back what is all there is of a place.
                if only(place).is_none() {
                    chats.delete(place, number);
                }
                Ok(())
            })
            .await;
        if done.is_err() {
            lock(&self.world.chats).left.insert(number);
        }
        done
    }

    fn has_ephemeral_buttons(&self, _place: &PlaceId) -> bool {
        self.kind.buttons
    }

    async fn show_ephemeral(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let mut message = message.for_reader(&Alone).clone();
        if self.world.between.call("whisper", place, &mut message) == Call::Pretended {
            return Ok(());
        }
        let person = &self.world.between.listener(person, &message);
        let rights = self.rights(Some(person));
        let private =
            Private { slot: Some(slot.to_owned()), place: place.clone(), message: message.clone() };
        self.call("whisper", place, format!("{} {}", person.0, short(&message)), |chats| {
            chats.tell(person, private);
            Ok(())
        })
        .await?;
        self.shown(Some(person), &rights, &message);
        Ok(())
    }

    async fn sole_reader(&self, place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        Ok(reader(place))
    }

    async fn private_chat(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        let (platform, n) = person.0.split_once(':').ok_or(SendError::NotAllowed)?;
        let place = PlaceId(format!("{platform}:@{n}"));
        let chats = lock(&self.world.chats);
        if chats.has_vanished(&place) {
            return Err(SendError::ChatGone);
        }
        let closed = chats.closed.contains(place.chat());
        if closed || platform != self.kind.name { Err(SendError::NotAllowed) } else { Ok(place) }
    }

    fn page_url(&self) -> Option<String> {
        let is_page = self.kind.name == "web" && self.world.happens(Trouble::Looks);
        is_page.then(|| "https://play.example.org".to_owned())
    }

    fn messages_below(&self, place: &PlaceId, id: &MessageId) -> u32 {
        let chats = lock(&self.world.chats);
        let Some(all) = chats.places.get(place) else { return 0 };
        all.iter().rev().take_while(|it| it.id.to_string() != id.0).count() as u32
    }

    fn only_message(&self, place: &PlaceId) -> Option<MessageId> {
        only(place).map(|id| MessageId(id.to_string()))
    }

    fn is_public_group(&self, place: &PlaceId) -> bool {
        only(place).is_none() && reader(place).is_none()
    }

    fn private_chat_link(&self, code: &str) -> Option<String> {
        private_door(self.kind.name, code).filter(|_| self.world.happens(Trouble::Posed))
    }

    fn message_link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        only(place).is_none().then(|| format!("sim://{}/{}", place.0, id.0))
    }
}
