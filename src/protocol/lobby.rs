//! The board of a table that has not begun: who is there, what is settled, what can be done.

use super::levels;
use super::note::{Key, Note};
use super::offers::named;
use super::panels::{house_rules, rules_key, teaching_key};
use super::present::{game_name, key, press};
use super::press::Ask;
use super::{Door, Tone, clocks};
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::command::{Command, Target};
use caravanserai_table::event::Begin;
use caravanserai_table::fair;
use caravanserai_table::fold::Table;
use caravanserai_table::lobby::needs_computers;
use caravanserai_table::people::Why;

/// How much of a name stands on the button of a seat.
const NAME_ON_BUTTON: usize = 12;

fn begin_name(begin: Begin) -> Text {
    Text::new(format!("begin-{}", begin.write()))
}

/// Whether a table needs more than to be joined: places, computers, a start by hand.
fn is_arranged(table: &Table) -> bool {
    table.game_id().info().seats.1 > 2
}

pub(super) fn lobby(table: &Table) -> Note {
    let mut texts =
        vec![Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0)];
    let awaited: Vec<Arg> = table.awaited().map(|(_, it)| named(it)).collect();
    let invites = !awaited.is_empty();
    if is_arranged(table) {
        texts.extend(places(table, awaited));
    } else {
        let host = table.chairs.first().map_or("", |it| it.name.as_str());
        texts.push(match invites {
            true => {
                let friend = Arg::Names(awaited);
                Text::new("lobby-challenge").with("name", host).with("friend", friend)
            }
            false => Text::new("lobby-waiting").with("name", host),
        });
    }
    let unseen: Vec<Arg> =
        table.awaited().filter(|(_, it)| it.person.is_none()).map(|(_, it)| named(it)).collect();
    if !unseen.is_empty() {
        texts.push(Text::new("lobby-unseen").with("names", Arg::Names(unseen)));
    }
    texts.extend(explained(table));
    texts.extend(house_rules(table));
    texts.extend(clocks::in_lobby(table));
    let keys = if is_arranged(table) { arranging_keys(table) } else { keys_for_two(table) };
    Note { texts, keys, loud: invites, ..Note::default() }
}

/// Why those do not come who were asked, as far as they said.
pub(super) fn explained(table: &Table) -> Vec<Text> {
    let said = |(name, why): &(String, Why)| {
        let why = Text::new(format!("why-{}", why.write()));
        Text::new("lobby-explained").with("name", name.as_str()).with("why", why)
    };
    table.explained.iter().map(said).collect()
}

/// How others come to a table, to be handed on.
pub fn ways_in(table: &Table, doors: &[Door]) -> Vec<Text> {
    let links = |to_group| -> Vec<Arg> {
        let fit = doors.iter().filter(move |it| it.to_group == to_group);
        fit.map(|it| Arg::Plain(it.link.clone())).collect()
    };
    let mut texts = Vec::new();
    let ways = [("lobby-link", links(false)), ("lobby-link-group", links(true))];
    for (key, links) in ways.into_iter().filter(|(_, links)| !links.is_empty()) {
        texts.push(Text::new(key).with("link", Arg::List(links)));
    }
    texts.push(Text::new("lobby-code").with("table", &*table.id.0));
    texts
}

/// Whoever has declined may say why.
pub fn asked_why(table: &Table) -> Note {
    let reason = |why: &Why| {
        let command = Command::Explain(*why);
        Key::new(Text::new(format!("why-{}", why.write())), press(table, Ask::Do(command)))
    };
    let keys = Why::ALL.chunks(2).map(|row| row.iter().map(reason).collect()).collect();
    Note { texts: vec![Text::new("answer-declined-why")], keys, ..Note::default() }
}

