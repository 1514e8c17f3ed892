//! The one table of commands in the words of each platform's menus.

#[cfg(feature = "telegram")]
use std::sync::Arc;

use caravanserai_games::words::Text;
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::commands::{self, COMMANDS, Spec, Verb};
#[cfg(feature = "telegram")]
use caravanserai_telegram::{Phrasebook, Words};
use caravanserai_webchat as web;

/// Says a key in every language: (language, words).
fn in_all(i18n: &I18n, key: &str) -> Vec<(Lang, String)> {
    let say = |lang| (lang, i18n.plain(lang, &Text::new(key.to_owned())));
    Lang::all().iter().copied().map(say).collect()
}

fn about(i18n: &I18n, spec: &Spec) -> Vec<(Lang, String)> {
    in_all(i18n, &format!("command-{}", spec.name))
}

/// The commands for suggestions in the built-in chat.
pub fn web(i18n: &I18n) -> Vec<web::Command> {
    let command = |spec: &Spec| web::Command {
        name: spec.name.to_owned(),
        aliases: spec.aliases.iter().map(|it| (*it).to_owned()).collect(),
        wording: about(i18n, spec)
            .into_iter()
            .map(|(lang, about)| web::Wording {
                language: lang.code().to_owned(),
                arguments: commands::arguments(spec, &|it| i18n.plain(lang, it)),
                about,
            })
            .collect(),
    };
    // Whoever reads this is on the page.
    COMMANDS.iter().filter(|it| listed(it, false)).map(command).collect()
}

/// Whether a command stands in menus; `public`: whether boards can be opened on a page.
fn listed(spec: &Spec, public: bool) -> bool {
    (spec.in_groups || spec.in_private) && (public || spec.verb != Verb::Page)
}

/// The Telegram adapter's own words in our languages.
#[cfg(feature = "telegram")]
pub fn phrasebook(i18n: &Arc<I18n>) -> Phrasebook {
    let i18n = i18n.clone();
    Arc::new(move |locale| {
        let lang = locale.and_then(Lang::of_locale).unwrap_or_default();
        let say = |key: &'static str| i18n.plain(lang, &Text::new(key));
        Words {
            envelope: say("answer-no-private"),
            addressed: i18n
                .plain(lang, &Text::new("answer-cover").with("name", caravanserai_telegram::NAME)),
            open: say("button-show"),
            not_yours: say("refuse-not-your-answer"),
            expired: say("refuse-answer-gone"),
            nothing: say("hand-inline-nothing"),
        }
    })
}

/// Whether a command only asks: what it is answered is for nobody else. What others have to see,
/// a move, an offer, a table, is said before everybody.
#[cfg(feature = "telegram")]
fn answered_alone(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Text
            | Verb::Flip
            | Verb::Theme
            | Verb::Hand
            | Verb::Hands
            | Verb::Score
            | Verb::Last
            | Verb::Confirm
            | Verb::Pace
            | Verb::Games
            | Verb::Foresee
            | Verb::Notify
            | Verb::Help
            | Verb::Rules
            | Verb::Language
            | Verb::Settings
            | Verb::Vacation
            | Verb::Link
            | Verb::Unlink
            | Verb::Page
    )
}

/// The command lists of Telegram's apps.
#[cfg(feature = "telegram")]
pub fn telegram(i18n: &I18n, public: bool) -> Vec<caravanserai_telegram::MenuCommand> {
    let command = |spec: &Spec| {
        let mut descriptions = vec![(String::new(), about(i18n, spec)[0].1.clone())];
        let said = about(i18n, spec).into_iter();
        descriptions.extend(said.map(|(lang, about)| (lang.code().to_owned(), about)));
        caravanserai_telegram::MenuCommand {
            name: spec.name.to_owned(),
            descriptions,
            in_groups: spec.in_groups && stands_first(spec.verb),
            in_private: spec.in_private,
            is_ephemeral: answered_alone(spec.verb),
        }
    };
    COMMANDS.iter().filter(|it| listed(it, public)).map(command).collect()
}

