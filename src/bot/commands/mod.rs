//! The commands of the bot, one file each.
//!
//! A file contains everything about its command: name and arguments, the menus that list it, the
//! parser of its words, the callback data of its buttons, the table it is about, and its action.
//! The parser, `/help`, the menus of the platforms and the suggestions are built from the
//! [`registry`].
//!
//! To add a command, add a file with a [`CommandFile`], its name in the list below, its description
//! `command-<name>` and its other spellings (list `command`) in the folders of the languages; its
//! [`MenuGroup`], unless it belongs to the few at the top level of menus with subcommands. Tests
//! report what is missing. A few files have only buttons.

pub mod action;
pub mod argument;
pub mod input;
pub mod legacy_buttons;
pub mod private_text;
pub mod refusals;
pub mod registry;
pub mod spec;

pub use crate::parsing::command_lookup::{find_command, split_command, suggest_command};
pub use action::{
    ActionFuture, ChatAction, ExecuteCommand, Request, RequestOrigin, TableAction, TableCallback,
    TableRef, TableRequest,
};
pub use argument::{ArgumentKind, CommandArgument};
pub use input::CommandInput;
pub use registry::{ButtonCode, COMMANDS, CommandFile, TableCommandSpec, register};
pub use spec::{CommandSpec, MenuGroup, OVERVIEW, Suggestions, arguments_text};

/// Declares the files of this folder and collects their commands, in the order of menus.
macro_rules! command_files {
    ($($file:ident),* $(,)?) => {
        $(pub mod $file;)*

        /// The commands and buttons of all files in this folder, in the order of menus.
        pub(crate) const COMMAND_FILES: &[CommandFile] = &[$($file::FILE),*];
    };
}

command_files! {
    play,
    new_game,
    make_move,
    premove,
    board,
    hand,
    score,
    hint,
    games,
    top,
    stats,
    history,
    achievements,
    open,
    show,
    watch,
    draw,
    takeback,
    resign,
    cancel,
    rematch,
    kick,
    substitute,
    notify,
    vacation,
    analysis,
    learn,
    settings,
    account,
    block,
    help,
    about,
    feedback,
    privacy,
    // Parts of those above, and commands that buttons offer.
    private,
    web,
    stop,
    abort,
    leave,
    begin,
    clock,
    pause,
    resume,
    claim,
    back,
    nudge,
    record,
    verify,
    replay,
    chart,
    review,
    deals,
    last,
    text,
    flip,
    theme,
    options,
    confirm,
    pace,
    language,
    link,
    unlink,
    unblock,
    hidename,
    start,
    launch,
    join,
    accept,
    decline,
    // Files with only buttons, and a command that only operators know.
    admin,
    computers,
    details,
    inline_challenge,
    invite_links,
    lobby_settings,
    menu,
    play_alone,
    sheet,
}
