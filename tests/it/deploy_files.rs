//! What operators are given in `deploy` fits the program: metrics that exist, settings that exist,
//! an explanation of each alert.

use std::collections::BTreeSet;
use std::path::Path;

use caravanserai::config::keys;
use caravanserai::metrics::HELP;
use serde_json::Value;

use crate::source_checks::files_under;

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

/// Pages name metrics in full, so that they can be searched for.
#[test]
fn pages_name_metrics_that_exist() {
    let known: BTreeSet<&str> = HELP.iter().map(|it| it.0).collect();
    for page in ["README.md", "runbook.md", "troubleshooting.md"] {
        let text = deployed(page);
        let named = metrics_in(&text);
        assert!(!named.is_empty() && named.is_subset(&known), "{page}: {named:?}");
        assert!(!text.contains("`_"), "{page} shortens a name");
    }
}

#[test]
fn each_alert_is_explained() {
    let (alerts, runbook) = (deployed("alerts.yaml"), deployed("runbook.md"));
    let named = |text: &str, mark: &str| -> BTreeSet<String> {
        text.lines().filter_map(|it| it.trim().strip_prefix(mark)).map(str::to_owned).collect()
    };
    assert_eq!(named(&alerts, "- alert: "), named(&runbook, "## "));
}

/// The dashboard groups and filters by labels that the program writes.
#[test]
fn the_dashboard_uses_labels_that_exist() {
    let code: Vec<String> = files_under("src").into_iter().map(|it| it.text).collect();
    let dashboard = deployed("dashboard.json");
    let grouped = dashboard.split("by (").skip(1).filter_map(|it| it.split_once(')'));
    let labels: BTreeSet<&str> =
        grouped.flat_map(|it| it.0.split(',').map(str::trim)).filter(|it| *it != "le").collect();
    assert!(labels.contains("result"), "{labels:?}");
    for label in labels {
        let written = format!("\"{label}\" =>");
        assert!(code.iter().any(|it| it.contains(&written)), "no metric has the label {label}");
    }
}

/// Prometheus finds the bot under the name that the alerts ask for.
#[test]
fn the_job_of_the_alerts_is_explained() {
    let (alerts, runbook) = (deployed("alerts.yaml"), deployed("runbook.md"));
    let named = alerts.split("job=\"").skip(1).filter_map(|it| it.split_once('"'));
    let jobs: BTreeSet<&str> = named.map(|it| it.0).collect();
    assert!(!jobs.is_empty());
    for job in jobs {
        assert!(runbook.contains(&format!("job_name: {job}")), "{job}");
    }
}

/// Caddy sorts directives: outside of a block, `respond` comes before the proxy.
#[test]
fn caddy_passes_on_what_platforms_post() {
    let text = deployed("Caddyfile");
    let top_level = |it: &&str| it.starts_with('\t') && !it.starts_with("\t\t");
    let directives: Vec<&str> = text.lines().filter(top_level).map(str::trim).collect();
    assert!(directives.iter().any(|it| it.starts_with("handle @posted")), "{directives:?}");
    assert!(!directives.iter().any(|it| it.starts_with("respond")), "{directives:?}");
}

/// Debian 12 and Ubuntu 24.04 have an nginx before 1.25.1, which does not know `http2 on`.
#[test]
fn the_nginx_of_debian_reads_the_sample() {
    let text = deployed("nginx.conf");
    let mut directives = text.lines().filter(|it| !it.trim().starts_with('#'));
    assert!(!directives.any(|it| it.contains("http2 on")));
}

