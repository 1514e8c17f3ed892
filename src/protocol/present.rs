//! Tables into notes: what the standing message of a table says, shows and offers.

use super::hands::{self, Means};
use super::note::{Key, Note, Picture};
pub use super::offers::call;
use super::press::{Ask, TablePress};
use super::sole;
pub use super::sole::Sole;
use super::{Door, Tone, Window, clocks, coach, deals, lobby, offers, panels};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::is_said;
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::event::{Offer, Reason};
use caravanserai_table::fold::{Phase, Spot, Table};
use caravanserai_table::presence::Departure;

/// How many rows of buttons a message has at most.
pub(super) const ROWS: usize = 5;
/// How many buttons stand in a row at most.
const ROW: usize = 5;

/// Where a board stands and how it can be used there.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The place.
    pub place: &'a PlaceId,
    /// How hands can be shown there.
    pub means: Means,
    /// Whether so much happens there that people are offered to play in private.
    pub lively: bool,
    /// The addresses by which others come to the table.
    pub doors: &'a [Door],
    /// How the board is opened from there in a window of the platform, if it can be.
    pub window: Option<&'a Window>,
    /// If the board is all there is of the place, with nothing beside it: how it stands.
    pub sole: Option<Sole<'a>>,
}

impl<'a> Sight<'a> {
    /// In a place where nothing is special.
    pub fn plain(place: &'a PlaceId, means: Means) -> Self {
        Self { place, means, lively: false, doors: &[], window: None, sole: None }
    }
}

/// The standing message of a table at home, as everybody in the chat sees it.
pub fn board(table: &Table, means: Means) -> Note {
    board_at(table, Sight::plain(table.home(), means))
}

/// The standing message of a table in one of its places, as those see it who read that.
pub fn board_at(table: &Table, sight: Sight<'_>) -> Note {
    let mut note = match &table.phase {
        Phase::Lobby => lobby::lobby(table),
        Phase::Playing => playing(table, sight),
        Phase::Over { scores, reason } => over(table, scores, *reason, sight),
        Phase::Closed { reason } => closed(table, *reason, sight.place),
    };
    if table.spot(sight.place).is_some_and(|it| it.watches) && table.phase == Phase::Lobby {
        note.keys = vec![vec![panels::teaching_key(table)]];
    }
    if waits_alone(table, sight.place) {
        note.texts.extend(lobby::ways_in(table, sight.doors));
    }
    if table.is_open() {
        note.texts.extend(also_shown(table, sight.place));
    }
    if let Some(sole) = sight.sole {
        note = sole::shown(table, note, sole);
    }
    named(table, note)
}

/// Whether a table waits for others where only one person reads of it.
fn waits_alone(table: &Table, place: &PlaceId) -> bool {
    let reader = table.spot(place).and_then(|it| it.reader);
    table.phase == Phase::Lobby && !table.is_solo() && reader == Some(&table.setup.opener)
}

/// In how many other chats others look on, for everybody to know.
fn also_shown(table: &Table, here: &PlaceId) -> Option<Text> {
    let plays = |it: &PersonId| table.seats_of(it).next().is_some();
    let foreign = |it: &Spot<'_>| it.place != here && !it.reader.is_some_and(plays);
    let count = table.spots().filter(foreign).count();
    (count > 0).then(|| Text::new("places-also").with("count", count as i64))
}

/// What stands where a table was shown that is not shown there any more.
pub fn parting(table: &Table) -> Note {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let texts = vec![title, Text::new("places-parted").with("table", &*table.id.0)];
    named(table, Note { texts, ..Note::default() })
}

/// The note that replaces a board whose readers may not look on any more.
pub fn not_public(table: &Table) -> Note {
    Note::lasting(vec![Text::new("refuse-not-public").with("table", &*table.id.0)])
}

/// Replaces seats by names.
pub fn named(table: &Table, mut note: Note) -> Note {
    note.texts = note.texts.into_iter().map(|text| seated(table, text)).collect();
    note
}

/// Replaces the seats in a text by the names of those who sit there.
pub fn seated(table: &Table, text: Text) -> Text {
    let names = table.called();
    let name = |seat: u8| {
        let name = names.get(usize::from(seat)).cloned();
        name.map_or_else(|| Arg::Number(i64::from(seat) + 1), |it| marked(table, seat, it))
    };
    text.seated(&name)
}

