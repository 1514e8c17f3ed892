//! Opening tables: by command, by challenge, by rematch.

use super::Desk;
use super::promise::{Promised, with_promise};
use super::questions::Question;
use super::settings::usual_rules;
use super::visit::{Notes, Visit, brief};
use crate::ledger::profiles::PlaceProfile;
use crate::ledger::rows::BoardState;
use crate::ledger::{Deed, Entered, Failure, keys};
use caravanserai_games::ids::{MessageId, PersonId, PlaceKind, TableId};
use caravanserai_games::words::Text;
use caravanserai_protocol::done::posted;
use caravanserai_protocol::note::Note;
use caravanserai_protocol::request::Opening;
use caravanserai_protocol::settings::{Opens, Row};
use caravanserai_store::{self as store, Space};
use caravanserai_table::clock::{Control, Timed};
use caravanserai_table::event::{Begin, DEFAULT_LEVEL, Event, Setup};
use caravanserai_table::lobby::{needs_computers, seated_computer};
use caravanserai_table::{self as table, Attached, Decision, Table};

/// How a table is set up, what happens there first, and whether the game starts at once.
pub(super) type Plan = (Setup, Vec<Event>, bool);

/// The most open tables in one place, abandoned ones included.
pub(super) const ROWS_MAX: usize = 200;

/// How often opening a table is tried when another process has taken the same code.
const CODE_TRIES: usize = 20;

impl Desk {
    pub(super) async fn open(&self, visit: &mut Visit<'_>, wanted: Opening) -> Notes {
        if let Some(notes) = self.not_here(visit)? {
            return Ok(notes);
        }
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
        self.opens(visit, plan, adopted, None).await
    }

    /// Opens a table by a plan. `adopted`: the message that becomes its board. `promised`: the
    /// table and the seed that were promised before.
    pub(super) async fn opens(
        &self,
        visit: &mut Visit<'_>,
        plan: Plan,
        adopted: Option<MessageId>,
        mut promised: Option<Promised>,
    ) -> Notes {
        for _ in 0..CODE_TRIES {
            let Some(mut held) = self.hold_promised(&mut promised) else { break };
            let planned = with_promise(plan.clone(), promised.as_ref(), None);
            let decision = self.opened(visit, held.id(), planned)?;
            let board = adopted.clone().map(|it| BoardState::adopting(&decision.next, it));
            let mut commit = board.unwrap_or_default();
            self.tell_awaiting(visit, &decision.next, &mut commit).await?;
            self.remember_clock(visit, &decision);
            let deed = Deed { held: &mut held, decision, answered: None };
            let notes = posted("done-opened");
            if self.enter(visit, vec![deed], commit, &notes).await? == Entered::Done {
                return Ok(notes);
            }
            if let Some(answered) = self.answered(visit.update).await? {
                return Ok(answered.notes);
            }
            drop(held);
            promised = self.if_free(promised).await?;
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
    ) -> Result<Result<Plan, Text>, Failure> {
        let invited = match self.invitations(visit, wanted.game, &wanted.friends).await? {
            Ok(invited) => invited,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let update = visit.update;
        let private = update.place.kind == PlaceKind::Private;
        let linked = private && wanted.linked;
        let alone = private && !linked && needs_computers(wanted.game);
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
        if !(fewest..=most).contains(&seats) || named > seats {
            let text = Text::new("refuse-seats").with("fewest", fewest.max(named));
            return Ok(Err(text.with("most", most)));
        }
        let options = match fitting_rules(visit, wanted, seats) {
            Ok(options) => options,
            Err(refusal) => return Ok(Err(refusal)),
        };
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
            // Others come to where only one person reads.
            kind: if linked { PlaceKind::Group } else { update.place.kind },
            seed: self.seed(),
            opener: person.id.clone(),
            coached: wanted.coached,
        };
        let mut then = vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        then.extend(linked.then(|| Event::Attached(own_place(visit))));
        then.extend(invited);
        let hints = wanted.hints.or(visit.place.hints);
        then.extend(hints.map(|on| Event::Ruled { hints: on }));
        then.extend(clock_of(visit, wanted).map(|it| Event::Time(Timed::Settled(it))));
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
            let own = visit.place.own().clone();
            visit.place.set_own(PlaceProfile { clock: Some(clock.clone()), ..own });
            visit.clock = Some(clock);
        }
    }

    /// A table as it is opened by this visit.
    pub(super) fn opened(
        &self,
        visit: &Visit<'_>,
        id: &TableId,
        (setup, then, start): Plan,
    ) -> Result<Decision, Failure> {
        let stamp = visit.stamp();
        table::opening(id, setup, then, start, stamp)
            .map_err(|why| Failure::Damaged(id.clone(), why))
    }

