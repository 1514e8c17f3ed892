//! What buttons carry: a letter, a table, what was seen, what is chosen. At most 64 bytes.
//!
//! A press says which position it was made for, so a press on an old board is known as such for
//! ever: buttons work next week and after a restart. Letters that stand for nothing of a table
//! mean something else ([`super::looks`], [`super::request`]); `w` belongs to platforms.

use super::Mention;
use caravanserai_games::ids::TableId;
use caravanserai_games::search::Level;
use caravanserai_table::clock::Control;
use caravanserai_table::command::{Choice, Command, Proposal, Target};
use caravanserai_table::event::{Begin, DEFAULT_LEVEL, Offer, computer, level_of};
use caravanserai_table::people::{Invited, Why};

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
    /// Decline this if it is what is offered.
    Decline(Proposal),
    /// Bring the board down.
    Board,
    /// The board in words, for whoever asks.
    Text,
    /// The board as whoever asks wants to see it: their side below.
    View,
    /// The record, for whoever asks.
    Record,
    /// The whole game as a moving picture, for everybody in the place.
    Replay,
    /// The score over the game as a picture, for whoever asks.
    Chart,
    /// All that can be settled before the start, for whoever asks.
    Settings,
    /// How chance can be checked at this table, for whoever asks.
    Verify,
    /// The house rules, for whoever asks.
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
    /// A board of their own for whoever asks, in their private chat with the bot.
    Private,
    /// The table is to stand here too.
    Bring {
        /// Whether people here only look on.
        watches: bool,
    },
    /// The ways for others to come to the table, for whoever asks.
    Invite,
    /// The board in a browser, for whoever asks.
    Page,
    /// The board in a window of the platform, for whoever asks.
    Launch,
    /// The table is not to stand here any more.
    Stop,
    /// A sheet of the game, for whoever asks.
    Sheet(String),
    /// Which computers may play, before the start, for whoever asks.
    Levels,
    /// Have a computer of this level sit down, at the place of another one if that is said, and
    /// show the choice again.
    Level {
        /// Counted from 0.
        place: Option<u8>,
        /// How strong.
        level: Level,
    },
    /// Which clocks there are, before the start, for whoever asks; settles this of it first.
    Clocks(Option<Command>),
    /// Whom the opener may send away before the start, for whoever asks.
    Guests,
    /// Who may take over which seat of a running game, for whoever asks.
    StandIns,
    /// Something that concerns somebody who was named, see [`Deed`].
    Named {
        /// What.
        deed: Deed,
        /// Who, in the order they were named.
        who: Vec<Mention>,
    },
    /// What a strong player would do now, for whoever is on turn and asks.
    Hint,
    /// Where the game turned, for everybody in the place.
    Review,
    /// One of the moves of a review, for whoever asks.
    Moment {
        /// From 1.
        n: u8,
    },
    /// The hands of a deal that is over, for whoever asks.
    Deal {
        /// From 1; 0 for the last one.
        n: u8,
    },
    /// What whoever asks has settled for later.
    Plan,
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

/// What is to be done with somebody who was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Send them away before the start.
    Kick,
    /// Let them take over the own seat; of two, let the second take over from the first. Nobody
    /// named: a computer.
    Substitute,
}

