# கடிகாரம், வராதவர்கள், நினைவூட்டல்.

clock-free = கடிகாரம் இல்லை
clock-seconds = நகர்வுக்கு { $count } விநாடி
clock-minutes = நகர்வுக்கு { $count } நிமிடம்
clock-hours = நகர்வுக்கு { $count } மணிநேரம்
clock-days = நகர்வுக்கு { $count } நாள்
clock-game = { $minutes } நிமி + { $seconds } வி
lobby-clock = ⏱ நேரம்: { $clock }.
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 வராதவருக்குப் பதில்: { $level }
answer-clocks = ⏱ <code>{ $table }</code> மேசையில் ஒவ்வொருவருக்கும் எவ்வளவு நேரம்? இந்தத் தேர்வு இந்த அரட்டையின் அடுத்த மேசைகளுக்கும் பொருந்தும்.
answer-clocks-two = ஒருவரின் நேரம் முடிந்தால், காத்திருப்பவர் வெற்றியைப் பெறலாம் அல்லது ஆட்டத்தை நிறுத்தலாம்.
answer-clocks-more = ஒருவரின் நேரம் முடிந்தால், அந்த முறையைக் கணினி ஆடும். தொடர்ந்து மூன்று முறை தாமதித்தால், அவர் திரும்பும் வரை கணினி ஆடும்.

away-seconds = { $seconds } வி
away-minutes = { $minutes } நிமி
away-hours = { $hours } மணி { $minutes } நிமி
away-days = { $days } நாள் { $hours } மணி

clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ இடைவேளை: கடிகாரங்கள் நிற்கின்றன.
absent-late = ⏱ நேரம் முடிந்தது: { $name }. காத்திருப்பவர் வெற்றியைப் பெறலாம், ஆட்டத்தை நிறுத்தலாம், அல்லது இன்னும் சற்று காத்திருக்கலாம்.
absent-left = 🚪 { $name } சென்றுவிட்டார். காத்திருப்பவர் வெற்றியைப் பெறலாம் அல்லது ஆட்டத்தை நிறுத்தலாம்.
absent-turn = 🤖 { $name } நேரத்துக்கு வரவில்லை, எனவே அந்த முறையைக் கணினி ஆடியது.
absent-away = 🤖 திரும்பும் வரை அல்லது வேறொருவர் அமரும் வரை கணினி இவர்களுக்காக ஆடுகிறது: { $names }.
absent-nobody = 💤 இப்போது யாரும் இல்லை: யாராவது திரும்பும் வரை ஆட்டம் காத்திருக்கும்.
button-claim = 🏆 வெற்றியைப் பெறு
button-back = 👋 வந்துவிட்டேன்
button-sit-in = 🪑 அமர்
button-pause = ⏸ இடைவேளை
button-resume = ▶ தொடர்
button-nudge = 🔔 நினைவூட்டு
offer-pause = ⏸ { $name } இடைவேளை கேட்கிறார்.
offer-resume = ▶ { $name } தொடரலாம் என்கிறார்.
call-pause = { $name }, இடைவேளை கேட்கிறார்கள்: சம்மதமா (மேசை <code>{ $table }</code>)?
call-resume = { $name }, ஆட்டத்தைத் தொடரலாமா (மேசை <code>{ $table }</code>)?
call-claim = { $name }, நேரம் முடிந்தது: { $late }. வெற்றியைப் பெறலாம், ஆட்டத்தை நிறுத்தலாம், அல்லது காத்திருக்கலாம் (மேசை <code>{ $table }</code>).
offer-call-off = ✖ { $name } ஆட்டத்தை நிறுத்த விரும்புகிறார். அனைவரும் ஒப்புக்கொண்டால் யாருக்கும் தோல்வி இல்லை.
call-turn-until = { $name }, உங்கள் முறை (மேசை <code>{ $table }</code>). ⏱ { $time }
call-nudge = { $name }, உங்களுக்காகக் காத்திருக்கிறார்கள்: உங்கள் முறை (மேசை <code>{ $table }</code>).
call-off = { $name }, யாருக்கும் தோல்வி இல்லாமல் ஆட்டத்தை நிறுத்தலாமா (மேசை <code>{ $table }</code>)?
over-late = ⏱ நேரம் முடிந்தது: { $name }. வெற்றி: <b>{ $winner }</b>.
closed-absent = { $name } வராததால் ஆட்டம் நிறுத்தப்பட்டது. யாரும் தோற்கவில்லை.

