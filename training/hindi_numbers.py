"""Numbers as Hindi words. Speech is written as it was said: small and large numbers, dates and money in words, telephone numbers digit by digit."""
import re

WORDS = """शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी
अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे""".split()
UNITS = ((10**7, 'करोड़'), (10**5, 'लाख'), (10**3, 'हज़ार'), (100, 'सौ'))
DEVANAGARI_DIGITS = str.maketrans('०१२३४५६७८९', '0123456789')


def cardinal(n):
    parts = []
    for value, name in UNITS:
        count, n = divmod(n, value)
        if count:
            parts.append(f'{cardinal(count)} {name}')
    if n or not parts:
        parts.append(WORDS[n])
    return ' '.join(parts)


def year(n):
    """1947 is said उन्नीस सौ सैंतालीस, 2014 दो हज़ार चौदह."""
    if not 1100 <= n <= 1999:
        return cardinal(n)
    return f'{WORDS[n // 100]} सौ' + (f' {WORDS[n % 100]}' if n % 100 else '')


def digit_by_digit(digits):
    return ' '.join(WORDS[int(d)] for d in digits)


def spoken(digits):
    if len(digits) >= 8 or (len(digits) > 1 and digits[0] == '0'):
        return digit_by_digit(digits)
    n = int(digits)
    return year(n) if 1100 <= n <= 1999 else cardinal(n)


def in_words(text):
    """A sentence with its digits as they are said."""
    text = text.translate(DEVANAGARI_DIGITS)
    text = re.sub(r'(?<=\d),(?=\d{2,3}(?:\D|$))', '', text)
    text = re.sub(r'(?:₹|\bRs\.?|रु\.)\s*(\d+)', r'\1 रुपये', text)
    text = re.sub(r'(\d)\s*%', r'\1 प्रतिशत', text)
    text = re.sub(r'(\d+)\.(\d+)', lambda m: f'{cardinal(int(m[1]))} दशमलव {digit_by_digit(m[2])}', text)
    return re.sub(r'\d+', lambda m: f' {spoken(m[0])} ', text)
