//! What is remembered of Discord while the process runs. All of it is bounded, none of it is
//! needed for correctness: it makes answers private, edits cheap and links possible.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::Hash;

use super::slots::Standing;
use crate::chat::Whisper;

/// A token is used this long after it was given: Discord takes it for 15 minutes.
const TOKEN_MS: u64 = 14 * 60_000;
/// Messages counted in one channel; a board below more than these is buried anyway.
const COUNTED_MAX: usize = 64;
/// Entries in each memory.
const KEPT_MAX: usize = 8_192;

/// A map that forgets what was put into it first.
pub(super) struct Kept<K, V> {
    values: HashMap<K, V>,
    order: VecDeque<K>,
    most: usize,
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    /// An empty memory of at most so many entries.
    pub fn new(most: usize) -> Self {
        Kept { values: HashMap::new(), order: VecDeque::new(), most }
    }

    /// Puts a value in place of the old one. Tells whether the key is new.
    pub fn put(&mut self, key: K, value: V) -> bool {
        let new = self.values.insert(key.clone(), value).is_none();
        if new {
            self.order.push_back(key);
            if self.order.len() > self.most
                && let Some(oldest) = self.order.pop_front()
            {
                self.values.remove(&oldest);
            }
        }
        new
    }

    /// What is known of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key)
    }

    fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.values.get_mut(key)
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: &K) {
        if self.values.remove(key).is_some() {
            self.order.retain(|it| it != key);
        }
    }
}

/// How long a closed envelope can be opened.
const ENVELOPE_MS: u64 = 24 * 3_600_000;
/// Within this time somebody's next answer goes into the envelope that waits for them already.
const RESEAL_MS: u64 = 60_000;
/// Envelopes that wait: each holds a whole answer.
const ENVELOPES_MAX: usize = 1_024;

/// Private answers waiting behind a public button.
pub(super) struct Envelope {
    /// Who may open it.
    pub reader: u64,
    /// What is inside.
    pub inside: Vec<Whisper>,
    at_ms: u64,
}

/// An interaction token and when it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    text: String,
    at_ms: u64,
}

impl Token {
    /// A token that was given then.
    pub fn new(text: &str, at_ms: u64) -> Self {
        Self { text: text.to_owned(), at_ms }
    }

    /// As it stands in addresses.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether Discord still takes it.
    pub fn lives(&self, now_ms: u64) -> bool {
        now_ms < self.at_ms + TOKEN_MS
    }
}

/// Where a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In this guild.
    Guild(u64),
    /// It is a direct channel.
    Direct,
}

/// All that is remembered.
pub(super) struct Memory {
    /// By person and channel: the last token, for private words.
    persons: Kept<(u64, u64), Token>,
    /// By message: the token whose `@original` that message is, for edits.
    boards: Kept<u64, Token>,
    homes: Kept<u64, Home>,
    /// Channels in which the bot was spoken to or spoke.
    active: Kept<u64, ()>,
    recent: Kept<u64, BTreeSet<u64>>,
    seen: Kept<u64, ()>,
    envelopes: Kept<u64, Envelope>,
    /// By person and channel: their latest envelope.
    letters: Kept<(u64, u64), u64>,
    /// By person: where the newest message of a slot stands.
    slots: Kept<(u64, String), Standing>,
    /// What people speak, from their latest interaction.
    locales: Kept<u64, String>,
}

