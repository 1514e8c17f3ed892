//! What is posed where the bot is no member: a message with a button, which becomes the board of a
//! table when somebody presses it.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::promise::Promised;
use super::visit::{Notes, Visit, brief};
use crate::ledger::rows::put;
use crate::ledger::{DAY_MS, Entered, Failure, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind, TableId};
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::note::Note;
use caravanserai_protocol::opening::Opening;
use caravanserai_protocol::{Button, Offered, Person, Tone, clocks, panels, posed, present};
use caravanserai_store::{Commit, Expect, Put, Space, StoreError};
use caravanserai_table::clock::{Control, Timed};
use caravanserai_table::command::Command;
use caravanserai_table::event::{Begin, DEFAULT_LEVEL, Event, Setup};
use caravanserai_table::fair::commitment;
use caravanserai_table::fold::{Attached, Phase, Table};
use caravanserai_table::lobby::seated_computer;

/// How long a challenge can be accepted that was posed, in milliseconds: a month.
const POSED_MS: u64 = 30 * DAY_MS;

/// How long what stands for somebody is nobody else's to guess.
const POSED_LETTERS: usize = 8;

/// The length of the word that distinguishes the challenges of one person.
const WORD_LETTERS: usize = 6;

/// How often posing a challenge is tried when another device of the person does the same.
const TRIES: usize = 8;

/// So many own tables are offered to be shown somewhere.
const SHARED: usize = 10;

/// Whom a posed challenge is from. Never printed: it holds a secret.
#[derive(Clone, Serialize, Deserialize)]
struct Posed {
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
struct Poser<'a> {
    name: &'a str,
    code: String,
    lang: Lang,
    /// The word that distinguishes this challenge from their others, and its promise.
    word: String,
    promised: Promised,
}

impl Poser<'_> {
    /// The button that accepts a challenge, and whether it had room for the promise.
    fn press(&self, wanted: &Opening) -> Option<(String, bool)> {
        let press = posed::meeting_press(wanted, &format!("{}{}", self.code, self.word));
        let plain = || Some((posed::meeting_press(wanted, &self.code)?, false));
        press.map(|it| (it, true)).or_else(plain)
    }

    /// The hash of the seed that is promised.
    fn promise(&self) -> Text {
        Text::new("lobby-fair").with("hash", commitment(&self.promised.seed))
    }
}

