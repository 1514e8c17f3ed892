//! Courses: every page has a picture, few words, and a question that has one right answer by the
//! rules, or moves that can be tried.

use std::collections::BTreeSet;

use caravanserai_bot::views::course_views::{self, TableRules, WrongAnswers};
use caravanserai_games::ids::TableId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{CourseAnswer, CourseLesson, GameId, Switch, blot, thaayam, togyzkumalak};
use caravanserai_i18n::{I18n, Lang, vocabulary};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_render::standard_width;

use crate::render::renderer;

/// What Telegram takes below a picture, in characters.
const CAPTION_MAX: usize = 1024;

/// What Discord and Telegram take in one message, in UTF-16 units.
const MESSAGE_MAX: usize = 4000;

/// What a button carries on every platform, in bytes.
const PRESS_MAX: usize = 64;

/// How long a label may be so that a phone shows it.
const LABEL_MAX: usize = 60;

fn names(i18n: &I18n, lang: Lang) -> Vec<String> {
    (0..4).map(|seat| i18n.translate_plain(lang, &course_views::lesson_player_name(seat))).collect()
}

/// A page as it is seen before any wrong answer.
fn lesson_view(game: GameId, page: Option<&str>, answer: Option<&str>) -> View {
    course_views::lesson_view(game, page, answer, WrongAnswers::default())
}

fn lesson(game: GameId, page: &str) -> CourseLesson {
    game.lesson(page, vocabulary()).unwrap_or_else(|| panic!("{game:?} cannot show {page}"))
}

fn tries(game: GameId, page: &str) -> bool {
    lesson(game, page).answers.is_empty()
}

/// The last page of each part of a course.
fn ends(game: GameId) -> Vec<String> {
    let before = game.parts().iter().rev().skip(1).rev().map(|it| format!("done-{}", it.name));
    before.chain(["done".to_owned()]).collect()
}

/// Every note that a course can show, with what led there.
fn notes(game: GameId) -> Vec<(String, View)> {
    let end = |page: String| (page.clone(), lesson_view(game, Some(&page), None));
    let mut all: Vec<(String, View)> = ends(game).into_iter().map(end).collect();
    for page in game.pages() {
        all.push(((*page).to_owned(), lesson_view(game, Some(page), None)));
        let CourseLesson { answers, moves } = lesson(game, page);
        let tokens = answers.into_iter().map(|it| it.token);
        for token in tokens.chain(moves.into_iter().map(|it| it.token)) {
            let note = lesson_view(game, Some(page), Some(&token));
            all.push((format!("{page}.{token}"), note));
        }
    }
    all
}

/// Learners find in their first game what the course has shown.
#[test]
fn a_first_game_has_as_many_players_as_its_course() {
    let names: Vec<String> = ["Xqa", "Xqb", "Xqc", "Xqd"].map(str::to_owned).to_vec();
    for game in GameId::all() {
        let is_shown = |seat: usize| {
            game.pages().iter().any(|page| {
                let shown = game.page_view(page, None, vocabulary(), &names).expect("it is shown");
                format!("{:?}", shown.scene).contains(&names[seat])
            })
        };
        let seats = game.course_seats();
        let shown: Vec<bool> = (0..names.len()).map(is_shown).collect();
        let expected: Vec<bool> = (0..names.len()).map(|it| it < usize::from(seats)).collect();
        assert_eq!(shown, expected, "{game:?}");
        assert!(game.info().seats.contains(seats), "{game:?}");
    }
}

/// What a button says.
fn said(i18n: &I18n, lang: Lang, label: &Arg) -> String {
    match label {
        Arg::Text(text) => i18n.translate_plain(lang, text),
        Arg::Plain(label) => label.clone(),
        Arg::Row(parts) => parts.iter().map(|it| said(i18n, lang, it)).collect(),
        other => panic!("no button says {other:?}"),
    }
}

fn keys(note: &View) -> impl Iterator<Item = &ButtonSpec> {
    note.button_rows.iter().flatten()
}

