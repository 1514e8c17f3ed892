# Clocks, players whose time runs out, reminders.

# How much time people have: on buttons and in “Clock: …”.
clock-free = no clock
clock-seconds =
    { $count ->
        [one] { $count } second a move
       *[other] { $count } seconds a move
    }
clock-minutes =
    { $count ->
        [one] { $count } minute a move
       *[other] { $count } minutes a move
    }
clock-hours =
    { $count ->
        [one] { $count } hour a move
       *[other] { $count } hours a move
    }
clock-days =
    { $count ->
        [one] { $count } day a move
       *[other] { $count } days a move
    }
clock-game = { $minutes } min + { $seconds } s
lobby-clock = ⏱ Clock: { $clock }.
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 Substitute computer: { $level }
answer-clocks = ⏱ How much time does each player have at table <code>{ $table }</code>? The choice also applies to the next tables in this chat.
answer-clocks-two = When a player’s time is up, the opponent may claim victory or abort the game.
answer-clocks-more = When a player’s time is up, a computer plays that turn for them. After three late turns in a row it keeps the seat until they’re back.

# How long it is until something happens.
away-seconds = { $seconds } s
away-minutes = { $minutes } min
away-hours = { $hours } h { $minutes } min
away-days = { $days } d { $hours } h

# On the board. $time is the time left or, where the platform can show it, the moment.
clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ Paused: the clocks are stopped.
absent-late = ⏱ Time is up for { $name }. The opponent may claim victory, abort the game, or simply wait a little longer.
absent-left = 🚪 { $name } has left. The opponent may claim victory or abort the game.
absent-removed = 🚪 { $name } was removed from the chat, and their clock is stopped. If they don’t return, the game can be aborted without a result: ⏱ { $time }
absent-cut-off = 📡 { $name } can’t reach the table, because the bot can’t be used in their chat. Their clock is stopped. If nothing changes, the game can be aborted without a result: ⏱ { $time }
absent-leaving = 🚪 { $name } has left. If they don’t come back, their opponent can claim victory: ⏱ { $time }
absent-leaving-more = 🚪 { $name } has left. If they don’t come back, a computer plays for them: ⏱ { $time }
absent-turn = 🤖 { $name } wasn’t there in time, so a computer played the turn.
absent-away = 🤖 A computer plays for { $names } until they’re back, or until a substitute takes the seat.
absent-nobody = 💤 Nobody’s here. The game waits.
button-claim = 🏆 Claim victory
button-back = 👋 I’m back
button-sit-in = 🪑 Substitute
button-pause = ⏸ Pause
button-resume = ▶ Resume
button-nudge = 🔔 Nudge
offer-pause = ⏸ { $name } would like a pause.
offer-resume = ▶ { $name } would like to resume.
offer-abort = ✖ { $name } would like to abort the game. If all agree, nobody loses.
call-pause = { $name }, a pause is proposed: do you agree (table <code>{ $table }</code>)?
call-resume = { $name }, shall we resume the game (table <code>{ $table }</code>)?
call-off = { $name }, shall we abort the game, so that nobody loses (table <code>{ $table }</code>)?
call-claim = { $name }, time is up for { $late }: you may claim victory, abort the game, or wait (table <code>{ $table }</code>).
call-claim-left = { $name }, { $late } has left: you may claim victory, abort the game, or wait (table <code>{ $table }</code>).
call-turn-until = { $name }, it’s your turn (table <code>{ $table }</code>). ⏱ { $time }
call-nudge = { $name }, your table is waiting for you: it’s your turn (table <code>{ $table }</code>).
over-late = ⏱ { $name } ran out of time. <b>{ $winner }</b> wins.
over-silent = ⏱ { $name } didn’t return to this game in time and loses.
over-left = 🚪 { $name } left. <b>{ $winner }</b> wins.
over-removed = 🚪 { $name } was removed from the chat. <b>{ $winner }</b> wins.
answer-rematch-invites = Some players are no longer here, so the others are invited: table <code>{ $table }</code> begins when they accept.
closed-absent = The game was aborted because { $name } was away. Nobody has lost.

done-returned = welcome back
done-nudged = they have been nudged
done-paused = clocks stopped
done-resumed = clocks running

refuse-no-claim = There is nothing to claim: nobody’s time is up. Wait until your opponent’s time runs out.
refuse-claim-own = It’s your own time that is up. You can still move until your opponent claims victory.
refuse-claim-soon = { $name } has left, but may still come back. Wait { $minutes } min, then you can claim victory.
refuse-claim-cut-off = { $name } didn’t leave by choice, so there is no win to claim. Their clock is stopped. If they don’t return, you can abort the game without a result: ⏱ { $time }
answer-confirm-abort-claim = You may claim victory: /claim. To abort the game without a result instead, do that again within a minute.
refuse-abort-cut-off = { $name } can’t reach the table at the moment, and may come back. If they don’t, you can abort the game without a result: ⏱ { $time }
answer-removed-play-on = You can’t act in <b>{ $chat }</b> at the moment. Your game there (table <code>{ $table }</code>) waits for you and your clock is stopped. You can play on here.
refuse-pause-late = It’s too late to pause: the time of this turn is up. Wait until the move is made, then ask again.
refuse-not-away = You’re here already: just play on.
refuse-nobody-to-nudge = There is nobody to nudge: no other person is to move. Wait until it’s an opponent’s turn.
refuse-nudge-live = This table has a fast clock, so nobody can be nudged. Wait until they move or their time is up.
refuse-nudged =
    { $minutes ->
        [one] They were nudged less than an hour ago. Try again in a minute.
       *[other] They were nudged less than an hour ago. Try again in { $minutes } minutes.
    }
refuse-paused-already = The clocks are stopped already. To resume: /resume
refuse-pause-long = After a day of pause, an offer to resume can’t be declined. One day after the offer, any player can resume the game: /resume
refuse-not-paused = The game isn’t paused. To ask for a pause: /pause
refuse-no-clock = This table has no clock. You can set one before the game: /clock 3 min

command-clock = how much time there is: /clock 3 min
command-pause = propose a pause: the clocks stop
command-resume = propose to resume after a pause
command-claim = claim victory when the opponent’s time is up
command-back = I’m back: play your seat yourself again
command-nudge = nudge the player to move
argument-clock = clock

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] { $day } January
        [2] { $day } February
        [3] { $day } March
        [4] { $day } April
        [5] { $day } May
        [6] { $day } June
        [7] { $day } July
        [8] { $day } August
        [9] { $day } September
        [10] { $day } October
        [11] { $day } November
       *[12] { $day } December
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } is away until { $day }.
vacation-days =
    { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
setting-vacation = 🏖 Vacation
setting-vacation-about = How long will you be away? In slow games your clock is stopped, the others see when you’ll be back, and I don’t ping you. It ends by itself, or as soon as you play in such a game. You have { $left } of { $most } days a year left.
value-vacation-off = I’m here
value-vacation-until = until { $day }
answer-vacation = 🏖 You’re away until { $day }. Back earlier: /vacation off
answer-vacation-none = 🏖 You’re here: no vacation at the moment.
refuse-vacation-days = That’s too long: of your { $most } days of vacation a year, { $left } are left. Choose fewer: /vacation 2
refuse-vacation-range = A vacation lasts from 1 to { $most } days: for example /vacation 7 or /vacation 2 weeks.
refuse-nudge-vacation = { $name } is away until { $day }, and the clock is stopped. Wait until then.
command-vacation = be away for some days: slow clocks stop meanwhile
argument-days = days
