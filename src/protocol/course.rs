//! Courses into notes: pages with a picture, a question that the game itself judges or moves to
//! try, and what a press on them means. Everything is in the press: game, page, answer.

use super::Tone;
use super::levels;
use super::note::{Key, Note, Picture};
use caravanserai_games::search::Level;
use caravanserai_games::words::{Arg, Text};
use caravanserai_games::{Answer, Choice, GameId};
use caravanserai_i18n::vocabulary;

/// The name of the page that has all rules at once, in presses.
pub const ALL: &str = "all";

/// The name of the last page of every course, in presses. The last pages of its other parts have
/// the name of the part behind it.
const DONE: &str = "done";

/// How a table is opened that helps whoever learns, in presses.
pub const COACHED: &str = "coached";

/// Who plays against somebody who plays for the first time.
pub const COACHED_AGAINST: Level = Level::ALL[0];

/// Answers side by side that are a few characters each, and those that are words.
const ANSWERS_IN_A_ROW: (usize, usize) = (4, 2);

/// Moves to try that stand side by side.
const MOVES_IN_A_ROW: usize = 5;

/// How many kind words there are.
const KIND_WORDS: usize = 4;

/// What is called so in lessons: the same four people of the caravan in every game.
pub fn player(seat: u8) -> Text {
    Text::new("computer-own-name").with("n", i64::from(seat) + 1)
}

/// What a lesson says, with those people's names in it.
pub fn named(text: Text) -> Text {
    text.seated(&|seat| player(seat).into())
}

/// The press that leads to a page of a course.
pub fn press(game: GameId, page: &str) -> String {
    format!("q.{}.{page}", game.info().code)
}

/// The button that leads to the course of a game.
pub fn key(game: GameId) -> Key {
    Key::new(Text::new("button-learn"), press(game, "0"))
}

/// A page of a course: the first if it is not said which, or if there is no such page any more.
/// `answer`: what was answered, or tried, there.
pub fn shown(game: GameId, page: Option<&str>, answer: Option<&str>) -> Note {
    let pages = game.pages();
    let page = page.unwrap_or_default();
    if page == ALL {
        return summary(game);
    }
    if let Some(part) = Part::all(game).into_iter().find(|it| it.end_page() == page) {
        return done(part);
    }
    let at = pages.iter().position(|it| *it == page).unwrap_or_default();
    let Some(name) = pages.get(at) else { return summary(game) };
    let Some(part) = Part::with_page(game, at) else { return summary(game) };
    let Some(lesson) = game.lesson(name, vocabulary()) else { return summary(game) };
    let turn = Turn { game, name, at, part, answers: lesson.answers, moves: lesson.moves };
    match answer {
        Some(token) if turn.is_to_try() => turn.tried(token),
        Some(token) => match turn.answers.iter().find(|it| it.token == token) {
            Some(given) => turn.judged(given.right),
            None => turn.asked(),
        },
        None => turn.asked(),
    }
}

/// All rules at once, for those who want to read them.
fn summary(game: GameId) -> Note {
    let code = game.info().code;
    let texts = vec![Text::new(format!("{code}-summary"))];
    let keys = vec![vec![key(game), coached_key(game)], vec![play_key(game)]];
    Note { texts, keys, ..Note::default() }
}

/// The end of a part or of the whole course: now it is played, or the next part is read.
fn done(part: Part) -> Note {
    let game = part.game;
    let pages = game.pages();
    let name = Text::new(format!("game-{}", game.info().code));
    let against = levels::face(COACHED_AGAINST);
    let mut texts: Vec<Text> = Vec::new();
    if part.next_part().is_some() {
        texts.extend(part.heading("lesson-part-done").map(|it| it.with("computer", against)));
    } else {
        texts.extend(part.heading("lesson-part"));
        texts.push(Text::new("lesson-done").with("game", name).with("computer", against));
    }
    texts.push(part.counted(part.end));
    let first = pages.get(part.first).copied().unwrap_or_default();
    let mut last = vec![play_key(game), all_key(game)];
    let before = part.end.checked_sub(1).and_then(|it| pages.get(it)).map(|it| press(game, it));
    let back = before.map(|press| Key::new(Text::new("button-previous"), press));
    last.splice(0..0, back);
    let mut keys = vec![vec![coached_key(game)]];
    keys.extend(part.next_part().and_then(Part::key).map(|it| vec![it]));
    keys.push(last);
    Note { texts, picture: Some(picture(game, first, None)), keys, ..Note::default() }
}

