//! Translates labels of buttons and names of seats in pictures.

use caravanserai_games::text::Arg;
use caravanserai_i18n::{I18n, Lang};
use caravanserai_render::Fonts;
use caravanserai_table::state::Table;

/// A label in a language.
pub fn label_text(i18n: &I18n, lang: Lang, label: &Arg) -> String {
    match label {
        Arg::Text(text) => i18n.translate_plain(lang, text),
        Arg::Plain(text) => text.clone(),
        Arg::Number(number) => number.to_string(),
        Arg::Mention { name, .. } => name.clone(),
        Arg::Time(moment) => moment.utc_time_of_day(),
        Arg::Seat(seat) => format!("{}", seat + 1),
        Arg::List(items) | Arg::Names(items) => label_texts(i18n, lang, items).join(", "),
        Arg::Row(items) => label_texts(i18n, lang, items).join(" "),
    }
}

fn label_texts(i18n: &I18n, lang: Lang, labels: &[Arg]) -> Vec<String> {
    labels.iter().map(|it| label_text(i18n, lang, it)).collect()
}

/// The names of the players on pictures, by seat; see [`drawable_names`].
pub fn drawable_player_names(fonts: &Fonts, i18n: &I18n, table: &Table, lang: Lang) -> Vec<String> {
    drawable_names(fonts, player_names(i18n, table, lang))
}

/// Names on pictures. A name that the fonts cannot draw is replaced by its number, because all such
/// names would look the same.
pub fn drawable_names(fonts: &Fonts, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let name = |(n, name): (usize, String)| {
        if fonts.can_draw(&name) { name } else { format!("#{}", n + 1) }
    };
    names.into_iter().enumerate().map(name).collect()
}

/// The names of the players.
pub fn player_names(i18n: &I18n, table: &Table, lang: Lang) -> Vec<String> {
    table.player_names().iter().map(|it| label_text(i18n, lang, it)).collect()
}
