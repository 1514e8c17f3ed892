//! Finds the operation of Discord's document for a request and checks the request against it.

use std::sync::OnceLock;

use serde_json::Value;

use super::schema::{self, Report};

const DOCUMENT: &str = include_str!("../data/specs/discord-openapi-242668-reduced.json");

/// One operation of the document that matches a request.
pub struct Operation {
    /// Path with placeholders: `/channels/{channel_id}/messages`.
    pub template: &'static str,
    /// Values of the placeholders in order.
    pub params: Vec<String>,
    item: &'static Value,
    details: &'static Value,
}

/// The document, read once.
pub fn document() -> &'static Value {
    static READ: OnceLock<Value> = OnceLock::new();
    READ.get_or_init(|| serde_json::from_str(DOCUMENT).expect("the document is JSON"))
}

/// Finds the operation of a path below `/api/v10`. Fixed words win over placeholders.
pub fn operation(method: &str, path: &str) -> Option<Operation> {
    let paths = document()["paths"].as_object()?;
    let given: Vec<&str> = path.split('/').collect();
    paths
        .iter()
        .filter_map(|(template, item)| {
            let params = fit(template, &given)?;
            let details = item.get(method.to_lowercase())?;
            Some(Operation { template, params, item, details })
        })
        .min_by_key(|it| it.params.len())
}

fn fit(template: &str, given: &[&str]) -> Option<Vec<String>> {
    let wanted: Vec<&str> = template.split('/').collect();
    if wanted.len() != given.len() {
        return None;
    }
    let mut params = Vec::new();
    for (want, have) in wanted.iter().zip(given) {
        if want.starts_with('{') && !have.is_empty() {
            params.push((*have).to_owned());
        } else if want != have {
            return None;
        }
    }
    Some(params)
}

impl Operation {
    /// Whether the bot's token is needed; interaction tokens authenticate themselves.
    pub fn needs_token(&self) -> bool {
        let ways = self.details.get("security").and_then(Value::as_array);
        ways.is_none_or(|ways| !ways.iter().any(|it| it.as_object().is_some_and(|o| o.is_empty())))
    }

    /// Checks the JSON part of the body. No body is valid where none is required.
    pub fn check_body(&self, body: Option<&Value>) -> Report {
        let wanted = self.details.pointer("/requestBody/content/application~1json/schema");
        match (wanted, body) {
            (Some(schema), Some(body)) => schema::check(document(), schema, body),
            (Some(_), None) => {
                let mut report = Report::default();
                if self.details.pointer("/requestBody/required") == Some(&Value::Bool(true)) {
                    report.mistake(&[], "BASE_TYPE_REQUIRED", "This field is required");
                }
                report
            }
            (None, Some(_)) => Report { unknown: vec!["body".to_owned()], ..Report::default() },
            (None, None) => Report::default(),
        }
    }

    /// Whether the operation accepts files.
    pub fn takes_files(&self) -> bool {
        self.details.pointer("/requestBody/content/multipart~1form-data").is_some()
    }

    /// Checks placeholders and the query.
    pub fn check_address(&self, query: &[(String, String)]) -> Report {
        let mut report = Report::default();
        let known: Vec<&Value> = [self.item, self.details]
            .iter()
            .filter_map(|it| it.get("parameters").and_then(Value::as_array))
            .flatten()
            .collect();
        let placeholders = self
            .template
            .split('/')
            .filter_map(|it| it.strip_prefix('{').and_then(|it| it.strip_suffix('}')));
        let placed = placeholders.map(str::to_owned).zip(self.params.iter().cloned());
        for (name, value) in placed.chain(query.iter().cloned()) {
            let schema =
                known.iter().find(|it| it["name"] == name.as_str()).map(|it| &it["schema"]);
            let Some(schema) = schema else {
                report.unknown.push(format!("query {name}"));
                continue;
            };
            let found = schema::check(document(), schema, &typed(schema, &value));
            for mut mistake in found.mistakes {
                mistake.path.insert(0, name.clone());
                report.mistakes.push(mistake);
            }
        }
        report
    }
}

/// A part of an address as a typed value.
fn typed(schema: &Value, text: &str) -> Value {
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
    let schema = named.and_then(|it| document().pointer(it)).unwrap_or(schema);
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "boolean" | "number") => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
        }
        _ => Value::String(text.to_owned()),
    }
}
