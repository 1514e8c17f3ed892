//! Checks that nobody receives hidden information: every hidden card and every seed is searched for
//! in all outputs.

use std::collections::{BTreeMap, BTreeSet};

use super::log_checks::{LogChecks, TrackedTable};
use super::world::World;
use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::text::Arg;
use caravanserai_protocol::OutgoingMessage;
use caravanserai_render::sketch;
use caravanserai_table::state::{Table, TablePhase};

/// What the public and each seat may know of the cards of a table since the game began.
#[derive(Default)]
pub struct CardKnowledge {
    /// Signs of cards that were public in the present round.
    public: BTreeSet<String>,
    /// By seat: the cards that it held at any time of the present round.
    own: Vec<BTreeSet<String>>,
    /// The number of cards in all hands at the last update.
    held: usize,
    /// The same of the round before: its messages may still be in transit, and its hands may be
    /// requested.
    before: Option<Box<CardKnowledge>>,
    /// The number of log lines since the deal.
    lines: u32,
    /// The number of deals before this one.
    deals_before: u32,
}

/// The number of lines after which no message of the round before is in transit.
const GRACE: u32 = 16;

/// The number of cards in a hand, and the signs by which cards are recognised.
const HAND: usize = 8;
const SUITS: [char; 4] = ['♠', '♥', '♦', '♣'];
const FIGURES: [char; 4] = ['J', 'Q', 'K', 'A'];

/// The prefix of a card in a sketch.
const DRAWN: &str = "card-";

impl CardKnowledge {
    /// Updates the knowledge after a change of the table.
    pub fn learn(&mut self, table: &Table) {
        if !table.game_id().info().hidden || table.phase != TablePhase::Playing {
            return;
        }
        let Some(game) = table.game.as_deref() else { return };
        let hands: Vec<BTreeSet<String>> =
            (0..table.setup.seats).map(|seat| hand(table, seat)).collect();
        let held = hands.iter().map(BTreeSet::len).sum();
        if held > self.held {
            let before = std::mem::take(self);
            self.deals_before = before.deals_before + 1;
            self.before = Some(Box::new(CardKnowledge { before: None, ..before }));
        }
        self.held = held;
        self.lines += 1;
        self.own.resize(hands.len(), BTreeSet::new());
        for (own, hand) in self.own.iter_mut().zip(hands) {
            own.extend(hand);
        }
        let mut seen = sketch(&game.scene(Viewer::Public, &[], None), "");
        seen.push_str(&format!(
            "{:?}{:?}",
            game.caption(Viewer::Public),
            game.board_text(Viewer::Public)
        ));
        let all = self.own.iter().flatten();
        let newly_public: Vec<String> = all.filter(|card| shows(&seen, card)).cloned().collect();
        self.public.extend(newly_public);
    }

    /// Whether the first deal is still in play.
    pub fn is_first_deal(&self) -> bool {
        self.before.is_none()
    }

    /// A card in this text that is hidden from the player of these seats. `is_older`: the text was
    /// requested, or sent, before this deal.
    fn leak(&self, seats: &[u8], is_older: bool, text: &str) -> Option<&String> {
        let is_own = |known: &CardKnowledge, card: &str| {
            seats
                .iter()
                .any(|it| known.own.get(usize::from(*it)).is_some_and(|own| own.contains(card)))
        };
        let is_known =
            |known: &CardKnowledge, card: &str| known.public.contains(card) || is_own(known, card);
        let before = self.before.as_deref();
        let on_its_way = before.filter(|_| is_older || self.lines <= GRACE);
        let mut lines = rows(text);
        lines.retain(|line| !before.is_some_and(|it| it.shows_whole_hand(line)));
        let text = lines.join("\n");
        let others = (0..).zip(&self.own).filter(|(seat, _)| !seats.contains(seat));
        let mut secrets_of_others = others.flat_map(|(_, hand)| hand).filter(|card| {
            !is_known(self, card) && !on_its_way.is_some_and(|it| is_known(it, card))
        });
        secrets_of_others.find(|card| shows(&text, card))
    }

