//! Fuzzes `caravanserai_fuzz::typed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::typed(data));
