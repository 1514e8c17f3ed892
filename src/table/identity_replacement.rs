//! Replaces people in the log of a finished table: after an account was deleted, the game stays
//! valid for the others, but no longer names the person.
//!
//! Ids are replaced one to one, so every rule that compares people decides as before. The numbers
//! of the lines, the steps and the outcomes of chance do not change. An outcome of chance cannot be
//! computed again from the new ids: `verify` reports that.

use std::collections::{BTreeMap, BTreeSet};

use super::clock::ClockEvent;
use super::event::{Event, LogLine};
use super::log_words::escape;
use super::people::qualify_username;
use caravanserai_games::ids::{ChatId, ChatKind, DELETED_NAME, PersonId};

/// The people to replace in logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentityReplacement {
    /// The id that replaces each account.
    pub accounts: BTreeMap<PersonId, PersonId>,
    /// The known names after `@` of the accounts, in lower case, with their platforms.
    pub usernames: BTreeSet<(String, String)>,
    /// The private chats of the accounts. A log may name one as the chat of another account: of the
    /// person with whom theirs was linked.
    pub chats: BTreeSet<ChatId>,
}

impl IdentityReplacement {
    /// Replaces the people in a log. Returns `None` if it names none of them.
    ///
    /// # Errors
    /// Describes the first line that cannot be parsed.
    pub fn replace_in_log(&self, lines: &[String]) -> Result<Option<Vec<String>>, String> {
        if !self.is_named_in(lines) {
            return Ok(None);
        }
        let mut log: Vec<LogLine> =
            lines.iter().map(|it| LogLine::parse(it)).collect::<Result<_, _>>()?;
        let names = LogNames::collect(self, &log);
        let mut replaced = Vec::with_capacity(lines.len());
        for (line, text) in log.iter_mut().zip(lines) {
            let before = line.clone();
            names.replace_in_line(line);
            replaced.push(if *line == before { text.clone() } else { line.encode() });
        }
        Ok((replaced != lines).then_some(replaced))
    }

    /// Whether a log may name one of the people: quick, and never wrongly `false`.
    pub fn is_named_in(&self, lines: &[String]) -> bool {
        !NameSearch::new([self]).find_in(lines).is_empty()
    }

    /// The texts of which a log contains one if it names the people, in lower case.
    fn searched_words(&self) -> impl Iterator<Item = String> {
        let accounts = self.accounts.keys().map(|it| &*it.0);
        let ids = accounts.chain(self.chats.iter().map(ChatId::without_topic));
        let names = self.usernames.iter().map(|(_, name)| &**name);
        let words = ids.clone().chain(names).filter(|it| !it.is_empty()).map(str::to_owned);
        let all = words.chain(ids.filter_map(part_of_update_id));
        all.map(|it| escape(&it).to_lowercase())
    }

    /// The id that replaces the account that reads a private chat: a person has one on a platform.
    fn reader_replacement(&self, chat: &ChatId) -> Option<&PersonId> {
        let mut accounts = self.accounts.iter();
        accounts.find(|(it, _)| it.platform() == chat.platform()).map(|(_, new)| new)
    }
}

/// How the id of an update contains that of an account or a chat of its platform:
/// `web/<account>/<number>`.
fn part_of_update_id(id: &str) -> Option<String> {
    id.split_once(':').map(|(_, own)| format!("/{own}/"))
}

/// Whether a cause is the id of an update of this platform, or ends with one after a word.
fn is_update_of(cause: &str, platform: &str) -> bool {
    let is_update = |it: &str| it.strip_prefix(platform).is_some_and(|it| it.starts_with('/'));
    is_update(cause) || cause.split_once(':').is_some_and(|(_, it)| is_update(it))
}

/// Looks for many people in logs at once: one pass over a log, however many they are.
#[derive(Debug)]
pub struct NameSearch {
    /// The words, each with the number of its person.
    words: Vec<(String, usize)>,
    /// The words by their last two bytes, as numbers in `words`.
    by_end: BTreeMap<[u8; 2], Vec<usize>>,
    /// Whether a word ends with these two bytes, by their number: most do not.
    ends: Vec<bool>,
    /// The words of a single byte.
    short: Vec<usize>,
}

