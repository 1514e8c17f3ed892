//! The registry of commands and buttons, collected from the files of this folder.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use super::action::{
    ButtonData, Request, RequestOrigin, TableAction, TableCallback, TableCandidate, TableFit,
    TableRef, TableSearch,
};
use super::spec::CommandSpec;
use super::{COMMAND_FILES, legacy_buttons};
use crate::handlers::RequestContext;
use crate::views::lobby_view;
use caravanserai_games::ids::TableId;
use caravanserai_protocol::view::View;
use caravanserai_table::Refusal;
use caravanserai_table::command::Command;
use caravanserai_table::state::Table;

/// The commands and buttons of one file.
#[derive(Clone, Copy, Debug)]
pub struct CommandFile {
    /// The commands that can be typed; empty for a file with only buttons.
    pub commands: fn() -> Vec<CommandSpec>,
    /// The buttons by their codes.
    pub buttons: &'static [ButtonCode],
    /// The table commands that have buttons.
    pub table_commands: &'static [TableCommandSpec],
}

impl CommandFile {
    /// A file without commands or buttons.
    pub const EMPTY: Self = Self { commands: Vec::new, buttons: &[], table_commands: &[] };
}

/// The code with which the callback data of a button begins, and the decoder of the rest. A code
/// never changes its meaning, because buttons stay in chats.
#[derive(Clone, Copy, Debug)]
pub enum ButtonCode {
    /// `code.table[.argument[.argument]]`: a button of a table.
    Table(&'static str, fn(&[&str]) -> Option<Arc<dyn TableAction>>),
    /// `code[.rest]`: any other button.
    Chat(&'static str, fn(&str) -> Option<Request>),
}

impl ButtonCode {
    fn code(&self) -> &'static str {
        match self {
            Self::Table(code, _) | Self::Chat(code, _) => code,
        }
    }
}

/// The button of a table command ([`Command`]) and its behaviour in chats.
#[derive(Clone, Copy, Debug)]
pub struct TableCommandSpec {
    /// The code and the arguments of its button; `None` if this entry is about another command.
    pub encode: fn(&Command) -> Option<ButtonData>,
    /// How well a table fits the command.
    pub fit: fn(&TableCandidate<'_>) -> TableFit,
    /// The key of the text that says that no table fits; `None` for the general text.
    pub no_table_key: Option<&'static str>,
    /// Whether the answer depends on whether the person is an admin.
    pub needs_admin: bool,
    /// Where to look for the table.
    pub search: TableSearch,
    /// Resolves the command at a table.
    pub resolve: ResolveCommand,
    /// The page that a press on its button changes and shows again.
    pub settings_page: Option<fn(&Table) -> View>,
}

/// Resolves the meaning of a command at a table, or returns the reason why it is refused.
pub type ResolveCommand =
    fn(Command, &Table, &RequestContext<'_>, RequestOrigin) -> Result<Command, Refusal>;

impl TableCommandSpec {
    /// A command with the same meaning at every table.
    pub const fn new(
        encode: fn(&Command) -> Option<ButtonData>,
        fit: fn(&TableCandidate<'_>) -> TableFit,
    ) -> Self {
        Self {
            encode,
            fit,
            no_table_key: None,
            needs_admin: false,
            search: TableSearch::Open,
            resolve: |command, _, _, _| Ok(command),
            settings_page: None,
        }
    }

    /// A setting of a table before the start; a press on its button shows all settings again.
    pub const fn lobby_setting(encode: fn(&Command) -> Option<ButtonData>) -> Self {
        Self {
            settings_page: Some(lobby_view::lobby_settings_view),
            ..Self::new(encode, |it| it.fit_in_lobby())
        }
    }
}

/// The command files that other crates added.
static ADDED_FILES: OnceLock<&'static [CommandFile]> = OnceLock::new();

/// Adds command files, once and before the first command is parsed.
///
/// # Errors
/// When files were added before.
pub fn register(files: &'static [CommandFile]) -> Result<(), &'static str> {
    ADDED_FILES.set(files).map_err(|_| "command files were added before")
}

fn all_files() -> impl Iterator<Item = &'static CommandFile> {
    COMMAND_FILES.iter().chain(ADDED_FILES.get().copied().unwrap_or_default())
}

/// Every command, in the order of menus.
pub static COMMANDS: LazyLock<Vec<CommandSpec>> =
    LazyLock::new(|| all_files().flat_map(|it| (it.commands)()).collect());

/// Every button by its code.
static BUTTONS: LazyLock<BTreeMap<&'static str, ButtonCode>> =
    LazyLock::new(|| all_files().flat_map(|it| it.buttons).map(|it| (it.code(), *it)).collect());

/// Decodes callback data of this version or an earlier one. `None` if no button ever had such data.
pub fn decode_button(callback_data: &str) -> Option<Request> {
    if let Some(TableCallback { table, action }) = TableCallback::decode(callback_data) {
        return Some(Request::Table {
            table: TableRef::Id(table),
            action,
            origin: RequestOrigin::Pressed,
        });
    }
    decode_chat_button(callback_data).or_else(|| legacy_buttons::decode_chat_button(callback_data))
}

/// Decodes the callback data of a button of this version that does not belong to a table.
fn decode_chat_button(callback_data: &str) -> Option<Request> {
    let (code, rest) = callback_data.split_once('.').unwrap_or((callback_data, ""));
    match BUTTONS.get(code)? {
        ButtonCode::Chat(_, decode) => decode(rest),
        ButtonCode::Table(..) => None,
    }
}

/// Decodes the callback data of a button of a table in this version.
pub(super) fn decode_table_button(callback_data: &str) -> Option<TableCallback> {
    let mut parts = callback_data.splitn(4, '.');
    let code = parts.next()?;
    let table = parts.next()?;
    let ButtonCode::Table(_, decode) = BUTTONS.get(code)? else { return None };
    let arguments: Vec<&str> = parts.collect();
    Some(TableCallback { table: TableId(table.to_owned()), action: decode(&arguments)? })
}

/// The entry of a table command.
///
/// # Panics
/// If no file has an entry for it, which a test below rules out.
pub(super) fn table_command_spec(command: &Command) -> (&'static TableCommandSpec, ButtonData) {
    table_command_specs(command).next().expect("every table command has an entry in its file")
}

/// The entries that encode a table command.
fn table_command_specs(
    command: &Command,
) -> impl Iterator<Item = (&'static TableCommandSpec, ButtonData)> {
    let entry = move |it: &'static TableCommandSpec| Some((it, (it.encode)(command)?));
    all_files().flat_map(|it| it.table_commands).filter_map(entry)
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
    use caravanserai_games::search::ComputerLevel;
    use caravanserai_table::chat_commands::AttachedChat;
    use caravanserai_table::clock::TimeControl;
    use caravanserai_table::command::{KickTarget, MoveChoice, OfferAnswer, OfferKind};
    use caravanserai_table::event::FirstMover;
    use caravanserai_table::people::{DeclineReason, Invitee};

    #[test]
    fn names_fit_both_platforms_and_no_spelling_has_two_meanings() {
        let mut seen = std::collections::HashMap::new();
        for spec in COMMANDS.iter() {
            assert!(spec.name.len() <= 32 && spec.name.bytes().all(|it| it.is_ascii_lowercase()));
            let aliases = spec.aliases.iter().map(String::as_str);
            for known in iter::once(spec.name).chain(aliases) {
                // Languages may share a word for the same thing.
                let before = seen.insert(known, spec.name);
                assert!(before.is_none_or(|it| it == spec.name), "{known} twice");
                assert_eq!(known.to_lowercase(), known);
            }
        }
    }

    #[test]
    fn no_code_of_a_button_has_two_meanings() {
        let mut seen = std::collections::BTreeSet::new();
        let codes = all_files().flat_map(|it| it.buttons).map(ButtonCode::code);
        for code in codes.chain(legacy_buttons::CODES.iter().copied()) {
            assert!(seen.insert(code), "{code} twice");
            assert!(!code.contains('.') && code != "w", "{code} belongs to the platforms");
        }
    }

    fn friend() -> Invitee {
        Invitee { person: None, username: Some("friend".to_owned()), name: "Friend".to_owned() }
    }

    fn attached_chat() -> AttachedChat {
        AttachedChat {
            chat: ChatId("chat".to_owned()),
            kind: ChatKind::Group,
            attached_by: PersonId("person".to_owned()),
            is_watch_only: true,
        }
    }

    /// A chain of commands with one of every variant. The match has no wildcard, so that a new
    /// variant does not compile before it is part of the chain.
    fn command_after(command: &Command) -> Option<Command> {
        Some(match command {
            Command::Join => Command::Sit { seat: 0 },
            Command::Sit { .. } => Command::TakeSeat { seat: None, settings: 0 },
            Command::TakeSeat { .. } => Command::DeclineInvitation,
            Command::DeclineInvitation => Command::ExplainDecline(DeclineReason::Later),
            Command::ExplainDecline(_) => Command::Leave,
            Command::Leave => Command::Kick(KickTarget::Named(friend())),
            Command::Kick(_) => Command::AddComputer(ComputerLevel::Easy),
            Command::AddComputer(level) => Command::ChangeComputerLevel { seat: 1, level: *level },
            Command::ChangeComputerLevel { .. } => Command::RemoveComputer,
            Command::RemoveComputer => Command::SetSeatCount(2),
            Command::SetSeatCount(_) => Command::Start,
            Command::Start => Command::KeepOpen,
            Command::KeepOpen => Command::RemindInvited,
            Command::RemindInvited => Command::Cancel,
            Command::Cancel => Command::SetHouseRule("pieces=2".to_owned()),
            Command::SetHouseRule(_) => Command::SetFirstMover(FirstMover::Lot),
            Command::SetFirstMover(_) => Command::SetHints(true),
            Command::SetHints(_) => Command::SetRated(true),
            Command::SetRated(_) => Command::SetTimeControl(TimeControl::Unlimited),
            Command::SetTimeControl(_) => Command::SetSubstituteLevel(ComputerLevel::Easy),
            Command::SetSubstituteLevel(_) => Command::ClaimVictory,
            Command::ClaimVictory => Command::Return,
            Command::Return => Command::Nudge,
            Command::Nudge => {
                Command::Move { position: None, choice: MoveChoice::Typed("1".to_owned()) }
            }
            Command::Move { .. } => Command::SetConditionalMoves("1 2".to_owned()),
            Command::SetConditionalMoves(_) => Command::Resign,
            Command::Resign => Command::Offer(OfferKind::Draw),
            Command::Offer(_) => Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
            Command::AnswerOffer { .. } => Command::Abort,
            Command::Abort => Command::AbortAbandoned,
            Command::AbortAbandoned => {
                Command::ProposeSubstitute { seat: None, newcomer: friend() }
            }
            Command::ProposeSubstitute { .. } => Command::Attach(attached_chat()),
            Command::Attach(_) => Command::Detach(ChatId("chat".to_owned())),
            Command::Detach(_) => Command::SetPublic(true),
            Command::SetPublic(_) => Command::TakeOver { seat: None },
            Command::TakeOver { .. } => return None,
        })
    }

    #[test]
    fn every_table_command_has_exactly_one_entry() {
        let offers = [OfferKind::Takeback, OfferKind::Rematch, OfferKind::Pause, OfferKind::Resume];
        let commands = iter::successors(Some(Command::Join), command_after)
            .chain(offers.map(Command::Offer))
            .chain([Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline }])
            .chain([Command::TakeOver { seat: Some(1) }]);
        for command in commands {
            assert_eq!(table_command_specs(&command).count(), 1, "entries of {command:?}");
        }
    }
}