impl Memory {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Memory {
            persons: Kept::new(KEPT_MAX),
            boards: Kept::new(KEPT_MAX),
            homes: Kept::new(KEPT_MAX * 8),
            active: Kept::new(KEPT_MAX),
            recent: Kept::new(KEPT_MAX),
            seen: Kept::new(KEPT_MAX),
            envelopes: Kept::new(ENVELOPES_MAX),
            letters: Kept::new(ENVELOPES_MAX),
            slots: Kept::new(KEPT_MAX),
            locales: Kept::new(KEPT_MAX),
        }
    }

    /// Whether this event was not met before.
    pub fn first_time(&mut self, event: u64) -> bool {
        self.seen.put(event, ())
    }

    /// A person acted in a channel and was answered.
    pub fn person_acted(&mut self, user: u64, channel: u64, token: &str, at_ms: u64) {
        self.persons.put((user, channel), Token::new(token, at_ms));
    }

    /// A token that still reaches this person here.
    pub fn token_of(&self, user: u64, channel: u64, now_ms: u64) -> Option<Token> {
        self.persons.get(&(user, channel)).filter(|it| it.lives(now_ms)).cloned()
    }

    /// This person cannot be reached any more.
    pub fn forget_person(&mut self, user: u64, channel: u64) {
        self.persons.remove(&(user, channel));
    }

    /// Where the message of this slot stands, if it can still be changed.
    pub fn slot(&self, user: u64, slot: &str, now_ms: u64) -> Option<Standing> {
        let standing = self.slots.get(&(user, slot.to_owned()))?;
        Some(standing.clone()).filter(|it| it.lives(now_ms))
    }

    /// The message of a slot stands there now.
    pub fn keep_slot(&mut self, user: u64, slot: &str, now: Standing) {
        self.slots.put((user, slot.to_owned()), now);
    }

    /// The message of a slot is no more, or cannot be changed.
    pub fn forget_slot(&mut self, user: u64, slot: &str) {
        self.slots.remove(&(user, slot.to_owned()));
    }

    /// What a person's client speaks.
    pub fn speaks(&mut self, user: u64, locale: &str) {
        self.locales.put(user, locale.to_owned());
    }

    /// The locale of a person, if it was ever told.
    pub fn locale_of(&self, user: u64) -> String {
        self.locales.get(&user).cloned().unwrap_or_default()
    }

    /// Puts answers into the envelope that waits for this person here since less than a minute;
    /// gives them back if there is none.
    pub fn reseal(
        &mut self,
        reader: u64,
        channel: u64,
        inside: Vec<Whisper>,
        now_ms: u64,
    ) -> Option<Vec<Whisper>> {
        let number = self.letters.get(&(reader, channel)).copied();
        let waiting = number.and_then(|it| self.envelopes.get_mut(&it));
        match waiting.filter(|it| now_ms < it.at_ms + RESEAL_MS) {
            Some(envelope) => {
                envelope.inside = inside;
                None
            }
            None => Some(inside),
        }
    }

    /// Keeps answers for somebody. The number is that of the message they answer.
    pub fn seal(
        &mut self,
        number: u64,
        reader: u64,
        channel: u64,
        inside: Vec<Whisper>,
        at_ms: u64,
    ) {
        self.letters.put((reader, channel), number);
        self.envelopes.put(number, Envelope { reader, inside, at_ms });
    }

    /// The envelope with this number, if it is not too old.
    pub fn envelope(&self, number: u64, now_ms: u64) -> Option<&Envelope> {
        self.envelopes.get(&number).filter(|it| now_ms < it.at_ms + ENVELOPE_MS)
    }

    /// Throws an envelope away.
    pub fn unseal(&mut self, number: u64) {
        self.envelopes.remove(&number);
    }

    /// A press on this message was acknowledged without a message of its own.
    pub fn board_pressed(&mut self, message: u64, token: &str, at_ms: u64) {
        self.boards.put(message, Token::new(token, at_ms));
    }

    /// A token that still edits this message.
    pub fn board_token(&self, message: u64, now_ms: u64) -> Option<String> {
        let token = self.boards.get(&message).filter(|it| it.lives(now_ms));
        token.map(|it| it.text.clone())
    }

    /// The token of this message is dead.
    pub fn forget_board(&mut self, message: u64) {
        self.boards.remove(&message);
    }

    /// Where a channel is.
    pub fn home_is(&mut self, channel: u64, home: Home) {
        self.homes.put(channel, home);
    }

    /// Where a channel is, if it was ever heard of.
    pub fn home_of(&self, channel: u64) -> Option<Home> {
        self.homes.get(&channel).copied()
    }

    /// The bot has to do with this channel.
    pub fn active_in(&mut self, channel: u64) {
        self.active.put(channel, ());
    }

    /// Whether the bot has to do with this channel.
    pub fn is_active(&self, channel: u64) -> bool {
        self.active.get(&channel).is_some()
    }

    /// Channels of a guild the bot has to do with.
    pub fn active_of_guild(&self, guild: u64) -> Vec<u64> {
        let home = |it: &&u64| self.home_of(**it) == Some(Home::Guild(guild));
        self.active.order.iter().filter(home).copied().collect()
    }

    /// A message stands in a channel.
    pub fn posted(&mut self, channel: u64, message: u64) {
        if self.recent.get(&channel).is_none() {
            self.recent.put(channel, BTreeSet::new());
        }
        if let Some(messages) = self.recent.get_mut(&channel) {
            messages.insert(message);
            if messages.len() > COUNTED_MAX {
                messages.pop_first();
            }
        }
    }

    /// A message is gone.
    pub fn deleted(&mut self, channel: u64, message: u64) {
        if let Some(messages) = self.recent.get_mut(&channel) {
            messages.remove(&message);
        }
    }

    /// How many messages are below this one. Discord's ids grow with time.
    pub fn below(&self, channel: u64, message: u64) -> u32 {
        let messages = self.recent.get(&channel);
        let below = messages.map_or(0, |it| it.range(message + 1..).count());
        u32::try_from(below).unwrap_or(u32::MAX)
    }
}
