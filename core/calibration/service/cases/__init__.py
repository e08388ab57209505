"""The cases of a calibration: the result and the decision of each, and the order people read them in."""