    /// Whether a line shows one whole hand of this finished round.
    fn shows_whole_hand(&self, line: &str) -> bool {
        // Drawn cards may also contain suit signs.
        let drawn = line.matches(DRAWN).count();
        let cards = if drawn > 0 { drawn } else { line.matches(SUITS).count() };
        let figures = SUITS.iter().flat_map(|suit| FIGURES.map(|rank| format!("{rank}{suit}")));
        let figures_shown: BTreeSet<String> = figures.filter(|card| shows(line, card)).collect();
        cards == HAND && self.own.iter().any(|own| figures_shown.is_subset(own))
    }
}

/// The signs of the court cards and aces of a seat: they are unique in texts, while `8♥` is also a
/// bid.
fn hand(table: &Table, seat: u8) -> BTreeSet<String> {
    let cards = table.game.as_deref().map(|it| it.hand(Seat(seat))).unwrap_or_default();
    let signs = cards.into_iter().filter_map(|it| match it.choice.label {
        Arg::Plain(label) => Some(label),
        Arg::Text(_)
        | Arg::Number(_)
        | Arg::Mention { .. }
        | Arg::Seat(_)
        | Arg::Time(_)
        | Arg::List(_)
        | Arg::Row(_)
        | Arg::Names(_) => None,
    });
    signs.filter(|it| it.starts_with(FIGURES)).collect()
}

/// The lines of a text; cards that a sketch draws one after the other are in one.
fn rows(text: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in text.lines() {
        match rows.last_mut().filter(|it| it.starts_with(DRAWN) && line.starts_with(DRAWN)) {
            Some(row) => row.extend([" ", line]),
            None => rows.push(line.to_owned()),
        }
    }
    rows
}

/// Whether a text or a sketch shows this card.
fn shows(text: &str, card: &str) -> bool {
    let mut letters = card.chars();
    let (rank, suit) = (letters.next(), letters.next());
    let letter = match suit {
        Some('♠') => 'S',
        Some('♥') => 'H',
        Some('♦') => 'D',
        Some('♣') => 'C',
        Some(_) | None => '?',
    };
    let sprite = format!("{DRAWN}{}{letter}", rank.unwrap_or('?'));
    text.contains(card) || text.contains(&sprite)
}

/// All readable parts of a message.
pub fn readable(message: &OutgoingMessage) -> String {
    let mut text = message.text.to_plain();
    for button in message.buttons.iter().flatten() {
        text.extend([" ", &button.label, " ", &button.callback_data]);
        text.extend(button.inline_query.iter().flat_map(|it| [" ", it.as_str()]));
    }
    text.extend(["\n", &message.nonce]);
    if let Some(image) = &message.image {
        text.extend(["\n", &image.alt, "\n"]);
        text.push_str(&String::from_utf8_lossy(&image.png));
    }
    if let Some(file) = &message.file {
        text.extend(["\n", &file.name, "\n"]);
        text.push_str(&String::from_utf8_lossy(&file.bytes));
    }
    text
}

/// Checks a message that is shown to a person, or to everybody in a chat: it must contain only
/// what they may know, with their present rights or those when it was sent.
pub fn check_no_leak(
    world: &World,
    reader: Option<&PersonId>,
    before: &Rights,
    message: &OutgoingMessage,
) {
    let whom = reader.map_or("everybody", |it| &it.0);
    let now = reader.map(|it| Rights::of(world, it)).unwrap_or_default();
    let wrong = find_leak(&world.log_checks.lock(), &[before, &now], whom, &readable(message));
    wrong
        .into_iter()
        .chain(misleading_button(message))
        .for_each(|what| world.report_violation(what));
}

/// A button that names a card and plays another one.
fn misleading_button(message: &OutgoingMessage) -> Option<String> {
    let named = |label: &str| {
        let mut signs = label.chars();
        let (rank, suit) = (signs.next()?, signs.next()?);
        let letter = "SHDC".chars().nth(SUITS.iter().position(|it| *it == suit)?)?;
        FIGURES.contains(&rank).then(|| format!("{rank}{letter}"))
    };
    message.buttons.iter().flatten().find_map(|it| {
        let card = named(&it.label)?;
        let played = it.callback_data.rsplit('.').next()?;
        let is_card = played.len() == 2 && played.ends_with(['S', 'H', 'D', 'C']);
        (is_card && played != card).then(|| format!("the button {} plays {played}", it.label))
    })
}

