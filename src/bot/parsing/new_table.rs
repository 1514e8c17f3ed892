//! Parses the words behind the command that opens a table: friends, computers, house rules, in any
//! order.

use super::command_lookup::{find_command, is_one_edit_apart};
use super::phrases;
use super::words::{lookup_word, parse_switch, quote};
use crate::commands::input::CommandInput;
use crate::commands::learn;
use crate::views::clock_views;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{GameId, SeatLimits};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::Mention;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::event::{DEFAULT_LEVEL, FirstMover};

/// The table that a person wants, as far as they described it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// The game.
    pub game: GameId,
    /// All house rules, if they are fixed.
    pub options: Option<String>,
    /// The named house rules, which replace the defaults of the chat.
    pub rules: Vec<String>,
    /// The rule for the first move, if it was given.
    pub begin: Option<FirstMover>,
    /// The number of players, if it was given.
    pub seats: Option<u8>,
    /// The levels of the computers on all other seats; `None` for no computers, empty for the
    /// default level.
    pub computers: Option<Vec<ComputerLevel>>,
    /// Whether hints are given, if it was stated.
    pub hints: Option<bool>,
    /// Whether the game counts for ratings, if it was stated.
    pub rated: Option<bool>,
    /// The clock, if it was given.
    pub clock: Option<TimeControl>,
    /// The people who are invited.
    pub friends: Vec<Mention>,
    /// Whether the board replaces the pressed message.
    pub reuses_message: bool,
    /// Whether the person plays all sides.
    pub plays_all_sides: bool,
    /// Whether others join through a shared link: a table in a private chat.
    pub has_invite_link: bool,
    /// Whether it is the person's first game, in which the bot helps.
    pub is_coached: bool,
}

/// The result of parsing the words behind the command of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewTableWords {
    /// A new table.
    Table(NewTable),
    /// The rules of the game.
    Rules(GameId),
    /// An invalid clock. No table is opened.
    InvalidClock,
    /// An unknown word. No table is opened.
    Unknown {
        /// The game of the command.
        game: GameId,
        /// The word.
        word: String,
        /// The word that was probably meant.
        near: Option<String>,
    },
}

/// Parses the words behind the command of a game.
pub fn parse_new_table(game: GameId, rest: &str, mentions: &[Mention]) -> NewTableWords {
    let words = phrases::replace_game_phrases(rest, game);
    if let [only] = words.as_slice()
        && find_command(only).is_some_and(|it| it.name == learn::NAME)
    {
        return NewTableWords::Rules(game);
    }
    let mut wanted = NewTable { friends: mentions.to_vec(), ..NewTable::for_game(game) };
    let mut left = words.as_slice();
    if let [first, ..] = left
        && mentions.is_empty()
        && left.iter().all(|it| is_filler_word(it))
    {
        // The words do not describe a table, so they were hardly meant to open one.
        return NewTableWords::Unknown { game, word: quote(first), near: None };
    }
    while let [word, after @ ..] = left {
        let before = (words.len() - left.len()).checked_sub(1).map(|at| words[at].as_str());
        let is_opponent = mentions.is_empty() && is_beside_with(before, after);
        match parse_begin(word).filter(|_| is_opponent) {
            // Nobody is named, so anyone could sit down and would have the first move.
            Some(FirstMover::Friend) => {
                return NewTableWords::Unknown { game, word: quote(word), near: None };
            }
            // All who join play with the opener: that says nothing about who begins.
            Some(FirstMover::Opener) => {
                left = after;
                continue;
            }
            Some(FirstMover::Lot) | None => {}
        }
        if let Some((control, used)) = clock_views::parse_time_control(left) {
            wanted.clock = Some(control);
            left = &left[used..];
            continue;
        }
        if clock_views::is_invalid_time_control(left) {
            return NewTableWords::InvalidClock;
        }
        match wanted.parse_word(word, after) {
            Some(used) => left = &after[used..],
            None => {
                let near = suggest_word(game, word);
                return NewTableWords::Unknown { game, word: quote(word), near };
            }
        }
    }
    NewTableWords::Table(wanted)
}

