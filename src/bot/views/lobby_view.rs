//! Builds the board of a table before its game starts: seats, settings and buttons.

use crate::commands::action::ExecuteCommand;
use crate::commands::invite_links::ShowInviteLinks;
use crate::commands::kick::ShowKickChoice;
use crate::commands::lobby_settings::ShowLobbySettings;
use crate::commands::verify::ShowFairness;
use crate::views::board_view::{command_button, game_name, table_callback_data};
use crate::views::clock_views;
use crate::views::computer_views;
use crate::views::panel_views::{course_button, house_rule_lines, rules_button};
use crate::views::pending_offers::invitee_name;
use crate::views::result_views;
use caravanserai_games::SeatLimits;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{
    ButtonTone, InvitationAnswers, InviteLink, InviteTarget, Notification,
};
use caravanserai_table::command::{Command, KickTarget};
use caravanserai_table::event::FirstMover;
use caravanserai_table::fair_random;
use caravanserai_table::lobby_commands::needs_computers;
use caravanserai_table::people::DeclineReason;
use caravanserai_table::state::{Table, TablePhase};

/// The most characters of a name on the button of a seat.
const BUTTON_NAME_CHARS: usize = 12;

pub(crate) fn begin_label(begin: FirstMover) -> Text {
    Text::new(format!("begin-{}", begin.encode()))
}

/// The line about the first move, where people choose it.
fn begin_line(table: &Table) -> Option<Text> {
    let line = || Text::new("lobby-begin").with("begin", begin_label(table.setup.begin));
    has_begin_choice(table).then(line)
}

/// Whether a table needs more than joining: places, computers, a manual start.
fn needs_arranging(table: &Table) -> bool {
    table.game_id().info().seats.most > 2
}

pub(crate) fn lobby_view(table: &Table) -> View {
    let mut texts =
        vec![Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0)];
    let awaited_names: Vec<Arg> =
        table.awaited_invitees().map(|(_, it)| invitee_name(it)).collect();
    let has_invitations = !awaited_names.is_empty();
    if needs_arranging(table) {
        texts.extend(seating_lines(table, awaited_names));
    } else {
        let opener = table.seating.occupants.first().map_or("", |it| it.name.as_str());
        texts.push(match has_invitations {
            true => {
                let friend = Arg::Names(awaited_names);
                Text::new("lobby-challenge").with("name", opener).with("friend", friend)
            }
            false => Text::new("lobby-waiting").with("name", opener),
        });
    }
    let unreachable: Vec<Arg> = table
        .awaited_invitees()
        .filter(|(_, it)| it.person.is_none())
        .map(|(_, it)| invitee_name(it))
        .collect();
    if !unreachable.is_empty() {
        texts.push(Text::new("lobby-unseen").with("names", Arg::Names(unreachable)));
    }
    texts.extend(decline_reason_lines(table));
    texts.extend(house_rule_lines(table));
    texts.extend(clock_views::lobby_clock_line(table));
    texts.extend(begin_line(table).filter(|_| table.setup.begin != FirstMover::Lot));
    texts.extend(can_be_rated(table).then(|| result_views::rated_line(table)));
    texts.extend(table.is_frozen().then(|| Text::new("board-frozen")));
    let keys =
        if needs_arranging(table) { arranging_buttons(table) } else { two_player_buttons(table) };
    let notification = Notification::audible_if(has_invitations);
    View { texts, button_rows: keys, notification, ..View::default() }
}

/// The reasons of people who declined, as far as they gave them.
pub(crate) fn decline_reason_lines(table: &Table) -> Vec<Text> {
    let reason_line = |(name, why): &(String, DeclineReason)| {
        let why = Text::new(format!("why-{}", why.encode()));
        Text::new("lobby-explained").with("name", name.as_str()).with("why", why)
    };
    table.invitations.decline_reasons.iter().map(reason_line).collect()
}

/// The links and the code through which others join a table, to be passed on.
pub fn invite_link_lines(table: &Table, links: &[InviteLink]) -> Vec<Text> {
    let urls = |target| -> Vec<Arg> {
        let matching = links.iter().filter(move |it| it.target == target);
        matching.map(|it| Arg::Plain(it.url.clone())).collect()
    };
    let mut texts = Vec::new();
    let lines = [
        ("lobby-link", urls(InviteTarget::Table)),
        ("lobby-link-group", urls(InviteTarget::Group)),
    ];
    for (key, urls) in lines.into_iter().filter(|(_, urls)| !urls.is_empty()) {
        texts.push(Text::new(key).with("link", Arg::List(urls)));
    }
    texts.push(Text::new("lobby-code").with("table", &*table.id.0));
    texts
}

