//! Builds the state of a table for one viewer, for programs and for web pages that draw the board.
//!
//! The types, and the format that `state.md` describes, are in `protocol::table_state`. Everything
//! is made from views, so it contains nothing that the viewer may not know.

use std::collections::HashMap;

use crate::commands::action::{ExecuteCommand, TableCallback};
use crate::commands::board::ShowBoard;
use crate::commands::hand::ShowHand;
use crate::commands::make_move::{PlayNumberedCard, ShowMoreMoves};
use crate::commands::replay::SendReplay;
use crate::commands::review::RequestReview;
use crate::delivery::MessageRenderer;
use crate::repository::profiles::DisplayPrefs;
use crate::results::row_formats::GameRatings;
use crate::views::board_view;
use crate::views::board_view::BoardContext;
use crate::views::clock_views;
use crate::views::conditional_moves;
use crate::views::hand_views;
use crate::views::hand_views::HandDelivery;
use crate::views::headlines;
use crate::views::viewer_buttons;
use crate::workers::label_text;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::{PiecePath, Scene, TouchArea, TouchSpot};
use caravanserai_games::text::{RichSpan, Text};
use caravanserai_games::{ActionChoice, Match, UprightLayout};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{
    ActionState, ButtonState, ClocksState, LastAction, NamedTime, PathState, PhaseName,
    PictureFrame, PictureRequest, RoundState, STATE_VERSION, SeatState, SpectatorCount,
    SpectatorCounts, StatePicture, StateQuery, TableStateView, ViewerPage,
};
use caravanserai_table::clock::TimeControl;
use caravanserai_table::command::{Actor, Command, MoveChoice};
use caravanserai_table::review;
use caravanserai_table::state::{Table, TablePhase};
use caravanserai_table::steps::TableStep;

/// The most new steps that are listed, and shown as animation.
const NEW_STEPS_MAX: usize = 24;

/// The viewer, and the side from which they look at the board.
pub(super) struct StateViewpoint {
    /// The seat that they play now.
    pub(super) seat: Option<u8>,
    /// The seat whose side of the board is at the bottom.
    pub(super) below: Seat,
    /// The viewer of their hand, if hands are hidden and dealt.
    hand: Option<Viewer>,
    /// The layout for their upright screen, if the game has one.
    upright: Option<UprightLayout>,
}

impl StateViewpoint {
    pub(super) fn new(
        table: &Table,
        person: &PersonId,
        is_watch_only: bool,
        reader: &DisplayPrefs,
    ) -> Self {
        let seats: Vec<u8> = table.seating.seats_of(person).filter(|_| !is_watch_only).collect();
        let turn = table.seat_to_move().filter(|turn| seats.contains(turn));
        let seat = turn.or_else(|| seats.first().copied());
        let below = match table.is_solo() {
            // The board does not turn with every move of a person who plays both sides.
            true => table.only_human_seat(),
            false => seat.or_else(|| table.only_human_seat()).filter(|_| !reader.fixed_orientation),
        };
        let viewer = |seat: u8| Viewer::Seat(Seat(seat));
        let hand = seat.filter(|_| hand_views::has_hands(table)).map(viewer);
        Self { seat, below: Seat(below.unwrap_or(0)), hand, upright: None }
    }

    /// The viewpoint of a person who plays on no seat.
    pub(super) fn for_side(below: Seat, upright: Option<UprightLayout>) -> Self {
        Self { seat: None, below, hand: None, upright }
    }

    /// The picture as it is laid out for this viewer.
    pub(super) fn lay_out(&self, scene: Scene) -> Scene {
        laid_out(scene, self.upright)
    }

    /// An area on that picture.
    pub(super) fn area(&self, area: &TouchArea) -> [i32; 5] {
        upright_area(area, self.upright)
    }
}

/// A picture in the layout for an upright screen, if there is one.
pub(super) fn laid_out(scene: Scene, upright: Option<UprightLayout>) -> Scene {
    match upright {
        Some(layout) => (layout.scene)(scene),
        None => scene,
    }
}

/// The numbers of an area of that picture.
pub(super) fn upright_area(area: &TouchArea, upright: Option<UprightLayout>) -> [i32; 5] {
    area_numbers(&upright.map_or_else(|| *area, |it| (it.area)(area)))
}