/// All that can be settled before the start, for whoever looks behind the one button.
pub fn settings(table: &Table) -> Note {
    let mut texts = vec![Text::new("answer-settings").with("table", &*table.id.0)];
    texts.extend(house_rules(table));
    texts.extend(clocks::in_lobby(table));
    if has_order(table) {
        texts.push(Text::new("lobby-begin").with("begin", begin_name(table.begin())));
    }
    if !table.is_solo() {
        texts.push(Text::new("lobby-hints").with("rule", hint_rule(table)));
    }
    texts.push(Text::new("lobby-until"));
    let ways: &[Begin] =
        if is_arranged(table) { &[Begin::Lot, Begin::Opener] } else { &Begin::ALL };
    let mut keys = choices(table, ways);
    keys.extend(filling(table));
    keys.extend(closing_keys(table));
    let others = table.chairs.len() > 1 || table.awaited().next().is_some();
    if is_arranged(table) && !is_alone(table) && others {
        keys.push(Key::new(Text::new("button-guests"), press(table, Ask::Guests)));
    }
    if !table.is_solo() {
        keys.push(Key::new(Text::new("button-invite"), press(table, Ask::Invite)));
    }
    keys.push(Key::new(Text::new("button-verify"), press(table, Ask::Verify)));
    keys.push(key(table, "button-cancel", Command::Cancel));
    let in_a_row = if keys.len() > 10 { 3 } else { 2 };
    let keys = keys.chunks(in_a_row).map(<[Key]>::to_vec).collect();
    Note { texts, keys, ..Note::default() }
}

/// How chance can be checked: what was fixed before anybody came.
pub fn verify(table: &Table) -> Note {
    let hash = fair::commitment(&table.setup.seed);
    let texts = vec![
        Text::new("answer-verify").with("table", &*table.id.0),
        Text::new("lobby-fair").with("hash", hash),
    ];
    Note { texts, ..Note::default() }
}

/// Whether this command only settles something before the start.
pub fn settles(command: &Command) -> bool {
    matches!(
        command,
        Command::Vary(_)
            | Command::Order(_)
            | Command::Hints(_)
            | Command::Clock(_)
            | Command::Helper(_)
            | Command::Seats(_)
            | Command::RemoveComputer
    )
}

/// Who sits where, who is awaited, what is missing.
fn places(table: &Table, awaited: Vec<Arg>) -> Vec<Text> {
    let mut texts: Vec<Text> =
        (0..table.setup.seats).map(|place| levels::seat_line(table, place)).collect();
    if table.has_partners() {
        texts.push(Text::new("lobby-partners"));
    }
    if !awaited.is_empty() {
        texts.push(Text::new("lobby-awaited").with("names", Arg::Names(awaited)));
    }
    let open = table.open_seats();
    if open > 0 {
        texts.push(Text::new("lobby-open").with("count", open));
    } else if table.chairs.len() == usize::from(table.setup.seats) {
        let opener = table.seats_of(&table.setup.opener).next().unwrap_or_default();
        texts.push(Text::new("lobby-full").with("name", Arg::Seat(opener)));
    }
    texts
}

/// Whether the people settle who begins. At cards the first dealer is drawn with the first deal.
fn has_order(table: &Table) -> bool {
    !table.game_id().info().hidden
}

/// House rules, who begins, hints.
fn choices(table: &Table, ways: &[Begin]) -> Vec<Key> {
    let at = ways.iter().position(|it| *it == table.begin()).unwrap_or_default();
    let next = ways[(at + 1) % ways.len()];
    let order = Text::new("button-begin").with("begin", begin_name(table.begin()));
    let order = Key::new(order, press(table, Ask::Do(Command::Order(next))));
    let mut keys = vec![rules_key(table)];
    keys.extend((!table.is_solo()).then(|| clocks::choice_key(table)));
    keys.extend(has_order(table).then_some(order));
    if !table.is_solo() {
        let label = Text::new("button-hints").with("rule", hint_rule(table));
        let command = Command::Hints(table.hints != Some(true));
        keys.push(Key::new(label, press(table, Ask::Do(command))));
    }
    keys
}

/// Somebody alone against computers.
fn is_alone(table: &Table) -> bool {
    table.is_solo() && needs_computers(table.game_id())
}

/// Whether hints are given, as far as it is settled.
fn hint_rule(table: &Table) -> Text {
    Text::new(match table.hints {
        Some(true) => "lobby-hints-on",
        Some(false) => "lobby-hints-off",
        None => "lobby-hints-alone",
    })
}

/// To join, or to answer the invitation.
fn coming(table: &Table) -> Vec<Key> {
    let join = |label| key(table, label, Command::Join).tone(Tone::Good);
    if table.awaited().next().is_none() {
        return vec![join("button-join")];
    }
    let label = if table.open_seats() == 0 { "button-accept" } else { "button-join" };
    vec![join(label), key(table, "button-decline", Command::Refuse)]
}

