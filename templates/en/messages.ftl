# Names

begin-lot = at random
begin-me = the host
begin-friend = the guest

# Lobby

lobby-title = <b>{ $game }</b> · table <code>{ $table }</code>
lobby-waiting = { $name } is waiting for an opponent.
lobby-challenge = { $name } challenges { $friend }.
lobby-variant = Rules: { $variant }.
lobby-begin = First move: { $begin }.
lobby-fair = Provably fair draw of lots, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 <b>{ $winner }</b> wins, { $score }.
over-draw = 🤝 A draw, { $score }.
over-agreed = 🤝 A draw by agreement.
over-resigned = 🏳 { $name } resigned. <b>{ $winner }</b> wins.
over-next = The next game is at table <code>{ $table }</code>.
closed-declined = { $name } declined.
closed-aborted = The game was called off. Nobody has lost.
closed-cancelled = The table was closed.
closed-outdated = The rules of this game have changed since it began, so it ended here. Nobody has lost; its record is kept.

# Offers

offer-draw = 🤝 { $name } offers a draw.
offer-take-back = ↩ { $name } asks to take back the last move.
offer-rematch = 🔁 { $name } wants to play again.

# Calls to a person who does not look

call-turn = { $name }, it’s your turn (table <code>{ $table }</code>).
call-draw = { $name }, you’re offered a draw (table <code>{ $table }</code>).
call-take-back = { $name }, may your opponent take back a move (table <code>{ $table }</code>)?

# Lists

games-none = You have no open tables. Open one in a group: /play
games-title = Your tables:
games-more =
    { $count ->
        [one] … and one more.
       *[other] … and { $count } more.
    }
button-refresh = ↻ Show again
list-lobby = <code>{ $table }</code> { $game }: waiting for players
list-your-turn = 👉 <code>{ $table }</code> { $game } with { $with }, move { $move }: <b>your turn</b>
list-their-turn = <code>{ $table }</code> { $game } with { $with }, move { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } with { $with }: over
list-and = { $first } and { $last }
which-table = Which table do you mean?
play-choose = What shall we play?

# Buttons

button-join = Join
button-accept = Accept
button-decline = Decline
button-cancel = Cancel
button-variant = Rules: { $variant }
button-begin = First: { $begin }
button-abort = Call off
button-take-back = ↩ Take back
button-draw = 🤝 Draw
button-resign = 🏳 Resign
button-down = ⬇ Board
button-rematch = 🔁 Rematch
button-record = 📄 Record
button-rules = 📖 Rules
button-play = ▶ Play
button-next = Next ▸
button-previous = ◂ Back
button-show = Show the answer
button-for-chat = { $language } for this chat

# Answers

answer-confirm-resign = Press “Resign” again within a minute to resign.
answer-offered = Offered. Waiting for an answer.
answer-board-down = Here is the board.
answer-record = The record of table { $table }. With the seed in it anyone can check the draw of lots.
answer-declined = Declined.
answer-saved-person = I speak English with you now.
answer-saved-chat = In this chat I now speak { $language }.
answer-young = 🌱 means a young translation: we’re still asking natives about it.
answer-no-private = An answer for you: tap to read.
answer-cover = { $name }, this is for you: tap to read.
answer-not-shown = Your press counts, but I can’t show the board here: I’m not allowed to { $rights }. Please ask an admin.
answer-board-refused = Your press counts, but the board could not be posted here. To try again: /board
answer-lacked-rights = A moment ago I wasn’t allowed to { $rights } here. If the board doesn’t change, please ask an admin.
right-write = send messages
right-pictures = send pictures
right-topics = write in closed topics
right-post = post in this channel
answer-lacks-rights = I’m not allowed to do this here: { $rights }. Please ask an admin to allow it, then try again.

# Refusals

refuse-already-started = The game has already begun.
refuse-table-over = That game is over.
refuse-not-started = The game hasn’t begun: somebody has to join first.
refuse-not-your-table = You don’t play at this table.
refuse-opener-only = Only { $name }, who opened the table, can do that.
refuse-already-seated = You’re already at this table. Now somebody else has to join.
refuse-not-invited =
    { $count ->
        [one] { $name } was asked to play here. You can open your own table: /play
       *[other] { $name } were asked to play here. You can open your own table: /play
    }
