"""Currencies, units and magnitudes, as tables."""

from __future__ import annotations

from decimal import Decimal

CURRENCIES: dict[str, str] = {
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "$": "$",
    "dollar": "$",
    "dollars": "$",
    "us$": "USD",
    "usd": "USD",
    "us dollar": "USD",
    "us dollars": "USD",
    "a$": "AUD",
    "au$": "AUD",
    "aud": "AUD",
    "australian dollars": "AUD",
    "c$": "CAD",
    "ca$": "CAD",
    "cad": "CAD",
    "canadian dollars": "CAD",
    "nz$": "NZD",
    "nzd": "NZD",
    "hk$": "HKD",
    "hkd": "HKD",
    "s$": "SGD",
    "sgd": "SGD",
    "£": "GBP",
    "gbp": "GBP",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "¥": "¥",
    "jpy": "JPY",
    "yen": "JPY",
    "cny": "CNY",
    "rmb": "CNY",
    "yuan": "CNY",
    "₹": "INR",
    "inr": "INR",
    "rs": "INR",
    "rupee": "INR",
    "rupees": "INR",
    "chf": "CHF",
    "swiss francs": "CHF",
    "francs": "CHF",
    "₩": "KRW",
    "krw": "KRW",
    "₽": "RUB",
    "rub": "RUB",
    "₺": "TRY",
    "try": "TRY",
    "₪": "ILS",
    "ils": "ILS",
    "sek": "SEK",
    "nok": "NOK",
    "dkk": "DKK",
    "pln": "PLN",
    "zł": "PLN",
    "czk": "CZK",
    "huf": "HUF",
    "brl": "BRL",
    "r$": "BRL",
    "mxn": "MXN",
    "zar": "ZAR",
    "aed": "AED",
    "sar": "SAR",
    "thb": "THB",
}
"""Symbol, code or word -> code; ``$`` and ``¥`` stay what they are, because several currencies share them."""

SHARED_SYMBOLS = {"$": {"USD", "AUD", "CAD", "NZD", "HKD", "SGD"}, "¥": {"JPY", "CNY"}}

MAGNITUDES: dict[str, Decimal] = {
    **dict.fromkeys(("k", "thousand", "tsd"), Decimal(10) ** 3),
    **dict.fromkeys(
        ("mn", "mio", "mm$", "million", "millions", "mln", "millionen", "miljoen", "millones"), Decimal(10) ** 6
    ),
    **dict.fromkeys(("bn", "billion", "billions", "mrd", "milliarden", "miljard"), Decimal(10) ** 9),
    **dict.fromkeys(("tn", "trillion", "trillions"), Decimal(10) ** 12),
    "hundred": Decimal(100),
    "dozen": Decimal(12),
    "lakh": Decimal(10) ** 5,
    "crore": Decimal(10) ** 7,
}
SHORT_MAGNITUDES = {"m": Decimal(10) ** 6, "b": Decimal(10) ** 9, "t": Decimal(10) ** 12}
"""Also metres, bytes and tonnes: they count as magnitudes with a currency, else as a second reading."""

