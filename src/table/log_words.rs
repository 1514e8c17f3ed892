//! Joins words into log lines, and splits lines into words.

/// The words of a line, in order.
pub(super) struct LogWords<'a>(std::str::Split<'a, char>);

impl<'a> LogWords<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        LogWords(text.split(' '))
    }

    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    pub(super) fn next_number<N: std::str::FromStr>(&mut self) -> Option<N> {
        self.next_word()?.parse().ok()
    }

    pub(super) fn next_switch(&mut self) -> Option<bool> {
        match self.next_word()? {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }

    pub(super) fn next_plain(&mut self) -> Option<String> {
        self.next_word().map(str::to_owned)
    }

    pub(super) fn next_escaped(&mut self) -> Option<String> {
        unescape(self.next_word()?)
    }

    /// Parses an optional word at the end; `None` if it is present and invalid.
    pub(super) fn next_escaped_at_end(&mut self) -> Option<Option<String>> {
        match self.next_word() {
            None => Some(None),
            Some(word) => unescape(word).map(Some),
        }
    }

    pub(super) fn next_optional(&mut self) -> Option<Option<String>> {
        let word = self.next_escaped()?;
        Some((word != "-").then_some(word))
    }

    pub(super) fn next_list<N: std::str::FromStr>(&mut self) -> Option<Vec<N>> {
        self.next_word()?.split(',').map(|it| it.parse().ok()).collect()
    }
}

pub(super) fn encode_switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

pub(super) fn join_list<N: ToString>(items: &[N]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Escapes characters that would split a line into wrong words. An empty word becomes `%`.
pub(super) fn escape(text: &str) -> String {
    if text.is_empty() {
        return "%".into();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '%' || c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                escaped.push_str(&format!("%{byte:02x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn unescape(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let code = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_people_choose_survive_the_log() {
        for text in ["", "-", "%", "Айгүл Б.", "a b%20\n\tc", "🐪", "\u{a0}x"] {
            let escaped = escape(text);
            assert!(!escaped.contains(char::is_whitespace), "{escaped:?}");
            assert_eq!(unescape(&escaped).as_deref(), Some(text));
        }
    }
}
