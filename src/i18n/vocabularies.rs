//! Loads the vocabularies of typed input from the folders of all languages.

use std::sync::LazyLock;

use super::Lang;
use caravanserai_games::vocabulary::Vocabulary;

struct Vocabularies {
    by_language: Vec<Vocabulary>,
    all: Vocabulary,
}

static VOCABULARIES: LazyLock<Vocabularies> = LazyLock::new(|| {
    let mut all = Vocabulary::default();
    let by_language: Vec<Vocabulary> =
        Lang::all().iter().map(|lang| load_vocabulary(*lang)).collect();
    by_language.iter().for_each(|it| all.merge(it));
    all.add_loose_spellings();
    Vocabularies { by_language, all }
});

/// # Panics
/// When a file is not made as it should be; a test reads them all.
fn load_vocabulary(lang: Lang) -> Vocabulary {
    let mut words = Vocabulary::default();
    for (name, file) in lang.files() {
        words
            .read_file(name, file)
            .unwrap_or_else(|error| panic!("{}/{name}: {error}", lang.code()));
    }
    words
}

/// The vocabulary of all languages together.
pub fn vocabulary() -> &'static Vocabulary {
    &VOCABULARIES.all
}

/// The vocabulary of one language.
pub fn vocabulary_of(lang: Lang) -> &'static Vocabulary {
    &VOCABULARIES.by_language[lang.index()]
}
