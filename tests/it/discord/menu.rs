//! The bot's slash commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use caravanserai::command_menus::discord::discord_menu;
use caravanserai_bot::commands::COMMANDS;
use caravanserai_games::GameId;
use caravanserai_i18n::I18n;

use super::*;

/// The most commands that people see at the top level. Discord allows 100.
const TOP_LEVEL_MAX: usize = 16;

/// The bot's menu: how each command is given, by its name in updates.
fn ways_to_give(menu: &[DiscordMenuEntry]) -> BTreeMap<&str, String> {
    let mut ways = BTreeMap::new();
    for entry in menu {
        let (group, commands) = match entry {
            DiscordMenuEntry::Command(command) => (String::new(), std::slice::from_ref(command)),
            DiscordMenuEntry::Group(group) => {
                (format!("{} ", group.name.default), group.subcommands.as_slice())
            }
        };
        for command in commands {
            let way = format!("{group}{}", command.name.default);
            let twice = ways.insert(command.command.as_str(), way);
            assert_eq!(twice, None, "{} is declared twice", command.command);
        }
    }
    ways
}

#[test]
fn every_command_is_declared_once_at_the_top_level_or_in_a_group() {
    let menu = discord_menu(&I18n::new(), true);
    let ways = ways_to_give(&menu);
    for spec in COMMANDS.iter() {
        let is_declared = ways.contains_key(spec.name);
        assert_eq!(is_declared, spec.in_groups || spec.in_private, "{}", spec.name);
    }
    for (command, way) in [
        ("togyz", "togyz"),
        ("draw", "table draw"),
        ("review", "analysis review"),
        ("analysis", "analysis overview"),
        ("settings", "settings overview"),
        ("account", "account overview"),
    ] {
        assert_eq!(ways[command], way);
    }
}

/// The manual and the page for operators list them before the groups.
#[test]
fn commands_at_the_top_level_are_listed_on_pages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["templates/en/manual.md", "deploy/discord.md"] {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let (listed, _) = text.split_once("`/table`").unwrap();
        for entry in discord_menu(&I18n::new(), true) {
            let DiscordMenuEntry::Command(command) = entry else { continue };
            let is_game = GameId::all().iter().any(|it| it.info().command == command.command);
            let name = format!("`/{}`", command.command);
            assert!(is_game || listed.contains(&name), "{page} lacks {name}");
        }
    }
}

#[tokio::test]
async fn few_commands_are_at_the_top_level_and_discord_accepts_them() {
    for public in [true, false] {
        let menu = discord_menu(&I18n::new(), public);
        // One more opens the Activity.
        assert!(menu.len() < TOP_LEVEL_MAX, "{} commands", menu.len());
        for entry in &menu {
            let DiscordMenuEntry::Group(group) = entry else { continue };
            let count = group.subcommands.len();
            assert!((1..=25).contains(&count), "{}: {count}", group.name.default);
        }
        let scene = Scene::set().await;
        assert!(scene.discord.register_commands(&menu).await.expect("it is accepted"));
        assert!(!scene.discord.register_commands(&menu).await.expect("the same"));
        let table = scene.dc.commands().into_iter().find(|it| it["name"] == "table");
        assert_eq!(table.expect("registered")["name_localizations"]["ru"], "стол");
        scene.end();
    }
}

/// Who reads Russian reads the names of options in Russian as well; no two of a command are equal.
#[test]
fn options_have_names_in_the_language_of_the_reader() {
    let menu = discord_menu(&I18n::new(), true);
    let commands = menu.iter().flat_map(|entry| match entry {
        DiscordMenuEntry::Command(command) => std::slice::from_ref(command),
        DiscordMenuEntry::Group(group) => group.subcommands.as_slice(),
    });
    let mut names = BTreeMap::new();
    for command in commands {
        let own: Vec<&str> = command.options.iter().map(|it| it.name.for_locale("ru")).collect();
        let different: std::collections::BTreeSet<&&str> = own.iter().collect();
        assert_eq!(different.len(), own.len(), "/{}: {own:?}", command.command);
        for option in &command.options {
            names.insert(option.name.default.as_str(), option.name.for_locale("ru"));
        }
    }
    for (name, russian) in
        [("friend", "друг"), ("clock", "часы"), ("begin", "кто-начинает"), ("move", "ход")]
    {
        assert_eq!(names.get(name), Some(&russian), "{name}");
    }
}
