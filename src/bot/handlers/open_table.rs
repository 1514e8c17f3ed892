//! Opens tables: by a command, a challenge or a rematch.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::ExternalQuery;
use super::help::alternatives_view;
use super::mention_resolver::MentionResolver;
use super::notify_me::GameSubscriptions;
use super::request_error::RequestError;
use super::reserved_tables::{ReservedTable, ReservedTables, new_seed, use_reserved_seed};
use super::settings::default_rules;
use super::table_index::lock_tables_of_account;
use super::table_limits::TableLimits;
use super::update_committer::UpdateCommitter;
use crate::delivery::Delivery;
use crate::parsing::NewTable;
use crate::repository::chat_settings::ChatSettings;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::profiles::{ChatProfile, settle_group_language};
use crate::repository::row_update::TypedRowKey;
use crate::repository::stored_rows::BoardState;
use crate::repository::{CommitOutcome, Failure, Repository, TableChange, TableGuard};
use crate::settings::{Setting, TableOpeners};
use crate::views::board_view::private_board_button;
use crate::views::press_feedback::posting_feedback_views;
use caravanserai_games::SeatLimits;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_protocol::Person;
use caravanserai_protocol::view::View;
use caravanserai_store::Commit;
use caravanserai_table::clock::{ClockEvent, TimeControl};
use caravanserai_table::command::Command;
use caravanserai_table::event::{DEFAULT_LEVEL, Event, FirstMover, TableSetup};
use caravanserai_table::lobby_commands::{needs_computers, seat_computer_event};
use caravanserai_table::people::displayed_name;
use caravanserai_table::state::TablePhase;
use caravanserai_table::{self as table, AttachedChat, Decision, Table};

/// A table that is to be opened.
#[derive(Clone)]
pub(crate) struct TablePlan {
    pub(crate) setup: TableSetup,
    pub(crate) first_events: Vec<Event>,
    /// Whether the game starts at once.
    pub(crate) starts_at_once: bool,
}

/// How a planned table is opened.
#[derive(Default)]
pub(crate) struct OpenOptions {
    /// The message that becomes its board.
    pub(crate) adopted_message: Option<MessageId>,
    /// The table and the seed that were reserved before, which are used once.
    pub(crate) reserved: Option<ReservedTable>,
    /// The person who posted the challenge long ago and is invited.
    pub(crate) challenger: Option<PersonId>,
}

/// The attempts to open a table when another process has taken the same code.
const CODE_TRIES: usize = 20;

/// Plans tables and opens them.
pub(crate) struct TableOpener {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
    reserved_tables: Arc<ReservedTables>,
    limits: Arc<TableLimits>,
    mentions: Arc<MentionResolver>,
    subscriptions: Arc<GameSubscriptions>,
}

