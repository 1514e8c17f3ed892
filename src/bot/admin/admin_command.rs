//! Parses the commands of operators.

use super::bans::{BanKind, BanTarget};
use super::parse_account;
use caravanserai_games::ids::{PersonId, TableId};

/// The commands, one a line, as operators see them.
pub const USAGE: &str = "\
status: version, tables, queues, quarantined inputs
table CODE: the game, chat, seats and state of a table
freeze CODE, unfreeze CODE: nobody can act, no clock runs
close CODE: abort the game, or close the lobby; nobody loses
repair CODE: check a table and restore its lists and deadlines
quarantine: inputs whose handling panicked, with reasons
ban person ID [reason], ban chat ID [reason], unban person ID, unban chat ID
bans [PAGE]: who is banned
delete person ID: delete what is stored about a person, a week later; keep person ID: cancel that
delete chat ID: delete the settings and games of a chat; results stay
hide-name ID [reason], show-name ID: others see a neutral name in all chats, or the person's own
hidden-names [PAGE]: whose names are hidden in all chats
message TEXT: write to the chats that allow it
drain, drain off: no new games begin
results rebuild: read the results of all games and compute all ratings again, while the bot runs
log: what operators did
reports: who was reported or paused for short, aborted or late games";

/// A command of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminCommand {
    /// List the commands.
    Help,
    /// Describe the bot.
    Status,
    /// Describe a table.
    Table(TableId),
    /// Stop a table.
    Freeze(TableId),
    /// Let a table go on.
    Unfreeze(TableId),
    /// Call a game off, in several steps.
    Close(TableId, ConfirmationStep),
    /// Restore the rows of a table from its log.
    Repair(TableId),
    /// List quarantined inputs.
    Quarantine,
    /// Ban a person or a chat, with a reason for the list.
    Ban(BanTarget, String),
    /// End a ban.
    Unban(BanTarget),
    /// List a page of the bans; the first is 1.
    Bans(usize),
    /// Delete what is stored about a person or a chat, in several steps.
    Delete(BanTarget, ConfirmationStep),
    /// Cancel the deletion of a person.
    Keep(PersonId),
    /// Hide the name of a person in all chats, with a reason for the person.
    HideName(PersonId, String),
    /// Show the name of a person again.
    ShowName(PersonId),
    /// List a page of the names that are hidden in all chats; the first is 1.
    HiddenNames(usize),
    /// Write to all chats that allow it.
    Message(String),
    /// Let no new games begin, or let them begin again.
    Drain(bool),
    /// Compute all ratings again.
    RebuildResults,
    /// List what operators did.
    Log,
    /// List whom the abuse checks have reported.
    Reports,
}

/// A step of a command that cannot be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmationStep {
    /// Describe what it is about, and offer it.
    Ask,
    /// The first press: ask once more.
    AskAgain,
    /// The second press.
    Confirm,
}

impl AdminCommand {
    /// The name of the command, for logs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Help => "help",
            Self::Status => "status",
            Self::Table(_) => "table",
            Self::Freeze(_) => "freeze",
            Self::Unfreeze(_) => "unfreeze",
            Self::Close(..) => "close",
            Self::Repair(_) => "repair",
            Self::Quarantine => "quarantine",
            Self::Ban(..) => "ban",
            Self::Unban(_) => "unban",
            Self::Bans(_) => "bans",
            Self::Delete(..) => "delete",
            Self::Keep(_) => "keep",
            Self::HideName(..) => "hide-name",
            Self::ShowName(_) => "show-name",
            Self::HiddenNames(_) => "hidden-names",
            Self::Message(_) => "message",
            Self::Drain(true) => "drain",
            Self::Drain(false) => "drain off",
            Self::RebuildResults => "results rebuild",
            Self::Log => "log",
            Self::Reports => "reports",
        }
    }

    /// Whom or what a ban, its end, or a deletion is about.
    pub(crate) fn ban_target(&self) -> Option<&BanTarget> {
        match self {
            Self::Ban(target, _) | Self::Unban(target) | Self::Delete(target, _) => Some(target),
            _ => None,
        }
    }

    /// The same command about the person or chat with another id.
    pub(crate) fn with_target_id(mut self, id: &str) -> Self {
        if let Self::Ban(target, _) | Self::Unban(target) | Self::Delete(target, _) = &mut self {
            id.clone_into(&mut target.id);
        }
        self
    }

    /// The table, person or chat that it is about; empty if there is none.
    pub(super) fn target(&self) -> &str {
        match self {
            Self::Table(table)
            | Self::Freeze(table)
            | Self::Unfreeze(table)
            | Self::Close(table, _)
            | Self::Repair(table) => &table.0,
            Self::Ban(target, _) | Self::Unban(target) | Self::Delete(target, _) => &target.id,
            Self::HideName(account, _) | Self::ShowName(account) | Self::Keep(account) => {
                &account.0
            }
            Self::Help
            | Self::Status
            | Self::Quarantine
            | Self::Bans(_)
            | Self::HiddenNames(_)
            | Self::Message(_)
            | Self::Drain(_)
            | Self::RebuildResults
            | Self::Log
            | Self::Reports => "",
        }
    }
}

