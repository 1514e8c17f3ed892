//! What may follow the command that opens a table: friends, computers, house rules, in any order.

use super::Mention;
use super::request::{Request, read_switch, said};
use crate::games::GameId;
use crate::search::Level;
use crate::table::event::Begin;

/// What the command of a game asks for.
pub(super) fn read_open(game: GameId, rest: &str, mentions: &[Mention]) -> Request {
    let mut options: Option<String> = None;
    let (mut begin, mut seats, mut hints) = (None, None, None);
    let mut computers: Option<Vec<Level>> = None;
    for word in rest.split_whitespace() {
        let word = word.to_lowercase();
        let before = options.clone().unwrap_or_else(|| game.info().default_options());
        if let Some(changed) = game.info().change(&before, &word) {
            options = Some(changed);
        } else if let Some(level) = read_level(&word) {
            computers.get_or_insert_default().push(level);
        } else if is_computer(&word) {
            computers.get_or_insert_default();
        } else {
            seats = seats.or(read_seats(&word));
            hints = hints.or(read_hints(&word));
            begin = begin.or(read_begin(&word));
        }
    }
    let friends = mentions.to_vec();
    Request::Open { game, options, begin, seats, computers, hints, friends, adopt: false }
}

/// A number of players: `players=3`.
fn read_seats(word: &str) -> Option<u8> {
    let (name, count) = word.split_once('=')?;
    (said("opening", name)? == "players").then(|| count.parse().ok()).flatten()
}

/// Whether hints are given: `hints`, `nohints`, `hints=off`.
fn read_hints(word: &str) -> Option<bool> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, it)| (name, Some(it)));
    match said("opening", name)? {
        "hints" => value.map_or(Some(true), read_switch),
        "no_hints" => Some(false),
        _ => None,
    }
}

/// A word for a computer as opponent.
pub(super) fn is_computer(word: &str) -> bool {
    said("opening", word) == Some("computer")
}

/// A word for how strong a computer plays, in any of our languages.
pub(super) fn read_level(word: &str) -> Option<Level> {
    let word = word.to_lowercase();
    Level::read(said("level", &word).unwrap_or(&word))
}

fn read_begin(word: &str) -> Option<Begin> {
    Begin::read(said("begin", word).unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::vocabulary;

    fn computers(game: GameId, rest: &str) -> Option<Vec<Level>> {
        match read_open(game, rest, &[]) {
            Request::Open { computers, .. } => computers,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn levels_stand_anywhere_and_in_any_language() {
        let [togyz, thaayam, ..] = *GameId::all() else { panic!("more games") };
        assert_eq!(computers(togyz, "me short"), None);
        assert_eq!(computers(togyz, "computer"), Some(vec![]));
        for said in ["computer strong", "Strong", "short күшті me", "ուժեղ համակարգիչ"]
        {
            assert_eq!(computers(togyz, said), Some(vec![Level::Strong]), "{said}");
        }
        let two = Some(vec![Level::Easy, Level::Medium]);
        assert_eq!(computers(thaayam, "лёгкий pieces=2 компьютер средний"), two);
    }

    #[test]
    fn no_word_for_a_level_is_a_house_rule() {
        for game in GameId::all() {
            let info = game.info();
            for (level, words) in vocabulary().general.list("level") {
                for word in words.iter().map(String::as_str).chain([level]) {
                    assert_eq!(info.change(&info.default_options(), word), None, "{word}");
                }
            }
        }
    }

    #[test]
    fn hints_are_a_word_too() {
        for (said, hints) in [
            ("hints", Some(true)),
            ("nohints", Some(false)),
            ("подсказки=нет", Some(false)),
            ("strong", None),
        ] {
            let Request::Open { hints: read, .. } = read_open(GameId::all()[0], said, &[]) else {
                panic!("it opens a table");
            };
            assert_eq!(read, hints, "{said}");
        }
    }
}