fn coached_key(game: GameId) -> Key {
    let label = Text::new("button-first-game").with("computer", levels::face(COACHED_AGAINST));
    Key::new(label, format!("o.{}.{COACHED}", game.info().code)).tone(Tone::Good)
}

fn play_key(game: GameId) -> Key {
    Key::new(Text::new("button-play"), format!("o.{}", game.info().code))
}

fn all_key(game: GameId) -> Key {
    Key::new(Text::new("button-rules"), press(game, ALL))
}

/// A number as people count.
fn number(from_zero: usize) -> i64 {
    i64::try_from(from_zero).unwrap_or(i64::MAX - 1) + 1
}

fn picture(game: GameId, page: &str, tried: Option<&str>) -> Picture {
    Picture::Lesson {
        game: game.info().code.to_owned(),
        page: page.to_owned(),
        tried: tried.map(str::to_owned),
    }
}

/// A part of a course. A course that is not divided is one part.
#[derive(Clone, Copy)]
struct Part {
    game: GameId,
    /// Its place among the parts, from 0.
    at: usize,
    /// Where its pages begin and end among those of the course.
    first: usize,
    end: usize,
}

impl Part {
    /// The parts of a course in their order, at least one.
    fn all(game: GameId) -> Vec<Part> {
        let pages = game.pages();
        let place = |page: &str| pages.iter().position(|it| *it == page).unwrap_or_default();
        let mut firsts: Vec<usize> = game.parts().iter().map(|it| place(it.first)).collect();
        if firsts.is_empty() {
            firsts.push(0);
        }
        let ends = firsts.iter().copied().skip(1).chain([pages.len()]);
        let bounds = firsts.iter().copied().zip(ends).enumerate();
        bounds.map(|(at, (first, end))| Part { game, at, first, end }).collect()
    }

    /// The part that a page belongs to, by its place among the pages of the course.
    fn with_page(game: GameId, page: usize) -> Option<Part> {
        Part::all(game).into_iter().rfind(|it| it.first <= page)
    }

    fn previous_part(self) -> Option<Part> {
        self.at.checked_sub(1).and_then(|it| Part::all(self.game).get(it).copied())
    }

    fn next_part(self) -> Option<Part> {
        Part::all(self.game).get(self.at + 1).copied()
    }

    fn name(self) -> Option<&'static str> {
        self.game.parts().get(self.at).map(|it| it.name)
    }

    /// The name of its last page, in presses.
    fn end_page(self) -> String {
        match self.name().filter(|_| self.next_part().is_some()) {
            Some(name) => format!("{DONE}-{name}"),
            None => DONE.to_owned(),
        }
    }

    /// A text that says which part this is; none where the course is one.
    fn heading(self, key: &'static str) -> Option<Text> {
        let title = Text::new(format!("{}-part-{}", self.game.info().code, self.name()?));
        let (n, parts) = (number(self.at), number(self.game.parts().len() - 1));
        Some(Text::new(key).with("n", n).with("parts", parts).with("name", title))
    }

    /// The button that leads to its first page.
    fn key(self) -> Option<Key> {
        let page = self.game.pages().get(self.first)?;
        Some(Key::new(self.heading("button-part")?, press(self.game, page)))
    }

    /// Which page of the part this is, its last page among them.
    fn counted(self, page: usize) -> Text {
        let (page, pages) = (number(page - self.first), number(self.end - self.first));
        Text::new("rules-page").with("page", page).with("pages", pages)
    }
}

/// A page that somebody looks at.
struct Turn {
    game: GameId,
    name: &'static str,
    at: usize,
    part: Part,
    answers: Vec<Answer>,
    moves: Vec<Choice>,
}

impl Turn {
    fn text(&self, end: &str) -> Text {
        named(Text::new(format!("{}-lesson-{}{end}", self.game.info().code, self.name)))
    }

    /// Whether this is the first page of its part.
    fn is_first(&self) -> bool {
        self.at == self.part.first
    }

    /// Whether moves are tried here, and nothing is asked.
    fn is_to_try(&self) -> bool {
        self.answers.is_empty()
    }

