//! Adds up which ways to play a person chose, and how often that went well.
//!
//! The games define the ways to play; see [`caravanserai_games::statistics`].

use caravanserai_games::{GameId, PlayChoice};
use serde::{Deserialize, Serialize};

use crate::game_result::GameResult;
use crate::player_record::PlayerRecord;
use crate::text_hash::hash_texts;

/// How often a person chose a way to play. Stored as a list of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredChoiceCount(
    /// A number for the way to play, short because a record contains many of them.
    u32,
    /// How often it was chosen.
    u32,
    /// How often it went well.
    u32,
);

/// A way to play, and how often a person chose it.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceStatistics {
    /// The way to play.
    pub choice: &'static PlayChoice,
    /// How often it was chosen.
    pub count: u32,
    /// How often it went well.
    pub successes: u32,
}

impl PlayerRecord {
    /// Adds the ways to play that the player of a seat chose. `has_won`: whether they won the game.
    pub(crate) fn add_choices(&mut self, result: &GameResult, seat: usize, has_won: bool) {
        let Some(game) = GameId::from_code(&result.game) else { return };
        let counts = &result.seats[seat].counts;
        for choice in game.play_choices().iter().flat_map(|it| it.choices) {
            let Some(count) = counts.get(choice.count).copied().filter(|it| *it > 0) else {
                continue;
            };
            let successes = match choice.success {
                Some(name) => counts.get(name).copied().unwrap_or_default(),
                None if has_won => count,
                None => 0,
            };
            self.add_choice(choice_number(choice), count, successes);
        }
    }

    fn add_choice(&mut self, number: u32, count: u32, successes: u32) {
        match self.choice_counts.iter_mut().find(|it| it.0 == number) {
            Some(known) => {
                known.1 = known.1.saturating_add(count);
                known.2 = known.2.saturating_add(successes);
            }
            None => self.choice_counts.push(StoredChoiceCount(number, count, successes)),
        }
    }

    /// Those of these ways to play that the person chose, the most frequent first.
    pub fn chosen_of(&self, choices: &'static [PlayChoice]) -> Vec<ChoiceStatistics> {
        let chosen = |choice: &'static PlayChoice| {
            let number = choice_number(choice);
            let found = self.choice_counts.iter().find(|it| it.0 == number)?;
            Some(ChoiceStatistics { choice, count: found.1, successes: found.2 })
        };
        let mut all: Vec<ChoiceStatistics> = choices.iter().filter_map(chosen).collect();
        all.sort_by_key(|it| std::cmp::Reverse((it.count, it.successes)));
        all
    }
}

/// A number for a way to play in the records of its game.
fn choice_number(choice: &PlayChoice) -> u32 {
    hash_texts([choice.count]) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rating_list::RatingSystem;
    use crate::test_data::game;

    #[test]
    fn each_way_to_play_of_a_game_has_a_number_of_its_own() {
        for game in GameId::all() {
            let all = game.play_choices().iter().flat_map(|it| it.choices);
            let numbers: Vec<u32> = all.map(choice_number).collect();
            let different: BTreeSet<u32> = numbers.iter().copied().collect();
            assert_eq!(different.len(), numbers.len(), "{game:?}");
        }
    }

    #[test]
    fn what_was_chosen_most_often_comes_first() {
        let by_result = |it: &&PlayChoice| it.success.is_none();
        let all = GameId::all().iter();
        let mut all =
            all.flat_map(|code| code.play_choices().iter().map(move |group| (code, group)));
        let found = all.find(|(_, group)| group.choices.iter().all(|it| by_result(&it)));
        let (code, group) = found.expect("one is about won games");
        let [one, other, ..] = group.choices else { panic!("there is a choice") };
        let mut record = PlayerRecord::new(RatingSystem::Glicko2);
        for (choice, scores) in [(one, [1, 0]), (other, [1, 0]), (other, [0, 1])] {
            let mut result = game(&[("a", scores[0]), ("b", scores[1])]);
            code.info().code.clone_into(&mut result.game);
            result.seats[0].counts = [(choice.count.to_owned(), 1)].into();
            record.add_statistics(&result, 0);
        }
        let chosen = record.chosen_of(group.choices);
        let found: Vec<_> =
            chosen.iter().map(|it| (it.choice.count, it.count, it.successes)).collect();
        assert_eq!(found, [(other.count, 2, 1), (one.count, 1, 1)]);
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<PlayerRecord>(&json).unwrap(), record);
    }

    #[test]
    fn a_game_may_count_more_often_than_once() {
        let counted = |it: &&PlayChoice| it.success.is_some();
        let all = GameId::all().iter();
        let all = all.flat_map(|game| game.play_choices().iter().map(move |group| (game, group)));
        let found = all.filter_map(|(game, it)| Some((game, it.choices.iter().find(counted)?)));
        for (code, choice) in found {
            let mut result = game(&[("a", 0), ("b", 1)]);
            code.info().code.clone_into(&mut result.game);
            let success = choice.success.expect("it has a count").to_owned();
            result.seats[0].counts = [(choice.count.to_owned(), 5), (success, 3)].into();
            let mut record = PlayerRecord::new(RatingSystem::Glicko2);
            record.add_statistics(&result, 0);
            let chosen = record.chosen_of(std::slice::from_ref(choice));
            assert_eq!((chosen[0].count, chosen[0].successes), (5, 3));
        }
    }
}
