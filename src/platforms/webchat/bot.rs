//! What the bot may do here.

use std::sync::Arc;

use async_trait::async_trait;
use sha2::{Digest, Sha256};

use super::{
    Web,
    model::{Blob, Key, Message},
    now_ms,
    refusal::Refusal,
};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_protocol::{
    Button, Door, Look, Manners, Outgoing, Platform, PrivateMessage, SendError, SingleReader,
};

/// How many characters the bot may say at once.
const TEXT_CHARS_MAX: usize = 16_000;
const BUTTONS_MAX: usize = 25;

#[async_trait]
impl Platform for Web {
    fn name(&self) -> &'static str {
        "web"
    }

    /// The pages are our own: there is nobody to be patient with.
    fn calls_per_minute(&self, _place: &PlaceId) -> u32 {
        60_000
    }

    async fn post(&self, place: &PlaceId, message: &Outgoing) -> Result<MessageId, SendError> {
        let id = self.say(room_name(place)?, None, message).await?;
        Ok(MessageId(id.to_string()))
    }

    async fn sole_reader(&self, place: &PlaceId) -> Result<Option<PersonId>, SendError> {
        let own = room_name(place).ok().and_then(|it| it.strip_prefix('@'));
        Ok(own.map(|it| PersonId(format!("web:{it}"))))
    }

    async fn edit(
        &self,
        place: &PlaceId,
        id: &MessageId,
        message: &Outgoing,
    ) -> Result<(), SendError> {
        let room = room_name(place)?;
        let id = number(id).ok_or(SendError::MessageGone)?;
        let shown = self.shown(message)?;
        self.writable(room).await?;
        self.keep_files(message, &shown).await?;
        let room = room.to_owned();
        let edit = self.change(move |state| {
            let place = state.places.get(&room).ok_or(Refusal::NoBot)?;
            let old = place.message(id).filter(|it| it.author.is_none() && !it.gone);
            old.ok_or(Refusal::Absent("message"))?;
            state.show(&room, id, shown.clone());
            Ok(())
        });
        edit.await.map_err(failed)
    }

    async fn delete(&self, place: &PlaceId, id: &MessageId) -> Result<(), SendError> {
        let room = room_name(place)?;
        self.writable(room).await?;
        let Some(id) = number(id) else { return Ok(()) };
        let room = room.to_owned();
        let delete = self.change(move |state| {
            state.remove(&room, id);
            Ok(())
        });
        delete.await.map_err(failed)
    }

    async fn whisper(
        &self,
        place: &PlaceId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let person = person.0.strip_prefix("web:").ok_or(SendError::NotAllowed)?;
        self.hold(room_name(place)?, person, slot, None, message).await?;
        Ok(())
    }

    fn buried(&self, place: &PlaceId, id: &MessageId) -> u32 {
        let (Ok(room), Some(id)) = (room_name(place), number(id)) else { return 0 };
        let state = self.state();
        let Some(place) = state.places.get(room) else { return 0 };
        let later = place.messages.range(id.saturating_add(1)..).map(|(_, it)| &it.message);
        let count = later.filter(|it| it.author.is_some() && !it.gone).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    async fn private_place(&self, person: &PersonId) -> Result<PlaceId, SendError> {
        let person = person.0.strip_prefix("web:").ok_or(SendError::NotAllowed)?;
        let room = format!("@{person}");
        self.ready().await.map_err(failed)?;
        if self.state().places.get(&room).is_none() {
            // Nobody has looked into it yet: it opens with what is shown there.
            let (person, room) = (person.to_owned(), room.clone());
            let limits = self.settings.limits.clone();
            let open =
                self.change(move |state| state.join(&person, &room, None, now_ms(), &limits));
            open.await.map_err(failed)?;
        }
        self.writable(&room).await?;
        Ok(PlaceId(format!("web:{room}")))
    }

    fn is_open(&self, place: &PlaceId) -> bool {
        let room = room_name(place).unwrap_or_default();
        let state = self.state();
        let room = state.places.get(room).map(|it| &it.room);
        room.is_some_and(|it| !it.private() && it.invite.is_none())
    }

    async fn onlookers(&self, place: &PlaceId, table: &TableId) -> Option<Vec<PersonId>> {
        let room = room_name(place).ok()?;
        let elsewhere = self.eyes.elsewhere(&*self.store).await;
        let state = self.state();
        let inside = state.places.get(room)?;
        let all = self.hub.looking().into_iter().chain(elsewhere);
        let there = all.filter(|it| it.room == room && it.table == table.0);
        let looks = there.filter(|it| inside.has(&it.person));
        Some(looks.map(|it| PersonId(format!("web:{}", it.person))).collect())
    }

    fn private_door(&self, _code: &str) -> Option<String> {
        Some("/#/@".to_owned())
    }

    fn page(&self) -> Option<String> {
        Some(self.settings.page.as_ref()?.url.clone())
    }

    /// Whoever opens it has a name asked of them, and then the table in their private chat.
    fn doors(&self, code: &str) -> Vec<Door> {
        let link = |page: String| format!("{page}/#/@?play={code}");
        self.page().map(|it| Door { to_group: false, link: link(it) }).into_iter().collect()
    }

    fn manners(&self) -> Manners {
        Manners { knows_everybody: true, lists_tables: true, ..Manners::default() }
    }

    fn link(&self, place: &PlaceId, id: &MessageId) -> Option<String> {
        let room = room_name(place).ok()?;
        // Everybody's private chat has the same address: each sees their own behind it.
        let room = if room.starts_with('@') { "@" } else { room };
        Some(format!("/#/{room}?m={}", number(id)?))
    }
}

