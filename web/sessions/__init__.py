"""Who a phone is: its cookie, join codes, seats, and what each role may do."""
