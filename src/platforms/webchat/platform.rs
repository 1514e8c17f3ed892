//! Implements [`Platform`] for the built-in chat.

use std::sync::Arc;

use async_trait::async_trait;
use sha2::{Digest, Sha256};

use super::{
    Webchat, account_data,
    model::{StoredBlob, WebchatButton, WebchatMessage, room_name_of},
    now_ms,
    refusal::WebchatRefusal,
    view,
};
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_protocol::{
    AccountData, Button, Capabilities, ChatLookup, EphemeralMessages, InviteLink, InviteLinks,
    InviteTarget, MessageLookup, OutgoingMessage, Platform, PrivateChats, PrivateMessage,
    PublicGroups, SendError, SingleReader, SpectatorLookup, ViewerPage,
};

/// The most characters in a message of the bot.
const TEXT_CHARS_MAX: usize = 16_000;
const BUTTONS_MAX: usize = 25;

#[async_trait]
impl Platform for Webchat {
    fn name(&self) -> &'static str {
        "web"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            resolves_all_names: true,
            is_only_bot: true,
            shows_table_list: true,
            hides_confidential_commands: true,
            page_url: self.page_url(),
            // On a page that has no name, people know each other.
            has_guests: self.settings.page.is_some() || !self.settings.hosts.is_empty(),
            ..Capabilities::default()
        }
    }

    /// Far above what the bot sends: the pages are our own and need no limit.
    fn call_limit_per_minute(&self, _chat: &ChatId) -> u32 {
        60_000
    }

    fn find_chat(&self, id: &ChatId) -> ChatLookup {
        let state = self.state();
        let found = state.room_at(id).or_else(|| {
            // A name without a number means the present room with that name.
            let name = id.0.strip_prefix("web:")?;
            state.rooms.get(name)
        });
        found.map_or(ChatLookup::Unknown, |it| ChatLookup::Known(it.room.chat_id()))
    }

    async fn post(&self, chat: &ChatId, message: &OutgoingMessage) -> Result<MessageId, SendError> {
        let id = self.post_message(chat, None, message).await?;
        Ok(MessageId(id.to_string()))
    }

    async fn edit(
        &self,
        chat: &ChatId,
        id: &MessageId,
        message: &OutgoingMessage,
    ) -> Result<(), SendError> {
        let id = message_number(id).ok_or(SendError::MessageGone)?;
        let shown = self.to_stored_message(message)?;
        self.check_room_writable(chat).await?;
        self.store_files(message, &shown).await?;
        let chat = chat.clone();
        let edit = self.change(move |state| {
            let room = state.room_at(&chat).ok_or(WebchatRefusal::NoBot)?;
            let old = room.message(id).filter(|it| it.author.is_none() && !it.gone);
            old.ok_or(WebchatRefusal::NotFound("message"))?;
            let name = room.room.name.clone();
            state.update_shown(&name, id, shown.clone());
            state.note_activity(&name, now_ms());
            Ok(())
        });
        edit.await.map_err(send_error)
    }

    async fn delete(&self, chat: &ChatId, id: &MessageId) -> Result<(), SendError> {
        self.check_room_writable(chat).await?;
        let Some(id) = message_number(id) else { return Ok(()) };
        let chat = chat.clone();
        let delete = self.change(move |state| {
            let room = state.room_at(&chat).ok_or(WebchatRefusal::NoBot)?;
            // An id of an earlier version may belong to the words of a person now.
            if room.message(id).is_some_and(|it| it.author.is_none()) {
                let name = room.room.name.clone();
                state.remove(&name, id);
            }
            Ok(())
        });
        delete.await.map_err(send_error)
    }

    fn ephemeral_messages(&self) -> Option<&dyn EphemeralMessages> {
        Some(self)
    }

    fn private_chats(&self) -> Option<&dyn PrivateChats> {
        Some(self)
    }

    fn account_data(&self) -> Option<&dyn AccountData> {
        Some(self)
    }

    fn message_lookup(&self) -> Option<&dyn MessageLookup> {
        Some(self)
    }

    fn public_groups(&self) -> Option<&dyn PublicGroups> {
        Some(self)
    }

    fn spectator_lookup(&self) -> Option<&dyn SpectatorLookup> {
        Some(self)
    }

    fn invite_links(&self) -> Option<&dyn InviteLinks> {
        Some(self)
    }
}

