//! Builds the command menus of each platform from the one table of commands.

#[cfg(feature = "telegram")]
use std::sync::Arc;

use caravanserai_bot::commands;
use caravanserai_bot::commands::{COMMANDS, CommandSpec};
#[cfg(feature = "telegram")]
use caravanserai_games::GameId;
#[cfg(feature = "telegram")]
use caravanserai_games::text::Arg;
use caravanserai_games::text::Text;
use caravanserai_i18n::{I18n, Lang};
#[cfg(feature = "telegram")]
use caravanserai_telegram::{TelegramTexts, TelegramTextsFor};
use caravanserai_webchat as web;

/// Renders a text in every language: (language, text).
fn text_in_all_languages(i18n: &I18n, key: &str) -> Vec<(Lang, String)> {
    let say = |lang| (lang, i18n.translate_plain(lang, &Text::new(key.to_owned())));
    Lang::all().iter().copied().map(say).collect()
}

fn command_descriptions(i18n: &I18n, spec: &CommandSpec) -> Vec<(Lang, String)> {
    text_in_all_languages(i18n, &format!("command-{}", spec.name))
}

/// The commands that the built-in chat suggests.
pub fn webchat_commands(i18n: &I18n) -> Vec<web::SuggestedCommand> {
    let command = |spec: &CommandSpec| web::SuggestedCommand {
        name: spec.name.to_owned(),
        aliases: spec.aliases.iter().map(|it| (*it).to_owned()).collect(),
        wording: command_descriptions(i18n, spec)
            .into_iter()
            .map(|(lang, about)| web::CommandWording {
                language: lang.code().to_owned(),
                arguments: commands::arguments_text(spec, &|it| i18n.translate_plain(lang, it)),
                about,
            })
            .collect(),
    };
    // The user is on the page already, so there is no command to open it.
    COMMANDS.iter().filter(|it| it.is_offered && is_listed(it, false)).map(command).collect()
}

/// Whether a command is listed in menus; `public`: whether boards can be opened on a page.
fn is_listed(spec: &CommandSpec, public: bool) -> bool {
    (spec.in_groups || spec.in_private) && (public || !spec.needs_page)
}

/// The Telegram adapter's own texts in all languages.
#[cfg(feature = "telegram")]
pub fn phrasebook(i18n: &Arc<I18n>) -> TelegramTextsFor {
    let i18n = i18n.clone();
    Arc::new(move |locale| {
        let lang = locale.and_then(Lang::from_locale).unwrap_or_default();
        let say = |key: &'static str| i18n.translate_plain(lang, &Text::new(key));
        TelegramTexts {
            envelope: say("answer-no-private"),
            open: say("button-show"),
            not_yours: say("refuse-not-your-answer"),
            expired: say("refuse-answer-gone"),
            trouble: say("refuse-trouble"),
            nothing: say("hand-inline-nothing"),
        }
    })
}

/// The command lists of Telegram apps.
#[cfg(feature = "telegram")]
pub fn telegram_menus(
    i18n: &I18n,
    public: bool,
) -> Vec<caravanserai_telegram::TelegramMenuCommand> {
    let command = |spec: &CommandSpec| {
        let mut descriptions = vec![(String::new(), command_descriptions(i18n, spec)[0].1.clone())];
        let texts = command_descriptions(i18n, spec).into_iter();
        descriptions.extend(texts.map(|(lang, about)| (lang.code().to_owned(), about)));
        caravanserai_telegram::TelegramMenuCommand {
            name: spec.name.to_owned(),
            descriptions,
            in_groups: spec.in_groups && spec.in_short_menu,
            in_private: spec.in_private && spec.in_short_menu,
            is_ephemeral: spec.is_answered_privately,
        }
    };
    COMMANDS.iter().filter(|it| is_listed(it, public)).map(command).collect()
}

/// The descriptions of the bot on Telegram: English for the languages that have none of their own.
#[cfg(feature = "telegram")]
pub fn telegram_profile_texts(i18n: &I18n) -> Vec<caravanserai_telegram::TelegramProfileTexts> {
    let name = |it: &GameId| Arg::from(it.info().name_text());
    let games = Arg::Names(GameId::all().iter().map(name).collect());
    let text_of = |lang: &Lang| {
        let say = |key: &'static str| {
            i18n.translate_plain(*lang, &Text::new(key).with("games", games.clone()))
        };
        caravanserai_telegram::TelegramProfileTexts {
            language: if *lang == Lang::default() { "" } else { lang.code() }.to_owned(),
            description: say("bot-description"),
            short_description: say("bot-short-description"),
        }
    };
    Lang::all().iter().map(text_of).collect()
}

/// The slash commands of Discord.
#[cfg(feature = "discord")]
pub mod discord {
    use super::{
        COMMANDS, CommandSpec, I18n, Lang, command_descriptions, is_listed, text_in_all_languages,
    };
    use caravanserai_bot::commands::{ArgumentKind, CommandArgument, MenuGroup, OVERVIEW};
    use caravanserai_discord::{
        DiscordMenuCommand, DiscordMenuEntry, DiscordMenuGroup, DiscordMenuOption, LocalizedText,
        OptionKind, PERMISSIONS_PLACEHOLDER,
    };
    use caravanserai_games::GameId;
    use caravanserai_games::text::Text;

