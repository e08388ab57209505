"""The parts of a SELECT that may stand in a statement; everything else is refused."""

from __future__ import annotations

from sqlglot import exp

STRUCTURE = frozenset(
    {
        "Select",
        "From",
        "Table",
        "TableAlias",
        "Join",
        "Where",
        "Group",
        "Having",
        "Order",
        "Ordered",
        "Limit",
        "Offset",
        "Fetch",
        "Distinct",
        "With",
        "CTE",
        "Subquery",
        "Union",
        "Except",
        "Intersect",
        "Alias",
        "Column",
        "Identifier",
        "Star",
        "Literal",
        "Boolean",
        "Null",
        "Placeholder",
        "Paren",
        "Tuple",
        "And",
        "Or",
        "Not",
        "Xor",
        "EQ",
        "NEQ",
        "GT",
        "GTE",
        "LT",
        "LTE",
        "Is",
        "In",
        "Between",
        "Like",
        "ILike",
        "Glob",
        "Escape",
        "Exists",
        "Case",
        "If",
        "Cast",
        "DataType",
        "DataTypeParam",
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Mod",
        "Neg",
        "DPipe",
        "Collate",
        "Var",
        "NullSafeEQ",
        "NullSafeNEQ",
        "Any",
        "All",
        "Window",
        "WindowSpec",
        "Filter",
        "Interval",
        "IntervalSpan",
    }
)
"""Class names of sqlglot's nodes that only give a SELECT its shape."""

FUNCTIONS = frozenset(
    {
        "ABS",
        "AVG",
        "CEIL",
        "COALESCE",
        "CONCAT",
        "CONCAT_WS",
        "COUNT",
        "DATE",
        "DATETIME",
        "DAY",
        "DENSE_RANK",
        "EXTRACT",
        "FLOOR",
        "GREATEST",
        "GROUP_CONCAT",
        "IFNULL",
        "IIF",
        "INITCAP",
        "INSTR",
        "JULIANDAY",
        "LEAST",
        "LEFT",
        "LENGTH",
        "LOWER",
        "LTRIM",
        "MAX",
        "MIN",
        "MONTH",
        "NULLIF",
        "POWER",
        "PRINTF",
        "RANK",
        "REPLACE",
        "RIGHT",
        "ROUND",
        "ROW_NUMBER",
        "RTRIM",
        "SIGN",
        "SQRT",
        "STRFTIME",
        "STRING_AGG",
        "STR_POSITION",
        "SUBSTR",
        "SUBSTRING",
        "SUM",
        "TIME",
        "TIME_TO_STR",
        "TOTAL",
        "TRIM",
        "TS_OR_DS_TO_DATE",
        "TS_OR_DS_TO_TIMESTAMP",
        "TYPEOF",
        "UPPER",
        "YEAR",
    }
)
"""Functions that compute from their arguments alone and cannot reach files, settings, sequences or the network."""

TYPES = frozenset(
    {
        *exp.DataType.TEXT_TYPES,
        *exp.DataType.NUMERIC_TYPES,
        *exp.DataType.TEMPORAL_TYPES,
        exp.DataType.Type.BINARY,
        exp.DataType.Type.BOOLEAN,
        exp.DataType.Type.INTERVAL,
        exp.DataType.Type.JSON,
        exp.DataType.Type.JSONB,
        exp.DataType.Type.UUID,
        exp.DataType.Type.VARBINARY,
    }
)
"""Types that a value may be cast to: XML has entities that grow, and a server's own type is read by code of its own."""


def function_name(node: exp.Func) -> str:
    """The name a function is allowed or refused by, in capitals.

    >>> import sqlglot
    >>> function_name(sqlglot.parse_one("load_extension('x')"))
    'LOAD_EXTENSION'
    """
    if isinstance(node, exp.Anonymous | exp.AnonymousAggFunc):
        return str(node.name).upper()
    names = type(node).sql_names()
    return next((name for name in names if name in FUNCTIONS), names[0])
