//! Builds the message that shows a table in a chat: text, picture and buttons.

use crate::commands::action::ExecuteCommand;
use crate::commands::action::TableAction;
use crate::commands::board::ShowBoard;
use crate::commands::chart::ShowChart;
use crate::commands::hint::AskHint;
use crate::commands::launch::LaunchWindow;
use crate::commands::menu::ShowMenu;
use crate::commands::private::PlayInPrivate;
use crate::commands::record::ShowRecord;
use crate::commands::replay::SendReplay;
use crate::commands::review::RequestReview;
use crate::results::row_formats::GameRatings;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use crate::views::inline_board;
pub use crate::views::inline_board::InlineBoard;
pub use crate::views::pending_offers::attention_ping;
use crate::views::{
    clock_views, coach_views, deal_views, lobby_view, panel_views, pending_offers, result_views,
    viewer_buttons,
};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::has_message_key;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_protocol::{AppLink, ButtonTone, InviteLink};
use caravanserai_table::command::{Command, OfferKind};
use caravanserai_table::event::{EndReason, PlayerOffer};
use caravanserai_table::presence::Departure;
use caravanserai_table::state::{Location, Table, TablePhase};

/// The most rows of buttons under a message.
pub(crate) const ROWS_MAX: usize = 5;
/// The most buttons in a row.
const BUTTONS_PER_ROW_MAX: usize = 5;

/// The chat in which a board is shown, and how it can be used there.
#[derive(Clone, Copy, Debug)]
pub struct BoardContext<'a> {
    /// The chat.
    pub chat: &'a ChatId,
    /// How hands can be shown there.
    pub hand_delivery: HandDelivery,
    /// Whether the chat is so busy that people are offered to play in private.
    pub is_busy: bool,
    /// The links through which others join the table.
    pub invite_links: &'a [InviteLink],
    /// How to open the board in a window of the platform, if that is possible.
    pub app_link: Option<&'a AppLink>,
    /// The state of the board if it is the only message of the chat.
    pub inline_board: Option<InlineBoard<'a>>,
    /// How a finished game changed the ratings, once that is known.
    pub ratings: Option<&'a GameRatings>,
}

impl<'a> BoardContext<'a> {
    /// A context without special features.
    pub fn plain(chat: &'a ChatId, hand_delivery: HandDelivery) -> Self {
        Self {
            chat,
            hand_delivery,
            is_busy: false,
            invite_links: &[],
            app_link: None,
            inline_board: None,
            ratings: None,
        }
    }
}

/// The board message of a table at its home, as everybody in the chat sees it.
pub fn home_board_view(table: &Table, hand_delivery: HandDelivery) -> View {
    board_view(table, BoardContext::plain(table.chats.home(), hand_delivery))
}

/// The board message of a table in one of its chats, for the readers there.
pub fn board_view(table: &Table, context: BoardContext<'_>) -> View {
    let mut view = match &table.phase {
        TablePhase::Lobby => lobby_view::lobby_view(table),
        TablePhase::Playing => playing_view(table, context),
        TablePhase::Over { scores, reason } => finished_view(table, scores, *reason, context),
        TablePhase::Closed { reason } => closed_view(table, *reason, context.chat),
    };
    if table.chats.location_in(context.chat).is_some_and(|it| it.is_watch_only)
        && table.phase == TablePhase::Lobby
    {
        view.button_rows = vec![vec![panel_views::course_button(table)]];
    }
    if is_waiting_alone(table, context.chat) {
        view.texts.extend(lobby_view::invite_link_lines(table, context.invite_links));
    }
    if table.is_open() {
        view.texts.extend(other_chats_text(table, context.chat));
    }
    if let Some(inline) = context.inline_board {
        view = inline_board::inline_board_view(table, view, inline);
    }
    if table.is_frozen() {
        view.button_rows = viewer_buttons::buttons_while_frozen(view.button_rows);
    }
    with_player_names(table, view)
}

/// Whether a table waits for players in a chat that only its opener reads.
fn is_waiting_alone(table: &Table, chat: &ChatId) -> bool {
    let reader = table.chats.location_in(chat).and_then(|it| it.reader);
    table.phase == TablePhase::Lobby && !table.is_solo() && reader == Some(&table.setup.opener)
}

/// The number of other chats with spectators.
fn other_chats_text(table: &Table, here: &ChatId) -> Option<Text> {
    let plays = |it: &PersonId| table.seating.is_seated(it);
    let has_spectators = |it: &Location<'_>| it.chat != here && !it.reader.is_some_and(plays);
    let count = table.chats.locations().filter(has_spectators).count();
    (count > 0).then(|| Text::new("places-also").with("count", count as i64))
}

