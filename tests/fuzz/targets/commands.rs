//! Fuzzes `caravanserai_fuzz::commands`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::commands(data));
