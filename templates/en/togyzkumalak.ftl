# Togyzkumalak. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }: pit { $from } (1 stone) → own pit { $to }.
       *[other] { $name }: pit { $from } ({ $stones } stones) → own pit { $to }.
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }: pit { $from } (1 stone) → { $other }’s pit { $to }.
       *[other] { $name }: pit { $from } ({ $stones } stones) → { $other }’s pit { $to }.
    }
togyzkumalak-captured =
    { $stones ->
        [one] { $name } captures 1 stone.
       *[other] { $name } captures { $stones } stones.
    }
togyzkumalak-tuzdyk = { $name } takes 3 stones and makes { $other }’s pit { $pit } a tuzdyk.
# Stones fell into the tuzdyk of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] 1 stone falls into { $name }’s tuzdyk.
       *[other] { $stones } stones fall into { $name }’s tuzdyk.
    }

# Where it stands

togyzkumalak-score = Kazans: { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 <b>{ $name }</b> is to move.
# Atsyrau: the other player's side is empty.
togyzkumalak-turn-extra = 👉 The other side is empty: <b>{ $name }</b> makes one extra move.
togyzkumalak-end-majority =
    { $stones ->
        [one] { $name } has 1 stone in the kazan: more than half.
       *[other] { $name } has { $stones } stones in the kazan: more than half.
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] Atsyrau: a side is empty, and no stone is left.
        [one] Atsyrau: a side is empty, and the other player has collected the last stone.
       *[other] Atsyrau: a side is empty, and the other player has collected the last { $stones } stones.
    }
togyzkumalak-end-repetition = The same position for the third time: a draw.

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuzdyk.

togyzkumalak-board-side = { $name }, pits 1 to 9: { $pits }. Kazan: { $kazan }.
togyzkumalak-tuzdyk-mark = tuzdyk
togyzkumalak-sketch-kazan = { $name }: <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = { $name }’s tuzdyk is { $other }’s pit { $pit }.

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = Pit { $pit } is empty; you can sow from { $legal }.
togyzkumalak-tuzdyk-pit = Pit { $pit } is { $other }’s tuzdyk and always empty; you can sow from { $legal }.
togyzkumalak-no-such-pit = Pits are numbered from 1 to 9; you can sow from { $legal }.
togyzkumalak-not-your-turn = It’s { $name }’s turn.
togyzkumalak-over = This game is over.
togyzkumalak-seats = Togyzkumalak is a game for two.

# House rules
switch-togyzkumalak-ending-seed = with the extra move
switch-togyzkumalak-ending-short = without the extra move
game-togyzkumalak = Togyzkumalak
command-togyz = open a table of Togyzkumalak, or challenge a friend
chart-togyzkumalak = 📈 Stones in the kazans, move by move (table <code>{ $table }</code>). The horizontal line is the number that wins.

# The move just made, in the passing note for its player: from their own pit to the pit where
# the last stone fell.
togyzkumalak-done = { $from } → pit { $to }
togyzkumalak-done-captured = { $from } → pit { $to }, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → pit { $to }, tuzdyk!
# The move before the last one: $what is one of the three above.
togyzkumalak-before = Before: { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = stones captured: { $count }
togyzkumalak-count-tuzdyks = tuzdyks: { $count }
togyzkumalak-favourites-first = First move: { $ways }
togyzkumalak-favourite-first = { $way } (won { $good } of { $count })
togyzkumalak-favourites-reply = Reply to the first move: { $ways }
togyzkumalak-favourite-reply = { $way } (won { $good } of { $count })
togyzkumalak-achieved-tuzdyk = Tuzdyk
togyzkumalak-achieved-tuzdyk-rule = your last stone makes exactly 3 in a pit of the other side, and the pit is yours for the rest of the game.
togyzkumalak-achieved-large-capture = Large capture
togyzkumalak-achieved-large-capture-rule = capture 20 stones or more with one move.
togyzkumalak-achieved-comeback = Comeback
togyzkumalak-achieved-comeback-rule = win a game in which you were 20 stones behind.

# Setting up a position: labels of its parts, and why it is not possible

togyzkumalak-setup-pit = { $name }, pit { $pit }
togyzkumalak-setup-kazan = { $name }, kazan
togyzkumalak-setup-tuzdyk = { $name }’s tuzdyk
togyzkumalak-setup-no-tuzdyk = none
togyzkumalak-setup-missing =
    { $count ->
        [one] 1 of the { $all } stones is missing.
       *[other] { $count } of the { $all } stones are missing.
    }
togyzkumalak-setup-excess =
    { $count ->
        [one] There is 1 stone too many: the game has { $all }.
       *[other] There are { $count } stones too many: the game has { $all }.
    }
togyzkumalak-setup-bad-tuzdyk = { $name }’s pit { $pit } can’t be a tuzdyk: pit 9 never is one, a tuzdyk holds no stones, and two tuzdyks never have the same number.
togyzkumalak-setup-extra = An extra move is possible only while the other side is empty.
togyzkumalak-setup-no-stones = { $name } has no stones to move. Let the other player move, or add stones.
togyzkumalak-setup-not-finished = This position is marked as the end, but the game can go on.
