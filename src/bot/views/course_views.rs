//! Builds the pages of courses: a picture, and a question that the game judges or moves to try. The
//! callback data of a page names game, page and answer; nothing is stored.

use crate::commands::action::TableAction;
use crate::commands::options::ShowOptions;
use crate::views::computer_views;
use crate::views::panel_views::house_rule_changes;
use caravanserai_games::ids::TableId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{ActionChoice, CourseAnswer, GameId};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};

/// The name of the page with all rules in callback data.
pub const ALL_RULES_PAGE: &str = "all";

/// The name of the last page of a course in callback data. The last pages of other parts have the
/// name of the part appended.
const LAST_PAGE: &str = "done";

/// The mark of a table for a first game with advice in callback data.
pub const COACHED_TABLE: &str = "coached";

/// The level of the computer in a first game.
pub const COACHED_OPPONENT_LEVEL: ComputerLevel = ComputerLevel::ALL[0];

/// The number of answers in a row: for short answers, and for answers in words.
const ANSWERS_PER_ROW: (usize, usize) = (4, 2);

/// The number of moves to try in a row.
const MOVES_PER_ROW: usize = 5;

/// The most house rules of a table that are named before the rules of its game, so that both fit
/// into one message.
const HOUSE_RULES_MAX: usize = 8;

/// The number of messages that praise a right answer.
const PRAISE_VARIANTS: usize = 4;

/// The answers of a page that a reader has given and that were wrong. Buttons carry them, because
/// nothing is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrongAnswers {
    /// One bit for each answer, the lowest for the first one.
    bits: u8,
}

impl WrongAnswers {
    /// Reads the last part of the data of a button: a hexadecimal number. `None` for anything else.
    pub fn decode(word: &str) -> Option<Self> {
        u8::from_str_radix(word, 16).ok().map(|bits| Self { bits })
    }

    /// Adds the answer with this index, from 0.
    fn with(self, answer: usize) -> Self {
        Self { bits: self.bits | 1 << answer }
    }

    /// Marks the button of an answer that was wrong, and lets the button remember all of them.
    fn mark(self, answer: usize, button: ButtonSpec) -> ButtonSpec {
        if self.bits == 0 {
            return button;
        }
        let callback_data = format!("{}.{:x}", button.callback_data, self.bits);
        let label = match self.bits & 1 << answer {
            0 => button.label,
            _ => Arg::Row(vec![Arg::from("❌ "), button.label]),
        };
        ButtonSpec { callback_data, label, ..button }
    }
}

/// The name of a player in lessons: the same four people in every game.
pub fn lesson_player_name(seat: u8) -> Text {
    Text::new("computer-own-name").with("n", i64::from(seat) + 1)
}

/// Replaces the seats in the text of a lesson by these names.
pub fn with_lesson_names(text: Text) -> Text {
    text.with_seat_names(&|seat| lesson_player_name(seat).into())
}

/// The callback data of a page of a course.
pub fn course_callback_data(game: GameId, page: &str) -> String {
    format!("q.{}.{page}", game.info().code)
}

/// The button that opens the course of a game.
pub fn course_button(game: GameId) -> ButtonSpec {
    ButtonSpec::new(Text::new("button-learn"), course_callback_data(game, "0"))
}

/// Builds a page of a course. Without a name or for an unknown one it is the first page. `answer`
/// is the answer or the move that the reader tried there; the answers in `wrong` are marked.
pub fn lesson_view(
    game: GameId,
    page: Option<&str>,
    answer: Option<&str>,
    wrong: WrongAnswers,
) -> View {
    let pages = game.pages();
    let page = page.unwrap_or_default();
    if page == ALL_RULES_PAGE {
        return all_rules_view(game, &[]);
    }
    if let Some(part) = PartProgress::all(game).into_iter().find(|it| it.end_page() == page) {
        return course_end_view(part);
    }
    let at = pages.iter().position(|it| *it == page).unwrap_or_default();
    let Some(name) = pages.get(at) else { return all_rules_view(game, &[]) };
    let Some(part) = PartProgress::with_page(game, at) else { return all_rules_view(game, &[]) };
    let Some(lesson) = game.lesson(name, vocabulary()) else { return all_rules_view(game, &[]) };
    let lesson_page =
        LessonPage { game, name, at, part, answers: lesson.answers, moves: lesson.moves };
    match answer {
        Some(token) if lesson_page.is_move_exercise() => lesson_page.tried_move_view(token),
        Some(token) => match lesson_page.answers.iter().position(|it| it.token == token) {
            Some(chosen) => lesson_page.judgement_view(chosen, wrong),
            None => lesson_page.question_view(),
        },
        None => lesson_page.question_view(),
    }
}

