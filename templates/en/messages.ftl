# Names

begin-lot = at random
begin-me = the opener
begin-friend = the invited player

# Lobby

lobby-title = <b>{ $game }</b> · table <code>{ $table }</code>
lobby-waiting = { $name } is waiting for an opponent.
lobby-challenge = { $name } challenges { $friend }.
lobby-variant = Rules: { $variant }.
lobby-begin = First move: { $begin }.
lobby-fair = Fair play check, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 <b>{ $winner }</b> wins, { $score }.
over-draw = 🤝 A draw, { $score }.
over-agreed = 🤝 A draw by agreement.
over-resigned = 🏳 { $name } resigned. <b>{ $winner }</b> wins.
over-next = The next game is at table <code>{ $table }</code>.
closed-declined = { $name } declined.
closed-aborted = The game was aborted. Nobody has lost.
closed-cancelled = The table was closed.
closed-outdated = The rules of this game have changed since it began, so it ended here. Nobody has lost; its game record is kept.

# Offers

offer-draw = 🤝 { $name } offers a draw.
offer-take-back = ↩ { $name } asks for a takeback of the last move.
offer-take-back-both = ↩ { $name } asks to take back their last move and the answer to it.
offer-declined = 🚫 { $name } declined the offer.
offer-rematch = 🔁 { $name } wants to play again.

# Pings to a person who is not looking at the board

call-turn = { $name }, it’s your turn (table <code>{ $table }</code>).
call-draw = { $name }, you’re offered a draw (table <code>{ $table }</code>).
call-take-back = { $name }, your opponent asks for a takeback (table <code>{ $table }</code>).

# Lists

games-none = You have no open tables. Open one in a group: /play
games-title = Your tables:
games-more =
    { $count ->
        [one] … and one more.
       *[other] … and { $count } more.
    }
button-refresh = ↻ Refresh
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
button-withdraw = Withdraw
button-cancel = Close table
button-variant = Rules: { $variant }
button-begin = First: { $begin }
button-abort = Abort
button-take-back = ↩ Takeback
button-draw = 🤝 Offer draw
button-resign = 🏳 Resign
button-resend = ⬇ Resend board
button-rematch = 🔁 Rematch
button-record = 📄 Game record
button-rules = 📖 Rules
button-play = ▶ Play
button-next = Next ▸
button-previous = ◂ Back
button-show = Show the answer
button-for-chat = { $language } for this chat

# Answers

answer-confirm-resign = Press “Resign” again within a minute to resign.
answer-confirm-cancel = Press “Close table” again within a minute to close this table for everybody.
answer-offered = Offered. Waiting for an answer.
answer-board-resent = Here is the board.
answer-record = The game record of table { $table }. It contains the seed, so anyone can check the draw of lots.
answer-declined = Declined.
answer-saved-person = I’ll use English from now on.
answer-saved-chat = In this chat I now speak { $language }.
answer-young = 🌱 marks a translation that native speakers haven’t checked yet.
answer-no-private = An answer for you: tap to read.
answer-not-shown = Your move was saved, but I can’t show the board here: I’m not allowed to { $rights }. Please ask an admin.
answer-board-refused = Your move was saved, but the board could not be posted here. To try again: /board
answer-in-words = ✎ In words, because I’m not allowed to send pictures here. Please ask an admin to allow it: { $right }.
answer-lacked-rights = A moment ago I wasn’t allowed to { $rights } here. If the board doesn’t change, please ask an admin.
answer-message-deleted = The message with your game was deleted. The game goes on here; its code is <code>{ $table }</code>.
right-write = send messages
right-pictures = send pictures
right-topics = write in closed topics
right-post = post in this channel
answer-lacks-rights = I’m not allowed to do this here: { $rights }. Please ask an admin to allow it, then try again.

# Refusals

refuse-already-started = The game has already begun.
refuse-join-started = The game has already begun. To ask a player for their seat: /substitute @name
refuse-table-over = That game is over. To open a new table: /play
refuse-not-started = The game hasn’t begun: another player has to join first.
refuse-not-your-table = You don’t play at this table. To open your own: /play
refuse-opener-only = Only { $name }, who opened the table, can do that.
refuse-already-seated = You’re already at this table. Now another player has to join.
refuse-not-invited =
    { $count ->
        [one] { $name } was asked to play here. You can open your own table: /play
       *[other] { $name } were asked to play here. You can open your own table: /play
    }
refuse-nothing-offered = There is nothing to answer: no offer or invitation is open now. To see the table: /board
refuse-leave-in-play = The game is on. You can resign with /resign, or find a substitute with /substitute.
refuse-own-place = You have finished in place { $place }. There’s nothing more for you to do: the game ends when the others have finished.
refuse-seat-finished = The player of this seat has finished in place { $place }, so nobody needs to take it over. To see the game: /board
refuse-unknown-variant = I don’t know this house rule. You can choose these under ⚙ Settings of a table: { $rules }.
refuse-not-your-turn = It’s { $name }’s turn.
refuse-what-move = I don’t understand “{ $typed }” as a move. You can play: { $legal }.
refuse-not-understood = I don’t understand this move. Press a button, or type it, for example: 7, e3 4 or 12 hearts.
refuse-old-board =
    { $seen ->
        [0] That board is from the start;
       *[other] That board is from move { $seen };
    } { $now ->
        [0] now it’s the start again. Please use the current board.
       *[other] now it’s move { $now }. Please use the current board.
    }
refuse-old-button = This button is too old. Please use the current board: /board
refuse-undone-often = You can’t undo any more in this turn. Play on: choose one of the buttons below the board.
refuse-changed-often = Too much was changed at this table since the last move. Play on, or close the table and open a new one.
refuse-too-late-to-abort = After the second move you can’t abort any more. You can resign (/resign) or offer a draw (/draw).
refuse-abort-rated = This game counts for ratings, so it can’t be aborted any more. You can resign (/resign).
refuse-abort-place = A player has finished, and the place counts, so the game can’t be aborted any more. You can resign (/resign).
refuse-not-abandoned = Others are playing this game. You can abort it once nothing has happened for { $days } days and no clock is running.
refuse-already-offered = You have already offered that. Wait for the answer.
refuse-offer-waits = Your earlier offer has to be answered first.
refuse-answer-first = There is an offer to answer first: press “Accept” or “Decline” under the board. To see it: /board
refuse-others-answer = There is an offer that others have to answer first. Waiting for { $names }. To see it: /board
refuse-turned-down = That was just declined. Make a move before you offer it again.
refuse-others-away = Players who are away would have to agree to that. You can go on playing.
refuse-opponents-away = The other players are away, so nobody can agree to that.
refuse-nothing-to-take-back = There is nothing to take back: you haven’t made a move yet.
refuse-not-over = The game isn’t over yet. Ask again when it is.
refuse-rematch-exists = The rematch is already on at table { $table }.
refuse-own-offer = It’s your own offer; the others have to answer.
refuse-no-table-here = You have no open table here. Open one: /play
refuse-unknown-table = I don’t know table { $table }. To see your tables: /games
refuse-game-removed = Game { $table } is gone: its chat keeps finished games for { $time }. Its result still counts.
refuse-game-deleted = Game { $table } is gone: the data of its chat was deleted. Its result still counts.
refuse-no-record = You can get the record once the game is over.
refuse-unknown-command = I don’t know /{ $name }. See /help.
refuse-unknown-command-near = I don’t know /{ $name }. Did you mean /{ $near }?
refuse-not-your-answer = This is for someone else. To see your own table: /board
refuse-answer-gone = That answer isn’t here any more. Please ask again.
refuse-external-apps = Others in this server wouldn’t see the board. Play with me in private, or ask an admin to add me to the server or to allow “Use External Apps” in this channel.
refuse-thread-locked = This thread is locked, so other players can’t act here. The game waits: unlock the thread to play on.
refuse-reply-unreadable = Discord doesn’t show me replies with the mention switched off (“@ OFF”). Switch it on, or use /move.
refuse-anonymous = I can’t see who you are. Please write as yourself, not as the group or a channel.
refuse-bot = Bots can’t play.
refuse-friend-bot = { $name } is a bot and can’t play.
refuse-friend-self = You can’t challenge yourself. Open a table without a name to wait for anyone.
refuse-too-many-friends = { $count ->
        [one] You can invite one friend to this game.
       *[other] You can invite at most { $count } friends to this game.
    }
