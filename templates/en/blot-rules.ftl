# Blot: the rules in plain words, and captions of the teaching pictures. Seats run clockwise
# from the player below.

blot-summary =
    Four play in two pairs, partners opposite each other, with 32 cards: 7 8 9 10 J Q K A (jack, queen, king, ace) of ♣ ♦ ♥ ♠. Everyone gets eight, and play goes clockwise. The player after the dealer bids first and leads to the first trick; the winner of a trick leads the next. After each deal the next player deals. The side that first collects 301 points wins.

    The auction: a bid names a number and a suit, “12♥”, or boy, which means without a trump: “12 no trump”. “12♥” promises 120 points with hearts as trumps; a point from combinations counts as ten of them. Each bid is higher than the last, in our rules from 8 on; from 25 on you may add kaput, a promise of all tricks: one lost trick then loses the bid, and after kaput only kaput may be bid. Three passes end the auction; after four the next player deals. A player who doubts a bid of the other side says kuansh; the bidding side may answer with sur.

    Plain cards from the strongest: A 10 K Q J 9 8 7. Trumps: J 9 A 10 K Q 8 7. Points:
    A — 11, in boy 19
    10 — 10
    K — 4
    Q — 3
    J — 2, of trumps 20
    9 — 0, of trumps 14
    8, 7 — 0
    The last trick brings 10, all together 162; all eight tricks (kaput) count 250.

    Follow suit. If you cannot, you must cut with a trump that beats all cards so far; if you have none that does, or your partner holds the trick, play any card. When trump was led you must beat it if you can, else play any trump, and without trumps any card.

    Combinations: terz (three in a row) 2, fifty (four) 5, hundred (five to seven) 10; four jacks 20, nines 14 (10 in boy), aces 10 (19 in boy), kings, queens or tens 10; four sevens are nothing; four eights bring nothing, but they cancel all combinations of the other side. No card counts in two combinations. Only the side with the strongest combination counts its own: four of a kind (among themselves 8 J 9 A 10 K Q), hundred, fifty, terz; then the higher card, then trump, then the player first in turn. Queen and king of trumps in one hand, blot-reblot, always bring 2; in boy there is none.

    Score: in our rules the defenders’ card points are rounded to tens (6 and more goes up), the bidders have the rest of 16. If the bid is made, the bidders write bid + tens + combinations, the others their own. If not, the bidders write nothing, and the others bid + 16 + all combinations. With kuansh the winners write 2 × bid + 16 + combinations, with sur 4 × bid. In our rules the 16 becomes 25 if the winners took every trick, and after kaput the bidder’s own side is bound, too.

# Titles of the parts of the course.
blot-part-play = Play
blot-part-score = Bid and score
blot-part-fine = Fine points

# The course: each page, its question, and why an answer is right.

# Part 1: tricks.

blot-lesson-partners =
    <b>Partners.</b> Four play, two against two. You are Ali and sit below; clockwise follow Nur, Aram and Zaki. Players opposite each other are partners and win together. There are 32 cards, eight for each: 7 8 9 10 J Q K A in four suits. J is the jack, Q the queen, K the king, A the ace. Play goes clockwise.
blot-lesson-partners-ask = Who is Ali’s partner?
blot-lesson-partners-why = Your partner sits opposite you, with one player in between on each side.

blot-lesson-trick =
    <b>A trick.</b> One player leads a card, and each of the others adds one. The strongest card of the suit that was led takes all four. From the strongest: A 10 K Q J 9 8 7, so a 10 beats a king. In this deal there are no trumps; they come later.
blot-lesson-trick-ask = Nur led 10♠. Who holds the trick now?
blot-lesson-trick-why = Only spades count here, and the 10 beats the jack. An ace of another suit wins nothing.

blot-lesson-lead =
    <b>Who leads?</b> The player after the dealer leads to the first trick, with any card: Ali dealt, so Nur leads. From then on the winner of each trick leads the next.
