//! Builds the views of pending offers: texts, buttons, and pings.

use crate::commands::action::ExecuteCommand;
use crate::commands::substitute::computer_newcomer;
use crate::repository::MINUTE_MS;
use crate::views::board_view::{command_button, insert_player_names, table_callback_data};
use crate::views::clock_views;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::{Command, OfferAnswer};
use caravanserai_table::consent::seats_yet_to_agree;
use caravanserai_table::event::{DEFAULT_LEVEL, PlayerOffer, computer_level};
use caravanserai_table::lobby_commands;
use caravanserai_table::objections::objection_window;
use caravanserai_table::offer_state::{PendingOffer, Proposer};
use caravanserai_table::people::{Invitee, computer_name};
use caravanserai_table::state::{Table, TablePhase};

/// The least time that a pinged player needs to come and move, in milliseconds.
const CALL_LEAD_MS: u64 = 15_000;

/// The offer, the players who have agreed, and those who have not answered.
pub(crate) fn offer_lines(table: &Table) -> Vec<Text> {
    let Some(pending) = table.offers.pending else { return Vec::new() };
    let by = pending.logged_seat();
    let offer = pending.offer;
    let plain = |key: &'static str| Text::new(key).with("name", Arg::Seat(by));
    let mut texts = vec![match offer {
        PlayerOffer::Draw if table.setup.can_be_drawn() => plain("offer-draw"),
        PlayerOffer::Draw => plain("offer-abort"),
        PlayerOffer::Takeback { steps } if undoes_others(table, by, steps) => {
            plain("offer-take-back-both")
        }
        PlayerOffer::Takeback { .. } => plain("offer-take-back"),
        PlayerOffer::Rematch => plain("offer-rematch"),
        PlayerOffer::Resign => plain("offer-resign"),
        PlayerOffer::Pause => plain("offer-pause"),
        PlayerOffer::Resume => plain("offer-resume"),
        PlayerOffer::Replace { seat } => replacement_text(table, pending.proposer, seat),
    }];
    let agreed = || Arg::Names(table.offers.agreed_seats.iter().map(|it| Arg::Seat(*it)).collect());
    let commitment = table.commitments.next.as_ref().filter(|_| offer == PlayerOffer::Rematch);
    texts.extend(commitment.map(|it| Text::new("lobby-fair").with("hash", it.hash.as_str())));
    if !table.offers.agreed_seats.is_empty() {
        texts.push(Text::new("offer-agreed").with("names", agreed()));
    }
    let waiting_seats = seats_yet_to_agree(table);
    if table.setup.seats > 2 && !waiting_seats.is_empty() {
        let names = Arg::Names(waiting_seats.into_iter().map(Arg::Seat).collect());
        texts.push(Text::new("offer-waiting").with("names", names));
    }
    if let Some(window) = objection_window(table) {
        let text = Text::new("offer-patience").with("name", Arg::Seat(window.seat));
        texts.push(text.with("time", clock_views::time_until_text(window.lasts_ms, 0)));
    }
    texts
}

/// Whether taking back until `steps` steps remain undoes steps of other seats, too.
fn undoes_others(table: &Table, by: u8, steps: u32) -> bool {
    let mut undone = table.history.steps.iter().skip(steps as usize).filter_map(|it| it.seat);
    undone.any(|seat| seat != by)
}

/// Tells the player whose offer was declined, until the game moves on or another offer is made.
pub(crate) fn declined_text(table: &Table) -> Option<Text> {
    let seat = table.offers.declined_by.filter(|_| table.offers.pending.is_none())?;
    Some(Text::new("offer-declined").with("name", Arg::Seat(seat)))
}

fn replacement_text(table: &Table, proposer: Proposer, seat: u8) -> Text {
    let newcomer = table.offers.newcomer.as_ref();
    let newcomer_name = newcomer.map_or_else(|| Arg::from("—"), |it| invitee_name(&it.invitee));
    let text = |key| Text::new(key).with("newcomer", newcomer_name).with("seat", Arg::Seat(seat));
    match proposer {
        Proposer::NewcomerFor(_) => text("offer-take-over"),
        Proposer::Seat(by) if by == seat => text("offer-leave"),
        Proposer::Seat(by) => text("offer-replace").with("name", Arg::Seat(by)),
    }
}

/// The name of an invited person or a newcomer; a mention if the person is known.
pub(crate) fn invitee_name(invitee: &Invitee) -> Arg {
    match &invitee.person {
        Some(person) if invitee.is_computer() => {
            computer_name(computer_level(person).unwrap_or(DEFAULT_LEVEL), None).into()
        }
        Some(PersonId(person)) => {
            Arg::Mention { person: person.clone(), name: invitee.name.clone() }
        }
        None => Arg::Plain(invitee.name.clone()),
    }
}

