"""GroUSE's metrics: grounded answers graded by a judging model, with null as a judgement of its own."""
