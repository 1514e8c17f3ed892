//! What is posed where the bot is no member: a message with a button, which becomes the board of a
//! table when somebody presses it.

use serde::{Deserialize, Serialize};

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::seed_promise::PromisedTable;
use crate::commands::inline_challenge;
use crate::parsing::{NewTable, inline_query};
use crate::repository::stored_rows::put_json;
use crate::repository::{CommitOutcome, DAY_MS, Failure, keys};
use crate::views::{board_view, clock_views, panel_views};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind, TableId};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::View;
use caravanserai_protocol::{Button, ButtonTone, InlineResult, Person};
use caravanserai_store::{Commit, Expect, Put, Space, StoreError};
use caravanserai_table::clock::{ClockEvent, TimeControl};
use caravanserai_table::command::Command;
use caravanserai_table::event::{DEFAULT_LEVEL, Event, FirstMover, TableSetup};
use caravanserai_table::fair_random::hash_seed;
use caravanserai_table::lobby_commands::seat_computer_event;
use caravanserai_table::state::{AttachedChat, Table, TablePhase};

/// How long a challenge can be accepted that was posed, in milliseconds: a month.
const CHALLENGE_TTL_MS: u64 = 30 * DAY_MS;

/// How long what stands for somebody is nobody else's to guess.
const AUTHOR_CODE_LENGTH: usize = 8;

/// The length of the word that distinguishes the challenges of one person.
const CHALLENGE_WORD_LENGTH: usize = 6;

/// How often posing a challenge is tried when another device of the person does the same.
const CHALLENGE_TRIES: usize = 8;

/// So many own tables are offered to be shown somewhere.
const SHARED_TABLES_MAX: usize = 10;

/// Whom a posed challenge is from. Never printed: it holds a secret.
#[derive(Clone, Serialize, Deserialize)]
struct ChallengeAuthor {
    person: PersonId,
    /// What people see.
    name: String,
    /// When it was kept last, in milliseconds since 1970.
    at_ms: u64,
    /// The secret from which the seeds of their challenges are derived; rows of earlier versions
    /// have none.
    #[serde(default)]
    secret: Option<[u8; 32]>,
}

/// Who poses something, and in which words.
struct ChallengeSender<'a> {
    name: &'a str,
    code: String,
    lang: Lang,
    /// The word that distinguishes this challenge from their others, and its promise.
    word: String,
    promised: PromisedTable,
}

impl ChallengeSender<'_> {
    /// The button that accepts a challenge, and whether it had room for the promise.
    fn accept_callback(&self, wanted: &NewTable) -> Option<(String, bool)> {
        let press = inline_challenge::challenge_callback_data(
            wanted,
            &format!("{}{}", self.code, self.word),
        );
        let plain =
            || Some((inline_challenge::challenge_callback_data(wanted, &self.code)?, false));
        press.map(|it| (it, true)).or_else(plain)
    }

    /// The hash of the seed that is promised.
    fn promise_text(&self) -> Text {
        Text::new("lobby-fair").with("hash", hash_seed(&self.promised.seed))
    }
}

