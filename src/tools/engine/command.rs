//! Parses the lines of the engine protocol.

use super::position::PositionSpec;
use super::thinker::ThinkLimits;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineCommand {
    /// `uci` or `caravanserai`: the word itself.
    Hello(String),
    IsReady,
    Help,
    Game(String),
    /// House rules; `None` for the usual ones.
    Options(Option<String>),
    Seats(u8),
    Level(String),
    Seed(u64),
    New,
    Position(PositionSpec),
    Show,
    State,
    Legal,
    Draw,
    Go(ThinkLimits),
    Stop,
    Quit,
}

impl EngineCommand {
    /// Parses a line; `None` for an empty one.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(line: &str) -> Result<Option<EngineCommand>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((name, rest)) = words.split_first() else { return Ok(None) };
        let one = |what: &str| match rest {
            [word] => Ok((*word).to_owned()),
            _ => Err(format!("{name} takes {what}")),
        };
        let command = match (*name, rest) {
            ("position", _) => {
                return parse_position(rest).map(|it| Some(EngineCommand::Position(it)));
            }
            ("go", _) => return parse_go(rest).map(|it| Some(EngineCommand::Go(it))),
            ("game", _) => EngineCommand::Game(one("a name")?),
            ("options", []) => EngineCommand::Options(None),
            ("options", _) => EngineCommand::Options(Some(one("house rules without spaces")?)),
            ("level", _) => EngineCommand::Level(one("a name")?),
            ("seats", _) => EngineCommand::Seats(parse_number(name, &one("a number")?)?),
            ("seed", _) => EngineCommand::Seed(parse_number(name, &one("a number")?)?),
            ("uci" | "caravanserai", []) => EngineCommand::Hello((*name).to_owned()),
            ("isready", []) => EngineCommand::IsReady,
            ("help", []) => EngineCommand::Help,
            ("new" | "ucinewgame", []) => EngineCommand::New,
            ("show", []) => EngineCommand::Show,
            ("state", []) => EngineCommand::State,
            ("legal", []) => EngineCommand::Legal,
            ("draw", []) => EngineCommand::Draw,
            ("stop", []) => EngineCommand::Stop,
            ("quit", []) => EngineCommand::Quit,
            (_, _) => {
                let short: String = line.trim().chars().take(60).collect();
                return Err(format!("\"{short}\" is not understood; help lists what is"));
            }
        };
        Ok(Some(command))
    }
}

fn parse_number<N: std::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name} takes a number, not {text}"))
}

fn parse_position(words: &[&str]) -> Result<PositionSpec, String> {
    let at = words.iter().position(|it| *it == "moves").unwrap_or(words.len());
    let (text, moves) = words.split_at(at);
    let moves: Vec<String> = moves.iter().skip(1).map(|it| (*it).to_owned()).collect();
    Ok(match text {
        [] => return Err("position takes start, a position, or seen and a view".to_owned()),
        ["start"] => PositionSpec::Start(moves),
        ["seen", view @ ..] => PositionSpec::Seen(view.join(" "), moves),
        _ => PositionSpec::Position(text.join(" "), moves),
    })
}

fn parse_go(words: &[&str]) -> Result<ThinkLimits, String> {
    let mut wanted = ThinkLimits::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(format!("{word} takes a number"));
        match *word {
            "infinite" => wanted.infinite = true,
            "movetime" => wanted.ms = Some(parse_number(word, value()?)?),
            "depth" => wanted.depth = Some(parse_number(word, value()?)?),
            "nodes" => wanted.nodes = Some(parse_number(word, value()?)?),
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
        let go = |line| match EngineCommand::parse(line) {
            Ok(Some(EngineCommand::Go(wanted))) => wanted,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go"), ThinkLimits::default());
        assert_eq!(go(" go movetime 100 depth 7\r\n").depth, Some(7));
        let moves = vec!["7".to_owned(), "9".to_owned()];
        let start = EngineCommand::Position(PositionSpec::Start(moves));
        assert_eq!(EngineCommand::parse("position start moves 7 9"), Ok(Some(start)));
        let seen =
            EngineCommand::Position(PositionSpec::Seen("seat=1 dealer=2".to_owned(), Vec::new()));
        assert_eq!(EngineCommand::parse("position seen seat=1  dealer=2"), Ok(Some(seen)));
        assert_eq!(EngineCommand::parse("  \n"), Ok(None));
        for wrong in ["go fast", "go depth", "go depth x", "position", "seats", "seats 300", "x y"]
        {
            assert!(EngineCommand::parse(wrong).is_err(), "{wrong}");
        }
    }
}
