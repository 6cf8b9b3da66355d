"""The nets: what each is, what it is asked for, how it is trained and written down."""