refuse-nothing-offered = There is nothing to answer any more.
refuse-leave-in-play = The game is on. You can resign with /resign, or let somebody play for you with /substitute.
refuse-unknown-variant = I don’t know these rules.
refuse-not-your-turn = It’s { $name }’s turn.
refuse-what-move = I don’t understand “{ $typed }” as a move. You can play: { $legal }.
refuse-not-understood = I don’t understand this move.
refuse-old-board =
    { $seen ->
        [0] That board is from the start;
       *[other] That board is from move { $seen };
    } { $now ->
        [0] now it’s the start again. Please use the current board.
       *[other] now it’s move { $now }. Please use the current board.
    }
refuse-old-button = This button is too old. Please use the current board.
refuse-too-late-to-abort = After the second move a game can only be resigned or drawn.
refuse-not-abandoned = Others play this game. You can call it off once nothing has happened for { $days } days and no clock runs.
refuse-already-offered = You have already offered that. It has to be answered first.
refuse-offer-waits = Your earlier offer has to be answered first.
refuse-answer-first = There is an offer to answer first.
refuse-turned-down = That was just declined. Make a move before you offer it again.
refuse-nothing-to-take-back = You haven’t made a move yet.
refuse-not-over = The game isn’t over yet.
refuse-rematch-exists = You’re already playing on at table { $table }.
refuse-own-offer = It’s your own offer; others have to answer.
refuse-no-table-here = You have no open table here. Open one: /play
refuse-unknown-table = I don’t know table { $table }.
refuse-no-record = The record is given when the game is over.
refuse-unknown-command = I don’t know /{ $name }. See /help.
refuse-unknown-command-near = I don’t know /{ $name }. Did you mean /{ $near }?
refuse-not-your-answer = That answer is for somebody else.
refuse-answer-gone = That answer isn’t here any more. Please ask again.
refuse-anonymous = I can’t see who you are. Please write as yourself, not as the group or a channel.
refuse-bot = Bots can’t play.
refuse-friend-bot = { $name } is a bot and can’t play.
refuse-friend-self = You can’t challenge yourself. Open a table without a name to wait for anybody.
refuse-too-many-friends = { $count ->
        [one] You can invite one friend to this game.
       *[other] You can invite at most { $count } friends to this game.
    }
refuse-too-many-tables-here = There are too many open tables here ({ $count }). Finish one first. An admin can call off a forgotten game: /abort and its code.
refuse-too-many-own-here = You have opened { $count } tables here already. Finish one first, so that others have room too.
refuse-too-many-tables = You sit at { $count } open tables, which is the most there can be. Finish one first: /games
refuse-too-many-tables-of = { $name } sits at { $count } open tables, which is the most there can be. Once one of them is over, this works: please ask again then.
refuse-private-invite = A friend can’t see our private chat. Open a table by link (/play), or play in a group where we all are.
refuse-language = I don’t speak that yet. I speak: { $languages }.
refuse-admin-only = Only admins can choose this for the whole chat.
refuse-chatter = I only understand commands here. See /help.
refuse-table-damaged = Something is wrong with this table, so I set it aside. The person who runs me has been told. I am sorry.
refuse-trouble = Something went wrong on my side. Please try again in a moment.
refuse-unsaved = Nothing can be saved right now, so this does not count yet. Please try again in a moment.
refuse-too-fast = That is faster than I can follow. Give me a few seconds, please.
refuse-busy = Too much at once. Please try again in a moment.

# Help

help-title = <b>Caravanserai</b>: old games in your chat.
help-move = Your turn? Press a button, or reply to the board with your move.
help-computers = Against the computer: /togyz computer, or with a level, /togyz strong. Levels: { $levels }.
help-posing = In any chat, also where I am not: type { $name } and choose a game, or { $name } blot computer.
help-commands = <b>Commands</b> ({ $page })
help-line = { $name } — { $about }

command-play = choose a game
command-move = make a move
command-board = show the board again, at the bottom
command-games = your tables
command-draw = offer a draw, or agree to one
command-takeback = ask to take your last move back
command-resign = resign the game
command-abort = call the game off: alone before the second move, later if all agree
command-leave = leave or cancel a table that hasn’t begun
command-rematch = play again with sides exchanged
command-record = the record of the last game
command-text = the board in words
command-rules = the rules in pictures: /rules blot
command-language = choose a language
command-help = what I can do
command-start = begin
command-join = sit down at a table, accept a challenge
command-accept = accept a challenge or an offer
command-decline = decline a challenge

argument-friend = friend
argument-variant = rules
argument-begin = who begins
argument-table = table
argument-scope = for whom
argument-language = language
choice-seed = with the extra move
choice-short = without the extra move
choice-lot = at random
choice-me = me
choice-friend = my friend
choice-chat = this chat
choice-server = the whole server