impl NewTable {
    /// A table of this game without further options.
    pub fn for_game(game: GameId) -> Self {
        Self {
            game,
            options: None,
            rules: Vec::new(),
            begin: None,
            seats: None,
            computers: None,
            hints: None,
            rated: None,
            clock: None,
            friends: Vec::new(),
            reuses_message: false,
            plays_all_sides: false,
            has_invite_link: false,
            is_coached: false,
        }
    }

    /// The wanted table from options that the platform has parsed, see
    /// [`crate::commands::new_game`].
    pub(crate) fn from_options(game: GameId, input: &CommandInput<'_>) -> NewTableWords {
        let mut wanted = NewTable { friends: input.mentions.to_vec(), ..NewTable::for_game(game) };
        if let Some(clock) = input.option("clock") {
            let words = phrases::normalized_words(clock);
            match clock_views::parse_time_control(&words) {
                Some((control, used)) if used == words.len() => wanted.clock = Some(control),
                _ => return NewTableWords::InvalidClock,
            }
        }
        if let (Some(value), [switch]) = (input.option("variant"), game.info().switches) {
            wanted.rules.push(format!("{}={value}", switch.name));
        }
        wanted.begin = input.option("begin").and_then(parse_begin);
        let level = input.option("level").and_then(parse_level);
        let is_computer = input.option("against").is_some();
        wanted.computers = level.map(|it| vec![it]).or(is_computer.then(Vec::new));
        NewTableWords::Table(wanted)
    }

    /// The options as words that [`parse_new_table`] understands, without the values that only a
    /// platform knows.
    pub(crate) fn to_words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.rules.clone();
        words.extend(self.seats.map(|it| format!("players={it}")));
        words.extend(self.begin.map(|it| it.encode().to_owned()));
        match self.computers.as_deref() {
            None => {}
            Some([]) => words.push("computer".to_owned()),
            Some(levels) => words.extend(levels.iter().map(|it| it.code().to_owned())),
        }
        words.extend(self.hints.map(|on| format!("hints={}", if on { "on" } else { "off" })));
        words.extend(self.rated.map(|rated| if rated { "rated" } else { "casual" }.to_owned()));
        words.extend(self.clock.map(|it| format!("clock={}", it.encode())));
        words
    }

    /// The invited friends of whom only the username is known.
    pub(crate) fn usernames(&self) -> impl Iterator<Item = &str> {
        self.friends.iter().filter_map(|it| match it {
            Mention::Username(name) => Some(name.as_str()),
            Mention::Known(_) => None,
        })
    }

    /// All house rules of the wanted table, with `usual` as the defaults.
    pub fn rules_token(&self, usual: &str) -> String {
        let info = self.game.info();
        let settled = self.options.clone().unwrap_or_else(|| usual.to_owned());
        let change = |rules: String, rule: &String| info.set_switch(&rules, rule).unwrap_or(rules);
        self.rules.iter().fold(settled, change)
    }

    /// Parses a word together with the following words that belong to it. Returns the number of
    /// those; `None` if the word is unknown.
    fn parse_word(&mut self, word: &str, after: &[String]) -> Option<usize> {
        let next = after.first().map(String::as_str);
        let list = |word: &str| lookup_word("opening", word);
        if list(word) == Some("without") {
            return match next.and_then(list) {
                Some("hints") => {
                    self.hints = Some(false);
                    Some(1)
                }
                Some("rated") => {
                    self.rated = Some(false);
                    Some(1)
                }
                Some("computer" | "computers") => Some(1),
                _ => None,
            };
        }
        if let Some((count, level, used)) = parse_computers(word, after) {
            let is_possible = (1..self.game.info().seats.most).contains(&count);
            let levels = std::iter::repeat_n(level, usize::from(count));
            self.computers.get_or_insert_default().extend(levels);
            return is_possible.then_some(used);
        }
        if list(word) == Some("link") {
            self.has_invite_link = true;
            return Some(0);
        }
        if let Some(word @ ("rated" | "casual")) = list(word) {
            self.rated = Some(word == "rated");
            return Some(0);
        }
        if let Some(on) = parse_hints(word) {
            let switch = |it: &str| match list(it) {
                Some("without") => Some(false),
                _ => parse_switch(it),
            };
            let switched = next.and_then(switch);
            self.hints = Some(on && switched != Some(false));
            return Some(usize::from(switched.is_some()));
        }
        let info = self.game.info();
        let rule = vocabulary().game_words(info.code).exact_meaning("rule", word).unwrap_or(word);
        if info.set_switch(&info.default_options(), rule).is_some() {
            self.rules.push(rule.to_owned());
        } else if let Some(level) = parse_level(word) {
            self.computers.get_or_insert_default().push(level);
        } else if is_computer_word(word) {
            self.computers.get_or_insert_default();
        } else if let Some(seats) = parse_seat_count(word, info.seats) {
            self.seats = Some(seats);
        } else if let Some(begin) = parse_begin(word) {
            self.begin = Some(begin);
        } else if list(word) != Some("players") && !is_filler_word(word) {
            return None;
        }
        Some(0)
    }
}

