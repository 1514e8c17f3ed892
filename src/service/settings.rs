//! What is remembered of people and places between updates.

use serde::{Deserialize, Serialize};

use super::{Failure, Inner, keys};
use crate::chat::{Person, Place};
use crate::i18n::Lang;
use crate::ids::{PersonId, PlaceId, PlaceKind};
use crate::render::DEFAULT_THEME;
use crate::store::{Put, Space};

/// What is remembered of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PersonMemory {
    /// The language they chose.
    pub lang: Option<Lang>,
    /// The language of their client, if we speak it.
    pub guess: Option<Lang>,
    /// What people saw last.
    pub name: String,
    /// The name after `@`.
    pub username: Option<String>,
    /// Whether they want to press a card twice before it is played.
    pub confirm: bool,
    /// The theme of what only they see.
    pub theme: Option<String>,
    /// Whether they want what only they see to stand as for everybody, not with their side below.
    pub fixed: bool,
    /// Whether they want boards that only they see in words.
    pub words: bool,
}

/// What is remembered of a chat; topics share it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceMemory {
    /// The language its admins chose.
    pub lang: Option<Lang>,
    /// The language of its locale or of whoever spoke first.
    pub guess: Option<Lang>,
    /// What people call it.
    pub title: String,
    /// Whether others read along.
    pub group: bool,
    /// Whether the bot may not write there at the moment.
    pub gone: bool,
    /// The theme its admins chose.
    pub theme: Option<String>,
}

/// How somebody is shown things: one person, or everybody in a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reader {
    /// The language of words.
    pub lang: Lang,
    /// The theme of pictures.
    pub theme: String,
    /// Whether boards stand for them as for everybody.
    pub fixed: bool,
    /// Whether they want words for pictures.
    pub words: bool,
}

impl PersonMemory {
    /// How to show this person something, alone.
    pub fn reads(&self, place: &PlaceMemory) -> Reader {
        let theme = self.theme.as_ref().or(place.theme.as_ref());
        Reader {
            lang: self.speaks(place),
            theme: theme.map_or_else(|| DEFAULT_THEME.to_owned(), Clone::clone),
            fixed: self.fixed,
            words: self.words,
        }
    }

    /// The language to answer this person in, alone.
    pub fn speaks(&self, place: &PlaceMemory) -> Lang {
        self.lang.or(self.guess).unwrap_or_else(|| place.speaks())
    }
}

impl PlaceMemory {
    /// How to show everybody in this place something.
    pub fn reads(&self) -> Reader {
        let theme = self.theme.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
        Reader { lang: self.speaks(), theme, fixed: true, words: false }
    }

    /// The language everybody in this place reads.
    pub fn speaks(&self) -> Lang {
        self.lang.or(self.guess).unwrap_or_default()
    }
}

/// Reads a JSON value; an absent or unreadable one gives the default.
pub(super) fn parse<T: Default + for<'a> Deserialize<'a>>(bytes: Option<Vec<u8>>) -> T {
    bytes.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default()
}

/// A put of a JSON value.
pub(super) fn put<T: Serialize>(space: Space, key: String, value: &T) -> Put {
    let value = serde_json::to_vec(value).expect("our own types become JSON");
    Put::new(space, key, value)
}

/// A removal.
pub(super) fn cut(space: Space, key: String) -> Put {
    Put::remove(space, key)
}

impl Inner {
    /// What is remembered of a person.
    pub(super) async fn person(&self, person: &PersonId) -> Result<PersonMemory, Failure> {
        Ok(parse(self.store.get(Space::Person, &person.0).await?))
    }

    /// What is remembered of the chat a place belongs to.
    pub(super) async fn place(&self, place: &PlaceId) -> Result<PlaceMemory, Failure> {
        Ok(parse(self.store.get(Space::Place, place.chat()).await?))
    }

    /// The person known by this name after `@`.
    pub(super) async fn by_username(
        &self,
        platform: &str,
        username: &str,
    ) -> Result<Option<(PersonId, PersonMemory)>, Failure> {
        let key = keys::username(platform, username);
        let Some(id) = self.store.get(Space::Person, &key).await? else { return Ok(None) };
        let id = PersonId(String::from_utf8_lossy(&id).into_owned());
        let memory = self.person(&id).await?;
        // Names after `@` change hands: the last holder counts only while they still hold it.
        let same = memory.username.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(username));
        Ok(same.then_some((id, memory)))
    }
}

/// What changes in memory because this person was heard; nothing if nothing is new.
pub(super) fn heard_person(memory: &mut PersonMemory, person: &Person) -> Vec<Put> {
    let before = memory.clone();
    memory.guess = person.locale.as_deref().and_then(Lang::of_locale).or(memory.guess);
    memory.name.clone_from(&person.name);
    memory.username.clone_from(&person.username);
    if *memory == before {
        return Vec::new();
    }
    let mut puts = vec![put(Space::Person, person.id.0.clone(), memory)];
    if before.username != memory.username
        && let Some(username) = &memory.username
    {
        let key = keys::username(person.id.platform(), username);
        puts.push(Put::new(Space::Person, key, person.id.0.clone()));
    }
    puts
}

/// What changes in memory because something was heard in this place.
pub(super) fn heard_place(
    memory: &mut PlaceMemory,
    place: &Place,
    speaker: Option<Lang>,
) -> Vec<Put> {
    let before = memory.clone();
    memory.group = place.kind == PlaceKind::Group;
    memory.gone = false;
    if !place.title.is_empty() {
        memory.title.clone_from(&place.title);
    }
    let locale = place.locale.as_deref().and_then(Lang::of_locale);
    memory.guess = if memory.group { memory.guess.or(speaker).or(locale) } else { speaker };
    if *memory == before {
        return Vec::new();
    }
    vec![put(Space::Place, place.id.chat().to_owned(), memory)]
}
