"""Sentence templates, filled from slots.py by text.py. Ours, CC0.

{name} {surname} {city} {area} {day} {when} {past} {month} {part} {food} {kin} are Hindi words; {goods} {paper} {service} {verb} {feeling} {person} {place}
{topic} {fault} {filler} {clause} {brand} {en_day} {en_month} English ones, written in Latin. {small} {number} {money} {digits} {phone} {year} {time} {date}
{percent} {pincode} are spoken as Hindi number words. A slot named again with a digit ({topic2}) takes another word.
"""

MIXED = """
मेरा {service} {fault} दिखा रहा है, please एक बार check कर लीजिए।
क्या आप मेरा {service} {verb} कर सकते हैं?
मैंने {past} {goods} order किया था, लेकिन अभी तक deliver नहीं हुआ।
सर, आपका {service} {when} तक {verb} हो जाएगा, आप tension मत लीजिए।
{filler}, मुझे {person} से बात करनी है, ये {topic} का issue है।
मेरा order number {digits} है, जरा status check करके बताइए।
आप अपना {paper} {brand} पर send कर दीजिए, मैं {verb} कर दूँगा।
{brand} पर एक message आया था, उसमें {service} का link था।
{goods} में problem आ रही है, {service} के लिए request डालनी है।
कल {time} {place} में {topic} पर meeting है, आप join कर लेना।
मेरे {goods} की warranty {month} में खत्म हो रही है।
{name} ने {paper} submit कर दिया है, अब {person} का approval चाहिए।
यार, {topic} को लेकर मैं बहुत {feeling} हूँ।
आपने {service} {verb} क्यों नहीं किया? मैंने {past} ही बोल दिया था।
{clause}, मैं आपका {service} {verb} कर रही हूँ।
{money} की payment {fault} हो गई, पर पैसे account से कट गए।
हमारे {person} {when} {place} पर मिलेंगे, आप {paper} साथ ले आइए।
{topic} के बारे में आपका क्या feedback है?
{filler}, मैं अभी {place} में हूँ, बाद में call करता हूँ।
इस {goods} की price {money} है, discount के बाद {money2} पड़ेगी।
{kin} को {place} छोड़कर मैं सीधा {place2} आ रहा हूँ।
{en_day} को {topic} की class cancel हो गई है।
आपका {service} {en_day} तक active हो जाएगा।
मुझे {city} से {city2} की flight book करनी है, {en_month} की {small} तारीख के लिए।
मेरा {service} block हो गया है, उसे unblock करने का process क्या है?
{goods} return करना है, इसका size और color दोनों wrong हैं।
Delivery boy का phone switch off आ रहा है।
{name} जी, आपकी {service} की request {verb} हो चुकी है।
{person} ने बोला कि {topic} next week तक complete हो जाना चाहिए।
क्या ये {goods} online available है या सिर्फ showroom में मिलेगा?
मैंने {brand} से {money} का {goods} लिया था, वो {fault} निकला।
{topic} improve करने के लिए daily practice बहुत important है।
आजकल {topic} का trend काफी change हो गया है।
हमारी team {topic} पर काम कर रही है, result जल्दी आएगा।
{place} के पास बहुत traffic है, मैं थोड़ा late हो जाऊँगा।
कृपया अपना {paper} upload करें और submit button दबाएँ।
अगर {service} {fault} हो तो customer care को call कीजिए।
OTP किसी के साथ share मत करना, ये fraud हो सकता है।
{name} का {topic} बहुत अच्छा है, उसको promotion मिलना चाहिए।
Doctor ने कहा है कि {topic} पर ध्यान दो और stress मत लो।
{clause}, लेकिन {when} तक इंतज़ार करना पड़ेगा।
मुझे लगता है कि ये {topic} वाला idea काम करेगा।
Weekend पर {city} जाने का plan बना रहे हैं, तुम free हो क्या?
{service} की last date {date} है, उससे पहले apply कर दो।
आपकी complaint register हो गई है, complaint number {digits} है।
मैं {small} साल से इस company में {person} हूँ।
{place} में {person} नहीं है, आप थोड़ी देर wait कर लीजिए।
मेरे {goods} का screen {fault} है, repair में कितना खर्चा आएगा?
{topic} और {topic2} में से आप क्या prefer करेंगे?
Internet बहुत slow चल रहा है, {service} बार बार {fault} हो रहा है।
{brand} का नया feature मुझे बिल्कुल पसंद नहीं आया।
ये {paper} urgent है, please आज ही {verb} कर दीजिए।
{small} minute में {verb} कर के बताता हूँ, आप line पर रहिए।
उसने मुझे {topic} के बारे में कुछ नहीं बताया, that is not fair।
बच्चों की {topic} को लेकर parents बहुत {feeling} हैं।
मेरी {person} से बात हो गई है, {clause}।
{filler} मुझे {topic} में कोई interest नहीं है।
आपका balance {money} है और due date {date} है।
{place} का address {brand} पर भेज दो, मैं cab से आ जाऊँगा।
Market में {goods} की demand बढ़ रही है, इसलिए price भी high है।
सुबह {time} alarm लगाया था, फिर भी मैं late हो गया।
{name} का birthday {en_day} को है, surprise party का plan करते हैं।
मैंने {service} के लिए online apply किया था, अभी तक कोई update नहीं आया।
Meeting के minutes सबको email कर दीजिए।
{person} ने {paper} देखने के बाद decision लेने को कहा है।
इस project का deadline {when} है, so please जल्दी finish करो।
{goods} का model पुराना है, नया version launch हो गया है।
पहले {service} को {verb} करो, फिर {service2} अपने आप {verb2} हो जाएगा।
तुम्हारा {topic} वाला video viral हो गया है।
Office में सब लोग {topic} को लेकर {feeling} हैं।
क्या मैं {paper} की photocopy दे सकता हूँ, original घर पर है।
मैं {feeling} नहीं हूँ, बस थोड़ा {feeling2} हूँ।
Exam {month} में है और syllabus अभी तक complete नहीं हुआ।
{brand} app uninstall करके दोबारा install कीजिए, problem solve हो जाएगी।
हाँ, {clause}। और बताओ, {topic} कैसा चल रहा है?
जब भी {service} use करता हूँ, error आ जाता है।
सरकार ने {topic} के लिए नया portal launch किया है।
{city} में {topic} की situation काफी serious है।
आप अपना mobile number और email ID confirm कर दीजिए।
मेरा number {phone} है, इसी पर call back कीजिए।
{goods} का bill और warranty card संभाल कर रखना।
रात को {topic} देखते देखते कब सो गया, पता ही नहीं चला।
मेरे {person} का behaviour बहुत rude था, मुझे complaint करनी है।
{verb} करने से पहले terms and conditions ध्यान से पढ़ लीजिए।
EMI का option है क्या, या full payment करनी होगी?
{filler}, आपकी आवाज़ break हो रही है, network का issue लगता है।
मैं आपकी call {person} को transfer कर रहा हूँ, please line पर बने रहिए।
{service} के लिए {money} extra charge लगेगा, GST अलग से है।
उस restaurant का {topic} एकदम fresh और tasty था।
{kin} का operation {en_day} को {city} के hospital में है।
नए {person} ने आते ही सारा system change कर दिया।
Security के लिए अपना password हर महीने change करना चाहिए।
इस {goods} की quality average है, लेकिन design बहुत attractive है।
हम लोग {place} के बाहर खड़े हैं, gate open करवा दीजिए।
{name}, तुमने {paper} print किया या नहीं?
मेरी train {small} घंटे late है, platform number {small2} पर आएगी।
Interview में उन्होंने {topic} से related questions पूछे।
{topic} अच्छा हो तो confidence अपने आप आ जाता है।
एक {topic} और दो {topic2} pack कर दीजिए।
Driver को बोलो कि main road से आए, shortcut बंद है।
Total amount {money} है, आप cash देंगे या card से pay करेंगे?
{service} में अपना nominee add करना compulsory है।
""".strip().split('\n')

