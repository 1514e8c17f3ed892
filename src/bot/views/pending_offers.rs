//! Builds what people see of pending offers: text, buttons, and calls for attention.

use crate::commands::action::ExecuteCommand;
use crate::commands::substitute::computer_newcomer;
use crate::views::board_view::{command_button, insert_player_names, table_callback_data};
use crate::views::clock_views;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::Command;
use caravanserai_table::consent::{objection_window, seats_yet_to_agree};
use caravanserai_table::event::{DEFAULT_LEVEL, PlayerOffer, computer_level};
use caravanserai_table::lobby_commands;
use caravanserai_table::people::{Invitee, computer_name};
use caravanserai_table::state::{Table, TablePhase};

/// What is offered, who has agreed, who has still to.
pub(crate) fn offer_lines(table: &Table) -> Vec<Text> {
    let Some((by, offer)) = table.offer else { return Vec::new() };
    let plain = |key: &'static str| Text::new(key).with("name", Arg::Seat(by));
    let mut texts = vec![match offer {
        PlayerOffer::Draw if table.can_be_drawn() => plain("offer-draw"),
        PlayerOffer::Draw => plain("offer-call-off"),
        PlayerOffer::TakeBack { .. } => plain("offer-take-back"),
        PlayerOffer::Rematch => plain("offer-rematch"),
        PlayerOffer::Resign => plain("offer-resign"),
        PlayerOffer::Pause => plain("offer-pause"),
        PlayerOffer::Resume => plain("offer-resume"),
        PlayerOffer::Replace { seat } => replacement_text(table, by, seat),
    }];
    let agreed = || Arg::Names(table.agreed_seats.iter().map(|it| Arg::Seat(*it)).collect());
    let promise = table.next_seed_commitment.as_ref().filter(|_| offer == PlayerOffer::Rematch);
    texts.extend(promise.map(|it| Text::new("lobby-fair").with("hash", it.hash.as_str())));
    if !table.agreed_seats.is_empty() {
        texts.push(Text::new("offer-agreed").with("names", agreed()));
    }
    let waiting = seats_yet_to_agree(table);
    if table.setup.seats > 2 && !waiting.is_empty() {
        let names = Arg::Names(waiting.into_iter().map(Arg::Seat).collect());
        texts.push(Text::new("offer-waiting").with("names", names));
    }
    if let Some(patience) = objection_window(table) {
        let text = Text::new("offer-patience").with("name", Arg::Seat(patience.seat));
        texts.push(text.with("time", clock_views::time_until_text(patience.lasts_ms, 0)));
    }
    texts
}

fn replacement_text(table: &Table, by: u8, seat: u8) -> Text {
    let newcomer = table.newcomer.as_ref();
    let who = newcomer.map_or_else(|| Arg::from("—"), |it| invitee_name(&it.invitee));
    let key = match newcomer {
        Some(it) if it.asked_themselves => "offer-take-over",
        _ if by == seat => "offer-leave",
        _ => "offer-replace",
    };
    let text = Text::new(key).with("newcomer", who).with("seat", Arg::Seat(seat));
    if key == "offer-replace" { text.with("name", Arg::Seat(by)) } else { text }
}

/// What a friend or a newcomer is called; the platform tells them if it can.
pub(crate) fn invitee_name(who: &Invitee) -> Arg {
    match &who.person {
        Some(person) if who.is_computer() => {
            computer_name(computer_level(person).unwrap_or(DEFAULT_LEVEL), None).into()
        }
        Some(PersonId(person)) => Arg::Mention { person: person.clone(), name: who.name.clone() },
        None => Arg::Plain(who.name.clone()),
    }
}

/// The change of a seat that nobody has answered with a move yet.
pub(crate) fn replaced_seat_text(table: &Table) -> Option<Text> {
    let (seat, before) = table.last_replacement.as_ref()?;
    let name = match before.level() {
        Some(level) => computer_name(level, None).into(),
        None => Arg::Plain(before.name.clone()),
    };
    Some(Text::new("offer-replaced").with("newcomer", Arg::Seat(*seat)).with("name", name))
}

/// The buttons to answer with.
pub(crate) fn offer_buttons(table: &Table) -> Vec<ButtonSpec> {
    let offer = table.offer.map(|(_, offer)| offer);
    let yes = Command::AnswerOffer { offer, accept: true };
    let no = Command::AnswerOffer { offer, accept: false };
    vec![
        command_button(table, "button-accept", yes).with_tone(ButtonTone::Good),
        command_button(table, "button-decline", no),
    ]
}

/// Who is waited for, and what they should be told if they do not look.
pub struct AttentionCall {
    /// Of several the first: whoever decides when.
    pub seat: u8,
    /// What each of them is told, where they are.
    pub texts: Vec<(PlaceId, Text)>,
}

/// Somebody who is named, and who it is if that is known.
type NamedPerson = (Option<PersonId>, Arg);

