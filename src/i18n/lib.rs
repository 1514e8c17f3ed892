//! Translates a [`Text`] into one language, and provides the vocabularies of typed input.
//!
//! Everything about a language is in its folder under `templates`: `language.toml` describes it,
//! `*.ftl` has the bot's messages, `*input.toml` the understood words, `page*.toml` the texts of
//! the web page, and `*.md` the documents that it shows. The build finds the folders; adding a
//! language changes nothing else.
//!
//! Messages are Fluent files. Besides Fluent's own syntax they may use `<b>…</b>` and
//! `<code>…</code>`, and `CASE($name, "dative")` for a name with the ending from `endings.toml`.
//! Arguments are never parsed as markup or as Fluent.

mod documents;
mod language;
mod name_endings;
mod vocabularies;
mod webchat_page;

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use self::name_endings::{NameEndings, name_tail};

pub use self::documents::Document;
pub use self::language::{Direction, Lang, LanguageFolder, LanguagesAlreadyRead, add_languages};
pub use self::vocabularies::{vocabulary, vocabulary_of};
pub use self::webchat_page::{webchat_page_scripts, webchat_page_word};

use caravanserai_games::text::{Arg, RichSpan, RichText, Text};

/// Begins the placeholder of an argument; [`ARGUMENT_CLOSE`] ends it. Both are private-use
/// characters that no template has, nor any argument after cleaning.
const ARGUMENT_OPEN: char = '\u{e000}';
const ARGUMENT_CLOSE: char = '\u{e001}';
/// Separates the end of the argument's text within a placeholder: name endings depend on that end.
const TAIL_SEPARATOR: char = '\u{e002}';

/// The templates of all languages, parsed once per process because that takes a while.
static BUNDLES: LazyLock<Vec<FluentBundle<FluentResource>>> =
    LazyLock::new(|| Lang::all().iter().copied().map(load_bundle).collect());

/// Returns the text of buttons and menus in every language: the bot has to understand each text
/// that it shows.
pub fn translations(text: &Text) -> Vec<String> {
    let i18n = I18n::new();
    Lang::all().iter().map(|lang| i18n.translate_plain(*lang, text)).collect()
}

/// Whether there is a message for this key.
pub fn has_message_key(key: &str) -> bool {
    I18n::new().has_message(Lang::default(), key)
}

/// All languages.
pub struct I18n {
    bundles: &'static [FluentBundle<FluentResource>],
}

impl I18n {
    /// Parses the embedded templates, unless that has been done.
    ///
    /// # Panics
    /// When a template is not valid Fluent; a test parses them all.
    pub fn new() -> Self {
        Self { bundles: &BUNDLES }
    }

    /// Translates a text; uses the fallback languages where a translation is missing.
    pub fn translate(&self, lang: Lang, text: &Text) -> RichText {
        let mut pieces = ArgumentSpans::default();
        let formatted = self.format_text(lang, text, &mut pieces);
        pieces.to_rich(&formatted)
    }

    /// Translates a text without markup.
    pub fn translate_plain(&self, lang: Lang, text: &Text) -> String {
        self.translate(lang, text).to_plain()
    }

    /// Whether a language has a message of its own for this key.
    pub fn has_message(&self, lang: Lang, key: &str) -> bool {
        self.bundle(lang).has_message(key)
    }

    fn bundle(&self, lang: Lang) -> &FluentBundle<FluentResource> {
        &self.bundles[lang.index()]
    }

    fn format_text(&self, lang: Lang, text: &Text, pieces: &mut ArgumentSpans) -> String {
        let mut args = FluentArgs::new();
        for (name, arg) in &text.args {
            let value = match arg {
                Arg::Number(number) => FluentValue::from(*number),
                other => FluentValue::String(Cow::Owned(self.format_argument(lang, other, pieces))),
            };
            args.set(name.as_ref(), value);
        }
        self.format_message(lang, &text.key, &args)
    }

    /// Formats a message with arguments that are translated already.
    fn format_message(&self, lang: Lang, key: &str, args: &FluentArgs<'_>) -> String {
        let found = lang.fallback_chain().find(|it| self.has_message(*it, key)).unwrap_or_default();
        let bundle = self.bundle(found);
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, "no message has this key");
            return key.to_owned();
        };
        let mut errors = Vec::new();
        let formatted = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "failed to format a message without errors");
        }
        formatted
    }

    fn format_argument(&self, lang: Lang, arg: &Arg, pieces: &mut ArgumentSpans) -> String {
        match arg {
            Arg::Number(number) => number.to_string(),
            Arg::Plain(text) => {
                let formatted = pieces.put(RichSpan::Plain(text.clone()));
                isolate_direction(text, formatted)
            }
            Arg::Mention { person, name } => {
                let span = RichSpan::Mention { person: person.clone(), name: name.clone() };
                let formatted = pieces.put(span);
                isolate_direction(name, formatted)
            }
            Arg::Time(moment) => {
                let away = match &moment.away {
                    Some(away) => self.translate_plain(lang, away),
                    None => moment.utc_time_of_day(),
                };
                pieces.put(RichSpan::Time { at_ms: moment.at_ms, day: moment.day, away })
            }
            Arg::Seat(seat) => pieces.put(RichSpan::Plain(format!("#{}", seat + 1))),
            Arg::Text(text) => self.format_text(lang, text, pieces),
            Arg::List(items) => self.format_arguments(lang, items, pieces).join(", "),
            Arg::Row(items) => self.format_arguments(lang, items, pieces).join(" "),
            Arg::Names(items) => {
                let mut formatted = self.format_arguments(lang, items, pieces);
                let last = formatted.pop().unwrap_or_default();
                if formatted.is_empty() {
                    return last;
                }
                let mut both = FluentArgs::new();
                both.set("first", formatted.join(", "));
                both.set("last", last);
                self.format_message(lang, "list-and", &both)
            }
        }
    }

    fn format_arguments(
        &self,
        lang: Lang,
        items: &[Arg],
        pieces: &mut ArgumentSpans,
    ) -> Vec<String> {
        items.iter().map(|it| self.format_argument(lang, it, pieces)).collect()
    }
}