/// The one person of a room who is shown a message.
struct Only<'a>(&'a str);

impl SingleReader for Only<'_> {}

impl Web {
    /// Says something in a room to one person, once for each nonce.
    pub(super) async fn say_privately(
        &self,
        room: &str,
        only: &str,
        message: &PrivateMessage,
    ) -> Result<u64, SendError> {
        let only = Only(only);
        self.say(room, Some(&only), message.for_reader(&only)).await
    }

    /// Says something in a room, to all or to one person, once for each nonce.
    async fn say(
        &self,
        room: &str,
        only: Option<&Only<'_>>,
        message: &Outgoing,
    ) -> Result<u64, SendError> {
        let mut shown = self.shown(message)?;
        self.writable(room).await?;
        self.keep_files(message, &shown).await?;
        shown.time_ms = now_ms();
        shown.only = only.map(|it| it.0.to_owned());
        shown.nonce = message.nonce.clone();
        shown.reply_to = message.reply_to.as_ref().and_then(number);
        let (limits, room) = (self.settings.limits.clone(), room.to_owned());
        let post = self.change(move |state| {
            let place = state.places.get(&room).ok_or(Refusal::NoBot)?;
            if shown.only.as_ref().is_some_and(|person| !place.has(person)) {
                return Err(Refusal::NoBot);
            }
            if let Some(id) = place.by_nonce(&shown.nonce, shown.only.as_deref()) {
                // Whoever posted it died before it was noted: it may have gone on since.
                state.show(&room, id, shown.clone());
                return Ok(id);
            }
            state.post(&room, shown.clone(), &limits).ok_or(Refusal::NoBot)
        });
        post.await.map_err(failed)
    }