/// A name with a mark of where its bearer is, where people play from several platforms.
fn marked(table: &Table, seat: u8, name: Arg) -> Arg {
    let person = table.occupant(seat).filter(|it| !it.is_computer()).map(|it| &it.person);
    let Some(person) = person.filter(|_| table.is_across_platforms()) else { return name };
    let mark = format!("mark-{}", table.platform_of(person));
    if !is_said(&mark) {
        return name;
    }
    Text::new("places-name").with("name", name).with("mark", Text::new(mark)).into()
}

pub(super) fn press(table: &Table, ask: Ask) -> String {
    TablePress { table: table.id.clone(), ask }.write()
}

pub(super) fn key(table: &Table, label: &'static str, command: Command) -> Key {
    Key::new(Text::new(label), press(table, Ask::Do(command)))
}

pub(super) fn game_name(table: &Table) -> Text {
    Text::new(format!("game-{}", table.game_id().info().code))
}

fn playing(table: &Table, sight: Sight<'_>) -> Note {
    let Sight { place, means, .. } = sight;
    let Some(game) = table.game.as_deref() else { return closed(table, Reason::Outdated, place) };
    let mut texts = game.caption(Viewer::Public);
    let mut keys = Vec::new();
    let thinks = table.turn().filter(|turn| table.played_by(*turn).is_some());
    if let Some(turn) = thinks.filter(|turn| table.is_computer(*turn)) {
        // It takes a moment: what it could do is of no use to anybody.
        texts.pop();
        texts.push(Text::new("computer-thinks").with("name", Arg::Seat(turn)));
    }
    texts.extend(clocks::on_board(table));
    texts.extend(coach::in_public(table, means));
    texts.extend(hinted(table));
    texts.extend(offers::changed(table));
    if table.offer.is_some() {
        texts.extend(offers::said(table));
        keys.push(offers::keys(table));
    }
    let of_time = clocks::board_keys(table);
    let of_time = if may_do(table, place) { of_time } else { Vec::new() };
    let mut last = table_keys(table, sight);
    // The same button twice under one message is refused on some platforms.
    last.retain(|it| of_time.iter().all(|own| own.press != it.press));
    keys.extend((!of_time.is_empty()).then_some(of_time));
    let firsts = keys.len();
    if let Some(turn) = table.turn() {
        match own_eyes(table, place) {
            Some(seat) => {
                let hand = hands::hand(table, seat, Means::Buttons);
                texts.splice(0..0, hand.texts.into_iter().take(1));
                keys.extend(hand.keys);
            }
            None if thinks.is_some() || !may_act(table, turn, place) => {}
            None => {
                let page = sight.sole.map_or(0, |it| it.page);
                let panel = game.panel(Seat(turn), page);
                keys.extend(match sight.sole {
                    Some(_) => sole::panel_rows(table, panel, page),
                    None => panels::rows(table, panel),
                });
                if means == Means::Slots && hands::are_dealt(table) {
                    keys.extend(hands::slots(table));
                }
            }
        }
    }
    keys.push(last);
    let mut keys = fitted(keys, firsts);
    if let Some(window) = sight.window {
        add_window(&mut keys, window_key(table, window));
    }
    Note { texts, picture: Some(picture_at(table, place)), keys, ..Note::default() }
}

/// As many rows as a message has room for: where there are more, the first ones, which are answers
/// to something, stand in the last one. `firsts`: how many rows are such.
fn fitted(mut keys: Vec<Vec<Key>>, firsts: usize) -> Vec<Vec<Key>> {
    for _ in 0..firsts {
        if keys.len() <= ROWS {
            break;
        }
        let (answers, mut last) = (keys.remove(0), keys.pop().unwrap_or_default());
        let menu = last.pop();
        last.truncate(2);
        keys.push(answers.into_iter().chain(last).chain(menu).collect());
    }
    keys
}

/// The button that opens the board in a window of the platform.
fn window_key(table: &Table, window: &Window) -> Key {
    let label = Text::new("button-open-board");
    match window {
        Window::Launch => Key::new(label, press(table, Ask::Launch)),
        window => Key::opening(label, window.clone()),
    }
}

