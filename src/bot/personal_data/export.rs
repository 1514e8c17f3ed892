//! Makes the archive with everything that is stored about a person.

use std::collections::{BTreeSet, HashMap};
use std::io::{Cursor, Write};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::parts::PARTS;
use crate::delivery::account_stores::AccountStores;
use crate::repository::{Failure, Repository, utc_date};
use crate::results::row_formats::HistoryEntry;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::text::Text;
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::{Attachment, Platform};
use caravanserai_store::StoreError;

/// The version of the form of `account.json`. It increases when a reader of an older version would
/// misunderstand it.
const EXPORT_FORMAT: u32 = 1;

/// The name of the file for programs.
const JSON_NAME: &str = "account.json";

/// The name of the file for people.
const README_NAME: &str = "README.txt";

/// The most games of a person in an export, the latest first.
pub(crate) const EXPORTED_HISTORY_MAX: usize = 50_000;

/// Where parts read what they export.
pub struct ExportSource<'a> {
    /// The store.
    pub repository: &'a Repository,
    /// The person.
    pub person: &'a PersonId,
    /// All their accounts, that of the person first.
    pub accounts: Vec<PersonId>,
    /// The private chats that are known: the one in which the person asked for it, and those where
    /// they have written.
    pub own_chats: BTreeSet<ChatId>,
    /// Their finished games, the latest first.
    pub history: Vec<HistoryEntry>,
    /// The connected platforms by name.
    pub platforms: HashMap<&'static str, Arc<dyn Platform>>,
    /// The data that platforms store themselves.
    pub account_stores: AccountStores,
}

impl ExportSource<'_> {
    /// The private chats with the person that are known without opening one.
    pub fn private_chats(&self) -> BTreeSet<ChatId> {
        let derived = self.accounts.iter().filter_map(|it| {
            self.platforms.get(it.platform())?.private_chats()?.derived_private_chat(it)
        });
        let stored = self.accounts.iter().flat_map(|it| self.account_stores.private_chats_of(it));
        derived.chain(stored).chain(self.own_chats.iter().cloned()).collect()
    }
}

/// An export in the making.
#[derive(Default)]
pub struct PersonalExport {
    sections: Map<String, Value>,
    files: Vec<(String, String)>,
    notes: Vec<Text>,
}

impl PersonalExport {
    /// Adds an item to a section of the file for programs.
    pub fn add(&mut self, section: &str, item: Value) {
        let list = self.sections.entry(section.to_owned()).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(item);
        }
    }

    /// Adds a file for people.
    pub fn add_file(&mut self, name: String, text: String) {
        self.files.push((name, text));
    }

    /// Adds a sentence to the file that explains the others.
    pub fn add_note(&mut self, note: Text) {
        self.notes.push(note);
    }
}

/// Makes the archive of a person, with texts in their language.
///
/// # Errors
/// When the store cannot be read.
pub async fn export_archive(
    source: &ExportSource<'_>,
    i18n: &I18n,
    lang: Lang,
) -> Result<Attachment, Failure> {
    let now_ms = source.repository.now_ms();
    let mut export = PersonalExport::default();
    for part in PARTS {
        part.export(source, &mut export).await?;
    }
    let PersonalExport { sections, files, notes } = export;
    let mut document = Map::new();
    document.insert("format".to_owned(), json!(EXPORT_FORMAT));
    document.insert("exported_ms".to_owned(), json!(now_ms));
    document.insert("accounts".to_owned(), json!(source.accounts));
    document.extend(sections);
    let json = serde_json::to_vec_pretty(&document).expect("JSON values serialize");
    let mut entries = vec![
        (README_NAME.to_owned(), readme(i18n, lang, now_ms, &notes).into_bytes()),
        (JSON_NAME.to_owned(), json),
    ];
    entries.extend(files.into_iter().map(|(name, text)| (name, text.into_bytes())));
    let bytes = write_zip(&entries).map_err(|error| {
        let why = format!("an export could not be packed: {error}");
        Failure::Store(StoreError::Failed(why))
    })?;
    Ok(Attachment::document(format!("caravanserai-{}.zip", utc_date(now_ms)), Arc::new(bytes)))
}

/// Explains the files and each part of the data.
fn readme(i18n: &I18n, lang: Lang, now_ms: u64, notes: &[Text]) -> String {
    let line = |text: &Text| i18n.translate(lang, text).to_plain();
    let date = utc_date(now_ms).to_string();
    let title = Text::new("answer-data-title").with("date", date.as_str());
    let mut lines = vec![line(&title), String::new(), line(&Text::new("answer-data-files"))];
    lines.extend(notes.iter().map(line));
    lines.push(String::new());
    lines.extend(PARTS.iter().map(|it| format!("- {}", line(&Text::new(it.about())))));
    lines.push(String::new());
    lines.join("\n")
}

/// Packs files into a ZIP archive.
fn write_zip(entries: &[(String, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        zip.start_file(name.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