/// Checks a line of the log or the name of a metric for hidden information.
pub fn overheard(world: &World, text: &str) {
    // If it is locked, the line comes from the simulation itself.
    let Some(log_checks) = world.log_checks.try_lock() else { return };
    let wrong = find_leak(&log_checks, &[], "readers of logs", text);
    drop(log_checks);
    wrong.into_iter().for_each(|what| world.report_violation(what));
}

/// What a person may know at a moment, by table.
#[derive(Default)]
pub struct Rights(BTreeMap<String, TableRights>);

/// What a person may know of a table.
struct TableRights {
    /// Their seats.
    seats: Vec<u8>,
    /// The number of deals before the one in play.
    deals_before: u32,
}

impl Rights {
    /// The rights of the person behind an account at this moment.
    pub fn of(world: &World, account: &PersonId) -> Self {
        let person = world.behind(account);
        Self::at_open_tables(world, |table| table.seating.seats_of(&person).collect())
    }

    /// The rights of everybody at this moment.
    pub fn of_everybody(world: &World) -> Self {
        Self::at_open_tables(world, |_| Vec::new())
    }

    fn at_open_tables(world: &World, seats: impl Fn(&Table) -> Vec<u8>) -> Self {
        let log_checks = world.log_checks.lock();
        let open = log_checks.tables.iter().filter(|(_, tracked)| tracked.table.is_open());
        let rights = |tracked: &TrackedTable| TableRights {
            seats: seats(&tracked.table),
            deals_before: tracked.known.deals_before,
        };
        Rights(open.map(|(id, tracked)| (id.clone(), rights(tracked))).collect())
    }

    fn at(&self, table: &Table) -> Option<&TableRights> {
        self.0.get(&table.id.0)
    }
}

/// Checks a text that a person saw: it must contain only what they may know, with their present
/// rights or those when they requested it.
pub fn seen(world: &World, account: &PersonId, before: &Rights, text: &str) {
    let person = world.behind(account);
    let now = Rights::of(world, account);
    let text = with_suits(text);
    let wrong = find_leak(&world.log_checks.lock(), &[before, &now], &person.0, &text);
    wrong.into_iter().for_each(|what| world.report_violation(what));
}

/// The text with cards of notation (`QD`) as people write them, and each string in its own line.
fn with_suits(text: &str) -> String {
    let mut text = text.replace('"', "\n");
    for (letter, suit) in "SHDC".chars().zip(SUITS) {
        for rank in FIGURES {
            text = text.replace(&format!("{rank}{letter}"), &format!("{rank}{suit}"));
        }
    }
    text
}

/// The first secret in this text for a reader with all of these rights, each of another moment.
fn find_leak(log_checks: &LogChecks, rights: &[&Rights], whom: &str, text: &str) -> Option<String> {
    for tracked in log_checks.tables.values().filter(|it| it.table.is_open()) {
        let table = &tracked.table;
        if text.contains(&hex::encode(table.setup.seed)) {
            return Some(format!("the seed of table {} was shown to {whom}: {text}", table.id.0));
        }
        // Checks only texts about this table: cards of other tables have the same names, and the
        // board of a finished table names the next one.
        let board = text.lines().find_map(|line| line.strip_prefix("board ")?.split(' ').next());
        if !text.contains(&table.id.0) || board.is_some_and(|it| it != table.id.0) {
            continue;
        }
        let known = &tracked.known;
        let rights: Vec<&TableRights> = rights.iter().filter_map(|it| it.at(table)).collect();
        let seats: Vec<u8> = rights.iter().flat_map(|it| it.seats.iter().copied()).collect();
        let is_older = rights.iter().any(|it| it.deals_before < known.deals_before);
        if let Some(card) = known.leak(&seats, is_older, text) {
            return Some(format!("{card} of table {} was shown to {whom}: {text}", table.id.0));
        }
    }
    None
}
