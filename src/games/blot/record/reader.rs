//! Reads a match: replays every step and compares every line.

use super::{BlotRecordStep, write};
use crate::blot::INFO;
use crate::blot::action::{BlotAction, Deal};
use crate::blot::card::Card;
use crate::blot::notation_errors::{BlotRecordError, BlotRecordFault};
use crate::blot::options::BlotOptions;
use crate::blot::rules::Blot;
use crate::rules::{Node, Rules, Seat, Token};
use crate::switches;

/// A record that was replayed.
#[derive(Clone, Debug)]
pub struct ReadBlotRecord {
    /// Headers in their order.
    pub headers: Vec<(String, String)>,
    /// The house rules.
    pub options: BlotOptions,
    /// All steps of finished deals.
    pub steps: Vec<BlotRecordStep>,
    /// The match after them.
    pub game: Blot,
}

/// Reads a record. `options` overrules the house rules in the record.
///
/// # Errors
/// At the first line that is malformed, impossible or wrong.
pub fn read(text: &str, options: Option<BlotOptions>) -> Result<ReadBlotRecord, BlotRecordError> {
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', '%']))
        .collect();
    let split = lines.iter().position(|(_, line)| !line.starts_with('[')).unwrap_or(lines.len());
    let (heads, body) = lines.split_at(split);
    let mut headers = Vec::new();
    for (line, head) in heads {
        headers.push(header(head).ok_or_else(|| wrong(*line, BlotRecordFault::NoHeader))?);
    }
    let stated = stated_options(&headers, heads)?;
    if body.is_empty() {
        return Err(wrong(1, BlotRecordFault::NoDeal));
    }
    let options_used = options.unwrap_or(stated);
    let game = Blot::start(&options_used, 4).expect("all house rules allow four players");
    let mut reader = BlotRecordReader {
        game,
        steps: Vec::new(),
        hands: Vec::new(),
        dealer: None,
        deals: 0,
        tricks: 0,
    };
    for (number, line) in body {
        reader.line(line).map_err(BlotRecordError::at(*number))?;
    }
    if reader.dealer.is_some() {
        return Err(wrong(text.lines().count(), BlotRecordFault::NotWhole));
    }
    let BlotRecordReader { game, steps, .. } = reader;
    let read = ReadBlotRecord { headers, options: options_used, steps, game };
    compare(&read, heads, body)?;
    Ok(read)
}

/// The house rules that the headers state; their switches may be in any order.
fn stated_options(
    headers: &[(String, String)],
    heads: &[(usize, &str)],
) -> Result<BlotOptions, BlotRecordError> {
    let mut stated = headers.iter().zip(heads).filter(|((name, _), _)| name == "Options");
    let Some(((_, value), (line, _))) = stated.next() else { return Ok(BlotOptions::default()) };
    let token = switches::canonical(value, INFO.switches);
    let options = token.and_then(|it| BlotOptions::read(&it));
    options.ok_or_else(|| wrong(*line, BlotRecordFault::Options(value.clone())))
}

/// Checks that every line equals the line that a writer writes for the same steps.
fn compare(
    read: &ReadBlotRecord,
    heads: &[(usize, &str)],
    body: &[(usize, &str)],
) -> Result<(), BlotRecordError> {
    let written = write(&[], &[], &read.options, &read.steps, None);
    let mut expected = written.lines().filter(|line| !line.is_empty());
    let result = expected.by_ref().find(|line| line.starts_with("[Result"));
    let stated = heads.iter().find(|(_, line)| line.starts_with("[Result"));
    if let (Some((number, stated)), Some(expected)) = (stated, result) {
        // Before the end a side may have resigned: then only the points are known.
        let points = |line: &str| line.rsplit(' ').next().unwrap_or_default().to_owned();
        let agrees = match read.game.node() {
            Node::Over(_) => *stated == expected,
            Node::Act(_) | Node::Chance => points(stated) == points(expected),
        };
        if !agrees {
            return Err(wrong(*number, BlotRecordFault::OtherResult(expected.to_owned())));
        }
    }
    for (number, line) in body.iter().filter(|(_, line)| !line.ends_with(": not finished")) {
        let expected = expected.next().unwrap_or("nothing");
        if *line != expected {
            return Err(wrong(*number, BlotRecordFault::OtherLine(expected.to_owned())));
        }
    }
    Ok(())
}

