//! Measures the fixed ratings of all levels in each rating list of a game.
//!
//! All pairings of levels are played by standard rules, with the effort that levels have at tables.
//! Neighbouring levels meet most often: the farther apart two levels are, the less a game says. In
//! a race one player meets equal others, and both players of a pairing take both parts.
//!
//! The ratings are the maximum of the likelihood of all pairings, by the same model as the list
//! ([`estimate_ratings`]). The level [`ANCHOR_LEVEL`] has the rating of a newcomer.

use super::game_runner::{
    ArenaEffort, ArenaEntrant, ArenaSetup, DecisionLimit, GameExtent, games_per_unit,
};
use super::statistics::{ArenaPairing, MeanEstimate, estimate_ratings};
use super::{ArenaProgress, ArenaReport, MatchLength, play_match, report};
use crate::args::ArenaArgs;
use crate::records::find_game;
use caravanserai_games::computer_ratings::{
    ANCHOR_LEVEL, ANCHOR_POINTS, LevelRating, write_ratings,
};
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{GameId, GameRefusal};
use caravanserai_results::{RatingList, computer_points_per_logit};

/// Pairings of levels that are no neighbours have this part of the games.
const DISTANT_PART: u64 = 4;

/// Elo points in one unit of a logit.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Plays all pairings in each list of the game and prints the file with the ratings.
pub fn run_ratings(
    args: &ArenaArgs,
    threads: usize,
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<ArenaReport> {
    let game = find_game(&args.game)?;
    let mut ratings = Vec::new();
    let mut efforts = vec![ArenaEffort::default(); ComputerLevel::ALL.len()];
    for (list, setup) in list_setups(game, args.seed).map_err(|it| anyhow::anyhow!(it))? {
        let pairings = play_pairings(&setup, args, threads, &mut efforts, report_progress)?;
        ratings.extend(level_ratings(&list, setup.seats, &pairings));
    }
    let names = levels().map(|it| it.code().to_owned());
    let command = command_text(game, args);
    Ok(ArenaReport {
        result: write_ratings(&ratings, &command),
        times: report::times_text(&names, &efforts),
    })
}

/// The anchor first, then the other levels.
fn levels() -> [ComputerLevel; 5] {
    let mut all = ComputerLevel::ALL;
    all.sort_by_key(|it| (*it != ANCHOR_LEVEL, *it));
    all
}

/// The command that gives these ratings on every machine.
fn command_text(game: GameId, args: &ArenaArgs) -> String {
    let master = args.master_games.map(|it| format!(" --master-games {it}"));
    format!(
        "caravanserai-tools arena {} --ratings --games {}{} --seed {}",
        game.info().code,
        args.games,
        master.unwrap_or_default(),
        args.seed
    )
}

/// Each rating list of the game with its standard rules. A list for several numbers of seats is
/// measured with the most.
fn list_setups(game: GameId, seed: u64) -> Result<Vec<(RatingList, ArenaSetup)>, GameRefusal> {
    let info = game.info();
    let duel = game.duel_info();
    let options = info.default_options();
    let mut all: Vec<(RatingList, ArenaSetup)> = Vec::new();
    for seats in info.seats.range().rev() {
        let partners = game.start_match(&options, seats)?.has_partners();
        let list = RatingList::for_seats(info.code, seats.into(), partners);
        let Some(list) = list.filter(|list| all.iter().all(|it| it.0 != *list)) else { continue };
        let extent = if duel.rounds { GameExtent::Round } else { GameExtent::Whole };
        let options = options.clone();
        let plies = duel.opening;
        all.push((list, ArenaSetup { game, options, seats, plies, extent, seed }));
    }
    all.reverse();
    Ok(all)
}

/// Plays all pairings; the players are those of [`levels`].
fn play_pairings(
    setup: &ArenaSetup,
    args: &ArenaArgs,
    threads: usize,
    efforts: &mut [ArenaEffort],
    report_progress: &mut dyn FnMut(&ArenaProgress<'_>),
) -> anyhow::Result<Vec<ArenaPairing>> {
    let start =
        setup.game.start_match(&setup.options, setup.seats).map_err(|it| anyhow::anyhow!(it))?;
    let others = usize::from(games_per_unit(setup.seats, start.has_partners())) - 1;
    let all = levels();
    let mut pairings = Vec::new();
    for a in 0..all.len() {
        for b in 0..all.len() {
            // Two sides exchange their seats within a unit.
            if a == b || (a > b && others == 1) {
                continue;
            }
            let both = [all[a], all[b]].map(|it| ArenaEntrant {
                name: it.code().to_owned(),
                limit: DecisionLimit::OfLevel,
            });
            let score = play_match(
                setup,
                &both,
                MatchLength::of_games(pairing_games(args, [all[a], all[b]])),
                threads,
                report_progress,
            )?;
            efforts[a].add(&score.effort[0]);
            efforts[b].add(&score.effort[1]);
            let games = score.games.iter().sum();
            pairings.push(ArenaPairing { players: [a, b], share: score.share, games, others });
        }
    }
    Ok(pairings)
}

/// The least number of games of a pairing.
fn pairing_games(args: &ArenaArgs, pairing: [ComputerLevel; 2]) -> u64 {
    let has_master = pairing.contains(&ComputerLevel::Master);
    let games = args.master_games.filter(|_| has_master).unwrap_or(args.games);
    let [a, b] = pairing.map(|level| level as i32);
    if (a - b).abs() == 1 { games } else { games.div_ceil(DISTANT_PART) }
}

/// The ratings in one list, the weakest level first.
fn level_ratings(list: &RatingList, seats: u8, pairings: &[ArenaPairing]) -> Vec<LevelRating> {
    let scale = computer_points_per_logit(list.system(), seats.into()) / ELO_PER_LOGIT;
    let estimates = estimate_ratings(ComputerLevel::ALL.len(), pairings);
    let rating = |(level, estimate): (ComputerLevel, &MeanEstimate)| LevelRating {
        list: list.suffix().to_owned(),
        level,
        points: ANCHOR_POINTS + (scale * estimate.value).round() as i32,
        interval: (1.96 * scale * estimate.error).ceil() as u32,
        games: u32::try_from(estimate.count).unwrap_or(u32::MAX),
    };
    let mut all: Vec<LevelRating> = levels().into_iter().zip(&estimates).map(rating).collect();
    all.sort_by_key(|it| it.level);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_a_game_is_measured_once_by_standard_rules() {
        for game in GameId::all() {
            let info = game.info();
            let lists = list_setups(*game, 1).unwrap();
            for seats in info.seats.range() {
                let list = RatingList::for_seats(info.code, seats.into(), info.partners).unwrap();
                let found: Vec<_> = lists.iter().filter(|it| it.0 == list).collect();
                let [(_, setup)] = found[..] else { panic!("{list:?}: {found:?}") };
                assert!(setup.seats >= seats && setup.options == info.default_options());
            }
        }
    }

    #[test]
    fn neighbours_meet_most_often() {
        let [beginner, easy, medium, _, master] = ComputerLevel::ALL;
        let args = ArenaArgs {
            game: GameId::all()[0].info().code.to_owned(),
            a: None,
            b: None,
            games: 400,
            seed: 1,
            threads: None,
            seats: None,
            options: None,
            plies: None,
            whole: false,
            contract: false,
            table: false,
            ratings: true,
            master_games: Some(60),
            play_quality: false,
            openings: false,
            sprt: None,
        };
        assert_eq!(pairing_games(&args, [easy, beginner]), 400);
        assert_eq!(pairing_games(&args, [beginner, medium]), 100);
        assert_eq!(pairing_games(&args, [master, medium]), 15);
    }
}