/// Asks a person who declined for the reason.
pub fn decline_reason_view(table: &Table) -> View {
    let reason = |why: &DeclineReason| {
        let command = Command::ExplainDecline(*why);
        ButtonSpec::new(
            Text::new(format!("why-{}", why.encode())),
            table_callback_data(table, &ExecuteCommand(command)),
        )
    };
    let keys = DeclineReason::ALL.chunks(2).map(|row| row.iter().map(reason).collect()).collect();
    View { texts: vec![Text::new("answer-declined-why")], button_rows: keys, ..View::default() }
}

/// All settings of a table before the start, for the person who opens them.
pub fn lobby_settings_view(table: &Table) -> View {
    let mut texts = vec![Text::new("answer-settings").with("table", &*table.id.0)];
    texts.extend(house_rule_lines(table));
    texts.extend(clock_views::lobby_clock_line(table));
    texts.extend(begin_line(table));
    if !table.is_solo() {
        texts.push(Text::new("lobby-hints").with("rule", hint_rule_text(table)));
    }
    texts.extend(can_be_rated(table).then(|| result_views::rated_line(table)));
    texts.push(Text::new("lobby-until"));
    let options: &[FirstMover] = if needs_arranging(table) {
        &[FirstMover::Lot, FirstMover::Opener]
    } else {
        &FirstMover::ALL
    };
    let mut keys = lobby_setting_buttons(table, options);
    keys.extend(seat_count_buttons(table));
    keys.extend(closing_buttons(table));
    let has_others = table.seating.occupants.len() > 1 || table.awaited_invitees().next().is_some();
    if needs_arranging(table) && !is_alone_with_computers(table) && has_others {
        keys.push(ButtonSpec::new(
            Text::new("button-remove-player"),
            table_callback_data(table, &ShowKickChoice),
        ));
    }
    if !table.is_solo() {
        keys.push(ButtonSpec::new(
            Text::new("button-invite"),
            table_callback_data(table, &ShowInviteLinks),
        ));
    }
    keys.push(ButtonSpec::new(
        Text::new("button-verify"),
        table_callback_data(table, &ShowFairness),
    ));
    keys.push(command_button(table, "button-cancel", Command::Cancel));
    let in_a_row = if keys.len() > 10 { 3 } else { 2 };
    let keys = keys.chunks(in_a_row).map(<[ButtonSpec]>::to_vec).collect();
    View { texts, button_rows: keys, ..View::default() }
}

/// How the draws can be checked: the hash of the seed that was fixed before any player joined.
pub fn fairness_view(table: &Table) -> View {
    let hash = fair_random::hash_seed(&table.setup.seed);
    let key = match table.phase {
        TablePhase::Over { .. } => "answer-verify-over",
        _ => "answer-verify",
    };
    let texts = vec![
        Text::new(key).with("table", &*table.id.0),
        Text::new("lobby-fair").with("hash", hash),
    ];
    View { texts, ..View::default() }
}

/// The lines about seats: the players, the awaited people and the open seats.
fn seating_lines(table: &Table, awaited: Vec<Arg>) -> Vec<Text> {
    let mut texts: Vec<Text> =
        (0..table.setup.seats).map(|chat| computer_views::seat_line(table, chat)).collect();
    if table.setup.has_partners() {
        texts.push(Text::new("lobby-partners"));
    }
    if !awaited.is_empty() {
        texts.push(Text::new("lobby-awaited").with("names", Arg::Names(awaited)));
    }
    let open = table.open_seat_count();
    let unconfirmed_seats = table.seats_yet_to_confirm(None);
    if open > 0 {
        texts.push(Text::new("lobby-open").with("count", open));
    }
    if !unconfirmed_seats.is_empty() {
        let names = Arg::Names(unconfirmed_seats.into_iter().map(Arg::Seat).collect());
        texts.push(Text::new("lobby-unconfirmed").with("names", names));
    } else if open == 0 && table.seating.occupants.len() == usize::from(table.setup.seats) {
        let opener = table.seating.seats_of(&table.setup.opener).next().unwrap_or_default();
        texts.push(Text::new("lobby-full").with("name", Arg::Seat(opener)));
    }
    texts
}