    fn localized(texts: Vec<(Lang, String)>) -> LocalizedText {
        let mut words = LocalizedText::same_for_all(texts[0].1.clone());
        for (lang, text) in texts.into_iter().skip(1) {
            // Speakers of a language that Discord does not support choose it with `/language`.
            if let Some(locale) = lang.discord_locale() {
                words = words.with_locale(locale, text);
            }
        }
        words
    }

    /// A text of an adapter in all languages.
    pub fn localized_text(i18n: &I18n, key: &str) -> LocalizedText {
        localized(text_in_all_languages(i18n, key))
    }

    /// The text shown where the bot lacks rights.
    pub fn missing_rights_text(i18n: &I18n) -> LocalizedText {
        let text = Text::new("answer-lacks-rights").with("rights", PERMISSIONS_PLACEHOLDER);
        let say = |lang: &Lang| (*lang, i18n.translate_plain(*lang, &text));
        localized(Lang::all().iter().map(say).collect())
    }

    /// All commands with their options: those without a group in the order of the table, then the
    /// groups.
    pub fn discord_menu(i18n: &I18n, public: bool) -> Vec<DiscordMenuEntry> {
        let listed = |group| {
            COMMANDS.iter().filter(move |it| is_listed(it, public) && it.menu_group == group)
        };
        let commands = listed(None).map(|it| DiscordMenuEntry::Command(menu_command(i18n, it)));
        let group = |group: MenuGroup| {
            let (mut first, rest): (Vec<_>, Vec<_>) =
                listed(Some(group)).partition(|it| it.subcommand_name() == OVERVIEW);
            first.extend(rest);
            DiscordMenuEntry::Group(DiscordMenuGroup {
                name: group_name(i18n, group),
                description: localized_text(i18n, &format!("command-{}", group.name())),
                subcommands: first.into_iter().map(|it| menu_command(i18n, it)).collect(),
            })
        };
        commands.chain(MenuGroup::ALL.map(group)).collect()
    }

    fn menu_command(i18n: &I18n, spec: &CommandSpec) -> DiscordMenuCommand {
        DiscordMenuCommand {
            command: spec.name.to_owned(),
            name: match spec.subcommand_name() {
                OVERVIEW => localized_name(i18n, OVERVIEW),
                _ => name_with_aliases(spec),
            },
            description: localized(command_descriptions(i18n, spec)),
            options: spec.arguments.iter().map(|it| menu_option(i18n, it)).collect(),
            needs_post_permission: spec.posts_board,
        }
    }

    /// A group has the name of the command that is its overview, if there is one.
    fn group_name(i18n: &I18n, group: MenuGroup) -> LocalizedText {
        match COMMANDS.iter().find(|it| it.name == group.name()) {
            Some(overview) => name_with_aliases(overview),
            None => localized_name(i18n, group.name()),
        }
    }

    /// A name that belongs to no command: its translations have the key `menu-<name>`.
    fn localized_name(i18n: &I18n, name: &str) -> LocalizedText {
        let translated = localized_text(i18n, &format!("menu-{name}"));
        LocalizedText { default: name.to_owned(), ..translated }
    }

    /// The first alias in a language is the name in it.
    fn name_with_aliases(spec: &CommandSpec) -> LocalizedText {
        let own = Lang::all().iter().skip(1).filter_map(|lang| {
            let alias = spec.aliases_of_language(*lang).first()?;
            Some((lang.discord_locale()?, alias.as_str()))
        });
        own.fold(LocalizedText::same_for_all(spec.name), |name, (locale, alias)| {
            name.with_locale(locale, alias)
        })
    }

    /// The name of an option in a language: its description without examples, in the form that
    /// Discord wants for names.
    fn option_name(about: &str) -> String {
        let words = about.split(':').next().unwrap_or_default();
        words.trim().to_lowercase().replace(' ', "-")
    }

    fn menu_option(i18n: &I18n, argument: &CommandArgument) -> DiscordMenuOption {
        let about = text_in_all_languages(i18n, &format!("argument-{}", argument.name));
        let kind = match argument.kind {
            ArgumentKind::Person => OptionKind::User,
            ArgumentKind::Suggested => OptionKind::Text,
            ArgumentKind::Game => {
                let game = |game: &GameId| {
                    let info = game.info();
                    (info.command.to_owned(), localized_text(i18n, &format!("game-{}", info.code)))
                };
                OptionKind::Choice(GameId::all().iter().map(game).collect())
            }
            ArgumentKind::Language => {
                let own = |lang: &Lang| {
                    (lang.code().to_owned(), LocalizedText::same_for_all(lang.display_name()))
                };
                OptionKind::Choice(Lang::all().iter().map(own).collect())
            }
            ArgumentKind::Choice(words) => OptionKind::Choice(
                words
                    .iter()
                    .map(|it| ((*it).to_owned(), localized_text(i18n, &format!("choice-{it}"))))
                    .collect(),
            ),
        };
        let names = about.iter().map(|(lang, text)| (*lang, option_name(text))).collect();
        DiscordMenuOption {
            name: LocalizedText { default: argument.name.to_owned(), ..localized(names) },
            description: localized(about),
            kind,
            required: argument.required,
        }
    }
}
