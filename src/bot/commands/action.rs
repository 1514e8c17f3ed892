//! Requests to the bot: a [`Request`] is one action on a table or in a chat.

use std::any::Any;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::registry;
use super::settings::ChangeSettings;
use crate::handlers::{HandlerResult, Handlers, RequestContext};
use crate::repository::TableGuard;
use crate::settings::{SettingsReply, SettingsRequest};
use caravanserai_games::ids::{ChatId, MessageId, PersonId, TableId};
use caravanserai_games::text::Text;
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// How a person made a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// By typing a command or a move, which is deliberate.
    Typed,
    /// By a press of a button, which may be a mistake.
    Pressed,
}

/// A request that a person sends to the bot.
#[derive(Clone, Debug)]
pub enum Request {
    /// A request about one table.
    Table {
        /// The table that is meant.
        table: TableRef,
        /// The requested action.
        action: Arc<dyn TableAction>,
        /// How the person made it.
        origin: RequestOrigin,
    },
    /// A request that is not about one table.
    Chat(Arc<dyn ChatAction>),
}

impl Request {
    /// A request that is not about one table.
    pub fn chat(action: impl ChatAction) -> Self {
        Self::Chat(Arc::new(action))
    }

    /// A request to change settings whose answer is a message.
    pub fn settings(request: SettingsRequest) -> Self {
        Self::chat(ChangeSettings { request, reply: SettingsReply::Message, chat: None })
    }

    /// Whether the answer depends on whether the person is an admin.
    pub fn needs_admin(&self) -> bool {
        match self {
            Self::Table { action, .. } => action.needs_admin(),
            Self::Chat(action) => action.needs_admin(),
        }
    }

    /// The table that the request names by its code.
    pub(crate) fn named_table(&self) -> Option<&TableId> {
        match self {
            Self::Table { table: TableRef::Id(table), .. } => Some(table),
            Self::Table { .. } | Self::Chat(_) => None,
        }
    }

    /// The action, if it is about a table and of this type.
    pub fn table_action<A: TableAction>(&self) -> Option<&A> {
        match self {
            Self::Table { action, .. } => action.downcast_ref(),
            Self::Chat(_) => None,
        }
    }

    /// The action, if it is not about a table and of this type.
    pub fn chat_action<A: ChatAction>(&self) -> Option<&A> {
        match self {
            Self::Chat(action) => action.downcast_ref(),
            Self::Table { .. } => None,
        }
    }

    /// The command that the request gives to a table.
    pub fn table_command(&self) -> Option<&Command> {
        match self {
            Self::Table { action, .. } => action.command(),
            Self::Chat(_) => None,
        }
    }
}

/// The table that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRef {
    /// The table with this code.
    Id(TableId),
    /// The table whose board this message shows. If the message shows no board, the text is not for
    /// the bot.
    Message(MessageId),
    /// The person's table in the chat; the bot asks which one if there are several.
    Own,
}

/// The future of an action, which ends with its replies.
///
/// The actions name this type where `async_trait` would write one: its bounds on lifetimes make the
/// compiler prove again for each action that the handlers are [`Sync`].
pub type ActionFuture<'a> = Pin<Box<dyn Future<Output = HandlerResult> + Send + 'a>>;

/// An action on one table.
pub trait TableAction: Any + Debug + Send + Sync {
    /// The button with the same action.
    fn button(&self) -> ButtonData;

    /// How well an open table fits, if the person did not name one. The default is for actions that
    /// are not looked for among open tables: they are about the game that was finished last, or
    /// only buttons request them, which name their table.
    fn fit(&self, _candidate: &TableCandidate<'_>) -> TableFit {
        TableFit::NoMatch
    }

    /// Where to look for the table.
    fn search(&self) -> TableSearch {
        TableSearch::Open
    }

    /// The key of the refusal if no table fits; `None` for the general one.
    fn no_table_key(&self) -> Option<&'static str> {
        None
    }

    /// The refusal if no table fits. `any_here`: whether there are open tables in the chat.
    fn no_table_text(&self, any_here: bool) -> Text {
        Text::new(match self.no_table_key() {
            Some(key) => key,
            None if any_here => "refuse-not-playing-here",
            None => "refuse-no-table-here",
        })
    }

    /// The people who may request it.
    fn access(&self) -> TableAccess {
        TableAccess::Visible
    }

    /// Whether the answer depends on whether the person is an admin.
    fn needs_admin(&self) -> bool {
        false
    }

    /// The command for the table, if the action only executes a command.
    fn command(&self) -> Option<&Command> {
        None
    }

    /// The action of a button for this table, if it has to be more exact.
    fn for_table(&self, _table: &Table, _person: &PersonId) -> Option<Arc<dyn TableAction>> {
        None
    }

    /// Runs the action and returns the replies for the person.
    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a>;
}