# Rules pages

rules-page = { $page } of { $pages }

# House rules
lobby-usual-rules = The usual rules.
button-options = ⚙ House rules
options-title = <b>House rules of { $game }</b>, page { $page } of { $pages }
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = More…
answer-more = What else you can do:

# Hidden hands
hand-cards = Your hand: { $cards }.
hand-to-play = Your hand: { $cards }. ✓ may be played.
hand-empty = You hold no cards now.
hand-laid-down = The game is over.
hand-not-shown = 🃏 { $names }: press “My hand” to see your cards.
hand-held = { $number }{ $what }{ $mark }
hand-inline = Play it at table { $table }
hand-inline-nothing = Nothing to play just now
refuse-nothing-hidden = Nothing is hidden in this game.
refuse-no-hand = No cards are dealt at this table now.
refuse-no-such-card = You don’t hold that many cards.
refuse-no-sheet = There is no such sheet in this game.
button-hand = 🃏 My hand
button-deals = 👐 Hands
deal-title = Table <code>{ $table }</code>, round { $number } of { $count }: who held what
refuse-no-deals = No round is over yet: hands can be looked at when one is.
button-cards = ⌨ My cards
button-menu = ⋯
answer-menu = Table <code>{ $table }</code>:
button-text = 🔤 In words

# Two presses for a card
answer-confirm-card = Press { $card } again within a minute to play it.
answer-confirm-is-on = Your moves and cards now count on the second press.
answer-confirm-is-off = Your moves and cards now count on the first press.
button-confirm-on = 👆👆 Ask me twice
button-confirm-off = 👆 One press is enough
command-hand = your hand, shown only to you
command-score = the score sheet
command-last = what was played last
command-hands = who held what in the rounds that are over
command-options = house rules of the table
command-confirm = moves and cards with one press or two
argument-switch = on or off
choice-on = on
choice-off = off

# Tables for several, computers, changing seats

lobby-nobody = free
lobby-seat = Seat { $n }: { $name }
lobby-partners = Opposite seats play together: 1 and 3 against 2 and 4.
lobby-awaited = Invited: { $names }.
lobby-open =
    { $count ->
        [one] One seat is free for anybody.
       *[other] { $count } seats are free for anybody.
    }
lobby-full = All seats are taken. { $name } can swap seats and then press “Start”.
lobby-until = If nothing happens here for a day, the table closes by itself.
over-resigned-together = 🏳 { $name } resigned with their partner’s consent. <b>{ $winner }</b> win.
over-given-up = 🏳 { $name } resigned. Still in the game: { $winner }.
closed-expired = Nobody began the game, so the table was closed.
closed-abandoned = Nobody had played on here for a long time, so the game was called off. Nobody has lost.
offer-resign = 🏳 { $name } wants to resign. Their partner has to agree.
offer-replace = 🪑 { $name } proposes that { $newcomer } plays for { $seat }.
offer-leave = 🪑 { $seat } would like { $newcomer } to play on instead.
offer-take-over = 🪑 { $newcomer } would like to play for { $seat }.
offer-replaced = 🪑 { $newcomer } plays on for { $name }.
offer-agreed = ✓ { $names }
offer-waiting = Waiting for { $names }.
offer-patience = { $name } may object. If nothing is said for { $time }, the others decide.
call-resign = { $name }, your partner wants to resign (table <code>{ $table }</code>).
call-replace = { $name }, a seat is to pass to somebody else: do you agree (table <code>{ $table }</code>)?
call-start = { $name }, all seats are taken: you can start (table <code>{ $table }</code>).
call-invited = { $name }, you’re invited to play (table <code>{ $table }</code>).
call-closing = { $name }, table <code>{ $table }</code> closes in { $minutes } minutes if nothing happens there. “Extend” keeps it open.
button-leave = Leave
button-computer = + 🤖 Computer
button-no-computer = − 🤖
button-seats = Seats: { $count }
button-start = ▶ Start
button-extend = ⏳ Extend
button-remind = 🔔 Remind
button-guests = Remove…
button-stand-ins = 🪑 Seats
button-computer-for = 🤖 Computer for { $name }
button-take-over = 🪑 Play for { $name }
answer-agreed = You agree. The others have still to answer.
answer-reminded = They have been reminded.
answer-extended = The table stays open for another day.
answer-guests = Who should leave the table?
answer-stand-ins = A computer can take over a seat if the others agree. For a friend, write /substitute and their name.
answer-take-over = Which seat would you like? The others at the table have to agree.
refuse-no-free-seat = No seat is free.
refuse-kicked = The host asked you to leave this table.
refuse-seat-taken = That seat is taken.
refuse-lobby-changed = Something has changed at the table. Please look again.
refuse-not-here = { $name } doesn’t sit at this table.
refuse-kick-self = You can’t remove yourself. Use /leave.
refuse-no-computer = No computer sits here.
refuse-seats = This game is for { $fewest } to { $most } players.
refuse-too-many-sit = More people than that are seated or invited here. Remove somebody first.
refuse-too-few =
    { $count ->
        [one] One player is missing. A computer can play too.
       *[other] { $count } players are missing. Computers can play too.
    }