/// The message in place of the board in a chat where the table is no longer shown.
pub fn detached_view(table: &Table) -> View {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let texts = vec![title, Text::new("answer-table-detached").with("table", &*table.id.0)];
    with_player_names(table, View { texts, ..View::default() })
}

/// The message in place of a board whose readers may no longer see the table.
pub fn closed_to_spectators_view(table: &Table) -> View {
    View::persistent(vec![Text::new("refuse-not-public").with("table", &*table.id.0)])
}

/// Replaces seats in all texts of a view by the names of the players.
pub fn with_player_names(table: &Table, mut view: View) -> View {
    view.texts = view.texts.into_iter().map(|text| insert_player_names(table, text)).collect();
    view
}

/// Replaces seats in a text by the names of the players.
pub fn insert_player_names(table: &Table, text: Text) -> Text {
    let names = table.player_names();
    let name = |seat: u8| {
        let name = names.get(usize::from(seat)).cloned();
        name.map_or_else(
            || Arg::Number(i64::from(seat) + 1),
            |it| with_platform_mark(table, seat, it),
        )
    };
    text.with_seat_names(&name)
}

/// A name with the mark of the player's platform, if people play from several platforms.
fn with_platform_mark(table: &Table, seat: u8, name: Arg) -> Arg {
    let person = table.seating.occupant(seat).filter(|it| !it.is_computer()).map(|it| &it.person);
    let Some(person) = person.filter(|_| table.spans_platforms()) else { return name };
    let mark = format!("mark-{}", table.platform_of(person));
    if !has_message_key(&mark) {
        return name;
    }
    Text::new("places-name").with("name", name).with("mark", Text::new(mark)).into()
}

pub(crate) fn table_callback_data(table: &Table, action: &dyn TableAction) -> String {
    action.callback_data(&table.id)
}

pub(crate) fn command_button(table: &Table, label: &'static str, command: Command) -> ButtonSpec {
    ButtonSpec::new(Text::new(label), table_callback_data(table, &ExecuteCommand(command)))
}

pub(crate) fn game_name(table: &Table) -> Text {
    table.game_id().info().name_text()
}

fn playing_view(table: &Table, context: BoardContext<'_>) -> View {
    let BoardContext { chat, hand_delivery, .. } = context;
    let Some(game) = table.game.as_deref() else {
        return closed_view(table, EndReason::Outdated, chat);
    };
    let mut texts = game.caption(Viewer::Public);
    let mut keys = Vec::new();
    let thinking_seat =
        table.seat_to_move().filter(|turn| table.computer_level_of(*turn).is_some());
    if table.is_frozen() {
        // The caption ends with the prompt for a move that nobody can make now.
        texts.pop();
        texts.push(Text::new("board-frozen"));
    } else if let Some(turn) = thinking_seat.filter(|turn| table.seating.is_computer(*turn)) {
        // The computer only thinks for a moment, so its possible actions are of no use to anybody.
        texts.pop();
        texts.push(Text::new("computer-thinks").with("name", Arg::Seat(turn)));
    }
    texts.extend(result_views::first_board_line(table));
    texts.extend(clock_views::board_clock_lines(table));
    texts.extend(coach_views::public_advice(table, hand_delivery));
    texts.extend(hints_text(table));
    texts.extend(pending_offers::replaced_seat_text(table));
    texts.extend(pending_offers::declined_text(table));
    if table.offers.pending.is_some() {
        texts.extend(pending_offers::offer_lines(table));
        keys.push(offer_buttons_in(table, chat));
    }
    let clock_buttons = clock_views::board_clock_buttons(table);
    let clock_buttons = if can_manage_here(table, chat) { clock_buttons } else { Vec::new() };
    let clock_buttons = buttons_of_reader(clock_buttons, table, chat);
    let mut last_row = buttons_of_reader(table_buttons(table, context), table, chat);
    // Some platforms refuse a message with the same button twice.
    last_row
        .retain(|it| clock_buttons.iter().all(|button| button.callback_data != it.callback_data));
    keys.extend((!clock_buttons.is_empty()).then_some(clock_buttons));
    let answer_rows = keys.len();
    if let Some(turn) = table.seat_to_move() {
        match sole_reader_seat(table, chat) {
            Some(seat) => {
                let hand = hand_views::hand_view(table, seat, HandDelivery::Buttons);
                texts.splice(0..0, hand.texts.into_iter().take(1));
                keys.extend(hand.button_rows);
            }
            None if thinking_seat.is_some() || table.is_frozen() => {}
            None if !can_act_here(table, turn, chat) => {}
            None => {
                let page = context.inline_board.map_or(0, |it| it.page);
                let panel = game.panel(Seat(turn), page);
                keys.extend(match context.inline_board {
                    Some(_) => inline_board::inline_panel_buttons(table, panel, page),
                    None => panel_views::panel_buttons(table, panel),
                });
                if hand_delivery == HandDelivery::NumberedButtons && hand_views::has_hands(table) {
                    keys.extend(hand_views::numbered_card_buttons(table));
                }
            }
        }
    }
    keys.push(last_row);
    let mut keys = fit_rows(keys, answer_rows);
    if let Some(app_link) = context.app_link {
        add_app_link(&mut keys, app_link_button(table, app_link));
    }
    View { texts, picture: Some(board_picture(table, chat)), button_rows: keys, ..View::default() }
}