impl TableOpener {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
        reserved_tables: Arc<ReservedTables>,
        limits: Arc<TableLimits>,
        mentions: Arc<MentionResolver>,
        subscriptions: Arc<GameSubscriptions>,
    ) -> Self {
        Self { repository, delivery, committer, reserved_tables, limits, mentions, subscriptions }
    }

    /// Whether a chat has a single message, which a person posted where the bot is no member.
    pub(crate) fn is_single_message_chat(&self, chat: &ChatId) -> bool {
        self.delivery.is_single_message_chat(chat)
    }

    /// Opens the table that a person wants, or offers opponents to choose from.
    pub(crate) async fn handle_open(
        &self,
        context: &mut RequestContext<'_>,
        wanted: NewTable,
    ) -> HandlerResult {
        ensure_not_draining(context)?;
        ensure_may_open_table(context)?;
        self.limits.ensure_more_tables_allowed(context).await?;
        if let Some(view) = alternatives_view(&self.delivery, context, &wanted) {
            return Ok(vec![view]);
        }
        let plan = self.plan_table(context, &wanted).await?;
        let adopted_message = context.pressed_message().filter(|_| wanted.reuses_message).cloned();
        let options = OpenOptions { adopted_message, ..OpenOptions::default() };
        self.open_planned_table(context, plan, options).await
    }

    /// Opens a table by a plan.
    pub(crate) async fn open_planned_table(
        &self,
        context: &mut RequestContext<'_>,
        plan: TablePlan,
        options: OpenOptions,
    ) -> HandlerResult {
        let OpenOptions { adopted_message, mut reserved, challenger } = options;
        ensure_not_draining(context)?;
        self.settle_language(context, challenger.as_ref().unwrap_or(&plan.setup.opener)).await?;
        for _ in 0..CODE_TRIES {
            // A commit that failed has given them up.
            let mut replaced = self.unseen_lobbies(context).await?;
            let was_reserved = reserved.is_some();
            let Some(mut guard) = self.reserved_tables.lock_reserved_table(&mut reserved) else {
                break;
            };
            if was_reserved && reserved.is_none() {
                // Another press accepts the same challenge at this moment.
                return Ok(brief_views("refuse-challenge-used"));
            }
            let seeded_plan = use_reserved_seed(plan.clone(), reserved.as_ref(), None);
            let decision = opening_decision(context, guard.id(), seeded_plan)?;
            let board = adopted_message
                .clone()
                .map(|it| BoardState::adopt_message_commit(&decision.table, it));
            let mut commit = board.unwrap_or_default();
            self.subscriptions.notify_subscribers(context, &decision.table, &mut commit).await?;
            if let Some(challenger) = &challenger {
                self.ask_challenger(context, challenger, &decision.table, &mut commit).await?;
            }
            remember_clock(context, &decision);
            let phrase = match decision.table.phase {
                TablePhase::Playing => "done-started",
                _ if challenger.is_some() => "done-asked",
                // A challenge was accepted: the table belongs to the challenger.
                _ if decision.table.setup.opener != context.update.person.id => "done-joined",
                _ => "done-opened",
            };
            let opened = TableChange::new(&mut guard, decision);
            let cancelled = replaced.iter_mut().filter_map(|guard| {
                let decision = table::decide(guard.table(), &context.actor(), &Command::Cancel);
                Some(TableChange::new(guard, decision.ok()?))
            });
            let changes = std::iter::once(opened).chain(cancelled).collect();
            let views = posting_feedback_views(phrase);
            if self.committer.commit_changes(context, changes, commit, &views).await?
                == CommitOutcome::Committed
            {
                return Ok(views);
            }
            if let Some(stored) = self.committer.stored_answer(context.update).await? {
                return Ok(stored.replies);
            }
            drop(guard);
            self.limits.recheck_limits(context).await?;
            // Another update has turned the message into a board.
            if adopted_message.is_some() && context.is_board_button_press(&self.repository).await? {
                return Ok(brief_views("refuse-old-button"));
            }
            let was_reserved = reserved.is_some();
            reserved = self.reserved_tables.unless_code_taken(reserved).await?;
            if was_reserved && reserved.is_none() {
                return Ok(brief_views("refuse-challenge-used"));
            }
        }
        Ok(brief_views("refuse-busy"))
    }

    /// Adds to a commit a private message to the person who posted a challenge long ago: it was
    /// accepted, and the game begins when they accept, too. Only people with whom the bot has a
    /// private chat get it.
    async fn ask_challenger(
        &self,
        context: &RequestContext<'_>,
        challenger: &PersonId,
        table: &Table,
        commit: &mut Commit,
    ) -> Result<(), Failure> {
        let platform = context.update.chat.id.platform();
        let account = self.repository.profiles().account_on_platform(challenger, platform).await?;
        let Some(private_chat) = self.delivery.derived_private_chat(&account) else {
            return Ok(());
        };
        let stored = self.repository.read_row(TypedRowKey::chat(&private_chat)).await?;
        if !stored.exists() || stored.value().is_unreachable {
            return Ok(());
        }
        let Person { id, name, .. } = &context.update.person;
        let mut name = name.clone();
        self.repository.hidden_names().await?.replace(private_chat.without_topic(), id, &mut name);
        let text = Text::new("answer-challenge-accepted")
            .with("name", displayed_name(&name))
            .with("game", table.game_id().info().name_text())
            .with("table", &*table.id.0);
        let keys = vec![vec![private_board_button(table)]];
        let view = View { button_rows: keys, ..View::persistent(vec![text]) };
        commit.puts.push(OutboxEntry::post(&private_chat, &context.update.id, view).encode());
        Ok(())
    }

    /// Settles the language of a group in which a person opens a table, so that its boards keep it.
    /// It is stored before the table, because its first board is rendered at once.
    async fn settle_language(
        &self,
        context: &mut RequestContext<'_>,
        opener: &PersonId,
    ) -> Result<(), Failure> {
        // A challenge was accepted: its message has the language of the challenger.
        if *opener != context.update.person.id {
            return Ok(());
        }
        let opener_lang = context.speaker_lang();
        let mut settled = context.chat_settings.own().clone();
        settle_group_language(&mut settled, opener_lang);
        if settled != *context.chat_settings.own() {
            let settle = |it: &mut ChatProfile| settle_group_language(it, opener_lang);
            let row_key = TypedRowKey::chat(&context.update.chat.id);
            let stored = self.repository.update_row(row_key, settle).await?;
            context.chat_settings.set_own(stored);
        }
        Ok(())
    }

    /// The lobbies that this person opened here while the bot was not allowed to write, so that
    /// nobody has seen them: what they ask for now replaces these.
    async fn unseen_lobbies(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Vec<TableGuard>, Failure> {
        if context.missing_permissions.is_none() {
            return Ok(Vec::new());
        }
        let here = &context.update.chat.id;
        let person = &context.update.person.id;
        let mut unseen = lock_tables_of_account(&self.repository, person).await?;
        unseen.retain(|it| {
            let table = it.table();
            let is_own = table.setup.opener == *person && table.chats.home() == here;
            is_own && table.phase == TablePhase::Lobby && table.seating.people().len() == 1
        });
        let mut lobbies = Vec::new();
        for guard in unseen {
            if self.delivery.live_board(guard.table(), here).await?.is_none() {
                lobbies.push(guard);
            }
        }
        Ok(lobbies)
    }

    /// The plan of a wanted table.
    async fn plan_table(
        &self,
        context: &RequestContext<'_>,
        wanted: &NewTable,
    ) -> Result<TablePlan, RequestError<Text>> {
        let invited =
            self.mentions.invitation_events(context, wanted.game, &wanted.friends).await?;
        let info = wanted.game.info();
        let SeatLimits { fewest, most } = info.seats;
        let update = context.update;
        let is_private = update.chat.kind == ChatKind::Private;
        let is_linked = is_private && wanted.has_invite_link;
        let is_alone = is_private && !is_linked && needs_computers(wanted.game);
        let named_count = u8::try_from(wanted.friends.len() + 1).unwrap_or(most);
        let levels = wanted.computers.as_deref().unwrap_or_default();
        let computers = levels.len().max(usize::from(wanted.computers.is_some())) as u8;
        // With friends or several computers the table is for exactly them; otherwise it has all
        // seats.
        let default_seats = match (wanted.friends.is_empty(), computers) {
            (true, 0 | 1) => most,
            (_, computers) => named_count.saturating_add(computers).clamp(fewest, most),
        };
        let seats = wanted.seats.unwrap_or(default_seats);
        if !(fewest..=most).contains(&seats) || named_count > seats {
            let text = Text::new("refuse-seats").with("fewest", fewest.max(named_count));
            return Err(RequestError::Refused(text.with("most", most)));
        }
        let options = rules_for_seats(context, wanted, seats).map_err(RequestError::Refused)?;
        let person = &update.person;
        // A beginner makes the first move.
        let usual_begin = if wanted.is_coached { FirstMover::Opener } else { FirstMover::Lot };
        let setup = TableSetup {
            format: TableSetup::required_format(wanted.is_coached),
            game: wanted.game,
            revision: info.revision,
            options,
            seats,
            begin: wanted.begin.unwrap_or(usual_begin),
            chat: update.chat.id.clone(),
            // Other people join the table, although its home is a private chat.
            kind: if is_linked { ChatKind::Group } else { update.chat.kind },
            seed: new_seed(&self.repository),
            opener: person.id.clone(),
            coached: wanted.is_coached,
        };
        let mut events =
            vec![Event::Seated { person: person.id.clone(), name: person.name.clone() }];
        events.extend(is_linked.then(|| Event::Attached(private_location(context))));
        events.extend(invited);
        let hints = wanted.hints.or(context.chat_settings.hints);
        events.extend(hints.map(|on| Event::HintsSet { hints: on }));
        events.extend(wanted.rated.map(|rated| Event::RatedSet { rated }));
        events.extend(
            default_time_control(context, wanted)
                .map(|it| Event::Clock(ClockEvent::ControlSet(it))),
        );
        if wanted.plays_all_sides && !needs_computers(wanted.game) {
            let own_seat =
                || Event::Seated { person: person.id.clone(), name: person.name.clone() };
            events.extend((1..seats).map(|_| own_seat()));
        }
        let starts_at_once =
            (wanted.computers.is_some() || wanted.plays_all_sides) && wanted.friends.is_empty();
        if wanted.computers.is_some() || is_alone {
            // The last given level counts for the remaining computers.
            let last = levels.last().copied().unwrap_or(DEFAULT_LEVEL);
            let levels = levels.iter().copied().chain(std::iter::repeat(last));
            events.extend(
                (named_count..seats).zip(levels).map(|(_, level)| seat_computer_event(level)),
            );
        }
        Ok(TablePlan { setup, first_events: events, starts_at_once })
    }
}

