//! Finds the people who are mentioned in a message.

use serde::Deserialize;

use super::model::MentionedPerson;
use caravanserai_games::text::{RichSpan, RichText};

/// A person who may be mentioned: id and name.
pub type MentionCandidate<'a> = (&'a str, &'a str);

/// A person whom the author has chosen from the suggestions, by id.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ChosenMention {
    /// The mention at this position of an `@`, in UTF-16 units as browsers count.
    At {
        /// The id.
        person: String,
        /// The position.
        at: usize,
    },
    /// The next mention of this person's name.
    Next(String),
}

impl ChosenMention {
    fn id(&self) -> &str {
        let (ChosenMention::At { person, .. } | ChosenMention::Next(person)) = self;
        person.trim_start_matches("web:")
    }
}

/// The most `@` of a text that are compared with the names in the room: the only writer of the chat
/// reads the text.
const LOOKUPS_MAX: usize = 50;

/// A parsed text, for people and for the bot.
#[derive(Debug, PartialEq, Eq)]
pub struct ParsedMentions {
    /// The text as people see it.
    pub shown: RichText,
    /// The text without the mentions.
    pub text: String,
    /// The mentions, in order.
    pub named: Vec<MentionedPerson>,
}

/// Reads `@Name` at the beginning of any word. Names may contain spaces: the person chosen for this
/// position wins, otherwise the longest matching name in the room. Among people of the same name
/// the next choice without a position wins, then the member who joined first.
pub fn parse_mentions(
    written: &str,
    people: &[MentionCandidate<'_>],
    chosen: &[ChosenMention],
) -> ParsedMentions {
    let mut spans: Vec<RichSpan> = Vec::new();
    let mut named = Vec::new();
    let mut plain = String::new();
    let mut text = String::new();
    let mut chosen: Vec<&ChosenMention> = chosen.iter().collect();
    let mut rest = written;
    let mut lookups = 0;
    while let Some(c) = rest.chars().next() {
        let is_lookup = c == '@' && lookups < LOOKUPS_MAX;
        let starts = is_lookup && ends_at_word_boundary(&plain, &spans);
        lookups += usize::from(starts);
        let place = || written[..written.len() - rest.len()].encode_utf16().count();
        let found = match starts {
            true => find_name(&rest[1..], place(), people, &mut chosen),
            false => None,
        };
        match found {
            Some((MentionedPerson::Known(id), length)) => {
                if !plain.is_empty() {
                    spans.push(RichSpan::Plain(std::mem::take(&mut plain)));
                }
                let name = rest[..=length].to_owned();
                spans.push(RichSpan::Mention { person: format!("web:{id}"), name });
                named.push(MentionedPerson::Known(id));
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
        spans.push(RichSpan::Plain(plain));
    }
    let text = if named.is_empty() { text.trim().to_owned() } else { fold_case(&text) };
    ParsedMentions { shown: RichText(spans), text, named }
}

/// Finds a mention that is being typed at the end of a text: the position of the `@`, and the text
/// after it.
pub fn typed_mention(text: &str) -> Option<(usize, &str)> {
    let at = text.rfind('@')?;
    let before = text[..at].chars().next_back();
    let begins = before.is_none_or(|c| !c.is_alphanumeric());
    let typed = &text[at + 1..];
    (begins && typed.chars().count() <= 32).then_some((at, typed))
}

/// Whether a text begins with another, ignoring case.
pub fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    let mut text = text.chars().flat_map(char::to_lowercase);
    start.chars().flat_map(char::to_lowercase).all(|c| text.next() == Some(c))
}

fn ends_at_word_boundary(plain: &str, spans: &[RichSpan]) -> bool {
    match plain.chars().next_back() {
        Some(c) => !c.is_alphanumeric(),
        None => spans.is_empty(),
    }
}

/// Returns the person who is mentioned at the start of `after` (the text that follows the `@`), and
/// the length of the name in bytes.
fn find_name(
    after: &str,
    place: usize,
    people: &[MentionCandidate<'_>],
    chosen: &mut Vec<&ChosenMention>,
) -> Option<(MentionedPerson, usize)> {
    let spelled = people.iter().filter_map(|(id, name)| Some((name_prefix_len(after, name)?, *id)));
    let spelled: Vec<(usize, &str)> = spelled.collect();
    let longest = spelled.iter().map(|(length, _)| *length).max();
    let longest: Vec<(usize, &str)> =
        spelled.iter().copied().filter(|(length, _)| Some(*length) == longest).collect();
    let is_here = |it: &ChosenMention| matches!(it, ChosenMention::At { at, .. } if *at == place);
    let is_next = |it: &ChosenMention| matches!(it, ChosenMention::Next(_));
    let named = take_choice(chosen, &spelled, is_here)
        .or_else(|| take_choice(chosen, &longest, is_next))
        .or_else(|| longest.first().copied());
    if let Some((length, id)) = named {
        return Some((MentionedPerson::Known(id.to_owned()), length));
    }
    let word: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let length = word.len();
    (length > 0).then_some((MentionedPerson::Unknown(word), length))
}

/// Takes the first fitting choice of one of these people; returns the length of their name, and
/// their id.
fn take_choice<'a>(
    chosen: &mut Vec<&ChosenMention>,
    named: &[(usize, &'a str)],
    fits: impl Fn(&ChosenMention) -> bool,
) -> Option<(usize, &'a str)> {
    let mut choices = chosen.iter().enumerate().filter(|(_, it)| fits(it));
    let (n, person) =
        choices.find_map(|(n, it)| Some((n, *named.iter().find(|(_, id)| *id == it.id())?)))?;
    chosen.remove(n);
    Some(person)
}

/// Returns how many bytes at the start of `text` spell this name as a whole word, ignoring case.
fn name_prefix_len(text: &str, name: &str) -> Option<usize> {
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

fn fold_case(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEOPLE: [MentionCandidate<'static>; 4] =
        [("1", "Ann"), ("2", "Ann Lee"), ("3", "ann"), ("4", "Гүлнар")];

    fn named(written: &str, chosen: &[&str]) -> (String, Vec<MentionedPerson>) {
        let chosen: Vec<ChosenMention> =
            chosen.iter().map(|it| ChosenMention::Next((*it).to_owned())).collect();
        let read = parse_mentions(written, &PEOPLE, &chosen);
        assert_eq!(read.shown.to_plain(), written);
        (read.text, read.named)
    }

    fn known(id: &str) -> MentionedPerson {
        MentionedPerson::Known(id.to_owned())
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
        let at = |person: &str, at| ChosenMention::At { person: person.to_owned(), at };
        let named =
            |written, chosen: &[ChosenMention]| parse_mentions(written, &PEOPLE, chosen).named;
        assert_eq!(named("😀 @Ann", &[at("web:3", 3)]), [known("3")], "counted as browsers do");
        // The first mention is typed by hand, without a choice.
        assert_eq!(named("@Ann and @Ann", &[at("3", 9)]), [known("1"), known("3")]);
        assert_eq!(named("@Ann", &[at("3", 5)]), [known("1")], "another place was meant");
        let read: Vec<ChosenMention> =
            serde_json::from_str(r#"["web:3", { "person": "1", "at": 9 }]"#).unwrap();
        assert_eq!(named("@Ann and @Ann", &read), [known("3"), known("1")]);
    }

    #[test]
    fn a_chosen_person_wins_over_a_longer_name() {
        let people = [("1", "Ann"), ("2", "Ann casual"), ("3", "Bek")];
        let chosen = |person: &str| [ChosenMention::At { person: person.to_owned(), at: 7 }];
        let read =
            |person| parse_mentions("/togyz @Ann casual", &people, chosen(person).as_slice());
        assert_eq!(read("1").named, [known("1")]);
        assert_eq!(read("1").text, "/togyz casual");
        assert_eq!(read("2").named, [known("2")]);
        assert_eq!(read("3").named, [known("2")], "this name is not written there");
    }

    #[test]
    fn mail_addresses_and_strangers_are_nobody_here() {
        assert_eq!(named("me@Ann.example", &[]), ("me@Ann.example".into(), vec![]));
        let stranger = MentionedPerson::Unknown("Annabel".into());
        assert_eq!(named("/togyz @Annabel", &[]), ("/togyz".into(), vec![stranger]));
    }

    #[test]
    fn a_name_being_typed_is_found() {
        assert_eq!(typed_mention("/togyz @An"), Some((7, "An")));
        assert_eq!(typed_mention("a@An"), None);
        assert!(
            starts_with_ignoring_case("Әсел", "ә") && !starts_with_ignoring_case("Ann", "Anna")
        );
    }
}
