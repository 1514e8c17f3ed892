//! Courses: what a game teaches page by page, with questions that its own rules judge.
//!
//! A page is a position that is really played and something to do with it: answer a question, or
//! try a move. Which answer is right is worked out by the rules each time, so nothing has to be
//! remembered between two presses, and no text can disagree with the game.

use super::pack::Pack;
use super::table::{Choice, below};
use crate::input::{Vocabulary, Words};
use crate::rules::{Node, Rules, Seat, Token, Viewer};
use crate::scene::{Area, Scene, Spot};
use crate::words::{Arg, Text};

/// What a game teaches, and what it says to somebody who plays for the first time.
pub struct Course<R: Rules> {
    /// Names of the pages, in the order of a child: small letters and dashes. The words of a page
    /// are `<game>-lesson-<page>`, those of its task end with `-ask` and `-why`.
    pub pages: &'static [&'static str],
    /// The parts that the pages are divided into, in their order; none where the course is one.
    pub parts: &'static [Part],
    /// The page of this name. `words` are those that people type in this game.
    pub page: fn(&str, &Words) -> Option<Page<R>>,
    /// Where an answer, by its token, stands on the picture of a page: a pit, a square, a card, a
    /// player. `None` where it is a word or a number.
    pub touched: fn(&str, &R::View, &str) -> Option<Area>,
    /// What is worth seeing for the seat that is on turn and whose view this is, the best first.
    pub advice: fn(&R::View, Seat) -> Vec<Text>,
}

/// A part of a course: the pages from its first one to the first page of the next part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name: small letters. Its title is `<game>-part-<name>`.
    pub name: &'static str,
    /// Its first page. That of the first part is the first of the course.
    pub first: &'static str,
}

/// A page of a course.
pub struct Page<R: Rules> {
    /// The position that it shows.
    pub game: R,
    /// With whose eyes.
    pub viewer: Viewer,
    /// What is to be done.
    pub task: Task,
}

/// What is to be done on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// One of these is right, as the rules say.
    Ask(Vec<Answer>),
    /// Try a move of the seat on turn, to see what comes of it.
    Try,
}

/// One of the answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Short and without dots: buttons carry it.
    pub token: String,
    /// What its button says.
    pub label: Arg,
    /// Whether it is right.
    pub right: bool,
}

impl Answer {
    /// An answer.
    pub fn new(token: impl Into<String>, label: impl Into<Arg>, right: bool) -> Self {
        Answer { token: token.into(), label: label.into(), right }
    }
}

impl Task {
    /// How many: the right number and others, in their order.
    pub fn count(right: i64, others: &[i64]) -> Task {
        let mut all: Vec<i64> = others.iter().copied().chain([right]).collect();
        all.sort_unstable();
        all.dedup();
        let answer = |it: &i64| Answer::new(it.to_string(), it.to_string(), *it == right);
        Task::Ask(all.iter().map(answer).collect())
    }

    /// Whether something is so.
    pub fn yes_or_no(yes: bool) -> Task {
        Task::Ask(vec![
            Answer::new("yes", Text::new("lesson-yes"), yes),
            Answer::new("no", Text::new("lesson-no"), !yes),
        ])
    }

    /// Which of these fits.
    pub fn which<T>(
        all: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> (String, Arg),
        right: impl Fn(&T) -> bool,
    ) -> Task {
        let answer = |it: T| {
            let (token, label) = name(&it);
            Answer::new(token, label, right(&it))
        };
        Task::Ask(all.into_iter().map(answer).collect())
    }
}

/// A page as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The answers; none where a move is tried.
    pub answers: Vec<Answer>,
    /// The moves that can be tried.
    pub moves: Vec<Choice>,
}

/// What a page shows, of itself or after a move that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The picture.
    pub scene: Scene,
    /// The same in words.
    pub words: Vec<Text>,
}

/// What a course asks of a game.
pub trait Teaching {
    /// Names of the pages in their order.
    fn pages(&self) -> &'static [&'static str];
    /// The parts of the course in their order; none where it is one.
    fn parts(&self) -> &'static [Part];
    /// What is to be done on a page; `None` when there is no such page.
    fn lesson(&self, page: &str, words: &Vocabulary) -> Option<Lesson>;
    /// What happens when this move is tried there; `None` when it is not possible there.
    fn tried(&self, page: &str, token: &str, words: &Vocabulary) -> Option<Vec<Text>>;
    /// Where on the picture of a page its answers, or the moves to try, can be touched: by token.
    fn touches(&self, page: &str, words: &Vocabulary) -> Vec<Spot<String>>;
    /// What there is to see, after this move if one was tried, with names by seat.
    fn shown(
        &self,
        page: &str,
        token: Option<&str>,
        words: &Vocabulary,
        names: &[String],
    ) -> Option<Shown>;
}

