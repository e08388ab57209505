"""The error tree: every error stands in the drawing, where it belongs."""

import inspect

from core.domain import errors


def test_every_error_is_drawn_below_its_parent():
    drawn = {}
    parents = {}
    for line in (errors.__doc__ or "").splitlines():
        if not line.strip() or line == "The error tree.":
            continue
        depth = line.find("+-- ") // 4 + 1
        name = line.replace("|", " ").replace("+--", "   ").split()[0]
        parents[depth] = name
        drawn[name] = parents.get(depth - 1)
    kinds = {name: kind for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, Exception)}
    assert drawn.pop("PlumblineError") is None
    assert drawn == {name: kind.__base__.__name__ for name, kind in kinds.items() if name != "PlumblineError"}
