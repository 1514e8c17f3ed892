//! Fuzzes `caravanserai_fuzz::cards`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::cards(data));