/// The buttons that answer the pending offer in a chat. In a private chat, the player who made the
/// offer can only withdraw it; a group has the answers of everybody.
fn offer_buttons_in(table: &Table, chat: &ChatId) -> Vec<ButtonSpec> {
    let buttons = pending_offers::offer_buttons(table);
    match only_reader(table, chat) {
        Some(reader) => viewer_buttons::own_offer_buttons(buttons, table, reader),
        None => buttons,
    }
}

/// The buttons in a chat without those that are of no use to its only reader.
fn buttons_of_reader(buttons: Vec<ButtonSpec>, table: &Table, chat: &ChatId) -> Vec<ButtonSpec> {
    match only_reader(table, chat) {
        Some(reader) => viewer_buttons::own_board_buttons(buttons, table, reader),
        None => buttons,
    }
}

/// The only reader of a chat; `None` if several people read there, or one plays all sides.
fn only_reader<'a>(table: &'a Table, chat: &ChatId) -> Option<&'a PersonId> {
    table.chats.location_in(chat).and_then(|it| it.reader).filter(|_| !table.is_solo())
}

/// Reduces the rows of buttons to the limit of a message: the first `answer_rows` rows, which
/// answer something, are merged into the last row as long as there are too many.
fn fit_rows(mut keys: Vec<Vec<ButtonSpec>>, answer_rows: usize) -> Vec<Vec<ButtonSpec>> {
    for _ in 0..answer_rows {
        if keys.len() <= ROWS_MAX {
            break;
        }
        let answers = keys.remove(0);
        let mut last = keys.pop().unwrap_or_default();
        let menu = last.pop();
        last.truncate(2);
        keys.push(answers.into_iter().chain(last).chain(menu).collect());
    }
    keys
}

/// The button that opens the board in a window of the platform.
fn app_link_button(table: &Table, app_link: &AppLink) -> ButtonSpec {
    let label = Text::new("button-open-board");
    match app_link {
        AppLink::Launch => ButtonSpec::new(label, table_callback_data(table, &LaunchWindow)),
        app_link => ButtonSpec::with_link(label, app_link.clone()),
    }
}

/// Adds the button that opens the window: in a row of its own or in the last row. Without space it
/// is only in the menu.
fn add_app_link(keys: &mut Vec<Vec<ButtonSpec>>, key: ButtonSpec) {
    let has_row = keys.len() < ROWS_MAX;
    match keys.last_mut() {
        Some(last) if !has_row && last.len() < BUTTONS_PER_ROW_MAX => last.push(key),
        Some(_) if !has_row => {}
        _ => keys.push(vec![key]),
    }
}

/// Whether the buttons of the seat to move are of use in a chat: not for spectators, and in a
/// private chat only on its reader's turn.
fn can_act_here(table: &Table, turn: u8, chat: &ChatId) -> bool {
    let Some(location) = table.chats.location_in(chat) else { return false };
    let is_own_turn = |reader: &PersonId| table.seating.has_seat(reader, turn);
    !location.is_watch_only && location.reader.is_none_or(is_own_turn)
}

/// Whether the readers of a chat can manage the table: not if they can only watch.
fn can_manage_here(table: &Table, chat: &ChatId) -> bool {
    let plays = |reader: &PersonId| table.seating.is_seated(reader);
    table.chats.location_in(chat).is_some_and(|it| !it.is_watch_only && it.reader.is_none_or(plays))
}

