"""What a stranger's records showed: figures in another unit than the asked one, flags, days of a timestamp, limits."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"
AT = "2021-06-03 09:20:00"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # the unit that is asked for, also in front of what has it
        ("What is the span in metres of bridge 12?", "262", "0.262 km", RIGHT),
        ("What is the span in metres of bridge 12?", "262", "262 feet", WRONG),
        ("What is the span in metres of bridge 12?", "262", "About 860 feet (262 m).", RIGHT),
        ("What is the span in metres of bridge 12?", "262", "860 ft", RIGHT),
        ("What is the span in metres of bridge 12?", "262", "870 ft", WRONG),
        ("What is the rated power in kW of pump 4?", "75", "0.075 MW", RIGHT),
        ("What is the rated power in kW of pump 4?", "75", "75 hp", WRONG),
        ("What is the rated power in kW of pump 4?", "75", "101 hp", RIGHT),
        ("What is the pressure in bar of line 2?", "6", "600 kPa", RIGHT),
        ("What is the pressure of line 2?", "16 bar", "16 MPa", WRONG),
        ("What is the tyre pressure of the van?", "3.5 bar", "3.5 bar (about 51 psi)", RIGHT),
        ("What is the storage temperature in °C of lot 9?", "60", "140 °F", RIGHT),
        ("What is the storage temperature in degrees Celsius of lot 9?", "60", "60 °F", WRONG),
        ("At what temperature does it boil?", "78.37 °C", "At 78.4 °C (173 °F); water boils at 100 °C.", RIGHT),
        ("How many hectares does the park cover?", "11", "It covers roughly 27 acres (11 ha).", RIGHT),
        # what a figure is given for
        ("What was the barley yield of plot 4?", "6.1 t/ha", "Plot 4 gave 6.1 tonnes per acre.", WRONG),
        ("What was the barley yield of plot 4?", "6.1 t/ha", "Plot 4 gave 6.1 tonnes per hectare.", RIGHT),
        ("What does the resin cost?", "5 EUR/kg", "5 euros a pound", WRONG),
        ("What does the resin cost?", "5 EUR/kg", "5 euros a kilo, 90 a drum", RIGHT),
        ("What is the rent in USD per square foot?", "31", "It is 31 dollars per square metre.", WRONG),
        ("How much is given?", "15 mg/kg", "15 mg/kg of body weight", RIGHT),
        ("Is the rent per square foot or per square metre, and how much?", "31", "31 dollars per square metre", RIGHT),
        # days that are fewer
        ("How long may a charge be disputed?", "60 days", "For 60 business days after it was booked.", OPEN),
        ("How many business days may it take?", "60 days", "Up to 60 business days.", RIGHT),
        ("How long may it take?", "5 working days", "5 working days", RIGHT),
        ("How long may it take?", "30 days", "30 calendar days", RIGHT),
        # the unit in brackets, and flows
        ("What is the head (m) of pump 4?", "38.5", "126.3 ft of water", RIGHT),
        ("What is the head (m) of pump 4?", "38.5", "38.5 ft, or 11.7 m", WRONG),
        ("What is the rotor diameter in m of type 7?", "150", "492 ft", RIGHT),
        ("What is the rotor diameter in m of type 7?", "150", "150 ft", WRONG),
        ("What is the working load of crane 3 in t?", "12.5", "12,500 kg", RIGHT),
        ("What is the cut-out speed (wind, m/s) of unit 5?", "25", "It shuts down at 90 km/h.", RIGHT),
        ("What is the payload (kg) of truck 6?", "18500", "18.5 tonnes", RIGHT),
        ("What is the payload (kg) of truck 6?", "18500", "around 40,800 lb", RIGHT),
        ("How many pump(s) has hall 4?", "3", "It has 3 pumps.", RIGHT),
        ("What is the flow in m3/h of pump 4?", "450", "125 litres per second", RIGHT),
        ("What is the flow in m3/h of pump 4?", "450", "450 L/s", WRONG),
        ("What is the flow in m3/h of pump 4?", "450", "450 m³/h, with a run-out flow of 520 m³/h.", RIGHT),
        ("What was the output in MWh of the plant?", "212750", "About 213 GWh.", RIGHT),
        # speeds are no lengths
        ("What is the belt speed in m/s of line 2?", "2.5", "9 km/h", RIGHT),
        ("What is the belt speed in m/s of line 2?", "2.5", "2.5 km/h", WRONG),
        ("What is the speed limit of the yard?", "20 mph", "20 miles per hour (32 km/h)", RIGHT),
        ("How fast may it go?", "50 km/h", "31 mph", RIGHT),
        ("How fast may it go?", "50 km/h", "33 mph", WRONG),
        # the figure in the reference's own unit counts before a converted one
        ("How far is the mast from the road?", "149 km", "148 km (93 miles)", WRONG),
        # hours and minutes
        ("What is the downtime in minutes of fault 7?", "159", "2:39 h", RIGHT),
        ("What is the downtime in minutes of fault 7?", "159", "2:49 h", WRONG),
        # flags
        ("What is the parking included of ticket 'Day'?", "Y", "Yes", RIGHT),
        ("What is the parking included of ticket 'Day'?", "N", "No, parking is not included.", RIGHT),
        ("What is the parking included of ticket 'Day'?", "Y", "The flag is N.", WRONG),
        ("What is the part time of clerk 'Ann Lee'?", "Y", "She works part time.", RIGHT),
        ("What is the part time of clerk 'Ann Lee'?", "N", "She works part time.", WRONG),
        ("What is the part time of clerk 'Ann Lee'?", "Y", "She is employed full time.", WRONG),
        ("What is the part time of clerk 'Ann Lee'?", "N", "The files do not say whether she works part time.", WRONG),
        ("What is the grade of clerk 'Ann Lee'?", "N", "No grade is known.", WRONG),
        # the day of a timestamp, where a date is asked for
        ("What is the date of fault '7'?", AT, "3 June 2021", RIGHT),
        ("What is the date of fault '7'?", AT, "On Thursday, 3 June 2021, shortly after 9 a.m. (09:20).", RIGHT),
        ("What is the date of fault '7'?", AT, "3 June 2021, 09:20 p.m.", WRONG),
        ("What is the date of fault '7'?", AT, "4 June 2021", WRONG),
        ("What is the date and time of fault '7'?", AT, "3 June 2021", WRONG),
        # limits by what happens beyond them
        ("What is the wind limit in km/h of crane 3?", "50", "Work stops when the wind exceeds 50 km/h.", RIGHT),
        ("What is the wind limit in km/h of crane 3?", "50", "The limit is more than 50 km/h.", WRONG),
        ("What is the altitude of the summit hut?", "2521", "The path goes up to 2521 metres.", RIGHT),
        # what is no part of the answer
        ("How many faults has report '3'?", "1", "Per [1], 12.", WRONG),
        ("How many faults has report '3'?", "12", "Per [1], 12.", RIGHT),
        ("Who made crane 3?", "Alvestad", "Alvestad (source: makers/alvestad.md)", RIGHT),
        ("What is the result of test '9'?", "OK", "OK, let me check: the result was NB.", WRONG),
        ("What is the result of test '9'?", "OK", "OK, it passed.", RIGHT),
        # codes of letters, which answers put in words
        ("What is the result of test '9'?", "NB", "The pump failed the test.", OPEN),
        ("What is the result of test '9'?", "NB", "The result was OK.", WRONG),
        # none of them, and what is dialled
        ("How many faults has report '3'?", "0", "There were none.", RIGHT),
        ("How many faults has report '3'?", "3", "There were none.", WRONG),
        ("What is the telephone extension of 'Ann Lee'?", "389", "ext. 389", RIGHT),
        ("What is the telephone extension of 'Ann Lee'?", "389", "You can reach her at -389.", RIGHT),
        ("What is the telephone extension of 'Ann Lee'?", "389", "ext. 3890", WRONG),
    ],
)
def test_verdicts(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