/// The house rules of an open table, as far as they differ from the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRules {
    /// The code of the table.
    pub table: TableId,
    /// The token of its house rules.
    pub options: String,
}

impl TableRules {
    /// The button that opens the list of all house rules of the table.
    fn options_button(&self) -> ButtonSpec {
        let open_list: &dyn TableAction = &ShowOptions { page: 0 };
        ButtonSpec::new(Text::new("button-options"), open_list.callback_data(&self.table))
    }
}

/// Builds the page with all rules. The house rules of these tables come first, because the text
/// below them describes the defaults.
pub fn all_rules_view(game: GameId, tables: &[TableRules]) -> View {
    let code = game.info().code;
    let mut texts = Vec::new();
    let mut keys =
        vec![vec![course_button(game), coached_game_button(game)], vec![play_button(game)]];
    for rules in tables {
        let changes = house_rule_changes(game, &rules.options);
        keys.extend((changes.len() > HOUSE_RULES_MAX).then(|| vec![rules.options_button()]));
        texts.extend(table_rule_lines(rules, changes));
    }
    texts.push(Text::new(format!("{code}-summary")));
    View { texts, button_rows: keys, ..View::default() }
}

/// The lines about the house rules of a table; none if it plays by the defaults.
fn table_rule_lines(rules: &TableRules, mut changes: Vec<Text>) -> Vec<Text> {
    if changes.is_empty() {
        return Vec::new();
    }
    let is_cut = changes.len() > HOUSE_RULES_MAX;
    changes.truncate(HOUSE_RULES_MAX);
    let heading = Text::new("rules-at-table").with("table", &*rules.table.0);
    let items = changes.into_iter().map(Arg::from);
    let items = items.chain(is_cut.then(|| Arg::Plain("…".to_owned())));
    let line = |item: Arg| Text::new("options-line").with("switch", item);
    [heading].into_iter().chain(items.map(line)).collect()
}

/// Builds the last page of a part, which offers a first game and the next part.
fn course_end_view(part: PartProgress) -> View {
    let game = part.game;
    let pages = game.pages();
    let name = game.info().name_text();
    let against = computer_views::computer_name_with_face(COACHED_OPPONENT_LEVEL);
    let mut texts: Vec<Text> = Vec::new();
    if part.next_part().is_some() {
        texts.extend(part.heading("lesson-part-done").map(|it| it.with("computer", against)));
    } else {
        texts.extend(part.heading("lesson-part"));
        texts.push(Text::new("lesson-done").with("game", name).with("computer", against));
    }
    texts.push(part.page_number_text(part.end));
    let first = pages.get(part.first).copied().unwrap_or_default();
    let mut last = vec![play_button(game), all_rules_button(game)];
    let before = part
        .end
        .checked_sub(1)
        .and_then(|it| pages.get(it))
        .map(|it| course_callback_data(game, it));
    let back =
        before.map(|callback_data| ButtonSpec::new(Text::new("button-previous"), callback_data));
    last.splice(0..0, back);
    let mut keys = vec![vec![coached_game_button(game)]];
    keys.extend(part.next_part().and_then(PartProgress::first_page_button).map(|it| vec![it]));
    keys.push(last);
    View {
        texts,
        picture: Some(lesson_picture(game, first, None)),
        button_rows: keys,
        ..View::default()
    }
}

fn coached_game_button(game: GameId) -> ButtonSpec {
    let label = Text::new("button-first-game")
        .with("computer", computer_views::computer_name_with_face(COACHED_OPPONENT_LEVEL));
    ButtonSpec::new(label, format!("o.{}.{COACHED_TABLE}", game.info().code))
        .with_tone(ButtonTone::Good)
}

fn play_button(game: GameId) -> ButtonSpec {
    ButtonSpec::new(Text::new("button-play"), format!("o.{}", game.info().code))
}

fn all_rules_button(game: GameId) -> ButtonSpec {
    ButtonSpec::new(Text::new("button-rules"), course_callback_data(game, ALL_RULES_PAGE))
}

/// Turns an index into a number that starts at 1.
fn count_from_one(from_zero: usize) -> i64 {
    i64::try_from(from_zero).unwrap_or(i64::MAX - 1) + 1
}

fn lesson_picture(game: GameId, page: &str, tried: Option<&str>) -> PictureRef {
    PictureRef::Lesson {
        game: game.info().code.to_owned(),
        page: page.to_owned(),
        tried: tried.map(str::to_owned),
    }
}

