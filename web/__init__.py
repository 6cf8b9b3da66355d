"""The phone page and the JSON API over one table."""
