//! What buttons carry: a letter, a table, what was seen, what is chosen. At most 64 bytes.
//!
//! A press says which position it was made for, so a press on an old board is known as such for
//! ever: buttons work next week and after a restart. Letters that stand for nothing of a table
//! mean something else ([`caravanserai_protocol::looks`], [`crate::commands::request_parser`]); `w`
//! belongs to platforms.

use caravanserai_games::ids::TableId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_protocol::Mention;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::command::{Command, KickTarget, MoveChoice, Proposal};
use caravanserai_table::event::{
    DEFAULT_LEVEL, FirstMover, PlayerOffer, computer_id, computer_level,
};
use caravanserai_table::people::{DeclineReason, Invitee};

/// What a press asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCallback {
    /// Which table.
    pub table: TableId,
    /// What is asked.
    pub action: TableAction,
}

/// What is asked of a table by button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableAction {
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
        /// As in [`Command::SetHouseRule`].
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
        level: ComputerLevel,
    },
    /// Which clocks there are, before the start, for whoever asks; settles this of it first.
    Clocks(Option<Command>),
    /// Whom the opener may send away before the start, for whoever asks.
    Guests,
    /// Who may take over which seat of a running game, for whoever asks.
    StandIns,
    /// An action on mentioned people, see [`MentionAction`].
    Named {
        /// What.
        deed: MentionAction,
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
pub enum MentionAction {
    /// Send them away before the start.
    Kick,
    /// Let them take over the own seat; of two, let the second take over from the first. Nobody
    /// named: a computer.
    Substitute,
}

impl TableCallback {
    /// The spelling in a button.
    pub fn encode(&self) -> String {
        let table = &self.table.0;
        match &self.action {
            TableAction::Board => format!("g.{table}"),
            TableAction::Text => format!("t.{table}"),
            TableAction::View => format!("I.{table}"),
            TableAction::Record => format!("c.{table}"),
            TableAction::Replay => format!("P.{table}"),
            TableAction::Chart => format!("H.{table}"),
            TableAction::Settings => format!("2.{table}"),
            TableAction::Verify => format!("3.{table}"),
            TableAction::Options { page } => format!("e.{table}.{page}"),
            TableAction::Set { page, setting } => format!("V.{table}.{page}.{setting}"),
            TableAction::More { page } => format!("f.{table}.{page}"),
            TableAction::Menu => format!("M.{table}"),
            TableAction::Private => format!("4.{table}"),
            // Presses that begin with `w.` are the envelopes of the platforms.
            TableAction::Page => format!("wp.{table}"),
            TableAction::Launch => format!("wl.{table}"),
            TableAction::Stop => format!("5.{table}"),
            TableAction::Invite => format!("8.{table}"),
            TableAction::Bring { watches: false } => format!("6.{table}"),
            TableAction::Bring { watches: true } => format!("7.{table}"),
            TableAction::Sheet(name) => format!("h.{table}.{name}"),
            TableAction::Hand => format!("i.{table}"),
            TableAction::Plan => format!("%.{table}"),
            TableAction::Hint => format!("L.{table}"),
            TableAction::Review => format!("Z.{table}"),
            TableAction::Moment { n } => format!("Z.{table}.{n}"),
            TableAction::Deal { n: 0 } => format!("hd.{table}"),
            TableAction::Deal { n } => format!("hd.{table}.{n}"),
            TableAction::Levels => format!("O.{table}"),
            TableAction::Level { place, level } => {
                let place = place.map_or_else(|| "-".to_owned(), |it| it.to_string());
                format!("O.{table}.{place}.{}", level.code())
            }
            TableAction::Clocks(None) => format!("ck.{table}"),
            TableAction::Clocks(Some(command)) => encode_command(table, command),
            // Names may be long: the same is chosen from a list.
            TableAction::Guests | TableAction::Named { deed: MentionAction::Kick, .. } => {
                format!("W.{table}")
            }
            TableAction::StandIns | TableAction::Named { deed: MentionAction::Substitute, .. } => {
                format!("A.{table}")
            }
            TableAction::Slot { position, n } => format!("z.{table}.{position}.{n}"),
            TableAction::Decline(_) => {
                encode_command(table, &Command::AnswerOffer { offer: None, accept: false })
            }
            TableAction::Do(command) => encode_command(table, command),
        }
    }

    /// Reads that spelling.
    pub fn parse(press: &str) -> Option<TableCallback> {
        let mut parts = press.splitn(4, '.');
        let (letter, table) = (parts.next()?, parts.next()?);
        let (third, fourth) = (parts.next(), parts.next());
        let ask = match (letter, third, fourth) {
            ("g", None, None) => TableAction::Board,
            ("t", None, None) => TableAction::Text,
            ("I", None, None) => TableAction::View,
            ("c", None, None) => TableAction::Record,
            ("P", None, None) => TableAction::Replay,
            ("H", None, None) => TableAction::Chart,
            ("2", None, None) => TableAction::Settings,
            ("3", None, None) => TableAction::Verify,
            ("e", Some(page), None) => TableAction::Options { page: page.parse().ok()? },
            ("V", Some(page), Some(setting)) => {
                TableAction::Set { page: page.parse().ok()?, setting: setting.to_owned() }
            }
            ("f", Some(page), None) => TableAction::More { page: page.parse().ok()? },
            ("h", Some(name), None) => TableAction::Sheet(name.to_owned()),
            ("M", None, None) => TableAction::Menu,
            ("4", None, None) => TableAction::Private,
            ("wp", None, None) => TableAction::Page,
            ("wl", None, None) => TableAction::Launch,
            ("5", None, None) => TableAction::Stop,
            ("8", None, None) => TableAction::Invite,
            ("6", None, None) => TableAction::Bring { watches: false },
            ("7", None, None) => TableAction::Bring { watches: true },
            ("i", None, None) => TableAction::Hand,
            ("%", None, None) => TableAction::Plan,
            ("L", None, None) => TableAction::Hint,
            ("Z", None, None) => TableAction::Review,
            ("Z", Some(n), None) => TableAction::Moment { n: n.parse().ok()? },
            ("hd", None, None) => TableAction::Deal { n: 0 },
            ("hd", Some(n), None) => TableAction::Deal { n: n.parse().ok()? },
            ("O", None, None) => TableAction::Levels,
            ("O", Some(place), Some(level)) => {
                let place = if place == "-" { None } else { Some(place.parse().ok()?) };
                TableAction::Level { place, level: ComputerLevel::read(level)? }
            }
            ("ck", None, None) => TableAction::Clocks(None),
            ("ck", Some(control), None) => {
                TableAction::Clocks(Some(Command::SetTimeControl(TimeControl::parse(control)?)))
            }
            ("hl", Some(level), None) => {
                TableAction::Clocks(Some(Command::SetSubstituteLevel(ComputerLevel::read(level)?)))
            }
            ("W", None, None) => TableAction::Guests,
            ("A", None, None) => TableAction::StandIns,
            ("z", Some(position), Some(n)) => {
                TableAction::Slot { position: position.parse().ok()?, n: n.parse().ok()? }
            }
            (letter, third, fourth) => TableAction::Do(parse_command(letter, third, fourth)?),
        };
        Some(TableCallback { table: TableId(table.to_owned()), action: ask })
    }
}

fn encode_command(table: &str, command: &Command) -> String {
    match command {
        Command::Join => format!("j.{table}"),
        Command::DeclineInvitation => format!("n.{table}"),
        Command::ExplainDecline(why) => format!("n.{table}.{}", why.encode()),
        Command::Leave => format!("l.{table}"),
        Command::Cancel => format!("x.{table}"),
        Command::SetHouseRule(options) => format!("v.{table}.{options}"),
        Command::SetHints(on) => format!("L.{table}.{}", if *on { "on" } else { "off" }),
        Command::SetFirstMover(begin) => format!("b.{table}.{}", begin.encode()),
        Command::Play { position, choice } => {
            let position = position.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let (MoveChoice::Token(word) | MoveChoice::Typed(word)) = choice;
            format!("p.{table}.{position}.{word}")
        }
        Command::SetConditionalMoves(_) => format!("%.{table}"),
        Command::Resign => format!("r.{table}"),
        // An admin who does not play is understood by that.
        Command::Abort | Command::CallOff => format!("a.{table}"),
        Command::Propose(Proposal::Draw) => format!("d.{table}"),
        Command::Propose(Proposal::TakeBack) => format!("u.{table}"),
        Command::Propose(Proposal::Rematch) => format!("m.{table}"),
        Command::Propose(Proposal::Pause) => format!("pa.{table}"),
        Command::Propose(Proposal::Resume) => format!("go.{table}"),
        Command::SetTimeControl(control) => format!("ck.{table}.{}", control.encode()),
        Command::SetSubstituteLevel(level) => format!("hl.{table}.{}", level.code()),
        Command::ClaimWin => format!("cl.{table}"),
        Command::Return => format!("im.{table}"),
        Command::Nudge => format!("nu.{table}"),
        Command::AnswerOffer { offer, accept } => {
            let letter = if *accept { 'y' } else { 'k' };
            format!("{letter}.{table}.{}", encode_offer(*offer))
        }
        Command::Sit { place } => format!("J.{table}.{place}"),
        Command::Kick(KickTarget::Place { version, place }) => {
            format!("K.{table}.{version}.{place}")
        }
        Command::Kick(KickTarget::Friend { version, n }) => format!("Q.{table}.{version}.{n}"),
        Command::Kick(KickTarget::Named(_)) => format!("W.{table}"),
        Command::AddComputer(level) => format!("C.{table}.{}", level.code()),
        Command::ChangeComputerLevel { place, level } => {
            format!("O.{table}.{place}.{}", level.code())
        }
        Command::RemoveComputer => format!("D.{table}"),
        Command::SetSeatCount(seats) => format!("N.{table}.{seats}"),
        Command::Start => format!("G.{table}"),
        Command::KeepOpen => format!("E.{table}"),
        Command::RemindInvited => format!("R.{table}"),
        Command::ProposeSubstitute { seat: Some(seat), newcomer } if newcomer.is_computer() => {
            let level = newcomer.person.as_ref().and_then(computer_level).unwrap_or(DEFAULT_LEVEL);
            format!("B.{table}.{seat}.{}", level.code())
        }
        Command::ProposeSubstitute { .. } => format!("A.{table}"),
        Command::TakeOver { seat: Some(seat) } => format!("Y.{table}.{seat}"),
        Command::TakeOver { seat: None } => format!("j.{table}"),
        Command::Attach(to) if to.is_watch_only => format!("7.{table}"),
        Command::Attach(_) => format!("6.{table}"),
        Command::Detach(_) => format!("5.{table}"),
        Command::SetPublic(on) => format!("pu.{table}.{}", if *on { "on" } else { "off" }),
    }
}

fn parse_command(letter: &str, third: Option<&str>, fourth: Option<&str>) -> Option<Command> {
    Some(match (letter, third, fourth) {
        ("j", None, None) => Command::Join,
        ("J", Some(place), None) => Command::Sit { place: place.parse().ok()? },
        ("K", Some(version), Some(place)) => {
            let (version, place) = (version.parse().ok()?, place.parse().ok()?);
            Command::Kick(KickTarget::Place { version, place })
        }
        ("Q", Some(version), Some(n)) => {
            let (version, n) = (version.parse().ok()?, n.parse().ok()?);
            Command::Kick(KickTarget::Friend { version, n })
        }
        ("C", None, None) => Command::AddComputer(DEFAULT_LEVEL),
        ("C", Some(level), None) => Command::AddComputer(ComputerLevel::read(level)?),
        ("D", None, None) => Command::RemoveComputer,
        ("N", Some(seats), None) => Command::SetSeatCount(seats.parse().ok()?),
        ("G", None, None) => Command::Start,
        ("E", None, None) => Command::KeepOpen,
        ("R", None, None) => Command::RemindInvited,
        ("B", Some(seat), level) => {
            // The first buttons did not tell the level.
            let level = level.map_or(Some(DEFAULT_LEVEL), ComputerLevel::read)?;
            let (seat, newcomer) = (Some(seat.parse().ok()?), computer_newcomer(level));
            Command::ProposeSubstitute { seat, newcomer }
        }
        ("Y", Some(seat), None) => Command::TakeOver { seat: Some(seat.parse().ok()?) },
        ("n", None, None) => Command::DeclineInvitation,
        ("n", Some(why), None) => Command::ExplainDecline(DeclineReason::parse(why)?),
        ("l", None, None) => Command::Leave,
        ("x", None, None) => Command::Cancel,
        ("v", Some(options), None) => Command::SetHouseRule(options.to_owned()),
        ("L", Some(on @ ("on" | "off")), None) => Command::SetHints(on == "on"),
        ("b", Some(begin), None) => Command::SetFirstMover(FirstMover::parse(begin)?),
        ("p", Some(position), Some(token)) => play_command(position.parse().ok()?, token),
        ("r", None, None) => Command::Resign,
        ("a", None, None) => Command::Abort,
        ("d", None, None) => Command::Propose(Proposal::Draw),
        ("u", None, None) => Command::Propose(Proposal::TakeBack),
        ("m", None, None) => Command::Propose(Proposal::Rematch),
        ("pa", None, None) => Command::Propose(Proposal::Pause),
        ("go", None, None) => Command::Propose(Proposal::Resume),
        ("pu", Some(on @ ("on" | "off")), None) => Command::SetPublic(on == "on"),
        ("cl", None, None) => Command::ClaimWin,
        ("im", None, None) => Command::Return,
        ("nu", None, None) => Command::Nudge,
        ("y" | "k", Some(offer), None) => {
            let offer = parse_offer(offer)?;
            Command::AnswerOffer { offer, accept: letter == "y" }
        }
        _ => return None,
    })
}

fn play_command(position: u64, token: &str) -> Command {
    Command::Play { position: Some(position), choice: MoveChoice::Token(token.to_owned()) }
}

/// A computer as a newcomer.
pub fn computer_newcomer(level: ComputerLevel) -> Invitee {
    Invitee { person: Some(computer_id(level)), username: None, name: String::new() }
}

fn encode_offer(offer: Option<PlayerOffer>) -> String {
    match offer {
        None => "-".into(),
        Some(PlayerOffer::Draw) => "d".into(),
        Some(PlayerOffer::Rematch) => "m".into(),
        Some(PlayerOffer::Resign) => "r".into(),
        Some(PlayerOffer::Pause) => "p".into(),
        Some(PlayerOffer::Resume) => "g".into(),
        Some(PlayerOffer::Replace { seat }) => format!("s{seat}"),
        Some(PlayerOffer::TakeBack { steps }) => format!("u{steps}"),
    }
}

fn parse_offer(text: &str) -> Option<Option<PlayerOffer>> {
    Some(match text {
        "-" => None,
        "d" => Some(PlayerOffer::Draw),
        "m" => Some(PlayerOffer::Rematch),
        "r" => Some(PlayerOffer::Resign),
        "p" => Some(PlayerOffer::Pause),
        "g" => Some(PlayerOffer::Resume),
        _ if text.starts_with('s') => Some(PlayerOffer::Replace { seat: text[1..].parse().ok()? }),
        _ => Some(PlayerOffer::TakeBack { steps: text.strip_prefix('u')?.parse().ok()? }),
    })
}
