//! Challenges in chats where the bot is not a member: a message with a button, which becomes the
//! board of a table when a person presses it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::challenge_word::{
    ANY_GAME_TERMS, CHALLENGE_TTL_MS, ChallengeAge, ChallengeWords, challenge_age, posted_ms,
};
use super::context::{HandlerResult, RequestContext, brief_views};
use super::open_table::{OpenOptions, TableOpener, TablePlan};
use super::request_limiter::RequestLimiter;
use super::reserved_tables::{Reservation, ReservedTables, derive_reserved_table, new_seed};
use super::table_index::tables_of;
use super::table_limits::TableLimits;
use super::table_requests::CommandRunner;
use crate::admin::bans::is_person_banned;
use crate::commands::inline_challenge;
use crate::delivery::MessageRenderer;
use crate::parsing::{NewTable, inline_query};
use crate::repository::stored_rows::put_json;
use crate::repository::{CommitOutcome, DAY_MS, Failure, Repository, keys};
use crate::views::{board_view, clock_views, hand_views, lobby_view, panel_views};
use crate::workers::label_text;
use caravanserai_games::ids::{ChatKind, PersonId, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{GameId, SeatLimits};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Button, ButtonTone, InlineResult, Person};
use caravanserai_store::{Commit, Expect, Put, Space, StoreError};
use caravanserai_table::clock::{ClockEvent, TimeControl};
use caravanserai_table::command::Command;
use caravanserai_table::event::{DEFAULT_LEVEL, Event, FirstMover, TableSetup};
use caravanserai_table::fair_random::hash_seed;
use caravanserai_table::lobby_commands::seat_computer_event;
use caravanserai_table::people::{Invitee, displayed_name};
use caravanserai_table::state::{AttachedChat, Table, TablePhase};

/// The length of the code of an author: too long to be guessed during its lifetime.
const AUTHOR_CODE_LENGTH: usize = 8;

/// The attempts to store an author when another device of the person does the same.
const CHALLENGE_TRIES: usize = 8;

/// The most tables of a person that are offered to share.
const SHARED_TABLES_MAX: usize = 10;

/// The stored author of a challenge. It is never printed, because it contains a secret.
#[derive(Clone, Serialize, Deserialize)]
struct ChallengeAuthor {
    person: PersonId,
    /// The name of the person.
    name: String,
    /// When it was stored last, in milliseconds since 1970.
    at_ms: u64,
    /// The secret from which the seeds of their challenges are derived; rows of earlier versions
    /// have none.
    #[serde(default)]
    secret: Option<[u8; 32]>,
}

/// The person who posts a challenge, and the values of the challenge.
struct ChallengeSender {
    /// The name that others see.
    name: Arg,
    code: String,
    lang: Lang,
    /// Makes the words that distinguish these challenges from their others.
    words: ChallengeWords,
}

impl ChallengeSender {
    /// The callback data of the button that accepts a challenge with this word.
    fn accept_callback(&self, wanted: &NewTable, word: &str) -> Option<String> {
        inline_challenge::challenge_callback_data(wanted, &format!("{}{word}", self.code))
    }

    /// The hash of the seed that is reserved for the challenge with this word.
    fn seed_hash_text(&self, word: &str) -> Text {
        let reserved = derive_reserved_table(self.words.secret(), word);
        Text::new("lobby-fair").with("hash", hash_seed(&reserved.seed))
    }
}

/// Answers inline queries, and plays what people post in chats without the bot.
pub(crate) struct InlineChallenges {
    repository: Arc<Repository>,
    message_renderer: Arc<MessageRenderer>,
    request_limiter: Arc<RequestLimiter>,
    query_limiter: RequestLimiter,
    reserved_tables: Arc<ReservedTables>,
    limits: Arc<TableLimits>,
    opener: Arc<TableOpener>,
    command_runner: Arc<CommandRunner>,
}

impl InlineChallenges {
    pub(crate) fn new(
        repository: Arc<Repository>,
        message_renderer: Arc<MessageRenderer>,
        request_limiter: Arc<RequestLimiter>,
        reserved_tables: Arc<ReservedTables>,
        limits: Arc<TableLimits>,
        opener: Arc<TableOpener>,
        command_runner: Arc<CommandRunner>,
    ) -> Self {
        let per_minute = repository.limits().requests_per_minute;
        let query_limiter = RequestLimiter::new(per_minute, repository.time_source().clone());
        Self {
            repository,
            message_renderer,
            request_limiter,
            query_limiter,
            reserved_tables,
            limits,
            opener,
            command_runner,
        }
    }

