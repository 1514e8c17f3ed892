//! Finds the documents for people: Markdown files in the folders of the languages.

use super::Lang;

/// A document for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// How to play and what the bot can do.
    Manual,
    /// The data that is kept about people, for how long, and how they delete it.
    Privacy,
}

impl Document {
    /// All documents.
    pub const ALL: [Document; 2] = [Document::Manual, Document::Privacy];

    /// The name: of its file without the ending, of its page, and of its texts in `page.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Document::Manual => "manual",
            Document::Privacy => "privacy",
        }
    }

    /// Returns the Markdown text for readers of this language, and the language that it is written
    /// in: the first of the fallback languages that has the document.
    ///
    /// # Panics
    /// When no language has it; a test reads them all.
    pub fn text_for(self, reader: Lang) -> (Lang, &'static str) {
        let text = |lang: Lang| {
            let file = lang.files().find(|it| it.0.strip_suffix(".md") == Some(self.name()))?;
            Some((lang, file.1))
        };
        let found = reader.fallback_chain().find_map(text);
        found.expect("the first language has every document")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_gets_every_document_in_one_of_their_languages() {
        for lang in Lang::all().iter().copied() {
            for document in Document::ALL {
                let (written, text) = document.text_for(lang);
                assert!(lang.fallback_chain().any(|it| it == written));
                assert!(text.starts_with("# "), "{} in {}", document.name(), written.code());
            }
        }
    }
}