refuse-too-many-tables-here = There are too many open tables here ({ $count }). Finish one first. An admin can abort a forgotten game: /cancel and its code.
refuse-too-many-own-here = You have opened or shown { $count } tables here already. Finish one first, or stop showing it here (/stop), so that others have room too.
refuse-too-many-own-of = { $name } has opened or shown { $count } tables here already, which is the limit. Ask again once one of them is over.
refuse-too-many-tables = You sit at { $count } open tables, which is the limit. Finish one first: /games
refuse-too-many-tables-of = { $name } sits at { $count } open tables, which is the limit. Ask again once one of them is over.
refuse-private-invite = A friend can’t see our private chat. Open a table by link (/play), or play in a group where we all are.
refuse-language = I don’t speak that yet. I speak: { $languages }.
refuse-admin-only = Only admins can choose this for the whole chat. To choose for yourself: /settings
refuse-chatter = Here I understand only commands and moves. See /help.
refuse-table-damaged = Something is wrong with this table, so I set it aside and reported it to the person who runs this bot. I’m sorry. To open a new one: /play
refuse-restarting = I’m restarting. If nothing has happened in a minute, please try again.
refuse-trouble = Something went wrong on my side. Please try again in a moment.
refuse-unsaved = Nothing can be saved right now, so this does not count yet. Please try again in a moment.
refuse-too-fast = That is faster than I can follow. Please wait a few seconds, then try again.
refuse-no-private-board = You have no game with other people to show in our private chat. To open a table: /play
refuse-board-moved = The board was just re-sent. You can do that once a minute.
refuse-busy = Too much at once. Please try again in a moment.

# Help

help-title = <b>Caravanserai</b>: old games in your chat.
help-move = Your turn? Press a button, or reply to the board with your move.
help-computers = Play the computer: /togyz computer, or with a level, /togyz strong. Levels: { $levels }.
help-inline = Play in chats I’m not in: type { $name } and pick a game, or { $name } blot computer.
help-commands = <b>Commands</b> ({ $page })
help-line = { $name } — { $about }

command-play = choose a game
command-move = make a move
command-board = show the board again, at the bottom
command-games = your tables
command-draw = offer a draw, or agree to one
command-takeback = ask for a takeback of your last move
command-resign = resign the game
command-abort = abort the game: alone before the second move; later, in games without draws, if all agree
command-leave = leave or close a table that hasn’t begun
command-rematch = play again with sides swapped
command-record = the game record of the last game
command-text = the board in words
command-learn = learn a game with pictures: /learn blot
command-language = choose a language
command-help = what I can do
command-start = open the bot’s welcome
command-join = join a table, or accept a challenge
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
rules-at-table = At table <code>{ $table }</code> some rules differ from the text below:
rules-instead = { $rule } (usually { $usual })

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
hand-inline-nothing = Nothing to play right now
refuse-nothing-hidden = Nothing is hidden in this game: everyone sees the whole board. To see it: /board
refuse-no-hand = No cards are dealt at this table now; your hand comes with the next deal. To see the table: /board
refuse-no-such-card = You don’t hold that many cards. To see your hand: /hand
refuse-no-sheet = This game has no such sheet. To see the board: /board
button-hand = 🃏 My hand
button-deals = 👐 Hands
deal-title = Table <code>{ $table }</code>, deal { $number } of { $count }: who held what
refuse-no-deals = No deal is over yet. You can see the hands after the first one.
button-cards = ⌨ My cards
button-menu = ⋯
answer-menu = Table <code>{ $table }</code>:
button-text = 🔤 Board as text

# Two presses for a card
answer-confirm-card = Press { $card } again within a minute to play it.
answer-confirm-is-on = From now on I’ll ask you to confirm each move.
answer-confirm-is-off = From now on your moves are played at once.
button-confirm-on = 👆👆 Confirm moves: on
button-confirm-off = 👆 Confirm moves: off
command-hand = your hand, shown only to you
command-score = the score sheet
command-last = what was played last
command-deals = all hands of the deals that are over
command-options = house rules of the table
command-confirm = ask before playing a move: on or off
argument-switch = on or off
argument-sessions = off: sign out of all browsers
choice-on = on
choice-off = off

# Tables for several, computers, changing seats

lobby-nobody = free
lobby-seat = Seat { $n }: { $name }
lobby-partners = Opposite seats play together: 1 and 3 against 2 and 4.
lobby-awaited = Invited: { $names }.
lobby-open =
    { $count ->
        [one] One seat is free for anyone.
       *[other] { $count } seats are free for anyone.
    }
