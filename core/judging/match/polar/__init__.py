"""Questions for yes or no whose reference explains itself: "Yes, it improved from 20.3% to 21.5%."."""

from core.judging.match.polar.explained import Explained, read_explained
from core.judging.match.polar.silence import keeps_silent
from core.judging.match.polar.support import speaks_of_something_else

__all__ = ["Explained", "keeps_silent", "read_explained", "speaks_of_something_else"]
