//! Turns a [`Text`] into words of one language, and knows the words that people type.
//!
//! Everything of a language lies in its folder under `templates`: `language.toml` says what it is,
//! `*.ftl` what is said, `*input.toml` what is understood, `page.toml` what stands on the page.
//! Folders are found when the program is built; adding one touches nothing else.
//!
//! What is said are Fluent files. Besides Fluent's own syntax they may
//! use `<b>…</b>` and `<code>…</code>`. Arguments are never parsed as markup or as Fluent.

mod lang;
mod page;
mod typed;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

pub use self::lang::{Direction, Folder, Lang, Late, add};
pub use self::page::page_words;
pub use self::typed::{vocabulary, vocabulary_of};

use crate::words::{Arg, Rich, Span, Text};

/// Opens a marked place where an argument goes; closed by [`CLOSE`]. Private-use characters that
/// no template and, after cleaning, no argument contains.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

static SHOWN: LazyLock<I18n> = LazyLock::new(I18n::new);

/// A text as it stands on buttons and in menus, in every language: what is shown has to be
/// understood as well.
pub fn in_all_languages(text: &Text) -> Vec<String> {
    Lang::all().iter().map(|lang| SHOWN.plain(*lang, text)).collect()
}

/// Whether there are words for this key.
pub fn is_said(key: &str) -> bool {
    SHOWN.has(Lang::default(), key)
}

/// All languages, read once.
pub struct I18n {
    bundles: Vec<FluentBundle<FluentResource>>,
}

impl I18n {
    /// Reads the embedded templates.
    ///
    /// # Panics
    /// When a template is not valid Fluent; a test reads them all.
    pub fn new() -> Self {
        Self { bundles: Lang::all().iter().copied().map(bundle).collect() }
    }

    /// Says a text in a language; in the languages it falls back to where a translation is missing.
    pub fn say(&self, lang: Lang, text: &Text) -> Rich {
        let mut pieces = Pieces::default();
        let formatted = self.format(lang, text, &mut pieces);
        pieces.unfold(&formatted)
    }

    /// The same without markup.
    pub fn plain(&self, lang: Lang, text: &Text) -> String {
        self.say(lang, text).to_plain()
    }

    /// Whether a language has a message of its own for this key.
    pub fn has(&self, lang: Lang, key: &str) -> bool {
        self.bundle(lang).has_message(key)
    }

    fn bundle(&self, lang: Lang) -> &FluentBundle<FluentResource> {
        &self.bundles[lang.index()]
    }

    fn format(&self, lang: Lang, text: &Text, pieces: &mut Pieces) -> String {
        let mut args = FluentArgs::new();
        for (name, arg) in &text.args {
            let value = match arg {
                Arg::Number(number) => FluentValue::from(*number),
                other => FluentValue::String(Cow::Owned(self.piece(lang, other, pieces))),
            };
            args.set(name.as_ref(), value);
        }
        self.message(lang, &text.key, &args)
    }

    /// A message with arguments that are said already.
    fn message(&self, lang: Lang, key: &str, args: &FluentArgs<'_>) -> String {
        let found = lang.chain().find(|it| self.has(*it, key)).unwrap_or_default();
        let bundle = self.bundle(found);
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, "no such message");
            return key.to_owned();
        };
        let mut errors = Vec::new();
        let said = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "message with errors");
        }
        said
    }

    fn piece(&self, lang: Lang, arg: &Arg, pieces: &mut Pieces) -> String {
        match arg {
            Arg::Number(number) => number.to_string(),
            Arg::Plain(text) => pieces.fold(Span::Plain(text.clone())),
            Arg::Mention { person, name } => {
                pieces.fold(Span::Mention { person: person.clone(), name: name.clone() })
            }
            Arg::Seat(seat) => pieces.fold(Span::Plain(format!("#{}", seat + 1))),
            Arg::Text(text) => self.format(lang, text, pieces),
            Arg::List(items) => {
                let said: Vec<_> = items.iter().map(|it| self.piece(lang, it, pieces)).collect();
                said.join(", ")
            }
            Arg::Names(items) => {
                let mut said: Vec<_> =
                    items.iter().map(|it| self.piece(lang, it, pieces)).collect();
                let last = said.pop().unwrap_or_default();
                if said.is_empty() {
                    return last;
                }
                let mut both = FluentArgs::new();
                both.set("first", said.join(", "));
                both.set("last", last);
                self.message(lang, "list-and", &both)
            }
        }
    }
}

impl Default for I18n {
    fn default() -> Self {
        Self::new()
    }
}

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let id: LanguageIdentifier = lang.code().parse().expect("codes are valid");
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Isolation marks would stand as odd characters in captions and on pictures.
    bundle.set_use_isolating(false);
    for (_, source) in lang.files().filter(|(name, _)| name.ends_with(".ftl")) {
        let resource = FluentResource::try_new(source.to_owned())
            .unwrap_or_else(|(_, errors)| panic!("template of {}: {errors:?}", lang.code()));
        bundle
            .add_resource(resource)
            .unwrap_or_else(|errors| panic!("template of {}: {errors:?}", lang.code()));
    }
    bundle
}

/// Arguments set aside while Fluent formats, so that nothing in them is taken for markup.
#[derive(Default)]
struct Pieces(Vec<Span>);

impl Pieces {
    fn fold(&mut self, span: Span) -> String {
        self.0.push(span);
        let mut mark = String::from(OPEN);
        let _ = write!(mark, "{}", self.0.len() - 1);
        mark.push(CLOSE);
        mark
    }

    fn unfold(&self, text: &str) -> Rich {
        let mut rich = Vec::new();
        let mut rest = text;
        while let Some((before, tag, inner, after)) = first_tag(rest) {
            self.run(before, Span::Plain, &mut rich);
            match tag {
                "b" => self.run(inner, Span::Bold, &mut rich),
                _ => self.run(inner, Span::Code, &mut rich),
            }
            rest = after;
        }
        self.run(rest, Span::Plain, &mut rich);
        Rich(rich)
    }

    /// Pushes a run of text in one style, with the arguments put back into their places.
    fn run(&self, text: &str, style: fn(String) -> Span, rich: &mut Vec<Span>) {
        let mut words = String::new();
        let mut rest = text;
        while let Some((before, marked)) = rest.split_once(OPEN) {
            words.push_str(before);
            let (number, after) = marked.split_once(CLOSE).unwrap_or((marked, ""));
            match number.parse::<usize>().ok().and_then(|it| self.0.get(it)) {
                Some(Span::Mention { person, name }) => {
                    flush(&mut words, style, rich);
                    rich.push(Span::Mention { person: person.clone(), name: name.clone() });
                }
                Some(span) => words.push_str(span.text()),
                None => {}
            }
            rest = after;
        }
        words.push_str(rest);
        flush(&mut words, style, rich);
    }
}

fn flush(words: &mut String, style: fn(String) -> Span, rich: &mut Vec<Span>) {
    if !words.is_empty() {
        rich.push(style(std::mem::take(words)));
    }
}

/// The first `<b>…</b>` or `<code>…</code>`: before, name, inside, after.
fn first_tag(text: &str) -> Option<(&str, &'static str, &str, &str)> {
    ["b", "code"]
        .into_iter()
        .filter_map(|tag| {
            let (before, rest) = text.split_once(&format!("<{tag}>"))?;
            let (inner, after) = rest.split_once(&format!("</{tag}>"))?;
            Some((before, tag, inner, after))
        })
        .min_by_key(|(before, ..)| before.len())
}
