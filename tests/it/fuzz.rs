//! Runs the stored fuzzing seeds, and many variations of them, through all fuzz targets. The
//! variations are new in each run; the printed seed reproduces them.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::path::Path;

use caravanserai_games::rules::Entropy;

use crate::fuzz_targets::TARGETS;
use crate::game_conformance::Seeded;

const SEED: &str = "CARAVANSERAI_FUZZ_SEED";
/// Variations of each target.
const VARIATIONS: u32 = 3_000;

#[test]
fn fuzzed_inputs_are_parsed_or_refused() {
    let seed = std::env::var(SEED).ok().and_then(|it| it.parse().ok());
    let seed: u64 = seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    println!("{SEED}={seed}");
    for (name, run) in TARGETS {
        let kept = kept(name);
        assert!(!kept.is_empty(), "there is nothing in seeds/{name}");
        kept.iter().for_each(|data| run(data));
        let mut random = Seeded(seed);
        for _ in 0..VARIATIONS {
            let data = varied(&kept, &mut random);
            let ran = std::panic::catch_unwind(|| run(&data));
            assert!(ran.is_ok(), "{name} fails with {:?}", String::from_utf8_lossy(&data));
        }
    }
}

#[test]
fn every_target_can_be_built_by_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let target = fs::read_to_string(folder.join(format!("targets/{name}.rs"))).unwrap();
        assert!(target.contains(&format!("caravanserai_fuzz::{name}(data)")), "{name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}

fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds").join(target);
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// One of these, changed in a few places: bytes flipped, taken out, doubled, or taken from another.
fn varied(kept: &[Vec<u8>], random: &mut Seeded) -> Vec<u8> {
    let mut below = |n: usize| random.below(u32::try_from(n.max(1)).unwrap()) as usize;
    let mut data = kept[below(kept.len())].clone();
    for _ in 0..=below(4) {
        let at = below(data.len() + 1);
        let end = (at + 1 + below(12)).min(data.len());
        match below(5) {
            0 if at < data.len() => data[at] ^= 1 << below(8),
            1 if at < end => drop(data.drain(at..end)),
            2 if at < end => {
                let part = data[at..end].to_vec();
                data.splice(at..at, part);
            }
            3 => {
                let other = &kept[below(kept.len())];
                let from = below(other.len());
                let part = other[from..(from + 1 + below(40)).min(other.len())].to_vec();
                data.splice(at..at, part);
            }
            _ => data.insert(at, below(256) as u8),
        }
    }
    data
}
