//! What is asked of one table: hold it, decide, commit, wake the senders.

use super::Desk;
use super::own_hand::{SlotPress, viewer};
use super::visit::{Notes, Visit, brief};
use super::which_table::Meant;
use crate::ledger::rows::BoardTask;
use crate::ledger::{Deed, Entered, Failure, Held, keys};
use caravanserai_games::ids::PersonId;
use caravanserai_games::words::{Arg, Text};
use caravanserai_protocol::done::{done, posted};
use caravanserai_protocol::note::{Note, Picture};
use caravanserai_protocol::press::Ask;
use caravanserai_protocol::request::Which;
use caravanserai_protocol::{clocks, deals, hands, levels, lobby, offers, panels, present};
use caravanserai_store::{Commit, Put, Space};
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::event::Event;
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::{self as table, Decision, Refusal};

/// How often a command is decided anew when somebody else was first.
const TRIES: usize = 3;

/// What the actor is told of what was decided.
type Telling<'a> = dyn Fn(&Decision) -> Vec<Note> + Sync + 'a;

impl Desk {
    pub(super) async fn on_table(
        &self,
        visit: &mut Visit<'_>,
        which: Which,
        ask: Ask,
        typed: bool,
    ) -> Notes {
        let id = match self.which(visit, which, &ask).await? {
            Meant::Table(id) => id,
            Meant::Answer(notes) => return Ok(notes),
        };
        if self.ledger.is_set_aside(&id) {
            return Ok(brief("refuse-table-damaged"));
        }
        let brings = matches!(ask, Ask::Bring { .. } | Ask::Private);
        let first = visit.findings.is_empty();
        if brings && first && !self.codes.allows(&visit.update.person.id) {
            return Ok(brief("refuse-too-fast"));
        }
        let Some(mut held) = self.ledger.hold(&id).await? else {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![Note::brief(text)]);
        };
        if matches!(ask, Ask::Do(_)) {
            self.known_by_account(visit, &mut held).await?;
        }
        // Whoever knows its code may bring a table to where they are, but for those of one person.
        let anywhere = brings && !held.table().is_solo();
        if !anywhere && !concerns(held.table(), visit) {
            let text = Text::new("refuse-unknown-table").with("table", id.0);
            return Ok(vec![Note::brief(text)]);
        }
        if !anywhere && ask != Ask::Stop && !self.may_see_here(held.table(), visit) {
            return Ok(vec![present::not_public(held.table())]);
        }
        self.on_held(visit, held, ask, typed).await
    }

    /// Replaces an account by the person that it belongs to now, at a table that ended before the
    /// accounts were linked: such a table still names the account.
    async fn known_by_account(&self, visit: &Visit<'_>, held: &mut Held) -> Result<(), Failure> {
        let (table, person) = (held.table().clone(), visit.update.person.id.clone());
        let played = |it: &&PersonId| sits(&table, it) && table.may_become(it, &person);
        let account = visit.person.accounts.iter().find(played);
        let Some(account) = account.filter(|_| !table.is_open()).cloned() else { return Ok(()) };
        let same = Event::Same { account, person };
        let decision = table::happening(&table, same, visit.stamp())
            .map_err(|why| Failure::Damaged(table.id.clone(), why))?;
        let deed = Deed { held, decision, answered: None };
        if self.ledger.enter(vec![deed], Commit::default()).await? == Entered::Conflict {
            // The table changed meanwhile: the person has to press again.
            self.ledger.reload(held).await?;
        }
        Ok(())
    }

    /// Whether a person may see a table from the chat where they are: players may from everywhere.
    fn may_see_here(&self, table: &Table, visit: &Visit<'_>) -> bool {
        let chat = visit.update.place.id.chat();
        let mut here = table.places().filter(|it| it.chat() == chat);
        is_theirs(table, visit) || here.any(|it| self.post.may_see(table, it))
    }

    async fn on_held(&self, visit: &mut Visit<'_>, held: Held, ask: Ask, typed: bool) -> Notes {
        match ask {
            Ask::Board => self.bring_down(visit, held).await,
            Ask::Text => Ok(self.own_text(visit, held.table(), viewer(held.table(), visit))),
            Ask::View => Ok(self.own_view(visit, held.table())),
            Ask::Record => Ok(record(held.table())),
            Ask::Replay => self.ask_replay(visit, held).await,
            Ask::Chart => Ok(Self::chart_of(held.table())),
            Ask::Options { page } => Ok(vec![panels::options(held.table(), page)]),
            Ask::Set { page, setting } => {
                let command = Command::Vary(setting);
                self.arrange(visit, held, command, |it| panels::options(it, page)).await
            }
            Ask::Settings => Ok(vec![lobby::settings(held.table())]),
            Ask::Verify => Ok(vec![lobby::verify(held.table())]),
            Ask::More { page } => self.more(visit, held, page).await,
            Ask::Menu => self.menu(visit, held.table()).await,
            Ask::Private => self.play_in_private(visit, held).await,
            Ask::Bring { watches } => self.bring(visit, held, watches).await,
            Ask::Stop => self.stop_here(visit, held).await,
            Ask::Page => self.on_the_page(visit, Some(&held.release())).await,
            Ask::Launch => self.launch(visit, Some(&held.release())).await,
            Ask::Invite => Ok(vec![self.ways_in(held.table())]),
            Ask::Hint => self.hint(visit, held).await,
            Ask::Review => self.ask_review(visit, held).await,
            Ask::Moment { n } => self.moment(held.table(), n).await,
            Ask::Levels => Ok(vec![levels::levels(held.table())]),
            Ask::Level { place, level } => {
                let relevel = |place| Command::Relevel { place, level };
                let command = place.map_or(Command::AddComputer(level), relevel);
                self.arrange(visit, held, command, levels::levels).await
            }
            Ask::Clocks(settled) => self.clocks(visit, held, settled).await,
            Ask::Guests => Ok(vec![lobby::guests(held.table())]),
            Ask::StandIns => Ok(vec![offers::stand_ins(held.table(), &visit.update.person.id)]),
            Ask::Named { deed, who } => {
                let meant = self.concerning(visit, held.table(), deed, &who).await?;
                self.attempt(visit, held, meant, typed).await
            }
            Ask::Sheet(name) => Ok(sheet(visit, held.table(), &name)),
            Ask::Hand => Ok(self.own_hand(visit, held.table())),
            Ask::Deal { n } => Ok(vec![deals::note(held.table(), n)]),
            Ask::Plan => Ok(vec![own_plan(held.table(), &visit.update.person.id)]),
            Ask::Slot { position, n } => self.slot(visit, held, (position, n), typed).await,
            Ask::Decline(proposal) => {
                let meant = decline(held.table(), proposal);
                self.attempt(visit, held, meant, typed).await
            }
            Ask::Do(command)
                if !typed && lobby::settles(&command) && !self.pressed_board(visit).await? =>
            {
                self.arrange(visit, held, command, lobby::settings).await
            }
            Ask::Do(command) => {
                let command = by_admin(held.table(), command, visit);
                let meant = in_this_phase(held.table(), command, typed);
                self.attempt(visit, held, meant, typed).await
            }
        }
    }

    /// Plays the card that a number means, or shows the hand with its numbers.
    async fn slot(
        &self,
        visit: &mut Visit<'_>,
        held: Held,
        number: (u64, u8),
        typed: bool,
    ) -> Notes {
        match self.slot_play(visit, held.table(), number, typed) {
            SlotPress::Card(meant) => self.attempt(visit, held, meant, typed).await,
            SlotPress::Unknown(hand) => Ok(vec![hand]),
        }
    }

    /// Does what was understood, after asking back where that is wanted, or tells why not.
    async fn attempt(
        &self,
        visit: &mut Visit<'_>,
        held: Held,
        meant: Result<Command, Refusal>,
        typed: bool,
    ) -> Notes {
        match meant {
            Ok(command) => {
                if let Some(asked) = self.asks_back(visit, held.table(), &command, typed).await? {
                    return Ok(vec![asked]);
                }
                let declines = command == Command::Refuse;
                let foresees = matches!(command, Command::Foresee(_));
                let own = visit.update.person.id.clone();
                let told = |it: &Decision| {
                    let why = declines.then(|| lobby::asked_why(&it.next));
                    let plan = foresees.then(|| own_plan(&it.next, &own));
                    acknowledged(it, typed).into_iter().chain(why).chain(plan).collect()
                };
                self.command(visit, held, command, &told).await
            }
            Err(refusal) => self.refused(visit, held, refusal).await,
        }
    }

    /// The choice of clocks, after what was chosen there.
    async fn clocks(&self, visit: &mut Visit<'_>, held: Held, settled: Option<Command>) -> Notes {
        match settled {
            Some(command) => self.arrange(visit, held, command, clocks::choice).await,
            None => Ok(vec![clocks::choice(held.table())]),
        }
    }

    /// Changes something in the lobby from a page and shows the page again, unless the game began
    /// thereby.
    async fn arrange(
        &self,
        visit: &mut Visit<'_>,
        held: Held,
        command: Command,
        page: impl Fn(&Table) -> Note + Sync,
    ) -> Notes {
        let after = |next: &Table| (next.phase == Phase::Lobby).then(|| page(next));
        self.command(visit, held, command, &|decision| {
            acknowledged(decision, false).into_iter().chain(after(&decision.next)).collect()
        })
        .await
    }

    async fn bring_down(&self, visit: &mut Visit<'_>, held: Held) -> Notes {
        let task = BoardTask { down: true, asked: Some(visit.update.id.clone()), page: 0 };
        let place = visit.place_of(held.table());
        let commit = Commit::of(vec![task.put(held.table(), place)]);
        let notes = if visit.is_at(held.table()) {
            posted("done-below")
        } else {
            vec![Note { texts: vec![Text::new("answer-board-down")], ..shown(held.table()) }]
        };
        drop(held);
        let _ = self.enter(visit, Vec::new(), commit, &notes).await?;
        Ok(notes)
    }

    pub(super) async fn command(
        &self,
        visit: &mut Visit<'_>,
        mut held: Held,
        command: Command,
        told: &Telling<'_>,
    ) -> Notes {
        let actor = visit.actor();
        for _ in 0..TRIES {
            let decision = match table::decide(held.table(), &actor, &command) {
                Ok(decision) => decision,
                Err(refusal) => return self.refused(visit, held, refusal).await,
            };
            if let Some(text) = self.too_many_seats(visit, held.table(), &decision).await? {
                let refusal = Refusal { text, stale: false };
                return self.refused(visit, held, refusal).await;
            }
            let entered = if decision.rematch {
                self.rematch(visit, &mut held, told(&decision)).await?
            } else {
                self.decided(visit, &mut held, decision, told).await?
            };
            // Conflict: either this very update was acted on before, or the table changed.
            match entered {
                Some(notes) => return Ok(notes),
                None => match self.answered(visit.update).await? {
                    Some(answered) => return Ok(answered.notes),
                    None if self.ledger.reload(&mut held).await? => {}
                    None => return Ok(brief("refuse-trouble")),
                },
            }
        }
        Ok(brief("refuse-busy"))
    }

    /// Writes what was decided at a table and gives what the actor is told. `None` on conflict;
    /// nothing has happened then.
    pub(super) async fn decided(
        &self,
        visit: &mut Visit<'_>,
        held: &mut Held,
        decision: Decision,
        told: &Telling<'_>,
    ) -> Result<Option<Vec<Note>>, Failure> {
        self.remember_clock(visit, &decision);
        let mut notes = told(&decision);
        if !notes.iter().any(|it| it.brief) {
            let done = done(held.table(), &decision, &visit.update.person.id);
            notes.splice(0..0, done);
        }
        let hinted = deeds(&decision).all(|it| matches!(it, Event::Hinted { .. }));
        let hand = match hinted {
            true => None,
            false => self.hand_after(visit, held, &decision.next).await?,
        };
        let answered = hand.as_ref().map(|(seat, _)| *seat);
        notes.extend(hand.map(|(_, note)| note));
        let (decision, secret) = self.promise(decision);
        let deed = Deed { held, decision, answered };
        let commit = Commit::of(secret.into_iter().collect());
        let entered = self.enter(visit, vec![deed], commit, &notes).await?;
        Ok((entered == Entered::Done).then_some(notes))
    }

    /// Whether the button that was pressed stands under a board that all see.
    pub(super) async fn pressed_board(&self, visit: &Visit<'_>) -> Result<bool, Failure> {
        let Some(message) = visit.pressed() else { return Ok(false) };
        let key = keys::message(&visit.update.place.id, message);
        Ok(self.ledger.value(Space::Message, &key).await?.is_some())
    }

    /// What shows the presser of an old button how things stand: the board, brought down if they
    /// looked at a board further up, and for a button of their own hand the hand.
    async fn shown_anew(&self, visit: &Visit<'_>, table: &Table) -> Result<Vec<Put>, Failure> {
        let place = visit.place_of(table);
        let Some(message) = visit.pressed() else {
            return Ok(vec![BoardTask::default().put(table, place)]);
        };
        let is_board = self.pressed_board(visit).await?;
        let live = self.post.live_board(table, place).await?;
        let down = is_board && live.is_some_and(|live| live != *message);
        Ok(vec![BoardTask { down, ..BoardTask::default() }.put(table, place)])
    }

    /// The current hand of a player who pressed an old button under it, to replace it; `None` where
    /// the board itself shows the hand.
    async fn current_hand(
        &self,
        visit: &Visit<'_>,
        table: &Table,
    ) -> Result<Option<Note>, Failure> {
        let place = visit.place_of(table);
        let alone = table.spot(place).is_none_or(|it| it.reader.is_some());
        let elsewhere = visit.update.is_by_guest() || self.post.is_sole(place) || alone;
        if elsewhere || !hands::are_dealt(table) || self.pressed_board(visit).await? {
            return Ok(None);
        }
        Ok(self.own_hand(visit, table).pop().filter(|it| it.slot.is_some()))
    }

    /// Tells why not. Who looked at an old board gets the current one.
    pub(super) async fn refused(
        &self,
        visit: &mut Visit<'_>,
        held: Held,
        refusal: Refusal,
    ) -> Notes {
        let secret = names_hand(held.table(), &refusal);
        let text = present::seated(held.table(), refusal.text);
        let mut notes = vec![Note { secret, ..Note::brief(text) }];
        if refusal.stale && visit.is_press() {
            notes.extend(self.current_hand(visit, held.table()).await?);
        }
        if !visit.is_press() {
            // Words mean "now": said again later by the platform they must not act after all.
            let _ = self.enter(visit, Vec::new(), Commit::default(), &notes).await?;
        }
        if refusal.stale && visit.is_press() {
            let puts = self.shown_anew(visit, held.table()).await?;
            drop(held);
            let _ = self.enter(visit, Vec::new(), Commit::of(puts), &notes).await?;
        }
        Ok(notes)
    }
}

