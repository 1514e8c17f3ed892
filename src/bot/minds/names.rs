//! Labels and names in a language: of buttons, of seats in pictures.

use caravanserai_games::words::Arg;
use caravanserai_i18n::{I18n, Lang};
use caravanserai_render::Fonts;
use caravanserai_table::fold::Table;

/// A label in a language.
pub fn label(i18n: &I18n, lang: Lang, label: &Arg) -> String {
    match label {
        Arg::Text(text) => i18n.plain(lang, text),
        Arg::Plain(text) => text.clone(),
        Arg::Number(number) => number.to_string(),
        Arg::Mention { name, .. } => name.clone(),
        Arg::Time(moment) => moment.of_day(),
        Arg::Seat(seat) => format!("{}", seat + 1),
        Arg::List(items) | Arg::Names(items) => each(i18n, lang, items).join(", "),
        Arg::Row(items) => each(i18n, lang, items).join(" "),
    }
}

fn each(i18n: &I18n, lang: Lang, labels: &[Arg]) -> Vec<String> {
    labels.iter().map(|it| label(i18n, lang, it)).collect()
}

/// What those who play are called on pictures: whose name no font here can draw, so that all such
/// names would look the same, is called by the number of the seat.
pub fn drawn_names(fonts: &Fonts, i18n: &I18n, table: &Table, lang: Lang) -> Vec<String> {
    let name = |(n, name): (usize, String)| {
        if fonts.can_draw(&name) { name } else { format!("#{}", n + 1) }
    };
    names(i18n, table, lang).into_iter().enumerate().map(name).collect()
}

/// What those who play are called.
pub fn names(i18n: &I18n, table: &Table, lang: Lang) -> Vec<String> {
    table.called().iter().map(|it| label(i18n, lang, it)).collect()
}
