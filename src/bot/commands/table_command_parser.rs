//! Reads what commands ask of a table.
//!
//! A command acts only if no other words follow than the code of a table and the arguments that
//! its entry in [`crate::commands`] documents. "No" in any of our languages declines what is
//! offered, or cancels what waits for a second message. Any other words are quoted back, and
//! nothing is done.

use crate::commands::callback_data::{MentionAction, TableAction, computer_newcomer};
use crate::commands::new_table::{QUOTED_CHARS_MAX, is_computer_word, is_filler_word, parse_level};
use crate::commands::phrases;
use crate::commands::request_parser::{
    Request, lookup_word, move_command, parse_switch, parse_table_code,
};
use crate::commands::{CommandSpec, Verb};
use crate::views::clock_views;
use caravanserai_protocol::Mention;
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::event::DEFAULT_LEVEL;

/// The words behind a command, without codes of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrailingWords {
    /// Nothing.
    Nothing,
    /// "No", in any of our languages.
    No,
    /// Something else.
    Words(String),
}

impl TrailingWords {
    /// Reads what follows a command that takes no mentions.
    pub(crate) fn parse(rest: &str, mentions: &[Mention]) -> TrailingWords {
        let rest = trailing_words(rest);
        match (rest.as_slice(), mentions) {
            ([], []) => TrailingWords::Nothing,
            (words, []) if is_no(words) => TrailingWords::No,
            (words, mentions) => {
                let names = mentions.iter().map(|it| match it {
                    Mention::Known(person) => format!("@{}", person.name),
                    Mention::Username(name) => format!("@{name}"),
                });
                let all: Vec<String> =
                    words.iter().map(|it| (*it).to_owned()).chain(names).collect();
                TrailingWords::Words(all.join(" "))
            }
        }
    }
}

/// The words behind a command without codes of tables.
fn trailing_words(rest: &str) -> Vec<&str> {
    rest.split_whitespace().filter(|it| parse_table_code(it).is_none()).collect()
}

/// Whether these words mean no and nothing else.
fn is_no(words: &[&str]) -> bool {
    let plain = phrases::normalized_words(&words.join(" "));
    let no = |it: &str| lookup_word("refusal", it).is_some();
    !plain.is_empty() && (no(&plain.join(" ")) || plain.iter().all(|it| no(it)))
}

/// The answer to words behind a command that takes none.
pub(crate) fn trailing_words_request(spec: &CommandSpec, behind: &TrailingWords) -> Request {
    match behind {
        TrailingWords::Nothing | TrailingWords::No => Request::Disarm,
        TrailingWords::Words(words) => {
            let words = words.chars().take(QUOTED_CHARS_MAX).collect();
            Request::Unsure { command: spec.name, words }
        }
    }
}

/// "On" or "off" behind a command, or nothing.
///
/// # Errors
/// The words, if they are something else.
pub(crate) fn parse_switch_words(rest: &str) -> Result<Option<bool>, TrailingWords> {
    match trailing_words(rest).as_slice() {
        [] => Ok(None),
        [only] if parse_switch(only).is_some() => Ok(parse_switch(only)),
        _ => Err(TrailingWords::parse(rest, &[])),
    }
}

/// What a command asks of a table, or the words behind it that are not understood; `None` if it is
/// not about a table.
pub(crate) fn parse_table_command(
    spec: &CommandSpec,
    rest: &str,
    mentions: &[Mention],
) -> Option<Result<TableAction, TrailingWords>> {
    if let Some(ask) = wordless_action(spec.verb) {
        return Some(match TrailingWords::parse(rest, mentions) {
            TrailingWords::Nothing => Ok(ask),
            TrailingWords::No => decline_action(spec.verb),
            words @ TrailingWords::Words(_) => Err(words),
        });
    }
    Some(match spec.verb {
        Verb::Move => Ok(parse_move_command(rest)),
        Verb::Foresee => Ok(parse_conditional_moves(rest)),
        Verb::Kick => match TrailingWords::parse(rest, &[]) {
            TrailingWords::Nothing if mentions.is_empty() => Ok(TableAction::Guests),
            TrailingWords::Nothing => {
                Ok(TableAction::Named { deed: MentionAction::Kick, who: mentions.to_vec() })
            }
            TrailingWords::No => decline_action(spec.verb),
            words @ TrailingWords::Words(_) => Err(words),
        },
        Verb::Substitute => parse_substitute(rest, mentions),
        Verb::Watch => match (TrailingWords::parse(rest, &[]), parse_switch_words(rest)) {
            (TrailingWords::No, _) => Err(TrailingWords::No),
            (_, Ok(Some(on))) => Ok(TableAction::Do(Command::SetPublic(on))),
            (_, Ok(None)) => Ok(TableAction::Bring { watches: true }),
            (_, Err(behind)) => Err(behind),
        },
        _ => return None,
    })
}

