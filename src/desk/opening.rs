//! Opening tables: by command, by challenge, by rematch.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::done::posted;
use crate::chat::note::Note;
use crate::chat::request::{CODE_LENGTH, CODE_LETTERS, Opening};
use crate::ids::{PlaceKind, TableId};
use crate::ledger::rows::{BoardState, put};
use crate::ledger::{Deed, Entered, Failure};
use crate::store::{Read, Space};
use crate::table::clock::{Control, Timed};
use crate::table::event::{Begin, DEFAULT_LEVEL, Event, Setup};
use crate::table::lobby::{needs_computers, seated_computer};
use crate::table::{self, Decision, Stamp};
use crate::words::Text;

/// How often a code that is taken is drawn anew.
const CODE_TRIES: usize = 20;

impl Desk {
    pub(super) async fn open(&self, visit: &mut Visit<'_>, wanted: Opening) -> Notes {
        if let Some(notes) = self.too_many(visit).await? {
            return Ok(notes);
        }
        if let Some(note) = self.offers_instead(visit, &wanted) {
            return Ok(vec![note]);
        }
        let plan = match self.plan(visit, &wanted).await? {
            Ok(plan) => plan,
            Err(refusal) => return Ok(vec![Note::brief(refusal)]),
        };
        let adopted = visit.pressed().filter(|_| wanted.adopt).cloned();
        for _ in 0..CODE_TRIES {
            let id = self.code();
            let decision = self.opened(visit, &id, plan.clone())?;
            let board = adopted.clone().map(|it| BoardState::adopting(&decision.next, it));
            let commit = board.unwrap_or_default();
            let mut held = self.ledger.hold_new(&id).await;
            if wanted.clock.is_some() {
                self.remember_clock(visit, &decision);
            }
            let deed = Deed { held: &mut held, decision, answered: None };
            let notes = posted("done-opened");
            if self.enter(visit, vec![deed], commit, &notes).await? == Entered::Done {
                return Ok(notes);
            }
            if let Some(answered) = self.answered(visit.update).await? {
                return Ok(answered.notes);
            }
            // Somebody else has made the message a board that this visit wanted for its own.
            if adopted.is_some() && self.pressed_board(visit).await? {
                return Ok(brief("refuse-old-button"));
            }
        }
        Ok(brief("refuse-busy"))
    }

