//! What people ask of the bot: [`Request`], made of one action of a table or of the chat.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::registry;
use super::settings::ChangeSettings;
use crate::handlers::{HandlerResult, Handlers, RequestContext};
use crate::repository::TableGuard;
use crate::settings::SettingsRequest;
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_games::text::Text;
use caravanserai_table::command::Command;
use caravanserai_table::state::{Table, TablePhase};

/// What somebody asks of the bot.
#[derive(Clone, Debug)]
pub enum Request {
    /// Something about one table.
    Table {
        /// The table that is meant.
        table: TableRef,
        /// What is asked of it.
        action: Arc<dyn TableAction>,
        /// Whether it was typed: that is deliberate, a press may be a slip.
        is_typed: bool,
    },
    /// Something that is not about one table.
    Chat(Arc<dyn ChatAction>),
}

impl Request {
    /// A request that is not about one table.
    pub fn chat(action: impl ChatAction) -> Self {
        Self::Chat(Arc::new(action))
    }

    /// A change of settings whose answer is a message.
    pub fn settings(request: SettingsRequest) -> Self {
        Self::chat(ChangeSettings { request, is_page: false, chat: None })
    }

    /// Whether the answer depends on whether an admin asks.
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
    /// The table whose board this message shows. The words are not for the bot if it shows none.
    Message(MessageId),
    /// The person's own table in the chat; the bot asks which if there are several.
    Own,
}

/// Something that is asked of one table.
#[async_trait]
pub trait TableAction: Any + Debug + Send + Sync {
    /// The button that asks the same.
    fn button(&self) -> ButtonData;

    /// How well a table fits, if the person did not say which one they mean.
    fn fit(&self, candidate: &TableCandidate<'_>) -> TableFit;

    /// Where the table is looked for.
    fn search(&self) -> TableSearch {
        TableSearch::Open
    }

    /// The refusal if no table fits. `any_here`: whether there are open tables in the chat.
    fn no_table_text(&self, any_here: bool) -> Text {
        Text::new(if any_here { "refuse-not-playing-here" } else { "refuse-no-table-here" })
    }

    /// Who may ask it of a table.
    fn access(&self) -> TableAccess {
        TableAccess::Visible
    }

    /// Whether it matters whether an admin asks.
    fn needs_admin(&self) -> bool {
        false
    }

    /// The command that is given to the table, if the action does nothing else.
    fn command(&self) -> Option<&Command> {
        None
    }

    /// What a button for this table asks instead, where it has to be more exact.
    fn for_table(&self, _table: &Table, _person: &PersonId) -> Option<Arc<dyn TableAction>> {
        None
    }

    /// Does it and gives the answer for whoever asked.
    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult;
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

    /// The callback data of the button that asks it of a table, at most 64 bytes.
    pub fn callback_data(&self, table: &TableId) -> String {
        let ButtonData { code, arguments } = self.button();
        let table = &table.0;
        match arguments {
            None => format!("{code}.{table}"),
            Some(arguments) => format!("{code}.{table}.{arguments}"),
        }
    }
}

/// Something that is asked and is not about one table.
#[async_trait]
pub trait ChatAction: Any + Debug + Send + Sync {
    /// Whether it matters whether an admin asks.
    fn needs_admin(&self) -> bool {
        false
    }

    /// Does it and gives the answer for whoever asked.
    async fn run(&self, handlers: &Handlers, context: &mut RequestContext<'_>) -> HandlerResult;
}

impl dyn ChatAction {
    /// The action, if it is of this type.
    pub fn downcast_ref<A: ChatAction>(&self) -> Option<&A> {
        (self as &dyn Any).downcast_ref()
    }
}

/// The code of a button and what follows its table.
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
}

/// An action with the table it is asked of: what a button of a table carries.
///
/// The data names the position that the button was made for, so that a press on an old board is
/// known to be old for ever: buttons work next week and after a restart.
#[derive(Clone, Debug)]
pub struct TableCallback {
    /// The table.
    pub table: TableId,
    /// The action.
    pub action: Arc<dyn TableAction>,
}

impl TableCallback {
    /// Decodes the callback data of a button of a table.
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
    /// What the bot can do.
    pub handlers: &'r Handlers,
    /// Who asks, and where.
    pub context: &'r mut RequestContext<'u>,
    /// The locked table.
    pub guard: TableGuard,
    /// Whether the request was typed.
    pub is_typed: bool,
}

impl TableRequest<'_, '_> {
    /// The table.
    pub fn table(&self) -> &Table {
        self.guard.table()
    }
}

/// Who may ask something of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAccess {
    /// Whoever may see the table.
    Visible,
    /// Whoever is in a chat where the table is shown, even if they may not see it.
    ShownHere,
    /// Whoever knows its code, unless one person plays alone there.
    AnyoneWithCode,
}

