# Thaayam: the rules in plain words, and captions of the teaching boards. White sits below.

thaayam-summary =
    An old Indian race for two to four. Each player has four pieces of one colour and a palace: the marked middle square of their own side. The centre of the board is the fortress. Bring all your pieces round the board into the fortress and take them off first. Squares have a letter, a to e from the left, and a number, 1 to 5 from below.

    Who begins is decided by lot or by agreement; in our rules turns go counter-clockwise.

    Each of the four dice has three white and three black faces. White faces up are points: one – 1, two – 2, three – 3, four – 4; none – 8. You throw until 2 or 3 comes; with it the throwing ends. Then you share out all throws among your pieces, in any order; each throw is used whole, by one piece. What can be used must be used; what cannot be used is lost.

    Only a 1 puts a piece on your palace. With nothing on the board, throws before the first 1 are lost.

    Pieces go counter-clockwise along the border; before their own palace they turn inside and go clockwise round the fortress, then into it, in our rules by an exact count. Nothing blocks the way.

    Where your piece lands, enemies are killed, all of them: back to the hand. No piece is killed in any of the four palaces or in the fortress: even an enemy is a guest under the host’s roof. A guest that moves on can be killed again.

    When all your pieces are in the fortress, each 1 takes one off. The first to take off all their pieces wins. You throw yourself; a move without a choice is played for you; until you press Done, Undo takes your moves back.

# The course: each page, its question, and why an answer is right.

thaayam-lesson-board =
    <b>The board.</b> It has 5 by 5 squares. Letters a to e go from left to right, numbers 1 to 5 from the bottom up: a1 is the lower left corner. You are Ali and have the white pieces. Four squares are marked, one in the middle of each side: the palaces. In the centre, on c3, is the fortress. Bring your four pieces from your palace round the board into the fortress, and take them off. The first to do that wins.
thaayam-lesson-board-ask = White sits below. Which square is the white palace?
thaayam-lesson-board-why = The palace of a player is the marked square in the middle of their own side.

thaayam-lesson-throw =
    <b>The throw.</b> Four dice, each with three white and three black faces. Count the white ones: 1, 2, 3 or 4. Here two are white: a 2. No white face at all is not a zero: it is the best throw.
thaayam-lesson-throw-ask = No die is white. How many points is that?
thaayam-lesson-throw-why = Four black faces count 8.

thaayam-lesson-again =
    <b>Throwing again.</b> A 2 or a 3 ends your throwing. After a 1, a 4 or an 8 you throw again, and all throws are yours to use. When you have used them, the next player throws; in our rules turns go counter-clockwise. Who begins is decided by lot or by agreement.
thaayam-lesson-again-ask = Ali has thrown 1 and then 4. Does he throw again?
thaayam-lesson-again-why = Only a 2 or a 3 ends the throwing.

thaayam-lesson-enter =
    <b>Coming in.</b> Your pieces wait in your hand, beside the board. Only a 1 puts one on your palace. While you have nothing on the board, throws before the first 1 are lost: here 8 and 4, in brackets.
thaayam-lesson-enter-ask = Which throw brings a piece onto the board?
thaayam-lesson-enter-why = Only a 1 opens the door of the palace.

thaayam-lesson-move =
    <b>Moving.</b> Pieces go along the border, counter-clockwise: white from c1 to the right, then up. They count square by square, and nothing stands in their way.
thaayam-lesson-move-ask = The white piece on c1 has a 3. Where does it land?
thaayam-lesson-move-why = d1, e1, e2: three squares to the right and round the corner.

thaayam-lesson-try-move =
    <b>Try it.</b> You have thrown a 3 and have two pieces on the board. Choose which one goes.
thaayam-lesson-try-move-ask = Move one of your pieces.
thaayam-lesson-try-move-why = The other piece waits for the next throw.

thaayam-lesson-share =
    <b>Sharing out.</b> Several throws can be shared among your pieces as you like and in any order. Each throw is used whole, by one piece. What can be used must be used; what no piece can use is lost. Until you press Done, Undo takes your moves back.
thaayam-lesson-share-ask = You have 4 and 3 and one piece on the board. May this piece use both?
thaayam-lesson-share-why = One piece may use several throws, one after the other, and it lands after each.

thaayam-lesson-kill =
    <b>Killing.</b> If you land on a square where enemies stand, they are killed, all of them: they go back to the hand and need a 1 again. Your own pieces may stand together.
thaayam-lesson-kill-ask = White’s piece on e3 has a 2 and lands on e5. How many enemies does it kill?
thaayam-lesson-kill-why = Two black pieces stand on e5, and all on the square are killed.

thaayam-lesson-guests =
    <b>Guests.</b> In the four palaces and in the fortress no piece is ever killed, and any number of pieces may share the square. Even an enemy is a guest.
thaayam-lesson-guests-ask = White goes from e5 to the red palace c5, where enemies stand. How many are killed?
thaayam-lesson-guests-why = c5 is a palace: every piece is safe there.

thaayam-lesson-leaving =
    <b>Leaving a palace.</b> The roof protects only the pieces under it. As soon as a guest moves on, it can be killed like any other piece.
thaayam-lesson-leaving-ask = One black piece is in the palace c5, the other has moved on to b5. White goes from d5 to b5. How many does it kill?
thaayam-lesson-leaving-why = The piece on b5 has left the palace and is killed. The one on c5 is safe.

thaayam-lesson-try-kill =
    <b>Try it.</b> You have thrown 4 and 2. The swords ⚔ on a button show where an enemy would be killed.
thaayam-lesson-try-kill-ask = How would you use your throws?
thaayam-lesson-try-kill-why = A piece that is killed has to go the whole way again.

thaayam-lesson-inside =
    <b>Going inside.</b> When a piece has gone round and comes back to its own palace, it does not go on along the border: before the palace it turns inside and goes round the fortress clockwise.
thaayam-lesson-inside-ask = White’s piece on b1 stands beside its palace and has a 3. Where does it land?
thaayam-lesson-inside-why = From b1 it turns inside: b2, b3, b4.

thaayam-lesson-exact =
    <b>Into the fortress.</b> In our rules the last step must be exact: a piece cannot use a throw that is too large for it. White’s piece on d3 has three squares to go.
thaayam-lesson-exact-ask = Which throw brings it into the fortress?
thaayam-lesson-exact-why = d2, c2, then the centre: exactly three.

thaayam-lesson-off =
    <b>Taking off.</b> When all four of your pieces are in the fortress, each 1 takes one of them off the board. The first to take off all four wins.
thaayam-lesson-off-ask = All white pieces are in the fortress. Ali has thrown 1, 1 and 3. How many does he take off?
thaayam-lesson-off-why = Each 1 takes off one piece; other throws take off none.

# Hints in a first game.
thaayam-coach-throw = Press “Throw” and see what the dice give you.
thaayam-coach-done = There is nothing more to play: press “Done”.
thaayam-coach-kill = With the { $throw } your piece on { $from } could kill on { $to }.
thaayam-coach-enter = You have a 1: bring a piece onto the board. The more there are, the more choice you have.
thaayam-coach-home = With the { $throw } your piece on { $from } comes into the fortress.
thaayam-coach-shelter = With the { $throw } your piece on { $from } comes to { $to }, a palace, where nobody can kill it.
thaayam-coach-run = No kill and no shelter now. Move the piece that has enemies close behind it.
