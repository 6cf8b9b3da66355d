"""A renderer of dice on tables, with exact truth."""
