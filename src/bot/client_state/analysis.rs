//! Builds positions that a person analyses: the line that led there, what can be done, and the
//! parts of a position that is being set up.
//!
//! The types are in `protocol::analysis`. Only games without hidden hands are shown.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::table::{ActionTexts, StateViewpoint, panel_rows};
use crate::delivery::MessageRenderer;
use crate::repository::profiles::DisplayPrefs;
use crate::workers::{ActionChance, label_text};
use caravanserai_games::rules::{Node, Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{
    GameId, Match, NotationError, OutcomeParts, SetupChoice, SetupPart, SetupValues,
};
use caravanserai_i18n::Lang;
use caravanserai_protocol::{
    ActionState, AnalysisBoard, AnalysisQuery, AnalysisRefusal, AnalysisStart, EvaluatedAction,
    OutcomeChoice, PictureLayout, STATE_VERSION, SetupChoiceState, SetupPartState, StatePicture,
};

/// The number of seats of an analysed game.
const SEATS: u8 = 2;

/// The most steps that a game may play automatically after one.
const FORCED_MAX: usize = 64;

/// A line that a person analyses, as far as it was played.
pub(crate) struct AnalysedLine {
    /// The game.
    pub(crate) game: GameId,
    /// Its house rules, in record notation.
    options: String,
    /// The position at the end of the line.
    pub(crate) position: Box<dyn Match>,
    /// The last position before it that can be written, if it cannot be written itself.
    writable: Option<Box<dyn Match>>,
}

impl MessageRenderer {
    /// Plays the line of a query. Takes long for some lines, and ends early when it is stopped.
    ///
    /// # Errors
    /// The reason for the person: there is no such game, position or step, or it was stopped.
    pub(crate) fn analysed_line(
        &self,
        query: &AnalysisQuery,
        lang: Lang,
        stop: &AtomicBool,
    ) -> Result<AnalysedLine, AnalysisRefusal> {
        let refuse = |text: Text| self.analysis_refusal(text, lang);
        let (game, options) = self.analysed_game(query, lang)?;
        let start = match &query.start {
            AnalysisStart::Beginning => game
                .start_match(&options, SEATS)
                .map_err(|it| refuse(game.info().start_refusal(&it))),
            AnalysisStart::Position(text) => game
                .match_from_position(&options, SEATS, text)
                .map_err(|it| refuse(game.explain_position_fault(&it))),
            AnalysisStart::Setup(_) => Err(refuse(Text::new("analysis-no-setup"))),
        };
        let mut position = start?;
        let mut writable = None;
        play_forced(game, &mut *position, stop);
        for step in &query.steps {
            if stop.load(Ordering::Relaxed) {
                return Err(refuse(Text::new("refuse-busy")));
            }
            if is_writable(&*position) {
                writable = Some(position.clone_box());
            }
            apply_step(game, &mut *position, step).map_err(refuse)?;
            play_forced(game, &mut *position, stop);
        }
        let writable = writable.filter(|_| !is_writable(&*position));
        Ok(AnalysedLine { game, options, position, writable })
    }

    fn analysed_game(
        &self,
        query: &AnalysisQuery,
        lang: Lang,
    ) -> Result<(GameId, String), AnalysisRefusal> {
        let game = GameId::from_code(&query.game).filter(|it| it.has_setup());
        let game = game.ok_or_else(|| self.analysis_refusal(Text::new("analysis-no-setup"), lang));
        let game = game?;
        let options = query.options.clone().unwrap_or_else(|| game.info().default_options());
        Ok((game, options))
    }

    fn analysis_refusal(&self, text: Text, lang: Lang) -> AnalysisRefusal {
        AnalysisRefusal(self.i18n().translate_plain(lang, &with_player_names(text)))
    }

    /// The position of a query, or the draft of one that is being set up.
    ///
    /// # Errors
    /// The reason for the person.
    pub(crate) fn analysis_board(
        &self,
        query: &AnalysisQuery,
        reader: &DisplayPrefs,
        stop: &AtomicBool,
    ) -> Result<AnalysisBoard, AnalysisRefusal> {
        match &query.start {
            AnalysisStart::Setup(values) => self.draft_board(query, values, reader),
            AnalysisStart::Beginning | AnalysisStart::Position(_) => {
                let line = self.analysed_line(query, reader.lang, stop)?;
                Ok(self.line_board(query, line, reader))
            }
        }
    }

    fn line_board(
        &self,
        query: &AnalysisQuery,
        line: AnalysedLine,
        reader: &DisplayPrefs,
    ) -> AnalysisBoard {
        let AnalysedLine { game, options, position, writable } = line;
        let viewpoint = viewpoint_of(query, &*position);
        let names = self.analysis_names(reader.lang);
        let turn = seat_to_move(&*position);
        let scene = position.scene_seen_from(Viewer::Public, viewpoint.below, &names, None);
        let actions = turn.map(|seat| self.analysed_actions(&*position, seat, &viewpoint, reader));
        let scores = match position.node() {
            Node::Over(scores) => Some(scores),
            Node::Act(_) | Node::Chance => None,
        };
        let outcomes = game.outcome_parts().filter(|_| position.node() == Node::Chance);
        let picture = self.renderer.vector(&viewpoint.lay_out(scene), &reader.theme);
        // A position that cannot be written cannot be set up: one with throws left, for example.
        let setup = writable.as_ref().unwrap_or(&position).setup_parts(viewpoint.below);
        AnalysisBoard {
            version: STATE_VERSION,
            game: game.info().code,
            options,
            position: position.position_text(Viewer::Public),
            names,
            turn: turn.map(|it| it.0),
            outcomes: outcomes.map(outcome_choice),
            scores,
            actions: actions.unwrap_or_default(),
            rows: turn.map(|seat| panel_rows(position.panel(seat, 0).rows)).unwrap_or_default(),
            says: self.analysis_lines(position.caption(Viewer::Public), reader.lang),
            board: self.analysis_lines(position.board_text(Viewer::Public), reader.lang),
            picture: StatePicture::from_board(picture),
            setup: self.part_states(setup, &viewpoint, reader.lang),
            fault: None,
        }
    }

    /// A position that is being set up, possible or not.
    fn draft_board(
        &self,
        query: &AnalysisQuery,
        values: &[String],
        reader: &DisplayPrefs,
    ) -> Result<AnalysisBoard, AnalysisRefusal> {
        let lang = reader.lang;
        let (game, options) = self.analysed_game(query, lang)?;
        let explain = |it: &NotationError| game.explain_position_fault(it);
        let names = self.analysis_names(lang);
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let below = below_of(query);
        let draft = game.draft_position(&options, &values, below, &names);
        let draft = draft.map_err(|it| self.analysis_refusal(explain(&it), lang))?;
        let placed = game.match_from_position(&options, SEATS, &draft.text);
        let upright = game.start_match(&options, SEATS).ok().and_then(|it| it.upright_layout());
        let upright = upright.filter(|_| query.layout == PictureLayout::Upright);
        let viewpoint = StateViewpoint::for_side(below, upright);
        let picture = self.renderer.vector(&viewpoint.lay_out(draft.scene), &reader.theme);
        Ok(AnalysisBoard {
            version: STATE_VERSION,
            game: game.info().code,
            options,
            position: Some(draft.text),
            names,
            turn: None,
            outcomes: None,
            scores: None,
            actions: Vec::new(),
            rows: Vec::new(),
            says: Vec::new(),
            board: self.analysis_lines(draft.board, lang),
            picture: StatePicture::from_board(picture),
            setup: self.part_states(draft.parts, &viewpoint, lang),
            fault: placed.err().map(|it| self.analysis_refusal(explain(&it), lang).0),
        })
    }

    /// Evaluated actions with their labels and areas, for the first seat.
    pub(crate) fn evaluated_actions(
        &self,
        query: &AnalysisQuery,
        position: &dyn Match,
        evaluated: &[ActionChance],
        reader: &DisplayPrefs,
    ) -> Vec<EvaluatedAction> {
        let Some(seat) = seat_to_move(position) else { return Vec::new() };
        let viewpoint = viewpoint_of(query, position);
        let actions = self.analysed_actions(position, seat, &viewpoint, reader).into_iter();
        let mut by_token: HashMap<String, ActionState> =
            actions.map(|it| (it.token.clone(), it)).collect();
        let to_evaluated = |it: &ActionChance| {
            let action = by_token.remove(&it.token)?;
            Some(EvaluatedAction {
                token: action.token,
                label: action.label,
                chance: it.chance,
                at: action.at.or(action.also),
                to: action.to,
                paths: action.paths,
            })
        };
        evaluated.iter().filter_map(to_evaluated).collect()
    }

    fn analysed_actions(
        &self,
        position: &dyn Match,
        seat: Seat,
        viewpoint: &StateViewpoint,
        reader: &DisplayPrefs,
    ) -> Vec<ActionState> {
        let texts = ActionTexts {
            lang: reader.lang,
            callback_data: &str::to_owned,
            with_names: &|texts| texts.into_iter().map(with_player_names).collect(),
        };
        self.action_states(position, (seat, viewpoint), &texts, &|_, _| true)
    }

    fn analysis_names(&self, lang: Lang) -> Vec<String> {
        let name = |seat| self.i18n().translate_plain(lang, &player_name(seat));
        (0..SEATS).map(name).collect()
    }

    fn analysis_lines(&self, texts: Vec<Text>, lang: Lang) -> Vec<String> {
        let texts: Vec<Text> = texts.into_iter().map(with_player_names).collect();
        self.plain_lines(lang, &texts)
    }

    fn part_states(
        &self,
        parts: Vec<SetupPart>,
        viewpoint: &StateViewpoint,
        lang: Lang,
    ) -> Vec<SetupPartState> {
        let label_of = |label: Arg| match label {
            Arg::Seat(seat) => self.i18n().translate_plain(lang, &player_name(seat)),
            other => label_text(self.i18n(), lang, &other),
        };
        let choice = |it: SetupChoice| SetupChoiceState {
            value: it.value,
            label: label_of(it.label),
            at: it.at.map(|it| viewpoint.area(&it)),
        };
        let part = |it: SetupPart| {
            let (most, values) = match it.values {
                SetupValues::Number(most) => (Some(most), Vec::new()),
                SetupValues::Choice(all) => (None, all.into_iter().map(choice).collect()),
            };
            SetupPartState {
                label: self.i18n().translate_plain(lang, &with_player_names(it.label)),
                value: it.value,
                most,
                values,
                at: it.at.map(|it| viewpoint.area(&it)),
            }
        };
        parts.into_iter().map(part).collect()
    }
}

/// The name of a seat.
fn player_name(seat: u8) -> Text {
    Text::new("analysis-player").with("n", i64::from(seat) + 1)
}

fn with_player_names(text: Text) -> Text {
    text.with_seat_names(&|seat| player_name(seat).into())
}

fn below_of(query: &AnalysisQuery) -> Seat {
    Seat(query.below.min(SEATS - 1))
}

fn viewpoint_of(query: &AnalysisQuery, position: &dyn Match) -> StateViewpoint {
    let upright = match query.layout {
        PictureLayout::Upright => position.upright_layout(),
        PictureLayout::Wide => None,
    };
    StateViewpoint::for_side(below_of(query), upright)
}

fn seat_to_move(position: &dyn Match) -> Option<Seat> {
    match position.node() {
        Node::Act(seat) => Some(seat),
        Node::Chance | Node::Over(_) => None,
    }
}

fn outcome_choice(it: OutcomeParts) -> OutcomeChoice {
    OutcomeChoice { first: it.first, last: it.last, most: it.most }
}

/// Whether the position has a written form. A game that is over has no use for one.
fn is_writable(position: &dyn Match) -> bool {
    matches!(position.node(), Node::Over(_)) || position.position_text(Viewer::Public).is_some()
}

/// Plays an action of the seat to move, or applies an outcome of chance.
///
/// # Errors
/// The reason why it is not possible.
fn apply_step(game: GameId, position: &mut dyn Match, step: &str) -> Result<(), Text> {
    match position.node() {
        Node::Act(seat) => {
            position.apply_action(seat, step).map_err(|it| position.explain_refusal(seat, step, it))
        }
        Node::Chance => {
            game.outcome_parts().map_or(Ok(()), |it| it.check_length(step))?;
            position.apply_chance(step).map_err(|it| Text::new(it.key))
        }
        Node::Over(_) => Err(Text::new("analysis-over")),
    }
}

/// Plays what needs no decision, as a table does. An only action in a game with chance shows the
/// outcome: it needs no decision here, because the person has chosen the outcome.
fn play_forced(game: GameId, position: &mut dyn Match, stop: &AtomicBool) {
    let has_outcomes = game.outcome_parts().is_some();
    for _ in 0..FORCED_MAX {
        let Some(seat) = seat_to_move(position).filter(|_| !stop.load(Ordering::Relaxed)) else {
            return;
        };
        let mut choices = position.choices(seat);
        let only = choices.pop().filter(|_| has_outcomes && choices.is_empty());
        let forced = position.forced_action().or(only.map(|it| it.token));
        if forced.is_none_or(|step| position.apply_action(seat, &step).is_err()) {
            return;
        }
    }
}
