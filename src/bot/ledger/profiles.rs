//! What is remembered of people and places between updates.
//!
//! These types cannot be serialized: their rows are written only by [`super::changes`].

use serde::{Deserialize, Deserializer, Serialize};

use std::collections::BTreeSet;

use super::changes::{Slot, Stored};
use super::choices::{Night, Rules};
use super::inherited::PlaceSettings;
use super::rows::parse;
use super::vacations::Vacation;
use super::{Failure, Ledger, keys};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_i18n::Lang;
use caravanserai_protocol::settings::{Calls, Opens};
use caravanserai_protocol::{Parents, Person, Place};
use caravanserai_render::DEFAULT_THEME;
use caravanserai_store::{Put, Read, Space};

/// What is remembered of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct PersonProfile {
    /// The language they chose.
    pub lang: Option<Lang>,
    /// The language of their client, if we speak it.
    pub guess: Option<Lang>,
    /// What people saw last.
    pub name: String,
    /// The name after `@`.
    pub username: Option<String>,
    /// Whether they want to press a move twice before it is made.
    pub confirm: bool,
    /// The theme of what only they see.
    pub theme: Option<String>,
    /// Whether they want what only they see to stand as for everybody, not with their side below.
    pub fixed: bool,
    /// Whether they want boards that only they see in words.
    pub words: bool,
    /// When they are called who are waited for; see [`PersonProfile::called_from`].
    pub calls: Calls,
    /// The hours in which they are not called.
    pub night: Option<Night>,
    /// What their clock is ahead of Greenwich, in minutes.
    pub zone_min: i16,
    /// The person that this account belongs to, if it is not a person of its own.
    pub main: Option<PersonId>,
    /// The other accounts of this person, at most one on each platform.
    pub accounts: Vec<PersonId>,
    /// Whether computers they play alone are to answer at once, not turn after turn.
    pub quick: bool,
    /// Their vacations of the last year, the present one last.
    pub vacations: Vec<Vacation>,
    /// When they last ended a vacation so soon that it cost no day, in milliseconds since 1970.
    pub corrected_ms: Option<u64>,
}

/// Which accounts are one person. It has a row of its own, which only linking writes: whoever
/// settles something else at the same moment neither takes a link away nor brings one back. What
/// profiles say of it counts where there is no such row, as in stores of before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Links {
    /// See [`PersonProfile::main`].
    pub main: Option<PersonId>,
    /// See [`PersonProfile::accounts`].
    pub accounts: Vec<PersonId>,
}

/// What is remembered of a chat; topics share it. It has only the settings that were set in this
/// chat; [`PlaceSettings`] adds those that are inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct PlaceProfile {
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
    /// Whether hints are given at its tables, if that was settled.
    pub hints: Option<bool>,
    /// By which rules games are played there if nobody says it.
    pub rules: Rules,
    /// Who may open tables there.
    pub opens: Opens,
    /// Whether everybody may take a table away that has not begun, as its opener and admins may.
    pub all_order: bool,
    /// Whether the bot makes no device sound there, and calls nobody.
    pub quiet: bool,
    /// Whether boards stay, without buttons, that were posted anew further down.
    pub keeps_boards: bool,
    /// The places of it in which alone tables may stand; none: everywhere.
    pub only: Vec<PlaceId>,
    /// The clock that was chosen there last, as logs spell it: the default of its next tables.
    pub clock: Option<String>,
    /// The codes of the settings that were set there. Earlier versions did not write it: see
    /// [`PlaceProfile::is_set`].
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub chosen: BTreeSet<String>,
    /// The places whose settings it inherits.
    #[serde(skip_serializing_if = "Parents::is_empty")]
    pub parents: Parents,
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

impl PersonProfile {
    /// Reads the rows of a profile and of its links.
    pub fn read(row: Option<Vec<u8>>, links: Option<Vec<u8>>) -> Self {
        let mut profile: PersonProfile = parse(row);
        if links.is_some() {
            let Links { main, accounts } = parse(links);
            (profile.main, profile.accounts) = (main, accounts);
        }
        profile
    }

    /// Which accounts are this person.
    pub fn links(&self) -> Links {
        Links { main: self.main.clone(), accounts: self.accounts.clone() }
    }

    /// How to show this person something, alone.
    pub fn reads(&self, place: &PlaceProfile) -> Reader {
        let theme = self.theme.as_ref().or(place.theme.as_ref());
        Reader {
            lang: self.speaks(place),
            theme: theme.map_or_else(|| DEFAULT_THEME.to_owned(), Clone::clone),
            fixed: self.fixed,
            words: self.words,
        }
    }

    /// The language to answer this person in, alone.
    pub fn speaks(&self, place: &PlaceProfile) -> Lang {
        self.lang.or(self.guess).unwrap_or_else(|| place.speaks())
    }
}