refuse-nobody-awaited = There is nobody to remind: nobody is invited who hasn’t answered.
refuse-nobody-named = Please name somebody: @friend.
refuse-reminded =
    { $minutes ->
        [one] They were reminded just now. Try again in a minute.
       *[other] They were reminded just now. Try again in { $minutes } minutes.
    }
refuse-already-agreed = You have already agreed.
refuse-no-draws = This game has no draws.
refuse-draw-computer = A computer doesn’t agree to a draw. You can resign with /resign.
refuse-back-hidden = Nothing is taken back in this game: the others have seen your card, and you theirs.
refuse-back-chance = That can’t be taken back: dice have been thrown since.
refuse-computer-there = A computer plays there already.
refuse-unknown-seat = There is no such seat.
refuse-seated-already = { $name } plays at this table already.
refuse-last-person = You’re the last person here. You can resign with /resign.
refuse-friend-twice = You named { $name } twice.
command-begin = begin with those who are at the table
command-kick = remove somebody before the game
command-substitute = let somebody else play on
argument-against = against whom
choice-computer = the computer
argument-second = another friend
argument-third = a third friend
over-first = 🏆 <b>{ $winner }</b> wins.
over-won-pair = 🏆 <b>{ $winner }</b> and <b>{ $partner }</b> win, { $score }.

# How boards look
command-theme = choose how boards look
command-flip = the board from your side, only for you
argument-theme = theme
choice-wood = 🪵 Wood
choice-night = 🌙 Night
choice-contrast = ◐ High contrast
choice-print = 🖨 Print
answer-theme = How should boards look? The first buttons are for what only you see.
answer-theme-person = What only you see now looks like this: { $theme }.
answer-theme-shared = The board of this chat stays as it is: it is one for everybody. An admin can choose for it: /theme
answer-theme-chat = Boards in this chat now look like this: { $theme }.
refuse-theme = I know these themes: { $themes }.
answer-turned-is-on = Boards that only you see now have your side at the bottom.
answer-turned-is-off = Boards that only you see are now turned as everybody sees them.
button-turned-on = 🔄 My side at the bottom
button-turned-off = 🔄 As everybody sees it
answer-pace-is-calm = Computers you play alone now take their turns one by one, so that you can follow.
answer-pace-is-quick = Computers you play alone now answer at once.
button-pace-quick = ⚡ Quick answers
button-pace-calm = 🐢 Turn by turn
command-pace = how quickly computers answer you: calm or quick
argument-pace = calm or quick
choice-calm = calm
choice-quick = quick
answer-words-is-on = Where only you read, I now describe boards in words.
answer-words-is-off = I now show you boards as pictures.
button-words-on = 🔤 Always in words
button-words-off = 🖼 Always as pictures
button-view = 👁 From my side
# Replays and charts.
button-replay = 🎬 Replay
button-chart = 📈 Chart
answer-replay = 🎬 Drawing the replay… It comes here in a moment.
answer-replay-soon = The replay is being drawn already. It comes here in a moment.
answer-replay-above = The replay of this game was posted here a few minutes ago: look a little further up.
refuse-no-replay = The replay can be drawn when the game is over.
refuse-replay-busy = Many replays are waiting to be drawn. Please ask again in a minute.
refuse-chart-later = Hands are secret: the chart is shown when the game is over.
refuse-no-chart = There is no game at this table to make a chart of.
answer-replay-title = 🎬 <b>{ $game }</b> · table <code>{ $table }</code> · { $names }
command-replay = the last game as a short film
command-chart = the score over the game as a picture
# Computers: who they are and how strong
computer-beginner = 🤖 Camel Foal
computer-easy = 🤖 Drover
computer-medium = 🤖 Merchant
computer-strong = 🤖 Guide
computer-master = 🤖 Caravan Master
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] Ali
        [2] Nur
        [3] Aram
       *[other] Zaki
    }