#[test]
fn every_question_has_exactly_one_right_answer_by_the_rules() {
    for game in GameId::all() {
        for page in game.pages().iter().filter(|page| !tries(*game, page)) {
            let answers = lesson(*game, page).answers;
            assert!((2..=4).contains(&answers.len()), "{game:?} {page}: {answers:?}");
            let right = answers.iter().filter(|it| it.is_right).count();
            assert_eq!(right, 1, "{game:?} {page}: {answers:?}");
            let tokens: BTreeSet<&String> = answers.iter().map(|it| &it.token).collect();
            assert_eq!(tokens.len(), answers.len(), "{game:?} {page}: {answers:?}");
            assert!(tokens.iter().all(|it| !it.contains('.')), "{game:?} {page}");
        }
    }
}

#[test]
fn every_course_has_two_boards_to_try_moves_on() {
    for game in GameId::all() {
        let names = names(&I18n::new(), Lang::default());
        let pages: Vec<_> = game.pages().iter().filter(|page| tries(*game, page)).collect();
        assert_eq!(pages.len(), 2, "{game:?}");
        for page in pages {
            let shown = |tried: Option<&str>| game.page_view(page, tried, vocabulary(), &names);
            let before = shown(None).expect("it can be shown").scene;
            let moves = lesson(*game, page).moves;
            assert!((2..=16).contains(&moves.len()), "{game:?} {page}: {moves:?}");
            for it in moves {
                let after = shown(Some(&it.token)).expect("it can be tried").scene;
                assert_ne!(after, before, "{game:?} {page} {}", it.token);
                let told = game.try_move(page, &it.token, vocabulary()).expect("it can be tried");
                assert!(!told.texts.is_empty(), "{game:?} {page} {}", it.token);
            }
            assert_eq!(shown(Some("nonsense")), None);
        }
    }
}

#[test]
fn lessons_about_one_kind_of_move_judge_tried_moves() {
    let judged = |game: GameId, page: &str| -> Vec<Option<bool>> {
        let moves = lesson(game, page).moves.into_iter();
        let tried = moves.map(|it| game.try_move(page, &it.token, vocabulary()).unwrap());
        tried.map(|it| it.reaches_goal).collect()
    };
    for (game, page) in [
        (togyzkumalak::ID, "try-capture"),
        (togyzkumalak::ID, "try-tuzdyk"),
        (thaayam::ID, "try-kill"),
    ] {
        let all = judged(game, page);
        assert!(all.contains(&Some(true)) && all.contains(&Some(false)), "{page}: {all:?}");
    }
    // Here each move has its merits.
    assert!(judged(thaayam::ID, "try-move").iter().all(Option::is_none));
    // The reader gets an explanation, and may try again.
    let is_wrong =
        |it: &Text| it.key == "lesson-verdict" && format!("{it:?}").contains("lesson-wrong");
    let wrong = notes(togyzkumalak::ID)
        .into_iter()
        .filter(|(page, note)| page.starts_with("try-tuzdyk.") && note.texts.iter().any(is_wrong));
    assert!(wrong.count() > 0);
}

#[test]
fn every_page_in_every_language_has_a_picture_and_fits_below_it() {
    let i18n = I18n::new();
    for game in GameId::all() {
        for (page, note) in notes(*game) {
            assert!(matches!(note.picture, Some(PictureRef::Lesson { .. })), "{game:?} {page}");
            for key in keys(&note) {
                assert!(key.callback_data.len() <= PRESS_MAX, "{}", key.callback_data);
            }
            assert!(note.button_rows.len() <= 5 && note.button_rows.iter().all(|it| it.len() <= 5));
            for lang in Lang::all() {
                let lines: Vec<String> =
                    note.texts.iter().map(|it| i18n.translate_plain(*lang, it)).collect();
                let text = lines.join("\n");
                let length = text.chars().count();
                assert!(length < CAPTION_MAX, "{page} in {}: {length}", lang.code());
                assert!(!text.contains("lesson-"), "{page} in {}: {text}", lang.code());
                for key in keys(&note) {
                    let label = said(&i18n, *lang, &key.label);
                    let length = label.chars().count();
                    assert!((1..=LABEL_MAX).contains(&length), "{page}: {label}");
                }
            }
        }
    }
}

