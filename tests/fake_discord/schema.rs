//! Validates values with the part of JSON Schema that Discord's document uses, and reports errors
//! in Discord's format.

use serde_json::{Map, Value, json};

/// One error in a body: path, Discord's code and Discord's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub path: Vec<String>,
    pub code: &'static str,
    pub message: String,
}

/// The errors of a body.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Errors that Discord would reject.
    pub mistakes: Vec<Mistake>,
    /// Properties that the document does not know: Discord may ignore them, this server does not.
    pub unknown: Vec<String>,
}

impl Report {
    pub fn mistake(&mut self, path: &[String], code: &'static str, message: impl Into<String>) {
        self.mistakes.push(Mistake { path: path.to_vec(), code, message: message.into() });
    }

    /// The nested `errors` object of Discord's answer 50035.
    pub fn errors(&self) -> Value {
        let mut root = json!({});
        for mistake in &self.mistakes {
            let mut node = &mut root;
            for step in &mistake.path {
                node = node
                    .as_object_mut()
                    .expect("every node is an object")
                    .entry(step.clone())
                    .or_insert_with(|| json!({}));
            }
            let list = node
                .as_object_mut()
                .expect("every node is an object")
                .entry("_errors")
                .or_insert_with(|| json!([]));
            list.as_array_mut()
                .expect("errors are a list")
                .push(json!({"code": mistake.code, "message": mistake.message}));
        }
        root
    }
}

/// Checks a value against a schema of this document.
pub fn check(document: &Value, schema: &Value, value: &Value) -> Report {
    let mut report = Report::default();
    Checker { document }.walk(schema, value, &mut Vec::new(), &mut report);
    report
}

struct Checker<'a> {
    document: &'a Value,
}

impl<'a> Checker<'a> {
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(target) => {
                let pointer = target.trim_start_matches('#');
                let found = self.document.pointer(pointer);
                self.resolve(found.unwrap_or_else(|| panic!("the document lacks {target}")))
            }
            None => schema,
        }
    }

    fn walk(&self, schema: &'a Value, value: &Value, path: &mut Vec<String>, out: &mut Report) {
        let schema = self.resolve(schema);
        if !fits_type(schema, value) {
            out.mistake(path, type_code(schema), type_words(schema, value));
            return;
        }
        if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
            all.iter().for_each(|it| self.walk(it, value, path, out));
        }
        for union in ["oneOf", "anyOf"] {
            if let Some(variants) = schema.get(union).and_then(Value::as_array) {
                self.walk_union(variants, value, path, out);
            }
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
            && !allowed.contains(value)
        {
            out.mistake(path, "BASE_TYPE_CHOICES", choices(allowed.iter()));
        }
        match value {
            Value::String(text) => check_text(schema, text, path, out),
            Value::Number(_) => check_number(schema, value, path, out),
            Value::Array(items) => self.walk_list(schema, items, path, out),
            Value::Object(fields) => self.walk_object(schema, fields, path, out),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Accepts the variant that matches; if none does, reports the errors of the intended one.
    fn walk_union(
        &self,
        variants: &'a [Value],
        value: &Value,
        path: &mut Vec<String>,
        out: &mut Report,
    ) {
        let constants: Vec<&Value> = variants.iter().filter_map(|it| it.get("const")).collect();
        if constants.len() == variants.len() {
            if !constants.contains(&value) {
                out.mistake(path, "BASE_TYPE_CHOICES", choices(constants.into_iter()));
            }
            return;
        }
        let best = variants
            .iter()
            .map(|variant| {
                let mut report = Report::default();
                self.walk(variant, value, path, &mut report);
                let is_intended = self.names_type(variant, value);
                let distance = (report.mistakes.len(), report.unknown.len());
                let rank = if report.mistakes.is_empty() {
                    (0, distance.1)
                } else if is_intended {
                    (1, distance.0)
                } else {
                    (2, distance.0 + usize::from(self.is_null(variant)) * 1000)
                };
                (rank, report)
            })
            .min_by_key(|(rank, _)| *rank);
        if let Some((_, report)) = best {
            out.mistakes.extend(report.mistakes);
            out.unknown.extend(report.unknown);
        }
    }

    fn is_null(&self, schema: &'a Value) -> bool {
        self.resolve(schema).get("type") == Some(&json!("null"))
    }

    /// Whether the `type` field of the value selects this variant.
    fn names_type(&self, variant: &'a Value, value: &Value) -> bool {
        let names = self.resolve(variant).pointer("/properties/type/enum");
        match (names.and_then(Value::as_array), value.get("type")) {
            (Some(names), Some(given)) => names.contains(given),
            _ => false,
        }
    }

    fn walk_list(
        &self,
        schema: &'a Value,
        items: &[Value],
        path: &mut Vec<String>,
        out: &mut Report,
    ) {
        check_length(schema, items.len(), ("minItems", "maxItems"), path, out);
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let repeated = items.iter().enumerate().any(|(n, it)| items[..n].contains(it));
            if repeated {
                out.mistake(path, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set has this already");
            }
        }
        let Some(each) = schema.get("items") else { return };
        for (number, item) in items.iter().enumerate() {
            path.push(number.to_string());
            self.walk(each, item, path, out);
            path.pop();
        }
    }

    fn walk_object(
        &self,
        schema: &'a Value,
        fields: &Map<String, Value>,
        path: &mut Vec<String>,
        out: &mut Report,
    ) {
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            if !fields.contains_key(name) {
                path.push(name.to_owned());
                out.mistake(path, "BASE_TYPE_REQUIRED", "This field is required");
                path.pop();
            }
        }
        let known = schema.get("properties");
        let others = schema.get("additionalProperties");
        if known.is_none() && others.is_none() {
            return;
        }
        for (name, field) in fields {
            path.push(name.clone());
            match (known.and_then(|it| it.get(name)), others) {
                (Some(inner), _) | (None, Some(inner @ Value::Object(_))) => {
                    self.walk(inner, field, path, out);
                }
                (None, _) => out.unknown.push(path.join(".")),
            }
            path.pop();
        }
    }
}

fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn fits_type(schema: &Value, value: &Value) -> bool {
    let kinds = kinds(schema);
    kinds.is_empty()
        || kinds.iter().any(|kind| match *kind {
            "null" => value.is_null(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("the document has the unknown type {other}"),
        })
}

fn type_code(schema: &Value) -> &'static str {
    match kinds(schema).first() {
        Some(&"integer" | &"number") => "NUMBER_TYPE_COERCE",
        Some(&"boolean") => "BOOLEAN_TYPE_CONVERT",
        Some(&"array") => "LIST_TYPE_CONVERT",
        Some(&"object") => "MODEL_TYPE_CONVERT",
        _ => "STRING_TYPE_CONVERT",
    }
}

fn type_words(schema: &Value, value: &Value) -> String {
    format!("Could not interpret \"{value}\" as {}.", kinds(schema).join(" or "))
}

fn choices<'v>(allowed: impl Iterator<Item = &'v Value>) -> String {
    let allowed: Vec<String> = allowed.map(Value::to_string).collect();
    format!("Value must be one of {{{}}}.", allowed.join(", "))
}

fn check_text(schema: &Value, text: &str, path: &[String], out: &mut Report) {
    check_length(schema, text.chars().count(), ("minLength", "maxLength"), path, out);
    if schema.get("format") == Some(&json!("snowflake")) && text.parse::<u64>().is_err() {
        let words = format!("Value \"{text}\" is not snowflake.");
        out.mistake(path, "NUMBER_TYPE_COERCE", words);
    }
}

fn check_length(
    schema: &Value,
    length: usize,
    (least, most): (&str, &str),
    path: &[String],
    out: &mut Report,
) {
    let bound = |name| schema.get(name).and_then(Value::as_u64).map(|it| it as usize);
    let (least, most) = (bound(least), bound(most));
    let short = least.is_some_and(|it| length < it);
    let long = most.is_some_and(|it| length > it);
    match (least, most) {
        (Some(least), Some(most)) if least > 0 && (short || long) => {
            let words = format!("Must be between {least} and {most} in length.");
            out.mistake(path, "BASE_TYPE_BAD_LENGTH", words);
        }
        (_, Some(most)) if long => {
            let words = format!("Must be {most} or fewer in length.");
            out.mistake(path, "BASE_TYPE_MAX_LENGTH", words);
        }
        (Some(least), _) if short => {
            let words = format!("Must be {least} or more in length.");
            out.mistake(path, "BASE_TYPE_MIN_LENGTH", words);
        }
        _ => {}
    }
}

fn check_number(schema: &Value, value: &Value, path: &[String], out: &mut Report) {
    let given = value.as_f64().unwrap_or_default();
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| given < *least) {
        let words = format!("int value should be greater than or equal to {least}.");
        out.mistake(path, "NUMBER_TYPE_MIN", words);
    }
    if let Some(most) = bound("maximum").filter(|most| given > *most) {
        let words = format!("int value should be less than or equal to {most}.");
        out.mistake(path, "NUMBER_TYPE_MAX", words);
    }
}