impl<R: Rules> Pack<R> {
    fn page(&self, page: &str, words: &Vocabulary) -> Option<Page<R>> {
        (self.course.page)(page, words.of(self.info.code))
    }

    /// The moves of the seat on turn: those that everybody may see, then those from its hand.
    fn moves(&self, page: &Page<R>) -> Vec<R::Action> {
        let Node::Act(seat) = page.game.node() else { return Vec::new() };
        let view = page.game.view(Viewer::Seat(seat));
        let legal = page.game.actions(seat);
        let open = (self.table.panel)(&view, &legal, 0).rows.into_iter().flatten();
        let held = (self.table.hand)(&view).into_iter().filter(|it| legal.contains(it));
        open.chain(held).collect()
    }

    /// The game after a move that was tried, and what happened.
    fn after(&self, page: &Page<R>, token: &str) -> Option<(R, Vec<R::Fact>)> {
        let action = R::Action::read(token).filter(|it| self.moves(page).contains(it))?;
        let Node::Act(seat) = page.game.node() else { return None };
        let (mut game, mut facts) = (page.game.clone(), Vec::new());
        game.act(seat, &action, &mut facts).ok()?;
        Some((game, facts))
    }
}

impl<R: Rules> Teaching for Pack<R> {
    fn pages(&self) -> &'static [&'static str] {
        self.course.pages
    }

    fn parts(&self) -> &'static [Part] {
        self.course.parts
    }

    fn lesson(&self, page: &str, words: &Vocabulary) -> Option<Lesson> {
        let page = self.page(page, words)?;
        Some(match &page.task {
            Task::Ask(answers) => Lesson { answers: answers.clone(), moves: Vec::new() },
            Task::Try => {
                let Node::Act(seat) = page.game.node() else { return None };
                let view = page.game.view(Viewer::Seat(seat));
                let choice = |it: &R::Action| Choice {
                    token: it.write(),
                    label: (self.table.label)(&view, it),
                };
                let moves = self.moves(&page).iter().map(choice).collect();
                Lesson { answers: Vec::new(), moves }
            }
        })
    }

    fn tried(&self, page: &str, token: &str, words: &Vocabulary) -> Option<Vec<Text>> {
        let page = self.page(page, words).filter(|it| it.task == Task::Try)?;
        let (game, _) = self.after(&page, token)?;
        let mut told = (self.table.caption)(&game.view(Viewer::Public));
        // Whose turn it would be is of no interest: nobody plays on from here.
        if told.len() > 1 && !matches!(game.node(), Node::Over(_)) {
            told.pop();
        }
        Some(told)
    }

    fn touches(&self, name: &str, words: &Vocabulary) -> Vec<Spot<String>> {
        let Some(page) = self.page(name, words) else { return Vec::new() };
        match &page.task {
            Task::Ask(answers) => {
                let view = page.game.view(page.viewer);
                let spot = |it: &Answer| {
                    let at = (self.course.touched)(name, &view, &it.token)?;
                    Some(Spot {
                        action: it.token.clone(),
                        at,
                        to: None,
                        takes: false,
                        besides: false,
                    })
                };
                answers.iter().filter_map(spot).collect()
            }
            // What is to be tried from a hand that is not seen has buttons alone.
            Task::Try if self.info.hidden && page.viewer == Viewer::Public => Vec::new(),
            Task::Try => {
                let Node::Act(seat) = page.game.node() else { return Vec::new() };
                let view = page.game.view(Viewer::Seat(seat));
                let spots = (self.table.spots)(&view, &self.moves(&page), below(page.viewer));
                let spot = |it: Spot<R::Action>| Spot {
                    action: it.action.write(),
                    at: it.at,
                    to: it.to,
                    takes: it.takes,
                    besides: it.besides,
                };
                spots.into_iter().map(spot).collect()
            }
        }
    }

    fn shown(
        &self,
        page: &str,
        token: Option<&str>,
        words: &Vocabulary,
        names: &[String],
    ) -> Option<Shown> {
        let page = self.page(page, words)?;
        let (view, viewer) = match token {
            None => (page.game.view(page.viewer), page.viewer),
            Some(token) => {
                let (game, facts) = self.after(&page, token)?;
                let view = game.view(Viewer::Public);
                // What a replay shows of the move: a trick with all its cards.
                let frame = (self.study.frames)(&view, &facts).into_iter().next();
                (frame.map_or(view, |(view, _)| view), Viewer::Public)
            }
        };
        Some(Shown {
            scene: (self.table.scene)(&view, names, None, below(viewer)),
            words: (self.table.board_text)(&view),
        })
    }
}
