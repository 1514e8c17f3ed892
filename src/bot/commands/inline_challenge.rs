//! What somebody poses where the bot is no member: a challenge to a game, or a table to look at.
//! All of it is in one button, for the bot is told of nothing but presses there.

use crate::commands;
use crate::commands::Verb;
use crate::commands::new_table::{NewTable, parse_new_table};
use crate::commands::request_parser::Request;
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::without_special_letters;
use caravanserai_i18n::translations;

/// The letter of a button that accepts a challenge.
pub(crate) const ACCEPT_CHALLENGE: &str = "!";
/// The letter of a button that brings a table there.
pub(crate) const SHARE_TABLE: &str = "&";
/// What a button carries at most, in bytes.
const CALLBACK_DATA_MAX: usize = 64;
/// So many letters of the name of a game are enough before other words.
const GAME_PREFIX_CHARS_MIN: usize = 3;

/// The button that accepts a challenge to play so, by the code that stands for the challenger;
/// `None` if more is wanted than a button can carry.
pub fn challenge_callback_data(wanted: &NewTable, code: &str) -> Option<String> {
    let words = wanted.to_words().join("+");
    let how = if words.is_empty() { words } else { format!(".{words}") };
    let press = format!("{ACCEPT_CHALLENGE}.{}.{code}{how}", wanted.game.info().code);
    (press.len() <= CALLBACK_DATA_MAX).then_some(press)
}

/// The button that brings a table to the message under which it is pressed, by the code that
/// stands for whoever has shared it.
pub fn share_callback_data(table: &TableId, code: &str, watches: bool) -> String {
    let how = if watches { ".watch" } else { "" };
    format!("{SHARE_TABLE}.{}.{code}{how}", table.0)
}

/// Reads what follows the letter of such a button.
pub(crate) fn parse_inline_callback(
    letter: &str,
    what: &str,
    code: &str,
    how: Option<&str>,
) -> Option<Request> {
    let code = code.to_owned();
    if letter == SHARE_TABLE {
        let watches = how == Some("watch");
        return Some(Request::Shared { table: TableId(what.to_owned()), code, watches });
    }
    let game = GameId::from_code(what)?;
    match parse_new_table(game, &how.unwrap_or_default().replace('+', " "), &[]) {
        Request::Open(wanted) => Some(Request::Meet { wanted: Box::new(wanted), code }),
        _ => None,
    }
}

/// The game that is being named by what somebody types, and what they say of it besides; every
/// game while nothing is typed. A last word that means nothing yet is still being written.
pub fn parse_inline_query(typed: &str) -> Vec<NewTable> {
    let typed = without_special_letters(typed.trim().trim_start_matches('/'));
    let read = |game: &GameId| {
        let rest = strip_game_name(*game, &typed)?;
        let open = |rest: &str| match parse_new_table(*game, rest, &[]) {
            Request::Open(wanted) => Some(wanted),
            _ => None,
        };
        let before_last = || rest.rsplit_once(' ').map_or("", |it| it.0);
        open(&rest).or_else(|| open(before_last()))
    };
    GameId::all().iter().filter_map(read).collect()
}

/// What follows the name of a game in any language, or its beginning.
fn strip_game_name(game: GameId, typed: &str) -> Option<String> {
    let info = game.info();
    let shown = translations(&Text::new(format!("game-{}", info.code)));
    let names = shown.into_iter().chain([info.command.to_owned(), info.code.to_owned()]);
    let names: Vec<String> = names.map(|it| without_special_letters(&it)).collect();
    if names.iter().any(|it| it.starts_with(typed)) {
        return Some(String::new());
    }
    let (first, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let opens = commands::find_command(first).is_some_and(|it| it.verb == Verb::Open(game));
    let begun = first.chars().count() >= GAME_PREFIX_CHARS_MIN
        && names.iter().any(|it| it.starts_with(first));
    if opens || begun {
        return Some(rest.to_owned());
    }
    // A name may have several words.
    let whole = |name: &String| typed.strip_prefix(name.as_str())?.strip_prefix(' ');
    names.iter().find_map(whole).map(str::to_owned)
}

/// Whether what was typed names a game, and does not only begin like one.
pub fn names_game(wanted: &NewTable, typed: &str) -> bool {
    !typed.trim().is_empty()
        && strip_game_name(wanted.game, &without_special_letters(typed.trim())).is_some()
}

/// The ways to play a game that are offered where nothing is said of it: with whoever comes, for
/// as few as can play, with computers on the seats that two leave, by each of its variants.
pub fn suggested_tables(game: GameId) -> Vec<NewTable> {
    let info = game.info();
    let (fewest, most) = info.seats;
    let mut suits = vec![NewTable::of(game)];
    if fewest < most {
        suits.push(NewTable { seats: Some(fewest), ..NewTable::of(game) });
    }
    if most > 2 {
        suits.push(NewTable { computers: Some(Vec::new()), ..NewTable::of(game) });
    }
    if let [only] = info.switches {
        let variant = |value: &&str| NewTable {
            rules: vec![format!("{}={value}", only.name)],
            ..NewTable::of(game)
        };
        suits.extend(only.values.iter().skip(1).map(variant));
    }
    suits
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_games::search::ComputerLevel;

    #[test]
    fn what_is_typed_behind_a_game_goes_through_a_button() {
        for (said, seats, computers) in [
            ("thaayam", None, None),
            ("thaayam players=3 pieces=2", Some(3), None),
            ("Thaayam computer strong", None, Some(vec![ComputerLevel::Strong])),
            ("thaa players=3 stro", Some(3), None),
        ] {
            let [wanted] = parse_inline_query(said).try_into().unwrap();
            assert_eq!((wanted.seats, &wanted.computers), (seats, &computers), "{said}");
            let press = challenge_callback_data(&wanted, "bcdfghjk").unwrap();
            let parts: Vec<&str> = press.split('.').collect();
            let read = parse_inline_callback(parts[0], parts[1], parts[2], parts.get(3).copied());
            let expected = Request::Meet { wanted: Box::new(wanted), code: "bcdfghjk".into() };
            assert_eq!(read, Some(expected), "{press}");
        }
        assert_eq!(parse_inline_query("").len(), GameId::all().len());
        assert!(parse_inline_query("chess").is_empty());
    }

    #[test]
    fn every_suit_fits_into_a_button_and_can_be_opened() {
        for game in GameId::all() {
            for suit in suggested_tables(*game) {
                assert!(challenge_callback_data(&suit, "bcdfghjk").is_some(), "{suit:?}");
                let info = game.info();
                let options = suit.rules_token(&info.default_options());
                assert!(game.start_match(&options, suit.seats.unwrap_or(info.seats.1)).is_ok());
            }
        }
    }
}