# Never trained on: for measuring whether English words come out in Latin.
MIXED_HELD_OUT = """
हमारा {goods} तीसरी बार {fault} हुआ है, मुझे इसका replacement चाहिए।
{filler}, {service} की confirmation email मुझे नहीं मिली।
{person} से पूछो कि {paper} कब तक ready होगा।
{when} मेरा {place} में interview है, थोड़ा {feeling} हूँ।
आप {service} cancel करना चाहते हैं या postpone?
{brand} ने {topic} के लिए नई policy announce की है।
मुझे {goods} gift करना था, पर वो out of stock है।
{city} branch का manager {en_day} को leave पर है।
इस {topic} का budget final हो गया है क्या?
{service} का status अभी भी {fault} आ रहा है।
उसने मेरा {paper} बिना permission के {verb} कर दिया।
{topic} और {topic2} दोनों की responsibility मेरी है।
Customer ने {goods} का rating बहुत खराब दिया है।
कल की {topic} वाली party में कितने guest आए थे?
{clause}, मैं {place} पहुँच कर update देता हूँ।
""".strip().split('\n')

HINDI = """
हेलो, क्या मैं {name} {surname} जी से बात कर सकता हूँ?
जी हाँ, मैं {name} बोल रही हूँ, बताइए क्या काम है।
नमस्ते जी, मैं {city} से {name} बोल रहा हूँ।
आपकी आवाज़ साफ़ नहीं आ रही है, ज़रा ज़ोर से बोलिए।
एक मिनट रुकिए, मैं अभी देखकर बताता हूँ।
मेरा फ़ोन नंबर है {phone}।
नंबर लिख लीजिए, {phone}।
मेरा पिन कोड {pincode} है और मैं {area}, {city} में रहता हूँ।
मेरा पता है मकान नंबर {number}, {area}, {city}।
{area} के सामने वाली गली में तीसरा मकान है।
आपका शिकायत नंबर {digits} है, इसे लिख लीजिए।
मैं {date} को {city} पहुँच जाऊँगा।
{name} का जन्म {date} {year} को {city} में हुआ था।
सन {year} में हमारा परिवार {city} से {city2} आ गया था।
बैठक {day} को {time} शुरू होगी।
गाड़ी {time} {city} से चलेगी और {time2} {city2} पहुँचेगी।
कुल मिलाकर {money} हुए, {money2} आप पहले दे चुके हैं।
मैंने {money} भेजे थे, मिल गए क्या?
इस महीने का किराया {money} है।
मुझे {small} किलो {food} और {small2} किलो {food2} दे दीजिए।
{food} का भाव आज {money} किलो है।
इस साल {percent} ज़्यादा बारिश हुई है।
करीब {percent} लोगों ने हाँ में जवाब दिया।
यहाँ से {city} की दूरी {number} किलोमीटर है।
परीक्षा में उसे {number} में से {small} अंक मिले।
{name} और {name2} {when} {city} जा रहे हैं।
{kin} ने कहा है कि {when} घर जल्दी आना।
{kin} की तबीयत {past} से ठीक नहीं है।
श्री {name} {surname} ने {when} इस्तीफ़ा देने की बात कही।
{surname} जी, आपकी फ़ाइल मेरे पास नहीं है।
{day} को {part} {time} दुकान बंद रहेगी।
मेरी उम्र {small} साल है और मैं {city} का रहने वाला हूँ।
ठीक है, मैं {when} फिर से फ़ोन करूँगा।
माफ़ कीजिए, गलत नंबर लग गया है।
आप कहाँ से बोल रहे हैं और किससे बात करनी है?
अच्छा, तो फिर {when} मिलते हैं।
जी बिल्कुल, आपका काम हो जाएगा, चिंता मत कीजिए।
देखिए, इसमें {small} दिन और लगेंगे।
हाँ जी, सुन रहा हूँ, आप बोलते जाइए।
नहीं नहीं, मैंने ऐसा कुछ नहीं कहा था।
{small} बजकर {small2} मिनट हुए हैं।
खाते में {money} जमा हैं और {money2} निकाले गए हैं।
मुझे {city} के लिए {small} टिकट चाहिए।
पिछली बार आपने {money} लिए थे, इस बार {money2} क्यों?
{digits} दोबारा बोलिए, मैं लिख रहा हूँ।
{city} में आज का तापमान {small} डिग्री रहेगा।
{year} के बाद से यहाँ कोई चुनाव नहीं हुआ।
{name} ने {small} गेंदों में {number} रन बनाए।
{month} और {month2} के बीच यहाँ बहुत ठंड पड़ती है।
इस गाँव में {number} परिवार रहते हैं।
""".strip().split('\n')