/// It stands in a row of its own, or in the last one; where there is room for neither it is found
/// behind the menu.
fn add_window(keys: &mut Vec<Vec<Key>>, key: Key) {
    let room = keys.len() < ROWS;
    match keys.last_mut() {
        Some(last) if !room && last.len() < ROW => last.push(key),
        Some(_) if !room => {}
        _ => keys.push(vec![key]),
    }
}

/// Whether the buttons of the seat on turn are of use in a place: not where people only look on,
/// and in a private chat only when it is its reader's turn.
fn may_act(table: &Table, turn: u8, place: &PlaceId) -> bool {
    let Some(spot) = table.spot(place) else { return false };
    let own = |reader: &PersonId| table.seats_of(reader).any(|it| it == turn);
    !spot.watches && spot.reader.is_none_or(own)
}

/// Whether anything can be done about the table in a place: not where people only look on.
fn may_do(table: &Table, place: &PlaceId) -> bool {
    let plays = |reader: &PersonId| table.seats_of(reader).next().is_some();
    table.spot(place).is_some_and(|it| !it.watches && it.reader.is_none_or(plays))
}

/// Who was given hints, for everybody to see.
fn hinted(table: &Table) -> Option<Text> {
    let one = |(seat, count): (u8, u32)| {
        let text = Text::new("over-hinted").with("name", Arg::Seat(seat));
        Arg::from(text.with("count", i64::from(count)))
    };
    let all: Vec<Arg> = table.hinted().into_iter().map(one).collect();
    (!all.is_empty()).then(|| Text::new("over-hints").with("names", Arg::List(all)))
}

/// The seat whose hand the board itself shows: only whoever plays it reads that place.
fn own_eyes(table: &Table, place: &PlaceId) -> Option<u8> {
    hands::are_dealt(table).then(|| table.seat_at(place)).flatten()
}

/// The last row: the hand, what can be read, and what concerns the table as a whole, behind a
/// button of its own where it would not fit.
fn table_keys(table: &Table, sight: Sight<'_>) -> Vec<Key> {
    let Sight { place, means, lively, .. } = sight;
    let mut keys = Vec::new();
    let menu = || Key::new(Text::new("button-menu"), press(table, Ask::Menu));
    if sight.sole.is_some() {
        return sole::table_keys(table);
    }
    let plays = |reader: &PersonId| table.seats_of(reader).next().is_some();
    let of_use = |it: Spot<'_>| !it.watches && it.reader.is_none_or(plays);
    if !table.spot(place).is_some_and(of_use) {
        let down = Key::new(Text::new("button-down"), press(table, Ask::Board));
        return vec![down, menu()];
    }
    if own_eyes(table, place).is_none() {
        keys.extend(hands::hand_keys(table, means));
    }
    keys.extend(panels::sheet_keys(table));
    if keys.is_empty() {
        keys = common_keys(table);
        if keys.len() > 4 {
            // The way down is the one that is missed least: it stands behind the menu too.
            keys.retain(|it| it.press != press(table, Ask::Board));
        }
    }
    if lively && table.spot(place).is_some_and(|it| it.reader.is_none()) {
        // The board comes late here: it is the better way now.
        keys.truncate(3);
        keys.push(private_key(table));
    }
    keys.truncate(4);
    keys.push(menu());
    keys
}

/// The button that opens somebody's own board in their private chat with the bot.
pub(super) fn private_key(table: &Table) -> Key {
    Key::new(Text::new("button-private"), press(table, Ask::Private))
}

/// What can be done at every table in play.
pub(super) fn common_keys(table: &Table) -> Vec<Key> {
    let down = Key::new(Text::new("button-down"), press(table, Ask::Board));
    if table.can_be_aborted() {
        let abort = key(table, "button-abort", Command::Abort);
        return [abort, down].into_iter().chain(hint_key(table)).collect();
    }
    let take_back = key(table, "button-take-back", Command::Propose(Proposal::TakeBack));
    let draw = key(table, "button-draw", Command::Propose(Proposal::Draw));
    let resign = key(table, "button-resign", Command::Resign).tone(Tone::Danger);
    let hidden = table.game_id().info().hidden;
    let mut keys = Vec::new();
    keys.extend((!hidden || table.setup.coached).then_some(take_back));
    keys.extend(table.can_be_drawn().then_some(draw));
    keys.extend([resign, down]);
    keys.extend(hint_key(table));
    keys
}

