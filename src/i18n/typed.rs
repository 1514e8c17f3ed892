//! The words that people type, from the folders of all languages.

use std::sync::LazyLock;

use super::Lang;
use caravanserai_games::input::Vocabulary;

struct Typed {
    by_language: Vec<Vocabulary>,
    all: Vocabulary,
}

static TYPED: LazyLock<Typed> = LazyLock::new(|| {
    let mut all = Vocabulary::default();
    let by_language: Vec<Vocabulary> = Lang::all().iter().map(|lang| read(*lang)).collect();
    by_language.iter().for_each(|it| all.add(it));
    all.widen();
    Typed { by_language, all }
});

/// # Panics
/// When a file is not made as it should be; a test reads them all.
fn read(lang: Lang) -> Vocabulary {
    let mut words = Vocabulary::default();
    for (name, file) in lang.files() {
        words.read(name, file).unwrap_or_else(|wrong| panic!("{}/{name}: {wrong}", lang.code()));
    }
    words
}

/// What is understood, whatever language somebody speaks.
pub fn vocabulary() -> &'static Vocabulary {
    &TYPED.all
}

/// What is understood of one language.
pub fn vocabulary_of(lang: Lang) -> &'static Vocabulary {
    &TYPED.by_language[lang.index()]
}