/// What people look for in a group: the rest stands on buttons there, and behind `/help`.
#[cfg(feature = "telegram")]
fn stands_first(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::Play
            | Verb::Open(_)
            | Verb::Board
            | Verb::Hand
            | Verb::Games
            | Verb::Rules
            | Verb::Language
            | Verb::Settings
            | Verb::Help
    )
}

/// The slash commands of Discord.
#[cfg(feature = "discord")]
pub mod discord {
    use super::{COMMANDS, I18n, Lang, Spec, about, in_all, listed};
    use caravanserai_discord::{Localized, MenuCommand, MenuOption, OptionKind, RIGHTS};
    use caravanserai_games::GameId;
    use caravanserai_games::words::Text;
    use caravanserai_protocol::commands::{Argument, ArgumentKind, Verb};

    fn localized(said: Vec<(Lang, String)>) -> Localized {
        let mut words = Localized::plain(said[0].1.clone());
        for (lang, text) in said.into_iter().skip(1) {
            // Who speaks a language that Discord does not know chooses it with `/language`.
            if let Some(locale) = lang.discord() {
                words = words.and(locale, text);
            }
        }
        words
    }

    /// A text of the adapter itself.
    pub fn text(i18n: &I18n, key: &str) -> Localized {
        localized(in_all(i18n, key))
    }

    /// What people are told where the bot lacks rights.
    pub fn lacking(i18n: &I18n) -> Localized {
        let text = Text::new("answer-lacks-rights").with("rights", RIGHTS);
        let say = |lang: &Lang| (*lang, i18n.plain(*lang, &text));
        localized(Lang::all().iter().map(say).collect())
    }

    /// Every command with its options.
    pub fn menu(i18n: &I18n, public: bool) -> Vec<MenuCommand> {
        let command = |spec: &Spec| MenuCommand {
            name: name(spec),
            description: localized(about(i18n, spec)),
            options: spec.arguments.iter().map(|it| option(i18n, it)).collect(),
            posts: matches!(spec.verb, Verb::Open(_) | Verb::Board),
        };
        COMMANDS.iter().filter(|it| listed(it, public)).map(command).collect()
    }

    /// The first alias of a language is the name in it.
    fn name(spec: &Spec) -> Localized {
        let own = Lang::all().iter().skip(1).filter_map(|lang| {
            let alias = spec.aliases_in(*lang).first()?;
            Some((lang.discord()?, alias.as_str()))
        });
        own.fold(Localized::plain(spec.name), |name, (locale, alias)| name.and(locale, alias))
    }

    fn option(i18n: &I18n, argument: &Argument) -> MenuOption {
        let about = in_all(i18n, &format!("argument-{}", argument.name));
        let kind = match argument.kind {
            ArgumentKind::Person => OptionKind::User,
            ArgumentKind::Offered => OptionKind::Text,
            ArgumentKind::Game => {
                let game = |game: &GameId| {
                    let info = game.info();
                    (info.command.to_owned(), text(i18n, &format!("game-{}", info.code)))
                };
                OptionKind::Choice(GameId::all().iter().map(game).collect())
            }
            ArgumentKind::Language => {
                let own = |lang: &Lang| (lang.code().to_owned(), Localized::plain(lang.listed()));
                OptionKind::Choice(Lang::all().iter().map(own).collect())
            }
            ArgumentKind::Choice(words) => OptionKind::Choice(
                words
                    .iter()
                    .map(|it| ((*it).to_owned(), text(i18n, &format!("choice-{it}"))))
                    .collect(),
            ),
        };
        MenuOption {
            name: Localized::plain(argument.name),
            description: localized(about),
            kind,
            required: argument.required,
            // With its name, a value that is not a clock can be refused as such.
            named: argument.name == "clock",
        }
    }
}