    /// How the table is set up that somebody wants, what happens there first, and whether the game
    /// starts at once. Or why not.
    async fn plan(
        &self,
        visit: &Visit<'_>,
        wanted: &Opening,
    ) -> Result<Result<(Setup, Vec<Event>, bool), Text>, Failure> {
        let invited = match self.invitations(visit, wanted.game, &wanted.friends).await? {
            Ok(invited) => invited,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let update = visit.update;
        let alone = update.place.kind == PlaceKind::Private && needs_computers(wanted.game);
        let named = u8::try_from(wanted.friends.len() + 1).unwrap_or(most);
        let levels = wanted.computers.as_deref().unwrap_or_default();
        let computers = levels.len().max(usize::from(wanted.computers.is_some())) as u8;
        // Whoever names friends or several computers wants to play with them; whoever names
        // nobody with many.
        let usual = match (wanted.friends.is_empty(), computers) {
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
            return Ok(Err(Text::new(illegal.key)));
        }
        let person = &update.person;
        // Whoever learns makes the first move.
        let usual_begin = if wanted.coached { Begin::Opener } else { Begin::Lot };
        let setup = Setup {
            format: Setup::format_of(wanted.coached),
            game: wanted.game,
            revision: info.revision,
            options,
            seats,
            begin: wanted.begin.unwrap_or(usual_begin),
            place: update.place.id.clone(),
            kind: update.place.kind,
            seed: self.seed(),
            opener: person.id.clone(),
            coached: wanted.coached,
        };
        let mut then = vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        then.extend(invited);
        then.extend(wanted.hints.map(|on| Event::Ruled { hints: on }));
        let control =
            clock_of(visit, wanted).filter(|it| wanted.clock.is_some() || *it != Control::Free);
        then.extend(control.map(|it| Event::Time(Timed::Settled(it))));
        if wanted.both && !needs_computers(wanted.game) {
            let own = || Event::Seated { person: person.id.clone(), name: person.name.clone() };
            then.extend((1..seats).map(|_| own()));
        }
        let start = (wanted.computers.is_some() || wanted.both) && wanted.friends.is_empty();
        if wanted.computers.is_some() || alone {
            // Who names fewer levels than there are computers means the last one for the others.
            let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
            let levels = levels.iter().copied().chain(std::iter::repeat(last));
            then.extend((named..seats).zip(levels).map(|(_, level)| seated_computer(level)));
        }
        Ok(Ok((setup, then, start)))
    }

    /// A clock that was chosen in a chat is that of its next tables too.
    pub(super) fn remember_clock(&self, visit: &mut Visit<'_>, decision: &Decision) {
        let settled = decision.events().filter_map(|it| match it {
            Event::Time(Timed::Settled(control)) => Some(control.write()),
            _ => None,
        });
        let Some(clock) = settled.last() else { return };
        let group = visit.update.place.kind == PlaceKind::Group;
        if group && visit.place.clock.as_ref() != Some(&clock) {
            visit.place.clock = Some(clock);
            let chat = visit.update.place.id.chat().to_owned();
            visit.learned.push(put(Space::Place, chat, &visit.place));
        }
    }

    /// A table as it is opened by this visit.
    pub(super) fn opened(
        &self,
        visit: &Visit<'_>,
        id: &TableId,
        (setup, then, start): (Setup, Vec<Event>, bool),
    ) -> Result<Decision, Failure> {
        let stamp = Stamp { at_ms: visit.now_ms, cause: visit.update.id.clone() };
        table::opening(id, setup, then, start, stamp)
            .map_err(|why| Failure::Damaged(id.clone(), why))
    }

    /// Why no more tables may be opened, if so.
    async fn too_many(&self, visit: &Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let (place, person) = (&visit.update.place.id, &visit.update.person.id);
        let limits = self.ledger.limits();
        let reads = [
            Read::scan(Space::PlaceTable, format!("{} ", place.0), limits.tables_per_place),
            Read::scan(Space::PersonTable, format!("{} ", person.0), limits.tables_per_person),
        ];
        let mut counts = Vec::with_capacity(reads.len());
        for found in self.ledger.read(&reads).await? {
            counts.push(found.rows()?.len());
        }
        let (here, own) = (counts[0], counts[1]);
        let (key, count) = if here >= limits.tables_per_place {
            ("refuse-too-many-tables-here", here)
        } else if own >= limits.tables_per_person {
            ("refuse-too-many-tables", own)
        } else {
            return Ok(None);
        };
        Ok(Some(vec![Note::brief(Text::new(key).with("count", count as i64))]))
    }

    pub(super) fn seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.ledger.random(&mut seed);
        seed
    }

    /// A new code. Bytes that would favour some letters are passed over.
    pub(super) fn code(&self) -> TableId {
        let letters = CODE_LETTERS.len();
        let fair = 256 - 256 % letters;
        loop {
            let mut code = String::new();
            while code.len() < CODE_LENGTH {
                let mut byte = [0];
                self.ledger.random(&mut byte);
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

/// How much time people have at a table that is opened so: as they said, else as it was chosen
/// last in this chat. Whoever plays alone has all the time.
fn clock_of(visit: &Visit<'_>, wanted: &Opening) -> Option<Control> {
    let alone = wanted.coached || wanted.both || visit.update.place.kind == PlaceKind::Private;
    let remembered = || visit.place.clock.as_deref().and_then(Control::read);
    if alone { None } else { wanted.clock.or_else(remembered) }
}