/// Kubernetes always pulls an image without a version, from a public registry.
#[test]
fn the_image_of_kubernetes_has_a_registry_and_this_version() {
    let text = deployed("kubernetes.yaml");
    let image = text.lines().find_map(|it| it.trim().strip_prefix("image: ")).unwrap();
    assert!(image.contains('/') && image.ends_with(env!("CARGO_PKG_VERSION")), "{image}");
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

/// After salvage or restore, the bot in a container has to use another folder of its volume.
#[test]
fn compose_passes_the_data_folder_on() {
    for file in ["compose.yaml", "compose.replicas.yaml"] {
        let text = deployed(file);
        assert!(text.contains("    DATA_DIR: ${DATA_DIR:-/data}\n"), "{file}");
        assert!(text.contains(":/data\n"), "{file} has the volume there");
    }
}

/// In an emergency, the lines on the pages fit the supplied units and the compose file.
#[test]
fn the_lines_for_repairs_name_the_folders_of_units_and_containers() {
    let (backup, security) = (deployed("backup.md"), deployed("security.md"));
    let (script, compose) = (deployed("caravanserai-run"), deployed("compose.yaml"));
    let data = script.lines().find_map(|it| it.trim().strip_prefix("--setenv=DATA_DIR="));
    let data = data.unwrap().trim_end_matches(" \\");
    // Each repair has folders of its own, so that the lines work a second time.
    let now = "$(date +%F-%H%M%S)";
    assert!(backup.contains(&format!("    mv {data}/store {data}/store-{now}\n")));
    for (folder, environment) in [(data, "/etc/caravanserai/environment"), ("/data", ".env")] {
        let (_, lines) =
            backup.split_once(&format!("    OLD={folder} NEW={folder}/saved-{now}\n")).unwrap();
        let (lines, _) = lines.split_once("\n\n").unwrap();
        assert!(lines.contains(" store salvage \"$OLD\" \"$NEW\" && {\n"), "{lines}");
        let set = format!("    printf '\\nDATA_DIR=%s\\n' \"$NEW\" >> {environment}\n");
        assert!(lines.contains(&set), "{lines}");
    }
    assert!(backup.contains(&format!("    OLD=/data NEW=/data/restored-{now}\n")));
    assert!(backup.contains("    docker compose run --rm -e DATA_DIR=\"$NEW\" "));
    assert!(
        backup.contains("bot restore /FILE --deleted-accounts \"$OLD/deleted-accounts\" && {\n")
    );
    // The volume `data` of the project.
    assert!(compose.contains("name: caravanserai\n") && compose.contains("- data:/data\n"));
    assert!(backup.contains("-v caravanserai_data:/data "));
    // The unit's user cannot write into /etc, and a key inside of DATA_DIR is refused.
    let key = script.lines().find_map(|it| it.strip_prefix("key=")).unwrap();
    assert!(security.contains(&format!("    /usr/local/bin/caravanserai store new-key {key}\n")));
    assert!(security.contains("-v \"$PWD/keys:/keys\" bot store new-key /keys/store.key\n"));
    let pages = ["README.md", "backup.md", "security.md", "runbook.md", "troubleshooting.md"];
    for page in pages {
        assert!(!deployed(page).contains("caravanserai-run store new-"), "{page}");
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
    // Otherwise systemd writes the words of the command into the journal.
    assert!(script.contains("    --description=\"Command of Caravanserai\" \\\n"));
    assert!(deployed("replicas.md").contains("`caravanserai store copy /var/lib/caravanserai "));
}

/// With an empty folder in place of its disk, the bot would begin with an empty store.
#[test]
fn the_units_wait_for_the_disk_of_the_data() {
    for unit in ["caravanserai.service", "caravanserai-backup.service"] {
        assert!(deployed(unit).contains("\nRequiresMountsFor=%S/private/caravanserai"), "{unit}");
    }
}

/// The error about a store that has lost data names the option.
#[test]
fn the_option_to_accept_a_loss_is_explained() {
    let (backup, unit) = (deployed("backup.md"), deployed("caravanserai.service"));
    let start = unit.lines().find(|it| it.starts_with("ExecStart=")).unwrap();
    assert!(backup.contains(&format!("ExecStart=\\n{start} --accept-loss\\n")));
    assert!(backup.contains("    docker compose run --rm bot --accept-loss\n"));
}

/// A command under the units has its own `/tmp`, and a pod its own disk.
#[test]
fn the_backup_before_an_upgrade_outlasts_the_command() {
    let runbook = deployed("runbook.md");
    let upgrade = runbook.split_once("# Upgrade and roll back").unwrap().1;
    let (step, _) = upgrade.split_once("2. Stop the bot").unwrap();
    assert!(step.contains("caravanserai-run backup - > FILE"), "{step}");
    assert!(!step.contains("backup FILE"), "{step}");
}
