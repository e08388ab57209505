"""True identifiers of eight countries and near misses, generated with their checksums from a seed."""

import random
from dataclasses import dataclass

from stdnum import iban, luhn
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale
from stdnum.nl import bsn


@dataclass(frozen=True)
class Sample:
    """A sentence with an identifier in it, or with something that only looks like one."""

    country: str
    kind: str
    text: str
    value: str
    true: bool


FRAMES = {
    "iban": ("Please pay to {}.", "Her account is {} at another bank.", "IBAN: {}"),
    "payment_card": ("Card number {} was charged twice.", "He paid with {} on Friday.", "Visa {}"),
    "phone": ("You can call him on {}.", "Telephone: {}", "Her mobile number is {} in the evening."),
}
NATIONAL = {
    "GB": ("National Insurance number {}.", "NHS number {} was on the form."),
    "DE": ("Steuer-ID {} laut Bescheid.", "Die Identifikationsnummer lautet {}."),
    "FR": ("Son NIR est {}.", "Numéro de sécurité sociale : {}"),
    "ES": ("Su DNI es {}.", "El cliente con documento {} firma."),
    "IT": ("Il codice fiscale è {}.", "Codice fiscale: {}"),
    "NL": ("Zijn BSN is {}.", "Burgerservicenummer {}"),
    "US": ("His SSN is {}.", "Social Security number {} on file."),
    "CH": ("AHV-Nummer {}.", "Ihre Sozialversicherungsnummer: {}"),
}
OTHER_FRAMES = ("Order number {} left the warehouse.", "Part no. {} is out of stock.", "Invoice {} is due in May.")
BANKS = {
    "GB": lambda draw: "NWBK" + draw(14),
    "DE": lambda draw: draw(18),
    "FR": lambda draw: _french_account(draw),
    "ES": lambda draw: _spanish_account(draw),
    "IT": None,
    "NL": lambda draw: "INGB" + draw(10),
    "CH": lambda draw: draw(17),
}
PHONES = {
    "GB": ("020 7946 0{}", "+44 7911 12{}", "0161 496 0{}"),
    "DE": ("030 9018{}", "+49 151 2345{}", "089 2180{}"),
    "FR": ("01 42 68 {} {}", "+33 6 12 34 {} {}", "06 98 76 {} {}"),
    "ES": ("912 345 {}", "+34 612 345 {}", "934 567 {}"),
    "IT": ("06 6982 {}", "+39 347 123 {}", "02 8646 {}"),
    "NL": ("020 624 {}", "+31 6 1234 {}", "010 412 {}"),
    "US": ("(212) 736-{}", "+1 415 781 {}", "312-427-{}"),
    "CH": ("044 211 {} {}", "+41 79 345 {} {}", "031 320 {} {}"),
}
DIGITS = {"GB": 3, "DE": 4, "FR": 2, "ES": 3, "IT": 4, "NL": 4, "US": 4, "CH": 2}


def identifiers(seed=0, each=3):
    """True ones and near misses; the seed draws the numbers."""
    generator = random.Random(seed)
    samples = []
    for country in NATIONAL:
        samples += _true(country, generator, each)
        samples += _near(country, generator, each)
    return samples + _shapes(generator, each)


def _true(country, generator, each):
    for at in range(each):
        for kind, value in (
            ("national_id", national_id(country, generator, at)),
            ("iban", _iban(country, generator, grouped=at % 2 == 1)),
            ("payment_card", _card(generator, at)),
            ("phone", _phone(country, generator, at)),
        ):
            if value:
                frames = FRAMES.get(kind) or NATIONAL[country]
                frame = frames[at % len(frames)]
                if country == "GB" and kind == "national_id":
                    frame = NATIONAL["GB"][0 if value[0].isalpha() else 1]
                yield Sample(country, kind, frame.format(value), value, True)


def _near(country, generator, each):
    for at in range(each):
        value = national_id(country, generator, at)
        wrong = _wrong_national(country, value)
        if wrong:
            yield Sample(country, "wrong check digit", NATIONAL[country][-1].format(wrong), wrong, False)
        if account := _iban(country, generator, grouped=False):
            wrong = account[:2] + f"{(int(account[2:4]) + 7) % 97:02d}" + account[4:]
            yield Sample(country, "wrong check digit", f"Please pay to {wrong}.", wrong, False)
        card = _card(generator, at)
        wrong = card[:-1] + str((int(card[-1]) + 3) % 10)
        yield Sample(country, "wrong check digit", f"Card number {wrong} was refused.", wrong, False)
        number = "".join(str(generator.randrange(1, 10)) for _ in range(9 + at))
        yield Sample(country, "order number", OTHER_FRAMES[at % 3].format(number), number, False)