/// How actions are described: their callback data, and how texts name the players.
pub(super) struct ActionTexts<'a> {
    /// The language.
    pub(super) lang: Lang,
    /// The callback data of a token.
    pub(super) callback_data: &'a dyn Fn(&str) -> String,
    /// Puts the names of the players into texts.
    pub(super) with_names: &'a dyn Fn(Vec<Text>) -> Vec<Text>,
}

impl MessageRenderer {
    /// The state of a table for a person in the chat from which they look at it; `None` if they may
    /// not see it there.
    pub fn table_state(
        &self,
        table: &Table,
        viewer: &Actor,
        reader: &DisplayPrefs,
        (query, spectators): (StateQuery, SpectatorCount),
        ratings: Option<&GameRatings>,
    ) -> Option<TableStateView> {
        let (chat, person) = (&viewer.chat, &viewer.person);
        let location = table.chats.location_in(chat)?;
        if location.reader.is_some_and(|it| it != person) {
            return None;
        }
        let lang = reader.lang;
        let mut viewpoint = StateViewpoint::new(table, person, location.is_watch_only, reader);
        let game = table.game.as_deref();
        if query.picture == PictureRequest::DrawUpright {
            viewpoint.upright = game.and_then(|it| it.upright_layout());
        }
        let view = viewer_board(table, viewer, viewpoint.seat, ratings);
        let mut state = TableStateView {
            version: STATE_VERSION,
            table: table.id.0.clone(),
            game: table.game_id().info().code,
            options: table.setup.options.clone(),
            phase: phase_name(&table.phase),
            change: table.version,
            moment: table.history.position,
            position: game
                .and_then(|it| it.position_text(viewpoint.hand.unwrap_or(Viewer::Public))),
            seats: self.seat_states(table, person, lang),
            turn: table.seat_to_move(),
            clock: clocks_state(table, viewer.now_ms),
            you: viewpoint.seat,
            twice: false,
            actions: Vec::new(),
            rows: Vec::new(),
            page: query.page.unwrap_or_default(),
            pages: 0,
            keys: self.state_buttons(&view, lang),
            last: last_actions(table, query.since),
            says: Vec::new(),
            main: headlines::headline_indices(table, &view.texts),
            times: Vec::new(),
            board: self
                .plain_lines(lang, &board_view::board_text_view(table, Viewer::Public).texts),
            hand: Vec::new(),
            watching: self.spectator_counts(spectators, lang),
            scores: match &table.phase {
                TablePhase::Over { scores, .. } => Some(scores.clone()),
                TablePhase::Lobby | TablePhase::Playing | TablePhase::Closed { .. } => None,
            },
            lobby: self.lobby_state(table, &view, lang),
            round: game.and_then(|it| it.last_round()).map(|it| RoundState {
                number: it.number,
                says: self.plain_lines(lang, &with_names(table, it.texts)),
            }),
            picture: None,
        };
        self.add_texts(&mut state, &view, lang);
        if let (Some(seat), Some(_)) = (viewpoint.seat, viewpoint.hand) {
            let view = board_view::with_player_names(
                table,
                hand_views::hand_view(table, seat, HandDelivery::Buttons),
            );
            state.hand = self.plain_lines(lang, &view.texts);
        }
        if let (Some(seat), Some(game)) =
            (viewpoint.seat.filter(|it| table.seat_to_move() == Some(*it)), game)
            && !table.is_frozen()
        {
            self.add_actions(&mut state, table, game, (Seat(seat), &viewpoint), lang, query.page);
        }
        if query.picture != PictureRequest::Omit {
            state.picture = self.state_picture(table, &viewpoint, reader, query.since);
        }
        Some(state)
    }

    /// Adds the texts of the board, and the times that they name.
    fn add_texts(&self, state: &mut TableStateView, view: &View, lang: Lang) {
        for text in &view.texts {
            let text = self
                .i18n()
                .translate(lang, &text.clone().with_time_texts(&clock_views::absolute_moment_text));
            state.says.push(text.to_plain());
            state.times.extend(text.0.into_iter().filter_map(|it| match it {
                RichSpan::Time { at_ms, day, away } => {
                    Some(NamedTime { text: away, time: at_ms, day })
                }
                _ => None,
            }));
        }
    }

