//! Reads and updates the stored profiles of people and chats.
//!
//! These types cannot be serialized: their rows are written only by [`super::row_update`].

use serde::{Deserialize, Deserializer, Serialize};

use std::collections::{BTreeMap, BTreeSet};

use super::chat_settings::ChatSettings;
use super::preferences::{HouseRules, QuietHours};
use super::row_update::{StoredRow, TypedRowKey};
use super::stored_rows::parse_json_or_default;
use super::vacation_balance::Vacation;
use super::{CommitOutcome, Failure, Repository, keys};
use crate::settings::{PingTiming, TableOpeners, ValuesByCode};
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_i18n::Lang;
use caravanserai_protocol::{ParentChats, Person, PersonKind, Update, UpdateKind};
use caravanserai_render::DEFAULT_THEME;
use caravanserai_store::{Commit, Put, Space, StoreError, StoreQuery, StoreRow};

/// The attempts to store the data of a person while other requests change it. Each failed attempt
/// means that another request has succeeded.
const PERSON_TRIES: usize = 64;

/// The stored profile of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct PersonProfile {
    /// The language they chose.
    pub lang: Option<Lang>,
    /// The language of their client, if the bot speaks it.
    #[serde(rename = "guess")]
    pub detected_lang: Option<Lang>,
    /// Their most recent display name.
    pub name: String,
    /// The user name, without `@`.
    pub username: Option<String>,
    /// Whether a move counts only on its second press.
    #[serde(rename = "confirm")]
    pub confirms_moves: bool,
    /// The theme of pictures that only they see.
    pub theme: Option<String>,
    /// Whether boards that only they see have the same orientation as public ones, instead of their
    /// own side at the bottom.
    #[serde(rename = "fixed")]
    pub has_fixed_orientation: bool,
    /// Whether boards that only they see are shown as text.
    #[serde(rename = "words")]
    pub prefers_text_boards: bool,
    /// When they are pinged if a game waits for them; see [`PersonProfile::ping_time`].
    #[serde(rename = "calls")]
    pub pings: PingTiming,
    /// The hours in which they are not pinged.
    #[serde(rename = "night")]
    pub quiet_hours: Option<QuietHours>,
    /// The offset of their clock from UTC, in minutes.
    pub zone_min: i16,
    /// The person that this account belongs to, if it is linked to another one.
    pub main: Option<PersonId>,
    /// When this account was linked to that person.
    #[serde(skip)]
    pub link_times: LinkTimes,
    /// The other accounts of this person, at most one on each platform.
    pub accounts: Vec<PersonId>,
    /// Whether computers in a game without other people reply at once, not turn by turn.
    #[serde(rename = "quick")]
    pub has_quick_computers: bool,
    /// Their vacations of the last year, the current one last.
    pub vacations: Vec<Vacation>,
    /// Whether the platform reported that this account was deleted while it was linked: the person
    /// goes on with the other accounts.
    #[serde(rename = "gone", skip_serializing_if = "std::ops::Not::not")]
    pub is_gone: bool,
    /// When they last ended a vacation so early that it cost no day, in milliseconds since 1970.
    pub corrected_ms: Option<u64>,
    /// The values of settings without fields of their own.
    #[serde(skip_serializing_if = "ValuesByCode::is_empty")]
    pub values: ValuesByCode,
}

/// The accounts of one person. They have a row of their own, which only linking writes, so that a
/// concurrent change of another setting neither removes a link nor restores one. If there is no
/// such row, as in stores of earlier versions, the fields of the profile count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct LinkedAccounts {
    /// See [`PersonProfile::main`].
    pub main: Option<PersonId>,
    /// See [`PersonProfile::accounts`].
    pub accounts: Vec<PersonId>,
    /// See [`PersonProfile::link_times`].
    #[serde(default, rename = "times", skip_serializing_if = "LinkTimes::are_unknown")]
    pub link_times: LinkTimes,
}

/// The times of a link that matter when it ends, in milliseconds since 1970; 0 if the account is
/// not linked, or was linked by an earlier version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkTimes {
    /// When the account was linked; of an account that was linked again while the unlinking blocked
    /// its ratings, when it had been linked first.
    pub linked_ms: u64,
    /// The end of the first game of the account or of its person before that; the same as
    /// `linked_ms` if there was none.
    pub first_game_ms: u64,
}