/// The decision that opens a table for this update.
pub(crate) fn opening_decision(
    context: &RequestContext<'_>,
    id: &TableId,
    TablePlan { setup, first_events, starts_at_once }: TablePlan,
) -> Result<Decision, Failure> {
    let meta = context.event_meta();
    table::open_table(id, setup, first_events, starts_at_once, meta)
        .map_err(|why| Failure::Damaged(id.clone(), why))
}

/// Checks that the sender may open a table or show one here.
///
/// # Errors
/// When they may not.
pub(crate) fn ensure_may_open_table(context: &mut RequestContext<'_>) -> Result<(), RequestError> {
    let here = &context.update.chat;
    if here.kind == ChatKind::Private {
        return Ok(());
    }
    let settings = context.chat_settings.clone();
    ensure_may_open_table_in(context, &here.id, &settings)
}

/// Checks that the sender, who may be in another chat, may open a table in this group, which has
/// these settings.
///
/// # Errors
/// When they may not.
pub(crate) fn ensure_may_open_table_in(
    context: &mut RequestContext<'_>,
    chat: &ChatId,
    settings: &ChatSettings,
) -> Result<(), RequestError> {
    let refuse = |key| Err(RequestError::refuse(Text::new(key)));
    if !settings.allows_tables_in(chat) {
        let key = match settings.inherited_from_parent(Setting::ALLOWED_TOPICS) {
            Some(_) => "refuse-other-channel",
            None => "refuse-other-topic",
        };
        return refuse(key);
    }
    let is_here = context.update.chat.id.without_topic() == chat.without_topic();
    let has_account = context.account.platform() == chat.platform();
    match settings.table_openers {
        TableOpeners::All => Ok(()),
        TableOpeners::Nobody => refuse("refuse-opens-nobody"),
        TableOpeners::Admins if context.update.person.admin && is_here => Ok(()),
        TableOpeners::Admins if !is_here && !has_account => refuse("refuse-opens-admins"),
        TableOpeners::Admins => match context.query_results.is_admin(&context.account, chat) {
            Some(true) => Ok(()),
            Some(false) => refuse("refuse-opens-admins"),
            None => {
                let query = ExternalQuery::IsAdmin(context.account.clone(), chat.clone());
                Err(context.suspend_for_query(query))
            }
        },
    }
}