#[test]
fn consecutive_pages_differ_and_can_be_drawn() {
    for game in GameId::all() {
        let i18n = I18n::new();
        let names = names(&i18n, Lang::default());
        let shown = |page: &&str| game.page_view(page, None, vocabulary(), &names).expect(page);
        let scenes: Vec<_> = game.pages().iter().map(|page| shown(page).scene).collect();
        for (n, pair) in scenes.windows(2).enumerate() {
            assert_ne!(pair[0], pair[1], "{game:?} after page {n}");
        }
        let words = shown(&game.pages()[0]).words;
        assert!(!words.is_empty(), "{game:?} in words");
        let png = renderer().draw(&scenes[0], "wood", standard_width(&scenes[0]));
        assert!(!png.is_empty());
    }
}

#[test]
fn lesson_presses_are_self_contained_and_old_ones_restart() {
    for game in GameId::all() {
        let first = lesson_view(*game, None, None);
        for old in ["0", "3", "no-such-page", "try-nothing"] {
            assert_eq!(lesson_view(*game, Some(old), None), first, "{old}");
        }
        let page = game.pages().iter().find(|it| !tries(*game, it)).expect("something is asked");
        let asked = lesson_view(*game, Some(page), None);
        assert_eq!(lesson_view(*game, Some(page), Some("nonsense")), asked);
        let answers = lesson(*game, page).answers;
        for answer in &answers {
            let press = format!("q.{}.{page}.{}", game.info().code, answer.token);
            assert!(keys(&asked).any(|it| it.callback_data == press), "{press}");
            let judged = lesson_view(*game, Some(page), Some(&answer.token));
            let again = keys(&judged).filter(|it| it.callback_data.starts_with(&press)).count();
            assert_eq!(again, usize::from(!answer.is_right), "who is wrong may try again");
        }
    }
}

/// The labels of the buttons with answers that are marked as wrong, after these presses.
fn marked_after(presses: &[usize]) -> Vec<bool> {
    let (game, i18n) = (GameId::from_code("blot").unwrap(), I18n::new());
    let page = game.pages().iter().find(|it| lesson(game, it).answers.len() > 2).unwrap();
    let mut note = lesson_view(game, Some(page), None);
    let answers = lesson(game, page).answers;
    let wrong: Vec<&CourseAnswer> = answers.iter().filter(|it| !it.is_right).collect();
    for nth in presses {
        let start = format!("q.blot.{page}.{}", wrong[*nth].token);
        let pressed = keys(&note)
            .find(|it| it.callback_data.starts_with(&start))
            .unwrap()
            .callback_data
            .clone();
        let mut parts = pressed.split('.').skip(3);
        let (answer, tried) = (parts.next(), parts.next().and_then(WrongAnswers::decode));
        note = course_views::lesson_view(game, Some(page), answer, tried.unwrap_or_default());
    }
    let label = |it: &&CourseAnswer| {
        let start = format!("q.blot.{page}.{}", it.token);
        let button = keys(&note).find(|it| it.callback_data.starts_with(&start)).unwrap();
        said(&i18n, Lang::default(), &button.label).starts_with('❌')
    };
    wrong.iter().map(label).collect()
}

#[test]
fn each_wrong_answer_stays_marked() {
    assert_eq!(marked_after(&[])[..2], [false, false]);
    assert_eq!(marked_after(&[0])[..2], [true, false]);
    assert_eq!(marked_after(&[0, 1])[..2], [true, true]);
    assert_eq!(marked_after(&[1, 1])[..2], [false, true]);
}

