//! Whole matches as a text that people can read, and back.
//!
//! ```text
//! [Game "Blot"]
//! [Date "2026.11.21"]
//! [A "Ann"]
//! [B "Bob"]
//! [C "Cyril"]
//! [D "Dora"]
//! [Options "target=101"]
//! [Result "A+C 104:23"]
//!
//! Deal 1, dealer D
//! A: 9C 10C AC 8D JH 9H KH QH
//! B: 7C 8C KC 9D JD 7S QS AH
//! C: JC QC 10D AD 8S KS 7H 10H
//! D: 7D QD KD 9S 10S JS AS 8H
//! Auction: A 9h, B pass, C 12h, D kuansh, A pass, C pass
//! 1. A JH, B AH, C 7H, D 8H: A takes 31
//! Score: C 12h kuansh made; cards 141:21, combinations 0:0, blot 2:0; 42:0, total 42:0
//! ```
//!
//! First headers: the players by seat, A and C against B and D, and the house rules as the table
//! knows them. Then every deal: who dealt, the hands, the auction, eight tricks in the order of
//! play with who took how many points, and the score, A and C first. Cards are rank and suit (C
//! khach, D kyap, H sirt, S gharr), bids number and suit (`b` boy, `k` behind it kaput). With
//! combinations by hand, `announce`, `announce2` or `show` stand before the card with which it
//! was done. `Score: thrown in` follows four passes. A deal that was not finished tells only who
//! dealt: `Deal 7, dealer C: not finished`. Lines that begin with `#` or `%` say nothing.
//!
//! A reader plays everything again and demands that each line says what happened.

use std::fmt;

use super::action::{Action, Deal};
use super::auction::{Contract, Level};
use super::card::{Card, each};
use super::options::Options;
use super::round::{Fact, Summary};
use super::rules::Blot;
use crate::rules::{Node, Rules, Seat, Token};

/// A step of a match's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A seat did something.
    Act(Seat, Action),
    /// Cards were dealt.
    Chance(Deal),
}

/// What a record says besides the deals: names of headers and what stands there.
pub type Headers<'a> = &'a [(&'a str, &'a str)];

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// Counted from 1.
    pub line: usize,
    /// One sentence.
    pub message: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RecordError {}

/// The letter of a seat.
pub fn letter(seat: Seat) -> char {
    ['A', 'B', 'C', 'D'][seat.index() & 3]
}

/// Writes a match. `result` says who won where the table ended the match: points by seat. Steps
/// that are not possible end the record.
pub fn write(
    headers: Headers,
    names: &[&str],
    options: &Options,
    steps: &[Step],
    result: Option<&[i32]>,
) -> String {
    let Ok(mut game) = Blot::start(options, 4) else { return String::new() };
    let mut deals: Vec<DealText> = Vec::new();
    for step in steps {
        let mut facts = Vec::new();
        let taken = match step {
            Step::Act(seat, action) => game.act(*seat, action, &mut facts),
            Step::Chance(deal) => game.settle(deal, &mut facts),
        };
        if taken.is_err() {
            break;
        }
        match (step, deals.last_mut()) {
            (Step::Chance(deal), _) => deals.push(DealText::new(deal, game.next_dealer())),
            (Step::Act(seat, action), Some(deal)) => deal.act(*seat, *action, &facts),
            (Step::Act(..), None) => {}
        }
    }
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        let value: String = value.chars().filter(|c| *c != '"' && !c.is_control()).collect();
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    headers.iter().for_each(|(name, value)| header(name, value));
    for (seat, name) in (0..4).zip(names) {
        header(&letter(Seat(seat)).to_string(), name);
    }
    header("Options", &options.write());
    header("Result", &result_text(&game, result));
    for (number, deal) in (1..).zip(deals) {
        text.push('\n');
        text.push_str(&deal.finish(number));
    }
    text
}

fn result_text(game: &Blot, result: Option<&[i32]>) -> String {
    let scores = match (game.node(), result) {
        (Node::Over(scores), _) => Some(scores),
        (Node::Act(_) | Node::Chance, result) => result.map(<[i32]>::to_vec),
    };
    let who = match scores.as_deref() {
        Some([first, second, ..]) => match first.cmp(second) {
            std::cmp::Ordering::Greater => "A+C",
            std::cmp::Ordering::Less => "B+D",
            std::cmp::Ordering::Equal => "=",
        },
        Some(_) | None => "*",
    };
    let [first, second] = game.totals();
    format!("{who} {first}:{second}")
}

/// The lines of one deal while they are collected.
struct DealText {
    dealer: Option<u8>,
    hands: [u32; 4],
    calls: Vec<String>,
    tricks: Vec<String>,
    /// What was done in the trick on the table.
    trick: Vec<String>,
    /// Words before the next card of a seat.
    before: String,
    score: Option<String>,
}

impl DealText {
    fn new(deal: &Deal, dealer: Option<u8>) -> Self {
        Self {
            dealer,
            hands: deal.hands,
            calls: Vec::new(),
            tricks: Vec::new(),
            trick: Vec::new(),
            before: String::new(),
            score: None,
        }
    }