    /// What is to be done here.
    fn prompt(&self) -> Text {
        let key = if self.is_to_try() { "lesson-try" } else { "lesson-question" };
        Text::new(key).with("question", self.text("-ask"))
    }

    /// The page as it is opened.
    fn asked(&self) -> Note {
        let title = self.part.heading("lesson-part").filter(|_| self.is_first());
        let mut texts: Vec<Text> = title.into_iter().collect();
        texts.extend([self.text(""), self.prompt(), self.number()]);
        let mut keys = self.task();
        keys.extend(self.leaves(Tone::Plain));
        self.note(texts, keys, None)
    }

    /// The page with what an answer is worth, and why. Who is wrong may try again.
    fn judged(&self, right: bool) -> Note {
        let verdict = match right {
            true => Text::new("lesson-right").with("n", (self.at % KIND_WORDS) as i64),
            false => Text::new("lesson-wrong"),
        };
        let said = Text::new("lesson-verdict").with("verdict", verdict);
        let said = said.with("why", self.text("-why"));
        let mut texts = vec![self.text(""), said, self.number()];
        if !right {
            texts.insert(1, self.prompt());
        }
        let mut keys = if right { Vec::new() } else { self.task() };
        keys.extend(self.leaves(if right { Tone::Good } else { Tone::Plain }));
        self.note(texts, keys, None)
    }

    /// What came of a move.
    fn tried(&self, token: &str) -> Note {
        let Some(told) = self.game.tried(self.name, token, vocabulary()) else {
            return self.asked();
        };
        let mut texts: Vec<Text> = told.into_iter().map(named).collect();
        texts.extend([self.text("-why"), self.number()]);
        let again = Key::new(Text::new("button-again"), press(self.game, self.name));
        let mut keys = vec![vec![again]];
        keys.extend(self.leaves(Tone::Good));
        self.note(texts, keys, Some(token))
    }

    fn number(&self) -> Text {
        self.part.counted(self.at)
    }

    /// The answers, or the moves to try.
    fn task(&self) -> Vec<Vec<Key>> {
        let (answers, moves) = (&self.answers, &self.moves);
        let words = |it: &Answer| !matches!(it.label, Arg::Plain(_) | Arg::Number(_));
        let wide = if self.is_to_try() {
            MOVES_IN_A_ROW
        } else if answers.iter().any(words) {
            ANSWERS_IN_A_ROW.1
        } else {
            ANSWERS_IN_A_ROW.0
        };
        let answers = answers.iter().map(|it| self.key(it.label.clone(), &it.token));
        let moves = moves.iter().map(|it| self.key(it.label.clone(), &it.token));
        answers.chain(moves).collect::<Vec<_>>().chunks(wide).map(<[Key]>::to_vec).collect()
    }

    fn key(&self, label: Arg, token: &str) -> Key {
        let label = match label {
            Arg::Text(text) => Arg::from(named(*text)),
            other => other,
        };
        Key::new(label, format!("{}.{token}", press(self.game, self.name)))
    }

    /// The page before this one; none before the first.
    fn before(&self) -> Option<String> {
        if self.is_first() {
            return self.part.previous_part().map(Part::end_page);
        }
        self.game.pages().get(self.at - 1).map(|it| (*it).to_owned())
    }

    /// Back and on; from the first page also to all rules at once, and to the next part.
    fn leaves(&self, on: Tone) -> Vec<Vec<Key>> {
        let back = match self.before() {
            Some(page) => Key::new(Text::new("button-previous"), press(self.game, &page)),
            None => all_key(self.game),
        };
        let inside = self.game.pages().get(self.at + 1).filter(|_| self.at + 1 < self.part.end);
        let next = inside.map_or_else(|| self.part.end_page(), |it| (*it).to_owned());
        let next = Key::new(Text::new("button-next"), press(self.game, &next)).tone(on);
        let skip = self.part.next_part().filter(|_| self.is_first()).and_then(Part::key);
        let mut rows = vec![vec![back, next]];
        rows.extend(skip.map(|it| vec![it]));
        rows
    }

    fn note(&self, texts: Vec<Text>, keys: Vec<Vec<Key>>, tried: Option<&str>) -> Note {
        let picture = Some(picture(self.game, self.name, tried));
        Note { texts, picture, keys, ..Note::default() }
    }
}