#[async_trait]
impl EphemeralMessages for Webchat {
    fn has_ephemeral_buttons(&self, _chat: &ChatId) -> bool {
        true
    }

    async fn show_ephemeral(
        &self,
        chat: &ChatId,
        person: &PersonId,
        slot: &str,
        message: &PrivateMessage,
    ) -> Result<(), SendError> {
        let person = person.0.strip_prefix("web:").ok_or(SendError::NotAllowed)?;
        self.show_in_slot(chat, person, slot, None, message).await?;
        Ok(())
    }
}

#[async_trait]
impl PrivateChats for Webchat {
    async fn sole_reader(&self, chat: &ChatId) -> Result<Option<PersonId>, SendError> {
        let own = room_name_of(chat).and_then(|it| it.strip_prefix('@'));
        Ok(own.map(|it| PersonId(format!("web:{it}"))))
    }

    fn derived_private_chat(&self, person: &PersonId) -> Option<ChatId> {
        account_data::private_chat_of(person)
    }

    async fn private_chat(&self, person: &PersonId) -> Result<ChatId, SendError> {
        let person = person.0.strip_prefix("web:").ok_or(SendError::NotAllowed)?;
        let room = format!("@{person}");
        self.wait_until_loaded().await.map_err(send_error)?;
        if self.state().rooms.get(&room).is_none() {
            // The person has not opened this private chat yet: create it.
            let person = person.to_owned();
            let room = room.clone();
            let limits = self.settings.limits.clone();
            let open =
                self.change(move |state| state.join(&person, &room, None, now_ms(), &limits));
            open.await.map_err(send_error)?;
        }
        let chat = ChatId(format!("web:{room}"));
        self.check_room_writable(&chat).await?;
        Ok(chat)
    }
}

#[async_trait]
impl MessageLookup for Webchat {
    /// Does nothing: every process knows the whole chat.
    async fn refresh_chat_state(&self, _chat: &ChatId) {}

    fn messages_below(&self, chat: &ChatId, id: &MessageId) -> u32 {
        let state = self.state();
        let (Some(chat), Some(id)) = (state.room_at(chat), message_number(id)) else { return 0 };
        let later = chat.messages.range(id.saturating_add(1)..).map(|(_, it)| &it.message);
        let count = later.filter(|it| it.author.is_some() && !it.gone).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn message_link(&self, chat: &ChatId, id: &MessageId) -> Option<String> {
        let id = message_number(id)?;
        let state = self.state();
        // The address of a deleted room may lead to another one with its name.
        let room_data = state.room_at(chat)?;
        // All private chats have the same address: each person sees their own.
        let room = view::room_name(&room_data.room.name);
        Some(match room_data.message(id).and_then(|it| it.table.as_ref()) {
            Some(table) => format!("/#/{room}/t/{table}"),
            None => format!("/#/{room}?m={id}"),
        })
    }
}

impl PublicGroups for Webchat {
    fn is_public_group(&self, chat: &ChatId) -> bool {
        let state = self.state();
        let room = state.room_at(chat).map(|it| &it.room);
        room.is_some_and(|it| !it.is_private() && it.invite.is_none())
    }
}

#[async_trait]
impl SpectatorLookup for Webchat {
    async fn spectators(&self, chat: &ChatId, table: &TableId) -> Option<Vec<PersonId>> {
        let elsewhere = self.viewer_row.load_other_processes(&*self.store).await;
        let state = self.state();
        let inside = state.room_at(chat)?;
        let all = self.hub.viewed_boards().into_iter().chain(elsewhere);
        let there = all.filter(|it| it.room == inside.room.name && it.table == table.0);
        let looks = there.filter(|it| inside.has_person(&it.person));
        Some(looks.map(|it| PersonId(format!("web:{}", it.person))).collect())
    }
}

impl InviteLinks for Webchat {
    /// The link asks the visitor for a name and then shows the table in their private chat.
    fn table_links(&self, code: &str) -> Vec<InviteLink> {
        let link = |page: String| format!("{page}/#/@?play={code}");
        let link = self.page_url().map(link);
        link.map(|url| InviteLink { target: InviteTarget::Table, url }).into_iter().collect()
    }