/// The button that asks for a hint.
fn hint_key(table: &Table) -> Option<Key> {
    let hint = || Key::new(Text::new("button-hint"), press(table, Ask::Hint));
    table.gives_hints().then(hint)
}

/// The picture of a table for those who read one of its places.
pub fn picture_at(table: &Table, place: &PlaceId) -> Picture {
    let id = || table.id.0.clone();
    let own = table.seat_at(place).filter(|_| !table.is_solo());
    match (own_eyes(table, place), own) {
        (Some(seat), _) => Picture::Hand { table: id(), seat },
        (None, Some(seat)) => Picture::View { table: id(), seat },
        (None, None) => Picture::Board { table: id() },
    }
}

/// How a game ended, in one line.
pub fn result(table: &Table, scores: &[i32], reason: Reason) -> Text {
    let best = scores.iter().copied().max().unwrap_or_default();
    let winners: Vec<u8> =
        (0..).zip(scores).filter(|(_, it)| **it == best).map(|(seat, _)| seat).collect();
    let together = table.has_partners() && winners.len() == 2;
    let winner = Arg::Names(winners.iter().map(|it| Arg::Seat(*it)).collect());
    match reason {
        Reason::Resigned(seat) => {
            let text = Text::new(match (winners.len(), together) {
                (1, _) => "over-resigned",
                (_, true) => "over-resigned-together",
                (_, false) => "over-given-up",
            });
            text.with("name", Arg::Seat(seat)).with("winner", winner)
        }
        Reason::Late(seat) => {
            let text = Text::new(match table.claimed_for(seat) {
                None => "over-late",
                Some(Departure::Left) => "over-left",
                Some(Departure::Removed) => "over-removed",
            });
            text.with("name", Arg::Seat(seat)).with("winner", winner)
        }
        Reason::Agreed => Text::new("over-agreed"),
        Reason::Absent(_)
        | Reason::Played
        | Reason::Aborted
        | Reason::Declined
        | Reason::Cancelled
        | Reason::Expired
        | Reason::Vanished
        | Reason::Abandoned
        | Reason::Outdated => {
            let mut points: Vec<_> = scores.iter().map(ToString::to_string).collect();
            let text = match *winners {
                // Places are no score.
                [_] if scores.len() > 2 => return Text::new("over-first").with("winner", winner),
                [first] => {
                    // The winner stands beside the winner's number.
                    points.rotate_left(usize::from(first));
                    Text::new("over-won").with("winner", winner)
                }
                [first, partner] if together => {
                    // What partners have won they have won together.
                    points.truncate(2);
                    points.rotate_left(usize::from(first));
                    Text::new("over-won-pair")
                        .with("winner", Arg::Seat(first))
                        .with("partner", Arg::Seat(partner))
                }
                _ => Text::new("over-draw"),
            };
            text.with("score", points.join(" : "))
        }
    }
}

fn over(table: &Table, scores: &[i32], reason: Reason, sight: Sight<'_>) -> Note {
    let mut texts = vec![result(table, scores, reason)];
    let mut caption =
        table.game.as_deref().map(|it| it.caption(Viewer::Public)).unwrap_or_default();
    if reason != Reason::Played {
        // The game itself still waits for a move that nobody will make.
        caption.pop();
    }
    texts.extend(caption);
    texts.extend(hinted(table));
    let mut keys = Vec::new();
    match (&table.next, table.offer) {
        (Some(TableId(next)), _) => {
            texts.push(Text::new("over-next").with("table", next.as_str()));
        }
        (None, Some((_, Offer::Rematch))) => {
            texts.extend(offers::said(table));
            keys.push(offers::keys(table));
        }
        (None, _) => {
            let again = Command::Propose(Proposal::Rematch);
            keys.push(vec![key(table, "button-rematch", again).tone(Tone::Good)]);
        }
    }
    let mut last = Vec::new();
    if sight.sole.is_none() {
        last.extend([
            Key::new(Text::new("button-replay"), press(table, Ask::Replay)),
            Key::new(Text::new("button-chart"), press(table, Ask::Chart)),
            Key::new(Text::new("button-review"), press(table, Ask::Review)),
            Key::new(Text::new("button-record"), press(table, Ask::Record)),
        ]);
    }
    last.extend(deals::key(table));
    keys.extend((!last.is_empty()).then_some(last));
    Note { texts, picture: Some(picture_at(table, sight.place)), keys, ..Note::default() }
}

