"""What was learned of an encoder, as changes of its weights in a small file beside the code."""

from __future__ import annotations

from collections.abc import Mapping

from core.encoders.protocols import Floats

LEFT, RIGHT, WHOLE, HEAD = "left:", "right:", "whole:", "head:"
"""What names in such a file begin with: the factors of a change, a change as it is, weights of the head."""


def applied(weights: Mapping[str, Floats], learned: Mapping[str, Floats]) -> dict[str, Floats]:
    """The weights of an encoder with changes in them.

    Args:
        weights: Of the encoder that the changes were fitted on, by name.
        learned: Of each changed matrix the factors ``left:NAME`` (rows, rank) and ``right:NAME`` (rank, columns), of
            other changed weights the change ``whole:NAME``; what else it holds is passed over.
    """
    changed = dict(weights)
    for name, values in learned.items():
        kind, _, weight = name.partition(":")
        if f"{kind}:" == LEFT:
            changed[weight] = changed[weight] + values.astype("float32") @ learned[RIGHT + weight].astype("float32")
        elif f"{kind}:" == WHOLE:
            changed[weight] = changed[weight] + values.astype("float32")
    return changed


def head_of(learned: Mapping[str, Floats]) -> dict[str, Floats]:
    """The weights of the head, by name."""
    return {
        name.removeprefix(HEAD): values.astype("float32") for name, values in learned.items() if name.startswith(HEAD)
    }
