//! Every translation was checked against the English text of today.

use std::path::Path;

use caravanserai_tools::translations::find_outdated;

#[test]
fn every_translation_is_up_to_date() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let outdated = find_outdated(&templates).unwrap();
    let list: Vec<String> = outdated.iter().map(ToString::to_string).collect();
    assert!(
        list.is_empty(),
        "{} translations are to be checked against the English text, and then marked by \
         `cargo run --bin caravanserai-tools -- translations --checked LANGUAGE KEY`:\n{}",
        list.len(),
        list.join("\n")
    );
}
