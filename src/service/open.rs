//! Opening tables: by command, by challenge, by rematch.

use super::hear::{Heard, Notes, say};
use super::outbox::{BoardState, BoardTask};
use super::table_ask::{head, index_change, index_of};
use super::tables::{Held, advanced};
use super::{Failure, Inner};
use crate::chat::note::Note;
use crate::chat::request::{CODE_LENGTH, CODE_LETTERS};
use crate::chat::{Mention, MessageId, Person, PersonId, PersonKind, PlaceKind};
use crate::games::GameId;
use crate::store::{Append, Commit};
use crate::table::event::{Begin, Event, FORMAT, Line, Setup, TableId};
use crate::table::fold::Table;
use crate::words::Text;

/// The table that somebody wants.
pub(super) struct Wanted {
    pub(super) game: GameId,
    pub(super) options: Option<String>,
    pub(super) begin: Option<Begin>,
    /// The message that is to become its board.
    pub(super) adopted: Option<MessageId>,
}

/// How often a code that is taken is drawn anew.
const CODE_TRIES: usize = 20;

impl Inner {
    pub(super) async fn open(
        &self,
        heard: &mut Heard<'_>,
        wanted: Wanted,
        friends: &[Mention],
    ) -> Notes {
        let Wanted { game, options, begin, adopted } = wanted;
        if let Some(notes) = self.too_many(heard).await? {
            return Ok(notes);
        }
        let invited = match self.invitation(heard, game, friends).await? {
            Ok(invited) => invited,
            Err(refusal) => return Ok(vec![Note::brief(refusal)]),
        };
        let info = game.info();
        let person = &heard.update.person;
        let setup = Setup {
            format: FORMAT,
            game,
            revision: info.revision,
            options: options.unwrap_or_else(|| info.default_options()),
            seats: info.seats.0,
            begin: begin.unwrap_or(Begin::Lot),
            place: heard.update.place.id.clone(),
            kind: heard.update.place.kind,
            seed: self.seed(),
            opener: person.id.clone(),
        };
        let mut events = vec![
            Event::Opened(Box::new(setup)),
            Event::Seated { person: person.id.clone(), name: person.name.clone() },
        ];
        events.extend(invited);
        for _ in 0..CODE_TRIES {
            let id = self.code();
            let lines = self.lines(heard, 0, &events);
            let (table, append) = opened(&id, &lines)?;
            let mut held = self.hold_new(&id).await;
            let mut commit = self.opening(&table, append, heard.now_ms);
            commit.puts.extend(adopted.clone().map(|it| BoardState::adopting(&table, it)));
            if self.commit_heard(heard, commit, &[]).await?.is_some() {
                held.replace(table);
                drop(held);
                self.wake(&heard.update.place.id);
                return Ok(Vec::new());
            }
            held.forget();
            if let Some(answered) = self.answered(heard.update).await? {
                return Ok(answered.notes);
            }
        }
        Ok(say("refuse-busy"))
    }

    /// The commit that opens a table.
    fn opening(&self, table: &Table, append: Append, now_ms: u64) -> Commit {
        let mut puts = index_change(&[], &index_of(table));
        puts.push(head(table));
        puts.push(BoardTask { down: false }.put(table));
        puts.extend(self.due_call(table, now_ms));
        Commit { appends: vec![append], puts, ..Commit::default() }
    }

    /// Why no more tables may be opened, if so.
    async fn too_many(&self, heard: &Heard<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let here = self.open_tables(&heard.update.place.id).await?.len();
        let own = self.tables_of(&heard.update.person.id).await?.len();
        let (key, count) = if here >= self.limits.tables_per_place {
            ("refuse-too-many-tables-here", here)
        } else if own >= self.limits.tables_per_person {
            ("refuse-too-many-tables", own)
        } else {
            return Ok(None);
        };
        Ok(Some(vec![Note::brief(Text::new(key).with("count", count as i64))]))
    }