/// A number of computers with their level, as in "2 strong computers", and how many words follow
/// the number.
fn parse_computers(word: &str, after: &[String]) -> Option<(u8, ComputerLevel, usize)> {
    let count = parse_count(word)?;
    let is_several = |word: &str| lookup_word("opening", word) == Some("computers");
    let second = after.get(1).map(String::as_str);
    match after.first().map(String::as_str)? {
        first if is_several(first) => {
            let level = second.and_then(parse_level);
            Some((count, level.unwrap_or(DEFAULT_LEVEL), 1 + usize::from(level.is_some())))
        }
        first => {
            let level = parse_level(first).filter(|_| second.is_some_and(is_several))?;
            Some((count, level, 2))
        }
    }
}

/// A number, in digits or as a word for so many people.
fn parse_count(word: &str) -> Option<u8> {
    lookup_word("seats", word).unwrap_or(word).parse().ok()
}

/// A number of players: `players=3`, `3`.
fn parse_seat_count(word: &str, limits: SeatLimits) -> Option<u8> {
    match word.split_once('=') {
        Some((name, count)) => {
            (lookup_word("opening", name)? == "players").then(|| count.parse().ok()).flatten()
        }
        None => parse_count(word).filter(|it| limits.contains(*it)),
    }
}

/// Whether hints are given: `hints`, `nohints`, `hints=off`.
fn parse_hints(word: &str) -> Option<bool> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, it)| (name, Some(it)));
    match lookup_word("opening", name)? {
        "hints" => value.map_or(Some(true), parse_switch),
        "no_hints" => Some(false),
        _ => None,
    }
}

/// Whether a word has no meaning of its own and may accompany the description of a table.
pub(crate) fn is_filler_word(word: &str) -> bool {
    matches!(lookup_word("opening", word), Some("filler" | "with" | "with_behind"))
}

/// Whether a word names an opponent, because of the words around it: "with me", «мен менен».
fn is_beside_with(before: Option<&str>, after: &[String]) -> bool {
    let list = |word: &str| lookup_word("opening", word);
    before.and_then(list) == Some("with")
        || after.first().and_then(|it| list(it)) == Some("with_behind")
}

/// Whether a word means a computer opponent.
pub(crate) fn is_computer_word(word: &str) -> bool {
    matches!(lookup_word("opening", word), Some("computer" | "computers"))
}

/// Parses the level of a computer, in any language.
pub(crate) fn parse_level(word: &str) -> Option<ComputerLevel> {
    let word = word.to_lowercase();
    ComputerLevel::read(lookup_word("level", &word).unwrap_or(&word))
}

fn parse_begin(word: &str) -> Option<FirstMover> {
    FirstMover::parse(lookup_word("begin", word).unwrap_or(word))
}

