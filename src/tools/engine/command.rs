//! Reads the lines of the protocol.

use super::place::Given;
use super::thinking::Wanted;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`, `caravanserai`: the word.
    Hello(String),
    IsReady,
    Help,
    Game(String),
    /// House rules; the usual ones without.
    Options(Option<String>),
    Seats(u8),
    Level(String),
    Seed(u64),
    New,
    Position(Given),
    Show,
    State,
    Legal,
    Draw,
    Go(Wanted),
    Stop,
    Quit,
}

impl Command {
    /// Reads a line; nothing for an empty one.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn read(line: &str) -> Result<Option<Command>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((name, rest)) = words.split_first() else { return Ok(None) };
        let one = |what: &str| match rest {
            [word] => Ok((*word).to_owned()),
            _ => Err(format!("{name} takes {what}")),
        };
        let command = match (*name, rest) {
            ("position", _) => return position(rest).map(|it| Some(Command::Position(it))),
            ("go", _) => return go(rest).map(|it| Some(Command::Go(it))),
            ("game", _) => Command::Game(one("a name")?),
            ("options", []) => Command::Options(None),
            ("options", _) => Command::Options(Some(one("house rules without spaces")?)),
            ("level", _) => Command::Level(one("a name")?),
            ("seats", _) => Command::Seats(number(name, &one("a number")?)?),
            ("seed", _) => Command::Seed(number(name, &one("a number")?)?),
            ("uci" | "caravanserai", []) => Command::Hello((*name).to_owned()),
            ("isready", []) => Command::IsReady,
            ("help", []) => Command::Help,
            ("new" | "ucinewgame", []) => Command::New,
            ("show", []) => Command::Show,
            ("state", []) => Command::State,
            ("legal", []) => Command::Legal,
            ("draw", []) => Command::Draw,
            ("stop", []) => Command::Stop,
            ("quit", []) => Command::Quit,
            (_, _) => {
                let short: String = line.trim().chars().take(60).collect();
                return Err(format!("\"{short}\" is not understood; help lists what is"));
            }
        };
        Ok(Some(command))
    }
}

fn number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name} takes a number, not {text}"))
}

fn position(words: &[&str]) -> Result<Given, String> {
    let at = words.iter().position(|it| *it == "moves").unwrap_or(words.len());
    let (text, moves) = words.split_at(at);
    let moves: Vec<String> = moves.iter().skip(1).map(|it| (*it).to_owned()).collect();
    Ok(match text {
        [] => return Err("position takes start, a position, or seen and a view".to_owned()),
        ["start"] => Given::Start(moves),
        ["seen", view @ ..] => Given::Seen(view.join(" "), moves),
        _ => Given::Position(text.join(" "), moves),
    })
}

fn go(words: &[&str]) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(format!("{word} takes a number"));
        match *word {
            "infinite" => wanted.infinite = true,
            "movetime" => wanted.ms = Some(number(word, value()?)?),
            "depth" => wanted.depth = Some(number(word, value()?)?),
            "nodes" => wanted.nodes = Some(number(word, value()?)?),
            _ => return Err(format!("go takes movetime, depth, nodes or infinite, not {word}")),
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let go = |line| match Command::read(line) {
            Ok(Some(Command::Go(wanted))) => wanted,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go"), Wanted::default());
        assert_eq!(go(" go movetime 100 depth 7\r\n").depth, Some(7));
        let moves = vec!["7".to_owned(), "9".to_owned()];
        let start = Command::Position(Given::Start(moves));
        assert_eq!(Command::read("position start moves 7 9"), Ok(Some(start)));
        let seen = Command::Position(Given::Seen("seat=1 dealer=2".to_owned(), Vec::new()));
        assert_eq!(Command::read("position seen seat=1  dealer=2"), Ok(Some(seen)));
        assert_eq!(Command::read("  \n"), Ok(None));
        for wrong in ["go fast", "go depth", "go depth x", "position", "seats", "seats 300", "x y"]
        {
            assert!(Command::read(wrong).is_err(), "{wrong}");
        }
    }
}