fn table_rules(game: GameId, settings: &[(&str, &str)]) -> TableRules {
    let set = |options: String, (name, value): &(&str, &str)| {
        game.info().set_switch(&options, &format!("{name}={value}")).unwrap()
    };
    let options = settings.iter().fold(game.info().default_options(), set);
    TableRules { table: TableId("t7k3fx".to_owned()), options }
}

#[test]
fn all_rules_begin_with_those_of_the_table_that_differ() {
    let i18n = I18n::new();
    let told = |game: GameId, settings: &[(&str, &str)]| {
        let view = course_views::all_rules_view(game, &[table_rules(game, settings)]);
        let texts = view.texts.iter().map(|it| i18n.translate_plain(Lang::default(), it));
        texts.collect::<Vec<_>>()
    };
    for game in GameId::all() {
        let plain = lesson_view(*game, Some(course_views::ALL_RULES_PAGE), None);
        let usual = [table_rules(*game, &[])];
        assert_eq!(course_views::all_rules_view(*game, &usual), plain, "{game:?}");
        assert_eq!(course_views::all_rules_view(*game, &[]), plain, "{game:?}");
    }
    let short = told(blot::ID, &[("target", "101")]);
    assert_eq!(short[0], "At table t7k3fx some rules differ from the text below:");
    assert_eq!(short[1], "• The match goes to: 101 points (usually 301 points)");
    assert!(short.len() == 3 && short[2].contains("301 points"), "{short:?}");
    let short = told(togyzkumalak::ID, &[("ending", "short")]);
    assert_eq!(short[1], "• without the extra move (usually with the extra move)");
}

#[test]
fn all_rules_of_odd_tables_fit_into_a_message_of_every_platform() {
    let i18n = I18n::new();
    for game in GameId::all() {
        let switches = game.info().switches;
        let last = |it: &Switch| (it.name, *it.values.last().unwrap());
        let rules = table_rules(*game, &switches.iter().map(last).collect::<Vec<_>>());
        let view = course_views::all_rules_view(*game, &[rules.clone(), rules]);
        let opens_list = |it: &&ButtonSpec| it.callback_data.contains("t7k3fx");
        assert_eq!(keys(&view).filter(opens_list).count(), if switches.len() > 8 { 2 } else { 0 });
        for lang in Lang::all() {
            let texts = view.texts.iter().map(|it| i18n.translate_plain(*lang, it));
            let len: usize = texts.map(|it| it.encode_utf16().count() + 2).sum();
            assert!(len < MESSAGE_MAX, "{game:?} {}: {len}", lang.code());
        }
    }
}

#[test]
fn a_course_in_parts_counts_within_each_and_offers_the_next_one() {
    let i18n = I18n::new();
    let said = |note: &View| -> String {
        let lines = note.texts.iter().map(|it| i18n.translate_plain(Lang::default(), it));
        lines.collect::<Vec<_>>().join("\n")
    };
    let offers =
        |note: &View, callback_data: &str| keys(note).any(|it| it.callback_data == callback_data);
    let game = GameId::from_code("blot").expect("it is a game");
    let (parts, ends) = (game.parts(), ends(game));
    assert_eq!(parts.iter().map(|it| it.name).collect::<Vec<_>>(), ["play", "score", "fine"]);
    assert_eq!(parts[0].first, game.pages()[0]);
    let mut counted = 0;
    for (n, part) in parts.iter().enumerate() {
        let first = game.pages().iter().position(|it| *it == part.first).expect(part.first);
        assert_eq!(first, counted, "{}", part.name);
        let following = parts.get(n + 1).map(|it| it.first);
        let end = following.and_then(|next| game.pages().iter().position(|it| *it == next));
        let pages = &game.pages()[first..end.unwrap_or(game.pages().len())];
        let notes: Vec<View> =
            pages.iter().map(|page| lesson_view(game, Some(page), None)).collect();
        let last = lesson_view(game, Some(&ends[n]), None);
        for (page, note) in notes.iter().chain([&last]).enumerate() {
            let count = format!("{} of {}", page + 1, pages.len() + 1);
            assert!(said(note).ends_with(&count), "{}: {}", part.name, said(note));
        }
        let next = |page: &str| format!("q.blot.{page}");
        for (page, note) in pages.iter().skip(1).map(|it| next(it)).zip(&notes) {
            assert!(offers(note, &page), "{page}");
        }
        assert!(offers(&notes[pages.len() - 1], &next(&ends[n])), "{}", part.name);
        for note in [&notes[0], &last] {
            assert!(said(note).contains(&format!("Part {} of 3", n + 1)), "{}", said(note));
            assert!(following.is_none_or(|page| offers(note, &next(page))), "{}", part.name);
        }
        assert!(offers(&last, "o.blot.coached"), "{}", part.name);
        counted += pages.len();
    }
    assert_eq!(counted, game.pages().len());
    // The page that ended the course before it had parts, and a page by its name.
    assert!(said(&lesson_view(game, Some("done"), None)).contains("Part 3 of 3"));
    assert!(said(&lesson_view(game, Some("kaput"), None)).ends_with("4 of 8"));
}