/// The number of a page, the first if there is none.
fn parse_page(text: &str) -> Result<usize, String> {
    if text.is_empty() {
        return Ok(1);
    }
    let page = text.parse::<usize>().ok().filter(|it| *it > 0);
    page.ok_or_else(|| format!("“{text}” is not the number of a page"))
}

/// Parses the words behind `admin`.
///
/// # Errors
/// Describes the invalid words in one line.
pub fn parse_admin_command(words: &str) -> Result<AdminCommand, String> {
    let (name, rest) = split_word(words);
    let without_rest = |command: AdminCommand| match rest {
        "" => Ok(command),
        _ => Err(format!("“{name}” takes no further words")),
    };
    match name.to_lowercase().as_str() {
        "" | "help" => without_rest(AdminCommand::Help),
        "status" => without_rest(AdminCommand::Status),
        "table" => Ok(AdminCommand::Table(parse_table(rest)?)),
        "freeze" => Ok(AdminCommand::Freeze(parse_table(rest)?)),
        "unfreeze" => Ok(AdminCommand::Unfreeze(parse_table(rest)?)),
        "close" => parse_close(rest),
        "repair" => Ok(AdminCommand::Repair(parse_table(rest)?)),
        "quarantine" => without_rest(AdminCommand::Quarantine),
        "ban" => {
            let (target, reason) = parse_ban_target(rest)?;
            Ok(AdminCommand::Ban(target, reason.to_owned()))
        }
        "unban" => match parse_ban_target(rest)? {
            (target, "") => Ok(AdminCommand::Unban(target)),
            (_, words) => Err(format!("what does “{words}” mean here?")),
        },
        "bans" => Ok(AdminCommand::Bans(parse_page(rest)?)),
        "delete" => {
            let (target, words) = parse_ban_target(rest)?;
            Ok(AdminCommand::Delete(target, parse_confirmation(words)?))
        }
        "keep" => parse_keep(rest),
        "hide-name" => {
            let (account, reason) = parse_person(rest)?;
            Ok(AdminCommand::HideName(account, reason.to_owned()))
        }
        "show-name" => match parse_person(rest)? {
            (account, "") => Ok(AdminCommand::ShowName(account)),
            (_, words) => Err(format!("what does “{words}” mean here?")),
        },
        "hidden-names" => Ok(AdminCommand::HiddenNames(parse_page(rest)?)),
        "message" if rest.is_empty() => Err("the message is missing: message TEXT".to_owned()),
        "message" => Ok(AdminCommand::Message(rest.to_owned())),
        "drain" => match rest {
            "" | "on" => Ok(AdminCommand::Drain(true)),
            "off" => Ok(AdminCommand::Drain(false)),
            _ => Err("it is either “drain” or “drain off”".to_owned()),
        },
        "results" if rest == "rebuild" => Ok(AdminCommand::RebuildResults),
        "results" => Err("say “results rebuild”".to_owned()),
        "log" => without_rest(AdminCommand::Log),
        "reports" => without_rest(AdminCommand::Reports),
        _ => Err(format!("there is no “{name}”; “help” lists the commands")),
    }
}

/// The first word of a text, and the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// The code of a table, with or without its mark.
fn parse_table(text: &str) -> Result<TableId, String> {
    let code = text.trim_start_matches('#').to_lowercase();
    let is_code =
        (4..=12).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_alphanumeric());
    if is_code { Ok(TableId(code)) } else { Err("the code of the table is missing".to_owned()) }
}

fn parse_close(rest: &str) -> Result<AdminCommand, String> {
    let (code, word) = split_word(rest);
    Ok(AdminCommand::Close(parse_table(code)?, parse_confirmation(word)?))
}