/// Keeps right-to-left text from changing places with the numbers after it: the text is enclosed in
/// marks that isolate its direction.
fn isolate_direction(text: &str, formatted: String) -> String {
    if text.chars().any(is_right_to_left) {
        format!("\u{2068}{formatted}\u{2069}")
    } else {
        formatted
    }
}

/// Whether a letter belongs to a right-to-left script.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

impl Default for I18n {
    fn default() -> Self {
        Self::new()
    }
}

fn load_bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let id: LanguageIdentifier = lang.code().parse().expect("language codes are valid identifiers");
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Only right-to-left text is isolated, see [`isolate_direction`].
    bundle.set_use_isolating(false);
    let endings = load_endings(lang);
    bundle
        .add_function("CASE", move |args, _| inflect_name(&endings, args))
        .expect("CASE is registered once per bundle");
    for (_, source) in lang.files().filter(|(name, _)| name.ends_with(".ftl")) {
        let resource = FluentResource::try_new(source.to_owned())
            .unwrap_or_else(|(_, errors)| panic!("template of {}: {errors:?}", lang.code()));
        bundle
            .add_resource(resource)
            .unwrap_or_else(|errors| panic!("template of {}: {errors:?}", lang.code()));
    }
    bundle
}

/// The name endings of a language; none for a language without endings.
fn load_endings(lang: Lang) -> NameEndings {
    let file = lang.files().find(|it| it.0 == "endings.toml").map(|it| it.1);
    file.map_or_else(NameEndings::default, |file| {
        toml::from_str(file).unwrap_or_else(|error| panic!("{}/endings.toml: {error}", lang.code()))
    })
}

/// Returns a name with the ending of a case, for templates: `CASE($name, "dative")`.
fn inflect_name<'a>(endings: &NameEndings, args: &[FluentValue<'a>]) -> FluentValue<'a> {
    let (name, case) = match args {
        [FluentValue::String(name), FluentValue::String(case)] => (name.to_string(), case),
        [FluentValue::Number(name), FluentValue::String(case)] => (name.as_string().into(), case),
        _ => return FluentValue::Error,
    };
    let bare = ["</b>", "</code>"]
        .into_iter()
        .fold(name.as_str(), |it, tag| it.strip_suffix(tag).unwrap_or(it));
    let marked = bare.strip_suffix(ARGUMENT_CLOSE).and_then(|it| it.rsplit_once(TAIL_SEPARATOR));
    let tail = marked.map_or_else(|| name_tail(bare), |it| it.1.to_owned());
    FluentValue::from(format!("{name}{}", endings.ending_for(case, &tail)))
}

/// Arguments replaced by placeholders while Fluent formats, so that nothing in them is parsed as
/// markup.
#[derive(Default)]
struct ArgumentSpans(Vec<RichSpan>);

impl ArgumentSpans {
    fn put(&mut self, span: RichSpan) -> String {
        let mark = format!(
            "{ARGUMENT_OPEN}{}{TAIL_SEPARATOR}{}{ARGUMENT_CLOSE}",
            self.0.len(),
            name_tail(span.text())
        );
        self.0.push(span);
        mark
    }

    fn to_rich(&self, text: &str) -> RichText {
        let mut rich = Vec::new();
        let mut rest = text;
        while let Some((before, tag, inner, after)) = first_tag(rest) {
            self.push_run(before, RichSpan::Plain, &mut rich);
            match tag {
                "b" => self.push_run(inner, RichSpan::Bold, &mut rich),
                _ => self.push_run(inner, RichSpan::Code, &mut rich),
            }
            rest = after;
        }
        self.push_run(rest, RichSpan::Plain, &mut rich);
        RichText(rich)
    }

    /// Pushes a run of text in one style, with the arguments put back in place.
    fn push_run(&self, text: &str, style: fn(String) -> RichSpan, rich: &mut Vec<RichSpan>) {
        let mut words = String::new();
        let mut rest = text;
        while let Some((before, marked)) = rest.split_once(ARGUMENT_OPEN) {
            words.push_str(before);
            let (number, after) = marked.split_once(ARGUMENT_CLOSE).unwrap_or((marked, ""));
            let number = number.split_once(TAIL_SEPARATOR).map_or(number, |it| it.0);
            match number.parse::<usize>().ok().and_then(|it| self.0.get(it)) {
                Some(RichSpan::Mention { person, name }) => {
                    flush_words(&mut words, style, rich);
                    rich.push(RichSpan::Mention { person: person.clone(), name: name.clone() });
                }
                Some(time @ RichSpan::Time { .. }) => {
                    flush_words(&mut words, style, rich);
                    rich.push(time.clone());
                }
                Some(span) => words.push_str(span.text()),
                None => {}
            }
            rest = after;
        }
        words.push_str(rest);
        flush_words(&mut words, style, rich);
    }
}

fn flush_words(words: &mut String, style: fn(String) -> RichSpan, rich: &mut Vec<RichSpan>) {
    if !words.is_empty() {
        rich.push(style(std::mem::take(words)));
    }
}

/// Splits at the first `<b>…</b>` or `<code>…</code>`: before, name, inside, after.
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