#[test]
fn a_course_without_parts_does_not_speak_of_them() {
    let i18n = I18n::new();
    for game in GameId::all().iter().filter(|it| it.parts().is_empty()) {
        for (page, note) in notes(*game) {
            let mut lines = note.texts.iter().map(|it| i18n.translate_plain(Lang::default(), it));
            assert!(!lines.any(|it| it.contains("Part 1")), "{game:?} {page}");
            assert!(keys(&note).all(|it| !it.callback_data.contains("done-")), "{game:?} {page}");
        }
    }
}

/// Leaves all pictures and words of courses in a folder, for looking.
#[test]
fn courses_can_be_left_for_looking() {
    let Some(folder) = std::env::var_os("COURSES") else { return };
    let i18n = I18n::new();
    let only = std::env::var("COURSE_LANGUAGES").unwrap_or_default();
    for lang in Lang::all().iter().filter(|it| only.split(',').any(|code| it.code() == code)) {
        let names = names(&i18n, *lang);
        let mut told = String::new();
        for game in GameId::all() {
            for (n, page) in game.pages().iter().enumerate() {
                let code = game.info().code;
                let lesson = lesson(*game, page);
                let say = |text: &Text| i18n.translate_plain(*lang, text);
                let label = |it: &Arg| match it {
                    Arg::Text(text) => say(&text
                        .clone()
                        .with_seat_names(&|it| course_views::lesson_player_name(it).into())),
                    other => said(&i18n, *lang, other),
                };
                let answers = lesson.answers.iter().map(|it| {
                    format!("{}{}", label(&it.label), if it.is_right { " ✓" } else { "" })
                });
                let moves = lesson.moves.iter().map(|it| label(&it.label));
                let buttons: Vec<String> = answers.chain(moves).collect();
                let note = lesson_view(*game, Some(page), None);
                let lines: Vec<String> = note.texts.iter().map(say).collect();
                told +=
                    &format!("## {code} {page}\n{}\n[{}]\n", lines.join("\n"), buttons.join("] ["));
                for it in &lesson.moves {
                    let note = lesson_view(*game, Some(page), Some(&it.token));
                    let lines: Vec<String> = note.texts.iter().map(say).collect();
                    told += &format!("  {}: {}\n", label(&it.label), lines.join(" / "));
                }
                let scene = game.page_view(page, None, vocabulary(), &names).expect(page).scene;
                let png = renderer().draw(&scene, "wood", 640);
                let file = format!("{}-{code}-{n:02}-{page}.png", lang.code());
                std::fs::write(std::path::Path::new(&folder).join(file), &*png).unwrap();
            }
        }
        let file = std::path::Path::new(&folder).join(format!("{}.txt", lang.code()));
        std::fs::write(file, told).unwrap();
    }
}
