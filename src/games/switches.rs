//! House rules as switches that are set in the lobby, and their spelling.
//!
//! A game with one switch spells only its value (`short`). Other games spell the values that differ
//! from the default, in the order of their list: `pieces=2,kill_again=yes`, or `standard` if none
//! does.

/// A house rule that is chosen in the lobby. Its texts are `switch-<game>-<name>` for its name and
/// `switch-<game>-<name>-<value>` for each value, with `-` instead of `_`. The only switch of a
/// game needs no name: its values suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The name in logs, buttons and commands.
    pub name: &'static str,
    /// The possible values, the default first.
    pub values: &'static [&'static str],
}

/// The spelling of options that are all at their default.
pub const STANDARD: &str = "standard";

/// The values of options as indices, one for each switch. `None` when the spelling is not the
/// canonical one.
pub fn parse(text: &str, switches: &[Switch]) -> Option<Vec<usize>> {
    let mut chosen = vec![0; switches.len()];
    if let [only] = switches {
        chosen[0] = only.values.iter().position(|it| *it == text)?;
        return Some(chosen);
    }
    if text != STANDARD {
        for setting in text.split(',') {
            let (at, value) = find_setting(setting, switches)?;
            chosen[at] = value;
        }
    }
    (write(&chosen, switches) == text).then_some(chosen)
}

/// The canonical spelling of settings that people wrote in any order; defaults may be named. `None`
/// when a setting is unknown or a switch is set twice.
pub fn canonical(text: &str, switches: &[Switch]) -> Option<String> {
    let mut chosen = vec![None; switches.len()];
    if text.trim() != STANDARD || switches.len() == 1 {
        for setting in text.split(',') {
            let (at, value) = find_setting(setting.trim(), switches)?;
            if chosen[at].replace(value).is_some() {
                return None;
            }
        }
    }
    let chosen: Vec<usize> = chosen.into_iter().map(Option::unwrap_or_default).collect();
    Some(write(&chosen, switches))
}

/// The canonical spelling of values by index, one for each switch.
pub fn write(chosen: &[usize], switches: &[Switch]) -> String {
    let value = |at: usize| switches[at].values[chosen[at]];
    if switches.len() == 1 {
        return value(0).to_owned();
    }
    let differ = (0..switches.len()).filter(|&at| chosen[at] != 0);
    let differ: Vec<_> = differ.map(|at| format!("{}={}", switches[at].name, value(at))).collect();
    if differ.is_empty() { STANDARD.to_owned() } else { differ.join(",") }
}

/// Options after one setting was changed: `pieces=2`, or a value alone where only one switch has
/// it. `None` when the setting is not known.
pub fn set_switch(options: &str, setting: &str, switches: &[Switch]) -> Option<String> {
    let mut chosen = parse(options, switches)?;
    let (at, value) = find_setting(setting, switches)?;
    chosen[at] = value;
    Some(write(&chosen, switches))
}

/// The switch of a setting and the index of the value.
fn find_setting(setting: &str, switches: &[Switch]) -> Option<(usize, usize)> {
    let value_of = |at: usize, value: &str| switches[at].values.iter().position(|it| *it == value);
    if let Some((name, value)) = setting.split_once('=') {
        let at = switches.iter().position(|it| it.name == name)?;
        return Some((at, value_of(at, value)?));
    }
    let mut found = (0..switches.len()).filter_map(|at| Some((at, value_of(at, setting)?)));
    let one = found.next()?;
    found.next().is_none().then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &[Switch] = &[Switch { name: "ending", values: &["seed", "short"] }];
    const TWO: &[Switch] = &[
        Switch { name: "pieces", values: &["4", "2"] },
        Switch { name: "again", values: &["no", "yes"] },
        Switch { name: "twins", values: &["no", "yes"] },
    ];

    #[test]
    fn options_are_spelled_in_one_way() {
        assert_eq!(parse("short", ONE), Some(vec![1]));
        assert_eq!(parse("standard", ONE), None);
        assert_eq!(parse("standard", TWO), Some(vec![0, 0, 0]));
        assert_eq!(parse("pieces=2,twins=yes", TWO), Some(vec![1, 0, 1]));
        for wrong in ["", "twins=yes,pieces=2", "pieces=4", "pieces=9", "pieces=2,", "2"] {
            assert_eq!(parse(wrong, TWO), None, "{wrong}");
        }
    }

    #[test]
    fn people_write_settings_in_any_order() {
        let spelled = |text, switches| canonical(text, switches);
        assert_eq!(spelled("twins=yes,pieces=2", TWO).as_deref(), Some("pieces=2,twins=yes"));
        assert_eq!(spelled("twins=yes, pieces=4", TWO).as_deref(), Some("twins=yes"));
        assert_eq!(spelled("standard", TWO).as_deref(), Some("standard"));
        assert_eq!(spelled("ending=short", ONE).as_deref(), Some("short"));
        for wrong in ["", "pieces=2,pieces=2", "pieces=9", "odd=yes", "pieces=2,", "yes"] {
            assert_eq!(spelled(wrong, TWO), None, "{wrong}");
        }
        assert_eq!(spelled("standard", ONE), None);
    }

    #[test]
    fn one_setting_is_changed_at_a_time() {
        assert_eq!(set_switch("seed", "short", ONE).as_deref(), Some("short"));
        assert_eq!(set_switch("seed", "ending=short", ONE).as_deref(), Some("short"));
        assert_eq!(set_switch("standard", "again=yes", TWO).as_deref(), Some("again=yes"));
        assert_eq!(set_switch("again=yes", "2", TWO).as_deref(), Some("pieces=2,again=yes"));
        assert_eq!(set_switch("pieces=2,again=yes", "pieces=4", TWO).as_deref(), Some("again=yes"));
        assert_eq!(set_switch("standard", "yes", TWO), None, "two switches have a yes");
    }
}