impl TablePress {
    /// The spelling in a button.
    pub fn write(&self) -> String {
        let table = &self.table.0;
        match &self.ask {
            Ask::Board => format!("g.{table}"),
            Ask::Text => format!("t.{table}"),
            Ask::View => format!("I.{table}"),
            Ask::Record => format!("c.{table}"),
            Ask::Replay => format!("P.{table}"),
            Ask::Chart => format!("H.{table}"),
            Ask::Settings => format!("2.{table}"),
            Ask::Verify => format!("3.{table}"),
            Ask::Options { page } => format!("e.{table}.{page}"),
            Ask::Set { page, setting } => format!("V.{table}.{page}.{setting}"),
            Ask::More { page } => format!("f.{table}.{page}"),
            Ask::Menu => format!("M.{table}"),
            Ask::Private => format!("4.{table}"),
            // Presses that begin with `w.` are the envelopes of the platforms.
            Ask::Page => format!("wp.{table}"),
            Ask::Launch => format!("wl.{table}"),
            Ask::Stop => format!("5.{table}"),
            Ask::Invite => format!("8.{table}"),
            Ask::Bring { watches: false } => format!("6.{table}"),
            Ask::Bring { watches: true } => format!("7.{table}"),
            Ask::Sheet(name) => format!("h.{table}.{name}"),
            Ask::Hand => format!("i.{table}"),
            Ask::Plan => format!("%.{table}"),
            Ask::Hint => format!("L.{table}"),
            Ask::Review => format!("Z.{table}"),
            Ask::Moment { n } => format!("Z.{table}.{n}"),
            Ask::Deal { n: 0 } => format!("hd.{table}"),
            Ask::Deal { n } => format!("hd.{table}.{n}"),
            Ask::Levels => format!("O.{table}"),
            Ask::Level { place, level } => {
                let place = place.map_or_else(|| "-".to_owned(), |it| it.to_string());
                format!("O.{table}.{place}.{}", level.code())
            }
            Ask::Clocks(None) => format!("ck.{table}"),
            Ask::Clocks(Some(command)) => write_command(table, command),
            // Names may be long: the same is chosen from a list.
            Ask::Guests | Ask::Named { deed: Deed::Kick, .. } => format!("W.{table}"),
            Ask::StandIns | Ask::Named { deed: Deed::Substitute, .. } => format!("A.{table}"),
            Ask::Slot { position, n } => format!("z.{table}.{position}.{n}"),
            Ask::Decline(_) => {
                write_command(table, &Command::Answer { offer: None, accept: false })
            }
            Ask::Do(command) => write_command(table, command),
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
            ("I", None, None) => Ask::View,
            ("c", None, None) => Ask::Record,
            ("P", None, None) => Ask::Replay,
            ("H", None, None) => Ask::Chart,
            ("2", None, None) => Ask::Settings,
            ("3", None, None) => Ask::Verify,
            ("e", Some(page), None) => Ask::Options { page: page.parse().ok()? },
            ("V", Some(page), Some(setting)) => {
                Ask::Set { page: page.parse().ok()?, setting: setting.to_owned() }
            }
            ("f", Some(page), None) => Ask::More { page: page.parse().ok()? },
            ("h", Some(name), None) => Ask::Sheet(name.to_owned()),
            ("M", None, None) => Ask::Menu,
            ("4", None, None) => Ask::Private,
            ("wp", None, None) => Ask::Page,
            ("wl", None, None) => Ask::Launch,
            ("5", None, None) => Ask::Stop,
            ("8", None, None) => Ask::Invite,
            ("6", None, None) => Ask::Bring { watches: false },
            ("7", None, None) => Ask::Bring { watches: true },
            ("i", None, None) => Ask::Hand,
            ("%", None, None) => Ask::Plan,
            ("L", None, None) => Ask::Hint,
            ("Z", None, None) => Ask::Review,
            ("Z", Some(n), None) => Ask::Moment { n: n.parse().ok()? },
            ("hd", None, None) => Ask::Deal { n: 0 },
            ("hd", Some(n), None) => Ask::Deal { n: n.parse().ok()? },
            ("O", None, None) => Ask::Levels,
            ("O", Some(place), Some(level)) => {
                let place = if place == "-" { None } else { Some(place.parse().ok()?) };
                Ask::Level { place, level: Level::read(level)? }
            }
            ("ck", None, None) => Ask::Clocks(None),
            ("ck", Some(control), None) => {
                Ask::Clocks(Some(Command::Clock(Control::read(control)?)))
            }
            ("hl", Some(level), None) => Ask::Clocks(Some(Command::Helper(Level::read(level)?))),
            ("W", None, None) => Ask::Guests,
            ("A", None, None) => Ask::StandIns,
            ("z", Some(position), Some(n)) => {
                Ask::Slot { position: position.parse().ok()?, n: n.parse().ok()? }
            }
            (letter, third, fourth) => Ask::Do(read_command(letter, third, fourth)?),
        };
        Some(TablePress { table: TableId(table.to_owned()), ask })
    }
}