lobby-full = All seats are taken. { $name } can swap seats and then press “Start”.
lobby-unconfirmed = ⏳ The settings have changed. To agree, press your seat: { $names }
lobby-until = If nothing happens here for a day, the table closes by itself.
over-resigned-together = 🏳 { $name } resigned with their partner’s consent. <b>{ $winner }</b> win.
over-given-up = 🏳 { $name } resigned. Still in the game: { $winner }.
closed-expired = Nobody began the game, so the table was closed.
closed-abandoned = Nobody had played here for a long time, so the game was aborted. Nobody has lost.
offer-resign = 🏳 { $name } wants to resign. Their partner has to agree.
offer-replace = 🪑 { $name } proposes { $newcomer } as a substitute for { $seat }.
offer-leave = 🪑 { $seat } would like { $newcomer } as a substitute.
offer-take-over = 🪑 { $newcomer } would like to substitute for { $seat }.
offer-replaced = 🪑 { $newcomer } substitutes for { $name }.
offer-agreed = ✓ { $names }
offer-waiting = Waiting for { $names }.
offer-patience = { $name } may object. If { $name } doesn’t answer within { $time }, the others decide.
call-resign = { $name }, your partner wants to resign (table <code>{ $table }</code>).
call-replace = { $name }, a substitute is proposed for a player: do you agree (table <code>{ $table }</code>)?
call-start = { $name }, all seats are taken: you can start (table <code>{ $table }</code>).
call-settings = { $name }, the settings have changed: to agree, press your seat or write /join (table <code>{ $table }</code>).
call-invited = { $name }, you’re invited to play (table <code>{ $table }</code>).
call-closing = { $name }, table <code>{ $table }</code> closes in { $minutes } minutes if nothing happens there. “Extend” keeps it open.
button-leave = Leave
button-computer = + 🤖 Computer
button-no-computer = − 🤖
button-seats = Seats: { $count }
button-start = ▶ Start
button-extend = ⏳ Extend
button-remind = 🔔 Nudge
button-remove-player = Remove…
button-substitutes = 🪑 Substitutes
button-computer-for = 🤖 Computer for { $name }
button-take-over = 🪑 Substitute for { $name }
answer-agreed = You agree. Waiting for the others.
answer-reminded = They have been nudged.
answer-extended = The table stays open for another day.
answer-remove-player = Who should leave the table?
answer-substitutes = A computer can substitute for a player if the others agree. For a friend, write /substitute and their name.
answer-take-over = For whom would you like to substitute? The others at the table have to agree.
refuse-no-free-seat = No seat is free. You can watch, or open your own table: /play
refuse-kicked = The opener removed you from this table. To open your own: /play
refuse-seat-taken = That seat is taken. Please choose another one.
refuse-lobby-changed = Something has changed at the table. Please look again.
refuse-unconfirmed = The settings have changed, so the game waits until these players agree: { $names }. They press their seat, or write /join. To remove a player: ⚙ Settings
refuse-not-here = { $name } doesn’t sit at this table.
refuse-kick-self = You can’t remove yourself. To leave the table: /cancel
refuse-no-computer = No computer sits here.
refuse-seats = This game is for { $fewest } to { $most } players.
refuse-too-many-sit = More people than that are seated or invited here. Remove someone first.
refuse-too-few =
    { $count ->
        [one] One player is missing. A computer can play too.
       *[other] { $count } players are missing. Computers can play too.
    }
refuse-nobody-awaited = There is nobody to nudge: everyone you invited has answered.
refuse-nobody-named = Please name a player: @friend.
refuse-reminded =
    { $minutes ->
        [one] They were nudged just now. Try again in a minute.
       *[other] They were nudged just now. Try again in { $minutes } minutes.
    }
refuse-already-agreed = You have already agreed. Waiting for the others.
refuse-no-draws = This game has no draws. You can resign with /resign.
refuse-draw-computer = A computer doesn’t agree to a draw. You can resign with /resign.
refuse-back-hidden = No takebacks here: cards have already been seen.
refuse-back-chance = No takeback now: dice have been thrown since that move.
refuse-computer-there = A computer plays there already.
refuse-unknown-seat = There is no such seat. To see the seats: /board
refuse-seated-already = { $name } plays at this table already.
refuse-other-hand = { $name } has seen another hand of this deal, and can take this seat once the next cards are dealt.
refuse-last-person = You’re the last person here. You can resign with /resign.
refuse-substitute-rated = This seat can’t be taken over now: its player is behind in a rated game against computers. In casual games friends can join at any time. A new game: /play
refuse-friend-twice = You named { $name } twice.
command-begin = start with the players at the table
command-kick = remove a player before the game
command-substitute = let someone substitute for a player
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
answer-theme = How should boards look? The first buttons are for boards that only you see.
answer-theme-person = Boards that only you see now look like this: { $theme }.
answer-theme-shared = The board of this chat stays as it is: everyone sees the same one. An admin can change it: /theme
answer-theme-chat = Boards in this chat now look like this: { $theme }.
refuse-theme = I know these themes: { $themes }.
answer-turned-is-on = Boards that only you see now have your side at the bottom.
answer-turned-is-off = Boards that only you see are now the same way round as everybody’s.
button-turned-on = 🔄 My side at the bottom
button-turned-off = 🔄 As everybody sees it
answer-pace-is-calm = When you play only computers, they now take their turns one by one, so that you can follow.
answer-pace-is-quick = When you play only computers, they now answer at once.
button-pace-quick = ⚡ Quick answers
button-pace-calm = 🐢 Turn by turn
command-pace = how quickly computers answer you: calm or quick
argument-pace = calm or quick
choice-calm = calm
choice-quick = quick
answer-words-is-on = I now describe boards in words where only you see them.
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
refuse-no-replay = You can get the replay once the game is over.
refuse-replay-busy = Many replays are waiting to be drawn. Please ask again in a minute.
refuse-chart-later = Hands are secret: you can see the chart once the game is over.
refuse-no-chart = There is no game at this table to chart yet.
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
answer-level-rated = • { $name } ({ $level }): { $about } 🏅 { $rating }
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
refuse-hint-turn = You can get a hint when it’s your turn. Now it’s { $name }’s.
refuse-hint-off = At this table no hints are given. That was chosen before the game.
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
button-review = 🔍 Analysis
command-review = analysis of the last game: turning points and better moves
answer-review =
    { $seconds ->
        [one] 🔍 I’m going through the game. The analysis will be here in about a second.
       *[other] 🔍 I’m going through the game. The analysis will be here in about { $seconds } seconds.
    }
