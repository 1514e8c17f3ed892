//! Opening tables: by command, by challenge, by rematch.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::external_query::ExternalQuery;
use super::seed_promise::{PromisedTable, apply_promise};
use super::settings::default_rules;
use crate::parsing::NewTable;
use crate::repository::profiles::ChatProfile;
use crate::repository::stored_rows::BoardState;
use crate::repository::{CommitOutcome, Failure, TableChange, keys};
use crate::settings::{Setting, TableOpeners};
use crate::views::ack::posting_ack_views;
use caravanserai_games::ids::{MessageId, PersonId, PlaceKind, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;
use caravanserai_store::{self as store, Space};
use caravanserai_table::clock::{ClockEvent, TimeControl};
use caravanserai_table::event::{DEFAULT_LEVEL, Event, FirstMover, TableSetup};
use caravanserai_table::lobby_commands::{needs_computers, seat_computer_event};
use caravanserai_table::{self as table, AttachedChat, Decision, Table};

/// How a table is set up, what happens there first, and whether the game starts at once.
pub(crate) type OpeningPlan = (TableSetup, Vec<Event>, bool);

/// The most open tables in one place, abandoned ones included.
pub(crate) const TABLES_PER_PLACE_MAX: usize = 200;

/// How often opening a table is tried when another process has taken the same code.
const CODE_TRIES: usize = 20;

impl Handlers {
    pub(crate) async fn handle_open(
        &self,
        visit: &mut RequestContext<'_>,
        wanted: NewTable,
    ) -> HandlerResult {
        if let Some(notes) = self.opening_refusal(visit)? {
            return Ok(notes);
        }
        if let Some(notes) = self.table_limit_refusal(visit).await? {
            return Ok(notes);
        }
        if let Some(note) = self.alternatives_note(visit, &wanted) {
            return Ok(vec![note]);
        }
        let plan = match self.plan_table(visit, &wanted).await? {
            Ok(plan) => plan,
            Err(refusal) => return Ok(vec![View::brief(refusal)]),
        };
        let adopted = visit.pressed_message().filter(|_| wanted.reuses_message).cloned();
        self.open_planned_table(visit, plan, adopted, None).await
    }

    /// Opens a table by a plan. `adopted`: the message that becomes its board. `promised`: the
    /// table and the seed that were promised before.
    pub(crate) async fn open_planned_table(
        &self,
        visit: &mut RequestContext<'_>,
        plan: OpeningPlan,
        adopted: Option<MessageId>,
        mut promised: Option<PromisedTable>,
    ) -> HandlerResult {
        for _ in 0..CODE_TRIES {
            let Some(mut held) = self.lock_promised_table(&mut promised) else { break };
            let planned = apply_promise(plan.clone(), promised.as_ref(), None);
            let decision = self.opening_decision(visit, held.id(), planned)?;
            let board =
                adopted.clone().map(|it| BoardState::adopt_message_commit(&decision.table, it));
            let mut commit = board.unwrap_or_default();
            self.notify_subscribers(visit, &decision.table, &mut commit).await?;
            self.remember_clock(visit, &decision);
            let deed = TableChange { guard: &mut held, decision, answered_seat: None };
            let notes = posting_ack_views("done-opened");
            if self.commit_changes(visit, vec![deed], commit, &notes).await?
                == CommitOutcome::Committed
            {
                return Ok(notes);
            }
            if let Some(answered) = self.stored_answer(visit.update).await? {
                return Ok(answered.notes);
            }
            drop(held);
            promised = self.unless_code_taken(promised).await?;
            // Somebody else has made the message a board that this visit wanted for its own.
            if adopted.is_some() && self.is_board_button_press(visit).await? {
                return Ok(brief_note("refuse-old-button"));
            }
        }
        Ok(brief_note("refuse-busy"))
    }

    /// How the table is set up that somebody wants, what happens there first, and whether the game
    /// starts at once. Or why not.
    async fn plan_table(
        &self,
        visit: &RequestContext<'_>,
        wanted: &NewTable,
    ) -> Result<Result<OpeningPlan, Text>, Failure> {
        let invited = match self.invitation_events(visit, wanted.game, &wanted.friends).await? {
            Ok(invited) => invited,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let info = wanted.game.info();
        let (fewest, most) = info.seats;
        let update = visit.update;
        let private = update.chat.kind == PlaceKind::Private;
        let linked = private && wanted.has_invite_link;
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
        let options = match rules_for_seats(visit, wanted, seats) {
            Ok(options) => options,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let person = &update.person;
        // Whoever learns makes the first move.
        let usual_begin = if wanted.is_coached { FirstMover::Opener } else { FirstMover::Lot };
        let setup = TableSetup {
            format: TableSetup::required_format(wanted.is_coached),
            game: wanted.game,
            revision: info.revision,
            options,
            seats,
            begin: wanted.begin.unwrap_or(usual_begin),
            chat: update.chat.id.clone(),
            // Others come to where only one person reads.
            kind: if linked { PlaceKind::Group } else { update.chat.kind },
            seed: self.new_seed(),
            opener: person.id.clone(),
            coached: wanted.is_coached,
        };
        let mut then = vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        then.extend(linked.then(|| Event::Attached(private_location(visit))));
        then.extend(invited);
        let hints = wanted.hints.or(visit.place.hints);
        then.extend(hints.map(|on| Event::HintsSet { hints: on }));
        then.extend(
            default_time_control(visit, wanted).map(|it| Event::Clock(ClockEvent::ControlSet(it))),
        );
        if wanted.plays_all_sides && !needs_computers(wanted.game) {
            let own = || Event::Seated { person: person.id.clone(), name: person.name.clone() };
            then.extend((1..seats).map(|_| own()));
        }
        let start =
            (wanted.computers.is_some() || wanted.plays_all_sides) && wanted.friends.is_empty();
        if wanted.computers.is_some() || alone {
            // Who names fewer levels than there are computers means the last one for the others.
            let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
            let levels = levels.iter().copied().chain(std::iter::repeat(last));
            then.extend((named..seats).zip(levels).map(|(_, level)| seat_computer_event(level)));
        }
        Ok(Ok((setup, then, start)))
    }

    /// A clock that was chosen in a chat is that of its next tables too.
    pub(crate) fn remember_clock(&self, visit: &mut RequestContext<'_>, decision: &Decision) {
        let settled = decision.events().filter_map(|it| match it {
            Event::Clock(ClockEvent::ControlSet(control)) => Some(control.encode()),
            _ => None,
        });
        let Some(clock) = settled.last() else { return };
        let group = visit.update.chat.kind == PlaceKind::Group;
        if group && visit.place.clock.as_ref() != Some(&clock) {
            let own = visit.place.own().clone();
            visit.place.set_own(ChatProfile { clock: Some(clock.clone()), ..own });
            visit.chosen_clock = Some(clock);
        }
    }

    /// A table as it is opened by this visit.
    pub(crate) fn opening_decision(
        &self,
        visit: &RequestContext<'_>,
        id: &TableId,
        (setup, then, start): OpeningPlan,
    ) -> Result<Decision, Failure> {
        let stamp = visit.event_meta();
        table::open_table(id, setup, then, start, stamp)
            .map_err(|why| Failure::Damaged(id.clone(), why))
    }

    /// Why no table may be opened or brought here, if so.
    pub(crate) fn opening_refusal(
        &self,
        visit: &mut RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let here = &visit.update.chat;
        if here.kind == PlaceKind::Private {
            return Ok(None);
        }
        if !visit.place.allows_tables_in(&here.id) {
            let key = match visit.place.inherited_from_parent(Setting::AllowedTopics) {
                Some(_) => "refuse-other-channel",
                None => "refuse-other-topic",
            };
            return Ok(Some(brief_note(key)));
        }
        Ok(match visit.place.opens {
            TableOpeners::All => None,
            TableOpeners::Nobody => Some(brief_note("refuse-opens-nobody")),
            TableOpeners::Admins if visit.update.person.admin => None,
            TableOpeners::Admins => {
                let (account, place) = (visit.account.clone(), here.id.clone());
                match visit.query_results.is_admin(&account, &place) {
                    Some(true) => None,
                    Some(false) => Some(brief_note("refuse-opens-admins")),
                    None => Some(visit.suspend_for_query(ExternalQuery::IsAdmin(account, place))?),
                }
            }
        })
    }

    /// Why no more tables may be opened, if so.
    pub(crate) async fn table_limit_refusal(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<Option<Vec<View>>, Failure> {
        let (place, person) = (&visit.update.chat.id, &visit.update.person.id);
        if let Some(text) = self.people_limit_refusal(visit, &[(person, "")]).await? {
            return Ok(Some(vec![View::brief(text)]));
        }
        let here = self
            .repository
            .read_rows(Space::PlaceTable, &format!("{} ", place.0), TABLES_PER_PLACE_MAX)
            .await?;
        let refused = self.reached_table_limit(visit, &here).await?;
        let note = |(key, count): (&'static str, usize)| {
            vec![View::brief(Text::new(key).with("count", count as i64))]
        };
        Ok(refused.map(note))
    }

    /// The limit of this place that its open tables reach, and their number: all tables, or those
    /// that one person opened, so that one person cannot use up the room of a chat. Abandoned games
    /// do not count.
    async fn reached_table_limit(
        &self,
        visit: &RequestContext<'_>,
        here: &[store::StoreRow],
    ) -> Result<Option<(&'static str, usize)>, Failure> {
        let limits = self.repository.limits();
        if here.len() < limits.tables_per_opener.min(limits.tables_per_place) {
            return Ok(None);
        }
        if here.len() >= TABLES_PER_PLACE_MAX {
            return Ok(Some(("refuse-too-many-tables-here", here.len())));
        }
        let person = &visit.update.person.id;
        let (all, own) = self.count_open_tables(here, person, visit.now_ms).await?;
        let is_shared = visit.update.chat.kind == PlaceKind::Group;
        Ok(if is_shared && own >= limits.tables_per_opener {
            Some(("refuse-too-many-own-here", own))
        } else if all >= limits.tables_per_place {
            Some(("refuse-too-many-tables-here", all))
        } else {
            None
        })
    }

    /// How many of these tables count towards the limits, and how many of those this person has
    /// opened. They are read without being held, because the caller may hold a table already.
    pub(crate) async fn count_open_tables(
        &self,
        rows: &[store::StoreRow],
        person: &PersonId,
        now_ms: u64,
    ) -> Result<(usize, usize), Failure> {
        let (mut all, mut own) = (0, 0);
        for (key, _) in rows {
            let id = TableId(keys::last_part(key).to_owned());
            let Ok(table) = Table::from_log(&id, &self.repository.load_log_lines(&id).await?)
            else {
                continue;
            };
            if !table.is_quiet(now_ms) {
                all += 1;
                own += usize::from(table.setup.opener == *person);
            }
        }
        Ok((all, own))
    }

    pub(crate) fn new_seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.repository.fill_random(&mut seed);
        seed
    }
}

/// The rules for so many players, or why those that are wanted are not for them.
fn rules_for_seats(
    visit: &RequestContext<'_>,
    wanted: &NewTable,
    seats: u8,
) -> Result<String, Text> {
    let options = requested_rules(visit, wanted);
    match wanted.game.start_match(&options, seats) {
        Ok(_) => Ok(options),
        // Nobody has asked for what is usual here.
        Err(_) if options == default_rules(&visit.place, wanted.game) => {
            Ok(wanted.game.info().default_options())
        }
        Err(illegal) => Err(Text::new(illegal.key)),
    }
}

/// The rules that somebody wants to play by.
pub(crate) fn requested_rules(visit: &RequestContext<'_>, wanted: &NewTable) -> String {
    wanted.rules_token(&default_rules(&visit.place, wanted.game))
}

/// The private chat of whoever asks, as a place of a table that others come to.
fn private_location(visit: &RequestContext<'_>) -> AttachedChat {
    let (place, by) = (visit.update.chat.id.clone(), visit.update.person.id.clone());
    AttachedChat { chat: place, kind: PlaceKind::Private, attached_by: by, is_watch_only: false }
}

/// How much time people have at a table that is opened so: as they said, else as it was chosen
/// last in this chat, unless that is what is usual. Whoever plays alone has all the time.
fn default_time_control(visit: &RequestContext<'_>, wanted: &NewTable) -> Option<TimeControl> {
    let private = visit.update.chat.kind == PlaceKind::Private && !wanted.has_invite_link;
    let alone = wanted.is_coached || wanted.plays_all_sides || private;
    let remembered = || visit.place.clock.as_deref().and_then(TimeControl::parse);
    let usual = || remembered().filter(|it| *it != TimeControl::Unlimited);
    if alone { None } else { wanted.clock.or_else(usual) }
}
