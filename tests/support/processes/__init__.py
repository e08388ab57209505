"""Workers and programs that are held, stopped or killed, and the time that passes for them."""
