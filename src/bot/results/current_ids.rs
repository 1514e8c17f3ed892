//! Finds the people to whom the accounts in stored results belong now, and the current ids of their
//! chats.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::hidden_names::HiddenNames;
use crate::repository::profiles::{PersonProfile, person_reads};
use crate::repository::{Failure, Repository, keys};
use caravanserai_games::ids::{PersonId, hidden_name_code, is_single_message};
use caravanserai_results::{GameResult, RatingList, RatingScope};
use caravanserai_store::{Space, StoreQuery};

use super::queries::all_lists;
use super::row_formats::RecordId;

/// How often a chat may get another id; Telegram's groups do so once.
const CHAT_MOVES_MAX: usize = 8;

/// The most accounts and chats that are known at the same time.
const IDS_MAX: usize = 100_000;

/// The present owners and ids of the accounts and chats that stored results name.
#[derive(Default)]
pub(super) struct CurrentIds {
    /// The present person and name of each account.
    people: BTreeMap<PersonId, KnownAccount>,
    /// The current id of each chat.
    chats: BTreeMap<String, String>,
}

/// An account in a stored result.
struct KnownAccount {
    /// The person to whom it belongs.
    person: PersonId,
    /// Its displayed name.
    name: String,
}

impl CurrentIds {
    /// Reads what is not known yet about the accounts and chats of these results.
    pub(super) async fn load<'a>(
        &mut self,
        repository: &Repository,
        results: impl Iterator<Item = &'a GameResult> + Clone + Send,
    ) -> Result<(), Failure> {
        self.load_chats(repository, results.clone()).await?;
        let people: BTreeSet<&PersonId> =
            results.flat_map(result_people).filter(|it| !self.people.contains_key(*it)).collect();
        let queries: Vec<StoreQuery> = people.iter().flat_map(|it| person_reads(it)).collect();
        let mut answers = repository.read_many(&queries).await?.into_iter();
        for person in people {
            let (Some(row), Some(links)) = (answers.next(), answers.next()) else { break };
            let profile = PersonProfile::decode_rows(row.value()?, links.value()?);
            let known = KnownAccount {
                person: profile.main.unwrap_or_else(|| person.clone()),
                name: profile.name,
            };
            self.people.insert(person.clone(), known);
        }
        Ok(())
    }

    async fn load_chats<'a>(
        &mut self,
        repository: &Repository,
        results: impl Iterator<Item = &'a GameResult> + Send,
    ) -> Result<(), Failure> {
        let chats: BTreeSet<&str> =
            results.map(|it| it.chat.as_str()).filter(|it| !self.chats.contains_key(*it)).collect();
        let mut latest: Vec<(String, String)> =
            chats.into_iter().map(|it| (it.to_owned(), it.to_owned())).collect();
        for _ in 0..CHAT_MOVES_MAX {
            let key = |it: &(String, String)| {
                StoreQuery::value_of(Space::Meta, keys::chat_successor(&it.1))
            };
            let queries: Vec<StoreQuery> = latest.iter().map(key).collect();
            let mut has_moved = false;
            for ((_, chat), answer) in latest.iter_mut().zip(repository.read_many(&queries).await?)
            {
                let Some(next) = answer.value()?.and_then(|it| String::from_utf8(it).ok()) else {
                    continue;
                };
                (*chat, has_moved) = (next, true);
            }
            if !has_moved {
                break;
            }
        }
        self.chats.extend(latest);
        Ok(())
    }

    /// Forgets everything if it is much. What is needed is read again.
    pub(super) fn limit(&mut self) {
        if self.people.len() + self.chats.len() > IDS_MAX {
            *self = Self::default();
        }
    }

    /// The current id of the chat of a result; empty for a game in private or in a single message.
    fn chat_of<'a>(&'a self, result: &'a GameResult) -> &'a str {
        let chat = self.chats.get(&result.chat).unwrap_or(&result.chat);
        if is_single_message(chat) { "" } else { chat }
    }

    /// Replaces accounts by the persons to whom they belong, and the chat by its current id. A
    /// name that was hidden during the game is the person's own again: chats that hide it do so
    /// whenever it is read, and all others show it.
    pub(super) fn apply_to(&self, result: &mut GameResult) {
        let chat = self.chat_of(result);
        if chat != result.chat {
            result.chat = chat.to_owned();
        }
        let seats = result.seats.iter_mut().map(|it| (&mut it.person, &mut it.name));
        let leavers = result.leavers.iter_mut().map(|it| (&mut it.person, &mut it.name));
        for (person, name) in seats.chain(leavers) {
            let Some(known) = self.people.get(person) else { continue };
            person.clone_from(&known.person);
            if hidden_name_code(name).is_some() && !known.name.is_empty() {
                name.clone_from(&known.name);
            }
        }
    }

    /// The result with the current ids, and with the names that are shown in this chat.
    pub(super) fn shown_in(
        &self,
        chat: &str,
        hidden: &HiddenNames,
        result: &GameResult,
    ) -> GameResult {
        let mut result = result.clone();
        self.apply_to(&mut result);
        let seats = result.seats.iter_mut().map(|it| (&it.person, &mut it.name));
        let leavers = result.leavers.iter_mut().map(|it| (&it.person, &mut it.name));
        for (person, name) in seats.chain(leavers) {
            hidden.replace(chat, person, name);
        }
        result
    }

    /// The records of all games of each person of a result, in all lists: their first game is in
    /// one of them.
    pub(super) fn records_of_people(&self, result: &GameResult) -> Vec<Vec<RecordId>> {
        let lists = all_lists();
        let of_person = |known: &KnownAccount| -> Vec<RecordId> {
            let scope = RatingScope::OVERALL;
            let person = &known.person;
            let id = |list: &RatingList| RecordId {
                scope: scope.clone(),
                list: list.code(),
                person: person.clone(),
            };
            lists.iter().map(id).collect()
        };
        result_people(result).filter_map(|it| self.people.get(it)).map(of_person).collect()
    }
}

/// The records of the players of a result in one scope.
pub(super) struct ScopeIds {
    pub(super) scope: RatingScope,
    /// By seat; `None` for computers.
    pub(super) by_seat: Vec<Option<RecordId>>,
    /// Of each of [`GameResult::leavers`].
    pub(super) leavers: Vec<RecordId>,
}

impl ScopeIds {
    /// Those of all scopes in which this result, with the current ids, counts.
    pub(super) fn of(result: &GameResult) -> Vec<ScopeIds> {
        let Some(list) = RatingList::for_result(result) else { return Vec::new() };
        let list = list.code();
        let of_scope = |scope: RatingScope| {
            let id = |person: &PersonId| RecordId {
                scope: scope.clone(),
                list: list.clone(),
                person: person.clone(),
            };
            let seats = result.seats.iter();
            let by_seat = seats.map(|it| (!it.is_computer).then(|| id(&it.person))).collect();
            let leavers = result.leavers.iter().map(|it| id(&it.person)).collect();
            ScopeIds { by_seat, leavers, scope }
        };
        RatingScope::all_of(&result.chat, result.ended_ms).into_iter().map(of_scope).collect()
    }

    /// The records of all people.
    pub(super) fn people(&self) -> impl Iterator<Item = &RecordId> {
        self.by_seat.iter().flatten().chain(&self.leavers)
    }
}

/// The accounts of the people who played, those included who left.
pub(super) fn result_people(result: &GameResult) -> impl Iterator<Item = &PersonId> {
    let seats = result.seats.iter().filter(|it| !it.is_computer).map(|it| &it.person);
    seats.chain(result.leavers.iter().map(|it| &it.person))
}
