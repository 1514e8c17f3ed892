//! Registers slash commands.

use serde_json::{Value, json};

use super::rest::{Answer, Asked};
use super::schema::Report;
use super::world::World;

/// The locales of Discord's clients.
pub const LOCALES: [&str; 32] = [
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl",
    "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th",
    "zh-CN", "ja", "zh-TW", "ko",
];

/// The type of the command that opens an Activity.
const ENTRY_POINT: u64 = 4;
/// The types of options that are subcommands or groups of them.
const SUBCOMMAND_TYPES: [u64; 2] = [1, 2];
/// The most characters of a command.
const COMMAND_SIZE_MAX: usize = 8_000;

/// Handles all requests below `/applications/{application_id}/commands`.
pub fn handle(world: &mut World, asked: &Asked) -> Answer {
    if asked.id(0) != world.app {
        return Answer::refuse(403, 20012, "You are not authorized to perform this action");
    }
    match (asked.method.as_str(), asked.operation.template) {
        ("GET", "/applications/{application_id}/commands") => {
            let mut list = world.commands.clone();
            if !asked.asks("with_localizations") {
                list.iter_mut().for_each(without_localizations);
            }
            Answer::ok(Value::Array(list))
        }
        ("PUT", "/applications/{application_id}/commands") => {
            let given = asked.body().as_array().cloned().unwrap_or_default();
            let mut report = Report::default();
            for (number, command) in given.iter().enumerate() {
                let path = vec![number.to_string()];
                check(command, &path, &mut report);
                let twin = given[..number].iter().any(|it| it["name"] == command["name"]);
                if twin {
                    let words = "Application command names must be unique";
                    report.mistake(&path, "APPLICATION_COMMANDS_DUPLICATE_NAME", words);
                }
            }
            if !report.mistakes.is_empty() {
                return Answer::invalid(&report);
            }
            let opens = |it: &Value| it["type"] == ENTRY_POINT;
            if world.commands.iter().any(opens) && !given.iter().any(opens) {
                let words = "You cannot remove this app's Entry Point command in a bulk update";
                return Answer::refuse(400, 50_240, words);
            }
            world.commands = given.into_iter().map(|it| stored(world, it)).collect();
            Answer::ok(Value::Array(world.commands.clone()))
        }
        (method, template) => {
            world.violation(format!("{method} {template}: not implemented by this server"));
            Answer::refuse(404, 0, "404: Not Found")
        }
    }
}

/// A command as Discord returns it: with its id and all defaults.
fn stored(world: &mut World, mut command: Value) -> Value {
    let old = world.commands.iter().find(|it| it["name"] == command["name"]);
    let old = old.and_then(|it| it["id"].as_str()).map(str::to_owned);
    let id = old.unwrap_or_else(|| world.id().to_string());
    let version = world.id();
    let fields = command.as_object_mut().expect("the document requires objects");
    fields.insert("id".to_owned(), json!(id));
    fields.insert("application_id".to_owned(), json!(world.app.to_string()));
    fields.insert("version".to_owned(), json!(version.to_string()));
    let defaults = [
        ("type", json!(1)),
        ("name_localizations", Value::Null),
        ("description_localizations", Value::Null),
        ("default_member_permissions", Value::Null),
        ("dm_permission", json!(true)),
        ("contexts", Value::Null),
        ("integration_types", json!([0])),
        ("nsfw", json!(false)),
    ];
    for (name, value) in defaults {
        fields.entry(name).or_insert(value);
    }
    command
}

fn without_localizations(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            fields.remove("name_localizations");
            fields.remove("description_localizations");
            fields.values_mut().for_each(without_localizations);
        }
        Value::Array(items) => items.iter_mut().for_each(without_localizations),
        _ => {}
    }
}

fn check(command: &Value, path: &[String], report: &mut Report) {
    check_name(command["name"].as_str(), &below(path, &["name"]), report);
    if command["type"] != ENTRY_POINT && command["description"].as_str().is_none_or(str::is_empty) {
        report.mistake(
            &below(path, &["description"]),
            "BASE_TYPE_REQUIRED",
            "This field is required",
        );
    }
    check_locales(command, path, report);
    check_options(command, path, report);
    if size(command) > COMMAND_SIZE_MAX {
        let words = format!("Command exceeds maximum size ({COMMAND_SIZE_MAX})");
        report.mistake(path, "APPLICATION_COMMAND_TOO_LARGE", words);
    }
}

