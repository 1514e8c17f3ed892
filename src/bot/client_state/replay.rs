//! Builds replays, reviews and pages of courses for one viewer, for web pages that draw boards
//! themselves.
//!
//! The types are in `protocol::viewer_page_state`. Hands are shown to their owner, and to everybody
//! once the deal is over.

use super::table::{StateViewpoint, area_numbers, laid_out, phase_name, upright_area};
use crate::commands::replay::SendReplay;
use crate::delivery::MessageRenderer;
use crate::repository::Failure;
use crate::repository::profiles::DisplayPrefs;
use crate::views::board_view;
use crate::views::board_view::table_callback_data;
use crate::views::review_views::reviewed_move_texts;
use crate::workers::{GameReview, ReviewedMove};
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::rules::{Node, Seat, Viewer};
use caravanserai_games::scene::{Scene, TouchSpot};
use caravanserai_games::text::Text;
use caravanserai_games::vector_scene::VectorScene;
use caravanserai_games::{FramePace, GameId, Match, UprightLayout};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::{
    LessonState, LessonTarget, PictureFrame, PictureLayout, PictureMark, ReplayState,
    ReviewMomentState, ReviewState, STATE_VERSION, StatePicture, StepState,
};
use caravanserai_table::review;
use caravanserai_table::state::{Table, TablePhase};

/// The most steps in one answer.
const STEPS_PER_PAGE: u32 = 40;

/// The viewer of a replay and their rights.
struct ReplayViewpoint<'a> {
    table: &'a Table,
    display_prefs: &'a DisplayPrefs,
    names: Vec<String>,
    below: Seat,
    /// The seat whose hand is shown, and the last step at which it is shown.
    hand: Option<(u8, usize)>,
    /// The layout for an upright screen, if it is wanted and the game has one.
    upright: Option<UprightLayout>,
}

impl ReplayViewpoint<'_> {
    fn hand_at(&self, step: usize) -> Option<Viewer> {
        self.hand.filter(|it| step <= it.1).map(|it| Viewer::Seat(Seat(it.0)))
    }
}

/// The pictures of the previous step.
#[derive(Default)]
struct PreviousScenes(Option<(Scene, Option<Scene>)>);

impl MessageRenderer {
    /// A part of a replay for a person in one of its chats; `None` if they may not see it there,
    /// or if the game has not begun.
    pub fn replay_state(
        &self,
        table: &Table,
        (chat, person): (&ChatId, &PersonId),
        (reader, layout): (&DisplayPrefs, PictureLayout),
        (from, seat): (u32, Option<u8>),
    ) -> Option<ReplayState> {
        let location = table.chats.location_in(chat)?;
        if location.reader.is_some_and(|it| it != person) || table.setup.is_outdated() {
            return None;
        }
        let upright = table.game.as_deref()?.upright_layout();
        let upright = upright.filter(|_| layout == PictureLayout::Upright);
        let viewpoint = StateViewpoint::new(table, person, location.is_watch_only, reader);
        let seat = seat.filter(|it| *it < table.setup.seats);
        let below = seat.map_or(viewpoint.below, Seat);
        let steps = table.history.steps.len();
        let hand = table.game_id().info().hidden.then(|| {
            let is_own = viewpoint.seat == Some(below.0) && table.seating.has_seat(person, below.0);
            (below.0, if is_own { steps } else { revealed_until(table) })
        });
        let names = self.player_names(table, reader.lang);
        let viewpoint =
            ReplayViewpoint { table, display_prefs: reader, names, below, hand, upright };
        let from = (from as usize).min(steps);
        Some(ReplayState {
            version: STATE_VERSION,
            table: table.id.0.clone(),
            game: table.game_id().info().code,
            options: table.setup.options.clone(),
            phase: phase_name(&table.phase),
            moment: table.history.position,
            seats: self.seat_states(table, person, reader.lang),
            steps: steps as u32,
            from: from as u32,
            below: below.0,
            hand: hand.map(|it| it.0),
            film: table.is_over().then(|| table_callback_data(table, &SendReplay)),
            stood: self.step_states(&viewpoint, from)?,
        })
    }

    /// The states from a step on.
    fn step_states(&self, viewpoint: &ReplayViewpoint<'_>, from: usize) -> Option<Vec<StepState>> {
        let table = viewpoint.table;
        let mut all = Vec::new();
        let mut before = PreviousScenes::default();
        let to = (from + STEPS_PER_PAGE as usize).min(table.history.steps.len() + 1);
        if from == 0 {
            let start = review::game_after_steps(table, 0)?;
            all.push(self.step_state(viewpoint, &*start, 0, None, &mut before));
        }
        let mut n = from.max(1);
        let steps: Vec<_> = table.history.steps.iter().take(to.max(1) - 1).collect();
        review::replay_from(table, n - 1, |game| {
            if let Some(step) = steps.get(n - 1).filter(|_| n < to) {
                let action = step.seat.map(|seat| (seat, step.token));
                all.push(self.step_state(viewpoint, game, n, action, &mut before));
            }
            n += 1;
        });
        if to > table.history.steps.len()
            && let (Some(last), TablePhase::Over { scores, reason }) =
                (all.last_mut(), &table.phase)
        {
            self.add_result(viewpoint, last, &board_view::result_text(table, scores, *reason));
        }
        Some(all)
    }

