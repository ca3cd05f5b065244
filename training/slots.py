"""Word lists for the sentence templates. Ours, CC0."""

NAMES = """अमित सुनीता राहुल प्रिया संजय अनीता विकास पूजा राजेश नेहा मनोज कविता इमरान फ़ातिमा सलमा अब्दुल गुरप्रीत हरप्रीत जॉन मैरी अरुण दीपिका
सुरेश ममता विजय रेखा अजय सीमा अनिल गीता रवि मीना दिनेश शालिनी मोहित स्वाति निखिल अंजलि रोहन ज्योति करण सोनिया आदित्य तनवी आर्यन इशिता
वरुण काव्या सिद्धार्थ मेघना कार्तिक लक्ष्मी वेंकट श्रीनिवास मुरुगन ऐश्वर्या देबाशीष सुष्मिता बिपिन चंदन रामप्रसाद शंभूनाथ जगदीश यशोदा""".split()
SURNAMES = """शर्मा वर्मा गुप्ता सिंह यादव मिश्रा पांडे तिवारी चौधरी अग्रवाल जैन पटेल शाह मेहता कुमार राव रेड्डी नायर मेनन अय्यर बनर्जी चटर्जी दास
घोष ख़ान अंसारी क़ुरैशी कौर गिल ढिल्लों चौहान राठौड़ सक्सेना श्रीवास्तव त्रिपाठी जोशी कुलकर्णी देशपांडे पाटिल डिसूज़ा""".split()
CITIES = """दिल्ली मुंबई कोलकाता चेन्नई बेंगलुरु हैदराबाद पुणे अहमदाबाद जयपुर लखनऊ कानपुर नागपुर इंदौर भोपाल पटना वडोदरा आगरा नाशिक वाराणसी मेरठ
राजकोट श्रीनगर औरंगाबाद धनबाद अमृतसर प्रयागराज राँची हावड़ा जबलपुर ग्वालियर विजयवाड़ा जोधपुर मदुरै रायपुर कोटा गुवाहाटी चंडीगढ़ देहरादून शिमला
गोरखपुर बरेली अलीगढ़ उदयपुर अजमेर सूरत नोएडा गुरुग्राम फ़रीदाबाद ग़ाज़ियाबाद हरिद्वार ऋषिकेश मथुरा अयोध्या दरभंगा मुज़फ़्फ़रपुर सिलीगुड़ी तिरुपति""".split()
AREAS = """गांधी नगर,राजेंद्र नगर,शास्त्री नगर,सिविल लाइंस,सदर बाज़ार,मॉडल टाउन,लाजपत नगर,विजय नगर,अशोक विहार,शिवाजी चौक,स्टेशन रोड,महात्मा गांधी मार्ग,
पटेल नगर,नेहरू प्लेस,आज़ाद मोहल्ला,नई बस्ती,रामलीला मैदान,हनुमान मंदिर,बस अड्डे,डाकघर,ज़िला अस्पताल,इंदिरा कॉलोनी""".replace('\n', '').split(',')
DAYS = 'सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार'.split()
WHEN = 'आज,कल,परसों,आज शाम,कल सुबह,अगले हफ़्ते,पिछले हफ़्ते,इस महीने,अगले महीने,सोमवार को,मंगलवार को,बुधवार को,गुरुवार को,शुक्रवार को,शनिवार को,रविवार को,दो दिन बाद,थोड़ी देर में'.split(',')
PAST = 'कल,परसों,पिछले हफ़्ते,सोमवार को,बुधवार को,शुक्रवार को,तीन दिन पहले,आज सुबह,कल रात,पिछले महीने,दस मिनट पहले,अभी'.split(',')
MONTHS = 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split()
DAY_PARTS = 'सुबह दोपहर शाम रात'.split()
FOODS = 'आलू प्याज़ टमाटर चावल आटा चीनी नमक तेल दाल दूध दही पनीर अंडे केले सेब आम अंगूर गोभी भिंडी बैंगन मटर गाजर मूली पालक हल्दी मिर्च धनिया जीरा'.split()
KIN = 'मम्मी पापा भैया दीदी चाचा चाची मामा मामी दादा दादी नाना नानी बेटा बेटी भाभी बुआ मौसी'.split()