impl Desk {
    /// What somebody may pose who has typed this, wherever they are: challenges to games, and of
    /// their own tables those they can show there.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn posable(
        &self,
        person: &Person,
        who: &PersonId,
        typed: &str,
    ) -> Result<Vec<Offered>, Failure> {
        let wanted = posed::typed(typed);
        let tables = if typed.trim().is_empty() { self.shareable(who).await? } else { Vec::new() };
        if wanted.is_empty() && tables.is_empty() {
            return Ok(Vec::new());
        }
        let poser = self.poser(person, who).await?;
        let said = |it: &Opening| *it != Opening::of(it.game);
        let all = wanted.into_iter().flat_map(|it| match said(&it) {
            true => vec![it],
            false => posed::suits(it.game),
        });
        let mut offers: Vec<Offered> = all.filter_map(|it| self.challenge(&poser, &it)).collect();
        for id in tables {
            if let Ok(Some(table)) = self.ledger.look(&id).await {
                offers.extend(self.share(&poser, who, &table));
            }
        }
        Ok(offers)
    }

    /// The one message by which the bot answers somebody who names it where it is no member: the
    /// table or the game that they name, else a choice of games.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn summoned(&self, person: &Person, typed: &str) -> Result<Option<Offered>, Failure> {
        if !self.pace.allows(&person.id) {
            return Ok(None);
        }
        let who = self.ledger.behind(&person.id).await?;
        let poser = self.poser(person, &who).await?;
        let named = typed.split_whitespace().next().unwrap_or_default();
        let id = TableId(named.trim_start_matches('#').to_lowercase());
        if let Ok(Some(table)) = self.ledger.look(&id).await
            && let Some(shared) = self.share(&poser, &who, &table)
        {
            return Ok(Some(shared));
        }
        let named = posed::typed(typed).into_iter().find(|it| posed::is_named(it, typed));
        let posed = named.and_then(|it| self.challenge(&poser, &it));
        Ok(Some(posed.unwrap_or_else(|| self.choice(&poser))))
    }

    /// One of somebody's own tables by its code, to be shown somewhere.
    pub(super) async fn shared_by(
        &self,
        person: &Person,
        who: &PersonId,
        table: &Table,
    ) -> Result<Vec<Offered>, Failure> {
        let poser = self.poser(person, who).await?;
        Ok(self.share(&poser, who, table).into_iter().collect())
    }

    /// The open tables of somebody that others may see, as far as they are offered.
    async fn shareable(&self, who: &PersonId) -> Result<Vec<TableId>, Failure> {
        let mut tables = self.tables_of(who).await?;
        tables.truncate(SHARED);
        Ok(tables)
    }

    async fn poser<'a>(&self, person: &'a Person, who: &PersonId) -> Result<Poser<'a>, Failure> {
        let profile = self.ledger.person(who).await?;
        let guess = person.locale.as_deref().and_then(Lang::of_locale);
        let lang = profile.lang.or(guess).or(profile.guess).unwrap_or_default();
        let (code, secret) = self.stands_for(person, who).await?;
        let word = self.ledger.word(WORD_LETTERS);
        let promised = Self::promised_by(&secret, &word);
        Ok(Poser { name: &person.name, code, lang, word, promised })
    }

    /// A challenge to play so; `None` if that cannot be played.
    fn challenge(&self, poser: &Poser<'_>, wanted: &Opening) -> Option<Offered> {
        let party = Party::of(wanted)?;
        let say = |text: Text| self.letters.i18n().plain(poser.lang, &text);
        let (says, more, label) = match party.seats {
            2 => ("challenge-says", "challenge-more", "button-accept"),
            _ => ("challenge-says-many", "challenge-more-many", "button-join"),
        };
        let (press, is_promised) = poser.press(wanted)?;
        let label = say(Text::new(label));
        let accept = Button { label, press, tone: Tone::Good, ..Button::default() };
        let game = party.named(wanted);
        let mut says = say(Text::new(says).with("name", poser.name).with("game", game.clone()));
        if is_promised {
            says = format!("{says}\n\n{}", say(poser.promise()));
        }
        Some(Offered {
            title: say(Text::new("challenge-title").with("game", game)),
            more: say(Text::new(more)),
            says,
            buttons: vec![vec![accept]],
        })
    }

    /// Somebody wants to play and has not said what: whoever presses says it.
    fn choice(&self, poser: &Poser<'_>) -> Offered {
        let say = |text: Text| self.letters.i18n().plain(poser.lang, &text);
        let button = |game: &GameId| {
            // A button for a game without options always has room for the promise.
            let (press, _) = poser.press(&Opening::of(*game))?;
            let label = say(Text::new(format!("game-{}", game.info().code)));
            Some(vec![Button { label, press, tone: Tone::Good, ..Button::default() }])
        };
        let says = say(Text::new("challenge-choice").with("name", poser.name));
        Offered {
            title: say(Text::new("challenge-choice-title")),
            more: String::new(),
            says: format!("{says}\n\n{}", say(poser.promise())),
            buttons: GameId::all().iter().filter_map(button).collect(),
        }
    }

    /// A table that somebody plays at, to be shown somewhere: to look on, or to play from there.
    fn share(&self, poser: &Poser<'_>, who: &PersonId, table: &Table) -> Option<Offered> {
        let plays = table.seats_of(who).next().is_some();
        if !plays || table.is_solo() || !table.is_open() {
            return None;
        }
        let say = |text: Text| self.letters.i18n().plain(poser.lang, &text);
        let button = |label: &'static str, watches, tone| Button {
            label: say(Text::new(label)),
            press: posed::sharing_press(&table.id, &poser.code, watches),
            tone,
            ..Button::default()
        };
        let buttons = match table.phase {
            Phase::Lobby => vec![button("button-bring", false, Tone::Good)],
            _ => vec![
                button("button-watch", true, Tone::Good),
                button("button-bring", false, Tone::Plain),
            ],
        };
        let says = present::line(table, &PersonId("nobody".to_owned()));
        Some(Offered {
            title: say(present::line(table, who)),
            more: say(Text::new("share-more")),
            says: say(Text::new("share-says").with("name", poser.name).with("line", says)),
            buttons: vec![buttons],
        })
    }

    /// The code of a person in their challenges, which keeps others from forging buttons in their
    /// name, and the secret from which the seeds are derived.
    async fn stands_for(
        &self,
        person: &Person,
        who: &PersonId,
    ) -> Result<(String, [u8; 32]), Failure> {
        let now_ms = self.ledger.now_ms();
        let own = keys::posing(who);
        let until_ms = now_ms + POSED_MS;
        for _ in 0..TRIES {
            let stands = self.ledger.value(Space::Meta, &own).await?;
            let known = stands.as_ref().map(|it| String::from_utf8_lossy(it).into_owned());
            let code = known.unwrap_or_else(|| self.ledger.word(POSED_LETTERS));
            let row = self.ledger.value(Space::Meta, &keys::posed(&code)).await?;
            let before = row.as_ref().and_then(|it| serde_json::from_slice::<Posed>(it).ok());
            let secret = before.as_ref().and_then(|it| it.secret);
            if let (Some(posed), Some(secret)) = (&before, secret)
                && now_ms < posed.at_ms + DAY_MS
            {
                return Ok((code, secret));
            }
            let secret = secret.unwrap_or_else(|| self.seed());
            let (person, name) = (who.clone(), person.name.clone());
            let posed = Posed { person, name, at_ms: now_ms, secret: Some(secret) };
            // Concurrent requests get the same code and the same secret.
            let expect = vec![
                Expect { space: Space::Meta, key: own.clone(), value: stands },
                Expect { space: Space::Meta, key: keys::posed(&code), value: row },
            ];
            let puts = vec![
                Put::new(Space::Meta, own.clone(), code.clone()).until(until_ms),
                put(Space::Meta, keys::posed(&code), &posed).until(until_ms),
            ];
            if self.ledger.commit(Commit { expect, ..Commit::of(puts) }).await? == Entered::Done {
                return Ok((code, secret));
            }
        }
        Err(StoreError::Failed("the code of a challenge changed at every attempt".into()).into())
    }

    async fn posed(&self, code: &str) -> Result<Option<Posed>, Failure> {
        let row = self.ledger.value(Space::Meta, &keys::posed(code)).await?;
        Ok(row.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    /// The same by whoever that is now: they may be another person's account since.
    async fn posed_by(&self, code: &str) -> Result<Option<Posed>, Failure> {
        let Some(posed) = self.posed(code).await? else { return Ok(None) };
        let person = self.ledger.behind(&posed.person).await?;
        Ok(Some(Posed { person, ..posed }))
    }

    /// Somebody accepts a challenge: the message with it becomes the board, and the game begins
    /// unless others may still come.
    pub(super) async fn meet(&self, visit: &mut Visit<'_>, wanted: &Opening, code: &str) -> Notes {
        let (code, word) = code.split_at_checked(POSED_LETTERS).unwrap_or((code, ""));
        let (Some(Posed { person, name, secret, .. }), Some(party)) =
            (self.posed_by(code).await?, Party::of(wanted))
        else {
            return Ok(brief("refuse-old-button"));
        };
        let own = &visit.update.person;
        if person == own.id {
            return Ok(brief("refuse-meet-self"));
        }
        if self.pressed_board(visit).await? {
            // Somebody was quicker.
            return Ok(brief("refuse-already-started"));
        }
        if let Some(notes) = self.too_many(visit).await? {
            return Ok(notes);
        }
        if let Some(text) = self.at_too_many(visit, &[(&person, &name)]).await? {
            return Ok(vec![Note::brief(text)]);
        }
        let setup = Setup {
            format: Setup::format_of(false),
            game: wanted.game,
            revision: wanted.game.info().revision,
            options: party.options.clone(),
            seats: party.seats,
            begin: wanted.begin.unwrap_or(Begin::Lot),
            place: visit.update.place.id.clone(),
            kind: PlaceKind::Group,
            seed: self.seed(),
            opener: person.clone(),
            coached: false,
        };
        let mut then = vec![
            Event::Seated { person, name },
            Event::Seated { person: own.id.clone(), name: own.name.clone() },
        ];
        then.extend(party.computers(wanted));
        then.extend(wanted.hints.map(|hints| Event::Ruled { hints }));
        let clock = wanted.clock.filter(|it| *it != Control::Free);
        then.extend(clock.map(|it| Event::Time(Timed::Settled(it))));
        let adopted = visit.pressed().cloned();
        let promised = secret.filter(|_| !word.is_empty()).map(|it| Self::promised_by(&it, word));
        let promised = self.if_free(promised).await?;
        self.opens(visit, (setup, then, party.begins), adopted, promised).await
    }

    /// A table comes to the message by which one of its people has shared it.
    pub(super) async fn shared(
        &self,
        visit: &mut Visit<'_>,
        table: &TableId,
        code: &str,
        watches: bool,
    ) -> Notes {
        let held = match self.posed_by(code).await? {
            Some(_) if self.ledger.is_set_aside(table) => None,
            Some(posed) => self.ledger.hold(table).await?.map(|held| (held, posed.person)),
            None => None,
        };
        let Some((held, by)) = held.filter(|(it, by)| it.table().seats_of(by).next().is_some())
        else {
            return Ok(brief("refuse-old-button"));
        };
        let (place, kind) = (visit.update.place.id.clone(), PlaceKind::Group);
        let to = Attached { place, kind, by, watches };
        self.command(visit, held, Command::Attach(to), &|_| Vec::new()).await
    }
}

/// How a posed challenge is played.
struct Party {
    seats: u8,
    options: String,
    /// How many computers sit down with the two.
    computers: u8,
    /// Whether it begins as soon as somebody accepts.
    begins: bool,
}

impl Party {
    /// `None` if these rules are not played by so many, or nobody would be left to accept.
    fn of(wanted: &Opening) -> Option<Self> {
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let named = wanted.computers.as_ref().map(|it| it.len().min(usize::from(most)) as u8);
        let usual = named.filter(|it| *it > 0).map_or(most, |it| (2 + it).clamp(fewest, most));
        let seats = wanted.seats.unwrap_or(usual);
        let options = wanted.rules_where(&info.default_options());
        let game = wanted.game.open(&options, seats).ok().filter(|_| seats >= 2)?;
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
        let begins = computers == left && !(game.partners() && seats == 4);
        Some(Self { seats, options, computers, begins })
    }

    /// Those who come with the two. Who names fewer levels means the last one for the others.
    fn computers(&self, wanted: &Opening) -> impl Iterator<Item = Event> {
        let levels = wanted.computers.clone().unwrap_or_default();
        let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
        let levels = levels.into_iter().chain(std::iter::repeat(last));
        levels.take(usize::from(self.computers)).map(seated_computer)
    }

    /// The game with all that is not as usual.
    fn named(&self, wanted: &Opening) -> Text {
        let name = Text::new(format!("game-{}", wanted.game.info().code));
        let mut how: Vec<Arg> = Vec::new();
        let seats = wanted.seats.map(|it| Text::new("button-seats").with("count", it));
        how.extend(seats.map(Arg::from));
        let computers = i64::from(self.computers);
        let with = Text::new("challenge-computers").with("count", computers);
        how.extend((computers > 0).then(|| Arg::from(with)));
        if self.options != wanted.game.info().default_options() {
            how.extend(panels::rules_told(wanted.game, &self.options));
        }
        how.extend(wanted.clock.map(|it| Arg::from(clocks::named(it))));
        match how.is_empty() {
            true => name,
            false => Text::new("challenge-game").with("game", name).with("how", Arg::List(how)),
        }
    }
}
