//! What everybody's screen shows equals the reading of the log, once things have settled.

use futures::FutureExt;

use super::chats::{Kind, Standing, reader};
use super::posed::{only, private_door};
use super::world::{World, lock};
use caravanserai_bot::views::board_view;
use caravanserai_bot::views::board_view::{BoardContext, InlineBoard};
use caravanserai_bot::views::hand_views::HandDelivery;
use caravanserai_games::ids::PlaceId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, RichSpan, RichText, Text};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::OutgoingMessage;
use caravanserai_render::sketch;
use caravanserai_store::{Space, Store};
use caravanserai_table::event::EndReason;
use caravanserai_table::state::{Location, Table, TablePhase};
use caravanserai_table::{computer_moves, deadline};

/// How late a deadline may be met: the list is looked at once a minute at least.
const LATE_MS: u64 = 150_000;

/// How many pages the buttons of somebody on turn have at most.
const PAGES: u8 = 6;

/// What is not as it should be at present, or nothing.
pub fn unsettled(world: &World) -> Option<String> {
    let truth = lock(&world.truth);
    for (id, told) in &truth.tables {
        let table = &told.table;
        if !table.is_open() && !truth.touched.contains(id) {
            continue;
        }
        if let Some(what) = wrong(world, table) {
            return Some(format!("table {id}: {what}"));
        }
    }
    drop(truth);
    waiting(world)
}

/// What could be said and is not, or was said twice.
fn waiting(world: &World) -> Option<String> {
    let rows = world.disk.store.scan(Space::Outbox, "", None, 1_000).now_or_never()?.ok()?;
    let chats = lock(&world.chats);
    let reachable = |key: &str| {
        let place = PlaceId(key.split(' ').next().unwrap_or_default().to_owned());
        chats.is_open(&place)
    };
    if let Some((key, _)) = rows.iter().find(|(key, _)| reachable(key)) {
        return Some(format!("{key:?} waits to be said"));
    }
    let twice = |place| chats.said_twice(place).map(|it| format!("{it:?} stands twice"));
    chats.places.keys().find_map(twice)
}

fn wrong(world: &World, table: &Table) -> Option<String> {
    let chats = lock(&world.chats);
    if !chats.is_open(table.home()) {
        return None;
    }
    if computer_moves::computer_to_move(table).is_some() {
        return Some(format!("a computer is waited for since version {}", table.version));
    }
    if deadline(table).is_some_and(|due| due + LATE_MS < world.wall_ms()) {
        return Some(format!("the deadline {:?} was not met", deadline(table)));
    }
    if let Some((place, board)) = chats.left_behind(table).filter(|_| table.is_open()) {
        return Some(format!("the board {board} is left behind in {}", place.0));
    }
    world.at_most("most places of a table", table.chats().count() as u64);
    drop(chats);
    table.locations().find_map(|spot| {
        let what = wrong_at(world, table, spot)?;
        Some(format!("in {}: {what}", spot.chat.0))
    })
}

/// What is not as it should be in one of the places of a table.
fn wrong_at(world: &World, table: &Table, spot: Location<'_>) -> Option<String> {
    let (chats, place) = (lock(&world.chats), spot.chat);
    // Who takes a board away gets a new one with the next move.
    let bare = chats.bare.get(&(place.clone(), table.id.0.clone()));
    // Where there is one message, the next table stands in it.
    let is_next = only(place).is_some() && table.next_table.is_some();
    // The players closed it to those who only watch there.
    if !chats.is_open(place) || bare == Some(&table.version) || is_next {
        return None;
    }
    if is_hidden(table, place) {
        let board = chats.board(place, &table.id.0);
        return board.map(|_| "the board is shown to people who may not watch".to_owned());
    }
    if let Some((one, other)) = chats.two_boards(place, &table.id.0) {
        return Some(format!("there are two live boards, {one} and {other}"));
    }
    let Some(standing) = chats.board(place, &table.id.0) else {
        return Some(format!("there is no board for version {}", table.version));
    };
    differs(&world.i18n, table, spot, standing)
}

/// Whether people who do not play may not see the board of a table in this place.
pub fn is_hidden(table: &Table, place: &PlaceId) -> bool {
    let has_begun = matches!(table.phase, TablePhase::Playing | TablePhase::Over { .. });
    let home = table.home();
    let by_home = || table.is_in_group() && only(home).is_none() && reader(home).is_none();
    has_begun && !table.is_public.unwrap_or_else(by_home) && !table.is_player_chat(place)
}

/// What a board shows that the log does not say, or the other way round.
fn differs(i18n: &I18n, table: &Table, spot: Location<'_>, standing: &Standing) -> Option<String> {
    // Whether it is a lively chat is no matter of the log, nor at which page of the buttons
    // somebody looks where the board itself shows them.
    let pages = if only(spot.chat).is_some() { PAGES } else { 1 };
    let mut wrong = (0..pages)
        .flat_map(|page| [(page, false), (page, true)])
        .map(|(page, lively)| differs_if(i18n, table, spot, standing, (page, lively)));
    let first = wrong.next().flatten()?;
    wrong.all(|it| it.is_some()).then_some(first)
}

