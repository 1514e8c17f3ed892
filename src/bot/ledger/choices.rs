//! What the rows of settings are set to, and what follows from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::profiles::{PersonProfile, PlaceProfile};
use super::rows::CallKind;
use caravanserai_games::ids::PlaceId;
use caravanserai_i18n::Lang;
use caravanserai_protocol::settings::{Calls, INHERIT, Opens, Row, USUAL, zone_minutes, zone_of};
use caravanserai_table::Table;
use caravanserai_table::clock::Control;

/// Who is called seldom is called after so many milliseconds, if they still have not looked.
const SELDOM_MS: u64 = 3_600_000;

/// Minutes of a day.
const DAY: i64 = 24 * 60;

/// Hours in which somebody is not called, by their own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Night {
    /// The hour in which it begins.
    pub from: u8,
    /// The hour in which it is over.
    pub to: u8,
}

impl Night {
    /// Reads `22-7`.
    fn read(value: &str) -> Option<Self> {
        let (from, to) = value.split_once('-')?;
        Some(Night { from: from.parse().ok()?, to: to.parse().ok()? })
    }

    /// When it is over that is on at this minute of the day: in so many minutes.
    fn left(self, minute: i64) -> Option<i64> {
        let (from, to) = (i64::from(self.from) * 60, i64::from(self.to) * 60);
        let since = (minute - from).rem_euclid(DAY);
        let lasts = (to - from).rem_euclid(DAY);
        (since < lasts).then(|| lasts - since)
    }
}

/// One of the two values of a row.
fn chosen(on: bool, yes: &'static str, no: &'static str) -> &'static str {
    if on { yes } else { no }
}

impl PersonProfile {
    /// What a row of their page is set to; `None` if it is none of theirs.
    pub fn setting(&self, row: Row, place: &PlaceProfile) -> Option<String> {
        let seen = self.reads(place);
        Some(match row {
            Row::Language => seen.lang.code().to_owned(),
            Row::Theme => seen.theme,
            Row::Side => chosen(self.fixed, "all", "own").to_owned(),
            Row::Boards => chosen(self.words, "words", "pictures").to_owned(),
            Row::Press => chosen(self.confirm, "twice", "once").to_owned(),
            Row::Pace => chosen(self.quick, "quick", "calm").to_owned(),
            Row::Calls => match self.calls {
                Calls::Usual => "usual",
                Calls::Seldom => "seldom",
                Calls::Never => "never",
            }
            .to_owned(),
            Row::Night => match self.night {
                Some(Night { from, to }) => format!("{from}-{to}"),
                None => "none".to_owned(),
            },
            Row::Zone => zone_of(self.zone_min),
            _ => return None,
        })
    }

    /// Sets a row to one of its values.
    pub fn set(&mut self, row: Row, value: &str) {
        match row {
            Row::Language => self.lang = Lang::of_locale(value).or(self.lang),
            Row::Theme => self.theme = Some(value.to_owned()),
            Row::Side => self.fixed = value == "all",
            Row::Boards => self.words = value == "words",
            Row::Press => self.confirm = value == "twice",
            Row::Pace => self.quick = value == "quick",
            Row::Calls => {
                self.calls = match value {
                    "never" => Calls::Never,
                    "seldom" => Calls::Seldom,
                    _ => Calls::Usual,
                }
            }
            Row::Night => self.night = Night::read(value),
            Row::Zone => self.zone_min = zone_minutes(value).unwrap_or(self.zone_min),
            _ => {}
        }
    }

    /// From when on they may be called who are waited for since `since_ms` and would be called at
    /// `at_ms`, in milliseconds since 1970; `None` if they never want to be.
    pub fn called_from(&self, since_ms: u64, at_ms: u64) -> Option<u64> {
        match self.calls {
            Calls::Usual => Some(self.awake_from(at_ms)),
            Calls::Seldom => Some(self.awake_from(at_ms.max(since_ms + SELDOM_MS))),
            Calls::Never => None,
        }
    }

    /// From when on the person wants a call of this kind at this table, in milliseconds since 1970;
    /// `None` if they do not want it. With "seldom", a call for the game comes an hour later, and
    /// one for an invitation an hour after the table was opened.
    pub fn wants_call(&self, table: &Table, kind: CallKind, now_ms: u64) -> Option<u64> {
        let awake_ms = (self.calls != Calls::Never).then(|| self.awake_from(now_ms));
        match kind {
            // The wishes about reminders of a slow turn were checked when they were due.
            CallKind::Waiting if table.slow_turn().is_some() => awake_ms,
            CallKind::Waiting => self.called_from(table.last_ms, now_ms),
            CallKind::Invitation => self.called_from(table.opened_ms, now_ms),
            CallKind::Nudge | CallKind::Closing => awake_ms,
        }
    }

