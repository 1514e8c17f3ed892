//! The specification of a command: its name, arguments, menus and parser.

use super::action::Request;
use super::argument::{ArgumentKind, CommandArgument};
use super::input::CommandInput;
use caravanserai_games::GameId;
use caravanserai_games::text::Text;
use caravanserai_games::vocabulary::Vocabulary;
use caravanserai_i18n::{Lang, vocabulary, vocabulary_of};

/// A command that people can type or choose from a menu.
#[derive(Clone, Debug)]
pub struct CommandSpec {
    /// The name: `a-z` only, at most 32 characters, as the platforms require.
    pub name: &'static str,
    /// Other accepted spellings, in all languages.
    pub aliases: &'static [String],
    /// The arguments, in the order in which they are written.
    pub arguments: Vec<CommandArgument>,
    /// Whether menus of groups list the command.
    pub in_groups: bool,
    /// Whether menus of private chats list it.
    pub in_private: bool,
    /// Whether `/help`, suggestions and the menus of chats with typed commands list it. A command
    /// that is not offered is part of another one, or on buttons.
    pub is_offered: bool,
    /// Whether the short menus of Telegram list it too.
    pub in_short_menu: bool,
    /// Whether the answer is for the sender only. Commands that others must see, such as a move or
    /// an offer, are sent visibly.
    pub is_answered_privately: bool,
    /// Whether nobody else should read the command itself: the built-in chat does not show it.
    pub is_confidential: bool,
    /// Whether it exists only if boards can be opened on a web page.
    pub needs_page: bool,
    /// Whether it posts a board, so that the bot needs permission to write.
    pub posts_board: bool,
    /// The group under which menus of subcommands list it; `None`: at the top level.
    pub menu_group: Option<MenuGroup>,
    /// The suggestions while its argument is typed.
    pub suggestions: Suggestions,
    /// The game whose table it opens.
    pub game: Option<GameId>,
    /// Parses the words behind the command.
    pub parse: fn(&CommandInput<'_>) -> Request,
}

/// A group of commands where a platform has subcommands, such as `/table draw` on Discord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuGroup {
    /// Actions at a table.
    Table,
    /// Analyses and lists, during a game or after it.
    Analysis,
    /// Choices of a person or a chat.
    Settings,
    /// The accounts and the data of a person.
    Account,
}

impl MenuGroup {
    /// All groups, in the order of menus.
    pub const ALL: [MenuGroup; 4] = [Self::Table, Self::Analysis, Self::Settings, Self::Account];

    /// The name of the command that contains the group. Its description has the key
    /// `command-<name>`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Analysis => "analysis",
            Self::Settings => "settings",
            Self::Account => "account",
        }
    }
}

/// The subcommand for the command that has the same name as its group: a command with subcommands
/// cannot be used by itself.
pub const OVERVIEW: &str = "overview";

/// The suggestions while an argument is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestions {
    /// No suggestions.
    None,
    /// The open tables of the chat.
    TablesHere,
    /// The open tables of the person in all chats.
    OwnTables,
    /// The legal moves.
    Moves,
    /// The usual clocks.
    Clocks,
    /// Lengths of a vacation.
    VacationDays,
}

/// The other spellings of a command. General commands have them in one list; commands that open a
/// table have them with the words of their game.
fn find_aliases(words: &'static Vocabulary, name: &str, game: Option<GameId>) -> &'static [String] {
    match game {
        Some(game) => words.game_words(game.info().code).spellings("command", "open"),
        None => words.general.spellings("command", name),
    }
}

impl CommandSpec {
    /// A command without arguments that all menus list.
    pub fn new(name: &'static str, parse: fn(&CommandInput<'_>) -> Request) -> Self {
        Self {
            name,
            aliases: find_aliases(vocabulary(), name, None),
            arguments: Vec::new(),
            in_groups: true,
            in_private: true,
            is_offered: true,
            in_short_menu: false,
            is_answered_privately: false,
            is_confidential: false,
            needs_page: false,
            posts_board: false,
            menu_group: None,
            suggestions: Suggestions::TablesHere,
            game: None,
            parse,
        }
    }

    /// A command that is understood and that other commands or buttons offer. Only menus that
    /// replace typing list it: where people cannot type a command, it has to be there.
    pub fn understood(name: &'static str, parse: fn(&CommandInput<'_>) -> Request) -> Self {
        Self { is_offered: false, ..Self::new(name, parse) }
    }

    /// A command that no menu lists.
    pub fn unlisted(name: &'static str, parse: fn(&CommandInput<'_>) -> Request) -> Self {
        Self { in_groups: false, in_private: false, is_offered: false, ..Self::new(name, parse) }
    }

    /// The command that opens a table of a game.
    pub fn of_game(game: GameId, parse: fn(&CommandInput<'_>) -> Request) -> Self {
        let name = game.info().command;
        let aliases = find_aliases(vocabulary(), name, Some(game));
        Self { aliases, game: Some(game), ..Self::new(name, parse) }
    }

    /// The name of the command within its group: `draw` in `/table draw`.
    pub fn subcommand_name(&self) -> &'static str {
        match self.menu_group {
            Some(group) if group.name() == self.name => OVERVIEW,
            _ => self.name,
        }
    }

    /// Spellings in one language.
    pub fn aliases_of_language(&self, lang: Lang) -> &'static [String] {
        find_aliases(vocabulary_of(lang), self.name, self.game)
    }
}

/// The arguments of a command as people read them: `<pit>`, `[@friend] [rules]`. `say` translates a
/// text for the reader.
pub fn arguments_text(spec: &CommandSpec, say: &dyn Fn(&Text) -> String) -> String {
    let argument = |it: &CommandArgument| {
        let name = say(&Text::new(format!("argument-{}", it.name)));
        let at = if it.kind == ArgumentKind::Person { "@" } else { "" };
        if it.required { format!("<{at}{name}>") } else { format!("[{at}{name}]") }
    };
    spec.arguments.iter().map(argument).collect::<Vec<_>>().join(" ")
}
