"""Everyday Hindi sentences by grammar: who does what to what, in every tense, person, gender and mood. Ours, CC0."""

MASCULINE, FEMININE, PLURAL = 'm', 'f', 'p'
# Transitive verbs: stem, and objects with their gender.
TRANSITIVE = """
पढ़ | किताब f, अख़बार m, चिट्ठी f, कहानी f, ख़बर f, कविता f, सवाल m, कुरान f, रामायण f
लिख | चिट्ठी f, नाम m, पता m, जवाब m, कविता f, निबंध m, डायरी f
देख | तस्वीर f, सपना m, फ़िल्म f, तमाशा m, रास्ता m, नक्शा m, घड़ी f, चाँद m, तारे p, दुनिया f
खा | रोटी f, खाना m, आम m, चावल m, दवाई f, मिठाई f, सेब m, अंडे p, मछली f, सब्ज़ी f, कसम f
पी | पानी m, चाय f, दूध m, शराब f, शर्बत m, रस m
बना | खाना m, चाय f, योजना f, घर m, चित्र m, बहाना m, रोटी f, पुल m
ख़रीद | कपड़े p, गाड़ी f, ज़मीन f, सामान m, जूते p, टोपी f, साइकिल f, तोहफ़ा m, मकान m, फूल p
बेच | घर m, दुकान f, सब्ज़ी f, गाय f, खेत m, गहने p
खोल | दरवाज़ा m, खिड़की f, डिब्बा m, आँखें p, ताला m, मुँह m, थैला m
बंद कर | दरवाज़ा m, खिड़की f, बत्ती f, पंखा m, दुकान f, आँखें p
कर | काम m, मदद f, कोशिश f, बात f, इंतज़ार m, शादी f, मेहनत f, नमस्ते f, फ़ैसला m, गलती f, तारीफ़ f, शिकायत f, सफ़ाई f, प्रार्थना f, वादा m, मज़ाक m, पढ़ाई f, नौकरी f, भरोसा m, इस्तेमाल m
सुन | गाना m, आवाज़ f, ख़बर f, कहानी f, संगीत m, शोर m, बात f
गा | गाना m, भजन m, लोरी f
सीख | हिंदी f, तैरना m, अंग्रेज़ी f, संगीत m, खाना बनाना m, गाड़ी चलाना m, जर्मन f
चला | गाड़ी f, साइकिल f, नाव f, दुकान f, पंखा m, ट्रक m
धो | कपड़े p, हाथ p, बर्तन p, मुँह m, पैर p
पहन | कपड़े p, टोपी f, कोट m, चश्मा m, जूते p, साड़ी f, अँगूठी f, मोज़े p
ढूँढ़ | चाबी f, रास्ता m, नौकरी f, बटुआ m, हल m, किताब f, बिल्ली f
माँग | पैसे p, माफ़ी f, मदद f, जवाब m, छुट्टी f, नमक m
भूल | नाम m, रास्ता m, वादा m, चाबी f, छाता m, जन्मदिन m
समझ | बात f, सवाल m, मतलब m, कविता f, इशारा m
चुन | रंग m, रास्ता m, कमरा m, नेता m, शब्द m
काट | पेड़ m, फल m, सब्ज़ी f, बाल p, केक m, घास f
तोड़ | खिड़की f, वादा m, फूल m, गिलास m, कानून m, दिल m
उठा | बोझ m, किताब f, आवाज़ f, सामान m, सवाल m, पत्थर m
रख | किताब f, नाम m, ध्यान m, पैसे p, कुर्सी f, भरोसा m
दे | पैसे p, जवाब m, किताब f, सलाह f, दवाई f, समय m, तोहफ़ा m, इजाज़त f, ध्यान m, पता m
ले | साँस f, छुट्टी f, पैसे p, किराया m, दवाई f, फ़ैसला m, बदला m
भेज | चिट्ठी f, पैसे p, तस्वीर f, सामान m, संदेश m, निमंत्रण m
बता | नाम m, समय m, सच m, रास्ता m, राज़ m, कीमत f
बजा | घंटी f, गिटार m, ढोल m, तबला m, बाँसुरी f, सीटी f
जीत | मैच m, चुनाव m, दौड़ f, इनाम m, दिल m, प्रतियोगिता f
जला | आग f, दिया m, मोमबत्ती f, कागज़ m, लकड़ी f
खेल | क्रिकेट m, शतरंज f, गेंद f, ताश p, फ़ुटबॉल f
पका | खाना m, दाल f, सब्ज़ी f, चावल m
"""
# Intransitive verbs, and what may stand before them.
INTRANSITIVE = """
जा | घर, बाज़ार, स्कूल, काम पर, मंदिर, अस्पताल, शहर, गाँव, बाहर, ऊपर, उसके साथ, टहलने, तैरने, सोने, वापस, पैदल, दूर, डॉक्टर के पास
आ | घर, यहाँ, वापस, समय पर, देर से, अंदर, मेरे साथ, पास, नीचे, काम पर, मिलने
रह | यहाँ, दिल्ली में, अकेले, चुप, गाँव में, होटल में, ख़ुश, घर पर, साथ में
बैठ | यहाँ, कुर्सी पर, पास में, नीचे, बाहर, चुपचाप, पेड़ के नीचे
सो | जल्दी, देर तक, ज़मीन पर, रात को, बहुत, चैन से
उठ | सुबह जल्दी, देर से, छह बजे, नींद से, कुर्सी से
चल | धीरे धीरे, तेज़, पैदल, साथ में, आगे, सड़क पर
दौड़ | तेज़, मैदान में, रोज़ सुबह, उसके पीछे, घोड़े की तरह
हँस | ज़ोर से, मुझ पर, बिना वजह, उसकी बात पर
रो | बहुत, रात भर, चुपचाप, बच्चे की तरह
बोल | सच, झूठ, धीरे, हिंदी, ज़ोर से, साफ़ साफ़
मिल | उससे, दोस्तों से, कल, स्टेशन पर, मुझसे, डॉक्टर से
लड़ | आपस में, दुश्मन से, चुनाव, पड़ोसी से
डर | अँधेरे से, कुत्ते से, साँप से, मौत से, किसी से
गिर | सीढ़ियों से, पेड़ से, ज़मीन पर, फिसलकर
लौट | घर, देर से, शाम को, विदेश से, ख़ाली हाथ
पहुँच | समय पर, स्टेशन, घर, देर से, दफ़्तर
तैर | नदी में, समुद्र में, अच्छी तरह
मुस्कुरा | मुझे देखकर, धीरे से, हमेशा
नाच | शादी में, बारिश में, ख़ुशी से
सोच | अपने बारे में, बहुत, भविष्य के बारे में, कुछ और
रुक | यहाँ, थोड़ी देर, रास्ते में, बस अड्डे पर
"""
IRREGULAR_PAST = {'कर': ('किया', 'की', 'किए'), 'जा': ('गया', 'गई', 'गए'), 'दे': ('दिया', 'दी', 'दिए'), 'ले': ('लिया', 'ली', 'लिए'), 'पी': ('पिया', 'पी', 'पिए')}
IRREGULAR_FUTURE = {'दे': ('दूँ', 'दो', 'दे', 'दें'), 'ले': ('लूँ', 'लो', 'ले', 'लें'), 'पी': ('पिऊँ', 'पियो', 'पिए', 'पिएँ')}
IRREGULAR_ORDER = {'कर': ('करो', 'कीजिए'), 'दे': ('दो', 'दीजिए'), 'ले': ('लो', 'लीजिए'), 'पी': ('पियो', 'पीजिए')}
VOWELS = 'ाीोे'
# Subject, with ने, with को; person: 1 singular, 2 familiar, 3 singular, p plural or polite.
SUBJECTS = [('मैं', 'मैंने', 'मुझे', '1'), ('तुम', 'तुमने', 'तुम्हें', '2'), ('वह', 'उसने', 'उसे', '3'), ('वो', 'उसने', 'उसको', '3'), ('आप', 'आपने', 'आपको', 'p'), ('हम', 'हमने', 'हमें', 'p'), ('वे', 'उन्होंने', 'उन्हें', 'p'),
            ('टॉम', 'टॉम ने', 'टॉम को', '3'), ('मैरी', 'मैरी ने', 'मैरी को', '3'), ('लोग', 'लोगों ने', 'लोगों को', 'p'), ('बच्चे', 'बच्चों ने', 'बच्चों को', 'p'), ('मेरा भाई', 'मेरे भाई ने', 'मेरे भाई को', '3'),
            ('मेरी बहन', 'मेरी बहन ने', 'मेरी बहन को', '3'), ('उसके पिता', 'उसके पिता ने', 'उसके पिता को', 'p'), ('यह लड़का', 'इस लड़के ने', 'इस लड़के को', '3'), ('वह औरत', 'उस औरत ने', 'उस औरत को', '3'),
            ('हमारे अध्यापक', 'हमारे अध्यापक ने', 'हमारे अध्यापक को', 'p'), ('कोई', 'किसी ने', 'किसी को', '3'), ('सब', 'सबने', 'सबको', 'p')]
