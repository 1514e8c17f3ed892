//! Hidden hands: who is shown theirs, when, and what they ask of it.

use super::hear::{Heard, say};
use super::outbox::{BoardTask, hand_put};
use super::table_ask::pressed;
use super::tables::Held;
use super::{Failure, Inner};
use crate::chat::hands::{self, Means};
use crate::chat::note::Note;
use crate::chat::{Offered, Person, SendError, panels, present};
use crate::ids::PlaceId;
use crate::ids::TableId;
use crate::rules::{Seat, Viewer};
use crate::store::{Commit, Put};
use crate::table::Refusal;
use crate::table::command::{Choice, Command};
use crate::table::event::Event;
use crate::table::fold::{Phase, Table};
use crate::words::{Arg, Text};

/// The hands of everybody at a table that has begun just now.
pub(super) fn first_hands(table: &Table) -> Vec<Put> {
    let shown = hands::are_dealt(table) && !table.is_solo();
    let seats = 0..if shown { table.setup.seats } else { 0 };
    seats.filter(|&seat| !table.is_computer(seat)).map(|seat| hand_put(table, seat)).collect()
}

/// Whose hands have to be shown after these events: everybody's after a deal and at the end, else
/// that of the seat on turn and of whoever played a card. Who acted from the hand is answered
/// directly.
pub(super) fn hands_to_show(
    before: &Table,
    next: &Table,
    events: &[Event],
    answered: Option<u8>,
) -> Vec<Put> {
    if !(hands::are_dealt(next) || hands::are_down(next)) || next.is_solo() {
        return Vec::new();
    }
    let all = |it: &Event| matches!(it, Event::Settled { .. } | Event::Over { .. });
    let dealt = events.iter().any(all);
    let seats =
        (0..next.setup.seats).filter(|&seat| Some(seat) != answered && !next.is_computer(seat));
    let has_played = |seat: u8| match before.game.as_deref() {
        Some(game) => events.iter().any(|it| match it {
            Event::Stepped { seat: by, token } => {
                *by == seat && game.hand(Seat(seat)).iter().any(|it| it.choice.token == *token)
            }
            _ => false,
        }),
        None => false,
    };
    let seats = seats.filter(|&seat| dealt || next.turn() == Some(seat) || has_played(seat));
    seats.map(|seat| hand_put(next, seat)).collect()
}

