//! Togyzkumalak as a whole.