    /// Adds the result to the last state of a finished game.
    fn add_result(&self, viewpoint: &ReplayViewpoint<'_>, last: &mut StepState, result: &Text) {
        let table = viewpoint.table;
        let lang = viewpoint.display_prefs.lang;
        if table.early_end_scores().is_some() {
            // The text ends with the prompt for a move that nobody will make.
            last.says.pop();
        }
        let result = board_view::insert_player_names(table, result.clone());
        last.says.insert(0, self.i18n().translate_plain(lang, &result));
        let Some(game) = table.game.as_deref() else { return };
        let board = game.scene_seen_from(
            Viewer::Public,
            viewpoint.below,
            &viewpoint.names,
            table.early_end_scores(),
        );
        let board = self.board_picture(&board, viewpoint);
        match &mut last.picture {
            Some(picture) => picture.board = board,
            None => last.picture = Some(StatePicture::from_board(board)),
        }
    }

    /// The state after a step, with the action and its seat.
    fn step_state(
        &self,
        viewpoint: &ReplayViewpoint<'_>,
        game: &dyn Match,
        step: usize,
        action: Option<(u8, &str)>,
        before: &mut PreviousScenes,
    ) -> StepState {
        let table = viewpoint.table;
        let lang = viewpoint.display_prefs.lang;
        let frames = game.replay_frames(Viewer::Public, viewpoint.below, &viewpoint.names);
        let pace = frames.last().map_or(FramePace::Move, |it| it.1);
        let board = game.scene_seen_from(Viewer::Public, viewpoint.below, &viewpoint.names, None);
        let hand = viewpoint.hand_at(step).map(|it| game.scene(it, &viewpoint.names, None));
        let scenes = (board, hand);
        let between = frames.into_iter().map(|it| it.0).filter(|it| *it != scenes.0);
        let between: Vec<VectorScene> =
            between.map(|it| self.board_picture(&it, viewpoint)).collect();
        let same = between.is_empty() && before.0.as_ref() == Some(&scenes);
        let picture = (!same).then(|| StatePicture {
            board: self.board_picture(&scenes.0, viewpoint),
            hand: scenes.1.as_ref().map(|it| self.vector_picture(it, viewpoint.display_prefs)),
            sound: None,
            before: between.into_iter().map(PictureFrame::from_board).collect(),
        });
        before.0 = Some(scenes);
        let to_lines = |texts: Vec<Text>| -> Vec<String> {
            let texts = texts.into_iter().map(|it| board_view::insert_player_names(table, it));
            texts.map(|it| self.i18n().translate_plain(lang, &it)).collect()
        };
        StepState {
            step: step as u32,
            seat: action.map(|it| it.0),
            token: action.map(|it| it.1.to_owned()),
            number: game.turn_number(),
            position: can_analyse(table).then(|| game.position_text(Viewer::Public)).flatten(),
            pace,
            says: to_lines(game.caption(Viewer::Public)),
            board: to_lines(game.board_text(Viewer::Public)),
            picture,
        }
    }