/// Whether people choose who begins. In card games the first dealer is drawn with the first deal.
fn has_begin_choice(table: &Table) -> bool {
    !table.game_id().info().hidden
}

/// The buttons for house rules, the player who begins, and hints.
fn lobby_setting_buttons(table: &Table, options: &[FirstMover]) -> Vec<ButtonSpec> {
    let at = options.iter().position(|it| *it == table.setup.begin).unwrap_or_default();
    let next = options[(at + 1) % options.len()];
    let begin_button = Text::new("button-begin").with("begin", begin_label(table.setup.begin));
    let begin_button = ButtonSpec::new(
        begin_button,
        table_callback_data(table, &ExecuteCommand(Command::SetFirstMover(next))),
    );
    let mut keys = vec![rules_button(table)];
    keys.extend((!table.is_solo()).then(|| clock_views::clock_choice_button(table)));
    keys.extend(has_begin_choice(table).then_some(begin_button));
    if !table.is_solo() {
        let label = Text::new("button-hints").with("rule", hint_rule_text(table));
        let command = Command::SetHints(table.hints.setting != Some(true));
        keys.push(ButtonSpec::new(label, table_callback_data(table, &ExecuteCommand(command))));
    }
    if can_be_rated(table) {
        let is_chosen = table.rating_facts.rated_setting != Some(false);
        let rule = Text::new(if is_chosen { "lobby-rated-on" } else { "lobby-rated-off" });
        let label = Text::new("button-rated").with("rule", rule);
        let command = Command::SetRated(!is_chosen);
        keys.push(ButtonSpec::new(label, table_callback_data(table, &ExecuteCommand(command))));
    }
    keys
}

/// Whether the game at a table can count for ratings: not if one person plays all sides.
fn can_be_rated(table: &Table) -> bool {
    !table.is_solo() || is_alone_with_computers(table)
}

/// Whether one person plays alone against computers.
fn is_alone_with_computers(table: &Table) -> bool {
    table.is_solo() && needs_computers(table.game_id())
}

/// The text about whether hints are given.
fn hint_rule_text(table: &Table) -> Text {
    Text::new(match table.hints.setting {
        Some(true) => "lobby-hints-on",
        Some(false) => "lobby-hints-off",
        None => "lobby-hints-alone",
    })
}

/// The command of a button that takes this seat, or the first free one, by the present settings.
fn take_seat_command(table: &Table, seat: Option<u8>) -> Command {
    Command::TakeSeat { seat, settings: table.settings_version }
}

/// The buttons to join, or to answer the invitation.
fn join_buttons(table: &Table) -> Vec<ButtonSpec> {
    let join = |label| {
        command_button(table, label, take_seat_command(table, None)).with_tone(ButtonTone::Good)
    };
    if table.awaited_invitees().next().is_none() {
        return vec![join("button-join")];
    }
    let label = if table.open_seat_count() == 0 { "button-accept" } else { "button-join" };
    vec![join(label), command_button(table, "button-decline", Command::DeclineInvitation)]
}

/// The callback data with which an invited person answers.
pub(crate) fn invitation_answers(table: &Table) -> InvitationAnswers {
    let callback_data = |command| table_callback_data(table, &ExecuteCommand(command));
    let accept = callback_data(take_seat_command(table, None));
    InvitationAnswers { accept, decline: callback_data(Command::DeclineInvitation) }
}

fn two_player_buttons(table: &Table) -> Vec<Vec<ButtonSpec>> {
    let mut first = join_buttons(table);
    first.extend((table.open_seat_count() > 0).then(|| computer_views::add_computer_button(table)));
    vec![first, more_buttons(table)]
}

/// The buttons for the course and for the settings page.
fn more_buttons(table: &Table) -> Vec<ButtonSpec> {
    let settings = ButtonSpec::new(
        Text::new("button-settings"),
        table_callback_data(table, &ShowLobbySettings),
    );
    vec![settings, course_button(table)]
}

