"""Statements run in worker processes with limits of their own, so that no query harms the process that asks.

- `reader`: the way into a database that everything else uses
- `workers`: the worker processes of this process; `worker`: one of them, as its parent sees it
- `child`: what a worker does; `watch`: what ends a query in it
- `limits`: how much a query may take, and the sentence when it took it; `messages`: what the two say to each other
"""
