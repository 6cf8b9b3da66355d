"""Live updates: long polls with a bound, and fragments rendered once for all phones."""