impl LinkTimes {
    fn are_unknown(&self) -> bool {
        *self == LinkTimes::default()
    }
}

/// The stored profile of a chat; its topics share it. It contains only settings that were set in
/// this chat; [`ChatSettings`] adds the inherited ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct ChatProfile {
    /// The language its admins chose.
    pub lang: Option<Lang>,
    /// The language of its locale or of the first sender.
    #[serde(rename = "guess")]
    pub detected_lang: Option<Lang>,
    /// Whether `guess` is only the default language: a table was opened before any language was
    /// known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_default_guess: bool,
    /// The display name of the chat.
    pub title: String,
    /// Whether other people read the chat.
    pub group: bool,
    /// The account that alone reads the chat, once it has written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<PersonId>,
    /// Whether the bot may not write there at the moment.
    #[serde(rename = "gone")]
    pub is_unreachable: bool,
    /// The theme its admins chose.
    pub theme: Option<String>,
    /// Whether hints are given at its tables, if that was set.
    pub hints: Option<bool>,
    /// The default rules of games there.
    pub rules: HouseRules,
    /// The people who may open tables there.
    #[serde(rename = "opens")]
    pub table_openers: TableOpeners,
    /// Whether everybody may close a lobby, as its opener and admins may.
    #[serde(rename = "all_order")]
    pub anyone_may_close_tables: bool,
    /// Whether messages of the bot are silent there, and players are not pinged.
    #[serde(rename = "quiet")]
    pub is_silent: bool,
    /// Whether old boards stay, without buttons, after a new post at the bottom.
    pub keeps_boards: bool,
    /// The chats and topics in which tables are allowed; empty if all are.
    #[serde(rename = "only")]
    pub allowed_chats: Vec<ChatId>,
    /// The clock that was chosen there last, in log notation: the default of its next tables.
    pub clock: Option<String>,
    /// The codes of the settings that were set there. Earlier versions did not write it: see
    /// [`ChatProfile::is_set`].
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub chosen: BTreeSet<String>,
    /// The values of settings without fields of their own.
    #[serde(skip_serializing_if = "ValuesByCode::is_empty")]
    pub values: ValuesByCode,
    /// The chats whose settings it inherits.
    #[serde(skip_serializing_if = "ParentChats::is_empty")]
    pub parents: ParentChats,
}

/// The display settings of a reader: one person, or everybody in a chat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DisplayPrefs {
    /// The language of text.
    pub lang: Lang,
    /// The theme of pictures.
    pub theme: String,
    /// Whether boards have the same orientation as for everybody.
    pub fixed_orientation: bool,
    /// Whether boards are shown as text.
    pub text_boards: bool,
}

impl PersonProfile {
    /// Decodes the rows of a profile and of its links.
    pub fn decode_rows(row: Option<Vec<u8>>, links: Option<Vec<u8>>) -> Self {
        let mut profile: PersonProfile = parse_json_or_default(row);
        if links.is_some() {
            let links: LinkedAccounts = parse_json_or_default(links);
            (profile.main, profile.accounts) = (links.main, links.accounts);
            profile.link_times = links.link_times;
        }
        profile
    }

    /// The linked accounts of this person.
    pub fn linked_accounts(&self) -> LinkedAccounts {
        LinkedAccounts {
            main: self.main.clone(),
            accounts: self.accounts.clone(),
            link_times: self.link_times,
        }
    }

    /// The display settings for private messages to this person.
    pub fn display_prefs(&self, chat: &ChatProfile) -> DisplayPrefs {
        let theme = self.theme.as_ref().or(chat.theme.as_ref());
        DisplayPrefs {
            lang: self.language(chat),
            theme: theme.map_or_else(|| DEFAULT_THEME.to_owned(), Clone::clone),
            fixed_orientation: self.has_fixed_orientation,
            text_boards: self.prefers_text_boards,
        }
    }

    /// The language for private messages to this person.
    pub fn language(&self, chat: &ChatProfile) -> Lang {
        self.lang.or(self.detected_lang).unwrap_or_else(|| chat.language())
    }
}