fn wrong(line: usize, kind: BlotRecordFault) -> BlotRecordError {
    BlotRecordError { line, kind }
}

fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    Some((name.to_owned(), value.to_owned()))
}

/// Compares a written number with the count.
fn check_number(said: &str, expected: usize) -> Result<(), BlotRecordFault> {
    if said == expected.to_string() {
        return Ok(());
    }
    Err(BlotRecordFault::OtherNumber { said: said.to_owned(), expected })
}

fn seat_of(letter: &str) -> Option<Seat> {
    let at = ["A", "B", "C", "D"].iter().position(|it| *it == letter)?;
    u8::try_from(at).ok().map(Seat)
}

struct BlotRecordReader {
    game: Blot,
    steps: Vec<BlotRecordStep>,
    hands: Vec<u32>,
    /// The dealer of the deal that is being read.
    dealer: Option<Seat>,
    /// The number of deals so far.
    deals: usize,
    /// The number of tricks of this deal so far.
    tricks: usize,
}

impl BlotRecordReader {
    fn line(&mut self, line: &str) -> Result<(), BlotRecordFault> {
        let (head, rest) = line.split_once(':').unwrap_or((line, ""));
        if let Some(deal) = head.strip_prefix("Deal ") {
            return self.deal(deal, rest.trim() == "not finished");
        }
        match head {
            "A" | "B" | "C" | "D" => self.hand(rest),
            "Auction" => self.items(rest),
            "Score" if matches!(self.game.node(), Node::Act(_)) => Err(BlotRecordFault::NotWhole),
            "Score" => {
                self.dealer = None;
                Ok(())
            }
            _ => {
                let (number, cards) = head.split_once(". ").ok_or(BlotRecordFault::UnknownLine)?;
                self.tricks += 1;
                check_number(number, self.tricks)?;
                self.items(cards)
            }
        }
    }

    /// `1, dealer D`: the beginning of a deal.
    fn deal(&mut self, deal: &str, unfinished: bool) -> Result<(), BlotRecordFault> {
        if self.dealer.is_some() {
            return Err(BlotRecordFault::NotWhole);
        }
        if matches!(self.game.node(), Node::Over(_)) {
            return Err(BlotRecordFault::MatchIsOver);
        }
        let (number, dealer) = deal.split_once(", dealer ").ok_or(BlotRecordFault::NoDealer)?;
        self.deals += 1;
        self.tricks = 0;
        check_number(number, self.deals)?;
        let dealer = seat_of(dealer).ok_or(BlotRecordFault::NoDealer)?;
        if self.game.next_dealer().is_some_and(|known| known != dealer.0) {
            return Err(BlotRecordFault::OtherDealer(dealer));
        }
        self.dealer = (!unfinished).then_some(dealer);
        self.hands.clear();
        Ok(())
    }

    fn hand(&mut self, cards: &str) -> Result<(), BlotRecordFault> {
        let mut hand = 0;
        for card in cards.split_whitespace() {
            hand |= Card::read(card).ok_or_else(|| BlotRecordFault::NoCard(card.to_owned()))?.bit();
        }
        self.hands.push(hand);
        let Ok(hands) = <[u32; 4]>::try_from(&self.hands[..]) else { return Ok(()) };
        let dealer = self.dealer.ok_or(BlotRecordFault::NoDealYet)?;
        let known = self.game.next_dealer();
        let deal = Deal { dealer: known.is_none().then_some(dealer.0), hands };
        self.game
            .apply_chance(&deal, &mut Vec::new())
            .map_err(|_| BlotRecordFault::NotFourHands)?;
        self.steps.push(BlotRecordStep::Chance(deal));
        Ok(())
    }

    /// `A announce JH, B 7H`: seats and actions, in order.
    fn items(&mut self, items: &str) -> Result<(), BlotRecordFault> {
        for item in items.split(',') {
            let mut words = item.split_whitespace();
            let seat = words.next().and_then(seat_of).ok_or(BlotRecordFault::Nobody)?;
            for word in words {
                let action = BlotAction::read(word)
                    .ok_or_else(|| BlotRecordFault::Unknown(word.to_owned()))?;
                let refused = |why| BlotRecordFault::Refused { seat, word: word.to_owned(), why };
                self.game.apply_action(seat, &action, &mut Vec::new()).map_err(refused)?;
                self.steps.push(BlotRecordStep::Act(seat, action));
            }
        }
        Ok(())
    }
}