impl NameSearch {
    /// Looks for these people, whose numbers count from 0.
    pub fn new<'a>(people: impl IntoIterator<Item = &'a IdentityReplacement>) -> Self {
        let (words, by_end, short) = Default::default();
        let mut search = NameSearch { words, by_end, ends: vec![false; 1 << 16], short };
        for (number, person) in people.into_iter().enumerate() {
            for word in person.searched_words() {
                let at = search.words.len();
                match word.as_bytes() {
                    [.., a, b] => {
                        search.ends[end_number([*a, *b])] = true;
                        search.by_end.entry([*a, *b]).or_default().push(at);
                    }
                    _ => search.short.push(at),
                }
                search.words.push((word, number));
            }
        }
        search
    }

    /// The numbers of the people whom a log may name: none of those whom it names is missing.
    pub fn find_in(&self, lines: &[String]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for line in lines {
            let lower = line.to_lowercase();
            let is_in_line = |at: &&usize| lower.contains(&self.words[**at].0);
            found.extend(self.short.iter().filter(is_in_line).map(|at| self.words[*at].1));
            for (at, pair) in lower.as_bytes().windows(2).enumerate() {
                let end = [pair[0], pair[1]];
                if !self.ends[end_number(end)] {
                    continue;
                }
                let read = &lower.as_bytes()[..at + 2];
                let ending = self.by_end.get(&end).into_iter().flatten().map(|at| &self.words[*at]);
                found.extend(ending.filter(|it| read.ends_with(it.0.as_bytes())).map(|it| it.1));
            }
        }
        found
    }
}

fn end_number([a, b]: [u8; 2]) -> usize {
    (usize::from(a) << 8) | usize::from(b)
}

/// The chats and names of the people in one log.
struct LogNames<'a> {
    people: &'a IdentityReplacement,
    /// The private chats of the people, and what replaces them.
    chats: BTreeMap<String, String>,
    /// The displayed names of the people at this table.
    names: BTreeSet<String>,
    /// The platform of the home, which names after `@` omit.
    home: String,
    /// The lines with invitations that the people answered: by name after `@`, then by account.
    answered_invitations: BTreeSet<u64>,
}

/// The invitations of a table that are open at a line of its log, as the table itself keeps them.
#[derive(Default)]
struct OpenInvitations(Vec<(u64, Option<PersonId>)>);

impl OpenInvitations {
    /// Applies a line. Returns the line of an invitation that an account answers, with the account.
    fn apply<'l>(&mut self, line: &'l LogLine) -> Option<(u64, &'l PersonId)> {
        match &line.event {
            Event::Invited { person, .. } => self.0.push((line.number, person.clone())),
            Event::InvitationEnded { n } if usize::from(*n) < self.0.len() => {
                self.0.remove(usize::from(*n));
            }
            Event::InviteeIdentified { n, person } => {
                let invitation = self.0.get_mut(usize::from(*n))?;
                invitation.1 = Some(person.clone());
                return Some((invitation.0, person));
            }
            Event::Left { person } | Event::Kicked { person } => {
                self.0.retain(|it| it.1.as_ref() != Some(person));
            }
            Event::AccountsMerged { account, person } => {
                let of_account = self.0.iter_mut().filter(|it| it.1.as_ref() == Some(account));
                of_account.for_each(|it| it.1 = Some(person.clone()));
            }
            _ => {}
        }
        None
    }
}

impl<'a> LogNames<'a> {
    fn collect(people: &'a IdentityReplacement, log: &[LogLine]) -> Self {
        let (chats, names, answered_invitations) = Default::default();
        let mut found =
            LogNames { people, chats, names, home: String::new(), answered_invitations };
        for (account, replacement) in &people.accounts {
            // On some platforms a private chat has the id of its reader.
            found.chats.insert(account.0.clone(), replacement.0.clone());
        }
        for chat in &people.chats {
            if let Some(replacement) = people.reader_replacement(chat) {
                found.add_chat(replacement, chat);
            }
        }
        let mut invitations = OpenInvitations::default();
        for line in log {
            found.collect_from(&line.event);
            if let Some((number, person)) = invitations.apply(line)
                && found.is_meant(person)
            {
                found.answered_invitations.insert(number);
            }
        }
        found
    }

    fn collect_from(&mut self, event: &Event) {
        match event {
            Event::Opened(setup) => {
                self.home = setup.chat.platform().to_owned();
                if setup.kind == ChatKind::Private {
                    self.add_private_chat(&setup.opener, &setup.chat);
                }
            }
            Event::Attached(chat) if chat.kind == ChatKind::Private => {
                self.add_private_chat(&chat.attached_by, &chat.chat);
            }
            Event::Seated { person, name }
            | Event::SubstituteAgreed { person, name }
            | Event::SeatReplaced { person, name, .. } => self.add_name(Some(person), name),
            Event::Invited { person, name, .. }
            | Event::SubstituteProposed { person, name, .. } => {
                self.add_name(person.as_ref(), name);
            }
            _ => {}
        }
    }

    fn is_meant(&self, person: &PersonId) -> bool {
        self.people.accounts.contains_key(person)
    }

    fn add_name(&mut self, person: Option<&PersonId>, name: &str) {
        if person.is_some_and(|it| self.is_meant(it)) {
            self.names.insert(name.to_owned());
        }
    }