    /// Shows one person what has a slot: in place of the private message `pressed`, or where the
    /// earlier one of the slot stands if nothing came after it, else at the bottom. Other earlier
    /// ones go.
    pub(super) async fn hold(
        &self,
        room: &str,
        only: &str,
        slot: &str,
        pressed: Option<u64>,
        message: &PrivateMessage,
    ) -> Result<u64, SendError> {
        let message = message.for_reader(&Only(only));
        let mut shown = self.shown(message)?;
        self.writable(room).await?;
        self.keep_files(message, &shown).await?;
        shown.time_ms = now_ms();
        shown.only = Some(only.to_owned());
        shown.nonce = message.nonce.clone();
        shown.reply_to = message.reply_to.as_ref().and_then(number);
        shown.slot = slot.to_owned();
        let (limits, room) = (self.settings.limits.clone(), room.to_owned());
        let only = only.to_owned();
        let hold = self.change(move |state| {
            let place = state.places.get(&room).ok_or(Refusal::NoBot)?;
            if !place.has(&only) {
                return Err(Refusal::NoBot);
            }
            if let Some(id) = place.by_nonce(&shown.nonce, Some(&only)) {
                return Ok(id);
            }
            let stands = |it: &&Message| !it.gone && it.visible_to(&only);
            let newest = place.all().rev().find(stands).map(|it| it.id);
            let mine = |it: &&Message| stands(it) && it.only.is_some();
            let earlier = place.all().filter(mine).filter(|it| it.slot == shown.slot);
            let earlier: Vec<u64> = earlier.map(|it| it.id).collect();
            let pressed = pressed.and_then(|id| place.message(id)).filter(mine);
            let last = earlier.iter().copied().find(|id| Some(*id) == newest);
            let here = pressed.map(|it| it.id).or(last);
            for id in earlier.into_iter().filter(|id| Some(*id) != here) {
                state.remove(&room, id);
            }
            let Some(id) = here else {
                return state.post(&room, shown.clone(), &limits).ok_or(Refusal::NoBot);
            };
            state.replace(&room, Message { id, ..shown.clone() });
            Ok(id)
        });
        hold.await.map_err(failed)
    }

    /// Takes away what one person is shown under a slot, if anything is.
    pub(super) fn take_away(&self, room: &str, only: &str, slot: &str) {
        let held = |it: &&Message| !it.gone && it.slot == slot && it.only.as_deref() == Some(only);
        let found: Vec<u64> = match self.state().places.get(room) {
            Some(place) => place.all().filter(held).map(|it| it.id).collect(),
            None => return,
        };
        if !found.is_empty() {
            let room = room.to_owned();
            self.change_lazily(move |state| {
                found.iter().for_each(|id| state.remove(&room, *id));
            });
        }
    }

    /// Turns a private message into the answer to a press on it, as a page is turned. `None` when
    /// there is no such message of this person any more.
    pub(super) async fn turn(
        &self,
        room: &str,
        only: &str,
        id: u64,
        message: &PrivateMessage,
    ) -> Result<Option<u64>, SendError> {
        let message = message.for_reader(&Only(only));
        let shown = self.shown(message)?;
        self.keep_files(message, &shown).await?;
        let (room, only, nonce) = (room.to_owned(), only.to_owned(), message.nonce.clone());
        let turn = self.change(move |state| {
            let place = state.places.get(&room).ok_or(Refusal::NoBot)?;
            if let Some(id) = place.by_nonce(&nonce, Some(&only)) {
                return Ok(Some(id));
            }
            let mine = |it: &&Message| it.only.as_deref() == Some(only.as_str()) && !it.gone;
            let Some(old) = place.message(id).filter(mine) else { return Ok(None) };
            let new = Message {
                id,
                time_ms: old.time_ms,
                only: old.only.clone(),
                nonce: nonce.clone(),
                reply_to: old.reply_to,
                slot: old.slot.clone(),
                ..shown.clone()
            };
            state.replace(&room, new);
            Ok(Some(id))
        });
        turn.await.map_err(failed)
    }

