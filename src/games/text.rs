//! Language-independent messages (`Text`) and rendered text without platform markup (`RichText`).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::time_units::MINUTE_MS;

/// A message by key with its arguments. The templates (`templates/<lang>/*.ftl`) have the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Fluent message id, for example `table-your-turn`.
    pub key: Cow<'static, str>,
    /// Named arguments in the order they were given.
    pub args: Vec<(Cow<'static, str>, Arg)>,
}

/// One argument of a [`Text`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arg {
    /// A count; chooses the plural form.
    Number(i64),
    /// Verbatim text: a name of a person, a code, a list of numbers. Never parsed as markup.
    Plain(String),
    /// A person whom the platform should notify, if it can.
    Mention {
        /// Platform-wide id as in `chat::PersonId`.
        person: String,
        /// The displayed name.
        name: String,
    },
    /// A moment in the future.
    Time(FutureTime),
    /// The name of the player on this seat; the table replaces it before rendering.
    Seat(u8),
    /// A nested text, rendered in the same language.
    Text(Box<Text>),
    /// Several items, joined with commas.
    List(Vec<Arg>),
    /// Several items in sequence without commas, as throws of dice.
    Row(Vec<Arg>),
    /// Several people or other items that belong together: the last is joined with “and”.
    Names(Vec<Arg>),
}

/// A moment in the future. A platform that can show it in the reader's time zone does so; elsewhere
/// the text says how far away it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FutureTime {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// Whether the day is shown instead of the hour.
    #[serde(default)]
    pub day: bool,
    /// The distance in words, or the day; set when the text is rendered.
    pub away: Option<Box<Text>>,
}

impl FutureTime {
    /// The time of day, where the reader's time is unknown: `18:40 UTC`.
    pub fn utc_time_of_day(&self) -> String {
        format!("{} UTC", self.utc_hours_and_minutes())
    }

    /// The same without the name of the time zone, for texts that name it themselves: `18:40`.
    pub fn utc_hours_and_minutes(&self) -> String {
        let minutes = self.at_ms / MINUTE_MS;
        format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
    }
}

impl Text {
    /// A text without arguments.
    pub fn new(key: impl Into<Cow<'static, str>>) -> Self {
        Self { key: key.into(), args: Vec::new() }
    }

    /// The same text with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((Cow::Borrowed(name), arg.into()));
        self
    }

    /// Replaces every [`Arg::Seat`], at any depth, by the argument that `name` gives for the seat.
    #[must_use]
    pub fn with_seat_names(mut self, name: &dyn Fn(u8) -> Arg) -> Self {
        self.map_args(&|arg| {
            if let Arg::Seat(seat) = arg {
                *arg = name(*seat);
            }
        });
        self
    }

    /// Sets the distance of every [`Arg::Time`], at any depth, to the text that `away` gives for
    /// it.
    #[must_use]
    pub fn with_time_texts(mut self, away: &dyn Fn(&FutureTime) -> Text) -> Self {
        self.map_args(&|arg| {
            if let Arg::Time(moment) = arg {
                moment.away = Some(Box::new(away(moment)));
            }
        });
        self
    }

    fn map_args(&mut self, change: &dyn Fn(&mut Arg)) {
        self.args.iter_mut().for_each(|(_, arg)| arg.map_in_place(change));
    }
}

impl Arg {
    /// A moment in the future, in milliseconds since 1970.
    pub fn time(at_ms: u64) -> Self {
        Arg::Time(FutureTime { at_ms, day: false, away: None })
    }

    /// A day in the future, by a moment of it in milliseconds since 1970.
    pub fn day(at_ms: u64) -> Self {
        Arg::Time(FutureTime { at_ms, day: true, away: None })
    }

    /// Changes this argument and all nested ones.
    fn map_in_place(&mut self, change: &dyn Fn(&mut Arg)) {
        match self {
            Arg::Text(text) => text.map_args(change),
            Arg::List(items) | Arg::Row(items) | Arg::Names(items) => {
                items.iter_mut().for_each(|it| it.map_in_place(change))
            }
            Arg::Number(_) | Arg::Plain(_) | Arg::Mention { .. } | Arg::Seat(_) | Arg::Time(_) => {
                change(self)
            }
        }
    }
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Arg::Number(number)
    }
}

impl From<u8> for Arg {
    fn from(number: u8) -> Self {
        Arg::Number(i64::from(number))
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Arg::Plain(text)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Arg::Plain(text.to_owned())
    }
}

impl From<Text> for Arg {
    fn from(text: Text) -> Self {
        Arg::Text(Box::new(text))
    }
}

/// Text in one language with the markup that all platforms have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RichText(pub Vec<RichSpan>);

/// A run of characters in one style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RichSpan {
    /// Without style.
    Plain(String),
    /// Bold text.
    Bold(String),
    /// Fixed width: codes, commands, records.
    Code(String),
    /// A person whom the platform should notify, if it can.
    Mention {
        /// Platform-wide id as in `chat::PersonId`.
        person: String,
        /// The displayed name.
        name: String,
    },
    /// A moment in the future.
    Time {
        /// Milliseconds since 1970: a platform that can show it in the reader's time zone does so.
        at_ms: u64,
        /// Whether the day is shown instead of the hour.
        day: bool,
        /// The distance in words, or the day.
        away: String,
    },
}

impl RichText {
    /// Makes text without markup.
    pub fn plain(text: impl Into<String>) -> Self {
        RichText(vec![RichSpan::Plain(text.into())])
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.text().is_empty())
    }

    /// The words without any markup: for toasts, alternative texts and logs of tests.
    pub fn to_plain(&self) -> String {
        self.0.iter().map(RichSpan::text).collect()
    }
}

impl RichSpan {
    /// The displayed text of this span.
    pub fn text(&self) -> &str {
        match self {
            RichSpan::Plain(text) | RichSpan::Bold(text) | RichSpan::Code(text) => text,
            RichSpan::Mention { name, .. } => name,
            RichSpan::Time { away, .. } => away,
        }
    }
}