fn write_command(table: &str, command: &Command) -> String {
    match command {
        Command::Join => format!("j.{table}"),
        Command::Refuse => format!("n.{table}"),
        Command::Explain(why) => format!("n.{table}.{}", why.write()),
        Command::Leave => format!("l.{table}"),
        Command::Cancel => format!("x.{table}"),
        Command::Vary(options) => format!("v.{table}.{options}"),
        Command::Hints(on) => format!("L.{table}.{}", if *on { "on" } else { "off" }),
        Command::Order(begin) => format!("b.{table}.{}", begin.write()),
        Command::Play { position, choice } => {
            let position = position.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let (Choice::Token(word) | Choice::Typed(word)) = choice;
            format!("p.{table}.{position}.{word}")
        }
        Command::Foresee(_) => format!("%.{table}"),
        Command::Resign => format!("r.{table}"),
        // An admin who does not play is understood by that.
        Command::Abort | Command::CallOff => format!("a.{table}"),
        Command::Propose(Proposal::Draw) => format!("d.{table}"),
        Command::Propose(Proposal::TakeBack) => format!("u.{table}"),
        Command::Propose(Proposal::Rematch) => format!("m.{table}"),
        Command::Propose(Proposal::Pause) => format!("pa.{table}"),
        Command::Propose(Proposal::Resume) => format!("go.{table}"),
        Command::Clock(control) => format!("ck.{table}.{}", control.write()),
        Command::Helper(level) => format!("hl.{table}.{}", level.code()),
        Command::Claim => format!("cl.{table}"),
        Command::ComeBack => format!("im.{table}"),
        Command::Nudge => format!("nu.{table}"),
        Command::Answer { offer, accept } => {
            let letter = if *accept { 'y' } else { 'k' };
            format!("{letter}.{table}.{}", write_offer(*offer))
        }
        Command::Sit { place } => format!("J.{table}.{place}"),
        Command::Kick(Target::Place { version, place }) => format!("K.{table}.{version}.{place}"),
        Command::Kick(Target::Friend { version, n }) => format!("Q.{table}.{version}.{n}"),
        Command::Kick(Target::Named(_)) => format!("W.{table}"),
        Command::AddComputer(level) => format!("C.{table}.{}", level.code()),
        Command::Relevel { place, level } => format!("O.{table}.{place}.{}", level.code()),
        Command::RemoveComputer => format!("D.{table}"),
        Command::Seats(seats) => format!("N.{table}.{seats}"),
        Command::Start => format!("G.{table}"),
        Command::Extend => format!("E.{table}"),
        Command::Remind => format!("R.{table}"),
        Command::Substitute { seat: Some(seat), newcomer } if newcomer.is_computer() => {
            let level = newcomer.person.as_ref().and_then(level_of).unwrap_or(DEFAULT_LEVEL);
            format!("B.{table}.{seat}.{}", level.code())
        }
        Command::Substitute { .. } => format!("A.{table}"),
        Command::TakeOver { seat: Some(seat) } => format!("Y.{table}.{seat}"),
        Command::TakeOver { seat: None } => format!("j.{table}"),
        Command::Attach(to) if to.watches => format!("7.{table}"),
        Command::Attach(_) => format!("6.{table}"),
        Command::Detach(_) => format!("5.{table}"),
        Command::Publish(on) => format!("pu.{table}.{}", if *on { "on" } else { "off" }),
    }
}

