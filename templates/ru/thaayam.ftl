# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = Тхаайям
command-thaayam = открыть стол для тхаайяма, от двух до четырёх игроков

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name } — выпало { $throws } · { $done }.
thaayam-told-again = { $name } бросает ещё раз за убитую фишку, выпало { $throws } · { $done }.
thaayam-told-nothing = { $name } — выпало { $throws } · хода нет.
thaayam-told-nothings = Ходить было нечем: { $turns }.
thaayam-nothing-of = { $name } — { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … до этого сам собой сыгран { $count } ход …
        [few] … до этого сами собой сыграны { $count } хода …
        [many] … до этого сами собой сыграны { $count } ходов …
       *[other] … до этого сами собой сыграны { $count } хода …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = фишка выставлена на { $to }
thaayam-did-move = { $throw }: { $from } → { $to }
thaayam-did-home = { $throw }: { $from } → крепость
thaayam-did-off = одна фишка снята с доски
thaayam-did-kill =
    { $count ->
        [one] убита { $count } фишка игрока { $name }
        [few] убиты { $count } фишки игрока { $name }
        [many] убито { $count } фишек игрока { $name }
       *[other] убито { $count } фишки игрока { $name }
    }
thaayam-whole-enter = выставить на { $to }
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → крепость
thaayam-whole-off = снять фишку с доски
thaayam-whole-kill = убить на { $squares }
thaayam-place = 🏅 Все фишки игрока { $name } дома: место { $place }.
thaayam-finished = 🏅 Все фишки игрока { $name } дома.
thaayam-opened = Ходить больше никто не может, поэтому внутренняя дорожка открыта всем.

# Where it stands

thaayam-score = Фишки дома (из { $pieces }): { $players }
thaayam-score-of = { $name } — { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name } — выпало { $throws }.
thaayam-left = Не использовано: { $throws }
thaayam-turn = 👉 Ход { $number }: <b>{ $name }</b>.
thaayam-turn-throw = 👉 Ход { $number }: кубики бросает <b>{ $name }</b>.
thaayam-turn-play = 👉 Ход { $number }: ходит <b>{ $name }</b>.
thaayam-turn-done = 👉 Ход { $number }: больше ходить нечем. <b>{ $name }</b> нажимает «Готово» или «Назад».
thaayam-end = Игрок { $name } первым привёл домой все фишки.
thaayam-end-partners = Все фишки этой пары дома: { $names }.
thaayam-end-places = Места: { $names }.

# The board in words

thaayam-side = { $name } ({ $colour }): вне доски { $hand }; на доске { $squares }; в крепости { $fortress }; снято { $off }.
thaayam-sketch-side = { $sign } { $side }
thaayam-white = белые
thaayam-black = чёрные
thaayam-red = красные
thaayam-blue = синие

# Buttons

thaayam-button-throw = 🎲 Бросить
thaayam-button-undo = ↩ Назад
thaayam-button-done = ✓ Готово
sheet-thaayam-turns = 📜 Последние ходы
sheet-thaayam-odds = 🎲 Вероятности

# Sheets

thaayam-sheet-turns = <b>Последние ходы</b>
thaayam-sheet-turns-none = Ещё никто не ходил.
thaayam-sheet-turn = Ход { $number }. { $turn }
thaayam-odds-throws = <b>Один бросок четырёх кубиков</b>: 1 — 25 %, 2 — 37,5 %, 3 — 25 %, 4 — 6,25 %, 8 (ни одной белой грани) — 6,25 %. Кубики честные: подправить их нельзя.
thaayam-odds-turn = <b>За ход</b> в среднем 1,6 броска и 4 очка; в 62,5 % ходов бросок только один.
thaayam-odds-ones = <b>Хотя бы одна единица</b> за ход: 28,6 %; две и больше: 8,2 %. Четырёх единиц ждут в среднем 11 ходов.
thaayam-odds-reach = <b>Вашу фишку убьют</b> за один ход, если соперник стоит позади на столько квадратов: 1 — 29 %, 2 — 63 %, 3 — 57 %, 4 — 23 %, 5 — 8 %, 6 — 7 %, 7 — 7 %, 8 — 12 %, 9 — 5 %, 10 — 7 %, 11 — 7 %, 12 — 4 %, дальше — меньше 2 %.

# Refusals

thaayam-seats = В тхаайям играют вдвоём, втроём или вчетвером.
thaayam-partners-four = Парами играют только вчетвером. Измените правила стола или дождитесь ещё игроков.
thaayam-over = Эта партия окончена. Сыграть ещё: /rematch
thaayam-not-your-turn = Сейчас ходит { $name }.
thaayam-not-now = Кубики ещё катятся. Подождите секунду и попробуйте снова.
thaayam-throw-first = Сначала бросьте кубики.
thaayam-already-thrown = Кубики уже брошены. Теперь выберите фишку и ход.
thaayam-nothing-to-undo = Отменять пока нечего: в этом ходу вы ещё не двигали фишки.
thaayam-still-to-play = Ход ещё не окончен: пока можно, надо ходить. Осталось использовать: { $throws }.
thaayam-no-such-end = Так ход закончить нельзя. Используйте оставшийся бросок или нажмите «Готово».
thaayam-no-piece = На { $square } нет вашей фишки. Выберите квадрат, где она есть.
thaayam-no-such-throw = В этом ходу у вас не выпадало { $throw }.
thaayam-throw-spent = Бросок { $throw } уже использован. Выберите другой.
thaayam-throw-lost = Бросок { $throw } пропал: он был до первой единицы, а на доске не было ваших фишек.
thaayam-none-in-hand = Выставлять нечего: вне доски у вас нет фишек. Ходите фишкой на доске.
thaayam-use-most = Так вы используете меньше бросков, а надо как можно больше. Нажмите «Назад» и походите иначе.
thaayam-enter-needs-one = Фишку выставляет на доску только единица.
thaayam-off-needs-one = Фишку снимает с доски только единица.
thaayam-not-all-home = Снимать фишки можно, только когда все они в крепости.
thaayam-not-this-turn = В тот ход, когда пришла последняя фишка, снимать ещё нельзя. Нажмите «Готово».
thaayam-exact = { $throw } — слишком много для фишки на { $square }: в крепость входят точным числом.
thaayam-kill-first = Внутренняя дорожка открыта только после первой убитой вами фишки.
thaayam-blocked = Фишке на { $square } не пройти на { $throw }: на пути стоит соперник. Выберите другую фишку или бросок.

# House rules

switch-thaayam-pieces = Фишек у каждого
switch-thaayam-pieces-4 = 4, около 210 ходов вчетвером
switch-thaayam-pieces-3 = 3, около 150 ходов
switch-thaayam-pieces-2 = 2, около 90 ходов
switch-thaayam-pieces-1 = 1, около 40 ходов
switch-thaayam-finish = Цель
switch-thaayam-finish-off = снять все фишки
switch-thaayam-finish-fortress = все фишки в крепости (примерно на 1/6 короче)
switch-thaayam-throw = Кубики
switch-thaayam-throw-press = бросает игрок
switch-thaayam-throw-auto = бросаются сами
switch-thaayam-exact = Точное число для крепости
switch-thaayam-exact-yes = нужно
switch-thaayam-exact-no = не нужно (примерно на 1/6 короче)
switch-thaayam-capture = Убивает
switch-thaayam-capture-each = каждая остановка
switch-thaayam-capture-final = только конец хода
switch-thaayam-lost-before-one = Броски до первой единицы
switch-thaayam-lost-before-one-hand = пропадают, если все фишки вне доски
switch-thaayam-lost-before-one-track = пропадают, если на дорожке никого
switch-thaayam-lost-before-one-never = не пропадают
switch-thaayam-obligation = Обязанность
switch-thaayam-obligation-any = ходить, пока можно, в любом порядке
switch-thaayam-obligation-max = использовать как можно больше бросков или победить
switch-thaayam-kill-again = Убитая фишка
switch-thaayam-kill-again-no = ничего не добавляет
switch-thaayam-kill-again-yes = даёт ещё бросок
switch-thaayam-kill-to-go-in = Внутренняя дорожка
switch-thaayam-kill-to-go-in-no = открыта
switch-thaayam-kill-to-go-in-yes = только тем, кто уже убивал
switch-thaayam-same-turn-bear-off = Снимать в ход прихода
switch-thaayam-same-turn-bear-off-yes = можно
switch-thaayam-same-turn-bear-off-no = нельзя
switch-thaayam-play-on = После победы
switch-thaayam-play-on-no = игра окончена
switch-thaayam-play-on-yes = остальные доигрывают
switch-thaayam-clockwise = Ход переходит
switch-thaayam-clockwise-no = против часовой стрелки
switch-thaayam-clockwise-yes = по часовой стрелке
switch-thaayam-partners = Пары
switch-thaayam-partners-no = нет, каждый за себя
switch-thaayam-partners-yes = сидящие напротив, вчетвером
switch-thaayam-block-on-path = Соперники на пути
switch-thaayam-block-on-path-no = не мешают
switch-thaayam-block-on-path-yes = не пропускают, кроме дворцов
chart-thaayam = 📈 Сколько прошли фишки, ход за ходом (стол <code>{ $table }</code>). Горизонтальная черта — весь путь домой.

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = убито фишек: { $count }
thaayam-count-lost = потеряно своих: { $count }
thaayam-count-fortress = проведено в крепость: { $count }
thaayam-favourites-first-kill = Первый удар в партии: { $ways }
thaayam-favourite-first-kill = { $way } (побед { $good } из { $count })
thaayam-first-kill-own = свой
thaayam-first-kill-other = чужой
thaayam-achieved-kill = Первый удар
thaayam-achieved-kill-rule = убейте фишку. Она возвращается в руку хозяина и начинает сначала.
thaayam-achieved-full-circle = Полный круг
thaayam-achieved-full-circle-rule = проведите фишку вокруг доски в крепость, пока ни одна ваша не убита.
thaayam-achieved-two-kills = Двойной удар
thaayam-achieved-two-kills-rule = убейте две фишки за один ход.

# Расстановка позиции: подписи её частей и почему она невозможна

thaayam-setup-piece = { $name }, фишка { $number }
thaayam-setup-killed = { $name }: уже бил
thaayam-setup-hand = вне доски
thaayam-setup-fortress = крепость
thaayam-setup-off = снята
thaayam-setup-enemies = Фишки двух игроков не могут стоять на одном поле, кроме дворцов и крепости.
thaayam-setup-finished = Один из игроков уже закончил: в этой позиции игра окончена.
thaayam-setup-bad-pieces = Так фишки стоять не могут: снимать можно, только когда все в крепости.
thaayam-setup-no-kill = Внутренняя дорожка здесь открыта только тем, кто уже убивал. Отметьте, что игрок уже бил, или поставьте фишку снаружи.
thaayam-setup-many-throws = Здесь можно выбрать не больше { $most } бросков подряд.
