//! JSON, as far as the command's output needs it.

use std::fmt::Write;

/// Builds one object, its members in the order of the calls.
#[derive(Debug)]
pub struct Object {
    text: String,
}

impl Default for Object {
    fn default() -> Self {
        Self { text: "{".to_owned() }
    }
}

impl Object {
    /// A member whose value is already JSON.
    #[must_use]
    pub fn raw(mut self, name: &str, value: &str) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&string(name));
        self.text.push(':');
        self.text.push_str(value);
        self
    }

    /// A text.
    #[must_use]
    pub fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, &string(value))
    }

    /// A whole number.
    #[must_use]
    pub fn count(self, name: &str, value: u64) -> Self {
        self.raw(name, &value.to_string())
    }

    /// True, false, or `null` for what is not known.
    #[must_use]
    pub fn truth(self, name: &str, value: Option<bool>) -> Self {
        self.raw(name, value.map_or("null", |value| if value { "true" } else { "false" }))
    }

    /// The object.
    pub fn done(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// An array of values that are already JSON.
pub fn array(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// A text in quotes.
pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_valid_json() {
        let object = Object::default().text("a\"", "b\\\n\u{1}").count("n", 3).truth("t", None).done();
        assert_eq!(object, r#"{"a\"":"b\\\n\u0001","n":3,"t":null}"#);
        assert_eq!(array(["1".to_owned(), string("x")]), r#"[1,"x"]"#);
    }
}