impl PlaceProfile {
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

impl Ledger {
    /// What is remembered of a person.
    pub async fn person(&self, person: &PersonId) -> Result<PersonProfile, Failure> {
        Ok(self.stored_person(person).await?.2)
    }

    /// The rows of a profile and of its links, which may be written later, and the profile that
    /// both make.
    pub async fn stored_person(
        &self,
        person: &PersonId,
    ) -> Result<(Stored<PersonProfile>, Stored<Links>, PersonProfile), Failure> {
        let mut found = self.read(&person_rows(person)).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let (row, links) = (next()?, next()?);
        let profile = PersonProfile::read(row.clone(), links.clone());
        let stored = Stored::read(Slot::person(person), row);
        Ok((stored, Stored::read(Slot::links(person), links), profile))
    }

    /// Stores what an update says of a person.
    pub async fn keep_person(&self, person: &Person) -> Result<(), Failure> {
        let known = self.stored(Slot::person(&person.id)).await?;
        if let Some(username) = &person.username
            && known.value().username.as_ref() != Some(username)
        {
            // The name goes first: if the process stops in between, the next update writes both.
            let key = keys::username(person.id.platform(), username);
            self.keep(vec![Put::new(Space::Person, key, person.id.0.clone())]).await?;
        }
        self.change(Slot::person(&person.id), |it| hear_person(it, person)).await.map(drop)
    }

    /// What is remembered of the chat a place belongs to.
    pub async fn place(&self, place: &PlaceId) -> Result<PlaceSettings, Failure> {
        self.inherited(parse(self.value(Space::Place, place.chat()).await?)).await
    }

    /// What is remembered of a person and of the chat a place belongs to, asked for together.
    pub async fn profiles(
        &self,
        person: &PersonId,
        place: &PlaceId,
    ) -> Result<(PersonProfile, PlaceSettings), Failure> {
        let mut reads = person_rows(person).to_vec();
        reads.push(Read::value(Space::Place, place.chat()));
        let mut found = self.read(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let person = PersonProfile::read(next()?, next()?);
        Ok((person, self.inherited(parse(next()?)).await?))
    }

    /// Who is behind an account.
    pub async fn behind(&self, account: &PersonId) -> Result<PersonId, Failure> {
        Ok(self.person(account).await?.main.unwrap_or_else(|| account.clone()))
    }

    /// The account by which a person is reached on a platform.
    pub async fn account_on(&self, person: &PersonId, platform: &str) -> Result<PersonId, Failure> {
        if person.platform() == platform {
            return Ok(person.clone());
        }
        let accounts = self.person(person).await?.accounts.into_iter();
        let there = accounts.into_iter().find(|it| it.platform() == platform);
        Ok(there.unwrap_or_else(|| person.clone()))
    }

    /// The person known by this name after `@`.
    pub async fn by_username(
        &self,
        platform: &str,
        username: &str,
    ) -> Result<Option<(PersonId, PersonProfile)>, Failure> {
        let key = keys::username(platform, username);
        let Some(id) = self.value(Space::Person, &key).await? else { return Ok(None) };
        let id = PersonId(String::from_utf8_lossy(&id).into_owned());
        let memory = self.person(&id).await?;
        // Names after `@` change hands: the last holder counts only while they still hold it.
        let same = memory.username.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(username));
        let person = memory.main.clone().unwrap_or(id);
        Ok(same.then_some((person, memory)))
    }
}

/// The rows of a person: the profile and the links, see [`PersonProfile::read`].
pub fn person_rows(person: &PersonId) -> [Read; 2] {
    [Read::value(Space::Person, &*person.0), Read::value(Space::Person, keys::links(person))]
}

/// Takes over what an update says of a person.
pub fn hear_person(memory: &mut PersonProfile, person: &Person) {
    memory.guess = person.locale.as_deref().and_then(Lang::of_locale).or(memory.guess);
    memory.name.clone_from(&person.name);
    memory.username.clone_from(&person.username);
}

/// Takes over what an update says of a place. `speaker`: the language of the sender.
pub fn hear_place(memory: &mut PlaceProfile, place: &Place, speaker: Option<Lang>) {
    memory.group = place.kind == PlaceKind::Group;
    memory.gone = false;
    if !place.title.is_empty() {
        memory.title.clone_from(&place.title);
    }
    let locale = place.locale.as_deref().and_then(Lang::of_locale);
    memory.guess = if memory.group { memory.guess.or(speaker).or(locale) } else { speaker };
    memory.parents = place.parents.clone().or(std::mem::take(&mut memory.parents));
}

impl<'a> Deserialize<'a> for PersonProfile {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

impl<'a> Deserialize<'a> for PlaceProfile {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

impl<'a> Deserialize<'a> for Links {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}