computer-thinks = { $name } is thinking…
level-beginner-about = on its first journey, and it trips over its own feet.
level-easy-about = knows the road, but looks no further than the next bend.
level-medium-about = counts well and gives nothing away for free.
level-strong-about = has crossed the desert many times and sees storms coming.
level-master-about = has never lost a camel. Good luck!
choice-beginner = beginner
choice-easy = easy
choice-medium = medium
choice-strong = strong
choice-master = master
argument-level = how strong
lobby-seat-computer = Seat { $n }: { $name } ({ $level })
answer-levels = <b>Computers</b> that can sit down here:
answer-level-name = • { $name } ({ $level }): { $about }
button-levels = 🤖 Levels…
button-relevel = Seat { $n }: { $level } ▸ change
refuse-computer-thinks = { $name } is thinking. One moment, please.

# Hints
lobby-hints = 💡 Hints: { $rule }.
lobby-hints-on = for everybody
lobby-hints-off = none
lobby-hints-alone = only against computers
button-hints = Hints: { $rule }
button-hint = 💡 Hint
command-hint = what a master would play now, only for you
answer-hint = 💡 A master would play: { $move }. The chance to win is then about { $percent }%.
answer-hint-sure = 💡 A master would play: { $move }.
answer-hint-counted = Everybody sees that you had a hint, but not what it was.
refuse-hint-turn = A hint is given when it’s your turn. Now it’s { $name }’s.
refuse-hint-off = At this table no hints are given. That was settled before the game.
refuse-hint-used =
    { $count ->
        [one] You have had your only hint of this game.
       *[other] You have had all { $count } hints of this game.
    }
refuse-hint-soon = I’m already thinking about your hint.
refuse-hint-late = The game has moved on in the meantime. Please ask again when it’s your turn.
over-hints = 💡 Hints: { $names }
over-hinted = { $name } ×{ $count }

# The review after a game
button-review = 🔍 Review
command-review = where the last game turned, and what was better
answer-review =
    { $seconds ->
        [one] 🔍 I’m going through the game. The review will be here in about a second.
       *[other] 🔍 I’m going through the game. The review will be here in about { $seconds } seconds.
    }