/// The viewer that a person is at a table.
pub(super) fn viewer(table: &Table, heard: &Heard<'_>) -> Viewer {
    let seat = table.seats_of(&heard.update.person.id).next();
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

impl Inner {
    /// How hands can be shown where this table stands.
    pub(super) fn means(&self, table: &Table) -> Means {
        let place = table.place();
        let buttons = self.platform(place).is_none_or(|it| it.whispers_buttons(place));
        if buttons { Means::Buttons } else { Means::Slots }
    }

    /// Hands are shown in another way in this place from now on: the boards of tables with hands
    /// get the buttons for it.
    pub(super) async fn means_changed(&self, place: &PlaceId) -> Result<(), Failure> {
        let mut puts = Vec::new();
        for id in self.open_tables(place).await? {
            let Ok(Some(held)) = self.hold(&id).await else { continue };
            if hands::are_dealt(held.table()) {
                puts.push(BoardTask { down: false }.put(held.table()));
            }
        }
        if !puts.is_empty() {
            self.store.commit(Commit { puts, ..Commit::default() }).await?;
            self.wake(place);
        }
        Ok(())
    }

    /// The hand of whoever asks.
    pub(super) fn own_hand(&self, heard: &Heard<'_>, table: &Table) -> Vec<Note> {
        if !table.game_id().info().hidden {
            return say("refuse-nothing-hidden");
        }
        if table.phase != Phase::Playing {
            return say("refuse-no-hand");
        }
        match table.seats_of(&heard.update.person.id).next() {
            Some(seat) => vec![hands::hand(table, seat, self.means(table))],
            None => say("refuse-not-your-table"),
        }
    }

    /// The further choices of whoever asks.
    pub(super) fn more(&self, heard: &Heard<'_>, table: &Table, page: u8) -> Vec<Note> {
        match table.turn() {
            Some(turn) if table.seats_of(&heard.update.person.id).any(|it| it == turn) => {
                vec![panels::more(table, turn, page)]
            }
            Some(turn) => {
                let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
                vec![Note::brief(present::seated(table, text))]
            }
            None => say("refuse-not-started"),
        }
    }

    /// What a numbered button under the board plays for this person.
    pub(super) fn slot_play(
        &self,
        heard: &Heard<'_>,
        table: &Table,
        position: u64,
        n: u8,
    ) -> Result<Command, Refusal> {
        let no = |key| Refusal { text: Text::new(key), stale: false };
        if position != table.position {
            // Numbers move as cards go: an old one might mean another card.
            return Err(Refusal { text: Text::new("refuse-old-button"), stale: true });
        }
        let person = &heard.update.person.id;
        let seat = table.seats_of(person).next().ok_or_else(|| no("refuse-not-your-table"))?;
        let game = table.game.as_deref().filter(|_| table.phase == Phase::Playing);
        let held = game.ok_or_else(|| no("refuse-not-started"))?.hand(Seat(seat));
        let card = held.into_iter().nth(usize::from(n).wrapping_sub(1));
        let card = card.ok_or_else(|| no("refuse-no-such-card"))?;
        let choice = Choice::Token(card.choice.token);
        Ok(Command::Play { position: Some(position), choice })
    }

    /// What a person who asked is shown after their own move: the hand, if they played from it.
    pub(super) async fn hand_after(
        &self,
        heard: &Heard<'_>,
        held: &Held,
        next: &Table,
    ) -> Result<Option<(u8, Note)>, Failure> {
        let shown = hands::are_dealt(next) || (hands::are_down(next) && held.table().is_open());
        if !shown || next.is_solo() || !heard.is_press() {
            return Ok(None);
        }
        let board = self.live_board(held.table()).await?;
        if board.is_some() && pressed(heard) == board.as_ref() {
            return Ok(None);
        }
        let seat = next.seats_of(&heard.update.person.id).next();
        // In a private chat the message of the hand has buttons of its own everywhere.
        let here = heard.update.place.id == *next.place();
        let means = if here { self.means(next) } else { Means::Buttons };
        Ok(seat.map(|seat| (seat, hands::hand(next, seat, means))))
    }

    /// Shows a hand to whoever plays it, as far as they can be reached privately. What cannot be
    /// told privately is not told: they press the button.
    pub(super) async fn send_hand(
        &self,
        sending: super::boards::Sending<'_>,
        table: &Table,
        seat: u8,
    ) -> Result<Result<(), SendError>, Failure> {
        let person = match table.occupant(seat) {
            Some(occupant) if !occupant.is_computer() => occupant.person.clone(),
            Some(_) | None => return Ok(Ok(())),
        };
        if !(hands::are_dealt(table) || hands::are_down(table)) {
            return Ok(Ok(()));
        }
        let note = hands::hand(table, seat, Means::Buttons);
        let memory = self.person(&person).await?;
        let reader = memory.reads(&self.place(sending.place).await?);
        let nonce = format!("hand {} {seat} {}", table.id.0, table.version);
        let message = self.outgoing(&note, &reader, nonce, Some(table)).await?;
        let slot = hands::slot(table);
        let told = sending.platform.whisper(sending.place, &person, &slot, &message).await;
        if told != Err(SendError::NotAllowed) {
            sending.count();
        }
        Ok(match told {
            Err(
                SendError::NotAllowed
                | SendError::PlaceGone
                | SendError::MessageGone
                | SendError::Refused(_),
            ) => Ok(()),
            other => other,
        })
    }

    /// What somebody may choose who types the code of a table.
    pub(super) async fn offered(
        &self,
        person: &Person,
        typed: &str,
    ) -> Result<Vec<Offered>, Failure> {
        let code = typed.split_whitespace().next().unwrap_or_default().trim_start_matches('#');
        let id = TableId(code.to_lowercase());
        let held = match self.hold(&id).await {
            Ok(Some(held)) => held,
            Ok(None) | Err(Failure::Damaged(..)) => return Ok(Vec::new()),
            Err(failure) => return Err(failure),
        };
        let table = held.table();
        let memory = self.person(&person.id).await?;
        let lang = memory.speaks(&self.place(table.place()).await?);
        let more = Text::new("hand-inline").with("table", id.0.as_str());
        let more = self.i18n.plain(lang, &more);
        let offered = |(held, says): (crate::games::Held, String)| Offered {
            title: self.label(lang, &held.choice.label),
            more: more.clone(),
            says,
        };
        Ok(hands::sayings(table, &person.id).into_iter().map(offered).collect())
    }
}
