//! Detects presses of buttons that have just moved under a person's finger, by comparing the
//! current and the previous buttons of each message.
//!
//! Times are of the monotonic clock, and only messages of this process are known. For messages of
//! another process the log is used: a person who acted a moment ago cannot have seen the result
//! yet.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::repository::MINUTE_MS;
use caravanserai_protocol::Button;

/// How long after a change presses of moved buttons are rejected, in milliseconds: the time that
/// people need to see the new buttons and to choose one.
pub const MISCLICK_WINDOW_MS: u64 = 500;

/// The number of keyboards in memory from which on those that have not changed recently are
/// dropped.
const KEYBOARDS_REMEMBERED_MAX: usize = 4_096;
const KEYBOARD_TTL_MS: u64 = 10 * MINUTE_MS;

type ShownButtonRows = Vec<Vec<ShownButton>>;

/// A button of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ShownButton {
    label: String,
    callback_data: String,
}

/// The buttons of a message.
struct ShownKeyboard {
    rows: ShownButtonRows,
    previous_rows: ShownButtonRows,
    /// When the current buttons replaced the previous ones.
    at_ms: u64,
    /// The last press of each person.
    pressed: Mutex<HashMap<String, String>>,
}

/// Keyboards as people see them.
#[derive(Default)]
pub(super) struct MisclickGuard {
    keyboards: Mutex<HashMap<String, Arc<ShownKeyboard>>>,
}

impl MisclickGuard {
    /// Creates a guard that knows no keyboard.
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn get(&self, name: &str) -> Option<Arc<ShownKeyboard>> {
        self.keyboards.lock().get(name).cloned()
    }

    /// Sets the buttons of a message. `name` identifies the message.
    pub(super) fn set_keyboard(&self, name: &str, buttons: &[Vec<Button>], now_ms: u64) {
        let key = |it: &Button| ShownButton {
            label: it.label.clone(),
            callback_data: it.callback_data.clone(),
        };
        let rows: ShownButtonRows =
            buttons.iter().map(|row| row.iter().map(key).collect()).collect();
        let previous = self.get(name);
        if previous.as_ref().is_some_and(|it| it.rows == rows) {
            return;
        }
        let pressed = previous.as_ref().map(|it| it.pressed.lock().clone()).unwrap_or_default();
        let before = previous.map(|it| it.rows.clone()).unwrap_or_default();
        let current = ShownKeyboard {
            rows,
            previous_rows: before,
            at_ms: now_ms,
            pressed: Mutex::new(pressed),
        };
        let mut shown = self.keyboards.lock();
        if shown.len() >= KEYBOARDS_REMEMBERED_MAX && !shown.contains_key(name) {
            shown.retain(|_, it| now_ms < it.at_ms + KEYBOARD_TTL_MS);
        }
        shown.insert(name.to_owned(), Arc::new(current));
    }

    /// Whether a person pressed this button of the message because it has just moved under their
    /// finger: its position had another button, or the button that they have just pressed. `None`
    /// if the message is not known to have this button.
    pub(super) fn is_misclick(
        &self,
        name: &str,
        person: &str,
        callback_data: &str,
        now_ms: u64,
    ) -> Option<bool> {
        let shown = self.get(name)?;
        let (position, label) = find_button(&shown.rows, callback_data)?;
        let covered: Vec<&ShownButton> =
            overlapping_buttons(&shown.previous_rows, position).collect();
        let last = shown.pressed.lock().get(person).cloned();
        let is_double_tap = covered.iter().any(|it| {
            last.as_ref() == Some(&it.callback_data) && it.callback_data != callback_data
        });
        let is_replaced = !covered.is_empty() && covered.iter().all(|it| it.label != label);
        let is_misclick =
            now_ms < shown.at_ms + MISCLICK_WINDOW_MS && (is_double_tap || is_replaced);
        if !is_misclick {
            shown.pressed.lock().insert(person.to_owned(), callback_data.to_owned());
        }
        Some(is_misclick)
    }
}

/// A button's position: its row, its index in the row, and the number of buttons in the row.
type ButtonPosition = (usize, usize, usize);

fn find_button<'a>(
    rows: &'a ShownButtonRows,
    callback_data: &str,
) -> Option<(ButtonPosition, &'a str)> {
    rows.iter().enumerate().find_map(|(r, row)| {
        let n = row.iter().position(|it| it.callback_data == callback_data)?;
        Some(((r, n, row.len()), row[n].label.as_str()))
    })
}