/// The text about the replacement of a player, shown until the next move.
pub(crate) fn replaced_seat_text(table: &Table) -> Option<Text> {
    let (seat, before) = table.seating.last_replacement.as_ref()?;
    let name = match before.level() {
        Some(level) => computer_name(level, None).into(),
        None => Arg::Plain(before.name.clone()),
    };
    Some(Text::new("offer-replaced").with("newcomer", Arg::Seat(*seat)).with("name", name))
}

/// The buttons that answer an offer.
pub(crate) fn offer_buttons(table: &Table) -> Vec<ButtonSpec> {
    let offer = table.offers.shown();
    let yes = Command::AnswerOffer { offer, answer: OfferAnswer::Accept };
    let no = Command::AnswerOffer { offer, answer: OfferAnswer::Decline };
    vec![
        command_button(table, "button-accept", yes).with_tone(ButtonTone::Good),
        command_button(table, "button-decline", no),
    ]
}

/// A ping of the people that a table waits for.
pub struct AttentionPing {
    /// The seat that decides when to ping; the first if there are several.
    pub seat: u8,
    /// The texts of the ping and the chats that they are sent to.
    pub texts: Vec<(ChatId, Text)>,
}

/// A named person; the id is `None` if it is not known.
type NamedPerson = (Option<PersonId>, Arg);

/// Whether a ping at this time would come so late in the turn of this seat that it is deleted
/// before its person can follow it.
pub fn is_too_late_to_ping(table: &Table, seat: u8, at_ms: u64) -> bool {
    let own_turn = table.running_clock().filter(|it| it.turn.0 == seat);
    table.offers.pending.is_none() && own_turn.is_some_and(|it| it.until_ms < at_ms + CALL_LEAD_MS)
}

/// The ping of the people that a table waits for, if there are any.
pub fn attention_ping(table: &Table) -> Option<AttentionPing> {
    if table.is_solo() || !table.is_open() {
        return None;
    }
    if table.phase == TablePhase::Lobby {
        return lobby_ping(table);
    }
    let key = match table.offers.pending_kind() {
        Some(PlayerOffer::Draw) if table.setup.can_be_drawn() => "call-draw",
        Some(PlayerOffer::Draw) => "call-off",
        Some(PlayerOffer::Takeback { .. }) => "call-take-back",
        Some(PlayerOffer::Resign) => "call-resign",
        Some(PlayerOffer::Pause) => "call-pause",
        Some(PlayerOffer::Resume) => "call-resume",
        Some(PlayerOffer::Replace { .. }) => "call-replace",
        Some(PlayerOffer::Rematch) | None => {
            if let Some(ping) = claim_ping(table) {
                return Some(ping);
            }
            return turn_ping(table);
        }
    };
    let mut seats = seats_yet_to_agree(table);
    seats.extend(objection_window(table).map(|it| it.seat));
    seats.retain(|it| table.vacation_until(*it).is_none());
    let mut people: Vec<NamedPerson> =
        seats.iter().filter_map(|&it| seat_person(table, it)).collect();
    let pending_newcomer = table.offers.newcomer.as_ref().filter(|it| !it.has_agreed);
    people.extend(pending_newcomer.map(|it| invitee_person(&it.invitee)));
    if people.is_empty() {
        return None;
    }
    let proposer = table.offers.pending.map(PendingOffer::logged_seat);
    let seat = seats.first().copied().or(proposer)?;
    Some(AttentionPing { seat, texts: address_people(table, key, people) })
}

/// The ping of the players who have to agree to changed settings before the start, else that of the
/// opener of a full table. What the opener does delays both.
fn lobby_ping(table: &Table) -> Option<AttentionPing> {
    let seat = table.seating.seats_of(&table.setup.opener).next()?;
    let unconfirmed = table.seats_yet_to_confirm(None).into_iter();
    let people: Vec<NamedPerson> = unconfirmed.filter_map(|it| seat_person(table, it)).collect();
    if !people.is_empty() {
        return Some(AttentionPing { seat, texts: address_people(table, "call-settings", people) });
    }
    if table.seating.occupants.len() < usize::from(table.setup.seats) {
        return None;
    }
    let texts = address_people(table, "call-start", vec![seat_person(table, seat)?]);
    Some(AttentionPing { seat, texts })
}

/// The ping of the player to move, with the end of their time if a clock runs.
pub fn turn_ping(table: &Table) -> Option<AttentionPing> {
    let seat = table.seat_to_move().filter(|it| table.computer_level_of(*it).is_none())?;
    if table.vacation_until(seat).is_some() {
        return None;
    }
    let people = vec![seat_person(table, seat)?];
    let running = table.running_clock().filter(|it| it.turn.0 == seat);
    let Some(running) = running else {
        return Some(AttentionPing { seat, texts: address_people(table, "call-turn", people) });
    };
    let texts = address_people(table, "call-turn-until", people).into_iter();
    let until = |text: Text| text.with("time", Arg::time(running.until_ms));
    let texts = texts.map(|(chat, text)| (chat, until(text))).collect();
    Some(AttentionPing { seat, texts })
}

