"""Measuring programs and the pictures they need; no part of the product, and nobody imports it."""