/// The command that declines an offer of this kind.
///
/// # Errors
/// A refusal if nothing of this kind is offered.
fn decline(table: &Table, proposal: Proposal) -> Result<Command, Refusal> {
    let offer = table.offer.map(|(_, it)| it).filter(|it| proposal.is_of(*it));
    match offer {
        Some(_) => Ok(Command::Answer { offer, accept: false }),
        None => Err(Refusal { text: Text::new("refuse-nothing-offered"), stale: false }),
    }
}

/// What somebody has settled for the next move of the other side, for nobody else.
fn own_plan(table: &Table, person: &PersonId) -> Note {
    let plan = table.seats_of(person).next().map(|it| table.plan_of(it)).unwrap_or_default();
    let pair = |(theirs, own): &(String, String)| {
        let text = Text::new("plan-pair").with("theirs", theirs.as_str());
        Arg::from(text.with("own", own.as_str()))
    };
    let text = match plan {
        [] => Text::new("answer-plan-none"),
        plan => Text::new("answer-plan").with("plan", Arg::List(plan.iter().map(pair).collect())),
    };
    Note { secret: true, ..Note::lasting(vec![text]) }
}

/// Whether a refusal reveals the hand of a player: which cards they may play, or what the rules
/// demand of these cards.
fn names_hand(table: &Table, refusal: &Refusal) -> bool {
    let info = table.game_id().info();
    let key = refusal.text.key.as_ref();
    let of_game = key.strip_prefix(info.code).is_some_and(|it| it.starts_with('-'));
    info.hidden && (of_game || key == "refuse-what-move")
}