fn read_command(letter: &str, third: Option<&str>, fourth: Option<&str>) -> Option<Command> {
    Some(match (letter, third, fourth) {
        ("j", None, None) => Command::Join,
        ("J", Some(place), None) => Command::Sit { place: place.parse().ok()? },
        ("K", Some(version), Some(place)) => {
            let (version, place) = (version.parse().ok()?, place.parse().ok()?);
            Command::Kick(Target::Place { version, place })
        }
        ("Q", Some(version), Some(n)) => {
            let (version, n) = (version.parse().ok()?, n.parse().ok()?);
            Command::Kick(Target::Friend { version, n })
        }
        ("C", None, None) => Command::AddComputer(DEFAULT_LEVEL),
        ("C", Some(level), None) => Command::AddComputer(Level::read(level)?),
        ("D", None, None) => Command::RemoveComputer,
        ("N", Some(seats), None) => Command::Seats(seats.parse().ok()?),
        ("G", None, None) => Command::Start,
        ("E", None, None) => Command::Extend,
        ("R", None, None) => Command::Remind,
        ("B", Some(seat), level) => {
            // The first buttons did not tell the level.
            let level = level.map_or(Some(DEFAULT_LEVEL), Level::read)?;
            let (seat, newcomer) = (Some(seat.parse().ok()?), a_computer(level));
            Command::Substitute { seat, newcomer }
        }
        ("Y", Some(seat), None) => Command::TakeOver { seat: Some(seat.parse().ok()?) },
        ("n", None, None) => Command::Refuse,
        ("n", Some(why), None) => Command::Explain(Why::read(why)?),
        ("l", None, None) => Command::Leave,
        ("x", None, None) => Command::Cancel,
        ("v", Some(options), None) => Command::Vary(options.to_owned()),
        ("L", Some(on @ ("on" | "off")), None) => Command::Hints(on == "on"),
        ("b", Some(begin), None) => Command::Order(Begin::read(begin)?),
        ("p", Some(position), Some(token)) => play(position.parse().ok()?, token),
        ("r", None, None) => Command::Resign,
        ("a", None, None) => Command::Abort,
        ("d", None, None) => Command::Propose(Proposal::Draw),
        ("u", None, None) => Command::Propose(Proposal::TakeBack),
        ("m", None, None) => Command::Propose(Proposal::Rematch),
        ("pa", None, None) => Command::Propose(Proposal::Pause),
        ("go", None, None) => Command::Propose(Proposal::Resume),
        ("pu", Some(on @ ("on" | "off")), None) => Command::Publish(on == "on"),
        ("cl", None, None) => Command::Claim,
        ("im", None, None) => Command::ComeBack,
        ("nu", None, None) => Command::Nudge,
        ("y" | "k", Some(offer), None) => {
            let offer = read_offer(offer)?;
            Command::Answer { offer, accept: letter == "y" }
        }
        _ => return None,
    })
}

fn play(position: u64, token: &str) -> Command {
    Command::Play { position: Some(position), choice: Choice::Token(token.to_owned()) }
}

/// A computer as a newcomer.
pub fn a_computer(level: Level) -> Invited {
    Invited { person: Some(computer(level)), username: None, name: String::new() }
}

fn write_offer(offer: Option<Offer>) -> String {
    match offer {
        None => "-".into(),
        Some(Offer::Draw) => "d".into(),
        Some(Offer::Rematch) => "m".into(),
        Some(Offer::Resign) => "r".into(),
        Some(Offer::Pause) => "p".into(),
        Some(Offer::Resume) => "g".into(),
        Some(Offer::Replace { seat }) => format!("s{seat}"),
        Some(Offer::TakeBack { steps }) => format!("u{steps}"),
    }
}

fn read_offer(text: &str) -> Option<Option<Offer>> {
    Some(match text {
        "-" => None,
        "d" => Some(Offer::Draw),
        "m" => Some(Offer::Rematch),
        "r" => Some(Offer::Resign),
        "p" => Some(Offer::Pause),
        "g" => Some(Offer::Resume),
        _ if text.starts_with('s') => Some(Offer::Replace { seat: text[1..].parse().ok()? }),
        _ => Some(Offer::TakeBack { steps: text.strip_prefix('u')?.parse().ok()? }),
    })
}