    fn private_chat_link(&self, _code: &str) -> Option<String> {
        Some("/#/@".to_owned())
    }
}

/// The one member of a room who sees a message.
struct OnlyReader<'a>(&'a str);

impl SingleReader for OnlyReader<'_> {}

impl Webchat {
    /// Returns the public address of the page, if it has one.
    fn page_url(&self) -> Option<String> {
        Some(self.settings.page.as_ref()?.url.clone())
    }

    /// Posts a message in a room for one person, once per nonce.
    pub(super) async fn post_private(
        &self,
        room: &ChatId,
        only: &str,
        message: &PrivateMessage,
    ) -> Result<u64, SendError> {
        let only = OnlyReader(only);
        self.post_message(room, Some(&only), message.for_reader(&only)).await
    }

    /// Posts a message in a room, for all members or for one, once per nonce.
    async fn post_message(
        &self,
        room: &ChatId,
        only: Option<&OnlyReader<'_>>,
        message: &OutgoingMessage,
    ) -> Result<u64, SendError> {
        let mut shown = self.to_stored_message(message)?;
        self.check_room_writable(room).await?;
        self.store_files(message, &shown).await?;
        shown.time_ms = now_ms();
        shown.only = only.map(|it| it.0.to_owned());
        shown.nonce = message.nonce.clone();
        shown.reply_to = message.reply_to.as_ref().and_then(message_number);
        let limits = self.settings.limits.clone();
        let room = room.clone();
        let post = self.change(move |state| {
            let room_data = state.room_at(&room).ok_or(WebchatRefusal::NoBot)?;
            let name = room_data.room.name.clone();
            if shown.only.as_ref().is_some_and(|person| !room_data.has_person(person)) {
                return Err(WebchatRefusal::NoBot);
            }
            if let Some(id) = room_data.by_nonce(&shown.nonce, shown.only.as_deref()) {
                // The process that posted it died before recording that: the content may be newer
                // now.
                state.update_shown(&name, id, shown.clone());
                return Ok(id);
            }
            state.post(&name, shown.clone(), &limits).ok_or(WebchatRefusal::NoBot)
        });
        post.await.map_err(send_error)
    }

    /// Shows one person a message with a slot: as an edit of the private message `pressed`, or of
    /// the earlier message of the slot if no message came after it, else as a new message. Removes
    /// other earlier messages of the slot.
    pub(super) async fn show_in_slot(
        &self,
        room: &ChatId,
        only: &str,
        slot: &str,
        pressed: Option<u64>,
        message: &PrivateMessage,
    ) -> Result<u64, SendError> {
        let message = message.for_reader(&OnlyReader(only));
        let mut shown = self.to_stored_message(message)?;
        self.check_room_writable(room).await?;
        self.store_files(message, &shown).await?;
        shown.time_ms = now_ms();
        shown.only = Some(only.to_owned());
        shown.nonce = message.nonce.clone();
        shown.reply_to = message.reply_to.as_ref().and_then(message_number);
        shown.slot = slot.to_owned();
        let limits = self.settings.limits.clone();
        let room = room.clone();
        let only = only.to_owned();
        let hold = self.change(move |state| {
            let room_data = state.room_at(&room).ok_or(WebchatRefusal::NoBot)?;
            let name = room_data.room.name.clone();
            if !room_data.has_person(&only) {
                return Err(WebchatRefusal::NoBot);
            }
            if let Some(id) = room_data.by_nonce(&shown.nonce, Some(&only)) {
                return Ok(id);
            }
            let stands = |it: &&WebchatMessage| !it.gone && it.visible_to(&only);
            let newest = room_data.messages().rev().find(stands).map(|it| it.id);
            let mine = |it: &&WebchatMessage| stands(it) && it.only.is_some();
            let earlier = room_data.messages().filter(mine).filter(|it| it.slot == shown.slot);
            let earlier: Vec<u64> = earlier.map(|it| it.id).collect();
            let pressed = pressed.and_then(|id| room_data.message(id)).filter(mine);
            let last = earlier.iter().copied().find(|id| Some(*id) == newest);
            let here = pressed.map(|it| it.id).or(last);
            for id in earlier.into_iter().filter(|id| Some(*id) != here) {
                state.remove(&name, id);
            }
            let Some(id) = here else {
                return state.post(&name, shown.clone(), &limits).ok_or(WebchatRefusal::NoBot);
            };
            state.replace(&name, WebchatMessage { id, ..shown.clone() });
            Ok(id)
        });
        hold.await.map_err(send_error)
    }

