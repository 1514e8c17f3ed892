# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = Thaayam
command-thaayam = open a table of Thaayam for two to four

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name } throws { $throws } — { $done }.
thaayam-told-again = { $name } throws again for a kill: { $throws } — { $done }.
thaayam-told-nothing = { $name } throws { $throws } — no move.
thaayam-told-nothings = No move — { $turns }.
thaayam-nothing-of = { $name }: { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … { $count } turn was played automatically before …
       *[other] … { $count } turns were played automatically before …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = enters on { $to }
thaayam-did-move = { $throw }: { $from } → { $to }
thaayam-did-home = { $throw }: { $from } → fortress
thaayam-did-off = bears one off
thaayam-did-kill =
    { $count ->
        [one] kills a piece of { $name }
       *[other] kills { $count } pieces of { $name }
    }
# What a choice of a whole turn would do, on a button
thaayam-whole-enter = enter on { $to }
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → fortress
thaayam-whole-off = bear one off
thaayam-whole-kill = kill on { $squares }
thaayam-place = 🏅 { $name } has finished: place { $place }.
thaayam-finished = 🏅 { $name } has finished.
thaayam-opened = Nobody could move any more: the inner track is open to all.

# Where it stands

thaayam-score = Home (of { $pieces }) — { $players }
thaayam-score-of = { $name }: { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name } has thrown { $throws }.
thaayam-left = Not used: { $throws }
thaayam-turn = 👉 Turn { $number }: <b>{ $name }</b>.
thaayam-turn-throw = 👉 Turn { $number }: <b>{ $name }</b> throws the dice.
thaayam-turn-play = 👉 Turn { $number }: <b>{ $name }</b> plays.
thaayam-turn-done = 👉 Turn { $number }: no further move. <b>{ $name }</b> presses Done or Undo.
thaayam-end = { $name } is the first with all pieces home.
thaayam-end-partners = All their pieces are home: { $names }.
thaayam-end-places = In this order: { $names }.

# The board in words

thaayam-side = { $name } ({ $colour }): in hand { $hand }; on the board { $squares }; fortress { $fortress }; off { $off }.
thaayam-sketch-side = { $sign } { $side }
thaayam-white = white
thaayam-black = black
thaayam-red = red
thaayam-blue = blue

# Buttons

thaayam-button-throw = 🎲 Throw
thaayam-button-undo = ↩ Undo
thaayam-button-done = ✓ Done
sheet-thaayam-turns = 📜 Last turns
sheet-thaayam-odds = 🎲 Odds

# Sheets

thaayam-sheet-turns = <b>The last turns</b>
thaayam-sheet-turns-none = Nobody has played yet.
thaayam-sheet-turn = Turn { $number }. { $turn }
thaayam-odds-throws = <b>One throw of four dice</b>: 1 – 25%, 2 – 37.5%, 3 – 25%, 4 – 6.25%, 8 (no white face) – 6.25%. The dice are fair for everyone.
thaayam-odds-turn = <b>A turn</b> lasts 1.6 throws and brings 4 points on average; 62.5% of turns have a single throw.
thaayam-odds-ones = <b>At least one 1</b> in a turn: 28.6%; two or more: 8.2%. Four 1s take 11 turns on average.
thaayam-odds-reach = <b>Being killed</b> in one turn by an enemy so many squares behind: 1 – 29%, 2 – 63%, 3 – 57%, 4 – 23%, 5 – 8%, 6 – 7%, 7 – 7%, 8 – 12%, 9 – 5%, 10 – 7%, 11 – 7%, 12 – 4%, more – less than 2%.

# Refusals

thaayam-seats = Thaayam is a game for two, three or four.
thaayam-partners-four = Partners need four players: change the house rules, or wait for more players.
thaayam-over = This game is over.
thaayam-not-your-turn = It’s { $name }’s turn.
thaayam-not-now = The dice are still rolling. Wait a moment, then try again.
thaayam-throw-first = Throw the dice first.
thaayam-already-thrown = The dice are already thrown. Now choose a piece and a square.
thaayam-nothing-to-undo = There is nothing to undo in this turn.
thaayam-still-to-play = You must use every throw you can; still to use: { $throws }.
thaayam-no-such-end = The turn can’t end like this. Use a throw that is left, or press “Done”.
thaayam-no-piece = You have no piece on { $square }. Choose a square with one of yours.
thaayam-no-such-throw = You haven’t thrown { $throw } in this turn.
thaayam-throw-spent = The { $throw } is already used. Choose another throw.
thaayam-throw-lost = The { $throw } is lost: it came before the first 1, while you had nothing on the board.
thaayam-none-in-hand = You have no piece in hand. Move one on the board.
thaayam-use-most = That way you would use fewer throws; you must use as many as you can. Undo and try another order.
thaayam-enter-needs-one = Only a 1 brings a piece onto the board.
thaayam-off-needs-one = Only a 1 takes a piece off.
thaayam-not-all-home = You can bear off only when all your pieces are in the fortress.
thaayam-not-this-turn = You can’t bear off in the turn in which your last piece arrives. Press “Done”.
thaayam-exact = The { $throw } is too much for the piece on { $square }: the fortress needs an exact count.
thaayam-kill-first = The inner track is open only after your first kill.
thaayam-blocked = An enemy blocks the piece on { $square }: it can’t move { $throw }. Choose another piece or throw.

# House rules

switch-thaayam-pieces = Pieces each
switch-thaayam-pieces-4 = 4, about 210 turns among four
switch-thaayam-pieces-3 = 3, about 150 turns
switch-thaayam-pieces-2 = 2, about 90 turns
switch-thaayam-pieces-1 = 1, about 40 turns
switch-thaayam-finish = Goal
switch-thaayam-finish-off = all pieces borne off
switch-thaayam-finish-fortress = all in the fortress (about 1/6 shorter)
switch-thaayam-throw = Dice
switch-thaayam-throw-press = the player throws
switch-thaayam-throw-auto = thrown automatically
switch-thaayam-exact = Exact count for the fortress
switch-thaayam-exact-yes = needed
switch-thaayam-exact-no = not needed (about 1/6 shorter)
switch-thaayam-capture = Kills
switch-thaayam-capture-each = at every landing
switch-thaayam-capture-final = only at the end of the turn
switch-thaayam-lost-before-one = Throws before the first 1
switch-thaayam-lost-before-one-hand = lost with all pieces in hand
switch-thaayam-lost-before-one-track = lost with none on the track
switch-thaayam-lost-before-one-never = never lost
switch-thaayam-obligation = You must
switch-thaayam-obligation-any = play on while you can, in any order
switch-thaayam-obligation-max = use as many throws as possible, or win
switch-thaayam-kill-again = A kill
switch-thaayam-kill-again-no = gives nothing more
switch-thaayam-kill-again-yes = gives another throw
switch-thaayam-kill-to-go-in = Inner track
switch-thaayam-kill-to-go-in-no = open
switch-thaayam-kill-to-go-in-yes = only after a kill
switch-thaayam-same-turn-bear-off = Off in the turn of arrival
switch-thaayam-same-turn-bear-off-yes = allowed
switch-thaayam-same-turn-bear-off-no = not allowed
switch-thaayam-play-on = Once a player has won
switch-thaayam-play-on-no = the game is over
switch-thaayam-play-on-yes = the others play on
switch-thaayam-clockwise = The turn goes
switch-thaayam-clockwise-no = counter-clockwise
switch-thaayam-clockwise-yes = clockwise
switch-thaayam-partners = Partners
switch-thaayam-partners-no = none
switch-thaayam-partners-yes = those facing each other, of four
switch-thaayam-block-on-path = Enemies on the way
switch-thaayam-block-on-path-no = may be passed
switch-thaayam-block-on-path-yes = block, except in palaces
chart-thaayam = 📈 How far the pieces have come, turn by turn (table <code>{ $table }</code>). The horizontal line is the whole way home for all of them.

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = pieces killed: { $count }
thaayam-count-lost = own pieces lost: { $count }
thaayam-count-fortress = pieces brought into the fortress: { $count }
thaayam-favourites-first-kill = First kill of the game: { $ways }
thaayam-favourite-first-kill = { $way } (won { $good } of { $count })
thaayam-first-kill-own = own
thaayam-first-kill-other = another player’s
thaayam-achieved-kill = First kill
thaayam-achieved-kill-rule = kill a piece. The piece goes back to its owner’s hand and starts again.
thaayam-achieved-full-circle = Full circle
thaayam-achieved-full-circle-rule = bring a piece round the board into the fortress before any piece of yours was killed.
thaayam-achieved-two-kills = Two at once
thaayam-achieved-two-kills-rule = kill two pieces in one turn.

# Setting up a position: labels of its parts, and why it is not possible

thaayam-setup-piece = { $name }, piece { $number }
thaayam-setup-killed = { $name } has killed
thaayam-setup-hand = in hand
thaayam-setup-fortress = fortress
thaayam-setup-off = off
thaayam-setup-enemies = Pieces of both players can’t be on one square outside the palaces and the fortress.
thaayam-setup-finished = One player has finished already: the game is over in this position.
thaayam-setup-bad-pieces = A piece can be off only when all pieces of its player are in the fortress.
thaayam-setup-no-kill = The inner track is open only after a kill here. Mark that the player has killed, or place the piece outside.
thaayam-setup-many-throws = At most { $most } throws in a row can be chosen here.
