//! What stands to be answered at a table: in words, in buttons, and who is called for it.

use super::Tone;
use super::clocks;
use super::note::{Key, Note};
use super::present::{key, press, seated};
use super::press::{Ask, a_computer};
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::command::Command;
use caravanserai_table::consent::{missing, patience};
use caravanserai_table::event::{DEFAULT_LEVEL, Offer, level_of};
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::lobby;
use caravanserai_table::people::{Invited, computer_called};

/// What is offered, who has agreed, who has still to.
pub(super) fn said(table: &Table) -> Vec<Text> {
    let Some((by, offer)) = table.offer else { return Vec::new() };
    let plain = |key: &'static str| Text::new(key).with("name", Arg::Seat(by));
    let mut texts = vec![match offer {
        Offer::Draw if table.can_be_drawn() => plain("offer-draw"),
        Offer::Draw => plain("offer-call-off"),
        Offer::TakeBack { .. } => plain("offer-take-back"),
        Offer::Rematch => plain("offer-rematch"),
        Offer::Resign => plain("offer-resign"),
        Offer::Pause => plain("offer-pause"),
        Offer::Resume => plain("offer-resume"),
        Offer::Replace { seat } => replacement(table, by, seat),
    }];
    let agreed = || Arg::Names(table.agreed.iter().map(|it| Arg::Seat(*it)).collect());
    let promise = table.promises.as_ref().filter(|_| offer == Offer::Rematch);
    texts.extend(promise.map(|it| Text::new("lobby-fair").with("hash", it.hash.as_str())));
    if !table.agreed.is_empty() {
        texts.push(Text::new("offer-agreed").with("names", agreed()));
    }
    let waiting = missing(table);
    if table.setup.seats > 2 && !waiting.is_empty() {
        let names = Arg::Names(waiting.into_iter().map(Arg::Seat).collect());
        texts.push(Text::new("offer-waiting").with("names", names));
    }
    if let Some(patience) = patience(table) {
        let text = Text::new("offer-patience").with("name", Arg::Seat(patience.seat));
        texts.push(text.with("time", clocks::away(patience.lasts_ms, 0)));
    }
    texts
}

fn replacement(table: &Table, by: u8, seat: u8) -> Text {
    let newcomer = table.newcomer.as_ref();
    let who = newcomer.map_or_else(|| Arg::from("—"), |it| named(&it.who));
    let key = match newcomer {
        Some(it) if it.asked => "offer-take-over",
        _ if by == seat => "offer-leave",
        _ => "offer-replace",
    };
    let text = Text::new(key).with("newcomer", who).with("seat", Arg::Seat(seat));
    if key == "offer-replace" { text.with("name", Arg::Seat(by)) } else { text }
}

/// What a friend or a newcomer is called; the platform tells them if it can.
pub(super) fn named(who: &Invited) -> Arg {
    match &who.person {
        Some(person) if who.is_computer() => {
            computer_called(level_of(person).unwrap_or(DEFAULT_LEVEL), None).into()
        }
        Some(PersonId(person)) => Arg::Mention { person: person.clone(), name: who.name.clone() },
        None => Arg::Plain(who.name.clone()),
    }
}

/// The change of a seat that nobody has answered with a move yet.
pub(super) fn changed(table: &Table) -> Option<Text> {
    let (seat, before) = table.replaced.as_ref()?;
    let name = match before.level() {
        Some(level) => computer_called(level, None).into(),
        None => Arg::Plain(before.name.clone()),
    };
    Some(Text::new("offer-replaced").with("newcomer", Arg::Seat(*seat)).with("name", name))
}

/// The buttons to answer with.
pub(super) fn keys(table: &Table) -> Vec<Key> {
    let offer = table.offer.map(|(_, offer)| offer);
    let yes = Command::Answer { offer, accept: true };
    let no = Command::Answer { offer, accept: false };
    vec![key(table, "button-accept", yes).tone(Tone::Good), key(table, "button-decline", no)]
}

/// Who is waited for, and what they should be told if they do not look.
pub struct Call {
    /// Of several the first: whoever decides when.
    pub seat: u8,
    /// What each of them is told, where they are.
    pub texts: Vec<(PlaceId, Text)>,
}

/// Somebody who is named, and who it is if that is known.
type Called = (Option<PersonId>, Arg);