    /// Removes the message that one person sees in a slot, if there is one.
    pub(super) fn remove_from_slot(&self, room: &ChatId, only: &str, slot: &str) {
        let held =
            |it: &&WebchatMessage| !it.gone && it.slot == slot && it.only.as_deref() == Some(only);
        let found: Vec<u64> = match self.state().room_at(room) {
            Some(chat) => chat.messages().filter(held).map(|it| it.id).collect(),
            None => return,
        };
        if !found.is_empty() {
            let room = room.clone();
            self.change_in_background(move |state| {
                let Some(name) = state.room_at(&room).map(|it| it.room.name.clone()) else {
                    return;
                };
                found.iter().for_each(|id| state.remove(&name, *id));
            });
        }
    }

    /// Replaces a private message by the reply to a press under it, like pages. `None` if this
    /// person has no such message any more.
    pub(super) async fn replace_with_answer(
        &self,
        room: &ChatId,
        only: &str,
        id: u64,
        message: &PrivateMessage,
    ) -> Result<Option<u64>, SendError> {
        let message = message.for_reader(&OnlyReader(only));
        let shown = self.to_stored_message(message)?;
        self.store_files(message, &shown).await?;
        let room = room.clone();
        let only = only.to_owned();
        let nonce = message.nonce.clone();
        let turn = self.change(move |state| {
            let room_data = state.room_at(&room).ok_or(WebchatRefusal::NoBot)?;
            let name = room_data.room.name.clone();
            if let Some(id) = room_data.by_nonce(&nonce, Some(&only)) {
                return Ok(Some(id));
            }
            let mine = |it: &&WebchatMessage| it.only.as_deref() == Some(only.as_str()) && !it.gone;
            let Some(old) = room_data.message(id).filter(mine) else { return Ok(None) };
            let new = WebchatMessage {
                id,
                time_ms: old.time_ms,
                only: old.only.clone(),
                nonce: nonce.clone(),
                reply_to: old.reply_to,
                slot: old.slot.clone(),
                ..shown.clone()
            };
            state.replace(&name, new);
            Ok(Some(id))
        });
        turn.await.map_err(send_error)
    }

    /// Checks sizes; returns the text, image, file and buttons in stored form.
    fn to_stored_message(&self, message: &OutgoingMessage) -> Result<WebchatMessage, SendError> {
        let refuse = |why: &str| Err(SendError::Refused(why.to_owned()));
        let limits = &self.settings.limits;
        if message.text.to_plain().chars().count() > TEXT_CHARS_MAX {
            return refuse("the text is too long");
        }
        if message.buttons.iter().map(Vec::len).sum::<usize>() > BUTTONS_MAX {
            return refuse("there are too many buttons");
        }
        let good = |it: &Button| it.callback_data.len() <= 64 && it.callback_data.is_ascii();
        if !message.buttons.iter().flatten().all(good) {
            return refuse("a button carries too much");
        }
        let mut shown = WebchatMessage {
            text: message.text.clone(),
            loud: message.notification.is_audible(),
            waits_for: message.awaited_person.as_ref().map(|it| it.0.clone()),
            table: message.table.as_ref().map(|it| it.0.clone()),
            board: message.board.clone(),
            look: message.viewer_page.as_ref().map(ViewerPage::url_path),
            buttons: button_rows(&message.buttons),
            ..WebchatMessage::default()
        };
        if let Some(image) = &message.image {
            let Some((width, height)) = png_size(&image.png) else {
                return refuse("the picture is no PNG");
            };
            if image.png.len() > limits.picture_bytes {
                return refuse("the picture is too big");
            }
            shown.image = Some(to_blob(&image.png, &image.alt, width, height));
        }
        if let Some(file) = &message.file {
            if file.bytes.len() > limits.file_bytes {
                return refuse("the file is too big");
            }
            // Only media that the chat shows have a size in pixels.
            let (width, height) = match (&file.animation, gif_size(&file.bytes)) {
                (Some(_), Some(size)) => size,
                (Some(_), None) => return refuse("the moving picture is no GIF"),
                (None, _) => (0, 0),
            };
            shown.file = Some(to_blob(&file.bytes, &file.name, width, height));
        }
        if shown.text.is_empty() && shown.image.is_none() && shown.file.is_none() {
            return refuse("there is nothing to say");
        }
        Ok(shown)
    }