    /// The first moment from this one on that is not in their quiet hours, in milliseconds since
    /// 1970.
    pub fn awake_from(&self, at_ms: u64) -> u64 {
        let minute = (at_ms / 60_000) as i64 + i64::from(self.zone_min);
        let left = self.night.and_then(|it| it.left(minute.rem_euclid(DAY)));
        left.map_or(at_ms, |left| at_ms / 60_000 * 60_000 + left as u64 * 60_000)
    }
}

impl PlaceProfile {
    /// What a row of its page is set to; `None` if it is none of a chat's, or cannot be said in one
    /// word. `here` is where it is asked.
    pub fn setting(&self, row: Row, here: &PlaceId) -> Option<String> {
        let value = match row {
            Row::Language => self.speaks().code().to_owned(),
            Row::Theme => self.reads().theme,
            Row::Hints => match self.hints {
                Some(on) => chosen(on, "on", "off").to_owned(),
                None => "alone".to_owned(),
            },
            Row::Opens => match self.opens {
                Opens::All => "all",
                Opens::Admins => "admins",
                Opens::Nobody => "nobody",
            }
            .to_owned(),
            Row::Orders => chosen(self.all_order, "all", "host").to_owned(),
            Row::Clock => self.clock.clone().unwrap_or_else(|| Control::Free.write()),
            Row::Quiet => chosen(self.quiet, "on", "off").to_owned(),
            Row::Old => chosen(self.keeps_boards, "stay", "away").to_owned(),
            Row::Where if self.only.is_empty() => "all".to_owned(),
            Row::Where if self.plays_in(here) => "here".to_owned(),
            Row::Where => "elsewhere".to_owned(),
            _ => return None,
        };
        Some(value)
    }

    /// Sets a row to one of its values, or back to inherited.
    pub fn set(&mut self, row: Row, value: &str, here: &PlaceId) {
        if value == INHERIT {
            self.chosen.remove(row.code());
            return self.copy(row, &PlaceProfile::default());
        }
        self.chosen.insert(row.code().to_owned());
        match row {
            Row::Language => self.lang = Lang::of_locale(value).or(self.lang),
            Row::Theme => self.theme = Some(value.to_owned()),
            Row::Hints => {
                self.hints = match value {
                    "on" => Some(true),
                    "off" => Some(false),
                    _ => None,
                }
            }
            Row::Opens => {
                self.opens = match value {
                    "admins" => Opens::Admins,
                    "nobody" => Opens::Nobody,
                    _ => Opens::All,
                }
            }
            Row::Orders => self.all_order = value == "all",
            Row::Clock => self.clock = Some(value.to_owned()),
            Row::Quiet => self.quiet = value == "on",
            Row::Old => self.keeps_boards = value == "stay",
            Row::Where if value == "here" => {
                self.only.retain(|it| it != here);
                self.only.push(here.clone());
            }
            Row::Where => self.only.clear(),
            _ => {}
        }
    }

    /// Whether a row was set here, so that nothing is inherited for it. In a profile written by an
    /// earlier version, which has no `chosen`, the rows that differ from the default are set.
    pub fn is_set(&self, row: Row) -> bool {
        self.chosen.contains(row.code())
            || match row {
                Row::Language => self.lang.is_some(),
                Row::Theme => self.theme.is_some(),
                Row::Hints => self.hints.is_some(),
                Row::Opens => self.opens != Opens::default(),
                Row::Orders => self.all_order,
                Row::Rules => !self.rules.is_empty(),
                Row::Clock => self.clock.is_some(),
                Row::Quiet => self.quiet,
                Row::Old => self.keeps_boards,
                Row::Where => !self.only.is_empty(),
                Row::Side
                | Row::Boards
                | Row::Press
                | Row::Pace
                | Row::Calls
                | Row::Night
                | Row::Zone
                | Row::Vacation => false,
            }
    }

    /// Copies every setting of a parent that is not set here. House rules are inherited game by
    /// game.
    pub(super) fn inherit(&mut self, parent: &PlaceProfile) {
        for (game, options) in &parent.rules {
            self.rules.entry(game.clone()).or_insert_with(|| options.clone());
        }
        for row in Row::OF_CHAT.iter().copied().filter(|it| *it != Row::Rules) {
            if !self.is_set(row) && parent.is_set(row) {
                self.copy(row, parent);
                self.chosen.insert(row.code().to_owned());
            }
        }
    }