    /// Whether a person may send an inline query now. Counts it, apart from other requests: one
    /// comes with each letter that they type.
    pub(crate) fn allow_inline_query(&self, person: &Person) -> bool {
        self.query_limiter.allow_request(&person.id)
    }

    /// The inline results for the code of a table or the name of a game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn inline_results(
        &self,
        person: &Person,
        typed: &str,
    ) -> Result<Vec<InlineResult>, Failure> {
        let code = typed.split_whitespace().next().unwrap_or_default().trim_start_matches('#');
        let id = TableId(code.to_lowercase());
        let person_id = self.repository.profiles().resolve_person(&person.id).await?;
        if self.repository.deletion_not_begun_condition(&person_id).await?.is_none() {
            return Ok(Vec::new());
        }
        let table = match self.repository.load_table(&id).await {
            Ok(Some(table)) => table,
            Ok(None) => return self.inline_challenges(person, &person_id, typed).await,
            Err(Failure::Damaged(..)) => return Ok(Vec::new()),
            Err(failure) => return Err(failure),
        };
        let (profile, chat) =
            self.repository.profiles().load_profiles(&person_id, table.chats.home()).await?;
        let lang = profile.language(&chat);
        let description = Text::new("hand-inline").with("table", id.0.as_str());
        let description = self.message_renderer.i18n().translate_plain(lang, &description);
        let to_result = |(card, message): (caravanserai_games::HandCard, String)| InlineResult {
            title: label_text(self.message_renderer.i18n(), lang, &card.choice.label),
            description: description.clone(),
            message,
            buttons: Vec::new(),
        };
        let results: Vec<_> =
            hand_views::typeable_cards(&table, &person_id).into_iter().map(to_result).collect();
        if results.is_empty() {
            return self.shareable_table_result(person, &person_id, &table).await;
        }
        Ok(results)
    }

    /// The inline results for an inline query: challenges to games, and the person's tables that
    /// they can share.
    ///
    /// # Errors
    /// When the store fails.
    async fn inline_challenges(
        &self,
        person: &Person,
        person_id: &PersonId,
        query_text: &str,
    ) -> Result<Vec<InlineResult>, Failure> {
        let mut wanted = inline_query::parse_inline_query(query_text);
        let may_be_code = query_text.contains(|it: char| it.is_ascii_digit());
        if wanted.is_empty() && !may_be_code {
            // For an unknown query, the games that there are.
            wanted = inline_query::parse_inline_query("");
        }
        let tables = if query_text.trim().is_empty() {
            self.shareable_tables(person_id).await?
        } else {
            Vec::new()
        };
        let sender = self.load_challenge_sender(person, person_id).await?;
        let is_possible = |it: &NewTable| {
            *it != NewTable::for_game(it.game) && ChallengeSetup::from_wanted(it).is_some()
        };
        let all = wanted.into_iter().flat_map(|it| match is_possible(&it) {
            true => vec![it],
            false => inline_query::suggested_tables(it.game),
        });
        let mut offers: Vec<InlineResult> =
            all.filter_map(|it| self.challenge_result(&sender, &it)).collect();
        for id in tables {
            if let Ok(Some(table)) = self.repository.load_table(&id).await {
                offers.extend(self.share_table_result(&sender, person_id, &table));
            }
        }
        Ok(offers)
    }

    /// The single message with which the bot replies to a mention in a chat where it is not a
    /// member: the table or the game that is named, else a choice of games.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn mention_reply(
        &self,
        person: &Person,
        query_text: &str,
    ) -> Result<Option<InlineResult>, Failure> {
        if !self.request_limiter.allow_request(&person.id) {
            return Ok(None);
        }
        let person_id = self.repository.profiles().resolve_person(&person.id).await?;
        if self.repository.deletion_not_begun_condition(&person_id).await?.is_none() {
            return Ok(None);
        }
        let sender = self.load_challenge_sender(person, &person_id).await?;
        let first_word = query_text.split_whitespace().next().unwrap_or_default();
        let id = TableId(first_word.trim_start_matches('#').to_lowercase());
        if let Ok(Some(table)) = self.repository.load_table(&id).await
            && let Some(shared) = self.share_table_result(&sender, &person_id, &table)
        {
            return Ok(Some(shared));
        }
        let named = inline_query::parse_inline_query(query_text)
            .into_iter()
            .find(|it| inline_query::names_game(it, query_text));
        let result = named.and_then(|it| self.challenge_result(&sender, &it));
        Ok(Some(result.unwrap_or_else(|| self.open_challenge_result(&sender))))
    }

    /// One table of the person as an inline result, if they can share it.
    async fn shareable_table_result(
        &self,
        person: &Person,
        person_id: &PersonId,
        table: &Table,
    ) -> Result<Vec<InlineResult>, Failure> {
        let sender = self.load_challenge_sender(person, person_id).await?;
        Ok(self.share_table_result(&sender, person_id, table).into_iter().collect())
    }

    /// The open tables of a person that are offered to share.
    async fn shareable_tables(&self, person_id: &PersonId) -> Result<Vec<TableId>, Failure> {
        let mut tables = tables_of(&self.repository, person_id).await?;
        tables.truncate(SHARED_TABLES_MAX);
        Ok(tables)
    }

    async fn load_challenge_sender(
        &self,
        person: &Person,
        person_id: &PersonId,
    ) -> Result<ChallengeSender, Failure> {
        let profile = self.repository.profiles().load_person(person_id).await?;
        let guess = person.locale.as_deref().and_then(Lang::from_locale);
        let lang = profile.lang.or(guess).or(profile.detected_lang).unwrap_or_default();
        let (code, secret) = self.author_code(person, person_id).await?;
        let words = ChallengeWords::new(&self.repository, secret);
        let mut name = person.name.clone();
        // The chat is not known: only a name that is hidden everywhere is hidden there.
        self.repository.hidden_names().await?.replace("", person_id, &mut name);
        Ok(ChallengeSender { name: displayed_name(&name), code, lang, words })
    }

    /// The inline result for a challenge; `None` if such a table cannot be played.
    fn challenge_result(
        &self,
        sender: &ChallengeSender,
        wanted: &NewTable,
    ) -> Option<InlineResult> {
        let setup = ChallengeSetup::from_wanted(wanted)?;
        let say = |text: Text| self.message_renderer.i18n().translate_plain(sender.lang, &text);
        let (message, more, label) = match (wanted.friends.is_empty(), setup.seats) {
            (true, 2) => ("challenge-says", "challenge-more", "button-accept"),
            (true, _) => ("challenge-says-many", "challenge-more-many", "button-join"),
            (false, 2) => ("challenge-says-friends", "challenge-more-friends", "button-accept"),
            (false, _) => ("challenge-says-friends", "challenge-more-friends", "button-join"),
        };
        let word = sender.words.word(&inline_challenge::challenge_terms(wanted));
        // Long terms leave no space for the word: its author is asked when it is accepted.
        let named = sender.accept_callback(wanted, &word);
        let is_reserved = named.is_some();
        let callback_data =
            named.or_else(|| inline_challenge::challenge_callback_data(wanted, &sender.code))?;
        let label = say(Text::new(label));
        let accept = Button { label, callback_data, tone: ButtonTone::Good, ..Button::default() };
        let game = setup.game_description(wanted);
        let friends = friends_arg(wanted);
        let text = Text::new(message).with("name", sender.name.clone()).with("game", game.clone());
        let mut message = say(text.with("friends", friends.clone()));
        if is_reserved {
            message = format!("{message}\n\n{}", say(sender.seed_hash_text(&word)));
        }
        Some(InlineResult {
            title: say(Text::new("challenge-title").with("game", game)),
            description: say(Text::new(more).with("friends", friends)),
            message,
            buttons: vec![vec![accept]],
        })
    }

    /// The inline result for a challenge without a game: the person who presses chooses it.
    fn open_challenge_result(&self, sender: &ChallengeSender) -> InlineResult {
        let say = |text: Text| self.message_renderer.i18n().translate_plain(sender.lang, &text);
        let word = sender.words.word(ANY_GAME_TERMS);
        let button = |game: &GameId| {
            // A button for a game without options always has space for the word.
            let callback_data = sender.accept_callback(&NewTable::for_game(*game), &word)?;
            let label = say(game.info().name_text());
            Some(vec![Button { label, callback_data, tone: ButtonTone::Good, ..Button::default() }])
        };
        let message = say(Text::new("challenge-choice").with("name", sender.name.clone()));
        InlineResult {
            title: say(Text::new("challenge-choice-title")),
            description: String::new(),
            message: format!("{message}\n\n{}", say(sender.seed_hash_text(&word))),
            buttons: GameId::all().iter().filter_map(button).collect(),
        }
    }

    /// The inline result that shares a table of the person, to watch it or to play there.
    fn share_table_result(
        &self,
        sender: &ChallengeSender,
        person_id: &PersonId,
        table: &Table,
    ) -> Option<InlineResult> {
        let plays = table.seating.is_seated(person_id);
        if !plays || table.is_solo() || !table.is_open() {
            return None;
        }
        let say = |text: Text| self.message_renderer.i18n().translate_plain(sender.lang, &text);
        let button = |label: &'static str, is_watch_only, tone| {
            let word = sender.words.word(&inline_challenge::share_terms(&table.id, is_watch_only));
            let code = format!("{}{word}", sender.code);
            Button {
                label: say(Text::new(label)),
                callback_data: inline_challenge::share_callback_data(
                    &table.id,
                    &code,
                    is_watch_only,
                ),
                tone,
                ..Button::default()
            }
        };
        let buttons = match table.phase {
            TablePhase::Lobby => vec![button("button-show-here", false, ButtonTone::Good)],
            _ => vec![
                button("button-watch", true, ButtonTone::Good),
                button("button-show-here", false, ButtonTone::Plain),
            ],
        };
        let message = board_view::table_line(table, &PersonId("nobody".to_owned()));
        Some(InlineResult {
            title: say(board_view::table_line(table, person_id)),
            description: say(Text::new("share-more")),
            message: say(Text::new("share-says")
                .with("name", sender.name.clone())
                .with("line", message)),
            buttons: vec![buttons],
        })
    }

    /// The code of a person in their challenges, which prevents others from forging buttons in
    /// their name, and the secret from which the seeds are derived.
    async fn author_code(
        &self,
        person: &Person,
        person_id: &PersonId,
    ) -> Result<(String, [u8; 32]), Failure> {
        let now_ms = self.repository.now_ms();
        let author_key = keys::challenge_author_code(person_id);
        let until_ms = now_ms + CHALLENGE_TTL_MS;
        for _ in 0..CHALLENGE_TRIES {
            let condition = self.repository.deletion_not_begun_condition(person_id).await?;
            let Some(condition) = condition else { break };
            let stored_code = self.repository.read_value(Space::Meta, &author_key).await?;
            let known = stored_code.as_ref().map(|it| String::from_utf8_lossy(it).into_owned());
            let code = known.unwrap_or_else(|| self.repository.random_letters(AUTHOR_CODE_LENGTH));
            let row =
                self.repository.read_value(Space::Meta, &keys::challenge_author(&code)).await?;
            let before =
                row.as_ref().and_then(|it| serde_json::from_slice::<ChallengeAuthor>(it).ok());
            let secret = before.as_ref().and_then(|it| it.secret);
            if let (Some(author), Some(secret)) = (&before, secret)
                && now_ms < author.at_ms + DAY_MS
            {
                return Ok((code, secret));
            }
            let secret = secret.unwrap_or_else(|| new_seed(&self.repository));
            let (person, name) = (person_id.clone(), person.name.clone());
            let author = ChallengeAuthor { person, name, at_ms: now_ms, secret: Some(secret) };
            // Concurrent requests get the same code and the same secret.
            let expect = vec![
                condition,
                Expect { space: Space::Meta, key: author_key.clone(), value: stored_code },
                Expect { space: Space::Meta, key: keys::challenge_author(&code), value: row },
            ];
            let puts = vec![
                Put::new(Space::Meta, author_key.clone(), code.clone()).expires_at(until_ms),
                put_json(Space::Meta, keys::challenge_author(&code), &author).expires_at(until_ms),
            ];
            if self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await?
                == CommitOutcome::Committed
            {
                return Ok((code, secret));
            }
        }
        Err(StoreError::Failed(
            "too many conflicting writes to the code of a challenge author".into(),
        )
        .into())
    }

    async fn load_challenge_author(&self, code: &str) -> Result<Option<ChallengeAuthor>, Failure> {
        let row = self.repository.read_value(Space::Meta, &keys::challenge_author(code)).await?;
        Ok(row.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    /// The author with this code, resolved to the person that the account belongs to now.
    async fn find_challenge_author(&self, code: &str) -> Result<Option<ChallengeAuthor>, Failure> {
        let Some(author) = self.load_challenge_author(code).await? else { return Ok(None) };
        let person = self.repository.profiles().resolve_person(&author.person).await?;
        Ok(Some(ChallengeAuthor { person, ..author }))
    }

    /// Whether the author of a challenge can still play: neither is their data being deleted, nor
    /// are they banned.
    async fn can_author_play(&self, person: &PersonId) -> Result<bool, Failure> {
        let accounts = self.repository.profiles().accounts_of(person).await?;
        let is_banned = is_person_banned(&self.repository, &accounts).await?;
        let is_kept = self.repository.deletion_not_begun_condition(person).await?.is_some();
        Ok(is_kept && !is_banned)
    }

    /// Accepts a challenge: its message becomes the board, and the game begins unless others may
    /// still join, or the challenge is old.
    pub(crate) async fn accept_challenge(
        &self,
        context: &mut RequestContext<'_>,
        wanted: &NewTable,
        code: &str,
    ) -> HandlerResult {
        let (code, word) = code.split_at_checked(AUTHOR_CODE_LENGTH).unwrap_or((code, ""));
        let (Some(ChallengeAuthor { person, name, secret, .. }), Some(challenge)) =
            (self.find_challenge_author(code).await?, ChallengeSetup::from_wanted(wanted))
        else {
            return Ok(brief_views("refuse-old-button"));
        };
        let acceptor = &context.update.person;
        if person == acceptor.id {
            return Ok(brief_views("refuse-meet-self"));
        }
        if !self.can_author_play(&person).await? {
            let text = Text::new("refuse-block-challenge").with("name", displayed_name(&name));
            return Ok(vec![View::brief(text)]);
        }
        // Challenges are posted where the bot is no member, nowhere else.
        let is_posted = self.opener.is_single_message_chat(&context.update.chat.id);
        let age = posted_age(secret.as_ref(), word, wanted, context.now_ms);
        let Some(mut age) = age.filter(|_| is_posted) else {
            return Ok(brief_views("refuse-old-button"));
        };
        let Some(other_friends) = friends_besides(wanted, context) else {
            let text = Text::new("refuse-not-challenged").with("friends", friends_arg(wanted));
            return Ok(vec![View::brief(text)]);
        };
        if context.is_board_button_press(&self.repository).await? {
            // Another person has accepted it first.
            return Ok(brief_views("refuse-already-started"));
        }
        self.limits.ensure_more_tables_allowed(context).await?;
        let reserved = match secret.filter(|_| !word.is_empty()) {
            Some(secret) => {
                let reserved = derive_reserved_table(&secret, word);
                self.reserved_tables.check_reservation(reserved).await?
            }
            None => Reservation::Lost,
        };
        let reserved = match reserved {
            Reservation::Free(reserved) => Some(reserved),
            Reservation::Used => return Ok(brief_views("refuse-challenge-used")),
            Reservation::Lost => {
                // Nothing proves that the challenge was not accepted before.
                age = ChallengeAge::Old;
                None
            }
        };
        if age == ChallengeAge::Recent {
            self.limits.ensure_people_below_limit(context, &[(&person, &name)]).await?;
        }
        let options = OpenOptions {
            adopted_message: context.pressed_message().cloned(),
            reserved,
            challenger: (age == ChallengeAge::Old).then(|| person.clone()),
        };
        let table = (wanted, &challenge);
        let plan = self.challenge_plan(context, table, (person, name), other_friends, age);
        self.opener.open_planned_table(context, plan, options).await
    }

    /// The plan of the table of a challenge that the sender accepts. The person who has posted an
    /// old challenge is invited: they may be asleep, so the game begins when they accept.
    fn challenge_plan(
        &self,
        context: &RequestContext<'_>,
        (wanted, challenge): (&NewTable, &ChallengeSetup),
        (challenger, name): (PersonId, String),
        other_friends: Vec<Invitee>,
        age: ChallengeAge,
    ) -> TablePlan {
        let acceptor = &context.update.person;
        let seated = Event::Seated { person: acceptor.id.clone(), name: acceptor.name.clone() };
        let begin = wanted.begin.unwrap_or(FirstMover::Lot);
        let (opener, begin, people) = match age {
            ChallengeAge::Recent => {
                let first = Event::Seated { person: challenger.clone(), name };
                (challenger, begin, [first, seated])
            }
            ChallengeAge::Old => {
                let invited = Event::Invited { person: Some(challenger), username: None, name };
                let begin = first_mover_seen_by_acceptor(begin, challenge.seats);
                (acceptor.id.clone(), begin, [seated, invited])
            }
        };
        let setup = TableSetup {
            format: TableSetup::required_format(false),
            game: wanted.game,
            revision: wanted.game.info().revision,
            options: challenge.options.clone(),
            seats: challenge.seats,
            begin,
            chat: context.update.chat.id.clone(),
            kind: ChatKind::Group,
            seed: new_seed(&self.repository),
            opener,
            coached: false,
        };
        // The settings come first: who takes a seat agrees to them.
        let mut events = Vec::new();
        events.extend(wanted.hints.map(|hints| Event::HintsSet { hints }));
        events.extend(wanted.rated.map(|rated| Event::RatedSet { rated }));
        let clock = wanted.clock.filter(|it| *it != TimeControl::Unlimited);
        events.extend(clock.map(|it| Event::Clock(ClockEvent::ControlSet(it))));
        events.extend(people);
        events.extend(other_friends.into_iter().map(Event::invitation));
        events.extend(challenge.computer_events(wanted));
        let starts_at_once = challenge.begins && age == ChallengeAge::Recent;
        TablePlan { setup, first_events: events, starts_at_once }
    }

    /// Shows a table in the message with which one of its players shared it. Such messages are
    /// posted where the bot is no member, nowhere else, and callback data that the bot did not make
    /// for this table is refused: it would show a table that is closed to watchers.
    pub(crate) async fn accept_shared_table(
        &self,
        context: &mut RequestContext<'_>,
        table: &TableId,
        code: &str,
        is_watch_only: bool,
    ) -> HandlerResult {
        let (code, word) = code.split_at_checked(AUTHOR_CODE_LENGTH).unwrap_or((code, ""));
        let terms = inline_challenge::share_terms(table, is_watch_only);
        let is_single = self.opener.is_single_message_chat(&context.update.chat.id);
        let now_ms = context.now_ms;
        let has_shared = |author: &ChallengeAuthor| {
            author.secret.is_some_and(|it| posted_ms(&it, word, &terms, now_ms).is_some())
        };
        let author = self.find_challenge_author(code).await?;
        let guard_and_author = match author.filter(|it| is_single && has_shared(it)) {
            Some(_) if self.repository.is_quarantined(table) => None,
            Some(author) => {
                self.repository.lock_table(table).await?.map(|guard| (guard, author.person))
            }
            None => None,
        };
        let Some((guard, author)) =
            guard_and_author.filter(|(it, author)| it.table().seating.is_seated(author))
        else {
            return Ok(brief_views("refuse-old-button"));
        };
        let (chat, kind) = (context.update.chat.id.clone(), ChatKind::Group);
        let attached_chat = AttachedChat { chat, kind, attached_by: author, is_watch_only };
        self.command_runner
            .execute_command(context, guard, Command::Attach(attached_chat), &|_| Vec::new())
            .await
    }
}

/// The friends whom a challenge names, as they are mentioned: `@bek_k`.
fn friends_arg(wanted: &NewTable) -> Arg {
    Arg::List(wanted.usernames().map(|it| Arg::from(format!("@{it}"))).collect())
}

/// The friends whom a challenge names, without the acceptor; `None` if it names only others.
fn friends_besides(wanted: &NewTable, context: &RequestContext<'_>) -> Option<Vec<Invitee>> {
    let home = context.update.chat.id.platform();
    let (named, acceptor) = (wanted.usernames(), context.actor());
    let mut friends: Vec<Invitee> = named.map(|it| Invitee::by_username(it, home, home)).collect();
    let all = friends.len();
    let username = acceptor.username.as_deref();
    friends.retain(|it| !it.matches_person(&acceptor.person, username, home));
    (friends.is_empty() || friends.len() < all).then_some(friends)
}

/// The first mover of a challenge at a table whose opener is the person who accepts it. With more
/// than two seats no wish means that the challenger begins, so it is drawn by lot.
fn first_mover_seen_by_acceptor(begin: FirstMover, seats: u8) -> FirstMover {
    match begin {
        FirstMover::Opener if seats == 2 => FirstMover::Friend,
        FirstMover::Friend if seats == 2 => FirstMover::Opener,
        FirstMover::Opener | FirstMover::Friend | FirstMover::Lot => FirstMover::Lot,
    }
}

/// The age of a challenge to this table, if its author has posted it with this word.
fn posted_age(
    secret: Option<&[u8; 32]>,
    word: &str,
    wanted: &NewTable,
    now_ms: u64,
) -> Option<ChallengeAge> {
    let age = |terms: &str| challenge_age(secret, word, terms, now_ms);
    let is_usual = *wanted == NewTable::for_game(wanted.game);
    age(&inline_challenge::challenge_terms(wanted))
        .or_else(|| is_usual.then(|| age(ANY_GAME_TERMS)).flatten())
}

/// The setup of a challenge.
struct ChallengeSetup {
    seats: u8,
    options: String,
    /// The number of computers besides the two people.
    computers: u8,
    /// Whether the game begins as soon as a person accepts.
    begins: bool,
}

impl ChallengeSetup {
    /// The setup for these options; `None` if the rules do not allow this number of players, or
    /// nobody could accept.
    fn from_wanted(wanted: &NewTable) -> Option<Self> {
        let info = wanted.game.info();
        let SeatLimits { fewest, most } = info.seats;
        // The challenger, and the friends or the person who accepts.
        let people = u8::try_from(1 + wanted.friends.len().max(1)).ok()?;
        let named_count = wanted.computers.as_ref().map(|it| it.len().min(usize::from(most)) as u8);
        let default_seats = match named_count.unwrap_or(0) {
            0 if wanted.friends.is_empty() || named_count.is_some() => most,
            computers => people.saturating_add(computers).clamp(fewest, most),
        };
        let seats = wanted.seats.unwrap_or(default_seats);
        let options = wanted.rules_token(&info.default_options());
        let game = wanted.game.start_match(&options, seats).ok().filter(|_| seats >= people)?;
        let seats_left = seats - people;
        let computers = match named_count {
            None => 0,
            Some(0) => seats_left,
            Some(named_count) => named_count.min(seats_left),
        };
        // A game against computers alone is not a challenge.
        if named_count.is_some() && computers == 0 {
            return None;
        }
        // In games with partners, people choose their partners before the start.
        let begins = people == 2 && computers == seats_left && !(game.has_partners() && seats == 4);
        Some(Self { seats, options, computers, begins })
    }

    /// The events that seat the computers. The last given level counts for the others.
    fn computer_events(&self, wanted: &NewTable) -> impl Iterator<Item = Event> {
        let levels = wanted.computers.clone().unwrap_or_default();
        let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
        let levels = levels.into_iter().chain(std::iter::repeat(last));
        levels.take(usize::from(self.computers)).map(seat_computer_event)
    }

    /// The game with everything that differs from the defaults.
    fn game_description(&self, wanted: &NewTable) -> Text {
        let name = wanted.game.info().name_text();
        let mut details: Vec<Arg> = Vec::new();
        let seats = wanted.seats.map(|it| Text::new("button-seats").with("count", it));
        details.extend(seats.map(Arg::from));
        let computers = i64::from(self.computers);
        let computers_text = Text::new("challenge-computers").with("count", computers);
        details.extend((computers > 0).then(|| Arg::from(computers_text)));
        if self.options != wanted.game.info().default_options() {
            details.extend(panel_views::house_rule_texts(wanted.game, &self.options));
        }
        let begin = wanted.begin.filter(|it| *it != FirstMover::Lot && !wanted.game.info().hidden);
        let begin = begin.map(lobby_view::begin_label);
        details.extend(begin.map(|it| Arg::from(Text::new("button-begin").with("begin", it))));
        details.extend(wanted.clock.map(|it| Arg::from(clock_views::time_control_text(it))));
        let rule = |label: &'static str, rule: &'static str| -> Arg {
            Text::new(label).with("rule", Text::new(rule)).into()
        };
        let (hints, is_casual) = (wanted.hints == Some(true), wanted.rated == Some(false));
        details.extend(hints.then(|| rule("button-hints", "lobby-hints-on")));
        details.extend(is_casual.then(|| rule("button-rated", "lobby-rated-off")));
        match details.is_empty() {
            true => name,
            false => Text::new("challenge-game").with("game", name).with("how", Arg::List(details)),
        }
    }
}
