//! Reads what commands ask of a table.
//!
//! A command acts only if no other words follow than the code of a table and the arguments that
//! its entry in [`super::commands`] documents. "No" in any of our languages declines what is
//! offered, or cancels what waits for a second message. Any other words are quoted back, and
//! nothing is done.

use super::clocks;
use super::commands::{Spec, Verb};
use super::opening::{SHOWN_CHARS, is_computer, is_filler, read_level};
use super::press::{Ask, Deed, a_computer};
use super::request::{Request, read_switch, said, table_code, typed_move};
use super::{Mention, shown};
use caravanserai_table::command::{Command, Proposal};
use caravanserai_table::event::DEFAULT_LEVEL;

/// The words behind a command, without codes of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing.
    Nothing,
    /// "No", in any of our languages.
    No,
    /// Something else.
    Words(String),
}

impl Behind {
    /// Reads what follows a command that takes no mentions.
    pub(super) fn read(rest: &str, mentions: &[Mention]) -> Behind {
        let rest = words(rest);
        match (rest.as_slice(), mentions) {
            ([], []) => Behind::Nothing,
            (words, []) if is_no(words) => Behind::No,
            (words, mentions) => {
                let names = mentions.iter().map(|it| match it {
                    Mention::Known(person) => format!("@{}", person.name),
                    Mention::Username(name) => format!("@{name}"),
                });
                let all: Vec<String> =
                    words.iter().map(|it| (*it).to_owned()).chain(names).collect();
                Behind::Words(all.join(" "))
            }
        }
    }
}

/// The words behind a command without codes of tables.
fn words(rest: &str) -> Vec<&str> {
    rest.split_whitespace().filter(|it| table_code(it).is_none()).collect()
}

/// Whether these words mean no and nothing else.
fn is_no(words: &[&str]) -> bool {
    let plain = shown::words(&words.join(" "));
    let no = |it: &str| said("refusal", it).is_some();
    !plain.is_empty() && (no(&plain.join(" ")) || plain.iter().all(|it| no(it)))
}

/// The answer to words behind a command that takes none.
pub(super) fn answer(spec: &Spec, behind: &Behind) -> Request {
    match behind {
        Behind::Nothing | Behind::No => Request::Disarm,
        Behind::Words(words) => {
            let words = words.chars().take(SHOWN_CHARS).collect();
            Request::Unsure { command: spec.name, words }
        }
    }
}

/// "On" or "off" behind a command, or nothing.
///
/// # Errors
/// The words, if they are something else.
pub(super) fn switch(rest: &str) -> Result<Option<bool>, Behind> {
    match words(rest).as_slice() {
        [] => Ok(None),
        [only] if read_switch(only).is_some() => Ok(read_switch(only)),
        _ => Err(Behind::read(rest, &[])),
    }
}

/// What a command asks of a table, or the words behind it that are not understood; `None` if it is
/// not about a table.
pub(super) fn read(spec: &Spec, rest: &str, mentions: &[Mention]) -> Option<Result<Ask, Behind>> {
    if let Some(ask) = alone(spec.verb) {
        return Some(match Behind::read(rest, mentions) {
            Behind::Nothing => Ok(ask),
            Behind::No => declined(spec.verb),
            words @ Behind::Words(_) => Err(words),
        });
    }
    Some(match spec.verb {
        Verb::Move => Ok(moved(rest)),
        Verb::Foresee => Ok(foreseen(rest)),
        Verb::Kick => match Behind::read(rest, &[]) {
            Behind::Nothing if mentions.is_empty() => Ok(Ask::Guests),
            Behind::Nothing => Ok(Ask::Named { deed: Deed::Kick, who: mentions.to_vec() }),
            Behind::No => declined(spec.verb),
            words @ Behind::Words(_) => Err(words),
        },
        Verb::Substitute => read_substitute(rest, mentions),
        Verb::Watch => match (Behind::read(rest, &[]), switch(rest)) {
            (Behind::No, _) => Err(Behind::No),
            (_, Ok(Some(on))) => Ok(Ask::Do(Command::Publish(on))),
            (_, Ok(None)) => Ok(Ask::Bring { watches: true }),
            (_, Err(behind)) => Err(behind),
        },
        _ => return None,
    })
}