/// The step that is given by the words behind a command that cannot be undone.
fn parse_confirmation(words: &str) -> Result<ConfirmationStep, String> {
    match words {
        "" => Ok(ConfirmationStep::Ask),
        "yes" => Ok(ConfirmationStep::Confirm),
        _ => Err(format!("what does “{words}” mean here?")),
    }
}

fn parse_keep(rest: &str) -> Result<AdminCommand, String> {
    let ("person", rest) = split_word(rest) else {
        return Err("say “keep person ID”".to_owned());
    };
    match parse_person(rest)? {
        (account, "") => Ok(AdminCommand::Keep(account)),
        (_, words) => Err(format!("what does “{words}” mean here?")),
    }
}

/// A person or chat, and the words behind it.
fn parse_ban_target(rest: &str) -> Result<(BanTarget, &str), String> {
    let (kind, rest) = split_word(rest);
    let kind = match kind {
        "person" => BanKind::Person,
        "chat" => BanKind::Chat,
        _ => return Err("say “person ID” or “chat ID”".to_owned()),
    };
    let (id, rest) = split_word(rest);
    match BanTarget::parse(kind, id) {
        Some(target) => Ok((target, rest)),
        None => Err("the id is missing; it looks like telegram:123".to_owned()),
    }
}

/// An account, and the words behind it.
fn parse_person(rest: &str) -> Result<(PersonId, &str), String> {
    let (id, rest) = split_word(rest);
    let account = parse_account(id);
    let account = account.ok_or("the id is missing; it looks like telegram:123")?;
    Ok((account, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed() {
        let table = || TableId("7k3fxab".into());
        let target = |kind, id: &str| BanTarget { kind, id: id.to_owned() };
        for (words, wanted) in [
            ("", AdminCommand::Help),
            (" status ", AdminCommand::Status),
            ("Freeze #7K3FXAB", AdminCommand::Freeze(table())),
            ("close 7k3fxab", AdminCommand::Close(table(), ConfirmationStep::Ask)),
            ("close 7k3fxab yes", AdminCommand::Close(table(), ConfirmationStep::Confirm)),
            (
                "delete person telegram:7",
                AdminCommand::Delete(target(BanKind::Person, "tg:7"), ConfirmationStep::Ask),
            ),
            (
                "delete chat tg:-100/5 yes",
                AdminCommand::Delete(target(BanKind::Chat, "tg:-100"), ConfirmationStep::Confirm),
            ),
            ("keep person dc:5", AdminCommand::Keep(PersonId("dc:5".into()))),
            ("hidden-names", AdminCommand::HiddenNames(1)),
            ("hidden-names 3", AdminCommand::HiddenNames(3)),
            ("show-name dc:5", AdminCommand::ShowName(PersonId("dc:5".into()))),
            (
                "hide-name telegram:7 rude words",
                AdminCommand::HideName(PersonId("tg:7".into()), "rude words".into()),
            ),
            ("bans", AdminCommand::Bans(1)),
            ("bans 2", AdminCommand::Bans(2)),
            ("drain", AdminCommand::Drain(true)),
            ("drain off", AdminCommand::Drain(false)),
            ("results rebuild", AdminCommand::RebuildResults),
            ("message Good  evening", AdminCommand::Message("Good  evening".into())),
        ] {
            assert_eq!(parse_admin_command(words).as_ref(), Ok(&wanted), "{words}");
        }
        let ban = parse_admin_command("ban person telegram:7 insults  others");
        let Ok(AdminCommand::Ban(target, reason)) = ban else { panic!("{ban:?}") };
        assert_eq!((target.id.as_str(), reason.as_str()), ("tg:7", "insults  others"));
    }

    #[test]
    fn missing_and_surplus_words_are_named() {
        for words in [
            "status now",
            "table",
            "freeze a b",
            "ban",
            "ban person",
            "ban tg:7",
            "bans 0",
            "bans all",
            "hidden-names all",
            "unban chat tg:1 x",
            "message",
            "hide-name",
            "hide-name Bek",
            "show-name tg:7 please",
            "delete",
            "delete tg:7",
            "delete person Bek",
            "delete person tg:7 now",
            "keep tg:7",
            "keep person tg:7 please",
            "drain later",
            "results",
            "results rebuild now",
            "dance",
        ] {
            assert!(parse_admin_command(words).is_err(), "{words}");
        }
    }
}
