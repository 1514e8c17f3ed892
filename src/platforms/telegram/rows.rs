//! What is kept in rows: a press may come to another process than the one that posted, or after
//! a restart. Each row has a lifetime, and play goes on without any of them.

use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

use super::Telegram;
use super::send::Target;
use super::slots::{PrivateId, Standing};
use super::updates::Author;
use caravanserai_platform_shared::kept::Kept;
use caravanserai_platform_shared::notes::row;
use caravanserai_protocol::Row;

/// How long a private message counts as standing.
const STANDING_MS: u64 = 7 * 24 * 3_600_000;
/// How long an update may come again.
const TOLD_MS: u64 = 24 * 3_600_000;
/// How long a closed envelope can be opened.
const SEALED_MS: u64 = 24 * 3_600_000;
/// How long more answers go into the same envelope: somebody who errs again and again gets one,
/// not a heap of them.
const LETTER_MS: u64 = 60_000;
/// Answers in one envelope; the oldest go first.
pub(super) const LETTERS_MAX: usize = 8;
/// How long the list of admins of a chat is believed.
const ADMINS_MS: u64 = 10 * 60_000;
/// How long it is believed that somebody is none: whoever has just become one wants to use it.
const ASKED_MS: u64 = 30_000;
/// So many people are told at once that what they do cannot be kept; the others wait.
const UNKEPT_MAX: usize = 1_000;

/// How long the others are told that ephemeral messages fail in a chat.
const FAILS_MS: u64 = 10 * 60_000;

/// Chat, topic and author of what an envelope answers.
pub(super) type Sender = (i64, Option<i32>, Author);

/// Private answers waiting behind a public button.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Sealed {
    /// Who may open it.
    pub(super) reader: Author,
    /// What is inside, the oldest first.
    pub(super) inside: Vec<Kept>,
}

/// Where people talk.
pub(super) fn talk_of(chat: i64, thread: Option<i32>) -> String {
    format!("{chat} {}", thread.unwrap_or_default())
}

fn fails_key(chat: i64) -> String {
    format!("tg fails {chat}")
}

fn slot_key(person: i64, slot: &str) -> String {
    format!("tg slot {person} {slot}")
}

/// Which slot a private message was noted for last.
fn holder_key(standing: &Standing) -> String {
    let (chat, person, id) = standing.key();
    match id {
        PrivateId::Ephemeral(id) => format!("tg holder {chat} {person} e{id}"),
        PrivateId::Chat(id) => format!("tg holder {chat} {person} c{id}"),
    }
}

/// Whether a message of a private chat is a private answer, and whether it has a picture.
fn answer_key(chat: i64, message: i32) -> String {
    format!("tg answer {chat} {message}")
}

fn sealed_key(number: &str) -> String {
    format!("tg sealed {number}")
}

fn letter_key(sender: &Sender) -> String {
    let (chat, thread, author) = sender;
    let thread = thread.unwrap_or_default();
    let author = match author {
        Author::Person(id) => id.to_string(),
        Author::SomeAdmin => "admin".to_owned(),
        Author::Nobody => "nobody".to_owned(),
    };
    format!("tg letter {chat} {thread} {author}")
}

impl Telegram {
    /// Learns what other processes have noted of a place.
    pub(super) async fn learn(&self, Target { chat, thread }: Target) {
        let said = self.talk.known(&talk_of(chat, thread)).await;
        let fails: Option<bool> = self.notes.get(&fails_key(chat)).await;
        let mut memory = self.memory();
        let said = said.into_iter().filter_map(|it| i32::try_from(it).ok());
        said.for_each(|it| memory.saw(chat, thread, it));
        if fails.is_some() && !memory.ephemerals_fail(chat) {
            memory.ephemeral_failed(chat);
        }
    }

    /// Tells the other processes that an ephemeral message failed in a chat.
    pub(super) async fn keep_failed(&self, chat: i64) {
        self.notes.put(vec![row(&fails_key(chat), &true, FAILS_MS)]).await;
    }

    /// Where the message of this slot stands that somebody was shown last.
    pub(super) async fn slot(&self, person: i64, slot: &str) -> Option<Standing> {
        self.notes.get(&slot_key(person, slot)).await
    }

    /// The message of a slot is no more.
    pub(super) async fn forget_slot(&self, person: i64, slot: &str) {
        self.notes.put(vec![Row::gone(slot_key(person, slot))]).await;
    }

    /// The private answer of a private chat under which a button was pressed, if it is known to
    /// be one.
    pub(super) async fn private_answer(&self, chat: i64, message: i32) -> Option<Standing> {
        let pictured = self.notes.get(&answer_key(chat, message)).await?;
        Some(Standing::answer(chat, message, pictured))
    }

    /// Notes that something private was sent and stands there now, and in which slot. No other
    /// slot has its message there any more: Telegram gives numbers of ephemeral messages again
    /// when they are free, so a new message may have the number of one that was lost.
    pub(super) async fn stands_new(&self, slot: Option<&str>, now: Standing) {
        self.note_standing(slot, now, true).await;
    }