/// What "no" behind a command does.
fn decline_action(verb: Verb) -> Result<TableAction, TrailingWords> {
    match verb {
        Verb::Accept => Ok(TableAction::Do(Command::AnswerOffer { offer: None, accept: false })),
        Verb::Join => Ok(TableAction::Do(Command::DeclineInvitation)),
        // "No" to declining may mean yes.
        Verb::Decline => Err(TrailingWords::Words("no".to_owned())),
        verb => match offered_proposal(verb) {
            Some(proposal) => Ok(TableAction::Decline(proposal)),
            None => Err(TrailingWords::No),
        },
    }
}

/// What a command offers to the others.
fn offered_proposal(verb: Verb) -> Option<Proposal> {
    Some(match verb {
        Verb::Draw => Proposal::Draw,
        Verb::TakeBack => Proposal::TakeBack,
        Verb::Rematch => Proposal::Rematch,
        Verb::Pause => Proposal::Pause,
        Verb::Resume => Proposal::Resume,
        _ => return None,
    })
}

/// What a command that takes no words asks.
fn wordless_action(verb: Verb) -> Option<TableAction> {
    if let Some(proposal) = offered_proposal(verb) {
        return Some(TableAction::Do(Command::Propose(proposal)));
    }
    Some(match verb {
        Verb::Board => TableAction::Board,
        Verb::Record => TableAction::Record,
        Verb::Verify => TableAction::Verify,
        Verb::Replay => TableAction::Replay,
        Verb::Chart => TableAction::Chart,
        Verb::Hint => TableAction::Hint,
        Verb::Review => TableAction::Review,
        Verb::Hand => TableAction::Hand,
        Verb::Hands => TableAction::Deal { n: 0 },
        Verb::Score => TableAction::Sheet("score".into()),
        Verb::Last => TableAction::Sheet("last".into()),
        Verb::Options => TableAction::Options { page: 0 },
        Verb::Private => TableAction::Private,
        Verb::Bring => TableAction::Bring { watches: false },
        Verb::Stop => TableAction::Stop,
        Verb::Join => TableAction::Do(Command::Join),
        Verb::Accept => TableAction::Do(Command::AnswerOffer { offer: None, accept: true }),
        Verb::Decline => TableAction::Do(Command::AnswerOffer { offer: None, accept: false }),
        Verb::Resign => TableAction::Do(Command::Resign),
        Verb::Abort => TableAction::Do(Command::Abort),
        Verb::Leave => TableAction::Do(Command::Leave),
        Verb::Begin => TableAction::Do(Command::Start),
        Verb::Claim => TableAction::Do(Command::ClaimWin),
        Verb::ComeBack => TableAction::Do(Command::Return),
        Verb::Nudge => TableAction::Do(Command::Nudge),
        _ => return None,
    })
}

/// What `/move` asks: words for the game, or `14.3`, a place in the own hand at a position, as it
/// is chosen while typing.
fn parse_move_command(rest: &str) -> TableAction {
    let words = trailing_words(rest);
    if let [only] = words.as_slice()
        && let Some((position, n)) = only.split_once('.')
        && let (Ok(position), Ok(n)) = (position.parse(), n.parse())
    {
        return TableAction::Slot { position, n };
    }
    TableAction::Do(move_command(&words.join(" ")))
}

/// What is to be played if the other side plays something; without words, what was settled.
fn parse_conditional_moves(rest: &str) -> TableAction {
    let words = trailing_words(rest);
    match words.as_slice() {
        [] => TableAction::Plan,
        [only] if parse_switch(only) == Some(false) => {
            TableAction::Do(Command::SetConditionalMoves(String::new()))
        }
        words => TableAction::Do(Command::SetConditionalMoves(words.join(" "))),
    }
}

/// Who takes over a seat: the people who are named, or a computer of a level.
fn parse_substitute(rest: &str, mentions: &[Mention]) -> Result<TableAction, TrailingWords> {
    let words = trailing_words(rest);
    let is_known =
        |word: &&str| is_computer_word(word) || parse_level(word).is_some() || is_filler_word(word);
    match (TrailingWords::parse(rest, &[]), mentions) {
        (TrailingWords::Nothing, []) => Ok(TableAction::StandIns),
        (TrailingWords::Nothing, who) => {
            Ok(TableAction::Named { deed: MentionAction::Substitute, who: who.to_vec() })
        }
        (TrailingWords::Words(_), []) if words.iter().all(is_known) => {
            let level = words.iter().find_map(|it| parse_level(it));
            let newcomer = computer_newcomer(level.unwrap_or(DEFAULT_LEVEL));
            Ok(TableAction::Do(Command::ProposeSubstitute { seat: None, newcomer }))
        }
        (behind, _) => Err(behind),
    }
}

/// What `/clock` asks of a table: the clock that follows, or the choice of clocks if none does.
/// `None` if the words are not a valid clock.
pub(crate) fn parse_clock_command(rest: &str) -> Option<TableAction> {
    let words = phrases::normalized_words(&trailing_words(rest).join(" "));
    let from = words.iter().take_while(|it| is_filler_word(it)).count();
    match clock_views::parse_time_control(&words[from..]) {
        Some((control, used)) if from + used == words.len() => {
            Some(TableAction::Do(Command::SetTimeControl(control)))
        }
        _ => words.iter().all(|it| is_filler_word(it)).then_some(TableAction::Clocks(None)),
    }
}
