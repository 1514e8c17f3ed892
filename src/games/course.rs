//! Presents the lessons of a game page by page, with questions that its own rules answer.
//!
//! A page is a playable position and a task: answer a question, or try a move. The rules compute
//! the right answer each time, so nothing is stored between two presses, and no text can disagree
//! with the game.

use super::definition::{GameDefinition, UprightLayout};
use super::table_match::{ActionChoice, bottom_seat};
use crate::rules::{Node, Rules, Seat, Token, Viewer};
use crate::scene::{Scene, TouchArea, TouchSpot};
use crate::text::{Arg, Text};
use crate::vocabulary::{Vocabulary, WordLists};

/// The course of a game, and its advice for a first game.
pub struct Course<R: Rules> {
    /// Names of the pages in the order of learning: small letters and dashes. The text of a page is
    /// `<game>-lesson-<page>`, that of its task ends with `-ask` and `-why`.
    pub pages: &'static [&'static str],
    /// The parts of the course in their order; empty where it is not divided.
    pub parts: &'static [CoursePart],
    /// The number of players on the pages, and in the first game after them.
    pub seats: u8,
    /// Builds the page with this name. `words` are the typed words of this game.
    pub page: fn(&str, &WordLists) -> Option<CoursePage<R>>,
    /// The touch area of the answer with this token on the picture of a page: a pit, a square, a
    /// card, a player. `None` where it is a word or a number.
    pub answer_area: fn(&str, &R::View, &str) -> Option<TouchArea>,
    /// Whether a move that was tried on a page, with these facts, does what the page is about;
    /// `None` where every move is as good.
    pub reaches_goal: fn(&str, &[R::Fact]) -> Option<bool>,
    /// Hints for the seat to move, from its view, the best first.
    pub advice: fn(&R::View, Seat) -> Vec<Text>,
}

/// A part of a course: the pages from its first one to the first page of the next part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoursePart {
    /// Its name in small letters. Its title is `<game>-part-<name>`.
    pub name: &'static str,
    /// Its first page. The first part begins with the first page of the course.
    pub first: &'static str,
}

/// A page of a course.
pub struct CoursePage<R: Rules> {
    /// The position.
    pub game: R,
    /// The viewer whose view is shown.
    pub viewer: Viewer,
    /// The task.
    pub task: CourseTask,
}

/// The task of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CourseTask {
    /// Choose one of these; the rules decide which is right.
    ChooseAnswer(Vec<CourseAnswer>),
    /// Try a move of the seat to move, to see its result.
    TryMove,
}

/// One of the answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseAnswer {
    /// Identifies the answer in button data: short and without dots.
    pub token: String,
    /// The label of its button.
    pub label: Arg,
    /// Whether it is right.
    pub is_right: bool,
}

impl CourseAnswer {
    /// Makes an answer.
    pub fn new(token: impl Into<String>, label: impl Into<Arg>, is_right: bool) -> Self {
        CourseAnswer { token: token.into(), label: label.into(), is_right }
    }
}

impl CourseTask {
    /// A question for a number: the right one and others, in rising order.
    pub fn number_question(right: i64, others: &[i64]) -> CourseTask {
        let mut all: Vec<i64> = others.iter().copied().chain([right]).collect();
        all.sort_unstable();
        all.dedup();
        let answer = |it: &i64| CourseAnswer::new(it.to_string(), it.to_string(), *it == right);
        CourseTask::ChooseAnswer(all.iter().map(answer).collect())
    }

    /// A yes-or-no question.
    pub fn yes_no_question(yes: bool) -> CourseTask {
        CourseTask::ChooseAnswer(vec![
            CourseAnswer::new("yes", Text::new("lesson-yes"), yes),
            CourseAnswer::new("no", Text::new("lesson-no"), !yes),
        ])
    }

    /// A question for the items that fit.
    pub fn choice_question<T>(
        all: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> (String, Arg),
        right: impl Fn(&T) -> bool,
    ) -> CourseTask {
        let answer = |it: T| {
            let (token, label) = name(&it);
            CourseAnswer::new(token, label, right(&it))
        };
        CourseTask::ChooseAnswer(all.into_iter().map(answer).collect())
    }
}

/// The task of a page, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseLesson {
    /// The answers; empty where a move is tried.
    pub answers: Vec<CourseAnswer>,
    /// The moves that can be tried.
    pub moves: Vec<ActionChoice>,
}

/// The result of a move that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedMove {
    /// The description of its effect.
    pub texts: Vec<Text>,
    /// Whether it does what the page is about; `None` where every move is as good.
    pub reaches_goal: Option<bool>,
}

/// The display of a page, before or after a move was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseView {
    /// The picture.
    pub scene: Scene,
    /// The same in words.
    pub words: Vec<Text>,
}

/// A game whose course can be shown.
pub trait CourseGame {
    /// Names of the pages in their order.
    fn pages(&self) -> &'static [&'static str];
    /// The parts of the course in their order; empty where it is not divided.
    fn parts(&self) -> &'static [CoursePart];
    /// The number of players on the pages, and in the first game after them.
    fn course_seats(&self) -> u8;
    /// The task of a page; `None` when there is no such page.
    fn lesson(&self, page: &str, words: &Vocabulary) -> Option<CourseLesson>;
    /// The result of trying this move on a page; `None` when it is not possible there.
    fn try_move(&self, page: &str, token: &str, words: &Vocabulary) -> Option<TriedMove>;
    /// The touch areas of the answers, or of the moves to try, on the picture of a page, by token.
    fn touch_spots(&self, page: &str, words: &Vocabulary) -> Vec<TouchSpot<String>>;
    /// The layout of the pictures of pages for an upright screen; `None` if that is no other.
    fn upright_layout(&self) -> Option<UprightLayout>;
    /// The display of a page, after this move if one was tried, with names by seat.
    fn page_view(
        &self,
        page: &str,
        token: Option<&str>,
        words: &Vocabulary,
        names: &[String],
    ) -> Option<CourseView>;
}

