//! `caravanserai-tools learn`: files that can be made again.

use caravanserai_tools::args::{LearnArgs, ToolsCli, ToolsCommand};
use caravanserai_tools::learn;
use clap::Parser;
use tempfile::TempDir;

fn args(line: &str) -> LearnArgs {
    let words = ["caravanserai-tools", "learn"].into_iter().chain(line.split(' '));
    match ToolsCli::try_parse_from(words).unwrap().command {
        ToolsCommand::Learn(args) => args,
        _ => panic!("{line}"),
    }
}

#[test]
fn the_same_command_makes_the_same_file() {
    let folder = TempDir::new().unwrap();
    let tiny = "--set games_of_two=2 --set games_of_three=1 --set games_of_four=1 \
                --set games_of_pairs=1 --set more_of_two=1 --set more_of_four=0";
    let make = |name: &str, seed: u32| {
        let out = folder.path().join(name);
        let args = args(&format!("thaayam --seed {seed} --out {} {tiny}", out.display()));
        let mut lines = Vec::new();
        let last = learn::run_learning(&args, |line| lines.push(line.to_owned())).unwrap();
        assert!(lines[0].contains(&format!("seed {seed}, games_of_two=2")), "{lines:?}");
        assert!(last.contains("bytes in"), "{last}");
        std::fs::read(out).unwrap()
    };
    let (one, again, other) = (make("one", 1), make("again", 1), make("other", 2));
    assert!(one == again && !one.is_empty());
    assert!(one != other);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left there");
}

#[test]
fn mistakes_are_answered_with_a_sentence() {
    let refused =
        |line: &str| format!("{:#}", learn::run_learning(&args(line), |_| {}).unwrap_err());
    let answer = refused("blot --out nowhere/at/all");
    assert!(answer.contains("cannot write nowhere/at/all"), "{answer}");
    let answer = refused("blot --out x --set luck=3");
    assert!(answer.contains("there is no luck to set; there is deals, worlds"), "{answer}");
    let answer = refused("togyz --out x --set games=many");
    assert!(answer.contains("--set takes a name and a number such as games=1000"), "{answer}");
    assert!(refused("chess --out x").contains("there is no game chess"));
    assert!(!std::path::Path::new("x").exists());
}