/// The list of players who were given hints, for everybody to see.
fn hints_text(table: &Table) -> Option<Text> {
    let line = |(seat, count): (u8, u32)| {
        let text = Text::new("over-hinted").with("name", Arg::Seat(seat));
        Arg::from(text.with("count", i64::from(count)))
    };
    let all: Vec<Arg> = table.hints.hinted_seats().map(line).collect();
    (!all.is_empty()).then(|| Text::new("over-hints").with("names", Arg::List(all)))
}

/// The seat whose hand is shown on the board itself, because its player is the only reader of the
/// chat.
fn sole_reader_seat(table: &Table, chat: &ChatId) -> Option<u8> {
    hand_views::has_hands(table).then(|| table.seat_of_sole_reader(chat)).flatten()
}

/// The last row of buttons: the hand, the sheets, and general actions; the rest is behind the menu
/// button.
fn table_buttons(table: &Table, context: BoardContext<'_>) -> Vec<ButtonSpec> {
    let BoardContext { chat, hand_delivery, is_busy, .. } = context;
    let mut keys = Vec::new();
    let menu = || ButtonSpec::new(Text::new("button-menu"), table_callback_data(table, &ShowMenu));
    if context.inline_board.is_some() {
        return inline_board::inline_table_buttons(table);
    }
    let plays = |reader: &PersonId| table.seating.is_seated(reader);
    let is_usable = |it: Location<'_>| !it.is_watch_only && it.reader.is_none_or(plays);
    if !table.chats.location_in(chat).is_some_and(is_usable) {
        let down =
            ButtonSpec::new(Text::new("button-resend"), table_callback_data(table, &ShowBoard));
        return vec![down, menu()];
    }
    if sole_reader_seat(table, chat).is_none() {
        keys.extend(hand_views::hand_buttons(table, hand_delivery));
    }
    keys.extend(panel_views::sheet_buttons(table));
    if keys.is_empty() {
        keys = common_buttons(table);
        if keys.len() > 4 {
            // The button to post the board again is the least important one; it is in the menu too.
            keys.retain(|it| it.callback_data != table_callback_data(table, &ShowBoard));
        }
    }
    if is_busy && table.chats.location_in(chat).is_some_and(|it| it.reader.is_none()) {
        // The board is updated late in this chat, so the private board is the better way.
        keys.truncate(3);
        keys.push(private_board_button(table));
    }
    keys.truncate(4);
    keys.push(menu());
    keys
}

/// The button that opens a board for the player in their private chat with the bot.
pub(crate) fn private_board_button(table: &Table) -> ButtonSpec {
    ButtonSpec::new(Text::new("button-private"), table_callback_data(table, &PlayInPrivate))
}

/// The actions at every table in play.
pub(crate) fn common_buttons(table: &Table) -> Vec<ButtonSpec> {
    let down = ButtonSpec::new(Text::new("button-resend"), table_callback_data(table, &ShowBoard));
    if table.can_be_aborted() {
        let abort = command_button(table, "button-abort", Command::Abort);
        return [abort, down].into_iter().chain(hint_button(table)).collect();
    }
    let takeback = command_button(table, "button-take-back", Command::Offer(OfferKind::Takeback));
    let draw = command_button(table, "button-draw", Command::Offer(OfferKind::Draw));
    let resign =
        command_button(table, "button-resign", Command::Resign).with_tone(ButtonTone::Danger);
    let hidden = table.game_id().info().hidden;
    let mut keys = Vec::new();
    keys.extend((!hidden || table.setup.coached).then_some(takeback));
    keys.extend(table.setup.can_be_drawn().then_some(draw));
    keys.extend([resign, down]);
    keys.extend(hint_button(table));
    keys
}

/// The button that requests a hint.
fn hint_button(table: &Table) -> Option<ButtonSpec> {
    let hint = || ButtonSpec::new(Text::new("button-hint"), table_callback_data(table, &AskHint));
    table.gives_hints().then(hint)
}

/// The picture of a table for the readers of one of its chats.
pub fn board_picture(table: &Table, chat: &ChatId) -> PictureRef {
    let id = || table.id.0.clone();
    let own_seat = table.seat_of_sole_reader(chat).filter(|_| !table.is_solo());
    match (sole_reader_seat(table, chat), own_seat) {
        (Some(seat), _) => PictureRef::Hand { table: id(), seat },
        (None, Some(seat)) => PictureRef::View { table: id(), seat },
        (None, None) => PictureRef::Board { table: id() },
    }
}

