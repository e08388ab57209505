"""What a real small language model makes of Plumbline: its prompts, its answers, and the diagnosis of them."""