/// Checks that new games may begin.
///
/// # Errors
/// While operators let none begin.
pub(crate) fn ensure_not_draining(context: &RequestContext<'_>) -> Result<(), RequestError> {
    match context.operator_switches.is_draining {
        true => Err(RequestError::refuse(Text::new("refuse-draining"))),
        false => Ok(()),
    }
}

/// Remembers a clock that was chosen in a group as the default of its next tables.
pub(crate) fn remember_clock(context: &mut RequestContext<'_>, decision: &Decision) {
    let chosen = decision.events().filter_map(|it| match it {
        Event::Clock(ClockEvent::ControlSet(control)) => Some(control.encode()),
        _ => None,
    });
    let Some(clock) = chosen.last() else { return };
    let group = context.update.chat.kind == ChatKind::Group;
    if group && context.chat_settings.clock.as_ref() != Some(&clock) {
        let profile = context.chat_settings.own().clone();
        context.chat_settings.set_own(ChatProfile { clock: Some(clock.clone()), ..profile });
        context.chosen_clock = Some(clock);
    }
}

/// The rules for this number of players, or the refusal if the wanted rules do not allow it.
fn rules_for_seats(
    context: &RequestContext<'_>,
    wanted: &NewTable,
    seats: u8,
) -> Result<String, Text> {
    let options = requested_rules(context, wanted);
    match wanted.game.start_match(&options, seats) {
        Ok(_) => Ok(options),
        // The person did not choose the default rules of the chat, so the general defaults apply.
        Err(_) if options == default_rules(&context.chat_settings, wanted.game) => {
            Ok(wanted.game.info().default_options())
        }
        Err(illegal) => Err(wanted.game.info().start_refusal(&illegal)),
    }
}

/// The house rules that a person wants.
pub(crate) fn requested_rules(context: &RequestContext<'_>, wanted: &NewTable) -> String {
    wanted.rules_token(&default_rules(&context.chat_settings, wanted.game))
}

/// The private chat of the sender, as an attached chat of a table that others join.
fn private_location(context: &RequestContext<'_>) -> AttachedChat {
    let chat = context.update.chat.id.clone();
    let person = context.update.person.id.clone();
    AttachedChat { chat, kind: ChatKind::Private, attached_by: person, is_watch_only: false }
}

/// The clock of a new table: the wanted one, else the last clock of the chat unless that is
/// unlimited. A person who plays alone has unlimited time.
fn default_time_control(context: &RequestContext<'_>, wanted: &NewTable) -> Option<TimeControl> {
    let is_private = context.update.chat.kind == ChatKind::Private && !wanted.has_invite_link;
    let has_no_clock = wanted.is_coached || wanted.plays_all_sides || is_private;
    let remembered = || context.chat_settings.clock.as_deref().and_then(TimeControl::parse);
    let usual = || remembered().filter(|it| *it != TimeControl::Unlimited);
    if has_no_clock { None } else { wanted.clock.or_else(usual) }
}