blot-lesson-lead-ask = Nur led 9♠; Aram, who has no spades, put A♦, and Zaki Q♠. Ali now plays 7♠. Who leads the next trick?
blot-lesson-lead-why = Q♠ is the strongest spade: its player takes the trick and leads the next one.

blot-lesson-follow =
    <b>Following suit.</b> If you have a card of the suit that was led, you must play one. This is your hand; only you see it, and the raised cards may be played.
blot-lesson-follow-ask = Spades were led. Which of these cards may you play?
blot-lesson-follow-why = You hold spades, so it must be a spade.

blot-lesson-try-trick =
    <b>Try it.</b> Nur led K♠, and it is your turn, the last in this trick. Play a card and see who takes it.
blot-lesson-try-trick-ask = Which card do you play?
blot-lesson-try-trick-why = With the ace the trick is yours. With a low card you lose it, but keep the ace.

blot-lesson-trumps =
    <b>Trumps.</b> In most deals one suit is trump; here hearts. A trump beats every card of the other suits. And trumps have an order of their own: J 9 A 10 K Q 8 7. The jack is the strongest card of all, the nine the second.
blot-lesson-trumps-ask = A♥, 9♥ and K♥ lie on the table. Who holds the trick?
blot-lesson-trumps-why = Among trumps the nine beats the ace.

blot-lesson-overtrump =
    <b>Trumps led.</b> When a trump is led, you must beat it with a higher trump if you can, even your partner’s. If you cannot, play any trump; without trumps, any card.
blot-lesson-overtrump-ask = 9♥ holds the trick. Which of these cards may you play?
blot-lesson-overtrump-why = Only the jack beats the nine of trumps, and you must beat it if you can.

blot-lesson-cut =
    <b>Cutting.</b> If you have none of the suit that was led, you must play a trump: you cut, and your trump takes the trick.
blot-lesson-cut-ask = A♠ was led, and you have no spades. Which of these cards may you play?
blot-lesson-cut-why = You have trumps and an opponent holds the trick: you must cut.

blot-lesson-overcut =
    <b>After a cut.</b> If another player has cut before you, your trump must be higher. If you have no higher one, you need not play a trump at all: play any card.
blot-lesson-overcut-ask = Zaki cut with 10♥. You have only 8♥ and 7♥. Must you play a trump?
blot-lesson-overcut-why = Yours are lower than the 10, so any card will do.

blot-lesson-partner =
    <b>Your partner’s trick.</b> If your partner holds the trick, you need not cut: play any card, preferably one with many points.
blot-lesson-partner-ask = Aram, your partner, holds the trick with A♠. You have no spades. Must you cut?
blot-lesson-partner-why = The trick is already your side’s.

blot-lesson-try-partner =
    <b>Try it.</b> Your partner’s A♠ holds this trick. You are the last to play, and any card may be played.
blot-lesson-try-partner-ask = What do you give your partner?
blot-lesson-try-partner-why = The more points lie in a trick of your side, the better. Trumps you may need later.

blot-lesson-worth =
    <b>What cards are worth.</b>
    A — 11
    10 — 10
    K — 4
    Q — 3
    J — 2, of trumps 20
    9 — 0, of trumps 14
    8, 7 — 0
blot-lesson-worth-ask = Hearts are trumps. How many points lie on the table?
blot-lesson-worth-why = The 9 of trumps is 14, the queen 3, the seven nothing.

blot-lesson-round =
    <b>A whole deal.</b> Eight tricks are played. Then each side counts the points of its tricks. The last trick brings 10 more. Then the next player deals.
blot-lesson-round-ask = How many card points are in a deal, the last 10 included?
blot-lesson-round-why = All cards together are worth 152, and the last trick brings 10.

# Part 2: the auction and the score.

