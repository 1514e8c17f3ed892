//! Appends case endings to names, depending on the last letters of the name.
//!
//! The endings are in a language's `endings.toml`; a message requests one with `{ CASE($name,
//! "dative") }`. Names are examined from the end: the last letter that is in a list under
//! `harmony`, and the last letter that is in a list under `last`, select the row of a case. Numbers
//! count as they are pronounced. A hyphen precedes the ending after letters of another script,
//! digits and signs.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The maximum number of letters of a name that are examined.
const TAIL_LETTERS: usize = 16;
/// Marks a name that does not end with a letter: `Aigul 🌸`.
const SIGN_MARK: char = '.';

/// The contents of `endings.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameEndings {
    /// Lists of letters by harmony name: the last letter of a name that is in a list selects the
    /// harmony.
    #[serde(default)]
    harmony: BTreeMap<String, String>,
    /// The same for names without such a letter.
    #[serde(default)]
    weak: BTreeMap<String, String>,
    /// The harmony of names with none of these letters.
    #[serde(default)]
    without: String,
    /// Lists of letters by name: a list applies to names whose last letter it contains.
    last: BTreeMap<String, String>,
    /// Letters that are skipped, such as hard and soft signs.
    #[serde(default)]
    silent: String,
    /// The pronunciation of numbers.
    numbers: NumberWords,
    /// By case: rows of conditions and, last, the ending. The first matching row is used. A
    /// condition is a list name from above, or several with `|` between them; an ending that begins
    /// with `_` is a separate word.
    cases: BTreeMap<String, Vec<String>>,
}

/// The pronunciation of numbers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NumberWords {
    /// The words for 0 to 9.
    digits: [String; 10],
    /// The words for 10 to 90.
    tens: [String; 9],
    hundred: String,
    thousand: String,
}

impl NameEndings {
    /// Returns the ending for a name with this [`name_tail`], including the character that joins
    /// them.
    pub(super) fn ending_for(&self, case: &str, tail: &str) -> String {
        let Some(rows) = self.cases.get(case) else { return String::new() };
        let letters = tail.trim_end_matches(SIGN_MARK);
        let spoken = self.spoken_form(letters);
        let last = spoken.chars().rev().find(|it| !self.silent.contains(*it));
        let told_by = |lists: &'_ BTreeMap<String, String>| {
            spoken.chars().rev().find_map(|letter| {
                let found = lists.iter().find(|(_, letters)| letters.contains(letter));
                found.map(|(name, _)| name.clone())
            })
        };
        let harmony = told_by(&self.harmony).or_else(|| told_by(&self.weak));
        let harmony = harmony.unwrap_or_else(|| self.without.clone());
        let holds = |name: &str| {
            let letters = self.last.get(name);
            let fits = |letters: &String| last.is_some_and(|it| letters.contains(it));
            name == harmony.as_str() || letters.is_some_and(fits)
        };
        let ending = rows.iter().find_map(|row| {
            let mut words = row.split(' ');
            let ending = words.next_back()?;
            words.all(|it| it.split('|').any(holds)).then_some(ending)
        });
        let ending = ending.unwrap_or_default();
        match ending.strip_prefix('_') {
            Some(word) => format!(" {word}"),
            None if ending.is_empty() || self.is_own_script(tail) => ending.to_owned(),
            None => format!("-{ending}"),
        }
    }

    /// Whether a name ends with a letter of this language's own script.
    fn is_own_script(&self, tail: &str) -> bool {
        let known = |letter| self.last.values().chain([&self.silent]).any(|it| it.contains(letter));
        tail.chars().next_back().is_some_and(|letter| !letter.is_ascii() && known(letter))
    }

    /// Returns the final letters as pronounced: a number becomes its word.
    fn spoken_form(&self, letters: &str) -> String {
        let before = letters.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &letters[before.len()..];
        let zeros = number.len() - number.trim_end_matches('0').len();
        let place = |zeros: usize| {
            let digit = number.len().checked_sub(zeros + 1)?;
            number.as_bytes().get(digit).map(|it| usize::from(it - b'0'))
        };
        match (number.is_empty(), zeros, place(zeros)) {
            (true, ..) => letters.to_owned(),
            (_, _, None) => self.numbers.digits[0].clone(),
            (_, 0, Some(digit)) => self.numbers.digits[digit].clone(),
            (_, 1, Some(digit)) => self.numbers.tens[digit - 1].clone(),
            (_, 2, _) => self.numbers.hundred.clone(),
            _ => self.numbers.thousand.clone(),
        }
    }
}

