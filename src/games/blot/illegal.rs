//! The refusals of the rules of Blot.

crate::rules::reasons! {
    /// The reason why a call or a card is refused, or a match cannot begin.
    pub enum BlotIllegal {
        MatchIsOver = "the match is over",
        NotDealt = "no such deal can come now, or none has come yet",
        NotYourTurn = "it is another player's turn",
        NotFourSeats = "blot is played by four",
        AuctionFirst = "the auction comes before the cards",
        AuctionIsOver = "the auction is over",
        BidTooLow = "the bid is too low",
        BidTooHigh = "the bid is higher than any that may be said",
        NothingHigher = "no higher bid is possible",
        OnlyKaput = "kaput was said, so only kaput may be said now",
        KaputTooLow = "kaput needs a higher bid",
        KuanshWasSaid = "after a kuansh there is no more bidding",
        NothingToDoubt = "nothing has been bid yet",
        OwnBid = "only opponents may say kuansh",
        KuanshTwice = "kuansh has been said already",
        NoKuansh = "sur answers a kuansh, and there is none",
        OnlyTheBidder = "only the bidder may answer with sur",
        OnlyTheBidders = "only the side that made the bid may say sur",
        NotHeld = "the card is not in the hand",
        MustFollow = "the suit led must be followed",
        MustFollowTrump = "trump was led and must be followed",
        MustOvertrump = "trump was led and must be beaten",
        MustCut = "a player who cannot follow must cut with a trump",
        MustOvercut = "a trump that cuts must beat the one before it",
        NoCombination = "there is no combination to announce or to show now",
        CombinationsShowThemselves = "combinations announce and show themselves by these rules",
    }
}
