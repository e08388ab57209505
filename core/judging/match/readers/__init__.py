"""What stands in a text: numbers with their units, dates, lists, and one spelling for texts that say the same."""
