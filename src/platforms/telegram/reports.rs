//! What the adapter tells its listener beside updates: calls it made by itself, and chats in which
//! hands have to be shown in another way.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use super::Telegram;
use super::api::CallError;
use super::privately::ephemeral;
use super::send::{NOWHERE, place};
use super::slots::Standing;
use super::updates::{Author, Origin};
use caravanserai_games::ids::{PersonId, PlaceKind};
use caravanserai_protocol::{HandPriority, Listener, Parents, Person, PersonKind, Place, Whisper};

/// A wait as short as this comes from the limit per second and not from the one per minute.
const MOMENT_SECS: u64 = 3;

impl Telegram {
    /// From now on this listener is told. It is not kept alive: it knows the adapter itself.
    pub(super) fn reports_to(&self, listener: &Arc<dyn Listener>) {
        *self.ears.lock().expect("nobody panics while holding the ears") =
            Some(Arc::downgrade(listener));
    }

    fn listener(&self) -> Option<Arc<dyn Listener>> {
        let ears = self.ears.lock().expect("nobody panics while holding the ears");
        ears.as_ref().and_then(Weak::upgrade)
    }

    /// A call was made in a chat that the service does not know of.
    pub(super) fn called(&self, chat: i64) {
        if let Some(listener) = self.listener() {
            listener.called(&place(chat, None));
        }
    }

    /// The same for a call that showed something to one person alone.
    pub(super) fn whispered(&self, chat: i64) {
        if let Some(listener) = self.listener() {
            listener.whispered(&place(chat, None));
        }
    }

    /// Whether a hand can be shown in this chat now.
    fn has_room(&self, chat: i64, priority: HandPriority) -> bool {
        chat >= 0 || self.listener().is_none_or(|it| it.has_room(&place(chat, None), priority))
    }

    /// Whether cards are played by numbers in this chat for a while.
    pub(super) fn is_crowded(&self, chat: i64) -> bool {
        chat < 0 && self.listener().is_some_and(|it| it.is_crowded(&place(chat, None)))
    }

    /// Whether a press in this chat is likely to be answered with an ephemeral message.
    pub(super) fn shows_buttons(&self, chat: i64) -> bool {
        self.ephemerals.load(Ordering::Relaxed) == ephemeral::YES
            && !self.memory().ephemerals_fail(chat)
            && !self.is_crowded(chat)
            && chat != NOWHERE.chat
    }

    /// A hand as an alert tells it, with the numbers that play its cards: the words at hand may
    /// have been made for a message with buttons.
    pub(super) async fn numbered(&self, origin: &Origin, whisper: Whisper) -> Whisper {
        let (Author::Person(person), Some(listener)) = (origin.author, self.listener()) else {
            return whisper;
        };
        let Some(note) = whisper.note.clone().filter(|_| !origin.private) else { return whisper };
        let here = Place {
            id: place(origin.chat, origin.thread),
            kind: PlaceKind::Group,
            title: String::new(),
            locale: None,
            parents: Parents::default(),
        };
        let person = Person {
            id: PersonId(format!("tg:{person}")),
            name: origin.name.clone(),
            username: None,
            locale: origin.locale.clone(),
            kind: PersonKind::Human,
            admin: false,
        };
        listener.say_in_passing(&here, &person, *note).await.unwrap_or(whisper)
    }

    /// Answers with an ephemeral message. Where one with a secret fails, cards are named in alerts
    /// for some minutes.
    pub(super) async fn ephemeral_answer(
        &self,
        origin: &Origin,
        person: i64,
        whisper: &Whisper,
    ) -> Option<Standing> {
        let (message, secret, priority) =
            (&whisper.message, whisper.is_secret(), whisper.priority());
        if secret && origin.query.is_some() && !self.has_room(origin.chat, priority) {
            if priority == HandPriority::ToMove {
                self.means_change(origin);
            }
            return None;
        }
        let could = self.shows_buttons(origin.chat);
        let sent = self.ephemeral(origin, person, message, secret).await;
        if !matches!(sent, Ok(None)) {
            self.whispered(origin.chat);
        }
        // The limit per second does not mean that private messages fail here.
        let passes = matches!(&sent, Err(CallError::Api { retry_after: Some(secs), .. })
            if *secs <= MOMENT_SECS);
        let sent = sent.ok().flatten();
        if sent.is_none() && secret && !passes && could && origin.query.is_some() {
            self.memory().ephemeral_failed(origin.chat);
            self.keep_failed(origin.chat).await;
            self.means_change(origin);
        }
        sent
    }

    /// The board gets numbers for the cards, if it has none yet; the press does not wait for that.
    fn means_change(&self, origin: &Origin) {
        if let Some(listener) = self.listener() {
            let here = place(origin.chat, origin.thread);
            self.telling.later(async move { listener.means_changed(&here).await });
        }
    }
}