# Spoken public Hindi: addresses, bulletins, explanations.
FORMAL = """
मेरे प्यारे {people}, आज मैं आपसे {subject} के बारे में कुछ कहना चाहता हूँ।
{subject} के बिना {subject2} की कल्पना भी नहीं की जा सकती।
हमें {subject} को {subject2} से जोड़ना होगा, तभी देश आगे बढ़ेगा।
मुझे पूरा विश्वास है कि {people} इस {effort} में बढ़ चढ़कर हिस्सा लेंगे।
आइए, हम सब मिलकर {subject} का संकल्प लें।
{city} में {when} {subject} को लेकर एक बड़ा {effort} शुरू किया गया।
सरकार ने {people} के लिए {subject} की नई योजना का ऐलान किया है।
पिछले {small} वर्षों में {subject} के क्षेत्र में अभूतपूर्व प्रगति हुई है।
यह {effort} केवल सरकार का नहीं, बल्कि हर नागरिक का है।
मैं आप सभी {people} का हृदय से आभार व्यक्त करता हूँ।
{people} ने जिस तरह से {subject} को अपनाया है, वह सराहनीय है।
समाचार एजेंसी के अनुसार {city} में {subject} पर चर्चा हुई।
विशेषज्ञों का मानना है कि {subject} और {subject2} का सीधा संबंध है।
कुछ दिन पहले मुझे {city} से {name} जी का एक पत्र मिला।
उन्होंने लिखा है कि {subject} के लिए {people} को जागरूक करना चाहिए।
हमारे शास्त्रों में भी {subject} का महत्व बताया गया है।
जब तक {people} नहीं जागेंगे, तब तक {subject} अधूरा रहेगा।
भाइयों और बहनों, {subject} हमारी सबसे बड़ी ताकत है।
क्या हम {subject} के लिए थोड़ा सा समय नहीं निकाल सकते?
{subject} की दिशा में उठाया गया यह कदम ऐतिहासिक है।
राष्ट्रपति ने {people} को {subject} के लिए बधाई दी।
एक बार की बात है, {city} के पास एक छोटे से गाँव में {small} भाई रहते थे।
उन्होंने कहा कि {subject} किसी एक व्यक्ति की ज़िम्मेदारी नहीं है।
मौसम विभाग ने {city} और आसपास के इलाकों में भारी बारिश की चेतावनी दी है।
पुलिस ने {city} से {small} लोगों को हिरासत में लिया है।
मैं तो कहूँगा कि {people} को {subject} से सीख लेनी चाहिए।
इस {effort} से लाखों {people} को लाभ मिलेगा।
दोस्तों, ज़िंदगी में {subject} से बड़ा कोई धन नहीं होता।
""".strip().split('\n')