    /// The event that asks a friend, or why they cannot be asked.
    async fn invitation(
        &self,
        heard: &Heard<'_>,
        game: GameId,
        friends: &[Mention],
    ) -> Result<Result<Option<Event>, Text>, Failure> {
        if friends.len() >= usize::from(game.info().seats.1) {
            return Ok(Err(Text::new("refuse-too-many-friends")));
        }
        let Some(friend) = friends.first() else { return Ok(Ok(None)) };
        if heard.update.place.kind == PlaceKind::Private {
            return Ok(Err(Text::new("refuse-private-invite")));
        }
        let own = &heard.update.person;
        let (person, username, name) = match friend {
            Mention::Known(Person { kind: PersonKind::Human, id, name, username, .. }) => {
                (Some(id.clone()), username.clone(), name.clone())
            }
            Mention::Known(Person { name, .. }) => {
                return Ok(Err(Text::new("refuse-friend-bot").with("name", name.as_str())));
            }
            Mention::Username(username) => {
                let known = self.by_username(own.id.platform(), username).await?;
                let at = format!("@{username}");
                match known {
                    Some((id, _)) => (Some(id), Some(username.clone()), at),
                    None => (None, Some(username.clone()), at),
                }
            }
        };
        let is_self = person.as_ref() == Some(&own.id)
            || (person.is_none() && own.username.is_some() && own.username == username);
        if is_self {
            return Ok(Err(Text::new("refuse-friend-self")));
        }
        Ok(Ok(Some(Event::Invited { person, username, name })))
    }

    /// Opens the next table for the same people with sides exchanged, and closes the circle at
    /// the old one, in one commit. `None` on conflict.
    pub(super) async fn rematch(
        &self,
        heard: &mut Heard<'_>,
        held: &mut Held,
        notes: &[Note],
    ) -> Result<Option<()>, Failure> {
        let old = held.table();
        let id = self.code();
        let seats = old.setup.seats;
        let people: Vec<_> = (0..seats).rev().filter_map(|seat| old.occupant(seat)).collect();
        let setup = Setup {
            format: FORMAT,
            revision: old.game_id().info().revision,
            begin: Begin::Opener,
            seed: self.seed(),
            opener: people.first().map_or_else(|| PersonId(String::new()), |it| it.person.clone()),
            ..old.setup.clone()
        };
        let mut events = vec![Event::Opened(Box::new(setup))];
        events.extend(
            people
                .iter()
                .map(|it| Event::Seated { person: it.person.clone(), name: it.name.clone() }),
        );
        events.push(Event::Started { order: (0..seats).collect() });
        let (table, append) = opened(&id, &self.lines(heard, 0, &events))?;
        let mut commit = self.opening(&table, append, heard.now_ms);

        let next = self.lines(heard, old.version, &[Event::Next { table: id.clone() }]);
        let closed = advanced(old, &next)?;
        commit.puts.extend([head(&closed), BoardTask { down: false }.put(&closed)]);
        commit.appends.push(Append {
            table: old.id.0.clone(),
            expect: old.version,
            lines: next.iter().map(Line::write).collect(),
        });

        let mut held_new = self.hold_new(&id).await;
        if self.commit_heard(heard, commit, notes).await?.is_none() {
            held_new.forget();
            return Ok(None);
        }
        let place = closed.place().clone();
        held_new.replace(table);
        held.replace(closed);
        self.wake(&place);
        self.due.send_modify(|it| *it += 1);
        Ok(Some(()))
    }

    fn seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        (self.randomness)(&mut seed);
        seed
    }

    /// A new code. Bytes that would favour some letters are passed over.
    fn code(&self) -> TableId {
        let letters = CODE_LETTERS.len();
        let fair = 256 - 256 % letters;
        loop {
            let mut code = String::new();
            while code.len() < CODE_LENGTH {
                let mut byte = [0];
                (self.randomness)(&mut byte);
                if usize::from(byte[0]) < fair {
                    code.push(char::from(CODE_LETTERS[usize::from(byte[0]) % letters]));
                }
            }
            // With a digit in it a code is never taken for a word when somebody types it.
            if code.bytes().any(|it| it.is_ascii_digit()) {
                return TableId(code);
            }
        }
    }
}

fn opened(id: &TableId, lines: &[Line]) -> Result<(Table, Append), Failure> {
    let damaged = |why| Failure::Damaged(id.clone(), why);
    let (first, rest) = lines.split_first().ok_or_else(|| damaged("no lines".into()))?;
    let table = advanced(&Table::opened(id, first).map_err(damaged)?, rest)?;
    let lines = lines.iter().map(Line::write).collect();
    Ok((table, Append { table: id.0.clone(), expect: 0, lines }))
}
