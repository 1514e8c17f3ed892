//! The refusals of the rules of Thaayam.

crate::rules::reasons! {
    /// The reason why an action is refused, or a game cannot begin.
    pub enum ThaayamIllegal {
        NotTwoToFourSeats = "thaayam is played by two, three or four",
        PartnersAreFour = "partners need four players",
        GameIsOver = "the game is over",
        NotYourTurn = "it is another player's turn",
        WrongStage = "the dice have not been thrown yet, or no throw is due",
        ThrowFirst = "the dice must be thrown first",
        AlreadyThrown = "the dice are already thrown",
        NothingToUndo = "there is nothing to take back in this turn",
        StillToPlay = "more can be played, so it must be",
        NoSuchEnd = "the turn cannot end like this",
        NoPieceThere = "no own piece is there",
        NoSuchThrow = "this was not thrown in this turn",
        ThrowIsSpent = "the throw is already used",
        ThrowIsLost = "the throw came before the first 1 and is lost",
        NoneInHand = "no piece is in hand",
        MoreCouldBeUsed = "this would use fewer throws than possible",
        EnteringNeedsOne = "only a 1 brings a piece onto the board",
        BearingOffNeedsOne = "only a 1 takes a piece off",
        NotAllAreHome = "nothing is taken off before all own pieces are in the fortress",
        NotInThisTurn = "nothing is taken off in the turn in which the last piece arrives",
        TooFar = "the fortress needs an exact count",
        NoKillYet = "the inner track is open only after the first kill",
        WayIsBlocked = "an enemy blocks the way",
    }
}
