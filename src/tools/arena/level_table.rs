//! Plays all levels against each other, for the table of levels in the docs.

use std::fmt::Write as _;

use super::game_runner::{ArenaEffort, ArenaEntrant, ArenaSetup};
use super::statistics::{ArenaPairing, estimate_ratings};
use super::{ArenaProgress, ArenaReport, MatchLength, parse_entrant, play_match, report};
use crate::args::ArenaArgs;
use caravanserai_games::search::ComputerLevel;

/// Plays all pairings of the levels and of `--a` and `--b`; `--games` applies to each pairing.
pub fn run_table(
    setup: &ArenaSetup,
    args: &ArenaArgs,
    threads: usize,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<ArenaReport> {
    let mut all: Vec<ArenaEntrant> = Vec::new();
    let levels = ComputerLevel::ALL.iter().map(|it| it.code());
    let besides = [&args.a, &args.b].into_iter().flatten().map(String::as_str);
    for name in levels.chain(besides) {
        let entrant = parse_entrant(setup.game, name)?;
        if !all.contains(&entrant) {
            all.push(entrant);
        }
    }
    let mut pairings = Vec::new();
    let mut efforts = vec![ArenaEffort::default(); all.len()];
    let length = MatchLength::of_games(args.games);
    for a in 0..all.len() {
        for b in a + 1..all.len() {
            let both = [all[a].clone(), all[b].clone()];
            let score = play_match(setup, &both, length, threads, report_progress)?;
            efforts[a].add(&score.effort[0]);
            efforts[b].add(&score.effort[1]);
            let games = score.games.iter().sum();
            let share = score.share;
            pairings.push(ArenaPairing { players: [a, b], share, games, others: 1 });
        }
    }
    let names: Vec<String> = all.iter().map(super::entrant_label).collect();
    let result = markdown_table(setup, &names, &pairings);
    Ok(ArenaReport { result, times: report::times_text(&names, &efforts) })
}

/// Formats a table in Markdown: Elo, games, and the share against each of the others in percent.
fn markdown_table(setup: &ArenaSetup, names: &[String], pairings: &[ArenaPairing]) -> String {
    let mut text = String::from("| player | Elo | ± (95 %) | games |");
    names.iter().for_each(|name| {
        let _ = write!(text, " {name} |");
    });
    text.push_str("\n| --- | ---: | ---: | ---: |");
    text.push_str(&" ---: |".repeat(names.len()));
    text.push('\n');
    let ratings = estimate_ratings(names.len(), pairings);
    for (row, (name, rating)) in names.iter().zip(&ratings).enumerate() {
        let elo = rating.value.round() + 0.0;
        let error = 1.96 * rating.error;
        let _ = write!(text, "| {name} | {elo:.0} | {error:.0} | {} |", rating.count);
        for column in 0..names.len() {
            let found = pairings.iter().find_map(|it| match it.players {
                [a, b] if [a, b] == [row, column] => Some(it.share.value),
                [a, b] if [b, a] == [row, column] => Some(1.0 - it.share.value),
                _ => None,
            });
            match found {
                Some(share) => {
                    let _ = write!(text, " {:.1} |", 100.0 * share);
                }
                None => text.push_str(" |"),
            }
        }
        text.push('\n');
    }
    let ArenaSetup { game, options, seed, .. } = setup;
    let _ = writeln!(
        text,
        "\n{} ({options}): shares in percent; Elo by maximum likelihood, the first at 0; \
         seed {seed}.",
        game.info().code
    );
    text
}