SUBJECTS = """स्वच्छता,शिक्षा,स्वास्थ्य,आत्मनिर्भरता,पर्यावरण,जल संरक्षण,खादी,योग,अहिंसा,सत्य,परिश्रम,अनुशासन,लोकतंत्र,समानता,न्याय,विज्ञान,अंतरिक्ष अनुसंधान,
कृषि,सिंचाई,ग्रामीण विकास,महिला सशक्तिकरण,बाल विवाह की रोकथाम,साक्षरता,पुस्तकालय,मातृभाषा,साहित्य,संगीत,नृत्य,हस्तशिल्प,कुटीर उद्योग,रोज़गार,कौशल विकास,
राष्ट्रीय एकता,सांप्रदायिक सद्भाव,सीमा सुरक्षा,आपदा प्रबंधन,वृक्षारोपण,ऊर्जा की बचत,सौर ऊर्जा,यातायात के नियम,रक्तदान,अंगदान,टीकाकरण,कुपोषण,नशामुक्ति,
भ्रष्टाचार,पारदर्शिता,मतदान,संविधान,मौलिक अधिकार,कर्तव्य,संस्कृति,परंपरा,त्योहार,गंगा की सफ़ाई,वन्य जीव,जैव विविधता,पशुपालन,दुग्ध उत्पादन,मत्स्य पालन,
बुज़ुर्गों का सम्मान,बेटियों की पढ़ाई,खेलकूद,ओलंपिक,पर्यटन,तीर्थयात्रा,अर्थव्यवस्था,महँगाई,बेरोज़गारी,ग़रीबी उन्मूलन,बचत,बीमा,कर व्यवस्था,विदेश नीति,
पड़ोसी देशों से संबंध,शांति वार्ता,परमाणु ऊर्जा,सूचना प्रौद्योगिकी,संचार,सड़क निर्माण,रेल सेवा,आवास,बिजली,स्वतंत्रता संग्राम,बलिदान,प्रेरणा,क्षमा,धैर्य,करुणा""".replace('\n', '').split(',')
CITIZENS = 'देशवासियों,विद्यार्थियों,किसानों,युवाओं,महिलाओं,शिक्षकों,मज़दूरों,सैनिकों,वैज्ञानिकों,बुज़ुर्गों,ग्रामीणों,नागरिकों,श्रोताओं,दर्शकों,मित्रों,कलाकारों,खिलाड़ियों,व्यापारियों,कर्मचारियों'.split(',')
EFFORTS = 'अभियान,आंदोलन,प्रयास,कार्यक्रम,यज्ञ,मिशन,उत्सव,प्रयोग,निर्णय,आयोजन'.split(',')

