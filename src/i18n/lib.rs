//! Turns a [`Text`] into words of one language, and knows the words that people type.
//!
//! Everything of a language lies in its folder under `templates`: `language.toml` says what it is,
//! `*.ftl` what is said, `*input.toml` what is understood, `page.toml` what stands on the page.
//! Folders are found when the program is built; adding one touches nothing else.
//!
//! What is said are Fluent files. Besides Fluent's own syntax they may
//! use `<b>…</b>` and `<code>…</code>`, and `CASE($name, "dative")` for a name with the ending
//! that `endings.toml` gives it. Arguments are never parsed as markup or as Fluent.

mod endings;
mod lang;
mod page;
mod typed;

use std::borrow::Cow;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use self::endings::{Endings, tail};

pub use self::lang::{Direction, Folder, Lang, Late, add};
pub use self::page::page_words;
pub use self::typed::{vocabulary, vocabulary_of};

use caravanserai_games::words::{Arg, Rich, Span, Text};

/// Opens a marked place where an argument goes; closed by [`CLOSE`]. Private-use characters that
/// no template and, after cleaning, no argument contains.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';
/// Within a marked place, before the end of what stands there: endings follow from it.
const TAIL: char = '\u{e002}';

/// The templates of all languages, read once a process: that takes a while.
static BUNDLES: LazyLock<Vec<FluentBundle<FluentResource>>> =
    LazyLock::new(|| Lang::all().iter().copied().map(bundle).collect());

/// A text as it stands on buttons and in menus, in every language: what is shown has to be
/// understood as well.
pub fn in_all_languages(text: &Text) -> Vec<String> {
    let i18n = I18n::new();
    Lang::all().iter().map(|lang| i18n.plain(*lang, text)).collect()
}

/// Whether there are words for this key.
pub fn is_said(key: &str) -> bool {
    I18n::new().has(Lang::default(), key)
}

/// All languages.
pub struct I18n {
    bundles: &'static [FluentBundle<FluentResource>],
}

impl I18n {
    /// Reads the embedded templates, unless that has been done.
    ///
    /// # Panics
    /// When a template is not valid Fluent; a test reads them all.
    pub fn new() -> Self {
        Self { bundles: &BUNDLES }
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
            Arg::Plain(text) => {
                let said = pieces.fold(Span::Plain(text.clone()));
                isolated(text, said)
            }
            Arg::Mention { person, name } => {
                let span = Span::Mention { person: person.clone(), name: name.clone() };
                let said = pieces.fold(span);
                isolated(name, said)
            }
            Arg::Time(moment) => {
                let away = match &moment.away {
                    Some(away) => self.plain(lang, away),
                    None => moment.of_day(),
                };
                pieces.fold(Span::Time { at_ms: moment.at_ms, day: moment.day, away })
            }
            Arg::Seat(seat) => pieces.fold(Span::Plain(format!("#{}", seat + 1))),
            Arg::Text(text) => self.format(lang, text, pieces),
            Arg::List(items) => self.pieces(lang, items, pieces).join(", "),
            Arg::Row(items) => self.pieces(lang, items, pieces).join(" "),
            Arg::Names(items) => {
                let mut said = self.pieces(lang, items, pieces);
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

    fn pieces(&self, lang: Lang, items: &[Arg], pieces: &mut Pieces) -> Vec<String> {
        items.iter().map(|it| self.piece(lang, it, pieces)).collect()
    }
}

/// Keeps what is written from right to left from changing places with the numbers after it: what
/// is said is put between the marks of a part that finds its direction by itself.
fn isolated(text: &str, said: String) -> String {
    if text.chars().any(is_right_to_left) { format!("\u{2068}{said}\u{2069}") } else { said }
}

/// Whether a letter belongs to a script that is written from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

impl Default for I18n {
    fn default() -> Self {
        Self::new()
    }
}

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let id: LanguageIdentifier = lang.code().parse().expect("codes are valid");
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Only what is written from right to left is isolated, see [`isolated`].
    bundle.set_use_isolating(false);
    let endings = endings(lang);
    bundle
        .add_function("CASE", move |args, _| inflected(&endings, args))
        .expect("the only function of this name");
    for (_, source) in lang.files().filter(|(name, _)| name.ends_with(".ftl")) {
        let resource = FluentResource::try_new(source.to_owned())
            .unwrap_or_else(|(_, errors)| panic!("template of {}: {errors:?}", lang.code()));
        bundle
            .add_resource(resource)
            .unwrap_or_else(|errors| panic!("template of {}: {errors:?}", lang.code()));
    }
    bundle
}

/// The endings of a language, none for one that has none.
fn endings(lang: Lang) -> Endings {
    let file = lang.files().find(|it| it.0 == "endings.toml").map(|it| it.1);
    file.map_or_else(Endings::default, |file| {
        toml::from_str(file).unwrap_or_else(|wrong| panic!("{}/endings.toml: {wrong}", lang.code()))
    })
}

/// A name with the ending of a case, for templates: `CASE($name, "dative")`.
fn inflected<'a>(endings: &Endings, args: &[FluentValue<'a>]) -> FluentValue<'a> {
    let (name, case) = match args {
        [FluentValue::String(name), FluentValue::String(case)] => (name.to_string(), case),
        [FluentValue::Number(name), FluentValue::String(case)] => (name.as_string().into(), case),
        _ => return FluentValue::Error,
    };
    let bare = ["</b>", "</code>"]
        .into_iter()
        .fold(name.as_str(), |it, tag| it.strip_suffix(tag).unwrap_or(it));
    let marked = bare.strip_suffix(CLOSE).and_then(|it| it.rsplit_once(TAIL));
    let tail = marked.map_or_else(|| tail(bare), |it| it.1.to_owned());
    FluentValue::from(format!("{name}{}", endings.ending(case, &tail)))
}

/// Arguments set aside while Fluent formats, so that nothing in them is taken for markup.
#[derive(Default)]
struct Pieces(Vec<Span>);

impl Pieces {
    fn fold(&mut self, span: Span) -> String {
        let mark = format!("{OPEN}{}{TAIL}{}{CLOSE}", self.0.len(), tail(span.text()));
        self.0.push(span);
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
            let number = number.split_once(TAIL).map_or(number, |it| it.0);
            match number.parse::<usize>().ok().and_then(|it| self.0.get(it)) {
                Some(Span::Mention { person, name }) => {
                    flush(&mut words, style, rich);
                    rich.push(Span::Mention { person: person.clone(), name: name.clone() });
                }
                Some(time @ Span::Time { .. }) => {
                    flush(&mut words, style, rich);
                    rich.push(time.clone());
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