blot-lesson-bid =
    <b>The auction.</b> Before play, each in turn names a number and a suit, or passes: 9♦ means “I play with diamonds as trumps”. The player after the dealer bids first: Nur dealt, so Aram began. In our rules the first bid is at least 8. Each bid must be higher by number; the suit does not matter. Three passes end the auction; after four the next player deals.
blot-lesson-bid-ask = Zaki said 9♦. Which of these may Ali say?
blot-lesson-bid-why = The number must be higher than 9.

blot-lesson-boy =
    <b>Boy.</b> Instead of a suit a player may bid boy: play without trumps, as in your first tricks. Then every suit goes A 10 K Q J 9 8 7, and an ace is worth more.
blot-lesson-boy-ask = How many points is an ace worth in boy?
blot-lesson-boy-why = In boy an ace counts 19, so that all cards together are worth the same.

blot-lesson-terz =
    <b>Combinations.</b> Cards in a row of one suit (7 8 9 10 J Q K A) bring extra points:
    three, a terz — 2
    four, a fifty — 5
    five or more, a hundred — 10
    You announce with your first card and show with the second; I do it for you. Where players do it by hand and one forgets to show, the opponents may show theirs with the third card.
blot-lesson-terz-ask = Ali has A♠ K♠ Q♠. How many points is that?
blot-lesson-terz-why = Three in a row are a terz.

blot-lesson-overlap =
    <b>Four of a kind.</b>
    Jacks — 20
    Nines — 14, in boy 10
    Aces — 10, in boy 19
    Kings, queens, tens — 10
    Eights — 0, but see part 3
    Sevens — no combination
    No card counts in two combinations: the one worth more counts.
blot-lesson-overlap-ask = You have four kings, and A♠ K♠ Q♠. How many points do they bring together?
blot-lesson-overlap-why = K♠ cannot count twice, so only the four kings count.

blot-lesson-blot =
    <b>Blot-reblot.</b> Queen and king of trumps in one hand. They always bring 2, even if the other side has the stronger combination. I announce them for you. In boy there are no trumps, so there is no blot-reblot.
blot-lesson-blot-ask = Hearts are trumps, and you have Q♥ and K♥. How many points do these two bring?
blot-lesson-blot-why = Blot-reblot is always 2.

blot-lesson-make =
    <b>What a bid promises.</b> 12♥ promises 120 points with hearts as trumps. A point from combinations counts as ten of them.
blot-lesson-make-ask = Ali bid 12♥. His side took 100 card points and has 2 points from combinations. Is it enough?
blot-lesson-make-why = 100 and 2 × 10 are 120: just enough.

blot-lesson-rounding =
    <b>Tens.</b> Card points are written in tens, 16 for both sides together. In our rules the defenders’ points are rounded: 6 and more goes up, 5 and less goes down. The bidders have the rest of 16.
blot-lesson-rounding-ask = The defenders took 36 card points. How many do they write?
blot-lesson-rounding-why = 36 ends in a 6, so it goes up to 40: that is 4.

blot-lesson-sheet =
    <b>The score.</b> If the bid is made, the bidders write bid + tens + combinations; the others write what they took. The match goes to 301. Ali’s side bid 12♥, took 130 and has blot-reblot, 2.
blot-lesson-sheet-ask = How many points does Ali’s side write?
blot-lesson-sheet-why = The bid 12, the tens 13 and blot-reblot 2: 27.

blot-lesson-under =
    <b>Going under.</b> If the bid is not made, the bidders write nothing. The others write bid + 16 + all combinations. Ali’s side bid 12♥, took only 66 and has blot-reblot, 2.
blot-lesson-under-ask = How many points do the others write?
blot-lesson-under-why = The bid 12, then 16, and 2 for blot-reblot: 30.

# Part 3: fine points.

blot-lesson-fours =
    <b>Whose combinations count?</b> Only those of one side: the one with the strongest. Four of a kind, then hundred, fifty, terz; of equals the higher card, then trumps, then the player first in turn. Fours have an order of their own: 8 J 9 A 10 K Q.