EN_DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
EN_MONTHS = 'January February March April May June July August September October November December'.split()
# Things one orders, returns, complains about.
GOODS = """laptop,phone,charger,headphones,washing machine,fridge,microwave,television,printer,keyboard,mouse,monitor,camera,power bank,smart watch,mixer,
water purifier,air conditioner,cooler,mattress,sofa,dining table,office chair,shoes,jacket,t-shirt,jeans,bag,suitcase,school bag,bicycle,helmet,scooter,tablet,
router,modem,set top box,SIM card,memory card,pen drive,hard disk,cable,adapter,bulb,inverter,geyser,vacuum cleaner,iron,pressure cooker,toaster,parcel,courier,
gift card,groceries,medicine,sunglasses,perfume,dress,saree,kurta,book set,tripod,speaker,earphones,screen guard,back cover""".replace('\n', '').split(',')
# Papers and records that are checked, sent, approved.
PAPERS = """form,application,invoice,bill,receipt,statement,report,document,agreement,contract,resume,certificate,ID card,Aadhaar card,PAN card,passport,
driving licence,salary slip,bank statement,presentation,assignment,project report,proposal,quotation,email,file,screenshot,link,list,schedule,time table,syllabus,
admit card,mark sheet,degree,offer letter,leave application,medical certificate,prescription,policy document,insurance policy,KYC form,feedback form,cheque,
demand draft,purchase order,warranty card,spreadsheet,draft,checklist,attachment,video,photo,recording""".replace('\n', '').split(',')
# Accounts and services.
SERVICES = """account,bank account,savings account,credit card,debit card,ATM card,net banking,mobile banking,UPI,wallet,loan,home loan,car loan,personal loan,
EMI,insurance,policy,subscription,membership,plan,data pack,recharge,connection,broadband,wifi,internet,network,signal,server,website,app,portal,profile,password,
username,PIN,OTP,email ID,mobile number,customer ID,order,booking,reservation,ticket,appointment,complaint,request,refund,payment,transaction,transfer,cashback,
reward points,coupon,promo code,offer,discount,delivery,pickup,return,replacement,exchange,service,installation,demo,trial,update,software,notification,
location,address,meeting,interview,class,exam,session,training,workshop,webinar,flight,train,bus,cab,hotel,room""".replace('\n', '').split(',')
# English verbs used with करना and होना.
VERBS = """cancel,confirm,update,check,verify,submit,approve,reject,transfer,activate,deactivate,block,unblock,reset,share,forward,schedule,reschedule,postpone,
book,process,track,register,renew,upgrade,connect,disconnect,review,complete,close,open,extend,change,modify,upload,download,print,scan,copy,delete,save,edit,send,
receive,handle,manage,arrange,prepare,finalise,escalate,resolve,fix,test,start,stop,restart,install,select,add,remove,attach,sign,clear,hold,follow up,explain,
discuss,clarify,note,record,report,recommend,prefer,accept,claim,apply,link,sync,install,configure,order,deliver,return,replace,refund""".replace('\n', '').split(',')
FEELINGS = """busy,free,late,ready,sure,confused,happy,upset,tired,serious,careful,comfortable,interested,excited,disappointed,satisfied,shocked,surprised,
available,active,online,offline,safe,alone,bored,nervous,confident,proud,sorry,fine,perfect,normal,stressed,relaxed""".replace('\n', '').split(',')
PEOPLE = """manager,boss,teacher,doctor,engineer,customer,client,agent,executive,supervisor,team leader,delivery boy,driver,technician,receptionist,principal,
professor,student,friend,colleague,neighbour,landlord,tenant,broker,lawyer,accountant,designer,developer,director,owner,vendor,dealer,nurse,dentist,trainer,
security guard,shopkeeper,partner,cousin,uncle,aunty,HR,coach,editor,journalist,photographer,plumber,electrician""".replace('\n', '').split(',')
PLACES = """office,school,college,hospital,market,mall,airport,railway station,bus stop,bank,branch,hotel,restaurant,gym,park,library,hostel,apartment,society,
parking,metro station,petrol pump,police station,court,post office,showroom,service center,warehouse,factory,cinema hall,stadium,clinic,pharmacy,medical store,
computer lab,conference room,reception,terminal,gate,platform,highway,flyover,signal,studio,campus,canteen,balcony,terrace,lift""".replace('\n', '').split(',')
TOPICS = """budget,salary,project,deadline,target,performance,attendance,promotion,result,placement,internship,marketing,sales,advertisement,social media,design,
website,feature,product,quality,safety,health,fitness,diet,exercise,yoga,meditation,cricket,football,match,movie,web series,song,music,dance,party,birthday,
anniversary,wedding,festival,holiday,trip,weekend,weather,traffic,pollution,politics,election,news,education,career,business,investment,share market,mutual fund,
tax,GST,income tax,property,rent,electricity bill,phone bill,fees,admission,scholarship,technology,artificial intelligence,data,privacy,battery,storage,camera,
display,price,stock,warranty,guarantee,feedback,experience,relationship,friendship,family,children,lifestyle,fashion,make up,hair cut,recipe,breakfast,lunch,dinner,
snacks,coffee,tea,juice,cake,chocolate,ice cream,pizza,burger,sandwich,pasta,noodles""".replace('\n', '').split(',')
FAULTS = """failed,pending,expired,blocked,invalid,damaged,defective,missing,wrong,slow,down,incomplete,cancelled,rejected,declined,delayed,locked,full,empty,
dead,broken,low,high,unavailable,overdue,unverified,duplicate,inactive""".replace('\n', '').split(',')
FILLERS = """actually,basically,by the way,honestly,exactly,obviously,literally,anyway,okay,sorry,please,thank you,no problem,of course,definitely,at least,
in fact,for example,first of all,one second,just a minute,I think,you know,I mean,so,well,right,sure,fine,hello,good morning,good evening,sir,madam""".replace('\n', '').split(',')
CLAUSES = """thank you so much,let me check,please hold the line,sorry to keep you waiting,I will call you back,can you hear me,please wait for some time,
that is not my problem,this is very urgent,I am in a meeting,I am on the way,see you tomorrow,good to hear from you,what is the issue,how can I help you,
I completely understand,please do the needful,it is out of stock,the line is busy,I did not get that,can you please repeat,that sounds good,no worries at all,
I will let you know,take your time,all the best,have a nice day,please speak slowly,it is working fine now,I have already paid for it,we are working on it,
please send me the details,I want my money back,this is not acceptable,what do you mean,nothing has changed,it does not matter,keep it simple,time is running out,
everything is under control,let us meet on Friday,do not worry about it,you are right,I am not sure,that makes sense,give me five minutes,are you serious""".replace('\n', '').split(',')
BRANDS = 'WhatsApp,Google,YouTube,Facebook,Instagram,Amazon,Flipkart,Paytm,PhonePe,Uber,Ola,Zomato,Swiggy,Netflix,Gmail,Zoom,Airtel,Jio,Samsung,Apple,Microsoft,Twitter,LinkedIn,Telegram'.split(',')
