"""Words that exclude one another where one stands for the other, and words that deny without saying "not"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from core.text.words import stem

_PAIRS = """
increase increased rise rose risen grow grew grown climb climbed gain | decrease decreased fall fell drop decline reduce
higher | lower
above over exceed exceeded | below under
before prior | after following
more greater larger bigger | less fewer smaller
most maximum highest largest longest biggest | least minimum lowest smallest shortest
first | last
open opened | close closed
begin start | end ended finish
always | never
buy bought purchase purchased | sell sold
lend lent | borrow borrowed
import | export
enter arrive arrived | leave left depart departed
won win | lost lose
accept approve allow permit | reject refuse deny forbid prohibit
include | exclude
mandatory required compulsory obligatory | optional voluntary
legal lawful | illegal unlawful
internal | external
north northern | south southern
east eastern | west western
left | right
male men | female women
younger | older
hot warm | cold cool
early earlier | late later
strong stronger | weak weaker
positive | negative
true | false
success succeed | failure fail
profit | loss
asset | liability
active | inactive
able | unable
possible | impossible
domestic | foreign international
daily | weekly | monthly | quarterly | annual annually yearly
day | night
morning | afternoon | evening
upstream | downstream
inside | outside
fixed | variable floating
gross | net
temporary | permanent
minor | major
all every each | none
cheaper cheap | expensive dearer
easy | difficult hard
faster quicker fast quick | slower slow
credit credited | debit debited
ascend climb | descend
takeoff | landing
may can | must shall
spring | summer | autumn | winter
monday | tuesday | wednesday | thursday | friday | saturday | sunday
january | february | march | april | june | july | august | september | october | november | december
"""

_DENYING = """
absent avoid avoiding cease check ensure decline deny except exclude exempt exempted fail failed failure forbid
forbidden free ignore impossible instead lack missing only otherwise prevent prohibit rather refuse reject stop unable
unless unlike unavailable verify waive waived without
"""


def _excluded(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    opposites: dict[str, set[str]] = {}
    for line in lines:
        groups = [[stem(word) for word in group.split()] for group in line.split("|")]
        for group, other in permutations(groups, 2):
            for word in group:
                opposites.setdefault(word, set()).update(set(other) - set(group))
    return {word: frozenset(others) for word, others in opposites.items()}


_OPPOSITES = _excluded(line for line in _PAIRS.splitlines() if line)

DENYING = frozenset(stem(word) for word in _DENYING.split())
"""Word families that deny or except; beside them a missing "not" says nothing."""

_NEGATORS = "not no never none nobody nothing neither nor without hardly"
NEGATORS = frozenset(_NEGATORS.split())

_COMPARING = "above after all before below down each few less may can must shall more most over under up only"
COMPARING = frozenset(_COMPARING.split())
"""Function words that decide what is said: they are compared like other words."""


def are_opposite(first: str, second: str) -> bool:
    """Whether two word families exclude one another.

    >>> are_opposite(stem("increased"), stem("decreases")), are_opposite(stem("before"), stem("after"))
    (True, True)
    >>> are_opposite(stem("before"), stem("decrease"))
    False
    """
    return second in _OPPOSITES.get(first, ())