fn closing_buttons(table: &Table) -> Vec<ButtonSpec> {
    let remind = command_button(table, "button-remind", Command::RemindInvited);
    let has_invitees = table.awaited_invitees().next().is_some();
    has_invitees
        .then_some(remind)
        .into_iter()
        .chain([command_button(table, "button-extend", Command::KeepOpen)])
        .collect()
}

/// Only one button is highlighted: to join while there are open seats, then to start.
fn arranging_buttons(table: &Table) -> Vec<Vec<ButtonSpec>> {
    let is_alone = is_alone_with_computers(table);
    let is_full = table.seating.occupants.len() == usize::from(table.setup.seats);
    let fewest = usize::from(table.game_id().info().seats.fewest);
    let mut rows = Vec::new();
    let mut actions = Vec::new();
    if !is_alone {
        let seats: Vec<_> = (0..table.setup.seats).map(|it| seat_button(table, it)).collect();
        rows.extend(seats.chunks(2).map(<[ButtonSpec]>::to_vec));
        actions.extend(if is_full { Vec::new() } else { join_buttons(table) });
    }
    let tone = if is_full { ButtonTone::Good } else { ButtonTone::Plain };
    let start = command_button(table, "button-start", Command::Start).with_tone(tone);
    actions.extend((table.seating.occupants.len() >= fewest).then_some(start));
    actions.extend((!is_alone).then(|| command_button(table, "button-leave", Command::Leave)));
    rows.push(actions);
    let add = (!is_alone && table.open_seat_count() > 0)
        .then(|| computer_views::add_computer_button(table));
    rows.push(add.into_iter().chain(more_buttons(table)).collect());
    rows
}

/// The button of a seat with its number and player; pressing it takes the seat.
fn seat_button(table: &Table, seat: u8) -> ButtonSpec {
    let name = match table.seating.occupant(seat) {
        None => Text::new("lobby-nobody").into(),
        Some(it) if it.is_computer() => Arg::from("🤖"),
        Some(it) => Arg::Plain(it.name.chars().take(BUTTON_NAME_CHARS).collect()),
    };
    let label = Text::new("lobby-seat").with("n", i64::from(seat) + 1).with("name", name);
    let command = take_seat_command(table, Some(seat));
    ButtonSpec::new(label, table_callback_data(table, &ExecuteCommand(command)))
}

/// The buttons for computers and for the number of seats.
fn seat_count_buttons(table: &Table) -> Vec<ButtonSpec> {
    let SeatLimits { fewest, most } = table.game_id().info().seats;
    let is_alone = is_alone_with_computers(table);
    let computers = table.seating.occupants.iter().any(|it| it.is_computer());
    let mut keys = Vec::new();
    let remove = command_button(table, "button-no-computer", Command::RemoveComputer);
    keys.extend((!is_alone && computers).then_some(remove));
    keys.extend(
        (computers || table.open_seat_count() > 0).then(|| computer_views::computers_button(table)),
    );
    if fewest < most {
        let needed = if is_alone {
            0
        } else {
            table.seating.occupants.len() + table.awaited_invitees().count()
        };
        let now = table.setup.seats;
        let fits = |it: &u8| usize::from(*it) >= needed;
        let next = (now + 1..=most).chain(fewest..=now).find(fits).unwrap_or(now);
        let label = Text::new("button-seats").with("count", now);
        keys.push(ButtonSpec::new(
            label,
            table_callback_data(table, &ExecuteCommand(Command::SetSeatCount(next))),
        ));
    }
    keys
}

/// The people whom the opener can remove.
pub fn kick_view(table: &Table) -> View {
    let version = table.version;
    let mut keys = Vec::new();
    for (seat, name) in (0..).zip(table.player_names()) {
        let player = table.seating.occupant(seat).filter(|it| it.person != table.setup.opener);
        if player.is_some() {
            let command = Command::Kick(KickTarget::Seat { version, seat });
            keys.push(ButtonSpec::new(name, table_callback_data(table, &ExecuteCommand(command))));
        }
    }
    for (n, friend) in table.awaited_invitees() {
        let command = Command::Kick(KickTarget::Friend { version, n });
        let label = Arg::Plain(friend.name.clone());
        keys.push(ButtonSpec::new(label, table_callback_data(table, &ExecuteCommand(command))));
    }
    let keys = keys.into_iter().map(|it| vec![it]).collect();
    View { texts: vec![Text::new("answer-remove-player")], button_rows: keys, ..View::default() }
}
