# Thaayam: the rules in plain words, and captions of the teaching boards. White sits below.

thaayam-summary =
    An old Indian race for two to four. Everybody has four pieces of one colour and a palace: the marked middle square of their own side. The centre of the board is the fortress. Bring all your pieces round the board into the fortress and take them off first.

    Each of the four dice has three white and three black faces. White faces up are points: one – 1, two – 2, three – 3, four – 4; none – 8. You throw until 2 or 3 comes; with it the turn ends. Then you share out all throws, each whole, by one piece, in any order. What can be used must be used.

    Only a 1 puts a piece on your palace. With nothing on the board, throws before the first 1 are lost.

    Pieces go counter-clockwise along the border; before their own palace they turn inside and go clockwise round the fortress, then into it, by an exact count. Nothing blocks the way.

    Where your piece lands, enemies are killed, all of them: back to the hand. Nobody is killed in any of the four palaces or in the fortress: even an enemy is a guest under the host’s roof.

    When all your pieces are in the fortress, each 1 takes one off. Whoever is first to take off all their pieces wins. Turns without a choice play themselves; before you press Done, you may take back.

thaayam-lesson-1 =
    <b>The way.</b> White starts on the palace c1 and goes counter-clockwise. Here a piece went from c1 with a 4 to e3 and with another 4 to c5. A second one stood on b1, next to its own palace: with the 3 it turned inside and now goes clockwise round the fortress.

thaayam-lesson-2 =
    <b>Only a 1 enters.</b> White had nothing on the board and threw 8, 4, 1, 4, 2. The 8 and the first 4 came before the 1 and are lost. With the 1 a piece entered on c1, and 4 and 2 took it six squares to e5.

thaayam-lesson-3 =
    <b>Sharing out.</b> 1, 4, 1, 4, 1, 3: the ones brought three pieces to the palace, a 4 moved one to e3. Another 4 and the 3 are left: one piece may use both, or two pieces one each.

thaayam-lesson-4 =
    <b>Killing.</b> The 2 landed on e5, where two black pieces stood: both are killed. The 4 took the same piece on to a5 and killed a blue one. Every throw lands. Killed pieces are in hand again and need a 1.

thaayam-lesson-5 =
    <b>Guests.</b> White went to the red palace c5, where black and blue pieces stand. Nobody is killed there: the four palaces and the fortress shelter everybody, and any number of pieces.

thaayam-lesson-6 =
    <b>The end.</b> The last white piece stood two squares before the fortress. The 2 took it in, an exact count; now all four are there, and the 1 of the same turn took one off. Three more ones, and White has won.