_DIMENSIONS: dict[str, dict[str, str]] = {
    "m": {
        "mm millimetre millimeter millimetres millimeters": "0.001",
        "µm μm micrometre micrometres micrometer micrometers micron microns": "0.000001",
        "cm centimetre centimeter centimetres centimeters": "0.01",
        "m metre meter metres meters": "1",
        "km kilometre kilometer kilometres kilometers": "1000",
        "mile miles mi": "1609.344",
        "ft foot feet": "0.3048",
        "inch inches": "0.0254",
        "yd yard yards": "0.9144",
        "nautical_mile nautical_miles nmi": "1852",
    },
    "km/h": {
        "m/s metre_per_second metres_per_second meter_per_second meters_per_second metres_a_second"
        " meters_a_second": "3.6",
        "km/h kmh kph kilometre_per_hour kilometres_per_hour kilometer_per_hour kilometers_per_hour km_per_hour"
        " kilometres_an_hour kilometers_an_hour": "1",
        "mph miles_per_hour mile_per_hour miles_an_hour": "1.609344",
        "kn kt kts knot knots": "1.852",
    },
    "m^2": {
        "m2 m^2 sqm sq_m square_metre square_metres square_meter square_meters": "1",
        "km2 km^2 sq_km square_kilometre square_kilometres square_kilometer square_kilometers": "1000000",
        "cm2 cm^2 square_centimetre square_centimetres square_centimeter square_centimeters": "0.0001",
        "ha hectare hectares": "10000",
        "sqft sq_ft square_foot square_feet": "0.09290304",
        "acre acres": "4046.8564224",
    },
    "g": {
        "ng nanogram nanograms": "0.000000001",
        "mcg µg μg microgram micrograms": "0.000001",
        "mg milligram milligrams": "0.001",
        "g gram grams": "1",
        "kg kilogram kilograms kilo kilos": "1000",
        "t tonne tonnes metric_ton metric_tons metric_tonne metric_tonnes": "1000000",
        "lb lbs": "453.59237",
        "oz ounce ounces": "28.349523125",
    },
    "s": {
        "ms millisecond milliseconds": "0.001",
        "s sec second seconds": "1",
        "min mins minute minutes": "60",
        "h hr hrs hour hours": "3600",
        "d day days": "86400",
        "week weeks": "604800",
    },
    "month": {"month months": "1", "year years yr yrs": "12", "quarter quarters": "3"},
    "l": {
        "µl μl microlitre microlitres microliter microliters": "0.000001",
        "ml millilitre milliliter millilitres milliliters": "0.001",
        "cl centilitre centilitres": "0.01",
        "dl decilitre decilitres": "0.1",
        "l litre liter litres liters": "1",
        "hl hectolitre hectolitres": "100",
        "m3 m^3 cubic_metre cubic_metres cubic_meter cubic_meters": "1000",
        "megalitre megalitres megaliter megaliters": "1000000",
    },
    "l/h": {
        "l/s litre_per_second litres_per_second liter_per_second liters_per_second": "3600",
        "l/min litres_per_minute liters_per_minute": "60",
        "l/h litres_per_hour liters_per_hour": "1",
        "m3/h m^3/h cubic_metres_per_hour cubic_meters_per_hour": "1000",
        "m3/s m^3/s cubic_metres_per_second cubic_meters_per_second": "3600000",
    },
    "byte": {"kb": "1000", "mb": "1000000", "gb": "1000000000", "tb": "1000000000000", "byte bytes": "1"},
    "w": {
        "kw kilowatt kilowatts": "1000",
        "mw megawatt megawatts": "1000000",
        "gw gigawatt gigawatts": "1000000000",
        "w watt watts": "1",
        "hp bhp horsepower": "745.69987158227022",
        "ps": "735.49875",
    },
    "wh": {
        "kwh kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours": "1000",
        "mwh megawatt_hour megawatt_hours megawatt-hour megawatt-hours": "1000000",
        "gwh gigawatt_hour gigawatt_hours gigawatt-hour gigawatt-hours": "1000000000",
        "wh": "1",
    },
    "pa": {
        "pascal pascals": "1",
        "hpa hectopascal hectopascals mbar millibar millibars": "100",
        "kpa kilopascal kilopascals": "1000",
        "mpa megapascal megapascals": "1000000",
        "bar": "100000",
        "psi": "6894.757293168",
    },
    "v": {"kv kilovolt kilovolts": "1000", "volt volts": "1"},
    "a": {"ma milliampere milliamperes milliamp milliamps": "0.001", "ampere amperes amp amps": "1"},
    "hz": {
        "hz hertz": "1",
        "khz kilohertz": "1000",
        "mhz megahertz": "1000000",
        "ghz gigahertz": "1000000000",
    },
    "celsius": {"°c celsius degree_celsius degrees_celsius degrees_c deg_c": "1"},
    "fahrenheit": {"°f fahrenheit degree_fahrenheit degrees_fahrenheit degrees_f deg_f": "1"},
    "%": {
        "% percent pct percentage per_cent": "1",
        "bp bps basis_point basis_points": "0.01",
        "pp ppt ppts percentage_point percentage_points percent_points %_points %-points pct_points": "1",
    },
}

UNITS: dict[str, tuple[str, Decimal]] = {
    spelling.replace("_", " "): (dimension, Decimal(factor))
    for dimension, spellings in _DIMENSIONS.items()
    for names, factor in spellings.items()
    for spelling in names.split()
}
"""Spelling -> dimension and factor to its base unit."""


def unit_names(name: str) -> tuple[str, ...]:
    """Every name of the unit that a name is of, but for single letters; empty where it is of none.

    >>> unit_names("ft"), unit_names("Otto")
    (('ft', 'foot', 'feet'), ())
    """
    own = UNITS.get(name)
    return tuple(other for other, unit in UNITS.items() if unit == own and len(other) > 1) if own else ()


def same_currency(a: str, b: str) -> bool:
    """Whether two currencies may be the same; ``$`` agrees with every dollar.

    >>> same_currency("EUR", "EUR"), same_currency("$", "AUD"), same_currency("EUR", "USD")
    (True, True, False)
    """
    return a == b or b in SHARED_SYMBOLS.get(a, ()) or a in SHARED_SYMBOLS.get(b, ())
