# Togyzkumalak: the rules in plain words, and captions of the teaching boards.
# Pits are counted 1 to 9 from their owner's left; the player below owns the lower row.

togyzkumalak-summary =
    Two players, nine pits each, and a store for each: the kazan. Each player counts their own pits 1 to 9 from their left. The game begins with nine stones in every pit, 162 in all. Who begins is decided by lot or by agreement; then the players take turns. The first to gather more than half, 82 or more, wins at once.

    A move: take all stones of one of your pits. Put the first one back into that pit and the others one by one into the pits that follow, to the right along your side and then round along the other side. No pit is skipped, no pit gets two stones at once, and no stone is dropped into the kazans. A single stone just moves on to the next pit; its own pit stays empty. You may not pass.

    If your last stone falls on the other side and makes the stones in that pit an even number, all of them go to your kazan. On your own side, or with an odd number, you take nothing.

    If your last stone makes exactly three in a pit of the other side, you take the three and the pit becomes your tuzdyk: every stone that falls into it, from either player, is yours to the end of the game. You may have only one, never pit 9, and never the pit with the same number as the other’s tuzdyk; in such a pit the three stones stay.

    A player with no stones left to move is in atsyrau: the other moves once more. If that brings a stone across, the game goes on; if not, the other takes all stones that are left. Then more stones in the kazan win; 81 each is a draw. Our house rule: the same position for the third time is a draw.

# The course: each page, its question, and why an answer is right.

togyzkumalak-lesson-board =
    <b>The board.</b> You are Ali and sit below; Nur sits above. Each of you has nine pits with nine stones in each, and a long store in the middle, the kazan. There are 162 stones in all. With more than half of them in your kazan you win at once; half each is a draw. Who begins is decided by lot or by agreement, then you take turns.
togyzkumalak-lesson-board-ask = How many stones in your kazan win the game?
togyzkumalak-lesson-board-why = Half of 162 is 81, and you need one more than half. 81 each is a draw.

togyzkumalak-lesson-numbers =
    <b>Counting pits.</b> Each player counts their own pits 1 to 9, from their left to their right. Nur sits opposite, so his pit 1 lies across from your pit 9.
togyzkumalak-lesson-numbers-ask = How many stones lie in Nur’s pit 2?
togyzkumalak-lesson-numbers-why = Nur counts from the other end: his pit 2 lies across from Ali’s pit 8.

togyzkumalak-lesson-sow =
    <b>Sowing.</b> Take all stones of one of your pits. Put the first one back into that pit, and then one into each pit that follows: to the right along your side, then round the corner along the other side. Skip no pit, never drop two stones at once, and drop none into the kazans.
togyzkumalak-lesson-sow-ask = Ali sows the ten stones of pit 3. Where does the last one fall?
togyzkumalak-lesson-sow-why = The first stone goes back into pit 3 itself: count ten pits from there, it included.

togyzkumalak-lesson-single =
    <b>One stone.</b> A single stone does not go back into its pit: it simply moves on to the next one.
togyzkumalak-lesson-single-ask = Ali plays pit 7, which has one stone. How many stones lie in pit 7 then?
togyzkumalak-lesson-single-why = A single stone leaves its pit, and the pit is empty.

togyzkumalak-lesson-capture =
    <b>Winning stones.</b> If your last stone falls into a pit of the other side and makes an even number there (2, 4, 6, 8, 10…), all these stones go to your kazan.
togyzkumalak-lesson-capture-ask = Ali sows pit 7. How many stones does he win?
togyzkumalak-lesson-capture-why = The last stone falls into Nur’s pit 6: there were nine, now there are ten, an even number, and all of them are won.

togyzkumalak-lesson-even =
    <b>Even or odd.</b> With an odd number you take nothing, and on your own side you never take anything. So count before you move: where does the last stone fall, and how many are there then?
togyzkumalak-lesson-even-ask = Which of these pits wins stones for Ali?
togyzkumalak-lesson-even-why = Count to the last stone: it must fall on the other side and make an even number there.