    fn act(&mut self, seat: Seat, action: Action, facts: &[Fact]) {
        match action {
            Action::Call(call) => self.calls.push(format!("{} {}", letter(seat), call.write())),
            Action::Announce | Action::AnnounceOther | Action::Show => {
                self.before.push_str(&action.write());
                self.before.push(' ');
            }
            Action::Card(card) => {
                let before = std::mem::take(&mut self.before);
                self.trick.push(format!("{} {before}{}", letter(seat), card.write()));
            }
        }
        for fact in facts {
            match fact {
                Fact::Took(trick) => {
                    let cards = std::mem::take(&mut self.trick).join(", ");
                    let number = self.tricks.len() + 1;
                    let winner = letter(Seat(trick.winner));
                    let line = format!("{number}. {cards}: {winner} takes {}\n", trick.points);
                    self.tricks.push(line);
                }
                Fact::ThrownIn => self.score = Some("Score: thrown in\n".to_owned()),
                Fact::Scored(summary) => self.score = Some(score_line(summary)),
                Fact::Dealt { .. }
                | Fact::Called { .. }
                | Fact::Decided(_)
                | Fact::Announced { .. }
                | Fact::Shown { .. }
                | Fact::Put { .. }
                | Fact::Blot { .. }
                | Fact::Won { .. } => {}
            }
        }
    }

    fn finish(self, number: usize) -> String {
        let dealer = self.dealer.map_or('?', |dealer| letter(Seat(dealer)));
        let Some(score) = self.score else {
            return format!("Deal {number}, dealer {dealer}: not finished\n");
        };
        let mut text = format!("Deal {number}, dealer {dealer}\n");
        for (seat, hand) in (0..).zip(self.hands) {
            let cards: Vec<String> = each(hand).map(Card::write).collect();
            text.push_str(&format!("{}: {}\n", letter(Seat(seat)), cards.join(" ")));
        }
        text.push_str(&format!("Auction: {}\n", self.calls.join(", ")));
        self.tricks.iter().for_each(|line| text.push_str(line));
        text.push_str(&score);
        text
    }
}

/// Who bid what and how it was sharpened: `C 12h kuansh`.
pub fn contract_text(contract: &Contract) -> String {
    let level = match contract.level {
        Level::Plain => "",
        Level::Kuansh => " kuansh",
        Level::Sur => " sur",
    };
    format!("{} {}{level}", letter(Seat(contract.seat)), contract.bid.write())
}

fn score_line(summary: &Summary) -> String {
    let Summary { played, score, totals } = summary;
    let made = if score.made { "made" } else { "under" };
    format!(
        "Score: {} {made}; cards {}:{}, combinations {}:{}, blot {}:{}; {}:{}, total {}:{}\n",
        contract_text(&played.contract),
        played.cards[0],
        played.cards[1],
        played.melds[0],
        played.melds[1],
        played.blot[0],
        played.blot[1],
        score.points[0],
        score.points[1],
        totals[0],
        totals[1],
    )
}

/// A record as it was read: every step was played again.
#[derive(Clone, Debug)]
pub struct Read {
    /// Headers in their order.
    pub headers: Vec<(String, String)>,
    /// The house rules.
    pub options: Options,
    /// Everything that happened in finished deals.
    pub steps: Vec<Step>,
    /// Where the match then stands.
    pub game: Blot,
}

/// Reads a record. `options` overrules what the record says of its house rules.
///
/// # Errors
/// At the first line that is not a record, not possible or not so.
pub fn read(text: &str, options: Option<Options>) -> Result<Read, RecordError> {
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', '%']))
        .collect();
    let split = lines.iter().position(|(_, line)| !line.starts_with('[')).unwrap_or(lines.len());
    let (heads, body) = lines.split_at(split);
    let mut headers = Vec::new();
    for (line, head) in heads {
        headers.push(header(head).ok_or_else(|| wrong(*line, "this is not a header"))?);
    }
    let stated = headers.iter().find(|(name, _)| name == "Options");
    let stated = stated.map_or(Some(Options::default()), |(_, value)| Options::read(value));
    let Some(stated) = stated else { return Err(wrong(1, "these options are not known")) };
    let options_used = options.unwrap_or(stated);
    let game = Blot::start(&options_used, 4).map_err(|_| wrong(1, "it cannot be played"))?;
    let mut reader = Reader { game, steps: Vec::new(), hands: Vec::new(), dealer: None };
    for (number, line) in body {
        reader.line(line).map_err(|message| RecordError { line: *number, message })?;
    }
    if reader.dealer.is_some() {
        return Err(wrong(text.lines().count(), "the last deal is not whole"));
    }
    let Reader { game, steps, .. } = reader;
    let read = Read { headers, options: options_used, steps, game };
    if options.is_none() {
        compare(&read, heads, body)?;
    }
    Ok(read)
}