impl<R: Rules> GameDefinition<R> {
    fn page(&self, page: &str, words: &Vocabulary) -> Option<CoursePage<R>> {
        (self.course.page)(page, words.game_words(self.info.code))
    }

    /// The moves of the seat to move: the public ones, then those from its hand.
    fn moves(&self, page: &CoursePage<R>) -> Vec<R::Action> {
        let Node::Act(seat) = page.game.node() else { return Vec::new() };
        let view = page.game.view(Viewer::Seat(seat));
        let legal = page.game.actions(seat);
        let public = (self.table.panel)(&view, &legal, 0).rows.into_iter().flatten();
        let in_hand = (self.table.hand)(&view).into_iter().filter(|it| legal.contains(it));
        public.chain(in_hand).collect()
    }

    /// The game after a move that was tried, and the facts of that move.
    fn play_tried_move(&self, page: &CoursePage<R>, token: &str) -> Option<(R, Vec<R::Fact>)> {
        let action = R::Action::read(token).filter(|it| self.moves(page).contains(it))?;
        let Node::Act(seat) = page.game.node() else { return None };
        let mut game = page.game.clone();
        let mut facts = Vec::new();
        game.apply_action(seat, &action, &mut facts).ok()?;
        Some((game, facts))
    }
}

impl<R: Rules> CourseGame for GameDefinition<R> {
    fn pages(&self) -> &'static [&'static str] {
        self.course.pages
    }

    fn parts(&self) -> &'static [CoursePart] {
        self.course.parts
    }

    fn course_seats(&self) -> u8 {
        self.course.seats
    }

    fn lesson(&self, page: &str, words: &Vocabulary) -> Option<CourseLesson> {
        let page = self.page(page, words)?;
        Some(match &page.task {
            CourseTask::ChooseAnswer(answers) => {
                CourseLesson { answers: answers.clone(), moves: Vec::new() }
            }
            CourseTask::TryMove => {
                let Node::Act(seat) = page.game.node() else { return None };
                let view = page.game.view(Viewer::Seat(seat));
                let choice = |it: &R::Action| ActionChoice {
                    token: it.write(),
                    label: (self.table.label)(&view, it),
                };
                let moves = self.moves(&page).iter().map(choice).collect();
                CourseLesson { answers: Vec::new(), moves }
            }
        })
    }

    fn try_move(&self, name: &str, token: &str, words: &Vocabulary) -> Option<TriedMove> {
        let page = self.page(name, words).filter(|it| it.task == CourseTask::TryMove)?;
        let (game, facts) = self.play_tried_move(&page, token)?;
        let mut caption = (self.table.caption)(&game.view(Viewer::Public));
        // The seat to move next does not matter: the course does not play on from here.
        if caption.len() > 1 && !matches!(game.node(), Node::Over(_)) {
            caption.pop();
        }
        let reaches_goal = (self.course.reaches_goal)(name, &facts);
        Some(TriedMove { texts: caption, reaches_goal })
    }

    fn upright_layout(&self) -> Option<UprightLayout> {
        self.table.upright
    }

    fn touch_spots(&self, name: &str, words: &Vocabulary) -> Vec<TouchSpot<String>> {
        let Some(page) = self.page(name, words) else { return Vec::new() };
        match &page.task {
            CourseTask::ChooseAnswer(answers) => {
                let view = page.game.view(page.viewer);
                let spot = |it: &CourseAnswer| {
                    let at = (self.course.answer_area)(name, &view, &it.token)?;
                    Some(TouchSpot {
                        action: it.token.clone(),
                        at,
                        to: None,
                        is_capture: false,
                        has_button: false,
                    })
                };
                answers.iter().filter_map(spot).collect()
            }
            // Moves from a hand that the picture does not show have only buttons.
            CourseTask::TryMove if self.info.hidden && page.viewer == Viewer::Public => Vec::new(),
            CourseTask::TryMove => {
                let Node::Act(seat) = page.game.node() else { return Vec::new() };
                let view = page.game.view(Viewer::Seat(seat));
                let spots = (self.table.spots)(&view, &self.moves(&page), bottom_seat(page.viewer));
                let spot = |it: TouchSpot<R::Action>| TouchSpot {
                    action: it.action.write(),
                    at: it.at,
                    to: it.to,
                    is_capture: it.is_capture,
                    has_button: it.has_button,
                };
                spots.into_iter().map(spot).collect()
            }
        }
    }

    fn page_view(
        &self,
        page: &str,
        token: Option<&str>,
        words: &Vocabulary,
        names: &[String],
    ) -> Option<CourseView> {
        let page = self.page(page, words)?;
        let (view, viewer) = match token {
            None => (page.game.view(page.viewer), page.viewer),
            Some(token) => {
                let (game, facts) = self.play_tried_move(&page, token)?;
                let view = game.view(Viewer::Public);
                // Shows the frame that a replay shows of the move: a trick with all its cards.
                let frame = (self.record.replay_frames)(&view, &facts).into_iter().next();
                (frame.map_or(view, |(view, _)| view), Viewer::Public)
            }
        };
        Some(CourseView {
            scene: (self.table.scene)(&view, names, None, bottom_seat(viewer)),
            words: (self.table.board_text)(&view),
        })
    }
}