impl dyn TableAction {
    /// The action, if it is of this type.
    pub fn downcast_ref<A: TableAction>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }

    /// Whether the action is of this type.
    pub fn is<A: TableAction>(&self) -> bool {
        self.downcast_ref::<A>().is_some()
    }

    /// The callback data of the button for this action at a table, at most 64 bytes.
    pub fn callback_data(&self, table: &TableId) -> String {
        let ButtonData { code, arguments } = self.button();
        let table = &table.0;
        match arguments {
            None => format!("{code}.{table}"),
            Some(arguments) => format!("{code}.{table}.{arguments}"),
        }
    }
}

/// An action that is not about one table.
pub trait ChatAction: Any + Debug + Send + Sync {
    /// Whether the answer depends on whether the person is an admin.
    fn needs_admin(&self) -> bool {
        false
    }

    /// Runs the action and returns the replies for the person.
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a>;
}

impl dyn ChatAction {
    /// The action, if it is of this type.
    pub fn downcast_ref<A: ChatAction>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }
}

/// The code of a button and the arguments that follow the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ButtonData {
    /// The code, see [`registry::ButtonCode`].
    pub code: &'static str,
    /// The arguments, joined by dots.
    pub arguments: Option<String>,
}

impl ButtonData {
    /// A button without arguments.
    pub fn new(code: &'static str) -> Self {
        Self { code, arguments: None }
    }

    /// A button with these arguments.
    pub fn with(code: &'static str, arguments: impl ToString) -> Self {
        Self { code, arguments: Some(arguments.to_string()) }
    }

    /// A button that turns something on or off, see [`decode_switch`].
    pub(crate) fn switch(code: &'static str, on: bool) -> Self {
        Self::with(code, if on { "on" } else { "off" })
    }
}

/// An action with its table: the content of a table button.
///
/// The data names the position that the button was made for, so that a press on an old board can
/// always be recognized: buttons work a week later and after a restart.
#[derive(Clone, Debug)]
pub struct TableCallback {
    /// The table.
    pub table: TableId,
    /// The action.
    pub action: Arc<dyn TableAction>,
}

impl TableCallback {
    /// Decodes the callback data of a button of a table, of this version or an earlier one.
    pub fn decode(callback_data: &str) -> Option<Self> {
        registry::decode_table_button(callback_data)
            .or_else(|| super::legacy_buttons::decode_table_button(callback_data))
    }

    /// The callback data of the button.
    pub fn encode(&self) -> String {
        self.action.callback_data(&self.table)
    }
}

/// A request that was resolved to a table, which is locked for it.
pub struct TableRequest<'r, 'u> {
    /// The handlers that run the request.
    pub handlers: &'r Handlers,
    /// The person who sends the request, and their chat.
    pub context: &'r mut RequestContext<'u>,
    /// The locked table.
    pub guard: TableGuard,
    /// How the person made the request.
    pub origin: RequestOrigin,
}

impl TableRequest<'_, '_> {
    /// The table.
    pub fn table(&self) -> &Table {
        self.guard.table()
    }
}

/// The people who may send a request about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAccess {
    /// Everybody who may see the table.
    Visible,
    /// Everybody in a chat where the table is shown, even those who may not see it.
    ShownHere,
    /// Everybody who knows its code, unless one person plays alone there.
    AnyoneWithCode,
}

/// Where to look for the table if the person did not name one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSearch {
    /// Among the open tables of the chat.
    Open,
    /// Among the open tables of the chat, then the game that was finished last.
    OpenOrLastFinished,
    /// The game that was finished last.
    LastFinished,
    /// In a private chat among all tables of the person, else as [`TableSearch::Open`].
    OwnInPrivate,
}

/// How well a table fits a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableFit {
    /// Not at all.
    NoMatch,
    /// Only to give the reason of a refusal.
    OnlyToRefuse,
    /// The person may mean it.
    Possible,
    /// The person most probably means it.
    Likely,
}

impl TableFit {
    /// `Likely` if the first condition is met, `Possible` if only the second one is.
    pub fn likely_or_possible(is_likely: bool, is_possible: bool) -> Self {
        match (is_likely, is_possible) {
            (true, _) => Self::Likely,
            (false, true) => Self::Possible,
            (false, false) => Self::NoMatch,
        }
    }

    /// `Likely` if it fits, else `NoMatch`.
    pub fn likely_if(fits: bool) -> Self {
        if fits { Self::Likely } else { Self::NoMatch }
    }
}

/// A table that a request may mean, from the view of the person who sends it.
#[derive(Clone, Copy, Debug)]
pub struct TableCandidate<'a> {
    /// The table.
    pub table: &'a Table,
    /// The chat of the request.
    pub chat: &'a ChatId,
    /// The person who sends the request.
    pub person: &'a PersonId,
    /// Whether they have a seat.
    pub is_seated: bool,
    /// Whether it is their turn.
    pub is_on_turn: bool,
    /// Whether the game is running.
    pub is_playing: bool,
    /// Whether the game has hidden hands.
    pub has_hands: bool,
}

