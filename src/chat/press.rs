//! What buttons carry: a letter, a table, what was seen, what is chosen. At most 64 bytes.
//!
//! A press says which position it was made for, so a press on an old board is known as such for
//! ever: buttons work next week and after a restart.

use crate::table::command::{Choice, Command, Proposal};
use crate::table::event::{Begin, Offer, TableId};

/// What a press asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePress {
    /// Which table.
    pub table: TableId,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked of a table by button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A command for the table itself.
    Do(Command),
    /// Bring the board down.
    Board,
    /// The board in words, for whoever asks.
    Text,
    /// The record, for whoever asks.
    Record,
    /// The house rules before the start, for whoever asks.
    Options {
        /// From 0.
        page: u8,
    },
    /// Change a house rule on that page: `pieces=2`.
    Set {
        /// The page to show then.
        page: u8,
        /// As in [`Command::Vary`].
        setting: String,
    },
    /// More of what can be done now, for whoever asks.
    More {
        /// From 1: page 0 stands under the board.
        page: u8,
    },
    /// What else can be done at the table, for whoever asks.
    Menu,
    /// A sheet of the game, for whoever asks.
    Sheet(String),
    /// The own hand of whoever asks.
    Hand,
    /// The card at this place of the presser's own hand, from 1.
    Slot {
        /// The position it was seen in.
        position: u64,
        /// Which.
        n: u8,
    },
}

impl TablePress {
    /// The spelling in a button.
    pub fn write(&self) -> String {
        let table = &self.table.0;
        match &self.ask {
            Ask::Board => format!("g.{table}"),
            Ask::Text => format!("t.{table}"),
            Ask::Record => format!("c.{table}"),
            Ask::Options { page } => format!("e.{table}.{page}"),
            Ask::Set { page, setting } => format!("V.{table}.{page}.{setting}"),
            Ask::More { page } => format!("f.{table}.{page}"),
            Ask::Menu => format!("M.{table}"),
            Ask::Sheet(name) => format!("h.{table}.{name}"),
            Ask::Hand => format!("i.{table}"),
            Ask::Slot { position, n } => format!("z.{table}.{position}.{n}"),
            Ask::Do(command) => match command {
                Command::Join => format!("j.{table}"),
                Command::Refuse => format!("n.{table}"),
                Command::Leave => format!("l.{table}"),
                Command::Cancel => format!("x.{table}"),
                Command::Vary(options) => format!("v.{table}.{options}"),
                Command::Order(begin) => format!("b.{table}.{}", begin.write()),
                Command::Play { position, choice } => {
                    let position = position.map_or_else(|| "-".to_owned(), |it| it.to_string());
                    let (Choice::Token(word) | Choice::Typed(word)) = choice;
                    format!("p.{table}.{position}.{word}")
                }
                Command::Resign => format!("r.{table}"),
                Command::Abort => format!("a.{table}"),
                Command::Propose(Proposal::Draw) => format!("d.{table}"),
                Command::Propose(Proposal::TakeBack) => format!("u.{table}"),
                Command::Propose(Proposal::Rematch) => format!("m.{table}"),
                Command::Answer { offer, accept } => {
                    let letter = if *accept { 'y' } else { 'k' };
                    format!("{letter}.{table}.{}", write_offer(*offer))
                }
            },
        }
    }

    /// Reads that spelling.
    pub fn read(press: &str) -> Option<TablePress> {
        let mut parts = press.splitn(4, '.');
        let (letter, table) = (parts.next()?, parts.next()?);
        let (third, fourth) = (parts.next(), parts.next());
        let ask = match (letter, third, fourth) {
            ("g", None, None) => Ask::Board,
            ("t", None, None) => Ask::Text,
            ("c", None, None) => Ask::Record,
            ("e", Some(page), None) => Ask::Options { page: page.parse().ok()? },
            ("V", Some(page), Some(setting)) => {
                Ask::Set { page: page.parse().ok()?, setting: setting.to_owned() }
            }
            ("f", Some(page), None) => Ask::More { page: page.parse().ok()? },
            ("h", Some(name), None) => Ask::Sheet(name.to_owned()),
            ("M", None, None) => Ask::Menu,
            ("i", None, None) => Ask::Hand,
            ("z", Some(position), Some(n)) => {
                Ask::Slot { position: position.parse().ok()?, n: n.parse().ok()? }
            }
            ("j", None, None) => Ask::Do(Command::Join),
            ("n", None, None) => Ask::Do(Command::Refuse),
            ("l", None, None) => Ask::Do(Command::Leave),
            ("x", None, None) => Ask::Do(Command::Cancel),
            ("v", Some(options), None) => Ask::Do(Command::Vary(options.to_owned())),
            ("b", Some(begin), None) => Ask::Do(Command::Order(Begin::read(begin)?)),
            ("p", Some(position), Some(token)) => Ask::Do(play(position.parse().ok()?, token)),
            ("r", None, None) => Ask::Do(Command::Resign),
            ("a", None, None) => Ask::Do(Command::Abort),
            ("d", None, None) => Ask::Do(Command::Propose(Proposal::Draw)),
            ("u", None, None) => Ask::Do(Command::Propose(Proposal::TakeBack)),
            ("m", None, None) => Ask::Do(Command::Propose(Proposal::Rematch)),
            ("y" | "k", Some(offer), None) => {
                let offer = read_offer(offer)?;
                Ask::Do(Command::Answer { offer, accept: letter == "y" })
            }
            _ => return None,
        };
        Some(TablePress { table: TableId(table.to_owned()), ask })
    }
}

fn play(position: u64, token: &str) -> Command {
    Command::Play { position: Some(position), choice: Choice::Token(token.to_owned()) }
}

fn write_offer(offer: Option<Offer>) -> String {
    match offer {
        None => "-".into(),
        Some(Offer::Draw) => "d".into(),
        Some(Offer::Rematch) => "m".into(),
        Some(Offer::TakeBack { steps }) => format!("u{steps}"),
    }
}

fn read_offer(text: &str) -> Option<Option<Offer>> {
    Some(match text {
        "-" => None,
        "d" => Some(Offer::Draw),
        "m" => Some(Offer::Rematch),
        _ => Some(Offer::TakeBack { steps: text.strip_prefix('u')?.parse().ok()? }),
    })
}