/// Who is waited for, if anybody is.
pub fn attention_call(table: &Table) -> Option<AttentionCall> {
    if table.is_solo() || !table.is_open() {
        return None;
    }
    if table.phase == TablePhase::Lobby {
        let full = table.chairs.len() == usize::from(table.setup.seats);
        let seat = table.seats_of(&table.setup.opener).next().filter(|_| full)?;
        let texts = address_people(table, "call-start", vec![seat_person(table, seat)?]);
        return Some(AttentionCall { seat, texts });
    }
    let key = match table.offer.map(|(_, offer)| offer) {
        Some(PlayerOffer::Draw) if table.can_be_drawn() => "call-draw",
        Some(PlayerOffer::Draw) => "call-off",
        Some(PlayerOffer::TakeBack { .. }) => "call-take-back",
        Some(PlayerOffer::Resign) => "call-resign",
        Some(PlayerOffer::Pause) => "call-pause",
        Some(PlayerOffer::Resume) => "call-resume",
        Some(PlayerOffer::Replace { .. }) => "call-replace",
        Some(PlayerOffer::Rematch) | None => {
            if let Some(call) = claim_call(table) {
                return Some(call);
            }
            let seat = table.seat_to_move().filter(|it| table.computer_level_of(*it).is_none())?;
            if table.vacation_until(seat).is_some() {
                return None;
            }
            let who = vec![seat_person(table, seat)?];
            let running = table.running_clock().filter(|it| it.turn.0 == seat);
            let Some(running) = running else {
                return Some(AttentionCall {
                    seat,
                    texts: address_people(table, "call-turn", who),
                });
            };
            let texts = address_people(table, "call-turn-until", who).into_iter();
            let until = |text: Text| text.with("time", Arg::time(running.until_ms));
            let texts = texts.map(|(place, text)| (place, until(text))).collect();
            return Some(AttentionCall { seat, texts });
        }
    };
    let mut seats = seats_yet_to_agree(table);
    seats.extend(objection_window(table).map(|it| it.seat));
    seats.retain(|it| table.vacation_until(*it).is_none());
    let mut who: Vec<NamedPerson> = seats.iter().filter_map(|&it| seat_person(table, it)).collect();
    let guest = table.newcomer.as_ref().filter(|it| !it.has_agreed);
    who.extend(guest.map(|it| invitee_person(&it.invitee)));
    if who.is_empty() {
        return None;
    }
    let seat = seats.first().copied().or_else(|| table.offer.map(|(by, _)| by))?;
    Some(AttentionCall { seat, texts: address_people(table, key, who) })
}

/// Whoever waits for somebody late, where they may end the game.
fn claim_call(table: &Table) -> Option<AttentionCall> {
    let mut all = table.people_seats().into_iter();
    let (seat, late) = all.find_map(|seat| Some((seat, table.claimable_from(seat)?)))?;
    let key =
        if table.departure_when_claimed(late).is_some() { "call-claim-left" } else { "call-claim" };
    let texts = address_people(table, key, vec![seat_person(table, seat)?]).into_iter();
    let late = |(place, text): (PlaceId, Text)| (place, text.with("late", Arg::Seat(late)));
    Some(AttentionCall {
        seat,
        texts: texts.map(late).map(|(place, it)| (place, insert_player_names(table, it))).collect(),
    })
}

fn invitee_person(who: &Invitee) -> NamedPerson {
    (who.person.clone(), invitee_name(who))
}

/// What these people are told, each where they are: those in one place together.
fn address_people(table: &Table, key: &'static str, who: Vec<NamedPerson>) -> Vec<(PlaceId, Text)> {
    let mut names: Vec<(&PlaceId, Vec<Arg>)> = Vec::new();
    for (person, name) in who {
        let place = match &person {
            Some(person) => table.chat_of(person),
            None => Some(table.home()),
        };
        let Some(place) = place else { continue };
        match names.iter_mut().find(|(it, _)| *it == place) {
            Some((_, names)) => names.push(name),
            None => names.push((place, vec![name])),
        }
    }
    let said = |(place, names): (&PlaceId, Vec<Arg>)| (place.clone(), call_text(table, key, names));
    names.into_iter().map(said).collect()
}

fn seat_person(table: &Table, seat: u8) -> Option<NamedPerson> {
    let occupant = table.occupant(seat)?;
    let name = match table.player_names().get(usize::from(seat)) {
        Some(Arg::Plain(name)) => name.clone(),
        _ => occupant.name.clone(),
    };
    let person = &occupant.person;
    Some((Some(person.clone()), Arg::Mention { person: person.0.clone(), name }))
}

fn call_text(table: &Table, key: &'static str, names: Vec<Arg>) -> Text {
    Text::new(key).with("name", Arg::Names(names)).with("table", &*table.id.0)
}

/// What whoever is on turn is told when somebody who waits reminds them.
pub fn nudge_texts(table: &Table) -> Vec<(PlaceId, Text)> {
    let turn = table.seat_to_move().and_then(|it| seat_person(table, it));
    address_people(table, "call-nudge", turn.into_iter().collect())
}

/// What those are told who were asked to play and have not answered.
pub fn invitation_reminder_texts(table: &Table) -> Vec<(PlaceId, Text)> {
    address_people(
        table,
        "call-invited",
        table.awaited_invitees().map(|(_, it)| invitee_person(it)).collect(),
    )
}

/// What the opener of a table is told before it closes by itself.
pub fn closing_warning_texts(table: &Table) -> Vec<(PlaceId, Text)> {
    let seat = table.seats_of(&table.setup.opener).next();
    let opener = seat.and_then(|it| seat_person(table, it)).into_iter().collect();
    let minutes = (lobby_commands::CLOSING_WARNING_MS / 60_000) as i64;
    let texts = address_people(table, "call-closing", opener).into_iter();
    texts.map(|(place, text)| (place, text.with("minutes", minutes))).collect()
}

/// Who may take over which seat, for whoever asks.
pub fn substitutes_view(table: &Table, reader: &PersonId) -> View {
    let plays = table.seats_of(reader).next().is_some();
    let mut keys = Vec::new();
    if table.phase == TablePhase::Playing {
        let names = table.player_names();
        for (seat, name) in (0..).zip(names) {
            let (label, command) = match plays {
                true if table.is_computer(seat) => continue,
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
    let text = if plays { "answer-stand-ins" } else { "answer-take-over" };
    View { texts: vec![Text::new(text)], keys, ..View::default() }
}
