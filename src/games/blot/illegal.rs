//! The refusals of the rules of Blot.

crate::rules::reasons! {
    /// The reason why a call or a card is refused, or a match cannot begin.
    pub enum BlotIllegal {
        MatchIsOver = "the match is over",
        NotDealt = "this deal is not possible now, or no cards have been dealt",
        NotYourTurn = "it is another player's turn",
        NotFourSeats = "blot is played by four",
        AuctionFirst = "the auction comes before the cards",
        AuctionIsOver = "the auction is over",
        BidTooLow = "the bid is too low",
        BidTooHigh = "the bid is above the highest possible bid",
        NothingHigher = "no higher bid is possible",
        NoBidLeft = "no higher bid is possible, only a pass",
        OnlyKaput = "after a kaput bid only kaput may be bid",
        KaputTooLow = "kaput needs a higher bid",
        NoKaput = "kaput needs more than the highest possible bid",
        KuanshWasSaid = "no bid is possible after a kuansh",
        NothingToDoubt = "nothing has been bid yet",
        OwnBid = "only opponents may call kuansh",
        KuanshTwice = "kuansh was already called",
        NoKuansh = "sur answers a kuansh, and there is none",
        OnlyTheBidder = "only the bidder may answer with sur",
        OnlyTheBidders = "only the bidding side may call sur",
        NotHeld = "the card is not in the hand",
        MustFollow = "the suit led must be followed",
        MustFollowTrump = "trump was led and must be followed",
        MustOvertrump = "trump was led and must be beaten",
        MustCut = "a player who cannot follow must cut with a trump",
        MustOvercut = "a trump that cuts must beat the one before it",
        NoCombination = "there is no combination to announce or to show now",
        CombinationsShowThemselves = "combinations are announced and shown automatically",
    }
}
