"""The table: the one owner of changing state, its journal, and what others see of it."""
