# Three in a row.
game-noughts = Noughts
command-noughts = open a table of Noughts for two
noughts-summary = Three in a row win.
noughts-lesson-board = The board.
noughts-lesson-board-ask = How many squares are there?
noughts-lesson-board-why = Three rows of three.
chart-noughts = 📈 Squares taken (table <code>{ $table }</code>).
noughts-turn = { $name } is to take a square
noughts-over = The game is over
noughts-put = Square { $square } is taken
noughts-not-possible = That square cannot be taken.
command-wave = wave back
answer-wave = 👋
button-wave = Wave again