fn closed(table: &Table, reason: Reason, place: &PlaceId) -> Note {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let name = match reason {
        Reason::Declined => table.invited.first().map(|it| it.name.clone()),
        Reason::Absent(seat) => table.occupant(seat).map(|it| it.name.clone()),
        Reason::Played
        | Reason::Resigned(_)
        | Reason::Late(_)
        | Reason::Agreed
        | Reason::Aborted
        | Reason::Expired
        | Reason::Vanished
        | Reason::Abandoned
        | Reason::Outdated
        | Reason::Cancelled => table.chairs.first().map(|it| it.name.clone()),
    };
    let text = match reason {
        Reason::Declined => Text::new("closed-declined"),
        Reason::Aborted => Text::new("closed-aborted"),
        Reason::Absent(_) => Text::new("closed-absent"),
        Reason::Expired => Text::new("closed-expired"),
        Reason::Outdated => Text::new("closed-outdated"),
        Reason::Abandoned => Text::new("closed-abandoned"),
        Reason::Played
        | Reason::Resigned(_)
        | Reason::Late(_)
        | Reason::Agreed
        | Reason::Vanished
        | Reason::Cancelled => Text::new("closed-cancelled"),
    };
    let mut texts = vec![title, text.with("name", name.unwrap_or_default())];
    texts.extend(lobby::explained(table));
    let picture = table.game.is_some().then(|| picture_at(table, place));
    let record = Key::new(Text::new("button-record"), press(table, Ask::Record));
    let keys = if table.outdated { vec![vec![record]] } else { Vec::new() };
    Note { texts, picture, keys, ..Note::default() }
}

/// The board in words, for people who cannot see the picture.
pub fn board_text(table: &Table, viewer: Viewer) -> Note {
    let texts = match (table.game.as_deref(), &table.phase) {
        (Some(game), Phase::Over { scores, reason }) if *reason != Reason::Played => {
            // The game itself still waits for a move that nobody will make.
            let mut texts = game.board_text(viewer);
            texts.pop();
            texts.push(result(table, scores, *reason));
            texts
        }
        (Some(game), Phase::Closed { reason }) => {
            let mut texts = game.board_text(viewer);
            texts.pop();
            texts.extend(closed(table, *reason, table.home()).texts.pop());
            texts
        }
        (Some(game), _) => game.board_text(viewer),
        (None, _) => board(table, Means::Buttons).texts,
    };
    let secret = is_secret(table, viewer);
    named(table, Note { secret, ..Note::lasting(texts) })
}

/// Whether what this viewer reads of the game is for nobody else.
pub(super) fn is_secret(table: &Table, viewer: Viewer) -> bool {
    table.game_id().info().hidden && matches!(viewer, Viewer::Seat(_))
}

/// One line about a table for a list: game, against whom, whose turn.
pub fn line(table: &Table, viewer: &PersonId) -> Text {
    let others: Vec<Arg> = (0..table.setup.seats)
        .filter(|&seat| table.occupant(seat).is_some_and(|it| it.person != *viewer))
        .map(Arg::Seat)
        .collect();
    let key = match (&table.phase, table.turn()) {
        (Phase::Lobby, _) => "list-lobby",
        (Phase::Playing, Some(turn)) if table.seats_of(viewer).any(|it| it == turn) => {
            "list-your-turn"
        }
        (Phase::Playing, _) => "list-their-turn",
        (Phase::Over { .. } | Phase::Closed { .. }, _) => "list-over",
    };
    let with = if others.is_empty() { vec![Arg::from("—")] } else { others };
    // As the board counts: throws and what plays itself are no turns of their own.
    let number = table.game.as_deref().and_then(|it| it.number()).map(i64::from);
    let text = Text::new(key)
        .with("table", &*table.id.0)
        .with("game", game_name(table))
        .with("with", Arg::Names(with))
        .with("move", number.unwrap_or(table.steps.len() as i64));
    seated(table, text)
}