/// A part of a course. An undivided course is one part.
#[derive(Clone, Copy)]
struct PartProgress {
    game: GameId,
    /// Its index among the parts, from 0.
    at: usize,
    /// The index range of its pages in the course; `end` is exclusive.
    first: usize,
    end: usize,
}

impl PartProgress {
    /// The parts of a course in their order, at least one.
    fn all(game: GameId) -> Vec<PartProgress> {
        let pages = game.pages();
        let index = |page: &str| pages.iter().position(|it| *it == page).unwrap_or_default();
        let mut firsts: Vec<usize> = game.parts().iter().map(|it| index(it.first)).collect();
        if firsts.is_empty() {
            firsts.push(0);
        }
        let ends = firsts.iter().copied().skip(1).chain([pages.len()]);
        let bounds = firsts.iter().copied().zip(ends).enumerate();
        bounds.map(|(at, (first, end))| PartProgress { game, at, first, end }).collect()
    }

    /// The part that contains the page with this index in the course.
    fn with_page(game: GameId, page: usize) -> Option<PartProgress> {
        PartProgress::all(game).into_iter().rfind(|it| it.first <= page)
    }

    fn previous_part(self) -> Option<PartProgress> {
        self.at.checked_sub(1).and_then(|it| PartProgress::all(self.game).get(it).copied())
    }

    fn next_part(self) -> Option<PartProgress> {
        PartProgress::all(self.game).get(self.at + 1).copied()
    }

    fn name(self) -> Option<&'static str> {
        self.game.parts().get(self.at).map(|it| it.name)
    }

    /// The name of its last page in callback data.
    fn end_page(self) -> String {
        match self.name().filter(|_| self.next_part().is_some()) {
            Some(name) => format!("{LAST_PAGE}-{name}"),
            None => LAST_PAGE.to_owned(),
        }
    }

    /// The heading with the number and the name of the part; `None` if the course is not divided.
    fn heading(self, key: &'static str) -> Option<Text> {
        let title = Text::new(format!("{}-part-{}", self.game.info().code, self.name()?));
        let n = count_from_one(self.at);
        let parts = count_from_one(self.game.parts().len() - 1);
        Some(Text::new(key).with("n", n).with("parts", parts).with("name", title))
    }

    /// The button that opens its first page.
    fn first_page_button(self) -> Option<ButtonSpec> {
        let page = self.game.pages().get(self.first)?;
        Some(ButtonSpec::new(self.heading("button-part")?, course_callback_data(self.game, page)))
    }

    /// The number of a page of the part and the number of its pages, including the last page.
    fn page_number_text(self, page: usize) -> Text {
        let page = count_from_one(page - self.first);
        let pages = count_from_one(self.end - self.first);
        Text::new("rules-page").with("page", page).with("pages", pages)
    }
}

/// A page of a course with its part and its task.
struct LessonPage {
    game: GameId,
    name: &'static str,
    at: usize,
    part: PartProgress,
    answers: Vec<CourseAnswer>,
    moves: Vec<ActionChoice>,
}

impl LessonPage {
    fn text_with_ending(&self, end: &str) -> Text {
        with_lesson_names(Text::new(format!("{}-lesson-{}{end}", self.game.info().code, self.name)))
    }

    /// Whether this is the first page of its part.
    fn is_first(&self) -> bool {
        self.at == self.part.first
    }

    /// Whether the page asks for a move instead of an answer.
    fn is_move_exercise(&self) -> bool {
        self.answers.is_empty()
    }

    /// The question, or the invitation to try a move.
    fn prompt(&self) -> Text {
        let key = if self.is_move_exercise() { "lesson-try" } else { "lesson-question" };
        Text::new(key).with("question", self.text_with_ending("-ask"))
    }

    /// Builds the page before it is answered.
    fn question_view(&self) -> View {
        let title = self.part.heading("lesson-part").filter(|_| self.is_first());
        let mut texts: Vec<Text> = title.into_iter().collect();
        texts.extend([self.text_with_ending(""), self.prompt(), self.page_number_text()]);
        let mut keys = self.answer_buttons(WrongAnswers::default());
        keys.extend(self.page_buttons(ButtonTone::Plain));
        self.build_view(texts, keys, None)
    }

    /// Builds the page with the verdict on an answer and the reason. A wrong answer can be
    /// corrected.
    fn judgement_view(&self, chosen: usize, wrong: WrongAnswers) -> View {
        let is_right = self.answers[chosen].is_right;
        let mut texts =
            vec![self.text_with_ending(""), self.verdict_text(is_right), self.page_number_text()];
        if !is_right {
            texts.insert(1, self.prompt());
        }
        let mut keys = match is_right {
            true => Vec::new(),
            false => self.answer_buttons(wrong.with(chosen)),
        };
        keys.extend(self.page_buttons(if is_right { ButtonTone::Good } else { ButtonTone::Plain }));
        self.build_view(texts, keys, None)
    }