impl Handlers {
    /// What somebody may pose who has typed this, wherever they are: challenges to games, and of
    /// their own tables those they can show there.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn inline_challenges(
        &self,
        person: &Person,
        who: &PersonId,
        typed: &str,
    ) -> Result<Vec<InlineResult>, Failure> {
        let wanted = inline_query::parse_inline_query(typed);
        let tables =
            if typed.trim().is_empty() { self.shareable_tables(who).await? } else { Vec::new() };
        if wanted.is_empty() && tables.is_empty() {
            return Ok(Vec::new());
        }
        let poser = self.load_challenge_sender(person, who).await?;
        let said = |it: &NewTable| *it != NewTable::of(it.game);
        let all = wanted.into_iter().flat_map(|it| match said(&it) {
            true => vec![it],
            false => inline_query::suggested_tables(it.game),
        });
        let mut offers: Vec<InlineResult> =
            all.filter_map(|it| self.challenge_result(&poser, &it)).collect();
        for id in tables {
            if let Ok(Some(table)) = self.repository.load_table(&id).await {
                offers.extend(self.share_table_result(&poser, who, &table));
            }
        }
        Ok(offers)
    }

    /// The one message by which the bot answers somebody who names it where it is no member: the
    /// table or the game that they name, else a choice of games.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mention_reply(
        &self,
        person: &Person,
        typed: &str,
    ) -> Result<Option<InlineResult>, Failure> {
        if !self.request_limiter.allow_request(&person.id) {
            return Ok(None);
        }
        let who = self.repository.resolve_person(&person.id).await?;
        let poser = self.load_challenge_sender(person, &who).await?;
        let named = typed.split_whitespace().next().unwrap_or_default();
        let id = TableId(named.trim_start_matches('#').to_lowercase());
        if let Ok(Some(table)) = self.repository.load_table(&id).await
            && let Some(shared) = self.share_table_result(&poser, &who, &table)
        {
            return Ok(Some(shared));
        }
        let named = inline_query::parse_inline_query(typed)
            .into_iter()
            .find(|it| inline_query::names_game(it, typed));
        let posed = named.and_then(|it| self.challenge_result(&poser, &it));
        Ok(Some(posed.unwrap_or_else(|| self.open_challenge_result(&poser))))
    }

    /// One of somebody's own tables by its code, to be shown somewhere.
    pub(crate) async fn shareable_table_result(
        &self,
        person: &Person,
        who: &PersonId,
        table: &Table,
    ) -> Result<Vec<InlineResult>, Failure> {
        let poser = self.load_challenge_sender(person, who).await?;
        Ok(self.share_table_result(&poser, who, table).into_iter().collect())
    }

    /// The open tables of somebody that others may see, as far as they are offered.
    async fn shareable_tables(&self, who: &PersonId) -> Result<Vec<TableId>, Failure> {
        let mut tables = self.tables_of(who).await?;
        tables.truncate(SHARED_TABLES_MAX);
        Ok(tables)
    }

    async fn load_challenge_sender<'a>(
        &self,
        person: &'a Person,
        who: &PersonId,
    ) -> Result<ChallengeSender<'a>, Failure> {
        let profile = self.repository.load_person(who).await?;
        let guess = person.locale.as_deref().and_then(Lang::from_locale);
        let lang = profile.lang.or(guess).or(profile.guess).unwrap_or_default();
        let (code, secret) = self.author_code(person, who).await?;
        let word = self.repository.random_letters(CHALLENGE_WORD_LENGTH);
        let promised = Self::derive_promise(&secret, &word);
        Ok(ChallengeSender { name: &person.name, code, lang, word, promised })
    }

    /// A challenge to play so; `None` if that cannot be played.
    fn challenge_result(
        &self,
        poser: &ChallengeSender<'_>,
        wanted: &NewTable,
    ) -> Option<InlineResult> {
        let party = ChallengeSetup::of(wanted)?;
        let say = |text: Text| self.message_renderer.i18n().translate_plain(poser.lang, &text);
        let (says, more, label) = match party.seats {
            2 => ("challenge-says", "challenge-more", "button-accept"),
            _ => ("challenge-says-many", "challenge-more-many", "button-join"),
        };
        let (press, is_promised) = poser.accept_callback(wanted)?;
        let label = say(Text::new(label));
        let accept = Button { label, press, tone: ButtonTone::Good, ..Button::default() };
        let game = party.game_description(wanted);
        let mut says = say(Text::new(says).with("name", poser.name).with("game", game.clone()));
        if is_promised {
            says = format!("{says}\n\n{}", say(poser.promise_text()));
        }
        Some(InlineResult {
            title: say(Text::new("challenge-title").with("game", game)),
            description: say(Text::new(more)),
            message: says,
            buttons: vec![vec![accept]],
        })
    }

    /// Somebody wants to play and has not said what: whoever presses says it.
    fn open_challenge_result(&self, poser: &ChallengeSender<'_>) -> InlineResult {
        let say = |text: Text| self.message_renderer.i18n().translate_plain(poser.lang, &text);
        let button = |game: &GameId| {
            // A button for a game without options always has room for the promise.
            let (press, _) = poser.accept_callback(&NewTable::of(*game))?;
            let label = say(Text::new(format!("game-{}", game.info().code)));
            Some(vec![Button { label, press, tone: ButtonTone::Good, ..Button::default() }])
        };
        let says = say(Text::new("challenge-choice").with("name", poser.name));
        InlineResult {
            title: say(Text::new("challenge-choice-title")),
            description: String::new(),
            message: format!("{says}\n\n{}", say(poser.promise_text())),
            buttons: GameId::all().iter().filter_map(button).collect(),
        }
    }

    /// A table that somebody plays at, to be shown somewhere: to look on, or to play from there.
    fn share_table_result(
        &self,
        poser: &ChallengeSender<'_>,
        who: &PersonId,
        table: &Table,
    ) -> Option<InlineResult> {
        let plays = table.seats_of(who).next().is_some();
        if !plays || table.is_solo() || !table.is_open() {
            return None;
        }
        let say = |text: Text| self.message_renderer.i18n().translate_plain(poser.lang, &text);
        let button = |label: &'static str, watches, tone| Button {
            label: say(Text::new(label)),
            press: inline_challenge::share_callback_data(&table.id, &poser.code, watches),
            tone,
            ..Button::default()
        };
        let buttons = match table.phase {
            TablePhase::Lobby => vec![button("button-bring", false, ButtonTone::Good)],
            _ => vec![
                button("button-watch", true, ButtonTone::Good),
                button("button-bring", false, ButtonTone::Plain),
            ],
        };
        let says = board_view::table_line(table, &PersonId("nobody".to_owned()));
        Some(InlineResult {
            title: say(board_view::table_line(table, who)),
            description: say(Text::new("share-more")),
            message: say(Text::new("share-says").with("name", poser.name).with("line", says)),
            buttons: vec![buttons],
        })
    }

    /// The code of a person in their challenges, which keeps others from forging buttons in their
    /// name, and the secret from which the seeds are derived.
    async fn author_code(
        &self,
        person: &Person,
        who: &PersonId,
    ) -> Result<(String, [u8; 32]), Failure> {
        let now_ms = self.repository.now_ms();
        let own = keys::challenge_author_code(who);
        let until_ms = now_ms + CHALLENGE_TTL_MS;
        for _ in 0..CHALLENGE_TRIES {
            let stands = self.repository.read_value(Space::Meta, &own).await?;
            let known = stands.as_ref().map(|it| String::from_utf8_lossy(it).into_owned());
            let code = known.unwrap_or_else(|| self.repository.random_letters(AUTHOR_CODE_LENGTH));
            let row =
                self.repository.read_value(Space::Meta, &keys::challenge_author(&code)).await?;
            let before =
                row.as_ref().and_then(|it| serde_json::from_slice::<ChallengeAuthor>(it).ok());
            let secret = before.as_ref().and_then(|it| it.secret);
            if let (Some(posed), Some(secret)) = (&before, secret)
                && now_ms < posed.at_ms + DAY_MS
            {
                return Ok((code, secret));
            }
            let secret = secret.unwrap_or_else(|| self.new_seed());
            let (person, name) = (who.clone(), person.name.clone());
            let posed = ChallengeAuthor { person, name, at_ms: now_ms, secret: Some(secret) };
            // Concurrent requests get the same code and the same secret.
            let expect = vec![
                Expect { space: Space::Meta, key: own.clone(), value: stands },
                Expect { space: Space::Meta, key: keys::challenge_author(&code), value: row },
            ];
            let puts = vec![
                Put::new(Space::Meta, own.clone(), code.clone()).expires_at(until_ms),
                put_json(Space::Meta, keys::challenge_author(&code), &posed).expires_at(until_ms),
            ];
            if self.repository.commit_rows(Commit { expect, ..Commit::from_puts(puts) }).await?
                == CommitOutcome::Committed
            {
                return Ok((code, secret));
            }
        }
        Err(StoreError::Failed("the code of a challenge changed at every attempt".into()).into())
    }

    async fn load_challenge_author(&self, code: &str) -> Result<Option<ChallengeAuthor>, Failure> {
        let row = self.repository.read_value(Space::Meta, &keys::challenge_author(code)).await?;
        Ok(row.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    /// The same by whoever that is now: they may be another person's account since.
    async fn find_challenge_author(&self, code: &str) -> Result<Option<ChallengeAuthor>, Failure> {
        let Some(posed) = self.load_challenge_author(code).await? else { return Ok(None) };
        let person = self.repository.resolve_person(&posed.person).await?;
        Ok(Some(ChallengeAuthor { person, ..posed }))
    }

    /// Somebody accepts a challenge: the message with it becomes the board, and the game begins
    /// unless others may still come.
    pub(crate) async fn accept_challenge(
        &self,
        visit: &mut RequestContext<'_>,
        wanted: &NewTable,
        code: &str,
    ) -> HandlerResult {
        let (code, word) = code.split_at_checked(AUTHOR_CODE_LENGTH).unwrap_or((code, ""));
        let (Some(ChallengeAuthor { person, name, secret, .. }), Some(party)) =
            (self.find_challenge_author(code).await?, ChallengeSetup::of(wanted))
        else {
            return Ok(brief_note("refuse-old-button"));
        };
        let own = &visit.update.person;
        if person == own.id {
            return Ok(brief_note("refuse-meet-self"));
        }
        if self.is_board_button_press(visit).await? {
            // Somebody was quicker.
            return Ok(brief_note("refuse-already-started"));
        }
        if let Some(notes) = self.table_limit_refusal(visit).await? {
            return Ok(notes);
        }
        if let Some(text) = self.people_limit_refusal(visit, &[(&person, &name)]).await? {
            return Ok(vec![View::brief(text)]);
        }
        let setup = TableSetup {
            format: TableSetup::required_format(false),
            game: wanted.game,
            revision: wanted.game.info().revision,
            options: party.options.clone(),
            seats: party.seats,
            begin: wanted.begin.unwrap_or(FirstMover::Lot),
            chat: visit.update.chat.id.clone(),
            kind: PlaceKind::Group,
            seed: self.new_seed(),
            opener: person.clone(),
            coached: false,
        };
        let mut then = vec![
            Event::Seated { person, name },
            Event::Seated { person: own.id.clone(), name: own.name.clone() },
        ];
        then.extend(party.computer_events(wanted));
        then.extend(wanted.hints.map(|hints| Event::HintsSet { hints }));
        let clock = wanted.clock.filter(|it| *it != TimeControl::Unlimited);
        then.extend(clock.map(|it| Event::Clock(ClockEvent::ControlSet(it))));
        let adopted = visit.pressed_message().cloned();
        let promised =
            secret.filter(|_| !word.is_empty()).map(|it| Self::derive_promise(&it, word));
        let promised = self.unless_code_taken(promised).await?;
        self.open_planned_table(visit, (setup, then, party.begins), adopted, promised).await
    }

    /// A table comes to the message by which one of its people has shared it.
    pub(crate) async fn accept_shared_table(
        &self,
        visit: &mut RequestContext<'_>,
        table: &TableId,
        code: &str,
        watches: bool,
    ) -> HandlerResult {
        let held = match self.find_challenge_author(code).await? {
            Some(_) if self.repository.is_quarantined(table) => None,
            Some(posed) => {
                self.repository.lock_table(table).await?.map(|held| (held, posed.person))
            }
            None => None,
        };
        let Some((held, by)) = held.filter(|(it, by)| it.table().seats_of(by).next().is_some())
        else {
            return Ok(brief_note("refuse-old-button"));
        };
        let (place, kind) = (visit.update.chat.id.clone(), PlaceKind::Group);
        let to = AttachedChat { chat: place, kind, attached_by: by, is_watch_only: watches };
        self.execute_command(visit, held, Command::Attach(to), &|_| Vec::new()).await
    }
}

/// How a posed challenge is played.
struct ChallengeSetup {
    seats: u8,
    options: String,
    /// How many computers sit down with the two.
    computers: u8,
    /// Whether it begins as soon as somebody accepts.
    begins: bool,
}

impl ChallengeSetup {
    /// `None` if these rules are not played by so many, or nobody would be left to accept.
    fn of(wanted: &NewTable) -> Option<Self> {
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let named = wanted.computers.as_ref().map(|it| it.len().min(usize::from(most)) as u8);
        let usual = named.filter(|it| *it > 0).map_or(most, |it| (2 + it).clamp(fewest, most));
        let seats = wanted.seats.unwrap_or(usual);
        let options = wanted.rules_token(&info.default_options());
        let game = wanted.game.start_match(&options, seats).ok().filter(|_| seats >= 2)?;
        let left = seats - 2;
        let computers = match named {
            None => 0,
            Some(0) => left,
            Some(named) => named.min(left),
        };
        // Nobody is challenged to a game against a computer alone.
        if named.is_some() && computers == 0 {
            return None;
        }
        // Where partners play, people settle who plays with whom before they begin.
        let begins = computers == left && !(game.has_partners() && seats == 4);
        Some(Self { seats, options, computers, begins })
    }

    /// Those who come with the two. Who names fewer levels means the last one for the others.
    fn computer_events(&self, wanted: &NewTable) -> impl Iterator<Item = Event> {
        let levels = wanted.computers.clone().unwrap_or_default();
        let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
        let levels = levels.into_iter().chain(std::iter::repeat(last));
        levels.take(usize::from(self.computers)).map(seat_computer_event)
    }

    /// The game with all that is not as usual.
    fn game_description(&self, wanted: &NewTable) -> Text {
        let name = Text::new(format!("game-{}", wanted.game.info().code));
        let mut how: Vec<Arg> = Vec::new();
        let seats = wanted.seats.map(|it| Text::new("button-seats").with("count", it));
        how.extend(seats.map(Arg::from));
        let computers = i64::from(self.computers);
        let with = Text::new("challenge-computers").with("count", computers);
        how.extend((computers > 0).then(|| Arg::from(with)));
        if self.options != wanted.game.info().default_options() {
            how.extend(panel_views::house_rule_texts(wanted.game, &self.options));
        }
        how.extend(wanted.clock.map(|it| Arg::from(clock_views::time_control_text(it))));
        match how.is_empty() {
            true => name,
            false => Text::new("challenge-game").with("game", name).with("how", Arg::List(how)),
        }
    }
}
