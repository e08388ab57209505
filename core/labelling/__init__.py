"""Labels by people: criteria, rounds, tasks, the draw of what to label, agreement, second looks."""