    /// Whether it was right, and the reason.
    fn verdict_text(&self, is_right: bool) -> Text {
        let verdict = match is_right {
            true => Text::new("lesson-right").with("n", (self.at % PRAISE_VARIANTS) as i64),
            false => Text::new("lesson-wrong"),
        };
        let text = Text::new("lesson-verdict").with("verdict", verdict);
        text.with("why", self.text_with_ending("-why"))
    }

    /// Builds the page after a tried move.
    fn tried_move_view(&self, token: &str) -> View {
        let Some(tried) = self.game.try_move(self.name, token, vocabulary()) else {
            return self.question_view();
        };
        let mut texts: Vec<Text> = tried.texts.into_iter().map(with_lesson_names).collect();
        texts.push(match tried.reaches_goal {
            Some(is_right) => self.verdict_text(is_right),
            None => self.text_with_ending("-why"),
        });
        texts.push(self.page_number_text());
        let again =
            ButtonSpec::new(Text::new("button-again"), course_callback_data(self.game, self.name));
        let mut keys = vec![vec![again]];
        keys.extend(self.page_buttons(ButtonTone::Good));
        self.build_view(texts, keys, Some(token))
    }

    fn page_number_text(&self) -> Text {
        self.part.page_number_text(self.at)
    }

    /// The buttons of the answers, or of the moves to try.
    fn answer_buttons(&self, wrong: WrongAnswers) -> Vec<Vec<ButtonSpec>> {
        let answers = &self.answers;
        let moves = &self.moves;
        let has_words = |it: &CourseAnswer| !matches!(it.label, Arg::Plain(_) | Arg::Number(_));
        let in_a_row = if self.is_move_exercise() {
            MOVES_PER_ROW
        } else if answers.iter().any(has_words) {
            ANSWERS_PER_ROW.1
        } else {
            ANSWERS_PER_ROW.0
        };
        let answers = answers.iter().enumerate().map(|(n, it)| {
            let button = self.answer_button(it.label.clone(), &it.token);
            wrong.mark(n, button)
        });
        let moves = moves.iter().map(|it| self.answer_button(it.label.clone(), &it.token));
        answers
            .chain(moves)
            .collect::<Vec<_>>()
            .chunks(in_a_row)
            .map(<[ButtonSpec]>::to_vec)
            .collect()
    }

    fn answer_button(&self, label: Arg, token: &str) -> ButtonSpec {
        let label = match label {
            Arg::Text(text) => Arg::from(with_lesson_names(*text)),
            other => other,
        };
        ButtonSpec::new(label, format!("{}.{token}", course_callback_data(self.game, self.name)))
    }

    /// The page before this one; `None` for the first page.
    fn previous_page(&self) -> Option<String> {
        if self.is_first() {
            return self.part.previous_part().map(PartProgress::end_page);
        }
        self.game.pages().get(self.at - 1).map(|it| (*it).to_owned())
    }

    /// The buttons for the previous and the next page; on the first page of a part also for all
    /// rules and for the next part.
    fn page_buttons(&self, next_tone: ButtonTone) -> Vec<Vec<ButtonSpec>> {
        let back = match self.previous_page() {
            Some(page) => ButtonSpec::new(
                Text::new("button-previous"),
                course_callback_data(self.game, &page),
            ),
            None => all_rules_button(self.game),
        };
        let next_inside =
            self.game.pages().get(self.at + 1).filter(|_| self.at + 1 < self.part.end);
        let next = next_inside.map_or_else(|| self.part.end_page(), |it| (*it).to_owned());
        let next =
            ButtonSpec::new(Text::new("button-next"), course_callback_data(self.game, &next))
                .with_tone(next_tone);
        let skip = self
            .part
            .next_part()
            .filter(|_| self.is_first())
            .and_then(PartProgress::first_page_button);
        let mut rows = vec![vec![back, next]];
        rows.extend(skip.map(|it| vec![it]));
        rows
    }

    fn build_view(
        &self,
        texts: Vec<Text>,
        keys: Vec<Vec<ButtonSpec>>,
        tried: Option<&str>,
    ) -> View {
        let picture = Some(lesson_picture(self.game, self.name, tried));
        View { texts, picture, button_rows: keys, ..View::default() }
    }
}