impl ChatProfile {
    /// The display settings for public messages in this chat.
    pub fn display_prefs(&self) -> DisplayPrefs {
        let theme = self.theme.clone().unwrap_or_else(|| DEFAULT_THEME.to_owned());
        DisplayPrefs { lang: self.language(), theme, fixed_orientation: true, text_boards: false }
    }

    /// The language for public messages in this chat.
    pub fn language(&self) -> Lang {
        self.lang.or(self.detected_lang).unwrap_or_default()
    }
}

/// Loads and stores the profiles of people and chats.
#[derive(Clone, Copy)]
pub struct Profiles<'a> {
    pub(super) repository: &'a Repository,
}

impl Repository {
    /// Loads and stores the profiles of people and chats.
    pub fn profiles(&self) -> Profiles<'_> {
        Profiles { repository: self }
    }
}

impl Profiles<'_> {
    /// Loads the profile of a person.
    pub async fn load_person(&self, person: &PersonId) -> Result<PersonProfile, Failure> {
        Ok(self.load_stored_person(person).await?.2)
    }

    /// Loads the rows of a profile and of its links, which may be written later, and the resulting
    /// profile.
    pub async fn load_stored_person(
        &self,
        person: &PersonId,
    ) -> Result<(StoredRow<PersonProfile>, StoredRow<LinkedAccounts>, PersonProfile), Failure> {
        let mut found = self.repository.read_many(&person_reads(person)).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let row = next()?;
        let links = next()?;
        let profile = PersonProfile::decode_rows(row.clone(), links.clone());
        let stored = StoredRow::read(TypedRowKey::person(person), row);
        Ok((stored, StoredRow::read(TypedRowKey::links(person), links), profile))
    }

    /// Stores the data of a person from an update, unless their data is being deleted.
    pub async fn store_person(&self, person: &Person) -> Result<(), Failure> {
        for _ in 0..PERSON_TRIES {
            let (row, _, known) = self.load_stored_person(&person.id).await?;
            let mut profile = row.value().clone();
            update_person_profile(&mut profile, person, self.repository.now_ms());
            if profile == *row.value() {
                return Ok(());
            }
            let main = known.main.as_ref().unwrap_or(&person.id);
            let condition = match self.repository.deletion_not_begun_condition(main).await? {
                Some(condition) => condition,
                None => return Ok(()),
            };
            let mut commit = Commit { expect: vec![condition], ..Commit::default() };
            if let Some(username) = &person.username
                && row.value().username.as_ref() != Some(username)
            {
                let key = keys::username(person.id.platform(), username);
                commit.puts.push(Put::new(Space::Person, key, person.id.0.clone()));
            }
            row.set(&profile, &mut commit);
            if self.repository.commit_rows(commit).await? == CommitOutcome::Committed {
                return Ok(());
            }
        }
        let why = format!("too many conflicting writes to the profile of {}", person.id.0);
        Err(StoreError::Failed(why).into())
    }

    /// Loads the settings of the chat that this chat or topic belongs to.
    pub async fn load_chat_settings(&self, chat: &ChatId) -> Result<ChatSettings, Failure> {
        self.resolve_settings(parse_json_or_default(
            self.repository.read_value(Space::ChatProfile, chat.without_topic()).await?,
        ))
        .await
    }

    /// Loads the profile of a person and the settings of a chat in one request.
    pub async fn load_profiles(
        &self,
        person: &PersonId,
        chat: &ChatId,
    ) -> Result<(PersonProfile, ChatSettings), Failure> {
        let mut reads = person_reads(person).to_vec();
        reads.push(StoreQuery::value_of(Space::ChatProfile, chat.without_topic()));
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let person = PersonProfile::decode_rows(next()?, next()?);
        Ok((person, self.resolve_settings(parse_json_or_default(next()?)).await?))
    }

    /// The person that an account belongs to.
    pub async fn resolve_person(&self, account: &PersonId) -> Result<PersonId, Failure> {
        Ok(self.load_person(account).await?.main.unwrap_or_else(|| account.clone()))
    }

    /// All accounts of a person, that of the person first.
    pub async fn accounts_of(&self, person: &PersonId) -> Result<Vec<PersonId>, Failure> {
        let profile = self.load_person(person).await?;
        Ok(std::iter::once(person.clone()).chain(profile.accounts).collect())
    }

    /// All accounts of the person to whom an account belongs, with this account.
    pub async fn all_accounts(&self, account: &PersonId) -> Result<Vec<PersonId>, Failure> {
        let person = self.resolve_person(account).await?;
        let mut accounts = self.accounts_of(&person).await?;
        if !accounts.contains(account) {
            accounts.push(account.clone());
        }
        Ok(accounts)
    }

    /// The person behind an account with this profile, and the profile of that person.
    pub async fn load_main(
        &self,
        account: &PersonId,
        mut profile: PersonProfile,
    ) -> Result<(PersonId, PersonProfile), Failure> {
        match profile.main.take() {
            Some(main) => {
                let profile = self.load_person(&main).await?;
                Ok((main, profile))
            }
            None => Ok((account.clone(), profile)),
        }
    }

    /// Whether the platforms reported that all these accounts were deleted.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn are_all_gone(self, accounts: &[PersonId]) -> Result<bool, Failure> {
        for account in accounts {
            if !self.load_person(account).await?.is_gone {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The account through which a person is reached on a platform.
    pub async fn account_on_platform(
        &self,
        person: &PersonId,
        platform: &str,
    ) -> Result<PersonId, Failure> {
        if person.platform() == platform {
            return Ok(person.clone());
        }
        let accounts = self.load_person(person).await?.accounts;
        Ok(find_account(person, accounts, platform))
    }

    /// The accounts through which people are reached on a platform, in the order of the people.
    pub async fn accounts_on_platform(
        self,
        people: &[PersonId],
        platform: &str,
    ) -> Result<Vec<PersonId>, Failure> {
        let elsewhere = people.iter().filter(|it| it.platform() != platform);
        let reads: Vec<StoreQuery> = elsewhere.flat_map(person_reads).collect();
        let mut found = self.repository.read_many(&reads).await?.into_iter();
        let mut next = || found.next().map_or(Ok(None), |it| it.value());
        let mut accounts = Vec::new();
        for person in people {
            if person.platform() == platform {
                accounts.push(person.clone());
                continue;
            }
            let linked = PersonProfile::decode_rows(next()?, next()?).accounts;
            accounts.push(find_account(person, linked, platform));
        }
        Ok(accounts)
    }

    /// The private chats that these accounts alone read, as far as they have written there. Reads
    /// the profiles of all chats.
    pub async fn private_chats_of(
        &self,
        accounts: &BTreeSet<PersonId>,
    ) -> Result<BTreeMap<PersonId, BTreeSet<ChatId>>, Failure> {
        let mut found: BTreeMap<PersonId, BTreeSet<ChatId>> = BTreeMap::new();
        let add = |(key, value): StoreRow| {
            let ChatProfile { reader, .. } = parse_json_or_default(Some(value));
            if let Some(reader) = reader.filter(|it| accounts.contains(it)) {
                found.entry(reader).or_default().insert(ChatId(key));
            }
        };
        self.repository.for_each_row(Space::ChatProfile, "", add).await?;
        Ok(found)
    }

    /// The person with this user name.
    pub async fn find_by_username(
        &self,
        platform: &str,
        username: &str,
    ) -> Result<Option<(PersonId, PersonProfile)>, Failure> {
        let key = keys::username(platform, username);
        let Some(id) = self.repository.read_value(Space::Person, &key).await? else {
            return Ok(None);
        };
        let id = PersonId(String::from_utf8_lossy(&id).into_owned());
        let profile = self.load_person(&id).await?;
        // User names change hands: the last holder counts only while they still have it.
        let is_current =
            profile.username.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(username));
        let person = profile.main.clone().unwrap_or(id);
        Ok(is_current.then_some((person, profile)))
    }
}