    /// Checks sizes and gives the words, picture, file and buttons as they are kept.
    fn shown(&self, message: &Outgoing) -> Result<Message, SendError> {
        let refuse = |why: &str| Err(SendError::Refused(why.to_owned()));
        let limits = &self.settings.limits;
        if message.text.to_plain().chars().count() > TEXT_CHARS_MAX {
            return refuse("the text is too long");
        }
        if message.buttons.iter().map(Vec::len).sum::<usize>() > BUTTONS_MAX {
            return refuse("there are too many buttons");
        }
        let good = |it: &Button| it.press.len() <= 64 && it.press.is_ascii();
        if !message.buttons.iter().flatten().all(good) {
            return refuse("a button carries too much");
        }
        let mut shown = Message {
            text: message.text.clone(),
            loud: message.loud,
            waits_for: message.waits_for.as_ref().map(|it| it.0.clone()),
            table: message.table.as_ref().map(|it| it.0.clone()),
            look: message.look.as_ref().map(Look::address),
            buttons: keys(&message.buttons),
            ..Message::default()
        };
        if let Some(image) = &message.image {
            let Some((width, height)) = png_size(&image.png) else {
                return refuse("the picture is no PNG");
            };
            if image.png.len() > limits.picture_bytes {
                return refuse("the picture is too big");
            }
            shown.image = Some(blob(&image.png, &image.alt, width, height));
        }
        if let Some(file) = &message.file {
            if file.bytes.len() > limits.file_bytes {
                return refuse("the file is too big");
            }
            // Only what is shown in the chat has a size in pixels.
            let (width, height) = match (&file.animation, gif_size(&file.bytes)) {
                (Some(_), Some(size)) => size,
                (Some(_), None) => return refuse("the moving picture is no GIF"),
                (None, _) => (0, 0),
            };
            shown.file = Some(blob(&file.bytes, &file.name, width, height));
        }
        if shown.text.is_empty() && shown.image.is_none() && shown.file.is_none() {
            return refuse("there is nothing to say");
        }
        Ok(shown)
    }

    /// Puts the bytes of a picture and a file where they stay.
    async fn keep_files(&self, message: &Outgoing, shown: &Message) -> Result<(), SendError> {
        let image = shown.image.iter().zip(message.image.iter().map(|it| Arc::clone(&it.png)));
        let file = shown.file.iter().zip(message.file.iter().map(|it| Arc::clone(&it.bytes)));
        for (blob, bytes) in image.chain(file) {
            let (files, hash) = (Arc::clone(&self.files), blob.hash.clone());
            let kept = tokio::task::spawn_blocking(move || files.keep(&hash, &bytes)).await;
            let why = match kept {
                Ok(Ok(())) => continue,
                Ok(Err(why)) => why.to_string(),
                Err(why) => why.to_string(),
            };
            return Err(SendError::Temporary(format!("a picture cannot be kept: {why}")));
        }
        Ok(())
    }

    async fn writable(&self, room: &str) -> Result<(), SendError> {
        self.ready().await.map_err(failed)?;
        let state = self.state();
        let bot = state.places.get(room).is_some_and(|it| it.room.bot);
        bot.then_some(()).ok_or(SendError::NotAllowed)
    }
}

fn room_name(place: &PlaceId) -> Result<&str, SendError> {
    place.0.strip_prefix("web:").ok_or(SendError::NotAllowed)
}

fn number(id: &MessageId) -> Option<u64> {
    id.0.parse().ok()
}

/// Rows of buttons. Nothing here is like a button that begins a message.
fn keys(rows: &[Vec<Button>]) -> Vec<Vec<Key>> {
    let row = |row: &Vec<Button>| -> Vec<Key> {
        row.iter().filter(|it| it.begins.is_none() && it.opens.is_none()).map(key).collect()
    };
    rows.iter().map(row).filter(|it| !it.is_empty()).collect()
}

fn key(button: &Button) -> Key {
    Key { label: button.label.clone(), press: button.press.clone(), tone: button.tone }
}

fn blob(bytes: &[u8], label: &str, width: u32, height: u32) -> Blob {
    let hash = hex(&Sha256::digest(bytes));
    Blob { hash, len: bytes.len() as u64, label: label.to_owned(), width, height }
}

/// Width and height from the header of a PNG.
fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    if !png.starts_with(b"\x89PNG\r\n\x1a\n") {
        return None;
    }
    let part = |at: usize| png.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some((part(16)?, part(20)?))
}

/// Width and height from the header of a GIF.
pub(super) fn gif_size(gif: &[u8]) -> Option<(u32, u32)> {
    if !gif.starts_with(b"GIF89a") {
        return None;
    }
    let part = |at: usize| gif.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes);
    Some((part(6)?.into(), part(8)?.into()))
}

fn failed(refusal: Refusal) -> SendError {
    match refusal {
        Refusal::Absent(_) => SendError::MessageGone,
        Refusal::Disk | Refusal::Bot => SendError::Temporary("the chat's disk refuses".into()),
        _ => SendError::NotAllowed,
    }
}

/// Lower case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