answer-review-soon = I’m already going through the game. The review will be here in a moment.
answer-review-progress = 🔍 <b>{ $game }</b>: going through the game … { $made }%
answer-review-above = The review of this game was posted here a few minutes ago: look a little further up.
refuse-no-review = I can review a game once it’s over, if some moves were made.
refuse-review-busy = Many reviews are waiting. Please ask again in a minute.
refuse-review-gone = That review isn’t here any more. Please ask for it again: /review
answer-review-title = 🔍 <b>{ $game }</b> · table <code>{ $table }</code> · where it turned
answer-review-line = { $n }. Move { $move }, { $name }: { $played } ({ $before }% → { $after }%). Better: { $better }.
answer-review-none = No single move changed much: the game was decided step by step.
answer-review-chart = The chart shows how likely each side was to win, move by move, as the computer sees it. Its numbers are those of the moves above.
answer-moment = Before move { $move }: { $name } played { $played }. A master would have played <b>{ $better }</b>.
answer-moment-chance = The chance to win was about { $before }% and fell to { $after }%.
answer-moment-answer = After it { $name } could answer { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · All commands stand behind the last button.
help-all-typed = 🌐 /language · All commands: /help all
button-learn = 📖 Learn
button-alone = 🤖 Alone
button-help-all = All commands
button-both-sides = ♟ Both sides
button-settings = ⚙ Settings
button-verify = 🔒 Is it fair?
alone-choose = <b>{ $game }</b>: whom would you like to play against?
alone-friend = With a friend: press “By link”, or play in a group where I am too: /play
alone-friend-link = With a friend: press “By link”, or take me to a group where you both are: { $link }
rules-which = Which game would you like to learn?
refuse-clock = A clock is 10 seconds to 30 days a move, or minutes with seconds a move: 3 min, 5+5, 2 days.
refuse-misread = I didn’t understand “{ $word }”, so I opened nothing. You can say: computer, { $levels }, no hints, @friend.
refuse-misread-near = I didn’t understand “{ $word }”, so I opened nothing. Did you mean “{ $near }”?
refuse-nobody-called = I know nobody called @{ $name } here, so I opened nothing.
answer-settings = ⚙ Table <code>{ $table }</code>, before the game:
answer-verify = 🔒 Table <code>{ $table }</code>: chance was fixed before anybody sat down, and nobody can bend it. This number proves it: after the game the record holds the seed that belongs to it.
lobby-unseen = I haven’t met { $names } yet: they can join as soon as they press here.
answer-confirm-resign-typed = This ends the game. Send it again within a minute, and you have resigned.
answer-confirm-abort-typed = This ends the game. Send it again within a minute, and it is called off.
refuse-nothing-to-join = There is no table here that you could join. Open one: /play
refuse-none-waiting = No table of yours is waiting for players here. Open one: /play
refuse-not-playing-here = You don’t play at any table here. Open your own: /play
refuse-none-finished = No game has been finished here yet.
command-verify = how chance can be checked
argument-move = what to play: 7, 8♥, pass
argument-game = game
refuse-doubtful-move = “{ $typed }” doesn’t fit. Did you mean { $move }? Then send { $move }.

# What a press has done, told at once to whoever pressed, in a passing note. $what is one of the
# messages below, or what the button said.
done-told = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = your turn
done-turn = { $name }’s turn
done-opened = the table is open
done-below = it’s below now
done-joined = you’re in
done-left = you have left
done-seats = the seats are changed
done-settled = settled
done-started = the game begins
done-back = taken back
done-replaced = the seat is taken over
done-declined = declined
done-over = the game is over
done-closed = the table is closed
refuse-slid = That button has just changed. If you mean what it says now, press again.

# The course, and what is said to whoever plays for the first time
lesson-yes = Yes
lesson-no = No
lesson-player = { $name }
lesson-part = 📚 Part { $n } of { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>Part { $n } of { $parts } is done: { $name }.</b> Now play your first game against { $computer }: I show you what to look for. Or read on with the next part.
button-part = Part { $n }: { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Right!
        [1] ✅ Well seen!
        [2] ✅ Exactly!
       *[other] ✅ Yes, well done!
    }
lesson-wrong = 🤔 Not quite.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>That is all you need.</b> Now play { $game } against { $computer }. I show you what to look for, and you may take back as often as you like.
button-first-game = 🐪 My first game against { $computer }, help me
button-again = 🔁 Again
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 Play in private
button-stop = ✖ Stop here
places-also =
    { $count ->
        [one] 👁 Also shown in { $count } other chat
       *[other] 👁 Also shown in { $count } other chats
    }
watching-people =
    { $people ->
        [one] 👁 { $people } person is looking on
       *[other] 👁 { $people } people are looking on
    }
watching-both = { $people } · { $places }
button-public-on = 👁 Let anybody watch
button-public-off = 🔒 Watching only here
refuse-not-public = Table { $table } is not for everybody to watch. Whoever plays there can allow it: ⋯, “Let anybody watch”.
places-parted = This table is not shown here any more. To have it back: /bring { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = web
done-brought = the table stands here too
answer-brought = The table stands here too now. What you press here counts.
answer-watching = You look on here from now on. To end it: /stop
answer-private = Your own board is in our private chat now. Moves count from there and from here.
answer-private-opened = 🎲 Your board comes here.
answer-stopped = The table is not shown here any more. The game goes on elsewhere.
refuse-bring-alone = This table is played alone in a private chat: it stays there.
refuse-which-code = Which table? Write its code, which its board tells behind ⋯: /{ $command } 7k3fx
refuse-already-here = That table stands here already. To bring its board down: /board
refuse-too-many-places = That table already stands in { $count } other chats. One of them has to stop first: /stop
refuse-stop-home = The table was opened here, so it stays. Before the game it can be closed, later you can resign.
refuse-not-brought = That table does not stand here.
refuse-nothing-brought = No table was brought here.
refuse-stop-others = Only whoever brought the table here, its host or an admin of this chat can do that.
refuse-only-watching = Here people only look on. To take a seat, bring the table to play: /bring and its code
refuse-private-seat = You do not play at this table. To look on alone, write to me in private: /watch { $table }
refuse-already-private = You have your board in our private chat already.
refuse-private-none = There are no private chats with me here.
refuse-private-closed = I can’t message you. Allow direct messages from this server in your privacy settings, or write to me in private first: /private { $table }
refuse-private-closed-link = I may not write to you alone yet. Open our private chat and press Start there, then your board comes: { $link }
command-private = your own board, in our private chat
command-bring = show a table from elsewhere here, to play
command-watch = show a table from elsewhere here, to look on
command-stop = show a table here no longer that was brought

## Settings

command-settings = all settings, yours and this chat’s
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = from the server
setting-from-channel = from #{ $channel }
setting-from-parent = from the channel
setting-like-server = ↺ As in the server: { $value }
setting-like-channel = ↺ As in the channel: { $value }
settings-mine = 👤 <b>Your settings</b>. They hold wherever you meet me. Press what you want to change.
settings-chat = ⚙ <b>Settings of this chat</b>. Press what you want to change; everything works without it.
settings-chat-read = ⚙ <b>Settings of this chat</b>. Only admins can change them.
settings-server = 🏛 <b>Settings of the whole server</b>. They apply in every channel that has not set something else. Press what you want to change.
settings-server-read = 🏛 <b>Settings of the whole server</b>. Only admins can change them.
button-settings-chat = ⚙ This chat
button-settings-server = 🏛 For the whole server
button-settings-mine = 👤 Mine
button-usual-rules = ↺ The usual rules
setting-language = 🌐 Language
setting-theme = 🎨 Look
setting-side = 🔄 My boards
setting-boards = 🖼 Boards as
setting-press = 👆 A move
setting-pace = 🐢 Computers
setting-pace-about = How quickly computers answer when you play them alone.
value-pace-calm = turn by turn
value-pace-quick = at once
setting-calls = 🔔 Reminders
setting-night = 🌙 Quiet hours
setting-zone = 🕰 My time
setting-hints = 💡 Hints
setting-clock = ⏱ Time
setting-clock-about = How much time do people have at new tables here, if nobody says anything else?
setting-opens = 🚪 Tables are opened by
setting-orders = ✖ Tables are closed by
setting-rules = 📜 House rules
setting-quiet = 🔕 Quiet mode
setting-old = 🧹 Old boards
setting-where = 📍 I play
setting-language-about = Which language shall I speak?
setting-theme-about = How should boards look?
setting-side-about = Whose side is at the bottom of a board that only you see?
setting-boards-about = How shall I show you boards where only you read?
setting-press-about = How many presses make a move? Two guard against a slip of the finger.
setting-calls-about = When shall I call you by name if it’s your turn?
setting-night-about = In which hours shall I not call you, by your own clock? What waits comes in the morning.
setting-zone-about = How far is your clock from UTC? In Kazakhstan +5, in Armenia +4, in Kyrgyzstan +6, in Moscow +3, in India and Sri Lanka +5:30.
setting-hints-about = Are hints given at new tables here, if the host says nothing else?
setting-opens-about = Who may open tables here or bring them here?
setting-orders-about = Who may close a table that hasn’t begun, or send one away that was brought here?
setting-rules-about = These rules hold for new tables here unless somebody names others.
setting-quiet-about = In quiet mode nothing of mine makes a sound here, and I call nobody by name.
setting-old-about = When a board comes again further down: what becomes of the one above?
setting-where-about = Where in this chat may tables stand? Choose it in every topic that is to have them.
setting-where-server-about = In which channels of this server may tables be opened? Choose “here” in every channel that should have them.
value-side-own = my side below
value-side-all = as all see them
value-boards-pictures = pictures
value-boards-words = words
value-press-once = one press
value-press-twice = two presses
value-calls-usual = soon
value-calls-seldom = after an hour
value-calls-never = never
value-night-none = none
value-opens-all = everybody
value-opens-admins = admins
value-opens-nobody = nobody
value-orders-host = the host and admins
value-orders-all = everybody
value-rules-usual = the usual
value-rules-own = own rules
value-quiet-off = off
value-quiet-on = on
value-old-away = taken away
value-old-stay = stay, without buttons
value-where-all = everywhere
value-where-here = here
value-where-elsewhere = in other topics
value-where-channels = in other channels
refuse-other-topic = Tables stand in other topics of this chat: its admins have settled that. See /settings
refuse-other-channel = On this server tables are opened in other channels: its admins have set that. See /settings
refuse-opens-nobody = No tables are wanted in this chat: its admins have settled that. You can play with me in private.
refuse-opens-admins = In this chat only admins open tables. Please ask one of them.

## Challenges

button-by-link = 🔗 By link
button-invite = 🔗 Invite
answer-invite = 🔗 How others come to table <code>{ $table }</code>:
lobby-link = 🔗 Hand this on; whoever opens it can join: { $link }
lobby-link-group = 👥 To a group, with me: { $link }
lobby-code = ⌨ Wherever I am, also on another platform: <code>/bring { $table }</code>, in private <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = not now, gladly later
why-busy = no time today
why-other = rather another game
why-rest = I’m taking a break
answer-declined-why = You declined. Would you like to say why? Everybody at the table will read it.
answer-explained = Thank you, I’ll pass it on.
refuse-explained = You have already said why.
command-notify = be told once when somebody wants to play
answer-notify = 🔔 I’ll call you here once as soon as somebody opens a table of: { $games }. Press again to change it.
answer-notify-none = Which game are you waiting for? I’ll call you here once as soon as somebody opens a table.
call-wanted = 🔔 { $name }: { $opener } wants to play { $game } (table <code>{ $table }</code>).
refuse-notify-alone = Nobody else opens tables in our private chat. Write /notify in a group.

## One person on several platforms

command-link = be one person on several platforms
command-unlink = be one person for each account again
argument-code = the code from the other platform
button-link = Yes, both accounts are mine
answer-link = 🔗 On the other platform, write to me in private: <code>/link { $code }</code>
answer-link-secret = It works once, for { $minutes } minutes. Tell it to nobody: whoever uses it plays as you. Your seats, hands and settings are then the same on both.
answer-link-now = You are already the same person on: { $platforms }. To end that: /unlink
answer-link-sure = ⚠ This code was given to <b>{ $name }</b> ({ $platform }). If you go on, this account plays as { $name }: they have your seats and see your hands. Press only if both accounts are yours. If somebody sent you the code, leave it.
answer-linked = 🔗 Done: here you are { $name } ({ $platform }) now, with the same seats, hands and settings. To end that: /unlink
answer-link-used = 🔗 Your code was used: { $name } ({ $platform }) plays as you now. If that isn’t you: /unlink
answer-unlinked = Each account is a person of its own again. Seats at open tables stay with the account that gave the code.
refuse-link-code = I don’t know this code: it works once, for ten minutes. A new one: /link on the other platform.
refuse-link-self = That is your own code: write it on the other platform.
refuse-link-already = This account is linked already. To end that: /unlink
refuse-link-platform = One account on each platform can be the same person; there is one here already.
refuse-link-table = Both accounts sit at table { $table }. Finish that game first.
refuse-not-linked = Your accounts aren’t linked. To link them: /link

## Challenges where the bot is no member

challenge-title = ⚔ Challenge: { $game }
challenge-more = Whoever accepts first plays you, right in this chat
challenge-says = ⚔ { $name } invites you to play { $game }. Whoever presses first plays.
challenge-more-many = People join by the button, right in this chat; you start the game
challenge-says-many = ⚔ { $name } invites you to play { $game }. Press to join.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Who plays?
challenge-choice = ⚔ { $name } wants to play. Choose a game: whoever presses first plays.
share-more = Show this table here
share-says = 🎲 { $name } plays: { $line }
button-watch = 👁 Watch
button-bring = ⬇ Show here
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
sole-door = 📩 Pictures, hints and more, alone with the bot: { $link }
sole-door-over = 📩 Replay, review and record, alone with the bot: { $link }
refuse-meet-self = It’s your own challenge: somebody else has to accept it.

## Moves settled before the turn

command-if = settle your answer in advance: /if 3 7
argument-plan = their move and your answer: 3 7, 5 2
plan-pair = { $theirs } → { $own }
answer-plan = 🤫 Settled for the next move, and known only to you: { $plan }. To drop it: /if off
answer-plan-none = Nothing is settled. While the other side is to move, write their move and your answer: /if 3 7, 5 2
refuse-plan-turn = An answer can be settled only while the other player is to move.
refuse-plan-game = Answers can be settled in advance only in games for two without dice or cards.
refuse-plan-words = Write their move and your answer: /if 3 7, 5 2
refuse-plan-move = I don’t understand “{ $typed }” as a move there.

# A board in a browser, or in a window of the platform.
command-web = open your board in a browser; /web off signs you out everywhere
command-launch = open the board in a window
button-open-board = ▦ Open the board
button-page = 🌐 In the browser
answer-page = 🌐 This link opens your board in a browser, as you. It works once, for { $minutes } minutes: hand it on to nobody. To sign out everywhere: /web off
answer-page-private = I can’t give you the link here, where others read. Write to me in private: /web
answer-page-private-link = Others read here: open our private chat for your link and press Start there: { $link }
answer-page-off = You’re signed out in every browser and window.
answer-launched = Press once more to open the board.
refuse-no-page = Boards can’t be opened in a browser here: whoever runs me hasn’t set that up.
refuse-page-here = You’re on the page already.

# Words that were not meant as they could be read

refuse-words-behind = I’ve done nothing: only /{ $command } itself counts, without “{ $words }”. Send /{ $command } alone if you mean it.
answer-nothing-done = All right, nothing is done.
answer-confirm-typed = Send it again within a minute to play { $card }.
