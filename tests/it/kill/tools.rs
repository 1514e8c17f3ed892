//! The program's command line: wrong settings, and its commands besides running.

use std::path::Path;
use std::process::{Command, Output};

use caravanserai_games::togyzkumalak::{TogyzkumalakPosition, Variant};
use caravanserai_table::fair_random::hash_seed;
use caravanserai_table::{Event, LogLine};
use tempfile::TempDir;

use super::program::{Program, program};

fn run(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = program(folder);
    command.args(arguments).envs(environment.iter().copied());
    command.output().unwrap()
}

fn run_tool(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caravanserai-tools"));
    command.env_clear().current_dir(folder).args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one sentence that is said instead.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    let program = said.split(": ").next().unwrap();
    assert!(["caravanserai", "caravanserai-tools"].contains(&program), "{said}");
    assert!(!said.contains("Error"), "{said}");
    assert!(output.stdout.is_empty());
    said
}

#[test]
fn a_wrong_setting_stops_the_start_with_one_sentence() {
    let folder = TempDir::new().unwrap();
    for (name, value) in [
        ("WEB_LISTEN", "nowhere"),
        ("TELEGRAM_TOKEN", "not a token"),
        ("DISCORD_API_URL", "ftp://example.org"),
        ("LOG_FORMAT", "yaml"),
        ("WEB", "off"),
    ] {
        let said = refused(&run(folder.path(), &[], &[(name, value)]));
        assert!(said.contains(name), "{name}: {said}");
        assert!(!said.contains("not a token"), "{said}");
    }
    let said = refused(&run(folder.path(), &["--config", "absent.toml"], &[]));
    assert!(said.contains("absent.toml"), "{said}");
    assert!(!folder.path().join("data").exists(), "nothing was made");
}

#[test]
fn a_resource_in_use_gives_a_one_line_error() {
    let folder = TempDir::new().unwrap();
    let bot = Program::start(folder.path());
    let address = bot.base.trim_start_matches("http://").to_owned();
    let address = address.as_str();
    let log = ("LOG", "error");
    let data = folder.path().join("data");
    let data = ("DATA_DIR", data.to_str().unwrap());
    let said = refused(&run(folder.path(), &[], &[data, ("WEB_LISTEN", "127.0.0.1:0"), log]));
    assert!(said.contains("is in use by another process"), "{said}");
    let other = [("DATA_DIR", "other"), ("WEB_LISTEN", address), log];
    let said = refused(&run(folder.path(), &[], &other));
    assert!(said.contains("WEB_LISTEN: cannot listen on"), "{said}");
    let health = run(folder.path(), &["health"], &[("WEB_LISTEN", address)]);
    assert_eq!(out(&health), "");
    bot.kill();
    let health = run(folder.path(), &["health"], &[("WEB_LISTEN", address)]);
    assert_eq!(health.status.code(), Some(1));
}

#[test]
fn the_settings_in_use_are_shown_without_secrets() {
    let folder = TempDir::new().unwrap();
    let secrets = [("TELEGRAM_TOKEN", "123:abcdefgh"), ("DISCORD_TOKEN", "MTk.secret")];
    let shown = out(&run(folder.path(), &["--check-config"], &secrets));
    assert!(shown.contains("TELEGRAM_TOKEN = ") && shown.contains("[environment]"), "{shown}");
    assert!(shown.contains("DATA_DIR = data  [default]"), "{shown}");
    assert!(!shown.contains("abcdefgh") && !shown.contains("secret\n"), "{shown}");
    assert!(!shown.contains("MTk"), "{shown}");
    assert!(!folder.path().join("data").exists(), "nothing was made");
}

#[test]
fn perft_ends_with_the_count() {
    let folder = TempDir::new().unwrap();
    for (variant, depth) in [(Variant::Seed, 4), (Variant::Short, 3)] {
        let name = if variant == Variant::Seed { "seed" } else { "short" };
        let depth_said = depth.to_string();
        let arguments = ["perft", "togyzkumalak", "--depth", &depth_said, "--variant", name];
        let said = out(&run_tool(folder.path(), &arguments));
        let count = said.lines().last().unwrap().parse::<u64>().unwrap();
        assert_eq!(count, TogyzkumalakPosition::start(variant).perft(depth));
    }
    let said = refused(&run_tool(folder.path(), &["perft", "chess", "--depth", "1"]));
    assert!(said.contains("there is no game chess"), "{said}");
}

#[test]
fn a_record_is_replayed_and_a_wrong_one_refused_with_its_line() {
    let folder = TempDir::new().unwrap();
    let record = sample_record();
    let file = folder.path().join("game.txt");
    std::fs::write(&file, &record).unwrap();
    let name = file.to_str().unwrap();
    let positions = out(&run_tool(folder.path(), &["replay", "togyzkumalak", name]));
    assert!(positions.lines().count() > 10, "{positions}");
    // One more move after the end of the game.
    let moves = record.lines().take_while(|it| !it.is_empty()).count();
    let wrong = record.replacen("\n\n", &format!("\n{}. 1 1\n\n", moves + 1), 1);
    std::fs::write(&file, wrong).unwrap();
    let said = refused(&run_tool(folder.path(), &["replay", "togyzkumalak", name]));
    assert!(said.contains(&format!("line {}:", moves + 1)), "{said}");
}

#[test]
fn a_record_is_verified_and_a_forged_one_is_not() {
    let folder = TempDir::new().unwrap();
    // The moves of the sample are not written as the bot writes them.
    let whole = sample_record();
    let log = whole.lines().filter(|it| it.starts_with('%'));
    let record: String = log.flat_map(|it| [it, "\n"]).collect();
    let file = folder.path().join("game.txt");
    std::fs::write(&file, &record).unwrap();
    let arguments = ["verify", file.to_str().unwrap()];
    let verified = run(folder.path(), &arguments, &[]);
    assert_eq!(verified.status.code(), Some(4), "only the log is there");
    let report = String::from_utf8_lossy(&verified.stdout);
    assert!(report.ends_with(" agrees; not checked: the record\n"), "{report}");
    // The lot fell the other way.
    let (drawn, other) =
        if record.contains(" start 0,1") { ("0,1", "1,0") } else { ("1,0", "0,1") };
    let forged = record.replace(&format!(" start {drawn}"), &format!(" start {other}"));
    assert_ne!(forged, record);
    std::fs::write(&file, forged).unwrap();
    assert!(refused(&run(folder.path(), &arguments, &[])).contains("line 3: the lot is"));
}

/// What `/record` gives for the stored sample of a whole game.
fn sample_record() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stored/1");
    let log = std::fs::read_to_string(folder.join("whole.log")).unwrap();
    let summary = std::fs::read_to_string(folder.join("whole.txt")).unwrap();
    let table = summary.lines().next().unwrap();
    let opened = LogLine::parse(log.lines().next().unwrap()).unwrap();
    let Event::Opened(setup) = &opened.event else { panic!("a log opens a table") };
    let moves = log.lines().map(|it| LogLine::parse(it).unwrap());
    let moves = moves.filter_map(|line| match line.event {
        Event::Stepped { token, .. } => Some(token),
        _ => None,
    });
    let moves: Vec<String> = moves.collect();
    let turns = moves.chunks(2).zip(1..).map(|(turn, n)| format!("{n}. {}", turn.join(" ")));
    let log: String = log.lines().map(|it| format!("% {it}\n")).collect();
    let seed = hash_seed(&setup.seed);
    format!(
        "{}\n\n% {table}\n% commitment {seed}\n% log\n{log}",
        turns.collect::<Vec<_>>().join("\n")
    )
}