/// The reads of a person's profile and links, see [`PersonProfile::decode_rows`].
pub fn person_reads(person: &PersonId) -> [StoreQuery; 2] {
    [
        StoreQuery::value_of(Space::Person, &*person.0),
        StoreQuery::value_of(Space::Person, keys::linked_accounts(person)),
    ]
}

/// The first of a person's linked accounts on a platform, or the person if there is none.
fn find_account(person: &PersonId, linked: Vec<PersonId>, platform: &str) -> PersonId {
    let account_there = linked.into_iter().find(|it| it.platform() == platform);
    account_there.unwrap_or_else(|| person.clone())
}

/// Updates a profile with a person's data from an update, and removes what has expired in it.
pub fn update_person_profile(profile: &mut PersonProfile, person: &Person, now_ms: u64) {
    profile.detected_lang =
        person.locale.as_deref().and_then(Lang::from_locale).or(profile.detected_lang);
    profile.name.clone_from(&person.name);
    profile.username.clone_from(&person.username);
    // An account that acts was not deleted.
    profile.is_gone = false;
    profile.forget_old_vacations(now_ms);
}

/// Updates a profile with the data of its chat in an update. `account`: the account of the sender.
/// `speaker_lang`: their language.
pub fn update_chat_profile(
    profile: &mut ChatProfile,
    update: &Update,
    account: &PersonId,
    speaker_lang: Option<Lang>,
) {
    let chat = &update.chat;
    if chat.kind == ChatKind::Private && update.person.kind == PersonKind::Human {
        profile.reader = Some(account.clone());
    }
    // A press must not change the language of the board for the others.
    let is_press = matches!(update.kind, UpdateKind::Press { .. });
    let speaker_lang = speaker_lang.filter(|_| !(is_press && profile.group));
    profile.group = chat.kind == ChatKind::Group;
    profile.is_unreachable = false;
    if !chat.title.is_empty() {
        profile.title.clone_from(&chat.title);
    }
    let locale = chat.locale.as_deref().and_then(Lang::from_locale);
    profile.detected_lang = match profile.group {
        true => profile.detected_lang.or_else(|| group_language(locale, speaker_lang)),
        false => speaker_lang,
    };
    profile.parents = chat.parents.clone().or_known(std::mem::take(&mut profile.parents));
}