ENGLISH = """
Could you please {verb} my {service} before {en_day}?
I ordered a {goods} last week, but it has not arrived yet.
The {person} said that the {paper} would be ready in {en_month}.
My {service} is {fault}, and nobody at the {place} can tell me why.
We talked about the {topic} for almost an hour.
She left the {goods} at the {place} and had to go back for it.
If the {service} is {fault}, please call our customer care.
He was {feeling} about the {topic}, although he did not say so.
The {topic} has become more important than the {topic2}.
There is a {place} next to the {place2}, opposite the old church.
They will {verb} the {paper} as soon as the {person} has signed it.
I am {feeling} that you could come to the {place} with us.
Nobody had seen the {person} since the end of {en_month}.
It was a cold morning, and the {place} was almost empty.
What do you think about the new {topic}?
Please send the {paper} and the {paper2} to my office by {en_day}.
The {person} and the {person2} were waiting at the {place}.
For many years the {topic} was the only thing people talked about.
You should {verb} the {service} first and then {verb2} it again.
Our {person} is {feeling} today, so please come back on {en_day}.
{clause}, said the {person}, and he closed the door.
I would rather {verb} the {paper} now than wait until {en_day}.
The price of the {goods} went up again in {en_month}.
{filler}, {clause}.
""".strip().split('\n')