FEMALE = {'मैरी', 'मेरी बहन', 'वह औरत'}
MALE = {'टॉम', 'मेरा भाई', 'यह लड़का', 'लोग', 'बच्चे', 'उसके पिता', 'हमारे अध्यापक'}
PRESENT, WAS = {'1': 'हूँ', '2': 'हो', '3': 'है', 'p': 'हैं'}, {'m': 'था', 'f': 'थी', 'p': 'थे'}
OPENERS = ['', '', '', '', '', 'आज ', 'कल ', 'अब ', 'अभी ', 'रोज़ ', 'शायद ', 'लेकिन ', 'और ', 'तो ', 'अगर ', 'जब ', 'क्योंकि ', 'फिर ', 'हमेशा ', 'कभी कभी ', 'सुबह ', 'शाम को ', 'अगले साल ', 'मुझे पता है कि ', 'उसने कहा कि ', 'मुझे लगता है कि ']


def verbs(table):
    for row in table.strip().split('\n'):
        stem, rest = row.split(' | ')
        yield stem, rest.split(', ')


def ends_in_vowel(stem):
    return stem[-1] in VOWELS or stem[-1] == 'आ'


def split_verb(stem):
    """बंद कर: only the last part is inflected."""
    head, _, last = stem.rpartition(' ')
    return (head + ' ' if head else ''), last