    fn spectator_counts(&self, spectators: SpectatorCount, lang: Lang) -> SpectatorCounts {
        let SpectatorCount { people, chats } = spectators;
        // The board names the other chats.
        let text = SpectatorCount { people, chats: 0 }.to_text();
        SpectatorCounts {
            people,
            chats,
            says: text.map(|it| self.i18n().translate_plain(lang, &it)),
        }
    }

    pub(super) fn plain_lines(&self, lang: Lang, texts: &[Text]) -> Vec<String> {
        texts.iter().map(|it| self.i18n().translate_plain(lang, it)).collect()
    }

    /// The buttons of a board without those that play, show the hand or post the board again,
    /// because a program reads the actions and the hand from the state.
    fn state_buttons(&self, view: &View, lang: Lang) -> Vec<Vec<ButtonState>> {
        let plays = |it: &&ButtonSpec| {
            TableCallback::decode(&it.callback_data).is_some_and(|it| {
                let action = it.action;
                matches!(action.command(), Some(Command::Move { .. }))
                    || action.is::<ShowMoreMoves>()
                    || action.is::<PlayNumberedCard>()
                    || action.is::<ShowHand>()
                    || action.is::<ShowBoard>()
            })
        };
        let page_of = |it: &ButtonSpec| {
            let TableCallback { table, action } = TableCallback::decode(&it.callback_data)?;
            if action.is::<SendReplay>() {
                return Some(ViewerPage::replay(table));
            }
            action.is::<RequestReview>().then_some(ViewerPage::Review { table, step: None })
        };
        let button = |it: &ButtonSpec| ButtonState {
            label: label_text(self.i18n(), lang, &it.label),
            callback_data: it.callback_data.clone(),
            tone: it.tone,
            look: page_of(it).map(|it| it.url_path()),
        };
        let rows = view.button_rows.iter();
        let rows = rows.map(|row| row.iter().filter(|it| !plays(it)).map(button).collect());
        rows.filter(|row: &Vec<ButtonState>| !row.is_empty()).collect()
    }

    pub(super) fn seat_states(
        &self,
        table: &Table,
        person: &PersonId,
        lang: Lang,
    ) -> Vec<SeatState> {
        let names = table.player_names().into_iter();
        let seat = |(seat, name): (u8, caravanserai_games::text::Arg)| SeatState {
            name: label_text(self.i18n(), lang, &name),
            you: table.seating.has_seat(person, seat),
            computer: table.seating.occupant(seat).and_then(|it| it.level()),
        };
        (0..).zip(names).map(seat).collect()
    }

    /// The names of the players, without the seats that are open.
    pub(crate) fn seated_names(&self, table: &Table, lang: Lang) -> Vec<String> {
        let named = (0..).zip(table.player_names());
        let named = named.filter(|(seat, _)| table.seating.occupant(*seat).is_some());
        named.map(|(_, name)| label_text(self.i18n(), lang, &name)).collect()
    }

    /// Adds the actions of the seat to move, and their areas on the picture.
    fn add_actions(
        &self,
        state: &mut TableStateView,
        table: &Table,
        game: &dyn Match,
        (seat, viewpoint): (Seat, &StateViewpoint),
        lang: Lang,
        page: Option<u8>,
    ) {
        let page_number = page.unwrap_or_default();
        let panel = game.panel(seat, page_number);
        let rows = panel_rows(panel.rows);
        // Of hundreds of bids only those of one page are included.
        let is_shown = |it: &ActionChoice, spot: Option<&TouchSpot<ActionChoice>>| {
            page.is_none()
                || rows.iter().flatten().any(|shown| *shown == it.token)
                || spot.is_some_and(|it| !it.has_button)
        };
        let callback_data = |token: &str| {
            let play = Command::Move {
                position: Some(table.history.position),
                choice: MoveChoice::Token(token.to_owned()),
            };
            board_view::table_callback_data(table, &ExecuteCommand(play))
        };
        let names = |texts: Vec<Text>| with_names(table, texts);
        let texts = ActionTexts { lang, callback_data: &callback_data, with_names: &names };
        state.actions = self.action_states(game, (seat, viewpoint), &texts, &is_shown);
        state.page = page_number.min(panel.pages.saturating_sub(1));
        state.pages = panel.pages;
        state.rows = rows;
    }