/// A sheet of the game as whoever asks may read it.
fn sheet(visit: &Visit<'_>, table: &Table, name: &str) -> Vec<Note> {
    let sheet = panels::sheet(table, name, viewer(table, visit));
    sheet.map_or_else(|| brief("refuse-no-sheet"), |it| vec![it])
}

/// What was done, without that somebody is somewhere else now.
fn deeds(decision: &Decision) -> impl Iterator<Item = &Event> {
    decision.events().filter(|it| !matches!(it, Event::Came { .. }))
}

/// Whether a table is any business of this person: it stands where they speak, or they play.
pub(super) fn concerns(table: &Table, visit: &Visit<'_>) -> bool {
    table.stands_in_chat(visit.update.place.id.chat()) || is_theirs(table, visit)
}

/// Whether a person has opened a table or sits there by one of their accounts.
fn is_theirs(table: &Table, visit: &Visit<'_>) -> bool {
    let person = &visit.update.person.id;
    table.setup.opener == *person
        || sits(table, person)
        || visit.person.accounts.iter().any(|it| sits(table, it))
}

fn sits(table: &Table, person: &PersonId) -> bool {
    table.seats_of(person).next().is_some()
}

/// The board as a picture for somebody who is where it does not stand: of what lies hidden only
/// what is theirs alone, for they play alone.
fn shown(table: &Table) -> Note {
    let own = table.is_solo().then(|| present::picture_at(table, table.home()));
    let picture = own.unwrap_or_else(|| Picture::Board { table: table.id.0.clone() });
    Note { picture: Some(picture), ..Note::default() }
}