    /// Stores the bytes of an image and a file.
    async fn store_files(
        &self,
        message: &OutgoingMessage,
        shown: &WebchatMessage,
    ) -> Result<(), SendError> {
        let image = shown.image.iter().zip(message.image.iter().map(|it| Arc::clone(&it.png)));
        let file = shown.file.iter().zip(message.file.iter().map(|it| Arc::clone(&it.bytes)));
        for (blob, bytes) in image.chain(file) {
            let files = Arc::clone(&self.files);
            let hash = blob.hash.clone();
            let kept = tokio::task::spawn_blocking(move || files.store(&hash, &bytes)).await;
            let why = match kept {
                Ok(Ok(())) => continue,
                Ok(Err(why)) => why.to_string(),
                Err(why) => why.to_string(),
            };
            return Err(SendError::Temporary(format!("a picture cannot be kept: {why}")));
        }
        Ok(())
    }

    async fn check_room_writable(&self, room: &ChatId) -> Result<(), SendError> {
        self.wait_until_loaded().await.map_err(send_error)?;
        let state = self.state();
        let bot = state.room_at(room).is_some_and(|it| it.room.bot);
        bot.then_some(()).ok_or(SendError::NotAllowed)
    }
}

fn message_number(id: &MessageId) -> Option<u64> {
    id.0.parse().ok()
}

/// Converts rows of buttons. Leaves out buttons that start an inline query or open a link or app,
/// which the chat does not have.
fn button_rows(rows: &[Vec<Button>]) -> Vec<Vec<WebchatButton>> {
    let row = |row: &Vec<Button>| -> Vec<WebchatButton> {
        row.iter()
            .filter(|it| it.inline_query.is_none() && it.link.is_none())
            .map(to_button)
            .collect()
    };
    rows.iter().map(row).filter(|it| !it.is_empty()).collect()
}

fn to_button(button: &Button) -> WebchatButton {
    WebchatButton {
        label: button.label.clone(),
        callback_data: button.callback_data.clone(),
        tone: button.tone,
    }
}

fn to_blob(bytes: &[u8], label: &str, width: u32, height: u32) -> StoredBlob {
    let hash = hex::encode(Sha256::digest(bytes));
    StoredBlob { hash, len: bytes.len() as u64, label: label.to_owned(), width, height }
}

/// Reads width and height from the header of a PNG.
fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    if !png.starts_with(b"\x89PNG\r\n\x1a\n") {
        return None;
    }
    let part = |at: usize| png.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some((part(16)?, part(20)?))
}

/// Reads width and height from the header of a GIF.
pub(super) fn gif_size(gif: &[u8]) -> Option<(u32, u32)> {
    if !gif.starts_with(b"GIF89a") {
        return None;
    }
    let part = |at: usize| gif.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes);
    Some((part(6)?.into(), part(8)?.into()))
}

fn send_error(refusal: WebchatRefusal) -> SendError {
    match refusal {
        WebchatRefusal::NotFound(_) => SendError::MessageGone,
        WebchatRefusal::StoreUnavailable | WebchatRefusal::BotFailed => {
            SendError::Temporary("the chat's disk refuses".into())
        }
        _ => SendError::NotAllowed,
    }
}