    /// Notes that a private message shows something else now, and in which slot that is. A page
    /// without one leaves the message to its slot, which comes back there.
    pub(super) async fn stands(&self, slot: Option<&str>, now: Standing) {
        self.note_standing(slot, now, false).await;
    }

    async fn note_standing(&self, slot: Option<&str>, now: Standing, new: bool) {
        let mut rows = Vec::new();
        if let (chat, _, PrivateId::Chat(id)) = now.key() {
            rows.push(row(&answer_key(chat, id), &now.is_pictured(), STANDING_MS));
        }
        let (_, person, _) = now.key();
        let own = slot.map(|it| slot_key(person, it));
        let holder = holder_key(&now);
        let before: Option<String> = match own.is_some() || new {
            true => self.notes.get(&holder).await,
            false => None,
        };
        if let Some(before) = before.filter(|it| new || Some(it) != own.as_ref()) {
            let there: Option<Standing> = self.notes.get(&before).await;
            if there.is_some_and(|it| it.is(&now)) {
                rows.push(Row::gone(before));
            }
            rows.push(Row::gone(holder.clone()));
        }
        if let Some(own) = own {
            rows.push(row(&holder, &own, STANDING_MS));
            rows.push(row(&own, &now, STANDING_MS));
        }
        if !rows.is_empty() {
            self.notes.put(rows).await;
        }
    }

    /// Whether what an update is answered is told for the first time. One that cannot be kept comes
    /// again and again; whoever caused it is told so once.
    pub(super) async fn is_told_first(&self, update: &str, kept: bool) -> bool {
        let first = {
            let mut unkept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept {
                unkept.remove(update);
            }
            kept || (unkept.len() < UNKEPT_MAX && unkept.insert(update.to_owned()))
        };
        first && (!kept || self.tell_once(update).await)
    }

    /// Notes that the private answers to an update are given now; false if they were before.
    async fn tell_once(&self, update: &str) -> bool {
        self.notes.first(format!("tg told {update}"), TOLD_MS).await
    }

    /// Keeps private answers for somebody under a number.
    pub(super) async fn seal(&self, number: &str, sender: &Sender, mut inside: Vec<Kept>) {
        let over = inside.len().saturating_sub(LETTERS_MAX);
        inside.drain(..over);
        let sealed = Sealed { reader: sender.2, inside };
        self.notes.put(vec![row(&sealed_key(number), &sealed, SEALED_MS)]).await;
    }

    /// Notes in which message of the chat an envelope waits.
    pub(super) async fn envelope_waits(&self, number: &str, sender: &Sender, message: i32) {
        let waits = (number.to_owned(), message);
        self.notes.put(vec![row(&letter_key(sender), &waits, LETTER_MS)]).await;
    }

    /// The envelope that waits for the same reader since less than a minute, with the message in
    /// which it does.
    pub(super) async fn waiting_envelope(&self, sender: &Sender) -> Option<(String, i32)> {
        self.notes.get(&letter_key(sender)).await
    }

    /// Puts a private answer into an envelope; false if it is not there any more.
    pub(super) async fn reseal(&self, number: &str, kept: &Kept) -> bool {
        let add = |sealed: Option<Sealed>| {
            let mut sealed = sealed?;
            sealed.inside.push(kept.clone());
            let over = sealed.inside.len().saturating_sub(LETTERS_MAX);
            sealed.inside.drain(..over);
            Some(sealed)
        };
        self.notes.change(&sealed_key(number), SEALED_MS, add).await
    }

    /// The envelope with this number.
    pub(super) async fn sealed(&self, number: &str) -> Option<Sealed> {
        self.notes.get(&sealed_key(number)).await
    }

    /// Takes an envelope away to open it; `None` if somebody else did.
    pub(super) async fn unseal(&self, number: &str) -> Option<Sealed> {
        self.notes.take(&sealed_key(number)).await
    }

    /// Whether somebody is an admin of a chat, if that was asked lately.
    pub(super) async fn known_admin(&self, chat: i64, person: i64) -> Option<bool> {
        let (admins, asked) = (format!("tg admins {chat}"), format!("tg asked {chat}"));
        let (admins, asked): (Option<Vec<i64>>, Option<bool>) =
            self.notes.get_two(&admins, &asked).await;
        let is_one = admins.is_some_and(|it| it.contains(&person));
        (is_one || asked.is_some()).then_some(is_one)
    }

    /// Notes the admins of a chat; none if they cannot be found out now.
    pub(super) async fn keep_admins(&self, chat: i64, admins: &[i64]) {
        let rows = vec![
            row(&format!("tg admins {chat}"), &admins, ADMINS_MS),
            row(&format!("tg asked {chat}"), &true, ASKED_MS),
        ];
        self.notes.put(rows).await;
    }

    /// Asks for the admins of a chat again next time.
    pub(super) async fn forget_admins(&self, chat: i64) {
        let rows = ["admins", "asked"].map(|it| Row::gone(format!("tg {it} {chat}")));
        self.notes.put(rows.into()).await;
    }
}