/// The line with the time of the player to move in a slow game, below a ping about an offer: the
/// clock runs on until it is answered.
pub fn offer_deadline_line(table: &Table) -> Option<Text> {
    let running = table.slow_turn().filter(|_| table.offers.pending.is_some())?.running;
    let clock = Text::new("clock-running").with("name", Arg::Seat(running.turn.0));
    let clock = clock.with("time", Arg::time(running.until_ms));
    let line = Text::new(clock_views::CLOCK_LINE).with("clocks", Arg::List(vec![clock.into()]));
    Some(insert_player_names(table, line))
}

/// The ping of the player who may end the game because the opponent is late.
fn claim_ping(table: &Table) -> Option<AttentionPing> {
    let mut all = table.seating.people_seats().into_iter();
    let (seat, late) = all.find_map(|seat| Some((seat, table.claimable_from(seat)?)))?;
    let key =
        if table.claimed_departure(late).is_some() { "call-claim-left" } else { "call-claim" };
    let texts = address_people(table, key, vec![seat_person(table, seat)?]).into_iter();
    let late = |(chat, text): (ChatId, Text)| (chat, text.with("late", Arg::Seat(late)));
    Some(AttentionPing {
        seat,
        texts: texts.map(late).map(|(chat, it)| (chat, insert_player_names(table, it))).collect(),
    })
}

fn invitee_person(invitee: &Invitee) -> NamedPerson {
    (invitee.person.clone(), invitee_name(invitee))
}

/// The texts for these people, each in their chat; people in one chat share a text.
fn address_people(
    table: &Table,
    key: &'static str,
    people: Vec<NamedPerson>,
) -> Vec<(ChatId, Text)> {
    let mut names: Vec<(&ChatId, Vec<Arg>)> = Vec::new();
    for (person, name) in people {
        let chat = match &person {
            Some(person) => table.chat_of(person),
            None => Some(table.chats.home()),
        };
        let Some(chat) = chat else { continue };
        match names.iter_mut().find(|(it, _)| *it == chat) {
            Some((_, names)) => names.push(name),
            None => names.push((chat, vec![name])),
        }
    }
    let to_text = |(chat, names): (&ChatId, Vec<Arg>)| (chat.clone(), ping_text(table, key, names));
    names.into_iter().map(to_text).collect()
}

fn seat_person(table: &Table, seat: u8) -> Option<NamedPerson> {
    let occupant = table.seating.occupant(seat)?;
    let name = match table.player_names().get(usize::from(seat)) {
        Some(Arg::Plain(name)) => name.clone(),
        _ => occupant.name.clone(),
    };
    let person = &occupant.person;
    Some((Some(person.clone()), Arg::Mention { person: person.0.clone(), name }))
}

fn ping_text(table: &Table, key: &'static str, names: Vec<Arg>) -> Text {
    Text::new(key).with("name", Arg::Names(names)).with("table", &*table.id.0)
}

/// The reminder to the player to move by another player.
pub fn nudge_texts(table: &Table) -> Vec<(ChatId, Text)> {
    let turn = table.seat_to_move().and_then(|it| seat_person(table, it));
    address_people(table, "call-nudge", turn.into_iter().collect())
}

/// The reminders to invited people who have not answered.
pub fn invitation_reminder_texts(table: &Table) -> Vec<(ChatId, Text)> {
    address_people(
        table,
        "call-invited",
        table.awaited_invitees().map(|(_, it)| invitee_person(it)).collect(),
    )
}

/// The warning to the opener before a lobby closes.
pub fn closing_warning_texts(table: &Table) -> Vec<(ChatId, Text)> {
    let seat = table.seating.seats_of(&table.setup.opener).next();
    let opener = seat.and_then(|it| seat_person(table, it)).into_iter().collect();
    let minutes = (lobby_commands::CLOSING_WARNING_MS / MINUTE_MS) as i64;
    let texts = address_people(table, "call-closing", opener).into_iter();
    texts.map(|(chat, text)| (chat, text.with("minutes", minutes))).collect()
}

/// The seats that can be taken over, and by whom, for this reader.
pub fn substitutes_view(table: &Table, reader: &PersonId) -> View {
    let is_player = table.seating.is_seated(reader);
    let mut keys = Vec::new();
    if table.phase == TablePhase::Playing {
        let names = table.player_names();
        for (seat, name) in (0..).zip(names) {
            let (label, command) = match is_player {
                true if table.seating.is_computer(seat) => continue,
                true => {
                    let newcomer = computer_newcomer(DEFAULT_LEVEL);
                    let command = Command::ProposeSubstitute { seat: Some(seat), newcomer };
                    ("button-computer-for", command)
                }
                false => ("button-take-over", Command::TakeOver { seat: Some(seat) }),
            };
            let label = Text::new(label).with("name", name);
            keys.push(vec![ButtonSpec::new(
                label,
                table_callback_data(table, &ExecuteCommand(command)),
            )]);
        }
    }
    let text = if is_player { "answer-substitutes" } else { "answer-take-over" };
    View { texts: vec![Text::new(text)], button_rows: keys, ..View::default() }
}