fn differs_if(
    i18n: &I18n,
    table: &Table,
    spot: Location<'_>,
    standing: &Standing,
    (page, lively): (u8, bool),
) -> Option<String> {
    let place = spot.chat;
    let door = private_door(place.platform(), &table.id.0);
    let sole = only(place).map(|_| InlineBoard { page, private_chat_url: door.as_deref() });
    let buttons = Kind::named(place.platform()).is_some_and(|it| it.buttons);
    let means = if buttons { HandDelivery::Buttons } else { HandDelivery::NumberedButtons };
    let note = board_view::board_view(
        table,
        BoardContext { is_busy: lively, inline_board: sole, ..BoardContext::plain(place, means) },
    );
    let message = &standing.message;
    let shown: Vec<Vec<&str>> = message
        .buttons
        .iter()
        .map(|row| row.iter().map(|it| it.press.as_str()).collect())
        .collect();
    let meant: Vec<Vec<&str>> =
        note.keys.iter().map(|row| row.iter().map(|it| it.press.as_str()).collect()).collect();
    let version = table.version;
    if shown != meant {
        return Some(format!("version {version} has buttons {meant:?}, the board {shown:?}"));
    }
    let words = with_moments(&message.text);
    let said = |lang: Lang| {
        let lines: Vec<String> =
            note.texts.iter().map(|it| with_moments(&i18n.translate(lang, it))).collect();
        lines.join("\n")
    };
    let speaks = |lang: &Lang| match message.image {
        Some(_) => words == said(*lang),
        // Whoever wants to read boards gets them below.
        None => words.starts_with(&said(*lang)),
    };
    let Some(lang) = Lang::all().iter().copied().find(speaks) else {
        return Some(format!(
            "version {version} says {:?}, the board {words:?}",
            said(Lang::default())
        ));
    };
    (!shows(i18n, table, spot, lang, message))
        .then(|| format!("version {version} is drawn otherwise"))
}

/// Whether the picture is the one of this table.
fn shows(
    i18n: &I18n,
    table: &Table,
    spot: Location<'_>,
    lang: Lang,
    message: &OutgoingMessage,
) -> bool {
    let (Some(image), Some(game)) = (&message.image, table.game.as_deref()) else { return true };
    let names: Vec<String> = table.player_names().iter().map(|it| label(i18n, lang, it)).collect();
    let result = match &table.phase {
        TablePhase::Over { scores, reason } if *reason != EndReason::PlayedOut => {
            Some(scores.as_slice())
        }
        TablePhase::Over { .. }
        | TablePhase::Lobby
        | TablePhase::Playing
        | TablePhase::Closed { .. } => None,
    };
    // Alone with the bot people see the board from their side, and their hand.
    let own = spot.reader.into_iter().flat_map(|it| table.seats_of(it));
    // Everywhere whoever alone plays against computers sits below; hands stay hidden.
    let below = table.only_human_seat().filter(|_| !table.game_id().info().hidden);
    let seats = own.chain(below).map(|seat| Viewer::Seat(Seat(seat)));
    let viewers: Vec<Viewer> = seats.chain([Viewer::Public]).collect();
    let drawn = String::from_utf8_lossy(&image.png);
    let drawn = drawn.split_once('\n').map_or("", |(_, rest)| rest);
    viewers.into_iter().any(|viewer| {
        let scene = match (viewer, table.shared_board_seat()) {
            (Viewer::Public, Some(below)) => {
                game.scene_seen_from(viewer, Seat(below), &names, result)
            }
            _ => game.scene(viewer, &names, result),
        };
        let scene = sketch(&scene, "");
        scene.split_once('\n').is_some_and(|(_, rest)| rest == drawn)
    })
}

/// The words of a message, with each moment as its number: how long it is away differs from one
/// look to the next.
fn with_moments(text: &RichText) -> String {
    let plain = |span: &RichSpan| match span {
        RichSpan::Time { at_ms, .. } => format!("<{at_ms}>"),
        other => other.text().to_owned(),
    };
    text.0.iter().map(plain).collect()
}

/// A name as a picture writes it.
fn label(i18n: &I18n, lang: Lang, arg: &Arg) -> String {
    match arg {
        Arg::Text(text) => i18n.translate_plain(lang, text),
        Arg::Plain(text) => text.clone(),
        Arg::Mention { name, .. } => name.clone(),
        Arg::Number(_)
        | Arg::Seat(_)
        | Arg::Time(_)
        | Arg::List(_)
        | Arg::Row(_)
        | Arg::Names(_) => {
            i18n.translate_plain(lang, &Text::new("list").with("items", arg.clone()))
        }
    }
}
