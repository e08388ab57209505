"""Changes of an encoder's weights, applied."""

import numpy as np

from core.encoders.classifiers.changes import applied, head_of

HALF = np.float16


def test_factors_and_whole_changes_are_added_and_all_else_stays():
    before = {"matrix": np.ones((3, 2), np.float32), "bias": np.zeros(2, np.float32), "other": np.ones(1, np.float32)}
    learned = {
        "left:matrix": np.array([[1.0], [2.0], [3.0]], HALF),
        "right:matrix": np.array([[0.5, 1.0]], HALF),
        "whole:bias": np.array([0.25, -0.25], HALF),
        "head:0.bias": np.array([4.0], HALF),
    }
    after = applied(before, learned)
    assert after["matrix"].tolist() == [[1.5, 2.0], [2.0, 3.0], [2.5, 4.0]]
    assert after["bias"].tolist() == [0.25, -0.25]
    assert after["other"] is before["other"]
    assert before["matrix"].tolist() == [[1.0, 1.0]] * 3
    assert {values.dtype for values in after.values()} == {np.dtype("float32")}
    assert {name: values.tolist() for name, values in head_of(learned).items()} == {"0.bias": [4.0]}