    /// Copies the value of a row from another profile.
    fn copy(&mut self, row: Row, from: &PlaceProfile) {
        match row {
            Row::Language => self.lang = from.lang,
            Row::Theme => self.theme.clone_from(&from.theme),
            Row::Hints => self.hints = from.hints,
            Row::Opens => self.opens = from.opens,
            Row::Orders => self.all_order = from.all_order,
            Row::Rules => self.rules.clone_from(&from.rules),
            Row::Clock => self.clock.clone_from(&from.clock),
            Row::Quiet => self.quiet = from.quiet,
            Row::Old => self.keeps_boards = from.keeps_boards,
            Row::Where => self.only.clone_from(&from.only),
            Row::Side
            | Row::Boards
            | Row::Press
            | Row::Pace
            | Row::Calls
            | Row::Night
            | Row::Zone
            | Row::Vacation => {}
        }
    }

    /// The rules by which a game is played here if nobody says it, if they were settled.
    pub fn rules_of(&self, game: &str) -> Option<&str> {
        self.rules.get(game).map(String::as_str).filter(|it| *it != USUAL)
    }

    /// Settles them, or that they are the usual ones.
    pub fn settle_rules(&mut self, game: &str, options: Option<String>) {
        match options {
            Some(options) => self.rules.insert(game.to_owned(), options),
            None => self.rules.remove(game),
        };
    }

    /// Whether tables may be opened in this place of the chat. A thread counts as its channel.
    pub fn plays_in(&self, place: &PlaceId) -> bool {
        let channel = self.parents.channel.as_ref();
        let is_named = |it: &PlaceId| self.only.contains(it);
        self.only.is_empty() || is_named(place) || channel.is_some_and(is_named)
    }
}

/// House rules by the code of the game.
pub type Rules = BTreeMap<String, String>;

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_protocol::request::Scope;

    #[test]
    fn whatever_a_row_is_set_to_it_says_so() {
        let here = PlaceId("mem:g/1".into());
        let (mut person, mut place) = (PersonProfile::default(), PlaceProfile::default());
        for row in Row::of(Scope::Person).iter().filter(|it| **it != Row::Vacation) {
            assert_eq!(person.setting(*row, &place).as_deref(), Some(row.values()[0]), "{row:?}");
            for value in row.values() {
                person.set(*row, value);
                assert_eq!(person.setting(*row, &place).as_deref(), Some(value), "{row:?}");
            }
        }
        for row in Row::of(Scope::Chat).iter().filter(|it| **it != Row::Rules) {
            assert_eq!(place.setting(*row, &here).as_deref(), Some(row.values()[0]), "{row:?}");
            for value in row.values() {
                place.set(*row, value, &here);
                assert_eq!(place.setting(*row, &here).as_deref(), Some(value), "{row:?}");
            }
        }
        let other = PlaceId("mem:g/2".into());
        assert!(place.plays_in(&here) && !place.plays_in(&other));
    }

    /// Five in the afternoon in Greenwich, in milliseconds since 1970.
    const FIVE_MS: u64 = 17 * 3_600_000;

    #[test]
    fn nobody_is_called_in_their_night() {
        let mut person = PersonProfile::default();
        assert_eq!(person.called_from(FIVE_MS, FIVE_MS), Some(FIVE_MS));
        person.set(Row::Night, "22-7");
        assert_eq!(person.awake_from(FIVE_MS), FIVE_MS, "it is afternoon");
        person.set(Row::Zone, "+5:30");
        // Half past ten in the evening: they sleep for another eight hours and a half.
        assert_eq!(person.awake_from(FIVE_MS), FIVE_MS + 17 * 1_800_000);
        person.set(Row::Zone, "-8");
        person.set(Row::Night, "0-9");
        assert_eq!(person.awake_from(FIVE_MS), FIVE_MS, "nine in the morning");
        assert_eq!(person.awake_from(FIVE_MS - 1), FIVE_MS);
    }

    #[test]
    fn calls_come_after_an_hour_or_never() {
        let mut person = PersonProfile::default();
        person.set(Row::Calls, "seldom");
        assert_eq!(person.called_from(FIVE_MS, FIVE_MS + 1), Some(FIVE_MS + 3_600_000));
        assert_eq!(person.called_from(FIVE_MS, FIVE_MS * 2), Some(FIVE_MS * 2));
        person.set(Row::Calls, "never");
        assert_eq!(person.called_from(FIVE_MS, FIVE_MS * 2), None);
    }
}