/// Settles the language of a group when a person with this language opens a table. From then on
/// boards keep it, whichever people join: only the next person who opens a table changes a default
/// that was settled because no language was known.
pub fn settle_group_language(profile: &mut ChatProfile, opener_lang: Option<Lang>) {
    if profile.group && (profile.detected_lang.is_none() || profile.has_default_guess) {
        profile.has_default_guess = opener_lang.is_none();
        profile.detected_lang = opener_lang.or(profile.detected_lang).or(Some(Lang::default()));
    }
}

/// The first guess of a group's language. The group's own language comes before that of the person
/// who speaks first. English is no choice: Discord reports it for all servers that have chosen
/// nothing.
fn group_language(locale: Option<Lang>, speaker_lang: Option<Lang>) -> Option<Lang> {
    locale.filter(|it| *it != Lang::default()).or(speaker_lang).or(locale)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_people_who_open_tables_settle_the_language_of_a_group() {
        let [ru, kk, en] = ["ru", "kk", "en"].map(Lang::from_code);
        let mut group = ChatProfile { group: true, ..ChatProfile::default() };
        settle_group_language(&mut group, None);
        assert_eq!((group.detected_lang, group.has_default_guess), (en, true));
        settle_group_language(&mut group, None);
        assert_eq!((group.detected_lang, group.has_default_guess), (en, true));
        settle_group_language(&mut group, ru);
        assert_eq!((group.detected_lang, group.has_default_guess), (ru, false));
        settle_group_language(&mut group, kk);
        assert_eq!((group.detected_lang, group.has_default_guess), (ru, false));
        // In a private chat the language is that of its person.
        let mut private = ChatProfile::default();
        settle_group_language(&mut private, None);
        assert_eq!(private, ChatProfile::default());
    }

    #[test]
    fn a_group_speaks_its_own_language_before_that_of_the_first_speaker() {
        let [ru, kk, en] = ["ru", "kk", "en"].map(Lang::from_code);
        assert_eq!(group_language(ru, kk), ru);
        assert_eq!(group_language(ru, en), ru);
        assert_eq!(group_language(None, kk), kk);
        assert_eq!(group_language(en, None), en);
        // The default of servers on Discord.
        assert_eq!(group_language(en, kk), kk);
        assert_eq!(group_language(None, None), None);
    }
}
