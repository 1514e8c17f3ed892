//! The refusals of the rules of Togyzkumalak.

crate::rules::reasons! {
    /// The reason why a pit cannot be sown from, or a game not begun.
    pub enum TogyzkumalakIllegal {
        GameIsOver = "the game is over",
        NotYourTurn = "it is the other player's turn",
        NoSuchPit = "pits are numbered from 1 to 9",
        PitIsEmpty = "the pit is empty",
        PitIsTuzdyk = "the pit is the other player's tuzdyk and always empty",
        NotTwoSeats = "togyzkumalak is played by two",
    }
}