/// What "no" behind a command does.
fn declined(verb: Verb) -> Result<Ask, Behind> {
    match verb {
        Verb::Accept => Ok(Ask::Do(Command::Answer { offer: None, accept: false })),
        Verb::Join => Ok(Ask::Do(Command::Refuse)),
        // "No" to declining may mean yes.
        Verb::Decline => Err(Behind::Words("no".to_owned())),
        verb => match proposal(verb) {
            Some(proposal) => Ok(Ask::Decline(proposal)),
            None => Err(Behind::No),
        },
    }
}

/// What a command offers to the others.
fn proposal(verb: Verb) -> Option<Proposal> {
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
fn alone(verb: Verb) -> Option<Ask> {
    if let Some(proposal) = proposal(verb) {
        return Some(Ask::Do(Command::Propose(proposal)));
    }
    Some(match verb {
        Verb::Board => Ask::Board,
        Verb::Record => Ask::Record,
        Verb::Verify => Ask::Verify,
        Verb::Replay => Ask::Replay,
        Verb::Chart => Ask::Chart,
        Verb::Hint => Ask::Hint,
        Verb::Review => Ask::Review,
        Verb::Hand => Ask::Hand,
        Verb::Hands => Ask::Deal { n: 0 },
        Verb::Score => Ask::Sheet("score".into()),
        Verb::Last => Ask::Sheet("last".into()),
        Verb::Options => Ask::Options { page: 0 },
        Verb::Private => Ask::Private,
        Verb::Bring => Ask::Bring { watches: false },
        Verb::Stop => Ask::Stop,
        Verb::Join => Ask::Do(Command::Join),
        Verb::Accept => Ask::Do(Command::Answer { offer: None, accept: true }),
        Verb::Decline => Ask::Do(Command::Answer { offer: None, accept: false }),
        Verb::Resign => Ask::Do(Command::Resign),
        Verb::Abort => Ask::Do(Command::Abort),
        Verb::Leave => Ask::Do(Command::Leave),
        Verb::Begin => Ask::Do(Command::Start),
        Verb::Claim => Ask::Do(Command::Claim),
        Verb::ComeBack => Ask::Do(Command::ComeBack),
        Verb::Nudge => Ask::Do(Command::Nudge),
        _ => return None,
    })
}

/// What `/move` asks: words for the game, or `14.3`, a place in the own hand at a position, as it
/// is chosen while typing.
fn moved(rest: &str) -> Ask {
    let words = words(rest);
    if let [only] = words.as_slice()
        && let Some((position, n)) = only.split_once('.')
        && let (Ok(position), Ok(n)) = (position.parse(), n.parse())
    {
        return Ask::Slot { position, n };
    }
    Ask::Do(typed_move(&words.join(" ")))
}

/// What is to be played if the other side plays something; without words, what was settled.
fn foreseen(rest: &str) -> Ask {
    let words = words(rest);
    match words.as_slice() {
        [] => Ask::Plan,
        [only] if read_switch(only) == Some(false) => Ask::Do(Command::Foresee(String::new())),
        words => Ask::Do(Command::Foresee(words.join(" "))),
    }
}

/// Who takes over a seat: the people who are named, or a computer of a level.
fn read_substitute(rest: &str, mentions: &[Mention]) -> Result<Ask, Behind> {
    let words = words(rest);
    let is_known = |word: &&str| is_computer(word) || read_level(word).is_some() || is_filler(word);
    match (Behind::read(rest, &[]), mentions) {
        (Behind::Nothing, []) => Ok(Ask::StandIns),
        (Behind::Nothing, who) => Ok(Ask::Named { deed: Deed::Substitute, who: who.to_vec() }),
        (Behind::Words(_), []) if words.iter().all(is_known) => {
            let level = words.iter().find_map(|it| read_level(it));
            let newcomer = a_computer(level.unwrap_or(DEFAULT_LEVEL));
            Ok(Ask::Do(Command::Substitute { seat: None, newcomer }))
        }
        (behind, _) => Err(behind),
    }
}

/// What `/clock` asks of a table: the clock that follows, or the choice of clocks if none does.
/// `None` if the words are not a valid clock.
pub(super) fn read_clock(rest: &str) -> Option<Ask> {
    let words = shown::words(&words(rest).join(" "));
    let from = words.iter().take_while(|it| is_filler(it)).count();
    match clocks::read(&words[from..]) {
        Some((control, used)) if from + used == words.len() => {
            Some(Ask::Do(Command::Clock(control)))
        }
        _ => words.iter().all(|it| is_filler(it)).then_some(Ask::Clocks(None)),
    }
}
