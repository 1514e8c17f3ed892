//! Parses inline queries, typed behind the name of the bot in chats where it is not a member: games
//! and the options for a table.

use super::command_lookup::find_command;
use super::new_table::{NewTable, NewTableWords, parse_new_table};
use caravanserai_games::vocabulary::without_special_letters;
use caravanserai_games::{GameId, SeatLimits};
use caravanserai_i18n::translations;
use caravanserai_protocol::Mention;

/// The least letters of the name of a game that are enough before other words.
const GAME_PREFIX_CHARS_MIN: usize = 3;

/// The most characters of Telegram's usernames.
const USERNAME_CHARS_MAX: usize = 32;

/// The tables that an inline query describes; one for every game while it is empty. An unknown last
/// word is ignored, because it is still being typed.
pub fn parse_inline_query(typed: &str) -> Vec<NewTable> {
    let (typed, friends) = split_usernames(typed);
    let typed = without_special_letters(typed.trim_start_matches('/'));
    let read = |game: &GameId| {
        let rest = strip_game_name(*game, &typed)?;
        let open = |rest: &str| match parse_new_table(*game, rest, &friends) {
            NewTableWords::Table(wanted) => Some(wanted),
            _ => None,
        };
        let before_last = || rest.rsplit_once(' ').map_or("", |it| it.0);
        open(&rest).or_else(|| open(before_last()))
    };
    GameId::all().iter().filter_map(read).collect()
}

/// Separates the usernames (`@bek_k`) from the other words. Inline queries and buttons have no
/// entities that would mark them.
pub fn split_usernames(words: &str) -> (String, Vec<Mention>) {
    let username = |word: &str| {
        let name = word.strip_prefix('@')?;
        let is_username = (1..=USERNAME_CHARS_MAX).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        is_username.then(|| Mention::Username(name.to_owned()))
    };
    let friends: Vec<Mention> = words.split_whitespace().filter_map(username).collect();
    let others = words.split_whitespace().filter(|it| username(it).is_none());
    (others.collect::<Vec<_>>().join(" "), friends)
}

/// The words that follow the name of a game in any language, or the beginning of its name.
fn strip_game_name(game: GameId, typed: &str) -> Option<String> {
    let info = game.info();
    let shown = translations(&info.name_text());
    let names = shown.into_iter().chain([info.command.to_owned(), info.code.to_owned()]);
    let names: Vec<String> = names.map(|it| without_special_letters(&it)).collect();
    if names.iter().any(|it| it.starts_with(typed)) {
        return Some(String::new());
    }
    let (first, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let opens = find_command(first).is_some_and(|it| it.game == Some(game));
    let is_prefix = first.chars().count() >= GAME_PREFIX_CHARS_MIN
        && names.iter().any(|it| it.starts_with(first));
    if opens || is_prefix {
        return Some(rest.to_owned());
    }
    // A name may have several words.
    let whole = |name: &String| typed.strip_prefix(name.as_str())?.strip_prefix(' ');
    names.iter().find_map(whole).map(str::to_owned)
}

/// Whether the query contains the name of the game, not only its beginning.
pub fn names_game(wanted: &NewTable, typed: &str) -> bool {
    let (typed, _) = split_usernames(typed);
    !typed.is_empty() && strip_game_name(wanted.game, &without_special_letters(&typed)).is_some()
}

/// The tables that are suggested for a game by default: with anybody who joins, for the fewest
/// players, with computers on all but two seats, and one for each variant.
pub fn suggested_tables(game: GameId) -> Vec<NewTable> {
    let info = game.info();
    let SeatLimits { fewest, most } = info.seats;
    let mut tables = vec![NewTable::for_game(game)];
    if fewest < most {
        tables.push(NewTable { seats: Some(fewest), ..NewTable::for_game(game) });
    }
    if most > 2 {
        tables.push(NewTable { computers: Some(Vec::new()), ..NewTable::for_game(game) });
    }
    if let [only] = info.switches {
        let variant = |value: &&str| NewTable {
            rules: vec![format!("{}={value}", only.name)],
            ..NewTable::for_game(game)
        };
        tables.extend(only.values.iter().skip(1).map(variant));
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::inline_challenge::{AcceptChallenge, challenge_callback_data};
    use crate::commands::registry::decode_button;
    use caravanserai_games::search::ComputerLevel;

    #[test]
    fn words_after_a_game_pass_through_a_button() {
        for (said, seats, computers) in [
            ("thaayam", None, None),
            ("thaayam players=3 pieces=2", Some(3), None),
            ("Thaayam computer strong", None, Some(vec![ComputerLevel::Strong])),
            ("thaa players=3 stro", Some(3), None),
        ] {
            let [wanted] = parse_inline_query(said).try_into().unwrap();
            assert_eq!((wanted.seats, &wanted.computers), (seats, &computers), "{said}");
            let callback_data = challenge_callback_data(&wanted, "bcdfghjk").unwrap();
            let read = decode_button(&callback_data).unwrap();
            let expected = AcceptChallenge { wanted, code: "bcdfghjk".into() };
            assert_eq!(read.chat_action(), Some(&expected), "{callback_data}");
        }
        let [named] = parse_inline_query("togyz @Bek_k 1 day").try_into().unwrap();
        assert_eq!(named.friends, [Mention::Username("Bek_k".into())]);
        let callback_data = challenge_callback_data(&named, "bcdfghjkbcdfghjk").unwrap();
        let read = decode_button(&callback_data).unwrap();
        let expected = AcceptChallenge { wanted: named, code: "bcdfghjkbcdfghjk".into() };
        assert_eq!(read.chat_action(), Some(&expected), "{callback_data}");
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
                assert!(game.start_match(&options, suit.seats.unwrap_or(info.seats.most)).is_ok());
            }
        }
    }
}