def _shapes(generator, each):
    """Numbers that are no identifier of anybody, whatever their length."""
    shapes = []
    for _ in range(each * 2):
        body = "978" + _digits(generator, 9)
        check = (10 - sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(body)) % 10) % 10
        shapes += [("isbn", f"ISBN {body}{check} is the second edition.", f"{body}{check}")]
        day, month, year = generator.randrange(10, 28), generator.randrange(10, 12), generator.randrange(1990, 2026)
        shapes += [("date", f"The term ends on {day}.{month}.{year}.", f"{day}.{month}.{year}")]
        shapes += [("date", f"Logged at {year}-{month}-{day} 10:45:12.", f"{year}-{month}-{day}")]
        amount = f"{generator.randrange(100, 999)},{generator.randrange(100, 999)},{generator.randrange(100, 999)}.00"
        shapes += [("amount", f"Total assets were ${amount} in all.", amount)]
        spaced = f"{generator.randrange(100, 999)} {generator.randrange(100, 999)} {generator.randrange(100, 999)}"
        shapes += [("amount", f"Net sales of {spaced} EUR.", spaced)]
        part = f"{_digits(generator, 3)}-{_digits(generator, 2)}-{_digits(generator, 4)}-B"
        shapes += [("part number", f"Fit the seal {part} first.", part)]
        address = f"10.{generator.randrange(255)}.{generator.randrange(255)}.{generator.randrange(255)}"
        shapes += [("address of a machine", f"The host {address} answers.", address)]
        place = f"{generator.randrange(40, 60)}.{_digits(generator, 6)}"
        shapes += [("place", f"Latitude {place} north.", place)]
    return [Sample("", kind, text, value, False) for kind, text, value in shapes]


def national_id(country, generator, at=0):
    """One valid national identifier."""
    if country == "GB":
        if at % 2:
            return _fitting(lambda: _digits(generator, 10), nhs.is_valid)
        two = generator.choice(("AB", "CE", "JG", "PT", "WX"))
        return (
            f"{two} {_digits(generator, 2)} {_digits(generator, 2)} {_digits(generator, 2)} {generator.choice('ABCD')}"
        )
    if country == "DE":
        return _fitting(lambda: _german(generator), idnr.is_valid)
    if country == "FR":
        body = f"{generator.choice('12')}{generator.randrange(50, 99)}{generator.randrange(1, 13):02d}"
        body += f"{generator.randrange(1, 96):02d}{generator.randrange(1, 400):03d}{generator.randrange(1, 400):03d}"
        return body + nir.calc_check_digits(body)
    if country == "ES":
        body = _digits(generator, 8)
        return body + dni.calc_check_digit(body)
    if country == "IT":
        names = "".join(generator.choice("BCDFGLMNPRSTV") for _ in range(6))
        body = f"{names}{generator.randrange(40, 99)}{generator.choice('ABCDEHLMPRST')}"
        body += f"{generator.randrange(1, 28):02d}H{generator.randrange(100, 999)}"
        return body + codicefiscale.calc_check_digit(body)
    if country == "NL":
        return _fitting(lambda: _digits(generator, 9), bsn.is_valid)
    if country == "US":
        return f"{generator.randrange(100, 649)}-{generator.randrange(10, 99)}-{generator.randrange(1000, 9999)}"
    body = "756" + _digits(generator, 9)
    number = body + ahv.calc_check_digit(body) if hasattr(ahv, "calc_check_digit") else ""
    number = number or _fitting(lambda: "756" + _digits(generator, 10), ahv.is_valid)
    return f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11:]}"


def _wrong_national(country, value):
    if country == "US":
        return "900-00-" + value[-4:]
    if country == "GB" and value[0].isalpha():
        return "BG" + value[2:]
    last = value[-1]
    return value[:-1] + ("A" if last != "A" else "B") if last.isalpha() else value[:-1] + str((int(last) + 1) % 10)


def _german(generator):
    first = generator.choice("123456789")
    rest = [digit for digit in "0123456789" if digit != first]
    generator.shuffle(rest)
    body = [first, *rest[:8]]
    body.insert(generator.randrange(1, 9), generator.choice(body[1:]))
    text = "".join(body[:10])
    return text + mod_11_10.calc_check_digit(text)


def _french_account(draw):
    body = draw(21)
    key = 97 - (89 * int(body[:5]) + 15 * int(body[5:10]) + 3 * int(body[10:21])) % 97
    return f"{body}{key:02d}"


def _spanish_account(draw):
    from stdnum.es import ccc

    bank, number = draw(8), draw(10)
    return bank + ccc.calc_check_digits(bank + "00" + number) + number


def _iban(country, generator, *, grouped):
    if BANKS.get(country) is None:
        return ""
    body = BANKS[country](lambda count: _digits(generator, count))
    number = country + iban.calc_check_digits(f"{country}00{body}") + body
    if not iban.is_valid(number):
        return ""
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4)) if grouped else number


def _card(generator, at):
    start, length = (("4", 16), ("53", 16), ("37", 15))[at % 3]
    body = start + _digits(generator, length - 1 - len(start))
    number = body + luhn.calc_check_digit(body)
    return " ".join(number[i : i + 4] for i in range(0, 16, 4)) if at % 3 == 1 else number


def _phone(country, generator, at):
    form = PHONES[country][at % len(PHONES[country])]
    return form.format(*(_digits(generator, DIGITS[country]) for _ in range(form.count("{}"))))


def _fitting(draw, valid):
    while not valid(value := draw()):
        pass
    return value


def _digits(generator, count):
    return str(generator.randrange(1, 10)) + "".join(str(generator.randrange(10)) for _ in range(count - 1))