    fn add_private_chat(&mut self, person: &PersonId, chat: &ChatId) {
        if let Some(replacement) = self.people.accounts.get(person) {
            self.add_chat(replacement, chat);
        }
    }

    fn add_chat(&mut self, replacement: &PersonId, chat_id: &ChatId) {
        let number = self.chats.len();
        let chat = chat_id.without_topic().to_owned();
        self.chats.entry(chat).or_insert_with(|| format!("{}.{number}", replacement.0));
    }

    fn replace_in_line(&self, line: &mut LogLine) {
        self.replace_in_cause(&mut line.cause);
        if let Event::Invited { person, username, name } = &mut line.event {
            let has_answered = self.answered_invitations.contains(&line.number);
            self.replace_invitee(person.as_mut(), username, name, has_answered);
        }
        self.replace_in_event(&mut line.event);
    }

    /// The cause of a departure names the chat. The id of an update, also after the word for an
    /// action of the operator, may contain that of its author.
    fn replace_in_cause(&self, cause: &mut String) {
        if let Some((word, scope)) = cause.split_once(':') {
            let mut chat = ChatId(scope.to_owned());
            self.replace_place(&mut chat);
            *cause = format!("{word}:{}", chat.0);
        }
        for (id, replacement) in &self.chats {
            let platform = id.split(':').next().unwrap_or_default();
            if let Some(own) = part_of_update_id(id).filter(|_| is_update_of(cause, platform)) {
                *cause = cause.replace(&own, &format!("/{replacement}/"));
            }
        }
    }

    fn replace_person(&self, person: &mut PersonId) -> bool {
        let replacement = self.people.accounts.get(person);
        if let Some(replacement) = replacement {
            person.clone_from(replacement);
        }
        replacement.is_some()
    }

    fn replace_named(&self, person: &mut PersonId, name: &mut String) {
        if self.replace_person(person) {
            DELETED_NAME.clone_into(name);
        }
    }

    fn replace_place(&self, chat_id: &mut ChatId) {
        let chat = chat_id.without_topic().to_owned();
        if let Some(replacement) = self.chats.get(&chat) {
            chat_id.0 = chat_id.0.replacen(&chat, replacement, 1);
        }
    }

    /// Replaces an invited person, who may be known by the name after `@` only.
    fn replace_invitee(
        &self,
        person: Option<&mut PersonId>,
        username: &mut Option<String>,
        name: &mut String,
        has_answered: bool,
    ) {
        let is_their_username = |it: &String| {
            let mut known = self.people.usernames.iter();
            known.any(|(platform, own)| {
                qualify_username(own, platform, &self.home).eq_ignore_ascii_case(it)
            })
        };
        let is_replaced = person.is_some_and(|it| self.replace_person(it));
        if is_replaced || has_answered || username.as_ref().is_some_and(is_their_username) {
            *username = None;
            DELETED_NAME.clone_into(name);
        }
    }

    fn replace_in_event(&self, event: &mut Event) {
        match event {
            Event::Opened(setup) => {
                self.replace_person(&mut setup.opener);
                self.replace_place(&mut setup.chat);
            }
            Event::Seated { person, name }
            | Event::SubstituteAgreed { person, name }
            | Event::SeatReplaced { person, name, .. } => self.replace_named(person, name),
            Event::SubstituteProposed { person, username, name, .. } => {
                self.replace_invitee(person.as_mut(), username, name, false);
            }
            Event::Left { person }
            | Event::Kicked { person }
            | Event::RatingBlocked { person }
            | Event::RatingPaused { person, .. }
            | Event::GuestSeated { person }
            | Event::InviteeIdentified { person, .. } => {
                self.replace_person(person);
            }
            Event::DeclineExplained { name, .. } => {
                if self.names.contains(name) {
                    DELETED_NAME.clone_into(name);
                }
            }
            Event::ChatMoved { from, chat } => {
                from.iter_mut().for_each(|it| self.replace_place(it));
                self.replace_place(chat);
            }
            Event::Attached(attached) => {
                self.replace_person(&mut attached.attached_by);
                self.replace_place(&mut attached.chat);
            }
            Event::Detached { chat } => self.replace_place(chat),
            Event::PlayerChatChanged { person, chat } => {
                self.replace_person(person);
                self.replace_place(chat);
            }
            Event::AccountsMerged { account, person } => {
                self.replace_person(account);
                self.replace_person(person);
            }
            Event::Clock(clock_event) => self.replace_in_clock_event(clock_event),
            // Replaced by the caller, which knows the line.
            Event::Invited { .. }
            | Event::InvitationEnded { .. }
            | Event::ComputerRemoved { .. }
            | Event::SeatChanged { .. }
            | Event::SeatCountSet { .. }
            | Event::KeptOpen
            | Event::InviteesReminded
            | Event::HouseRulesSet { .. }
            | Event::FirstMoverSet { .. }
            | Event::HintsSet { .. }
            | Event::RatedSet { .. }
            | Event::ComputersRated
            | Event::Started { .. }
            | Event::Stepped { .. }
            | Event::HintGiven { .. }
            | Event::ConditionalMovesSet { .. }
            | Event::ChanceDrawn { .. }
            | Event::OfferMade { .. }
            | Event::OfferAgreed { .. }
            | Event::OfferDeclined { .. }
            | Event::MovesTakenBack { .. }
            | Event::GameOver { .. }
            | Event::TableClosed { .. }
            | Event::PublicSet { .. }
            | Event::SeedCommitted(_)
            | Event::ContinuedAt { .. }
            | Event::MisplacedLinesMoved(_) => {}
        }
    }

