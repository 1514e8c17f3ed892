//! `caravanserai-tools month`: the same command writes the same bytes, and the page in the docs is
//! what the program writes today.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use caravanserai_games::search::{ComputerLevel, SeededRng};
use caravanserai_render::Renderer;
use caravanserai_results::{RatingList, RatingSystem};
use caravanserai_tools::args::{MonthArgs, ToolsCli, ToolsCommand};
use caravanserai_tools::month::calendar::{MONTH_END_MS, MONTH_START_MS, SeriesMode, plan_month};
use caravanserai_tools::month::document::{CHECK_HEADING, DOCUMENT_NAME};
use caravanserai_tools::month::figures::{ListFigures, MemberRecord, OrderFigures, WEEKS};
use caravanserai_tools::month::group::{GROUP, GroupMember, game_kinds};
use caravanserai_tools::month::{CHECKED_GAMES, MonthFile, run_month, write_files};
use clap::Parser;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/readme/month")
}

fn args(line: &str) -> MonthArgs {
    let words = ["caravanserai-tools", "month"].into_iter().chain(line.split(' '));
    match ToolsCli::try_parse_from(words).unwrap().command {
        ToolsCommand::Month(args) => args,
        _ => panic!("{line}"),
    }
}

fn play(line: &str) -> anyhow::Result<Vec<MonthFile>> {
    run_month(&args(line), Renderer::embedded().unwrap(), &mut |_, _| {})
}

fn play_short() -> Vec<MonthFile> {
    play(&format!("--games {CHECKED_GAMES} --seed 1 --out x")).unwrap()
}

/// The files of the short month.
static SHORT: LazyLock<Vec<MonthFile>> = LazyLock::new(play_short);

fn page(files: &[MonthFile]) -> &str {
    let page = files.iter().find(|it| it.name == DOCUMENT_NAME).unwrap();
    std::str::from_utf8(&page.bytes).unwrap()
}

#[test]
fn the_same_month_again_gives_the_same_bytes() {
    let again = play_short();
    for (one, other) in SHORT.iter().zip(&again) {
        assert!(one == other, "{} differs", one.name);
    }
    assert_eq!(SHORT.len(), again.len());
    let folder = tempfile::TempDir::new().unwrap();
    let folder = folder.path().join("new/month");
    write_files(&folder, &again).unwrap();
    assert_eq!(std::fs::read_to_string(folder.join(DOCUMENT_NAME)).unwrap(), page(&SHORT));
    assert!(play("--games 0 --out x").is_err());
}

#[test]
fn the_page_in_the_docs_is_what_the_program_writes_today() {
    let stored = std::fs::read_to_string(folder().join(DOCUMENT_NAME)).unwrap();
    let check = |page: &str| page.split_once(CHECK_HEADING).unwrap().1.to_owned();
    assert_eq!(
        check(&stored),
        check(page(&SHORT)),
        "write it again with the command at its beginning"
    );
    assert!(stored.contains("month --games 1000 --seed 1 --out templates/readme/month\n"));
    // Every picture is shown, and every shown picture is there and small.
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == DOCUMENT_NAME || stored.contains(&format!("]({name})")), "{name}");
    }
    for shown in stored.split("![").skip(1) {
        let name = shown.split(['(', ')']).nth(1).unwrap();
        let size = std::fs::metadata(folder().join(name)).unwrap().len();
        assert!(size < 100 * 1024, "{name} has {size} bytes");
    }
}

#[test]
fn the_page_tells_of_everybody_and_of_each_guard() {
    let page = page(&SHORT);
    for name in ["Aigerim", "Daulet", "Madina", "Ani", "Tigran", "Hayk", "Karthik", "Priya"] {
        assert!(page.contains(&format!("| {name} |")), "{name}");
    }
    for heading in ["`/top`", "`/me`", "`/stats`", "`/history`", "What the guards did"] {
        assert!(page.lines().any(|it| it.starts_with("## ") && it.contains(heading)), "{heading}");
    }
    assert!(page.contains("🏆 Ratings in this chat"));
    // Tables, answers of the bot and pictures cannot be broken.
    let prose = page.split("```").step_by(2).flat_map(str::lines);
    for line in prose.filter(|it| !it.starts_with(['|', '!'])) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn every_member_rates_each_game_and_befriends_others_only() {
    for (own, member) in GROUP.iter().enumerate() {
        assert_eq!(member.likes.len(), game_kinds().len());
        assert!(member.friends.iter().all(|it| *it != own && *it < GROUP.len()));
    }
}

#[test]
fn a_strength_between_two_levels_mixes_their_moves() {
    let mut rng = SeededRng::new(1);
    let mut levels = |member: &GroupMember| {
        let drawn = (0..1_000).map(|_| member.next_level(1, &mut rng));
        drawn.filter(|it| *it == ComputerLevel::Medium).count()
    };
    let ani = GROUP.iter().find(|it| it.name == "Ani").unwrap();
    assert!((550..650).contains(&levels(ani)));
    let karthik = GROUP.iter().find(|it| it.name == "Karthik").unwrap();
    assert!((550..650).contains(&levels(karthik)));
}

#[test]
fn strength_changes_evenly_from_the_first_to_the_last_day() {
    let learner = GROUP.iter().find(|it| it.is_latecomer()).unwrap();
    let strengths = [1, 11, 21, 31].map(|day| learner.strength_on(day));
    assert_eq!(strengths, [30, 30, 130, 230]);
    assert!(!learner.is_active(10) && learner.is_active(11));
}

#[test]
fn a_month_has_the_wanted_games_on_active_days_of_their_players() {
    for games in [1, 40, 1_000] {
        let series = plan_month(games, 1);
        assert_eq!(series.iter().map(|it| it.games).sum::<u32>(), games);
        for it in &series {
            let distinct: BTreeSet<_> = it.players.iter().collect();
            assert_eq!(distinct.len(), usize::from(it.kind.seats));
            assert!(it.players.iter().all(|who| GROUP[*who].is_active(it.day)));
            assert!((MONTH_START_MS..MONTH_END_MS).contains(&it.start_ms));
        }
    }
    assert_eq!(plan_month(1_000, 1), plan_month(1_000, 1));
    assert_ne!(plan_month(1_000, 1), plan_month(1_000, 2));
}

#[test]
fn all_kinds_of_games_and_of_tables_appear() {
    let series = plan_month(1_000, 1);
    for kind in game_kinds() {
        assert!(series.iter().any(|it| it.kind == kind), "{kind:?}");
    }
    for mode in [SeriesMode::Usual, SeriesMode::JustForFun, SeriesMode::WithHints] {
        assert!(series.iter().any(|it| it.mode == mode), "{mode:?}");
    }
}

fn record(rating: i32, deviation: f64, rated: u32) -> Option<MemberRecord> {
    Some(MemberRecord {
        rating,
        deviation,
        last_deviation: deviation,
        is_provisional: false,
        results: [0; 3],
        rated,
        certain_after: None,
        weeks: [None; WEEKS],
    })
}

#[test]
fn the_order_counts_pairs_of_rated_people() {
    // Strengths: 210, 180, 120, 240.
    let members = vec![
        record(1700, 50.0, 9),
        record(1720, 50.0, 9),
        record(1400, 50.0, 9),
        record(1500, 50.0, 0),
        None,
    ];
    let list = RatingList::new("game", RatingSystem::Glicko2).unwrap();
    let figures = ListFigures { list, rated: 9, members };
    let expected = OrderFigures { pairs: 3, right: 2, clear: 2, clear_right: 2 };
    assert_eq!(figures.order(), expected);
    assert_eq!(figures.certain_after(), None);
}