/// Returns the last letters and digits of a name in lower case, marked if signs follow them.
/// Characters for writing direction and for joining signs are ignored.
pub(super) fn name_tail(name: &str) -> String {
    let unseen = |c: &char| {
        let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || matches!(c, '\u{200b}'..='\u{200f}')
    };
    let letters = name.chars().filter(|c| !unseen(c)).flat_map(char::to_lowercase);
    let letters: Vec<char> = letters.collect();
    let is_sign = letters.last().is_none_or(|it| !it.is_alphanumeric());
    let mut tail: Vec<char> =
        letters.into_iter().rev().filter(|it| it.is_alphanumeric()).take(TAIL_LETTERS).collect();
    tail.reverse();
    tail.into_iter().chain(is_sign.then_some(SIGN_MARK)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endings(file: &str) -> NameEndings {
        toml::from_str(file).unwrap()
    }

    /// A table of names: each line has a name with its ending behind `+`, by case.
    fn holds(endings: &NameEndings, case: &str, table: &str) {
        for line in table.split_whitespace() {
            let (name, ending) = line.split_once('+').unwrap();
            let name = name.replace('_', " ");
            let actual = endings.ending_for(case, &name_tail(&name)).replace(' ', "_");
            assert_eq!(actual, ending, "{name}, {case}");
        }
    }

    #[test]
    fn kazakh_names_take_endings_by_harmony_and_last_sound() {
        let kazakh = endings(include_str!("../../templates/kk/endings.toml"));
        holds(
            &kazakh,
            "genitive",
            "Айгүл+дің Нұрлан+ның Асан+ның Әлия+ның Дәурен+нің Бекзат+тың Ерлан+ның Жанель+дің \
             Мұхит+тың Талғат+тың Гүлнәр+дің Әли+дің Ғани+дың Сәуле+нің Абай+дың Қайрат+тың \
             Әсет+тің Марат+тың Мұхамед+тің Иванов+тың Ким+нің Тимур+дың Сергей+дің Игорь+дің \
             Данияр+дың Ержан+ның Алмаз+дың Ләззат+тың Ақбота+ның Бауыржан+ның",
        );
        holds(&kazakh, "dative", "Айгүл+ге Нұрлан+ға Бекзат+қа Әсет+ке Ғани+ға Әли+ге Иванов+қа");
        holds(&kazakh, "accusative", "Әлия+ны Асан+ды Дәурен+ді Бекзат+ты Әсет+ті Абай+ды");
        holds(&kazakh, "ablative", "Асан+нан Дәурен+нен Абай+дан Айгүл+ден Марат+тан Әсет+тен");
        holds(&kazakh, "with", "Асан+_мен Алмаз+_бен Бекзат+_пен Айгүл+_мен Әлия+_мен");
    }

    #[test]
    fn kyrgyz_names_take_endings_by_four_harmonies() {
        let kyrgyz = endings(include_str!("../../templates/ky/endings.toml"));
        holds(
            &kyrgyz,
            "genitive",
            "Бакыт+тын Асан+дын Айгүл+дүн Нургүл+дүн Чоро+нун Атай+дын Токтогул+дун Эсен+дин \
             Азамат+тын Айтматов+дун Гүлнара+нын Бермет+тин Үмүт+түн Түгөлбай+дын Мээрим+дин \
             Осмонов+дун Бүбүсайра+нын Нурбек+тин Төлөгөн+дүн Алмазбек+тин Жоомарт+тын Айсулуу+нун \
             Чолпон+дун Эрмек+тин Бегимай+дын Урмат+тын Данияр+дын Өмүр+дүн Мария+нын Али+нин",
        );
        holds(
            &kyrgyz,
            "dative",
            "Бакыт+ка Асан+га Айгүл+гө Чолпон+го Токтогул+га Эсен+ге Эрмек+ке Үмүт+кө Токток+ко",
        );
        holds(&kyrgyz, "accusative", "Асан+ды Бермет+ти Чоро+ну Үмүт+тү Гүлнара+ны Айгүл+дү");
        holds(&kyrgyz, "ablative", "Асан+дан Бермет+тен Чолпон+дон Үмүт+төн Токток+тон");
    }

    #[test]
    fn armenian_names_take_the_article_and_cases_by_their_last_letter() {
        let armenian = endings(include_str!("../../templates/hy/endings.toml"));
        holds(
            &armenian,
            "definite",
            "Արամ+ը Անի+ն Աննա+ն Հայկ+ը Նարե+ն Վարդան+ը Լուսինե+ն Շուշու+ն Կարեն+ը Գրիգոր+ը \
             Մարիամ+ը Տիգրան+ը Սոնա+ն Դավիթ+ը Վանո+ն Թամարա+ն Արմեն+ը Հասմիկ+ը Սերգեյ+ը Աստղիկ+ը \
             Նարեկ+ը Միլենա+ն Ռուբեն+ը Զարուհի+ն Գոհար+ը Սուրեն+ը Արփի+ն Լևոն+ը Կարո+ն Մհեր+ը",
        );
        holds(&armenian, "genitive", "Արամ+ի Անի+ի Աննա+յի Վանո+յի Հայկ+ի");
        holds(&armenian, "dative", "Արամ+ին Անի+ին Աննա+յին Վանո+յին Հայկ+ին");
        holds(&armenian, "ablative", "Արամ+ից Աննա+յից");
    }

    #[test]
    fn behind_foreign_letters_digits_and_signs_stands_a_hyphen() {
        let kazakh = endings(include_str!("../../templates/kk/endings.toml"));
        let hyphened = "Ann+-ға Kate+-ге Bob+-қа Ali+-ге Ойыншы_2+-ге Ойыншы_3+-ке Ойыншы_10+-ға \
             Ойыншы_40+-қа Нұр_100+-ге Айгүл🌸+-ге Айгүл!+-ге 🌸+-ге Արամ+-ге";
        holds(&kazakh, "dative", hyphened);
        holds(&kazakh, "with", "Bob+_пен Ann+_мен");
        let armenian = endings(include_str!("../../templates/hy/endings.toml"));
        holds(&armenian, "definite", "Ann+-ը Anna+-ն Бек+-ը Խաղացող_2+-ն Խաղացող_3+-ը 🌸+-ը");
        // Direction marks are invisible.
        assert_eq!(kazakh.ending_for("dative", &name_tail("\u{2068}Айгүл\u{2069}")), "ге");
        assert_eq!(NameEndings::default().ending_for("dative", &name_tail("Ann")), "");
    }
}
