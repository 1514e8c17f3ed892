//! Buttons that change a setting of the person who presses them.

use crate::commands::theme::{THEMES, theme_name};
use crate::settings::{Setting, own_setting_callback_data};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::ButtonSpec;

fn switch_button(
    setting: Setting,
    is_on: bool,
    (label_on, label_off): (&'static str, &'static str),
    (value_on, value_off): (&str, &str),
) -> ButtonSpec {
    let (label, value) = if is_on { (label_off, value_off) } else { (label_on, value_on) };
    ButtonSpec::new(Text::new(label), own_setting_callback_data(setting, value))
}

/// The buttons of all themes.
pub fn theme_buttons() -> Vec<Vec<ButtonSpec>> {
    let button = |theme: &&str| {
        ButtonSpec::new(theme_name(theme), own_setting_callback_data(Setting::THEME, theme))
    };
    THEMES.chunks(2).map(|pair| pair.iter().map(button).collect()).collect()
}

/// The button that chooses a language.
pub fn language_button(lang: Lang) -> ButtonSpec {
    let data = own_setting_callback_data(Setting::LANGUAGE, lang.code());
    ButtonSpec::new(Arg::Plain(lang.display_name()), data)
}

/// The button that switches between the reader's own side and the public orientation on private
/// boards.
pub fn flip_button(is_on: bool) -> ButtonSpec {
    let labels = ("button-turned-on", "button-turned-off");
    switch_button(Setting::BOARD_SIDE, is_on, labels, ("own", "all"))
}

/// The button that switches private boards between text and pictures.
pub fn text_board_button(is_on: bool) -> ButtonSpec {
    let labels = ("button-words-on", "button-words-off");
    switch_button(Setting::BOARD_FORMAT, is_on, labels, ("words", "pictures"))
}

/// The button that switches computers between immediate replies and one turn after another.
pub fn pace_button(is_quick: bool) -> ButtonSpec {
    let labels = ("button-pace-quick", "button-pace-calm");
    switch_button(Setting::PACE, is_quick, labels, ("quick", "calm"))
}

/// The button that shows or hides achievements.
pub fn achievements_button(is_on: bool) -> ButtonSpec {
    let labels = ("button-achievements-on", "button-achievements-off");
    switch_button(Setting::ACHIEVEMENTS, is_on, labels, ("shown", "hidden"))
}

/// The button that turns the second press for cards on or off.
pub fn confirm_button(is_on: bool) -> ButtonSpec {
    let labels = ("button-confirm-on", "button-confirm-off");
    switch_button(Setting::MOVE_CONFIRMATION, is_on, labels, ("twice", "once"))
}
