"""What two pages or more share: frame, state, links, navigation, cached reads, jobs, the look, what several show."""
