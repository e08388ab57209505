"""One server with the habits of many services, and every service it can be.

A service is registered when its module is imported, so all modules are imported here: whoever has the server has the
same services, in whatever order the tests are found.
"""

from tests.support.personalities.further import FURTHER
from tests.support.personalities.latest import LATEST
from tests.support.personalities.newest import NEWEST
from tests.support.personalities.usual import ANSWER, PERSONALITIES, THOUGHT, Personalities

__all__ = ["ANSWER", "FURTHER", "LATEST", "NEWEST", "PERSONALITIES", "THOUGHT", "Personalities"]