/// Where the table is looked for if the person did not say which one they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSearch {
    /// Among the open tables of the chat.
    Open,
    /// The same, and else the game that was finished last.
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
    /// Only to say why the request is refused.
    OnlyToRefuse,
    /// The person may mean it.
    Possible,
    /// The person most probably means it.
    Likely,
}

impl TableFit {
    /// Likely if the first holds, possible if the second holds.
    pub fn likely_or_possible(is_likely: bool, is_possible: bool) -> Self {
        match (is_likely, is_possible) {
            (true, _) => Self::Likely,
            (false, true) => Self::Possible,
            (false, false) => Self::NoMatch,
        }
    }

    /// Likely or no match.
    pub fn likely_if(fits: bool) -> Self {
        if fits { Self::Likely } else { Self::NoMatch }
    }
}

/// A table that a request may mean, seen by whoever asks.
#[derive(Clone, Copy, Debug)]
pub struct TableCandidate<'a> {
    /// The table.
    pub table: &'a Table,
    /// The chat where it is asked.
    pub chat: &'a PlaceId,
    /// Who asks.
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
    pub fn new(table: &'a Table, chat: &'a PlaceId, person: &'a PersonId) -> Self {
        let is_own = |seat: u8| table.seats_of(person).any(|it| it == seat);
        Self {
            table,
            chat,
            person,
            is_seated: table.seats_of(person).next().is_some(),
            is_on_turn: table.seat_to_move().is_some_and(is_own),
            is_playing: table.phase == TablePhase::Playing,
            has_hands: table.game_id().info().hidden,
        }
    }

    /// For players, and possible for everybody else.
    pub fn fit_for_all(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated, true)
    }

    /// For players of a running game, and possible for whoever watches one.
    pub fn fit_while_playing(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated && self.is_playing, self.is_playing)
    }

    /// For players of a running game, and possible for everybody who has a seat.
    pub fn fit_for_seated(&self) -> TableFit {
        TableFit::likely_or_possible(self.is_seated && self.is_playing, self.is_seated)
    }

    /// For the player on turn, and possible for the other players.
    pub fn fit_for_turn(&self) -> TableFit {
        let (seated, playing) = (self.is_seated, self.is_playing);
        TableFit::likely_or_possible(seated && self.is_on_turn, seated && playing)
    }

    /// For players who wait for the turn of others.
    pub fn fit_between_turns(&self) -> TableFit {
        let plays = self.is_seated && self.is_playing;
        TableFit::likely_or_possible(plays && !self.is_on_turn, plays)
    }

    /// For those who have a seat at a table that waits for players.
    pub fn fit_in_lobby(&self) -> TableFit {
        TableFit::likely_if(self.is_seated && !self.is_playing)
    }

    /// For whoever can answer an invitation or an offer at the table.
    pub fn fit_to_answer(&self) -> TableFit {
        let (table, seated) = (self.table, self.is_seated);
        let is_invited = !seated && !self.is_playing && !table.invited.is_empty();
        let takes_over = !seated && table.newcomer.is_some();
        if (seated && self.has_offer()) || is_invited || takes_over {
            TableFit::Likely
        } else if seated {
            TableFit::OnlyToRefuse
        } else {
            TableFit::NoMatch
        }
    }

    /// Whether something is offered that the person did not offer themselves.
    fn has_offer(&self) -> bool {
        let is_own = |by: u8| self.table.seats_of(self.person).any(|it| it == by);
        let asked_in = self.table.newcomer.as_ref().is_some_and(|it| it.asked_themselves);
        self.table.offer.is_some_and(|(by, _)| asked_in || !is_own(by))
    }
}

/// Gives a command to a table. What it looks like on buttons and which tables fit is in the file
/// of the command, see [`registry::TableCommandSpec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecuteCommand(pub Command);

#[async_trait]
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

    fn no_table_text(&self, any_here: bool) -> Text {
        match registry::table_command_spec(&self.0).0.no_table {
            Some(key) => Text::new(key),
            None if any_here => Text::new("refuse-not-playing-here"),
            None => Text::new("refuse-no-table-here"),
        }
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

    async fn run(&self, request: TableRequest<'_, '_>) -> HandlerResult {
        let TableRequest { handlers, context, guard, is_typed } = request;
        let (spec, _) = registry::table_command_spec(&self.0);
        if let Some(page) = spec.settings_page
            && !is_typed
            && !handlers.is_board_button_press(context).await?
        {
            return handlers.change_lobby(context, guard, self.0.clone(), page).await;
        }
        let command = (spec.resolve)(self.0.clone(), guard.table(), context, is_typed);
        handlers.execute_or_refuse(context, guard, command, is_typed).await
    }
}

/// The action that gives a command to a table.
pub(crate) fn execute(command: Command) -> Arc<dyn TableAction> {
    Arc::new(ExecuteCommand(command))
}

/// Decodes a button that has no arguments.
pub(crate) fn without_arguments(
    arguments: &[&str],
    action: impl TableAction,
) -> Option<Arc<dyn TableAction>> {
    arguments.is_empty().then(|| Arc::new(action) as _)
}
