"""Levels of one attribute and cells of two: pictures, the tables behind them, what the score holds inside a level."""