/// The buttons that covered a part of the same space: the buttons of a row share its width.
fn overlapping_buttons(
    rows: &ShownButtonRows,
    (row, n, row_len): ButtonPosition,
) -> impl Iterator<Item = &ShownButton> {
    let keys = rows.get(row).map(Vec::as_slice).unwrap_or_default();
    let count = keys.len();
    let overlaps = move |m: usize| m * row_len < (n + 1) * count && n * count < (m + 1) * row_len;
    keys.iter().enumerate().filter(move |(m, _)| overlaps(*m)).map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(labels: &[&[(&str, &str)]]) -> Vec<Vec<Button>> {
        let button = |(label, callback_data): &(&str, &str)| Button {
            label: (*label).to_owned(),
            callback_data: (*callback_data).to_owned(),
            ..Button::default()
        };
        labels.iter().map(|row| row.iter().map(button).collect()).collect()
    }

    #[test]
    fn join_never_becomes_leave_under_the_finger() {
        let keyboards = MisclickGuard::new();
        keyboards.set_keyboard("b", &rows(&[&[("Join", "j"), ("Rules", "h")]]), 1_000);
        assert_eq!(keyboards.is_misclick("b", "Ann", "j", 1_900), Some(false));
        keyboards.set_keyboard("b", &rows(&[&[("Leave", "l"), ("Rules", "h")]]), 2_000);
        assert_eq!(keyboards.is_misclick("b", "Ann", "l", 2_080), Some(true));
        assert_eq!(
            keyboards.is_misclick("b", "Bek", "l", 2_499),
            Some(true),
            "the press cannot be deliberate"
        );
        assert_eq!(
            keyboards.is_misclick("b", "Ann", "h", 2_100),
            Some(false),
            "the button has not moved"
        );
        assert_eq!(keyboards.is_misclick("b", "Ann", "l", 2_500), Some(false));
    }

    #[test]
    fn the_second_tap_on_throw_is_no_move() {
        let keyboards = MisclickGuard::new();
        keyboards.set_keyboard("b", &rows(&[&[("Throw", "p.1.t")]]), 0);
        assert_eq!(keyboards.is_misclick("b", "Ann", "p.1.t", 5_000), Some(false));
        keyboards.set_keyboard("b", &rows(&[&[("4 e3→e5", "p.2.a"), ("4 c1→d2", "p.2.b")]]), 5_100);
        assert_eq!(
            keyboards.is_misclick("b", "Ann", "p.2.b", 5_280),
            Some(true),
            "the previous button was as wide"
        );
    }

    #[test]
    fn the_same_pit_again_is_refused_only_to_the_person_who_pressed_it() {
        let keyboards = MisclickGuard::new();
        let board = |position: &str| {
            let callback_data = format!("p.{position}.7");
            rows(&[&[("7", callback_data.as_str())]])
        };
        keyboards.set_keyboard("b", &board("1"), 0);
        assert_eq!(keyboards.is_misclick("b", "Ann", "p.1.7", 1_000), Some(false));
        // The computer has replied immediately.
        keyboards.set_keyboard("b", &board("3"), 1_100);
        assert_eq!(keyboards.is_misclick("b", "Ann", "p.3.7", 1_200), Some(true));
        assert_eq!(keyboards.is_misclick("b", "Bek", "p.3.7", 1_200), Some(false));
        assert_eq!(keyboards.is_misclick("b", "Ann", "p.3.7", 1_600), Some(false));
    }

    #[test]
    fn new_and_unknown_buttons_are_not_misclicks() {
        let keyboards = MisclickGuard::new();
        keyboards.set_keyboard("b", &rows(&[&[("Join", "j")]]), 0);
        keyboards.set_keyboard("b", &rows(&[&[("Join", "j")], &[("Start", "G")]]), 100);
        assert_eq!(keyboards.is_misclick("b", "Ann", "G", 101), Some(false));
        assert_eq!(keyboards.is_misclick("b", "Ann", "j", 101), Some(false));
        assert_eq!(keyboards.is_misclick("b", "Ann", "old", 101), None);
        assert_eq!(keyboards.is_misclick("c", "Ann", "j", 101), None);
    }
}
