//! Fuzzes `caravanserai_fuzz::sowing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::sowing(data));