    fn replace_in_clock_event(&self, event: &mut ClockEvent) {
        match event {
            ClockEvent::PersonLeft { person }
            | ClockEvent::VacationStarted { person, .. }
            | ClockEvent::VacationEnded { person } => {
                self.replace_person(person);
            }
            ClockEvent::ControlSet(_)
            | ClockEvent::SubstituteLevelSet(_)
            | ClockEvent::WholeTurnsTimed
            | ClockEvent::ClocksChanged(_)
            | ClockEvent::Refunded { .. }
            | ClockEvent::Paused
            | ClockEvent::Resumed
            | ClockEvent::Frozen
            | ClockEvent::Unfrozen
            | ClockEvent::TimeRanOut { .. }
            | ClockEvent::PersonReturned { .. }
            | ClockEvent::Nudged { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(account: &str, username: &str) -> IdentityReplacement {
        let account = PersonId(account.to_owned());
        IdentityReplacement {
            accounts: [(account, PersonId::deleted("x"))].into(),
            usernames: [("tg".to_owned(), username.to_owned())].into(),
            chats: BTreeSet::new(),
        }
    }

    #[test]
    fn a_search_for_many_people_finds_whom_a_log_names() {
        let people = [person("tg:17", "ann_b"), person("web:комната", "q"), person("tg:7", "")];
        let search = NameSearch::new(&people);
        let find = |line: &str| {
            let lines = ["0 1 tg/1 close abandoned".to_owned(), line.to_owned()];
            let found = search.find_in(&lines);
            for (number, it) in people.iter().enumerate() {
                assert_eq!(it.is_named_in(&lines), found.contains(&number), "{line}: {it:?}");
            }
            found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(find("2 5 tg/1 seat tg:17 Ann"), [0]);
        assert_eq!(find("2 5 tg/1 seat tg:177 Ann"), [0], "it is only quick");
        assert_eq!(find("2 5 tg/1 invite - @Ann_B Ann"), [0]);
        assert_eq!(find("2 5 tg/1 seat WEB:Комната x"), [1]);
        assert_eq!(find("2 5 tg/1 invite - Q x"), [1]);
        assert_eq!(find("2 5 tg/1 seat tg:7 Cyd"), [2]);
        assert_eq!(find("2 5 tg/1 seat tg:8 Dee"), [] as [usize; 0]);
    }

    /// A person played from the page while their accounts were linked: the log names the other
    /// account, and theirs only in causes and as a private chat.
    #[test]
    fn a_formerly_linked_account_stays_nowhere_in_a_log() {
        let account = PersonId("web:w4x7".to_owned());
        let ann = IdentityReplacement {
            accounts: [(account, PersonId::deleted("x"))].into(),
            usernames: BTreeSet::new(),
            chats: [ChatId("web:@w4x7".to_owned())].into(),
        };
        let lines = [
            "5 60 web/w4x7/k1 sit tg:71 Ann",
            "6 61 web/den/3/member/w4x7/9 at tg:71 web:den",
            "7 62 host:web/w4x7/k2 close abandoned",
            "8 63 left:web:@w4x7 gone tg:71",
            "9 64 dc/1 at tg:71 web:@w4x7",
            "10 65 dc/2 attach web:@w4x7 private play tg:71",
        ];
        for line in lines {
            let line = line.to_owned();
            assert!(ann.is_named_in(std::slice::from_ref(&line)), "{line}");
            let replaced = ann.replace_in_log(std::slice::from_ref(&line)).unwrap().unwrap();
            assert!(!replaced[0].contains("w4x7"), "{replaced:?}");
        }
        for line in ["5 60 web/w4x7b/k1 sit tg:71 Ann", "6 60 web/den/w4x7 sit tg:71 Ann"] {
            assert_eq!(ann.replace_in_log(&[line.to_owned()]).unwrap(), None, "{line}");
        }
    }
}
