"""Cases on their way: asked, judged and scored side by side, with what is in flight and what is kept."""