/// Every line must be what a writer writes of the same steps.
fn compare(
    read: &Read,
    heads: &[(usize, &str)],
    body: &[(usize, &str)],
) -> Result<(), RecordError> {
    let written = write(&[], &[], &read.options, &read.steps, None);
    let mut expected = written.lines().filter(|line| !line.is_empty());
    let result = expected.by_ref().find(|line| line.starts_with("[Result"));
    if let (Node::Over(_), Some(expected)) = (read.game.node(), result) {
        let stated = heads.iter().find(|(_, line)| line.starts_with("[Result"));
        if let Some((number, _)) = stated.filter(|(_, line)| *line != expected) {
            return Err(wrong(*number, &format!("the result is {expected}")));
        }
    }
    for (number, line) in body.iter().filter(|(_, line)| !line.ends_with(": not finished")) {
        let expected = expected.next().unwrap_or("nothing");
        if *line != expected {
            return Err(wrong(*number, &format!("here should stand: {expected}")));
        }
    }
    Ok(())
}

fn wrong(line: usize, message: &str) -> RecordError {
    RecordError { line, message: message.to_owned() }
}

fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    Some((name.to_owned(), value.to_owned()))
}

fn seat_of(letter: &str) -> Option<Seat> {
    let at = ["A", "B", "C", "D"].iter().position(|it| *it == letter)?;
    u8::try_from(at).ok().map(Seat)
}

struct Reader {
    game: Blot,
    steps: Vec<Step>,
    hands: Vec<u32>,
    /// Of the deal that is being read.
    dealer: Option<Seat>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (head, rest) = line.split_once(':').unwrap_or((line, ""));
        if let Some(deal) = head.strip_prefix("Deal ") {
            let dealer = deal.rsplit(' ').next().and_then(seat_of);
            let dealer = dealer.ok_or("who is the dealer?")?;
            let unfinished = rest.trim() == "not finished";
            self.dealer = (!unfinished).then_some(dealer);
            self.hands.clear();
            return Ok(());
        }
        match head {
            "A" | "B" | "C" | "D" => self.hand(rest),
            "Auction" => self.items(rest),
            "Score" => {
                self.dealer = None;
                Ok(())
            }
            _ => {
                let (_, cards) = head.split_once(". ").ok_or("this line says nothing known")?;
                self.items(cards)
            }
        }
    }

    fn hand(&mut self, cards: &str) -> Result<(), String> {
        let mut hand = 0;
        for card in cards.split_whitespace() {
            hand |= Card::read(card).ok_or_else(|| format!("{card} is no card"))?.bit();
        }
        self.hands.push(hand);
        let Ok(hands) = <[u32; 4]>::try_from(&self.hands[..]) else { return Ok(()) };
        let dealer = self.dealer.ok_or("whose deal is this?")?;
        let known = self.game.next_dealer();
        if known.is_some_and(|known| known != dealer.0) {
            return Err(format!("{} does not deal now", letter(dealer)));
        }
        let deal = Deal { dealer: known.is_none().then_some(dealer.0), hands };
        self.game
            .settle(&deal, &mut Vec::new())
            .map_err(|_| "these are not four hands of eight cards".to_owned())?;
        self.steps.push(Step::Chance(deal));
        Ok(())
    }

    /// `A announce JH, B 7H`: who did what, in this order.
    fn items(&mut self, items: &str) -> Result<(), String> {
        for item in items.split(',') {
            let mut words = item.split_whitespace();
            let seat = words.next().and_then(seat_of).ok_or("who?")?;
            for word in words {
                let action = Action::read(word).ok_or_else(|| format!("what is {word}?"))?;
                self.game
                    .act(seat, &action, &mut Vec::new())
                    .map_err(|why| format!("{} cannot {word}: {}", letter(seat), why.0))?;
                self.steps.push(Step::Act(seat, action));
            }
        }
        Ok(())
    }
}

/// Replays a record and prints what each deal brought and how the match stands.
///
/// # Errors
/// As [`read`].
pub fn replay_text(text: &str, options: Option<Options>) -> Result<String, RecordError> {
    let read = read(text, options)?;
    if read.steps.is_empty() {
        return Err(wrong(1, "there is no deal in this"));
    }
    let mut game = Blot::start(&read.options, 4).map_err(|_| wrong(1, "it cannot be played"))?;
    let (mut printed, mut deals) = (format!("options {}\n", read.options.write()), 0);
    for step in &read.steps {
        let mut facts = Vec::new();
        let taken = match step {
            Step::Act(seat, action) => game.act(*seat, action, &mut facts),
            Step::Chance(deal) => game.settle(deal, &mut facts),
        };
        taken.map_err(|why| wrong(1, why.0))?;
        for fact in facts {
            match fact {
                Fact::Dealt { .. } => deals += 1,
                Fact::ThrownIn => printed.push_str(&format!("{deals:>3} thrown in\n")),
                Fact::Scored(summary) => {
                    printed.push_str(&format!("{deals:>3} {}", score_line(&summary)));
                }
                _ => {}
            }
        }
    }
    let [first, second] = game.totals();
    let ending = match game.winner() {
        Some(0) => format!("A+C win {first}:{second}"),
        Some(_) => format!("B+D win {second}:{first}"),
        None => format!("not finished, {first}:{second}"),
    };
    printed.push_str(&ending);
    printed.push('\n');
    Ok(printed)
}