def past(stem, number):
    head, last = split_verb(stem)
    place = {'m': 0, 'f': 1, 'p': 2}[number]
    if last in IRREGULAR_PAST:
        return head + IRREGULAR_PAST[last][place]
    return head + last + (('या', 'ई', 'ए') if ends_in_vowel(last) else ('ा', 'ी', 'े'))[place]


def future(stem, person, gender):
    head, last = split_verb(stem)
    place = '123p'.index(person)
    forms = IRREGULAR_FUTURE.get(last) or tuple(last + e for e in (('ऊँ', 'ओ', 'ए', 'एँ') if ends_in_vowel(last) else ('ूँ', 'ो', 'े', 'ें')))
    ending = 'गी' if gender == FEMININE else 'गा' if person in '13' else 'गे'
    return head + forms[place] + ending


def order(stem, polite):
    head, last = split_verb(stem)
    if last in IRREGULAR_ORDER:
        return head + IRREGULAR_ORDER[last][polite]
    return head + last + ((('ओ', 'इए') if ends_in_vowel(last) else ('ो', 'िए'))[polite])


def habit(stem, person, gender):
    return stem + ('ती' if gender == FEMININE else 'ता' if person in '13' else 'ते')


def sentence(rnd):
    transitive = rnd.random() < .6
    stem, things = rnd.choice(TRANSITIVE_VERBS if transitive else INTRANSITIVE_VERBS)
    thing = rnd.choice(things)
    thing, kind = (thing[:-2], thing[-1]) if transitive else (thing, MASCULINE)
    who, did, to, person = rnd.choice(SUBJECTS)
    gender = FEMININE if who in FEMALE else MASCULINE if who in MALE else rnd.choice((MASCULINE, FEMININE))
    number = gender if person in '13' else FEMININE if gender == FEMININE else PLURAL
    no, continuing = rnd.choice(['', '', '', 'नहीं ', 'भी ', 'तो ']), {'m': 'रहा', 'f': 'रही', 'p': 'रहे'}[number]
    able = {'m': 'सकता', 'f': 'सकती', 'p': 'सकते'}[number]
    wish = {'m': 'चाहता', 'f': 'चाहती', 'p': 'चाहते'}[number]
    was = WAS[number].replace('थी', 'थीं') if person == 'p' and gender == FEMININE else WAS[number]
    form = rnd.choice([
        f'{who} {thing} {no}{habit(stem, person, gender)} {PRESENT[person]}', f'{who} {thing} {no}{stem} {continuing} {PRESENT[person]}', f'{who} {thing} {no}{stem} {continuing} {was}',
        f'{who} {thing} {no}{future(stem, person, gender)}', f'{who} {thing} {no}{stem} {able} {PRESENT[person]}', f'{who} {thing} {stem}ना {no}{wish} {PRESENT[person]}',
        f'{to} {thing} {no}{stem}{ {"m": "ना पड़ेगा", "f": "नी पड़ेगी", "p": "ने पड़ेंगे"}[kind]}' if transitive else f'{to} {thing} {stem}ना पड़ेगा', f'{to} {thing} {no}{stem}ना चाहिए', f'{who} {thing} {stem}ने वाला है' if number == 'm' else f'{who} {thing} {no}{habit(stem, person, gender)} {was}',
        f'{did} {thing} {no}{past(stem, kind)}' if transitive else f'{who} {thing} {no}{past(stem, number)}', f'{did} {thing} {no}{past(stem, kind)} {WAS[kind]}' if transitive else f'{who} {thing} {past(stem, number)} {was}',
        f'{thing} {order(stem, rnd.random() < .5)}', f'{thing} मत {order(stem, False)}', f'{who} {thing} {stem}कर चला गया' if number == 'm' else f'{who} {thing} {stem} चुके {PRESENT[person]}' if number == 'p' else f'{who} {thing} {stem} चुकी {PRESENT[person]}',
    ])
    if rnd.random() < .22:
        asked = rnd.choice(['क्या ', 'क्यों', 'कब', 'कहाँ', 'कैसे'])
        form = asked + form if asked == 'क्या ' else form.replace(thing, f'{thing} {asked}', 1)
        return form + '?'
    return rnd.choice(OPENERS) + form + rnd.choice(['।', '।', '।', '!'] if 'मत' in form else ['।'])


TRANSITIVE_VERBS, INTRANSITIVE_VERBS = list(verbs(TRANSITIVE)), list(verbs(INTRANSITIVE))


def sentences(count, rnd):
    made = {}
    while len(made) < count:
        made.setdefault(sentence(rnd), None)
    return list(made)
