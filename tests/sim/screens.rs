//! Checks that the screens of all people show the state of the log once the world is at rest.

use futures::FutureExt;

use super::chats::{ChatMessage, PlatformKind, reader};
use super::inline_challenges::{only, private_chat_link};
use super::log_checks::TrackedTable;
use super::world::World;
use caravanserai_bot::repository::outbox_key::OutboxKey;
use caravanserai_bot::results::row_formats::{self, GameRatings};
use caravanserai_bot::views::board_view;
use caravanserai_bot::views::board_view::{BoardContext, InlineBoard};
use caravanserai_bot::views::hand_views::HandDelivery;
use caravanserai_games::ids::ChatId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, RichSpan, RichText, Text};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::OutgoingMessage;
use caravanserai_render::sketch;
use caravanserai_store::{Space, Store};
use caravanserai_table::event::EndReason;
use caravanserai_table::state::{Location, Table, TablePhase};
use caravanserai_table::{computer_moves, deadline};

/// The largest delay of a deadline: the list is polled at least once a minute.
const LATE_MS: u64 = 150_000;

/// A lobby that closes so soon may have waited behind other messages of its chat, in milliseconds:
/// platforms allow about twenty a minute.
const BRIEF_MS: u64 = 3_000;

/// The most pages of buttons of the player to move.
const PAGES: u8 = 6;

/// The first violation at present, if any.
pub fn unsettled(world: &World) -> Option<String> {
    let log_checks = world.log_checks.lock();
    for (id, tracked) in &log_checks.tables {
        let table = &tracked.table;
        if !table.is_open() && !log_checks.touched.contains(id) {
            continue;
        }
        if let Some(what) = wrong(world, tracked) {
            return Some(format!("table {id}: {what}"));
        }
    }
    drop(log_checks);
    pending_or_duplicate(world)
}

/// A message that could be sent and was not, or was sent twice.
fn pending_or_duplicate(world: &World) -> Option<String> {
    let rows = world.disk.store.scan(Space::Outbox, "", None, 1_000).now_or_never()?.ok()?;
    let chats = world.chats.lock();
    let reachable = |key: &str| chats.is_open(&OutboxKey::chat_of(key));
    if let Some((key, _)) = rows.iter().find(|(key, _)| reachable(key)) {
        return Some(format!("{key:?} waits to be said"));
    }
    let twice = |chat| chats.said_twice(chat).map(|it| format!("{it:?} stands twice"));
    chats.chats.keys().find_map(twice)
}

fn wrong(world: &World, tracked: &TrackedTable) -> Option<String> {
    let table = &tracked.table;
    let chats = world.chats.lock();
    if !chats.is_open(table.chats.home()) {
        return None;
    }
    if computer_moves::computer_to_move(table).is_some() {
        return Some(format!("a computer is waited for since version {}", table.version));
    }
    if deadline(table).is_some_and(|due| due + LATE_MS < world.wall_ms()) {
        return Some(format!("the deadline {:?} was not met", deadline(table)));
    }
    if let Some((chat, board)) = chats.left_behind(table).filter(|_| table.is_open()) {
        return Some(format!("the board {board} is left behind in {}", chat.0));
    }
    world.at_most("most chats of a table", table.chats.ids().count() as u64);
    drop(chats);
    table.chats.locations().find_map(|location| {
        let what = wrong_at(world, tracked, location)?;
        Some(format!("in {}: {what}", location.chat.0))
    })
}

/// The first violation in one of the chats of a table.
fn wrong_at(world: &World, tracked: &TrackedTable, location: Location<'_>) -> Option<String> {
    let table = &tracked.table;
    let (chats, chat) = (world.chats.lock(), location.chat);
    // After a board was deleted, the bot posts a new one with the next move.
    let bare = chats.bare.get(&(chat.clone(), table.id.0.clone()));
    // Where there is only one message, it shows the next table.
    let is_next = only(chat).is_some() && table.next_table.is_some();
    // The players have hidden the table from spectators there.
    if !chats.is_open(chat) || bare == Some(&table.version) || is_next {
        return None;
    }
    if is_hidden(table, chat) {
        let board = chats.visible_board(chat, &table.id.0);
        return board.map(|it| format!("the board {it} is shown to people who may not watch"));
    }
    if let Some((one, other)) = chats.two_boards(chat, &table.id.0) {
        return Some(format!("there are two live boards, {one} and {other}"));
    }
    let Some(shown_message) = chats.board(chat, &table.id.0) else {
        // Nobody misses the board of a lobby that was closed before the bot could post one, which
        // it can as soon as the table is attached to the chat.
        let chat_opened_ms = chats.opened_ms.get(chat.without_topic()).copied().unwrap_or(0);
        let times = &table.times;
        let came_ms = tracked.attached_ms.get(chat).copied().unwrap_or(times.opened_ms);
        let since_ms = chat_opened_ms.max(came_ms);
        let could_post = world.ran_ms(since_ms, times.last_event_ms) > BRIEF_MS;
        if matches!(table.phase, TablePhase::Closed { .. }) && !could_post {
            return None;
        }
        return Some(format!("there is no board for version {}", table.version));
    };
    differs(&world.i18n, table, location, shown_message, game_ratings(world, table).as_ref())
}