answer-review-soon = I’m already going through the game. The analysis will be here in a moment.
answer-review-progress = 🔍 <b>{ $game }</b>: going through the game … { $made }%
answer-review-above = The analysis of this game was posted here a few minutes ago: look a little further up.
refuse-no-review = You can get an analysis once the game is over, if some moves were made.
refuse-review-busy = Many analyses are waiting. Please ask again in a minute.
refuse-review-gone = That analysis isn’t here any more. Please ask for it again: /review
answer-review-title = 🔍 <b>{ $game }</b> · table <code>{ $table }</code> · turning points and better moves
answer-review-line = { $n }. Move { $move }, { $name }: { $played } ({ $before }% → { $after }%). Better: { $better }.
answer-review-more = Also: { $moves }.
answer-review-short = { $n }. move { $move } ({ $before } → { $after }%)
answer-review-none = No single move decided the game: the lead grew step by step.
answer-review-failed = The analysis could not be made this time. Ask again in an hour: /review
answer-review-incomplete = There was too little time to check every move, so turning points may be missing. Ask again in an hour: /review
answer-review-chart = The chart shows how likely each side was to win, move by move, as the computer sees it. Its numbers are those of the moves above.
button-luck = 🎲 Luck and play
answer-luck = 🎲 <b>Luck and play</b>: how the chance to win changed, in percentage points
answer-luck-line = { $side }: { $start } at the start, { $own } from own mistakes, { $others } from others’ mistakes, { $luck } from luck = { $result }
answer-luck-about = A mistake is what a decision cost compared with the best one, judged by what the player could know. Luck is everything else: dice, the deal, and cards that lay better or worse than expected. The computer estimates both.
answer-moment = Before move { $move }: { $name } played { $played }. A master would have played <b>{ $better }</b>.
answer-moment-chance = The chance to win was about { $before }% and fell to { $after }%.
answer-moment-answer = That let { $name } play { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · All commands: last button.
help-all-typed = 🌐 /language · All commands: /help all
button-learn = 📖 Learn
button-solo = 🤖 Play the computer
button-help-all = All commands
button-both-sides = ♟ Both sides
button-settings = ⚙ Settings
button-verify = 🔒 Fair play check
solo-choose = <b>{ $game }</b>: whom would you like to play against?
solo-rated = 🏅 These games are rated at half weight. After a hint or a takeback, only a loss changes your rating.
solo-casual = These games are casual: they are not rated.
solo-friend = With a friend: press “By link”, or play in a group where I am too: /play
solo-friend-link = With a friend: press “By link”, or add me to a group where you both are: { $link }
solo-friend-hands = If I’m an admin of the group, I can show all players their own cards automatically, without “My hand”. This link asks only for the right to delete messages: { $link }
rules-which = Which game would you like to learn?
refuse-clock = A clock is a time for each move (10 seconds to 30 days), or a time for the whole game with seconds added for each move. For example: 3 min, 2 days, 5+5.
refuse-misread = I didn’t understand “{ $word }”, so I didn’t open a table. You can write: computer, { $levels }, no hints, @friend.
refuse-misread-near = I didn’t understand “{ $word }”, so I didn’t open a table. Did you mean “{ $near }”?
refuse-nobody-called = I don’t know anyone called @{ $name } here, so nothing has changed. Check the name, or open a table for anyone: /play
answer-settings = ⚙ Table <code>{ $table }</code>, before the game:
answer-verify = 🔒 Table <code>{ $table }</code>: the seed was fixed before anyone joined; dice and deals follow from it and from who took seats. This is its fingerprint; the record will contain the seed, so anyone can check.
answer-verify-over = 🔒 Table <code>{ $table }</code>: the seed was fixed before anyone joined; dice and deals follow from it and from who took seats. This is its fingerprint. The game is over, so its record contains the seed and anyone can check: /record
lobby-unseen = I haven’t met { $names } yet: they have to press a button here to take a seat.
answer-confirm-resign-typed = This ends the game. Send it again within a minute to resign.
answer-confirm-abort-typed = This ends the game. Send it again within a minute to abort it.
refuse-nothing-to-join = There is no table here that you could join. Open one: /play
refuse-none-waiting = No table of yours is waiting for players here. Open one: /play
refuse-not-playing-here = You don’t play at any table here. Open your own: /play
refuse-none-finished = No game has been finished here lately. To open a table: /play. Earlier games: /history
command-verify = fair play check of dice, deals and the draw of lots
argument-move = what to play: 7, 8♥, pass
argument-game = game
refuse-doubtful-move = “{ $typed }” doesn’t fit. Did you mean { $move }? Then send { $move }.

# Short acknowledgement of a button press, shown in a passing note. $what is one of the
# messages below, or what the button said.
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = your turn
done-turn = { $name }’s turn
done-opened = the table is open
done-below = posted below
done-joined = you’re in
done-asked = the game begins when the challenger accepts
done-left = you have left
done-seats = seats changed
done-removed = removed from the table
done-saved = saved
done-started = the game begins
done-back = taken back
done-replaced = the substitute is seated
done-declined = declined
done-over = the game is over
done-closed = the table is closed
refuse-button-changed = That button has just changed. If you want what it says now, press again.

# The course, and texts for people who play for the first time
lesson-yes = Yes
lesson-no = No
lesson-player = { $name }
lesson-part = 📚 Part { $n } of { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>Part { $n } of { $parts } is done: { $name }.</b> Now play your first game against { $computer }: I’ll show you what to look for. Or go on with the next part.
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
lesson-done = 🎓 <b>That is all you need.</b> Now play { $game } against { $computer }. I’ll show you what to look for, and takebacks are free.
button-first-game = 🐪 Play my first game (with tips) against { $computer }
button-again = 🔁 Again
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 Play in private
button-stop = ✖ Stop showing here
places-also =
    { $count ->
        [one] 👁 Also shown in { $count } other chat
       *[other] 👁 Also shown in { $count } other chats
    }
watching-people =
    { $people ->
        [one] 👁 { $people } person is watching
       *[other] 👁 { $people } people are watching
    }
watching-both = { $people } · { $places }
button-public-on = 👁 Let anyone watch
button-public-off = 🔒 Watch only here
refuse-not-public = Table { $table } is not open for everyone to watch. One of its players can allow it: ⋯, “Let anyone watch”.
answer-table-detached = This table isn’t shown here any more. To show it again: /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = web
done-shown-here = the table is shown here too
answer-shown-here = You can play this table here too.
answer-watching = You can watch this table here now. To stop showing it: /stop
answer-private = Your own board is in our private chat now. You can play there or here.
answer-private-opened = 🎲 Your board opens here.
answer-stopped = The table isn’t shown here any more. The game goes on elsewhere.
refuse-show-private-game = This table is played in one private chat, so it can’t be shown elsewhere. To open one for several: /play
refuse-which-code = Which table? Write its code, which you find behind ⋯ on its board, for example: /{ $command } 7k3fxb2
refuse-already-here = That table is shown here already. To see its board: /board
refuse-too-many-places = That table is already shown in { $count } other chats. One of them has to stop showing it first: /stop
refuse-stop-home = The table was opened here, so it stays here. Before the game it can be closed (/cancel); later a player can resign (/resign).
refuse-not-shown-here = That table isn’t shown here.
refuse-nothing-shown-here = No table from another chat is shown here.
refuse-stop-others = Only the person who showed the table here, its opener or an admin of this chat can do that.
refuse-stop-player = { $name } plays only from this chat, so the table stays here until { $name } also has a board in private (/private). An admin of this chat who doesn’t play can stop it at once.
refuse-only-watching = In this chat you can only watch. To take a seat, show the table here to play: /show and its code
refuse-private-seat = You don’t play at this table. To watch it in private, write to me in our private chat: /watch { $table }
refuse-already-private = You have your board in our private chat already.
refuse-private-none = There are no private chats with me here.
refuse-private-closed = I can’t message you. Allow direct messages from this server in your privacy settings, or write to me in private first: /private { $table }
refuse-private-closed-link = I can’t write to you in private yet. Open our private chat and press Start there, then your board comes: { $link }
command-private = your own board, in our private chat
command-show = show a table from another chat here, to play
command-watch = show a table from another chat here, to watch
command-stop = stop showing another chat’s table

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
settings-mine = 👤 <b>Your settings</b>. These follow you everywhere. Tap to change.
settings-chat = ⚙ <b>Settings of this chat</b>. Tap to change; the defaults work for everyone.
settings-chat-read = ⚙ <b>Settings of this chat</b>. Only admins can change them.
settings-server = 🏛 <b>Settings of the whole server</b>. They apply in every channel without a setting of its own. Tap to change.
settings-server-read = 🏛 <b>Settings of the whole server</b>. Only admins can change them.
button-settings-chat = ⚙ This chat
button-settings-server = 🏛 For the whole server
button-settings-mine = 👤 Mine
button-usual-rules = ↺ The usual rules
setting-language = 🌐 Language
setting-theme = 🎨 Look
setting-side = 🔄 My boards
setting-boards = 🖼 Board display
setting-press = 👆 Confirm moves
setting-pace = 🐢 Computers
setting-pace-about = How quickly should computers answer when you play only them?
value-pace-calm = turn by turn
value-pace-quick = at once
setting-calls = 🔔 Reminders
setting-night = 🌙 Quiet hours
setting-zone = 🕰 My time
setting-hints = 💡 Hints
setting-clock = ⏱ Time
setting-clock-about = How much time do players have at new tables here, unless the opener chooses otherwise?
setting-opens = 🚪 Who may open tables
setting-orders = ✖ Who may close tables
setting-rules = 📜 House rules
setting-quiet = 🔕 Quiet mode
setting-old = 🧹 Old boards
setting-where = 📍 Where to play
setting-language-about = Which language should I speak?
setting-theme-about = How should boards look?
setting-side-about = Whose side is at the bottom of a board that only you see?
setting-boards-about = How should I show you boards that only you see?
setting-press-about = Should I ask before playing a move? It guards against a slip of the finger.
setting-calls-about = When should I ping you?
setting-night-about = During which hours, by your own clock, should I not ping you? Reminders held back arrive in the morning.
setting-zone-about = How far is your clock from UTC? In Kazakhstan +5, in Armenia +4, in Kyrgyzstan +6, in Moscow +3, in India and Sri Lanka +5:30.
setting-hints-about = Are hints given at new tables here, unless the opener chooses otherwise?
setting-opens-about = Who may open tables here, or show tables from other chats?
setting-orders-about = Who may close a table that hasn’t begun, or stop showing one from another chat?
setting-rules-about = These house rules apply to new tables here, unless the opener chooses others.
setting-quiet-about = In quiet mode my messages are silent and mention nobody.
setting-old-about = When a board is posted again further down, what happens to the old one?
setting-where-about = Which topics allow games? Choose “here” in each.
setting-where-server-about = Which channels allow games? Choose “here” in each.
value-side-own = my side at the bottom
value-side-all = same as everyone
value-boards-pictures = pictures
value-boards-words = words
value-press-once = off
value-press-twice = on
value-calls-usual = soon
value-calls-seldom = after an hour
value-calls-never = never
value-night-none = none
value-opens-all = everybody
value-opens-admins = admins
value-opens-nobody = nobody
value-orders-host = the opener and admins
value-orders-all = everybody
value-rules-usual = the usual
value-rules-own = own rules
value-quiet-off = off
value-quiet-on = on
value-old-away = removed
value-old-stay = kept without buttons
value-where-all = everywhere
value-where-here = here
value-where-elsewhere = in other topics
value-where-channels = in other channels
refuse-other-topic = Games are turned off in this topic by the admins. Play in another topic, or see /settings
refuse-other-channel = Games are turned off in this channel by the admins. Play in another channel, or see /settings
refuse-opens-nobody = Games are turned off here by the admins. You can play with me in private.
refuse-opens-admins = In this chat only admins open tables. Please ask one of them.

## Challenges

button-by-link = 🔗 By link
button-invite = 🔗 Invite
answer-invite = 🔗 How to invite others to table <code>{ $table }</code>:
lobby-link = 🔗 Share this link; anyone who opens it can join: { $link }
lobby-link-group = 👥 Take it to a group, with me: { $link }
lobby-code = ⌨ In any chat with me, also on another platform: <code>/show { $table }</code>, in private <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = maybe later
why-busy = no time today
why-other = another game?
why-rest = I’m taking a break
answer-declined-why = You declined. Would you like to give a reason? Everyone at the table can read it.
answer-explained = Thank you, I’ll pass it on.
refuse-explained = You have already given a reason.
command-notify = get one ping when someone wants to play
answer-notify = 🔔 I’ll ping you here once when someone opens a table of: { $games }. Press again to change it.
answer-notify-none = Which game are you waiting for? I’ll ping you here once when someone opens a table.
call-wanted = 🔔 { $name }: { $opener } wants to play { $game } (table <code>{ $table }</code>).
refuse-notify-alone = Nobody else opens tables in our private chat. Send /notify in a group.

## One person on several platforms

command-link = link your accounts on several platforms
command-unlink = unlink your accounts
argument-code = the code from the other platform
button-link = Yes, both accounts are mine
answer-link = 🔗 On the other platform, write to me in private: <code>/link { $code }</code>
answer-link-secret = It works once, for { $minutes } minutes. Don’t share it: anyone who has it can play as you. Your seats, hands and settings are then the same on both.
answer-link-now = Your accounts are linked on: { $platforms }. To unlink them: /unlink
answer-link-sure = ⚠ This code was given to <b>{ $name }</b> ({ $platform }). If you go on, this account and { $name } become one player: { $name } gets your seats and sees your hands. Press only if both accounts are yours. If someone sent you the code, don’t press.
answer-linked = 🔗 Your accounts are linked: here you are { $name } ({ $platform }) now, with the same seats, hands and settings. To unlink them: /unlink
answer-link-used = 🔗 Your code was used: { $name } ({ $platform }) plays as you now. If that isn’t you: /unlink
answer-unlinked = Your accounts are no longer linked. Seats at open tables stay with the account that gave the code.
answer-unlinked-unrated = Rated games that you finished while they were linked stay there, too. So games of the other account don’t count for ratings until { $time }.
refuse-link-code = I don’t know this code: it works once, for ten minutes. To get a new one: <code>/link</code> on the other platform.
refuse-link-self = That is your own code: write it on the other platform.
refuse-link-already = This account is linked already. To unlink it: /unlink
refuse-link-platform = Only one account per platform can be linked, and one is linked here already. To unlink: /unlink
refuse-link-table = Both accounts sit at table { $table }. Finish that game first.
refuse-link-rated = With this account you play a rated game, { $table }: it ends under the name with which it began. Do it the other way round: write <code>/link</code> here, and enter that code with the other account. Or link them after the game.
refuse-link-left = You gave up your seat in a rated game, { $table }, that is still being played: it counts as a loss for this account. Do it the other way round: write <code>/link</code> here, and enter that code with the other account. Or link them after the game.
refuse-link-hidden = Your name is hidden in a chat or everywhere, and too many accounts have been linked since then. To link this one, ask an admin of that chat or the person who runs the bot to show your name again.
refuse-unlink-rated = In the private chat of this account you play a rated game, { $table }: it ends under the name with which it began. Finish it first, or show it in another chat: <code>/show { $table }</code>.
refuse-unlink-gone = The account that gave the code ({ $platform }) no longer exists. Your seats, games and ratings would stay with it, and you would lose them, so the accounts stay linked: play on here. To delete everything: /account
refuse-not-linked = Your accounts aren’t linked. To link them: /link

## Challenges where the bot is no member

challenge-title = ⚔ Challenge: { $game }
challenge-more = The first to accept plays you, right in this chat
challenge-says = ⚔ { $name } invites you to play { $game }. The first to press plays.
challenge-more-many = People join with a button, right in this chat; you start the game
challenge-says-many = ⚔ { $name } invites you to play { $game }. Press to join.
challenge-more-friends = For { $friends }, right in this chat
challenge-says-friends = ⚔ { $name } invites { $friends } to play { $game }.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Who plays?
challenge-choice = ⚔ { $name } wants to play. Choose a game: the first to press plays.
share-more = Show this table here
share-says = 🎲 { $name } plays: { $line }
button-watch = 👁 Watch
button-show-here = ⬇ Show here
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 Pictures, hints and more in our private chat: { $link }
private-link-over = 📩 Replay, analysis and game record in our private chat: { $link }
refuse-meet-self = It’s your own challenge: another person has to accept it.
refuse-challenge-used = This challenge has already been accepted. Post one of your own to play.
refuse-not-challenged = This invitation is for { $friends }. Post one of your own to play.
answer-challenge-accepted = ⚔ { $name } has accepted a challenge that you posted some time ago: { $game }. Table <code>{ $table }</code> begins when you accept, too. Open it here to accept or decline.

## Conditional moves, made before the turn

command-premove = set a conditional move: /premove 3 7 answers 3 with 7
argument-plan = their move and your answer: 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 Set for the next move, and only you can see it: { $plan }
button-drop-plan = Drop conditional moves
answer-plan = 🤫 Set for the next move, and only you can see it: { $plan }. To drop it: /premove off
answer-plan-none = No conditional move is set. While your opponent is to move, write their move and your answer: /premove 3 7, 5 2
refuse-plan-turn = You can set a conditional move only while your opponent is to move.
refuse-plan-game = Conditional moves work only in games for two without dice or cards.
refuse-plan-words = Write their move and your answer: /premove 3 7, 5 2
refuse-plan-move = I don’t understand “{ $typed }” as a move there. Write their move and your answer: /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = open your board in a browser; /web off signs you out everywhere
command-launch = open the board in a window
button-open-board = ▦ Open the board
button-page = 🌐 In the browser
answer-page = 🌐 This link opens your board in a browser, as you. It works once, for { $minutes } minutes: don’t share it. To sign out everywhere: /web off
answer-page-private = I can’t give you the link here, where others read. Write to me in private: /web
answer-page-private-link = Others read here: open our private chat for your link and press Start there: { $link }
answer-page-off = You’re signed out in every browser and window.
answer-launched = Press once more to open the board.
refuse-no-page = Boards can’t be opened in a browser here: the person who runs this bot hasn’t set that up. To see the board: /board
refuse-page-here = You’re on the page already.

# Texts that look like commands but may not be meant as such

refuse-words-behind = I did nothing, because only /{ $command } itself counts, without “{ $words }”. If you mean it, send /{ $command } alone.
answer-nothing-done = All right, I did nothing.
answer-confirm-typed = Send it again within a minute to play { $card }.

# Commands that combine others.
command-cancel = leave a table before the game, or abort the game
command-open = open your board in our private chat or in a browser
command-account = link your accounts on several platforms, or unlink them
command-analysis = look at the last game again: analysis, replay, chart, record
command-table = offers, players and the board at a table
command-about = who I am, and where to report what’s missing
command-feedback = where to report bugs and suggest ideas
command-privacy = what I keep about you
answer-open = Where would you like your board?
answer-open-here = Your board is here already. To bring it to the bottom: /board
answer-account = Link your accounts to play as one person on several platforms, with the same seats, hands and settings.
button-link-start = 🔗 Link an account
button-unlink = Unlink my accounts
answer-account-deleted = Your account will be deleted on { $day }.
answer-deletion-restored = I was restored from a backup in which you had asked me to delete your account. It will be deleted on { $day }. To keep it: /account
answer-deletion-operator = The person who runs this bot has requested that your account be deleted. It will be deleted on { $day }. To keep it: /account
refuse-account-deleting = Your account is being deleted. When your last games are over, you can start again.
refuse-link-deleting = One of these accounts will be deleted. Cancel that first: /account
button-export = ⬇ My data
button-delete-account = 🗑 Delete my account
button-delete-sure = 🗑 Delete it in a week
button-keep-account = Keep my account
answer-export = Here is your data: account.json for programs, the other files for you.
refuse-export-private = I send your data in our private chat only. Write to me there: /account export
refuse-export-soon = I have just sent your data. You can have it again in { $minutes } min.
answer-delete-account = In a week I delete your name, settings, ratings, history and links, on all your linked accounts, and you leave your open games. Until then you can cancel it: /account. Finished games stay for the other players, without your name. If you come back within 90 days, your games won’t count for ratings.
answer-delete-cancelled = Your account stays.
refuse-delete-none = There is nothing to cancel: your account stays.
refuse-delete-other = That button is for another person. For your own account: /account delete
answer-data-title = What this bot stores about you, { $date }
answer-data-files = account.json is for programs. The folder games has your finished games in their notation.
answer-data-games-cut = The folder has the latest finished games, { $files } of { $games }: the others do not fit into one file.
answer-data-profile = Names, settings and linked accounts: until you delete your account.
answer-data-marks = Link codes, /notify requests, sign-ins: a month at most; your latest tables: 180 days; or until you delete your account.
answer-data-messages = Open tables, and which messages show them: at most 60 days after the game.
answer-data-games = Games: until you delete your account, then without your name.
answer-data-results = Results of games: until you delete your account, then without your name.
answer-data-ratings = Ratings, lists and history: until you delete your account.
answer-data-play = Play quality: what your decisions have cost in each judged game, for 400 days.
answer-data-chat = The chat on this bot’s own page: your messages for 90 days.
answer-data-answers = Answers to your messages and presses: 3 days.
answer-data-deletion = Your deletion request; then, and after /unlink, for 90 days, a code that nobody can trace back to your account.
answer-analysis = The last game here, table <code>{ $table }</code>:
answer-about = <b>Caravanserai</b> { $version }: { $games } in your chat. Something is wrong or missing? Tell the person who added me here.
answer-privacy = I keep your name, your settings and your games. Only you see your hand until its deal is over. Your data as a file: /account export. To delete it: /account delete
answer-privacy-page = More: { $link }
answer-contact = To write to the person who runs this bot: { $contact }
answer-feedback = Is something wrong, or do you have an idea? Tell the person who added me here.
answer-feedback-contact = Is something wrong, or do you have an idea? Write to the person who runs this bot: { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = Play { $games } with your friends, right in your chat. Add me to a group and send /play, or play against the computer here.
bot-short-description = { $games } with your friends, right in your chat. Add me to a group and send /play.

# Names of slash commands that contain others: small letters, no spaces.
menu-table = table
menu-overview = overview

# Ratings and results

command-top = the rating lists
command-me = your ratings and statistics
command-stats = the statistics of a player
command-history = your finished games
command-achievements = what you have achieved
list-two = { $game }, two players
list-pairs = { $game }, in pairs
list-several = { $game }, three or four players
list-short = { $game } { $players }
list-deleted-player = Deleted player
list-deleted-player-numbered = Deleted player { $n }
answer-top-chat = 🏆 <b>Ratings in this chat</b>
answer-top-all = 🏆 <b>Ratings in all chats</b>
answer-top-season = 🏆 <b>{ $season }: this month in this chat</b>
answer-top-season-all = 🏆 <b>{ $season }: this month in all chats</b>
answer-top-past = 🏆 <b>{ $season } in this chat</b>
answer-top-past-all = 🏆 <b>{ $season } in all chats</b>
answer-top-empty = Nobody has finished a rated game here yet. A game against a friend counts: /togyz, /thaayam or /blot.
answer-top-empty-list = No game counts for this list yet. A rated game against a friend does: /togyz, /thaayam or /blot.
answer-top-none = There was no rated game in that month.
answer-top-none-list = No game counted for that list.
answer-provisional = ? – provisional: too few games, or none for a long time. This rating may still change a lot.
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = Places depend on the rating and on how certain it is, so players who stop playing move down.
answer-top-order-month = Places depend on the rating and on how certain it is.
button-top-chat = This chat
button-top-all = All chats
button-top-season = This month
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = You have not finished a game yet. Challenge a friend: /play
answer-stats-empty = No finished games in this chat.
answer-stats-record = { $list }: <b>{ $rating }</b> – won { $won }, drawn { $drawn }, lost { $lost }
answer-stats-unrated = { $list }: no rated game yet – won { $won }, drawn { $drawn }, lost { $lost }
answer-stats-best = Best rating: { $rating }
answer-stats-streak-won = { $count } wins in a row
answer-stats-streak-lost = { $count } losses in a row
answer-stats-against = You against them: won { $won }, drawn { $drawn }, lost { $lost }
answer-stats-last = <b>Last games</b>
answer-stats-achieved = 🎖 Achievements: { $count } of { $all }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 Play quality: mistakes cost { $cost }% (±{ $interval }) of the chance to win per deal. Deals evaluated: { $rounds }
answer-stats-play-level = That is about the { $level } level.
answer-stats-play-levels = That is between the levels { $from } and { $to }.
answer-details = 📊 <b>{ $name }</b>: favourites, best games, luck
answer-details-empty = Nothing to tell yet. Play a little more: favourites show after three choices, a best win after a rated one, and luck after the 🔍 Analysis of five games with dice or cards.
answer-details-best = 🏅 Best win: { $day } against { $opponents }, rated { $rating }
answer-details-luck = 🎲 Luck: { $sign }{ $luck } wins, from { $games } of the last { $all } games, those that were analysed (won { $won }). Pure chance stays within ±{ $limit } in 19 of 20 cases.
answer-details-luck-few = 🎲 Luck is shown from { $least } analysed games on. So far: { $games }. To add a finished game, press 🔍 Analysis under it.
answer-details-luck-about = Luck is the part of a result that came from dice and cards, not from how well everybody played. The computer estimates it.
button-details = 📊 Favourites, best games, luck
button-best-win = 🎞 Best win: { $list }
answer-decimal = { $whole }.{ $tenth }
button-history = 📜 All my games
button-head-to-head = 📜 Our games
answer-history = 📜 <b>My games</b>, page { $page }
answer-history-empty = You have not finished a game yet. Challenge a friend: /play
answer-history-against = 📜 <b>My games against { $name }</b>, page { $page }
answer-history-results = { $list }: won { $won }, drawn { $drawn }, lost { $lost }
answer-history-no-match = None of your last games matches. All your games: /history
answer-history-none-here = You have no finished games against this player in this chat. All your games: /history
answer-history-again = The list of games is being rebuilt, so yours may be missing. Please ask again in a few minutes.
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }: won against { $opponents }
answer-history-drawn = { $day } { $game }: drew with { $opponents }
answer-history-lost = { $day } { $game }: lost to { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – no longer kept
answer-history-replays = To watch a game again, press its number.
answer-history-latest = Only your latest { $count } games were searched.
argument-results = results
choice-won = won
choice-lost = lost
choice-rated = rated
choice-casual = casual
button-guarded-games = 🛡 Games not rated
answer-guarded-games = <b>Games of the last 30 days here that were not rated, or not for all players, and why.</b> Ratings need games that say something about the players; nobody is punished by this.
answer-guarded-none = No game of the last 30 days here was kept from being rated.
answer-guarded-game = { $day } { $game }, { $players }: { $reasons }
button-achievements = 🎖 Achievements
button-achievements-on = 🎖 Show achievements
button-achievements-off = 🎖 Turn achievements off
answer-achieved = 🎖 <b>Achievements</b>: { $count } of { $all }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day } – { $rule }
answer-achieved-open = ▫️ { $name } – { $rule }
answer-achieved-hidden = Your achievements are turned off: neither you nor others see them. Achievements already shown under earlier results remain.
answer-achieved-shown = Your achievements are shown again: /achievements
button-newer = ◂ Newer
button-older = Older ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }. Rated at half weight, because a computer plays.
over-first-win = ⭐ { $name }: first win here, { $list }!
over-first-win-all = ⭐ { $name }: first win, { $list }!
over-win-after-losses = ⭐ { $name } wins against { $opponent } after { $count ->
    [one] { $count } loss
   *[other] { $count } losses
} in a row here!
over-win-after-losses-all = ⭐ { $name } wins against { $opponent } after { $count ->
    [one] { $count } loss
   *[other] { $count } losses
} in a row!
over-best-rating = ⭐ { $name }: best rating in this chat, { $list }: { $rating }
over-best-rating-all = ⭐ { $name }: best rating so far, { $list }: { $rating }
over-streak = ⭐ { $name } has won { $count } games in a row here, { $list }!
over-streak-all = ⭐ { $name } has won { $count } games in a row, { $list }!
over-achieved = 🎖 New: { $players }
over-achieved-player = { $name } – { $achieved }
over-casual = Not rated: { $reason }.
over-casual-for = Not rated for { $name }: { $reason }.
lobby-rated = 🏅 Rated game
lobby-rated-here = 🏅 Rated in the lists of this chat only: the opponents have played ten rated games today
lobby-rated-alone = 🏅 Rated game, at half weight, because a computer plays. After a hint or a takeback, only a loss changes your rating.
lobby-casual = Not rated: { $reason }
lobby-casual-pause = Not rated: { $name } is paused from rated games, because too many of their games were aborted or lost on time. ⏱ { $time }
lobby-casual-several-people = Not rated: several people play with a computer. For a rated game, fill all seats with people, or play alone against computers.
button-rated = Game: { $rule }
lobby-rated-on = rated
lobby-rated-off = casual
refuse-stats-private = In a private chat you see only your own statistics: /me. Ask in a group that you share.
refuse-history-private = In a private chat you see all your games: /history. For your games against one player, ask in a group that you share.
refuse-stats-unknown = I have seen no games of { $name } here. Their statistics appear after their first game.
casual-chosen = the game is casual
casual-hints = hints are allowed
casual-takeback = a move was taken back
casual-substitute = a substitute took a seat
casual-guest = a guest of the page plays: a guest’s games count from a day after their first one, or once they have linked an account (/link)
casual-unknown-computer = a computer has no rating here
casual-several-people = several people play with a computer
casual-coached = it is a lesson
casual-same-person = one person plays several sides
casual-aborted = it was aborted
casual-too-short = it was too short
casual-no-list = this kind of game has no ratings
casual-pair-limit = the opponents have played five rated games in this chat today
lobby-pair-limit-no-group = the opponents have played five rated games outside of groups today
casual-pair-limit-everywhere = the opponents have played ten rated games today: further ones count only in the lists of groups
casual-new-account = a new player won a very short game
casual-farming = it repeats an earlier win
casual-deleted-account = a player deleted or unlinked an account less than 90 days ago
casual-rating-pause = a player is paused from rated games
casual-other = a newer version has a rule that I don’t know
answer-guard-short = ⚠️ Three of your last rated games were over after a few moves. Please play rated games to win. The next one is reported to the person who runs this bot. For short games choose “casual” before the game.
answer-guard-reported = ⚠️ Again a rated game of yours was over after a few moves, so the person who runs this bot now knows of it. Your ratings stay as they are.
answer-guard-endings = ⚠️ Too many of your last rated games ended because you aborted them, ran out of time, or their only message was deleted. If that goes on, your games are not rated for a while: 10 minutes at first, then longer, 3 days at most.
answer-guard-pause = ⏸ Too many of your last games ended because you aborted them, ran out of time, or their only message was deleted. Your new games are not rated for now, and the others see that before a game. ⏱ { $time }
refuse-frozen = The person who runs this bot has stopped this table for now. No time runs, and nobody loses. It goes on when they allow it.
board-frozen = 🧊 The person who runs this bot has stopped this table for now. No clock runs.
closed-host = The person who runs this bot aborted the game. Nobody has lost.
refuse-banned = The person who runs this bot doesn’t let you use it any more. I won’t answer again.
refuse-draining = I’ll be updated soon, so no new games begin just now. Games that have begun go on. Please try again later.
answer-host-message = 📣 From the person who runs this bot: { $text }
refuse-admin-group = Write this to me in our private chat.
answer-admin = { $text }
button-admin-close = Abort the game
button-admin-close-sure = Abort for good
button-admin-delete = 🗑 Delete
button-admin-delete-sure = 🗑 Delete for good
setting-news = 📣 Messages from the person who runs this bot
setting-news-about = May the person who runs this bot write here now and then, for example before a longer break?
value-news-off = off
value-news-on = on
setting-achieved = 🎖 Achievements
setting-achieved-about = Small goals that teach a game. If they are off, neither you nor others see them.
value-achieved-shown = shown
value-achieved-hidden = turned off
setting-digest = 📅 Weekly digest
setting-digest-about = May I post a summary of the week’s games here: on Mondays at 9, without a sound? After a week without games there is none.
value-digest-off = off
value-digest-on = on
setting-keep = 🗄 Keep finished games
setting-keep-about = How long do I keep the moves and hands of finished games of this chat? Older ones are removed for good, beginning a day after the choice. Results and ratings stay.
value-keep-always = for good
value-keep-365 = 1 year
value-keep-90 = 90 days
value-keep-30 = 30 days
setting-chatzone = 🕰 Time of the chat
setting-chatzone-about = How far is the clock of this chat from UTC? The weekly digest comes at 9 by this clock. In Kazakhstan +5, in Armenia +4, in Kyrgyzstan +6, in Moscow +3, in India and Sri Lanka +5:30.
answer-digest-is-on = The weekly digest comes on Mondays at 9.
answer-digest-is-off = The weekly digest is off. To turn it on again: /settings chat
answer-digest = 📅 <b>The week in this chat</b>
answer-digest-games = Games: { $count }, players: { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 Most games: { $names } ({ $count })
answer-digest-gain = 📈 Biggest rating gain: { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name } won { $count } games in a row
answer-digest-close = ⚖ Closest game: { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 Ratings
button-digest-off = No weekly digest
answer-data-host = What the person who runs this bot did about your account, such as a ban, and reports and pauses because of abuse: for a year; the ban itself as a code from which nobody can read your account.

## Blocked people

command-block = block a person, or see whom you have blocked
command-unblock = unblock a person
answer-block-done = 🚫 { $name } is blocked and can’t challenge you or sit down at a table with you. They won’t be notified. Games that have begun go on.
answer-block-already = { $name } is blocked already. Your list: /block
answer-block-invitations = Open invitations between the two of you have ended.
answer-block-private = Others here can read what you type. You can also block people in our private chat: /block
answer-block-list = 🚫 <b>Blocked people: { $count }</b>. Press a name to unblock them.
answer-block-none = You have blocked nobody. To block someone: /block @name. They then can’t challenge you or sit down at a table with you, and they won’t be notified.
answer-unblocked = { $name } is not blocked any more.
button-unblock = Unblock
button-unblock-named = Unblock { $name }
refuse-block-self = You can’t block yourself. Your list: /block
refuse-block-unknown = I don’t know { $name }. Write /block with their name in a group where you both are.
refuse-block-full = Your list has { $count } people already, which is the limit. Unblock someone first: /block
refuse-unblock-none = { $name } is not on your list. To see it: /block
refuse-block-own = You have blocked { $name }, so nothing has changed here. Your list: /block
refuse-block-seat = There is no seat for you at this table at the moment. You can watch, or open your own: /play
refuse-block-rematch = The same players can’t start again at the moment. Open a new table: /play
refuse-chat-deleting = The person who runs this bot is deleting the data of this chat, so no table can be opened here now. Please try again in a few minutes.
refuse-block-challenge = { $name } takes no challenges at the moment. Ask someone else, or open a table for anyone: /play
refuse-block-substitute = { $name } can’t take this seat at the moment. Decline the offer, or name someone else: /substitute
answer-data-blocks = Whom you have blocked: until you unblock them, or one of you deletes the account.

# The board on which a person analyses positions

# Who plays there instead of people; $n is the number of the player.
analysis-player = { $n ->
        [1] First
       *[other] Second
    }
# Label of the choice of who is to move.
analysis-turn = To move
# A text is in no known form of the game; $example is one that can be read.
analysis-unknown-position = I can’t read this as a position of this game. Here is one that I can read: { $example }
analysis-no-setup = Positions of this game can’t be analysed here.
analysis-over = The game is over in this position.
analysis-game-runs = You are playing a game of { $game } at table { $table }: there are no evaluations and hints until it is over.

## Hidden names

command-hidename = hide the name of a person in this chat (admins)
argument-reason = why, for the person
answer-hidename = Admins of a chat can hide a name that insults others: /hidename @name and, if you like, the reason. Others here then see a neutral name. /hidename @name off shows it again.
answer-name-hidden = 🙈 Others here now see { $name } as { $shown }, also in earlier games. I’ll tell { $name } privately, with the reason. To show the name again: /hidename @name off
answer-name-hidden-already = { $name } is hidden here already; others see { $shown }.
answer-name-shown = The name { $name } is no longer hidden here.
refuse-hidename-full = In this chat { $count } names are hidden already. Show one of them again first.
refuse-name-not-hidden = The name of { $name } is not hidden in this chat.
refuse-hidename-private = Names are hidden in the group where they are seen: send /hidename there.
refuse-hidename-admin = Only admins of this chat can hide names.
refuse-hidename-unknown = I don’t know { $name }. Please name a person who has played or written to me here.
answer-name-hidden-here = 🙈 The admins of this chat have hidden your name here. Others see { $name }. If you choose another name in your profile, ask an admin to look at it: only an admin can show your name again.
answer-name-hidden-everywhere = 🙈 The person who runs this bot has hidden your name in all chats. Others see { $name }. If you choose another name in your profile, ask that person to look at it: only they can show your name again.
answer-name-hidden-reason = Reason: { $reason }
list-hidden-player = Player { $code }
answer-data-hidden-names = That your name is hidden in a chat or everywhere, since when and why: until it is shown again or you delete your account.