    /// The review of a finished game for a person in one of its chats; `None` if they may not see
    /// it there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review_state(
        &self,
        table: &Table,
        chat: &ChatId,
        person: &PersonId,
        reader: &DisplayPrefs,
    ) -> Result<Option<ReviewState>, Failure> {
        let location =
            table.chats.location_in(chat).filter(|it| it.reader.is_none_or(|it| it == person));
        let Some(location) = location.filter(|_| review::can_review(table)) else {
            return Ok(None);
        };
        let below = StateViewpoint::new(table, person, location.is_watch_only, reader).below;
        let mut state = ReviewState {
            version: STATE_VERSION,
            table: table.id.0.clone(),
            chart: None,
            words: Vec::new(),
            moments: Vec::new(),
        };
        let review = self.workers.stored_review(&table.id).await?;
        let Some(review) = review.filter(GameReview::has_chart) else {
            return Ok(Some(state));
        };
        let chart = self.workers.review_chart(table, reader.lang).await?;
        let badges = chart.map(|(scene, words, badges)| {
            state.chart = Some(self.vector_picture(&scene, reader));
            state.words = words.lines().map(str::to_owned).collect();
            badges
        });
        let badges = badges.unwrap_or_default();
        for (n, it) in review.moments.iter().enumerate() {
            let moment = self.review_moment_state(table, reader, below, it);
            let badge = badges.get(n).map(area_numbers);
            state.moments.extend(moment.map(|moment| ReviewMomentState { badge, ..moment }));
        }
        Ok(Some(state))
    }

    fn review_moment_state(
        &self,
        table: &Table,
        reader: &DisplayPrefs,
        below: Seat,
        it: &ReviewedMove,
    ) -> Option<ReviewMomentState> {
        let game = review::game_after_steps(table, it.step)?;
        let seat = Seat(it.seat);
        let step = it.step as usize;
        let hand = table.game_id().info().hidden.then_some((it.seat, usize::MAX));
        let names = self.player_names(table, reader.lang);
        // Beside its chart a wide board is the larger one on every screen.
        let viewpoint =
            ReplayViewpoint { table, display_prefs: reader, names, below, hand, upright: None };
        let played = table.history.steps.iter().nth(step)?.token.to_owned();
        let spots = game.spots(seat, below);
        let mark = |token: &str| {
            let area = spots.iter().find(|it| it.action.token == token)?;
            Some(PictureMark { at: area_numbers(&area.at), to: area.to.as_ref().map(area_numbers) })
        };
        let current =
            self.step_state(&viewpoint, &*game, step, None, &mut PreviousScenes::default());
        let picture = StatePicture { before: Vec::new(), ..current.picture? };
        let says = reviewed_move_texts(it)
            .into_iter()
            .map(|it| board_view::insert_player_names(table, it));
        Some(ReviewMomentState {
            step: it.step,
            seat: it.seat,
            number: it.shown_number(),
            badge: None,
            says: says.map(|it| self.i18n().translate_plain(reader.lang, &it)).collect(),
            board: current.board,
            picture,
            played: mark(&played),
            better: it.line.first().and_then(|token| mark(token)),
            line: self.variation_states(&viewpoint, game, step, &it.line),
        })
    }

    /// A possible continuation, as far as the game accepts it: in games with hidden hands it is
    /// only an estimate.
    fn variation_states(
        &self,
        viewpoint: &ReplayViewpoint<'_>,
        mut game: Box<dyn Match>,
        step: usize,
        tokens: &[String],
    ) -> Vec<StepState> {
        let mut all = Vec::new();
        let mut before = PreviousScenes::default();
        for (n, token) in (step + 1..).zip(tokens) {
            let Node::Act(seat) = game.node() else { break };
            if game.apply_action(seat, token).is_err() {
                break;
            }
            all.push(self.step_state(
                viewpoint,
                &*game,
                n,
                Some((seat.0, token.as_str())),
                &mut before,
            ));
        }
        all
    }

    /// A page of a course before or after a tried move; `None` if there is none.
    pub fn lesson_state(
        &self,
        game: &str,
        page: &str,
        tried: Option<&str>,
        (reader, layout): (&DisplayPrefs, PictureLayout),
    ) -> Option<LessonState> {
        let (scene, words) = self.lesson_scene(game, page, tried, reader.lang)?;
        let game = GameId::from_code(game)?;
        let upright = game.upright_layout().filter(|_| layout == PictureLayout::Upright);
        let target = |it: TouchSpot<String>| LessonTarget {
            token: it.action,
            at: upright_area(&it.at, upright),
            to: it.to.as_ref().map(|it| upright_area(it, upright)),
        };
        let spots = match tried {
            None => game.touch_spots(page, vocabulary()),
            Some(_) => Vec::new(),
        };
        Some(LessonState {
            version: STATE_VERSION,
            game: game.info().code,
            page: page.to_owned(),
            board: words.to_plain().lines().map(str::to_owned).collect(),
            picture: StatePicture::from_board(
                self.vector_picture(&laid_out(scene, upright), reader),
            ),
            spots: spots.into_iter().map(target).collect(),
        })
    }

    /// A board as it is laid out for the viewer.
    fn board_picture(&self, board: &Scene, viewpoint: &ReplayViewpoint<'_>) -> VectorScene {
        let board = laid_out(board.clone(), viewpoint.upright);
        self.vector_picture(&board, viewpoint.display_prefs)
    }

    fn vector_picture(&self, scene: &Scene, reader: &DisplayPrefs) -> VectorScene {
        self.renderer.vector(scene, &reader.theme)
    }
}

/// Whether positions of this game can be analysed: it is over, nothing was hidden, and two played.
fn can_analyse(table: &Table) -> bool {
    let is_over = table.is_over();
    is_over && table.setup.seats == 2 && table.game_id().has_setup()
}

/// The step up to which everybody may see the hands: the end of a finished game, else the end of
/// the last completed deal.
fn revealed_until(table: &Table) -> usize {
    if table.is_over() {
        return table.history.steps.len();
    }
    let mut last_end = 0;
    let mut n = 0;
    review::replay_from(table, 0, |game| {
        n += 1;
        if game.ends_deal() {
            last_end = n;
        }
    });
    last_end
}