/// The result of a game, in one line.
pub fn result_text(table: &Table, scores: &[i32], reason: EndReason) -> Text {
    let best = scores.iter().copied().max().unwrap_or_default();
    let winners: Vec<u8> =
        (0..).zip(scores).filter(|(_, it)| **it == best).map(|(seat, _)| seat).collect();
    let together = table.setup.has_partners() && winners.len() == 2;
    let winner = Arg::Names(winners.iter().map(|it| Arg::Seat(*it)).collect());
    match reason {
        EndReason::Resigned(seat) => {
            let text = Text::new(match (winners.len(), together) {
                (1, _) => "over-resigned",
                (_, true) => "over-resigned-together",
                (_, false) => "over-given-up",
            });
            text.with("name", Arg::Seat(seat)).with("winner", winner)
        }
        EndReason::LostOnTime(seat) => {
            let text = Text::new(match table.claimed_departure(seat) {
                // Against computers no clock runs, so the game was left alone.
                None if table.seating.sole_player().is_some() => "over-silent",
                None => "over-late",
                Some(Departure::Left | Departure::RemovedBot) => "over-left",
                Some(
                    Departure::Removed
                    | Departure::CutOff
                    | Departure::LeftWhileCutOff
                    | Departure::LostMessage,
                ) => "over-removed",
            });
            text.with("name", Arg::Seat(seat)).with("winner", winner)
        }
        EndReason::DrawAgreed => Text::new("over-agreed"),
        EndReason::AbsentPlayer(_)
        | EndReason::PlayedOut
        | EndReason::Aborted
        | EndReason::AbortedBy(_)
        | EndReason::Declined
        | EndReason::Cancelled
        | EndReason::Expired
        | EndReason::ChatGone
        | EndReason::Abandoned
        | EndReason::ClosedByOperator
        | EndReason::Outdated => {
            let mut points: Vec<_> = scores.iter().map(ToString::to_string).collect();
            let text = match *winners {
                // Ranks are not scores.
                [_] if scores.len() > 2 => return Text::new("over-first").with("winner", winner),
                [first] => {
                    // The winner's points come first, next to the winner's name.
                    points.rotate_left(usize::from(first));
                    Text::new("over-won").with("winner", winner)
                }
                [first, partner] if together => {
                    // Partners have one score.
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

fn finished_view(
    table: &Table,
    scores: &[i32],
    reason: EndReason,
    context: BoardContext<'_>,
) -> View {
    let mut texts = vec![result_text(table, scores, reason)];
    texts.extend(context.ratings.into_iter().flat_map(|it| result_views::rating_lines(table, it)));
    let mut caption =
        table.game.as_deref().map(|it| it.caption(Viewer::Public)).unwrap_or_default();
    if reason != EndReason::PlayedOut {
        // The caption ends with the prompt for a move that nobody will make.
        caption.pop();
    }
    texts.extend(caption);
    texts.extend(hints_text(table));
    let mut keys = Vec::new();
    match (&table.next_table, table.offers.pending_kind()) {
        (Some(TableId(next)), _) => {
            texts.push(Text::new("over-next").with("table", next.as_str()));
        }
        (None, Some(PlayerOffer::Rematch)) => {
            texts.extend(pending_offers::offer_lines(table));
            keys.push(offer_buttons_in(table, context.chat));
        }
        (None, _) => {
            texts.extend(pending_offers::declined_text(table));
            let again = Command::Offer(OfferKind::Rematch);
            keys.push(vec![
                command_button(table, "button-rematch", again).with_tone(ButtonTone::Good),
            ]);
        }
    }
    let mut last = Vec::new();
    if context.inline_board.is_none() {
        last.extend([
            ButtonSpec::new(Text::new("button-replay"), table_callback_data(table, &SendReplay)),
            ButtonSpec::new(Text::new("button-chart"), table_callback_data(table, &ShowChart)),
            ButtonSpec::new(Text::new("button-review"), table_callback_data(table, &RequestReview)),
            ButtonSpec::new(Text::new("button-record"), table_callback_data(table, &ShowRecord)),
        ]);
    }
    last.extend(deal_views::last_deal_button(table));
    keys.extend((!last.is_empty()).then_some(last));
    View {
        texts,
        picture: Some(board_picture(table, context.chat)),
        button_rows: keys,
        ..View::default()
    }
}

fn closed_view(table: &Table, reason: EndReason, chat: &ChatId) -> View {
    let title = Text::new("lobby-title").with("game", game_name(table)).with("table", &*table.id.0);
    let name = match reason {
        EndReason::Declined => table.invitations.invited.first().map(|it| it.name.clone()),
        EndReason::AbsentPlayer(seat) => table.seating.occupant(seat).map(|it| it.name.clone()),
        EndReason::PlayedOut
        | EndReason::Resigned(_)
        | EndReason::LostOnTime(_)
        | EndReason::DrawAgreed
        | EndReason::Aborted
        | EndReason::AbortedBy(_)
        | EndReason::Expired
        | EndReason::ChatGone
        | EndReason::Abandoned
        | EndReason::ClosedByOperator
        | EndReason::Outdated
        | EndReason::Cancelled => table.seating.occupants.first().map(|it| it.name.clone()),
    };
    let text = match reason {
        EndReason::Declined => Text::new("closed-declined"),
        EndReason::Aborted | EndReason::AbortedBy(_) => Text::new("closed-aborted"),
        EndReason::AbsentPlayer(_) => Text::new("closed-absent"),
        EndReason::Expired => Text::new("closed-expired"),
        EndReason::Outdated => Text::new("closed-outdated"),
        EndReason::Abandoned => Text::new("closed-abandoned"),
        EndReason::ClosedByOperator => Text::new("closed-host"),
        EndReason::PlayedOut
        | EndReason::Resigned(_)
        | EndReason::LostOnTime(_)
        | EndReason::DrawAgreed
        | EndReason::ChatGone
        | EndReason::Cancelled => Text::new("closed-cancelled"),
    };
    let mut texts = vec![title, text.with("name", name.unwrap_or_default())];
    texts.extend(lobby_view::decline_reason_lines(table));
    let picture = table.game.is_some().then(|| board_picture(table, chat));
    let record =
        ButtonSpec::new(Text::new("button-record"), table_callback_data(table, &ShowRecord));
    let keys = if table.setup.is_outdated() { vec![vec![record]] } else { Vec::new() };
    View { texts, picture, button_rows: keys, ..View::default() }
}

/// The board as text, for people who cannot see the picture.
pub fn board_text_view(table: &Table, viewer: Viewer) -> View {
    let texts = match (table.game.as_deref(), &table.phase) {
        (Some(game), TablePhase::Over { scores, reason }) if *reason != EndReason::PlayedOut => {
            // The text ends with the prompt for a move that nobody will make.
            let mut texts = game.board_text(viewer);
            texts.pop();
            texts.push(result_text(table, scores, *reason));
            texts
        }
        (Some(game), TablePhase::Closed { reason }) => {
            let mut texts = game.board_text(viewer);
            texts.pop();
            texts.extend(closed_view(table, *reason, table.chats.home()).texts.pop());
            texts
        }
        (Some(game), _) => game.board_text(viewer),
        (None, _) => home_board_view(table, HandDelivery::Buttons).texts,
    };
    let secret = is_for_viewer_only(table, viewer);
    with_player_names(table, View { secret, ..View::persistent(texts) })
}

/// Whether the content for this viewer is secret from others.
pub(crate) fn is_for_viewer_only(table: &Table, viewer: Viewer) -> bool {
    table.game_id().info().hidden && matches!(viewer, Viewer::Seat(_))
}

/// One line about a table for a list: the game, the opponents and the turn.
pub fn table_line(table: &Table, viewer: &PersonId) -> Text {
    let others: Vec<Arg> = (0..table.setup.seats)
        .filter(|&seat| table.seating.occupant(seat).is_some_and(|it| it.person != *viewer))
        .map(Arg::Seat)
        .collect();
    let key = match (&table.phase, table.seat_to_move()) {
        (TablePhase::Lobby, _) => "list-lobby",
        (TablePhase::Playing, Some(turn)) if table.seating.has_seat(viewer, turn) => {
            "list-your-turn"
        }
        (TablePhase::Playing, _) => "list-their-turn",
        (TablePhase::Over { .. } | TablePhase::Closed { .. }, _) => "list-over",
    };
    let opponents = if others.is_empty() { vec![Arg::from("—")] } else { others };
    // Turns are counted as on the board: throws and automatic actions are not separate turns.
    let number = table.game.as_deref().and_then(|it| it.turn_number()).map(i64::from);
    let text = Text::new(key)
        .with("table", &*table.id.0)
        .with("game", game_name(table))
        .with("with", Arg::Names(opponents))
        .with("move", number.unwrap_or(table.history.steps.len() as i64));
    insert_player_names(table, text)
}