    /// The actions of a seat that are shown, with their areas on the picture.
    pub(super) fn action_states(
        &self,
        game: &dyn Match,
        (seat, viewpoint): (Seat, &StateViewpoint),
        texts: &ActionTexts<'_>,
        is_shown: &dyn Fn(&ActionChoice, Option<&TouchSpot<ActionChoice>>) -> bool,
    ) -> Vec<ActionState> {
        let spots = game.spots(seat, viewpoint.below);
        let spot_of = |token: &str| spots.iter().find(|it| it.action.token == token);
        let would: HashMap<String, Vec<Text>> = game.previews(seat).into_iter().collect();
        let path_state = |it: &PiecePath| PathState {
            at: viewpoint.area(&it.from),
            to: viewpoint.area(&it.to),
            takes: it.is_capture,
        };
        let mut paths: HashMap<String, Vec<PathState>> = game
            .paths(seat, viewpoint.below)
            .into_iter()
            .map(|(token, paths)| (token, paths.iter().map(path_state).collect()))
            .collect();
        let to_line = |lines: &[Text]| {
            self.plain_lines(texts.lang, &(texts.with_names)(lines.to_vec())).join(", ")
        };
        let to_action = |choice: ActionChoice| {
            let area = spot_of(&choice.token);
            ActionState {
                label: label_text(self.i18n(), texts.lang, &choice.label),
                callback_data: (texts.callback_data)(&choice.token),
                at: area.filter(|it| !it.has_button).map(|it| viewpoint.area(&it.at)),
                also: area.filter(|it| it.has_button).map(|it| viewpoint.area(&it.at)),
                to: area.and_then(|it| it.to.as_ref()).map(|it| viewpoint.area(it)),
                takes: area.is_some_and(|it| it.is_capture),
                paths: paths.remove(&choice.token).unwrap_or_default(),
                would: would.get(&choice.token).map_or(String::new(), |it| to_line(it)),
                token: choice.token,
            }
        };
        let choices = game.choices(seat).into_iter();
        choices.filter(|it| is_shown(it, spot_of(&it.token))).map(to_action).collect()
    }

    fn state_picture(
        &self,
        table: &Table,
        viewpoint: &StateViewpoint,
        reader: &DisplayPrefs,
        since: Option<u64>,
    ) -> Option<StatePicture> {
        let names = self.player_names(table, reader.lang);
        let draw = |scene: Scene| self.renderer.vector(&scene, &reader.theme);
        let draw_board = |scene: Scene| draw(viewpoint.lay_out(scene));
        let game = table.game.as_deref()?;
        let board = draw_board(game.scene_seen_from(
            Viewer::Public,
            viewpoint.below,
            &names,
            table.early_end_scores(),
        ));
        let hand = viewpoint.hand.map(|it| draw(game.scene(it, &names, None)));
        let mut before: Vec<PictureFrame> = Vec::new();
        review::replay_from(table, first_new_step(table, since), |game| {
            let text =
                self.plain_lines(reader.lang, &with_names(table, game.caption(Viewer::Public)));
            let frames = game.replay_frames(Viewer::Public, viewpoint.below, &names).into_iter();
            let after = game.scene_seen_from(Viewer::Public, viewpoint.below, &names, None);
            for scene in frames.map(|it| it.0).chain([after]) {
                let board = draw_board(scene);
                if before.last().is_none_or(|it| it.board != board) {
                    let frame = PictureFrame::from_board(board);
                    before.push(PictureFrame { says: text.clone(), ..frame });
                }
            }
            if let (Some(last), Some(sound)) = (before.last_mut(), game.sound()) {
                last.sound = Some(sound);
            }
        });
        let is_last = before.last().is_some_and(|it| it.board == board);
        let sound = before.pop_if(|_| is_last).and_then(|it| it.sound);
        let excess = before.len().saturating_sub(NEW_STEPS_MAX);
        before.drain(..excess);
        omit_repeated_texts(&mut before);
        Some(StatePicture { board, hand, sound, before })
    }
}