fn below(path: &[String], steps: &[&str]) -> Vec<String> {
    path.iter().cloned().chain(steps.iter().map(|it| (*it).to_owned())).collect()
}

/// Whether an option is a subcommand or a group of subcommands.
pub fn is_nested(option: &Value) -> bool {
    option["type"].as_u64().is_some_and(|it| SUBCOMMAND_TYPES.contains(&it))
}

/// Checks the options of a command, group or subcommand. The document says which may be within
/// which.
fn check_options(node: &Value, path: &[String], report: &mut Report) {
    let options: Vec<&Value> = node["options"].as_array().into_iter().flatten().collect();
    let mut optional = false;
    for (number, option) in options.iter().enumerate() {
        let here = below(path, &["options", &number.to_string()]);
        check_name(option["name"].as_str(), &here, report);
        check_locales(option, &here, report);
        for choice in option["choices"].as_array().into_iter().flatten() {
            check_locales(choice, &here, report);
        }
        if options[..number].iter().any(|it| shares_name(it, option)) {
            let words = "Option name already exists";
            report.mistake(&here, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", words);
        }
        if is_nested(option) != is_nested(options[0]) {
            let words = "Sub-command and sub-command group option types are mutually exclusive to \
                         all other types";
            report.mistake(&here, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words);
        }
        let required = option["required"] == true;
        if required && optional {
            let words = "Required options must be placed before non-required options";
            report.mistake(&here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words);
        }
        optional |= !required;
        let offers = option["choices"].as_array().is_some_and(|it| !it.is_empty());
        if offers && option["autocomplete"] == true {
            let words = "Autocomplete cannot be set with choices";
            report.mistake(&here, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", words);
        }
        check_options(option, &here, report);
    }
}

/// Whether two options have the same name in some locale.
fn shares_name(one: &Value, other: &Value) -> bool {
    let name = |option: &Value, locale: &str| {
        let localized = option["name_localizations"][locale].as_str().map(str::to_owned);
        localized.or_else(|| option["name"].as_str().map(str::to_owned))
    };
    one["name"] == other["name"] || LOCALES.iter().any(|it| name(one, it) == name(other, it))
}

/// The characters of a command that count towards its maximum size: those of names, descriptions
/// and values; of a translated field those of its longest translation.
fn size(node: &Value) -> usize {
    let length = |it: &Value| it.as_str().map_or(0, |it| it.chars().count());
    let field = |name: &str| {
        let translations = node[format!("{name}_localizations")].as_object();
        let translations = translations.into_iter().flat_map(|it| it.values());
        translations.map(length).fold(length(&node[name]), usize::max)
    };
    let inner = ["options", "choices"].into_iter().flat_map(|it| node[it].as_array());
    let inner: usize = inner.flatten().map(size).sum();
    field("name") + field("description") + length(&node["value"]) + inner
}

fn check_name(name: Option<&str>, path: &[String], report: &mut Report) {
    let name = name.unwrap_or_default();
    let fine = |letter: char| letter == '-' || letter == '_' || letter.is_alphanumeric();
    if !name.chars().all(fine) || name.to_lowercase() != name {
        let words = "Command name is invalid";
        report.mistake(path, "APPLICATION_COMMAND_INVALID_NAME", words);
    }
}

fn check_locales(node: &Value, path: &[String], report: &mut Report) {
    for field in ["name_localizations", "description_localizations"] {
        for (locale, text) in node[field].as_object().into_iter().flatten() {
            let mut here = path.to_vec();
            here.extend([field.to_owned(), locale.clone()]);
            if !LOCALES.contains(&locale.as_str()) {
                let words = format!("Value must be one of {{{}}}.", LOCALES.join(", "));
                report.mistake(&here, "BASE_TYPE_CHOICES", words);
            }
            // Labels of choices may be any text; names of commands and options may not.
            if field == "name_localizations" && node.get("value").is_none() {
                check_name(text.as_str(), &here, report);
            }
        }
    }
}
