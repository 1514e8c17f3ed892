//! What is remembered of people and places between updates.
//!
//! These types cannot be serialized: their rows are written only by [`super::row_update`].

use serde::{Deserialize, Deserializer, Serialize};

use std::collections::BTreeSet;

use super::chat_settings::ChatSettings;
use super::preferences::{HouseRules, QuietHours};
use super::row_update::{StoredRow, TypedRowKey};
use super::stored_rows::parse_json_or_default;
use super::vacations::Vacation;
use super::{Failure, Repository, keys};
use crate::settings::{CallTiming, TableOpeners};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_i18n::Lang;
use caravanserai_protocol::{Chat, ParentChats, Person};
use caravanserai_render::DEFAULT_THEME;
use caravanserai_store::{Put, Space, StoreQuery};

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
    /// When they are called who are waited for; see [`PersonProfile::call_time`].
    pub calls: CallTiming,
    /// The hours in which they are not called.
    pub night: Option<QuietHours>,
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
pub struct LinkedAccounts {
    /// See [`PersonProfile::main`].
    pub main: Option<PersonId>,
    /// See [`PersonProfile::mentioned_accounts`].
    pub accounts: Vec<PersonId>,
}

/// What is remembered of a chat; topics share it. It has only the settings that were set in this
/// chat; [`ChatSettings`] adds those that are inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct ChatProfile {
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
    pub rules: HouseRules,
    /// Who may open tables there.
    pub opens: TableOpeners,
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
    /// [`ChatProfile::is_set`].
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub chosen: BTreeSet<String>,
    /// The places whose settings it inherits.
    #[serde(skip_serializing_if = "ParentChats::is_empty")]
    pub parents: ParentChats,
}

/// How somebody is shown things: one person, or everybody in a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DisplayPrefs {
    /// The language of words.
    pub lang: Lang,
    /// The theme of pictures.
    pub theme: String,
    /// Whether boards stand for them as for everybody.
    pub fixed_orientation: bool,
    /// Whether they want words for pictures.
    pub text_boards: bool,
}

impl PersonProfile {
    /// Reads the rows of a profile and of its links.
    pub fn decode_rows(row: Option<Vec<u8>>, links: Option<Vec<u8>>) -> Self {
        let mut profile: PersonProfile = parse_json_or_default(row);
        if links.is_some() {
            let LinkedAccounts { main, accounts } = parse_json_or_default(links);
            (profile.main, profile.accounts) = (main, accounts);
        }
        profile
    }

    /// Which accounts are this person.
    pub fn linked_accounts(&self) -> LinkedAccounts {
        LinkedAccounts { main: self.main.clone(), accounts: self.accounts.clone() }
    }

    /// How to show this person something, alone.
    pub fn display_prefs(&self, place: &ChatProfile) -> DisplayPrefs {
        let theme = self.theme.as_ref().or(place.theme.as_ref());
        DisplayPrefs {
            lang: self.language(place),
            theme: theme.map_or_else(|| DEFAULT_THEME.to_owned(), Clone::clone),
            fixed_orientation: self.fixed,
            text_boards: self.words,
        }
    }

    /// The language to answer this person in, alone.
    pub fn language(&self, place: &ChatProfile) -> Lang {
        self.lang.or(self.guess).unwrap_or_else(|| place.language())
    }
}

impl ChatProfile {
    /// How to show everybody in this place something.
    pub fn display_prefs(&self) -> DisplayPrefs {
        let theme = self.theme.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
        DisplayPrefs { lang: self.language(), theme, fixed_orientation: true, text_boards: false }
    }

    /// The language everybody in this place reads.
    pub fn language(&self) -> Lang {
        self.lang.or(self.guess).unwrap_or_default()
    }
}

impl Repository {
    /// What is remembered of a person.
    pub async fn load_person(&self, person: &PersonId) -> Result<PersonProfile, Failure> {
        Ok(self.load_stored_person(person).await?.2)
    }

    /// The rows of a profile and of its links, which may be written later, and the profile that
    /// both make.
    pub async fn load_stored_person(
        &self,
        person: &PersonId,
    ) -> Result<(StoredRow<PersonProfile>, StoredRow<LinkedAccounts>, PersonProfile), Failure> {
        let mut found = self.read_many(&person_reads(person)).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let (row, links) = (next()?, next()?);
        let profile = PersonProfile::decode_rows(row.clone(), links.clone());
        let stored = StoredRow::read(TypedRowKey::person(person), row);
        Ok((stored, StoredRow::read(TypedRowKey::links(person), links), profile))
    }