/// The known word that was probably meant: one letter is wrong, missing, extra or swapped.
fn suggest_word(game: GameId, word: &str) -> Option<String> {
    let general = &vocabulary().general;
    let lists = ["level", "opening", "begin"].map(|list| general.list(list));
    let known = lists.into_iter().flatten().flat_map(|(meaning, spellings)| {
        std::iter::once(meaning).chain(spellings.iter().map(String::as_str))
    });
    let rules = game.info().switches.iter().flat_map(|it| it.values.iter().copied());
    let mut known = known.chain(rules).filter(|it| it.chars().count() >= 4);
    known.find(|known| is_one_edit_apart(known, word)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_i18n::vocabulary;

    fn computers(game: GameId, rest: &str) -> Option<Vec<ComputerLevel>> {
        match parse_new_table(game, rest, &[]) {
            NewTableWords::Table(it) => it.computers,
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
            assert_eq!(computers(togyz, said), Some(vec![ComputerLevel::Strong]), "{said}");
        }
        let two = Some(vec![ComputerLevel::Easy, ComputerLevel::Medium]);
        assert_eq!(computers(thaayam, "лёгкий pieces=2 компьютер средний"), two);
    }

    #[test]
    fn computers_and_seats_are_understood_in_the_forms_that_people_use() {
        let [togyz, thaayam, ..] = *GameId::all() else { panic!("more games") };
        for said in [
            "с компьютером",
            "с ботом",
            "против компьютера",
            "с компьютерами",
            "համակարգչի դեմ",
            "համակարգչով",
            "բոտի հետ",
            "கணினியுடன்",
            "ботпен",
            "компьютерге қарсы",
            "компьютерге каршы",
            "бот менен",
            "against bots",
        ] {
            assert_eq!(computers(togyz, said), Some(vec![]), "{said}");
        }
        assert_eq!(computers(togyz, "без компьютера"), None);
        let strong = ComputerLevel::Strong;
        for (said, levels) in [
            ("2 computers", vec![DEFAULT_LEVEL; 2]),
            ("two strong computers", vec![strong; 2]),
            ("3 компьютера", vec![DEFAULT_LEVEL; 3]),
            ("2 computers strong", vec![strong; 2]),
        ] {
            assert_eq!(computers(thaayam, said), Some(levels), "{said}");
        }
        let two = parse_new_table(togyz, "2 computers", &[]);
        assert!(matches!(two, NewTableWords::Unknown { .. }), "{two:?}");
        for (said, seats) in [
            ("for two", 2),
            ("на двоих", 2),
            ("вдвоём", 2),
            ("втроём", 3),
            ("төртеуміз", 4),
            ("үчөөбүз", 3),
            ("երկուսով", 2),
            ("மூவர்", 3),
        ] {
            let NewTableWords::Table(wanted) = parse_new_table(thaayam, said, &[]) else {
                panic!("{said} opens a table");
            };
            assert_eq!(wanted.seats, Some(seats), "{said}");
        }
    }

    #[test]
    fn no_word_for_a_level_is_a_house_rule() {
        for game in GameId::all() {
            let info = game.info();
            for (level, words) in vocabulary().general.list("level") {
                for word in words.iter().map(String::as_str).chain([level]) {
                    assert_eq!(info.set_switch(&info.default_options(), word), None, "{word}");
                }
            }
        }
    }

    #[test]
    fn an_invalid_clock_is_refused_as_a_clock() {
        for game in GameId::all() {
            for said in ["5 s", "5s", "me 5 сек", "99 days", "99 дней", "0 min", "0+3", "999+1"]
                .into_iter()
                .chain(["clock 5 s", "clock banana", "clock=banana", "часы 5 с", "31 күн"])
            {
                assert_eq!(
                    parse_new_table(*game, said, &[]),
                    NewTableWords::InvalidClock,
                    "{said}"
                );
            }
            for said in ["3 min", "clock 3 min", "5+5", "clock 5+5", "2 days", "blitz"] {
                assert!(
                    matches!(parse_new_table(*game, said, &[]), NewTableWords::Table(_)),
                    "{said}"
                );
            }
        }
    }

    #[test]
    fn hints_are_a_word_too_and_no_hints_are_none() {
        for (said, hints) in [
            ("hints", Some(true)),
            ("hints strong", Some(true)),
            ("nohints", Some(false)),
            ("no hints", Some(false)),
            ("without hints", Some(false)),
            ("hints off", Some(false)),
            ("Hints: none", Some(false)),
            ("без подсказки", Some(false)),
            ("без подсказок", Some(false)),
            ("подсказки=нет", Some(false)),
            ("кеңес жоқ", Some(false)),
            ("кенес жок", Some(false)),
            ("кеңессіз", Some(false)),
            ("առանց հուշումներ", Some(false)),
            ("առանց հուշումների", Some(false)),
            ("strong", None),
        ] {
            let NewTableWords::Table(wanted) = parse_new_table(GameId::all()[0], said, &[]) else {
                panic!("it opens a table");
            };
            assert_eq!(wanted.hints, hints, "{said}");
        }
    }

    #[test]
    fn a_game_is_rated_or_casual_by_a_word_in_any_language() {
        for (said, rated) in [
            ("computer casual", Some(false)),
            ("unrated strong", Some(false)),
            ("not rated", Some(false)),
            ("без рейтинга", Some(false)),
            ("rated", Some(true)),
            ("компьютер дружеская", Some(false)),
            ("рейтингсіз", Some(false)),
            ("рейтингдик", Some(true)),
            ("ընկերական", Some(false)),
            ("computer", None),
        ] {
            let NewTableWords::Table(wanted) = parse_new_table(GameId::all()[0], said, &[]) else {
                panic!("{said} opens a table");
            };
            assert_eq!(wanted.rated, rated, "{said}");
        }
    }

    #[test]
    fn the_word_for_who_begins_in_kazakh_opens_no_game_against_a_computer() {
        let game = GameId::all()[0];
        let NewTableWords::Table(wanted) = parse_new_table(game, "бастаушы", &[]) else {
            panic!("it opens a table");
        };
        assert_eq!((wanted.begin, wanted.computers), (Some(FirstMover::Opener), None));
    }

    #[test]
    fn an_opponent_without_a_name_has_no_first_move() {
        let game = GameId::all()[0];
        for said in
            ["with friend", "with my friend", "vs friend", "casual with friend", "дос менен"]
        {
            let read = parse_new_table(game, said, &[]);
            assert!(matches!(read, NewTableWords::Unknown { near: None, .. }), "{said}: {read:?}");
        }
        let nobody = Vec::new();
        let bek = vec![Mention::Username("bek".to_owned())];
        for (said, mentions, begin) in [
            ("with me", &nobody, None),
            ("play against me casual", &nobody, None),
            ("with me first", &nobody, Some(FirstMover::Opener)),
            ("me with computer", &nobody, Some(FirstMover::Opener)),
            ("me", &nobody, Some(FirstMover::Opener)),
            ("friend", &nobody, Some(FirstMover::Friend)),
            ("with friend", &bek, Some(FirstMover::Friend)),
            ("жеребе", &nobody, Some(FirstMover::Lot)),
            ("чүчүкулак менен", &nobody, Some(FirstMover::Lot)),
        ] {
            let NewTableWords::Table(wanted) = parse_new_table(game, said, mentions) else {
                panic!("{said} opens a table");
            };
            assert_eq!(wanted.begin, begin, "{said}");
        }
    }

    #[test]
    fn unknown_words_open_nothing_and_similar_ones_are_suggested() {
        let game = GameId::all()[0];
        for (said, wrong, close) in [
            ("computer godlike", "godlike", None),
            ("computer strng", "strng", Some("strong")),
            ("@nobody", "@nobody", None),
            ("no idea", "no", None),
            ("please", "please", None),
            ("a", "a", None),
        ] {
            let NewTableWords::Unknown { word, near, .. } = parse_new_table(game, said, &[]) else {
                panic!("{said} opens nothing");
            };
            assert_eq!((word.as_str(), near.as_deref()), (wrong, close), "{said}");
        }
        for said in ["0 min", "3000 days", "strong 5s"] {
            assert_eq!(parse_new_table(game, said, &[]), NewTableWords::InvalidClock, "{said}");
        }
        let rules = NewTableWords::Rules(game);
        assert_eq!(parse_new_table(game, "rules", &[]), rules);
        assert_eq!(parse_new_table(game, "ережелер", &[]), rules);
    }
}