/// Whether the board of a table is hidden from spectators in this chat.
pub fn is_hidden(table: &Table, chat: &ChatId) -> bool {
    // A game that was aborted still has a board.
    let has_begun = match table.phase {
        TablePhase::Lobby => false,
        TablePhase::Playing | TablePhase::Over { .. } => true,
        TablePhase::Closed { .. } => table.game.is_some(),
    };
    let home = table.chats.home();
    let by_home = || table.chats.is_in_group() && only(home).is_none() && reader(home).is_none();
    has_begun && !table.chats.is_public.unwrap_or_else(by_home) && !table.is_player_chat(chat)
}

/// How a finished game changed the ratings, as it is stored.
fn game_ratings(world: &World, table: &Table) -> Option<GameRatings> {
    if !table.is_over() {
        return None;
    }
    let key = row_formats::rating_changes(&table.id);
    let row = world.disk.store.get(Space::Rating, &key).now_or_never()?.ok()??;
    serde_json::from_slice(&row).ok()
}

/// The first difference between a board and the log.
fn differs(
    i18n: &I18n,
    table: &Table,
    location: Location<'_>,
    shown_message: &ChatMessage,
    ratings: Option<&GameRatings>,
) -> Option<String> {
    // The log does not determine whether the chat is busy, or which page of buttons an inline board
    // shows.
    let pages = if only(location.chat).is_some() { PAGES } else { 1 };
    let mut wrong = (0..pages)
        .flat_map(|page| [(page, false), (page, true)])
        // The log does not determine either whether the ratings were known when it was shown.
        .flat_map(|look| [(look, None), (look, ratings)])
        .map(|(look, ratings)| {
            difference_with(i18n, table, location, shown_message, look, ratings)
        });
    let first = wrong.next().flatten()?;
    wrong.all(|it| it.is_some()).then_some(first)
}

fn difference_with(
    i18n: &I18n,
    table: &Table,
    location: Location<'_>,
    shown_message: &ChatMessage,
    (page, lively): (u8, bool),
    ratings: Option<&GameRatings>,
) -> Option<String> {
    let chat = location.chat;
    let chat_link = private_chat_link(chat.platform(), &table.id.0);
    let inline_board = only(chat).map(|_| InlineBoard {
        page,
        private_chat_url: chat_link.as_deref(),
        can_show_picture: false,
    });
    let buttons = PlatformKind::named(chat.platform()).is_some_and(|it| it.buttons);
    let delivery = if buttons { HandDelivery::Buttons } else { HandDelivery::NumberedButtons };
    let note = board_view::board_view(
        table,
        BoardContext {
            is_busy: lively,
            inline_board,
            ratings,
            ..BoardContext::plain(chat, delivery)
        },
    );
    let message = &shown_message.message;
    let shown: Vec<Vec<&str>> = message
        .buttons
        .iter()
        .map(|row| row.iter().map(|it| it.callback_data.as_str()).collect())
        .collect();
    let expected: Vec<Vec<&str>> = note
        .button_rows
        .iter()
        .map(|row| row.iter().map(|it| it.callback_data.as_str()).collect())
        .collect();
    let version = table.version;
    if shown != expected {
        return Some(format!("version {version} has buttons {expected:?}, the board {shown:?}"));
    }
    let words = with_moments(&message.text);
    let expected_text = |lang: Lang| {
        let lines: Vec<String> =
            note.texts.iter().map(|it| with_moments(&i18n.translate(lang, it))).collect();
        lines.join("\n")
    };
    let has_text = |lang: &Lang| match message.image {
        Some(_) => words == expected_text(*lang),
        // People who want boards as text get the text below.
        None => words.starts_with(&expected_text(*lang)),
    };
    let Some(lang) = Lang::all().iter().copied().find(has_text) else {
        return Some(format!(
            "version {version} says {:?}, the board {words:?}",
            expected_text(Lang::default())
        ));
    };
    (!shows_table(i18n, table, location, lang, message))
        .then(|| format!("version {version} is drawn otherwise"))
}

/// Whether the picture shows this table.
fn shows_table(
    i18n: &I18n,
    table: &Table,
    location: Location<'_>,
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
    // In a private chat people see the board from their side, and their hand.
    let own = location.reader.into_iter().flat_map(|it| table.seating.seats_of(it));
    // A single human player always sits below; hands stay hidden.
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

/// The text of a message with each time as a number, because the displayed distance changes.
fn with_moments(text: &RichText) -> String {
    let plain = |span: &RichSpan| match span {
        RichSpan::Time { at_ms, .. } => format!("<{at_ms}>"),
        other => other.text().to_owned(),
    };
    text.0.iter().map(plain).collect()
}

/// A name as a picture shows it.
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
