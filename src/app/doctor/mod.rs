//! `caravanserai doctor`: checks everything that a running bot depends on, and advises the
//! operator.

#[cfg(feature = "discord")]
mod discord;
mod local_machine;
mod platforms;
mod public_page;

use std::fmt;
use std::path::Path;

use super::config::{Config, Environment};

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoctorFinding {
    /// How serious it is.
    pub severity: FindingSeverity,
    /// The subject of the check.
    pub about: &'static str,
    /// The result and what to do about it, in one line.
    pub message: String,
}

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingSeverity {
    /// In order.
    Good,
    /// It works, but should be checked.
    Warning,
    /// It does not work.
    Failed,
}

impl fmt::Display for DoctorFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = match self.severity {
            FindingSeverity::Good => "fine ",
            FindingSeverity::Warning => "look ",
            FindingSeverity::Failed => "WRONG",
        };
        write!(f, "{weight}  {}: {}", self.about, self.message)
    }
}

fn good_finding(about: &'static str, words: impl Into<String>) -> DoctorFinding {
    DoctorFinding { severity: FindingSeverity::Good, about, message: words.into() }
}

fn warning_finding(about: &'static str, words: impl Into<String>) -> DoctorFinding {
    DoctorFinding { severity: FindingSeverity::Warning, about, message: words.into() }
}

fn failed_finding(about: &'static str, words: impl Into<String>) -> DoctorFinding {
    DoctorFinding { severity: FindingSeverity::Failed, about, message: words.into() }
}

/// Runs all checks and reports each finding as soon as it is known. Returns whether nothing failed.
pub async fn examine(
    environment: &Environment,
    file: Option<&Path>,
    folder: &Path,
    mut report: impl FnMut(&DoctorFinding),
) -> bool {
    let mut well = true;
    let mut say = |finding: DoctorFinding| {
        well &= finding.severity < FindingSeverity::Failed;
        report(&finding);
    };
    let config = match Config::load(environment, file, folder) {
        Ok(config) => config,
        Err(error) => {
            say(failed_finding("settings", error.to_string()));
            return false;
        }
    };
    if config.warnings.is_empty() {
        say(good_finding("settings", "in order; --check-config shows them"));
    }
    for warning in &config.warnings {
        say(warning_finding("settings", warning.clone()));
    }
    local_machine::examine_data_folder(&config).into_iter().for_each(&mut say);
    say(local_machine::store_finding(&config).await);
    local_machine::encryption_finding(&config).into_iter().for_each(&mut say);
    say(local_machine::backup_finding(&config));
    say(local_machine::open_files_finding());
    local_machine::port_findings(&config).into_iter().for_each(&mut say);
    for finding in platforms::examine(&config).await {
        say(finding);
    }
    public_page::examine(&config).await.into_iter().for_each(&mut say);
    well
}
