//! Opening tables: by command, by challenge, by rematch.

use super::hands::first_hands;
use super::hear::{Heard, Notes, say};
use super::outbox::{BoardState, BoardTask};
use super::table_ask::{head, index_change, index_of};
use super::tables::{Held, advanced};
use super::{Failure, Inner};
use crate::chat::Mention;
use crate::chat::note::Note;
use crate::chat::request::{CODE_LENGTH, CODE_LETTERS};
use crate::games::GameId;
use crate::ids::TableId;
use crate::ids::{MessageId, PlaceKind};
use crate::search::Level;
use crate::store::{Append, Commit};
use crate::table::event::{Begin, DEFAULT_LEVEL, Event, FORMAT, Line, Setup};
use crate::table::lobby::{needs_computers, seated_computer};
use crate::table::{self, Occupant, Stamp, Table};
use crate::words::Text;

/// The table that somebody wants.
pub(super) struct Wanted {
    pub(super) game: GameId,
    pub(super) options: Option<String>,
    pub(super) begin: Option<Begin>,
    pub(super) seats: Option<u8>,
    /// Whether computers take all other seats, and how strong they are as far as it was said.
    pub(super) computers: Option<Vec<Level>>,
    /// Whether hints are given, if it was said.
    pub(super) hints: Option<bool>,
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
        if let Some(notes) = self.too_many(heard).await? {
            return Ok(notes);
        }
        let (setup, then, start) = match self.plan(heard, &wanted, friends).await? {
            Ok(plan) => plan,
            Err(refusal) => return Ok(vec![Note::brief(refusal)]),
        };
        let adopted = wanted.adopted;
        for _ in 0..CODE_TRIES {
            let id = self.code();
            let (table, append) = self.opened(heard, &id, &setup, &then, start)?;
            let mut held = self.hold_new(&id).await;
            let mut commit = self.opening(&table, append, heard.now_ms);
            commit.puts.extend(adopted.clone().map(|it| BoardState::adopting(&table, it)));
            if self.commit_heard(heard, commit, &[]).await?.is_some() {
                let thinks = self.think(&table);
                self.due.send_modify(|it| *it += 1);
                held.replace(table);
                drop(held);
                self.wake_unless(thinks, &heard.update.place.id);
                return Ok(Vec::new());
            }
            held.forget();
            if let Some(answered) = self.answered(heard.update).await? {
                return Ok(answered.notes);
            }
        }
        Ok(say("refuse-busy"))
    }

    /// How the table is set up that somebody wants, what happens there first, and whether the game
    /// starts at once. Or why not.
    async fn plan(
        &self,
        heard: &Heard<'_>,
        wanted: &Wanted,
        friends: &[Mention],
    ) -> Result<Result<(Setup, Vec<Event>, bool), Text>, Failure> {
        let invited = match self.invitations(heard, wanted.game, friends).await? {
            Ok(invited) => invited,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let update = heard.update;
        let alone = update.place.kind == PlaceKind::Private && needs_computers(wanted.game);
        let named = u8::try_from(friends.len() + 1).unwrap_or(most);
        let levels = wanted.computers.as_deref().unwrap_or_default();
        let computers = levels.len().max(usize::from(wanted.computers.is_some())) as u8;
        // Whoever names friends or several computers wants to play with them; whoever names
        // nobody with many.
        let usual = match (friends.is_empty(), computers) {
            (true, 0 | 1) => most,
            (_, computers) => named.saturating_add(computers).clamp(fewest, most),
        };
        let seats = wanted.seats.unwrap_or(usual);
        let options = wanted.options.clone().unwrap_or_else(|| info.default_options());
        if !(fewest..=most).contains(&seats) || named > seats {
            let text = Text::new("refuse-seats").with("fewest", fewest.max(named));
            return Ok(Err(text.with("most", most)));
        }
        if let Err(illegal) = wanted.game.open(&options, seats) {
            return Ok(Err(Text::new(illegal.0)));
        }
        let person = &update.person;
        let setup = Setup {
            format: FORMAT,
            game: wanted.game,
            revision: info.revision,
            options,
            seats,
            begin: wanted.begin.unwrap_or(Begin::Lot),
            place: update.place.id.clone(),
            kind: update.place.kind,
            seed: self.seed(),
            opener: person.id.clone(),
        };
        let mut then = vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        then.extend(invited);
        then.extend(wanted.hints.map(|on| Event::Ruled { hints: on }));
        let start = wanted.computers.is_some() && friends.is_empty();
        if wanted.computers.is_some() || alone {
            // Who names fewer levels than there are computers means the last one for the others.
            let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
            let levels = levels.iter().copied().chain(std::iter::repeat(last));
            then.extend((named..seats).zip(levels).map(|(_, level)| seated_computer(level)));
        }
        Ok(Ok((setup, then, start)))
    }

    /// A table as it is opened, with the lines that open it.
    fn opened(
        &self,
        heard: &Heard<'_>,
        id: &TableId,
        setup: &Setup,
        then: &[Event],
        start: bool,
    ) -> Result<(Table, Append), Failure> {
        let stamp = Stamp { at_ms: heard.now_ms, cause: heard.update.id.clone() };
        let (table, events) = table::opening(id, setup.clone(), then.to_vec(), start, &stamp)
            .map_err(|why| Failure::Damaged(id.clone(), why))?;
        let lines = self.lines(heard, 0, &events).iter().map(Line::write).collect();
        Ok((table, Append { table: id.0.clone(), expect: 0, lines }))
    }

    /// The commit that opens a table.
    fn opening(&self, table: &Table, append: Append, now_ms: u64) -> Commit {
        let mut puts = index_change(&[], &index_of(table));
        puts.push(head(table));
        puts.push(BoardTask { down: false }.put(table));
        puts.extend(first_hands(table));
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
        // Two exchange sides. Among more, whoever came second begins, and all sit as before.
        let order: Vec<u8> = match seats {
            2 => vec![1, 0],
            _ => (0..seats).map(|seat| (seat + 1) % seats).collect(),
        };
        let all: Vec<_> = order.iter().filter_map(|&seat| old.occupant(seat)).collect();
        let opener = all.iter().find(|it| !it.is_computer());
        let setup = Setup {
            format: FORMAT,
            revision: old.game_id().info().revision,
            begin: Begin::Opener,
            seed: self.seed(),
            opener: opener.map_or_else(|| old.setup.opener.clone(), |it| it.person.clone()),
            ..old.setup.clone()
        };
        let seated = |it: &&Occupant| {
            let (person, name) = (it.person.clone(), it.name.clone());
            Event::Seated { person, name }
        };
        let mut then: Vec<Event> = all.iter().map(seated).collect();
        then.extend(old.hints.map(|hints| Event::Ruled { hints }));
        then.push(Event::Started { order: (0..seats).collect() });
        let (table, append) = self.opened(heard, &id, &setup, &then, false)?;
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
        let thinks = self.think(&table);
        held_new.replace(table);
        held.replace(closed);
        self.wake_unless(thinks, &place);
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
