//! Joins typed rules to what tables see, once for all games.

use super::{
    Asked, Choice, Heading, Held, Logged, Match, Measured, Pace, Pack, Panel, Recorded, Replay,
    Standing, Step, computer, duel,
};
use crate::rules::{Entropy, Illegal, Node, Rules, Seat, Token, Viewer};
use crate::scene::Scene;
use crate::words::Text;

pub(super) struct Live<R: Rules> {
    rules: R,
    pack: &'static Pack<R>,
    seats: u8,
    facts: Vec<R::Fact>,
}

/// Sets up a game.
///
/// # Errors
/// When the options are unknown or do not go with so many seats.
pub(super) fn open<R: Rules>(
    pack: &'static Pack<R>,
    options: &str,
    seats: u8,
) -> Result<Box<dyn Match>, Illegal> {
    let options = R::Options::read(options).ok_or(Illegal("refuse-unknown-variant"))?;
    Ok(Box::new(Live::new(R::start(&options, seats)?, pack, seats)))
}

/// Reads a record; `options` overrules what it says of its own.
///
/// # Errors
/// One sentence, with the line if one is to blame.
pub(super) fn read<R: Rules>(
    pack: &'static Pack<R>,
    text: &str,
    options: Option<&str>,
) -> Result<Replay, String> {
    let unknown = |it: &str| format!("there are no options {it} in this game");
    let options = options.map(|it| R::Options::read(it).ok_or_else(|| unknown(it))).transpose()?;
    let Recorded { start, names, steps, result } = (pack.read)(text, options.as_ref())?;
    let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
    let start = Box::new(Live::new(start, pack, seats));
    let step = |step: &Step<R>| match step {
        Step::Act(seat, action) => (Some(*seat), action.write()),
        Step::Chance(outcome) => (None, outcome.write()),
    };
    Ok(Replay { start, names, result, steps: steps.iter().map(step).collect() })
}

/// What an unreadable token of an action is answered with.
const UNKNOWN: Illegal = Illegal("refuse-not-understood");

/// The seat whose side a viewer has below: their own, or that of the board for everybody.
fn below(viewer: Viewer) -> Seat {
    match viewer {
        Viewer::Public => Seat(0),
        Viewer::Seat(seat) => seat,
    }
}

impl<R: Rules> Live<R> {
    pub(super) fn new(rules: R, pack: &'static Pack<R>, seats: u8) -> Self {
        Self { rules, pack, seats, facts: Vec::new() }
    }

    fn choice(&self, view: &R::View, action: &R::Action) -> Choice {
        Choice { token: action.write(), label: (self.pack.label)(view, action) }
    }
}

impl<R: Rules> Match for Live<R> {
    fn node(&self) -> Node {
        self.rules.node()
    }

    fn act(&mut self, seat: Seat, token: &str) -> Result<(), Illegal> {
        let action = R::Action::read(token).ok_or(UNKNOWN)?;
        self.facts.clear();
        self.rules.act(seat, &action, &mut self.facts)
    }

    fn settle(&mut self, token: &str) -> Result<(), Illegal> {
        let outcome = R::Chance::read(token).ok_or(UNKNOWN)?;
        self.facts.clear();
        self.rules.settle(&outcome, &mut self.facts)
    }

    fn draw(&self, entropy: &mut dyn Entropy) -> String {
        self.rules.draw(entropy).write()
    }

    fn forced(&self) -> Option<String> {
        self.rules.forced().map(|action| action.write())
    }

    fn ask(&self, seat: Seat) -> Option<Asked> {
        computer::ask(&self.rules, seat)
    }

    fn choices(&self, seat: Seat) -> Vec<Choice> {
        let view = self.rules.view(Viewer::Seat(seat));
        self.rules.actions(seat).iter().map(|action| self.choice(&view, action)).collect()
    }

    fn panel(&self, seat: Seat, page: u8) -> Panel<Choice> {
        let view = self.rules.view(Viewer::Seat(seat));
        let Panel { rows, pages } = (self.pack.panel)(&view, &self.rules.actions(seat), page);
        let row = |row: &Vec<R::Action>| row.iter().map(|it| self.choice(&view, it)).collect();
        Panel { rows: rows.iter().map(row).collect(), pages }
    }

    fn hand(&self, seat: Seat) -> Vec<Held> {
        let view = self.rules.view(Viewer::Seat(seat));
        let legal = self.rules.actions(seat);
        let held = |action: &R::Action| Held {
            choice: self.choice(&view, action),
            legal: legal.contains(action),
        };
        (self.pack.hand)(&view).iter().map(held).collect()
    }

    fn guess(&self, seat: Seat, text: &str) -> Option<String> {
        self.rules.guess(seat, text).map(|action| action.write())
    }

    fn refuse(&self, seat: Seat, token: &str, illegal: Illegal) -> Text {
        let view = self.rules.view(Viewer::Seat(seat));
        match R::Action::read(token) {
            Some(action) => (self.pack.refuse)(&view, seat, &action, illegal),
            None => Text::new(illegal.0),
        }
    }

    fn caption(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.caption)(&self.rules.view(viewer))
    }

    fn board_text(&self, viewer: Viewer) -> Vec<Text> {
        (self.pack.board_text)(&self.rules.view(viewer))
    }

    fn sheets(&self) -> Vec<&'static str> {
        self.pack.sheets.iter().map(|it| it.name).collect()
    }

    fn sheet(&self, name: &str, viewer: Viewer) -> Option<Vec<Text>> {
        let sheet = self.pack.sheets.iter().find(|it| it.name == name)?;
        Some((sheet.text)(&self.rules.view(viewer)))
    }

    fn scene(&self, viewer: Viewer, names: &[String], result: Option<&[i32]>) -> Scene {
        (self.pack.scene)(&self.rules.view(viewer), names, result, below(viewer))
    }

    fn frames(&self, viewer: Viewer, names: &[String]) -> Vec<(Scene, Pace)> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let frames = (self.pack.frames)(&self.rules.view(viewer), &self.facts);
        let drawn = |(view, pace): (R::View, Pace)| {
            ((self.pack.scene)(&view, names, None, below(viewer)), pace)
        };
        frames.into_iter().map(drawn).collect()
    }

    fn partners(&self) -> bool {
        (self.pack.duel.partners)(&self.rules)
    }

    fn measured(&self) -> Vec<Measured> {
        duel::measured(self.pack, &self.rules)
    }

    fn scripted(&self) -> Option<String> {
        duel::scripted(self.pack, &self.rules)
    }

    fn standing(&self) -> Standing {
        (self.pack.standing)(&self.rules.view(Viewer::Public))
    }

    fn counts(&self) -> bool {
        self.facts.iter().any(self.pack.counts)
    }

    fn record(&self, heading: &Heading, options: &str, steps: &[Logged<'_>]) -> String {
        let options = R::Options::read(options).unwrap_or_default();
        let step = |(seat, token): &Logged<'_>| match seat {
            Some(seat) => Some(Step::Act(*seat, R::Action::read(token)?)),
            None => Some(Step::Chance(R::Chance::read(token)?)),
        };
        // A log holds only tokens that could be read; should one not, the record ends before it.
        let steps: Vec<Step<R>> = steps.iter().map_while(step).collect();
        (self.pack.record)(heading, &options, self.seats, &steps)
    }

    fn copy(&self) -> Box<dyn Match> {
        let Live { rules, pack, seats, .. } = self;
        Box::new(Live::new(rules.clone(), pack, *seats))
    }
}
