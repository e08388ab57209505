"""What two pages or more share: frame, state, links, cache, tables, jobs, theme, charts."""