fn keys_for_two(table: &Table) -> Vec<Vec<Key>> {
    let mut first = coming(table);
    first.extend((table.open_seats() > 0).then(|| levels::add_key(table)));
    vec![first, more_keys(table)]
}

/// What everybody may want to read, and all the rest behind one button.
fn more_keys(table: &Table) -> Vec<Key> {
    let settings = Key::new(Text::new("button-settings"), press(table, Ask::Settings));
    vec![settings, teaching_key(table)]
}

fn closing_keys(table: &Table) -> Vec<Key> {
    let remind = key(table, "button-remind", Command::Remind);
    let awaits = table.awaited().next().is_some();
    awaits
        .then_some(remind)
        .into_iter()
        .chain([key(table, "button-extend", Command::Extend)])
        .collect()
}

/// One button is green: to come while there is room, then to start.
fn arranging_keys(table: &Table) -> Vec<Vec<Key>> {
    let alone = is_alone(table);
    let full = table.chairs.len() == usize::from(table.setup.seats);
    let fewest = usize::from(table.game_id().info().seats.0);
    let mut rows = Vec::new();
    let mut doing = Vec::new();
    if !alone {
        rows.push((0..table.setup.seats).map(|place| place_key(table, place)).collect());
        doing.extend(if full { Vec::new() } else { coming(table) });
    }
    let tone = if full { Tone::Good } else { Tone::Plain };
    let start = key(table, "button-start", Command::Start).tone(tone);
    doing.extend((table.chairs.len() >= fewest).then_some(start));
    doing.extend((!alone).then(|| key(table, "button-leave", Command::Leave)));
    rows.push(doing);
    let add = (!alone && table.open_seats() > 0).then(|| levels::add_key(table));
    rows.push(add.into_iter().chain(more_keys(table)).collect());
    rows
}

/// Number and name of a place: pressed to sit there.
fn place_key(table: &Table, place: u8) -> Key {
    let name = match table.occupant(place) {
        None => "➕".to_owned(),
        Some(it) if it.is_computer() => "🤖".to_owned(),
        Some(it) => it.name.chars().take(NAME_ON_BUTTON).collect(),
    };
    let label = Arg::Plain(format!("{} {name}", place + 1));
    Key::new(label, press(table, Ask::Do(Command::Sit { place })))
}

/// Computers and the number of seats.
fn filling(table: &Table) -> Vec<Key> {
    let (fewest, most) = table.game_id().info().seats;
    let alone = is_alone(table);
    let computers = table.chairs.iter().any(|it| it.is_computer());
    let mut keys = Vec::new();
    let remove = key(table, "button-no-computer", Command::RemoveComputer);
    keys.extend((!alone && computers).then_some(remove));
    keys.extend((computers || table.open_seats() > 0).then(|| levels::key(table)));
    if fewest < most {
        let needed = if alone { 0 } else { table.chairs.len() + table.awaited().count() };
        let now = table.setup.seats;
        let fits = |it: &u8| usize::from(*it) >= needed;
        let next = (now + 1..=most).chain(fewest..=now).find(fits).unwrap_or(now);
        let label = Text::new("button-seats").with("count", now);
        keys.push(Key::new(label, press(table, Ask::Do(Command::Seats(next)))));
    }
    keys
}

/// Whom the opener may send away.
pub fn guests(table: &Table) -> Note {
    let version = table.version;
    let mut keys = Vec::new();
    for (place, name) in (0..).zip(table.called()) {
        let who = table.occupant(place).filter(|it| it.person != table.setup.opener);
        if who.is_some() {
            let command = Command::Kick(Target::Place { version, place });
            keys.push(Key::new(name, press(table, Ask::Do(command))));
        }
    }
    for (n, friend) in table.awaited() {
        let command = Command::Kick(Target::Friend { version, n });
        let label = Arg::Plain(friend.name.clone());
        keys.push(Key::new(label, press(table, Ask::Do(command))));
    }
    let keys = keys.into_iter().map(|it| vec![it]).collect();
    Note { texts: vec![Text::new("answer-guests")], keys, ..Note::default() }
}
