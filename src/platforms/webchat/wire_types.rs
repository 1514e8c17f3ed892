//! Describes the JSON between the chat and the scripts of its page in TypeScript.
//!
//! The scripts are checked against `templates/web/wire-types.d.ts`, which is written from the Rust
//! types. A test fails when they have changed and the file has not.

use std::any::type_name;
use std::collections::BTreeMap;
use std::path::PathBuf;

use ts_rs::{Config, TS, TypeVisitor};

use super::{actions, analysis, answers, delta, finished_games, guest_api, moderation};
use super::{rating_pages, routes};
use caravanserai_games::search::ComputerLevel;
use caravanserai_protocol::{
    AnalysisBoard, ButtonTone, OwnSettings, OwnTables, PersonStatistics, PositionEvaluation,
    TableStateView, ViewerPageState,
};

/// The command that writes the file.
const WRITE: &str = "cargo test -p caravanserai-webchat write_wire_types -- --ignored";

/// Numbers of 64 bits count changes, milliseconds and bytes, which stay below 2^53: JSON has them
/// as numbers.
fn config() -> Config {
    Config::new().with_large_int("number")
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../templates/web/wire-types.d.ts")
}

/// Collects types and all types of their fields.
struct Declarations {
    config: Config,
    /// By name: the Rust type and its declaration.
    found: BTreeMap<String, (&'static str, String)>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // What is not derived, such as numbers and lists, has no file.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        let rust = type_name::<T>();
        if let Some((other, _)) = self.found.get(&name) {
            assert_eq!(*other, rust, "two types have the name {name}");
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}", T::decl(&self.config));
        self.found.insert(name, (rust, laid_out(&text)));
        T::visit_dependencies(self);
    }
}

/// Breaks and indents a declaration, which comes without indentation.
fn laid_out(declaration: &str) -> String {
    let broken = declaration.replace("{ ", "{\n").replace(" }", "\n}");
    let lines = broken.lines().map(str::trim).filter(|it| !it.is_empty());
    let mut lines = lines.map(without_rust).peekable();
    let mut text = String::new();
    let mut depth = 0_usize;
    while let Some(line) = lines.next() {
        let is_comment = line.starts_with('*') || line.starts_with("/*");
        let closes = if is_comment { 0 } else { line.matches('}').count() };
        let opens = if is_comment { 0 } else { line.matches('{').count() };
        let outer = if line.starts_with('}') { depth.saturating_sub(1) } else { depth };
        let star = if line.starts_with('*') { " " } else { "" };
        text.push_str(&format!("{}{star}", "  ".repeat(outer)));
        text.push_str(&line);
        depth = (depth + opens).saturating_sub(closes);
        // A comment of one line.
        if line == "/**" {
            let first = lines.next().unwrap_or_default();
            if lines.next_if(|it| it == "*/").is_some() {
                text.push_str(&format!("{} */", first.trim_start_matches('*')));
            } else {
                text.push_str(&format!("\n{} {first}", "  ".repeat(outer)));
            }
        }
        text.push('\n');
    }
    text
}

/// Replaces what only Rust knows in a line: its name for `null`, and where links lead.
fn without_rust(line: &str) -> String {
    let line = line.replace("`None`", "`null`");
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or(("", part));
        let link = if target.contains("::") { "]".to_owned() } else { format!("]({target})") };
        text.push_str(&format!("{link}{rest}"));
    }
    text
}

/// Visits the bodies of requests by the page.
fn visit_requests(all: &mut Declarations) {
    all.visit::<actions::DismissRequest>();
    all.visit::<actions::PressRequest>();
    all.visit::<actions::SayRequest>();
    all.visit::<analysis::AnalysisRequest>();
    all.visit::<guest_api::GuestPressRequest>();
    all.visit::<guest_api::SignInRequest>();
    all.visit::<moderation::ModerationRequest>();
    all.visit::<moderation::NewTokenRequest>();
    all.visit::<moderation::RoomAccessRequest>();
    all.visit::<routes::ArriveRequest>();
    all.visit::<routes::BotPresenceRequest>();
    all.visit::<routes::JoinRequest>();
    all.visit::<routes::RenameRequest>();
}

/// Visits the answers and events that the page receives.
fn visit_answers(all: &mut Declarations) {
    all.visit::<answers::EmptyAnswer>();
    all.visit::<answers::GameRecordAnswer>();
    all.visit::<answers::GuestRepliesAnswer>();
    all.visit::<answers::GuestSignInAnswer>();
    all.visit::<answers::MessageView>();
    all.visit::<answers::NewPersonAnswer>();
    all.visit::<answers::OwnPerson>();
    all.visit::<answers::PresenceEvent>();
    all.visit::<answers::ReadyEvent>();
    all.visit::<answers::RefusalAnswer>();
    all.visit::<answers::RepliesAnswer>();
    all.visit::<answers::RoomInvitationAnswer>();
    all.visit::<answers::RoomListAnswer>();
    all.visit::<answers::RoomPage>();
    all.visit::<answers::SayAnswer>();
    all.visit::<answers::SuggestionsAnswer>();
    all.visit::<answers::TableChangeEvent>();
    all.visit::<answers::TokenAnswer>();
    all.visit::<answers::TypingEvent>();
    all.visit::<delta::TextDelta<'static>>();
    all.visit::<finished_games::GamesPage<'static>>();
    all.visit::<rating_pages::RatingsPage<'static>>();
    all.visit::<AnalysisBoard>();
    all.visit::<OwnSettings>();
    all.visit::<OwnTables>();
    all.visit::<PersonStatistics>();
    all.visit::<PositionEvaluation>();
    all.visit::<TableStateView>();
    all.visit::<ViewerPageState>();
}

/// The text of the file.
fn declarations() -> String {
    let mut all = Declarations { config: config(), found: BTreeMap::new() };
    visit_requests(&mut all);
    visit_answers(&mut all);
    // A flattened type is part of another one, and has its own name too.
    all.visit::<answers::GuestAnswer>();
    all.visit::<answers::RoomView>();
    let head = format!(
        "// The JSON between the server and the page. Do not edit: written from the Rust types by\n\
         // {WRITE}\n"
    );
    all.found.into_values().fold(head, |text, (_, it)| format!("{text}\n{it}"))
}

#[test]
fn the_page_has_the_types_of_its_json() {
    let committed = std::fs::read_to_string(file()).unwrap_or_default();
    let current = declarations();
    let line = committed.lines().zip(current.lines()).position(|(old, new)| old != new);
    let line = line.unwrap_or_else(|| committed.lines().count().min(current.lines().count())) + 1;
    assert!(
        committed == current,
        "the Rust types differ from line {line} on of templates/web/wire-types.d.ts; write it by\n\
         {WRITE}"
    );
}

#[test]
#[ignore = "writes templates/web/wire-types.d.ts"]
fn write_wire_types() {
    std::fs::write(file(), declarations()).expect("the folder of the page can be written");
}

/// These are not sent by the names that serde would give them.
#[test]
fn names_that_are_sent_as_codes_are_those_codes() {
    let union =
        |codes: &[&str]| codes.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(" | ");
    let tones = [ButtonTone::Plain, ButtonTone::Good, ButtonTone::Danger].map(ButtonTone::name);
    assert_eq!(ButtonTone::inline(&config()), union(&tones));
    let levels = ComputerLevel::ALL.map(ComputerLevel::code);
    assert_eq!(ComputerLevel::inline(&config()), union(&levels));
}
