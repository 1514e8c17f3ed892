//! Finds the people named in a message.

use serde::Deserialize;

use super::model::Named;
use caravanserai_games::words::{Rich, Span};

/// Somebody who may be meant: id and name.
pub type Candidate<'a> = (&'a str, &'a str);

/// A person whom the writer has chosen from the suggestions, by id.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Chosen {
    /// At the position of their `@`, in UTF-16 units as browsers count.
    At {
        /// The id.
        person: String,
        /// The position.
        at: usize,
    },
    /// At the next position of their name.
    Next(String),
}

impl Chosen {
    fn id(&self) -> &str {
        let (Chosen::At { person, .. } | Chosen::Next(person)) = self;
        person.trim_start_matches("web:")
    }

    fn fits(&self, place: usize) -> bool {
        match self {
            Chosen::At { at, .. } => *at == place,
            Chosen::Next(_) => true,
        }
    }
}

/// What a written text says: to people, and to the bot.
#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    /// As it is shown.
    pub shown: Rich,
    /// The words without the mentions.
    pub text: String,
    /// The mentions, in order.
    pub named: Vec<Named>,
}

/// Reads `@Name` wherever a word may begin. Names may hold spaces: the longest name of the room
/// that fits counts. Among people of the same name the one who was chosen for this position counts,
/// then the next one who was chosen without a position, then the one who came first.
pub fn read(written: &str, people: &[Candidate<'_>], chosen: &[Chosen]) -> Read {
    let mut spans: Vec<Span> = Vec::new();
    let mut named = Vec::new();
    let mut plain = String::new();
    let mut text = String::new();
    let mut chosen: Vec<&Chosen> = chosen.iter().collect();
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        let starts = c == '@' && plain_end_is_free(&plain, &spans);
        let place = || written[..written.len() - rest.len()].encode_utf16().count();
        let found = match starts {
            true => find((&rest[1..], place()), people, &mut chosen),
            false => None,
        };
        match found {
            Some((Named::Known(id), length)) => {
                if !plain.is_empty() {
                    spans.push(Span::Plain(std::mem::take(&mut plain)));
                }
                let name = rest[..=length].to_owned();
                spans.push(Span::Mention { person: format!("web:{id}"), name });
                named.push(Named::Known(id));
                rest = &rest[1 + length..];
            }
            Some((unknown, length)) => {
                plain.push_str(&rest[..=length]);
                named.push(unknown);
                rest = &rest[1 + length..];
            }
            None => {
                plain.push(c);
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !plain.is_empty() {
        spans.push(Span::Plain(plain));
    }
    let text = if named.is_empty() { text.trim().to_owned() } else { folded(&text) };
    Read { shown: Rich(spans), text, named }
}

/// The start of a name that is being typed at the end of a text: where the `@` is, what follows.
pub fn typing(text: &str) -> Option<(usize, &str)> {
    let at = text.rfind('@')?;
    let before = text[..at].chars().next_back();
    let begins = before.is_none_or(|c| !c.is_alphanumeric());
    let typed = &text[at + 1..];
    (begins && typed.chars().count() <= 32).then_some((at, typed))
}

/// Whether a text begins like that, letter case aside.
pub fn begins(text: &str, start: &str) -> bool {
    let mut text = text.chars().flat_map(char::to_lowercase);
    start.chars().flat_map(char::to_lowercase).all(|c| text.next() == Some(c))
}

fn plain_end_is_free(plain: &str, spans: &[Span]) -> bool {
    match plain.chars().next_back() {
        Some(c) => !c.is_alphanumeric(),
        None => spans.is_empty(),
    }
}

/// Who is named at the start of `after` (what follows the `@` at this place), and by how many
/// bytes.
fn find(
    (after, place): (&str, usize),
    people: &[Candidate<'_>],
    chosen: &mut Vec<&Chosen>,
) -> Option<(Named, usize)> {
    let mut best: Option<(usize, Vec<&str>)> = None;
    for (id, name) in people {
        let Some(length) = prefix(after, name) else { continue };
        match &mut best {
            Some((longest, ids)) if *longest == length => ids.push(id),
            Some((longest, _)) if *longest > length => {}
            _ => best = Some((length, vec![id])),
        }
    }
    if let Some((length, ids)) = best {
        let fits = |it: &&&Chosen| it.fits(place) && ids.contains(&it.id());
        let placed = chosen.iter().position(|it| matches!(it, Chosen::At { .. }) && fits(&it));
        let pick = placed.or_else(|| chosen.iter().position(|it| fits(&it)));
        let id = match pick {
            Some(n) => chosen.remove(n).id().to_owned(),
            None => ids[0].to_owned(),
        };
        return Some((Named::Known(id), length));
    }
    let word: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let length = word.len();
    (length > 0).then_some((Named::Unknown(word), length))
}

/// How many bytes of `text` spell this name as a whole word, letter case aside.
fn prefix(text: &str, name: &str) -> Option<usize> {
    let mut length = 0;
    let mut letters = text.chars();
    for wanted in name.chars() {
        let c = letters.next()?;
        if c != wanted && !c.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
        length += c.len_utf8();
    }
    letters.next().is_none_or(|c| !c.is_alphanumeric()).then_some(length)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEOPLE: [Candidate<'static>; 4] =
        [("1", "Ann"), ("2", "Ann Lee"), ("3", "ann"), ("4", "Гүлнар")];

    fn named(written: &str, chosen: &[&str]) -> (String, Vec<Named>) {
        let chosen: Vec<Chosen> = chosen.iter().map(|it| Chosen::Next((*it).to_owned())).collect();
        let read = read(written, &PEOPLE, &chosen);
        assert_eq!(read.shown.to_plain(), written);
        (read.text, read.named)
    }

    fn known(id: &str) -> Named {
        Named::Known(id.to_owned())
    }

    #[test]
    fn the_longest_name_counts_and_leaves_the_text() {
        assert_eq!(named("/togyz @Ann Lee now", &[]), ("/togyz now".into(), vec![known("2")]));
        assert_eq!(named("@гүлнар!", &[]), ("!".into(), vec![known("4")]));
    }

    #[test]
    fn equal_names_are_told_apart_by_what_was_picked() {
        assert_eq!(named("hi @Ann", &[]).1, [known("1")]);
        assert_eq!(named("hi @Ann", &["web:3"]).1, [known("3")]);
        assert_eq!(named("@Ann and @Ann", &["3", "1"]).1, [known("3"), known("1")]);
    }

    #[test]
    fn a_chosen_person_is_bound_to_a_position_in_the_text() {
        let at = |person: &str, at| Chosen::At { person: person.to_owned(), at };
        let named = |written, chosen: &[Chosen]| read(written, &PEOPLE, chosen).named;
        assert_eq!(named("😀 @Ann", &[at("web:3", 3)]), [known("3")], "counted as browsers do");
        // The first one is typed by hand, and was not chosen.
        assert_eq!(named("@Ann and @Ann", &[at("3", 9)]), [known("1"), known("3")]);
        assert_eq!(named("@Ann", &[at("3", 5)]), [known("1")], "another place was meant");
        let read: Vec<Chosen> =
            serde_json::from_str(r#"["web:3", { "person": "1", "at": 9 }]"#).unwrap();
        assert_eq!(named("@Ann and @Ann", &read), [known("3"), known("1")]);
    }

    #[test]
    fn mail_addresses_and_strangers_are_nobody_here() {
        assert_eq!(named("me@Ann.example", &[]), ("me@Ann.example".into(), vec![]));
        let stranger = Named::Unknown("Annabel".into());
        assert_eq!(named("/togyz @Annabel", &[]), ("/togyz".into(), vec![stranger]));
    }

    #[test]
    fn a_name_being_typed_is_found() {
        assert_eq!(typing("/togyz @An"), Some((7, "An")));
        assert_eq!(typing("a@An"), None);
        assert!(begins("Әсел", "ә") && !begins("Ann", "Anna"));
    }
}
