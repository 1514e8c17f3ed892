//! Replaces the displayed names of people in the log of a table, where a chat does not show them.
//! The stored log does not change: a name is replaced each time that the log is read.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Event, LogLine};
use super::log_words::escape;
use caravanserai_games::ids::PersonId;

/// The names that are shown instead of those in a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenNameReplacement {
    /// The name for each account.
    pub names: BTreeMap<PersonId, String>,
}

impl HiddenNameReplacement {
    /// Replaces the names in a log. Returns `None` if it does not name these people.
    ///
    /// # Errors
    /// Describes the first line that cannot be parsed.
    pub fn replace_in_log(&self, lines: &[String]) -> Result<Option<Vec<String>>, String> {
        if !self.is_named_in(lines) {
            return Ok(None);
        }
        let mut replaced = Vec::with_capacity(lines.len());
        let mut hidden = BTreeSet::new();
        for text in lines {
            let mut line = LogLine::parse(text)?;
            let is_changed = self.replace_in_event(&mut line.event, &mut hidden);
            replaced.push(if is_changed { line.encode() } else { text.clone() });
        }
        Ok(Some(replaced))
    }

    /// Whether a log may name one of the people: quick, and never wrongly `false`.
    fn is_named_in(&self, lines: &[String]) -> bool {
        let ids: Vec<String> = self.names.keys().map(|it| escape(&it.0)).collect();
        lines.iter().any(|line| ids.iter().any(|it| line.contains(it)))
    }

    /// Replaces the names in an event. `hidden`: the names that were replaced before, with what
    /// replaces them. Returns whether there were any.
    fn replace_in_event(&self, event: &mut Event, hidden: &mut BTreeSet<(String, String)>) -> bool {
        let mut replace = |person: &PersonId, name: &mut String| {
            let Some(shown) = self.names.get(person) else { return false };
            hidden.insert((name.clone(), shown.clone()));
            name.clone_from(shown);
            true
        };
        match event {
            Event::Seated { person, name }
            | Event::SubstituteAgreed { person, name }
            | Event::SeatReplaced { person, name, .. }
            | Event::Invited { person: Some(person), name, .. }
            | Event::SubstituteProposed { person: Some(person), name, .. } => replace(person, name),
            Event::DeclineExplained { name, .. } => {
                let Some((_, shown)) = hidden.iter().find(|(own, _)| own == name) else {
                    return false;
                };
                name.clone_from(shown);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, event: Event) -> String {
        LogLine { number, at_ms: 1_000, cause: "mem/1".to_owned(), event }.encode()
    }

    fn seated(person: &str, name: &str) -> Event {
        Event::Seated { person: PersonId(person.to_owned()), name: name.to_owned() }
    }

    fn replacement() -> HiddenNameReplacement {
        let names = [(PersonId("tg:7".to_owned()), "Player 7F2A".to_owned())];
        HiddenNameReplacement { names: names.into() }
    }

    #[test]
    fn only_the_names_of_these_people_change() {
        let log = vec![line(0, seated("tg:7", "rude words")), line(1, seated("tg:8", "Ann"))];
        let replaced = replacement().replace_in_log(&log).expect("it can be read");
        let expected = vec![line(0, seated("tg:7", "Player 7F2A")), log[1].clone()];
        assert_eq!(replaced, Some(expected.clone()));
        let again = replacement().replace_in_log(&expected).expect("it can be read");
        assert_eq!(again, Some(expected), "it may be repeated");
    }

    #[test]
    fn a_log_without_these_people_is_left_alone() {
        let log = vec![line(0, seated("tg:8", "rude words"))];
        assert_eq!(replacement().replace_in_log(&log), Ok(None));
    }
}
