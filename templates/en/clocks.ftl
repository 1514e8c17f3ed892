# Clocks, people who let time pass, reminders.

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
button-helper = 🤖 For whoever is absent: { $level }
answer-clocks = ⏱ How much time does everybody have at table <code>{ $table }</code>? The choice holds for the next tables in this chat too.
answer-clocks-two = When somebody’s time is up, whoever waits may claim the win or call the game off.
answer-clocks-more = When somebody’s time is up, a computer plays that turn for them. After three late turns in a row it keeps the seat until they’re back.

# How long something is away.
away-seconds = { $seconds } s
away-minutes = { $minutes } min
away-hours = { $hours } h { $minutes } min
away-days = { $days } d { $hours } h

# On the board. $time is how long it is away or, where that can be shown, until when.
clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ A pause: the clocks stand.
absent-late = ⏱ Time is up for { $name }. Whoever waits may claim the win, call the game off, or simply wait a little longer.
absent-left = 🚪 { $name } has left. Whoever waits may claim the win or call the game off.
absent-removed = 🚪 { $name } was removed from the chat. Whoever waits may claim the win or call the game off.
absent-leaving = 🚪 { $name } has left. If they don’t come back, the win can be claimed: ⏱ { $time }
absent-leaving-more = 🚪 { $name } has left. If they don’t come back, a computer plays for them: ⏱ { $time }
absent-turn = 🤖 { $name } wasn’t there in time, so a computer played the turn.
absent-away = 🤖 A computer plays for { $names } until they’re back, or until somebody sits in.
absent-nobody = 💤 Nobody is here just now: the game waits until somebody is back.
button-claim = 🏆 Claim the win
button-back = 👋 I’m back
button-sit-in = 🪑 Sit in
button-pause = ⏸ Pause
button-resume = ▶ Go on
button-nudge = 🔔 Nudge
offer-pause = ⏸ { $name } would like a pause.
offer-resume = ▶ { $name } would like to go on.
offer-call-off = ✖ { $name } would like to call the game off. If all agree, nobody loses.
call-pause = { $name }, a pause is proposed: do you agree (table <code>{ $table }</code>)?
call-resume = { $name }, shall the game go on (table <code>{ $table }</code>)?
call-off = { $name }, shall the game be called off, so that nobody loses (table <code>{ $table }</code>)?
call-claim = { $name }, time is up for { $late }: you may claim the win, call the game off, or wait (table <code>{ $table }</code>).
call-claim-left = { $name }, { $late } has left: you may claim the win, call the game off, or wait (table <code>{ $table }</code>).
call-turn-until = { $name }, it’s your turn (table <code>{ $table }</code>). ⏱ { $time }
call-nudge = { $name }, your table waits for you: it’s your turn (table <code>{ $table }</code>).
over-late = ⏱ Time was up for { $name }. <b>{ $winner }</b> wins.
over-left = 🚪 { $name } left. <b>{ $winner }</b> wins.
over-removed = 🚪 { $name } was removed from the chat. <b>{ $winner }</b> wins.
answer-rematch-anew = Not everybody is here any more, so the others are invited: table <code>{ $table }</code> begins when they accept.
closed-absent = The game was called off, for { $name } wasn’t there any more. Nobody has lost.

done-returned = welcome back
done-nudged = they have been reminded
done-paused = the clocks stand
done-resumed = the clocks go on

refuse-no-claim = There is nothing to claim: nobody’s time is up.
refuse-claim-own = It’s your own time that is up. You can still move, as long as nobody has claimed the win.
refuse-claim-soon = { $name } has left, but may still come back. You can claim the win in { $minutes } min.
refuse-pause-late = There is nothing to pause: the time of this turn is up. Waiting for the move is allowed.
refuse-not-away = You’re here already: just play on.
refuse-nobody-to-nudge = There is nobody to remind: no other person is on turn.
refuse-nudge-live = There is a clock at this table: it reminds by itself.
refuse-nudged =
    { $minutes ->
        [one] They were reminded less than an hour ago. Try again in a minute.
       *[other] They were reminded less than an hour ago. Try again in { $minutes } minutes.
    }
refuse-paused-already = The clocks stand already. To go on: /resume
refuse-not-paused = There is no pause. To ask for one: /pause
refuse-no-clock = This table is played without a clock.

command-clock = how much time there is: /clock 3 min
command-pause = propose a pause: the clocks stand
command-resume = propose to go on after a pause
command-claim = take the win when the opponent’s time is up
command-return = I’m back: play your seat yourself again
command-nudge = remind whoever is on turn
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
setting-vacation-about = How long will you be away? In slow games your clock stands still meanwhile, the others see until when you’re away, and I don’t call you. It ends by itself, or as soon as you play in such a game. You have { $left } of { $most } days a year left.
value-vacation-off = I’m here
value-vacation-until = until { $day }
answer-vacation = 🏖 You’re away until { $day }. Back earlier: /vacation off
answer-vacation-none = 🏖 You’re here: no vacation at the moment.
refuse-vacation-days = That’s too long: of your { $most } days of vacation a year, { $left } are left.
refuse-nudge-vacation = { $name } is away until { $day } and has said so. The clock stands meanwhile.
command-vacation = be away for some days: slow clocks stand meanwhile
argument-days = days