togyzkumalak-lesson-try-capture =
    <b>Try it.</b> This is a game that has just begun. Choose any pit and see what happens. Nothing is lost here.
togyzkumalak-lesson-try-capture-ask = Sow from one of your pits.
togyzkumalak-lesson-try-capture-why = Try other pits too: some win many stones, some none.

togyzkumalak-lesson-tuzdyk =
    <b>Tuzdyk.</b> If your last stone makes exactly three in a pit of the other side, you take the three, and the pit is your tuzdyk from now on. A tuzdyk is like a second kazan: whatever falls into it is yours.
togyzkumalak-lesson-tuzdyk-ask = Which of these pits makes a tuzdyk?
togyzkumalak-lesson-tuzdyk-why = The last stone must fall into a pit of Nur’s that holds two stones, so that there are three.

togyzkumalak-lesson-through =
    <b>What a tuzdyk does.</b> Nur’s pit 3 with the mark is Ali’s tuzdyk. Every stone that falls into it goes to Ali’s kazan at once, no matter who is sowing.
togyzkumalak-lesson-through-ask = Ali sows the seven stones of pit 8. How many of them fall into his tuzdyk?
togyzkumalak-lesson-through-why = On its way round the corner the sowing passes Nur’s pit 3 once.

togyzkumalak-lesson-forbidden =
    <b>When there is no tuzdyk.</b> You can have only one. Pit 9 is never one, and neither is the pit with the same number as the other’s tuzdyk: the three stones then stay where they are. Here Nur’s tuzdyk is Ali’s pit 6.
togyzkumalak-lesson-forbidden-ask = Ali sows pit 5 and makes three in Nur’s pit 6. Does he get a tuzdyk?
togyzkumalak-lesson-forbidden-why = Nur’s tuzdyk has the number 6, so Ali cannot have a 6 too.

togyzkumalak-lesson-try-tuzdyk =
    <b>Try it.</b> Somewhere in here is a tuzdyk for Ali. There are even two ways to one. Look for pits of Nur’s with two stones.
togyzkumalak-lesson-try-tuzdyk-ask = Which pit would you sow?
togyzkumalak-lesson-try-tuzdyk-why = A tuzdyk early in the game is worth many stones: everything that falls there is yours to the end.

togyzkumalak-lesson-names =
    <b>Old names.</b> Every pit has an old name: 1 Art, 2 Tekturmas, 3 At otpes, 4 Atsyratar, 5 Bel, 6 Belbasar, 7 Qandyqaqpan, 8 Kokmoiyn, 9 Mangdai. You can type the name instead of the number. Art and Bel are everyday words, too: add “pit” to them.
togyzkumalak-lesson-names-ask = Which pit is Belbasar?
togyzkumalak-lesson-names-why = Belbasar comes after Bel, the middle of the row.

togyzkumalak-lesson-end =
    <b>The end.</b> A player with no stone left to move is in atsyrau: the other moves once more. If that brings a stone across, the game goes on; if not, the other takes all stones that are left. Then more stones in the kazan win; 81 each is a draw. Our house rule: the same position for the third time is a draw.
togyzkumalak-lesson-end-ask = Nur’s side is empty. Ali, with 71 in the kazan, plays pit 6. How many does he have in the end?
togyzkumalak-lesson-end-why = The two stones stay on Ali’s side, so all 19 stones left are his: 71 + 19 = 90.

# Hints in a first game.
togyzkumalak-coach-win = Your pit { $pit } would win { $stones } stones.
togyzkumalak-coach-tuzdyk = Look: pit { $pit } makes a tuzdyk!
togyzkumalak-coach-nothing = Nothing can be won just now. Make your pits safe, or get ready for the next move.
togyzkumalak-coach-threat = Take care: { $name } could take { $stones } stones from your pit { $pit }.
togyzkumalak-coach-risk = Take care: { $name } could make your pit { $pit } a tuzdyk.
togyzkumalak-lesson-own-pit = Ali’s pit { $pit }
togyzkumalak-lesson-other-pit = Nur’s pit { $pit }
