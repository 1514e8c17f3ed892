# Blot: the rules in plain words, and captions of the teaching pictures. Seats run clockwise
# from the player below.

blot-summary =
    Four play in two pairs, partners opposite each other, with 32 cards: 7 8 9 10 J Q K A of ♣ ♦ ♥ ♠. Everybody gets eight, and play goes clockwise. The one after the dealer speaks first and leads first. The side that first collects 301 points wins.

    The auction: a bid names a number and a suit, “12♥”, or boy, which means without a trump. “12♥” promises 120 points with hearts as trumps; a point from combinations counts as ten of them. Each bid is higher than the last, from 8 on; from 25 on you may add kaput, a promise of all tricks: one lost trick then loses the bid. Three passes end it; after four the next player deals. Who doubts the opponents' bid says kuansh; the bidding side may sharpen it with sur.

    Plain cards from the strongest: A 10 K Q J 9 8 7, worth A 11, 10 10, K 4, Q 3, J 2. Trumps: J 9 A 10 K Q 8 7, with J 20 and 9 14. In boy the ace is worth 19. The last trick brings 10, all together 162; all eight tricks (kaput) count 250.

    Follow suit. If you cannot, you must cut with a trump that beats all cards so far; if you have none that does, or your partner holds the trick, play any card. When trump was led you must beat it if you can, else play any trump, and without trumps any card.

    Combinations: terz (three in a row) 2, fifty (four) 5, hundred (five) 10; four jacks 20, nines 14 (10 in boy), aces 10 (19 in boy), kings, queens or tens 10; four eights bring nothing, but they cancel all combinations of the other side. No card counts in two combinations. Only the side with the strongest combination counts its own: four of a kind (among themselves 8 J 9 A 10 K Q), hundred, fifty, terz; then the higher card, then trump, then who is first in turn. Queen and king of trumps in one hand, blot-reblot, always bring 2.

    Score: the defenders’ card points are rounded to tens (6 and more goes up), the bidders have the rest of 16. Whoever makes the bid writes bid + tens + combinations, the others their own. Whoever goes under writes nothing, and the others bid + 16 + all combinations. With kuansh the winners write 2 × bid + 16 + combinations, with sur 4 × bid.

blot-lesson-1 =
    <b>The auction.</b> The player below said 8♥, the one on the left passed. What each player said last lies in front of them; the standing bid is at the top left. Whoever’s turn it is has a light plate and a pointer. The next bid must be at least one higher, in any suit or boy.

blot-lesson-2 =
    <b>Kuansh.</b> The partner raised to 12♥, and the player on the right doubts it: kuansh, ×2. Nobody bids any more. The bidding side may answer with sur, ×4, or pass. Whoever was wrong writes nothing.

blot-lesson-3 =
    <b>The trick.</b> The one after the dealer led A♠; the next player has spades and must follow suit, but need not beat it. The strongest card on the table holds the trick so far. The card backs beside a plate are an announced combination.

blot-lesson-4 =
    <b>Your hand.</b> Only you see this picture. The raised cards may be played: spades were led, you have spades, so you must follow suit. Above are the contract and the trick.

blot-lesson-5 =
    <b>Trumps.</b> 9♥ was led, hearts are trumps: you would have to beat it, but no trump of yours does, so any of your trumps may be played. Trumps run J 9 A 10 K Q 8 7. If you have none of the plain suit that was led, you must cut, unless your partner holds the trick.

blot-lesson-6 =
    <b>Combinations.</b> They are announced with the first card and shown with the second: here A♠ K♠ Q♠, a terz, 2 points. The last trick lies small in the middle: Q♥ and K♥, the queen and the king of trumps, came from one hand: blot-reblot, 2 more points.