impl<'a> TableCandidate<'a> {
    /// A table as a person sees it from a chat.
    pub fn new(table: &'a Table, chat: &'a ChatId, person: &'a PersonId) -> Self {
        let is_own = |seat: u8| table.seating.has_seat(person, seat);
        Self {
            table,
            chat,
            person,
            is_seated: table.seating.is_seated(person),
            is_on_turn: table.seat_to_move().is_some_and(is_own),
            is_playing: table.phase == TablePhase::Playing,
            has_hands: table.game_id().info().hidden,
        }
    }

    /// For players, and possible for everybody else.
    pub fn fit_for_all(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated, true)
    }

    /// For players of a running game, and possible for its spectators.
    pub fn fit_while_playing(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated && self.is_playing, self.is_playing)
    }

    /// For players of a running game, and possible for everybody with a seat.
    pub fn fit_for_seated(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated && self.is_playing, self.is_seated)
    }

    /// For the player on turn, and possible for the other players.
    pub fn fit_for_turn(&self) -> TableFit {
        let seated = self.is_seated;
        let playing = self.is_playing;
        TableFit::likely_or_possible(seated && self.is_on_turn, seated && playing)
    }

    /// For players who wait for the turn of others.
    pub fn fit_between_turns(&self) -> TableFit {
        let plays = self.is_seated && self.is_playing;
        TableFit::likely_or_possible(plays && !self.is_on_turn, plays)
    }

    /// For everybody, at a table that waits for players.
    pub fn fit_before_start(&self) -> TableFit {
        TableFit::likely_if(!self.is_playing)
    }

    /// For people who have a seat at a table that waits for players.
    pub fn fit_in_lobby(&self) -> TableFit {
        TableFit::likely_if(self.is_seated && !self.is_playing)
    }

    /// For people who can answer an invitation or an offer at the table.
    pub fn fit_to_answer(&self) -> TableFit {
        let table = self.table;
        let seated = self.is_seated;
        let is_invited = !seated && !self.is_playing && !table.invitations.invited.is_empty();
        let takes_over = !seated && table.offers.newcomer.is_some();
        if (seated && self.has_offer()) || is_invited || takes_over {
            TableFit::Likely
        } else if seated {
            TableFit::OnlyToRefuse
        } else {
            TableFit::NoMatch
        }
    }

    /// Whether there is an offer by another person.
    fn has_offer(&self) -> bool {
        let is_own = |by: u8| self.table.seating.has_seat(self.person, by);
        self.table.offers.pending.is_some_and(|it| !it.proposer_seat().is_some_and(is_own))
    }
}

/// Gives a command to a table. Its button and the tables that fit are defined in the file of the
/// command, see [`registry::TableCommandSpec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecuteCommand(pub Command);

impl TableAction for ExecuteCommand {
    fn button(&self) -> ButtonData {
        registry::table_command_spec(&self.0).1
    }

    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit {
        (registry::table_command_spec(&self.0).0.fit)(candidate)
    }

    fn search(&self) -> TableSearch {
        registry::table_command_spec(&self.0).0.search
    }

    fn no_table_key(&self) -> Option<&'static str> {
        registry::table_command_spec(&self.0).0.no_table_key
    }

    fn needs_admin(&self) -> bool {
        registry::table_command_spec(&self.0).0.needs_admin
    }

    fn command(&self) -> Option<&Command> {
        Some(&self.0)
    }

    fn for_table(&self, table: &Table, person: &PersonId) -> Option<Arc<dyn TableAction>> {
        super::make_move::exact_move(&self.0, table, person)
    }

    fn run<'a>(&'a self, request: TableRequest<'a, '_>) -> ActionFuture<'a> {
        Box::pin(async move {
            let TableRequest { handlers, context, guard, origin } = request;
            let (spec, _) = registry::table_command_spec(&self.0);
            if let Some(page) = spec.settings_page
                && origin == RequestOrigin::Pressed
                && !context.is_board_button_press(&handlers.repository).await?
            {
                return handlers
                    .command_runner
                    .change_lobby(context, guard, self.0.clone(), page)
                    .await;
            }
            let command = (spec.resolve)(self.0.clone(), guard.table(), context, origin);
            handlers.execute_or_refuse(context, guard, command, origin).await
        })
    }
}

/// The action that gives a command to a table.
pub(crate) fn execute(command: Command) -> Arc<dyn TableAction> {
    Arc::new(ExecuteCommand(command))
}

/// Decodes a button that turns something on or off: `on` or `off`.
pub(crate) fn decode_switch(
    arguments: &[&str],
    command: fn(bool) -> Command,
) -> Option<Arc<dyn TableAction>> {
    match arguments {
        [on @ ("on" | "off")] => Some(execute(command(*on == "on"))),
        _ => None,
    }
}

/// Decodes a button that has no arguments.
pub(crate) fn without_arguments(
    arguments: &[&str],
    action: impl TableAction,
) -> Option<Arc<dyn TableAction>> {
    arguments.is_empty().then(|| Arc::new(action) as _)
}