    /// Stores what an update says of a person.
    pub async fn store_person(&self, person: &Person) -> Result<(), Failure> {
        let known = self.read_row(TypedRowKey::person(&person.id)).await?;
        if let Some(username) = &person.username
            && known.value().username.as_ref() != Some(username)
        {
            // The name goes first: if the process stops in between, the next update writes both.
            let key = keys::username(person.id.platform(), username);
            self.put_all(vec![Put::new(Space::Person, key, person.id.0.clone())]).await?;
        }
        self.update_row(TypedRowKey::person(&person.id), |it| update_person_profile(it, person))
            .await
            .map(drop)
    }

    /// What is remembered of the chat a place belongs to.
    pub async fn load_chat_settings(&self, place: &PlaceId) -> Result<ChatSettings, Failure> {
        self.resolve_settings(parse_json_or_default(
            self.read_value(Space::Place, place.chat()).await?,
        ))
        .await
    }

    /// What is remembered of a person and of the chat a place belongs to, asked for together.
    pub async fn load_profiles(
        &self,
        person: &PersonId,
        place: &PlaceId,
    ) -> Result<(PersonProfile, ChatSettings), Failure> {
        let mut reads = person_reads(person).to_vec();
        reads.push(StoreQuery::value_of(Space::Place, place.chat()));
        let mut found = self.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let person = PersonProfile::decode_rows(next()?, next()?);
        Ok((person, self.resolve_settings(parse_json_or_default(next()?)).await?))
    }

    /// Who is behind an account.
    pub async fn resolve_person(&self, account: &PersonId) -> Result<PersonId, Failure> {
        Ok(self.load_person(account).await?.main.unwrap_or_else(|| account.clone()))
    }

    /// The account by which a person is reached on a platform.
    pub async fn account_on_platform(
        &self,
        person: &PersonId,
        platform: &str,
    ) -> Result<PersonId, Failure> {
        if person.platform() == platform {
            return Ok(person.clone());
        }
        let accounts = self.load_person(person).await?.accounts.into_iter();
        let there = accounts.into_iter().find(|it| it.platform() == platform);
        Ok(there.unwrap_or_else(|| person.clone()))
    }

    /// The person known by this name after `@`.
    pub async fn find_by_username(
        &self,
        platform: &str,
        username: &str,
    ) -> Result<Option<(PersonId, PersonProfile)>, Failure> {
        let key = keys::username(platform, username);
        let Some(id) = self.read_value(Space::Person, &key).await? else { return Ok(None) };
        let id = PersonId(String::from_utf8_lossy(&id).into_owned());
        let memory = self.load_person(&id).await?;
        // Names after `@` change hands: the last holder counts only while they still hold it.
        let same = memory.username.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(username));
        let person = memory.main.clone().unwrap_or(id);
        Ok(same.then_some((person, memory)))
    }
}

/// The rows of a person: the profile and the links, see [`PersonProfile::read`].
pub fn person_reads(person: &PersonId) -> [StoreQuery; 2] {
    [
        StoreQuery::value_of(Space::Person, &*person.0),
        StoreQuery::value_of(Space::Person, keys::linked_accounts(person)),
    ]
}

/// Takes over what an update says of a person.
pub fn update_person_profile(memory: &mut PersonProfile, person: &Person) {
    memory.guess = person.locale.as_deref().and_then(Lang::from_locale).or(memory.guess);
    memory.name.clone_from(&person.name);
    memory.username.clone_from(&person.username);
}

/// Takes over what an update says of a place. `speaker`: the language of the sender.
pub fn update_chat_profile(memory: &mut ChatProfile, place: &Chat, speaker: Option<Lang>) {
    memory.group = place.kind == PlaceKind::Group;
    memory.gone = false;
    if !place.title.is_empty() {
        memory.title.clone_from(&place.title);
    }
    let locale = place.locale.as_deref().and_then(Lang::from_locale);
    memory.guess = if memory.group { memory.guess.or(speaker).or(locale) } else { speaker };
    memory.parents = place.parents.clone().or_known(std::mem::take(&mut memory.parents));
}

impl<'a> Deserialize<'a> for PersonProfile {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

impl<'a> Deserialize<'a> for ChatProfile {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}

impl<'a> Deserialize<'a> for LinkedAccounts {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        Self::deserialize(from)
    }
}