blot-lesson-fours-ask = Which of these fours is the strongest?
blot-lesson-fours-why = In the order 8 J 9 A 10 K Q the one that comes first wins.

blot-lesson-eights =
    <b>Four eights.</b> They bring no points, but they are the strongest of all, and the other side counts none of its combinations. Four sevens do nothing: they bring no points and cancel nothing.
blot-lesson-eights-ask = Nur has four eights. How many points does your terz bring?
blot-lesson-eights-why = Four eights cancel all combinations of the other side.

blot-lesson-long =
    <b>Long rows.</b> Six or seven cards in a row are one hundred, 10 points: the other cards add nothing. In our rules all eight are a hundred and a terz, 12.
blot-lesson-long-ask = You have A♠ K♠ Q♠ J♠ 10♠ 9♠. How many points is that?
blot-lesson-long-why = Six in a row are one hundred.

blot-lesson-kaput =
    <b>Kaput.</b> In our rules a bid from 25 on may add kaput: a promise of all eight tricks. One lost trick, and the bid is lost. All eight tricks count 250 points.
blot-lesson-kaput-ask = Zaki said 16♦. Which of these may Ali say?
blot-lesson-kaput-why = Kaput may be said only from 25 on.

blot-lesson-after-kaput =
    <b>After kaput.</b> Once kaput has been bid, every later bid must be kaput too, with a higher number. In our rules this binds both sides.
blot-lesson-after-kaput-ask = Zaki said 25♦ kaput. Which of these may Ali say?
blot-lesson-after-kaput-why = It must be kaput too, and higher than 25.

blot-lesson-kuansh =
    <b>Kuansh and sur.</b> A player who doubts a bid of the other side says kuansh: the bid counts twice, and in our rules nobody bids any more. The side that bid may answer with sur: four times. Or it passes.
blot-lesson-kuansh-ask = Your partner bid 12♥, and Zaki said kuansh. Which of these may you say?
blot-lesson-kuansh-why = After a kuansh there is only sur or pass.

blot-lesson-doubled =
    <b>Doubled.</b> With kuansh the winners write 2 × bid + 16 + combinations, with sur 4 × bid + 16 + combinations. The losers write nothing.
blot-lesson-doubled-ask = 12♥ with kuansh was made; the bidders have blot-reblot, 2. How many points do they write?
blot-lesson-doubled-why = 2 × 12 = 24, with 16 it is 40, with blot-reblot 42.

# Hints in a first game.
blot-coach-bid = Your best trumps: { $cards }. With the jack among them you may bid { $bid }.
blot-coach-high = Your best trumps: { $cards }. { $bid } would promise too much with them: better pass.
blot-coach-pass = Your best suit: { $cards }. For trumps that is little: better pass.
blot-coach-own-bid = The highest bid is that of your own side: better pass.
blot-coach-answer = The other side doubts your bid with kuansh. Pass, or say sur only if you are sure to make it.
blot-coach-kaput = Only kaput may be bid now, which promises every trick: better pass.
blot-coach-no-bid = No higher bid is possible. Pass, or say kuansh if you doubt the bid.
blot-coach-only = You may play only { $card }.
blot-coach-lead = You lead. A low card of a plain suit is safe; keep your tens.
blot-coach-lead-cheap = You lead. You have no low card of a plain suit: play a cheap card, { $card } for instance.
blot-coach-lead-safe = You lead. Nothing beats { $card } in its suit.
blot-coach-partner = { $name }, your partner, holds the trick: give points, { $card } for instance.
blot-coach-partner-cheap = { $name }, your partner, holds the trick so far: play a cheap card, { $card } for instance.
blot-coach-take = { $card } is enough to take this trick.
blot-coach-hold = { $card } would hold the trick for now, but others still play.
blot-coach-lose = You cannot take this trick: play a cheap card, { $card } for instance.
