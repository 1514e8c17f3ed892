//! Writes a match.

use super::{BlotHeaders, BlotRecordStep, letter};
use crate::blot::action::{BlotAction, Deal};
use crate::blot::auction::{Contract, ContractLevel};
use crate::blot::card::{Card, each};
use crate::blot::options::BlotOptions;
use crate::blot::round::{BlotFact, Summary};
use crate::blot::rules::Blot;
use crate::rules::{Node, Rules, Seat, Token};

/// Writes a match. `result` has the points by seat where the table ended the match. An impossible
/// step ends the record.
pub fn write(
    headers: BlotHeaders,
    names: &[&str],
    options: &BlotOptions,
    steps: &[BlotRecordStep],
    result: Option<&[i32]>,
) -> String {
    let Ok(mut game) = Blot::start(options, 4) else { return String::new() };
    let mut deals: Vec<DealText> = Vec::new();
    for step in steps {
        let mut facts = Vec::new();
        let taken = match step {
            BlotRecordStep::Act(seat, action) => game.apply_action(*seat, action, &mut facts),
            BlotRecordStep::Chance(deal) => game.apply_chance(deal, &mut facts),
        };
        if taken.is_err() {
            break;
        }
        match (step, deals.last_mut()) {
            (BlotRecordStep::Chance(deal), _) => {
                deals.push(DealText::new(deal, game.next_dealer()))
            }
            (BlotRecordStep::Act(seat, action), Some(deal)) => deal.act(*seat, *action, &facts),
            (BlotRecordStep::Act(..), None) => {}
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

/// The lines of a deal as they are collected.
struct DealText {
    dealer: Option<u8>,
    hands: [u32; 4],
    calls: Vec<String>,
    tricks: Vec<String>,
    /// The actions in the trick on the table.
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

    fn act(&mut self, seat: Seat, action: BlotAction, facts: &[BlotFact]) {
        match action {
            BlotAction::Call(call) => self.calls.push(format!("{} {}", letter(seat), call.write())),
            BlotAction::Announce | BlotAction::AnnounceOther | BlotAction::Show => {
                self.before.push_str(&action.write());
                self.before.push(' ');
            }
            BlotAction::Card(card) => {
                let before = std::mem::take(&mut self.before);
                self.trick.push(format!("{} {before}{}", letter(seat), card.write()));
            }
        }
        for fact in facts {
            match fact {
                BlotFact::Took(trick) => {
                    let cards = std::mem::take(&mut self.trick).join(", ");
                    let number = self.tricks.len() + 1;
                    let winner = letter(Seat(trick.winner));
                    let line = format!("{number}. {cards}: {winner} takes {}\n", trick.points);
                    self.tricks.push(line);
                }
                BlotFact::ThrownIn => self.score = Some("Score: thrown in\n".to_owned()),
                BlotFact::Scored(summary) => self.score = Some(score_line(summary)),
                BlotFact::Dealt { .. }
                | BlotFact::Called { .. }
                | BlotFact::Decided(_)
                | BlotFact::Announced { .. }
                | BlotFact::Shown { .. }
                | BlotFact::Put { .. }
                | BlotFact::Blot { .. }
                | BlotFact::Won { .. } => {}
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

/// The bidder, the bid and its doubling: `C 12h kuansh`.
fn contract_text(contract: &Contract) -> String {
    let level = match contract.level {
        ContractLevel::Plain => "",
        ContractLevel::Kuansh => " kuansh",
        ContractLevel::Sur => " sur",
    };
    format!("{} {}{level}", letter(Seat(contract.seat)), contract.bid.write())
}

pub(super) fn score_line(summary: &Summary) -> String {
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