fn record(table: &Table) -> Vec<Note> {
    if !matches!(table.phase, Phase::Over { .. }) && !table.outdated {
        return brief("refuse-no-record");
    }
    let texts = vec![Text::new("answer-record").with("table", table.id.0.as_str())];
    vec![Note { texts, record_of: Some(table.id.0.clone()), ..Note::default() }]
}

/// Turns `/abort` of an admin at a game that others play into calling it off.
fn by_admin(table: &Table, command: Command, visit: &Visit<'_>) -> Command {
    let plays = sits(table, &visit.update.person.id);
    let is_admin = visit.update.person.admin && !plays && table.phase == Phase::Playing;
    match command {
        Command::Abort if is_admin => Command::CallOff,
        other => other,
    }
}

/// What a general yes or no means at this table: before the start it answers the invitation.
///
/// # Errors
/// When it comes too late to mean anything.
fn in_this_phase(table: &Table, command: Command, typed: bool) -> Result<Command, Refusal> {
    Ok(match command {
        Command::Answer { offer: None, accept } if table.phase == Phase::Lobby => {
            if accept {
                Command::Join
            } else {
                Command::Refuse
            }
        }
        // Before the start the same command reminds the invited players.
        Command::Nudge if table.phase == Phase::Lobby => Command::Remind,
        // Two pressed for the last seat. Asking for a seat in play is another button.
        Command::Join if table.phase == Phase::Playing && !typed => {
            let text = Text::new("refuse-already-started");
            return Err(Refusal { text, stale: true });
        }
        other => other,
    })
}

/// What is said besides the board and besides what was [`done`].
fn acknowledged(decision: &Decision, typed: bool) -> Vec<Note> {
    match deeds(decision).collect::<Vec<_>>().as_slice() {
        [Event::Offered { .. } | Event::Proposed { .. }] if !typed => brief("answer-offered"),
        [Event::Agreed { .. } | Event::Welcomed { .. }] if !typed => brief("answer-agreed"),
        [Event::Reminded] => brief("answer-reminded"),
        [Event::Extended] => brief("answer-extended"),
        [Event::Declined { .. }] if !typed => brief("answer-declined"),
        [Event::Explained { .. }] => brief("answer-explained"),
        _ => Vec::new(),
    }
}