/// Empties the texts of frames that say the same as the frame before them.
fn omit_repeated_texts(frames: &mut [PictureFrame]) {
    let mut shown = Vec::new();
    for frame in frames {
        if frame.says == shown {
            frame.says.clear();
        } else {
            shown.clone_from(&frame.says);
        }
    }
}

/// The tokens of the actions in rows of buttons.
pub(super) fn panel_rows(rows: Vec<Vec<ActionChoice>>) -> Vec<Vec<String>> {
    rows.into_iter().map(|row| row.into_iter().map(|it| it.token).collect()).collect()
}

/// An area on a picture: middle, width, height, degrees.
pub(super) fn area_numbers(it: &TouchArea) -> [i32; 5] {
    [it.at.x, it.at.y, it.width as i16, it.height as i16, it.turn].map(i32::from)
}

pub(crate) fn phase_name(phase: &TablePhase) -> PhaseName {
    match phase {
        TablePhase::Lobby => PhaseName::Lobby,
        TablePhase::Playing => PhaseName::Playing,
        TablePhase::Over { .. } => PhaseName::Over,
        TablePhase::Closed { .. } => PhaseName::Closed,
    }
}

fn with_names(table: &Table, texts: Vec<Text>) -> Vec<Text> {
    texts.into_iter().map(|it| board_view::insert_player_names(table, it)).collect()
}

/// The board as this viewer needs it: with their own buttons and conditional moves, and without the
/// line about the clocks if the state has their numbers.
fn viewer_board(
    table: &Table,
    viewer: &Actor,
    seat: Option<u8>,
    ratings: Option<&GameRatings>,
) -> View {
    let plain = BoardContext::plain(&viewer.chat, HandDelivery::Buttons);
    let context = BoardContext { ratings, ..plain };
    let mut view = board_view::board_view(table, context);
    let has_clock = clocks_state(table, viewer.now_ms).is_some();
    view.texts.retain(|it| !has_clock || it.key != clock_views::CLOCK_LINE);
    view.button_rows = viewer_buttons::buttons_for_viewer(view.button_rows, table, viewer);
    if let Some(seat) = seat {
        conditional_moves::add_conditional_moves(&mut view, table, seat);
    }
    view
}

/// The clocks of a table at a moment; `None` if nobody plays by a clock there.
fn clocks_state(table: &Table, now_ms: u64) -> Option<ClocksState> {
    if !table.is_timed() || table.phase != TablePhase::Playing {
        return None;
    }
    let running = table.running_clock();
    let left = |seat: u8| match running {
        Some(it) if it.turn.0 == seat => Some(it.until_ms.saturating_sub(now_ms)),
        _ if table.seating.is_computer(seat) => None,
        _ => match table.clocks.control {
            TimeControl::PerGame { .. } => table.clocks.left_ms.get(usize::from(seat)).copied(),
            TimeControl::PerTurn(_) | TimeControl::Unlimited => None,
        },
    };
    Some(ClocksState {
        now: now_ms,
        left: (0..table.setup.seats).map(left).collect(),
        running: running.map(|it| it.turn.0),
        paused: table.clocks.paused || table.is_frozen(),
    })
}

/// The first step that is new to a viewer who saw the table at a moment.
fn first_new_step(table: &Table, since: Option<u64>) -> usize {
    let all = table.history.steps.len();
    let known = since.and_then(|it| table.history.steps_at(it)).map_or(all, |it| it as usize);
    known.max(all.saturating_sub(NEW_STEPS_MAX))
}

/// The last actions of seats. Outcomes of chance are left out, such as dealt cards and dice under a
/// cup.
fn last_actions(table: &Table, since: Option<u64>) -> Vec<LastAction> {
    let to_action =
        |it: TableStep<'_>| Some(LastAction { seat: it.seat?, token: it.token.to_owned() });
    if since.is_some() {
        return table
            .history
            .steps
            .iter()
            .skip(first_new_step(table, since))
            .filter_map(to_action)
            .collect();
    }
    table.history.steps.iter().rev().find_map(to_action).into_iter().collect()
}
