# Togyzkumalak: the rules in plain words, and captions of the teaching boards.
# Pits are counted 1 to 9 from their owner's left; the player below owns the lower row.

togyzkumalak-summary =
    Two players, nine pits each, and a store for each: the kazan. Your pits count 1 to 9 from your left. The game begins with nine stones in every pit, 162 in all. Whoever gathers more than half, 82 or more, wins at once; 81 each is a draw.

    A move: take all stones of one of your pits. Put the first one back into that pit and the others one by one into the pits that follow, to the right along your side and then round along the other side. A single stone just moves on to the next pit; its own pit stays empty. You may not pass.

    If your last stone falls on the other side and makes the stones in that pit an even number, all of them go to your kazan. On your own side, or with an odd number, you take nothing.

    If your last stone makes exactly three in a pit of the other side, you take the three and the pit becomes your tuzdyk: every stone that falls into it, from either player, is yours to the end of the game. You may have only one, never pit 9, and never the pit with the same number as the other's tuzdyk; in such a pit the three stones stay.

    When a player has no stones left to move, the other moves once more. If that brings a stone across, the game goes on; if not, the other gathers all stones that are left, and the kazans are counted. The same position for the third time is a draw.

togyzkumalak-lesson-1 =
    <b>Sowing.</b> The player below took the nine stones of pit 1, put the first one back and sowed the others along the row. The last stone fell on the player's own side, so nothing is taken. The dashed frame shows where a move began, the full frame where it ended.

togyzkumalak-lesson-2 =
    <b>Capturing.</b> Nine stones from pit 7: one stays, eight go round the corner. The last one made ten in the other's pit 6. Ten is even, so all ten go to the kazan.

togyzkumalak-lesson-3 =
    <b>One stone.</b> A single stone does not stay: the player above moved it from pit 7 to pit 8, and pit 7 is empty now. It counts as a last stone like any other: on the other side it may capture.

togyzkumalak-lesson-4 =
    <b>Tuzdyk.</b> The last stone of the player above made three in the other's pit 6. The three are taken and the pit carries the owner's mark: from now on every stone that falls into it goes to the owner's kazan.

togyzkumalak-lesson-5 =
    <b>No tuzdyk here.</b> The last stone made three in pit 6 above, but the other player already holds pit 6 below, and two tuzdyks never have the same number. The three stay where they are. Nor may you take pit 9 or have a second tuzdyk. On its way the sowing lost one stone to the other’s tuzdyk.

togyzkumalak-lesson-6 =
    <b>The end.</b> The player above ran out of stones, and the move of the player below brought none across. The 19 stones left go to the kazan of the player below: 71 and 19 are 90. The game also ends as soon as somebody has 82.