done-returned = மீண்டும் வருக
done-nudged = நினைவூட்டப்பட்டது
done-paused = கடிகாரங்கள் நின்றன
done-resumed = கடிகாரங்கள் ஓடுகின்றன

refuse-no-claim = பெறுவதற்கு ஒன்றுமில்லை: யாருடைய நேரமும் முடியவில்லை.
refuse-not-away = நீங்கள் இங்கேதான் இருக்கிறீர்கள்: தொடர்ந்து ஆடுங்கள்.
refuse-nobody-to-nudge = நினைவூட்ட யாரும் இல்லை: இப்போது வேறொருவரின் முறை இல்லை.
refuse-nudge-live = இந்த மேசையில் கடிகாரம் உள்ளது: அதுவே நினைவூட்டும்.
refuse-nudged =
    { $minutes ->
        [one] ஒரு மணிநேரத்துக்குள் நினைவூட்டப்பட்டது. ஒரு நிமிடம் கழித்து முயலுங்கள்.
       *[other] ஒரு மணிநேரத்துக்குள் நினைவூட்டப்பட்டது. { $minutes } நிமிடம் கழித்து முயலுங்கள்.
    }
refuse-paused-already = கடிகாரங்கள் ஏற்கெனவே நிற்கின்றன. தொடர: /resume
refuse-not-paused = இடைவேளை இல்லை. கேட்க: /pause
refuse-no-clock = இந்த மேசையில் கடிகாரம் இன்றி ஆடுகிறார்கள்.

command-clock = எவ்வளவு நேரம்: /clock 3 நிமிடம்
command-pause = இடைவேளை கேள்: கடிகாரங்கள் நிற்கும்
command-resume = இடைவேளைக்குப் பின் தொடரக் கேள்
command-claim = எதிராளியின் நேரம் முடிந்தால் வெற்றியைப் பெறு
command-return = வந்துவிட்டேன்: மீண்டும் நானே ஆடுகிறேன்
command-nudge = முறை உள்ளவருக்கு நினைவூட்டு
argument-clock = நேரம்

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] { $day } ஜனவரி
        [2] { $day } பிப்ரவரி
        [3] { $day } மார்ச்
        [4] { $day } ஏப்ரல்
        [5] { $day } மே
        [6] { $day } ஜூன்
        [7] { $day } ஜூலை
        [8] { $day } ஆகஸ்ட்
        [9] { $day } செப்டம்பர்
        [10] { $day } அக்டோபர்
        [11] { $day } நவம்பர்
       *[12] { $day } டிசம்பர்
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } { $day } வரை இல்லை.
vacation-days =
    { $count ->
        [one] { $count } நாள்
       *[other] { $count } நாட்கள்
    }
setting-vacation = 🏖 விடுமுறை
setting-vacation-about = எத்தனை நாள் இருக்கமாட்டீர்கள்? மெதுவான ஆட்டங்களில் அதுவரை உங்கள் கடிகாரம் நிற்கும்; எப்போது வரை இல்லை என்பது மற்றவர்களுக்குத் தெரியும்; நான் உங்களை அழைக்கமாட்டேன். விடுமுறை தானாக முடியும், அல்லது அப்படிப்பட்ட ஆட்டத்தில் நீங்கள் ஆடியதும் முடியும். ஆண்டுக்கு { $most } நாட்களில் மீதம்: { $left }.
value-vacation-off = இங்கே இருக்கிறேன்
value-vacation-until = { $day } வரை
answer-vacation = 🏖 நீங்கள் { $day } வரை இல்லை. முன்பே திரும்பினால்: /vacation off
answer-vacation-none = 🏖 நீங்கள் இங்கே இருக்கிறீர்கள்: இப்போது விடுமுறை இல்லை.
refuse-vacation-days = அது மிக நீண்ட காலம்: ஆண்டுக்கு { $most } நாள் விடுமுறையில் { $left } நாள் மீதம் உள்ளது.
refuse-nudge-vacation = { $name } { $day } வரை இல்லை; முன்பே சொல்லியிருக்கிறார். அதுவரை கடிகாரம் நிற்கிறது.
command-vacation = சில நாட்கள் இல்லாமல் இருக்க: மெதுவான கடிகாரம் நிற்கும்
argument-days = நாட்கள்
