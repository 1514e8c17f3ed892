//! What operators are given in `deploy` fits the program: metrics that exist, settings that exist,
//! an explanation of each alert.

use std::collections::BTreeSet;
use std::path::Path;

use caravanserai::config::keys;
use caravanserai::metrics::HELP;
use serde_json::Value;

fn deployed(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The names of metrics in a text, without what Prometheus adds to histograms.
fn metrics_in(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c)).filter(|it| it.starts_with("caravanserai_"));
    words.map(|it| it.strip_suffix("_bucket").unwrap_or(it)).collect()
}

#[test]
fn alerts_and_dashboard_name_metrics_that_exist() {
    let known: BTreeSet<&str> = HELP.iter().map(|it| it.0).collect();
    for file in ["alerts.yaml", "dashboard.json"] {
        let text = deployed(file);
        let named = metrics_in(&text);
        assert!(named.len() > 5, "{file}: {named:?}");
        assert!(named.is_subset(&known), "{file}: {:?}", named.difference(&known));
    }
    let dashboard: Value = serde_json::from_str(&deployed("dashboard.json")).unwrap();
    assert!(dashboard["panels"].as_array().unwrap().len() > 5);
}

#[test]
fn each_alert_is_explained() {
    let (alerts, runbook) = (deployed("alerts.yaml"), deployed("runbook.md"));
    let named = |text: &str, mark: &str| -> BTreeSet<String> {
        text.lines().filter_map(|it| it.trim().strip_prefix(mark)).map(str::to_owned).collect()
    };
    assert_eq!(named(&alerts, "- alert: "), named(&runbook, "## "));
}

#[test]
fn kubernetes_sets_settings_that_exist() {
    let text = deployed("kubernetes.yaml");
    let named = text.lines().filter_map(|it| it.trim().strip_prefix("- name: "));
    let set: Vec<&str> =
        named.filter(|it| it.chars().all(|c| c.is_ascii_uppercase() || c == '_')).collect();
    assert!(set.len() > 3, "{set:?}");
    for name in set {
        assert!(keys::KEYS.iter().any(|it| it.name == name), "{name}");
    }
    for path in ["/livez", "/readyz"] {
        assert!(text.contains(path), "{path}");
    }
}

/// What root starts otherwise works on another folder, or leaves files that the bot cannot open.
#[test]
fn commands_run_as_the_user_of_the_units_and_on_their_data() {
    let (script, unit) = (deployed("caravanserai-run"), deployed("caravanserai-backup.service"));
    for property in [
        "User=caravanserai",
        "DynamicUser=yes",
        "StateDirectory=caravanserai caravanserai-backups",
        "StateDirectoryMode=0700",
        "UMask=0077",
        "LimitCORE=0",
        "EnvironmentFile=-/etc/caravanserai/environment",
        "WorkingDirectory=-/etc/caravanserai",
        "LoadCredential=store-key:",
    ] {
        assert!(script.contains(property) && unit.contains(property), "{property}");
    }
    assert!(unit.contains("DATA_DIR=%S/caravanserai"), "%S is /var/lib");
    assert!(script.contains("DATA_DIR=/var/lib/caravanserai"));
}
