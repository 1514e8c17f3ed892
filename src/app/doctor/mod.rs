//! `caravanserai doctor`: looks at everything a running bot depends on, and says what to do.

#[cfg(feature = "discord")]
mod discord;
mod here;
mod page;
mod platforms;

use std::fmt;
use std::path::Path;

use super::config::{Config, Environment};

/// What one look found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub weight: Weight,
    /// What was looked at.
    pub about: &'static str,
    /// What was found, and what to do about it, in one line.
    pub words: String,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// As it should be.
    Fine,
    /// It works, but should be looked at.
    Look,
    /// It does not work.
    Wrong,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = match self.weight {
            Weight::Fine => "fine ",
            Weight::Look => "look ",
            Weight::Wrong => "WRONG",
        };
        write!(f, "{weight}  {}: {}", self.about, self.words)
    }
}

fn fine(about: &'static str, words: impl Into<String>) -> Finding {
    Finding { weight: Weight::Fine, about, words: words.into() }
}

fn look(about: &'static str, words: impl Into<String>) -> Finding {
    Finding { weight: Weight::Look, about, words: words.into() }
}

fn wrong(about: &'static str, words: impl Into<String>) -> Finding {
    Finding { weight: Weight::Wrong, about, words: words.into() }
}

/// Looks at everything, and tells each finding as soon as it is there. Whether nothing is wrong.
pub async fn examine(
    environment: &Environment,
    file: Option<&Path>,
    folder: &Path,
    mut tell: impl FnMut(&Finding),
) -> bool {
    let mut well = true;
    let mut say = |finding: Finding| {
        well &= finding.weight < Weight::Wrong;
        tell(&finding);
    };
    let config = match Config::load(environment, file, folder) {
        Ok(config) => config,
        Err(error) => {
            say(wrong("settings", error.to_string()));
            return false;
        }
    };
    if config.warnings.is_empty() {
        say(fine("settings", "in order; --check-config shows them"));
    }
    for warning in &config.warnings {
        say(look("settings", warning.clone()));
    }
    here::folder(&config).into_iter().for_each(&mut say);
    say(here::open_files());
    here::ports(&config).into_iter().for_each(&mut say);
    for finding in platforms::examine(&config).await {
        say(finding);
    }
    page::examine(&config).await.into_iter().for_each(&mut say);
    well
}