    /// Why no table may be opened or brought here, if so.
    pub(super) fn not_here(&self, visit: &mut Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let here = &visit.update.place;
        if here.kind == PlaceKind::Private {
            return Ok(None);
        }
        if !visit.place.plays_in(&here.id) {
            let key = match visit.place.source(Row::Where) {
                Some(_) => "refuse-other-channel",
                None => "refuse-other-topic",
            };
            return Ok(Some(brief(key)));
        }
        Ok(match visit.place.opens {
            Opens::All => None,
            Opens::Nobody => Some(brief("refuse-opens-nobody")),
            Opens::Admins if visit.update.person.admin => None,
            Opens::Admins => {
                let (account, place) = (visit.account.clone(), here.id.clone());
                match visit.findings.keeps_order(&account, &place) {
                    Some(true) => None,
                    Some(false) => Some(brief("refuse-opens-admins")),
                    None => Some(visit.ask(Question::KeepsOrder(account, place))?),
                }
            }
        })
    }

    /// Why no more tables may be opened, if so.
    pub(super) async fn too_many(&self, visit: &Visit<'_>) -> Result<Option<Vec<Note>>, Failure> {
        let (place, person) = (&visit.update.place.id, &visit.update.person.id);
        if let Some(text) = self.at_too_many(visit, &[(person, "")]).await? {
            return Ok(Some(vec![Note::brief(text)]));
        }
        let here = self.ledger.rows(Space::PlaceTable, &format!("{} ", place.0), ROWS_MAX).await?;
        let refused = self.limit_reached(visit, &here).await?;
        let note = |(key, count): (&'static str, usize)| {
            vec![Note::brief(Text::new(key).with("count", count as i64))]
        };
        Ok(refused.map(note))
    }

    /// The limit of this place that its open tables reach, and their number: all tables, or those
    /// that one person opened, so that one person cannot use up the room of a chat. Abandoned games
    /// do not count.
    async fn limit_reached(
        &self,
        visit: &Visit<'_>,
        here: &[store::Row],
    ) -> Result<Option<(&'static str, usize)>, Failure> {
        let limits = self.ledger.limits();
        if here.len() < limits.tables_per_share.min(limits.tables_per_place) {
            return Ok(None);
        }
        if here.len() >= ROWS_MAX {
            return Ok(Some(("refuse-too-many-tables-here", here.len())));
        }
        let person = &visit.update.person.id;
        let (all, own) = self.taking_room(here, person, visit.now_ms).await?;
        let is_shared = visit.update.place.kind == PlaceKind::Group;
        Ok(if is_shared && own >= limits.tables_per_share {
            Some(("refuse-too-many-own-here", own))
        } else if all >= limits.tables_per_place {
            Some(("refuse-too-many-tables-here", all))
        } else {
            None
        })
    }

    /// How many of these tables count towards the limits, and how many of those this person has
    /// opened. They are read without being held, because the caller may hold a table already.
    pub(super) async fn taking_room(
        &self,
        rows: &[store::Row],
        person: &PersonId,
        now_ms: u64,
    ) -> Result<(usize, usize), Failure> {
        let (mut all, mut own) = (0, 0);
        for (key, _) in rows {
            let id = TableId(keys::tail(key).to_owned());
            let Ok(table) = Table::fold(&id, &self.ledger.lines(&id).await?) else { continue };
            if !table.is_quiet(now_ms) {
                all += 1;
                own += usize::from(table.setup.opener == *person);
            }
        }
        Ok((all, own))
    }

    pub(super) fn seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.ledger.random(&mut seed);
        seed
    }
}

/// The rules for so many players, or why those that are wanted are not for them.
fn fitting_rules(visit: &Visit<'_>, wanted: &Opening, seats: u8) -> Result<String, Text> {
    let options = rules_wanted(visit, wanted);
    match wanted.game.open(&options, seats) {
        Ok(_) => Ok(options),
        // Nobody has asked for what is usual here.
        Err(_) if options == usual_rules(&visit.place, wanted.game) => {
            Ok(wanted.game.info().default_options())
        }
        Err(illegal) => Err(Text::new(illegal.key)),
    }
}

/// The rules that somebody wants to play by.
pub(super) fn rules_wanted(visit: &Visit<'_>, wanted: &Opening) -> String {
    wanted.rules_where(&usual_rules(&visit.place, wanted.game))
}

/// The private chat of whoever asks, as a place of a table that others come to.
fn own_place(visit: &Visit<'_>) -> Attached {
    let (place, by) = (visit.update.place.id.clone(), visit.update.person.id.clone());
    Attached { place, kind: PlaceKind::Private, by, watches: false }
}

/// How much time people have at a table that is opened so: as they said, else as it was chosen
/// last in this chat, unless that is what is usual. Whoever plays alone has all the time.
fn clock_of(visit: &Visit<'_>, wanted: &Opening) -> Option<Control> {
    let private = visit.update.place.kind == PlaceKind::Private && !wanted.linked;
    let alone = wanted.coached || wanted.both || private;
    let remembered = || visit.place.clock.as_deref().and_then(Control::read);
    let usual = || remembered().filter(|it| *it != Control::Free);
    if alone { None } else { wanted.clock.or_else(usual) }
}
