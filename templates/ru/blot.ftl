# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = Блот
command-blot = открыть стол для армянского блота вчетвером
sheet-blot-score = 📋 Таблица очков
sheet-blot-last = ↩️ Прошлая взятка
sheet-blot-bids = 🗣 Заявки
blot-team = { $first } и { $second }

# What is said and done; labels of buttons

blot-pass = пас
blot-kuansh = куанш
blot-sur = сур
blot-bid-boy = { $x } бой
blot-bid-kaput = { $bid } капут
blot-announce = Объявить
blot-announce-other = Объявить другой набор
blot-show = Показать
blot-terz = терц
blot-fifty = пятьдесят
blot-hundred = сто
blot-four = четыре одинаковые карты
# A combination with its cards.
blot-meld = { $kind }: { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 Новая раздача. Сдаёт { $name }.
blot-said = { $name } — { $call }
blot-auction = Торги: { $calls }.
blot-thrown-in = Все спасовали, карты сдаются заново.
blot-contract = { $bid } ({ $name })
blot-contract-kuansh = { $bid } ({ $name }), куанш
blot-contract-sur = { $bid } ({ $name }), куанш и сур
blot-decided = Играют <b>{ $contract }</b>.
blot-announced = { $name } объявляет: { $kinds }.
blot-shown = { $name } показывает: { $melds }.
blot-sentences = { $first } { $second }
blot-put = { $name } кладёт { $card }.
blot-put-several = Карты: { $cards }.
blot-seat-card = { $name } — { $card }
blot-blot = { $name }: блот-реблот, 2 очка.
# Card points of the trick.
blot-took = Взятку берёт { $name } (очки за карты: { $points }).
# Said of a card before it is put: it would win the trick so far.
blot-would-take = пока берёт взятку
blot-playing = { $contract }. Взятки — { $first }: { $tricks }, { $second }: { $others }.
blot-table = На столе: { $cards }.
blot-counting = Засчитываются комбинации стороны { $side }: { $points }.

# The result of a round

blot-round-made = ✅ { $side } сыграли заявку: { $contract }.
blot-round-under = ❌ { $side } недобрали: { $contract }.
blot-round-cards = Очки за карты — { $side }: { $cards }, { $other }: { $others }.
blot-round-outside = Сверху (комбинации) — { $side }: { $outside }, { $other }: { $others }.
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }: заявка { $bid } + карты { $cards } + сверху { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-round-sum-fixed = { $side }: заявка { $bid } + { $base } + сверху { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-score = Счёт — { $first }: { $points }, { $second }: { $others }
blot-won = 🏆 Партию выиграли { $side } — { $points } : { $others }.

# Whose turn it is

blot-dealing = Идёт раздача.
blot-turn-card = 👉 Ходит <b>{ $name }</b>.
blot-turn-bid = 👉 Говорит <b>{ $name }</b>: { $lowest } или больше либо пас.
blot-turn-bid-equal = 👉 Говорит <b>{ $name }</b>: { $equal }, { $lowest } или больше либо пас.
blot-turn-kaput = 👉 Говорит <b>{ $name }</b>: капут от { $lowest } либо пас.
blot-turn-kaput-equal = 👉 Говорит <b>{ $name }</b>: { $equal }, капут от { $lowest } либо пас.
blot-turn-equal = 👉 Говорит <b>{ $name }</b>: { $equal } либо пас.
blot-turn-answer = 👉 На куанш отвечает <b>{ $name }</b>: сур или пас.
blot-turn-pass = 👉 Говорит <b>{ $name }</b>: выше заявить нельзя.

# The table in words, and sheets

blot-board-dealer = Сдаёт { $name }.
blot-board-hand = Ваши карты: { $cards }
blot-laid-hand = { $name }: { $cards }
blot-board-melds = У вас: { $melds }.
blot-no-bids = Ещё никто не говорил.
blot-no-trick = В этой раздаче ещё нет ни одной взятки.
blot-last-trick = Прошлая взятка: { $cards }.
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = Очки: <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = Ещё ни одна раздача не записана.
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>: карты { $cards }, комбинации { $outside }. Счёт: { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>: карты { $cards }, комбинации { $outside }. Счёт: { $totals }
blot-sheet-times = { $bid } × { $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, играют до { $target }

# Refusals

blot-not-your-turn = Сейчас ходит { $name }.
blot-over = Эта партия окончена. Сыграть ещё: /rematch
blot-no-deal = Карты ещё не розданы. Подождите секунду.
blot-seats = В блот играют вчетвером.
blot-auction-first = Сначала торги: скажите, например, «12 червей» или «пас».
blot-auction-over = Торги окончены, теперь ходят картами.
blot-bid-low =
    { $kind ->
        [0] Мало: скажите { $lowest } или больше либо пас.
        [1] Мало: скажите { $equal }, { $lowest } или больше либо пас.
       *[other] Мало: скажите { $equal } либо пас.
    }
blot-bid-high = Слишком много: больше { $highest } сказать нельзя.
blot-bid-highest = Выше заявить нельзя: пас или куанш.
blot-bid-none = Выше заявить нельзя. Можно сказать «пас».
blot-bid-kaput-only = Сказан капут: теперь можно говорить только капут, от { $lowest }.
blot-bid-kaput-low = Капут можно говорить от { $lowest }.
blot-bid-no-kaput = Для капута нужно { $lowest }, а больше { $highest } здесь не говорят: скажите без капута или «пас».
blot-bid-after-kuansh = После куанша заявок больше нет: сур или пас.
blot-kuansh-nothing = Заявок ещё нет: куанш говорить не на что. Сделайте заявку или скажите «пас».
blot-kuansh-own = Это заявка вашей стороны: куанш говорят только соперники. Можно сказать «пас».
blot-kuansh-twice = Куанш уже сказан, а торги продолжаются: скажите больше, если можете, или «пас».
blot-sur-nothing = Суром отвечают на куанш, а его не было. Сделайте заявку или скажите «пас».
blot-sur-bidder = Ответить «сур» может только тот, кто заявил.
blot-sur-others = Сур может сказать только сторона, сделавшая заявку. Можно сказать «пас».
blot-not-held = У вас нет { $card }. Можно положить: { $legal }.
blot-must-follow = У вас есть { $suit }: отвечайте в масть. Можно положить: { $legal }.
blot-must-follow-trump = Зашли с козыря { $suit }, а козыри у вас есть: положите козырь. Можно положить: { $legal }.
blot-must-overtrump = Зашли с козыря: надо перебить { $card }, положите { $suit } старше. Можно положить: { $legal }.
blot-must-cut = Этой масти у вас нет: бейте козырем { $suit }. Можно положить: { $legal }.
blot-must-overcut = Козырь должен быть старше { $card }: положите { $suit } старше. Можно положить: { $legal }.
blot-no-meld = Объявлять или показывать сейчас нечего. Просто ходите.
blot-melds-automatic = За этим столом комбинации объявляются и показываются сами.

# House rules

switch-blot-target = Партия до
switch-blot-target-301 = 301 очко
switch-blot-target-151 = 151 очко
switch-blot-target-101 = 101 очко
switch-blot-boy-multiplier = Бой считается
switch-blot-boy-multiplier-124 = как масть: ×1, куанш ×2, сур ×4
switch-blot-boy-multiplier-235 = дороже: ×2, куанш ×3, сур ×5
switch-blot-manual-melds = Комбинации объявляют сами игроки
switch-blot-manual-melds-false = нет
switch-blot-manual-melds-true = да
switch-blot-undertrump = Обязательно подкладывать младший козырь
switch-blot-undertrump-false = нет
switch-blot-undertrump-true = да
switch-blot-kuansh-any-time = Куанш вне очереди
switch-blot-kuansh-any-time-false = нет
switch-blot-kuansh-any-time-true = да
switch-blot-pass-final = Пас окончательный
switch-blot-pass-final-false = нет
switch-blot-pass-final-true = да
switch-blot-redeal-dealer = После четырёх пасов
switch-blot-redeal-dealer-next = сдаёт следующий
switch-blot-redeal-dealer-same = сдаёт тот же
switch-blot-min-bid = Самая низкая заявка
switch-blot-min-bid-8 = от 8
switch-blot-min-bid-7 = от 7
switch-blot-min-bid-9 = от 9
switch-blot-min-bid-10 = от 10
switch-blot-max-bid = Самая высокая заявка
switch-blot-max-bid-84 = до 84
switch-blot-max-bid-80 = до 80
switch-blot-max-bid-16 = до 16
switch-blot-suit-rank = Старшинство мастей ♣ ♦ ♥ ♠ бой
switch-blot-suit-rank-false = нет
switch-blot-suit-rank-true = да
switch-blot-last-word = Последнее слово за заявившим
switch-blot-last-word-false = нет
switch-blot-last-word-true = да
switch-blot-sur-by = Кто говорит сур
switch-blot-sur-by-team = оба игрока стороны
switch-blot-sur-by-bidder = только заявивший
switch-blot-bid-after-kuansh = После куанша торги продолжаются
switch-blot-bid-after-kuansh-false = нет
switch-blot-bid-after-kuansh-true = да
switch-blot-kaput-min = Капут можно говорить
switch-blot-kaput-min-25 = от 25
switch-blot-kaput-min-26 = от 26
switch-blot-kaput-sticky = После капута только капут
switch-blot-kaput-sticky-all = для всех
switch-blot-kaput-sticky-other-team = для другой стороны
switch-blot-made-test = Заявку сравнивают
switch-blot-made-test-raw = с точными очками
switch-blot-made-test-rounded = с округлёнными очками
switch-blot-rounding = Шестёрку округляют вверх
switch-blot-rounding-defender6up = в пользу защитников
switch-blot-rounding-bidder6up = в пользу заявивших
switch-blot-rounding-lower6up = в пользу стороны, у которой меньше
switch-blot-rounding-independent = для обеих сторон
switch-blot-rounding-floor = никогда
switch-blot-fail-keep = Недобравшие сохраняют
switch-blot-fail-keep-nothing = ничего
switch-blot-fail-keep-blot = свой блот-реблот
switch-blot-kuansh-keep = Проигравшие куанш сохраняют
switch-blot-kuansh-keep-nothing = ничего
switch-blot-kuansh-keep-blot = свой блот-реблот
switch-blot-fail-base-kaput = Все взятки при недоборе
switch-blot-fail-base-kaput-25 = считаются за 25
switch-blot-fail-base-kaput-16 = считаются за 16
switch-blot-no-trick-fails = Без взяток — недобор
switch-blot-no-trick-fails-false = нет
switch-blot-no-trick-fails-true = да
switch-blot-four-values = Четыре одинаковые
switch-blot-four-values-seed = тузы 10; в бою тузы 19, валеты 20, девятки 10
switch-blot-four-values-aces11 = тузы 11; в бою тузы 19, валеты 10, девятки 0
switch-blot-long-runs = Восемь подряд
switch-blot-long-runs-split = сто и терц
switch-blot-long-runs-single = одна сотня
switch-blot-meld-choice = Из пересекающихся комбинаций
switch-blot-meld-choice-value = берут самую дорогую
switch-blot-meld-choice-strength = берут самую сильную
switch-blot-tie-turn = Из равных комбинаций
switch-blot-tie-turn-trick1 = первый по ходу в первой взятке
switch-blot-tie-turn-trick2 = первый по ходу во второй взятке
switch-blot-show-melds = Комбинации показывает
switch-blot-show-melds-counting = сторона, которой их засчитали
switch-blot-show-melds-all = каждый
switch-blot-both-reach = Обе стороны набрали нужные очки
switch-blot-both-reach-higher = побеждает больший счёт
switch-blot-both-reach-bidder = побеждают заявившие
chart-blot = 📈 Очки обеих сторон, раздача за раздачей (стол <code>{ $table }</code>). Горизонтальная черта — до скольких играют.

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = заявок сыграно: { $count }
blot-count-made = выполнено: { $count }
blot-count-stopped = сорвано чужих заявок: { $count }
blot-count-kaputs = капутов: { $count }
blot-favourites-trump = Заявки по козырям: { $ways }
blot-favourite-trump = { $way } (выполнено { $good } из { $count })
blot-trump-boy = бой
blot-achieved-contract = Первая заявка
blot-achieved-contract-rule = сыграйте свою заявку: возьмите не меньше очков, чем сказали.
blot-achieved-stopped = Заявка сорвана
blot-achieved-stopped-rule = не дайте соперникам сыграть заявку: все очки раздачи ваши.
blot-achieved-kaput = Капут
blot-achieved-kaput-rule = возьмите все восемь взяток раздачи: это 25 вместо 16.