/// Who is waited for, if anybody is.
pub fn call(table: &Table) -> Option<Call> {
    if table.is_solo() || !table.is_open() {
        return None;
    }
    if table.phase == Phase::Lobby {
        let full = table.chairs.len() == usize::from(table.setup.seats);
        let seat = table.seats_of(&table.setup.opener).next().filter(|_| full)?;
        let texts = told(table, "call-start", vec![mention(table, seat)?]);
        return Some(Call { seat, texts });
    }
    let key = match table.offer.map(|(_, offer)| offer) {
        Some(Offer::Draw) if table.can_be_drawn() => "call-draw",
        Some(Offer::Draw) => "call-off",
        Some(Offer::TakeBack { .. }) => "call-take-back",
        Some(Offer::Resign) => "call-resign",
        Some(Offer::Pause) => "call-pause",
        Some(Offer::Resume) => "call-resume",
        Some(Offer::Replace { .. }) => "call-replace",
        Some(Offer::Rematch) | None => {
            if let Some(call) = claim(table) {
                return Some(call);
            }
            let seat = table.turn().filter(|it| table.played_by(*it).is_none())?;
            if table.vacation_of(seat).is_some() {
                return None;
            }
            let who = vec![mention(table, seat)?];
            let running = table.running().filter(|it| it.turn.0 == seat);
            let Some(running) = running else {
                return Some(Call { seat, texts: told(table, "call-turn", who) });
            };
            let texts = told(table, "call-turn-until", who).into_iter();
            let until = |text: Text| text.with("time", Arg::time(running.until_ms));
            let texts = texts.map(|(place, text)| (place, until(text))).collect();
            return Some(Call { seat, texts });
        }
    };
    let mut seats = missing(table);
    seats.extend(patience(table).map(|it| it.seat));
    seats.retain(|it| table.vacation_of(*it).is_none());
    let mut who: Vec<Called> = seats.iter().filter_map(|&it| mention(table, it)).collect();
    let guest = table.newcomer.as_ref().filter(|it| !it.agreed);
    who.extend(guest.map(|it| asked(&it.who)));
    if who.is_empty() {
        return None;
    }
    let seat = seats.first().copied().or_else(|| table.offer.map(|(by, _)| by))?;
    Some(Call { seat, texts: told(table, key, who) })
}

/// Whoever waits for somebody late, where they may end the game.
fn claim(table: &Table) -> Option<Call> {
    let mut all = table.people_seats().into_iter();
    let (seat, late) = all.find_map(|seat| Some((seat, table.claimable_from(seat)?)))?;
    let key = if table.claimed_for(late).is_some() { "call-claim-left" } else { "call-claim" };
    let texts = told(table, key, vec![mention(table, seat)?]).into_iter();
    let late = |(place, text): (PlaceId, Text)| (place, text.with("late", Arg::Seat(late)));
    Some(Call {
        seat,
        texts: texts.map(late).map(|(place, it)| (place, seated(table, it))).collect(),
    })
}

fn asked(who: &Invited) -> Called {
    (who.person.clone(), named(who))
}

/// What these people are told, each where they are: those in one place together.
fn told(table: &Table, key: &'static str, who: Vec<Called>) -> Vec<(PlaceId, Text)> {
    let mut names: Vec<(&PlaceId, Vec<Arg>)> = Vec::new();
    for (person, name) in who {
        let place = match &person {
            Some(person) => table.place_of(person),
            None => Some(table.home()),
        };
        let Some(place) = place else { continue };
        match names.iter_mut().find(|(it, _)| *it == place) {
            Some((_, names)) => names.push(name),
            None => names.push((place, vec![name])),
        }
    }
    let said = |(place, names): (&PlaceId, Vec<Arg>)| (place.clone(), about(table, key, names));
    names.into_iter().map(said).collect()
}

fn mention(table: &Table, seat: u8) -> Option<Called> {
    let occupant = table.occupant(seat)?;
    let name = match table.called().get(usize::from(seat)) {
        Some(Arg::Plain(name)) => name.clone(),
        _ => occupant.name.clone(),
    };
    let person = &occupant.person;
    Some((Some(person.clone()), Arg::Mention { person: person.0.clone(), name }))
}

fn about(table: &Table, key: &'static str, names: Vec<Arg>) -> Text {
    Text::new(key).with("name", Arg::Names(names)).with("table", &*table.id.0)
}

/// What whoever is on turn is told when somebody who waits reminds them.
pub fn nudge(table: &Table) -> Vec<(PlaceId, Text)> {
    let turn = table.turn().and_then(|it| mention(table, it));
    told(table, "call-nudge", turn.into_iter().collect())
}

/// What those are told who were asked to play and have not answered.
pub fn reminder(table: &Table) -> Vec<(PlaceId, Text)> {
    told(table, "call-invited", table.awaited().map(|(_, it)| asked(it)).collect())
}

/// What the opener of a table is told before it closes by itself.
pub fn closing(table: &Table) -> Vec<(PlaceId, Text)> {
    let seat = table.seats_of(&table.setup.opener).next();
    let opener = seat.and_then(|it| mention(table, it)).into_iter().collect();
    let minutes = (lobby::TOLD_BEFORE_MS / 60_000) as i64;
    let texts = told(table, "call-closing", opener).into_iter();
    texts.map(|(place, text)| (place, text.with("minutes", minutes))).collect()
}

/// Who may take over which seat, for whoever asks.
pub fn stand_ins(table: &Table, reader: &PersonId) -> Note {
    let plays = table.seats_of(reader).next().is_some();
    let mut keys = Vec::new();
    if table.phase == Phase::Playing {
        let names = table.called();
        for (seat, name) in (0..).zip(names) {
            let (label, command) = match plays {
                true if table.is_computer(seat) => continue,
                true => {
                    let newcomer = a_computer(DEFAULT_LEVEL);
                    let command = Command::Substitute { seat: Some(seat), newcomer };
                    ("button-computer-for", command)
                }
                false => ("button-take-over", Command::TakeOver { seat: Some(seat) }),
            };
            let label = Text::new(label).with("name", name);
            keys.push(vec![Key::new(label, press(table, Ask::Do(command)))]);
        }
    }
    let text = if plays { "answer-stand-ins" } else { "answer-take-over" };
    Note { texts: vec![Text::new(text)], keys, ..Note::default() }
}
